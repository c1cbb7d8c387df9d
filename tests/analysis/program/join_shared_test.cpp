// SPDX-License-Identifier: Apache-2.0
// What ptxas 13.0 makes of each sequence for sm_90, read from its machine code.
#include "analysis/program/join_shared.h"

#include "analysis/ptx/parse.h"

#include <gtest/gtest.h>

#include <sstream>

namespace coalescope::analysis {
namespace {

/// A word of the notation as PTX: L8 loads 4 bytes at %a+8, Lb8 at %b+8, W8 into a register of 4 bytes whatever the type,
/// S8 stores; others by name.
std::string instructionOf(const std::string& word, const std::string& type, int& next)
{
    if (word[0] == 'L' || word[0] == 'S') {
        const bool named = word[1] == 'b';
        const std::string place
            = std::string("[%") + (named ? 'b' : 'a') + '+' + word.substr(named ? 2 : 1) + ']';
        const std::string value = type.back() == '6' ? "%h"
            : type == "f64"                          ? "%d"
            : type.back() == '8'                     ? "%h"
            : type == "v2.f32" && word[0] == 'L'     ? "{%f" + std::to_string(next++) + ", %f"
                                                     : "%f";
        const std::string closing = value[0] == '{' ? "}" : "";
        const std::string number = word[0] == 'L' ? std::to_string(next++) : "0";
        return word[0] == 'L' ? "ld.shared." + type + ' ' + value + number + closing + ", " + place
                              : "st.shared." + type + ' ' + place + ", " + value + number;
    }
    if (word[0] == 'W')
        return "ld.shared." + type + " %w" + std::to_string(next++) + ", [%a+" + word.substr(1) + ']';
    if (word == "barrier")
        return "bar.sync 0";
    if (word == "syncwarp")
        return "bar.warp.sync -1";
    if (word == "fence")
        return "membar.cta";
    if (word == "global")
        return "st.global.f32 [%out], %f0";
    if (word == "generic")
        return "st.f32 [%out], %f0";
    if (word == "genericLoad")
        return "ld.f32 %f0, [%out]";
    if (word == "atomic")
        return "red.shared.add.u32 [%b], 1";
    if (word == "globalAtomic")
        return "red.global.add.u32 [%out], 1";
    if (word == "volatile")
        return "ld.volatile.shared.f32 %f40, [%a]";
    if (word == "shuffle")
        return "shfl.sync.bfly.b32 %c, %c, 1, 31, -1";
    return "label" + word + ":\nmov.u32 %c, 1"; // a block begins
}

struct Kernel {
    std::string sequence;
    std::string type = "f32";
    std::string base = "shl.b32 %x, %ti, 4; add.s32 %a, %a, %x;";
};

Program programOf(const Kernel& kernel)
{
    std::string text
        = ".version 8.0\n.target sm_90\n.address_size 64\n"
          ".visible .entry k(.param .u64 p, .param .u32 n)\n{\n"
          ".reg .b64 %out, %y, %z;\n.reg .b32 %a, %b, %c, %x, %ti, %k;\n.reg .pred %q;\n"
          ".reg .f32 %f<64>;\n.reg .f64 %d<64>;\n.reg .b16 %h<64>;\n.reg .b32 %w<64>;\n"
          ".shared .align 16 .b8 S[8192];\n"
          "ld.param.u64 %out, [p];\nld.param.u32 %k, [n];\nmov.u32 %ti, %tid.x;\n"
          "mov.u32 %a, S;\nmov.u32 %b, S;\nmad.lo.s32 %b, %k, 4, %b;\n"
        + kernel.base + '\n';
    std::istringstream words(kernel.sequence);
    int next = 1;
    for (std::string word; words >> word;)
        text += instructionOf(word, kernel.type, next) + ";\n";
    auto program = parsePtx(text + "ret;\n}\n");
    EXPECT_TRUE(program.has_value()) << program.error().detail;
    return program ? *std::move(program) : Program {};
}

/// The shared accesses that are left, as `L64+0 S32+8`: bits and offset.
std::string machineAccesses(const Kernel& kernel)
{
    Program program = programOf(kernel);
    joinSharedAccesses(program);
    std::string text;
    for (const Instruction& ins : program.instructions) {
        const bool moves = ins.op == Opcode::Ld || ins.op == Opcode::St;
        if (!moves || ins.mod.space != Space::Shared || ins.isJoined || ins.mod.isOrdered)
            continue;
        const int bytes = ins.joinedBytes != 0 ? ins.joinedBytes : bytesOf(ins.type) * ins.vector;
        text += (text.empty() ? "" : " ") + std::string(ins.op == Opcode::Ld ? "L" : "S")
            + std::to_string(bytes * 8) + '+' + std::to_string(ins.offset + ins.joinedOffset);
    }
    return text;
}

struct Case {
    const char* name;
    Kernel kernel;
    const char* expected;
};

class JoinShared : public testing::TestWithParam<Case> { };

TEST_P(JoinShared, isWhatPtxasMakes)
{
    EXPECT_EQ(machineAccesses(GetParam().kernel), GetParam().expected);
}

const Case kLoads[] = {
    { "aligned_pair", { "L0 L4" }, "L64+0" },
    { "pair_across_windows", { "L4 L8" }, "L32+4 L32+8" },
    { "three_of_four", { "L0 L4 L8" }, "L128+0" },
    { "last_three_of_four", { "L4 L8 L12" }, "L128+0" },
    { "two_of_four_apart", { "L0 L12" }, "L32+0 L32+12" },
    { "any_order", { "L12 L8 L4 L0" }, "L128+0" },
    { "window_and_rest", { "L0 L4 L8 L12 L16" }, "L128+0 L32+16" },
    { "before_the_window", { "L-4 L0 L4 L8" }, "L32+-4 L128+0" },
    { "same_word_again", { "L0 L4 L0" }, "L64+0" },
    { "other_words_between", { "L0 L1000 L4 L1004 L8" }, "L128+0 L64+1000" },
    { "another_base_between", { "L0 Lb0 L4" }, "L64+0 L32+0" },
    { "store_between", { "L0 S64 L4" }, "L32+0 S32+64 L32+4" },
    { "barrier_between", { "L0 barrier L4" }, "L32+0 L32+4" },
    { "syncwarp_between", { "L0 syncwarp L4" }, "L32+0 L32+4" },
    { "fence_between", { "L0 fence L4" }, "L32+0 L32+4" },
    { "shared_atomic_between", { "L0 atomic L4" }, "L32+0 L32+4" },
    { "global_atomic_between", { "L0 globalAtomic L4" }, "L64+0" },
    { "global_store_between", { "L0 global L4" }, "L64+0" },
    { "generic_store_between", { "L0 generic L4" }, "L32+0 L32+4" },
    { "generic_load_between", { "L0 genericLoad L4" }, "L64+0" },
    { "volatile_between", { "L0 volatile L4" }, "L64+0" },
    { "shuffle_between", { "L0 shuffle L4" }, "L64+0" },
    { "block_border_between",
        { "L0 1 L4", "f32",
            "shl.b32 %x, %ti, 4; add.s32 %a, %a, %x; setp.eq.s32 %q, %k, 1; @%q bra label1;" },
        "L32+0 L32+4" },
    { "doubles", { "L0 L8 L16", "f64" }, "L128+0 L64+16" },
    { "doubles_across_windows", { "L8 L16", "f64" }, "L64+8 L64+16" },
    { "float2", { "L0 L8 L16", "v2.f32" }, "L128+0 L64+16" },
    { "halves", { "L0 L2", "b16" }, "L32+0" },
    { "three_halves", { "L0 L2 L6", "u16" }, "L64+0" },
    { "halves_reach_eight_bytes", { "L0 L2 L4 L6 L8 L10", "u16" }, "L64+0 L32+8" },
    { "signed_halves", { "L0 L2 L4 L6", "s16" }, "L64+0" },
    { "halves_into_words_never", { "W0 W2 W4 W6", "u16" }, "L16+0 L16+2 L16+4 L16+6" },
    { "signed_halves_into_words_never", { "W0 W2 W4 W6", "s16" }, "L16+0 L16+2 L16+4 L16+6" },
    { "words_into_words", { "W0 W4 W8 W12", "u32" }, "L128+0" },
    { "bytes_never", { "L0 L1 L2 L3", "u8" }, "L8+0 L8+1 L8+2 L8+3" },
};
INSTANTIATE_TEST_SUITE_P(
    loads, JoinShared, testing::ValuesIn(kLoads), [](const auto& info) { return info.param.name; });

const Case kStores[] = {
    { "pair", { "S0 S4" }, "S64+0" },
    { "all_four", { "S8 S0 S12 S4" }, "S128+0" },
    { "three_of_four", { "S4 S8 S12" }, "S32+4 S64+8" },
    { "another_window_between", { "S0 S64 S4" }, "S32+0 S32+64 S32+4" },
    { "another_base_between", { "S0 Sb0 S4" }, "S32+0 S32+0 S32+4" },
    { "same_word_again", { "S0 S4 S0" }, "S64+0 S32+0" },
    { "load_between", { "S0 L64 S4" }, "S32+0 L32+64 S32+4" },
    { "generic_load_between", { "S0 genericLoad S4" }, "S32+0 S32+4" },
    { "global_store_between", { "S0 global S4" }, "S64+0" },
    { "barrier_between", { "S0 barrier S4" }, "S32+0 S32+4" },
    { "doubles", { "S0 S8", "f64" }, "S128+0" },
    { "halves", { "S0 S2 S4 S6", "u16" }, "S64+0" },
    { "three_halves", { "S0 S2 S4", "u16" }, "S32+0 S16+4" },
    { "bytes_never", { "S0 S1", "u8" }, "S8+0 S8+1" },
};
INSTANTIATE_TEST_SUITE_P(stores, JoinShared, testing::ValuesIn(kStores),
    [](const auto& info) { return info.param.name; });

constexpr const char* kFour = "L0 L4 L8 L12";
const Case kBases[] = {
    { "four_bytes", { kFour, "f32", "shl.b32 %x, %ti, 2; add.s32 %a, %a, %x;" },
        "L32+0 L32+4 L32+8 L32+12" },
    { "eight_bytes", { kFour, "f32", "shl.b32 %x, %ti, 3; add.s32 %a, %a, %x;" }, "L64+0 L64+8" },
    { "product_with_24", { kFour, "f32", "mad.lo.s32 %a, %ti, 24, %a;" }, "L64+0 L64+8" },
    { "product_with_48",
        { kFour, "f32", "mul.wide.u32 %y, %ti, 48; cvt.u32.u64 %x, %y; add.s32 %a, %a, %x;" },
        "L128+0" },
    { "mask", { kFour, "f32", "and.b32 %x, %ti, -16; add.s32 %a, %a, %x;" }, "L128+0" },
    { "right_shift_tells_nothing",
        { kFour, "f32", "shl.b32 %x, %ti, 6; shr.u32 %x, %x, 2; add.s32 %a, %a, %x;" },
        "L32+0 L32+4 L32+8 L32+12" },
    { "minimum_tells_nothing",
        { kFour, "f32", "shl.b32 %x, %ti, 4; min.s32 %x, %x, 512; add.s32 %a, %a, %x;" },
        "L32+0 L32+4 L32+8 L32+12" },
    { "loop_of_16",
        { kFour, "f32",
            "mov.u32 %x, 0; LP: add.s32 %a, %a, 16; add.s32 %x, %x, 1; setp.lt.s32 %q, %x, %k; @%q "
            "bra LP;" },
        "L128+0" },
    { "loop_of_8",
        { kFour, "f32",
            "mov.u32 %x, 0; LP: add.s32 %a, %a, 8; add.s32 %x, %x, 1; setp.lt.s32 %q, %x, %k; @%q "
            "bra LP;" },
        "L64+0 L64+8" },
    { "sum_with_a_constant",
        { "L0 L4 Lb0 Lb4", "f32", "shl.b32 %x, %ti, 4; add.s32 %a, %a, %x; add.s32 %b, %a, 8;" },
        "L128+0" },
    { "constant_address", { "L0 L4 L8 L20 L24", "f32", "" }, "L128+0 L32+20 L32+24" },
};
INSTANTIATE_TEST_SUITE_P(
    bases, JoinShared, testing::ValuesIn(kBases), [](const auto& info) { return info.param.name; });

TEST(JoinedAccess, isNamedByItsWidth)
{
    Program program = programOf({ "L0 L4 L8 L12" });
    joinSharedAccesses(program);
    for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
        if (program.instructions[i].joinedBytes == 0)
            continue;
        EXPECT_EQ(program.mnemonic(i), "ld.shared.v4.f32");
    }
}

} // namespace
} // namespace coalescope::analysis
