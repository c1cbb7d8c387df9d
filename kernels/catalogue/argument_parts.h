// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/catalogue/kernel_spec.h"

#include <map>
#include <string>

namespace coalescope::kernels {

/// A buffer's address or a scalar within the bytes that an argument is passed as. One of the two is there.
struct ArgumentPart {
    std::uint64_t offset = 0;
    const BufferPlan* buffer = nullptr;
    const ScalarPlan* scalar = nullptr;
    [[nodiscard]] std::size_t bytes() const { return buffer ? sizeof(std::uint64_t) : std::size_t(bytesOf(scalar->type)); }
};

/// An argument's parts in the order of their offsets: of a structure its members, of another one itself.
[[nodiscard]] std::vector<ArgumentPart> partsOf(const Argument& argument);

[[nodiscard]] std::uint64_t bytesOf(const Argument& argument);

/// Where the buffers of a launch lie, by their names.
class BufferAddresses {
public:
    void add(const BufferPlan& buffer, std::uint64_t address) { m_addresses[buffer.name] = address; }
    /// Of one that is not its own. Errors: BadInput where the buffer that it is has not been added.
    [[nodiscard]] Result<std::uint64_t> ofSame(const BufferPlan& buffer) const;
    /// Of a launch's argument that is a buffer: "2", the third. Nothing: it is none, or has not been added.
    [[nodiscard]] std::optional<std::uint64_t> ofArgument(const LaunchPlan& plan, const std::string& argument) const;

private:
    std::map<std::string, std::uint64_t, std::less<>> m_addresses;
};

/// Lays members out as C does: each at a multiple of its alignment, and the whole a multiple of the largest, `alignment` at least.
[[nodiscard]] StructPlan structOf(std::string name, std::vector<Argument> members, std::uint64_t alignment = 1);

/// The types and sizes of a launch's buffers: launches of one kernel that have the same ones solve a problem of the same size. Scalars may
/// say how, such as the elements of a thread.
[[nodiscard]] std::string buffersOf(const LaunchPlan& plan);
/// Of all of them together.
[[nodiscard]] std::uint64_t bufferBytes(const LaunchPlan& plan);

/// The same with the scalars: launches of one kernel that have all of it in common differ in how the work is done, as far as they tell.
[[nodiscard]] std::string workOf(const LaunchPlan& plan);

} // namespace coalescope::kernels
