// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/comparison_table.h"
#include "app/core/texts.h"
#include "tests/app/app_test.h"

#include <QLocale>
#include <QTest>

using namespace coalescope;
using namespace coalescope::app;
using analysis::Metric;
using analysis::RunResult;

namespace {

/// The conflict-free stores of a plain 32 x 32 tile at 4096 x 4096, as an H200 counts them.
ComparisonInput plainTile()
{
    RunResult predicted;
    for (int i = 0; i < analysis::kMetricCount; ++i)
        predicted.metrics.set(Metric(i), 0);
    predicted.metrics.set(Metric::SharedStoreWavefronts, 524288);
    predicted.metrics.set(Metric::SharedStoreWavefrontsSass, 524288);
    predicted.time.estimateNs = 131e3;
    predicted.time.warmNs = 131e3;
    predicted.time.coldNs = 131e3;
    RunResult measured = predicted;
    measured.kind = analysis::ResultKind::Measurement;
    measured.metrics.set(Metric::SharedStoreWavefronts, 583027);
    measured.metrics.set(Metric::SharedStoreConflicts, 58739);
    measured.time = {};
    measured.time.warm = analysis::TimeSample { 134e3, 133e3, 133e3, 136e3, 20 };
    measured.time.cold = analysis::TimeSample { 137e3, 136e3, 136e3, 139e3, 20 };
    measured.gpu = "NVIDIA H200";
    measured.driver = "580.159";
    measured.date = "2026-11-20T10:00:00Z";
    return { std::make_shared<const RunResult>(predicted), std::make_shared<const RunResult>(measured),
        MeasurementOrigin::Recorded };
}

const TableRow* rowNamed(const ComparisonTable& table, const QString& label)
{
    for (const TableRow& row : table.rows) {
        if (row.label == label && row.kind == TableRow::Kind::Value)
            return &row;
    }
    return nullptr;
}

}

class ComparisonTest : public QObject {
    Q_OBJECT
private slots:
    void init() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void everyKeyHasARowThatTellsWhatItCountsAndItsName();
    void conflictsThatNoAddressCausesAreCalledArbitration();
    void conflictsOfTheAddressesAreNot();
    void warmAndColdTimesStandBesideTheEstimate();
    void theThreeTimesStandThereWithoutAMeasurement();
    void withoutMeasurementThereIsOneColumn();
    void equalValuesSayEqual();
    void textIsAlignedOrTabbed();
    void everyErrorHasASentence();
    void changesReadWell();
};

void ComparisonTest::everyKeyHasARowThatTellsWhatItCountsAndItsName()
{
    const ComparisonTable table = makeTable(plainTile());
    for (const analysis::MetricInfo& info : analysis::metricTable()) {
        const TableRow* row = rowNamed(table, labelOf(info.metric));
        QVERIFY(!meaningOf(info.metric).isEmpty());
        QCOMPARE(row == nullptr, info.isOfAtomics); // of which this kernel has none
        if (!row)
            continue;
        QVERIFY(row->tip.startsWith(meaningOf(info.metric)));
        QVERIFY(row->tip.contains(QString::fromUtf8(info.key.data(), qsizetype(info.key.size()))));
        QCOMPARE(row->estimate, info.exactness == analysis::Exactness::Estimate);
        QCOMPARE(row->predicted.startsWith(QStringLiteral("≈")), row->estimate);
    }
}

void ComparisonTest::conflictsThatNoAddressCausesAreCalledArbitration()
{
    const ComparisonTable table = makeTable(plainTile());
    int notes = 0;
    for (std::size_t i = 1; i < table.rows.size(); ++i) {
        if (table.rows[i].kind != TableRow::Kind::Note)
            continue;
        ++notes;
        QCOMPARE(table.rows[i - 1].label, labelOf(Metric::SharedStoreConflicts));
        QVERIFY(table.rows[i].label.contains(QStringLiteral("58,739")));
        QVERIFY(table.rows[i].label.contains(QStringLiteral("arbitration, not your addresses")));
    }
    QCOMPARE(notes, 1);
}

void ComparisonTest::conflictsOfTheAddressesAreNot()
{
    ComparisonInput input = plainTile();
    RunResult measured = *input.measured;
    measured.metrics.set(Metric::SharedStoreWavefrontsSass, 583027);
    input.measured = std::make_shared<const RunResult>(measured);
    for (const TableRow& row : makeTable(input).rows)
        QVERIFY(row.kind != TableRow::Kind::Note);
}

