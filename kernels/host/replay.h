// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/compile/kernel_declarations.h"
#include "kernels/host/contents.h"
#include "kernels/host/run.h"
#include "kernels/source/parameter_types.h"

namespace coalescope::kernels::host {

/// What a kernel declares an argument as, so many from 0 on; nothing: it is not declared.
[[nodiscard]] std::optional<KernelParameter> parameterOf(std::span<const KernelDeclaration> kernels, std::string_view kernel, std::size_t argument);

/// Executes the launches that host code comes to, in its order, so that what it reads back and what later launches are given is known.
///
/// A launch waits until somebody asks for what it writes, or is about to write to what it reads: those that nobody asks for are not executed.
/// What a launch leaves that cannot be executed is not known.
class Replay {
public:
    Replay(Run& run, LaunchExecutor& executor, std::span<const KernelDeclaration> kernels)
        : m_run(run)
        , m_executor(executor)
        , m_kernels(kernels)
    {
    }

    void launched(const HostBuffer& name, const ReachedLaunch& launch);

    /// Executes what memory waits for: to be read, or, `isWritten`, to be written to by the host.
    void settle(Thing& memory, bool isWritten);

    /// Why it is not known what a launch leaves in memory; empty: it is no launch's fault.
    [[nodiscard]] std::string whyUnknown(const Thing& memory) const;

private:
    struct Used {
        Handle memory;
        bool isWritten = false;
        std::string variable = {}; ///< of the module; empty: it is none
        std::uint32_t forgets = 0; ///< so often it had been forgotten when the launch was come to
        [[nodiscard]] bool isAsItWas() const { return memory->forgets == forgets; }
    };
    struct Waiting {
        LaunchToExecute launch; ///< without its memories' content
        std::vector<Used> used; ///< one a memory
    };

    static constexpr std::size_t kMostWaiting = 2000, kMostPointed = 4096;

    [[nodiscard]] bool mayWrite(const HostBuffer& launch, std::size_t argument, const std::string& path) const;
    [[nodiscard]] static LaunchToExecute::Leaf leafOf(const Value& value, std::vector<Used>& used);
    void takePointed(const HostBuffer& launch, const ReachedLaunch& reached, std::vector<Used>& used);
    void execute(Waiting& waiting);
    void giveUp(const Waiting& waiting, const std::string& why);
    [[nodiscard]] static LaunchMemory takeContent(Thing& memory, bool isAsItWas);

    Run& m_run;
    LaunchExecutor& m_executor;
    std::span<const KernelDeclaration> m_kernels;
    std::vector<Waiting> m_waiting; ///< in the order of the host's code
    std::set<std::string> m_takers; ///< kernels, by whose names memory is noted
    std::map<const Thing*, std::string> m_why; ///< it is not known what memory holds
};

} // namespace coalescope::kernels::host
