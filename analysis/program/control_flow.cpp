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

    /// Post-dominators of a graph whose last node is the exit.
    class PostDominators {
    public:
        PostDominators(const std::vector<BasicBlock>& blocks, const std::vector<bool>& kept)
            : m_exit(static_cast<std::uint32_t>(blocks.size())), m_successors(blocks.size() + 1),
              m_predecessors(blocks.size() + 1), m_order(blocks.size() + 1, kNone), m_parent(blocks.size() + 1, kNone)
        {
            for (std::uint32_t b = 0; b < m_exit; ++b) {
                for (const std::uint32_t s : blocks[b].successors) {
                    if (!kept[b] || (s != m_exit && !kept[s]))
                        continue;
                    m_successors[b].push_back(s);
                    m_predecessors[s].push_back(b);
                }
            }
        }

        /// Lets `from` lead to the exit too.
        void addExit(std::uint32_t from)
        {
            m_successors[from].push_back(m_exit);
            m_predecessors[m_exit].push_back(from);
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
            std::vector<bool> seen(m_successors.size());
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
        std::vector<std::vector<std::uint32_t>> m_successors, m_predecessors;
        std::vector<std::uint32_t> m_order, m_parent;
    };

    std::vector<bool> reachableFrom(const std::vector<BasicBlock>& blocks, std::uint32_t from)
    {
        std::vector<bool> seen(blocks.size() + 1);
        std::vector<std::uint32_t> work { from };
        seen[from] = true;
        while (!work.empty()) {
            const std::uint32_t block = work.back();
            work.pop_back();
            if (block == blocks.size())
                continue;
            for (const std::uint32_t s : blocks[block].successors) {
                if (!seen[s]) {
                    seen[s] = true;
                    work.push_back(s);
                }
            }
        }
        return seen;
    }

    /// Blocks from which some block of `goal` is reached.
    std::vector<bool> reaching(const std::vector<BasicBlock>& blocks, std::vector<bool> goal)
    {
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t b = blocks.size(); b-- > 0;) {
                if (goal[b])
                    continue;
                for (const std::uint32_t s : blocks[b].successors)
                    goal[b] = goal[b] || goal[s];
                changed = changed || goal[b];
            }
        }
        return goal;
    }

    /// Where the paths of a branch meet if those that only exit are left out; the exit where they never do.
    ///
    /// Blocks that do nothing but leave the kernel are no meeting point: nothing is executed there.
    std::uint32_t meetingPoint(const Program& program, const std::vector<BasicBlock>& blocks, std::uint32_t branch)
    {
        const auto exit = static_cast<std::uint32_t>(blocks.size());
        const auto onlyLeaves = [&](std::uint32_t b) {
            const Instruction& ins = program.instructions[blocks[b].begin];
            return leaves(ins) && ins.guard == kNone;
        };
        std::vector<bool> shared(exit + 1, true);
        for (const std::uint32_t s : blocks[branch].successors) {
            if (s == exit || onlyLeaves(s))
                continue;
            const std::vector<bool> seen = reachableFrom(blocks, s);
            for (std::uint32_t b = 0; b < exit; ++b)
                shared[b] = shared[b] && seen[b];
        }
        shared[exit] = false;
        for (std::uint32_t b = 0; b < exit; ++b)
            shared[b] = shared[b] && !onlyLeaves(b);
        if (std::ranges::find(shared, true) == shared.end())
            return exit;
        std::vector<bool> kept = reaching(blocks, shared);
        kept[branch] = true;
        // only what can still meet counts: exits before that are dropped, exits behind stay
        std::vector<BasicBlock> rest = blocks;
        for (std::uint32_t b = 0; b < exit; ++b) {
            const bool last = shared[b] && std::ranges::none_of(rest[b].successors, [&](std::uint32_t s) { return s != exit && kept[s]; });
            if (!shared[b])
                std::erase(rest[b].successors, exit);
            else if (last)
                rest[b].successors = { exit };
        }
        PostDominators graph(rest, kept);
        for (std::uint32_t b = 0; b < exit; ++b) {
            const bool dropsOne = shared[b] && std::ranges::any_of(rest[b].successors, [&](std::uint32_t s) { return s != exit && !kept[s]; });
            if (dropsOne)
                graph.addExit(b);
        }
        const std::uint32_t found = graph.compute()[branch];
        return found == kNone ? exit : found;
    }
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
        block.successors.erase(std::ranges::unique(block.successors).begin(), block.successors.end());
    }
    return blocks;
}

void computeReconvergence(Program& program)
{
    constexpr std::size_t kMostBlocksForEarlyExits = 4096;
    if (program.instructions.empty())
        return;
    const std::vector<BasicBlock> blocks = basicBlocks(program);
    const auto exit = static_cast<std::uint32_t>(blocks.size());
    PostDominators graph(blocks, std::vector<bool>(blocks.size(), true));
    const std::vector<std::uint32_t>& parents = graph.compute();
    for (std::uint32_t b = 0; b < exit; ++b) {
        Instruction& last = program.instructions[blocks[b].end - 1];
        if (!isBranch(last))
            continue;
        std::uint32_t meets = parents[b] == kNone ? exit : parents[b];
        const bool meetsAtTheEnd = meets == exit || leaves(program.instructions[blocks[meets].begin]);
        if (meetsAtTheEnd && blocks[b].successors.size() > 1 && blocks.size() <= kMostBlocksForEarlyExits) {
            const std::uint32_t earlier = meetingPoint(program, blocks, b);
            meets = earlier == exit ? meets : earlier;
        }
        last.reconverge = meets == exit ? static_cast<std::uint32_t>(program.instructions.size()) : blocks[meets].begin;
    }
}

} // namespace coalescope::analysis
