// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/window/window_fixture.h"

#include "app/core/language.h"
#include "kernels/source/manifest_template.h"

#include <QClipboard>
#include <QFile>
#include <QMessageBox>
#include <QPlainTextEdit>

/// Opening files that are not the catalogue's: without a manifest, with a program in them, broken.
class FilesTest : public QObject {
    Q_OBJECT
private slots:
    void init();
    void aFileWithoutManifestGetsOneToStartFrom();
    void aFileWithoutAKernelIsOfferedNoManifest_data();
    void aFileWithoutAKernelIsOfferedNoManifest();
    void theTemplateOfAKernelWithDefaultsIsPredicted();
    void hugeAndBrokenFilesAreRefused();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
};

void FilesTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder->path());
}

void FilesTest::aFileWithoutManifestGetsOneToStartFrom()
{
    const QString path = m_folder->filePath(QStringLiteral("plain.cu"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("extern \"C\" __global__ void __launch_bounds__(256) addOne(float* a) { a[threadIdx.x] += 1; }\n");
    file.close();
    MainWindow window(options(QStringLiteral("copy"), kSmall));
    openAndSettle(window);
    window.openPath(path);
    QTRY_VERIFY_WITH_TIMEOUT(window.findChild<QDialog*>(QStringLiteral("manifestOffer")), kPatienceMs);
    auto* offer = window.findChild<QDialog*>(QStringLiteral("manifestOffer"));
    keepPicture(*offer, QStringLiteral("manifest-offer"));
    QTest::mouseClick(offer->findChild<QAbstractButton*>(QStringLiteral("copyManifest")), Qt::LeftButton);
    QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("entry = \"addOne\"")));
    QCOMPARE(window.experiment()->state().spec->id, "copy"); // the experiment stays
    auto* text = offer->findChild<QPlainTextEdit*>(QStringLiteral("manifestText"));
    text->setPlainText(text->toPlainText().replace(QStringLiteral("1048576"), QStringLiteral("2048")));
    QTest::mouseClick(offer->findChild<QAbstractButton*>(QStringLiteral("insertManifest")), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(QString::fromStdString(window.experiment()->state().spec->id), QStringLiteral("addOne"), kPatienceMs);
    QCOMPARE(window.experiment()->state().values.at("n"), "2048");
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray whole = file.readAll();
    QVERIFY(whole.startsWith("/* --- coalescope") && whole.endsWith("a[threadIdx.x] += 1; }\n"));
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

int main(int argc, char** argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    FilesTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "files_test.moc"
