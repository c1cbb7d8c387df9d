// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace coalescope::analysis {

/// What one warp issues and waits for, by its machine code. All 0: not known.
struct MachineWork {
    double loadInstructions = 0, storeInstructions = 0; ///< up to the last global load of a round, and after it
    double loadClocks = 0, storeClocks = 0; ///< these take when no other warp issues, waits apart
    double loadWaits = 0; ///< for global loads
    double atomicWaits = 0; ///< for what atomics on global memory have found
    double sharedWaits = 0; ///< for shared loads
    double localWaits = 0; ///< for loads from local memory
    double loadShuffleWaits = 0, storeShuffleWaits = 0; ///< for what other lanes pass on, in either half as above
    double loadOtherWaits = 0, storeOtherWaits = 0; ///< for results that take a varying time, likewise
    double storesInTurn = 0; ///< to global memory, with nothing else of memory since the one before
    double storeGapClocks = 0; ///< from that one to these, in all, when no other warp issues
    double issueClocks = 0; ///< of a scheduler, all instructions: what reading their registers takes, and one more for each access
    // Of the instructions, those that keep one of a scheduler's pipes for longer than a clock.
    double integers = 0; ///< additions, logic, shifts, comparisons, choices; minimum and maximum of floats
    double products = 0; ///< of integers
    double doubles = 0;
    double specials = 0; ///< functions, conversions, counts of bits
    double matrices = 0; ///< products of matrices, in those of 16 x 16 with 16 x 8 halves

    [[nodiscard]] bool known() const { return loadInstructions + storeInstructions > 0; }
};

/// What a launch issues by its program alone, in machine instructions.
struct ProgramWork {
    double instructions = 0;
    double doubles = 0, specials = 0; ///< of those, as above
    double shuffles = 0;
};

/// What the threads of a launch, or of one block, ask of local memory: each of theirs lies, word by word, between that of the other
/// lanes of its warp, so that a warp that asks for one element of each asks for whole sectors.
struct LocalTraffic {
    double loadRequests = 0, storeRequests = 0; ///< for a word of each lane, or less
    double loadSectors = 0, storeSectors = 0;
    double loadTags = 0, storeTags = 0;
    double partStoreTags = 0; ///< of lines whose sectors a store does not fill
    double distinctSectors = 0, distinctLines = 0; ///< stored, of each block
    double rounds = 0; ///< times a warp waits for loads
    double missShare = 1; ///< of the sectors loaded, what L1 does not have
    double missingTurns = 1; ///< of the warps' turns at loads, those that miss something
    double goneShare = 0; ///< of what L1 does not have, the L2 has let go as well

    [[nodiscard]] double missedSectors() const { return loadSectors * missShare; }
};

/// What a profiler that replays the launch has put back later than what the launch touches, on average over it, in bytes: the more,
/// the less of it is in the L2 when the launch begins. Where what is read is put back last, and nothing else after it, all are 0.
struct PutBack {
    double afterReads = 0; ///< what the launch does not touch
    double writtenAfterReads = 0; ///< what it writes
    double afterWrites = 0; ///< what it does not touch
    double readsBeforeWrites = 0; ///< what it reads, put back earlier than what it writes
};

