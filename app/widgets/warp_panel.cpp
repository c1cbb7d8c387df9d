// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/warp_panel.h"

#include "app/views/banks/banks_view.h"
#include "app/views/block/block_view.h"
#include "app/views/lane/lane_view.h"
#include "app/views/reading/reading.h"
#include "app/views/sectors/sectors_view.h"
#include "app/views/strip/strip_view.h"
#include "app/widgets/calm_box.h"
#include "app/widgets/companion_card.h"
#include "app/widgets/warp_models.h"

#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <set>

namespace coalescope::app {
namespace {

    /// What is typed beyond the range becomes its end, in place of the number that is left when a digit is swallowed.
    class RangeSpinBox : public NumberBox {
    public:
        RangeSpinBox() { setCorrectionMode(CorrectToNearestValue); }

    protected:
        QValidator::State validate(QString& text, int& position) const override
        {
            return std::max(QSpinBox::validate(text, position), QValidator::Intermediate);
        }
        void fixup(QString& text) const override
        {
            bool isNumber = false;
            const qlonglong typed = locale().toLongLong(text, &isNumber);
            text = locale().toString(isNumber ? int(std::clamp<qlonglong>(typed, minimum(), maximum())) : value());
        }
    };

    constexpr int kProgressSteps = 1000;
    constexpr std::size_t kFewLines = 4; ///< cache lines that leave room below
    constexpr qreal kBlockLines = 10, kMoreBlockLines = 4; ///< the block's card is so many lines of text high, at most so many more

    /// The step, or where it is a barrier the nearest access; -1: none.
    int accessNear(const std::vector<analysis::TraceStep>& steps, int step)
    {
        const int last = int(steps.size()) - 1, at = std::clamp(step, 0, std::max(0, last));
        for (int distance = 0; distance <= last; ++distance)
            for (const int near : { at - distance, at + distance })
                if (near >= 0 && near <= last && steps[std::size_t(near)].kind == analysis::TraceKind::Access)
                    return near;
        return -1;
    }

    QSpinBox* smallSpin(const QString& name, int characters = 8)
    {
        auto* spin = new RangeSpinBox;
        spin->setObjectName(name);
        spin->setRange(0, 0);
        keepCharacters(*spin, characters);
        return spin;
    }

