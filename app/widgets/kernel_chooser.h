// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/core/experiment.h"

#include <QFrame>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QStandardItemModel>
#include <QToolButton>

#include <vector>

namespace coalescope::app {

/// The list of kernels under the chooser, filtered while the user types.
class KernelPopup : public QFrame {
    Q_OBJECT
public:
    explicit KernelPopup(QWidget* parent = nullptr);

    void setFileKernels(std::vector<SpecPointer> kernels); ///< of the file opened last, shown before the catalogue's
    void openAt(const QRect& anchor, const SpecPointer& current); ///< anchor in global coordinates
    [[nodiscard]] QLineEdit* search() const { return m_search; }
    [[nodiscard]] QListView* list() const { return m_list; }

signals:
    void kernelChosen(const SpecPointer& spec);
    void openFileAsked();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill(const SpecPointer& current);
    void append(const kernels::KernelSpec& spec, const QString& name, const QString& title, bool isCurrent);
    void filter(const QString& text);
    void move(int rows); ///< among those that are shown
    void choose(const QModelIndex& index);

    QLineEdit* m_search;
    QListView* m_list;
    QLabel* m_none;
    QStandardItemModel* m_model;
    std::vector<SpecPointer> m_ofFile;
};

/// Shows the chosen kernel and opens the list.
class KernelChooser : public QToolButton {
    Q_OBJECT
public:
    explicit KernelChooser(QWidget* parent = nullptr);

    void setSpec(SpecPointer spec);
    [[nodiscard]] KernelPopup* popup() const { return m_popup; }
    void openPopup();
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void kernelChosen(const SpecPointer& spec);
    void openFileAsked();

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void retranslate();

    SpecPointer m_spec;
    KernelPopup* m_popup;
};

} // namespace coalescope::app
