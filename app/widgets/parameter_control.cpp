// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/parameter_control.h"

#include "analysis/result/number_text.h"
#include "app/core/texts.h"
#include "app/widgets/choice_box.h"
#include "app/widgets/theme.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace coalescope::app {
namespace {

    constexpr std::int64_t kSmall = 64; ///< ranges up to here are stepped one by one
    constexpr std::int64_t kChipLimit = 1000; ///< presets below have room on chips
    constexpr std::size_t kMostChips = 5;
    constexpr int kTypingMs = 400; ///< after the last digit it is a number

    int clamped(std::int64_t value)
    {
        return int(std::clamp<std::int64_t>(value, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()));
    }

    bool fitsChips(const kernels::ParameterSpec& parameter)
    {
        return !parameter.presets.empty() && parameter.presets.size() <= kMostChips
            && std::ranges::max(parameter.presets) < kChipLimit && parameter.maximum <= kSmall;
    }

    bool hasLongChoice(const kernels::ParameterSpec& parameter)
    {
        static constexpr std::size_t kShort = 10; ///< characters that fit half the panel
        return std::ranges::any_of(parameter.choices,
            [](const kernels::Choice& choice) { return choice.label.en.size() > kShort; });
    }

}

StepSpinBox::StepSpinBox(const kernels::ParameterSpec& parameter, QWidget* parent)
    : NumberBox(parent)
    , m_least(clamped(parameter.minimum))
    , m_most(clamped(parameter.maximum))
{
    setRange(std::numeric_limits<int>::min(), std::numeric_limits<int>::max()); // the manifest's range is explained, not enforced
    const std::int64_t span = parameter.maximum - parameter.minimum;
    setSingleStep(span <= kSmall ? 1 : span <= 1024 ? 8 : 32);
    setGroupSeparatorShown(false);
    keepCharacters(*this, 8);
    // Digits on the way to a number are no values.
    setKeyboardTracking(false);
    m_typing.setSingleShot(true);
    m_typing.setInterval(kTypingMs);
    connect(lineEdit(), &QLineEdit::textEdited, &m_typing, qOverload<>(&QTimer::start));
    connect(&m_typing, &QTimer::timeout, this, [this] {
        QString text = lineEdit()->text();
        int position = 0;
        const bool isNumber = validate(text, position) == QValidator::Acceptable;
        emit refused(isNumber ? QString() : text);
        if (isNumber)
            interpretText();
    });
}

void StepSpinBox::stepBy(int steps)
{
    const qint64 step = singleStep();
    qint64 next = value();
    if (step > 1) { // to the next multiple, so that 1 is followed by 8, 16, ...
        const qint64 down = next / step * step;
        const qint64 first = steps > 0 ? down + step : (next % step ? down : down - step);
        next = first + (steps > 0 ? steps - 1 : steps + 1) * step;
    } else {
        next += steps;
    }
    setValue(int(std::clamp<qint64>(next, m_least, m_most)));
    selectAll();
}

QAbstractSpinBox::StepEnabled StepSpinBox::stepEnabled() const
{
    StepEnabled enabled = StepNone;
    if (value() < m_most)
        enabled |= StepUpEnabled;
    if (value() > m_least)
        enabled |= StepDownEnabled;
    return enabled;
}

QValidator::State StepSpinBox::validate(QString& text, int& position) const
{
    // A key that is swallowed would make another number of what is typed: it stays, and is taken back on leaving.
    return std::max(QSpinBox::validate(text, position), QValidator::Intermediate);
}

void StepSpinBox::fixup(QString& text) const
{
    m_typing.stop(); // it would find the number before, and nothing wrong with that
    if (!text.isEmpty())
        emit refused(text);
    QSpinBox::fixup(text);
}

RealEdit::RealEdit(QWidget* parent)
    : CalmBox(parent)
{
    keepCharacters(*this, 8);
    m_typing.setSingleShot(true);
    m_typing.setInterval(kTypingMs);
    connect(this, &QLineEdit::textEdited, &m_typing, qOverload<>(&QTimer::start));
    connect(this, &QLineEdit::returnPressed, this, &RealEdit::finish);
    connect(&m_typing, &QTimer::timeout, this, &RealEdit::finish);
}

