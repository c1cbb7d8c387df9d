// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "local_arrays"
title = "Arrays in local memory"
entry = "localArrays<{type},{n},{chain}>"

[[parameters]]
name = "threads"
default = 262144
min = 32
max = 8388608

[[parameters]]
name = "n"
label = "Values a thread"
default = 32
min = 2
max = 512

[[parameters]]
name = "reads"
default = 32
min = 0
max = 4096

[[parameters]]
name = "skew"
default = 0
min = 0
max = 64

[[parameters]]
name = "chain"
default = 0
min = 0
max = 1

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[[parameters]]
name = "type"
default = "f32"
types = ["u8", "f32", "f64"]

[launch]
grid = ["threads // block"]
block = ["block"]

[[arguments]]
buffer = "in"
type = "{type}"
count = "threads"

[[arguments]]
buffer = "out"
type = "{type}"
count = "threads"

[[arguments]]
scalar = "mask"
type = "i32"
value = 1

[[arguments]]
scalar = "reads"
type = "i32"
value = "reads"

[[arguments]]
scalar = "skew"
type = "i32"
value = "skew"
--- */
template <class T, int N, int Chain> __global__ void localArrays(const T* in, T* out, int mask, int reads, int skew)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = threadIdx.x % 32;
    T a[N];
    const T x = in[i];
#pragma unroll 1
    for (int k = 0; k < N; ++k)
        a[(k ^ mask) & (N - 1)] = x + T(k);
    T sum = 0;
    int at = lane * skew;
#pragma unroll 1
    for (int r = 0; r < reads; ++r) {
        const T v = a[at & (N - 1)];
        sum += v;
        at += Chain ? mask + (v == T(77)) : mask;
    }
    out[i] = sum;
}
