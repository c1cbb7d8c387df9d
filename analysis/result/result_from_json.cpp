// SPDX-License-Identifier: Apache-2.0
#include "analysis/result/number_text.h"
#include "analysis/result/run_result.h"

#include <limits>
#include <nlohmann/json.hpp>

namespace coalescope::analysis {

namespace {

using Document = nlohmann::json;

/// Thrown inside this file only, where a value is not what the contract says.
struct Mismatch {
    std::string wanted, where;
};

/// A value of the document with its place.
class Reader {
public:
    Reader(const Document& value, std::string where)
        : m_value(value)
        , m_where(std::move(where))
    {
    }

    /// The member, or nothing where it is absent or null.
    std::optional<Reader> find(const char* name) const
    {
        if (!m_value.is_object())
            mismatch("an object");
        const auto member = m_value.find(name);
        if (member == m_value.end() || member->is_null())
            return std::nullopt;
        return Reader(*member, m_where + '/' + name);
    }

    Reader at(const char* name) const
    {
        if (auto member = find(name))
            return std::move(*member);
        throw Mismatch { "a value", m_where + '/' + name };
    }

    std::string text() const
    {
        if (!m_value.is_string())
            mismatch("a text");
        return m_value.get<std::string>();
    }

    /// A text, or a number or boolean as text: hand-written files give parameters either way.
    std::string scalarText() const
    {
        if (m_value.is_number())
            return numberText(m_value.get<double>());
        if (m_value.is_boolean())
            return m_value.get<bool>() ? "true" : "false";
        return text();
    }

    double number() const
    {
        if (!m_value.is_number())
            mismatch("a number");
        return m_value.get<double>();
    }

    bool boolean() const
    {
        if (!m_value.is_boolean())
            mismatch("true or false");
        return m_value.get<bool>();
    }

    template <class T> T integer() const
    {
        const auto whole = wholeNumber(number());
        if (!whole || !std::in_range<T>(*whole))
            mismatch("an integer in range");
        return T(*whole);
    }

    template <class Visit> void each(Visit visit) const
    {
        if (!m_value.is_array())
            mismatch("an array");
        std::size_t index = 0;
        for (const Document& element : m_value)
            visit(Reader(element, m_where + '/' + std::to_string(index++)));
    }

    template <class Visit> void eachMember(Visit visit) const
    {
        if (!m_value.is_object())
            mismatch("an object");
        for (const auto& [name, value] : m_value.items()) {
            if (!value.is_null())
                visit(name, Reader(value, m_where + '/' + name));
        }
    }

