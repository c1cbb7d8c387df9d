// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/compile/compiler.h"

#include <filesystem>
#include <span>

namespace coalescope::kernels {

/// PTX that earlier runs compiled, a file each in one folder.
///
/// A file holds its whole key and a checksum: neither two keys with one hash nor a damaged file can
/// give the wrong program. What cannot be read or written is passed over: the compiler answers
/// then. Several processes may use one folder.
class PtxStore {
public:
    static constexpr std::uintmax_t kLimitBytes = 256 << 20;

    /// The user's own: the folder `coalescope/ptx` in $XDG_CACHE_HOME or ~/.cache.
    /// $COALESCOPE_CACHE names another folder instead, or is `off`.
    [[nodiscard]] static PtxStore ofUser();

    /// An empty folder name: a store that holds nothing.
    explicit PtxStore(std::filesystem::path folder, std::uintmax_t limitBytes = kLimitBytes);

    [[nodiscard]] std::optional<CompiledPtx> find(std::string_view key) const;
    void insert(std::string_view key, const CompiledPtx& compiled) const;

    /// Removes the files that were not used for longest until the rest is well below the limit.
    void trim() const;

private:
    [[nodiscard]] std::filesystem::path fileOf(std::string_view key) const;

    std::filesystem::path m_folder;
    std::uintmax_t m_limitBytes;
};

/// Parts in one text, each behind its length, so that no two lists give the same text.
void addPart(std::string& text, std::string_view part);

/// A file's name, size and time: another file, or a changed one, gives another text.
[[nodiscard]] std::string fileIdentity(const std::filesystem::path& file);

} // namespace coalescope::kernels
