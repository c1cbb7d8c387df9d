// SPDX-License-Identifier: Apache-2.0
#include "app/cli/sweep_output.h"

#include "app/cli/result_text.h"
#include "app/cli/table.h"
#include "kernels/experiment/sweep_problem.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <map>
#include <ranges>
#include <string_view>

namespace coalescope::cli {

using analysis::Metric;
using kernels::SweepAxis;
using kernels::SweepRow;

namespace {

std::optional<double> predictedNs(const SweepRow& row)
{
    return row.predicted ? row.predicted->time.warmNs : std::nullopt;
}

std::optional<double> warmNs(const SweepRow& row)
{
    if (!row.measured || !row.measured->time.warm)
        return std::nullopt;
    return row.measured->time.warm->medianNs;
}

/// The launches that no other one of the same problem beats by more than 0.1 %; none with a fault, and none alone.
template <class TimeOf> std::vector<bool> fastest(const std::vector<SweepRow>& rows, TimeOf timeOf)
{
    struct Best {
        double ns = std::numeric_limits<double>::infinity();
        int timed = 0;
    };
    std::map<std::string_view, Best> best; // by what the launches work on
    const auto timeOfSound = [&](const SweepRow& row) { return kernels::hasFault(row) ? std::nullopt : timeOf(row); };
    for (const SweepRow& row : rows) {
        if (const std::optional<double> time = timeOfSound(row)) {
            Best& one = best[row.buffers];
            one.ns = std::min(one.ns, *time);
            ++one.timed;
        }
    }
    std::vector<bool> found(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::optional<double> time = timeOfSound(rows[i]);
        found[i] = time && best[rows[i].buffers].timed > 1 && *time <= kernels::kSameTime * best[rows[i].buffers].ns;
    }
    return found;
}

/// What launches lack, each sentence once with the launches that it is about.
class Problems {
public:
    void add(const std::string& place, const std::string& sentence)
    {
        const auto [at, isNew] = m_indexOf.try_emplace(sentence, m_places.size());
        if (isNew)
            m_places.push_back({ sentence, {} });
        m_places[at->second].second.push_back(place);
    }

    [[nodiscard]] std::string text() const
    {
        std::string text = m_places.empty() ? "" : "\n";
        for (const auto& [sentence, places] : m_places) {
            const std::size_t shown = std::min(places.size(), kShown);
            text += fmt::format("{}", fmt::join(places.begin(), places.begin() + std::ptrdiff_t(shown), ", "));
            if (places.size() > shown)
                text += fmt::format(" and {} more", places.size() - shown);
            text += ": " + sentence + '\n';
        }
        return text;
    }

private:
    static constexpr std::size_t kShown = 4; ///< launches named by their values
    std::map<std::string, std::size_t> m_indexOf;
    std::vector<std::pair<std::string, std::vector<std::string>>> m_places; ///< a sentence, its launches
};

constexpr std::pair<Metric, const char*> kColumns[] = {
    { Metric::GlobalLoadSectors, "ld sectors" },
    { Metric::GlobalStoreSectors, "st sectors" },
    { Metric::GlobalAtomicSectors, "atom sectors" },
    { Metric::GlobalReductionSectors, "red sectors" },
    { Metric::SharedLoadWavefronts, "ld wavefronts" },
    { Metric::SharedStoreWavefronts, "st wavefronts" },
    { Metric::SharedAtomicWavefronts, "atom wavefronts" },
};

/// Those that are shown: of atomics where there are any.
std::vector<std::pair<Metric, const char*>> columnsOf(const std::vector<SweepRow>& rows)
{
    std::vector<std::pair<Metric, const char*>> columns;
    for (const auto& column : kColumns) {
        const auto has = [&](const SweepRow& row) { return row.predicted && row.predicted->metrics.get(column.first).value_or(0) > 0; };
        if (!analysis::infoOf(column.first).isOfAtomics || std::ranges::any_of(rows, has))
            columns.push_back(column);
    }
    return columns;
}

} // namespace

std::string sweepText(
    const std::vector<SweepRow>& rows, const std::vector<SweepAxis>& axes, bool measured)
{
    Table table;
    std::vector<std::string> head;
    for (const SweepAxis& axis : axes)
        head.push_back(axis.name);
    const auto columns = columnsOf(rows);
    for (const char* name : columns | std::views::values)
        head.emplace_back(name);
    head.emplace_back("warm L2 (estimate)");
    if (measured)
        head.insert(head.end(), { "warm L2", "cold L2" });
    head.emplace_back("");
    table.add(head);
    const std::vector<bool> bestPredicted = fastest(rows, &predictedNs), bestMeasured = fastest(rows, &warmNs);
    Problems problems;
    for (const SweepRow& row : rows) {
        std::vector<std::string> cells;
        std::string place;
        for (const SweepAxis& axis : axes) {
            cells.push_back(row.values.at(axis.name));
            place += fmt::format("{}{}={}", place.empty() ? "" : " ", axis.name, cells.back());
        }
        if (const std::string problem = kernels::problemText(row); !problem.empty())
            problems.add(place, problem);
        for (const Metric metric : columns | std::views::keys)
            cells.push_back(row.predicted ? grouped(row.predicted->metrics.get(metric)) : "-");
        const auto estimate = predictedNs(row);
        cells.push_back(estimate ? microseconds(*estimate) : "-");
        if (measured) {
            const auto time = row.measured ? row.measured->time : analysis::TimeValues {};
            for (const auto& sample : { time.warm, time.cold })
                cells.push_back(sample ? microseconds(sample->medianNs) : "-");
        }
        const auto index = std::size_t(&row - rows.data());
        cells.emplace_back(kernels::hasFault(row)                   ? "faulty"
                : bestMeasured[index] && bestPredicted[index] ? "<- fastest, predicted and measured"
                : bestMeasured[index]                         ? "<- fastest measured"
                : bestPredicted[index]                        ? "<- fastest predicted"
                                                              : "");
        table.add(cells);
    }
    const auto predicted = std::ranges::find_if(
        rows, [](const SweepRow& row) { return row.predicted && row.predicted->time.estimateNs; });
    const std::string trust = predicted == rows.end()
        ? ""
        : fmt::format("times are estimates{}\n", trustOf(*predicted->predicted));
    return table.text() + trust + problems.text();
}

} // namespace coalescope::cli
