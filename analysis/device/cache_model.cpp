// SPDX-License-Identifier: Apache-2.0
#include "analysis/device/cache_model.h"

#include "analysis/access/sector_model.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace coalescope::analysis {

namespace {

// Shares of the L2, from the dram__ counters of the recorded H200 launches. The H200's L2 has two
// halves and keeps what an SM of the other half reads in both: about half of its size is left for
// distinct data.
constexpr double kReadOutgrown = 0.576, kPartsReadLater = 0.055, kReadWidth = 0.13;
constexpr double kSplitOutgrown = 0.5, kSplitWidth = 0.09; ///< what is half written leaves sooner than what was read
// From the times of launches that ran before.
constexpr double kWarmOutgrown = 0.67, kWarmWidth = 0.06;
constexpr double kWarmSplit = 1.0, kWarmSplitWidth = 0.06; ///< what is half written is what was used last
// From 36 launches on an H200 (driver 580.159.04, 2026-11-22) that store every 2nd to 32nd word: what they read from DRAM.
constexpr double kHolesOutgrown = 0.5, kHolesWidth = 0.1;
constexpr double kHolesStay = 0.18; ///< of the L2: lines that are still there at the end
constexpr double kGone = 0.575, kGoneWidth = 0.34; ///< none to all of what was read before
constexpr double kWriteOutgrown = 0.27, kPartsWriteSooner = 0.02, kWriteWidth = 0.08;
constexpr double kReadInBoth = 0.43; ///< so much more room what is read takes, and what is written less:
                                     ///< from strided_copy, which reads more than it writes
constexpr double kInPlace = 0.7; ///< so much less room than both what is read and written takes what is the same: from updates
                                 ///< in place of 17, 25 and 34 MB, which read 7, 46 and 81 % of them from DRAM
constexpr double kReadBefore = 1.9; ///< what resident blocks read before they write has less written data in its way: all
                                    ///< of it less where it is half of the L2; from launches of few waves
constexpr double kInPlaceStays = 0.09; ///< of the L2: what is written where it was read, and more of it is modified after the launch
                                       ///< than before; from updates in place of 34, 67 and 101 MB
// From 34 launches on an H200 (driver 580.159.04, 2026-11-25) whose buffers differ in order and size: room in the L2 that what the
// profiler puts back takes, read from its copy and written.
constexpr double kPutBack = 1.86, kPutBackWritten = 1.0; ///< the latter needs none when the launch writes it
constexpr double kReadsBeforeWrites = 0.56; ///< what is written leaves so much later where what is read was put back before it
constexpr double kModifiedShare = 0.35; ///< most that waits modified for its way to DRAM
/// The same of what the profiler has put back, and how much must be read to push most of it out: from launches of 20 kernels
/// that read 33 MB and more and write little (tests/device/sweeps/h200.jsonl).
constexpr double kPutBackModified = 0.415, kReadsPushOut = 0.36;
// Where it was empty: 65 launches (h200_emptied.csv).
constexpr double kEmptiedModified = 0.455; ///< of the L2, at most, when the launch ends
constexpr double kReadBesideWritten = 0.386; ///< of the room that a written byte takes of that, for one that is read
// Stores of parts of lines leave the L2 earlier than those of whole lines: when the launch ends, less is modified
// than when it began. The launch's own data is all that is modified once it has written some of the L2's size.
constexpr double kLessModified = 0.083, kWholeLinesStay = 0.022;
constexpr double kPartsReplace = 0.18, kWholeLinesReplaceLater = 0.1;

// Half of all sectors belong to the other half of the L2 than an SM's own: what is asked of that one is counted again. Half of what
// the L2 has kept from an earlier launch is still in both. Source: lts__ over l1tex__m_ counters of the recorded H200 launches.
constexpr double kOtherHalf = 0.5, kLostToTheOtherHalf = 0.5;

// What every launch reads besides its data, from the recorded launches of 2,145 elements: its
// state, and its code (16 bytes an instruction) once into each of the chip's instruction caches.
constexpr double kLaunchL2Sectors = 785, kLaunchDramSectors = 72, kCodeCopies = 9.1;
constexpr double kInstructionBytes = 16;
constexpr double kPairBytes = 2 * kSectorBytes; // what DRAM moves

// A store of few sectors is joined by the next warp's parts of them: while it waits for the L2, or, where waiting
// for DRAM drives the warps apart, in the L2. From l1tex__m_l1tex2xbar_write_sectors of recorded transpose_naive
// launches of 4 to 32 sectors a store.
constexpr double kJoinSectors = 34, kJoinMost = 0.58, kJoinLostToDram = 0.8;

// Where warps do not begin with the same lines (blocks 28 wide), more are joined, and most where they wait for DRAM.
constexpr double kShiftedMost = 0.6, kShiftedSectors = 14, kShiftedMostInDram = 0.5, kShiftedSectorsInDram = 40;

// Stores of neighbouring warps to one line reach the L2 as one request if they meet on their way: from
// lts__t_requests of launches whose stores write 2 to 64 bytes a line into 2 to 32 lines (h200_store_requests.csv).
constexpr double kMeetMost = 0.45; ///< share of those that follow each other
constexpr double kMeetLines = 28; ///< of an SM's blocks; among more they meet less often
constexpr double kMeetLostToDram = 0.3; ///< where waiting for DRAM drives the warps apart
// A store to more lines meets none.
constexpr double kMeetAll = 16, kMeetNone = 22;
constexpr double kWordBytes = 4;

// From the DRAM reads of recorded launches whose stores fill parts of sectors.
constexpr double kHalfWrittenShare = 0.25; ///< of the L2, where half written sectors stay
constexpr double kOneWarpsShare = 0.17; ///< the same where one warp fills them and nothing is read: what is more leaves
// Blocks whose warps meet before they store: from large launches whose rows begin within sectors.
constexpr double kMeetingApart = 0.34; ///< at most, over those whose warps do not meet
constexpr double kApartAWave = 1.7; ///< the more warps, the longer they stay in step
constexpr double kKeptTogether = 0.0075; ///< of the L2: so much half written by all of them it keeps
constexpr double kQueuePower = 8; ///< where shared memory takes longer than DRAM they stay in step
constexpr double kFullSplits = 0.5; ///< among what an L2 full of other data can keep; from cold times

/// Rises from 0 to 1 as `share` outgrows the middle: lines fall at random into sets of the L2, and where more fall than
/// a set holds, some leave.
double outgrown(double share, double middle, double width)
{
    return std::erfc((middle - share) / width / std::numbers::sqrt2) / 2;
}

/// 0 where a store writes one sector of a line, 1 where it writes all.
double lineFilled(const Traffic& traffic)
{
    return (sectorsOfALine(traffic) - 1) / (kLineSectors - 1);
}

/// Lanes that do not fill a word: their stores meet each other as those to so many times more lines do.
double lineFactor(const Traffic& traffic)
{
    const double bytes = traffic.storeLaneBytes;
    return bytes > 0 ? std::sqrt(std::max(1.0, kWordBytes / bytes)) : 1;
}

/// Of sectors that SMs of either half of the L2 ask for, `times` times each on average, the share that some SM of the other half than
/// their own asks for.
double askedAcross(double times)
{
    const double whole = std::floor(times);
    return 1 - std::lerp(std::exp2(-whole), std::exp2(-whole - 1), times - whole);
}

/// Sectors that one half of the L2 asks the other one for. It keeps them: each is asked for once, and not at all where it still has
/// what an earlier launch has asked for.
double readsOfTheOtherHalf(const Traffic& traffic, const DramTraffic& dram)
{
    const double fromDram = dram.readBytes / kSectorBytes, kept = traffic.readBytes * (1 - dram.readShare) / kSectorBytes;
    const double asked = traffic.missedSectors() + traffic.local.missedSectors();
    const double times = asked / std::max(1.0, fromDram + kept);
    // What came along in a pair from DRAM and was not asked for is handed on, too.
    return askedAcross(std::max(1.0, times)) * (fromDram + kLostToTheOtherHalf * kept * std::min(1.0, times));
}

/// Of the lines that are written, those that are read as well.
double inPlaceShare(const Traffic& traffic)
{
    return traffic.writeLineBytes > 0 ? traffic.bothLineBytes / traffic.writeLineBytes : 0;
}

/// Modified bytes in the L2 before the launch, less those after it.
double lessModified(const DeviceModel& device, const Traffic& traffic)
{
    const double filled = lineFilled(traffic);
    const double room = (kPartsReplace + kWholeLinesReplaceLater * filled) * device.l2Bytes;
    const double replaced = 1 - std::exp(-traffic.writeBytes / room);
    return device.l2Bytes * (kLessModified - kWholeLinesStay * filled) * replaced * replaced;
}

/// How far blocks get apart, over those whose warps do not meet: in step when they start, they lose it while they wait
/// for DRAM.
double getApart(const DeviceModel& device, const Traffic& traffic, double residentBlocks)
{
    if (traffic.barriers == 0 || traffic.storedSectors == 0)
        return 1;
    const double waves = traffic.blocks / residentBlocks;
    const double apart = 1 - std::exp(-kApartAWave * (waves - 1) / std::max(1.0, traffic.warps));
    const double kept = kKeptTogether * device.l2Bytes / (residentBlocks * traffic.storedSectors * kSectorBytes);
    const double sharedNs
        = traffic.sharedWavefronts / device.sharedWavefrontsPerClock / device.sms / device.clockGHz;
    const double dramNs = (traffic.readBytes + traffic.writeBytes) / device.dramBytesPerNs;
    return kMeetingApart * apart * std::max(0.0, 1 - kept) / (1 + std::pow(sharedNs / dramNs, kQueuePower));
}

/// The room that half written sectors take in the L2, in sectors, at any moment of a block's life: it keeps whole lines
/// for what one warp fills, also where each store writes single sectors of them.
struct OpenRoom {
    explicit OpenRoom(const Traffic& traffic)
        : byOneWarp(traffic.openByOneWarp * kLineSectors / sectorsOfALine(traffic))
        , all(traffic.openSectors - traffic.openByOneWarp + byOneWarp)
    {
    }
    double byOneWarp, all;
};

} // namespace

