// SPDX-License-Identifier: Apache-2.0
#include "analysis/program/control_flow.h"

#include <algorithm>
#include <utility>

namespace coalescope::analysis {

namespace {
bool isBranch(const Instruction& ins) { return ins.op == Opcode::Bra || ins.op == Opcode::BrxIdx; }
bool leaves(const Instruction& ins) { return ins.op == Opcode::Exit || ins.op == Opcode::Trap; }

std::vector<std::uint32_t> targetsOf(const Program& program, const Instruction& ins)
{
    if (ins.op == Opcode::Bra)
        return { ins.target };
    return program.branchTables[ins.target];
}

/// Successors of each block; the block count stands for the exit.
using Graph = std::vector<std::vector<std::uint32_t>>;

Graph graphOf(const std::vector<BasicBlock>& blocks)
{
    Graph graph;
    for (const BasicBlock& block : blocks)
        graph.push_back(block.successors);
    return graph;
}

/// Immediate post-dominators (Cooper, Harvey and Kennedy's iteration on the reversed graph).
class PostDominators {
public:
    explicit PostDominators(const Graph& graph)
        : m_exit(static_cast<std::uint32_t>(graph.size()))
        , m_successors(graph)
        , m_predecessors(graph.size() + 1)
        , m_order(graph.size() + 1, kNone)
        , m_parent(graph.size() + 1, kNone)
    {
        for (std::uint32_t b = 0; b < m_exit; ++b) {
            for (const std::uint32_t s : graph[b])
                m_predecessors[s].push_back(b);
        }
    }

    /// The immediate post-dominator of each node; kNone where the exit is never reached.
    const std::vector<std::uint32_t>& compute()
    {
        const std::vector<std::uint32_t> nodes = reversePostOrder();
        m_parent[m_exit] = m_exit;
        for (bool changed = true; changed;) {
            changed = false;
            for (const std::uint32_t node : nodes) {
                std::uint32_t best = kNone;
                for (const std::uint32_t s : m_successors[node]) {
                    if (m_parent[s] != kNone)
                        best = best == kNone ? s : common(best, s);
                }
                if (best != m_parent[node]) {
                    m_parent[node] = best;
                    changed = true;
                }
            }
        }
        return m_parent;
    }

private:
    /// Nodes that reach the exit, except itself, each after all it leads to but for loops.
    std::vector<std::uint32_t> reversePostOrder()
    {
        std::vector<std::uint32_t> postOrder;
        std::vector<bool> seen(m_predecessors.size());
        std::vector<std::pair<std::uint32_t, std::size_t>> stack { { m_exit, 0 } };
        seen[m_exit] = true;
        while (!stack.empty()) {
            auto& [node, next] = stack.back();
            if (next < m_predecessors[node].size()) {
                const std::uint32_t predecessor = m_predecessors[node][next++];
                if (!seen[predecessor]) {
                    seen[predecessor] = true;
                    stack.emplace_back(predecessor, 0);
                }
                continue;
            }
            m_order[node] = static_cast<std::uint32_t>(postOrder.size());
            postOrder.push_back(node);
            stack.pop_back();
        }
        std::ranges::reverse(postOrder);
        postOrder.erase(postOrder.begin());
        return postOrder;
    }

    [[nodiscard]] std::uint32_t common(std::uint32_t a, std::uint32_t b) const
    {
        while (a != b) {
            while (m_order[a] < m_order[b])
                a = m_parent[a];
            while (m_order[b] < m_order[a])
                b = m_parent[b];
        }
        return a;
    }

