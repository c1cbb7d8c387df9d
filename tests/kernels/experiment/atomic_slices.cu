// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "atomic_slices"
title = "Atomics that meet in slices of the L2: on some words at random, in runs, on words apart, on a few words of a warp"
entry = "add"

[[parameters]]
name = "pattern"
define = "PATTERN"
default = "random"
choices = [{ value = "random", define = "0" }, { value = "runs", define = "1" }, { value = "apart", define = "2" }, { value = "hot", define = "3" }]

[[parameters]]
name = "words_of"
define = "WORDS"
default = 1024
min = 1
max = 4194304

[[parameters]]
name = "type"
default = "u32"
choices = [{ value = "u32", define = "unsigned" }, { value = "f32", define = "float" }]
define = "TYPE"

[launch]
grid = [16384]
block = [256]

[[arguments]]
buffer = "where"
type = "u32"
count = 4194304
fill = "random:1"

[[arguments]]
buffer = "words"
type = "{type}"
count = 4194304
--- */
// random: WORDS words; runs: of WORDS neighbours; apart: a warp's word, WORDS of them, 4 KiB apart; hot: WORDS words of each warp, a sector apart
__global__ void add(const unsigned* where, TYPE* words)
{
    const unsigned i = blockIdx.x * 256 + threadIdx.x;
    const unsigned at = PATTERN == 0 ? where[i] % WORDS : PATTERN == 1 ? i / WORDS : PATTERN == 2 ? i / 32 % WORDS * 1024 : i % WORDS * 8;
    atomicAdd(words + at, TYPE(3));
}
