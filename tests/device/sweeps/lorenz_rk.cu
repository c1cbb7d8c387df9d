// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "lorenz_rk"
title = "Lorenz 96 systems by Dormand and Prince, all stages unrolled, few registers"
entry = "integrate<{dims}>"

[[parameters]]
name = "systems"
default = 131072
min = 32
max = 1048576

[[parameters]]
name = "dims"
default = 8
min = 4
max = 16

[[parameters]]
name = "steps"
default = 4
min = 1
max = 64

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[launch]
grid = ["cdiv(systems, block)"]
block = ["block"]

[[arguments]]
buffer = "start"
type = "f64"
count = "systems * dims"
fill = "random:1"

[[arguments]]
buffer = "state"
type = "f64"
count = "systems * dims"

[[arguments]]
buffer = "error"
type = "f64"
count = "systems"

[[arguments]]
scalar = "systems"
type = "i32"

[[arguments]]
scalar = "steps"
type = "i32"

[[arguments]]
scalar = "h"
type = "f64"
value = "0.01"
--- */
template <int D> __device__ __forceinline__ void slope(const double (&y)[D], double (&k)[D])
{
#pragma unroll
    for (int i = 0; i < D; ++i)
        k[i] = (y[(i + 1) % D] - y[(i + D - 2) % D]) * y[(i + D - 1) % D] - y[i] + 8.0;
}

template <int D>
__global__ void __launch_bounds__(1024) integrate(const double* __restrict__ start, double* __restrict__ state,
    double* __restrict__ error, int systems, int steps, double h)
{
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= systems)
        return;
    double y[D], z[D], k1[D], k2[D], k3[D], k4[D], k5[D], k6[D], worst = 0;
#pragma unroll
    for (int i = 0; i < D; ++i)
        y[i] = start[(size_t)i * systems + s];
#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
        slope(y, k1);
#pragma unroll
        for (int i = 0; i < D; ++i)
            z[i] = y[i] + h * (1.0 / 5) * k1[i];
        slope(z, k2);
#pragma unroll
        for (int i = 0; i < D; ++i)
            z[i] = y[i] + h * (3.0 / 40 * k1[i] + 9.0 / 40 * k2[i]);
        slope(z, k3);
#pragma unroll
        for (int i = 0; i < D; ++i)
            z[i] = y[i] + h * (44.0 / 45 * k1[i] - 56.0 / 15 * k2[i] + 32.0 / 9 * k3[i]);
        slope(z, k4);
#pragma unroll
        for (int i = 0; i < D; ++i)
            z[i] = y[i] + h * (19372.0 / 6561 * k1[i] - 25360.0 / 2187 * k2[i] + 64448.0 / 6561 * k3[i] - 212.0 / 729 * k4[i]);
        slope(z, k5);
#pragma unroll
        for (int i = 0; i < D; ++i)
            z[i] = y[i] + h * (9017.0 / 3168 * k1[i] - 355.0 / 33 * k2[i] + 46732.0 / 5247 * k3[i] + 49.0 / 176 * k4[i]
                              - 5103.0 / 18656 * k5[i]);
        slope(z, k6);
#pragma unroll
        for (int i = 0; i < D; ++i)
            z[i] = y[i] + h * (35.0 / 384 * k1[i] + 500.0 / 1113 * k3[i] + 125.0 / 192 * k4[i] - 2187.0 / 6784 * k5[i]
                              + 11.0 / 84 * k6[i]);
        slope(z, k2); // the seventh stage
#pragma unroll
        for (int i = 0; i < D; ++i) {
            const double e = h * (71.0 / 57600 * k1[i] - 71.0 / 16695 * k3[i] + 71.0 / 1920 * k4[i] - 17253.0 / 339200 * k5[i]
                                  + 22.0 / 525 * k6[i] - 1.0 / 40 * k2[i]);
            worst = fmax(worst, fabs(e));
            y[i] = z[i];
        }
    }
#pragma unroll
    for (int i = 0; i < D; ++i)
        state[(size_t)i * systems + s] = y[i];
    error[s] = worst;
}
