// SPDX-License-Identifier: Apache-2.0
#include "kernels/launch/device_files.h"

#include "kernels/compile/environment_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>

namespace coalescope::kernels {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLargestFileBytes = 64 << 10;

Result<std::string> textOf(const fs::path& path)
{
    std::error_code error;
    // A pipe might never end.
    if (!fs::is_regular_file(path, error))
        return fail(ErrorCode::FileFailed, "this is no regular file");
    if (fs::file_size(path, error) > kLargestFileBytes || error)
        return fail(ErrorCode::BadInput, "the file is larger than a device's");
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return fail(ErrorCode::FileFailed, "the file cannot be opened");
    return std::string(std::istreambuf_iterator<char>(file), {});
}

Result<DeviceRow> rowOf(const fs::path& path)
{
    const auto text = textOf(path);
    if (!text)
        return std::unexpected(text.error());
    return deviceRowFromJson(*text);
}

} // namespace

fs::path deviceFolder()
{
    // The specification of XDG_CONFIG_HOME has relative paths ignored.
    fs::path base = environmentPath("XDG_CONFIG_HOME");
    if (!base.is_absolute())
        base = environmentPath("HOME").empty() ? fs::path() : environmentPath("HOME") / ".config";
    return base.empty() ? base : base / "coalescope" / "devices";
}

std::vector<Error> loadCalibratedDevices(const fs::path& folder)
{
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        if (entry->path().extension() == ".json")
            files.push_back(entry->path());
    }
    std::ranges::sort(files);
    std::vector<Error> problems;
    std::set<std::string> names;
    for (const fs::path& file : files) {
        auto row = rowOf(file);
        if (row && !names.insert(row->name).second)
            row = fail(ErrorCode::BadInput,
                fmt::format("another file has a device '{}' already", row->name), "name");
        if (row)
            addDevice(*row);
        else
            problems.push_back({ row.error().code,
                fmt::format("this calibrated device is left out: {}", row.error().detail),
                file.string() });
    }
    return problems;
}

} // namespace coalescope::kernels
