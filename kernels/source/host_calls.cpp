// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/drawn_reals.h"
#include "kernels/source/host_reader.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>
#include <ranges>
#include <tuple>
#include <utility>

namespace coalescope::kernels {
namespace {

constexpr int kDeepestConstant = 4;
constexpr std::int64_t kMostOfAConstant = 1024; ///< elements of an array
constexpr std::int64_t kMostFactor = 65536; ///< of a row's width

HostValue numberOf(std::int64_t value) { return HostValue::of(Symbolic::ofInteger(value)); }

/// A function of <cmath> or <algorithm>; Unknown: it is none of those that are known here.
HostValue mathematics(std::string_view name, const std::vector<HostValue>& arguments)
{
    if (arguments.empty() || !std::ranges::all_of(arguments, &HostValue::isNumber))
        return {};
    const Symbolic& a = arguments[0].number;
    if (arguments.size() >= 2) {
        const Symbolic& b = arguments[1].number;
        if (name == "min" || name == "fmin" || name == "fminf")
            return HostValue::of(smaller(a, b));
        if (name == "max" || name == "fmax" || name == "fmaxf")
            return HostValue::of(larger(a, b));
        if ((name == "pow" || name == "powf") && a.isConstant() && a.asReal() == 2 && !b.isReal && b.integer >= 0 && b.integer < 63)
            return HostValue::of(applied("<<", Symbolic::ofInteger(1), b));
        if (name == "pow" || name == "powf")
            return HostValue::of(Symbolic::ofReal(std::pow(a.asReal(), b.asReal())));
        if (name == "gcd")
            return numberOf(b.asInteger() == INT64_MIN || a.asInteger() == INT64_MIN ? 0 : std::gcd(a.asInteger(), b.asInteger()));
        return {};
    }
    if (name == "ceil" || name == "ceilf")
        return HostValue::of(roundedUp(a));
    if (name == "floor" || name == "floorf" || name == "trunc")
        return HostValue::of(roundedDown(a));
    if (name == "abs" || name == "labs")
        return HostValue::of(a.asReal() < 0 ? applied("-", a) : a);
    const double x = a.asReal();
    static constexpr std::array<std::pair<std::string_view, double (*)(double)>, 15> kFunctions { { { "sqrt", std::sqrt }, { "rsqrt", [](double of) { return 1 / std::sqrt(of); } }, { "cbrt", std::cbrt },
        { "log2", std::log2 }, { "log10", std::log10 }, { "log", std::log }, { "exp", std::exp }, { "exp2", std::exp2 }, { "sin", std::sin },
        { "cos", std::cos }, { "tan", std::tan }, { "atan", std::atan }, { "tanh", std::tanh }, { "round", std::round }, { "fabs", std::fabs } } };
    const auto isNamed = [&](std::string_view function) { return name == function || (name.ends_with('f') && name.substr(0, name.size() - 1) == function); };
    const auto found = std::ranges::find_if(kFunctions, isNamed, [](const auto& row) { return row.first; });
    if (found == kFunctions.end())
        return {};
    const double value = found->second(x);
    return std::isfinite(value) ? HostValue::of(Symbolic::ofReal(value)) : HostValue {};
}

/// Such as DIV_UP, ceilDiv and cdiv.
bool roundsUpByName(std::string_view name)
{
    static constexpr auto kNames = std::to_array<std::string_view>({ "divup", "idivup", "updiv", "ceildiv", "divceil", "cdiv", "ceildivide", "divideup", "divroundup", "rounddivup" });
    std::string plain;
    for (const char c : name)
        if (c != '_')
            plain += char(std::tolower(static_cast<unsigned char>(c)));
    return isOneOf(plain, kNames);
}

HostValue roundedUp(const HostValue& a, const HostValue& b)
{
    if (!a.isNumber() || !b.isNumber() || a.number.isReal || b.number.isReal || b.number.integer < 1)
        return {};
    return HostValue::of(applied("/", applied("-", applied("+", a.number, b.number), Symbolic::ofInteger(1)), b.number));
}

/// Any number of it is.
bool isKnown(const ProgramConstant::Value& value) { return value.number || std::ranges::any_of(value.items, isKnown); }

} // namespace

/// The program's own operator, of a member of the first or a function of no class. Nothing: there is none.
std::optional<HostValue> HostReader::byOperator(std::string_view op, const HostValue& left, const std::vector<HostValue>& others)
{
    if (left.kind != HostKind::Object && (others.empty() || others[0].kind != HostKind::Object))
        return std::nullopt;
    const std::string name = "operator" + std::string(op);
    if (left.kind == HostKind::Object) {
        const HostClass* const type = classAsked(left, name);
        if (const HostFunction* const own = type ? chosen(*type, name, others) : nullptr)
            return call(*own, others, {}, left.scope);
    }
    std::vector<HostValue> all { left };
    all.insert(all.end(), others.begin(), others.end());
    const HostFunction* const function = chosen(m_program.functionsNamed(name), all);
    return function ? std::optional(call(*function, std::move(all), {}, m_globals)) : std::nullopt;
}

HostValue HostReader::callNamed(const std::string& name, std::vector<HostValue> arguments, const std::vector<std::string>& ofTemplate, std::size_t at)
{
    if (HostPlace place = find(name); !place.name.empty()) {
        const HostValue value = this->at(place);
        if (value.kind == HostKind::Function && value.function)
            return callFunction(value, std::move(arguments), ofTemplate);
        if (value.kind == HostKind::Object)
            return callMember(value, "operator", std::move(arguments), ofTemplate);
    }
    // A member function of the object whose function is being read.
    if (const HostValue self = thisObject(); self.kind == HostKind::Object) {
        const HostClass* type = classAsked(self, name);
        const HostFunction* const function = type && name != type->name ? chosen(*type, name, arguments) : nullptr;
        if (function)
            return call(*function, std::move(arguments), ofTemplate, self.scope);
    }
    if (const HostFunction* function = chosen(m_program.functionsNamed(name), arguments))
        return call(*function, std::move(arguments), ofTemplate, m_globals);
    return callLibrary(name, std::move(arguments), ofTemplate, at);
}

/// Of CUDA's runtime, the C++ library or none that is known; also a type's name, which makes a value.
HostValue HostReader::callLibrary(const std::string& name, std::vector<HostValue> arguments, const std::vector<std::string>& ofTemplate, std::size_t at)
{
    if (name == "dim3" || bytesOfType(name) > 0 || name == "vector" || name == "array" || m_program.classNamed(name) || resolvedType(name) != name) {
        HostType type = typeOfText(resolvedType(name));
        if (!ofTemplate.empty())
            type.arguments = ofTemplate;
        return valueOfType(type, std::move(arguments));
    }
    if ((name == "make_unique" || name == "make_shared") && ofTemplate.size() == 1 && m_program.classNamed(typeOfText(resolvedType(ofTemplate[0])).name))
        return valueOfType(typeOfText(resolvedType(ofTemplate[0])), std::move(arguments));
    if (name.starts_with("getopt")) // no options are given
        return numberOf(-1);
    if (name == "getenv" || name == "secure_getenv") { // and nothing is set
        HostValue null { .kind = HostKind::Pointer };
        null.type = "null";
        return null;
    }
    if (name.starts_with("make_") && !componentOf(std::string_view(name).substr(5)).empty())
        return vectorOfComponents(name.substr(5), std::move(arguments));
    if (HostValue value = callRuntime(name, arguments, at); value.kind != HostKind::Unknown)
        return value;
    if (arguments.size() == 2 && roundsUpByName(name)) {
        asNumbers(arguments);
        if (HostValue quotient = roundedUp(arguments[0], arguments[1]); quotient.isNumber()) {
            if (!m_muted)
                m_found.roundingUp.insert(name);
            return quotient;
        }
    }
    callFunctionsAmong(arguments);
    // std::unique_ptr<T, Free>(p) and its kin
    if ((name == "unique_ptr" || name == "shared_ptr") && !arguments.empty() && arguments[0].kind == HostKind::Object)
        return arguments[0];
    return !arguments.empty() && arguments[0].kind == HostKind::Pointer && arguments[0].buffer >= 0 ? arguments[0] : HostValue {};
}

/// The object whose function is being read.
HostValue HostReader::thisObject() const
{
    HostValue self;
    for (HostScope* scope = m_scope; scope && self.kind == HostKind::Unknown; scope = scope->outer) {
        if (scope->ofClass.empty())
            continue;
        self.kind = HostKind::Object;
        self.type = scope->ofClass;
        self.scope = scope;
    }
    return self;
}

/// cudaMalloc(&p, bytes) and its kin.
HostValue HostReader::allocate(const HostValue& target, const HostValue& bytes)
{
    if (m_muted || target.kind != HostKind::Reference)
        return numberOf(0);
    HostValue pointer = at(target.target);
    std::string type = pointer.type == "null" || pointer.type == "void" ? "" : pointer.type;
    if (type.ends_with('*')) // of an array of pointers
        type.pop_back();
    pointer = { .kind = HostKind::Pointer };
    pointer.type = type;
    pointer.buffer = newBuffer(target.target.name, bytes.isNumber() ? std::optional(asInteger(bytes.number)) : std::nullopt, type);
    if (target.target.component >= 0)
        store(target.target, std::move(pointer));
    else if (target.target.scope)
        target.target.scope->values[target.target.name] = std::move(pointer);
    return numberOf(0);
}

/// What is known of the factors in `width * sizeof(Unknown)`.
std::int64_t HostReader::knownFactors(Range product)
{
    std::int64_t known = 1;
    for (std::size_t at = product.first; at < product.last;) {
        std::size_t end = at;
        while (end < product.last && !token(end).is("*"))
            end = token(end).opens() ? behindBracket(m_program.tokens(), end) : end + 1;
        if (const HostValue factor = evaluate({ at, end }); factor.isNumber() && factor.number.asInteger() > 0)
            known *= std::min<std::int64_t>(factor.number.asInteger(), kMostFactor);
        at = end + 1;
    }
    return known;
}

/// cudaMallocPitch(&p, &pitch, width, height): what is not known of the last two is guessed.
HostValue HostReader::allocatePitched(std::vector<HostValue> arguments, std::size_t at)
{
    if (m_muted)
        return numberOf(0);
    constexpr std::int64_t kOfAStructure = 16; ///< bytes, if it is not known
    const std::string element = arguments[0].kind == HostKind::Reference ? this->at(arguments[0].target).type : "";
    const std::int64_t known = bytesOf(typeOfText(element)), elementBytes = known > 0 ? known : element.empty() || element == "void" ? 1 : kOfAStructure;
    std::int64_t width = kGuessedSide;
    if (const auto written = token(at + 1).is("(") ? parts({ at + 2, behindBracket(m_program.tokens(), at + 1) - 1 }) : std::vector<Range> {};
        written.size() == 4 && !(arguments[2].isNumber() && arguments[3].isNumber())) {
        const bool outer = std::exchange(m_isGuessing, true);
        m_elementBytes = elementBytes;
        for (std::size_t i = 2; i < 4; ++i)
            arguments[i] = evaluate(written[i]);
        if (const std::int64_t factors = knownFactors(written[2]); factors > 1)
            width = factors;
        m_isGuessing = outer;
        m_elementBytes = 0;
    }
    const auto upTo = [](const Symbolic& bytes) {
        const Symbolic unit = Symbolic::ofInteger(kPitchBytes);
        return applied("*", applied("/", applied("+", bytes, Symbolic::ofInteger(kPitchBytes - 1)), unit), unit);
    };
    HostValue pitch;
    if (arguments[2].isNumber())
        pitch = HostValue::of(upTo(arguments[2].number));
    else if (arguments[1].kind == HostKind::Reference)
        pitch = guessed(arguments[1].target.name, upTo(Symbolic::ofInteger(width * elementBytes)).integer);
    store(arguments[1].target, pitch);
    return allocate(arguments[0], pitch.isNumber() && arguments[3].isNumber() ? HostValue::of(applied("*", pitch.number, arguments[3].number)) : HostValue {});
}

void HostReader::launchThroughRuntime(const std::vector<HostValue>& arguments, std::size_t at)
{
    if (arguments.size() < 4)
        return;
    std::vector<HostValue> values;
    HostValue pointers = arguments[3];
    if (pointers.kind == HostKind::Reference)
        pointers = this->at(pointers.target);
    for (const HostValue& item : pointers.items)
        values.push_back(item.kind == HostKind::Reference ? this->at(item.target) : item);
    launch(arguments[0], arguments[1], arguments[2], arguments.size() > 4 ? arguments[4] : numberOf(0), values, at);
}

void HostReader::launchByConfig(std::vector<HostValue> arguments, std::size_t at)
{
    if (arguments.size() < 2)
        return;
    const HostValue config = arguments[0].kind == HostKind::Reference ? this->at(arguments[0].target) : arguments[0];
    if (config.type != "cudaLaunchConfig_t" || !config.scope)
        return;
    const auto field = [&](const char* name) { return config.scope->values.at(name); };
    const HostValue kernel = arguments[1];
    arguments.erase(arguments.begin(), arguments.begin() + 2);
    launch(kernel, field("gridDim"), field("blockDim"), field("dynamicSmemBytes"), arguments, at);
}

/// As far as it is read: nothing of what holds a pointer, or is of a class with a constructor.
std::optional<ProgramConstant::Value> HostReader::constantOf(const HostValue& value, int depth) const
{
    ProgramConstant::Value constant;
    const auto add = [&](const HostValue& item) {
        auto made = constantOf(item, depth + 1);
        if (made)
            constant.items.push_back(*std::move(made));
        return made.has_value();
    };
    if (depth > kDeepestConstant)
        return {};
    if (value.isNumber()) {
        constant.number = value.number;
    } else if (value.kind == HostKind::Dim3) {
        for (const Symbolic& size : value.dims)
            constant.items.push_back({ size, {} });
    } else if (value.kind == HostKind::List || (value.kind == HostKind::Pointer && !value.items.empty())) {
        const bool isNested = std::ranges::any_of(value.items, [](const HostValue& item) { return item.kind == HostKind::List; }); // of rows, where all elements are counted
        const std::int64_t count = !isNested && value.number.isConstant() && value.number.asInteger() > 0 ? value.number.asInteger() : std::int64_t(value.items.size());
        const bool isOfAClass = m_program.classNamed(value.type);
        const bool isEven = !isNested || std::ranges::all_of(value.items, [](const HostValue& item) { return item.kind == HostKind::List; });
        const bool isCut = !value.rest && !isNested && std::int64_t(value.items.size()) < std::max(count, value.number.integer);
        if (count == 0 || count > kMostOfAConstant || !isEven || isCut)
            return {};
        for (std::size_t i = 0; i < std::size_t(count) && (i < value.items.size() || !isOfAClass); ++i)
            if (!add(i < value.items.size() ? value.items[i] : value.restItem()))
                return {};
    } else if (value.kind == HostKind::Object && value.scope) {
        const HostClass* type = m_program.classNamed(value.type);
        if (value.scope->order.empty() || (type && (!type->isWhole || type->hasBits() || !type->bases.empty() || !m_program.functionsOf(*type, type->name).empty())))
            return {};
        for (const std::string& name : value.scope->order)
            if (!add(value.scope->values[name]))
                return {};
    } else if (value.kind != HostKind::Unknown || m_program.classNamed(value.type) || value.buffer >= 0) {
        return {};
    }
    return constant;
}

/// What `array[i] = rand() % n + 1` draws into an array that the code names.
std::optional<std::array<Symbolic, 2>> HostReader::drawnInto(Range code)
{
    const std::vector<Token>& all = m_program.tokens();
    const auto behindItem = [&](std::size_t at) { // behind `= ` of `array[i] =`; 0: it is none
        if (!token(at).isWord() || !token(at + 1).is("["))
            return std::size_t(0);
        std::size_t end = at + 1;
        while (token(end).is("["))
            end = behindBracket(all, end);
        return token(end).is("=") ? end + 1 : 0;
    };
    const auto named = std::span(all).subspan(code.first, code.last - code.first);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool isNamed = token(i).isWord() && std::ranges::find(named, token(i).text, &Token::text) != named.end();
        std::size_t at = isNamed ? behindItem(i) : 0;
        if (at == 0)
            continue;
        while (const std::size_t next = behindItem(at)) // a[i] = b[i] = ...
            at = next;
        if (token(at).is("(")) // a cast
            at = behindBracket(all, at);
        at += token(at).is("std") ? 2 : 0;
        if (!token(at).is("rand") || !token(at + 1).is("(") || !token(at + 2).is(")") || !token(at + 3).is("%"))
            continue;
        const std::size_t end = token(at + 4).is("(") ? behindBracket(all, at + 4) : at + 5;
        const HostValue count = evaluateThere({ at + 4, end });
        const bool isShifted = token(end).is("+") && token(end + 2).is(";");
        const HostValue low = isShifted ? evaluateThere({ end + 1, end + 2 }) : numberOf(0);
        if (!count.isNumber() || !low.isNumber() || count.number.asInteger() < 1 || (!isShifted && !token(end).is(";")))
            return std::nullopt;
        return std::array { asInteger(low.number), applied("+", asInteger(count.number), asInteger(low.number)) };
    }
    return std::nullopt;
}

