// SPDX-License-Identifier: Apache-2.0
// A lattice's step whose solid cells leave after everything was loaded: ptxas makes some of the loads only for those that stay.
struct Lattice {
    float* f[9];
    const unsigned char* solid;
    int width, height, pitch;
};

struct Params {
    float omega, force;
};

__device__ __forceinline__ int wrap(int i, int n) { return i < 0 ? i + n : (i >= n ? i - n : i); }

__global__ void step(Lattice src, Lattice dst, Params p)
{
    constexpr int cx[9] = { 0, 1, 0, -1, 0, 1, -1, -1, 1 }, cy[9] = { 0, 0, 1, 0, -1, 1, 1, -1, -1 }, opposite[9] = { 0, 3, 4, 1, 2, 7, 8, 5, 6 };
    constexpr float w[9] = { 4.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36 };
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= src.width || y >= src.height)
        return;
    const int c = y * src.pitch + x;
    float f[9];
#pragma unroll
    for (int q = 0; q < 9; ++q) {
        const int s = wrap(y - cy[q], src.height) * src.pitch + wrap(x - cx[q], src.width);
        f[q] = src.solid[s] ? src.f[opposite[q]][c] : src.f[q][s];
    }
    if (src.solid[c])
        return;
    float rho = 0, ux = 0, uy = 0;
#pragma unroll
    for (int q = 0; q < 9; ++q) {
        rho += f[q];
        ux += cx[q] * f[q];
        uy += cy[q] * f[q];
    }
    ux = ux / rho + p.force;
    uy /= rho;
    const float square = 1.5f * (ux * ux + uy * uy);
#pragma unroll
    for (int q = 0; q < 9; ++q) {
        const float along = 3.f * (cx[q] * ux + cy[q] * uy);
        dst.f[q][c] = f[q] + p.omega * (w[q] * rho * (1.f + along + 0.5f * along * along - square) - f[q]);
    }
}

int main()
{
    const int width = 500, height = 240, pitch = 512;
    Lattice a, b;
    for (int q = 0; q < 9; ++q) {
        cudaMalloc(&a.f[q], pitch * height * sizeof(float));
        cudaMalloc(&b.f[q], pitch * height * sizeof(float));
    }
    unsigned char* solid;
    cudaMalloc(&solid, pitch * height);
    cudaMemcpy(solid, readMask(), pitch * height, cudaMemcpyHostToDevice);
    a.solid = b.solid = solid;
    a.width = b.width = width;
    a.height = b.height = height;
    a.pitch = b.pitch = pitch;
    const dim3 block(64, 4);
    step<<<dim3((width + 63) / 64, height / 4), block>>>(a, b, Params { 1.2f, 1e-5f });
}