double sectorsOfALine(const Traffic& traffic)
{
    return traffic.storeTags > 0 ? std::clamp(traffic.storeSectors / traffic.storeTags, 1.0, double(kLineSectors)) : kLineSectors;
}

double openByOneWarpShare(const Traffic& traffic)
{
    const OpenRoom room(traffic);
    return room.all > 0 ? room.byOneWarp / room.all : 0;
}

double holeSectors(const Traffic& traffic, const DramTraffic& dram)
{
    return traffic.holeSectors * traffic.blocks * dram.holeShare;
}

double holeBytes(const Traffic& traffic, const DramTraffic& dram)
{
    const double alone = std::max(0.0, kPairBytes / kSectorBytes - sectorsOfALine(traffic));
    return holeSectors(traffic, dram) * kSectorBytes * (1 + 2 * alone);
}

double begunShare(const Traffic& traffic)
{
    return traffic.storedSectors > 0 ? traffic.partStoredSectors / traffic.storedSectors : 0;
}

JoinedSectors joinedSectors(const Traffic& traffic, const DramTraffic& dram)
{
    const double byOneWarp = traffic.joinedSectors * traffic.blocks;
    if (traffic.partStoredSectors == 0 || traffic.storeRequests == 0)
        return { .beforeL2 = byOneWarp };
    const double sectors = traffic.storeSectors / traffic.storeRequests * lineFactor(traffic);
    const double aligned = (traffic.followedSectors - traffic.followedShifted) * traffic.blocks
        * std::clamp(kJoinMost - sectors / kJoinSectors, 0.0, 1.0);
    const double narrow = sectors * lineFactor(traffic); // of lanes that fill no word fewer still
    const double shifted = traffic.followedShifted * traffic.blocks
        * std::lerp(kShiftedMost * std::exp(-narrow / kShiftedSectors),
            kShiftedMostInDram * std::exp(-narrow / kShiftedSectorsInDram), dram.readShare);
    const double lost = kJoinLostToDram * dram.readShare;
    return { .beforeL2 = byOneWarp + aligned * (1 - lost) + shifted, .inL2 = aligned * lost, .withTheirLines = shifted };
}

