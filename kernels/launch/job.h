// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/result/error.h"
#include "analysis/result/run_result.h"
#include "kernels/catalogue/kernel_spec.h"
#include "kernels/launch/device_row.h"
#include "kernels/launch/measure.h"

#include <optional>
#include <string>
#include <string_view>

namespace coalescope::kernels {

/// The part of a measurement that one process does.
enum class JobStep : std::uint8_t {
    All, ///< starts the other steps as children
    Run, ///< compile, verify, time
    Count, ///< Range Profiler
    Lines, ///< SASS metrics per source line
    Info, ///< name and driver of the GPU
    Calibrate, ///< the GPU's own row: starts Rates, and Count for the empty kernel
    Rates, ///< runs the calibration's kernels
};

/// What `measure --job -` reads.
struct Job {
    LaunchPlan plan;
    MeasureOptions options;
    JobStep step = JobStep::All;
    bool hold = false; ///< prepare without the GPU, then wait for a line "go" before working on it
    bool coreLineMetrics = false; ///< Lines: only the metrics that have a key of ours
};

/// The job as one line of JSON. A kernel with a manifest travels as its file and its parameters, so that
/// the other side rebuilds the reference; a --source run travels as source, launch and arguments.
[[nodiscard]] std::string toJson(const Job& job);

/// Errors: BadInput; those of parseKernel and planLaunch; FileFailed for a file fill of another host.
[[nodiscard]] Result<Job> jobFromJson(std::string_view text);

/// True where the text is one complete JSON value: a job may be pretty-printed over many lines.
[[nodiscard]] bool isCompleteJson(std::string_view text);

/// One line of the answer; exactly one member is there.
struct JobMessage {
    std::optional<MeasureProgress> progress;
    std::optional<analysis::RunResult> result;
    std::optional<GpuInfo> gpu;
    std::optional<DeviceRow> device;
    std::optional<Error> error;
};

[[nodiscard]] std::string progressLine(const MeasureProgress& progress);
[[nodiscard]] std::string resultLine(const analysis::RunResult& result);
[[nodiscard]] std::string gpuLine(const GpuInfo& gpu);
[[nodiscard]] std::string deviceLine(const DeviceRow& row);
[[nodiscard]] std::string errorLine(const Error& error);

/// Errors: BadInput where the line is not of the protocol.
[[nodiscard]] Result<JobMessage> messageFromLine(std::string_view line);

[[nodiscard]] std::string_view nameOf(JobStep step); ///< "run"
[[nodiscard]] std::string_view nameOf(ErrorCode code); ///< "NoDriver"
[[nodiscard]] std::optional<ErrorCode> errorCodeNamed(std::string_view name);

/// Exit status of the command-line contract: 3 bad input, 4 no GPU, driver or permission, 5 the run failed.
[[nodiscard]] int exitStatusOf(ErrorCode code);

} // namespace coalescope::kernels
