// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/shared_reads.h"

#include "analysis/access/sector_model.h"
#include "kernels/experiment/footprint.h"
#include "kernels/experiment/sm_blocks.h"

#include <algorithm>

namespace coalescope::kernels {

namespace {

// What a prediction may spend on the blocks of an SM: a few milliseconds in all.
constexpr std::size_t kMostLookups = 32768; ///< of lines that are followed
constexpr std::size_t kMostParts = 400'000; ///< of lines that are looked at
constexpr std::size_t kMostLoads = 16384; ///< of the traced block
constexpr std::size_t kMostTraced = 48; ///< blocks
constexpr double kMostTracedInstructions = 60'000;
constexpr std::size_t kFewestLines = 64; ///< of a sampled L1
/// Blocks are traced where, each alone, they ask for so many times what the buffers hold: fewer may
/// be the sectors at their borders, of which narrow tiles have many.
constexpr double kOftenRead = 8, kOftenReadByData = 2;

class SharedReads {
public:
    SharedReads(analysis::Traffic& traffic, const analysis::DeviceModel& device,
        const Prediction& prediction, const analysis::BlockTrace& trace, const BlockShape& shape)
        : m_traffic(traffic)
        , m_device(device)
        , m_prediction(prediction)
        , m_trace(trace)
        , m_shape(shape)
        , m_sms(std::uint64_t(std::max(1, device.sms)))
        , m_blocks(prediction.launch.grid.count())
        , m_resident(std::size_t(std::max(1, prediction.result.occupancy->blocksPerSm)))
        , m_onSm(std::size_t((m_blocks - firstBlock() + m_sms - 1) / m_sms))
    {
        const auto shared
            = prediction.program->staticSharedBytes + prediction.launch.dynamicSharedBytes;
        if (const auto bytes
            = analysis::l1BytesAfterCarveOut(device, std::uint32_t(shared), int(m_resident)))
            m_l1Lines = std::size_t(*bytes) / analysis::kCacheLineBytes;
    }

    void addFromMoves(const BlockMoves& moves)
    {
        const auto loads = std::make_shared<const BlockLoads>(m_trace, mostLoadsOfAWarp());
        const Footprint footprint(*loads, moves);
        m_traffic.blocksReadTheSame = footprint.readsTheSame();
        m_traffic.readAgainBytes
            = bytesReadAgain(footprint, m_device, m_traffic, double(m_sms * m_resident));
        const double byOthers
            = bytesReadByOtherLoads(footprint, moves, m_device, m_traffic, m_prediction.launch.buffers);
        m_traffic.blocksReadTheSame = m_traffic.blocksReadTheSame || byOthers > 0;
        m_traffic.readAgainBytes += byOthers;
        if (m_l1Lines > 0 && smBlocksShare(moves))
            followMoved(loads, footprint, moves);
    }

    /// Where blocks move in no regular way, a few of an SM's are traced.
    void addFromTraces(bool addressesAreData)
    {
        const double alone = m_traffic.loadSectors * m_traffic.l1ReadShare * analysis::kSectorBytes;
        if (m_l1Lines == 0
            || alone < (addressesAreData ? kOftenReadByData : kOftenRead) * m_shape.loadBufferBytes)
            return;
        const double instructions = m_traffic.warpInstructions / m_traffic.blocks;
        const auto affordable = std::size_t(kMostTracedInstructions / std::max(1.0, instructions));
        const std::size_t count = wholeWaves(std::min({ m_onSm, kMostTraced, affordable }));
        if (count >= 2)
            followTraced(count);
    }

private:
    /// Of the SM that is followed, one in the middle.
    [[nodiscard]] std::uint64_t firstBlock() const { return std::min(m_sms, m_blocks) / 2; }
    [[nodiscard]] std::uint64_t block(std::size_t i) const { return firstBlock() + i * m_sms; }

    [[nodiscard]] std::size_t wholeWaves(std::size_t blocks) const
    {
        return blocks == m_onSm || blocks < m_resident ? blocks : blocks / m_resident * m_resident;
    }

    /// Whether some loads read the same in every block. What only neighbours read, a tile or a halo, an SM's
    /// blocks do not find in L1: on an H200 a stencil and tiled products fetched it for each block.
    [[nodiscard]] bool smBlocksShare(const BlockMoves& moves) const
    {
        bool share = false;
        for (std::size_t group = 0; group < moves.groups(); ++group)
            share = share || moves.isEveryBlocks(group);
        return share && m_onSm > 1;
    }
    /// How far the loads of the SM's i-th block lie from the traced one's: apart from all others' but for those
    /// that every block reads.
    [[nodiscard]] static std::vector<std::int64_t> shiftsOnSm(const BlockMoves& moves, std::size_t i)
    {
        constexpr std::int64_t kFarApart = std::int64_t(1) << 38;
        std::vector<std::int64_t> shifts;
        for (std::size_t group = 0; group < moves.groups(); ++group)
            shifts.push_back(moves.isEveryBlocks(group) ? 0 : std::int64_t(i + 1) * kFarApart);
        return shifts;
    }

