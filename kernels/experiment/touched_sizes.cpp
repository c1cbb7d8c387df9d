// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/touched_sizes.h"

#include "analysis/execute/block_trace.h"
#include "kernels/catalogue/argument_parts.h"
#include "kernels/catalogue/element_type.h"
#include "kernels/catalogue/parameter_role.h"
#include "kernels/experiment/decode.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <regex>
#include <set>

namespace coalescope::kernels {
namespace {

constexpr std::uint64_t kRoomBytes = std::uint64_t(1) << 33; ///< of each buffer
constexpr std::uint32_t kRoomShared = 227 * 1024;
constexpr std::uint64_t kLong = 3'000'000; ///< instructions of a block: one to three seconds, as it touches much or little

struct Touched {
    std::map<std::string, std::uint64_t> elements; ///< up to the last that is touched
    std::map<std::string, std::uint64_t> declared; ///< elements that the launch has
    std::uint64_t sharedBytes = 0;
    std::uint64_t blocksOfX = 0, blocksAlongX = 0; ///< of the grid; up to the last that touches what the kernel is given
    bool leavesShared = false;
};

/// Whether a block touches what the kernel is given, beside what it waits for other blocks with.
bool touchesBuffers(const analysis::BlockTrace& trace, const std::vector<analysis::Buffer>& buffers)
{
    const auto isOfBuffer = [&](const analysis::TraceStep& step) {
        if (step.kind != analysis::TraceKind::Access || step.access.space != analysis::Space::Global || step.access.active == 0)
            return false;
        const std::uint64_t address = step.access.address[std::size_t(std::countr_zero(step.access.active))];
        return std::ranges::any_of(buffers, [&](const analysis::Buffer& one) { return one.bytes > kRoomBytes / 2 && address - one.address < one.bytes; });
    };
    return std::ranges::any_of(trace.warps, [&](const std::vector<analysis::TraceStep>& warp) { return std::ranges::any_of(warp, isOfBuffer); });
}

/// The ends of the grid along its axes.
std::vector<analysis::Dim3> corners(const analysis::Dim3& grid)
{
    std::set<analysis::Dim3> blocks;
    for (const std::uint32_t x : { 0u, grid.x - 1 })
        for (const std::uint32_t y : { 0u, grid.y - 1 })
            for (const std::uint32_t z : { 0u, grid.z - 1 })
                blocks.insert({ x, y, z });
    return { blocks.begin(), blocks.end() };
}

std::optional<Touched> touchedWith(const KernelSpec& kernel, const ParameterValues& values, std::uint64_t& instructions, bool isOneBlock = false)
{
    auto plan = planLaunch(kernel, values);
    if (!plan || plan->grid.count() == 0)
        return std::nullopt;
    const auto decoded = decode(*plan, { .verify = false, .registers = false });
    if (!decoded)
        return std::nullopt;
    Touched touched;
    const auto enlarge = [&](BufferPlan& buffer) {
        touched.declared[buffer.name] = buffer.count;
        buffer.left.reset(); // what others put there may be led by data, and takes its time
        buffer.host.reset();
        buffer.known.reset();
        buffer.count = kRoomBytes / std::uint64_t(bytesOf(buffer.type));
    };
    for (Argument& argument : plan->arguments) {
        if (auto* const buffer = std::get_if<BufferPlan>(&argument))
            enlarge(*buffer);
        else if (auto* const structure = std::get_if<StructPlan>(&argument))
            for (StructMember& member : structure->members)
                if (auto* const inside = std::get_if<BufferPlan>(&member.value))
                    enlarge(*inside);
    }
    if (plan->dynamicSharedBytes > 0)
        plan->dynamicSharedBytes = kRoomShared - decoded->program->staticSharedBytes;
    const auto launch = modelledLaunch(*plan, *decoded->program);
    if (!launch)
        return std::nullopt;
    const auto traced = [&](const std::vector<analysis::Dim3>& blocks) {
        auto traces = analysis::traceAddresses(*decoded->program, *launch, blocks, {}, instructions);
        if (!traces)
            instructions = 0;
        for (std::size_t i = 0; traces && i < traces->size(); ++i)
            instructions -= std::min(instructions, (*traces)[i].warpInstructions);
        return traces;
    };
    analysis::Dim3 busy = plan->grid; // as far as blocks have anything to do
    auto traces = traced(isOneBlock ? std::vector<analysis::Dim3> { { 0, 0, 0 } } : corners(busy));
    const auto isIdle = [&](const auto& found, const analysis::Dim3& block) {
        const auto trace = std::ranges::find(*found, block, &analysis::BlockTrace::block);
        return trace != found->end() && !touchesBuffers(*trace, launch->buffers);
    };
    if (traces && busy.x > 1 && isIdle(traces, { busy.x - 1, 0, 0 }) && !isIdle(traces, { 0, 0, 0 })) {
        std::uint32_t works = 0, idle = busy.x - 1;
        while (works + 1 < idle) {
            const std::uint32_t middle = std::midpoint(works, idle);
            const auto one = traced({ { middle, 0, 0 } });
            if (!one)
                return std::nullopt;
            (isIdle(one, { middle, 0, 0 }) ? idle : works) = middle;
        }
        busy.x = idle;
        traces = traced(corners(busy));
    }
    if (!traces)
        return std::nullopt;
    touched.blocksOfX = plan->grid.x;
    touched.blocksAlongX = busy.x;
    std::map<std::string, std::uint64_t> bytes;
    const auto note = [&](const analysis::WarpAccess& access) {
        for (int lane = 0; lane < analysis::kWarpLanes; ++lane) {
            if ((access.active >> lane & 1) == 0)
                continue;
            const std::uint64_t first = access.address[std::size_t(lane)], end = first + access.widthBytes;
            if (access.space == analysis::Space::Shared && end > decoded->program->dynamicSharedOffset)
                touched.sharedBytes = std::max(touched.sharedBytes, end - decoded->program->dynamicSharedOffset);
            if (access.space != analysis::Space::Global)
                continue;
            const auto buffer = std::ranges::find_if(launch->buffers, [&](const analysis::Buffer& one) { return first >= one.address && end <= one.address + one.bytes; });
            if (buffer != launch->buffers.end())
                bytes[buffer->name] = std::max(bytes[buffer->name], end - buffer->address);
        }
    };
    for (const analysis::BlockTrace& trace : *traces) {
        touched.leavesShared |= std::ranges::any_of(trace.hazards, [](const analysis::Hazard& hazard) {
            return hazard.kind == analysis::HazardKind::OutOfBounds && hazard.detail.find("of shared memory") != std::string::npos;
        });
        for (const auto& warp : trace.warps)
            for (const analysis::TraceStep& step : warp)
                if (step.kind == analysis::TraceKind::Access)
                    note(step.access);
    }
    for (const Argument& argument : plan->arguments)
        for (const ArgumentPart& part : partsOf(argument))
            if (part.buffer && bytes.contains(part.buffer->name)) {
                const auto width = std::uint64_t(bytesOf(part.buffer->type));
                touched.elements[part.buffer->name] = (bytes[part.buffer->name] + width - 1) / width;
            }
    return touched;
}

/// A product of parameters, times a number or by one, and more.
struct Size {
    std::vector<std::string> factors;
    std::uint64_t times = 1, by = 1, more = 0;

