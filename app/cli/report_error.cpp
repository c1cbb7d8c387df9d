// SPDX-License-Identifier: Apache-2.0
#include "app/cli/report_error.h"

#include "kernels/launch/job.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>

namespace coalescope::cli {

namespace {

struct Row {
    ErrorCode code;
    std::string_view nextStep;
};

constexpr std::array kRows {
    Row { .code = ErrorCode::WrongUsage, .nextStep = "See the command's --help" },
    Row { .code = ErrorCode::BadInput, .nextStep = "Correct that place and run the command again" },
    Row { .code = ErrorCode::IllegalParameter,
        .nextStep = "Give another value; \"coalescope kernels\" lists what each kernel accepts" },
    Row { .code = ErrorCode::IllegalLaunch,
        .nextStep = "Make the launch smaller, or choose another --device" },
    Row { .code = ErrorCode::NoCompiler,
        .nextStep = "Install clang 14 or newer, or the CUDA toolkit" },
    Row { .code = ErrorCode::CompileFailed, .nextStep = "Correct the source at that place" },
    Row { .code = ErrorCode::EntryNotFound,
        .nextStep = "Give --entry the name of a __global__ function of the file" },
    Row { .code = ErrorCode::UnsupportedInstruction,
        .nextStep = "Rewrite the line without it, or measure on a GPU instead" },
    Row { .code = ErrorCode::UnsupportedWidth, .nextStep = "Use 1, 2, 4, 8 or 16 bytes a lane" },
    Row { .code = ErrorCode::ExecutionFailed,
        .nextStep = "Take smaller sizes (--set), or correct the kernel or its launch at that place" },
    Row { .code = ErrorCode::NeedsValues,
        .nextStep = "Give the buffers values with --arg, such as =iota, =random:1:0:1024 (below 1024) or =file:PATH" },
    Row { .code = ErrorCode::Cancelled, .nextStep = "Run it again" },
    Row { .code = ErrorCode::UnknownDevice, .nextStep = "Give --device one of the names listed, or measure your GPU with \"coalescope calibrate\"" },
    Row { .code = ErrorCode::UnknownKernel, .nextStep = "\"coalescope kernels\" lists the names" },
    Row { .code = ErrorCode::NoDriver,
        .nextStep = "Install NVIDIA's driver, or use --target; \"compare --recorded\" needs no GPU" },
    Row { .code = ErrorCode::NoDevice,
        .nextStep = "Use --target to reach a machine with a GPU; \"compare --recorded\" needs none" },
    Row { .code = ErrorCode::NoCupti,
        .nextStep = "Install CUPTI (it comes with the CUDA toolkit), or go without counters" },
    Row { .code = ErrorCode::NoCounterPermission,
        .nextStep = "Run as root, or have the administrator load the driver with "
                    "NVreg_RestrictProfilingToAdminUsers=0" },
    Row { .code = ErrorCode::UnsupportedChip,
        .nextStep = "Use a GPU of compute capability 7.5 or newer" },
    Row { .code = ErrorCode::OutOfMemory,
        .nextStep = "Use a smaller shape, or free the GPU's memory" },
    Row { .code = ErrorCode::IllegalAddress,
        .nextStep = "\"coalescope predict\" shows the access that leaves its buffer" },
    Row { .code = ErrorCode::LaunchFailed,
        .nextStep = "\"coalescope predict\" checks the launch against the device's limits" },
    Row { .code = ErrorCode::TimedOut, .nextStep = "Use a smaller shape, or raise the time limit" },
    Row {
        .code = ErrorCode::NotRecorded, .nextStep = "Use a recorded launch, or measure on a GPU" },
    Row { .code = ErrorCode::TargetFailed,
        .nextStep = "Check that the --target command starts coalescope there" },
    Row { .code = ErrorCode::FileFailed, .nextStep = "Check that the path exists and may be used" },
    Row { .code = ErrorCode::LaunchUnread,
        .nextStep = "Give --source, --entry, --grid, --block and --arg, or a manifest: \"coalescope kernels FILE --manifest --entry NAME\" prints one to start from" },
};

constexpr bool rowsMatchTheEnum()
{
    for (std::size_t row = 0; row < kRows.size(); ++row) {
        if (kRows[row].code != ErrorCode(row))
            return false;
    }
    return kRows.size() == std::size_t(ErrorCode::LaunchUnread) + 1;
}
static_assert(rowsMatchTheEnum(), "kRows lists the codes in the enum's order");

constexpr int kLogLines = 40;

/// How many bytes the UTF-8 character has that the text begins with; 0 where it begins with none, or with a control character.
std::size_t characterBytes(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    const unsigned first = byte(0);
    if (first < 0x80)
        return (first >= ' ' && first != 0x7f) || first == '\t' ? 1 : 0;
    const std::size_t size = first < 0xc2 || first > 0xf4 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    for (std::size_t i = 1; i < size; ++i)
        if ((byte(i) & 0xc0) != 0x80)
            return 0;
    return first == 0xc2 && byte(1) < 0xa0 ? 0 : size; // U+0080 to U+009f control as ESC does
}

/// The text without what could move a terminal's cursor or change its colours.
std::string printable(std::string_view text)
{
    std::string safe;
    while (!text.empty()) {
        const std::size_t size = characterBytes(text);
        safe += size == 0 ? std::string_view("?") : text.substr(0, size);
        text.remove_prefix(std::max<std::size_t>(size, 1));
    }
    return safe;
}

/// A compiler's log below the sentence, cut where nobody reads on.
void printLog(std::string_view log)
{
    for (int line = 0; !log.empty(); ++line) {
        if (line == kLogLines)
            return fmt::print(stderr, "  ...\n");
        const std::size_t end = std::min(log.find('\n'), log.size());
        fmt::print(stderr, "  {}\n", printable(log.substr(0, end)));
        log.remove_prefix(std::min(end + 1, log.size()));
    }
}

/// Whether the place is FILE:LINE.
bool hasLine(const Error& error)
{
    const std::size_t colon = error.where.rfind(':');
    return colon != std::string::npos && error.where.find_first_not_of("0123456789", colon + 1) == std::string::npos;
}

std::string_view nextStepOf(const Error& error)
{
    if (error.code == ErrorCode::EntryNotFound && hasLine(error)) // a manifest asked for it
        return "Correct the manifest's entry";
    if (error.code == ErrorCode::IllegalLaunch && error.detail.find("the kernel") != std::string::npos) // whatever the GPU
        return "Make the launch fit the kernel, or change the kernel";
    if (error.code == ErrorCode::IllegalParameter && error.where.find(" in ") != std::string::npos) // see withFile()
        return "Give another value; \"coalescope kernels FILE\" lists what it accepts";
    return kRows[std::size_t(error.code)].nextStep;
}

} // namespace

int reportError(const Error& error)
{
    std::string_view sentence = error.sentence();
    const std::string_view log = std::string_view(error.detail).substr(sentence.size());
    while (sentence.ends_with('.'))
        sentence.remove_suffix(1);
    const std::string place
        = error.where.empty() ? std::string() : " (" + printable(error.where) + ')';
    fmt::print(stderr, "coalescope: {}{}. {}.\n", printable(sentence), place,
        nextStepOf(error));
    if (!log.empty())
        printLog(log.substr(1));
    return kernels::exitStatusOf(error.code);
}

} // namespace coalescope::cli
