// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/catalogue/kernel_spec.h"

#include <optional>

namespace coalescope::kernels {

/// The kernels of a file that has no manifest, as its host code launches them.
struct ProgramKernels {
    std::vector<KernelSpec> kernels; ///< in the order of their launches, with `derived` and `guesses`
    struct Unread {
        std::string entry, why; ///< the launch "does not tell what 'p' (Params) holds", or "cannot be described: ..."
        int line = 0; ///< 0: no launch was found
        std::string file = {}; ///< name of the unit of the line, or of the declaration
        int declaredOn = 0; ///< line of the kernel where none was; 0: in another file
        std::string manifest; ///< one to start from, as manifestTemplate() makes it
    };
    std::vector<Unread> unread;
};

/// Reads the launches in a program's host code, and in the files of its user's that it includes. The code is followed, not
/// run: see launchesOf().
///
/// `asked`: of what nothing launches, only the kernel that chosenKernel() takes for this entry is looked at, for that takes its time; a
/// template with the arguments that the entry has. `numbers`: values of parameters, as if they stood in the source; the defaults stay what
/// stands there.
///
/// Errors: BadInput, as includesOf().
[[nodiscard]] Result<ProgramKernels> programKernels(
    const std::string& source, const std::string& sourceName, const std::filesystem::path& file, const CompileSettings& compile = {}, const std::optional<std::string>& asked = {},
    std::vector<HostNumber> numbers = {});

/// The one of a program's kernels that `entry` names, by a kernel's name or with its template arguments, without namespaces and the
/// last ones if need be; empty: the first.
///
/// Errors: LaunchUnread; EntryNotFound with those there are; BadInput where there is no kernel.
[[nodiscard]] Result<const KernelSpec*> chosenKernel(const ProgramKernels& program, const std::string& entry, const std::string& sourceName);

/// The one that `entry` names of those whose launch is not read; empty: the first, where no other can be read. Null: there is none.
[[nodiscard]] const ProgramKernels::Unread* unreadKernel(const ProgramKernels& program, const std::string& entry);

/// The kernel of a user's file: of its manifest, or as its host code launches it. `entry` chooses among launches, as chosenKernel() does.
///
/// Errors: BadInput, LaunchUnread, EntryNotFound.
[[nodiscard]] Result<KernelSpec> kernelOfFile(
    std::string source, const std::filesystem::path& file, const std::string& entry = {}, const CompileSettings& compile = {});

} // namespace coalescope::kernels
