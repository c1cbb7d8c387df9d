// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/result/error.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace coalescope::analysis::ptx {

/// What the parser throws to itself; parsePtx turns it into an Error, so it never leaves the
/// library.
struct Failure {
    ErrorCode code = ErrorCode::BadInput;
    std::string sentence;
    std::uint32_t offset = 0; ///< bytes into the text
    std::string source; ///< FILE:LINE of the kernel's source; empty where unknown
};

/// Text that is not PTX.
[[noreturn]] void failBad(std::uint32_t offset, std::string sentence);

/// PTX that is not modelled.
[[noreturn]] void failUnsupported(std::uint32_t offset, std::string sentence);

/// The failure with its place: `where` is ptx:LINE:COLUMN behind the source's FILE:LINE, `detail` ends with the line and a caret.
[[nodiscard]] Error describe(const Failure& failure, std::string_view text);

} // namespace coalescope::analysis::ptx
