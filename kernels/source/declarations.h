// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/source/tokens.h"

#include <string>

namespace coalescope::kernels {

enum class DeclarationKind : std::uint8_t {
    Directive, ///< a line of the preprocessor between declarations
    UsingNamespace,
    Function, ///< with or without a body
    Type, ///< class, struct, union, enum
    Other, ///< a variable, a typedef, an alias, ...
};

/// A declaration of a namespace's scope, or of a class's where one was asked for.
struct Declaration {
    DeclarationKind kind = DeclarationKind::Other;
    std::size_t first = 0, last = 0; ///< tokens [first, last)
    std::size_t bodyFirst = 0, bodyLast = 0; ///< tokens inside the braces of a function or type; 0: there are none
    std::vector<std::string_view> names; ///< that it declares; a function's may be preceded by macros it is behind
    std::string_view scope; ///< the innermost named namespace; empty: none
    std::string path; ///< all of them: "outer::inner"
    [[nodiscard]] bool hasBody() const { return bodyFirst > 0; }
};

/// Cuts tokens [first, last) into declarations, those of nested namespaces and of extern "C" among them. Where the
/// branches of an #if open different brackets, those of its first one count.
[[nodiscard]] std::vector<Declaration> declarationsOf(const std::vector<Token>& tokens, std::size_t first, std::size_t last);
[[nodiscard]] std::vector<Declaration> declarationsOf(const std::vector<Token>& tokens);

/// Whether a declaration is a kernel that is not the one of this name.
[[nodiscard]] bool isOtherKernel(const std::vector<Token>& tokens, const Declaration& declaration, std::string_view kernel);

} // namespace coalescope::kernels
