// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/draw/draw.h"

#include "app/widgets/theme.h"

#include <QFontMetricsF>
#include <QLocale>

#include <cmath>

namespace coalescope::app {

TextMetrics textMetrics(const QFont& font)
{
    const QFontMetricsF normal(font);
    const QFontMetricsF small(smallFont(font));
    const QFontMetricsF fixed(numberFont(font));
    return { .line = std::ceil(normal.height()),
        .digit = std::max(normal.horizontalAdvance(u'0'), fixed.horizontalAdvance(u'0')),
        .smallLine = std::ceil(small.height()),
        .smallDigit = small.horizontalAdvance(u'0') };
}

void drawElided(QPainter& painter, const QRectF& rect, const QString& text, Qt::Alignment alignment,
    Qt::TextElideMode mode)
{
    const QFontMetricsF metrics(painter.font());
    // A rounded-up width must not cost a text its last letter, nor a flat line the tail of a "g".
    painter.drawText(rect, int(alignment) | Qt::TextSingleLine | Qt::TextDontClip,
        metrics.elidedText(text, mode, rect.width() + 1));
}

void drawFocusFrame(QPainter& painter, const QRectF& rect, const QPalette& palette)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(themeColor(palette, ColorRole::Accent), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    painter.restore();
}

int nextLane(analysis::LaneMask active, int lane, int step)
{
    const int start = lane >= 0 ? lane : step > 0 ? -1 : analysis::kWarpLanes;
    for (int next = start + step; next >= 0 && next < analysis::kWarpLanes; next += step)
        if (active >> next & 1)
            return next;
    return lane;
}

QString formatCount(std::uint64_t value) { return QLocale().toString(qulonglong(value)); }

QString formatHex(std::uint64_t value) { return QStringLiteral("0x%1").arg(value, 0, 16); }

QString formatPercent(double ratio)
{
    const double tenths = std::round(ratio * 1000);
    const bool whole = std::fmod(tenths, 10) == 0;
    return QStringLiteral("%1 %").arg(QLocale().toString(tenths / 10, 'f', whole ? 0 : 1));
}

QString formatLanes(analysis::LaneMask lanes)
{
    QStringList runs;
    for (int lane = 0; lane < analysis::kWarpLanes; ++lane) {
        if (!(lanes >> lane & 1))
            continue;
        int last = lane;
        while (last + 1 < analysis::kWarpLanes && (lanes >> (last + 1) & 1))
            ++last;
        // Two neighbours read better as a list than as a run.
        if (last - lane >= 2)
            runs << QStringLiteral("%1-%2").arg(lane).arg(last);
        else
            for (int one = lane; one <= last; ++one)
                runs << QString::number(one);
        lane = last;
    }
    return runs.join(QStringLiteral(", "));
}

} // namespace coalescope::app