/// What the host's code assigns to the array that an argument of a call begins with, which a buffer gets.
void HostReader::readAssigned(int buffer, std::size_t call, std::size_t argument)
{
    const auto whole = token(call + 1).is("(") ? parts({ call + 2, behindBracket(m_program.tokens(), call + 1) - 1 }) : std::vector<Range> {};
    if (argument >= whole.size())
        return;
    auto range = drawnInto(originOf(whole[argument]));
    if (!range)
        range = drawnInto(whole[argument]);
    const auto reals = realsIn(whole[argument]);
    ProgramBuffer& found = m_found.buffers[std::size_t(buffer)]; // whose place may have moved meanwhile
    found.range = std::move(range);
    found.reals = reals;
    if (found.range || found.reals)
        found.fill = BufferFill::Copied;
}

std::optional<RealRange> HostReader::realsIn(Range code)
{
    std::size_t named = code.first;
    while (named < code.last && !token(named).isWord())
        ++named;
    if (named == code.last)
        return {};
    const auto valueOf = [&](std::size_t at) {
        std::size_t end = at + 1;
        while (token(end).is(".") || token(end).is("->") || token(end).is("("))
            end = token(end).is("(") ? behindBracket(m_program.tokens(), end) : end + 2;
        ++m_muted;
        const HostValue value = evaluateThere({ at, end });
        --m_muted;
        return value.isNumber() ? std::optional(value.number.asReal()) : std::nullopt;
    };
    return realsAssigned(m_program, token(named).text, named, valueOf, m_calls);
}

