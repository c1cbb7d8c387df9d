// SPDX-License-Identifier: Apache-2.0
// What host code of a PyTorch extension asks of its tensors, for the readers of host code: it is read where <torch/extension.h> and its
// kin are included, and never compiled. A tensor is its shape, its strides and memory on the GPU; what an operation computes is not done,
// only its result's shape is kept. A type's number has its bytes in the lowest four bits.

#define TORCH_CHECK(...)
#define TORCH_INTERNAL_ASSERT(...)
#define TORCH_WARN(...)
#define AT_ASSERT(...)
#define AT_ASSERTM(...)
#define AT_ERROR(...)
#define AT_CUDA_CHECK(call) call
#define C10_CUDA_CHECK(call) call
#define C10_CUDA_KERNEL_LAUNCH_CHECK()
#define TORCH_EXTENSION_NAME extension
#define PYBIND11_MODULE(name, variable) void coalescope_module(int variable)
#define TORCH_LIBRARY(name, variable) void coalescope_library(int variable)
#define TORCH_LIBRARY_FRAGMENT(name, variable) void coalescope_library(int variable)
#define TORCH_LIBRARY_IMPL(name, key, variable) void coalescope_library(int variable)
#define C10_HOST_DEVICE __host__ __device__
#define C10_DEVICE __device__
#define C10_HOST __host__
#define C10_LAUNCH_BOUNDS_1(a)
#define C10_LAUNCH_BOUNDS_2(a, b)
#define C10_RESTRICT __restrict__

#define COALESCOPE_DISPATCH(TYPE, ...) { using scalar_t = TYPE; using scalar_type = TYPE; using index_t = TYPE; (__VA_ARGS__)(); }
#define AT_DISPATCH_FLOATING_TYPES(T, NAME, ...) COALESCOPE_DISPATCH(float, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(T, NAME, ...) COALESCOPE_DISPATCH(float, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND(A, T, NAME, ...) COALESCOPE_DISPATCH(float, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND2(A, B, T, NAME, ...) COALESCOPE_DISPATCH(float, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND3(A, B, C, T, NAME, ...) COALESCOPE_DISPATCH(float, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(T, NAME, ...) COALESCOPE_DISPATCH(float, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES(T, NAME, ...) COALESCOPE_DISPATCH(float, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND(A, T, NAME, ...) COALESCOPE_DISPATCH(float, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND2(A, B, T, NAME, ...) COALESCOPE_DISPATCH(float, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND3(A, B, C, T, NAME, ...) COALESCOPE_DISPATCH(float, __VA_ARGS__)
#define AT_DISPATCH_REDUCED_FLOATING_TYPES(T, NAME, ...) COALESCOPE_DISPATCH(__half, __VA_ARGS__)
#define AT_DISPATCH_INTEGRAL_TYPES(T, NAME, ...) COALESCOPE_DISPATCH(int64_t, __VA_ARGS__)
#define AT_DISPATCH_INDEX_TYPES(T, NAME, ...) COALESCOPE_DISPATCH(int64_t, __VA_ARGS__)
#define AT_DISPATCH_SWITCH(T, NAME, ...) __VA_ARGS__
#define AT_DISPATCH_CASE(T, ...) COALESCOPE_DISPATCH(float, __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_TYPES(...) COALESCOPE_DISPATCH(float, __VA_ARGS__)

#define COALESCOPE_LIKE(name) \
    Tensor name() const { return alike(*this, code); } \
    template <class A> Tensor name(A a) const { return alike(*this, code); } \
    template <class A, class B> Tensor name(A a, B b) const { return alike(*this, code); }
#define COALESCOPE_LIKE_FIRST(name) \
    Tensor name(const Tensor& a) { return alike(a, a.code); } \
    template <class B> Tensor name(const Tensor& a, B b) { return alike(a, a.code); } \
    template <class B, class C> Tensor name(const Tensor& a, B b, C c) { return alike(a, a.code); }

