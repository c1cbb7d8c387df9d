// SPDX-License-Identifier: Apache-2.0
// What classes have of those that they derive from.
#include "kernels/source/host_program.h"

#include <algorithm>
#include <iterator>

namespace coalescope::kernels {
namespace {

constexpr std::size_t kMostAncestors = 32;

} // namespace

/// `: public A<T>, private B`, before its members are read: those of the bases come first.
void HostProgram::readBases(const Declaration& declaration, HostClass& type)
{
    const std::size_t last = declaration.bodyFirst - 1;
    std::size_t at = declaration.first;
    if (token(at).is("template"))
        at = std::max(behindAngle(tokens(), at + 1, AngleIn::Declaration), at + 1);
    while (at < last && !token(at).is(":"))
        ++at;
    if (at >= last)
        return;
    for (const TokenRange& part : betweenCommas(tokens(), { at + 1, last })) {
        if (token(part.last - 1).is("...")) {
            type.joinsFunctions = true;
            continue;
        }
        HostBase base = baseIn(part);
        const HostClass* known = derives(base.name, type.name) ? nullptr : classNamed(base.name); // in a circle only where two classes have one name
        if (!known && !base.name.empty())
            type.foreign.insert(base.name);
        if (!known || type.ancestors + known->ancestors >= kMostAncestors)
            continue;
        type.ancestors += known->ancestors + 1;
        std::ranges::copy(known->members, std::back_inserter(type.members));
        std::ranges::copy(known->statics, std::back_inserter(type.statics));
        type.virtuals.insert(known->virtuals.begin(), known->virtuals.end());
        type.foreign.insert(known->foreign.begin(), known->foreign.end());
        type.isWhole = type.isWhole && known->isWhole;
        type.bases.push_back(std::move(base));
    }
    type.inherited = type.members.size();
}

/// An alias is the class that it stands for.
HostBase HostProgram::baseIn(TokenRange range) const
{
    static constexpr std::array<std::string_view, 5> kBefore { "public", "protected", "private", "virtual", "typename" };
    while (range.first < range.last && std::ranges::find(kBefore, token(range.first).text) != kBefore.end())
        ++range.first;
    HostBase base { .name = {}, .alias = {}, .first = range.first, .last = range.last };
    for (std::size_t i = range.first; i < range.last && !token(i).is("<"); ++i)
        if (token(i).isWord())
            base.name = token(i).text;
    const auto named = [&](const Declaration& alias) { return !alias.names.empty() && alias.names.back() == base.name; };
    const auto alias = classNamed(base.name) ? m_types.end() : std::ranges::find_if(m_types, named);
    return alias != m_types.end() && token(alias->first).is("using") ? baseIn({ alias->first + 3, alias->last - 1 }) : base;
}

/// Where two members have one name, which of them is meant is not followed.
void HostProgram::leaveAmbiguousBases(HostClass& type)
{
    if (!type.virtuals.empty())
        type.isWhole = false; // it has a table of them
    const auto isAgain = [&](const HostParameter& member) { return std::ranges::count(type.members, member.name, &HostParameter::name) > 1; };
    if (type.bases.empty() || std::ranges::none_of(type.members, isAgain))
        return;
    for (const HostBase& base : type.bases)
        type.foreign.insert(base.name);
    type.members.erase(type.members.begin(), type.members.begin() + std::ptrdiff_t(type.inherited));
    type.bases.clear();
    type.inherited = type.ancestors = 0;
    type.isWhole = false;
}

std::vector<const HostFunction*> HostProgram::functionsOf(const HostClass& type, std::string_view name) const
{
    std::vector<const HostFunction*> found;
    std::ranges::copy_if(type.functions, std::back_inserter(found), [&](const HostFunction* function) { return function->name == name; });
    const bool isConstructor = name == type.name;
    for (const HostBase& base : type.bases)
        if (const HostClass* known = classNamed(base.name); known && (isConstructor ? type.takesConstructors : found.empty()))
            std::ranges::copy(functionsOf(*known, isConstructor ? base.name : name), std::back_inserter(found));
    return found;
}

bool HostProgram::derives(std::string_view type, std::string_view base) const
{
    const HostClass* known = type == base ? nullptr : classNamed(type);
    return type == base || (known && std::ranges::any_of(known->bases, [&](const HostBase& of) { return derives(of.name, base); }));
}

const HostBase* HostProgram::baseNamed(const HostClass& type, std::string_view name) const
{
    const auto named = std::ranges::find_if(type.bases, [&](const HostBase& base) { return base.name == name || (!name.empty() && base.alias == name); });
    return named == type.bases.end() ? nullptr : &*named;
}

} // namespace coalescope::kernels
