// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/app_test.h"
#include "tests/app/window/sweep_fixture.h"

#include "app/core/session.h"
#include "app/widgets/pay_panel.h"
#include "app/widgets/source_panel.h"
#include "app/widgets/warp_panel.h"

#include <Qsci/qsciscintilla.h>

#include <QAction>
#include <QFile>
#include <QMenuBar>
#include <QMessageBox>
#include <QSaveFile>

/// The user's own file, edited in another program while the window is open.
class ReloadTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { compileIntoTemporaryFolder(); }
    void init();
    void readingTheFileAgainKeepsWhatWasChosen_data();
    void readingTheFileAgainKeepsWhatWasChosen();
    void whatIsReadAgainAsItWasIsNoStepOfUndo();
    void undoGoesOnWithValuesNeverWithAnOldSource();
    void undoIntoAnotherFileReadsItAgain();
    void whatIsOfAnEarlierSourceIsNotSaved();
    void whatNoLongerFitsTakesItsDefault();
    void whatNobodyHasChangedFollowsTheFile();
    void aFileThatAnEditorReplacesIsReadAgain();
    void aFileThatIsGoneIsSaidToBeAndReadAgainWhenItIsBack();
    void aManifestThatIsBrokenIsSaidToBeUntilItIsPutRight();
    void filesOpenedBeforeAreInTheMenu();
    void aSessionOfWhatTheFileNoLongerHasSaysWhatIsNotUsed();
    void versionsOfTheSourceThatArePinnedAreKept();
    void startingWithAKernelKeepsThePins_data();
    void startingWithAKernelKeepsThePins();
    void theLastExperimentIsKeptWhereAnotherCouldNotBeOpened_data();
    void theLastExperimentIsKeptWhereAnotherCouldNotBeOpened();
    void theLastExperimentIsOpenedWhenItsFileIsBack();
    void aHeaderThatIsSavedIsReadAgain();
    void aKernelOfTheCatalogueHasNothingToReload();

private:
    void write(const QByteArray& text) const;

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
    QByteArray m_source;
};

