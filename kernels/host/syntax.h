// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/host/values.h"

#include <algorithm>
#include <deque>
#include <initializer_list>
#include <string_view>

namespace coalescope::kernels::host {

[[nodiscard]] inline bool isAmong(std::string_view name, std::initializer_list<std::string_view> names)
{
    return std::ranges::find(names, name) != names.end();
}

enum class Op : std::uint8_t {
    // expressions
    Unknown,
    Constant,
    Literal, ///< a text, `name`
    Local, ///< a variable of the function's, in its slot
    Global,
    Self, ///< *this
    Named, ///< a function or a kernel
    Macro, ///< a #define's number, kid 0, of `name`
    Member, ///< of kid 0; `flag`: behind a pointer
    Index,
    Dereference,
    AddressOf,
    Call, ///< of `name`; `flag`: packs are expanded among its arguments
    CallMember, ///< of `name`, on kid 0; `flag`: behind a pointer
    CallValue, ///< of kid 0, a lambda or an object
    Static, ///< T::`name`, a constant of a class that templates tell: `type`
    CallStatic, ///< T::`name`(), likewise
    Negate,
    Not,
    Complement,
    Increase, ///< ++ or --, `slot` is 1 or -1; `flag`: behind it
    Binary,
    ThreeWay, ///< <=>: a number below, at or above 0
    Both, ///< &&
    Either, ///< ||
    Comma,
    Conditional,
    Assign,
    AssignWith,
    Cast, ///< `flag`: dynamic_cast
    SizeOf, ///< `name`: of the bytes before a member of that name; empty: of all
    New, ///< of `type`, kid 0 of them
    Lambda, ///< `flag`: it returns a reference
    Expand, ///< among arguments: kid 0... ; `slots`: of the packs in it
    Fold, ///< (kid 0 op ...), kid 1 of both ends, null: none; `joins`: the operation; `flag`: (... op kid 0); `slots`: of the packs in it
    CountPack, ///< sizeof...(a pack), in its slot
    Trait, ///< std::is_same_v<A, B>: `name` and `types`
    List, ///< { a, b }
    Designated, ///< in a list: .`name` = kid 0
    Make, ///< type(a, b); `flag`: type { a, b }
    Launch, ///< kid 0: the kernel; `slot`: which one of the program's; further kids: its arguments; `values`: grid, block, shared memory
    // statements
    Block,
    Declare, ///< kids: Variables
    Variable, ///< kid 0: initial value, of `style`; further ones: extents of an array
    Bindings, ///< auto [a, b] = kid 0; `slots`
    Expression,
    If, ///< kids: condition, then, else; `flag`: it launches nothing and ends the function
    For, ///< kids: first, condition, step, body, each may be null
    ForEach, ///< kids: variable, list, body
    While,
    Do,
    Switch, ///< kids: value, and each label's statement
    Case, ///< kid 0: its value; none: default
    Break,
    Continue,
    Return,
    Throw, ///< an object of the class `name`
    Try, ///< kids: what is tried, and each Catch
    Catch, ///< of the class `name`, empty: of all; kid 0: what is done; `flag`: it ends the function
    Broken, ///< a statement that is not understood
};

enum class Initial : std::uint8_t { None, Equals, Brackets, Braces };

struct Node;

/// A type as it is written.
struct TypeName {
    std::string name; ///< "vector"
    std::vector<TypeName> arguments;
    std::vector<const Node*> values; ///< beside each argument: what it is where it is no type
    int pointers = 0;
    bool isReference = false, isAuto = false;
    bool isOfLibrary = false; ///< std:: or thrust:: stands before it
    int pack = 0; ///< of a template's pack, one more than the slot in which it lies; 0: it names none
    bool isExpanded = false; ///< `Ts...`, `Ns...`: all that the pack stands for
    mutable const Type* resolved = nullptr; ///< where it is the same in every call
};

struct Node {
    Op op = Op::Unknown;
    Arithmetic arithmetic = Arithmetic::Add;
    Op joins = Op::Binary; ///< Fold: Binary, Both, Either or Comma
    Initial style = Initial::None;
    bool flag = false;
    bool isAlias = false; ///< Local and Global: its slot holds where the value stands
    int slot = 0;
    int line = 0; ///< loops: where they stand in their file
    int firstSlot = 0, lastSlot = 0; ///< statements: of the variables in them
    std::string_view name;
    std::string_view scope; ///< Named, Call: the namespace that it is of, or that it stands in
    Value constant;
    const TypeName* type = nullptr; ///< Make, Cast, ...: of what
    std::vector<const Node*> kids;
    std::vector<int> slots; ///< Lambda: of its parameters; Expand, Fold: see there
    std::vector<int> captured; ///< Lambda: of variables around it and in its brackets that it has copies of
    bool takesPack = false; ///< Lambda: its last parameter takes all further arguments
    std::vector<bool> areAliases; ///< Lambda: which of them are references
    const std::vector<HostParameter>* ofTemplate = nullptr; ///< Lambda: `[]<class T, int... Ns>(T x)`; null: none
    std::vector<std::pair<std::string, int>> templateSlots; ///< of these, as Body::ofTemplate
    std::vector<TypeName> types; ///< Lambda: of its parameters; Call: its template arguments
    std::vector<const Node*> values; ///< Call: beside each of `types`: what it is where it is no type
    enum class Callee : std::uint8_t { NotYet, Function, Member, Virtual, Runtime, Library } mutable callee = Callee::NotYet; ///< Call: what it has turned out to be
    mutable bool isOverloaded = false; ///< Call: several suit by their names
    mutable const HostFunction* function = nullptr; ///< Call: of the program's
    const HostClass* ofClass = nullptr; ///< Call: Base::step()
    mutable std::uint8_t uncompiled = 0; ///< For and its kin: how often it was not compiled
    mutable std::int8_t effects = -1; ///< whether what another argument is may change with it; below 0: not known yet: see Run::hasEffects()
    mutable int family = -1; ///< Call and CallMember: of the library's functions; below 0: not known yet, or so often not found
    mutable const Type* made = nullptr; ///< Call: what make_float4() and its kin make
    mutable const HostClass* knownClass = nullptr; ///< Member: whose
    mutable int knownMember = -1; ///< is at this place
};

/// Whether a place is called by a name: a variable, or a member.
[[nodiscard]] inline bool namesItself(const Node& place) { return place.op == Op::Local || place.op == Op::Global || place.op == Op::Member; }

/// A function's body, or a constructor's with what it makes the members of.
struct Body {
    const Node* block = nullptr;
    int slots = 0; ///< variables, parameters first
    TypeName returns;
    std::vector<TypeName> parameters;
    std::vector<bool> areAliases; ///< which parameters are references
    bool takesPack = false; ///< the last parameter takes all further arguments
    std::vector<const Node*> defaults; ///< null: none
    std::vector<std::pair<std::string_view, const Node*>> members; ///< Make, without its type; also bases
    std::vector<std::pair<std::string, int>> ofTemplate; ///< values and packs that a template has for parameters, and their slots
    std::vector<std::pair<int, const Node*>> defaultValues; ///< of these, by their slots
    std::vector<std::pair<std::string, TypeName>> defaultTypes; ///< of a template's parameters that are types
};

} // namespace coalescope::kernels::host
