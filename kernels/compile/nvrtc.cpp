// SPDX-License-Identifier: Apache-2.0
#include "kernels/compile/nvrtc.h"

#include "kernels/compile/environment_path.h"
#include "kernels/compile/ptx_store.h"
#include "kernels/compile/standard_headers.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <deque>
#include <memory>

#include <dlfcn.h>

namespace coalescope::kernels {
namespace {

namespace fs = std::filesystem;

constexpr std::array kLibraryNames { "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so", "libnvrtc.so.11.2" };
constexpr int kSuccess = 0, kCompilationFailed = 6; // nvrtcResult

/// Where a toolkit may be, the user's own choice first.
std::vector<fs::path> toolkitRoots()
{
    std::vector<fs::path> roots;
    for (const char* name : { "CUDA_HOME", "CUDA_PATH" }) {
        if (fs::path root = environmentPath(name); !root.empty())
            roots.push_back(root);
    }
    roots.emplace_back("/usr/local/cuda");
    std::error_code error;
    std::vector<fs::path> versions;
    for (const auto& entry : fs::directory_iterator("/usr/local", error)) {
        if (entry.path().filename().string().starts_with("cuda-"))
            versions.push_back(entry.path());
    }
    std::ranges::sort(versions, std::ranges::greater {});
    roots.insert(roots.end(), versions.begin(), versions.end());
    roots.emplace_back("/opt/cuda");
    return roots;
}

std::vector<fs::path> libraryFolders()
{
    std::vector<fs::path> folders;
    std::error_code error;
    folders.push_back(fs::read_symlink("/proc/self/exe", error).parent_path());
    for (const fs::path& root : toolkitRoots()) {
        folders.push_back(root / "lib64");
        folders.push_back(root / "targets/x86_64-linux/lib");
    }
    folders.emplace_back("/usr/lib/x86_64-linux-gnu");
    return folders;
}

/// NVRTC puts the working directory before the source's name in the `.file` table.
std::string withPlainSourceName(std::string ptx, const std::string& sourceName)
{
    std::error_code error;
    const std::string quoted = "\"" + (fs::current_path(error) / sourceName).string() + "\"";
    if (const auto at = ptx.rfind(quoted); at != ptx.npos)
        ptx.replace(at, quoted.size(), "\"" + sourceName + "\"");
    return ptx;
}

template <class Function> bool find(void* library, const char* name, Function& function)
{
    function = reinterpret_cast<Function>(dlsym(library, name));
    return function != nullptr;
}

} // namespace

const Nvrtc* Nvrtc::instance()
{
    const char* wish = std::getenv("COALESCOPE_NVRTC");
    if (wish && std::string_view(wish) == "off")
        return nullptr;
    static Nvrtc nvrtc;
    static const bool loaded = nvrtc.load();
    return loaded ? &nvrtc : nullptr;
}

bool Nvrtc::load()
{
    for (const char* name : kLibraryNames) { // where the dynamic linker looks
        if (resolve(dlopen(name, RTLD_NOW | RTLD_LOCAL)))
            return true;
    }
    for (const fs::path& folder : libraryFolders()) {
        for (const char* name : kLibraryNames) {
            const fs::path file = folder / name;
            std::error_code error;
            if (!folder.empty() && fs::exists(file, error) && resolve(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)))
                return true;
        }
    }
    return false;
}

