// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/session.h"
#include "app/core/settings.h"
#include "tests/app/app_test.h"

#include <QDir>
#include <QFile>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QUndoStack>

using namespace coalescope;
using namespace coalescope::app;

class SessionTest : public QObject {
    Q_OBJECT
private slots:
    void jsonKeepsTheWholeExperiment();
    void whatIsNoSessionIsRefusedWithASentence_data();
    void whatIsNoSessionIsRefusedWithASentence();
    void aFileIsWrittenWhole();
    void aDeviceThatIsNotKnownIsRefusedUnlessAnotherIsGiven();
    void aMissingFileIsAnError();
    void aFileThatWasMovedWithItsSessionIsOpened();
    void undoStepsBackThroughValuesAndKernels();
    void typingIntoOneControlIsOneUndoStep();
    void unknownParametersAreDropped();
    void corruptSettingsFallBack();
};

void SessionTest::jsonKeepsTheWholeExperiment()
{
    Experiment experiment;
    experiment.chooseKernel(catalogueSpec("transpose_shared"), { { "pad", "1" } });
    experiment.setDevice(QStringLiteral("h200"));
    experiment.setSelection({ { 3, 2, 0 }, 4, 1 });
    const Result<Session> back = sessionFromJson(sessionToJson(sessionOf(experiment)));
    QVERIFY(back);
    QCOMPARE(back->kernel, QStringLiteral("transpose_shared"));
    QCOMPARE(back->values, experiment.state().values);
    QCOMPARE(back->device, QStringLiteral("h200"));
    QVERIFY(back->selection == experiment.selection());
}

void SessionTest::whatIsNoSessionIsRefusedWithASentence_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("binary") << QByteArray("\x00\xff\x13", 3);
    QTest::newRow("other json") << QByteArray("{\"a\": 1}");
    QTest::newRow("array") << QByteArray("[1, 2]");
    QTest::newRow("no kernel") << QByteArray("{\"coalescope\": 1}");
    QTest::newRow("newer format") << QByteArray("{\"coalescope\": 99, \"kernel\": \"copy\"}");
    QTest::newRow("no format") << QByteArray("{\"coalescope\": \"a\", \"kernel\": \"copy\"}");
    QTest::newRow("cut off") << QByteArray("{\"coalescope\": 1, \"kernel\": \"cop");
}

void SessionTest::whatIsNoSessionIsRefusedWithASentence()
{
    QFETCH(QByteArray, text);
    const Result<Session> session = sessionFromJson(text);
    QVERIFY(!session);
    QVERIFY(!session.error().detail.empty());
}

void SessionTest::aFileIsWrittenWhole()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.json"));
    Experiment experiment;
    experiment.chooseKernel(catalogueSpec("copy"));
    QVERIFY(saveSession(sessionOf(experiment), path));
    const Result<Opened> opened = openFile(path);
    QVERIFY(opened);
    QCOMPARE(opened->spec->id, "copy");
    QVERIFY(!saveSession(sessionOf(experiment), QStringLiteral("/no/such/folder/a.json")));
}

void SessionTest::aDeviceThatIsNotKnownIsRefusedUnlessAnotherIsGiven()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.json"));
    QVERIFY(saveSession({ .kernel = QStringLiteral("copy"), .device = QStringLiteral("zzz") }, path));
    const Result<Opened> opened = openFile(path);
    QVERIFY(!opened);
    QCOMPARE(opened.error().code, ErrorCode::BadInput);
    QCOMPARE(opened.error().where, path.toStdString());
    QVERIFY(opened.error().detail.contains("\"zzz\""));
    const Result<Opened> other = openFile(path, QStringLiteral("t4"));
    QVERIFY(other);
    QCOMPARE(other->session.device, QStringLiteral("t4"));
}

void SessionTest::aMissingFileIsAnError()
{
    const Result<Opened> opened = openFile(QStringLiteral("/no/such/kernel.cu"));
    QVERIFY(!opened);
    QCOMPARE(opened.error().code, ErrorCode::FileFailed);
    QVERIFY(!opened.error().where.empty());
}

void SessionTest::aFileThatWasMovedWithItsSessionIsOpened()
{
    QTemporaryDir folder;
    const QString kernel = folder.filePath(QStringLiteral("mine.cu")), path = folder.filePath(QStringLiteral("mine.json"));
    Session session;
    session.file = QStringLiteral("/no/such/folder/mine.cu");
    session.values = { { "rows", "64" } };
    QVERIFY(saveSession(session, path));
    QVERIFY(!openFile(path));
    QVERIFY(QFile::copy(QStringLiteral(COALESCOPE_SOURCE_DIR "/kernels/catalogue/copy.cu"), kernel));
    const Result<Opened> opened = openFile(path);
    QVERIFY2(opened, opened ? "" : opened.error().detail.c_str());
    QCOMPARE(QString::fromStdString(opened->spec->path.string()), kernel);
    QCOMPARE(opened->session.values, session.values);
}

void SessionTest::undoStepsBackThroughValuesAndKernels()
{
    Experiment experiment;
    experiment.reset({ catalogueSpec("transpose_shared"), defaultValues(*catalogueSpec("transpose_shared")) }, {});
    const auto before = experiment.state();
    experiment.setValue("pad", "2");
    experiment.chooseKernel(catalogueSpec("copy"));
    QCOMPARE(experiment.state().spec->id, "copy");
    experiment.undoStack()->undo();
    QCOMPARE(experiment.state().values.at("pad"), "2");
    experiment.undoStack()->undo();
    QVERIFY(experiment.state() == before);
    experiment.undoStack()->redo();
    QCOMPARE(experiment.state().values.at("pad"), "2");
}

void SessionTest::typingIntoOneControlIsOneUndoStep()
{
    Experiment experiment;
    experiment.reset({ catalogueSpec("copy"), defaultValues(*catalogueSpec("copy")) }, {});
    for (const char* typed : { "1", "10", "100", "1000" })
        experiment.setValue("rows", typed);
    experiment.setValue("cols", "7");
    QCOMPARE(experiment.undoStack()->count(), 2);
}

void SessionTest::unknownParametersAreDropped()
{
    Experiment experiment;
    experiment.chooseKernel(catalogueSpec("copy"), { { "no_such", "1" }, { "rows", "64" } });
    QVERIFY(!experiment.state().values.contains("no_such"));
    QCOMPARE(experiment.state().values.at("rows"), "64");
}

void SessionTest::corruptSettingsFallBack()
{
    QTemporaryDir folder;
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder.path());
    QDir(folder.path()).mkpath(QStringLiteral("coalescope"));
    QFile file(folder.filePath(QStringLiteral("coalescope/coalescope-gui.ini")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray("[window\ntheme=pink\n[[[\x00\x01=\n=====\n", 40));
    file.close();
    const LoadedSettings loaded = loadSettings();
    QCOMPARE(loaded.settings.theme, QStringLiteral("system"));
    QVERIFY(loaded.settings.session.isEmpty());
}

APP_TEST(SessionTest, QCoreApplication)
#include "session_test.moc"
