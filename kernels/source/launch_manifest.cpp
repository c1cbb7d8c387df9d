// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/launch_manifest.h"

#include "kernels/catalogue/expression.h"
#include "kernels/catalogue/kernel_impl.h"
#include "kernels/catalogue/parameter_role.h"
#include "kernels/source/block_sizes.h"
#include "kernels/source/chosen_fill.h"
#include "kernels/source/declarations.h"
#include "kernels/source/declared_scopes.h"
#include "kernels/source/host_launch.h"
#include "kernels/source/host_reader.h"
#include "kernels/source/index_use.h"
#include "kernels/source/launch_literals.h"
#include "kernels/source/made_integers.h"
#include "kernels/source/module_variables.h"
#include "kernels/source/parameter_types.h"
#include "kernels/source/template_deduction.h"
#include "kernels/source/tokens.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <set>

namespace coalescope::kernels {
namespace {

constexpr std::int64_t kLargestConstant = 65536; ///< of what only the kernel sees: a mask is nothing to try
constexpr std::int64_t kMostGuessedElements = std::int64_t(1) << 26;
constexpr std::int64_t kMostBlockThreads = 1024; ///< of a block
constexpr int kElementsOfAStructure = 16; ///< of 4 bytes, in a buffer of what is no element: a generator's state has 12

class Writer {
public:
    Writer(const ProgramLaunches& program, const ProgramLaunch& launch, const KernelDeclaration& kernel, std::span<const std::string> deviceCode,
        const AskHost& askHost, std::span<const WrittenLaunch> earlier)
        : m_program(program)
        , m_launch(launch)
        , m_kernel(withoutPack(kernel, launch.arguments.size()))
        , m_deviceCode(deviceCode)
        , m_askHost(askHost)
        , m_earlier(earlier)
        , m_use(blockUseOf(m_kernel.name, deviceCode))
    {
        m_types.values = templateArgumentsOf(launch.entry);
        m_types.aliases = program.aliases;
        for (const std::string& code : deviceCode)
            countWords(tokensOf(code));
    }

    /// What other kernels do with a name is nothing to this one.
    void countWords(const std::vector<Token>& tokens)
    {
        static constexpr auto kNoUse = std::to_array<std::string_view>({ "ifdef", "ifndef", "undef" });
        std::size_t at = 0;
        const auto count = [&](std::size_t end) {
            for (; at < end; ++at) {
                const Token& token = tokens[at];
                if (token.isWord())
                    ++m_words[std::string(token.text)];
                else if (token.kind == TokenKind::Directive && !isOneOf(partsOf(token).name, kNoUse))
                    for (const Token& part : tokensOf(partsOf(token).rest))
                        if (part.isWord())
                            ++m_words[std::string(part.text)];
            }
        };
        for (const Declaration& declaration : declarationsOf(tokens)) {
            if (!isOtherKernel(tokens, declaration, m_kernel.name) || declaration.bodyFirst < at)
                continue;
            count(declaration.bodyFirst);
            at = declaration.bodyLast;
        }
        count(tokens.size());
    }

    LaunchManifest write(const std::string& fileName)
    {
        refuseLambdas();
        checkShape();
        for (const std::string& function : m_program.roundingUp)
            guess(Guess::Kind::RoundingUp, function);
        completeEntry();
        fixDimensions();
        findUsed();
        nameLiterals();
        const std::string shape = shapeText();
        m_ofHost = fmt::format("{}", fmt::join(m_launch.corrected, ", "));
        std::string arguments;
        for (std::size_t i = 0; i < std::max(m_launch.arguments.size(), m_kernel.parameters.size()); ++i)
            arguments += "\n[[arguments]]\n" + argumentText(i);
        std::set<std::string, std::less<>> ofHost; // variables
        for (const ModuleVariable& variable : moduleVariablesOf(m_deviceCode))
            if (const std::string text = variableText(variable); !text.empty()) {
                arguments += text;
                ofHost.insert(variable.name);
            }
        for (const ProgramConstant& constant : m_launch.constants)
            if (isRead(constant) && !ofHost.contains(constant.name))
                arguments += constantText(constant);
        const std::string where = m_launch.line > 0 ? "on line " + std::to_string(m_launch.line) + " of " + fileName : "by " + fileName;
        const std::string zhWhere = m_launch.line > 0 ? fileName + " 第 " + std::to_string(m_launch.line) + " 行" : fileName;
        const std::string text = "id = " + inQuotes(m_launch.kernel) + "\ntitle = " + inQuotes(m_launch.kernel) + "\nsummary = { en = "
            + inQuotes("As launched " + where + (m_launch.isAside ? ", in a branch that the program by itself does not take." : ".") + sentence(" Later launches of it differ in ", later(": "), ".") + sentence(" Left by earlier launches: ", m_left, ".") + sentence(" Worked out from the host's code: ", m_ofHost, ".")
                + (areFilesAbsent() ? " Files that it reads are taken to be absent." : "")
                + sentence(" The host's loop on line ", leftLoop(), " takes too long to be followed to its end, so that what it makes is guessed; written with smaller sizes it is followed."))
            + ", zh_CN = "
            + inQuotes("按 " + zhWhere + "的启动方式" + (m_launch.isAside ? "（程序自身不会进入该分支）。" : "。") + sentence("之后的启动有不同的 ", later("："), "。") + sentence("由之前的启动留下：", m_left, "。") + sentence("由主机代码推得：", m_ofHost, "。")
                + (areFilesAbsent() ? "它所读取的文件按不存在处理。" : "")
                + sentence("主机代码第 ", leftLoop(), " 行的循环太长，无法推演到底，其结果为猜测；程序写得较小时可以推演。"))
            + " }\nentry = " + inQuotes(renamed(m_entry)) + "\n";
        m_made.text = text + parametersText() + shape + arguments;
        return std::move(m_made);
    }

private:
    /// Nothing where there is nothing to say.
    static std::string sentence(const char* before, const std::string& what, const char* behind) { return what.empty() ? "" : before + what + behind; }

    /// "k: 4, 8; j": what later launches are given, as far as it is known.
    [[nodiscard]] std::string later(const char* colon) const
    {
        constexpr std::size_t kMostListed = 3;
        std::vector<std::string> parts;
        for (const auto& [index, values] : m_launch.later) {
            if (index >= m_kernel.parameters.size())
                continue;
            const KernelParameter parameter = parameterOf(m_kernel.parameters[index], "arg" + std::to_string(index + 1), m_kernel, m_types);
            std::string part = parameter.name;
            const bool isWide = !parameter.plain || parameter.plain->element.ends_with("64"); // else what does not fit wraps around, which is not followed
            const auto fits = [&](std::int64_t value) { return isWide || (value >= std::numeric_limits<std::int32_t>::min() && value <= std::int64_t(std::numeric_limits<std::uint32_t>::max())); };
            if (!std::ranges::all_of(values, fits)) {
                parts.push_back(part);
                continue;
            }
            if (!values.empty())
                part += colon + fmt::format("{}", fmt::join(values.begin(), values.begin() + std::ptrdiff_t(std::min(values.size(), kMostListed)), ", "));
            const bool areMore = values.size() > kMostListed || (m_launch.isLaterOpen && !values.empty());
            parts.push_back(part + (areMore ? ", …" : ""));
        }
        return fmt::format("{}", fmt::join(parts, "; "));
    }

    /// What is worked out may depend on it.
    [[nodiscard]] bool areFilesAbsent() const { return !m_ofHost.empty() && canAskHost() && m_askHost().areFilesAbsent; }

    /// The line of a loop of the host's that may have made what is guessed.
    [[nodiscard]] std::string leftLoop() const
    {
        const bool leads = std::ranges::any_of(m_made.guesses, [](const Guess& guess) { return guess.leads() && guess.kind != Guess::Kind::RoundingUp; });
        return leads && canAskHost() && m_askHost().leftLoop > 0 ? std::to_string(m_askHost().leftLoop) : "";
    }

