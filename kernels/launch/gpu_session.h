// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/result/run_result.h"
#include "kernels/catalogue/kernel_spec.h"
#include "kernels/compile/compiler.h"
#include "kernels/experiment/left_contents.h"
#include "kernels/launch/driver.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace coalescope::kernels {

/// What the driver says of the GPU.
struct GpuProperties {
    std::string name; ///< "NVIDIA H200"
    int computeMajor = 0, computeMinor = 0;
    int sms = 0, maxThreadsPerSm = 0, maxBlocksPerSm = 0, registersPerSm = 0;
    int maxThreadsPerBlock = 0, maxBlock[3] = {}, maxGrid[3] = {};
    int sharedPerSm = 0, sharedPerBlock = 0, sharedPerBlockOptIn = 0, sharedReserved = 0; ///< bytes
    int computeMode = 0; ///< 0: several processes may have a context at a time
    std::uint64_t l2Bytes = 0;
};

/// Short name of a GPU: that of its row, or its name in lower case with dashes. A product that shares its
/// name with a row but has other SMs has them in its name: "orin-8sm".
[[nodiscard]] std::string deviceNameOf(const std::string& driverName, int sms);

/// How prepare() clears buffers. cuMemset runs a kernel of the driver's, after which CUPTI (13.0, H200)
/// patches no instruction of ours: the lines step copies zeros instead.
enum class Clearing : std::uint8_t { ByKernel, ByCopy };

/// One GPU, one context, one kernel with its buffers: everything between the driver's start and a launch.
///
/// The three opening calls come in order; profilers are attached between them.
class GpuSession {
public:
    /// Starts the driver and reads the first GPU's properties; no context is made.
    ///
    /// Errors: NoDriver, NoDevice.
    [[nodiscard]] Result<void> start();

    /// Makes the GPU's context current.
    [[nodiscard]] Result<void> openContext();

    /// Loads the machine code, allocates the buffers and fills them; those of an earlier plan are freed.
    ///
    /// Errors: IllegalLaunch with limit and value, BadInput where the arguments do not fit the kernel,
    ///         UnsupportedChip, OutOfMemory.
    [[nodiscard]] Result<void> prepare(const LaunchPlan& plan, const CompiledCubin& cubin);

    /// Queues what launches would add to one after the other: zeros for counters, which are buffers of up to 64 KiB that begin at zero, of
    /// a kernel whose source has atomics, and may say where it writes to; what the buffers of one held at first that inserts by
    /// compare-and-swap, up to 64 MiB each, which may never end where its table is full; and what variables of the module held, as large.
    [[nodiscard]] Result<void> clearCollected();

    /// Whether clearCollected() queues copies.
    [[nodiscard]] bool copiesBetween() const;

    /// Queues one launch.
    [[nodiscard]] Result<void> launch();

    /// Waits until everything queued has run.
    ///
    /// Errors: TimedOut after `limitSeconds`, and whatever the kernel did wrong.
    [[nodiscard]] Result<void> wait(double limitSeconds);

    [[nodiscard]] const DriverTable& driver() const { return *m_driver; }
    [[nodiscard]] const GpuProperties& properties() const { return m_properties; }
    [[nodiscard]] CUctx_st* context() const { return m_context; }
    [[nodiscard]] CUstream_st* stream() const { return m_stream; }
    [[nodiscard]] std::uint64_t address(std::size_t argument) const 
    {
        std::uint64_t address = 0;
        std::memcpy(&address, m_values[argument].data(), sizeof address);
        return address;
    }
    [[nodiscard]] std::uint32_t staticSharedBytes() const { return std::uint32_t(m_staticShared); }

    /// Initial bytes of an argument that a verification reads back against; empty where not kept.
    [[nodiscard]] const std::vector<std::uint8_t>& kept(std::size_t argument) const { return m_kept[argument]; }

    /// From the driver's own calculator and the cubin's registers.
    [[nodiscard]] Result<analysis::Occupancy> occupancy() const;

    void setClearing(Clearing clearing) { m_clearing = clearing; }

private:
    [[nodiscard]] Result<void> checkLimits() const;
    [[nodiscard]] Result<void> loadFunction(const CompiledCubin& cubin);
    [[nodiscard]] Result<void> checkParameters() const;
    [[nodiscard]] Result<void> freeBuffers();
    [[nodiscard]] Result<void> keepCopy(std::uint64_t address, std::span<const std::uint8_t> content);
    [[nodiscard]] Result<std::uint64_t> allocate(const BufferPlan& buffer);
    [[nodiscard]] Result<void> fill(std::size_t argument, const BufferPlan& buffer, std::uint64_t address, const BufferContents& contents);
    [[nodiscard]] Result<void> fillVariables(const CompiledCubin& cubin, const BufferContents& contents);
    [[nodiscard]] std::uint64_t mostRestored() const;

    const DriverTable* m_driver = nullptr;
    const LaunchPlan* m_plan = nullptr;
    GpuProperties m_properties;
    int m_device = 0;
    CUctx_st* m_context = nullptr;
    CUstream_st* m_stream = nullptr;
    CUevent_st* m_finished = nullptr;
    CUmod_st* m_module = nullptr;
    CUfunc_st* m_function = nullptr;
    int m_staticShared = 0, m_registers = 0;
    bool m_isCooperative = false;
    std::vector<std::vector<std::uint8_t>> m_values; ///< one an argument, as the kernel reads it
    std::vector<std::uint64_t> m_buffers; ///< the addresses in them
    /// What launches add to or insert into, and where a copy of what it is to hold lies; 0: zeros.
    struct Collected {
        std::uint64_t address = 0, bytes = 0, copy = 0;
    };
    std::vector<Collected> m_collected;
    std::vector<std::vector<std::uint8_t>> m_kept;
    Clearing m_clearing = Clearing::ByKernel;
};

/// Runs `work` for [0, count) cut in chunks, on several host threads; the first error ends it.
[[nodiscard]] Result<void> inChunks(std::uint64_t count, std::uint64_t chunk,
    const std::function<Result<void>(std::uint64_t first, std::uint64_t size)>& work);

} // namespace coalescope::kernels
