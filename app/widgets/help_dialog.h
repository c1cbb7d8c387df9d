// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QAction;

namespace coalescope::app {

/// The keys of the window, made from its actions, and how to read its pictures.
class HelpDialog : public QDialog {
    Q_OBJECT
public:
    explicit HelpDialog(const QList<QAction*>& actions, QWidget* parent = nullptr);
};

} // namespace coalescope::app
