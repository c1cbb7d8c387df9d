// SPDX-License-Identifier: Apache-2.0
#include "analysis/grid/grid_totals.h"

#include "analysis/execute/access_checks.h"
#include "analysis/execute/block.h"
#include "analysis/grid/box_counter.h"
#include "analysis/grid/issued_by_blocks.h"

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

namespace coalescope::analysis {

namespace {

struct Work {
    Box box;
    bool withValues = false; ///< each block on its own, with the values of its data
};

/// Most launches need no more than this, which is done before another thread has started.
constexpr int kAloneWorks = 8;
constexpr std::uint64_t kBlocksAWork = 64; ///< boxes executed block by block are first cut to this

/// The boxes still to be executed, shared by the threads; done when none is left and none is in
/// work.
class WorkList {
public:
    explicit WorkList(std::uint64_t blocks, std::atomic<double>* progress)
        : m_blocks(blocks)
        , m_progress(progress)
    {
    }
    void add(Work work)
    {
        {
            const std::scoped_lock lock(m_mutex);
            m_open.push_back(std::move(work));
        }
        m_changed.notify_one();
    }
    std::optional<Work> take()
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_failed || !m_open.empty() || m_inWork == 0; });
        if (m_failed || m_open.empty())
            return std::nullopt;
        Work work = std::move(m_open.back());
        m_open.pop_back();
        ++m_inWork;
        return work;
    }
    void finish(std::uint64_t blocksDone)
    {
        {
            const std::scoped_lock lock(m_mutex);
            --m_inWork;
            m_done += blocksDone;
            if (m_progress != nullptr)
                m_progress->store(double(m_done) / double(m_blocks));
        }
        m_changed.notify_all();
    }
    /// Of several failures the one of the earliest block is kept, whichever thread met it first.
    void fail(Error error, const Box& box)
    {
        {
            const std::scoped_lock lock(m_mutex);
            const std::array<std::int64_t, 3> order { box.origin[2], box.origin[1], box.origin[0] };
            if (!m_failed || order < m_errorAt) {
                m_error = std::move(error);
                m_errorAt = order;
            }
            m_failed = true;
            --m_inWork;
        }
        m_changed.notify_all();
    }
    [[nodiscard]] bool isEmpty()
    {
        const std::scoped_lock lock(m_mutex);
        return m_open.empty();
    }
    [[nodiscard]] bool isFailed() const { return m_failed; }
    [[nodiscard]] const Error& error() const { return m_error; }

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::vector<Work> m_open;
    std::uint64_t m_inWork = 0, m_blocks, m_done = 0;
    std::atomic<double>* m_progress;
    std::atomic<bool> m_failed = false;
    Error m_error;
    std::array<std::int64_t, 3> m_errorAt {};
};

/// The plans for blocks that are executed each for itself. Made when first needed.
class Plans {
public:
    Plans(const DecodedProgram& program, const Launch& launch, const GridOptions& options)
        : m_program(program)
        , m_launch(launch)
        , m_options(options)
    {
    }
    /// Null: there is none.
    const BlockPlan* get(bool withValues)
    {
        if (!m_options.planBlocks)
            return nullptr;
        auto& [made, plan] = m_plans[withValues ? 1 : 0];
        std::call_once(made, [&] {
            plan = planBlocks(m_program, m_launch, withValues ? Values::OfEachBlock : Values::None,
                m_options.simd.value_or(simdLevel()));
        });
        return plan ? &*plan : nullptr;
    }

private:
    struct Plan {
        std::once_flag made;
        std::optional<BlockPlan> plan;
    };
    const DecodedProgram& m_program;
    const Launch& m_launch;
    const GridOptions& m_options;
    std::array<Plan, 2> m_plans;
};

/// What one thread adds up.
struct Sum {
    explicit Sum(Dim3 grid)
        : issued(grid)
    {
    }
    std::vector<std::uint64_t> passedBlocks; ///< [instruction] of so many blocks, what they did there was passed over
    std::vector<Box> passedBoxes; ///< that passed over anything
    std::vector<InstructionTotals> instructions;
    std::uint64_t warpInstructions = 0, blocksExecuted = 0;
    bool valuesNeeded = false;
    HazardLog hazards;
    std::vector<GlobalMemory::Use> uses;
    const LineUses* lineUses = nullptr; ///< null: nothing was executed with values
    std::optional<GridMoves> moves;
    IssuedByBlocks issued;
};