void ReloadTest::init()
{
    m_folder = freshFolder();
    m_path = m_folder->filePath(QStringLiteral("mine.cu"));
    QFile file(QStringLiteral(COALESCOPE_SOURCE_DIR "/kernels/catalogue/copy.cu"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    m_source = file.readAll();
    write(m_source);
}

/// As editors do: another file takes its name.
void ReloadTest::write(const QByteArray& text) const
{
    QSaveFile file(m_path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size() && file.commit());
}

static void settleOn(MainWindow& window, const QByteArray& source)
{
    QTRY_VERIFY_WITH_TIMEOUT(window.experiment()->state().spec->source == source.toStdString() && window.isSettled(), kPatienceMs);
}

static void verifyTheSourceTabTellsTheSame(MainWindow& window, int firstLine)
{
    window.topBar()->setTab(tabNamed(QStringLiteral("source")));
    const auto* banner = window.findChild<QLabel*>(QStringLiteral("banner"));
    const auto* told = window.findChild<QLabel*>(QStringLiteral("sourceBanner"));
    QVERIFY(told->isVisible());
    QCOMPARE(told->text(), banner->text());
    auto* editor = window.sourcePanel()->editor();
    QCOMPARE(editor->firstVisibleLine(), firstLine);
    const int broken = editor->text().section(QStringLiteral("this does"), 0, 0).count(QLatin1Char('\n'));
    QVERIFY(editor->markersAtLine(broken) != 0);
    QCOMPARE(editor->markersAtLine(broken - 1), 0u);
    editor->setFirstVisibleLine(editor->lines());
    keepPicture(window, QStringLiteral("compile-error-source"));
    editor->setFirstVisibleLine(firstLine);
}

/// The banner has the compiler's log under each other; the status bar its first sentence.
static void verifyTheLogIsReadable(MainWindow& window)
{
    const auto* banner = window.findChild<QLabel*>(QStringLiteral("banner"));
    QVERIFY2(banner->text().contains(QStringLiteral("this does not compile\n")), qPrintable(banner->text()));
    const QFontMetrics metrics(banner->font());
    QCOMPARE(metrics.horizontalAdvance(QLatin1Char('i')), metrics.horizontalAdvance(QLatin1Char('M')));
    QVERIFY(!window.statusText().contains(QLatin1Char('\n')));
    QVERIFY2(window.statusText().startsWith(QStringLiteral("No prediction: mine.cu:")), qPrintable(window.statusText()));
    window.topBar()->setTab(tabNamed(QStringLiteral("warp")));
    keepPicture(window, QStringLiteral("compile-error"));
}

void ReloadTest::readingTheFileAgainKeepsWhatWasChosen_data()
{
    QTest::addColumn<bool>("byKey");
    QTest::newRow("F5") << true;
    QTest::newRow("opened again") << false;
}

void ReloadTest::readingTheFileAgainKeepsWhatWasChosen()
{
    QFETCH(bool, byKey);
    MainWindow window(options(m_path, kSmall));
    openAndSettle(window);
    window.experiment()->setDevice(QStringLiteral("a100-80"));
    typeInto(window, "block_y", QStringLiteral("16"));
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && window.predictor()->current()->plan.block.y == 16, kPatienceMs);
    window.experiment()->setSelection({ { 1, 2, 0 }, 3, 1 });
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    openSweep(window, { { "block_x", "" }, { "block_y", "" }, { "rows", "32,64" } });
    const auto isKept = [&] {
        const ExperimentState& state = window.experiment()->state();
        return state.values.at("rows") == "64" && state.values.at("block_y") == "16" && state.device == QStringLiteral("a100-80")
            && window.experiment()->selection() == Selection { { 1, 2, 0 }, 3, 1 }
            && window.sweepPanel()->axes()->ranges().at("rows") == QStringLiteral("32,64");
    };
    QVERIFY(isKept());
    window.topBar()->setTab(tabNamed(QStringLiteral("source")));
    window.sourcePanel()->editor()->setFirstVisibleLine(60);
    for (const char* line : { "\nthis does not compile\n", "\n// put right\n" }) { // what is broken leaves everything in place
        const QByteArray edited = m_source + line;
        write(edited);
        if (byKey)
            QTest::keyClick(&window, Qt::Key_F5);
        else
            window.openPath(m_path);
        settleOn(window, edited);
        QVERIFY(isKept());
        if (line[1] == 't') {
            verifyTheLogIsReadable(window);
            verifyTheSourceTabTellsTheSame(window, 60);
        }
    }
    QVERIFY(!window.findChild<QLabel*>(QStringLiteral("sourceBanner"))->isVisible());
    QVERIFY(window.predictor()->current()->state == window.experiment()->state());
}

void ReloadTest::whatIsReadAgainAsItWasIsNoStepOfUndo()
{
    MainWindow window(options(m_path, kSmall));
    openAndSettle(window);
    window.experiment()->setValue("block_y", "16");
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    const int steps = window.experiment()->undoStack()->count();
    const SpecPointer before = window.experiment()->state().spec;
    QTest::keyClick(&window, Qt::Key_F5);
    QTRY_VERIFY_WITH_TIMEOUT(window.experiment()->state().spec != before && window.isSettled(), kPatienceMs);
    QCOMPARE(window.experiment()->undoStack()->count(), steps);
    QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(window.experiment()->state().values.at("block_y") != "16");
}

void ReloadTest::undoGoesOnWithValuesNeverWithAnOldSource()
{
    MainWindow window(options(m_path, kSmall));
    openAndSettle(window);
    typeInto(window, "block_y", QStringLiteral("16"));
    typeInto(window, "block_x", QStringLiteral("64"));
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && window.predictor()->current()->plan.block.x == 64, kPatienceMs);
    const kernels::ParameterValues values = window.experiment()->state().values;
    const int steps = window.experiment()->undoStack()->count();
    for (const char* line : { "\nthis does not compile\n", "\n// put right\n" }) {
        write(m_source + line);
        settleOn(window, m_source + line);
    }
    QCOMPARE(window.experiment()->undoStack()->count(), steps);
    const std::string now = (m_source + "\n// put right\n").toStdString();
    QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier);
    QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(window.experiment()->state().values.at("block_x") != "64" && window.experiment()->state().values.at("block_y") != "16");
    QVERIFY(window.experiment()->state().spec->source == now);
    for (int i = 0; i < steps; ++i)
        QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(window.experiment()->state().values == values);
    QVERIFY(window.experiment()->state().spec->source == now);
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && window.predictor()->current()->state == window.experiment()->state(), kPatienceMs);
}

