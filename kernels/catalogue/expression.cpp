// SPDX-License-Identifier: Apache-2.0
#include "kernels/catalogue/expression.h"

#include "kernels/catalogue/kernel_spec.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include <lua.hpp>

namespace coalescope::kernels {
namespace {

constexpr std::size_t kMemoryLimitBytes = 4 << 20;
constexpr std::size_t kTextLimit = 4096;
constexpr int kInstructionLimit = 1'000'000; ///< of one expression; a manifest's take fewer than 100
constexpr std::uint64_t kIndexChunk = 4096; ///< elements handed over at a time; fits the memory limit

constexpr std::array<std::string_view, 22> kKeywords { "and", "break", "do", "else", "elseif", "end", "false", "for",
    "function", "goto", "if", "in", "local", "nil", "not", "or", "repeat", "return", "then", "true", "until",
    "while" };
constexpr std::array<std::string_view, 7> kHelpers { "cdiv", "tdiv", "tmod", "max", "min", "size", "i" };

// Lua unwinds by longjmp: the functions below it hold nothing that needs a destructor.

int cdiv(lua_State* lua)
{
    const lua_Integer a = luaL_checkinteger(lua, 1), b = luaL_checkinteger(lua, 2);
    if (b <= 0)
        return luaL_error(lua, "cdiv needs a positive divisor");
    lua_pushinteger(lua, a / b + (a % b > 0 ? 1 : 0));
    return 1;
}

/// As C++ divides: towards zero.
int towardsZero(lua_State* lua, bool isRest)
{
    const lua_Integer a = luaL_checkinteger(lua, 1), b = luaL_checkinteger(lua, 2);
    if (b == 0 || (b == -1 && a == LUA_MININTEGER))
        return luaL_error(lua, "the division has no result");
    lua_pushinteger(lua, isRest ? a % b : a / b);
    return 1;
}

int quotientTowardsZero(lua_State* lua) { return towardsZero(lua, false); }
int restTowardsZero(lua_State* lua) { return towardsZero(lua, true); }

int extreme(lua_State* lua, bool largest)
{
    lua_Integer result = luaL_checkinteger(lua, 1);
    for (int i = 2; i <= lua_gettop(lua); ++i) {
        const lua_Integer value = luaL_checkinteger(lua, i);
        result = largest ? std::max(result, value) : std::min(result, value);
    }
    lua_pushinteger(lua, result);
    return 1;
}

int minimum(lua_State* lua) { return extreme(lua, false); }
int maximum(lua_State* lua) { return extreme(lua, true); }

int sizeOfType(lua_State* lua)
{
    const char* name = luaL_checkstring(lua, 1);
    const std::optional<ElementType> type = elementTypeNamed(name);
    if (!type)
        return luaL_error(lua, "size does not know the element type '%s'", name);
    lua_pushinteger(lua, bytesOf(*type));
    return 1;
}

int setUp(lua_State* lua)
{
    const auto* values = static_cast<const ExpressionValues*>(lua_touserdata(lua, 1));
    lua_register(lua, "cdiv", cdiv);
    lua_register(lua, "tdiv", quotientTowardsZero);
    lua_register(lua, "tmod", restTowardsZero);
    lua_register(lua, "min", minimum);
    lua_register(lua, "max", maximum);
    lua_register(lua, "size", sizeOfType);
    for (const auto& [name, value] : *values) {
        if (const auto* integer = std::get_if<std::int64_t>(&value)) {
            lua_pushinteger(lua, *integer);
        } else if (const auto* real = std::get_if<double>(&value)) {
            lua_pushnumber(lua, *real);
        } else {
            const auto& text = std::get<std::string>(value);
            lua_pushlstring(lua, text.data(), text.size());
        }
        lua_setglobal(lua, name.c_str());
    }
    return 0;
}

void stopLongWork(lua_State* lua, lua_Debug*)
{
    luaL_error(lua, "the expression does not come to an end");
}

int makeTable(lua_State* lua)
{
    lua_createtable(lua, int(kIndexChunk), 0);
    return 1;
}

/// What one chunk of an index loop reads and writes.
struct IndexChunk {
    std::uint64_t first = 0;
    std::int64_t* out = nullptr;
    std::uint64_t count = 0;
    const ExpressionValues* values = nullptr;
};

/// Stack: the loop function, its table, the chunk.
int runIndexChunk(lua_State* lua)
{
    const auto& chunk = *static_cast<const IndexChunk*>(lua_touserdata(lua, 3));
    lua_pushvalue(lua, 1);
    lua_pushvalue(lua, 2);
    lua_pushinteger(lua, lua_Integer(chunk.first));
    lua_pushinteger(lua, lua_Integer(chunk.count));
    luaL_checkstack(lua, int(chunk.values->size()) + 8, "too many parameters");
    for (const auto& [name, value] : *chunk.values)
        lua_getglobal(lua, name.c_str());
    lua_call(lua, 3 + int(chunk.values->size()), 0);
    for (std::uint64_t k = 0; k < chunk.count; ++k) {
        lua_rawgeti(lua, 2, lua_Integer(k + 1));
        int isInteger = 0;
        chunk.out[k] = lua_tointegerx(lua, -1, &isInteger);
        if (!isInteger)
            return luaL_error(lua, "the index of element %I is no integer", lua_Integer(chunk.first + k));
        lua_pop(lua, 1);
    }
    return 0;
}

/// Functions are refused because a loop could hide in one; nothing else in an expression can loop.
bool definesFunction(std::string_view text)
{
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quote) {
            if (c == '\\')
                ++i;
            else if (c == quote)
                quote = 0;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (std::isalpha(static_cast<unsigned char>(c)) || c == '_') {
            std::size_t end = i;
            while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_'))
                ++end;
            if (text.substr(i, end - i) == "function")
                return true;
            i = end - 1;
        }
    }
    return false;
}

std::string shortestText(double value)
{
    char text[32];
    return { text, std::to_chars(text, text + sizeof text, value).ptr };
}

} // namespace