/// Code of another function that is being read.
HostValue HostReader::evaluateThere(Range range)
{
    HostScope* const here = std::exchange(m_scope, scopeAround(range.first));
    HostValue value = evaluate(range);
    m_scope = here;
    return value;
}

/// What a function's parameter was given, as far as calls are followed.
HostReader::Range HostReader::originOf(Range code) const
{
    for (const CallSite& call : m_calls | std::views::reverse) {
        std::size_t named = code.first;
        while (named < code.last && !token(named).isWord())
            ++named;
        const auto parameter = std::ranges::find(call.function->parameters, token(named).text, &HostParameter::name);
        if (call.open == 0 || parameter == call.function->parameters.end())
            break;
        const std::vector<Range> given = parts({ call.open + 1, behindBracket(m_program.tokens(), call.open) - 1 });
        const auto index = std::size_t(parameter - call.function->parameters.begin());
        if (index >= given.size())
            break;
        code = given[index];
    }
    return code;
}

/// What is seen at a token of a function that is being read, as far as its call came.
HostScope* HostReader::scopeAround(std::size_t at) const
{
    HostScope* scope = m_scope;
    for (const CallSite& call : m_calls | std::views::reverse) {
        if (call.function->holds(at))
            return scope;
        scope = call.caller;
    }
    return m_scope;
}

