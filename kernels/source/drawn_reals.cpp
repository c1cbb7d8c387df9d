// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/drawn_reals.h"

#include "kernels/source/array_share.h"
#include "kernels/source/parameter_types.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace coalescope::kernels {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kRandMax = 2147483647; ///< glibc's RAND_MAX
constexpr std::array kFarItems { 2.0, 1000.0, 99991.0 }; ///< where a value that seems to follow from the index must do so, too
constexpr double kRounding = 1e-9;
constexpr int kDeepestCall = 4;
constexpr int kMostNested = 200; ///< brackets, signs and casts
constexpr std::size_t kLongestHead = 40; ///< tokens up to the first ; in it
constexpr std::size_t kFarthestLoop = 4000; ///< tokens from a loop's head to where what it counts is used
constexpr double kNormalDeviations = 2; ///< from the mean, as far as most drawn from a normal distribution lie

constexpr auto kDraws = std::to_array<std::string_view>({ "lrand48", "rand", "rand_r", "random" });
constexpr auto kUnitDraws = std::to_array<std::string_view>({ "drand48", "erand48" });
constexpr auto kMinima = std::to_array<std::string_view>({ "min", "fmin", "fminf" });
constexpr auto kMaxima = std::to_array<std::string_view>({ "max", "fmax", "fmaxf" });
constexpr auto kWaves = std::to_array<std::string_view>({ "cos", "cosf", "sin", "sinf" });
constexpr auto kConversions = std::to_array<std::string_view>({ "__double2half", "__float2bfloat16", "__float2half", "__float2half_rn", "ceil", "ceilf", "floor", "floorf" });
constexpr auto kNamedCasts = std::to_array<std::string_view>({ "reinterpret_cast", "static_cast" });

/// Of a cast: a type's name, or a function that makes a number another type's.
bool converts(std::string_view name) { return plainType(name) || isOneOf(name, kConversions); }

/// What may still be read.
struct Budget {
    int expressions = 2000;
    int loops = 20'000; ///< looked through for what they count
};

/// A range, and whether it is that of values which differ.
struct Drawn : RealRange {
    bool isDrawn = false;
};
using Names = std::map<std::string, Drawn, std::less<>>;

Drawn one(double value) { return { { value, value, {} }, false }; }
Drawn between(double low, double high) { return { { low, high, {} }, true }; }
Drawn unknown() { return { { -kInfinite, kInfinite, {} }, false }; }

Drawn united(const Drawn& a, const Drawn& b)
{
    return { { std::min(a.low, b.low), std::max(a.high, b.high), {} }, a.isDrawn || b.isDrawn };
}

/// Of an operation that is monotone in both.
template <class Apply> Drawn applied(const Drawn& a, const Drawn& b, const Apply& apply)
{
    if (!a.isKnown() || !b.isKnown())
        return unknown();
    const auto [low, high] = std::minmax({ apply(a.low, b.low), apply(a.low, b.high), apply(a.high, b.low), apply(a.high, b.high) });
    return { { low, high, {} }, a.isDrawn || b.isDrawn };
}

/// Of a call, or what stands in other brackets.
std::vector<TokenRange> argumentsOf(const HostProgram& program, std::size_t open)
{
    return betweenCommas(program.tokens(), { open + 1, behindBracket(program.tokens(), open) - 1 });
}

/// The first token of what calls of a function, or objects of a class, are given as their i-th argument, and where they stand.
std::vector<std::pair<std::size_t, std::size_t>> argumentsGiven(const HostProgram& program, std::string_view name, std::size_t i)
{
    std::vector<std::pair<std::size_t, std::size_t>> given;
    for (std::size_t at = 0; at < program.tokens().size(); ++at) {
        if (!program.token(at).isWord() || program.token(at).text != name)
            continue;
        std::size_t open = at + 1;
        if (program.token(open).is("<"))
            open = behindAngle(program.tokens(), open);
        open += program.token(open).isWord(); // Class object(...)
        if (!program.token(open).is("(") && !program.token(open).is("{"))
            continue;
        if (const auto arguments = argumentsOf(program, open); i < arguments.size())
            given.emplace_back(arguments[i].first + program.token(arguments[i].first).is("&"), at);
    }
    return given;
}