double storeLineRequests(const Traffic& traffic, double residentOfAnSm, const DramTraffic& dram)
{
    if (traffic.storeRequests == 0)
        return 0;
    const double lines = traffic.storeTags / traffic.storeRequests * lineFactor(traffic);
    const double near = std::clamp((kMeetNone - lines) / (kMeetNone - kMeetAll), 0.0, 1.0);
    const double others = std::max(1.0, traffic.storedLines * residentOfAnSm);
    const double meet = near * std::min(kMeetMost, kMeetLines / others) * (1 - kMeetLostToDram * dram.readShare);
    return traffic.storeTags - meet * traffic.followedLines * traffic.blocks;
}

double roomOfStores(const DeviceModel& device) { return device.l2InHalves ? 1 - kReadInBoth : 1; }

double goneShare(const DeviceModel& device, double bytesSince)
{
    const double share = bytesSince / device.l2Bytes;
    return std::clamp((share - kGone) / kGoneWidth + 0.5, 0.0, 1.0);
}

namespace {

/// Share of what is written that has left an L2 which was empty when the launch began.
double leftEmptied(const DeviceModel& device, double readBytes, double writeBytes)
{
    if (writeBytes <= 0)
        return 0;
    return std::max(0.0, 1 - kEmptiedModified * device.l2Bytes / (writeBytes + kReadBesideWritten * readBytes));
}

/// What stores that fill sectors in no order cost DRAM where the L2 does not keep all that the launch moves: it lets go of the lines that were
/// used least lately, and completes what is half written of them. `readWeight`, `writeWeight`: room that a line takes, of `capacity` bytes.
///
/// Source:  follows from use in a random order; DRAM's sectors of `shuffle` of scattered.cu on an H200 (driver 580.159.04, 2026-11-28)
/// with 2, 4 and 8 stores to a sector of 34 and 67 MB: 2.6 times to 1.3.
void addScattered(DramTraffic& dram, const Traffic& traffic, double readWeight, double writeWeight, double capacity)
{
    const double sectors = traffic.scatteredSectors, stores = traffic.scatteredStores;
    if (sectors <= 0 || stores <= 1)
        return;
    const double lines = traffic.writeLineBytes / kCacheLineBytes, ofALine = sectors * stores / lines;
    const auto room = [&](double share) { // that is used in so large a share of the launch
        return writeWeight * traffic.writeLineBytes * -std::expm1(-ofALine * share) + readWeight * traffic.readLineBytes * share;
    };
    if (room(1) <= capacity)
        return;
    double kept = 0, gone = 1;
    for (int i = 0; i < 40; ++i) {
        const double middle = (kept + gone) / 2;
        (room(middle) <= capacity ? kept : gone) = middle;
    }
    // The next store to a line comes in time, and is one to the same sector, or others come before.
    const double inTime = 1 - std::pow(1 - kept, ofALine), same = std::min(1.0, lines / sectors);
    const double found = same * inTime / (1 - (1 - same) * inTime);
    const double again = (stores - 1) * (1 - found);
    dram.scatteredAgain = sectors * again;
    dram.scatteredCompleted = sectors * (1 + again - std::pow(found, stores - 1));
}

} // namespace

