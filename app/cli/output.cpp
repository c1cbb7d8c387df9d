// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output.h"

#include "app/cli/report_error.h"
#include "kernels/source/python_source.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include <unistd.h>

namespace coalescope::cli {

namespace {

constexpr std::uintmax_t kLargestSourceBytes = 16 << 20;

std::unexpected<Error> writeFailed(const std::filesystem::path& path, int error)
{
    return fail(ErrorCode::FileFailed,
        fmt::format("the file cannot be written: {}", std::strerror(error)), path.string());
}

} // namespace

int printResult(std::string_view text, int status)
{
    errno = 0;
    if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && !std::fflush(stdout))
        return status;
    return reportError({ ErrorCode::FileFailed,
        fmt::format("the output cannot be written: {}", std::strerror(errno)), "standard output" });
}

Result<void> writeFile(const std::filesystem::path& named, std::string_view text)
{
    std::error_code unlinked;
    const std::filesystem::path target = std::filesystem::is_symlink(named, unlinked) ? std::filesystem::weakly_canonical(named, unlinked) : named;
    const std::filesystem::path& path = unlinked ? named : target;
    // The process's number keeps two reports to one file apart.
    const std::filesystem::path beside = fmt::format("{}.{}.part", path.string(), getpid());
    std::error_code error;
    if (std::filesystem::is_directory(path, error))
        return fail(ErrorCode::FileFailed, "this is a folder, not a file", path.string());
    std::FILE* file = std::fopen(beside.c_str(), "wbx");
    if (!file)
        return writeFailed(path, errno);
    const bool whole = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    int reason = whole ? 0 : errno;
    if (std::fclose(file) && !reason)
        reason = errno;
    if (reason) {
        std::filesystem::remove(beside, error);
        return writeFailed(path, reason);
    }
    std::filesystem::rename(beside, path, error);
    if (error) {
        reason = error.value();
        std::filesystem::remove(beside, error);
        return writeFailed(path, reason);
    }
    return {};
}

Result<std::string> readSourceFile(const std::filesystem::path& path)
{
    std::error_code error;
    const std::string name = path.string();
    if (!std::filesystem::exists(path, error))
        return fail(ErrorCode::FileFailed, "the file does not exist", name);
    if (std::filesystem::is_directory(path, error))
        return fail(ErrorCode::FileFailed, "this is a folder, not a kernel file", name);
    // A device or a pipe might never end.
    if (!std::filesystem::is_regular_file(path, error))
        return fail(ErrorCode::FileFailed, "this is no regular file", name);
    if (std::filesystem::file_size(path, error) > kLargestSourceBytes || error)
        return fail(ErrorCode::BadInput, "the file is larger than 16 MiB", name);
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return fail(ErrorCode::FileFailed,
            fmt::format("the file cannot be opened: {}", std::strerror(errno)), name);
    std::string text((std::istreambuf_iterator<char>(file)), {});
    if (text.starts_with("\xef\xbb\xbf"))
        text.erase(0, 3);
    return kernels::isPython(path) ? kernels::cudaOfPython(text) : text;
}

} // namespace coalescope::cli