    void guess(Guess::Kind kind, const std::string& what, std::string taken = {})
    {
        const Guess made { kind, kind == Guess::Kind::Value ? m_structure + what : what, std::move(taken) };
        if (std::ranges::find(m_made.guesses, made) == m_made.guesses.end())
            m_made.guesses.push_back(made);
    }
    /// `what`: the launch does not tell it.
    void refuse(const std::string& what)
    {
        if (m_made.problem.empty())
            m_made.problem = "does not tell " + what;
    }
    void refuseLambdas()
    {
        for (std::size_t i = 0; i < m_launch.arguments.size() && i < m_kernel.parameters.size(); ++i)
            if (!m_launch.arguments[i].lambda.empty() && m_made.problem.empty())
                m_made.problem = "gives '" + parameterOf(m_kernel.parameters[i], "arg" + std::to_string(i + 1), m_kernel, m_types).name + "' the lambda "
                    + m_launch.arguments[i].lambda + ": a kernel of an extended __device__ lambda cannot be compiled on its own; give it a functor, a struct with operator()";
    }

    void checkShape()
    {
        const bool isGrid = !m_launch.isGridKnown, isBlock = !m_launch.isBlockKnown;
        if (!m_launch.isShapeKnown)
            refuse("how large " + std::string(isGrid == isBlock ? "the grid and the block are" : isGrid ? "the grid is" : "the block is") + (m_launch.unknown.empty() ? "" : ": " + m_launch.unknown + " is not known there"));
        for (const Symbolic& size : m_launch.block)
            if (size.asInteger() < 1)
                refuse("how large the block is");
        for (const Symbolic& size : m_launch.grid)
            if (size.asInteger() < 1)
                refuse("how large the grid is");
        const auto required = std::size_t(std::ranges::count_if(m_kernel.parameters, [](const std::string& text) { return text.find('=') == text.npos; }));
        if (m_launch.arguments.size() < required || m_launch.arguments.size() > m_kernel.parameters.size())
            refuse("all of its arguments");
    }

    /// The entry as it is called from outside of all namespaces, with the template's arguments.
    void completeEntry()
    {
        m_entry = m_launch.entry;
        const std::size_t arguments = m_entry.find('<');
        const std::string plain = m_entry.substr(0, arguments);
        for (std::size_t i = m_types.values.size(); i < m_kernel.templateParameters.size(); ++i) {
            if (m_kernel.templateParameters[i].find('=') != std::string::npos)
                break;
            m_types.values.push_back(deduced(i));
        }
        for (const std::string& value : m_types.values)
            if (value.ends_with("..."))
                refuse("what '" + value + "' stands for");
        const DeclaredScopes scopes(m_deviceCode);
        std::vector<std::string> values;
        for (const std::string& value : m_types.values)
            values.push_back(scopes.qualified(value, m_kernel.scope));
        const bool isOfDefaults = values.empty() && !m_kernel.templateParameters.empty();
        const std::string full = "::" + m_kernel.fullName(); // which may be written from within a namespace
        m_entry = (full.ends_with("::" + plain) ? m_kernel.fullName() : plain) + (isOfDefaults ? "<>" : templateList(values)) + overloadOf(m_kernel, values);
    }

    /// What a parameter of the template is, by the buffers and numbers given.
    std::string deduced(std::size_t index)
    {
        const std::string& text = m_kernel.templateParameters[index];
        const std::string read = readType(nameOfTemplateParameter(text)), told = index < m_launch.told.size() ? m_launch.told[index] : "";
        const PlainType *const plainRead = plainType(read), *const plainTold = plainType(told);
        const bool areSame = plainRead && plainTold && plainRead->element == plainTold->element; // then as the source calls it
        if (!told.empty() && !areSame)
            return told;
        if (!read.empty())
            return read;
        const std::string taken = text.starts_with("int") || text.starts_with("unsigned") ? "4" : "float";
        guess(Guess::Kind::TemplateArgument, text, taken);
        return taken;
    }

    /// What the type of that name in the kernel's parameters is, by what the launch is read to be given; empty: not known.
    [[nodiscard]] std::string readType(std::string_view name) const
    {
        for (std::size_t i = 0; i < m_launch.arguments.size() && i < m_kernel.parameters.size(); ++i) {
            const std::vector<Token> tokens = tokensOf(m_kernel.parameters[i]);
            const auto isThere = [&](std::string_view mark) { return std::ranges::any_of(tokens, [&](const Token& token) { return token.is(mark); }); };
            if (!isThere(name))
                continue;
            if (const std::string& type = m_launch.arguments[i].type; !type.empty())
                return isThere("<") ? withinType(name, i, type) : type;
            const int buffer = m_launch.arguments[i].buffer;
            const std::string type = !m_launch.arguments[i].element.empty() || buffer < 0 ? m_launch.arguments[i].element : m_program.buffers[std::size_t(buffer)].type;
            if (!type.empty())
                return isThere("*") || isThere("<") ? type : type + "*";
        }
        return {};
    }

    /// What the name stands for in the type of parameter i, `View<T, 2>`, if that is so a type; the whole type where it is not made alike.
    [[nodiscard]] std::string withinType(std::string_view name, std::size_t i, const std::string& type) const
    {
        std::vector<std::string> types(m_kernel.parameters.size());
        types[i] = type;
        const std::vector<std::string> found = templateArgumentsBy(m_kernel, {}, types);
        for (std::size_t k = 0; k < std::min(found.size(), m_kernel.templateParameters.size()); ++k)
            if (nameOfTemplateParameter(m_kernel.templateParameters[k]) == name && !found[k].empty())
                return found[k];
        return type;
    }

    // Parameters

    void use(const Symbolic& number)
    {
        for (const std::string& name : number.parameters)
            use(name);
    }

    void use(const std::string& name)
    {
        const auto parameter = std::ranges::find(m_program.parameters, name, &ProgramParameter::name);
        if (parameter != m_program.parameters.end() && !m_names.contains(name) && std::ranges::find(m_used, &*parameter) == m_used.end())
            m_used.push_back(&*parameter);
    }

    void useMembers(const LaunchArgument& argument)
    {
        use(argument.number);
        if (argument.buffer >= 0 && m_program.buffers[std::size_t(argument.buffer)].bytes)
            use(*m_program.buffers[std::size_t(argument.buffer)].bytes);
        for (const LaunchArgument& member : argument.members)
            useMembers(member);
    }

    /// What grids, blocks, buffers and templates are made of: at least 1.
    void noteSizes(const Symbolic& size) { m_sizes.insert(size.parameters.begin(), size.parameters.end()); }
    [[nodiscard]] bool isSeenByKernel(const ProgramParameter& parameter) const
    {
        const auto count = parameter.define.empty() ? m_words.end() : m_words.find(parameter.define);
        return count != m_words.end() && count->second > 1; // once where it gets its value
    }

