// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/tensor_shapes.h"

#include "kernels/source/symbolic.h"
#include "kernels/source/tokens.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <set>

namespace coalescope::kernels {
namespace {

constexpr int kMostCalls = 4; ///< that a tensor is handed on through
constexpr int kMostDimensions = 8;

constexpr int kFloat = 0x14; ///< of tensor_library.cuh

/// Of a type's name, in C++ or among the library's constants; nothing: it is none that is known.
std::optional<int> codeOf(std::string_view type)
{
    using Row = std::pair<std::string_view, int>;
    static constexpr auto kCodes = std::to_array<Row>({ { "float", 0x14 }, { "kFloat", 0x14 }, { "kFloat32", 0x14 }, { "Float", 0x14 }, { "double", 0x28 }, { "kDouble", 0x28 }, { "kFloat64", 0x28 },
        { "Double", 0x28 }, { "Half", 0x32 }, { "half", 0x32 }, { "__half", 0x32 }, { "kHalf", 0x32 }, { "kFloat16", 0x32 }, { "BFloat16", 0x42 }, { "kBFloat16", 0x42 }, { "__nv_bfloat16", 0x42 },
        { "int", 0x54 }, { "int32_t", 0x54 }, { "kInt", 0x54 }, { "kInt32", 0x54 }, { "Int", 0x54 }, { "int64_t", 0x68 }, { "long", 0x68 }, { "kLong", 0x68 }, { "kInt64", 0x68 }, { "Long", 0x68 },
        { "int16_t", 0x72 }, { "short", 0x72 }, { "kShort", 0x72 }, { "kInt16", 0x72 }, { "Short", 0x72 }, { "int8_t", 0x81 }, { "kChar", 0x81 }, { "kInt8", 0x81 }, { "Char", 0x81 },
        { "uint8_t", 0x91 }, { "kByte", 0x91 }, { "kUInt8", 0x91 }, { "Byte", 0x91 }, { "bool", 0xa1 }, { "kBool", 0xa1 }, { "Bool", 0xa1 }, { "uint16_t", 0xb2 }, { "kUInt16", 0xb2 },
        { "uint32_t", 0xc4 }, { "kUInt32", 0xc4 } });
    const auto found = std::ranges::find(kCodes, type, &Row::first);
    return found == kCodes.end() ? std::nullopt : std::optional(found->second);
}

std::string lower(std::string_view name)
{
    std::string text(name);
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return text;
}

/// A word of a name and the number that stands for it; the first that fits counts. `=` before a word: the whole name.
struct Example {
    std::string_view word;
    std::int64_t value;
};

template <std::size_t Count> std::optional<std::int64_t> exampleIn(const std::array<Example, Count>& examples, std::string_view name)
{
    const std::string plain = lower(name);
    const auto fits = [&](const Example& example) { return example.word.starts_with('=') ? plain == example.word.substr(1) : plain.find(example.word) != plain.npos; };
    const auto found = std::ranges::find_if(examples, fits);
    return found == examples.end() ? std::nullopt : std::optional(found->value);
}

/// Tensors of an attention's, which are of one shape more often than not.
constexpr auto kOfAttention = std::to_array<std::string_view>({ "q", "k", "v", "o", "Q", "K", "V", "O", "dout", "dO", "query", "key", "value", "q_", "k_", "v_", "out", "o_" });

/// Of a tensor's size: as networks have them, and small enough to be predicted at once.
std::int64_t exampleOfSize(std::string_view name, std::string_view tensor, std::size_t rank, std::size_t position)
{
    static constexpr auto kExamples = std::to_array<Example>({ { "head_dim", 64 }, { "head_size", 64 }, { "headdim", 64 }, { "hdim", 64 }, { "dim_head", 64 }, { "d_head", 64 }, { "dhead", 64 }, { "hd", 64 },
        { "d_state", 16 }, { "dstate", 16 }, { "head", 8 }, { "num_seq", 8 }, { "n_seq", 8 }, { "batch", 8 }, { "bsz", 8 }, { "=bs", 8 }, { "=b", 8 }, { "vocab", 32768 }, { "class", 1024 }, { "expert", 8 }, { "kernel", 3 }, { "ksize", 3 }, { "=kh", 3 }, { "=kw", 3 },
        { "level", 16 }, { "group", 8 }, { "chan", 64 }, { "feat", 64 }, { "height", 64 }, { "width", 64 }, { "=c", 64 }, { "=h", 64 }, { "=w", 64 }, { "_h", 64 }, { "_w", 64 },
        { "roi", 512 }, { "box", 1024 }, { "point", 4096 }, { "sample", 32 }, { "page", 16 }, { "block_size", 16 }, { "seq", 1024 }, { "tokens", 1024 }, { "len", 1024 }, { "=t", 1024 }, { "=l", 1024 }, { "hidden", 1024 }, { "embed", 1024 }, { "dim", 1024 } });
    if (rank == 4 && isOneOf(tensor, kOfAttention)) // batch, heads, sequence, one head's
        return std::array { 2, 4, 128, 64 }[position];
    if (rank == 1 && lower(tensor).find("offset") != std::string::npos)
        return 17;
    if (const auto known = exampleIn(kExamples, name))
        return *known;
    if (rank == 1)
        return 1 << 20;
    if (rank == 2)
        return 1024;
    return position == 0 ? 8 : rank == 3 ? 256 : rank == 4 ? 64 : 16;
}

/// Reads one function's tensors.
class ShapeReader {
public:
    ShapeReader(const HostProgram& program, const HostFunction& function, const KernelParameters& kernels)
        : m_program(program)
        , m_function(function)
        , m_kernels(kernels)
    {
    }

