// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/named_constants.h"
#include "kernels/source/host_reader.h"

#include <algorithm>
#include <array>
#include <utility>

namespace coalescope::kernels {
namespace {

constexpr auto kNamedCasts = std::to_array<std::string_view>({ "static_cast", "reinterpret_cast", "const_cast", "dynamic_cast" });

/// "B::c" of "A::B::c".
std::string lastTwo(const std::string& name)
{
    const auto last = name.rfind("::");
    const auto before = last == name.npos || last == 0 ? name.npos : name.rfind("::", last - 1);
    return before == name.npos ? name : name.substr(before + 2);
}

/// What the language and CUDA's runtime call so; Unknown: nothing.
HostValue constantNamed(std::string_view name)
{
    if (name == "true" || name == "false")
        return HostValue::of(Symbolic::ofInteger(name == "true"));
    if (name == "cudaSuccess" || name == "CUDA_SUCCESS" || name == "EXIT_SUCCESS")
        return HostValue::of(Symbolic::ofInteger(0));
    if (const auto known = std::ranges::find(host::kNamedConstants, name, &host::NamedConstant::name); known != host::kNamedConstants.end() && name != "pi")
        return HostValue::of(host::isReal(known->kind) ? Symbolic::ofReal(known->value) : Symbolic::ofInteger(std::int64_t(known->value)));
    HostValue null;
    if (name == "nullptr" || name == "NULL") {
        null.kind = HostKind::Pointer;
        null.type = "null";
    }
    return null;
}

} // namespace

HostValue HostReader::word()
{
    m_at += is("::") ? 1 : 0;
    if (m_at >= m_end || !token(m_at).isWord())
        return {};
    const std::string_view keyword = token(m_at).text;
    if (keyword == "sizeof" || keyword == "alignof")
        return sizeOf();
    if (keyword == "new")
        return newExpression();
    if (keyword == "decltype" && token(m_at + 1).is("(")) { // decltype(w)::value
        HostValue value = evaluate(inBrackets(++m_at, m_end));
        m_at += token(m_at).is("::") && m_at + 1 < m_end ? 2 : 0;
        return value;
    }
    if (keyword == "this") {
        ++m_at;
        return thisObject();
    }
    if (isOneOf(keyword, kNamedCasts) && m_at + 1 < m_end && token(m_at + 1).is("<"))
        return namedCast();
    if (keyword == "unsigned" || keyword == "signed" || keyword == "long" || keyword == "short")
        return integerCast();
    const std::size_t first = m_at;
    const Name name = nameHere();
    if (name.last == "integral_constant" && name.ofTemplate.size() == 2 && (is("{") || is("("))) {
        (void)inBrackets(m_at, m_end);
        return templateValue(name.ofTemplate[1]);
    }
    if (is("{") && !componentOf(name.last).empty())
        return vectorOfComponents(name.last, list(inBrackets(m_at, m_end)));
    if (!is("(") && !(is("{") && namesType(name.last)))
        return valueOf(name);
    const std::size_t open = m_at;
    std::vector<HostValue> arguments = list(inBrackets(m_at, m_end));
    m_open = open;
    if (std::optional<HostValue> known = callOf(name, arguments))
        return *std::move(known);
    const bool isLibrarys = name.full.starts_with("std::") || name.full.starts_with("thrust::") || name.full.starts_with("cub::");
    return isLibrarys ? callLibrary(name.last, std::move(arguments), name.ofTemplate, first) : callNamed(name.last, std::move(arguments), name.ofTemplate, first);
}

/// The name at m_at, which moves behind it.
HostReader::Name HostReader::nameHere()
{
    Name name { .last = std::string(token(m_at).text), .full = std::string(token(m_at).text), .owner = {}, .ofTemplate = {}, .ofOwner = {} };
    ++m_at;
    for (;;) {
        if (is("<")) {
            static constexpr auto kBehind = std::to_array<std::string_view>({ "(", "<<<", "::", "{", ")", ",", ";" });
            const std::size_t end = behindAngle(m_program.tokens(), m_at);
            const bool isChosen = end < m_end && token(end).is(":") && m_program.isKernel(name.last); // c ? k<4> : k<8>
            const bool names = end > m_at && end <= m_end && (end == m_end || isChosen || isOneOf(token(end).text, kBehind));
            if (!names || !find(name.last).name.empty())
                break;
            name.ofTemplate = templateArguments(m_at);
        } else if (is("::") && m_at + 1 < m_end && token(m_at + 1).isWord()) {
            name.owner = std::exchange(name.last, token(m_at + 1).text);
            name.full += "::" + name.last;
            name.ofOwner = std::exchange(name.ofTemplate, {});
            m_at += 2;
        } else {
            break;
        }
    }
    return name;
}

bool HostReader::namesType(const std::string& name) const
{
    return m_program.classNamed(name) || resolvedType(name) != name || name == "dim3" || name == "vector";
}

/// While a launch's shape is evaluated: an integer that nobody knows is what it was declared as, or what is not known of that is
/// guessed.
void HostReader::guessWhereUnknown(HostValue& value, const HostPlace& place)
{
    if (!m_isGuessing || value.kind != HostKind::Unknown || !isCount(value.type) || !place.scope)
        return;
    if (value.isRead) {
        value.place = place;
        value = asNumber(std::move(value));
        return;
    }
    HostValue& stored = place.scope->values[place.name];
    const Range made { std::exchange(stored.madeFirst, 0), std::exchange(stored.madeLast, 0) };
    HostValue declared = evaluate(made);
    value = declared.isNumber() ? named(place.name, HostValue::of(asInteger(declared.number))) : guessed(place.name, m_guessesThreads ? kGuessedThreads : sideByName(place.name).value_or(kGuessedCount));
    if (!declared.isNumber() && !m_guessesThreads)
        m_guessedCounts.insert(value.number.text());
    place.scope->values[place.name] = value;
}

HostValue HostReader::valueOf(const Name& name)
{
    if (name.full.ends_with("numbers::pi"))
        return constantNamed("M_PI");
    if (const HostValue known = constantNamed(name.last); known.kind != HostKind::Unknown)
        return known;
    if (const HostPlace place = find(lastTwo(name.full)); name.full != name.last && !place.name.empty()) // Mode::Fast
        return at(place);
    const HostType owner = name.owner.empty() ? HostType {} : typeOfText(resolvedType(name.owner));
    if (const HostClass* type = name.owner.empty() ? nullptr : m_program.classNamed(owner.name)) { // Shape<4>::kBlock
        const HostScope* scope = newObjectScope(*type, name.ofOwner.empty() ? owner.arguments : name.ofOwner);
        if (const auto held = scope->values.find(name.last); held != scope->values.end())
            return held->second;
    }
    const bool isKernel = m_program.isKernel(name.last);
    if (HostPlace place = find(name.last); !place.name.empty() && !(isKernel && name.full != name.last)) { // kernels::dot, beside a lambda dot
        HostValue value = at(place);
        guessWhereUnknown(value, place);
        value.place = std::move(place);
        return value;
    }
    if (const auto constant = m_program.text().constant(name.last))
        return named(name.last, evaluate({ constant->first, constant->second }), Naming::Define);
    if (isKernel) {
        HostValue kernel { .kind = HostKind::Kernel };
        kernel.type = name.full + templateList(name.ofTemplate);
        return kernel;
    }
    HostValue function { .kind = HostKind::Function };
    function.function = m_program.function(name.last, 0);
    return function.function ? function : HostValue {};
}

} // namespace coalescope::kernels
