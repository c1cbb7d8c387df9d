// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/widgets/sweep_models.h"

#include <QWidget>

#include <vector>

class QComboBox;
class QHBoxLayout;

namespace coalescope::app {

/// Which axes of a sweep lie across and down, and at which value the others are held. Hidden where
/// there is nothing to choose.
class SweepSelectors : public QWidget {
    Q_OBJECT
public:
    explicit SweepSelectors(QWidget* parent = nullptr);

    enum class Axes { Both, OnlyX };
    /// Builds the boxes for an order; null: none. The look's metric and side are passed on as they are.
    void setLook(const SweepOrder* order, const SweepLook& look, Axes axes);
    [[nodiscard]] QComboBox* sliceBox(int axis) const; ///< null where the axis is x or y

signals:
    void lookChosen(const coalescope::app::SweepLook& look);

private:
    void rebuild();
    void add(const QString& text, QComboBox* box);
    void addAxis(const QString& text, const QString& name, int SweepLook::* axis, int SweepLook::* other);
    void addSlice(std::size_t axis);
    [[nodiscard]] QString labelOfAxis(std::size_t axis) const;

    std::optional<SweepOrder> m_order;
    SweepLook m_look;
    Axes m_axes = Axes::Both;
    QHBoxLayout* m_row;
    std::vector<QComboBox*> m_slices; ///< one an axis
};

} // namespace coalescope::app
