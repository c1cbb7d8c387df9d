// SPDX-License-Identifier: Apache-2.0
#include "kernels/launch/device_row.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace coalescope::kernels {

namespace {

using analysis::DeviceModel;
using Json = nlohmann::ordered_json;

constexpr int kFormat = 2; ///< of 1 the L2's rates and the clock were measured otherwise
constexpr std::size_t kLongestText = 200;

/// A number of the row: its name in the file, what it may be, and how people are told.
struct LimitField {
    const char* key;
    int DeviceModel::*field;
    int least, most;
};
constexpr LimitField kLimits[] {
    { "compute_major", &DeviceModel::computeMajor, 5, 99 },
    { "compute_minor", &DeviceModel::computeMinor, 0, 9 },
    { "sms", &DeviceModel::sms, 1, 4096 },
    { "max_warps_per_sm", &DeviceModel::maxWarpsPerSm, 1, 1024 },
    { "max_blocks_per_sm", &DeviceModel::maxBlocksPerSm, 1, 1024 },
    { "max_threads_per_block", &DeviceModel::maxThreadsPerBlock, 1, 65536 },
    { "registers_per_sm", &DeviceModel::registersPerSm, 1024, 1 << 24 },
    { "shared_bytes_per_sm", &DeviceModel::sharedPerSm, 1024, 1 << 24 },
    { "shared_bytes_per_block", &DeviceModel::sharedPerBlock, 1024, 1 << 24 },
    { "shared_bytes_per_block_opt_in", &DeviceModel::sharedPerBlockOptIn, 1024, 1 << 24 },
    { "shared_bytes_reserved", &DeviceModel::sharedReserved, 0, 1 << 16 },
};

struct RateField {
    const char* key;
    double DeviceModel::*field;
    double least, most;
    const char *what, *unit;
    double scale = 1; ///< to the unit
};
constexpr RateField kRateFields[] {
    { "clock_ghz", &DeviceModel::clockGHz, 0.05, 20, "SM clock", "GHz" },
    { "l2_bytes", &DeviceModel::l2Bytes, 1024, 1e12, "L2", "MiB", 1.0 / (1 << 20) },
    { "dram_bytes_per_ns", &DeviceModel::dramBytesPerNs, 0.1, 1e6, "DRAM, a copy", "GB/s" },
    { "dram_read_bytes_per_ns", &DeviceModel::dramReadBytesPerNs, 0, 1e6, "DRAM, reads", "GB/s" },
    { "l2_sectors_per_ns", &DeviceModel::l2SectorsPerNs, 0.01, 1e6, "L2, reads", "GB/s", 32 },
    { "l2_write_sectors_per_ns", &DeviceModel::l2WriteSectorsPerNs, 0, 1e6, "L2, writes", "GB/s",
        32 },
    { "l1_sectors_per_clock", &DeviceModel::l1SectorsPerClock, 0.01, 1024, "L1 hits",
        "sectors/clk an SM" },
    { "lsu_tags_per_clock", &DeviceModel::lsuTagsPerClock, 0.01, 1024, "L1 tags",
        "tags/clk an SM" },
    { "shared_wavefronts_per_clock", &DeviceModel::sharedWavefrontsPerClock, 0.01, 1024,
        "shared memory", "wavefronts/clk an SM" },
    { "launch_ns", &DeviceModel::launchNs, 1, 1e9, "empty kernel", "ns" },
    { "dram_latency_ns", &DeviceModel::dramLatencyNs, 0, 1e6, "DRAM latency", "ns" },
    { "l2_latency_ns", &DeviceModel::l2LatencyNs, 0, 1e6, "L2 latency", "ns" },
    { "l1_latency_ns", &DeviceModel::l1LatencyNs, 0, 1e6, "L1 latency", "ns" },
    { "shared_latency_ns", &DeviceModel::sharedLatencyNs, 0, 1e6, "shared memory latency", "ns" },
};

std::unexpected<Error> badField(const char* key, const std::string& problem)
{
    return fail(ErrorCode::BadInput, fmt::format("the field '{}' {}", key, problem), key);
}

Result<double> numberFrom(const Json& document, const char* key, double least, double most)
{
    const auto found = document.find(key);
    if (found == document.end())
        return badField(key, "is missing");
    if (!found->is_number())
        return badField(key, "is no number");
    const double value = found->get<double>();
    if (!(value >= least && value <= most))
        return badField(
            key, fmt::format("is {:g}, and {:g} to {:g} is possible", value, least, most));
    return value;
}

Result<std::string> textFrom(const Json& document, const char* key)
{
    const auto found = document.find(key);
    if (found == document.end())
        return badField(key, "is missing");
    if (!found->is_string())
        return badField(key, "is no text");
    auto text = found->get<std::string>();
    if (text.empty() || text.size() > kLongestText)
        return badField(key,
            fmt::format("has {} characters, and 1 to {} are possible", text.size(), kLongestText));
    if (std::ranges::any_of(text, [](unsigned char c) { return c < ' ' || c == 0x7f; }))
        return badField(key, "has a control character");
    return text;
}

bool isShortName(std::string_view name)
{
    return std::ranges::all_of(
        name, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
}

/// Limits, rates, and what follows from the compute capability.
Result<DeviceModel> modelFrom(const Json& document)
{
    DeviceModel model;
    for (const LimitField& row : kLimits) {
        const auto value = numberFrom(document, row.key, row.least, row.most);
        if (!value)
            return std::unexpected(value.error());
        if (*value != std::floor(*value))
            return badField(row.key, "is no whole number");
        model.*row.field = int(*value);
    }
    for (const RateField& row : kRateFields) {
        if (row.least == 0 && !document.contains(row.key))
            continue;
        const auto value = numberFrom(document, row.key, row.least, row.most);
        if (!value)
            return std::unexpected(value.error());
        model.*row.field = *value;
    }
    if (const DeviceModel* architecture
        = analysis::architectureOf(model.computeMajor, model.computeMinor)) {
        model.registerAllocationUnit = architecture->registerAllocationUnit;
        model.sharedUnit = architecture->sharedUnit;
        model.l1AndSharedPerSm = architecture->l1AndSharedPerSm;
        model.sharedCarveOuts = architecture->sharedCarveOuts;
        model.l2InHalves = architecture->l2InHalves;
        model.smsPerGpc = architecture->smsPerGpc;
        model.dramRunNs = architecture->dramRunNs;
        model.doublesPerClock = architecture->doublesPerClock;
        model.matrixClocks = architecture->matrixClocks;
    }
    model.verified = true;
    return model;
}

Result<DeviceRow> rowFrom(const Json& document)
{
    if (!document.is_object())
        return fail(ErrorCode::BadInput, "a device is a JSON object");
    const auto format = numberFrom(document, "format", 1, kFormat);
    if (!format)
        return std::unexpected(format.error());
    if (*format < kFormat)
        return badField("format", "is that of an older version, which measured other rates: run coalescope calibrate again");
    DeviceRow row;
    for (auto [key, field] :
        { std::pair("name", &DeviceRow::name), std::pair("full_name", &DeviceRow::fullName),
            std::pair("driver", &DeviceRow::driver), std::pair("date", &DeviceRow::date),
            std::pair("launch_from", &DeviceRow::launchFrom) }) {
        auto text = textFrom(document, key);
        if (!text)
            return std::unexpected(text.error());
        row.*field = std::move(*text);
    }
    if (!isShortName(row.name))
        return badField("name",
            fmt::format("is '{}': small letters, digits and dashes are possible", row.name));
    auto model = modelFrom(document);
    if (!model)
        return std::unexpected(model.error());
    row.model = *model;
    if (const auto builtIn = std::ranges::find(analysis::deviceTable(), row.name, &DeviceModel::name); builtIn != analysis::deviceTable().end())
        row.model.memoryBytes = builtIn->memoryBytes;
    return row;
}

void addNumbers(Json& document, const DeviceModel& model)
{
    for (const LimitField& limit : kLimits)
        document[limit.key] = model.*limit.field;
    for (const RateField& rate : kRateFields)
        if (model.*rate.field > 0) // else not known
            document[rate.key] = model.*rate.field;
}

} // namespace

std::string toJson(const DeviceRow& row, int indent)
{
    Json document { { "format", kFormat }, { "name", row.name }, { "full_name", row.fullName },
        { "driver", row.driver }, { "date", row.date } };
    addNumbers(document, row.model);
    document["launch_from"] = row.launchFrom;
    return document.dump(indent, ' ', false, Json::error_handler_t::replace);
}

std::string toJson(const std::vector<const DeviceModel*>& devices, int indent)
{
    Json list = Json::array();
    for (const DeviceModel* device : devices) {
        Json document { { "name", device->name }, { "full_name", device->fullName },
            { "verified", device->verified }, { "rates_from", device->origin } };
        addNumbers(document, *device);
        if (device->memoryBytes > 0)
            document["memory_bytes"] = device->memoryBytes;
        document["l1_and_shared_bytes_per_sm"] = device->l1AndSharedPerSm;
        document["shared_carve_outs_kib"] = Json::array();
        for (const int kiB : device->sharedCarveOuts)
            document["shared_carve_outs_kib"].push_back(kiB);
        list.push_back(std::move(document));
    }
    return list.dump(indent);
}

Result<DeviceRow> deviceRowFromJson(std::string_view text)
{
    const Json document = Json::parse(text, nullptr, false);
    if (document.is_discarded())
        return fail(ErrorCode::BadInput, "the text is no valid JSON");
    return rowFrom(document);
}

std::vector<RateText> ratesOf(const DeviceModel& model)
{
    std::vector<RateText> rates;
    for (const RateField& rate : kRateFields)
        rates.push_back({ rate.what, model.*rate.field * rate.scale, rate.unit });
    return rates;
}

void addDevice(const DeviceRow& row)
{
    const std::string origin = fmt::format(
        "calibrated here on {}, driver {}", std::string_view(row.date).substr(0, 10), row.driver);
    DeviceModel model = row.model;
    model.name = row.name;
    model.fullName = row.fullName;
    model.origin = origin;
    analysis::addDevice(model);
}

} // namespace coalescope::kernels