    /// The block's first warp with accesses; where it has none and is the grid's first, a block in the middle.
    Selection whereMemoryIsTouched(Selection selection, const analysis::BlockTrace& trace, const analysis::Dim3& grid)
    {
        const auto busy = std::ranges::find_if(trace.warps, [](const auto& steps) { return !steps.empty(); });
        if (busy != trace.warps.end())
            selection.warp = int(busy - trace.warps.begin());
        else if (selection.block == analysis::Dim3 { 0, 0, 0 })
            selection.block = { grid.x / 2, grid.y / 2, grid.z / 2 };
        return selection;
    }

}

WarpPanel::WarpPanel(Experiment* experiment, Predictor* predictor, QWidget* parent)
    : QWidget(parent)
    , m_experiment(experiment)
    , m_predictor(predictor)
    , m_banner(new TextLabel(TextStyle::Bad))
    , m_progress(new QProgressBar)
    , m_cancel(new QPushButton)
    , m_body(new QWidget)
    , m_blockCard(new Card)
    , m_blockLabel(new TextLabel(TextStyle::Small))
    , m_warpLabel(new TextLabel(TextStyle::Small))
    , m_warpSpin(smallSpin(QStringLiteral("warp"), 7)) // a block has 32 at most
    , m_blockView(new BlockView)
    , m_strip(new InstructionStrip)
    , m_accessCard(new Card)
    , m_lineButton(new QToolButton)
    , m_sentence(new TextLabel(TextStyle::Normal))
    , m_remark(new TextLabel(TextStyle::Muted))
    , m_stack(new QStackedWidget)
    , m_bankView(new BankView)
    , m_sectorView(new SectorView)
    , m_noPicture(new QWidget)
    , m_laneView(new LaneDetailView)
    , m_companion(new CompanionCard)
{
    auto* layers = new QGridLayout(this);
    layers->setContentsMargins(0, 0, 0, 0);
    m_banner->setObjectName(QStringLiteral("banner"));
    m_banner->setMargin(6);
    m_banner->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // a compiler's longest word is no reason to take from the sides
    m_banner->setTextFormat(Qt::PlainText); // the arguments of a template are no tags
    // What is said lies over the pictures, which are not of what is typed: they stay where they are.
    layers->addWidget(m_body, 0, 0);
    for (QWidget* over : std::initializer_list<QWidget*> { m_banner, m_progress, m_cancel }) {
        over->setParent(this);
        over->raise();
        over->hide();
    }
    m_progress->setRange(0, kProgressSteps);
    m_progress->setTextVisible(false);
    m_cancel->setObjectName(QStringLiteral("cancelPrediction"));
    connect(m_cancel, &QPushButton::clicked, this, &WarpPanel::cancelAsked);
    m_cards = new QVBoxLayout(m_body);
    m_cards->setContentsMargins(0, 0, 0, 0);
    m_cards->setSpacing(8);
    buildBlockCard();
    buildAccessCard();
    m_cards->addWidget(m_blockCard);
    m_cards->addWidget(m_accessCard, 5);
    m_cards->addWidget(m_companion, 0);
    m_companion->hide();
    connectViews();
    retranslate();
}

void WarpPanel::buildBlockCard()
{
    m_blockLabel->setWordWrap(false);
    m_warpLabel->setWordWrap(false);
    m_blockCard->header()->addWidget(m_blockLabel);
    for (int axis = 0; axis < 3; ++axis) {
        m_blockSpin[std::size_t(axis)] = smallSpin(QStringLiteral("block_%1").arg(QLatin1Char("xyz"[axis])));
        m_blockCard->header()->addWidget(m_blockSpin[std::size_t(axis)]);
    }
    m_blockCard->header()->addWidget(m_warpLabel);
    m_blockCard->header()->addWidget(m_warpSpin);
    auto* row = new QHBoxLayout;
    row->setSpacing(14);
    m_blockView->setObjectName(QStringLiteral("blockView"));
    m_strip->setObjectName(QStringLiteral("strip"));
    m_blockView->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
    row->addWidget(m_blockView, 2);
    row->addWidget(m_strip, 9);
    m_blockCard->body()->addLayout(row, 1);
}

void WarpPanel::buildAccessCard()
{
    m_lineButton->setProperty("quiet", true);
    m_lineButton->setObjectName(QStringLiteral("showLine"));
    m_accessCard->header()->addWidget(m_lineButton);
    m_bankView->setObjectName(QStringLiteral("bankView"));
    m_sectorView->setObjectName(QStringLiteral("sectorView"));
    m_laneView->setObjectName(QStringLiteral("laneView"));
    m_stack->addWidget(m_bankView);
    m_stack->addWidget(m_sectorView);
    m_stack->addWidget(m_noPicture);
    m_stack->setCurrentWidget(m_noPicture);
    m_accessCard->body()->addWidget(m_sentence);
    m_accessCard->body()->addWidget(m_remark);
    m_pictureRow = new QHBoxLayout;
    m_pictureRow->setSpacing(14);
    m_pictureRow->addWidget(m_stack);
    m_pictureRow->addWidget(m_laneView);
    m_accessCard->body()->addLayout(m_pictureRow, 1);
    arrange(true);
}

void WarpPanel::connectViews()
{
    for (QSpinBox* spin : m_blockSpin) {
        connect(spin, &QSpinBox::valueChanged, this, &WarpPanel::chooseBlock);
        spin->hide(); // until there is more than one to choose
    }
    const auto chooseWarp = [this](int warp) {
        if (m_showing)
            return;
        Selection next = m_experiment->selection();
        next.warp = warp;
        m_experiment->setSelection(next);
    };
    connect(m_warpSpin, &QSpinBox::valueChanged, this, chooseWarp);
    connect(m_blockView, &BlockView::warpChosen, this, chooseWarp);
    connect(m_blockView, &BlockView::threadHovered, this, [this](int x, int y, int z) {
        const analysis::Dim3 block = m_blockView->model().block;
        const int flat = x < 0 ? -1 : int(x + (y + z * block.y) * block.x);
        const int first = m_blockView->model().warp * analysis::kWarpLanes;
        hoverLane(flat >= first && flat < first + analysis::kWarpLanes ? flat - first : -1);
    });
    connect(m_strip, &InstructionStrip::stepChosen, this, &WarpPanel::chooseStep);
    connect(m_bankView, &BankView::laneHovered, this, &WarpPanel::hoverLane);
    connect(m_sectorView, &SectorView::laneHovered, this, &WarpPanel::hoverLane);
    connect(m_companion, &CompanionCard::laneHovered, this, &WarpPanel::hoverLane);
    for (BankView* banks : { m_bankView, m_companion->bankView() })
        connect(banks, &BankView::laneChosen, this, [this, banks](int lane) { chooseLane(lane, banks); });
    const auto choose = [this](int lane) { chooseLane(lane, nullptr); };
    for (SectorView* sectors : { m_sectorView, m_companion->sectorView() })
        connect(sectors, &SectorView::laneChosen, this, choose);
    connect(m_blockView, &BlockView::laneChosen, this, choose);
    connect(m_experiment, &Experiment::kernelChanged, this, [this] { chooseLane(-1, nullptr); });
    connect(m_companion, &CompanionCard::stepAsked, this, [this](int step) {
        chooseStep(step);
        m_strip->setFocus(); // the button has gone to another instruction
    });
    connect(m_lineButton, &QToolButton::clicked, this, [this] { emit lineAsked(m_lineButton->property("line").toInt()); });
    connect(m_experiment, &Experiment::selectionChanged, this, [this] {
        const auto& trace = m_predictor->trace();
        if (trace && trace->block == m_experiment->selection().block)
            showBlock();
    });
}

void WarpPanel::chooseBlock()
{
    if (m_showing)
        return;
    Selection next = m_experiment->selection();
    next.block = { std::uint32_t(m_blockSpin[0]->value()), std::uint32_t(m_blockSpin[1]->value()),
        std::uint32_t(m_blockSpin[2]->value()) };
    m_experiment->setSelection(next);
}

void WarpPanel::chooseStep(int step)
{
    Selection next = m_experiment->selection();
    next.step = step;
    m_experiment->setSelection(next);
}

const std::vector<analysis::TraceStep>* WarpPanel::steps() const
{
    const auto& trace = m_predictor->trace();
    if (!trace || trace->warps.empty())
        return nullptr;
    const int last = int(trace->warps.size()) - 1;
    return &trace->warps[std::size_t(std::clamp(m_experiment->selection().warp, 0, last))];
}

void WarpPanel::stepBy(int steps)
{
    const auto* all = this->steps();
    if (!all || all->empty())
        return;
    chooseStep(std::clamp(m_experiment->selection().step + steps, 0, int(all->size()) - 1));
}

/// Where a step stands in the code, which stays when another shape moves it.
WarpPanel::Place WarpPanel::placeOf(const std::vector<analysis::TraceStep>& steps, int step) const
{
    const analysis::TraceStep& at = steps[std::size_t(step)];
    Place place { .kernel = m_experiment->state().spec->id, .warp = m_experiment->selection().warp, .step = step, .kind = kindOf(at) };
    place.before = int(std::count_if(steps.begin(), steps.begin() + step, [&](const analysis::TraceStep& other) { return kindOf(other) == place.kind; }));
    return place;
}

int WarpPanel::stepOf(const Place& place, const std::vector<analysis::TraceStep>& steps) const
{
    int found = place.step, before = 0;
    for (std::size_t i = 0; i < steps.size() && before <= place.before; ++i) {
        if (kindOf(steps[i]) != place.kind)
            continue;
        found = int(i);
        ++before;
    }
    return found;
}

/// Its line, and what it does to which memory.
WarpPanel::StepKind WarpPanel::kindOf(const analysis::TraceStep& step) const
{
    const bool isAccess = step.kind == analysis::TraceKind::Access;
    return { int(m_predictor->current()->prediction.program->instructions[step.instruction].lineToName()), isAccess ? int(step.access.space) : -1,
        isAccess ? int(step.access.op) : -1 };
}

void WarpPanel::showTrace()
{
    const auto& trace = m_predictor->trace();
    if (!trace || trace->warps.empty())
        return;
    m_fittedWarp = -1;
    Selection fitting = m_experiment->selection();
    fitting.block = trace->block;
    fitting.warp = std::clamp(fitting.warp, 0, int(trace->warps.size()) - 1);
    if (fitting.step < 0 && trace->warps[std::size_t(fitting.warp)].empty())
        fitting = whereMemoryIsTouched(fitting, *trace, m_predictor->current()->plan.grid);
    if (fitting.block != trace->block) { // must be traced first
        m_experiment->setSelection(fitting);
        return;
    }
    const auto& ofWarp = trace->warps[std::size_t(fitting.warp)];
    if (fitting.step < 0)
        fitting.step = worstStep(ofWarp, m_predictor->current()->prediction.result.time.limiter);
    else if (m_place && fitting.step == m_place->step && fitting.warp == m_place->warp && m_place->kernel == m_experiment->state().spec->id)
        m_place->step = fitting.step = stepOf(*m_place, ofWarp);
    fitting.step = std::clamp(fitting.step, 0, std::max(0, int(ofWarp.size()) - 1));
    m_experiment->setSelection(fitting);
    showBlock();
}

void WarpPanel::setEmpty(bool empty)
{
    m_body->setVisible(!empty);
    placeBanner();
}

void WarpPanel::showBlock()
{
    const auto& predicted = m_predictor->current();
    const auto* all = steps();
    if (!predicted || !all)
        return;
    const Selection& selection = m_experiment->selection();
    const analysis::Dim3 grid = predicted->plan.grid;
    const std::array<std::uint32_t, 3> sizes { grid.x, grid.y, grid.z };
    const std::array<std::uint32_t, 3> chosen { selection.block.x, selection.block.y, selection.block.z };
    m_showing = true;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        m_blockSpin[axis]->setRange(0, int(sizes[axis]) - 1);
        m_blockSpin[axis]->setToolTip(tr("%1 to %2").arg(0).arg(m_blockSpin[axis]->maximum()));
        m_blockSpin[axis]->setValue(int(chosen[axis]));
        m_blockSpin[axis]->setVisible(sizes[axis] > 1);
    }
    m_blockLabel->setVisible(grid.count() > 1);
    const int warps = int(m_predictor->trace()->warps.size());
    m_warpSpin->setRange(0, std::max(0, warps - 1));
    m_warpSpin->setValue(selection.warp);
    m_warpSpin->setVisible(warps > 1);
    m_warpLabel->setVisible(warps > 1);
    m_showing = false;
    m_blockCard->setTitle(titleOfWarp(selection.block, selection.warp, grid));
    m_blockView->setModel({ .block = predicted->plan.block, .warp = selection.warp });
    m_strip->setModel(stripOf(*predicted->prediction.program, *all, selection.step));
    showStep();
    showCompanion();
}

