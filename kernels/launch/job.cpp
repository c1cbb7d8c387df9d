// SPDX-License-Identifier: Apache-2.0
#include "kernels/launch/job.h"

#include "kernels/catalogue/argument_parts.h"
#include "kernels/catalogue/element_type.h"
#include "kernels/launch/driver.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>

#include <unistd.h>

namespace coalescope::kernels {

namespace {

    using nlohmann::json;
    using analysis::Dim3;

    struct StepName {
        JobStep step;
        std::string_view name;
    };
    constexpr StepName kSteps[] = {
        { JobStep::All, "all" },
        { JobStep::Run, "run" },
        { JobStep::Count, "count" },
        { JobStep::Lines, "lines" },
        { JobStep::Info, "info" },
        { JobStep::Calibrate, "calibrate" },
        { JobStep::Rates, "rates" },
    };

    /// What a kernel's parameters may take together.
    constexpr std::uint64_t kLargestStructBytes = 32764;

    struct FillName {
        FillKind kind;
        std::string_view name;
    };
    constexpr FillName kFills[] = {
        { FillKind::Zero, "zero" },
        { FillKind::Iota, "iota" },
        { FillKind::Random, "random" },
        { FillKind::File, "file" },
    };

    std::string hostName()
    {
        char name[256] = {};
        return gethostname(name, sizeof name - 1) == 0 ? name : "";
    }

    json toJson(Dim3 dim) { return json::array({ dim.x, dim.y, dim.z }); }

    json toJson(const ScalarPlan& scalar)
    {
        return { { "scalar", nameOf(scalar.type) }, { "name", scalar.name }, { "bits", scalar.bits } };
    }

    json toJson(const BufferPlan& buffer)
    {
        json value = { { "buffer", nameOf(buffer.type) }, { "name", buffer.name }, { "count", buffer.count } };
        if (!buffer.isOwn())
            value["same"] = buffer.sameAs;
        for (const FillName& row : kFills)
            if (row.kind == buffer.fill.kind)
                value["fill"] = row.name;
        value["seed"] = buffer.fill.seed;
        if (buffer.fill.hasBounds)
            value["bounds"] = { buffer.fill.low, buffer.fill.high };
        if (buffer.fill.kind == FillKind::Iota)
            value["iota"] = { buffer.fill.start, buffer.fill.step };
        if (buffer.fill.kind == FillKind::File)
            value["file"] = std::filesystem::absolute(buffer.fill.file).string();
        return value;
    }

    json toJson(const StructPlan& structure)
    {
        json members = json::array();
        for (const StructMember& member : structure.members) {
            members.push_back(std::visit([](const auto& value) { return toJson(value); }, member.value));
            members.back()["offset"] = member.offset;
        }
        return { { "struct", members }, { "name", structure.name }, { "bytes", structure.bytes } };
    }

    // A plan of a manifest has a reference, or arguments that nobody typed; parameters may also be the
    // defines of a --source run.
    bool isManifest(const LaunchPlan& plan)
    {
        return plan.reference || !plan.derived.empty() || (plan.argumentSpecs.empty() && !plan.arguments.empty());
    }

    json absolutePaths(const std::vector<std::filesystem::path>& paths, const std::filesystem::path& folder = {})
    {
        json listed = json::array();
        for (const std::filesystem::path& path : paths)
            listed.push_back(std::filesystem::absolute(folder / path).string());
        return listed;
    }

    std::vector<std::filesystem::path> pathsFrom(const json& value, const char* key)
    {
        const auto paths = value.value(key, std::vector<std::string> {});
        return { paths.begin(), paths.end() };
    }

    /// A launch of the same program before it, which may be of another of its files.
    json earlierJson(const KernelSpec& earlier, const LaunchPlan& plan)
    {
        json value = { { "manifest", earlier.derived }, { "title", earlier.title.en }, { "place", earlier.launch.launch }, { "instance", earlier.launch.instance }, { "kernel", earlier.launch.kernel }, { "written", earlier.written } };
        if (plan.compile.sources.empty())
            return value;
        value["source"] = earlier.source;
        value["source_name"] = earlier.sourceName;
        value["folder"] = std::filesystem::absolute(earlier.path.parent_path()).string();
        value["sources"] = absolutePaths(earlier.compile.sources, earlier.path.parent_path());
        return value;
    }

