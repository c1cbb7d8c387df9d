// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/suggested_launch.h"

#include "analysis/program/launch_hints.h"
#include "kernels/catalogue/parameter_role.h"
#include "kernels/experiment/decode.h"
#include "kernels/source/declared_scopes.h"
#include "kernels/source/parameter_types.h"
#include "kernels/source/template_deduction.h"
#include "kernels/source/tokens.h"
#include "kernels/source/unset_numbers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <regex>

namespace coalescope::kernels {
namespace {

using analysis::LaunchHints;

constexpr std::uint32_t kMostThreads = SuggestedBefore {}.mostThreads;

/// The template's arguments of each `template __global__ void name<float, 64>(...)`; where they are not written, `name(float*, int)`, as they follow from the types.
std::vector<std::string> instantiationsOf(const std::vector<Token>& tokens, const KernelDeclaration& kernel)
{
    std::vector<std::string> found;
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        if (!tokens[i].is("template") || tokens[i + 1].is("<"))
            continue;
        std::size_t name = i + 1;
        while (name < tokens.size() && !tokens[name].is(kernel.name) && !tokens[name].is(";") && !tokens[name].is("{"))
            ++name;
        if (name + 1 >= tokens.size() || !tokens[name].is(kernel.name))
            continue;
        std::string text;
        if (tokens[name + 1].is("<")) {
            const std::size_t behind = behindAngle(tokens, name + 1, AngleIn::Declaration);
            text = behind > name + 2 ? plainText(std::span(tokens).subspan(name + 2, behind - name - 3)) : "";
        } else if (tokens[name + 1].is("(")) {
            std::vector<std::string> types;
            for (const TokenRange& range : betweenCommas(tokens, { name + 2, behindBracket(tokens, name + 1) - 1 }))
                types.push_back(typeOfParameter(plainText(std::span(tokens).subspan(range.first, range.last - range.first))));
            const std::vector<std::string> arguments = templateArgumentsBy(kernel, {}, types);
            if (std::ranges::none_of(arguments, &std::string::empty))
                text = fmt::format("{}", fmt::join(arguments, ","));
        }
        if (!text.empty() && std::ranges::find(found, text) == found.end())
            found.push_back(text);
    }
    return found;
}

/// What else of the file has so many template arguments: other kernels that are instantiated, and classes that are written for certain ones.
std::vector<std::string> othersWith(std::size_t arguments, const std::vector<Token>& tokens)
{
    std::vector<std::string> found;
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        const bool isInstantiation = tokens[i].is("template") && !tokens[i + 1].is("<"), isSpecial = tokens[i].is("template") && tokens[i + 1].is("<") && i + 2 < tokens.size() && tokens[i + 2].is(">");
        std::size_t at = i + (isSpecial ? 3 : 1);
        while ((isInstantiation || isSpecial) && at < tokens.size() && !tokens[at].is("<") && !tokens[at].is("(") && !tokens[at].is("{") && !tokens[at].is(";"))
            ++at;
        const std::size_t behind = (isInstantiation || isSpecial) && at < tokens.size() && tokens[at].is("<") ? behindAngle(tokens, at, AngleIn::Declaration) : at;
        if (behind <= at + 1 || betweenCommas(tokens, { at + 1, behind - 1 }).size() != arguments)
            continue;
        if (const std::string text = plainText(std::span(tokens).subspan(at + 1, behind - at - 2)); std::ranges::find(found, text) == found.end())
            found.push_back(text);
    }
    return found;
}

/// Structures whose objects can be called in a kernel: what a template's operation may be.
std::vector<std::string> callablesIn(const std::vector<Token>& tokens)
{
    std::vector<std::string> found;
    std::string_view type;
    bool isOfDevice = false;
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        if ((tokens[i].is("struct") || tokens[i].is("class")) && tokens[i + 1].isWord())
            type = tokens[i + 1].text;
        isOfDevice = (isOfDevice && !tokens[i].is(";") && !tokens[i].is("}")) || tokens[i].is("__device__");
        if (tokens[i].is("operator") && tokens[i + 1].is("(") && isOfDevice && !type.empty() && (found.empty() || found.back() != type))
            found.emplace_back(type);
    }
    return found;
}

