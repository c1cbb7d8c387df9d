// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/strip/strip_layout.h"

#include <algorithm>
#include <cmath>

namespace coalescope::app {
namespace {

constexpr qreal kSmallestBar = 3; // a cost is never invisible

}

qreal StripLayout::contentWidth() const { return 2 * left + count * pitch; }

QRectF StripLayout::itemRect(int index) const
{
    return { left + index * pitch, top, pitch, bottom - top };
}

QRectF StripLayout::barRect(int index, double share) const
{
    const qreal room = baseline - top - costLine;
    const qreal height = std::max(kSmallestBar, std::round(std::clamp(share, 0.0, 1.0) * room));
    const qreal x = left + index * pitch + (pitch - barWidth) / 2;
    return { x, baseline - height, barWidth, height };
}

QRectF StripLayout::costRect(int index, double share) const
{
    const qreal bar = barRect(index, share).top();
    return { left + index * pitch, bar - costLine, pitch, costLine };
}

QRectF StripLayout::mnemonicRect(int index) const
{
    return { left + index * pitch, baseline + 2, pitch, mnemonicLine };
}

QRectF StripLayout::lineRect(int index) const
{
    return mnemonicRect(index)
        .translated(0, mnemonicLine)
        .adjusted(0, 0, 0, sourceLine - mnemonicLine);
}

int StripLayout::itemAt(QPointF point) const
{
    if (point.y() < top || point.y() >= bottom || point.x() < left)
        return -1;
    const int index = int((point.x() - left) / pitch);
    return index < count ? index : -1;
}

std::pair<int, int> StripLayout::visibleItems() const
{
    const int first = std::clamp(int(std::floor((visible.left() - left) / pitch)), 0, count);
    const int last = std::clamp(int(std::ceil((visible.right() - left) / pitch)), first, count);
    return { first, last };
}

StripLayout layoutStrip(
    int count, QSizeF size, qreal labelWidth, qreal scroll, const TextMetrics& text)
{
    StripLayout layout;
    layout.count = count;
    const qreal least = std::ceil(labelWidth + text.smallDigit);
    const qreal share = count > 0 ? std::floor(size.width() / count) : size.width();
    layout.pitch = std::clamp(share, least, std::ceil(least * 1.5));
    layout.left = std::max(0.0, std::floor((size.width() - count * layout.pitch) / 2));
    layout.barWidth = std::round(std::min(layout.pitch * 0.5, text.line * 2.4));
    layout.top = 2;
    layout.bottom = size.height() - 2;
    layout.costLine = text.line + 1;
    layout.mnemonicLine = text.line;
    layout.sourceLine = text.smallLine;
    layout.baseline = layout.bottom - layout.mnemonicLine - layout.sourceLine - 4;
    layout.visible = QRectF(scroll, 0, size.width(), size.height());
    return layout;
}

} // namespace coalescope::app
