// SPDX-License-Identifier: Apache-2.0
#include "analysis/ptx/constant.h"
#include "analysis/ptx/failure.h"
#include "analysis/ptx/modifiers.h"
#include "analysis/ptx/module.h"

#include <algorithm>

namespace coalescope::analysis::ptx {

namespace {
constexpr std::uint64_t kLargestVariable = 1ull << 31; ///< elements
constexpr int kDeepestInitialiser = 16;

std::uint32_t readAlign(Cursor& cursor)
{
    const std::uint32_t offset = cursor.peek().offset;
    const std::int64_t align = readInteger(cursor);
    if (align <= 0 || align > 65536 || (align & (align - 1)) != 0)
        failBad(offset, "An alignment is a power of two of at most 65536.");
    return static_cast<std::uint32_t>(align);
}

/// Dimensions in brackets; the product of those that have a size, and whether the first has none.
struct Shape {
    bool isArray = false, isOpen = false;
    std::uint64_t elements = 1;
};

Shape readShape(Cursor& cursor)
{
    Shape shape;
    while (cursor.accept('[')) {
        if (cursor.accept(']')) {
            if (shape.isArray)
                failBad(cursor.peek().offset, "Only the first dimension may be left open.");
            shape.isArray = shape.isOpen = true;
            continue;
        }
        const std::uint32_t offset = cursor.peek().offset;
        const std::int64_t count = readInteger(cursor);
        if (count < 0
            || std::uint64_t(count) > kLargestVariable / std::max<std::uint64_t>(shape.elements, 1))
            failBad(offset, "This dimension is not possible.");
        shape.elements *= std::uint64_t(count);
        shape.isArray = true;
        cursor.expect(']');
    }
    return shape;
}

class InitialiserReader {
public:
    InitialiserReader(Cursor& cursor, Variable& variable, int width)
        : m_cursor(cursor)
        , m_variable(variable)
        , m_width(width)
    {
    }

    void value(int depth)
    {
        if (m_cursor.accept('{')) {
            if (depth > kDeepestInitialiser)
                failBad(m_cursor.peek().offset, "This initialiser is nested too deeply.");
            while (!m_cursor.at('}')) {
                value(depth + 1);
                if (!m_cursor.accept(','))
                    break;
            }
            return m_cursor.expect('}');
        }
        if (!atConstant(m_cursor) && m_cursor.atWord())
            return address();
        const std::uint32_t offset = m_cursor.peek().offset;
        const Constant constant = readConstant(m_cursor);
        if (m_cursor.at('('))
            failUnsupported(offset, "Parts of an address in an initialiser are not modelled.");
        put(bitsAs(constant, m_variable.type, offset));
    }

private:
    void put(std::uint64_t bits)
    {
        for (int i = 0; i < m_width; ++i)
            m_variable.initial.push_back(i < 8 ? static_cast<std::uint8_t>(bits >> (8 * i)) : 0);
    }

    void address()
    {
        InitialReference reference;
        reference.at = m_variable.initial.size();
        reference.width = m_width;
        reference.offset = m_cursor.peek().offset;
        reference.name = m_cursor.text(m_cursor.next());
        if (m_cursor.accept('(')) {
            if (reference.name != "generic")
                failBad(reference.offset, "Only generic(...) takes a variable in an initialiser.");
            reference.generic = true;
            reference.name = m_cursor.text(m_cursor.expectWord("a variable's name"));
            m_cursor.expect(')');
        }
        if (m_cursor.at('+') || m_cursor.at('-'))
            reference.addend = readInteger(m_cursor);
        if (m_width != 4 && m_width != 8)
            failBad(reference.offset, "An address needs an element of 4 or 8 bytes.");
        m_variable.references.push_back(reference);
        put(0);
    }

