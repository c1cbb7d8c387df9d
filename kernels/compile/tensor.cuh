// SPDX-License-Identifier: Apache-2.0
// What kernels of PyTorch's extensions use of its headers: accessors as they are laid out there, types of 16 bits, types of sums, macros.
#pragma once
#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <limits>
#include <type_traits>
#include <utility>

#define C10_WARP_SIZE 32
#define C10_HOST_DEVICE __host__ __device__
#define C10_DEVICE __device__
#define C10_HOST __host__
#define C10_RESTRICT __restrict__
#define C10_LAUNCH_BOUNDS_0 __launch_bounds__(256, 4)
#define C10_LAUNCH_BOUNDS_1(threads) __launch_bounds__((threads))
#define C10_LAUNCH_BOUNDS_2(threads, blocks) __launch_bounds__((threads), (blocks))
#define CUDA_KERNEL_ASSERT(condition)
#define CUDA_KERNEL_LOOP_TYPE(i, n, Index) \
    for (Index i = Index(blockIdx.x) * blockDim.x + threadIdx.x; i < (n); i += Index(blockDim.x) * gridDim.x)
#define CUDA_KERNEL_LOOP(i, n) CUDA_KERNEL_LOOP_TYPE(i, n, int)

namespace c10 {
/// A number of 16 bits that is computed with as a float.
template <class Storage> struct Short {
    Storage held;
    Short() = default;
    __device__ Short(Storage value) : held(value) { }
    __device__ Short(float value) : held(value) { }
    __device__ Short(double value) : held(float(value)) { }
    __device__ Short(int value) : held(float(value)) { }
    __device__ operator float() const { return float(held); }
    __device__ Short& operator+=(float value) { return *this = Short(float(*this) + value); }
    __device__ Short& operator-=(float value) { return *this = Short(float(*this) - value); }
    __device__ Short& operator*=(float value) { return *this = Short(float(*this) * value); }
    __device__ Short& operator/=(float value) { return *this = Short(float(*this) / value); }
};
using Half = Short<__half>;
using BFloat16 = Short<__nv_bfloat16>;

template <class T> struct WiderOf {
    using type = T;
};
template <> struct WiderOf<Half> {
    using type = float;
};
template <> struct WiderOf<BFloat16> {
    using type = float;
};
template <> struct WiderOf<__half> {
    using type = float;
};
template <> struct WiderOf<__nv_bfloat16> {
    using type = float;
};
template <class T> using opmath_type = typename WiderOf<T>::type;
template <class T, bool> using acc_type = typename WiderOf<T>::type;
template <class T> using OpMathType = WiderOf<T>;

template <class T> struct DefaultPtrTraits {
    using PtrType = T*;
};
template <class T> struct RestrictPtrTraits {
    using PtrType = T* __restrict__;
};

template <class T, int N, template <class> class Traits = DefaultPtrTraits, class Index = std::int64_t> class TensorAccessor;

/// An element of one dimension, or what has one dimension less.
template <class T, int N, template <class> class Traits, class Index>
__device__ decltype(auto) partOf(typename Traits<T>::PtrType data, const Index* sizes, const Index* strides, Index i)
{
    if constexpr (N == 1)
        return (data[strides[0] * i]);
    else
        return TensorAccessor<T, N - 1, Traits, Index>(data + strides[0] * i, sizes + 1, strides + 1);
}

template <class T, int N, template <class> class Traits, class Index> class TensorAccessor {
public:
    using PtrType = typename Traits<T>::PtrType;
    __device__ TensorAccessor(PtrType data, const Index* sizes, const Index* strides) : data_(data), sizes_(sizes), strides_(strides) { }
    __device__ Index size(Index i) const { return sizes_[i]; }
    __device__ Index stride(Index i) const { return strides_[i]; }
    __device__ PtrType data() const { return data_; }
    __device__ decltype(auto) operator[](Index i) const { return partOf<T, N, Traits, Index>(data_, sizes_, strides_, i); }

private:
    PtrType data_;
    const Index *sizes_, *strides_;
};

template <class T, int N, template <class> class Traits = DefaultPtrTraits, class Index = std::int64_t> class GenericPackedTensorAccessor {
public:
    using PtrType = typename Traits<T>::PtrType;
    __device__ Index size(Index i) const { return sizes_[i]; }
    __device__ Index stride(Index i) const { return strides_[i]; }
    __device__ PtrType data() const { return data_; }
    __device__ decltype(auto) operator[](Index i) const { return partOf<T, N, Traits, Index>(data_, sizes_, strides_, i); }

private:
    PtrType data_;
    Index sizes_[N], strides_[N];
};
template <class T, int N, template <class> class Traits = DefaultPtrTraits, class Index = std::int64_t>
using PackedTensorAccessor = GenericPackedTensorAccessor<T, N, Traits, Index>;
template <class T, int N, template <class> class Traits = DefaultPtrTraits> using PackedTensorAccessor32 = GenericPackedTensorAccessor<T, N, Traits, std::int32_t>;
template <class T, int N, template <class> class Traits = DefaultPtrTraits> using PackedTensorAccessor64 = GenericPackedTensorAccessor<T, N, Traits, std::int64_t>;

template <class T> __device__ T ceil_div(T a, T b) { return (a + b - 1) / b; }
template <class T> __device__ T divup(T a, T b) { return (a + b - 1) / b; }

template <class T> __device__ void addAtomically(T* to, T value) { ::atomicAdd(to, value); }
template <class Storage> __device__ void addAtomically(Short<Storage>* to, Short<Storage> value) { ::atomicAdd(&to->held, value.held); }
namespace native {
template <class T, class Index> __device__ void fastAtomicAdd(T* to, Index index, Index, T value, bool = true) { addAtomically(to + index, value); }
}
}
namespace at {
using namespace c10;
}
namespace torch {
using namespace c10;
}
template <class T> __device__ void gpuAtomicAdd(T* to, T value) { c10::addAtomically(to, value); }
template <class T> __device__ void gpuAtomicAddNoReturn(T* to, T value) { c10::addAtomically(to, value); }
template <class T> __device__ T WARP_SHFL(T value, int lane, int width = 32, unsigned mask = 0xffffffff) { return __shfl_sync(mask, value, lane, width); }
template <class T> __device__ T WARP_SHFL_XOR(T value, int lanes, int width = 32, unsigned mask = 0xffffffff) { return __shfl_xor_sync(mask, value, lanes, width); }
template <class T> __device__ T WARP_SHFL_DOWN(T value, unsigned lanes, int width = 32, unsigned mask = 0xffffffff) { return __shfl_down_sync(mask, value, lanes, width); }
template <class T> __device__ T WARP_SHFL_UP(T value, unsigned lanes, int width = 32, unsigned mask = 0xffffffff) { return __shfl_up_sync(mask, value, lanes, width); }
