// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/comparison_picture.h"

#include "app/views/draw/draw.h"
#include "app/widgets/comparison_view.h"
#include "app/widgets/picture_file.h"
#include "app/widgets/theme.h"

#include <QCoreApplication>
#include <QFontInfo>
#include <QFontMetricsF>
#include <QGuiApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace coalescope::app {
namespace {

    constexpr qreal kMargin = 20, kGap = 24, kTableWidth = 400;
    constexpr qreal kLongest = 4000, kBetweenLines = 2;
    constexpr int kWidth = 1280, kLeastHeight = 720;
    constexpr int kTextFlags = int(Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap);

    struct Picture {
        Q_DECLARE_TR_FUNCTIONS(ComparisonPicture)
    };

    /// Paints from the top down, remembering how far it has come.
    struct Column {
        QPainter& painter;
        const QPalette& palette;
        QFont font;
        qreal left, width, y;

        void text(const QString& words, ColorRole role, const QFont& with)
        {
            if (words.isEmpty())
                return;
            painter.setFont(with);
            painter.setPen(themeColor(palette, role));
            const QRectF area(left, y, width, kLongest);
            QRectF used;
            painter.drawText(area, kTextFlags, words, &used);
            y = used.bottom() + kBetweenLines;
        }
        void heading(const QString& words)
        {
            QFont bold = font;
            bold.setBold(true);
            text(words, ColorRole::Text, bold);
            y += 4;
        }
        void gap(qreal height) { y += height; }
    };

    qreal heightOfText(const QString& words, const QFont& font, qreal width)
    {
        return QFontMetricsF(font).boundingRect(QRectF(0, 0, width, kLongest), kTextFlags, words).height() + kBetweenLines;
    }

    qreal captionsHeight(const PictureModel& model, const QFont& font, qreal width)
    {
        qreal height = heightOfText(model.title, titleFont(font), width) + 12;
        for (const QString& caption : model.captions)
            height += heightOfText(caption, smallFont(font), width);
        return height;
    }

    qreal rightHeight(const PictureModel& model, const QFont& font)
    {
        const TextMetrics text = textMetrics(font);
        qreal height = text.line + 8 + layoutTable(model.table, kTableWidth, font).height + 10;
        for (const QString& finding : model.findings)
            height += heightOfText(finding, font, kTableWidth);
        height += 10;
        if (!model.terms.rows.empty())
            height += text.line + 14 + barsHeight(model.terms.count(), text, Legend::None);
        if (!model.bars.rows.empty())
            height += text.line + 14 + barsHeight(int(model.bars.rows.size()), text, Legend::Shown);
        return height;
    }

    constexpr qreal kMoreWidth = 18; ///< of the mark that steps follow, at each side

    /// All, or as many whole ones as have room between the marks.
    int stepsThatFit(const StripModel& strip, qreal width, const QFont& font)
    {
        const int all = int(strip.items.size());
        const StripLayout layout = layoutStrip(all, QSizeF(width, 1), stripLabelWidth(strip, font), 0, textMetrics(font));
        return layout.contentWidth() <= width ? all : std::max(1, int((width - 2 * kMoreWidth) / layout.pitch));
    }

    /// The chosen step, which the picture is about, with whole ones at its sides.
    void renderStrip(QPainter& painter, StripModel strip, const QSizeF& size, const QPalette& palette)
    {
        const QString more = QStringLiteral("…");
        const int all = int(strip.items.size()), fit = stepsThatFit(strip, size.width(), painter.font());
        const qreal labels = stripLabelWidth(strip, painter.font()), margin = fit < all ? kMoreWidth : 0;
        const int first = std::clamp(strip.current - fit / 2, 0, all - fit);
        painter.setPen(themeColor(palette, ColorRole::MutedText));
        const QRectF mark(0, 0, kMoreWidth, size.height());
        if (first > 0)
            painter.drawText(mark, Qt::AlignCenter, more);
        if (first + fit < all)
            painter.drawText(mark.translated(size.width() - kMoreWidth, 0), Qt::AlignCenter, more);
        strip.items = std::vector(strip.items.begin() + first, strip.items.begin() + first + fit);
        strip.current -= first;
        painter.translate(margin, 0);
        InstructionStrip::render(painter, strip, layoutStrip(fit, size - QSizeF(2 * margin, 0), labels, 0, textMetrics(painter.font())), palette);
    }