/// The larger box; of equal ones always the same, whichever thread comes first.
bool isLarger(const Box& a, const Box& b)
{
    return a.volume() != b.volume() ? a.volume() > b.volume() : a.origin > b.origin;
}

class Worker {
public:
    Worker(const DecodedProgram& program, const Launch& launch, const MemoryMap& map,
        WorkList& list, Plans& plans, const GridOptions& options)
        : m_launch(launch)
        , m_map(map)
        , m_list(list)
        , m_plans(plans)
        , m_options(options)
        , m_block(program, launch, map)
        , m_counter(program.code.size())
        , m_sum(launch.grid)
    {
        m_sum.instructions.resize(program.code.size());
        m_sum.passedBlocks.resize(program.code.size());
        m_sum.uses.resize(map.buffers().size());
    }

    /// A few pieces of work, as long as there are any.
    void begin()
    {
        for (int i = 0; i < kAloneWorks; ++i)
            if (auto work = m_list.take())
                execute(*work);
    }
    void run()
    {
        while (auto work = m_list.take())
            execute(*work);
        finishPlanned();
        if (!m_values)
            return;
        m_sum.uses.assign(m_values->uses().begin(), m_values->uses().end());
        m_sum.lineUses = &m_values->lineUses();
    }
    [[nodiscard]] const Sum& sum() const { return m_sum; }

private:
    void execute(const Work& work)
    {
        const bool blockByBlock = work.withValues || m_options.executeEveryBlock;
        if (!blockByBlock || work.box.isSingle())
            return executeOne(work);
        if (work.box.volume() > kBlocksAWork) {
            const int axis = work.box.longestAxis(~0u);
            addParts(work, { .axis = axis, .at = work.box.axis[std::size_t(axis)].extent / 2 });
            return m_list.finish(0);
        }
        std::uint64_t done = 0;
        for (const Box& single : singles(work.box)) {
            if (!runOnce({ single, work.withValues }))
                return;
            ++done;
        }
        m_list.finish(done);
    }

    void executeOne(const Work& work)
    {
        if (runOnce(work))
            m_list.finish(m_finished);
    }

    void addParts(const Work& work, const Split& split)
    {
        for (const Box& part : parts(work.box, split))
            m_list.add({ part, work.withValues });
    }

    /// False where the whole run has failed.
    bool runOnce(const Work& work)
    {
        if (m_options.stop.stop_requested()) {
            m_list.fail({ ErrorCode::Cancelled, "cancelled", {} }, work.box);
            return false;
        }
        m_finished = 0;
        BlockOptions options { .stop = m_options.stop };
        options.instructionLimit = m_options.mostOfABlock.value_or(options.instructionLimit);
        if (work.withValues) {
            if (!m_values)
                m_values.emplace(m_map, Keep::UndoLog);
            m_values->beginBlock(orderOf(m_launch.grid, work.box.origin));
            options.values = &*m_values;
        }
        if (work.box.isSingle() && (work.withValues || m_options.executeEveryBlock))
            if (const BlockPlan* plan = m_plans.get(work.withValues))
                return runPlanned(*plan, work, options);
        m_counter.clear();
        BlockOutcome outcome = m_block.run(work.box, m_counter, options);
        if (work.withValues)
            m_values->undoStores();
        switch (outcome.end) {
        case BlockEnd::Done:
            commit(work.box);
            return true;
        case BlockEnd::Split:
            addParts(work, outcome.split);
            return true;
        case BlockEnd::NeedsValues:
            m_sum.valuesNeeded = true;
            if (m_options.executeEveryBlock)
                return runOnce({ work.box, true });
            m_list.add({ work.box, true });
            return true;
        case BlockEnd::Failed:
            break;
        }
        m_list.fail(std::move(outcome.error), work.box);
        return false;
    }

    /// A block by its plan: what it did is added up at the end only, but for its hazards.
    bool runPlanned(const BlockPlan& plan, const Work& work, const BlockOptions& options)
    {
        auto& planned = m_planned[work.withValues ? 1 : 0];
        if (!planned)
            planned = std::make_unique<Planned>(plan, m_launch, m_map);
        BlockOutcome outcome = planned->block.run(work.box, planned->counter, options);
        if (work.withValues)
            m_values->undoStores();
        if (outcome.end != BlockEnd::Done) {
            m_list.fail(std::move(outcome.error), work.box);
            return false;
        }
        m_finished = 1;
        ++m_sum.blocksExecuted;
        m_sum.issued.add(work.box, planned->block.issued());
        m_sum.hazards.merge(planned->block.hazards());
        return true;
    }

