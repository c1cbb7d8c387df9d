// SPDX-License-Identifier: Apache-2.0
// CUDA's functions, where a toolkit brings them and where device_math.cuh does: values as the host's library has them.
#include "analysis/grid/grid_totals.h"
#include "analysis/ptx/parse.h"
#include "kernels/compile/clang.h"
#include "kernels/compile/compiler.h"
#include "kernels/compile/nvrtc.h"

#include "plan_of.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

using namespace coalescope;
using namespace coalescope::kernels;

namespace {

struct Row {
    const char* expression; ///< of x = 0.6 and y = -1.75
    double value;
};
constexpr double x = 0.6, y = -1.75;
const Row kRows[] = {
    { "sqrtf(x)", std::sqrt(x) }, { "rsqrt(x)", 1 / std::sqrt(x) }, { "cbrtf(y)", std::cbrt(y) }, { "hypotf(x, y)", std::hypot(x, y) },
    { "expf(y)", std::exp(y) }, { "exp10f(x)", std::pow(10, x) }, { "expm1f(x)", std::expm1(x) }, { "exp(double(y))", std::exp(y) },
    { "logf(x)", std::log(x) }, { "log10f(x)", std::log10(x) }, { "log1pf(x)", std::log1p(x) }, { "__logf(x)", std::log(x) },
    { "powf(x, y)", std::pow(x, y) }, { "pow(x, y)", std::pow(x, y) }, { "ldexpf(y, 3)", y * 8 },
    { "sinf(y)", std::sin(y) }, { "cosf(y)", std::cos(y) }, { "tanf(y)", std::tan(y) }, { "sinpif(x)", std::sin(M_PI * x) },
    { "cospif(x)", std::cos(M_PI * x) }, { "__tanf(x)", std::tan(x) }, { "asinf(x)", std::asin(x) }, { "acosf(x)", std::acos(x) },
    { "acosf(-x)", std::acos(-x) }, { "atanf(y)", std::atan(y) }, { "atan2f(x, y)", std::atan2(x, y) },
    { "atan2f(y, -x)", std::atan2(y, -x) }, { "atan2(y, 0.0f)", std::atan2(y, 0.0) },
    { "sinhf(y)", std::sinh(y) }, { "coshf(y)", std::cosh(y) }, { "tanhf(y)", std::tanh(y) }, { "asinhf(y)", std::asinh(y) },
    { "acoshf(2 * x)", std::acosh(2 * x) }, { "atanhf(x)", std::atanh(x) },
    { "erff(y)", std::erf(y) }, { "erfcf(x)", std::erfc(x) }, { "erf(double(x))", std::erf(x) },
    { "normcdff(y)", 0.5 * std::erfc(-y / std::sqrt(2)) },
    { "fmodf(y, x)", std::fmod(y, x) }, { "fmod(double(y), double(x))", std::fmod(y, x) }, { "remainderf(y, x)", std::remainder(y, x) },
    { "roundf(2 * y)", -4 }, { "rintf(2 * y)", -4 }, { "nearbyintf(x)", 1 }, { "truncf(y)", -1 }, { "lroundf(y)", -2 },
    { "copysignf(x, y)", -x }, { "fdimf(x, y)", x - y }, { "fabsf(y)", -y }, { "isnan(y)", 0 }, { "isfinite(x / (y - y))", 0 },
    { "isinf(x / (y - y))", 1 }, { "signbit(y)", 1 }, { "__fmul_rn(x, y)", x * y }, { "__fadd_rn(x, y)", x + y },
    { "__fmaf_rn(x, y, 1)", x * y + 1 }, { "__fdiv_rn(x, y)", x / y }, { "__frsqrt_rn(x)", 1 / std::sqrt(x) },
    { "__float2int_rn(y)", -2 }, { "__float2int_rz(y)", -1 }, { "__float2int_rd(y)", -2 }, { "__float2int_ru(y)", -1 },
    { "__float2uint_rz(10 * x)", 6 }, { "__double2int_rn(double(y))", -2 }, { "__int2float_rn(-3)", -3 },
    { "__umul64hi(1ull << 63, 6ull)", 3 }, { "__mul64hi(-1ll << 62, 8ll)", -2 }, { "__sad(-3, 4, 5u)", 12 },
    { "__dp4a(0x01ff02fe, 0x03040506, 7)", 3 - 4 + 10 - 12 + 7 }, { "__dp4a(0xff000001u, 0x02000003u, 4u)", 517 },
    { "pow(2, int(10 * x))", 64 }, { "sqrt(int(10 * x))", std::sqrt(6) }, { "std::exp(int(y))", std::exp(-1) }, { "floor(7 / 2)", 3 },
    { "fmod(7, 4u)", 3 }, { "fmax(3, x)", 3 }, { "std::pow(x, double(y))", std::pow(x, y) }, { "hypot((unsigned char)3, 4)", 5 },
    { "__dp2a_lo(0x0003fffe, 0x0102ff05, 1)", -10 - 3 + 1 }, { "__dp2a_hi(0x0003fffeu, 0x0102ff05u, 1u)", 65534 * 2 + 3 + 1 },
};

class DeviceMath : public testing::TestWithParam<CompilerKind> { };

TEST_P(DeviceMath, equalsTheHostsToFiveDigits)
{
    if (GetParam() == CompilerKind::Nvrtc ? !Nvrtc::instance() : !Clang::find())
        GTEST_SKIP() << "this compiler is not installed here";
    std::string source = "__global__ void functions(float* out, float x, float y) {\n";
    for (std::size_t i = 0; i < std::size(kRows); ++i)
        source += "out[" + std::to_string(i) + "] = " + kRows[i].expression + ";\n";
    source += "float s, c;\nsincosf(x, &s, &c);\nout[" + std::to_string(std::size(kRows)) + "] = s / c;\n}\n";
    const auto compiled = compileToPtx(planOf(source, "functions"), { .compiler = GetParam() });
    ASSERT_TRUE(compiled) << compiled.error().detail;
    const auto program = analysis::parsePtx(compiled->ptx, compiled->entry);
    ASSERT_TRUE(program) << program.error().detail;
    constexpr std::uint64_t kAddress = 0x10000;
    analysis::Launch launch { .grid = {}, .block = {}, .parameters = std::vector<std::uint8_t>(16),
        .buffers = { { .name = "out", .address = kAddress, .bytes = 4 * (std::size(kRows) + 1) } } };
    const float givenX = float(x), givenY = float(y);
    std::memcpy(launch.parameters.data(), &kAddress, 8);
    std::memcpy(launch.parameters.data() + 8, &givenX, 4);
    std::memcpy(launch.parameters.data() + 12, &givenY, 4);
    const auto output = analysis::gridOutput(*program, launch);
    ASSERT_TRUE(output) << output.error().detail;
    const auto valueOf = [&](std::size_t i) {
        float value = 0;
        std::memcpy(&value, output->buffers[0].data() + 4 * i, 4);
        return double(value);
    };
    for (std::size_t i = 0; i < std::size(kRows); ++i)
        EXPECT_NEAR(valueOf(i), kRows[i].value, 1e-5 * std::max(1.0, std::abs(kRows[i].value))) << kRows[i].expression;
    EXPECT_NEAR(valueOf(std::size(kRows)), std::tan(x), 1e-5);
}

struct IntegerRow {
    const char* expression;
    std::uint32_t value;
};

// Several integers in one register, and what dynamic programming takes.
constexpr IntegerRow kIntegers[] = {
    { "__vabsdiffu4(a, b)", 0x02010010 }, { "__vsadu4(a, b)", 2 + 1 + 16 }, { "__vsads4(a, b)", 2 + 1 + 16 }, { "__vsadu2(0x00010010, 0x00030000)", 18 },
    { "__vadd2(0xffff0001, 0x00020001)", 0x00010002 }, { "__vsub2(5, 0x00010002)", 0xffff0003 }, { "__vadd4(a, b)", 0x04fd0410 },
    { "__vmaxs2(0xffff0003, 0x00010002)", 0x00010003 }, { "__vminu2(0xffff0003, 0x00010004)", 0x00010003 },
    { "__vimax_s32_relu(-3, -5)", 0 }, { "__vimin_s32_relu(7, 5)", 5 }, { "__viaddmax_s16x2_relu(0x00010002, 0xfff00003, 0xffff0001)", 5 },
};

TEST(DeviceIntegers, ofOneRegisterAreEachForThemselves)
{
    if (!Nvrtc::instance())
        GTEST_SKIP() << "NVRTC is not installed here";
    std::string source = "__global__ void functions(unsigned* out, unsigned a, unsigned b) {\n";
    for (std::size_t i = 0; i < std::size(kIntegers); ++i)
        source += "out[" + std::to_string(i) + "] = " + kIntegers[i].expression + ";\n";
    source += "}\n";
    const auto compiled = compileToPtx(planOf(source, "functions"), { .compiler = CompilerKind::Nvrtc });
    ASSERT_TRUE(compiled) << compiled.error().detail;
    const auto program = analysis::parsePtx(compiled->ptx, compiled->entry);
    ASSERT_TRUE(program) << program.error().detail;
    constexpr std::uint64_t kAddress = 0x10000;
    constexpr std::uint32_t kGiven[] = { 0x01ff0280, 0x03fe0290 };
    analysis::Launch launch { .grid = {}, .block = {}, .parameters = std::vector<std::uint8_t>(16),
        .buffers = { { .name = "out", .address = kAddress, .bytes = 4 * std::size(kIntegers) } } };
    std::memcpy(launch.parameters.data(), &kAddress, 8);
    std::memcpy(launch.parameters.data() + 8, kGiven, 8);
    const auto output = analysis::gridOutput(*program, launch);
    ASSERT_TRUE(output) << output.error().detail;
    for (std::size_t i = 0; i < std::size(kIntegers); ++i) {
        std::uint32_t value = 0;
        std::memcpy(&value, output->buffers[0].data() + 4 * i, 4);
        EXPECT_EQ(value, kIntegers[i].value) << kIntegers[i].expression;
    }
}

INSTANTIATE_TEST_SUITE_P(, DeviceMath, testing::Values(CompilerKind::Nvrtc, CompilerKind::Clang),
    [](const auto& kind) { return std::string(kind.param == CompilerKind::Nvrtc ? "nvrtc" : "clang"); });

} // namespace
