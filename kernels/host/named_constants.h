// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/host/values.h"

#include <array>
#include <cmath>
#include <string_view>

namespace coalescope::kernels::host {

/// What the C library's and CUDA's headers call so, and `pi` in std::numbers.
struct NamedConstant {
    std::string_view name;
    Kind kind;
    double value;
};
inline constexpr std::array kNamedConstants {
    NamedConstant { "true", Kind::Bool, 1 },
    NamedConstant { "false", Kind::Bool, 0 },
    NamedConstant { "cudaSuccess", Kind::I32, 0 },
    NamedConstant { "cudaMemcpyHostToHost", Kind::I32, 0 },
    NamedConstant { "cudaMemcpyHostToDevice", Kind::I32, 1 },
    NamedConstant { "cudaMemcpyDeviceToHost", Kind::I32, 2 },
    NamedConstant { "cudaMemcpyDeviceToDevice", Kind::I32, 3 },
    NamedConstant { "cudaMemcpyDefault", Kind::I32, 4 },
    NamedConstant { "RAND_MAX", Kind::I32, 2147483647 },
    NamedConstant { "INT_MAX", Kind::I32, 2147483647 },
    NamedConstant { "INT_MIN", Kind::I32, -2147483648.0 },
    NamedConstant { "UINT_MAX", Kind::U32, 4294967295.0 },
    NamedConstant { "INT32_MAX", Kind::I32, 2147483647 },
    NamedConstant { "UINT32_MAX", Kind::U32, 4294967295.0 },
    NamedConstant { "UINT8_MAX", Kind::I32, 255 },
    NamedConstant { "UINT16_MAX", Kind::I32, 65535 },
    NamedConstant { "SIZE_MAX", Kind::U64, -1 },
    NamedConstant { "UINT64_MAX", Kind::U64, -1 },
    NamedConstant { "ULLONG_MAX", Kind::U64, -1 },
    NamedConstant { "FLT_MAX", Kind::F32, 3.4028234663852886e38 },
    NamedConstant { "FLT_MIN", Kind::F32, 1.1754943508222875e-38 },
    NamedConstant { "FLT_EPSILON", Kind::F32, 1.1920928955078125e-7 },
    NamedConstant { "DBL_MAX", Kind::F64, 1.7976931348623157e308 },
    NamedConstant { "INFINITY", Kind::F32, HUGE_VAL },
    NamedConstant { "M_PI", Kind::F64, 3.14159265358979323846 },
    NamedConstant { "M_PI_2", Kind::F64, 1.57079632679489661923 },
    NamedConstant { "M_SQRT2", Kind::F64, 1.41421356237309504880 },
    NamedConstant { "M_E", Kind::F64, 2.7182818284590452354 },
    NamedConstant { "pi", Kind::F64, 3.14159265358979323846 }, // std::numbers
};

} // namespace coalescope::kernels::host