namespace c10 {
typedef __half Half;
typedef __nv_bfloat16 BFloat16;
typedef std::vector<int64_t> IntArrayRef;
typedef float opmath_t;

enum ScalarType {
    kFloat = 0x14,
    kFloat32 = 0x14,
    kDouble = 0x28,
    kFloat64 = 0x28,
    kHalf = 0x32,
    kFloat16 = 0x32,
    kBFloat16 = 0x42,
    kInt = 0x54,
    kInt32 = 0x54,
    kLong = 0x68,
    kInt64 = 0x68,
    kShort = 0x72,
    kInt16 = 0x72,
    kChar = 0x81,
    kInt8 = 0x81,
    kByte = 0x91,
    kUInt8 = 0x91,
    kBool = 0xa1,
    kUInt16 = 0xb2,
    kUInt32 = 0xc4,
    Float = 0x14,
    Double = 0x28,
    Half = 0x32,
    BFloat16 = 0x42,
    Int = 0x54,
    Long = 0x68,
    Short = 0x72,
    Char = 0x81,
    Byte = 0x91,
    Bool = 0xa1,
    UInt32 = 0xc4,
};

struct TensorOptions {
    int64_t code;
    TensorOptions dtype(int64_t type) const
    {
        TensorOptions made;
        made.code = type;
        return made;
    }
    template <class D> TensorOptions device(D where) const { return *this; }
    template <class D> TensorOptions requires_grad(D whether) const { return *this; }
    template <class D> TensorOptions memory_format(D how) const { return *this; }
    template <class D> TensorOptions layout(D how) const { return *this; }
};

template <class T, int N, class Traits, class Index> struct PackedTensorAccessor {
    T* data_;
    Index sizes_[N];
    Index strides_[N];
};
template <class T, int N, class Traits> struct PackedTensorAccessor32 {
    T* data_;
    int sizes_[N];
    int strides_[N];
};
template <class T, int N, class Traits> struct PackedTensorAccessor64 {
    T* data_;
    int64_t sizes_[N];
    int64_t strides_[N];
};

struct Tensor {
    std::vector<int64_t> shape;
    std::vector<int64_t> steps;
    int64_t count;
    int64_t code;
    char* memory;

    int64_t size(int64_t i) const { return i < 0 ? shape[shape.size() + i] : shape[i]; }
    int64_t stride(int64_t i) const { return i < 0 ? steps[steps.size() + i] : steps[i]; }
    std::vector<int64_t> sizes() const { return shape; }
    std::vector<int64_t> strides() const { return steps; }
    std::vector<int64_t> sym_sizes() const { return shape; }
    int64_t dim() const { return shape.size(); }
    int64_t ndimension() const { return shape.size(); }
    int64_t numel() const { return count; }
    int64_t element_size() const { return code & 15; }
    int64_t itemsize() const { return code & 15; }
    int64_t nbytes() const { return count * (code & 15); }
    int64_t scalar_type() const { return code; }
    int64_t dtype() const { return code; }
    int64_t type() const { return code; }
    int64_t get_device() const { return 0; }
    int64_t device_index() const { return 0; }
    bool is_cuda() const { return true; }
    bool is_contiguous() const { return true; }
    bool defined() const { return true; }
    bool has_value() const { return true; }
    bool requires_grad() const { return false; }
    bool is_floating_point() const { return true; }
    Tensor value() const { return *this; }
    TensorOptions options() const
    {
        TensorOptions made;
        made.code = code;
        return made;
    }

    template <class T> T* data_ptr() const { return (T*)memory; }
    template <class T> T* mutable_data_ptr() const { return (T*)memory; }
    template <class T> const T* const_data_ptr() const { return (const T*)memory; }
    template <class T> T* data() const { return (T*)memory; }
    template <class T, int N, class Traits> PackedTensorAccessor32<T, N, Traits> packed_accessor32() const
    {
        PackedTensorAccessor32<T, N, Traits> made;
        made.data_ = (T*)memory;
        for (int i = 0; i < N; ++i) {
            made.sizes_[i] = shape[i];
            made.strides_[i] = steps[i];
        }
        return made;
    }
    template <class T, int N, class Traits> PackedTensorAccessor64<T, N, Traits> packed_accessor64() const
    {
        PackedTensorAccessor64<T, N, Traits> made;
        made.data_ = (T*)memory;
        for (int i = 0; i < N; ++i) {
            made.sizes_[i] = shape[i];
            made.strides_[i] = steps[i];
        }
        return made;
    }
    template <class T, int N, class Traits, class Index> PackedTensorAccessor<T, N, Traits, Index> packed_accessor() const
    {
        PackedTensorAccessor<T, N, Traits, Index> made;
        made.data_ = (T*)memory;
        for (int i = 0; i < N; ++i) {
            made.sizes_[i] = shape[i];
            made.strides_[i] = steps[i];
        }
        return made;
    }

