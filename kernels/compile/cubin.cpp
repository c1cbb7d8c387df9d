// SPDX-License-Identifier: Apache-2.0
#include "kernels/compile/cubin.h"

#include <cstdint>
#include <cstring>
#include <string>

#include <elf.h>

namespace coalescope::kernels {

namespace {

constexpr std::uint8_t kSizedValue = 4; ///< format of an attribute: its size and as many bytes follow
constexpr std::uint8_t kRegisterCount = 0x2f;
constexpr std::size_t kAttributeHead = 4; ///< format, attribute, size or value

using Bytes = std::span<const char>;

template <class Value> std::optional<Value> valueAt(Bytes bytes, std::uint64_t offset)
{
    if (offset > bytes.size() || bytes.size() - offset < sizeof(Value))
        return std::nullopt;
    Value value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

Bytes part(Bytes bytes, std::uint64_t offset, std::uint64_t size)
{
    if (offset > bytes.size() || bytes.size() - offset < size)
        return {};
    return bytes.subspan(offset, size);
}

std::string_view textAt(Bytes table, std::uint64_t offset)
{
    if (offset >= table.size())
        return {};
    const std::string_view rest(table.data() + offset, table.size() - offset);
    return rest.substr(0, rest.find('\0'));
}

/// The sections of an ELF file by number.
class Sections {
public:
    explicit Sections(Bytes file)
        : m_file(file)
        , m_header(valueAt<Elf64_Ehdr>(file, 0))
    {
        if (m_header && std::memcmp(m_header->e_ident, ELFMAG, SELFMAG) != 0)
            m_header.reset();
    }
    [[nodiscard]] unsigned count() const { return m_header ? m_header->e_shnum : 0; }
    [[nodiscard]] std::optional<Elf64_Shdr> header(unsigned number) const
    {
        if (number >= count())
            return std::nullopt;
        return valueAt<Elf64_Shdr>(m_file, m_header->e_shoff + std::uint64_t(number) * sizeof(Elf64_Shdr));
    }
    [[nodiscard]] Bytes bytes(const Elf64_Shdr& header) const
    {
        return part(m_file, header.sh_offset, header.sh_size);
    }
    [[nodiscard]] Bytes bytes(unsigned number) const
    {
        const auto found = header(number);
        return found ? bytes(*found) : Bytes {};
    }
    [[nodiscard]] std::optional<Elf64_Shdr> named(std::string_view name) const
    {
        const Bytes names = m_header ? bytes(m_header->e_shstrndx) : Bytes {};
        for (unsigned i = 0; i < count(); ++i)
            if (const auto found = header(i); found && textAt(names, found->sh_name) == name)
                return found;
        return std::nullopt;
    }

private:
    Bytes m_file;
    std::optional<Elf64_Ehdr> m_header;
};

} // namespace

std::optional<int> registersOf(std::span<const char> cubin, std::string_view entry)
{
    const Sections sections(cubin);
    const auto info = sections.named(".nv.info"), symbols = sections.named(".symtab");
    if (!info || !symbols)
        return std::nullopt;
    const Bytes symbolTable = sections.bytes(*symbols), names = sections.bytes(symbols->sh_link);
    const auto isEntry = [&](std::uint32_t index) {
        const auto symbol = valueAt<Elf64_Sym>(symbolTable, std::uint64_t(index) * sizeof(Elf64_Sym));
        return symbol && textAt(names, symbol->st_name) == entry;
    };
    const Bytes attributes = sections.bytes(*info);
    for (std::size_t at = 0; attributes.size() - at >= kAttributeHead;) {
        const auto format = std::uint8_t(attributes[at]), attribute = std::uint8_t(attributes[at + 1]);
        const auto size = valueAt<std::uint16_t>(attributes, at + 2);
        at += kAttributeHead;
        if (format != kSizedValue)
            continue;
        const Bytes value = part(attributes, at, *size);
        const auto index = valueAt<std::uint32_t>(value, 0), registers = valueAt<std::uint32_t>(value, 4);
        if (attribute == kRegisterCount && index && registers && isEntry(*index))
            return int(*registers);
        if (attributes.size() - at < *size)
            break;
        at += *size;
    }
    return std::nullopt;
}

std::span<const char> codeOf(std::span<const char> cubin, std::string_view entry)
{
    const Sections sections(cubin);
    const auto code = sections.named(".text." + std::string(entry));
    return code ? sections.bytes(*code) : Bytes {};
}

} // namespace coalescope::kernels
