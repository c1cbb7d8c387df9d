// SPDX-License-Identifier: Apache-2.0
#include "kernels/catalogue/kernel_impl.h"
#include "kernels/resource.h"

#include <algorithm>
#include <numeric>

namespace coalescope::kernels {
namespace {

constexpr std::string_view kFolder = "kernels/catalogue/";

std::vector<KernelSpec> parseCatalogue()
{
    std::vector<KernelSpec> kernels;
    for (const Resource& file : resourcesUnder(kFolder)) {
        if (!file.path.ends_with(".cu"))
            continue;
        auto kernel = parseKernel(std::string(file.content), std::string(file.path.substr(kFolder.size())));
        // A test parses each of them; a program built with a broken one leaves it out.
        if (kernel)
            kernels.push_back(std::move(*kernel));
    }
    std::ranges::stable_sort(kernels, {}, [](const KernelSpec& kernel) { return kernel.impl->order; });
    return kernels;
}

/// Levenshtein's distance.
std::size_t editDistance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t(0));
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({ row[j] + 1, row[j + 1] + 1, replaced });
        }
    }
    return row.back();
}

} // namespace

const std::vector<KernelSpec>& catalogue()
{
    static const std::vector<KernelSpec> kernels = parseCatalogue();
    return kernels;
}

Result<const KernelSpec*> kernelNamed(std::string_view id)
{
    std::vector<std::pair<std::size_t, std::string_view>> near;
    for (const KernelSpec& kernel : catalogue()) {
        if (kernel.id == id)
            return &kernel;
        near.emplace_back(editDistance(kernel.id, id.substr(0, 256)), kernel.id);
    }
    std::ranges::stable_sort(near);
    std::string names;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, near.size()); ++i)
        names += (i ? ", " : "") + std::string(near[i].second);
    return fail(ErrorCode::UnknownKernel,
        "there is no kernel '" + std::string(id) + "'; the nearest names are " + names, std::string(id));
}

} // namespace coalescope::kernels