    [[nodiscard]] double of(const std::map<std::string, std::uint64_t>& values) const
    {
        double product = double(times) / double(by);
        for (const std::string& factor : factors)
            product *= double(values.at(factor));
        return product + double(more);
    }
    [[nodiscard]] std::string text() const
    {
        std::string text;
        for (const std::string& factor : factors)
            text += (text.empty() ? "" : " * ") + factor;
        if (times > 1 || text.empty())
            text = text.empty() ? std::to_string(times) : text + " * " + std::to_string(times);
        if (by > 1)
            text = "cdiv(" + text + ", " + std::to_string(by) + ")";
        return more > 0 ? text + " + " + std::to_string(more) : text;
    }
};

struct Probe {
    std::map<std::string, std::uint64_t> values; ///< of parameters
    Touched touched;
};

/// Chooses among products.
class SizeSearch {
public:
    SizeSearch(const std::array<Probe, 2>& probes, const std::array<std::uint64_t, 2>& needed)
        : m_probes(probes)
        , m_needed(needed)
    {
    }

    /// The smallest that has room for what is touched in both probes, and not much more. Where there is none, the smallest product of nothing
    /// but parameters that has.
    std::optional<std::string> find()
    {
        if (m_needed[0] == 0 || m_needed[1] == 0)
            return std::nullopt;
        std::vector<std::string> names;
        for (const auto& [name, value] : m_probes[0].values)
            names.push_back(name);
        for (std::size_t a = 0; a <= names.size(); ++a) // the last stands for none
            for (std::size_t b = a; b <= names.size(); ++b)
                for (std::size_t c = b; c <= names.size(); ++c) {
                    std::vector<std::string> factors;
                    for (const std::size_t i : { a, b, c })
                        if (i < names.size())
                            factors.push_back(names[i]);
                    if (std::ranges::adjacent_find(factors) == factors.end())
                        considerAll(factors);
                    else if (factors.size() == 2 && m_probes[0].values.at(factors[0]) <= kWindow)
                        consider({ .factors = factors });
                }
        const auto& found = m_best ? m_best : m_rough;
        return found ? std::optional(found->text()) : std::nullopt;
    }

private:
    static constexpr std::uint64_t kWindow = 64; ///< the side of one, at most
    static constexpr double kMuch = 1.2, kSame = 0.005, kAlmost = 0.98, kRough = 64;

