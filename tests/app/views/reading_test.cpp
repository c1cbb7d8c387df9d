// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/draw/draw.h"
#include "app/views/reading/pattern.h"
#include "app/views/reading/reading.h"
#include "tests/app/app_test.h"
#include "tests/app/views/patterns.h"

#include <QLocale>
#include <QRegularExpression>
#include <QTest>

#include <random>

using namespace coalescope::app;
using namespace coalescope::analysis;

Q_DECLARE_METATYPE(WarpAccess)

namespace {

WarpAccess with(WarpAccess access, MemoryOp op)
{
    access.op = op;
    return access;
}

WarpAccess ldmatrix(int matrices, std::uint64_t pitch)
{
    WarpAccess access = sharedLoad(16, [&](auto lane) { return pitch * lane; });
    access.op = MemoryOp::MatrixLoad;
    access.matrices = std::uint8_t(matrices);
    return access;
}

/// A random access of one of the shapes that kernels have: strides, groups, shuffles, holes.
WarpAccess randomAccess(std::mt19937& random, Space space)
{
    const auto pick
        = [&](int low, int high) { return std::uniform_int_distribution(low, high)(random); };
    const std::uint64_t width = 1u << pick(0, 4), stride = width * std::uint64_t(pick(0, 80));
    const std::uint64_t group = 1u << pick(0, 5), outer = width * std::uint64_t(pick(0, 300));
    const std::uint64_t base
        = 0x7f0000000000u * (space == Space::Global) + width * std::uint64_t(pick(0, 40));
    const LaneMask active = pick(0, 2) ? kAllLanes : LaneMask(random());
    const bool shuffled = pick(0, 3) == 0;
    WarpAccess access = makeAccess(
        space, pick(0, 1) ? MemoryOp::Load : MemoryOp::Store, int(width),
        [&](std::uint64_t lane) {
            return shuffled ? base + width * std::uint64_t(pick(0, 500))
                            : base + lane % group * stride + lane / group * outer;
        },
        active);
    return access;
}

} // namespace

class ReadingTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English)); }

    void eachPatternIsReadAsItIs_data()
    {
        QTest::addColumn<WarpAccess>("access");
        QTest::addColumn<QString>("sentence");
        QTest::addColumn<QString>("remark");
        const auto row = [](const char* name, const WarpAccess& access, const char* sentence,
                             const char* remark) {
            QTest::newRow(name) << access << QString::fromUtf8(sentence)
                                << QString::fromUtf8(remark);
        };
        globalRows(row);
        sharedRows(row);
        otherRows(row);
    }

    void eachPatternIsReadAsItIs()
    {
        QFETCH(WarpAccess, access);
        const Reading reading = readAccess(access);
        QTEST(reading.sentence, "sentence");
        QTEST(reading.remark, "remark");
    }

    void everyGlobalSentenceCarriesTheReportsNumbers()
    {
        std::mt19937 random(20);
        for (int round = 0; round < 4000; ++round) {
            const WarpAccess access = randomAccess(random, Space::Global);
            const auto report = sectorReport(access);
            QVERIFY(report);
            const Reading reading = readGlobal(access, *report);
            if (access.active == 0)
                continue;
            const QString text = reading.sentence;
            const double ratio = report->usedBytes / (32.0 * report->sectors);
            const bool all = report->usedBytes == 32 * report->sectors;
            QVERIFY2(
                text.endsWith(u'.') && !text.contains(u'%' + QString::number(1)), qPrintable(text));
            QCOMPARE(text.contains(QStringLiteral("every byte")), all);
            if (!all)
                QVERIFY2(text.contains(formatPercent(ratio) + QStringLiteral(" of what moves")),
                    qPrintable(text));
            if (!all)
                QVERIFY2(text.contains(QRegularExpression(
                             QStringLiteral("\\b%1 sectors?\\b").arg(report->sectors))),
                    qPrintable(text));
            QCOMPARE(reading.remark.contains(QStringLiteral("needs")),
                report->sectors > report->idealSectors);
        }
    }

    void everySharedSentenceCarriesTheReportsNumbers()
    {
        std::mt19937 random(21);
        for (int round = 0; round < 4000; ++round) {
            const WarpAccess access = randomAccess(random, Space::Shared);
            const auto report = bankReport(access);
            QVERIFY(report);
            const Reading reading = readShared(access, *report);
            if (access.active == 0)
                continue;
            const QString text = reading.sentence;
            QVERIFY2(text.contains(QRegularExpression(
                         QStringLiteral("\\b%1 wavefronts?\\b").arg(report->wavefronts))),
                qPrintable(text));
            QCOMPARE(text.contains(QStringLiteral("would do")), report->conflicts > 0);
            if (report->conflicts > 0)
                QVERIFY2(text.contains(QStringLiteral("where %1 would do").arg(report->phases)),
                    qPrintable(text));
        }
    }

    /// The advice is tried: the spacing that the remark names is free of conflicts by the model.
    void theAdvisedPaddingIsFreeOfConflicts()
    {
        for (const int width : { 4, 8, 16 }) {
            for (std::uint64_t units = 1; units <= 128; ++units) {
                const std::uint64_t stride = units * std::uint64_t(width);
                const WarpAccess access
                    = sharedLoad(width, [&](auto lane) { return stride * lane; });
                const auto report = bankReport(access);
                const QString remark = readShared(access, *report).remark;
                if (report->conflicts == 0) {
                    QVERIFY(remark.isEmpty());
                    continue;
                }
                static const QRegularExpression numbers(
                    QStringLiteral("Lanes are ([\\d,]+) words? apart.*?([\\d,]+) word"));
                const auto match = numbers.match(remark);
                QVERIFY2(match.hasMatch(), qPrintable(remark));
                const auto value
                    = [&](int index) { return QLocale().toULongLong(match.captured(index)); };
                QCOMPARE(value(1) * 4, stride);
                const std::uint64_t better = stride + value(2) * 4;
                const auto after
                    = bankReport(sharedLoad(width, [&](auto lane) { return better * lane; }));
                QCOMPARE(after->conflicts, 0u);
            }
        }
    }

    void patternsAreFound()
    {
        const Pattern stride = patternOf(globalLoad(4, [](auto lane) { return 4 * (31 - lane); }));
        QCOMPARE(stride.stride, std::optional<std::int64_t>(-4));
        const Pattern groups
            = patternOf(globalLoad(4, [](auto lane) { return lane % 8 * 4 + lane / 8 * 4096; }));
        QVERIFY(!groups.stride);
        QCOMPARE(groups.groupLanes, 8);
        QCOMPARE(groups.groupInner, std::int64_t(4));
        QCOMPARE(groups.groupOuter, std::int64_t(4096));
        const Pattern holes = patternOf(globalLoad(
            4, [](auto lane) { return lane * 4; }, 0x55555555));
        QVERIFY(holes.gaps);
        QCOMPARE(holes.lanes, 16);
        QCOMPARE(patternOf(globalLoad(
                               4, [](auto) { return 0; }, 0))
                     .lanes,
            0);
    }

