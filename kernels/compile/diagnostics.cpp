// SPDX-License-Identifier: Apache-2.0
#include "kernels/compile/diagnostics.h"

#include "kernels/compile/kernel_declarations.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <utility>

namespace coalescope::kernels {
namespace {

/// Where the compilers look for the entry: NVRTC's own text, and the wrapper that clang is given.
constexpr std::array<std::string_view, 2> kEntryFiles { "__nv_name_map", "coalescope_entry.cu" };

bool isWord(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// Takes a number and the mark before it off the end of `text`; nothing where they are not there.
std::optional<int> takeNumber(std::string_view& text, char mark)
{
    std::size_t begin = text.size();
    while (begin > 0 && std::isdigit(static_cast<unsigned char>(text[begin - 1])))
        --begin;
    int number = 0;
    const bool read = std::from_chars(text.data() + begin, text.data() + text.size(), number).ec == std::errc();
    if (!read || begin == 0 || text[begin - 1] != mark)
        return std::nullopt;
    text = text.substr(0, begin - 1);
    return number;
}

/// FILE(LINE), FILE:LINE or FILE:LINE:COLUMN.
void readPlace(std::string_view place, Diagnostic& diagnostic)
{
    std::string_view file = place;
    if (file.ends_with(')')) {
        file.remove_suffix(1);
        const auto line = takeNumber(file, '(');
        diagnostic.line = line.value_or(0);
        diagnostic.file = line ? file : place;
        return;
    }
    const auto last = takeNumber(file, ':'), before = last ? takeNumber(file, ':') : std::nullopt;
    diagnostic.line = before ? *before : last.value_or(0);
    diagnostic.column = before ? *last : 0;
    diagnostic.file = file;
}

/// Headers of the C++ library that have a twin for kernels in the toolkit's cuda/std.
constexpr auto kTwins = std::to_array<std::string_view>({ "array", "atomic", "barrier", "bit", "bitset", "chrono", "complex",
    "concepts", "expected", "functional", "initializer_list", "iterator", "latch", "limits", "numbers", "numeric", "optional",
    "ranges", "ratio", "semaphore", "span", "tuple", "type_traits", "utility", "variant" });
/// Those that are for the host alone.
constexpr auto kOfTheHost = std::to_array<std::string_view>({ "deque", "exception", "filesystem", "format",
    "fstream", "future", "iomanip", "ios", "iosfwd", "iostream", "istream", "list", "locale", "map", "memory", "mutex", "new",
    "ostream", "queue", "random", "regex", "set", "sstream", "stack", "stdexcept", "streambuf", "string", "string_view",
    "system_error", "thread", "typeinfo", "unordered_map", "unordered_set", "valarray", "vector" });

bool isOfTheToolkit(std::string_view header)
{
    return std::ranges::any_of(std::array { "cuda", "cooperative_groups", "cuComplex.h", "cub/", "thrust/", "nv/", "mma.h",
                                   "curand", "cublas", "cufft", "cusparse", "cutlass/", "cute/" },
        [&](const char* begin) { return header.starts_with(begin); });
}

/// What to do about a header that was not found, as a compiler says it; empty where the message says something else.
std::string aboutMissingHeader(std::string_view message)
{
    constexpr std::string_view kNvrtc = "cannot open source file \"", kClang = "' file not found";
    const bool isNvrtc = message.starts_with(kNvrtc);
    if (!isNvrtc && (!message.starts_with('\'') || !message.ends_with(kClang)))
        return {};
    message.remove_prefix(isNvrtc ? kNvrtc.size() : 1);
    const std::string header(message.substr(0, message.find_first_of("\"'")));
    const std::string toolkit = isNvrtc ? "the CUDA toolkit, whose headers were not found"
                                        : "the CUDA toolkit: install it, with NVRTC; clang is used without it";
    if (isOfTheToolkit(header))
        return ": this header comes with " + toolkit;
    if (std::ranges::find(kTwins, header) != kTwins.end())
        return ": kernels have no C++ library; <cuda/std/" + header + "> has the same in cuda::std"
            + (isNvrtc ? " and comes with the CUDA toolkit" : ", and comes with " + toolkit);
    if (std::ranges::find(kOfTheHost, header) != kOfTheHost.end())
        return ": this header is for the host; keep it and what needs it away by #ifndef COALESCOPE";
    return ": if it lies in another folder, name that by --include DIR, in the window by File > Header folders";
}

/// What to do about an error in a header of the host's C++ library, which clang finds where there is one.
std::string aboutHostLibrary(std::string_view file)
{
    if (file.find("/include/c++/") == file.npos)
        return {};
    return ": this is the host's C++ library, which is no code for kernels; keep it away by #ifndef COALESCOPE, or use cuda::std "
           "with the CUDA toolkit and NVRTC";
}

/// What to do about host functions, which NVRTC does not take.
std::string aboutHostFunction(std::string_view message)
{
    if (message.find("not allowed in JIT mode") == message.npos)
        return {};
    return ": keep host functions away by #ifndef COALESCOPE; of CUB include what is used, such as "
           "<cub/block/block_reduce.cuh>";
}

/// The name in quotes that a compiler does not know; empty where its message is another one.
std::string_view unknownName(std::string_view message)
{
    constexpr auto kTalk = std::to_array<std::pair<std::string_view, char>>({ { "identifier \"", '"' }, { "has no member \"", '"' },
        { "use of undeclared identifier '", '\'' }, { "unknown type name '", '\'' }, { "no member named '", '\'' } });
    for (const auto& [begin, quote] : kTalk) {
        const auto at = message.find(begin);
        if (at != message.npos)
            return message.substr(at + begin.size(), message.find(quote, at + begin.size()) - at - begin.size());
    }
    return {};
}

/// Whether the line is in the body of main, which ends with a brace in the first column.
bool isInMain(std::string_view source, int line)
{
    bool inside = false;
    for (int number = 1; number <= line && !source.empty(); ++number) {
        const std::string_view text = source.substr(0, source.find('\n'));
        source.remove_prefix(std::min(text.size() + 1, source.size()));
        if (text.starts_with('}'))
            inside = false;
        inside = inside || text.starts_with("int main");
    }
    return inside;
}

/// A log without its warnings, which would stand before the error that they have nothing to do with.
std::string withoutWarnings(std::string_view log)
{
    std::string kept;
    for (bool isOfWarning = false; !log.empty();) {
        const std::string_view line = log.substr(0, log.find('\n'));
        log.remove_prefix(std::min(line.size() + 1, log.size()));
        const bool begins = line.find(": warning") != line.npos;
        const bool isRemark = line.starts_with("Remark: The warnings");
        if (begins || line.find(": error") != line.npos)
            isOfWarning = begins;
        const bool isBlank = line.find_first_not_of(' ') == line.npos;
        if (!isOfWarning && !isRemark && !(isBlank && kept.empty()))
            kept.append(line).append("\n");
        isOfWarning = isOfWarning && !isBlank;
    }
    return kept;
}

/// What stands below the first error: the log without warnings and, where it begins with that error, without it.
std::string logBelow(std::string_view firstError, std::string_view log)
{
    const std::string kept = withoutWarnings(log);
    const std::string_view firstLine = std::string_view(kept).substr(0, kept.find('\n'));
    return firstLine.ends_with(firstError) ? kept.substr(firstLine.size()) : '\n' + kept;
}

/// What to do about code for the host: the CUDA runtime's and driver's functions, streams, and main.
std::string aboutHostCode(const LaunchPlan& plan, const Diagnostic& error)
{
    static constexpr auto kOfStreams = std::to_array<std::string_view>({ "cout", "cerr", "endl", "cin", "clog", "ifstream", "ofstream",
        "fstream", "stringstream", "string", "vector", "fprintf", "fopen", "fclose", "stderr", "stdout", "atoi", "getenv", "exit" });
    const std::string_view name = unknownName(error.message);
    const auto isApi = [&](std::string_view begin) {
        return name.starts_with(begin) && name.size() > begin.size() && std::isupper(static_cast<unsigned char>(name[begin.size()]));
    };
    const bool isOfSource = error.file.empty() || error.file.ends_with(plan.sourceName);
    const bool isHost = isApi("cuda") || isApi("cu") || std::ranges::find(kOfStreams, name) != kOfStreams.end()
        || (isOfSource && isInMain(plan.source, error.line));
    return isHost ? ": this is code for the host; keep it away by #ifndef COALESCOPE" : "";
}

const KernelDeclaration* declarationOf(const std::vector<KernelDeclaration>& kernels, std::string_view name)
{
    const auto found = std::ranges::find(kernels, name, &KernelDeclaration::name);
    return found == kernels.end() ? nullptr : &*found;
}

} // namespace

std::vector<Diagnostic> diagnosticsOf(std::string_view log)
{
    std::vector<Diagnostic> found;
    while (!log.empty()) {
        const auto end = log.find('\n');
        const std::string_view line = log.substr(0, end);
        log = end == log.npos ? std::string_view {} : log.substr(end + 1);
        for (const std::string_view word : { ": error: ", ": fatal error: ", ": catastrophic error: ", ": error #",
                 ": warning: ", ": warning #" }) {
            const auto at = line.find(word);
            if (at == line.npos)
                continue;
            Diagnostic diagnostic;
            diagnostic.isError = word.find("error") != word.npos;
            diagnostic.message = line.substr(at + word.size());
            if (word.ends_with('#')) { // the number says nothing to people
                if (const auto text = diagnostic.message.find(": "); text != std::string::npos)
                    diagnostic.message.erase(0, text + 2);
            }
            if (line.substr(0, at) != "nvrtc") // about its options: no place in the source
                readPlace(line.substr(0, at), diagnostic);
            found.push_back(std::move(diagnostic));
            break;
        }
    }
    return found;
}

std::string baseName(std::string_view entry)
{
    entry = entryNameOf(entry).kernel;
    entry = entry.substr(0, entry.find('<'));
    if (const auto scope = entry.rfind("::"); scope != entry.npos)
        entry.remove_prefix(scope + 2);
    while (!entry.empty() && !isWord(entry.back()))
        entry.remove_suffix(1);
    return std::string(entry);
}

Error compileError(const LaunchPlan& plan, std::string_view log)
{
    const std::vector<Diagnostic> all = diagnosticsOf(log);
    const auto first = std::ranges::find_if(all, &Diagnostic::isError);
    if (first == all.end())
        return { ErrorCode::CompileFailed, "the compiler failed\n" + std::string(log), plan.sourceName };
    // Nothing is wrong before the place where the entry is asked for.
    const bool isBehindSource = first->file == plan.sourceName && first->line > 1 + std::ranges::count(plan.source, '\n');
    if (isBehindSource || std::ranges::find(kEntryFiles, first->file) != kEntryFiles.end())
        return missingEntry(plan, first->message);
    std::string where = first->file.empty() ? plan.sourceName : first->file;
    if (first->line)
        where += ":" + std::to_string(first->line);
    if (first->column)
        where += ":" + std::to_string(first->column);
    std::string hint = aboutMissingHeader(first->message) + aboutHostLibrary(first->file) + aboutHostFunction(first->message);
    if (hint.empty())
        hint = aboutHostCode(plan, *first);
    return { ErrorCode::CompileFailed, first->message + hint + logBelow(first->message, log), where };
}

Error missingEntry(const LaunchPlan& plan, const std::string& why)
{
    const std::vector<KernelDeclaration> kernels = kernelDeclarations(plan.source);
    std::string names;
    for (const KernelDeclaration& kernel : kernels)
        names += (names.empty() ? "" : ", ") + kernel.fullName() + overloadOf(kernel);
    const std::string where
        = plan.manifest ? plan.sourceName + ":" + std::to_string(plan.manifest->entryLine) : plan.sourceName;
    const auto told = [&](std::string sentence) { return Error { ErrorCode::EntryNotFound, std::move(sentence), where }; };
    if (kernels.empty())
        return told("the file holds no __global__ function");
    const KernelDeclaration* const asked
        = plan.entry.empty() && kernels.size() == 1 ? &kernels[0] : declarationOf(kernels, baseName(plan.entry));
    if (asked && asked->isTemplate() && entryNameOf(plan.entry).kernel.find('<') == std::string::npos)
        return told(asked->fullName() + " is a template: write its arguments, such as " + exampleEntry(*asked));
    if (plan.entry.empty())
        return told("the file holds several kernels; name one of " + names);
    if (asked && asked->isOverloaded && !entryNameOf(plan.entry).parameters)
        return told("several kernels are called " + asked->fullName() + ": write the types of the one's parameters behind its name; the file holds " + names);
    const std::string as = asked && !why.empty() ? " as written (" + why + ")" : "";
    return told("there is no kernel '" + plan.entry + "'" + as + "; the file holds " + names);
}

std::vector<std::string> warningsOf(std::string_view log)
{
    std::vector<std::string> warnings;
    for (const Diagnostic& diagnostic : diagnosticsOf(log)) {
        if (!diagnostic.isError)
            warnings.push_back((diagnostic.file.empty() ? "" : diagnostic.file + ":" + std::to_string(diagnostic.line) + ": ")
                + diagnostic.message);
    }
    return warnings;
}

} // namespace coalescope::kernels
