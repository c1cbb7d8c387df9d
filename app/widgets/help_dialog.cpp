// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/help_dialog.h"

#include "app/widgets/card.h"
#include "app/widgets/theme.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace coalescope::app {
namespace {

    struct KeyRow {
        const char* keys;
        const char* what;
    };

    /// Keys that belong to a picture instead of an action.
    constexpr KeyRow kViewKeys[] = {
        { "← →", QT_TRANSLATE_NOOP("coalescope::app::HelpDialog", "in the strip: the instruction before, the next one") },
        { "← → ↑ ↓", QT_TRANSLATE_NOOP("coalescope::app::HelpDialog", "in the block: another warp") },
        { ", .", QT_TRANSLATE_NOOP("coalescope::app::HelpDialog", "in the banks: the wavefront before, the next one; Esc shows all") },
        { "↑ ↓", QT_TRANSLATE_NOOP("coalescope::app::HelpDialog", "in the comparison: another row, read out in the status bar") },
        { "Tab", QT_TRANSLATE_NOOP("coalescope::app::HelpDialog", "on to the next control or picture") },
    };

}

HelpDialog::HelpDialog(const QList<QAction*>& actions, QWidget* parent)
    : QDialog(parent)
{
    setWindowTitle(tr("Keys"));
    auto* column = new QVBoxLayout(this);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(24);
    grid->setVerticalSpacing(4);
    int row = 0;
    const auto add = [&](const QString& keys, const QString& what) {
        auto* key = new QLabel(keys);
        key->setFont(numberFont(font()));
        grid->addWidget(key, row, 0);
        grid->addWidget(new QLabel(what), row++, 1);
    };
    for (const QAction* action : actions) {
        QString text = action->text();
        text.remove(QLatin1Char('&')).remove(QStringLiteral("…"));
        if (!action->shortcut().isEmpty())
            add(action->shortcut().toString(QKeySequence::NativeText), text);
    }
    for (const KeyRow& key : kViewKeys)
        add(QString::fromUtf8(key.keys), tr(key.what));
    column->addLayout(grid);
    auto* colours = new TextLabel(TextStyle::Small);
    colours->setText(tr("One ramp, from violet to yellow, stands for lanes 0 to 31 in every picture. "
                        "≈ marks an estimate; every other prediction is exact."));
    column->addWidget(colours);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
}

} // namespace coalescope::app
