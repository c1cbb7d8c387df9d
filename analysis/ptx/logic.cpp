// SPDX-License-Identifier: Apache-2.0
// ISA chapters: comparison and selection, logic and shift.
#include "analysis/ptx/constant.h"
#include "analysis/ptx/decoder.h"
#include "analysis/ptx/failure.h"

namespace coalescope::analysis::ptx {

void decodeLop3(Decoder& decoder)
{
    decoder.plainOperands("dttt");
    decoder.cursor().expect(',');
    const std::uint32_t offset = decoder.cursor().peek().offset;
    const std::int64_t table = readInteger(decoder.cursor());
    if (table < 0 || table > 255)
        failBad(offset, "The table of lop3 is a number from 0 to 255.");
    decoder.current().mod.lop3Table = static_cast<std::uint8_t>(table);
    decoder.emit();
}

} // namespace coalescope::analysis::ptx
