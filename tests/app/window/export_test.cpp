// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/app_test.h"
#include "tests/app/window/window_fixture.h"

#include "app/core/report_page.h"
#include "app/views/block/block_view.h"
#include "app/widgets/pay_panel.h"
#include "app/widgets/warp_panel.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QFile>
#include <QFileDialog>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenu>
#include <QRegularExpression>
#include <QSet>
#include <QXmlStreamReader>

class ExportTest : public QObject {
    Q_OBJECT
private slots:
    void init();
    void thePdfIsOnePageOfVectors();
    void theSvgHasNoGroupForEveryCell();
    void thePageIsSelfContainedAndSaysEverything();
    void thePageEscapesWhatItQuotes();
    void onlyWhatIsVerifiedIsGreen();
    void tablesForProgramsAreSaved();
    void aFolderThatIsNotThereLeavesNoFile();
    void everyCardIsCopiedAndSavedAlone();
    void theComparisonIsCopiedAsAPicture();
    void thePictureOfDoesItPayIsWholeAndNamesBoth();
    void thePictureShowsEachKindOfAccessAndHowManyStepsThereAre();

private:
    QByteArray saved(MainWindow& window, const QString& name);
    std::unique_ptr<QTemporaryDir> m_folder;
};

void ExportTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder->path());
}

QByteArray ExportTest::saved(MainWindow& window, const QString& name)
{
    std::optional<bool> good;
    window.exportTo(m_folder->filePath(name), {}, 1, [&](const Result<void>& result) { good = result.has_value(); });
    if (!QTest::qWaitFor([&] { return good.has_value(); }, 20000) || !*good)
        return {};
    QFile file(m_folder->filePath(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void ExportTest::thePdfIsOnePageOfVectors()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), kConflict));
    openAndSettle(window);
    const QByteArray pdf = saved(window, QStringLiteral("a.pdf"));
    QVERIFY(pdf.startsWith("%PDF-"));
    QVERIFY(pdf.contains("/Count 1"));
    QVERIFY(pdf.contains("/Font"));
    QVERIFY(!pdf.contains("/Subtype /Image"));
    const QSizeF expected = QSizeF(pictureSize(window.picture(), pictureFont())) * 0.75;
    static const QRegularExpression box(QStringLiteral("/MediaBox \\[0 0 ([0-9.]+) ([0-9.]+)\\]"));
    const auto found = box.match(QString::fromLatin1(pdf));
    QVERIFY(found.hasMatch());
    QVERIFY(std::abs(found.captured(1).toDouble() - expected.width()) < 2);
    QVERIFY(std::abs(found.captured(2).toDouble() - expected.height()) < 2);
}

void ExportTest::theSvgHasNoGroupForEveryCell()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), kConflict));
    openAndSettle(window);
    const QByteArray svg = saved(window, QStringLiteral("a.svg"));
    QVERIFY(svg.count("<rect") > 1500);
    QVERIFY2(svg.count("<g ") < 900, qPrintable(QString::number(svg.count("<g "))));
    QXmlStreamReader xml(svg);
    while (!xml.atEnd())
        xml.readNext();
    QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
}

void ExportTest::thePageIsSelfContainedAndSaysEverything()
{
    MainWindow window(options(QStringLiteral("transpose_flat_bound"), { { "rows", "1000" }, { "cols", "1003" } }));
    openAndSettle(window);
    const QByteArray html = saved(window, QStringLiteral("a.html"));
    for (const char* text : { "transpose_flat_bound", "<dt>Rows</dt><dd>1000</dd>", "<dt>Padding</dt>", "load sectors",
             "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "Wrong output, line", "predicted output is wrong",
             "How these figures were made", "prefers-color-scheme", "@media print" })
        QVERIFY2(html.contains(text), text);
    for (const TableRow& row : window.comparisonPanel()->table()->table().rows)
        QVERIFY2(html.contains(row.label.toHtmlEscaped().toUtf8()), qPrintable(row.label));
    QVERIFY(!html.contains("http"));
    static const QRegularExpression picture(QStringLiteral("data:image/png;base64,([A-Za-z0-9+/=]+)\""));
    auto found = picture.globalMatch(QString::fromLatin1(html));
    QList<QImage> images;
    while (found.hasNext())
        images << QImage::fromData(QByteArray::fromBase64(found.next().captured(1).toLatin1()));
    QCOMPARE(images.size(), 2);
    QVERIFY(images[0].pixelColor(2, 2).lightness() < 80); // for dark screens
    QVERIFY(images[1].pixelColor(2, 2).lightness() > 200);
    bool open = false; // <source> and <img> have no end in HTML
    static const QRegularExpression single(QStringLiteral("<(source|img)[^>]*>"));
    QXmlStreamReader closed(QString::fromUtf8(html).remove(QStringLiteral("<!DOCTYPE html>")).remove(single).remove(
        QRegularExpression(QStringLiteral("<meta[^>]*>"))));
    while (!closed.atEnd()) {
        closed.readNext();
        open = open || closed.isStartElement();
    }
    QVERIFY2(open && !closed.hasError(), qPrintable(closed.errorString()));
}

