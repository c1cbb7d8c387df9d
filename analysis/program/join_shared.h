// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/program/program.h"

namespace coalescope::analysis {

/// Marks the shared loads and stores that the machine code does as one wider access.
///
/// ptxas joins neighbours of a basic block whose addresses share a base register: loads where three
/// of four words of an aligned 16-byte window, or both of a pair, are asked for; stores where every
/// one is written. Loads of halves into longer registers stay apart. The first instruction of a
/// joined access leads it (Instruction::joinedBytes);
/// the others take no request and no wavefront of their own (Instruction::isJoined). All keep
/// moving and checking their own bytes. Global accesses are not joined: ptxas cannot know their
/// alignment.
///
/// Source:  the LDS and STS that ptxas 13.0 makes for sm_90 of 130 handwritten sequences.
/// Checked: join_shared_test.cpp, each of those sequences that tells two rules apart.
void joinSharedAccesses(Program& program);

/// Powers of two that every value of each register is known to be a multiple of, as exponents.
///
/// Follows what ptxas follows: not shifts to the right, minima and maxima.
[[nodiscard]] std::vector<int> knownTrailingZeros(const Program& program);

} // namespace coalescope::analysis
