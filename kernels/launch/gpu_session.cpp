// SPDX-License-Identifier: Apache-2.0
#include "kernels/launch/gpu_session.h"

#include "analysis/device/device_model.h"
#include "kernels/catalogue/argument_parts.h"
#include "kernels/compile/cubin.h"
#include "kernels/experiment/module_symbols.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <chrono>
#include <mutex>
#include <thread>

namespace coalescope::kernels {

namespace {

    // cuda.h, enums CUdevice_attribute and CUfunction_attribute.
    struct Attribute {
        int id;
        int GpuProperties::* field;
    };
    constexpr Attribute kAttributes[] = {
        { 75, &GpuProperties::computeMajor },
        { 76, &GpuProperties::computeMinor },
        { 16, &GpuProperties::sms },
        { 39, &GpuProperties::maxThreadsPerSm },
        { 106, &GpuProperties::maxBlocksPerSm },
        { 82, &GpuProperties::registersPerSm },
        { 1, &GpuProperties::maxThreadsPerBlock },
        { 81, &GpuProperties::sharedPerSm },
        { 8, &GpuProperties::sharedPerBlock },
        { 97, &GpuProperties::sharedPerBlockOptIn },
        { 111, &GpuProperties::sharedReserved },
        { 20, &GpuProperties::computeMode },
    };
    constexpr int kMaxBlockDimX = 2, kMaxGridDimX = 5, kL2Bytes = 38;
    constexpr int kFunctionMaxThreads = 0, kFunctionShared = 1, kFunctionRegisters = 4,
                  kFunctionMaxDynamicShared = 8;
    constexpr unsigned kNonBlockingStream = 1;
    constexpr std::uint64_t kFillChunk = 4u << 20;
    constexpr std::uint64_t kMostCounterBytes = 64u << 10;
    constexpr std::uint64_t kMostTableBytes = 64u << 20; ///< that launches insert into: full, they may never end

