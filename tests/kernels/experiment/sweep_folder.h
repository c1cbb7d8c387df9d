// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <sys/resource.h>
#include <unistd.h>

namespace coalescope {

/// A folder that lives as long as the test.
class SweepFolder {
public:
    SweepFolder()
    {
        std::string name = (std::filesystem::temp_directory_path() / "coalescope-XXXXXX").string();
        m_path = mkdtemp(name.data());
    }
    ~SweepFolder() { std::filesystem::remove_all(m_path); }
    SweepFolder(const SweepFolder&) = delete;
    SweepFolder& operator=(const SweepFolder&) = delete;

    [[nodiscard]] std::string at(const std::string& name) const { return m_path / name; }
    void write(const std::string& name, std::string_view text) const
    {
        std::ofstream(m_path / name, std::ios::binary) << text;
    }
    [[nodiscard]] std::string read(const std::string& name) const
    {
        std::ifstream file(m_path / name, std::ios::binary);
        return { std::istreambuf_iterator<char>(file), {} };
    }

private:
    std::filesystem::path m_path;
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
