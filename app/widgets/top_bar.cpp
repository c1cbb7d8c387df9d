// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/top_bar.h"

#include "analysis/device/device_model.h"
#include "app/core/language.h"
#include "app/core/texts.h"
#include "app/widgets/card.h"
#include "app/widgets/choice_box.h"
#include "app/widgets/theme.h"

#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenuBar>
#include <QPushButton>
#include <QTabBar>

#include <algorithm>
#include <array>
#include <utility>

namespace coalescope::app {
namespace {

    constexpr int kNameChars = 190; ///< of width below which the product's name goes
    constexpr int kKernelChars = 36; ///< of the chooser then: "transpose_shared_multi"
    constexpr int kTightChars = 158; ///< of width below which all but the choosers and the tabs makes itself small
    constexpr int kTightKernelChars = 16;

    struct Tab {
        const char* name; ///< as the command line takes it
        const char* title;
    };
    constexpr std::array kTabs {
        Tab { "warp", QT_TRANSLATE_NOOP("coalescope::app::TopBar", "Warp") },
        Tab { "source", QT_TRANSLATE_NOOP("coalescope::app::TopBar", "Source") },
        Tab { "sweep", QT_TRANSLATE_NOOP("coalescope::app::TopBar", "Sweep") },
        Tab { "pay", QT_TRANSLATE_NOOP("coalescope::app::TopBar", "Does it pay?") },
    };

    QToolButton* quietButton(const QString& name)
    {
        auto* button = new QToolButton;
        button->setObjectName(name);
        button->setProperty("quiet", true);
        button->setFocusPolicy(Qt::StrongFocus);
        return button;
    }

}

int tabNamed(const QString& name)
{
    const auto* const found = std::ranges::find(kTabs, name, [](const Tab& tab) { return QString::fromLatin1(tab.name); });
    return found == kTabs.end() ? 0 : int(found - kTabs.begin());
}

QStringList tabNames()
{
    QStringList names;
    for (const Tab& tab : kTabs)
        names << QString::fromLatin1(tab.name);
    return names;
}

TopBar::TopBar(QWidget* parent)
    : QWidget(parent)
    , m_name(new QLabel(QStringLiteral("Coalescope")))
    , m_chooser(new KernelChooser)
    , m_device(new ChoiceBox)
    , m_run(new QPushButton)
    , m_tabs(new QTabBar)
    , m_menus(new QMenuBar)
    , m_language(quietButton(QStringLiteral("language")))
    , m_theme(quietButton(QStringLiteral("theme")))
    , m_help(quietButton(QStringLiteral("help")))
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 6, 12, 6);
    row->setSpacing(8);
    m_name->setObjectName(QStringLiteral("productName"));
    m_device->setObjectName(QStringLiteral("device"));
    for (const analysis::DeviceModel* device : analysis::knownDevices())
        m_device->addItem(QString::fromUtf8(device->fullName), QString::fromUtf8(device->name));
    m_device->setMinimumContentsLength(9);
    m_device->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_run->setObjectName(QStringLiteral("run"));
    m_run->setProperty("primary", true);
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setUsesScrollButtons(false); // the other controls give way
    m_tabs->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    m_tabs->setObjectName(QStringLiteral("tabs"));
    for (std::size_t i = 0; i < kTabs.size(); ++i)
        m_tabs->addTab(QString());
    m_menus->setNativeMenuBar(false);
    m_menus->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    keepCharacters(*m_menus, 5); // what does not fit goes behind its »
    if (auto* more = m_menus->findChild<QToolButton*>(QStringLiteral("qt_menubar_ext_button"))) {
        more->setIcon({}); // the style's arrow is black in every theme
        more->setText(QStringLiteral("»"));
        more->setToolButtonStyle(Qt::ToolButtonTextOnly);
    }
    m_theme->setText(QString(QChar(0x25d0)));
    m_help->setText(QStringLiteral("?"));
    m_name->hide(); // until there is room
    row->addWidget(m_name);
    keepCharacters(*m_chooser, 0, 64);
    row->addWidget(m_chooser, 20);
    keepCharacters(*m_device, 0, 36); // "NVIDIA H100 PCIe (data sheet)"
    row->addWidget(m_device, 12);
    row->addWidget(m_run);
    row->addWidget(m_tabs);
    row->addStretch(1);
    row->addWidget(m_menus, 0, Qt::AlignVCenter);
    row->addWidget(m_language);
    row->addWidget(m_theme);
    row->addWidget(m_help);
    connect(m_device, &QComboBox::activated, this,
        [this](int index) { emit deviceChosen(m_device->itemData(index).toString()); });
    connect(m_run, &QPushButton::clicked, this, [this] {
        if (m_state.running)
            emit cancelAsked();
        else
            emit runAsked();
    });
    connect(m_tabs, &QTabBar::currentChanged, this, &TopBar::tabChosen);
    connect(m_language, &QToolButton::clicked, this, &TopBar::languageAsked);
    connect(m_theme, &QToolButton::clicked, this, &TopBar::themeAsked);
    connect(m_help, &QToolButton::clicked, this, &TopBar::helpAsked);
    retranslate();
}

