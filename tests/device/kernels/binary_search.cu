// launch: --entry lowerBound --grid 3 --block 100 --arg i32[1000]=iota --arg u8[300]=random:11 --arg i32[300] --arg i32:1000 --arg i32:300
// hazard: divergent-loop 10
// SPDX-License-Identifier: Apache-2.0
__global__ void lowerBound(const int* sorted, const unsigned char* keys, int* found, int n, int queries)
{
    int q = blockIdx.x * blockDim.x + threadIdx.x;
    if (q >= queries)
        return;
    int key = keys[q] * 4, low = 0, high = n;
    while (low < high) {
        int mid = (low + high) / 2;
        if (sorted[mid] < key)
            low = mid + 1;
        else
            high = mid;
    }
    found[q] = low;
}
