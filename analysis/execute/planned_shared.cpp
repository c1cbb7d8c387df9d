// SPDX-License-Identifier: Apache-2.0
// Shared memory in blocks that are executed by a plan: mostly the same accesses as in the block
// before. See SharedMemory::resetAndFollow().
#include "analysis/execute/access_path.h"

#include <algorithm>
#include <cstring>

namespace coalescope::analysis {

Step Block::accessShared(Warp& warp, const PlannedStep& step, LaneMask mask)
{
    const Decoded& d = m_program.code[step.instruction];
    const Word* const base = warp.value(d.src[0]);
    if (SharedEvent* const event = m_shared.expected(); event != nullptr
        && event->kind == SharedEvent::Kind::Access && event->instruction == step.instruction
        && event->warp == warp.index && event->lanes == mask
        && (m_tools->differs(base, 0, event->base.lane.data()) & mask) == 0) [[likely]] {
        m_shared.pass(*event);
        if (m_plan->sharedDataMatters)
            moveShared(warp, step, *event);
        return Step::Next;
    }
    if (m_options.findsRaces)
        m_shared.leave();
    SharedEvent event { .writes = d.source->op == Opcode::St,
        .widthBytes = step.widthBytes,
        .warp = warp.index,
        .instruction = step.instruction,
        .lanes = mask,
        .offset = step.offset };
    std::copy_n(base, kWarpLanes, event.base.lane.data());
    if (!m_options.findsRaces) {
        if (!mayBeFollowed(event))
            return d.run(warp, d, mask);
        if (m_plan->sharedDataMatters)
            moveShared(warp, step, event);
        return Step::Next;
    }
    const bool usable = m_shared.isUsable();
    const Step next = d.run(warp, d, mask);
    m_shared.setUsable(usable && mayBeFollowed(event));
    m_shared.append(event);
    return next;
}

/// Not where an address is wrong, nor where lanes write the same bytes: whether their values differ
/// would have to be looked at every time.
bool Block::mayBeFollowed(const SharedEvent& event)
{
    std::array<std::uint64_t, kWarpLanes> addresses;
    std::size_t count = 0;
    std::uint64_t low = 0, most = 0; // widths are powers of two
    for (LaneMask rest = event.lanes; rest != 0; rest &= rest - 1) {
        const std::uint64_t address = event.address(std::size_t(std::countr_zero(rest)));
        low |= address;
        most = std::max(most, address);
        addresses[count++] = address;
    }
    if ((low & (event.widthBytes - 1u)) != 0 || most + event.widthBytes > m_shared.size())
        return false;
    if (!event.writes)
        return true;
    const auto used = std::span(addresses).first(count);
    std::ranges::sort(used);
    return std::ranges::adjacent_find(used) == used.end();
}

/// A number for each lane; returns the lanes whose number nobody knows.
template <class Number> LaneMask Block::loadShared(Word* target, const SharedEvent& event)
{
    const std::uint8_t *const bytes = m_shared.bytes(0), *const flags = m_shared.flags(0);
    LaneMask unknown = 0;
    for (LaneMask rest = event.lanes; rest != 0; rest &= rest - 1) {
        const auto lane = std::size_t(std::countr_zero(rest));
        const std::uint64_t address = event.address(lane);
        Number number;
        std::memcpy(&number, bytes + address, sizeof number);
        target[lane] = Word(std::int64_t(number));
        std::array<std::uint8_t, sizeof number> of;
        std::memcpy(of.data(), flags + address, sizeof number);
        std::uint8_t all = 0;
        for (const std::uint8_t flag : of)
            all |= flag;
        unknown |= LaneMask(all & kByteUnknown) << lane;
    }
    return unknown;
}

/// What the handlers of ld and st move, without the notes about who did it.
void Block::moveShared(Warp& warp, const PlannedStep& step, const SharedEvent& event)
{
    const Decoded& d = m_program.code[step.instruction];
    const Instruction& i = *d.source;
    const auto size = std::size_t(bytesOf(i.type));
    LaneMask unknown = 0;
    if (!event.writes && i.vector == 1) {
        switch (i.type) {
        case Type::S8: unknown = loadShared<std::int8_t>(warp.target(d.dst[0]), event); break;
        case Type::S16: unknown = loadShared<std::int16_t>(warp.target(d.dst[0]), event); break;
        case Type::S32: unknown = loadShared<std::int32_t>(warp.target(d.dst[0]), event); break;
        default:
            unknown = size == 1 ? loadShared<std::uint8_t>(warp.target(d.dst[0]), event) : size == 2 ? loadShared<std::uint16_t>(warp.target(d.dst[0]), event)
                : size == 4 ? loadShared<std::uint32_t>(warp.target(d.dst[0]), event) : loadShared<std::uint64_t>(warp.target(d.dst[0]), event);
        }
        warp.setState(d.dst[0], event.lanes, { .unknown = unknown });
        return;
    }
    if (event.writes)
        for (std::size_t e = 0; e < i.vector; ++e)
            unknown |= warp.state(d.src[e + 1]).unknown;
    for (LaneMask rest = event.lanes; rest != 0; rest &= rest - 1) {
        const auto lane = std::size_t(std::countr_zero(rest));
        const std::uint64_t address = event.address(lane);
        std::uint8_t* const bytes = m_shared.bytes(address);
        std::uint8_t* const flags = m_shared.flags(address);
        if (event.writes) {
            for (std::size_t e = 0; e < i.vector; ++e)
                std::memcpy(bytes + e * size, &warp.value(d.src[e + 1])[lane], size);
            std::memset(flags, unknown >> lane & 1 ? kByteUnknown : 0, step.widthBytes);
            continue;
        }
        for (std::size_t e = 0; e < i.vector; ++e)
            warp.target(d.dst[e])[lane] = element(bytes + e * size, i.type);
        for (std::size_t b = 0; b < step.widthBytes; ++b)
            unknown |= LaneMask(flags[b] & kByteUnknown) << lane;
    }
    for (std::size_t e = 0; e < i.vector && !event.writes; ++e)
        warp.setState(d.dst[e], event.lanes, { .unknown = unknown });
}

Result<void> Block::tellRetired(BlockObserver& observer)
{
    for (const SharedEvent& event : m_shared.retired()) {
        if (event.repeated == 0 || event.kind != SharedEvent::Kind::Access)
            continue;
        const Instruction& source = *m_program.code[event.instruction].source;
        if (source.isJoined)
            continue;
        WarpAccess access { .space = Space::Shared,
            .op = event.writes ? MemoryOp::Store : MemoryOp::Load,
            .widthBytes = source.joinedBytes != 0 ? source.joinedBytes : event.widthBytes,
            .active = event.lanes,
            .instruction = event.instruction };
        for (std::size_t lane = 0; lane < kWarpLanes; ++lane)
            access.address[lane]
                = event.address(lane) + std::uint64_t(std::int64_t(source.joinedOffset));
        const ResidueCount repeated { 0, event.repeated };
        if (auto told = observer.onAccess(event.warp, access, std::span(&repeated, 1)); !told)
            return told;
    }
    m_shared.retired().clear();
    return {};
}

} // namespace coalescope::analysis
