// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/language.h"
#include "app/core/report_page.h"
#include "app/core/texts.h"
#include "app/widgets/card.h"
#include "app/widgets/comparison_panel.h"
#include "app/widgets/comparison_view.h"
#include "app/widgets/main_window.h"
#include "app/widgets/sweep_panel.h"
#include "app/widgets/theme.h"
#include "kernels/experiment/sweep_files.h"

#include <QAbstractButton>
#include <QApplication>
#include <QBuffer>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QPointer>
#include <QSaveFile>
#include <QScrollArea>
#include <QStatusBar>

#include <algorithm>
#include <vector>

namespace coalescope::app {
namespace {

    constexpr qreal kSavedScale = 2; ///< sharp on paper and on high-density screens

    std::function<QByteArray()> fixed(QByteArray bytes)
    {
        return [bytes = std::move(bytes)] { return bytes; };
    }

    QString suffixOf(const QString& path)
    {
        return path.section(QLatin1Char('.'), -1).toLower();
    }

    QByteArray pngOf(const QImage& image)
    {
        QByteArray png;
        QBuffer buffer(&png);
        buffer.open(QIODevice::WriteOnly);
        static constexpr int kSmallest = 0; ///< Qt's "quality" of a PNG is how little it is packed
        return image.save(&buffer, "PNG", kSmallest) ? png : QByteArray();
    }

    /// Writes the file whole or not at all.
    Result<void> writeFile(const QString& path, const QByteArray& bytes)
    {
        QSaveFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
            return fail(ErrorCode::FileFailed, file.errorString().toStdString(), path.toStdString());
        return {};
    }

    /// A card as it is seen, without the frame of what has the keys and without its buttons, whose places stay.
    void paintCard(QPainter& painter, QWidget& card)
    {
        const QPointer<QWidget> focused = QApplication::focusWidget();
        if (focused)
            focused->clearFocus();
        std::vector<QAbstractButton*> buttons;
        for (QAbstractButton* const button : card.findChildren<QAbstractButton*>()) {
            if (!button->isVisibleTo(&card) || button->isCheckable())
                continue;
            QSizePolicy policy = button->sizePolicy();
            policy.setRetainSizeWhenHidden(true);
            button->setSizePolicy(policy);
            button->hide();
            buttons.push_back(button);
        }
        painter.fillRect(card.rect(), card.palette().color(QPalette::Window));
        card.render(&painter);
        for (QAbstractButton* const button : buttons) {
            button->show();
            QSizePolicy policy = button->sizePolicy();
            policy.setRetainSizeWhenHidden(false);
            button->setSizePolicy(policy);
        }
        if (focused)
            focused->setFocus();
    }

    /// Makes a card as high as all that it scrolls to, for as long as its picture takes.
    class WholeCard {
    public:
        explicit WholeCard(QWidget& card)
            : m_card(card)
            , m_size(card.size())
            , m_area(card.findChild<QScrollArea*>())
        {
            if (!m_area)
                return;
            m_area->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
            card.resize(m_size.width(), m_size.height() + std::max(0, m_area->widget()->height() - m_area->viewport()->height()));
        }
        ~WholeCard()
        {
            m_card.resize(m_size);
            if (m_area)
                m_area->setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
        }

    private:
        Q_DISABLE_COPY_MOVE(WholeCard)
        QWidget& m_card;
        QSize m_size;
        QScrollArea* m_area; ///< null: it scrolls nothing
    };

    QImage imageOf(QWidget& card)
    {
        const WholeCard whole(card);
        return paintImage(card.size(), kSavedScale, [&](QPainter& painter, const QSizeF&) { paintCard(painter, card); });
    }

    /// By the file's suffix; a PNG where it has another.
    std::function<QByteArray()> fileOf(QWidget& card, const QString& path)
    {
        const WholeCard whole(card);
        const auto* const titled = qobject_cast<Card*>(&card);
        const QString title = titled ? titled->title() : QString();
        const Paint paint = [&](QPainter& painter, const QSizeF&) { paintCard(painter, card); };
        if (suffixOf(path) == QLatin1String("svg"))
            return fixed(paintSvg(card.size(), title, {}, paint));
        if (suffixOf(path) == QLatin1String("pdf"))
            return fixed(paintPdf(card.size(), title, paint));
        return [image = imageOf(card)] { return pngOf(image); };
    }

