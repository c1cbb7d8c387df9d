// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "axpy_wide"
title = "a x + y, 1, 2 or 4 floats at a time"
entry = "axpy<{width}>"

[[parameters]]
name = "n"
default = 16777216
min = 1
max = 200000000

[[parameters]]
name = "block"
default = 256
min = 1
max = 1024

[[parameters]]
name = "per"
default = 1
min = 1
max = 64

[[parameters]]
name = "width"
default = 1
min = 1
max = 4

[launch]
grid = ["cdiv(n, block * per * width)"]
block = ["block"]

[[arguments]]
buffer = "x"
type = "f32"
count = "n"
fill = "random:1"

[[arguments]]
buffer = "y"
type = "f32"
count = "n"
fill = "random:2"

[[arguments]]
scalar = "n"
type = "i32"

--- */
template <int W> struct Vec; template <> struct Vec<1> { float v[1]; }; template <> struct alignas(8) Vec<2> { float v[2]; }; template <> struct alignas(16) Vec<4> { float v[4]; };
template <int W> __global__ void axpy(const float* x, float* y, int n) {
  const Vec<W>* xs = (const Vec<W>*)x; Vec<W>* ys = (Vec<W>*)y;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / W; i += gridDim.x * blockDim.x) {
    Vec<W> a = xs[i], b = ys[i];
    for (int k = 0; k < W; ++k) b.v[k] += 2.5f * a.v[k];
    ys[i] = b;
  }
}
