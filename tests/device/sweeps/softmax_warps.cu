// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "softmax_warps"
title = "Softmax of short rows, a warp a row"
entry = "softmax<{cols}>"

[[parameters]]
name = "rows"
default = 16384
min = 1
max = 1000000

[[parameters]]
name = "cols"
default = 512
min = 1
max = 4096

[[parameters]]
name = "warps"
default = 4
min = 1
max = 32

[launch]
grid = ["cdiv(rows, warps)"]
block = [32, "warps"]

[[arguments]]
buffer = "in"
type = "f32"
count = "rows * cols"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "f32"
count = "rows * cols"

[[arguments]]
scalar = "rows"
type = "i32"

--- */
template <int C> __global__ void softmax(const float* in, float* out, int rows) {
  int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (row >= rows) return;
  float v[C / 32], m = -1e30f, s = 0;
#pragma unroll
  for (int k = 0; k < C / 32; ++k) { v[k] = in[(size_t)row * C + k * 32 + lane]; m = fmaxf(m, v[k]); }
  for (int o = 16; o > 0; o >>= 1) m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, o));
#pragma unroll
  for (int k = 0; k < C / 32; ++k) { v[k] = __expf(v[k] - m); s += v[k]; }
  for (int o = 16; o > 0; o >>= 1) s += __shfl_xor_sync(0xffffffffu, s, o);
#pragma unroll
  for (int k = 0; k < C / 32; ++k) out[(size_t)row * C + k * 32 + lane] = v[k] / s;
}