DramTraffic dramTraffic(const DeviceModel& device, const Traffic& traffic, double residentBlocks, L2State state)
{
    const double moreRead = device.l2InHalves ? kReadInBoth : 0;
    const double resident = std::min(residentBlocks, traffic.blocks);
    const double localLineBytes = traffic.local.distinctLines * resident * kCacheLineBytes;
    // What is stored again after the L2 has let it go is written back again.
    const double localDistinct = traffic.local.distinctSectors * traffic.wholeBlocks;
    const double localAgain = std::max(0.0, traffic.local.storeSectors - localDistinct) * traffic.local.missShare * traffic.local.goneShare;
    const double localBytes = (localDistinct + localAgain) * kSectorBytes;
    const double before = traffic.readLineBytes == 0 ? 0 : traffic.loadsAhead * std::min(1.0, residentBlocks / std::max(1.0, traffic.blocks))
        * std::min(1.0, kReadBefore * traffic.writeLineBytes / device.l2Bytes);
    double l2Share
        = ((1 + moreRead) * traffic.readLineBytes + (1 - moreRead) * ((1 - before) * traffic.writeLineBytes + localLineBytes)
              - kInPlace * traffic.bothLineBytes)
        / device.l2Bytes;
    const auto readIn = [&](double share) { return outgrown(share, kReadOutgrown + kPartsReadLater * begunShare(traffic), kReadWidth); };
    DramTraffic dram;
    dram.readShare = dram.writeShare = readIn(l2Share);
    dram.splitShare = outgrown(l2Share, kSplitOutgrown, kSplitWidth);
    const double lines = traffic.readLineBytes + traffic.writeLineBytes - traffic.bothLineBytes + localLineBytes;
    dram.holeShare = outgrown(lines / device.l2Bytes, kHolesOutgrown, kHolesWidth)
        * std::max(0.0, 1 - kHolesStay * device.l2Bytes / std::max(1.0, traffic.writeLineBytes));
    switch (state) {
    case L2State::Warm:
        // What is asked for again and again stays longer than what came back with a copy, and what is
        // read takes no more room than what is written.
        l2Share = lines / device.l2Bytes;
        dram.readShare = dram.writeShare = outgrown(l2Share, kWarmOutgrown, kWarmWidth);
        dram.splitShare = outgrown(l2Share, kWarmSplit, kWarmSplitWidth);
        dram.holeShare = dram.writeShare;
        dram.writeBytes = (traffic.writeBytes + localBytes) * dram.writeShare;
        break;
    case L2State::Profiled: {
        const PutBack& putBack = traffic.putBack;
        const double afterReads = (kPutBack * putBack.afterReads + kPutBackWritten * putBack.writtenAfterReads) / device.l2Bytes;
        const double afterWrites = putBack.afterWrites / device.l2Bytes; // its copy is only read
        dram.readShare = readIn(l2Share + afterReads);
        const double writeRoom = l2Share + afterWrites - kReadsBeforeWrites * putBack.readsBeforeWrites / device.l2Bytes;
        // Reads push out what the profiler has written, as far as the launch's own writes do not
        // take its place.
        const double reads = traffic.readLineBytes, both = reads + traffic.writeBytes;
        const double left = both > 0 ? std::max(0.0, (reads - traffic.writeBytes) / both) : 0;
        dram.writeShare = outgrown(writeRoom, kWriteOutgrown - kPartsWriteSooner * begunShare(traffic), kWriteWidth);
        const double room = kReadsPushOut * device.l2Bytes;
        const double pushedOut = kPutBackModified * device.l2Bytes * left * (1 - std::exp(-dram.readShare * reads / room));
        const double ownModified = std::max(0.0, 1 - afterWrites / kWriteOutgrown); // not where other data was modified before as well
        const double more = std::lerp(lessModified(device, traffic), -kInPlaceStays * ownModified * device.l2Bytes, inPlaceShare(traffic));
        dram.writeBytes = std::max(0.0, dram.writeShare * (traffic.writeBytes + localBytes + more) + pushedOut);
        break;
    }
    case L2State::Cold:
        // Whatever the launch brings in pushes out the other data.
        dram.writeBytes = std::max((traffic.writeBytes + localBytes) * dram.writeShare,
            std::min(traffic.readBytes + traffic.writeLineBytes + localLineBytes, kModifiedShare * device.l2Bytes));
        dram.readShare = 1;
        dram.splitShare = std::lerp(dram.splitShare, 1, kFullSplits);
        break;
    case L2State::Emptied:
        dram.readShare = 1;
        dram.writeShare = leftEmptied(device, traffic.readLineBytes, traffic.writeLineBytes + localLineBytes);
        dram.writeBytes = (traffic.writeBytes + localBytes) * dram.writeShare;
        break;
    }
    if (state == L2State::Warm)
        addScattered(dram, traffic, 1, 1, kWarmOutgrown * device.l2Bytes);
    else
        addScattered(dram, traffic, 1 + moreRead, 1 - moreRead, kReadOutgrown * device.l2Bytes);
    // A sector that L1 asks for brings no more than a pair.
    const double asked = traffic.missedSectors();
    const double again
        = std::clamp(kPairBytes * asked - traffic.readBytes, 0.0, traffic.readAgainBytes);
    dram.readBytes = traffic.readBytes * dram.readShare + again;
    // Blocks that share no more than their borders: the first read of a sector is the only one.
    dram.missShare = traffic.blocksReadTheSame && asked > 0
        ? std::min(1.0, dram.readBytes / kSectorBytes / asked)
        : dram.readShare;
    dram.readBytes += traffic.local.missedSectors() * traffic.local.goneShare * kSectorBytes;
    return dram;
}

