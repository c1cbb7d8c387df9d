// SPDX-License-Identifier: Apache-2.0
#include "analysis/result/number_text.h"
#include "kernels/catalogue/assignment.h"
#include "kernels/catalogue/element_type.h"
#include "kernels/experiment/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <set>

namespace coalescope::kernels {

namespace {

/// Rows are kept until the last is there, so that they come out in order.
constexpr std::size_t kLargestSweep = 100'000;

constexpr const char* kTooLarge = "a sweep holds at most 100,000 launches";

std::vector<std::string_view> partsOf(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t end = std::min(text.find(separator), text.size());
        parts.push_back(text.substr(0, end));
        if (end == text.size())
            return parts;
        text.remove_prefix(end + 1);
    }
}

Result<std::int64_t> integerOf(std::string_view text, const std::string& parameter)
{
    std::int64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || at != end)
        return fail(
            ErrorCode::IllegalParameter, fmt::format("'{}' is no integer", text), parameter);
    return number;
}

/// How a range goes on from one value to the next.
struct Step {
    bool multiplies = false;
    std::int64_t by = 1;
};

/// `STEP` or `xFACTOR`.
Result<Step> stepOf(std::string_view text, std::int64_t first, const std::string& parameter)
{
    const bool multiplies = text.starts_with('x');
    const auto by = integerOf(text.substr(multiplies ? 1 : 0), parameter);
    if (!by)
        return fail(ErrorCode::IllegalParameter, fmt::format("'{}' is no step: give a number, or xFACTOR", text), parameter);
    if (*by < (multiplies ? 2 : 1) || (multiplies && first < 1))
        return fail(ErrorCode::IllegalParameter,
            fmt::format("the step '{}' leads nowhere: give a positive step, or xFACTOR from 2 on "
                        "with a range that begins at 1 or above",
                text),
            parameter);
    return Step { multiplies, *by };
}

/// Of `FIRST:LAST[:STEP]`, or one value.
Result<std::vector<std::string_view>> rangeOf(std::string_view item, const std::string& parameter)
{
    auto parts = partsOf(item, ':');
    if (parts.size() > 3)
        return fail(ErrorCode::IllegalParameter,
            fmt::format("'{}' is no range: give FIRST:LAST or FIRST:LAST:STEP", item), parameter);
    if (parts.size() > 1 && std::ranges::any_of(parts, &std::string_view::empty))
        return fail(ErrorCode::IllegalParameter,
            fmt::format("'{}' is not finished: give FIRST:LAST or FIRST:LAST:STEP", item), parameter);
    return parts;
}

Result<void> addIntegers(SweepAxis& axis, const std::vector<std::string_view>& parts, std::string_view item)
{
    const auto first = integerOf(parts.front(), axis.name);
    if (!first)
        return std::unexpected(first.error());
    if (parts.size() == 1) {
        axis.values.push_back(std::to_string(*first));
        return {};
    }
    const auto last = integerOf(parts[1], axis.name);
    if (!last)
        return std::unexpected(last.error());
    const auto step = parts.size() > 2 ? stepOf(parts[2], *first, axis.name) : Step {};
    if (!step)
        return std::unexpected(step.error());
    if (*last < *first)
        return fail(ErrorCode::IllegalParameter,
            fmt::format("the range '{}' ends before it begins", item), axis.name);
    for (std::int64_t value = *first; value <= *last;) {
        if (axis.values.size() == kLargestSweep)
            return fail(ErrorCode::WrongUsage, kTooLarge, "--over");
        axis.values.push_back(std::to_string(value));
        const bool overflow = step->multiplies ? __builtin_mul_overflow(value, step->by, &value)
                                               : __builtin_add_overflow(value, step->by, &value);
        if (overflow)
            break;
    }
    return {};
}

Result<double> realOf(std::string_view text, const std::string& parameter)
{
    const auto number = parseNumber(text);
    if (!number || !std::isfinite(*number))
        return fail(ErrorCode::IllegalParameter, fmt::format("'{}' is no finite number", text), parameter);
    return *number;
}

/// A range's last value is reached as far as its text tells: 0.1:0.3:0.1 has three.
Result<void> addReals(SweepAxis& axis, const std::vector<std::string_view>& parts, std::string_view item)
{
    constexpr double kNearly = 1e-9; ///< of a step
    const auto first = realOf(parts.front(), axis.name);
    if (!first)
        return std::unexpected(first.error());
    if (parts.size() == 1) {
        axis.values.push_back(analysis::numberText(*first));
        return {};
    }
    const auto last = realOf(parts[1], axis.name);
    if (!last)
        return std::unexpected(last.error());
    const bool multiplies = parts.size() > 2 && parts[2].starts_with('x');
    const auto by = parts.size() > 2 ? realOf(parts[2].substr(multiplies ? 1 : 0), axis.name) : Result<double> { 1 };
    if (!by || *by <= (multiplies ? 1 : 0) || (multiplies && *first <= 0))
        return fail(ErrorCode::IllegalParameter, fmt::format("the step of '{}' leads nowhere: give a positive step, or xFACTOR above 1 with a range that begins above 0", item), axis.name);
    if (*last < *first)
        return fail(ErrorCode::IllegalParameter, fmt::format("the range '{}' ends before it begins", item), axis.name);
    const double steps = multiplies ? std::log(*last / *first) / std::log(*by) : (*last - *first) / *by;
    if (steps >= double(kLargestSweep))
        return fail(ErrorCode::WrongUsage, kTooLarge, "--over");
    for (int i = 0; i <= steps + kNearly; ++i)
        axis.values.push_back(fmt::format("{:.12g}", multiplies ? *first * std::pow(*by, i) : *first + i * *by));
    return {};
}

