// SPDX-License-Identifier: Apache-2.0
#include "analysis/ptx/constant.h"

#include "analysis/ptx/failure.h"

#include <bit>
#include <charconv>

namespace coalescope::analysis::ptx {

namespace {
constexpr int kDeepest = 64; ///< parentheses and signs within one another

Constant ofDouble(double value)
{
    return { Constant::Kind::Double, std::bit_cast<std::uint64_t>(value) };
}

double asDouble(const Constant& c)
{
    if (c.kind == Constant::Kind::Single)
        return std::bit_cast<float>(static_cast<std::uint32_t>(c.bits));
    return std::bit_cast<double>(c.bits);
}

bool parseWhole(std::string_view digits, int base, std::uint64_t& value)
{
    const auto [end, error]
        = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    return error == std::errc() && end == digits.data() + digits.size() && !digits.empty();
}

Constant parseNumber(const Cursor& cursor, const Token& token)
{
    std::string_view text = cursor.text(token);
    const char second = text.size() > 1 && text[0] == '0' ? text[1] : '\0';
    Constant constant;
    bool good = false;
    if (second == 'f' || second == 'F' || second == 'd' || second == 'D') {
        const bool single = second == 'f' || second == 'F';
        constant.kind = single ? Constant::Kind::Single : Constant::Kind::Double;
        good = text.size() == (single ? 10u : 18u) && parseWhole(text.substr(2), 16, constant.bits);
    } else if (text.find('.') != std::string_view::npos
        || (second != 'x' && second != 'X' && text.find_first_of("eE") != std::string_view::npos)) {
        double value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        good = error == std::errc() && end == text.data() + text.size();
        constant = ofDouble(value);
    } else {
        if (text.ends_with('U') || text.ends_with('u'))
            text.remove_suffix(1);
        if (second == 'x' || second == 'X')
            good = parseWhole(text.substr(2), 16, constant.bits);
        else if (second == 'b' || second == 'B')
            good = parseWhole(text.substr(2), 2, constant.bits);
        else
            good = parseWhole(text, text.size() > 1 && text[0] == '0' ? 8 : 10, constant.bits);
    }
    if (!good)
        failBad(token.offset, "This is not a number that PTX knows.");
    return constant;
}

class ExpressionReader {
public:
    explicit ExpressionReader(Cursor& cursor)
        : m_cursor(cursor)
    {
    }

    Constant binary(int lowest)
    {
        Constant left = unary();
        for (;;) {
            const std::uint32_t offset = m_cursor.peek().offset;
            const int level = precedence();
            if (level < lowest)
                return left;
            const char symbol = m_cursor.next().symbol;
            if (symbol == '<' || symbol == '>')
                m_cursor.next();
            const Constant right = binary(level + 1);
            if (left.kind != Constant::Kind::Integer || right.kind != Constant::Kind::Integer)
                failBad(offset, "Constant expressions are computed on integers only.");
            left.bits = apply(symbol, left.bits, right.bits, offset);
        }
    }

private:
    [[nodiscard]] int precedence() const
    {
        if (m_cursor.peek().kind != TokenKind::Punctuation)
            return -1;
        const char symbol = m_cursor.peek().symbol;
        // By rank.
        // clang-format off
            switch (symbol) {
            case '*': case '/': return 5;
            case '+': case '-': return 4;
            case '<': case '>': return m_cursor.at(symbol, 1) ? 3 : -1;
            case '&': return 2;
            case '^': return 1;
            case '|': return 0;
            default: return -1;
            }
        // clang-format on
    }

