// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/source/declarations.h"
#include "kernels/source/parameter_types.h"
#include "kernels/source/symbolic.h"
#include "kernels/source/tokens.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

namespace coalescope::kernels {

inline constexpr std::size_t kLongestMember = 512; ///< elements of an array in a structure that a launch is given

inline constexpr std::int64_t kPitchBytes = 512; ///< what cudaMallocPitch rounds a row up to

/// A type as host code writes it.
struct HostType {
    std::string name; ///< "float", "vector"; without std, const, & and *
    std::string full; ///< "std::vector<float>"
    std::vector<std::string> arguments; ///< of a template, resolved
    int pointers = 0;
    bool isReference = false, isConst = false;
    [[nodiscard]] bool isAuto() const { return name == "auto"; }
    [[nodiscard]] std::string withPointers() const { return name + std::string(std::size_t(pointers), '*'); } ///< "float**"
    [[nodiscard]] std::string text() const { return name + templateList(arguments) + std::string(std::size_t(pointers), '*'); } ///< "Tile<float,8>*"
};

struct HostFunction;
struct HostScope;

/// Where a value stands, to be assigned to.
struct HostPlace {
    HostScope* scope = nullptr;
    std::string name; ///< empty: nowhere
    int component = -1; ///< of a dim3, or an item of a list
};

enum class HostKind : std::uint8_t {
    Unknown,
    Number,
    Dim3,
    Pointer, ///< to a buffer on the GPU; without one: to the host's memory, or null
    Kernel, ///< a __global__ function
    Function, ///< one of the host's, or a lambda
    Object, ///< of a class of the program's
    List, ///< an array, a vector, or what stands in { }
    Reference, ///< &variable
};

/// A value of the host's code, as far as it is known without running it.
struct HostValue {
    HostKind kind = HostKind::Unknown;
    Symbolic number; ///< a List's: how many there are, of which `items` may hold fewer
    std::array<Symbolic, 3> dims;
    std::string type; ///< Pointer and List: of an element; Kernel: name with arguments; Object: class
    int buffer = -1; ///< Pointer: which one
    bool isOffset = false; ///< Pointer: not to its begin
    bool isNull = false; ///< Pointer: it is set to null, and nobody has taken the variable's address since
    HostScope* scope = nullptr; ///< Object, and a Pointer to one: its members; Function: what it sees
    std::vector<HostValue> items; ///< Function and Object: others that it may be as well
    std::string key; ///< of a literal in quotes; an item of a map's
    std::string designator; ///< an item of { .name = value }
    std::optional<double> rest; ///< List: what the items behind those in `items` are; nothing: not known
    const HostFunction* function = nullptr;
    std::size_t madeFirst = 0, madeLast = 0; ///< Unknown: tokens of what a variable was declared as
    HostPlace place; ///< where the value stands
    HostPlace target; ///< Reference: what it is to; Pointer to one number: where that is kept
    bool isAlias = false; ///< Reference: a parameter or variable of type T&, which is what it refers to
    bool isBraced = false; ///< List: as it stands in { }
    bool isOpen = false; ///< List: a loop of which nobody knows how often it turns has put more into it
    bool isPack = false; ///< List: the arguments of a `T... rest`
    bool isMap = false; ///< List: its items have keys
    bool isRead = false; ///< Unknown: an integer that the program reads, from its input or a file
    bool isEnumerator = false; ///< Number: has a name that template arguments are to keep

