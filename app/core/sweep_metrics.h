// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/result/run_result.h"

#include <QCoreApplication>
#include <QString>

#include <optional>

namespace coalescope::app {

/// The context of their texts.
struct Sweeps {
    Q_DECLARE_TR_FUNCTIONS(Sweeps)
};

/// What a sweep's picture shows of a launch: a time, a sum over loads and stores, or one metric.
class SweepMetric {
public:
    SweepMetric() = default; ///< the time with a warm L2
    explicit SweepMetric(int index)
        : m_index(index)
    {
    }
    [[nodiscard]] static int count();
    [[nodiscard]] static int summaries(); ///< those before the single metrics

    [[nodiscard]] int index() const { return m_index; }
    [[nodiscard]] QString label() const; ///< "time, L2 warm"
    [[nodiscard]] QString unit() const; ///< of cellText(): "µs", or empty
    [[nodiscard]] bool isTime() const { return kind() == Kind::Time; }
    [[nodiscard]] bool isEstimate() const; ///< of a prediction
    /// The value of a prediction or of a measurement.
    [[nodiscard]] std::optional<double> valueOf(const analysis::RunResult& result) const;
    [[nodiscard]] QString text(double value) const; ///< with its unit: "61.2 µs"
    [[nodiscard]] QString cellText(double value) const; ///< as short as it goes: "61.2"

    bool operator==(const SweepMetric&) const = default;

private:
    enum class Kind { Time, Count, Bytes };
    [[nodiscard]] Kind kind() const;
    [[nodiscard]] double inUnit(double value) const;

    int m_index = 0;
};

/// Which of the two results a picture shows, or how far they are apart.
enum class SweepSide { Predicted, Measured, Error };

/// Measured over predicted, less one, as in the comparison; nothing where one is missing, or only the predicted one is 0.
[[nodiscard]] std::optional<double> differenceOf(std::optional<double> predicted, std::optional<double> measured);

/// "+12 %", for a cell "+12".
[[nodiscard]] QString errorText(double error);
[[nodiscard]] QString errorCellText(double error);

} // namespace coalescope::app
