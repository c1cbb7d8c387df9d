// SPDX-License-Identifier: Apache-2.0
// What the program asks of the GPU: see kProperties.
#include "kernels/host/run.h"

#include <algorithm>

namespace coalescope::kernels::host {
namespace {

constexpr std::int64_t kLargestBlock = 1024;

} // namespace

/// A member of a cudaDeviceProp; nowhere: it is none, or not known.
Run::Place Run::placeOfProperty(const Value& object, std::string_view member)
{
    const bool isDevice = object.kind == Kind::Other && object.points && object.points->name == kDeviceProperties;
    const auto* const property = isDevice ? std::ranges::find(kProperties, member, &DeviceProperty::name) : kProperties.end();
    return property == kProperties.end() ? Place {} : temporary(given(property->name, Value::of(Kind::I32, property->value)));
}

/// As a launch of it is told: "k<float,4>".
std::string Run::kernelNameOf(const Value& function)
{
    const Node* const named = function.kind == Kind::Function && function.thing ? function.thing->code : nullptr;
    if (!named || named->op != Op::Named || !m_parser.program().isKernel(named->name))
        return "";
    std::string name(named->name);
    for (std::size_t i = 0; i < named->types.size(); ++i) {
        const Value of = named->values[i] ? value(*named->values[i]) : Value {};
        if (named->values[i] && !of.isKnown)
            return "";
        name += (i == 0 ? "<" : ",") + (named->values[i] ? std::to_string(of.asInteger()) : sourceName(*resolve(named->types[i])));
    }
    return named->types.empty() ? name : name + ">";
}

/// As callRuntime().
std::optional<Value> Run::askDevice(std::string_view name, const Node& node)
{
    const Value success = Value::of(Kind::I32, 0);
    const auto argument = [&](std::size_t i) { return i < node.kids.size() ? value(*node.kids[i]) : Value {}; };
    const auto tell = [&](std::size_t i, const Value& told) {
        const Value to = argument(i);
        if (to.kind == Kind::Pointer && to.thing)
            to.thing->set(to.integer, told);
    };
    if (name == "cudaGetDeviceProperties" || name == "cudaGetDeviceProperties_v2")
        return success;
    if (name == "cudaGetDevice" && node.kids.size() == 1) {
        tell(0, Value::of(Kind::I32, 0));
        return success;
    }
    if (name == "cudaDeviceGetAttribute" && node.kids.size() == 3) {
        const auto* const property = std::ranges::find(kProperties, node.kids[1]->name, &DeviceProperty::attribute);
        tell(0, property == kProperties.end() ? Value::unknown(Kind::I32) : given(property->name, Value::of(Kind::I32, property->value)));
        return success;
    }
    if (name.starts_with("cudaOccupancyMaxPotentialBlockSize") && node.kids.size() >= 3) {
        const Value limit = argument(4);
        const bool isLimited = limit.isKnown && limit.asInteger() > 0 && limit.asInteger() < kLargestBlock;
        const std::int64_t block = isLimited ? limit.asInteger() : kLargestBlock;
        if (node.kids.size() > 4 && !limit.isKnown)
            return std::nullopt;
        tell(0, Value::of(Kind::I32, 132 * kThreadsPerSm / block));
        tell(1, Value::of(Kind::I32, block));
        return success;
    }
    if (name.starts_with("cudaOccupancyMaxActiveBlocks") && node.kids.size() >= 3) {
        const Value threads = argument(2);
        const std::string kernel = kernelNameOf(argument(1));
        const bool isKnown = threads.isKnown && threads.asInteger() > 0 && !kernel.empty() && m_options.registersOf;
        tell(0, isKnown ? Value::of(Kind::I32, threadsOnAnSm(m_options.registersOf(kernel)) / threads.asInteger()) : Value::unknown(Kind::I32));
        return success;
    }
    return std::nullopt;
}

} // namespace coalescope::kernels::host
