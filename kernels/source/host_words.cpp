// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/host_words.h"

#include "kernels/compile/standard_headers.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace coalescope::kernels {
namespace {

/// Beginnings of the toolkit's headers that a compiler for kernels reads.
constexpr auto kForKernels = std::to_array<std::string_view>({ "cuda_fp", "cuda_bf16", "cuda_pipeline", "cuda_awbarrier", "cuda_stdint",
    "cooperative_groups", "cuda/", "nv/", "cub/", "mma.h", "cuComplex.h", "math_constants.h", "math_functions.h", "curand_kernel.h",
    "curand_mtgp32_kernel.h", "curand_philox", "vector_types.h", "vector_functions.h", "sm_", "device_", "cutlass/", "cute/",
    "crt/", "thrust/complex.h", "thrust/tuple.h", "thrust/pair.h", "thrust/functional.h", "surface_", "texture_" });

/// Beginnings of headers that are for the host, of libraries that programs with kernels often use.
constexpr auto kForHost = std::to_array<std::string_view>({ "thrust/", "cublas", "cufft", "curand", "cusparse", "cusolver", "cudnn",
    "nccl", "nvml", "nvToolsExt", "nvtx3/", "cuda_profiler_api", "cudaProfiler", "cupti", "npp", "nvrtc", "helper_", "cuda_gl_interop",
    "sys/", "bits/", "arpa/", "netinet/", "opencv", "Eigen/", "boost/", "fmt/", "gtest/", "benchmark/", "GL/", "GLFW/", "SDL" });

constexpr auto kOfTheLibrary = std::to_array<std::string_view>({ "any", "barrier", "bitset", "cctype", "cerrno", "charconv", "chrono",
    "clocale", "condition_variable", "coroutine", "csignal", "cstdarg", "ctime", "cwchar", "deque", "exception", "execution", "expected",
    "filesystem", "format", "forward_list", "fstream", "future", "initializer_list", "iomanip", "ios", "iosfwd", "iostream", "istream",
    "latch", "list", "locale", "map", "memory", "memory_resource", "mutex", "new", "numbers", "omp.h", "ostream", "queue", "random",
    "ranges", "ratio", "regex", "semaphore", "set", "shared_mutex", "source_location", "sstream", "stack", "stdexcept", "stop_token",
    "streambuf", "string", "string_view", "strstream", "syncstream", "system_error", "thread", "typeindex", "typeinfo",
    "unordered_map", "unordered_set", "valarray", "vector", "version", "ctype.h", "errno.h", "fcntl.h", "getopt.h", "inttypes.h",
    "cinttypes", "locale.h", "malloc.h", "memory.h", "mpi.h", "pthread.h", "sched.h", "signal.h", "stdarg.h", "stdbool.h", "time.h",
    "unistd.h", "windows.h", "Windows.h", "dirent.h", "dlfcn.h", "immintrin.h", "x86intrin.h", "xmmintrin.h" });

/// What kernels have of std.
constexpr auto kOfStdForKernels = std::to_array<std::string_view>({ "size_t", "ptrdiff_t", "nullptr_t", "byte", "min", "max", "clamp",
    "swap", "numeric_limits", "move", "forward", "declval", "integral_constant", "true_type", "false_type", "bool_constant",
    "conditional", "conditional_t", "enable_if", "enable_if_t", "decay", "decay_t", "array", "tuple", "pair", "complex", "bit_cast",
    "common_type", "common_type_t", "underlying_type", "make_unsigned_t", "make_signed_t", "index_sequence", "make_index_sequence",
    "integer_sequence", "plus", "minus", "multiplies", "divides", "less", "greater", "equal_to", "logical_and", "logical_or", "bit_and",
    "bit_or", "bit_xor", "void_t", "get", "tie", "make_pair", "make_tuple", "span", "optional", "nullopt", "variant", "exchange", "as_const",
    "tuple_size", "tuple_element", "negation_v", "conjunction_v", "disjunction_v", "fabs", "sqrt", "cbrt", "exp", "exp2", "expm1", "log",
    "log10", "log1p", "log2", "pow", "hypot", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh",
    "acosh", "atanh", "erf", "erfc", "tgamma", "lgamma", "ceil", "floor", "trunc", "round", "nearbyint", "rint", "lround", "llround",
    "lrint", "llrint", "isfinite", "isinf", "isnan", "signbit", "copysign", "ldexp", "modf", "abs", "fmod", "remainder", "fma", "fmax",
    "fmin", "fdim", "same_as", "convertible_to", "derived_from", "integral", "floating_point", "signed_integral", "unsigned_integral",
    "invocable", "predicate", "regular", "semiregular", "copyable", "movable", "default_initializable", "constructible_from",
    "equality_comparable", "totally_ordered", "popcount", "countl_zero", "countl_one", "countr_zero", "countr_one", "has_single_bit",
    "bit_ceil", "bit_floor", "bit_width", "rotl", "rotr", "identity", "invoke", "invoke_result_t", "apply", "negate", "modulus",
    "not_equal_to", "less_equal", "greater_equal", "logical_not", "bit_not", "gcd", "lcm", "type_identity_t", "tuple_cat", "size", "ssize",
    "data", "empty", "begin", "end" });

/// Names that stand for the host without std before them.
constexpr auto kHostNames = std::to_array<std::string_view>({ "__host__", "cout", "cerr", "endl", "fprintf", "sprintf", "snprintf", "fopen", "fclose",
    "FILE", "stderr", "stdout", "exit", "rand", "srand", "atoi", "atof", "getenv", "gettimeofday", "clock_gettime" });

template <std::size_t Count> bool beginsWithOneOf(const std::array<std::string_view, Count>& beginnings, std::string_view text)
{
    return std::ranges::any_of(beginnings, [&](std::string_view beginning) { return text.starts_with(beginning); });
}

bool isOfRuntime(std::string_view word)
{
    const auto goesOnUpper = [&](std::string_view beginning) {
        return word.starts_with(beginning) && word.size() > beginning.size()
            && std::isupper(static_cast<unsigned char>(word[beginning.size()]));
    };
    return goesOnUpper("cuda") || word == "cudaError_t" || word.starts_with("cublas") || word.starts_with("curandGenerator")
        || word == "thrust";
}

bool isOfStdForKernels(std::string_view word)
{
    return isOneOf(word, kOfStdForKernels) || word.starts_with("is_") || word.starts_with("remove_") || word.starts_with("add_")
        || (word.ends_with("_t") && word.find("int") != word.npos);
}

} // namespace