void ComparisonTest::warmAndColdTimesStandBesideTheEstimate()
{
    const ComparisonTable table = makeTable(plainTile());
    const TableRow* warm = rowNamed(table, QStringLiteral("warm L2"));
    const TableRow* cold = rowNamed(table, QStringLiteral("cold L2"));
    QVERIFY(warm && cold);
    QVERIFY(warm->predicted.startsWith(QStringLiteral("≈ 131")));
    QVERIFY(warm->measured.startsWith(QStringLiteral("134")));
    QVERIFY(cold->measured.startsWith(QStringLiteral("137")));
    QCOMPARE(warm->tone, Tone::Near);
    QCOMPARE(table.measuredHeading, QStringLiteral("H200"));
    QCOMPARE(provenance(plainTile()), QStringLiteral("NVIDIA H200 · recorded 2026-11-20 · driver 580.159"));
}

void ComparisonTest::theThreeTimesStandThereWithoutAMeasurement()
{
    ComparisonInput input = plainTile();
    RunResult predicted = *input.predicted;
    predicted.time.coldNs = 136e3;
    input = { std::make_shared<const RunResult>(predicted) };
    const ComparisonTable table = makeTable(input);
    const std::vector<std::pair<QString, QString>> meanings { { QStringLiteral("warm L2"), QStringLiteral("back to back") },
        { QStringLiteral("cold L2"), QStringLiteral("filled with other data") },
        { labelOf(Metric::Duration), QStringLiteral("As the profiler times one launch") } };
    for (const auto& [label, meaning] : meanings) {
        const TableRow* row = rowNamed(table, label);
        QVERIFY2(row, qPrintable(label));
        QVERIFY2(row->predicted.startsWith(QStringLiteral("≈ ")), qPrintable(label));
        QVERIFY2(row->tip.contains(meaning), qPrintable(row->tip));
        QVERIFY(row->measured.isEmpty());
    }
}

void ComparisonTest::withoutMeasurementThereIsOneColumn()
{
    ComparisonInput input = plainTile();
    input.measured.reset();
    const ComparisonTable table = makeTable(input);
    QVERIFY(table.measuredHeading.isEmpty());
    for (const TableRow& row : table.rows) {
        QVERIFY(row.measured.isEmpty());
        QVERIFY(row.change.isEmpty());
    }
    QVERIFY(makeTable({}).rows.empty());
}

void ComparisonTest::equalValuesSayEqual()
{
    const ComparisonTable table = makeTable(plainTile());
    QCOMPARE(rowNamed(table, labelOf(Metric::GlobalLoadSectors))->change, QStringLiteral("="));
    QCOMPARE(rowNamed(table, labelOf(Metric::SharedStoreWavefronts))->tone, Tone::Differs);
}

void ComparisonTest::textIsAlignedOrTabbed()
{
    const ComparisonTable table = makeTable(plainTile());
    const QStringList aligned = tableText(table, { QStringLiteral("caption") }, TextForm::Aligned).split(u'\n');
    QCOMPARE(aligned.first(), QStringLiteral("caption"));
    qsizetype end = -1;
    for (const QString& line : aligned) {
        QVERIFY(!line.contains(u'\t'));
        if (!line.contains(QStringLiteral("524,288")))
            continue;
        const qsizetype at = line.indexOf(QStringLiteral("524,288"));
        QVERIFY(end < 0 || end == at); // one column
        end = at;
    }
    const QString tabs = tableText(table, {}, TextForm::Tabs);
    QVERIFY(tabs.contains(QStringLiteral("store wavefronts\t524288\t583027\t11.20\t\n")));
}

void ComparisonTest::everyErrorHasASentence()
{
    for (int code = 0; code <= int(ErrorCode::FileFailed); ++code) {
        const ErrorText text = textOf({ ErrorCode(code), "Something is wrong", "place:3" });
        QCOMPARE(text.sentence, QStringLiteral("place:3: Something is wrong."));
    }
}

void ComparisonTest::changesReadWell()
{
    QCOMPARE(formatChange(100, 100), QStringLiteral("="));
    QVERIFY(formatChange(1000, 1004).startsWith(QStringLiteral("+0.4")));
    QVERIFY(formatChange(0, 58739).startsWith(QStringLiteral("+58,739")));
    QVERIFY(formatChange(100, 88).startsWith(QString(QChar(0x2212)) + QStringLiteral("12")));
    QCOMPARE(formatChange(1, 32), QStringLiteral("×32.0"));
    QVERIFY(formatTime(134200).startsWith(QStringLiteral("134")));
    QCOMPARE(formatDim({ 32, 8, 1 }), QStringLiteral("32 × 8"));
    QCOMPARE(formatValue(2097152), QStringLiteral("2,097,152"));
}

APP_TEST(ComparisonTest, QCoreApplication)
#include "comparison_test.moc"