/// cudaMemcpyToSymbol(symbol, &value, ...). `at`: what the symbol stands behind, or before that.
void HostReader::copyToSymbol(const HostValue& from, std::size_t at, bool isWhole)
{
    while (at < m_program.tokens().size() && !token(at).is("(") && !token(at).is(","))
        ++at;
    std::string name;
    for (++at; token(at).isWord() || token(at).is("::") || token(at).is("(") || token(at).is("&"); ++at)
        if (token(at).isWord())
            name = token(at).text;
    if (m_muted || name.empty())
        return;
    std::erase_if(m_constants, [&](const ProgramConstant& other) { return other.name == name; });
    const auto value = constantOf(from.kind == HostKind::Reference ? this->at(from.target) : from, 0);
    m_constants.push_back({ name, value && isWhole && isKnown(*value) ? *value : ProgramConstant::Value {} });
}

HostValue HostReader::callRuntime(const std::string& name, std::vector<HostValue>& arguments, std::size_t at)
{
    const auto starts = [&](std::string_view beginning) { return name.starts_with(beginning); };
    if (starts("cuda"))
        asNumbers(arguments);
    if (name == "cudaMallocPitch" && arguments.size() == 4)
        return allocatePitched(arguments, at);
    if (name == "cudaMallocHost" || name == "cudaHostAlloc" || name == "cudaMallocPitch" || name == "cudaMalloc3D")
        return numberOf(0);
    if (starts("cudaMalloc") && arguments.size() >= 2) {
        const std::size_t before = m_found.buffers.size();
        const HostValue success = allocate(arguments[0], arguments[1]);
        if (name == "cudaMallocManaged" && m_found.buffers.size() > before) {
            m_found.buffers[before].isManaged = true;
            readAssigned(int(before), at, 0);
        }
        return success;
    }
    if (starts("cudaMemcpyToSymbol") && arguments.size() >= 2) {
        copyToSymbol(arguments[1], at, arguments.size() < 4 || arguments[3].isKnownFalse());
        return numberOf(0);
    }
    if (name == "cudaGetSymbolAddress") {
        while (at < m_program.tokens().size() && !token(at).is(","))
            ++at;
        copyToSymbol({}, at, false);
        return numberOf(0);
    }
    if ((starts("cudaMemcpy") || starts("cudaMemset")) && !arguments.empty()) {
        const HostValue& target = arguments[0];
        const std::size_t behind = token(at + 1).is("(") ? behindBracket(m_program.tokens(), at + 1) : at;
        bool isFromHost = false; // as it says: what a library is given may be the host's or the GPU's
        for (std::size_t i = at; i < behind; ++i)
            isFromHost = isFromHost || token(i).is("cudaMemcpyHostToDevice");
        const bool isBack = starts("cudaMemcpyFromSymbol")
            || (starts("cudaMemcpy") && !isFromHost && arguments.size() > 1 && arguments[1].kind == HostKind::Pointer && arguments[1].buffer >= 0);
        const bool isCount = isBack && arguments.size() > 2 && arguments[2].isNumber() && arguments[2].number.asInteger() == 4; // of 8 bytes it may be packed
        if (const HostValue before = isCount && target.kind == HostKind::Reference ? this->at(target.target) : HostValue {}; before.isNumber() && !before.number.isReal)
            store(target.target, guessed(target.target.name, std::max<std::int64_t>(before.number.asInteger(), kGuessedCount)));
        if (target.kind == HostKind::Pointer && target.buffer >= 0 && !m_muted) {
            ProgramBuffer& buffer = m_found.buffers[std::size_t(target.buffer)];
            if (!target.isOffset)
                m_takenBy.erase(target.buffer);
            const bool isSet = starts("cudaMemset");
            if (isSet && buffer.fill != BufferFill::Copied)
                buffer.holdOne(arguments.size() > 1 && arguments[1].isNumber() ? double(arguments[1].number.asInteger() & 0xff) : 0, BufferFill::Byte);
            else if (!isSet && arguments.size() > 1 && (arguments[1].buffer < 0 || isFromHost)) {
                buffer.fill = BufferFill::Copied;
                readAssigned(target.buffer, at, 1);
                constexpr std::int64_t kOneNumber = 8; // bytes
                const bool isOne = starts("cudaMemcpy") && arguments.size() > 2 && arguments[2].isNumber() && arguments[2].number.asInteger() <= kOneNumber
                    && (!buffer.bytes || buffer.bytes->asInteger() <= kOneNumber);
                const HostValue one = isOne && arguments[1].kind == HostKind::Reference ? this->at(arguments[1].target) : HostValue {};
                if (one.isNumber()) // cudaMemcpy(dn, &n, sizeof(int), ...)
                    buffer.holdOne(one.number.asReal());
            }
        }
        return numberOf(0);
    }
    if ((name == "fill" || name == "fill_n" || name == "uninitialized_fill") && arguments.size() == 3 && arguments[2].isNumber()) {
        if (arguments[0].kind == HostKind::Pointer && arguments[0].buffer >= 0 && !m_muted) {
            m_found.buffers[std::size_t(arguments[0].buffer)].holdOne(arguments[2].number.asReal());
            m_takenBy.erase(arguments[0].buffer);
        }
        return numberOf(0);
    }
    if (name == "memset" && arguments.size() == 3 && arguments[1].isNumber() && arguments[0].kind == HostKind::Pointer) {
        if (arguments[0].buffer >= 0 && !m_muted && m_found.buffers[std::size_t(arguments[0].buffer)].isManaged)
            m_found.buffers[std::size_t(arguments[0].buffer)].holdOne(double(arguments[1].number.asInteger() & 0xff), BufferFill::Byte);
        return numberOf(0);
    }
    if (name == "cudaLaunchKernelEx") {
        launchByConfig(std::move(arguments), at);
        return numberOf(0);
    }
    if (starts("cudaLaunchKernel") || starts("cudaLaunchCooperativeKernel")) {
        launchThroughRuntime(arguments, at);
        return numberOf(0);
    }
    if (name == "cudaDeviceGetAttribute" && arguments.size() == 3) {
        for (int commas = 0; at < m_program.tokens().size() && commas < 2; ++at) {
            commas += token(at).is(",");
            if (const auto property = std::ranges::find(kProperties, token(at).text, &DeviceProperty::attribute); property != kProperties.end())
                store(arguments[0].target, named(std::string(property->name), numberOf(property->value)));
        }
        return numberOf(0);
    }
    if (starts("cudaOccupancyMaxPotentialBlockSize") && arguments.size() >= 2) {
        // The largest block of those that fill an SM, where registers do not limit it.
        constexpr std::int64_t kLargest = 1024;
        const std::int64_t limit = arguments.size() > 4 && arguments[4].isNumber() ? arguments[4].number.asInteger() : 0; // 0: none
        const bool isLimited = limit > 0 && limit < kLargest;
        store(arguments[0].target, guessed(arguments[0].target.name, 132 * kThreadsPerSm / (isLimited ? limit : kLargest)));
        store(arguments[1].target, isLimited ? numberOf(limit) : guessed(arguments[1].target.name, kLargest));
        return numberOf(0);
    }
    if (starts("cudaOccupancyMaxActiveBlocks") && !arguments.empty()) {
        const bool isKnown = arguments.size() > 2 && arguments[2].isNumber() && arguments[2].number.asInteger() > 0;
        const std::int64_t threads = isKnown && arguments[1].kind == HostKind::Kernel ? threadsOnAnSm(m_registersOf ? m_registersOf(arguments[1].type) : std::nullopt) : kThreadsPerSm;
        store(arguments[0].target, isKnown ? HostValue::of(applied("/", Symbolic::ofInteger(threads), arguments[2].number)) : numberOf(8));
        return numberOf(0);
    }
    if (starts("cuda") && name.size() > 4 && std::isupper(static_cast<unsigned char>(name[4])))
        return numberOf(0); // cudaSuccess
    if (name == "malloc" || name == "calloc" || name == "aligned_alloc") {
        HostValue pointer { .kind = HostKind::Pointer };
        return pointer;
    }
    if ((name == "raw_pointer_cast" || name == "move" || name == "forward" || name == "ref" || name == "as_const") && !arguments.empty())
        return arguments[0];
    if (name == "device_pointer_cast" && !arguments.empty())
        return arguments[0];
    if (m_isGuessing && name == "min" && arguments.size() == 2 && arguments[0].isNumber() != arguments[1].isNumber())
        return arguments[0].isNumber() ? arguments[0] : arguments[1]; // min(capacity, found): the limit
    if (HostValue number = argumentNumber(at); number.isNumber())
        return number;
    if (!starts("MPI_")) // which process it is: the first
        forgetWritten(arguments);
    fillByCall(name, arguments);
    const auto isRead = [](const HostValue& argument) { return argument.isRead; };
    std::vector<HostValue> tried = arguments;
    std::ranges::replace_if(tried, isRead, numberOf(1));
    if (std::ranges::any_of(arguments, isRead) && mathematics(name, tried).isNumber())
        asNumbers(arguments);
    return mathematics(name, arguments);
}

