// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/ptx/parse.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

namespace coalescope::analysis {

inline constexpr const char* kHeader = ".version 8.0\n.target sm_90\n.address_size 64\n";

/// A module with one kernel `k` that has some registers of each kind, on line 5 ff.
inline std::string kernelWith(const std::string& body, const std::string& before = {})
{
    return kHeader + before
        + ".visible .entry k(.param .u64 p0, .param .u32 p1)\n"
          "{ .reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 "
          "%f<9>; .reg .f64 %fd<9>;\n"
        + body + "\nret;\n}\n";
}

inline Program parsed(const std::string& text)
{
    Result<Program> program = parsePtx(text);
    if (!program) {
        ADD_FAILURE() << program.error().where << ": " << program.error().detail;
        return {};
    }
    return std::move(*program);
}

inline Error refused(const std::string& text)
{
    const Result<Program> program = parsePtx(text);
    if (!program)
        return program.error();
    ADD_FAILURE() << "accepted:\n" << text;
    return {};
}

inline std::string fileText(const std::string& path)
{
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

inline std::string sample(const std::string& name)
{
    return fileText(std::string(COALESCOPE_TEST_DATA) + "/ptx/samples/" + name);
}

} // namespace coalescope::analysis
