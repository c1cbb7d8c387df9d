// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "resize_double"
title = "Image twice as large, bilinear"
entry = "resize"

[[parameters]]
name = "rows"
default = 2048
min = 1
max = 65536

[[parameters]]
name = "cols"
default = 2048
min = 1
max = 65536

[[parameters]]
name = "block_x"
default = 32
min = 1
max = 1024

[[parameters]]
name = "block_y"
default = 8
min = 1
max = 1024

[launch]
grid = ["cdiv(2 * cols, block_x)", "cdiv(2 * rows, block_y)"]
block = ["block_x","block_y"]

[[arguments]]
buffer = "in"
type = "u32"
count = "rows * cols"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "u32"
count = "4 * rows * cols"

[[arguments]]
scalar = "rows"
type = "i32"

[[arguments]]
scalar = "cols"
type = "i32"

--- */
__device__ float4 unpack(unsigned v) { return make_float4(v & 255, v >> 8 & 255, v >> 16 & 255, v >> 24); }
__device__ float mix(float a, float b, float t) { return a + (b - a) * t; }
__global__ void resize(const unsigned* in, unsigned* out, int rows, int cols) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= 2 * cols || y >= 2 * rows) return;
  int sx = x / 2, sy = y / 2, tx = min(sx + 1, cols - 1), ty = min(sy + 1, rows - 1);
  float fx = (x & 1) * 0.5f, fy = (y & 1) * 0.5f;
  float4 a = unpack(in[sy * cols + sx]), b = unpack(in[sy * cols + tx]), c = unpack(in[ty * cols + sx]), d = unpack(in[ty * cols + tx]);
  unsigned r = (unsigned)mix(mix(a.x, b.x, fx), mix(c.x, d.x, fx), fy), g = (unsigned)mix(mix(a.y, b.y, fx), mix(c.y, d.y, fx), fy);
  unsigned bl = (unsigned)mix(mix(a.z, b.z, fx), mix(c.z, d.z, fx), fy), al = (unsigned)mix(mix(a.w, b.w, fx), mix(c.w, d.w, fx), fy);
  out[(size_t)y * 2 * cols + x] = r | g << 8 | bl << 16 | al << 24;
}
