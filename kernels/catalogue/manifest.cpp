// SPDX-License-Identifier: Apache-2.0
#include "kernels/catalogue/element_type.h"
#include "kernels/catalogue/kernel_impl.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <initializer_list>
#include <set>

#define TOML_EXCEPTIONS 0
// toml++ 3.3 asserts (and in a release build assumes) that a table's name begins as a key may, right
// before it reports that it does not. Without the assertion the error is reported.
#define TOML_ASSERT(expr) static_assert(true)
#pragma push_macro("NDEBUG")
#undef NDEBUG
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

namespace coalescope::kernels {
namespace {

constexpr std::int64_t kLargestInteger = std::int64_t(1) << 31;

/// Reads one manifest; the first error wins and every later step is a no-op.
class ManifestReader {
public:
    explicit ManifestReader(std::string_view sourceName)
        : m_sourceName(sourceName)
    {
    }

    Result<KernelSpec> read(const toml::table& root);

private:
    void refuse(const toml::node& place, std::string detail)
    {
        if (m_error.empty()) {
            m_error = std::move(detail);
            m_where = m_sourceName + ":" + std::to_string(place.source().begin.line);
        }
    }
    void allowOnly(const toml::table& table, std::initializer_list<std::string_view> keys);
    std::string text(const toml::table& table, std::string_view key, bool required = true);
    std::int64_t integer(const toml::table& table, std::string_view key, std::optional<std::int64_t> otherwise);
    LocalizedText localized(const toml::table& table, std::string_view key, bool required);
    std::string expression(const toml::node& place, const toml::node* value, std::string_view key, bool index = false);
    std::string scalar(const toml::table& table, std::optional<ElementType> type);
    std::string number(const toml::table& table, const toml::node& node);
    std::string fill(const toml::node& node, std::optional<ElementType> type);
    std::string value(const toml::node& node, std::string_view key);
    std::vector<const toml::table*> tables(const toml::table& root, std::string_view key);

    void readParameter(const toml::table& table);
    void readChoices(const toml::table& table, ParameterSpec& parameter);
    void readCompile(const toml::table& table);
    void readPaths(const toml::table& table, std::string_view key, std::string_view what, std::vector<std::filesystem::path>& paths);
    void readIntegerParameter(const toml::table& table, ParameterSpec& parameter);
    void readRealParameter(const toml::table& table, ParameterSpec& parameter);
    void readElementParameter(const toml::table& table, ParameterSpec& parameter);
    ArgumentSpec argument(const toml::table& table);
    ArgumentSpec structure(const toml::table& table);
    void readConstant(const toml::table& table);
    void readVariable(const toml::table& table);
    ConstantValue constantValue(const toml::table& table, const toml::node& node);
    void readLaunch(const toml::table& table);
    void readLegality(const toml::table& table);
    void readPreset(const toml::table& table);
    void readReference(const toml::table& table);
    void readVerify(const toml::table& table);
    const ParameterSpec* parameterNamed(std::string_view name) const;
    void checkAccepts(const toml::node& place, const ParameterSpec& parameter, const std::string& text);