void TopBar::setDevice(const QString& device)
{
    const QSignalBlocker quiet(m_device);
    m_device->setCurrentIndex(m_device->findData(device));
    tellDevice();
}

void TopBar::setRunState(const RunState& state)
{
    m_state = state;
    retranslate();
}

void TopBar::setTab(int tab)
{
    m_tabs->setCurrentIndex(tab);
}

void TopBar::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange)
        retranslate();
    else if (event->type() == QEvent::FontChange)
        fit();
}

void TopBar::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fit();
}

/// The window's title has the product's name, and the kernel's needs the room.
void TopBar::fit()
{
    const int character = fontMetrics().averageCharWidth();
    m_name->setVisible(width() >= character * kNameChars);
    const bool isTight = width() < character * kTightChars;
    for (QToolButton* button : { m_language, m_theme, m_help }) // the menus have them, too
        button->setVisible(!isTight);
    if (std::exchange(m_isTight, isTight) != isTight)
        nameRun();
    m_device->setMinimumContentsLength(isTight ? 4 : 9);
    m_chooser->setMinimumWidth(m_name->isHidden() ? character * (isTight ? kTightKernelChars : kKernelChars) : 0);
    static constexpr int kArrow = 40; ///< and its margins
    m_device->setMinimumWidth(m_name->isHidden() ? 0 : m_device->fontMetrics().horizontalAdvance(m_device->currentText()) + kArrow);
}

void TopBar::retranslate()
{
    const QPalette theme = QGuiApplication::palette();
    m_name->setText(QStringLiteral("<span style=\"color:%1; font-weight:bold; font-size:large\">Coalescope</span>")
                        .arg(themeColor(theme, ColorRole::Accent).name()));
    nameRun();
    m_run->setEnabled(m_state.running || m_state.whyNot.isEmpty());
    m_run->setToolTip(m_state.running      ? tr("End the run (Esc)")
            : m_state.whyNot.isEmpty() ? tr("Measure this launch: verified, timed, counted (Ctrl+R)")
                                       : m_state.whyNot);
    m_run->setAccessibleDescription(m_run->toolTip());
    for (int i = 0; i < int(kTabs.size()); ++i)
        m_tabs->setTabText(i, tr(kTabs[std::size_t(i)].title));
    m_tabs->setAccessibleName(tr("Views"));
    m_device->setAccessibleName(tr("Device"));
    nameDevices();
    const bool chinese = currentLanguage() == QLatin1String("zh_CN");
    m_language->setText(chinese ? QStringLiteral("English") : QStringLiteral("中文"));
    m_language->setToolTip(chinese ? QStringLiteral("Switch to English") : QStringLiteral("切换到中文"));
    m_language->setAccessibleName(tr("Language"));
    m_theme->setToolTip(tr("Light or dark"));
    m_theme->setAccessibleName(tr("Theme"));
    m_help->setToolTip(tr("Keys and words (F1)"));
    m_help->setAccessibleName(tr("Help"));
}

void TopBar::nameRun()
{
    const QString text = m_state.running ? tr("&Cancel") : m_state.target.isEmpty() ? tr("&Run on GPU") : tr("&Run: %1").arg(m_state.target);
    const QString sign = m_state.running ? QStringLiteral("■") : QStringLiteral("▶");
    m_run->setText(m_isTight ? sign : m_state.running ? text : sign + QLatin1Char(' ') + text);
    m_run->setAccessibleName(QString(text).remove(QLatin1Char('&')));
}

void TopBar::nameDevices()
{
    const auto devices = analysis::knownDevices();
    for (int i = 0; i < m_device->count(); ++i) {
        const analysis::DeviceModel& device = *devices[std::size_t(i)];
        const QString name = deviceName(QString::fromUtf8(device.name));
        m_device->setItemText(i, device.verified ? name : tr("%1 (data sheet)").arg(name));
        const QString rates = device.verified ? tr("Its rates: %1").arg(QString::fromUtf8(device.origin))
                                              : tr("Its rates are its data sheet's; \"coalescope calibrate\" measures them");
        m_device->setItemData(i, QString::fromUtf8(device.fullName) + QLatin1Char('\n') + rates, Qt::ToolTipRole);
    }
    tellDevice();
}

void TopBar::tellDevice()
{
    m_device->setToolTip(tr("The GPU that the prediction is for") + QLatin1Char('\n') + m_device->currentData(Qt::ToolTipRole).toString());
    fit();
}

} // namespace coalescope::app
