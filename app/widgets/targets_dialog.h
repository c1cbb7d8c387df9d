// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/core/gpu_runner.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QLineEdit;

namespace coalescope::app {

/// Where "Run on GPU" runs: here, or behind a command that reaches another machine.
class TargetsDialog : public QDialog {
    Q_OBJECT
public:
    /// `known` are the prefixes used before, the newest first.
    TargetsDialog(const Target& current, const QStringList& known, QWidget* parent = nullptr);
    [[nodiscard]] Target target() const;

private:
    void showCommand();

    QComboBox* m_prefix;
    QLineEdit* m_program;
    QLabel* m_command;
};

} // namespace coalescope::app
