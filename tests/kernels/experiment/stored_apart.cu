// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "stored_apart"
title = "Stores of a warp to the same sectors, with computation in between"
entry = "{kind}<{gap},{reads}>"

[[parameters]]
name = "kind"
default = "products"
choices = [{ value = "products" }, { value = "logistic" }]

[[parameters]]
name = "gap"
default = 0
min = 0
max = 64

[[parameters]]
name = "reads"
default = 4
min = 0
max = 4

[[parameters]]
name = "block"
default = 128
min = 32
max = 1024

[launch]
grid = [2048]
block = ["block"]

[[arguments]]
buffer = "in"
type = "f32"
count = "2048 * block * 4"

[[arguments]]
buffer = "out"
type = "f32"
count = "2048 * block * 4"
--- */
// What a thread stores depends on what it stored before.
struct Products {
    static __device__ void next(float& v) { asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(v)); }
};
struct Logistic {
    static __device__ void next(float& v)
    {
        v = __expf(-v);
        v = 1.0f / (1.0f + v);
    }
};

template <class Step, int Gap, int Reads> __device__ void store(const float* in, float* out)
{
    const int at = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    float v = 1.0f;
#pragma unroll
    for (int i = 0; i < Reads; ++i)
        v += in[at + i];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
#pragma unroll
        for (int k = 0; k < Gap; ++k)
            Step::next(v);
        asm volatile("st.global.f32 [%0], %1;" ::"l"(out + at + i), "f"(v) : "memory");
    }
}
template <int Gap, int Reads> __global__ void products(const float* in, float* out) { store<Products, Gap, Reads>(in, out); }
template <int Gap, int Reads> __global__ void logistic(const float* in, float* out) { store<Logistic, Gap, Reads>(in, out); }
