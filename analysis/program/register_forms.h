// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/program/uses.h"

#include <map>
#include <optional>

namespace coalescope::analysis {

/// What a form is made of.
struct Atom {
    enum class Kind : std::uint8_t {
        Special, ///< `index` is a SpecialRegister
        Parameter, ///< `index`: its offset in the parameter block
        Quotient, ///< of `of` by `divisor`, rounded down
        Ratio, ///< of `of` by `step`, which is no constant, rounded down
        Loop, ///< what a register holds that is set in several places: `of` before, and `step` more each turn
        Other, ///< whatever register `index` holds
    } kind = Kind::Other;
    std::uint32_t index = 0;
    std::map<std::vector<std::uint16_t>, std::int64_t> of = {}, step = {};
    std::int64_t divisor = 1;
};

/// A sum of products of atoms, by their numbers; the empty product is a constant.
using Form = std::map<std::vector<std::uint16_t>, std::int64_t>;

/// What a kernel's registers hold, as sums of products of where a thread is, of the launch's shape and of the kernel's parameters: `ctaid.x
/// * ntid.x + tid.x`. Numbers do not wrap, and `or` of two is their sum, as compilers write it where no bit is in both: a guess of what is
/// meant, not for what must be right.
class RegisterForms {
public:
    explicit RegisterForms(const Program& program);

    [[nodiscard]] Form of(const Operand& operand);
    /// As the instruction at `place` reads it: of a register that is set in several places, what it is set to right before, if nothing else leads there.
    [[nodiscard]] Form of(const Operand& operand, std::uint32_t place);
    [[nodiscard]] const Atom& atom(std::uint16_t number) const { return m_atoms[number]; }
    /// Its number; nothing where no form holds it.
    [[nodiscard]] std::optional<std::uint16_t> special(SpecialRegister name) const;
    /// Whether it is one of a form's atoms, or of what these are made of.
    [[nodiscard]] bool holds(const Form& form, SpecialRegister name) const;

private:
    [[nodiscard]] Form ofRegister(std::uint32_t index);
    [[nodiscard]] std::optional<std::uint32_t> definitionBefore(std::uint32_t index, std::uint32_t place) const; ///< in a straight line
    [[nodiscard]] Form ofResult(const Instruction& ins, std::uint32_t index); ///< what it writes to a register
    [[nodiscard]] Form atomForm(Atom atom);
    [[nodiscard]] Form quotient(const Form& form, std::int64_t divisor);

    const Program& m_program;
    RegisterUses m_uses;
    std::vector<bool> m_isTarget; ///< instructions that others jump to
    std::vector<Atom> m_atoms;
    std::map<std::uint32_t, Form> m_known;
};

/// a + factor * b.
[[nodiscard]] Form sum(Form a, const Form& b, std::int64_t factor = 1);
[[nodiscard]] Form product(const Form& a, const Form& b);
/// Of a form that is a constant.
[[nodiscard]] std::optional<std::int64_t> constantOf(const Form& form);

} // namespace coalescope::analysis