/// Whether an argument of the kernel is an object of that type, `Op op`.
bool isGivenByValue(const KernelDeclaration& kernel, std::string_view type)
{
    return std::ranges::any_of(kernel.parameters, [&](const std::string& text) {
        const std::vector<Token> tokens = tokensOf(text);
        return tokens.size() >= 2 && tokens[tokens.size() - 2].is(type);
    });
}

/// Where a line begins, from 1 on, which the text has.
std::size_t beginOfLine(const std::string& source, int line)
{
    std::size_t at = 0;
    for (int i = 1; i < line && at != source.npos; ++i)
        at = source.find('\n', at) + 1;
    return at;
}

/// "a block of 128 threads", "block 128" in what is written about a kernel, above it or where it begins; 0: nothing is.
std::uint32_t threadsInComment(const std::string& source, int line)
{
    const std::size_t end = beginOfLine(source, line);
    constexpr std::size_t kNear = 600;
    const std::string above = source.substr(end > kNear ? end - kNear : 0, std::min(end, kNear) + kNear);
    static const std::regex kThreads(R"((\d+) threads|[Bb]lock(?:[ _]?(?:size|dim|Dim)(?:\.x)?)?(?: is|:| =|=)? (\d+)(?=[ \t]*[\n,.;:)]))");
    for (std::sregex_iterator at(above.begin(), above.end(), kThreads); at != std::sregex_iterator(); ++at) {
        const std::string number = (*at)[1].matched ? (*at)[1].str() : (*at)[2].str();
        const unsigned long threads = number.size() > 4 ? 0 : std::stoul(number);
        if (threads >= 32 && threads <= kMostThreads && threads % 32 == 0)
            return std::uint32_t(threads);
    }
    return 0;
}

/// Numbers that have a name in a file: `#define BLOCK 256`, `constexpr int kThreads = 128;`.
std::map<std::string, std::uint32_t, std::less<>> constantsOf(const std::string& source)
{
    static const std::regex kConstant(R"((?:#[ \t]*define[ \t]+(\w+)[ \t]+|const(?:expr)?[ \t]+(?:static[ \t]+)?(?:unsigned[ \t]+)?(?:int|unsigned|size_t|uint32_t)[ \t]+(\w+)[ \t]*=[ \t]*)(\d{1,6})[ \t]*[;\r\n/])");
    std::map<std::string, std::uint32_t, std::less<>> constants;
    for (std::sregex_iterator at(source.begin(), source.end(), kConstant); at != std::sregex_iterator(); ++at)
        constants.emplace((*at)[1].matched ? (*at)[1].str() : (*at)[2].str(), std::uint32_t(std::stoul((*at)[3].str())));
    return constants;
}

/// Types that a file has names of its own for: `typedef unsigned int u32;`, `using Index = std::uint32_t;`.
std::map<std::string, std::string, std::less<>> aliasesOf(const std::string& source)
{
    static const std::regex kNamed(R"(typedef\s+([\w:][\w: ]*?)\s+(\w+)\s*;|using\s+(\w+)\s*=\s*([\w:][\w: ]*?)\s*;)");
    std::map<std::string, std::string, std::less<>> types;
    for (std::sregex_iterator at(source.begin(), source.end(), kNamed); at != std::sregex_iterator(); ++at) {
        const bool isTypedef = (*at)[1].matched;
        types.emplace((*at)[isTypedef ? 2 : 3].str(), (*at)[isTypedef ? 1 : 4].str());
    }
    return types;
}

bool hasWord(std::string_view name, std::initializer_list<std::string_view> words)
{
    std::string lower(name);
    std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return std::ranges::any_of(words, [&](std::string_view word) { return lower.find(word) != lower.npos; });
}

/// Elements of an attention head, or those of them that are rotated.
bool isHeadSize(std::string_view name) { return hasWord(name, { "head_dim", "headdim", "hdim", "head_size", "headsize", "rot_dim", "rotdim", "rotary_dim" }); }

/// The side of a filter's window.
bool isWindowSize(std::string_view name) { return hasWord(name, { "ksize", "kernel_size", "kernelsize", "kernel_h", "kernel_w", "filter_size", "filtersize" }); }