void WarpPanel::showStep()
{
    const auto& predicted = m_predictor->current();
    const auto* all = steps();
    if (!predicted || !all)
        return;
    m_lineButton->setVisible(!all->empty());
    if (all->empty()) {
        m_accessCard->setTitle(tr("No memory access"));
        m_sentence->setText(tr("This warp touches no memory: every thread of it is out of the matrix, or done."));
        m_remark->hide();
        showNoPicture();
        return;
    }
    const int index = std::clamp(m_experiment->selection().step, 0, int(all->size()) - 1);
    if (!m_place || m_place->step != index || m_place->warp != m_experiment->selection().warp)
        m_place = placeOf(*all, index);
    const analysis::TraceStep& step = (*all)[std::size_t(index)];
    const analysis::Program& program = *predicted->prediction.program;
    m_accessCard->setTitle(titleOfStep(*predicted, step));
    m_accessCard->setHint({});
    const auto line = int(program.instructions[step.instruction].lineToName());
    m_lineButton->setProperty("line", line);
    m_lineButton->setVisible(line > 0);
    m_lineButton->setText(tr("source"));
    m_lineButton->setAccessibleName(tr("Show line %1 in the source").arg(line));
    m_lineButton->setToolTip(m_lineButton->accessibleName());
    if (step.kind == analysis::TraceKind::Barrier) {
        m_sentence->setText(tr("Every warp of the block waits here until all have come."));
        m_remark->setText(tr("What they wrote to shared memory before is safe to read after."));
        m_remark->show();
        showNoPicture();
        return;
    }
    showAccess(step);
}

