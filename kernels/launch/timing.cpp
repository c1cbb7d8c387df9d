// SPDX-License-Identifier: Apache-2.0
#include "kernels/launch/timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace coalescope::kernels {

namespace {

    /// Overwrites a buffer larger than the L2, which leaves none of the kernel's data in it.
    Result<void> flush(GpuSession& session, const FlushBuffer& buffer, int times)
    {
        for (int i = 0; i < times; ++i)
            COALESCOPE_TRY(
                checkCuda(session.driver().memorySetAsync(buffer.address, 0, buffer.bytes, session.stream()),
                    "cuMemsetD8Async", "overwriting the L2"));
        return {};
    }

    struct Window {
        CUevent_st *begin = nullptr, *end = nullptr;
    };

    /// One thread that waits, and touches no memory.
    constexpr const char* kPauseCode = R"(.version 6.0
.target sm_50
.address_size 64
.visible .entry coalescope_pause(.param .u64 nanoseconds)
{
    .reg .u64 %now, %end;
    .reg .pred %waits;
    ld.param.u64 %end, [nanoseconds];
    mov.u64 %now, %globaltimer;
    add.u64 %end, %end, %now;
again:
    mov.u64 %now, %globaltimer;
    setp.lt.u64 %waits, %now, %end;
    @%waits bra again;
    ret;
}
)";
    constexpr std::uint64_t kPauseNs = 40'000; ///< so long the host may take to queue a launch and what times it

    /// Before a launch that copies come before: with those to queue the host falls behind, and the window would hold how long the GPU waits
    /// for it (4 to 8 us, and at times more, on an H100, driver 580.159.04, 2026-11-27).
    class Pause {
    public:
        /// `isWanted`: launches are queued behind copies. A driver without its compiler has no pause.
        Pause(const GpuSession& session, bool isWanted)
        {
            CUmod_st* module = nullptr;
            if (isWanted && session.driver().moduleLoadData(&module, kPauseCode) == 0 && session.driver().moduleGetFunction(&m_function, module, "coalescope_pause") != 0)
                m_function = nullptr;
        }
        Result<void> queue(const GpuSession& session) const
        {
            if (!m_function)
                return {};
            std::uint64_t nanoseconds = kPauseNs;
            void* parameters[] = { &nanoseconds };
            return checkCuda(session.driver().launchKernel(m_function, 1, 1, 1, 1, 1, 1, 0, session.stream(), parameters, nullptr), "cuLaunchKernel", "waiting for the host");
        }

    private:
        CUfunc_st* m_function = nullptr; ///< null: there is none
    };

    /// Leaves memory as a launch is to find it.
    Result<void> comeBefore(GpuSession& session, const FlushBuffer& buffer, int flushes, const Pause& pause)
    {
        COALESCOPE_TRY(session.clearCollected());
        return flushes > 0 ? flush(session, buffer, flushes) : pause.queue(session);
    }

    Result<void> timedLaunch(GpuSession& session, const Window& window)
    {
        const DriverTable& driver = session.driver();
        COALESCOPE_TRY(checkCuda(driver.eventRecord(window.begin, session.stream()), "cuEventRecord", "timing"));
        COALESCOPE_TRY(session.launch());
        return checkCuda(driver.eventRecord(window.end, session.stream()), "cuEventRecord", "timing");
    }

    Result<double> durationNs(GpuSession& session, const Window& window)
    {
        float milliseconds = 0;
        COALESCOPE_TRY(checkCuda(session.driver().eventElapsedTime(&milliseconds, window.begin, window.end),
            "cuEventElapsedTime", "timing"));
        return double(milliseconds) * 1e6;
    }

    Result<std::vector<Window>> windows(GpuSession& session, int count)
    {
        std::vector<Window> made(std::size_t(std::max(count, 1)));
        for (Window& window : made)
            for (CUevent_st** event : { &window.begin, &window.end })
                COALESCOPE_TRY(checkCuda(session.driver().eventCreate(event, 0), "cuEventCreate", "timing"));
        return made;
    }

    constexpr int kHeadStart = 8; ///< flushes that keep the GPU busy while the host queues the launches
    constexpr double kQueueLimitNs = 20e6; ///< slower launches are waited for one by one

} // namespace

analysis::TimeSample sampleOf(std::vector<double> durationsNs)
{
    if (durationsNs.empty())
        return {};
    std::ranges::sort(durationsNs);
    const auto at = [&](double fraction) {
        const double position = fraction * double(durationsNs.size() - 1);
        const auto below = std::size_t(position);
        const auto above = std::min(below + 1, durationsNs.size() - 1);
        return std::lerp(durationsNs[below], durationsNs[above], position - double(below));
    };
    return { .medianNs = at(0.5), .minimumNs = durationsNs.front(), .p10Ns = at(0.1), .p90Ns = at(0.9),
        .runs = int(durationsNs.size()) };
}

Result<FlushBuffer> makeFlushBuffer(const GpuSession& session)
{
    FlushBuffer buffer;
    buffer.bytes = std::max<std::uint64_t>(2 * session.properties().l2Bytes, 32u << 20);
    COALESCOPE_TRY(checkCuda(session.driver().memoryAllocate(&buffer.address, buffer.bytes), "cuMemAlloc",
        fmt::format("allocating {} bytes to overwrite the L2 with", buffer.bytes)));
    return buffer;
}

Result<analysis::TimeSample> timeLaunches(
    GpuSession& session, const FlushBuffer& buffer, const MeasureOptions& options, L2State state)
{
    const double limit = options.kernelTimeLimitSeconds;
    const auto made = windows(session, options.runs);
    COALESCOPE_TRY(made);
    const int flushes = state == L2State::Cold ? 1 : 0;
    const Pause pause(session, flushes == 0 && session.copiesBetween()); // a flush is one

    // The first warm-up tells whether the launches can be queued or must be watched one by one.
    COALESCOPE_TRY(comeBefore(session, buffer, flushes, pause));
    COALESCOPE_TRY(timedLaunch(session, made->front()));
    COALESCOPE_TRY(session.wait(limit));
    const auto first = durationNs(session, made->front());
    COALESCOPE_TRY(first);
    const bool queued = *first < kQueueLimitNs;

    if (queued)
        COALESCOPE_TRY(flush(session, buffer, kHeadStart));
    // At least one launch follows the head start, or the first warm run would find a cold L2.
    for (int i = 1; i < std::max(options.warmups, 2); ++i) {
        COALESCOPE_TRY(comeBefore(session, buffer, flushes, pause));
        COALESCOPE_TRY(session.launch());
        if (!queued)
            COALESCOPE_TRY(session.wait(limit));
    }
    double spentNs = 0;
    std::vector<double> durations;
    for (int i = 0; i < options.runs && spentNs < 4e9 * limit; ++i) {
        COALESCOPE_TRY(comeBefore(session, buffer, flushes, pause));
        COALESCOPE_TRY(timedLaunch(session, (*made)[std::size_t(i)]));
        if (queued)
            continue;
        COALESCOPE_TRY(session.wait(limit));
        const auto ns = durationNs(session, (*made)[std::size_t(i)]);
        COALESCOPE_TRY(ns);
        durations.push_back(*ns);
        spentNs += *ns;
    }
    if (queued) {
        COALESCOPE_TRY(session.wait(limit + 4e-9 * *first * (options.runs + options.warmups)));
        for (const Window& window : *made) {
            const auto ns = durationNs(session, window);
            COALESCOPE_TRY(ns);
            durations.push_back(*ns);
        }
    }
    return sampleOf(std::move(durations));
}

} // namespace coalescope::kernels
