// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coalescope::kernels {

/// Registers that a thread of the kernel has, those of the functions it calls included; nothing where the machine
/// code does not say so.
///
/// Source:  the attribute REGCOUNT (0x2f) of the ELF section .nv.info, as `cuobjdump -elf` prints it.
/// Checked: cubin_test.cpp, recorded_occupancy_test.cpp: the driver's word on the recorded H200 launches.
[[nodiscard]] std::optional<int> registersOf(std::span<const char> cubin, std::string_view entry);

/// The machine code of the kernel, 16 bytes an instruction; nothing where there is none.
[[nodiscard]] std::span<const char> codeOf(std::span<const char> cubin, std::string_view entry);

struct CubinVariable {
    std::string name; ///< by which the driver finds it
    bool isConstant = false; ///< in constant memory
};

/// Variables of the module, but for texts of printf().
///
/// Source: the symbols of the ELF sections .nv.global, .nv.global.init and .nv.constant3.
[[nodiscard]] std::vector<CubinVariable> variablesOf(std::span<const char> cubin);

} // namespace coalescope::kernels