void WarpPanel::showNoPicture()
{
    m_stack->setCurrentWidget(m_noPicture);
    m_laneView->hide();
}

void WarpPanel::showCompanion()
{
    if (const int index = picturedSteps().second; index >= 0)
        m_companion->setStep(*m_predictor->current(), (*steps())[std::size_t(index)], index);
    if (m_fittedWarp != m_experiment->selection().warp)
        fitCompanions();
    arrangeCompanion();
}

std::pair<int, int> WarpPanel::picturedSteps() const
{
    const auto* all = steps();
    const int chosen = all ? accessNear(*all, m_experiment->selection().step) : -1;
    return { chosen, all ? companionOf(*all, chosen) : -1 };
}

/// That the picture of an access needs, with the lane's table.
qreal WarpPanel::heightFor(const analysis::WarpAccess& access) const
{
    const TextMetrics text = textMetrics(font());
    if (access.space == analysis::Space::Shared)
        return 6 * text.line + std::floor(text.line * 0.55) * qreal(std::max<std::size_t>(8, analysis::wavefronts(access).size()));
    const std::size_t lines = SectorModel::of(access).lines.size();
    const qreal height = layoutSectors(int(lines), QSizeF(m_sectorView->viewport()->width(), 0), text).contentHeight;
    return lines > kFewLines ? height + text.line : std::ceil(height) + 12 + 12 * text.line; // the table beside it or below
}

