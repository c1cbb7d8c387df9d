// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/followed_plan.h"

#include "kernels/catalogue/kernel_impl.h"
#include "kernels/source/program_kernels.h"

#include <algorithm>
#include <deque>
#include <future>
#include <mutex>
#include <optional>

namespace coalescope::kernels {
namespace {

    using Shared = std::shared_ptr<const KernelSpec>;

    /// A launch with other values.
    struct Found {
        Shared kernel; ///< null: it is not known
        bool isNotMade = false; ///< since the program does not come to it
    };

    /// What programs were found to launch with other values.
    class Followed {
    public:
        /// `read` finds it out, once; who asks meanwhile waits.
        template <class Read> Found find(const KernelSpec& kernel, const ParameterValues& values, Read read)
        {
            std::packaged_task<Found()> task(read);
            std::shared_future<Found> found = task.get_future().share();
            if (const auto known = knownOrNew({ kernel.impl, values, found }))
                return known->get();
            task();
            return found.get();
        }

    private:
        struct Entry {
            std::shared_ptr<const KernelSpec::Impl> of; ///< the kernel as it is with the defaults
            ParameterValues values;
            std::shared_future<Found> launch;
        };

        /// Nothing: it is asked for for the first time, and kept.
        std::optional<std::shared_future<Found>> knownOrNew(Entry entry)
        {
            constexpr std::size_t kMost = 64;
            const std::lock_guard lock(m_mutex);
            const auto known = std::ranges::find_if(m_entries, [&](const Entry& other) { return other.of == entry.of && other.values == entry.values; });
            if (known != m_entries.end())
                return known->launch;
            m_entries.push_back(std::move(entry));
            if (m_entries.size() > kMost)
                m_entries.pop_front();
            return std::nullopt;
        }

        std::mutex m_mutex;
        std::deque<Entry> m_entries;
    };

    Followed& followed()
    {
        static Followed all;
        return all;
    }

    /// Integers that the program has otherwise.
    ParameterValues changedOf(const KernelSpec& kernel, const ParameterValues& values)
    {
        ParameterValues changed;
        for (const ParameterSpec& parameter : kernel.parameters)
            if (const auto value = values.find(parameter.name); value != values.end() && parameter.isInteger() && mayMatterToHost(parameter) && value->second != parameter.defaultValue)
                changed.insert(*value);
        return changed;
    }

    /// The same launch of the program as if the values stood in its source.
    Found launchWith(const KernelSpec& kernel, const ParameterValues& changed)
    {
        std::vector<HostNumber> numbers;
        for (const ParameterSpec& parameter : kernel.parameters)
            if (const auto value = changed.find(parameter.name); value != changed.end())
                addNumber(numbers, parameter, value->second);
        auto program = programKernels(kernel.source, kernel.sourceName, kernel.path, kernel.compile, kernel.entry, std::move(numbers));
        if (!program)
            return {};
        const auto isOfSameLaunch = [&](const KernelSpec& other) { return other.launch.launch == kernel.launch.launch && other.launch.kernel == kernel.launch.kernel; };
        auto same = std::ranges::find_if(program->kernels, [&](const KernelSpec& other) { return isOfSameLaunch(other) && other.launch.instance == kernel.launch.instance; });
        if (same == program->kernels.end()) // which instance it is may be what the values decide
            same = std::ranges::find_if(program->kernels, isOfSameLaunch);
        if (same == program->kernels.end())
            return { .isNotMade = true };
        same->workedOutWith = changed;
        return { .kernel = std::make_shared<const KernelSpec>(std::move(*same)) };
    }

    Found read(const KernelSpec& kernel, ParameterValues changed)
    {
        Found other = launchWith(kernel, changed);
        const auto isMissing = [&](const auto& value) { return std::ranges::find(other.kernel->parameters, value.first, &ParameterSpec::name) == other.kernel->parameters.end(); };
        if (other.kernel && std::erase_if(changed, isMissing) > 0) // what the program sets itself, whatever it begins with, such as by asking for the best block
            other = changed.empty() ? Found {} : launchWith(kernel, changed);
        return other;
    }

    /// What is asked for, without what was worked out of the defaults; nothing: the launch has no parameter for some of it.
    std::optional<ParameterValues> valuesFor(const KernelSpec& other, const KernelSpec& kernel, const ParameterValues& values)
    {
        ParameterValues all;
        for (const auto& [name, value] : values) {
            const auto before = std::ranges::find(kernel.parameters, name, &ParameterSpec::name);
            const bool isAsBefore = before != kernel.parameters.end() && value == before->defaultValue;
            const bool isThere = std::ranges::find(other.parameters, name, &ParameterSpec::name) != other.parameters.end();
            if (!isThere && !isAsBefore)
                return std::nullopt;
            if (isThere && !(isAsBefore && (before->isWorkedOut || before->isReal))) // a real number may be made of integers
                all.emplace(name, value);
        }
        return all;
    }

}

Result<LaunchPlan> planFollowed(const KernelSpec& kernel, const ParameterValues& values)
{
    auto asItIs = planLaunch(kernel, values);
    if (!asItIs || kernel.launch.launch == 0)
        return asItIs;
    const ParameterValues changed = changedOf(kernel, values);
    if (changed.empty())
        return asItIs;
    const Found other = followed().find(kernel, changed, [&] { return read(kernel, changed); });
    asItIs->isNotMade = other.isNotMade;
    const auto own = other.kernel ? valuesFor(*other.kernel, kernel, values) : std::nullopt;
    if (!own)
        return asItIs;
    auto plan = planLaunch(*other.kernel, *own);
    return plan ? plan : asItIs;
}

} // namespace coalescope::kernels