    json planJson(const LaunchPlan& plan)
    {
        json value = { { "kernel", plan.kernel }, { "source_name", plan.sourceName } };
        if (!plan.includeDirectory.empty())
            value["include_directory"] = std::filesystem::absolute(plan.includeDirectory).string();
        if (plan.compile != CompileSettings {}) {
            value["standard"] = plan.compile.standard;
            value["include"] = absolutePaths(plan.compile.include);
            if (!plan.compile.sources.empty())
                value["sources"] = absolutePaths(plan.compile.sources);
        }
        if (isManifest(plan)) {
            value["manifest_source"] = plan.source;
            if (!plan.derived.empty()) {
                value["manifest"] = plan.derived;
                value["line"] = plan.manifest ? plan.manifest->entryLine : 1;
            }
            for (const auto& earlier : plan.earlier)
                value["earlier"].push_back(earlierJson(*earlier, plan));
            value["parameters"] = plan.parameters;
            return value;
        }
        value["source"] = plan.source;
        value["entry"] = plan.entry;
        value["defines"] = plan.defines;
        value["grid"] = toJson(plan.grid);
        value["block"] = toJson(plan.block);
        value["shared"] = plan.dynamicSharedBytes;
        value["argument_specs"] = plan.argumentSpecs;
        value["arguments"] = json::array();
        for (const Argument& argument : plan.arguments)
            value["arguments"].push_back(std::visit([](const auto& one) { return toJson(one); }, argument));
        return value;
    }

    Result<Dim3> dimFrom(const json& value, const char* name)
    {
        const json& dim = value.at(name);
        const auto part = [&](std::size_t i) { return dim.at(i).get<std::uint32_t>(); };
        if (!dim.is_array() || dim.size() != 3 || !part(0) || !part(1) || !part(2))
            return fail(ErrorCode::BadInput, "a job's grid and block are three positive numbers", name);
        return Dim3 { part(0), part(1), part(2) };
    }

    Result<ElementType> typeFrom(const json& value, const char* name)
    {
        const auto text = value.at(name).get<std::string>();
        if (const auto type = elementTypeNamed(text))
            return *type;
        return fail(ErrorCode::BadInput, fmt::format("there is no element type '{}'", text), "arguments");
    }

    Result<Argument> argumentFrom(const json& value, const std::string& jobHost);

    Result<Argument> structFrom(const json& value, const std::string& jobHost)
    {
        StructPlan structure { .name = value.value("name", ""), .members = {}, .bytes = value.at("bytes").get<std::uint64_t>() };
        for (const json& one : value.at("struct")) {
            auto member = argumentFrom(one, jobHost);
            COALESCOPE_TRY(member);
            const auto offset = one.at("offset").get<std::uint64_t>();
            if (std::holds_alternative<StructPlan>(*member) || structure.bytes > kLargestStructBytes
                || offset > structure.bytes || bytesOf(*member) > structure.bytes - offset)
                return fail(ErrorCode::BadInput, "a member does not lie in its structure", "arguments");
            if (auto* buffer = std::get_if<BufferPlan>(&*member))
                structure.members.push_back({ offset, std::move(*buffer) });
            else
                structure.members.push_back({ offset, std::get<ScalarPlan>(*member) });
        }
        return structure;
    }

    Result<Argument> argumentFrom(const json& value, const std::string& jobHost)
    {
        if (value.contains("struct"))
            return structFrom(value, jobHost);
        if (value.contains("scalar")) {
            const auto type = typeFrom(value, "scalar");
            if (!type)
                return std::unexpected(type.error());
            return ScalarPlan { value.value("name", ""), *type, value.at("bits").get<std::uint64_t>() };
        }
        const auto type = typeFrom(value, "buffer");
        if (!type)
            return std::unexpected(type.error());
        BufferPlan buffer { value.value("name", ""), *type, value.at("count").get<std::uint64_t>(), {} };
        buffer.sameAs = value.value("same", "");
        const auto fill = value.value("fill", "zero");
        bool known = false;
        for (const FillName& row : kFills)
            if (row.name == fill) {
                buffer.fill.kind = row.kind;
                known = true;
            }
        if (!known)
            return fail(ErrorCode::BadInput, fmt::format("there is no fill '{}'", fill), "arguments");
        buffer.fill.seed = value.value("seed", std::uint64_t(0));
        if (const auto bounds = value.find("bounds"); bounds != value.end()) {
            buffer.fill.hasBounds = true;
            buffer.fill.low = bounds->at(0).get<double>();
            buffer.fill.high = bounds->at(1).get<double>();
        }
        if (const auto iota = value.find("iota"); iota != value.end()) {
            buffer.fill.start = iota->at(0).get<double>();
            buffer.fill.step = iota->at(1).get<double>();
        }
        COALESCOPE_TRY(checkFillNumbers(*type, buffer.fill));
        if (buffer.fill.kind == FillKind::File) {
            buffer.fill.file = value.at("file").get<std::string>();
            if (jobHost != hostName())
                return fail(ErrorCode::FileFailed,
                    fmt::format("a buffer is filled from a file of {}, and file fills are not sent to "
                                "another machine",
                        jobHost.empty() ? "an unnamed machine" : jobHost),
                    buffer.fill.file.string());
        }
        return buffer;
    }

