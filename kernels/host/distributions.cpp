// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/engine.h"
#include "kernels/host/run.h"

namespace coalescope::kernels::host {
namespace {

/// What it draws its numbers from, as the standard library names its parameters.
struct Parameters {
    Value first, second;

    [[nodiscard]] double a() const { return first.asReal(); }
    [[nodiscard]] double b() const { return second.asReal(); }
    [[nodiscard]] bool arePositive() const { return a() > 0 && b() > 0; }
    /// The second of them is a probability.
    [[nodiscard]] bool areTrials() const { return a() >= 0 && b() >= 0 && b() <= 1; }
};

template <template <class...> class Drawn> Engine ofReals(Kind kind, double a, double b)
{
    if (kind == Kind::F32)
        return Drawn<float>(float(a), float(b));
    return Drawn<double>(a, b);
}

template <template <class...> class Drawn> Engine ofReal(Kind kind, double a)
{
    if (kind == Kind::F32)
        return Drawn<float>(float(a));
    return Drawn<double>(a);
}

template <class Integer> Engine uniform(const Value& low, const Value& high)
{
    const auto first = Integer(low.integer), last = Integer(high.integer);
    return first <= last ? Engine(std::uniform_int_distribution<Integer>(first, last)) : Engine();
}

Engine uniformIntegers(Kind kind, const Value& low, const Value& high)
{
    switch (kind) {
    case Kind::U64: return uniform<std::uint64_t>(low, high);
    case Kind::U32: return uniform<std::uint32_t>(low, high);
    default: return bytesOf(kind) == 8 ? uniform<std::int64_t>(low, high) : uniform<std::int32_t>(low, high);
    }
}

/// Nothing where it has none, or these parameters are none of its.
Engine distributionOf(std::string_view name, Kind kind, const Parameters& of)
{
    const double a = of.a(), b = of.b();
    if (name == "uniform_int_distribution")
        return uniformIntegers(kind, of.first, of.second);
    if (name == "uniform_real_distribution")
        return ofReals<std::uniform_real_distribution>(kind, a, b);
    if (name == "normal_distribution" && b > 0)
        return ofReals<std::normal_distribution>(kind, a, b);
    if (name == "lognormal_distribution" && b > 0)
        return ofReals<std::lognormal_distribution>(kind, a, b);
    if (name == "cauchy_distribution" && b > 0)
        return ofReals<std::cauchy_distribution>(kind, a, b);
    if (name == "extreme_value_distribution" && b > 0)
        return ofReals<std::extreme_value_distribution>(kind, a, b);
    if (name == "gamma_distribution" && of.arePositive())
        return ofReals<std::gamma_distribution>(kind, a, b);
    if (name == "weibull_distribution" && of.arePositive())
        return ofReals<std::weibull_distribution>(kind, a, b);
    if (name == "fisher_f_distribution" && of.arePositive())
        return ofReals<std::fisher_f_distribution>(kind, a, b);
    if (name == "exponential_distribution" && a > 0)
        return ofReal<std::exponential_distribution>(kind, a);
    if (name == "chi_squared_distribution" && a > 0)
        return ofReal<std::chi_squared_distribution>(kind, a);
    if (name == "student_t_distribution" && a > 0)
        return ofReal<std::student_t_distribution>(kind, a);
    if (name == "geometric_distribution" && a > 0 && a < 1)
        return std::geometric_distribution<std::int64_t>(a);
    if (name == "poisson_distribution" && a > 0)
        return std::poisson_distribution<int>(a);
    if (name == "binomial_distribution" && of.areTrials())
        return std::binomial_distribution<int>(int(a), b);
    if (name == "negative_binomial_distribution" && of.areTrials() && of.arePositive())
        return std::negative_binomial_distribution<int>(int(a), b);
    if (name == "bernoulli_distribution")
        return std::bernoulli_distribution(std::clamp(a, 0.0, 1.0));
    return {};
}

/// The parameters that are left out.
Parameters defaults(std::string_view name, Kind kind)
{
    const auto reals = [](double a, double b) { return Parameters { Value::ofReal(Kind::F64, a), Value::ofReal(Kind::F64, b) }; };
    if (name == "uniform_int_distribution") {
        const bool isUnsigned = kind == Kind::U8 || kind == Kind::U16 || kind == Kind::U32 || kind == Kind::U64;
        const std::uint64_t largest = ~std::uint64_t(0) >> (64 - 8 * bytesOf(kind) + (isUnsigned ? 0 : 1));
        return { Value::of(kind, 0), Value::of(kind, std::int64_t(largest)) };
    }
    if (isAmong(name, { "geometric_distribution", "bernoulli_distribution" }))
        return reals(0.5, 0);
    if (isAmong(name, { "binomial_distribution", "negative_binomial_distribution" }))
        return reals(1, 0.5);
    const bool isAroundZero = isAmong(name, { "uniform_real_distribution", "normal_distribution", "lognormal_distribution", "cauchy_distribution", "extreme_value_distribution" });
    return reals(isAroundZero ? 0 : 1, 1);
}

} // namespace

bool isOfIntegers(std::string_view distribution)
{
    return isAmong(distribution, { "uniform_int_distribution", "geometric_distribution", "poisson_distribution", "binomial_distribution", "negative_binomial_distribution", "discrete_distribution" });
}

Value Run::constructDistribution(const Type& type, const std::vector<Value>& arguments, bool isBraced)
{
    Thing* const drawn = new Thing;
    Value made = Value::whole(Handle(drawn));
    drawn->type = &type;
    if (type.name == "discrete_distribution") {
        if (const auto weights = weightsOf(arguments, isBraced))
            drawn->engine = std::make_shared<Engine>(std::discrete_distribution<int>(weights->begin(), weights->end()));
        return made;
    }
    const Kind kind = type.element->kind;
    Parameters parameters = defaults(type.name, kind);
    const bool isUniform = type.name == "uniform_int_distribution";
    const Type& of = isReal(kind) || isUniform ? *type.element : *plain(Kind::F64);
    if (!arguments.empty())
        parameters.first = convert(arguments[0], of);
    if (arguments.size() > 1)
        parameters.second = convert(arguments[1], of);
    if (!parameters.first.isKnown || !parameters.second.isKnown)
        return made;
    if (Engine engine = distributionOf(type.name, kind, parameters); engine.index() != 0)
        drawn->engine = std::make_shared<Engine>(std::move(engine));
    return made;
}

/// Of a std::discrete_distribution: { 1, 2 }, or two iterators.
std::optional<std::vector<double>> Run::weightsOf(const std::vector<Value>& arguments, bool isBraced)
{
    std::vector<Value> weights;
    if (isBraced) {
        weights = arguments;
    } else if (arguments.size() == 1 && isList(arguments[0])) {
        weights = arguments[0].thing->items;
    } else if (arguments.size() == 2 && arguments[0].kind == Kind::Pointer && arguments[1].kind == Kind::Pointer) {
        const auto range = rangeOf(arguments[0], arguments[1]);
        if (!range)
            return std::nullopt;
        for (std::int64_t at = range->first.integer; at < range->second.integer && !isUp(); ++at)
            weights.push_back(range->first.thing->at(at));
    }
    std::vector<double> numbers;
    for (const Value& weight : weights) {
        if (!weight.isKnown || !isNumber(weight.kind) || weight.asReal() < 0)
            return std::nullopt;
        numbers.push_back(weight.asReal());
    }
    return numbers.empty() ? std::nullopt : std::optional(numbers);
}

Value Run::drawRaw(Thing& engine)
{
    std::uint64_t drawn = 0;
    const bool isThere = withEngine(engine.engine, [&](auto& held) { drawn = held(); });
    const bool isLong = engine.type && engine.type->name == "mt19937_64";
    return isThere ? Value::of(isLong || (engine.type && engine.type->name != "random_device") ? Kind::U64 : Kind::U32, std::int64_t(drawn)) : Value::unknown(Kind::U32);
}

Value Run::draw(Thing& distribution, Thing& engine)
{
    const Kind kind = distribution.type->element->kind;
    Value drawn = Value::unknown(kind);
    withDistribution(distribution.engine, [&]<class Held>(Held& held) {
        withEngine(engine.engine, [&](auto& numbers) {
            if constexpr (std::is_floating_point_v<typename Held::result_type>)
                drawn = Value::ofReal(kind, double(held(numbers)));
            else
                drawn = Value::of(kind, std::int64_t(held(numbers)));
        });
    });
    return drawn;
}

} // namespace coalescope::kernels::host