    std::uint32_t m_exit;
    const Graph& m_successors;
    std::vector<std::vector<std::uint32_t>> m_predecessors;
    std::vector<std::uint32_t> m_order, m_parent;
};

using BlockSet = std::vector<bool>;

/// Blocks on paths from `from`, not going on through `wall` (kNone: no wall).
BlockSet reachableFrom(const Graph& graph, std::uint32_t from, std::uint32_t wall)
{
    BlockSet seen(graph.size() + 1);
    std::vector<std::uint32_t> work { from };
    seen[from] = true;
    while (!work.empty()) {
        const std::uint32_t block = work.back();
        work.pop_back();
        if (block == graph.size() || block == wall)
            continue;
        for (const std::uint32_t s : graph[block]) {
            if (!seen[s])
                work.push_back(s);
            seen[s] = true;
        }
    }
    if (wall != kNone)
        seen[wall] = false;
    return seen;
}

/// Finds where the paths of a branch meet when those that leave the kernel before are not counted.
class MeetingPoint {
public:
    MeetingPoint(const Program& program, const std::vector<BasicBlock>& blocks)
        : m_graph(graphOf(blocks))
        , m_exit(static_cast<std::uint32_t>(blocks.size()))
        , m_onlyLeaves(blocks.size() + 1)
    {
        for (std::uint32_t b = 0; b < m_exit; ++b) {
            const Instruction& first = program.instructions[blocks[b].begin];
            m_onlyLeaves[b] = leaves(first) && first.guard == kNone;
        }
        m_onlyLeaves[m_exit] = true;
    }

    /// True where nothing is executed any more: the exit and blocks that only lead there.
    [[nodiscard]] bool onlyLeaves(std::uint32_t block) const { return m_onlyLeaves[block]; }

    /// The block where they meet; the exit where they never do.
    [[nodiscard]] std::uint32_t of(std::uint32_t branch) const
    {
        // first within this trip through the branch, so that in a loop one side is not taken to
        // lead to the other by way of the next trip; a loop's own branch meets only after the last
        // one
        const std::uint32_t thisTrip = meeting(branch, branch);
        return thisTrip != m_exit ? thisTrip : meeting(branch, kNone);
    }

private:
    /// What each side of the branch leads to; sides that only leave are not among them.
    [[nodiscard]] std::vector<BlockSet> sidesOf(std::uint32_t branch, std::uint32_t wall) const
    {
        std::vector<BlockSet> sides;
        for (const std::uint32_t s : m_graph[branch]) {
            if (m_onlyLeaves[s])
                continue;
            sides.push_back(s == wall ? BlockSet(m_exit + 1) : reachableFrom(m_graph, s, wall));
            for (std::uint32_t b = 0; b <= m_exit; ++b)
                sides.back()[b] = sides.back()[b] && !m_onlyLeaves[b];
        }
        return sides;
    }

    /// Blocks that all sides lead to. Without a wall, a side that never meets the longest one has
    /// left the kernel for good, however much it does before, and does not count.
    [[nodiscard]] BlockSet commonTo(std::uint32_t branch, std::uint32_t wall) const
    {
        const std::vector<BlockSet> sides = sidesOf(branch, wall);
        const auto size = [](const BlockSet& side) { return std::ranges::count(side, true); };
        const auto longest = std::ranges::max_element(sides, {}, size);
        if (longest == sides.end())
            return BlockSet(m_exit + 1);
        BlockSet common = *longest;
        for (const BlockSet& side : sides) {
            BlockSet both(m_exit + 1);
            for (std::uint32_t b = 0; b < m_exit; ++b)
                both[b] = side[b] && (*longest)[b];
            if (wall == kNone && size(both) == 0)
                continue;
            for (std::uint32_t b = 0; b < m_exit; ++b)
                common[b] = common[b] && both[b];
        }
        return common;
    }

    /// Adds the blocks that lead to one of the set.
    [[nodiscard]] BlockSet withLeadingTo(BlockSet set) const
    {
        for (bool changed = true; changed;) {
            changed = false;
            for (std::uint32_t b = m_exit; b-- > 0;) {
                const auto leads = [&](std::uint32_t s) { return set[s]; };
                if (!set[b] && std::ranges::any_of(m_graph[b], leads))
                    set[b] = changed = true;
            }
        }
        return set;
    }

