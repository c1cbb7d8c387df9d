// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/result/pay.h"
#include "app/core/comparison_table.h"

#include <QString>
#include <QStringList>

namespace coalescope::app {

/// Whether the second variant pays, in words.
struct PayText {
    QString verdict; ///< "It pays: ..."; by what was measured where both were
    QStringList figures; ///< times, then what changes of sectors, wavefronts and conflicts
    QString why; ///< why the time follows, or does not
    QString doubt; ///< what speaks against the prediction; empty: nothing
};
[[nodiscard]] PayText textOf(const analysis::PayFinding& finding);

/// That the two are of different kernels or GPUs; empty: they are not.
[[nodiscard]] QString differText(const analysis::RunResult& a, const analysis::RunResult& b);

/// Which of the two has a race, a bad address or wrong output; empty: none.
[[nodiscard]] QString faultText(const analysis::RunResult& before, const analysis::RunResult& after);

/// Why the time follows or does not, alone.
[[nodiscard]] QString whyText(const analysis::PayFinding& finding);

/// Two variants side by side, as the comparison is: what is 0 in both is left out.
[[nodiscard]] ComparisonTable payTable(const ComparisonInput& before, const ComparisonInput& after);

} // namespace coalescope::app
