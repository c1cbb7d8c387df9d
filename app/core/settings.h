// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/core/gpu_runner.h"

#include <QByteArray>
#include <QMap>
#include <QString>
#include <QStringList>

namespace coalescope::app {

inline constexpr int kMostRecentFiles = 10;
inline constexpr int kNormalTextSize = 100, kLeastTextSize = 80, kMostTextSize = 250; ///< %

/// What the program remembers from one start to the next.
struct Settings {
    QByteArray session; ///< the last experiment, as JSON
    QString sessionPath; ///< the session file that it is of; empty: none
    QByteArray geometry;
    int leftWidth = 0, rightWidth = 0; ///< of the panels at the sides, at the usual text size; 0: not chosen
    QString theme = QStringLiteral("system"); ///< "light", "dark", "system"
    int textSize = kNormalTextSize; ///< of the desktop's; %
    QString language; ///< "en", "zh_CN"; empty: as the system
    Target target;
    QStringList prefixes; ///< of targets used before, the newest first
    QStringList recent; ///< files opened before, the newest first
    QMap<QString, QStringList> headers; ///< of these, the folders of headers that were given
};

struct LoadedSettings {
    Settings settings;
    bool damaged = false; ///< the file could not be read; defaults stand in
};

[[nodiscard]] QStringList themes(); ///< by name
[[nodiscard]] LoadedSettings loadSettings();
void saveSettings(const Settings& settings);

} // namespace coalescope::app
