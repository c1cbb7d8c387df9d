// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/block_sizes.h"

#include "kernels/catalogue/kernel_impl.h"
#include "kernels/source/declarations.h"
#include "kernels/source/tokens.h"

#include <algorithm>

namespace coalescope::kernels {
namespace {

constexpr std::int64_t kLeastTile = 8; ///< smaller literals stand for other things more often
constexpr auto kAxes = std::to_array<std::string_view>({ "x", "y", "z" });

bool isWhole(const Token& token)
{
    return token.kind == TokenKind::Number && !literal(token.text).isReal;
}

void add(BlockUse& use, std::span<const Token> body)
{
    const auto isPart = [&](std::size_t at, std::string_view name, std::string_view axis) {
        return at + 2 < body.size() && body[at].is(name) && body[at + 1].is(".") && body[at + 2].is(axis);
    };
    bool isShared = false;
    for (std::size_t i = 0; i < body.size(); ++i) {
        isShared = body[i].is("__shared__") || (isShared && !body[i].is(";"));
        if (isShared && isWhole(body[i]))
            use.sharedExtents.push_back(literal(body[i].text).integer);
        for (std::size_t axis = 0; axis < kAxes.size(); ++axis) {
            use.hasSize[axis] |= isPart(i, "blockDim", kAxes[axis]);
            use.hasGrid[axis] |= isPart(i, "gridDim", kAxes[axis]);
            use.hasIndex[axis] |= body[i].is("this_grid") || body[i].is("grid_group");
            if (!body[i].is("blockIdx"))
                continue;
            const bool isBehind = isPart(i, "blockIdx", kAxes[axis]) && i > 3 && body[i - 1].is("*") && isPart(i - 4, "blockDim", kAxes[axis]);
            const bool isBefore = isPart(i, "blockIdx", kAxes[axis]) && i + 3 < body.size() && body[i + 3].is("*") && isPart(i + 4, "blockDim", kAxes[axis]);
            const bool isOfOther = i + 2 < body.size() && body[i + 1].is(".") && !body[i + 2].is(kAxes[axis]);
            use.hasIndex[axis] |= !isOfOther;
            use.hasPlaceAlone[axis] |= !isBehind && !isBefore && !isOfOther;
        }
    }
}

/// Whether a shared array is a little wider than the block.
bool hasHalo(const BlockUse& use, std::int64_t size)
{
    return std::ranges::any_of(use.sharedExtents, [&](std::int64_t extent) { return extent > size && extent < 2 * size; });
}

} // namespace

std::optional<Symbolic> overBlock(Symbolic grid, std::int64_t size, const std::string& name)
{
    const std::string number = std::to_string(size);
    std::vector<std::size_t> divisors;
    for (std::size_t at = grid.base.find(number); at != std::string::npos; at = grid.base.find(number, at + number.size())) {
        const std::size_t behind = at + number.size();
        if (at == 0 || isWordPart(grid.base[at - 1]) || (behind < grid.base.size() && isWordPart(grid.base[behind])))
            continue;
        const std::string_view before = std::string_view(grid.base).substr(0, at);
        const bool isRoundedUp = before.ends_with(", ") && behind < grid.base.size() && grid.base[behind] == ')' && before.find("cdiv(") != before.npos;
        if (!isRoundedUp && !before.ends_with(" // "))
            return std::nullopt;
        divisors.push_back(at);
    }
    if (grid.factor != 1 || divisors.size() != 1)
        return std::nullopt;
    grid.base.replace(divisors[0], number.size(), name);
    grid.parameters.push_back(name);
    return grid;
}

bool dividesOther(const ProgramLaunch& launch, std::size_t axis)
{
    const std::int64_t size = launch.block[axis].integer;
    for (std::size_t other = 0; other < launch.grid.size(); ++other)
        if (launch.block[other].integer != size && overBlock(launch.grid[other], size, "size"))
            return true;
    return false;
}

bool isLiteralIn(std::span<const std::string> deviceCode, std::int64_t value)
{
    if (value < kLeastTile)
        return false;
    for (const std::string& code : deviceCode) {
        const std::vector<Token> tokens = tokensOf(code);
        for (const Declaration& declaration : declarationsOf(tokens))
            for (std::size_t i = declaration.bodyFirst; i < declaration.bodyLast; ++i)
                if (isWhole(tokens[i]) && literal(tokens[i].text).integer == value)
                    return true;
    }
    return false;
}

bool OwnBlock::isAny() const
{
    return std::ranges::any_of(names, [](const std::string& name) { return !name.empty(); });
}

BlockUse blockUseOf(const std::string& kernel, std::span<const std::string> deviceCode)
{
    BlockUse use;
    for (const std::string& code : deviceCode) {
        const std::vector<Token> tokens = tokensOf(code);
        for (const Declaration& declaration : declarationsOf(tokens))
            if (declaration.hasBody() && !isOtherKernel(tokens, declaration, kernel))
                add(use, std::span(tokens).subspan(declaration.bodyFirst, declaration.bodyLast - declaration.bodyFirst));
    }
    return use;
}

std::optional<Symbolic> gridOver(const ProgramLaunch& launch, std::size_t axis, const std::string& name, const BlockUse& use)
{
    const Symbolic& grid = launch.grid[axis];
    const std::int64_t size = launch.block[axis].integer;
    if (auto over = overBlock(grid, size, name))
        return over;
    if (!use.hasSize[axis] || !launch.sharedBytes || !launch.sharedBytes->isConstant() || launch.sharedBytes->integer != 0)
        return std::nullopt;
    const bool isOne = (axis > 0 || !use.hasIndex[axis]) && grid.isConstant() && grid.integer == 1; // nothing is divided along it
    if (use.hasPlaceAlone[axis] || (use.hasGrid[axis] && !grid.isConstant()) || isOne)
        return grid;
    if (!grid.isConstant())
        return std::nullopt;
    Symbolic over = grid;
    over.base = "cdiv(" + std::to_string(grid.integer * size) + ", " + name + ")";
    over.parameters.push_back(name);
    return over;
}

OwnBlock ownBlockOf(
    const ProgramLaunch& launch, std::span<const std::string> deviceCode, const BlockUse& use, const std::set<std::string, std::less<>>& taken)
{
    OwnBlock own{ .names = {}, .grid = launch.grid };
    const auto axes = std::ranges::count_if(launch.block, [](const Symbolic& size) { return size.integer != 1; });
    if (axes > 1 && isLiteralIn(deviceCode, launch.block[0].integer * launch.block[1].integer * launch.block[2].integer))
        return own;
    for (std::size_t axis = 0; axis < kAxes.size(); ++axis) {
        const Symbolic& size = launch.block[axis];
        const std::string name(kOwnBlockParameters[axis]);
        if (!size.isConstant() || size.integer <= 1 || taken.contains(name) || isLiteralIn(deviceCode, size.integer) || hasHalo(use, size.integer)
            || (axes > 1 && (!use.hasSize[axis] || use.hasPlaceAlone[axis] || dividesOther(launch, axis))))
            continue;
        const std::optional<Symbolic> grid = gridOver(launch, axis, name, use);
        if (!grid)
            continue;
        own.names[axis] = name;
        own.grid[axis] = *grid;
    }
    return own;
}

} // namespace coalescope::kernels