    /// In the order of what they are about: the problem's size, the shape of the launch, what the kernel sees.
    void findUsed()
    {
        for (std::size_t i = 0; i < m_launch.arguments.size(); ++i) {
            const bool isPointer = i < m_kernel.parameters.size() && parameterOf(m_kernel.parameters[i], "", m_kernel, m_types).pointers > 0;
            useMembers(isPointer ? pointerWithin(m_launch.arguments[i]) : m_launch.arguments[i]);
        }
        fixGrid();
        for (const std::string& value : m_types.values)
            if (value.starts_with('{'))
                use(value.substr(1, value.size() - 2));
        for (const Symbolic& size : m_launch.grid)
            use(size);
        for (const Symbolic& size : m_launch.block)
            use(size);
        if (m_launch.sharedBytes)
            use(*m_launch.sharedBytes);
        for (const ProgramConstant& constant : m_launch.constants)
            if (isRead(constant))
                use(constant.value);
        for (const ProgramParameter& parameter : m_program.parameters)
            if (isSeenByKernel(parameter) && parameter.value >= 0 && parameter.value <= kLargestConstant && !parameter.name.starts_with("WARP"))
                use(parameter.name);
        if (m_launch.isWorkedOut)
            useWhatMayMatter();
        std::set<std::string> taken;
        for (const ProgramParameter* parameter : m_used)
            taken.insert(parameter->name);
        for (const ProgramParameter* parameter : m_used) { // "N_2" is N where no other N is used
            const auto number = parameter->name.rfind('_');
            const bool isNumbered = number != std::string::npos && number > 0 && number + 1 < parameter->name.size()
                && parameter->name.find_first_not_of("0123456789", number + 1) == std::string::npos;
            const std::string plain = parameter->name.substr(0, number);
            const bool known = isNumbered && std::ranges::find(m_program.parameters, plain, &ProgramParameter::name) != m_program.parameters.end();
            m_names[parameter->name] = known && taken.insert(plain).second ? plain : parameter->name;
            if (parameter->isGuessed)
                guess(Guess::Kind::Value, m_names[parameter->name], std::to_string(defaultOf(*parameter)));
        }
    }

    /// What the host code works out may be made of any of its numbers: of the sizes, by their names.
    void useWhatMayMatter()
    {
        static constexpr auto kNoSizes = std::to_array<std::string_view>({ "iter", "rep", "run", "trial", "warm", "seed", "block", "thread", "warp", "tile", "bench", "verbose", "device", "mode", "max", "min", "rng", "rand", "engine", "state", "processor" });
        constexpr std::size_t kMost = 6;
        std::size_t more = 0;
        for (const ProgramParameter& parameter : m_program.parameters) {
            std::string name = parameter.name;
            std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
            const bool isSize = name != "gen" && std::ranges::none_of(kNoSizes, [&](std::string_view other) { return name.find(other) != name.npos; });
            if (isSize && parameter.value > 1 && !parameter.isGuessed && !parameter.isExample && !parameter.isOfHost && !parameter.isDimension && more++ < kMost)
                use(parameter.name);
        }
    }

    /// The kernel mentions it, beside where it is declared, and as an array of so many dimensions, of numbers or vectors; classes are not looked into.
    [[nodiscard]] bool isRead(const ProgramConstant& constant) const
    {
        const auto count = m_words.find(constant.name);
        if (count == m_words.end() || count->second < 2)
            return false;
        for (const std::string& code : m_deviceCode) {
            const std::vector<Token> tokens = tokensOf(code);
            for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
                if (!tokens[i].is(constant.name) || !tokens[i - 1].isWord() || !(tokens[i + 1].is("[") || tokens[i + 1].is(";")))
                    continue;
                const PlainType* type = plainType(std::string(tokens[i - 1].text));
                int depth = type && type->elements > 1;
                for (std::size_t at = i + 1; at < tokens.size() && tokens[at].is("["); at = behindBracket(tokens, at))
                    ++depth;
                return !type || std::max(depth, 1) >= depthOf(constant.value);
            }
        }
        return true;
    }

    /// In two namespaces.
    [[nodiscard]] bool isDeclaredTwice(const std::string& name) const
    {
        int declared = 0;
        for (const std::string& code : m_deviceCode)
            for (const Declaration& declaration : declarationsOf(tokensOf(code)))
                declared += !declaration.hasBody() && std::ranges::find(declaration.names, name) != declaration.names.end();
        return declared > 1;
    }

    static int depthOf(const ProgramConstant::Value& value)
    {
        int deepest = 0;
        for (const ProgramConstant::Value& item : value.items)
            deepest = std::max(deepest, 1 + depthOf(item));
        return deepest;
    }

    void use(const ProgramConstant::Value& value)
    {
        if (value.number)
            use(*value.number);
        for (const ProgramConstant::Value& item : value.items)
            use(item);
    }

    /// Numbers, one after the other; false: one of them is not known.
    static bool numbersOf(const ProgramConstant::Value& value, std::vector<double>& numbers)
    {
        if (value.items.empty() && value.number)
            numbers.push_back(value.number->asReal());
        return value.items.empty() ? value.number.has_value() : std::ranges::all_of(value.items, [&](const ProgramConstant::Value& item) { return numbersOf(item, numbers); });
    }

    /// Whether reading the code tells what following it does. Reading sees formulas, but follows no loop as it runs.
    static bool isAsTold(const ProgramConstant::Value& value, const std::vector<std::string>& told)
    {
        constexpr double kSame = 1e-6; ///< relative
        std::vector<double> numbers;
        if (!numbersOf(value, numbers) || numbers.size() > told.size())
            return false;
        numbers.resize(told.size()); // the rest is zero
        return std::ranges::equal(numbers, told, [](double read, const std::string& text) {
            const double followed = std::strtod(text.c_str(), nullptr);
            return std::abs(read - followed) <= kSame * std::abs(followed);
        });
    }

    /// Of a variable of the module that launches may have written to, or that holds more than a list of numbers could tell; else empty.
    std::string variableText(const ModuleVariable& variable)
    {
        const auto copied = std::ranges::find(m_launch.constants, variable.name, &ProgramConstant::name);
        const bool isTold = canAskHost() && !isDeclaredTwice(variable.name), isTable = variable.isConst && variable.hasValue; // the latter: nobody changes it
        const HostBuffer buffer = hostBuffer(variable.name);
        const bool isLeft = isTold && m_askHost().taken.contains(buffer), isKnown = isTold && m_askHost().known.contains(buffer);
        if (!isLeft && !isKnown && !isTable && copied == m_launch.constants.end())
            guess(Guess::Kind::Variable, variable.name);
        if (!isTold)
            return {};
        const HostContents& told = m_askHost();
        const auto texts = told.constants.find(buffer);
        const bool isOfMany = copied != m_launch.constants.end() && isKnown && (texts == told.constants.end() ? !copied->value.isWhole() : copied->value.isWhole() && !isAsTold(copied->value, texts->second));
        const auto size = told.sizes.find(buffer);
        const bool isPointing = holdsAddresses(variable.name);
        if (size == told.sizes.end() || (!isLeft && !isOfMany && !variable.isManaged && !isPointing))
            return {};
        const PlainType* const plain = plainType(isPointing ? "uint64_t" : variable.type);
        const std::string element = plain ? std::string(plain->element) : size->second % 4 == 0 ? "u32" : "u8";
        (isLeft ? m_left : m_ofHost) += ((isLeft ? m_left : m_ofHost).empty() ? "" : ", ") + variable.name;
        m_made.isLeft = m_made.isLeft || isLeft;
        return "\n[[variables]]\nbuffer = " + inQuotes(variable.name) + "\ntype = " + inQuotes(element) + "\ncount = " + std::to_string(size->second / std::uint64_t(bytesOf(*elementTypeNamed(element))))
            + "\n" + hostPlace(variable.name, "\n", isLeft) + (isPointing ? "addresses = true\n" : "");
    }

    std::string constantText(const ProgramConstant& constant)
    {
        const bool isNumber = constant.value.items.empty();
        if (!constant.value.isWhole() && !isDeclaredTwice(constant.name) && canAskHost()) {
            const auto told = m_askHost().constants.find(hostBuffer(constant.name));
            if (told != m_askHost().constants.end()) {
                std::vector<std::string> values = told->second;
                for (std::string& value : values)
                    if (value.size() >= 19 && std::isdigit(static_cast<unsigned char>(value[0]))) // more than TOML's integers hold
                        value = inQuotes(value);
                return "\n[[constants]]\nname = " + inQuotes(constant.name) + "\nvalues = [" + fmt::format("{}", fmt::join(values, ", ")) + "]\n";
            }
        }
        if ((isNumber && !constant.value.number) || isDeclaredTwice(constant.name)) {
            guess(Guess::Kind::Value, constant.name, "0");
            return {};
        }
        const std::string text = valuesText(constant.value, constant.name);
        return "\n[[constants]]\nname = " + inQuotes(constant.name) + "\nvalues = " + (isNumber ? "[" + text + "]" : text) + "\n";
    }

