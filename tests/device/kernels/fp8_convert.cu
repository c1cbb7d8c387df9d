// launch: --entry fp8Convert --grid 64 --block 128 --arg f32[32768]=random:1 --arg u8[32768] --arg f16[32768] --arg i32:8192
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=256 gld.sec=4096 gst.req=768 gst.sec=3072
// Four floats a thread to 8-bit ones and back, by the classes of cuda_fp8.h; two bytes' worth of halves go out one after the other.
#include <cuda_fp16.h>
#include <cuda_fp8.h>
__global__ void fp8Convert(const float4* in, __nv_fp8x4_e4m3* out, __half2* back, int n4)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n4)
        return;
    const __nv_fp8x4_e4m3 tiny(in[i]);
    out[i] = tiny;
    const float4 wide(tiny);
    __nv_fp8x2_e5m2 low(make_float2(wide.x, wide.y)), high(make_float2(wide.z, wide.w));
    back[i] = __half2(low);
    back[n4 + i] = __half2(high);
}
