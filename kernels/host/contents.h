// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/host/host_buffer.h"
#include "kernels/source/device_part.h"
#include "kernels/source/launches.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace coalescope::kernels {

/// What a launch is to be executed with, and what it leaves.
struct LaunchMemory {
    std::string variable; ///< of the module, as the source names it; empty: it is none
    std::uint64_t address = 0; ///< where it must lie, because pointers in other memories lead there; 0: anywhere
    std::vector<std::uint8_t> bytes;
    std::vector<bool> unknown; ///< one an element; empty: none
    std::size_t width = 0; ///< of an element, in bytes
    std::size_t unit = 0; ///< of the smallest number in an element, in bytes; 0: it is one number
    bool isReal = false; ///< its elements are real numbers
    bool isWritten = false; ///< the launch may write to it
    bool isUnknown = false; ///< what it leaves there is not known
};

/// Where addresses lie in a buffer's bytes, and the memory of the GPU's that they lead to. It counts as lying far from all buffers.
struct PointedMemory {
    std::uint64_t address = 0; ///< of its first byte, as pointers to it have it
    std::uint64_t bytes = 0;
    std::string element; ///< a manifest's type, "f32"; "u8" of what has none
    std::optional<std::vector<std::uint8_t>> content; ///< nothing: it is not known
    std::vector<std::uint64_t> places; ///< of addresses in its content
    std::string argument; ///< of the same launch, which is given the same memory; empty: none is
    bool isUnknown = false; ///< something has been written to it, nobody knows what
};

/// A launch that the host code comes to, with all it takes to execute it.
struct LaunchToExecute {
    /// A number or a pointer that is passed, alone or within an object.
    struct Leaf {
        enum class Kind : std::uint8_t { Unknown, Integer, Real, Pointer } kind = Kind::Unknown;
        std::int64_t integer = 0; ///< Pointer: bytes from the memory's start
        double real = 0;
        std::optional<std::size_t> memory; ///< Pointer; nothing: it is null
    };
    HostBuffer launch; ///< without an argument
    std::array<std::int64_t, 3> grid {}, block {};
    std::int64_t sharedBytes = 0;
    std::vector<std::vector<Leaf>> arguments; ///< of an object what is in it, in order
    std::vector<LaunchMemory> memories;
    std::string why; ///< it is not known what it leaves; empty: it is
};

class LaunchExecutor {
public:
    virtual ~LaunchExecutor() = default;
    /// Puts into the launch's memories what it leaves there, or tells why that is not known.
    virtual void execute(LaunchToExecute& launch) = 0;
    /// Whether a launch may write to what the argument points to.
    [[nodiscard]] virtual bool mayWrite(const HostBuffer& argument) const = 0;
};

/// A launch, as the host comes to it for the first time.
struct HostLaunch {
    std::optional<std::array<std::int64_t, 3>> grid, block; ///< nothing: not known
    std::optional<std::int64_t> sharedBytes; ///< dynamic ones
    int order = 0; ///< so many were come to before
    std::map<std::string, std::int64_t> integers; ///< arguments, and members of them, as HostBuffer::argument names them; those that are known
    std::map<std::string, double> reals; ///< likewise
};

/// What else is found out on the way to a buffer.
struct BesideBuffer {
    std::optional<std::vector<std::uint8_t>> bytes; ///< nothing: it is not known
    std::string why; ///< it is not known; see HostContents
    bool isTaken = false; ///< launches have been given it before, and may have written to it
};

/// What the host has put into the buffers of a program's launches, each as it is when the launch is come to for the first time.
struct HostContents {
    std::map<HostBuffer, std::uint64_t> sizes; ///< in bytes, of those of which it is known; also, and below, of variables of the module: `argument` is the name
    /// Where in a memory the launch is given it.
    struct Memory {
        int id = 0; ///< arguments that are given the same memory have the same one
        std::uint64_t bytes = 0; ///< of all of it
        std::uint64_t before = 0; ///< bytes before that to which the pointer points
    };
    std::map<HostBuffer, Memory> memories; ///< of those of which it is known
    std::set<HostBuffer> known; ///< wholly
    std::set<HostBuffer> pointing; ///< of those that are known, the ones that hold addresses of other memory
    bool isBehindRead = false; ///< of some launch: what earlier ones left was read back before, and may tell what is not known of it
    bool isReplayed = false; ///< launches were executed, so that what others leave is known as well
    std::set<HostBuffer> nonZero; ///< of those that are known, the ones that hold other bytes than zeros
    std::map<HostBuffer, std::string> taken; ///< other launches were given these before, to write to by what their parameters say; the last one's kernel
    std::set<HostBuffer> stale; ///< of these, the ones of which it is not known what they leave there
    std::map<HostBuffer, std::vector<std::string>> constants; ///< what is in a small variable of the module, each number as C++ writes it
    std::map<HostBuffer, HostLaunch> launches; ///< by a buffer without an argument
    std::optional<std::vector<std::uint8_t>> bytes; ///< of the buffer asked for; nothing: it is not known
    std::vector<std::uint64_t> places; ///< of addresses in these
    std::vector<PointedMemory> pointed; ///< all memory that these lead to, through other memory as well
    bool areFilesAbsent = false; ///< that it has asked for, and does without
    int leftLoop = 0; ///< the line of the first loop that took too long to be followed to its end; 0: none did
    std::string why; ///< it is not known, where launches were executed: "'scan' takes more than 20 million instructions"; empty: nobody knows
    std::map<HostBuffer, BesideBuffer> beside; ///< where one is asked for: others that the same launch is given, or one before it, as far as they hold no addresses
    std::set<std::string> numbers; ///< of those given, the ones that the host code reads before it
};

inline constexpr std::int64_t kHostSteps = 600'000'000; ///< some three to six seconds; one is about a name, an operator or a call

/// Follows a program's host code from main on, step by step, without running any of it natively: see host::Run. Stops where the buffer
/// asked for is reached; `asked` none: tells which ones are known, also of launches that main does not come to: for each of these the code is
/// followed again, into the branches that lead to it. With `executor`, what launches leave is known to those behind them and to the host code:
/// see host::Replay. Files that it reads are absent, unless it then launches nothing.
///
/// `registersOf`: see launchesOf(); without it nobody knows how many blocks an SM holds.
///
/// Work is bounded, to some seconds. Not for the GUI thread. Thread-safe.
[[nodiscard]] HostContents hostContents(
    std::span<const ProgramFile> files, std::span<const HostNumber> numbers, const std::optional<HostBuffer>& asked, std::stop_token stop = {},
    std::int64_t steps = kHostSteps, LaunchExecutor* executor = nullptr, const RegistersOf& registersOf = {});

} // namespace coalescope::kernels