    std::string valuesText(const ProgramConstant::Value& value, const std::string& name)
    {
        if (value.items.empty()) {
            if (!value.number)
                guess(Guess::Kind::Value, name, "1");
            return value.number ? valueText(*value.number) : "[1]"; // it may be an object
        }
        std::string text;
        for (const ProgramConstant::Value& item : value.items)
            text += (text.empty() ? "" : ", ") + valuesText(item, name);
        return "[" + text + "]";
    }

    /// The expression with the parameters' names as the manifest has them.
    [[nodiscard]] std::string renamed(const std::string& expression) const
    {
        std::string result;
        for (std::size_t i = 0; i < expression.size();) {
            std::size_t end = i;
            while (end < expression.size() && isWordPart(expression[end]))
                ++end;
            const std::string word = expression.substr(i, std::max<std::size_t>(end - i, 1));
            const auto name = m_names.find(word);
            result += name == m_names.end() ? word : name->second;
            i += word.size();
        }
        return result;
    }

    /// As the program has it, or as the launch asks for.
    [[nodiscard]] std::int64_t defaultOf(const ProgramParameter& parameter) const
    {
        const auto asked = m_launch.asked.find(parameter.name);
        return asked == m_launch.asked.end() ? parameter.inSource.value_or(parameter.value) : asked->second;
    }

    [[nodiscard]] std::string parametersText() const
    {
        std::string text;
        std::int64_t largest = 1 << 26; // a stride or a stage may become as large as any size
        for (const ProgramParameter* parameter : m_used)
            largest = std::max(largest, defaultOf(*parameter));
        const auto add = [&](const std::string& name, std::int64_t value, const std::string& define, bool isSize, bool isDimension, bool isOfHost = false) {
            const std::int64_t most = isDimension ? kMostBlockThreads : std::min<std::int64_t>(std::int64_t(1) << 31, std::max(!define.empty() ? 65536 : largest, 16 * value));
            const std::int64_t least = namesPadding(name) ? 0 : isSize || !define.empty() ? 1 : -kLargestConstant;
            text += "\n[[parameters]]\nname = " + inQuotes(name) + (define.empty() ? "" : "\ndefine = " + inQuotes(define)) + "\ndefault = " + std::to_string(value)
                + "\nmin = " + std::to_string(std::min<std::int64_t>(value, least)) + "\nmax = "
                + std::to_string(most) + "\n" + (isOfHost ? "worked_out = true\n" : "");
        };
        for (const ProgramParameter* parameter : m_used) {
            const bool isOfBlock = std::ranges::any_of(m_launch.block, [&](const Symbolic& size) { return size.text() == parameter->name; });
            add(m_names.at(parameter->name), defaultOf(*parameter), isSeenByKernel(*parameter) ? parameter->define : "", m_sizes.contains(parameter->name), isOfBlock, parameter->isOfHost && !parameter->isGuessed);
        }
        for (std::size_t axis = 0; axis < m_own.names.size(); ++axis)
            if (!m_own.names[axis].empty())
                add(m_own.names[axis], m_launch.block[axis].integer, "", true, true);
        for (const LaunchLiteral& literal : m_literals)
            text += fmt::format("\n[[parameters]]\nname = {}\ndefault = {}\nmin = {}\nmax = {}\n", inQuotes(literal.name), literal.value,
                m_sizes.contains(literal.name) ? 1 : std::min(literal.value, literal.isUnsigned || literal.value > 0 ? 0 : -kLargestConstant), std::min(literal.most, std::max(largest, 16 * literal.value)));
        for (const auto& [name, value] : m_reals)
            text += fmt::format("\n[[parameters]]\nname = {}\nreal = true\ndefault = {}\n", inQuotes(name), value);
        return text;
    }

    // The launch

    /// A dimension of the block that the kernel has as a literal, such as of a tile, or that the grid's other axes divide by, is nothing to
    /// try: it stays the number.
    void fixDimensions()
    {
        for (std::size_t axis = 0; axis < m_launch.block.size(); ++axis) {
            const Symbolic& size = m_launch.block[axis];
            const auto parameter = std::ranges::find(m_program.parameters, size.text(), &ProgramParameter::name);
            if (parameter != m_program.parameters.end() && parameter->isDimension && m_entry.find('{') == m_entry.npos
                && (isLiteralIn(m_deviceCode, size.integer) || dividesOther(m_launch, axis)))
                m_names[parameter->name] = std::to_string(size.integer);
        }
    }

    /// Of dim3 grid(60, 135), block(32, 8) the blocks follow their size: as many threads are no number to try.
    void fixGrid()
    {
        for (std::size_t axis = 0; axis < m_launch.grid.size(); ++axis) {
            Symbolic& size = m_launch.grid[axis];
            const auto parameter = std::ranges::find(m_program.parameters, size.text(), &ProgramParameter::name);
            const bool isFixed = parameter != m_program.parameters.end() && parameter->isDimension && std::ranges::find(m_used, &*parameter) == m_used.end();
            if (isFixed && m_launch.block[axis].integer > 1 && m_use.hasSize[axis] && !m_use.hasPlaceAlone[axis] && !m_use.hasGrid[axis])
                size = Symbolic::ofInteger(size.integer);
        }
    }

    /// dim3 block(16, 16), grid((w + 15) / 16, h / 16): the grid follows the block's sizes as well.
    [[nodiscard]] std::array<Symbolic, 3> gridByBlock() const
    {
        std::array<Symbolic, 3> grid = m_launch.grid;
        for (std::size_t axis = 0; axis < grid.size(); ++axis) {
            const Symbolic& block = m_launch.block[axis];
            const bool isParameter = block.parameters.size() == 1 && block.text() == block.parameters[0] && renamed(block.text()) != std::to_string(block.integer);
            if (!m_own.names[axis].empty())
                grid[axis] = m_own.grid[axis];
            else if (isParameter && std::ranges::find(grid[axis].parameters, block.text()) == grid[axis].parameters.end())
                grid[axis] = gridOver(m_launch, axis, block.text(), m_use).value_or(grid[axis]);
        }
        return grid;
    }

    /// Names of parameters.
    [[nodiscard]] std::set<std::string, std::less<>> takenNames() const
    {
        std::set<std::string, std::less<>> taken;
        for (const auto& [inProgram, name] : m_names)
            taken.insert(name);
        for (const LaunchLiteral& literal : m_literals)
            taken.insert(literal.name);
        return taken;
    }

    /// What is as large as literals of the launch say follows them.
    void nameLiterals()
    {
        std::vector<KernelParameter> parameters;
        std::vector<LaunchArgument> arguments;
        for (std::size_t i = 0; i < m_kernel.parameters.size(); ++i) {
            parameters.push_back(parameterOf(m_kernel.parameters[i], "arg" + std::to_string(i + 1), m_kernel, m_types));
            arguments.push_back(i < m_launch.arguments.size() ? m_launch.arguments[i] : defaultOf(m_kernel.parameters[i]));
        }
        m_literals = literalsOf(parameters, arguments, takenNames());
        for (std::size_t axis = 0; axis < m_launch.grid.size(); ++axis)
            if (m_launch.grid[axis].isConstant() && m_launch.block[axis].isConstant())
                m_launch.grid[axis] = blocksOver(m_literals, m_launch.grid[axis], m_launch.block[axis].integer);
    }

    void findOwnBlock()
    {
        const std::set<std::string, std::less<>> taken = takenNames();
        m_own = ownBlockOf(m_launch, m_deviceCode, m_use, taken);
    }

    /// The block's, by their names where they have some.
    [[nodiscard]] std::array<Symbolic, 3> blockSizes() const
    {
        std::array<Symbolic, 3> sizes = m_launch.block;
        for (std::size_t axis = 0; axis < sizes.size(); ++axis)
            if (!m_own.names[axis].empty())
                sizes[axis] = Symbolic::ofParameter(m_own.names[axis], sizes[axis].integer);
        return sizes;
    }

