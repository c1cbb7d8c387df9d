// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/try_view.h"

#include "analysis/result/advice.h"
#include "analysis/result/metric_sums.h"
#include "app/core/pay_text.h"
#include "app/core/texts.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace coalescope::app {
namespace {

    constexpr std::size_t kMostShown = 3;

    double sectors(const Predicted& predicted)
    {
        return sumOf(predicted.prediction.result.metrics, analysis::kSectors);
    }

    double wavefronts(const Predicted& predicted)
    {
        return sumOf(predicted.prediction.result.metrics, analysis::kWavefronts);
    }

    QString titleOfChange(const Alternative& alternative, const Predicted& current)
    {
        if (alternative.spec)
            return TryView::tr("Kernel %1").arg(QString::fromStdString(alternative.spec->id));
        QStringList parts;
        const kernels::KernelSpec& spec = *current.state.spec;
        for (const auto& [name, value] : alternative.change)
            parts << QStringLiteral("%1 %2 → %3").arg(labelOfParameter(spec, name),
                valueText(spec, name, current.state.values.at(name)), valueText(spec, name, value));
        return parts.join(QStringLiteral(", "));
    }

}

namespace {

    /// "removes the race in lines 159 and 167"; nothing where the present experiment has no fault.
    QStringList cureLines(const analysis::RunResult& current)
    {
        QStringList lines;
        for (const analysis::Hazard& hazard : current.hazards) {
            if (hazard.kind == analysis::HazardKind::SharedRace && hazard.otherLine != 0)
                lines << (hazard.line == hazard.otherLine ? TryView::tr("removes the race in line %1").arg(hazard.line)
                                                          : TryView::tr("removes the race in lines %1 and %2").arg(hazard.line).arg(hazard.otherLine));
            else if (isFault(hazard.kind) && hazard.kind != analysis::HazardKind::WrongOutput)
                lines << TryView::tr("removes: %1").arg(titleOf(hazard));
        }
        lines.removeDuplicates(); // a grid may leave something out along two axes
        if (current.verified == false)
            lines << TryView::tr("the output is right");
        return lines;
    }

    QStringList gainLines(const Predicted& current, const Predicted& after)
    {
        QStringList lines;
        const analysis::PayFinding finding = analysis::payFinding(current.prediction.result, after.prediction.result);
        const auto figure = [&](double from, double to, const QString& text) {
            const auto [first, second] = formatShortPair(from, to);
            if (analysis::PayFigure { from, to }.changed())
                lines << text.arg(first, second);
        };
        figure(sectors(current), sectors(after), TryView::tr("%1 → %2 sectors"));
        figure(wavefronts(current), wavefronts(after), TryView::tr("%1 → %2 shared wavefronts"));
        if (const auto& time = finding.predictedNs)
            lines << kEstimate
                    + TryView::tr("%1 → %2 predicted, L2 warm").arg(formatTime(time->before), formatTime(time->after));
        if (finding.cold == analysis::PayVerdict::Costs)
            lines << TryView::tr("With a cold L2 it takes longer: %1 → %2.").arg(formatTime(finding.coldNs->before), formatTime(finding.coldNs->after));
        lines << whyText(finding);
        return lines;
    }

    bool isOffered(const TryItem& item, const Alternative& alternative, const analysis::PayFinding& finding, bool faulty)
    {
        if (isFaulty(alternative.predicted->prediction.result))
            return false;
        if (faulty)
            return item.cures;
        return finding.predicted == analysis::PayVerdict::Pays;
    }

    /// " (Misaligned address, line 12)"; empty where only the output tells.
    QString whyFaulty(const analysis::RunResult& result)
    {
        const auto fault = std::ranges::find_if(result.hazards, [](const analysis::Hazard& hazard) { return isFault(hazard.kind); });
        return fault == result.hazards.end() ? QString() : QStringLiteral(" (%1)").arg(titleOf(*fault));
    }

