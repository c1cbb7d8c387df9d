// SPDX-License-Identifier: Apache-2.0
#include "analysis/access/bank_model.h"
#include "analysis/access/sector_model.h"

#include <benchmark/benchmark.h>

namespace coalescope::analysis {

namespace {

/// Lanes `strideBytes` apart.
WarpAccess warpAccess(Space space, MemoryOp op, int width, std::uint64_t strideBytes)
{
    WarpAccess access {
        .space = space, .op = op, .widthBytes = std::uint8_t(width), .active = kAllLanes
    };
    for (int lane = 0; lane < kWarpLanes; ++lane)
        access.address[std::size_t(lane)] = 4096 + std::uint64_t(lane) * strideBytes;
    return access;
}

WarpAccess scatteredAccess(Space space, MemoryOp op, int width)
{
    WarpAccess access = warpAccess(space, op, width, 0);
    std::uint64_t state = 12345;
    for (std::uint64_t& address : access.address) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        address = (state >> 48) / std::uint64_t(width) * std::uint64_t(width);
    }
    return access;
}

void sectors(benchmark::State& state, WarpAccess access)
{
    for (auto _ : state) {
        benchmark::DoNotOptimize(access);
        benchmark::DoNotOptimize(sectorReport(access));
    }
}

void banks(benchmark::State& state, WarpAccess access)
{
    for (auto _ : state) {
        benchmark::DoNotOptimize(access);
        benchmark::DoNotOptimize(bankReport(access));
    }
}

using enum Space;
using enum MemoryOp;

BENCHMARK_CAPTURE(sectors, row_f32, warpAccess(Global, Load, 4, 4));
BENCHMARK_CAPTURE(sectors, row_f32x4, warpAccess(Global, Load, 16, 16));
BENCHMARK_CAPTURE(sectors, column_f32, warpAccess(Global, Store, 4, 16384));
BENCHMARK_CAPTURE(sectors, scattered_f32, scatteredAccess(Global, Load, 4));
BENCHMARK_CAPTURE(banks, row_f32, warpAccess(Shared, Store, 4, 4));
BENCHMARK_CAPTURE(banks, padded_column_f32, warpAccess(Shared, Load, 4, 132));
BENCHMARK_CAPTURE(banks, column_f32, warpAccess(Shared, Load, 4, 128));
BENCHMARK_CAPTURE(banks, row_f32x4_load, warpAccess(Shared, Load, 16, 16));
BENCHMARK_CAPTURE(banks, broadcast_f32x4, warpAccess(Shared, Load, 16, 0));
BENCHMARK_CAPTURE(banks, scattered_f32, scatteredAccess(Shared, Load, 4));
BENCHMARK_CAPTURE(banks, scattered_f32x4, scatteredAccess(Shared, Load, 16));

} // namespace

} // namespace coalescope::analysis
