// SPDX-License-Identifier: Apache-2.0
#include "ptx_kernel.h"

#include "analysis/execute/half.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <functional>
#include <map>
#include <sstream>

namespace coalescope::analysis {
namespace {

using namespace testing_;

/// How a number is laid down as an element: `encode` gives its bits.
struct ElementCoding {
    int bytes;
    std::function<std::uint64_t(double)> encode;
    std::function<double(std::uint64_t)> decode;
};

const ElementCoding& codingOf(const std::string& type)
{
    static const std::map<std::string, ElementCoding> codings {
        { "f16", { 2, [](double v) { return word(Half(v)); }, [](std::uint64_t b) { return as<Half>(b).value(); } } },
        { "bf16", { 2, [](double v) { return word(BFloat(v)); }, [](std::uint64_t b) { return as<BFloat>(b).value(); } } },
        { "tf32", { 4, [](double v) { return word(float(v)); }, [](std::uint64_t b) { return double(as<float>(b)); } } },
        { "f32", { 4, [](double v) { return word(float(v)); }, [](std::uint64_t b) { return double(as<float>(b)); } } },
        { "f64", { 8, [](double v) { return word(v); }, [](std::uint64_t b) { return as<double>(b); } } },
        { "s32", { 4, [](double v) { return std::uint64_t(std::uint32_t(std::int32_t(v))); },
                     [](std::uint64_t b) { return double(std::int32_t(b)); } } },
        { "s8", { 1, [](double v) { return std::uint64_t(std::uint8_t(std::int8_t(v))); },
                    [](std::uint64_t b) { return double(std::int8_t(b)); } } },
        { "e4m3", { 1, [](double v) { return toSmall(v, kE4M3Format); }, [](std::uint64_t b) { return fromSmall(std::uint8_t(b), kE4M3Format); } } },
        { "e5m2", { 1, [](double v) { return toSmall(v, kE5M2Format); }, [](std::uint64_t b) { return fromSmall(std::uint8_t(b), kE5M2Format); } } },
        { "u8", { 1, [](double v) { return std::uint64_t(std::uint8_t(v)); }, [](std::uint64_t b) { return double(std::uint8_t(b)); } } },
    };
    return codings.at(type);
}

void put(std::vector<std::uint8_t>& memory, std::size_t at, std::uint64_t bits, int bytes)
{
    memory.resize(std::max(memory.size(), at + std::size_t(bytes)));
    std::memcpy(memory.data() + at, &bits, std::size_t(bytes));
}
std::uint64_t get(const std::vector<std::uint8_t>& memory, std::size_t at, int bytes)
{
    std::uint64_t bits = 0;
    std::memcpy(&bits, memory.data() + at, std::size_t(bytes));
    return bits;
}

/// One warp; `in` holds these bytes. What `out` holds afterwards.
std::vector<std::uint8_t> run(const std::string& body, std::vector<std::uint8_t> in, std::uint32_t n = 0)
{
    constexpr std::uint64_t kWords = 8192;
    Launch launch = launchOf({ 1, 1, 1 }, { 32, 1, 1 }, kWords, n);
    launch.buffers[0].fill = [in](std::uint64_t first, std::span<std::uint8_t> bytes) {
        for (std::size_t i = 0; i < bytes.size(); ++i)
            bytes[i] = first + i < in.size() ? in[first + i] : 0;
    };
    const auto words = outputOf(kernelOf(body), launch);
    std::vector<std::uint8_t> bytes(words.size() * 4);
    std::memcpy(bytes.data(), words.data(), bytes.size());
    return bytes;
}

/// `count` registers of one kind, declared as %NAME0, %NAME1, ...
std::string declared(const std::string& name, int count, int bytes)
{
    return fmt::format(".reg .b{} %{}<{}>;\n", 8 * bytes, name, count);
}
std::string list(const std::string& name, int count)
{
    std::vector<std::string> names;
    for (int i = 0; i < count; ++i)
        names.push_back(fmt::format("%{}{}", name, i));
    return fmt::format("{{{}}}", fmt::join(names, ", "));
}
/// Moves registers of each lane to or from [lane][register] at an offset of a buffer.
std::string moved(const std::string& op, const std::string& buffer, const std::string& name, int count, int bytes, int offset = 0)
{
    std::string text = fmt::format("mad.wide.u32 %rd9, %tid, {}, {};\n", count * bytes, buffer);
    for (int i = 0; i < count; ++i) {
        const std::string place = fmt::format("[%rd9+{}]", offset + i * bytes), reg = fmt::format("%{}{}", name, i);
        text += fmt::format("{}.global.b{} {}, {};\n", op, 8 * bytes, op == "ld" ? reg : place, op == "ld" ? place : reg);
    }
    return text;
}

struct RecordedFragment {
    std::string matrix, layout, shape, type;
    int stride = 0;
    std::vector<std::vector<std::uint64_t>> lanes; ///< of kLanes
};
constexpr std::array kLanes { 0, 1, 2, 4, 5, 31 };

std::vector<RecordedFragment> recordedFragments()
{
    std::vector<RecordedFragment> fragments;
    std::ifstream file(COALESCOPE_SOURCE_DIR "/tests/analysis/execute/h200_fragments.csv");
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with('#') || line.starts_with("matrix"))
            continue;
        std::istringstream cells(line);
        RecordedFragment one;
        std::string cell;
        for (std::string* text : { &one.matrix, &one.layout, &one.shape, &one.type, &cell })
            std::getline(cells, *text, ',');
        one.stride = std::stoi(cell);
        while (std::getline(cells, cell, ',')) {
            std::istringstream numbers(cell);
            one.lanes.emplace_back(std::istream_iterator<std::uint64_t>(numbers), std::istream_iterator<std::uint64_t>());
        }
        fragments.push_back(std::move(one));
    }
    return fragments;
}

