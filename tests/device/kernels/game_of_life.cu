// launch: --entry life --grid 4,8 --block 32,8 --arg u8[8192]=random:6 --arg u8[8192] --arg u32:128 --arg u32:64
// SPDX-License-Identifier: Apache-2.0
__global__ void life(const unsigned char* in, unsigned char* out, unsigned w, unsigned h)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned count = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            if (dx || dy)
                count += in[(y + dy + h) % h * w + (x + dx + w) % w] & 1;
    out[y * w + x] = count == 3 || (count == 2 && (in[y * w + x] & 1));
}