    [[nodiscard]] static HostValue of(Symbolic number)
    {
        HostValue value { .kind = HostKind::Number };
        value.number = std::move(number);
        return value;
    }
    [[nodiscard]] static HostValue inBraces(std::vector<HostValue> items)
    {
        HostValue list { .kind = HostKind::List, .rest = 0, .isBraced = true };
        list.number = Symbolic::ofInteger(std::int64_t(items.size()));
        list.items = std::move(items);
        return list;
    }
    /// A variable of type T&: it is what stands there.
    [[nodiscard]] static HostValue aliasOf(HostPlace place)
    {
        HostValue alias { .kind = HostKind::Reference };
        alias.target = std::move(place);
        alias.isAlias = true;
        return alias;
    }
    /// List: one behind those in `items`.
    [[nodiscard]] HostValue restItem() const
    {
        if (!rest)
            return {};
        return of(*rest == std::floor(*rest) && std::abs(*rest) < 0x1p53 ? Symbolic::ofInteger(std::int64_t(*rest)) : Symbolic::ofReal(*rest));
    }
    [[nodiscard]] bool isNumber() const { return kind == HostKind::Number; }
    [[nodiscard]] bool isKnownTrue() const { return isNumber() && number.asReal() != 0; }
    [[nodiscard]] bool isKnownFalse() const { return isNumber() && number.asReal() == 0; }
};

/// What a pointer points to, as far as it is known.
[[nodiscard]] inline HostValue elementOf(const HostValue& pointer)
{
    HostValue element { .kind = pointer.scope ? HostKind::Object : HostKind::Unknown };
    element.scope = pointer.scope;
    element.buffer = pointer.scope ? -1 : pointer.buffer;
    element.type = pointer.type;
    return element;
}

/// Names and what they stand for.
struct HostScope {
    std::map<std::string, HostValue, std::less<>> values;
    std::map<std::string, std::string, std::less<>> types; ///< parameters of templates, aliases
    std::vector<std::string> order; ///< of an object's members
    std::string ofClass, typeText; ///< of an object's members: its class, without and with template arguments
    HostScope* outer = nullptr;
    bool isElement = false; ///< an object's in a table: its members are no parameters
};

/// What a GPU tells of itself.
struct DeviceProperty {
    std::string_view name, attribute; ///< in cudaDeviceProp, and as cudaDeviceGetAttribute() is asked for it
    int value = 0; ///< as the H200 tells it (driver 580.159.04, 2026-11-28)
};

inline constexpr auto kProperties = std::to_array<DeviceProperty>({ { "multiProcessorCount", "cudaDevAttrMultiProcessorCount", 132 }, { "maxThreadsPerBlock", "cudaDevAttrMaxThreadsPerBlock", 1024 },
    { "warpSize", "cudaDevAttrWarpSize", 32 }, { "maxThreadsPerMultiProcessor", "cudaDevAttrMaxThreadsPerMultiProcessor", 2048 },
    { "sharedMemPerBlock", "cudaDevAttrMaxSharedMemoryPerBlock", 49152 }, { "sharedMemPerBlockOptin", "cudaDevAttrMaxSharedMemoryPerBlockOptin", 232448 },
    { "sharedMemPerMultiprocessor", "cudaDevAttrMaxSharedMemoryPerMultiprocessor", 233472 }, { "regsPerBlock", "cudaDevAttrMaxRegistersPerBlock", 65536 },
    { "maxBlocksPerMultiProcessor", "cudaDevAttrMaxBlocksPerMultiprocessor", 32 }, { "cooperativeLaunch", "cudaDevAttrCooperativeLaunch", 1 },
    { "major", "cudaDevAttrComputeCapabilityMajor", 9 }, { "minor", "cudaDevAttrComputeCapabilityMinor", 0 }, { "l2CacheSize", "cudaDevAttrL2CacheSize", 62914560 },
    { "persistingL2CacheMaxSize", "cudaDevAttrMaxPersistingL2CacheSize", 39321600 }, { "regsPerMultiprocessor", "cudaDevAttrMaxRegistersPerMultiprocessor", 65536 },
    { "managedMemory", "cudaDevAttrManagedMemory", 1 }, { "concurrentManagedAccess", "cudaDevAttrConcurrentManagedAccess", 1 },
    { "memoryPoolsSupported", "cudaDevAttrMemoryPoolsSupported", 1 }, { "totalConstMem", "cudaDevAttrTotalConstantMemory", 65536 } });

inline constexpr std::int64_t kThreadsPerSm = 2048; ///< of the default GPU

/// As many as there are registers for, which a warp takes by 256, and a quarter of an SM has 16,384; where nobody tells how many: as many as it can have.
[[nodiscard]] constexpr std::int64_t threadsOnAnSm(const std::optional<int>& registersOfAThread)
{
    constexpr std::int64_t kWarp = 32, kTaken = 256, kOfAQuarter = 16384;
    if (!registersOfAThread || *registersOfAThread <= 0)
        return kThreadsPerSm;
    const std::int64_t ofAWarp = (*registersOfAThread * kWarp + kTaken - 1) / kTaken * kTaken;
    return std::min(kThreadsPerSm, kOfAQuarter / ofAWarp * 4 * kWarp);
}

/// A parameter of a function or a template, or a member of a class.
struct HostParameter {
    std::string name;
    bool isType = false; ///< of a template
    bool isPack = false; ///< `T... rest`: all further arguments
    std::size_t typeFirst = 0, typeLast = 0; ///< tokens of its type
    std::size_t valueFirst = 0, valueLast = 0; ///< tokens of its default or initial value; equal: none
    std::size_t extents = 0; ///< token of the [ behind a member's name; 0: it is no array
    int bits = 0; ///< `unsigned age : 7`; 0: all of its type
    [[nodiscard]] bool hasValue() const { return valueFirst < valueLast; }
};

/// A function of the host's code that has a body.
struct HostFunction {
    std::string name, ofClass;
    std::string_view scope; ///< the innermost namespace with a name that it stands in; empty: in none
    std::vector<HostParameter> parameters, ofTemplate;
    std::size_t bodyFirst = 0, bodyLast = 0; ///< tokens inside the braces
    std::size_t membersFirst = 0, membersLast = 0; ///< tokens behind the : of a constructor
    std::size_t returnFirst = 0, returnLast = 0; ///< tokens of the type it returns
    std::string deviceLambda; ///< "[=] __device__(int x) of line 5"; empty: it is no such

