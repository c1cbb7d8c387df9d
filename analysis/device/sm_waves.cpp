// SPDX-License-Identifier: Apache-2.0
#include "analysis/device/sm_waves.h"

#include <algorithm>
#include <limits>

namespace coalescope::analysis {

namespace {

constexpr unsigned kMostResident = 64;
constexpr int kPhases = 2; ///< of a round: load, store
constexpr double kNever = std::numeric_limits<double>::infinity();

/// Blocks in the order in which they will be done with something.
class Queue {
public:
    void push(double due, int block)
    {
        m_entries[(m_head + m_size++) % kMostResident] = { due, block };
    }
    int pop()
    {
        --m_size;
        const int block = m_entries[m_head].block;
        m_head = (m_head + 1) % kMostResident;
        return block;
    }
    [[nodiscard]] double due() const { return m_size == 0 ? kNever : m_entries[m_head].due; }

private:
    struct Entry {
        double due = 0;
        int block = 0;
    };
    std::array<Entry, kMostResident> m_entries;
    unsigned m_head = 0, m_size = 0;
};

/// A station that all its users share equally: `served` is what each has had since the beginning,
/// so that equal demands are done in the order of arrival.
struct SharedStation {
    std::array<Queue, kPhases> queues;
    double served = 0;
    double posted = 0; ///< work that nobody waits for: one user more
    int waiting = 0;

    [[nodiscard]] int users() const { return waiting + (posted > 0); }
    [[nodiscard]] Queue& first() { return queues[queues[1].due() < queues[0].due()]; }
    /// Whether the posted work is done before the first waiting block.
    [[nodiscard]] bool postedIsNext() { return posted > 0 && posted <= first().due() - served; }
    [[nodiscard]] double nextNs()
    {
        if (users() == 0)
            return kNever;
        return users() * (postedIsNext() ? posted : first().due() - served);
    }
    void advance(double ns)
    {
        if (users() == 0)
            return;
        const double each = ns / users();
        served += each;
        posted = std::max(0.0, posted - each);
    }
};

bool isPosted(int phase, int station)
{
    return phase == 1 && (station == int(Station::L2) || station == int(Station::Dram));
}

class Simulation {
public:
    Simulation(const BlockWork& work, int blocks, int resident)
        : m_work(work)
        , m_blocks(blocks)
    {
        for (int s = 0; s < kStationCount; ++s) {
            m_demand[0][s] = work.load[s] / work.rounds;
            m_demand[1][s] = isPosted(1, s) ? 0 : work.store[s] / work.rounds;
            m_posted[s] = isPosted(1, s) ? work.store[s] / work.rounds : 0;
        }
        for (int i = 0; i < resident; ++i)
            start(i);
    }

    /// Runs until `done` blocks have left in all.
    double runUntil(int done)
    {
        while (m_done < done)
            step();
        return m_now;
    }
    /// Time that posted work takes when the last block has left.
    [[nodiscard]] double drainNs() const
    {
        double ns = 0;
        for (const SharedStation& station : m_stations)
            ns = std::max(ns, station.posted);
        return ns;
    }

private:
    struct Block {
        int phase = 0, round = 0, pending = 0;
        bool isLeading = false;
    };

