// SPDX-License-Identifier: Apache-2.0
#include "kernels/catalogue/element_type.h"

#include <fstream>

namespace coalescope::kernels {
namespace {

Result<std::string> readSource(const std::filesystem::path& path)
{
    std::error_code error;
    const std::string name = path.string();
    if (!std::filesystem::exists(path, error))
        return fail(ErrorCode::FileFailed, "the file does not exist", name);
    // A device or a pipe might never end.
    if (!std::filesystem::is_regular_file(path, error))
        return fail(ErrorCode::FileFailed, "this is no regular file", name);
    if (std::filesystem::file_size(path, error) > kSourceLimitBytes || error)
        return fail(ErrorCode::BadInput, "the file is larger than 16 MiB", name);
    std::ifstream file(path, std::ios::binary);
    std::string source((std::istreambuf_iterator<char>(file)), {});
    if (!file.good() && !file.eof())
        return fail(ErrorCode::FileFailed, "the file could not be read", name);
    if (source.starts_with("\xef\xbb\xbf")) // a byte-order mark: compilers differ over it
        source.erase(0, 3);
    return source;
}

} // namespace

Result<LaunchPlan> planLaunch(const SourceRequest& request)
{
    auto source = readSource(request.file);
    if (!source)
        return std::unexpected(source.error());
    if (request.grid.count() == 0 || request.block.count() == 0)
        return fail(ErrorCode::WrongUsage, "a grid or block dimension is 0", request.grid.count() ? "--block" : "--grid");
    std::error_code error;
    LaunchPlan plan;
    plan.kernel = request.file.string() + ":" + request.entry;
    plan.sourceName = request.file.filename().string();
    plan.source = std::move(*source);
    plan.includeDirectory = std::filesystem::absolute(request.file, error).parent_path();
    plan.compile = request.compile;
    plan.entry = request.entry;
    plan.defines = request.defines;
    plan.grid = request.grid;
    plan.block = request.block;
    plan.dynamicSharedBytes = request.dynamicSharedBytes;
    plan.argumentSpecs = request.arguments;
    for (const auto& [name, value] : request.defines)
        plan.parameters[name] = value;
    for (std::size_t i = 0; i < request.arguments.size(); ++i) {
        auto argument = parseArgument(request.arguments[i], "arg" + std::to_string(i + 1));
        if (!argument)
            return fail(argument.error().code, argument.error().detail, "--arg " + request.arguments[i]);
        plan.arguments.push_back(std::move(*argument));
    }
    return plan;
}

} // namespace coalescope::kernels
