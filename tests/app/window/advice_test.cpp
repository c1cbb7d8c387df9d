// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/app_test.h"
#include "tests/app/window/window_fixture.h"

#include "analysis/result/pay.h"
#include "app/core/language.h"
#include "app/views/banks/banks_view.h"
#include "app/views/bars/bars_view.h"
#include "app/views/sectors/sectors_view.h"
#include "app/widgets/companion_card.h"
#include "app/widgets/pay_panel.h"
#include "app/widgets/try_view.h"
#include "app/widgets/warp_models.h"
#include "app/widgets/warp_panel.h"

#include <QClipboard>
#include <QFile>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QRegularExpression>

#include <algorithm>

/// What the window says about faults, what it offers against them, and what it shows beside them.
class AdviceTest : public QObject {
    Q_OBJECT
private slots:
    void init();
    void theBarrierThatRemovesTheRaceIsOffered();
    void whatRemovesABadAddressIsOfferedWhereNoOutputIsVerified();
    void aFaultThatNoValueRemovesNamesAnotherKernel();
    void aFasterKernelIsOfferedAndApplied();
    void ofABlockWithoutPresetsTwiceAsManyThreadsAreOffered();
    void presetsOfATemplateParameterAreTried();
    void tilesThatMoveOtherAmountsOfDataAreNotOffered();
    void paddingsThatTheFileOffersAreTried();
    void whatMakesNoDifferenceIsNotOffered();
    void whatWasNotTriedIsNamed();
    void whatTouchesMemoryIsShownFirst();
    void whatTakesTheTimeIsShownFirstAndAPartOfItByAClick();
    void noAdviceBreaksTheKernel();
    void luckIsCalledLuck();
    void hazardsAreToldInTheLanguageShown();
    void aHazardsFactsAreToldInEveryLanguage_data();
    void aHazardsFactsAreToldInEveryLanguage();
    void theOtherMemoryStaysOnTheWayThroughTheWarp();
    void theOtherMemoryIsShownBelow();
    void lanesOutsideOfEveryBufferAreToldAndNoneInTheModulesMemory();
    void atomicsOfTheWholeGridAreCounted();
    void theCompanionIsTheNearestOfTheOtherSpace();

private:
    /// The path of a kernel of one-dimensional blocks, 32 threads each, over a buffer `a`.
    QString written(const QByteArray& entry, int elements, const QByteArray& body);
    QPushButton* button(MainWindow& window, const QString& name);
    std::unique_ptr<QTemporaryDir> m_folder;
};

static const kernels::ParameterValues kRace { { "rows", "64" }, { "cols", "64" }, { "batch", "16" },
    { "second_barrier", "without" } };

void AdviceTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder->path());
}

QString AdviceTest::written(const QByteArray& entry, int elements, const QByteArray& body)
{
    const QByteArray count = QByteArray::number(elements);
    QFile file(m_folder->filePath(QString::fromLatin1(entry) + QStringLiteral(".cu")));
    if (!file.open(QIODevice::WriteOnly))
        return {};
    file.write("/* --- coalescope\nid = \"" + entry + "\"\ntitle = \"Own\"\nentry = \"" + entry
        + "\"\n[[parameters]]\nname = \"block\"\ndefault = 32\nmin = 32\nmax = 1024\n[launch]\ngrid = [\"" + count
        + " // block\"]\nblock = [\"block\"]\n[[arguments]]\nbuffer = \"a\"\ntype = \"f32\"\ncount = \"" + count + "\"\n--- */\n__global__ void "
        + entry + "(float* a) { " + body + " }\n");
    return file.fileName();
}

QPushButton* AdviceTest::button(MainWindow& window, const QString& name)
{
    const auto& buttons = window.experimentPanel()->tryView()->applyButtons();
    const auto found = std::ranges::find_if(buttons, [&](const QPushButton* each) { return each->accessibleName() == name; });
    return found == buttons.end() ? nullptr : *found;
}

