// launch: --entry asyncPadded --grid 64 --block 128 --arg f32[32768]=random:1 --arg f32[8192]
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=256 gld.sec=5120 gst.req=256 gst.sec=1024
// Rows of 16 floats, each with 4 more in shared memory: every second row's sectors go to two pieces of 32 bytes, 20 sectors a
// warp's copy in place of 16.
__global__ void asyncPadded(const float* in, float* out)
{
    __shared__ __align__(16) float tile[32 * 20];
    const int row = threadIdx.x / 4, piece = threadIdx.x % 4 * 4;
    const unsigned to = (unsigned)__cvta_generic_to_shared(&tile[row * 20 + piece]);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(in + (blockIdx.x * 32 + row) * 16 + piece));
    asm volatile("cp.async.commit_group;");
    asm volatile("cp.async.wait_group 0;");
    __syncthreads();
    out[blockIdx.x * 128 + threadIdx.x] = tile[threadIdx.x / 16 * 4 * 20 + threadIdx.x % 16];
}
