// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/source/tokens.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coalescope::kernels {

/// How a kernel's body uses what it loads from a buffer of integers.
struct IndexUse {
    std::string into; ///< the array whose subscript it is part of
    std::string factor; ///< by which it is multiplied there; empty: it is not
    bool isBegin = false; ///< of a range in that array, whose next element is its end: the last one is none
};

struct IndexUses {
    std::vector<IndexUse> uses;
    bool boundsRanges = false; ///< an element and the next one are loaded, as where a range begins and ends
};

/// Follows `buffer[...]`, `__ldg(&buffer[...])` and the variables that such are assigned to into other arrays' subscripts, through the text
/// of the kernel of that name. A scan of tokens: what goes through arithmetic, pointers or other functions is not seen.
[[nodiscard]] IndexUses indexUsesOf(std::span<const std::string> deviceCode, std::string_view kernel, std::string_view buffer);

/// What a kernel may do to a buffer's elements.
struct BufferUse {
    bool reads = true; ///< not where it only assigns to them and counts in them by atomics whose result nobody takes
    bool writes = true;
};

/// Of one mention of a buffer in code, at a token.
[[nodiscard]] BufferUse useAt(const std::vector<Token>& tokens, std::size_t at);

/// By the text of the kernel of that name; where the buffer goes elsewhere than into subscripts, or is not mentioned, both may be. `object`:
/// the parameter that it is a member of, empty: it is a parameter itself; what calls a function of the object's, or hands it on, may do both.
[[nodiscard]] BufferUse useOf(std::span<const std::string> deviceCode, std::string_view kernel, std::string_view buffer, std::string_view object = {});

} // namespace coalescope::kernels
