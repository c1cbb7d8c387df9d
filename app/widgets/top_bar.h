// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/widgets/kernel_chooser.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QMenuBar;
class QPushButton;
class QTabBar;

namespace coalescope::app {

/// The tab of a name that the command line knows: "warp", "source", "sweep", "pay"; 0 for any other.
[[nodiscard]] int tabNamed(const QString& name);
[[nodiscard]] QStringList tabNames();

/// What the run button is for at the moment.
struct RunState {
    bool running = false;
    QString target; ///< shown on the button; empty: this machine
    QString whyNot; ///< why it is off; empty: it is on
};

/// The bar above the panels: kernel, device, run, tabs, language, theme, help.
class TopBar : public QWidget {
    Q_OBJECT
public:
    explicit TopBar(QWidget* parent = nullptr);

    void setSpec(const SpecPointer& spec) { m_chooser->setSpec(spec); }
    void setDevice(const QString& device);
    void setRunState(const RunState& state);
    void setTab(int tab);

    [[nodiscard]] KernelChooser* chooser() const { return m_chooser; }
    [[nodiscard]] QComboBox* deviceBox() const { return m_device; }
    [[nodiscard]] QPushButton* runButton() const { return m_run; }
    [[nodiscard]] QTabBar* tabs() const { return m_tabs; }
    [[nodiscard]] QMenuBar* menuBar() const { return m_menus; }
    [[nodiscard]] QToolButton* languageButton() const { return m_language; }
    [[nodiscard]] QToolButton* themeButton() const { return m_theme; }

signals:
    void deviceChosen(const QString& device);
    void runAsked();
    void cancelAsked();
    void tabChosen(int tab);
    void languageAsked(); ///< the other one
    void themeAsked(); ///< the other one
    void helpAsked();

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit();
    void retranslate();
    void nameRun(); ///< by a sign alone where it is tight
    void tellDevice(); ///< the one chosen, in the tooltip of the box: its text may be cut
    void nameDevices(); ///< measured or not is part of each device's text

    QLabel* m_name;
    KernelChooser* m_chooser;
    QComboBox* m_device;
    QPushButton* m_run;
    QTabBar* m_tabs;
    QMenuBar* m_menus;
    QToolButton* m_language;
    QToolButton* m_theme;
    QToolButton* m_help;
    RunState m_state;
    bool m_isTight = false; ///< for its text
};

} // namespace coalescope::app