    TensorShapes read()
    {
        std::map<std::string, std::size_t, std::less<>> names;
        for (const HostParameter& parameter : m_function.parameters) {
            if (!isTensor(parameter))
                continue;
            names.emplace(parameter.name, m_tensors.size());
            m_tensors.push_back({ .name = parameter.name });
        }
        collectCases();
        collect(m_function, names, 0);
        return made();
    }

private:
    /// A size of a tensor; negative ones count from the last.
    struct Size {
        std::size_t tensor = 0;
        int index = 0;
        auto operator<=>(const Size&) const = default;
    };
    struct Tensor {
        std::string name;
        int rank = 0; ///< 0: not known
        int code = 0;
        bool isSized = false; ///< the code asks for sizes
        std::string countName; ///< what its number of elements is called
    };
    using Names = std::map<std::string, std::size_t, std::less<>>;

    [[nodiscard]] const Token& token(std::size_t at) const { return m_program.token(at); }
    [[nodiscard]] const std::vector<Token>& tokens() const { return m_program.tokens(); }

    [[nodiscard]] bool isTensor(const HostParameter& parameter) const
    {
        for (std::size_t i = parameter.typeFirst; i < parameter.typeLast; ++i)
            if (token(i).is("Tensor") || token(i).is("TensorList"))
                return true;
        return false;
    }

    [[nodiscard]] std::optional<std::int64_t> numberAt(std::size_t& at) const
    {
        const bool isNegative = token(at).is("-");
        if (token(at + isNegative).kind != TokenKind::Number)
            return std::nullopt;
        at += isNegative ? 2 : 1;
        const std::int64_t value = literal(token(at - 1).text).asInteger();
        return isNegative ? -value : value;
    }

