// SPDX-License-Identifier: Apache-2.0
#include "analysis/result/number_text.h"
#include "kernels/catalogue/argument_parts.h"
#include "kernels/catalogue/element_type.h"
#include "kernels/catalogue/kernel_impl.h"
#include "kernels/compile/diagnostics.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

namespace coalescope::kernels {
namespace {

constexpr std::uint64_t kLargestBufferBytes = std::uint64_t(1) << 46;

bool parseInteger(std::string_view text, std::int64_t& value)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

/// The parameters as the expressions see them: a choice that is a number is one.
ExpressionValues expressionValues(const KernelSpec& kernel, const ParameterValues& values)
{
    ExpressionValues seen;
    for (const ParameterSpec& parameter : kernel.parameters) {
        const std::string& text = values.at(parameter.name);
        std::int64_t number = 0;
        if (parameter.isReal)
            seen.emplace(parameter.name, parseNumber(text).value_or(0));
        else if (parseInteger(text, number))
            seen.emplace(parameter.name, number);
        else
            seen.emplace(parameter.name, text);
    }
    return seen;
}

ParameterValues withDefaults(const KernelSpec& kernel, const ParameterValues& values)
{
    ParameterValues all;
    for (const ParameterSpec& parameter : kernel.parameters) {
        const auto given = values.find(parameter.name);
        std::string& value = all[parameter.name] = given == values.end() ? parameter.defaultValue : given->second;
        if (const auto real = parameter.isReal ? parseNumber(value) : Result<double> {}; parameter.isReal && real)
            value = analysis::numberText(*real); // 0.50 is 0.5
    }
    return all;
}

/// Replaces each {expression} of a sentence by its value; what does not evaluate stays.
std::string substituted(const std::string& sentence, Expressions& expressions)
{
    std::string result;
    std::size_t at = 0;
    while (at < sentence.size()) {
        const auto open = sentence.find('{', at);
        const auto close = open == sentence.npos ? open : sentence.find('}', open);
        if (close == sentence.npos)
            break;
        const std::string inner = sentence.substr(open + 1, close - open - 1);
        const auto value = expressions.scalar(inner);
        result += sentence.substr(at, open - at) + (value ? *value : "{" + inner + "}");
        at = close + 1;
    }
    return result + sentence.substr(std::min(at, sentence.size()));
}

std::vector<ParameterProblem> brokenRules(const KernelSpec& kernel, const ExpressionValues& seen)
{
    std::vector<ParameterProblem> problems;
    Expressions expressions(seen);
    for (const LegalityCondition& rule : kernel.legality) {
        const auto holds = expressions.condition(rule.condition);
        if (!holds)
            problems.push_back({ rule.parameters,
                { "The condition " + holds.error().detail + ".", "条件无法求值：" + holds.error().detail + "。" } });
        else if (!*holds)
            problems.push_back({ rule.parameters,
                { substituted(rule.sentence.en, expressions), substituted(rule.sentence.zhCN, expressions) } });
    }
    return problems;
}


/// The launches before one, each planned once: what they have in common with it has the same value there.
class EarlierLaunches {
public:
    EarlierLaunches(const KernelSpec& kernel, const ParameterValues& values)
        : m_kernel(kernel)
        , m_values(values)
    {
    }
    Result<std::shared_ptr<const LaunchPlan>> plan(const KernelSpec& earlier);
    /// All that can be planned, without what their buffers hold.
    const std::vector<ProgramLaunchPlan>& toExecute();

private:
    [[nodiscard]] ParameterValues valuesOf(const KernelSpec& earlier) const;

    const KernelSpec& m_kernel;
    const ParameterValues& m_values;
    std::map<const KernelSpec*, std::shared_ptr<const LaunchPlan>> m_plans;
    std::optional<std::vector<ProgramLaunchPlan>> m_toExecute;
};

/// Turns values into a plan. An object serves one plan.
class Planner {
public:
    Planner(const KernelSpec& kernel, ParameterValues values, EarlierLaunches* earlier = nullptr, bool withContents = true)
        : m_kernel(kernel)
        , m_values(std::move(values))
        , m_seen(expressionValues(kernel, m_values))
        , m_expressions(m_seen)
        , m_own(m_kernel, m_values)
        , m_earlier(earlier ? *earlier : m_own)
        , m_withContents(withContents)
    {
    }

