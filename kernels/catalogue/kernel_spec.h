// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/execute/launch.h"
#include "analysis/result/error.h"
#include "kernels/host/host_buffer.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace coalescope::kernels {

/// No source with its headers is larger.
inline constexpr std::size_t kSourceLimitBytes = 16 << 20;

/// Text in the two languages of the product; zhCN may be empty.
struct LocalizedText {
    std::string en, zhCN;
};

enum class ElementType : std::uint8_t { F16, BF16, F32, F64, I8, U8, I16, U16, I32, U32, I64, U64 };

[[nodiscard]] int bytesOf(ElementType type);
[[nodiscard]] std::string_view nameOf(ElementType type); ///< "f32"
[[nodiscard]] std::optional<ElementType> elementTypeNamed(std::string_view name);

struct Choice {
    std::string value; ///< what the define or the expression sees
    LocalizedText label;
};

/// One parameter of a kernel's experiment.
struct ParameterSpec {
    std::string name;
    LocalizedText label;
    LocalizedText help;
    std::string defaultValue;
    std::vector<Choice> choices; ///< empty: a number
    bool isReal = false; ///< any finite number; otherwise, without choices, an integer in [minimum, maximum]
    std::int64_t minimum = 0, maximum = 0;
    std::vector<std::int64_t> presets; ///< offered beside the spin box
    std::string define; ///< name of the preprocessor symbol; empty: a run-time value only
    bool isWorkedOut = false; ///< the default is what a program's host code makes of the others' defaults
    [[nodiscard]] bool isInteger() const { return choices.empty() && !isReal; }
};

struct Preset {
    LocalizedText title;
    std::map<std::string, std::string> values;
};

struct LegalityCondition {
    std::string condition; ///< expression that must hold
    std::vector<std::string> parameters; ///< whose controls show the sentence
    LocalizedText sentence; ///< may hold {name} of parameters
};

/// What a launch that was read out of a program does not say, and is taken to be.
struct Guess {
    enum class Kind : std::uint8_t {
        BufferSize, ///< `taken`, elements: one a thread, or as many as the integer arguments multiplied
        BufferStart, ///< where a pointer points to: the buffer's start
        Indices, ///< a buffer's: 0, 1, 2, ..., or random ones below `taken`, where there are more of them than what they point into has
        Ranges, ///< a buffer's, where ranges of another begin: each `taken` behind the one before
        Integers, ///< a buffer's: random ones below `taken`
        Value, ///< `taken`
        TemplateArgument, ///< `taken`
        SharedBytes, ///< 4 bytes a thread
        RoundingUp, ///< a function of two integers that is not there: that it divides them and rounds up
        Variable, ///< a variable of the module: what it starts with
        Launch, ///< all of it: nothing in the program launches the kernel
    } kind = Kind::Value;
    std::string what; ///< a buffer, a parameter
    std::string taken;
    bool isOfOtherValues = false; ///< Value: it is what the host code makes of the defaults, and others are given
    /// Addresses and branches may follow from it.
    [[nodiscard]] bool leads() const { return kind != Kind::BufferSize && kind != Kind::TemplateArgument && kind != Kind::SharedBytes; }
    bool operator==(const Guess&) const = default;
};

/// How a user's file is compiled.
struct CompileSettings {
    std::string standard = "c++17"; ///< or c++20
    std::vector<std::filesystem::path> include; ///< folders, beside the file's own
    std::vector<std::filesystem::path> sources; ///< other files that are compiled apart and make up a program with it
    bool operator==(const CompileSettings&) const = default;
};

[[nodiscard]] inline bool isStandard(std::string_view name) { return name == "c++17" || name == "c++20"; }

