// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/card.h"

#include "app/widgets/theme.h"

#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

#include <array>

namespace coalescope::app {
namespace {

    struct StyleRow {
        TextStyle style;
        ColorRole color;
        bool small;
        bool bold;
    };

    constexpr std::array kStyles {
        StyleRow { TextStyle::Normal, ColorRole::Text, false, false },
        StyleRow { TextStyle::Strong, ColorRole::Text, false, true },
        StyleRow { TextStyle::Muted, ColorRole::MutedText, false, false },
        StyleRow { TextStyle::Small, ColorRole::MutedText, true, false },
        StyleRow { TextStyle::Good, ColorRole::Good, false, true },
        StyleRow { TextStyle::Warn, ColorRole::Warn, false, false },
        StyleRow { TextStyle::Bad, ColorRole::Bad, true, false },
    };

}

Card::Card(QWidget* parent)
    : QFrame(parent)
    , m_title(new TextLabel(TextStyle::Strong))
    , m_hint(new TextLabel(TextStyle::Small))
    , m_header(new QHBoxLayout)
    , m_body(new QVBoxLayout)
{
    makePanel(*this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 8, 12, 10);
    column->setSpacing(6);
    m_title->setWordWrap(false);
    m_hint->setWordWrap(false);
    m_header->setSpacing(8);
    m_header->addWidget(m_title);
    m_header->addStretch(1);
    m_header->addWidget(m_hint);
    m_body->setSpacing(6);
    column->addLayout(m_header);
    column->addLayout(m_body, 1);
}

void Card::setTitle(const QString& title)
{
    m_title->setText(title);
    setAccessibleName(title);
}

QString Card::title() const
{
    return m_title->text();
}

void Card::setHint(const QString& hint)
{
    m_hint->setText(hint);
    m_hint->setVisible(!hint.isEmpty());
}

TextLabel::TextLabel(TextStyle style, QWidget* parent)
    : QLabel(parent)
    , m_style(style)
{
    setWordWrap(true);
    setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    restyle();
}

void TextLabel::setTextStyle(TextStyle style)
{
    if (style == m_style)
        return;
    m_style = style;
    restyle();
}

void TextLabel::changeEvent(QEvent* event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange
        || event->type() == QEvent::ApplicationPaletteChange || event->type() == QEvent::ApplicationFontChange)
        restyle();
}

void TextLabel::restyle()
{
    if (m_restyling)
        return;
    m_restyling = true; // setting a palette tells of a changed palette
    const StyleRow& row = kStyles[std::size_t(m_style)];
    // Asks the application's palette, not its own: its own already carries the old theme's colour.
    const QPalette theme = QGuiApplication::palette();
    QPalette own = theme;
    own.setColor(QPalette::WindowText, themeColor(theme, row.color));
    own.setColor(QPalette::Text, themeColor(theme, row.color));
    setPalette(own);
    QFont font = row.small ? smallFont(QGuiApplication::font()) : QGuiApplication::font();
    font.setBold(row.bold);
    setFont(font);
    m_restyling = false;
}

ElidedLabel::ElidedLabel(QWidget* parent)
    : QLabel(parent)
{
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
}

void ElidedLabel::setFullText(const QString& text)
{
    m_full = text;
    setText(text); // what a screen reader reads
    setToolTip(text);
    updateGeometry();
    update();
}

QSize ElidedLabel::minimumSizeHint() const
{
    return { 24, fontMetrics().height() };
}

QSize ElidedLabel::sizeHint() const
{
    return { fontMetrics().horizontalAdvance(m_full) + 2, fontMetrics().height() };
}

void ElidedLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setFont(font());
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(contentsRect(), int(alignment() | Qt::TextSingleLine),
        fontMetrics().elidedText(m_full, Qt::ElideRight, contentsRect().width()));
}

} // namespace coalescope::app