/// What an integer of that name is in an example; nothing: a size like others.
std::optional<std::int64_t> exampleValue(std::string_view name)
{
    if (hasWord(name, { "mask" }))
        return 1023;
    if (isHeadSize(name))
        return 64;
    if (isWindowSize(name))
        return 3;
    if (hasWord(name, { "dilation" }))
        return 1;
    if (hasWord(name, { "head", "batch" }))
        return 8;
    if (hasWord(name, { "radius", "halo" }))
        return 2;
    if (hasWord(name, { "iter", "steps" }))
        return 16;
    if (hasWord(name, { "seed" }))
        return 1;
    if (namesLogarithm(std::string(name)))
        return 20;
    if (hasWord(name, { "shift", "bit", "offset", "begin", "start", "first", "source", "root", "pad", "slot", "color", "colour", "parity", "axis", "direction" }) || name == "dir" || name == "mu")
        return 0;
    return std::nullopt;
}

class Suggestion {
public:
    Suggestion(const LaunchPlan& unit, const KernelDeclaration& kernel, const analysis::Program* program, const std::string& entry, const SuggestedBefore& known)
        : m_unit(unit)
        , m_kernel(kernel)
        , m_known(known)
        , m_entry(entry)
        , m_constants(constantsOf(unit.source))
        , m_unset(unsetNumbersOf(tokensOf(unit.source), kernel))
    {
        const std::vector<std::string> values = templateArgumentsOf(entry);
        const TypeNames names { .values = {}, .aliases = aliasesOf(unit.source) };
        for (const std::string& text : kernel.parameters) {
            const std::string plain = withTemplateValues(text, kernel, values);
            m_texts.push_back(plain);
            m_parameters.push_back(parameterOf(plain, "arg" + std::to_string(m_parameters.size() + 1), kernel, names));
            if (!plain.ends_with(m_parameters.back().name) && plain.find('[') == plain.npos)
                m_texts.back() += " " + m_parameters.back().name;
        }
        m_hasSharedBytes = kernel.dynamicShared;
        m_waitsForAllBlocks = program && program->isCooperative;
        if (program)
            m_hasSharedBytes = std::ranges::any_of(program->symbols, [](const analysis::Symbol& symbol) { return symbol.space == analysis::Space::Shared && symbol.size == 0; });
        if (program && program->parameters.size() == m_parameters.size())
            readHints(*program);
    }