void ExportTest::thePageEscapesWhatItQuotes()
{
    ReportPage page;
    page.title = QStringLiteral("<script>alert(1)</script>");
    page.findings << QStringLiteral("a < b & \"c\"");
    page.parameters.emplace_back(QStringLiteral("<b>"), QStringLiteral("</dd>"));
    const QByteArray html = reportHtml(page);
    QVERIFY(!html.contains("<script>") && !html.contains("<b>"));
    QVERIFY(html.contains("a &lt; b &amp; &quot;c&quot;") && html.contains("&lt;/dd&gt;"));
}

void ExportTest::onlyWhatIsVerifiedIsGreen()
{
    MainWindow window(options(QStringLiteral("copy"), kSmall));
    openAndSettle(window);
    ReportPage page = window.reportPage();
    QVERIFY(page.verified && !page.wrong);
    const QByteArray finding = page.findings.front().toHtmlEscaped().toUtf8();
    QVERIFY(reportHtml(page).contains("<p class=\"good\">" + finding));
    page.verified = false;
    QVERIFY(reportHtml(page).contains("<p class=\"muted\">" + finding));
    page.wrong = true;
    QVERIFY(reportHtml(page).contains("<p class=\"warn\">" + finding));
}

void ExportTest::tablesForProgramsAreSaved()
{
    MainWindow window(options(QStringLiteral("copy"), kSmall));
    openAndSettle(window);
    QVERIFY(saved(window, QStringLiteral("a.csv")).startsWith("kernel,device,key,predicted,measured,delta"));
    const QJsonDocument json = QJsonDocument::fromJson(saved(window, QStringLiteral("a.json")));
    QVERIFY(json.isObject() && (json.object().contains(QStringLiteral("metrics")) || json.object().contains(QStringLiteral("predicted"))));
}

void ExportTest::aFolderThatIsNotThereLeavesNoFile()
{
    MainWindow window(options(QStringLiteral("copy"), kSmall));
    openAndSettle(window);
    for (const char* suffix : { "png", "svg", "pdf", "html", "csv", "json", "txt" })
        QVERIFY2(saved(window, QStringLiteral("none/a.") + QLatin1String(suffix)).isEmpty(), suffix);
    QVERIFY(!QFile::exists(m_folder->filePath(QStringLiteral("none"))));
}

void ExportTest::everyCardIsCopiedAndSavedAlone()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), kConflict));
    openAndSettle(window);
    QList<QImage> pictures;
    QSize size; // a card may grow behind it
    for (QWidget* view : { static_cast<QWidget*>(window.warpPanel()->blockView()), static_cast<QWidget*>(window.comparisonPanel()) }) {
        const QPoint at = view->rect().center();
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, view->mapToGlobal(at));
        QApplication::sendEvent(view, &event);
        auto* menu = window.findChild<QMenu*>(QStringLiteral("pictureMenu"));
        QVERIFY(menu);
        size = view->size();
        menu->actions().at(0)->trigger();
        menu->close();
        QTRY_VERIFY(!window.findChild<QMenu*>(QStringLiteral("pictureMenu")));
        pictures.push_back(QGuiApplication::clipboard()->image());
    }
    QVERIFY(pictures[0].size() != pictures[1].size());
    QCOMPARE(pictures[1].size(), size * 2);
    QSet<QRgb> colours;
    for (int x = 0; x < pictures[0].width(); ++x)
        colours.insert(pictures[0].pixel(x, pictures[0].height() / 2));
    QVERIFY2(colours.size() > 4, "there is something on it");

    QContextMenuEvent event(QContextMenuEvent::Keyboard, {}, window.comparisonPanel()->mapToGlobal(QPoint(5, 5)));
    QApplication::sendEvent(window.comparisonPanel(), &event);
    window.findChild<QMenu*>(QStringLiteral("pictureMenu"))->actions().at(1)->trigger();
    auto* dialog = window.findChild<QFileDialog*>();
    QVERIFY(dialog);
    const QString path = m_folder->filePath(QStringLiteral("card.png"));
    emit dialog->fileSelected(path);
    dialog->close();
    QTRY_VERIFY(!window.findChild<QFileDialog*>());
    QTRY_COMPARE(QImage(path).size(), window.comparisonPanel()->size() * 2);
    for (const auto& [name, begins] : { std::pair("card.svg", "<?xml"), std::pair("card.pdf", "%PDF") }) {
        QTRY_VERIFY(!window.findChild<QMenu*>(QStringLiteral("pictureMenu")));
        QApplication::sendEvent(window.comparisonPanel(), &event);
        auto* menu = window.findChild<QMenu*>(QStringLiteral("pictureMenu"));
        QVERIFY(std::ranges::count(menu->actions(), QStringLiteral("copyTabs"), &QAction::objectName) == 1);
        menu->actions().at(1)->trigger();
        menu->close();
        const QString other = m_folder->filePath(QString::fromLatin1(name));
        emit window.findChild<QFileDialog*>()->fileSelected(other);
        window.findChild<QFileDialog*>()->close();
        QTRY_VERIFY2(QFile::exists(other), name);
        QFile file(other);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY2(file.readAll().startsWith(begins), name);
        QTRY_VERIFY(!window.findChild<QFileDialog*>());
    }
}