class Search {
public:
    /// For an array that is used at a token of a function.
    Search(const HostProgram& program, const ValueOfToken& valueOf, const HostFunction& around, std::size_t use, Budget& left)
        : m_program(program)
        , m_valueOf(valueOf)
        , m_body { around.bodyFirst, around.bodyLast }
        , m_use(use)
        , m_left(left)
    {
    }

    /// Looks at all that tokens do with an array.
    void collect(std::size_t first, std::size_t last, std::string_view array, const Names& known, int depth)
    {
        for (std::size_t at = first; at < last && m_left.expressions > 0; ++at)
            if (token(at).isWord() && token(at).text == array)
                lookAt(at, known, depth);
    }
    [[nodiscard]] std::optional<RealRange> found() const
    {
        if (m_byIndex)
            return m_byIndex;
        if (m_made && !m_found && !m_isUnread)
            return RealRange { m_made->low, m_made->high, m_made->isOne() ? std::optional(0.0) : std::nullopt };
        if (!m_found || (m_isUnread && !m_found->isDrawn))
            return {};
        return m_made ? united(*m_found, *m_made) : *m_found;
    }

private:
    [[nodiscard]] const Token& token(std::size_t at) const { return m_program.token(at); }
    [[nodiscard]] std::size_t behind(std::size_t bracket) const { return behindBracket(m_program.tokens(), bracket); }

