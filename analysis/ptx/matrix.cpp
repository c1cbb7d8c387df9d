// SPDX-License-Identifier: Apache-2.0
// ISA chapter: warp-level matrix instructions. mma and wmma are taken apart into one product for each register of the
// result, wmma's loads and stores into the accesses that the machine code makes.
//
// Source:  PTX ISA, "Matrix Fragments for mma". The fragments of wmma have no documented layout: which lane holds which
//          element, and which accesses load and store it, was read off an H200 (driver 580.159.04, CUDA 13.0, 2026-11-23)
//          for every shape, layout and type below.
#include "analysis/ptx/decoder.h"
#include "analysis/ptx/failure.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace coalescope::analysis::ptx {

namespace {

constexpr int kTileRows = 8; ///< a register of a warp holds 8 rows of 16 bytes of a matrix
constexpr int kRowLanes = 4; ///< lanes that share a row

/// The pieces of a mnemonic between its dots.
class Segments {
public:
    explicit Segments(Decoder& decoder)
        : m_decoder(decoder)
        , m_rest(decoder.mnemonic().rest)
    {
    }
    [[nodiscard]] bool accept(std::string_view wanted)
    {
        const bool is = peek() == wanted;
        if (is)
            next();
        return is;
    }
    template <class Value> [[nodiscard]] Value oneOf(std::initializer_list<std::pair<std::string_view, Value>> choices)
    {
        for (const auto& [name, value] : choices)
            if (accept(name))
                return value;
        refuse();
    }
    void end()
    {
        if (!m_rest.empty())
            refuse();
    }
    [[noreturn]] void refuse() const
    {
        failUnsupported(m_decoder.mnemonicOffset(),
            m_rest.empty() ? "This matrix instruction lacks a suffix that it needs."
                           : "The suffix '." + std::string(peek()) + "' of this matrix instruction is not modelled.");
    }

private:
    [[nodiscard]] std::string_view peek() const { return m_rest.substr(0, m_rest.find('.')); }
    void next() { m_rest.remove_prefix(std::min(m_rest.size(), peek().size() + 1)); }

    Decoder& m_decoder;
    std::string_view m_rest;
};

struct Shape {
    int m = 0, n = 0, k = 0;
    bool operator==(const Shape&) const = default;
};

/// The element types of a, b (the same) and of c, d (the same).
struct Types {
    Type element = Type::F16, sum = Type::F32;
};

/// Elements of a row that a tile holds: of a and b.
int tileColumns(Type element) { return element == Type::F64 ? kRowLanes : 16 / bytesOf(element); }

Type typeOf(Segments& segments)
{
    return segments.oneOf<Type>({ { "f16", Type::F16 }, { "bf16", Type::BF16 }, { "tf32", Type::F32 }, { "f64", Type::F64 },
        { "s8", Type::S8 }, { "u8", Type::U8 } });
}
Type sumTypeOf(Segments& segments)
{
    return segments.oneOf<Type>({ { "f16", Type::F16x2 }, { "f32", Type::F32 }, { "s32", Type::S32 }, { "f64", Type::F64 } });
}

bool agree(const Types& types)
{
    switch (types.element) {
    case Type::F16:
        return types.sum == Type::F16x2 || types.sum == Type::F32;
    case Type::BF16:
    case Type::F32:
        return types.sum == Type::F32;
    case Type::F64:
        return types.sum == Type::F64;
    default:
        return types.sum == Type::S32;
    }
}

/// Registers in braces; of a single one they may be left out.
std::vector<Operand> registers(Decoder& decoder, int count, Type type, bool written)
{
    Cursor& cursor = decoder.cursor();
    const bool braces = cursor.accept('{');
    if (!braces && count != 1)
        cursor.expect('{');
    std::vector<Operand> operands;
    for (int i = 0; i < count; ++i) {
        if (i > 0)
            cursor.expect(',');
        operands.push_back(written ? decoder.destination(type) : decoder.source(type));
    }
    if (braces)
        cursor.expect('}');
    return operands;
}

Type registerType(Type type) { return bytesOf(type) == 8 ? Type::F64 : Type::B32; }

/// Which tile of its matrix a register of a fragment holds. Of matrices of two rows of tiles and more, the registers of two
/// rows stand side by side; of b in m16n16, those of a row do.
struct Order {
    int columns = 1; ///< tiles in a row
    bool rowsInPairs = true;