TEST(Fragments, lanesHoldTheElementsThatAnH200GaveThem)
{
    const auto fragments = recordedFragments();
    ASSERT_EQ(fragments.size(), 41u);
    for (const RecordedFragment& f : fragments) {
        const int bytes = codingOf(f.type).bytes, wide = std::max(bytes, 4);
        const int registers = int(f.lanes[0].size()) * bytes / wide;
        std::vector<std::uint8_t> in;
        for (std::size_t i = 0; i < 512; ++i)
            put(in, i * std::size_t(bytes), i, bytes);
        for (const std::string space : { "", ".global", ".shared" }) {
            const std::string name = fmt::format("wmma.load.{}.sync.aligned.{}.{}{}.{}", f.matrix, f.layout, f.shape, space, f.type);
            std::string body = declared("x", registers, wide) + ".shared .align 128 .b8 s[4096];\n";
            if (space == ".shared")
                for (int i = 0; i < 4096; i += 512)
                    body += fmt::format("mad.wide.u32 %rd1, %tid, 16, %in;\nld.global.v4.u32 {{%r1, %r2, %r3, %r4}}, [%rd1+{}];\n"
                                        "mov.u32 %r5, s;\nmad.lo.u32 %r5, %tid, 16, %r5;\nst.shared.v4.u32 [%r5+{}], {{%r1, %r2, %r3, %r4}};\n",
                        i, i);
            body += "bar.warp.sync -1;\nmov.u32 %r6, s;\n";
            body += fmt::format("{} {}, [{}], {};\n", name, list("x", registers), space == ".shared" ? "%r6" : "%in", f.stride);
            const auto out = run(body + moved("st", "%out", "x", registers, wide), in);
            for (std::size_t l = 0; l < kLanes.size(); ++l)
                for (std::size_t e = 0; e < f.lanes[l].size(); ++e)
                    EXPECT_EQ(get(out, std::size_t(kLanes[l] * registers * wide) + e * std::size_t(bytes), bytes), f.lanes[l][e])
                        << name << " lane " << kLanes[l] << " element " << e;
        }
    }
}

/// a of m x k, b of k x n and c of m x n small numbers, by rows.
struct Matrices {
    int m, n, k;
    bool isUnsigned = false;