    /// Whether a token stands in its body, or among what a constructor makes its members of.
    [[nodiscard]] bool holds(std::size_t token) const
    {
        return (bodyFirst <= token && token < bodyLast) || (membersFirst <= token && token < membersLast);
    }
    /// Whether it can be called with so many arguments.
    [[nodiscard]] bool takes(std::size_t arguments) const
    {
        const auto defaults = std::size_t(std::ranges::count_if(parameters, &HostParameter::hasValue));
        if (!parameters.empty() && parameters.back().isPack)
            return arguments + defaults + 1 >= parameters.size();
        return arguments + defaults >= parameters.size() && arguments <= parameters.size();
    }
};

/// A call that is being followed.
struct CallSite {
    const HostFunction* function = nullptr;
    std::size_t open = 0; ///< the bracket that its arguments stand in; 0: not known
    HostScope* caller = nullptr; ///< what is seen there
};

/// A class that another one derives from.
struct HostBase {
    std::string name, alias; ///< the latter: what the class calls it
    std::size_t first = 0, last = 0; ///< tokens of its type
};

/// A class, as far as its objects are followed.
struct HostClass {
    std::string name;
    std::vector<HostParameter> members, statics, ofTemplate; ///< those of its bases first; `statics`: no part of an object
    std::vector<const HostFunction*> functions; ///< its own
    std::vector<Declaration> aliases; ///< `using Tune = Tuning<T>;`, but for those of its bases
    std::vector<HostBase> bases; ///< of the program's
    std::size_t inherited = 0; ///< how many of its members are its bases'
    std::size_t ancestors = 0; ///< bases, and theirs
    std::set<std::string, std::less<>> virtuals; ///< names of functions, also of its bases'
    bool takesConstructors = false; ///< `using Base::Base;`
    std::set<std::string, std::less<>> foreign; ///< what it derives from, itself or its bases, that is not of the program, or whose members are not followed
    bool isComparedByParts = false; ///< `operator==(...) const = default;`
    bool isOrderedByParts = false; ///< `operator<=>(...) const = default;`
    bool joinsFunctions = false; ///< `struct overloaded : Fs... { using Fs::operator()...; };`
    bool isWhole = true; ///< each of its members is among these
    bool isOfLibrary = false; ///< none of the user's
    [[nodiscard]] bool hasBits() const { return std::ranges::any_of(members, [](const HostParameter& member) { return member.bits > 0; }); } ///< bit fields
};

} // namespace coalescope::kernels
