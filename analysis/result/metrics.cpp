// SPDX-License-Identifier: Apache-2.0
#include "analysis/result/metrics.h"

#include <algorithm>

namespace coalescope::analysis {

namespace {

using enum Metric;
using enum Exactness;
using Group = MetricGroup;

constexpr std::array<MetricInfo, kMetricCount> kMetrics { {
    { .metric = GlobalLoadRequests,
        .key = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
        .label = "global load requests",
        .group = Group::Global,
        .exactness = Exact,
        .perLine = true },
    { .metric = GlobalStoreRequests,
        .key = "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
        .label = "global store requests",
        .group = Group::Global,
        .exactness = Exact,
        .perLine = true },
    { .metric = GlobalLoadSectors,
        .key = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
        .label = "global load sectors",
        .group = Group::Global,
        .exactness = Exact,
        .perLine = true },
    { .metric = GlobalStoreSectors,
        .key = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
        .label = "global store sectors",
        .group = Group::Global,
        .exactness = Exact,
        .perLine = true },
    { .metric = GlobalAtomicRequests,
        .key = "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
        .label = "global atomic requests",
        .group = Group::Global,
        .exactness = Exact,
        .perLine = true,
        .isOfAtomics = true },
    { .metric = GlobalReductionRequests,
        .key = "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",
        .label = "global reduction requests",
        .group = Group::Global,
        .exactness = Exact,
        .perLine = true,
        .isOfAtomics = true },
    { .metric = GlobalAtomicSectors,
        .key = "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
        .label = "global atomic sectors",
        .group = Group::Global,
        .exactness = Exact,
        .perLine = true,
        .isOfAtomics = true },
    { .metric = GlobalReductionSectors,
        .key = "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum",
        .label = "global reduction sectors",
        .group = Group::Global,
        .exactness = Exact,
        .perLine = true,
        .isOfAtomics = true },
    { .metric = GlobalTags,
        .key = "smsp__sass_l1tex_tags_mem_global.sum",
        .label = "global cache-line tags",
        .group = Group::Global,
        .exactness = Exact,
        .perLine = true },
    { .metric = GlobalSassSectors,
        .key = "smsp__sass_sectors_mem_global.sum",
        .label = "global sectors",
        .group = Group::Global,
        .exactness = Exact,
        .perLine = true },
    { .metric = GlobalSassSectorsIdeal,
        .key = "smsp__sass_sectors_mem_global_ideal.sum",
        .label = "global sectors if lanes lay side by side",
        .group = Group::Global,
        .exactness = Exact,
        .perLine = true },
    { .metric = SharedLoadInstructions,
        .key = "sm__sass_inst_executed_op_shared_ld.sum",
        .label = "shared load instructions",
        .group = Group::Shared,
        .exactness = Exact,
        .perLine = true },
    { .metric = SharedStoreInstructions,
        .key = "sm__sass_inst_executed_op_shared_st.sum",
        .label = "shared store instructions",
        .group = Group::Shared,
        .exactness = Exact,
        .perLine = true },
    { .metric = SharedLoadWavefronts,
        .key = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
        .label = "shared load wavefronts",
        .group = Group::Shared,
        .exactness = UpToArbitration,
        .perLine = true },
    { .metric = SharedStoreWavefronts,
        .key = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
        .label = "shared store wavefronts",
        .group = Group::Shared,
        .exactness = UpToArbitration,
        .perLine = true },
    { .metric = SharedLoadWavefrontsSass,
        .key = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
        .label = "shared load wavefronts, by addresses",
        .group = Group::Shared,
        .exactness = Exact,
        .perLine = true },
    { .metric = SharedStoreWavefrontsSass,
        .key = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
        .label = "shared store wavefronts, by addresses",
        .group = Group::Shared,
        .exactness = Exact,
        .perLine = true },
    { .metric = SharedLoadConflicts,
        .key = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
        .label = "shared load bank conflicts",
        .group = Group::Shared,
        .exactness = UpToArbitration,
        .perLine = true },
    { .metric = SharedStoreConflicts,
        .key = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
        .label = "shared store bank conflicts",
        .group = Group::Shared,
        .exactness = UpToArbitration,
        .perLine = true },
    { .metric = SharedAtomicInstructions,
        .key = "sm__sass_inst_executed_op_shared_atom.sum",
        .label = "shared atomic instructions",
        .group = Group::Shared,
        .exactness = Exact,
        .perLine = true,
        .isOfAtomics = true },
    { .metric = SharedAtomicWavefronts,
        .key = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
        .label = "shared atomic wavefronts",
        .group = Group::Shared,
        .exactness = UpToArbitration,
        .perLine = true,
        .isOfAtomics = true },
    { .metric = SharedAtomicConflicts,
        .key = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum",
        .label = "shared atomic bank conflicts",
        .group = Group::Shared,
        .exactness = UpToArbitration,
        .perLine = true,
        .isOfAtomics = true },
    { .metric = L1ReadSectors,
        .key = "l1tex__m_xbar2l1tex_read_sectors.sum",
        .label = "sectors read, L2 to L1",
        .group = Group::Cache,
        .exactness = Estimate,
        .perLine = false },
    { .metric = L1WriteSectors,
        .key = "l1tex__m_l1tex2xbar_write_sectors.sum",
        .label = "sectors written, L1 to L2",
        .group = Group::Cache,
        .exactness = Estimate,
        .perLine = false },
    { .metric = L2ReadSectors,
        .key = "lts__t_sectors_op_read.sum",
        .label = "sectors read in L2",
        .group = Group::Cache,
        .exactness = Estimate,
        .perLine = false },
    { .metric = L2WriteSectors,
        .key = "lts__t_sectors_op_write.sum",
        .label = "sectors written in L2",
        .group = Group::Cache,
        .exactness = Estimate,
        .perLine = false },
    { .metric = DramReadSectors,
        .key = "dram__sectors_read.sum",
        .label = "sectors read from DRAM",
        .group = Group::Dram,
        .exactness = Estimate,
        .perLine = false },
    { .metric = DramWriteSectors,
        .key = "dram__sectors_write.sum",
        .label = "sectors written to DRAM",
        .group = Group::Dram,
        .exactness = Estimate,
        .perLine = false },
    { .metric = Duration,
        .key = "gpu__time_duration.sum",
        .label = "duration, ns",
        .group = Group::Time,
        .exactness = Estimate,
        .perLine = false },
} };

constexpr bool rowsMatchTheEnum()
{
    for (int row = 0; row < kMetricCount; ++row) {
        if (int(kMetrics[row].metric) != row || kMetrics[row].key.empty())
            return false;
    }
    return true;
}
static_assert(rowsMatchTheEnum(), "kMetrics lists the metrics in the enum's order");

} // namespace

std::span<const MetricInfo, kMetricCount> metricTable() { return kMetrics; }

const MetricInfo& infoOf(Metric metric) { return kMetrics[std::size_t(metric)]; }

std::optional<Metric> metricOf(std::string_view key)
{
    const auto row = std::ranges::find(kMetrics, key, &MetricInfo::key);
    return row == kMetrics.end() ? std::nullopt : std::optional(row->metric);
}

bool isShown(const MetricInfo& info, const MetricValues& values)
{
    const Metric kind = info.group == Group::Shared ? SharedAtomicInstructions : info.metric;
    return !info.isOfAtomics || values.get(kind).value_or(0) > 0;
}

void setMissingToZero(MetricValues& values)
{
    for (const MetricInfo& info : kMetrics)
        values.set(info.metric, values.get(info.metric).value_or(0));
}

} // namespace coalescope::analysis
