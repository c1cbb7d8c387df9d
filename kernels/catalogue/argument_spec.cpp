// SPDX-License-Identifier: Apache-2.0
#include "analysis/result/number_text.h"
#include "kernels/catalogue/argument_parts.h"
#include "kernels/catalogue/element_type.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace coalescope::kernels {
namespace {

std::unexpected<Error> wrong(std::string_view spec, std::string detail)
{
    return fail(ErrorCode::WrongUsage, std::move(detail), std::string(spec));
}

std::errc parseUnsigned(std::string_view text, std::uint64_t& value)
{
    int base = 10;
    if (text.starts_with("0x")) {
        base = 16;
        text.remove_prefix(2);
    }
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    return text.empty() || end != text.data() + text.size() ? std::errc::invalid_argument : error;
}

/// Takes the text up to the first `mark`, and the mark.
std::string_view takeUpTo(std::string_view& text, char mark)
{
    const std::string_view taken = text.substr(0, text.find(mark));
    text.remove_prefix(std::min(taken.size() + 1, text.size()));
    return taken;
}

/// An integer or a product of integers: `4096*4096`.
std::errc parseProduct(std::string_view text, std::uint64_t& product)
{
    bool isTooLarge = false;
    product = 1;
    for (bool more = true; more;) {
        more = text.find('*') != text.npos;
        std::uint64_t factor = 0;
        const std::errc error = parseUnsigned(takeUpTo(text, '*'), factor);
        if (error == std::errc::invalid_argument)
            return error;
        isTooLarge = isTooLarge || error != std::errc() || __builtin_mul_overflow(product, factor, &product);
    }
    return isTooLarge ? std::errc::result_out_of_range : std::errc();
}

Result<std::uint64_t> parseCount(std::string_view text)
{
    std::uint64_t count = 0;
    const std::errc error = parseProduct(text, count);
    if (error == std::errc::invalid_argument)
        return wrong(text, "the element count '" + std::string(text) + "' is no integer or product of integers");
    if (error != std::errc() || count > (std::uint64_t(1) << 43))
        return wrong(text, "the element count '" + std::string(text) + "' is larger than any GPU's memory");
    return count;
}

/// Rounds to a 16-bit float with this many exponent and fraction bits; to nearest, ties to even.
std::uint16_t smallFloat(double value, int exponentBits, int fractionBits)
{
    const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
    const std::uint16_t infinity = std::uint16_t(((1 << exponentBits) - 1) << fractionBits);
    const double magnitude = std::fabs(value);
    if (std::isnan(value))
        return std::uint16_t(infinity | (1 << (fractionBits - 1)));
    if (std::isinf(value))
        return sign | infinity;
    if (magnitude == 0)
        return sign;
    const int bias = (1 << (exponentBits - 1)) - 1;
    const int exponent = std::max(std::ilogb(magnitude), 1 - bias);
    // The significand in units of the last place; nearbyint rounds ties to even.
    const double units = std::nearbyint(std::ldexp(magnitude, fractionBits - exponent));
    // A carry out of the fraction runs into the exponent field, as it should.
    const double encoded = units + double(exponent + bias - 1) * double(1 << fractionBits);
    return sign | (encoded >= double(infinity) ? infinity : std::uint16_t(encoded));
}

/// The text up to the first comma outside braces, which is taken from it together with the comma.
std::string_view takeMember(std::string_view& text)
{
    int depth = 0;
    std::size_t end = 0;
    for (; end < text.size() && (text[end] != ',' || depth > 0); ++end)
        depth += (text[end] == '{') - (text[end] == '}');
    const std::string_view member = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return member;
}

/// `{f32:0.5,i32:7,f32[64]}`.
Result<Argument> parseStruct(std::string_view spec, std::string name)
{
    if (!spec.ends_with('}'))
        return wrong(spec, "'" + std::string(spec) + "' has no '}' at its end");
    std::vector<Argument> members;
    for (std::string_view rest = spec.substr(1, spec.size() - 2); !rest.empty();) {
        auto member = parseArgument(takeMember(rest), name + "." + std::to_string(members.size() + 1));
        if (!member)
            return wrong(spec, member.error().detail);
        members.push_back(std::move(*member));
    }
    if (members.empty())
        return wrong(spec, "the structure '" + std::string(spec) + "' has no member");
    return structOf(std::move(name), std::move(members));
}

} // namespace

std::uint64_t floatBits(ElementType type, double value)
{
    switch (type) {
    case ElementType::F16: return smallFloat(value, 5, 10);
    case ElementType::BF16: return smallFloat(value, 8, 7);
    case ElementType::F32: return std::bit_cast<std::uint32_t>(float(value));
    default: return std::bit_cast<std::uint64_t>(value);
    }
}

Result<std::uint64_t> parseScalar(ElementType type, std::string_view text)
{
    const ElementTypeInfo& info = infoOf(type);
    const std::string copy(text);
    if (info.kind == ElementKind::Float) {
        const auto value = parseNumber(text);
        if (!value)
            return std::unexpected(value.error());
        const std::uint64_t bits = floatBits(type, *value);
        const std::uint64_t magnitude = bits & ~(1ull << (info.bytes * 8 - 1));
        const bool isWritten = text.find_first_of("iI") != text.npos; // inf, Infinity
        if (magnitude == floatBits(type, HUGE_VAL) && !isWritten)
            return wrong(text, "'" + copy + "' does not fit " + std::string(info.name));
        return bits;
    }
    const bool negative = text.starts_with('-');
    std::uint64_t magnitude = 0;
    const std::errc error = parseProduct(negative ? text.substr(1) : text, magnitude);
    if (error == std::errc::invalid_argument)
        return wrong(text, "'" + copy + "' is no integer");
    const int bits = info.bytes * 8;
    const std::uint64_t mask = bits == 64 ? ~0ull : (1ull << bits) - 1;
    const std::uint64_t half = 1ull << (bits - 1);
    const std::uint64_t most = info.kind == ElementKind::Unsigned ? (negative ? 0 : mask) : (negative ? half : half - 1);
    if (error != std::errc() || magnitude > most)
        return wrong(text, "'" + copy + "' does not fit " + std::string(info.name));
    return (negative ? 0 - magnitude : magnitude) & mask;
}

