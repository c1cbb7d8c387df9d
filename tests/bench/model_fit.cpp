// SPDX-License-Identifier: Apache-2.0
#include "model_fit.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <future>
#include <limits>
#include <map>
#include <numeric>
#include <set>

namespace coalescope::bench {

using analysis::TimeConstants;

namespace {

struct Constant {
    double TimeConstants::*member;
    const char* name;
};

constexpr std::array kConstants {
    Constant { &TimeConstants::blockStartNs, "blockStartNs" },
    Constant { &TimeConstants::blockLeadNs, "blockLeadNs" },
    Constant { &TimeConstants::warpStartNs, "warpStartNs" },
    Constant { &TimeConstants::l2LatencyNs, "l2LatencyNs" },
    Constant { &TimeConstants::dramLatencyNs, "dramLatencyNs" },
    Constant { &TimeConstants::barrierNs, "barrierNs" },
    Constant { &TimeConstants::storeClocks, "storeClocks" },
    Constant { &TimeConstants::issueSlots, "issueSlots" },
    Constant { &TimeConstants::splitSectorSectors, "splitSectorSectors" },
    Constant { &TimeConstants::windowNs, "windowNs" },
};
// Not fitted: requestClocks, which the recorded launches leave open.
static_assert(sizeof(TimeConstants) == (kConstants.size() + 1) * sizeof(double));

/// Errors of the times, and those of the ratios between launches of the same problem and kernel: which one is
/// best is asked as often as how long it takes. Warm times count most: they are what people time. A little rounded
/// off at zero, so that no single launch is met exactly at the others' cost.
double loss(std::span<const RecordedLaunch> launches, const TimeConstants& constants)
{
    constexpr double kSoft = 0.02, kLessThanWarm = 0.6;
    const Estimates estimates = estimatesOf(launches, constants);
    double sum = 0;
    for (const TimeKind kind : kTimeKinds) {
        const double weight = kind == TimeKind::Warm ? 1 : kLessThanWarm;
        std::map<std::string, std::vector<double>> sweeps;
        for (const TimeError& error : timeErrors(launches, estimates, kind)) {
            const RecordedLaunch& launch = launches[error.launch];
            const double logarithm = std::log1p(error.relative());
            sweeps[launch.problem + launch.measured->kernel].push_back(logarithm);
            sum += weight * std::hypot(logarithm, kSoft);
        }
        for (const auto& [name, errors] : sweeps) {
            const double mean = std::accumulate(errors.begin(), errors.end(), 0.0) / double(errors.size());
            for (const double error : errors)
                sum += weight * std::hypot(error - mean, kSoft);
        }
    }
    return sum;
}

struct Fit {
    TimeConstants constants;
    double loss = 0;
};

/// Changes one constant at a time, by less and less.
Fit descent(std::span<const RecordedLaunch> launches, const TimeConstants& first)
{
    constexpr double kFirstStep = 0.2, kLastStep = 0.01;
    TimeConstants best = first;
    double least = loss(launches, best);
    for (double step = kFirstStep; step > kLastStep;) {
        bool better = false;
        for (const Constant& constant : kConstants) {
            for (const double factor : { 1 + step, 1 / (1 + step) }) {
                TimeConstants tried = best;
                tried.*constant.member *= factor;
                if (const double found = loss(launches, tried); found < least) {
                    least = found;
                    best = tried;
                    better = true;
                    break;
                }
            }
        }
        step = better ? step : step / 2;
    }
    return { best, least };
}

} // namespace

TimeConstants fitConstants(
    std::span<const RecordedLaunch> launches, std::span<const TimeConstants> guesses)
{
    std::vector<std::future<Fit>> fits;
    for (const TimeConstants& guess : guesses)
        fits.push_back(std::async(std::launch::async, [&] { return descent(launches, guess); }));
    Fit best { .loss = std::numeric_limits<double>::infinity() };
    for (std::future<Fit>& fit : fits) {
        if (const Fit found = fit.get(); found.loss < best.loss)
            best = found;
    }
    return best.constants;
}

Estimates crossValidated(
    std::span<const RecordedLaunch> launches, std::span<const TimeConstants> guesses)
{
    std::set<std::string> kernels;
    for (const RecordedLaunch& launch : launches)
        kernels.insert(launch.measured->kernel);
    Estimates estimates(launches.size());
    std::map<std::string, std::future<TimeConstants>> folds;
    for (const std::string& kernel : kernels) {
        std::vector<RecordedLaunch> others;
        for (const RecordedLaunch& launch : launches) {
            if (launch.measured->kernel != kernel)
                others.push_back(launch);
        }
        folds[kernel] = std::async(std::launch::async,
            [others = std::move(others), guesses] { return fitConstants(others, guesses); });
    }
    for (auto& [kernel, fold] : folds) {
        const TimeConstants constants = fold.get();
        for (std::size_t i = 0; i < launches.size(); ++i) {
            if (launches[i].measured->kernel == kernel)
                estimates[i] = estimatesOf(launches.subspan(i, 1), constants).front();
        }
    }
    return estimates;
}

void printConstants(const TimeConstants& constants)
{
    for (const Constant& constant : kConstants)
        fmt::print("{:20s} {:.4g}\n", constant.name, constants.*constant.member);
}

} // namespace coalescope::bench