    [[nodiscard]] int row(int index) const { return rowsInPairs ? index / (2 * columns) * 2 + index % 2 : index / columns; }
    [[nodiscard]] int column(int index) const { return rowsInPairs ? index / 2 % columns : index % columns; }
    [[nodiscard]] int indexOf(int row_, int column_) const
    {
        return rowsInPairs ? row_ / 2 * 2 * columns + column_ * 2 + row_ % 2 : row_ * columns + column_;
    }
};

/// A matrix as the lanes of a warp hold it; b and, in m8n32, c are seen transposed.
struct Fragment {
    int rows = 0; ///< of tiles
    Order order;
    Type type = Type::F16;
    bool isSum = false; ///< c or d: a lane holds two neighbours of a row
    bool rowsAreNeighbours = true; ///< in memory the elements of a row stand side by side, not those of a column

    [[nodiscard]] int tiles() const { return rows * order.columns; }
    [[nodiscard]] int elementBytes() const { return type == Type::F16x2 ? 2 : bytesOf(type); }
    [[nodiscard]] int columnsOfTile() const { return isSum ? kTileRows : tileColumns(type); }
    /// Neighbours of a row that a lane holds.
    [[nodiscard]] int laneElements() const { return columnsOfTile() / kRowLanes; }
    [[nodiscard]] int registersOfTile() const { return isSum && elementBytes() > 2 ? 2 : 1; }
};

Fragment operandFragment(int rows, int k, Type element)
{
    const int tiles = rows / kTileRows;
    return { .rows = tiles, .order = { .columns = k / tileColumns(element), .rowsInPairs = tiles != 1 }, .type = element };
}
Fragment aOf(const Shape& shape, Type element) { return operandFragment(shape.m, shape.k, element); }
Fragment bOf(const Shape& shape, Type element)
{
    Fragment b = operandFragment(shape.n, shape.k, element);
    b.order.rowsInPairs = b.rows > 2;
    return b;
}
bool isTurned(const Shape& shape) { return shape.m == 8 && shape.n == 32; }
Fragment sumOf(const Shape& shape, Type sum)
{
    const int m = isTurned(shape) ? shape.n : shape.m, n = isTurned(shape) ? shape.m : shape.n;
    return { .rows = m / kTileRows, .order = { .columns = n / kTileRows, .rowsInPairs = m != kTileRows }, .type = sum, .isSum = true };
}

/// What the registers of a, b, c and d of one matrix product are.
struct Product {
    Types types;
    Fragment a, b, sum;
    std::vector<Operand> d, aRegisters, bRegisters, c;
    bool saturate = false;
};

bool same(const Operand& a, const Operand& b)
{
    return a.kind == OperandKind::Register && b.kind == OperandKind::Register && a.index == b.index;
}

/// Whether a register of the result is still to be read once another one has been written.
bool overwrites(const Product& product)
{
    for (std::size_t i = 0; i < product.d.size(); ++i) {
        const auto is = [&](const Operand& other) { return same(product.d[i], other); };
        if (std::ranges::any_of(product.aRegisters, is) || std::ranges::any_of(product.bRegisters, is))
            return true;
        for (std::size_t j = 0; j < product.c.size(); ++j)
            if (j != i && is(product.c[j]))
                return true;
    }
    return false;
}

/// One register of the result after the other: the products of a row of a with a column of b, two tiles at a time.
void emitProduct(Decoder& decoder, const Product& product)
{
    const Fragment& sum = product.sum;
    std::vector<Operand> results = product.d;
    const bool apart = overwrites(product);
    if (apart)
        for (Operand& result : results)
            result = decoder.temporary(registerType(product.types.sum));
    const int perTile = sum.registersOfTile();
    for (std::size_t i = 0; i < results.size(); ++i) {
        const int tile = int(i) / perTile;
        for (int k = 0; k < product.a.order.columns; k += 2) {
            Instruction part;
            part.op = Opcode::Mma;
            part.type = product.types.sum;
            part.sourceType = product.types.element;
            part.mod.saturate = product.saturate;
            part.mod.secondColumn = int(i) % perTile == 1;
            part.dst[0] = results[i];
            for (int step = 0; step < 2 && k + step < product.a.order.columns; ++step) {
                part.src[std::size_t(step)] = product.aRegisters[std::size_t(product.a.order.indexOf(sum.order.row(tile), k + step))];
                part.src[std::size_t(2 + step)]
                    = product.bRegisters[std::size_t(product.b.order.indexOf(sum.order.column(tile), k + step))];
            }
            part.src[4] = k == 0 ? product.c[i] : results[i];
            decoder.emit(part);
        }
    }
    for (std::size_t i = 0; apart && i < results.size(); ++i) {
        Instruction move;
        move.op = Opcode::Mov;
        move.type = registerType(product.types.sum);
        move.dst[0] = product.d[i];
        move.src[0] = results[i];
        decoder.emit(move);
    }
}

/// d, a, b, c in their braces. `copies`: registers of a and b, where they are more than the tiles, hold these once more.
void readProduct(Decoder& decoder, Product& product, std::optional<int> copies)
{
    const Type sum = registerType(product.types.sum), element = registerType(product.types.element);
    const int sums = product.sum.tiles() * product.sum.registersOfTile();
    product.d = registers(decoder, sums, sum, true);
    decoder.cursor().expect(',');
    product.aRegisters = registers(decoder, copies.value_or(product.a.tiles()), element, false);
    decoder.cursor().expect(',');
    product.bRegisters = registers(decoder, copies.value_or(product.b.tiles()), element, false);
    decoder.cursor().expect(',');
    product.c = registers(decoder, sums, sum, false);
}

bool isShapeOfMma(const Shape& shape, Type element)
{
    const int k = tileColumns(element);
    if (shape.m == 8)
        return (element == Type::F64 || bytesOf(element) == 1) && shape.k == k;
    return shape.k == k || shape.k == 2 * k || (element == Type::F64 && shape.k == 4 * k);
}

bool isShapeOfWmma(const Shape& shape, Type element)
{
    switch (element) {
    case Type::F64:
        return shape == Shape { 8, 8, 4 };
    case Type::F32:
        return shape == Shape { 16, 16, 8 };
    default:
        return shape.k == 16 && shape.m * shape.n == 256;
    }
}

Shape wmmaShape(Segments& segments)
{
    return segments.oneOf<Shape>({ { "m16n16k16", { 16, 16, 16 } }, { "m32n8k16", { 32, 8, 16 } },
        { "m8n32k16", { 8, 32, 16 } }, { "m16n16k8", { 16, 16, 8 } }, { "m8n8k4", { 8, 8, 4 } } });
}

/// Registers that the fragments of half-precision a and b have, whatever the shape.
std::optional<int> copiesOf(Type element) { return element == Type::F16 ? std::optional(8) : std::nullopt; }

/// Writes the accesses that load or store a fragment.
class FragmentAccess {
public:
    FragmentAccess(Decoder& decoder, const Fragment& fragment, Space space, const Address& address, const Operand& stride)
        : m_decoder(decoder)
        , m_fragment(fragment)
        , m_space(space)
        , m_offset(address.offset)
        , m_base(address.base)
        , m_isWide(decoder.widthOf(address.base) != 4)
        , m_stride(stride)
        , m_bytes(fragment.elementBytes())
    {
    }

