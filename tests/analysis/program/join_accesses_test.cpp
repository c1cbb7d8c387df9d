// SPDX-License-Identifier: Apache-2.0
// What ptxas 13.0 makes of each sequence for sm_90, read from its machine code.
#include "analysis/program/join_accesses.h"

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

int bitsOf(const Instruction& ins)
{
    return 8 * (ins.joinedBytes != 0 ? ins.joinedBytes : bytesOf(ins.type) * ins.vector);
}

/// The shared accesses that are left, as `L64+0 S32+8`: bits and offset.
std::string machineAccesses(const Kernel& kernel)
{
    Program program = programOf(kernel);
    joinAccesses(program);
    std::string text;
    for (const Instruction& ins : program.instructions) {
        const bool moves = ins.op == Opcode::Ld || ins.op == Opcode::St;
        if (!moves || ins.mod.space != Space::Shared || ins.isJoined || ins.mod.isOrdered)
            continue;
        text += (text.empty() ? "" : " ") + std::string(ins.op == Opcode::Ld ? "L" : "S")
            + std::to_string(bitsOf(ins)) + '+' + std::to_string(ins.offset + ins.joinedOffset);
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

/// %p is a pointer of which nothing is known, %q another one, %s a shared one; %pr whatever a thread decides.
struct PointerCase {
    const char* name;
    const char* sequence;
    const char* expected; ///< what is left, as above, with R for a load of global memory and W for a store
};

std::string machineAccessesOf(const std::string& sequence)
{
    const std::string text
        = ".version 8.0\n.target sm_90\n.address_size 64\n.global .align 16 .b8 table[4096];\n"
          ".visible .entry k(.param .u64 a, .param .u64 b, .param .u32 n)\n{\n"
          ".reg .b64 %a, %b, %p, %q, %r, %d<9>;\n.reg .b32 %n, %t, %s, %i, %x<9>;\n.reg .pred %pr;\n"
          ".reg .f32 %f<64>;\n.reg .f64 %g<9>;\n.reg .b16 %h<9>;\n"
          "ld.param.u64 %a, [a];\nld.param.u64 %b, [b];\nld.param.u32 %n, [n];\nmov.u32 %t, %tid.x;\n"
          "mad.wide.u32 %p, %t, %n, %a;\nmad.wide.u32 %q, %t, %n, %b;\nmad.lo.u32 %s, %t, %n, %n;\n"
          "setp.eq.u32 %pr, %t, 3;\n"
        + sequence + "\nret;\n}\n";
    auto parsedProgram = parsePtx(text);
    EXPECT_TRUE(parsedProgram.has_value()) << parsedProgram.error().detail << parsedProgram.error().where;
    if (!parsedProgram)
        return {};
    joinAccesses(*parsedProgram);
    std::string left;
    for (const Instruction& ins : parsedProgram->instructions) {
        const bool moves = ins.op == Opcode::Ld || ins.op == Opcode::St;
        if (!moves || ins.isJoined || (ins.mod.space != Space::Global && ins.mod.space != Space::Shared))
            continue;
        const bool global = ins.mod.space == Space::Global;
        left += (left.empty() ? "" : " ") + std::string(ins.op == Opcode::Ld ? (global ? "R" : "L") : (global ? "W" : "S"))
            + std::to_string(bitsOf(ins));
    }
    return left;
}

constexpr const char* kPair = "st.global.f32 [%p], %f1; st.global.f32 [%p+4], %f2;";
constexpr const char* kLoop = "mov.u32 %i, 0; N: add.u32 %i, %i, 1; setp.lt.u32 %pr, %i, %n; st.global.u32 [%q], %i; @%pr bra N;";
constexpr const char* kLong = "st.global.v2.f32 [%p+32], {%f3, %f4};";

class JoinByPointer : public testing::TestWithParam<PointerCase> { };

TEST_P(JoinByPointer, isWhatPtxasMakes)
{
    std::string sequence = GetParam().sequence;
    for (const auto& [name, text] : { std::pair { "PAIR", kPair }, { "LONG", kLong }, { "LOOP", kLoop } })
        for (std::size_t at; (at = sequence.find(name)) != std::string::npos;)
            sequence.replace(at, 4, text);
    EXPECT_EQ(machineAccessesOf(sequence), GetParam().expected);
}

const PointerCase kPointerCases[] = {
    { "a_pair_alone", "PAIR", "W32 W32" },
    { "a_longer_store_later", "PAIR LONG", "W64 W64" },
    { "a_longer_store_before", "LONG PAIR", "W64 W64" },
    { "the_pair_across_windows", "st.global.f32 [%p+4], %f1; st.global.f32 [%p+8], %f2; LONG", "W32 W32 W64" },
    { "four_and_a_store_of_16",
        "st.global.f32 [%p], %f1; st.global.f32 [%p+4], %f2; st.global.f32 [%p+8], %f3; st.global.f32 [%p+12], %f4;"
        "st.global.v4.f32 [%p+32], {%f3, %f4, %f1, %f2};",
        "W128 W128" },
    { "four_and_a_store_of_8",
        "st.global.f32 [%p], %f1; st.global.f32 [%p+4], %f2; st.global.f32 [%p+8], %f3; st.global.f32 [%p+12], %f4; LONG",
        "W64 W64 W64" },
    { "three_of_four_stores",
        "st.global.f32 [%p], %f1; st.global.f32 [%p+4], %f2; st.global.f32 [%p+8], %f3;"
        "st.global.v4.f32 [%p+32], {%f3, %f4, %f1, %f2};",
        "W64 W32 W128" },
    { "loads", "ld.global.f32 %f1, [%p]; ld.global.f32 %f2, [%p+4]; ld.global.v2.f32 {%f3, %f4}, [%p+32];", "R64 R64" },
    { "three_of_four_loads",
        "ld.global.v4.f32 {%f3, %f4, %f5, %f6}, [%p+64]; ld.global.f32 %f1, [%p]; ld.global.f32 %f2, [%p+8]; ld.global.f32 %f7, [%p+12];",
        "R128 R128" },
    { "two_loads_of_four_apart", "ld.global.v4.f32 {%f3, %f4, %f5, %f6}, [%p+64]; ld.global.f32 %f1, [%p]; ld.global.f32 %f2, [%p+8];",
        "R128 R32 R32" },
    { "loads_around_another_store",
        "ld.global.v2.f32 {%f3, %f4}, [%p+32]; ld.global.f32 %f1, [%p]; st.global.f32 [%q], %f3; ld.global.f32 %f2, [%p+4];",
        "R64 R32 W32 R32" },
    { "read_only_loads_around_another_store",
        "ld.global.nc.v2.f32 {%f3, %f4}, [%p+32]; ld.global.nc.f32 %f1, [%p]; st.global.f32 [%q], %f3; ld.global.nc.f32 %f2, [%p+4];",
        "R64 R64 W32" },
    { "read_only_loads_around_a_barrier",
        "ld.global.nc.v2.f32 {%f3, %f4}, [%p+32]; ld.global.nc.f32 %f1, [%p]; bar.sync 0; ld.global.nc.f32 %f2, [%p+4];", "R64 R64" },
    { "a_read_only_load_and_another", "ld.global.nc.v2.f32 {%f3, %f4}, [%p+32]; ld.global.nc.f32 %f1, [%p]; ld.global.f32 %f2, [%p+4];",
        "R64 R32 R32" },
    { "loads_around_a_shared_store",
        "ld.global.v2.f32 {%f3, %f4}, [%p+32]; ld.global.f32 %f1, [%p]; st.shared.f32 [%s], %f3; ld.global.f32 %f2, [%p+4];",
        "R64 R64 S32" },
    { "loads_around_a_barrier",
        "ld.global.v2.f32 {%f3, %f4}, [%p+32]; ld.global.f32 %f1, [%p]; bar.sync 0; ld.global.f32 %f2, [%p+4];", "R64 R32 R32" },
    { "loads_around_a_copy",
        "ld.global.v2.f32 {%f3, %f4}, [%p+32]; ld.global.f32 %f1, [%p]; cp.async.ca.shared.global [%s], [%q], 8; ld.global.f32 %f2, [%p+4];",
        "R64 R32 R32" },
    { "stores_around_a_load", "LONG st.global.f32 [%p], %f1; ld.global.f32 %f9, [%q]; st.global.f32 [%p+4], %f9;", "W64 W32 R32 W32" },
    { "stores_around_another_store", "LONG st.global.f32 [%p], %f1; st.global.f32 [%q], %f3; st.global.f32 [%p+4], %f2;",
        "W64 W32 W32 W32" },
    { "stores_around_a_shared_load", "LONG st.global.f32 [%p], %f1; ld.shared.f32 %f9, [%s]; st.global.f32 [%p+4], %f2;", "W64 W64 L32" },
    { "a_longer_store_in_the_next_block", "PAIR bra N; N: LONG", "W64 W64" },
    { "a_longer_store_behind_a_loop", "PAIR LOOP LONG", "W32 W32 W32 W64" },
    { "a_longer_store_before_a_loop", "LONG LOOP PAIR", "W64 W32 W64" },
    { "both_behind_a_loop", "LOOP LONG PAIR", "W32 W64 W32 W32" },
    { "both_behind_a_division", "div.rn.f32 %f1, %f2, %f3; LONG PAIR", "W64 W32 W32" },
    { "both_behind_an_approximate_division", "div.approx.f32 %f1, %f2, %f3; LONG PAIR", "W64 W64" },
    { "a_division_between", "LONG div.rn.f32 %f1, %f2, %f3; PAIR", "W64 W64" },
    { "a_base_set_behind_a_division", "div.rn.f32 %f1, %f2, %f3; mad.wide.u32 %r, %t, %n, %b; st.global.v2.f32 [%r+32], {%f3, %f4};"
                                      "st.global.f32 [%r], %f1; st.global.f32 [%r+4], %f2;", "W64 W64" },
    { "a_parameter_behind_a_loop", "LOOP st.global.v2.f32 [%a+32], {%f3, %f4}; st.global.f32 [%a], %f1; st.global.f32 [%a+4], %f2;",
        "W32 W64 W64" },
    { "a_parameter_before_a_loop", "st.global.f32 [%a], %f1; st.global.f32 [%a+4], %f2; LOOP st.global.v2.f32 [%a+32], {%f3, %f4};",
        "W32 W32 W32 W64" },
    { "a_base_that_moves_on", "mov.u32 %i, 0; N: LONG PAIR add.s64 %p, %p, %b; add.u32 %i, %i, 1; setp.lt.u32 %pr, %i, %n; @%pr bra N;",
        "W64 W64" },
    { "a_base_that_moves_on_and_a_branch",
        "mov.u32 %i, 0; N: @%pr bra M; st.global.f32 [%q], %f1; bar.sync 0; M: LONG PAIR add.s64 %p, %p, %b; add.u32 %i, %i, 1;"
        "setp.lt.u32 %pr, %i, %n; @%pr bra N;",
        "W32 W64 W32 W32" },
    { "a_base_that_a_branch_chooses", "@%pr bra N; add.s64 %p, %p, %a; bar.sync 0; bra M; N: add.s64 %p, %p, %b; M: LONG PAIR", "W64 W64" },
    { "a_longer_store_that_may_not_be_made", "PAIR @%pr bra E; LONG E:", "W32 W32 W64" },
    { "a_pair_that_may_not_be_stored", "LONG @%pr bra E; PAIR E:", "W64 W64" },
    { "a_predicated_longer_store", "@%pr st.global.v2.f32 [%p+32], {%f3, %f4}; PAIR", "W64 W32 W32" },
    { "a_predicated_pair", "LONG @%pr st.global.f32 [%p], %f1; @%pr st.global.f32 [%p+4], %f2;", "W64 W32 W32" },
    { "a_longer_store_off_the_base", "st.global.v2.f32 [%p+36], {%f3, %f4}; st.global.f32 [%p+4], %f1; st.global.f32 [%p+8], %f2;",
        "W64 W32 W32" },
    { "a_sum_with_a_constant", "add.s64 %d1, %p, 64; st.global.v2.f32 [%d1], {%f3, %f4}; add.s64 %d2, %p, 128;"
                               "st.global.f32 [%d2], %f1; st.global.f32 [%d2+4], %f2;",
        "W64 W64" },
    { "a_sum_with_a_register", "LONG mad.wide.u32 %r, %n, 16, %p; st.global.f32 [%r], %f1; st.global.f32 [%r+4], %f2;", "W64 W32 W32" },
    { "doubles_align_floats", "st.global.f64 [%p+32], %g1; PAIR", "W64 W64" },
    { "doubles", "st.global.v4.f32 [%p+32], {%f3, %f4, %f1, %f2}; st.global.f64 [%p], %g1; st.global.f64 [%p+8], %g2;", "W128 W128" },
    { "halves_by_a_word", "st.global.u16 [%p], %h1; st.global.u16 [%p+2], %h2; st.global.u32 [%p+32], %x1;", "W32 W32" },
    { "bytes", "st.global.u8 [%p], %h1; st.global.u8 [%p+1], %h2; st.global.u32 [%p+32], %x1;", "W8 W8 W32" },
    { "an_atomic_tells_nothing", "red.global.add.u64 [%p+32], %d1; PAIR", "W32 W32" },
    { "a_table_of_the_module", "mov.u64 %r, table; mad.wide.u32 %r, %t, 16, %r; ld.global.f32 %f1, [%r]; ld.global.f32 %f2, [%r+4];",
        "R32 R32" },
    { "constant_addresses", "ld.global.f32 %f1, [table]; ld.global.f32 %f2, [table+4];", "R32 R32" },
    { "shared_memory_alike", "st.shared.f32 [%s], %f1; st.shared.f32 [%s+4], %f2; st.shared.v2.f32 [%s+32], {%f3, %f4};", "S64 S64" },
    { "shared_memory_without", "st.shared.f32 [%s], %f1; st.shared.f32 [%s+4], %f2;", "S32 S32" },
};
INSTANTIATE_TEST_SUITE_P(
    pointers, JoinByPointer, testing::ValuesIn(kPointerCases), [](const auto& info) { return info.param.name; });

struct BlocksCase {
    const char* name;
    std::string body;
    const char* expected; ///< widths of the loads that ptxas 13.0 leaves for sm_90, in bits
};

void PrintTo(const BlocksCase& c, std::ostream* out) { *out << c.name; }

std::string loadsAcrossBlocks(const std::string& body)
{
    auto program = parsePtx(".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u32 q)\n{\n"
                            ".reg .b32 a<30>; .reg .f32 f<40>; .reg .b64 w<30>; .reg .pred p<20>; .reg .f64 d<9>; .shared .align 16 .b8 s[16384];\n"
                            "ld.param.u64 w1,[p]; ld.param.u32 a1,[q]; mov.u32 a2,%tid.x; mul.wide.u32 w2,a2,4; add.s64 w3,w1,w2; mov.u64 w4,s;\n"
                            "add.s64 w5,w4,w2; and.b32 a3,a1,3; and.b32 a5,a1,-4; mul.wide.u32 w6,a5,4; add.s64 w7,w4,w6; mov.f32 f10,0f00000000;\n"
        + body + "\nE: st.global.f32 [w3],f10; ret;\n}\n");
    EXPECT_TRUE(program.has_value()) << program.error().detail << '\n' << body;
    if (!program)
        return {};
    joinAccesses(*program);
    std::string widths;
    for (const Instruction& ins : program->instructions)
        if (ins.op == Opcode::Ld && ins.mod.space == Space::Shared && !ins.isJoined)
            widths += (widths.empty() ? "" : " ") + std::to_string(bitsOf(ins));
    return widths;
}

/// `ways` turns of what remained of a loop of four, each behind a branch.
std::string rest(int ways, const std::string& between)
{
    std::string text;
    for (int k = 0; k < ways; ++k) {
        const std::string n = std::to_string(k), f = std::to_string(20 + k);
        text += "setp.eq.s32 p" + n + ",a3," + n + "; @p" + n + " bra E; ld.shared.f32 f" + f + ",[w7+" + std::to_string(4 * k) + "]; mul.f32 f10,f10,f" + f + "; "
            + between + '\n';
    }
    return text;
}

/// A load, what stands between, and its neighbour.
std::string around(const std::string& between) { return "ld.shared.f32 f20,[w7]; " + between + " ld.shared.f32 f21,[w7+4]; add.f32 f10,f20,f21;"; }

class JoinAcrossBlocks : public testing::TestWithParam<BlocksCase> { };

TEST_P(JoinAcrossBlocks, asPtxasDoes) { EXPECT_EQ(loadsAcrossBlocks(GetParam().body), GetParam().expected); }

INSTANTIATE_TEST_SUITE_P(JoinAccesses, JoinAcrossBlocks,
    testing::Values( //
        BlocksCase { "restOfTwo", rest(2, ""), "64" }, BlocksCase { "restOfThree", rest(3, ""), "128" },
        BlocksCase { "longRest", rest(3, "sin.approx.f32 f10,f10; sin.approx.f32 f10,f10; sin.approx.f32 f10,f10;"), "128" },
        BlocksCase { "globalStoresBetween", rest(3, "st.global.f32 [w3+4096],f10;"), "128" },
        BlocksCase { "sharedStoresBetween", rest(3, "st.shared.f32 [w5+8192],f10;"), "32 32 32" },
        BlocksCase { "divisionsBetween", rest(3, "div.rn.f32 f10,f10,f1;"), "32 32 32" },
        BlocksCase { "behindAnExit", around("setp.eq.s32 p1,a3,0; @p1 ret;"), "64" },
        BlocksCase { "behindBranchesThatMeet", around("setp.eq.s32 p1,a3,0; @p1 bra M; st.global.f32 [w3+64],f20; M: @p2 bra N; st.global.f32 [w3+128],f20; N:"), "64" },
        BlocksCase { "behindAStoreOnOneWay", around("setp.eq.s32 p1,a3,0; @p1 bra M; st.shared.f32 [w5+512],f20; M:"), "32 32" },
        BlocksCase { "behindALoop", around("mov.u32 a9,0; L: sin.approx.f32 f22,f22; add.u32 a9,a9,1; setp.lt.u32 p2,a9,a1; @p2 bra L;"), "64" },
        BlocksCase { "behindABarrierOnOneWay", around("setp.eq.s32 p1,a3,0; @p1 bra M; bar.sync 0; M:"), "32 32" },
        BlocksCase { "onEitherSide",
            "setp.eq.s32 p1,a3,0; ld.shared.f32 f20,[w7]; @p1 bra X; ld.shared.f32 f21,[w7+4]; add.f32 f10,f21,f20; bra E; X: ld.shared.f32 f22,[w7+8]; "
            "add.f32 f10,f20,f22;",
            "128" },
        BlocksCase { "onEitherSideAlone",
            "setp.eq.s32 p1,a3,0; @p1 bra X; ld.shared.f32 f21,[w7+4]; add.f32 f10,f21,f1; bra E; X: ld.shared.f32 f22,[w7]; add.f32 f10,f10,f22;", "32 32" },
        BlocksCase { "divisionOfFloats", around("div.rn.f32 f22,f1,f10;"), "32 32" }, BlocksCase { "divisionByAConstant", around("div.rn.f32 f20,f20,0f40E00000;"), "32 32" },
        BlocksCase { "divisionRoundedToZero", around("div.rz.f32 f20,f20,f1;"), "32 32" }, BlocksCase { "fastDivision", around("div.full.f32 f20,f20,f1;"), "64" },
        BlocksCase { "root", around("sqrt.rn.f32 f20,f20;"), "32 32" }, BlocksCase { "reciprocal", around("rcp.rn.f32 f20,f20;"), "32 32" },
        BlocksCase { "reciprocalRoot", around("rsqrt.approx.f32 f20,f20;"), "64" }, BlocksCase { "divisionOfDoubles", around("div.rn.f64 d1,d1,d2;"), "32 32" },
        BlocksCase { "rootOfDoubles", around("sqrt.rn.f64 d1,d1;"), "32 32" }, BlocksCase { "productsOfDoubles", around("fma.rn.f64 d1,d1,d2,d1;"), "64" },
        BlocksCase { "divisionOfIntegers", around("div.s32 a8,a8,a1;"), "64" }, BlocksCase { "divisionOfLongIntegers", around("rem.u64 w9,w9,w1;"), "32 32" }),
    [](const auto& info) { return std::string(info.param.name); });

TEST(JoinedAccess, isNamedByItsWidth)
{
    Program program = programOf(Kernel { "L0 L4 L8 L12" });
    joinAccesses(program);
    for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
        if (program.instructions[i].joinedBytes == 0)
            continue;
        EXPECT_EQ(program.mnemonic(i), "ld.shared.v4.f32");
    }
}

} // namespace
} // namespace coalescope::analysis