    std::string m_sourceName, m_error, m_where;
    KernelSpec m_spec;
    std::set<std::string, std::less<>> m_buffers; ///< names, so far
    std::shared_ptr<KernelSpec::Impl> m_impl = std::make_shared<KernelSpec::Impl>();
};

void ManifestReader::allowOnly(const toml::table& table, std::initializer_list<std::string_view> keys)
{
    for (const auto& [key, node] : table) {
        if (std::ranges::find(keys, key.str()) == keys.end())
            refuse(node, fmt::format("the manifest has no key '{}' here, but {}", key.str(), fmt::join(keys, ", ")));
    }
}

std::string ManifestReader::text(const toml::table& table, std::string_view key, bool required)
{
    const toml::node* node = table.get(key);
    if (!node) {
        if (required)
            refuse(table, "'" + std::string(key) + "' is missing");
        return {};
    }
    if (!node->is_string() || (required && node->ref<std::string>().empty())) {
        refuse(*node, "'" + std::string(key) + "' must be a text");
        return {};
    }
    return node->ref<std::string>();
}

std::int64_t ManifestReader::integer(
    const toml::table& table, std::string_view key, std::optional<std::int64_t> otherwise)
{
    const toml::node* node = table.get(key);
    if (!node && otherwise)
        return *otherwise;
    if (!node || !node->is_integer()) {
        refuse(node ? *node : table, "'" + std::string(key) + "' must be an integer");
        return 0;
    }
    const std::int64_t number = node->ref<std::int64_t>();
    if (number < -kLargestInteger || number > kLargestInteger)
        refuse(*node, "'" + std::string(key) + "' is beyond 2147483648");
    return number;
}

LocalizedText ManifestReader::localized(const toml::table& table, std::string_view key, bool required)
{
    const toml::node* node = table.get(key);
    if (!node) {
        if (required)
            refuse(table, "'" + std::string(key) + "' is missing");
        return {};
    }
    if (node->is_string())
        return { node->ref<std::string>(), {} };
    if (const toml::table* languages = node->as_table()) {
        allowOnly(*languages, { "en", "zh_CN" });
        return { text(*languages, "en"), text(*languages, "zh_CN", false) };
    }
    refuse(*node, "'" + std::string(key) + "' must be a text or { en = \"...\", zh_CN = \"...\" }");
    return {};
}

std::string ManifestReader::expression(
    const toml::node& place, const toml::node* node, std::string_view key, bool index)
{
    if (!node) {
        refuse(place, "'" + std::string(key) + "' is missing");
        return "0";
    }
    if (node->is_integer() && !index)
        return std::to_string(node->ref<std::int64_t>());
    if (!node->is_string()) {
        refuse(*node, "'" + std::string(key) + "' must be an integer or an expression in quotes");
        return "0";
    }
    const std::string text = node->ref<std::string>();
    if (auto compiles = checkExpression(text); !compiles)
        refuse(*node, compiles.error().detail);
    return text;
}

/// A number, with a fraction or without, or an expression in quotes.
std::string ManifestReader::number(const toml::table& table, const toml::node& node)
{
    if (node.is_floating_point()) {
        const double number = node.ref<double>();
        if (std::isfinite(number))
            return fmt::format("{}", number);
        return std::isnan(number) ? "0/0" : number > 0 ? "1/0" : "-1/0"; // as expressions have them
    }
    if (!node.is_integer() && !node.is_string()) {
        refuse(node, "'value' must be a number or an expression in quotes");
        return "0";
    }
    return expression(table, &node, "value");
}

/// A scalar's value; what needs no parameter is checked here, where its line is known.
std::string ManifestReader::scalar(const toml::table& table, std::optional<ElementType> type)
{
    const toml::node& node = *table.get("value");
    const std::string text = number(table, node);
    if (const auto constant = Expressions({}).scalar(text); constant && type) {
        if (auto bits = parseScalar(*type, *constant); !bits)
            refuse(node, bits.error().detail);
    }
    return text;
}

/// A buffer's fill; what needs no parameter is checked here, where its line is known.
std::string ManifestReader::fill(const toml::node& node, std::optional<ElementType> type)
{
    const std::string text = value(node, "fill");
    bool isConstant = true;
    const auto fill = parseFill(text, [&](std::string_view expression) -> Result<double> {
        if (auto compiles = checkExpression(expression); !compiles)
            return std::unexpected(compiles.error());
        const auto constant = Expressions({}).scalar(expression);
        isConstant = isConstant && constant;
        return constant ? parseNumber(*constant) : 0;
    });
    if (!fill)
        refuse(node, fill.error().detail);
    else if (auto fits = type && isConstant ? checkFillNumbers(*type, *fill) : Result<void>(); !fits)
        refuse(node, fits.error().detail);
    return text;
}

std::string ManifestReader::value(const toml::node& node, std::string_view key)
{
    if (node.is_string())
        return node.ref<std::string>();
    if (node.is_integer())
        return std::to_string(node.ref<std::int64_t>());
    refuse(node, "'" + std::string(key) + "' must be an integer or a text");
    return {};
}

std::vector<const toml::table*> ManifestReader::tables(const toml::table& root, std::string_view key)
{
    std::vector<const toml::table*> found;
    const toml::node* node = root.get(key);
    if (!node)
        return found;
    const toml::array* array = node->as_array();
    if (!array) {
        refuse(*node, "'" + std::string(key) + "' must be a list of tables");
        return found;
    }
    for (const toml::node& element : *array) {
        if (const toml::table* table = element.as_table())
            found.push_back(table);
        else
            refuse(element, "'" + std::string(key) + "' must be a list of tables");
    }
    return found;
}

const ParameterSpec* ManifestReader::parameterNamed(std::string_view name) const
{
    const auto found = std::ranges::find(m_spec.parameters, name, &ParameterSpec::name);
    return found == m_spec.parameters.end() ? nullptr : &*found;
}

/// A default or preset must be a value of its parameter.
void ManifestReader::checkAccepts(const toml::node& place, const ParameterSpec& parameter, const std::string& text)
{
    if (!valueProblem(parameter, text))
        return;
    refuse(place, "'" + text + "' is " + (parameter.isInteger() ? "outside the range of" : parameter.isReal ? "no finite number for" : "no choice of") + " the parameter '" + parameter.name + "'");
}

void ManifestReader::readIntegerParameter(const toml::table& table, ParameterSpec& parameter)
{
    parameter.minimum = integer(table, "min", std::nullopt);
    parameter.maximum = integer(table, "max", std::nullopt);
    parameter.isWorkedOut = table["worked_out"].value_or(false);
    if (const toml::node* presets = table.get("presets")) {
        const toml::array* array = presets->as_array();
        if (!array || !array->is_homogeneous<std::int64_t>()) {
            refuse(*presets, "'presets' of a parameter must be a list of integers");
            return;
        }
        for (const toml::node& preset : *array) {
            parameter.presets.push_back(preset.ref<std::int64_t>());
            checkAccepts(preset, parameter, std::to_string(parameter.presets.back()));
        }
    }
}

void ManifestReader::readRealParameter(const toml::table& table, ParameterSpec& parameter)
{
    parameter.isReal = true;
    for (const char* key : { "min", "max", "presets" })
        if (const toml::node* node = table.get(key))
            refuse(*node, "'" + std::string(key) + "' is of integers; a parameter with 'real = true' may be any finite number");
}

void ManifestReader::readElementParameter(const toml::table& table, ParameterSpec& parameter)
{
    const toml::node* node = table.get("types");
    const toml::array* array = node ? node->as_array() : nullptr;
    if (!array || array->empty() || !array->is_homogeneous<std::string>()) {
        refuse(node ? *node : table, "'types' must be a list such as [\"f32\", \"i8\"]");
        return;
    }
    for (const toml::node& element : *array) {
        const std::string& name = element.ref<std::string>();
        const auto type = elementTypeNamed(name);
        if (!type) {
            refuse(element, "'" + name + "' is no element type");
            return;
        }
        parameter.choices.push_back({ name, infoOf(*type).label() });
        m_impl->defineValues[parameter.name][name] = infoOf(*type).cType;
    }
}

void ManifestReader::readChoices(const toml::table& table, ParameterSpec& parameter)
{
    for (const toml::table* choice : tables(table, "choices")) {
        allowOnly(*choice, { "value", "label", "define" });
        const toml::node* node = choice->get("value");
        if (!node) {
            refuse(*choice, "'value' is missing");
            return;
        }
        const std::string name = value(*node, "value");
        LocalizedText label = localized(*choice, "label", false);
        if (label.en.empty())
            label.en = name;
        parameter.choices.push_back({ name, label });
        const std::string define = text(*choice, "define", false);
        m_impl->defineValues[parameter.name][name] = define.empty() ? name : define;
    }
    if (parameter.choices.empty())
        refuse(table, "'choices' is empty");
}

void ManifestReader::readParameter(const toml::table& table)
{
    allowOnly(table, { "name", "label", "help", "default", "min", "max", "real", "presets", "choices", "types", "define", "worked_out" });
    ParameterSpec parameter;
    parameter.name = text(table, "name");
    if (const std::string problem = nameProblem(parameter.name); !problem.empty())
        refuse(table, "'" + parameter.name + "' cannot name a parameter: " + problem);
    else if (parameterNamed(parameter.name))
        refuse(table, "there are two parameters '" + parameter.name + "'");
    parameter.label = localized(table, "label", false);
    if (parameter.label.en.empty())
        parameter.label.en = parameter.name;
    parameter.help = localized(table, "help", false);
    parameter.define = text(table, "define", false);
    if (table.contains("types"))
        readElementParameter(table, parameter);
    else if (table.contains("choices"))
        readChoices(table, parameter);
    else if (table["real"].value_or(false))
        readRealParameter(table, parameter);
    else
        readIntegerParameter(table, parameter);
    if (const toml::node* node = table.get("default")) {
        parameter.defaultValue = parameter.isReal && node->is_floating_point() ? fmt::format("{}", node->ref<double>()) : value(*node, "default");
        checkAccepts(*node, parameter, parameter.defaultValue);
    } else {
        refuse(table, "'default' is missing");
    }
    m_spec.parameters.push_back(std::move(parameter));
}

/// A structure that is passed by value, whose members are written as arguments are.
ArgumentSpec ManifestReader::structure(const toml::table& table)
{
    allowOnly(table, { "struct", "members", "align" });
    ArgumentSpec argument { .isBuffer = false, .name = text(table, "struct"), .line = int(table.source().begin.line) };
    for (const toml::table* member : tables(table, "members"))
        argument.members.push_back(this->argument(*member));
    if (argument.members.empty())
        refuse(table, "the struct '" + argument.name + "' has no members");
    argument.alignment = integer(table, "align", 1);
    if (argument.alignment < 1 || argument.alignment > 128 || !std::has_single_bit(std::uint64_t(argument.alignment)))
        refuse(table, "'align' of the struct '" + argument.name + "' must be 1, 2, 4, ... or 128 bytes");
    return argument;
}

ArgumentSpec ManifestReader::argument(const toml::table& table)
{
    if (table.contains("struct"))
        return structure(table);
    allowOnly(table, { "buffer", "scalar", "struct", "type", "count", "fill", "after", "host", "addresses", "offset", "value", "same" });
    ArgumentSpec argument;
    argument.line = int(table.source().begin.line);
    argument.isBuffer = table.contains("buffer");
    argument.name = text(table, argument.isBuffer ? "buffer" : "scalar");
    if (const toml::node* node = argument.isBuffer ? table.get("offset") : nullptr)
        argument.offset = expression(table, node, "offset");
    if (argument.isBuffer && table.contains("same")) {
        allowOnly(table, { "buffer", "same", "offset" });
        argument.sameAs = text(table, "same");
        if (!m_buffers.contains(argument.sameAs))
            refuse(table, "there is no buffer '" + argument.sameAs + "' before '" + argument.name + "' that it could be the same as");
        return argument;
    }
    argument.type = text(table, "type");
    const bool isParameter = argument.type.size() > 2 && argument.type.front() == '{' && argument.type.back() == '}';
    if (isParameter ? !parameterNamed(std::string_view(argument.type).substr(1, argument.type.size() - 2))
                    : !elementTypeNamed(argument.type))
        refuse(table, "'" + argument.type + "' is neither an element type nor a parameter in braces");
    if (argument.isBuffer) {
        m_buffers.insert(argument.name);
        argument.count = expression(table, table.get("count"), "count");
        if (const toml::node* node = table.get("fill")) {
            argument.fill = fill(*node, elementTypeNamed(argument.type));
        }
        if (const toml::table* after = table["after"].as_table()) {
            allowOnly(*after, { "launch", "buffer" });
            argument.afterLaunch = text(*after, "launch");
            argument.afterBuffer = text(*after, "buffer");
        } else if (const toml::node* node = table.get("after")) {
            refuse(*node, "'after' of the buffer '" + argument.name + "' must be a table, as { launch = \"sort\", buffer = \"keys\" }");
        }
        if (const toml::table* host = table["host"].as_table()) {
            allowOnly(*host, { "launch", "argument", "instance", "aside", "left", "whole" });
            argument.host = HostBuffer { .launch = int((*host)["launch"].value_or(std::int64_t(0))), .instance = (*host)["instance"].value_or(std::string()), .kernel = {}, .argument = text(*host, "argument"), .isAside = (*host)["aside"].value_or(false), .isWhole = (*host)["whole"].value_or(false) };
            argument.isLeft = (*host)["left"].value_or(false);
            if (argument.host->launch < 1)
                refuse(*host, "'host' of the buffer '" + argument.name + "' must say which launch of the program's it is given to, from 1 on");
        } else if (const toml::node* node = table.get("host")) {
            refuse(*node, "'host' of the buffer '" + argument.name + "' must be a table, as { launch = 1, argument = \"2\" }");
        }
        argument.holdsAddresses = table["addresses"].value_or(false);
        if (table.contains("addresses") && (!table["addresses"].is_boolean() || (argument.holdsAddresses && !argument.host)))
            refuse(*table.get("addresses"), "'addresses' of the buffer '" + argument.name + "' must be true or false, and needs 'host', which tells where they lead");
    } else if (table.contains("value")) {
        argument.value = scalar(table, elementTypeNamed(argument.type));
    } else if (parameterNamed(argument.name)) {
        argument.value = argument.name;
    } else {
        refuse(table, "the scalar '" + argument.name + "' needs a value: there is no such parameter");
    }
    return argument;
}

ConstantValue ManifestReader::constantValue(const toml::table& table, const toml::node& node)
{
    const toml::array* list = node.as_array();
    if (!list)
        return { number(table, node), {} };
    ConstantValue value;
    for (const toml::node& item : *list)
        value.items.push_back(constantValue(table, item));
    if (list->empty())
        refuse(node, "'values' must not be empty");
    return value;
}

void ManifestReader::readConstant(const toml::table& table)
{
    allowOnly(table, { "name", "values" });
    ConstantSpec constant { .name = text(table, "name"), .value = {}, .line = int(table.source().begin.line) };
    if (const std::string problem = nameProblem(constant.name); !problem.empty())
        refuse(table, "'" + constant.name + "' cannot name a constant: " + problem);
    const toml::node* values = table.get("values");
    if (values && values->is_array())
        constant.value = constantValue(table, *values);
    else
        refuse(values ? *values : table, "'values' must be a list of numbers, expressions in quotes, or lists of them");
    if (std::ranges::find(m_impl->constants, constant.name, &ConstantSpec::name) != m_impl->constants.end())
        refuse(table, "there are two constants '" + constant.name + "'");
    m_impl->constants.push_back(std::move(constant));
}

/// One that is not compiled in, as a constant is.
void ManifestReader::readVariable(const toml::table& table)
{
    allowOnly(table, { "buffer", "type", "count", "fill", "host", "addresses" });
    ArgumentSpec variable = argument(table);
    if (std::ranges::find(m_impl->variables, variable.name, &ArgumentSpec::name) != m_impl->variables.end())
        refuse(table, "there are two variables '" + variable.name + "'");
    m_impl->variables.push_back(std::move(variable));
}

void ManifestReader::readLaunch(const toml::table& table)
{
    allowOnly(table, { "grid", "block", "dynamic_shared" });
    m_impl->launchLine = int(table.source().begin.line);
    const auto dimensions = [&](std::string_view key, std::array<std::string, 3>& out) {
        const toml::node* node = table.get(key);
        const toml::array* array = node ? node->as_array() : nullptr;
        if (!array || array->empty() || array->size() > 3) {
            refuse(node ? *node : table, "'" + std::string(key) + "' must be a list of one to three expressions");
            return;
        }
        for (std::size_t i = 0; i < array->size(); ++i)
            out[i] = expression(*node, array->get(i), key);
    };
    dimensions("grid", m_impl->grid);
    dimensions("block", m_impl->block);
    if (const toml::node* node = table.get("dynamic_shared"))
        m_impl->dynamicShared = expression(table, node, "dynamic_shared");
}

void ManifestReader::readLegality(const toml::table& table)
{
    allowOnly(table, { "condition", "parameters", "sentence" });
    LegalityCondition rule;
    rule.condition = expression(table, table.get("condition"), "condition");
    rule.sentence = localized(table, "sentence", true);
    const toml::node* node = table.get("parameters");
    const toml::array* array = node ? node->as_array() : nullptr;
    if (!array || array->empty()) {
        refuse(node ? *node : table, "'parameters' must name whose controls show the sentence");
        return;
    }
    for (const toml::node& element : *array) {
        const std::string name = value(element, "parameters");
        if (!parameterNamed(name))
            refuse(element, "there is no parameter '" + name + "'");
        rule.parameters.push_back(name);
    }
    m_spec.legality.push_back(std::move(rule));
}

void ManifestReader::readPreset(const toml::table& table)
{
    allowOnly(table, { "title", "values" });
    Preset preset;
    preset.title = localized(table, "title", true);
    const toml::node* node = table.get("values");
    const toml::table* values = node ? node->as_table() : nullptr;
    if (!values) {
        refuse(table, "'values' must be a table of parameter values");
        return;
    }
    for (const auto& [key, element] : *values) {
        const std::string name(key.str());
        const ParameterSpec* parameter = parameterNamed(name);
        if (!parameter) {
            refuse(element, "there is no parameter '" + name + "'");
            return;
        }
        preset.values[name] = value(element, name);
        checkAccepts(element, *parameter, preset.values[name]);
    }
    m_spec.presets.push_back(std::move(preset));
}

void ManifestReader::readReference(const toml::table& table)
{
    allowOnly(table, { "output", "input", "index" });
    const auto bufferNamed = [&](std::string_view key) {
        const std::string name = text(table, key);
        for (std::size_t i = 0; i < m_impl->arguments.size(); ++i) {
            if (m_impl->arguments[i].isBuffer && m_impl->arguments[i].sameAs.empty() && m_impl->arguments[i].name == name)
                return int(i);
        }
        refuse(table, "there is no buffer '" + name + "'");
        return 0;
    };
    ReferenceSpec reference;
    reference.output = bufferNamed("output");
    reference.input = bufferNamed("input");
    reference.index = expression(table, table.get("index"), "index", true);
    m_impl->reference = reference;
}

void ManifestReader::readVerify(const toml::table& table)
{
    for (const auto& [key, node] : table) {
        const std::string name(key.str());
        if (!parameterNamed(name))
            refuse(node, "there is no parameter '" + name + "'");
        m_impl->verify.emplace_back(name, expression(node, &node, name));
    }
}

void ManifestReader::readCompile(const toml::table& table)
{
    allowOnly(table, { "standard", "include", "sources" });
    if (const toml::node* node = table.get("standard")) {
        m_spec.compile.standard = text(table, "standard");
        if (!isStandard(m_spec.compile.standard))
            refuse(*node, "the standard '" + m_spec.compile.standard + "' is neither c++17 nor c++20");
    }
    readPaths(table, "include", "folders", m_spec.compile.include);
    readPaths(table, "sources", "files", m_spec.compile.sources);
}

void ManifestReader::readPaths(const toml::table& table, std::string_view key, std::string_view what, std::vector<std::filesystem::path>& paths)
{
    const toml::node* node = table.get(key);
    const toml::array* listed = node ? node->as_array() : nullptr;
    const auto refused = [&] { refuse(*node, fmt::format("'{}' must be a list of {}", key, what)); };
    if (node && !listed)
        refused();
    for (std::size_t i = 0; listed && i < listed->size(); ++i) {
        if (const auto path = listed->get(i)->value<std::string>())
            paths.emplace_back(*path);
        else
            refused();
    }
}

Result<KernelSpec> ManifestReader::read(const toml::table& root)
{
    allowOnly(root, { "id", "order", "title", "summary", "teaches", "entry", "parameters", "arguments", "constants", "variables", "launch",
                        "legality", "presets", "reference", "verify", "compile" });
    m_spec.id = text(root, "id", false);
    if (m_spec.id.empty())
        m_spec.id = std::filesystem::path(m_sourceName).stem().string();
    m_impl->order = int(integer(root, "order", 1000));
    m_spec.title = localized(root, "title", true);
    m_spec.summary = localized(root, "summary", false);
    m_spec.teaches = localized(root, "teaches", false);
    m_spec.entry = text(root, "entry");
    if (const toml::node* entry = root.get("entry"))
        m_impl->entryLine = int(entry->source().begin.line);
    for (const toml::table* table : tables(root, "parameters"))
        readParameter(*table);
    for (const toml::table* table : tables(root, "arguments"))
        m_impl->arguments.push_back(argument(*table));
    for (const toml::table* table : tables(root, "variables"))
        readVariable(*table);
    for (const toml::table* table : tables(root, "constants"))
        readConstant(*table);
    for (const toml::table* table : tables(root, "legality"))
        readLegality(*table);
    for (const toml::table* table : tables(root, "presets"))
        readPreset(*table);
    const auto section = [&](std::string_view key, bool required, void (ManifestReader::*reader)(const toml::table&)) {
        const toml::node* node = root.get(key);
        if (node && node->is_table())
            (this->*reader)(*node->as_table());
        else if (node || required)
            refuse(node ? *node : root, "the table [" + std::string(key) + "] is missing");
    };
    section("launch", true, &ManifestReader::readLaunch);
    section("reference", false, &ManifestReader::readReference);
    section("verify", false, &ManifestReader::readVerify);
    section("compile", false, &ManifestReader::readCompile);
    if (!m_error.empty())
        return fail(ErrorCode::BadInput, m_error, m_where);
    m_spec.impl = m_impl;
    return std::move(m_spec);
}

Result<toml::table> parseToml(std::string_view text, const std::string& sourceName)
{
    const auto refused = [&](std::string detail, std::size_t line) {
        return fail(ErrorCode::BadInput, std::move(detail), sourceName + ":" + std::to_string(line));
    };
    if (const int line = lineOfStrayCharacter(text))
        return refused("a character outside ASCII stands outside quotes", std::size_t(line));
    // toml++ 3.3 has undefined behaviour where it meets such characters in malformed text, so the form is
    // checked without them first.
    std::string plain(text);
    std::ranges::replace_if(plain, [](char c) { return static_cast<unsigned char>(c) >= 0x80; }, '_');
    toml::parse_result parsed = toml::parse(plain);
    if (parsed)
        parsed = toml::parse(text);
    if (!parsed)
        return refused(std::string(parsed.error().description()), parsed.error().source().begin.line);
    return std::move(parsed).table();
}

} // namespace

Result<KernelSpec> parseKernel(std::string source, std::string sourceName)
{
    if (source.size() > kSourceLimitBytes)
        return fail(ErrorCode::BadInput, "the file is larger than 16 MiB", sourceName);
    auto manifest = manifestText(source, sourceName);
    if (!manifest)
        return std::unexpected(manifest.error());
    const auto parsed = parseToml(*manifest, sourceName);
    if (!parsed)
        return std::unexpected(parsed.error());
    auto spec = ManifestReader(sourceName).read(*parsed);
    if (!spec)
        return spec;
    spec->sourceName = std::move(sourceName);
    spec->source = std::move(source);
    return spec;
}

Result<KernelSpec> parseKernel(std::string source, std::string sourceName, std::string manifest, int line)
{
    const auto parsed = parseToml(manifest, sourceName);
    auto spec = parsed ? ManifestReader(sourceName).read(*parsed) : std::unexpected(parsed.error());
    if (!spec)
        return fail(spec.error().code, spec.error().detail, sourceName + ":" + std::to_string(line));
    auto impl = std::make_shared<KernelSpec::Impl>(*spec->impl);
    impl->entryLine = impl->launchLine = line;
    for (ArgumentSpec& argument : impl->arguments)
        argument.line = line;
    for (ConstantSpec& constant : impl->constants)
        constant.line = line;
    for (ArgumentSpec& variable : impl->variables)
        variable.line = line;
    spec->impl = std::move(impl);
    spec->sourceName = std::move(sourceName);
    spec->source = std::move(source);
    spec->derived = std::move(manifest);
    return spec;
}

} // namespace coalescope::kernels
