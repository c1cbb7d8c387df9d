// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/loop_compiler.h"

#include <algorithm>

namespace coalescope::kernels::host {

bool Run::LoopCompiler::compileComparison(const Value& comparison, const Handle& list)
{
    const Node* const code = comparison.kind == Kind::Function && comparison.thing ? comparison.thing->code : nullptr;
    const auto outer = m_run.m_frame;
    try {
        if (!code)
            return false;
        const bool isLambda = code->op == Op::Lambda;
        std::vector<Spot> given(2, { .is = isLambda ? Spot::Is::Element : Spot::Is::Pointer, .memory = memory(list, nullptr), .type = list->element });
        given[0].number = variable(Kind::I64);
        given[1].number = variable(Kind::I64);
        const Operand result = variable(Kind::I64);
        m_compared = given[0].number.cell;
        std::optional<Operand> made;
        if (isLambda && code->slots.size() == 2 && !comparison.thing->isRunning) {
            made = callLambda(*comparison.thing, given, Way::Value);
        } else if (const auto functions = m_run.m_parser.program().functionsNamed(code->name); !isLambda && functions.size() == 1 && m_run.m_parser.bodyOf(*functions[0]).block) {
            const HostFunction& function = *functions[0];
            enter(function, given, false, {}, nullptr);
            made = body(*m_run.m_parser.bodyOf(function).block, &m_run.m_parser.bodyOf(function).returns);
            m_run.m_frame = outer;
        }
        if (!made)
            return false;
        move(result, converted(*made, Kind::I64));
        finish();
    } catch (const Unsupported&) {
        m_run.m_frame = outer;
        return false;
    }
    return true;
}

std::optional<std::int64_t> Run::LoopCompiler::compared(std::int64_t a, std::int64_t b)
{
    m_machine.cells[std::size_t(m_compared)].integer = a;
    m_machine.cells[std::size_t(m_compared) + 1].integer = b;
    m_machine.next = m_code.data();
    constexpr std::int64_t kMost = 100'000; // instructions
    m_machine.run(kMost);
    m_run.m_steps += 1 + std::int64_t(m_code.size()) / 8;
    if (m_machine.state != Machine::State::Done)
        return std::nullopt;
    return m_machine.cells[std::size_t(m_compared) + 2].integer;
}

} // namespace coalescope::kernels::host
