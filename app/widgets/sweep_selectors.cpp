// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/sweep_selectors.h"

#include "app/core/texts.h"
#include "app/widgets/card.h"
#include "app/widgets/choice_box.h"

#include <QHBoxLayout>

namespace coalescope::app {

SweepSelectors::SweepSelectors(QWidget* parent)
    : QWidget(parent)
    , m_row(new QHBoxLayout(this))
{
    m_row->setContentsMargins(0, 0, 0, 0);
    m_row->setSpacing(6);
    hide();
}

void SweepSelectors::setLook(const SweepOrder* order, const SweepLook& look, Axes axes)
{
    m_order = order ? std::optional(*order) : std::nullopt;
    m_look = look;
    m_axes = axes;
    rebuild();
}

QComboBox* SweepSelectors::sliceBox(int axis) const
{
    return axis >= 0 && axis < int(m_slices.size()) ? m_slices[std::size_t(axis)] : nullptr;
}

QString SweepSelectors::labelOfAxis(std::size_t axis) const
{
    return labelOfParameter(*m_order->spec, m_order->request.axes[axis].name);
}

void SweepSelectors::rebuild()
{
    clearLayout(*m_row);
    const std::size_t count = m_order ? m_order->request.axes.size() : 0;
    m_slices.assign(count, nullptr);
    const bool both = m_axes == Axes::Both;
    setVisible(count > 1);
    if (isHidden())
        return;
    addAxis(both ? tr("across") : tr("along"), QStringLiteral("sweepX"), &SweepLook::x, &SweepLook::y);
    if (both)
        addAxis(tr("down"), QStringLiteral("sweepY"), &SweepLook::y, &SweepLook::x);
    for (std::size_t i = 0; i < count; ++i) {
        if (int(i) != m_look.x && !(both && int(i) == m_look.y))
            addSlice(i);
    }
    m_row->addStretch(1);
}

void SweepSelectors::add(const QString& text, QComboBox* box)
{
    auto* label = new TextLabel(TextStyle::Small);
    label->setWordWrap(false);
    label->setText(text);
    label->setBuddy(box);
    box->setAccessibleName(text);
    m_row->addWidget(label);
    m_row->addWidget(box);
}

void SweepSelectors::addAxis(const QString& text, const QString& name, int SweepLook::* axis, int SweepLook::* other)
{
    auto* box = new ChoiceBox;
    box->setObjectName(name);
    for (std::size_t i = 0; i < m_order->request.axes.size(); ++i)
        box->addItem(labelOfAxis(i));
    box->setCurrentIndex(m_look.*axis);
    connect(box, &QComboBox::activated, this, [this, axis, other](int chosen) {
        if (chosen == m_look.*other)
            m_look.*other = m_look.*axis; // they change places
        m_look.*axis = chosen;
        emit lookChosen(m_look);
        QMetaObject::invokeMethod(this, &SweepSelectors::rebuild, Qt::QueuedConnection); // this box goes too
    });
    add(text, box);
}

void SweepSelectors::addSlice(std::size_t axis)
{
    auto* box = new ChoiceBox;
    box->setObjectName(QStringLiteral("sweepSlice%1").arg(axis));
    const kernels::SweepAxis& values = m_order->request.axes[axis];
    for (const std::string& value : values.values)
        box->addItem(valueText(*m_order->spec, values.name, value));
    box->setCurrentIndex(int(m_look.slice[axis]));
    connect(box, &QComboBox::activated, this, [this, axis](int value) {
        m_look.slice[axis] = std::size_t(value);
        emit lookChosen(m_look);
    });
    add(labelOfAxis(axis), box);
    m_slices[axis] = box;
}

} // namespace coalescope::app
