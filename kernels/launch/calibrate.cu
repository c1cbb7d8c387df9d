// SPDX-License-Identifier: Apache-2.0
// The kernels of `coalescope calibrate`. Those that run on each SM by itself time themselves between two
// barriers of their block: neither the launch nor the clock's frequency is in their cycles. What each one
// asks of memory is declared in calibrate_kernels.cpp, and the prediction of this file is held against it.
typedef unsigned int u32;
typedef unsigned long long u64;

__device__ inline u64 cycles() { return clock64(); }

__device__ inline u64 nanoseconds()
{
    u64 time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
}

__device__ inline u32 loadThroughL1(const char* address)
{
    u32 value;
    asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value) : "l"(address));
    return value;
}

__device__ inline u32 wideLoadThroughL1(const char* address)
{
    u32 x, y, z, w;
    asm volatile("ld.global.ca.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "l"(address));
    return x ^ y ^ z ^ w;
}

__device__ inline u32 wideLoadPastL1(const uint4* address)
{
    u32 x, y, z, w;
    asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "l"(address));
    return x ^ y ^ z ^ w;
}

__device__ inline u32 sharedAddress(const void* pointer)
{
    u64 address;
    asm("cvta.to.shared.u64 %0, %1;" : "=l"(address) : "l"(pointer));
    return u32(address);
}

__device__ inline u32 sharedLoad(u32 address)
{
    u32 value;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(value) : "r"(address));
    return value;
}

/// Runs `turn(i)` once to warm up and then `turns` times between two readings of both clocks. What the
/// turns return reaches memory, so that no compiler may leave a load out.
template <class Turn> __device__ inline void timed(u64* out, u32 turns, Turn turn)
{
    u32 sum = turn(0);
    __syncthreads();
    const u64 time = nanoseconds(), begin = cycles();
    for (u32 i = 0; i < turns; ++i)
        sum ^= turn(i);
    __syncthreads();
    const u64 end = cycles();
    if (threadIdx.x == 0) {
        out[blockIdx.x * 2] = end - begin;
        out[blockIdx.x * 2 + 1] = nanoseconds() - time;
    }
    if (sum == 0x9e3779b9u)
        out[gridDim.x * 2] = sum;
}

extern "C" __global__ void empty() {}

/// 8 loads a turn and warp: 512 bytes in a row, 4 tags and 16 sectors, from 16 KiB.
extern "C" __global__ void __launch_bounds__(1024) l1_sectors(u64* out, const char* data, u32 turns)
{
    timed(out, turns, [=](u32 i) {
        const char* at = data + ((threadIdx.x / 32 + i) * 512 & 8191) + threadIdx.x % 32 * 16;
        u32 sum = 0;
#pragma unroll
        for (u32 k = 0; k < 8; ++k)
            sum ^= wideLoadThroughL1(at + k * 1024);
        return sum;
    });
}

/// 8 loads a turn and warp: 4 bytes from each of 32 lines and of another bank each, 32 tags and 32 sectors, from 16 KiB.
extern "C" __global__ void __launch_bounds__(1024) l1_tags(u64* out, const char* data, u32 turns)
{
    timed(out, turns, [=](u32 i) {
        const char* at = data + ((threadIdx.x / 32 + i) * 4 & 31) + threadIdx.x % 32 * 132;
        u32 sum = 0;
#pragma unroll
        for (u32 k = 0; k < 8; ++k)
            sum ^= loadThroughL1(at + k % 4 * 4032 + k / 4 * 64);
        return sum;
    });
}

/// 8 loads a turn and warp of 4 bytes a lane, `ways` words a bank.
template <u32 ways> __device__ inline void sharedLoads(u64* out, u32 turns)
{
    constexpr u32 kWords = 32 * ways;
    __shared__ u32 words[8 * kWords + 8];
    for (u32 i = threadIdx.x; i < 8 * kWords + 8; i += blockDim.x)
        words[i] = i;
    __syncthreads();
    const u32 base = sharedAddress(words) + threadIdx.x % 32 * ways * 4;
    timed(out, turns, [=](u32 i) {
        const u32 at = base + i % 8 * 4;
        u32 sum = 0;
#pragma unroll
        for (u32 k = 0; k < 8; ++k)
            sum ^= sharedLoad(at + k * kWords * 4);
        return sum;
    });
}

extern "C" __global__ void __launch_bounds__(1024) shared_rows(u64* out, u32 turns) { sharedLoads<1>(out, turns); }
extern "C" __global__ void __launch_bounds__(1024) shared_conflicts(u64* out, u32 turns) { sharedLoads<8>(out, turns); }

