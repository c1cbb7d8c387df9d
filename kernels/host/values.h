// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/source/host_values.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

/// Host code, executed step by step: see contents.h.
namespace coalescope::kernels::host {

/// What a value is. The order is that of the conversions: an operation is made in the later one of its operands' kinds.
enum class Kind : std::uint8_t {
    None, ///< of no type yet, as what `auto` declares
    Bool,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F16, ///< 16 bits of a real number, whatever its format: never known
    F32,
    F64,
    Pointer, ///< also an iterator
    Whole, ///< an object, an array, a vector
    Function,
    Other, ///< a string, a stream: never known
};

[[nodiscard]] inline bool isInteger(Kind kind) { return kind >= Kind::Bool && kind <= Kind::U64; }
[[nodiscard]] inline bool isReal(Kind kind) { return kind >= Kind::F16 && kind <= Kind::F64; }
[[nodiscard]] inline bool isNumber(Kind kind) { return kind >= Kind::Bool && kind <= Kind::F64; }
[[nodiscard]] int bytesOf(Kind kind); ///< of a number; 8 for others

struct Frame;
struct Node;
struct Type;
struct Thing;

/// What Handles count.
struct Counted {
    std::uint32_t owners = 0;
};

/// Holds a Thing. Not thread-safe: a run has things of its own.
class Handle {
public:
    Handle() = default;
    explicit Handle(Thing* thing);
    Handle(const Handle& other)
        : m_thing(other.m_thing)
    {
        if (m_thing)
            ++m_thing->owners;
    }
    Handle(Handle&& other) noexcept
        : m_thing(std::exchange(other.m_thing, nullptr))
    {
    }
    Handle& operator=(Handle other) noexcept
    {
        std::swap(m_thing, other.m_thing);
        return *this;
    }
    ~Handle()
    {
        if (m_thing && --m_thing->owners == 0)
            destroy();
    }
    [[nodiscard]] Thing* get() const;
    Thing* operator->() const;
    Thing& operator*() const;
    explicit operator bool() const { return m_thing != nullptr; }

private:
    void destroy();

    Counted* m_thing = nullptr;
};

struct Value {
    Kind kind = Kind::None;
    bool isKnown = false;
    std::int64_t integer = 0; ///< of a number that is none of reals, with its sign; Pointer: the place in the thing
    double real = 0; ///< F32: rounded to it
    const Type* points = nullptr; ///< Pointer: what it is declared to point to; null: not said
    Handle thing; ///< Pointer: what it points into, none: null; Whole: its own; Function: a lambda; or several in its items, one of which it is or, with a type, one of which suits what it is called with

    [[nodiscard]] static Value of(Kind kind, std::int64_t integer);
    [[nodiscard]] static Value ofReal(Kind kind, double real);
    [[nodiscard]] static Value unknown(Kind kind);
    [[nodiscard]] static Value pointer(Handle thing, std::int64_t at);
    [[nodiscard]] static Value whole(Handle thing);
    [[nodiscard]] bool isTrue() const { return isKnown && (isReal(kind) ? real != 0 : kind == Kind::Pointer || kind == Kind::Function ? bool(thing) : integer != 0); }
    [[nodiscard]] bool isFalse() const { return isKnown && !isTrue(); }
    [[nodiscard]] std::int64_t asInteger() const { return isReal(kind) ? std::int64_t(real) : integer; }
    [[nodiscard]] double asReal() const { return isReal(kind) ? real : kind == Kind::U64 ? double(std::uint64_t(integer)) : double(integer); }
};

inline constexpr std::string_view kFunctionPointer = "function pointer"; ///< the name of their type, whatever they take

/// A type, as far as values of it are told apart.
struct Type {
    enum class Shape : std::uint8_t { Plain, Pointer, Array, Vector, Class, Tuple, Variant, Engine, Distribution, Other, Auto } shape = Shape::Other;
    Kind kind = Kind::Other; ///< of its values
    const Type* element = nullptr; ///< Pointer, Array, Vector; Distribution: of what it draws
    std::int64_t count = 0; ///< Array
    std::vector<const Type*> parts; ///< Class: of its members; Tuple; Variant: what it may hold
    std::vector<int> bits; ///< of each part that is a bit field, 0: of one that is none; empty: there are none
    std::vector<bool> references; ///< which parts are references; empty: none is
    const HostClass* declared = nullptr; ///< Class
    std::map<std::string, const Type*, std::less<>> bound; ///< Class: what its template's parameters are
    std::map<std::string, std::int64_t, std::less<>> boundValues;
    std::string name; ///< "mt19937", "queue"
    std::string text; ///< in full: no other type has the same
    std::size_t stride = 0; ///< from one to the next in an array that is kept as bytes; 0: arrays of it are kept as values
    std::vector<std::size_t> offsets; ///< of the members of one that is kept so

