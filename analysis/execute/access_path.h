// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/execute/block.h"
#include "analysis/execute/handlers.h"
#include "analysis/execute/rules.h"

#include <array>
#include <cstring>

namespace coalescope::analysis {

/// One warp-wide access to one space: recorded, checked, and ready for its data to move.
struct AccessPath {
    Space space = Space::Global;
    LaneMask lanes = 0; ///< that ask
    LaneMask good = 0; ///< of those: whose address is in bounds
    CoefficientId shift = 0; ///< how the addresses depend on the block
    std::array<std::uint64_t, kWarpLanes> address {}; ///< in the space
};

enum class Purpose : std::uint8_t { Read, Write, Atomic };

/// What an instruction asks of memory, before its addresses are known.
struct AccessRequest {
    OperandSlot base;
    std::int64_t offset = 0;
    Space space = Space::Generic;
    MemoryOp op = MemoryOp::Load;
    Purpose purpose = Purpose::Read;
    std::uint8_t widthBytes = 4;
    std::uint8_t matrices = 0;
    SharedUpdate update = SharedUpdate::LaneByLane;
};

/// Computes the addresses, divides them by space, shows each part to the observer and checks it.
///
/// Up to four paths. False: the block has to stop; its signal is set.
[[nodiscard]] bool openAccess(Warp& w, const Decoded& d, LaneMask mask,
    const AccessRequest& request, std::array<AccessPath, 5>& paths, int& count);

/// Bytes of one lane on their way, with what is known of them.
struct LaneBytes {
    std::array<std::uint8_t, 16> bytes {};
    std::uint8_t flags = 0; ///< ByteFlag
    std::uint16_t axes = 0; ///< for kByteNonlinear
};

/// One element of a type, as a register holds it.
[[nodiscard]] Word element(const std::uint8_t* bytes, Type type);

/// The same of a type that the compiler knows: sign-extended where T has a sign.
template <class T> [[nodiscard]] Word elementOf(const std::uint8_t* bytes)
{
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    return Word(std::int64_t(value));
}

/// Calls `use(T {})` with the integer that is as large as the type, and signed where it is.
template <class Use> decltype(auto) withElement(Type type, Use&& use)
{
    const bool hasSign = isSigned(type);
    switch (bytesOf(type)) {
    case 1: return hasSign ? use(std::int8_t {}) : use(std::uint8_t {});
    case 2: return hasSign ? use(std::int16_t {}) : use(std::uint16_t {});
    case 4: return hasSign ? use(std::int32_t {}) : use(std::uint32_t {});
    default: return use(std::uint64_t {});
    }
}

void loadLane(Warp& w, const Decoded& d, const AccessPath& path, int lane, std::uint32_t width,
    LaneBytes& out);
void storeLane(Warp& w, const Decoded& d, const AccessPath& path, int lane, std::uint32_t width,
    const LaneBytes& in);

/// Notes a shared access for the race check and reports what it finds.
void touchShared(
    Warp& w, const Decoded& d, std::uint64_t address, std::uint32_t width, int lane, Touch touch);

} // namespace coalescope::analysis
