// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/companion_card.h"

#include "app/views/banks/banks_view.h"
#include "app/views/reading/reading.h"
#include "app/views/sectors/sectors_view.h"
#include "app/widgets/warp_models.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace coalescope::app {

int companionOf(const std::vector<analysis::TraceStep>& steps, int index)
{
    if (index < 0 || index >= int(steps.size()) || steps[std::size_t(index)].kind != analysis::TraceKind::Access)
        return -1;
    const analysis::WarpAccess& chosen = steps[std::size_t(index)].access;
    const auto nearest = [&](auto matches) {
        for (int distance = 1; distance < int(steps.size()); ++distance) {
            for (const int at : { index + distance, index - distance }) {
                if (at >= 0 && at < int(steps.size()) && steps[std::size_t(at)].kind == analysis::TraceKind::Access
                    && matches(steps[std::size_t(at)].access))
                    return at;
            }
        }
        return -1;
    };
    const bool shared = chosen.space == analysis::Space::Shared;
    const int other = nearest([&](const analysis::WarpAccess& access) {
        return (access.space == analysis::Space::Shared) != shared;
    });
    return other >= 0 ? other : nearest([&](const analysis::WarpAccess& access) { return access.op != chosen.op; });
}

CompanionCard::CompanionCard(QWidget* parent)
    : Card(parent)
    , m_sentence(new TextLabel(TextStyle::Muted))
    , m_stack(new QStackedWidget)
    , m_banks(new BankView)
    , m_sectors(new SectorView)
    , m_show(new QToolButton)
{
    setObjectName(QStringLiteral("companion"));
    m_banks->setObjectName(QStringLiteral("companionBanks"));
    m_sectors->setObjectName(QStringLiteral("companionSectors"));
    m_show->setProperty("quiet", true);
    m_show->setObjectName(QStringLiteral("showCompanion"));
    header()->addWidget(m_show);
    m_stack->addWidget(m_banks);
    m_stack->addWidget(m_sectors);
    body()->addWidget(m_sentence);
    body()->addWidget(m_stack, 1);
    connect(m_show, &QToolButton::clicked, this, [this] { emit stepAsked(m_step); });
    connect(m_banks, &BankView::laneHovered, this, &CompanionCard::laneHovered);
    connect(m_sectors, &SectorView::laneHovered, this, &CompanionCard::laneHovered);
    retranslate();
}

void CompanionCard::setStep(const Predicted& predicted, const analysis::TraceStep& step, int index)
{
    m_step = index;
    setTitle(titleOfStep(predicted, step));
    m_sentence->setText(readAccess(step.access).sentence);
    if (step.access.space == analysis::Space::Shared) {
        m_banks->setAccess(step.access);
        m_stack->setCurrentWidget(m_banks);
    } else {
        m_sectors->setAccess(step.access);
        m_stack->setCurrentWidget(m_sectors);
    }
}

void CompanionCard::setHoveredLane(int lane)
{
    m_banks->setHoveredLane(lane);
    m_sectors->setHoveredLane(lane);
}

std::size_t CompanionCard::rows() const
{
    return m_stack->currentWidget() == m_banks ? m_banks->model().wavefronts.size() : m_sectors->model().lines.size();
}

CompanionCard::Height CompanionCard::heightFor(const analysis::WarpAccess& access, int width) const
{
    constexpr qreal kLeastRow = 4;
    const TextMetrics text = textMetrics(font());
    const qreal frame = 3 * text.line + 30; // title, sentence, margins
    if (access.space == analysis::Space::Shared) {
        const auto rows = qreal(std::max<std::size_t>(2, analysis::wavefronts(access).size()));
        const auto height = [&](qreal row) { return int(frame + 5 * text.line + row * rows); };
        return { height(std::max(kLeastRow, std::floor(text.line * 0.55))), height(kLeastRow) };
    }
    const auto lines = int(SectorModel::of(access).lines.size());
    const QSizeF room(width, lines > 4 ? 0 : 4.5 * text.line);
    const int height = int(frame + std::ceil(layoutSectors(lines, room, text).contentHeight) + 4);
    return { height, height };
}

void CompanionCard::changeEvent(QEvent* event)
{
    Card::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        retranslate();
}

void CompanionCard::retranslate()
{
    m_show->setText(tr("look at this"));
    m_show->setAccessibleName(tr("Choose this instruction"));
    m_show->setToolTip(m_show->accessibleName());
}

} // namespace coalescope::app
