// SPDX-License-Identifier: Apache-2.0
#include "kernels/launch/job.h"

namespace coalescope::kernels {

namespace {

    struct CodeRow {
        ErrorCode code;
        std::string_view name;
        int exitStatus;
    };

    // Names are part of the job protocol: a client of another version must still understand them.
    constexpr CodeRow kCodes[] = {
        { ErrorCode::WrongUsage, "WrongUsage", 2 },
        { ErrorCode::BadInput, "BadInput", 3 },
        { ErrorCode::IllegalParameter, "IllegalParameter", 2 },
        { ErrorCode::IllegalLaunch, "IllegalLaunch", 2 },
        { ErrorCode::NoCompiler, "NoCompiler", 3 },
        { ErrorCode::CompileFailed, "CompileFailed", 3 },
        { ErrorCode::EntryNotFound, "EntryNotFound", 2 },
        { ErrorCode::UnsupportedInstruction, "UnsupportedInstruction", 3 },
        { ErrorCode::UnsupportedWidth, "UnsupportedWidth", 3 },
        { ErrorCode::ExecutionFailed, "ExecutionFailed", 3 },
        { ErrorCode::NeedsValues, "NeedsValues", 3 },
        { ErrorCode::Cancelled, "Cancelled", 5 },
        { ErrorCode::UnknownDevice, "UnknownDevice", 2 },
        { ErrorCode::UnknownKernel, "UnknownKernel", 2 },
        { ErrorCode::NoDriver, "NoDriver", 4 },
        { ErrorCode::NoDevice, "NoDevice", 4 },
        { ErrorCode::NoCupti, "NoCupti", 4 },
        { ErrorCode::NoCounterPermission, "NoCounterPermission", 4 },
        { ErrorCode::UnsupportedChip, "UnsupportedChip", 4 },
        { ErrorCode::OutOfMemory, "OutOfMemory", 5 },
        { ErrorCode::IllegalAddress, "IllegalAddress", 5 },
        { ErrorCode::LaunchFailed, "LaunchFailed", 5 },
        { ErrorCode::TimedOut, "TimedOut", 5 },
        { ErrorCode::NotRecorded, "NotRecorded", 4 },
        { ErrorCode::TargetFailed, "TargetFailed", 4 },
        { ErrorCode::FileFailed, "FileFailed", 3 },
        { ErrorCode::LaunchUnread, "LaunchUnread", 3 },
    };

    constexpr bool rowsMatchEnum()
    {
        for (std::size_t i = 0; i < std::size(kCodes); ++i)
            if (std::size_t(kCodes[i].code) != i)
                return false;
        return std::size(kCodes) == std::size_t(ErrorCode::LaunchUnread) + 1;
    }
    static_assert(rowsMatchEnum());

} // namespace

std::string_view nameOf(ErrorCode code) { return kCodes[std::size_t(code)].name; }

std::optional<ErrorCode> errorCodeNamed(std::string_view name)
{
    for (const CodeRow& row : kCodes)
        if (row.name == name)
            return row.code;
    return std::nullopt;
}

int exitStatusOf(ErrorCode code) { return kCodes[std::size_t(code)].exitStatus; }

} // namespace coalescope::kernels
