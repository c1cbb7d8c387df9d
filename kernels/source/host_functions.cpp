// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/host_reader.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace coalescope::kernels {

HostValue HostReader::call(const HostFunction& function, std::vector<HostValue> arguments, const std::vector<std::string>& ofTemplate, HostScope* seen)
{
    const std::size_t open = std::exchange(m_open, 0);
    const auto runs = [&](const auto& outer) { return outer.function == &function; };
    if (!m_launching.contains(&function) && std::ranges::any_of(m_calls, runs) && --m_recursions < 0) // such as builds a tree
        return {};
    if (m_muted || m_depth >= kDeepestCall || m_budget <= m_kept)
        return {};
    const bool launches = m_launching.contains(&function) || m_launchingCalls.contains(function.name);
    const int kept = std::exchange(m_kept, launches ? m_kept : kForLaunches);
    m_called.insert(&function);
    HostScope* const scope = newScope(seen ? seen : m_globals);
    bindTemplate(function, ofTemplate, arguments, *scope);
    HostScope* const caller = m_scope;
    m_scope = scope;
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
        const HostParameter& parameter = function.parameters[i];
        if (parameter.isPack) {
            HostValue pack { .kind = HostKind::List };
            pack.isPack = true;
            pack.items.assign(std::move_iterator(arguments.begin() + std::ptrdiff_t(std::min(i, arguments.size()))), std::move_iterator(arguments.end()));
            scope->values[parameter.name] = std::move(pack);
            break;
        }
        HostValue value = i < arguments.size() ? std::move(arguments[i]) : defaultOf(parameter);
        if (!parameter.name.empty()) {
            if (const auto type = typeOf(parameter); type && !type->isReference)
                value = asNumber(std::move(value));
            const bool isLiteral = m_launching.contains(&function) && function.name != "main";
            value = isLiteral ? named(parameter.name, std::move(value)) : std::move(value);
            bindParameter(parameter, std::move(value), *scope);
        }
    }
    HostValue returned;
    std::swap(returned, m_returned);
    const int unsure = std::exchange(m_unsure, 0);
    ++m_depth;
    m_calls.push_back({ &function, open, caller });
    block(function.bodyFirst, function.bodyLast);
    m_calls.pop_back();
    m_open = 0;
    --m_depth;
    m_kept = kept;
    m_unsure = unsure;
    std::swap(returned, m_returned);
    if (returned.kind == HostKind::List && returned.isBraced) { // return { 1, 2 };
        std::size_t at = function.returnFirst;
        if (auto type = typeAt(at, function.returnLast); type && !type->isAuto()) {
            if (type->arguments.empty() && type->name == function.ofClass)
                type->arguments = ownTypes(function.ofClass);
            returned = valueOfType(*type, { std::move(returned) });
        }
    }
    m_scope = caller;
    returned.place = {};
    return returned;
}

/// What a class is in its own functions: the types that it is made with. Empty: not all are known.
std::vector<std::string> HostReader::ownTypes(const std::string& name) const
{
    std::vector<std::string> types;
    const HostClass* const type = m_program.classNamed(name);
    for (std::size_t i = 0; type && i < type->ofTemplate.size(); ++i) {
        const std::string& parameter = type->ofTemplate[i].name;
        types.push_back(resolvedType(parameter));
        if (types.back() == parameter)
            return {};
    }
    return types;
}

/// What a template's argument, as templateArguments() writes it, stands for.
HostValue HostReader::templateValue(const std::string& text) const
{
    if (text.starts_with('{') && text.ends_with('}')) {
        const auto known = std::ranges::find(m_found.parameters, text.substr(1, text.size() - 2), &ProgramParameter::name);
        return known == m_found.parameters.end() ? HostValue {} : HostValue::of(Symbolic::ofParameter(known->name, known->value));
    }
    if (!text.empty() && text.find_first_not_of("0123456789") == text.npos)
        return HostValue::of(literal(text));
    if (text == "true" || text == "false") {
        HostValue truth = HostValue::of(Symbolic::ofInteger(text == "true"));
        truth.isEnumerator = true;
        return truth;
    }
    if (const HostValue known = at(find(text)); known.isEnumerator)
        return known;
    HostValue kernel;
    if (m_program.isKernel(text)) {
        kernel.kind = HostKind::Kernel;
        kernel.type = text;
    }
    return kernel;
}

