// launch: --entry mat4 --grid 64 --block 128 --arg f32[131072]=random:1 --arg f32[32768]=random:2 --arg f32[32768] --arg i32:8192
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=1280 gld.sec=36864 gst.req=256 gst.sec=4096
struct __align__(16) M { float4 r[4]; };
__global__ void mat4(const M* m, const float4* v, float4* o, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    M a = m[i];
    float4 x = v[i];
    float4 y;
    y.x = a.r[0].x * x.x + a.r[0].y * x.y + a.r[0].z * x.z + a.r[0].w * x.w;
    y.y = a.r[1].x * x.x + a.r[1].y * x.y + a.r[1].z * x.z + a.r[1].w * x.w;
    y.z = a.r[2].x * x.x + a.r[2].y * x.y + a.r[2].z * x.z + a.r[2].w * x.w;
    y.w = a.r[3].x * x.x + a.r[3].y * x.y + a.r[3].z * x.z + a.r[3].w * x.w;
    o[i] = y;
}