void ExportTest::theComparisonIsCopiedAsAPicture()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), kConflict));
    openAndSettle(window);
    QTest::keyClick(&window, Qt::Key_P, Qt::ControlModifier | Qt::AltModifier);
    QCOMPARE(QGuiApplication::clipboard()->image().size(), pictureSize(window.picture(), pictureFont()) * 2);
}

void ExportTest::thePictureShowsEachKindOfAccessAndHowManyStepsThereAre()
{
    MainWindow window(options(QStringLiteral("transpose_shared_multi")));
    openAndSettle(window);
    const PictureModel model = window.picture();
    QCOMPARE(model.strip.items.size(), 17u); // each of four rows a thread through shared memory, and the barrier
    QStringList mnemonics;
    for (const AccessPicture& access : model.accesses)
        mnemonics << access.title.section(QLatin1Char(','), 0, 0);
    QCOMPARE(mnemonics, QStringList({ "ld.global in", "st.shared tile", "ld.shared tile", "st.global out" }));
    const QByteArray svg = saved(window, QStringLiteral("a.svg"));
    QVERIFY(svg.contains("7 of the warp's 17 steps")); // as many as there is room for
    QVERIFY(svg.contains("…"));
    QCOMPARE(svg.count(">line "), 7); // whole ones
}

/// Whether it is seen whole or scrolled to.
void ExportTest::thePictureOfDoesItPayIsWholeAndNamesBoth()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), kConflict));
    openAndSettle(window, { 1024, 600 });
    QTest::keyClick(&window, Qt::Key_4, Qt::ControlModifier);
    PayPanel* panel = window.payPanel();
    QTRY_VERIFY_WITH_TIMEOUT(panel->isPairShown(), kPatienceMs);
    const QSize seen = panel->size();
    const int hidden = panel->table()->parentWidget()->height() - panel->table()->parentWidget()->parentWidget()->height();
    QVERIFY(hidden > 0);
    QContextMenuEvent event(QContextMenuEvent::Keyboard, {}, panel->mapToGlobal(QPoint(5, 5)));
    QApplication::sendEvent(panel, &event);
    window.findChild<QMenu*>(QStringLiteral("pictureMenu"))->actions().at(0)->trigger();
    const QSize picture = QGuiApplication::clipboard()->image().size();
    QCOMPARE(picture.width(), seen.width() * 2);
    QVERIFY(picture.height() > 2 * seen.height() && picture.height() <= 2 * (seen.height() + hidden)); // without the scroll bar there is room beside
    QCOMPARE(panel->size(), seen);
    const QString names = panel->findChild<QLabel*>(QStringLiteral("payNames"))->text();
    for (const char* part : { "A: transpose_shared", "Rows 64", "Padding 0", "H200", "B: transpose_shared" })
        QVERIFY2(names.contains(QString::fromLatin1(part)), qPrintable(names));
    const QString folder = qEnvironmentVariable("COALESCOPE_PICTURES");
    if (!folder.isEmpty())
        QGuiApplication::clipboard()->image().save(folder + QStringLiteral("/pay-picture.png"));
}

APP_TEST(ExportTest, QApplication)

#include "export_test.moc"
