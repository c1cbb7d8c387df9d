// SPDX-License-Identifier: Apache-2.0
#include "kernels/compile/clang.h"

#include "kernels/compile/ptx_store.h"
#include "kernels/compile/run_child.h"
#include "kernels/compile/standard_headers.h"
#include "kernels/resource.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>

#include <unistd.h>

namespace coalescope::kernels {
namespace {

namespace fs = std::filesystem;

constexpr std::array kNames { "clang++", "clang++-19", "clang++-18", "clang++-17", "clang++-16", "clang++-15",
    "clang++-14" };
constexpr std::chrono::seconds kTimeLimit { 30 };
constexpr int kOldest = 14;
constexpr std::uintmax_t kPtxLimitBytes = 64 << 20;
constexpr std::string_view kEntryVariable = "coalescopeEntry";
constexpr const char* kWrapper = "coalescope_entry.cu"; // diagnostics.cpp knows the name
constexpr const char* kOverlay = "overlay.json";

/// "14.0.6" of a clang; empty where this is none.
std::string versionOf(const std::string& path)
{
    static std::mutex mutex;
    static std::map<std::string, std::string> known; // asking costs a process
    const std::lock_guard lock(mutex);
    if (const auto found = known.find(path); found != known.end())
        return found->second;
    std::string version;
    if (const auto answer = runChild({ path, "--version" }, kTimeLimit); answer && answer->status == 0) {
        constexpr std::string_view kBefore = "clang version ";
        if (const auto at = answer->output.find(kBefore); at != std::string::npos) {
            const auto begin = at + kBefore.size();
            version = answer->output.substr(begin, answer->output.find_first_not_of("0123456789.", begin) - begin);
        }
    }
    return known[path] = version;
}

bool write(const fs::path& file, std::string_view content)
{
    std::ofstream out(file, std::ios::binary);
    out.write(content.data(), std::streamsize(content.size()));
    return bool(out.flush());
}

std::string read(const fs::path& file)
{
    std::error_code error;
    if (fs::file_size(file, error) > kPtxLimitBytes || error)
        return {};
    std::ifstream in(file, std::ios::binary);
    return std::string((std::istreambuf_iterator<char>(in)), {});
}

void replaceAll(std::string& text, std::string_view from, std::string_view to)
{
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

/// The name under which the source lies in the temporary directory, safe inside an #include.
std::string fileName(const LaunchPlan& plan)
{
    std::string name = fs::path(plan.sourceName).filename().string();
    const bool safe = !name.empty() && name.size() < 200 && name != "." && name != ".."
        && name.find_first_of("\"\\\n\r\t") == std::string::npos;
    return safe ? name : "kernel.cu";
}

/// Includes the source and makes the entry's name appear in the PTX, as the value of a variable; that
/// also instantiates a template.
std::string wrapper(const LaunchPlan& plan)
{
    std::string text = "#include \"source/" + fileName(plan) + "\"\n#pragma clang force_cuda_host_device end\n";
    if (!plan.entry.empty())
        text += "extern \"C\" __attribute__((device)) decltype(&(" + plan.entry + ")) " + std::string(kEntryVariable)
            + " = &(" + plan.entry + ");\n";
    return text;
}

bool fillFolder(const LaunchPlan& plan, const fs::path& folder)
{
    std::error_code error;
    bool written = true;
    for (const char* name : { "source", "standard", "device" })
        written = written && fs::create_directory(folder / name, error);
    for (const StandardHeader& header : standardHeaders()) {
        if (header.when != StandsIn::WithToolkit)
            written = written && write(folder / "standard" / header.name, header.content);
    }
    for (const Resource& file : resourcesUnder("kernels/compile/"))
        written = written && write(folder / "device" / fs::path(file.path).filename(), file.content);
    written = written && write(folder / "standard/cuda_fp16.h", "#include \"device_half.cuh\"\n");
    return written && write(folder / "source" / fileName(plan), plan.source)
        && write(folder / kWrapper, wrapper(plan));
}

/// Puts the headers' texts where clang finds them under the files' own names.
bool writeOverlay(const std::vector<HeaderText>& headers, const fs::path& folder)
{
    if (headers.empty())
        return true;
    nlohmann::json roots = nlohmann::json::array();
    bool written = true;
    for (std::size_t i = 0; i < headers.size(); ++i) {
        const fs::path file = folder / ("header" + std::to_string(i));
        written = written && write(file, headers[i].text);
        roots.push_back({ { "name", headers[i].path.parent_path().string() }, { "type", "directory" },
            { "contents", { { { "name", headers[i].path.filename().string() }, { "type", "file" }, { "external-contents", file.string() } } } } });
    }
    const nlohmann::json overlay { { "version", 0 }, { "use-external-names", false }, { "roots", roots } };
    return written && write(folder / kOverlay, overlay.dump());
}

/// Removes `.visible .entry NAME (...) ;` declarations: a declaration has ';' where a kernel has '{'.
void removeDeclarations(std::string& ptx)
{
    constexpr std::string_view kEntry = ".visible .entry ";
    for (auto at = ptx.find(kEntry); at != std::string::npos; at = ptx.find(kEntry, at)) {
        const auto end = ptx.find_first_of(";{", at);
        if (end != std::string::npos && ptx[end] == ';')
            ptx.erase(at, end + 1 - at);
        else
            at += kEntry.size();
    }
}

} // namespace

Clang::Clang(std::string path, std::string version)
    : m_path(std::move(path))
    , m_version("clang " + version)
    , m_major(std::atoi(version.c_str()))
{
}

Result<Clang> Clang::find()
{
    const char* variable = std::getenv("PATH");
    const std::string_view path = variable ? variable : "";
    for (const char* name : kNames) {
        for (std::size_t begin = 0; begin <= path.size();) {
            const auto end = std::min(path.find(':', begin), path.size());
            const std::string file = std::string(path.substr(begin, end - begin)) + "/" + name;
            begin = end + 1;
            if (file[0] != '/' || access(file.c_str(), X_OK) != 0)
                continue;
            const std::string version = versionOf(file);
            if (std::atoi(version.c_str()) >= kOldest)
                return Clang(file, version);
        }
    }
    return fail(ErrorCode::NoCompiler,
        "no compiler for CUDA C++ was found: install clang (14 or newer) or the CUDA toolkit's NVRTC");
}

/// sm_90 since clang 16; the older ones know sm_80, whose memory instructions are the same.
std::string Clang::architectureFor(const CompileOptions& options) const
{
    if (options.computeMajor >= 9 && m_major >= 16)
        return "sm_90";
    if (options.computeMajor >= 8)
        return "sm_80";
    return options.computeMajor * 10 + options.computeMinor >= 75 ? "sm_75" : "sm_70";
}

std::vector<std::string> Clang::arguments(
    const LaunchPlan& plan, const CompileOptions& options, const fs::path& folder) const
{
    const std::string base = folder.string();
    std::vector<std::string> arguments { m_path, "-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib",
        "--cuda-path=" + base, "--cuda-gpu-arch=" + architectureFor(options), "-S", "-O3", "-gline-tables-only",
        "-std=" + plan.compile.standard, "-Wno-unknown-cuda-version", "-fno-color-diagnostics", "-fno-caret-diagnostics",
        "-ffp-contract=fast", "-fno-math-errno", "-DCOALESCOPE=1",
        "-mllvm", "-disable-vector-combine", // else a float2 whose halves are used apart is loaded in two
        "-I" + base + "/device", "-fdeclspec", "-isystem", base + "/standard", "-include", "device.cuh" };
    for (const auto& [name, value] : plan.defines)
        arguments.push_back("-D" + name + "=" + value);
    if (!plan.includeDirectory.empty())
        arguments.push_back("-I" + plan.includeDirectory.string());
    for (const fs::path& included : plan.compile.include)
        arguments.push_back("-I" + included.string());
    arguments.insert(arguments.end(), { "-o", base + "/out.ptx", base + "/" + kWrapper });
    return arguments;
}

std::string Clang::recipe(const LaunchPlan& plan, const CompileOptions& options) const
{
    std::error_code error;
    std::string recipe;
    addPart(recipe, m_version);
    addPart(recipe, fileIdentity(fs::canonical(m_path, error)));
    for (const std::string& argument : arguments(plan, options, {}))
        addPart(recipe, argument);
    return recipe;
}

Result<CompilerOutput> Clang::compile(const CompilerInput& input, const CompileOptions& options) const
{
    const LaunchPlan& plan = input.plan;
    const TemporaryDirectory folder;
    if (folder.path().empty() || !fillFolder(plan, folder.path()) || !writeOverlay(input.headers, folder.path()))
        return fail(ErrorCode::FileFailed, "the compiler's temporary directory could not be written", "TMPDIR");
    std::vector<std::string> command = arguments(plan, options, folder.path());
    if (!input.headers.empty())
        command.insert(command.end(), { "-ivfsoverlay", (folder.path() / kOverlay).string() });
    const auto child = runChild(command, kTimeLimit);
    if (!child)
        return fail(ErrorCode::CompileFailed, child.error().detail, plan.sourceName);
    CompilerOutput output;
    output.compiler = m_version;
    output.log = child->output;
    replaceAll(output.log, folder.path().string() + "/./source/" + fileName(plan), plan.sourceName);
    replaceAll(output.log, folder.path().string() + "/source/" + fileName(plan), plan.sourceName);
    replaceAll(output.log, folder.path().string() + "/", "");
    replaceAll(output.log, "In file included from " + std::string(kWrapper) + ":1:\n", "");
    if (child->status != 0)
        return output;
    output.ptx = read(folder.path() / "out.ptx");
    if (output.ptx.empty())
        return fail(ErrorCode::CompileFailed, m_version + " wrote no PTX", plan.sourceName);
    output.ptx = cleanedPtx(std::move(output.ptx), folder.path().string(), output.entry);
    output.succeeded = true;
    return output;
}

std::string cleanedPtx(std::string ptx, const std::string& folder, std::string& entry)
{
    // .visible .global .align 8 .u64 coalescopeEntry = NAME;
    if (const auto name = ptx.find(std::string(kEntryVariable) + " = "); name != std::string::npos) {
        const auto begin = ptx.rfind('\n', name) + 1, end = ptx.find(';', name);
        std::string value = ptx.substr(name + kEntryVariable.size() + 3, end - name - kEntryVariable.size() - 3);
        if (value.starts_with("generic("))
            value = value.substr(8, value.size() - 9);
        entry = value;
        ptx.erase(begin, end + 1 - begin);
    }
    removeDeclarations(ptx);
    replaceAll(ptx, folder + "/./source/", "");
    replaceAll(ptx, folder + "/source/", "");
    replaceAll(ptx, folder + "/", "");
    return ptx;
}

} // namespace coalescope::kernels
