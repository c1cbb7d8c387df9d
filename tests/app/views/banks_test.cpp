// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/banks/banks_view.h"
#include "app/widgets/theme.h"
#include "tests/app/app_test.h"
#include "tests/app/patience.h"
#include "tests/app/views/patterns.h"

#include <QApplication>
#include <QSignalSpy>
#include <QTest>

using namespace coalescope::app;

namespace {

const auto column = [](std::uint64_t lane) { return 128 * lane; };
const auto row = [](std::uint64_t lane) { return 4 * lane; };

BankLayout layoutFor(const BankModel& model, QSizeF size)
{
    std::vector<int> phases;
    for (const auto& wavefront : model.wavefronts)
        phases.push_back(wavefront.phase);
    return layoutBanks(phases, QRectF(QPointF(), size), {});
}

QImage painted(
    const BankModel& model, const BankLayout& layout, const QPalette& palette, QSize size)
{
    QImage image(size, QImage::Format_RGB32);
    image.fill(themeColor(palette, ColorRole::Panel));
    QPainter painter(&image);
    BankView::render(painter, model, layout, palette);
    return image;
}

/// Near a corner, where no number covers the cell.
QPoint cornerOf(const QRectF& cell) { return (cell.topLeft() + QPointF(1, 1)).toPoint(); }

} // namespace

class BanksTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { applyTheme(*qApp, ThemeKind::Light); }

    void everyCellIsFoundWhereItIsDrawn()
    {
        const std::vector<std::vector<int>> shapes { { 0 }, { 0, 1 }, { 0, 1, 2, 3 },
            std::vector<int>(32, 0), { 0, 0, 0, 1, 1, 3 } };
        for (const auto& phases : shapes) {
            for (const QSizeF size : { QSizeF(460, 300), QSizeF(700, 240), QSizeF(300, 160) }) {
                const BankLayout layout = layoutBanks(phases, { QPointF(4, 3), size }, {});
                for (int wavefront = 0; wavefront < int(phases.size()); ++wavefront)
                    for (int bank = 0; bank < 32; ++bank)
                        QCOMPARE(layout.cellAt(layout.cellRect(wavefront, bank).center()),
                            (BankCell { wavefront, bank }));
                QVERIFY(layout.grid.right() <= 4 + size.width());
                QVERIFY(layout.listing.bottom() <= 3 + size.height() + 0.01);
                QVERIFY(layout.listing.top() >= layout.grid.bottom());
            }
        }
    }

    void phasesStandApart()
    {
        const BankLayout layout = layoutBanks({ 0, 0, 1, 1 }, { 0, 0, 500, 240 }, {});
        const qreal within = layout.rowTop[1] - layout.rowTop[0],
                    between = layout.rowTop[2] - layout.rowTop[1];
        QVERIFY(between > within);
        QVERIFY(!layout.phaseLabels.isEmpty());
        QVERIFY(layoutBanks({ 0, 0 }, { 0, 0, 500, 240 }, {}).phaseLabels.isEmpty());
    }

    void theAxisNamesABankAndNoWavefront()
    {
        const BankLayout layout = layoutBanks({ 0 }, { 0, 0, 500, 240 }, {});
        QCOMPARE(
            layout.cellAt(QPointF(layout.bankRect(9).center().x(), layout.bankAxis.center().y())),
            (BankCell { -1, 9 }));
        QCOMPARE(layout.cellAt({ 0, 0 }), BankCell {});
    }

    void eachCellWearsItsLanesColor()
    {
        for (const auto kind : { ThemeKind::Light, ThemeKind::Dark }) {
            const QPalette palette = themePalette(kind);
            const BankModel conflict = BankModel::of(sharedLoad(4, column));
            const BankLayout layout = layoutFor(conflict, { 500, 330 });
            const QImage image = painted(conflict, layout, palette, { 500, 330 });
            QCOMPARE(layout.wavefronts(), 32);
            for (int lane = 0; lane < 32; ++lane) {
                QCOMPARE(image.pixelColor(cornerOf(layout.cellRect(lane, 0))), laneColor(lane));
                QCOMPARE(image.pixelColor(cornerOf(layout.cellRect(lane, 5))),
                    themeColor(palette, ColorRole::Quiet));
            }
        }
    }

    void wideAccessesCoverSeveralBanks()
    {
        const QPalette palette = themePalette(ThemeKind::Light);
        const BankModel model = BankModel::of(sharedLoad(16, [](auto lane) { return 16 * lane; }));
        QCOMPARE(model.wavefronts.size(), std::size_t(4));
        const BankLayout layout = layoutFor(model, { 700, 240 });
        const QImage image = painted(model, layout, palette, { 700, 240 });
        for (int lane = 0; lane < 32; ++lane)
            for (int bank = 0; bank < 4; ++bank)
                QCOMPARE(image.pixelColor(cornerOf(layout.cellRect(lane / 8, lane % 8 * 4 + bank))),
                    laneColor(lane));
    }

    void aSharedWordShowsSeveralLanes()
    {
        const BankModel model
            = BankModel::of(sharedLoad(4, [](auto lane) { return lane / 2 * 4; }));
        const QPalette palette = themePalette(ThemeKind::Light);
        const BankLayout layout = layoutFor(model, { 700, 140 });
        const QImage image = painted(model, layout, palette, { 700, 140 });
        const QRectF cell = layout.cellRect(0, 5);
        QCOMPARE(image.pixelColor(cornerOf(cell)), laneColor(10));
        QCOMPARE(image.pixelColor((cell.topRight() + QPointF(-2, 1)).toPoint()), laneColor(11));
    }

    void pointingAtABankNamesItAndItsLane()
    {
        BankView view;
        view.resize(700, 300);
        view.setAccess(sharedLoad(4, row));
        view.show();
        QSignalSpy banks(&view, &BankView::bankHovered), lanes(&view, &BankView::laneHovered);
        QTest::mouseMove(&view, view.layoutOfCells().cellRect(0, 9).center().toPoint());
        QTRY_COMPARE_WITH_TIMEOUT(banks.size(), 1, kPatienceMs);
        QCOMPARE(banks[0][0].toInt(), 9);
        QCOMPARE(lanes.size(), 1);
        QCOMPARE(lanes[0][0].toInt(), 9);
        QTest::mouseMove(&view, QPoint(1, 1));
        QTRY_COMPARE_WITH_TIMEOUT(banks.size(), 2, kPatienceMs);
        QCOMPARE(banks[1][0].toInt(), -1);
        QCOMPARE(lanes[1][0].toInt(), -1);
    }

    void pointingAtTheAxisNamesTheBankOnly()
    {
        BankView view;
        view.resize(700, 300);
        view.setAccess(sharedLoad(4, row));
        view.show();
        QSignalSpy banks(&view, &BankView::bankHovered), lanes(&view, &BankView::laneHovered);
        const BankLayout& layout = view.layoutOfCells();
        QTest::mouseMove(
            &view, QPoint(int(layout.bankRect(4).center().x()), int(layout.bankAxis.center().y())));
        QTRY_COMPARE_WITH_TIMEOUT(banks.size(), 1, kPatienceMs);
        QCOMPARE(banks[0][0].toInt(), 4);
        QCOMPARE(lanes.size(), 0);
    }

    void aHoveredBankDimsTheOthers()
    {
        const QPalette palette = themePalette(ThemeKind::Light);
        BankModel model = BankModel::of(sharedLoad(4, row));
        model.hoveredBank = 5;
        const BankLayout layout = layoutFor(model, { 460, 140 });
        const QImage image = painted(model, layout, palette, { 460, 140 });
        QCOMPARE(image.pixelColor(layout.cellRect(0, 5).center().toPoint()), laneColor(5));
        QVERIFY(image.pixelColor(layout.cellRect(0, 20).center().toPoint()) != laneColor(20));
        QCOMPARE(
            bankListing(model, 5), QStringList { QStringLiteral("word 5, lane 5, wavefront 0") });
    }

    void commaAndFullStopStepWavefronts()
    {
        BankView view;
        view.setAccess(sharedLoad(4, [](auto lane) { return 4 * lane * 4; }));
        QCOMPARE(view.model().wavefronts.size(), std::size_t(4));
        QSignalSpy chosen(&view, &BankView::wavefrontChosen);
        QTest::keyClick(&view, Qt::Key_Period);
        QTest::keyClick(&view, Qt::Key_Period);
        QTest::keyClick(&view, Qt::Key_Comma);
        QTest::keyClick(&view, Qt::Key_End);
        QTest::keyClick(&view, Qt::Key_Period);
        QTest::keyClick(&view, Qt::Key_Escape);
        QList<int> steps;
        for (const auto& step : chosen)
            steps << step[0].toInt();
        QCOMPARE(steps, (QList<int> { 0, 1, 0, 3, -1 }));
    }

    void aClickChoosesAWavefrontAndASecondOneAll()
    {
        BankView view;
        view.resize(700, 300);
        view.setAccess(sharedLoad(4, column));
        view.show();
        QSignalSpy chosen(&view, &BankView::wavefrontChosen);
        const QPoint at = view.layoutOfCells().cellRect(7, 3).center().toPoint();
        QTest::mouseClick(&view, Qt::LeftButton, {}, at);
        QTest::mouseClick(&view, Qt::LeftButton, {}, at);
        QCOMPARE(chosen.size(), 2);
        QCOMPARE(chosen[0][0].toInt(), 7);
        QCOMPARE(chosen[1][0].toInt(), -1);
    }

    void figuresNameConflictsAndPhases()
    {
        coalescope::analysis::WarpAccess sums = sharedLoad(4, [](auto lane) { return lane / 4 * 4; });
        sums.op = coalescope::analysis::MemoryOp::Atomic;
        sums.update = coalescope::analysis::SharedUpdate::InALoop;
        QCOMPARE(bankFigures(BankModel::of(sums)), QStringLiteral("4 turns"));
        QCOMPARE(bankFigures(BankModel::of(sharedLoad(4, column))),
            QStringLiteral("32 wavefronts · 31 conflicts"));
        QCOMPARE(bankFigures(BankModel::of(sharedLoad(8, [](auto lane) { return 8 * lane; }))),
            QStringLiteral("2 wavefronts · 0 conflicts · 2 phases"));
    }

    void everyWavefrontHasARowEvenInALowView()
    {
        BankView view;
        view.resize(view.minimumSizeHint());
        view.setAccess(sharedLoad(4, column));
        QCOMPARE(view.layoutOfCells().wavefronts(), 32);
        QVERIFY(view.layoutOfCells().grid.bottom() <= view.height());
        QVERIFY(!view.grab().isNull());
    }
};

APP_TEST(BanksTest, QApplication)
#include "banks_test.moc"
