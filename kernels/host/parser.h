// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/host/syntax.h"
#include "kernels/source/host_program.h"

#include <unordered_map>
#include <optional>
#include <set>
#include <tuple>

namespace coalescope::kernels::host {

/// Reads statements and expressions as they are asked for. What it does not understand becomes Broken, with the variables that it mentions.
class Parser {
public:
    /// The program must outlive it.
    explicit Parser(const HostProgram& program);

    [[nodiscard]] const Body& bodyOf(const HostFunction& function);
    [[nodiscard]] const std::vector<const Node*>& globals() const { return m_globalNodes; } ///< Declares, in order
    [[nodiscard]] const Node* variableOfModule(std::string_view name) const; ///< as a Variable; null: there is none
    [[nodiscard]] bool isGlobal(const Node& variable) const; ///< of one of the module: the host knows it by its name, too
    [[nodiscard]] int globalSlots() const { return m_globalSlots; }
    [[nodiscard]] TypeName memberType(const HostClass& type, const HostParameter& member);
    [[nodiscard]] TypeName baseType(const HostClass& type, const HostBase& base);
    /// Null: none, or it is not understood.
    [[nodiscard]] const Node* memberValue(const HostClass& type, const HostParameter& member);
    /// Of a template, in tokens with their < and >; nothing: they are not understood.
    [[nodiscard]] std::optional<TypeName> templateArgumentsIn(TokenRange range, const std::vector<HostParameter>& ofTemplate);
    struct Alias {
        TypeName type;
        std::vector<std::string> parameters; ///< of a template, that are types
    };
    [[nodiscard]] const Alias* alias(std::string_view name) const;
    [[nodiscard]] const HostProgram& program() const { return m_program; }
    [[nodiscard]] std::size_t tokenOf(const Node& statement) const; ///< of one in a block, the first

private:
    struct Misread {}; ///< thrown and caught in here
    struct Variable {
        int slot = 0;
        bool isAlias = false, isGlobal = false, isPack = false;
        bool isConst = false; ///< its value stays
    };
    /// Where code stands.
    struct Context {
        std::vector<std::map<std::string_view, Variable>> scopes;
        const HostClass* ofClass = nullptr;
        std::string_view scope; ///< the namespace of the function
        std::set<std::string_view> typeParameters;
        std::map<std::string, TypeName, std::less<>> aliases; ///< of the function
        int slots = 0;
        bool isGlobal = false;
    };

    // parser.cpp: what code can name, and functions
    void readAliases();
    void readGlobals();
    void readOfModule();
    void readEnumerators();
    Body readBody(const HostFunction& function);
    TypeName returnType(const HostFunction& function);
    const Node* readMembers(const HostFunction& function, Body& body);
    void enterTemplate(const HostFunction& function, Body* body);

    // parser_statements.cpp
    const Node* block(std::size_t last);
    const Node* statement(std::size_t last);
    const Node* statementOrBroken(std::size_t last);
    const Node* broken(std::size_t first, std::size_t last);
    const Node* ifStatement(std::size_t last);
    const Node* forStatement(std::size_t last);
    const Node* switchStatement(std::size_t last);
    const Node* localAlias(std::size_t last);
    const Node* throwStatement(std::size_t last);
    const Node* tryStatement(std::size_t last);
    const Node* localType();
    const Node* declaration();
    const Node* declarators(const TypeName& base, bool isStatic, bool isConst = false);
    const Node* declarator(const TypeName& type, bool isStatic, bool isConst);
    const Node* bindings(bool isAlias);
    [[nodiscard]] bool startsDeclaration();
    [[nodiscard]] bool endsFunction(const Node& node) const;
    [[nodiscard]] std::size_t behindStatement(std::size_t at, std::size_t last) const;

    // parser_types.cpp
    std::optional<TypeName> type(bool withPointers = true);
    TypeName typeOrMisread();
    void notePack(TypeName& type);
    void seeTypes(const std::vector<HostParameter>& ofTemplate);
    void seeTypes(const HostClass& type);
    void templateArguments(std::vector<TypeName>& types, std::vector<const Node*>& values);
    void pointersOf(TypeName& type);
    [[nodiscard]] bool isType(std::string_view name) const;
    std::optional<std::string> builtIn();

    // parser_expressions.cpp
    const Node* expression(); ///< with commas
    const Node* assignment();
    const Node* conditional();
    const Node* binary(int level);
    const Node* threeWay();
    const Node* asTrait(Node* comparison);
    const Node* unary();
    const Node* postfix();
    const Node* primary();
    const Node* word();
    const Node* functionObject(Node* named);
    const Node* named(std::string_view name);
    const Node* cast();
    const Node* lambda();
    const Node* newExpression();
    const Node* list();
    const Node* launch(const Node* kernel);
    std::vector<const Node*> configuration(std::size_t first, std::size_t last);
    const Node* number() const;
    const Node* suffixed(const Node* text);
    const Node* fold();
    const Node* countPack();
    [[nodiscard]] std::optional<TypeName> deducedType();
    void namesWithin(TypeName& type, std::size_t at);
    std::vector<const Node*> arguments(std::string_view close);
    const Node* constantOf(std::string_view name, std::pair<std::size_t, std::size_t> range);
    [[nodiscard]] std::optional<std::pair<Arithmetic, int>> operatorHere() const;
    Node* of(Op op, std::vector<const Node*> kids = {});

    void skip(std::string_view mark);
    bool skipped(std::string_view mark);
    Node* make(Op op);
    const Variable* find(std::string_view name) const;
    int declare(std::string_view name, bool isAlias, bool isStatic = false, bool isPack = false, bool isConst = false);
    [[nodiscard]] const Token& token(std::size_t ahead = 0) const;
    [[nodiscard]] bool is(std::string_view mark) const { return m_at < m_end && token().is(mark); }
    [[nodiscard]] bool areAdjacent(std::size_t count) const;
    /// Reads tokens [first, last) and comes back.
    template <class Read> auto within(std::size_t first, std::size_t last, Read read)
    {
        struct Back {
            Parser& parser;
            const std::size_t at, end;
            ~Back() { std::tie(parser.m_at, parser.m_end) = std::pair(at, end); }
        } const back { *this, std::exchange(m_at, first), std::exchange(m_end, last) };
        return read();
    }

    const HostProgram& m_program;
    std::deque<Node> m_nodes;
    std::deque<TypeName> m_types;
    std::deque<std::string> m_literals;
    std::deque<std::vector<HostParameter>> m_lambdaParameters;
    std::map<const HostFunction*, Body> m_bodies;
    std::map<const HostParameter*, const Node*> m_memberValues; ///< what members are when nothing else is said
    std::map<std::string, Alias, std::less<>> m_aliases;
    std::map<std::string, const Node*, std::less<>> m_enumerators;
    std::vector<std::size_t> m_launches; ///< tokens
    std::vector<const Node*> m_globalNodes;
    std::map<std::string_view, Variable> m_globals;
    std::map<std::string_view, const Node*> m_ofModule; ///< Variables
    std::unordered_map<const Node*, std::size_t> m_begins; ///< of statements in blocks: tokens
    int m_globalSlots = 0;
    std::set<int> m_mentioned; ///< slots of variables of functions, since the innermost lambda's begin
    std::vector<int> m_packs; ///< slots of those that expressions have mentioned so far
    Context m_context;
    std::size_t m_at = 0, m_end = 0;
    int m_depth = 0;
};

} // namespace coalescope::kernels::host
