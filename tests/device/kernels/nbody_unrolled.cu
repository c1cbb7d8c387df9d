// launch: --entry nbodyUnrolled --grid 8 --block 256 --arg f32[8192]=random:1 --arg f32[8192] --arg i32:2048 --arg f32:0.0001
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=576 gst.req=64 sld.inst=131072 sst.inst=512
// Eight warps an SM: a tile of 256 bodies, 32 of which one turn of the inner loop takes. Loads do not pass the barriers around it.
__global__ void nbodyUnrolled(const float4* __restrict__ pos, float4* __restrict__ acc, int n, float softening)
{
    __shared__ float4 tile[256];
    const int i = blockIdx.x * 256 + threadIdx.x;
    const float4 me = pos[i];
    float ax = 0, ay = 0, az = 0;
    for (int first = 0; first < n / 256; ++first) {
        tile[threadIdx.x] = pos[first * 256 + threadIdx.x];
        __syncthreads();
#pragma unroll 32
        for (int j = 0; j < 256; ++j) {
            const float4 other = tile[j];
            const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
            const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening);
            const float s = other.w * inverse * inverse * inverse;
            ax += dx * s;
            ay += dy * s;
            az += dz * s;
        }
        __syncthreads();
    }
    acc[i] = make_float4(ax, ay, az, 0);
}