    [[noreturn]] void mismatch(std::string wanted) const
    {
        throw Mismatch { std::move(wanted), m_where.empty() ? "/" : m_where };
    }

private:
    const Document& m_value;
    std::string m_where;
};

std::string textOr(const Reader& object, const char* name, std::string otherwise = {})
{
    const auto member = object.find(name);
    return member ? member->text() : otherwise;
}

template <class T> T integerOr(const Reader& object, const char* name, T otherwise)
{
    const auto member = object.find(name);
    return member ? member->integer<T>() : otherwise;
}

Dim3 readSize(const Reader& array)
{
    std::vector<std::uint32_t> sizes;
    array.each([&](const Reader& size) { sizes.push_back(size.integer<std::uint32_t>()); });
    if (sizes.size() != 3)
        array.mismatch("three sizes");
    return { .x = sizes[0], .y = sizes[1], .z = sizes[2] };
}

LaunchInfo readLaunch(const Reader& object)
{
    LaunchInfo launch { .grid = readSize(object.at("grid")),
        .block = readSize(object.at("block")),
        .staticSharedBytes = integerOr<std::uint32_t>(object, "static_shared", 0),
        .dynamicSharedBytes = integerOr<std::uint32_t>(object, "dynamic_shared", 0) };
    if (const auto parameters = object.find("parameters"))
        parameters->eachMember([&](const std::string& name, const Reader& value) {
            launch.parameters[name] = value.scalarText();
        });
    if (const auto arguments = object.find("arguments"))
        arguments->each(
            [&](const Reader& argument) { launch.arguments.push_back(argument.text()); });
    return launch;
}

/// Keys of other versions are passed over: their meaning is not known here.
MetricValues readMetrics(const Reader& object)
{
    MetricValues values;
    object.eachMember([&](const std::string& key, const Reader& value) {
        if (const auto metric = metricOf(key))
            values.set(*metric, value.number());
    });
    return values;
}

LineValues readLine(const Reader& object)
{
    return { .file = textOr(object, "file"),
        .line = object.at("line").integer<std::uint32_t>(),
        .metrics = readMetrics(object.at("metrics")) };
}

std::optional<TimeSample> readSample(const Reader& time, const char* name)
{
    const auto object = time.find(name);
    if (!object)
        return std::nullopt;
    return TimeSample { .medianNs = object->at("median_ns").number(),
        .minimumNs = object->at("min_ns").number(),
        .p10Ns = object->at("p10_ns").number(),
        .p90Ns = object->at("p90_ns").number(),
        .runs = object->at("runs").integer<int>() };
}

TimeValues readTime(const Reader& object)
{
    TimeValues time;
    if (const auto estimate = object.find("estimate_ns"))
        time.estimateNs = estimate->number();
    if (const auto warm = object.find("warm_ns"))
        time.warmNs = warm->number();
    if (const auto cold = object.find("cold_ns"))
        time.coldNs = cold->number();
    time.limiter = textOr(object, "limiter");
    if (const auto terms = object.find("terms"))
        terms->each([&](const Reader& term) {
            time.terms.push_back({ .name = term.at("name").text(), .ns = term.at("ns").number() });
        });
    if (const auto error = object.find("error"))
        time.estimateError = error->number();
    time.warm = readSample(object, "warm");
    time.cold = readSample(object, "cold");
    return time;
}

HazardKind readHazardKind(const Reader& value)
{
    const std::string name = value.text();
    for (int kind = 0; kind <= int(HazardKind::DivergentLoop); ++kind) {
        if (nameOf(HazardKind(kind)) == name)
            return HazardKind(kind);
    }
    value.mismatch("the name of a hazard");
}

Hazard readHazard(const Reader& object)
{
    return { .kind = readHazardKind(object.at("kind")),
        .line = integerOr<std::uint32_t>(object, "line", 0),
        .otherLine = integerOr<std::uint32_t>(object, "other_line", 0),
        .detail = textOr(object, "detail"),
        .count = integerOr<std::uint64_t>(object, "count", 1) };
}

Occupancy readOccupancy(const Reader& object)
{
    Occupancy occupancy { .warpsPerSm = integerOr(object, "warps_per_sm", 0),
        .maxWarpsPerSm = integerOr(object, "max_warps_per_sm", 0),
        .blocksPerSm = integerOr(object, "blocks_per_sm", 0),
        .limiter = textOr(object, "limiter") };
    if (const auto registers = object.find("registers_per_thread"))
        occupancy.registersPerThread = registers->integer<int>();
    return occupancy;
}

/// Results written by other tools may lack the kind; only measurements carry a GPU's full name.
ResultKind readKind(const Reader& document)
{
    const auto kind = document.find("kind");
    if (!kind)
        return document.find("gpu") ? ResultKind::Measurement : ResultKind::Prediction;
    if (kind->text() == "prediction")
        return ResultKind::Prediction;
    if (kind->text() == "measurement")
        return ResultKind::Measurement;
    kind->mismatch("\"prediction\" or \"measurement\"");
}

void readExtras(RunResult& result, const Reader& document)
{
    if (const auto occupancy = document.find("occupancy"))
        result.occupancy = readOccupancy(*occupancy);
    if (const auto reasons = document.find("not_measured"))
        reasons->eachMember([&](const std::string& key, const Reader& why) {
            result.notMeasured[key] = why.text();
        });
    if (const auto times = document.find("milliseconds"))
        times->eachMember([&](const std::string& name, const Reader& value) {
            result.milliseconds[name] = value.number();
        });
    if (const auto verified = document.find("device_verified"))
        result.deviceVerified = verified->boolean();
    result.verifyDetail = textOr(document, "verify_detail");
    result.gpu = textOr(document, "gpu");
    result.driver = textOr(document, "driver");
    result.date = textOr(document, "date");
}

RunResult readResult(const Document& json)
{
    const Reader document(json, {});
    RunResult result { .kind = readKind(document),
        .kernel = document.at("kernel").text(),
        .device = document.at("device").text(),
        .source = textOr(document, "source", "ptx"),
        .launch = readLaunch(document.at("launch")),
        .metrics = readMetrics(document.at("metrics")) };
    if (const auto emptied = document.find("emptied"))
        result.emptied = readMetrics(*emptied);
    if (const auto errors = document.find("estimate_errors"))
        result.estimateErrors = readMetrics(*errors);
    if (const auto lines = document.find("lines"))
        lines->each([&](const Reader& line) { result.lines.push_back(readLine(line)); });
    if (const auto time = document.find("time"))
        result.time = readTime(*time);
    if (const auto hazards = document.find("hazards"))
        hazards->each([&](const Reader& hazard) { result.hazards.push_back(readHazard(hazard)); });
    if (const auto guesses = document.find("guessed"))
        guesses->each([&](const Reader& guess) { result.guesses.push_back(guess.text()); });
    if (const auto verified = document.find("verified"))
        result.verified = verified->boolean();
    readExtras(result, document);
    return result;
}

/// line:column of a byte, both from 1.
std::string placeOf(std::string_view text, std::size_t byte)
{
    std::size_t line = 1, column = 1;
    for (const char c : text.substr(0, byte ? byte - 1 : 0)) {
        line += c == '\n';
        column = c == '\n' ? 1 : column + 1;
    }
    return fmt::format("{}:{}", line, column);
}

} // namespace

Result<RunResult> resultFromJson(std::string_view json)
{
    try {
        return readResult(Document::parse(json));
    } catch (const Mismatch& mismatch) {
        return fail(ErrorCode::BadInput,
            fmt::format("the result should have {} here", mismatch.wanted), mismatch.where);
    } catch (const Document::parse_error& error) {
        return fail(ErrorCode::BadInput, "the result is no valid JSON", placeOf(json, error.byte));
    } catch (const std::exception& error) {
        return fail(
            ErrorCode::BadInput, fmt::format("the result cannot be read: {}", error.what()));
    }
}

} // namespace coalescope::analysis