Result<double> parseNumber(std::string_view text)
{
    double product = 1;
    std::string_view rest = text;
    for (bool more = true; more;) {
        more = rest.find('*') != rest.npos;
        const std::string factor(takeUpTo(rest, '*'));
        char* end = nullptr;
        product *= std::strtod(factor.c_str(), &end);
        if (factor.empty() || *end)
            return wrong(text, "'" + std::string(text) + "' is no number");
    }
    return product;
}

Result<Fill> parseFill(std::string_view text, const std::function<Result<double>(std::string_view)>& number)
{
    if (text.starts_with("file:") && text.size() > 5)
        return Fill { .kind = FillKind::File, .file = std::filesystem::path(text.substr(5)) };
    std::vector<std::string_view> words;
    std::string_view rest = text;
    for (bool more = true; more;) {
        more = rest.find(':') != rest.npos;
        words.push_back(takeUpTo(rest, ':'));
    }
    const auto numbers = [&](std::size_t index, double& first, double& second) -> Result<void> {
        for (double* const value : { &first, &second }) {
            const auto given = number(words[index++]);
            if (!given)
                return std::unexpected(given.error());
            *value = *given;
        }
        return {};
    };
    Fill fill;
    Result<void> read;
    if (words[0] == "random" && (words.size() <= 2 || words.size() == 4)) {
        fill.kind = FillKind::Random;
        if (words.size() > 1 && parseUnsigned(words[1], fill.seed) != std::errc())
            return wrong(text, "the seed of '" + std::string(text) + "' is no integer");
        fill.hasBounds = words.size() == 4;
        if (fill.hasBounds)
            read = numbers(2, fill.low, fill.high);
    } else if (words[0] == "iota" && (words.size() == 1 || words.size() == 3)) {
        fill.kind = FillKind::Iota;
        if (words.size() == 3)
            read = numbers(1, fill.start, fill.step);
    } else if (text != "zero") {
        return wrong(text, "'" + std::string(text) + "' is no fill; there are zero, iota, iota:START:STEP, random:SEED, "
                           "random:SEED:LOW:HIGH and file:PATH");
    }
    if (!read)
        return std::unexpected(read.error());
    return fill;
}

Result<void> checkFillNumbers(ElementType type, const Fill& fill)
{
    const ElementTypeInfo& info = infoOf(type);
    const auto refused = [&](double value) {
        return wrong(info.name, "the fill's " + analysis::numberText(value) + " is no value of " + std::string(info.name)
                + (info.bytes == 8 && info.kind != ElementKind::Float ? " below 2^53" : ""));
    };
    if (fill.hasBounds && !(fill.low < fill.high))
        return wrong(info.name, "no random value is from " + analysis::numberText(fill.low) + " to below " + analysis::numberText(fill.high));
    const double largest = std::ldexp(1, std::min(info.bytes * 8 - (info.kind == ElementKind::Signed), 53));
    const double least = info.kind == ElementKind::Signed ? -largest : 0;
    for (const double value : { fill.low, fill.high, fill.start }) {
        const bool fits = info.kind == ElementKind::Float ? std::isfinite(value)
                                                          : value == std::floor(value) && value >= least && value <= largest;
        if (!fits)
            return refused(value);
    }
    if (info.kind == ElementKind::Float ? !std::isfinite(fill.step) : fill.step != std::floor(fill.step) || std::fabs(fill.step) > 0x1p53)
        return refused(fill.step);
    return {};
}

Result<Argument> parseArgument(std::string_view spec, std::string name)
{
    if (spec.starts_with('{'))
        return parseStruct(spec, std::move(name));
    const auto end = spec.find_first_of("[:");
    const auto type = elementTypeNamed(spec.substr(0, end));
    if (!type || end == spec.npos)
        return wrong(spec,
            "'" + std::string(spec) + "' starts with no element type; write a buffer as f32[1024], a scalar as i32:7 and a "
            "structure as {f32:0.5,i32:7,f32[1024]}");
    if (spec[end] == ':') {
        auto bits = parseScalar(*type, spec.substr(end + 1));
        if (!bits)
            return wrong(spec, bits.error().detail);
        return ScalarPlan { std::move(name), *type, *bits };
    }
    const auto close = spec.find(']', end);
    if (close == spec.npos)
        return wrong(spec, "'" + std::string(spec) + "' has no ']'");
    const auto count = parseCount(spec.substr(end + 1, close - end - 1));
    if (!count)
        return wrong(spec, count.error().detail);
    BufferPlan buffer { std::move(name), *type, *count, {} };
    const std::string_view rest = spec.substr(close + 1);
    if (!rest.empty()) {
        if (rest[0] != '=')
            return wrong(spec, "'" + std::string(rest) + "' after the ']' is no fill such as =iota");
        auto fill = parseFill(rest.substr(1), &parseNumber);
        if (!fill)
            return wrong(spec, fill.error().detail);
        if (auto fits = checkFillNumbers(*type, *fill); !fits)
            return wrong(spec, fits.error().detail);
        buffer.fill = std::move(*fill);
    }
    return buffer;
}

} // namespace coalescope::kernels