    static std::uint64_t apply(char symbol, std::uint64_t a, std::uint64_t b, std::uint32_t offset)
    {
        // One operator a line.
        // clang-format off
            switch (symbol) {
            case '*': return a * b;
            case '+': return a + b;
            case '-': return a - b;
            case '<': return b < 64 ? a << b : 0;
            case '>': return b < 64 ? a >> b : 0;
            case '&': return a & b;
            case '^': return a ^ b;
            case '|': return a | b;
            default: break;
            }
        // clang-format on
        const auto sa = static_cast<std::int64_t>(a), sb = static_cast<std::int64_t>(b);
        if (sb == 0 || sb == -1) {
            if (sb == 0)
                failBad(offset, "This constant expression divides by zero.");
            return 0 - a;
        }
        return static_cast<std::uint64_t>(sa / sb);
    }

    Constant unary()
    {
        const Token& token = m_cursor.next();
        if (token.kind == TokenKind::Number)
            return parseNumber(m_cursor, token);
        if (token.kind == TokenKind::Word && m_cursor.text(token) == "WARP_SZ")
            return { Constant::Kind::Integer, 32 };
        if (token.kind != TokenKind::Punctuation
            || std::string_view("+-~!(").find(token.symbol) == std::string_view::npos)
            failBad(token.offset, "Expected a number.");
        if (++m_depth > kDeepest)
            failBad(token.offset, "This constant expression is nested too deeply.");
        Constant value;
        if (token.symbol == '(') {
            value = binary(0);
            m_cursor.expect(')');
        } else {
            value = sign(token.symbol, unary(), token.offset);
        }
        --m_depth;
        return value;
    }

    static Constant sign(char symbol, Constant value, std::uint32_t offset)
    {
        if (symbol == '+')
            return value;
        if (value.kind != Constant::Kind::Integer) {
            if (symbol != '-')
                failBad(offset, "Only a minus sign may precede a floating-point number.");
            value.bits ^= value.kind == Constant::Kind::Single ? 0x8000'0000ull : 1ull << 63;
            return value;
        }
        value.bits = symbol == '-' ? 0 - value.bits : symbol == '~' ? ~value.bits : value.bits == 0;
        return value;
    }

    Cursor& m_cursor;
    int m_depth = 0;
};

std::uint64_t truncated(std::uint64_t bits, Type type)
{
    const int width = bytesOf(type) * 8;
    return width >= 64 ? bits : bits & ((1ull << width) - 1);
}
}

bool atConstant(const Cursor& cursor)
{
    if (cursor.peek().kind == TokenKind::Number)
        return true;
    if (cursor.atWord())
        return cursor.text(cursor.peek()) == "WARP_SZ";
    return cursor.at('-') || cursor.at('+') || cursor.at('~') || cursor.at('(');
}

Constant readConstant(Cursor& cursor) { return ExpressionReader(cursor).binary(0); }

std::int64_t readInteger(Cursor& cursor)
{
    const std::uint32_t offset = cursor.peek().offset;
    const Constant constant = readConstant(cursor);
    if (constant.kind != Constant::Kind::Integer)
        failBad(offset, "Expected an integer.");
    return static_cast<std::int64_t>(constant.bits);
}

std::uint64_t bitsAs(const Constant& constant, Type type, std::uint32_t offset)
{
    if (type == Type::Pred)
        return constant.bits != 0;
    if (type == Type::F32 || type == Type::F64) {
        if (constant.kind == Constant::Kind::Integer)
            failBad(offset,
                "A floating-point operand needs a floating-point constant, as in 0f3F800000 or "
                "1.0.");
        if (type == Type::F64)
            return constant.kind == Constant::Kind::Double ? constant.bits
                                                           : ofDouble(asDouble(constant)).bits;
        return constant.kind == Constant::Kind::Single
            ? constant.bits
            : std::bit_cast<std::uint32_t>(static_cast<float>(asDouble(constant)));
    }
    if (constant.kind == Constant::Kind::Integer)
        return truncated(constant.bits, type);
    const int width = constant.kind == Constant::Kind::Single ? 4 : 8;
    if (bytesOf(type) == width)
        return constant.bits;
    if (bytesOf(type) == 4)
        return bitsAs(constant, Type::F32, offset);
    failBad(offset, "This floating-point constant does not fit the operand's type.");
}

} // namespace coalescope::analysis::ptx
