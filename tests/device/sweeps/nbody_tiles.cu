// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "nbody_tiles"
title = "Forces between all bodies, in tiles"
entry = "nbody"

[[parameters]]
name = "n"
default = 16384
min = 1
max = 1000000

[[parameters]]
name = "block"
default = 256
min = 1
max = 1024

[launch]
grid = ["cdiv(n, block)"]
block = ["block"]

[[arguments]]
buffer = "p"
type = "f32"
count = "4 * n"
fill = "random:1"

[[arguments]]
buffer = "a"
type = "f32"
count = "4 * n"

[[arguments]]
scalar = "n"
type = "i32"

--- */
__global__ void nbody(const float4* p, float4* a, int n) {
  __shared__ float4 tile[1024];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 me = i < n ? p[i] : make_float4(0, 0, 0, 0), sum = make_float4(0, 0, 0, 0);
  for (int t = 0; t < n; t += blockDim.x) {
    tile[threadIdx.x] = t + threadIdx.x < n ? p[t + threadIdx.x] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (int k = 0; k < blockDim.x; ++k) {
      float4 o = tile[k];
      float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z, inv = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), f = o.w * inv * inv * inv;
      sum.x += dx * f; sum.y += dy * f; sum.z += dz * f;
    }
    __syncthreads();
  }
  if (i < n) a[i] = sum;
}