    // The same memory.
    Tensor contiguous() const { return *this; }
    template <class F> Tensor contiguous(F format) const { return *this; }
    Tensor detach() const { return *this; }
    Tensor cuda() const { return *this; }
    Tensor squeeze() const { return *this; }
    template <class V> Tensor requires_grad_(V whether) const { return *this; }
    template <class V> Tensor squeeze(V i) const { return *this; }
    template <class V> Tensor zero_() const { return *this; }
    Tensor view(std::vector<int64_t> wanted) const { return reshape(wanted); }
    Tensor view_as(const Tensor& other) const { return reshape(other.shape); }
    Tensor reshape_as(const Tensor& other) const { return reshape(other.shape); }
    Tensor reshape(std::vector<int64_t> wanted) const
    {
        Tensor made = *this;
        int64_t known = 1;
        for (int64_t i = 0; i < wanted.size(); ++i)
            known *= wanted[i] < 0 ? 1 : wanted[i];
        for (int64_t i = 0; i < wanted.size(); ++i)
            wanted[i] = wanted[i] < 0 ? count / known : wanted[i];
        made.shape = wanted;
        made.steps = stepsOf(wanted);
        made.count = countOf(wanted);
        return made;
    }
    Tensor flatten() const { return reshape({ count }); }
    Tensor unsqueeze(int64_t at) const
    {
        Tensor made = *this;
        std::vector<int64_t> wanted;
        for (int64_t i = 0; i < shape.size(); ++i) {
            if (i == at)
                wanted.push_back(1);
            wanted.push_back(shape[i]);
        }
        made.shape = wanted;
        made.steps = stepsOf(wanted);
        return made;
    }
    Tensor transpose(int64_t a, int64_t b) const
    {
        Tensor made = *this;
        made.shape[a] = shape[b];
        made.shape[b] = shape[a];
        made.steps[a] = steps[b];
        made.steps[b] = steps[a];
        return made;
    }
    Tensor t() const { return transpose(0, 1); }
    Tensor permute(std::vector<int64_t> order) const
    {
        Tensor made = *this;
        for (int64_t i = 0; i < order.size(); ++i) {
            made.shape[i] = shape[order[i]];
            made.steps[i] = steps[order[i]];
        }
        return made;
    }

