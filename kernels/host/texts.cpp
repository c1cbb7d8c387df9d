// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/run.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>

/// Strings: vectors of char with a name of their own. A literal is an array of char that ends with a zero.
namespace coalescope::kernels::host {

namespace {

/// isdigit() and its kin, as the "C" locale has them; null: it is none.
int (*letterAsked(std::string_view name))(int)
{
    using Asked = int (*)(int);
    static constexpr std::array<std::pair<std::string_view, Asked>, 10> kAsked { { { "isdigit", [](int c) { return int(std::isdigit(c) != 0); } }, { "isalpha", [](int c) { return int(std::isalpha(c) != 0); } },
        { "isalnum", [](int c) { return int(std::isalnum(c) != 0); } }, { "isspace", [](int c) { return int(std::isspace(c) != 0); } }, { "isupper", [](int c) { return int(std::isupper(c) != 0); } },
        { "islower", [](int c) { return int(std::islower(c) != 0); } }, { "ispunct", [](int c) { return int(std::ispunct(c) != 0); } }, { "isxdigit", [](int c) { return int(std::isxdigit(c) != 0); } },
        { "toupper", [](int c) { return std::toupper(c); } }, { "tolower", [](int c) { return std::tolower(c); } } } };
    const auto known = std::ranges::find(kAsked, name, &std::pair<std::string_view, Asked>::first);
    return known == kAsked.end() ? nullptr : known->second;
}

} // namespace

const Type* Run::stringType()
{
    if (!m_stringType) {
        Type type { .shape = Type::Shape::Vector, .kind = Kind::Whole, .element = plain(Kind::I8) };
        type.name = "string";
        m_stringType = intern(std::move(type));
    }
    return m_stringType;
}

/// Of a string, or of what a pointer points to up to a zero; nothing: not known, or no text.
std::optional<std::string> Run::textOf(const Value& value)
{
    const bool isArray = value.kind == Kind::Whole && value.thing && value.thing->element;
    if (!value.isKnown || !value.thing || (value.kind != Kind::Pointer && !isArray))
        return std::nullopt;
    const Thing& held = *value.thing;
    const std::int64_t first = isArray ? 0 : value.integer;
    const bool isKnown = held.element && held.element->isPlain() && held.element->kind == Kind::I8 && !held.isUnknown && held.hollow < 0;
    if (!isKnown || first < 0 || std::size_t(first) > held.bytes.size())
        return std::nullopt;
    std::string text(held.bytes.begin() + first, held.bytes.end());
    m_steps += std::int64_t(text.size()) / 16;
    if (held.unknown.empty())
        return isString(value) ? text : text.substr(0, text.find('\0'));
    const auto unknown = std::size_t(std::ranges::find(held.unknown.begin() + first, held.unknown.end(), true) - (held.unknown.begin() + first));
    const std::size_t end = isString(value) ? text.npos : text.find('\0');
    return unknown == text.size() || end < unknown ? std::optional(text.substr(0, end)) : std::nullopt;
}

Value Run::stringOf(const std::optional<std::string>& text)
{
    const Type* const type = stringType();
    Value string = Value::whole(newThing(type, type->element, text ? std::int64_t(text->size()) : -1, initial(*type->element)));
    if (text && !string.thing->isUnknown)
        string.thing->bytes.assign(text->begin(), text->end());
    m_steps += text ? std::int64_t(text->size()) / 16 : 0;
    return string;
}

/// The same text stands at one place, as the compiler has it.
Value Run::literalOf(const Node& node)
{
    Handle& known = m_literals[node.name];
    if (!known) {
        const std::string text = std::string(node.name) + '\0';
        known = newThing(nullptr, plain(Kind::I8), std::int64_t(text.size()), Value::of(Kind::I8, 0));
        known->bytes.assign(text.begin(), text.end());
        known->isLiteral = true;
    }
    return Value::pointer(known, 0);
}

/// What a constructor of std::string makes of these.
Value Run::constructString(const std::vector<Value>& arguments)
{
    const Value first = arguments.empty() ? Value {} : arguments[0], second = arguments.size() > 1 ? arguments[1] : Value {};
    const bool isCount = second.isKnown && isInteger(second.kind);
    if (arguments.empty())
        return stringOf("");
    if (isNumber(first.kind)) // so many characters
        return stringOf(first.isKnown && isCount && first.asInteger() >= 0 && first.asInteger() < kMostBytes ? std::optional(std::string(std::size_t(first.asInteger()), char(second.integer))) : std::nullopt);
    if (const auto range = second.kind == Kind::Pointer ? rangeOf(first, second) : std::nullopt) {
        const auto text = textOf(Value::pointer(range->first.thing, 0));
        const auto whole = text && range->second.integer <= std::int64_t(text->size()) ? text : std::nullopt;
        return stringOf(whole ? std::optional(whole->substr(std::size_t(range->first.integer), std::size_t(range->second.integer - range->first.integer))) : std::nullopt);
    }
    const auto text = textOf(first);
    if (!text || arguments.size() == 1)
        return stringOf(text);
    if (!isCount || second.integer < 0)
        return stringOf({});
    return stringOf(isString(first) ? (std::size_t(second.integer) <= text->size() ? std::optional(text->substr(std::size_t(second.integer))) : std::nullopt) : std::optional(text->substr(0, std::size_t(second.integer))));
}

/// Nothing where neither is a string.
std::optional<Value> Run::appliedToTexts(Arithmetic operation, const Value& a, const Value& b)
{
    if (!isString(a) && !isString(b))
        return std::nullopt;
    const auto of = [&](const Value& value) { return isInteger(value.kind) && value.isKnown ? std::optional(std::string(1, char(value.integer))) : textOf(value); };
    const auto left = of(a), right = of(b);
    const bool areKnown = left && right;
    if (operation == Arithmetic::Add)
        return stringOf(areKnown && std::int64_t(left->size() + right->size()) < kMostBytes ? std::optional(*left + *right) : std::nullopt);
    if (!isComparison(operation))
        return Value {};
    return areKnown ? Value::of(Kind::Bool, compared<int>(operation, left->compare(*right), 0)) : Value::unknown(Kind::Bool);
}

Value Run::appliedToAny(Arithmetic operation, const Value& a, const Value& b)
{
    if (auto ofTexts = appliedToTexts(operation, a, b))
        return *std::move(ofTexts);
    if (auto view = operation == Arithmetic::Or ? viewedBy(a, b) : std::nullopt)
        return *std::move(view);
    auto own = byOperator(operation, a, b);
    return own ? *std::move(own) : host::applied(operation, asNumberOf(a), asNumberOf(b));
}

/// The same string, with more behind it.
Value Run::appended(const Value& string, const Value& more)
{
    const auto text = isInteger(more.kind) && more.isKnown ? std::optional(std::string(1, char(more.integer))) : textOf(decayed(more));
    Thing& held = *string.thing;
    if (!text || held.isUnknown || std::int64_t(held.bytes.size() + text->size()) > kMostBytes) {
        held.forget();
        return string;
    }
    held.bytes.insert(held.bytes.end(), text->begin(), text->end());
    if (!held.unknown.empty())
        held.unknown.resize(held.bytes.size());
    m_steps += std::int64_t(text->size()) / 16;
    return string;
}

/// As callLibrary().
std::optional<Value> Run::callText(std::string_view name, const Node& node)
{
    if (node.kids.empty())
        return std::nullopt;
    const auto argument = [&](std::size_t i) { return i < node.kids.size() ? value(*node.kids[i]) : Value {}; };
    if (auto length = callPrinting(name, node))
        return length;
    if (name == "to_string") {
        const Value number = argument(0);
        return stringOf(number.isKnown && isInteger(number.kind) ? std::optional(number.kind == Kind::U64 ? std::to_string(std::uint64_t(number.integer)) : std::to_string(number.integer)) : std::nullopt);
    }
    if (name == "strlen") {
        const auto text = textOf(argument(0));
        return text ? Value::of(Kind::U64, std::int64_t(text->size())) : Value::unknown(Kind::U64);
    }
    if (const auto asked = letterAsked(name); asked && node.kids.size() == 1) {
        const Value letter = argument(0);
        return letter.isKnown && isInteger(letter.kind) && letter.integer >= -1 && letter.integer <= 255 ? Value::of(Kind::I32, asked(int(letter.integer))) : Value::unknown(Kind::I32);
    }
    if (name == "strcmp") {
        const auto left = textOf(argument(0)), right = textOf(argument(1));
        return left && right ? Value::of(Kind::I32, left->compare(*right)) : Value::unknown(Kind::I32);
    }
    if (isAmong(name, { "strchr", "strrchr", "strstr" }) && node.kids.size() == 2) {
        const Value whole = decayed(argument(0)), wanted = argument(1);
        const auto text = textOf(whole), part = isInteger(wanted.kind) && wanted.isKnown ? std::optional(std::string(1, char(wanted.integer))) : textOf(wanted);
        if (!text || !part || whole.kind != Kind::Pointer)
            return Value::unknown(Kind::Pointer);
        const std::string ended = name == "strstr" ? *text : *text + '\0'; // its end counts as a letter
        const std::size_t found = name == "strrchr" ? ended.rfind(*part) : ended.find(*part);
        return found == ended.npos ? Value::pointer({}, 0) : Value::pointer(whole.thing, whole.integer + std::int64_t(found));
    }
    const bool isReal = isAmong(name, { "atof", "strtod", "strtof", "stod", "stof" });
    const bool isInt = isAmong(name, { "atoi", "stoi" });
    if (!isReal && !isInt && !isAmong(name, { "atol", "atoll", "strtol", "strtoul", "strtoll", "strtoull", "stol", "stoll", "stoul", "stoull" }))
        return std::nullopt;
    const Kind kind = isReal ? (name == "stof" || name == "strtof" ? Kind::F32 : Kind::F64) : isInt ? Kind::I32 : name.find("ul") != name.npos ? Kind::U64 : Kind::I64;
    const auto text = textOf(argument(0));
    const Value base = argument(2);
    if (node.kids.size() > 1)
        forgetArgument(*node.kids[1]); // where the number ends
    if (!text || (node.kids.size() > 2 && !base.isKnown))
        return Value::unknown(kind);
    const int radix = node.kids.size() > 2 && base.asInteger() >= 0 && base.asInteger() <= 36 && base.asInteger() != 1 ? int(base.asInteger()) : 10;
    if (isReal)
        return host::converted(Value::ofReal(Kind::F64, std::strtod(text->c_str(), nullptr)), kind);
    return host::converted(kind == Kind::U64 ? Value::of(Kind::U64, std::int64_t(std::strtoull(text->c_str(), nullptr, radix))) : Value::of(Kind::I64, std::strtoll(text->c_str(), nullptr, radix)), kind);
}

/// As callContainer(): what a vector has not.
std::optional<Value> Run::callString(std::string_view name, Thing& object, const Node& node)
{
    if (object.type && object.type->isString() && isAmong(name, { "erase", "insert", "replace" }))
        return changeString(name, object, node);
    constexpr std::array<std::string_view, 6> kSearches { "find", "rfind", "find_first_of", "find_last_of", "find_first_not_of", "find_last_not_of" };
    if (!object.type || !object.type->isString() || !(isAmong(name, { "c_str", "substr", "compare", "append", "starts_with", "ends_with", "contains" }) || std::ranges::find(kSearches, name) != kSearches.end()))
        return std::nullopt;
    const Handle held(&object);
    const auto argument = [&](std::size_t i) { return i + 1 < node.kids.size() ? value(*node.kids[i + 1]) : Value {}; };
    if (name == "c_str")
        return Value::pointer(held, 0);
    const Value first = argument(0), second = argument(1);
    const bool isWhole = !object.isUnknown && object.unknown.empty() && object.hollow < 0;
    if (name == "substr" && isWhole) { // without looking at all of a long one
        const std::string_view text(reinterpret_cast<const char*>(object.bytes.data()), object.bytes.size());
        const bool isKnown = first.isKnown && isInteger(first.kind) && first.integer >= 0 && std::size_t(first.integer) <= text.size() && (node.kids.size() < 3 || second.isKnown);
        return stringOf(isKnown ? std::optional(std::string(text.substr(std::size_t(first.integer), node.kids.size() < 3 ? std::string::npos : std::size_t(second.integer)))) : std::nullopt);
    }
    if (name == "append")
        return appended(Value::whole(held), node.kids.size() == 2 ? first : Value {});
    const auto text = textOf(Value::whole(held));
    if (name == "substr") {
        const bool isKnown = text && first.isKnown && isInteger(first.kind) && first.integer >= 0 && std::size_t(first.integer) <= text->size() && (node.kids.size() < 3 || second.isKnown);
        return stringOf(isKnown ? std::optional(text->substr(std::size_t(first.integer), node.kids.size() < 3 ? std::string::npos : std::size_t(second.integer))) : std::nullopt);
    }
    const auto wanted = isInteger(first.kind) && first.isKnown ? std::optional(std::string(1, char(first.integer))) : textOf(first);
    const bool asksBool = name.ends_with("_with") || name == "contains", hasPlace = node.kids.size() == 3 && second.isKnown && isInteger(second.kind) && !asksBool && name != "compare";
    if (!text || !wanted || !(node.kids.size() <= 2 || hasPlace))
        return Value::unknown(asksBool ? Kind::Bool : name == "compare" ? Kind::I32 : Kind::U64);
    if (asksBool)
        return Value::of(Kind::Bool, name == "starts_with" ? text->starts_with(*wanted) : name == "ends_with" ? text->ends_with(*wanted) : text->contains(*wanted));
    if (name == "compare")
        return Value::of(Kind::I32, text->compare(*wanted));
    const std::size_t from = hasPlace ? std::size_t(second.integer) : name.starts_with("rfind") || name.starts_with("find_last") ? text->npos : 0;
    const std::size_t found = name == "find" ? text->find(*wanted, from)
        : name == "rfind"                    ? text->rfind(*wanted, from)
        : name == "find_first_of"            ? text->find_first_of(*wanted, from)
        : name == "find_last_of"             ? text->find_last_of(*wanted, from)
        : name == "find_first_not_of"        ? text->find_first_not_of(*wanted, from)
                                             : text->find_last_not_of(*wanted, from);
    return Value::of(Kind::U64, std::int64_t(found));
}

/// At a place that is told by its number; nothing: by an iterator, as of a vector.
std::optional<Value> Run::changeString(std::string_view name, Thing& object, const Node& node)
{
    const Handle held(&object);
    const std::vector<Value> given = argumentValues(node.kids, 1);
    if (given.empty() || given[0].kind == Kind::Pointer)
        return std::nullopt;
    auto text = textOf(Value::whole(held));
    const auto number = [&](std::size_t i) { return i < given.size() && given[i].isKnown && isInteger(given[i].kind) ? std::optional(std::size_t(given[i].integer)) : std::nullopt; };
    const auto at = number(0);
    const std::size_t behindCount = name == "insert" ? 1 : 2; // where what is put in stands
    const auto count = name == "insert" ? std::optional<std::size_t>(0) : given.size() > 1 ? number(1) : std::optional(std::string::npos);
    std::optional<std::string> put = name == "erase" ? std::optional(std::string()) : std::nullopt;
    if (name != "erase" && given.size() == behindCount + 2 && number(behindCount) && number(behindCount + 1)) // so many of one letter
        put = *number(behindCount) < std::size_t(kMostBytes) ? std::optional(std::string(*number(behindCount), char(*number(behindCount + 1)))) : std::nullopt;
    else if (name != "erase" && given.size() == behindCount + 1)
        put = textOf(decayed(given[behindCount]));
    if (text && at && *at <= text->size() && count && put && std::int64_t(text->size() + put->size()) < kMostBytes) {
        text->replace(*at, *count, *put);
        object.bytes.assign(text->begin(), text->end());
    } else {
        object.forget();
    }
    return Value::whole(held);
}

} // namespace coalescope::kernels::host