    [[nodiscard]] double a(int row, int column) const { return sign((row * 3 + column * 5) % 7) - (isUnsigned ? 0 : 3); }
    [[nodiscard]] double b(int row, int column) const { return sign((row * 2 + column * 7) % 5) - (isUnsigned ? 0 : 2); }
    [[nodiscard]] double c(int row, int column) const { return (row * n + column) % 11 - 5; }
    [[nodiscard]] double d(int row, int column) const
    {
        double sum = c(row, column);
        for (int i = 0; i < k; ++i)
            sum += a(row, i) * b(i, column);
        return sum;
    }

private:
    [[nodiscard]] static double sign(int value) { return double(value); }
};

struct WmmaCase {
    int m, n, k;
    std::string element, sum;
    int aRegisters, bRegisters, sumRegisters;
};

std::vector<WmmaCase> wmmaCases()
{
    std::vector<WmmaCase> cases { { 16, 16, 8, "tf32", "f32", 4, 4, 8 }, { 8, 8, 4, "f64", "f64", 1, 1, 2 } };
    for (const auto& [m, n] : { std::pair { 16, 16 }, { 32, 8 }, { 8, 32 } }) {
        cases.push_back({ m, n, 16, "f16", "f32", 8, 8, 8 });
        cases.push_back({ m, n, 16, "f16", "f16", 8, 8, 4 });
        cases.push_back({ m, n, 16, "bf16", "f32", m / 4, n / 4, 8 });
        cases.push_back({ m, n, 16, "s8", "s32", m / 8, n / 8, 8 });
        cases.push_back({ m, n, 16, "u8", "s32", m / 8, n / 8, 8 });
    }
    return cases;
}

TEST(Fragments, theirProductIsThatOfTheMatrices)
{
    for (const WmmaCase& c : wmmaCases()) {
        const Matrices matrices { c.m, c.n, c.k, c.element == "u8" };
        const ElementCoding &element = codingOf(c.element), &sum = codingOf(c.sum);
        const int wide = std::max(4, element.bytes), sumWide = std::max(4, sum.bytes);
        for (const std::string layouts : { "row row row", "row col col", "col row row", "col col col" }) {
            std::istringstream words(layouts);
            std::string aLayout, bLayout, cLayout;
            words >> aLayout >> bLayout >> cLayout;
            std::vector<std::uint8_t> in;
            const auto lay = [&](int offset, int rows, int columns, bool byRows, const ElementCoding& coding, auto value) {
                for (int r = 0; r < rows; ++r)
                    for (int col = 0; col < columns; ++col)
                        put(in, std::size_t(offset + (byRows ? r * columns + col : col * rows + r) * coding.bytes),
                            coding.encode(value(r, col)), coding.bytes);
            };
            lay(0, c.m, c.k, aLayout == "row", element, [&](int r, int col) { return matrices.a(r, col); });
            lay(4096, c.k, c.n, bLayout == "row", element, [&](int r, int col) { return matrices.b(r, col); });
            lay(8192, c.m, c.n, cLayout == "row", sum, [&](int r, int col) { return matrices.c(r, col); });
            const std::string shape = fmt::format("m{}n{}k{}", c.m, c.n, c.k);
            const auto load = [&](const std::string& matrix, const std::string& layout, const std::string& type, int count, int offset,
                                  int stride) {
                // The stride in a register, as of a matrix whose width is an argument.
                return fmt::format("mov.u32 %r9, {};\nadd.u32 %r9, %r9, %n;\nwmma.load.{}.sync.aligned.{}.{}.global.{} {}, [%in+{}], %r9;\n",
                    stride, matrix, layout, shape, type, list(matrix, count), offset);
            };
            std::string types = c.sum == "f16" || (c.element == "f16") ? fmt::format("{}.{}", c.sum, c.sum)
                                                                        : fmt::format("{0}.{1}.{1}.{0}", c.sum, c.element);
            const std::string body = declared("a", c.aRegisters, wide) + declared("b", c.bRegisters, wide)
                + declared("c", c.sumRegisters, sumWide) + load("a", aLayout, c.element, c.aRegisters, 0, aLayout == "row" ? c.k : c.m)
                + load("b", bLayout, c.element, c.bRegisters, 4096, bLayout == "row" ? c.n : c.k)
                + load("c", cLayout, c.sum, c.sumRegisters, 8192, cLayout == "row" ? c.n : c.m)
                + fmt::format("wmma.mma.sync.aligned.{}.{}.{}.{} {}, {}, {}, {};\n", aLayout, bLayout, shape, types,
                    list("c", c.sumRegisters), list("a", c.aRegisters), list("b", c.bRegisters), list("c", c.sumRegisters))
                + fmt::format("wmma.store.d.sync.aligned.{}.{}.global.{} [%out], {}, {};\n", cLayout, shape, c.sum,
                    list("c", c.sumRegisters), cLayout == "row" ? c.n : c.m);
            const auto out = run(body, in);
            for (int r = 0; r < c.m; ++r)
                for (int col = 0; col < c.n; ++col) {
                    const int place = cLayout == "row" ? r * c.n + col : col * c.m + r;
                    ASSERT_EQ(sum.decode(get(out, std::size_t(place * sum.bytes), sum.bytes)), matrices.d(r, col))
                        << shape << " " << types << " " << layouts << " at " << r << ", " << col;
                }
        }
    }
}