/// A kernel with its manifest: of the catalogue, or a user's own file.
struct KernelSpec {
    std::string id;
    LocalizedText title, summary, teaches;
    std::string entry; ///< as --entry takes it: "transpose" or "tile<float,32,1>"
    std::vector<ParameterSpec> parameters;
    std::vector<Preset> presets; ///< the published launches and the lessons
    std::vector<LegalityCondition> legality;
    std::string sourceName; ///< file name for line info: "transpose_shared.cu"
    std::string source; ///< the whole file
    std::filesystem::path path; ///< empty for the catalogue
    CompileSettings compile;
    std::string derived; ///< the manifest that was made of a launch in the file; empty: the file has its own
    std::vector<Guess> guesses; ///< what that launch does not say
    HostBuffer launch; ///< which one of the file's it was made of, without an argument; place 0: of none
    bool isAside = false; ///< in a branch that the program does not take with these values, nor is it known with which
    bool isWorkedOut = false; ///< some of its numbers are what the host code makes of the parameters' values, in ways that no expression says
    std::map<std::string, std::string> workedOutWith; ///< of which values, where these are not the defaults: see planFollowed()
    std::set<std::string> written; ///< what it may write to, as HostBuffer::argument names it
    std::vector<std::shared_ptr<const KernelSpec>> earlier; ///< the file's other launches, where they leave something in its buffers
    struct Impl;
    std::shared_ptr<const Impl> impl; ///< expressions, compiled on demand
};

using ParameterValues = std::map<std::string, std::string>;

enum class FillKind : std::uint8_t { Zero, Iota, Random, File };

struct Fill {
    FillKind kind = FillKind::Zero;
    std::uint64_t seed = 0;
    std::filesystem::path file;
    bool hasBounds = false; ///< random: from low to below high; else integers over their whole range, floats in [-1, 1)
    double low = 0, high = 0;
    double start = 0, step = 1; ///< iota: element i is start + i * step
};

struct LaunchPlan;

/// What a launch before this one leaves in a buffer.
struct LeftBuffer {
    std::shared_ptr<const LaunchPlan> launch;
    std::string buffer; ///< as that launch calls it
};

/// One of a program's launches, to be executed with what the host code gives it then.
struct ProgramLaunchPlan {
    HostBuffer launch; ///< without an argument
    std::set<std::string> written; ///< see KernelSpec
    std::shared_ptr<const LaunchPlan> plan; ///< without what its buffers hold
};

/// What the host code of a program, and the launches that it makes before, put into a buffer before the launch.
struct HostSource {
    std::shared_ptr<const LaunchPlan> program; ///< its source and where its headers lie, no more
    HostBuffer buffer;
    std::vector<HostNumber> numbers; ///< the launch's parameters
    std::vector<ProgramLaunchPlan> launches = {}; ///< the program's others
    bool isLeft = false; ///< one of them may leave something in the buffer: without executing them nothing is known
};

/// What memory holds that is pointed to.
struct KnownContent {
    std::vector<std::uint8_t> bytes;
    std::vector<std::uint64_t> places; ///< of addresses of other such memory in it
};

struct BufferPlan {
    std::string name;
    ElementType type = ElementType::F32;
    std::uint64_t count = 0; ///< elements
    Fill fill;
    std::optional<LeftBuffer> left = {}; ///< what it holds instead of its fill, as far as that can be worked out
    std::optional<HostSource> host = {}; ///< what it holds instead of its fill, unless a launch leaves something in it
    std::shared_ptr<const KnownContent> known = {}; ///< what it holds instead of its fill
    bool holdsAddresses = false; ///< of other memory: `host` tells where they lead
    std::uint64_t offset = 0; ///< where the argument points to, in bytes from the buffer's begin
    std::string sameAs = {}; ///< name of the earlier buffer whose memory this is; empty: its own
    [[nodiscard]] bool isOwn() const { return sameAs.empty(); }
};

struct ScalarPlan {
    std::string name;
    ElementType type = ElementType::I32;
    std::uint64_t bits = 0; ///< little-endian value
};

/// A member of a structure; one of a structure in it counts as the outer one's.
struct StructMember {
    std::uint64_t offset = 0;
    std::variant<BufferPlan, ScalarPlan> value;
};

/// A structure that is passed by value, laid out by structOf().
struct StructPlan {
    std::string name;
    std::vector<StructMember> members;
    std::uint64_t bytes = 0, alignment = 1;
};

using Argument = std::variant<BufferPlan, ScalarPlan, StructPlan>;

/// What the output must be: element i of `output` equals element at(i) of `input`, or is untouched.
struct Reference {
    int output = 0, input = 0; ///< indexes into LaunchPlan::arguments
    /// Source indexes of output elements [first, first + out.size()); -1 where the element must keep its fill.
    std::function<Result<void>(std::uint64_t first, std::span<std::int64_t> out)> indices;
};

/// Lines of a manifest, for errors.
struct ManifestLines {
    int entryLine = 0;
    std::vector<int> argumentLines; ///< by argument
};

