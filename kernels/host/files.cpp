// SPDX-License-Identifier: Apache-2.0
// Files, and what else the program asks the world outside. A file that is read from is absent: programs that can do without it make
// up what they need, as they do where the reader tries them. Where one cannot, hostContents() goes through it again with files of
// which nobody knows what they hold.
#include "kernels/host/run.h"

namespace coalescope::kernels::host {
namespace {

bool isStream(const Value& value) { return value.kind == Kind::Other && value.points && value.points->isStream(); }
bool isAbsentStream(const Value& value) { return isStream(value) && value.isKnown && value.integer == 0; }

} // namespace

/// A stream of a file; `isOpened` false: of none yet.
Value Run::streamOf(const Type& type, bool isOpened)
{
    Value stream = Value::unknown(Kind::Other);
    stream.points = &type;
    const bool isWritten = type.name == "ofstream";
    stream.isKnown = isOpened && (isWritten || isAbsent());
    stream.integer = isWritten;
    return stream;
}

/// Whether a file that is asked for is not there.
bool Run::isAbsent()
{
    m_hasAskedForFile = m_hasAskedForFile || m_options.areFilesAbsent;
    return m_options.areFilesAbsent;
}

/// What ends the program in vain, where it could not read a file, or reads from it nevertheless: it needs the file.
bool Run::endsForWantOfFile()
{
    if (!m_hasAskedForFile || m_hasLaunched)
        return false;
    m_isOver = true;
    return true;
}

/// As callLibrary().
std::optional<Value> Run::callOutside(std::string_view name, const Node& node)
{
    if (isAmong(name, { "getenv", "secure_getenv" })) // nothing is set
        return Value::pointer({}, 0);
    if (isAmong(name, { "time", "clock" }))
        return Value::unknown(Kind::I64);
    if (isAmong(name, { "fopen", "freopen" }) && node.kids.size() >= 2) {
        const auto mode = textOf(value(*node.kids[1]));
        const bool isRead = !mode || mode->starts_with('r');
        if (!isRead)
            return temporary({}).pointer();
        return isAbsent() ? Value::pointer({}, 0) : Value::unknown(Kind::Pointer);
    }
    if (isAmong(name, { "exists", "is_regular_file", "is_directory" }) && node.kids.size() == 1)
        return isAbsent() ? Value::of(Kind::Bool, 0) : Value::unknown(Kind::Bool);
    if (isAmong(name, { "access", "stat" }) && node.kids.size() == 2)
        return isAbsent() ? Value::of(Kind::I32, -1) : Value::unknown(Kind::I32);
    if (name == "getline" && node.kids.size() >= 2 && isAbsentStream(value(*node.kids[0])))
        endsForWantOfFile();
    return std::nullopt;
}

/// A member function of a stream; nothing: it is none, or nobody knows.
std::optional<Value> Run::callStream(const Place& at, const Node& node)
{
    const Value stream = at.value();
    if (!isStream(stream))
        return std::nullopt;
    if (node.name == "open") {
        argumentValues(node.kids, 1);
        const Value opened = streamOf(*stream.points, true);
        if (at.thing)
            at.set(opened);
        return Value {};
    }
    if (!stream.isKnown)
        return std::nullopt;
    const bool isOpen = stream.integer != 0;
    if (isAmong(node.name, { "is_open", "good" }))
        return Value::of(Kind::Bool, isOpen);
    if (isAmong(node.name, { "fail", "bad" }))
        return Value::of(Kind::Bool, !isOpen);
    if (node.name == "eof")
        return Value::of(Kind::Bool, 0);
    if (!isOpen && isAmong(node.name, { "read", "get", "getline", "seekg" }))
        endsForWantOfFile();
    return std::nullopt;
}

/// `stream >> variable`
void Run::readFrom(const Value& stream)
{
    if (isAbsentStream(stream))
        endsForWantOfFile();
}

} // namespace coalescope::kernels::host
