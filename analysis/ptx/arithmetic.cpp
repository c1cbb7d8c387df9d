// SPDX-License-Identifier: Apache-2.0
// ISA chapters: integer, floating-point and half-precision arithmetic. All forms read their
// operands as their rows say.
#include "analysis/ptx/decoder.h"

namespace coalescope::analysis::ptx {

void decodePlain(Decoder& decoder)
{
    decoder.plainOperands(decoder.mnemonic().row->operands);
    decoder.emit();
}

} // namespace coalescope::analysis::ptx
