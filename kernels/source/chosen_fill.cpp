// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/chosen_fill.h"

#include "kernels/catalogue/element_type.h"
#include "kernels/source/index_targets.h"
#include "kernels/source/index_use.h"
#include "kernels/source/parameter_types.h"
#include "kernels/source/tokens.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace coalescope::kernels {

namespace {

constexpr double kMostHalf = 65504; ///< largest of f16

bool isIntegerType(const std::string& element) { return element[0] == 'i' || element[0] == 'u'; }

/// What each element of a buffer holds; empty: no number.
std::string valueOfAll(const ProgramBuffer& buffer, const std::string& element)
{
    const bool isSigned = element[0] == 'i', isInteger = isIntegerType(element);
    const int bytes = bytesOf(*elementTypeNamed(element));
    double value = buffer.value;
    if (buffer.fill == BufferFill::Byte) {
        std::uint64_t bits = 0;
        for (int i = 0; i < bytes; ++i)
            bits = bits << 8 | std::uint64_t(buffer.value);
        const int unused = 64 - 8 * bytes;
        value = isSigned ? double(std::int64_t(bits << unused) >> unused) : double(bits);
        if (element == "f32")
            value = double(std::bit_cast<float>(std::uint32_t(bits)));
        else if (!isInteger)
            value = element == "f64" ? std::bit_cast<double>(bits) : 0;
    }
    return std::isfinite(value) ? (isInteger ? fmt::format("{:.0f}", value) : fmt::format("{}", value)) : "";
}

/// Of what the host assigns; empty: the elements cannot hold it.
std::string assignedFill(const std::string& element, const RealRange& reals)
{
    const bool isFloat = !isIntegerType(element);
    const double bits = element.ends_with("64") || element.ends_with("32") ? 31 : element.ends_with("16") ? 15 : 7;
    const double most = element == "f16" ? kMostHalf : isFloat ? double(std::numeric_limits<float>::max()) : std::exp2(bits) - 1;
    const double low = isFloat ? reals.low : std::floor(reals.low), high = isFloat ? reals.high : std::floor(reals.high) + 1;
    if (std::max(std::abs(low), std::abs(high)) > most || (element[0] == 'u' && low < 0))
        return "";
    if (reals.step && !isFloat && (low != reals.low || *reals.step != std::floor(*reals.step)))
        return "";
    if (reals.step && (*reals.step != 0 || low != 0))
        return fmt::format("iota:{:.9g}:{:.9g}", low, *reals.step);
    if (reals.low < reals.high)
        return fmt::format("random:1:{:.9g}:{:.9g}", low, high);
    return low == 0 ? "zero" : fmt::format("iota:{:.9g}:0", low);
}

/// A structure that the device's code declares has members that are integers, which may be indices.
bool holdsIntegers(std::span<const std::string> deviceCode, std::string_view structure)
{
    for (const std::string& code : deviceCode) {
        const std::vector<Token> tokens = tokensOf(code);
        for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
            const bool isDeclared = (tokens[i].is("struct") || tokens[i].is("class")) && tokens[i + 1].is(structure);
            std::size_t at = i + 2;
            while (isDeclared && at < tokens.size() && !tokens[at].is("{") && !tokens[at].is(";"))
                ++at;
            if (!isDeclared || at >= tokens.size() || !tokens[at].is("{"))
                continue;
            const std::size_t end = behindBracket(tokens, at);
            for (std::size_t k = at + 1; k + 1 < end; ++k) {
                if (tokens[k].is("(") || tokens[k].is("{"))
                    k = behindBracket(tokens, k) - 1;
                else if (isCount(tokens[k].text) && tokens[k + 1].isWord() && k + 2 < end && !tokens[k + 2].is("("))
                    return true;
            }
        }
    }
    return false;
}

} // namespace

ChosenFill chosenFill(const KernelCode& code, const ProgramBuffer* buffer, const FilledBuffer& filled, const std::function<std::string(const Symbolic&)>& textOf)
{
    const auto& [parameter, element, name, count] = filled;
    const BufferFill fill = buffer ? buffer->fill : BufferFill::Unknown;
    if (fill == BufferFill::Zero || (fill == BufferFill::Unknown && !parameter.isConst))
        return {};
    if (fill == BufferFill::Byte || fill == BufferFill::Value) {
        const std::string value = valueOfAll(*buffer, element);
        return { .fill = value.empty() ? "" : "iota:" + value + ":0" };
    }
    const bool isInteger = isIntegerType(element), isByte = element.ends_with('8');
    const std::string assigned = buffer && buffer->reals ? assignedFill(element, *buffer->reals) : "";
    if (parameter.pointsToObjects() && holdsIntegers(code.deviceCode, parameter.type)) // random bits would be indices to nowhere
        return { .fill = "", .guessed = Guess::Kind::Integers, .bound = "1" };
    if (!isInteger)
        return { .fill = assigned.empty() ? "random:1" : assigned };
    if (buffer && buffer->range)
        return { .fill = "random:1:" + textOf((*buffer->range)[0]) + ":" + textOf((*buffer->range)[1]) };
    if (!assigned.empty() && (isByte || buffer->reals->step))
        return { .fill = assigned };
    const ChosenFill flags { .fill = "random:1:0:2", .guessed = Guess::Kind::Integers, .bound = "2" };
    const bool isFlags = holdsFlags(parameter.name) || holdsFlags(name);
    if (isByte)
        return isFlags ? flags : ChosenFill { .fill = "random:1", .guessed = Guess::Kind::Integers, .bound = "256" };
    const IndexTargets targets(code.program, code.launch, code.kernel, code.types);
    IndexUses uses = indexUsesOf(code.deviceCode, code.kernel.name, parameter.name);
    for (IndexUse& use : uses.uses)
        use.isBegin = indexUsesOf(code.deviceCode, code.kernel.name, use.into).boundsRanges;
    const std::optional<Symbolic> pointed = targets.pointedInto(uses);
    if (pointed && uses.boundsRanges && count.integer > 1) { // such as where the rows of a sparse matrix begin
        const Symbolic step = applied("/", *pointed, applied("-", count, Symbolic::ofInteger(1)));
        if (step.integer > 0)
            return { .fill = "iota:0:" + textOf(step), .guessed = Guess::Kind::Ranges, .bound = textOf(step) };
    }
    if (uses.boundsRanges && count.integer > 1) // of one element each: random ones would be as long as all there is
        return { .fill = "iota", .guessed = Guess::Kind::Ranges, .bound = "1" };
    if (isFlags && !pointed)
        return assigned.empty() ? flags : ChosenFill { .fill = assigned };
    if (pointed || holdsIndices(parameter.name) || holdsIndices(name)) {
        const auto least = pointed ? pointed : targets.leastReals();
        if (!least || count.integer <= least->integer + 1)
            return { .fill = "iota", .guessed = Guess::Kind::Indices };
        return { .fill = "random:1:0:" + textOf(*least), .guessed = Guess::Kind::Indices, .bound = textOf(*least) }; // more than what they point into has
    }
    if (!assigned.empty())
        return { .fill = assigned };
    return { .fill = "random:1:0:256", .guessed = Guess::Kind::Integers, .bound = "256" };
}

} // namespace coalescope::kernels
