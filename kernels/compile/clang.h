// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/compile/nvrtc.h"

namespace coalescope::kernels {

/// A clang++ on PATH that compiles CUDA C++ without any file of the CUDA toolkit.
class Clang {
public:
    /// The plain `clang++` first, then clang++-19 down to clang++-14.
    ///
    /// Errors: NoCompiler.
    [[nodiscard]] static Result<Clang> find();

    /// Errors: CompileFailed where clang cannot be run or does not end within 30 s.
    [[nodiscard]] Result<CompilerOutput> compile(const CompilerInput& input, const CompileOptions& options) const;

    [[nodiscard]] const std::string& path() const { return m_path; }
    [[nodiscard]] const std::string& version() const { return m_version; } ///< "clang 14.0.6"
    /// What its PTX depends on beside the source: the program's file and the arguments.
    [[nodiscard]] std::string recipe(const LaunchPlan& plan, const CompileOptions& options) const;

private:
    Clang(std::string path, std::string version);
    [[nodiscard]] std::string architectureFor(const CompileOptions& options) const;
    [[nodiscard]] std::vector<std::string> arguments(
        const LaunchPlan& plan, const CompileOptions& options, const std::filesystem::path& folder) const;

    std::string m_path, m_version;
    int m_major = 0;
};

/// Takes out of clang's PTX what only served to find the kernel's mangled name, and the directory's name
/// out of its `.file` table. `entry` receives the name.
[[nodiscard]] std::string cleanedPtx(std::string ptx, const std::string& folder, std::string& entry);

} // namespace coalescope::kernels