    void lookAt(std::size_t at, const Names& known, int depth)
    {
        if (const std::size_t made = valueMadeOf(at)) {
            if (!isBehindUse(at))
                make(made, known, depth);
        } else if (const std::size_t value = behindItem(at)) {
            addItem(at, value, known, depth);
        } else if (token(at + 1).is(".") && (token(at + 2).is("push_back") || token(at + 2).is("emplace_back")) && token(at + 3).is("(")) {
            add(at + 4, known, depth);
        } else if (at > 1 && token(at - 1).is(":") && token(at - 2).isWord() && token(at + 1).is(")")) { // for (auto& x : array)
            const std::string_view item = token(at - 2).text;
            const std::size_t body = at + 2;
            for (std::size_t i = body, end = behindStatement(body); i < end; ++i)
                if (token(i).isWord() && token(i).text == item && token(i + 1).is("=") && replaces(i))
                    add(i + 2, known, depth);
        } else if (!lookAtCall(at, known, depth) && m_made && !isBehindUse(at) && mayChange(m_program, at)) {
            m_made.reset();
            m_isUnread = true;
        }
    }
    [[nodiscard]] bool isBehindUse(std::size_t at) const { return m_use <= at && m_body.first <= at && at < m_body.last; }
    /// Of an assignment at a token: whether it counts beside what the array was made of.
    bool replaces(std::size_t at)
    {
        if (!m_made)
            return true;
        const Share share = isBehindUse(at) ? Share::Few : shareSet(m_program, at);
        if (share == Share::All)
            m_made.reset();
        return share != Share::Few;
    }
    /// The value in `std::vector<float> array(count, value)` and `array.assign(count, value)`; 0: it is none.
    [[nodiscard]] std::size_t valueMadeOf(std::size_t array) const
    {
        const bool isAssigned = token(array + 1).is(".") && (token(array + 2).is("assign") || token(array + 2).is("resize"));
        const std::size_t open = array + (isAssigned ? 3 : 1);
        if (!token(open).is("(") || (!isAssigned && !declaresVector(m_program, array)))
            return 0;
        const std::vector<TokenRange> arguments = argumentsOf(m_program, open);
        return arguments.size() == 2 ? arguments[1].first : 0;
    }
    /// All that the array held before is gone.
    void make(std::size_t value, const Names& known, int depth)
    {
        const Drawn made = expression(value, known, depth);
        m_found.reset();
        m_byIndex.reset();
        m_isUnread = !made.isKnown();
        m_made = made.isKnown() ? std::optional(made) : std::nullopt;
    }
    /// `array[i] = value`, which may follow from i.
    void addItem(std::size_t array, std::size_t value, const Names& known, int depth)
    {
        if (isOneItem(array, known, depth) || !replaces(array))
            return;
        std::optional<RealRange> byIndex;
        if (token(array + 2).isWord() && token(array + 3).is("]") && token(array + 4).is("="))
            byIndex = followed(token(array + 2).text, value, known, depth);
        m_isOnly = !m_found && !m_isUnread;
        m_byIndex = m_isOnly && !m_made ? byIndex : std::nullopt;
        add(value, known, depth);
    }
    /// `array[3]` of one that was made of equal items.
    bool isOneItem(std::size_t array, const Names& known, int depth)
    {
        const std::vector<TokenRange> index = m_made ? argumentsOf(m_program, array + 1) : std::vector<TokenRange> {};
        if (index.size() != 1)
            return false;
        const std::size_t before = std::exchange(m_at, index[0].first);
        const Drawn item = choice(known, depth);
        const bool isWhole = std::exchange(m_at, before) == index[0].last;
        return isWhole && item.isKnown() && item.isOne();
    }
    /// A value that is a multiple of the index more than the first one.
    std::optional<RealRange> followed(std::string_view index, std::size_t value, Names known, int depth)
    {
        const auto at = [&](double i) {
            known[std::string(index)] = one(i);
            const Drawn item = expression(value, known, depth);
            return item.isKnown() && item.isOne() && !item.isDrawn ? std::optional(item.low) : std::nullopt;
        };
        const std::optional<double> first = at(0), second = at(1);
        if (!first || !second || *first == *second)
            return {};
        for (const double far : kFarItems)
            if (const std::optional<double> item = at(far); !item || std::abs(*item - *first - far * (*second - *first)) > kRounding * std::abs(*item))
                return {};
        return RealRange { *first, *first, *second - *first };
    }
    /// Behind `= ` of `array[i] =` and `array[i].x =`, and of all such that follow; 0: it is none.
    [[nodiscard]] std::size_t behindItem(std::size_t at) const
    {
        if (!token(at).isWord() || !token(at + 1).is("["))
            return 0;
        std::size_t end = at + 1;
        while (token(end).is("[") || token(end).is(".")) {
            const std::size_t next = token(end).is("[") ? behind(end) : end + 2;
            if (next <= end + 1 || next >= m_program.tokens().size())
                return 0;
            end = next;
        }
        if (!token(end).is("="))
            return 0;
        const std::size_t again = behindItem(end + 1); // a[i] = b[i] = ...
        return again ? again : end + 1;
    }
    [[nodiscard]] std::size_t behindStatement(std::size_t at) const
    {
        const std::size_t all = m_program.tokens().size();
        while ((token(at).is("for") || token(at).is("while") || token(at).is("if")) && token(at + 1).is("("))
            at = behind(at + 1);
        if (token(at).is("{"))
            return behind(at);
        while (at < all && !token(at).is(";"))
            at = token(at).opens() ? behind(at) : at + 1;
        return at;
    }
    /// The array as an argument: of a function of the program, or a library's that fills. False where it is none.
    bool lookAtCall(std::size_t at, const Names& known, int depth)
    {
        std::size_t open = at, argument = 0;
        for (int brackets = 0; open > 0; --open) {
            const Token& before = token(open - 1);
            if (before.is(")") || before.is("]") || before.is("}"))
                ++brackets;
            else if (before.opens() && --brackets < 0)
                break;
            else if (before.is(",") && brackets == 0)
                ++argument;
            else if ((before.is(";") || before.is("{")) && brackets == 0)
                return false;
        }
        if (open < 2 || !token(open - 1).is("("))
            return false;
        std::size_t named = open - 2;
        if (token(named).is(">")) // of template arguments
            while (named > 0 && !token(named).is("<"))
                --named;
        named -= named > 0 && token(named).is("<");
        const std::string_view name = token(named).text;
        const std::vector<TokenRange> arguments = argumentsOf(m_program, open - 1);
        if (argument >= arguments.size() || arguments[argument].first != at - (at > 0 && token(at - 1).is("&")))
            return false;
        const bool isStd = named > 1 && token(named - 1).is("::") && token(named - 2).is("std");
        const HostFunction* function = isStd ? nullptr : functionNamed(name, arguments.size());
        if (function && depth < kDeepestCall && argument < function->parameters.size())
            collect(function->bodyFirst, function->bodyLast, function->parameters[argument].name, given(*function, arguments, known, depth), depth + 1);
        else if (!function && arguments.size() == 3 && argument == 0 && (name == "fill" || name == "fill_n") && replaces(at))
            add(arguments[2].first, known, depth);
        else if (!function && arguments.size() == 3 && argument == 0 && (name == "generate" || name == "generate_n") && replaces(at))
            addReturned(arguments[2], known, depth);
        else
            return function;
        return true;
    }
    Names given(const HostFunction& function, std::span<const TokenRange> arguments, const Names& known, int depth)
    {
        Names names;
        for (std::size_t i = 0; i < function.parameters.size(); ++i) {
            const HostParameter& parameter = function.parameters[i];
            if (i < arguments.size())
                names[parameter.name] = expression(arguments[i].first, known, depth);
            else if (parameter.hasValue())
                names[parameter.name] = expression(parameter.valueFirst, {}, depth);
        }
        return names;
    }
    void addReturned(const TokenRange& function, const Names& known, int depth)
    {
        if (function.last == function.first + 1) {
            if (const HostFunction* named = m_program.function(token(function.first).text, 0))
                keep(returned(named->bodyFirst, named->bodyLast, {}, depth));
            return;
        }
        keep(returned(function.first, function.last, known, depth));
    }
    void add(std::size_t first, const Names& known, int depth) { keep(expression(first, known, depth)); }
    void keep(const Drawn& value)
    {
        if (!std::exchange(m_isOnly, false))
            m_byIndex.reset();
        if (value.isKnown())
            m_found = m_found ? united(*m_found, value) : value;
        else
            m_isUnread = true;
    }

