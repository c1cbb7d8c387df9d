// SPDX-License-Identifier: Apache-2.0
#include "ptx_text.h"

namespace coalescope::analysis {
namespace {

TEST(PtxModule, severalKernelsNeedANameAndAreListedInOrder)
{
    const std::string text = std::string(kHeader)
        + ".func helper() { ret; } .entry b() { ret; } .visible .entry a(.param .u32 n) { ret; }";
    EXPECT_EQ(refused(text).code, ErrorCode::EntryNotFound);
    EXPECT_NE(refused(text).detail.find("it has: b, a."), std::string::npos);
    EXPECT_EQ(parsePtx(text, "a")->entry, "a");
    EXPECT_EQ(parsePtx(text, "c").error().code, ErrorCode::EntryNotFound);
}

TEST(PtxModule, whoAsksWhereTheGridsBarrierLiesIsLaunchedCooperatively)
{
    const Program p = parsed(std::string(kHeader) + ".entry k() { .reg .b32 a; mov.u32 a, %envreg2; mov.u32 a, %envreg1; ret; }");
    EXPECT_TRUE(p.isCooperative);
    ASSERT_EQ(p.symbols.size(), 1u);
    EXPECT_EQ(p.symbols[0].space, Space::Global);
    EXPECT_EQ(p.instructions[1].src[0].bits << 32 | p.instructions[0].src[0].bits, p.symbols[0].address);
    EXPECT_FALSE(parsed(std::string(kHeader) + ".entry k() { ret; }").isCooperative);
}

TEST(PtxModule, parametersAreLaidOutByAlignment)
{
    const Program p = parsed(std::string(kHeader)
        + ".entry k(.param .u8 a, .param .align 8 .b8 s[12], .param .u16 b, .param .u64 .ptr "
          ".global .align 16 q) { ret; }");
    ASSERT_EQ(p.parameters.size(), 4u);
    EXPECT_EQ(p.parameters[0].offset, 0u);
    EXPECT_EQ(p.parameters[1].offset, 8u);
    EXPECT_EQ(p.parameters[1].size, 12u);
    EXPECT_EQ(p.parameters[1].align, 8u);
    EXPECT_EQ(p.parameters[2].offset, 20u);
    EXPECT_EQ(p.parameters[2].size, 2u);
    EXPECT_EQ(p.parameters[3].offset % 8, 0u);
    EXPECT_EQ(p.parameters[3].size, 8u);
    EXPECT_EQ(p.parameterBytes, p.parameters[3].offset + 8);
}

TEST(PtxModule, pointerAlignmentIsNotTheParametersOwn)
{
    const Program p = parsed(std::string(kHeader)
        + ".entry k(.param .u32 a, .param .u64 .ptr .global .align 1 q) { ret; }");
    EXPECT_EQ(p.parameters[1].offset, 8u);
    EXPECT_EQ(p.parameters[1].align, 8u);
}

// The addresses are those that ptxas 13.0 gave these variables, read from its sm_80 cubins.
TEST(PtxModule, sharedVariablesLieWhereThePtxAssemblerPutsThem)
{
    const std::string module
        = ".extern .shared .align 16 .b8 dyn[];\n.shared .align 4 .b8 modvar[20];\n";
    const std::string own = ".shared .align 1 .b8 a[5];\n.shared .align 8 .b8 b[8];\n"
                            ".shared .align 4 .b8 c[400];\n.shared .align 16 .b8 e[32];\n"
                            ".shared .align 2 .b8 unused[30];\n.shared .align 2 .b8 g[6];\n";
    const std::string names[] = { "dyn", "modvar", "g", "e", "c", "b", "a" };
    const std::uint64_t addresses[] = { 0x1e0, 0x1c8, 0x1c0, 0x1a0, 0x10, 8, 0 };
    std::string body = own;
    for (const std::string& name : names)
        body += "mov.u64 %rd1, " + name + ";\n";
    const Program p = parsed(kernelWith(body, module));
    for (std::size_t i = 0; i < std::size(names); ++i)
        EXPECT_EQ(p.instructions[i].src[0].bits, addresses[i]) << names[i];
    EXPECT_EQ(p.dynamicSharedOffset, 0x1e0u);
    EXPECT_EQ(
        p.staticSharedBytes, 0x1dcu + 30); // what the kernel declares takes space though unused
}

TEST(PtxModule, sharedVariablesOfFunctionsLieLast)
{
    const std::string before
        = ".func f() { .shared .align 4 .b8 fs[24]; .reg .b32 %r; mov.u32 %r, fs;\n"
          "st.shared.u32 [%r], %r; ret; }\n.shared .align 4 .b8 m1[20];\n"
          ".shared .align 4 .b8 unused[20];\n";
    const Program p
        = parsed(kernelWith(".shared .align 1 .b8 e1[5]; .shared .align 1 .b8 e2[7];\n"
                            "mov.u32 %r1, m1; mov.u32 %r2, e2; mov.u32 %r3, e1; call f; call f;",
            before));
    EXPECT_EQ(p.instructions[0].src[0].bits, 0xcu);
    EXPECT_EQ(p.instructions[1].src[0].bits, 5u);
    EXPECT_EQ(p.instructions[3].src[0].bits, 0x20u);
    EXPECT_EQ(p.instructions[5].src[0].bits, 0x20u);
    EXPECT_EQ(p.staticSharedBytes, 0x38u);
}

TEST(PtxModule, addressesWithAnAddendAndDynamicMemoryAlignedToSixteenBytes)
{
    const Program p = parsed(
        kernelWith("st.shared.u32 [one], %r1; st.shared.u32 [d+4], %r1; mov.u64 %rd1, d+8;",
            ".shared .align 1 .b8 one[3];\n.extern .shared .align 8 .b8 d[];\n"));
    EXPECT_EQ(p.staticSharedBytes, 3u);
    EXPECT_EQ(p.dynamicSharedOffset, 16u);
    EXPECT_EQ(p.instructions[1].src[0].bits, 16u);
    EXPECT_EQ(p.instructions[1].offset, 4);
    EXPECT_EQ(p.instructions[2].src[0].bits, 24u);
    EXPECT_EQ(p.symbols.back().size, 0u);
}

TEST(PtxModule, initialisersOfEveryKind)
{
    const Program p = parsed(kernelWith("mov.u64 %rd1, bytes; mov.u64 %rd1, f; mov.u64 %rd1, d; "
                                        "mov.u64 %rd1, m; mov.u64 %rd1, open;",
        ".global .b8 bytes[4] = { 1, -1 };\n.const .f32 f = 0f3F800000;\n.global .f64 d[1] = "
        "{0d4000000000000000};\n"
        ".global .u16 m[2][2] = {{1, 0x102}, {3}};\n.global .u32 open[] = { 7, 1 << 4, (2+3)*4 "
        "};\n"));
    ASSERT_EQ(p.symbols.size(), 5u);
    EXPECT_EQ(p.symbols[0].initial, (std::vector<std::uint8_t> { 1, 255 }));
    EXPECT_EQ(p.symbols[1].initial, (std::vector<std::uint8_t> { 0, 0, 0x80, 0x3f }));
    EXPECT_EQ(p.symbols[1].space, Space::Constant);
    EXPECT_EQ(p.symbols[1].address, kConstantBase);
    EXPECT_EQ(p.symbols[2].initial.back(), 0x40);
    EXPECT_EQ(p.symbols[3].initial, (std::vector<std::uint8_t> { 1, 0, 2, 1, 3, 0 }));
    EXPECT_EQ(p.symbols[3].size, 8u);
    EXPECT_EQ(p.symbols[4].size, 12u);
    EXPECT_EQ(p.symbols[4].initial[4], 16);
    EXPECT_EQ(p.symbols[4].initial[8], 20);
}

TEST(PtxModule, addressesInInitialisersAreResolved)
{
    const Program p = parsed(kernelWith("mov.u64 %rd1, pointers;",
        ".global .align 8 .u64 pointers[2] = { target+4, generic(s) };\n.global .u32 "
        "target[4];\n.shared .u32 s;\n"));
    ASSERT_EQ(p.symbols.size(), 3u);
    std::uint64_t first = 0, second = 0;
    for (int i = 7; i >= 0; --i) {
        first = first << 8 | p.symbols[0].initial[i];
        second = second << 8 | p.symbols[0].initial[i + 8];
    }
    EXPECT_EQ(first, p.symbols[1].address + 4);
    EXPECT_EQ(p.symbols[1].name, "target");
    EXPECT_EQ(second, kSharedWindowBase);
}

TEST(PtxModule, eachVariableInGlobalMemoryBeginsAt256Bytes) // as the driver places them, not one behind the other
{
    const Program p = parsed(kernelWith("mov.u64 %rd1, counter;\nmov.u64 %rd1, sums;\nmov.u64 %rd1, data;\nmov.u64 %rd1, start;\n",
        ".global .align 4 .u32 counter;\n.global .align 8 .b8 sums[24];\n.global .align 4 .b8 data[4096];\n.global .align 4 .u32 start = 3;\n"));
    ASSERT_EQ(p.symbols.size(), 4u);
    for (std::size_t i = 0; i < p.symbols.size(); ++i) {
        EXPECT_EQ(p.symbols[i].address % 256, 0u) << p.symbols[i].name;
        EXPECT_TRUE(i == 0 || p.symbols[i].address >= p.symbols[i - 1].address + p.symbols[i - 1].size) << p.symbols[i].name;
    }
}

TEST(PtxModule, variablesMayBeDeclaredAfterTheirUse)
{
    const Program p
        = parsed(kernelWith("ld.global.u32 %r1, [late+8];") + ".global .u32 late[4];\n");
    EXPECT_EQ(p.instructions[0].src[0].bits, kModuleGlobalBase);
    EXPECT_EQ(p.instructions[0].offset, 8);
}

TEST(PtxModule, limitsAreRead)
{
    const Program p = parsed(std::string(kHeader)
        + ".visible .entry k() .maxntid 16, 8, 2 .minnctapersm 2 .maxnreg 64 { ret; }");
    EXPECT_EQ(p.maxThreads, 256u);
    EXPECT_EQ(p.requiredBlock[0], 0u);
    const Program required = parsed(std::string(kHeader) + ".visible .entry k() .reqntid 16, 8 { ret; }");
    EXPECT_EQ(required.requiredBlock, (std::array { 16u, 8u, 1u }));
    EXPECT_EQ(required.maxThreads, 0u);
}

TEST(PtxModule, debugSectionsAreSkipped)
{
    const Program p = parsed(kernelWith("$L__begin: add.s32 %r1, %r1, 1;")
        + "\t.section .debug_str\n{\n$L__s:\n.b8 95, 0 // a\n.b32 .debug_abbrev\n.b64 "
          "$L__a-$L__b\n}\n.section .debug_loc { }\n"
          ".file 1 \"a.cu\", 123, 456\n");
    EXPECT_EQ(p.instructions.size(), 2u);
}

TEST(PtxModule, namesOfFilesAreReadAsTheyAreWhereTheyAreEscaped)
{
    for (const auto& [escaped, name] : { std::pair("/tmp/rows \\316\\261.cu", "/tmp/rows α.cu"), std::pair("α.cu", "α.cu"),
             std::pair("a \\\"b\\\" \\\\1.cu", "a \"b\" \\1.cu") })
        EXPECT_EQ(parsed(kernelWith(".loc 1 7 3\nadd.s32 %r1, %r1, 1;") + ".file 1 \"" + escaped + "\"\n").files,
            std::vector<std::string> { name });
}

TEST(PtxModule, linesComeFromLocAndOfAnInlinedCallTheLineInTheKernelsFileCounts)
{
    const Program p = parsed(
        kernelWith(".loc 2 7 3\nadd.s32 %r1, %r1, 1;\n"
                   ".loc 1 40 5, function_name $L__s0+3, inlined_at 2 8 1\nadd.s32 %r1, %r1, 1;")
        + ".file 1 \"inner.cuh\"\n.file 2 \"outer.cu\"\n");
    ASSERT_EQ(p.files, (std::vector<std::string> { "outer.cu" }));
    EXPECT_EQ(p.instructions[0].line, 7u);
    EXPECT_EQ(p.files[p.instructions[0].file], "outer.cu");
    EXPECT_EQ(p.instructions[1].line, 8u);
    EXPECT_EQ(p.files[p.instructions[1].file], "outer.cu");
    EXPECT_EQ(p.instructions[1].textLine, 9u);
    EXPECT_EQ(p.text.substr(0, 8), ".version");
}

TEST(PtxModule, samplesOfBothCompilersParse)
{
    const Program nvrtc = parsed(sample("nvrtc.ptx"));
    EXPECT_EQ(nvrtc.entry, "sample");
    EXPECT_EQ(nvrtc.parameterBytes, 37u);
    EXPECT_EQ(nvrtc.staticSharedBytes, 8 * 9 * 4 + 5 * 2u);
    EXPECT_EQ(nvrtc.dynamicSharedOffset, 304u); // 298, aligned to the extern array's 16
    const Program clang = parsed(sample("clang.ptx"));
    EXPECT_EQ(clang.staticSharedBytes, 256u);
    EXPECT_EQ(clang.files, std::vector<std::string> { "sample.cu" });
}

} // namespace
} // namespace coalescope::analysis
