// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/source/declarations.h"
#include "kernels/source/host_values.h"
#include "kernels/source/program_text.h"

namespace coalescope::kernels {

/// One name of an enumeration, in the order of the file.
struct Enumerator {
    std::string name, ofEnumeration;
    std::string type; ///< of the enumeration, where it is declared: "uint8_t"
    bool isFirst = false;
    bool isLocal = false; ///< of an enumeration within a function
    std::size_t at = 0; ///< token
    std::size_t first = 0, last = 0; ///< tokens of its value; none: one more than the name before
};

/// The functions, classes and kernels of a program.
class HostProgram {
public:
    explicit HostProgram(const ProgramText& text);

    [[nodiscard]] const ProgramText& text() const { return m_text; }
    [[nodiscard]] const std::vector<Token>& tokens() const { return m_text.tokens(); }
    /// Wrong code may end where more is to come: nothing stands behind the last token.
    [[nodiscard]] const Token& token(std::size_t at) const
    {
        static constexpr Token kNone;
        return at < tokens().size() ? tokens()[at] : kNone;
    }
    [[nodiscard]] std::vector<const HostFunction*> functionsNamed(std::string_view name) const; ///< of no class
    /// Those of a namespace; where none is, of no namespace, or else of any.
    [[nodiscard]] std::vector<const HostFunction*> functionsNamed(std::string_view name, std::string_view scope) const;
    [[nodiscard]] const HostFunction* function(std::string_view name, std::size_t arguments) const; ///< null: none
    [[nodiscard]] const HostClass* classNamed(std::string_view name) const;
    [[nodiscard]] const std::map<std::string, HostClass, std::less<>>& classes() const { return m_classes; }
    /// Of a class, what calls of that name mean: its own, or else its bases'. Of its own name: its constructors.
    [[nodiscard]] std::vector<const HostFunction*> functionsOf(const HostClass& type, std::string_view name) const;
    [[nodiscard]] bool derives(std::string_view type, std::string_view base) const; ///< also: is the same class
    [[nodiscard]] const HostBase* baseNamed(const HostClass& type, std::string_view name) const; ///< as its constructors name it; null: none
    /// Of a template's classes those that are written for certain arguments, and the tokens of these, with their < and >.
    [[nodiscard]] std::vector<std::pair<const HostClass*, TokenRange>> specializationsOf(std::string_view name) const;
    [[nodiscard]] bool isKernel(std::string_view name) const { return m_kernels.contains(name); }
    /// What a kernel of that name is given tells which it is: a template's, or one of several.
    [[nodiscard]] bool isOfSeveralKernels(std::string_view name) const
    {
        const auto kernel = m_kernels.find(name);
        return kernel != m_kernels.end() && (kernel->second.isTemplate || kernel->second.bodies > 1);
    }
    [[nodiscard]] const std::vector<const HostFunction*>& functions() const { return m_inOrder; } ///< of no class
    [[nodiscard]] const std::deque<HostFunction>& everyFunction() const { return m_functions; } ///< also of classes, and lambdas
    [[nodiscard]] const std::vector<Declaration>& variables() const { return m_variables; } ///< with a value
    [[nodiscard]] const std::vector<Declaration>& ofModule() const { return m_ofModule; } ///< variables of the GPU
    [[nodiscard]] const std::vector<Declaration>& types() const { return m_types; } ///< aliases and typedefs
    [[nodiscard]] const std::vector<Enumerator>& enumerators() const { return m_enumerators; }

    /// Where the type of `using Name = Type;` or `typedef Type Name;` begins.
    [[nodiscard]] std::size_t aliasedFrom(const Declaration& alias) const { return alias.first + (token(alias.first).is("using") ? 3 : 1); }
    /// Reads the classes and aliases in a function's tokens.
    void readLocalType(std::size_t first, std::size_t last);
    /// Those of all functions, but for names that several types have.
    void readLocalTypes();
    /// Whether what templates ask of a type stands there: `std::integral`, or a concept of the program's.
    [[nodiscard]] bool isConcept(std::size_t at) const;
    /// A lambda's parameters, or a function's.
    [[nodiscard]] std::vector<HostParameter> parametersIn(std::size_t first, std::size_t last) const;
    const HostFunction* keep(HostFunction function);

private:
    struct KernelsOfAName {
        bool isTemplate = false; ///< the first is
        int bodies = 0;
    };
    void read(const std::vector<Declaration>& declarations);
    void readFunction(const Declaration& declaration, const std::string& ofClass, std::string_view scope);
    void readClass(const Declaration& declaration);
    void readClass(const Declaration& declaration, const std::string& name);
    void readMembers(const Declaration& declaration, HostClass& type);
    void readDefaultedOperator(const Declaration& declaration, HostClass& type) const;
    void readBases(const Declaration& declaration, HostClass& type);
    static void leaveAmbiguousBases(HostClass& type);
    [[nodiscard]] HostBase baseIn(TokenRange range) const;
    void readEnumeration(const Declaration& declaration);
    void readLocalEnumerations();
    [[nodiscard]] std::vector<HostParameter> templateParametersOf(const Declaration& declaration) const;

    const ProgramText& m_text;
    std::deque<HostFunction> m_functions;
    std::multimap<std::string, const HostFunction*, std::less<>> m_byName;
    std::vector<const HostFunction*> m_inOrder;
    std::map<std::string, HostClass, std::less<>> m_classes;
    std::multimap<std::string, std::pair<std::string, TokenRange>, std::less<>> m_specializations; ///< the names of their classes
    std::set<std::string_view> m_concepts;
    std::map<std::string, KernelsOfAName, std::less<>> m_kernels;
    std::vector<Enumerator> m_enumerators;
    std::vector<Declaration> m_variables, m_ofModule, m_types;
};

} // namespace coalescope::kernels
