// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/module_symbols.h"

#include "analysis/execute/global_memory.h"
#include "kernels/experiment/modelled_memory.h"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <string_view>

namespace coalescope::kernels {

std::string plainName(const std::string& symbol)
{
    const std::unique_ptr<char, decltype(&std::free)> demangled(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, nullptr), &std::free);
    if (!demangled || !symbol.starts_with("_Z"))
        return symbol;
    const std::string_view name = demangled.get(); // "void reduce<256>(float*)::s"
    std::size_t first = 0;
    for (std::size_t at = 0, depth = 0; at < name.size(); ++at) {
        depth += name[at] == '(' || name[at] == '<' ? 1 : 0;
        depth -= depth > 0 && (name[at] == ')' || name[at] == '>') ? 1 : 0;
        if (depth == 0 && name.substr(at).starts_with("::"))
            first = at + 2;
    }
    return std::string(name.substr(first));
}

std::optional<std::size_t> symbolNamed(const analysis::Program& program, std::string_view variable)
{
    for (std::size_t i = 0; i < program.symbols.size(); ++i) {
        const analysis::Symbol& symbol = program.symbols[i];
        if ((symbol.space == analysis::Space::Global || symbol.space == analysis::Space::Constant) && plainName(symbol.name) == variable)
            return i;
    }
    return std::nullopt;
}

bool isOfCompiler(const analysis::Symbol& symbol)
{
    return symbol.name.starts_with("$str") || symbol.name.starts_with("__cudart_");
}

void takeVariables(std::shared_ptr<const analysis::Program>& program, analysis::Launch& launch)
{
    const auto isTaken = [](const analysis::Symbol& symbol) { return symbol.space == analysis::Space::Global && symbol.address != analysis::kGridBarrierBase && !isOfCompiler(symbol); };
    if (std::ranges::none_of(program->symbols, isTaken))
        return;
    for (const analysis::Symbol& symbol : program->symbols)
        if (isTaken(symbol)) {
            launch.buffers.push_back(analysis::bufferOf(symbol));
            launch.buffers.back().name = plainName(symbol.name);
        }
    auto without = std::make_shared<analysis::Program>(*program);
    std::erase_if(without->symbols, isTaken);
    program = std::move(without);
}

Result<DecodedPlan> decodeToLaunch(const LaunchPlan& plan, const PredictOptions& options)
{
    auto decoded = decode(plan, options);
    if (!decoded || plan.variables.empty())
        return decoded;
    auto program = std::make_shared<analysis::Program>(*decoded->program);
    BufferContents contents(options.stop);
    if (std::ranges::any_of(plan.variables, &BufferPlan::holdsAddresses)) {
        auto memory = modelledMemory(plan, options.stop);
        if (!memory)
            return std::unexpected(memory.error());
        contents = std::move(memory->contents);
    }
    for (const BufferPlan& variable : plan.variables) {
        const auto symbol = symbolNamed(*program, variable.name);
        const std::uint64_t bytes = variable.count * std::uint64_t(bytesOf(variable.type));
        if (!symbol || program->symbols[*symbol].size != bytes)
            continue;
        std::vector<std::uint8_t> content(bytes);
        if (auto told = contents.bytes(variable, 0, content); !told)
            return std::unexpected(told.error());
        if (BufferContents::whyUnknown(variable).empty())
            program->symbols[*symbol].initial = std::move(content);
    }
    decoded->program = std::move(program);
    return decoded;
}

} // namespace coalescope::kernels
