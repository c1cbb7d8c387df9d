// SPDX-License-Identifier: Apache-2.0
// CUDA C++ for clang without a file of the CUDA toolkit: included before every source. It covers what
// memory-bound kernels use; what is missing is a compile error with the name in it.
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#define __grid_constant__

#include "integers.cuh"

// For functions and members that the headers of this folder define: without debug information of their own,
// so that what they do is counted at the line that calls them.
#define COALESCOPE_INLINE __inline__ __attribute__((device, always_inline, nodebug))
#define COALESCOPE_DEVICE static COALESCOPE_INLINE

#include "device_vectors.cuh"

// threadIdx and its kin: each field reads a special register, so that the objects need no storage.
#define COALESCOPE_FIELD(field, reader)                                                                      \
    __declspec(property(get = read_##field)) unsigned int field;                                             \
    COALESCOPE_DEVICE unsigned int read_##field() { return reader(); }
#define COALESCOPE_BUILTIN(variable, reader)                                                                 \
    struct Coalescope_##variable {                                                                           \
        COALESCOPE_FIELD(x, reader##x)                                                                       \
        COALESCOPE_FIELD(y, reader##y)                                                                       \
        COALESCOPE_FIELD(z, reader##z)                                                                       \
        COALESCOPE_INLINE operator dim3() const { return dim3(x, y, z); }                                    \
        COALESCOPE_INLINE operator uint3() const { return uint3 { x, y, z }; }                               \
    };                                                                                                       \
    extern const __attribute__((device, weak)) Coalescope_##variable variable;

COALESCOPE_BUILTIN(threadIdx, __nvvm_read_ptx_sreg_tid_)
COALESCOPE_BUILTIN(blockIdx, __nvvm_read_ptx_sreg_ctaid_)
COALESCOPE_BUILTIN(blockDim, __nvvm_read_ptx_sreg_ntid_)
COALESCOPE_BUILTIN(gridDim, __nvvm_read_ptx_sreg_nctaid_)
constexpr int warpSize = 32;

#include "device_atomics.cuh"
#include "device_math.cuh"
#include "device_warp.cuh"

#include "prelude.cuh"

#define assert(condition) ((condition) ? void() : __builtin_trap())
extern "C" __attribute__((device)) int printf(const char*, ...);

// As NVRTC is told with -default-device: a helper needs no __device__. The wrapper that includes the user's
// source ends this.
#pragma clang force_cuda_host_device begin
