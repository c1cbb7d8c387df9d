// SPDX-License-Identifier: Apache-2.0
#include "kernels/catalogue/expression.h"

#include <gtest/gtest.h>

#include <vector>

using namespace coalescope;
using namespace coalescope::kernels;

namespace {

const ExpressionValues kValues { { "rows", std::int64_t(1000) }, { "cols", std::int64_t(65536) },
    { "type", std::string("f16") } };

TEST(Expression, knowsParametersAndHelpers)
{
    Expressions expressions(kValues);
    EXPECT_EQ(expressions.integer("cdiv(rows, 32)"), 32);
    EXPECT_EQ(expressions.integer("cdiv(0, 32)"), 0);
    EXPECT_EQ(expressions.integer("cdiv(64, 32)"), 2);
    EXPECT_EQ(expressions.integer("min(rows, 64 + rows % 32, 2000)"), 72);
    EXPECT_EQ(expressions.integer("max(1, rows, 3)"), 1000);
    EXPECT_EQ(expressions.integer("tdiv(-17, 5)"), -3);
    EXPECT_EQ(expressions.integer("tmod(-17, 5)"), -2);
    EXPECT_FALSE(expressions.integer("tdiv(rows, 0)"));
    EXPECT_EQ(expressions.integer("size(type) * 4"), 8);
    EXPECT_EQ(expressions.integer("type == 'f16' and 1 or 2"), 1);
    EXPECT_EQ(expressions.condition("rows % 8 == 0 and type ~= 'f32'"), true);
    EXPECT_EQ(expressions.text("type"), "f16");
}

TEST(Expression, countsIn64Bits)
{
    Expressions expressions(kValues);
    EXPECT_EQ(expressions.integer("cols * cols * 4"), std::int64_t(1) << 34);
}

TEST(Expression, aTrueDivisionIsAnIntegerOnlyWhereItComesOutEven)
{
    Expressions expressions(kValues);
    EXPECT_EQ(expressions.integer("rows / 8"), 125);
    EXPECT_FALSE(expressions.integer("rows / 7"));
}

TEST(Expression, aScalarMayHaveAFraction)
{
    Expressions expressions(kValues);
    EXPECT_EQ(expressions.scalar("0.01"), "0.01");
    EXPECT_EQ(expressions.scalar("1.5e-3"), "0.0015");
    EXPECT_EQ(expressions.scalar("1.0 / rows"), "0.001");
    EXPECT_EQ(expressions.scalar("rows / 8"), "125"); // whole
    EXPECT_EQ(expressions.scalar("2.0 ^ 40"), "1099511627776");
    EXPECT_EQ(expressions.scalar("'0.5'"), "0.5");
    EXPECT_EQ(expressions.scalar("1 / 0"), "inf");
    EXPECT_FALSE(expressions.scalar("rows == 1"));
    EXPECT_FALSE(expressions.text("0.5")); // no parameter's value
}

TEST(Expression, wrongTypesAndNamesAreErrors)
{
    Expressions expressions(kValues);
    for (const char* text : { "", "rows +", "unknown * 2", "rows % 0", "rows // 0", "'a' .. 'b'", "cdiv(1, 0)",
             "size('f7')", "rows == 1", "{}", "nil", "rows) (2", "1 end while true do local x = (1" }) {
        const auto value = expressions.integer(text);
        ASSERT_FALSE(value) << text;
        EXPECT_EQ(value.error().code, ErrorCode::BadInput);
        EXPECT_NE(value.error().detail.find(text), std::string::npos);
    }
    EXPECT_FALSE(expressions.condition("rows"));
}

TEST(Expression, noLibraryIsThere)
{
    Expressions expressions(kValues);
    for (const char* text : { "os.time()", "io.open('/etc/passwd')", "load('return 1')()", "require('os')",
             "string.rep('a', 10)", "('a'):rep(10)", "setmetatable({}, {})", "print(1)", "_G.rows" })
        EXPECT_FALSE(expressions.integer(text)) << text;
}

TEST(Expression, anEndlessLoopEndsWithAnError)
{
    Expressions expressions(kValues);
    const auto value = expressions.integer("(function() while true do end end)()");
    ASSERT_FALSE(value);
    EXPECT_NE(value.error().detail.find("may not define a function"), std::string::npos);
}

TEST(Expression, theWordFunctionInsideATextIsNone)
{
    Expressions expressions(kValues);
    EXPECT_EQ(expressions.text("'a function \\' function'"), "a function ' function");
    EXPECT_FALSE(expressions.text("'\\\\' .. (function() return 'x' end)()"));
}

TEST(Expression, hugeMemoryEndsWithAnError)
{
    // Each doubling is one operator: 24 of them would make 16 MiB of a 4-byte text.
    ExpressionValues values { { "t0", std::string(2'000'000, 'x') } };
    Expressions expressions(values);
    EXPECT_FALSE(expressions.text("t0 .. t0 .. t0 .. t0"));
    EXPECT_EQ(expressions.integer("1 + 1"), 2); // and the next one works
}

TEST(Expression, moreParametersThanTheLimitHoldsIsAnErrorNotAnAbort)
{
    ExpressionValues values { { "t0", std::string(8'000'000, 'x') } };
    Expressions expressions(values);
    EXPECT_FALSE(expressions.integer("1"));
    std::vector<std::int64_t> out(4);
    EXPECT_FALSE(expressions.indices("i", 0, out));
}

TEST(Expression, aDeepOrLongTextIsAnError)
{
    Expressions expressions(kValues);
    EXPECT_FALSE(expressions.integer(std::string(1000, '(') + "1" + std::string(1000, ')')));
    EXPECT_FALSE(expressions.integer("1" + std::string(5000, ' ')));
}

TEST(Expression, indicesEqualTheExpressionOneByOne)
{
    const ExpressionValues values { { "rows", std::int64_t(7) }, { "cols", std::int64_t(1801) } };
    Expressions expressions(values);
    std::vector<std::int64_t> all(7 * 1801), part(100);
    ASSERT_TRUE(expressions.indices("i % rows * cols + i // rows", 0, all));
    for (std::int64_t i = 0; i < std::int64_t(all.size()); ++i)
        ASSERT_EQ(all[std::size_t(i)], i % 7 * 1801 + i / 7);
    ASSERT_TRUE(expressions.indices("i % rows * cols + i // rows", 4090, part)); // over a chunk's border
    for (std::size_t k = 0; k < part.size(); ++k)
        ASSERT_EQ(part[k], all[4090 + k]);
}

TEST(Expression, badIndicesAreErrors)
{
    Expressions expressions(kValues);
    std::vector<std::int64_t> out(10);
    for (const char* text : { "i / 2", "i == 1", "nothing[i]", "i) end while true do x = (1", "i +" })
        EXPECT_FALSE(expressions.indices(text, 0, out)) << text;
}

TEST(Expression, reservedWordsNameNoParameter)
{
    EXPECT_TRUE(isExpressionName("rows_per_block"));
    for (const char* name : { "", "i", "min", "end", "2x", "a-b", "__k", "function", "größe" })
        EXPECT_FALSE(isExpressionName(name)) << name;
    EXPECT_EQ(nameProblem("size"), "expressions have a function of this name");
    EXPECT_EQ(nameProblem("end"), "the word has a meaning in expressions");
    EXPECT_EQ(nameProblem("2x"), "a name has letters, digits and _, and begins with no digit");
}

} // namespace
