// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/manifest_template.h"

#include "kernels/catalogue/expression.h"
#include "kernels/compile/kernel_declarations.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

namespace coalescope::app {
namespace {

    struct PlainType {
        std::string_view c, element;
        int elements = 1;
    };

    constexpr auto kPlainTypes = std::to_array<PlainType>({ { "float", "f32" }, { "double", "f64" }, { "int", "i32" },
        { "signed int", "i32" }, { "int32_t", "i32" }, { "unsigned", "u32" }, { "unsigned int", "u32" }, { "uint", "u32" },
        { "uint32_t", "u32" }, { "long", "i64" }, { "long int", "i64" }, { "long long", "i64" }, { "long long int", "i64" },
        { "int64_t", "i64" }, { "ptrdiff_t", "i64" }, { "unsigned long", "u64" }, { "unsigned long long", "u64" },
        { "uint64_t", "u64" }, { "size_t", "u64" }, { "short", "i16" }, { "int16_t", "i16" }, { "unsigned short", "u16" },
        { "uint16_t", "u16" }, { "char", "i8" }, { "signed char", "i8" }, { "int8_t", "i8" }, { "unsigned char", "u8" },
        { "uint8_t", "u8" }, { "bool", "u8" }, { "half", "f16" }, { "__half", "f16" }, { "half2", "f16", 2 },
        { "__half2", "f16", 2 }, { "__nv_bfloat16", "bf16" }, { "__nv_bfloat162", "bf16", 2 }, { "float2", "f32", 2 },
        { "float3", "f32", 3 }, { "float4", "f32", 4 }, { "double2", "f64", 2 }, { "int2", "i32", 2 }, { "int3", "i32", 3 },
        { "int4", "i32", 4 }, { "uint2", "u32", 2 }, { "uint4", "u32", 4 }, { "uchar4", "u8", 4 } });

    /// A parameter of a kernel, taken apart.
    struct Parameter {
        std::string name, type; ///< the type without const and pointers
        int pointers = 0;
        bool isConst = false;
        const PlainType* plain = nullptr; ///< null: a structure, or unknown
        /// One that can hold a size.
        [[nodiscard]] bool isInteger() const
        {
            return plain && plain->elements == 1 && plain->element[0] != 'f'
                && (plain->element.ends_with("32") || plain->element.ends_with("64"));
        }
    };

    bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == ':'; }

    std::vector<std::string> wordsOf(std::string_view text)
    {
        std::vector<std::string> words;
        for (std::size_t at = 0; at < text.size(); ++at) {
            const std::size_t begin = at;
            while (at < text.size() && isWord(text[at]))
                ++at;
            if (at > begin)
                words.emplace_back(text.substr(begin, at - begin));
        }
        return words;
    }

    const PlainType* plainType(const std::string& type, const std::vector<std::string>& ofTemplate)
    {
        const auto known = std::ranges::find(kPlainTypes, type.starts_with("std::") ? type.substr(5) : type, &PlainType::c);
        if (known != kPlainTypes.end())
            return &*known;
        const bool isParameter = std::ranges::any_of(ofTemplate, [&](const std::string& parameter) {
            const auto words = wordsOf(parameter);
            return words.size() >= 2 && (words[0] == "class" || words[0] == "typename") && words[1] == type;
        });
        return isParameter ? &kPlainTypes[0] : nullptr; // the entry names float
    }

    bool isQualifier(const std::string& word)
    {
        static constexpr auto kQualifiers = std::to_array<std::string_view>(
            { "const", "volatile", "__restrict__", "__restrict", "struct", "__grid_constant__" });
        return std::ranges::find(kQualifiers, word) != kQualifiers.end();
    }

    /// By its name, a buffer says where in another to look: "row_ptr", "colIdx".
    bool holdsIndices(std::string name)
    {
        std::ranges::transform(name, name.begin(), [](unsigned char c) { return char(std::tolower(c)); });
        static constexpr auto kParts = std::to_array<std::string_view>(
            { "ptr", "offset", "idx", "index", "indices", "col", "row", "start", "perm", "neigh" });
        return std::ranges::any_of(kParts, [&](std::string_view part) { return name.find(part) != name.npos; });
    }

    std::string joined(const std::vector<std::string>& words)
    {
        std::string text;
        for (const std::string& word : words)
            text += (text.empty() ? "" : " ") + word;
        return text;
    }

    Parameter parameterOf(std::string_view text, const std::string& fallbackName, const kernels::KernelDeclaration& kernel)
    {
        text = text.substr(0, text.find('='));
        Parameter parameter { .name = fallbackName, .type = {} };
        parameter.pointers = int(std::ranges::count(text, '*')) + (text.find('[') == text.npos ? 0 : 1);
        std::vector<std::string> words = wordsOf(text.substr(0, text.find('[')));
        parameter.isConst = std::ranges::find(words, "const") != words.end();
        std::erase_if(words, isQualifier);
        parameter.plain = plainType(joined(words), kernel.templateParameters);
        if (!parameter.plain && words.size() > 1) { // else the parameter has no name
            parameter.name = words.back();
            words.pop_back();
            parameter.plain = plainType(joined(words), kernel.templateParameters);
        }
        parameter.type = joined(words);
        return parameter;
    }

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
        Template(const kernels::KernelDeclaration& kernel, bool twoAxes)
            : m_kernel(kernel)
            , m_twoAxes(twoAxes)
        {
            for (const std::string& text : kernel.parameters)
                m_parameters.push_back(parameterOf(text, "arg" + std::to_string(m_parameters.size() + 1), kernel));
            for (const Parameter& parameter : m_parameters) {
                if (parameter.pointers == 0 && parameter.isInteger())
                    m_sizes.push_back(kernels::isExpressionName(parameter.name) ? parameter.name : parameter.name + "_");
            }
        }

        std::string text()
        {
            if (m_sizes.empty())
                m_sizes.emplace_back("n");
            std::string text = "/* --- coalescope\nid = \"" + m_kernel.name + "\"\ntitle = \"" + m_kernel.name + "\"\n" + guesses()
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
                    + std::to_string(4 * kernels::kExampleThreads) + "\n";
            text += "\n# One for each argument of the kernel, in its order.\n";
            std::size_t size = 0;
            for (const Parameter& parameter : m_parameters)
                text += parameter.pointers > 0 ? buffer(parameter) : scalar(parameter, size);
            return text + "--- */\n";
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

        [[nodiscard]] std::string buffer(const Parameter& parameter) const
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
        [[nodiscard]] std::string scalar(const Parameter& parameter, std::size_t& size) const
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

        const kernels::KernelDeclaration& m_kernel;
        std::vector<Parameter> m_parameters;
        std::vector<std::string> m_sizes;
        bool m_twoAxes;
    };

}

bool lacksManifest(std::string_view source)
{
    return source.find("--- coalescope") == source.npos;
}

std::string manifestTemplate(std::string_view source)
{
    const std::vector<kernels::KernelDeclaration> kernels = kernels::kernelDeclarations(source);
    const kernels::KernelDeclaration none { .name = "kernelName", .templateParameters = {},
        .parameters = { "const float* in", "float* out", "int rows", "int cols" } };
    return Template(kernels.empty() ? none : kernels[0], kernels.empty() || usesTwoAxes(source)).text();
}

} // namespace coalescope::app