/// Height that is left for a companion and more of the block.
qreal WarpPanel::roomBeside(const analysis::WarpAccess& access) const
{
    const qreal line = textMetrics(font()).line, words = 4.2 * line; // title and sentences
    return height() - kBlockLines * line - words - heightFor(access) - 30 - 2 * m_cards->spacing();
}

/// Whether a companion has room beside every access of the warp, and how high the block is: neither changes on the way through them.
void WarpPanel::fitCompanions()
{
    constexpr std::size_t kTried = 64; ///< instructions
    const auto* all = steps();
    std::set<std::uint32_t> seen;
    const qreal line = textMetrics(font()).line;
    qreal spare = height();
    bool isSome = false;
    for (std::size_t i = 0; all && i < all->size() && seen.size() < kTried; ++i) {
        const analysis::TraceStep& step = (*all)[i];
        if (step.kind != analysis::TraceKind::Access || !seen.insert(step.instruction).second)
            continue;
        if (const int other = companionOf(*all, int(i)); other >= 0) {
            spare = std::min(spare, roomBeside(step.access) - m_companion->heightFor((*all)[std::size_t(other)].access, m_body->width() - 24).least);
            isSome = true;
        }
    }
    m_fittedWarp = m_experiment->selection().warp;
    m_companionsFit = isSome && spare >= 0;
    const qreal more = m_companionsFit ? spare / 2 : 0.22 * height() - kBlockLines * line;
    m_blockCard->setFixedHeight(std::max(m_blockCard->minimumSizeHint().height(), int((kBlockLines + std::clamp(more / line, 0.0, kMoreBlockLines)) * line)));
}

/// Shows the second picture where both have room for every row of theirs.
void WarpPanel::arrangeCompanion()
{
    const auto [chosen, shown] = picturedSteps();
    const bool fits = m_companionsFit && shown >= 0;
    int other = 0;
    if (fits) {
        const auto* all = steps();
        const auto [comfortable, least] = m_companion->heightFor((*all)[std::size_t(shown)].access, m_body->width() - 24);
        const int room = int(roomBeside((*all)[std::size_t(chosen)].access) - (m_blockCard->height() - kBlockLines * textMetrics(font()).line));
        other = std::clamp(room, least, comfortable);
    }
    m_companion->setVisible(fits);
    m_companion->setMinimumHeight(other);
    // Where the chosen picture is flat, what is left belongs to the other one if it can use it.
    static constexpr std::size_t kManyRows = 8;
    const bool grows = !m_tall && m_companion->rows() > kManyRows;
    m_companion->setMaximumHeight(grows ? QWIDGETSIZE_MAX : other);
    m_cards->setStretch(1, fits && grows ? 3 : 5);
    m_cards->setStretch(2, fits && grows ? 4 : 0);
}

void WarpPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitCompanions();
    arrangeCompanion();
    placeBanner();
}

