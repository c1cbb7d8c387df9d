// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/program/program.h"

namespace coalescope::analysis {

/// Marks the loads and stores of shared and global memory that the machine code does as one wider access.
///
/// ptxas joins neighbours of a basic block whose addresses share a base register: loads where three
/// of four words of an aligned 16-byte window, or both of a pair, are asked for; stores where every
/// one is written. Loads of halves into longer registers stay apart. The first instruction of a
/// joined access leads it (Instruction::joinedBytes);
/// the others take no request and no wavefront of their own (Instruction::isJoined). All keep
/// moving and checking their own bytes.
///
/// How far a base register is aligned, ptxas knows from what it is computed from (shared memory only), and from longer accesses
/// through it that stand between where it is set, or where a loop or branches that meet choose its value, and the next branch, which
/// may be that of a division's rare cases; a parameter's from any on all ways to this access. Without one, it cannot know global
/// memory's. Loads that go past L1's coherence
/// (.nc) wait for no store.
///
/// A load of shared memory is joined with one of an earlier block, too, which every way to it leads through, where nothing on the ways
/// between keeps loads apart: stores to shared memory, barriers, and divisions and roots that have a branch for their rare cases.
///
/// Source:  the LDS, STS, LDG and STG that ptxas 13.0 makes for sm_90 of 230 handwritten sequences.
/// Checked: join_accesses_test.cpp, each of those sequences that tells two rules apart.
void joinAccesses(Program& program);

/// Powers of two that every value of each register is known to be a multiple of, as exponents.
///
/// Follows what ptxas follows: not shifts to the right, minima and maxima.
[[nodiscard]] std::vector<int> knownTrailingZeros(const Program& program);

} // namespace coalescope::analysis
