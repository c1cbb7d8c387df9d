// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QLabel>
#include <QPalette>
#include <QStringList>

class QHBoxLayout;
class QLayout;
class QVBoxLayout;

namespace coalescope::app {

/// What a text is for decides its colour and size.
enum class TextStyle { Normal, Strong, Muted, Small, Good, Warn, Bad, BadLog };

/// A label that wraps and follows the theme. Tab stops at it only where it holds a link.
class TextLabel : public QLabel {
    Q_OBJECT
public:
    explicit TextLabel(TextStyle style = TextStyle::Normal, QWidget* parent = nullptr);
    void setText(const QString& text);
    /// Lines of rich text; among warnings what went well, which begins with a check mark, keeps the colour of that.
    void setLines(const QStringList& lines);
    void setTextStyle(TextStyle style);

protected:
    void changeEvent(QEvent* event) override;

private:
    void restyle();

    TextStyle m_style;
    QStringList m_lines; ///< empty: a text that is no list of lines
    bool m_restyling = false;
};

/// A label of one line that is cut with an ellipsis where it does not fit; the whole is the tooltip.
class ElidedLabel : public TextLabel {
    Q_OBJECT
public:
    explicit ElidedLabel(TextStyle style = TextStyle::Normal, QWidget* parent = nullptr);
    void setFullText(const QString& text);
    /// Shows nothing where not all fits: for a text whose figures must not be cut.
    void setWholeOnly() { m_wholeOnly = true; }
    [[nodiscard]] const QString& fullText() const { return m_full; }
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_full;
    bool m_wholeOnly = false;
};

/// A quiet panel with a title, a hint on the right of it, and a body.
class Card : public QFrame {
    Q_OBJECT
public:
    explicit Card(QWidget* parent = nullptr);

    void setTitle(const QString& title);
    void setHint(const QString& hint);
    [[nodiscard]] QString title() const;
    [[nodiscard]] QVBoxLayout* body() const { return m_body; }
    [[nodiscard]] QHBoxLayout* header() const { return m_header; } ///< controls go behind the hint

private:
    ElidedLabel* m_title;
    ElidedLabel* m_hint;
    QHBoxLayout* m_header;
    QVBoxLayout* m_body;
};

/// Takes all widgets out of a layout; they go once their signals have returned.
void clearLayout(QLayout& layout);

/// Keeps a widget at least, or at most, as wide as so many characters of its font, whatever size that gets; 0: no limit.
void keepCharacters(QWidget& widget, int least, int most = 0);

/// Greys a part of the window whose content is not of what is typed.
void setFaded(QWidget& widget, bool faded);

} // namespace coalescope::app
