// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/run.h"

#include <algorithm>
#include <cstdio>

/// What sprintf() and snprintf() write.
namespace coalescope::kernels::host {
namespace {

constexpr std::string_view kOfIntegers = "diuxXo", kOfReals = "fFeEgG";
constexpr std::size_t kLongestFlags = 8; ///< with what begins a conversion: "%-10.4"
constexpr std::int64_t kMostPrinted = 1 << 20; ///< characters

/// "%-5.2f" at the begin of a text: its flags, width and precision, and its letter.
struct Conversion {
    std::string flags;
    char letter = 0;
    bool isLong = false; ///< of 64 bits
    std::size_t length = 0; ///< of all of it; 0: it is none that is known here
};

Conversion conversionOf(std::string_view text)
{
    Conversion found;
    const std::size_t size = std::min(text.find_first_not_of("-+ #0123456789.", 1), text.size());
    const std::size_t letter = std::min(text.find_first_not_of("hljzt", size), text.size());
    if (letter == text.size() || size > kLongestFlags)
        return found;
    const std::string_view length = text.substr(size, letter - size);
    found.flags = text.substr(0, size);
    found.isLong = !length.empty() && length[0] != 'h';
    found.letter = text[letter];
    found.length = letter + 1;
    return found;
}

template <class Argument> std::string written(const std::string& format, Argument argument)
{
    std::string text(std::size_t(std::max(0, std::snprintf(nullptr, 0, format.c_str(), argument))), '\0');
    std::snprintf(text.data(), text.size() + 1, format.c_str(), argument);
    return text;
}

} // namespace

/// Nothing: something in it is not known.
std::optional<std::string> Run::printed(std::string_view format, const std::vector<Value>& arguments)
{
    std::string text;
    std::size_t next = 0;
    for (std::size_t at = 0; at < format.size();) {
        if (format[at] != '%' || format.substr(at).starts_with("%%")) {
            at += format[at] == '%' ? 2 : 1;
            text += format[at - 1];
            continue;
        }
        const Conversion conversion = conversionOf(format.substr(at));
        if (conversion.length == 0 || next >= arguments.size())
            return std::nullopt;
        const Value& argument = arguments[next++];
        if (conversion.letter == 's') {
            const auto string = textOf(argument);
            if (!string)
                return std::nullopt;
            text += written(conversion.flags + "s", string->c_str());
        } else if (!argument.isKnown || !isNumber(argument.kind)) {
            return std::nullopt;
        } else if (kOfReals.contains(conversion.letter)) {
            text += written(conversion.flags + conversion.letter, argument.asReal());
        } else if (conversion.letter == 'c') {
            text += written(conversion.flags + "c", int(argument.asInteger()));
        } else if (kOfIntegers.contains(conversion.letter)) {
            const bool isSigned = conversion.letter == 'd' || conversion.letter == 'i';
            const std::int64_t number = argument.asInteger();
            text += written(conversion.flags + "ll" + conversion.letter, conversion.isLong ? number : isSigned ? std::int64_t(std::int32_t(number)) : std::int64_t(std::uint32_t(number)));
        } else {
            return std::nullopt;
        }
        at += conversion.length;
        if (std::int64_t(text.size()) > kMostPrinted)
            return std::nullopt;
    }
    m_steps += std::int64_t(text.size()) / 16;
    return text;
}

/// As callLibrary(): sprintf and snprintf.
std::optional<Value> Run::callPrinting(std::string_view name, const Node& node)
{
    const std::size_t first = name == "snprintf" ? 2 : 1; // of the format
    if (!isAmong(name, { "sprintf", "snprintf" }) || node.kids.size() <= first)
        return std::nullopt;
    std::vector<Value> arguments = argumentValues(node.kids);
    std::ranges::transform(arguments, arguments.begin(), decayed);
    const Value to = arguments[0], room = name == "snprintf" ? arguments[1] : Value::of(Kind::U64, kMostPrinted);
    const auto format = textOf(arguments[first]);
    const auto text = format && room.isKnown ? printed(*format, { arguments.begin() + std::ptrdiff_t(first) + 1, arguments.end() }) : std::nullopt;
    if (!text) {
        forgetArgument(*node.kids[0]);
        return Value::unknown(Kind::I32);
    }
    if (to.kind == Kind::Pointer && to.thing && room.asInteger() > 0) {
        const std::string_view kept = std::string_view(*text).substr(0, std::size_t(std::min<std::int64_t>(room.asInteger() - 1, std::int64_t(text->size()))));
        for (std::size_t i = 0; i <= kept.size(); ++i)
            to.thing->set(to.integer + std::int64_t(i), Value::of(Kind::I8, i < kept.size() ? kept[i] : 0));
    }
    return Value::of(Kind::I32, std::int64_t(text->size()));
}

} // namespace coalescope::kernels::host
