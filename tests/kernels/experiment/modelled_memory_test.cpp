// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/modelled_memory.h"

#include "kernels/experiment/predict.h"
#include "kernels/source/program_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using namespace coalescope;
using namespace coalescope::kernels;
using analysis::Metric;

struct Told {
    double loads = -1, stores = -1; ///< sectors
    std::vector<std::string> buffers;
    std::vector<analysis::Hazard> hazards;
};

/// The launch of `use` in a program of these kernels and this main.
Told used(const std::string& kernels, const std::string& main)
{
    const auto spec = kernelOfFile("#include <cuda_runtime.h>\n#include <vector>\n" + kernels + "\nint main()\n{\n    const int n = 1024;\n" + main + "\n}\n", "/nowhere/program.cu", "use");
    EXPECT_TRUE(spec) << spec.error().detail;
    const auto plan = spec ? planLaunch(*spec, {}) : std::unexpected(spec.error());
    const auto prediction = plan ? predict(*plan) : std::unexpected(plan.error());
    EXPECT_TRUE(prediction) << prediction.error().detail;
    Told told;
    if (!prediction)
        return told;
    told.loads = prediction->result.metrics.get(Metric::GlobalLoadSectors).value_or(-1);
    told.stores = prediction->result.metrics.get(Metric::GlobalStoreSectors).value_or(-1);
    for (const analysis::Buffer& buffer : prediction->launch.buffers)
        told.buffers.push_back(buffer.name);
    told.hazards = prediction->result.hazards;
    return told;
}

TEST(ModelledMemory, tablesOfAddressesLeadToTheMemoryThatTheHostHasAllocated)
{
    const std::string kernels = "__global__ void use(const float* const* in, float** out, int n) { int i = blockIdx.x * 256 + threadIdx.x; out[blockIdx.y][i] = in[blockIdx.y][i]; }";
    const std::string main = "std::vector<float*> a(3), b(3); for (int i = 0; i < 3; ++i) { cudaMalloc(&a[i], n * 4 + 512 * i); cudaMalloc(&b[i], n * 4); }\n"
                             "float **in, **out; cudaMalloc(&in, 24); cudaMalloc(&out, 24); cudaMemcpy(in, a.data(), 24, cudaMemcpyHostToDevice); cudaMemcpy(out, b.data(), 24, cudaMemcpyHostToDevice);\n";
    const Told told = used(kernels, main + "use<<<dim3(n / 256, 3), 256>>>(in, out, n);");
    EXPECT_EQ(told.loads, 3 * 128 + 2 * 3 * 32) << "of the rows, and a sector a warp of each table";
    EXPECT_EQ(told.stores, 3 * 128);
    EXPECT_TRUE(told.hazards.empty()) << told.hazards.front().detail;
    EXPECT_EQ(told.buffers, (std::vector<std::string> { "in", "out", "*in (1)", "*in (2)", "*in (3)", "*out (1)", "*out (2)", "*out (3)" }));
    const Told shifted = used(kernels, main + "for (float*& p : a) p += 1; cudaMemcpy(in, a.data(), 24, cudaMemcpyHostToDevice); use<<<dim3(n / 256 - 1, 3), 256>>>(in, out, n);");
    EXPECT_EQ(shifted.loads, 3 * 3 * 8 * 5 + 2 * 3 * 24) << "rows that begin within a sector";
    const Told second = used(kernels, main + "use<<<dim3(n / 256, 2), 256>>>(in + 1, out + 1, n);");
    EXPECT_EQ(second.stores, 2 * 128) << "of the second row on";
    EXPECT_TRUE(second.hazards.empty()) << second.hazards.front().detail;
}

