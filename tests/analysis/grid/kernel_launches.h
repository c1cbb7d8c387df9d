// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/grid/grid_totals.h"
#include "analysis/ptx/parse.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <random>
#include <sstream>

namespace coalescope::analysis::testing_ {

/// One kernel of kernels.ptx with its launch.
struct Case {
    Program program;
    Launch launch;
    std::string text; ///< for messages
};

inline const std::string& kernelsPtx()
{
    static const std::string text = [] {
        std::ifstream file(COALESCOPE_TEST_DATA "/analysis/grid/kernels.ptx");
        std::stringstream content;
        content << file.rdbuf();
        return content.str();
    }();
    return text;
}

inline Program kernel(const std::string& entry)
{
    auto program = parsePtx(kernelsPtx(), entry);
    EXPECT_TRUE(program.has_value())
        << entry << ": " << program.error().where << " " << program.error().detail;
    return program ? std::move(*program) : Program {};
}

/// Packs two buffers and 32-bit scalars as the kernels of kernels.cu take them.
inline Launch launchOf(Dim3 grid, Dim3 block, std::uint64_t inBytes, std::uint64_t outBytes,
    std::vector<std::int32_t> scalars, std::uint64_t misalign = 0)
{
    Launch launch { .grid = grid, .block = block };
    const std::uint64_t in = 0x7'0000'0000, out = (in + inBytes + 511) / 256 * 256;
    launch.buffers = {
        { .name = "in",
            .address = in,
            .bytes = inBytes,
            .fill =
                [](std::uint64_t first, std::span<std::uint8_t> bytes) {
                    for (std::size_t i = 0; i < bytes.size(); ++i)
                        bytes[i] = (first + i) % 4 < 2
                            ? std::uint8_t((first + i) / 4 * 37 >> (first + i) % 4 * 8)
                            : 0;
                } },
        { .name = "out", .address = out, .bytes = outBytes },
    };
    launch.parameters.resize(16 + 4 * scalars.size());
    const std::uint64_t pointers[] = { in + misalign, out };
    std::memcpy(launch.parameters.data(), pointers, 16);
    std::memcpy(launch.parameters.data() + 16, scalars.data(), 4 * scalars.size());
    return launch;
}

inline std::uint32_t blocks(std::int64_t n, std::uint32_t size)
{
    return std::uint32_t(std::max<std::int64_t>(1, (n + size - 1) / size));
}

} // namespace coalescope::analysis::testing_
