// launch: --entry sgemm_column<64,64,8,8> --grid 2,2 --block 512 --arg i32:128 --arg i32:128 --arg i32:128 --arg f32:1.5 --arg f32[16384]=random:1 --arg f32[16384]=random:2 --arg f32:0.5 --arg f32[16384]=random:3
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=2560 gst.req=512 gld.sec=10240 gst.sec=2048 sld.inst=24576 sst.inst=2048 sld.wf=40960 sst.wf=2048
// Eight results of a column a thread. ptxas unrolls the loop over d, and joins what four of its turns load from As.
template <const int BM, const int BN, const int BK, const int TM>
__global__ void sgemm_column(int M, int N, int K, float alpha, const float *A,
                              const float *B, float beta, float *C) {
    __shared__ float As[BM * BK];
    __shared__ float Bs[BK * BN];
    const int cRow = blockIdx.y, cCol = blockIdx.x;
    const int threadCol = threadIdx.x % BN, threadRow = threadIdx.x / BN;
    A += cRow * BM * K;
    B += cCol * BN;
    C += cRow * BM * N + cCol * BN;
    const int innerColA = threadIdx.x % BK, innerRowA = threadIdx.x / BK;
    const int innerColB = threadIdx.x % BN, innerRowB = threadIdx.x / BN;
    float acc[TM] = {0.0f};
    for (int bk = 0; bk < K; bk += BK) {
        As[innerRowA * BK + innerColA] = A[innerRowA * K + innerColA];
        Bs[innerRowB * BN + innerColB] = B[innerRowB * N + innerColB];
        __syncthreads();
        A += BK;
        B += BK * N;
        for (int d = 0; d < BK; ++d) {
            const float b = Bs[d * BN + threadCol];
            for (int i = 0; i < TM; ++i) acc[i] += As[(threadRow * TM + i) * BK + d] * b;
        }
        __syncthreads();
    }
    for (int i = 0; i < TM; ++i) {
        float *c = &C[(threadRow * TM + i) * N + threadCol];
        *c = alpha * acc[i] + beta * *c;
    }
}