    /// `x.size(1)`, `x.sizes()[1]`, or `s[1]` of `auto s = x.sizes();` at `at`, which moves behind it.
    [[nodiscard]] std::optional<Size> sizeAt(std::size_t& at, const Names& names, const Names& lists) const
    {
        std::size_t next = at;
        std::string_view closing;
        const auto list = lists.find(token(at).text);
        const auto tensor = names.find(token(at).text);
        if (list != lists.end() && token(at + 1).is("[")) {
            next = at + 2;
            closing = "]";
        } else if (tensor != names.end() && (token(at + 1).is(".") || token(at + 1).is("->"))) {
            if (token(at + 2).is("size") && token(at + 3).is("(")) {
                next = at + 4;
                closing = ")";
            } else if (token(at + 2).is("sizes") && token(at + 3).is("(") && token(at + 5).is("[")) {
                next = at + 6;
                closing = "]";
            }
        }
        if (closing.empty())
            return std::nullopt;
        const auto index = numberAt(next);
        if (!index || !token(next).is(closing) || *index >= kMostDimensions || *index < -kMostDimensions)
            return std::nullopt;
        at = next + 1;
        return Size { closing == "]" && list != lists.end() ? list->second : tensor->second, int(*index) };
    }

    /// What `name = int(x.size(0))` calls a value of tokens [at, end); empty: nothing.
    [[nodiscard]] std::string nameBefore(std::size_t at, std::size_t end, std::size_t first) const
    {
        static constexpr auto kOfCasts = std::to_array<std::string_view>({ "static_cast", "<", ">", "(", ")", "int", "int64_t", "int32_t", "unsigned", "uint32_t", "long", "size_t", "std", "::" });
        std::size_t behind = end; // it ends there
        while (token(behind).is(")"))
            ++behind;
        while (at > first && isOneOf(token(at - 1).text, kOfCasts))
            --at;
        const bool isWhole = token(behind).is(";") || token(behind).is(",");
        return isWhole && at > first + 1 && token(at - 1).is("=") && token(at - 2).isWord() ? std::string(token(at - 2).text) : std::string {};
    }

    void note(const Size& size, const HostFunction& function, const std::string& name)
    {
        Tensor& tensor = m_tensors[size.tensor];
        tensor.isSized = true;
        m_seen.insert(size);
        if (!name.empty())
            m_named.emplace_back(size, std::pair(&function, name));
    }

    /// A name that others know it by: where nothing better is told.
    void noteWeakly(const Size& size, const HostFunction& function, const std::string& name)
    {
        note(size, function, {});
        if (!name.empty())
            m_namedElsewhere.emplace_back(size, std::pair(&function, name));
    }

    /// What stands behind == beside a size.
    void compare(const Size& size, std::size_t at, const HostFunction& function, const Names& names, const Names& lists)
    {
        if (std::size_t behind = at; const auto other = sizeAt(behind, names, lists)) {
            note(*other, function, {});
            m_alike.emplace_back(size, *other);
        } else if (const auto number = numberAt(behind)) {
            if (!token(behind).is("%") && *number > 0)
                m_fixed.emplace(size, *number);
        } else if (token(at).isWord() && !token(at + 1).is(".") && !token(at + 1).is("*") && !token(at + 1).is("(") && !token(at + 1).is("/") && !token(at + 1).is("+")) {
            note(size, function, std::string(token(at).text));
        }
    }

