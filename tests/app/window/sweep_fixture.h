// SPDX-License-Identifier: GPL-3.0-or-later
// The sweep in the real window: what its tests share.
#pragma once

#include "tests/app/window/window_fixture.h"

#include "app/views/heatmap/heatmap_view.h"
#include "app/widgets/sweep_axes.h"
#include "app/widgets/sweep_panel.h"

#include <QComboBox>
#include <QHelpEvent>
#include <QLineEdit>
#include <QToolTip>

/// What is compiled once serves every test; nothing of it stays.
inline void compileIntoTemporaryFolder()
{
    static QTemporaryDir cache;
    qputenv("XDG_CACHE_HOME", cache.path().toUtf8());
}

/// A folder for one test's settings and data.
inline std::unique_ptr<QTemporaryDir> freshFolder()
{
    auto folder = std::make_unique<QTemporaryDir>();
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder->path());
    qputenv("XDG_DATA_HOME", folder->path().toUtf8());
    return folder;
}

/// Opens the tab with its key and types ranges into the fields; an empty text clears one.
/// As a map, whatever its shape.
inline void openSweep(MainWindow& window, const std::vector<std::pair<std::string, QString>>& ranges)
{
    QTest::keyClick(&window, Qt::Key_3, Qt::ControlModifier);
    SweepPanel* panel = window.sweepPanel();
    QVERIFY(panel->isVisible());
    panel->modeButton(SweepPanel::Mode::Map)->click();
    for (const auto& [name, text] : ranges) {
        QLineEdit* field = panel->axes()->field(name);
        QVERIFY2(field, name.c_str());
        field->setFocus();
        QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClick(field, Qt::Key_Delete);
        QTest::keyClicks(field, text);
    }
}

inline void settle(MainWindow& window)
{
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && window.sweepRunner()->order(), kPatienceMs);
}

inline QPoint middleOf(MainWindow& window, int cell)
{
    return window.sweepPanel()->heatMap()->layoutOfCells().cellRect(cell).center().toPoint();
}

inline QString tipAt(MainWindow& window, int cell)
{
    HeatMapView* map = window.sweepPanel()->heatMap();
    const QPoint point = middleOf(window, cell);
    QToolTip::hideText();
    QHelpEvent help(QEvent::ToolTip, point, map->mapToGlobal(point));
    QApplication::sendEvent(map, &help);
    return QToolTip::text();
}

/// What most sweeps of the tests are over; 4 of 24 blocks are too large.
inline const std::vector<std::pair<std::string, QString>> kBlocks { { "block_x", "4:32:4" }, { "block_y", "8,16,64" } };

/// The cell of two values.
inline int cellOf(MainWindow& window, const QString& x, const QString& y)
{
    const HeatMapModel& model = window.sweepPanel()->heatMap()->model();
    return int(model.yLabels.indexOf(y) * model.columns() + model.xLabels.indexOf(x));
}

inline const HeatCell& at(MainWindow& window, const QString& x, const QString& y)
{
    return window.sweepPanel()->heatMap()->model().cells.at(std::size_t(cellOf(window, x, y)));
}

/// Chooses as with the mouse.
inline void choose(QComboBox* box, const QString& text)
{
    const int index = box->findText(text);
    QVERIFY2(index >= 0, qPrintable(text));
    box->setCurrentIndex(index);
    emit box->activated(index);
}
