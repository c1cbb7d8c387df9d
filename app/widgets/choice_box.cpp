// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/choice_box.h"

#include <QAbstractItemView>
#include <QKeyEvent>
#include <QStylePainter>

#include <algorithm>

namespace coalescope::app {
namespace {

    constexpr int kPauseMs = 1500; ///< after which another word begins
    constexpr int kWholeMs = 600; ///< after which what is typed counts: on the way to "4090", "4" is another GPU

    /// As a text is compared: people write "rtx4090", "RTX 4090" and "h100-pcie".
    QString comparable(QString text)
    {
        text.remove(QLatin1Char(' ')).remove(QLatin1Char('-'));
        return text.toCaseFolded();
    }

}

ChoiceBox::ChoiceBox(QWidget* parent)
    : CalmBox(parent)
{
    m_chosen.setSingleShot(true);
    m_chosen.setInterval(kWholeMs);
    connect(&m_chosen, &QTimer::timeout, this, &ChoiceBox::tellChosen);
    view()->installEventFilter(this);
}

void ChoiceBox::tellChosen()
{
    m_chosen.stop();
    emit activated(currentIndex());
}

std::optional<int> ChoiceBox::found(const QKeyEvent& key, int current)
{
    const bool isBegun = m_since.isValid() && m_since.elapsed() < kPauseMs && !m_typed.isEmpty();
    const QString text = key.text();
    const bool isText = !text.isEmpty() && text[0].isPrint() && !(key.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
    if (!isText || isEditable() || (!isBegun && text[0].isSpace())) // a blank opens the list
        return {};
    if (!isBegun)
        m_typed.clear();
    m_since.start();
    m_typed += comparable(text);
    return itemWith(m_typed, current);
}

/// One that begins so goes before one that contains it; the same letter again goes on to the next.
int ChoiceBox::itemWith(const QString& typed, int current) const
{
    const bool isRepeated = typed.size() > 1 && typed.count(typed[0]) == typed.size();
    const auto next = [&](const QString& part, int from, bool begins) {
        for (int i = 0; i < count(); ++i) {
            const int at = (from + i) % count();
            const QString text = comparable(itemText(at)), whole = comparable(itemData(at, Qt::ToolTipRole).toString().section(QLatin1Char('\n'), 0, 0));
            if (begins ? text.startsWith(part) : text.contains(part) || whole.contains(part))
                return at;
        }
        return -1;
    };
    const int from = std::max(current, 0) + (typed.size() == 1 ? 1 : 0);
    for (const bool begins : { true, false }) {
        if (const int at = next(typed, from, begins); at >= 0)
            return at;
    }
    return isRepeated ? next(typed.left(1), std::max(current, 0) + 1, true) : -1;
}

void ChoiceBox::keyPressEvent(QKeyEvent* event)
{
    if (m_chosen.isActive() && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)) {
        tellChosen();
        return;
    }
    const std::optional<int> item = found(*event, currentIndex());
    if (!item) {
        CalmBox::keyPressEvent(event);
    } else if (*item >= 0 && *item != currentIndex()) {
        setCurrentIndex(*item);
        m_chosen.start();
    }
}

bool ChoiceBox::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == view() && event->type() == QEvent::KeyPress) {
        const std::optional<int> item = found(*static_cast<QKeyEvent*>(event), view()->currentIndex().row());
        if (item && *item >= 0)
            view()->setCurrentIndex(model()->index(*item, modelColumn(), rootModelIndex()));
        if (item)
            return true;
    }
    return CalmBox::eventFilter(watched, event);
}

void ChoiceBox::focusOutEvent(QFocusEvent* event)
{
    if (m_chosen.isActive())
        tellChosen();
    CalmBox::focusOutEvent(event);
}

void ChoiceBox::paintEvent(QPaintEvent* event)
{
    if (isEditable()) {
        CalmBox::paintEvent(event);
        return;
    }
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    const int room = style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this).width();
    option.currentText = fontMetrics().elidedText(option.currentText, Qt::ElideRight, room);
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

} // namespace coalescope::app