    void collect(const HostFunction& function, Names names, int depth)
    {
        Names lists;
        const std::size_t first = function.bodyFirst;
        for (std::size_t i = first; i < function.bodyLast; ++i) {
            if (!token(i).isWord())
                continue;
            std::size_t behind = i;
            if (const auto size = sizeAt(behind, names, lists)) {
                note(*size, function, nameBefore(i, behind, first));
                if (token(behind).is("=="))
                    compare(*size, behind + 1, function, names, lists);
                else if (i > first + 1 && token(i - 1).is("==") && token(i - 2).isWord() && !token(i - 3).is("."))
                    note(*size, function, std::string(token(i - 2).text));
                i = behind - 1;
                continue;
            }
            const auto tensor = names.find(token(i).text);
            if (tensor != names.end() && i > first && token(i - 1).is("(") && token(i + 1).is(")") && token(i + 2).is(".")) { // (x).data_ptr<int>()
                askedOf(i + 1, tensor->second, function, names, lists);
                continue;
            }
            if (tensor != names.end() && i > first + 1 && token(i - 2).is("numel") && token(i - 1).is("(") && token(i + 1).is(")")) { // at::numel(x)
                Tensor& sized = m_tensors[tensor->second];
                sized.isSized = true;
                if (sized.countName.empty())
                    sized.countName = nameBefore(token(i - 3).is("::") ? i - 4 : i - 2, i + 2, first);
                continue;
            }
            if (tensor != names.end() && (token(i + 1).is(".") || token(i + 1).is("->"))) {
                askedOf(i, tensor->second, function, names, lists);
                continue;
            }
            if (const auto kernel = m_kernels.find(token(i).text); kernel != m_kernels.end())
                launchedWith(i, kernel->second, function, names, lists);
            if (depth < kMostCalls && (token(i + 1).is("(") || token(i + 1).is("<")))
                handOn(i, function, names, lists, depth);
        }
    }

    /// A member of a tensor that is called: `x.dim() == 4`.
    void askedOf(std::size_t at, std::size_t index, const HostFunction& function, Names& names, Names& lists)
    {
        Tensor& tensor = m_tensors[index];
        const std::string_view member = token(at + 2).text;
        const std::size_t angle = at + 3;
        const std::size_t call = token(angle).is("<") ? behindAngle(tokens(), angle, AngleIn::Declaration) : angle;
        const std::size_t behind = token(call).is("(") ? behindBracket(tokens(), call) : call;
        const bool compares = token(behind).is("==") || token(behind).is("!=");
        std::size_t right = behind + 1;
        if ((member == "dim" || member == "ndimension") && compares) {
            if (const auto rank = numberAt(right); rank && tensor.rank == 0 && *rank > 0 && *rank <= kMostDimensions)
                tensor.rank = int(*rank);
        } else if (member.starts_with("packed_accessor") || member == "accessor" || member == "generic_packed_accessor") {
            const std::vector<TokenRange> parts = call > angle ? betweenCommas(tokens(), { angle + 1, call - 1 }) : std::vector<TokenRange> {};
            if (parts.size() > 1 && token(parts[1].first).kind == TokenKind::Number)
                tensor.rank = int(std::clamp<std::int64_t>(literal(token(parts[1].first).text).asInteger(), 1, kMostDimensions));
            tensor.isSized |= member.find("packed") != member.npos; // all of which the kernel is given
            if (!parts.empty())
                noteType(tensor, token(parts[0].last - 1).text);
        } else if (member.ends_with("data_ptr") || member == "data") {
            if (call > angle + 1) {
                noteType(tensor, token(call - 2).text);
            } else if (at >= 4 && token(at - 1).is("(") && token(at - 2).is(">")) { // reinterpret_cast<half*>(x.data_ptr())
                std::size_t type = at - 3;
                while (type > 0 && (token(type).is("*") || token(type).is("const")))
                    --type;
                noteType(tensor, token(type).text);
            }
        } else if ((member == "scalar_type" || member == "dtype") && compares) {
            while (token(right).isWord() && token(right + 1).is("::"))
                right += 2;
            if (token(behind).is("=="))
                noteType(tensor, token(right).text);
        } else if (member == "stride") {
            noteStride(index, call);
        } else if (member == "numel") {
            tensor.isSized = true;
            if (tensor.countName.empty())
                tensor.countName = nameBefore(at, behind, function.bodyFirst);
        }
        if ((member == "sizes" || member == "numel") && token(behind).is("==")) {
            std::size_t size = behind + 1;
            const auto other = names.find(token(behind + 1).text);
            if (const auto whole = sizeAt(size, names, lists)) {
                m_alike.emplace_back(Size { index, 0 }, *whole);
                note(*whole, function, {});
                tensor.isSized = true;
            } else if (other != names.end() && token(behind + 2).is(".")) {
                m_alikeWhole.emplace_back(index, other->second);
            } else if (member == "numel" && token(behind + 1).isWord() && !token(behind + 2).is("*")) {
                note({ index, 0 }, function, std::string(token(behind + 1).text));
            }
        }
        const std::string name = nameBefore(at, behind, function.bodyFirst);
        if (!name.empty() && member == "sizes" && token(behind).is(";"))
            lists.emplace(name, index);
        else if (!name.empty() && (member == "contiguous" || member == "value" || member == "detach" || member == "to" || member == "clone") && token(behind).is(";"))
            names.emplace(name, index);
    }

