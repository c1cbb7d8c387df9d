// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/app_test.h"
#include "tests/app/window/window_fixture.h"

#include "app/core/session.h"
#include "app/core/texts.h"
#include "app/widgets/kernel_chooser.h"
#include "app/widgets/source_panel.h"
#include "app/widgets/theme.h"
#include "kernels/source/manifest_template.h"

#include <QClipboard>
#include <QDir>
#include <QDropEvent>
#include <QFile>
#include <QFileDialog>
#include <QListView>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QStatusBar>

#include <Qsci/qsciscintilla.h>

#include <algorithm>

/// Opening files that are not the catalogue's: without a manifest, with a program in them, broken.
class FilesTest : public QObject {
    Q_OBJECT
private slots:
    void init();
    void aKernelThatNobodyLaunchesOpensWithALaunchThatItsCodeSuggests();
    void aFileWithoutAKernelIsOfferedNoManifest_data();
    void aFileWithoutAKernelIsOfferedNoManifest();
    void theTemplateOfAKernelWithDefaultsIsPredicted();
    void hugeAndBrokenFilesAreRefused();
    void whatIsDroppedIsOpened();
    void aRealNumberIsTypedAndWhatIsNoneIsTold();

    void aProgramIsOpenedAsItLaunchesItsKernels();
    void otherValuesAreFollowedAndWhatTheyMakeIsShown();
    void undoShowsTheKernelsOfTheFileThatItLeadsTo();
    void aLineOfAnotherKernelLeadsToIt();
    void theLaunchThatWasReadCanBePutIntoTheFile();
    void aLaunchThatCannotBeReadIsToldBesideATemplate();
    void aFolderOfHeadersCanBeGivenAndIsRemembered();
    void aSessionKeepsWhichKernelOfAProgramIsOpen();

private:
    QString program(const QByteArray& source);
    std::unique_ptr<QTemporaryDir> m_folder;
};

void FilesTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder->path());
}

void FilesTest::aKernelThatNobodyLaunchesOpensWithALaunchThatItsCodeSuggests()
{
    const QString path = m_folder->filePath(QStringLiteral("plain.cu"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("extern \"C\" __global__ void __launch_bounds__(128) addOne(float* a, int n)\n{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) a[i] += 1;\n}\n");
    file.close();
    MainWindow window(options(QStringLiteral("copy"), kSmall));
    openAndSettle(window);
    window.openPath(path);
    QTRY_COMPARE_WITH_TIMEOUT(QString::fromStdString(window.experiment()->state().spec->id), QStringLiteral("addOne"), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && window.predictor()->current(), kPatienceMs);
    QCOMPARE(window.predictor()->current()->plan.block.x, 128u);
    QCOMPARE(window.predictor()->current()->plan.grid.x, 8192u);
    QVERIFY2(summaryOf(*window.experiment()->state().spec).contains(QStringLiteral("Guessed: the launch")), "it is said that nothing launches it");
    keepPicture(window, QStringLiteral("suggested-launch"));
    auto* action = window.findChild<QAction*>(QStringLiteral("showLaunch"));
    QVERIFY(action && action->isEnabled()); // it can be put into the file, and edited there
    action->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window.findChild<QDialog*>(QStringLiteral("manifestOffer")), kPatienceMs);
    auto* offer = window.findChild<QDialog*>(QStringLiteral("manifestOffer"));
    QTest::mouseClick(offer->findChild<QAbstractButton*>(QStringLiteral("copyManifest")), Qt::LeftButton);
    QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("entry = \"addOne\"")));
    auto* text = offer->findChild<QPlainTextEdit*>(QStringLiteral("manifestText"));
    text->setPlainText(text->toPlainText().replace(QStringLiteral("1048576"), QStringLiteral("2048")));
    QTest::mouseClick(offer->findChild<QAbstractButton*>(QStringLiteral("insertManifest")), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(QString::fromStdString(window.experiment()->state().values.at("n")), QStringLiteral("2048"), kPatienceMs);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray whole = file.readAll();
    QVERIFY(whole.startsWith("/* --- coalescope") && whole.endsWith("a[i] += 1;\n}\n"));
}

