// SPDX-License-Identifier: Apache-2.0
#include "analysis/ptx/fragment_access.h"

#include <algorithm>
#include <bit>
#include <initializer_list>
#include <map>
#include <span>

namespace coalescope::analysis::ptx {

namespace {

class FragmentAccess {
public:
    FragmentAccess(Decoder& decoder, const Fragment& fragment, const MatrixPlace& place)
        : m_decoder(decoder)
        , m_fragment(fragment)
        , m_space(place.space)
        , m_offset(place.address.offset)
        , m_base(place.address.base)
        , m_isWide(decoder.widthOf(m_base) != 4)
        , m_stride(place.stride)
        , m_bytes(fragment.elementBytes())
    {
    }

    void load(const std::vector<Operand>& registers)
    {
        const bool isAsMatrices = m_space == Space::Shared && !m_fragment.isSum
            && (m_fragment.type == Type::F16 || (m_bytes == 1 && m_fragment.rowsAreNeighbours));
        isAsMatrices ? loadMatrices(registers) : access(Opcode::Ld, registers);
        for (std::size_t i = std::size_t(m_fragment.tiles() * m_fragment.registersOfTile()); i < registers.size(); ++i)
            m_decoder.emitMove(registers[i], registers[i % std::size_t(m_fragment.tiles())], Type::B32);
    }
    void store(const std::vector<Operand>& registers) { access(Opcode::St, registers); }

private:
    [[nodiscard]] static Operand number(std::uint64_t bits) { return { .kind = OperandKind::Immediate, .bits = bits }; }

    [[nodiscard]] Operand binary(Opcode op, const Operand& a, std::uint64_t b)
    {
        return emit({ .op = op, .type = op == Opcode::Shr ? Type::U32 : Type::B32 }, { a, number(b) }, Type::U32);
    }
    /// base + factor * by, as wide as an address.
    [[nodiscard]] Operand sum(const Operand& base, const Operand& factor, const Operand& by)
    {
        Instruction mad { .op = Opcode::Mad, .type = Type::U32 };
        mad.mod.part = m_isWide ? MulPart::Wide : MulPart::Lo;
        return emit(mad, { factor, by, base }, m_isWide ? Type::U64 : Type::U32);
    }
    [[nodiscard]] Operand emit(Instruction instruction, std::initializer_list<Operand> sources, Type result)
    {
        std::ranges::copy(sources, instruction.src.begin());
        instruction.dst[0] = m_decoder.temporary(result);
        m_decoder.emit(instruction);
        return instruction.dst[0];
    }
    [[nodiscard]] Operand lane()
    {
        const Operand id { .kind = OperandKind::Special, .index = std::uint32_t(SpecialRegister::LaneId) };
        return emit({ .op = Opcode::Mov, .type = Type::U32 }, { id }, Type::U32);
    }
    [[nodiscard]] Operand strideBytes()
    {
        if (m_stride.kind == OperandKind::Immediate)
            return number(m_stride.bits * std::uint64_t(m_bytes));
        Instruction mul { .op = Opcode::Mul, .type = Type::U32 };
        mul.mod.part = MulPart::Lo;
        return emit(mul, { m_stride, number(std::uint64_t(m_bytes)) }, Type::U32);
    }
    /// The address of a lane: `row` times the stride and `column` times `columnBytes` from the matrix's.
    [[nodiscard]] Operand addressOf(const Operand& row, const Operand& column, int columnBytes)
    {
        m_pitch = strideBytes();
        return sum(sum(m_base, row, m_pitch), column, number(std::uint64_t(columnBytes)));
    }
    /// `address` so many rows of memory further on.
    [[nodiscard]] Address below(const Operand& address, int rows, std::int64_t offset)
    {
        if (rows == 0 || m_pitch.kind == OperandKind::Immediate)
            return { .base = address, .offset = m_offset + offset + std::int64_t(m_pitch.bits) * rows };
        const auto [known, isNew] = m_below.try_emplace(rows);
        if (isNew)
            known->second = sum(address, m_pitch, number(std::uint64_t(rows)));
        return { .base = known->second, .offset = m_offset + offset };
    }

    /// 8 rows of 16 bytes of memory to a matrix, four or as many as there are at a time.
    void loadMatrices(const std::vector<Operand>& registers)
    {
        const bool transposed = !m_fragment.rowsAreNeighbours;
        const int together = std::min(4, m_fragment.tiles());
        const Operand id = lane(), matrix = binary(Opcode::Shr, id, 3);
        // The tile of memory that holds matrix 0, 1, 2 or 3, which its number or one of its bits tells.
        const auto tellBy = [&](auto place) {
            const bool low = together > 1 && place(1) == 1, high = together > 2 && place(2) != 0;
            return low && high ? matrix
                : low          ? binary(Opcode::And, matrix, 1)
                : high         ? binary(Opcode::Shr, matrix, 1)
                               : number(0);
        };
        const auto row = [&](int i) { return m_fragment.order.row(i); };
        const auto column = [&](int i) { return m_fragment.order.column(i); };
        const Operand rowTile = transposed ? tellBy(column) : tellBy(row), columnTile = transposed ? tellBy(row) : tellBy(column);
        Instruction mad { .op = Opcode::Mad, .type = Type::U32 };
        mad.mod.part = MulPart::Lo;
        const Operand memoryRow = emit(mad, { rowTile, number(kTileRows), binary(Opcode::And, id, kTileRows - 1) }, Type::U32);
        const Operand address = addressOf(memoryRow, columnTile, 16);
        std::vector<Address> places;
        for (int first = 0; first < m_fragment.tiles(); first += together) {
            const int down = m_fragment.order.row(first) * kTileRows;
            places.push_back(transposed ? below(address, 0, std::int64_t(down) * m_bytes) : below(address, down, 0));
        }
        for (int first = 0; first < m_fragment.tiles(); first += together) {
            const Address& place = places[std::size_t(first / together)];
            Instruction load { .op = Opcode::LdMatrix, .type = Type::B16 };
            load.mod.space = m_space;
            load.mod.transposed = transposed;
            load.vector = std::uint8_t(together);
            for (int i = 0; i < together; ++i)
                load.dst[std::size_t(i)] = registers[std::size_t(first + i)];
            load.src[0] = place.base;
            load.offset = place.offset;
            m_decoder.emit(load);
        }
    }