/// A tall picture has the lane's table on its right, a flat one below it.
void WarpPanel::arrange(bool tall)
{
    m_tall = tall;
    m_pictureRow->setDirection(tall ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    m_pictureRow->setStretch(0, tall ? 5 : 0);
    m_pictureRow->setStretch(1, tall ? 2 : 1);
    const int flat = int(std::ceil(m_sectorView->layoutOfLines().contentHeight)) + 12;
    m_stack->setMaximumHeight(tall ? QWIDGETSIZE_MAX : flat);
    m_stack->setMinimumHeight(tall ? 0 : flat);
    m_laneView->setMaximumWidth(m_laneView->fontMetrics().averageCharWidth() * (tall ? 30 : 50));
}

void WarpPanel::showAccess(const analysis::TraceStep& step)
{
    const analysis::WarpAccess& access = step.access;
    m_accessCard->setHint(gridTotalsOf(*m_predictor->current(), step));
    const Reading reading = readAccess(access);
    const QString outside = outsideText(*m_predictor->current(), access);
    m_sentence->setText(reading.sentence);
    m_remark->setTextStyle(outside.isEmpty() ? TextStyle::Muted : TextStyle::Bad);
    m_remark->setText(outside.isEmpty() ? reading.remark : outside);
    m_remark->setVisible(!m_remark->text().isEmpty());
    if (access.space == analysis::Space::Shared) {
        m_bankView->setAccess(access);
        m_stack->setCurrentWidget(m_bankView);
    } else {
        m_sectorView->setAccess(access);
        m_stack->setCurrentWidget(m_sectorView);
    }
    arrange(access.space == analysis::Space::Shared || m_sectorView->model().lines.size() > kFewLines);
    LaneDetailModel lane = laneDetailOf(*m_predictor->current(), access, m_experiment->selection().warp);
    lane.lane = m_laneView->model().lane >= 0 ? m_laneView->model().lane : std::countr_zero(access.active | 1u << 31);
    m_laneView->setModel(std::move(lane));
    m_laneView->show();
    hoverLane(-1);
}

void WarpPanel::chooseLane(int lane, const BankView* from)
{
    for (BankView* banks : { m_bankView, m_companion->bankView() })
        if (banks != from)
            banks->releaseBank();
    m_lane = lane;
    m_laneView->setLane(lane);
    hoverLane(lane);
}

void WarpPanel::hoverLane(int lane)
{
    lane = lane >= 0 ? lane : m_lane;
    m_blockView->setHoveredLane(lane);
    m_bankView->setHoveredLane(lane);
    m_sectorView->setHoveredLane(lane);
    m_companion->setHoveredLane(lane);
    if (lane >= 0) // the last one stays to be read
        m_laneView->setLane(lane);
}

void WarpPanel::setStale(const QString& why, TextStyle style)
{
    // A compiler points at columns with a caret.
    m_banner->setTextStyle(why.contains(QLatin1Char('\n')) ? TextStyle::BadLog : style);
    m_banner->setText(why);
    m_banner->setVisible(!why.isEmpty());
    setFaded(*m_body, !why.isEmpty());
    placeBanner();
}

void WarpPanel::setProgress(std::optional<double> done)
{
    m_progress->setVisible(done.has_value());
    m_cancel->setVisible(done.has_value());
    m_progress->setValue(int(done.value_or(0) * kProgressSteps));
    placeBanner();
}

/// Over the pictures, below the block's title and fields.
void WarpPanel::placeBanner()
{
    const int gap = m_cards->spacing(), top = m_body->isHidden() ? 0 : m_blockCard->mapTo(this, m_blockCard->header()->geometry().bottomLeft()).y() + gap;
    const QSize button = m_cancel->sizeHint();
    const int words = width() - (m_cancel->isHidden() ? 0 : button.width() + gap);
    const int high = std::min(std::max(m_banner->heightForWidth(words), m_cancel->isHidden() ? 0 : button.height()), height() - top);
    m_banner->setGeometry(0, top, words, high);
    m_cancel->setGeometry(words + gap, top, button.width(), high);
    m_progress->setGeometry(0, top + high + gap / 2, width(), m_progress->sizeHint().height());
}

void WarpPanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    else if (event->type() == QEvent::FontChange && m_pictureRow) {
        arrange(m_tall);
        fitCompanions();
        arrangeCompanion();
    }
}

void WarpPanel::retranslate()
{
    m_blockLabel->setText(tr("block"));
    m_warpLabel->setText(tr("warp"));
    m_cancel->setText(tr("Cancel"));
    m_progress->setAccessibleName(tr("Done of the prediction"));
    m_warpSpin->setAccessibleName(tr("Warp of the block"));
    for (int axis = 0; axis < 3; ++axis)
        m_blockSpin[std::size_t(axis)]->setAccessibleName(tr("Block index %1").arg(QLatin1Char("xyz"[axis])));
    m_blockCard->setTitle(tr("Block and warp"));
    m_accessCard->setTitle(tr("Memory access"));
    showBlock();
}

} // namespace coalescope::app
