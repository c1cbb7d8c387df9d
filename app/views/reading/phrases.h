// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/access/warp_access.h"
#include "app/views/reading/pattern.h"

#include <QCoreApplication>

#include <cstdint>

namespace coalescope::app {

/// Words that the readings of both pictures share.
class Phrases {
    Q_DECLARE_TR_FUNCTIONS(Reading)
public:
    /// "1 sector", "4 sectors"; both forms are spelled out, English needs no translation file.
    static QString count(std::uint64_t n, const QString& one, const QString& many);
    static QString sectors(std::uint64_t n) { return count(n, tr("1 sector"), tr("%1 sectors")); }
    static QString wavefronts(std::uint64_t n)
    {
        return count(n, tr("1 wavefront"), tr("%1 wavefronts"));
    }
    static QString words(std::uint64_t n)
    {
        return count(n, tr("1 word"), tr("%1 different words"));
    }
    static QString bytes(std::uint64_t n) { return count(n, tr("1 byte"), tr("%1 bytes")); }
    static QString values(std::uint64_t n, int widthBytes); ///< "32 neighbouring 4-byte values"
    /// "All 32 lanes", "20 lanes", "1 lane".
    static QString lanes(int active);
    /// "read", "write" or "update", with the right ending for that many lanes.
    static QString verb(analysis::MemoryOp op, int lanes);
    /// "20 of 32 lanes are active."; empty where all are.
    static QString partial(int active);
    /// Two sentences, either of which may be empty.
    static QString join(const QString& first, const QString& second);
};

} // namespace coalescope::app
