// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/tensor_library.h"

#include "kernels/compile/kernel_declarations.h"
#include "kernels/resource.h"
#include "kernels/source/host_program.h"
#include "kernels/source/symbolic.h"
#include "kernels/source/tensor_shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace coalescope::kernels {
namespace {

/// Writes the calls.
class TensorCalls {
public:
    TensorCalls(const HostProgram& program, KernelParameters kernels)
        : m_program(program)
        , m_kernels(std::move(kernels))
    {
        findLaunching();
    }

    [[nodiscard]] std::string text() const
    {
        std::string calls;
        for (const HostFunction* function : m_program.functions())
            if (m_launching.contains(function) && !m_called.contains(function))
                calls += callOf(*function);
        return calls.empty() ? calls : "int main()\n{\n" + calls + "    return 0;\n}\n";
    }

private:
    void findLaunching()
    {
        for (bool grows = true; grows;) {
            grows = false;
            for (const HostFunction* function : m_program.functions())
                if (!m_launching.contains(function) && launches(*function))
                    grows = m_launching.insert(function).second;
        }
        for (const HostFunction* caller : m_launching)
            for (std::size_t i = caller->bodyFirst; i < caller->bodyLast; ++i)
                for (const HostFunction* called : namedAt(i))
                    if (called != caller)
                        m_called.insert(called);
    }

    [[nodiscard]] bool launches(const HostFunction& function) const
    {
        for (std::size_t i = function.bodyFirst; i < function.bodyLast; ++i)
            if (startsLaunch(m_program.token(i)) || std::ranges::any_of(namedAt(i), [&](const HostFunction* called) { return m_launching.contains(called); }))
                return true;
        return false;
    }

    [[nodiscard]] std::vector<const HostFunction*> namedAt(std::size_t at) const
    {
        const Token& token = m_program.token(at);
        const bool isCalled = token.isWord() && (m_program.token(at + 1).is("(") || m_program.token(at + 1).is("<"));
        return isCalled ? m_program.functionsNamed(token.text) : std::vector<const HostFunction*> {};
    }

    /// Empty: the function has a parameter of which no value can be made up, or none that is a tensor.
    [[nodiscard]] std::string callOf(const HostFunction& function) const
    {
        const TensorShapes shapes = tensorShapes(m_program, function, m_kernels);
        std::string declared, arguments;
        bool hasTensor = false;
        for (const auto& [name, value] : shapes.sizes)
            declared += fmt::format("        const int64_t {} = {};\n", name, value);
        for (std::size_t i = 0; i < function.parameters.size(); ++i) {
            const HostParameter& parameter = function.parameters[i];
            const std::string name = parameter.name.empty() ? fmt::format("argument_{}", i) : parameter.name;
            const auto tensor = std::ranges::find(shapes.tensors, parameter.name, &TensorShapes::Tensor::name);
            std::string value = isListOfIntegers(parameter) ? listOf(function, parameter, declared) : valueOf(parameter);
            if (tensor != shapes.tensors.end()) {
                hasTensor = true;
                declared += fmt::format("        Tensor {} = {};\n", name, madeOf(*tensor));
                value = isList(parameter) ? fmt::format("{{ {0}, {0} }}", name) : name;
            } else if (!value.empty() && value.front() != '{') {
                declared += fmt::format("        auto {} = {};\n", name, value);
                value = name;
            } else if (value.empty()) {
                return {};
            }
            arguments += (i ? ", " : "") + value;
        }
        if (!hasTensor)
            return {};
        std::string templates;
        for (const HostParameter& parameter : function.ofTemplate)
            if (!parameter.hasValue())
                templates += (templates.empty() ? "<" : ", ") + std::string(parameter.isType ? "float" : "64");
        return fmt::format("    {{\n{}        {}{}({});\n    }}\n", declared, function.name, templates.empty() ? "" : templates + ">", arguments);
    }

    static std::string madeOf(const TensorShapes::Tensor& tensor)
    {
        if (tensor.sizes.empty())
            return fmt::format("tensorOfUnknownShape({})", tensor.code);
        std::string sizes;
        for (const std::string& size : tensor.sizes)
            sizes += (sizes.empty() ? "" : ", ") + size;
        return fmt::format("empty({{ {} }}, {})", sizes, tensor.code);
    }

    [[nodiscard]] std::string typeText(const HostParameter& parameter) const
    {
        std::string text;
        for (std::size_t i = parameter.typeFirst; i < parameter.typeLast; ++i)
            text += m_program.token(i).text;
        return text;
    }