    std::string shapeText()
    {
        const auto list = [&](const std::array<Symbolic, 3>& sizes) {
            const std::size_t count = sizes[2].isConstant() && sizes[2].integer == 1 ? (sizes[1].isConstant() && sizes[1].integer == 1 ? 1 : 2) : 3;
            std::string text;
            for (std::size_t i = 0; i < count; ++i)
                text += (i ? ", " : "") + valueText(sizes[i]);
            return "[" + text + "]";
        };
        for (const Symbolic& size : m_launch.grid)
            noteSizes(size);
        for (const Symbolic& size : m_launch.block)
            noteSizes(size);
        if (m_launch.sharedBytes)
            noteSizes(*m_launch.sharedBytes);
        for (const std::string& value : m_types.values)
            if (value.starts_with('{'))
                m_sizes.insert(value.substr(1, value.size() - 2));
        findOwnBlock();
        const std::string text = "\n[launch]\ngrid = " + list(gridByBlock()) + "\nblock = " + list(blockSizes()) + "\n";
        if (!m_launch.sharedBytes) {
            guess(Guess::Kind::SharedBytes, "");
            return text + "dynamic_shared = " + valueText(applied("*", threadsOfBlock(), Symbolic::ofInteger(4))) + "\n";
        }
        const Symbolic bytes = sharedBytes();
        return bytes.isConstant() && bytes.integer == 0 ? text : text + "dynamic_shared = " + valueText(bytes) + "\n";
    }

    /// The dynamic shared memory; an element of each thread follows the sizes of the block that are parameters of the launch's own.
    [[nodiscard]] Symbolic sharedBytes() const
    {
        if (m_own.isAny() && m_launch.sharedBytes->isConstant())
            for (const std::int64_t bytes : { 4, 8 })
                if (m_launch.sharedBytes->integer == bytes * threadsOfBlock().integer)
                    return applied("*", threadsOfBlock(), Symbolic::ofInteger(bytes));
        return *m_launch.sharedBytes;
    }

    [[nodiscard]] Symbolic threadsOfBlock() const
    {
        const std::array<Symbolic, 3> sizes = blockSizes();
        return applied("*", applied("*", sizes[0], sizes[1]), sizes[2]);
    }

    [[nodiscard]] Symbolic threads() const
    {
        Symbolic count = threadsOfBlock();
        for (const Symbolic& size : m_launch.grid)
            count = applied("*", count, size);
        return count;
    }

    /// The product of the integers among the arguments, which are a problem's extents more often than not, a literal less so;
    /// the largest where that is too much.
    [[nodiscard]] Symbolic extents() const
    {
        Symbolic product = Symbolic::ofInteger(1), largest = product;
        bool isTooMuch = false;
        const auto take = [&](const LaunchArgument& argument) {
            const Symbolic& number = argument.number;
            if (argument.kind != LaunchArgument::Kind::Number || number.isReal || number.isConstant() || number.integer <= 1 || number.integer > kMostGuessedElements)
                return;
            if (number.integer > largest.integer)
                largest = number;
            isTooMuch = isTooMuch || number.integer > kMostGuessedElements / product.integer;
            if (!isTooMuch)
                product = applied("*", product, number);
        };
        for (const LaunchArgument& argument : m_launch.arguments) {
            take(argument);
            std::ranges::for_each(argument.members, take);
        }
        return isTooMuch ? largest : product;
    }

    [[nodiscard]] std::string valueText(Symbolic number) const
    {
        for (std::size_t axis = 0; axis < m_own.names.size(); ++axis)
            if (!m_own.names[axis].empty() && !number.isConstant() && number.base == m_launch.grid[axis].base) // one for each block
                number.base = m_own.grid[axis].base;
        const std::string text = renamed(number.text());
        return number.isConstant() || text.find_first_not_of("0123456789") == text.npos ? text : inQuotes(text);
    }

    // Arguments

    /// One that no other argument has.
    std::string ownName(const std::string& name)
    {
        std::string chosen = name;
        for (int number = 2; !m_taken.insert(chosen).second; ++number)
            chosen = name + "_" + std::to_string(number);
        return chosen;
    }

    /// What a parameter is that the launch leaves to its default: a number, null or an object of a class without members.
    static LaunchArgument defaultOf(const std::string& parameter)
    {
        const std::string text = parameter.substr(std::min(parameter.find('=') + 1, parameter.size()));
        const std::vector<Token> tokens = tokensOf(text);
        LaunchArgument argument;
        const bool isNegative = tokens.size() == 2 && tokens[0].is("-");
        if (!tokens.empty() && (tokens[0].is("nullptr") || tokens[0].is("NULL"))) {
            argument.kind = LaunchArgument::Kind::Null;
        } else if (!tokens.empty() && tokens.back().kind == TokenKind::Number && (tokens.size() == 1 || isNegative)) {
            argument.kind = LaunchArgument::Kind::Number;
            argument.number = literal(tokens.back().text);
            if (isNegative)
                argument.number = applied("-", Symbolic::ofInteger(0), argument.number);
        } else if (tokens.size() >= 3 && (tokens.back().is(")") || tokens.back().is("}")) && (tokens[tokens.size() - 2].is("(") || tokens[tokens.size() - 2].is("{"))) {
            argument.kind = LaunchArgument::Kind::Structure; // Op()
        }
        return argument;
    }

    std::string argumentText(std::size_t index)
    {
        const LaunchArgument argument = index < m_launch.arguments.size() ? m_launch.arguments[index] : defaultOf(m_kernel.parameters[index]);
        const std::string text = index < m_kernel.parameters.size() ? m_kernel.parameters[index] : "int";
        const KernelParameter parameter = parameterOf(text, "arg" + std::to_string(index + 1), m_kernel, m_types);
        m_argument = std::to_string(index);
        return partsText(argument, parameter, "\n");
    }

    /// `separator`: between keys, of a table or of a table in a line.
    std::string partsText(const LaunchArgument& argument, const KernelParameter& parameter, const std::string& separator)
    {
        if (argument.kind == LaunchArgument::Kind::Null)
            return "scalar = " + inQuotes(ownName(parameter.name)) + separator + "type = \"u64\"" + separator + "value = 0" + separator;
        if (parameter.pointers > 0) {
            return bufferText(pointerWithin(argument), parameter, separator);
        }
        if (argument.kind == LaunchArgument::Kind::Structure)
            return structureText(argument, parameter, separator);
        if (argument.kind == LaunchArgument::Kind::Unknown && !componentOf(parameter.type).empty())
            return structureText(unknownVector(parameter), parameter, separator);
        if (!parameter.plain || parameter.plain->elements > 1)
            return otherText(argument, parameter, separator);
        const std::string_view element = parameter.plain->element;
        const bool isReal = element[0] == 'f' || element[0] == 'b';
        Symbolic value = argument.number;
        if (argument.kind != LaunchArgument::Kind::Number)
            value = isReal ? Symbolic::ofReal(realByName(parameter.name)) : Symbolic::ofInteger(1);
        if (argument.kind != LaunchArgument::Kind::Number || (isReal && value.isGuessed))
            guess(Guess::Kind::Value, parameter.name, value.text());
        if (!isReal)
            value = asInteger(value);
        const std::string name = ownName(parameter.name);
        const bool isToName = m_namesReals && isExpressionName(name) && !takenNames().contains(name);
        if (!isReal && isToName && argument.kind != LaunchArgument::Kind::Number) { // it can be given
            m_literals.push_back({ .name = name, .value = value.integer, .most = parameter.type == "bool" ? 1 : std::int64_t(1) << 31, .isUnsigned = element[0] == 'u' });
            value = Symbolic::ofParameter(name, value.integer);
        }
        if (isReal && isToName && value.isConstant() && std::isfinite(float(value.asReal()))) {
            const bool isDouble = element == "f64";
            m_reals.emplace_back(name, isDouble ? fmt::format("{}", value.asReal()) : fmt::format("{}", float(value.asReal())));
            return "scalar = " + inQuotes(name) + separator + "type = " + inQuotes(parameter.plain->element) + separator;
        }
        if (m_structure.empty() && value.isConstant() && std::ranges::find(m_literals, name, &LaunchLiteral::name) != m_literals.end())
            value = Symbolic::ofParameter(name, value.integer);
        return "scalar = " + inQuotes(name) + separator + "type = " + inQuotes(parameter.plain->element) + separator
            + (value.base == name && renamed(name) == name && value.factor == 1 ? "" : "value = " + scalarText(value, *parameter.plain) + separator);
    }