    /// `x.stride(1)`: there are so many sizes at least.
    void noteStride(std::size_t index, std::size_t open)
    {
        std::size_t at = open + 1;
        if (const auto stride = token(open).is("(") ? numberAt(at) : std::nullopt; stride && token(at).is(")") && *stride < kMostDimensions && *stride >= -kMostDimensions) {
            m_seen.insert({ index, int(*stride) });
            m_tensors[index].isSized = true;
        }
    }

    static void noteType(Tensor& tensor, std::string_view type)
    {
        if (const auto code = codeOf(type); code && tensor.code == 0)
            tensor.code = *code;
    }

    /// What a kernel that is launched calls the sizes that it is given.
    void launchedWith(std::size_t at, const std::vector<std::string>& parameters, const HostFunction& function, const Names& names, const Names& lists)
    {
        std::size_t open = token(at + 1).is("<") ? behindAngle(tokens(), at + 1, AngleIn::Declaration) : at + 1;
        if (!token(open).is("<<<"))
            return;
        while (open < function.bodyLast && !token(open).is(">>>") && !token(open).is(";") && !(token(open).is(">") && token(open + 1).is(">") && token(open + 2).is(">")))
            ++open;
        open += token(open).is(">>>") ? 1 : 3;
        if (!token(open).is("("))
            return;
        const std::vector<TokenRange> arguments = betweenCommas(tokens(), { open + 1, behindBracket(tokens(), open) - 1 });
        for (std::size_t i = 0; i < std::min(arguments.size(), parameters.size()); ++i) {
            std::size_t behind = arguments[i].first;
            if (const auto size = sizeAt(behind, names, lists); size && behind == arguments[i].last)
                note(*size, function, parameters[i]);
        }
    }

    /// What `switch (name) { case 64: ... }` takes, in each of the program's functions.
    void collectCases()
    {
        for (const HostFunction* function : m_program.functions())
            for (std::size_t i = function->bodyFirst; i + 3 < function->bodyLast; ++i) {
                if (!token(i).is("switch") || !token(i + 2).isWord() || !token(i + 3).is(")") || !token(i + 4).is("{"))
                    continue;
                std::vector<std::int64_t>& cases = m_cases[{ function, std::string(token(i + 2).text) }];
                const std::size_t end = std::min(behindBracket(tokens(), i + 4), function->bodyLast);
                for (std::size_t at = i + 5; at + 1 < end; ++at)
                    if (token(at).is("case") && token(at + 1).kind == TokenKind::Number && literal(token(at + 1).text).asInteger() > 0)
                        cases.push_back(literal(token(at + 1).text).asInteger());
            }
    }

    /// One of those that the code takes of a size of these names: the example, where it is among them.
    [[nodiscard]] std::int64_t takenOf(const Size& root, std::int64_t example)
    {
        for (const auto& [size, name] : m_named) {
            const auto cases = m_cases.find(name);
            if (cases != m_cases.end() && !cases->second.empty() && rootOf(size) == root)
                return std::ranges::find(cases->second, example) != cases->second.end() ? example : cases->second.front();
        }
        return example;
    }