    Result<LaunchPlan> plan();
    Result<std::shared_ptr<const LaunchPlan>> verification();

private:
    Result<std::uint64_t> number(
        const std::string& expression, std::uint64_t least, std::uint64_t most, const char* what, int line);
    Result<void> dimensions(const std::array<std::string, 3>& expressions, const char* what, analysis::Dim3& out);
    std::vector<LeftOut> leftOut(const std::array<std::string, 3>& grid);
    Result<std::string> initialiser(const ConstantValue& value);
    Result<Argument> argument(const ArgumentSpec& spec);
    Result<void> setOffset(BufferPlan& buffer, const ArgumentSpec& spec);
    Result<ElementType> typeOf(const ArgumentSpec& spec);
    Result<Fill> fillOf(const ArgumentSpec& spec, ElementType type);
    Result<LeftBuffer> leftIn(const ArgumentSpec& spec);
    HostSource hostSource(const HostBuffer& buffer, bool isLeft);
    std::string defineValue(const ParameterSpec& parameter) const;
    std::string entry() const;
    CompileSettings compileSettings() const;
    void guessWhatWasWorkedOut(LaunchPlan& plan) const;
    std::string place() const { return m_kernel.sourceName; }
    std::string place(int line) const { return place() + ":" + std::to_string(line); }

