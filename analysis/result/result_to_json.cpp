// SPDX-License-Identifier: Apache-2.0
#include "analysis/result/number_text.h"
#include "analysis/result/run_result.h"

#include <nlohmann/json.hpp>

namespace coalescope::analysis {

namespace {

using Json = nlohmann::ordered_json;

Json number(double value)
{
    const auto whole = wholeNumber(value);
    return whole ? Json(*whole) : Json(value); // what is not finite becomes null
}

Json json(Dim3 size) { return Json::array({ size.x, size.y, size.z }); }

Json json(const LaunchInfo& launch)
{
    Json object { { "grid", json(launch.grid) }, { "block", json(launch.block) },
        { "static_shared", launch.staticSharedBytes },
        { "dynamic_shared", launch.dynamicSharedBytes }, { "parameters", Json::object() },
        { "arguments", launch.arguments } };
    for (const auto& [name, value] : launch.parameters)
        object["parameters"][name] = value;
    return object;
}

Json json(const MetricValues& values)
{
    Json object = Json::object();
    for (const MetricInfo& info : metricTable()) {
        if (const auto value = values.get(info.metric))
            object[std::string(info.key)] = number(*value);
    }
    return object;
}

Json estimatesOf(const RunResult& result)
{
    Json keys = Json::array();
    if (result.kind != ResultKind::Prediction)
        return keys;
    for (const MetricInfo& info : metricTable()) {
        if (info.exactness == Exactness::Estimate && result.metrics.get(info.metric))
            keys.push_back(info.key);
    }
    return keys;
}

Json json(const std::vector<LineValues>& lines)
{
    Json array = Json::array();
    for (const LineValues& line : lines)
        array.push_back(
            { { "file", line.file }, { "line", line.line }, { "metrics", json(line.metrics) } });
    return array;
}

Json json(const TimeSample& sample)
{
    return { { "median_ns", number(sample.medianNs) }, { "min_ns", number(sample.minimumNs) },
        { "p10_ns", number(sample.p10Ns) }, { "p90_ns", number(sample.p90Ns) },
        { "runs", sample.runs } };
}

Json json(const TimeValues& time)
{
    Json object = Json::object();
    if (time.estimateNs) {
        object["estimate_ns"] = number(*time.estimateNs);
        if (time.warmNs)
            object["warm_ns"] = number(*time.warmNs);
        if (time.coldNs)
            object["cold_ns"] = number(*time.coldNs);
        object["limiter"] = time.limiter;
        object["terms"] = Json::array();
        for (const TimeTerm& term : time.terms)
            object["terms"].push_back({ { "name", term.name }, { "ns", number(term.ns) } });
        object["error"] = time.estimateError ? number(*time.estimateError) : Json();
    }
    if (time.warm)
        object["warm"] = json(*time.warm);
    if (time.cold)
        object["cold"] = json(*time.cold);
    return object;
}

Json json(const std::vector<Hazard>& hazards)
{
    Json array = Json::array();
    for (const Hazard& hazard : hazards) {
        Json object { { "kind", nameOf(hazard.kind) }, { "line", hazard.line },
            { "detail", hazard.detail }, { "count", hazard.count } };
        if (hazard.otherLine)
            object["other_line"] = hazard.otherLine;
        array.push_back(std::move(object));
    }
    return array;
}

Json json(const Occupancy& occupancy)
{
    Json object { { "warps_per_sm", occupancy.warpsPerSm },
        { "max_warps_per_sm", occupancy.maxWarpsPerSm }, { "blocks_per_sm", occupancy.blocksPerSm },
        { "limiter", occupancy.limiter } };
    if (occupancy.registersPerThread)
        object["registers_per_thread"] = *occupancy.registersPerThread;
    return object;
}

void addIfSaid(Json& object, const char* name, const std::string& text)
{
    if (!text.empty())
        object[name] = text;
}

Json json(const RunResult& result)
{
    Json object { { "kind", result.kind == ResultKind::Prediction ? "prediction" : "measurement" },
        { "kernel", result.kernel }, { "device", result.device }, { "source", result.source },
        { "launch", json(result.launch) }, { "metrics", json(result.metrics) },
        { "estimates", estimatesOf(result) }, { "lines", json(result.lines) },
        { "time", json(result.time) }, { "hazards", json(result.hazards) },
        { "verified", result.verified ? Json(*result.verified) : Json() } };
    if (result.deviceVerified)
        object["device_verified"] = *result.deviceVerified;
    addIfSaid(object, "verify_detail", result.verifyDetail);
    if (!result.guesses.empty())
        object["guessed"] = result.guesses;
    if (result.occupancy)
        object["occupancy"] = json(*result.occupancy);
    if (Json emptied = json(result.emptied); !emptied.empty())
        object["emptied"] = std::move(emptied);
    if (Json errors = json(result.estimateErrors); !errors.empty())
        object["estimate_errors"] = std::move(errors);
    for (const auto& [key, why] : result.notMeasured)
        object["not_measured"][key] = why;
    addIfSaid(object, "gpu", result.gpu);
    addIfSaid(object, "driver", result.driver);
    addIfSaid(object, "date", result.date);
    for (const auto& [name, milliseconds] : result.milliseconds)
        object["milliseconds"][name] = number(milliseconds);
    return object;
}

/// Bytes that are no UTF-8 (a file name, a compiler's message) become U+FFFD.
std::string text(const Json& object, int indent)
{
    return object.dump(indent, ' ', false, Json::error_handler_t::replace);
}

} // namespace

std::string toJson(const RunResult& result, int indent) { return text(json(result), indent); }

std::string toJson(const Comparison& comparison, int indent)
{
    Json delta = Json::object(), notes = Json::object();
    for (const ComparisonRow& row : comparison.rows) {
        const std::string key(infoOf(row.metric).key);
        if (row.delta)
            delta[key] = number(*row.delta);
        if (!row.note.empty())
            notes[key] = row.note;
    }
    const RunResult& predicted = comparison.predicted;
    return text(Json { { "kernel", predicted.kernel }, { "device", predicted.device },
                    { "launch", json(predicted.launch) }, { "predicted", json(predicted) },
                    { "measured", json(comparison.measured) }, { "delta", std::move(delta) },
                    { "notes", std::move(notes) } },
        indent);
}

} // namespace coalescope::analysis
