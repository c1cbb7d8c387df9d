// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/help_dialog.h"

#include "app/widgets/card.h"
#include "app/widgets/theme.h"

#include <QAction>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QRegularExpression>
#include <QVBoxLayout>

namespace coalescope::app {
namespace {

    struct KeyRow {
        const char* keys;
        const char* what;
    };

    struct WordRow {
        const char* word;
        const char* meaning;
    };

    /// The field's words, as the window uses them.
    constexpr WordRow kWords[] = {
        { QT_TRANSLATE_NOOP("coalescope::app::HelpDialog", "lane"), QT_TRANSLATE_NOOP("coalescope::app::HelpDialog", "one of a warp's 32 threads") },
        { QT_TRANSLATE_NOOP("coalescope::app::HelpDialog", "warp"), QT_TRANSLATE_NOOP("coalescope::app::HelpDialog", "32 threads of a block that execute an instruction together") },
        { QT_TRANSLATE_NOOP("coalescope::app::HelpDialog", "request"), QT_TRANSLATE_NOOP("coalescope::app::HelpDialog", "one instruction of a warp to memory, whatever its lanes ask for") },
        { QT_TRANSLATE_NOOP("coalescope::app::HelpDialog", "sector"), QT_TRANSLATE_NOOP("coalescope::app::HelpDialog", "32 bytes of global memory: caches and DRAM move no less") },
        { QT_TRANSLATE_NOOP("coalescope::app::HelpDialog", "line, tag"), QT_TRANSLATE_NOOP("coalescope::app::HelpDialog", "128 bytes, four sectors; L1 looks up a tag for each line of a request") },
        { QT_TRANSLATE_NOOP("coalescope::app::HelpDialog", "coalesced"), QT_TRANSLATE_NOOP("coalescope::app::HelpDialog", "lanes side by side: a request needs as few sectors as its bytes fill") },
        { QT_TRANSLATE_NOOP("coalescope::app::HelpDialog", "bank"), QT_TRANSLATE_NOOP("coalescope::app::HelpDialog", "one of 32 that hold shared memory's words of 4 bytes, in turn") },
        { QT_TRANSLATE_NOOP("coalescope::app::HelpDialog", "wavefront"), QT_TRANSLATE_NOOP("coalescope::app::HelpDialog", "what shared memory serves at once: a word of each bank") },
        { QT_TRANSLATE_NOOP("coalescope::app::HelpDialog", "conflict"), QT_TRANSLATE_NOOP("coalescope::app::HelpDialog", "two words or more asked of one bank: it serves them in one wavefront after another") },
        { QT_TRANSLATE_NOOP("coalescope::app::HelpDialog", "occupancy"), QT_TRANSLATE_NOOP("coalescope::app::HelpDialog", "warps that an SM holds at a time, of those it could") },
        { QT_TRANSLATE_NOOP("coalescope::app::HelpDialog", "L2 warm, cold"), QT_TRANSLATE_NOOP("coalescope::app::HelpDialog", "as the launch before left it; full of other data") },
    };

    /// Keys that belong to a picture instead of an action.
    constexpr KeyRow kViewKeys[] = {
        { "← →", QT_TRANSLATE_NOOP("coalescope::app::HelpDialog", "in the strip: the instruction before, the next one") },
        { "← → ↑ ↓", QT_TRANSLATE_NOOP("coalescope::app::HelpDialog", "in the block: another warp") },
        { "← →", QT_TRANSLATE_NOOP("coalescope::app::HelpDialog", "in the sectors: another lane; in the banks: another bank; a click chooses one, Esc none") },
        { ", .", QT_TRANSLATE_NOOP("coalescope::app::HelpDialog", "in the banks: the wavefront before, the next one; Esc shows all") },
        { "↑ ↓", QT_TRANSLATE_NOOP("coalescope::app::HelpDialog", "in the comparison: another row, read out in the status bar") },
        { "Tab", QT_TRANSLATE_NOOP("coalescope::app::HelpDialog", "on to the next control or picture") },
    };

}

HelpDialog::HelpDialog(const QList<QAction*>& actions, QWidget* parent)
    : QDialog(parent)
{
    setWindowTitle(tr("Keys and words"));
    auto* column = new QVBoxLayout(this);
    auto* sides = new QHBoxLayout;
    sides->setSpacing(40);
    const auto newGrid = [&] {
        auto* grid = new QGridLayout;
        grid->setHorizontalSpacing(24);
        grid->setVerticalSpacing(4);
        auto* side = new QVBoxLayout;
        side->addLayout(grid);
        side->addStretch(1);
        sides->addLayout(side);
        return grid;
    };
    QGridLayout *left = newGrid(), *right = newGrid();
    const auto add = [this](QGridLayout* grid, const QString& keys, const QString& what) {
        auto* key = new QLabel(keys);
        key->setFont(numberFont(font()));
        const int row = grid->rowCount();
        grid->addWidget(key, row, 0);
        grid->addWidget(new QLabel(what), row, 1);
    };
    for (const QAction* action : actions) {
        QString text = action->text();
        text.remove(QRegularExpression(QStringLiteral("\\(&.\\)"))).remove(QLatin1Char('&')).remove(QStringLiteral("…"));
        if (!action->shortcut().isEmpty())
            add(left, action->shortcut().toString(QKeySequence::NativeText), text);
    }
    for (const KeyRow& key : kViewKeys)
        add(right, QString::fromUtf8(key.keys), tr(key.what));
    right->setRowMinimumHeight(right->rowCount(), fontMetrics().height());
    for (const WordRow& word : kWords) {
        const int row = right->rowCount();
        auto* term = new TextLabel(TextStyle::Strong);
        term->setWordWrap(false);
        term->setText(tr(word.word));
        right->addWidget(term, row, 0, Qt::AlignTop);
        right->addWidget(new QLabel(tr(word.meaning)), row, 1);
    }
    column->addLayout(sides);
    auto* colours = new TextLabel(TextStyle::Small);
    colours->setText(tr("One ramp, from violet to yellow, stands for lanes 0 to 31 in every picture. "
                        "≈ marks an estimate; every other prediction is exact."));
    column->addWidget(colours);
    auto* about = new TextLabel(TextStyle::Small);
    about->setObjectName(QStringLiteral("about"));
    about->setText(tr("Coalescope %1, free software under the GPL, version 3 or later; made with Qt %2, QCustomPlot and QScintilla.")
                       .arg(QCoreApplication::applicationVersion(), QString::fromLatin1(qVersion())));
    about->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(about);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
}

} // namespace coalescope::app
