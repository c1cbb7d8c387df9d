// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/app_test.h"

#include <QCoreApplication>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

/// The window's program, as it is called in a terminal.
class ProgramTest : public QObject {
    Q_OBJECT
private slots:
    void aValueThatIsNotKnownIsRefusedByName_data();
    void aValueThatIsNotKnownIsRefusedByName();
    void whatACompilerSaysIsSaidWhole();
    void whatCannotBeWrittenIsBadInputAndWhatIsNoFormatWrongUsage();
    void aReportOfASessionIsOfItsDevice();
    void aReportSaysWhatOfItsSessionIsNotUsed();
    void withoutAFolderOfTheSessionNothingIsSaid();
    void aSignalEndsItAsQuittingDoes_data();
    void aSignalEndsItAsQuittingDoes();
};

namespace {

struct Ended {
    int status = -1;
    QString said;
};

Ended run(const QStringList& arguments, const QString& name = QStringLiteral("coalescope-gui"))
{
    QProcess program;
    program.start(QCoreApplication::applicationDirPath() + QLatin1Char('/') + name, arguments);
    if (!program.waitForFinished(60'000))
        return {};
    return { program.exitCode(), QString::fromUtf8(program.readAllStandardError()) };
}

}

void ProgramTest::aValueThatIsNotKnownIsRefusedByName_data()
{
    QTest::addColumn<QString>("option");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("theme") << QStringLiteral("--theme") << QStringLiteral("--theme takes light, dark or system, not 'x'.");
    QTest::newRow("tab") << QStringLiteral("--show") << QStringLiteral("--show takes warp, source, sweep or pay, not 'x'.");
    QTest::newRow("language") << QStringLiteral("--lang") << QStringLiteral("--lang takes en or zh_CN, not 'x'.");
}

void ProgramTest::aValueThatIsNotKnownIsRefusedByName()
{
    QFETCH(QString, option);
    QFETCH(QString, sentence);
    const QTemporaryDir folder;
    const QString picture = folder.filePath(QStringLiteral("a.png"));
    const Ended ended = run({ QStringLiteral("copy"), option, QStringLiteral("x"), QStringLiteral("--export"), picture });
    QCOMPARE(ended.status, 2);
    QVERIFY2(ended.said.contains(sentence), qPrintable(ended.said));
    QVERIFY(!QFile::exists(picture));
}

void ProgramTest::whatACompilerSaysIsSaidWhole()
{
    const QTemporaryDir folder;
    QFile source(QStringLiteral(COALESCOPE_SOURCE_DIR "/kernels/catalogue/copy.cu"));
    QFile broken(folder.filePath(QStringLiteral("a.cu")));
    QVERIFY(source.open(QIODevice::ReadOnly) && broken.open(QIODevice::WriteOnly));
    broken.write(source.readAll() + "\nint a = ;\nint b = ;\n");
    broken.close();
    const Ended ended = run({ broken.fileName(), QStringLiteral("--export"), folder.filePath(QStringLiteral("a.png")) });
    QCOMPARE(ended.status, 3);
    for (const char* line : { "int a = ;", "int b = ;" })
        QVERIFY2(ended.said.contains(QString::fromLatin1(line)), qPrintable(ended.said));
}

void ProgramTest::whatCannotBeWrittenIsBadInputAndWhatIsNoFormatWrongUsage()
{
    const QTemporaryDir folder;
    const auto saved = [](const QString& path) { return run({ QStringLiteral("copy"), QStringLiteral("--export"), path }).status; };
    QCOMPARE(saved(folder.filePath(QStringLiteral("none/a.html"))), 3);
    QCOMPARE(saved(folder.filePath(QStringLiteral("a.bmp"))), 2);
}

void ProgramTest::aReportOfASessionIsOfItsDevice()
{
    const QTemporaryDir folder;
    QFile session(folder.filePath(QStringLiteral("s.json")));
    QVERIFY(session.open(QIODevice::WriteOnly));
    session.write("{\"coalescope\": 1, \"kernel\": \"copy\", \"device\": \"t4\", \"values\": {\"rows\": \"64\"}}");
    session.close();
    const auto deviceOf = [&](const QStringList& more) {
        QFile file(folder.filePath(QStringLiteral("a.json")));
        const Ended ended
            = run(QStringList { QStringLiteral("report"), session.fileName(), QStringLiteral("-o"), file.fileName() } + more,
                QStringLiteral("coalescope"));
        if (ended.status != 0 || !file.open(QIODevice::ReadOnly))
            return ended.said;
        return QJsonDocument::fromJson(file.readAll()).object()[QStringLiteral("device")].toString();
    };
    QCOMPARE(deviceOf({}), QStringLiteral("t4"));
    QCOMPARE(deviceOf({ QStringLiteral("--device"), QStringLiteral("a10") }), QStringLiteral("a10"));
}

void ProgramTest::aReportSaysWhatOfItsSessionIsNotUsed()
{
    const QTemporaryDir folder;
    QFile session(folder.filePath(QStringLiteral("s.json")));
    QVERIFY(session.open(QIODevice::WriteOnly));
    session.write("{\"coalescope\": 1, \"kernel\": \"copy\", \"values\": {\"rows\": \"64\", \"tile\": \"16\"}, \"block\": [9000, 0, 0]}");
    session.close();
    const Ended ended = run({ QStringLiteral("report"), session.fileName(), QStringLiteral("-o"), folder.filePath(QStringLiteral("a.json")) },
        QStringLiteral("coalescope"));
    QCOMPARE(ended.status, 0);
    QVERIFY2(ended.said.contains(QStringLiteral("Not used of the session: tile = 16 (the kernel has no such parameter); block (9000, 0, 0)")),
        qPrintable(ended.said));
    QCOMPARE(ended.said.count(QLatin1Char('\n')), 1);
}

void ProgramTest::withoutAFolderOfTheSessionNothingIsSaid()
{
    const QTemporaryDir folder;
    qunsetenv("XDG_RUNTIME_DIR");
    const Ended ended = run({ QStringLiteral("copy"), QStringLiteral("--export"), folder.filePath(QStringLiteral("a.png")) });
    QCOMPARE(ended.status, 0);
    QCOMPARE(ended.said, QString());
}

void ProgramTest::aSignalEndsItAsQuittingDoes_data()
{
    QTest::addColumn<int>("number");
    QTest::newRow("logout") << SIGTERM;
    QTest::newRow("Ctrl-C") << SIGINT;
    QTest::newRow("terminal gone") << SIGHUP;
}

void ProgramTest::aSignalEndsItAsQuittingDoes()
{
    QFETCH(int, number);
    const QTemporaryDir folder;
    QProcess program;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("XDG_CONFIG_HOME"), folder.path());
    program.setProcessEnvironment(environment);
    program.start(QCoreApplication::applicationDirPath() + QStringLiteral("/coalescope-gui"),
        { QStringLiteral("copy"), QStringLiteral("--device"), QStringLiteral("t4"), QStringLiteral("--set"), QStringLiteral("rows=64") });
    const QString path = folder.filePath(QStringLiteral("coalescope/coalescope-gui.ini"));
    const auto remembered = [&] {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    // What was predicted is remembered without an end, too.
    QTRY_VERIFY2_WITH_TIMEOUT(remembered().contains("t4"), program.readAllStandardError().constData(), 60'000);
    QVERIFY(QFile::remove(path));
    QCOMPARE(::kill(pid_t(program.processId()), number), 0);
    QVERIFY(program.waitForFinished(60'000));
    QCOMPARE(program.exitStatus(), QProcess::NormalExit);
    QCOMPARE(program.exitCode(), 0);
    QVERIFY2(remembered().contains("t4") && remembered().contains("64"), remembered().constData());
}

APP_TEST(ProgramTest, QCoreApplication)
#include "program_test.moc"