void ReloadTest::undoIntoAnotherFileReadsItAgain()
{
    MainWindow window(options(m_path, kSmall));
    openAndSettle(window);
    window.experiment()->chooseKernel(catalogueSpec("transpose_naive"), kSmall);
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    write(m_source + "\n// edited meanwhile\n");
    QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier);
    settleOn(window, m_source + "\n// edited meanwhile\n");
    QCOMPARE(window.experiment()->state().values.at("rows"), "64");
}

void ReloadTest::whatIsOfAnEarlierSourceIsNotSaved()
{
    MainWindow window(options(m_path, kSmall));
    openAndSettle(window);
    write(m_source + "\nthis does not compile\n");
    settleOn(window, m_source + "\nthis does not compile\n");
    QTest::keyClick(&window, Qt::Key_E, Qt::ControlModifier);
    auto* box = window.findChild<QMessageBox*>(QStringLiteral("saveProblem"));
    QVERIFY(box && !window.findChild<QFileDialog*>());
    QVERIFY2(box->informativeText().contains(QStringLiteral("mine.cu as it was")) && box->informativeText().contains(QStringLiteral(" now. mine.cu:")),
        qPrintable(box->informativeText()));
    keepPicture(*box, QStringLiteral("not-saved"));
    delete box;
    for (const char* name : { "a.png", "a.html", "a.csv" }) {
        std::optional<Result<void>> result;
        window.exportTo(m_folder->filePath(QString::fromLatin1(name)), {}, 1, [&](Result<void> answer) { result = std::move(answer); });
        QVERIFY2(result && !*result, name);
        QVERIFY(!QFile::exists(m_folder->filePath(QString::fromLatin1(name))));
    }
    window.findChild<QAction*>(QStringLiteral("copyTable"))->trigger();
    QVERIFY2(window.findChild<ElidedLabel*>(QStringLiteral("status"))->fullText().contains(QStringLiteral("mine.cu as it was")), "nothing is copied");
    write(m_source);
    settleOn(window, m_source);
    window.findChild<QAction*>(QStringLiteral("savePng"))->trigger();
    auto* dialog = window.findChild<QFileDialog*>();
    const auto* refused = window.findChild<QMessageBox*>(QStringLiteral("saveProblem"));
    QVERIFY2(dialog, refused ? qPrintable(refused->informativeText()) : "");
    dialog->close();
}

void ReloadTest::whatNoLongerFitsTakesItsDefault()
{
    MainWindow window(options(m_path, kSmall));
    openAndSettle(window);
    window.experiment()->setValue("type", "i8");
    const QByteArray other = QByteArray(m_source).replace("\"i8\", ", "");
    QVERIFY(other != m_source);
    write(other);
    QTest::keyClick(&window, Qt::Key_F5);
    settleOn(window, other);
    QCOMPARE(window.experiment()->state().values.at("type"), "f32");
    QCOMPARE(window.experiment()->state().values.at("rows"), "64");
}

void ReloadTest::whatNobodyHasChangedFollowsTheFile()
{
    MainWindow window(options(m_path, kSmall));
    openAndSettle(window);
    typeInto(window, "block_y", QStringLiteral("16"));
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && window.predictor()->current()->plan.block.y == 16, kPatienceMs);
    QByteArray changed = m_source;
    const qsizetype at = changed.indexOf("default = 32", changed.indexOf("name = \"block_x\""));
    QVERIFY(at > 0);
    changed.replace(at, 12, "default = 64");
    write(changed);
    settleOn(window, changed);
    QCOMPARE(window.experiment()->state().values.at("block_x"), std::string("64"));
    QCOMPARE(window.experiment()->state().values.at("block_y"), std::string("16"));
}

void ReloadTest::aFileThatAnEditorReplacesIsReadAgain()
{
    MainWindow window(options(m_path, kSmall));
    openAndSettle(window);
    for (const char* line : { "\n// one\n", "\n// two\n" }) { // the second replaces a file that is another one already
        const QByteArray edited = m_source + line;
        write(edited);
        settleOn(window, edited);
        QCOMPARE(window.experiment()->state().values.at("rows"), "64");
    }
    const int steps = window.experiment()->undoStack()->count();
    write("no manifest any more");
    QTest::qWait(500);
    QVERIFY(!window.findChild<QMessageBox*>()); // nobody asked
    QCOMPARE(window.experiment()->undoStack()->count(), steps);
    write(m_source);
    settleOn(window, m_source);
}