/// Everything needed to compile, predict and launch once. The same value serves predict and measure.
/// What a grid that is rounded down leaves out along an axis.
struct LeftOut {
    int axis = 0; ///< 0: x
    std::int64_t all = 0, each = 0; ///< what is divided, and by what
};

struct LaunchPlan {
    std::string kernel; ///< id or FILE:ENTRY
    std::string sourceName, source;
    std::filesystem::path includeDirectory; ///< of a user's file; empty: none
    CompileSettings compile;
    std::string entry; ///< name expression
    std::vector<std::pair<std::string, std::string>> defines;
    std::vector<std::pair<std::string, std::string>> constants; ///< variables of the GPU that the host gives a value: name and initialiser
    std::vector<BufferPlan> variables; ///< others of the GPU's, in which the host code or earlier launches leave something
    analysis::Dim3 grid, block;
    std::vector<LeftOut> leftOut; ///< by the grid
    std::uint32_t dynamicSharedBytes = 0;
    std::vector<Argument> arguments;
    std::optional<Reference> reference;
    ParameterValues parameters; ///< of a manifest; every parameter present
    std::vector<std::string> argumentSpecs; ///< of a --source run, as typed
    std::optional<ManifestLines> manifest; ///< none: a --source run
    std::string derived; ///< the manifest, where it was made of a launch in the file
    std::vector<Guess> guesses; ///< what that launch does not say
    bool isAside = false; ///< see KernelSpec
    bool isNotMade = false; ///< the program does not come to the launch with these values: see planFollowed()
    std::vector<std::shared_ptr<const KernelSpec>> earlier; ///< see KernelSpec
    std::shared_ptr<const LaunchPlan> verification; ///< a smaller launch with the same edges; null: this one
};

/// Parses the TOML manifest in a file's leading comment.
///
/// Errors: BadInput with `where` = "FILE:LINE".
[[nodiscard]] Result<KernelSpec> parseKernel(std::string source, std::string sourceName);

/// The same for a file without a manifest, and one that was made for it; errors and launches are told to be at `line`.
[[nodiscard]] Result<KernelSpec> parseKernel(std::string source, std::string sourceName, std::string manifest, int line);

/// The built-in kernels, in teaching order. Parsed once, embedded in the program.
[[nodiscard]] const std::vector<KernelSpec>& catalogue();

/// Errors: UnknownKernel with the nearest names.
[[nodiscard]] Result<const KernelSpec*> kernelNamed(std::string_view id);

/// One broken rule, for the control that it belongs to.
struct ParameterProblem {
    std::vector<std::string> parameters;
    LocalizedText sentence;
};

/// What is wrong with a value by itself; nothing: it is one that the parameter may have.
[[nodiscard]] std::optional<ParameterProblem> valueProblem(const ParameterSpec& parameter, const std::string& value);

/// Empty where the values are legal. `values` may leave parameters out: their defaults stand.
[[nodiscard]] std::vector<ParameterProblem> problemsOf(const KernelSpec& kernel, const ParameterValues& values);

/// Puts a parameter's value where an entry has its name in braces: "tile<float,{TILE}>".
void setInEntry(std::string& entry, std::string_view parameter, std::string_view value);

/// Values to a launch.
///
/// Errors: WrongUsage (no such parameter), IllegalParameter with the sentence.
[[nodiscard]] Result<LaunchPlan> planLaunch(const KernelSpec& kernel, const ParameterValues& values);

/// Of a program's launches, those that can be planned as the program makes them.
[[nodiscard]] std::vector<ProgramLaunchPlan> launchesToExecute(const std::vector<std::shared_ptr<const KernelSpec>>& launches);

/// A launch of a user's file without a manifest: what `--source` takes.
struct SourceRequest {
    std::filesystem::path file;
    std::string entry;
    analysis::Dim3 grid, block;
    std::uint32_t dynamicSharedBytes = 0;
    std::vector<std::string> arguments; ///< --arg, in order
    std::vector<std::pair<std::string, std::string>> defines;
    CompileSettings compile;
};
[[nodiscard]] Result<LaunchPlan> planLaunch(const SourceRequest& request);

/// Writes the initial bytes [first, first + out.size()) of a buffer; deterministic.
[[nodiscard]] Result<void> fillBytes(const BufferPlan& buffer, std::uint64_t first, std::span<std::uint8_t> out);

} // namespace coalescope::kernels