    void load(const std::vector<Operand>& registers_)
    {
        const bool isAsMatrices = m_space == Space::Shared && !m_fragment.isSum
            && (m_fragment.type == Type::F16 || (m_bytes == 1 && m_fragment.rowsAreNeighbours));
        isAsMatrices ? loadMatrices(registers_) : access(Opcode::Ld, registers_);
        for (std::size_t i = std::size_t(m_fragment.tiles() * m_fragment.registersOfTile()); i < registers_.size(); ++i)
            move(registers_[i], registers_[i % std::size_t(m_fragment.tiles())]);
    }
    void store(const std::vector<Operand>& registers_) { access(Opcode::St, registers_); }

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
    void move(const Operand& to, const Operand& from)
    {
        Instruction mov { .op = Opcode::Mov, .type = Type::B32 };
        mov.dst[0] = to;
        mov.src[0] = from;
        m_decoder.emit(mov);
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
    void loadMatrices(const std::vector<Operand>& registers_)
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
                load.dst[std::size_t(i)] = registers_[std::size_t(first + i)];
            load.src[0] = place.base;
            load.offset = place.offset;
            m_decoder.emit(load);
        }
    }

    /// Each lane its own elements: neighbours at once; halves that stand in a column together with those of the next column,
    /// and the warp turns them around.
    void access(Opcode op, const std::vector<Operand>& registers_)
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
        for (int tile = 0; tile < f.tiles(); ++tile)
            for (int piece = 0; piece < pieces; ++piece)
                accessPiece(op, registers_, tile, piece, places[std::size_t(tile * pieces + piece)]);
    }

    void accessPiece(Opcode op, const std::vector<Operand>& registers_, int tile, int piece, const Address& place)
    {
        const Fragment& f = m_fragment;
        const bool turns = !f.rowsAreNeighbours && m_bytes == 2, bytes = !f.rowsAreNeighbours && m_bytes == 1;
        const int perTile = f.registersOfTile(), vector = f.rowsAreNeighbours ? perTile : 1;
        const std::size_t first = std::size_t(tile * perTile + (perTile > 1 ? piece : 0));
        Instruction one { .op = op, .type = bytes ? Type::U8 : registerType(f.type) };
        one.mod.space = m_space;
        one.vector = std::uint8_t(vector);
        one.src[0] = place.base;
        one.offset = place.offset;
        if (op == Opcode::St) {
            for (int i = 0; i < vector; ++i)
                one.src[std::size_t(1 + i)] = turns ? turned(registers_[first]) : registers_[first + std::size_t(i)];
            m_decoder.emit(one);
            return;
        }
        for (int i = 0; i < vector; ++i)
            one.dst[std::size_t(i)] = turns || bytes ? m_decoder.temporary(Type::B32) : registers_[first + std::size_t(i)];
        m_decoder.emit(one);
        if (turns)
            move(registers_[first], turned(one.dst[0]));
        if (!bytes)
            return;
        m_bytesLoaded.push_back(one.dst[0]);
        if (m_bytesLoaded.size() == std::size_t(f.laneElements()))
            packBytes(registers_[first]);
    }
    [[nodiscard]] Operand turned(const Operand& from)
    {
        return emit({ .op = Opcode::MoveMatrix, .type = Type::B16 }, { from }, Type::B32);
    }
    void packBytes(const Operand& to)
    {
        Instruction pack { .op = Opcode::Pack, .type = Type::B32 };
        pack.vector = std::uint8_t(m_bytesLoaded.size());
        pack.dst[0] = to;
        std::ranges::copy(m_bytesLoaded, pack.src.begin());
        m_decoder.emit(pack);
        m_bytesLoaded.clear();
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
    std::vector<Operand> m_bytesLoaded;
};

