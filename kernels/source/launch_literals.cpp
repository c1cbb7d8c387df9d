// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/launch_literals.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace coalescope::kernels {
namespace {

    constexpr std::int64_t kLeastSize = 32; ///< of a literal that something else is made of: smaller numbers are equal by chance
    constexpr std::size_t kMostFactors = 3;

    bool isToTry(const LaunchArgument& argument, const KernelParameter& parameter)
    {
        static constexpr std::int64_t kMost = 1 << 26;
        const Symbolic& value = argument.number;
        const bool isInteger = parameter.pointers == 0 && parameter.plain && parameter.plain->elements == 1 && (parameter.plain->element[0] == 'i' || parameter.plain->element[0] == 'u');
        return isInteger && argument.kind == LaunchArgument::Kind::Number && value.isConstant() && !value.isReal && std::abs(value.integer) <= kMost;
    }

    std::optional<Symbolic> productOf(std::span<const LaunchLiteral> literals, std::int64_t count, std::size_t factors, const Symbolic& product)
    {
        if (product.integer == count && !product.isConstant())
            return product;
        for (std::size_t i = 0; i < literals.size() && factors > 0; ++i) {
            const LaunchLiteral& literal = literals[i];
            if (literal.value < 2 || count % literal.value != 0)
                continue;
            const Symbolic more = applied("*", product, Symbolic::ofParameter(literal.name, literal.value));
            if (auto found = productOf(literals.subspan(i + 1), count, factors - 1, more))
                return found;
        }
        return std::nullopt;
    }

}

std::vector<LaunchLiteral> literalsOf(
    std::span<const KernelParameter> parameters, std::span<const LaunchArgument> arguments, const std::set<std::string, std::less<>>& taken)
{
    constexpr std::int64_t kMost = std::int64_t(1) << 31;
    std::vector<LaunchLiteral> literals;
    for (std::size_t i = 0; i < std::min(parameters.size(), arguments.size()); ++i) {
        const KernelParameter& parameter = parameters[i];
        const bool isAlone = std::ranges::count(parameters, parameter.name, &KernelParameter::name) == 1 && !taken.contains(parameter.name);
        if (isAlone && isToTry(arguments[i], parameter) && !parameter.name.starts_with("block_"))
            literals.push_back({ parameter.name, arguments[i].number.integer, parameter.type == "bool" ? 1 : kMost, parameter.plain->element[0] == 'u' });
    }
    return literals;
}

Symbolic blocksOver(std::span<const LaunchLiteral> literals, const Symbolic& count, std::int64_t threads)
{
    std::optional<Symbolic> found;
    for (const LaunchLiteral& literal : literals) {
        if (literal.value < kLeastSize || count.integer <= 1)
            continue;
        const Symbolic number = Symbolic::ofParameter(literal.name, literal.value);
        for (const Symbolic& made : { dividedUp(number, Symbolic::ofInteger(threads)), number }) {
            if (made.integer != count.integer)
                continue;
            if (found && found->text() != made.text())
                return count;
            found = made;
        }
    }
    return found.value_or(count);
}

Symbolic productOf(std::span<const LaunchLiteral> literals, const Symbolic& count)
{
    if (!count.isConstant() || count.integer < kLeastSize)
        return count;
    for (std::size_t factors = 1; factors <= kMostFactors; ++factors) // the fewest
        if (const auto product = productOf(literals, count.integer, factors, Symbolic::ofInteger(1)))
            return *product;
    return count;
}

} // namespace coalescope::kernels
