// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/program/program.h"

namespace coalescope::analysis {

/// Makes loads of shared and global memory as short as the machine code does where part of what they load is never used.
///
/// Of four words ptxas loads all where three are used, a pair that lies aligned, and else each word that is used by itself; of four halves
/// or bytes all, an aligned pair of halves, or the one; of two elements the one; of a 64-bit element the half that is used, or its lowest 16
/// bits; of a word the half that is taken out of it. These last still move and check the whole element (Instruction::joinedBytes has what
/// they take).
///
/// Source:  the LDG and LDS that ptxas 13.0 makes for sm_90 of 114 kernels that use some members of float4, double2, longlong2, uint2, ushort4,
/// uchar4, half2 and their kin, or bits of 64-bit integers.
/// Checked: narrow_loads_test.cpp; two launches on an H200 (driver 580.159.04, 2026-11-28) whose 64-bit loads keep one half.
void narrowLoads(Program& program);

} // namespace coalescope::analysis
