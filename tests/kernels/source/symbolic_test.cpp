// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/symbolic.h"

#include "kernels/catalogue/expression.h"

#include <gtest/gtest.h>

using namespace coalescope::kernels;

namespace {

const Symbolic n = Symbolic::ofParameter("n", 1000), block = Symbolic::ofParameter("block", 256);

Symbolic number(std::int64_t value) { return Symbolic::ofInteger(value); }

/// The text, after it was seen to have the value.
std::string checked(const Symbolic& symbolic)
{
    Expressions expressions({ { "n", std::int64_t(1000) }, { "block", std::int64_t(256) } });
    const auto value = expressions.integer(symbolic.text());
    EXPECT_TRUE(value) << symbolic.text();
    EXPECT_EQ(value.value_or(-1), symbolic.asInteger()) << symbolic.text();
    return symbolic.text();
}

} // namespace

TEST(Symbolic, divisionsThatRoundUpAreSaidAsSuch)
{
    EXPECT_EQ(checked(applied("/", applied("-", applied("+", n, block), number(1)), block)), "cdiv(n, block)");
    EXPECT_EQ(checked(applied("/", applied("+", n, number(255)), number(256))), "cdiv(n, 256)");
    EXPECT_EQ(checked(applied("/", applied("+", n, number(250)), number(256))), "(n + 250) // 256");
    EXPECT_EQ(checked(asInteger(roundedUp(applied("/", asReal(n), block)))), "cdiv(n, block)");
    EXPECT_EQ(checked(asInteger(roundedDown(applied("/", asReal(n), block)))), "n // block");
}

TEST(Symbolic, negativeNumbersAreDividedTowardsZero)
{
    const Symbolic below = applied("-", n, number(1017)); // -17
    EXPECT_EQ(checked(applied("/", below, number(5))), "tdiv(n - 1017, 5)");
    EXPECT_EQ(checked(applied("%", below, number(7))), "tmod(n - 1017, 7)");
    EXPECT_EQ(applied("/", below, number(5)).asInteger(), -3);
    EXPECT_EQ(checked(applied(">>", below, number(2))), "(n - 1017) // 4"); // a shift rounds down
}

TEST(Symbolic, factorsAreKeptApartSoThatBytesBecomeElements)
{
    const Symbolic bytes = applied("*", applied("*", n, block), number(4));
    EXPECT_EQ(checked(bytes), "n * block * 4");
    EXPECT_EQ(checked(applied("/", bytes, number(4))), "n * block");
    EXPECT_EQ(checked(applied("/", bytes, number(8))), "n * block * 4 // 8");
    EXPECT_EQ(checked(applied("*", number(2), applied("+", n, number(1)))), "(n + 1) * 2");
    EXPECT_EQ(checked(applied("<<", n, number(3))), "n * 8");
    EXPECT_EQ(checked(applied(">>", n, number(1))), "n // 2");
}

TEST(Symbolic, aFactorThatIsDividedByGoes)
{
    const Symbolic rows = Symbolic::ofParameter("rows", 6), cols = Symbolic::ofParameter("cols", 4), sum = applied("+", cols, Symbolic::ofInteger(1));
    const Symbolic whole = applied("*", applied("*", rows, cols), Symbolic::ofInteger(8));
    EXPECT_EQ(applied("/", whole, cols).text(), "rows * 8");
    EXPECT_EQ(applied("/", whole, cols).integer, 48);
    EXPECT_EQ(applied("/", whole, cols).parameters, std::vector<std::string> { "rows" });
    EXPECT_EQ(applied("/", whole, applied("*", cols, rows)).text(), "8");
    EXPECT_EQ(applied("/", applied("*", rows, sum), sum).text(), "rows");
    EXPECT_EQ(applied("/", applied("*", rows, sum), cols).text(), "rows * (cols + 1) // cols") << "no factor";
    EXPECT_EQ(applied("/", applied("/", applied("*", rows, cols), Symbolic::ofInteger(5)), cols).integer, 6 * 4 / 5 / 4) << "what was rounded stays";
}