    QString sentenceOf(const analysis::Advice& advice)
    {
        using analysis::AdviceKind;
        const auto [cost, atBest] = formatShortPair(advice.cost, advice.atBest);
        switch (advice.kind) {
        case AdviceKind::AddUpFirst: return TryView::tr("atomics on line %1 take the time. Adding up in registers, by shuffles in a warp or in shared memory first leaves fewer of them.").arg(advice.line);
        case AdviceKind::Pad: return TryView::tr("line %1 takes %2 wavefronts where %3 are without conflicts. Rows that are one element longer (padding), or a swizzled index, put its lanes into different banks.").arg(advice.line).arg(cost, atBest);
        case AdviceKind::KeepInRegisters: return TryView::tr("shared memory is the limit, without many conflicts: more results for each thread, kept in registers, ask it for less.");
        case AdviceKind::SideBySide: return TryView::tr("line %1 moves %2 sectors where %3 would do. Neighbouring lanes should touch neighbouring addresses: another order of indices, a structure of arrays, or a tile in shared memory.").arg(advice.line).arg(cost, atBest);
        case AdviceKind::FewerBytes: return TryView::tr("DRAM is the limit, and its lanes use all that moves: smaller types, or one kernel for two that hand data on, move less.");
        case AdviceKind::Reuse: return TryView::tr("the L2 is the limit: a tile in shared memory, or more results for each thread, ask it for less.");
        case AdviceKind::WiderAccesses: return TryView::tr("accesses through L1 are the limit: 16 bytes a lane (float4), or values kept in registers, need fewer.");
        case AdviceKind::HideWaits: return TryView::tr("waits are the limit: more resident warps hide them, or loads that do not wait for each other.");
        case AdviceKind::MoreWork: return TryView::tr("the launch itself takes the time: more work in one launch, or a graph of launches, makes less of it.");
        case AdviceKind::LargerBlocks: return TryView::tr("starting blocks takes the time: larger blocks, or more elements for each thread, make fewer.");
        case AdviceKind::TableElsewhere: return TryView::tr("lanes that load different constants wait for each other: a table in shared memory serves them at once.");
        case AdviceKind::LessArithmetic: break;
        }
        return TryView::tr("instructions are the limit, not memory: other accesses change little.");
    }

    /// The parameters that no alternative changes.
    QStringList notTried(const std::vector<Alternative>& alternatives, const kernels::KernelSpec& spec)
    {
        QStringList labels;
        for (const kernels::ParameterSpec& parameter : spec.parameters) {
            const auto changes = [&](const Alternative& each) { return !each.spec && each.change.contains(parameter.name); };
            if (std::ranges::none_of(alternatives, changes))
                labels << labelOfParameter(spec, parameter.name);
        }
        return labels;
    }

}

std::vector<TryItem> itemsToTry(const std::vector<Alternative>& alternatives, const Predicted& current)
{
    std::vector<TryItem> own, others;
    const analysis::RunResult& result = current.prediction.result;
    const bool faulty = isFaulty(result);
    for (const Alternative& alternative : alternatives) {
        const Predicted& after = *alternative.predicted;
        TryItem item { .change = alternative.change, .spec = alternative.spec, .title = titleOfChange(alternative, current) };
        const analysis::PayFinding finding = analysis::payFinding(result, after.prediction.result);
        item.timeRatio = finding.predictedNs ? finding.predictedNs->share() : 1;
        // Wrong output is known to be cured only where the change's own was verified.
        item.cures = faulty && !isFaulty(after.prediction.result)
            && (result.verified != false || after.prediction.result.verified == true);
        if (!isOffered(item, alternative, finding, faulty))
            continue;
        QStringList lines = faulty ? cureLines(result) : QStringList();
        if (alternative.spec)
            lines.prepend(localized(alternative.spec->title));
        lines << gainLines(current, after);
        if (!faulty && finding.withinError)
            lines << TryView::tr("This is less than the estimate's mean error: measure it.");
        if (!after.prediction.result.verified)
            lines << (faulty ? TryView::tr("Whether the output is right is not checked.")
                             : TryView::tr("Whether the output stays the same is not checked."));
        item.gain = lines.join(QLatin1Char('\n'));
        (alternative.spec ? others : own).push_back(std::move(item));
    }
    std::ranges::stable_sort(own, {}, &TryItem::timeRatio);
    own.resize(std::min(own.size(), kMostShown));
    // Another kernel is worth a line only where no change of this one gets as far.
    const auto best = std::ranges::min_element(others, {}, &TryItem::timeRatio);
    if (best != others.end() && (own.empty() || best->timeRatio < own.front().timeRatio)) {
        own.resize(std::min(own.size(), kMostShown - 1));
        own.insert(own.begin(), *best);
    }
    return own;
}

TryView::TryView(QWidget* parent)
    : QWidget(parent)
    , m_title(new TextLabel(TextStyle::Strong))
    , m_advice(new TextLabel(TextStyle::Small))
    , m_nothing(new TextLabel(TextStyle::Small))
    , m_items(new QVBoxLayout)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addWidget(m_title);
    column->addWidget(m_nothing);
    column->addLayout(m_items);
    column->addWidget(m_advice);
    m_advice->setObjectName(QStringLiteral("codeAdvice"));
    m_items->setSpacing(6);
    rebuild();
}

