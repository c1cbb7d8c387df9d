// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "lu_pivot"
title = "Small dense systems solved by LU with row exchanges, a system a thread"
entry = "solve<{type},{order}>"

[[parameters]]
name = "batch"
default = 65536
min = 32
max = 1048576

[[parameters]]
name = "order"
default = 8
min = 2
max = 16

[[parameters]]
name = "type"
default = "f64"
types = ["f32", "f64"]

[[parameters]]
name = "layout"
default = "interleaved"
choices = [{ value = "interleaved", define = "1" }, { value = "contiguous", define = "0" }]
define = "INTERLEAVED"

[[parameters]]
name = "block"
default = 64
min = 32
max = 512

[launch]
grid = ["cdiv(batch, block)"]
block = ["block"]

[[arguments]]
buffer = "a"
type = "{type}"
count = "batch * order * order"
fill = "random:1"

[[arguments]]
buffer = "b"
type = "{type}"
count = "batch * order"
fill = "random:2"

[[arguments]]
buffer = "x"
type = "{type}"
count = "batch * order"

[[arguments]]
scalar = "batch"
type = "i32"
--- */
template <class T, int N> __global__ void solve(const T* a, const T* b, T* x, int batch)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= batch)
        return;
    T m[N][N + 1]; // the right side is the last column
    for (int i = 0; i < N; ++i) {
        for (int j = 0; j < N; ++j)
            m[i][j] = INTERLEAVED ? a[(size_t)(i * N + j) * batch + t] : a[(size_t)t * N * N + i * N + j];
        m[i][N] = INTERLEAVED ? b[(size_t)i * batch + t] : b[(size_t)t * N + i];
    }
    for (int k = 0; k < N; ++k) {
        int pivot = k;
        for (int i = k + 1; i < N; ++i)
            if (fabs(m[i][k]) > fabs(m[pivot][k]))
                pivot = i;
        if (pivot != k)
            for (int j = k; j <= N; ++j) {
                T swapped = m[k][j];
                m[k][j] = m[pivot][j];
                m[pivot][j] = swapped;
            }
        const T inverse = T(1) / m[k][k];
        for (int i = k + 1; i < N; ++i) {
            const T factor = m[i][k] * inverse;
            for (int j = k + 1; j <= N; ++j)
                m[i][j] -= factor * m[k][j];
        }
    }
    for (int i = N - 1; i >= 0; --i) {
        T sum = m[i][N];
        for (int j = i + 1; j < N; ++j)
            sum -= m[i][j] * m[j][N];
        m[i][N] = sum / m[i][i];
    }
    for (int i = 0; i < N; ++i)
        x[INTERLEAVED ? (size_t)i * batch + t : (size_t)t * N + i] = m[i][N];
}
