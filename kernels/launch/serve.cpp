// SPDX-License-Identifier: Apache-2.0
// `coalescope measure --job -`: the process that does one job or one step of it.
#include "kernels/launch/job.h"
#include "kernels/launch/orchestrate.h"
#include "kernels/launch/steps.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <utility>

#include <cerrno>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

namespace coalescope::kernels {

namespace {

    volatile sig_atomic_t g_signalled = 0;

    /// Writes one line to the standard output, whole.
    void writeLine(std::string line)
    {
        static std::mutex mutex;
        const std::scoped_lock lock(mutex);
        line += '\n';
        for (std::string_view rest = line; !rest.empty();) {
            const ssize_t written = write(STDOUT_FILENO, rest.data(), rest.size());
            if (written < 0 && errno == EINTR)
                continue;
            if (written <= 0)
                return; // the reader is gone: cancelled() sees that
            rest.remove_prefix(std::size_t(written));
        }
    }

    /// True once a signal came or nobody reads the answer any more.
    bool cancelled()
    {
        pollfd output { STDOUT_FILENO, 0, 0 };
        return g_signalled || (poll(&output, 1, 0) > 0 && output.revents & (POLLERR | POLLHUP | POLLNVAL));
    }

    /// A source of 16 MiB in JSON, escaped; what is longer is no job of ours.
    constexpr std::size_t kLargestJobBytes = 128 << 20;

    /// Standard input: the job, then for a held one a line "go", and for a held step "free" when the one
    /// before it has left the GPU.
    class JobInput {
    public:
        /// The first complete JSON value; a job may have many lines, and its writer may keep the pipe open.
        std::string job()
        {
            std::size_t looked = 0;
            for (bool more = true; more;) {
                more = read();
                for (auto end = m_text.find('\n', looked); end != std::string::npos; end = m_text.find('\n', looked)) {
                    looked = end + 1;
                    if (!isCompleteJson(std::string_view(m_text).substr(0, looked)))
                        continue;
                    std::string job = m_text.substr(0, looked);
                    m_text.erase(0, looked);
                    return job;
                }
                more = more && m_text.size() < kLargestJobBytes;
            }
            return std::exchange(m_text, {});
        }

        /// Waits for a line. False where it does not come any more, or nobody waits for the answer.
        bool waitFor(std::string_view line)
        {
            while (m_text.find(line) == std::string::npos) {
                if (cancelled())
                    return false;
                // A signal between the question and the wait is noticed at the next turn.
                pollfd input { STDIN_FILENO, POLLIN, 0 };
                if (poll(&input, 1, 200) > 0 && !read())
                    return false;
            }
            return true;
        }

    private:
        bool read()
        {
            char bytes[65536];
            ssize_t size;
            while ((size = ::read(STDIN_FILENO, bytes, sizeof bytes)) < 0 && errno == EINTR && !g_signalled) { }
            if (size <= 0)
                return false;
            m_text.append(bytes, std::size_t(size));
            return true;
        }

        std::string m_text;
    };

    /// Ends the process with TimedOut where a call into the driver or CUPTI never comes back.
    class Watchdog {
    public:
        explicit Watchdog(JobStep step) : m_step(step), m_thread([this](std::stop_token stop) { watch(stop); }) {}

        void arm(double seconds)
        {
            const std::scoped_lock lock(m_mutex);
            m_seconds = seconds;
            m_until = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
            m_changed.notify_all();
        }

    private:
        using Clock = std::chrono::steady_clock;

        void watch(std::stop_token stop)
        {
            std::unique_lock lock(m_mutex);
            while (!stop.stop_requested()) {
                if (!m_changed.wait_until(lock, stop, m_until, [this, armed = m_until] { return m_until != armed; })
                    && !stop.stop_requested()) {
                    writeLine(errorLine({ ErrorCode::TimedOut,
                        fmt::format("step '{}' did not end within {:g} seconds", nameOf(m_step), m_seconds), {} }));
                    _exit(exitStatusOf(ErrorCode::TimedOut));
                }
            }
        }

        JobStep m_step;
        double m_seconds = 0;
        std::mutex m_mutex;
        std::condition_variable_any m_changed;
        Clock::time_point m_until = Clock::now() + std::chrono::hours(24);
        std::jthread m_thread;
    };

    void trace(const std::string& text)
    {
        static const bool wanted = std::getenv("COALESCOPE_TRACE") != nullptr;
        if (wanted)
            std::fprintf(stderr, "coalescope: %s\n", text.c_str());
    }

    int answerError(const Error& error)
    {
        writeLine(errorLine(error));
        return exitStatusOf(error.code);
    }

    int serveStep(const Job& job, JobInput& input)
    {
        if (job.step == JobStep::Info) {
            const auto gpu = infoStep();
            if (!gpu)
                return answerError(gpu.error());
            writeLine(gpuLine(*gpu));
            return 0;
        }
        Watchdog watchdog(job.step);
        const auto mayStart = [&] {
            if (!job.hold)
                return true;
            watchdog.arm(24 * 3600);
            return input.waitFor("go\n");
        };
        const auto mayFill = [&] { return !job.hold || input.waitFor("free\n"); };
        const StepContext context { job, [](const MeasureProgress& progress) { writeLine(progressLine(progress)); },
            &trace, mayStart, mayFill, [&](double seconds) { watchdog.arm(seconds); } };
        if (job.step == JobStep::Rates) {
            const auto row = ratesStep(context);
            writeLine(row ? deviceLine(*row) : errorLine(row.error()));
            _exit(row ? 0 : exitStatusOf(row.error().code));
        }
        const auto step = job.step == JobStep::Run ? &runStep : job.step == JobStep::Count ? &countStep : &linesStep;
        const auto result = step(context);
        const int status = result ? 0 : exitStatusOf(result.error().code);
        writeLine(result ? resultLine(*result) : errorLine(result.error()));
        // An orderly end would wait for whatever still runs on the GPU.
        _exit(status);
    }

    int serveAll(const Job& job, JobInput& input)
    {
        struct sigaction action {};
        action.sa_handler = [](int) { g_signalled = 1; };
        for (int signal : { SIGTERM, SIGINT, SIGHUP })
            sigaction(signal, &action, nullptr);
        const auto progress = [](const MeasureProgress& now) { writeLine(progressLine(now)); };
        if (job.step == JobStep::Calibrate) {
            const auto row = calibrateJob(progress, &cancelled);
            if (!row)
                return answerError(row.error());
            writeLine(deviceLine(*row));
            return 0;
        }
        const auto result = measureJob(job, progress, &cancelled, [&] { return input.waitFor("go\n"); });
        if (!result)
            return answerError(result.error());
        writeLine(resultLine(*result));
        return 0;
    }

} // namespace

int serveJob()
{
    signal(SIGPIPE, SIG_IGN);
    JobInput input;
    const auto job = jobFromJson(input.job());
    if (!job)
        return answerError(job.error());
    return job->step == JobStep::All || job->step == JobStep::Calibrate ? serveAll(*job, input) : serveStep(*job, input);
}

} // namespace coalescope::kernels
