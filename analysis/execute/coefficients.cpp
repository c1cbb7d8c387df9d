// SPDX-License-Identifier: Apache-2.0
#include "analysis/execute/coefficients.h"

#include <numeric>

namespace coalescope::analysis {

namespace {

constexpr std::size_t kPoolLimit = 0xffff;
constexpr int kPeriod = 128; // sectors, tags, banks and alignment repeat after 128 bytes

std::int64_t wrapSigned(std::uint64_t value, int bits)
{
    return std::int64_t(value << (64 - bits)) >> (64 - bits);
}

using Histogram = std::array<std::uint64_t, kPeriod>;

Histogram axisHistogram(std::int64_t c, std::int64_t extent)
{
    Histogram h {};
    const auto step = std::uint32_t(std::uint64_t(c) % kPeriod);
    const std::int64_t period = kPeriod / std::gcd(step, std::uint32_t(kPeriod));
    for (std::int64_t t = 0; t < period && t < extent; ++t)
        h[std::size_t(t) * step % kPeriod] += std::uint64_t((extent - t + period - 1) / period);
    return h;
}

} // namespace

std::size_t CoefficientPool::Hash::operator()(const std::array<std::int64_t, kMaxAxes>& c) const
{
    std::uint64_t h = 0;
    for (const std::int64_t value : c)
        h = (h ^ std::uint64_t(value)) * 0x9e3779b97f4a7c15ull;
    return h ^ (h >> 32);
}

void CoefficientPool::reset(const Box& box)
{
    m_box = box;
    m_pool.clear();
    m_index.clear();
    m_pool.emplace_back();
}

std::optional<CoefficientId> CoefficientPool::intern(const std::array<std::int64_t, kMaxAxes>& c)
{
    Coefficients entry { .c = c };
    for (std::size_t k = 0; k < std::size_t(m_box.axes); ++k) {
        if (c[k] == 0)
            continue;
        entry.axes |= 1u << k;
        const Int128 reach = Int128(c[k]) * (m_box.axis[k].extent - 1);
        (reach < 0 ? entry.low : entry.high) += reach;
    }
    if (entry.axes == 0)
        return CoefficientId(0);
    const auto found = m_index.find(c);
    if (found != m_index.end())
        return found->second;
    if (m_pool.size() >= kPoolLimit)
        return std::nullopt;
    const auto id = CoefficientId(m_pool.size());
    m_pool.push_back(std::move(entry));
    m_index.emplace(c, id);
    return id;
}

std::optional<CoefficientId> CoefficientPool::combine(
    CoefficientId a, CoefficientId b, std::int64_t factor, int bits)
{
    std::array<std::int64_t, kMaxAxes> c {};
    for (std::size_t k = 0; k < std::size_t(m_box.axes); ++k)
        c[k] = wrapSigned(
            std::uint64_t(m_pool[a].c[k]) + std::uint64_t(factor) * std::uint64_t(m_pool[b].c[k]),
            bits);
    return intern(c);
}

CoefficientId CoefficientPool::coordinate(int dimension)
{
    std::array<std::int64_t, kMaxAxes> c {};
    for (std::size_t k = 0; k < std::size_t(m_box.axes); ++k)
        c[k] = m_box.axis[k].step[std::size_t(dimension)];
    return intern(c).value_or(0); // the first vectors of a pool always fit
}

std::span<const ResidueCount> CoefficientPool::residues(CoefficientId id)
{
    auto& entry = m_pool[id];
    if (!entry.residues.empty())
        return entry.residues;
    Histogram sum {};
    sum[0] = 1;
    for (std::size_t k = 0; k < std::size_t(m_box.axes); ++k) {
        const Histogram h = axisHistogram(entry.c[k], m_box.axis[k].extent);
        Histogram next {};
        for (std::size_t a = 0; a < kPeriod; ++a)
            for (std::size_t b = 0; sum[a] != 0 && b < kPeriod; ++b)
                next[(a + b) % kPeriod] += sum[a] * h[b];
        sum = next;
    }
    for (std::uint32_t shift = 0; shift < kPeriod; ++shift)
        if (sum[shift] != 0)
            entry.residues.push_back({ shift, sum[shift] });
    return entry.residues;
}

} // namespace coalescope::analysis