    [[nodiscard]] std::string text() const
    {
        const std::array<std::uint32_t, 3> block = blockShape();
        const std::array<std::string, 3> grid = gridShape(block);
        const bool isFlat = block[1] * block[2] == 1;
        std::string parameters, numbers, arguments;
        // Of a list and a stride, the stride is between its elements; beside rows and columns it is a row's.
        const auto isUnsaid = [](const KernelParameter& one) { return isSize(one) && !exampleValue(one.name); };
        const bool isStrided = isFlat && std::ranges::count_if(m_parameters, isUnsaid) == 2;
        const bool isProduct = std::ranges::find(m_parameters, "m", &KernelParameter::name) != m_parameters.end();
        const bool isFilter = std::ranges::any_of(m_parameters, [](const KernelParameter& one) { return isSize(one) && (isWindowSize(one.name) || hasWord(one.name, { "pad", "dilation" })); });
        const auto exampleOf = [&](const KernelParameter& one) -> std::optional<std::int64_t> {
            if (isFilter && isSize(one) && hasWord(one.name, { "stride" })) // of its window
                return 1;
            if (isStrided && isSize(one) && hasWord(one.name, { "stride" }))
                return 2;
            if (!isProduct && (one.name == "k" || hasWord(one.name, { "topk", "top_k" }))) // so many of them are chosen
                return 8;
            return exampleValue(one.name);
        };
        const auto sizes = std::ranges::count_if(m_parameters, [&](const KernelParameter& one) { return isSize(one) && !exampleOf(one); })
            + std::ranges::count_if(m_unset, [](const UnsetNumber& one) { return !exampleValue(one.name); });
        const bool isOneBlock = std::ranges::none_of(m_hints.axes, &LaunchHints::Axis::hasBlocks);
        const bool isOfABlock = grid[0] == kBlocks[0].name && m_unset.empty(); // no number of blocks follows from it
        const bool isLong = sizes == 1 && isFlat && !isOfABlock && !m_hints.axes[1].hasBlocks && !m_hints.axes[2].hasBlocks;
        const std::int64_t ofOneBlock = stridesOverBlock() ? kLength >> 4 : block[0] * block[1] * block[2];
        const std::int64_t size = isOneBlock ? ofOneBlock : isLong ? kLength >> (3 * m_known.smaller) : kSide >> m_known.smaller;
        for (std::size_t i = 0; i < m_parameters.size(); ++i) {
            const KernelParameter& parameter = m_parameters[i];
            if (isSize(parameter))
                numbers += fmt::format("{} {} = {}; ", parameter.type, parameter.name, exampleOf(parameter).value_or(size));
            else
                parameters += (parameters.empty() ? "" : ", ") + m_texts[i];
            arguments += (i ? ", " : "") + parameter.name;
        }
        for (const UnsetNumber& number : m_unset) {
            const std::string name = number.isPointer ? "coalescope_" + number.name : number.name;
            numbers += fmt::format("{} {} = {}; ", number.type, name, exampleValue(number.name).value_or(size));
            numbers += number.isPointer ? fmt::format("cudaMemcpy({}, &{}, sizeof({}), cudaMemcpyHostToDevice); ", number.name, name, name)
                                        : fmt::format("cudaMemcpyToSymbol({}, &{}, sizeof({})); ", name, name, name);
        }
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (grid[axis] == kBlocks[axis].name)
                numbers += fmt::format("const int {} = {}; ", kBlocks[axis].name, kBlocks[axis].count);
        std::array<std::string, 3> threads; // along each axis of the block
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const bool isNamed = hasNamedThreads(axis) || (axis == 0 && isFlat && grid[0] == kBlocks[0].name && m_hints.axes[0].threads == 0 && m_hints.threads == 0 && !isOfOneWarp());
            const auto [constant, value] = axis == 0 && isFlat ? namedThreads() : std::pair<std::string, std::uint32_t>();
            threads[axis] = isNamed ? std::string(kBlockNames[axis]) : value == block[axis] && sees(constant) ? constant : std::to_string(block[axis]);
            if (isNamed)
                numbers += fmt::format("const int {} = {}; ", kBlockNames[axis], block[axis]);
        }
        std::array<std::string, 3> launch { fmt::format("dim3({}, {}, {})", grid[0], grid[1], grid[2]),
            isFlat ? threads[0] : fmt::format("dim3({}, {}, {})", threads[0], threads[1], threads[2]),
            m_hasSharedBytes ? std::to_string(4 * block[0] * block[1] * block[2]) : "0" };
        readWritten(launch, numbers);
        std::string entry(entryNameOf(m_entry).kernel), opened, closed;
        if (!m_kernel.scope.empty()) {
            opened = "namespace " + m_kernel.scope + " { ";
            closed = " }";
            entry = entry.substr(m_kernel.scope.size() + 2);
        }
        return fmt::format("\n{}void coalescope_suggested({}) {{ {}{}<<<{}, {}, {}>>>({}); }}{}\n", opened, parameters, numbers, entry, launch[0], launch[1], launch[2],
            arguments, closed);
    }

