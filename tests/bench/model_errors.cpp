// SPDX-License-Identifier: Apache-2.0
#include "model_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <random>

namespace coalescope::bench {

using analysis::Metric;

namespace {

constexpr double kShortNs = 20000; ///< launches below are judged apart

struct Mean {
    void add(double value)
    {
        sum += value;
        ++count;
    }
    [[nodiscard]] double value() const { return count == 0 ? 0 : sum / count; }
    double sum = 0;
    int count = 0;
};

void printTimes(std::span<const RecordedLaunch> launches, const Estimates& estimates, TimeKind kind)
{
    Mean all, brief, large;
    for (const TimeError& error : timeErrors(launches, estimates, kind)) {
        all.add(std::abs(error.relative()));
        (error.measuredNs < kShortNs ? brief : large).add(std::abs(error.relative()));
    }
    fmt::print("{:28s} {:6.1f} %   {:4d} launches   under 20 us {:5.1f} %   others {:5.1f} %\n",
        nameOf(kind), 100 * all.value(), all.count, 100 * brief.value(), 100 * large.value());
}

void printSectors(std::span<const RecordedLaunch> launches, const Estimates& estimates, Metric metric, double fewest)
{
    using analysis::CacheSectors;
    const std::map<Metric, double CacheSectors::*> members {
        { Metric::L1ReadSectors, &CacheSectors::l1Read },
        { Metric::L1WriteSectors, &CacheSectors::l1Write },
        { Metric::L2ReadSectors, &CacheSectors::l2Read },
        { Metric::L2WriteSectors, &CacheSectors::l2Write },
        { Metric::DramReadSectors, &CacheSectors::dramRead },
        { Metric::DramWriteSectors, &CacheSectors::dramWrite },
    };
    const bool dram = metric == Metric::DramReadSectors || metric == Metric::DramWriteSectors;
    Mean relative, ofTouched;
    for (std::size_t i = 0; i < launches.size(); ++i) {
        const auto measured = launches[i].measured->metrics.get(metric);
        if (!measured)
            continue;
        const analysis::Traffic& traffic = launches[i].traffic;
        const double touched = (traffic.readBytes + traffic.writeBytes) / 32;
        const double delta = estimates[i].sectors.*members.at(metric) - *measured;
        ofTouched.add(std::abs(delta) / touched);
        if (*measured > (dram ? kManySectors : fewest))
            relative.add(std::abs(delta) / *measured);
    }
    fmt::print("{:28s} {:6.1f} %   {:4d} launches{}\n", infoOf(metric).label,
        100 * relative.value(), relative.count,
        dram ? fmt::format(" with 10,000 and more; all, relative to what is touched: {:.1f} %",
            100 * ofTouched.value())
             : "");
}

/// Ranks, the mean one where values are equal.
std::vector<double> ranks(const std::vector<double>& values)
{
    std::vector<double> result(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto below = std::ranges::count_if(values, [&](double v) { return v < values[i]; });
        result[i] = double(below) + double(std::ranges::count(values, values[i]) - 1) / 2;
    }
    return result;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b)
{
    const double n = double(a.size());
    const double meanA = std::accumulate(a.begin(), a.end(), 0.0) / n;
    const double meanB = std::accumulate(b.begin(), b.end(), 0.0) / n;
    double ab = 0, aa = 0, bb = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        ab += (a[i] - meanA) * (b[i] - meanB);
        aa += (a[i] - meanA) * (a[i] - meanA);
        bb += (b[i] - meanB) * (b[i] - meanB);
    }
    return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 1;
}

} // namespace

const char* nameOf(TimeKind kind)
{
    switch (kind) {
    case TimeKind::Duration:
        return "time, gpu__time_duration";
    case TimeKind::Warm:
        return "time, warm";
    case TimeKind::Cold:
        return "time, cold";
    }
    return "";
}

std::optional<double> measuredNs(const RecordedLaunch& launch, TimeKind kind)
{
    const analysis::RunResult& measured = *launch.measured;
    if (kind == TimeKind::Duration)
        return measured.metrics.get(Metric::Duration);
    const auto& sample = kind == TimeKind::Warm ? measured.time.warm : measured.time.cold;
    return sample ? std::optional(sample->medianNs) : std::nullopt;
}

double predictedNs(const analysis::Estimate& estimate, TimeKind kind)
{
    switch (kind) {
    case TimeKind::Duration:
        return *estimate.time.estimateNs;
    case TimeKind::Warm:
        return *estimate.time.warmNs;
    case TimeKind::Cold:
        return *estimate.time.coldNs;
    }
    return 0;
}

Estimates estimatesOf(
    std::span<const RecordedLaunch> launches, const analysis::TimeConstants& constants)
{
    Estimates estimates;
    for (const RecordedLaunch& launch : launches)
        estimates.push_back(
            analysis::estimate(*launch.device, launch.traffic, launch.occupancy, constants));
    return estimates;
}

