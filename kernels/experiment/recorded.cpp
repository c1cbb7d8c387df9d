// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/recorded.h"

#include "kernels/resource.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace coalescope::kernels {

namespace {

constexpr std::size_t kNearShown = 5;

struct RecordedPack {
    std::vector<analysis::RunResult> launches;
    std::vector<RecordedFile> files;
};

RecordedPack parseRecordedPack()
{
    RecordedPack pack;
    std::vector<std::size_t> begins;
    constexpr std::string_view kFolder = "resources/measured/";
    for (const Resource& resource : resourcesUnder(kFolder)) {
        begins.push_back(pack.launches.size());
        pack.files.push_back({ .name = std::string(resource.path.substr(kFolder.size())), .launches = {} });
        std::string_view rest = resource.content;
        while (!rest.empty()) {
            const std::string_view line = rest.substr(0, rest.find('\n'));
            rest.remove_prefix(std::min(rest.size(), line.size() + 1));
            if (auto result = analysis::resultFromJson(line))
                pack.launches.push_back(*std::move(result));
        }
    }
    begins.push_back(pack.launches.size());
    for (std::size_t i = 0; i < pack.files.size(); ++i) // now that none moves any more
        pack.files[i].launches
            = std::span(pack.launches).subspan(begins[i], begins[i + 1] - begins[i]);
    return pack;
}

const RecordedPack& recordedPack()
{
    static const RecordedPack pack = parseRecordedPack();
    return pack;
}

std::optional<double> number(const std::string& text)
{
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

/// How far apart two launches' parameters are: 1 for a different choice, octaves for a different
/// number.
double distance(const ParameterValues& asked, const std::map<std::string, std::string>& recorded)
{
    double sum = 0;
    for (const auto& [name, value] : asked) {
        const auto other = recorded.find(name);
        if (other == recorded.end()) {
            sum += 1;
            continue;
        }
        if (value == other->second)
            continue;
        const auto a = number(value), b = number(other->second);
        sum += a && b ? 0.1 + std::abs(std::log2((std::abs(*a) + 1) / (std::abs(*b) + 1))) : 1;
    }
    return sum;
}

/// A user's file may bear a catalogue id; the recordings are of the catalogue's own sources.
bool isCatalogueSource(const LaunchPlan& plan)
{
    const auto kernel = kernelNamed(plan.kernel);
    return kernel && (*kernel)->source == plan.source;
}

} // namespace

const std::vector<analysis::RunResult>& recordedMeasurements()
{
    return recordedPack().launches;
}

const std::vector<RecordedFile>& recordedFiles()
{
    return recordedPack().files;
}

RecordedAnswer recordedFor(const LaunchPlan& plan, std::string_view device)
{
    RecordedAnswer answer;
    if (!isCatalogueSource(plan))
        return answer;
    std::vector<std::pair<double, const analysis::RunResult*>> ranked;
    for (const analysis::RunResult& result : recordedMeasurements()) {
        if (result.kernel != plan.kernel)
            continue;
        const bool same = result.launch.grid == plan.grid && result.launch.block == plan.block
            && result.launch.dynamicSharedBytes == plan.dynamicSharedBytes
            && result.launch.parameters == plan.parameters
            && result.launch.arguments == plan.argumentSpecs;
        if (!same)
            ranked.emplace_back(distance(plan.parameters, result.launch.parameters), &result);
        else if (!answer.exact || answer.exact->device != device)
            answer.exact = &result;
    }
    std::ranges::stable_sort(ranked, {}, [&](const auto& entry) { return std::pair(entry.first, entry.second->device != device); });
    for (const auto& [distance, result] : ranked) {
        if (answer.near.size() == kNearShown)
            break;
        if (std::ranges::none_of(answer.near, [&](const auto* known) { return known->launch.parameters == result->launch.parameters; }))
            answer.near.push_back(result);
    }
    return answer;
}

} // namespace coalescope::kernels