    void renderWarp(Column& column, const PictureModel& model)
    {
        QPainter& painter = column.painter;
        const TextMetrics text = textMetrics(column.font);
        column.heading(model.warpTitle);
        const qreal height = 190;
        if (model.block) {
            painter.setFont(column.font);
            const QRectF area(column.left, column.y, 200, height);
            BlockView::render(painter, *model.block, layoutBlock(model.block->block, area, text), column.palette);
        }
        painter.save();
        painter.translate(column.left + 220, column.y);
        painter.setFont(column.font);
        renderStrip(painter, model.strip, QSizeF(column.width - 220, height), column.palette);
        painter.restore();
        column.y += height;
        if (const int fit = stepsThatFit(model.strip, column.width - 220, column.font), all = int(model.strip.items.size()); fit < all) {
            painter.setFont(smallFont(column.font));
            painter.setPen(themeColor(column.palette, ColorRole::MutedText));
            painter.drawText(QRectF(column.left, column.y, column.width, text.smallLine), int(Qt::AlignRight | Qt::AlignVCenter),
                InstructionStrip::tr("%1 of the warp's %2 steps").arg(fit).arg(all));
            column.y += text.smallLine;
        }
        column.gap(12);
    }

    /// Height that the access's picture needs, without its title and sentences.
    qreal drawingHeight(const AccessPicture& access, qreal width, const TextMetrics& text)
    {
        if (access.sectors)
            return layoutSectors(int(access.sectors->lines.size()), QSizeF(width, 0), text).contentHeight + 4;
        static constexpr qreal kWavefrontHeight = 13, kFrame = 60;
        return access.banks ? kFrame + kWavefrontHeight * qreal(std::max<std::size_t>(2, access.banks->wavefronts.size()))
                            : 0;
    }

    void renderDrawing(Column& column, const AccessPicture& access, qreal height)
    {
        QPainter& painter = column.painter;
        const TextMetrics text = textMetrics(column.font);
        painter.save();
        painter.setFont(column.font);
        painter.translate(column.left, column.y);
        const QRectF area(0, 0, column.width, height);
        painter.setClipRect(area);
        if (access.banks) {
            std::vector<int> phases;
            for (const analysis::Wavefront& wavefront : access.banks->wavefronts)
                phases.push_back(wavefront.phase);
            BankLayout layout = layoutBanks(std::move(phases), area, text);
            layout.listing = {}; // says what to point at: nothing to point at here
            BankView::render(painter, *access.banks, layout, column.palette);
        } else if (access.sectors) {
            SectorView::render(painter, *access.sectors,
                layoutSectors(int(access.sectors->lines.size()), area.size(), text), column.palette);
        }
        painter.restore();
        column.y += height;
    }

    void renderAccesses(Column& column, const PictureModel& model, qreal bottom)
    {
        const TextMetrics text = textMetrics(column.font);
        int left = 0;
        bottom -= text.smallLine; // for what tells of those left out
        for (std::size_t i = 0; i < model.accesses.size(); ++i) {
            const AccessPicture& access = model.accesses[i];
            const qreal words = text.line * (access.reading.remark.isEmpty() ? 2 : 3) + 18;
            const qreal needed = drawingHeight(access, column.width, text);
            if (i > 0 && column.y + words + needed > bottom) {
                ++left;
                continue; // a later one may be smaller
            }
            column.heading(access.title);
            column.text(access.reading.sentence, ColorRole::Text, column.font);
            column.text(access.reading.remark, ColorRole::MutedText, column.font);
            column.gap(4);
            renderDrawing(column, access, std::clamp(needed, 0.0, std::max(0.0, bottom - column.y)));
            column.gap(14);
        }
        if (left > 0) {
            column.y = std::max(column.y, bottom - 2);
            column.text(Picture::tr("%n further access(es) of the warp have no room here.", nullptr, left), ColorRole::MutedText, smallFont(column.font));
        }
    }

