// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/program/program.h"

namespace coalescope::analysis {

/// Makes two comparisons of what compilers make of `x < 0 || y < 0`: the sign of x | y, where `|` keeps nothing of how x and y
/// grow from block to block, and comparisons do. Likewise `x >= 0 && y >= 0`, the sign of x & y, and longer chains.
///
/// `or.b32 r, x, y; setp.lt.s32 p, r, 0` becomes `setp.lt.s32 r, x, 0; setp.lt.or.s32 p, y, 0, r`: as many instructions, on the
/// same lines, with the same outcome. Only where nothing else uses r, and both are of one basic block.
///
/// Checked: sign_tests_test.cpp.
void splitSignTests(Program& program);

} // namespace coalescope::analysis
