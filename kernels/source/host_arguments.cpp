// SPDX-License-Identifier: Apache-2.0
// What a program takes from its command line, its input, or a file.
#include "kernels/source/host_reader.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace coalescope::kernels {
namespace {

constexpr int kMostArguments = 32;
constexpr std::int64_t kRepeats = 10, kThreads = 256, kFew = 8, kExponent = 20, kChannels = 3, kWindow = 5;

constexpr auto kTextConversions = std::to_array<std::string_view>(
    { "atoi", "atol", "atoll", "strtol", "strtoll", "strtoul", "strtoull", "stoi", "stol", "stoll", "stoul", "stoull" });
/// Parts of names that say how often something is done, what has small values, how many threads a block has, and what chooses one of several
/// ways: of such, all are read.
constexpr auto kOfTurns = std::to_array<std::string_view>({ "repeat", "iter", "trial", "warm", "epoch" });
constexpr auto kRepeating = std::to_array<std::string_view>({ "loop", "step", "pass", "runs" });
constexpr auto kOfFew = std::to_array<std::string_view>({ "radius", "maxrad", "thresh", "order", "degree", "scale", "ndim", "rank", "diff", "delta", "bright", "contrast", "seed" });
constexpr auto kOfWindows = std::to_array<std::string_view>({ "kernel_", "kernelsize", "kernelwidth", "kernelheight", "_ksize", "filter_", "filtersize",
    "filterwidth", "filterheight", "mask_", "masksize", "maskwidth", "window" });
constexpr auto kOfSteps = std::to_array<std::string_view>({ "stride", "dilation", "padding" });
constexpr auto kOfImages = std::to_array<std::string_view>({ "width", "height", "rows", "cols" });
constexpr auto kOfChannels = std::to_array<std::string_view>({ "c", "ch", "nc", "comp", "bpp" }); ///< beside the sides of an image
constexpr auto kOfBlocks = std::to_array<std::string_view>({ "block", "thread", "blksize", "blk_size" });
constexpr auto kChoosing = std::to_array<std::string_view>({ "mode", "type", "option", "method", "kernel", "algo", "verif", "check", "valid",
    "debug", "verbose", "device", "gpu", "flag", "axis", "print", "test", "which", "choice", "version" });

template <std::size_t N> bool hasOneOf(const std::array<std::string_view, N>& parts, std::string_view name)
{
    return std::ranges::any_of(parts, [&](std::string_view part) { return name.find(part) != name.npos; });
}

std::string lowerCase(std::string_view name)
{
    std::string lower(name);
    std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return lower;
}

/// What the name says of a value of the command line; nothing: it is a size.
std::optional<std::int64_t> valueByName(std::string_view name)
{
    if (const auto value = noSizeByName(name))
        return value;
    const std::string lower = lowerCase(name);
    return hasOneOf(kRepeating, lower) || lower.starts_with("rep") ? std::optional(kRepeats) : std::nullopt;
}

bool isChoice(std::string_view name) { return hasOneOf(kChoosing, lowerCase(name)); }

} // namespace

std::optional<std::int64_t> noSizeByName(std::string_view name)
{
    if (const auto few = fewByName(name))
        return few;
    const std::string lower = lowerCase(name);
    if (hasOneOf(kOfBlocks, lower))
        return kThreads;
    return hasOneOf(kOfFew, lower) ? std::optional(kFew) : std::nullopt;
}

std::optional<std::int64_t> fewByName(std::string_view name)
{
    const std::string lower = lowerCase(name);
    if (hasOneOf(kOfWindows, lower) || lower.starts_with("ksize"))
        return kWindow;
    if (hasOneOf(kOfSteps, lower))
        return 1;
    if (lower.find("channel") != lower.npos)
        return kChannels;
    return hasOneOf(kOfTurns, lower) ? std::optional(kRepeats) : std::nullopt;
}

std::optional<std::int64_t> sideByName(std::string_view name)
{
    return hasOneOf(kOfImages, lowerCase(name)) ? std::optional(kGuessedSide) : std::nullopt;
}

double realByName(std::string_view name)
{
    static constexpr auto kFractions = std::to_array<std::string_view>({ "prob", "drop", "keep", "thr", "cutoff", "ratio", "fraction" });
    static constexpr auto kTiny = std::to_array<std::string_view>({ "eps", "tol" });
    const std::string lower = lowerCase(name);
    return lower == "p" || hasOneOf(kFractions, lower) ? 0.5 : hasOneOf(kTiny, lower) ? 1e-5 : 1;
}

/// What the program calls the so many-th parameter of main.
std::string_view HostReader::nameInMain(std::size_t parameter, std::string_view otherwise) const
{
    const HostFunction* main = m_program.function("main", 0);
    return main && main->parameters.size() > parameter ? std::string_view(main->parameters[parameter].name) : otherwise;
}

