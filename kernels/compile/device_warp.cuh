// SPDX-License-Identifier: Apache-2.0
// Barriers, fences and what lanes of a warp tell each other. Written as PTX where clang's own intrinsics
// ask for a CUDA version that it cannot know here.
#pragma once

// clang's own __syncthreads() is no barrier to its optimiser: it takes an intrinsic for one that leaves the
// shared variables of the file alone, and moves their loads and stores across.
COALESCOPE_DEVICE void coalescopeSyncThreads() { asm volatile("bar.sync 0;" ::: "memory"); }
#define __syncthreads() coalescopeSyncThreads()
COALESCOPE_DEVICE int __syncthreads_count(int predicate)
{
    int result;
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; bar.red.popc.u32 %0, 0, p; }"
                 : "=r"(result)
                 : "r"(predicate)
                 : "memory");
    return result;
}
#define COALESCOPE_BARRIER(name, ptx)                                                                        \
    COALESCOPE_DEVICE int name(int predicate)                                                                \
    {                                                                                                        \
        int result;                                                                                          \
        asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; " ptx " q, 0, p; selp.s32 %0, 1, 0, q; }"      \
                     : "=r"(result)                                                                          \
                     : "r"(predicate)                                                                        \
                     : "memory");                                                                            \
        return result;                                                                                       \
    }
COALESCOPE_BARRIER(__syncthreads_and, "bar.red.and.pred")
COALESCOPE_BARRIER(__syncthreads_or, "bar.red.or.pred")
COALESCOPE_DEVICE void __syncwarp(unsigned int mask = 0xffffffffu)
{
    asm volatile("bar.warp.sync %0;" ::"r"(mask) : "memory");
}
COALESCOPE_DEVICE void __threadfence_block() { asm volatile("membar.cta;" ::: "memory"); }
COALESCOPE_DEVICE void __threadfence() { asm volatile("membar.gl;" ::: "memory"); }
COALESCOPE_DEVICE void __threadfence_system() { asm volatile("membar.sys;" ::: "memory"); }

COALESCOPE_DEVICE unsigned int __activemask()
{
    unsigned int mask;
    asm volatile("activemask.b32 %0;" : "=r"(mask));
    return mask;
}
COALESCOPE_DEVICE unsigned int __lanemask_lt() { return __nvvm_read_ptx_sreg_lanemask_lt(); }

#define COALESCOPE_VOTE(name, ptx)                                                                           \
    COALESCOPE_DEVICE int name(unsigned int mask, int predicate)                                             \
    {                                                                                                        \
        int result;                                                                                          \
        asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; " ptx " q, p, %2; selp.s32 %0, 1, 0, q; }"     \
                     : "=r"(result)                                                                          \
                     : "r"(predicate), "r"(mask));                                                           \
        return result;                                                                                       \
    }
COALESCOPE_VOTE(__all_sync, "vote.sync.all.pred")
COALESCOPE_VOTE(__any_sync, "vote.sync.any.pred")
COALESCOPE_VOTE(__uni_sync, "vote.sync.uni.pred")
COALESCOPE_DEVICE unsigned int __ballot_sync(unsigned int mask, int predicate)
{
    unsigned int result;
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, %2; }"
                 : "=r"(result)
                 : "r"(predicate), "r"(mask));
    return result;
}
template <class T> COALESCOPE_DEVICE unsigned int __match_any_sync(unsigned int mask, T value)
{
    static_assert(sizeof(T) == 4, "__match_any_sync is provided for 4-byte values");
    unsigned int result, bits;
    __builtin_memcpy(&bits, &value, 4);
    asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(result) : "r"(bits), "r"(mask));
    return result;
}

// A shuffle moves 32 bits; longer values go in parts. The constant holds clamp and segment, as PTX wants.
#define COALESCOPE_SHUFFLE(name, laneType, ptx, clamp)                                                       \
    template <class T> COALESCOPE_DEVICE T name(unsigned int mask, T value, laneType lane, int width = 32)   \
    {                                                                                                        \
        static_assert(sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 2, "shuffles move 2, 4 or 8 bytes");  \
        unsigned int words[2] = { 0, 0 };                                                                    \
        __builtin_memcpy(words, &value, sizeof(T));                                                          \
        const unsigned int control = ((32u - unsigned(width)) << 8) | clamp;                                 \
        for (int i = 0; i < (sizeof(T) == 8 ? 2 : 1); ++i)                                                   \
            asm volatile(ptx " %0, %1, %2, %3, %4;"                                                          \
                         : "=r"(words[i])                                                                    \
                         : "r"(words[i]), "r"(lane), "r"(control), "r"(mask));                               \
        __builtin_memcpy(&value, words, sizeof(T));                                                          \
        return value;                                                                                        \
    }
