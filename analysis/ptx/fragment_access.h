// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/ptx/decoder.h"
#include "analysis/ptx/fragment.h"

#include <vector>

namespace coalescope::analysis::ptx {

/// Where a matrix lies in memory.
struct MatrixPlace {
    Space space = Space::Generic;
    Address address;
    Operand stride; ///< from a row of memory to the next, in elements
};

/// Writes the accesses with which the machine code loads or stores a fragment. Registers beyond its tiles hold these once more.
///
/// Source:  cuobjdump -sass of each load and store of wmma, CUDA 13.0, compute capability 9.0.
/// Checked: matrix_test.cpp; ten kernels of tests/device/sweeps that an NVIDIA H200 counted.
void emitFragmentLoad(Decoder& decoder, const Fragment& fragment, const MatrixPlace& place, const std::vector<Operand>& registers);
void emitFragmentStore(Decoder& decoder, const Fragment& fragment, const MatrixPlace& place, const std::vector<Operand>& registers);

} // namespace coalescope::analysis::ptx