    Result<LaunchPlan> sourcePlanFrom(const json& value)
    {
        LaunchPlan plan;
        plan.source = value.at("source").get<std::string>();
        plan.entry = value.at("entry").get<std::string>();
        plan.defines = value.value("defines", decltype(plan.defines) {});
        const auto grid = dimFrom(value, "grid"), block = dimFrom(value, "block");
        COALESCOPE_TRY(grid);
        COALESCOPE_TRY(block);
        plan.grid = *grid;
        plan.block = *block;
        plan.dynamicSharedBytes = value.value("shared", 0u);
        plan.argumentSpecs = value.value("argument_specs", std::vector<std::string> {});
        for (const json& argument : value.at("arguments")) {
            auto parsed = argumentFrom(argument, value.value("host", ""));
            COALESCOPE_TRY(parsed);
            plan.arguments.push_back(std::move(*parsed));
        }
        return plan;
    }

    Result<CompileSettings> compileFrom(const json& value)
    {
        CompileSettings compile;
        compile.standard = value.value("standard", compile.standard);
        if (!isStandard(compile.standard))
            return fail(ErrorCode::BadInput, "the standard is neither c++17 nor c++20", "standard");
        compile.include = pathsFrom(value, "include");
        compile.sources = pathsFrom(value, "sources");
        return compile;
    }

    Result<LaunchPlan> manifestPlanFrom(const json& value)
    {
        const auto source = value.at("manifest_source").get<std::string>(), name = value.at("source_name").get<std::string>();
        const std::filesystem::path folder = value.value("include_directory", std::string());
        const auto compile = compileFrom(value);
        COALESCOPE_TRY(compile);
        std::vector<std::shared_ptr<const KernelSpec>> earlier;
        for (const json& one : value.value("earlier", json::array())) {
            const std::string unit = one.value("source_name", name);
            auto before = parseKernel(one.value("source", source), unit, one.at("manifest").get<std::string>(), 1);
            COALESCOPE_TRY(before);
            before->title.en = one.at("title").get<std::string>();
            before->launch = { .launch = one.value("place", 0), .instance = one.value("instance", ""), .kernel = one.value("kernel", ""), .argument = {} };
            before->written = one.value("written", std::set<std::string> {});
            before->path = one.value("folder", folder.string()) / std::filesystem::path(unit);
            before->compile = *compile;
            before->compile.sources = pathsFrom(one, "sources");
            before->earlier = earlier;
            earlier.push_back(std::make_shared<const KernelSpec>(*std::move(before)));
        }
        auto spec = value.contains("manifest") ? parseKernel(source, name, value.at("manifest").get<std::string>(), value.value("line", 1))
                                               : parseKernel(source, name);
        COALESCOPE_TRY(spec);
        spec->earlier = std::move(earlier);
        if (!compile->sources.empty()) { // what the host does is told by them
            spec->path = folder / name;
            spec->compile = *compile;
        }
        return planLaunch(*spec, value.at("parameters").get<ParameterValues>());
    }

    /// Steps that concern the GPU and no launch.
    bool hasNoPlan(JobStep step)
    {
        return step == JobStep::Info || step == JobStep::Calibrate || step == JobStep::Rates;
    }

    Result<Job> jobFrom(const json& value)
    {
        Job job;
        if (!value.is_object())
            return fail(ErrorCode::BadInput, "a job is a JSON object", "job");
        const auto step = value.value("step", "all");
        bool known = false;
        for (const StepName& row : kSteps)
            if (row.name == step) {
                job.step = row.step;
                known = true;
            }
        if (!known)
            return fail(ErrorCode::BadInput, fmt::format("there is no step '{}'", step), "step");
        job.hold = value.value("hold", false);
        job.coreLineMetrics = value.value("core_line_metrics", false);
        if (hasNoPlan(job.step))
            return job;

        const json options = value.value("options", json::object());
        job.options.warmups = options.value("warmups", job.options.warmups);
        job.options.runs = options.value("runs", job.options.runs);
        job.options.counters = options.value("counters", job.options.counters);
        job.options.lines = options.value("lines", job.options.lines);
        job.options.kernelTimeLimitSeconds
            = options.value("kernel_time_limit_s", job.options.kernelTimeLimitSeconds);
        if (job.options.warmups < 0 || job.options.runs < 1 || job.options.kernelTimeLimitSeconds <= 0)
            return fail(ErrorCode::BadInput, "a job needs at least one run and a positive time limit", "options");

        auto plan = value.contains("manifest_source") ? manifestPlanFrom(value) : sourcePlanFrom(value);
        COALESCOPE_TRY(plan);
        job.plan = std::move(*plan);
        job.plan.kernel = value.value("kernel", job.plan.kernel);
        job.plan.sourceName = value.value("source_name", job.plan.sourceName);
        job.plan.includeDirectory = value.value("include_directory", std::string());
        auto compile = compileFrom(value);
        COALESCOPE_TRY(compile);
        job.plan.compile = *std::move(compile);
        return job;
    }

