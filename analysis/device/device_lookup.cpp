// SPDX-License-Identifier: Apache-2.0
#include "analysis/device/device_model.h"

#include <algorithm>
#include <cctype>
#include <deque>
#include <fmt/format.h>

namespace coalescope::analysis {

namespace {

/// A row that is not in the table, with the texts that it refers to.
struct AddedDevice {
    std::string name, fullName, origin;
    DeviceModel model;
};

/// Rows stay where they are: others hold pointers to them.
std::deque<AddedDevice>& addedDevices()
{
    static std::deque<AddedDevice> devices;
    return devices;
}

std::string lowerCase(std::string_view text)
{
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return lower;
}

/// Letters to insert, remove or replace to turn one name into the other.
std::size_t editDistance(std::string_view from, std::string_view to)
{
    std::vector<std::size_t> row(to.size() + 1);
    for (std::size_t j = 0; j <= to.size(); ++j)
        row[j] = j;
    for (std::size_t i = 1; i <= from.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= to.size(); ++j) {
            const std::size_t replaced = diagonal + (from[i - 1] != to[j - 1]);
            diagonal = row[j];
            row[j] = std::min({ replaced, row[j] + 1, row[j - 1] + 1 });
        }
    }
    return row.back();
}

} // namespace

void addDevice(const DeviceModel& row)
{
    auto& devices = addedDevices();
    const auto same = std::ranges::find(devices, row.name, &AddedDevice::name);
    AddedDevice& added = same == devices.end() ? devices.emplace_back() : *same;
    added = { std::string(row.name), std::string(row.fullName), std::string(row.origin), row };
    added.model.name = added.name;
    added.model.fullName = added.fullName;
    added.model.origin = added.origin;
}

std::vector<const DeviceModel*> knownDevices()
{
    std::vector<const DeviceModel*> known;
    for (const DeviceModel& row : deviceTable())
        known.push_back(&row);
    for (const AddedDevice& added : addedDevices()) {
        const auto replaced = std::ranges::find(known, added.model.name, &DeviceModel::name);
        if (replaced == known.end())
            known.push_back(&added.model);
        else
            *replaced = &added.model;
    }
    return known;
}

Result<const DeviceModel*> deviceNamed(std::string_view name)
{
    const auto known = knownDevices();
    const auto row = std::ranges::find(known, name, &DeviceModel::name);
    if (row != known.end())
        return *row;
    const std::string typed = lowerCase(name.substr(0, 64));
    const auto nearest = std::ranges::min_element(known, {}, [&](const DeviceModel* model) {
        return std::pair(typed.empty() || !model->name.starts_with(typed), editDistance(typed, model->name));
    });
    std::string names;
    for (const DeviceModel* model : known)
        names += (names.empty() ? "" : ", ") + std::string(model->name);
    return fail(ErrorCode::UnknownDevice,
        fmt::format("no GPU is called \"{}\", the nearest is \"{}\"; known are {}", name,
            (*nearest)->name, names));
}

const DeviceModel* deviceOfDriverName(std::string_view driverName, int sms)
{
    const auto known = knownDevices();
    const auto row = std::ranges::find_if(known, [&](const DeviceModel* model) {
        return model->sms == sms
            && (model->fullName == driverName
                || std::ranges::find(model->driverNames, driverName) != model->driverNames.end());
    });
    return row == known.end() ? nullptr : *row;
}

} // namespace coalescope::analysis