    /// Each lane its own elements: neighbours at once; halves that stand in a column together with those of the next column,
    /// and the warp turns them around.
    void access(Opcode op, const std::vector<Operand>& registers)
    {
        const Fragment& f = m_fragment;
        const bool turns = !f.rowsAreNeighbours && m_bytes == 2, alone = !f.rowsAreNeighbours && m_bytes != 2;
        const Operand id = lane(), row = binary(Opcode::Shr, id, 2), inRow = binary(Opcode::And, id, kRowLanes - 1);
        const int each = turns ? 2 : f.laneElements();
        const Operand address = alone ? addressOf(binary(Opcode::Shl, inRow, std::uint64_t(std::countr_zero(unsigned(each)))), row, m_bytes)
                                      : addressOf(row, inRow, each * m_bytes);
        const int pieces = alone ? f.laneElements() : 1; ///< of a tile
        std::vector<Address> places;
        for (int tile = 0; tile < f.tiles(); ++tile) {
            const int r = f.order.row(tile) * kTileRows, c = f.order.column(tile) * f.columnsOfTile();
            for (int piece = 0; piece < pieces; ++piece)
                places.push_back(f.rowsAreNeighbours ? below(address, r, std::int64_t(c) * m_bytes)
                                                     : below(address, c + piece, std::int64_t(r) * m_bytes));
        }
        const auto perTile = std::size_t(f.registersOfTile());
        for (std::size_t tile = 0; tile < std::size_t(f.tiles()); ++tile) {
            const std::span own = std::span(registers).subspan(tile * perTile, perTile);
            const std::span at = std::span(places).subspan(tile * std::size_t(pieces), std::size_t(pieces));
            if (turns)
                accessTurned(op, own.front(), at.front());
            else if (alone && m_bytes == 1)
                loadBytes(own.front(), at);
            else
                for (std::size_t piece = 0; piece < at.size(); ++piece)
                    accessOnce(op, registerType(f.type), alone ? own.subspan(piece, 1) : own, at[piece]);
        }
    }

    void accessOnce(Opcode op, Type type, std::span<const Operand> values, const Address& place)
    {
        Instruction one { .op = op, .type = type };
        one.mod.space = m_space;
        one.vector = std::uint8_t(values.size());
        one.src[0] = place.base;
        one.offset = place.offset;
        std::ranges::copy(values, op == Opcode::Ld ? one.dst.begin() : one.src.begin() + 1);
        m_decoder.emit(one);
    }
    void accessTurned(Opcode op, const Operand& value, const Address& place)
    {
        const Operand across = m_decoder.temporary(Type::B32);
        if (op == Opcode::St)
            turn(across, value);
        accessOnce(op, Type::B32, std::span(&across, 1), place);
        if (op == Opcode::Ld)
            turn(value, across);
    }
    void turn(const Operand& to, const Operand& from)
    {
        Instruction turns { .op = Opcode::MoveMatrix, .type = Type::B16 };
        turns.dst[0] = to;
        turns.src[0] = from;
        m_decoder.emit(turns);
    }
    void loadBytes(const Operand& to, std::span<const Address> places)
    {
        Instruction pack { .op = Opcode::Pack, .type = Type::B32 };
        pack.vector = std::uint8_t(places.size());
        pack.dst[0] = to;
        for (std::size_t i = 0; i < places.size(); ++i) {
            pack.src[i] = m_decoder.temporary(Type::B32);
            accessOnce(Opcode::Ld, Type::U8, std::span(&pack.src[i], 1), places[i]);
        }
        m_decoder.emit(pack);
    }

    Decoder& m_decoder;
    const Fragment& m_fragment;
    Space m_space;
    std::int64_t m_offset;
    Operand m_base;
    bool m_isWide;
    Operand m_stride, m_pitch; ///< from a row of memory to the next: in elements, in bytes
    int m_bytes;
    std::map<int, Operand> m_below;
};

} // namespace

void emitFragmentLoad(Decoder& decoder, const Fragment& fragment, const MatrixPlace& place, const std::vector<Operand>& registers)
{
    FragmentAccess(decoder, fragment, place).load(registers);
}

void emitFragmentStore(Decoder& decoder, const Fragment& fragment, const MatrixPlace& place, const std::vector<Operand>& registers)
{
    FragmentAccess(decoder, fragment, place).store(registers);
}

} // namespace coalescope::analysis::ptx
