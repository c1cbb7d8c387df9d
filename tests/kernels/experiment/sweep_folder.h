// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/compile/run_child.h"

#include <csignal>
#include <fstream>
#include <string>

#include <sys/resource.h>

namespace coalescope {

/// A folder that lives as long as the test.
class SweepFolder {
public:
    [[nodiscard]] std::string at(const std::string& name) const { return m_folder.path() / name; }
    void write(const std::string& name, std::string_view text) const
    {
        std::ofstream(m_folder.path() / name, std::ios::binary) << text;
    }
    [[nodiscard]] std::string read(const std::string& name) const
    {
        std::ifstream file(m_folder.path() / name, std::ios::binary);
        return { std::istreambuf_iterator<char>(file), {} };
    }

private:
    kernels::TemporaryDirectory m_folder;
};

/// While it lives, no file of this process grows beyond the limit.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes)
    {
        std::signal(SIGXFSZ, SIG_IGN); // the write then fails instead
        getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit limit { bytes, m_before.rlim_max };
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit()
    {
        setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, SIG_DFL);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;

private:
    rlimit m_before {};
};

} // namespace coalescope
