// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QFont>
#include <QImage>
#include <QSize>
#include <QString>

#include <functional>

class QPainter;

namespace coalescope::app {

/// Paints a picture of a size in logical pixels.
using Paint = std::function<void(QPainter&, const QSizeF& size)>;

/// The application's font in pixels: a picture's layout must not depend on a device's resolution.
[[nodiscard]] QFont pictureFont();

/// Of a picture's title: `base` larger and bold.
[[nodiscard]] QFont titleFont(const QFont& base);

[[nodiscard]] QImage paintImage(QSize size, qreal scale, const Paint& paint);
/// One page as large as the picture, everything on it drawn as vectors and text.
[[nodiscard]] QByteArray paintPdf(QSize size, const QString& title, const Paint& paint);
[[nodiscard]] QByteArray paintSvg(
    QSize size, const QString& title, const QString& description, const Paint& paint);

} // namespace coalescope::app