COALESCOPE_SHUFFLE(__shfl_sync, int, "shfl.sync.idx.b32", 0x1f)
COALESCOPE_SHUFFLE(__shfl_up_sync, unsigned int, "shfl.sync.up.b32", 0)
COALESCOPE_SHUFFLE(__shfl_down_sync, unsigned int, "shfl.sync.down.b32", 0x1f)
COALESCOPE_SHUFFLE(__shfl_xor_sync, int, "shfl.sync.bfly.b32", 0x1f)

#define COALESCOPE_REDUX(name, type, ptx)                                                                    \
    COALESCOPE_DEVICE type name(unsigned int mask, type value)                                               \
    {                                                                                                        \
        type result;                                                                                         \
        asm volatile(ptx " %0, %1, %2;" : "=r"(result) : "r"(value), "r"(mask));                             \
        return result;                                                                                       \
    }
COALESCOPE_REDUX(__reduce_add_sync, int, "redux.sync.add.s32")
COALESCOPE_REDUX(__reduce_add_sync, unsigned int, "redux.sync.add.u32")
COALESCOPE_REDUX(__reduce_min_sync, int, "redux.sync.min.s32")
COALESCOPE_REDUX(__reduce_min_sync, unsigned int, "redux.sync.min.u32")
COALESCOPE_REDUX(__reduce_max_sync, int, "redux.sync.max.s32")
COALESCOPE_REDUX(__reduce_max_sync, unsigned int, "redux.sync.max.u32")
COALESCOPE_REDUX(__reduce_and_sync, unsigned int, "redux.sync.and.b32")
COALESCOPE_REDUX(__reduce_or_sync, unsigned int, "redux.sync.or.b32")
COALESCOPE_REDUX(__reduce_xor_sync, unsigned int, "redux.sync.xor.b32")

// Addresses for PTX that names its space.
#define COALESCOPE_ADDRESS(space)                                                                            \
    COALESCOPE_DEVICE size_t __cvta_generic_to_##space(const void* generic)                                  \
    {                                                                                                        \
        size_t address;                                                                                      \
        asm("cvta.to." #space ".u64 %0, %1;" : "=l"(address) : "l"(generic));                                \
        return address;                                                                                      \
    }                                                                                                        \
    COALESCOPE_DEVICE void* __cvta_##space##_to_generic(size_t address)                                      \
    {                                                                                                        \
        void* generic;                                                                                       \
        asm("cvta." #space ".u64 %0, %1;" : "=l"(generic) : "l"(address));                                   \
        return generic;                                                                                      \
    }
COALESCOPE_ADDRESS(shared)
COALESCOPE_ADDRESS(global)

// Loads and stores with a cache hint are plain ones here: they touch the same sectors.
#define COALESCOPE_LOAD(name)                                                                                \
    template <class T> COALESCOPE_DEVICE T name(const T* address) { return *address; }
#define COALESCOPE_STORE(name)                                                                               \
    template <class T> COALESCOPE_DEVICE void name(T* address, T value) { *address = value; }
COALESCOPE_LOAD(__ldg)
COALESCOPE_LOAD(__ldca)
COALESCOPE_LOAD(__ldcg)
COALESCOPE_LOAD(__ldcs)
COALESCOPE_LOAD(__ldlu)
COALESCOPE_STORE(__stwb)
COALESCOPE_STORE(__stcg)
COALESCOPE_STORE(__stcs)
COALESCOPE_STORE(__stwt)

COALESCOPE_DEVICE long long clock64() { return __nvvm_read_ptx_sreg_clock64(); }
COALESCOPE_DEVICE int clock() { return __nvvm_read_ptx_sreg_clock(); }