std::vector<TimeError> timeErrors(
    std::span<const RecordedLaunch> launches, const Estimates& estimates, TimeKind kind)
{
    std::vector<TimeError> errors;
    for (std::size_t i = 0; i < launches.size(); ++i) {
        if (const auto measured = measuredNs(launches[i], kind); measured && *measured > 0)
            errors.push_back({ i, predictedNs(estimates[i], kind), *measured });
    }
    return errors;
}

void printErrors(std::span<const RecordedLaunch> launches, const Estimates& estimates, double fewest)
{
    fmt::print("Mean absolute relative errors\n");
    for (const TimeKind kind : kTimeKinds)
        printTimes(launches, estimates, kind);
    for (const Metric metric :
        { Metric::L1ReadSectors, Metric::L1WriteSectors, Metric::L2ReadSectors,
            Metric::L2WriteSectors, Metric::DramReadSectors, Metric::DramWriteSectors })
        printSectors(launches, estimates, metric, fewest);
    std::map<std::string, Mean> kernels, bias;
    for (const TimeError& error : timeErrors(launches, estimates, TimeKind::Warm)) {
        const std::string& kernel = launches[error.launch].measured->kernel;
        kernels[kernel].add(std::abs(error.relative()));
        bias[kernel].add(error.relative());
    }
    fmt::print("\nTime, warm, by kernel\n");
    for (const auto& [kernel, mean] : kernels)
        fmt::print("{:28s} {:6.1f} %   {:4d} launches   mean {:+5.1f} %\n", kernel,
            100 * mean.value(), mean.count, 100 * bias[kernel].value());
}

/// Rank correlation of a sweep's times with those measured once more.
std::optional<double> orderAgain(std::span<const RecordedLaunch> launches, const std::vector<TimeError>& errors)
{
    std::vector<double> measured, again;
    for (const TimeError& error : errors) {
        if (const auto& ns = launches[error.launch].warmAgainNs) {
            measured.push_back(error.measuredNs);
            again.push_back(*ns);
        }
    }
    return again.size() == errors.size() ? std::optional(correlation(ranks(again), ranks(measured))) : std::nullopt;
}

/// Of pairs of launches, one of which takes 5 % longer than the other or more, those that are predicted in that order.
struct Pairs {
    static constexpr double kApart = 1.05;

    void add(const std::vector<TimeError>& errors)
    {
        for (const TimeError& slow : errors) {
            for (const TimeError& fast : errors) {
                if (slow.measuredNs < kApart * fast.measuredNs)
                    continue;
                ++all;
                inOrder += slow.predictedNs > fast.predictedNs;
            }
        }
    }
    int all = 0, inOrder = 0;
};

/// Standard deviations of random errors, of predictions that know nothing else wrong.
constexpr std::array kRandomErrors { 0.01, 0.02, 0.03 };

/// Rank correlation of times with themselves, each off by a random error; the mean of some tries.
double orderOff(const std::vector<double>& measured, double error)
{
    constexpr int kTries = 5;
    std::mt19937 random(1);
    std::normal_distribution<double> off(1, error);
    Mean order;
    for (int i = 0; i < kTries; ++i) {
        std::vector<double> predicted;
        for (const double ns : measured)
            predicted.push_back(ns * off(random));
        order.add(correlation(ranks(predicted), ranks(measured)));
    }
    return order.value();
}

/// How well some sweeps are ordered, on average.
struct Ranking {
    void add(const std::vector<double>& measured, double order, std::optional<double> orderAgain, double bestRatio)
    {
        orders.add(order);
        for (std::size_t i = 0; i < kRandomErrors.size(); ++i)
            off[i].add(orderOff(measured, kRandomErrors[i]));
        if (orderAgain)
            again.add(*orderAgain);
        best.add(bestRatio);
    }
    void print(const char* name) const
    {
        if (orders.count == 0)
            return;
        fmt::print("{:48s} {:3d} sweeps     order {:6.3f}   predicted best / best {:5.2f}\n", name, orders.count,
            orders.value(), best.value());
        if (again.count > 0)
            fmt::print("{:48s} {:3d} sweeps     order {:6.3f}\n", "  measured once more", again.count, again.value());
        for (std::size_t i = 0; i < kRandomErrors.size(); ++i)
            fmt::print("{:48s} {:3d} sweeps     order {:6.3f}\n",
                fmt::format("  each time off by {:.0f} % at random", 100 * kRandomErrors[i]), off[i].count, off[i].value());
    }
    Mean orders, again, best;
    std::array<Mean, kRandomErrors.size()> off;
};

