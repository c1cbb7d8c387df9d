// SPDX-License-Identifier: Apache-2.0
// PyTorch's extensions, as people write them: what their functions launch with tensors of shapes that these ask for.
#include "kernels/source/tensor_library.h"

#include "kernels/experiment/predict.h"
#include "kernels/source/program_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace coalescope::kernels {
namespace {

using Shape = analysis::Dim3;

struct Opened {
    KernelSpec spec;
    LaunchPlan plan;
};

Opened opened(const std::string& source, const ParameterValues& values = {}, const std::string& entry = {})
{
    auto spec = kernelOfFile(source, "/nowhere/extension.cu", entry);
    EXPECT_TRUE(spec) << spec.error().detail << source;
    if (!spec)
        return {};
    auto plan = planLaunch(*spec, values);
    EXPECT_TRUE(plan) << plan.error().detail;
    return { *std::move(spec), plan ? *std::move(plan) : LaunchPlan {} };
}

std::map<std::string, std::uint64_t> countsOf(const LaunchPlan& plan)
{
    std::map<std::string, std::uint64_t> counts;
    const auto note = [&](const BufferPlan& buffer) { counts[buffer.name] = buffer.count; };
    for (const Argument& argument : plan.arguments)
        if (const auto* const buffer = std::get_if<BufferPlan>(&argument))
            note(*buffer);
        else if (const auto* const structure = std::get_if<StructPlan>(&argument))
            for (const StructMember& member : structure->members)
                if (const auto* const inside = std::get_if<BufferPlan>(&member.value))
                    note(*inside);
    return counts;
}

/// Compiles, and nothing is read or written outside of what there is.
double loadSectors(const LaunchPlan& plan)
{
    const auto prediction = predict(plan, { .verify = false, .registers = false });
    EXPECT_TRUE(prediction) << prediction.error().detail;
    if (!prediction)
        return 0;
    for (const analysis::Hazard& hazard : prediction->result.hazards)
        EXPECT_EQ(hazard.detail.find("guessed"), std::string::npos) << hazard.detail;
    return double(prediction->result.metrics.get(analysis::Metric::GlobalLoadSectors).value_or(0));
}

const std::string kNorm = R"(#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#define CHECK_INPUT(x) TORCH_CHECK(x.is_cuda() && x.is_contiguous(), #x " must be contiguous")
template <typename scalar_t>
__global__ void scaleRows(scalar_t* __restrict__ out, const scalar_t* __restrict__ in, const scalar_t* __restrict__ weight, const int hidden)
{
    for (int i = threadIdx.x; i < hidden; i += blockDim.x)
        out[blockIdx.x * hidden + i] = in[blockIdx.x * hidden + i] * weight[i];
}
torch::Tensor scale_rows(torch::Tensor input, torch::Tensor weight, double eps)
{
    CHECK_INPUT(input);
    auto out = torch::empty_like(input);
    const int hidden = input.size(-1);
    const int tokens = input.numel() / hidden;
    dim3 grid(tokens);
    dim3 block(std::min(hidden, 256));
    const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
    AT_DISPATCH_FLOATING_TYPES_AND_HALF(input.scalar_type(), "scale_rows", [&] {
        scaleRows<scalar_t><<<grid, block, 0, stream>>>(out.data_ptr<scalar_t>(), input.data_ptr<scalar_t>(), weight.data_ptr<scalar_t>(), hidden);
    });
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return out;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("scale_rows", &scale_rows, "Scales rows"); }
)";

TEST(TensorLibrary, sizesThatHaveNamesAreParametersAndWhatNothingTellsIsAsLargeAsWhatIsTouched)
{
    const Opened extension = opened(kNorm);
    EXPECT_EQ(extension.spec.title.en, "scaleRows<float>");
    EXPECT_EQ(extension.plan.grid, (Shape { 1024, 1, 1 }));
    EXPECT_EQ(extension.plan.block, (Shape { 256, 1, 1 }));
    EXPECT_EQ(countsOf(extension.plan), (std::map<std::string, std::uint64_t> { { "out", 1 << 20 }, { "input", 1 << 20 }, { "weight", 1024 } }));
    EXPECT_EQ(loadSectors(extension.plan), 2 * (1 << 20) / 8);
    const Opened narrow = opened(kNorm, { { "hidden", "128" }, { "input_0", "16" } });
    EXPECT_EQ(narrow.plan.grid, (Shape { 16, 1, 1 })) << "and follows what the user changes";
    EXPECT_EQ(narrow.plan.block, (Shape { 128, 1, 1 }));
    EXPECT_EQ(countsOf(narrow.plan), (std::map<std::string, std::uint64_t> { { "out", 2048 }, { "input", 2048 }, { "weight", 128 } }));
}