private:
    template <class Row> static void globalRows(const Row& row)
    {
        row("coalesced store",
            with(globalLoad(4, [](auto lane) { return 4 * lane; }), MemoryOp::Store),
            "All 32 lanes write 32 neighbouring 4-byte values: every byte of every sector is used.",
            "");
        row("falling", globalLoad(4, [](auto lane) { return 4 * (31 - lane); }),
            "All 32 lanes read 32 neighbouring 4-byte values: every byte of every sector is used.",
            "");
        row("column", globalLoad(4, [](auto lane) { return 4096 * lane; }),
            "Lanes are 4,096 B apart: 32 sectors for 128 useful bytes; 12.5 % of what moves is "
            "used.",
            "Side by side, what the lanes ask for needs 4 sectors.");
        row("misaligned", globalLoad(4, [](auto lane) { return 4 + 4 * lane; }),
            "All 32 lanes read 32 neighbouring 4-byte values that start 4 bytes into a sector: 5 "
            "sectors "
            "where 4 would do; 80 % of what moves is used.",
            "Starting at a multiple of 32 bytes, the same access needs 4 sectors.");
        row("misaligned byte", globalLoad(1, [](auto lane) { return 1 + lane; }),
            "All 32 lanes read 32 neighbouring 1-byte values that start 1 byte into a sector: 2 "
            "sectors "
            "where 1 would do; 50 % of what moves is used.",
            "Starting at a multiple of 32 bytes, the same access needs 1 sector.");
        row("offset by a sector", globalLoad(4, [](auto lane) { return 32 + 4 * lane; }),
            "All 32 lanes read 32 neighbouring 4-byte values: every byte of every sector is used.",
            "");
        row("every second", globalLoad(4, [](auto lane) { return 8 * lane; }),
            "Lanes are 8 B apart: 8 sectors for 128 useful bytes; 50 % of what moves is used.",
            "Side by side, what the lanes ask for needs 4 sectors.");
        row("float4", globalLoad(16, [](auto lane) { return 16 * lane; }),
            "All 32 lanes read 32 neighbouring 16-byte values: every byte of every sector is used.",
            "");
        row("broadcast", globalLoad(4, [](auto) { return 64; }),
            "All 32 lanes read the same 4 bytes: 1 sector; 12.5 % of what moves is used.", "");
        row("partial warp",
            globalLoad(
                4, [](auto lane) { return 4 * lane; }, 0x7f),
            "7 lanes read 7 neighbouring 4-byte values: 1 sector; 87.5 % of what moves is used.",
            "7 of 32 lanes are active.");
        row("one lane",
            globalLoad(
                4, [](auto) { return 0; }, 1u << 5),
            "1 lane reads one 4-byte value: 1 sector; 12.5 % of what moves is used.", "");
        row("no lane",
            globalLoad(
                4, [](auto) { return 0; }, 0),
            "No lane is active: nothing moves.", "");
        row("rows of 8", globalLoad(4, [](auto lane) { return lane % 8 * 4 + lane / 8 * 4096; }),
            "4 rows of 8 neighbouring values, each 4,096 B from the next: 4 sectors for 128 useful "
            "bytes; "
            "every byte that moves is used.",
            "");
        row("two halves ask for the same", globalLoad(4, [](auto lane) { return lane % 16 * 4; }),
            "2 groups of 16 lanes ask for the same 64 bytes: 2 sectors; every byte that moves is "
            "used.",
            "");
        row("four lanes share", globalLoad(4, [](auto lane) { return lane / 4 * 32; }),
            "8 groups of 4 lanes that share an address, each 32 B from the next: 8 sectors for 32 "
            "useful "
            "bytes; 12.5 % of what moves is used.",
            "Side by side, what the lanes ask for needs 1 sector."); // those of a group share it
        row("shuffled within", globalLoad(4, [](auto lane) { return (lane * 5 % 32) * 4; }),
            "All 32 lanes ask for 128 bytes, in no even order, that fill 4 sectors: every byte is "
            "used.",
            "");
        row("scattered", globalLoad(4, [](auto lane) { return lane * lane * 4; }),
            "All 32 lanes ask for 128 bytes, in no even order, in 30 sectors of 24 cache lines; "
            "13.3 % of "
            "what moves is used.",
            "Side by side, what the lanes ask for needs 4 sectors.");
        row("every second lane",
            globalLoad(
                4, [](auto lane) { return lane * 4; }, 0x55555555),
            "Active lanes are 8 B apart: 4 sectors for 64 useful bytes; 50 % of what moves is "
            "used.",
            "16 of 32 lanes are active. Side by side, what the lanes ask for needs 2 sectors.");
    }

    template <class Row> static void sharedRows(const Row& row)
    {
        row("bank column", sharedLoad(4, [](auto lane) { return 128 * lane; }),
            "All 32 lanes ask bank 0 for 32 different words: 32 wavefronts where 1 would do.",
            "Lanes are 32 words apart, so they stay in one bank; 1 word of padding spreads them.");
        row("padded column", sharedLoad(4, [](auto lane) { return 132 * lane; }),
            "All 32 lanes read 32 different words in as many different banks: 1 wavefront.", "");
        row("stride 2", sharedLoad(4, [](auto lane) { return 8 * lane; }),
            "All 32 lanes ask 16 of the 32 banks for 2 different words each: 2 wavefronts where 1 "
            "would do.",
            "Lanes are 2 words apart; 1 word more between them and there is no conflict.");
        row("shared broadcast", sharedLoad(4, [](auto) { return 12; }),
            "All 32 lanes read the same word: 1 wavefront.", "");
        row("shared store to one word",
            with(sharedLoad(4, [](auto) { return 12; }), MemoryOp::Store),
            "All 32 lanes write the same word: 1 wavefront.",
            "Which lane's value stays is not defined.");
        row("bytes", sharedLoad(1, [](auto lane) { return lane; }),
            "All 32 lanes read 8 different words, some of them shared, no two in one bank: 1 "
            "wavefront.",
            "");
        row("wide", sharedLoad(16, [](auto lane) { return 16 * lane; }),
            "All 32 lanes read 16 bytes each in 4 phases, none with a conflict: 4 wavefronts.", "");
        row("wide column", sharedLoad(16, [](auto lane) { return 256 * lane; }),
            "All 32 lanes ask for 16 bytes each in 4 phases, and different words meet in a bank: "
            "32 "
            "wavefronts where 4 would do.",
            "Lanes are 64 words apart; 4 words more between them and there is no conflict.");
        row("wide broadcast", sharedLoad(16, [](auto) { return 0; }),
            "All 32 lanes read 16 bytes each in 2 phases, none with a conflict: 2 wavefronts.", "");
        row("partial column",
            sharedLoad(
                4, [](auto lane) { return 128 * lane; }, 0xff),
            "8 lanes ask bank 0 for 8 different words: 8 wavefronts where 1 would do.",
            "8 of 32 lanes are active. Lanes are 32 words apart, so they stay in one bank; 1 word "
            "of padding "
            "spreads them.");
        row("rows of 8 in a pitch of 32",
            sharedLoad(4, [](auto lane) { return lane % 8 * 4 + lane / 8 * 128; }),
            "All 32 lanes ask 8 of the 32 banks for 4 different words each: 4 wavefronts where 1 "
            "would do.",
            "Groups of 8 lanes are 32 words apart; 8 words more between them and there is no "
            "conflict.");
        row("uneven", sharedLoad(4, [](auto lane) { return lane == 31 ? 128u : 4 * lane; }),
            "All 32 lanes ask 31 of the 32 banks, the busiest for 2 different words: 2 wavefronts where 1 would do.",
            "");
        row("one shared lane",
            sharedLoad(
                8, [](auto) { return 8; }, 1),
            "1 lane reads 8 bytes: 1 wavefront.", "1 of 32 lanes is active.");
        row("no shared lane",
            sharedLoad(
                8, [](auto) { return 8; }, 0),
            "No lane is active: no wavefront.", "");
    }

    template <class Row> static void otherRows(const Row& row)
    {
        row("atomic on one word", with(sharedLoad(4, [](auto) { return 0; }), MemoryOp::Atomic),
            "All 32 lanes update the same word, one after another: 32 wavefronts.", "");
        row("atomic, a bank each",
            with(sharedLoad(4, [](auto lane) { return 4 * lane; }), MemoryOp::Atomic),
            "All 32 lanes update a bank each: 1 wavefront.", "");
        row("atomic histogram",
            with(sharedLoad(4, [](auto lane) { return lane / 4 * 4; }), MemoryOp::Atomic),
            "Up to 4 lanes update one bank, one after another: 4 wavefronts.", "");
        WarpAccess counts = with(sharedLoad(4, [](auto) { return 0; }), MemoryOp::Reduction);
        counts.update = coalescope::analysis::SharedUpdate::Counted;
        row("counts on one word", counts, "All 32 lanes count up the same word together: 1 wavefront.", "");
        WarpAccess swaps = with(sharedLoad(4, [](auto lane) { return lane / 4 * 4; }), MemoryOp::Atomic);
        swaps.update = coalescope::analysis::SharedUpdate::InTwoSteps;
        row("compare and swap", swaps, "Up to 4 lanes update one bank, one after another: 8 wavefronts.", "");
        WarpAccess sums = swaps;
        sums.update = coalescope::analysis::SharedUpdate::InALoop;
        row("sums of floats", sums, "All 32 lanes load, compare and swap in a loop, in each turn one lane of a bank: 4 turns.", "");
        WarpAccess joined = with(sharedLoad(4, [](auto) { return 0; }), MemoryOp::Atomic);
        joined.isOneLanes = true;
        row("one lane's atomic", joined, "All 32 lanes update the same word; the compiler puts together what they do, and one lane does it: 1 wavefront.", "");
        row("reduction of groups", with(globalLoad(4, [](auto lane) { return 0x200 + lane / 4 * 4; }), MemoryOp::Reduction),
            "8 groups of 4 lanes that share an address, each 4 B from the next: 1 sector for 32 useful bytes; every byte that moves is used.",
            "Lanes that update one word come one after another: the GPU counts 4 sectors.");
        row("ldmatrix", ldmatrix(4, 16),
            "ldmatrix reads 4 matrices of 8 rows, no two different rows of a matrix in one bank: 4 "
            "wavefronts.",
            "");
        row("ldmatrix column", ldmatrix(2, 128),
            "ldmatrix reads 2 matrices of 8 rows, and rows of a matrix meet in a bank: 16 "
            "wavefronts where 2 would "
            "do.",
            "");
        row("async copy",
            with(sharedLoad(16, [](auto lane) { return 16 * lane; }), MemoryOp::AsyncCopy),
            "All 32 lanes copy 16 bytes each: 4 wavefronts, as few as so many words need.", "");
        WarpAccess bulk = with(globalLoad(16, [](auto lane) { return 0x200 + 16 * lane; }), MemoryOp::BulkLoad);
        bulk.active = 0xff;
        row("bulk copy", bulk, "A bulk copy fetches 128 bytes for a line of shared memory: 4 sectors; every byte that moves is used.",
            "One thread starts it; it passes by L1 and the load/store unit.");
        for (std::uint64_t& address : bulk.address)
            address += 16;
        row("bulk copy between sectors", with(bulk, MemoryOp::BulkStore),
            "A bulk copy stores 128 bytes from a line of shared memory, from 16 bytes into a sector: 5 sectors where 4 would do; 80 % of "
            "what moves is used.",
            "One thread starts it; it passes by L1 and the load/store unit. Global and shared address alike, but for multiples of 32 bytes, "
            "need 4 sectors.");
        WarpAccess local = globalLoad(4, [](auto lane) { return 4 * lane; });
        local.space = Space::Local;
        row("local", local, "All 32 lanes read 4 bytes each, in local memory: 32 sectors.",
            "At the same element, the lanes need 4 sectors: a word of each lies beside that of the next.");
        local.address.fill(16);
        row("local, same element", local, "All 32 lanes read 4 bytes each, in local memory: 4 sectors.",
            "A word of each lane lies beside that of the next.");
    }
};

APP_TEST(ReadingTest, QApplication)
#include "reading_test.moc"