    json parsed(std::string_view text) { return json::parse(text, nullptr, false); }

    Result<JobMessage> messageFrom(const json& value)
    {
        JobMessage message;
        if (const auto found = value.find("progress"); found != value.end()) {
            message.progress = MeasureProgress { found->value("stage", ""), found->value("fraction", 0.0) };
        } else if (const auto result = value.find("result"); result != value.end()) {
            auto run = analysis::resultFromJson(result->dump());
            COALESCOPE_TRY(run);
            message.result = std::move(*run);
        } else if (const auto gpu = value.find("gpu"); gpu != value.end()) {
            message.gpu = GpuInfo { gpu->value("name", ""), gpu->value("driver", ""),
                gpu->value("compute_major", 0), gpu->value("compute_minor", 0) };
        } else if (const auto device = value.find("device"); device != value.end()) {
            auto row = deviceRowFromJson(device->dump());
            COALESCOPE_TRY(row);
            message.device = std::move(*row);
        } else if (const auto error = value.find("error"); error != value.end()) {
            const auto code = errorCodeNamed(error->value("code", ""));
            message.error = Error { code.value_or(ErrorCode::TargetFailed), error->value("detail", ""),
                error->value("where", "") };
        } else {
            return fail(ErrorCode::BadInput, "the line is no answer of a job", "answer");
        }
        return message;
    }

} // namespace

std::string toJson(const Job& job)
{
    json value = hasNoPlan(job.step) ? json::object() : planJson(job.plan);
    value["host"] = hostName();
    value["options"] = { { "warmups", job.options.warmups }, { "runs", job.options.runs },
        { "counters", job.options.counters }, { "lines", job.options.lines },
        { "kernel_time_limit_s", job.options.kernelTimeLimitSeconds } };
    if (job.step != JobStep::All)
        value["step"] = nameOf(job.step);
    if (job.hold)
        value["hold"] = true;
    if (job.coreLineMetrics)
        value["core_line_metrics"] = true;
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string jobJson(const LaunchPlan& plan, const MeasureOptions& options)
{
    return toJson(Job { .plan = plan, .options = options });
}

Result<Job> jobFromJson(std::string_view text)
{
    const json value = parsed(text);
    if (value.is_discarded())
        return fail(ErrorCode::BadInput, "the job is no valid JSON", "job");
    try {
        return jobFrom(value);
    } catch (const json::exception& error) {
        return fail(ErrorCode::BadInput, fmt::format("the job lacks something: {}", error.what()), "job");
    }
}

bool isCompleteJson(std::string_view text)
{
    const std::size_t last = text.find_last_not_of(" \t\r\n");
    return last != std::string_view::npos && text[last] == '}' && json::accept(text);
}

std::string progressLine(const MeasureProgress& progress)
{
    return json { { "progress", { { "stage", progress.stage }, { "fraction", progress.fraction } } } }.dump();
}

std::string resultLine(const analysis::RunResult& result)
{
    return fmt::format("{{\"result\":{}}}", analysis::toJson(result));
}

std::string gpuLine(const GpuInfo& gpu)
{
    return json { { "gpu",
                      { { "name", gpu.name }, { "driver", gpu.driver },
                          { "compute_major", gpu.computeMajor }, { "compute_minor", gpu.computeMinor } } } }
        .dump();
}

std::string deviceLine(const DeviceRow& row) { return fmt::format("{{\"device\":{}}}", toJson(row)); }

std::string errorLine(const Error& error)
{
    return json { { "error",
                      { { "code", nameOf(error.code) }, { "detail", error.detail }, { "where", error.where } } } }
        .dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<JobMessage> messageFromLine(std::string_view line)
{
    const json value = parsed(line);
    if (!value.is_object())
        return fail(ErrorCode::BadInput, "the line is no JSON object", "answer");
    try {
        return messageFrom(value);
    } catch (const json::exception& error) {
        return fail(ErrorCode::BadInput, fmt::format("the line is malformed: {}", error.what()), "answer");
    }
}

std::string_view nameOf(JobStep step) { return kSteps[std::size_t(step)].name; }

} // namespace coalescope::kernels