void TryView::setAlternatives(const std::vector<Alternative>& alternatives, const Predicted& current)
{
    m_alternatives = alternatives;
    m_current = std::make_shared<const Predicted>(current);
    setHeld(false);
    rebuild();
}

void TryView::hold()
{
    if (m_current)
        setHeld(true);
}

void TryView::setHeld(bool held)
{
    m_isHeld = held;
    setEnabled(!held);
    setFaded(*this, held);
}

QString TryView::adviceText() const
{
    return m_advice->text();
}

QString TryView::nothingText() const
{
    return m_nothing->text();
}

void TryView::clear()
{
    m_alternatives.clear();
    m_current.reset();
    setHeld(false);
    rebuild();
}

void TryView::rebuild()
{
    clearLayout(*m_items);
    m_buttons.clear();
    m_title->setText(tr("What to try"));
    setVisible(m_current != nullptr);
    if (!m_current)
        return;
    const auto advice = isFaulty(m_current->prediction.result) ? std::nullopt : analysis::adviceFor(m_current->prediction.result);
    m_advice->setText(advice ? tr("In the code: %1").arg(sentenceOf(*advice)) : QString());
    m_advice->setVisible(advice.has_value());
    const std::vector<TryItem> items = itemsToTry(m_alternatives, *m_current);
    for (const TryItem& item : items)
        addItem(item);
    QStringList tried, faulty, idle;
    for (const Alternative& alternative : m_alternatives) {
        const QString title = titleOfChange(alternative, *m_current);
        if (isFaulty(alternative.predicted->prediction.result) && !isFaulty(m_current->prediction.result))
            faulty << title + whyFaulty(alternative.predicted->prediction.result);
        else
            (makesNoDifference(alternative, *m_current) ? idle : tried) << title;
    }
    m_nothing->setVisible(items.empty());
    const QString list = tried.join(QStringLiteral("; "));
    QStringList sentences;
    if (isTooLongToTry(*m_current))
        sentences << tr("Not computed: one prediction of this launch takes %1 s.").arg(std::ceil(m_current->milliseconds / 1000));
    else if (m_current->state.spec->parameters.empty())
        sentences << tr("This launch has only fixed numbers. Give one a name in the code, as in \"const int threads = 256;\", or write a manifest (Ctrl+L): then it can be changed here.");
    else if (m_alternatives.empty())
        sentences << tr("This kernel has no other shape to compute.");
    else if (!tried.isEmpty())
        sentences << (isFaulty(m_current->prediction.result) ? tr("Computed, and none removes the fault: %1.").arg(list)
                                                             : tr("Computed, and none pays: %1.").arg(list));
    if (!idle.isEmpty())
        sentences << tr("No difference: %1.").arg(idle.join(QStringLiteral("; ")));
    if (!faulty.isEmpty())
        sentences << tr("Computed, and faulty: %1.").arg(faulty.join(QStringLiteral("; ")));
    if (const QStringList left = notTried(m_alternatives, *m_current->state.spec); !m_alternatives.empty() && !left.isEmpty())
        sentences << tr("Not tried: %1.").arg(left.join(QStringLiteral(", ")));
    m_nothing->setText(sentences.join(QLatin1Char(' ')));
}

void TryView::addItem(const TryItem& item)
{
    auto* box = new QFrame;
    box->setObjectName(QStringLiteral("tryItem"));
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(8, 5, 8, 6);
    column->setSpacing(1);
    auto* row = new QHBoxLayout;
    auto* title = new TextLabel(TextStyle::Normal);
    title->setText(item.title);
    auto* apply = new QPushButton(tr("apply"));
    apply->setAccessibleName(tr("Apply %1").arg(item.title));
    apply->setAccessibleDescription(item.gain);
    auto* gain = new TextLabel(TextStyle::Small);
    gain->setText(item.gain);
    row->addWidget(title, 1);
    row->addWidget(apply, 0, Qt::AlignTop);
    column->addLayout(row);
    column->addWidget(gain);
    m_items->addWidget(box);
    m_buttons.push_back(apply);
    connect(apply, &QPushButton::clicked, this,
        [this, item] { emit applied(item); });
}

void TryView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        rebuild();
}

} // namespace coalescope::app
