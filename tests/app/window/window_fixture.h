// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/core/texts.h"
#include "app/widgets/comparison_panel.h"
#include "app/widgets/comparison_view.h"
#include "app/widgets/experiment_panel.h"
#include "app/widgets/main_window.h"
#include "app/widgets/parameter_control.h"
#include "app/widgets/top_bar.h"
#include "tests/app/patience.h"

#include <QAction>
#include <QApplication>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QMouseEvent>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QUndoStack>

// Helpers of the tests that drive the real window with real events.

using namespace coalescope;
using namespace coalescope::app;
using analysis::Metric;

inline StartOptions options(const QString& kernel, const kernels::ParameterValues& values = {})
{
    StartOptions start;
    start.open = kernel;
    start.values = values;
    start.language = QStringLiteral("en");
    start.theme = QStringLiteral("light");
    return start;
}

/// A small transpose: fast to predict, two blocks in each direction.
inline const kernels::ParameterValues kSmall { { "rows", "64" }, { "cols", "64" } };

inline void openAndSettle(MainWindow& window, QSize size = { 1280, 720 })
{
    window.resize(size);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && window.predictor()->current(), kPatienceMs);
}

/// The same through a tile without padding: every column lies in one bank.
inline const kernels::ParameterValues kConflict { { "rows", "64" }, { "cols", "64" }, { "pad", "0" } };

inline double predictedValue(MainWindow& window, Metric metric)
{
    return window.predictor()->current()->prediction.result.metrics.get(metric).value_or(-1);
}

/// Types a number into a parameter's control, with keys.
inline void typeInto(MainWindow& window, const std::string& name, const QString& number)
{
    ParameterControl* control = window.experimentPanel()->control(name);
    QVERIFY2(control, name.c_str());
    QWidget* editor = control->editor();
    editor->setFocus();
    QTest::keyClick(editor, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(editor, number);
    QTest::keyClick(editor, Qt::Key_Return);
}

inline void writeFile(const QString& path, const QByteArray& content)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
}

/// Saves a session that has no file yet, by the menu and its dialog.
inline void saveSessionAs(MainWindow& window, const QString& path)
{
    window.findChild<QAction*>(QStringLiteral("saveSession"))->trigger();
    auto* dialog = window.findChild<QFileDialog*>();
    emit dialog->fileSelected(path);
    dialog->close();
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path), kPatienceMs);
}

/// Keeps a picture of the window for people to look at, where COALESCOPE_PICTURES names a folder.
inline void keepPicture(QWidget& window, const QString& name)
{
    const QString folder = qEnvironmentVariable("COALESCOPE_PICTURES");
    if (folder.isEmpty())
        return;
    QTest::qWait(50);
    window.grab().save(QStringLiteral("%1/%2.png").arg(folder, name));
}

inline void moveTo(QWidget* widget, QPointF at)
{
    QMouseEvent move(QEvent::MouseMove, at, widget->mapToGlobal(at), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
    QApplication::sendEvent(widget, &move);
}