    [[nodiscard]] bool isFixed(const std::string& name) const { return m_probes[0].values.at(name) == m_probes[1].values.at(name); }

    /// A block's size and numbers that the kernel is compiled with seldom are in it.
    [[nodiscard]] double costOf(const Size& size) const
    {
        double cost = (size.times > 1) + (size.by > 1) + (size.more > 0 ? 0.5 : 0);
        for (const std::string& factor : size.factors)
            cost += isFixed(factor) ? 1.5 : 0.5;
        return cost;
    }

    void considerAll(const std::vector<std::string>& factors)
    {
        Size size { .factors = factors };
        consider(size);
        size.more = 1; // where ranges begin
        consider(size);
        size.more = 0;
        const double ratio = std::max(double(m_needed[0]) / size.of(m_probes[0].values), double(m_needed[1]) / size.of(m_probes[1].values));
        constexpr double kMostTimes = 256, kMostElements = 1e7;
        if (factors.empty() || ratio > 1) {
            if (ratio > (factors.empty() ? kMostElements : kMostTimes))
                return;
            size.times = std::uint64_t(std::ceil(ratio - 1e-9));
        } else {
            const auto most = std::uint64_t(1 / ratio + 1e-9);
            size.by = std::bit_floor(most);
            if (size.by > std::uint64_t(kMostTimes))
                return;
            consider(size);
            size.by = most; // threads of a block that is no power of two
        }
        consider(size);
    }

    void consider(const Size& size)
    {
        double most = 0, least = kRough;
        for (std::size_t i = 0; i < m_probes.size(); ++i) {
            const double room = size.of(m_probes[i].values) / double(m_needed[i]);
            most = std::max(most, room);
            least = std::min(least, room);
        }
        const double cost = costOf(size);
        const bool isPlain = std::has_single_bit(size.times) && size.by == 1 && size.more == 0 && !size.factors.empty() && std::ranges::none_of(size.factors, [&](const std::string& name) { return isFixed(name); });
        if (isPlain && least >= kAlmost && most < m_roughRoom) { // the last row of some may be longer than a row
            m_rough = size;
            m_roughRoom = most;
        }
        if (least < 1 || most >= kMuch)
            return;
        if (most < m_bestRoom - kSame || (most < m_bestRoom + kSame && m_best && cost < m_bestCost)) {
            m_best = size;
            m_bestRoom = std::min(most, m_bestRoom);
            m_bestCost = cost;
        }
    }