/// Numbers that were not set before a function was called that is not read, and that may have set them: scanf("%d", &n).
void HostReader::forgetWritten(const std::vector<HostValue>& arguments)
{
    for (const HostValue& argument : arguments) {
        const bool isOfOne = argument.kind == HostKind::Pointer && argument.target.scope && !m_muted; // an int* of the caller's
        if (isOfOne)
            argument.target.scope->values.erase(argument.target.name);
        const HostValue before = argument.kind == HostKind::Reference ? this->at(argument.target) : HostValue {};
        if (!isCount(before.type) || !(before.kind == HostKind::Unknown || before.isKnownFalse()))
            continue;
        store(argument.target, readNumber(before, argument.target.name));
    }
}

HostValue HostReader::callMember(const HostValue& object, const std::string& name, std::vector<HostValue> arguments, const std::vector<std::string>& ofTemplate)
{
    if (object.kind == HostKind::List)
        return callMemberOfList(object, name, arguments);
    if (object.kind == HostKind::Object && !object.items.empty()) { // one of several
        HostValue one = object;
        for (const HostValue& other : std::exchange(one.items, {}))
            callMember(other, name, arguments, ofTemplate);
        callMember(one, name, std::move(arguments), ofTemplate);
        return {};
    }
    const HostClass* type = object.kind == HostKind::Object ? m_program.classNamed(object.type) : nullptr;
    if (const HostFunction* best = type ? chosen(*type, name, arguments) : nullptr)
        return call(*best, std::move(arguments), ofTemplate, object.scope);
    if (object.kind == HostKind::Object && object.scope) { // a member that is a lambda
        const auto held = object.scope->values.find(name);
        if (held != object.scope->values.end() && held->second.kind == HostKind::Function && held->second.function)
            return callFunction(held->second, std::move(arguments), ofTemplate);
    }
    if (name == "reset" && !object.place.name.empty() && !arguments.empty() && arguments[0].kind == HostKind::Pointer) {
        store(object.place, arguments[0]);
        return {};
    }
    if (name == "get" || name == "data") // a smart pointer's, or a vector's, of which nothing is known
        return object.kind == HostKind::Pointer || object.kind == HostKind::Object ? object : HostValue {};
    if (name == "elemSize" && m_elementBytes > 0 && object.kind == HostKind::Unknown && !object.place.name.empty()) // of a cv::Mat
        return guessed(object.place.name + "_" + name, m_elementBytes);
    callFunctionsAmong(arguments);
    fillByCall(name, arguments);
    return {};
}