    void finishPlanned()
    {
        for (auto& planned : m_planned) {
            if (!planned || m_list.isFailed())
                continue;
            if (auto told = planned->block.finishPlan(planned->counter); !told)
                m_list.fail(std::move(told.error()), {});
            planned->counter.addTo(m_sum.instructions);
            addCounts(planned->block, 1);
        }
    }

    void addCounts(const Block& block, std::uint64_t times)
    {
        const auto counts = block.counts();
        for (std::size_t i = 0; i < counts.size(); ++i) {
            m_sum.instructions[i].executions += counts[i].executions * times;
            m_sum.instructions[i].activeLanes += counts[i].lanes * times;
        }
        m_sum.warpInstructions += block.issued() * times;
    }

    /// What a block did where it passed over something elsewhere is not the whole.
    void leaveOutPassed(const Box& box)
    {
        const auto& regions = m_block.program().regions;
        std::set<std::uint32_t> passed;
        for (std::size_t r = 0; r < regions.size(); ++r)
            if (m_block.passedRegions()[r])
                passed.insert(regions[r].instructions.begin(), regions[r].instructions.end());
        const auto counts = m_block.counts();
        for (const std::uint32_t i : passed) {
            m_sum.instructions[i].executions -= counts[i].executions * m_finished;
            m_sum.instructions[i].activeLanes -= counts[i].lanes * m_finished;
            m_sum.warpInstructions -= (counts[i].executions + counts[i].idle) * m_finished;
            m_sum.passedBlocks[i] += m_finished;
        }
        if (!passed.empty())
            m_sum.passedBoxes.push_back(box);
    }

    void commit(const Box& box)
    {
        m_finished = box.volume();
        m_counter.addTo(m_sum.instructions);
        addCounts(m_block, m_finished);
        leaveOutPassed(box);
        ++m_sum.blocksExecuted;
        m_sum.issued.add(box, m_block.issued());
        m_sum.hazards.merge(m_block.hazards());
        if (!box.isSingle() && (!m_sum.moves || isLarger(box, m_sum.moves->box)))
            keepMoves(box);
    }

    void keepMoves(const Box& box)
    {
        m_sum.moves.emplace(GridMoves { .box = box, .instructions = {} });
        for (std::uint32_t i = 0; i < m_sum.instructions.size(); ++i)
            m_sum.moves->instructions.push_back(m_block.moveOf(i));
    }

    struct Planned {
        Planned(const BlockPlan& plan, const Launch& launch, const MemoryMap& map)
            : block(plan, launch, map)
            , counter(plan.program.code.size())
        {
        }
        Block block;
        BoxCounter counter;
    };

    const Launch& m_launch;
    const MemoryMap& m_map;
    WorkList& m_list;
    Plans& m_plans;
    const GridOptions& m_options;
    Block m_block;
    std::array<std::unique_ptr<Planned>, 2> m_planned; ///< without and with values
    BoxCounter m_counter;
    std::optional<GlobalMemory> m_values;
    Sum m_sum;
    std::uint64_t m_finished = 0; ///< blocks that the last run settled
};

/// Where addresses or control flow depend on data that other blocks of the launch change, blocks
/// executed each for itself may have seen other values than on the hardware.
void noteChangedInputs(const Program& program, const MemoryMap& map,
    const std::vector<GlobalMemory::Use>& uses, const std::optional<LineUses>& lineUses, HazardLog& hazards)
{
    for (std::size_t b = 0; b < uses.size() && lineUses; ++b) {
        if (uses[b].loadedBy == kNone || uses[b].storedBy == kNone || !lineUses->meet(b))
            continue;
        hazards.add(HazardKind::NotModelled, program.instructions[uses[b].loadedBy].lineToName(),
            program.instructions[uses[b].storedBy].lineToName(), 0, [&] {
                return "addresses or branches depend on data, and blocks read in buffer `" + map.buffers()[b].name
                    + "` where others write: each block was executed as if it ran alone";
            });
    }
}

constexpr std::size_t kSamples = 8; ///< blocks, at most
constexpr std::uint64_t kSampledInstructions = 4'000'000; ///< of warps; no further block is begun then