TEST(TensorLibrary, eachSizeIsToldToBeAGuess)
{
    const Opened extension = opened(kNorm);
    for (const ParameterSpec& parameter : extension.spec.parameters)
        EXPECT_TRUE(std::ranges::any_of(extension.spec.guesses, [&](const Guess& guess) { return guess.kind == Guess::Kind::Value && guess.what == parameter.name; })) << parameter.name;
}

const std::string kCell = R"(#include <torch/extension.h>
#include <vector>
template <typename scalar_t> __device__ __forceinline__ scalar_t sigmoid(scalar_t z) { return 1.0 / (1.0 + exp(-z)); }
template <typename scalar_t>
__global__ void cell(const torch::PackedTensorAccessor32<scalar_t, 3, torch::RestrictPtrTraits> gates,
    const torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> old_cell, torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> new_h)
{
    const int n = blockIdx.y;
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c < gates.size(2))
        new_h[n][c] = sigmoid(gates[n][0][c]) * old_cell[n][c] + gates[n][2][c];
}
std::vector<torch::Tensor> cell_forward(torch::Tensor input, torch::Tensor weights, torch::Tensor bias, torch::Tensor old_h, torch::Tensor old_cell)
{
    auto X = torch::cat({ old_h, input }, /*dim=*/1);
    auto gate_weights = torch::addmm(bias, X, weights.transpose(0, 1));
    const auto batch_size = old_cell.size(0);
    const auto state_size = old_cell.size(1);
    auto gates = gate_weights.reshape({ batch_size, 3, state_size });
    auto new_h = torch::zeros_like(old_cell);
    const int threads = 1024;
    const dim3 blocks((state_size + threads - 1) / threads, batch_size);
    AT_DISPATCH_FLOATING_TYPES(gates.scalar_type(), "cell_forward", ([&] {
        cell<scalar_t><<<blocks, threads>>>(gates.packed_accessor32<scalar_t, 3, torch::RestrictPtrTraits>(),
            old_cell.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>(), new_h.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>());
    }));
    return { new_h };
}
)";

TEST(TensorLibrary, accessorsAreLaidOutAsTheKernelHasThem)
{
    const Opened extension = opened(kCell, { { "batch_size", "4" } });
    EXPECT_EQ(extension.plan.grid, (Shape { 1, 4, 1 }));
    const auto counts = countsOf(extension.plan);
    EXPECT_EQ(counts.at("old_cell"), 4096u);
    EXPECT_EQ(counts.at("new_h"), 4096u);
    EXPECT_EQ(loadSectors(extension.plan), 3 * 4096 / 8) << "two of three gates, and the old cell";
}

TEST(TensorLibrary, ofABranchThatIsNotTakenTheParameterIsWhatTheBranchAsksFor)
{
    const std::string source = R"(#include <torch/extension.h>
template <int D> __global__ void square(const float* x, float* y) { int i = blockIdx.x * D + threadIdx.x; y[i] = x[i] * x[i]; }
void rows(const at::Tensor& x, at::Tensor y)
{
    TORCH_CHECK(x.dim() == 2);
    const int n = x.size(0), head_dim = x.size(1);
    switch (head_dim) {
    case 64: square<64><<<n, 64>>>(x.data_ptr<float>(), y.data_ptr<float>()); break;
    case 128: square<128><<<n, 128>>>(x.data_ptr<float>(), y.data_ptr<float>()); break;
    default: TORCH_CHECK(false, "no such size");
    }
}
)";
    EXPECT_EQ(countsOf(opened(source).plan).at("x"), 1024u * 64);
    const Opened other = opened(source, {}, "square<128>");
    EXPECT_EQ(other.plan.block, (Shape { 128, 1, 1 }));
    EXPECT_EQ(countsOf(other.plan).at("x"), 1024u * 128);
    EXPECT_EQ(countsOf(other.plan).at("y"), 1024u * 128);
    EXPECT_EQ(loadSectors(other.plan), 1024 * 128 / 8);
}

