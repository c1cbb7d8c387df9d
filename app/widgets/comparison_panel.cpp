// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/comparison_panel.h"

#include "app/core/texts.h"
#include "app/widgets/comparison_view.h"
#include "app/widgets/warp_models.h"

#include <QEvent>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace coalescope::app {
namespace {

    /// Terms that move no data: drawn grey.
    constexpr std::array kOverheads { std::string_view("launch"), std::string_view("issue"), std::string_view("blocks"),
        std::string_view("latency") };

    constexpr double kVisible = 0.002; ///< share of the time below which a term has no bar to see

    QString verdict(const std::optional<bool>& verified, const QString& right, const QString& wrong, const QString& unknown)
    {
        if (!verified)
            return unknown;
        return *verified ? QStringLiteral("✓ ") + right : QStringLiteral("✗ ") + wrong;
    }

    QString hazardLine(const analysis::Hazard& hazard, LineLinks links)
    {
        const QString detail = sentenceOf(hazard);
        const QString title = titleOf(hazard);
        if (links == LineLinks::No)
            return title + QStringLiteral(": ") + detail;
        return QStringLiteral("<a href=\"line:%1\">%2</a>: %3")
            .arg(hazard.line)
            .arg(title.toHtmlEscaped(), detail.toHtmlEscaped());
    }

}

BarRow timeBar(const QString& label, std::optional<double> predictedNs, const std::optional<analysis::TimeSample>& sample)
{
    BarRow row { .label = label };
    QStringList texts;
    if (predictedNs) {
        row.predicted = *predictedNs / 1e3;
        texts << kEstimate + formatTime(*predictedNs);
    }
    if (sample) {
        row.measured = sample->medianNs / 1e3;
        texts << formatTime(sample->medianNs);
    }
    row.text = texts.join(QStringLiteral(" | "));
    return row;
}

TermsModel termsOf(const ComparisonInput& input)
{
    TermsModel model;
    const analysis::TimeValues& time = input.predicted->time;
    for (const analysis::TimeTerm& term : time.terms) {
        if (term.ns < kVisible * time.estimateNs.value_or(0) || term.ns <= 0)
            continue;
        TermRow row { .label = termLabel(term.name), .microseconds = term.ns / 1e3, .text = formatTime(term.ns) };
        row.meaning = termMeaning(term.name);
        row.key = QString::fromStdString(term.name);
        if (isTermOfAccesses(term.name))
            row.hint = ComparisonPanel::tr("A click shows the access of the warp that has the most of it.");
        row.data = std::ranges::find(kOverheads, std::string_view(term.name)) == kOverheads.end();
        model.rows.push_back(row);
    }
    std::ranges::stable_sort(model.rows, std::ranges::greater(), &TermRow::microseconds);
    const analysis::TimeValues none;
    const analysis::TimeValues& measured = input.measured ? input.measured->time : none;
    std::optional<analysis::TimeSample> duration;
    if (const auto ns = input.measured ? input.measured->metrics.get(analysis::Metric::Duration) : std::nullopt)
        duration.emplace().medianNs = *ns;
    model.totals = { timeBar(ComparisonPanel::tr("kernel duration"), time.estimateNs, duration),
        timeBar(ComparisonPanel::tr("caches emptied"), input.predicted->emptied.get(analysis::Metric::Duration), {}),
        timeBar(ComparisonPanel::tr("warm L2"), time.warmNs, measured.warm),
        timeBar(ComparisonPanel::tr("cold L2"), time.coldNs, measured.cold) };
    model.totalsTip = wrappedTip(ComparisonPanel::tr(
        "The parts are of the duration: the kernel alone, as a profiler tells it (gpu__time_duration), with the L2 as the profiler leaves it.\n"
        "Caches emptied: the same where the profiler empties them before the launch, as Nsight Compute does unless it is told not to.\n"
        "Warm: launched back to back, the L2 as the launch before left it: less than the duration, or a part of it, where the data stays there, "
        "more where what that launch wrote must leave first. Cold: with the L2 full of other data. Both are from event to event, which adds about 2 µs."));
    return model;
}

