// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "put_back"
title = "A copy, or an update in place, among buffers of other sizes"
entry = "putBack"

[[parameters]]
name = "n"
default = 1048576
min = 1
max = 67108864

[[parameters]]
name = "in_more"
default = 0
min = 0
max = 67108864

[[parameters]]
name = "out_more"
default = 0
min = 0
max = 67108864

[[parameters]]
name = "before"
default = 0
min = 0
max = 67108864

[[parameters]]
name = "behind"
default = 0
min = 0
max = 67108864

[[parameters]]
name = "out_first"
define = "OUT_FIRST"
default = 0
min = 0
max = 1

[[parameters]]
name = "in_place"
define = "IN_PLACE"
default = 0
min = 0
max = 1

[launch]
grid = ["cdiv(n, 256)"]
block = [256]

[[arguments]]
buffer = "first"
type = "f32"
count = "out_first * (n + out_more) + before + 1"
fill = "random:1"

[[arguments]]
buffer = "in"
type = "f32"
count = "n + in_more"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "f32"
count = "(1 - in_place) * (1 - out_first) * (n + out_more) + 1"

[[arguments]]
buffer = "last"
type = "f32"
count = "behind + 1"
fill = "random:1"

[[arguments]]
scalar = "n"
type = "i32"
--- */

__global__ void putBack(float* first, float* in, float* out, float* last, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (IN_PLACE)
        in[i] += 1.f;
    else if (OUT_FIRST)
        first[i] = in[i];
    else
        out[i] = in[i];
}
