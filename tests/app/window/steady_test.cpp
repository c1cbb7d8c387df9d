// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/app_test.h"
#include "tests/app/window/window_fixture.h"

#include "app/views/banks/banks_view.h"
#include "app/views/lane/lane_view.h"
#include "app/views/sectors/sectors_view.h"
#include "app/widgets/pay_panel.h"
#include "app/widgets/source_panel.h"
#include "app/widgets/sweep_panel.h"
#include "app/widgets/theme.h"
#include "app/widgets/try_view.h"
#include "app/widgets/warp_panel.h"

#include <Qsci/qsciscintilla.h>

#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QScreen>
#include <QScrollBar>
#include <QSplitter>

#include <bit>
#include <vector>

/// What the eye holds on to stays where it is, and nothing of one kernel stands under another's name.
class SteadyTest : public QObject {
    Q_OBJECT
private slots:
    void init();
    void theRightSideStaysWhereItIsScrolledTo();
    void theTableStaysWhereItIsWhetherMeasuredOrNot();
    void whatToTryKeepsItsPlaceUntilTheNextIsComputed();
    void whatIsSaidOfAnIllegalValueMovesNoPicture();
    void theTextGetsLargerAndIsRemembered();
    void largerTextAndBackLeavesTheWindowAsItWas();
    void theLargestTextIsScrolledToInASmallWindow();
    void aSmallWindowHasRoomForCode();
    void aSourceThatHasNoRoomForItsColumnsSaysWhich();
    void eachColumnOfTheSourceHasItsOwnColour();
    void noFigureOfTheComparisonIsOutOfSight();
    void aLaneThatIsClickedStaysUntilEscape();
    void aBankThatIsClickedStaysAndTheTableFollows();
    void whatACompilerSaysLeavesTheSidesAsTheyAre();
    void aFileThatDoesNotCompileShowsNothingOfTheKernelBefore();
    void whatIsFoundIsCopiedWithTheTable();
    void thePicturesHaveTheWindowWhenAskedTo();
    void aLineOfTextLeavesSavingToTheMenu();
    void anotherLanguageKeepsWhatIsSaidOfTheMeasurement();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
};

void SteadyTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder->path());
}

namespace {

QScrollBar* scrollBarOf(QWidget* content)
{
    for (QWidget* at = content; at; at = at->parentWidget()) {
        if (auto* area = qobject_cast<QScrollArea*>(at))
            return area->verticalScrollBar();
    }
    return nullptr;
}

/// Whether all of it is in the window, or can be scrolled to.
bool isReached(const QWidget* part)
{
    for (const QWidget* at = part; at; at = at->parentWidget()) {
        const auto* area = qobject_cast<const QScrollArea*>(at);
        if (!area)
            continue;
        const int hidden = area->widget()->width() - area->viewport()->width();
        return area->viewport()->width() > 150 && (hidden <= 0 || area->horizontalScrollBar()->maximum() >= hidden);
    }
    return false;
}

/// Sets a value and calls `look` again and again until everything is there.
void changeAndWatch(MainWindow& window, const char* name, const char* value, const std::function<void()>& look)
{
    window.experiment()->setValue(name, value);
    QTRY_VERIFY_WITH_TIMEOUT((look(), window.isSettled()), kPatienceMs);
    look();
}

}

void SteadyTest::theRightSideStaysWhereItIsScrolledTo()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), { { "rows", "4096" }, { "cols", "4096" }, { "pad", "1" } }));
    openAndSettle(window, { 1280, 560 });
    QScrollBar* bar = scrollBarOf(window.comparisonPanel());
    QVERIFY(bar->maximum() > 200);
    bar->setValue(bar->maximum() - 100);
    const int at = bar->value();
    for (const char* pad : { "2", "0", "1" })
        changeAndWatch(window, "pad", pad, [&] { QCOMPARE(bar->value(), at); });
}

void SteadyTest::theTableStaysWhereItIsWhetherMeasuredOrNot()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), { { "rows", "4096" }, { "cols", "4096" }, { "pad", "1" } }));
    openAndSettle(window);
    ComparisonPanel* panel = window.comparisonPanel();
    QVERIFY(panel->nearText().isEmpty()); // it is recorded
    const int top = panel->table()->y();
    changeAndWatch(window, "pad", "7", [&] { QCOMPARE(panel->table()->y(), top); });
    QVERIFY(!panel->nearText().isEmpty()); // it is not
}

