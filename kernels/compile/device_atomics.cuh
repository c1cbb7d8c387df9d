// SPDX-License-Identifier: Apache-2.0
#pragma once

#define COALESCOPE_ATOMIC(name, type, builtin, as)                                                           \
    COALESCOPE_DEVICE type name(type* address, type value)                                                   \
    {                                                                                                        \
        return (type)builtin((as*)address, (as)value);                                                        \
    }
// The same bits for signed and unsigned, in 32 and 64 bits.
#define COALESCOPE_ATOMIC_INTEGERS(name, op)                                                                 \
    COALESCOPE_ATOMIC(name, int, __nvvm_atom_##op##_gen_i, int)                                              \
    COALESCOPE_ATOMIC(name, unsigned int, __nvvm_atom_##op##_gen_i, int)                                     \
    COALESCOPE_ATOMIC(name, long long, __nvvm_atom_##op##_gen_ll, long long)                                 \
    COALESCOPE_ATOMIC(name, unsigned long long, __nvvm_atom_##op##_gen_ll, long long)

COALESCOPE_ATOMIC_INTEGERS(atomicAdd, add)
COALESCOPE_ATOMIC_INTEGERS(atomicExch, xchg)
COALESCOPE_ATOMIC_INTEGERS(atomicAnd, and)
COALESCOPE_ATOMIC_INTEGERS(atomicOr, or)
COALESCOPE_ATOMIC_INTEGERS(atomicXor, xor)
COALESCOPE_ATOMIC(atomicAdd, float, __nvvm_atom_add_gen_f, float)
COALESCOPE_ATOMIC(atomicAdd, double, __nvvm_atom_add_gen_d, double)
COALESCOPE_ATOMIC(atomicMin, int, __nvvm_atom_min_gen_i, int)
COALESCOPE_ATOMIC(atomicMin, unsigned int, __nvvm_atom_min_gen_ui, unsigned int)
COALESCOPE_ATOMIC(atomicMin, long long, __nvvm_atom_min_gen_ll, long long)
COALESCOPE_ATOMIC(atomicMin, unsigned long long, __nvvm_atom_min_gen_ull, unsigned long long)
COALESCOPE_ATOMIC(atomicMax, int, __nvvm_atom_max_gen_i, int)
COALESCOPE_ATOMIC(atomicMax, unsigned int, __nvvm_atom_max_gen_ui, unsigned int)
COALESCOPE_ATOMIC(atomicMax, long long, __nvvm_atom_max_gen_ll, long long)
COALESCOPE_ATOMIC(atomicMax, unsigned long long, __nvvm_atom_max_gen_ull, unsigned long long)
COALESCOPE_ATOMIC(atomicInc, unsigned int, __nvvm_atom_inc_gen_ui, unsigned int)
COALESCOPE_ATOMIC(atomicDec, unsigned int, __nvvm_atom_dec_gen_ui, unsigned int)

COALESCOPE_DEVICE float atomicExch(float* address, float value)
{
    const int old = __nvvm_atom_xchg_gen_i(reinterpret_cast<int*>(address), __builtin_bit_cast(int, value));
    return __builtin_bit_cast(float, old);
}
COALESCOPE_DEVICE int atomicSub(int* address, int value) { return atomicAdd(address, -value); }
COALESCOPE_DEVICE unsigned int atomicSub(unsigned int* address, unsigned int value)
{
    return atomicAdd(address, 0u - value);
}

#define COALESCOPE_CAS(type, builtin, as)                                                                    \
    COALESCOPE_DEVICE type atomicCAS(type* address, type compare, type value)                                \
    {                                                                                                        \
        return (type)builtin((as*)address, (as)compare, (as)value);                                          \
    }
COALESCOPE_CAS(int, __nvvm_atom_cas_gen_i, int)
COALESCOPE_CAS(unsigned int, __nvvm_atom_cas_gen_i, int)
COALESCOPE_CAS(long long, __nvvm_atom_cas_gen_ll, long long)
COALESCOPE_CAS(unsigned long long, __nvvm_atom_cas_gen_ll, long long)
