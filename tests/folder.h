// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include <cstdlib>

namespace coalescope {

/// A folder that lives as long as the test.
class Folder {
public:
    Folder()
    {
        std::string name = (std::filesystem::temp_directory_path() / "coalescope-XXXXXX").string();
        m_path = mkdtemp(name.data());
    }
    ~Folder() { std::filesystem::remove_all(m_path); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    [[nodiscard]] std::string at(const std::string& name) const { return m_path / name; }
    std::string write(const std::string& name, std::string_view text) const
    {
        std::ofstream(m_path / name, std::ios::binary) << text;
        return at(name);
    }
    [[nodiscard]] std::string read(const std::string& name) const
    {
        std::ifstream file(m_path / name, std::ios::binary);
        return { std::istreambuf_iterator<char>(file), {} };
    }

private:
    std::filesystem::path m_path;
};

} // namespace coalescope
