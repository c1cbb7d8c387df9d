// SPDX-License-Identifier: Apache-2.0
#include "analysis/device/sm_waves.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace coalescope::analysis {

namespace {

enum Phase { kLoad, kShared, kStore, kPhases }; ///< of a round
/// Between 0, the order of arrival, which suits scans whose blocks all run at a time, and 1, the oldest first, which suits
/// transposes: of all recorded launches' sweeps this orders most.
constexpr double kAgeCounts = 0.15;
constexpr int kMostUsers = 2 * kMostParts; ///< of a station: parts, and their copies
constexpr double kNever = std::numeric_limits<double>::infinity();

/// Parts of blocks in the order in which they will be done with something.
class Queue {
public:
    /// None is done before those that came before it.
    void push(double due, int part)
    {
        m_last = m_size == 0 ? due : std::max(due, m_last);
        m_entries[(m_head + m_size++) % kMostUsers] = { m_last, part };
    }
    int pop()
    {
        --m_size;
        const int part = m_entries[m_head].part;
        m_head = (m_head + 1) % kMostUsers;
        return part;
    }
    [[nodiscard]] double due() const { return m_size == 0 ? kNever : m_entries[m_head].due; }

private:
    struct Entry {
        double due = 0;
        int part = 0;
    };
    std::array<Entry, kMostUsers> m_entries;
    double m_last = 0; ///< due
    unsigned m_head = 0, m_size = 0;
};

/// A station that all its users share equally, or one after the other: `served` is what each has had since the
/// beginning, or all together, so that equal demands are done in the order of arrival.
struct SharedStation {
    std::array<Queue, kPhases> queues;
    double served = 0;
    double promised = 0; ///< of what is served, until all that came is done; where it is done in order
    double posted = 0; ///< work that nobody waits for: one user more
    int waiting = 0;
    bool inOrder = false;

