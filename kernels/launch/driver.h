// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/result/error.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// The driver's handles are pointers to structs that only the driver knows.
struct CUctx_st;
struct CUmod_st;
struct CUfunc_st;
struct CUstream_st;
struct CUevent_st;

/// Leaves the function with the error of a Result that failed.
#define COALESCOPE_TRY(expression)                                                                 \
    do {                                                                                           \
        if (auto&& attempted = (expression); !attempted)                                           \
            return std::unexpected(attempted.error());                                             \
    } while (false)

namespace coalescope::kernels {

/// The functions of the CUDA driver that a measurement calls, loaded at run time: the program starts
/// on machines without a driver. Return values are the driver's own result codes, 0 for success.
struct DriverTable {
    int (*init)(unsigned flags) = nullptr;
    int (*driverGetVersion)(int* version) = nullptr;
    int (*deviceGetCount)(int* count) = nullptr;
    int (*deviceGet)(int* device, int ordinal) = nullptr;
    int (*deviceGetName)(char* name, int length, int device) = nullptr;
    int (*deviceGetAttribute)(int* value, int attribute, int device) = nullptr;
    int (*primaryContextRetain)(CUctx_st** context, int device) = nullptr;
    int (*contextSetCurrent)(CUctx_st* context) = nullptr;
    int (*contextSynchronize)() = nullptr;
    int (*memoryAllocate)(std::uint64_t* address, std::size_t bytes) = nullptr;
    int (*memoryFree)(std::uint64_t address) = nullptr;
    int (*memoryCopyToDevice)(std::uint64_t to, const void* from, std::size_t bytes) = nullptr;
    int (*memoryCopyToHost)(void* to, std::uint64_t from, std::size_t bytes) = nullptr;
    int (*memorySet)(std::uint64_t to, unsigned char value, std::size_t bytes) = nullptr;
    int (*memorySetAsync)(
        std::uint64_t to, unsigned char value, std::size_t bytes, CUstream_st* stream)
        = nullptr;
    int (*memoryCopyAsync)(std::uint64_t to, std::uint64_t from, std::size_t bytes, CUstream_st* stream) = nullptr;
    int (*moduleLoadData)(CUmod_st** module, const void* image) = nullptr;
    int (*moduleGetFunction)(CUfunc_st** function, CUmod_st* module, const char* name) = nullptr;
    int (*moduleGetGlobal)(std::uint64_t* address, std::size_t* bytes, CUmod_st* module, const char* name) = nullptr;
    int (*functionGetAttribute)(int* value, int attribute, CUfunc_st* function) = nullptr;
    int (*functionSetAttribute)(CUfunc_st* function, int attribute, int value) = nullptr;
    int (*occupancy)(int* blocks, CUfunc_st* function, int threads, std::size_t sharedBytes)
        = nullptr;
    int (*launchKernel)(CUfunc_st* function, unsigned gridX, unsigned gridY, unsigned gridZ,
        unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
        CUstream_st* stream, void** parameters, void** extra)
        = nullptr;
    int (*launchCooperativeKernel)(CUfunc_st* function, unsigned gridX, unsigned gridY, unsigned gridZ,
        unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
        CUstream_st* stream, void** parameters)
        = nullptr;
    int (*streamCreate)(CUstream_st** stream, unsigned flags) = nullptr;
    int (*eventCreate)(CUevent_st** event, unsigned flags) = nullptr;
    int (*eventRecord)(CUevent_st* event, CUstream_st* stream) = nullptr;
    int (*eventQuery)(CUevent_st* event) = nullptr;
    int (*eventElapsedTime)(float* milliseconds, CUevent_st* from, CUevent_st* to) = nullptr;
    int (*getErrorName)(int code, const char** text) = nullptr;
    int (*getErrorString)(int code, const char** text) = nullptr;
    /// CUDA 12.4 and newer only: may be null.
    int (*functionGetParameter)(
        CUfunc_st* function, std::size_t index, std::size_t* offset, std::size_t* size)
        = nullptr;
};

inline constexpr int kCudaNotReady = 600;

/// Loads libcuda.so.1 once.
///
/// Errors: NoDriver.
[[nodiscard]] Result<const DriverTable*> cudaDriver();

/// Puts a stand-in under cudaDriver(): tests run the steps without a GPU.
void replaceCudaDriver(const DriverTable* table);

/// Turns the driver's result code into our error; the detail keeps what was attempted, the function's
/// name and the driver's own code.
[[nodiscard]] Result<void> checkCuda(int code, std::string_view function, std::string_view attempt);

/// Version of the kernel driver as NVIDIA writes it ("580.159.04"), from the text of
/// /proc/driver/nvidia/version. Empty where there is none.
[[nodiscard]] std::string driverVersionIn(std::string_view text);

/// Kernel driver's version, or the CUDA version that the driver supports, or empty.
[[nodiscard]] std::string installedDriverVersion();

} // namespace coalescope::kernels
