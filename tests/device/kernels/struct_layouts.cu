// launch: --entry layouts --grid 10 --block 64 --arg f32[1920]=iota --arg f32[1920] --arg f32[2560]
// SPDX-License-Identifier: Apache-2.0
// AoS: 3 loads of 12 sectors a warp; SoA: 3 stores of 4 sectors; the aligned struct: one store of 16 sectors.
// expect: gld.req=60 gld.sec=720 gst.req=80 gst.sec=560
struct Vec3 {
    float x, y, z;
};
struct alignas(16) Vec4 {
    float x, y, z, w;
};
__global__ void layouts(const Vec3* aos, float* soa, Vec4* padded)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    const Vec3 v = aos[i];
    soa[i] = v.x;
    soa[n + i] = v.y;
    soa[2 * n + i] = v.z;
    padded[i] = Vec4 { v.x, v.y, v.z, 1.0f };
}
