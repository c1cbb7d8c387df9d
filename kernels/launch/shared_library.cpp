// SPDX-License-Identifier: Apache-2.0
#include "kernels/launch/shared_library.h"

#include "kernels/compile/environment_path.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

namespace coalescope::kernels {

std::optional<SharedLibrary> openLibrary(const std::vector<std::string>& candidates)
{
    for (const std::string& candidate : candidates)
        if (void* handle = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL))
            return SharedLibrary { handle, candidate };
    return std::nullopt;
}

const char* fillTable(const SharedLibrary& library, std::span<const LibrarySymbol> symbols, void* table)
{
    for (const LibrarySymbol& symbol : symbols) {
        void* const address = dlsym(library.handle, symbol.name);
        if (!address && symbol.required)
            return symbol.name;
        std::memcpy(static_cast<char*>(table) + symbol.offset, &address, sizeof address);
    }
    return nullptr;
}

std::vector<std::string> cuptiCandidates()
{
    namespace fs = std::filesystem;
    constexpr const char* kNames[] = { "libcupti.so.13", "libcupti.so.12", "libcupti.so" };
    std::vector<fs::path> folders;
    std::error_code ignored;
    if (const fs::path self = fs::read_symlink("/proc/self/exe", ignored); !ignored)
        folders.push_back(self.parent_path());
    const auto addToolkit = [&](const fs::path& toolkit) {
        folders.push_back(toolkit / "lib64");
        folders.push_back(toolkit / "extras/CUPTI/lib64");
        folders.push_back(toolkit / "targets/x86_64-linux/lib");
    };
    for (const char* variable : { "CUDA_HOME", "CUDA_PATH" })
        if (const auto toolkit = environmentPath(variable); !toolkit.empty())
            addToolkit(toolkit);

    std::vector<std::string> candidates;
    const auto addFolders = [&] {
        for (const fs::path& folder : folders)
            for (const char* name : kNames)
                if (fs::exists(folder / name, ignored))
                    candidates.push_back((folder / name).string());
        folders.clear();
    };
    addFolders();
    for (const char* name : kNames)
        candidates.emplace_back(name);

    std::vector<fs::path> toolkits;
    for (const auto& entry : fs::directory_iterator("/usr/local", ignored))
        if (entry.path().filename().string().starts_with("cuda"))
            toolkits.push_back(entry.path());
    // "cuda" itself, the machine's choice, sorts before "cuda-12.9"; then newest first.
    std::ranges::sort(toolkits, [](const fs::path& a, const fs::path& b) {
        const bool plainA = a.filename() == "cuda", plainB = b.filename() == "cuda";
        return plainA != plainB ? plainA : a > b;
    });
    for (const fs::path& toolkit : toolkits)
        addToolkit(toolkit);
    folders.emplace_back("/usr/lib/x86_64-linux-gnu");
    addFolders();
    return candidates;
}

} // namespace coalescope::kernels
