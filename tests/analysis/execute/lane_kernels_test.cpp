// SPDX-License-Identifier: Apache-2.0
#include "analysis/execute/block.h"
#include "analysis/ptx/parse.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <sstream>

namespace coalescope::analysis {
namespace {

constexpr SimdLevel kLevels[] = { SimdLevel::Portable, SimdLevel::Avx2, SimdLevel::Avx512 };

std::vector<Program> everyCase()
{
    std::vector<Program> programs;
    for (const auto& entry :
        std::filesystem::directory_iterator(std::string(COALESCOPE_TEST_DATA) + "/ptx")) {
        std::ifstream file(entry.path());
        std::stringstream text;
        text << file.rdbuf();
        if (auto program = parsePtx(text.str()))
            programs.push_back(std::move(*program));
    }
    return programs;
}

/// Random words, among them those at which arithmetic turns over.
Word edgyWord(std::mt19937_64& random)
{
    static constexpr Word kEdges[] = { 0, 1, 2, 15, 16, 31, 32, 33, 63, 64, 65, 0x7fff, 0x8000,
        0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 0x7fffffffffffffff,
        0x8000000000000000, 0xffffffffffffffff };
    const Word any = random();
    return any % 3 == 0 ? kEdges[any / 3 % std::size(kEdges)] : any >> (any / 3 % 64);
}

/// The instruction's handler and its kernel on the same registers: the same low bits come out, as
/// many as the instruction's type says (the rest mean nothing).
void compare(const Program& program, const DecodedProgram& decoded, std::uint32_t pc,
    SimdLevel level, std::mt19937_64& random)
{
    const Decoded& d = decoded.code[pc];
    const PlannedKernel kernel = laneKernel(*d.source, level);
    if (kernel.run == nullptr)
        return;
    const Launch launch;
    const MemoryMap map(launch, program);
    Block block(decoded, launch, map);
    std::vector<LaneWords> registers(decoded.registers), constants(
        decoded.constants.size() / kWarpLanes + 1);
    std::copy(decoded.constants.begin(), decoded.constants.end(),
        constants.front().lane.data());
    std::vector<RegisterState> states(decoded.registers), constantStates(constants.size());
    Warp warp { .block = &block,
        .bank = { registers.front().lane.data(), constants.front().lane.data() },
        .states = { states.data(), constantStates.data() },
        .live = kAllLanes,
        .active = kAllLanes };
    for (int round = 0; round < 20; ++round) {
        for (auto& words : registers)
            for (Word& word : words.lane)
                word = edgyWord(random);
        LaneWords result;
        kernel.run(result.lane.data(), warp.value(d.src[0]), warp.value(d.src[1]),
            warp.value(d.src[2]), kernel.k);
        ASSERT_EQ(d.run(warp, d, kAllLanes), Step::Next);
        const Instruction& i = *d.source;
        const bool isPredicate = i.op == Opcode::Setp || i.type == Type::Pred;
        const int bytes
            = isPredicate ? 1 : i.mod.part == MulPart::Wide ? 2 * bytesOf(i.type) : bytesOf(i.type);
        const Word meant = i.op == Opcode::Cvta || bytes >= 8 ? ~Word(0)
                                                              : (Word(1) << (8 * bytes)) - 1;
        for (std::size_t lane = 0; lane < kWarpLanes; ++lane)
            ASSERT_EQ(result.lane[lane] & meant, warp.target(d.dst[0])[lane] & meant)
                << program.mnemonic(pc) << " in line " << i.textLine << " of a case, level "
                << int(level) << ", lane " << lane;
    }
}

TEST(LaneKernels, doWhatTheHandlersDo)
{
    std::mt19937_64 random(7);
    std::set<Opcode> seen;
    for (const Program& program : everyCase()) {
        const Launch launch { .parameters = std::vector<std::uint8_t>(program.parameterBytes) };
        const auto decoded = decode(program, launch);
        if (!decoded)
            continue;
        for (std::uint32_t pc = 0; pc < decoded->code.size(); ++pc)
            for (const SimdLevel level : kLevels)
                if (isSupported(level)) {
                    compare(program, *decoded, pc, level, random);
                    if (laneKernel(program.instructions[pc], level).run != nullptr)
                        seen.insert(program.instructions[pc].op);
                }
    }
    EXPECT_GE(seen.size(), 17u);
}

TEST(LaneKernels, toolsAgreeOnEveryLevel)
{
    std::mt19937_64 random(11);
    for (int round = 0; round < 200; ++round) {
        LaneWords a, b;
        const Word anchor = random();
        LaneMask set = 0, differs = 0;
        const auto mask = LaneMask(random());
        for (std::size_t lane = 0; lane < kWarpLanes; ++lane) {
            a.lane[lane] = random();
            b.lane[lane] = a.lane[lane] - anchor + (random() % 4 == 0 ? random() : 0);
            set |= LaneMask(a.lane[lane] & 1) << lane;
            differs |= LaneMask(a.lane[lane] - anchor != b.lane[lane]) << lane;
        }
        for (const SimdLevel level : kLevels) {
            if (!isSupported(level))
                continue;
            const LaneTools& tools = laneTools(level);
            EXPECT_EQ(tools.set(a.lane.data()), set);
            EXPECT_EQ(tools.differs(a.lane.data(), anchor, b.lane.data()), differs);
            LaneWords out = b;
            tools.blend(out.lane.data(), a.lane.data(), mask);
            for (std::size_t lane = 0; lane < kWarpLanes; ++lane)
                EXPECT_EQ(out.lane[lane], mask >> lane & 1 ? a.lane[lane] : b.lane[lane]);
        }
    }
}

} // namespace
} // namespace coalescope::analysis
