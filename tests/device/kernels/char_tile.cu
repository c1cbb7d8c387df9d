// launch: --entry charTile --grid 4,4 --block 32,32 --arg u8[16384]=random:1 --arg u8[16384]
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=512 gst.req=512 gld.sec=512 gst.sec=512 sld.inst=512 sst.inst=512 sld.wf=896 sst.wf=512
// 16 blocks of 32 warps. Rows of 33 bytes: a warp's column reads byte x * 33 + y, whose words are
// x * 33 / 4: 32 words in 264 words' span.
__global__ void charTile(const unsigned char* in, unsigned char* out)
{
    __shared__ unsigned char tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * 128 + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    out[y * 128 + x] = tile[threadIdx.x][threadIdx.y];
}