    void renderComparison(Column& column, const PictureModel& model)
    {
        QPainter& painter = column.painter;
        const TextMetrics text = textMetrics(column.font);
        column.heading(ComparisonView::tr("Predicted and measured"));
        painter.save();
        painter.translate(column.left, column.y);
        const TableLayout table = layoutTable(model.table, column.width, column.font);
        ComparisonView::render(painter, model.table, table, column.palette, column.font);
        painter.restore();
        column.y += table.height + 8;
        for (const QString& finding : model.findings)
            column.text(finding,
                model.wrong            ? ColorRole::Warn
                    : model.verified ? ColorRole::Good
                                     : ColorRole::MutedText,
                column.font);
        if (!model.terms.rows.empty()) {
            column.gap(8);
            column.heading(model.termsTitle);
            const qreal height = barsHeight(model.terms.count(), text, Legend::None);
            const QRectF area(column.left, column.y, column.width, height);
            painter.setFont(column.font);
            TermsView::render(painter, model.terms,
                layoutBars(model.terms.count(), area, text, Legend::None), column.palette);
            column.y += height;
        }
        if (!model.bars.rows.empty()) {
            column.gap(8);
            column.heading(model.barsTitle);
            const qreal height = barsHeight(int(model.bars.rows.size()), text, Legend::Shown);
            painter.setFont(column.font);
            BarsView::render(painter, model.bars,
                layoutBars(int(model.bars.rows.size()), QRectF(column.left, column.y, column.width, height), text,
                    Legend::Shown),
                column.palette);
            column.y += height;
        }
    }

}

QSize pictureSize(const PictureModel& model, const QFont& font)
{
    const qreal height = kMargin * 2 + captionsHeight(model, font, kWidth - 2 * kMargin) + rightHeight(model, font);
    return { kWidth, std::max(kLeastHeight, int(std::ceil(height))) };
}

void renderPicture(QPainter& painter, const QSizeF& size, const PictureModel& model, const QPalette& palette,
    const QFont& font)
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(QRectF(QPointF(), size), themeColor(palette, ColorRole::Panel));
    Column top { painter, palette, font, kMargin, size.width() - 2 * kMargin, kMargin };
    top.text(model.title, ColorRole::Text, titleFont(font));
    for (const QString& caption : model.captions)
        top.text(caption, ColorRole::MutedText, smallFont(font));
    const qreal begin = kMargin + captionsHeight(model, font, top.width);
    Column left { painter, palette, font, kMargin, size.width() - 2 * kMargin - kGap - kTableWidth, begin };
    renderWarp(left, model);
    renderAccesses(left, model, size.height() - kMargin);
    Column right { painter, palette, font, size.width() - kMargin - kTableWidth, kTableWidth, begin };
    renderComparison(right, model);
}

namespace {

    QSize sizeOf(const PictureModel& model, QSize size)
    {
        return size.isEmpty() ? pictureSize(model, pictureFont()) : size;
    }

    Paint painterOf(const PictureModel& model, const QPalette& palette)
    {
        return [&model, &palette](QPainter& painter, const QSizeF& size) { renderPicture(painter, size, model, palette, pictureFont()); };
    }

}

QImage pictureImage(const PictureModel& model, const QPalette& palette, QSize size, qreal scale)
{
    return paintImage(sizeOf(model, size), scale, painterOf(model, palette));
}

QByteArray picturePdf(const PictureModel& model, const QPalette& palette, QSize size)
{
    return paintPdf(sizeOf(model, size), model.title, painterOf(model, palette));
}

QByteArray pictureSvg(const PictureModel& model, const QPalette& palette, QSize size)
{
    return paintSvg(sizeOf(model, size), model.title, model.captions.join(QLatin1Char('\n')), painterOf(model, palette));
}

} // namespace coalescope::app
