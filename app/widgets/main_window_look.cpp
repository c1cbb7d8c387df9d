// SPDX-License-Identifier: GPL-3.0-or-later
// How the window looks: its place on the screen, theme, size of text, panels at the sides, language.
#include "app/core/language.h"
#include "app/core/texts.h"
#include "app/widgets/main_window.h"
#include "app/widgets/theme.h"
#include "app/widgets/window_style.h"

#include <QApplication>
#include <QScreen>
#include <QSplitter>
#include <QStackedWidget>
#include <QStatusBar>
#include <QStyle>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace coalescope::app {
namespace {

    constexpr int kLeftLeast = 240, kRightLeast = 358; ///< what their texts of the usual size need

    /// The theme the desktop asks for, read before the program puts its own palette over it.
    ThemeKind systemTheme()
    {
        static const ThemeKind kind = themeOf(QGuiApplication::palette());
        return kind;
    }

} // namespace

void MainWindow::fitToScreen()
{
    if (isMaximized() || isFullScreen())
        return;
    QRect room = screen()->availableGeometry();
    room.setTop(room.top() + style()->pixelMetric(QStyle::PM_TitleBarHeight));
    resize(size().boundedTo(room.size()));
    if (!testAttribute(Qt::WA_Moved)) // it is the desktop's to place
        return;
    const QPoint at(std::max(room.left(), std::min(x(), room.right() + 1 - width())), std::max(room.top(), std::min(y(), room.bottom() + 1 - height())));
    if (at != pos()) // else it would be moved by its frame, which it does not have yet
        move(at);
}

void MainWindow::switchTheme(const QString& theme)
{
    m_settings.theme = theme;
    const ThemeKind desktops = systemTheme(); // the first time, too, whichever is chosen
    const ThemeKind kind = theme == QLatin1String("dark") ? ThemeKind::Dark
        : theme == QLatin1String("light")                 ? ThemeKind::Light
                                                          : desktops;
    applyTheme(*qApp, kind);
    qApp->setStyleSheet(qApp->styleSheet() + windowStyleSheet(QGuiApplication::palette()));
}

void MainWindow::setTextSize(int percent)
{
    const int before = m_settings.textSize;
    percent = std::clamp(percent, kLeastTextSize, kMostTextSize);
    if (percent == before)
        return;
    const QSize chosen = size() == m_grown ? m_chosen : size();
    showTextSize(percent);
    statusBar()->showMessage(tr("Text size: %1").arg(formatPercent(textScale())), 3000);
    fitText(before, chosen);
    QTimer::singleShot(0, this, [this, before, chosen] { fitText(before, chosen); }); // what the panels need is known by then
}

/// Where larger text takes more than the screen has, it gets smaller again; else the window is as large as it was, or as it must be.
void MainWindow::fitText(int before, QSize chosen)
{
    if (m_settings.textSize > before && screen() && minimumSizeHint().width() > std::max(chosen.width(), screen()->availableGeometry().width())) {
        showTextSize(before);
        statusBar()->showMessage(tr("Larger text does not fit this screen."), 3000);
    }
    if (!isMaximized() && !isFullScreen())
        resize(chosen.expandedTo(minimumSizeHint()));
    showSideWidths(); // the smaller window has taken from them
    m_chosen = chosen;
    m_grown = size();
}

void MainWindow::showTextSize(int percent)
{
    m_settings.textSize = percent;
    applyTextSize(*qApp, percent);
    switchTheme(m_settings.theme); // its sizes follow the font
    widenSides();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest); // what the panels need at least now
    showSideWidths();
}

void MainWindow::showSideWidths()
{
    if (m_splitter->widget(0)->isHidden())
        return;
    const int all = m_splitter->contentsRect().width() - 2 * m_splitter->handleWidth();
    const double room = all - m_sides.centre * textScale();
    const double share = std::min(1.0, room / ((m_sides.left + m_sides.right) * textScale()));
    const int right = std::max(qRound(m_sides.right * textScale() * share), m_splitter->widget(2)->minimumWidth());
    const int left = std::max(std::min(qRound(m_sides.left * textScale()), int(room) - right), m_splitter->widget(0)->minimumWidth());
    m_splitter->setSizes({ left, std::max(0, all - left - right), right });
}

void MainWindow::fitCentre()
{
    for (int i = 0; i < m_centre->count(); ++i) {
        const auto policy = i == m_centre->currentIndex() ? QSizePolicy::Preferred : QSizePolicy::Ignored;
        m_centre->widget(i)->setSizePolicy(policy, policy);
    }
}

MainWindow::Sides MainWindow::sidesAtUsualSize() const
{
    const QList<int> sizes = m_splitter->sizes();
    return { sizes[0] / textScale(), sizes[2] / textScale(), std::min(kCentreWanted, sizes[1] / textScale()) };
}

/// The experiment and the comparison; without them the pictures have the window.
void MainWindow::showSides(bool shown)
{
    for (const int side : { 0, 2 })
        m_splitter->widget(side)->setVisible(shown);
    showSideWidths();
}

/// To what their texts need at least; larger text is scrolled to.
void MainWindow::widenSides()
{
    const double scale = std::min(textScale(), 1.0);
    m_splitter->widget(0)->setMinimumWidth(int(kLeftLeast * scale));
    m_splitter->widget(2)->setMinimumWidth(int(kRightLeast * scale * (textScale() > 1 ? 0.8 : 1)));
}

void MainWindow::switchLanguage(const QString& language)
{
    m_language = language;
    m_settings.language = language;
    applyLanguage(language);
}

} // namespace coalescope::app
