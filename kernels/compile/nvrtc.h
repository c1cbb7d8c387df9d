// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/compile/compiler.h"

#include <filesystem>

namespace coalescope::kernels {

/// A file of the user's that the compiler is given in another text than its own.
struct HeaderText {
    std::filesystem::path path;
    std::vector<std::string> names; ///< as #include lines have it
    std::string text;
};

/// What a compiler is given: of a program with code for the host, only what kernels need.
struct CompilerInput {
    LaunchPlan plan;
    std::vector<HeaderText> headers; ///< all of the user's, or none
};

/// What a compiler made of a source, or why it made nothing.
struct CompilerOutput {
    bool succeeded = false;
    std::string ptx;
    std::vector<char> cubin; ///< from a run for machine code
    std::string entry; ///< mangled name
    std::string log; ///< messages, with the source under its own name
    std::string compiler; ///< "NVRTC 13.0"
};

/// Cubin: PTX as well, the same as without.
enum class Target : std::uint8_t { Ptx, Cubin };

/// NVIDIA's runtime compiler, loaded when first asked for.
class Nvrtc {
public:
    /// Null where the library is not found, or hidden by COALESCOPE_NVRTC=off.
    [[nodiscard]] static const Nvrtc* instance();

    /// Thread-safe.
    ///
    /// A header that is not there is taken to be empty, where the source compiles with that.
    ///
    /// Errors: CompileFailed where NVRTC refuses the call itself; a source's errors are in the output.
    [[nodiscard]] Result<CompilerOutput> compile(
        const CompilerInput& input, const CompileOptions& options, Target target) const;

    /// Whether it makes machine code for this very architecture.
    [[nodiscard]] bool makesCubin(const CompileOptions& options) const;

    [[nodiscard]] const std::string& version() const { return m_version; } ///< "NVRTC 13.0"
    /// What its PTX depends on beside the source: the library's file and the arguments.
    [[nodiscard]] std::string recipe(const LaunchPlan& plan, const CompileOptions& options) const;

private:
    [[nodiscard]] Result<CompilerOutput> compileOnce(
        const CompilerInput& input, const CompileOptions& options, Target target) const;

    using Program = void*;
    struct Api {
        int (*version)(int*, int*) = nullptr;
        const char* (*errorString)(int) = nullptr;
        int (*createProgram)(Program*, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
        int (*destroyProgram)(Program*) = nullptr;
        int (*addNameExpression)(Program, const char*) = nullptr;
        int (*compileProgram)(Program, int, const char* const*) = nullptr;
        int (*loweredName)(Program, const char*, const char**) = nullptr;
        int (*ptxSize)(Program, std::size_t*) = nullptr;
        int (*ptx)(Program, char*) = nullptr;
        int (*cubinSize)(Program, std::size_t*) = nullptr;
        int (*cubin)(Program, char*) = nullptr;
        int (*logSize)(Program, std::size_t*) = nullptr;
        int (*log)(Program, char*) = nullptr;
        int (*supportedArchCount)(int*) = nullptr; ///< optional: since 11.2
        int (*supportedArchs)(int*) = nullptr;
    };

    bool load();
    bool resolve(void* library);
    void findHeaders(void* symbol);
    [[nodiscard]] int architectureFor(const CompileOptions& options, Target target) const;
    [[nodiscard]] std::vector<std::string> arguments(
        const LaunchPlan& plan, const CompileOptions& options, Target target) const;
    [[nodiscard]] std::string programLog(Program program) const;

    Api m_api;
    std::string m_version, m_library;
    bool m_knowsInt128 = false; ///< since 11.5
    std::vector<int> m_architectures; ///< 90 for sm_90; empty: unknown
    std::vector<std::filesystem::path> m_headers;
};

} // namespace coalescope::kernels
