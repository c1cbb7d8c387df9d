// SPDX-License-Identifier: Apache-2.0
// Runs the text cases of tests/ptx: each says in its comments what it takes and what must come out.
#include "ptx_case.h"

#include "analysis/grid/grid_totals.h"
#include "analysis/ptx/opcode_table.h"
#include "analysis/ptx/parse.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace coalescope::analysis {
namespace {

constexpr std::uint64_t kOutAddress = 0x10000, kInAddress = 0x8000000;

std::vector<std::string> caseNames()
{
    std::vector<std::string> names;
    for (const auto& entry :
        std::filesystem::directory_iterator(std::string(COALESCOPE_TEST_DATA) + "/ptx")) {
        if (entry.path().extension() == ".ptx")
            names.push_back(entry.path().stem().string());
    }
    std::ranges::sort(names);
    return names;
}

std::string codeName(ErrorCode code)
{
    switch (code) {
    case ErrorCode::BadInput:
        return "BadInput";
    case ErrorCode::UnsupportedInstruction:
        return "UnsupportedInstruction";
    case ErrorCode::ExecutionFailed:
        return "ExecutionFailed";
    case ErrorCode::EntryNotFound:
        return "EntryNotFound";
    default:
        return "another error";
    }
}

Launch launchOf(const PtxCase& c, const Program& program)
{
    Launch launch { .grid = c.grid, .block = c.block, .dynamicSharedBytes = c.shared };
    launch.parameters.resize(std::max<std::size_t>(program.parameterBytes, 16 + c.params.size()));
    std::memcpy(launch.parameters.data(), &kOutAddress, 8);
    std::memcpy(launch.parameters.data() + 8, &kInAddress, 8);
    std::ranges::copy(c.params, launch.parameters.begin() + 16);
    const auto fillIn = [&c](std::uint64_t first, std::span<std::uint8_t> out) {
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = first + i < c.in.size() ? c.in[first + i] : 0;
    };
    launch.buffers.push_back(
        { .name = "out", .address = kOutAddress, .bytes = std::max<std::uint64_t>(c.outBytes, 8) });
    launch.buffers.push_back({ .name = "in",
        .address = kInAddress,
        .bytes = std::max<std::size_t>(c.in.size(), 8),
        .fill = fillIn });
    return launch;
}

bool isNan(std::uint64_t bits, Type type)
{
    switch (type) {
    case Type::F32:
        return std::isnan(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    case Type::F64:
        return std::isnan(std::bit_cast<double>(bits));
    case Type::BF16:
        return (bits & 0x7fff) > 0x7f80;
    default:
        return (bits & 0x7fff) > 0x7c00;
    }
}

double valueOf(std::uint64_t bits, Type type)
{
    return type == Type::F64 ? std::bit_cast<double>(bits)
                             : double(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
}

bool agrees(const ExpectedElement& expected, std::uint64_t found)
{
    if (expected.any)
        return true;
    if (expected.nan)
        return isNan(found, expected.type);
    if (expected.tolerance > 0 && std::isfinite(valueOf(expected.bits, expected.type)))
        return std::fabs(valueOf(found, expected.type) - valueOf(expected.bits, expected.type))
            <= expected.tolerance;
    const int bits = bytesOf(expected.type) * 8;
    return ((found ^ expected.bits) & (bits == 64 ? ~0ull : (1ull << bits) - 1)) == 0;
}

std::string hex(std::uint64_t value)
{
    std::ostringstream text;
    text << "0x" << std::hex << value;
    return text.str();
}

void compare(const PtxCase& c, const Program& program, const GridOutput& output)
{
    for (std::size_t i = 0; i < c.out.size(); ++i) {
        const ExpectedElement& expected = c.out[i];
        std::uint64_t found = 0;
        std::memcpy(&found, output.buffers[0].data() + expected.offset,
            static_cast<std::size_t>(bytesOf(expected.type)));
        if (agrees(expected, found))
            continue;
        const std::uint32_t writer = output.writer[0][expected.offset];
        ADD_FAILURE() << "element " << i << " of the output (" << nameOf(expected.type)
                      << " at byte " << expected.offset << "): expected "
                      << (expected.nan ? "a NaN" : hex(expected.bits)) << ", found " << hex(found)
                      << (writer == kNone ? ", which nobody wrote"
                                          : ", written by line "
                                     + std::to_string(program.instructions[writer].textLine));
    }
}

class PtxCases : public testing::TestWithParam<std::string> { };

void check(const std::string& name, const GridOptions& options)
{
    const PtxCase c = ptx_case::read(std::string(COALESCOPE_TEST_DATA) + "/ptx/" + name + ".ptx");
    ASSERT_EQ(c.problem, "");
    const Result<Program> program = parsePtx(c.text);
    const Result<GridOutput> output = program ? gridOutput(*program, launchOf(c, *program), options)
                                              : std::unexpected(program.error());
    if (c.error) {
        ASSERT_FALSE(output.has_value());
        EXPECT_EQ(codeName(output.error().code) + ' ' + output.error().where, *c.error)
            << output.error().detail;
        return;
    }
    ASSERT_TRUE(output.has_value()) << output.error().where << ": " << output.error().detail;
    ASSERT_FALSE(c.out.empty());
    for (const Hazard& hazard : output->hazards)
        ADD_FAILURE() << "hazard: " << hazard.detail;
    compare(c, *program, *output);
}

TEST_P(PtxCases, hold) { check(GetParam(), { .planBlocks = false }); }

TEST_P(PtxCases, holdByPlan)
{
    for (const SimdLevel level : { SimdLevel::Portable, SimdLevel::Avx2, SimdLevel::Avx512 })
        if (isSupported(level))
            check(GetParam(), { .simd = level });
}

TEST(PtxCaseCoverage, eachFormOfAnOpcodeHasACase)
{
    std::string text;
    for (const std::string& name : caseNames()) {
        if (!name.starts_with("bad-"))
            text += '\n'
                + ptx_case::read(std::string(COALESCOPE_TEST_DATA) + "/ptx/" + name + ".ptx").text;
    }
    std::ranges::replace(text, ' ', '\n');
    for (const ptx::OpcodeRow& row : ptx::opcodeRows()) {
        if (row.op == Opcode::Brkpt
            || row.op == Opcode::Trap) // one waits for a debugger; bad-trap.ptx
            continue;
        const std::string name = '\n' + std::string(row.name);
        const bool used = text.find(name + '.') != std::string::npos
            || text.find(name + '\n') != std::string::npos
            || text.find(name + ';') != std::string::npos;
        EXPECT_TRUE(used) << "no case in tests/ptx uses " << row.name;
    }
}

INSTANTIATE_TEST_SUITE_P(, PtxCases, testing::ValuesIn(caseNames()), [](const auto& param) {
    std::string name = param.param;
    std::ranges::replace_if(
        name, [](char ch) { return !std::isalnum(static_cast<unsigned char>(ch)); }, '_');
    return name;
});

} // namespace
} // namespace coalescope::analysis
