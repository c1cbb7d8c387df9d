// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/catalogue/kernel_spec.h"

#include <cstdlib>

namespace coalescope::kernels {

/// The catalogue's copy kernel on a small matrix.
inline LaunchPlan copyPlan(std::string rows = "33", std::string cols = "65")
{
    const auto kernel = kernelNamed("copy");
    return planLaunch(**kernel, { { "rows", std::move(rows) }, { "cols", std::move(cols) } }).value();
}

/// Sets an environment variable for a scope.
class ScopedVariable {
public:
    ScopedVariable(const char* name, const char* value) : m_name(name)
    {
        if (const char* old = std::getenv(name))
            m_old = old;
        setenv(name, value, 1);
    }
    ScopedVariable(const ScopedVariable&) = delete;
    ScopedVariable& operator=(const ScopedVariable&) = delete;
    ~ScopedVariable()
    {
        if (m_old)
            setenv(m_name, m_old->c_str(), 1);
        else
            unsetenv(m_name);
    }

private:
    const char* m_name;
    std::optional<std::string> m_old;
};

} // namespace coalescope::kernels
