// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/compile/kernel_declarations.h"
#include "kernels/host/contents.h"
#include "kernels/source/launches.h"

namespace coalescope::kernels {

/// An argument of a launch, as HostContents names it; `argument` empty: the launch itself.
[[nodiscard]] HostBuffer hostBufferOf(const ProgramLaunch& launch, const std::string& argument);

/// Tells a launch which of a template's kernels it is, among those that following the host's code has come to.
void matchInstance(const ProgramLaunches& program, ProgramLaunch& launch, const HostContents& host);

/// Adds the launches that following the host's code has come to where reading it has only seen others at the same place: of kernels
/// that pointers to functions stand for.
void addReached(ProgramLaunches& program, const HostContents& host);

/// Adds the launches that following the host's code has come to and that reading it has not seen: of kernels in maps and lists, in
/// functions that are kept and called later. What they are given is told by correctLaunch().
void addUnread(ProgramLaunches& program, std::span<const KernelDeclaration> kernels, const HostContents& host);

/// Adds those of a template's kernels where reading it has seen others of the same template: of a pack `(tile<Ns><<<...>>>(...), ...)`. After matchInstance().
void addInstances(ProgramLaunches& program, const HostContents& host);

/// Which launches lie in branches that the program takes, and which do not, as far as following its code tells.
void correctBranches(ProgramLaunches& program, const HostContents& host);

/// Makes of a launch, as reading the host's code once tells it, what following the code comes to: sums that loops make, sizes of lists, the
/// first of a loop's turns that launches. Numbers become parameters of the program, the grid follows them where it is one for each of so many
/// threads. What following it does not tell stays as it is.
void correctLaunch(ProgramLaunches& program, std::size_t launch, const KernelDeclaration& kernel, const HostContents& host);

/// Numbers that later launches of the same kernel are given others of become parameters of their own, where they follow from none of the program's sizes: a stage
/// of a sort, `step<<<...>>>(v, j, k)`. After correctLaunch().
void nameLater(ProgramLaunches& program, std::size_t launch, const KernelDeclaration& kernel);

} // namespace coalescope::kernels
