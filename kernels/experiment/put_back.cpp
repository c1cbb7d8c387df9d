// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/put_back.h"

#include "analysis/access/sector_model.h"

#include <algorithm>
#include <vector>

namespace coalescope::kernels {
namespace {

/// A buffer, in bytes.
struct Part {
    double all = 0, read = 0, written = 0;
    double behind = 0; ///< not touched, behind what is

    [[nodiscard]] double touched() const { return std::max(read, written); }
    [[nodiscard]] double onlyWritten() const { return std::max(0.0, written - read); }
    [[nodiscard]] double onlyRead() const { return std::max(0.0, read - written); }
};

/// `passed`: share of the grid's blocks that come before the middle of the one whose shape is known. They lie in the buffer as in the
/// grid; what is not touched up to where the last of them ends lies between what is.
Part partOf(const analysis::Buffer& buffer, const BlockShape::Touched& touched, double blocks, double passed)
{
    const auto bytes = [&](double lines) { return std::min(double(buffer.bytes), blocks * lines * analysis::kCacheLineBytes); };
    Part part { .all = double(buffer.bytes), .read = bytes(touched.lines), .written = bytes(touched.storeLines) };
    const double end = std::clamp(touched.middle / passed, part.touched(), part.all);
    part.behind = part.all - end + (end - part.touched()) / 2;
    return part;
}

} // namespace

analysis::PutBack putBackOf(const BlockShape& shape, analysis::Dim3 place, const analysis::Launch& launch, double blocks)
{
    const analysis::Dim3 grid = launch.grid;
    const double before = (double(place.z) * grid.y + place.y) * grid.x + place.x;
    std::vector<Part> parts;
    for (std::size_t i = 0; i < launch.buffers.size(); ++i)
        parts.push_back(partOf(launch.buffers[i], shape.touched[i], blocks, (before + 0.5) / double(grid.count())));
    double read = 0, written = 0, onlyWritten = 0, untouched = 0, writtenSoFar = 0, readSoFar = 0, readInAll = 0;
    for (const Part& part : parts)
        readInAll += part.onlyRead();
    analysis::PutBack putBack;
    for (const Part& part : parts) { // buffers before it are put back after it
        putBack.afterReads += part.read * (untouched + part.behind);
        putBack.writtenAfterReads += part.read * writtenSoFar;
        putBack.afterWrites += part.written * (untouched + part.behind);
        putBack.readsBeforeWrites += part.onlyWritten() * (readInAll - readSoFar - part.onlyRead());
        read += part.read;
        written += part.written;
        onlyWritten += part.onlyWritten();
        untouched += part.all - part.touched();
        writtenSoFar += part.onlyWritten();
        readSoFar += part.onlyRead();
    }
    const auto mean = [](double sum, double weight) { return weight > 0 ? sum / weight : 0; };
    return { .afterReads = mean(putBack.afterReads, read),
        .writtenAfterReads = mean(putBack.writtenAfterReads, read),
        .afterWrites = mean(putBack.afterWrites, written),
        .readsBeforeWrites = mean(putBack.readsBeforeWrites, onlyWritten) };
}

} // namespace coalescope::kernels
