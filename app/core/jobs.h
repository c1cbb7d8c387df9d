// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <type_traits>
#include <utility>

namespace coalescope::app {

class JobSlot;

/// One request of a slot, shared between the GUI thread and the worker.
class JobTicket {
public:
    explicit JobTicket(JobSlot* slot)
        : m_slot(slot)
    {
    }
    [[nodiscard]] std::stop_token token() const { return m_stop.get_token(); }
    /// Runs `action` on the GUI thread if the request is still the newest one by then.
    void post(const std::shared_ptr<JobTicket>& self, std::function<void()> action, bool last);
    /// Tells the slot how far the work is; on the slot's thread, from an action of post().
    void tell(double fraction);
    /// After this nothing of the request reaches the slot any more.
    void drop();

private:
    std::stop_source m_stop;
    std::mutex m_mutex;
    JobSlot* m_slot; ///< null once dropped
};

/// What the work of a job may ask and tell.
class JobContext {
public:
    explicit JobContext(std::shared_ptr<JobTicket> ticket)
        : stop(ticket->token())
        , m_ticket(std::move(ticket))
    {
    }
    std::stop_token stop; ///< requested when the job is superseded or cancelled
    void progress(double fraction) const; ///< 0 to 1

private:
    std::shared_ptr<JobTicket> m_ticket;
};

/// One kind of background work, of which only the newest request counts.
///
/// Starting again cancels the request before; a result that comes late is dropped. The work runs on a
/// pool's thread and gets its input by value; the result is delivered on the slot's thread. Destroying
/// the slot cancels and never waits; finishJobs() joins the threads when the application ends.
class JobSlot : public QObject {
    Q_OBJECT
public:
    explicit JobSlot(QObject* parent = nullptr);
    ~JobSlot() override;

    /// `work(const JobContext&)` on a worker, then `deliver(result)` here.
    template <class Work, class Deliver> void start(Work work, Deliver deliver)
    {
        run(bodyOf(std::move(work), std::move(deliver)), Thread::Pool);
    }
    /// The same on a thread of its own that nobody joins: for work that waits for something outside and
    /// cannot be stopped. It must own all it touches; the end of the program ends it.
    template <class Work, class Deliver> void startUnjoined(Work work, Deliver deliver)
    {
        run(bodyOf(std::move(work), std::move(deliver)), Thread::Own);
    }
    void cancel();
    [[nodiscard]] bool isBusy() const { return m_current != nullptr; }

signals:
    void busyChanged(bool busy);
    void progressed(double fraction);

private:
    friend class JobTicket;
    enum class Thread { Pool, Own };
    using Body = std::function<void(const std::shared_ptr<JobTicket>&)>;

    template <class Work, class Deliver> static Body bodyOf(Work work, Deliver deliver)
    {
        using Value = std::invoke_result_t<Work, const JobContext&>;
        return [work = std::move(work), deliver = std::move(deliver)](const std::shared_ptr<JobTicket>& ticket) {
            auto value = std::make_shared<Value>(work(JobContext(ticket)));
            ticket->post(ticket, [value, deliver] { deliver(std::move(*value)); }, true);
        };
    }
    void run(Body body, Thread thread);

    std::shared_ptr<JobTicket> m_current;
};

/// Cancels what has not begun and joins the worker threads; a thread that hangs, in a file system for
/// example, is not waited for long: the program then ends at once. Called when the application ends.
void finishJobs();

} // namespace coalescope::app