    [[nodiscard]] int users() const { return (inOrder ? waiting > 0 : waiting) + (posted > 0); }
    void push(int phase, double demand, int part)
    {
        promised = std::max(served, promised) + demand;
        queues[phase].push(inOrder ? promised : served + demand, part);
        ++waiting;
    }
    [[nodiscard]] Queue& first() { return *std::ranges::min_element(queues, {}, &Queue::due); }
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

/// A station that serves one part after the other: of those that wait the one that came first, or came little later and
/// started long before.
class FirstCome {
public:
    void push(double now, double ns, int part, double started)
    {
        m_waiting[m_size++] = { ns, part, std::lerp(now, started, kAgeCounts) };
        if (m_size == 1)
            m_due = now + ns;
    }
    int pop(double now)
    {
        const int part = m_waiting[m_served].part;
        m_waiting[m_served] = m_waiting[--m_size];
        const auto next = std::min_element(m_waiting.begin(), m_waiting.begin() + m_size,
            [](const Entry& a, const Entry& b) { return a.rank < b.rank; });
        m_served = unsigned(next - m_waiting.begin());
        m_due = m_size == 0 ? kNever : now + next->ns;
        return part;
    }
    [[nodiscard]] double due() const { return m_due; }

private:
    struct Entry {
        double ns = 0;
        int part = 0;
        double rank = 0; ///< the lowest is served first
    };
    std::array<Entry, kMostUsers> m_waiting;
    unsigned m_size = 0, m_served = 0;
    double m_due = kNever;
};

class Simulation {
public:
    Simulation(const BlockWork& work, int blocks, int resident)
        : m_work(work)
        , m_blocks(blocks)
    {
        const double shares = work.rounds * work.parts;
        for (int s = 0; s < kStationCount; ++s) {
            m_demand[kLoad][s] = work.load[s] / shares / work.loadTurns;
            m_demand[kShared][s] = work.shared[s] / shares / work.storeTurns;
            m_demand[kStore][s] = work.store[s] / shares / work.storeTurns;
        }
        m_latency = { work.loadLatencyNs, work.sharedLatencyNs, work.storeLatencyNs };
        m_usesShared = work.shared != StationTimes {};
        for (const Station station : { Station::L2Answers, Station::Dram })
            m_stations[std::size_t(station)].inOrder = true;
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
    struct Part {
        Phase phase = kLoad;
        int round = 0, turn = 0, pending = 0;
        double started = 0;
        bool isLeading = false;
        bool hasCopies = false; ///< what the next round works with is there
        bool wantsCopies = false; ///< it waits for that
    };
    struct Block {
        int left = 0; ///< parts that are not done
        int met = 0; ///< parts that wait at the barrier
    };

    /// Of a station, in the part's turn.
    [[nodiscard]] double demandOf(const Part& part, int station) const
    {
        const double demand = m_demand[part.phase][station];
        if (!m_work.storesLast || part.phase != kStore || !isStored(station))
            return demand;
        return part.round + 1 == m_work.rounds ? demand * m_work.rounds : 0;
    }
    [[nodiscard]] static bool isStored(int station)
    {
        return station == int(Station::L2) || station == int(Station::Dram) || station == int(Station::Atomics);
    }
    /// What stands for a part's copies among a station's users: a part that only loads.
    [[nodiscard]] static int copiesOf(int part) { return part + kMostParts; }
    [[nodiscard]] static bool areCopies(int user) { return user >= kMostParts; }

    /// Work that the part does not wait for.
    [[nodiscard]] bool isPosted(const Part& part, int station) const
    {
        return part.phase == kStore
            && (station == int(Station::Dram) || station == int(Station::Atomics)
                || (station == int(Station::L2) && part.turn + 1 == m_work.storeTurns));
    }
    void start(int block)
    {
        if (m_started++ >= m_blocks)
            return;
        m_startFree = std::max(m_now, m_startFree) + m_work.startNs;
        m_block[std::size_t(block)] = { .left = m_work.parts };
        for (int i = 0; i < m_work.parts; ++i) {
            const int part = block * m_work.parts + i;
            const double started = m_startFree + i * m_work.partLeadNs;
            m_part[std::size_t(part)] = { .started = started };
            m_starting.push(started, part);
        }
    }
    /// Instructions up to the first loads are issued while the part gets there.
    void lead(int part)
    {
        Part& state = m_part[std::size_t(part)];
        state.isLeading = true;
        state.pending = 1;
        m_leading.push(m_now + m_work.leadNs, part);
        issue(part);
    }
    void issue(int part)
    {
        Part& state = m_part[std::size_t(part)];
        const double ns = m_demand[state.phase][int(Station::Issue)];
        if (ns <= 0)
            return;
        ++state.pending;
        m_issuing.push(m_now, ns, part, state.started);
    }
    void enter(int part)
    {
        Part& state = m_part[std::size_t(part)];
        for (int s = 0; s < kStationCount; ++s) {
            const double demand = demandOf(state, s);
            if (demand <= 0 || s == int(Station::Issue) || isPosted(state, s))
                continue;
            ++state.pending;
            if (s == int(Station::Data) && m_usesShared)
                m_passing.push(m_now, demand, part, state.started);
            else
                m_stations[s].push(state.phase, demand, part);
        }
        if (state.isLeading)
            state.isLeading = false;
        else
            issue(part);
        if (state.pending == 0)
            wait(part);
    }
    void wait(int part)
    {
        const Phase phase = m_part[std::size_t(part)].phase;
        m_waiting[phase].push(m_now + m_latency[phase], part);
    }
    void served(int part)
    {
        Part& state = m_part[std::size_t(part)];
        if (--state.pending > 0)
            return;
        if (state.isLeading)
            enter(part);
        else
            wait(part);
    }
    /// True, and the next one begun, where it was not the last.
    bool beginsTurn(int part, int turns)
    {
        Part& state = m_part[std::size_t(part)];
        state.turn = (state.turn + 1) % turns;
        if (state.turn == 0)
            return false;
        if (state.phase == kLoad)
            enter(part);
        else
            leaveLoads(part);
        return true;
    }
    void loaded(int part)
    {
        if (beginsTurn(part, m_work.loadTurns))
            return;
        const int round = m_part[std::size_t(part)].round;
        if ((round + 1) * m_work.meetings / m_work.rounds == round * m_work.meetings / m_work.rounds) {
            work(part);
            return;
        }
        const int block = part / m_work.parts;
        if (++m_block[std::size_t(block)].met < m_work.parts)
            return;
        m_block[std::size_t(block)].met = 0;
        for (int i = 0; i < m_work.parts; ++i)
            work(block * m_work.parts + i);
    }
    void leaveLoads(int part) { begin(m_usesShared ? kShared : kStore, part); }
    /// The part has what its round loads, and so have those that it meets.
    void work(int part)
    {
        Part& state = m_part[std::size_t(part)];
        if (m_work.copiesAhead && state.round + 1 < m_work.rounds) {
            m_part[std::size_t(copiesOf(part))] = { .started = state.started };
            enter(copiesOf(part));
        }
        leaveLoads(part);
    }
    void copied(int part)
    {
        Part& state = m_part[std::size_t(part)];
        state.hasCopies = true;
        if (state.wantsCopies)
            takeCopies(part);
    }
    void takeCopies(int part)
    {
        Part& state = m_part[std::size_t(part)];
        state.wantsCopies = !state.hasCopies;
        if (state.wantsCopies)
            return;
        state.hasCopies = false;
        state.phase = kLoad;
        loaded(part);
    }
    void begin(Phase phase, int part)
    {
        m_part[std::size_t(part)].phase = phase;
        enter(part);
    }
    void stored(int part)
    {
        Part& state = m_part[std::size_t(part)];
        for (int s = 0; s < kStationCount; ++s)
            if (isPosted(state, s))
                m_stations[s].posted += demandOf(state, s);
        if (beginsTurn(part, m_work.storeTurns))
            return;
        if (++state.round < m_work.rounds) {
            if (m_work.copiesAhead)
                takeCopies(part);
            else
                begin(kLoad, part);
            return;
        }
        const int block = part / m_work.parts;
        if (--m_block[std::size_t(block)].left == 0) {
            ++m_done;
            start(block);
        }
    }
    void step();

    const BlockWork& m_work;
    int m_blocks;
    std::array<StationTimes, kPhases> m_demand {};
    std::array<SharedStation, kStationCount> m_stations;
    std::array<Queue, kPhases> m_waiting; ///< for answers, for shared memory, for barriers
    std::array<double, kPhases> m_latency {};
    bool m_usesShared = false;
    Queue m_starting, m_leading;
    FirstCome m_issuing;
    FirstCome m_passing; ///< through shared memory's stage
    std::array<Part, kMostUsers> m_part {}; ///< the second half: their copies
    std::array<Block, kMostParts> m_block {};
    double m_now = 0, m_startFree = 0;
    int m_started = 0, m_done = 0;
};

/// Goes to the next moment at which something is done.
void Simulation::step()
{
    Queue* queue = &m_starting;
    for (Queue* other : { &m_leading, &m_waiting[kLoad], &m_waiting[kShared], &m_waiting[kStore] })
        queue = other->due() < queue->due() ? other : queue;
    FirstCome& serving = m_passing.due() < m_issuing.due() ? m_passing : m_issuing;
    const bool serves = serving.due() < queue->due();
    double ns = std::max(0.0, std::min(serving.due(), queue->due()) - m_now);
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
    } else if (serves) {
        served(serving.pop(m_now));
    } else if (queue == &m_starting) {
        lead(queue->pop());
    } else if (queue == &m_leading) {
        served(queue->pop());
    } else if (queue == &m_waiting[kLoad]) {
        const int user = queue->pop();
        if (areCopies(user))
            copied(user - kMostParts);
        else
            loaded(user);
    } else if (queue == &m_waiting[kShared]) {
        begin(kStore, queue->pop());
    } else {
        stored(queue->pop());
    }
}

} // namespace

double smWavesNs(const BlockWork& work, int blocks, int resident)
{
    resident = std::clamp(resident, 1, std::min(blocks, kMostParts / work.parts));
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
        busiestNs = std::max(busiestNs, work.busyNs(Station(s)));
    return std::max(endNs + (blocks - followed) * steadyNs,
        endNs + simulation.drainNs() + (blocks - followed) * busiestNs);
}

} // namespace coalescope::analysis