    /// Tensors that another function of the program is given.
    void handOn(std::size_t at, const HostFunction& caller, const Names& names, const Names& lists, int depth)
    {
        const std::size_t open = token(at + 1).is("<") ? behindAngle(tokens(), at + 1, AngleIn::Declaration) : at + 1;
        if (!token(open).is("("))
            return;
        for (const HostFunction* called : m_program.functionsNamed(token(at).text)) {
            const std::vector<TokenRange> arguments = betweenCommas(tokens(), { open + 1, behindBracket(tokens(), open) - 1 });
            Names inside;
            for (std::size_t i = 0; i < std::min(arguments.size(), called->parameters.size()) && called->takes(arguments.size()); ++i) {
                std::size_t behind = arguments[i].first;
                if (const auto size = sizeAt(behind, names, lists); size && behind == arguments[i].last)
                    noteWeakly(*size, *called, called->parameters[i].name);
                const bool isWord = arguments[i].last == arguments[i].first + 1 && token(arguments[i].first).isWord();
                const auto isIt = [&](const auto& named) { return named.second.first == &caller && named.second.second == token(arguments[i].first).text; };
                if (const auto known = isWord ? std::ranges::find_if(m_named, isIt) : m_named.end(); known != m_named.end())
                    noteWeakly(Size(known->first), *called, called->parameters[i].name);
                const auto tensor = names.find(token(arguments[i].first).text);
                if (arguments[i].last == arguments[i].first + 1 && tensor != names.end())
                    inside.emplace(called->parameters[i].name, tensor->second);
            }
            if (!inside.empty() && called->takes(arguments.size()))
                return collect(*called, std::move(inside), depth + 1);
        }
    }

    /// The ranks that the sizes asked for need.
    void settleRanks()
    {
        for (std::size_t i = 0; i < m_tensors.size(); ++i) {
            m_tensors[i].rank = rankOf(i);
            const auto isLast = [&](const Size& size) { return size.tensor == i && size.index < 0; };
            if (m_tensors[i].rank == 1 && std::ranges::any_of(m_seen, isLast))
                m_tensors[i].rank = 2;
        }
        for (bool grows = true; grows;) {
            grows = false;
            for (const auto& [a, b] : m_alikeWhole)
                for (const auto& [from, to] : { std::pair(a, b), std::pair(b, a) }) {
                    Tensor& tensor = m_tensors[to];
                    if (!tensor.isSized && m_tensors[from].isSized)
                        tensor.isSized = grows = true;
                    if (tensor.rank < m_tensors[from].rank) {
                        tensor.rank = m_tensors[from].rank;
                        grows = true;
                    }
                }
        }
        for (Tensor& tensor : m_tensors)
            tensor.rank = tensor.isSized ? std::max(tensor.rank, 1) : 0;
        for (const auto& [a, b] : m_alikeWhole)
            for (int k = 0; k < std::min(m_tensors[a].rank, m_tensors[b].rank); ++k)
                m_alike.emplace_back(Size { a, k }, Size { b, k });
    }

    [[nodiscard]] int rankOf(std::size_t tensor) const
    {
        int rank = m_tensors[tensor].rank;
        if (rank == 0)
            for (const Size& size : m_seen)
                if (size.tensor == tensor)
                    rank = std::max(rank, size.index < 0 ? -size.index : size.index + 1);
        return rank;
    }

    [[nodiscard]] Size counted(Size size) const
    {
        if (size.index < 0)
            size.index = std::max(size.index + m_tensors[size.tensor].rank, 0);
        return size;
    }

    Size rootOf(Size size)
    {
        size = counted(size);
        for (auto up = m_up.find(size); up != m_up.end(); up = m_up.find(size))
            size = up->second;
        return size;
    }

    void join(const Size& a, const Size& b)
    {
        const Size rootA = rootOf(a), rootB = rootOf(b);
        if (rootA != rootB)
            m_up.emplace(std::max(rootA, rootB), std::min(rootA, rootB));
    }

