// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/picture_file.h"

#include "app/widgets/theme.h"

#include <QBuffer>
#include <QFontInfo>
#include <QGuiApplication>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <cmath>

namespace coalescope::app {
namespace {

    constexpr int kScreenDpi = 96; ///< as on screen: QCustomPlot plays its picture back in points of the device

    /// Joins neighbouring groups of the same attributes: Qt opens one for every rectangle of a grid.
    QByteArray joinedGroups(const QByteArray& svg)
    {
        static constexpr QByteArrayView kBegin("<g fill="), kBetween("</g>\n\n<g fill=");
        QByteArray joined, current;
        joined.reserve(svg.size());
        qsizetype at = 0;
        while (at < svg.size()) {
            const qsizetype begin = svg.indexOf(kBegin, at);
            const qsizetype end = begin < 0 ? -1 : svg.indexOf('>', begin);
            if (end < 0)
                break;
            const QByteArray attributes = svg.mid(begin, end + 1 - begin);
            const bool follows = begin >= 6 && svg.mid(begin - 6, kBetween.size()) == kBetween;
            const bool same = follows && attributes == current;
            joined += svg.mid(at, (same ? begin - 6 : end + 1) - at);
            current = attributes;
            at = end + 1;
        }
        return joined + svg.mid(at);
    }

}

QFont pictureFont()
{
    QFont font = unscaledFont();
    font.setPixelSize(std::max(8, QFontInfo(font).pixelSize()));
    return font;
}

QFont titleFont(const QFont& base)
{
    QFont font = base;
    font.setBold(true);
    font.setPixelSize(int(base.pixelSize() * 1.3));
    return font;
}

QImage paintImage(QSize size, qreal scale, const Paint& paint)
{
    QImage image(QSize(int(std::lround(size.width() * scale)), int(std::lround(size.height() * scale))),
        QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    QPainter painter(&image);
    paint(painter, QSizeF(size));
    return image;
}

QByteArray paintPdf(QSize size, const QString& title, const Paint& paint)
{
    QByteArray pdf;
    QBuffer buffer(&pdf);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setResolution(kScreenDpi);
    writer.setPageSize(QPageSize(QSizeF(size) * 72.0 / kScreenDpi, QPageSize::Point, {}, QPageSize::ExactMatch));
    writer.setPageMargins({});
    writer.setTitle(title);
    writer.setCreator(QStringLiteral("Coalescope"));
    QPainter painter(&writer);
    paint(painter, QSizeF(size));
    painter.end();
    return pdf;
}

QByteArray paintSvg(QSize size, const QString& title, const QString& description, const Paint& paint)
{
    QByteArray svg;
    QBuffer buffer(&svg);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(size);
    generator.setResolution(kScreenDpi);
    generator.setViewBox(QRect(QPoint(), size));
    generator.setTitle(title);
    generator.setDescription(description);
    QPainter painter(&generator);
    paint(painter, QSizeF(size));
    painter.end();
    return joinedGroups(svg);
}

} // namespace coalescope::app
