// SPDX-License-Identifier: Apache-2.0
#include "app/cli/experiment_arguments.h"
#include "app/cli/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace coalescope::cli {

namespace {

/// Results are kept until the last is there, so that they come out in order.
constexpr std::size_t kLargestSweep = 100'000;

std::vector<std::string> listOf(std::string_view text)
{
    std::vector<std::string> list;
    for (;;) {
        const std::size_t comma = std::min(text.find(','), text.size());
        if (comma > 0)
            list.emplace_back(text.substr(0, comma));
        if (comma == text.size())
            return list;
        text.remove_prefix(comma + 1);
    }
}

/// Whether the text is a value of the parameter's kind; its range is the launch's affair.
Result<void> checkKind(const kernels::ParameterSpec& parameter, const std::string& value)
{
    if (parameter.isInteger()) {
        std::int64_t number = 0;
        const char* const end = value.data() + value.size();
        const auto [at, error] = std::from_chars(value.data(), end, number);
        if (error == std::errc::invalid_argument || at != end)
            return fail(ErrorCode::IllegalParameter, fmt::format("'{}' is no integer", value),
                parameter.name);
        return {};
    }
    std::string known;
    for (const kernels::Choice& choice : parameter.choices) {
        if (choice.value == value)
            return {};
        known += (known.empty() ? "" : ", ") + choice.value;
    }
    return fail(ErrorCode::IllegalParameter, fmt::format("'{}' is none of {}", value, known),
        parameter.name);
}

Result<void> checkAxis(const kernels::KernelSpec& kernel, const SweepAxis& axis, const char* option)
{
    const auto parameter
        = std::ranges::find(kernel.parameters, axis.name, &kernels::ParameterSpec::name);
    if (parameter == kernel.parameters.end()) {
        std::string known;
        for (const kernels::ParameterSpec& one : kernel.parameters)
            known += (known.empty() ? "" : ", ") + one.name;
        return fail(ErrorCode::WrongUsage,
            fmt::format("'{}' has no parameter '{}'; it has {}", kernel.id, axis.name, known),
            option);
    }
    for (const std::string& value : axis.values) {
        if (auto done = checkKind(*parameter, value); !done)
            return done;
    }
    return {};
}

} // namespace

Result<SweepRequest> sweepRequest(const kernels::KernelSpec& kernel,
    const std::vector<std::string>& over, const std::vector<std::string>& sets)
{
    SweepRequest request;
    for (const std::string& text : sets) {
        auto assignment = assignmentOf(text, "--set");
        if (!assignment)
            return std::unexpected(assignment.error());
        if (auto done = checkAxis(kernel, { assignment->first, { assignment->second } }, "--set");
            !done)
            return std::unexpected(done.error());
        request.fixed[assignment->first] = assignment->second;
    }
    std::size_t launches = 1;
    for (const std::string& text : over) {
        auto assignment = assignmentOf(text, "--over");
        if (!assignment)
            return std::unexpected(assignment.error());
        SweepAxis axis { assignment->first, listOf(assignment->second) };
        if (axis.values.empty())
            return fail(ErrorCode::WrongUsage, fmt::format("'{}' lists no values", text), "--over");
        if (auto done = checkAxis(kernel, axis, "--over"); !done)
            return std::unexpected(done.error());
        const auto same = [&](const SweepAxis& other) { return other.name == axis.name; };
        if (request.fixed.contains(axis.name) || std::ranges::any_of(request.axes, same))
            return fail(ErrorCode::WrongUsage,
                fmt::format("the parameter '{}' is given twice", axis.name), "--over");
        launches *= axis.values.size();
        if (launches > kLargestSweep)
            return fail(ErrorCode::WrongUsage, "a sweep holds at most 100,000 launches", "--over");
        request.axes.push_back(std::move(axis));
    }
    return request;
}

std::vector<kernels::ParameterValues> combinations(const SweepRequest& request)
{
    std::vector<kernels::ParameterValues> all { request.fixed };
    for (const SweepAxis& axis : request.axes) {
        std::vector<kernels::ParameterValues> next;
        next.reserve(all.size() * axis.values.size());
        for (const kernels::ParameterValues& values : all) {
            for (const std::string& value : axis.values) {
                next.push_back(values);
                next.back()[axis.name] = value;
            }
        }
        all = std::move(next);
    }
    return all;
}

} // namespace coalescope::cli