    /// Most lines that the blocks of one wave touch.
    [[nodiscard]] double linesOfAWave(const Footprint& footprint, const BlockMoves& moves) const
    {
        const double blocks = double(std::min(m_resident, m_onSm));
        double lines = 0, linesOfABlock = 0;
        for (std::size_t group = 0; group < moves.groups(); ++group) {
            lines += (moves.isEveryBlocks(group) ? 1 : blocks) * footprint.lines(group);
            linesOfABlock += footprint.lines(group);
        }
        return lines * m_shape.loadLines / linesOfABlock; // also of the loads that were left out
    }

    /// Blocks that show whether the next ones find something of the first.
    [[nodiscard]] std::size_t fewestFollowed() const { return std::min(m_onSm, 2 * m_resident); }

    [[nodiscard]] std::size_t mostLoadsOfAWarp() const
    {
        const double partsALoad
            = std::max(1.0, m_traffic.loadTags / std::max(1.0, m_traffic.loadRequests));
        const double warps = double(m_trace.warps.size());
        const double most = std::min(double(kMostLoads),
            double(kMostParts) / (double(fewestFollowed()) * partsALoad));
        return std::max<std::size_t>(1, std::size_t(most / warps));
    }

    void followMoved(const std::shared_ptr<const BlockLoads>& loads, const Footprint& footprint,
        const BlockMoves& moves)
    {
        SmBlocks blocks {
            .followed = {}, .groupOf = moves.groupOf(), .resident = m_resident, .all = m_onSm
        };
        const std::size_t parts = std::max<std::size_t>(1, loads->partCount());
        std::size_t count = wholeWaves(
            std::clamp(kMostLookups / parts, fewestFollowed(), m_onSm));
        // Loads were left out and L1 does not hold a wave of whole blocks: what the next wave would
        // find of the shorter ones tells nothing.
        if (!loads->isWhole() && linesOfAWave(footprint, moves) > double(m_l1Lines))
            blocks.all = count = std::min(m_resident, m_onSm);
        for (std::size_t i = 0; i < count; ++i)
            blocks.followed.push_back({ loads, shiftsOnSm(moves, i) });
        follow(blocks, parts * count);
    }

    void follow(const SmBlocks& blocks, std::size_t parts)
    {
        const std::size_t most = std::max<std::size_t>(1, m_l1Lines / kFewestLines);
        m_traffic.l1ReadShare = l1ReadShare(
            blocks, m_l1Lines, unsigned(std::clamp<std::size_t>(parts / kMostLookups, 1, most)));
    }

    void followTraced(std::size_t count)
    {
        const analysis::Dim3 grid = m_prediction.launch.grid;
        SmBlocks blocks {
            .followed = {}, .groupOf = {}, .resident = std::min(m_resident, count), .all = m_onSm
        };
        std::vector<analysis::Dim3> wanted;
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint64_t b = block(i);
            wanted.push_back({ std::uint32_t(b % grid.x), std::uint32_t(b / grid.x % grid.y),
                std::uint32_t(b / grid.x / grid.y) });
        }
        const auto traces = analysis::traceAddresses(
            *m_prediction.program, m_prediction.launch, std::span<const analysis::Dim3>(wanted));
        if (!traces)
            return;
        std::size_t parts = 0;
        for (const analysis::BlockTrace& trace : *traces) { // loads point into them
            blocks.followed.push_back({ std::make_shared<const BlockLoads>(trace), {} });
            parts += blocks.followed.back().loads->partCount();
        }
        follow(blocks, parts);
    }

    analysis::Traffic& m_traffic;
    const analysis::DeviceModel& m_device;
    const Prediction& m_prediction;
    const analysis::BlockTrace& m_trace;
    const BlockShape& m_shape;
    std::uint64_t m_sms, m_blocks;
    std::size_t m_resident, m_onSm;
    std::size_t m_l1Lines = 0; ///< 0: not known
};

} // namespace

void addSharedReads(analysis::Traffic& traffic, const analysis::DeviceModel& device,
    const Prediction& prediction, const analysis::GridTotals& totals,
    const analysis::BlockTrace& trace, const BlockShape& shape)
{
    if (traffic.blocks <= 1 || shape.loadSectors == 0)
        return;
    SharedReads reads(traffic, device, prediction, trace, shape);
    if (const auto moves = BlockMoves::of(totals, prediction.launch.grid, trace);
        moves && moves->coversGrid())
        reads.addFromMoves(*moves);
    else
        reads.addFromTraces(totals.valuesNeeded);
}

} // namespace coalescope::kernels
