// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/line_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace coalescope::kernels {

LineFile::LineFile(std::string path, std::string name, int descriptor)
    : m_path(std::move(path))
    , m_name(std::move(name))
    , m_descriptor(descriptor)
{
}

LineFile::LineFile(LineFile&& other) noexcept
    : m_path(std::move(other.m_path))
    , m_name(std::move(other.m_name))
    , m_descriptor(std::exchange(other.m_descriptor, -1))
{
}

LineFile::~LineFile()
{
    if (m_descriptor >= 0)
        close(m_descriptor);
}

std::unexpected<Error> LineFile::failed(const char* what) const
{
    return fail(ErrorCode::FileFailed,
        fmt::format("the {} cannot be {}: {}", m_name, what, std::strerror(errno)), m_path);
}

Result<LineFile> LineFile::open(std::string path, std::string name)
{
    LineFile file(std::move(path), std::move(name), -1);
    file.m_descriptor
        = ::open(file.m_path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0666);
    if (file.m_descriptor < 0)
        return file.failed("opened");
    struct stat status { };
    if (fstat(file.m_descriptor, &status) != 0 || !S_ISREG(status.st_mode))
        return fail(ErrorCode::FileFailed, fmt::format("the {} is no regular file", file.m_name),
            file.m_path);
    if (flock(file.m_descriptor, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK)
            return fail(ErrorCode::FileFailed,
                fmt::format(
                    "another sweep is writing this {}; wait until it ends, or give another file",
                    file.m_name),
                file.m_path);
        return file.failed("locked");
    }
    return file;
}

Result<std::string> LineFile::content() const
{
    std::string text;
    char bytes[65536];
    for (;;) {
        const ssize_t size = pread(m_descriptor, bytes, sizeof bytes, off_t(text.size()));
        if (size == 0)
            return text;
        if (size > 0)
            text.append(bytes, std::size_t(size));
        else if (errno != EINTR)
            return failed("read");
    }
}

Result<void> LineFile::cutAt(std::size_t bytes)
{
    if (ftruncate(m_descriptor, off_t(bytes)) != 0)
        return failed("written");
    return {};
}

Result<void> LineFile::append(std::string line)
{
    line += '\n';
    struct stat before { };
    if (fstat(m_descriptor, &before) != 0)
        return failed("written");
    for (std::string_view rest = line; !rest.empty();) {
        const ssize_t size = ::write(m_descriptor, rest.data(), rest.size());
        if (size < 0 && errno == EINTR)
            continue;
        if (size < 0) {
            auto error = failed("written");
            if (ftruncate(m_descriptor, before.st_size) != 0)
                error.error().detail += ", and its last line is left unfinished";
            return error;
        }
        rest.remove_prefix(std::size_t(size));
    }
    if (fsync(m_descriptor) != 0)
        return failed("written");
    return {};
}

} // namespace coalescope::kernels
