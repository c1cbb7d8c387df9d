// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/jobs.h"

#include <QCoreApplication>
#include <QThreadPool>

#include <cstdlib>
#include <thread>

namespace coalescope::app {
namespace {

    QThreadPool& pool()
    {
        // Never destroyed: the threads are joined by finishJobs() while everything they use still lives.
        static QThreadPool* const threads = [] {
            auto* made = new QThreadPool;
            made->setMaxThreadCount(6); // mostly waiting; a prediction brings its own threads
            qAddPostRoutine(finishJobs);
            return made;
        }();
        return *threads;
    }

}

void JobTicket::post(const std::shared_ptr<JobTicket>& self, std::function<void()> action, bool last)
{
    const std::lock_guard lock(m_mutex);
    if (!m_slot)
        return;
    QMetaObject::invokeMethod(
        m_slot,
        [slot = m_slot, self, action = std::move(action), last] {
            if (slot->m_current != self)
                return;
            if (last) {
                slot->m_current.reset();
                emit slot->busyChanged(false);
            }
            action();
        },
        Qt::QueuedConnection);
}

void JobTicket::tell(double fraction)
{
    if (m_slot)
        emit m_slot->progressed(fraction);
}

void JobTicket::drop()
{
    m_stop.request_stop();
    const std::lock_guard lock(m_mutex);
    m_slot = nullptr;
}

void JobContext::progress(double fraction) const
{
    m_ticket->post(m_ticket, [ticket = m_ticket, fraction] { ticket->tell(fraction); }, false);
}

JobSlot::JobSlot(QObject* parent)
    : QObject(parent)
{
}

JobSlot::~JobSlot()
{
    if (m_current)
        m_current->drop();
}

void JobSlot::cancel()
{
    if (!m_current)
        return;
    m_current->drop();
    m_current.reset();
    emit busyChanged(false);
}

void JobSlot::run(Body body, Thread thread)
{
    const bool wasBusy = isBusy();
    if (m_current)
        m_current->drop();
    m_current = std::make_shared<JobTicket>(this);
    auto work = [ticket = m_current, body = std::move(body)] {
        if (!ticket->token().stop_requested())
            body(ticket);
    };
    if (thread == Thread::Own)
        std::thread(std::move(work)).detach();
    else
        pool().start(std::move(work));
    if (!wasBusy)
        emit busyChanged(true);
}

void finishJobs()
{
    static constexpr int kPatienceMs = 3000; // a cancelled prediction ends within milliseconds
    pool().clear();
    if (!pool().waitForDone(kPatienceMs))
        std::_Exit(EXIT_SUCCESS); // all that was to be kept is written; a hung thread must not hold the user
}

} // namespace coalescope::app
