// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace coalescope::kernels {

/// Registers that a thread of the kernel has, those of the functions it calls included; nothing where the machine
/// code does not say so.
///
/// Source:  the attribute REGCOUNT (0x2f) of the ELF section .nv.info, as `cuobjdump -elf` prints it.
/// Checked: cubin_test.cpp, recorded_occupancy_test.cpp: the driver's word on the recorded H200 launches.
[[nodiscard]] std::optional<int> registersOf(std::span<const char> cubin, std::string_view entry);

/// The machine code of the kernel, 16 bytes an instruction; nothing where there is none.
[[nodiscard]] std::span<const char> codeOf(std::span<const char> cubin, std::string_view entry);

} // namespace coalescope::kernels