private:
    static constexpr std::int64_t kLength = 1048576, kSide = 1024;
    static constexpr int kSms = 132; ///< of the default GPU
    static constexpr std::uint32_t kWarp = 32;
    static constexpr std::array<std::string_view, 3> kBlockNames { "block_x", "block_y", "block_z" };
    struct Blocks {
        std::string_view name;
        int count = 0;
    };
    static constexpr std::array<Blocks, 3> kBlocks { { { "blocks_x", 256 }, { "blocks_y", 8 }, { "blocks_z", 8 } } }; ///< where nothing says how many

    void readHints(const analysis::Program& program)
    {
        m_hints = analysis::launchHints(program, [&](std::uint32_t offset) { return nameAt(program, offset); });
        // A group's rank is a sum over all axes, of which people use one.
        const std::string text = kernelText();
        const auto says = [&](std::string_view word) { return text.find(word) != text.npos; };
        if (says("thread_rank") && !says("threadIdx.y") && !says("thread_index") && !says("= threadIdx;"))
            for (const std::size_t axis : { 1, 2 })
                m_hints.axes[axis] = {};
        for (const analysis::Parameter& parameter : program.parameters) {
            m_isRead.push_back(m_hints.read.contains(parameter.offset));
            m_isBounding.push_back(m_hints.bounding.contains(parameter.offset));
        }
    }

    /// Of an integer, or one in a structure.
    [[nodiscard]] std::string nameAt(const analysis::Program& program, std::uint32_t offset) const
    {
        for (std::size_t i = 0; i < program.parameters.size(); ++i) {
            const analysis::Parameter& parameter = program.parameters[i];
            if (offset < parameter.offset || offset >= parameter.offset + parameter.size)
                continue;
            if (offset == parameter.offset && isSize(m_parameters[i]))
                return m_parameters[i].name;
            const auto* const structure = m_known.plan && i < m_known.plan->arguments.size() ? std::get_if<StructPlan>(&m_known.plan->arguments[i]) : nullptr;
            if (!structure)
                return {};
            for (const StructMember& member : structure->members)
                if (const auto* const number = std::get_if<ScalarPlan>(&member.value); number && member.offset == offset - parameter.offset)
                    return m_parameters[i].name + "." + number->name;
        }
        return {};
    }

    /// A launch of it that a comment holds, with its name or directly above it, as far as the names in it are known here.
    void readWritten(std::array<std::string, 3>& launch, std::string& numbers) const
    {
        const std::string& source = m_unit.source;
        for (std::size_t at = source.find(m_kernel.name); at != source.npos; at = source.find(m_kernel.name, at + 1)) {
            const std::size_t open = source.find("<<<", at), line = source.find('\n', at);
            if (open == source.npos || open > line || source.substr(at, open - at).find_first_of("(;") != source.npos)
                continue;
            const std::size_t close = source.find(">>>", open);
            if (close == source.npos || close - open > 300)
                return;
            take(source.substr(open + 3, close - open - 3), launch, numbers);
            return;
        }
        const std::string above = commentAbove();
        if (const std::size_t open = above.find("<<<"), close = above.find(">>>", open); close != above.npos)
            take(above.substr(open + 3, close - open - 3), launch, numbers);
    }

    /// `inside`: of <<< and >>>. One name that nothing here has is how many blocks there are, and gets a number.
    void take(const std::string& inside, std::array<std::string, 3>& launch, std::string& numbers) const
    {
        const std::vector<Token> tokens = tokensOf(inside);
        const std::vector<TokenRange> parts = betweenCommas(tokens, { 0, tokens.size() });
        for (std::size_t i = 0; i < std::min(parts.size(), launch.size()); ++i) {
            if (const std::string written = withKnownNames(tokens, parts[i]); !written.empty())
                launch[i] = written;
            else if (i == 0 && parts[i].last == parts[i].first + 1) {
                launch[i] = tokens[parts[i].first].text;
                numbers += fmt::format("const int {} = {}; ", launch[i], kBlocks[0].count);
            }
        }
    }

    /// The comment that ends on the line before the kernel.
    [[nodiscard]] std::string commentAbove() const
    {
        const std::string& source = m_unit.source;
        const std::size_t end = beginOfLine(source, m_kernel.line);
        std::size_t begin = end;
        while (begin > 0) {
            const std::size_t line = begin < 2 ? 0 : source.rfind('\n', begin - 2) + 1; // of npos: 0
            const std::size_t first = source.find_first_not_of(" \t", line);
            const std::string_view text = std::string_view(source).substr(std::min(first, begin), begin - std::min(first, begin));
            if (!text.starts_with("/") && !text.starts_with("*") && !text.starts_with("template"))
                break;
            begin = line;
        }
        return source.substr(begin, end - begin);
    }

    /// Empty: a name in it is not known.
    [[nodiscard]] std::string withKnownNames(const std::vector<Token>& tokens, TokenRange range) const
    {
        std::string text;
        for (std::size_t i = range.first; i < range.last; ++i) {
            const std::string word(tokens[i].text);
            const auto constant = m_constants.find(word);
            const auto isParameter = [&](const KernelParameter& parameter) { return isSize(parameter) && parameter.name == word; };
            if (tokens[i].isWord() && !tokens[i].is("dim3") && !tokens[i].is("sizeof") && !tokens[i].is("float") && constant == m_constants.end() && std::ranges::none_of(m_parameters, isParameter))
                return {};
            text += constant != m_constants.end() ? std::to_string(constant->second) : word;
        }
        return text;
    }

    /// Threads of a block that a constant of the file's has its name from, and that; 0: none has.
    [[nodiscard]] std::pair<std::string, std::uint32_t> namedThreads() const
    {
        for (const auto& [name, value] : m_constants)
            if (value >= 32 && value <= kMostThreads && value % 32 == 0 && hasWord(name, { "block", "thread", "tpb" }) && !hasWord(name, { "per", "items", "warp", "tile", "num_block" }))
                return { name, value };
        return {};
    }

    /// Whether the kernel names something that is declared around it.
    [[nodiscard]] bool sees(const std::string& name) const
    {
        const std::string text = kernelText();
        const std::vector<Token> tokens = tokensOf(text);
        bool isNamed = false;
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            if (tokens[i].is(name) && i + 1 < tokens.size() && tokens[i + 1].is("="))
                return false;
            isNamed = isNamed || (tokens[i].isWord() && tokens[i].is(name));
        }
        return isNamed;
    }

    /// From its __global__ to its end, as far as whole lines go.
    [[nodiscard]] std::string kernelText() const
    {
        const std::string& source = m_unit.source;
        const std::size_t first = beginOfLine(source, m_kernel.line);
        std::size_t last = first;
        for (int line = m_kernel.line; line <= m_kernel.lastLine && last < source.size(); ++line)
            last = std::min(source.find('\n', last), source.size() - 1) + 1;
        return source.substr(first, last - first);
    }

    /// `i += blockDim.x`, or by a variable that is that.
    [[nodiscard]] bool stridesOverBlock() const
    {
        static const std::regex kStride(R"(\+=\s*blockDim\.x\b|\b(\w+)\s*=\s*blockDim\.x\s*;)");
        const std::string text = kernelText();
        for (std::sregex_iterator at(text.begin(), text.end(), kStride); at != std::sregex_iterator(); ++at)
            if (!(*at)[1].matched || text.find("+= " + (*at)[1].str()) != text.npos)
                return true;
        return false;
    }

    static bool isSize(const KernelParameter& parameter) { return parameter.pointers == 0 && parameter.isInteger(); }

    /// What the code does not say is as launches have it most often: 256 threads, 16 by 16, 8 by 8 by 4, a warp along x where y is said.
    [[nodiscard]] std::array<std::uint32_t, 3> blockShape() const
    {
        const auto& axes = m_hints.axes;
        const bool isFlat = !axes[1].hasThreads && !axes[2].hasThreads;
        std::array<std::uint32_t, 3> block { axes[0].threads, axes[1].threads, axes[2].threads };
        for (std::size_t i = 0; i < block.size(); ++i)
            if (!axes[i].hasThreads && (i > 0 || !isFlat))
                block[i] = 1;
        if (const auto tile = tileByRows(); tile && axes[1].hasThreads && !axes[2].hasThreads) {
            block[0] = block[0] > 0 ? block[0] : (*tile)[0];
            block[1] = (*tile)[1];
        }
        const std::uint32_t said = m_hints.threads > 0 ? m_hints.threads : isFlat ? threadsInComment(m_unit.source, m_kernel.line) : 0;
        if (isFlat && block[0] == 0 && isOfOneWarp())
            block[0] = kWarp;
        if (const auto& [name, named] = namedThreads(); isFlat && m_hints.threads == 0 && named > 0 && (block[0] == 0 || (named < block[0] && sees(name))))
            block[0] = named;
        const std::array<std::uint32_t, 3> usual = isFlat ? std::array { kMostThreads, 1u, 1u } : axes[2].hasThreads ? std::array { 8u, 8u, 4u } : std::array { block[1] > 0 || isRowOfLanes() ? kWarp : 16u, 16u, 1u };
        for (std::size_t i = 0; i < block.size(); ++i) {
            if (block[i] > 0)
                continue;
            const bool isLast = std::ranges::count(block, 0u) == 1;
            std::uint32_t others = 1;
            for (const std::uint32_t threads : block)
                others *= std::max(threads, 1u);
            const std::uint32_t room = std::max((said > 0 ? said : std::uint32_t(kExampleThreads)) / others, 1u);
            block[i] = isLast && said > 0 ? room : std::min(room, usual[i]);
        }
        const std::uint32_t most = std::min(m_known.mostThreads, m_hints.threads > 0 ? m_hints.threads : m_known.mostThreads);
        while (block[0] * block[1] * block[2] > most)
            *std::ranges::max_element(block) /= 2;
        return block;
    }

    /// `for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)`: a tile's rows are done so many at a time. Nothing: there is no such loop.
    [[nodiscard]] std::optional<std::array<std::uint32_t, 2>> tileByRows() const
    {
        static const std::regex kLoop(R"(for\s*\(\s*\w+(?:\s+int)?\s+(\w+)\s*=\s*0\s*;\s*(\w+)\s*<\s*(\w+)\s*;\s*(\w+)\s*\+=\s*(\w+)\s*\))");
        const std::string text = kernelText();
        std::smatch loop;
        if (text.find("threadIdx.y") == text.npos || !std::regex_search(text, loop, kLoop) || loop[1] != loop[2] || loop[1] != loop[4])
            return std::nullopt;
        const auto side = m_constants.find(loop[3].str()), rows = m_constants.find(loop[5].str());
        const bool isTile = side != m_constants.end() && rows != m_constants.end() && rows->second > 0 && rows->second < side->second && side->second % rows->second == 0 && side->second * rows->second <= kMostThreads;
        return isTile ? std::optional(std::array { side->second, rows->second }) : std::nullopt;
    }

    /// `blockIdx.x * blockDim.y + threadIdx.y`: what lies along x is one row's, of as many lanes as a warp has.
    [[nodiscard]] bool isRowOfLanes() const
    {
        const auto& axes = m_hints.axes;
        const bool isAlongX = std::ranges::any_of(axes, [](const LaunchHints::Axis& axis) { return axis.threadsAlong == 0; });
        const bool isAlongY = std::ranges::any_of(axes, [](const LaunchHints::Axis& axis) { return axis.threadsAlong == 1; });
        return isAlongY && !isAlongX;
    }

    /// As many blocks as what is compared with their indices has room for. Where nothing is, one for each of a parameter that the kernel
    /// makes no other use of. Where they all wait for each other, one for each SM.
    [[nodiscard]] std::array<std::string, 3> gridShape(const std::array<std::uint32_t, 3>& block) const
    {
        if (m_waitsForAllBlocks)
            return { std::to_string(kSms), "1", "1" };
        std::array<std::string, 3> grid { "1", "1", "1" };
        std::vector<std::string> left;
        for (const bool isRead : { false, true }) // what the code does not even load can only be the grid's
            for (std::size_t i = 0; i < m_isRead.size(); ++i)
                if (isSize(m_parameters[i]) && m_isRead[i] == isRead && !m_isBounding[i] && (isRead ? isCountOfRows(m_parameters[i].name) && !isHeadSize(m_parameters[i].name) : true))
                    left.push_back(m_parameters[i].name);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const LaunchHints::Axis& hints = m_hints.axes[axis];
            if (!hints.hasBlocks)
                continue;
            std::string limit = hints.limit;
            if (limit.empty() && !left.empty()) {
                limit = left.front();
                left.erase(left.begin());
            }
            const std::uint64_t threads = hints.threadsAlong < 0 ? 1 : block[std::size_t(hints.threadsAlong)];
            const std::uint64_t perBlock = std::max<std::uint64_t>(hints.perBlock * threads / hints.threadsEach, 1);
            if (limit.empty())
                grid[axis] = kBlocks[axis].name;
            else if (hints.threadsAlong >= 0 && hasNamedThreads(std::size_t(hints.threadsAlong)))
                grid[axis] = fmt::format("({0} + {1} * {2} / {3} - 1) / ({1} * {2} / {3})", limit, hints.perBlock, kBlockNames[std::size_t(hints.threadsAlong)], hints.threadsEach);
            else
                grid[axis] = perBlock == 1 ? limit : fmt::format("({} + {}) / {}", limit, perBlock - 1, perBlock);
        }
        return grid;
    }

    /// Whether the grid follows the threads along an axis otherwise than one for one along its own: the host code gives them a name.
    [[nodiscard]] bool hasNamedThreads(std::size_t axis) const
    {
        for (std::size_t i = 0; i < m_hints.axes.size(); ++i) {
            const LaunchHints::Axis& blocks = m_hints.axes[i];
            if (blocks.threadsAlong == int(axis) && m_hints.axes[axis].threads == 0 && (i != axis || blocks.threadsEach > 1))
                return true;
        }
        return false;
    }

    /// `int lane = threadIdx.x;`: the block is a warp.
    [[nodiscard]] bool isOfOneWarp() const
    {
        static const std::regex kLane(R"(\blane(?:_?[iI]d)?\s*=\s*(?:\(?int\)?\s*)?threadIdx\.x\s*[,;])");
        return std::regex_search(kernelText(), kLane);
    }

    static bool isCountOfRows(std::string_view name)
    {
        static constexpr auto kWords = std::to_array<std::string_view>({ "row", "token", "batch", "num", "block", "head", "seq", "M", "B", "count", "vec", "image" });
        return std::ranges::any_of(kWords, [&](std::string_view word) { return word.size() == 1 ? name == word : name.find(word) != name.npos; });
    }

    const LaunchPlan& m_unit;
    const KernelDeclaration& m_kernel;
    const SuggestedBefore m_known;
    const std::string m_entry;
    const std::map<std::string, std::uint32_t, std::less<>> m_constants;
    const std::vector<UnsetNumber> m_unset;
    std::vector<std::string> m_texts;
    std::vector<KernelParameter> m_parameters;
    LaunchHints m_hints;
    std::vector<bool> m_isRead, m_isBounding; ///< parameters
    bool m_hasSharedBytes = false, m_waitsForAllBlocks = false;
};