bool Nvrtc::resolve(void* library)
{
    if (!library)
        return false;
    Api& api = m_api;
    const bool complete = find(library, "nvrtcVersion", api.version)
        && find(library, "nvrtcGetErrorString", api.errorString)
        && find(library, "nvrtcCreateProgram", api.createProgram)
        && find(library, "nvrtcDestroyProgram", api.destroyProgram)
        && find(library, "nvrtcAddNameExpression", api.addNameExpression)
        && find(library, "nvrtcCompileProgram", api.compileProgram)
        && find(library, "nvrtcGetLoweredName", api.loweredName)
        && find(library, "nvrtcGetPTXSize", api.ptxSize) && find(library, "nvrtcGetPTX", api.ptx)
        && find(library, "nvrtcGetCUBINSize", api.cubinSize) && find(library, "nvrtcGetCUBIN", api.cubin)
        && find(library, "nvrtcGetProgramLogSize", api.logSize) && find(library, "nvrtcGetProgramLog", api.log);
    int major = 0, minor = 0;
    if (!complete || api.version(&major, &minor) != kSuccess) {
        dlclose(library);
        return false;
    }
    m_knowsInt128 = major * 100 + minor >= 1105;
    m_version = "NVRTC " + std::to_string(major) + "." + std::to_string(minor);
    int count = 0;
    if (find(library, "nvrtcGetNumSupportedArchs", api.supportedArchCount)
        && find(library, "nvrtcGetSupportedArchs", api.supportedArchs) && api.supportedArchCount(&count) == kSuccess) {
        m_architectures.resize(std::size_t(count));
        if (api.supportedArchs(m_architectures.data()) != kSuccess)
            m_architectures.clear();
        std::ranges::sort(m_architectures);
    }
    findHeaders(reinterpret_cast<void*>(api.version));
    return true;
}

/// The toolkit's headers: those beside the library first, so that the versions agree.
void Nvrtc::findHeaders(void* symbol)
{
    std::vector<fs::path> candidates;
    Dl_info info {};
    std::error_code error;
    if (dladdr(symbol, &info) && info.dli_fname) {
        const fs::path library = fs::canonical(info.dli_fname, error);
        if (!error)
            candidates.push_back(library.parent_path().parent_path() / "include");
        m_library = fileIdentity(library);
    }
    for (const fs::path& root : toolkitRoots())
        candidates.push_back(root / "include");
    candidates.emplace_back("/usr/include");
    for (const fs::path& folder : candidates) {
        if (!fs::exists(folder / "cuda_fp16.h", error))
            continue;
        m_headers.push_back(folder);
        if (fs::exists(folder / "cccl", error))
            m_headers.push_back(folder / "cccl");
        return;
    }
}

bool Nvrtc::makesCubin(const CompileOptions& options) const
{
    return std::ranges::binary_search(m_architectures, options.computeMajor * 10 + options.computeMinor);
}

/// The nearest architecture that this NVRTC knows; for machine code it must be the very one.
int Nvrtc::architectureFor(const CompileOptions& options, Target target) const
{
    const int wanted = options.computeMajor * 10 + options.computeMinor;
    if (target == Target::Cubin || m_architectures.empty())
        return wanted;
    const auto above = std::ranges::upper_bound(m_architectures, wanted);
    return above == m_architectures.begin() ? *above : *std::prev(above);
}

std::vector<std::string> Nvrtc::arguments(
    const LaunchPlan& plan, const CompileOptions& options, Target target) const
{
    std::vector<std::string> arguments { "--gpu-architecture=" + std::string(target == Target::Ptx ? "compute_" : "sm_")
            + std::to_string(architectureFor(options, target)),
        "--std=" + plan.compile.standard, "-lineinfo", "-default-device", "-DCOALESCOPE=1", std::string("--pre-include=") + kPrelude };
    if (m_knowsInt128)
        arguments.emplace_back("--device-int128");
    for (const auto& [name, value] : plan.defines)
        arguments.push_back("-D" + name + "=" + value);
    if (!plan.includeDirectory.empty())
        arguments.push_back("-I" + plan.includeDirectory.string());
    for (const fs::path& folder : plan.compile.include)
        arguments.push_back("-I" + folder.string());
    for (const fs::path& folder : m_headers)
        arguments.push_back("-I" + folder.string());
    return arguments;
}

std::string Nvrtc::recipe(const LaunchPlan& plan, const CompileOptions& options) const
{
    std::string recipe;
    addPart(recipe, m_version);
    addPart(recipe, m_library);
    for (const std::string& argument : arguments(plan, options, Target::Ptx))
        addPart(recipe, argument);
    return recipe;
}

std::string Nvrtc::programLog(Program program) const
{
    std::size_t size = 0;
    if (m_api.logSize(program, &size) != kSuccess || size <= 1)
        return {};
    std::string log(size, '\0');
    m_api.log(program, log.data());
    log.resize(size - 1);
    return log;
}

