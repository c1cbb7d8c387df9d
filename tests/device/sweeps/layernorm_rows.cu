// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "layernorm_rows"
title = "Layer normalization, a block a row"
entry = "layernorm"

[[parameters]]
name = "rows"
default = 8192
min = 1
max = 65536

[[parameters]]
name = "cols"
default = 2048
min = 1
max = 65536

[[parameters]]
name = "block"
default = 256
min = 1
max = 1024

[launch]
grid = ["rows"]
block = ["block"]

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
scalar = "cols"
type = "i32"

--- */
__device__ float2 blockSum(float2 v) {
  __shared__ float2 part[32];
  for (int o = 16; o > 0; o >>= 1) { v.x += __shfl_xor_sync(0xffffffffu, v.x, o); v.y += __shfl_xor_sync(0xffffffffu, v.y, o); }
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
  __syncthreads();
  v = threadIdx.x % 32 < blockDim.x / 32 ? part[threadIdx.x % 32] : make_float2(0, 0);
  for (int o = 16; o > 0; o >>= 1) { v.x += __shfl_xor_sync(0xffffffffu, v.x, o); v.y += __shfl_xor_sync(0xffffffffu, v.y, o); }
  return v;
}
__global__ void layernorm(const float* in, float* out, int cols) {
  const float4* row = (const float4*)(in + (size_t)blockIdx.x * cols);
  float4* to = (float4*)(out + (size_t)blockIdx.x * cols);
  float2 s = make_float2(0, 0);
  for (int i = threadIdx.x; i < cols / 4; i += blockDim.x) { float4 v = row[i]; s.x += v.x + v.y + v.z + v.w; s.y += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w; }
  s = blockSum(s);
  float mean = s.x / cols, scale = rsqrtf(s.y / cols - mean * mean + 1e-5f);
  for (int i = threadIdx.x; i < cols / 4; i += blockDim.x) { float4 v = row[i]; to[i] = make_float4((v.x - mean) * scale, (v.y - mean) * scale, (v.z - mean) * scale, (v.w - mean) * scale); }
}