    /// What a function's only `return` gives.
    Drawn returned(std::size_t first, std::size_t last, const Names& known, int depth)
    {
        for (std::size_t at = first; at < last && depth < kDeepestCall; ++at)
            if (token(at).is("return"))
                return expression(at + 1, known, depth + 1);
        return unknown();
    }
    /// Up to the end of a statement or an argument.
    Drawn expression(std::size_t first, const Names& known, int depth)
    {
        if (--m_left.expressions < 0)
            return unknown();
        const std::size_t before = std::exchange(m_at, first);
        Drawn value = choice(known, depth);
        if (!token(m_at).is(";") && !token(m_at).is(",") && !token(m_at).is(")") && !token(m_at).is("}"))
            value = unknown();
        m_at = before;
        return value;
    }
    Drawn readChoice(const Names& known, int depth)
    {
        for (std::size_t at = m_at; at < m_program.tokens().size(); at = token(at).opens() ? behind(at) : at + 1) {
            if (token(at).is(";") || token(at).is(",") || token(at).is(")") || token(at).is("}") || token(at).is(":"))
                break;
            if (!token(at).is("?"))
                continue;
            m_at = at + 1;
            const Drawn then = choice(known, depth);
            if (!token(m_at).is(":"))
                return unknown();
            ++m_at;
            return united(then, choice(known, depth));
        }
        return sum(known, depth);
    }
    Drawn sum(const Names& known, int depth)
    {
        Drawn value = product(known, depth);
        while (token(m_at).is("+") || token(m_at).is("-")) {
            const bool isMinus = token(m_at++).is("-");
            const Drawn next = product(known, depth);
            value = applied(value, next, [&](double a, double b) { return isMinus ? a - b : a + b; });
        }
        return value;
    }
    Drawn product(const Names& known, int depth)
    {
        Drawn value = factor(known, depth);
        while (token(m_at).is("*") || token(m_at).is("/") || token(m_at).is("%") || token(m_at).is("&")) {
            const std::string_view op = token(m_at++).text;
            const Drawn next = factor(known, depth);
            if (op == "*")
                value = applied(value, next, std::multiplies {});
            else if (op == "/")
                value = next.low > 0 || next.high < 0 ? applied(value, next, std::divides {}) : unknown();
            else if (next.isKnown() && next.isOne() && next.low >= 1) // of whole numbers, which go on from 0
                value = value.isKnown() && value.isOne() ? unknown() : between(0, op == "%" ? next.low - 1 : next.low);
            else
                value = unknown();
        }
        return value;
    }
    Drawn factor(const Names& known, int depth) { return nested(&Search::readFactor, known, depth); }
    Drawn choice(const Names& known, int depth) { return nested(&Search::readChoice, known, depth); }
    Drawn nested(Drawn (Search::*read)(const Names&, int), const Names& known, int depth)
    {
        ++m_nested;
        const Drawn value = m_nested < kMostNested ? (this->*read)(known, depth) : (++m_at, unknown());
        --m_nested;
        return value;
    }
    Drawn readFactor(const Names& known, int depth)
    {
        const Token& here = token(m_at);
        if (here.is("-") || here.is("+")) {
            ++m_at;
            const Drawn value = factor(known, depth);
            return here.is("-") ? Drawn { { -value.high, -value.low, {} }, value.isDrawn } : value;
        }
        if (here.is("(")) {
            const std::size_t end = behind(m_at);
            if (isCast(m_at + 1, end - 1)) {
                m_at = end;
                return factor(known, depth);
            }
            ++m_at;
            const Drawn value = choice(known, depth);
            const bool isWhole = m_at + 1 == end;
            m_at = end;
            return isWhole ? value : unknown();
        }
        if (here.kind == TokenKind::Number) {
            ++m_at;
            return one(literal(here.text).asReal());
        }
        return here.isWord() ? word(known, depth) : (++m_at, unknown());
    }
    [[nodiscard]] bool isCast(std::size_t first, std::size_t last) const
    {
        for (std::size_t at = first; at < last; ++at)
            if (!converts(token(at).text) && !token(at).is("std") && !token(at).is("::"))
                return false;
        return first < last;
    }
    Drawn word(const Names& known, int depth)
    {
        const std::size_t at = m_at;
        while (token(m_at + 1).is("::") && token(m_at + 2).isWord())
            m_at += 2;
        const std::string_view name = token(m_at++).text;
        if (isOneOf(name, kNamedCasts) && token(m_at).is("<"))
            m_at = behindAngle(m_program.tokens(), m_at);
        if (token(m_at).is("(")) {
            const std::size_t open = m_at;
            m_at = behind(open);
            return call(name, open, known, depth);
        }
        if (token(m_at).is(".") || token(m_at).is("[") || token(m_at).is("->"))
            return part(at);
        if (name == "RAND_MAX")
            return one(kRandMax);
        if (const auto found = known.find(name); found != known.end())
            return found->second;
        if (const auto counter = counted(name, at, known, depth))
            return *counter;
        const std::optional<double> value = m_at == at + 1 ? m_valueOf(at) : std::nullopt;
        return value ? one(*value) : unknown();
    }
    /// `shape.rows` and `list.size()`, of which no more is read.
    Drawn part(std::size_t first)
    {
        bool isPlain = m_at == first + 1;
        while (token(m_at).is(".") || token(m_at).is("[") || token(m_at).is("->") || token(m_at).is("(")) {
            isPlain = isPlain && (!token(m_at).opens() || (token(m_at - 1).is("size") && token(m_at + 1).is(")")));
            m_at = token(m_at).opens() ? behind(m_at) : m_at + 2;
        }
        const std::optional<double> value = isPlain ? m_valueOf(first) : std::nullopt;
        return value ? one(*value) : unknown();
    }
    /// What the innermost loop around a token counts by that name; nothing: none does.
    std::optional<Drawn> counted(std::string_view name, std::size_t at, const Names& known, int depth)
    {
        const std::size_t begin = countedFrom(name, at);
        if (begin == 0)
            return {};
        const std::size_t condition = behindStatement(begin) + 1;
        const std::string_view op = token(condition).is(name) ? token(condition + 1).text : "";
        const bool isUp = op == "<" || op == "<=" || op == "!=", isDown = op == ">" || op == ">=";
        if (!isUp && !isDown)
            return unknown();
        const double beside = op == "<" || op == ">" || op == "!=" ? 1 : 0;
        const Drawn first = expression(begin, known, depth), bound = expression(condition + 2, known, depth);
        if (!first.isKnown() || !bound.isKnown())
            return unknown();
        const double low = isUp ? first.low : bound.low + beside, high = isUp ? bound.high - beside : first.high;
        return Drawn { { low, std::max(low, high), {} }, false };
    }
    /// Behind the `name =` in the head of the innermost loop around a token; 0: there is none.
    std::size_t countedFrom(std::string_view name, std::size_t at)
    {
        for (std::size_t head = at; head > 0 && at - head < kFarthestLoop && m_left.loops > 0; --head) {
            if (!token(head).is("for") || !token(head + 1).is("("))
                continue;
            --m_left.loops;
            for (std::size_t i = head + 2; i + 1 < at && i < head + kLongestHead && !token(i).is(";"); ++i)
                if (token(i).text == name && token(i + 1).is("=") && behindStatement(head) > at)
                    return i + 2;
        }
        return 0;
    }
    Drawn call(std::string_view name, std::size_t open, const Names& known, int depth)
    {
        const std::vector<TokenRange> arguments = argumentsOf(m_program, open);
        const auto argument = [&](std::size_t i) { return expression(arguments[i].first, known, depth); };
        if (isOneOf(name, kDraws))
            return between(0, kRandMax);
        if (isOneOf(name, kUnitDraws))
            return between(0, 1);
        if (isOneOf(name, kWaves))
            return between(-1, 1);
        if (arguments.size() == 1 && (converts(name) || isOneOf(name, kNamedCasts)))
            return argument(0);
        if (arguments.size() == 1 && (name == "fabs" || name == "fabsf" || name == "abs")) {
            const Drawn value = argument(0);
            const double most = std::max(std::abs(value.low), std::abs(value.high));
            return { { value.low > 0 ? value.low : value.high < 0 ? -value.high : 0, most, {} }, value.isDrawn };
        }
        if (arguments.size() == 1 && (name == "sqrt" || name == "sqrtf" || name == "exp" || name == "expf")) {
            const Drawn value = argument(0);
            if (!value.isKnown() || (name.starts_with("sqrt") && value.low < 0))
                return unknown();
            const auto apply = [&](double x) { return name.starts_with("sqrt") ? std::sqrt(x) : std::exp(x); };
            return { { apply(value.low), apply(value.high), {} }, value.isDrawn };
        }
        const bool isMin = isOneOf(name, kMinima);
        if (arguments.size() == 2 && (isMin || isOneOf(name, kMaxima))) {
            const Drawn a = argument(0), b = argument(1);
            if (!a.isKnown() || !b.isKnown())
                return unknown();
            const auto apply = [&](double x, double y) { return isMin ? std::min(x, y) : std::max(x, y); };
            return { { apply(a.low, b.low), apply(a.high, b.high), {} }, a.isDrawn || b.isDrawn };
        }
        if (arguments.size() == 3 && name == "clamp") {
            const Drawn value = argument(0), low = argument(1), high = argument(2);
            if (!low.isKnown() || !high.isKnown() || low.low > high.high)
                return unknown();
            const auto within = [&](double x) { return std::clamp(x, low.low, high.high); };
            return { { within(value.low), within(value.high), {} }, value.isDrawn };
        }
        if (const auto drawn = distribution(name, known, depth))
            return *drawn;
        if (const HostFunction* function = functionNamed(name, arguments.size()); function && depth < kDeepestCall)
            return returned(function->bodyFirst, function->bodyLast, given(*function, arguments, known, depth), depth);
        return unknown();
    }
    /// What `std::uniform_real_distribution<float> name(low, high)` draws: the last one before its use, for other functions may have theirs.
    std::optional<Drawn> distribution(std::string_view name, const Names& known, int depth)
    {
        std::size_t kind = 0, named = 0;
        for (std::size_t at = 0; at < m_program.tokens().size() && (at < m_at || named == 0); ++at) {
            if (!token(at).text.ends_with("_distribution") || !token(at).isWord())
                continue;
            std::size_t behindKind = at + 1;
            if (token(behindKind).is("<"))
                behindKind = behindAngle(m_program.tokens(), behindKind, AngleIn::Declaration);
            if (token(behindKind).text == name)
                std::tie(kind, named) = std::pair(at, behindKind);
        }
        if (named == 0)
            return {};
        std::array<Drawn, 2> ends { one(0), one(1) };
        if (token(named + 1).opens()) {
            const std::vector<TokenRange> arguments = argumentsOf(m_program, named + 1);
            for (std::size_t i = 0; i < std::min(arguments.size(), ends.size()); ++i)
                ends[i] = expression(arguments[i].first, known, depth);
        }
        if (!ends[0].isKnown() || !ends[1].isKnown())
            return unknown();
        if (token(kind).text.starts_with("uniform"))
            return between(ends[0].low, ends[1].high);
        if (token(kind).text.starts_with("normal"))
            return between(ends[0].low - kNormalDeviations * ends[1].high, ends[0].high + kNormalDeviations * ends[1].high);
        return unknown();
    }
    /// One of the program's, or a lambda that is called so.
    const HostFunction* functionNamed(std::string_view name, std::size_t arguments)
    {
        if (const HostFunction* function = m_program.function(name, arguments))
            return function;
        const auto [known, isNew] = m_lambdas.try_emplace(std::string(name));
        for (std::size_t at = 0; isNew && at < m_program.tokens().size(); ++at)
            if (token(at).isWord() && token(at).text == name && token(at + 1).is("=") && token(at + 2).is("["))
                known->second = lambdaAt(at + 2);
        return known->second ? &*known->second : nullptr;
    }
    [[nodiscard]] std::optional<HostFunction> lambdaAt(std::size_t at) const
    {
        HostFunction lambda;
        at = behind(at);
        if (token(at).is("<"))
            at = std::max(behindAngle(m_program.tokens(), at, AngleIn::Declaration), at + 1);
        if (token(at).is("(")) {
            lambda.parameters = m_program.parametersIn(at + 1, behind(at) - 1);
            at = behind(at);
        }
        while (at < m_program.tokens().size() && !token(at).is("{") && !token(at).is(";"))
            ++at;
        if (!token(at).is("{"))
            return {};
        lambda.bodyFirst = at + 1;
        lambda.bodyLast = behind(at) - 1;
        return lambda;
    }

