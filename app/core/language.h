// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace coalescope::app {

/// "en", "zh_CN".
[[nodiscard]] QStringList languages();

/// The language of the system where the program speaks it, else English.
[[nodiscard]] QString systemLanguage();

/// Switches the whole program, at any time: every widget gets a LanguageChange.
void applyLanguage(const QString& language);

[[nodiscard]] QString currentLanguage();

} // namespace coalescope::app