    const std::array<Probe, 2>& m_probes;
    const std::array<std::uint64_t, 2> m_needed;
    std::optional<Size> m_best, m_rough;
    double m_bestRoom = kMuch, m_bestCost = 0, m_roughRoom = kRough;
};

/// Names that are a size of the block in a manifest that was made of a launch.
std::set<std::string> namesOfBlock(const std::string& manifest)
{
    static const std::regex kBlock(R"re((?:^|\n)block = \[([^\]\n]*))re"), kName(R"re("([A-Za-z_]\w*)")re");
    std::set<std::string> names;
    if (std::smatch block; std::regex_search(manifest, block, kBlock)) {
        const std::string sizes = block[1];
        for (std::sregex_iterator name(sizes.begin(), sizes.end(), kName); name != std::sregex_iterator(); ++name)
            names.insert((*name)[1].str());
    }
    return names;
}

/// Threads of a block, as a manifest's expression of its sizes: "block_x * 4"; empty: it has no names for them.
std::string threadsOfBlock(const std::string& manifest)
{
    static const std::regex kBlock(R"re((?:^|\n)block = \[([^\]\n]*))re"), kSize(R"re([\w]+)re");
    std::smatch block;
    if (namesOfBlock(manifest).empty() || !std::regex_search(manifest, block, kBlock))
        return {};
    std::string threads;
    const std::string sizes = block[1];
    for (std::sregex_iterator size(sizes.begin(), sizes.end(), kSize); size != std::sregex_iterator(); ++size)
        if (size->str() != "1")
            threads += (threads.empty() ? "" : " * ") + size->str();
    return threads;
}

} // namespace

TouchedSizes touchedSizes(const KernelSpec& kernel, std::uint64_t mostInstructions)
{
    constexpr std::uint64_t kManyBlocks = 1 << 20;
    // Odd multiples of what tiles are made of, so that products differ and tiles divide them.
    constexpr std::array<std::array<std::int64_t, 6>, 2> kSizes { { { 384, 640, 896, 1152, 1408, 1664 }, { 1280, 768, 512, 384, 640, 896 } } };
    constexpr std::array<std::array<std::int64_t, 3>, 2> kBlocks { { { 3, 5, 7 }, { 5, 7, 3 } } }; // along each axis
    const auto asItIs = planLaunch(kernel, {});
    if (!asItIs && asItIs.error().code == ErrorCode::IllegalParameter) // more blocks than there may be
        return { .isSlow = true };
    if (!asItIs || !decode(*asItIs, { .verify = false, .registers = false })) // which takes its time apart
        return {};
    // One block alone works on as many as it has threads.
    const std::uint64_t alone = asItIs->grid.count() == 1 ? asItIs->block.count() : 0;
    TouchedSizes sizes;
    std::uint64_t ofOneBlock = kLong;
    sizes.isSlow = asItIs->grid.count() > kManyBlocks || !touchedWith(kernel, {}, ofOneBlock, true);
    sizes.instructions = kLong - ofOneBlock;
    if (sizes.isSlow)
        return sizes;
    const std::set<std::string> ofBlock = namesOfBlock(kernel.derived);
    std::uint64_t left = mostInstructions;
    std::array<Probe, 2> probes;
    const auto valuesOf = [&](std::size_t i, std::int64_t scale) {
        ParameterValues values;
        std::size_t next = 0;
        for (const ParameterSpec& parameter : kernel.parameters) {
            if (!parameter.isInteger())
                continue;
            std::int64_t value = std::stoll(parameter.defaultValue);
            constexpr std::int64_t kLeastSize = 64;
            const bool isOfGrid = parameter.name.starts_with("blocks_"); // of a suggested launch
            const bool isFixed = !isOfGrid && (!parameter.define.empty() || parameter.name.starts_with("block")), isOfBlock = ofBlock.contains(parameter.name);
            if (isFixed && value < 2)
                continue;
            const bool isSize = value >= kLeastSize && !isFixed && !isOfBlock && std::uint64_t(value) != alone;
            const bool isLog = value > 1 && value <= 30 && namesLogarithm(parameter.name); // 1 << log_n of them
            if (isLog)
                value = i == 0 ? 10 : 12;
            else if (isOfGrid) // few, so that what they stride through has room for them all
                value = kBlocks[i][std::size_t(parameter.name.back() - 'x') % kBlocks[i].size()];
            else if (isOfBlock && !isFixed) // there may be no more of them
                value = i == 1 && value > 1 && std::uint64_t(value) != alone ? value / 2 : value;
            else if (isSize)
                value = std::clamp(scale * kSizes[i][next++ % kSizes[i].size()], parameter.minimum, parameter.maximum);
            else if (i == 1 && value > 1 && !isFixed && std::uint64_t(value) != alone)
                value *= 2;
            values[parameter.name] = std::to_string(value);
            probes[i].values[isLog ? "(1 << " + parameter.name + ")" : parameter.name] = std::uint64_t(std::max<std::int64_t>(isLog ? std::int64_t(1) << value : value, 0));
        }
        return values;
    };
    for (std::size_t i = 0; i < probes.size(); ++i) {
        constexpr std::int64_t kLarger = 16; // where so few are no block
        ParameterValues values = valuesOf(i, 1);
        if (!planLaunch(kernel, values))
            values = valuesOf(i, kLarger);
        auto touched = touchedWith(kernel, values, left);
        sizes.instructions = kLong - ofOneBlock + mostInstructions - left;
        if (!touched)
            return sizes;
        probes[i].touched = *std::move(touched);
    }
    sizes.leavesShared = probes[0].touched.leavesShared;
    for (const auto& [name, elements] : probes[0].touched.elements)
        if (const auto size = SizeSearch(probes, { elements, probes[1].touched.elements[name] }).find())
            sizes.counts[name] = *size;
    for (const auto& [name, declared] : probes[0].touched.declared) {
        const auto times = [&](const Probe& probe) {
            const auto had = probe.touched.declared.find(name), needs = probe.touched.elements.find(name);
            return had == probe.touched.declared.end() || had->second == 0 || needs == probe.touched.elements.end() ? 0 : (needs->second + had->second - 1) / had->second;
        };
        if (const std::uint64_t reached = times(probes[0]); reached > 1 && times(probes[1]) == reached)
            sizes.times[name] = reached;
    }
    const auto& [first, second] = probes;
    constexpr std::uint64_t kTelling = 8; // of a few blocks many products are as many
    const bool isTelling = std::min(first.touched.blocksAlongX, second.touched.blocksAlongX) >= kTelling;
    if (isTelling && first.touched.blocksAlongX < first.touched.blocksOfX && second.touched.blocksAlongX < second.touched.blocksOfX)
        sizes.blocks = SizeSearch(probes, { first.touched.blocksAlongX, second.touched.blocksAlongX }).find();
    const std::uint64_t shared = probes[0].touched.sharedBytes;
    if (shared > 0)
        sizes.sharedBytes = SizeSearch(probes, { shared, probes[1].touched.sharedBytes }).find();
    // The block is no smaller and no larger in the second launch: what each thread has there is as much in both.
    const std::uint64_t threads = asItIs->block.count(), ofOne = shared / threads;
    if (const std::string block = threadsOfBlock(kernel.derived); !block.empty() && shared == ofOne * threads && shared == probes[1].touched.sharedBytes && ofOne >= 4 && std::has_single_bit(ofOne) && ofOne <= 16)
        sizes.sharedBytes = fmt::format("{} * {}", block, ofOne);
    return sizes;
}

} // namespace coalescope::kernels