    [[nodiscard]] bool isList(const HostParameter& parameter) const
    {
        const std::string type = typeText(parameter);
        return type.find("vector<") != type.npos || type.find("TensorList") != type.npos || type.find("ArrayRef<") != type.npos;
    }

    [[nodiscard]] bool isListOfIntegers(const HostParameter& parameter) const
    {
        static constexpr auto kTypes = std::to_array<std::string_view>({ "IntArrayRef", "IntList", "vector<int", "array<int", "tuple<int", "ArrayRef<int" });
        const std::string type = typeText(parameter);
        return std::ranges::any_of(kTypes, [&](std::string_view name) { return type.find(name) != type.npos; });
    }

    /// As many integers as the function asks for, declared for it.
    [[nodiscard]] std::string listOf(const HostFunction& function, const HostParameter& parameter, std::string& declared) const
    {
        std::int64_t most = 1;
        for (std::size_t i = function.bodyFirst; i < function.bodyLast; ++i)
            if (m_program.token(i).is(parameter.name) && m_program.token(i + 1).is("[") && m_program.token(i + 2).kind == TokenKind::Number)
                most = std::clamp<std::int64_t>(literal(m_program.token(i + 2).text).asInteger(), most, 7);
        std::string items;
        for (std::int64_t i = 0; i <= most; ++i) {
            const std::string name = fmt::format("{}_{}", parameter.name, i);
            declared += fmt::format("        const int64_t {} = {};\n", name, most < 2 ? exampleOfInteger(parameter.name) : i == 0 ? 8 : 64);
            items += (items.empty() ? "{ " : ", ") + name;
        }
        return items + " }";
    }

    /// Of a parameter that is no tensor. Empty: none can be made up.
    [[nodiscard]] std::string valueOf(const HostParameter& parameter) const
    {
        if (parameter.valueLast == parameter.valueFirst + 1 && m_program.token(parameter.valueFirst).kind == TokenKind::Number)
            return std::string(m_program.token(parameter.valueFirst).text);
        const std::string type = typeText(parameter);
        const auto has = [&](std::string_view word) { return type.find(word) != type.npos; };
        if (has("*"))
            return {};
        if (has("bool") || has("string") || has("ScalarType") || has("dtype") || has("Device") || has("Stream"))
            return "valueThatNobodyKnows()";
        if (has("double") || has("float") || has("Scalar"))
            return exampleOfReal(parameter.name);
        if (has("int") || has("long") || has("size_t") || has("unsigned"))
            return std::to_string(exampleOfInteger(parameter.name));
        return "valueThatNobodyKnows()";
    }

    const HostProgram& m_program;
    const KernelParameters m_kernels;
    std::set<const HostFunction*> m_launching, m_called;
};

std::string_view library(std::string_view name)
{
    for (const Resource& file : resourcesUnder("kernels/source/"))
        if (file.path.ends_with(name))
            return file.content;
    return {};
}

} // namespace

bool isTensorHeader(std::string_view name)
{
    static constexpr auto kFolders = std::to_array<std::string_view>({ "torch/", "ATen/", "c10/", "THC/" });
    return std::ranges::any_of(kFolders, [&](std::string_view folder) { return name.starts_with(folder); });
}

std::string_view runtimeLibraryFor(std::string_view text)
{
    static constexpr auto kNamed = std::to_array<std::string_view>({ "cudaExtent", "cudaPitchedPtr", "cudaMemcpy3DParms", "type_identity" });
    const bool isAsked = std::ranges::any_of(kNamed, [&](std::string_view name) { return text.find(name) != text.npos; });
    return isAsked ? library("runtime_library.cuh") : std::string_view {};
}

std::string tensorLibrary(std::vector<ProgramFile> files)
{
    std::string text(library("tensor_library.cuh"));
    KernelParameters kernels;
    for (const ProgramFile& file : files)
        for (const KernelDeclaration& kernel : kernelDeclarations(file.text))
            for (const std::string& parameter : kernel.parameters) {
                const std::vector<Token> tokens = tokensOf(parameter);
                kernels[kernel.name].push_back(tokens.empty() ? "" : std::string(tokens.back().text));
            }
    const ProgramText program(std::move(files));
    const HostProgram functions(program);
    if (functions.functionsNamed("main").empty())
        text += TensorCalls(functions, std::move(kernels)).text();
    return text;
}

} // namespace coalescope::kernels
