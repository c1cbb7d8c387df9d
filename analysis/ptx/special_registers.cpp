// SPDX-License-Identifier: Apache-2.0
#include "analysis/ptx/special_registers.h"

#include <algorithm>
#include <array>

namespace coalescope::analysis::ptx {

namespace {
using enum SpecialRegister;

// Grouped by meaning.
// clang-format off
constexpr auto kSpecials = std::to_array<SpecialRow>({
    { "%tid.x", TidX }, { "%tid.y", TidY }, { "%tid.z", TidZ },
    { "%ntid.x", NtidX }, { "%ntid.y", NtidY }, { "%ntid.z", NtidZ },
    { "%ctaid.x", CtaidX }, { "%ctaid.y", CtaidY }, { "%ctaid.z", CtaidZ },
    { "%nctaid.x", NctaidX }, { "%nctaid.y", NctaidY }, { "%nctaid.z", NctaidZ },
    { "%laneid", LaneId }, { "%warpid", WarpId }, { "%nwarpid", NwarpId },
    { "%lanemask_eq", LaneMaskEq }, { "%lanemask_lt", LaneMaskLt }, { "%lanemask_le", LaneMaskLe },
    { "%lanemask_gt", LaneMaskGt }, { "%lanemask_ge", LaneMaskGe },
    { "%clock", Clock }, { "%clock64", Clock64, Type::U64 }, { "%globaltimer", GlobalTimer, Type::U64 },
    { "%smid", SmId }, { "%nsmid", NsmId }, { "%gridid", GridId, Type::U64 },
    { "%dynamic_smem_size", DynamicSharedSize }, { "%total_smem_size", TotalSharedSize },
});
// clang-format on

constexpr auto kUnmodelledPrefixes = std::to_array<std::string_view>({ "%envreg", "%pm", "%cluster",
    "%nclusterid", "%is_explicit_cluster", "%globaltimer_", "%clock_hi", "%reserved_smem",
    "%aggr_smem", "%current_graph_exec", "%tid.w", "%ntid.w", "%ctaid.w", "%nctaid.w" });
}

const SpecialRow* specialRegister(std::string_view name)
{
    if (!name.starts_with('%'))
        return nullptr;
    const auto found = std::ranges::find(kSpecials, name, &SpecialRow::name);
    return found == kSpecials.end() ? nullptr : &*found;
}

std::optional<std::uint32_t> gridBarrierHalf(std::string_view name)
{
    if (name == "%envreg1")
        return std::uint32_t(kGridBarrierBase >> 32);
    if (name == "%envreg2")
        return std::uint32_t(kGridBarrierBase);
    return std::nullopt;
}

bool isUnmodelledSpecial(std::string_view name)
{
    return std::ranges::any_of(
        kUnmodelledPrefixes, [name](std::string_view prefix) { return name.starts_with(prefix); });
}

} // namespace coalescope::analysis::ptx