void AdviceTest::theBarrierThatRemovesTheRaceIsOffered()
{
    MainWindow window(options(QStringLiteral("copy_transpose_batched"), kRace));
    openAndSettle(window);
    QPushButton* apply = button(window, QStringLiteral("Apply Second barrier without, as published → with"));
    QVERIFY(apply);
    QVERIFY2(apply->accessibleDescription().contains(QStringLiteral("removes the race in lines")), qPrintable(apply->accessibleDescription()));
    QTest::mouseClick(apply, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    QVERIFY(window.predictor()->current()->prediction.result.hazards.empty());
    QVERIFY(!button(window, QStringLiteral("Apply Second barrier with → without, as published")));
}

void AdviceTest::whatRemovesABadAddressIsOfferedWhereNoOutputIsVerified()
{
    const QString path = written("tile", 4096,
        "__shared__ float s[64]; int i = blockIdx.x * blockDim.x + threadIdx.x, k = threadIdx.x + 128 - 2 * blockDim.x; "
        "s[k] = a[i]; a[i] = s[k] + 1;");
    MainWindow window(options(path));
    openAndSettle(window);
    QVERIFY(isFaulty(window.predictor()->current()->prediction.result));
    QPushButton* apply = button(window, QStringLiteral("Apply block 32 → 64"));
    QVERIFY2(apply, qPrintable(window.experimentPanel()->tryView()->nothingText()));
    QVERIFY2(apply->accessibleDescription().startsWith(QStringLiteral("removes: Out of bounds, line ")),
        qPrintable(apply->accessibleDescription()));
    QVERIFY(apply->accessibleDescription().endsWith(QStringLiteral("Whether the output is right is not checked.")));
    QTest::keyClick(&window, Qt::Key_4, Qt::ControlModifier);
    const auto* verdict = window.payPanel()->findChild<QLabel*>(QStringLiteral("verdict"));
    QVERIFY2(verdict->text().startsWith(QStringLiteral("A is faulty (Out of bounds, line 18), B is not. ")), qPrintable(verdict->text()));
    QVERIFY2(verdict->text().endsWith(QStringLiteral("What is faulty is no variant to choose, however fast it is.")), qPrintable(verdict->text()));
    QVERIFY(!verdict->text().contains(QStringLiteral("It pays")));
    keepPicture(window, QStringLiteral("faulty"));
    QTest::mouseClick(apply, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && window.predictor()->current()->plan.block.x == 64, kPatienceMs);
    QVERIFY(!isFaulty(window.predictor()->current()->prediction.result));
    QVERIFY2(verdict->text().startsWith(QStringLiteral("B is faulty (Out of bounds, line 18), A is not. ")), qPrintable(verdict->text()));
    const auto* bars = window.findChild<BarsView*>();
    QVERIFY(bars);
    const auto isMarked = [](const BarRow& row) { return row.label.startsWith(QStringLiteral("✗ ")) && row.label.endsWith(QStringLiteral(" (faulty)")); };
    QVERIFY(std::ranges::any_of(bars->model().rows, isMarked));
    QVERIFY(!isMarked(bars->model().rows.front()));
}

void AdviceTest::aFaultThatNoValueRemovesNamesAnotherKernel()
{
    MainWindow window(options(QStringLiteral("transpose_flat_bound"), { { "rows", "100" }, { "cols", "103" } }));
    openAndSettle(window);
    QPushButton* apply = button(window, QStringLiteral("Apply Kernel transpose_shared_multi"));
    QVERIFY(apply);
    QVERIFY(apply->accessibleDescription().contains(QStringLiteral("the output is right")));
    QTest::mouseClick(apply, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    QCOMPARE(window.experiment()->state().spec->id, "transpose_shared_multi");
    QCOMPARE(window.experiment()->state().values.at("cols"), "103");
    QVERIFY(window.predictor()->current()->prediction.result.verified == true);
}

namespace {

Predicted verifiedInOneMicrosecond(const char* kernel)
{
    Predicted predicted;
    predicted.state.spec = catalogueSpec(kernel);
    predicted.state.values = defaultValues(*predicted.state.spec);
    predicted.prediction.result.verified = true;
    predicted.prediction.result.time.estimateNs = 1000;
    return predicted;
}

}

void AdviceTest::aFasterKernelIsOfferedAndApplied()
{
    const Predicted slow = verifiedInOneMicrosecond("transpose_naive");
    Predicted fast = slow;
    fast.prediction.result.time.estimateNs = 900;
    const auto other = [&](double ns) {
        Predicted after = slow;
        after.prediction.result.time.estimateNs = ns;
        const SpecPointer spec = catalogueSpec("transpose_shared_multi");
        return Alternative { defaultValues(*spec), spec, std::make_shared<const Predicted>(after), nullptr };
    };
    QCOMPARE(itemsToTry({ other(500) }, slow).size(), std::size_t(1));
    QCOMPARE(itemsToTry({ other(500) }, slow).front().spec->id, "transpose_shared_multi");
    QVERIFY(itemsToTry({ other(990) }, slow).empty()); // as "Does it pay?" says of it
    const Alternative own { { { "block_x", "8" } }, nullptr, std::make_shared<const Predicted>(fast), nullptr };
    QCOMPARE(itemsToTry({ own, other(500) }, slow).size(), std::size_t(2));
    QCOMPARE(itemsToTry({ own, other(500) }, slow).front().spec->id, "transpose_shared_multi"); // the best comes first
    QCOMPARE(itemsToTry({ own, other(920) }, slow).size(), std::size_t(1)); // the change gets further
}

void AdviceTest::ofABlockWithoutPresetsTwiceAsManyThreadsAreOffered()
{
    const QString path = written("twice", 4194304, "a[blockIdx.x * blockDim.x + threadIdx.x] *= 2;");
    MainWindow window(options(path));
    openAndSettle(window);
    QPushButton* apply = button(window, QStringLiteral("Apply block 32 → 64"));
    QVERIFY(apply);
    QTest::mouseClick(apply, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    QCOMPARE(window.experiment()->state().values.at("block"), "64");
    QVERIFY(!button(window, QStringLiteral("Apply block 64 → 32")));
}

void AdviceTest::presetsOfATemplateParameterAreTried()
{
    const QString path = m_folder->filePath(QStringLiteral("unroll.cu"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("/* --- coalescope\nid = \"unrolled\"\ntitle = \"Own\"\nentry = \"scale<{unroll}>\"\n"
               "[[parameters]]\nname = \"count\"\ndefault = 1048576\nmin = 1024\nmax = 4194304\npresets = [1048576, 2097152]\n"
               "[[parameters]]\nname = \"unroll\"\ndefault = 1\nmin = 1\nmax = 8\npresets = [1, 2, 4, 8]\n"
               "[launch]\ngrid = [\"cdiv(count, 256 * unroll)\"]\nblock = [256]\n"
               "[[arguments]]\nbuffer = \"a\"\ntype = \"f32\"\ncount = \"count\"\n"
               "[[arguments]]\nscalar = \"count\"\ntype = \"i32\"\n--- */\n"
               "template <int N> __global__ void scale(float* a, int count)\n{\n"
               "#pragma unroll\n    for (int k = 0; k < N; ++k) {\n"
               "        int i = (blockIdx.x * N + k) * 256 + threadIdx.x;\n        if (i < count) a[i] *= 2;\n    }\n}\n");
    file.close();
    MainWindow window(options(path));
    openAndSettle(window);
    std::vector<std::string> tried;
    for (const Alternative& alternative : window.predictor()->alternatives()) {
        QVERIFY(!alternative.change.contains("count")); // other work
        tried.push_back(alternative.change.at("unroll"));
    }
    QCOMPARE(tried, (std::vector<std::string> { "2", "4", "8" }));
    const auto items = itemsToTry(window.predictor()->alternatives(), *window.predictor()->current());
    QVERIFY(!items.empty());
    QVERIFY(items.front().change.contains("unroll"));
    QVERIFY2(items.front().gain.contains(QStringLiteral("not checked")), qPrintable(items.front().gain));
}

void AdviceTest::tilesThatMoveOtherAmountsOfDataAreNotOffered()
{
    const QString path = m_folder->filePath(QStringLiteral("tiles.cu"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("/* --- coalescope\nid = \"tiles\"\ntitle = \"Own\"\nentry = \"sum\"\n"
               "[[parameters]]\nname = \"tiles\"\ndefault = 4096\nmin = 16\nmax = 65536\n"
               "[[parameters]]\nname = \"block\"\ndefault = 64\nmin = 32\nmax = 1024\n"
               "[launch]\ngrid = [\"tiles * 1024 // block\"]\nblock = [\"block\"]\n"
               "[[arguments]]\nbuffer = \"a\"\ntype = \"f32\"\ncount = \"tiles * 1024\"\n"
               "[[arguments]]\nbuffer = \"sums\"\ntype = \"f32\"\ncount = \"tiles * 1024 // block\"\n--- */\n"
               "__global__ void sum(const float* a, float* sums)\n{\n"
               "    float own = a[blockIdx.x * blockDim.x + threadIdx.x];\n"
               "    if (threadIdx.x == 0) sums[blockIdx.x] = own;\n}\n");
    file.close();
    MainWindow window(options(path));
    openAndSettle(window);
    std::vector<std::string> tried;
    for (const Alternative& alternative : window.predictor()->alternatives()) {
        QVERIFY(!alternative.change.contains("tiles")); // other work
        tried.push_back(alternative.change.at("block"));
    }
    QCOMPARE(tried, (std::vector<std::string> { "32", "128" })); // leave other numbers of sums
}

void AdviceTest::paddingsThatTheFileOffersAreTried()
{
    const QString path = m_folder->filePath(QStringLiteral("padded.cu"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("/* --- coalescope\nid = \"padded\"\ntitle = \"Own\"\nentry = \"rows<{pad}>\"\n"
               "[[parameters]]\nname = \"pad\"\ndefault = 0\nmin = 0\nmax = 8\npresets = [0, 4, 8]\n"
               "[[legality]]\ncondition = \"pad % 4 == 0\"\nparameters = [\"pad\"]\nsentence = \"Rows begin at multiples of 16 bytes.\"\n"
               "[launch]\ngrid = [4096]\nblock = [32]\n"
               "[[arguments]]\nbuffer = \"a\"\ntype = \"f32\"\ncount = \"32\"\n--- */\n"
               "template <int Pad> __global__ void rows(float* a)\n{\n"
               "    __shared__ __align__(16) float s[32][32 + Pad];\n    float4* row = (float4*)s[threadIdx.x];\n"
               "    for (int k = 0; k < 8; ++k) row[k] = make_float4(k, k, k, k);\n    __syncthreads();\n"
               "    float4 sum = row[0];\n    for (int k = 1; k < 8; ++k) sum.x += row[k].y;\n    a[threadIdx.x] = sum.x;\n}\n");
    file.close();
    MainWindow window(options(path));
    openAndSettle(window);
    std::vector<std::string> tried;
    for (const Alternative& alternative : window.predictor()->alternatives())
        tried.push_back(alternative.change.at("pad"));
    QCOMPARE(tried, (std::vector<std::string> { "4", "8" }));
    QVERIFY(button(window, QStringLiteral("Apply pad 0 → 4")));
}

void AdviceTest::whatMakesNoDifferenceIsNotOffered()
{
    StartOptions start = options(QStringLiteral("transpose_shared"), { { "tile", "16" }, { "pad", "0" } });
    start.device = QStringLiteral("t4");
    MainWindow window(start); // padding removes conflicts that cost nothing: DRAM is the limiter
    openAndSettle(window);
    const auto& alternatives = window.predictor()->alternatives();
    const Predicted& current = *window.predictor()->current();
    QVERIFY(std::ranges::any_of(alternatives, [](const Alternative& each) { return each.change.contains("pad"); }));
    for (const TryItem& item : itemsToTry(alternatives, current)) {
        if (item.spec)
            continue;
        const auto& after = std::ranges::find(alternatives, item.change, &Alternative::change)->predicted;
        QVERIFY(analysis::payFinding(current.prediction.result, after->prediction.result).predicted == analysis::PayVerdict::Pays);
    }
    QVERIFY(!button(window, QStringLiteral("Apply Padding 0 → 1")));
}

void AdviceTest::whatWasNotTriedIsNamed()
{
    const Predicted current = verifiedInOneMicrosecond("transpose_shared");
    const Alternative same { { { "pad", "2" } }, nullptr, std::make_shared<const Predicted>(current), nullptr };
    TryView view;
    view.setAlternatives({ same }, current);
    QVERIFY(view.applyButtons().empty());
    QVERIFY2(view.nothingText().startsWith(QStringLiteral("No difference: ")), qPrintable(view.nothingText()));
    QVERIFY2(view.nothingText().endsWith(QStringLiteral("Not tried: Rows, Columns, Element type, Tile.")),
        qPrintable(view.nothingText()));
}

void AdviceTest::whatTouchesMemoryIsShownFirst()
{
    const QString path = written("border", 4096, "if (threadIdx.x >= 64 && blockIdx.x > 0) a[blockIdx.x * blockDim.x + threadIdx.x] = 2;");
    MainWindow window(options(path, { { "block", "128" } }));
    openAndSettle(window);
    QCOMPARE(window.experiment()->selection().block.x, 16u);
    QCOMPARE(window.experiment()->selection().warp, 2);
    QVERIFY(!window.warpPanel()->strip()->model().items.empty());
    // Who asks for a warp gets it.
    Selection chosen = window.experiment()->selection();
    chosen.warp = 0;
    window.experiment()->setSelection(chosen);
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    QCOMPARE(window.experiment()->selection().warp, 0);
    QVERIFY(window.warpPanel()->sentence().contains(QStringLiteral("touches no memory")));
}

void AdviceTest::whatTakesTheTimeIsShownFirstAndAPartOfItByAClick()
{
    const QString path = written("tally", 65536, "int i = blockIdx.x * blockDim.x + threadIdx.x; atomicAdd(&a[0], a[i * 8 % 65536]);");
    MainWindow window(options(path));
    openAndSettle(window);
    const auto& result = window.predictor()->current()->prediction.result;
    QCOMPARE(result.time.limiter, std::string("atomics"));
    const auto opShown = [&] {
        const Selection& selection = window.experiment()->selection();
        return window.predictor()->trace()->warps[std::size_t(selection.warp)][std::size_t(selection.step)].access.op;
    };
    QVERIFY2(opShown() != analysis::MemoryOp::Load, "the load wastes more, yet the atomics take the time");
    auto* terms = window.findChild<TermsView*>();
    const auto& rows = terms->model().rows;
    const auto row = std::ranges::find_if(rows, [](const TermRow& each) { return each.key == QLatin1String("lsu") || each.key == QLatin1String("l2"); });
    QVERIFY(row != rows.end());
    emit terms->termChosen(row->key);
    QCOMPARE(opShown(), analysis::MemoryOp::Load);
    const QString advice = window.experimentPanel()->tryView()->adviceText();
    QVERIFY2(advice.startsWith(QStringLiteral("In the code: atomics on line ")), qPrintable(advice));
}

void AdviceTest::noAdviceBreaksTheKernel()
{
    const Predicted good = verifiedInOneMicrosecond("copy_transpose_batched");
    Predicted racing = good;
    racing.prediction.result.time.estimateNs = 500;
    racing.prediction.result.hazards.push_back({ .kind = analysis::HazardKind::SharedRace, .line = 1, .otherLine = 2 });
    const Alternative faster { { { "second_barrier", "without" } }, nullptr, std::make_shared<const Predicted>(racing), nullptr };
    QVERIFY(itemsToTry({ faster }, good).empty());
}

void AdviceTest::luckIsCalledLuck()
{
    auto predicted = std::make_shared<analysis::RunResult>();
    predicted->verified = false;
    predicted->hazards.push_back({ .kind = analysis::HazardKind::SharedRace, .line = 4, .otherLine = 9, .detail = "d" });
    auto measured = std::make_shared<analysis::RunResult>();
    measured->verified = true;
    const QString said = findingsOf({ predicted, measured, MeasurementOrigin::Run }, false, LineLinks::No).join(u'\n');
    QVERIFY2(said.contains(QStringLiteral("wrong in the order that the warps were executed here; the race decides")), qPrintable(said));
    QVERIFY(said.contains(QStringLiteral("by luck")));
}

void AdviceTest::hazardsAreToldInTheLanguageShown()
{
    applyLanguage(QStringLiteral("zh_CN"));
    for (int kind = 0; kind <= int(analysis::HazardKind::NotModelled); ++kind) {
        const analysis::Hazard hazard { .kind = analysis::HazardKind(kind), .line = 4, .otherLine = 9, .detail = "English words", .count = 1234 };
        QVERIFY2(!sentenceOf(hazard).contains(QStringLiteral("English")), qPrintable(sentenceOf(hazard)));
        QVERIFY2(std::ranges::any_of(sentenceOf(hazard), [](QChar c) { return c.script() == QChar::Script_Han; }), qPrintable(sentenceOf(hazard)));
    }
    for (const char* detail : { "what 'scan<256>' leaves in 'pos' is not known ('blur' depends on data that nobody knows): what it leaves with guessed data, launched once, is taken",
             "what launches before leave in 'pos' is not known ('scan' takes, with those before it, more than 20000000 instructions): its fill is taken", "what 'scan' leaves in 'pos' follows from a guess about 'n'",
             "what launches before leave in 'counter' is not known ('push' has variables of the module of which nobody knows what they hold): what it starts with is taken",
             "thread (0, 0, 0) of block (1, 0, 0) reads 4 bytes at 0x20, reaching 4 bytes past the end of buffer `row` of 24 bytes; `row` was guessed, and may be why" }) {
        const QString said = sentenceOf({ .kind = analysis::HazardKind::NotModelled, .line = 4, .detail = detail });
        QVERIFY2(!said.contains(QRegularExpression(QStringLiteral("[a-z]+ [a-z]+"))), qPrintable(said));
        QVERIFY2(said.contains(QStringLiteral("pos")) || said.contains(QStringLiteral("row")) || said.contains(QStringLiteral("counter")), qPrintable(said));
    }
    applyLanguage(QStringLiteral("en"));
    QCOMPARE(sentenceOf({ .detail = "English words" }), QStringLiteral("English words"));
}

void AdviceTest::aHazardsFactsAreToldInEveryLanguage_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("wanted");
    const QByteArray tile = "__shared__ float s[32]; int i = blockIdx.x * blockDim.x + threadIdx.x; ";
    QTest::newRow("beyond the shared memory") << tile + "s[threadIdx.x + 30] = a[i]; a[i] = s[threadIdx.x];"
                                              << QStringLiteral("线程块 (0, 0, 0) 的线程 (2, 0, 0) 在共享内存的偏移 128 处写入 4 字节，而该内存只有 128 字节；"
                                                                "至少出现 ");
    QTest::newRow("waits apart") << "__shared__ unsigned long long bar; unsigned at = unsigned(__cvta_generic_to_shared(&bar)); "
                                    "if (threadIdx.x == 0) asm volatile(\"mbarrier.init.shared.b64 [%0], 1;\" ::\"r\"(at)); __syncthreads(); "
                                    "if (threadIdx.x == 0) asm volatile(\"{ .reg .pred p; .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; "
                                    "mbarrier.test_wait.shared.b64 p, [%0], s; }\" ::\"r\"(at)); " + tile + "a[i] = 1;"
                                 << QStringLiteral("线程块 (0, 0, 0) 的线程束 0 中部分线程在此单独等待 mbarrier");
    QTest::newRow("beyond a buffer") << QByteArray("a[blockIdx.x * blockDim.x + threadIdx.x + 1] = 1;")
                                     << QStringLiteral("写入 4 字节，超出缓冲区 `a`（16384 字节）末尾 4 字节");
    QTest::newRow("before a buffer") << QByteArray("a[int(blockIdx.x * blockDim.x + threadIdx.x) - 1] = 1;")
                                     << QStringLiteral("写入 4 字节，位于缓冲区 `a`（16384 字节）开头之前 4 字节");
    QTest::newRow("misaligned") << QByteArray("*(float2*)(a + 1 + 2 * (threadIdx.x / 2)) = float2();") << QStringLiteral("写入 8 字节，该地址不是 8 的整数倍");
    QTest::newRow("race") << tile + "s[threadIdx.x] = a[i]; if (threadIdx.x > 0) a[i] = s[threadIdx.x / 2 + 15];" << QStringLiteral("中间没有屏障");
    QTest::newRow("uninitialised") << tile + "if (threadIdx.x < 16) s[threadIdx.x] = 1; __syncthreads(); a[i] = s[threadIdx.x];"
                                   << QStringLiteral("读取从未写入的共享内存字节 64 至 67");
    QTest::newRow("a loop of atomics") << QByteArray("__shared__ unsigned long long m; if (threadIdx.x == 0) m = 0; __syncthreads(); "
                                                     "atomicMax(&m, (unsigned long long)threadIdx.x); __syncthreads(); a[blockIdx.x * blockDim.x + threadIdx.x] = float(m);")
                                       << QStringLiteral("不改变它的通道轮数更少");
}

void AdviceTest::aHazardsFactsAreToldInEveryLanguage()
{
    QFETCH(QByteArray, body);
    QFETCH(QString, wanted);
    MainWindow window(options(written("faulty", 4096, body)));
    openAndSettle(window);
    const std::vector<analysis::Hazard> hazards = window.predictor()->current()->prediction.result.hazards;
    QVERIFY(!hazards.empty());
    QVERIFY(sentenceOf(hazards.front()).startsWith(QString::fromStdString(hazards.front().detail)));
    applyLanguage(QStringLiteral("zh_CN"));
    QStringList said;
    for (const analysis::Hazard& hazard : hazards)
        said << sentenceOf(hazard);
    applyLanguage(QStringLiteral("en"));
    QVERIFY2(said.join(u'\n').contains(wanted), qPrintable(said.join(u'\n')));
}

void AdviceTest::lanesOutsideOfEveryBufferAreToldAndNoneInTheModulesMemory()
{
    MainWindow window(options(written("before", 4096, "static float table[4096]; const int i = blockIdx.x * 32 + threadIdx.x; table[i] = a[i - 1]; a[i] = table[i ^ 1];")));
    openAndSettle(window);
    const Predicted& predicted = *window.predictor()->current();
    const auto trace = kernels::traceBlock(predicted.prediction, { 0, 0, 0 });
    QVERIFY(trace);
    QStringList told;
    for (const analysis::TraceStep& step : trace->warps.front())
        told << outsideText(predicted, step.access);
    QCOMPARE(told, (QStringList { "1 lane reaches outside of every buffer: lane 0, 4 bytes before the start of a.", "", "", "" }));
}

void AdviceTest::atomicsOfTheWholeGridAreCounted()
{
    const QString path = written("bins", 4096,
        "__shared__ unsigned bins[32]; bins[threadIdx.x] = 0; __syncthreads(); atomicAdd(&bins[threadIdx.x / 4], 1u);\n"
        "    __syncthreads(); atomicAdd(&a[threadIdx.x], float(bins[threadIdx.x]));");
    MainWindow window(options(path));
    openAndSettle(window);
    const Predicted& predicted = *window.predictor()->current();
    const auto trace = kernels::traceBlock(predicted.prediction, { 0, 0, 0 });
    QVERIFY(trace);
    QStringList told;
    for (const analysis::TraceStep& step : trace->warps.front())
        if (step.kind == analysis::TraceKind::Access && step.access.op >= analysis::MemoryOp::Atomic)
            told << gridTotalsOf(predicted, step);
    // 128 blocks of a warp: lanes that count in the same bin do so together; 32 floats are 4 sectors.
    QCOMPARE(told, (QStringList { "whole grid: 128 wavefronts", "whole grid: 512 sectors" }));
}

void AdviceTest::theOtherMemoryStaysOnTheWayThroughTheWarp()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), kConflict));
    openAndSettle(window, { 1440, 900 });
    const CompanionCard* companion = window.warpPanel()->companion();
    QTRY_VERIFY_WITH_TIMEOUT(companion->isVisible(), kPatienceMs);
    const int steps = int(window.predictor()->trace()->warps.front().size());
    const int top = window.warpPanel()->strip()->mapTo(&window, QPoint()).y(), height = window.warpPanel()->strip()->height();
    for (int step = 0; step < steps; ++step) { // a barrier among them
        window.experiment()->setSelection({ .block = { 0, 0, 0 }, .warp = 0, .step = step });
        QTest::qWait(10);
        QVERIFY2(companion->isVisible(), qPrintable(QString::number(step)));
        QCOMPARE(window.warpPanel()->strip()->mapTo(&window, QPoint()).y(), top);
        QCOMPARE(window.warpPanel()->strip()->height(), height);
    }
}

void AdviceTest::theOtherMemoryIsShownBelow()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), kConflict));
    openAndSettle(window, { 1440, 900 });
    CompanionCard* companion = window.warpPanel()->companion();
    QTRY_VERIFY_WITH_TIMEOUT(companion->isVisible(), kPatienceMs);
    QVERIFY(companion->sectorView()->isVisible());
    QVERIFY(companion->sectorView()->model().report);
    const int chosen = window.experiment()->selection().step;
    // A lane pointed at in one picture shows in the other.
    const QPointF byte = companion->sectorView()->layoutOfLines().byteRect(0, 4 * 5 + 1).center();
    QTest::mouseMove(companion->sectorView()->viewport(), byte.toPoint());
    QTRY_VERIFY_WITH_TIMEOUT(companion->sectorView()->model().hoveredLane >= 0, kPatienceMs);
    QCOMPARE(window.warpPanel()->bankView()->model().hoveredLane, companion->sectorView()->model().hoveredLane);
    QTest::mouseClick(companion->findChild<QWidget*>(QStringLiteral("showCompanion")), Qt::LeftButton);
    QVERIFY(window.experiment()->selection().step != chosen);
    QVERIFY(window.warpPanel()->sectorView()->isVisible());
    keepPicture(window, QStringLiteral("companion"));
    window.resize(1280, 640);
    QTest::qWait(50);
    QVERIFY(window.warpPanel()->sectorView()->visibleRegion().boundingRect().height() > 40);
}

void AdviceTest::theCompanionIsTheNearestOfTheOtherSpace()
{
    const auto step = [](analysis::Space space, analysis::MemoryOp op) {
        analysis::TraceStep made;
        made.kind = analysis::TraceKind::Access;
        made.access.space = space;
        made.access.op = op;
        return made;
    };
    using enum analysis::MemoryOp;
    analysis::TraceStep barrier;
    barrier.kind = analysis::TraceKind::Barrier;
    const std::vector<analysis::TraceStep> steps { step(analysis::Space::Global, Load), step(analysis::Space::Shared, Store), barrier,
        step(analysis::Space::Shared, Load), step(analysis::Space::Global, Store) };
    QCOMPARE(companionOf(steps, 0), 1);
    QCOMPARE(companionOf(steps, 1), 0);
    QCOMPARE(companionOf(steps, 2), -1);
    QCOMPARE(companionOf(steps, 3), 4);
    QCOMPARE(companionOf({ steps[0], steps[4] }, 0), 1); // no shared memory: the other direction
    QCOMPARE(companionOf({ steps[0] }, 0), -1);
    QCOMPARE(companionOf({}, 0), -1);
}

APP_TEST(AdviceTest, QApplication)
#include "advice_test.moc"
