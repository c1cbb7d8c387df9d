// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coalescope::kernels {

/// In which namespaces a program's names of types, constants and enumerators are declared.
class DeclaredScopes {
public:
    explicit DeclaredScopes(std::span<const std::string> texts);

    /// A type, or another template argument, as it is written outside of all namespaces: "fd::Op<app::Set>" of "Op<Set>". `from`: the namespace in which
    /// it stands, whose names are seen first. Names that are declared nowhere stay as they are.
    [[nodiscard]] std::string qualified(std::string_view type, std::string_view from) const;

private:
    /// Of a name behind the namespaces that are written before it; nothing of that name is declared: null.
    [[nodiscard]] const std::string* pathOf(std::string_view name, std::string_view written, std::string_view from) const;

    std::map<std::string, std::vector<std::string>, std::less<>> m_paths; ///< of each name, the namespaces
};

} // namespace coalescope::kernels
