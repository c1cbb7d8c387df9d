// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/launch/driver.h"
#include "fake_calibration.h"

#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <string_view>

/// A driver whose GPU is the host's memory and whose only kernel copies buffer 1 to buffer 2. What goes
/// wrong is chosen by $COALESCOPE_FAKE_GPU: "good", "wrong-output", "no-device", "out-of-memory",
/// "illegal-address", "endless", "crash", "small-blocks"; "calibrate": a GPU whose rates are known, and which
/// runs the calibration's kernels only; "calibrate-silent": they write no times.
namespace coalescope::kernels::fake {

inline std::string scenario()
{
    const char* value = std::getenv("COALESCOPE_FAKE_GPU");
    return value ? value : "";
}

struct State {
    std::size_t lastBytes = 0; ///< size of the newest buffer
    int code = 0; ///< what the kernel left behind
    double clockMs = 0; ///< advanced by each launch
    double events[4096] = {};
    std::size_t eventCount = 0;
    std::map<std::string, std::array<std::uint32_t, 64>> variables; ///< of the module
};
inline State g_state;

inline int attribute(int* value, int id, int)
{
    switch (id) {
    case 75: *value = 9; break; // compute capability
    case 76: *value = 0; break;
    case 16: *value = 132; break; // SMs
    case 39: *value = 2048; break; // threads an SM
    case 106: *value = 32; break; // blocks an SM
    case 82: *value = 65536; break; // registers an SM
    case 1: *value = 1024; break; // threads a block
    case 2: *value = scenario() == "small-blocks" ? 16 : 1024; break; // block x
    case 3: *value = 1024; break;
    case 4: *value = 64; break;
    case 5: *value = 2147483647; break; // grid
    case 6: case 7: *value = 65535; break;
    case 81: *value = 233472; break; // shared memory
    case 8: *value = 49152; break;
    case 97: *value = 232448; break;
    case 111: *value = 1024; break; // reserved of it
    case 20: *value = 0; break; // any number of processes
    case 38: *value = 1 << 20; break; // L2
    default: return 1;
    }
    return 0;
}

inline int allocate(std::uint64_t* address, std::size_t bytes)
{
    if (scenario() == "out-of-memory" || (scenario() == "calibrate" && bytes > kFakeMemory))
        return 2;
    g_state.lastBytes = bytes;
    *address = reinterpret_cast<std::uint64_t>(std::malloc(bytes));
    return 0;
}

inline int launch(CUfunc_st* function, unsigned gridX, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
    CUstream_st*, void** parameters, void**)
{
    if (scenario() == "calibrate-silent")
        return 0;
    if (scenario() == "calibrate") {
        g_state.clockMs += runFakeCalibration(reinterpret_cast<const char*>(function), gridX, parameters) / 1e6;
        return 0;
    }
    if (std::string_view(reinterpret_cast<const char*>(function)) == "coalescope_pause")
        return 0;
    static const std::size_t bytes = g_state.lastBytes; // before the flush buffer is made
    if (scenario() == "crash") {
        std::signal(SIGSEGV, SIG_DFL); // a sanitizer's handler would turn it into an exit
        std::raise(SIGSEGV);
    }
    if (scenario() == "illegal-address")
        g_state.code = 700;
    if (scenario() == "endless")
        g_state.code = kCudaNotReady;
    const auto from = *static_cast<std::uint64_t*>(parameters[0]), to = *static_cast<std::uint64_t*>(parameters[1]);
    if (scenario() == "counts") { // in the module's `tail`, and never ends where it does not begin at seven
        if (g_state.variables["tail"][0]++ != 7)
            g_state.code = kCudaNotReady;
        g_state.clockMs += 0.002f;
        return 0;
    }
    if (scenario() == "inserts") { // into a table of one slot, and never ends where that is taken
        auto& slot = *reinterpret_cast<std::uint64_t*>(to);
        if (slot != ~std::uint64_t(0))
            g_state.code = kCudaNotReady;
        slot = from;
        g_state.clockMs += 0.002f;
        return 0;
    }
    const std::size_t copied = scenario() == "wrong-output" ? bytes - 4 : bytes;
    std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), copied);
    g_state.clockMs += 0.002f;
    return 0;
}