struct MmaCase {
    int m, n, k;
    std::string element, sum;
};

/// Where the elements of a, b, c and d lie, as the PTX ISA has it for mma: each lane 4 bytes of a row (or column, of b) at a time,
/// or 8; first the rows 8 further on, then the columns.
struct Place {
    int row, column;
};
Place placeInA(const MmaCase& c, int lane, int reg, int e, int perRegister)
{
    const int rows = c.m / 8;
    return { lane / 4 + 8 * (reg % rows), (reg / rows) * 4 * perRegister + lane % 4 * perRegister + e };
}
Place placeInB(int lane, int reg, int e, int perRegister)
{
    return { reg * 4 * perRegister + lane % 4 * perRegister + e, lane / 4 };
}
Place placeInD(int lane, int element) { return { lane / 4 + 8 * (element / 2), lane % 4 * 2 + element % 2 }; }

TEST(Mma, isTheProductOfTheMatricesThatTheLanesHold)
{
    const std::vector<MmaCase> cases { { 16, 8, 16, "f16", "f32" }, { 16, 8, 8, "f16", "f32" }, { 16, 8, 16, "f16", "f16" },
        { 16, 8, 8, "f16", "f16" }, { 16, 8, 16, "bf16", "f32" }, { 16, 8, 8, "bf16", "f32" }, { 16, 8, 8, "tf32", "f32" },
        { 16, 8, 4, "tf32", "f32" }, { 8, 8, 4, "f64", "f64" }, { 16, 8, 4, "f64", "f64" }, { 16, 8, 8, "f64", "f64" },
        { 16, 8, 16, "f64", "f64" }, { 16, 8, 32, "s8", "s32" }, { 16, 8, 16, "u8", "s32" }, { 8, 8, 16, "s8", "s32" },
        { 16, 8, 32, "e4m3", "f32" }, { 16, 8, 32, "e5m2", "f32" }, { 16, 8, 16, "e4m3", "f32" } };
    for (const MmaCase& c : cases) {
        const Matrices matrices { c.m, c.n, c.k, c.element == "u8" };
        const ElementCoding &element = codingOf(c.element), &sum = codingOf(c.sum);
        const int wide = std::max(4, element.bytes), perRegister = wide / element.bytes;
        const int aCount = c.m * c.k / 32 / perRegister, bCount = c.n * c.k / 32 / perRegister;
        const int sums = c.m * c.n / 32, sumWide = std::max(4, sum.bytes), sumCount = sums * sum.bytes / sumWide;
        std::vector<std::uint8_t> in;
        for (int lane = 0; lane < 32; ++lane) {
            for (int e = 0; e < aCount * perRegister; ++e) {
                const Place at = placeInA(c, lane, e / perRegister, e % perRegister, perRegister);
                put(in, std::size_t(lane * aCount * wide + e * element.bytes), element.encode(matrices.a(at.row, at.column)), element.bytes);
            }
            for (int e = 0; e < bCount * perRegister; ++e) {
                const Place at = placeInB(lane, e / perRegister, e % perRegister, perRegister);
                put(in, std::size_t(4096 + lane * bCount * wide + e * element.bytes), element.encode(matrices.b(at.row, at.column)),
                    element.bytes);
            }
            for (int e = 0; e < sums; ++e)
                put(in, std::size_t(8192 + lane * sumCount * sumWide + e * sum.bytes),
                    sum.encode(matrices.c(placeInD(lane, e).row, placeInD(lane, e).column)), sum.bytes);
        }
        // The result once in registers of its own and once where c, or a and b, lie.
        for (const std::string result : { "d", "c", "a" }) {
            if (result == "a" && (wide != sumWide || aCount < sumCount))
                continue;
            const std::string body = declared("a", aCount, wide) + declared("b", bCount, wide) + declared("c", sumCount, sumWide)
                + declared("d", sumCount, sumWide) + moved("ld", "%in", "a", aCount, wide) + moved("ld", "%in", "b", bCount, wide, 4096)
                + moved("ld", "%in", "c", sumCount, sumWide, 8192)
                + fmt::format("mma.sync.aligned.m{}n{}k{}.row.col.{}.{}.{}.{} {}, {}, {}, {};\n", c.m, c.n, c.k, c.sum, c.element,
                    c.element, c.sum, list(result, sumCount), list("a", aCount), list("b", bCount), list("c", sumCount))
                + moved("st", "%out", result, sumCount, sumWide);
            const auto out = run(body, in);
            for (int lane = 0; lane < 32; ++lane)
                for (int e = 0; e < sums; ++e)
                    ASSERT_EQ(sum.decode(get(out, std::size_t(lane * sumCount * sumWide + e * sum.bytes), sum.bytes)),
                        matrices.d(placeInD(lane, e).row, placeInD(lane, e).column))
                        << c.m << " " << c.k << " " << c.element << " " << c.sum << " into " << result << " lane " << lane << " " << e;
        }
    }
}

