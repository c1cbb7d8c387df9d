// SPDX-License-Identifier: Apache-2.0
#include "app/cli/interrupt.h"

#include <csignal>

#include <fcntl.h>
#include <unistd.h>

namespace coalescope::cli {

namespace {

volatile std::sig_atomic_t g_signal = 0;
volatile std::sig_atomic_t g_wake = -1;

void onSignal(int number)
{
    g_signal = number;
    const char byte = 1;
    (void)!write(g_wake, &byte, 1);
}

} // namespace

Interrupt::Interrupt()
{
    g_signal = 0;
    if (pipe2(m_ends, O_CLOEXEC) != 0)
        return; // the signals end the program, as without this object
    g_wake = m_ends[1];
    m_watcher = std::jthread([this] {
        char byte = 0;
        if (read(m_ends[0], &byte, 1) == 1 && byte == 1)
            m_stop.request_stop();
    });
    struct sigaction action { };
    action.sa_handler = &onSignal;
    action.sa_flags = SA_RESTART | int(SA_RESETHAND);
    for (const int number : { SIGINT, SIGTERM })
        sigaction(number, &action, nullptr);
}

Interrupt::~Interrupt()
{
    if (m_ends[0] < 0)
        return;
    for (const int number : { SIGINT, SIGTERM })
        std::signal(number, SIG_DFL);
    const char byte = 0;
    (void)!write(m_ends[1], &byte, 1);
    m_watcher.join();
    for (const int end : m_ends)
        close(end);
}

int Interrupt::signal() { return g_signal; }

} // namespace coalescope::cli
