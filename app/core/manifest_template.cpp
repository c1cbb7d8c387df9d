// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/manifest_template.h"

#include <cctype>

namespace coalescope::app {
namespace {

    bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

    /// The name before the parameter list that follows the first __global__.
    std::string firstKernel(std::string_view source)
    {
        static constexpr std::string_view kMark = "__global__", kBounds = "__launch_bounds__";
        std::size_t at = source.find(kMark);
        if (at == source.npos)
            return "kernelName";
        at += kMark.size();
        std::string name;
        while (at < source.size()) {
            if (isWord(source[at])) {
                const std::size_t begin = at;
                while (at < source.size() && isWord(source[at]))
                    ++at;
                name = source.substr(begin, at - begin);
                continue;
            }
            if (source[at] == '(' && name == kBounds) {
                at = source.find(')', at);
                if (at == source.npos)
                    break;
            } else if (source[at] == '(' || source[at] == '{' || source[at] == ';') {
                break;
            }
            ++at;
        }
        return name.empty() ? "kernelName" : name;
    }

}

bool lacksManifest(std::string_view source)
{
    return source.find("--- coalescope") == source.npos;
}

std::string manifestTemplate(std::string_view source)
{
    const std::string name = firstKernel(source);
    return R"toml(/* --- coalescope
id = "my_kernel"
title = "My kernel"
entry = ")toml" + name
        + R"toml("

# One control of the window each.
[[parameters]]
name = "rows"
default = 1024
min = 1
max = 65536

[[parameters]]
name = "cols"
default = 1024
min = 1
max = 65536

# Expressions of the parameters; one to three of each.
[launch]
grid = ["cdiv(cols, 32)", "cdiv(rows, 8)"]
block = [32, 8]

# One for each argument of the kernel, in its order.
[[arguments]]
buffer = "in"
type = "f32"
count = "rows * cols"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "f32"
count = "rows * cols"

[[arguments]]
scalar = "rows"
type = "i32"

[[arguments]]
scalar = "cols"
type = "i32"
--- */
)toml";
}

} // namespace coalescope::app
