// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/catalogue/kernel_spec.h"
#include "kernels/launch/gpu_session.h"

#include <cstdint>
#include <string_view>

namespace coalescope::kernels {

/// What `coalescope calibrate` measures, one kernel each.
enum class Rate : std::uint8_t {
    L1Sectors, ///< sectors that hit L1
    L1Tags,
    SharedRows, ///< wavefronts of loads without a conflict
    SharedConflicts, ///< wavefronts of loads with 8 words a bank
    L2Read, ///< bytes that hit L2
    L2Write,
    DramCopy, ///< bytes, read and written
    DramRead,
    L1Latency, ///< dependent loads, one after another
    L2Latency,
    DramLatency,
    SharedLatency,
    Empty, ///< a kernel that does nothing
};
inline constexpr int kRates = 13;

/// Name of the kernel in calibrate.cu.
[[nodiscard]] std::string_view entryOf(Rate rate);

/// The launch that measures a rate. `amount` scales its work: turns, steps, or bytes of the source
/// of a copy.
[[nodiscard]] LaunchPlan calibrationPlan(Rate rate, const GpuProperties& gpu, std::uint64_t amount);

/// What the timed part of that launch does, whole grid: sectors, tags, wavefronts, bytes or steps.
///
/// Checked: calibrate_kernels_test.cpp, against the prediction of the kernel.
[[nodiscard]] double workOf(Rate rate, const GpuProperties& gpu, std::uint64_t amount);

} // namespace coalescope::kernels