/// So many blocks of the boxes, as evenly as they go.
std::vector<Box> sampled(std::vector<Box> boxes)
{
    std::ranges::sort(boxes, {}, &Box::origin);
    std::uint64_t blocks = 0;
    for (const Box& box : boxes)
        blocks += box.volume();
    std::vector<Box> samples;
    const std::uint64_t count = std::min<std::uint64_t>(kSamples, blocks);
    for (std::uint64_t s = 0; s < count; ++s) {
        std::uint64_t at = (2 * s + 1) * blocks / (2 * count);
        std::size_t b = 0;
        while (at >= boxes[b].volume())
            at -= boxes[b++].volume();
        std::array<std::int64_t, kMaxAxes> t {};
        for (int axis = 0; axis < boxes[b].axes; ++axis) {
            const auto extent = std::uint64_t(boxes[b].axis[std::size_t(axis)].extent);
            t[std::size_t(axis)] = std::int64_t(at % extent);
            at /= extent;
        }
        samples.push_back({ .origin = boxes[b].block(t) });
    }
    return samples;
}

/// Blocks executed with the values of their data, for what others passed over.
struct Samples {
    std::vector<Block::Count> counts;
    std::uint64_t blocks = 0;
    bool usesMemory = false; ///< a region's accesses to memory were executed
};

Samples sample(const DecodedProgram& program, const Launch& launch, const MemoryMap& map, const std::vector<Box>& boxes, std::stop_token stop)
{
    Samples samples { .counts = std::vector<Block::Count>(program.code.size()) };
    Block block(program, launch, map);
    BoxCounter counter(program.code.size());
    std::uint64_t issued = 0;
    for (const Box& box : sampled(boxes)) {
        GlobalMemory values(map, Keep::UndoLog);
        counter.clear();
        const BlockOutcome outcome = block.run(box, counter, { .values = &values, .stop = stop });
        values.undoStores();
        if (outcome.end != BlockEnd::Done)
            continue; // its own faults are not told here
        ++samples.blocks;
        for (std::size_t i = 0; i < samples.counts.size(); ++i) {
            samples.counts[i].executions += block.counts()[i].executions;
            samples.counts[i].lanes += block.counts()[i].lanes;
            samples.counts[i].idle += block.counts()[i].idle;
        }
        if ((issued += block.issued()) > kSampledInstructions)
            break;
    }
    for (const DataRegion& region : program.regions)
        samples.usesMemory = samples.usesMemory || std::ranges::any_of(region.accesses, [&](std::uint32_t i) { return samples.counts[i].executions > 0; });
    return samples;
}

} // namespace

InstructionTotals& InstructionTotals::operator+=(const InstructionTotals& other)
{
    executions += other.executions;
    requests += other.requests;
    sectors += other.sectors;
    tags += other.tags;
    idealSectors += other.idealSectors;
    copyCounted += other.copyCounted;
    copyAsked += other.copyAsked;
    wavefronts += other.wavefronts;
    wavefrontsSass += other.wavefrontsSass;
    conflicts += other.conflicts;
    phases += other.phases;
    sharedExecutions += other.sharedExecutions;
    atomicSectors += other.atomicSectors;
    openAtomicSectors += other.openAtomicSectors;
    turns += other.turns;
    swapWavefronts += other.swapWavefronts;
    turnLoads += other.turnLoads;
    turnLoadsSass += other.turnLoadsSass;
    turnLoadConflicts += other.turnLoadConflicts;
    activeLanes += other.activeLanes;
    return *this;
}