    Result<void> inRange(std::uint64_t value, std::uint64_t limit, const char* what)
    {
        if (value >= 1 && value <= limit)
            return {};
        return fail(ErrorCode::IllegalLaunch,
            fmt::format("{} is {}, and this GPU allows 1 to {}", what, value, limit), what);
    }

} // namespace

std::string deviceNameOf(const std::string& driverName, int sms)
{
    if (const analysis::DeviceModel* row = analysis::deviceOfDriverName(driverName, sms))
        return std::string(row->name);
    std::string slug;
    std::string_view rest = driverName;
    if (rest.starts_with("NVIDIA "))
        rest.remove_prefix(7);
    for (char c : rest) {
        if (std::isalnum(static_cast<unsigned char>(c)))
            slug += char(std::tolower(static_cast<unsigned char>(c)));
        else if (!slug.empty() && slug.back() != '-')
            slug += '-';
    }
    if (slug.ends_with('-'))
        slug.pop_back();
    const bool taken = std::ranges::any_of(
        analysis::deviceTable(), [&](const analysis::DeviceModel& row) { return row.name == slug; });
    return taken ? fmt::format("{}-{}sm", slug, sms) : slug;
}

Result<void> inChunks(std::uint64_t count, std::uint64_t chunk,
    const std::function<Result<void>(std::uint64_t first, std::uint64_t size)>& work)
{
    const std::uint64_t chunks = (count + chunk - 1) / chunk;
    const std::uint64_t workers
        = std::clamp<std::uint64_t>(std::min<std::uint64_t>(std::thread::hardware_concurrency(), chunks), 1, 16);
    std::atomic<std::uint64_t> next = 0;
    std::mutex mutex;
    Result<void> outcome;
    const auto run = [&] {
        for (std::uint64_t i; (i = next++) < chunks;) {
            const std::uint64_t first = i * chunk;
            if (auto done = work(first, std::min(chunk, count - first)); !done) {
                const std::scoped_lock lock(mutex);
                if (outcome)
                    outcome = std::move(done);
                next = chunks;
            }
        }
    };
    std::vector<std::jthread> threads;
    for (std::uint64_t i = 1; i < workers; ++i)
        threads.emplace_back(run);
    run();
    threads.clear();
    return outcome;
}

Result<void> GpuSession::start()
{
    auto driver = cudaDriver();
    COALESCOPE_TRY(driver);
    m_driver = *driver;
    COALESCOPE_TRY(checkCuda(m_driver->init(0), "cuInit", "starting the driver"));
    int count = 0;
    COALESCOPE_TRY(checkCuda(m_driver->deviceGetCount(&count), "cuDeviceGetCount", "counting the GPUs"));
    if (count == 0)
        return fail(ErrorCode::NoDevice, "the NVIDIA driver sees no GPU (CUDA_VISIBLE_DEVICES may hide it)");
    COALESCOPE_TRY(checkCuda(m_driver->deviceGet(&m_device, 0), "cuDeviceGet", "taking the first GPU"));
    char name[256] = {};
    COALESCOPE_TRY(checkCuda(
        m_driver->deviceGetName(name, sizeof name, m_device), "cuDeviceGetName", "reading the GPU's name"));
    m_properties.name = name;
    const auto read = [&](int id, int& value) {
        return checkCuda(m_driver->deviceGetAttribute(&value, id, m_device), "cuDeviceGetAttribute",
            fmt::format("reading attribute {}", id));
    };
    for (const Attribute& attribute : kAttributes)
        COALESCOPE_TRY(read(attribute.id, m_properties.*attribute.field));
    for (int axis = 0; axis < 3; ++axis) {
        COALESCOPE_TRY(read(kMaxBlockDimX + axis, m_properties.maxBlock[axis]));
        COALESCOPE_TRY(read(kMaxGridDimX + axis, m_properties.maxGrid[axis]));
    }
    int l2 = 0;
    COALESCOPE_TRY(read(kL2Bytes, l2));
    m_properties.l2Bytes = std::uint64_t(std::max(l2, 0));
    return {};
}

Result<void> GpuSession::openContext()
{
    COALESCOPE_TRY(checkCuda(m_driver->primaryContextRetain(&m_context, m_device), "cuDevicePrimaryCtxRetain",
        "opening the GPU's context"));
    COALESCOPE_TRY(checkCuda(m_driver->contextSetCurrent(m_context), "cuCtxSetCurrent", "using the GPU's context"));
    COALESCOPE_TRY(checkCuda(
        m_driver->streamCreate(&m_stream, kNonBlockingStream), "cuStreamCreate", "making a stream"));
    return checkCuda(m_driver->eventCreate(&m_finished, 0), "cuEventCreate", "making an event");
}

Result<void> GpuSession::checkLimits() const
{
    const GpuProperties& gpu = m_properties;
    const std::uint32_t block[] = { m_plan->block.x, m_plan->block.y, m_plan->block.z };
    const std::uint32_t grid[] = { m_plan->grid.x, m_plan->grid.y, m_plan->grid.z };
    constexpr const char* kBlock[] = { "block x", "block y", "block z" };
    constexpr const char* kGrid[] = { "grid x", "grid y", "grid z" };
    for (int axis = 0; axis < 3; ++axis) {
        COALESCOPE_TRY(inRange(block[axis], std::uint64_t(gpu.maxBlock[axis]), kBlock[axis]));
        COALESCOPE_TRY(inRange(grid[axis], std::uint64_t(gpu.maxGrid[axis]), kGrid[axis]));
    }
    return inRange(m_plan->block.count(), std::uint64_t(gpu.maxThreadsPerBlock), "threads of a block");
}

Result<void> GpuSession::loadFunction(const CompiledCubin& cubin)
{
    COALESCOPE_TRY(checkCuda(
        m_driver->moduleLoadData(&m_module, cubin.image.data()), "cuModuleLoadData", "loading the machine code"));
    COALESCOPE_TRY(checkCuda(m_driver->moduleGetFunction(&m_function, m_module, cubin.entry.c_str()),
        "cuModuleGetFunction", fmt::format("looking up {}", cubin.entry)));
    m_isCooperative = cubin.isCooperative;
    const auto read = [&](int id, int& value) {
        return checkCuda(m_driver->functionGetAttribute(&value, id, m_function), "cuFuncGetAttribute",
            "reading the kernel's resources");
    };
    int maxThreads = 0;
    COALESCOPE_TRY(read(kFunctionShared, m_staticShared));
    COALESCOPE_TRY(read(kFunctionRegisters, m_registers));
    COALESCOPE_TRY(read(kFunctionMaxThreads, maxThreads));
    if (m_plan->block.count() > std::uint64_t(maxThreads))
        return fail(ErrorCode::IllegalLaunch,
            fmt::format("a block has {} threads, and this kernel's __launch_bounds__ or {} registers a thread allow {}",
                m_plan->block.count(), m_registers, maxThreads),
            "block");
    const std::uint64_t shared = std::uint64_t(m_staticShared) + m_plan->dynamicSharedBytes;
    if (shared > std::uint64_t(m_properties.sharedPerBlockOptIn))
        return fail(ErrorCode::IllegalLaunch,
            fmt::format("a block needs {} bytes of shared memory, and this GPU gives at most {}", shared,
                m_properties.sharedPerBlockOptIn),
            "shared memory");
    if (shared > std::uint64_t(m_properties.sharedPerBlock))
        COALESCOPE_TRY(checkCuda(m_driver->functionSetAttribute(m_function, kFunctionMaxDynamicShared,
                                     int(m_plan->dynamicSharedBytes)),
            "cuFuncSetAttribute", fmt::format("asking for {} bytes of shared memory", shared)));
    return {};
}

Result<void> GpuSession::checkParameters() const
{
    if (!m_driver->functionGetParameter)
        return {};
    // The driver reads as many values as the kernel has parameters, whatever it was given.
    std::size_t offset = 0, size = 0, count = 0;
    for (; m_driver->functionGetParameter(m_function, count, &offset, &size) == 0; ++count) {
        if (count >= m_plan->arguments.size())
            continue;
        const std::uint64_t given = bytesOf(m_plan->arguments[count]);
        if (given != size)
            return fail(ErrorCode::BadInput,
                fmt::format("parameter {} of the kernel has {} bytes, and the argument given for it has {}",
                    count + 1, size, given),
                fmt::format("argument {}", count + 1));
    }
    if (count != m_plan->arguments.size())
        return fail(ErrorCode::BadInput,
            fmt::format("the kernel has {} parameters, and {} arguments are given", count,
                m_plan->arguments.size()),
            "arguments");
    return {};
}

Result<void> GpuSession::freeBuffers()
{
    for (const std::uint64_t address : m_buffers)
        COALESCOPE_TRY(checkCuda(m_driver->memoryFree(address), "cuMemFree", "freeing a buffer"));
    m_buffers.clear();
    m_collected.clear();
    return {};
}

/// On the GPU, to be there again before each launch.
Result<void> GpuSession::keepCopy(std::uint64_t address, std::span<const std::uint8_t> content)
{
    std::uint64_t copy = 0;
    COALESCOPE_TRY(checkCuda(m_driver->memoryAllocate(&copy, content.size()), "cuMemAlloc", "keeping a copy of a buffer"));
    m_buffers.push_back(copy);
    COALESCOPE_TRY(checkCuda(m_driver->memoryCopyToDevice(copy, content.data(), content.size()), "cuMemcpyHtoD", "keeping a copy of a buffer"));
    m_collected.push_back({ address, content.size(), copy });
    return {};
}

Result<std::uint64_t> GpuSession::allocate(const BufferPlan& buffer)
{
    const std::uint64_t bytes = buffer.count * std::uint64_t(bytesOf(buffer.type));
    std::uint64_t address = 0;
    COALESCOPE_TRY(checkCuda(m_driver->memoryAllocate(&address, std::max<std::uint64_t>(bytes, 1)), "cuMemAlloc",
        fmt::format("allocating {} bytes for buffer '{}'", bytes, buffer.name)));
    m_buffers.push_back(address);
    return address;
}

/// `argument`: its index; beyond the last one, it is pointed to.
Result<void> GpuSession::fill(std::size_t argument, const BufferPlan& buffer, std::uint64_t address, const BufferContents& contents)
{
    const std::uint64_t bytes = buffer.count * std::uint64_t(bytesOf(buffer.type));
    const bool isZero = buffer.fill.kind == FillKind::Zero && !buffer.left && !buffer.host && !buffer.known;
    const bool isTable = mostRestored() == kMostTableBytes && bytes <= kMostTableBytes;
    const bool isSmall = bytes <= kMostCounterBytes && m_plan->source.find("atom") != std::string::npos;
    const bool isCounter = isZero && isSmall;
    if (isCounter)
        m_collected.push_back({ address, bytes });
    const bool keep = m_plan->reference && std::size_t(m_plan->reference->input) == argument;
    if (isZero && !keep && (isCounter || !isTable) && m_clearing == Clearing::ByKernel)
        return checkCuda(m_driver->memorySet(address, 0, bytes), "cuMemsetD8", fmt::format("clearing buffer '{}'", buffer.name));
    std::vector<std::uint8_t> content(bytes);
    COALESCOPE_TRY(inChunks(bytes, kFillChunk, [&](std::uint64_t first, std::uint64_t size) {
        return contents.bytes(buffer, first, std::span(content).subspan(first, size));
    }));
    COALESCOPE_TRY(checkCuda(m_driver->memoryCopyToDevice(address, content.data(), bytes), "cuMemcpyHtoD",
        fmt::format("filling buffer '{}' with {} bytes", buffer.name, bytes)));
    if ((isTable || isSmall) && !isCounter && bytes > 0)
        COALESCOPE_TRY(keepCopy(address, content));
    if (keep)
        m_kept[argument] = std::move(content);
    return {};
}

/// Of what each launch is to find as the first one does.
std::uint64_t GpuSession::mostRestored() const
{
    return m_plan->source.find("atomicCAS") != std::string::npos ? kMostTableBytes : kMostCounterBytes;
}

/// Puts into variables of the module what the plan says that they hold.
Result<void> GpuSession::fillVariables(const CompiledCubin& cubin, const BufferContents& contents)
{
    for (const auto& [name, isConstant] : variablesOf(cubin.image)) {
        std::uint64_t address = 0;
        std::size_t bytes = 0;
        COALESCOPE_TRY(checkCuda(m_driver->moduleGetGlobal(&address, &bytes, m_module, name.c_str()), "cuModuleGetGlobal", fmt::format("looking up the variable {}", plainName(name))));
        const auto planned = std::ranges::find(m_plan->variables, plainName(name), &BufferPlan::name);
        const bool isPlanned = planned != m_plan->variables.end() && planned->count * std::uint64_t(bytesOf(planned->type)) == bytes;
        std::vector<std::uint8_t> content(bytes);
        if (isPlanned)
            COALESCOPE_TRY(contents.bytes(*planned, 0, content));
        if (isPlanned && BufferContents::whyUnknown(*planned).empty())
            COALESCOPE_TRY(checkCuda(m_driver->memoryCopyToDevice(address, content.data(), bytes), "cuMemcpyHtoD", fmt::format("filling the variable {}", planned->name)));
        if (isConstant || bytes == 0 || bytes > mostRestored())
            continue;
        COALESCOPE_TRY(checkCuda(m_driver->memoryCopyToHost(content.data(), address, bytes), "cuMemcpyDtoH", fmt::format("reading the variable {}", plainName(name))));
        COALESCOPE_TRY(keepCopy(address, content));
    }
    return {};
}

Result<void> GpuSession::prepare(const LaunchPlan& plan, const CompiledCubin& cubin)
{
    m_plan = &plan;
    COALESCOPE_TRY(checkLimits());
    COALESCOPE_TRY(loadFunction(cubin));
    COALESCOPE_TRY(checkParameters());
    COALESCOPE_TRY(freeBuffers());
    m_values.resize(plan.arguments.size());
    m_kept.resize(plan.arguments.size());
    struct Filled {
        std::size_t argument = 0;
        const BufferPlan* buffer = nullptr;
        std::uint64_t address = 0;
    };
    std::vector<Filled> filled;
    BufferAddresses placed;
    const auto place = [&](std::size_t argument, const BufferPlan& buffer) {
        if (!buffer.isOwn())
            return placed.ofSame(buffer);
        const auto address = allocate(buffer);
        if (address) {
            placed.add(buffer, *address);
            filled.push_back({ argument, &buffer, *address });
        }
        return address;
    };
    for (std::size_t i = 0; i < plan.arguments.size(); ++i) {
        m_values[i].assign(bytesOf(plan.arguments[i]), 0);
        for (const ArgumentPart& part : partsOf(plan.arguments[i])) {
            const Result<std::uint64_t> bits = part.scalar ? part.scalar->bits : place(i, *part.buffer);
            COALESCOPE_TRY(bits);
            const std::uint64_t value = *bits + (part.buffer ? part.buffer->offset : 0);
            std::memcpy(m_values[i].data() + part.offset, &value, part.bytes());
        }
    }
    BufferContents contents;
    const auto pointed = contents.pointedBy(plan);
    COALESCOPE_TRY(pointed);
    std::map<std::uint64_t, std::uint64_t> addresses;
    for (const PointedBuffer& one : *pointed) {
        const auto given = placed.ofArgument(plan, one.argument);
        const Result<std::uint64_t> address = given ? *given : allocate(one.buffer);
        COALESCOPE_TRY(address);
        addresses[one.address] = *address;
        if (!given)
            filled.push_back({ plan.arguments.size(), &one.buffer, *address });
    }
    contents.place(std::move(addresses));
    for (const Filled& one : filled)
        COALESCOPE_TRY(fill(one.argument, *one.buffer, one.address, contents));
    COALESCOPE_TRY(fillVariables(cubin, contents));
    // The fills ran on the default stream, which the launch's own stream does not wait for.
    return checkCuda(m_driver->contextSynchronize(), "cuCtxSynchronize", "filling the buffers");
}

Result<void> GpuSession::clearCollected()
{
    for (const Collected& buffer : m_collected) {
        if (buffer.copy)
            COALESCOPE_TRY(checkCuda(
                m_driver->memoryCopyAsync(buffer.address, buffer.copy, buffer.bytes, m_stream), "cuMemcpyDtoDAsync", "restoring a buffer"));
        else
            COALESCOPE_TRY(checkCuda(
                m_driver->memorySetAsync(buffer.address, 0, buffer.bytes, m_stream), "cuMemsetD8Async", "clearing the counters"));
    }
    return {};
}

bool GpuSession::copiesBetween() const
{
    return std::ranges::any_of(m_collected, [](const Collected& buffer) { return buffer.copy != 0; });
}

Result<void> GpuSession::launch()
{
    std::vector<void*> parameters(m_values.size());
    std::ranges::transform(m_values, parameters.begin(), [](auto& value) { return value.data(); });
    const auto &grid = m_plan->grid, &block = m_plan->block;
    if (m_isCooperative)
        return checkCuda(m_driver->launchCooperativeKernel(m_function, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                             m_plan->dynamicSharedBytes, m_stream, parameters.data()),
            "cuLaunchCooperativeKernel",
            fmt::format("launching {} blocks of {} threads that wait for each other, which must all be resident", grid.count(), block.count()));
    return checkCuda(m_driver->launchKernel(m_function, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                         m_plan->dynamicSharedBytes, m_stream, parameters.data(), nullptr),
        "cuLaunchKernel",
        fmt::format("launching {} x {} x {} blocks of {} x {} x {} threads", grid.x, grid.y, grid.z, block.x,
            block.y, block.z));
}

Result<void> GpuSession::wait(double limitSeconds)
{
    using Clock = std::chrono::steady_clock;
    COALESCOPE_TRY(
        checkCuda(m_driver->eventRecord(m_finished, m_stream), "cuEventRecord", "running the kernel"));
    const auto begin = Clock::now();
    for (;;) {
        const int code = m_driver->eventQuery(m_finished);
        if (code != kCudaNotReady)
            return checkCuda(code, "cuEventQuery", "running the kernel");
        const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
        if (seconds > limitSeconds)
            return fail(ErrorCode::TimedOut,
                fmt::format("the kernel did not end within {:g} seconds", limitSeconds));
        if (seconds > 1e-3)
            std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
}

Result<analysis::Occupancy> GpuSession::occupancy() const
{
    const auto threads = m_plan->block.count();
    int blocks = 0;
    COALESCOPE_TRY(checkCuda(m_driver->occupancy(&blocks, m_function, int(threads), m_plan->dynamicSharedBytes),
        "cuOccupancyMaxActiveBlocksPerMultiprocessor", "reading the occupancy"));
    const int warpsPerBlock = int((threads + 31) / 32);
    analysis::Occupancy occupancy { .warpsPerSm = blocks * warpsPerBlock,
        .maxWarpsPerSm = m_properties.maxThreadsPerSm / 32,
        .blocksPerSm = blocks,
        .limiter = {},
        .registersPerThread = m_registers };
    // The limiter's name comes from the device's model where there is one; the counts are the driver's.
    if (const analysis::DeviceModel* model = analysis::deviceOfDriverName(m_properties.name, m_properties.sms))
        occupancy.limiter = analysis::occupancyOf(*model, m_plan->grid, m_plan->block,
            std::uint32_t(m_staticShared) + m_plan->dynamicSharedBytes, m_registers)
                                .limiter;
    return occupancy;
}

} // namespace coalescope::kernels