void FilesTest::aFileWithoutAKernelIsOfferedNoManifest_data()
{
    QTest::addColumn<QByteArray>("source");
    QTest::addColumn<QString>("why");
    QTest::newRow("nothing") << QByteArray() << QStringLiteral("mine.cu: The file is empty.");
    QTest::newRow("blanks") << QByteArray(" \n\t\n") << QStringLiteral("mine.cu: The file is empty.");
    QTest::newRow("no text") << QByteArray("\x7f" "ELF\0\1 __global__ void k() {}", 31) << QStringLiteral("mine.cu: The file is no text.");
    QTest::newRow("no kernel") << QByteArray("// __global__\nint main() { return 0; }\n")
                               << QStringLiteral("mine.cu: The file holds no __global__ function.");
}

void FilesTest::aFileWithoutAKernelIsOfferedNoManifest()
{
    QFETCH(QByteArray, source);
    QFETCH(QString, why);
    QFile file(m_folder->filePath(QStringLiteral("mine.cu")));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(source) == source.size());
    file.close();
    MainWindow window(options(QStringLiteral("copy"), kSmall));
    openAndSettle(window);
    window.openPath(file.fileName());
    QTRY_VERIFY_WITH_TIMEOUT(window.findChild<QMessageBox*>(QStringLiteral("openProblem")), kPatienceMs);
    const auto* box = window.findChild<QMessageBox*>(QStringLiteral("openProblem"));
    QVERIFY2(box->informativeText().startsWith(why), qPrintable(box->informativeText()));
    QVERIFY(!box->findChild<QAbstractButton*>(QStringLiteral("copyManifest")));
}

void FilesTest::theTemplateOfAKernelWithDefaultsIsPredicted()
{
    const std::string source = "namespace a::b { namespace {\nstruct Plus { };\ntemplate <typename T, typename Op = Plus, int N = 4>\n"
                               "__global__ void map(const T* in, T* out, int n)\n{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                               "    if (i < n) out[i] = in[i] + N;\n}\n} }\n";
    QFile file(m_folder->filePath(QStringLiteral("map.cu")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(kernels::manifestTemplate(source) + source));
    file.close();
    MainWindow window(options(file.fileName()));
    openAndSettle(window);
    QCOMPARE(window.experiment()->state().spec->entry, "a::b::map<float>");
    QVERIFY2(window.statusText().contains(QStringLiteral("exact")), qPrintable(window.statusText()));
}

void FilesTest::hugeAndBrokenFilesAreRefused()
{
    const QString huge = m_folder->filePath(QStringLiteral("huge.cu")), broken = m_folder->filePath(QStringLiteral("broken.cu")),
                  late = m_folder->filePath(QStringLiteral("late.cu"));
    QFile file(huge);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.resize(qint64(1) << 33));
    file.close();
    QFile other(broken);
    QVERIFY(other.open(QIODevice::WriteOnly));
    other.write("/* --- coalescope\nid = \"x\"\ntitle = 3 = 4\n--- */\n");
    other.close();
    QFile third(late);
    QVERIFY(third.open(QIODevice::WriteOnly));
    third.write("int x;\n/* --- coalescope\n--- */\n");
    third.close();
    MainWindow window(options(QStringLiteral("copy"), kSmall));
    openAndSettle(window);
    for (const QString& path : { huge, broken, late, m_folder->path(), QStringLiteral("/dev/zero") }) {
        window.openPath(path);
        QTRY_VERIFY2(window.findChild<QMessageBox*>(QStringLiteral("openProblem")), qPrintable(path));
        auto* box = window.findChild<QMessageBox*>(QStringLiteral("openProblem"));
        QVERIFY2(!box->informativeText().isEmpty(), qPrintable(path));
        if (path == broken)
            QVERIFY2(box->informativeText().contains(QStringLiteral("broken.cu:3")), qPrintable(box->informativeText()));
        if (path == late) // a full stop before the next step
            QVERIFY2(box->informativeText().contains(QStringLiteral("'--- coalescope'. ")), qPrintable(box->informativeText()));
        delete box;
    }
    QCOMPARE(window.experiment()->state().spec->id, "copy");
}

