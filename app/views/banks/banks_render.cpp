// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/banks/banks_view.h"

#include "app/widgets/theme.h"

#include <QFontMetricsF>

#include <algorithm>
#include <bit>
#include <cmath>

namespace coalescope::app {
namespace {

using analysis::BankRequest;
using analysis::kBanks;
using analysis::LaneMask;

constexpr qreal kDimmed = 0.22;

/// One picture being painted: what every step of it needs.
struct Scene {
    QPainter& painter;
    const BankModel& model;
    const BankLayout& layout;
    const QPalette& palette;
    TextMetrics text;

    [[nodiscard]] QColor color(ColorRole role) const { return themeColor(palette, role); }
    /// Something is pointed at, and it is not this request.
    [[nodiscard]] bool dimmed(int wavefront, const BankRequest& request) const
    {
        if (model.wavefront >= 0 && model.wavefront != wavefront)
            return true;
        if (model.hoveredBank >= 0)
            return request.bank != model.hoveredBank;
        return model.hoveredLane >= 0 && !(request.lanes >> model.hoveredLane & 1);
    }
};

/// Splits the cell in one stripe a lane, or every few lanes where stripes would be below 2 pixels.
void drawLanes(Scene& scene, const QRectF& cell, LaneMask lanes)
{
    const int count = std::popcount(lanes);
    const int room = std::max(1, int(cell.width() / 2));
    const int each = (count + room - 1) / room;
    const int stripes = (count + each - 1) / each;
    for (int taken = 0; lanes != 0; lanes &= lanes - 1, ++taken) {
        if (taken % each != 0)
            continue;
        const qreal left = std::round(cell.left() + cell.width() * (taken / each) / stripes);
        const qreal right = std::round(cell.left() + cell.width() * (taken / each + 1) / stripes);
        scene.painter.fillRect(QRectF(left, cell.top(), right - left, cell.height()),
            laneColor(std::countr_zero(lanes)));
    }
}

/// The lane's number, or how many lanes share the word where not each has a stripe; nothing where
/// the cell has no room for it.
void drawCellText(Scene& scene, const QRectF& cell, LaneMask lanes)
{
    const int count = std::popcount(lanes);
    if (count > 1 && 2 * count <= cell.width())
        return;
    const QString label
        = count == 1 ? QString::number(std::countr_zero(lanes)) : QStringLiteral("×%1").arg(count);
    const QFontMetricsF metrics(scene.painter.font());
    // Room for the widest label, or none at all: numbers that stop at lane 9 look like an error.
    const qreal widest = std::max(
        metrics.horizontalAdvance(QStringLiteral("30")), metrics.horizontalAdvance(label));
    if (cell.height() < metrics.height() - 2 || cell.width() < widest)
        return;
    if (count > 1) {
        // Several colours lie below: the count gets a plate of its own.
        const qreal width = std::min(metrics.horizontalAdvance(label) + 2, cell.width());
        QRectF plate(0, 0, width, std::min(metrics.height() - 2, cell.height()));
        plate.moveCenter(cell.center());
        scene.painter.fillRect(plate, scene.color(ColorRole::Panel));
    }
    scene.painter.setPen(
        count == 1 ? laneTextColor(std::countr_zero(lanes)) : scene.color(ColorRole::Text));
    scene.painter.drawText(cell, Qt::AlignCenter | Qt::TextDontClip, label);
}

void drawCells(Scene& scene)
{
    const auto& layout = scene.layout;
    const bool small = std::min(layout.cellWidth, layout.cellHeight) < 6;
    const QColor quiet = scene.color(small ? ColorRole::PanelBorder : ColorRole::Quiet);
    for (int row = 0; row < layout.wavefronts(); ++row) {
        for (int bank = 0; bank < kBanks; ++bank)
            scene.painter.fillRect(layout.cellRect(row, bank), quiet);
        for (const BankRequest& request : scene.model.wavefronts[std::size_t(row)].requests) {
            const QRectF cell = layout.cellRect(row, request.bank);
            const bool dimmed = scene.dimmed(row, request);
            scene.painter.setOpacity(dimmed ? kDimmed : 1);
            drawLanes(scene, cell, request.lanes);
            if (!dimmed)
                drawCellText(scene, cell, request.lanes);
            scene.painter.setOpacity(1);
        }
    }
}

void drawBankAxis(Scene& scene)
{
    const auto& layout = scene.layout;
    const int step = layout.bankLabelStep(scene.text);
    QRectF caption = layout.wavefrontAxis;
    caption.setTop(layout.bankAxis.top());
    caption.setHeight(layout.bankAxis.height());
    scene.painter.setPen(scene.color(ColorRole::MutedText));
    drawElided(scene.painter, caption, BankView::tr("bank"), Qt::AlignRight | Qt::AlignVCenter);
    for (int bank = 0; bank < kBanks; ++bank) {
        const bool hovered = bank == scene.model.hoveredBank;
        if (bank % step != 0 && !hovered)
            continue;
        // The hovered bank's number stands out; its neighbours make room.
        if (!hovered && scene.model.hoveredBank >= 0
            && std::abs(bank - scene.model.hoveredBank) < step)
            continue;
        scene.painter.setPen(scene.color(hovered ? ColorRole::Text : ColorRole::MutedText));
        QRectF label = layout.bankRect(bank);
        label.setHeight(layout.bankAxis.height());
        label.adjust(-20, 0, 20 - layout.gapX, 0);
        scene.painter.drawText(label, Qt::AlignCenter, QString::number(bank));
    }
}

void drawWavefrontAxis(Scene& scene)
{
    const auto& layout = scene.layout;
    const int step = layout.wavefrontLabelStep(scene.text);
    const int lit = scene.model.wavefront;
    const QString caption = BankView::tr("wavefront");
    const QFontMetricsF metrics(scene.painter.font());
    const bool upright = layout.grid.height() >= metrics.horizontalAdvance(caption) + 4;
    for (int row = 0; row < layout.wavefronts(); ++row) {
        if ((row % step != 0 || (lit >= 0 && std::abs(row - lit) < step)) && row != lit)
            continue;
        const QRectF cells = layout.rowRect(row);
        QRectF label(
            layout.wavefrontAxis.left(), 0, layout.wavefrontAxis.width(), scene.text.smallLine);
        label.moveTop(std::max(layout.grid.top() - 1, cells.center().y() - label.height() / 2));
        scene.painter.setPen(scene.color(row == lit ? ColorRole::Text : ColorRole::MutedText));
        scene.painter.drawText(label, Qt::AlignRight | Qt::AlignVCenter, QString::number(row));
    }
    scene.painter.setPen(scene.color(ColorRole::MutedText));
    if (!upright) {
        // No room to turn it: before the first number, where that leaves space.
        QRectF label(layout.wavefrontAxis.left(), 0,
            layout.wavefrontAxis.width() - metrics.horizontalAdvance(QStringLiteral("00 ")),
            scene.text.smallLine);
        if (layout.wavefronts() > 0 && label.width() >= metrics.horizontalAdvance(caption)) {
            label.moveTop(layout.rowRect(0).center().y() - label.height() / 2);
            scene.painter.drawText(label, Qt::AlignLeft | Qt::AlignVCenter, caption);
        }
        return;
    }
    scene.painter.save();
    scene.painter.translate(layout.wavefrontAxis.left(), layout.grid.center().y());
    scene.painter.rotate(-90);
    const QRectF turned(-layout.grid.height() / 2, 0, layout.grid.height(), scene.text.smallLine);
    scene.painter.drawText(turned, Qt::AlignCenter, caption);
    scene.painter.restore();
}

/// "lanes 0-15" beside the rows of each phase, with a bracket.
void drawPhases(Scene& scene)
{
    const auto& layout = scene.layout;
    if (layout.phaseLabels.isEmpty())
        return;
    for (int row = 0; row < layout.wavefronts();) {
        int last = row;
        LaneMask lanes = scene.model.wavefronts[std::size_t(row)].lanes;
        while (last + 1 < layout.wavefronts()
            && layout.phaseOf[std::size_t(last + 1)] == layout.phaseOf[std::size_t(row)])
            lanes |= scene.model.wavefronts[std::size_t(++last)].lanes;
        const QRectF rows = layout.rowRect(row).united(layout.rowRect(last));
        const qreal x = std::round(layout.grid.right() + 2) + 0.5;
        scene.painter.setPen(QPen(scene.color(ColorRole::MutedText), 1));
        scene.painter.drawLine(QPointF(x, rows.top()), QPointF(x, rows.bottom()));
        QRectF label(
            layout.phaseLabels.left(), 0, layout.phaseLabels.width(), scene.text.smallLine);
        label.moveTop(rows.center().y() - label.height() / 2);
        drawElided(scene.painter, label,
            (std::has_single_bit(lanes) ? BankView::tr("lane %1") : BankView::tr("lanes %1"))
                .arg(formatLanes(lanes)));
        row = last + 1;
    }
}

void drawMarks(Scene& scene)
{
    const auto& layout = scene.layout;
    const auto& model = scene.model;
    scene.painter.setBrush(Qt::NoBrush);
    scene.painter.setPen(QPen(scene.color(ColorRole::Text), 1));
    if (model.hoveredBank >= 0 && model.hoveredBank < kBanks && layout.wavefronts() > 0)
        scene.painter.drawRect(QRectF(
            layout.grid.left() + model.hoveredBank * layout.cellWidth - 1.5,
            layout.grid.top() - 1.5, layout.cellWidth + 2 - layout.gapX, layout.grid.height() + 2));
    if (model.wavefront >= 0 && model.wavefront < layout.wavefronts())
        scene.painter.drawRect(layout.rowRect(model.wavefront).adjusted(-1.5, -1.5, 0.5, 1.5));
    if (model.hoveredLane < 0)
        return;
    for (int row = 0; row < layout.wavefronts(); ++row)
        for (const BankRequest& request : model.wavefronts[std::size_t(row)].requests)
            if (request.lanes >> model.hoveredLane & 1)
                scene.painter.drawRect(
                    layout.cellRect(row, request.bank).adjusted(-1.5, -1.5, 0.5, 0.5));
}

QString withRest(const QStringList& parts, qsizetype shown)
{
    QString text = parts.mid(0, shown).join(QStringLiteral("; "));
    if (parts.size() > shown)
        text += BankView::tr("; and %1 more").arg(parts.size() - shown);
    return text;
}

/// The two lines under the grid: what is pointed at.
QStringList listing(const BankModel& model)
{
    if (model.hoveredBank >= 0) {
        const QStringList words = bankListing(model, model.hoveredBank);
        if (words.isEmpty())
            return { BankView::tr("Bank %1: asked for no word").arg(model.hoveredBank) };
        const QString head = words.size() == 1
            ? BankView::tr("Bank %1: 1 word").arg(model.hoveredBank)
            : BankView::tr("Bank %1: %2 words, one wavefront each")
                  .arg(model.hoveredBank)
                  .arg(words.size());
        return { head, withRest(words, 3) };
    }
    if (model.hoveredLane >= 0)
        return laneListing(model, model.hoveredLane);
    if (model.wavefront >= 0 && model.wavefront < int(model.wavefronts.size())) {
        const auto& wavefront = model.wavefronts[std::size_t(model.wavefront)];
        const QString lanes = formatLanes(wavefront.lanes);
        const QString which = model.wavefronts.size() == 1
            ? BankView::tr("Wavefront 0, the only one,")
            : BankView::tr("Wavefront %1 of 0-%2").arg(model.wavefront).arg(model.wavefronts.size() - 1);
        return { BankView::tr("%1 serves %2 from %3")
                     .arg(which,
                         (std::has_single_bit(wavefront.lanes) ? BankView::tr("lane %1") : BankView::tr("lanes %1")).arg(lanes),
                         wavefront.requests.size() == 1 ? BankView::tr("1 bank") : BankView::tr("%1 banks").arg(wavefront.requests.size())) };
    }
    return { BankView::tr("point at a bank or a cell; the keys “,” and “.” step through the wavefronts") };
}

void drawTexts(Scene& scene)
{
    const auto& layout = scene.layout;
    const auto& model = scene.model;
    QFont bold = scene.painter.font();
    const QFont small = smallFont(bold);
    bold.setBold(true);
    scene.painter.save();
    scene.painter.setFont(bold);
    const bool conflicts = model.report && model.report->conflicts > 0;
    scene.painter.setPen(scene.color(conflicts ? ColorRole::Warn : ColorRole::Text));
    drawElided(scene.painter, layout.figures, model.report ? bankFigures(model) : model.problem);
    scene.painter.setFont(small);
    QRectF line = layout.listing;
    line.setHeight(scene.text.smallLine);
    const QStringList lines = listing(model);
    const bool pointed = model.hoveredBank >= 0 || model.hoveredLane >= 0 || model.wavefront >= 0;
    for (qsizetype index = 0; index < lines.size(); ++index) {
        scene.painter.setPen(
            scene.color(pointed && index == 0 ? ColorRole::Text : ColorRole::MutedText));
        drawElided(scene.painter, line, lines[index]);
        line.translate(0, line.height());
    }
    scene.painter.restore();
}

} // namespace

void BankView::render(
    QPainter& painter, const BankModel& model, const BankLayout& layout, const QPalette& palette)
{
    painter.save();
    Scene scene { painter, model, layout, palette, textMetrics(painter.font()) };
    drawTexts(scene);
    if (layout.wavefronts() > 0 && layout.wavefronts() <= int(model.wavefronts.size())) {
        painter.setFont(smallFont(painter.font()));
        drawCells(scene);
        drawBankAxis(scene);
        drawWavefrontAxis(scene);
        drawPhases(scene);
        drawMarks(scene);
    }
    painter.restore();
}

} // namespace coalescope::app