namespace {

/// Adds what blocks did where it was passed over, as sampled ones do it. False where that is more than arithmetic.
bool addPassed(const DecodedProgram& decoded, const Launch& launch, const MemoryMap& map, const std::vector<std::unique_ptr<Worker>>& workers,
    const GridOptions& options, GridTotals& totals)
{
    std::vector<Box> boxes;
    std::vector<std::uint64_t> blocks(decoded.code.size());
    for (const auto& worker : workers) {
        const Sum& sum = worker->sum();
        boxes.insert(boxes.end(), sum.passedBoxes.begin(), sum.passedBoxes.end());
        for (std::size_t i = 0; i < blocks.size(); ++i)
            blocks[i] += sum.passedBlocks[i];
    }
    if (boxes.empty())
        return true;
    const Samples samples = sample(decoded, launch, map, boxes, options.stop);
    for (std::size_t i = 0; i < blocks.size() && samples.blocks > 0; ++i) {
        if (blocks[i] == 0)
            continue;
        const auto ofAll = [&](std::uint64_t sampled) {
            return std::uint64_t(std::llround(double(sampled) * double(blocks[i]) / double(samples.blocks)));
        };
        totals.passedOver.push_back(std::uint32_t(i));
        totals.instructions[i].executions += ofAll(samples.counts[i].executions);
        totals.instructions[i].activeLanes += ofAll(samples.counts[i].lanes);
        totals.warpInstructions += ofAll(samples.counts[i].executions + samples.counts[i].idle);
    }
    return !samples.usesMemory;
}

/// Errors: NeedsValues where the data decide about accesses to local memory; beside those of gridTotals().
Result<GridTotals> totalsOf(const DecodedProgram& decoded, const Launch& launch, const MemoryMap& map, const GridOptions& options)
{
    const Program& program = *decoded.program;
    WorkList list(launch.grid.count(), options.progress);
    Plans plans(decoded, launch, options);
    list.add({ wholeGrid(launch.grid) });
    const int threads = std::max(
        1, options.threads > 0 ? options.threads : int(std::thread::hardware_concurrency()));
    std::vector<std::unique_ptr<Worker>> workers;
    const auto add_ = [&] {
        return workers.emplace_back(std::make_unique<Worker>(decoded, launch, map, list, plans, options))
            .get();
    };
    Worker* const own = add_();
    own->begin();
    {
        std::vector<std::jthread> pool;
        for (int t = 1; t < threads && !list.isEmpty(); ++t)
            pool.emplace_back([worker = add_()] { worker->run(); });
        own->run();
    }
    if (list.isFailed())
        return std::unexpected(list.error());

    GridTotals totals { .blocks = launch.grid.count() };
    totals.instructions.resize(program.instructions.size());
    HazardLog hazards;
    std::vector<GlobalMemory::Use> uses(map.buffers().size());
    std::optional<LineUses> lineUses;
    IssuedByBlocks issued(launch.grid);
    for (const auto& worker : workers) {
        const Sum& sum = worker->sum();
        for (std::size_t i = 0; i < sum.instructions.size(); ++i)
            totals.instructions[i] += sum.instructions[i];
        totals.warpInstructions += sum.warpInstructions;
        issued.merge(sum.issued);
        totals.blocksExecuted += sum.blocksExecuted;
        totals.valuesNeeded = totals.valuesNeeded || sum.valuesNeeded;
        hazards.merge(sum.hazards);
        if (sum.moves && (!totals.moves || isLarger(sum.moves->box, totals.moves->box)))
            totals.moves = sum.moves;
        for (std::size_t b = 0; b < uses.size(); ++b) {
            uses[b].loadedBy = std::min(uses[b].loadedBy, sum.uses[b].loadedBy);
            uses[b].storedBy = std::min(uses[b].storedBy, sum.uses[b].storedBy);
            uses[b].decides = uses[b].decides || sum.uses[b].decides;
        }
        if (sum.lineUses != nullptr && lineUses)
            lineUses->merge(*sum.lineUses);
        else if (sum.lineUses != nullptr)
            lineUses = *sum.lineUses;
    }
    if (!addPassed(decoded, launch, map, workers, options, totals))
        return fail(ErrorCode::NeedsValues, "data decide about accesses to local memory");
    noteChangedInputs(program, map, uses, lineUses, hazards);
    for (std::size_t b = 0; b < uses.size(); ++b)
        if (uses[b].decides)
            totals.deciding.push_back(map.buffers()[b].name);
    totals.hazards = hazards.sorted();
    totals.issuedByBlock = issued.unequal();
    return totals;
}

} // namespace

Result<GridTotals> gridTotals(
    const Program& program, const Launch& launch, const GridOptions& options)
{
    auto decoded = decode(program, launch);
    if (!decoded)
        return std::unexpected(decoded.error());
    const MemoryMap map(launch, program);
    if (!options.executeEveryBlock && !decoded->regions.empty()) {
        auto totals = totalsOf(*decoded, launch, map, options);
        if (totals || totals.error().code != ErrorCode::NeedsValues)
            return totals;
    }
    for (Decoded& d : decoded->code) // nothing is passed over
        d.region = kNone;
    decoded->regions.clear();
    return totalsOf(*decoded, launch, map, options);
}

} // namespace coalescope::analysis