void SteadyTest::whatToTryKeepsItsPlaceUntilTheNextIsComputed()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), kConflict));
    openAndSettle(window);
    auto* offers = window.findChild<TryView*>();
    QVERIFY(!offers->applyButtons().empty());
    bool wasHeld = false;
    connect(window.predictor(), &Predictor::predicted, this, [&] { wasHeld = offers->isHeld(); });
    changeAndWatch(window, "rows", "128", [&] {
        QVERIFY(offers->isVisible());
        QVERIFY(!offers->isHeld() || !offers->applyButtons().front()->isEnabled()); // of the launch before
    });
    QVERIFY(wasHeld && !offers->isHeld());
    QVERIFY(offers->applyButtons().front()->isEnabled());
}

void SteadyTest::whatIsSaidOfAnIllegalValueMovesNoPicture()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), kSmall));
    openAndSettle(window);
    const QPoint at = window.warpPanel()->strip()->mapTo(&window, QPoint());
    window.experiment()->setValue("tile", "64"); // 4,096 threads
    const auto* banner = window.findChild<QLabel*>(QStringLiteral("banner"));
    QTRY_VERIFY_WITH_TIMEOUT(banner->isVisible(), kPatienceMs);
    QTest::qWait(50);
    QCOMPARE(window.warpPanel()->strip()->mapTo(&window, QPoint()), at);
    QVERIFY(banner->height() < window.height() / 4);
    const auto* warp = window.findChild<QSpinBox*>(QStringLiteral("warp"));
    const QRect fields(warp->mapTo(window.warpPanel(), QPoint()), warp->size());
    QVERIFY2(!banner->geometry().intersects(fields), "the block's fields stay to be seen");
    keepPicture(window, QStringLiteral("illegal"));
}

void SteadyTest::theTextGetsLargerAndIsRemembered()
{
    const int before = QGuiApplication::font().pointSize();
    int larger = 0;
    {
        StartOptions start = options(QStringLiteral("transpose_shared"), kSmall);
        MainWindow window(start);
        openAndSettle(window);
        const int height = window.comparisonPanel()->table()->height();
        for (int i = 0; i < 5; ++i)
            QTest::keyClick(&window, Qt::Key_Plus, Qt::ControlModifier);
        larger = QGuiApplication::font().pointSize();
        QVERIFY2(larger > before, qPrintable(QString::number(larger)));
        QTRY_VERIFY_WITH_TIMEOUT(window.comparisonPanel()->table()->height() > 1.3 * height, kPatienceMs);
        QCOMPARE(unscaledFont().pointSize(), before); // of what is saved
        keepPicture(window, QStringLiteral("text150"));
        window.close();
    }
    MainWindow window(options(QStringLiteral("transpose_shared"), kSmall));
    openAndSettle(window);
    QCOMPARE(QGuiApplication::font().pointSize(), larger);
    QTest::keyClick(&window, Qt::Key_0, Qt::ControlModifier);
    QCOMPARE(QGuiApplication::font().pointSize(), before);
}

void SteadyTest::largerTextAndBackLeavesTheWindowAsItWas()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), kSmall));
    openAndSettle(window, { 1100, 640 });
    auto* panels = window.findChild<QSplitter*>(QStringLiteral("panels"));
    QTest::mousePress(panels->handle(1), Qt::LeftButton);
    QTest::mouseMove(panels->handle(1), QPoint(33, 50));
    QTest::mouseRelease(panels->handle(1), Qt::LeftButton, {}, QPoint(33, 50));
    const QList<int> sizes = panels->sizes();
    const QSize size = window.size();
    QTest::keyClick(&window, Qt::Key_Plus, Qt::ControlModifier);
    QVERIFY(panels->sizes() != sizes);
    for (int i = 0; i < 20; ++i) // as a key that is held
        QTest::keyClick(&window, Qt::Key_Plus, Qt::ControlModifier);
    const int most = std::max(size.width(), window.screen()->availableGeometry().width());
    QTRY_VERIFY2_WITH_TIMEOUT(window.width() <= most, qPrintable(QString::number(window.width())), kPatienceMs);
    QTest::keyClick(&window, Qt::Key_0, Qt::ControlModifier);
    QTRY_COMPARE_WITH_TIMEOUT(window.size(), size, kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(panels->sizes(), sizes, kPatienceMs);
}

