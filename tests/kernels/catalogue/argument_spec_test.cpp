// SPDX-License-Identifier: Apache-2.0
#include "kernels/catalogue/argument_parts.h"
#include "kernels/catalogue/element_type.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>

#include <unistd.h>

using namespace coalescope;
using namespace coalescope::kernels;

namespace {

BufferPlan buffer(const char* spec)
{
    const auto argument = parseArgument(spec, "arg0");
    EXPECT_TRUE(argument) << spec << ": " << argument.error().detail;
    return argument ? std::get<BufferPlan>(*argument) : BufferPlan {};
}

std::uint64_t scalar(const char* spec)
{
    const auto argument = parseArgument(spec, "arg0");
    EXPECT_TRUE(argument) << spec << ": " << argument.error().detail;
    return argument ? std::get<ScalarPlan>(*argument).bits : 0;
}

TEST(ArgumentSpec, buffersHaveATypeACountAndAFill)
{
    EXPECT_EQ(buffer("f32[1024]").count, 1024u);
    EXPECT_EQ(buffer("f32[4096*4096]").count, 1u << 24);
    EXPECT_EQ(buffer("bf16[8]").type, ElementType::BF16);
    EXPECT_EQ(buffer("i64[8]").fill.kind, FillKind::Zero);
    EXPECT_EQ(buffer("u8[8]=iota").fill.kind, FillKind::Iota);
    EXPECT_EQ(buffer("f32[8]=random:42").fill.seed, 42u);
    EXPECT_FALSE(buffer("f32[8]=random:42").fill.hasBounds);
    const Fill random = buffer("i32[8]=random:3:-5:1e3").fill, iota = buffer("f32[8]=iota:-1.5:0.25").fill;
    EXPECT_TRUE(random.hasBounds && random.seed == 3 && random.low == -5 && random.high == 1000);
    EXPECT_TRUE(iota.kind == FillKind::Iota && iota.start == -1.5 && iota.step == 0.25);
    EXPECT_EQ(buffer("f32[8]=file:/tmp/a=b[1].bin").fill.file, "/tmp/a=b[1].bin");
}

TEST(ArgumentSpec, scalarsAreLittleEndianBits)
{
    EXPECT_EQ(scalar("i32:1024"), 1024u);
    EXPECT_EQ(scalar("i32:-1"), 0xffffffffu);
    EXPECT_EQ(scalar("i8:-128"), 0x80u);
    EXPECT_EQ(scalar("u64:18446744073709551615"), ~0ull);
    EXPECT_EQ(scalar("i64:-9223372036854775808"), 1ull << 63);
    EXPECT_EQ(scalar("u32:0xff"), 255u);
    EXPECT_EQ(scalar("f32:0.5"), 0x3f000000u);
    EXPECT_EQ(scalar("i32:2048*2048"), 1u << 22);
    EXPECT_EQ(scalar("i32:-2*3"), 0xfffffffau);
    EXPECT_EQ(scalar("f32:2*0.25"), 0x3f000000u);
    EXPECT_EQ(buffer("i32[8]=random:1:0:16*4").fill.high, 64);
    EXPECT_EQ(scalar("f64:-2"), 0xc000000000000000ull);
    EXPECT_EQ(scalar("f16:1"), 0x3c00u);
    EXPECT_EQ(scalar("bf16:-1"), 0xbf80u);
}

TEST(ArgumentSpec, halvesAreRoundedToNearestEven)
{
    EXPECT_EQ(floatBits(ElementType::F16, 65504), 0x7bffu);
    EXPECT_EQ(floatBits(ElementType::F16, 65519.9), 0x7bffu);
    EXPECT_EQ(floatBits(ElementType::F16, 65520), 0x7c00u); // infinite
    EXPECT_EQ(floatBits(ElementType::F16, 2049), 0x6800u); // a tie: 2048, the even one
    EXPECT_EQ(floatBits(ElementType::F16, 2051), 0x6802u); // a tie: 2052
    EXPECT_EQ(floatBits(ElementType::F16, std::ldexp(1, -24)), 1u); // the smallest subnormal
    EXPECT_EQ(floatBits(ElementType::F16, std::ldexp(1, -25)), 0u); // a tie: zero
    EXPECT_EQ(floatBits(ElementType::F16, std::ldexp(1023.75, -24)), 0x0400u); // rounds up into the normal ones
    EXPECT_EQ(floatBits(ElementType::F16, -0.0), 0x8000u);
    EXPECT_EQ(floatBits(ElementType::BF16, 257), 0x4380u); // a tie: 256
    EXPECT_EQ(floatBits(ElementType::BF16, NAN) & 0x7fc0, 0x7fc0u);
    EXPECT_EQ(floatBits(ElementType::F16, -INFINITY), 0xfc00u);
}

std::vector<std::uint64_t> offsets(const char* spec)
{
    const auto argument = parseArgument(spec, "arg1");
    EXPECT_TRUE(argument) << spec << ": " << argument.error().detail;
    std::vector<std::uint64_t> all;
    if (argument) {
        for (const ArgumentPart& part : partsOf(*argument))
            all.push_back(part.offset);
        all.push_back(bytesOf(*argument));
    }
    return all;
}

TEST(ArgumentSpec, structuresAreLaidOutAsCDoes)
{
    struct Inner { char a; double b; };
    struct Outer { char a; short b; char c; float* d; int e; Inner f; char g; };
    EXPECT_EQ(offsets("{i8:1,i16:2,i8:3,f32[64]=iota,i32:5,{i8:6,f64:7},i8:8}"),
        (std::vector<std::uint64_t> { offsetof(Outer, a), offsetof(Outer, b), offsetof(Outer, c), offsetof(Outer, d), offsetof(Outer, e),
            offsetof(Outer, f), offsetof(Outer, f) + offsetof(Inner, b), offsetof(Outer, g), sizeof(Outer) }));
    EXPECT_EQ(offsets("{i8:1,i8:2,i8:3}"), (std::vector<std::uint64_t> { 0, 1, 2, 3 }));
    EXPECT_EQ(offsets("f32[7]"), (std::vector<std::uint64_t> { 0, 8 }));
    EXPECT_EQ(offsets("i16:7"), (std::vector<std::uint64_t> { 0, 2 }));
    const auto argument = parseArgument("{i32:1,f32[64]=random:3}", "arg1");
    const BufferPlan& member = *partsOf(*argument).at(1).buffer;
    EXPECT_EQ(member.name, "arg1.2");
    EXPECT_EQ(member.count, 64u);
    EXPECT_EQ(member.fill.seed, 3u);
}

TEST(ArgumentSpec, whatCannotBeReadIsWrongUsage)
{
    for (const char* spec : { "", "f32", "f31[4]", "f32[", "f32[]", "f32[x]", "f32[-1]", "f32[4*]", "f32[4]x",
             "f32[4]=", "f32[4]=ones", "f32[4]=random:x", "f32[4]=file:", "i32[4]=random:1:2", "i32[4]=random:1:2:2", "i32[4]=random:1:0:2.5",
             "u32[4]=random:1:-1:2", "i8[4]=random:1:0:129", "f32[4]=random:1:0:inf", "f32[4]=random:1:x:2", "i64[4]=random:1:0:1e17",
             "i32[4]=random:1:0:2:3", "i32[4]=iota:1", "i32[4]=iota:0.5:1", "i32[4]=iota:0:0.5", "i32[4]=zero:1", "f32[99999999999999999999]",
             "f32[4294967296*4294967296]", "i32:", "i32:1.5", "i32:2147483648", "u32:-1", "i8:200", "f32:abc", "f32:1x",
             "[4]", "i32=4", "{", "{}", "{i32:1", "{i32:1}x", "{i32:1,,i32:2}", "i32:65536*65536", "u64:4294967296*4294967296", "i32:2*", "f32:2*", "{i32:1,f99:2}", "{{i32:1}", "{{}}" }) {
        const auto argument = parseArgument(spec, "arg0");
        ASSERT_FALSE(argument) << spec;
        EXPECT_EQ(argument.error().code, ErrorCode::WrongUsage);
        EXPECT_EQ(argument.error().where, spec);
    }
}

class SourceFile : public testing::Test {
protected:
    SourceFile()
    {
        std::filesystem::create_directories(m_folder);
        std::ofstream(m_folder / "user.cu") << "__global__ void k(float* p) { p[0] = 1; }\n";
    }
    ~SourceFile() override { std::filesystem::remove_all(m_folder); }

