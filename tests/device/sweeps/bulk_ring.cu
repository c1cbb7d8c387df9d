// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "bulk_ring"
title = "Tiles reversed, fetched by one thread's bulk copies into a ring"
entry = "ring"

[[parameters]]
name = "blocks"
default = 264
min = 1
max = 65536

[[parameters]]
name = "tiles"
default = 16
min = 1
max = 4096
define = "TILES"

[[parameters]]
name = "tile"
default = 1024
min = 128
max = 8192
define = "TILE"

[[parameters]]
name = "stages"
default = 3
min = 1
max = 8
define = "STAGES"

[[parameters]]
name = "consumers"
default = 256
min = 32
max = 512
define = "CONSUMERS"

[launch]
grid = ["blocks"]
block = ["consumers + 32"]
dynamic_shared = "stages * tile * 4"

[[arguments]]
buffer = "in"
type = "f32"
count = "blocks * tiles * tile"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "f32"
count = "blocks * tiles * tile"

[reference]
output = "out"
input = "in"
index = "i // tile * tile + tile - 1 - i % tile"
--- */
constexpr int kTile = TILE, kTiles = TILES, kStages = STAGES, kConsumers = CONSUMERS;

__device__ unsigned addressOf(const void* p) { return unsigned(__cvta_generic_to_shared(p)); }

__device__ void waitFor(unsigned barrier, unsigned parity)
{
    asm volatile("{\n.reg .pred done;\nagain:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                 "@done bra.uni ready;\nbra.uni again;\nready:\n}" ::"r"(barrier), "r"(parity) : "memory");
}

__device__ void fetch(const float* to, const float* from, unsigned bytes, unsigned barrier)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                 ::"r"(addressOf(to)), "l"(from), "r"(bytes), "r"(barrier) : "memory");
}

extern __shared__ __align__(128) float stages[];

__global__ void ring(const float* in, float* out)
{
    __shared__ unsigned long long full[kStages], empty[kStages];
    if (threadIdx.x == 0) {
        for (int s = 0; s < kStages; ++s) {
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(addressOf(full + s)) : "memory");
            asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(addressOf(empty + s)), "r"(kConsumers) : "memory");
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    const int first = blockIdx.x * kTiles;
    if (threadIdx.x >= kConsumers) {
        if (threadIdx.x == kConsumers)
            for (int t = 0; t < kTiles; ++t) {
                const int s = t % kStages;
                waitFor(addressOf(empty + s), t / kStages & 1 ^ 1);
                fetch(stages + s * kTile, in + (first + t) * kTile, kTile * 4, addressOf(full + s));
            }
        return;
    }
    for (int t = 0; t < kTiles; ++t) {
        const int s = t % kStages;
        waitFor(addressOf(full + s), t / kStages & 1);
        for (int i = threadIdx.x; i < kTile; i += kConsumers)
            out[(first + t) * kTile + i] = stages[s * kTile + kTile - 1 - i];
        asm volatile("{\n.reg .b64 state;\nmbarrier.arrive.shared::cta.b64 state, [%0];\n}" ::"r"(addressOf(empty + s)) : "memory");
    }
}