static void drop(MainWindow& window, const QStringList& paths)
{
    QMimeData dropped;
    QList<QUrl> urls;
    for (const QString& path : paths)
        urls << QUrl::fromLocalFile(path);
    dropped.setUrls(urls);
    QDragEnterEvent enter(QPoint(400, 300), Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(QPointF(400, 300), Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &drop);
}

void FilesTest::whatIsDroppedIsOpened()
{
    const QString folder = m_folder->filePath(QStringLiteral("dropped")), empty = m_folder->filePath(QStringLiteral("empty"));
    QVERIFY(QDir().mkpath(folder) && QDir().mkpath(empty));
    const auto pathOf = [&](const char* kernel) { return QStringLiteral("%1/%2.cu").arg(folder, QString::fromLatin1(kernel)); };
    for (const char* kernel : { "copy", "transpose_naive" })
        QVERIFY(QFile::copy(QStringLiteral(COALESCOPE_SOURCE_DIR "/kernels/catalogue/%1.cu").arg(QString::fromLatin1(kernel)), pathOf(kernel)));
    const QString notes = m_folder->filePath(QStringLiteral("notes.txt"));
    writeFile(notes, "no kernel");
    MainWindow window(options(QStringLiteral("copy"), kSmall));
    openAndSettle(window);
    const auto isOpen = [&](const char* kernel) { return QString::fromStdString(window.experiment()->state().spec->path.string()) == pathOf(kernel); };
    drop(window, { notes, pathOf("transpose_naive"), pathOf("copy") });
    QTRY_VERIFY_WITH_TIMEOUT(isOpen("transpose_naive"), kPatienceMs);
    drop(window, { folder });
    QTRY_VERIFY_WITH_TIMEOUT(isOpen("copy"), kPatienceMs);
    for (const QString& nothing : { notes, empty }) {
        drop(window, { nothing });
        QTRY_VERIFY2(window.findChild<QMessageBox*>(QStringLiteral("openProblem")), qPrintable(nothing));
        auto* box = window.findChild<QMessageBox*>(QStringLiteral("openProblem"));
        QVERIFY2(!box->informativeText().isEmpty(), qPrintable(nothing));
        delete box;
    }
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
}

static const QByteArray kProgram
    = "#include <vector>\n#define TILE 16\n"
      "__global__ void turn(const float* in, float* out, int rows, int cols)\n{\n"
      "    __shared__ float tile[TILE][TILE];\n"
      "    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;\n"
      "    if (x < cols && y < rows) tile[threadIdx.y][threadIdx.x] = in[y * cols + x];\n"
      "    __syncthreads();\n"
      "    x = blockIdx.y * TILE + threadIdx.x, y = blockIdx.x * TILE + threadIdx.y;\n"
      "    if (x < rows && y < cols) out[y * rows + x] = tile[threadIdx.x][threadIdx.y];\n}\n"
      "__global__ void gather(const float* in, const int* idx, float* out, int n)\n{\n"
      "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) out[i] = in[idx[i]];\n}\n"
      "int main()\n{\n    const int rows = 96, cols = 64;\n    std::vector<float> h(rows * cols);\n    float *in, *out;\n    int* idx;\n"
      "    cudaMalloc(&in, h.size() * sizeof(float));\n    cudaMalloc(&out, h.size() * sizeof(float));\n    cudaMalloc(&idx, 4 * rows * cols);\n"
      "    cudaMemcpy(in, h.data(), h.size() * sizeof(float), cudaMemcpyHostToDevice);\n"
      "    turn<<<dim3(cols / TILE, rows / TILE), dim3(TILE, TILE)>>>(in, out, rows, cols);\n"
      "    gather<<<(rows * cols + 255) / 256, 256>>>(in, idx, out, rows * cols);\n}\n";

QString FilesTest::program(const QByteArray& source)
{
    QFile file(m_folder->filePath(QStringLiteral("program.cu")));
    if (!file.open(QIODevice::WriteOnly) || file.write(source) != source.size())
        return {};
    return file.fileName();
}

void FilesTest::aProgramIsOpenedAsItLaunchesItsKernels()
{
    MainWindow window(options(program(kProgram)));
    openAndSettle(window);
    const auto spec = [&] { return window.experiment()->state().spec; };
    QCOMPARE(spec()->id, "turn");
    QCOMPARE(window.experiment()->state().values, (kernels::ParameterValues { { "rows", "96" }, { "cols", "64" }, { "TILE", "16" } }));
    QVERIFY(window.predictor()->current()->plan.grid == (analysis::Dim3 { 4, 6, 1 }));
    const double conflicts = predictedValue(window, Metric::SharedLoadConflicts);
    QVERIFY(conflicts > 0);
    keepPicture(window, QStringLiteral("program"));
    typeInto(window, "TILE", QStringLiteral("8")); // a #define of the file
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    QVERIFY(window.predictor()->current()->plan.block == (analysis::Dim3 { 8, 8, 1 }));
    QVERIFY(predictedValue(window, Metric::SharedLoadConflicts) < conflicts);

    QTest::mouseClick(window.topBar()->chooser(), Qt::LeftButton);
    KernelPopup* popup = window.topBar()->chooser()->popup();
    QTRY_VERIFY_WITH_TIMEOUT(popup->isVisible(), kPatienceMs);
    keepPicture(*popup, QStringLiteral("program-chooser"));
    QTest::keyClick(popup->search(), Qt::Key_Down);
    QTest::keyClick(popup->search(), Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(spec()->id, "gather", kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    const auto labels = window.experimentPanel()->findChildren<QLabel*>();
    const bool isSaid = std::ranges::any_of(labels, [](const QLabel* label) { return label->text() == QLatin1String("As launched on line 28 of program.cu. Guessed: idx holds 0, 1, 2 and so on."); });
    QVERIFY(isSaid);
    QVERIFY2(window.statusText().contains(QStringLiteral("exact for the data that is guessed")), qPrintable(window.statusText()));
    // Both sides say so, and warn.
    const QString guessed = QStringLiteral("guessed data decide about addresses or branches");
    const QColor warning = themeColor(QGuiApplication::palette(), ColorRole::Warn);
    int said = 0;
    for (const QLabel* label : window.findChildren<QLabel*>()) {
        if (!label->text().contains(guessed))
            continue;
        ++said;
        QVERIFY2(label->text().contains(QStringLiteral("✓ no race in shared memory, no bad address")), qPrintable(label->text()));
        QCOMPARE(label->palette().color(QPalette::WindowText), warning);
    }
    QCOMPARE(said, 2);
    QVERIFY(window.picture().findings.contains(guessed));

    QByteArray edited = kProgram;
    edited.replace("rows = 96", "rows = 128");
    program(edited);
    window.reload();
    QTRY_COMPARE_WITH_TIMEOUT(spec()->parameters[0].defaultValue, "128", kPatienceMs);
    QCOMPARE(spec()->id, "gather"); // the one that was open
}

void FilesTest::otherValuesAreFollowedAndWhatTheyMakeIsShown()
{
    MainWindow window(options(program("#include <cuda_runtime.h>\n#include <vector>\n"
                                      "__global__ void thirds(const float* in, float* out, int count) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < count) out[i] = in[3 * i]; }\n"
                                      "int main() { const int n = 3000; std::vector<int> all; for (int i = 0; i < n; ++i) if (i % 3 == 0) all.push_back(i);\n"
                                      "float *a, *b; cudaMalloc(&a, n * 4); cudaMalloc(&b, all.size() * 4); thirds<<<(all.size() + 127) / 128, 128>>>(a, b, all.size()); }\n")));
    openAndSettle(window);
    const auto labelOf = [&](const char* name) { return window.experimentPanel()->control(name)->findChild<QLabel*>()->text(); };
    QCOMPARE(window.predictor()->current()->plan.grid.x, 8u);
    QCOMPARE(labelOf("count"), QStringLiteral("count"));
    typeInto(window, "n", QStringLiteral("300"));
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    QCOMPARE(window.predictor()->current()->plan.grid.x, 1u);
    QCOMPARE(labelOf("count"), QStringLiteral("count: here 100"));
    QVERIFY(window.predictor()->current()->prediction.result.hazards.empty());
    typeInto(window, "n", QStringLiteral("3000"));
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    QCOMPARE(labelOf("count"), QStringLiteral("count"));
}

void FilesTest::aLineOfAnotherKernelLeadsToIt()
{
    MainWindow window(options(program(kProgram)));
    openAndSettle(window);
    window.topBar()->setTab(1);
    window.sourcePanel()->setCurrentLine(13); // of gather
    emit window.sourcePanel()->lineChosen(13);
    QVERIFY2(window.statusBar()->currentMessage().startsWith(QStringLiteral("Line 13 is of gather")), qPrintable(window.statusBar()->currentMessage()));
    QCOMPARE(window.experiment()->state().spec->id, "turn");
    window.sourcePanel()->editor()->setFocus();
    QTest::keyClick(window.sourcePanel()->editor(), Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(window.experiment()->state().spec->id, "gather", kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    emit window.sourcePanel()->lineOpened(20); // of main
    QCOMPARE(window.experiment()->state().spec->id, "gather");
}

void FilesTest::undoShowsTheKernelsOfTheFileThatItLeadsTo()
{
    const QString other = m_folder->filePath(QStringLiteral("other.cu"));
    writeFile(other, "__global__ void only(float* p) { p[threadIdx.x] = 1; }\nint main() { float* p; cudaMalloc(&p, 128); only<<<1, 32>>>(p); }\n");
    MainWindow window(options(program(kProgram)));
    openAndSettle(window);
    window.openPath(other);
    QTRY_COMPARE_WITH_TIMEOUT(window.experiment()->state().spec->id, "only", kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE_WITH_TIMEOUT(window.experiment()->state().spec->id, "turn", kPatienceMs);
    QTest::mouseClick(window.topBar()->chooser(), Qt::LeftButton);
    KernelPopup* popup = window.topBar()->chooser()->popup();
    QTRY_VERIFY_WITH_TIMEOUT(popup->isVisible(), kPatienceMs);
    QStringList shown;
    for (int row = 0; row < popup->list()->model()->rowCount(); ++row)
        shown << popup->list()->model()->index(row, 0).data().toString();
    QVERIFY2(shown.join(QLatin1Char(' ')).contains(QStringLiteral("gather")), qPrintable(shown.join(QLatin1Char(' '))));
    QVERIFY(!shown.contains(QStringLiteral("only")));
    popup->hide();
}

void FilesTest::theLaunchThatWasReadCanBePutIntoTheFile()
{
    const QString path = program(kProgram);
    MainWindow window(options(path));
    openAndSettle(window);
    auto* action = window.findChild<QAction*>(QStringLiteral("showLaunch"));
    QVERIFY(action && action->isEnabled());
    action->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window.findChild<QDialog*>(QStringLiteral("manifestOffer")), kPatienceMs);
    auto* offer = window.findChild<QDialog*>(QStringLiteral("manifestOffer"));
    keepPicture(*offer, QStringLiteral("program-launch"));
    QTest::mouseClick(offer->findChild<QAbstractButton*>(QStringLiteral("insertManifest")), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(window.experiment()->state().spec->derived.empty(), kPatienceMs);
    QCOMPARE(window.experiment()->state().spec->id, "turn");
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    QVERIFY(window.predictor()->current()->plan.grid == (analysis::Dim3 { 4, 6, 1 }));
    QVERIFY(!action->isEnabled());
}

void FilesTest::aFolderOfHeadersCanBeGivenAndIsRemembered()
{
    const QString folder = m_folder->filePath(QStringLiteral("apart"));
    QVERIFY(QDir().mkpath(folder));
    writeFile(folder + QStringLiteral("/twice.cuh"), "__device__ inline float twice(float x) { return 2 * x; }\n");
    const QString path = program("#include \"twice.cuh\"\n__global__ void k(float* a) { a[threadIdx.x] = twice(a[threadIdx.x]); }\nint main() { float* a; cudaMalloc(&a, 512); k<<<1, 128>>>(a); }\n");
    {
        MainWindow window(options(path));
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && window.experiment()->state().spec, kPatienceMs);
        QVERIFY(!window.predictor()->current());
        auto* menu = window.findChild<QMenu*>(QStringLiteral("headerFolders"));
        QVERIFY(menu && menu->menuAction()->isEnabled());
        emit menu->aboutToShow();
        menu->findChild<QAction*>(QStringLiteral("addHeaderFolder"))->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(window.findChild<QFileDialog*>(), kPatienceMs);
        auto* dialog = window.findChild<QFileDialog*>();
        emit dialog->fileSelected(folder);
        dialog->close();
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && window.predictor()->current(), kPatienceMs);
        QCOMPARE(predictedValue(window, Metric::GlobalLoadSectors), 16.0);
        QCOMPARE(sessionOf(*window.experiment()).headers, QStringList(folder));
        emit menu->aboutToShow();
        QCOMPARE(menu->actions().size(), 2);
        window.close();
    }
    MainWindow again(options(path));
    openAndSettle(again);
    QVERIFY2(again.predictor()->current(), "a program that is opened again keeps its folders");
}

void FilesTest::aLaunchThatCannotBeReadIsToldBesideATemplate()
{
    MainWindow window(options(QStringLiteral("copy"), kSmall));
    openAndSettle(window);
    window.openPath(program("__global__ void k(float* a, int n) { a[threadIdx.x] = n; }\nint main() { int n = ask();\n  k<<<n, 32>>>(nullptr, 7); }\n"));
    QTRY_VERIFY_WITH_TIMEOUT(window.findChild<QDialog*>(QStringLiteral("manifestOffer")), kPatienceMs);
    auto* offer = window.findChild<QDialog*>(QStringLiteral("manifestOffer"));
    keepPicture(*offer, QStringLiteral("program-unread"));
    const auto labels = offer->findChildren<QLabel*>();
    const bool isSaid = std::ranges::any_of(labels, [](const QLabel* label) {
        return label->text().startsWith(QLatin1String("program.cu:3: the launch of k does not tell how large the grid is: ask() is not known there."));
    });
    QVERIFY2(isSaid, qPrintable(labels.isEmpty() ? QString() : labels.first()->text()));
    QVERIFY(offer->findChild<QPlainTextEdit*>(QStringLiteral("manifestText"))->toPlainText().contains(QStringLiteral("entry = \"k\"")));
}

void FilesTest::aSessionKeepsWhichKernelOfAProgramIsOpen()
{
    Result<Opened> opened = openFile(program(kProgram), {}, QStringLiteral("gather"));
    QVERIFY(opened);
    QCOMPARE(opened->spec->id, "gather");
    QCOMPARE(opened->ofFile.size(), 2u);
    MainWindow window(options(program(kProgram)));
    openAndSettle(window);
    window.experiment()->chooseKernel(opened->spec);
    const Result<Session> again = sessionFromJson(sessionToJson(sessionOf(*window.experiment())));
    QVERIFY(again);
    QCOMPARE(again->entry, QStringLiteral("gather"));
    const Result<Opened> reopened = openSession(*again);
    QVERIFY(reopened);
    QCOMPARE(reopened->spec->id, "gather");
}

void FilesTest::aRealNumberIsTypedAndWhatIsNoneIsTold()
{
    const QString path = m_folder->filePath(QStringLiteral("clamp.cu"));
    writeFile(path, "#include <vector>\n__global__ void clamp(float* x, int n, float limit)\n{\n    int i = threadIdx.x;\n    if (i < n && i < limit)\n        x[i] = 1;\n}\n"
                    "int main()\n{\n    const int n = 64;\n    float* x;\n    cudaMalloc(&x, n * 4);\n    clamp<<<1, 64>>>(x, n, 32.5f);\n}\n");
    MainWindow window(options(path));
    openAndSettle(window);
    const auto stores = [&] { return predictedValue(window, Metric::GlobalStoreSectors); };
    QCOMPARE(stores(), 5);
    typeInto(window, "limit", QStringLiteral("8"));
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && stores() == 1, kPatienceMs);
    typeInto(window, "limit", QStringLiteral("1.65e1"));
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && stores() == 3, kPatienceMs);
    ParameterControl* control = window.experimentPanel()->control("limit");
    typeInto(window, "limit", QStringLiteral("much"));
    QVERIFY2(control->problem().contains(QStringLiteral("\"much\" is no number: 16.5 stays.")), qPrintable(control->problem()));
    QCOMPARE(QString::fromStdString(window.experiment()->state().values.at("limit")), QStringLiteral("16.5"));
    keepPicture(window, QStringLiteral("real-number"));
    typeInto(window, "limit", QStringLiteral("-3"));
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && stores() == 0, kPatienceMs);
    QVERIFY(control->problem().isEmpty());
    window.experiment()->undoStack()->undo(); // one step, as with whole numbers
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && stores() == 5, kPatienceMs);
    QCOMPARE(qobject_cast<QLineEdit*>(control->editor())->text(), QStringLiteral("32.5"));
}

APP_TEST(FilesTest, QApplication)
#include "files_test.moc"