void ReloadTest::aFileThatIsGoneIsSaidToBeAndReadAgainWhenItIsBack()
{
    MainWindow window(options(m_path, kSmall));
    openAndSettle(window);
    const auto* notice = window.findChild<QLabel*>(QStringLiteral("notice"));
    QVERIFY(!notice->isVisible());
    for (const char* line : { "\n// of another branch\n", "\n// and back\n" }) {
        QVERIFY(QFile::remove(m_path));
        QTRY_VERIFY_WITH_TIMEOUT(notice->isVisible(), kPatienceMs);
        QVERIFY2(notice->text().contains(m_path + QStringLiteral(" is gone")), qPrintable(notice->text()));
        keepPicture(window, QStringLiteral("file-gone"));
        const QByteArray edited = m_source + line;
        write(edited);
        settleOn(window, edited);
        QVERIFY(!notice->isVisible());
        QCOMPARE(window.experiment()->state().values.at("rows"), "64");
    }
    QVERIFY(QFile::remove(m_path));
    QTRY_VERIFY_WITH_TIMEOUT(notice->isVisible(), kPatienceMs);
    window.experiment()->chooseKernel(catalogueSpec("copy"));
    QVERIFY(!notice->isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
}

void ReloadTest::aManifestThatIsBrokenIsSaidToBeUntilItIsPutRight()
{
    MainWindow window(options(m_path, kSmall));
    openAndSettle(window);
    const auto* notice = window.findChild<QLabel*>(QStringLiteral("notice"));
    QVERIFY(!notice->isVisible());
    for (const bool putRight : { true, false }) {
        write(QByteArray(m_source).replace("\ntitle", "\ntitel"));
        QTRY_VERIFY_WITH_TIMEOUT(notice->isVisible(), kPatienceMs);
        QVERIFY2(notice->text().contains(QStringLiteral("titel")), qPrintable(notice->text()));
        keepPicture(window, QStringLiteral("manifest-error"));
        if (putRight)
            write(m_source);
        else
            window.experiment()->chooseKernel(catalogueSpec("transpose_naive"));
        QTRY_VERIFY_WITH_TIMEOUT(!notice->isVisible(), kPatienceMs);
    }
}

void ReloadTest::filesOpenedBeforeAreInTheMenu()
{
    const QString other = m_folder->filePath(QStringLiteral("other.cu"));
    QVERIFY(QFile::copy(m_path, other));
    MainWindow window(options(QStringLiteral("copy"), kSmall));
    openAndSettle(window);
    for (const QString& path : { m_path, other, m_path }) {
        window.openPath(path);
        QTRY_COMPARE_WITH_TIMEOUT(QString::fromStdString(window.experiment()->state().spec->path.string()), path, kPatienceMs);
    }
    auto* menu = window.findChild<QMenu*>(QStringLiteral("recent"));
    QStringList names;
    for (const QAction* action : menu->actions())
        names << action->text();
    QCOMPARE(names, (QStringList { QStringLiteral("mine.cu"), QStringLiteral("other.cu") }));
    menu->actions().at(1)->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(QString::fromStdString(window.experiment()->state().spec->path.string()), other, kPatienceMs);
}

void ReloadTest::aSessionOfWhatTheFileNoLongerHasSaysWhatIsNotUsed()
{
    const QString path = m_folder->filePath(QStringLiteral("mine.json"));
    Session session;
    session.file = m_path;
    session.values = { { "rows", "64" }, { "cols", "-4" }, { "type", "i5" }, { "tile", "16" } };
    session.device = QStringLiteral("h200");
    session.selection = { { 0, 999, 0 }, 77, -1 };
    QVERIFY(saveSession(session, path));
    MainWindow window(options(path));
    openAndSettle(window);
    const auto* notice = window.findChild<QLabel*>(QStringLiteral("notice"));
    QVERIFY(notice->isVisible());
    for (const char* unused : { "cols = -4 (not allowed; 4096 is taken)", "type = i5 (not allowed; f32 is taken)",
             "tile = 16 (the kernel has no such parameter)", "block (0, 999, 0) (the grid is ", "warp 77 (a block has 8)" })
        QVERIFY2(notice->text().contains(QString::fromLatin1(unused)), qPrintable(notice->text()));
    QVERIFY(!notice->text().contains(QStringLiteral("rows")));
    QCOMPARE(window.experiment()->state().values.at("cols"), "4096");
    keepPicture(window, QStringLiteral("session-unused"));
    typeInto(window, "cols", QStringLiteral("64")); // it has been read
    QVERIFY(!notice->isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
}

static QByteArray steps(int step)
{
    return "/* --- coalescope\nid = \"steps\"\ntitle = \"Steps\"\nentry = \"steps\"\n[[parameters]]\nname = \"n\"\ndefault = 256\n"
           "min = 1\nmax = 4096\n[launch]\ngrid = [1]\nblock = [32]\n[[arguments]]\nbuffer = \"a\"\ntype = \"f32\"\ncount = \"n\"\n"
           "--- */\n__global__ void steps(float* a) { a[threadIdx.x * "
        + QByteArray::number(step) + "] = 1; }\n";
}

static QStringList pinsOf(MainWindow& window)
{
    QStringList pins;
    for (int i = 0; i < window.payPanel()->boxA()->count(); ++i)
        if (window.payPanel()->boxA()->itemData(i).toString().startsWith(QLatin1String("pin:")))
            pins << window.payPanel()->boxA()->itemText(i);
    return pins;
}

static QList<double> pinnedSectors(MainWindow& window)
{
    QList<double> sectors;
    for (const Variant& pin : window.payPanel()->pinned())
        sectors << pin.input.predicted->metrics.get(Metric::GlobalStoreSectors).value_or(-1);
    return sectors;
}

void ReloadTest::versionsOfTheSourceThatArePinnedAreKept()
{
    const QString path = m_folder->filePath(QStringLiteral("pins.json"));
    write(steps(1));
    {
        MainWindow window(options(m_path));
        openAndSettle(window);
        for (const int step : { 1, 2 }) {
            QTest::keyClick(&window, Qt::Key_P, Qt::ControlModifier);
            write(steps(2 * step));
            QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && predictedValue(window, Metric::GlobalStoreSectors) == 8.0 * step, kPatienceMs);
        }
        QCOMPARE(pinnedSectors(window), QList<double>({ 8, 4 })); // the newest first
        for (const QString& name : pinsOf(window))
            QVERIFY2(name.contains(QStringLiteral("source of ")), qPrintable(name));
        saveSessionAs(window, path);
    }
    MainWindow window(options(path));
    openAndSettle(window);
    QCOMPARE(predictedValue(window, Metric::GlobalStoreSectors), 16);
    QCOMPARE(pinnedSectors(window), QList<double>({ 8, 4 }));
    for (const QString& name : pinsOf(window))
        QVERIFY2(name.contains(QStringLiteral("source of ")), qPrintable(name));
}

void ReloadTest::startingWithAKernelKeepsThePins_data()
{
    QTest::addColumn<QString>("asked");
    QTest::newRow("a file") << QString();
    QTest::newRow("a kernel of the catalogue") << QStringLiteral("transpose_naive");
}

void ReloadTest::startingWithAKernelKeepsThePins()
{
    QFETCH(QString, asked);
    const auto start = [](const QString& open, auto&& look) {
        MainWindow window(options(open));
        openAndSettle(window);
        look(window);
        window.close();
    };
    start(QStringLiteral("copy"), [](MainWindow& window) { QTest::keyClick(&window, Qt::Key_P, Qt::ControlModifier); });
    if (asked.isEmpty()) {
        write(steps(2));
        asked = m_path;
    }
    for (const QString& open : { asked, QString() }) {
        start(open, [](MainWindow& window) {
            QVERIFY(window.experiment()->state().spec->id != "copy");
            QCOMPARE(window.payPanel()->pinned().size(), std::size_t(1));
            QCOMPARE(window.payPanel()->pinned().front().state.spec->id, "copy");
        });
    }
}

void ReloadTest::theLastExperimentIsKeptWhereAnotherCouldNotBeOpened_data()
{
    QTest::addColumn<QString>("asked");
    QTest::newRow("missing file") << QStringLiteral("/no/such/kernel.cu");
    QTest::newRow("unknown kernel") << QStringLiteral("transpse_naive");
    QTest::newRow("its own file is gone") << QString();
}

void ReloadTest::theLastExperimentIsKeptWhereAnotherCouldNotBeOpened()
{
    QFETCH(QString, asked);
    write(steps(2));
    const auto run = [&](const QString& open, auto&& look) {
        MainWindow window(options(open));
        openAndSettle(window);
        for (auto* box : window.findChildren<QMessageBox*>())
            box->close();
        look(window);
        window.close();
    };
    run(m_path, [](MainWindow& window) { QTest::keyClick(&window, Qt::Key_P, Qt::ControlModifier); });
    const QString away = m_path + QStringLiteral(".away");
    QVERIFY(QFile::rename(m_path, away));
    run(asked, [](MainWindow& window) { QCOMPARE(window.experiment()->state().spec->id, "transpose_shared"); });
    QVERIFY(QFile::rename(away, m_path));
    run({}, [](MainWindow& window) {
        QCOMPARE(window.experiment()->state().spec->id, "steps");
        QCOMPARE(window.payPanel()->pinned().size(), std::size_t(1));
    });
}

void ReloadTest::theLastExperimentIsOpenedWhenItsFileIsBack()
{
    write(steps(2));
    {
        MainWindow window(options(m_path));
        openAndSettle(window);
        window.close();
    }
    const QString away = m_path + QStringLiteral(".away");
    QVERIFY(QFile::rename(m_path, away));
    MainWindow window(options({}));
    openAndSettle(window);
    const auto* notice = window.findChild<QLabel*>(QStringLiteral("notice"));
    QVERIFY2(notice->isVisible() && notice->text().contains(m_path + QStringLiteral(" is gone: the last experiment is kept")), qPrintable(notice->text()));
    keepPicture(window, QStringLiteral("last-file-gone"));
    QVERIFY(QFile::rename(away, m_path));
    QTRY_COMPARE_WITH_TIMEOUT(QString::fromStdString(window.experiment()->state().spec->id), QStringLiteral("steps"), kPatienceMs);
    QVERIFY(!notice->isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
}

void ReloadTest::aHeaderThatIsSavedIsReadAgain()
{
    const QString header = m_folder->filePath(QStringLiteral("step.h"));
    const auto save = [&](const QByteArray& text) {
        QSaveFile file(header);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size() && file.commit());
    };
    save("#define STEP 1\n");
    write("/* --- coalescope\nid = \"steps\"\ntitle = \"Steps\"\nentry = \"steps\"\n[[parameters]]\nname = \"n\"\ndefault = 256\n"
          "min = 1\nmax = 4096\n[launch]\ngrid = [1]\nblock = [32]\n[[arguments]]\nbuffer = \"a\"\ntype = \"f32\"\ncount = \"n\"\n"
          "--- */\n#include \"step.h\"\n__global__ void steps(float* a) { a[threadIdx.x * STEP] = 1; }\n");
    MainWindow window(options(m_path));
    openAndSettle(window);
    window.experiment()->setValue("n", "1024");
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    QCOMPARE(predictedValue(window, Metric::GlobalStoreSectors), 4);
    for (const auto& [text, sectors] : { std::pair("#define STEP 2\n", 8), std::pair("#define STEP 4 // more\n", 16),
             std::pair("#define STEP 8 // gone for a moment\n", 32) }) {
        QTest::qWait(50); // the header is found in the background
        if (sectors == 32) {
            const auto* banner = window.findChild<QLabel*>(QStringLiteral("banner"));
            QVERIFY(QFile::remove(header));
            QTRY_VERIFY_WITH_TIMEOUT(banner->text().contains(QStringLiteral("step.h")), kPatienceMs);
        }
        save(text);
        QTRY_COMPARE_WITH_TIMEOUT(predictedValue(window, Metric::GlobalStoreSectors), double(sectors), kPatienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
        QCOMPARE(window.experiment()->state().values.at("n"), "1024");
    }
}

void ReloadTest::aKernelOfTheCatalogueHasNothingToReload()
{
    MainWindow window(options(QStringLiteral("copy"), kSmall));
    openAndSettle(window);
    const auto* reload = window.findChild<QAction*>(QStringLiteral("reload"));
    QVERIFY(reload && !reload->isEnabled());
    window.openPath(m_path);
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && reload->isEnabled(), kPatienceMs);
    QVERIFY(reload->shortcut() == QKeySequence(Qt::Key_F5));
}

APP_TEST(ReloadTest, QApplication)
#include "reload_test.moc"
