// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/catalogue/kernel_spec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>

namespace coalescope {

/// A kernel of tests/device/kernels, as users have them. Each file's comments give its launch, what
/// its author worked out by hand (`expect:`), the hazards planted in it, and the line where it is
/// refused.
struct SourceKernel {
    kernels::SourceRequest request;
    std::map<std::string, double> expected;
    std::set<std::pair<std::string, std::uint32_t>> hazards;
    std::string refusedAt;
    bool needsHeaders = false;
};

inline analysis::Dim3 dim3Of(std::string text)
{
    std::ranges::replace(text, ',', ' ');
    std::istringstream numbers(text);
    analysis::Dim3 result { 1, 1, 1 };
    numbers >> result.x >> result.y >> result.z;
    result.y = std::max(result.y, 1u);
    result.z = std::max(result.z, 1u);
    return result;
}

inline void readLaunch(std::istringstream words, kernels::SourceRequest& request)
{
    for (std::string option, value; words >> option >> value;) {
        if (option == "--entry")
            request.entry = value;
        else if (option == "--grid")
            request.grid = dim3Of(value);
        else if (option == "--block")
            request.block = dim3Of(value);
        else if (option == "--shared")
            request.dynamicSharedBytes = std::uint32_t(std::stoul(value));
        else if (option == "--arg")
            request.arguments.push_back(value);
        else if (option == "--define")
            request.defines.emplace_back(
                value.substr(0, value.find('=')), value.substr(value.find('=') + 1));
        else
            ADD_FAILURE() << option;
    }
}

/// A kernel of tests/device/kernels by its name.
inline SourceKernel readSourceKernel(const std::string& name)
{
    const std::filesystem::path path = COALESCOPE_TEST_DATA "/device/kernels/" + name + ".cu";
    SourceKernel kernel;
    kernel.request.file = path;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        const auto after = [&](std::string_view start) {
            return line.starts_with(start) ? std::istringstream(line.substr(start.size()))
                                           : std::istringstream();
        };
        kernel.needsHeaders = kernel.needsHeaders || line.starts_with("#include <c") || line.starts_with("#include <mma.h>");
        if (line.starts_with("// launch: "))
            readLaunch(after("// launch: "), kernel.request);
        auto expected = after("// expect: ");
        for (std::string word; expected >> word;)
            kernel.expected[word.substr(0, word.find('='))]
                = std::stod(word.substr(word.find('=') + 1));
        auto hazard = after("// hazard: ");
        std::string kind;
        for (std::uint32_t at = 0; hazard >> kind >> at;)
            kernel.hazards.emplace(kind, at);
        after("// refused: ") >> kernel.refusedAt;
    }
    return kernel;
}

} // namespace coalescope
