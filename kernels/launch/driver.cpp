// SPDX-License-Identifier: Apache-2.0
#include "kernels/launch/driver.h"

#include "kernels/launch/shared_library.h"

#include <fmt/format.h>

#include <cctype>
#include <cstring>
#include <fstream>
#include <iterator>

namespace coalescope::kernels {

namespace {

    // Names as the library exports them: cuda.h hides the suffixes behind macros.
    constexpr LibrarySymbol kDriverSymbols[] = {
        { "cuInit", offsetof(DriverTable, init) },
        { "cuDriverGetVersion", offsetof(DriverTable, driverGetVersion) },
        { "cuDeviceGetCount", offsetof(DriverTable, deviceGetCount) },
        { "cuDeviceGet", offsetof(DriverTable, deviceGet) },
        { "cuDeviceGetName", offsetof(DriverTable, deviceGetName) },
        { "cuDeviceGetAttribute", offsetof(DriverTable, deviceGetAttribute) },
        { "cuDevicePrimaryCtxRetain", offsetof(DriverTable, primaryContextRetain) },
        { "cuCtxSetCurrent", offsetof(DriverTable, contextSetCurrent) },
        { "cuCtxSynchronize", offsetof(DriverTable, contextSynchronize) },
        { "cuMemAlloc_v2", offsetof(DriverTable, memoryAllocate) },
        { "cuMemFree_v2", offsetof(DriverTable, memoryFree) },
        { "cuMemcpyHtoD_v2", offsetof(DriverTable, memoryCopyToDevice) },
        { "cuMemcpyDtoH_v2", offsetof(DriverTable, memoryCopyToHost) },
        { "cuMemsetD8_v2", offsetof(DriverTable, memorySet) },
        { "cuMemsetD8Async", offsetof(DriverTable, memorySetAsync) },
        { "cuMemcpyDtoDAsync_v2", offsetof(DriverTable, memoryCopyAsync) },
        { "cuModuleLoadData", offsetof(DriverTable, moduleLoadData) },
        { "cuModuleGetFunction", offsetof(DriverTable, moduleGetFunction) },
        { "cuModuleGetGlobal_v2", offsetof(DriverTable, moduleGetGlobal) },
        { "cuFuncGetAttribute", offsetof(DriverTable, functionGetAttribute) },
        { "cuFuncSetAttribute", offsetof(DriverTable, functionSetAttribute) },
        { "cuOccupancyMaxActiveBlocksPerMultiprocessor", offsetof(DriverTable, occupancy) },
        { "cuLaunchKernel", offsetof(DriverTable, launchKernel) },
        { "cuLaunchCooperativeKernel", offsetof(DriverTable, launchCooperativeKernel) },
        { "cuStreamCreate", offsetof(DriverTable, streamCreate) },
        { "cuEventCreate", offsetof(DriverTable, eventCreate) },
        { "cuEventRecord", offsetof(DriverTable, eventRecord) },
        { "cuEventQuery", offsetof(DriverTable, eventQuery) },
        { "cuEventElapsedTime", offsetof(DriverTable, eventElapsedTime) },
        { "cuGetErrorName", offsetof(DriverTable, getErrorName) },
        { "cuGetErrorString", offsetof(DriverTable, getErrorString) },
        { "cuFuncGetParamInfo", offsetof(DriverTable, functionGetParameter), false },
    };

    Result<DriverTable> loadDriver()
    {
        auto library = openLibrary({ "libcuda.so.1", "/usr/local/nvidia/lib64/libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1" });
        if (!library)
            return fail(ErrorCode::NoDriver,
                "there is no NVIDIA driver on this machine: libcuda.so.1 is not found");
        DriverTable table;
        if (const char* const missing = fillTable(*library, kDriverSymbols, &table))
            return fail(ErrorCode::NoDriver, fmt::format("the NVIDIA driver is too old: {} has no {}", library->path, missing));
        return table;
    }

    const DriverTable* g_replacement = nullptr;

