// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/parameter_types.h"

#include "kernels/catalogue/kernel_spec.h"
#include "kernels/source/template_deduction.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <utility>

namespace coalescope::kernels {
namespace {

constexpr auto kPlainTypes = std::to_array<PlainType>({ { "float", "f32" }, { "double", "f64" }, { "int", "i32" },
    { "signed int", "i32" }, { "int32_t", "i32" }, { "unsigned", "u32" }, { "unsigned int", "u32" }, { "uint", "u32" },
    { "uint32_t", "u32" }, { "long", "i64" }, { "long int", "i64" }, { "long long", "i64" }, { "long long int", "i64" },
    { "int64_t", "i64" }, { "ptrdiff_t", "i64" }, { "unsigned long", "u64" }, { "unsigned long long", "u64" },
    { "uint64_t", "u64" }, { "size_t", "u64" }, { "short", "i16" }, { "int16_t", "i16" }, { "unsigned short", "u16" },
    { "uint16_t", "u16" }, { "char", "i8" }, { "signed char", "i8" }, { "int8_t", "i8" }, { "unsigned char", "u8" },
    { "uint8_t", "u8" }, { "bool", "u8" }, { "half", "f16" }, { "__half", "f16" }, { "half2", "f16", 2 },
    { "__half2", "f16", 2 }, { "__nv_bfloat16", "bf16" }, { "__nv_bfloat162", "bf16", 2 }, { "float2", "f32", 2 },
    { "float3", "f32", 3 }, { "float4", "f32", 4 }, { "double2", "f64", 2 }, { "int2", "i32", 2 }, { "int3", "i32", 3 },
    { "int4", "i32", 4 }, { "uint2", "u32", 2 }, { "uint4", "u32", 4 }, { "uchar4", "u8", 4 }, { "uchar2", "u8", 2 }, { "uchar3", "u8", 3 }, { "char4", "i8", 4 }, { "short2", "i16", 2 },
    { "uint3", "u32", 3 }, { "longlong2", "i64", 2 }, { "cuComplex", "f32", 2 }, { "cuFloatComplex", "f32", 2 }, { "cufftComplex", "f32", 2 },
    { "nv_bfloat16", "bf16" }, { "uchar", "u8" }, { "byte", "u8" }, { "long unsigned int", "u64" }, { "intptr_t", "i64" }, { "ulonglong2", "u64", 2 },
    { "ushort", "u16" }, { "ushort2", "u16", 2 }, { "ushort3", "u16", 3 }, { "ushort4", "u16", 4 }, { "short3", "i16", 3 }, { "short4", "i16", 4 }, { "char2", "i8", 2 }, { "char3", "i8", 3 },
    { "long2", "i64", 2 }, { "long3", "i64", 3 }, { "long4", "i64", 4 }, { "longlong", "i64" }, { "longlong3", "i64", 3 }, { "longlong4", "i64", 4 }, { "ulonglong", "u64" }, { "ulonglong3", "u64", 3 }, { "ulonglong4", "u64", 4 },
    { "cuDoubleComplex", "f64", 2 }, { "double3", "f64", 3 }, { "double4", "f64", 4 }, { "__nv_fp8_e4m3", "u8" }, { "__nv_fp8_e5m2", "u8" },
    { "curandState", "u32", 12 }, { "curandState_t", "u32", 12 }, { "curandStateXORWOW_t", "u32", 12 }, { "curandStateMRG32k3a_t", "u32", 12 }, { "curandStatePhilox4_32_10_t", "u32", 16 } });

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

bool isQualifier(const std::string& word)
{
    static constexpr auto kQualifiers = std::to_array<std::string_view>(
        { "const", "volatile", "__restrict__", "__restrict", "struct", "enum", "__grid_constant__" });
    return std::ranges::find(kQualifiers, word) != kQualifiers.end();
}

std::string joined(const std::vector<std::string>& words)
{
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : " ") + word;
    return text;
}

/// What a type of the template's is; the type itself where it is none of those.
std::string boundType(std::string type, const KernelDeclaration& kernel, const TypeNames& names)
{
    for (std::size_t i = 0; i < kernel.templateParameters.size(); ++i) {
        if (nameOfTemplateParameter(kernel.templateParameters[i]) == type)
            return i < names.values.size() ? names.values[i] : "float"; // as the example's entry names it
    }
    for (int depth = 0; depth < 8 && !plainType(type); ++depth) {
        const auto alias = names.aliases.find(type);
        if (alias == names.aliases.end())
            break;
        type = alias->second;
    }
    return type;
}

} // namespace

