// SPDX-License-Identifier: Apache-2.0
#include "kernels/compile/standard_headers.h"

#include "kernels/resource.h"

#include <array>

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

/// Headers that cuda::std has a twin of. Of these kernels use little more than what std_types.cuh has.
constexpr std::array kTwins { "limits", "type_traits", "utility" };
/// Headers that only cuda::std has.
constexpr std::array kOnlyTwins { "array", "atomic", "bit", "complex", "concepts", "functional", "iterator", "numeric", "optional",
    "span", "tuple", "variant" };

/// Of CUB what threads of a kernel call; <cub/cub.cuh> has the functions that the host calls as well, which NVRTC does not take.
constexpr std::array kOfCub { "block/block_adjacent_difference", "block/block_discontinuity", "block/block_exchange", "block/block_histogram",
    "block/block_load", "block/block_merge_sort", "block/block_radix_sort", "block/block_reduce", "block/block_scan", "block/block_shuffle",
    "block/block_store", "warp/warp_load", "warp/warp_merge_sort", "warp/warp_reduce", "warp/warp_scan", "warp/warp_store" };

std::string cubForKernels()
{
    std::string header = "#pragma once\n";
    for (const char* part : kOfCub)
        header += "#include <cub/" + std::string(part) + ".cuh>\n";
    return header;
}

/// Thrust's complex numbers without their functions for the host, which NVRTC does not take: the toolkit's own header, by another path.
constexpr std::string_view kComplex = "#pragma once\n#include <cuda/std/__cccl/execution_space.h>\n#undef _CCCL_HOST\n#define _CCCL_HOST\n"
                                      "namespace std {\ntemplate <class C> struct char_traits;\ntemplate <class C, class T = char_traits<C>> class basic_ostream;\n"
                                      "template <class C, class T = char_traits<C>> class basic_istream;\n}\n#if __has_include(<../cccl/thrust/complex.h>)\n#include <../cccl/thrust/complex.h>\n"
                                      "#else\n#include <../include/thrust/complex.h>\n#endif\n";

/// Makes cuda::std the source's std.
std::string twin(const std::string& name)
{
    return "#pragma once\n#include <cuda/std/" + name + ">\nnamespace std {\nusing namespace ::cuda::std;\n}\n";
}

std::vector<StandardHeader> make()
{
    const std::string integers = content("integers.cuh"), limits = content("limits.cuh"), nothing = "#pragma once\n";
    std::vector<StandardHeader> headers { { kPrelude, content("prelude.cuh") }, { "algorithm", content("std_algorithm.cuh") },
        { "string_view", content("std_string_view.cuh") },
        { kTensors, content(kTensors) }, { "std_types.cuh", content("std_types.cuh"), StandsIn::WithoutToolkit } };
    for (const char* name : { "stdint.h", "cstdint", "stddef.h", "cstddef" })
        headers.push_back({ name, integers });
    for (const char* name : { "limits.h", "climits", "float.h", "cfloat" })
        headers.push_back({ name, limits });
    for (const char* name : { "stdio.h", "cstdio", "math.h", "cmath", "stdlib.h", "cstdlib", "assert.h", "cassert",
             "string.h", "cstring" })
        headers.push_back({ name, nothing });
    for (const char* name : kTwins) {
        headers.push_back({ name, twin(name), StandsIn::WithToolkit });
        headers.push_back({ name, "#include \"std_types.cuh\"\n", StandsIn::WithoutToolkit });
    }
    for (const char* name : kOnlyTwins)
        headers.push_back({ name, twin(name), StandsIn::WithToolkit });
    headers.push_back({ "thrust/complex.h", std::string(kComplex), StandsIn::WithToolkit });
    for (const char* name : { "thrust/detail/complex/stream.h", "sstream" })
        headers.push_back({ name, nothing, StandsIn::WithToolkit });
    headers.push_back({ "cub/cub.cuh", cubForKernels(), StandsIn::WithToolkit });
    for (const char* name : { "cuda.h", "cuda_runtime.h", "cuda_runtime_api.h", "device_launch_parameters.h",
             "device_functions.h", "vector_types.h", "vector_functions.h", "sm_20_intrinsics.h",
             "math_functions.h", "math_constants.h" })
        headers.push_back({ name, nothing, StandsIn::WithoutToolkit });
    return headers;
}

} // namespace

const std::vector<StandardHeader>& standardHeaders()
{
    static const std::vector<StandardHeader> headers = make();
    return headers;
}

} // namespace coalescope::kernels