    // Memory of its own.
    Tensor clone() const { return alike(*this, code); }
    Tensor to(int64_t type) const { return type == code ? *this : alike(*this, type); }
    Tensor toType(int64_t type) const { return to(type); }
    Tensor to_type(int64_t type) const { return to(type); }
    Tensor half() const { return to(kHalf); }
    COALESCOPE_LIKE(relu)
    COALESCOPE_LIKE(sigmoid)
    COALESCOPE_LIKE(tanh)
    COALESCOPE_LIKE(exp)
    COALESCOPE_LIKE(sqrt)
    COALESCOPE_LIKE(abs)
    COALESCOPE_LIKE(mul)
    COALESCOPE_LIKE(add)
    COALESCOPE_LIKE(sub)
    COALESCOPE_LIKE(div)
    COALESCOPE_LIKE(clamp)
    COALESCOPE_LIKE(softmax)
    COALESCOPE_LIKE(cumsum)
    COALESCOPE_LIKE(masked_fill)
    COALESCOPE_LIKE(copy_)
    COALESCOPE_LIKE(fill_)
    Tensor matmul(const Tensor& b) const { return coalescopeProduct(*this, b); }
    Tensor mm(const Tensor& b) const { return coalescopeProduct(*this, b); }
    Tensor bmm(const Tensor& b) const { return coalescopeProduct(*this, b); }
    Tensor new_empty(std::vector<int64_t> wanted) const { return empty(wanted, options()); }
    Tensor new_zeros(std::vector<int64_t> wanted) const { return zeros(wanted, options()); }
    template <class O> Tensor new_empty(std::vector<int64_t> wanted, O how) const { return empty(wanted, how); }
    template <class O> Tensor new_zeros(std::vector<int64_t> wanted, O how) const { return zeros(wanted, how); }
};

std::vector<int64_t> stepsOf(std::vector<int64_t> shape)
{
    std::vector<int64_t> steps = shape;
    int64_t step = 1;
    for (int64_t i = 1; i <= shape.size(); ++i) {
        steps[shape.size() - i] = step;
        step *= shape[shape.size() - i];
    }
    return steps;
}

int64_t countOf(std::vector<int64_t> shape)
{
    int64_t count = 1 + 0 * shape.size(); // not known where that is not
    for (int64_t i = 0; i < shape.size(); ++i)
        count = count * shape[i]; // as `*=` is read, a factor that is not known is none
    return count;
}

TensorOptions dtype(int64_t type)
{
    TensorOptions made;
    made.code = type;
    return made;
}

template <class D> TensorOptions device(D where)
{
    TensorOptions made;
    made.code = kFloat;
    return made;
}

int64_t codeOf(TensorOptions how) { return how.code; }
int64_t codeOf(int64_t type) { return type; }

Tensor empty(std::vector<int64_t> shape, TensorOptions how)
{
    Tensor made;
    made.shape = shape;
    made.steps = stepsOf(shape);
    made.count = countOf(shape);
    made.code = how.code;
    cudaMalloc(&made.memory, made.nbytes());
    return made;
}
/// Of the other's shape, which may not be known.
Tensor alike(const Tensor& other, int64_t type)
{
    Tensor made;
    made.shape = other.shape;
    made.steps = stepsOf(other.shape);
    made.count = other.count;
    made.code = type;
    cudaMalloc(&made.memory, made.nbytes());
    return made;
}
Tensor zeros(std::vector<int64_t> shape, TensorOptions how)
{
    Tensor made = empty(shape, how);
    cudaMemset(made.memory, 0, made.nbytes());
    return made;
}
Tensor empty(std::vector<int64_t> shape, int64_t type) { return empty(shape, dtype(type)); }
Tensor empty(std::vector<int64_t> shape) { return empty(shape, dtype(kFloat)); }
Tensor zeros(std::vector<int64_t> shape, int64_t type) { return zeros(shape, dtype(type)); }
Tensor zeros(std::vector<int64_t> shape) { return zeros(shape, dtype(kFloat)); }
Tensor ones(std::vector<int64_t> shape, TensorOptions how) { return empty(shape, how); }
template <class V> Tensor full(std::vector<int64_t> shape, V value, TensorOptions how) { return empty(shape, how); }
Tensor rand(std::vector<int64_t> shape, TensorOptions how) { return empty(shape, how); }
Tensor randn(std::vector<int64_t> shape, TensorOptions how) { return empty(shape, how); }
int64_t numel(const Tensor& a) { return a.count; }
Tensor empty_like(const Tensor& other) { return alike(other, other.code); }
Tensor zeros_like(const Tensor& other)
{
    Tensor made = alike(other, other.code);
    cudaMemset(made.memory, 0, made.nbytes());
    return made;
}
Tensor ones_like(const Tensor& other) { return alike(other, other.code); }
Tensor rand_like(const Tensor& other) { return alike(other, other.code); }
Tensor randn_like(const Tensor& other) { return alike(other, other.code); }
template <class V> Tensor full_like(const Tensor& other, V value) { return alike(other, other.code); }
template <class O> Tensor empty_like(const Tensor& other, O how) { return alike(other, codeOf(how)); }
template <class O> Tensor zeros_like(const Tensor& other, O how)
{
    Tensor made = alike(other, codeOf(how));
    cudaMemset(made.memory, 0, made.nbytes());
    return made;
}

COALESCOPE_LIKE_FIRST(relu)
COALESCOPE_LIKE_FIRST(sigmoid)
COALESCOPE_LIKE_FIRST(tanh)
COALESCOPE_LIKE_FIRST(exp)
COALESCOPE_LIKE_FIRST(softmax)
COALESCOPE_LIKE_FIRST(log_softmax)
COALESCOPE_LIKE_FIRST(cumsum)
COALESCOPE_LIKE_FIRST(clamp)
Tensor coalescopeProduct(const Tensor& a, const Tensor& b)
{
    std::vector<int64_t> shape = a.shape;
    shape[shape.size() - 1] = b.shape[b.shape.size() - 1];
    return empty(shape, a.options());
}
Tensor matmul(const Tensor& a, const Tensor& b) { return coalescopeProduct(a, b); }
Tensor mm(const Tensor& a, const Tensor& b) { return coalescopeProduct(a, b); }
Tensor bmm(const Tensor& a, const Tensor& b) { return coalescopeProduct(a, b); }
Tensor addmm(const Tensor& to, const Tensor& a, const Tensor& b) { return coalescopeProduct(a, b); }
Tensor cat(std::vector<Tensor> parts, int64_t along)
{
    std::vector<int64_t> shape = parts[0].shape;
    int64_t all = 0;
    for (int64_t i = 0; i < parts.size(); ++i)
        all += parts[i].shape[along];
    shape[along] = all;
    return empty(shape, parts[0].options());
}
Tensor arange(int64_t n, TensorOptions how) { return empty({ n }, how); }

/// One of which the code does not tell how large it is.
Tensor tensorOfUnknownShape(int64_t type)
{
    Tensor made;
    made.shape = valueThatNobodyKnows();
    made.steps = valueThatNobodyKnows();
    made.count = valueThatNobodyKnows();
    made.code = type;
    cudaMalloc(&made.memory, valueThatNobodyKnows());
    return made;
}

int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }
int64_t ATenCeilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }
int64_t THCCeilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }
cudaDeviceProp* getCurrentDeviceProperties()
{
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, 0);
    return &properties;
}
} // namespace c10
