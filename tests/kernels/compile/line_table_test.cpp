// SPDX-License-Identifier: Apache-2.0
#include "kernels/compile/line_table.h"

#include "analysis/ptx/parse.h"
#include "kernels/compile/compiler.h"
#include "kernels/compile/cubin.h"
#include "kernels/compile/nvrtc.h"

#include "plan_of.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>

#include <unistd.h>

using namespace coalescope;
using namespace coalescope::kernels;
namespace fs = std::filesystem;

namespace {

/// Copies structures on lines 8 and 9, calls its own function on line 10 and a header's on line 11.
const std::string kSource = R"(#include "far.h"
struct Three { float a, b, c; };
inline float own(const float* p) { return *p; }
__global__ void other(float* out) { out[threadIdx.x] = 1; }
__global__ void k(const Three* in, Three* out, const float* x, float* y)
{
    const int i = threadIdx.x;
    const Three three = in[i];
    out[i] = three;
    y[i] = own(x + i)
        + far(x + i);
}
)";

class LineTables : public testing::Test {
protected:
    void SetUp() override
    {
        if (!Nvrtc::instance())
            GTEST_SKIP() << "NVRTC is not installed here";
        fs::create_directories(m_folder);
        std::ofstream(m_folder / "far.h") << "\n\n\ninline float far(const float* p)\n{\n    return p[64];\n}\n";
        m_plan = planOf(kSource, "k");
        m_plan.includeDirectory = m_folder;
        const auto cubin = compileToCubin(m_plan, {});
        ASSERT_TRUE(cubin) << cubin.error().detail;
        m_cubin = *cubin;
    }
    void TearDown() override { fs::remove_all(m_folder); }

    /// Lines of the loads and stores of global memory, by the machine code.
    std::set<std::uint32_t> lines(const std::string& entry) const
    {
        constexpr unsigned kLoad = 0x181, kStore = 0x186; // LDG, STG: the low nine bits
        const LineTable table(m_cubin.image);
        const auto code = codeOf(m_cubin.image, entry);
        std::set<std::uint32_t> lines;
        for (std::size_t pc = 0; pc + 16 <= code.size(); pc += 16) {
            std::uint16_t bits = 0;
            std::memcpy(&bits, code.data() + pc, sizeof bits);
            if ((bits & 0x1ff) != kLoad && (bits & 0x1ff) != kStore)
                continue;
            const auto place = table.placeOf(entry, pc);
            EXPECT_TRUE(place && place->file == "user.cu");
            lines.insert(place ? place->line : 0);
        }
        return lines;
    }

    const fs::path m_folder = fs::path(testing::TempDir()) / ("coalescope_lines_" + std::to_string(::getpid()));
    LaunchPlan m_plan;
    CompiledCubin m_cubin;
};

TEST_F(LineTables, nameTheUsersLineOfWhatWasInlinedFromAHeaderOrCopiesAStructure)
{
    EXPECT_EQ(lines(m_cubin.entry), (std::set<std::uint32_t> { 3, 8, 9, 10, 11 }));
}

TEST_F(LineTables, tellTheKernelsOfAFileApart)
{
    EXPECT_EQ(lines("_Z5otherPf"), std::set<std::uint32_t> { 4 });
}

TEST_F(LineTables, agreeWithThePtx)
{
    const auto compiled = compileToPtx(m_plan);
    ASSERT_TRUE(compiled) << compiled.error().detail;
    const auto program = analysis::parsePtx(compiled->ptx, compiled->entry);
    ASSERT_TRUE(program) << program.error().detail;
    std::set<std::uint32_t> predicted;
    for (const analysis::Instruction& instruction : program->instructions) {
        using analysis::Opcode;
        if (instruction.mod.space == analysis::Space::Global && (instruction.op == Opcode::Ld || instruction.op == Opcode::St))
            predicted.insert(instruction.line);
    }
    EXPECT_EQ(lines(m_cubin.entry), predicted);
}

TEST_F(LineTables, ofADamagedFileAreNoCrash)
{
    const auto ask = [&](std::span<const char> image) { (void)LineTable(image).placeOf(m_cubin.entry, 0x40); };
    for (std::size_t size = 0; size < m_cubin.image.size(); size += 97)
        ask(std::span(m_cubin.image).first(size));
    for (std::size_t at = 0; at < m_cubin.image.size(); ++at) {
        std::vector<char> damaged = m_cubin.image;
        damaged[at] = char(0xff);
        ask(damaged);
    }
}

TEST(LineTable, ofSomethingElseKnowsNothing)
{
    const std::string text = "this is no cubin";
    EXPECT_EQ(LineTable(text).placeOf("k", 0), std::nullopt);
    EXPECT_EQ(LineTable({}).placeOf("k", 0), std::nullopt);
}

} // namespace
