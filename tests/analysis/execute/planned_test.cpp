// SPDX-License-Identifier: Apache-2.0
// A plan changes nothing: programs made to break its shortcuts, with and without it.
#include "ptx_kernel.h"

#include <algorithm>
#include <cstring>

namespace coalescope::analysis {
namespace {

using namespace testing_;

constexpr const char* kShared = ".shared .align 16 .b8 s[1024];\nmov.u32 %r30, s;\n"
                                "shl.b32 %r29, %tid, 2;\nand.b32 %r29, %r29, 1023;\n"
                                "add.u32 %r28, %r30, %r29;\n";

struct ProgramRow {
    const char* name;
    std::string body;
};
const ProgramRow kPrograms[] = {
    { "raceInSomeBlocks",
        std::string(kShared)
            + "and.b32 %r1, %bid, 3;\nshl.b32 %r1, %r1, 7;\nst.shared.u32 [%r28], %tid;\n"
              "xor.b32 %r2, %r29, %r1;\nadd.u32 %r2, %r2, %r30;\nld.shared.u32 %r3, [%r2];\n"
              "st.global.u32 [%out], %r3;" },
    { "uninitialisedInSomeBlocks",
        std::string(kShared)
            + "setp.gt.u32 %p1, %bid, 4;\n@!%p1 st.shared.u32 [%r28], %tid;\nbar.sync 0;\n"
              "ld.shared.u32 %r3, [%r28];\nst.global.u32 [%out], %r3;" },
    { "oneWordWrittenByAllLanes",
        std::string(kShared)
            + "setp.gt.u32 %p1, %bid, 2;\nselp.u32 %r1, %tid, 7, %p1;\n"
              "st.shared.u32 [s], %r1;\nbar.sync 0;\nld.shared.u32 %r3, [s];\n"
              "st.global.u32 [%out], %r3;" },
    { "unknownWordWrittenByAllLanes",
        std::string(kShared) + "ld.global.u32 %r1, [%in];\nst.shared.u32 [s], %r1;" },
    { "indexFromSharedMemory",
        std::string(kShared)
            + "add.u32 %r1, %tid, %bid;\nst.shared.u32 [%r28], %r1;\nbar.sync 0;\n"
              "xor.b32 %r2, %r29, 4;\nadd.u32 %r2, %r2, %r30;\nld.shared.u32 %r3, [%r2];\n"
              "mul.wide.u32 %rd1, %r3, 4;\nadd.u64 %rd1, %rd1, %in;\nld.global.u32 %r4, [%rd1];\n"
              "st.global.u32 [%out], %r4;" },
    { "indexFromGlobalThroughShared",
        std::string(kShared)
            + "mul.wide.u32 %rd1, %tid, 4;\nadd.u64 %rd1, %rd1, %in;\nld.global.u32 %r1, [%rd1];\n"
              "st.shared.u32 [%r28], %r1;\nbar.sync 0;\nld.shared.u32 %r3, [%r28+0];\n"
              "shl.b32 %r3, %r3, 1;\nand.b32 %r3, %r3, 63;\nmul.wide.u32 %rd2, %r3, 4;\n"
              "add.u64 %rd2, %rd2, %out;\nst.global.u32 [%rd2], %r3;" },
    { "warpSynchronisation",
        std::string(kShared)
            + "st.shared.u32 [%r28], %tid;\nbar.warp.sync 0xffffffff;\nxor.b32 %r2, %r29, 4;\n"
              "add.u32 %r2, %r2, %r30;\nld.shared.u32 %r3, [%r2];\nbar.sync 0;\n"
              "st.shared.u32 [%r28], %r3;" },
    { "sharedAtomicsBetween",
        std::string(kShared)
            + "st.shared.u32 [%r28], %tid;\nbar.sync 0;\natom.shared.add.u32 %r1, [s], 1;\n"
              "bar.sync 0;\nld.shared.u32 %r3, [%r28];\nst.shared.u32 [%r28], %r1;" },
    { "namedBarrier",
        std::string(kShared)
            + "st.shared.u32 [%r28], %tid;\nbarrier.sync 1, 64;\nld.shared.u32 %r3, [%r28];\n"
              "st.shared.u32 [%r28], %r3;" },
    { "loopOverSharedTiles",
        std::string(kShared)
            + "mov.u32 %r1, 0;\nL:\nst.shared.u32 [%r28], %r1;\nbar.sync 0;\nshl.b32 %r2, %r1, 2;\n"
              "xor.b32 %r2, %r2, %r29;\nadd.u32 %r2, %r2, %r30;\nld.shared.u32 %r3, [%r2];\n"
              "bar.sync 0;\nadd.u32 %r1, %r1, 1;\nadd.u32 %r4, %bid, 2;\n"
              "setp.lt.u32 %p1, %r1, %r4;\n@%p1 bra L;" },
    { "sharedOutOfBounds",
        std::string(kShared)
            + "shl.b32 %r1, %bid, 7;\nadd.u32 %r1, %r1, %r28;\nst.shared.u32 [%r1], %tid;\n"
              "ld.shared.u16 %rs1, [%r1+1];" },
    { "globalOutOfBounds",
        "mad.lo.u32 %r1, %bid, 37, %tid;\nmul.wide.u32 %rd1, %r1, 4;\nadd.u64 %rd2, %rd1, %in;\n"
        "add.u64 %rd3, %rd1, %out;\nld.global.u32 %r2, [%rd2];\nst.global.u32 [%rd3], %r2;\n"
        "ld.global.v2.u32 {%r3, %r4}, [%rd2];" },
    { "divergentLoop",
        "mov.u32 %r1, 0;\nand.b32 %r2, %tid, 7;\nadd.u32 %r2, %r2, %bid;\nL:\n"
        "mul.wide.u32 %rd1, %r1, 12;\nadd.u64 %rd1, %rd1, %in;\nld.global.u32 %r3, [%rd1];\n"
        "add.u32 %r1, %r1, 1;\nsetp.le.u32 %p1, %r1, %r2;\n@%p1 bra L;\n"
        "st.global.u32 [%out], %r1;" },
    { "registersReadEarly",
        "setp.lt.u32 %p1, %tid, 9;\n@%p1 mov.u32 %r1, 8;\n@!%p1 mov.u32 %r2, 12;\n"
        "add.u32 %r3, %r1, %r2;\n@%p2 add.u32 %r3, %r3, 4;\nmov.pred %p2, %p1;\n"
        "mul.wide.u32 %rd1, %r3, 4;\nadd.u64 %rd1, %rd1, %in;\nld.global.u32 %r4, [%rd1];" },
    { "valuesOfLanesElsewhere",
        "setp.lt.u32 %p1, %tid, 9;\n@%p1 bra L;\nadd.u32 %r1, %tid, %bid;\nL:\n"
        "shfl.sync.bfly.b32 %r2, %r1, 8, 31, -1;\nmul.wide.u32 %rd1, %r2, 4;\n"
        "add.u64 %rd1, %rd1, %in;\nld.global.u32 %r4, [%rd1];" },
    { "valuesOfLanesThatNeverWroteThem",
        "setp.lt.u32 %p1, %tid, 9;\n@%p1 bra L;\nadd.u32 %r1, %tid, 5;\n"
        "shfl.sync.bfly.b32 %r2, %r1, 8, 31, -1;\nmul.wide.u32 %rd1, %r2, 16;\n"
        "add.u64 %rd1, %rd1, %in;\nld.global.u32 %r4, [%rd1];\nL:\n"
        "ld.global.u32 %r5, [%in];" },
    { "carries",
        "add.cc.u32 %r1, %tid, 0xfffffff0;\naddc.u32 %r2, %bid, 0;\nmul.wide.u32 %rd1, %r2, 4;\n"
        "add.u64 %rd1, %rd1, %in;\nld.global.u32 %r4, [%rd1];" },
    { "localMemory",
        ".local .align 4 .b8 l[64];\nand.b32 %r1, %tid, 15;\nshl.b32 %r1, %r1, 2;\n"
        "mov.u32 %r2, l;\nadd.u32 %r2, %r2, %r1;\nst.local.u32 [%r2], %bid;\n"
        "ld.local.u32 %r3, [%r2];\nld.local.u32 %r5, [l];\nadd.u32 %r3, %r3, %r5;\n"
        "mul.wide.u32 %rd1, %r3, 4;\nadd.u64 %rd1, %rd1, %in;\nld.global.u32 %r4, [%rd1];" },
    { "storedAndLoadedAgain",
        "mad.lo.u32 %r1, %bid, 8, %tid;\nmul.wide.u32 %rd1, %r1, 4;\nadd.u64 %rd2, %rd1, %in;\n"
        "st.global.u32 [%rd2], %tid;\nld.global.u32 %r2, [%rd2];\nand.b32 %r2, %r2, 31;\n"
        "mul.wide.u32 %rd3, %r2, 8;\nadd.u64 %rd3, %rd3, %out;\nst.global.u32 [%rd3], %r2;" },
    { "indexFromOneBufferValuesToAnother",
        "mul.wide.u32 %rd1, %tid, 4;\nadd.u64 %rd2, %rd1, %in;\nadd.u64 %rd3, %rd1, %out;\n"
        "mul.lo.u32 %r1, %tid, %bid;\nst.global.u32 [%rd3], %r1;\nld.global.u32 %r2, [%rd2];\nand.b32 %r2, %r2, 31;\n"
        "mul.wide.u32 %rd4, %r2, 8;\nadd.u64 %rd4, %rd4, %out;\nst.global.u32 [%rd4], %r1;" },
    { "indexFromWhatWasStoredThroughAChosenPointer",
        "mul.wide.u32 %rd1, %tid, 4;\nsetp.gt.u32 %p1, %bid, 2;\nselp.b64 %rd2, %in, %out, %p1;\nadd.u64 %rd2, %rd2, %rd1;\n"
        "and.b32 %r1, %tid, 7;\nst.global.u32 [%rd2], %r1;\nadd.u64 %rd3, %in, %rd1;\nld.global.u32 %r2, [%rd3];\n"
        "and.b32 %r2, %r2, 31;\nmul.wide.u32 %rd4, %r2, 8;\nadd.u64 %rd4, %rd4, %in;\nld.global.u32 %r3, [%rd4];" },
    { "shuffledValuesThatAreStoredAlone",
        "mul.wide.u32 %rd1, %tid, 4;\nadd.u64 %rd2, %rd1, %in;\nld.global.u32 %r1, [%rd2];\n"
        "shfl.sync.bfly.b32 %r2, %r1, 8, 31, -1;\nst.global.u32 [%out], %r2;\nand.b32 %r1, %r1, 15;\n"
        "mul.wide.u32 %rd3, %r1, 8;\nadd.u64 %rd3, %rd3, %in;\nld.global.u32 %r3, [%rd3];" },
    { "indexFromAnAtomicCounter",
        "atom.global.add.u32 %r1, [%out], 1;\nand.b32 %r1, %r1, 15;\nmul.wide.u32 %rd3, %r1, 8;\n"
        "add.u64 %rd3, %rd3, %in;\nld.global.u32 %r3, [%rd3];" },
    { "exitsEarly",
        "setp.gt.u32 %p1, %tid, %bid;\n@%p1 ret;\nsetp.gt.u32 %p2, %tid, 40;\n@%p2 bra L;\n"
        "ld.global.u8 %rs1, [%in+3];\nL:\nmul.wide.u32 %rd1, %tid, 4;\nadd.u64 %rd1, %rd1, %in;\n"
        "ld.global.u32 %r4, [%rd1];" },
};

class Planned : public testing::TestWithParam<ProgramRow> { };

/// True where the launch runs at all.
bool expectSame(const Program& program, const Launch& launch)
{
    const auto handlers = gridTotals(
        program, launch, { .threads = 1, .executeEveryBlock = true, .planBlocks = false });
    const auto handlersOutput = gridOutput(program, launch, { .planBlocks = false });
    for (const SimdLevel level : { SimdLevel::Portable, SimdLevel::Avx2, SimdLevel::Avx512 }) {
        if (!isSupported(level))
            continue;
        for (const int threads : { 1, 2, 3 }) {
            const auto planned = gridTotals(program, launch,
                { .threads = threads, .executeEveryBlock = true, .simd = level });
            EXPECT_EQ(planned.has_value(), handlers.has_value());
            if (!planned || !handlers) {
                EXPECT_EQ(planned.error().detail, handlers.error().detail);
                continue;
            }
            EXPECT_EQ(planned->instructions, handlers->instructions);
            EXPECT_EQ(planned->warpInstructions, handlers->warpInstructions);
            EXPECT_EQ(planned->hazards, handlers->hazards);
            EXPECT_EQ(planned->valuesNeeded, handlers->valuesNeeded);
        }
        const auto output = gridOutput(program, launch, { .simd = level });
        EXPECT_EQ(output.has_value(), handlersOutput.has_value());
        if (!output || !handlersOutput)
            continue;
        EXPECT_EQ(output->buffers, handlersOutput->buffers);
        EXPECT_EQ(output->writer, handlersOutput->writer);
        EXPECT_EQ(output->hazards, handlersOutput->hazards);
    }
    return handlers.has_value();
}

TEST_P(Planned, equalsTheHandlers)
{
    const Program program = kernelOf(GetParam().body);
    int run = 0;
    for (const std::uint32_t threads : { 32u, 64u, 50u, 160u, 7u })
        for (const std::uint32_t blocks : { 1u, 9u })
            run += expectSame(program, launchOf({ blocks }, { threads }, 256, 5));
    EXPECT_GE(run, 2);
}

TEST(PlannedBlocks, followAnIndexThroughTwoPointersToOneBuffer)
{
    const Program program = kernelOf("mul.wide.u32 %rd1, %tid, 4;\nadd.u64 %rd2, %rd1, %out;\nand.b32 %r1, %tid, 7;\n"
                                     "st.global.u32 [%rd2], %r1;\nadd.u64 %rd3, %rd1, %in;\nld.global.u32 %r2, [%rd3];\n"
                                     "mul.wide.u32 %rd4, %r2, 32;\nadd.u64 %rd4, %rd4, %in;\nld.global.u32 %r3, [%rd4];");
    Launch launch = launchOf({ 2 }, { 32 }, 256, 5);
    std::memcpy(&launch.parameters[8], &launch.parameters[0], 8); // both are the first buffer
    ASSERT_TRUE(expectSame(program, launch));
    const auto totals = gridTotals(program, launch, { .executeEveryBlock = true });
    ASSERT_TRUE(totals);
    const auto last = std::ranges::find_if(totals->instructions.rbegin(), totals->instructions.rend(),
        [](const InstructionTotals& counts) { return counts.requests > 0; });
    EXPECT_EQ(last->sectors, 2 * 8) << "indices are 0 to 7, 32 bytes apart";
}

INSTANTIATE_TEST_SUITE_P(, Planned, testing::ValuesIn(kPrograms),
    [](const auto& row) { return std::string(row.param.name); });

} // namespace
} // namespace coalescope::analysis
