// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "dependent_results"
title = "Operations each of which needs the result of the one before"
entry = "chain"

[[parameters]]
name = "operation"
define = "OPERATION"
default = "rest"
choices = [
    { value = "rest", define = "0" }, { value = "unsigned_rest", define = "1" }, { value = "quotient", define = "2" },
    { value = "short_rest", define = "3" }, { value = "rest_of_32", define = "4" }, { value = "upper_product", define = "5" },
    { value = "long_product", define = "6" }, { value = "root", define = "7" }, { value = "ones", define = "8" },
    { value = "division", define = "9" }, { value = "root_of_64", define = "10" },
]

[[parameters]]
name = "threads"
define = "THREADS"
default = 32
min = 32
max = 1024

[launch]
grid = [132]
block = ["threads"]

[[arguments]]
buffer = "data"
type = "i64"
count = "132 * threads"
fill = "iota:1234567890123:1"

[[arguments]]
scalar = "prime"
type = "i64"
value = 1711276033

[[arguments]]
scalar = "turns"
type = "i32"
value = 2000
--- */

#if OPERATION == 7 || OPERATION == 9
typedef float Value;
#elif OPERATION == 10
typedef double Value;
#elif OPERATION == 1
typedef unsigned long long Value;
#elif OPERATION == 4 || OPERATION == 5 || OPERATION == 8
typedef unsigned int Value;
#else
typedef long long Value;
#endif

__device__ Value next(Value value, Value prime)
{
#if OPERATION == 0 || OPERATION == 1 || OPERATION == 4
    return (value * value + 12345) % prime;
#elif OPERATION == 2
    return (value * value + 12345) / prime + 1234567890123;
#elif OPERATION == 3
    return (value & 0xffffff) % (prime & 0xffff) + 12345;
#elif OPERATION == 5
    return __umulhi(value, prime) + 4000000000u;
#elif OPERATION == 6
    return value * value + prime;
#elif OPERATION == 7
    return rsqrtf(value);
#elif OPERATION == 8
    return __popc(value) + prime;
#elif OPERATION == 9
    return prime / value + 1.5f;
#else
    return sqrt(value) + 1.5;
#endif
}

extern "C" __global__ void chain(long long* data, long long prime, int turns)
{
    Value value = Value(data[blockIdx.x * THREADS + threadIdx.x]);
    for (int i = 0; i < turns; ++i)
        value = next(value, Value(prime));
    data[blockIdx.x * THREADS + threadIdx.x] = (long long)value;
}
