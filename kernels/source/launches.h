// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/host/host_buffer.h"
#include "kernels/source/device_part.h"
#include "kernels/source/symbolic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>

namespace coalescope::kernels {

/// A value with a name in a program, such as `const int n = 1 << 20;` or `#define TILE 32`.
struct ProgramParameter {
    std::string name; ///< as expressions have it
    std::int64_t value = 0;
    std::string define; ///< what kernels see of it: the name of a macro or of a constant; empty: they do not
    bool isGuessed = false; ///< the value is
    bool isExample = false; ///< and stands in what a library's stand-in calls, so that following the code knows it
    bool isOfHost = false; ///< following the host's code told it: see correctLaunch()
    bool isDimension = false; ///< a literal of `dim3 block(32, 8)`, which has its name from that
    std::optional<std::int64_t> inSource = {}; ///< the value there, where the code is read with another one
};

enum class BufferFill : std::uint8_t {
    Unknown,
    Zero,
    Copied,
    Byte, ///< each byte is ProgramBuffer::value, as after cudaMemset
    Value, ///< each element is
};

/// Real numbers between two others; infinite ones: nothing is known.
struct RealRange {
    double low = 0, high = 0;
    std::optional<double> step = {}; ///< item i is `low` + i * this
    [[nodiscard]] bool isOne() const { return low == high; }
    [[nodiscard]] bool isKnown() const { return std::isfinite(low) && std::isfinite(high); }
};

/// Memory on the GPU that a program asks for.
struct ProgramBuffer {
    std::string name; ///< of the variable that holds it
    std::optional<Symbolic> bytes; ///< nothing: not known
    std::string type; ///< of an element; empty: not known
    bool isExample = false; ///< of what a library's stand-in calls the program's functions with
    bool isManaged = false; ///< the host can write to it, too
    BufferFill fill = BufferFill::Unknown;
    double value = 0;
    std::optional<std::array<Symbolic, 2>> range; ///< of integers that the host draws at random: the smallest, and what all are below
    std::optional<RealRange> reals; ///< that the host fills it with

    /// Each element, or each byte, becomes this.
    void holdOne(double one, BufferFill of = BufferFill::Value)
    {
        fill = one == 0 ? BufferFill::Zero : of;
        value = one;
    }
};

struct LaunchArgument {
    enum class Kind : std::uint8_t { Unknown, Buffer, Number, Null, Structure } kind = Kind::Unknown;
    int buffer = -1;
    bool isOffset = false; ///< into the buffer, by how much is not kept
    bool isReadOnly = false; ///< a structure's pointer to what is const
    bool isPointer = false; ///< Unknown: it is declared as one
    std::string element; ///< Buffer: of what the pointer is; empty: not known
    std::vector<int> takenBefore; ///< launches that were given the buffer since the host last wrote to it, by their places among ProgramLaunches::launches
    Symbolic number;
    std::vector<LaunchArgument> members;
    std::vector<std::pair<std::string, std::string>> memberNames; ///< name and type
    std::string type; ///< of an object: its class, with template arguments
    std::string lambda; ///< Unknown: "[=] __device__(int x) of line 5"; empty: it is none
};

/// What the host has copied to a variable of the GPU.
struct ProgramConstant {
    /// A number, or what a structure or an array holds.
    struct Value {
        std::optional<Symbolic> number; ///< nothing: not known
        std::vector<Value> items; ///< empty: a number
        [[nodiscard]] bool isWhole() const { return items.empty() ? number.has_value() : std::ranges::all_of(items, &Value::isWhole); } ///< all of it is known
    };
    std::string name;
    Value value; ///< no number, and nothing in it: not known
};

/// A launch of a kernel in a program's host code, as the first run through it makes it.
struct ProgramLaunch {
    std::string kernel; ///< without scope and template arguments
    std::string entry; ///< with them; a parameter stands in braces: "tile<float,{TILE}>"
    std::array<Symbolic, 3> grid, block;
    bool isShapeKnown = false; ///< grid and block are
    bool isGridKnown = false, isBlockKnown = false; ///< by itself
    std::string unknown; ///< what in them is not known: a name of the host's code; empty: nothing that has one
    std::optional<Symbolic> sharedBytes; ///< nothing: not known
    std::vector<LaunchArgument> arguments;
    std::vector<ProgramConstant> constants; ///< copied before it
    int line = 0; ///< of its file; 0: of none of the user's
    std::size_t file = 0; ///< among the program's files
    int place = 0; ///< which launch of the program's, in the order of the text, from 1 on
    bool isOpen = false; ///< the entry names parameters of the host's templates, of which reading the code has not told what they are
    std::vector<std::string> told; ///< its template's arguments, as following the host's code tells them; empty ones are not known
    std::string instance; ///< of the template that it launches, as HostBuffer has it: see matchInstance()
    bool isHostAside = false; ///< following the host's code comes to it only where branches are taken that the program does not take
    bool isAside = false; ///< in a branch that is not taken
    std::map<std::string, std::int64_t> asked; ///< parameters, and what they must be for that branch to be taken
    bool isAskedWhole = false; ///< no other condition stands before it
    std::map<int, int> again; ///< buffers that it is given when it is made again, and which of its own, as large, they stand for
    std::map<std::size_t, std::vector<std::int64_t>> later; ///< by arguments, the other integers that later turns of a loop or calls give
    bool isLaterOpen = false; ///< there may be more of them
    std::vector<std::string> corrected; ///< "grid", "n": what following the host's code told otherwise: see correctLaunch()
    bool isWorkedOut = false; ///< this, a size or a real number: what is not told by expressions of the parameters
};

inline constexpr int kMostOfAKernel = 16; ///< launches of a template's kernels

/// Where `<<<` or a call of the runtime's that launches stands.
struct LaunchPlace {
    int line = 0; ///< of its file
    std::size_t file = 0; ///< among the program's files
};

struct ProgramLaunches {
    std::vector<ProgramLaunch> launches; ///< in order, each entry once
    std::vector<LaunchPlace> places; ///< of all launches in the text; ProgramLaunch::place counts them from 1 on
    std::vector<ProgramBuffer> buffers;
    std::vector<ProgramParameter> parameters;
    std::map<std::string, std::string, std::less<>> aliases; ///< names of types, and what they stand for
    std::map<std::string, LaunchArgument, std::less<>> structures; ///< by the program's classes without pointers, an object of which nothing is known
    std::set<std::string> roundingUp; ///< functions that are not there, `div_up(n, 256)`, and are taken to do so
    std::vector<HostNumber> guesses; ///< made others than they were at first, for no launch would have a block
};

using RegistersOf = std::function<std::optional<int>(const std::string& kernel)>;

/// Reads the launches out of a program's host code, from main on or, where there is none, from each function that launches.
///
/// The code is followed, not run: conditions whose value is known choose a branch, of others both are read; a branch that is not taken is
/// read for its launches alone, and what main ends with before it launches anything is taken not to happen; loops are gone through once; argc is 1, or what the program demands; the runtime's calls succeed. What is not understood is unknown. Work is bounded.
/// `registersOf`: of a kernel's threads, by its name with its arguments; asked where the program asks how many of its blocks an SM holds.
/// `numbers`: values of parameters, as if they stood in the source.
[[nodiscard]] ProgramLaunches launchesOf(std::vector<ProgramFile> files, RegistersOf registersOf = {}, std::vector<HostNumber> numbers = {});

} // namespace coalescope::kernels
