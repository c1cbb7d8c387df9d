// SPDX-License-Identifier: Apache-2.0
#include "kernels/compile/cubin.h"

#include "kernels/compile/cubin_sections.h"

namespace coalescope::kernels {

namespace {

constexpr std::uint8_t kSizedValue = 4; ///< format of an attribute: its size and as many bytes follow
constexpr std::uint8_t kRegisterCount = 0x2f;
constexpr std::size_t kAttributeHead = 4; ///< format, attribute, size or value

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

std::vector<CubinVariable> variablesOf(std::span<const char> cubin)
{
    const Sections sections(cubin);
    std::vector<CubinVariable> found;
    const auto symbols = sections.named(".symtab");
    if (!symbols)
        return found;
    const Bytes table = sections.bytes(*symbols), names = sections.bytes(symbols->sh_link);
    for (std::uint64_t at = 0; const auto symbol = valueAt<Elf64_Sym>(table, at); at += sizeof(Elf64_Sym)) {
        const auto section = ELF64_ST_TYPE(symbol->st_info) == STT_OBJECT ? sections.header(symbol->st_shndx) : std::nullopt;
        const std::string_view name = textAt(names, symbol->st_name);
        const bool isConstant = section && sections.nameOf(*section) == ".nv.constant3";
        if (section && (isConstant || sections.nameOf(*section).starts_with(".nv.global")) && !name.starts_with("$str"))
            found.push_back({ std::string(name), isConstant });
    }
    return found;
}

std::span<const char> codeOf(std::span<const char> cubin, std::string_view entry)
{
    const Sections sections(cubin);
    const auto code = sections.named(".text." + std::string(entry));
    return code ? sections.bytes(*code) : Bytes {};
}

} // namespace coalescope::kernels
