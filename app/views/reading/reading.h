// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/access/bank_model.h"
#include "analysis/access/sector_model.h"

#include <QString>

namespace coalescope::app {

/// A picture read out.
struct Reading {
    QString sentence; ///< what happens
    QString remark; ///< why, or what would change it; shown muted; may be empty

    [[nodiscard]] bool operator==(const Reading&) const = default;
};

/// Reads a global access out in one sentence that is true for this access, whatever it is.
[[nodiscard]] Reading readGlobal(
    const analysis::WarpAccess& access, const analysis::SectorReport& report);

/// Reads a shared access out.
[[nodiscard]] Reading readShared(
    const analysis::WarpAccess& access, const analysis::BankReport& report);

/// Judges the access by its space and reads it out; says so where it cannot be judged.
[[nodiscard]] Reading readAccess(const analysis::WarpAccess& access);

} // namespace coalescope::app
