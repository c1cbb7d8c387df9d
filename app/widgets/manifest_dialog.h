// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QString>

class QPlainTextEdit;

namespace coalescope::app {

class TextLabel;

/// Offers a manifest to a kernel file that holds none: to copy it, or to put it, as edited here, at the top of the file.
/// `why` says where it comes from.
class ManifestDialog : public QDialog {
    Q_OBJECT
public:
    ManifestDialog(const QString& path, const QString& manifest, const QString& why, QWidget* parent = nullptr);

signals:
    void copied();
    void inserted(const QString& path);

private:
    void insert();

    QString m_path;
    QPlainTextEdit* m_text;
    TextLabel* m_problem;
};

} // namespace coalescope::app
