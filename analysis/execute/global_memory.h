// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/execute/launch.h"
#include "analysis/execute/line_uses.h"
#include "analysis/program/program.h"

#include <array>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace coalescope::analysis {

/// A variable of the module in global memory, with what it starts with.
[[nodiscard]] Buffer bufferOf(const Symbol& symbol);

/// The buffer that an access lies in, or is beside.
struct BesideBuffer {
    const Buffer* buffer = nullptr;
    std::uint64_t distance = 0; ///< bytes that it reaches outside; 0: none
    bool isBefore = false; ///< the buffer's start; else past its end
};

/// The buffers of a launch and the module's own global and constant variables, by address.
class MemoryMap {
public:
    MemoryMap(const Launch& launch, const Program& program);

    [[nodiscard]] std::span<const Buffer> buffers() const { return m_buffers; }
    /// Buffer that holds all of [address, address + width); empty: none does.
    [[nodiscard]] std::optional<std::size_t> find(std::uint64_t address, std::uint64_t width) const;
    /// The nearest buffer; empty: all are far away.
    [[nodiscard]] std::optional<BesideBuffer> beside(std::uint64_t address, std::uint64_t width) const;
    /// "4 bytes at 0x...: 124 bytes behind the end of buffer `in`".
    [[nodiscard]] std::string describe(std::uint64_t address, std::uint64_t width) const;
    /// Initial bytes of module constants; unmapped bytes are 0.
    [[nodiscard]] bool readConstant(std::uint64_t address, std::span<std::uint8_t> out) const;

private:
    std::vector<Buffer> m_buffers; ///< in address order
    std::vector<Symbol> m_constants;
};

/// What a GlobalMemory keeps beside the values.
enum class Keep : std::uint8_t {
    Nothing,
    UndoLog, ///< stores can be taken back: each block starts from the fill
    Writers, ///< which instruction wrote each byte last
};

/// Values of the buffers, taken from their fill page by page when first touched.
///
/// Contract: addresses lie in a buffer; the caller has checked that.
class GlobalMemory {
public:
    GlobalMemory(const MemoryMap& map, Keep keep);

    void load(std::uint64_t address, std::span<std::uint8_t> out);
    /// The same of bytes known to lie at an offset of one buffer.
    void load(std::size_t buffer, std::uint64_t offset, std::span<std::uint8_t> out);
    /// The page in which an offset of a buffer lies, and where it begins; valid until undoStores().
    struct PageBytes {
        std::uint64_t offset = 0;
        std::span<const std::uint8_t> bytes = {};
    };
    [[nodiscard]] PageBytes pageAt(std::size_t buffer, std::uint64_t offset);
    void store(
        std::uint64_t address, std::span<const std::uint8_t> bytes, std::uint32_t instruction);
    void store(std::size_t buffer, std::uint64_t offset, std::span<const std::uint8_t> bytes,
        std::uint32_t instruction);
    void undoStores();
    /// Other blocks leave nothing in it.
    [[nodiscard]] bool isOfOneBlock() const { return m_keep == Keep::UndoLog; }
    /// A word from which blocks draw what is next.
    void noteTicket(std::uint64_t address) { m_tickets.insert(address); }
    [[nodiscard]] const std::set<std::uint64_t>& tickets() const { return m_tickets; }
    /// The bytes of one buffer and, with Keep::Writers, who wrote them.
    void copyOut(
        std::size_t buffer, std::vector<std::uint8_t>& bytes, std::vector<std::uint32_t>& writer);

    /// Where something was loaded or stored, the bytes of one buffer; the rest of `bytes`, which are as many, stays.
    void copyTouched(std::size_t buffer, std::span<std::uint8_t> bytes) const;

    /// Instructions that read, and wrote, each buffer since the start; kNone: none did.
    struct Use {
        std::uint32_t loadedBy = kNone, storedBy = kNone;
        bool decides = false; ///< addresses or control flow depend on what was loaded, as far as a plan tells
    };
    [[nodiscard]] std::span<const Use> uses() const { return m_uses; }
    /// A load by an instruction, of what lies at an address or at an offset of one buffer.
    void noteLoad(std::uint64_t address, std::uint32_t instruction);
    void noteLoad(std::size_t buffer, std::uint64_t offset, std::uint32_t instruction);
    void noteDecision(std::size_t buffer) { m_uses[buffer].decides = true; }
    /// The number in the grid of the block that is executed from here on.
    void beginBlock(std::uint64_t number) { m_block = number; }
    /// Of the blocks that were begun.
    [[nodiscard]] const LineUses& lineUses() const { return m_lineUses; }

private:
    static constexpr std::uint64_t kPageBytes = 4096; ///< a block far apart in a large matrix touches one a row
    struct Page {
        std::vector<std::uint8_t> bytes;
        std::vector<std::uint32_t> writer; ///< with Keep::Writers
    };
    struct Undo {
        std::uint8_t* at;
        std::array<std::uint8_t, 15> before; ///< an access of 16 bytes makes two
        std::uint8_t count;
    };
    Page& page(std::size_t buffer, std::uint64_t number);

    const MemoryMap& m_map;
    Keep m_keep;
    /// Pages come in chunks, made when first touched: a buffer of 256 GiB costs 128 kilobytes.
    static constexpr std::size_t kChunkPages = 4096;
    using Chunk = std::array<std::unique_ptr<Page>, kChunkPages>;
    std::vector<std::vector<std::unique_ptr<Chunk>>> m_chunks; ///< [buffer][page / kChunkPages]
    std::vector<Undo> m_undo;
    std::set<std::uint64_t> m_tickets; ///< addresses
    std::vector<Use> m_uses;
    LineUses m_lineUses;
    std::optional<std::uint64_t> m_block;
    std::size_t m_pageCount = 0;
};

} // namespace coalescope::analysis
