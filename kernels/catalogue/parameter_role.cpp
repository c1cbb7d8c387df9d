// SPDX-License-Identifier: Apache-2.0
#include "kernels/catalogue/parameter_role.h"

#include "kernels/catalogue/kernel_impl.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace coalescope::kernels {
namespace {

bool isWordPart(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

bool mentions(const std::string& expression, const std::string& name)
{
    for (auto at = expression.find(name); at != std::string::npos; at = expression.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        if ((at == 0 || !isWordPart(expression[at - 1])) && (end == expression.size() || !isWordPart(expression[end])))
            return true;
    }
    return false;
}

std::string lowered(std::string name)
{
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return name;
}

} // namespace

bool namesPadding(std::string name)
{
    static constexpr auto kOthers = std::to_array<std::string_view>({ "idx", "index", "token", "value", "_id", "mode" }); // padding_idx
    name = lowered(std::move(name));
    return name.find("pad") != name.npos && std::ranges::none_of(kOthers, [&](std::string_view other) { return name.find(other) != name.npos; });
}

bool namesLogarithm(std::string name)
{
    name = lowered(std::move(name));
    return name == "log" || name == "logn" || name.starts_with("log_") || name.starts_with("log2") || name.starts_with("logn_") || name.ends_with("_log") || name.ends_with("_log2");
}

ParameterRole roleOf(const KernelSpec& kernel, const ParameterSpec& parameter)
{
    const std::string name = lowered(parameter.name);
    const auto holds = [&](std::string_view part) { return name.find(part) != name.npos; };
    if (!parameter.isInteger())
        return ParameterRole::Work;
    if (namesPadding(parameter.name))
        return ParameterRole::Padding;
    const bool followsBlock = kernel.impl && std::ranges::any_of(kernel.impl->block, [&](const std::string& size) { return mentions(size, parameter.name); });
    return followsBlock || holds("block") || holds("tile") ? ParameterRole::Shape : ParameterRole::Work;
}

} // namespace coalescope::kernels
