#include <cmath>
#include <algorithm>
#include <cstdio>
__global__ void k(double* o, float x, int n, unsigned u, long long l, double d, unsigned char c) { o[0] = lround(n); }
int main() { double* o; cudaMalloc(&o, 8); k<<<1,1>>>(o,1.5f,3,3u,3,1.5,3); }
