// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "riemann_flux"
title = "Fluxes of a gas between cells (HLLC), states as structures or as arrays"
entry = "riemannFlux<{layout}>"

[[parameters]]
name = "nx"
default = 2048
min = 32
max = 16384

[[parameters]]
name = "ny"
default = 1024
min = 1
max = 16384

[[parameters]]
name = "layout"
default = "aos"
choices = [{ value = "aos", define = "Structures" }, { value = "soa", define = "Arrays" }]

[[parameters]]
name = "block_x"
default = 64
min = 8
max = 1024

[[parameters]]
name = "block_y"
default = 4
min = 1
max = 64

[[legality]]
condition = "block_x * block_y <= 1024"
parameters = ["block_x", "block_y"]
sentence = "A block has {block_x * block_y} threads, at most 1024 fit."

[launch]
grid = ["cdiv(nx - 1, block_x)", "cdiv(ny, block_y)"]
block = ["block_x", "block_y"]

[[arguments]]
buffer = "states"
type = "f32"
count = "5 * nx * ny"
fill = "random:1"

[[arguments]]
buffer = "fluxes"
type = "f32"
count = "5 * nx * ny"

[[arguments]]
scalar = "nx"
type = "i32"

[[arguments]]
scalar = "ny"
type = "i32"
--- */
enum Layout { Structures, Arrays };

struct State {
    float rho, mx, my, mz, e;
};

template <Layout L> __device__ State fetch(const float* p, size_t cell, size_t cells)
{
    if constexpr (L == Structures)
        return reinterpret_cast<const State*>(p)[cell];
    else
        return { p[cell], p[cells + cell], p[2 * cells + cell], p[3 * cells + cell], p[4 * cells + cell] };
}

template <Layout L> __device__ void put(float* p, size_t cell, size_t cells, const State& s)
{
    if constexpr (L == Structures)
        reinterpret_cast<State*>(p)[cell] = s;
    else {
        p[cell] = s.rho;
        p[cells + cell] = s.mx;
        p[2 * cells + cell] = s.my;
        p[3 * cells + cell] = s.mz;
        p[4 * cells + cell] = s.e;
    }
}

struct Gas {
    State q;
    float u, p, c;
    // What is stored are differences from a gas at rest.
    __device__ explicit Gas(const State& s)
        : q(s)
    {
        q.rho = 1.5f + s.rho;
        q.e = 8.0f + s.e;
        u = q.mx / q.rho;
        p = 0.4f * (q.e - 0.5f * (q.mx * q.mx + q.my * q.my + q.mz * q.mz) / q.rho);
        p = fmaxf(p, 1e-3f);
        c = sqrtf(1.4f * p / q.rho);
    }
    __device__ State flux() const { return { q.mx, q.mx * u + p, q.my * u, q.mz * u, (q.e + p) * u }; }
    __device__ State star(float s, float middle) const
    {
        float k = q.rho * (s - u) / (s - middle);
        State f = flux(), r;
        r.rho = f.rho + s * (k - q.rho);
        r.mx = f.mx + s * (k * middle - q.mx);
        r.my = f.my + s * (k * q.my / q.rho - q.my);
        r.mz = f.mz + s * (k * q.mz / q.rho - q.mz);
        r.e = f.e + s * (k * (q.e / q.rho + (middle - u) * (middle + p / (q.rho * (s - u)))) - q.e);
        return r;
    }
};

template <Layout L> __global__ void riemannFlux(const float* states, float* fluxes, int nx, int ny)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= nx - 1 || y >= ny)
        return;
    size_t cells = (size_t)nx * ny, cell = (size_t)y * nx + x;
    Gas l(fetch<L>(states, cell, cells)), r(fetch<L>(states, cell + 1, cells));
    float sl = fminf(l.u - l.c, r.u - r.c), sr = fmaxf(l.u + l.c, r.u + r.c);
    State f;
    if (sl >= 0)
        f = l.flux();
    else if (sr <= 0)
        f = r.flux();
    else {
        float dl = l.q.rho * (sl - l.u), dr = r.q.rho * (sr - r.u);
        float middle = (r.p - l.p + dl * l.u - dr * r.u) / (dl - dr);
        f = middle >= 0 ? l.star(sl, middle) : r.star(sr, middle);
    }
    put<L>(fluxes, cell, cells, f);
}