Space spaceOf(Segments& segments)
{
    return segments.accept("global")                                   ? Space::Global
        : segments.accept("shared") || segments.accept("shared::cta") ? Space::Shared
                                                                       : Space::Generic;
}

enum class Role : std::uint8_t { A, B, Sum };

/// The fragment that a wmma load or store names, its space and the stride that stands for none.
struct FragmentName {
    Fragment fragment;
    Space space = Space::Generic;
    int stride = 0;
    int registers_ = 0;
};

FragmentName fragmentName(Decoder& decoder, Role role)
{
    Segments segments(decoder);
    const bool byRows = segments.oneOf<bool>({ { "row", true }, { "col", false } });
    const Shape shape = wmmaShape(segments);
    FragmentName name { .space = spaceOf(segments) };
    const Type type = role == Role::Sum ? sumTypeOf(segments) : typeOf(segments);
    const Type element = role != Role::Sum ? type
        : shape.k == 8                     ? Type::F32
        : type == Type::F64                ? Type::F64
                                           : Type::F16;
    segments.end();
    if (!isShapeOfWmma(shape, element))
        failBad(decoder.mnemonicOffset(), "This shape does not exist for this type.");
    name.fragment = role == Role::A ? aOf(shape, type) : role == Role::B ? bOf(shape, type) : sumOf(shape, type);
    name.fragment.rowsAreNeighbours = byRows == (role == Role::A || (role == Role::Sum && !isTurned(shape)));
    name.stride = role == Role::A ? (byRows ? shape.k : shape.m)
        : role == Role::B         ? (byRows ? shape.n : shape.k)
                                  : (byRows ? shape.n : shape.m);
    name.registers_ = role == Role::Sum ? name.fragment.tiles() * name.fragment.registersOfTile()
                                        : copiesOf(type).value_or(name.fragment.tiles());
    return name;
}

Operand readStride(Decoder& decoder, int otherwise)
{
    if (decoder.cursor().accept(','))
        return decoder.source(Type::U32);
    return { .kind = OperandKind::Immediate, .bits = std::uint64_t(otherwise) };
}

void decodeFragmentLoad(Decoder& decoder, Role role)
{
    const FragmentName name = fragmentName(decoder, role);
    const auto to = registers(decoder, name.registers_, registerType(name.fragment.type), true);
    decoder.cursor().expect(',');
    const Address address = decoder.memoryOperand();
    FragmentAccess(decoder, name.fragment, name.space, address, readStride(decoder, name.stride)).load(to);
}

} // namespace