/// Entries that the kernel may be compiled with, the likeliest first.
std::vector<std::string> entriesOf(const LaunchPlan& unit, const KernelDeclaration& kernel, const SuggestedBefore& known)
{
    const std::string example = exampleEntry(kernel);
    if (!kernel.isTemplate())
        return { example };
    const std::vector<Token> tokens = tokensOf(unit.source);
    const DeclaredScopes scopes(std::span(&unit.source, 1));
    std::vector<std::string> entries;
    const auto add = [&](const std::string& arguments) {
        const std::string qualified = scopes.qualified(arguments, kernel.scope);
        entries.push_back(kernel.fullName() + "<" + qualified + ">" + overloadOf(kernel, templateArgumentsOf("<" + qualified + ">")));
    };
    if (!known.arguments.empty()) {
        add(known.arguments);
        return entries;
    }
    const std::vector<std::string> own = instantiationsOf(tokens, kernel);
    if (known.instance < own.size())
        add(own[known.instance]);
    if (known.instance > 0)
        return entries;
    entries.push_back(example);
    constexpr std::size_t kMostCallables = 6;
    const std::vector<std::string> callables = callablesIn(tokens);
    for (std::size_t i = 0; i < std::min(kernel.templateParameters.size(), templateArgumentsOf(example).size()); ++i) {
        const bool isType = kernel.templateParameters[i].starts_with("typename") || kernel.templateParameters[i].starts_with("class");
        if (!isType || !isGivenByValue(kernel, nameOfTemplateParameter(kernel.templateParameters[i])))
            continue;
        for (const std::string& callable : std::span(callables).first(std::min(callables.size(), kMostCallables))) {
            std::vector<std::string> arguments = templateArgumentsOf(example);
            arguments[i] = callable;
            add(fmt::format("{}", fmt::join(arguments, ",")));
        }
    }
    const auto required = std::ranges::count_if(kernel.templateParameters, [](const std::string& text) { return text.find('=') == text.npos; });
    std::ranges::for_each(othersWith(std::size_t(required), tokens), add);
    for (const char* const number : { "16", "64", "256" }) { // what asserts or divides in the kernel may not like 4
        std::vector<std::string> arguments = templateArgumentsOf(example);
        for (std::size_t i = 0; i < std::min(arguments.size(), kernel.templateParameters.size()); ++i)
            if (arguments[i] == "4" && !hasWord(kernel.templateParameters[i], { "warp" })) // of which a block has few
                arguments[i] = number;
        if (arguments != templateArgumentsOf(example))
            add(fmt::format("{}", fmt::join(arguments, ",")));
    }
    return entries;
}

} // namespace

std::size_t instancesOf(const LaunchPlan& unit, const KernelDeclaration& kernel)
{
    constexpr std::size_t kMost = 4;
    return kernel.isTemplate() ? std::clamp<std::size_t>(instantiationsOf(tokensOf(unit.source), kernel).size(), 1, kMost) : 1;
}

std::string suggestedLaunch(const LaunchPlan& unit, const KernelDeclaration& kernel, const SuggestedBefore& known)
{
    const std::vector<std::string> entries = entriesOf(unit, kernel, known);
    for (const std::string& entry : entries) {
        LaunchPlan plan = unit;
        plan.entry = entry;
        plan.block = { .x = 32 };
        if (const auto decoded = decode(plan, { .verify = false, .registers = false }))
            return Suggestion(unit, kernel, decoded->program.get(), entry, known).text();
    }
    return Suggestion(unit, kernel, nullptr, entries.front(), known).text();
}

} // namespace coalescope::kernels
