// SPDX-License-Identifier: Apache-2.0
// The kernels that representatives_test.cpp executes; kernels.ptx is what NVRTC 13.0 makes of this file
// (--gpu-architecture=compute_90 -lineinfo).
extern "C" __global__ void naive(const float* in, float* out, int rows, int cols)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < cols && y < rows)
        out[(size_t)x * rows + y] = in[(size_t)y * cols + x];
}
extern "C" __global__ void tiled(const float* in, float* out, int rows, int cols)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < cols && y + j < rows)
            tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * cols + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < rows && y + j < cols)
            out[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
}
extern "C" __global__ void flatBound(const float* in, float* out, int rows, int cols)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int i = y * cols + x;
    if (i < rows * cols)
        out[x * rows + y] = in[i];
}
extern "C" __global__ void divmod(const float* in, float* out, int rows, int cols)
{
    unsigned tiles = (cols + 31) / 32;
    unsigned bx = blockIdx.x % tiles, by = blockIdx.x / tiles;
    unsigned x = bx * 32 + threadIdx.x;
    for (unsigned j = 0; j < 8; ++j) {
        unsigned y = by * 8 + j;
        if (x < cols && y < rows)
            out[(size_t)x * rows + y] = in[(size_t)y * cols + x];
    }
}
extern "C" __global__ void flatElements(const float* in, float* out, int rows, int cols)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows * cols) {
        int y = i / cols, x = i % cols;
        out[x * rows + y] = in[i];
    }
}
extern "C" __global__ void constantDivision(const float* in, float* out, int rows, int cols)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows * cols)
        out[i] = in[i / 10 * 10 + i % 7];
}
extern "C" __global__ void gridStride(const float* in, float* out, int rows, int cols)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows * cols; i += blockDim.x * gridDim.x)
        out[i] = 2 * in[i];
}
extern "C" __global__ void offsetCopy(const short* in, short* out, int n, int offset)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n - offset)
        out[i + offset] = in[i + offset];
}
extern "C" __global__ void strided(const double* in, double* out, int n, int stride)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / stride)
        out[i] = in[(size_t)i * stride];
}
extern "C" __global__ void gather(const int* index, int* out, int n, int limit)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = index[index[i] % limit];
}
extern "C" __global__ void triangle(const float* in, float* out, int rows, int cols)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x <= y && y < rows && x < cols)
        out[y * cols + x] = in[y * cols + (x ^ 5)];
}
extern "C" __global__ void swapped(const float* in, float* out, int rows, int cols)
{
    unsigned b = (blockIdx.x >> 1) ^ blockIdx.x;
    int x = b * blockDim.x + threadIdx.x, y = min(blockIdx.y * blockDim.y + threadIdx.y, rows - 1);
    if (x < cols)
        out[y * cols + x] = in[y * cols + max(x - 3, 0)];
}
extern "C" __global__ void histogram(const int* in, int* bins, int n, int binCount)
{
    __shared__ int local[64];
    for (int i = threadIdx.x; i < 64; i += blockDim.x) local[i] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&local[in[i] & 63], 1);
    __syncthreads();
    for (int k = threadIdx.x; k < binCount && k < 64; k += blockDim.x) atomicAdd(&bins[k], local[k]);
}
extern "C" __global__ void vector4(const float4* in, float4* out, int rows, int cols)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (4 * x + 3 < cols && y < rows)
        out[(y * cols) / 4 + x] = in[(y * cols) / 4 + x];
}
// Parities and fields of block numbers: bfi and bfe.
extern "C" __global__ void redBlack(const float* in, float* out, int rows, int cols)
{
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + (y & 1);
    if (x < cols && y < rows)
        out[y * cols + x] = in[y * cols + x];
}
extern "C" __global__ void swizzled(const float* in, float* out, int rows, int cols)
{
    unsigned bx = (blockIdx.x & 3) | (blockIdx.x >> 4 << 2), by;
    asm("bfe.u32 %0, %1, 2, 2;" : "=r"(by) : "r"(blockIdx.x));
    by += 4 * blockIdx.y;
    int x = bx * blockDim.x + threadIdx.x, y = by * blockDim.y + threadIdx.y;
    if (x < cols && y < rows)
        out[(size_t)x * rows + y] = in[(size_t)y * cols + x];
}
