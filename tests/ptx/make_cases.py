#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the text cases of opcodes that compute one value a lane from that lane's operands.

The expected values come from the definitions here, written down from the PTX ISA bit by bit, never from
running the program. Cases of control flow, memory and what lanes tell each other are written by hand.
"""
import math
import os
import struct
from fractions import Fraction

HERE = os.path.dirname(os.path.abspath(__file__))
WIDTH = {"b8": 1, "u8": 1, "s8": 1, "b16": 2, "u16": 2, "s16": 2, "f16": 2, "bf16": 2, "b32": 4, "u32": 4, "s32": 4,
         "f32": 4, "f16x2": 4, "bf16x2": 4, "b64": 8, "u64": 8, "s64": 8, "f64": 8, "pred": 4}
REG = {1: "%h", 2: "%h", 4: "%r", 8: "%d"}


def bits(t): return 8 * WIDTH[t]
def trunc(x, n): return x & ((1 << n) - 1)
def signed(x, n): x = trunc(x, n); return x - (1 << n) if x >> (n - 1) else x
def value(x, t): return signed(x, bits(t)) if t[0] == "s" else trunc(x, bits(t))


class File:
    """One case file: sections that share the lanes of one warp."""

    def __init__(self, name, about):
        self.name, self.about = name, about
        self.body, self.values, self.inBytes, self.outBytes, self.lanes = [], [], 0, 0, 1
        self.sections = []

    def op(self, ptx, inTypes, outType, cases, expect):
        """`ptx` with {0}, {1}, ... for the operands and {d} for the result, applied to tuples of bit patterns."""
        self.sections.append((ptx, inTypes, outType, list(cases), expect))

    def table(self, ptx, inTypes, outType, rows):
        """The same with the result as the last element of each row."""
        rows = list(rows)
        known = {tuple(r[:-1]): r[-1] for r in rows}
        self.op(ptx, inTypes, outType, [r[:-1] for r in rows], lambda *a: known[a])

    def place(self, kind, t, values):
        end = self.inBytes if kind == "in" else self.outBytes
        w = WIDTH[t]
        start = (end + w - 1) // w * w
        if kind == "in": self.inBytes = start + w * len(values)
        else: self.outBytes = start + w * len(values)
        shown = "u%d" % (8 * w)
        texts = []
        for v in values:
            texts.append(v if isinstance(v, str) else "0x%x" % v if v > 9 or "nan" in values else str(v))
        runs = []
        for v in texts:
            if runs and runs[-1][1] == v: runs[-1][0] += 1
            else: runs.append([1, v])
        words = [v if n == 1 else "%d*%s" % (n, v) for n, v in runs]
        if "nan" in texts: shown = t
        self.values.append("// %s %s: %s" % (kind, shown, " ".join(words)))
        return start

    def write(self):
        lanes = max(len(s[3]) for s in self.sections)
        assert lanes <= 32, self.name
        for ptx, inTypes, outType, cases, expect in self.sections:
            cases = cases + [cases[0]] * (lanes - len(cases))
            regs = []
            self.body.append("")
            for i, t in enumerate(inTypes):
                column = [trunc(c[i], bits(t)) if t != "pred" else c[i] & 1 for c in cases]
                start = self.place("in", t, column)
                w = WIDTH[t]
                reg = REG[w] + str(i + 1)
                load = "ld.global.%s %s, [%%in%d+%d];" % ({1: "u8", 2: "u16", 4: "u32", 8: "u64"}[w], reg, w, start)
                self.body.append(load)
                if t == "pred":
                    self.body.append("setp.ne.u32 %%p%d, %s, 0;" % (i + 1, reg))
                    reg = "%%p%d" % (i + 1)
                regs.append(reg)
            w = WIDTH[outType]
            result = "%p9" if outType == "pred" else REG[w] + "9"
            self.body.append(ptx.format(*regs, d=result))
            results = [expect(*c) for c in cases]
            results = [r if isinstance(r, str) else trunc(r, bits(outType)) for r in results]
            start = self.place("out", outType, results)
            if outType == "pred":
                self.body.append("selp.u32 %r9, 1, 0, %p9;")
                result = "%r9"
            self.body.append("st.global.%s [%%out%d+%d], %s;" % ({1: "u8", 2: "u16", 4: "u32", 8: "u64"}[w], w, start, result))
        used = "\n".join(self.body)
        lines = ["// " + self.about, "// made by make_cases.py", "// launch: block=%d" % lanes] + self.values
        lines += [".version 8.1", ".target sm_90", ".address_size 64", "",
                  ".visible .entry %s(.param .u64 out, .param .u64 in)" % self.name.replace("-", "_"), "{",
                  ".reg .pred %p<10>; .reg .b16 %h<10>; .reg .b32 %r<10>; .reg .b64 %d<10>; .reg .b32 %lane;",
                  ".reg .b64 %in; .reg .b64 %out; .reg .b64 %in<9>; .reg .b64 %out<9>;",
                  "ld.param.u64 %out, [out];", "ld.param.u64 %in, [in];", "mov.u32 %lane, %tid.x;"]
        for w in (1, 2, 4, 8):
            for side in ("in", "out"):
                if "%%%s%d+" % (side, w) in used:
                    lines.append("mad.wide.u32 %%%s%d, %%lane, %d, %%%s;" % (side, w, w, side))
        lines += self.body + ["ret;", "}", ""]
        with open(os.path.join(HERE, self.name + ".ptx"), "w") as f:
            f.write("\n".join(lines))


FILES = []


def file(name, about):
    FILES.append(File(name, about))
    return FILES[-1]


def corners(t):
    n = bits(t)
    top = 1 << (n - 1)
    return [0, 1, 2, 5, top - 1, top, top + 1, (1 << n) - 1, (1 << n) - 5]


def pairs(t, more=()):
    c = corners(t)
    chosen = [(c[i], c[j]) for i, j in ((0, 0), (1, 0), (0, 1), (4, 1), (5, 7), (7, 7), (5, 5), (7, 1), (3, 2), (8, 2), (3, 8),
                                        (8, 8), (6, 4), (4, 5), (5, 1))]
    return chosen + list(more)


# Floats: exact rational arithmetic, rounded by hand.
FORMATS = {"f16": (10, 5), "bf16": (7, 8), "f32": (23, 8), "f64": (52, 11)}


def decode(x, t):
    """'nan', ('inf', sign) or (Fraction, sign)."""
    m, e = FORMATS[t]
    sign, exp, man = x >> (m + e) & 1, x >> m & ((1 << e) - 1), x & ((1 << m) - 1)
    bias = (1 << (e - 1)) - 1
    if exp == (1 << e) - 1: return "nan" if man else ("inf", sign)
    v = Fraction(man, 1 << m) * Fraction(2) ** (1 - bias) if exp == 0 else (1 + Fraction(man, 1 << m)) * Fraction(2) ** (exp - bias)
    return (-v if sign else v, sign)


def encode(v, t, rounding="rn", zeroSign=0):
    """Rounds an exact number to a format."""
    m, e = FORMATS[t]
    bias = (1 << (e - 1)) - 1
    if v == 0: return zeroSign << (m + e)
    sign, a = (1, -v) if v < 0 else (0, v)
    exp = a.numerator.bit_length() - a.denominator.bit_length()
    while Fraction(2) ** exp > a: exp -= 1
    while Fraction(2) ** (exp + 1) <= a: exp += 1
    exp = max(exp, 1 - bias)
    scaled = a / Fraction(2) ** (exp - m)
    whole, rest = scaled.numerator // scaled.denominator, scaled - scaled.numerator // scaled.denominator
    away = (rounding == "rp" and not sign) or (rounding == "rm" and sign)
    if rest and (away or (rounding == "rn" and (rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole & 1)))): whole += 1
    if whole == 2 << m: whole, exp = whole >> 1, exp + 1
    if exp > bias:
        infinite = rounding == "rn" or away
        return (sign << (m + e)) | ((((1 << e) - 1) << m) if infinite else (((1 << e) - 1) << m) - 1)
    biased = 0 if whole < 1 << m else exp + bias
    return (sign << (m + e)) | (biased << m) | (whole & ((1 << m) - 1))


def inf(t, sign=0): m, e = FORMATS[t]; return (sign << (m + e)) | (((1 << e) - 1) << m)
def f32(x): return struct.unpack("<I", struct.pack("<f", x))[0]
def f64(x): return struct.unpack("<Q", struct.pack("<d", x))[0]


def flush(x, t):
    m, e = FORMATS[t]
    return x & (1 << (m + e)) if (x >> m) & ((1 << e) - 1) == 0 else x


def saturate(x, t):
    if x == "nan": return 0
    d = decode(x, t)
    one = encode(Fraction(1), t)
    if d[0] == "inf": return 0 if d[1] else one
    return 0 if d[0] <= 0 else min(x, one)


def exactBinary(op, a, b):
    """a op b on decoded numbers, for add and mul: (value, sign of a zero) or 'nan' or ('inf', sign)."""
    if a == "nan" or b == "nan": return "nan"
    if op == "mul":
        sign = a[1] ^ b[1]
        if a[0] == "inf" or b[0] == "inf": return "nan" if 0 in (a[0], b[0]) else ("inf", sign)
        return (a[0] * b[0], sign)
    if a[0] == "inf" or b[0] == "inf":
        if a[0] == "inf" and b[0] == "inf" and a[1] != b[1]: return "nan"
        return a if a[0] == "inf" else b
    return (a[0] + b[0], a[1] & b[1] if a[0] + b[0] == 0 and a[0] == 0 else 0)


def rounded(x, t, rounding="rn", ftz=False, sat=False):
    if x == "nan": r = "nan"
    elif x[0] == "inf": r = inf(t, x[1])
    else:
        zero = x[1]
        r = encode(x[0], t, rounding, zero)
    if ftz and r != "nan": r = flush(r, t)
    return saturate(r, t) if sat else r


def floatOp(op, t, rounding="rn", ftz=False, sat=False):
    def f(*args):
        x = [decode(flush(a, t) if ftz else a, t) for a in args]
        if op == "sub" and x[1] != "nan": x[1] = (x[1][0] if x[1][0] == "inf" else -x[1][0], 1 - x[1][1])
        if op == "fma": e = exactBinary("add", exactBinary("mul", x[0], x[1]), x[2])
        else: e = exactBinary("add" if op in ("add", "sub") else "mul", *x)
        if e != "nan" and e[0] == 0 and op != "mul" and rounding == "rm":
            e = (e[0], 1 if e[1] or not bothPlusZero(op, x) else 0)
        return rounded(e, t, rounding, ftz, sat)
    return f


def bothPlusZero(op, x):
    terms = x if op != "fma" else [exactBinary("mul", x[0], x[1]), x[2]]
    return all(v[0] == 0 and v[1] == 0 for v in terms)


def lows(t):
    """Numbers of a format: ordinary, tiny, huge, special."""
    m, e = FORMATS[t]
    return {"one": encode(Fraction(1), t), "third": encode(Fraction(1, 3), t), "minus": encode(Fraction(-5, 2), t),
            "big": inf(t) - 1, "tiny": 1, "subnormal": (1 << m) - 1, "least": 1 << m, "inf": inf(t), "ninf": inf(t, 1),
            "nan": inf(t) | (1 << (m - 1)), "zero": 0, "nzero": 1 << (m + e), "ulp": encode(1 + Fraction(1, 1 << m), t)}


exec(open(os.path.join(HERE, "opcode_cases.py")).read())

for one in FILES:
    one.write()