/// What a launch asks of the memory system: exact counts of the whole grid, and what one block in
/// its middle tells about repetition and waiting.
struct Traffic {
    // The whole grid.
    double blocks = 0;
    double wholeBlocks = 0; ///< those at the grid's border count as far as they make accesses
    double loadRequests = 0, storeRequests = 0; ///< global
    double loadSectors = 0, storeSectors = 0; ///< global
    double loadTags = 0, storeTags = 0; ///< global cache lines
    double loadWavefronts = 0; ///< of global loads, by banks as in shared memory
    double gridWaits = 0; ///< times that a block waits for others of the grid
    double atomicSectors = 0; ///< of atomics on global memory
    double atomicRequests = 0; ///< a warp's each
    double atomicRounds = 0; ///< how often a warp waits for what they have found
    double atomicPasses = 0; ///< the same sectors, each once for every lane on its busiest word
    double atomicPassesOfASlice = 0; ///< of those, in the slice of the L2 that others wait for
    double atomicFloatsOfAWord = 0; ///< lanes that add floating-point values to the word that gets the most
    double constantAddresses = 0; ///< different ones of each load of constants from an address in a register
    double constantWaits = 0; ///< how often a warp waits for what they have found
    double constantWaitShare = 1; ///< the same over its loads
    double constantMisses = 0; ///< lines of 64 bytes of these that the SM's cache of constants, of 2 KB, does not hold
    double sharedInstructions = 0, sharedWavefronts = 0;
    double warpInstructions = 0; ///< of the program
    ProgramWork program; ///< what they become, where the machine code does not tell
    std::vector<std::uint32_t> issuedByBlock; ///< of each block, in their order; empty: all issue about as many
    double multiplyAdds = 0; ///< of the program's, fused ones
    double programInstructions = 0; ///< of the program, each once
    double readBytes = 0, writeBytes = 0; ///< distinct, in the pieces that DRAM moves
    double readLineBytes = 0,
           writeLineBytes = 0; ///< distinct cache lines: what they take of the L2
    double bothLineBytes = 0; ///< of those, lines that are read and written
    double readAgainBytes = 0; ///< of the distinct ones, read from DRAM once more each time the L2 had let them go
    PutBack putBack;
    bool blocksReadTheSame = false; ///< not only at their borders
    double l1ReadShare = 1; ///< sectors that L1 asks the L2 for, over sectors that the warps ask for
    double scatteredSectors = 0; ///< that blocks anywhere in the grid fill together, in no order
    double scatteredStores = 0; ///< to each of these
    bool filledFarApart = false; ///< sectors, by blocks that are far from each other, of which it is not followed how far
    double joinedReads = 1; ///< sectors that the L2 is read for, over those: SMs that ask for the same one at once are answered together

    // One block.
    double warps = 0;
    double readRuns = 0, writeRuns = 0; ///< stretches of neighbouring bytes
    double storedSectors = 0, storedLines = 0, loadedLines = 0; ///< distinct
    double l1Lines = 0; ///< of an SM that is full of such blocks, for each; 0: not known
    bool storesContinue = false; ///< those of the next block go on where its own end
    double partStoredSectors = 0; ///< of those, the ones that no single access fills, nor one warp's right after each other
    double joinedSectors = 0; ///< stored, but joined by the same warp's next stores
    double followedSectors = 0; ///< stored to by a warp right after the warp before it
    double followedShifted = 0; ///< of those, where the two warps' first lanes store to different sectors
    double followedLines = 0; ///< the same for lines
    double storeLaneBytes = 0; ///< that a lane stores at once, on average
    double loadsAhead = 1; ///< share of its loads that come before its warps store
    double missingTurns = -1; ///< share of its warps' turns at loads that miss something in L1; below 0: not known
    double freshLoads = 1; ///< share of its loads whose data no other block reads as well
    double openSectors = 0; ///< half written, at any moment of its life
    double openByOneWarp = 0; ///< of those, what a single warp fills
    double openInPlace = 0; ///< of the open ones, what the block has loaded before
    double holeSectors = 0; ///< stored, but filled by no block: DRAM must be read for the rest of each
    double holesStoredAgain = 0; ///< of those, written by several stores
    double openBetweenBlocks = 0; ///< left half written, times the blocks that start until others fill them
    double sharedSectors = 0; ///< its share of those that it fills with other blocks than the next
    double openApart = 0; ///< its share, at any moment of a round of loads, of those it fills with other blocks
    double loadRounds = 0; ///< times a warp waits for global loads
    double copyRounds = 0; ///< times a warp waits for asynchronous copies
    bool storesAfterCopies = false; ///< it changes global memory after the last such wait only
    double copiesAhead = 0; ///< rounds of work with what was copied before, between asking for copies and waiting for them
    double sharedLockClocks = 0; ///< that its atomics on shared memory keep their words, or a warp, from the next
    double sharedRounds = 0; ///< times a warp waits for shared loads
    double barriers = 0;
    MachineWork machine;
    bool machineFits = true; ///< the machine code, as far as there is one, makes the accesses of the PTX
    LocalTraffic local; ///< requests, sectors and tags of the whole grid

    /// Of global memory: sectors that L1 asks the L2 for.
    [[nodiscard]] double missedSectors() const { return loadSectors * l1ReadShare; }
};

} // namespace coalescope::analysis
