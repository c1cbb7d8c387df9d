// launch: --entry ring --grid 12 --block 160 --shared 12288 --arg f32[98304]=random:1 --arg f32[98304]
// SPDX-License-Identifier: Apache-2.0
// One thread fetches tiles into a ring of three, four warps reverse and store them.
constexpr int kTile = 1024, kTiles = 8, kStages = 3, kConsumers = 128;

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