    /// As the parameter has it: an unsigned one has no sign.
    std::string scalarText(const Symbolic& value, const PlainType& type)
    {
        const std::string element(type.element);
        if (element[0] != 'u' || !value.isConstant() || value.isReal || value.integer >= 0)
            return valueText(value);
        const int bits = std::atoi(element.c_str() + 1);
        return inQuotes(std::to_string(std::uint64_t(value.integer) << (64 - bits) >> (64 - bits)));
    }

    /// A float4 of which nothing is known.
    static LaunchArgument unknownVector(const KernelParameter& parameter)
    {
        LaunchArgument vector;
        vector.kind = LaunchArgument::Kind::Structure;
        for (int i = 0; i < parameter.plain->elements; ++i)
            vector.memberNames.emplace_back(kComponents[i], componentOf(parameter.type));
        vector.members.resize(vector.memberNames.size());
        return vector;
    }

    /// An enumeration, or what is no element type.
    std::string otherText(const LaunchArgument& argument, const KernelParameter& parameter, const std::string& separator)
    {
        const bool isEnumeration = m_words.contains("enum");
        if (argument.kind != LaunchArgument::Kind::Number && (parameter.plain || !isEnumeration)) {
            refuse("what '" + parameter.name + "' (" + parameter.type + ") holds");
            return "scalar = " + inQuotes(ownName(parameter.name)) + separator + "type = \"u64\"" + separator + "value = 0" + separator;
        }
        if (argument.kind != LaunchArgument::Kind::Number)
            guess(Guess::Kind::Value, parameter.name + " (" + parameter.type + ")", "0");
        return "scalar = " + inQuotes(ownName(parameter.name)) + separator + "type = " + inQuotes(isEnumeration ? typeOfEnumeration(parameter.type) : "i32") + separator + "value = "
            + valueText(argument.kind == LaunchArgument::Kind::Number ? asInteger(argument.number) : Symbolic::ofInteger(0)) + separator;
    }

    /// Calls `use` with each member that the device's code declares a class to have, and the tokens that it is one of.
    template <class Use> void eachMember(const std::string& type, const Use& use) const
    {
        for (const std::string& code : m_deviceCode) {
            const std::vector<Token> tokens = tokensOf(code);
            for (const Declaration& declaration : declarationsOf(tokens))
                if (declaration.kind == DeclarationKind::Type && declaration.hasBody() && !declaration.names.empty() && declaration.names.front() == type)
                    for (const Declaration& member : declarationsOf(tokens, declaration.bodyFirst, declaration.bodyLast))
                        use(member, std::span(tokens).subspan(member.first, member.last - member.first), code);
        }
    }

    /// Whether a member of the class is a pointer.
    [[nodiscard]] bool hasPointerMembers(const std::string& type) const
    {
        bool isAny = false;
        eachMember(type, [&](const Declaration& member, std::span<const Token> tokens, const std::string&) {
            isAny = isAny || (member.kind == DeclarationKind::Other && std::ranges::any_of(tokens, [](const Token& token) { return token.is("*"); }));
        });
        return isAny;
    }

    /// What objects of a class are made of, where that is integers of one size: "u32"; empty: of other things, or nobody knows.
    [[nodiscard]] std::string integersOf(const std::string& type) const
    {
        std::string element;
        bool areIntegers = true;
        eachMember(type, [&](const Declaration& member, std::span<const Token> tokens, const std::string& code) {
            if (member.kind == DeclarationKind::Function)
                return;
            const auto name = member.names.empty() ? tokens.end() : std::ranges::find(tokens, member.names.front(), &Token::text);
            std::string text = name == tokens.end() ? "" : code.substr(tokens.front().offset, name->offset - tokens.front().offset);
            text.erase(text.find_last_not_of(' ') + 1);
            const PlainType* const plain = member.kind == DeclarationKind::Other ? plainType(text) : nullptr;
            const bool isOne = plain && plain->elements == 1 && elementTypeIsInteger(std::string(plain->element)) && (element.empty() || element.substr(1) == plain->element.substr(1));
            areIntegers = areIntegers && isOne;
            if (isOne && element.empty())
                element = plain->element;
        });
        return areIntegers ? element : "";
    }

    /// As a manifest calls it: of `enum class Mode : uint8_t` "u8".
    [[nodiscard]] std::string typeOfEnumeration(const std::string& name) const
    {
        const std::string own = name.substr(name.rfind(':') == name.npos ? 0 : name.rfind(':') + 1);
        for (const std::string& code : m_deviceCode) {
            const std::vector<Token> tokens = tokensOf(code);
            for (std::size_t i = 2; i + 1 < tokens.size(); ++i) {
                const bool isDeclared = tokens[i].is(own) && (tokens[i - 1].is("enum") || tokens[i - 2].is("enum")) && tokens[i + 1].is(":");
                std::size_t behind = i + 2;
                while (isDeclared && behind < tokens.size() && !tokens[behind].is("{") && !tokens[behind].is(";"))
                    ++behind;
                const auto text = [&] { return std::string_view(code).substr(tokens[i + 2].offset, tokens[behind - 1].end() - tokens[i + 2].offset); };
                if (const PlainType* type = isDeclared && behind > i + 2 ? plainType(text()) : nullptr)
                    return std::string(type->element);
            }
        }
        return "i32";
    }

    std::string structureText(const LaunchArgument& argument, const KernelParameter& parameter, const std::string& separator)
    {
        if (argument.members.empty()) // a functor: one byte, of no meaning
            return "scalar = " + inQuotes(ownName(parameter.name)) + separator + "type = \"u8\"" + separator + "value = 0" + separator;
        std::string members;
        const std::string outer = m_structure;
        m_structure += parameter.name + ".";
        const bool isVector = std::ranges::all_of(argument.memberNames, [](const auto& member) { return member.first.size() <= 1; }); // or an array's part
        const bool namesReals = std::exchange(m_namesReals, m_namesReals && outer.empty() && !isVector);
        for (std::size_t i = 0; i < argument.members.size(); ++i) {
            const auto& [name, type] = argument.memberNames[i];
            const bool isElement = !name.empty() && std::isdigit(static_cast<unsigned char>(name[0]));
            KernelParameter member { .name = isElement ? parameter.name + "_" + name : name, .type = type };
            member.pointers = argument.members[i].kind == LaunchArgument::Kind::Buffer || argument.members[i].kind == LaunchArgument::Kind::Null
                || (argument.members[i].kind == LaunchArgument::Kind::Unknown && argument.members[i].isPointer);
            member.isConst = true;
            member.plain = plainType(type);
            const LaunchArgument part = nullWhereUnused(argument.members[i], member);
            if (part.kind == LaunchArgument::Kind::Unknown && !member.plain)
                refuse("what the member '" + member.name + "' of '" + parameter.name + "' holds");
            const std::string around = std::exchange(m_argument, m_argument + "." + name);
            std::string text = partsText(part, member, ", ");
            m_argument = around;
            text.resize(text.size() - 2);
            members += (members.empty() ? "\n    { " : ",\n    { ") + text + " }";
        }
        m_structure = outer;
        m_namesReals = namesReals;
        const int alignment = alignmentOf(parameter.type);
        return "struct = " + inQuotes(ownName(parameter.name)) + separator + (alignment > 1 ? "align = " + std::to_string(alignment) + separator : "")
            + "members = [" + members + (separator == "\n" ? ",\n]" : " ]") + separator;
    }