    [[nodiscard]] bool isPlain() const { return shape == Shape::Plain; }
    [[nodiscard]] bool isString() const { return shape == Shape::Vector && name == "string"; }
    [[nodiscard]] bool isPack() const { return shape == Shape::Other && name == "pack"; }
    [[nodiscard]] bool isStream() const { return shape == Shape::Other && name.ends_with("fstream"); } ///< of a file
    [[nodiscard]] bool isSpan() const { return shape == Shape::Tuple && name == "span"; }
    [[nodiscard]] bool isOptional() const { return shape == Shape::Pointer && name == "optional"; }
    [[nodiscard]] bool isStored() const { return stride > 0; }
    [[nodiscard]] bool isOfFewReals() const; ///< and so more of a value than of a place, which may lead addresses
    [[nodiscard]] bool isOfReals() const; ///< a real number, or made of nothing else
    [[nodiscard]] bool isReference(std::size_t part) const { return part < references.size() && references[part]; }
    [[nodiscard]] bool isAddress() const { return shape == Shape::Pointer && name.empty(); } ///< no smart pointer
    [[nodiscard]] bool hasAddresses() const; ///< it is one, or has some in it
    [[nodiscard]] std::size_t bytes() const; ///< as sizeof() tells it; 0: not known
    [[nodiscard]] std::size_t alignment() const;
    /// Where a part of a Class or Tuple lies: `bits` above 0: so many, from `shift` on.
    struct PartPlace {
        std::size_t offset = 0;
        int shift = 0, bits = 0;
    };
    [[nodiscard]] std::vector<PartPlace> partPlaces() const; ///< and where the last one ends; empty: not known
    [[nodiscard]] Value inPart(std::size_t part, const Value& value) const; ///< what a bit field keeps of a value, or all of it
    [[nodiscard]] std::optional<std::size_t> offsetOf(std::string_view member) const; ///< of a class's; nothing: not known
};

/// What draws numbers, or makes others of them.
using Engine = std::variant<std::monostate, std::mt19937, std::mt19937_64, std::minstd_rand, std::minstd_rand0, //
    std::uniform_int_distribution<std::int32_t>, std::uniform_int_distribution<std::uint32_t>, std::uniform_int_distribution<std::int64_t>,
    std::uniform_int_distribution<std::uint64_t>, std::geometric_distribution<std::int64_t>, std::poisson_distribution<int>, std::binomial_distribution<int>,
    std::negative_binomial_distribution<int>, std::discrete_distribution<int>, std::bernoulli_distribution, //
    std::uniform_real_distribution<float>, std::normal_distribution<float>, std::lognormal_distribution<float>, std::cauchy_distribution<float>,
    std::extreme_value_distribution<float>, std::gamma_distribution<float>, std::weibull_distribution<float>, std::fisher_f_distribution<float>,
    std::exponential_distribution<float>, std::chi_squared_distribution<float>, std::student_t_distribution<float>, //
    std::uniform_real_distribution<double>, std::normal_distribution<double>, std::lognormal_distribution<double>, std::cauchy_distribution<double>,
    std::extreme_value_distribution<double>, std::gamma_distribution<double>, std::weibull_distribution<double>, std::fisher_f_distribution<double>,
    std::exponential_distribution<double>, std::chi_squared_distribution<double>, std::student_t_distribution<double>>;

/// What an address in memory points to.
using PointerAt = std::function<Value(const Type& pointer, std::uint64_t address)>;

/// Memory: an array, an object's members, a function's variables.
struct Thing : Counted {
    const Type* type = nullptr; ///< of the whole: Array, Vector, Class, ...; null: variables
    const Type* element = nullptr; ///< of an array
    std::vector<std::uint8_t> bytes; ///< of an array of numbers, or of objects that are made of some
    std::vector<Value> items; ///< of all else; of a std::variant: what it holds, and which of its types that is of
    std::vector<bool> unknown; ///< elements of `bytes`; empty: none
    bool isUnknown = false; ///< all that it holds, and how many these are
    std::shared_ptr<Engine> engine; ///< its own
    std::int64_t hollow = -1; ///< an array of so many elements of which none is kept, nor known; -1: it is none
    std::int64_t raw = -1; ///< bytes of memory that is of no type yet; -1: it is
    int filled = -1; ///< memory of no type yet: the byte that all of it has been set to; -1: nobody has written to it
    bool isDevice = false; ///< the GPU's own
    bool isLiteral = false; ///< nothing changes it
    int number = 0; ///< among what the runtime has allocated for the GPU, from 1 on; 0: it is none of that; of a std::unordered_map how many have been put in, of its pairs how many before them
    std::uint32_t forgets = 0; ///< how often forget() was asked for
    std::string_view takenBy; ///< the kernel that was given it last, to write to, since the host wrote to it; empty: none has been
    const Node* code = nullptr; ///< of a lambda
    std::vector<std::pair<int, Value>> captured; ///< of a lambda: its copies of variables, by their slots
    std::shared_ptr<Frame> frame; ///< of the function that a lambda stands in
    bool isRunning = false; ///< the lambda is

