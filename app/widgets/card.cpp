// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/card.h"

#include "app/widgets/theme.h"

#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace coalescope::app {
namespace {

    struct StyleRow {
        TextStyle style;
        ColorRole color;
        bool small;
        bool bold;
        bool fixed = false; ///< columns that stand under each other
    };

    constexpr std::array kStyleRows {
        StyleRow { TextStyle::Normal, ColorRole::Text, false, false },
        StyleRow { TextStyle::Strong, ColorRole::Text, false, true },
        StyleRow { TextStyle::Muted, ColorRole::MutedText, false, false },
        StyleRow { TextStyle::Small, ColorRole::MutedText, true, false },
        StyleRow { TextStyle::Good, ColorRole::Good, false, true },
        StyleRow { TextStyle::Warn, ColorRole::Warn, false, false },
        StyleRow { TextStyle::Bad, ColorRole::Bad, true, false },
        StyleRow { TextStyle::BadLog, ColorRole::Bad, true, false, true },
    };

    const QString kLineBreak = QStringLiteral("<br>");

    QString colouredLines(QStringList lines, TextStyle style, const QColor& good)
    {
        for (QString& line : lines) {
            if (style == TextStyle::Warn && line.startsWith(QChar(0x2713)))
                line = QStringLiteral("<span style=\"color:%1\">%2</span>").arg(good.name(), line);
        }
        return lines.join(kLineBreak);
    }

}

Card::Card(QWidget* parent)
    : QFrame(parent)
    , m_title(new ElidedLabel(TextStyle::Strong))
    , m_hint(new ElidedLabel(TextStyle::Small))
    , m_header(new QHBoxLayout)
    , m_body(new QVBoxLayout)
{
    makePanel(*this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 8, 12, 10);
    column->setSpacing(6);
    m_header->setSpacing(8);
    m_header->addWidget(m_title);
    m_header->addStretch(1);
    m_hint->setWholeOnly();
    m_hint->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed); // the title comes first
    m_hint->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_hint->hide();
    m_header->addWidget(m_hint, 1000); // of what the stretch leaves, for when it is hidden
    m_body->setSpacing(6);
    column->addLayout(m_header);
    column->addLayout(m_body, 1);
}

void Card::setTitle(const QString& title)
{
    m_title->setFullText(title);
    setAccessibleName(title);
}

QString Card::title() const
{
    return m_title->fullText();
}

void Card::setHint(const QString& hint)
{
    m_hint->setFullText(hint);
    m_hint->setVisible(!hint.isEmpty());
}

TextLabel::TextLabel(TextStyle style, QWidget* parent)
    : QLabel(parent)
    , m_style(style)
{
    setWordWrap(true);
    setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    setFocusPolicy(Qt::NoFocus);
    restyle();
}

void TextLabel::setText(const QString& text)
{
    m_lines.clear();
    QLabel::setText(text);
    setFocusPolicy(text.contains(QLatin1String("<a href")) ? Qt::StrongFocus : Qt::NoFocus);
}

void TextLabel::setLines(const QStringList& lines)
{
    setText(lines.join(kLineBreak));
    m_lines = lines;
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
    const StyleRow& row = kStyleRows[std::size_t(m_style)];
    // Asks the application's palette, not its own: its own already carries the old theme's colour.
    const QPalette theme = QGuiApplication::palette();
    QPalette own = theme;
    own.setColor(QPalette::WindowText, themeColor(theme, row.color));
    own.setColor(QPalette::Text, themeColor(theme, row.color));
    setPalette(own);
    const QFont family = row.fixed ? numberFont(QGuiApplication::font()) : QGuiApplication::font();
    QFont font = row.small ? smallFont(family) : family;
    font.setBold(row.bold);
    setFont(font);
    if (!m_lines.empty()) {
        QLabel::setText(colouredLines(m_lines, m_style, themeColor(theme, ColorRole::Good)));
    } else if (const QString shown = text(); shown.contains(QLatin1String("<a href"))) { // a link has its colour from when it was set
        QLabel::setText({});
        QLabel::setText(shown);
    }
    m_restyling = false;
}

ElidedLabel::ElidedLabel(TextStyle style, QWidget* parent)
    : TextLabel(style, parent)
{
    setWordWrap(false);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void ElidedLabel::setFullText(const QString& text)
{
    if (text == m_full)
        return;
    m_full = text;
    setText(text); // what a screen reader reads
    updateGeometry();
    update();
}

QSize ElidedLabel::minimumSizeHint() const
{
    return { std::min(sizeHint().width(), fontMetrics().averageCharWidth() * 8), sizeHint().height() };
}

QSize ElidedLabel::sizeHint() const
{
    static constexpr int kPadding = 4; ///< a style sheet's, above and below
    return { fontMetrics().horizontalAdvance(m_full) + kPadding, fontMetrics().height() + kPadding };
}

void ElidedLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setFont(font());
    painter.setPen(palette().color(foregroundRole()));
    const QString shown = fontMetrics().elidedText(m_full, Qt::ElideRight, width());
    if (shown == m_full || !m_wholeOnly)
        painter.drawText(rect(), int(alignment() | Qt::TextSingleLine), shown);
    if (toolTip().isEmpty() != (shown == m_full))
        setToolTip(shown == m_full ? QString() : m_full);
}

void clearLayout(QLayout& layout)
{
    while (QLayoutItem* item = layout.takeAt(0)) {
        if (item->widget()) {
            item->widget()->hide();
            item->widget()->deleteLater();
        }
        delete item;
    }
}

namespace {

    /// Lies over its parent and lets what is under it shine through.
    class CharacterWidth : public QObject {
    public:
        CharacterWidth(QWidget* widget, int least, int most)
            : QObject(widget)
            , m_least(least)
            , m_most(most)
        {
            widget->installEventFilter(this);
            apply(*widget);
        }

    protected:
        bool eventFilter(QObject* watched, QEvent* event) override
        {
            if (event->type() == QEvent::FontChange)
                apply(static_cast<QWidget&>(*watched));
            return QObject::eventFilter(watched, event);
        }

    private:
        void apply(QWidget& widget) const
        {
            const int character = widget.fontMetrics().averageCharWidth();
            if (m_least > 0)
                widget.setMinimumWidth(character * m_least);
            if (m_most > 0)
                widget.setMaximumWidth(character * m_most);
        }

        int m_least, m_most;
    };

    class Veil : public QWidget {
    public:
        explicit Veil(QWidget* parent)
            : QWidget(parent)
        {
            setAttribute(Qt::WA_TransparentForMouseEvents);
            parent->installEventFilter(this);
            setGeometry(parent->rect());
            show();
            raise();
        }

    protected:
        bool eventFilter(QObject* watched, QEvent* event) override
        {
            if (event->type() == QEvent::Resize)
                setGeometry(parentWidget()->rect());
            else if (event->type() == QEvent::ChildAdded)
                raise();
            return QWidget::eventFilter(watched, event);
        }
        void paintEvent(QPaintEvent*) override
        {
            QColor color = themeColor(QGuiApplication::palette(), ColorRole::Panel);
            color.setAlphaF(0.62F);
            QPainter(this).fillRect(rect(), color);
        }
    };

}

void keepCharacters(QWidget& widget, int least, int most)
{
    new CharacterWidth(&widget, least, most);
}

void setFaded(QWidget& widget, bool faded)
{
    for (QObject* child : widget.children()) {
        if (auto* veil = dynamic_cast<Veil*>(child)) {
            if (!faded)
                delete veil;
            return;
        }
    }
    if (faded)
        new Veil(&widget);
}

} // namespace coalescope::app
