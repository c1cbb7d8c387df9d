// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/result/run_result.h"

#include <QString>
#include <QStringList>

#include <memory>
#include <optional>
#include <vector>

namespace coalescope::app {

/// How a row's difference reads.
enum class Tone { None, Equal, Near, Differs };

/// One line of the comparison as it is shown, exported and copied.
struct TableRow {
    enum class Kind { Heading, Value, Note };
    Kind kind = Kind::Value;
    QString label; ///< of a note: its sentence
    QString predicted, measured, change;
    QString tip; ///< the metric's name and what the figures are
    QString key; ///< the metric's name; empty where the row is of none
    std::optional<double> predictedNumber, measuredNumber; ///< what the texts say; times in nanoseconds
    bool isTime = false;
    Tone tone = Tone::None;
    bool estimate = false;
};

/// The comparison in plain words.
struct ComparisonTable {
    QString measuredHeading; ///< "H200, recorded", "NVIDIA H200"; empty: no measurement
    QString predictedHeading; ///< empty: "predicted"
    std::vector<TableRow> rows;
};

/// Where a measurement comes from.
enum class MeasurementOrigin { None, Recorded, Run };

/// What is compared, as the window holds it.
struct ComparisonInput {
    std::shared_ptr<const analysis::RunResult> predicted;
    std::shared_ptr<const analysis::RunResult> measured; ///< null: none
    MeasurementOrigin origin = MeasurementOrigin::None;
    bool ledByGuesses = false; ///< see isLedByGuesses()
    bool isRefining = false; ///< the registers, and with them times, are on their way
    const analysis::RunResult* elsewhere = nullptr; ///< the same launch, recorded on another device; null: none, or measured here
};

/// "not measured on t4; recorded on NVIDIA H200": of a launch that is not measured.
[[nodiscard]] QString notMeasuredText(const ComparisonInput& input);

[[nodiscard]] ComparisonTable makeTable(const ComparisonInput& input);

/// "NVIDIA H200 · recorded 2026-11-20 · driver 580.159".
[[nodiscard]] QString provenance(const ComparisonInput& input);

/// The table as text: columns aligned with blanks, as it is seen; or separated by tabs for a spreadsheet, with plain numbers and their units.
enum class TextForm { Aligned, Tabs };
[[nodiscard]] QString tableText(const ComparisonTable& table, const QStringList& caption, TextForm form);

} // namespace coalescope::app
