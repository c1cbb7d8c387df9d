// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/pay_panel.h"

#include "app/core/texts.h"
#include "app/views/bars/bars_view.h"
#include "app/widgets/choice_box.h"
#include "app/widgets/comparison_view.h"

#include <QDateTime>
#include <QEvent>
#include <QGridLayout>
#include <QLocale>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>
#include <ranges>

namespace coalescope::app {
namespace {

    const QString kCurrent = QStringLiteral("current"), kPinned = QStringLiteral("pin:"), kAlternative = QStringLiteral("alt:");

    /// The time of today, with the date where it is another one.
    QString textOf(const QDateTime& time)
    {
        const QLocale locale;
        const QString clock = locale.toString(time.time(), QStringLiteral("HH:mm:ss"));
        return time.date() == QDate::currentDate() ? clock : locale.toString(time.date(), QLocale::ShortFormat) + QLatin1Char(' ') + clock;
    }

    /// Its kernel, every value and the device.
    QString wholeNameOf(const ExperimentState& state)
    {
        QStringList parts { pictureTitle(*state.spec) };
        for (const kernels::ParameterSpec& parameter : state.spec->parameters)
            parts << labelOfParameter(*state.spec, parameter.name) + QLatin1Char(' ') + valueText(*state.spec, parameter.name, state.values.at(parameter.name));
        parts << deviceName(state.device);
        return parts.join(QStringLiteral(" · "));
    }

    QString pinKey(std::size_t index)
    {
        return kPinned + QString::number(index);
    }

