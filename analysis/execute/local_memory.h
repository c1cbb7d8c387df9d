// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace coalescope::analysis {

/// What is known of a byte of shared or local memory.
enum ByteFlag : std::uint8_t {
    kByteUnknown = 1, ///< came from memory without values
    kByteNonlinear = 2, ///< differs from block to block of the box
    kByteUnwritten = 4,
};

/// Each thread's own memory; allocated when the program has any.
class LocalMemory {
public:
    void reset(std::uint32_t bytesPerThread, std::uint32_t threads)
    {
        m_perThread = bytesPerThread;
        m_bytes.assign(std::size_t(bytesPerThread) * threads, 0);
        m_flags.assign(std::size_t(bytesPerThread) * threads, 0);
        nonlinearAxes = 0;
    }
    [[nodiscard]] std::uint32_t bytesPerThread() const { return m_perThread; }
    [[nodiscard]] std::uint8_t* bytes(std::uint32_t thread, std::uint64_t address)
    {
        return m_bytes.data() + std::size_t(m_perThread) * thread + address;
    }
    [[nodiscard]] std::uint8_t* flags(std::uint32_t thread, std::uint64_t address)
    {
        return m_flags.data() + std::size_t(m_perThread) * thread + address;
    }

    std::uint16_t nonlinearAxes = 0; ///< axes that bytes with kByteNonlinear depend on

private:
    std::uint32_t m_perThread = 0;
    std::vector<std::uint8_t> m_bytes, m_flags;
};

} // namespace coalescope::analysis