const PlainType* plainType(std::string_view type)
{
    const auto known = std::ranges::find(kPlainTypes, type.starts_with("std::") ? type.substr(5) : type, &PlainType::c);
    return known == kPlainTypes.end() ? nullptr : &*known;
}

std::string componentOf(std::string_view type)
{
    const PlainType* plain = plainType(type);
    const std::string_view component = type.substr(0, type.size() - std::min<std::size_t>(type.size(), 1));
    const PlainType* single = plain && plain->elements > 1 ? plainType(component) : nullptr;
    return single && single->element == plain->element ? std::string(component) : "";
}

std::vector<std::string> templateArgumentsOf(std::string_view type)
{
    std::vector<std::string> arguments;
    std::string argument;
    int depth = 0;
    for (std::size_t i = type.find('<'); i < type.size(); ++i) {
        depth += (type[i] == '<') - (type[i] == '>');
        if (depth == 0 || (type[i] == ',' && depth == 1))
            arguments.push_back(std::exchange(argument, {}));
        else if (depth > 1 || type[i] != '<')
            argument += type[i];
        if (depth == 0)
            break;
    }
    return arguments;
}

std::string templateList(const std::vector<std::string>& arguments)
{
    std::string list;
    for (const std::string& argument : arguments)
        list += (list.empty() ? "" : ",") + argument;
    return list.empty() ? "" : "<" + list + ">";
}

int bytesOfType(std::string_view type)
{
    if (type.ends_with('*'))
        return 8;
    const PlainType* plain = plainType(type);
    return plain ? bytesOf(*elementTypeNamed(plain->element)) * plain->elements : 0;
}

bool isCount(std::string_view type)
{
    const PlainType* const plain = plainType(type);
    return bytesOfType(type) >= 4 && (!plain || plain->element[0] != 'f');
}

bool KernelParameter::isInteger() const
{
    return plain && plain->elements == 1 && plain->element[0] != 'f' && (plain->element.ends_with("32") || plain->element.ends_with("64"));
}

KernelParameter parameterOf(std::string_view text, const std::string& fallbackName, const KernelDeclaration& kernel, const TypeNames& names)
{
    text = text.substr(0, text.find('='));
    KernelParameter parameter { .name = fallbackName, .type = {} };
    parameter.pointers = int(std::ranges::count(text, '*')) + (text.find('[') == text.npos ? 0 : 1);
    std::vector<std::string> words = wordsOf(text.substr(0, text.find_first_of("[<")));
    if (const auto angle = text.find('<'); angle != text.npos) { // View<T> name
        for (const std::string& word : wordsOf(text.substr(std::min(text.rfind('>') + 1, text.size()))))
            words.push_back(word);
    }
    const auto isConstBefore = [&](std::size_t star) {
        const std::vector<std::string> before = wordsOf(text.substr(0, std::min(star, text.find('<'))));
        return std::ranges::find(before, "const") != before.end();
    };
    parameter.isConst = isConstBefore(text.rfind('*'));
    parameter.isOfConst = isConstBefore(text.find('*'));
    std::erase_if(words, isQualifier);
    const auto find = [&] { return plainType(boundType(joined(words), kernel, names)); };
    parameter.plain = find();
    if (!parameter.plain && words.size() > 1) { // else the parameter has no name
        parameter.name = words.back();
        words.pop_back();
        parameter.plain = find();
    }
    parameter.type = boundType(joined(words), kernel, names);
    if (parameter.type.ends_with('*')) { // what a template's parameter stands for
        parameter.isConst = parameter.isOfConst = parameter.type.starts_with("const ");
        while (parameter.type.ends_with('*')) {
            parameter.type.pop_back();
            ++parameter.pointers;
        }
        parameter.type.erase(0, parameter.isConst ? std::string_view("const ").size() : 0);
        parameter.plain = plainType(parameter.type);
    }
    return parameter;
}

namespace {

bool containsOneOf(std::string name, std::span<const std::string_view> parts)
{
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return std::ranges::any_of(parts, [&](std::string_view part) { return name.find(part) != name.npos; });
}

} // namespace

bool holdsFlags(const std::string& name)
{
    static constexpr auto kParts = std::to_array<std::string_view>({ "active", "alive", "flag", "mask", "solid", "valid", "visited" });
    return containsOneOf(name, kParts);
}

bool holdsIndices(const std::string& name)
{
    static constexpr auto kParts = std::to_array<std::string_view>(
        { "ptr", "offset", "idx", "index", "indices", "col", "row", "start", "perm", "neigh" });
    return containsOneOf(name, kParts);
}

} // namespace coalescope::kernels
