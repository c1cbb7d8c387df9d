// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "su3_staples"
title = "Staples of the links of a periodic 4-D lattice, 3 x 3 complex products"
entry = "staples<{type}>"

[[parameters]]
name = "side"
default = 16
min = 4
max = 32

[[parameters]]
name = "type"
default = "f64"
types = ["f32", "f64"]

[[parameters]]
name = "layout"
default = "soa"
choices = [{ value = "soa", define = "1" }, { value = "aos", define = "0" }]
define = "SOA"

[[parameters]]
name = "block"
default = 128
min = 32
max = 1024

[launch]
grid = ["cdiv(side * side * side * side, block)"]
block = ["block"]

[[arguments]]
buffer = "links"
type = "{type}"
count = "72 * side * side * side * side"
fill = "random:1"

[[arguments]]
buffer = "staple"
type = "{type}"
count = "18 * side * side * side * side"

[[arguments]]
scalar = "side"
type = "i32"
--- */
template <class T> struct alignas(2 * sizeof(T)) Complex {
    T re, im;
};

template <class T> struct Matrix {
    Complex<T> e[9];
};

template <class T> __device__ __forceinline__ Matrix<T> link(const Complex<T>* links, int direction, int site, int sites)
{
    Matrix<T> m;
#pragma unroll
    for (int i = 0; i < 9; ++i)
        m.e[i] = SOA ? links[(size_t)(direction * 9 + i) * sites + site] : links[((size_t)site * 4 + direction) * 9 + i];
    return m;
}

template <class T> __device__ __forceinline__ Matrix<T> times(const Matrix<T>& a, const Matrix<T>& b)
{
    Matrix<T> c;
#pragma unroll
    for (int i = 0; i < 3; ++i)
#pragma unroll
        for (int j = 0; j < 3; ++j) {
            T re = 0, im = 0;
#pragma unroll
            for (int k = 0; k < 3; ++k) {
                const Complex<T> x = a.e[3 * i + k], y = b.e[3 * k + j];
                re += x.re * y.re - x.im * y.im;
                im += x.re * y.im + x.im * y.re;
            }
            c.e[3 * i + j] = {re, im};
        }
    return c;
}

// sum += a * the adjoint of b
template <class T> __device__ __forceinline__ void addTimesAdjoint(Matrix<T>& sum, const Matrix<T>& a, const Matrix<T>& b)
{
#pragma unroll
    for (int i = 0; i < 3; ++i)
#pragma unroll
        for (int j = 0; j < 3; ++j)
#pragma unroll
            for (int k = 0; k < 3; ++k) {
                const Complex<T> x = a.e[3 * i + k], y = b.e[3 * j + k];
                sum.e[3 * i + j].re += x.re * y.re + x.im * y.im;
                sum.e[3 * i + j].im += x.im * y.re - x.re * y.im;
            }
}

// The upper staples of direction 0: U_v(s) U_0(s + v) U_v(s + 0)^, summed over v.
template <class T>
__global__ void __launch_bounds__(1024) staples(const Complex<T>* __restrict__ links, Complex<T>* __restrict__ staple, int side)
{
    const int s = blockIdx.x * blockDim.x + threadIdx.x, sites = side * side * side * side;
    if (s >= sites)
        return;
    const int x = s % side, ahead = x + 1 == side ? s + 1 - side : s + 1;
    Matrix<T> sum = {};
    int stride = side;
#pragma unroll 1
    for (int v = 1; v < 4; ++v) {
        const int at = s / stride % side, up = at + 1 == side ? s - at * stride : s + stride;
        const Matrix<T> corner = times(link(links, v, s, sites), link(links, 0, up, sites));
        addTimesAdjoint(sum, corner, link(links, v, ahead, sites));
        stride *= side;
    }
#pragma unroll
    for (int i = 0; i < 9; ++i)
        staple[SOA ? (size_t)i * sites + s : (size_t)s * 9 + i] = sum.e[i];
}
