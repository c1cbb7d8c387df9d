// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "median_bytes"
title = "Median of 3 x 3 bytes"
entry = "median"

[[parameters]]
name = "n"
default = 4096
min = 32
max = 16384

[[parameters]]
name = "block_x"
default = 32
min = 1
max = 256

[[parameters]]
name = "block_y"
default = 8
min = 1
max = 64

[launch]
grid = ["cdiv(n, block_x)", "cdiv(n, block_y)"]
block = ["block_x", "block_y"]

[[arguments]]
buffer = "in"
type = "u8"
count = "n * n"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "u8"
count = "n * n"

[[arguments]]
scalar = "n"
type = "i32"
--- */
__device__ void order(int& a, int& b)
{
    int low = min(a, b);
    b = max(a, b);
    a = low;
}
__global__ void median(const unsigned char* in, unsigned char* out, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n)
        return;
    int v[9];
    for (int k = 0; k < 9; ++k)
        v[k] = in[min(max(y + k / 3 - 1, 0), n - 1) * n + min(max(x + k % 3 - 1, 0), n - 1)];
    for (int i = 0; i < 5; ++i)
        for (int j = i + 1; j < 9; ++j)
            order(v[i], v[j]);
    out[y * n + x] = v[4];
}
