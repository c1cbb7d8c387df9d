// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/launch/device_row.h"
#include "kernels/launch/measure.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace coalescope::kernels {

/// Words of a command prefix, with the quotes and backslashes of a shell and nothing else of one:
/// `ssh -i "my key" gpu01`.
///
/// Errors: WrongUsage where a quote is not closed.
[[nodiscard]] Result<std::vector<std::string>> wordsOfPrefix(std::string_view prefix);

/// The whole command for a prefix: the prefix, then $COALESCOPE_REMOTE or `coalescope`, then
/// `measure --job -`. Without a prefix, and behind `env NAME=VALUE ...` alone: this machine's own program.
///
/// Errors: TargetFailed.
[[nodiscard]] Result<std::vector<std::string>> targetCommand(const std::vector<std::string>& prefix);

class ChildProcess;

/// A launch behind a target, from its start to its result. Ends with this object.
class TargetJob {
public:
    /// Held: it starts and compiles, and keeps off the GPU until go().
    enum class Start : std::uint8_t { AtOnce, Held };

    /// Errors: WrongUsage of the prefix; TargetFailed where the command cannot be started.
    [[nodiscard]] static Result<TargetJob> start(
        const std::string& target, const LaunchPlan& plan, const MeasureOptions& options, Start start);
    TargetJob(TargetJob&&) noexcept;
    TargetJob& operator=(TargetJob&&) noexcept;
    ~TargetJob();

    void go(); ///< lets a held job begin

    /// Errors: as runJobOnTarget.
    [[nodiscard]] Result<analysis::RunResult> result(
        const std::function<void(const MeasureProgress&)>& progress = {}, std::stop_token stop = {});

private:
    TargetJob(std::vector<std::string> prefix, std::vector<std::string> command, std::unique_ptr<ChildProcess> child);

    std::vector<std::string> m_prefix, m_command;
    std::unique_ptr<ChildProcess> m_child;
};

/// Whether a held job may be started behind a prefix while another one runs there: on this machine and behind
/// ssh or a container. Behind anything else, such as a queue (srun), the held job might be given the GPU that
/// the other one, or its second try, waits for.
[[nodiscard]] bool mayHoldBehind(const std::vector<std::string>& prefix);

/// Starts the command behind a prefix, feeds it the job and reads its answer.
///
/// Errors: TargetFailed where the command cannot be started, breaks off, lacks coalescope or says
///         something else; Cancelled; whatever the other side answers.
[[nodiscard]] Result<analysis::RunResult> runJobOnTarget(const std::vector<std::string>& prefix,
    const std::string& job, const std::function<void(const MeasureProgress&)>& progress = {},
    std::stop_token stop = {});

/// Calibrates the GPU behind `--target`; without a target this machine's.
///
/// Errors: as runJobOnTarget.
[[nodiscard]] Result<DeviceRow> calibrateOnTarget(const std::string& target,
    const std::function<void(const MeasureProgress&)>& progress = {}, std::stop_token stop = {});

/// Measures a plan behind `--target`.
[[nodiscard]] Result<analysis::RunResult> measureOnTarget(const std::string& target, const LaunchPlan& plan,
    const MeasureOptions& options, const std::function<void(const MeasureProgress&)>& progress = {},
    std::stop_token stop = {});

} // namespace coalescope::kernels
