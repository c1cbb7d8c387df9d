// launch: --entry turn --grid 24 --block 96 --arg f32[18432]=random:1 --arg f32[18440]
// SPDX-License-Identifier: Apache-2.0
// Rows are reversed in shared memory and leave it by bulk copies, 16 bytes behind a line.
__global__ void turn(const float* in, float* out)
{
    constexpr int kRow = 768;
    __shared__ alignas(128) float row[kRow];
    for (int i = threadIdx.x; i < kRow; i += blockDim.x)
        row[kRow - 1 - i] = in[blockIdx.x * kRow + i];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;"
                     ::"l"(out + blockIdx.x * kRow + 4), "r"(unsigned(__cvta_generic_to_shared(row))), "r"(kRow * 4) : "memory");
        asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read 0;" ::: "memory");
    }
}
