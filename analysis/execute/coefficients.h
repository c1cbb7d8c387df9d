// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/execute/box.h"

#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace coalescope::analysis {

__extension__ using Int128 = __int128;

/// Index into a CoefficientPool; 0 is the vector of zeros: the same value in every block of the
/// box.
using CoefficientId = std::uint16_t;

/// How often the blocks of a box shift an address by `shift` bytes, modulo 128.
struct ResidueCount {
    std::uint32_t shift = 0;
    std::uint64_t count = 0;
};

/// How a value depends on the block: sum of c[k] * t[k] over the axes of the box.
struct Coefficients {
    std::array<std::int64_t, kMaxAxes> c {};
    unsigned axes = 0; ///< bit k: c[k] is not 0
    Int128 low = 0, high = 0; ///< least and greatest sum over the box
    std::vector<ResidueCount> residues; ///< computed on first use
};

/// The distinct coefficient vectors of one execution; registers refer to them by index.
class CoefficientPool {
public:
    void reset(const Box& box);
    /// Continues with another box of one block: what is known of none of them changes.
    void moveTo(const std::array<std::int64_t, 3>& block) { m_box.origin = block; }
    [[nodiscard]] const Box& box() const { return m_box; }
    [[nodiscard]] const Coefficients& operator[](CoefficientId id) const { return m_pool[id]; }

    /// Empty where the pool is full: the caller treats the value as not affine.
    [[nodiscard]] std::optional<CoefficientId> intern(const std::array<std::int64_t, kMaxAxes>& c);
    /// a + factor * b, each coefficient wrapped to `bits` bits and read as signed.
    [[nodiscard]] std::optional<CoefficientId> combine(
        CoefficientId a, CoefficientId b, std::int64_t factor, int bits);
    /// Coefficients of a block coordinate (0: x, 1: y, 2: z).
    [[nodiscard]] CoefficientId coordinate(int dimension);

    /// Histogram of the sum modulo 128 over the box: what the access models depend on.
    [[nodiscard]] std::span<const ResidueCount> residues(CoefficientId id);

private:
    struct Hash {
        std::size_t operator()(const std::array<std::int64_t, kMaxAxes>& c) const;
    };
    Box m_box;
    std::vector<Coefficients> m_pool;
    std::unordered_map<std::array<std::int64_t, kMaxAxes>, CoefficientId, Hash> m_index;
};

} // namespace coalescope::analysis