namespace {

/// The launches of one sweep as they are ranked.
struct SweepTimes {
    explicit SweepTimes(const std::vector<TimeError>& errors)
    {
        for (const TimeError& error : errors) {
            predicted.push_back(error.predictedNs);
            measured.push_back(error.measuredNs);
        }
    }
    [[nodiscard]] double order() const { return correlation(ranks(predicted), ranks(measured)); }
    [[nodiscard]] double bestRatio() const
    {
        const auto chosen = std::ranges::min_element(predicted) - predicted.begin();
        return measured[std::size_t(chosen)] / std::ranges::min(measured);
    }
    /// Slowest over fastest.
    [[nodiscard]] double spread() const { return std::ranges::max(measured) / std::ranges::min(measured); }

    std::vector<double> predicted, measured;
};

using Sweeps = std::map<std::string, std::vector<TimeError>>;
constexpr std::size_t kFewest = 4; ///< launches of a sweep: fewer have hardly an order

/// Each kernel's launches of all sizes, as a sweep over sizes too has them.
void printOrderOfAllSizes(const Sweeps& kernels)
{
    Mean order;
    for (const auto& [name, errors] : kernels)
        if (errors.size() >= kFewest)
            order.add(SweepTimes(errors).order());
    if (order.count > 0)
        fmt::print("{:48s} {:3d} kernels    order {:6.3f}\n", "a kernel's launches of all sizes", order.count, order.value());
}

} // namespace

void printRanking(std::span<const RecordedLaunch> launches, const Estimates& estimates)
{
    constexpr std::size_t kMany = 12; ///< as a sweep of two parameters has
    constexpr double kSpread = 1.5; ///< slowest over fastest: below, the order is mostly noise
    const std::string kAllKernels = ", all kernels";
    Sweeps sweeps, kernels;
    for (const TimeError& error : timeErrors(launches, estimates, TimeKind::Warm)) {
        const RecordedLaunch& launch = launches[error.launch];
        sweeps[launch.problem + kAllKernels].push_back(error);
        sweeps[launch.problem + ", " + launch.measured->kernel].push_back(error);
        kernels[launch.measured->kernel].push_back(error);
    }
    fmt::print("\nSweeps: launches of one problem, warm\n");
    Ranking all, spread, many;
    Pairs pairs;
    for (const auto& [name, errors] : sweeps) {
        if (errors.size() < kFewest)
            continue;
        const SweepTimes times(errors);
        const auto again = orderAgain(launches, errors);
        const double order = times.order(), ratio = times.bestRatio();
        all.add(times.measured, order, again, ratio);
        if (times.spread() > kSpread)
            spread.add(times.measured, order, again, ratio);
        if (times.spread() > kSpread && errors.size() >= kMany && !name.ends_with(kAllKernels)) {
            many.add(times.measured, order, again, ratio);
            pairs.add(errors);
        }
        fmt::print("{:48s} {:3d} launches   order {:5.2f}   measured once more {:>4s}   predicted best / best {:5.2f}\n",
            name, errors.size(), order, again ? fmt::format("{:.2f}", *again) : "-", ratio);
    }
    all.print("mean");
    spread.print("mean where slowest > 1.5 fastest");
    many.print("of those one kernel, 12 launches and more");
    fmt::print("  of their pairs that differ by 5 % and more {:.1f} % are in order, of {}\n",
        100.0 * pairs.inOrder / std::max(1, pairs.all), pairs.all);
    printOrderOfAllSizes(kernels);
}

void printWorst(
    std::span<const RecordedLaunch> launches, const Estimates& estimates, std::size_t count)
{
    auto errors = timeErrors(launches, estimates, TimeKind::Warm);
    std::ranges::sort(errors, std::ranges::greater(),
        [](const TimeError& error) { return std::abs(error.relative()); });
    fmt::print("\nWorst, warm: predicted and measured in us\n");
    for (std::size_t i = 0; i < std::min(count, errors.size()); ++i)
        fmt::print("{:+5.0f} %  {:8.1f} {:8.1f}  {} (limiter {})\n", 100 * errors[i].relative(),
            errors[i].predictedNs / 1000, errors[i].measuredNs / 1000,
            launches[errors[i].launch].name, estimates[errors[i].launch].time.limiter);
}

void printCsv(std::span<const RecordedLaunch> launches, const Estimates& estimates)
{
    fmt::print("kernel,launch,time,predicted_us,measured_us\n");
    for (const TimeKind kind : kTimeKinds) {
        for (const TimeError& error : timeErrors(launches, estimates, kind))
            fmt::print("{},{},\"{}\",{:.3f},{:.3f}\n", launches[error.launch].measured->kernel,
                launches[error.launch].name, nameOf(kind), error.predictedNs / 1000,
                error.measuredNs / 1000);
    }
}

} // namespace coalescope::bench