TEST(Mma, aSumOfIntegersSaturatesWhereItIsAskedTo)
{
    for (const auto& [name, expected] : { std::pair { "", std::int32_t(0x80000000 + 15) }, { ".satfinite", 0x7fffffff } }) {
        const std::string body = "mov.u32 %r0, 0x01010101;\nmov.u32 %r1, 0x7fffffff;\n"
            + fmt::format("mma.sync.aligned.m8n8k16.row.col{}.s32.s8.s8.s32 {{%r2, %r3}}, {{%r0}}, {{%r0}}, {{%r1, %r1}};\n", name)
            + "mov.u32 %r0, %r3;\n" + kStoreR0;
        EXPECT_EQ(std::int32_t(get(run(body, {}), 0, 4)), expected) << name;
    }
}

TEST(MoveMatrix, lanesGetTheColumnsOfAMatrixOfHalves)
{
    // Element (r, c) is 100 r + c; lane l holds row l / 4, columns 2 (l % 4) and the next.
    const std::string body = "shr.u32 %r1, %tid, 2;\nand.b32 %r2, %tid, 3;\nmul.lo.u32 %r3, %r1, 100;\nmad.lo.u32 %r3, %r2, 2, %r3;\n"
                             "add.u32 %r4, %r3, 1;\nshl.b32 %r4, %r4, 16;\nor.b32 %r3, %r3, %r4;\n"
                             "movmatrix.sync.aligned.m8n8.trans.b16 %r0, %r3;\n";
    const auto out = run(body + kStoreR0, {});
    for (std::size_t lane = 0; lane < 32; ++lane)
        for (std::size_t e = 0; e < 2; ++e)
            EXPECT_EQ(get(out, lane * 4 + e * 2, 2), (lane % 4 * 2 + e) * 100 + lane / 4) << lane;
}

