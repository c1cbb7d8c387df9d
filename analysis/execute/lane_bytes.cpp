// SPDX-License-Identifier: Apache-2.0
// The bytes of single lanes on their way to and from each space.
#include "analysis/execute/access_checks.h"

#include <fmt/format.h>

#include <cstring>

namespace coalescope::analysis {

void touchShared(
    Warp& w, const Decoded& d, std::uint64_t address, std::uint32_t width, int lane, Touch touch)
{
    Block& block = *w.block;
    const std::uint32_t thread = w.index * kWarpLanes + std::uint32_t(lane);
    if (!block.shared().touch(thread, block.instructionOf(d), touch, address, width)) [[likely]]
        return;
    const Race& race = block.shared().race();
    const std::uint32_t line = d.source->lineToName();
    const std::uint32_t otherLine
        = block.program().program->instructions[race.otherInstruction].lineToName();
    const bool writes = touch != Touch::Read;
    // One entry however the two came about: the writing line first, of two writes the smaller.
    const bool swap = race.otherWrites && (!writes || otherLine < line);
    block.log().add(HazardKind::SharedRace, swap ? otherLine : line, swap ? line : otherLine,
        orderOf(block.launch().grid, block.box().origin), [&] {
            const auto verbs = [](bool w_) { return w_ ? "writes" : "reads"; };
            return fmt::format(
                "{} {} shared bytes {} to {} at line {} and {} {} them at line {}, with no barrier "
                "between",
                whoIs(w, lane, block.box().origin), verbs(writes), address, address + width - 1,
                line, threadName(block.launch().block, race.otherThread), verbs(race.otherWrites),
                otherLine);
        });
}

void loadLane(Warp& w, const Decoded& d, const AccessPath& path, int lane, std::uint32_t width,
    LaneBytes& out)
{
    if (!(path.good >> lane & 1))
        return; // out of bounds reads 0
    Block& block = *w.block;
    const std::uint64_t address = path.address[std::size_t(lane)];
    const auto bytes = std::span(out.bytes).first(width);
    const auto gather
        = [&](const std::uint8_t* data, const std::uint8_t* flags, std::uint16_t axes) {
              std::memcpy(bytes.data(), data, width);
              for (std::uint32_t b = 0; b < width; ++b)
                  out.flags |= flags[b];
              if (out.flags & kByteNonlinear)
                  out.axes = axes;
          };
    switch (path.space) {
    case Space::Global:
        if (GlobalMemory* values = block.values()) {
            values->load(address, bytes);
            if (!d.source->mod.isReduction)
                values->noteLoad(address, block.instructionOf(d));
        } else {
            out.flags = kByteUnknown;
        }
        return;
    case Space::Shared:
        gather(block.shared().bytes(address), block.shared().flags(address),
            block.shared().nonlinearAxes);
        touchShared(w, d, address, width, lane, Touch::Read);
        if (out.flags & kByteUnwritten)
            report(w, d, HazardKind::Uninitialised, lane, {},
                fmt::format("reads shared bytes {} to {}, which nothing has written", address,
                    address + width - 1));
        return;
    case Space::Local: {
        const std::uint32_t thread = w.index * kWarpLanes + std::uint32_t(lane);
        gather(block.local().bytes(thread, address), block.local().flags(thread, address),
            block.local().nonlinearAxes);
        return;
    }
    case Space::Param:
        std::memcpy(bytes.data(), block.launch().parameters.data() + address, width);
        return;
    case Space::Constant:
        if (!block.map().readConstant(address, bytes))
            report(w, d, HazardKind::OutOfBounds, lane, {},
                fmt::format("reads constant memory at {:#x}, outside every constant", address));
        return;
    case Space::Generic:
        return;
    }
}

void storeLane(Warp& w, const Decoded& d, const AccessPath& path, int lane, std::uint32_t width,
    const LaneBytes& in)
{
    Block& block = *w.block;
    const std::uint64_t address = path.address[std::size_t(lane)];
    const auto bytes = std::span(in.bytes).first(width);
    switch (path.space) {
    case Space::Global:
        if (GlobalMemory* values = block.values())
            values->store(address, bytes, block.instructionOf(d));
        return;
    case Space::Shared: {
        SharedMemory& shared = block.shared();
        if (shared.writtenByThisAccess(address)
            && std::memcmp(shared.bytes(address), bytes.data(), width) != 0 && in.flags == 0)
            block.log().add(HazardKind::SharedRace, d.source->lineToName(), d.source->lineToName(),
                orderOf(block.launch().grid, block.box().origin), [&] {
                    return fmt::format(
                        "{} and another lane of its warp write different values to shared "
                        "bytes {} to {} with one instruction",
                        whoIs(w, lane, block.box().origin), address, address + width - 1);
                });
        else if (in.flags != 0 && shared.writtenByThisAccess(address))
            report(w, d, HazardKind::NotModelled, lane, {},
                fmt::format(
                    "writes shared bytes {} to {} together with another lane of its warp; whether "
                    "the values differ depends on data",
                    address, address + width - 1));
        std::memcpy(shared.bytes(address), bytes.data(), width);
        std::memset(shared.flags(address), in.flags, width);
        shared.nonlinearAxes |= in.axes;
        touchShared(w, d, address, width, lane, Touch::Write);
        return;
    }
    case Space::Local: {
        const std::uint32_t thread = w.index * kWarpLanes + std::uint32_t(lane);
        std::memcpy(block.local().bytes(thread, address), bytes.data(), width);
        std::memset(block.local().flags(thread, address), in.flags, width);
        block.local().nonlinearAxes |= in.axes;
        return;
    }
    default:
        return;
    }
}

} // namespace coalescope::analysis
