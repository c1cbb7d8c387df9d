// SPDX-License-Identifier: Apache-2.0
#include "ptx_text.h"

#include <random>

namespace coalescope::analysis {
namespace {

struct Refusal {
    const char* name;
    const char* body; ///< on line 6 of the text
    ErrorCode code;
    const char* where;
};

class PtxRefuses : public testing::TestWithParam<Refusal> { };

TEST_P(PtxRefuses, withThePlace)
{
    const Error error = refused(kernelWith(GetParam().body));
    EXPECT_EQ(error.code, GetParam().code) << error.detail;
    EXPECT_EQ(error.where, GetParam().where) << error.detail;
}

constexpr auto kBad = ErrorCode::BadInput;
constexpr auto kUnsupported = ErrorCode::UnsupportedInstruction;

INSTANTIATE_TEST_SUITE_P(, PtxRefuses,
    testing::Values(Refusal { "tensorCores", "wgmma.fence.sync.aligned;", kUnsupported, "ptx:6:1" },
        Refusal { "bulkReductions", "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1], [%r1], 16;", kUnsupported, "ptx:6:1" },
        Refusal { "bulkCopiesToOtherBlocks",
            "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r1], [%r2], 16, [%r3];", kUnsupported, "ptx:6:1" },
        Refusal { "textures", "tex.1d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [t, {%r1}];", kUnsupported,
            "ptx:6:1" },
        Refusal { "unknownSuffix", "fma.rn.oob.f16 %h1, %h2, %h3, %h4;", kUnsupported, "ptx:6:8" },
        Refusal {
            "distributedShared", "ld.shared::cluster.u32 %r1, [%r2];", kUnsupported, "ptx:6:4" },
        Refusal { "wideVector", "ld.global.v8.f32 {%f1}, [%rd1];", kUnsupported, "ptx:6:11" },
        Refusal { "vectorAtomic", "atom.global.v2.f32.add {%f1,%f2}, [%rd1], {%f1,%f2};",
            kUnsupported, "ptx:6:13" },
        Refusal { "moreThan16Bytes", "ld.global.v4.f64 {%fd1,%fd2,%fd3,%fd4}, [%rd1];",
            kUnsupported, "ptx:6:1" },
        Refusal { "sixBitFloats", "cvt.rn.satfinite.e2m3x2.f32 %h1, %f1, %f2;", kUnsupported,
            "ptx:6:18" },
        Refusal { "clusterRegister", "mov.u32 %r1, %cluster_ctaid.x;", kUnsupported, "ptx:6:14" },
        Refusal { "missingType", "add %r1, %r2, %r3;", kBad, "ptx:6:1" },
        Refusal { "undeclaredRegister", "add.s32 %r1, %q2, %r3;", kBad, "ptx:6:14" },
        Refusal { "registerBeyondItsRange", "add.s32 %r1, %r9, %r3;", kBad, "ptx:6:14" },
        Refusal { "wrongWidth", "add.s32 %r1, %rd2, %r3;", kBad, "ptx:6:14" },
        Refusal { "predicateAsNumber", "add.s32 %r1, %p2, %r3;", kBad, "ptx:6:14" },
        Refusal { "missingOperand", "add.s32 %r1, %r2;", kBad, "ptx:6:17" },
        Refusal { "extraOperand", "neg.s32 %r1, %r2, %r3;", kBad, "ptx:6:17" },
        Refusal { "integerForFloat", "add.f32 %f1, %f2, 1;", kBad, "ptx:6:19" },
        Refusal { "badNumber", "add.s32 %r1, %r2, 0xZZ;", kBad, "ptx:6:19" },
        Refusal { "undeclaredLabel", "bra NOWHERE;", kBad, "ptx:6:5" },
        Refusal { "labelTwice", "A: A: ret;", kBad, "ptx:6:4" },
        Refusal { "roundingMissing", "cvt.f32.s32 %f1, %r1;", kBad, "ptx:6:1" },
        Refusal { "integerRoundingMissing", "cvt.s32.f32 %r1, %f1;", kBad, "ptx:6:1" },
        Refusal { "storeToConstant", "st.const.u32 [%rd1], %r1;", kBad, "ptx:6:1" },
        Refusal { "floatAnd", "atom.global.and.f32 %f1, [%rd1], %f2;", kBad, "ptx:6:1" },
        Refusal { "directive", ".nonsense 1;", kBad, "ptx:6:1" },
        Refusal { "copySize", "cp.async.cg.shared.global [%rd1], [%rd2], 8;", kBad, "ptx:6:43" },
        Refusal { "lop3Table", "lop3.b32 %r1, %r2, %r3, %r4, 256;", kBad, "ptx:6:30" },
        Refusal { "garbage", "?;", kBad, "ptx:6:1" }),
    [](const auto& row) { return std::string(row.param.name); });

TEST(PtxDiagnostic, showsTheLineWithACaret)
{
    const Error error = refused(kernelWith("\tadd.s32 \t%r1, %q2, %r3;"));
    EXPECT_EQ(error.detail,
        "The name '%q2' is not declared.\n\tadd.s32 \t%r1, %q2, %r3;\n\t        \t     ^");
}

TEST(PtxDiagnostic, unclosedBracesCommentsAndStringsAreBadInput)
{
    EXPECT_EQ(refused(std::string(kHeader) + ".entry k() { ret;").code, kBad);
    EXPECT_EQ(refused(std::string(kHeader) + "/* ").code, kBad);
    EXPECT_EQ(refused(std::string(kHeader) + ".file 1 \"a").code, kBad);
    EXPECT_EQ(
        refused(std::string(kHeader) + ".address_size 32\n.entry k() { ret; }").code, kUnsupported);
}

TEST(PtxDiagnostic, undefinedExternIsNamed)
{
    const Error error = refused(
        kernelWith("ld.global.u32 %r1, [elsewhere];", ".extern .global .u32 elsewhere;\n"));
    EXPECT_EQ(error.code, kBad);
    EXPECT_EQ(error.where, "ptx:4:22");
}

TEST(PtxDiagnostic, doublingCallsStopAtALimit)
{
    std::string functions
        = ".func f0() { .reg .b32 %r; add.s32 %r, 1, 1; add.s32 %r, 1, 1; ret; }\n";
    for (int i = 1; i < 40; ++i) {
        const std::string call = "call f" + std::to_string(i - 1) + "; ";
        functions += ".func f" + std::to_string(i) + "() { " + call + call + "ret; }\n";
    }
    EXPECT_EQ(refused(kernelWith("call f39;", functions)).code, kUnsupported);
}

class PtxNeverCrashes : public testing::TestWithParam<const char*> { };

TEST_P(PtxNeverCrashes, onTextCutAnywhere)
{
    const std::string text = sample(GetParam());
    ASSERT_FALSE(text.empty());
    int good = 0;
    for (std::size_t length = 0; length < text.size(); length += 1)
        good += parsePtx(std::string_view(text).substr(0, length)).has_value();
    EXPECT_LT(good, static_cast<int>(text.size()));
}

TEST_P(PtxNeverCrashes, onTextWithPiecesRemovedSwappedOrRepeated)
{
    const std::string text = sample(GetParam());
    std::mt19937 random(1);
    const auto below = [&](std::size_t n) {
        return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
    };
    int refusals = 0;
    for (int round = 0; round < 2000; ++round) {
        std::string broken = text;
        for (std::size_t edits = 1 + below(3); edits > 0; --edits) {
            const std::size_t at = below(broken.size()), length = 1 + below(8),
                              other = below(text.size());
            const std::size_t kind = below(3);
            if (kind == 0)
                broken.erase(at, length);
            else if (kind == 1)
                broken.replace(at, length, text, other, length);
            else
                broken.insert(at, text, other, length);
        }
        refusals += !parsePtx(broken).has_value();
    }
    EXPECT_GT(refusals, 1000);
}

INSTANTIATE_TEST_SUITE_P(, PtxNeverCrashes, testing::Values("nvrtc.ptx", "clang.ptx"),
    [](const auto& row) { return std::string(row.param).substr(0, 5); });

} // namespace
} // namespace coalescope::analysis
