// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/host_program.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <utility>
#include <span>

namespace coalescope::kernels {
namespace {

/// Of the program's own that are followed, with [] and ().
constexpr auto kOperators = std::to_array<std::string_view>({ "=", "<", "+", "-", "*", "/", "%", "++", "--", "+=", "-=", "*=", "/=", "%=", "==", "!=", "<=", ">", ">=", "<=>" });
constexpr std::size_t kMostQualifiers = 4; ///< before a member's type: `inline static constexpr`

} // namespace

HostProgram::HostProgram(const ProgramText& text)
    : m_text(text)
{
    for (std::size_t i = 1; i < text.programEnd(); ++i)
        if (tokens()[i - 1].is("concept") && tokens()[i].isWord())
            m_concepts.emplace(tokens()[i].text);
    read(declarationsOf(tokens(), 0, text.programEnd()));
    readLocalEnumerations();
}

std::vector<const HostFunction*> HostProgram::functionsNamed(std::string_view name) const
{
    std::vector<const HostFunction*> functions;
    const auto [first, last] = m_byName.equal_range(name);
    for (auto i = first; i != last; ++i)
        if (i->second->ofClass.empty())
            functions.push_back(i->second);
    return functions;
}

std::vector<const HostFunction*> HostProgram::functionsNamed(std::string_view name, std::string_view scope) const
{
    std::vector<const HostFunction*> all = functionsNamed(name);
    for (const std::string_view wanted : { scope, std::string_view() }) {
        const auto isThere = [&](const HostFunction* function) { return function->scope == wanted; };
        if (all.size() > 1 && std::ranges::any_of(all, isThere)) {
            std::erase_if(all, std::not_fn(isThere));
            break;
        }
    }
    return all;
}

const HostFunction* HostProgram::function(std::string_view name, std::size_t arguments) const
{
    const auto [first, last] = m_byName.equal_range(name);
    const HostFunction* best = nullptr;
    for (auto i = first; i != last; ++i) {
        const HostFunction* candidate = i->second;
        if (candidate->ofClass.empty() && candidate->takes(arguments))
            return candidate;
        if (!best && candidate->ofClass.empty())
            best = candidate;
    }
    return best;
}

const HostClass* HostProgram::classNamed(std::string_view name) const
{
    const auto found = m_classes.find(name);
    return found == m_classes.end() ? nullptr : &found->second;
}

std::vector<std::pair<const HostClass*, TokenRange>> HostProgram::specializationsOf(std::string_view name) const
{
    std::vector<std::pair<const HostClass*, TokenRange>> found;
    const auto [first, last] = m_specializations.equal_range(name);
    for (auto i = first; i != last; ++i)
        found.emplace_back(classNamed(i->second.first), i->second.second);
    return found;
}

const HostFunction* HostProgram::keep(HostFunction function)
{
    m_functions.push_back(std::move(function));
    return &m_functions.back();
}

void HostProgram::readLocalType(std::size_t first, std::size_t last)
{
    for (const Declaration& declaration : declarationsOf(tokens(), first, last)) {
        if (declaration.kind == DeclarationKind::Type)
            readClass(declaration);
    }
}

/// Of numbers alone, and whose names nothing else has.
void HostProgram::readLocalEnumerations()
{
    const std::size_t known = m_enumerators.size();
    for (std::size_t f = 0; f < m_functions.size(); ++f) {
        const auto [first, last] = std::pair(m_functions[f].bodyFirst, m_functions[f].bodyLast);
        for (std::size_t i = first; i < last; ++i) {
            std::size_t open = i;
            while (open < last && token(i).is("enum") && !token(open).is("{") && !token(open).is(";"))
                ++open;
            if (open == i || open >= last || !token(open).is("{"))
                continue;
            for (Declaration& declaration : declarationsOf(tokens(), i, std::min(behindBracket(tokens(), open), last))) {
                const auto body = std::span(tokens()).subspan(declaration.bodyFirst, declaration.hasBody() ? declaration.bodyLast - declaration.bodyFirst : 0);
                const auto isName = [&](const Token& one) { return std::ranges::find(declaration.names, one.text) != declaration.names.end(); };
                if (declaration.kind != DeclarationKind::Type || body.empty() || !std::ranges::all_of(body, [&](const Token& one) { return !one.isWord() || isName(one); }))
                    continue;
                if (declaration.names.front() == body.front().text) // it has no name
                    declaration.names.insert(declaration.names.begin(), "");
                readEnumeration(declaration);
            }
        }
    }
    for (std::size_t i = known; i < m_enumerators.size(); ++i)
        m_enumerators[i].isLocal = true;
    const auto isTaken = [&](const Enumerator& one) { return one.isLocal && (function(one.name, 0) || classNamed(one.name) || std::ranges::count(m_enumerators, one.name, &Enumerator::name) > 1); };
    const bool isAnyTaken = std::any_of(m_enumerators.begin() + std::ptrdiff_t(known), m_enumerators.end(), isTaken);
    if (isAnyTaken)
        m_enumerators.resize(known);
}

void HostProgram::readLocalTypes()
{
    std::map<std::string_view, std::vector<std::pair<std::size_t, std::size_t>>> found; // tokens
    for (const HostFunction& function : m_functions)
        for (std::size_t i = function.bodyFirst; i < function.bodyLast; ++i) {
            const bool opens = (token(i).is("struct") || token(i).is("class")) && token(i + 1).isWord() && (token(i + 2).is("{") || token(i + 2).is(":"));
            std::size_t body = i + 2;
            while (opens && body < function.bodyLast && !token(body).is("{") && !token(body).is(";"))
                ++body;
            if (opens && token(body).is("{"))
                found[token(i + 1).text].emplace_back(i, behindBracket(tokens(), body));
        }
    for (const auto& [name, places] : found)
        if (places.size() == 1 && !classNamed(name))
            readLocalType(places[0].first, places[0].second);
}

void HostProgram::read(const std::vector<Declaration>& declarations)
{
    for (const Declaration& declaration : declarations) {
        const auto has = [&](std::string_view word) {
            const auto end = tokens().begin() + std::ptrdiff_t(declaration.hasBody() ? declaration.bodyFirst : declaration.last);
            return std::any_of(tokens().begin() + std::ptrdiff_t(declaration.first), end, [&](const Token& token) { return token.is(word); });
        };
        if (has("__global__")) {
            for (const std::string_view name : declaration.names)
                m_kernels.try_emplace(std::string(name), KernelsOfAName { .isTemplate = token(declaration.first).is("template") }).first->second.bodies += declaration.hasBody();
        } else if (declaration.kind == DeclarationKind::Type || (has("typedef") && declaration.hasBody())) {
            readClass(declaration);
        } else if (declaration.kind == DeclarationKind::Function && declaration.hasBody()) {
            readFunction(declaration, "", declaration.scope);
        } else if (declaration.kind == DeclarationKind::Other || declaration.kind == DeclarationKind::Function) {
            const bool isAlias = token(declaration.first).is("template") && has("using");
            if (token(declaration.first).is("using") || isAlias || has("typedef"))
                m_types.push_back(declaration);
            else if (!has("__device__") && !has("__constant__") && !has("__managed__"))
                m_variables.push_back(declaration); // also `dim3 block(32, 8);`
            else if (declaration.kind == DeclarationKind::Other)
                m_ofModule.push_back(declaration);
        }
    }
}

void HostProgram::readFunction(const Declaration& declaration, const std::string& ofClass, std::string_view scope)
{
    const std::vector<Token>& all = tokens();
    HostFunction function { .ofClass = ofClass, .scope = scope, .ofTemplate = templateParametersOf(declaration), .bodyFirst = declaration.bodyFirst, .bodyLast = declaration.bodyLast };
    // The parameters stand in the last brackets before the body that no constructor's members open.
    std::size_t open = 0;
    for (std::size_t i = declaration.first; i < declaration.bodyFirst; ++i) {
        if (token(i).is("template") && i + 1 < all.size() && token(i + 1).is("<"))
            i = std::max(behindAngle(all, i + 1, AngleIn::Declaration), i + 2) - 1;
        else if (token(i).is(":") && open) {
            function.membersFirst = i + 1;
            function.membersLast = declaration.bodyFirst - 1;
            break;
        } else if (token(i).is("(")) {
            const bool isName = i > declaration.first && token(i - 1).isWord()
                && std::ranges::find(declaration.names, token(i - 1).text) != declaration.names.end();
            const bool isOperator = i >= declaration.first + 2 && isOneOf(token(i - 1).text, kOperators) && token(i - 2).is("operator");
            const bool isIndex = i >= declaration.first + 3 && token(i - 1).is("]") && token(i - 2).is("[") && token(i - 3).is("operator");
            const bool isConversion = i >= declaration.first + 2 && token(i - 1).isWord() && token(i - 2).is("operator"); // operator bool()
            if (isName || isIndex || isOperator || isConversion || (i > declaration.first && token(i - 1).is(")"))) // operator()(...)
                open = i;
            i = behindBracket(all, i) - 1;
        }
    }
    if (!open)
        return;
    if (token(open - 2).is("~")) // what ends an object
        return;
    const std::string_view last = token(open - 1).text;
    function.name = last == ")" ? "operator" : last == "]" ? "operator[]" : isOneOf(last, kOperators) ? "operator" + std::string(last) : token(open - 2).is("operator") ? "operator " + std::string(last) : std::string(last); // operator()
    if (open >= declaration.first + 3 && token(open - 2).is("::") && token(open - 3).isWord())
        function.ofClass = token(open - 3).text;
    function.parameters = parametersIn(open + 1, behindBracket(all, open) - 1);
    function.returnFirst = declaration.first;
    for (function.returnLast = open - 1; function.name.starts_with("operator") && function.returnLast > declaration.first && !token(function.returnLast).is("operator");)
        --function.returnLast;
    const HostFunction* kept = keep(std::move(function));
    if (const auto type = m_classes.find(kept->ofClass); !kept->ofClass.empty() && type != m_classes.end())
        type->second.functions.push_back(kept);
    if (ofClass.empty()) {
        m_byName.emplace(kept->name, kept);
        if (kept->ofClass.empty() || !m_classes.contains(kept->ofClass)) { // the latter: of a namespace
            m_functions.back().ofClass.clear();
            m_inOrder.push_back(kept);
        }
    }
}

void HostProgram::readEnumeration(const Declaration& declaration)
{
    bool isFirst = true;
    std::string type;
    bool isType = false;
    for (std::size_t i = declaration.first; i + 1 < declaration.bodyFirst; ++i) {
        if (isType && token(i).isWord() && !token(i).is("std"))
            type += (type.empty() ? "" : " ") + std::string(token(i).text);
        isType = isType || token(i).is(":");
    }
    for (std::size_t i = declaration.bodyFirst; i < declaration.bodyLast; ++i) {
        if (!token(i).isWord())
            continue;
        Enumerator enumerator { .name = std::string(token(i).text), .ofEnumeration = std::string(declaration.names.front()), .type = type, .isFirst = std::exchange(isFirst, false), .at = i };
        const bool hasValue = i + 1 < declaration.bodyLast && token(i + 1).is("=");
        if (hasValue)
            enumerator.first = i + 2;
        int open = 0;
        while (i < declaration.bodyLast && (open > 0 || !token(i).is(","))) {
            open += token(i).is("(") - token(i).is(")");
            ++i;
        }
        if (hasValue)
            enumerator.last = i;
        m_enumerators.push_back(std::move(enumerator));
    }
}

void HostProgram::readClass(const Declaration& declaration)
{
    if (declaration.names.empty() || !declaration.hasBody())
        return;
    const bool isEnumeration = std::any_of(tokens().begin() + std::ptrdiff_t(declaration.first),
        tokens().begin() + std::ptrdiff_t(declaration.bodyFirst), [](const Token& token) { return token.is("enum"); });
    if (isEnumeration)
        return readEnumeration(declaration);
    // Of `typedef struct { ... } Name;` the last one, of `typedef struct Tag { ... } Name;` either.
    const std::string name(declaration.kind == DeclarationKind::Type ? declaration.names.front() : declaration.names.back());
    std::size_t at = declaration.first;
    if (token(at).is("template"))
        at = std::max(behindAngle(tokens(), at + 1, AngleIn::Declaration), at + 1);
    while (at < declaration.bodyFirst && !token(at).is(name) && !token(at).is(":"))
        ++at;
    if (!token(at).is(name) || !token(at + 1).is("<"))
        return readClass(declaration, name);
    std::string special = name;
    const std::size_t end = std::min(behindAngle(tokens(), at + 1, AngleIn::Declaration), declaration.bodyFirst);
    for (std::size_t i = at + 1; i < end; ++i)
        special += token(i).text;
    readClass(declaration, special);
    m_specializations.emplace(name, std::pair(special, TokenRange { at + 1, end }));
    if (!m_classes.contains(name)) // of none is said what it is for all others
        readClass(declaration, name);
}

void HostProgram::readClass(const Declaration& declaration, const std::string& name)
{
    HostClass& type = m_classes[name]; // a map's values stay where they are
    type = { .name = name, .ofTemplate = templateParametersOf(declaration), .isOfLibrary = m_text.isOfLibrary(token(declaration.first)) };
    readBases(declaration, type);
    for (const Declaration& member : declarationsOf(tokens(), declaration.bodyFirst, declaration.bodyLast)) {
        if (member.kind == DeclarationKind::Type) {
            readClass(member);
            const bool isNameless = token(member.first + 1).is("{") && !token(member.first).is("enum");
            type.isWhole = type.isWhole && !isNameless;
        }
        readDefaultedOperator(member, type);
        if (member.kind == DeclarationKind::Function && token(member.first).is("virtual"))
            type.virtuals.insert(member.names.begin(), member.names.end());
        const auto isPointer = [&] { // void (*run)(int);
            const auto tokensOf = std::span(tokens()).subspan(member.first, member.last - member.first);
            return std::ranges::adjacent_find(tokensOf, [](const Token& one, const Token& next) { return one.is("(") && next.is("*"); }) != tokensOf.end();
        };
        const bool isFriend = token(member.first).is("friend") && type.ofTemplate.empty(); // of no class
        if (member.kind == DeclarationKind::Function && member.hasBody())
            readFunction(member, isFriend ? "" : name, declaration.scope);
        else if (member.kind == DeclarationKind::Other || (member.kind == DeclarationKind::Function && isPointer()))
            readMembers(member, type);
    }
    leaveAmbiguousBases(type);
}

void HostProgram::readDefaultedOperator(const Declaration& declaration, HostClass& type) const
{
    for (std::size_t i = declaration.first; i + 2 < declaration.last && !declaration.hasBody(); ++i) {
        if (!token(i).is("operator") || !token(declaration.last - 2).is("default"))
            continue;
        type.isOrderedByParts = type.isOrderedByParts || token(i + 1).is("<=>");
        type.isComparedByParts = type.isComparedByParts || isOneOf(token(i + 1).text, std::to_array<std::string_view>({ "==", "<=>" }));
    }
}

/// `float *a = nullptr, *b;`: one for each name.
void HostProgram::readMembers(const Declaration& declaration, HostClass& type)
{
    const std::size_t first = declaration.first, last = declaration.last;
    if (isOneOf(token(first).text, std::array<std::string_view, 3> { "using", "typedef", "friend" })) {
        if (token(first + 2).is("=")) { // using Base = Solver<T>;
            const auto base = std::ranges::find(type.bases, baseIn({ first + 3, last - 1 }).name, &HostBase::name);
            if (base != type.bases.end())
                base->alias = token(first + 1).text;
            else
                type.aliases.push_back(declaration);
        } else if (token(first).is("typedef")) {
            type.aliases.push_back(declaration);
        } else if (last > first + 3 && token(last - 3).is("::")) { // using Base::Base;
            type.takesConstructors = type.takesConstructors || baseNamed(type, token(last - 2).text);
        }
        return;
    }
    const auto head = std::span(tokens()).subspan(first, std::min<std::size_t>(last - first, kMostQualifiers));
    const bool isStatic = std::ranges::any_of(head, [](const Token& part) { return part.is("static"); });
    std::size_t typeLast = first;
    for (std::size_t i = first; i < last; ++i) {
        const bool isBits = token(i).is(":") && i > first && token(i - 1).isWord() && token(i + 1).kind == TokenKind::Number; // unsigned age : 7;
        const bool ends = isBits || token(i).is("=") || token(i).is(",") || token(i).is(";") || token(i).is("[") || token(i).is("{");
        if (token(i).is("<"))
            i = std::max(behindAngle(tokens(), i, AngleIn::Declaration), i + 1) - 1;
        if (token(i).is("(") && token(i + 1).is("*") && token(i + 2).isWord() && token(i + 3).is(")") && token(i + 4).is("(")) { // void (*run)(int);
            (isStatic ? type.statics : type.members).push_back({ .name = std::string(token(i + 2).text), .typeFirst = first, .typeLast = i });
            return;
        }
        if (!ends || i == first || !token(i - 1).isWord())
            continue;
        typeLast = typeLast == first ? i - 1 : typeLast;
        HostParameter field { .name = std::string(token(i - 1).text), .typeFirst = first, .typeLast = typeLast };
        for (field.extents = token(i).is("[") ? i : 0; i < last && token(i).is("[");)
            i = behindBracket(tokens(), i);
        if (isBits) {
            field.bits = std::max(std::atoi(std::string(token(i + 1).text).c_str()), 1);
            i += 2;
        }
        if (token(i).is("=") || token(i).is("{")) {
            field.valueFirst = i + (token(i).is("=") ? 1 : 0);
            for (i = field.valueFirst; i < last && !token(i).is(",") && !token(i).is(";"); ++i)
                if (token(i).opens())
                    i = behindBracket(tokens(), i) - 1;
                else if (const std::size_t behind = token(i).is("<") ? behindMade(tokens(), i) : i; behind > i)
                    i = behind - 1; // = std::vector<std::array<int, 4>>(1)
            field.valueLast = i;
        }
        (isStatic ? type.statics : type.members).push_back(std::move(field));
    }
}

bool HostProgram::isConcept(std::size_t at) const
{
    static constexpr std::array<std::string_view, 9> kOfLibrary { "integral", "floating_point", "signed_integral", "unsigned_integral", "invocable", "copyable", "semiregular", "regular", "default_initializable" };
    const bool isOfLibrary = token(at).is("std") && token(at + 1).is("::") && isOneOf(token(at + 2).text, kOfLibrary);
    return isOfLibrary || m_concepts.contains(token(at).text);
}

std::vector<HostParameter> HostProgram::parametersIn(std::size_t first, std::size_t last) const
{
    const std::vector<Token>& all = tokens();
    std::vector<HostParameter> found;
    for (std::size_t begin = first; begin < last;) {
        HostParameter parameter { .typeFirst = begin };
        std::size_t end = begin, name = 0;
        for (; end < last && !token(end).is(","); ++end) {
            if (token(end).is("<"))
                end = std::max(behindAngle(all, end, AngleIn::Declaration), end + 1) - 1;
            else if (token(end).is("(") || token(end).is("[") || token(end).is("{")) {
                if (token(end).is("(") && end + 2 < last && token(end + 1).is("*") && token(end + 2).isWord()) // void (*f)(int)
                    name = end + 2;
                end = behindBracket(all, end) - 1;
            } else if (token(end).is("=") && parameter.valueFirst == 0) {
                parameter.valueFirst = end + 1;
            } else if (token(end).isWord() && parameter.valueFirst == 0 && (name == 0 || !token(name - 1).is("*") || name + 1 >= end)) {
                name = end;
            }
        }
        parameter.valueLast = parameter.valueFirst ? end : 0;
        parameter.typeLast = end;
        const std::size_t stop = parameter.valueFirst ? parameter.valueFirst - 1 : end;
        const auto isQualifier = [&](std::size_t at) { return token(at).is("const") || token(at).is("volatile"); };
        const bool isBehindType = name > begin && !(name == begin + 1 && isQualifier(begin)) && !(name + 1 < stop && (token(name + 1).is("&") || token(name + 1).is("&&") || token(name + 1).is("*")));
        const bool isNamed = isBehindType && !token(name - 1).is("::") && !token(name).is("int") && !token(name).is("const");
        parameter.typeLast = isNamed ? name : stop;
        parameter.name = isNamed ? std::string(token(name).text) : "";
        parameter.isPack = stop > begin && token((isNamed ? name : stop) - 1).is("...");
        parameter.isType = token(begin).is("typename") || token(begin).is("class") || isConcept(begin);
        if (stop > begin)
            found.push_back(std::move(parameter));
        begin = end + 1;
    }
    if (found.size() == 1 && found[0].name.empty() && token(found[0].typeFirst).is("void") && found[0].typeLast == found[0].typeFirst + 1)
        found.clear();
    return found;
}

std::vector<HostParameter> HostProgram::templateParametersOf(const Declaration& declaration) const
{
    const std::size_t at = declaration.first;
    if (!token(at).is("template") || at + 1 >= tokens().size() || !token(at + 1).is("<"))
        return {};
    const std::size_t end = behindAngle(tokens(), at + 1, AngleIn::Declaration);
    return end > at + 2 ? parametersIn(at + 2, end - 1) : std::vector<HostParameter> {};
}

} // namespace coalescope::kernels
