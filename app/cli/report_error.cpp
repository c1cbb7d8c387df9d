// SPDX-License-Identifier: Apache-2.0
#include "app/cli/report_error.h"

#include <array>
#include <cstdio>
#include <fmt/format.h>

namespace coalescope::cli {

namespace {

enum ExitStatus { WrongUsage = 2, BadInput = 3, NoGpu = 4, RunFailed = 5 };

struct Row {
    ErrorCode code;
    ExitStatus status;
    std::string_view nextStep;
};

constexpr std::array kRows {
    Row { .code = ErrorCode::WrongUsage,
        .status = WrongUsage,
        .nextStep = "See the command's --help" },
    Row { .code = ErrorCode::BadInput,
        .status = BadInput,
        .nextStep = "Correct that place and run the command again" },
    Row { .code = ErrorCode::IllegalParameter,
        .status = WrongUsage,
        .nextStep = "Give another value; \"coalescope kernels\" lists what each kernel accepts" },
    Row { .code = ErrorCode::IllegalLaunch,
        .status = WrongUsage,
        .nextStep = "Make the launch smaller, or choose another --device" },
    Row { .code = ErrorCode::NoCompiler,
        .status = BadInput,
        .nextStep = "Install clang 14 or newer, or the CUDA toolkit" },
    Row { .code = ErrorCode::CompileFailed,
        .status = BadInput,
        .nextStep = "Correct the source at that place" },
    Row { .code = ErrorCode::EntryNotFound,
        .status = WrongUsage,
        .nextStep = "Give --entry the name of a __global__ function of the file" },
    Row { .code = ErrorCode::UnsupportedInstruction,
        .status = BadInput,
        .nextStep = "Rewrite the line without it, or measure on a GPU instead" },
    Row { .code = ErrorCode::UnsupportedWidth,
        .status = BadInput,
        .nextStep = "Use 1, 2, 4, 8 or 16 bytes a lane" },
    Row { .code = ErrorCode::ExecutionFailed,
        .status = BadInput,
        .nextStep = "Correct the kernel or its launch at that place" },
    Row { .code = ErrorCode::NeedsValues,
        .status = BadInput,
        .nextStep = "Give the buffers values with --arg, such as =iota or =file:PATH" },
    Row { .code = ErrorCode::Cancelled, .status = RunFailed, .nextStep = "Run it again" },
    Row { .code = ErrorCode::UnknownDevice,
        .status = WrongUsage,
        .nextStep = "Give --device one of the names listed" },
    Row { .code = ErrorCode::UnknownKernel,
        .status = WrongUsage,
        .nextStep = "\"coalescope kernels\" lists the names" },
    Row { .code = ErrorCode::NoDriver,
        .status = NoGpu,
        .nextStep = "Install NVIDIA's driver, or use --target or --recorded" },
    Row { .code = ErrorCode::NoDevice,
        .status = NoGpu,
        .nextStep = "Use --target to reach a machine with a GPU, or --recorded" },
    Row { .code = ErrorCode::NoCupti,
        .status = NoGpu,
        .nextStep = "Install CUPTI (it comes with the CUDA toolkit), or go without counters" },
    Row { .code = ErrorCode::NoCounterPermission,
        .status = NoGpu,
        .nextStep = "Run as root, or have the administrator load the driver with "
                    "NVreg_RestrictProfilingToAdminUsers=0" },
    Row { .code = ErrorCode::UnsupportedChip,
        .status = NoGpu,
        .nextStep = "Use a GPU of compute capability 7.5 or newer" },
    Row { .code = ErrorCode::OutOfMemory,
        .status = RunFailed,
        .nextStep = "Use a smaller shape, or free the GPU's memory" },
    Row { .code = ErrorCode::IllegalAddress,
        .status = RunFailed,
        .nextStep = "\"coalescope predict\" shows the access that leaves its buffer" },
    Row { .code = ErrorCode::LaunchFailed,
        .status = RunFailed,
        .nextStep = "\"coalescope predict\" checks the launch against the device's limits" },
    Row { .code = ErrorCode::TimedOut,
        .status = RunFailed,
        .nextStep = "Use a smaller shape, or raise the time limit" },
    Row { .code = ErrorCode::NotRecorded,
        .status = NoGpu,
        .nextStep = "Use a recorded launch, or measure on a GPU" },
    Row { .code = ErrorCode::TargetFailed,
        .status = NoGpu,
        .nextStep = "Check that the --target command starts coalescope there" },
    Row { .code = ErrorCode::FileFailed,
        .status = BadInput,
        .nextStep = "Check that the path exists and may be used" },
};

constexpr bool rowsMatchTheEnum()
{
    for (std::size_t row = 0; row < kRows.size(); ++row) {
        if (kRows[row].code != ErrorCode(row))
            return false;
    }
    return kRows.size() == std::size_t(ErrorCode::FileFailed) + 1;
}
static_assert(rowsMatchTheEnum(), "kRows lists the codes in the enum's order");

} // namespace

int exitStatusOf(ErrorCode code) { return kRows[std::size_t(code)].status; }

std::string_view nextStepOf(ErrorCode code) { return kRows[std::size_t(code)].nextStep; }

int reportError(const Error& error)
{
    const std::string place = error.where.empty() ? std::string() : " (" + error.where + ')';
    fmt::print(stderr, "coalescope: {}{}. {}.\n", error.detail, place, nextStepOf(error.code));
    return exitStatusOf(error.code);
}

} // namespace coalescope::cli
