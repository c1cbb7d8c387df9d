// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/device/traffic.h"
#include "analysis/execute/block_trace.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace coalescope::kernels {

/// A warp's access to its threads' local memory.
struct LocalStep {
    bool isStore = false;
    std::uint8_t words = 0; ///< of a lane
    std::int64_t offset = 0; ///< in bytes, from an address that may itself differ
};

/// A warp's path through a kernel's machine code.
struct MachinePath {
    analysis::MachineWork work;
    std::vector<LocalStep> local; ///< in order
    double constantLoads = 0; ///< from addresses in registers
    double constantWaits = 0; ///< how often the warp waits for what they have found
};

/// Loops of a program that make no accesses.
struct ProgramLoops {
    std::span<const analysis::LoopTurns> turns; ///< of one warp
    std::map<std::uint32_t, std::int64_t> steps = {}; ///< by how much the loop that an instruction jumps back in counts, where it is known
};

/// What one warp issues and how often it waits, from the kernel's machine code: `code` holds its
/// instructions, 16 bytes each, made for GPUs of that compute capability, and `warp` what one warp
/// did to memory, from the PTX. Branches are taken so that the path makes the same accesses: a loop
/// is left when what remains to be done stands behind it. `program` is how often the warp turned in loops that make no
/// accesses: the machine code's are taken to be those of the PTX, in the order in which they are entered. `wideDivisions` is how
/// many divisions of 64-bit integers the warp makes that do not fit 32 bits: these take a function. Nothing where no such path was found.
///
/// A warp waits where an instruction names a barrier that an earlier one releases; loads asked for
/// before the last such wait count as there. The clocks are those an instruction keeps the warp
/// from its next one.
///
/// Source:  the control bits of each instruction, the same since Volta (Jia et al. 2018, "Dissecting
///          the NVIDIA Volta GPU Architecture via Microbenchmarking"); operation codes as
///          cuobjdump -sass prints them.
/// Checked: machine_path_test.cpp, against instructions that an NVIDIA H200 counted.
[[nodiscard]] std::optional<MachinePath> machinePath(
    std::string_view code, int computeMajor, const std::vector<analysis::TraceStep>& warp, const ProgramLoops& program,
    double wideDivisions);

/// Words of local memory that stores name, each once: 0 where all that PTX keeps there lies in registers; where PTX keeps nothing
/// there, they are the registers that are spilled.
[[nodiscard]] std::size_t localWordsStored(std::string_view code, int computeMajor);

} // namespace coalescope::kernels
