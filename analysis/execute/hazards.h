// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/result/hazard.h"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

namespace coalescope::analysis {

/// The hazards met so far, one entry a kind and pair of lines; deterministic however blocks are
/// ordered.
class HazardLog {
public:
    /// `order` is the block's number in the grid: the sentence of the first block is kept.
    template <class MakeDetail>
    void add(HazardKind kind, std::uint32_t line, std::uint32_t otherLine, std::uint64_t order,
        MakeDetail&& makeDetail)
    {
        for (Found& found : m_found) {
            if (found.hazard.kind != kind || found.hazard.line != line
                || found.hazard.otherLine != otherLine)
                continue;
            ++found.hazard.count;
            if (order < found.order) {
                found.order = order;
                found.hazard.detail = makeDetail();
            }
            return;
        }
        m_found.push_back({ { kind, line, otherLine, makeDetail(), 1 }, order });
    }

    void merge(const HazardLog& other)
    {
        for (const Found& theirs : other.m_found) {
            const auto same = std::ranges::find_if(m_found, [&](const Found& mine) {
                return mine.hazard.kind == theirs.hazard.kind
                    && mine.hazard.line == theirs.hazard.line
                    && mine.hazard.otherLine == theirs.hazard.otherLine;
            });
            if (same == m_found.end()) {
                m_found.push_back(theirs);
                continue;
            }
            same->hazard.count += theirs.hazard.count;
            if (theirs.order < same->order) {
                same->order = theirs.order;
                same->hazard.detail = theirs.hazard.detail;
            }
        }
    }

    void clear() { m_found.clear(); }
    [[nodiscard]] bool has(HazardKind kind) const
    {
        return std::ranges::any_of(
            m_found, [kind](const Found& found) { return found.hazard.kind == kind; });
    }

    /// By line, then kind.
    [[nodiscard]] std::vector<Hazard> sorted() const
    {
        std::vector<Hazard> result;
        for (const Found& found : m_found)
            result.push_back(found.hazard);
        std::ranges::sort(result, [](const Hazard& a, const Hazard& b) {
            return std::tuple(a.line, a.otherLine, a.kind)
                < std::tuple(b.line, b.otherLine, b.kind);
        });
        return result;
    }

private:
    struct Found {
        Hazard hazard;
        std::uint64_t order = 0;
    };
    std::vector<Found> m_found;
};

} // namespace coalescope::analysis
