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

/// Undo and redo, which an editor would take for its own text, are left to the window.
inline bool isLeftToWindow(QEvent* event)
{
    if (event->type() != QEvent::ShortcutOverride)
        return false;
    const auto* const key = static_cast<const QKeyEvent*>(event);
    const bool isUndo = key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo);
    if (isUndo)
        event->ignore();
    return isUndo;
}

/// Undo is the window's also where the keys go to a number, which is the window's as soon as it is typed.
class NumberBox : public CalmBox<QSpinBox> {
public:
    explicit NumberBox(QWidget* parent = nullptr)
        : CalmBox(parent)
    {
        lineEdit()->installEventFilter(this);
    }

    bool event(QEvent* event) override { return isLeftToWindow(event) || CalmBox::event(event); }
    bool eventFilter(QObject* watched, QEvent* event) override { return (watched == lineEdit() && isLeftToWindow(event)) || CalmBox::eventFilter(watched, event); }
};

} // namespace coalescope::app
