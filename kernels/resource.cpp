// SPDX-License-Identifier: Apache-2.0
#include "kernels/resource.h"

#include <algorithm>

namespace {
struct EmbeddedFile {
    const char* path;
    const char* begin;
    const char* end;
};
}

/// The table that CMake's coalescope_embed() writes; ended by a null path.
extern "C" const EmbeddedFile coalescopeResources[];

namespace coalescope::kernels {

std::vector<Resource> resourcesUnder(std::string_view prefix)
{
    std::vector<Resource> found;
    for (const EmbeddedFile* file = coalescopeResources; file->path; ++file) {
        if (std::string_view(file->path).starts_with(prefix))
            found.push_back({ file->path, { file->begin, std::size_t(file->end - file->begin) } });
    }
    std::ranges::sort(found, {}, &Resource::path);
    return found;
}

} // namespace coalescope::kernels
