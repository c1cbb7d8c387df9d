// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>

#include <elf.h>

namespace coalescope::kernels {

using Bytes = std::span<const char>;

template <class Value> std::optional<Value> valueAt(Bytes bytes, std::uint64_t offset)
{
    if (offset > bytes.size() || bytes.size() - offset < sizeof(Value))
        return std::nullopt;
    Value value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

inline Bytes part(Bytes bytes, std::uint64_t offset, std::uint64_t size)
{
    if (offset > bytes.size() || bytes.size() - offset < size)
        return {};
    return bytes.subspan(offset, size);
}

inline std::string_view textAt(Bytes table, std::uint64_t offset)
{
    if (offset >= table.size())
        return {};
    const std::string_view rest(table.data() + offset, table.size() - offset);
    return rest.substr(0, rest.find('\0'));
}

/// The sections of an ELF file by number and name; what lies outside the file is empty.
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
    [[nodiscard]] Bytes bytes(std::string_view name) const
    {
        const auto found = named(name);
        return found ? bytes(*found) : Bytes {};
    }
    [[nodiscard]] std::string_view nameOf(const Elf64_Shdr& section) const { return textAt(m_header ? bytes(m_header->e_shstrndx) : Bytes {}, section.sh_name); }
    [[nodiscard]] std::optional<Elf64_Shdr> named(std::string_view name) const
    {
        for (unsigned i = 0; i < count(); ++i)
            if (const auto found = header(i); found && nameOf(*found) == name)
                return found;
        return std::nullopt;
    }

private:
    Bytes m_file;
    std::optional<Elf64_Ehdr> m_header;
};

} // namespace coalescope::kernels