    /// Of a vector in a structure, where it is aligned as a whole. Source: CUDA C++ Programming Guide 13.0, "Built-in Vector Types".
    static int alignmentOf(const std::string& type)
    {
        const PlainType* plain = componentOf(type).empty() ? nullptr : plainType(type);
        return plain && plain->elements != 3 ? std::min(16, bytesOfType(type)) : 1;
    }

    static LaunchArgument nullWhereUnused(const LaunchArgument& member, const KernelParameter& parameter)
    {
        LaunchArgument argument = member;
        const bool isLabel = parameter.type == "char" || parameter.type == "void" || parameter.type == "string"; // of no use to a kernel
        if (member.kind == LaunchArgument::Kind::Unknown && !(member.isPointer && parameter.plain) && (isLabel || parameter.type.ends_with('*'))) // the latter: beyond those that an array holds
            argument.kind = LaunchArgument::Kind::Null;
        return argument;
    }

    /// An object that converts to a pointer: the only one among its members.
    static const LaunchArgument& pointerWithin(const LaunchArgument& argument)
    {
        const auto isBuffer = [](const LaunchArgument& member) { return member.kind == LaunchArgument::Kind::Buffer; };
        return std::ranges::count_if(argument.members, isBuffer) == 1 ? *std::ranges::find_if(argument.members, isBuffer) : argument;
    }

    std::string bufferText(const LaunchArgument& argument, const KernelParameter& parameter, const std::string& separator)
    {
        const ProgramBuffer* buffer = argument.buffer >= 0 ? &m_program.buffers[std::size_t(argument.buffer)] : nullptr;
        const PlainType* plain = parameter.pointers > 1 ? plainType("uint64_t") : parameter.plain;
        if (!plain && buffer)
            plain = plainType(buffer->type);
        const bool isMadeByLaunch = parameter.pointsToObjects() && canAskHost() && m_askHost().taken.contains(hostBuffer(m_argument)) && hasPointerMembers(parameter.type);
        const bool isPointing = (holdsAddresses(m_argument) || isMadeByLaunch) && (!argument.isOffset || memoryOf(m_argument));
        if (parameter.pointers > 1 && !isPointing)
            refuse("where the addresses in '" + parameter.name + "' lead");
        const std::string ofObjects = !plain && parameter.pointsToObjects() ? integersOf(parameter.type) : "";
        std::string element = isPointing ? "u64" : plain ? std::string(plain->element) : ofObjects.empty() ? "f32" : ofObjects;
        if (!isPointing && buffer && buffer->fill == BufferFill::Byte && (element == "u64" || element == "i64"))
            element = buffer->value == 0 || buffer->value == 0xff ? "i64" : "u8"; // a double holds 0 and -1, no other words of equal bytes
        const int bytes = bytesOf(*elementTypeNamed(element));
        const std::string name = ownName(buffer && !buffer->name.empty() ? buffer->name : parameter.name);
        const BufferUse use = useOf(m_deviceCode, m_kernel.name, parameter.name, std::string_view(m_structure).substr(0, m_structure.find('.')));
        const bool isWritten = use.writes && (m_structure.empty() ? !parameter.isConst : !argument.isReadOnly);
        if (isWritten)
            m_made.written.insert(m_argument);
        const HostContents::Memory* const memory = memoryOf(m_argument);
        const auto same = memory ? m_memories.find(memory->id) : m_memories.end();
        if (same != m_memories.end())
            return "buffer = " + inQuotes(name) + separator + "same = " + inQuotes(same->second) + separator + offsetText(*memory, separator);
        if (const auto known = m_buffers.find(argument.buffer); !memory && buffer && !argument.isOffset && known != m_buffers.end())
            return "buffer = " + inQuotes(name) + separator + "same = " + inQuotes(known->second) + separator;
        if (memory)
            m_memories[memory->id] = name;
        if (buffer && !argument.isOffset)
            m_buffers[argument.buffer] = name;
        const std::int64_t sizeRead = buffer && buffer->bytes ? buffer->bytes->integer : 0;
        Symbolic count;
        if (memory && sizeRead != std::int64_t(memory->bytes)) {
            count = Symbolic::ofInteger(std::int64_t(memory->bytes) / bytes);
        } else if (sizeRead > 0) {
            count = applied("/", *buffer->bytes, Symbolic::ofInteger(bytes));
        } else {
            const Symbolic ofThreads = threads(), ofArguments = extents();
            count = applied("*", ofArguments.integer < ofThreads.integer ? ofThreads : ofArguments, Symbolic::ofInteger(plain ? plain->elements : kElementsOfAStructure));
            if (const auto told = hostCount(bytes))
                count = *told;
            else
                guess(Guess::Kind::BufferSize, name, renamed(count.text()));
        }
        count = productOf(m_literals, count);
        if (buffer && buffer->isExample)
            m_made.examples.insert(name);
        noteSizes(count);
        if (argument.isOffset && !memory)
            guess(Guess::Kind::BufferStart, name);
        const std::string head = "buffer = " + inQuotes(name) + separator + "type = " + inQuotes(element) + separator + "count = " + valueText(count) + separator + (memory ? offsetText(*memory, separator) : "");
        if (isPointing) {
            const bool isLeft = parameter.pointers < 2 && m_askHost().taken.contains(hostBuffer(m_argument)); // nobody writes to tables of addresses
            m_ofHost += (m_ofHost.empty() ? "" : ", ") + m_structure + name;
            return head + hostPlace(m_argument, separator, isLeft) + "addresses = true" + separator;
        }
        const std::string after = use.reads ? afterText(argument, parameter.pointsToObjects(), element, name, separator) : "";
        if (buffer && !argument.isOffset && isWritten)
            m_made.buffers[argument.buffer] = name;
        return head + fillText(argument, parameter, element, name, count, separator, !after.empty(), use.reads) + after;
    }

    /// Which memory following the host code tells an argument to be; null: it does not.
    [[nodiscard]] const HostContents::Memory* memoryOf(const std::string& argument) const
    {
        if (!canAskHost())
            return nullptr;
        const auto known = m_askHost().memories.find(hostBuffer(argument));
        return known == m_askHost().memories.end() ? nullptr : &known->second;
    }

    static std::string offsetText(const HostContents::Memory& memory, const std::string& separator)
    {
        return memory.before == 0 ? "" : "offset = " + std::to_string(memory.before) + separator;
    }

    /// What the launch before leaves there: of integers, which lead addresses and branches more often than real numbers do, and of those of
    /// which the kernel makes some.
    std::string afterText(const LaunchArgument& argument, bool isOfObjects, const std::string& element, const std::string& name, const std::string& separator)
    {
        if ((argument.isOffset && !memoryOf(m_argument)) || (!elementTypeIsInteger(element) && !isOfObjects && !makesIntegers(m_deviceCode)))
            return "";
        // Which launch wrote to it last, as following the host's code tells.
        const auto told = canAskHost() ? m_askHost().taken.find(hostBuffer(m_argument)) : decltype(HostContents::taken)::const_iterator {};
        const std::string writer = canAskHost() && told != m_askHost().taken.end() ? told->second : "";
        for (auto place = argument.takenBefore.rbegin(); place != argument.takenBefore.rend(); ++place) {
            const auto launch = std::size_t(*place);
            if (launch >= m_earlier.size() || (!writer.empty() && m_program.launches[launch].kernel != writer))
                continue;
            const auto& [title, buffers] = m_earlier[launch];
            const auto again = m_program.launches[launch].again.find(argument.buffer);
            const int buffer = again == m_program.launches[launch].again.end() ? argument.buffer : again->second;
            if (!buffers.contains(buffer))
                continue;
            m_made.isLeft = true;
            m_left += (m_left.empty() ? "" : ", ") + m_structure + name + " (" + title + ")";
            const bool isReached = canAskHost() && m_askHost().launches.contains(hostBuffer("")); // then all the launches before are executed in turn
            return "after = { launch = " + inQuotes(title) + ", buffer = " + inQuotes(buffers.at(buffer)) + " }" + separator + (isReached ? hostPlace(m_argument, separator) : "");
        }
        if (const auto other = std::ranges::find(m_program.launches, writer, &ProgramLaunch::kernel); !writer.empty() && other != m_program.launches.end()) {
            m_made.isLeft = true;
            m_left += (m_left.empty() ? "" : ", ") + m_structure + name + " (" + withValues(other->entry) + ")";
            return hostPlace(m_argument, separator, true);
        }
        return "";
    }