void SteadyTest::theLargestTextIsScrolledToInASmallWindow()
{
    const QSize size(1024, 700);
    MainWindow window(options(QStringLiteral("transpose_shared"), kSmall));
    openAndSettle(window, size);
    for (int i = 0; i < 6; ++i)
        QTest::keyClick(&window, Qt::Key_Plus, Qt::ControlModifier);
    QVERIFY(QGuiApplication::font().pointSizeF() >= 1.5 * unscaledFont().pointSizeF());
    QWidget* const tabs[] { window.warpPanel(), window.sourcePanel(), window.sweepPanel(), window.payPanel() };
    for (int tab = 0; tab < 4; ++tab) {
        window.topBar()->setTab(tab);
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
        QTest::qWait(50);
        keepPicture(window, QStringLiteral("largest-%1").arg(tab));
        QCOMPARE(window.size(), size);
        for (QWidget* part : { static_cast<QWidget*>(window.experimentPanel()), tabs[tab], static_cast<QWidget*>(window.comparisonPanel()) })
            QVERIFY2(isReached(part), part->metaObject()->className());
        for (const QWidget* part : window.topBar()->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
            if (part->isVisible())
                QVERIFY2(window.topBar()->rect().contains(part->geometry()), qPrintable(part->objectName()));
        }
    }
    QTest::keyClick(&window, Qt::Key_0, Qt::ControlModifier);
}

void SteadyTest::aSmallWindowHasRoomForCode()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), kSmall));
    openAndSettle(window, { 1024, 700 });
    window.topBar()->setTab(1);
    const QsciScintilla* editor = window.sourcePanel()->editor();
    const auto code = [&] { return editor->viewport()->width() - editor->marginWidth(0) - editor->marginWidth(1); };
    const int character = QFontMetrics(numberFont(QGuiApplication::font())).horizontalAdvance(QLatin1Char('0'));
    QTRY_VERIFY2_WITH_TIMEOUT(code() >= 40 * character, qPrintable(QString::number(code() / character)), kPatienceMs);
    // The figures that have no column are those of the line looked at.
    const auto* figures = window.findChild<QLabel*>(QStringLiteral("lineFigures"));
    QVERIFY2(figures->text().contains(QStringLiteral("sectors")), qPrintable(figures->text()));
    keepPicture(window, QStringLiteral("small-source"));
    window.resize(1440, 700);
    QTRY_VERIFY_WITH_TIMEOUT(editor->marginWidth(1) > 100, kPatienceMs);
    QVERIFY(figures->text().isEmpty());
}

void SteadyTest::aLaneThatIsClickedStaysUntilEscape()
{
    MainWindow window(options(QStringLiteral("copy"), kSmall));
    openAndSettle(window);
    auto* sectors = window.warpPanel()->findChild<SectorView*>(QStringLiteral("sectorView"));
    const auto* table = window.warpPanel()->findChild<LaneDetailView*>(QStringLiteral("laneView"));
    const QPointF at = sectors->layoutOfLines().byteRect(0, 5 * 4).center(); // lane 5 has the sixth word
    QTest::mouseClick(sectors->viewport(), Qt::LeftButton, {}, at.toPoint());
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(sectors->viewport(), &leave);
    QCOMPARE(sectors->model().hoveredLane, 5);
    QCOMPARE(table->model().lane, 5);
    for (int i = 0; i < 3; ++i)
        QTest::keyClick(sectors, Qt::Key_Right);
    QCOMPARE(sectors->model().hoveredLane, 8);
    QCOMPARE(table->model().lane, 8);
    QTest::keyClick(sectors, Qt::Key_Escape);
    QCOMPARE(sectors->model().hoveredLane, -1);
}