    const HostProgram& m_program;
    const ValueOfToken& m_valueOf;
    const TokenRange m_body; ///< of the function where the array is used
    const std::size_t m_use;
    std::optional<Drawn> m_found;
    std::optional<Drawn> m_made; ///< what all items were made of that nothing else sets
    std::optional<RealRange> m_byIndex; ///< where there is no other assignment
    std::map<std::string, std::optional<HostFunction>, std::less<>> m_lambdas; ///< by their names
    bool m_isUnread = false, m_isOnly = false;
    std::size_t m_at = 0;
    Budget& m_left;
    int m_nested = 0;
};

/// The innermost function around a token; null: none.
const HostFunction* functionAround(const HostProgram& program, std::size_t at)
{
    const HostFunction* around = nullptr;
    for (const HostFunction& function : program.everyFunction())
        if (function.holds(at) && (!around || around->bodyFirst < function.bodyFirst))
            around = &function;
    return around;
}

/// Looks for what is assigned to an array in the function that uses it, and where that has it from its caller, there.
class Origin {
public:
    Origin(const HostProgram& program, const ValueOfToken& valueOf)
        : m_program(program)
        , m_valueOf(valueOf)
    {
    }

    std::optional<RealRange> assigned(std::string_view array, std::size_t at, std::span<const CallSite> calls, int depth)
    {
        const HostFunction* around = functionAround(m_program, at);
        if (!around || depth == kDeepestCall || --m_left.expressions < 0)
            return {};
        Search inside(m_program, m_valueOf, *around, at, m_left);
        inside.collect(around->bodyFirst, around->bodyLast, array, {}, depth);
        if (const auto found = inside.found())
            return found;
        const auto parameter = std::ranges::find(around->parameters, array, &HostParameter::name);
        if (parameter == around->parameters.end()) // a lambda may have it from around it
            return around->name.empty() ? assigned(array, around->bodyFirst - 1, calls, depth + 1) : std::nullopt;
        return given(*around, std::size_t(parameter - around->parameters.begin()), calls, depth);
    }

private:
    /// As the so many-th argument of a function.
    std::optional<RealRange> given(const HostFunction& function, std::size_t index, std::span<const CallSite> calls, int depth)
    {
        for (std::size_t i = calls.size(); i > 0; --i) {
            const CallSite& call = calls[i - 1];
            if (call.function != &function || call.open == 0)
                continue;
            const std::vector<TokenRange> arguments = argumentsOf(m_program, call.open);
            if (index >= arguments.size())
                return {};
            const std::size_t first = arguments[index].first + m_program.token(arguments[index].first).is("&");
            return assigned(m_program.token(first).text, first, calls.first(i - 1), depth + 1);
        }
        std::optional<RealRange> all;
        for (const auto& [first, call] : argumentsGiven(m_program, function.name, index)) {
            if (function.holds(call))
                continue;
            if (const auto found = assigned(m_program.token(first).text, call, calls, depth + 1))
                all = all ? RealRange { std::min(all->low, found->low), std::max(all->high, found->high), {} } : *found;
        }
        return all;
    }

    const HostProgram& m_program;
    const ValueOfToken& m_valueOf;
    Budget m_left;
};

} // namespace

std::optional<RealRange> realsAssigned(
    const HostProgram& program, std::string_view array, std::size_t at, const ValueOfToken& valueOf, std::span<const CallSite> calls)
{
    return Origin(program, valueOf).assigned(array, at, calls, 0);
}

} // namespace coalescope::kernels
