// SPDX-License-Identifier: Apache-2.0
// The process that runs the calibration's kernels.
#include "kernels/launch/calibrate_kernels.h"
#include "kernels/launch/steps.h"
#include "kernels/launch/timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace coalescope::kernels {

namespace {

constexpr double kStepSeconds = 120;
constexpr double kKernelSeconds = 10;
constexpr std::uint64_t kTurns
    = 512; ///< of the kernels that time themselves: well above a barrier's cost
constexpr std::uint64_t kChaseSteps = 65536;
constexpr std::uint64_t kSharedSteps
    = 262144; ///< short ones: the timer's tick may be a microsecond
constexpr double kTimedNs = 2e6; ///< launches timed from outside last at least about this long
constexpr std::uint64_t kCopyBytes = 1ull << 30, kLeastCopyBytes = 64ull << 20;
constexpr int kLaunchesInARow = 200;

/// What the first thread of a block saw pass.
struct BlockTime {
    std::uint64_t cycles = 0, ns = 0;
};

double median(std::vector<double> values)
{
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

std::unexpected<Error> nothingMeasured(Rate rate)
{
    return fail(ErrorCode::LaunchFailed,
        fmt::format("the GPU reported no time for the calibration's kernel '{}'", entryOf(rate)));
}

/// The session with everything compiled once, and the measurements in terms of it.
class Calibration {
public:
    explicit Calibration(const StepContext& context)
        : m_context(context)
    {
    }

    Result<DeviceRow> run();

private:
    Result<void> open();
    Result<void> prepare(Rate rate, std::uint64_t amount);
    Result<std::vector<BlockTime>> blockTimes(Rate rate, std::uint64_t amount);
    Result<double> perClock(Rate rate);
    Result<double> latencyNs(Rate rate, std::uint64_t steps);
    Result<double> launchNs(Rate rate, std::uint64_t amount);
    Result<double> bytesPerNs(Rate rate, std::uint64_t amount);
    Result<double> cachedBytesPerNs(Rate rate);
    Result<double> copyBytesPerNs(Rate rate);
    Result<double> clockGHz();
    Result<double> emptyLaunchNs();
    Result<void> measure(DeviceRow& row);

    const StepContext& m_context;
    GpuSession m_session;
    CompiledCubin m_cubin;
    LaunchPlan m_plan;
    FlushBuffer m_flush;
};

Result<void> Calibration::open()
{
    COALESCOPE_TRY(m_session.start());
    const GpuProperties& gpu = m_session.properties();
    // One machine code holds all kernels; their names are C's.
    auto cubin = compileToCubin(calibrationPlan(Rate::Empty, gpu, 0),
        { .computeMajor = gpu.computeMajor, .computeMinor = gpu.computeMinor });
    COALESCOPE_TRY(cubin);
    m_cubin = std::move(*cubin);
    COALESCOPE_TRY(m_session.openContext());
    const auto flush = makeFlushBuffer(m_session);
    COALESCOPE_TRY(flush);
    m_flush = *flush;
    return {};
}

Result<void> Calibration::prepare(Rate rate, std::uint64_t amount)
{
    m_context.deadline(kStepSeconds);
    m_plan = calibrationPlan(rate, m_session.properties(), amount);
    m_cubin.entry = m_plan.entry;
    return m_session.prepare(m_plan, m_cubin);
}

/// Runs a kernel that times itself: a first time to wake the GPU, a second that counts.
Result<std::vector<BlockTime>> Calibration::blockTimes(Rate rate, std::uint64_t amount)
{
    COALESCOPE_TRY(prepare(rate, amount));
    for (int run = 0; run < 2; ++run) {
        COALESCOPE_TRY(m_session.launch());
        COALESCOPE_TRY(m_session.wait(kKernelSeconds));
    }
    std::vector<BlockTime> times(m_plan.grid.count());
    COALESCOPE_TRY(checkCuda(m_session.driver().memoryCopyToHost(times.data(), m_session.address(0),
                                 times.size() * sizeof(BlockTime)),
        "cuMemcpyDtoH", "reading the kernel's times"));
    for (const BlockTime& time : times) {
        if (time.cycles == 0 || time.ns == 0)
            return nothingMeasured(rate);
    }
    return times;
}

/// Work a clock of one SM.
Result<double> Calibration::perClock(Rate rate)
{
    const auto times = blockTimes(rate, kTurns);
    COALESCOPE_TRY(times);
    std::vector<double> cycles;
    for (const BlockTime& time : *times)
        cycles.push_back(double(time.cycles));
    const GpuProperties& gpu = m_session.properties();
    return workOf(rate, gpu, kTurns) / gpu.sms / median(std::move(cycles));
}

Result<double> Calibration::latencyNs(Rate rate, std::uint64_t steps)
{
    const auto times = blockTimes(rate, steps);
    COALESCOPE_TRY(times);
    return double(times->front().ns) / workOf(rate, m_session.properties(), steps);
}

/// Duration between two events, the median of many.
Result<double> Calibration::launchNs(Rate rate, std::uint64_t amount)
{
    COALESCOPE_TRY(prepare(rate, amount));
    const auto sample = timeLaunches(m_session, m_flush,
        { .warmups = 10, .runs = 41, .kernelTimeLimitSeconds = kKernelSeconds }, L2State::Warm);
    COALESCOPE_TRY(sample);
    if (!(sample->medianNs > 0))
        return nothingMeasured(rate);
    return sample->medianNs;
}

/// From two launches, one of half the work: what a launch itself costs is in neither's difference.
Result<double> Calibration::bytesPerNs(Rate rate, std::uint64_t amount)
{
    const auto whole = launchNs(rate, amount);
    COALESCOPE_TRY(whole);
    const auto half = launchNs(rate, amount / 2);
    COALESCOPE_TRY(half);
    const GpuProperties& gpu = m_session.properties();
    if (*whole <= *half)
        return nothingMeasured(rate);
    return (workOf(rate, gpu, amount) - workOf(rate, gpu, amount / 2)) / (*whole - *half);
}

Result<double> Calibration::cachedBytesPerNs(Rate rate)
{
    constexpr std::uint64_t kFirstTurns = 16;
    const auto first = launchNs(rate, kFirstTurns);
    COALESCOPE_TRY(first);
    const double times = std::clamp(kTimedNs / *first, 1.0, 4096.0);
    return bytesPerNs(rate, std::uint64_t(times * kFirstTurns));
}

/// As much as fits, up to a gigabyte: a smaller GPU has less memory.
Result<double> Calibration::copyBytesPerNs(Rate rate)
{
    const std::uint64_t least = std::max(kLeastCopyBytes, 4 * m_session.properties().l2Bytes);
    for (std::uint64_t bytes = kCopyBytes;; bytes /= 2) {
        auto rated = bytesPerNs(rate, bytes);
        if (rated || rated.error().code != ErrorCode::OutOfMemory || bytes / 2 < least)
            return rated;
    }
}

/// The clock that SMs sustain while they all read from shared memory.
Result<double> Calibration::clockGHz()
{
    constexpr std::uint64_t kFirstTurns = 64;
    constexpr double kLongNs = 100e6;
    const auto first = blockTimes(Rate::SharedRows, kFirstTurns);
    COALESCOPE_TRY(first);
    const double times = std::clamp(kLongNs / double(first->front().ns), 1.0, 65536.0);
    const auto spent = blockTimes(Rate::SharedRows, std::uint64_t(times * kFirstTurns));
    COALESCOPE_TRY(spent);
    std::vector<double> clocks;
    for (const BlockTime& time : *spent)
        clocks.push_back(double(time.cycles) / double(time.ns));
    return median(std::move(clocks));
}

/// The period of empty launches in a row.
Result<double> Calibration::emptyLaunchNs()
{
    COALESCOPE_TRY(prepare(Rate::Empty, 0));
    const DriverTable& driver = m_session.driver();
    CUevent_st* events[2] = {};
    for (CUevent_st*& event : events)
        COALESCOPE_TRY(checkCuda(driver.eventCreate(&event, 0), "cuEventCreate", "timing"));
    float milliseconds = 0;
    for (int run = 0; run < 2; ++run) {
        COALESCOPE_TRY(checkCuda(
            driver.eventRecord(events[0], m_session.stream()), "cuEventRecord", "timing"));
        for (int i = 0; i < kLaunchesInARow; ++i)
            COALESCOPE_TRY(m_session.launch());
        COALESCOPE_TRY(checkCuda(
            driver.eventRecord(events[1], m_session.stream()), "cuEventRecord", "timing"));
        COALESCOPE_TRY(m_session.wait(kKernelSeconds));
        COALESCOPE_TRY(checkCuda(driver.eventElapsedTime(&milliseconds, events[0], events[1]),
            "cuEventElapsedTime", "timing"));
    }
    if (!(milliseconds > 0))
        return nothingMeasured(Rate::Empty);
    return double(milliseconds) * 1e6 / kLaunchesInARow;
}

Result<void> Calibration::measure(DeviceRow& row)
{
    analysis::DeviceModel& model = row.model;
    double fraction = 0.1;
    const auto take
        = [&](const char* what, double& into, Result<double> (Calibration::*how)(Rate), Rate rate) {
              m_context.progress({ what, fraction += 0.07 });
              const auto value = (this->*how)(rate);
              if (value) {
                  into = *value;
                  m_context.trace(fmt::format("{}: {:g}", entryOf(rate), *value));
              }
              return value;
          };
    // First, for a GPU that was idle needs a tenth of a second to come to its clocks.
    m_context.progress({ "clock", 0.05 });
    const auto clock = clockGHz();
    COALESCOPE_TRY(clock);
    model.clockGHz = *clock;
    double l2Read = 0, l2Write = 0, rows = 0, conflicts = 0;
    COALESCOPE_TRY(take("L1", model.l1SectorsPerClock, &Calibration::perClock, Rate::L1Sectors));
    COALESCOPE_TRY(take("L1", model.lsuTagsPerClock, &Calibration::perClock, Rate::L1Tags));
    COALESCOPE_TRY(take("shared memory", rows, &Calibration::perClock, Rate::SharedRows));
    COALESCOPE_TRY(take("shared memory", conflicts, &Calibration::perClock, Rate::SharedConflicts));
    COALESCOPE_TRY(take("L2", l2Read, &Calibration::cachedBytesPerNs, Rate::L2Read));
    COALESCOPE_TRY(take("L2", l2Write, &Calibration::cachedBytesPerNs, Rate::L2Write));
    COALESCOPE_TRY(
        take("DRAM", model.dramBytesPerNs, &Calibration::copyBytesPerNs, Rate::DramCopy));
    COALESCOPE_TRY(
        take("DRAM", model.dramReadBytesPerNs, &Calibration::copyBytesPerNs, Rate::DramRead));
    // The slower of the two: a conflict's wavefronts carry less than a row's.
    model.sharedWavefrontsPerClock = std::min(rows, conflicts);
    model.l2SectorsPerNs = l2Read / 32;
    model.l2WriteSectorsPerNs = l2Write / 32;

    m_context.progress({ "latencies", 0.75 });
    for (auto [rate, steps, into] : { std::tuple(Rate::L1Latency, kSharedSteps, &model.l1LatencyNs),
             std::tuple(Rate::SharedLatency, kSharedSteps, &model.sharedLatencyNs),
             std::tuple(Rate::L2Latency, kChaseSteps, &model.l2LatencyNs),
             std::tuple(Rate::DramLatency, kChaseSteps, &model.dramLatencyNs) }) {
        const auto ns = latencyNs(rate, steps);
        COALESCOPE_TRY(ns);
        *into = *ns;
    }
    const auto launch = emptyLaunchNs();
    COALESCOPE_TRY(launch);
    model.launchNs = *launch;
    return {};
}

/// What the driver reports.
DeviceRow reportedBy(const GpuProperties& gpu)
{
    DeviceRow row;
    row.name = deviceNameOf(gpu.name, gpu.sms);
    row.fullName = gpu.name;
    row.driver = installedDriverVersion();
    row.date = utcNow();
    row.model = { .computeMajor = gpu.computeMajor,
        .computeMinor = gpu.computeMinor,
        .verified = true,
        .sms = gpu.sms,
        .maxWarpsPerSm = gpu.maxThreadsPerSm / 32,
        .maxBlocksPerSm = gpu.maxBlocksPerSm,
        .maxThreadsPerBlock = gpu.maxThreadsPerBlock,
        .registersPerSm = gpu.registersPerSm,
        .sharedPerSm = gpu.sharedPerSm,
        .sharedPerBlock = gpu.sharedPerBlock,
        .sharedPerBlockOptIn = gpu.sharedPerBlockOptIn,
        .sharedReserved = gpu.sharedReserved,
        .l2Bytes = double(gpu.l2Bytes) };
    return row;
}

Result<DeviceRow> Calibration::run()
{
    m_context.deadline(kStepSeconds);
    m_context.progress({ "compile", 0.02 });
    COALESCOPE_TRY(open());
    DeviceRow row = reportedBy(m_session.properties());
    COALESCOPE_TRY(measure(row));
    // What a reader of the file would not believe is not written.
    return deviceRowFromJson(toJson(row));
}

} // namespace

Result<DeviceRow> ratesStep(const StepContext& context) { return Calibration(context).run(); }

} // namespace coalescope::kernels
