// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/widgets/calm_box.h"

#include <QComboBox>
#include <QElapsedTimer>
#include <QTimer>

#include <optional>

namespace coalescope::app {

/// A combo box whose text is elided rather than cut, and that finds what is typed anywhere in its items, or in
/// the first lines of their tooltips: "4090" as well as "GeForce RTX 4090".
class ChoiceBox : public CalmBox<QComboBox> {
    Q_OBJECT
public:
    explicit ChoiceBox(QWidget* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override; ///< of the list, while it is open
    void focusOutEvent(QFocusEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    /// The item that what is typed so far means; -1: none. Nothing where the key is no text.
    [[nodiscard]] std::optional<int> found(const QKeyEvent& key, int current);
    [[nodiscard]] int itemWith(const QString& typed, int current) const;
    void tellChosen();

    QString m_typed; ///< of one word, without blanks and dashes
    QElapsedTimer m_since; ///< its last key
    QTimer m_chosen; ///< until what is typed is taken to be whole
};

} // namespace coalescope::app
