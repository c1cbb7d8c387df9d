// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "cholesky_batch"
title = "Cholesky factors of many small matrices, a row a thread, some matrices a block"
entry = "cholesky<{type},{order},{per}>"

[[parameters]]
name = "batch"
default = 16384
min = 64
max = 262144

[[parameters]]
name = "order"
default = 16
min = 4
max = 32

[[parameters]]
name = "per"
default = 8
min = 1
max = 64

[[parameters]]
name = "type"
default = "f64"
types = ["f32", "f64"]

[[legality]]
condition = "per * order * (order + 1) * size(type) <= 49152"
parameters = ["per", "order"]
sentence = "{per} matrices of {order} rows do not fit into 48 KB."

[[legality]]
condition = "batch % per == 0"
parameters = ["batch", "per"]
sentence = "The matrices ({batch}) must be a multiple of those of a block ({per})."

[launch]
grid = ["batch // per"]
block = ["order", "per"]

[[arguments]]
buffer = "a"
type = "{type}"
count = "batch * order * order"
fill = "random:1"

[[arguments]]
buffer = "l"
type = "{type}"
count = "batch * order * order"
--- */
template <class T, int N, int Per> __global__ void cholesky(const T* a, T* l)
{
    __shared__ T s[Per][N][N + 1];
    const int r = threadIdx.x;
    T(&m)[N][N + 1] = s[threadIdx.y];
    const size_t first = ((size_t)blockIdx.x * Per + threadIdx.y) * N * N;
    for (int i = 0; i < N; ++i)
        m[i][r] = a[first + i * N + r] + (i == r ? T(N) : T(0));
    __syncthreads();
    for (int j = 0; j < N; ++j) {
        T pivot = sqrt(m[j][j]);
        __syncthreads();
        if (r == j)
            m[j][j] = pivot;
        else if (r > j)
            m[r][j] /= pivot;
        __syncthreads();
        for (int c = j + 1; c <= r; ++c)
            m[r][c] -= m[r][j] * m[c][j];
        __syncthreads();
    }
    for (int i = 0; i < N; ++i)
        l[first + i * N + r] = r <= i ? m[i][r] : T(0);
}