    Cursor& m_cursor;
    Variable& m_variable;
    int m_width;
};

Space spaceOf(std::string_view directive)
{
    return directive == ".shared" ? Space::Shared
        : directive == ".const"   ? Space::Constant
        : directive == ".global"  ? Space::Global
                                  : Space::Local;
}

/// What stands between the space and the name: attributes, alignment, vector, type.
struct Prefix {
    Type type = Type::B8;
    std::uint32_t align = 0;
    std::uint32_t lanes = 1; ///< of a vector type
    bool typed = false;
};

Prefix readPrefix(Cursor& cursor)
{
    Prefix prefix;
    bool pointer = false;
    while (cursor.peek().kind == TokenKind::Directive) {
        const Token& token = cursor.next();
        const std::string_view name = cursor.text(token);
        if (name == ".align") {
            const std::uint32_t align = readAlign(cursor);
            if (!pointer)
                prefix.align = align;
        } else if (name == ".v2" || name == ".v4" || name == ".v8") {
            prefix.lanes = static_cast<std::uint32_t>(name[2] - '0');
        } else if (name == ".ptr") {
            pointer = true; // what follows is about the memory pointed to: nothing depends on it
        } else if (name == ".global" || name == ".shared" || name == ".const" || name == ".local") {
            continue;
        } else if (name == ".attribute") {
            cursor.expect('(');
            while (!cursor.atEnd() && !cursor.accept(')'))
                cursor.next();
        } else if (const SuffixRow* row = typeNamed(name.substr(1)); row != nullptr) {
            prefix.type = static_cast<Type>(row->value);
            prefix.typed = true;
        } else {
            failUnsupported(
                token.offset, "The directive '" + std::string(name) + "' is not modelled here.");
        }
    }
    if (!prefix.typed)
        failBad(cursor.peek().offset, "Expected a type, found " + cursor.found() + '.');
    if (prefix.type == Type::Pred)
        failBad(cursor.peek().offset, "A predicate cannot lie in memory.");
    const std::uint32_t natural = static_cast<std::uint32_t>(bytesOf(prefix.type)) * prefix.lanes;
    prefix.align = std::max(prefix.align, prefix.align == 0 ? natural : 1u);
    return prefix;
}

Variable readOne(Cursor& cursor, const Prefix& prefix, Space space, bool isExtern)
{
    Variable variable;
    variable.space = space;
    variable.type = prefix.type;
    variable.align = prefix.align;
    variable.isExtern = isExtern;
    variable.offset = cursor.peek().offset;
    variable.name = cursor.text(cursor.expectWord("a variable's name"));
    const Shape shape = readShape(cursor);
    const std::uint64_t element = std::uint64_t(bytesOf(prefix.type)) * prefix.lanes;
    variable.size = shape.isOpen ? 0 : shape.elements * element;
    if (cursor.accept('='))
        InitialiserReader(cursor, variable, bytesOf(prefix.type)).value(0);
    if (const std::uint64_t row = element * shape.elements; shape.isOpen && row != 0)
        variable.size = (variable.initial.size() + row - 1) / row * row;
    variable.isDynamic
        = shape.isOpen && variable.initial.empty() && space == Space::Shared && isExtern;
    if (shape.isOpen && variable.initial.empty() && !isExtern)
        failBad(variable.offset, "An array without a size must be .extern or have an initialiser.");
    if (variable.initial.size() > variable.size)
        failBad(variable.offset, "The initialiser is larger than the variable.");
    return variable;
}
}

bool startsVariable(std::string_view directive)
{
    return directive == ".shared" || directive == ".const" || directive == ".global"
        || directive == ".local";
}

Type readType(Cursor& cursor)
{
    const Token& token = cursor.next();
    const std::string_view name = cursor.text(token);
    const SuffixRow* row = name.starts_with('.') ? typeNamed(name.substr(1)) : nullptr;
    if (row == nullptr)
        failBad(token.offset, "Expected a type, found '" + std::string(name.substr(0, 40)) + "'.");
    return static_cast<Type>(row->value);
}

std::vector<Variable> readVariables(Cursor& cursor, bool isExtern)
{
    const Space space = spaceOf(cursor.text(cursor.next()));
    if (cursor.atDirective(".texref") || cursor.atDirective(".samplerref")
        || cursor.atDirective(".surfref"))
        failUnsupported(cursor.peek().offset, "Textures and surfaces are not modelled.");
    const Prefix prefix = readPrefix(cursor);
    std::vector<Variable> variables;
    do {
        variables.push_back(readOne(cursor, prefix, space, isExtern));
    } while (cursor.accept(','));
    cursor.expect(';');
    return variables;
}

ParamDeclaration readParam(Cursor& cursor)
{
    ParamDeclaration param;
    param.isRegister = cursor.atDirective(".reg");
    if (!param.isRegister && !cursor.atDirective(".param"))
        failBad(cursor.peek().offset, "Expected .param, found " + cursor.found() + '.');
    cursor.next();
    if (param.isRegister) {
        param.type = readType(cursor);
        param.size = static_cast<std::uint32_t>(bytesOf(param.type));
    }
    const Prefix prefix = param.isRegister ? Prefix { .type = param.type } : readPrefix(cursor);
    param.type = prefix.type;
    param.align = std::max(prefix.align, 1u);
    param.offset = cursor.peek().offset;
    param.name = cursor.text(cursor.expectWord("a parameter's name"));
    const Shape shape = readShape(cursor);
    const std::uint64_t bytes
        = shape.isOpen ? 0 : shape.elements * prefix.lanes * std::uint64_t(bytesOf(prefix.type));
    if (bytes > 1u << 20)
        failBad(param.offset, "A parameter of more than 1 MB is not possible.");
    param.size = static_cast<std::uint32_t>(bytes);
    return param;
}

} // namespace coalescope::analysis::ptx