    [[nodiscard]] std::size_t size() const { return hollow >= 0 ? std::size_t(hollow) : element && element->isStored() ? bytes.size() / element->stride : items.size(); }
    [[nodiscard]] Value at(std::int64_t index) const;
    void set(std::int64_t index, const Value& value); ///< converts it to what stands there
    [[nodiscard]] std::int64_t width() const { return element ? std::int64_t(element->bytes()) : 0; } ///< of an element, in bytes; 0: it has none, or nobody knows
    [[nodiscard]] Value partAt(std::int64_t index, int part) const; ///< a member of an element that is kept as bytes
    void setPart(std::int64_t index, int part, const Value& value);
    void resize(std::size_t count, const Value& fill);
    void know(std::int64_t first, std::int64_t last); ///< elements that are kept as bytes are known from now on
    void insert(std::int64_t index, const Value& value); ///< before what stands there
    void erase(std::int64_t index);
    /// All elements of an array, as they lie in memory. `unlike`: those of which nobody knows what they are; empty: none.
    void assign(std::vector<std::uint8_t> content, std::vector<bool> unlike = {}, const PointerAt& pointerAt = {});
    /// It holds what nobody knows, and so does what it points to. Of a vector nobody knows how many these are, unless it `keepsSize`.
    /// Returns how many things it has gone through.
    std::int64_t forget(bool keepsSize = false, int depth = 4);
};

/// What stands in { }, of no type yet.
[[nodiscard]] inline bool isList(const Value& value) { return value.kind == Kind::Whole && value.thing && !value.thing->type && !value.thing->element; }
/// Of a class of the program's.
[[nodiscard]] inline bool isObject(const Value& value) { return value.kind == Kind::Whole && value.thing && value.thing->type && value.thing->type->declared && !value.thing->isUnknown; }
[[nodiscard]] inline bool isString(const Value& value) { return value.kind == Kind::Whole && value.thing && value.thing->type && value.thing->type->isString(); }

inline Handle::Handle(Thing* thing)
    : m_thing(thing)
{
    if (m_thing)
        ++m_thing->owners;
}
inline Thing* Handle::get() const { return static_cast<Thing*>(m_thing); }
inline Thing* Handle::operator->() const { return get(); }
inline Thing& Handle::operator*() const { return *get(); }

[[nodiscard]] Value converted(const Value& value, Kind kind);

enum class Arithmetic : std::uint8_t { Add, Subtract, Multiply, Divide, Remainder, And, Or, Xor, ShiftLeft, ShiftRight, Less, LessEqual, Greater, GreaterEqual, Equal, NotEqual };

[[nodiscard]] constexpr bool isComparison(Arithmetic operation) { return operation >= Arithmetic::Less; }

template <class Number> [[nodiscard]] constexpr bool compared(Arithmetic comparison, Number a, Number b)
{
    switch (comparison) {
    case Arithmetic::Less: return a < b;
    case Arithmetic::LessEqual: return a <= b;
    case Arithmetic::Greater: return a > b;
    case Arithmetic::GreaterEqual: return a >= b;
    case Arithmetic::Equal: return a == b;
    default: return a != b;
    }
}

/// The first place from there on that is a multiple of the alignment.
[[nodiscard]] constexpr std::size_t alignedUp(std::size_t at, std::size_t alignment) { return (at + alignment - 1) / alignment * alignment; }

inline constexpr std::int64_t kMostBytes = std::int64_t(512) << 20; ///< of one array

/// Of numbers and pointers, as C++ has it. What is not known, or not defined, comes as unknown.
[[nodiscard]] Value applied(Arithmetic operation, const Value& a, const Value& b);

/// What lies in memory as a number, a pointer, an object or an array of these.
[[nodiscard]] Value valueOfBytes(const Type& type, const std::uint8_t* from, const PointerAt& pointerAt = {});

/// Another object of the same content.
[[nodiscard]] Value copied(const Value& value);

} // namespace coalescope::kernels::host
