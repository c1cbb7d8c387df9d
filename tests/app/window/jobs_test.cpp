// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/jobs.h"
#include "tests/app/app_test.h"
#include "tests/app/patience.h"

#include <QSemaphore>
#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <atomic>

using namespace coalescope::app;

class JobsTest : public QObject {
    Q_OBJECT
private slots:
    void resultArrivesOnTheSlotsThread();
    void newerRequestSupersedesTheOlder();
    void cancelledWorkDeliversNothing();
    void destroyingTheSlotNeitherWaitsNorDelivers();
    void progressArrives();
    void workSeesTheStopRequest();
    void aDeliveryMayStartTheNextJob();
    void whatHangsOutsideHoldsNobody();
};

void JobsTest::resultArrivesOnTheSlotsThread()
{
    JobSlot slot;
    QThread* worker = nullptr;
    QThread* delivered = nullptr;
    slot.start(
        [&](const JobContext&) {
            worker = QThread::currentThread();
            return 42;
        },
        [&](int value) {
            QCOMPARE(value, 42);
            delivered = QThread::currentThread();
        });
    QVERIFY(slot.isBusy());
    QTRY_VERIFY_WITH_TIMEOUT(delivered, kPatienceMs);
    QCOMPARE(delivered, thread());
    QVERIFY(worker != delivered);
    QVERIFY(!slot.isBusy());
}

void JobsTest::newerRequestSupersedesTheOlder()
{
    JobSlot slot;
    QList<int> delivered;
    auto gate = std::make_shared<QSemaphore>();
    slot.start(
        [gate](const JobContext&) {
            gate->acquire();
            return 1;
        },
        [&](int value) { delivered << value; });
    slot.start([](const JobContext&) { return 2; }, [&](int value) { delivered << value; });
    QTRY_COMPARE_WITH_TIMEOUT(delivered, QList<int> { 2 }, kPatienceMs);
    gate->release();
    QTest::qWait(50);
    QCOMPARE(delivered, QList<int> { 2 });
}

void JobsTest::cancelledWorkDeliversNothing()
{
    JobSlot slot;
    QSignalSpy busy(&slot, &JobSlot::busyChanged);
    bool delivered = false;
    slot.start([](const JobContext&) { return 1; }, [&](int) { delivered = true; });
    slot.cancel();
    QVERIFY(!slot.isBusy());
    QTest::qWait(50);
    QVERIFY(!delivered);
    QCOMPARE(busy.size(), 2);
}

void JobsTest::destroyingTheSlotNeitherWaitsNorDelivers()
{
    auto gate = std::make_shared<QSemaphore>();
    bool delivered = false;
    {
        JobSlot slot;
        slot.start(
            [gate](const JobContext&) {
                gate->acquire();
                return 1;
            },
            [&](int) { delivered = true; });
    } // would hang here if it waited: the gate is still shut
    gate->release();
    QTest::qWait(50);
    QVERIFY(!delivered);
}

void JobsTest::progressArrives()
{
    JobSlot slot;
    QSignalSpy progress(&slot, &JobSlot::progressed);
    bool done = false;
    slot.start(
        [](const JobContext& job) {
            job.progress(0.5);
            return 0;
        },
        [&](int) { done = true; });
    QTRY_VERIFY_WITH_TIMEOUT(done, kPatienceMs);
    QCOMPARE(progress.size(), 1);
    QCOMPARE(progress.at(0).at(0).toDouble(), 0.5);
}

void JobsTest::workSeesTheStopRequest()
{
    auto stopped = std::make_shared<std::atomic<bool>>(false);
    JobSlot slot;
    auto begun = std::make_shared<std::atomic<bool>>(false);
    slot.start(
        [stopped, begun](const JobContext& job) {
            *begun = true;
            while (!job.stop.stop_requested())
                QThread::yieldCurrentThread();
            *stopped = true;
            return 0;
        },
        [](int) {});
    QTRY_VERIFY_WITH_TIMEOUT(begun->load(), kPatienceMs);
    slot.cancel();
    QTRY_VERIFY_WITH_TIMEOUT(stopped->load(), kPatienceMs);
}

void JobsTest::aDeliveryMayStartTheNextJob()
{
    JobSlot slot;
    int second = 0;
    slot.start([](const JobContext&) { return 1; },
        [&](int) { slot.start([](const JobContext&) { return 2; }, [&](int value) { second = value; }); });
    QTRY_COMPARE_WITH_TIMEOUT(second, 2, kPatienceMs);
}

void JobsTest::whatHangsOutsideHoldsNobody()
{
    auto* gate = new QSemaphore; // outlives the test: its thread is never joined
    auto begun = std::make_shared<std::atomic<bool>>(false);
    {
        JobSlot slot;
        slot.startUnjoined(
            [gate, begun](const JobContext&) {
                *begun = true;
                gate->acquire();
                return 1;
            },
            [](int) { QFAIL("delivered to a slot that is gone"); });
        QTRY_VERIFY_WITH_TIMEOUT(begun->load(), kPatienceMs);
    }
    finishJobs(); // returns although the work still waits
    int later = 0;
    JobSlot slot;
    slot.startUnjoined([](const JobContext&) { return 7; }, [&](int value) { later = value; });
    QTRY_COMPARE_WITH_TIMEOUT(later, 7, kPatienceMs);
}

APP_TEST(JobsTest, QCoreApplication)
#include "jobs_test.moc"
