// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "scan_rows"
title = "Running sums along rows, a block a row, warps by shuffles"
entry = "scan"

[[parameters]]
name = "rows"
default = 4096
min = 1
max = 65536

[[parameters]]
name = "cols"
default = 4096
min = 32
max = 65536

[[parameters]]
name = "block"
default = 256
min = 32
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
__global__ void scan(const float* in, float* out, int cols)
{
    __shared__ float totals[32];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
    float carry = 0;
    for (int start = 0; start < cols; start += blockDim.x) {
        const int i = start + threadIdx.x;
        float v = i < cols ? in[(size_t)blockIdx.x * cols + i] : 0.f;
        for (int d = 1; d < 32; d *= 2) {
            float other = __shfl_up_sync(~0u, v, d);
            if (lane >= d)
                v += other;
        }
        if (lane == 31)
            totals[warp] = v;
        __syncthreads();
        if (warp == 0) {
            float t = lane < warps ? totals[lane] : 0.f;
            for (int d = 1; d < 32; d *= 2) {
                float other = __shfl_up_sync(~0u, t, d);
                if (lane >= d)
                    t += other;
            }
            totals[lane] = t;
        }
        __syncthreads();
        if (i < cols)
            out[(size_t)blockIdx.x * cols + i] = carry + v + (warp > 0 ? totals[warp - 1] : 0.f);
        carry += totals[warps - 1];
        __syncthreads();
    }
}
