// SPDX-License-Identifier: GPL-3.0-or-later
// Draws docs/pictures/times.svg: every recorded launch's time, predicted and measured.
#include "app/views/plot/xy_plot.h"
#include "app/widgets/picture_file.h"
#include "app/widgets/theme.h"
#include "model_errors.h"

#include <QApplication>
#include <QPainter>
#include <QSaveFile>

#include <cstdio>

using namespace coalescope;
using namespace coalescope::app;

int main(int argc, char** argv)
{
    if (argc != 2) {
        std::fputs("coalescope_plot_times FILE.svg\n", stderr);
        return 2;
    }
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    applyTheme(application, ThemeKind::Light);
    const auto launches = bench::recordedLaunches(bench::Purpose::Fit);
    XySeries series;
    for (const bench::TimeError& error :
        bench::timeErrors(launches, bench::estimatesOf(launches, {}), bench::TimeKind::Warm))
        series.points.push_back(
            { error.predictedNs / 1000, error.measuredNs / 1000, int(error.launch) });
    const auto count = series.points.size();
    XyModel model { .xTitle = QStringLiteral("predicted, µs"),
        .yTitle = QStringLiteral("measured, µs"),
        .logarithmic = true,
        .diagonal = true };
    model.series.push_back(std::move(series));
    const QString title = QStringLiteral("%1 launches on an NVIDIA H200, L2 warm").arg(count);
    QSaveFile file(QString::fromLocal8Bit(argv[1]));
    if (!file.open(QIODevice::WriteOnly)) {
        std::fprintf(stderr, "%s: %s\n", argv[1], qPrintable(file.errorString()));
        return 3;
    }
    file.write(paintSvg({ 560, 480 }, title, title, [&](QPainter& painter, const QSizeF& size) {
        painter.fillRect(QRectF({}, size), application.palette().base());
        XyPlot::render(painter, QRectF({}, size), model, application.palette(), pictureFont());
    }));
    return file.commit() ? 0 : 3;
}
