// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/try_view.h"

#include "app/core/texts.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace coalescope::app {
namespace {

    using analysis::Metric;

    constexpr double kPays = 0.99; ///< a time ratio above is no gain worth a line
    constexpr std::size_t kMostShown = 3;

    double sum(const Predicted& predicted, Metric a, Metric b)
    {
        const analysis::MetricValues& values = predicted.prediction.result.metrics;
        return values.get(a).value_or(0) + values.get(b).value_or(0);
    }

    double sectors(const Predicted& predicted)
    {
        return sum(predicted, Metric::GlobalLoadSectors, Metric::GlobalStoreSectors);
    }

    double wavefronts(const Predicted& predicted)
    {
        return sum(predicted, Metric::SharedLoadWavefronts, Metric::SharedStoreWavefronts);
    }

    QString labelOfParameter(const kernels::KernelSpec& spec, const std::string& name)
    {
        for (const kernels::ParameterSpec& parameter : spec.parameters) {
            if (parameter.name == name && !localized(parameter.label).isEmpty())
                return localized(parameter.label);
        }
        return QString::fromStdString(name);
    }

    QString valueText(const kernels::KernelSpec& spec, const std::string& name, const std::string& value)
    {
        for (const kernels::ParameterSpec& parameter : spec.parameters) {
            if (parameter.name != name)
                continue;
            for (const kernels::Choice& choice : parameter.choices) {
                if (choice.value == value && !localized(choice.label).isEmpty())
                    return localized(choice.label);
            }
        }
        return QString::fromStdString(value);
    }

    QString titleOfChange(const Alternative& alternative, const Predicted& current)
    {
        QStringList parts;
        const kernels::KernelSpec& spec = *current.state.spec;
        for (const auto& [name, value] : alternative.change)
            parts << QStringLiteral("%1 %2 → %3").arg(labelOfParameter(spec, name),
                valueText(spec, name, current.state.values.at(name)), valueText(spec, name, value));
        return parts.join(QStringLiteral(", "));
    }

}

std::vector<TryItem> itemsToTry(const std::vector<Alternative>& alternatives, const Predicted& current)
{
    std::vector<TryItem> items;
    const double before = current.prediction.result.time.estimateNs.value_or(0);
    for (const Alternative& alternative : alternatives) {
        const Predicted& after = *alternative.predicted;
        const double time = after.prediction.result.time.estimateNs.value_or(0);
        const bool fewer = sectors(after) < sectors(current) || wavefronts(after) < wavefronts(current);
        TryItem item { alternative.change, titleOfChange(alternative, current), {}, before > 0 ? time / before : 1 };
        if (item.timeRatio > 1 || (item.timeRatio > kPays && !fewer))
            continue;
        QStringList lines;
        if (sectors(after) != sectors(current))
            lines << TryView::tr("%1 → %2 sectors").arg(formatShort(sectors(current)), formatShort(sectors(after)));
        if (wavefronts(after) != wavefronts(current))
            lines << TryView::tr("%1 → %2 shared wavefronts")
                         .arg(formatShort(wavefronts(current)), formatShort(wavefronts(after)));
        lines << QStringLiteral("≈ ") + TryView::tr("%1 → %2 predicted").arg(formatTime(before), formatTime(time));
        item.gain = lines.join(QLatin1Char('\n'));
        items.push_back(std::move(item));
    }
    std::ranges::stable_sort(items, {}, &TryItem::timeRatio);
    items.resize(std::min(items.size(), kMostShown));
    return items;
}

TryView::TryView(QWidget* parent)
    : QWidget(parent)
    , m_title(new TextLabel(TextStyle::Strong))
    , m_nothing(new TextLabel(TextStyle::Small))
    , m_items(new QVBoxLayout)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addWidget(m_title);
    column->addWidget(m_nothing);
    column->addLayout(m_items);
    m_items->setSpacing(6);
    rebuild();
}

void TryView::setAlternatives(const std::vector<Alternative>& alternatives, const Predicted& current)
{
    m_alternatives = alternatives;
    m_current = std::make_shared<const Predicted>(current);
    rebuild();
}

void TryView::clear()
{
    m_alternatives.clear();
    m_current.reset();
    rebuild();
}

void TryView::rebuild()
{
    while (QLayoutItem* item = m_items->takeAt(0)) {
        if (item->widget()) {
            item->widget()->hide();
            item->widget()->deleteLater();
        }
        delete item;
    }
    m_buttons.clear();
    m_title->setText(tr("What to try"));
    setVisible(m_current != nullptr);
    if (!m_current)
        return;
    const std::vector<TryItem> items = itemsToTry(m_alternatives, *m_current);
    for (const TryItem& item : items)
        addItem(item);
    QStringList tried;
    for (const Alternative& alternative : m_alternatives)
        tried << titleOfChange(alternative, *m_current);
    m_nothing->setVisible(items.empty());
    m_nothing->setText(tried.isEmpty() ? tr("This kernel has no other shape to compute.")
                                       : tr("Computed, and none pays: %1.").arg(tried.join(QStringLiteral("; "))));
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
        [this, change = item.change, title = item.title] { emit applied(change, title); });
}

void TryView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        rebuild();
}

} // namespace coalescope::app
