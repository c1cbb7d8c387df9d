// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/sweep_axes.h"

#include "app/core/texts.h"
#include "app/widgets/card.h"
#include "app/widgets/theme.h"

#include <QEvent>
#include <QGridLayout>
#include <QLineEdit>
#include <QLocale>

#include <algorithm>

namespace coalescope::app {

SweepAxes::SweepAxes(QWidget* parent)
    : QWidget(parent)
    , m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(10);
    m_grid->setVerticalSpacing(2);
}

void SweepAxes::setSpec(SpecPointer spec)
{
    m_spec = std::move(spec);
    for (const Field& field : m_fields) {
        field.label->deleteLater();
        field.edit->hide();
        field.edit->deleteLater();
    }
    m_fields.clear();
    if (!m_spec)
        return;
    const SweepRanges suggested = suggestedRanges(*m_spec);
    for (const kernels::ParameterSpec& parameter : m_spec->parameters) {
        auto* label = new ElidedLabel(TextStyle::Small, this); // fields are equally wide, however long their names
        auto* edit = new QLineEdit(this);
        label->setBuddy(edit);
        edit->setObjectName(QStringLiteral("sweep-") + QString::fromStdString(parameter.name));
        if (const auto range = suggested.find(parameter.name); range != suggested.end())
            edit->setText(range->second);
        connect(edit, &QLineEdit::textEdited, this, &SweepAxes::edited);
        m_fields.push_back({ parameter.name, label, edit });
        label->show();
        edit->show();
    }
    m_columns = 0;
    place();
    retranslate();
}

void SweepAxes::place()
{
    static constexpr int kNarrowest = 14; ///< a field is wider than so many letters
    const int letter = fontMetrics().averageCharWidth();
    const int fit = std::max(1, width() / (kNarrowest * letter));
    // As many rows as it takes, their fields spread evenly.
    const int count = std::max(1, int(m_fields.size()));
    const int rows = (count + fit - 1) / fit;
    const int columns = (count + rows - 1) / rows;
    if (columns == m_columns)
        return;
    for (int i = 0; i < std::max(columns, m_columns); ++i)
        m_grid->setColumnStretch(i, i < columns ? 1 : 0);
    m_columns = columns;
    for (int i = 0; i < int(m_fields.size()); ++i) {
        m_grid->addWidget(m_fields[std::size_t(i)].label, i / columns * 2, i % columns);
        m_grid->addWidget(m_fields[std::size_t(i)].edit, i / columns * 2 + 1, i % columns);
    }
}

void SweepAxes::setValues(const kernels::ParameterValues& values)
{
    for (const Field& field : m_fields) {
        if (const auto value = values.find(field.name); value != values.end())
            field.edit->setPlaceholderText(QString::fromStdString(value->second));
    }
}

void SweepAxes::setProblemAt(const std::string& name)
{
    for (const Field& field : m_fields)
        markIllegal(*field.edit, field.name == name);
}

SweepRanges SweepAxes::ranges() const
{
    SweepRanges ranges;
    for (const Field& field : m_fields) {
        if (!field.edit->text().trimmed().isEmpty())
            ranges[field.name] = field.edit->text();
    }
    return ranges;
}

void SweepAxes::setRanges(const SweepRanges& ranges)
{
    for (const Field& field : m_fields) {
        const auto range = ranges.find(field.name);
        field.edit->setText(range == ranges.end() ? QString() : range->second);
    }
}

QLineEdit* SweepAxes::field(const std::string& name) const
{
    const auto found = std::ranges::find(m_fields, name, &Field::name);
    return found == m_fields.end() ? nullptr : found->edit;
}

QSize SweepAxes::minimumSizeHint() const
{
    const QSize all = QWidget::minimumSizeHint();
    return { all.width() * std::min(2, m_columns) / std::max(1, m_columns), all.height() };
}

void SweepAxes::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    place();
}

void SweepAxes::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        retranslate();
}

void SweepAxes::retranslate()
{
    for (std::size_t i = 0; i < m_fields.size(); ++i) {
        const kernels::ParameterSpec& parameter = m_spec->parameters[i];
        const QString label = labelOfParameter(*m_spec, parameter.name);
        m_fields[i].label->setFullText(label);
        m_fields[i].edit->setAccessibleName(tr("Values of %1").arg(label));
        QString allowed;
        if (parameter.isInteger()) {
            const QLocale locale;
            allowed = tr("Allowed: %1 to %2.").arg(locale.toString(qlonglong(parameter.minimum)), locale.toString(qlonglong(parameter.maximum)));
        } else if (parameter.isReal) {
            allowed = tr("Allowed: any number.");
        } else {
            QStringList values;
            for (const kernels::Choice& choice : parameter.choices)
                values << QString::fromStdString(choice.value);
            allowed = tr("Allowed: %1.").arg(values.join(QStringLiteral(", ")));
        }
        m_fields[i].edit->setToolTip(
            tr("Several values: 8,16,32, or a range with its step: 4:64:4, 512:16384:x2.\nEmpty: the experiment's value.")
            + QLatin1Char('\n') + allowed);
    }
}

} // namespace coalescope::app