void SteadyTest::aBankThatIsClickedStaysAndTheTableFollows()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), kConflict));
    openAndSettle(window);
    auto* banks = window.warpPanel()->findChild<BankView*>(QStringLiteral("bankView"));
    if (!banks->isVisible())
        banks = window.warpPanel()->findChild<BankView*>(QStringLiteral("companionBanks"));
    QVERIFY(banks->isVisible());
    const auto* table = window.warpPanel()->findChild<LaneDetailView*>(QStringLiteral("laneView"));
    const analysis::BankRequest& asked = banks->model().wavefronts.front().requests.front();
    QTest::mouseClick(banks, Qt::LeftButton, {}, banks->layoutOfCells().cellRect(0, asked.bank).center().toPoint());
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(banks, &leave);
    QCOMPARE(banks->model().hoveredBank, asked.bank);
    QCOMPARE(table->model().lane, std::countr_zero(asked.lanes));
    QTest::keyClick(banks, asked.bank < 31 ? Qt::Key_Right : Qt::Key_Left);
    QCOMPARE(banks->model().hoveredBank, asked.bank < 31 ? asked.bank + 1 : 30);
    const QStringList words = bankListing(banks->model(), banks->model().hoveredBank);
    QCOMPARE(table->model().lane < 0, words.isEmpty());
    QTest::keyClick(banks, Qt::Key_Escape);
    QCOMPARE(banks->model().hoveredBank, -1);
}

void SteadyTest::aSourceThatHasNoRoomForItsColumnsSaysWhich()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), kSmall));
    openAndSettle(window, { 1024, 700 });
    window.topBar()->setTab(1);
    const auto* figures = window.findChild<ElidedLabel*>(QStringLiteral("lineFigures"));
    QTRY_VERIFY2_WITH_TIMEOUT(figures->fullText().endsWith(QStringLiteral("wavefronts")) && figures->fullText().contains(QStringLiteral("no room for ")),
        qPrintable(figures->fullText()), kPatienceMs);
}

void SteadyTest::eachColumnOfTheSourceHasItsOwnColour()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), kConflict));
    openAndSettle(window, { 1440, 900 });
    window.topBar()->setTab(1);
    const std::string file = window.experiment()->state().spec->sourceName;
    int lines = 0;
    for (const auto& [line, figures] : figuresOf(window.predictor()->current()->prediction.result, file)) {
        if (figures.used < 0.9 || figures.conflicts * 2 < figures.wavefronts || figures.wavefronts <= 0)
            continue; // sectors as they should be, wavefronts that conflict
        ++lines;
        std::vector<char> styles(std::size_t(window.sourcePanel()->marginText(line).size()) + 1);
        window.sourcePanel()->editor()->SendScintilla(QsciScintilla::SCI_MARGINGETSTYLES, ulong(line - 1), styles.data());
        QVERIFY(styles.front() != styles[styles.size() - 3]);
    }
    QVERIFY(lines > 0);
    keepPicture(window, QStringLiteral("source-columns"));
}

void SteadyTest::noFigureOfTheComparisonIsOutOfSight()
{
    MainWindow window(options(QStringLiteral("transpose_shared")));
    openAndSettle(window, { 1560, 930 });
    for (const int percent : { 200, 250 }) {
        window.setTextSize(percent);
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
        QTest::qWait(50);
        const ComparisonPanel* panel = window.comparisonPanel();
        QCOMPARE(panel->width(), panel->parentWidget()->width());
        keepPicture(window, QStringLiteral("comparison-%1").arg(percent));
    }
    window.setTextSize(100);
}

void SteadyTest::whatACompilerSaysLeavesTheSidesAsTheyAre()
{
    const QString path = m_folder->filePath(QStringLiteral("broken.cu"));
    const QByteArray word(300, 'x'); // that no line breaks
    writeFile(path, "__global__ void k(float* a)\n{\n    a[threadIdx.x] = " + word + ";\n}\nint main()\n{\n    float* a;\n    cudaMalloc(&a, 1024);\n    k<<<1, 256>>>(a);\n}\n");
    MainWindow window(options(QStringLiteral("transpose_naive"), kSmall));
    openAndSettle(window);
    auto* panels = window.findChild<QSplitter*>(QStringLiteral("panels"));
    const QList<int> sizes = panels->sizes();
    window.openPath(path);
    QTRY_VERIFY_WITH_TIMEOUT(!window.predictor()->current() && window.isSettled(), kPatienceMs);
    QTest::qWait(50);
    QVERIFY(window.whyNoPrediction().contains(QStringLiteral("xxx")));
    QCOMPARE(panels->sizes(), sizes);
    keepPicture(window, QStringLiteral("long-word"));
}