    void start(int block)
    {
        if (m_started++ >= m_blocks)
            return;
        m_startFree = std::max(m_now, m_startFree) + m_work.startNs;
        m_state[std::size_t(block)] = {};
        m_starting.push(m_startFree, block);
    }
    /// Instructions up to the first loads are issued while the block gets there.
    void lead(int block)
    {
        Block& state = m_state[std::size_t(block)];
        state.isLeading = true;
        state.pending = 1;
        m_leading.push(m_now + m_work.leadNs, block);
        issue(block);
    }
    void issue(int block)
    {
        Block& state = m_state[std::size_t(block)];
        const double ns = m_demand[state.phase][int(Station::Issue)];
        if (ns <= 0)
            return;
        ++state.pending;
        m_issueFree = std::max(m_now, m_issueFree) + ns;
        m_issuing.push(m_issueFree, block);
    }
    void enter(int block)
    {
        Block& state = m_state[std::size_t(block)];
        const StationTimes& demand = m_demand[state.phase];
        for (int s = 0; s < kStationCount; ++s) {
            if (demand[s] <= 0 || s == int(Station::Issue))
                continue;
            ++state.pending;
            m_stations[s].queues[state.phase].push(m_stations[s].served + demand[s], block);
            ++m_stations[s].waiting;
        }
        if (state.isLeading)
            state.isLeading = false;
        else
            issue(block);
        if (state.pending == 0)
            wait(block);
    }
    void wait(int block)
    {
        const int phase = m_state[std::size_t(block)].phase;
        m_waiting[phase].push(
            m_now + (phase == 0 ? m_work.loadLatencyNs : m_work.storeLatencyNs), block);
    }
    void served(int block)
    {
        Block& state = m_state[std::size_t(block)];
        if (--state.pending > 0)
            return;
        if (state.isLeading)
            enter(block);
        else
            wait(block);
    }
    void phaseDone(int block)
    {
        Block& state = m_state[std::size_t(block)];
        if (state.phase == 1) {
            for (int s = 0; s < kStationCount; ++s)
                m_stations[s].posted += m_posted[s];
            if (++state.round == m_work.rounds) {
                ++m_done;
                start(block);
                return;
            }
        }
        state.phase = 1 - state.phase;
        enter(block);
    }
    void step();

    const BlockWork& m_work;
    int m_blocks;
    std::array<StationTimes, kPhases> m_demand {};
    StationTimes m_posted {};
    std::array<SharedStation, kStationCount> m_stations;
    std::array<Queue, kPhases> m_waiting; ///< for answers, for barriers
    Queue m_starting, m_leading, m_issuing;
    std::array<Block, kMostResident> m_state {};
    double m_now = 0, m_startFree = 0, m_issueFree = 0;
    int m_started = 0, m_done = 0;
};

/// Goes to the next moment at which something is done.
void Simulation::step()
{
    Queue* queue = &m_starting;
    for (Queue* other : { &m_leading, &m_issuing, &m_waiting[0], &m_waiting[1] })
        queue = other->due() < queue->due() ? other : queue;
    double ns = std::max(0.0, queue->due() - m_now);
    SharedStation* station = nullptr;
    for (SharedStation& other : m_stations) {
        if (const double left = other.nextNs(); left < ns) {
            ns = std::max(0.0, left);
            station = &other;
        }
    }
    const bool posted = station && station->postedIsNext();
    m_now += ns;
    for (SharedStation& other : m_stations)
        other.advance(ns);
    if (posted) {
        station->posted = 0;
    } else if (station) {
        --station->waiting;
        served(station->first().pop());
    } else if (queue == &m_starting) {
        lead(queue->pop());
    } else if (queue == &m_leading || queue == &m_issuing) {
        served(queue->pop());
    } else {
        phaseDone(queue->pop());
    }
}

} // namespace

double smWavesNs(const BlockWork& work, int blocks, int resident)
{
    resident = std::clamp(resident, 1, std::min(blocks, int(kMostResident)));
    const int followed = std::min({ blocks, 4 * resident + 16, 2 * resident + 48 });
    Simulation simulation(work, followed, resident);
    if (followed == blocks) {
        const double ns = simulation.runUntil(blocks);
        return ns + simulation.drainNs();
    }
    // The rate is that of the second half, the drain of the last blocks included.
    const int middle = followed - std::max(resident, followed / 2);
    const double middleNs = simulation.runUntil(middle), endNs = simulation.runUntil(followed);
    const double steadyNs = (endNs - middleNs) / (followed - middle);
    double busiestNs = 0;
    for (int s = 0; s < kStationCount; ++s)
        busiestNs = std::max(busiestNs, work.load[s] + work.store[s]);
    return std::max(endNs + (blocks - followed) * steadyNs,
        endNs + simulation.drainNs() + (blocks - followed) * busiestNs);
}

} // namespace coalescope::analysis