void decodeMma(Decoder& decoder)
{
    Segments segments(decoder);
    const Shape shape = segments.oneOf<Shape>({ { "m16n8k16", { 16, 8, 16 } }, { "m16n8k8", { 16, 8, 8 } },
        { "m16n8k4", { 16, 8, 4 } }, { "m16n8k32", { 16, 8, 32 } }, { "m8n8k4", { 8, 8, 4 } }, { "m8n8k16", { 8, 8, 16 } } });
    if (!segments.accept("row") || !segments.accept("col"))
        segments.refuse();
    Product product { .saturate = segments.accept("satfinite") };
    const Type sum = sumTypeOf(segments), element = typeOf(segments);
    if (typeOf(segments) != element || sumTypeOf(segments) != sum)
        failUnsupported(decoder.mnemonicOffset(), "A product of matrices of different types is not modelled.");
    segments.end();
    product.types = { element, sum };
    if (!agree(product.types) || !isShapeOfMma(shape, element))
        failBad(decoder.mnemonicOffset(), "This shape does not exist for these types.");
    product.a = aOf(shape, element);
    product.b = bOf(shape, element);
    product.sum = sumOf(shape, sum);
    readProduct(decoder, product, std::nullopt);
    emitProduct(decoder, product);
}

/// cvt.rna.tf32.f32: 10 bits of the mantissa are left, ties away from zero.
void decodeTf32(Decoder& decoder)
{
    Instruction& ins = decoder.current();
    ins.type = Type::B32;
    ins.dst[0] = decoder.destination(Type::B32);
    decoder.cursor().expect(',');
    Instruction half = ins;
    half.op = Opcode::Add;
    half.type = Type::U32;
    half.src = { decoder.source(Type::F32), Operand { .kind = OperandKind::Immediate, .bits = 0x1000 } };
    half.dst[0] = decoder.temporary(Type::B32);
    decoder.emit(half);
    ins.src = { half.dst[0], Operand { .kind = OperandKind::Immediate, .bits = 0xffffe000 } };
    decoder.emit();
}

void decodeWmmaMma(Decoder& decoder)
{
    Segments segments(decoder);
    for (int i = 0; i < 2; ++i) // the layouts, which only loads need
        (void)segments.oneOf<bool>({ { "row", true }, { "col", false } });
    const Shape shape = wmmaShape(segments);
    Product product;
    const Type sum = sumTypeOf(segments);
    const bool namesElements = sum == Type::S32 || sum == Type::F64 || shape.k == 8;
    Type element = Type::F16;
    if (namesElements || segments.accept("bf16")) {
        element = namesElements ? typeOf(segments) : Type::BF16;
        if (typeOf(segments) != element)
            failUnsupported(decoder.mnemonicOffset(), "A product of matrices of different types is not modelled.");
    }
    if (sumTypeOf(segments) != sum)
        failUnsupported(decoder.mnemonicOffset(), "A sum of another type than what it is added to is not modelled.");
    product.saturate = segments.accept("satfinite");
    if (sum == Type::F64)
        (void)segments.accept("rn");
    segments.end();
    product.types = { element, sum };
    if (!agree(product.types) || !isShapeOfWmma(shape, element))
        failBad(decoder.mnemonicOffset(), "This shape does not exist for these types.");
    product.a = aOf(shape, element);
    product.b = bOf(shape, element);
    product.sum = sumOf(shape, sum);
    readProduct(decoder, product, copiesOf(element));
    if (isTurned(shape)) {
        std::swap(product.a, product.b);
        std::swap(product.aRegisters, product.bRegisters);
    }
    emitProduct(decoder, product);
}

void decodeWmmaLoadA(Decoder& decoder) { decodeFragmentLoad(decoder, Role::A); }
void decodeWmmaLoadB(Decoder& decoder) { decodeFragmentLoad(decoder, Role::B); }
void decodeWmmaLoadC(Decoder& decoder) { decodeFragmentLoad(decoder, Role::Sum); }

void decodeWmmaStore(Decoder& decoder)
{
    const FragmentName name = fragmentName(decoder, Role::Sum);
    const Address address = decoder.memoryOperand();
    decoder.cursor().expect(',');
    const auto from = registers(decoder, name.registers_, registerType(name.fragment.type), false);
    FragmentAccess(decoder, name.fragment, name.space, address, readStride(decoder, name.stride)).store(from);
}

} // namespace coalescope::analysis::ptx
