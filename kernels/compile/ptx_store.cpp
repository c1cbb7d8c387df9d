// SPDX-License-Identifier: Apache-2.0
#include "kernels/compile/ptx_store.h"

#include "kernels/compile/environment_path.h"
#include "kernels/hash.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <fstream>

#include <unistd.h>

namespace coalescope::kernels {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFirstLine = "coalescope ptx 3\n";
constexpr std::uintmax_t kStoreFileLimitBytes = 96 << 20;
constexpr int kInsertsATrim = 256; ///< a folder is looked through once in so many new files
constexpr std::chrono::hours kUsedAgain { 1 }; ///< a use is noted when the last is older

/// Takes the next part off the text; false where there is none.
bool takePart(std::string_view& text, std::string_view& part)
{
    std::size_t size = 0;
    const auto [at, error] = std::from_chars(text.data(), text.data() + text.size(), size);
    if (error != std::errc() || at == text.data() + text.size() || *at != ':')
        return false;
    text.remove_prefix(std::size_t(at + 1 - text.data()));
    if (size > text.size())
        return false;
    part = text.substr(0, size);
    text.remove_prefix(size);
    return true;
}

std::string headOf(std::string_view text)
{
    return fmt::format("{}{:016x}\n", kFirstLine, hashOf(text));
}

std::string written(std::string_view key, const CompiledPtx& compiled)
{
    std::string text;
    const std::string registers
        = compiled.registersPerThread ? std::to_string(*compiled.registersPerThread) : "";
    for (const std::string_view part : { key, std::string_view(compiled.entry),
             std::string_view(compiled.compiler), std::string_view(compiled.ptx),
             std::string_view(registers), std::string_view(compiled.machineCode) })
        addPart(text, part);
    for (const std::string& warning : compiled.warnings)
        addPart(text, warning);
    return headOf(text) + text;
}

std::optional<CompiledPtx> readBack(std::string_view text, std::string_view key)
{
    constexpr std::size_t kHead = kFirstLine.size() + 17;
    if (text.size() < kHead || text.substr(0, kHead) != headOf(text.substr(kHead)))
        return std::nullopt;
    text.remove_prefix(kHead);
    std::string_view ofKey, entry, compiler, ptx, registers, code, warning;
    if (!takePart(text, ofKey) || ofKey != key || !takePart(text, entry)
        || !takePart(text, compiler) || !takePart(text, ptx) || !takePart(text, registers)
        || !takePart(text, code))
        return std::nullopt;
    CompiledPtx compiled {
        .ptx = std::string(ptx), .entry = std::string(entry), .compiler = std::string(compiler),
        .machineCode = std::string(code)
    };
    if (!registers.empty())
        compiled.registersPerThread = std::atoi(std::string(registers).c_str());
    while (takePart(text, warning))
        compiled.warnings.emplace_back(warning);
    return compiled;
}

struct StoredFile {
    fs::path path;
    fs::file_time_type used;
    std::uintmax_t bytes = 0;
};

std::vector<StoredFile> filesIn(const fs::path& folder)
{
    std::vector<StoredFile> files;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        const auto used = entry.last_write_time(error);
        if (const auto bytes = entry.file_size(error); !error)
            files.push_back({ entry.path(), used, bytes });
    }
    return files;
}

} // namespace

void addPart(std::string& text, std::string_view part)
{
    text += std::to_string(part.size());
    text += ':';
    text += part;
}

std::string fileIdentity(const fs::path& file)
{
    std::error_code error;
    return fmt::format("{} {} {}", file.string(), fs::file_size(file, error),
        fs::last_write_time(file, error).time_since_epoch().count());
}

PtxStore PtxStore::ofUser()
{
    if (const fs::path chosen = environmentPath("COALESCOPE_CACHE"); !chosen.empty())
        return PtxStore(chosen == "off" ? fs::path {} : chosen / "ptx");
    fs::path base = environmentPath("XDG_CACHE_HOME");
    if (!base.is_absolute()) { // as the XDG specification wants it
        base = environmentPath("HOME");
        if (base.is_absolute())
            base /= ".cache";
    }
    return PtxStore(base.is_absolute() ? base / "coalescope/ptx" : fs::path {});
}

PtxStore::PtxStore(fs::path folder, std::uintmax_t limitBytes)
    : m_folder(std::move(folder))
    , m_limitBytes(limitBytes)
{
}

fs::path PtxStore::fileOf(std::string_view key) const
{
    return m_folder / fmt::format("{:016x}", hashOf(key));
}

std::optional<CompiledPtx> PtxStore::find(std::string_view key) const
{
    if (m_folder.empty())
        return std::nullopt;
    const fs::path path = fileOf(key);
    std::error_code error;
    const auto bytes = fs::file_size(path, error);
    if (error || bytes > kStoreFileLimitBytes)
        return std::nullopt;
    std::string text(bytes, '\0');
    std::ifstream file(path, std::ios::binary);
    if (!file.read(text.data(), std::streamsize(text.size())))
        return std::nullopt;
    auto compiled = readBack(text, key);
    const auto now = fs::file_time_type::clock::now();
    if (compiled && now - fs::last_write_time(path, error) > kUsedAgain && !error)
        fs::last_write_time(path, now, error); // trim() goes by it
    return compiled;
}

void PtxStore::insert(std::string_view key, const CompiledPtx& compiled) const
{
    static std::atomic<int> inserts = 0;
    if (m_folder.empty())
        return;
    std::error_code error;
    fs::create_directories(m_folder, error);
    const int number = inserts++;
    const fs::path path = fileOf(key);
    // Written beside and renamed: a reader, or a run that is killed, never leaves half a file.
    const fs::path beside = fmt::format("{}.{}.{}.part", path.string(), getpid(), number);
    std::ofstream file(beside, std::ios::binary);
    const std::string text = written(key, compiled);
    file.write(text.data(), std::streamsize(text.size()));
    file.close();
    if (file)
        fs::rename(beside, path, error);
    if (!file || error)
        fs::remove(beside, error);
    if (number % kInsertsATrim == 0)
        trim();
}

void PtxStore::trim() const
{
    std::vector<StoredFile> files = filesIn(m_folder);
    std::uintmax_t bytes = 0;
    for (const StoredFile& file : files)
        bytes += file.bytes;
    if (bytes <= m_limitBytes)
        return;
    std::ranges::sort(files, {}, &StoredFile::used);
    std::error_code error;
    for (const StoredFile& file : files) {
        if (bytes <= m_limitBytes / 4 * 3)
            break;
        bytes -= file.bytes;
        fs::remove(file.path, error);
    }
}

} // namespace coalescope::kernels