HostValue HostReader::callMemberOfList(const HostValue& list, const std::string& name, const std::vector<HostValue>& arguments)
{
    if (list.isMap)
        return callMemberOfMap(list, name, arguments);
    if (name == "second" && list.items.size() == 2 && list.items[1].kind == HostKind::Function && list.items[1].function)
        return callFunction(list.items[1], arguments);
    if (name == "size") // what is known to be empty may have been filled by what is not read
        return list.isOpen || (list.number.isConstant() && list.number.asInteger() == 0) ? HostValue {} : HostValue::of(list.number);
    if (name == "vec") // of sizes
        return list;
    if (name == "data" || name == "begin") {
        HostValue pointer { .kind = HostKind::Pointer };
        pointer.buffer = list.buffer;
        pointer.type = list.type;
        if (list.buffer < 0)
            std::tie(pointer.items, pointer.number, pointer.rest) = std::tie(list.items, list.number, list.rest);
        return pointer;
    }
    const HostValue count = (name == "resize" || name == "assign") && !arguments.empty() ? asNumber(arguments[0]) : HostValue {};
    if (count.isNumber()) {
        HostValue grown = list;
        grown.number = asInteger(count.number);
        grown.isOpen = false;
        if (grown.buffer >= 0 && !m_muted)
            m_found.buffers[std::size_t(grown.buffer)].bytes = applied("*", grown.number, Symbolic::ofInteger(std::max(1, bytesOfType(grown.type))));
        store(list.place, grown);
    }
    if ((name == "push_back" || name == "emplace_back") && list.place.scope && !m_muted)
        append(list, name == "emplace_back", arguments);
    if (name == "front" || name == "back" || name == "at")
        return item(list, arguments.empty() ? numberOf(0) : arguments[0]);
    return {};
}

/// `isEmplaced`: what stands in the brackets makes the item, else only what stands in braces there does.
void HostReader::append(const HostValue& list, bool isEmplaced, const std::vector<HostValue>& arguments)
{
    const HostClass* known = m_program.classNamed(list.type);
    const bool isOne = arguments.size() == 1, isMade = known && (isEmplaced || (isOne && arguments[0].isBraced));
    HostValue& stored = list.place.scope->values[list.place.name];
    const bool isPair = isEmplaced && !known && arguments.size() > 1;
    if (!(isMade || isOne || isPair) || stored.kind != HostKind::List)
        return;
    stored.number = applied("+", stored.number, m_turns);
    if (stored.items.size() >= kMostItems)
        return;
    stored.items.push_back(isPair ? HostValue::inBraces(arguments) : isMade ? objectOfType({ .name = list.type }, *known, arguments) : arguments[0]);
}

/// As std::for_each and its kin do, or a measuring function that is not here.
void HostReader::callFunctionsAmong(const std::vector<HostValue>& arguments)
{
    for (const HostValue& argument : arguments) {
        m_open = 0;
        if (argument.kind == HostKind::Function && argument.function)
            callFunction(argument, {}, {});
    }
}

} // namespace coalescope::kernels