/// What a function's argument tells of the template's type of that name; empty: nothing.
std::string HostReader::deducedType(const HostParameter& parameter, const std::string& name, const HostValue& argument) const
{
    if (argument.kind == HostKind::Function || argument.kind == HostKind::Kernel)
        return "";
    for (std::size_t at = parameter.typeFirst; at < parameter.typeLast; ++at) {
        if (!token(at).is(name))
            continue;
        const bool isOfTemplate = at > parameter.typeFirst && (token(at - 1).is("<") || token(at - 1).is(","));
        if (!isOfTemplate || argument.kind != HostKind::Object || !argument.scope)
            return argument.kind == HostKind::Object && argument.scope ? argument.scope->typeText : argument.type;
        const HostClass* type = m_program.classNamed(argument.type); // Matrix<T>
        const auto index = std::size_t(std::ranges::count_if(
            m_program.tokens().begin() + std::ptrdiff_t(parameter.typeFirst), m_program.tokens().begin() + std::ptrdiff_t(at), [](const Token& token) { return token.is(","); }));
        if (!type || index >= type->ofTemplate.size())
            return "";
        const auto known = argument.scope->types.find(type->ofTemplate[index].name);
        return known == argument.scope->types.end() ? "" : known->second;
    }
    return "";
}

void HostReader::bindTemplate(const HostFunction& function, const std::vector<std::string>& given, const std::vector<HostValue>& arguments, HostScope& scope)
{
    for (std::size_t i = 0; i < function.ofTemplate.size(); ++i) {
        const HostParameter& parameter = function.ofTemplate[i];
        std::string text = i < given.size() ? given[i] : "";
        if (!parameter.isType) {
            HostValue value = templateValue(text);
            if (text.empty() && parameter.hasValue())
                value = defaultOf(parameter);
            if (value.isEnumerator && text != parameter.name)
                scope.types[parameter.name] = text; // as template arguments have it
            if (value.kind != HostKind::Unknown)
                scope.values[parameter.name] = named(parameter.name, std::move(value));
            continue;
        }
        for (std::size_t k = 0; k < function.parameters.size() && k < arguments.size() && text.empty(); ++k)
            text = deducedType(function.parameters[k], parameter.name, arguments[k]);
        if (text.empty() && parameter.hasValue()) {
            std::size_t at = parameter.valueFirst;
            const auto type = typeAt(at, parameter.valueLast);
            text = type ? type->name : "";
        }
        if (text != parameter.name)
            scope.types[parameter.name] = text.empty() ? "float" : text;
    }
}

void HostReader::bindParameter(const HostParameter& parameter, HostValue value, HostScope& scope)
{
    const auto type = typeOf(parameter);
    const bool refers = type && type->isReference && (type->pointers > 0 || !type->isConst); // const float*& changes, too
    if (refers && !value.place.name.empty() && value.place.scope != &scope && value.kind != HostKind::Object) {
        scope.values[parameter.name] = HostValue::aliasOf(value.place);
        return;
    }
    const bool converts = type && (value.isNumber() || value.kind == HostKind::Dim3 || value.kind == HostKind::List) && !type->isAuto()
        && (type->name == "dim3" || bytesOfType(type->name) > 0 || (value.isBraced && type->pointers == 0 && m_program.classNamed(type->name)));
    if (converts)
        value = valueOfType(*type, { std::move(value) });
    value.place = {};
    scope.values[parameter.name] = std::move(value);
}

} // namespace coalescope::kernels
