// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

using NumberBox = CalmBox<QSpinBox>;

} // namespace coalescope::app
