// SPDX-License-Identifier: Apache-2.0
// Where the variables that a kernel uses lie: packed in the order of their declaration, each
// aligned. Those in global memory the driver places, each by itself.
#include "analysis/ptx/decoder.h"
#include "analysis/ptx/failure.h"

#include <algorithm>
#include <string>
#include <utility>

namespace coalescope::analysis::ptx {

namespace {
constexpr std::uint64_t kMostWindowBytes = 16u
    << 20; ///< of shared or local memory: far beyond any GPU
constexpr std::uint64_t kMostModuleBytes = 1u << 30;
constexpr std::uint32_t kLeastDynamicAlign = 16;
/// Of a variable in global memory, whatever its cubin says: addresses of 14 variables, with and without initial values, on an NVIDIA H200
/// (driver 580.159.04, 2026-11-23).
constexpr std::uint32_t kLeastGlobalAlign = 256;

std::uint64_t alignedUp(std::uint64_t value, std::uint64_t align)
{
    return (value + align - 1) / align * align;
}

/// Free bytes of each space.
struct Spaces {
    std::uint64_t shared = 0, local = 0, constant = kConstantBase, global = kModuleGlobalBase;

    std::uint64_t& of(Space space)
    {
        return space == Space::Shared  ? shared
            : space == Space::Local    ? local
            : space == Space::Constant ? constant
                                       : global;
    }
    [[nodiscard]] bool fit() const
    {
        return shared <= kMostWindowBytes && local <= kMostWindowBytes
            && constant - kConstantBase <= kMostModuleBytes
            && global - kModuleGlobalBase <= kMostModuleBytes;
    }
};

std::uint64_t windowBase(Space space)
{
    return space == Space::Shared ? kSharedWindowBase
        : space == Space::Local   ? kLocalWindowBase
                                  : 0;
}
}

namespace {
void placeOne(const Place& place, std::uint64_t& address, Spaces& spaces)
{
    const Variable* variable = place.variable;
    if (variable != nullptr && variable->isExtern)
        failBad(variable->offset,
            "The variable '" + std::string(variable->name)
                + "' is .extern and has no definition in this module.");
    std::uint64_t& next = spaces.of(variable != nullptr ? variable->space : Space::Local);
    const bool isGlobal = variable != nullptr && variable->space == Space::Global;
    address = alignedUp(next, isGlobal ? std::max(place.align, kLeastGlobalAlign) : place.align);
    next = address + (variable != nullptr ? variable->size : place.size);
    if (!spaces.fit())
        failBad(variable != nullptr ? variable->offset : 0,
            "This variable is larger than any GPU's memory of its kind.");
}
}

/// Variables whose address stands in the initialiser of a used one are used too.
void Decoder::useReferenced()
{
    std::vector<std::uint32_t> work;
    for (std::uint32_t i = 0; i < m_places.size(); ++i) {
        if (m_places[i].variable != nullptr && m_places[i].addressTaken)
            work.push_back(i);
    }
    while (!work.empty()) {
        const Variable& variable = *m_places[work.back()].variable;
        work.pop_back();
        for (const InitialReference& reference : variable.references) {
            const Variable* target = moduleVariable(reference.name, reference.offset);
            if (target == nullptr)
                failBad(reference.offset,
                    "The variable '" + std::string(reference.name) + "' is not declared.");
            const std::uint32_t place = variablePlace(*target);
            if (!std::exchange(m_places[place].addressTaken, true))
                work.push_back(place);
        }
    }
}

void Decoder::placeVariables()
{
    for (std::uint32_t i = 0; i < m_places.size(); ++i) {
        if (m_places[i].addressTaken)
            m_inMemory.push_back(i);
    }
    const auto rank = [this](std::uint32_t i) {
        const Variable* variable = m_places[i].variable;
        return variable != nullptr ? std::pair(variable->owner, variable->offset)
                                   : std::pair(Owner::Function, kNone);
    };
    std::ranges::stable_sort(m_inMemory, {}, rank);

    Spaces spaces;
    m_placeAddress.assign(m_places.size(), 0);
    std::uint32_t dynamicAlign = kLeastDynamicAlign;
    for (const std::uint32_t i : m_inMemory) {
        const Variable* variable = m_places[i].variable;
        if (variable != nullptr && variable->isDynamic)
            dynamicAlign = std::max(dynamicAlign, variable->align);
        else
            placeOne(m_places[i], m_placeAddress[i], spaces);
    }
    m_program.dynamicSharedOffset
        = static_cast<std::uint32_t>(alignedUp(spaces.shared, dynamicAlign));
    for (const std::uint32_t i : m_inMemory) {
        if (m_places[i].variable != nullptr && m_places[i].variable->isDynamic)
            m_placeAddress[i] = m_program.dynamicSharedOffset;
    }
    std::uint64_t unused = 0;
    for (const Place& place : m_places) {
        if (!place.addressTaken && place.variable != nullptr
            && place.variable->owner == Owner::Entry && place.variable->space == Space::Shared
            && !place.variable->isExtern)
            placeOne(place, unused, spaces);
    }
    m_program.staticSharedBytes = static_cast<std::uint32_t>(spaces.shared);
    m_program.localBytes = static_cast<std::uint32_t>(spaces.local);
}

void Decoder::listSymbols()
{
    for (const std::uint32_t i : m_inMemory) {
        const Variable* variable = m_places[i].variable;
        if (variable == nullptr)
            continue;
        Symbol symbol { std::string(variable->name), variable->space, m_placeAddress[i],
            variable->size, variable->align, variable->initial };
        for (const InitialReference& reference : variable->references) {
            const Variable& target = *moduleVariable(reference.name, reference.offset);
            const std::uint64_t base = reference.generic ? windowBase(target.space) : 0;
            const std::uint64_t address = m_placeAddress[m_placeOf.at(&target)] + base
                + static_cast<std::uint64_t>(reference.addend);
            for (int byte = 0; byte < reference.width; ++byte)
                symbol.initial[reference.at + static_cast<std::size_t>(byte)]
                    = static_cast<std::uint8_t>(address >> (8 * byte));
        }
        m_program.symbols.push_back(std::move(symbol));
    }
    if (m_program.isCooperative)
        m_program.symbols.push_back({ "the grid's barrier", Space::Global, kGridBarrierBase, kGridBarrierBytes, 8, {} });
}

} // namespace coalescope::analysis::ptx
