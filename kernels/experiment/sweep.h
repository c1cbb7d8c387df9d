// SPDX-License-Identifier: Apache-2.0
// Many launches of one kernel: predicted at once, measured on demand.
#pragma once

#include "analysis/result/run_result.h"
#include "kernels/catalogue/kernel_spec.h"
#include "kernels/experiment/measure_queue.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace coalescope::kernels {

/// One parameter with the values it takes.
struct SweepAxis {
    std::string name;
    std::vector<std::string> values;
};

struct SweepRequest {
    std::vector<SweepAxis> axes;
    ParameterValues fixed;
};

/// The axes and the fixed values (`NAME=VALUE`), checked before anything runs: every name is a
/// parameter, no name comes twice, every value is of the parameter's kind.
///
/// An axis is `NAME=` and items with commas between them. An item is a value, `FIRST:LAST` in steps
/// of one, `FIRST:LAST:STEP`, or `FIRST:LAST:xFACTOR`: `block_x=4:64:4`, `rows=512:16384:x2`,
/// `pad=0,1,4:16:4`. A range holds its last value where a step meets it.
///
/// Errors: WrongUsage, IllegalParameter.
[[nodiscard]] Result<SweepRequest> sweepRequest(const KernelSpec& kernel,
    const std::vector<std::string>& over, const std::vector<std::string>& sets);

/// Every combination, the last axis fastest.
[[nodiscard]] std::vector<ParameterValues> combinations(const SweepRequest& request);

/// One launch of a sweep; `problem` says in a sentence why a result is missing.
struct SweepRow {
    ParameterValues values; ///< every parameter where the launch is legal, else as asked for
    std::string buffers; ///< of a legal launch: see buffersOf()
    std::optional<analysis::RunResult> predicted, measured;
    std::string problem;
    std::optional<Error> refused; ///< why it was not predicted
};

/// What a sweep took. The work of all threads is added up, so that it may exceed the wall's time.
struct SweepTimes {
    double compileMs = 0; ///< in the compiler
    double analyseMs = 0; ///< in everything else
    double wallMs = 0;
    std::size_t compiled = 0; ///< programs that came from no cache
};

/// Called from a worker thread, one call at a time, in any order, once a launch; once more where the output of what seemed fastest is wrong.
using SweepRowFunction = std::function<void(std::size_t index, const SweepRow& row)>;

struct PredictSweepOptions {
    std::string device = "h200";
    int threads = 0; ///< 0: as many as the machine has
    bool keepLines = false; ///< values per source line; a long sweep holds many
    std::stop_token stop;
};

/// Predicts every launch, on all cores; what has to be compiled is compiled meanwhile.
///
/// A launch that is illegal, or whose program does not compile or run, is a row with a problem.
///
/// Errors: what no launch would get past: UnknownDevice, NoCompiler, Cancelled, ...
[[nodiscard]] Result<SweepTimes> predictSweep(const KernelSpec& kernel,
    const std::vector<ParameterValues>& launches, const PredictSweepOptions& options,
    const SweepRowFunction& row);

struct MeasureSweepOptions : MeasureQueueOptions {
    std::string journal; ///< path of the file that keeps what is measured; empty: none
    bool retryFailed = false; ///< measure anew what the journal keeps as failed
};

/// Measures every launch as measureQueue() does; rows carry `measured` or `problem`.
///
/// With a journal, each row that is finished is on the disk before it is handed over. A sweep that
/// was interrupted goes on with the same journal: what it holds is handed over again and not
/// measured again, unless it failed and `retryFailed`. Without a launch, the targets' words and the
/// journal are checked and nothing else is done.
///
/// Errors: Cancelled; FileFailed and BadInput of the journal; WrongUsage of a prefix; those of the
/// last target.
[[nodiscard]] Result<void> measureSweep(const KernelSpec& kernel,
    const std::vector<ParameterValues>& launches, const MeasureSweepOptions& options,
    const SweepRowFunction& row);

} // namespace coalescope::kernels
