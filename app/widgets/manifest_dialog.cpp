// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/manifest_dialog.h"

#include "app/widgets/card.h"
#include "app/widgets/theme.h"
#include "kernels/source/python_source.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSaveFile>
#include <QVBoxLayout>

namespace coalescope::app {

ManifestDialog::ManifestDialog(const QString& path, const QString& manifest, const QString& why, QWidget* parent)
    : QDialog(parent)
    , m_path(path)
    , m_text(new QPlainTextEdit)
    , m_problem(new TextLabel(TextStyle::Bad))
{
    setObjectName(QStringLiteral("manifestOffer"));
    setWindowTitle(tr("How is %1 launched?").arg(QFileInfo(path).fileName()));
    auto* column = new QVBoxLayout(this);
    auto* what = new TextLabel;
    what->setText(why + QLatin1Char(' ')
        + tr("Correct the sizes, grid and block here, or later in the file, which is read again whenever it is saved."));
    column->addWidget(what);
    m_text->setObjectName(QStringLiteral("manifestText"));
    m_text->setFont(numberFont(font()));
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setPlainText(manifest);
    m_text->setAccessibleName(tr("Manifest"));
    m_text->setTabChangesFocus(true);
    column->addWidget(m_text, 1);
    m_problem->setObjectName(QStringLiteral("manifestProblem"));
    m_problem->hide();
    column->addWidget(m_problem);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QPushButton* insert = buttons->addButton(tr("&Put it at the top of the file"), QDialogButtonBox::AcceptRole);
    insert->setObjectName(QStringLiteral("insertManifest"));
    insert->setDefault(true);
    insert->setVisible(!kernels::isPython(path.toStdString())); // whose source stands in a string
    QPushButton* copy = buttons->addButton(tr("&Copy"), QDialogButtonBox::ActionRole);
    copy->setObjectName(QStringLiteral("copyManifest"));
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(insert, &QPushButton::clicked, this, &ManifestDialog::insert);
    connect(copy, &QPushButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(m_text->toPlainText());
        emit copied();
    });
    column->addWidget(buttons);
    resize(720, 560);
}

void ManifestDialog::insert()
{
    const auto tell = [this](const QString& why) {
        m_problem->setText(tr("%1 cannot be written: %2. Copy the manifest in its place.").arg(QFileInfo(m_path).fileName(), why));
        m_problem->show();
    };
    QFile before(m_path);
    if (!before.open(QIODevice::ReadOnly))
        return tell(before.errorString());
    const QByteArray source = before.readAll();
    before.close();
    QSaveFile file(m_path);
    if (!file.open(QIODevice::WriteOnly))
        return tell(file.errorString());
    file.write(m_text->toPlainText().toUtf8() + source);
    if (!file.commit())
        return tell(file.errorString());
    accept();
    emit inserted(m_path);
}

} // namespace coalescope::app