/// 16 times 16 bytes a thread, read past L1, of so many pieces of 64 KiB one after the other, over and over.
extern "C" __global__ void __launch_bounds__(256) read_past_l1(u64* out, const uint4* data, u32 pieces)
{
    const uint4* mine = data + u64(blockIdx.x % pieces) * 4096 + threadIdx.x;
    u32 sum = 0;
#pragma unroll
    for (u32 k = 0; k < 16; ++k)
        sum ^= wideLoadPastL1(mine + k * 256);
    if (sum == 0x9e3779b9u)
        *out = sum;
}

/// 4 times 16 bytes a thread, written, of so many pieces of 16 KiB one after the other, over and over.
extern "C" __global__ void __launch_bounds__(256) write_16(uint4* data, u32 pieces)
{
    uint4* mine = data + u64(blockIdx.x % pieces) * 1024 + threadIdx.x;
#pragma unroll
    for (u32 k = 0; k < 4; ++k)
        mine[k * 256] = make_uint4(1, 2, 3, 4);
}

/// 4 times 16 bytes a thread, read and written.
extern "C" __global__ void __launch_bounds__(256) copy_16(uint4* to, const uint4* from)
{
    const u64 first = u64(blockIdx.x) * 1024 + threadIdx.x;
    uint4 values[4];
#pragma unroll
    for (u32 k = 0; k < 4; ++k)
        values[k] = from[first + k * 256];
#pragma unroll
    for (u32 k = 0; k < 4; ++k)
        to[first + k * 256] = values[k];
}

/// The same, read only.
extern "C" __global__ void __launch_bounds__(256) read_16(u32* out, const uint4* from)
{
    const u64 first = u64(blockIdx.x) * 1024 + threadIdx.x;
    u32 sum = 0;
#pragma unroll
    for (u32 k = 0; k < 4; ++k) {
        const uint4 value = from[first + k * 256];
        sum ^= value.x ^ value.y ^ value.z ^ value.w;
    }
    if (sum == 0x9e3779b9u)
        *out = sum;
}

/// The line after line i on a way that visits all of them, a power of two, in no order.
__device__ inline u32 nextLine(u32 i, u32 lines) { return (i * 1664525u + 1013904223u) & (lines - 1); }

template <bool throughL1> __device__ inline u64 follow(u64 address, u32 steps)
{
#pragma unroll 8
    for (u32 i = 0; i < steps; ++i) {
        if (throughL1)
            asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(address) : : "memory");
        else
            asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(address) : : "memory");
    }
    return address;
}

/// One thread follows a chain of addresses, one in each 128-byte line. `others` lines are written between
/// making the chain and following it: enough of them leave nothing of it in the L2.
template <bool throughL1> __device__ inline void chase(u64* out, u64* data, u32 lines, u32 others, u32 steps)
{
    for (u32 i = threadIdx.x; i < lines; i += blockDim.x)
        data[u64(i) * 16] = u64(data + u64(nextLine(i, lines)) * 16);
    for (u32 i = threadIdx.x; i < others; i += blockDim.x)
        data[u64(lines + i) * 16] = i;
    __threadfence();
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    u64 address = u64(data);
    if (throughL1)
        address = follow<throughL1>(address, lines);
    const u64 time = nanoseconds(), begin = cycles();
    address = follow<throughL1>(address, steps);
    const u64 end = cycles();
    out[0] = end - begin;
    out[1] = nanoseconds() - time;
    out[2] = address;
}

extern "C" __global__ void __launch_bounds__(1024) chase_l1(u64* out, u64* data, u32 lines, u32 others, u32 steps)
{
    chase<true>(out, data, lines, others, steps);
}

extern "C" __global__ void __launch_bounds__(1024) chase_l2(u64* out, u64* data, u32 lines, u32 others, u32 steps)
{
    chase<false>(out, data, lines, others, steps);
}

extern "C" __global__ void __launch_bounds__(1024) chase_shared(u64* out, u32 steps)
{
    __shared__ u32 words[1024];
    const u32 base = sharedAddress(words);
    for (u32 i = threadIdx.x; i < 1024; i += blockDim.x)
        words[i] = base + nextLine(i, 1024) * 4;
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    u32 address = base;
    const u64 time = nanoseconds(), begin = cycles();
#pragma unroll 8
    for (u32 i = 0; i < steps; ++i)
        asm volatile("ld.shared.u32 %0, [%0];" : "+r"(address) : : "memory");
    const u64 end = cycles();
    out[0] = end - begin;
    out[1] = nanoseconds() - time;
    out[2] = address;
}