TEST(TensorLibrary, aSizeThatAnotherTensorHasBesideOthersIsNoLengthOfAList)
{
    const std::string source = R"(#include <torch/extension.h>
__global__ void spread(const float* x, float* y, int n) { y[blockIdx.y * n + blockIdx.x * blockDim.x + threadIdx.x] = x[blockIdx.y]; }
torch::Tensor run(torch::Tensor x)
{
    const int rows = x.size(0);
    auto y = torch::empty({ rows, 256 }, x.options());
    spread<<<dim3(2, rows), 128>>>(x.data_ptr<float>(), y.data_ptr<float>(), 256);
    return y;
}
)";
    EXPECT_EQ(opened(source).plan.grid, (Shape { 2, 1024, 1 }));
}

TEST(TensorLibrary, aTensorOfWhichNotAllSizesAreAskedForHasRoomForTheRest)
{
    const std::string source = R"(#include <torch/extension.h>
__global__ void norms(int b, int n, const float* __restrict__ xyz, float* __restrict__ out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const float* p = xyz + (blockIdx.y * n + i) * 3;
        out[blockIdx.y * n + i] = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
    }
}
at::Tensor norms_of(at::Tensor xyz)
{
    at::Tensor out = torch::zeros({ xyz.size(0), xyz.size(1) }, at::device(xyz.device()).dtype(at::ScalarType::Float));
    norms<<<dim3((xyz.size(1) + 255) / 256, xyz.size(0)), 256>>>(xyz.size(0), xyz.size(1), xyz.data_ptr<float>(), out.data_ptr<float>());
    return out;
}
)";
    const Opened extension = opened(source, { { "n", "1024" } });
    EXPECT_EQ(extension.plan.grid, (Shape { 4, 8, 1 })) << "what the kernel calls them tells what they are";
    EXPECT_EQ(countsOf(extension.plan), (std::map<std::string, std::uint64_t> { { "xyz", 3 * 8192 }, { "out", 8192 } }));
    EXPECT_EQ(loadSectors(extension.plan), 3 * 3 * 8192 / 8);
}

TEST(TensorLibrary, halvesAreOfTwoBytesAndOptionalTensorsAreThere)
{
    const std::string source = R"(#include <torch/extension.h>
#include <cuda_fp16.h>
#define HALF(t) reinterpret_cast<half*>((t).data_ptr<at::Half>())
__global__ void addBias(half* x, const half* bias, int cols) { x[blockIdx.x * cols + threadIdx.x] = __hadd(x[blockIdx.x * cols + threadIdx.x], bias[threadIdx.x]); }
void add_bias(torch::Tensor x, c10::optional<torch::Tensor> bias)
{
    const int rows = x.size(0), cols = x.size(1);
    addBias<<<rows, 128>>>(HALF(x), bias.has_value() ? HALF(bias.value()) : nullptr, cols);
}
)";
    const Opened extension = opened(source, { { "rows", "8" }, { "cols", "128" } });
    EXPECT_EQ(countsOf(extension.plan), (std::map<std::string, std::uint64_t> { { "x", 1024 }, { "bias", 128 } }));
    EXPECT_EQ(loadSectors(extension.plan), 2 * 8 * 4 * 2) << "a warp's 64 bytes";
}

TEST(TensorLibrary, aProgramWithAMainMakesItsTensorsItself)
{
    const std::string source = R"(#include <torch/torch.h>
__global__ void twice(float* x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= 2; }
void run(torch::Tensor x) { twice<<<(x.numel() + 127) / 128, 128>>>(x.data_ptr<float>(), x.numel()); }
int main()
{
    const int rows = 48;
    auto x = torch::zeros({ rows, 100 }, torch::dtype(torch::kFloat32).device(torch::kCUDA));
    run(x);
}
)";
    const Opened program = opened(source);
    EXPECT_EQ(countsOf(program.plan), (std::map<std::string, std::uint64_t> { { "x", 4800 } }));
    EXPECT_EQ(program.plan.grid, (Shape { 38, 1, 1 }));
}

} // namespace
} // namespace coalescope::kernels
