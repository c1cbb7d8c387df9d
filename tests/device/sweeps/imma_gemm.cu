// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "imma_gemm"
title = "int8 GEMM, wmma and a cp.async pipeline"
entry = "s8gemm<{tile},{skew},{stages}>"

[[parameters]]
name = "m"
default = 1024
min = 64
max = 16384
[[parameters]]
name = "n"
default = 1024
min = 64
max = 16384
[[parameters]]
name = "k"
default = 1024
min = 64
max = 16384
[[parameters]]
name = "tile"
default = 64
min = 64
max = 128
presets = [64, 128]
[[parameters]]
name = "skew"
default = 16
min = 0
max = 64
[[parameters]]
name = "stages"
default = 3
min = 2
max = 4

[[legality]]
condition = "m % tile == 0 and n % tile == 0 and k % 64 == 0"
parameters = ["m", "n", "k", "tile"]
sentence = "m and n must be multiples of {tile}, k of 64."
[[legality]]
condition = "skew % 16 == 0"
parameters = ["skew"]
sentence = "The skew ({skew}) must be a multiple of 16."

[launch]
grid = ["n // tile", "m // tile"]
block = ["tile == 64 and 128 or 256"]
dynamic_shared = "stages * 2 * tile * (64 + skew)"

[[arguments]]
buffer = "a"
type = "i8"
count = "m * k"
fill = "random:1"
[[arguments]]
buffer = "b"
type = "i8"
count = "n * k"
fill = "random:2"
[[arguments]]
buffer = "c"
type = "i32"
count = "m * n"
[[arguments]]
scalar = "n"
type = "i32"
[[arguments]]
scalar = "k"
type = "i32"
--- */
#include <mma.h>
using namespace nvcuda;

__device__ __forceinline__ void cp_async16(void* smem, const void* gmem) {
  const unsigned s = static_cast<unsigned>(__cvta_generic_to_shared(smem));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(s), "l"(gmem));
}
__device__ __forceinline__ void cp_commit() { asm volatile("cp.async.commit_group;\n" ::); }
template <int N> __device__ __forceinline__ void cp_wait() { asm volatile("cp.async.wait_group %0;\n" ::"n"(N)); }

template <int TILE, int SKEW, int STAGES>
__global__ void __launch_bounds__(TILE == 64 ? 128 : 256)
    s8gemm(const signed char* __restrict__ A, const signed char* __restrict__ B, int* __restrict__ C, int n, int k) {
  constexpr int BK = 64, LD = BK + SKEW;
  constexpr int THREADS = TILE == 64 ? 128 : 256;
  constexpr int WN = 2, WM = THREADS / 32 / WN;       // warps
  constexpr int FM = TILE / WM / 16, FN = TILE / WN / 16;  // fragments a warp
  extern __shared__ __align__(128) signed char smem[];
  signed char* As = smem;
  signed char* Bs = smem + STAGES * TILE * LD;

  const int warp = threadIdx.x / 32;
  const int wm = warp / WN, wn = warp % WN;
  const signed char* a0 = A + size_t(blockIdx.y) * TILE * k;
  const signed char* b0 = B + size_t(blockIdx.x) * TILE * k;  // B is n x k

  auto load = [&](int stage, int kt) {
#pragma unroll
    for (int i = threadIdx.x; i < TILE * BK / 16; i += THREADS) {
      const int r = i / (BK / 16), c = i % (BK / 16) * 16;
      cp_async16(As + (stage * TILE + r) * LD + c, a0 + size_t(r) * k + kt * BK + c);
      cp_async16(Bs + (stage * TILE + r) * LD + c, b0 + size_t(r) * k + kt * BK + c);
    }
  };

  wmma::fragment<wmma::accumulator, 16, 16, 16, int> acc[FM][FN];
#pragma unroll
  for (int i = 0; i < FM; ++i)
#pragma unroll
    for (int j = 0; j < FN; ++j) wmma::fill_fragment(acc[i][j], 0);

  const int tiles = k / BK;
#pragma unroll
  for (int s = 0; s < STAGES - 1; ++s) {
    if (s < tiles) load(s, s);
    cp_commit();
  }
  for (int kt = 0; kt < tiles; ++kt) {
    cp_wait<STAGES - 2>();
    __syncthreads();
    const int next = kt + STAGES - 1;
    if (next < tiles) load(next % STAGES, next);
    cp_commit();
    const int st = kt % STAGES;
#pragma unroll
    for (int kk = 0; kk < BK; kk += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> fa[FM];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> fb[FN];
#pragma unroll
      for (int i = 0; i < FM; ++i) wmma::load_matrix_sync(fa[i], As + (st * TILE + (wm * FM + i) * 16) * LD + kk, LD);
#pragma unroll
      for (int j = 0; j < FN; ++j) wmma::load_matrix_sync(fb[j], Bs + (st * TILE + (wn * FN + j) * 16) * LD + kk, LD);
#pragma unroll
      for (int i = 0; i < FM; ++i)
#pragma unroll
        for (int j = 0; j < FN; ++j) wmma::mma_sync(acc[i][j], fa[i], fb[j], acc[i][j]);
    }
  }
#pragma unroll
  for (int i = 0; i < FM; ++i)
#pragma unroll
    for (int j = 0; j < FN; ++j)
      wmma::store_matrix_sync(C + size_t(blockIdx.y * TILE + (wm * FM + i) * 16) * n + blockIdx.x * TILE + (wn * FN + j) * 16,
                              acc[i][j], n, wmma::mem_row_major);
}