    const KernelSpec& m_kernel;
    const ParameterValues m_values;
    const ExpressionValues m_seen;
    Expressions m_expressions;
    std::map<std::string, BufferPlan, std::less<>> m_buffers; ///< so far
    EarlierLaunches m_own, &m_earlier;
    const bool m_withContents; ///< what other launches and the host code put into buffers
};

} // namespace

std::optional<ParameterProblem> valueProblem(const ParameterSpec& parameter, const std::string& text)
{
    if (parameter.isInteger()) {
        std::int64_t value = 0;
        if (!parseInteger(text, value))
            return ParameterProblem { { parameter.name },
                { "'" + text + "' is no integer.", "“" + text + "”不是整数。" } };
        if (value < parameter.minimum || value > parameter.maximum) {
            const std::string low = std::to_string(parameter.minimum), high = std::to_string(parameter.maximum);
            return ParameterProblem { { parameter.name },
                { "The value " + text + " is outside " + low + " to " + high + ".",
                    "数值 " + text + " 超出范围 " + low + " 到 " + high + "。" } };
        }
        return std::nullopt;
    }
    if (parameter.isReal) {
        const auto value = parseNumber(text);
        if (value && std::isfinite(*value))
            return std::nullopt;
        return ParameterProblem { { parameter.name },
            { "'" + text + "' is no finite number.", "“" + text + "”不是有限的数。" } };
    }
    if (std::ranges::find(parameter.choices, text, &Choice::value) != parameter.choices.end())
        return std::nullopt;
    std::string all;
    for (const Choice& choice : parameter.choices)
        all += (all.empty() ? "" : ", ") + choice.value;
    return ParameterProblem { { parameter.name },
        { "'" + text + "' is none of " + all + ".", "“" + text + "”不在可选值之中：" + all + "。" } };
}

void addNumber(std::vector<HostNumber>& numbers, const ParameterSpec& parameter, const std::string& value)
{
    HostNumber number { .name = parameter.name, .before = std::stoll(parameter.defaultValue), .value = std::stoll(value) };
    numbers.push_back(number);
    const std::size_t digits = number.name.find_last_not_of("0123456789"); // "n_2" is another n
    if (digits != number.name.npos && digits > 0 && digits + 1 < number.name.size() && number.name[digits] == '_') {
        number.name.resize(digits);
        numbers.push_back(number);
    }
    if (number.name.size() > 1 && number.name.ends_with('_')) { // what expressions have another meaning for: "size"
        number.name.pop_back();
        numbers.push_back(std::move(number));
    }
}

namespace {

ParameterValues EarlierLaunches::valuesOf(const KernelSpec& earlier) const
{
    ParameterValues values;
    for (const ParameterSpec& parameter : earlier.parameters) {
        const auto same = std::ranges::find(m_kernel.parameters, parameter.name, &ParameterSpec::name);
        const bool isOwn = std::ranges::find(kOwnBlockParameters, parameter.name) != kOwnBlockParameters.end();
        const bool isOfProgram = same != m_kernel.parameters.end() && same->defaultValue == parameter.defaultValue && !isOwn;
        values[parameter.name] = isOfProgram ? m_values.at(parameter.name) : parameter.defaultValue;
    }
    return values;
}

Result<std::shared_ptr<const LaunchPlan>> EarlierLaunches::plan(const KernelSpec& earlier)
{
    std::shared_ptr<const LaunchPlan>& known = m_plans[&earlier];
    if (known)
        return known;
    auto made = Planner(earlier, valuesOf(earlier), this).plan();
    if (!made)
        return std::unexpected(made.error());
    return m_plans[&earlier] = std::make_shared<const LaunchPlan>(*std::move(made));
}

/// As it can be planned; else nothing.
void addToExecute(const KernelSpec& kernel, ParameterValues values, std::vector<ProgramLaunchPlan>& launches)
{
    if (kernel.launch.launch == 0)
        return;
    if (auto made = Planner(kernel, std::move(values), nullptr, false).plan())
        launches.push_back({ kernel.launch, kernel.written, std::make_shared<const LaunchPlan>(*std::move(made)) });
}

const std::vector<ProgramLaunchPlan>& EarlierLaunches::toExecute()
{
    if (m_toExecute)
        return *m_toExecute;
    m_toExecute.emplace();
    for (const auto& other : m_kernel.earlier)
        addToExecute(*other, valuesOf(*other), *m_toExecute);
    return *m_toExecute;
}

Result<LeftBuffer> Planner::leftIn(const ArgumentSpec& spec)
{
    const auto launch = std::ranges::find_if(m_kernel.earlier, [&](const auto& earlier) { return earlier->title.en == spec.afterLaunch; });
    if (launch == m_kernel.earlier.end())
        return fail(ErrorCode::BadInput, "the file's host code has no launch of '" + spec.afterLaunch + "' before this one", place(spec.line));
    auto plan = m_earlier.plan(**launch);
    if (!plan)
        return std::unexpected(plan.error());
    return LeftBuffer { *std::move(plan), spec.afterBuffer };
}

/// With what the numbers of the program are now, as far as they have a name.
HostSource Planner::hostSource(const HostBuffer& buffer, bool isLeft)
{
    HostSource source { .program = nullptr, .buffer = buffer, .numbers = {}, .launches = m_earlier.toExecute(), .isLeft = isLeft };
    source.buffer.kernel = baseName(m_kernel.entry);
    LaunchPlan program;
    program.sourceName = m_kernel.sourceName;
    program.source = m_kernel.source;
    program.includeDirectory = m_kernel.path.parent_path();
    program.compile = compileSettings();
    source.program = std::make_shared<const LaunchPlan>(std::move(program));
    for (const ParameterSpec& parameter : m_kernel.parameters)
        if (parameter.isInteger())
            addNumber(source.numbers, parameter, m_values.at(parameter.name));
    return source;
}

Result<std::uint64_t> Planner::number(
    const std::string& expression, std::uint64_t least, std::uint64_t most, const char* what, int line)
{
    const auto value = m_expressions.integer(expression);
    if (!value)
        return fail(ErrorCode::BadInput, std::string(what) + ": " + value.error().detail, place(line));
    if (*value < 0 || std::uint64_t(*value) < least || std::uint64_t(*value) > most)
        return fail(ErrorCode::IllegalParameter,
            std::string(what) + ", '" + expression + "', is " + std::to_string(*value) + ", outside "
                + std::to_string(least) + " to " + std::to_string(most),
            place(line));
    return std::uint64_t(*value);
}

Result<void> Planner::dimensions(const std::array<std::string, 3>& expressions, const char* what, analysis::Dim3& out)
{
    std::uint32_t* const parts[] { &out.x, &out.y, &out.z };
    for (std::size_t i = 0; i < 3; ++i) {
        const auto value = number(expressions[i], 1, 0xffffffffu, what, m_kernel.impl->launchLine);
        if (!value)
            return std::unexpected(value.error());
        *parts[i] = std::uint32_t(*value);
    }
    return {};
}

/// Of quotients that are rounded down. Where something is added to what is divided, they may be meant to be rounded up.
std::vector<LeftOut> Planner::leftOut(const std::array<std::string, 3>& grid)
{
    constexpr std::string_view kQuotient = "//";
    std::vector<LeftOut> left;
    for (std::size_t axis = 0; axis < grid.size(); ++axis) {
        const std::string& text = grid[axis];
        const std::size_t at = text.find(kQuotient);
        if (at == std::string::npos || text.find(kQuotient, at + 1) != std::string::npos || text.find_first_of("+-,") != std::string::npos)
            continue;
        const auto all = m_expressions.integer(text.substr(0, at)), each = m_expressions.integer(text.substr(at + kQuotient.size()));
        if (all && each && *each > 0 && *all % *each > 0)
            left.push_back({ int(axis), *all, *each });
    }
    return left;
}

Result<ElementType> Planner::typeOf(const ArgumentSpec& spec)
{
    std::string name = spec.type;
    if (name.starts_with('{'))
        name = m_values.at(name.substr(1, name.size() - 2));
    const auto type = elementTypeNamed(name);
    if (!type)
        return fail(ErrorCode::BadInput, "'" + name + "' of the argument '" + spec.name + "' is no element type",
            place(spec.line));
    return *type;
}

Result<Fill> Planner::fillOf(const ArgumentSpec& spec, ElementType type)
{
    if (spec.fill.empty())
        return Fill {};
    auto fill = parseFill(spec.fill, [this](std::string_view expression) -> Result<double> {
        const auto value = m_expressions.scalar(expression);
        if (!value)
            return std::unexpected(value.error());
        return parseNumber(*value);
    });
    if (!fill)
        return fill;
    if (auto fits = checkFillNumbers(type, *fill); !fits)
        return std::unexpected(fits.error());
    return fill;
}

Result<void> Planner::setOffset(BufferPlan& buffer, const ArgumentSpec& spec)
{
    buffer.offset = 0;
    if (spec.offset.empty())
        return {};
    const auto offset = number(spec.offset, 0, buffer.count * std::uint64_t(bytesOf(buffer.type)), "an offset, in bytes,", spec.line);
    if (!offset)
        return std::unexpected(offset.error());
    buffer.offset = *offset;
    return {};
}

Result<Argument> Planner::argument(const ArgumentSpec& spec)
{
    if (!spec.members.empty()) {
        std::vector<Argument> members;
        for (const ArgumentSpec& member : spec.members) {
            auto made = argument(member);
            if (!made)
                return made;
            members.push_back(std::move(*made));
        }
        return structOf(spec.name, std::move(members), std::uint64_t(spec.alignment));
    }
    if (!spec.sameAs.empty()) {
        BufferPlan same = m_buffers.at(spec.sameAs);
        same.name = spec.name;
        same.sameAs = spec.sameAs;
        if (auto told = setOffset(same, spec); !told)
            return std::unexpected(told.error());
        return same;
    }
    const auto type = typeOf(spec);
    if (!type)
        return std::unexpected(type.error());
    if (spec.isBuffer) {
        const auto count = number(spec.count, 0, kLargestBufferBytes / bytesOf(*type), "the element count", spec.line);
        if (!count)
            return std::unexpected(count.error());
        const auto fill = fillOf(spec, *type);
        if (!fill)
            return fail(ErrorCode::BadInput, "the fill of '" + spec.name + "': " + fill.error().detail, place(spec.line));
        BufferPlan buffer { spec.name, *type, *count, *fill };
        if (!spec.afterLaunch.empty() && m_withContents) {
            auto left = leftIn(spec);
            if (!left)
                return std::unexpected(left.error());
            buffer.left = *std::move(left);
        }
        if (spec.host && m_withContents)
            buffer.host = hostSource(*spec.host, spec.isLeft || !spec.afterLaunch.empty());
        buffer.holdsAddresses = spec.holdsAddresses;
        if (auto told = setOffset(buffer, spec); !told)
            return std::unexpected(told.error());
        return m_buffers[spec.name] = std::move(buffer);
    }
    const auto value = m_expressions.scalar(spec.value);
    if (!value)
        return fail(ErrorCode::BadInput, "the scalar '" + spec.name + "': " + value.error().detail, place(spec.line));
    const auto bits = parseScalar(*type, *value);
    if (!bits)
        return fail(
            ErrorCode::IllegalParameter, "the scalar '" + spec.name + "': " + bits.error().detail, place(spec.line));
    return ScalarPlan { spec.name, *type, *bits };
}

/// In braces, as C++ has it.
Result<std::string> Planner::initialiser(const ConstantValue& value)
{
    if (value.items.empty()) {
        const std::string& written = value.expression;
        std::int64_t number = 0;
        if (written.find_first_not_of("0123456789") == written.npos && std::from_chars(written.data(), written.data() + written.size(), number).ec == std::errc::result_out_of_range)
            return written + "ull"; // expressions are worked out with 53 bits
        auto text = m_expressions.scalar(value.expression);
        if (const auto real = text ? parseNumber(*text) : Result<double> {}; text && (!real || !std::isfinite(*real)))
            return fail(ErrorCode::BadInput, "'" + value.expression + "' is " + *text + ", and no finite number");
        return text;
    }
    std::string list;
    for (const ConstantValue& item : value.items) {
        auto text = initialiser(item);
        if (!text)
            return text;
        list += (list.empty() ? "" : ", ") + *text;
    }
    return "{ " + list + " }";
}

std::string Planner::defineValue(const ParameterSpec& parameter) const
{
    const std::string& value = m_values.at(parameter.name);
    const auto choices = m_kernel.impl->defineValues.find(parameter.name);
    return choices == m_kernel.impl->defineValues.end() ? value : choices->second.at(value);
}

std::string Planner::entry() const
{
    std::string entry = m_kernel.entry;
    for (const ParameterSpec& parameter : m_kernel.parameters)
        setInEntry(entry, parameter.name, defineValue(parameter));
    return entry;
}

/// With paths as seen from anywhere; absolute ones stay.
CompileSettings Planner::compileSettings() const
{
    CompileSettings compile = m_kernel.compile;
    for (std::filesystem::path& folder : compile.include)
        folder = m_kernel.path.parent_path() / folder;
    for (std::filesystem::path& file : compile.sources)
        file = m_kernel.path.parent_path() / file;
    return compile;
}

/// What the host code makes of other values is not known: it is taken to stay.
void Planner::guessWhatWasWorkedOut(LaunchPlan& plan) const
{
    const auto isAsBefore = [&](const ParameterSpec& parameter) {
        const auto with = m_kernel.workedOutWith.find(parameter.name);
        return m_values.at(parameter.name) == (with == m_kernel.workedOutWith.end() ? parameter.defaultValue : with->second);
    };
    if (std::ranges::all_of(m_kernel.parameters, [&](const ParameterSpec& parameter) { return isAsBefore(parameter) || !mayMatterToHost(parameter); }))
        return;
    for (const ParameterSpec& parameter : m_kernel.parameters)
        if (parameter.isWorkedOut && isAsBefore(parameter))
            plan.guesses.push_back({ .kind = Guess::Kind::Value, .what = parameter.name, .taken = parameter.defaultValue, .isOfOtherValues = true });
}

Result<LaunchPlan> Planner::plan()
{
    const KernelSpec::Impl& impl = *m_kernel.impl;
    LaunchPlan plan;
    plan.kernel = m_kernel.id;
    plan.sourceName = m_kernel.sourceName;
    plan.source = m_kernel.source;
    plan.includeDirectory = m_kernel.path.parent_path();
    plan.entry = entry();
    plan.parameters = m_values;
    plan.derived = m_kernel.derived;
    plan.guesses = m_kernel.guesses;
    plan.isAside = m_kernel.isAside;
    guessWhatWasWorkedOut(plan);
    plan.earlier = m_kernel.earlier;
    plan.compile = compileSettings();
    plan.manifest = ManifestLines { .entryLine = impl.entryLine, .argumentLines = {} };
    for (const ParameterSpec& parameter : m_kernel.parameters) {
        if (!parameter.define.empty())
            plan.defines.emplace_back(parameter.define, defineValue(parameter));
    }
    if (auto done = dimensions(impl.grid, "the grid", plan.grid); !done)
        return std::unexpected(done.error());
    plan.leftOut = leftOut(impl.grid);
    if (auto done = dimensions(impl.block, "the block", plan.block); !done)
        return std::unexpected(done.error());
    const auto shared = number(impl.dynamicShared, 0, 1u << 30, "the dynamic shared memory", impl.launchLine);
    if (!shared)
        return std::unexpected(shared.error());
    plan.dynamicSharedBytes = std::uint32_t(*shared);
    for (const ArgumentSpec& spec : impl.arguments) {
        auto made = argument(spec);
        if (!made)
            return std::unexpected(made.error());
        plan.arguments.push_back(std::move(*made));
        plan.manifest->argumentLines.push_back(spec.line);
    }
    for (const ArgumentSpec& spec : impl.variables) {
        auto made = argument(spec);
        if (!made)
            return std::unexpected(made.error());
        plan.variables.push_back(std::get<BufferPlan>(*std::move(made)));
    }
    for (const ConstantSpec& constant : impl.constants) {
        auto text = initialiser(constant.value);
        if (!text)
            return fail(ErrorCode::BadInput, "the constant '" + constant.name + "': " + text.error().detail, place(constant.line));
        plan.constants.emplace_back(constant.name, std::move(*text));
    }
    if (impl.reference) {
        // A state a call: the function may be called from several threads at a time.
        plan.reference = Reference { impl.reference->output, impl.reference->input,
            [seen = m_seen, index = impl.reference->index](std::uint64_t first, std::span<std::int64_t> out) {
                return Expressions(seen).indices(index, first, out);
            } };
    }
    return plan;
}

Result<std::shared_ptr<const LaunchPlan>> Planner::verification()
{
    ParameterValues smaller = m_values;
    for (const auto& [name, expression] : m_kernel.impl->verify) {
        auto value = m_expressions.text(expression);
        if (!value)
            return fail(ErrorCode::BadInput, "[verify] " + name + ": " + value.error().detail, place());
        smaller[name] = std::move(*value);
    }
    if (smaller == m_values)
        return nullptr;
    // The ranges are those of the controls; the smaller shape need only be legal.
    if (const auto problems = brokenRules(m_kernel, expressionValues(m_kernel, smaller)); !problems.empty())
        return fail(ErrorCode::BadInput, "the shape of [verify] is not legal: " + problems.front().sentence.en, place());
    auto plan = Planner(m_kernel, std::move(smaller)).plan();
    if (!plan)
        return std::unexpected(plan.error());
    return std::make_shared<const LaunchPlan>(std::move(*plan));
}

} // namespace

std::vector<ParameterProblem> problemsOf(const KernelSpec& kernel, const ParameterValues& values)
{
    std::vector<ParameterProblem> problems;
    const ParameterValues all = withDefaults(kernel, values);
    for (const ParameterSpec& parameter : kernel.parameters) {
        if (auto problem = valueProblem(parameter, all.at(parameter.name)))
            problems.push_back(std::move(*problem));
    }
    // The conditions are written for values in their ranges.
    return problems.empty() ? brokenRules(kernel, expressionValues(kernel, all)) : problems;
}

std::vector<ProgramLaunchPlan> launchesToExecute(const std::vector<std::shared_ptr<const KernelSpec>>& launches)
{
    std::vector<ProgramLaunchPlan> made;
    for (const auto& launch : launches) {
        ParameterValues values;
        for (const ParameterSpec& parameter : launch->parameters)
            values[parameter.name] = parameter.defaultValue;
        addToExecute(*launch, std::move(values), made);
    }
    return made;
}

void setInEntry(std::string& entry, std::string_view parameter, std::string_view value)
{
    const std::string hole = "{" + std::string(parameter) + "}";
    for (auto at = entry.find(hole); at != entry.npos; at = entry.find(hole, at + value.size()))
        entry.replace(at, hole.size(), value);
}

Result<LaunchPlan> planLaunch(const KernelSpec& kernel, const ParameterValues& values)
{
    for (const auto& [name, value] : values) {
        if (std::ranges::find(kernel.parameters, name, &ParameterSpec::name) != kernel.parameters.end())
            continue;
        std::string all;
        for (const ParameterSpec& parameter : kernel.parameters)
            all += (all.empty() ? "" : ", ") + parameter.name;
        return fail(ErrorCode::WrongUsage, "'" + kernel.id + "' has no parameter '" + name + "'; it has " + all);
    }
    if (const auto problems = problemsOf(kernel, values); !problems.empty()) {
        std::string where;
        for (const std::string& name : problems.front().parameters)
            where += (where.empty() ? "" : ", ") + name;
        return fail(ErrorCode::IllegalParameter, problems.front().sentence.en, where);
    }
    Planner planner(kernel, withDefaults(kernel, values));
    auto plan = planner.plan();
    if (!plan)
        return plan;
    auto verification = planner.verification();
    if (!verification)
        return std::unexpected(verification.error());
    plan->verification = std::move(*verification);
    return plan;
}

} // namespace coalescope::kernels