Result<void> addChoice(SweepAxis& axis, const ParameterSpec& parameter, std::string_view item)
{
    std::string known;
    for (const Choice& choice : parameter.choices) {
        if (choice.value == item) {
            axis.values.emplace_back(item);
            return {};
        }
        known += (known.empty() ? "" : ", ") + choice.value;
    }
    return fail(
        ErrorCode::IllegalParameter, fmt::format("'{}' is none of {}", item, known), axis.name);
}

Result<const ParameterSpec*> parameterNamed(
    const KernelSpec& kernel, const std::string& name, const char* option)
{
    const auto found = std::ranges::find(kernel.parameters, name, &ParameterSpec::name);
    if (found != kernel.parameters.end())
        return &*found;
    std::string known;
    for (const ParameterSpec& one : kernel.parameters)
        known += (known.empty() ? "" : ", ") + one.name;
    return fail(ErrorCode::WrongUsage,
        fmt::format("'{}' has no parameter '{}'; it has {}", kernel.id, name, known), option);
}

/// The values' kind is checked; their range is each launch's own affair.
Result<SweepAxis> axisOf(const KernelSpec& kernel, const std::string& text, const char* option)
{
    auto assignment = assignmentOf(text, option);
    if (!assignment)
        return std::unexpected(assignment.error());
    SweepAxis axis { assignment->first, {} };
    const auto parameter = parameterNamed(kernel, axis.name, option);
    if (!parameter)
        return std::unexpected(parameter.error());
    for (const std::string_view item : partsOf(assignment->second, ',')) {
        if (item.empty())
            continue;
        const auto parts = (*parameter)->choices.empty() ? rangeOf(item, axis.name) : std::vector<std::string_view> {};
        if (!parts)
            return std::unexpected(parts.error());
        auto added = (*parameter)->isInteger() ? addIntegers(axis, *parts, item)
            : (*parameter)->isReal             ? addReals(axis, *parts, item)
                                               : addChoice(axis, **parameter, item);
        if (!added)
            return std::unexpected(added.error());
    }
    if (axis.values.empty())
        return fail(ErrorCode::WrongUsage, fmt::format("'{}' lists no values", text), option);
    std::set<std::string> seen; // a value that is listed again is the same launch
    std::erase_if(axis.values, [&](const auto& value) { return !seen.insert(value).second; });
    return axis;
}

} // namespace

Result<SweepRequest> sweepRequest(const KernelSpec& kernel, const std::vector<std::string>& over,
    const std::vector<std::string>& sets)
{
    SweepRequest request;
    const auto given = [&](const std::string& name) {
        return request.fixed.contains(name)
            || std::ranges::find(request.axes, name, &SweepAxis::name) != request.axes.end();
    };
    const auto twice = [](const std::string& name, const char* option) {
        return fail(
            ErrorCode::WrongUsage, fmt::format("the parameter '{}' is given twice", name), option);
    };
    for (const std::string& text : sets) {
        auto axis = axisOf(kernel, text, "--set");
        if (!axis)
            return std::unexpected(axis.error());
        if (axis->values.size() > 1)
            return fail(ErrorCode::WrongUsage,
                fmt::format("'{}' has several values; --over takes them", text), "--set");
        if (given(axis->name))
            return twice(axis->name, "--set");
        request.fixed[axis->name] = axis->values.front();
    }
    std::size_t launches = 1;
    for (const std::string& text : over) {
        auto axis = axisOf(kernel, text, "--over");
        if (!axis)
            return std::unexpected(axis.error());
        if (given(axis->name))
            return twice(axis->name, "--over");
        launches *= axis->values.size();
        if (launches > kLargestSweep)
            return fail(ErrorCode::WrongUsage, kTooLarge, "--over");
        request.axes.push_back(*std::move(axis));
    }
    return request;
}

std::vector<ParameterValues> combinations(const SweepRequest& request)
{
    std::vector<ParameterValues> all { request.fixed };
    for (const SweepAxis& axis : request.axes) {
        std::vector<ParameterValues> next;
        next.reserve(all.size() * axis.values.size());
        for (const ParameterValues& values : all) {
            for (const std::string& value : axis.values) {
                next.push_back(values);
                next.back()[axis.name] = value;
            }
        }
        all = std::move(next);
    }
    return all;
}

} // namespace coalescope::kernels