void RealEdit::finish()
{
    m_typing.stop();
    emit typed(text().trimmed());
}

void RealEdit::focusOutEvent(QFocusEvent* event)
{
    if (m_typing.isActive())
        finish();
    CalmBox::focusOutEvent(event);
}

ParameterControl::ParameterControl(const kernels::ParameterSpec& parameter, QWidget* parent)
    : QWidget(parent)
    , m_parameter(parameter)
    , m_label(new TextLabel(TextStyle::Small))
    , m_problem(new TextLabel(TextStyle::Bad))
    , m_value(parameter.defaultValue)
{
    setObjectName(QStringLiteral("parameter_") + QString::fromStdString(parameter.name));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    m_label->setWordWrap(false);
    m_label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    auto* row = new QHBoxLayout;
    row->setSpacing(4);
    buildEditor();
    buildPresets();
    row->addWidget(editor(), m_chips.empty() ? 1 : 0);
    if (m_menuButton)
        row->addWidget(m_menuButton);
    for (QToolButton* chip : m_chips)
        row->addWidget(chip, 1);
    if (!m_chips.empty())
        row->addStretch(0);
    column->addWidget(m_label);
    column->addLayout(row);
    column->addWidget(m_problem);
    m_problem->hide();
    m_label->setBuddy(editor());
    setFocusProxy(editor());
    retranslate();
    setValue(m_value);
}

QWidget* ParameterControl::editor() const
{
    return m_spin ? static_cast<QWidget*>(m_spin) : m_real ? static_cast<QWidget*>(m_real) : m_combo;
}

bool ParameterControl::isWide() const
{
    return !m_chips.empty() || hasLongChoice(m_parameter);
}

void ParameterControl::buildEditor()
{
    if (m_parameter.isInteger()) {
        m_spin = new StepSpinBox(m_parameter);
        connect(m_spin, &QSpinBox::valueChanged, this, [this](int value) { choose(std::to_string(value)); });
        connect(m_spin, &StepSpinBox::refused, this, [this](const QString& typed) {
            QStringList sentences { m_told };
            if (!typed.isEmpty())
                sentences.prepend(tr("\"%1\" is no whole number that fits here: %2 stays.").arg(typed, QString::fromStdString(m_value)));
            showProblem(sentences.join(QLatin1Char(' ')).trimmed());
        });
        connect(m_spin->findChild<QLineEdit*>(), &QLineEdit::textEdited, this, [this] { setFaded(*m_problem, true); });
    } else if (m_parameter.isReal) {
        m_real = new RealEdit;
        connect(m_real, &RealEdit::typed, this, &ParameterControl::readReal);
    } else {
        m_combo = new ChoiceBox;
        m_combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        m_combo->setMinimumContentsLength(5);
        for (const kernels::Choice& choice : m_parameter.choices)
            m_combo->addItem(QString::fromStdString(choice.value), QString::fromStdString(choice.value));
        connect(m_combo, &QComboBox::currentIndexChanged, this,
            [this](int index) { choose(m_combo->itemData(index).toString().toStdString()); });
    }
    editor()->setObjectName(QString::fromStdString(m_parameter.name));
}

void ParameterControl::readReal(const QString& typed)
{
    bool isNumber = false;
    const double value = QLocale::c().toDouble(typed, &isNumber);
    if (!isNumber || !std::isfinite(value)) {
        showProblem(QStringList({ tr("\"%1\" is no number: %2 stays.").arg(typed, QString::fromStdString(m_value)), m_told }).join(QLatin1Char(' ')).trimmed());
        return;
    }
    showProblem(m_told);
    if (const std::string text = analysis::numberText(value); text != m_value)
        choose(text);
}