    [[nodiscard]] std::uint32_t meeting(std::uint32_t branch, std::uint32_t wall) const
    {
        const BlockSet common = commonTo(branch, wall);
        if (std::ranges::find(common, true) == common.end())
            return m_exit;
        const BlockSet kept = withLeadingTo(common);
        Graph graph(m_graph.size());
        for (std::uint32_t b = 0; b < m_exit; ++b) {
            for (const std::uint32_t s : m_graph[b]) {
                if (kept[s] && s != wall)
                    graph[b].push_back(s);
                else if (common[b] && b != branch)
                    graph[b].push_back(m_exit);
            }
        }
        const std::uint32_t found = PostDominators(graph).compute()[branch];
        return found == kNone ? m_exit : found;
    }

    Graph m_graph;
    std::uint32_t m_exit;
    BlockSet m_onlyLeaves;
};
}

std::vector<BasicBlock> basicBlocks(const Program& program)
{
    const auto& instructions = program.instructions;
    const auto count = static_cast<std::uint32_t>(instructions.size());
    std::vector<bool> starts(count + 1);
    starts[0] = true;
    for (std::uint32_t i = 0; i < count; ++i) {
        const Instruction& ins = instructions[i];
        if (isBranch(ins)) {
            for (const std::uint32_t target : targetsOf(program, ins))
                starts[target] = true;
        }
        if (isBranch(ins) || leaves(ins))
            starts[i + 1] = true;
    }
    std::vector<std::uint32_t> blockOf(count + 1);
    std::vector<BasicBlock> blocks;
    for (std::uint32_t i = 0; i < count; ++i) {
        if (starts[i])
            blocks.push_back({ i, i, {} });
        blocks.back().end = i + 1;
        blockOf[i] = static_cast<std::uint32_t>(blocks.size() - 1);
    }
    blockOf[count] = static_cast<std::uint32_t>(blocks.size());
    for (BasicBlock& block : blocks) {
        const Instruction& last = instructions[block.end - 1];
        if (isBranch(last)) {
            for (const std::uint32_t target : targetsOf(program, last))
                block.successors.push_back(blockOf[target]);
        } else if (leaves(last)) {
            block.successors.push_back(static_cast<std::uint32_t>(blocks.size()));
        }
        if (last.guard != kNone || (!isBranch(last) && !leaves(last)))
            block.successors.push_back(blockOf[block.end]);
        std::ranges::sort(block.successors);
        block.successors.erase(
            std::ranges::unique(block.successors).begin(), block.successors.end());
    }
    return blocks;
}

void computeReconvergence(Program& program)
{
    constexpr std::size_t kMostBlocksForEarlyExits
        = 4096; ///< beyond, the search would take too long
    if (program.instructions.empty())
        return;
    const std::vector<BasicBlock> blocks = basicBlocks(program);
    const auto exit = static_cast<std::uint32_t>(blocks.size());
    const Graph graph = graphOf(blocks);
    const MeetingPoint meetingPoint(program, blocks);
    PostDominators postDominators(graph);
    const std::vector<std::uint32_t>& parents = postDominators.compute();
    for (std::uint32_t b = 0; b < exit; ++b) {
        Instruction& last = program.instructions[blocks[b].end - 1];
        if (!isBranch(last))
            continue;
        std::uint32_t meets = parents[b] == kNone ? exit : parents[b];
        if (meetingPoint.onlyLeaves(meets) && graph[b].size() > 1
            && blocks.size() <= kMostBlocksForEarlyExits) {
            const std::uint32_t earlier = meetingPoint.of(b);
            meets = earlier == exit ? meets : earlier;
        }
        last.reconverge = meets == exit ? static_cast<std::uint32_t>(program.instructions.size())
                                        : blocks[meets].begin;
    }
}

} // namespace coalescope::analysis