Result<CompilerOutput> Nvrtc::compile(const CompilerInput& input, const CompileOptions& options, Target target) const
{
    const Result<CompilerOutput> asWritten = compileOnce(input, options, target);
    if (!asWritten || asWritten->succeeded)
        return asWritten;
    // What is not there may hold nothing that the kernel needs, such as a judge's "solve.h".
    CompilerInput without = input;
    std::string log = asWritten->log;
    constexpr int kMostMissing = 4;
    for (int i = 0; i < kMostMissing; ++i) {
        static constexpr std::string_view kMissing = "cannot open source file \"";
        const std::size_t at = log.find(kMissing), first = at + kMissing.size();
        const std::size_t end = at == std::string::npos ? at : log.find('"', first);
        if (end == std::string::npos)
            break;
        without.headers.push_back({ .names = { log.substr(first, end - first) }, .text = {} });
        Result<CompilerOutput> again = compileOnce(without, options, target);
        if (!again)
            break;
        if (again->succeeded)
            return again;
        log = again->log; // of the next that is not there, or of what is needed
    }
    return asWritten;
}

Result<CompilerOutput> Nvrtc::compileOnce(const CompilerInput& input, const CompileOptions& options, Target target) const
{
    const LaunchPlan& plan = input.plan;
    const auto refused = [&](const char* call, int code) {
        return fail(ErrorCode::CompileFailed, std::string(call) + ": " + m_api.errorString(code), plan.sourceName);
    };
    std::vector<const char*> headers, names;
    for (const StandardHeader& header : standardHeaders()) {
        if (header.when == (m_headers.empty() ? StandsIn::WithToolkit : StandsIn::WithoutToolkit))
            continue;
        headers.push_back(header.content.c_str());
        names.push_back(header.name.c_str());
    }
    std::deque<std::string> others; // by its other names a header is the same one to #pragma once
    for (const HeaderText& header : input.headers) {
        for (const std::string& name : header.names) {
            headers.push_back(&name == &header.names.front() ? header.text.c_str() : others.emplace_back("#include \"" + header.names.front() + "\"\n").c_str());
            names.push_back(name.c_str());
        }
    }
    Program handle = nullptr;
    if (const int code = m_api.createProgram(&handle, plan.source.c_str(), plan.sourceName.c_str(),
            int(headers.size()), headers.data(), names.data()))
        return refused("nvrtcCreateProgram", code);
    const auto destroy = [this](Program* program) { m_api.destroyProgram(program); };
    const std::unique_ptr<Program, decltype(destroy)> program(&handle, destroy);

    if (!plan.entry.empty()) {
        if (const int code = m_api.addNameExpression(handle, plan.entry.c_str()))
            return refused("nvrtcAddNameExpression", code);
    }
    const std::vector<std::string> texts = arguments(plan, options, target);
    std::vector<const char*> pointers;
    for (const std::string& text : texts)
        pointers.push_back(text.c_str());
    const int code = m_api.compileProgram(handle, int(pointers.size()), pointers.data());
    CompilerOutput output;
    output.compiler = m_version;
    output.log = programLog(handle);
    if (code != kSuccess) {
        if (code != kCompilationFailed && output.log.empty())
            return refused("nvrtcCompileProgram", code);
        return output;
    }
    const char* lowered = nullptr;
    if (!plan.entry.empty() && m_api.loweredName(handle, plan.entry.c_str(), &lowered) == kSuccess && lowered)
        output.entry = lowered;
    std::size_t size = 0;
    if (const int error = m_api.ptxSize(handle, &size))
        return refused("nvrtcGetPTXSize", error);
    std::string ptx(size, '\0');
    if (const int error = m_api.ptx(handle, ptx.data()))
        return refused("nvrtcGetPTX", error);
    ptx.resize(size ? size - 1 : 0);
    output.ptx = withPlainSourceName(std::move(ptx), plan.sourceName);
    if (target == Target::Cubin) {
        if (const int error = m_api.cubinSize(handle, &size))
            return refused("nvrtcGetCUBINSize", error);
        output.cubin.resize(size);
        if (const int error = m_api.cubin(handle, output.cubin.data()))
            return refused("nvrtcGetCUBIN", error);
    }
    output.succeeded = true;
    return output;
}

} // namespace coalescope::kernels
