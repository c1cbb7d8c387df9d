// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/manifest_template.h"

#include "kernels/catalogue/expression.h"
#include "kernels/source/parameter_types.h"

#include <algorithm>
#include <array>

namespace coalescope::kernels {
namespace {

/// Whether the source asks for a place along a second axis.
bool usesTwoAxes(std::string_view source)
{
    static constexpr auto kPlaces = std::to_array<std::string_view>({ "threadIdx.y", "blockIdx.y", "blockDim.y", "thread_index().y" });
    return std::ranges::any_of(kPlaces, [&](std::string_view place) { return source.find(place) != source.npos; });
}

/// Writes the manifest of one kernel. Its integers become parameters of the experiment; the first two, or the
/// first alone where threads lie along one axis, say how large the buffers and the grid are.
class Template {
public:
    Template(const KernelDeclaration& kernel, bool twoAxes)
        : m_kernel(kernel)
        , m_twoAxes(twoAxes)
    {
        for (const std::string& text : kernel.parameters)
            m_parameters.push_back(parameterOf(text, "arg" + std::to_string(m_parameters.size() + 1), kernel));
        for (const KernelParameter& parameter : m_parameters) {
            if (parameter.pointers == 0 && parameter.isInteger())
                m_sizes.push_back(isExpressionName(parameter.name) ? parameter.name : parameter.name + "_");
        }
    }

    std::string text()
    {
        if (m_sizes.empty())
            m_sizes.emplace_back("n");
        std::string text = "id = \"" + m_kernel.name + "\"\ntitle = \"" + m_kernel.name + "\"\n" + guesses()
            + "entry = \"" + exampleEntry(m_kernel) + "\"\n\n# One control of the window each.\n";
        for (const std::string& name : m_sizes) {
            const bool isLength = isFlat() && name == m_sizes[0];
            text += "[[parameters]]\nname = \"" + name + "\"\ndefault = " + (isLength ? "1048576" : isFlat() ? "1" : "1024")
                + "\nmin = " + (isLength || !isFlat() ? "1" : "0") + "\nmax = " + (isLength ? "16777216" : "65536") + "\n\n";
        }
        text += "# Expressions of the parameters; one to three of each.\n[launch]\n";
        text += isFlat() ? "grid = [\"cdiv(" + m_sizes[0] + ", 256)\"]\nblock = [256]\n"
                         : "grid = [\"cdiv(" + m_sizes[1] + ", 32)\", \"cdiv(" + m_sizes[0] + ", 8)\"]\nblock = [32, 8]\n";
        if (m_kernel.dynamicShared)
            text += "# TODO: the bytes of its extern __shared__ array; these are 4 a thread.\ndynamic_shared = "
                + std::to_string(4 * kExampleThreads) + "\n";
        text += "\n# One for each argument of the kernel, in its order.\n";
        std::size_t size = 0;
        for (const KernelParameter& parameter : m_parameters)
            text += parameter.pointers > 0 ? buffer(parameter) : scalar(parameter, size);
        return manifestComment(text);
    }

private:
    [[nodiscard]] bool isFlat() const { return m_sizes.size() < 2 || !m_twoAxes; }

    /// What the entry's values stand for: nobody knows them but who wrote the kernel.
    [[nodiscard]] std::string guesses() const
    {
        std::string names;
        for (const std::string& parameter : m_kernel.templateParameters)
            if (parameter.find('=') == parameter.npos)
                names += (names.empty() ? "" : ", ") + parameter;
        return names.empty() ? "" : "# TODO: values for the template's " + names + "; those below are guesses.\n";
    }

    [[nodiscard]] std::string buffer(const KernelParameter& parameter) const
    {
        const std::string count = isFlat() ? m_sizes[0] : m_sizes[0] + " * " + m_sizes[1];
        const bool isPointers = parameter.pointers > 1;
        const std::string element = isPointers ? "u64" : parameter.plain ? std::string(parameter.plain->element) : "f32";
        const int elements = isPointers || !parameter.plain ? 1 : parameter.plain->elements;
        std::string text = "[[arguments]]\n";
        if (!parameter.plain && !isPointers)
            text += "# Counted in elements of 4 bytes: multiply by those that a " + parameter.type + " holds.\n";
        text += "buffer = \"" + parameter.name + "\"\ntype = \"" + element + "\"\ncount = \"" + count
            + (elements == 1 ? "" : " * " + std::to_string(elements)) + "\"\n";
        if (!parameter.isConst)
            return text + "\n";
        if (!parameter.isInteger() || isPointers || !holdsIndices(parameter.name))
            return text + "fill = \"random:1\"\n\n";
        return text + "# TODO: its values are addresses, of which random ones are none: 0, 1, 2, ... here, \"file:PATH\" for yours.\n"
                      "fill = \"iota\"\n\n";
    }

    /// `size`: the integers so far.
    [[nodiscard]] std::string scalar(const KernelParameter& parameter, std::size_t& size) const
    {
        std::string text = "[[arguments]]\n";
        if (!parameter.plain || parameter.plain->elements > 1)
            text += "# " + parameter.type + " is no element type. A structure: struct = \"" + parameter.name
                + "\" and members = [...], written as arguments are.\n";
        text += "scalar = \"" + parameter.name + "\"\ntype = \""
            + std::string(parameter.plain ? parameter.plain->element : "u64") + "\"\n";
        if (!parameter.isInteger())
            text += "value = 1\n";
        else if (const std::string& name = m_sizes[size++]; name != parameter.name)
            text += "value = \"" + name + "\"\n";
        return text + "\n";
    }

    const KernelDeclaration& m_kernel;
    std::vector<KernelParameter> m_parameters;
    std::vector<std::string> m_sizes;
    bool m_twoAxes;
};

} // namespace

bool lacksManifest(std::string_view source)
{
    return source.find("--- coalescope") == source.npos;
}

std::string manifestComment(const std::string& toml)
{
    return "/* --- coalescope\n" + toml + "--- */\n";
}

std::string manifestTemplate(std::string_view source)
{
    const std::vector<KernelDeclaration> kernels = kernelDeclarations(source);
    const KernelDeclaration none { .name = "kernelName", .templateParameters = {},
        .parameters = { "const float* in", "float* out", "int rows", "int cols" } };
    return Template(kernels.empty() ? none : kernels[0], kernels.empty() || usesTwoAxes(source)).text();
}

std::string manifestTemplate(const KernelDeclaration& kernel, std::string_view source)
{
    return Template(kernel, usesTwoAxes(source)).text();
}

} // namespace coalescope::kernels