    /// The terms of both, A outlined and B filled, the longest first.
    BarsModel barsOf(const analysis::TimeValues& a, const analysis::TimeValues& b)
    {
        BarsModel model { .outlined = QStringLiteral("A"), .filled = QStringLiteral("B") };
        const auto rowOf = [&](const std::string& name) -> BarRow& {
            const QString label = termLabel(name);
            const auto found = std::ranges::find(model.rows, label, &BarRow::label);
            return found != model.rows.end() ? *found : model.rows.emplace_back(BarRow { .label = label, .predicted = 0, .measured = 0 });
        };
        for (const analysis::TimeTerm& term : a.terms)
            rowOf(term.name).predicted = term.ns / 1e3;
        for (const analysis::TimeTerm& term : b.terms)
            rowOf(term.name).measured = term.ns / 1e3;
        for (BarRow& row : model.rows)
            row.text = formatTime(*row.predicted * 1e3) + QStringLiteral(" | ") + formatTime(*row.measured * 1e3);
        std::erase_if(model.rows, [](const BarRow& row) { return *row.predicted == 0 && *row.measured == 0; });
        std::ranges::stable_sort(model.rows, std::ranges::greater(), [](const BarRow& row) { return std::max(*row.predicted, *row.measured); });
        return model;
    }

}

PayPanel::PayPanel(QWidget* parent)
    : Card(parent)
    , m_a(new ChoiceBox)
    , m_b(new ChoiceBox)
    , m_pin(new QPushButton)
    , m_load(new QPushButton)
    , m_unpinA(new QToolButton)
    , m_unpinB(new QToolButton)
    , m_none(new TextLabel(TextStyle::Muted))
    , m_verdict(new TextLabel(TextStyle::Strong))
    , m_figures(new TextLabel)
    , m_why(new TextLabel)
    , m_doubt(new TextLabel(TextStyle::Warn))
    , m_termsTitle(new TextLabel(TextStyle::Strong))
    , m_terms(new BarsView)
    , m_table(new ComparisonView)
    , m_names(new TextLabel(TextStyle::Small))
    , m_content(new QWidget)
{
    build();
    retranslate();
}

void PayPanel::build()
{
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(1, 1);
    int row = 0;
    for (const auto& [letter, box, unpin, button] : { std::tuple("A", m_a, m_unpinA, m_pin), std::tuple("B", m_b, m_unpinB, m_load) }) {
        auto* label = new TextLabel(TextStyle::Strong);
        label->setText(QString::fromLatin1(letter));
        label->setBuddy(box);
        box->setObjectName(QStringLiteral("variant") + QString::fromLatin1(letter));
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(10);
        grid->addWidget(label, row, 0);
        grid->addWidget(box, row, 1);
        unpin->setText(QStringLiteral("✕"));
        unpin->setProperty("quiet", true);
        unpin->setObjectName(QStringLiteral("unpin") + QString::fromLatin1(letter));
        unpin->setFocusPolicy(Qt::StrongFocus);
        connect(unpin, &QToolButton::clicked, this, [this, box] { this->unpin(box->currentData().toString()); });
        grid->addWidget(unpin, row, 2);
        grid->addWidget(button, row++, 3);
    }
    m_pin->setObjectName(QStringLiteral("pinVariant"));
    m_load->setObjectName(QStringLiteral("loadVariant"));
    m_why->setObjectName(QStringLiteral("payWhy"));
    m_names->setObjectName(QStringLiteral("payNames"));
    auto* column = new QVBoxLayout(m_content);
    m_verdict->setObjectName(QStringLiteral("verdict"));
    column->setContentsMargins(0, 0, 6, 0);
    column->setSpacing(6);
    for (QWidget* widget : { static_cast<QWidget*>(m_verdict), static_cast<QWidget*>(m_figures), static_cast<QWidget*>(m_why),
             static_cast<QWidget*>(m_doubt), static_cast<QWidget*>(m_termsTitle), static_cast<QWidget*>(m_terms),
             static_cast<QWidget*>(m_table), static_cast<QWidget*>(m_names) })
        column->addWidget(widget);
    column->addStretch(1);
    auto* area = new QScrollArea;
    area->setWidget(m_content);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    area->viewport()->setAutoFillBackground(false); // the card shows through
    m_content->setAutoFillBackground(false);
    m_none->setObjectName(QStringLiteral("payNone"));
    body()->addLayout(grid);
    body()->addWidget(m_none);
    body()->addWidget(area, 1);
    connect(m_pin, &QPushButton::clicked, this, &PayPanel::pin);
    connect(m_load, &QPushButton::clicked, this, [this] {
        if (const Variant* variant = variantOf(m_b->currentData().toString()))
            emit loadAsked(variant->state);
    });
    connect(m_a, &QComboBox::activated, this, [this] {
        m_keyA = m_a->currentData().toString();
        showPair();
    });
    connect(m_b, &QComboBox::activated, this, [this] {
        m_keyB = m_b->currentData().toString();
        showPair();
    });
}

void PayPanel::forgetAlternative()
{
    for (QString* chosen : { &m_keyA, &m_keyB }) {
        if (chosen->startsWith(kAlternative))
            chosen->clear();
    }
}

void PayPanel::setWhyNone(const QString& why, TextStyle style)
{
    m_none->setTextStyle(why.contains(QLatin1Char('\n')) ? TextStyle::BadLog : style); // a compiler points with a caret
    m_none->setText(why);
    showPair();
}

bool PayPanel::isPairShown() const
{
    return !m_content->isHidden();
}

void PayPanel::setCurrent(std::optional<Variant> current)
{
    m_current = std::move(current);
    fillBoxes();
}

void PayPanel::setAlternatives(std::vector<Variant> alternatives)
{
    m_alternatives = std::move(alternatives);
    fillBoxes();
}

void PayPanel::addMeasured(const ExperimentState& state, const std::shared_ptr<const analysis::RunResult>& measured)
{
    for (Variant& variant : m_pinned) {
        if (variant.state == state) {
            variant.input.measured = measured;
            variant.input.origin = MeasurementOrigin::Run;
        }
    }
    fillBoxes();
}

void PayPanel::pin()
{
    if (!m_current)
        return;
    std::erase_if(m_pinned, [this](const Variant& variant) { return variant.state == m_current->state; });
    m_pinned.insert(m_pinned.begin(), *m_current);
    m_pinned.front().pinnedAt = QDateTime::currentDateTime();
    m_pinned.resize(std::min(m_pinned.size(), kMostPinned), *m_current);
    m_keyA = pinKey(0); // what was pinned last is compared with what comes next
    m_keyB = kCurrent;
    fillBoxes();
}

void PayPanel::addPinned(Variant variant)
{
    if (m_pinned.size() >= kMostPinned
        || std::ranges::any_of(m_pinned, [&](const Variant& known) { return known.state == variant.state; }))
        return;
    m_pinned.push_back(std::move(variant));
    fillBoxes();
}

void PayPanel::unpinAll()
{
    m_pinned.clear();
    for (QString* chosen : { &m_keyA, &m_keyB }) {
        if (chosen->startsWith(kPinned))
            chosen->clear();
    }
    fillBoxes();
}

void PayPanel::setCompared(const std::pair<QString, QString>& keys)
{
    std::tie(m_keyA, m_keyB) = keys;
    fillBoxes();
}

void PayPanel::unpin(const QString& which)
{
    const auto index = which.mid(kPinned.size()).toULongLong();
    if (!which.startsWith(kPinned) || index >= m_pinned.size())
        return;
    m_pinned.erase(m_pinned.begin() + std::ptrdiff_t(index));
    for (QString* chosen : { &m_keyA, &m_keyB }) {
        if (!chosen->startsWith(kPinned))
            continue;
        const auto place = chosen->mid(kPinned.size()).toULongLong();
        if (place == index)
            chosen->clear();
        else if (place > index)
            *chosen = pinKey(place - 1);
    }
    fillBoxes();
}

const Variant* PayPanel::variantOf(const QString& which) const
{
    if (which == kCurrent)
        return m_current ? &*m_current : nullptr;
    if (which.startsWith(kPinned)) {
        const auto index = which.mid(kPinned.size()).toULongLong();
        return index < m_pinned.size() ? &m_pinned[index] : nullptr;
    }
    const auto found = std::ranges::find(m_alternatives, which, [this](const Variant& each) { return alternativeKey(each); });
    return found == m_alternatives.end() ? nullptr : &*found;
}

/// Also of the same one whose source was another.
bool PayPanel::isOfAnotherKernel(const Variant& variant) const
{
    const SpecPointer none, &spec = variant.state.spec, &here = m_current ? m_current->state.spec : none;
    return !here || (spec != here && !(isSameKernel(*spec, *here) && spec->source == here->source));
}

/// By what it changes: the list's order is another one after every change of the experiment.
QString PayPanel::alternativeKey(const Variant& variant) const
{
    QString key = kAlternative + QString::fromStdString(variant.state.spec->id);
    if (isOfAnotherKernel(variant))
        return key;
    for (const auto& [name, value] : variant.state.values) {
        if (m_current->state.values.at(name) != value)
            key += QLatin1Char(' ') + QString::fromStdString(name + '=' + value);
    }
    return key;
}

/// What of it is not as in the experiment.
QString PayPanel::nameOf(const Variant& variant) const
{
    QStringList parts;
    const kernels::KernelSpec& spec = *variant.state.spec;
    const bool other = isOfAnotherKernel(variant), isEarlierSource = other && m_current && isSameKernel(spec, *m_current->state.spec);
    if (other)
        parts << QString::fromStdString(spec.id);
    if (isEarlierSource && variant.pinnedAt.isValid()) // several may have been pinned, one edit after the other
        parts << tr("source of %1").arg(textOf(variant.pinnedAt));
    const kernels::ParameterValues none, &here = m_current ? m_current->state.values : none;
    for (const kernels::ParameterSpec& parameter : spec.parameters) {
        const std::string& value = variant.state.values.at(parameter.name);
        const auto same = here.find(parameter.name);
        if ((same == here.end() || same->second != value) && !(other && value == parameter.defaultValue))
            parts << labelOfParameter(spec, parameter.name) + QLatin1Char(' ') + valueText(spec, parameter.name, value);
    }
    if (m_current && variant.state.device != m_current->state.device)
        parts << deviceName(variant.state.device);
    return parts.isEmpty() ? tr("as this experiment") : parts.join(QStringLiteral(", "));
}

void PayPanel::fillBoxes()
{
    for (QComboBox* box : { m_a, m_b }) {
        box->clear();
        if (m_current)
            box->addItem(tr("this experiment"), kCurrent);
        for (std::size_t i = 0; i < m_pinned.size(); ++i)
            box->addItem(tr("pinned: %1").arg(nameOf(m_pinned[i])), pinKey(i));
        for (std::size_t i = 0; i < m_alternatives.size(); ++i)
            box->addItem(tr("instead: %1").arg(nameOf(m_alternatives[i])), alternativeKey(m_alternatives[i]));
    }
    const auto chooseIn = [](QComboBox* box, const QString& wanted, const QString& otherwise) {
        const int at = wanted.isEmpty() ? -1 : box->findData(wanted);
        box->setCurrentIndex(std::max(at >= 0 ? at : box->findData(otherwise), 0));
    };
    chooseIn(m_a, m_keyA, kCurrent);
    // What takes least time is what one would want instead.
    const auto timeOf = [](const Variant& variant) { return variant.input.predicted->time.warmNs.value_or(std::numeric_limits<double>::infinity()); };
    const auto isSound = [&](const Variant& variant) { return !isFaulty(*variant.input.predicted) && m_current && variant.work == m_current->work; };
    auto sound = m_alternatives | std::views::filter(isSound);
    const auto best = std::ranges::min_element(sound, {}, timeOf);
    const Variant* const instead = best != sound.end() ? &*best : m_alternatives.empty() ? nullptr : &m_alternatives.front();
    chooseIn(m_b, m_keyB, instead ? alternativeKey(*instead) : kCurrent);
    m_pin->setEnabled(m_current.has_value());
    showPair();
}

void PayPanel::showPair()
{
    const Variant* a = variantOf(m_a->currentData().toString());
    const Variant* b = variantOf(m_b->currentData().toString());
    m_load->setEnabled(b && m_b->currentData() != kCurrent);
    for (QComboBox* box : { m_a, m_b }) {
        unpinButton(box)->setEnabled(box->currentData().toString().startsWith(kPinned));
        unpinButton(box)->setVisible(!m_pinned.empty());
        box->setToolTip(box->currentText()); // it may be cut
    }
    m_content->setVisible(a && b);
    m_none->setVisible(!(a && b) && !m_none->text().isEmpty());
    m_text = {};
    if (!a || !b)
        return;
    const bool isOfOneWork = a->work == b->work;
    m_text = textOf(analysis::payFinding(*a->input.predicted, *b->input.predicted, a->input.measured.get(), b->input.measured.get()));
    const QString faults = faultText(*a->input.predicted, *b->input.predicted);
    if (!isOfOneWork) { // neither is the better: the figures are all there is to tell
        m_text.verdict = tr("A and B are different problems (other buffers): which of them takes longer does not tell what pays.");
        m_text.why.clear();
        m_text.doubt.clear();
    } else if (!faults.isEmpty()) {
        m_text.verdict = tr("What is faulty is no variant to choose, however fast it is.");
        m_text.why.clear();
    }
    m_verdict->setTextStyle(faults.isEmpty() ? TextStyle::Strong : TextStyle::Warn);
    m_verdict->setText(a->state == b->state ? tr("A and B are the same launch: pin one, change the experiment, and come back.")
                                            : QStringList { differText(*a->input.predicted, *b->input.predicted), faults, m_text.verdict }.join(QLatin1Char(' ')).simplified());
    m_figures->setText(m_text.figures.join(QLatin1Char('\n')));
    m_why->setText(m_text.why);
    m_why->setVisible(!m_text.why.isEmpty());
    m_doubt->setText(m_text.doubt);
    m_doubt->setVisible(!m_text.doubt.isEmpty());
    m_terms->setModel(barsOf(a->input.predicted->time, b->input.predicted->time));
    m_table->setTable(payTable(a->input, b->input));
    m_names->setText(QStringLiteral("A: %1\nB: %2").arg(wholeNameOf(a->state), wholeNameOf(b->state)));
}

void PayPanel::changeEvent(QEvent* event)
{
    Card::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        retranslate();
}

void PayPanel::retranslate()
{
    setTitle(tr("Does it pay?"));
    m_pin->setText(tr("Pin this experiment"));
    m_pin->setToolTip(tr("Keeps the experiment as it is now, to compare what comes next with it"));
    for (QToolButton* unpin : { m_unpinA, m_unpinB })
        unpin->setToolTip(tr("Forgets this pinned launch"));
    m_unpinA->setAccessibleName(tr("Forget the pinned variant A"));
    m_unpinB->setAccessibleName(tr("Forget the pinned variant B"));
    m_load->setText(tr("Load B"));
    m_load->setToolTip(tr("Makes B the experiment"));
    m_a->setAccessibleName(tr("Variant A, before"));
    m_b->setAccessibleName(tr("Variant B, after"));
    m_termsTitle->setText(tr("What takes the time"));
    fillBoxes();
}

} // namespace coalescope::app