void ParameterControl::buildPresets()
{
    if (!m_spin || m_parameter.presets.empty())
        return;
    if (fitsChips(m_parameter)) {
        for (const std::int64_t preset : m_parameter.presets) {
            auto* chip = new QToolButton;
            chip->setText(QString::number(preset));
            chip->setCheckable(true);
            chip->setProperty("chip", true);
            chip->setProperty("value", qlonglong(preset));
            connect(chip, &QToolButton::clicked, this, [this, preset] { m_spin->setValue(clamped(preset)); lightChips(); });
            m_chips.push_back(chip);
        }
        return;
    }
    m_menuButton = new QToolButton;
    m_menuButton->setText(QString(QChar(0x25be)));
    m_menuButton->setProperty("chip", true);
    m_menuButton->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(m_menuButton);
    for (const std::int64_t preset : m_parameter.presets)
        menu->addAction(QString::number(preset), this, [this, preset] { m_spin->setValue(clamped(preset)); });
    m_menuButton->setMenu(menu);
}

void ParameterControl::choose(const std::string& value)
{
    m_value = value;
    lightChips();
    emit valueChosen(m_parameter.name, value);
}

void ParameterControl::setValue(const std::string& value)
{
    m_value = value;
    const QSignalBlocker quiet(editor());
    if (m_spin) {
        const int number = clamped(std::atoll(value.c_str()));
        if (m_spin->value() != number)
            m_spin->setValue(number);
    } else if (m_real) {
        if (!m_real->hasFocus() || QLocale::c().toDouble(m_real->text()) != std::strtod(value.c_str(), nullptr)) // what is being typed stays as it is
            m_real->setText(QString::fromStdString(value));
    } else {
        m_combo->setCurrentIndex(m_combo->findData(QString::fromStdString(value)));
    }
    lightChips();
}

void ParameterControl::lightChips()
{
    for (QToolButton* chip : m_chips)
        chip->setChecked(chip->text().toStdString() == m_value);
}

void ParameterControl::setProblem(const QString& sentence)
{
    m_told = sentence;
    showProblem(sentence);
}

void ParameterControl::showProblem(const QString& sentence)
{
    setFaded(*m_problem, false);
    m_problem->setText(sentence);
    m_problem->setVisible(!sentence.isEmpty());
    editor()->setAccessibleDescription(sentence.isEmpty() ? localized(m_parameter.help) : sentence);
}

void ParameterControl::setIllegal(bool illegal)
{
    markIllegal(*editor(), illegal);
}

void ParameterControl::setHere(const std::string& value)
{
    if (std::exchange(m_here, value) != value)
        retranslate();
}

void ParameterControl::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        retranslate();
}

void ParameterControl::retranslate()
{
    const QString label = localized(m_parameter.label);
    const QString shown = label.isEmpty() ? QString::fromStdString(m_parameter.name) : label;
    m_label->setText(m_here.empty() ? shown : tr("%1: here %2").arg(shown, QString::fromStdString(m_here)));
    const QString help = localized(m_parameter.help);
    const QString range = m_parameter.isInteger()
        ? tr("%1 to %2").arg(QLocale().toString(qlonglong(m_parameter.minimum)),
              QLocale().toString(qlonglong(m_parameter.maximum)))
        : m_parameter.isReal ? tr("Any number")
                             : QString();
    QStringList tip { help, m_parameter.isWorkedOut ? tr("Worked out by the program's host code; a value that is set here stays.") : QString(), range };
    tip.removeAll(QString());
    setToolTip(tip.join(QLatin1Char('\n')));
    editor()->setAccessibleName(shown);
    editor()->setAccessibleDescription(help);
    if (m_combo) {
        for (int i = 0; i < m_combo->count(); ++i) {
            const QString text = localized(m_parameter.choices[std::size_t(i)].label);
            m_combo->setItemText(i, text.isEmpty() ? QString::fromStdString(m_parameter.choices[std::size_t(i)].value) : text);
        }
    }
    if (m_menuButton) {
        m_menuButton->setAccessibleName(tr("Usual values of %1").arg(shown));
        m_menuButton->setToolTip(tr("Usual values"));
    }
    for (QToolButton* chip : m_chips)
        chip->setAccessibleName(QStringLiteral("%1 %2").arg(shown, chip->text()));
}

} // namespace coalescope::app
