// SPDX-License-Identifier: Apache-2.0
// ISA chapter: warp-level matrix instructions. mma and wmma are taken apart into one product for each register of the
// result, wmma's loads and stores into the accesses that the machine code makes.
//
// Source:  PTX ISA, "Matrix Fragments for mma". The fragments of wmma have no documented layout: which lane holds which
//          element, and which accesses load and store it, was read off an H200 (driver 580.159.04, CUDA 13.0, 2026-11-23)
//          for every shape, layout and type below.
#include "analysis/ptx/failure.h"
#include "analysis/ptx/fragment_access.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace coalescope::analysis::ptx {

namespace {

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

/// The element types of a, b (the same) and of c, d (the same).
struct Types {
    Type element = Type::F16, sum = Type::F32;
};

Type typeOf(Segments& segments)
{
    return segments.oneOf<Type>({ { "f16", Type::F16 }, { "bf16", Type::BF16 }, { "tf32", Type::F32 }, { "f64", Type::F64 },
        { "e4m3", Type::E4M3 }, { "e5m2", Type::E5M2 }, { "s8", Type::S8 }, { "u8", Type::U8 } });
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
    case Type::E4M3:
    case Type::E5M2:
        return types.sum == Type::F32;
    case Type::F64:
        return types.sum == Type::F64;
    default:
        return types.sum == Type::S32;
    }
}

std::vector<Operand> registers(Decoder& decoder, int count, Type type, bool written)
{
    std::vector<Operand> operands;
    decoder.operandsInBraces(
        count, [&](int) { operands.push_back(written ? decoder.destination(type) : decoder.source(type)); });
    return operands;
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
    for (std::size_t i = 0; apart && i < results.size(); ++i)
        decoder.emitMove(product.d[i], results[i], registerType(product.types.sum));
}

/// d, a, b, c in their braces. `copies`: registers of a and b, where they are more than the tiles, hold these once more.
void readProduct(Decoder& decoder, Product& product, const Shape& shape, std::optional<int> copies)
{
    product.a = aOf(shape, product.types.element);
    product.b = bOf(shape, product.types.element);
    product.sum = sumOf(shape, product.types.sum);
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
        return (element == Type::F64 || element == Type::S8 || element == Type::U8) && shape.k == k;
    return shape.k == k || shape.k == 2 * k || (element == Type::F64 && shape.k == 4 * k);
}

bool isShapeOfWmma(const Shape& shape, Type element)
{
    switch (element) {
    case Type::F64:
        return shape == Shape { 8, 8, 4 };
    case Type::F32:
        return shape == Shape { 16, 16, 8 };
    case Type::E4M3:
    case Type::E5M2:
        return false;
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
    int count = 0; ///< of registers
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
    name.count = role == Role::Sum ? name.fragment.tiles() * name.fragment.registersOfTile()
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
    const auto to = registers(decoder, name.count, registerType(name.fragment.type), true);
    decoder.cursor().expect(',');
    const Address address = decoder.memoryOperand();
    emitFragmentLoad(decoder, name.fragment, { name.space, address, readStride(decoder, name.stride) }, to);
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
    readProduct(decoder, product, shape, std::nullopt);
    emitProduct(decoder, product);
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
    readProduct(decoder, product, shape, copiesOf(element));
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
    const auto from = registers(decoder, name.count, registerType(name.fragment.type), false);
    emitFragmentStore(decoder, name.fragment, { name.space, address, readStride(decoder, name.stride) }, from);
}

} // namespace coalescope::analysis::ptx
