// SPDX-License-Identifier: Apache-2.0
#include "analysis/program/program.h"

#include <gtest/gtest.h>

namespace coalescope::analysis {
namespace {

TEST(Names, mnemonicSaysWhatTheInstructionDoes)
{
    Program program;
    Instruction& load = program.instructions.emplace_back();
    load.op = Opcode::Ld;
    load.type = Type::F32;
    load.mod.space = Space::Global;
    load.vector = 4;
    Instruction& store = program.instructions.emplace_back();
    store.op = Opcode::St;
    store.type = Type::F64;
    store.mod.space = Space::Shared;
    program.instructions.emplace_back().op = Opcode::Bar;
    EXPECT_EQ(program.mnemonic(0), "ld.global.v4.f32");
    EXPECT_EQ(program.mnemonic(1), "st.shared.f64");
    EXPECT_EQ(program.mnemonic(2), "bar.sync");
    EXPECT_EQ(nameOf(Type::BF16x2), "bf16x2");
    EXPECT_EQ(nameOf(Opcode::CpAsyncWait), "cp.async.wait_group");
}

} // namespace
} // namespace coalescope::analysis
