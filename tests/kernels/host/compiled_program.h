// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/host/contents.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

// Each program is compiled into this test and handed to the interpreter as text.
#define PROGRAM(name, ...) \
    std::vector<int> name() \
    { \
        std::vector<int> h; \
        __VA_ARGS__ \
        return h; \
    } \
    const std::string name##Text = #__VA_ARGS__;

namespace coalescope::kernels {

/// That following the text comes to what the compiled program does. `place`: of the launch that stands behind it, one more than are launched before.
inline void expectAsCompiled(std::vector<int> (*program)(), const std::string& text, const std::string& before = "", int place = 1)
{
    const std::string whole = "#include <cuda_runtime.h>\n#include <vector>\n__global__ void k(const int* table, int n) {}\n" + before + "int main() { std::vector<int> h; " + text
        + " int* d; cudaMalloc(&d, h.size() * sizeof(int)); cudaMemcpy(d, h.data(), h.size() * sizeof(int), cudaMemcpyHostToDevice); k<<<1, 32>>>(d, 1); }";
    const std::vector<ProgramFile> files { { .text = whole, .names = {} } };
    const auto bytes = hostContents(files, {}, HostBuffer { .launch = place, .kernel = "k", .argument = "0" }, {}, 60'000'000).bytes;
    ASSERT_TRUE(bytes.has_value());
    const std::vector<int> expected = program();
    ASSERT_EQ(bytes->size(), expected.size() * sizeof(int));
    std::vector<int> made(expected.size());
    std::memcpy(made.data(), bytes->data(), bytes->size());
    EXPECT_EQ(made, expected);
}

} // namespace coalescope::kernels
