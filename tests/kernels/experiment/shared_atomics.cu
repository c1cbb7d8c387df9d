// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "shared_atomics"
title = "One atomic a thread on shared memory, on so many words a warp"
entry = "sharedAtomics<{type},{constant}>"

[[parameters]]
name = "words"
default = 32
min = 1
max = 32

[[parameters]]
name = "constant"
label = "1: adds the constant 1"
default = 0
min = 0
max = 1

[[parameters]]
name = "block"
default = 32
min = 32
max = 1024

[[parameters]]
name = "type"
default = "f32"
types = ["f32", "f64", "i32"]

[launch]
grid = [132]
block = ["block"]

[[arguments]]
buffer = "sum"
type = "{type}"
count = "132"

[[arguments]]
scalar = "words"
type = "i32"
--- */
template <class T, int Constant> __global__ void sharedAtomics(T* sum, int words)
{
    __shared__ T s[32];
    if (threadIdx.x < 32)
        s[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&s[threadIdx.x % words], Constant ? T(1) : T(threadIdx.x));
    __syncthreads();
    if (threadIdx.x == 0)
        sum[blockIdx.x] = s[0];
}