TEST(Symbolic, bracketsStandWhereTheyAreNeeded)
{
    EXPECT_EQ(checked(applied("-", n, applied("-", block, number(1)))), "n - (block - 1)");
    EXPECT_EQ(checked(applied("-", applied("-", n, block), number(1))), "n - block - 1");
    EXPECT_EQ(checked(applied("/", n, applied("/", block, number(2)))), "n // (block // 2)");
    EXPECT_EQ(checked(applied("%", applied("*", n, block), number(7))), "n * block % 7");
    EXPECT_EQ(checked(applied("*", applied("+", n, number(1)), applied("%", block, number(100)))), "(n + 1) * (block % 100)");
    EXPECT_EQ(checked(applied("&", n, number(~std::int64_t(31)))), "(n) & (-32)");
    EXPECT_EQ(checked(applied("-", n, number(-3))), "n - (-3)");
    EXPECT_EQ(checked(larger(n, applied("/", block, number(2)))), "max(n, block // 2)");
}

TEST(Symbolic, whatIsAskedChoosesForEveryValueOfTheParameters)
{
    const Symbolic blocks = applied("/", applied("+", n, number(255)), number(256));
    EXPECT_EQ(checked(choice(applied(">", blocks, number(3)), number(3), blocks)), "min(3, cdiv(n, 256))");
    EXPECT_EQ(checked(choice(applied("<", blocks, number(3)), number(3), blocks)), "max(3, cdiv(n, 256))");
    const Symbolic even = choice(applied("==", applied("%", n, number(2)), number(0)), applied("/", n, number(2)), n);
    EXPECT_EQ(checked(even), "n % 2 == 0 and n // 2 or n");
    EXPECT_EQ(checked(applied("+", applied("*", even, number(3)), block)), "(n % 2 == 0 and n // 2 or n) * 3 + block");
    EXPECT_EQ(checked(choice(applied("%", n, number(2)), n, block)), "n % 2 ~= 0 and n or block");
    const Symbolic both = applied("&&", applied(">", n, number(1)), applied("!", applied("!=", block, number(7))));
    EXPECT_EQ(checked(choice(both, n, number(0))), "(n > 1) and (not (block ~= 7)) and n or 0");
    EXPECT_EQ(checked(choice(applied("||", number(0), applied("<=", n, block)), n, number(5))), "n <= block and n or 5") << "what is a constant decides nothing";
    const Symbolic either = applied("||", applied(">", n, number(1)), applied("<", block, number(7)));
    EXPECT_EQ(checked(choice(either, n, number(0))), "((n > 1) or (block < 7)) and n or 0");
    EXPECT_EQ(checked(choice(applied("&&", number(0), applied("<", n, block)), n, number(5))), "5");
    EXPECT_TRUE(applied("<", n, block).isConstant()) << "the comparison itself is 0 or 1";
    EXPECT_EQ(choice(applied("<", n, block), n, block).parameters, (std::vector<std::string> { "n", "block" }));
}

TEST(Symbolic, constantsAreComputedAsCppDoes)
{
    EXPECT_EQ(applied("/", number(-7), number(2)).integer, -3);
    EXPECT_EQ(applied("/", number(7), number(0)).integer, 0);
    EXPECT_EQ(applied("%", number(INT64_MIN), number(-1)).integer, 0);
    EXPECT_EQ(applied("+", number(INT64_MAX), number(1)).integer, INT64_MIN);
    EXPECT_EQ(applied("<<", number(1), number(70)).integer, 0);
    EXPECT_EQ(applied("/", Symbolic::ofReal(1), number(4)).real, 0.25);
    EXPECT_EQ(applied("<", n, block).integer, 0) << "a comparison has the value of now";
    EXPECT_EQ(asInteger(Symbolic::ofReal(1e300)).integer, 0);
}

TEST(Symbolic, literalsOfEveryForm)
{
    EXPECT_EQ(literal("1'000'000").integer, 1000000);
    EXPECT_EQ(literal("0x10u").integer, 16);
    EXPECT_EQ(literal("0b101").integer, 5);
    EXPECT_EQ(literal("010").integer, 8);
    EXPECT_EQ(literal("0").integer, 0);
    EXPECT_EQ(literal("0xffULL").integer, 255);
    EXPECT_EQ(literal("1e-3f").real, 1e-3);
    EXPECT_TRUE(literal("2.f").isReal);
    EXPECT_TRUE(literal("1e6").isReal);
    EXPECT_EQ(literal("99999999999999999999999").integer, 0) << "beyond 64 bits";
}

TEST(Symbolic, anEndlessExpressionBecomesItsValue)
{
    Symbolic sum = n;
    for (int i = 0; i < 1000; ++i)
        sum = applied("+", sum, block);
    EXPECT_LT(sum.text().size(), 1100u);
    EXPECT_EQ(sum.integer, 1000 + 256000);
}