void SteadyTest::aFileThatDoesNotCompileShowsNothingOfTheKernelBefore()
{
    const QString path = m_folder->filePath(QStringLiteral("broken.cu"));
    const QByteArray broken = "__global__ void k(float* a)\n{\n    a[threadIdx.x] = 1\n}\nint main()\n{\n    float* a;\n"
                              "    cudaMalloc(&a, 1024);\n    k<<<1, 256>>>(a);\n}\n";
    writeFile(path, broken);
    MainWindow window(options(QStringLiteral("transpose_naive"), kSmall));
    openAndSettle(window);
    window.openPath(path);
    QTRY_VERIFY_WITH_TIMEOUT(!window.predictor()->current() && window.isSettled(), kPatienceMs);
    QVERIFY(window.comparisonPanel()->table()->table().rows.empty());
    QVERIFY(window.comparisonPanel()->findings().isEmpty());
    QVERIFY(!window.warpPanel()->strip()->isVisible());
    QVERIFY(window.whyNoPrediction().contains(QStringLiteral("broken.cu:4")));
    QGuiApplication::clipboard()->setText(QStringLiteral("mine"));
    window.copyTable(TextForm::Aligned);
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("mine"));
    // Mended, all is there again.
    writeFile(path, QByteArray(broken).replace("= 1", "= 1;"));
    window.openPath(path);
    QTRY_VERIFY_WITH_TIMEOUT(window.predictor()->current() && window.isSettled(), kPatienceMs);
    QVERIFY(!window.comparisonPanel()->table()->table().rows.empty());
    QVERIFY(window.warpPanel()->strip()->isVisible());
}

void SteadyTest::whatIsFoundIsCopiedWithTheTable()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), kSmall));
    openAndSettle(window);
    window.copyTable(TextForm::Aligned);
    QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("no race in shared memory")));
    QVERIFY(QGuiApplication::clipboard()->text().section(QLatin1Char('\n'), 0, 0).contains(QStringLiteral("(transpose_shared)")));
}

void SteadyTest::thePicturesHaveTheWindowWhenAskedTo()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), kSmall));
    openAndSettle(window);
    const int width = window.warpPanel()->width();
    QTest::keyClick(&window, Qt::Key_F9);
    QTRY_VERIFY_WITH_TIMEOUT(window.warpPanel()->width() > 1.5 * width && !window.comparisonPanel()->isVisible(), kPatienceMs);
    keepPicture(window, QStringLiteral("only-pictures"));
    QTest::keyClick(&window, Qt::Key_F9);
    QTRY_VERIFY_WITH_TIMEOUT(window.comparisonPanel()->isVisible() && std::abs(window.warpPanel()->width() - width) < 8, kPatienceMs);
}

void SteadyTest::aLineOfTextLeavesSavingToTheMenu()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), kSmall));
    openAndSettle(window);
    for (QLineEdit* line : window.findChildren<QLineEdit*>()) {
        if (line->window() != &window)
            continue;
        QKeyEvent key(QEvent::ShortcutOverride, Qt::Key_E, Qt::ControlModifier);
        key.ignore();
        QCoreApplication::sendEvent(line, &key);
        QVERIFY2(!key.isAccepted(), qPrintable(line->objectName()));
    }
}

void SteadyTest::anotherLanguageKeepsWhatIsSaidOfTheMeasurement()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), kSmall));
    openAndSettle(window);
    window.experiment()->setValue("rows", "1400");
    const auto said = [&] {
        for (const QLabel* label : window.comparisonPanel()->findChildren<QLabel*>())
            if (label->text().startsWith(QStringLiteral("not measured")))
                return label->text();
        return QString();
    };
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && !said().isEmpty(), kPatienceMs);
    const QString before = said(), near = window.comparisonPanel()->nearText();
    QVERIFY2(near.contains(QStringLiteral("Rows")), qPrintable(near)); // as the field is called
    window.switchLanguage(QStringLiteral("zh_CN"));
    QTRY_VERIFY_WITH_TIMEOUT(said().isEmpty(), kPatienceMs);
    window.switchLanguage(QStringLiteral("en"));
    QTRY_COMPARE_WITH_TIMEOUT(said(), before, kPatienceMs);
    QCOMPARE(window.comparisonPanel()->nearText(), near);
}

APP_TEST(SteadyTest, QApplication)

#include "steady_test.moc"
