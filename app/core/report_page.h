// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/core/comparison_table.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <utility>
#include <vector>

namespace coalescope::app {

/// What the saved page says: plain texts and two pictures of the same comparison.
struct ReportPage {
    QString language; ///< "en", "zh_CN"
    QString title, summary;
    QStringList captions; ///< launch, device, where the figures come from
    std::vector<std::pair<QString, QString>> parameters; ///< label and value, in the manifest's order
    QByteArray lightPicture, darkPicture; ///< PNG
    ComparisonTable table;
    QStringList findings; ///< verified or not, hazards with their lines
    bool wrong = false; ///< there is something wrong
    bool verified = false; ///< nothing is, as far as is known
    struct Reading {
        QString title, sentence, remark;
    };
    std::vector<Reading> readings; ///< of the warp's memory instructions
    QStringList method; ///< how the figures were made, a sentence each
};

/// How prediction and measurement of the comparison were made.
[[nodiscard]] QStringList methodOf(const ComparisonInput& input, const QString& compiler);

/// One self-contained HTML file: for reading, in light and dark, and for printing.
[[nodiscard]] QByteArray reportHtml(const ReportPage& page);

} // namespace coalescope::app