/// `if (argc != 4) return 1;`: whoever starts the program gives what it asks for, where it would end without launching anything.
HostValue HostReader::withArgumentsGiven(HostValue value, Range condition, Range chosen)
{
    const auto all = std::span(m_program.tokens());
    const auto code = all.subspan(chosen.first, chosen.last - chosen.first), asked = all.subspan(condition.first, condition.last - condition.first);
    const auto count = std::ranges::find_if(asked, [&](const Token& token) { return token.is(nameInMain(0, "argc")); });
    if (count == asked.end() || launchesIn(chosen))
        return value;
    const auto exits = [&](const HostFunction* function) {
        return std::ranges::any_of(all.subspan(function->bodyFirst, function->bodyLast - function->bodyFirst), [](const Token& token) { return token.is("exit"); });
    };
    const bool leaves = std::ranges::any_of(code, [&](const Token& token) {
        return token.is("return") || token.is("exit") || std::ranges::any_of(m_program.functionsNamed(token.text), exits);
    });
    const HostPlace place = find(std::string(count->text));
    if (!leaves || !place.scope)
        return value;
    const HostValue before = at(place);
    for (int arguments = 2; arguments <= kMostArguments; ++arguments) {
        store(place, HostValue::of(Symbolic::ofInteger(arguments)));
        HostValue given = evaluate(condition);
        if (given.isKnownTrue() != value.isKnownTrue())
            return given;
    }
    store(place, before);
    return value;
}

/// What `name = atoi(argv[1])` makes, the call being the token at `at`: the variable; empty where it is no such call.
std::string_view HostReader::fromCommandLine(std::size_t at) const
{
    while (token(at).is("std") || token(at).is("::"))
        ++at;
    if (!isOneOf(token(at).text, kTextConversions) || !token(at + 1).is("(") || !token(at + 2).is(nameInMain(1, "argv")))
        return {};
    while (at > 1 && !token(at).is("=") && !token(at).is(";") && !token(at).is("{") && !token(at).is("}") && !token(at).is(","))
        --at;
    return token(at).is("=") && token(at - 1).isWord() ? token(at - 1).text : std::string_view {};
}

/// A number that the program takes from its command line: nobody knows it, but its name tells whether it is a size.
HostValue HostReader::argumentNumber(std::size_t at)
{
    const std::string_view name = fromCommandLine(at);
    if (name.empty() || isChoice(name))
        return {};
    if (const HostPlace place = find(std::string(name)); place.scope)
        if (const HostValue before = this->at(place); before.isNumber() && !before.isKnownFalse())
            return m_unsure > 0 ? before : HostValue {}; // what it is without it is the better guess, or, in a branch, what it is
    if (const auto value = valueByName(name))
        return guessed(std::string(name), *value);
    std::set<std::string_view> sizes;
    bool isExponent = false;
    for (std::size_t i = 2; i + 3 < m_program.tokens().size(); ++i) {
        if (const std::string_view other = isOneOf(token(i).text, kTextConversions) ? fromCommandLine(i) : std::string_view {};
            !other.empty() && !isChoice(other) && !valueByName(other))
            sizes.insert(other);
        isExponent = isExponent || (token(i).is(name) && token(i - 1).is("<<") && token(i - 2).text.starts_with("1")) // 1 << n, pow(2, n)
            || (token(i).is("pow") && token(i + 1).is("(") && token(i + 2).text.starts_with("2") && token(i + 3).is(",") && token(i + 4).is(name));
    }
    return guessed(std::string(name), isExponent ? kExponent : guessedExtent(std::max(sizes.size(), powerOf(name))));
}

/// What a variable of that name holds once the program has read it: `cin >> n`, `scanf("%d", &n)`.
HostValue HostReader::readNumber(const HostValue& variable, std::string_view name)
{
    HostValue number;
    number.type = variable.type;
    number.isRead = isCount(variable.type) && !isChoice(name);
    if (number.isRead && !valueByName(name) && !m_muted)
        m_sizesRead.emplace(name);
    return number;
}

/// Where a number is needed that the program reads: what its name, or else how many sizes there are, lets guess. From there on it is known.
HostValue HostReader::asNumber(HostValue value)
{
    if (value.kind != HostKind::Unknown || !value.isRead || !value.place.scope || m_muted)
        return value;
    const std::string name = value.place.name;
    const bool isOfThree = m_sizesRead.size() > 2 && isOneOf(lowerCase(name), kOfChannels);
    const auto channels = std::size_t(std::ranges::count_if(m_sizesRead, [](const std::string& other) { return isOneOf(lowerCase(other), kOfChannels); }));
    const std::size_t sizes = std::max({ m_sizesRead.size() - (m_sizesRead.size() > 2 ? channels : 0), powerOf(name), std::size_t(1) });
    constexpr std::array<std::int64_t, 4> kSizesRead { kGuessedCount, kGuessedSide, 256, 64 };
    const std::int64_t guess = m_guessesThreads ? kGuessedThreads : isOfThree ? kChannels : valueByName(name).value_or(sideByName(name).value_or(kSizesRead[std::min(sizes, kSizesRead.size()) - 1]));
    HostValue number = guessed(name, guess);
    number.type = value.type;
    number.place = value.place;
    store(value.place, number);
    return number;
}

void HostReader::asNumbers(std::vector<HostValue>& values)
{
    for (HostValue& value : values)
        value = asNumber(std::move(value));
}

/// How often the program multiplies it by itself, also under other names: n * n is 2.
std::size_t HostReader::powerOf(std::string_view name) const
{
    const std::size_t count = m_program.tokens().size();
    std::set<std::string_view> names { name };
    for (std::size_t i = 1; i + 2 < count; ++i) { // nx = n;
        if (token(i).is("=") && names.contains(token(i + 1).text) && (token(i + 2).is(";") || token(i + 2).is(",")))
            names.insert(token(i - 1).text);
    }
    std::size_t most = 1;
    for (std::size_t i = 0; i < count; ++i) {
        std::size_t power = names.contains(token(i).text) ? 1 : 0;
        for (; power > 0 && token(i + 1).is("*") && names.contains(token(i + 2).text); i += 2)
            ++power;
        most = std::max(most, power);
    }
    return most;
}

} // namespace coalescope::kernels