    /// "tile<32>" of "tile<{TILE}>".
    [[nodiscard]] std::string withValues(std::string entry) const
    {
        for (const ProgramParameter& parameter : m_program.parameters)
            setInEntry(entry, parameter.name, std::to_string(parameter.value));
        return entry;
    }

    static bool elementTypeIsInteger(const std::string& element) { return element[0] != 'f' && element[0] != 'b'; }

    [[nodiscard]] HostBuffer hostBuffer(const std::string& argument) const { return hostBufferOf(m_launch, argument); }
    [[nodiscard]] bool canAskHost() const { return m_launch.place > 0 && m_askHost && (!m_launch.isAside || m_askHost().launches.contains(hostBuffer(""))); }

    /// Whether it is known where the addresses in a buffer lead.
    [[nodiscard]] bool holdsAddresses(const std::string& argument) const { return canAskHost() && m_askHost().pointing.contains(hostBuffer(argument)); }

    /// How many elements the host code asks for; nothing: it does not tell.
    [[nodiscard]] std::optional<Symbolic> hostCount(int bytes) const
    {
        const auto known = canAskHost() ? m_askHost().sizes.find(hostBuffer(m_argument)) : decltype(HostContents::sizes)::const_iterator {};
        if (!canAskHost() || known == m_askHost().sizes.end() || known->second < std::uint64_t(bytes))
            return std::nullopt;
        return Symbolic::ofInteger(std::int64_t(known->second) / bytes);
    }

    /// Where the contents would be guessed, but following the host code tells them.
    /// `isExact`: of integers or objects, which are others once a launch has changed them.
    std::string hostText(const LaunchArgument& argument, bool isExact, const std::string& separator) const
    {
        // What a launch that could not be read leaves there is not known.
        const bool isTouched = canAskHost() && !m_askHost().isReplayed && std::ranges::any_of(argument.takenBefore, [&](int place) { return std::size_t(place) < m_earlier.size() && m_earlier[std::size_t(place)].title.empty(); });
        const HostBuffer buffer = hostBuffer(m_argument);
        if (isTouched || !canAskHost() || !m_askHost().known.contains(buffer) || (isExact && m_askHost().stale.contains(buffer)))
            return "";
        return hostPlace(m_argument, separator);
    }

    /// `isLeft`: launches have written to it since.
    [[nodiscard]] std::string hostPlace(const std::string& argument, const std::string& separator, bool isLeft = false) const
    {
        const HostBuffer buffer = hostBuffer(argument);
        const HostContents::Memory* const memory = memoryOf(argument);
        const bool isWithin = memory && memory->before > 0;
        return "host = { launch = " + std::to_string(buffer.launch) + ", argument = " + inQuotes(buffer.argument)
            + (buffer.instance.empty() ? "" : ", instance = " + inQuotes(buffer.instance)) + (buffer.isAside ? ", aside = true" : "") + (isLeft ? ", left = true" : "") + (isWithin ? ", whole = true" : "") + " }" + separator;
    }

    std::string fillText(const LaunchArgument& argument, const KernelParameter& parameter, const std::string& element, const std::string& name,
        const Symbolic& count, const std::string& separator, bool isLeft, bool isRead)
    {
        const ProgramBuffer* buffer = argument.buffer >= 0 ? &m_program.buffers[std::size_t(argument.buffer)] : nullptr;
        const KernelCode code { m_program, m_launch, m_kernel, m_types, m_deviceCode };
        const ChosenFill chosen = chosenFill(code, buffer, { parameter, element, name, count }, [this](const Symbolic& number) { return renamed(number.text()); });
        const bool leads = !elementTypeIsInteger(element) && makesIntegers(m_deviceCode); // of real numbers, such as the cell that a particle is in
        // What is drawn between two bounds may be sorted, or otherwise no matter of chance.
        const bool isExact = elementTypeIsInteger(element) || parameter.pointsToObjects(), isOfChance = isExact && chosen.fill.starts_with("random");
        const bool isOfHost = isExact && !chosen.fill.empty() && buffer && buffer->fill != BufferFill::Byte && buffer->fill != BufferFill::Zero; // what one pass over the text made of it
        const bool isOfMore = isExact && chosen.fill.empty() && canAskHost() && m_askHost().nonZero.contains(hostBuffer(m_argument));
        const bool areReals = !isExact && !chosen.fill.empty(); // nobody asks for them where they lead to no address and no branch
        const std::string host = (chosen.guessed || leads || areReals || isOfChance || isOfHost || isOfMore) && !isLeft && (!argument.isOffset || memoryOf(m_argument)) ? hostText(argument, isExact, separator) : "";
        if (!host.empty() && (leads || !areReals))
            m_ofHost += (m_ofHost.empty() ? "" : ", ") + m_structure + name;
        if (chosen.guessed && !isLeft && host.empty() && isRead)
            guess(*chosen.guessed, name, chosen.bound);
        return (chosen.fill.empty() ? "" : "fill = " + inQuotes(chosen.fill) + separator) + host;
    }

    const ProgramLaunches& m_program;
    ProgramLaunch m_launch;
    const KernelDeclaration m_kernel; ///< without packs
    std::span<const std::string> m_deviceCode;
    const AskHost& m_askHost;
    std::span<const WrittenLaunch> m_earlier;
    TypeNames m_types;
    std::string m_entry;
    std::map<std::string, int, std::less<>> m_words; ///< of the device's code, how often
    std::vector<const ProgramParameter*> m_used;
    std::map<std::string, std::string> m_names; ///< of the parameters used, in the manifest
    std::set<std::string> m_taken; ///< names of arguments
    std::map<int, std::string> m_buffers; ///< the program's that are written, by their arguments' names
    std::map<int, std::string> m_memories; ///< that are written, as following the host code tells them apart, by their arguments' names
    std::set<std::string, std::less<>> m_sizes; ///< the program's parameters that are some
    std::string m_ofHost; ///< buffers that hold what following the host's code tells
    std::string m_left; ///< buffers, and the launches that leave something in them
    std::string m_argument; ///< that is written, as HostBuffer has it: "2", "2.rows"
    std::string m_structure; ///< whose members are written: "cam.eye."
    const BlockUse m_use;
    OwnBlock m_own; ///< sizes of the block that are parameters that the program has not
    std::vector<LaunchLiteral> m_literals; ///< that are parameters
    std::vector<std::pair<std::string, std::string>> m_reals; ///< the same of real numbers, in as few digits as their types need
    bool m_namesReals = true; ///< what is written now is no part of a vector or an array
    LaunchManifest m_made;
};

} // namespace

std::string inQuotes(std::string_view text)
{
    std::string result = "\"";
    for (const char c : text)
        result += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    return result + "\"";
}

LaunchManifest launchManifest(const ProgramLaunches& program, const ProgramLaunch& launch, const KernelDeclaration& kernel,
    std::span<const std::string> deviceCode, const std::string& fileName, const AskHost& askHost, std::span<const WrittenLaunch> earlier)
{
    return Writer(program, launch, kernel, deviceCode, askHost, earlier).write(fileName);
}

} // namespace coalescope::kernels
