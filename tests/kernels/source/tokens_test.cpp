// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/tokens.h"

#include <gtest/gtest.h>

#include <string>

using namespace coalescope::kernels;

namespace {

std::string joined(std::string_view source)
{
    std::string text;
    for (const Token& token : tokensOf(source))
        text += (text.empty() ? "" : "|") + std::string(token.text);
    return text;
}

} // namespace

TEST(Tokens, commentsAreLeftOutAndTextsAreWhole)
{
    EXPECT_EQ(joined("a /* b */ c // d\ne"), "a|c|e");
    EXPECT_EQ(joined("f(\"// no \\\" comment\", '\\'')"), "f|(|\"// no \\\" comment\"|,|'\\''|)");
    EXPECT_EQ(joined("R\"x(a \" )\" b)x\" u8R\"(c)\""), "R\"x(a \" )\" b)x\"|u8R\"(c)\"");
}

TEST(Tokens, numbersKeepTheirSignsAndSeparators)
{
    EXPECT_EQ(joined("1'000+0x1p-3 1e-5f .5f-2 0xeE+1"), "1'000|+|0x1p-3|1e-5f|.5f|-|2|0xeE|+|1");
}

TEST(Tokens, aLaunchIsTakenApartAndTemplatesClose)
{
    EXPECT_EQ(joined("k<A<B<3>>><<<g, b>>>(x)"), "k|<|A|<|B|<|3|>|>|>|<<<|g|,|b|>|>|>|(|x|)");
    EXPECT_EQ(joined("a->b <<= c << d"), "a|->|b|<<=|c|<<|d");
}

TEST(Tokens, launchesThatAFormatterTookApartAreWhole)
{
    EXPECT_EQ(withWholeLaunchMarks("k << <g, b >> > (x); y << z >> w; k<4> <<\t<g"), "k <<< g, b >>>  (x); y << z >> w; k<4> <<<\tg");
}

TEST(Tokens, aDirectiveIsAWholeLineWithItsContinuations)
{
    const auto tokens = tokensOf("#define A(x) \\\n  f(x) // of a\nint b; #c\n # if X /* two\nlines */ > 1\n");
    ASSERT_EQ(tokens.size(), 7u);
    EXPECT_EQ(tokens[0].kind, TokenKind::Directive);
    EXPECT_EQ(partsOf(tokens[0]).name, "define");
    EXPECT_TRUE(partsOf(tokens[0]).rest.starts_with("A(x) \\\n  f(x)"));
    EXPECT_EQ(tokens[4].text, "#") << "not at the start of a line";
    EXPECT_EQ(partsOf(tokens[6]).name, "if");
}

TEST(Tokens, bracketsAndAnglesFindTheirOther)
{
    const auto tokens = tokensOf("f(a[{1}], (2)) x < y && z > w k<(a > b), T>");
    EXPECT_EQ(tokens[behindBracket(tokens, 1)].text, "x");
    const auto less = behindBracket(tokens, 1) + 1;
    EXPECT_EQ(behindAngle(tokens, less), less) << "compares";
    const auto angle = tokens.size() - 9;
    ASSERT_EQ(tokens[angle].text, "<");
    EXPECT_EQ(behindAngle(tokens, angle), tokens.size());
    EXPECT_EQ(behindBracket(tokensOf("(("), 0), 2u) << "never closed";
}

TEST(Tokens, whatIsNoSourceIsNoCrash)
{
    for (const char* odd : { "\"", "'", "R\"(", "/*", "\\", "#", "#define", "\"\\", "0x", "1'", "\x01\xff\x80", "<<<", "#include \"a" })
        (void)tokensOf(odd);
}

TEST(Tokens, aNotebooksFirstLineIsAComment)
{
    EXPECT_EQ(withoutCellMagic("%%writefile a.cu\nint x;\n"), "//writefile a.cu\nint x;\n");
    EXPECT_EQ(withoutCellMagic("\n%%cu\nint x;\n"), "\n//cu\nint x;\n");
    EXPECT_EQ(withoutCellMagic("int x = 5 %% 3;\n"), "int x = 5 %% 3;\n");
    EXPECT_EQ(withoutCellMagic("%"), "%");
}