struct Expressions::Memory {
    std::size_t used = 0;

    static void* allocate(void* self, void* block, std::size_t oldSize, std::size_t newSize)
    {
        auto& memory = *static_cast<Memory*>(self);
        const std::size_t old = block ? oldSize : 0;
        if (newSize == 0) {
            std::free(block);
            memory.used -= old;
            return nullptr;
        }
        if (newSize > old && memory.used + (newSize - old) > kMemoryLimitBytes)
            return nullptr;
        void* moved = std::realloc(block, newSize);
        if (moved)
            memory.used += newSize - old;
        return moved;
    }
};

Expressions::Expressions(const ExpressionValues& values)
    : m_memory(std::make_unique<Memory>())
    , m_values(values)
{
    m_lua = lua_newstate(&Memory::allocate, m_memory.get());
    if (!m_lua)
        return;
    lua_pushcfunction(m_lua, setUp);
    lua_pushlightuserdata(m_lua, const_cast<ExpressionValues*>(&m_values));
    if (lua_pcall(m_lua, 1, 0, 0) != LUA_OK) {
        lua_close(m_lua);
        m_lua = nullptr;
    }
}

Expressions::~Expressions()
{
    if (m_lua)
        lua_close(m_lua);
}

std::string Expressions::takeMessage()
{
    const char* message = lua_tostring(m_lua, -1);
    std::string_view text = message ? message : "the expression failed";
    // Lua prefixes "expression:1: "; the manifest's own place is better.
    if (text.starts_with("expression:") || text.starts_with("index:"))
        text.remove_prefix(text.find(": ") + 2);
    std::string result(text);
    lua_settop(m_lua, 0);
    return result;
}

Result<void> Expressions::evaluate(std::string_view text)
{
    if (!m_lua)
        return fail(ErrorCode::BadInput, "the expressions' memory limit does not hold the parameters");
    if (text.size() > kTextLimit)
        return fail(ErrorCode::BadInput, "an expression may not be longer than 4096 characters");
    if (definesFunction(text))
        return fail(ErrorCode::BadInput, "an expression may not define a function");
    lua_settop(m_lua, 0);
    const std::string chunk = "return (" + std::string(text) + "\n)";
    lua_sethook(m_lua, stopLongWork, LUA_MASKCOUNT, kInstructionLimit);
    if (luaL_loadbufferx(m_lua, chunk.data(), chunk.size(), "=expression", "t") != LUA_OK
        || lua_pcall(m_lua, 0, 1, 0) != LUA_OK) {
        return fail(ErrorCode::BadInput, "'" + std::string(text) + "': " + takeMessage());
    }
    return {};
}

Result<std::int64_t> Expressions::integer(std::string_view text)
{
    if (auto done = evaluate(text); !done)
        return std::unexpected(done.error());
    int isInteger = 0;
    const std::int64_t value = lua_type(m_lua, -1) == LUA_TNUMBER ? lua_tointegerx(m_lua, -1, &isInteger) : 0;
    lua_settop(m_lua, 0);
    if (!isInteger)
        return fail(ErrorCode::BadInput, "'" + std::string(text) + "' is no integer");
    return value;
}

Result<bool> Expressions::condition(std::string_view text)
{
    if (auto done = evaluate(text); !done)
        return std::unexpected(done.error());
    const bool isBoolean = lua_isboolean(m_lua, -1), value = lua_toboolean(m_lua, -1);
    lua_settop(m_lua, 0);
    if (!isBoolean)
        return fail(ErrorCode::BadInput, "'" + std::string(text) + "' is neither true nor false");
    return value;
}

Result<std::string> Expressions::text(std::string_view text)
{
    if (auto done = evaluate(text); !done)
        return std::unexpected(done.error());
    std::string value;
    const int type = lua_type(m_lua, -1);
    if (lua_isinteger(m_lua, -1))
        value = std::to_string(lua_tointeger(m_lua, -1));
    else if (type == LUA_TSTRING)
        value = lua_tostring(m_lua, -1);
    lua_settop(m_lua, 0);
    if (value.empty())
        return fail(ErrorCode::BadInput, "'" + std::string(text) + "' is neither an integer nor a text");
    return value;
}

