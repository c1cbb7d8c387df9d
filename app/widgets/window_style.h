// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QPalette;

namespace coalescope::app {

/// What the window's own controls need beyond the theme's sheet: tabs, menus, scroll bars, the bars
/// above and below, and arrows that follow the theme.
[[nodiscard]] QString windowStyleSheet(const QPalette& palette);

} // namespace coalescope::app