QStringList findingsOf(const ComparisonInput& input, bool verifying, LineLinks links)
{
    QStringList lines;
    if (!input.predicted)
        return lines;
    const analysis::RunResult& predicted = *input.predicted;
    const bool race = raceDecides(predicted);
    lines << (verifying ? ComparisonPanel::tr("Verifying the predicted output…")
                        : verdict(predicted.verified, ComparisonPanel::tr("predicted output verified"),
                              race ? ComparisonPanel::tr("predicted output is wrong in the order that the warps were executed here; the race decides")
                                   : ComparisonPanel::tr("predicted output is wrong"),
                              ComparisonPanel::tr("predicted output not checked: no reference")));
    if (input.measured)
        lines << verdict(input.measured->verified,
            race ? ComparisonPanel::tr("measured output was right in this run: the race went well, by luck")
                 : ComparisonPanel::tr("measured output verified"),
            ComparisonPanel::tr("measured output is wrong"), ComparisonPanel::tr("measured output not checked: no reference"));
    for (const analysis::Hazard& hazard : worstFirst(predicted.hazards))
        lines << hazardLine(hazard, links);
    if (input.measured) {
        for (const analysis::Hazard& hazard : input.measured->hazards) {
            if (std::ranges::none_of(predicted.hazards,
                    [&](const auto& known) { return known.kind == hazard.kind && known.line == hazard.line; }))
                lines << hazardLine(hazard, links);
        }
    }
    return lines + soundnessOf(predicted, verifying, input.ledByGuesses);
}

ComparisonPanel::ComparisonPanel(QWidget* parent)
    : Card(parent)
    , m_source(new TextLabel(TextStyle::Small))
    , m_message(new TextLabel(TextStyle::Bad))
    , m_near(new TextLabel(TextStyle::Small))
    , m_table(new ComparisonView)
    , m_findings(new TextLabel)
    , m_termsTitle(new TextLabel(TextStyle::Strong))
    , m_termsRule(new TextLabel(TextStyle::Small))
    , m_terms(new TermsView)
    , m_barsTitle(new TextLabel(TextStyle::Strong))
    , m_bars(new BarsView)
{
    body()->setSpacing(4);
    m_source->setObjectName(QStringLiteral("provenance"));
    m_message->setObjectName(QStringLiteral("runMessage"));
    m_near->setObjectName(QStringLiteral("near"));
    m_message->hide();
    m_near->hide();
    // What comes and goes stands below the table: its rows stay where they are.
    for (QWidget* widget : { static_cast<QWidget*>(m_source), static_cast<QWidget*>(m_message),
             static_cast<QWidget*>(m_table), static_cast<QWidget*>(m_near), static_cast<QWidget*>(m_findings),
             static_cast<QWidget*>(m_termsTitle), static_cast<QWidget*>(m_termsRule), static_cast<QWidget*>(m_terms),
             static_cast<QWidget*>(m_barsTitle), static_cast<QWidget*>(m_bars) })
        body()->addWidget(widget);
    body()->addStretch(1);
    const auto follow = [this](const QString& link) {
        const QString value = link.section(QLatin1Char(':'), 1);
        if (link.startsWith(QLatin1String("line:")))
            emit lineAsked(value.toInt());
        else if (link.startsWith(QLatin1String("near:")))
            emit nearAsked(value.toInt());
        else if (link.startsWith(QLatin1String("device:")))
            emit deviceAsked(value);
    };
    connect(m_findings, &QLabel::linkActivated, this, follow);
    connect(m_near, &QLabel::linkActivated, this, follow);
    connect(m_bars, &BarsView::rowChosen, this, &ComparisonPanel::variantAsked);
    connect(m_terms, &TermsView::termChosen, this, &ComparisonPanel::termAsked);
    setBars({});
    retranslate();
}

void ComparisonPanel::setInput(const ComparisonInput& input, bool verifying)
{
    m_input = input;
    m_verifying = verifying;
    m_table->setTable(makeTable(input));
    m_table->setVisible(input.predicted != nullptr); // without rows it is an empty frame
    m_source->setText(input.measured ? provenance(input) : QStringLiteral(" ")); // a line of its own, always
    m_nearShown.reset();
    if (input.measured)
        m_near->hide();
    showFindings();
    showTerms();
}

