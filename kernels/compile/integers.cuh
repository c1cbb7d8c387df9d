// SPDX-License-Identifier: Apache-2.0
// The integer types, for compilers that find no <stdint.h>: as 64-bit Linux has them.
#pragma once

#if defined(__CUDACC_RTC__) && __has_include(<cuda/std/cstdint>)
#include <cuda/std/cstdint> // under NVRTC its 64-bit types are long long: a source may include both
#else
#ifndef __CUDACC_RTC__ // there the prelude has them
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;
#endif

#define INT8_MAX 127
#define INT8_MIN (-INT8_MAX - 1)
#define UINT8_MAX 255
#define INT16_MAX 32767
#define INT16_MIN (-INT16_MAX - 1)
#define UINT16_MAX 65535
#define INT32_MAX 2147483647
#define INT32_MIN (-INT32_MAX - 1)
#define UINT32_MAX 4294967295u
#define INT64_MAX 9223372036854775807l
#define INT64_MIN (-INT64_MAX - 1)
#define UINT64_MAX 18446744073709551615ul
#define SIZE_MAX UINT64_MAX
#endif

typedef unsigned long size_t;
typedef long ptrdiff_t;

namespace std {
using ::int16_t;
using ::int32_t;
using ::int64_t;
using ::int8_t;
using ::intptr_t;
using ::ptrdiff_t;
using ::size_t;
using ::uint16_t;
using ::uint32_t;
using ::uint64_t;
using ::uint8_t;
using ::uintptr_t;
}