    TensorShapes made()
    {
        settleRanks();
        m_named.insert(m_named.end(), m_namedElsewhere.begin(), m_namedElsewhere.end());
        std::map<std::pair<const HostFunction*, std::string>, Size> byName;
        for (const auto& [size, name] : m_named)
            if (const auto [known, isNew] = byName.emplace(name, size); !isNew)
                join(known->second, size);
        for (const auto& [a, b] : m_alike)
            join(a, b);
        std::map<Size, std::string> names;
        for (const auto& [size, name] : m_named)
            names.emplace(rootOf(size), name.second);
        std::map<Size, std::int64_t> fixed;
        for (const auto& [size, value] : m_fixed)
            fixed.emplace(rootOf(size), value);
        TensorShapes shapes;
        std::map<Size, std::string> written;
        const auto isTold = [&](std::size_t tensor) { // what anything but its rank is
            for (int k = 0; k < m_tensors[tensor].rank; ++k)
                if (const Size root = rootOf({ tensor, k }); names.contains(root) || fixed.contains(root))
                    return true;
            return !m_tensors[tensor].countName.empty();
        };
        for (std::size_t i = 0; i < m_tensors.size(); ++i) {
            std::optional<std::size_t> like; // what nothing else is told of has the shape of the first that has as many sizes
            for (std::size_t other = 0; other < i && !isTold(i) && !like; ++other) {
                const bool isAttention = m_tensors[other].rank > 2 && isOneOf(m_tensors[i].name, kOfAttention) && isOneOf(m_tensors[other].name, kOfAttention);
                if (isTold(other) && ((m_tensors[i].rank > 1 && m_tensors[other].rank >= m_tensors[i].rank) || isAttention))
                    like = other;
            }
            if (like) {
                shapes.tensors.push_back({ .name = m_tensors[i].name, .sizes = shapes.tensors[*like].sizes, .code = m_tensors[i].code ? m_tensors[i].code : kFloat });
                continue;
            }
            const Tensor& tensor = m_tensors[i];
            TensorShapes::Tensor shape { .name = tensor.name, .sizes = {}, .code = tensor.code ? tensor.code : kFloat };
            for (int k = 0; k < tensor.rank; ++k) {
                const Size root = rootOf({ i, k });
                if (const auto known = written.find(root); known != written.end()) {
                    shape.sizes.push_back(known->second);
                    continue;
                }
                const auto named = names.find(root);
                const std::string plain = named != names.end() ? named->second : tensor.rank == 1 && !tensor.countName.empty() ? tensor.countName : tensor.name + "_" + std::to_string(k);
                const auto value = fixed.find(root);
                std::string name = plain;
                for (int number = 2; isTaken(name, shapes); ++number)
                    name = plain + "_" + std::to_string(number);
                shapes.sizes.emplace_back(name, value != fixed.end() ? value->second : takenOf(root, exampleOfSize(plain, tensor.name, std::size_t(tensor.rank == 1 && isBesideOthers(plain) ? 2 : tensor.rank), std::size_t(k))));
                written.emplace(root, name);
                shape.sizes.push_back(name);
            }
            shapes.tensors.push_back(std::move(shape));
        }
        return shapes;
    }

    /// Whether the function makes something of that size and others, `torch::empty({ rows, n })`: then it is no length of a list.
    [[nodiscard]] bool isBesideOthers(std::string_view name) const
    {
        static constexpr auto kOfShapes = std::to_array<std::string_view>({ "empty", "zeros", "ones", "full", "view", "reshape", "expand" });
        for (std::size_t i = m_function.bodyFirst; i + 2 < m_function.bodyLast; ++i) {
            if (!isOneOf(token(i).text, kOfShapes) || !token(i + 1).is("(") || !token(i + 2).is("{"))
                continue;
            const std::span list = std::span(tokens()).subspan(i + 3, std::min(behindBracket(tokens(), i + 2), m_function.bodyLast) - (i + 3));
            if (std::ranges::find(list, name, &Token::text) != list.end() && std::ranges::find(list, ",", &Token::text) != list.end())
                return true;
        }
        return false;
    }