CacheSectors cacheSectors(const DeviceModel& device, const Traffic& traffic, double residentBlocks, L2State state)
{
    return cacheSectors(device, traffic, residentBlocks, state, dramTraffic(device, traffic, residentBlocks, state));
}

CacheSectors cacheSectors(const DeviceModel& device, const Traffic& traffic, double residentBlocks, L2State state, const DramTraffic& dram)
{
    CacheSectors sectors;
    const double asked = traffic.missedSectors();
    sectors.l1Read = asked + traffic.local.missedSectors();
    sectors.l1Write = traffic.storeSectors + traffic.local.storeSectors - joinedSectors(traffic, dram).beforeL2;
    const double twice = device.l2InHalves ? 1 : 0;
    const double code = traffic.programInstructions * kInstructionBytes / kSectorBytes;
    // What a block has loaded is whole in the L2.
    const double notLoaded = traffic.openSectors > 0 ? 1 - traffic.openInPlace / traffic.openSectors : 1;
    const double split = notLoaded * splitSectors(device, traffic, residentBlocks, dram);
    const double completed = split + holeSectors(traffic, dram) + dram.scatteredCompleted;
    const double stored = sectors.l1Write;
    sectors.l1Write += traffic.atomicSectors; // the L2 counts them apart
    sectors.dramRead = kLaunchDramSectors + (state == L2State::Emptied ? code : 0) + dram.readBytes / kSectorBytes + completed;
    sectors.dramWrite = dram.writeBytes / kSectorBytes + split + dram.scatteredAgain;
    sectors.l2Read = kLaunchL2Sectors + kCodeCopies * code + asked * traffic.joinedReads + traffic.local.missedSectors() + twice * readsOfTheOtherHalf(traffic, dram);
    sectors.l2Write = stored * (1 + twice * kOtherHalf) + completed;
    for (double* count : { &sectors.l1Read, &sectors.l1Write, &sectors.l2Read, &sectors.l2Write,
             &sectors.dramRead, &sectors.dramWrite })
        *count = std::round(*count);
    return sectors;
}