    // Result codes that users meet; cuda.h, enum CUresult.
    constexpr CodeMeaning kDriverCodes[] = {
        { 1, ErrorCode::LaunchFailed, "the driver refused a value" },
        { 2, ErrorCode::OutOfMemory, "the GPU has not enough free memory" },
        { 3, ErrorCode::NoDriver, "the NVIDIA driver does not start" },
        { 34, ErrorCode::NoDriver, "the CUDA library found is a stub, not a driver" },
        { 46, ErrorCode::NoDevice, "the GPU is busy or unavailable to this process" },
        { 100, ErrorCode::NoDevice, "the NVIDIA driver sees no GPU" },
        { 101, ErrorCode::NoDevice, "there is no such GPU" },
        { 200, ErrorCode::UnsupportedChip, "the GPU does not take this machine code" },
        { 201, ErrorCode::NoDevice, "the GPU gave no context" },
        { 209, ErrorCode::UnsupportedChip, "the machine code is for another kind of GPU" },
        { 222, ErrorCode::UnsupportedChip, "the driver is older than the compiler" },
        { 500, ErrorCode::EntryNotFound, "the machine code has no such kernel" },
        { 700, ErrorCode::IllegalAddress, "the kernel accessed an illegal address" },
        { 701, ErrorCode::IllegalLaunch, "the launch asks for more registers or memory than an SM has" },
        { 702, ErrorCode::TimedOut, "the driver ended the kernel because it ran too long" },
        { 714, ErrorCode::LaunchFailed, "the kernel met a hardware stack error" },
        { 715, ErrorCode::LaunchFailed, "the kernel met an illegal instruction" },
        { 716, ErrorCode::IllegalAddress, "the kernel accessed a misaligned address" },
        { 717, ErrorCode::IllegalAddress, "the kernel accessed an address of the wrong memory space" },
        { 718, ErrorCode::LaunchFailed, "the kernel jumped to an invalid place" },
        { 719, ErrorCode::LaunchFailed, "the kernel failed on the GPU" },
        { 801, ErrorCode::UnsupportedChip, "this GPU or driver does not support the operation" },
        { 802, ErrorCode::NoDevice, "the GPU is not ready yet: its fabric manager is not running" },
        { 803, ErrorCode::NoDriver, "the driver's library and kernel module do not match" },
        { 804, ErrorCode::NoDriver, "the driver's forward-compatibility package does not fit this GPU" },
    };

    std::string readFile(const char* path)
    {
        std::ifstream file(path);
        return { std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>() };
    }

} // namespace

void replaceCudaDriver(const DriverTable* table) { g_replacement = table; }

Result<const DriverTable*> cudaDriver()
{
    if (g_replacement)
        return g_replacement;
    static const Result<DriverTable> table = loadDriver();
    if (!table)
        return std::unexpected(table.error());
    return &*table;
}

Result<void> checkCuda(int code, std::string_view function, std::string_view attempt)
{
    if (code == 0)
        return {};
    const char* name = nullptr;
    const char* text = nullptr;
    if (auto driver = cudaDriver()) {
        (*driver)->getErrorName(code, &name);
        (*driver)->getErrorString(code, &text);
    }
    ErrorCode error = ErrorCode::LaunchFailed;
    std::string_view meaning = text ? text : "the driver reported an error";
    for (const CodeMeaning& row : kDriverCodes)
        if (row.code == code) {
            error = row.error;
            meaning = row.meaning;
        }
    // Before anything ran, an unknown error is the driver's, not the kernel's.
    if (function == "cuInit" && error == ErrorCode::LaunchFailed)
        error = ErrorCode::NoDriver;
    return fail(error,
        fmt::format("{} while {} ({} returned {}, {})", meaning, attempt, function,
            name ? name : "an unknown code", code));
}

std::string driverVersionIn(std::string_view text)
{
    // A version is the first word of digits and at least one dot: "580.159.04".
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find_first_of(" \t\n", at), text.size());
        const std::string_view word = text.substr(at, end - at);
        bool digits = !word.empty() && std::isdigit(static_cast<unsigned char>(word.front()));
        for (char c : word)
            digits = digits && (std::isdigit(static_cast<unsigned char>(c)) || c == '.');
        if (digits && word.find('.') != std::string_view::npos)
            return std::string(word);
        at = end + 1;
    }
    return {};
}

std::string installedDriverVersion()
{
    for (const char* path : { "/proc/driver/nvidia/version", "/sys/module/nvidia/version" })
        if (std::string version = driverVersionIn(readFile(path)); !version.empty())
            return version;
    int version = 0;
    if (auto driver = cudaDriver(); driver && (*driver)->driverGetVersion(&version) == 0)
        return fmt::format("CUDA {}.{}", version / 1000, version % 1000 / 10);
    return {};
}

} // namespace coalescope::kernels