    [[nodiscard]] bool isTaken(const std::string& name, const TensorShapes& shapes) const
    {
        return std::ranges::find(m_function.parameters, name, &HostParameter::name) != m_function.parameters.end() || std::ranges::any_of(shapes.sizes, [&](const auto& size) { return size.first == name; });
    }

    const HostProgram& m_program;
    const HostFunction& m_function;
    const KernelParameters& m_kernels;
    std::vector<Tensor> m_tensors;
    std::set<Size> m_seen;
    std::vector<std::pair<Size, std::pair<const HostFunction*, std::string>>> m_named;
    std::vector<std::pair<Size, std::pair<const HostFunction*, std::string>>> m_namedElsewhere; ///< see noteWeakly()
    std::vector<std::pair<Size, Size>> m_alike;
    std::vector<std::pair<std::size_t, std::size_t>> m_alikeWhole;
    std::map<Size, std::int64_t> m_fixed;
    std::map<std::pair<const HostFunction*, std::string>, std::vector<std::int64_t>> m_cases; ///< see collectCases()
    std::map<Size, Size> m_up;
};

} // namespace

TensorShapes tensorShapes(const HostProgram& program, const HostFunction& function, const KernelParameters& kernels) { return ShapeReader(program, function, kernels).read(); }

std::int64_t exampleOfInteger(std::string_view name)
{
    static constexpr auto kExamples = std::to_array<Example>({ { "kernel", 3 }, { "ksize", 3 }, { "stride", 1 }, { "pad", 1 }, { "dilat", 1 }, { "head_dim", 64 }, { "head_size", 64 }, { "head", 8 },
        { "group_size", 128 }, { "groupsize", 128 }, { "group", 8 }, { "mode", 0 }, { "=act", 1 }, { "=grad", 0 }, { "topk", 8 }, { "top_k", 8 }, { "=k", 8 }, { "block_size", 16 }, { "page", 16 }, { "seed", 1 }, { "pool", 7 }, { "out_h", 7 }, { "out_w", 7 }, { "output_h", 7 }, { "output_w", 7 },
        { "nsample", 32 }, { "num_sample", 32 }, { "sampl", 2 }, { "point", 512 }, { "window", 64 }, { "radius", 4 }, { "displacement", 4 }, { "expert", 8 }, { "height", 64 }, { "width", 64 }, { "level", 16 }, { "bits", 4 },
        { "rot", 64 }, { "up", 2 }, { "down", 2 }, { "ignore", -100 }, { "step", 1 }, { "offset", 0 }, { "start", 0 }, { "dim", 1 }, { "axis", 1 }, { "class", 1024 }, { "vocab", 32768 }, { "seq", 1024 }, { "len", 1024 }, { "max", 1024 },
        { "size", 1024 }, { "num", 1024 }, { "=n", 1024 }, { "=m", 512 } });
    return exampleIn(kExamples, name).value_or(16);
}

std::string exampleOfReal(std::string_view name)
{
    const std::string plain = lower(name);
    using Row = std::pair<std::string_view, std::string_view>;
    static constexpr auto kExamples = std::to_array<Row>({ { "eps", "1e-5" }, { "beta1", "0.9" }, { "beta2", "0.999" }, { "lr", "1e-3" }, { "decay", "0.01" }, { "thresh", "0.5" }, { "iou", "0.5" }, { "drop", "0.1" },
        { "momentum", "0.9" }, { "spatial", "0.25" }, { "slope", "0.01" }, { "radius", "0.2" }, { "top_p", "0.9" }, { "scale", "0.125" } });
    const auto found = std::ranges::find_if(kExamples, [&](const Row& row) { return plain.find(row.first) != plain.npos; });
    return std::string(found == kExamples.end() ? "1.0" : found->second);
}

} // namespace coalescope::kernels