bool isHeaderForKernels(std::string_view header)
{
    return beginsWithOneOf(kForKernels, header)
        || std::ranges::find(standardHeaders(), header, &StandardHeader::name) != standardHeaders().end();
}

bool isHeaderForHost(std::string_view header)
{
    const auto folder = header.rfind('/');
    const std::string_view file = folder == header.npos ? header : header.substr(folder + 1);
    return !isHeaderForKernels(header) && (isOneOf(header, kOfTheLibrary) || beginsWithOneOf(kForHost, header) || file.starts_with("helper_"));
}

bool isForHost(std::span<const Token> code)
{
    for (std::size_t i = 0; i < code.size(); ++i) {
        const Token& token = code[i];
        if (token.is("<<<"))
            return true;
        if (!token.isWord())
            continue;
        const bool ofStd = i + 2 < code.size() && token.text == "std" && code[i + 1].is("::");
        if (ofStd && !isOfStdForKernels(code[i + 2].text))
            return true;
        if (isOfRuntime(token.text) || isOneOf(token.text, kHostNames))
            return true;
    }
    return false;
}

std::string_view includedName(const Token& directive)
{
    const auto [name, rest] = partsOf(directive);
    if (!name.starts_with("include") || rest.empty() || (rest[0] != '"' && rest[0] != '<'))
        return {};
    const auto end = rest.find(rest[0] == '"' ? '"' : '>', 1);
    return end == rest.npos ? std::string_view {} : rest.substr(1, end - 1);
}

} // namespace coalescope::kernels
