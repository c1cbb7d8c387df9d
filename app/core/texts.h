// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/result/error.h"
#include "analysis/result/hazard.h"
#include "analysis/result/metrics.h"
#include "analysis/result/run_result.h"
#include "kernels/catalogue/kernel_spec.h"

#include <QCoreApplication>
#include <QString>
#include <QStringList>

#include <utility>
#include <vector>

namespace coalescope::app {

/// The context of the texts here and of hazards in the translations.
struct Texts {
    Q_DECLARE_TR_FUNCTIONS(Texts)
};

inline const QString kEstimate = QStringLiteral("≈ "); ///< stands before what is one

/// The text in the language shown; English where the other is missing.
[[nodiscard]] QString localized(const kernels::LocalizedText& text);

/// A parameter's label, and what one of its values is called: "Second barrier", "without, as published".
[[nodiscard]] QString labelOfParameter(const kernels::KernelSpec& spec, const std::string& name);
[[nodiscard]] QString valueText(const kernels::KernelSpec& spec, const std::string& name, const std::string& value);

/// What a kernel does, or where it is launched and what of that is guessed.
[[nodiscard]] QString summaryOf(const kernels::KernelSpec& spec);

/// What a kernel is known by: its id, or the name of the user's file.
[[nodiscard]] QString kernelName(const kernels::KernelSpec& spec);
/// Of a picture: "transpose_naive: Transpose, naive", "scale (my.cu)".
[[nodiscard]] QString pictureTitle(const kernels::KernelSpec& spec);

/// "RTX 4090" for "rtx4090", "H100 PCIe" for "h100-pcie": without the maker and its brand; one that is not known as it is called.
[[nodiscard]] QString deviceName(const QString& device);

/// An error for people: its sentence with the place, and what to do next.
struct ErrorText {
    QString sentence;
    QString next; ///< empty where there is nothing to do
    [[nodiscard]] QString whole() const;
};
[[nodiscard]] ErrorText textOf(const Error& error);

/// A metric in plain words: "load sectors" under the heading of its group.
[[nodiscard]] QString labelOf(analysis::Metric metric);
/// What it counts, in a sentence.
[[nodiscard]] QString meaningOf(analysis::Metric metric);
[[nodiscard]] QString headingOf(analysis::MetricGroup group);

/// "Out of bounds, line 14", "Race between lines 20 and 31".
[[nodiscard]] QString titleOf(const analysis::Hazard& hazard);

/// What happened, for people: the library's own detail in the language shown, and how often in the blocks executed.
[[nodiscard]] QString sentenceOf(const analysis::Hazard& hazard);

/// Wrong output in a kernel that races: another order of the warps could have been right.
[[nodiscard]] bool raceDecides(const analysis::RunResult& result);

/// That no race and no bad address was found, where there is none, and that guessed data decide, where they do; a line each.
[[nodiscard]] QStringList soundnessOf(const analysis::RunResult& result, bool verifying, bool ledByGuesses);
/// Whether what was found is a warning: something is wrong, or only as right as what was guessed.
[[nodiscard]] bool isDoubtful(const analysis::RunResult& result, bool ledByGuesses);

/// Wrong output before what may be its cause.
[[nodiscard]] std::vector<analysis::Hazard> worstFirst(std::vector<analysis::Hazard> hazards);

/// "shared wavefronts" for "shared": what a part of the time is spent on.
[[nodiscard]] QString termLabel(const std::string& term);
[[nodiscard]] QString termMeaning(const std::string& term); ///< what it counts, a sentence without its full stop
[[nodiscard]] QString wrappedTip(const QString& text); ///< plain text as a tooltip that breaks its lines
[[nodiscard]] QString stageLabel(const QString& stage); ///< of a run: "counting" for "count"
[[nodiscard]] QString limiterLabel(const std::string& limiter); ///< of the occupancy

/// Whole numbers with group separators; from a thousand million on "1.074 G".
[[nodiscard]] QString formatValue(double value);
/// "16.8 M", "0.52 M", "4,096".
[[nodiscard]] QString formatShort(double value);
/// Two values side by side: every digit where the short texts would not tell them apart.
[[nodiscard]] std::pair<QString, QString> formatShortPair(double a, double b);
/// "134 µs", "1.86 ms".
[[nodiscard]] QString formatTime(double ns);
/// "about 40 s", "about 15 min".
[[nodiscard]] QString formatAbout(double seconds);
/// "+0.4 %", "−12 %"; "=" for none.
[[nodiscard]] QString formatChange(double from, double to);
/// "32 × 8", trailing ones left out.
[[nodiscard]] QString formatDim(const analysis::Dim3& dim);

} // namespace coalescope::app
