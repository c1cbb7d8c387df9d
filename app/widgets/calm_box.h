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

    bool event(QEvent* event) override { return isLeft(event) || CalmBox::event(event); }
    bool eventFilter(QObject* watched, QEvent* event) override { return (watched == lineEdit() && isLeft(event)) || CalmBox::eventFilter(watched, event); }

private:
    /// An editor would take these for its own text.
    static bool isLeft(QEvent* event)
    {
        if (event->type() != QEvent::ShortcutOverride)
            return false;
        const auto* const key = static_cast<const QKeyEvent*>(event);
        const bool isUndo = key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo);
        if (isUndo)
            event->ignore();
        return isUndo;
    }
};

} // namespace coalescope::app
