// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeyEvent>
#include <QLineEdit>
#include <QSpinBox>
#include <QWheelEvent>

namespace coalescope::app {

/// A box that the wheel changes only where it has the focus: who scrolls past it chooses nothing.
template <typename Box>
class CalmBox : public Box {
public:
    explicit CalmBox(QWidget* parent = nullptr)
        : Box(parent)
    {
        this->setFocusPolicy(Qt::StrongFocus); // Qt's boxes take it by the wheel, too
    }

protected:
    void wheelEvent(QWheelEvent* event) override
    {
        if (this->hasFocus())
            Box::wheelEvent(event);
        else
            event->ignore();
    }
};

/// Undo is the window's also where the keys go to a number, which is the window's as soon as it is typed.
class NumberBox : public CalmBox<QSpinBox> {
public:
    explicit NumberBox(QWidget* parent = nullptr)
        : CalmBox(parent)
    {
        lineEdit()->installEventFilter(this);
    }

    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (watched == lineEdit() && event->type() == QEvent::ShortcutOverride) {
            const auto* const key = static_cast<const QKeyEvent*>(event);
            if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
                event->ignore(); // an editor takes it for itself
                return true;
            }
        }
        return CalmBox::eventFilter(watched, event);
    }
};

} // namespace coalescope::app