    const std::filesystem::path m_folder
        = std::filesystem::path(testing::TempDir()) / ("coalescope_source_" + std::to_string(::getpid()));
};

TEST_F(SourceFile, becomesAPlan)
{
    const auto plan = planLaunch(SourceRequest { .file = m_folder / "user.cu", .entry = "k", .grid = { 4, 2, 1 },
        .block = { 32, 1, 1 }, .dynamicSharedBytes = 64, .arguments = { "f32[64]=iota" }, .defines = { { "N", "3" } } });
    ASSERT_TRUE(plan) << plan.error().detail;
    EXPECT_EQ(plan->sourceName, "user.cu");
    EXPECT_EQ(plan->kernel, (m_folder / "user.cu").string() + ":k");
    EXPECT_EQ(plan->includeDirectory, m_folder);
    EXPECT_EQ(plan->argumentSpecs, std::vector<std::string> { "f32[64]=iota" });
    EXPECT_EQ(plan->parameters, (ParameterValues { { "N", "3" } }));
    EXPECT_EQ(plan->dynamicSharedBytes, 64u);
    EXPECT_FALSE(plan->reference);
}

TEST_F(SourceFile, errorsNameTheArgumentOrTheFile)
{
    SourceRequest request { .file = m_folder / "user.cu", .entry = "k", .arguments = { "f32[4]", "f99[4]" } };
    EXPECT_EQ(planLaunch(request).error().where, "--arg f99[4]");
    request.file = m_folder / "none.cu";
    EXPECT_EQ(planLaunch(request).error().code, ErrorCode::FileFailed);
    request.file = "/dev/zero";
    EXPECT_EQ(planLaunch(request).error().code, ErrorCode::FileFailed);
    request.file = m_folder;
    EXPECT_EQ(planLaunch(request).error().code, ErrorCode::FileFailed);
    request = { .file = m_folder / "user.cu", .entry = "k", .block = { 0, 1, 1 } };
    EXPECT_EQ(planLaunch(request).error().where, "--block");
}

} // namespace
