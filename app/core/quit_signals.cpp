// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/quit_signals.h"

#include <QSocketNotifier>

#include <csignal>

#include <fcntl.h>
#include <unistd.h>

namespace coalescope::app {
namespace {

    constexpr int kSignals[] { SIGTERM, SIGINT, SIGHUP };

    volatile std::sig_atomic_t wakeEnd = -1;

    void onSignal(int)
    {
        const char byte = 1;
        (void)!write(wakeEnd, &byte, 1);
    }

}

QuitSignals::QuitSignals(QObject* parent)
    : QObject(parent)
{
    if (pipe2(m_ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return; // the signals end the program, as without this object
    wakeEnd = m_ends[1];
    auto* notifier = new QSocketNotifier(m_ends[0], QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, [this, notifier] {
        notifier->setEnabled(false);
        emit quitAsked();
    });
    struct sigaction action { };
    action.sa_handler = &onSignal;
    action.sa_flags = SA_RESTART | int(SA_RESETHAND);
    for (const int number : kSignals)
        sigaction(number, &action, nullptr);
}

QuitSignals::~QuitSignals()
{
    if (m_ends[0] < 0)
        return;
    for (const int number : kSignals)
        std::signal(number, SIG_DFL);
    for (const int end : m_ends)
        close(end);
}

} // namespace coalescope::app