void ComparisonPanel::setNear(const QStringList& near)
{
    if (!m_input.predicted || m_input.measured) {
        m_near->hide();
        return;
    }
    m_nearShown = near;
    m_source->setText(notMeasuredText(m_input));
    QString text;
    if (const analysis::RunResult* otherDevice = m_input.elsewhere) {
        text = QStringLiteral("<a href=\"device:%2\">%1</a>")
                   .arg(tr("Compare on %1").arg(QString::fromStdString(otherDevice->gpu)).toHtmlEscaped(), QString::fromStdString(otherDevice->device));
    } else if (!near.isEmpty()) {
        QStringList links;
        for (qsizetype i = 0; i < near.size(); ++i)
            links << QStringLiteral("<a href=\"near:%1\">%2</a>").arg(i).arg(near[i].toHtmlEscaped());
        text = tr("Recorded nearby: %1").arg(links.join(QStringLiteral(" · ")));
    }
    m_near->setText(text);
    m_near->setVisible(!text.isEmpty());
}

QString ComparisonPanel::titleOf(const BarsModel& bars)
{
    const bool isAnyMeasured = std::ranges::any_of(bars.rows, [](const BarRow& row) { return row.measured.has_value(); });
    return isAnyMeasured ? tr("Time with a warm L2, predicted and measured") : tr("Time with a warm L2, predicted");
}

void ComparisonPanel::setBars(const BarsModel& bars)
{
    m_bars->setModel(bars);
    setFaded(*m_bars, false);
    m_barsTitle->setText(titleOf(bars));
    m_bars->setVisible(!bars.rows.empty());
    m_barsTitle->setVisible(!bars.rows.empty());
}

void ComparisonPanel::holdBars()
{
    setFaded(*m_bars, true);
}

void ComparisonPanel::setMessage(const QString& text)
{
    m_message->setText(text);
    m_message->setVisible(!text.isEmpty());
}

void ComparisonPanel::showFindings()
{
    m_findings->setLines(findingsOf(m_input, m_verifying, LineLinks::Yes));
    if (!m_input.predicted)
        return;
    const analysis::RunResult& predicted = *m_input.predicted;
    const bool isMeasuredWrong = m_input.measured && m_input.measured->verified == false;
    m_findings->setTextStyle(isMeasuredWrong || isDoubtful(predicted, m_input.ledByGuesses) ? TextStyle::Warn
            : predicted.verified   ? TextStyle::Good
                                   : TextStyle::Muted);
    QStringList tip { QString::fromStdString(predicted.verifyDetail) };
    for (const analysis::Hazard& hazard : worstFirst(predicted.hazards)) {
        const QString detail = QString::fromStdString(hazard.detail);
        if (!sentenceOf(hazard).contains(detail)) // said in another language above
            tip << detail;
    }
    if (m_input.measured)
        tip << QString::fromStdString(m_input.measured->verifyDetail);
    tip.removeAll(QString());
    m_findings->setToolTip(tip.join(QLatin1Char('\n')));
}

void ComparisonPanel::showTerms()
{
    const bool known = m_input.predicted && !m_input.predicted->time.terms.empty();
    m_termsTitle->setVisible(known);
    m_termsRule->setVisible(known);
    m_terms->setVisible(known);
    if (!known)
        return;
    m_terms->setModel(termsOf(m_input));
    m_termsTitle->setToolTip(m_terms->model().totalsTip);
    m_termsTitle->setText(m_input.isRefining ? tr("What takes the time (its registers are being compiled)")
                                             : tr("What takes the time: %1").arg(termLabel(m_input.predicted->time.limiter)));
    setFaded(*m_terms, m_input.isRefining);
}

void ComparisonPanel::changeEvent(QEvent* event)
{
    Card::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        retranslate();
}

void ComparisonPanel::retranslate()
{
    setTitle(tr("Predicted and measured"));
    m_termsRule->setText(tr("Each part as if alone: they overlap, and do not add up."));
    m_barsTitle->setText(titleOf(m_bars->model()));
    const std::optional<QStringList> near = m_nearShown;
    setInput(m_input, m_verifying);
    if (near)
        setNear(*near);
}

} // namespace coalescope::app