/// Memory instructions of a program, each once with how often it stands there.
std::string accessesOf(const std::string& instruction, const std::string& declarations)
{
    const Program program = kernelOf(declarations + instruction);
    std::map<std::string, int> counts;
    for (std::size_t i = 0; i < program.instructions.size(); ++i) {
        const Instruction& ins = program.instructions[i];
        if ((ins.op == Opcode::Ld && ins.mod.space != Space::Param) || ins.op == Opcode::St || ins.op == Opcode::LdMatrix)
            ++counts[program.mnemonic(std::uint32_t(i))];
    }
    std::string text;
    for (const auto& [name, count] : counts)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name);
    return text;
}

TEST(Fragments, areAccessedAsTheMachineCodeDoes)
{
    // cuobjdump -sass of CUDA 13.0 for compute capability 9.0: LDSM.16.M88.4, LDSM.16.MT88.4, LDG.E, LDG.E.64, LDS.U8, ...
    const auto load = [](const std::string& name, int count, int bytes = 4) {
        const bool shared = name.find(".shared") != std::string::npos;
        return accessesOf(fmt::format("wmma.load.{} {}, [{}], 64;", name, list("x", count), shared ? "%r1" : "%in"), declared("x", count, bytes));
    };
    EXPECT_EQ(load("a.sync.aligned.row.m16n16k16.shared.f16", 8), "1 ldmatrix.x4.shared.b16");
    EXPECT_EQ(load("a.sync.aligned.col.m16n16k16.shared.f16", 8), "1 ldmatrix.x4.trans.shared.b16");
    EXPECT_EQ(load("a.sync.aligned.row.m32n8k16.shared.f16", 8), "2 ldmatrix.x4.shared.b16");
    EXPECT_EQ(load("b.sync.aligned.row.m32n8k16.shared.f16", 8), "1 ldmatrix.x2.trans.shared.b16");
    EXPECT_EQ(load("a.sync.aligned.row.m16n16k16.shared.s8", 2), "1 ldmatrix.x2.shared.b16");
    EXPECT_EQ(load("a.sync.aligned.col.m16n16k16.shared.s8", 2), "8 ld.shared.u8");
    EXPECT_EQ(load("b.sync.aligned.row.m16n16k16.global.s8", 2), "8 ld.global.u8");
    EXPECT_EQ(load("a.sync.aligned.row.m16n16k16.global.f16", 8), "4 ld.global.b32");
    EXPECT_EQ(load("a.sync.aligned.col.m16n16k16.global.f16", 8), "4 ld.global.b32");
    EXPECT_EQ(load("b.sync.aligned.row.m16n16k16.bf16", 4), "4 ld.b32");
    EXPECT_EQ(load("a.sync.aligned.col.m16n16k8.tf32", 4), "4 ld.b32");
    EXPECT_EQ(load("c.sync.aligned.row.m16n16k16.global.f32", 8), "4 ld.global.v2.b32");
    EXPECT_EQ(load("c.sync.aligned.col.m16n16k16.shared.f32", 8), "8 ld.shared.b32");
    EXPECT_EQ(load("c.sync.aligned.row.m8n32k16.global.f32", 8), "8 ld.global.b32");
    EXPECT_EQ(load("c.sync.aligned.row.m16n16k16.shared.f16", 4), "4 ld.shared.b32");
    EXPECT_EQ(load("c.sync.aligned.row.m8n8k4.f64", 2, 8), "1 ld.v2.f64");
    EXPECT_EQ(accessesOf("wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%out], " + list("x", 8) + ", 64;", declared("x", 8, 4)),
        "4 st.global.v2.b32");
    EXPECT_EQ(accessesOf("wmma.store.d.sync.aligned.col.m16n16k16.shared.f16 [%r1], " + list("x", 4) + ", 64;", declared("x", 4, 4)),
        "4 st.shared.b32");
}

} // namespace
} // namespace coalescope::analysis
