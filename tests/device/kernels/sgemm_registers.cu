// launch: --entry sgemm<64,64,16,4,4> --grid 2,3 --block 16,16 --arg f32[24576]=random:1 --arg f32[16384]=random:2 --arg f32[24576] --arg i32:192 --arg i32:128 --arg i32:128
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=768 gst.req=768 gld.sec=12288 gst.sec=12288 sld.inst=12288 sst.inst=1920 sld.wf=36864 sst.wf=7680
// 4 x 4 results a thread, 16-byte loads, A transposed in shared memory.
template <int BM, int BN, int BK, int TM, int TN>
__global__ void __launch_bounds__(256) sgemm(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int M, int N, int K)
{
    __shared__ float As[BK][BM];
    __shared__ float Bs[BK][BN];
    const int tid = threadIdx.y * blockDim.x + threadIdx.x;
    const int blockRow = blockIdx.y * BM, blockCol = blockIdx.x * BN;
    float acc[TM][TN] = {};
    for (int k0 = 0; k0 < K; k0 += BK) {
        {
            const int r = tid / (BK / 4), c = tid % (BK / 4) * 4;
            const float4 v = *reinterpret_cast<const float4*>(&A[(blockRow + r) * K + k0 + c]);
            As[c + 0][r] = v.x;
            As[c + 1][r] = v.y;
            As[c + 2][r] = v.z;
            As[c + 3][r] = v.w;
        }
        {
            const int r = tid / (BN / 4), c = tid % (BN / 4) * 4;
            *reinterpret_cast<float4*>(&Bs[r][c]) = *reinterpret_cast<const float4*>(&B[(k0 + r) * N + blockCol + c]);
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < BK; ++k) {
            float a[TM], b[TN];
#pragma unroll
            for (int i = 0; i < TM; ++i)
                a[i] = As[k][threadIdx.y * TM + i];
#pragma unroll
            for (int j = 0; j < TN; ++j)
                b[j] = Bs[k][threadIdx.x * TN + j];
#pragma unroll
            for (int i = 0; i < TM; ++i)
#pragma unroll
                for (int j = 0; j < TN; ++j)
                    acc[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j)
            C[(blockRow + threadIdx.y * TM + i) * N + blockCol + threadIdx.x * TN + j] = acc[i][j];
}
