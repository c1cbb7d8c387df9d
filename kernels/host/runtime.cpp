// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/launch_arguments.h"
#include "kernels/host/run.h"

#include <algorithm>
#include <cstring>

namespace coalescope::kernels::host {

bool isHarmless(std::string_view name)
{
    return isAmong(name, { "printf", "fprintf", "puts", "fputs", "putchar", "fflush", "perror", "assert", "free", "fclose", "cudaFree", "cudaFreeHost", "cudaFreeAsync", "cudaDeviceSynchronize", "cudaStreamSynchronize",
        "cudaEventRecord", "cudaEventSynchronize", "cudaEventDestroy", "cudaStreamDestroy", "cudaGetLastError", "cudaPeekAtLastError", "cudaSetDevice", "cudaDeviceReset", "cudaMemPrefetchAsync", "cudaMemAdvise",
        "cudaFuncSetAttribute", "cudaFuncSetCacheConfig", "cudaDeviceSetLimit", "cudaDeviceSetCacheConfig", "cudaStreamWaitEvent", "cudaEventCreate",
        "cudaEventCreateWithFlags", "cudaStreamCreate", "cudaStreamCreateWithFlags", "cudaEventElapsedTime", "cudaProfilerStart", "cudaProfilerStop", "cudaHostUnregister", "setbuf", "setvbuf" });
}

std::optional<Value> Run::callRuntime(std::string_view name, const Node& node)
{
    const Value success = Value::of(Kind::I32, 0);
    if (isHarmless(name))
        return success;
    if (const auto done = callOfModule(name, node))
        return done;
    if (const auto done = callDevice(name, node))
        return done;
    if (const auto told = askDevice(name, node))
        return told;
    if (isAmong(name, { "exit", "abort", "_exit", "quick_exit" })) {
        endsForWantOfFile();
        m_isOver = true;
        return success;
    }
    const auto argument = [&](std::size_t i) { return i < node.kids.size() ? value(*node.kids[i]) : Value {}; };
    const auto bytesOf = [&](const Value& bytes) { return bytes.isKnown && isNumber(bytes.kind) ? bytes.asInteger() : -1; };
    if (isAmong(name, { "cudaMalloc", "cudaMallocManaged", "cudaMallocAsync", "cudaMallocHost", "cudaHostAlloc" })) {
        const Value target = argument(0);
        allocate(target, bytesOf(argument(1)), name == "cudaMalloc" || name == "cudaMallocAsync");
        return success;
    }
    if (isAmong(name, { "cudaMemcpy", "cudaMemcpyAsync", "memcpy", "memmove" })) {
        const Value to = asPointer(argument(0)), from = asPointer(argument(1));
        copyBytes(to, from, argument(2));
        return name.starts_with("cuda") ? success : to;
    }
    if (name == "cudaMallocPitch" && node.kids.size() == 4) {
        const Value pitch = argument(1), width = argument(2), height = argument(3), bytes = pitched(width);
        allocate(argument(0), bytes.isKnown && height.isKnown ? bytes.integer * height.asInteger() : -1, true);
        if (pitch.kind == Kind::Pointer && pitch.thing)
            pitch.thing->set(pitch.integer, bytes);
        return success;
    }
    if (isAmong(name, { "cudaMemcpy2D", "cudaMemcpy2DAsync" }) && node.kids.size() >= 6) {
        copyRows(asPointer(argument(0)), argument(1), asPointer(argument(2)), argument(3), argument(4), argument(5));
        return success;
    }
    if (isAmong(name, { "cudaMemset", "cudaMemsetAsync", "memset" })) {
        const Value to = asPointer(argument(0));
        const Value byte = argument(1);
        setBytes(to, byte, argument(2));
        return name.starts_with("cuda") ? success : to;
    }
    if (isAmong(name, { "malloc", "aligned_alloc", "calloc" })) {
        const Value first = argument(0), second = argument(1);
        const std::int64_t bytes = name == "malloc" ? bytesOf(first) : name == "calloc" ? (first.isKnown && second.isKnown ? first.asInteger() * second.asInteger() : -1) : bytesOf(second);
        const Value pointer = allocated(bytes);
        if (name == "calloc")
            pointer.thing->filled = 0;
        return pointer;
    }
    if (name == "realloc" && node.kids.size() == 2) {
        const Value before = argument(0);
        return reallocated(before, bytesOf(argument(1)));
    }
    if (name == "qsort" && node.kids.size() == 4) {
        const Value base = decayed(argument(0)), count = argument(1), bytes = argument(2);
        sortBytes(base, count, bytes, argument(3));
        return Value {};
    }
    if (isAmong(name, { "cudaLaunchKernel", "cudaLaunchCooperativeKernel" })) {
        const Value kernel = argument(0), list = decayed(argument(3));
        std::vector<Value> arguments;
        for (std::size_t i = 0; list.kind == Kind::Pointer && list.thing && i < list.thing->size(); ++i) {
            const Value at = list.thing->at(std::int64_t(i));
            arguments.push_back(at.kind == Kind::Pointer && at.thing ? at.thing->at(at.integer) : Value {});
        }
        launch(node, kernel, arguments, { argument(1), argument(2), argument(4) });
        return success;
    }
    if (name.starts_with("getopt")) // no options are given
        return Value::of(Kind::I32, -1);
    if (!name.starts_with("cuda"))
        return std::nullopt;
    for (const Node* given : node.kids)
        forgetArgument(*given);
    return success;
}

/// Memory of no type yet. `bytes` below 0: nobody knows how many.
Value Run::allocated(std::int64_t bytes)
{
    Thing* memory = new Thing;
    memory->raw = std::max<std::int64_t>(bytes, 0);
    memory->isUnknown = bytes < 0;
    return Value::pointer(Handle(memory), 0);
}

/// realloc(): the same memory, which is another size now.
Value Run::reallocated(const Value& before, std::int64_t bytes)
{
    if (before.kind != Kind::Pointer || !before.isKnown)
        return Value::unknown(Kind::Pointer);
    if (!before.thing)
        return allocated(bytes);
    Thing& memory = *before.thing;
    const std::int64_t width = memory.width();
    const bool isKnown = before.integer == 0 && bytes >= 0 && bytes <= kMostBytes && !memory.isUnknown && (memory.raw >= 0 || width > 0);
    if (!isKnown)
        return allocated(-1);
    if (memory.raw >= 0)
        memory.raw = bytes;
    else
        memory.resize(std::size_t(bytes / width), initial(*memory.element));
    m_steps += bytes / 64;
    return before;
}

/// Memory for the pointer that `target` points to, of the type that it is declared with. `bytes` below 0: nobody knows how many.
void Run::allocate(const Value& target, std::int64_t bytes, bool isDevice)
{
    if (target.kind != Kind::Pointer || !target.thing)
        return;
    const Value pointer = allocated(bytes);
    pointer.thing->isDevice = isDevice;
    pointer.thing->number = ++m_memories;
    target.thing->set(target.integer, pointer);
}

void Run::touch(Thing& memory, bool isWritten) const
{
    if (m_options.touched && memory.isDevice)
        m_options.touched(memory, isWritten);
}

void Run::copyBytes(const Value& to, const Value& from, const Value& bytes)
{
    if (to.kind != Kind::Pointer || !to.thing)
        return;
    Thing& target = *to.thing;
    const Type* const copiedType = from.thing && from.thing->element ? from.thing->element : from.points;
    const bool isOfReals = copiedType && copiedType->isOfReals(); // to execute launches for these is not worth it: they end loops, and seldom lead
    const bool isBack = from.thing && from.thing->isDevice && !target.isDevice; // what a kernel may have written
    m_hasReadBack = m_hasReadBack || (isBack && m_hasLaunched && !isOfReals);
    const bool isUnknown = isBack && (isOfReals || !m_options.touched);
    if (from.thing && !isUnknown)
        touch(*from.thing, false);
    touch(target, true);
    target.takenBy = from.thing ? from.thing->takenBy : std::string_view {};
    if (from.kind != Kind::Pointer || !from.thing || !bytes.isKnown || isUnknown || from.thing->isUnknown) {
        if (target.element || target.raw >= 0)
            target.forget(true);
        else if (target.type == nullptr && to.integer < std::int64_t(target.items.size())) // &variable
            target.set(to.integer, Value::unknown(target.at(to.integer).kind));
        return;
    }
    const Thing& source = *from.thing;
    giveType(target, source.element ? source.element : to.points);
    if (target.isUnknown)
        return;
    const std::int64_t width = target.width(), sourceWidth = source.width();
    const std::int64_t asked = bytes.asInteger();
    if (source.element == nullptr && target.element && width > 0) // of a variable
        return copyVariable(to, source.at(from.integer), asked);
    if (target.element == nullptr && target.raw < 0) { // to a variable
        const bool isOne = source.element && sourceWidth > 0 && asked == sourceWidth && from.integer >= 0 && from.integer < std::int64_t(source.size());
        if (const Value held = target.at(to.integer); to.integer >= 0 && to.integer < std::int64_t(target.items.size())) {
            const bool fits = isOne && isNumber(held.kind) && source.element->isPlain() && isReal(source.element->kind) == isReal(held.kind) && kernels::host::bytesOf(held.kind) == asked;
            const Type* const type = held.kind == Kind::Whole || isNumber(held.kind) ? typeOf(held) : nullptr;
            const std::vector<std::uint8_t> content = !fits && type && std::int64_t(type->bytes()) == asked ? bytesAt(from, asked) : std::vector<std::uint8_t> {};
            target.set(to.integer, fits ? source.at(from.integer) : !content.empty() ? valueOfBytes(*type, content.data()) : Value::unknown(held.kind));
        }
        return;
    }
    const bool areStored = target.element && source.element && target.element->isStored() && source.element->isStored() && source.unknown.empty() && target.hollow < 0 && source.hollow < 0;
    const std::int64_t toByte = to.integer * width, fromByte = from.integer * sourceWidth;
    if (areStored && asked >= 0 && toByte >= 0 && fromByte >= 0 && toByte + asked <= std::int64_t(target.bytes.size()) && fromByte + asked <= std::int64_t(source.bytes.size())) {
        m_steps += asked / 64;
        if (asked == 0)
            return;
        std::memmove(target.bytes.data() + toByte, source.bytes.data() + fromByte, std::size_t(asked));
        target.know((toByte + width - 1) / width, (toByte + asked) / width);
        return;
    }
    const bool areAlike = target.element && source.element && width == sourceWidth && width > 0 && asked % width == 0
        && (target.element == source.element || (target.element->isPlain() && source.element->isPlain()));
    const std::int64_t count = areAlike ? asked / width : 0;
    const bool fits = areAlike && count >= 0 && to.integer >= 0 && from.integer >= 0 && to.integer + count <= std::int64_t(target.size()) && from.integer + count <= std::int64_t(source.size());
    if (!fits) {
        target.forget(true);
        return;
    }
    m_steps += count / 16;
    if (count == 0)
        return;
    if (target.element->isStored() && target.hollow < 0 && source.hollow < 0) { // of some of them nobody knows what they are
        std::memmove(target.bytes.data() + toByte, source.bytes.data() + fromByte, std::size_t(asked));
        target.unknown.resize(target.size());
        for (std::int64_t i = 0; i < count; ++i)
            target.unknown[std::size_t(to.integer + i)] = !source.unknown.empty() && source.unknown[std::size_t(from.integer + i)];
        m_steps += count / 16;
        return;
    }
    for (std::int64_t i = 0; i < count && !isUp(); ++i)
        target.set(to.integer + i, copied(source.at(from.integer + i)));
    if (m_isOver)
        target.forget(true);
}

/// memcpy() from a variable into an array: `bytes` of them.
void Run::copyVariable(const Value& to, const Value& held, std::int64_t bytes)
{
    Thing& target = *to.thing;
    const std::int64_t width = target.width();
    const bool isElement = bytes == width && (typeOf(held) == target.element || !target.element->isStored() || !held.isKnown);
    std::vector<std::uint8_t> content = isElement ? std::vector<std::uint8_t> {} : bytesOfVariable(held);
    const bool isThere = bytes >= 0 && bytes <= std::int64_t(content.size());
    content.resize(isThere ? std::size_t(bytes) : 0);
    if (isElement)
        target.set(to.integer, held);
    else if (!putBytes(target, to.integer * width, content, {}))
        target.forget(true);
}

/// Of a row in memory from cudaMallocPitch(): what it takes.
Value Run::pitched(const Value& width)
{
    return width.isKnown && isNumber(width.kind) ? Value::of(Kind::U64, (width.asInteger() + kPitchBytes - 1) / kPitchBytes * kPitchBytes) : Value::unknown(Kind::U64);
}

/// cudaMemcpy2D(): `width` and the pitches in bytes.
void Run::copyRows(const Value& to, const Value& toPitch, const Value& from, const Value& fromPitch, const Value& width, const Value& height)
{
    if (to.kind != Kind::Pointer || !to.thing)
        return;
    Thing& target = *to.thing;
    if (from.kind == Kind::Pointer && from.thing && !from.thing->isUnknown)
        giveType(target, from.thing->element ? from.thing->element : to.points);
    const auto bytes = [](const Value& value) { return value.isKnown && isInteger(value.kind) ? value.integer : std::int64_t(-1); };
    const std::int64_t rows = bytes(height), element = target.width(), toStride = bytes(toPitch), fromStride = bytes(fromPitch);
    const bool isRegular = rows >= 0 && element > 0 && from.kind == Kind::Pointer && from.thing && toStride >= 0 && fromStride >= 0 && toStride % element == 0 && fromStride % element == 0;
    if (!isRegular) {
        if (target.element || target.raw >= 0)
            target.forget(true);
        return;
    }
    for (std::int64_t row = 0; row < rows && !isUp() && !target.isUnknown; ++row) {
        Value toRow = to, fromRow = from;
        toRow.integer += row * (toStride / element);
        fromRow.integer += row * (fromStride / element);
        copyBytes(toRow, fromRow, width);
    }
    if (m_isOver)
        target.forget(true);
}

/// memset() of objects that are kept as values, whole ones of an array or a variable. False: it is of none.
bool Run::setObjects(const Value& to, const Value& byte, const Value& bytes)
{
    Thing& target = *to.thing;
    const Value held = target.at(to.integer);
    const Type* const type = target.element ? target.element : typeOf(held);
    const std::int64_t width = type && !type->isStored() && held.kind == Kind::Whole ? std::int64_t(type->bytes()) : 0;
    if (width == 0 || target.hollow >= 0 || !byte.isKnown || !bytes.isKnown || bytes.asInteger() % width != 0)
        return false;
    const std::int64_t count = bytes.asInteger() / width;
    if (count < 0 || to.integer + count > std::int64_t(target.element ? target.size() : std::size_t(to.integer) + 1))
        return false;
    const std::vector<std::uint8_t> content(std::size_t(width), std::uint8_t(byte.asInteger()));
    for (std::int64_t i = 0; i < count && !isUp(); ++i)
        target.set(to.integer + i, valueOfBytes(*type, content.data()));
    return true;
}

void Run::setBytes(const Value& to, const Value& byte, const Value& bytes)
{
    if (to.kind != Kind::Pointer || !to.thing)
        return;
    Thing& target = *to.thing;
    touch(target, true);
    target.takenBy = {};
    if (target.raw >= 0 && byte.isKnown && (byte.integer == 0 || (to.integer == 0 && bytes.isKnown && bytes.asInteger() >= target.raw))) {
        target.filled = std::uint8_t(byte.integer);
        return;
    }
    if (setObjects(to, byte, bytes))
        return;
    const std::int64_t width = target.width();
    const bool isKnown = byte.isKnown && bytes.isKnown && target.element && target.element->isStored() && width > 0 && !target.isUnknown && target.hollow < 0;
    const std::int64_t count = isKnown ? bytes.asInteger() / width : 0;
    if (!isKnown || to.integer < 0 || to.integer + count > std::int64_t(target.size())) {
        const bool isZeroObject = !target.element && byte.isKnown && byte.integer == 0;
        if (target.element || target.raw >= 0)
            target.forget(true);
        else if (isZeroObject && to.integer < std::int64_t(target.items.size()))
            if (const Value held = target.at(to.integer); isNumber(held.kind))
                target.set(to.integer, Value::of(held.kind, 0));
        return;
    }
    if (count > 0)
        std::memset(target.bytes.data() + to.integer * width, int(byte.integer), std::size_t(count * width));
    for (std::int64_t i = to.integer; !target.unknown.empty() && i < to.integer + count; ++i)
        target.unknown[std::size_t(i)] = false;
}

} // namespace coalescope::kernels::host
