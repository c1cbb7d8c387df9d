// launch: --entry gemm::doubleBuffered<8> --grid 2,2 --block 256 --arg f32[32768]=random:1 --arg f32[32768]=random:2 --arg f32[65536] --arg i32:256 --arg i32:128
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=1024 gst.req=512 gld.sec=16384 gst.sec=8192 sld.inst=16384 sst.inst=2560 sld.wf=49152 sst.wf=6144
// 128 x 128 tile, 8 x 8 results a thread, two buffers.
namespace gemm {
template <int BK>
__global__ void __launch_bounds__(256, 1) doubleBuffered(const float* A, const float* B, float* C, int N, int K)
{
    __shared__ float As[2][BK][128];
    __shared__ float Bs[2][BK][128];
    const int t = threadIdx.x, tx = t % 16, ty = t / 16;
    const int aRow = t / 2, aCol = t % 2 * 4, bRow = t / 32, bCol = t % 32 * 4;
    const float* a = A + (blockIdx.y * 128 + aRow) * K + aCol;
    const float* b = B + bRow * N + blockIdx.x * 128 + bCol;
    float acc[8][8] = {};
    auto store = [&](int buffer, float4 av, float4 bv) {
        As[buffer][aCol][aRow] = av.x;
        As[buffer][aCol + 1][aRow] = av.y;
        As[buffer][aCol + 2][aRow] = av.z;
        As[buffer][aCol + 3][aRow] = av.w;
        *(float4*)&Bs[buffer][bRow][bCol] = bv;
    };
    store(0, *(const float4*)a, *(const float4*)b);
    __syncthreads();
    int current = 0;
    for (int k0 = 0; k0 < K; k0 += BK) {
        float4 av, bv;
        const bool more = k0 + BK < K;
        if (more) {
            av = *(const float4*)(a + k0 + BK);
            bv = *(const float4*)(b + (k0 + BK) * N);
        }
#pragma unroll
        for (int k = 0; k < BK; ++k) {
            float ra[8], rb[8];
            *(float4*)&ra[0] = *(float4*)&As[current][k][ty * 4];
            *(float4*)&ra[4] = *(float4*)&As[current][k][ty * 4 + 64];
            *(float4*)&rb[0] = *(float4*)&Bs[current][k][tx * 4];
            *(float4*)&rb[4] = *(float4*)&Bs[current][k][tx * 4 + 64];
#pragma unroll
            for (int i = 0; i < 8; ++i)
#pragma unroll
                for (int j = 0; j < 8; ++j)
                    acc[i][j] += ra[i] * rb[j];
        }
        if (more) {
            store(current ^ 1, av, bv);
            __syncthreads();
            current ^= 1;
        }
    }
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        const int row = blockIdx.y * 128 + ty * 4 + i % 4 + i / 4 * 64;
#pragma unroll
        for (int h = 0; h < 2; ++h)
            *(float4*)&C[row * N + blockIdx.x * 128 + tx * 4 + h * 64] = make_float4(acc[i][h * 4], acc[i][h * 4 + 1], acc[i][h * 4 + 2], acc[i][h * 4 + 3]);
    }
}
}