Result<std::string> Expressions::scalar(std::string_view text)
{
    if (auto done = evaluate(text); !done)
        return std::unexpected(done.error());
    std::string value;
    const int type = lua_type(m_lua, -1);
    int isInteger = 0;
    const lua_Integer integer = type == LUA_TNUMBER ? lua_tointegerx(m_lua, -1, &isInteger) : 0;
    if (isInteger)
        value = std::to_string(integer);
    else if (type == LUA_TNUMBER)
        value = shortestText(lua_tonumber(m_lua, -1));
    else if (type == LUA_TSTRING)
        value = lua_tostring(m_lua, -1);
    lua_settop(m_lua, 0);
    if (value.empty())
        return fail(ErrorCode::BadInput, "'" + std::string(text) + "' is neither a number nor a text");
    return value;
}

Result<void> Expressions::indices(std::string_view text, std::uint64_t first, std::span<std::int64_t> out)
{
    if (!m_lua)
        return fail(ErrorCode::BadInput, "the expressions' memory limit does not hold the parameters");
    // On its own first: what compiles alone cannot break out of the loop that it is pasted into.
    if (auto compiles = checkExpression(text); !compiles)
        return compiles;
    lua_settop(m_lua, 0);
    lua_sethook(m_lua, nullptr, 0, 0); // an expression without functions ends; the hook would halve the speed
    std::string chunk = "return function(__out, __first, __count";
    for (const auto& [name, value] : m_values)
        chunk += ", " + name; // as locals: they live in the virtual machine's registers
    chunk += ") local __k = 0 for i = __first, __first + __count - 1 do __k = __k + 1 __out[__k] = ("
        + std::string(text) + "\n) end end";
    const std::string place = "'" + std::string(text) + "': ";
    if (luaL_loadbufferx(m_lua, chunk.data(), chunk.size(), "=index", "t") != LUA_OK
        || lua_pcall(m_lua, 0, 1, 0) != LUA_OK)
        return fail(ErrorCode::BadInput, place + takeMessage());
    lua_pushcfunction(m_lua, makeTable);
    if (lua_pcall(m_lua, 0, 1, 0) != LUA_OK)
        return fail(ErrorCode::BadInput, place + takeMessage());
    for (std::uint64_t done = 0; done < out.size(); done += kIndexChunk) {
        IndexChunk piece { first + done, out.data() + done, std::min<std::uint64_t>(kIndexChunk, out.size() - done),
            &m_values };
        lua_pushcfunction(m_lua, runIndexChunk);
        lua_pushvalue(m_lua, 1);
        lua_pushvalue(m_lua, 2);
        lua_pushlightuserdata(m_lua, &piece);
        if (lua_pcall(m_lua, 3, 0, 0) != LUA_OK)
            return fail(ErrorCode::BadInput, place + takeMessage());
    }
    lua_settop(m_lua, 0);
    return {};
}

Result<void> checkExpression(std::string_view text)
{
    if (text.size() > kTextLimit)
        return fail(ErrorCode::BadInput, "an expression may not be longer than 4096 characters");
    if (definesFunction(text))
        return fail(ErrorCode::BadInput, "an expression may not define a function");
    const std::unique_ptr<lua_State, decltype(&lua_close)> lua(luaL_newstate(), &lua_close);
    if (!lua)
        return fail(ErrorCode::BadInput, "no memory for an expression");
    const std::string chunk = "return (" + std::string(text) + "\n)";
    if (luaL_loadbufferx(lua.get(), chunk.data(), chunk.size(), "=expression", "t") == LUA_OK)
        return {};
    std::string message = lua_tostring(lua.get(), -1) ? lua_tostring(lua.get(), -1) : "it does not compile";
    if (const auto space = message.find(": "); space != message.npos)
        message.erase(0, space + 2);
    return fail(ErrorCode::BadInput, "'" + std::string(text) + "': " + message);
}

std::string nameProblem(std::string_view name)
{
    const auto isPlain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    if (name.empty() || name.size() > 64)
        return "a name has 1 to 64 characters";
    if (!std::ranges::all_of(name, isPlain) || std::isdigit(static_cast<unsigned char>(name[0])))
        return "a name has letters, digits and _, and begins with no digit";
    if (name.starts_with("__"))
        return "names that begin with __ are reserved";
    if (std::ranges::find(kKeywords, name) != kKeywords.end())
        return "the word has a meaning in expressions";
    if (name == "i")
        return "in expressions it is the element's number";
    if (std::ranges::find(kHelpers, name) != kHelpers.end())
        return "expressions have a function of this name";
    return {};
}

bool isExpressionName(std::string_view name) { return nameProblem(name).empty(); }

} // namespace coalescope::kernels