TEST(ModelledMemory, structuresAndVariablesOfAddressesLeadToWhatTheHostHasPutThere)
{
    const std::string kernels = "struct Csr { int rows; int* begin; float* values; };\n__device__ float* x;\n__constant__ int* places;\n"
                                "__global__ void use(const Csr* m, float* y) { int r = blockIdx.x * 256 + threadIdx.x; if (r >= m->rows) return; float s = 0; for (int k = m->begin[r]; k < m->begin[r + 1]; ++k) s += m->values[k]; y[places[r]] = s * x[r]; }";
    const std::string main = "std::vector<int> begin(n + 1), order(n); for (int i = 0; i < n; ++i) { begin[i + 1] = begin[i] + 2; order[i] = i * 8 % n; }\n"
                             "Csr h; h.rows = n; cudaMalloc(&h.begin, 4 * n + 4); cudaMalloc(&h.values, 8 * n); cudaMemcpy(h.begin, begin.data(), 4 * n + 4, cudaMemcpyHostToDevice);\n"
                             "Csr* m; cudaMalloc(&m, sizeof(Csr)); cudaMemcpy(m, &h, sizeof(Csr), cudaMemcpyHostToDevice);\n"
                             "float *y, *dx; int* o; cudaMalloc(&y, 4 * n); cudaMalloc(&dx, 4 * n); cudaMalloc(&o, 4 * n); cudaMemcpy(o, order.data(), 4 * n, cudaMemcpyHostToDevice);\n"
                             "cudaMemcpyToSymbol(x, &dx, sizeof(dx)); cudaMemcpyToSymbol(places, &o, sizeof(o));\n";
    const Told told = used(kernels, main + "use<<<4, 256>>>(m, y);");
    EXPECT_EQ(told.stores, 1024) << "each lane its own sector";
    EXPECT_TRUE(std::ranges::none_of(told.hazards, [](const analysis::Hazard& hazard) { return hazard.kind == analysis::HazardKind::OutOfBounds; }));
}

TEST(ModelledMemory, whatALaunchHasPutIntoAnObjectLeadsTheNextOne)
{
    const std::string kernels = "struct Field { float* data; int* index; };\n__global__ void setUp(Field* f, float* data, int* index) { f->data = data; f->index = index; }\n"
                                "__global__ void spread(Field* f) { int i = blockIdx.x * 256 + threadIdx.x; f->index[i] = i * 8 % 1024; }\n"
                                "__global__ void use(const Field* f, float* out) { int i = blockIdx.x * 256 + threadIdx.x; out[i] = f->data[f->index[i]]; }";
    const Told told = used(kernels, "Field* f; float *data, *out; int* index; cudaMalloc(&f, sizeof(Field)); cudaMalloc(&data, 4 * n); cudaMalloc(&out, 4 * n); cudaMalloc(&index, 4 * n);\n"
                                    "setUp<<<1, 1>>>(f, data, index); spread<<<4, 256>>>(f); use<<<4, 256>>>(f, out);");
    EXPECT_EQ(told.loads, 2 * 32 + 128 + 1024) << "two addresses a warp, the indices, and a sector for each lane";
    EXPECT_TRUE(told.hazards.empty()) << told.hazards.front().detail;
}

TEST(ModelledMemory, whatALaunchIsGivenAndIsPointedToIsOneMemory)
{
    const std::string kernels = "__global__ void use(int* index, int** table, float* out) { int i = threadIdx.x; out[table[0][i]] = index[i]; }";
    const Told told = used(kernels, "int *index, **table; float* out; std::vector<int> h(n); for (int i = 0; i < n; ++i) h[i] = i * 8; cudaMalloc(&index, 4 * n); cudaMalloc(&table, 8); cudaMalloc(&out, 32 * n);\n"
                                    "cudaMemcpy(index, h.data(), 4 * n, cudaMemcpyHostToDevice); cudaMemcpy(table, &index, 8, cudaMemcpyHostToDevice); use<<<1, 256>>>(index, table, out);");
    EXPECT_EQ(told.buffers, (std::vector<std::string> { "index", "table", "out" }));
    EXPECT_EQ(told.stores, 256);
}

TEST(ModelledMemory, argumentsThatPointIntoAMemoryAreWhereTheHostHasThemPoint)
{
    const std::string kernels = "__global__ void use(const float* in, float* out, float* sums) { int i = blockIdx.x * 256 + threadIdx.x; out[i] = in[i]; if (threadIdx.x == 0) sums[blockIdx.x] = 1; }";
    const Told told = used(kernels, "size_t sizes[3] = { 1024, 1027, 4 }; float *at[3], *all; cudaMalloc(&all, (1024 + 1027 + 4) * 4); float* next = all; for (int i = 0; i < 3; ++i) { at[i] = next; next += sizes[i]; }\n"
                                    "use<<<4, 256>>>(at[0] + 1, at[1], at[2]);");
    EXPECT_EQ(told.buffers.size(), 1u) << "one memory";
    EXPECT_EQ(told.loads, 32 * 5) << "four bytes behind a sector's begin";
    EXPECT_EQ(told.stores, 128 + 4);
    EXPECT_TRUE(told.hazards.empty()) << told.hazards.front().detail;
}

} // namespace
