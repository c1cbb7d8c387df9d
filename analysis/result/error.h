// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <expected>
#include <string>
#include <string_view>

namespace coalescope {

/// What went wrong, for programs and tests. The sentence for people is in Error::detail; the next
/// step is added at one place, by the application.
enum class ErrorCode {
    WrongUsage, ///< the command line or a call's arguments
    BadInput, ///< a file, manifest, CSV, JSON or expression that cannot be read
    IllegalParameter, ///< a parameter value outside its range or breaking a legality condition
    IllegalLaunch, ///< grid, block or shared memory outside the device's limits
    NoCompiler, ///< neither NVRTC nor clang is there
    CompileFailed, ///< the kernel's source does not compile
    EntryNotFound,
    UnsupportedInstruction, ///< an instruction or modifier that is not modelled
    UnsupportedWidth,
    ExecutionFailed, ///< the interpreter met something it cannot go past (trap, endless loop, bad barrier)
    NeedsValues, ///< addresses or control flow depend on data that this mode does not hold
    Cancelled,
    UnknownDevice,
    UnknownKernel,
    NoDriver,
    NoDevice,
    NoCupti,
    NoCounterPermission,
    UnsupportedChip,
    OutOfMemory,
    IllegalAddress,
    LaunchFailed,
    TimedOut,
    NotRecorded,
    TargetFailed, ///< the command behind a --target prefix could not be run
    FileFailed, ///< a file could not be opened, read or written
    LaunchUnread, ///< how a program launches its kernel cannot be told from its host code
};

struct Error {
    ErrorCode code = ErrorCode::BadInput;
    std::string detail; ///< one sentence for people, without the place; more lines are a compiler's log
    std::string where; ///< file:line:column, parameter or option; empty where there is none

    /// The detail without the log.
    [[nodiscard]] std::string_view sentence() const { return std::string_view(detail).substr(0, detail.find('\n')); }
};

template <class T> using Result = std::expected<T, Error>;

[[nodiscard]] inline std::unexpected<Error> fail(
    ErrorCode code, std::string detail, std::string where = {})
{
    return std::unexpected(Error { code, std::move(detail), std::move(where) });
}

} // namespace coalescope
