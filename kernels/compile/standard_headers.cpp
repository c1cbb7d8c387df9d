// SPDX-License-Identifier: Apache-2.0
#include "kernels/compile/standard_headers.h"

#include "kernels/resource.h"

namespace coalescope::kernels {
namespace {

std::string content(std::string_view name)
{
    for (const Resource& file : resourcesUnder("kernels/compile/")) {
        if (file.path.substr(file.path.rfind('/') + 1) == name)
            return std::string(file.content);
    }
    return {};
}

std::vector<StandardHeader> make()
{
    const std::string integers = content("integers.cuh"), limits = content("limits.cuh"), nothing = "#pragma once\n";
    std::vector<StandardHeader> headers;
    for (const char* name : { "stdint.h", "cstdint", "stddef.h", "cstddef" })
        headers.push_back({ name, integers });
    for (const char* name : { "limits.h", "climits", "float.h", "cfloat" })
        headers.push_back({ name, limits });
    for (const char* name : { "stdio.h", "cstdio", "math.h", "cmath", "stdlib.h", "cstdlib", "assert.h", "cassert",
             "string.h", "cstring" })
        headers.push_back({ name, nothing });
    for (const char* name : { "cuda.h", "cuda_runtime.h", "cuda_runtime_api.h", "device_launch_parameters.h",
             "device_functions.h", "vector_types.h", "vector_functions.h", "sm_20_intrinsics.h",
             "math_functions.h", "math_constants.h" })
        headers.push_back({ name, nothing, true });
    return headers;
}

} // namespace

const std::vector<StandardHeader>& standardHeaders()
{
    static const std::vector<StandardHeader> headers = make();
    return headers;
}

} // namespace coalescope::kernels