/// Only scenario "cooperative" has kernels that are launched so.
inline int launchCooperative(CUfunc_st* function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY,
    unsigned blockZ, unsigned shared, CUstream_st* stream, void** parameters)
{
    if (scenario() != "cooperative")
        return 801;
    if (gridX * gridY * gridZ > 132 * (2048 / (blockX * blockY * blockZ)))
        return 720;
    return launch(function, gridX, gridY, gridZ, blockX, blockY, blockZ, shared, stream, parameters, nullptr);
}

inline int setMemory(std::uint64_t to, unsigned char value, std::size_t bytes)
{
    std::memset(reinterpret_cast<void*>(to), value, bytes);
    return 0;
}

template <class Handle> int makeHandle(Handle** handle)
{
    *handle = reinterpret_cast<Handle*>(&g_state);
    return 0;
}

inline const DriverTable& table()
{
    static const DriverTable driver {
        .init = [](unsigned) { return 0; },
        .driverGetVersion = [](int* version) { *version = 13000; return 0; },
        .deviceGetCount = [](int* count) { *count = scenario() == "no-device" ? 0 : 1; return 0; },
        .deviceGet = [](int* device, int) { *device = 0; return 0; },
        .deviceGetName = [](char* name, int, int) { std::strcpy(name, "NVIDIA H200"); return 0; },
        .deviceGetAttribute = &attribute,
        .primaryContextRetain = [](CUctx_st** context, int) { return makeHandle(context); },
        .contextSetCurrent = [](CUctx_st*) { return 0; },
        .contextSynchronize = [] { return g_state.code; },
        .memoryAllocate = &allocate,
        .memoryFree = [](std::uint64_t address) {
            std::free(reinterpret_cast<void*>(address));
            return 0;
        },
        .memoryCopyToDevice = [](std::uint64_t to, const void* from, std::size_t bytes) {
            std::memcpy(reinterpret_cast<void*>(to), from, bytes);
            return 0;
        },
        .memoryCopyToHost = [](void* to, std::uint64_t from, std::size_t bytes) {
            std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
            return 0;
        },
        .memorySet = &setMemory,
        .memorySetAsync = [](std::uint64_t to, unsigned char value, std::size_t bytes, CUstream_st*) { return setMemory(to, value, bytes); },
        .memoryCopyAsync = [](std::uint64_t to, std::uint64_t from, std::size_t bytes, CUstream_st*) {
            std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes);
            return 0;
        },
        .moduleLoadData = [](CUmod_st** module, const void*) { return makeHandle(module); },
        .moduleGetFunction = [](CUfunc_st** function, CUmod_st*, const char* name) {
            // A function is its name.
            static std::set<std::string> names;
            *function = reinterpret_cast<CUfunc_st*>(const_cast<char*>(names.insert(name).first->c_str()));
            return 0;
        },
        .moduleGetGlobal = [](std::uint64_t* address, std::size_t* bytes, CUmod_st*, const char* name) {
            *address = reinterpret_cast<std::uint64_t>(g_state.variables[name].data());
            *bytes = sizeof g_state.variables[name];
            return 0;
        },
        .functionGetAttribute = [](int* value, int id, CUfunc_st*) {
            *value = id == 0 ? 1024 : id == 4 ? 16 : 0;
            return 0;
        },
        .functionSetAttribute = [](CUfunc_st*, int, int) { return 0; },
        .occupancy = [](int* blocks, CUfunc_st*, int threads, std::size_t) { *blocks = 2048 / threads; return 0; },
        .launchKernel = &launch,
        .launchCooperativeKernel = &launchCooperative,
        .streamCreate = [](CUstream_st** stream, unsigned) { return makeHandle(stream); },
        .eventCreate = [](CUevent_st** event, unsigned) {
            *event = reinterpret_cast<CUevent_st*>(&g_state.events[g_state.eventCount++ % 4096]);
            return 0;
        },
        .eventRecord = [](CUevent_st* event, CUstream_st*) {
            *reinterpret_cast<double*>(event) = g_state.clockMs;
            return 0;
        },
        .eventQuery = [](CUevent_st*) { return g_state.code; },
        .eventElapsedTime = [](float* ms, CUevent_st* from, CUevent_st* to) {
            *ms = float(*reinterpret_cast<double*>(to) - *reinterpret_cast<double*>(from));
            return 0;
        },
        .getErrorName = [](int, const char** text) { *text = "CUDA_ERROR_FAKE"; return 0; },
        .getErrorString = [](int, const char** text) { *text = "made up"; return 0; },
        .functionGetParameter = nullptr,
    };
    return driver;
}

} // namespace coalescope::kernels::fake
