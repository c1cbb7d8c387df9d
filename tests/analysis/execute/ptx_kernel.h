// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/execute/block_trace.h"
#include "analysis/grid/grid_totals.h"
#include "analysis/ptx/parse.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace coalescope::analysis::testing_ {

inline constexpr Dim3 kFirst { 0, 0, 0 };

/// A kernel of two buffers and a number, from its body. Each line of the body is its own source
/// line. Given: %in, %out (64 bits), %n, %tid, %bid (32 bits), and registers %r, %rd, %p, %f, %rs,
/// %fd.
inline Program kernelOf(const std::string& body)
{
    std::string text
        = ".version 8.0\n.target sm_90\n.address_size 64\n.file 1 \"k.cu\"\n"
          ".visible .entry k(.param .u64 a, .param .u64 b, .param .u32 c)\n{\n"
          ".reg .b64 %in, %out, %rd<16>;\n.reg .b32 %n, %tid, %bid, %r<32>;\n.reg .b16 %rs<8>;\n"
          ".reg .pred %p<8>;\n.reg .f32 %f<8>;\n.reg .f64 %fd<8>;\n"
          "ld.param.u64 %in, [a];\nld.param.u64 %out, [b];\nld.param.u32 %n, [c];\n"
          "mov.u32 %tid, %tid.x;\nmov.u32 %bid, %ctaid.x;\n";
    int line = 0;
    for (std::size_t at = 0; at < body.size();) {
        const std::size_t end = std::min(body.find('\n', at), body.size());
        text += ".loc 1 " + std::to_string(++line) + " 0\n" + body.substr(at, end - at) + "\n";
        at = end + 1;
    }
    text += "ret;\n}\n";
    auto program = parsePtx(text);
    EXPECT_TRUE(program.has_value()) << program.error().where << ": " << program.error().detail;
    return program ? std::move(*program) : Program {};
}

/// `words` 32-bit words in each buffer; in[i] = i.
inline Launch launchOf(Dim3 grid, Dim3 block, std::uint64_t words, std::uint32_t n = 0)
{
    Launch launch { .grid = grid, .block = block };
    const std::uint64_t in = 0x7'0000'0000, out = (in + words * 4 + 511) / 256 * 256;
    launch.buffers = { { .name = "in",
                           .address = in,
                           .bytes = words * 4,
                           .fill =
                               [](std::uint64_t first, std::span<std::uint8_t> bytes) {
                                   for (std::size_t i = 0; i < bytes.size(); ++i)
                                       bytes[i]
                                           = std::uint8_t((first + i) / 4 >> (first + i) % 4 * 8);
                               } },
        { .name = "out", .address = out, .bytes = words * 4 } };
    launch.parameters.resize(20);
    std::memcpy(launch.parameters.data(), &in, 8);
    std::memcpy(launch.parameters.data() + 8, &out, 8);
    std::memcpy(launch.parameters.data() + 16, &n, 4);
    return launch;
}

inline std::vector<std::uint32_t> outputOf(const Program& program, const Launch& launch)
{
    const auto output = gridOutput(program, launch);
    EXPECT_TRUE(output.has_value()) << output.error().detail << " " << output.error().where;
    std::vector<std::uint32_t> words;
    if (output) {
        words.resize(output->buffers[1].size() / 4);
        std::memcpy(words.data(), output->buffers[1].data(), words.size() * 4);
    }
    return words;
}

/// Line of body that stores %r0 to out[%tid] (one block).
inline const std::string kStoreR0
    = "mad.wide.u32 %rd0, %tid, 4, %out;\nst.global.u32 [%rd0], %r0;\n";

/// shared[tid] = tid; r0 = shared[tid ^ n] with what `between` says in between.
inline Program exchange(const std::string& between)
{
    return kernelOf(
        ".shared .align 4 .b8 tile[4096];\nmov.u32 %r1, tile;\nmad.lo.u32 %r2, %tid, 4, %r1;\n"
        "st.shared.u32 [%r2], %tid;\n"
        + between
        + "\nxor.b32 %r3, %tid, %n;\nmad.lo.u32 %r4, %r3, 4, %r1;\nld.shared.u32 %r0, [%r4];\n"
        + kStoreR0);
}

inline const Hazard* hazardOf(const std::vector<Hazard>& hazards, HazardKind kind)
{
    const auto found = std::ranges::find(hazards, kind, &Hazard::kind);
    return found == hazards.end() ? nullptr : &*found;
}

} // namespace coalescope::analysis::testing_
