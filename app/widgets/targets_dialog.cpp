// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/targets_dialog.h"

#include "app/widgets/card.h"
#include "app/widgets/choice_box.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QVBoxLayout>

namespace coalescope::app {

TargetsDialog::TargetsDialog(const Target& current, const QStringList& known, QWidget* parent)
    : QDialog(parent)
    , m_prefix(new ChoiceBox)
    , m_program(new QLineEdit)
    , m_command(new TextLabel(TextStyle::Small))
{
    setWindowTitle(tr("Targets"));
    auto* column = new QVBoxLayout(this);
    auto* what = new TextLabel;
    what->setText(tr("Kernels run where this command leads: on this machine if it is empty, otherwise on the machine "
                     "that it reaches. The program coalescope must be there; it is one file to copy."));
    column->addWidget(what);
    auto* form = new QFormLayout;
    m_prefix->setEditable(true);
    m_prefix->setObjectName(QStringLiteral("targetPrefix"));
    m_prefix->addItem(QString());
    for (const QString& prefix : known)
        m_prefix->addItem(prefix);
    for (const QString& example : { QStringLiteral("ssh gpu01"), QStringLiteral("srun --gres=gpu:1"),
             QStringLiteral("docker exec -i container") }) {
        if (m_prefix->findText(example) < 0)
            m_prefix->addItem(example);
    }
    m_prefix->setCurrentText(current.prefix);
    m_prefix->lineEdit()->setPlaceholderText(tr("this machine"));
    m_program->setText(current.program);
    m_program->setObjectName(QStringLiteral("targetProgram"));
    m_program->setPlaceholderText(QStringLiteral("coalescope"));
    form->addRow(tr("&Command to reach it"), m_prefix);
    form->addRow(tr("&Program there"), m_program);
    column->addLayout(form);
    column->addWidget(m_command);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_prefix, &QComboBox::currentTextChanged, this, &TargetsDialog::showCommand);
    connect(m_program, &QLineEdit::textChanged, this, &TargetsDialog::showCommand);
    showCommand();
    setMinimumWidth(fontMetrics().averageCharWidth() * 70);
}

Target TargetsDialog::target() const
{
    return { m_prefix->currentText().trimmed(), m_program->text().trimmed() };
}

void TargetsDialog::showCommand()
{
    m_command->setText(tr("Will run: %1").arg(commandOf(target()).join(QLatin1Char(' '))));
}

} // namespace coalescope::app