    struct ExportRow {
        const char* suffix;
        const char* title; ///< of the menu's entry; empty: none
        const char* filter;
        const char* keys;
        const char* name;
    };

    constexpr ExportRow kExports[] {
        { "png", QT_TRANSLATE_NOOP("coalescope::app::MainWindow", "Save comparison as &PNG…"),
            QT_TRANSLATE_NOOP("coalescope::app::MainWindow", "PNG picture (*.png)"), "Ctrl+E", "savePng" },
        { "svg", QT_TRANSLATE_NOOP("coalescope::app::MainWindow", "Save comparison as S&VG…"),
            QT_TRANSLATE_NOOP("coalescope::app::MainWindow", "SVG picture (*.svg)"), "Ctrl+Shift+E", "saveSvg" },
        { "pdf", QT_TRANSLATE_NOOP("coalescope::app::MainWindow", "Save comparison as P&DF…"),
            QT_TRANSLATE_NOOP("coalescope::app::MainWindow", "PDF page (*.pdf)"), "", "savePdf" },
        { "html", QT_TRANSLATE_NOOP("coalescope::app::MainWindow", "Save &report as HTML…"),
            QT_TRANSLATE_NOOP("coalescope::app::MainWindow", "HTML page (*.html)"), "Ctrl+Shift+R", "saveHtml" },
    };

}

void MainWindow::addExportActions(QMenu* menu)
{
    for (const ExportRow& row : kExports) {
        const QString title = tr(row.title), filter = tr(row.filter), suffix = QString::fromLatin1(row.suffix);
        addAction(menu, title, QString::fromLatin1(row.keys), QString::fromLatin1(row.name), [this, title, filter, suffix] {
            if (const QString why = whyNothingToSave(); !why.isEmpty())
                return tellNotSaved(tr("The comparison cannot be saved."), why);
            askSave(QString(title).remove(u'&').remove(QStringLiteral("…")), filter, suffix, [this](const QString& path) {
                exportTo(path, {}, kSavedScale, [this, path](const Result<void>& result) { tellExported(path, result); });
            });
        });
    }
}

/// Figures that are saved outlive the window, which tells what they are of.
QString MainWindow::whyNothingToSave() const
{
    const auto& predicted = m_predictor.current();
    if (!predicted)
        return tr("There is no prediction yet.");
    const SpecPointer& now = m_experiment.state().spec;
    const bool isEarlier = predicted->state.spec != now && isSameKernel(*predicted->state.spec, *now);
    if (!isEarlier && m_readError.isEmpty())
        return {};
    QStringList sentences { tr("What is shown is of %1 as it was; there is no prediction of it as it is now.").arg(QFileInfo(openFileName()).fileName()) };
    if (!m_readError.isEmpty())
        sentences << m_readError;
    else if (m_predictError)
        sentences << textOf(*m_predictError).sentence.section(QLatin1Char('\n'), 0, 0); // the banner has it all
    return sentences.join(QLatin1Char(' '));
}

ReportPage MainWindow::reportPage() const
{
    ReportPage page;
    const auto& predicted = m_predictor.current();
    if (!predicted)
        return page;
    const PictureModel model = picture();
    const kernels::KernelSpec& spec = *predicted->state.spec;
    page.language = currentLanguage();
    page.title = model.title;
    page.summary = summaryOf(spec);
    page.captions = model.captions.mid(1); // the parameters have a section of their own
    for (const kernels::ParameterSpec& parameter : spec.parameters) {
        if (const auto value = predicted->state.values.find(parameter.name); value != predicted->state.values.end())
            page.parameters.emplace_back(labelOfParameter(spec, parameter.name), valueText(spec, parameter.name, value->second));
    }
    page.table = model.table;
    page.findings = model.findings;
    page.wrong = model.wrong;
    page.verified = model.verified;
    for (const AccessPicture& access : model.accesses)
        page.readings.push_back({ access.title, access.reading.sentence, access.reading.remark });
    page.method = methodOf(comparisonInput(), QString::fromStdString(predicted->prediction.compiler));
    return page;
}

void MainWindow::exportTo(const QString& path, QSize size, qreal scale, std::function<void(Result<void>)> done)
{
    save(path, comparisonFile(path, size, scale), std::move(done));
}

void MainWindow::exportSweepTo(const QString& path, std::function<void(Result<void>)> done)
{
    save(path, sweepFile(path), std::move(done));
}

void MainWindow::save(const QString& path, Result<Content> content, std::function<void(Result<void>)> done)
{
    if (!content) {
        done(std::unexpected(std::move(content.error())));
        return;
    }
    m_save.start(
        [path, make = *std::move(content)](const JobContext&) -> Result<void> { return writeFile(path, make()); }, std::move(done));
}

/// Pictures are painted here, where fonts and plots may be used; packing and writing are a worker's.
Result<MainWindow::Content> MainWindow::comparisonFile(const QString& path, QSize size, qreal scale) const
{
    const QString suffix = suffixOf(path);
    const ComparisonInput input = comparisonInput();
    if (const QString why = whyNothingToSave(); !why.isEmpty())
        return fail(ErrorCode::WrongUsage, why.toStdString());
    const QPalette palette = QGuiApplication::palette();
    const auto compared = [input] {
        return analysis::compare(*input.predicted, input.measured ? *input.measured : analysis::RunResult {});
    };
    if (suffix == QLatin1String("svg"))
        return fixed(pictureSvg(picture(), palette, size));
    if (suffix == QLatin1String("pdf"))
        return fixed(picturePdf(picture(), palette, size));
    if (suffix == QLatin1String("txt"))
        return fixed(comparisonText(TextForm::Aligned).toUtf8());
    if (suffix == QLatin1String("png"))
        return [image = pictureImage(picture(), palette, size, scale)] { return pngOf(image); };
    if (suffix == QLatin1String("html") || suffix == QLatin1String("htm")) {
        const PictureModel model = picture();
        return [page = reportPage(), light = pictureImage(model, themePalette(ThemeKind::Light), size, scale),
                   dark = pictureImage(model, themePalette(ThemeKind::Dark), size, scale)]() mutable {
            page.lightPicture = pngOf(light);
            page.darkPicture = pngOf(dark);
            return reportHtml(page);
        };
    }
    if (suffix == QLatin1String("csv"))
        return [compared] { return QByteArray::fromStdString(analysis::toCsv(compared())); };
    if (suffix == QLatin1String("json"))
        return [input, compared] {
            const std::string json = input.measured ? analysis::toJson(compared(), 2) : analysis::toJson(*input.predicted, 2);
            return QByteArray::fromStdString(json) + '\n';
        };
    return fail(ErrorCode::WrongUsage,
        tr("A comparison is saved as .png, .svg, .pdf, .html, .txt, .csv or .json.").toStdString(), path.toStdString());
}

Result<MainWindow::Content> MainWindow::sweepFile(const QString& path) const
{
    const QString suffix = suffixOf(path);
    if (!m_sweeper.order())
        return fail(ErrorCode::WrongUsage, tr("There is no sweep to save yet.").toStdString());
    const QPalette palette = QGuiApplication::palette();
    const SweepPicture picture = m_sweep->picture();
    const Paint paint = [&](QPainter& painter, const QSizeF& size) { renderSweep(painter, size, picture, palette, pictureFont()); };
    if (suffix == QLatin1String("png"))
        return [image = paintImage(sweepPictureSize(picture), kSavedScale, paint)] { return pngOf(image); };
    if (suffix == QLatin1String("svg"))
        return fixed(paintSvg(sweepPictureSize(picture), picture.title, picture.captions.join(QLatin1Char('\n')), paint));
    if (suffix == QLatin1String("csv") || suffix == QLatin1String("json"))
        return [order = *m_sweeper.order(), entries = m_sweeper.entries(), json = suffix == QLatin1String("json")] {
            const std::vector<kernels::SweepRow> rows = rowsOf(order, entries);
            const bool measured = std::ranges::any_of(rows, [](const auto& row) { return row.measured.has_value(); });
            return QByteArray::fromStdString(json ? kernels::sweepJson(rows) : kernels::sweepCsv(*order.spec, rows, measured));
        };
    return fail(ErrorCode::WrongUsage, tr("A sweep is saved as .png, .svg, .csv or .json.").toStdString(), path.toStdString());
}

void MainWindow::copyPicture()
{
    if (const QString why = whyNothingToSave(); !why.isEmpty()) {
        statusBar()->showMessage(why, 8000);
        return;
    }
    QGuiApplication::clipboard()->setImage(pictureImage(picture(), QGuiApplication::palette(), {}, kSavedScale));
    statusBar()->showMessage(tr("The picture is on the clipboard."), 5000);
}

/// Whatever card is clicked on can be copied or saved alone.
void MainWindow::contextMenuEvent(QContextMenuEvent* event)
{
    QWidget* at = childAt(event->pos());
    while (at && !qobject_cast<Card*>(at))
        at = at->parentWidget();
    if (!at) {
        event->ignore();
        return;
    }
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("pictureMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto isRefused = [this] {
        const QString why = m_predictor.current() ? whyNothingToSave() : QString();
        if (!why.isEmpty())
            tellNotSaved(tr("The picture cannot be made."), why);
        return !why.isEmpty();
    };
    menu->addAction(tr("&Copy this picture"), this, [this, isRefused, card = QPointer(at)] {
        if (!card || isRefused())
            return;
        QGuiApplication::clipboard()->setImage(imageOf(*card));
        statusBar()->showMessage(tr("The picture is on the clipboard."), 5000);
    });
    menu->addAction(tr("&Save this picture…"), this, [this, isRefused, card = QPointer(at)] {
        if (!card || isRefused())
            return;
        const QStringList filters { tr("PNG picture (*.png)"), tr("SVG picture (*.svg)"), tr("PDF page (*.pdf)") };
        askSave(tr("Save the picture"), filters.join(QStringLiteral(";;")), QStringLiteral("png"), [this, card](const QString& path) {
            if (card)
                save(path, Content(fileOf(*card, path)), [this, path](const Result<void>& result) { tellExported(path, result); });
        });
    });
    if (at->isAncestorOf(m_right->table())) {
        menu->addSeparator();
        for (const char* name : { "copyTable", "copyTabs" })
            menu->addAction(findChild<QAction*>(QString::fromLatin1(name)));
    }
    menu->popup(event->globalPos());
}

QString MainWindow::whyNotSaved(const QString& path, const Error& error)
{
    const QFileInfo folder(QFileInfo(path).absolutePath());
    if (error.code != ErrorCode::FileFailed)
        return textOf(error).whole();
    if (!folder.isDir())
        return tr("The folder %1 does not exist.").arg(folder.filePath());
    return folder.isWritable() ? textOf(error).sentence : tr("Nothing can be written in the folder %1.").arg(folder.filePath());
}

void MainWindow::tellExported(const QString& path, const Result<void>& result)
{
    if (result) {
        statusBar()->showMessage(tr("Saved %1").arg(path), 8000);
        return;
    }
    tellNotSaved(tr("%1 cannot be saved.").arg(QFileInfo(path).fileName()), whyNotSaved(path, result.error()));
}

void MainWindow::tellNotSaved(const QString& what, const QString& why)
{
    auto* box = new QMessageBox(QMessageBox::Warning, QStringLiteral("Coalescope"), what, QMessageBox::Close, this);
    box->setObjectName(QStringLiteral("saveProblem"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(why);
    box->open();
}

} // namespace coalescope::app