double splitSectors(const DeviceModel& device, const Traffic& traffic, double residentBlocks,
    const DramTraffic& dram)
{
    if (traffic.partStoredSectors == 0)
        return 0;
    const double begun = begunShare(traffic);
    const double resident = std::min(residentBlocks, traffic.blocks);
    // Between rounds of loads and stores they come together again.
    const double rounds = std::clamp(1 / std::max(traffic.loadsAhead, 0.01), 1.0, std::max(1.0, traffic.loadRounds));
    const double apart = getApart(device, traffic, resident) * traffic.openApart / rounds;
    const double open = resident * (OpenRoom(traffic).all + apart) + traffic.openBetweenBlocks;
    if (open <= 0)
        return 0;
    const double sectors = resident * (traffic.openSectors + apart) + traffic.openBetweenBlocks;
    const double openBytes = open * kSectorBytes / begun;
    // Where as much is read as written, the counters follow the room that many warps' sectors have.
    const double unread = 1 - std::min(1.0, traffic.readLineBytes / std::max(1.0, traffic.writeBytes));
    const double share = std::lerp(1 - std::exp(-openBytes / (kHalfWrittenShare * device.l2Bytes)),
        std::max(0.0, 1 - kOneWarpsShare * device.l2Bytes / openBytes), unread * resident * traffic.openByOneWarp / sectors);
    return share * begun * dram.splitShare * traffic.writeBytes / kSectorBytes;
}

} // namespace coalescope::analysis
