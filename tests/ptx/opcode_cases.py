# SPDX-License-Identifier: Apache-2.0
# The cases themselves, read by make_cases.py. One section an opcode, in the order of the PTX ISA.
INTS = ("u16", "s16", "u32", "s32", "u64", "s64")

for name, fn in (("add", lambda a, b: a + b), ("sub", lambda a, b: a - b)):
    f = file(name, "%s of integers wraps; .sat clamps to the range of s32." % name)
    for t in INTS:
        f.op("%s.%s {d}, {0}, {1};" % (name, t), (t, t), t, pairs(t), lambda a, b, fn=fn: fn(a, b))
    f.op("%s.sat.s32 {d}, {0}, {1};" % name, ("s32", "s32"), "s32", pairs("s32"),
         lambda a, b, fn=fn: max(-2**31, min(2**31 - 1, fn(signed(a, 32), signed(b, 32)))))
    f.op("%s.s32 {d}, {0}, -7;" % name, ("s32",), "s32", [(x,) for x in corners("s32")], lambda a, fn=fn: fn(a, -7))
    f.op("%s.s64 {d}, {0}, -7;" % name, ("s64",), "s64", [(x,) for x in corners("s64")], lambda a, fn=fn: fn(a, -7))

f = file("mul", "mul.lo and .hi give the halves of the product, .wide all of it.")
for t in INTS:
    f.op("mul.lo.%s {d}, {0}, {1};" % t, (t, t), t, pairs(t), lambda a, b: a * b)
    f.op("mul.hi.%s {d}, {0}, {1};" % t, (t, t), t, pairs(t), lambda a, b, t=t: (value(a, t) * value(b, t)) >> bits(t))
for t, w in (("u16", "u32"), ("s16", "s32"), ("u32", "u64"), ("s32", "s64")):
    f.op("mul.wide.%s {d}, {0}, {1};" % t, (t, t), w, pairs(t), lambda a, b, t=t: value(a, t) * value(b, t))

f = file("mad", "mad adds to a half of the product or to all of it; .hi.sat.s32 clamps the sum.")
for t in INTS:
    rows = [(a, b, c) for (a, b), c in zip(pairs(t), corners(t) * 2)]
    f.op("mad.lo.%s {d}, {0}, {1}, {2};" % t, (t, t, t), t, rows, lambda a, b, c: a * b + c)
    f.op("mad.hi.%s {d}, {0}, {1}, {2};" % t, (t, t, t), t, rows, lambda a, b, c, t=t: ((value(a, t) * value(b, t)) >> bits(t)) + c)
for t, w in (("u16", "u32"), ("s16", "s32"), ("u32", "u64"), ("s32", "s64")):
    rows = [(a, b, c) for (a, b), c in zip(pairs(t), corners(w) * 2)]
    f.op("mad.wide.%s {d}, {0}, {1}, {2};" % t, (t, t, w), w, rows, lambda a, b, c, t=t: value(a, t) * value(b, t) + c)
rows = [(a, b, c) for (a, b), c in zip(pairs("s32"), corners("s32") * 2)] + [(2**31 - 1, 2**31 - 1, 2**31 - 1), (2**31, 2**31 - 1, 2**31)]
f.op("mad.hi.sat.s32 {d}, {0}, {1}, {2};", ("s32",) * 3, "s32", rows, lambda a, b, c: max(-2**31, min(2**31 - 1,
     (signed(a, 32) * signed(b, 32) >> 32) + signed(c, 32))))

f = file("mul24", "mul24 and mad24 use the low 24 bits, sign-extended for s32.")
rows = [(0x00ffffff, 0x00ffffff), (0x00800000, 2), (0x7fffff, 0x7fffff), (0xff800000, 0xffffffff), (0x01000003, 5), (0x800001, 0x800001), (0, 9), (3, 0xabcdef)]
v24 = lambda x, t: signed(x, 24) if t == "s32" else trunc(x, 24)
for t in ("u32", "s32"):
    f.op("mul24.lo.%s {d}, {0}, {1};" % t, (t, t), t, rows, lambda a, b, t=t: v24(a, t) * v24(b, t))
    f.op("mul24.hi.%s {d}, {0}, {1};" % t, (t, t), t, rows, lambda a, b, t=t: (v24(a, t) * v24(b, t)) >> 16)
    f.op("mad24.lo.%s {d}, {0}, {1}, 100;" % t, (t, t), t, rows, lambda a, b, t=t: v24(a, t) * v24(b, t) + 100)
    f.op("mad24.hi.%s {d}, {0}, {1}, 100;" % t, (t, t), t, rows, lambda a, b, t=t: ((v24(a, t) * v24(b, t)) >> 16) + 100)
f.op("mad24.hi.sat.s32 {d}, {0}, {1}, 0x7ffffff0;", ("s32",) * 2, "s32", rows, lambda a, b: max(-2**31, min(2**31 - 1,
     (v24(a, "s32") * v24(b, "s32") >> 16) + 0x7ffffff0)))

f = file("carry", "add.cc, addc, sub.cc, subc, mad.cc and madc hand on a carry or borrow a lane.")
for n, t in ((32, "u32"), (64, "u64")):
    top = (1 << n) - 1
    rows = [(0, 0, 0, 0), (top, 1, 0, 0), (top, 1, top, 0), (top, top, top, top), (1, 2, 3, 4), (top, 0, 5, 6), (1 << (n - 1), 1 << (n - 1), 7, 8), (0, 1, 0, 0), (5, 5, 0, 1)]
    f.op("add.cc.%s {d}, {0}, {1}; addc.%s {d}, {2}, {3};" % (t, t), (t,) * 4, t, rows, lambda a, b, c, e, n=n: c + e + ((a + b) >> n))
    f.op("add.cc.%s {d}, {0}, {1}; addc.cc.%s {d}, {2}, {3}; addc.%s {d}, 0, 0;" % (t, t, t), (t,) * 4, t, rows, lambda a, b, c, e, n=n: (c + e + ((a + b) >> n)) >> n)
    f.op("sub.cc.%s {d}, {0}, {1}; subc.%s {d}, {2}, {3};" % (t, t), (t,) * 4, t, rows, lambda a, b, c, e: c - e - (1 if a < b else 0))
    f.op("sub.cc.%s {d}, {0}, {1}; subc.cc.%s {d}, {2}, {3}; subc.%s {d}, 0, 0;" % (t, t, t), (t,) * 4, t, rows, lambda a, b, c, e: -(1 if c < e + (1 if a < b else 0) else 0))
    f.op("mad.lo.cc.%s {d}, {0}, {1}, {2}; madc.hi.%s {d}, {0}, {1}, {3};" % (t, t), (t,) * 4, t, rows, lambda a, b, c, e, n=n: ((a * b) >> n) + e + (((a * b) % (1 << n) + c) >> n))
    f.op("mad.hi.cc.%s {d}, {0}, {1}, {2}; madc.lo.cc.%s {d}, {0}, {1}, {3}; addc.%s {d}, 0, 0;" % (t, t, t), (t,) * 4, t, rows,
         lambda a, b, c, e, n=n: ((a * b) % (1 << n) + e + ((((a * b) >> n) + c) >> n)) >> n)

f = file("sad", "sad adds the absolute difference.")
for t in INTS:
    f.op("sad.%s {d}, {0}, {1}, {2};" % t, (t, t, t), t, [(a, b, c) for (a, b), c in zip(pairs(t), corners(t) * 2)], lambda a, b, c, t=t: c + abs(value(a, t) - value(b, t)))

cdiv = lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
f = file("divrem", "div truncates towards zero, rem takes the sign of the dividend.")
for t in INTS:
    rows = [(a, b) for a, b in pairs(t) + [(7, 2), (-7, 2), (7, -2), (-7, -2), (1 << (bits(t) - 1), 3)] if trunc(b, bits(t))]
    rows = [(a, b) for a, b in rows if not (t[0] == "s" and signed(a, bits(t)) == -(1 << (bits(t) - 1)) and signed(b, bits(t)) == -1)]
    f.op("div.%s {d}, {0}, {1};" % t, (t, t), t, rows, lambda a, b, t=t: cdiv(value(a, t), value(b, t)))
    f.op("rem.%s {d}, {0}, {1};" % t, (t, t), t, rows, lambda a, b, t=t: value(a, t) - value(b, t) * cdiv(value(a, t), value(b, t)))

f = file("absneg", "abs and neg of the smallest number give it back.")
for t in ("s16", "s32", "s64"):
    f.op("abs.%s {d}, {0};" % t, (t,), t, [(x,) for x in corners(t)], lambda a, t=t: abs(value(a, t)))
    f.op("neg.%s {d}, {0};" % t, (t,), t, [(x,) for x in corners(t)], lambda a: -a)

f = file("minmax", "min and max compare with or without sign.")
for t in INTS:
    f.op("min.%s {d}, {0}, {1};" % t, (t, t), t, pairs(t), lambda a, b, t=t: min(value(a, t), value(b, t)))
    f.op("max.%s {d}, {0}, {1};" % t, (t, t), t, pairs(t), lambda a, b, t=t: max(value(a, t), value(b, t)))

f = file("count", "popc, clz, bfind and brev; where bfind finds nothing it gives all ones.")
for t in ("b32", "b64"):
    rows = [(x,) for x in corners(t) + [0x0ff0, 1 << (bits(t) - 2), 0x10, 0xdeadbeef]]
    f.op("popc.%s {d}, {0};" % t, (t,), "b32", rows, lambda a, t=t: bin(trunc(a, bits(t))).count("1"))
    f.op("clz.%s {d}, {0};" % t, (t,), "b32", rows, lambda a, t=t: bits(t) - trunc(a, bits(t)).bit_length())
    f.op("brev.%s {d}, {0};" % t, (t,), t, rows, lambda a, t=t: int(format(trunc(a, bits(t)), "0%db" % bits(t))[::-1], 2))


def bfind(a, t, shift):
    n = bits(t)
    x = value(a, t)
    if x < 0: x = ~x
    if x == 0: return 0xffffffff
    at = x.bit_length() - 1
    return n - 1 - at if shift else at


for t in ("u32", "s32", "u64", "s64"):
    rows = [(x,) for x in corners(t) + [0x0ff0, 1 << (bits(t) - 2), 0x10]]
    f.op("bfind.%s {d}, {0};" % t, (t,), "b32", rows, lambda a, t=t: bfind(a, t, False))
    f.op("bfind.shiftamt.%s {d}, {0};" % t, (t,), "b32", rows, lambda a, t=t: bfind(a, t, True))


def fieldNumber(x, t): return x & 0xff if bits(t) == 32 else min(x, 255)  # as an H200 has them beyond 255


def bfe(a, b, c, t):
    msb, pos, length = bits(t) - 1, fieldNumber(b, t), fieldNumber(c, t)
    sign = 0 if t[0] == "u" or length == 0 else (a >> min(pos + length - 1, msb)) & 1
    out = 0
    for i in range(msb + 1):
        out |= ((a >> (pos + i)) & 1 if i < length and pos + i <= msb else sign) << i
    return out


f = file("bfe", "bfe: position and length of 32 bits' fields count in their low 8 bits; beyond the top the sign fills up.")
FIELDS = [(0, 0), (0, 8), (4, 8), (24, 8), (28, 8), (31, 1), (31, 5), (32, 4), (40, 3), (0, 32), (0, 33), (0, 64), (60, 4), (63, 1),
          (64, 1), (255, 255), (0, 255), (256, 4), (8, 0x104), (12, 20), (33, 20)]
for t in ("u32", "s32", "u64", "s64"):
    a = 0xfedcba98a5c3e187 >> (64 - bits(t))
    f.op("bfe.%s {d}, {0}, {1}, {2};" % t, (t, "u32", "u32"), t, [(a, p, n) for p, n in FIELDS], lambda a, b, c, t=t: bfe(a, b, c, t))


def bfi(a, b, c, d, t):
    msb, pos, length = bits(t) - 1, fieldNumber(c, t), fieldNumber(d, t)
    out = b
    for i in range(length):
        if pos + i > msb: break
        out = out & ~(1 << (pos + i)) | (((a >> i) & 1 if i <= msb else 0) << (pos + i))
    return out


f = file("bfi", "bfi inserts as many bits as fit.")
for t in ("b32", "b64"):
    f.op("bfi.%s {d}, {0}, {1}, {2}, {3};" % t, (t, t, "u32", "u32"), t, [(0x9a5ac3e187654321 >> (64 - bits(t)), 0xffff0000f0f01234 >> (64 - bits(t)), p, n)
         for p, n in FIELDS], lambda a, b, c, d, t=t: bfi(a, b, c, d, t))


def fns(mask, base, offset):
    offset = signed(offset, 32)
    if offset == 0: return base if mask >> base & 1 else 0xffffffff
    pos, count, step = base, abs(offset) - 1, 1 if offset > 0 else -1
    while 0 <= pos < 32:
        if mask >> pos & 1:
            if count == 0: return pos
            count -= 1
        pos += step
    return 0xffffffff


f = file("fns", "fns finds the n-th set bit from a base on, upwards or downwards.")
f.op("fns.b32 {d}, {0}, {1}, {2};", ("b32", "u32", "s32"), "b32", [(m, b, o) for m in (0x80000001, 0x0ff0, 0, 0xffffffff)
     for b, o in ((0, 0), (4, 0), (0, 1), (0, 3), (31, -1), (11, -8), (5, 40))], fns)
f.op("fns.b32 {d}, {0}, 31, {1};", ("b32", "s32"), "b32", [(0xffffffff, 1 - 2**31), (0xffffffff, 2**31 - 1), (0xffffffff, -32), (0xffffffff, -33)], lambda m, o: fns(m, 31, o))


def dot(a, b, c, ta, tb, widths, offset=0):
    wa, wb, n = widths
    part = lambda x, i, w, t: signed(x >> (i * w), w) if t[0] == "s" else trunc(x >> (i * w), w)
    return c + sum(part(a, i, wa, ta) * part(b, i + offset, wb, tb) for i in range(n))


f = file("packed", "Two halves or four bytes of a register, each for itself: add, min, max, with .relu no less than zero, and vabsdiff, also added up.")
rows = list(zip(WORDS := [0, 0x00010002, 0xffff0003, 0x80007fff, 0x7fff8000, 0x01ff0280, 0xfff0000f], WORDS[3:] + WORDS[:3], WORDS[5:] + WORDS[:5]))
def packed(of, a, b, width=16):
    return sum(trunc(of(trunc(a >> at, width), trunc(b >> at, width)), width) << at for at in range(0, 32, width))
distance = lambda a, b: abs(a - b)
for name, fn in (("add", lambda a, b: a + b), ("min", min), ("max", max)):
    f.op("%s.u16x2 {d}, {0}, {1};" % name, ("b32",) * 2, "b32", [r[:2] for r in rows], lambda a, b, fn=fn: packed(fn, a, b))
    f.op("%s.s16x2 {d}, {0}, {1};" % name, ("b32",) * 2, "b32", [r[:2] for r in rows], lambda a, b, fn=fn: packed(lambda x, y: fn(signed(x, 16), signed(y, 16)), a, b))
for name, fn in (("min", min), ("max", max)):
    f.op("%s.s16x2.relu {d}, {0}, {1};" % name, ("b32",) * 2, "b32", [r[:2] for r in rows], lambda a, b, fn=fn: packed(lambda x, y: max(0, fn(signed(x, 16), signed(y, 16))), a, b))
    f.op("%s.s32.relu {d}, {0}, {1};" % name, ("b32",) * 2, "b32", [r[:2] for r in rows], lambda a, b, fn=fn: max(0, fn(signed(a, 32), signed(b, 32))))
for name, width in (("vabsdiff4", 8), ("vabsdiff2", 16)):
    f.op("%s.u32.u32.u32 {d}, {0}, {1}, {2};" % name, ("b32",) * 3, "b32", rows, lambda a, b, c, width=width: packed(distance, a, b, width))
    f.op("%s.u32.u32.u32.add {d}, {0}, {1}, {2};" % name, ("b32",) * 3, "b32", rows, lambda a, b, c, width=width: c + sum(distance(trunc(a >> at, width), trunc(b >> at, width)) for at in range(0, 32, width)))

f = file("dot", "dp4a and dp2a multiply bytes, with or without sign on each side, and wrap.")
rows = [(0x01020304, 0x05060708, 10), (0xff80ff80, 0x7f7f8080, 0), (0xffffffff, 0xffffffff, 0xffffffff), (0x80808080, 0x80808080, 0x7fffffff), (0, 0x12345678, 5),
        (0x8000ffff, 0x80ff7f01, 1)]
for ta in ("u32", "s32"):
    for tb in ("u32", "s32"):
        f.op("dp4a.%s.%s {d}, {0}, {1}, {2};" % (ta, tb), ("b32",) * 3, "b32", rows, lambda a, b, c, ta=ta, tb=tb: dot(a, b, c, ta, tb, (8, 8, 4)))
        f.op("dp2a.lo.%s.%s {d}, {0}, {1}, {2};" % (ta, tb), ("b32",) * 3, "b32", rows, lambda a, b, c, ta=ta, tb=tb: dot(a, b, c, ta, tb, (16, 8, 2)))
        f.op("dp2a.hi.%s.%s {d}, {0}, {1}, {2};" % (ta, tb), ("b32",) * 3, "b32", rows, lambda a, b, c, ta=ta, tb=tb: dot(a, b, c, ta, tb, (16, 8, 2), 2))


def szext(a, b, clamp, sign):
    if clamp and b >= 32: return a
    n = b & 31
    if n == 0: return 0
    return signed(a, n) if sign else trunc(a, n)


def bmsk(a, b, clamp):
    if clamp:
        a, b = min(a, 32), min(b, 32)
    else:
        a, b = a & 31, b & 31
    return sum(1 << i for i in range(a, min(a + b, 32)))


f = file("bitmask", "szext extends from any width, bmsk makes a run of ones; .clamp and .wrap differ from 32 on.")
rows = [(0xdeadbeef, n) for n in (0, 1, 4, 8, 16, 31, 32, 33, 40, 0xffffffff)]
marks = [(0, 0), (0, 32), (4, 8), (28, 8), (31, 1), (32, 4), (33, 4), (3, 33), (0, 64), (0xffffffff, 3), (5, 0xffffffff)]
for mode in ("clamp", "wrap"):
    for t in ("u32", "s32"):
        f.op("szext.%s.%s {d}, {0}, {1};" % (mode, t), (t, "u32"), t, rows, lambda a, b, mode=mode, t=t: szext(a, b, mode == "clamp", t == "s32"))
    f.op("bmsk.%s.b32 {d}, {0}, {1};" % mode, ("u32", "u32"), "b32", marks, lambda a, b, mode=mode: bmsk(a, b, mode == "clamp"))

# --- floating point
for t, name in (("f32", "f32"), ("f64", "f64"), ("f16", "f16"), ("bf16", "bf16")):
    n = lows(t)
    names = [("one", "third"), ("third", "minus"), ("big", "big"), ("big", "one"), ("tiny", "tiny"), ("tiny", "subnormal"), ("least", "third"), ("one", "tiny"),
             ("inf", "ninf"), ("inf", "one"), ("nan", "one"), ("zero", "inf"), ("nzero", "zero"), ("nzero", "nzero"), ("minus", "minus"), ("ulp", "ulp"), ("ulp", "third"),
             ("one", "one"), ("subnormal", "minus")]
    two = [(n[a], n[b]) for a, b in names]
    three = [(n[a], n[b], n[c]) for (a, b), c in zip(names, ["tiny", "one", "ninf", "third", "nzero", "least", "minus", "big", "zero", "ninf", "inf", "one", "zero", "nzero",
                                                            "minus", "one", "third", "minus", "subnormal"])] + [(n["ulp"], n["ulp"], n["minus"]), (n["big"], n["ulp"], n["ninf"])]
    f = file("float-" + name, "Arithmetic of %s: every rounding once, subnormals kept or flushed, saturation." % name)
    half = t in ("f16", "bf16")
    for op in ("add", "sub", "mul"):
        for r in (("rn",) if half else ("rn", "rz", "rm", "rp")):
            f.op("%s.%s.%s {d}, {0}, {1};" % (op, r, t), (t, t), t, two, floatOp(op, t, r))
        if t in ("f32", "f16"):
            f.op("%s.ftz.%s {d}, {0}, {1};" % (op, t), (t, t), t, two, floatOp(op, t, ftz=True))
            f.op("%s.sat.%s {d}, {0}, {1};" % (op, t), (t, t), t, two, floatOp(op, t, sat=True))
    for r in (("rn",) if half else ("rn", "rz", "rm", "rp")):
        f.op("fma.%s.%s {d}, {0}, {1}, {2};" % (r, t), (t, t, t), t, three, floatOp("fma", t, r))
    if t == "f32":
        f.op("mad.rn.f32 {d}, {0}, {1}, {2};", (t, t, t), t, three, floatOp("fma", t))
        f.op("fma.rn.ftz.sat.f32 {d}, {0}, {1}, {2};", (t, t, t), t, three, floatOp("fma", t, ftz=True, sat=True))
    if t == "f16":
        f.op("fma.rn.ftz.f16 {d}, {0}, {1}, {2};", (t, t, t), t, three, floatOp("fma", t, ftz=True))
        f.op("fma.rn.sat.f16 {d}, {0}, {1}, {2};", (t, t, t), t, three, floatOp("fma", t, sat=True))

    def extreme(a, b, big, nan, t=t):
        x, y = decode(a, t), decode(b, t)
        if x == "nan" or y == "nan":
            if nan or (x == "nan" and y == "nan"): return "nan"
            return b if x == "nan" else a
        key = lambda v: (Fraction(10)**400 * (-1 if v[1] else 1) if v[0] == "inf" else v[0], -v[1])
        return (a if key(x) >= key(y) else b) if big else (a if key(x) <= key(y) else b)
    f = file("float-minmax-" + name, "min and max of %s: a number beats NaN unless .NaN is given, and -0 is below +0." % name)
    more = two + [(n["one"], n["nan"]), (n["nan"], n["nan"]), (n["zero"], n["nzero"])]
    f.op("min.%s {d}, {0}, {1};" % t, (t, t), t, more, lambda a, b, e=extreme: e(a, b, False, False))
    f.op("max.%s {d}, {0}, {1};" % t, (t, t), t, more, lambda a, b, e=extreme: e(a, b, True, False))
    if t != "f64":
        f.op("min.NaN.%s {d}, {0}, {1};" % t, (t, t), t, more, lambda a, b, e=extreme: e(a, b, False, True))
        f.op("max.NaN.%s {d}, {0}, {1};" % t, (t, t), t, more, lambda a, b, e=extreme: e(a, b, True, True))
    one = [(x,) for k, x in n.items() if k != "nan"]
    top = 1 << (bits(t) - 1)
    f.op("neg.%s {d}, {0};" % t, (t,), t, one, lambda a, top=top: a ^ top)
    f.op("abs.%s {d}, {0};" % t, (t,), t, one, lambda a, top=top: a & ~top)

for t in ("f16x2", "bf16x2"):
    s = t[:-2]
    n = lows(s)
    one = lambda fn, s=s: (lambda *args: fn(*[a & 0xffff for a in args]) | fn(*[a >> 16 for a in args]) << 16)
    rows = [(n[a] | n[b] << 16, n[c] | n[d] << 16, n[e] | n[g] << 16) for a, b, c, d, e, g in
            (("one", "third", "minus", "ulp", "one", "third"), ("tiny", "big", "subnormal", "third", "zero", "minus"), ("ulp", "inf", "ulp", "one", "minus", "inf"), ("minus", "zero", "nzero", "nzero", "one", "tiny"))]
    f = file("float-" + t, "Both halves of %s are computed on their own." % t)
    for op in ("add", "sub", "mul"):
        f.op("%s.%s {d}, {0}, {1};" % (op, t), (t, t), t, [r[:2] for r in rows], one(floatOp(op, s)))
    f.op("fma.rn.%s {d}, {0}, {1}, {2};" % t, (t,) * 3, t, rows, one(floatOp("fma", s)))
    zeroed = lambda fn, s=s: (lambda *args: 0x7fff if fn(*args) == "nan" else 0 if fn(*args) >> (bits(s) - 1) else fn(*args))
    f.op("fma.rn.relu.%s {d}, {0}, {1}, {2};" % t, (t,) * 3, t, rows, one(zeroed(floatOp("fma", s))))
    f.op("neg.%s {d}, {0};" % t, (t,), t, [r[:1] for r in rows], lambda a: a ^ 0x80008000)
    f.op("abs.%s {d}, {0};" % t, (t,), t, [r[:1] for r in rows], lambda a: a & 0x7fff7fff)


def divided(t, rounding, ftz=False):
    def fn(a, b):
        x, y = decode(flush(a, t) if ftz else a, t), decode(flush(b, t) if ftz else b, t)
        if x == "nan" or y == "nan": return "nan"
        sign = x[1] ^ y[1]
        if x[0] == "inf": return "nan" if y[0] == "inf" else inf(t, sign)
        if y[0] == "inf": return encode(Fraction(0), t, zeroSign=sign)
        if y[0] == 0: return "nan" if x[0] == 0 else inf(t, sign)
        r = encode(x[0] / y[0], t, rounding, sign)
        return flush(r, t) if ftz else r
    return fn


def rooted(t, rounding):
    m = FORMATS[t][0]

    def fn(a):
        x = decode(a, t)
        if x == "nan" or (x[1] and x[0] != 0): return "nan"
        if x[0] in ("inf", 0): return a
        # more digits than any rounding can see, then a sticky bit
        k = 4 * m + 200 + x[0].denominator.bit_length()
        k += k & 1
        scaled = x[0] * (1 << k)
        root = math.isqrt(scaled.numerator // scaled.denominator)
        exact = scaled.denominator == 1 and root * root == scaled.numerator
        return encode(Fraction(2 * root + (0 if exact else 1), 2 << (k // 2)), t, rounding)
    return fn


f = file("float-divide", "div, rcp and sqrt round once, in every direction.")
for t in ("f32", "f64"):
    n = lows(t)
    two = [(n[a], n[b]) for a, b in (("one", "third"), ("one", "minus"), ("minus", "ulp"), ("big", "tiny"), ("tiny", "big"), ("one", "zero"), ("minus", "zero"), ("zero", "zero"),
                                     ("inf", "minus"), ("one", "ninf"), ("inf", "inf"), ("nan", "one"), ("nzero", "one"), ("subnormal", "ulp"), ("least", "minus"))]
    one = [(n[k],) for k in ("one", "third", "ulp", "big", "tiny", "subnormal", "least", "inf", "zero", "nzero", "minus", "ninf", "nan")]
    for r in ("rn", "rz", "rm", "rp"):
        f.op("div.%s.%s {d}, {0}, {1};" % (r, t), (t, t), t, two, divided(t, r))
        f.op("rcp.%s.%s {d}, {0};" % (r, t), (t,), t, one, lambda a, t=t, r=r: divided(t, r)(encode(Fraction(1), t), a))
        f.op("sqrt.%s.%s {d}, {0};" % (r, t), (t,), t, one, rooted(t, r))
f.op("div.rn.ftz.f32 {d}, {0}, {1};", ("f32", "f32"), "f32", [(lows("f32")[a], lows("f32")[b]) for a, b in (("least", "minus"), ("one", "tiny"), ("subnormal", "tiny"), ("one", "third"))], divided("f32", "rn", True))

f = file("float-properties", "copysign takes the sign of its first operand; testp classifies.")
for t in ("f32", "f64"):
    n = lows(t)
    top = 1 << (bits(t) - 1)
    f.op("copysign.%s {d}, {0}, {1};" % t, (t, t), t, [(n[a], n[b]) for a, b in (("one", "minus"), ("minus", "one"), ("nzero", "inf"), ("zero", "ninf"), ("ninf", "tiny"))],
         lambda a, b, top=top: b & ~top | a & top)
    one = [(x,) for x in n.values()]
    kind = lambda a, t=t: decode(a, t) if decode(a, t) == "nan" else "inf" if decode(a, t)[0] == "inf" else "zero" if decode(a, t)[0] == 0 else \
        "subnormal" if flush(a, t) & (2 * (1 << (bits(t) - 1)) - 1) & ~(1 << (bits(t) - 1)) == 0 else "normal"
    for test, kinds in (("finite", ("zero", "subnormal", "normal")), ("infinite", ("inf",)), ("number", ("zero", "subnormal", "normal", "inf")),
                        ("notanumber", ("nan",)), ("normal", ("normal", "zero")), ("subnormal", ("subnormal",))):
        f.op("testp.%s.%s {d}, {0};" % (test, t), (t,), "pred", one, lambda a, kinds=kinds, kind=kind: 1 if kind(a) in kinds else 0)

# --- comparison and selection
SIGNED = {"eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b, "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b}
f = file("setp", "setp of integers compares by sign for s, without for u and for lo, ls, hi, hs.")
for t in INTS:
    for name, fn in SIGNED.items():
        f.op("setp.%s.%s {d}, {0}, {1};" % (name, t), (t, t), "pred", pairs(t), lambda a, b, fn=fn, t=t: int(fn(value(a, t), value(b, t))))
for name, fn in (("lo", "lt"), ("ls", "le"), ("hi", "gt"), ("hs", "ge")):
    f.op("setp.%s.u32 {d}, {0}, {1};" % name, ("u32", "u32"), "pred", pairs("u32"), lambda a, b, fn=SIGNED[fn]: int(fn(a, b)))
for t in ("b16", "b32", "b64"):
    f.op("setp.eq.%s {d}, {0}, {1};" % t, (t, t), "pred", pairs(t), lambda a, b: int(a == b))


def compared(name, a, b, t):
    x, y = decode(a, t), decode(b, t)
    unordered = x == "nan" or y == "nan"
    if name in ("num", "nan"): return int(unordered == (name == "nan"))
    if unordered: return int(name.endswith("u") and name != "u")
    key = lambda v: Fraction(10)**400 * (-1 if v[1] else 1) if v[0] == "inf" else v[0]
    return int(SIGNED[name[:2]](key(x), key(y)))


for t in ("f32", "f64", "f16", "bf16"):
    n = lows(t)
    two = [(n[a], n[b]) for a, b in (("one", "third"), ("third", "one"), ("one", "one"), ("nan", "one"), ("one", "nan"), ("nan", "nan"), ("zero", "nzero"), ("ninf", "inf"), ("inf", "inf"), ("tiny", "zero"))]
    f = file("setp-" + t, "setp of %s: ordered comparisons with NaN are false, unordered ones true." % t)
    for name in ("eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"):
        f.op("setp.%s.%s {d}, {0}, {1};" % (name, t), (t, t), "pred", two, lambda a, b, name=name, t=t: compared(name, a, b, t))
    if t == "f32":
        f.op("setp.gt.ftz.f32 {d}, {0}, {1};", (t, t), "pred", two, lambda a, b: compared("gt", flush(a, "f32"), flush(b, "f32"), "f32"))

f = file("setp-combined", "setp and set combine with a predicate; setp's second result combines with the comparison's opposite.")
rows = [(a, b, p) for a, b in ((1, 2), (2, 1), (2, 2)) for p in (0, 1)]
BOOL = {"and": lambda x, y: x & y, "or": lambda x, y: x | y, "xor": lambda x, y: x ^ y}
for name, fn in BOOL.items():
    f.op("setp.lt.%s.u32 {d}|%%p8, {0}, {1}, {2};" % name, ("u32", "u32", "pred"), "pred", rows, lambda a, b, p, fn=fn: fn(int(a < b), p))
    f.op("setp.lt.%s.u32 %%p8|{d}, {0}, {1}, {2};" % name, ("u32", "u32", "pred"), "pred", rows, lambda a, b, p, fn=fn: fn(int(not a < b), p))
    f.op("setp.lt.%s.u32 {d}, {0}, {1}, !{2};" % name, ("u32", "u32", "pred"), "pred", rows, lambda a, b, p, fn=fn: fn(int(a < b), 1 - p))
    f.op("set.lt.%s.u32.u32 {d}, {0}, {1}, {2};" % name, ("u32", "u32", "pred"), "u32", rows, lambda a, b, p, fn=fn: 0xffffffff * fn(int(a < b), p))
f.op("setp.lt.u32 {d}|%p8, {0}, {1};", ("u32", "u32"), "pred", [r[:2] for r in rows], lambda a, b: int(a < b))
f.op("setp.lt.u32 %p8|{d}, {0}, {1};", ("u32", "u32"), "pred", [r[:2] for r in rows], lambda a, b: int(not a < b))

f = file("set", "set gives all ones or 1.0.")
for t in ("u32", "s32", "s64", "u16"):
    f.op("set.gt.u32.%s {d}, {0}, {1};" % t, (t, t), "u32", pairs(t), lambda a, b, t=t: 0xffffffff if value(a, t) > value(b, t) else 0)
    f.op("set.le.f32.%s {d}, {0}, {1};" % t, (t, t), "f32", pairs(t), lambda a, b, t=t: 0x3f800000 if value(a, t) <= value(b, t) else 0)
n = lows("f32")
rows = [(n["one"], n["third"]), (n["nan"], n["one"]), (n["third"], n["one"])]
f.op("set.geu.s32.f32 {d}, {0}, {1};", ("f32", "f32"), "s32", rows, lambda a, b: 0xffffffff * compared("geu", a, b, "f32"))
h = lows("f16")
f.op("set.ne.f16.f16 {d}, {0}, {1};", ("f16", "f16"), "f16", [(h["one"], h["third"]), (h["nan"], h["one"]), (h["one"], h["one"])], lambda a, b: 0x3c00 * compared("ne", a, b, "f16"))

f = file("select", "selp chooses by a predicate, slct by the sign of a number.")
for t in ("u16", "b32", "s64", "f32", "f64"):
    f.op("selp.%s {d}, {0}, {1}, {2};" % t, (t, t, "pred"), t, [(5, 9, 1), (5, 9, 0), (1 << (bits(t) - 1), 7, 1), (7, 1 << (bits(t) - 1), 0)], lambda a, b, p: a if p else b)
    f.op("selp.%s {d}, {0}, {1}, !{2};" % t, (t, t, "pred"), t, [(5, 9, 1), (5, 9, 0)], lambda a, b, p: b if p else a)
f.op("slct.b32.s32 {d}, {0}, {1}, {2};", ("b32", "b32", "s32"), "b32", [(5, 9, c) for c in (0, 1, -1, 2**31 - 1, 2**31)], lambda a, b, c: a if signed(c, 32) >= 0 else b)
f.op("slct.u64.f32 {d}, {0}, {1}, {2};", ("u64", "u64", "f32"), "u64", [(5, 9, c) for c in (n["zero"], n["nzero"], n["minus"], n["one"], n["nan"], 0x80000001)],
     lambda a, b, c: b if decode(c, "f32") == "nan" or decode(c, "f32")[0] < 0 else a)
f.op("slct.ftz.u64.f32 {d}, {0}, {1}, {2};", ("u64", "u64", "f32"), "u64", [(5, 9, c) for c in (0x80000001, n["minus"])], lambda a, b, c: a if flush(c, "f32") == 0x80000000 else b)

PAIRS = [("one", "third", "nan", "one"), ("one", "one", "third", "one"), ("nzero", "zero", "nan", "nan"), ("inf", "ninf", "minus", "third"), ("tiny", "zero", "zero", "tiny")]
f = file("set-pairs", "set and setp of f16x2 and bf16x2 compare each half for itself; setp's second predicate is the upper half's.")
for t, yes in (("f16", 0x3c00), ("bf16", 0x3f80)):
    n = lows(t)
    rows = [(n[a] | n[b] << 16, n[c] | n[d] << 16) for a, c, b, d in PAIRS]
    for name in ("eq", "ne", "lt", "geu", "nan"):
        both = lambda a, b, yes, name=name, t=t: yes * compared(name, a & 0xffff, b & 0xffff, t) | yes * compared(name, a >> 16, b >> 16, t) << 16
        f.op("set.%s.%sx2.%sx2 {d}, {0}, {1};" % (name, t, t), (t + "x2",) * 2, "b32", rows, lambda a, b, both=both, yes=yes: both(a, b, yes))
        f.op("set.%s.u32.%sx2 {d}, {0}, {1};" % (name, t), (t + "x2",) * 2, "b32", rows, lambda a, b, both=both: both(a, b, 0xffff))
        f.op("setp.%s.%sx2 {d}|%%p8, {0}, {1};" % (name, t), (t + "x2",) * 2, "pred", rows, lambda a, b, name=name, t=t: compared(name, a & 0xffff, b & 0xffff, t))
        f.op("setp.%s.%sx2 %%p8|{d}, {0}, {1};" % (name, t), (t + "x2",) * 2, "pred", rows, lambda a, b, name=name, t=t: compared(name, a >> 16, b >> 16, t))
n = lows("f16")
f.op("set.gt.ftz.f16x2.f16x2 {d}, {0}, {1};", ("f16x2",) * 2, "b32", [(n["tiny"] | n["one"] << 16, 0)], lambda a, b: 0x3c000000)

# --- logic and shift
f = file("logic", "and, or, xor, not, cnot on bits and predicates.")
for name, fn in BOOL.items():
    for t in ("b16", "b32", "b64"):
        f.op("%s.%s {d}, {0}, {1};" % (name, t), (t, t), t, pairs(t), fn)
    f.op("%s.pred {d}, {0}, {1};" % name, ("pred", "pred"), "pred", [(0, 0), (0, 1), (1, 0), (1, 1)], fn)
for t in ("b16", "b32", "b64"):
    f.op("not.%s {d}, {0};" % t, (t,), t, [(x,) for x in corners(t)], lambda a: ~a)
    f.op("cnot.%s {d}, {0};" % t, (t,), t, [(x,) for x in corners(t)], lambda a: int(a == 0))
f.op("not.pred {d}, {0};", ("pred",), "pred", [(0,), (1,)], lambda a: 1 - a)
for table in (0x00, 0xff, 0xf0, 0xcc, 0xaa, 0x96, 0xe8, 0xca, 0x1b):
    f.op("lop3.b32 {d}, {0}, {1}, {2}, 0x%x;" % table, ("b32",) * 3, "b32", [(0xf0f0aaaa, 0xcc00ccff, 0xff00f0f1), (0, 0, 0), (-1, 0, -1)],
         lambda a, b, c, table=table: sum((table >> ((a >> i & 1) * 4 + (b >> i & 1) * 2 + (c >> i & 1)) & 1) << i for i in range(32)))

f = file("shift", "Shifts by the width or more give zero or the sign; amounts are 32 bits without sign.")
for t in ("b16", "b32", "b64"):
    f.op("shl.%s {d}, {0}, {1};" % t, (t, "u32"), t, [(0x8123456789abcdef >> (64 - bits(t)), s) for s in (0, 1, 7, 15, 16, 17, 31, 32, 33, 63, 64, 65, 256, 0xffffffff)],
         lambda a, b, t=t: a << b if b < bits(t) else 0)
for t in INTS + ("b32",):
    f.op("shr.%s {d}, {0}, {1};" % t, (t, "u32"), t, [(0x8123456789abcdef >> (64 - bits(t)), s) for s in (0, 1, 7, 15, 16, 17, 31, 32, 33, 63, 64, 65, 256, 0xffffffff)],
         lambda a, b, t=t: value(a, t) >> min(b, 64))
f.op("shl.b32 {d}, {0}, 3;", ("b32",), "b32", [(x,) for x in corners("b32")], lambda a: a << 3)
f.op("shr.s32 {d}, {0}, 3;", ("s32",), "s32", [(x,) for x in corners("s32")], lambda a: signed(a, 32) >> 3)


def shf(a, b, c, left, wrap):
    n = c & 31 if wrap else min(c, 32)
    return ((b << n) | (a >> (32 - n))) if left else ((b << (32 - n)) | (a >> n))


f = file("shf", "shf shifts 64 bits and keeps 32.")
for side in "lr":
    for mode in ("clamp", "wrap"):
        f.op("shf.%s.%s.b32 {d}, {0}, {1}, {2};" % (side, mode), ("b32", "b32", "u32"), "b32", [(0x89abcdef, 0x01234567, s) for s in (0, 1, 8, 31, 32, 33, 63, 64, 0xffffffff)],
             lambda a, b, c, side=side, mode=mode: shf(a, b, c, side == "l", mode == "wrap"))

# --- movement and conversion
PRMT = {"f4e": ((3, 2, 1, 0), (4, 3, 2, 1), (5, 4, 3, 2), (6, 5, 4, 3)), "b4e": ((5, 6, 7, 0), (6, 7, 0, 1), (7, 0, 1, 2), (0, 1, 2, 3)),
        "rc8": ((0,) * 4, (1,) * 4, (2,) * 4, (3,) * 4), "ecl": ((3, 2, 1, 0), (3, 2, 1, 1), (3, 2, 2, 2), (3,) * 4),
        "ecr": ((0,) * 4, (1, 1, 1, 0), (2, 2, 1, 0), (3, 2, 1, 0)), "rc16": ((1, 0, 1, 0), (3, 2, 3, 2), (1, 0, 1, 0), (3, 2, 3, 2))}


def picked(a, b, selectors):
    """Selectors from the most significant byte down; 8 and more replicate the byte's sign."""
    both, out = b << 32 | a, 0
    for s in selectors:
        byte = both >> 8 * (s & 7) & 0xff
        out = out << 8 | ((0xff if byte & 0x80 else 0) if s & 8 else byte)
    return out


f = file("prmt", "prmt picks bytes by selector, with the sign spread where bit 3 says so, or by mode.")
f.op("prmt.b32 {d}, {0}, {1}, {2};", ("b32", "b32", "b32"), "b32", [(0x83027100, 0x07f605a4, c) for c in (0x3210, 0x7654, 0x0000, 0xffff, 0x8888, 0x0123, 0xba98, 0xfedc, 0xabcd5410, 0x7531)],
     lambda a, b, c: picked(a, b, [c >> 12 & 15, c >> 8 & 15, c >> 4 & 15, c & 15]))
for mode, rows in PRMT.items():
    f.op("prmt.b32.%s {d}, {0}, {1}, {2};" % mode, ("b32", "b32", "b32"), "b32", [(0x83027100, 0x07f605a4, c) for c in (0, 1, 2, 3, 7)], lambda a, b, c, rows=rows: picked(a, b, rows[c & 3]))

f = file("mov", "mov copies, packs and unpacks, the least significant element first.")
f.op("mov.b32 {d}, {0};", ("b32",), "b32", [(x,) for x in corners("b32")], lambda a: a)
f.op("mov.b64 {d}, {{{0}, {1}}};", ("b32", "b32"), "b64", pairs("b32"), lambda a, b: b << 32 | a)
f.op("mov.b64 {{%r8, {d}}}, {0};", ("b64",), "b32", [(x,) for x in corners("b64")], lambda a: a >> 32)
f.op("mov.b64 {{{d}, _}}, {0};", ("b64",), "b32", [(x,) for x in corners("b64")], lambda a: a)
f.op("mov.b32 {d}, {{{0}, {1}}};", ("b16", "b16"), "b32", pairs("b16"), lambda a, b: b << 16 | a)
f.op("mov.b32 {{%h8, {d}}}, {0};", ("b32",), "b16", [(x,) for x in corners("b32")], lambda a: a >> 16)
f.op("mov.b64 {d}, {{{0}, {1}, {2}, {3}}};", ("b16",) * 4, "b64", [(1, 2, 3, 4), (0xffff, 0, 0x8000, 0x7fff)], lambda a, b, c, d: d << 48 | c << 32 | b << 16 | a)
f.op("mov.b64 {{%h6, %h7, {d}, %h8}}, {0};", ("b64",), "b16", [(0x4444333322221111,)], lambda a: a >> 32)
f.op("mov.b32 {d}, {0}; mov.b32 {d}, 0f40490FDB;", ("b32",), "b32", [(0,)], lambda a: 0x40490fdb)
f.op("mov.pred {d}, {0};", ("pred",), "pred", [(0,), (1,)], lambda a: a)
f.op("mov.b32 %r5, {0}; mov.b32 {d}, {1}; mov.b64 %d5, {{%r5, {d}}}; mov.b64 {{{d}, %r5}}, %d5;", ("b32", "b32"), "b32", [(3, 4)], lambda a, b: a)

f = file("cvt-integer", "cvt between integers extends by the source's sign, drops bits or saturates.")
for s in ("u8", "s8") + INTS:
    for d in ("u8", "s8") + INTS:
        wide = REG[max(WIDTH[d], 2)]
        rows = [(x,) for x in corners(s)]
        f.op("cvt.%s.%s {d}, {0};" % (d, s), (s,), d, rows, lambda a, s=s: value(a, s))
for s, d in (("s32", "u8"), ("s32", "s8"), ("u32", "s8"), ("s64", "s32"), ("s64", "u32"), ("u64", "s32"), ("s32", "u32"), ("u32", "s32"), ("s16", "u8"), ("s64", "u64"), ("u64", "s64")):
    low, high = (-(1 << (bits(d) - 1)), (1 << (bits(d) - 1)) - 1) if d[0] == "s" else (0, (1 << bits(d)) - 1)
    f.op("cvt.sat.%s.%s {d}, {0};" % (d, s), (s,), d, [(x,) for x in corners(s) + [127, 128, 255, 256]], lambda a, s=s, low=low, high=high: max(low, min(high, value(a, s))))
f.op("cvt.s32.s8 {d}, {0};", ("b32",), "b32", [(0x1234ff80,), (0x7f,)], lambda a: signed(a, 8))
f.op("cvt.u32.u16 {d}, {0};", ("b32",), "b32", [(0x1234ff80,), (0x7f,)], lambda a: a & 0xffff)


def toInteger(a, s, d, rounding):
    x = decode(a, s)
    n = bits(d)
    low, high = (-(1 << (n - 1)), (1 << (n - 1)) - 1) if d[0] == "s" else (0, (1 << n) - 1)
    if x == "nan": return 1 << (n - 1) if s == "f64" or n == 64 else 0
    if x[0] == "inf": return low if x[1] else high
    v = x[0]
    whole = {"rzi": int(v), "rmi": math.floor(v), "rpi": math.ceil(v), "rni": round(v)}[rounding]
    return max(low, min(high, whole))


FRACTIONS = [Fraction(k, 4) for k in (-11, -10, -9, -7, -6, -3, -2, -1, 1, 2, 3, 6, 7, 9, 10, 11)]
f = file("cvt-to-integer", "cvt to integers rounds as told, clamps to the range and knows what NaN becomes.")
for s in ("f32", "f64", "f16"):
    rows = [(encode(v, s),) for v in FRACTIONS] + [(lows(s)[k],) for k in ("nan", "inf", "ninf", "big", "nzero", "tiny")]
    if s != "f16": rows += [(encode(Fraction(v), s),) for v in (2**31, 2**31 - 128, -2**31, 2**32, 2**63, -2**63, 2**64, 300)]
    for d in ("s32", "u32", "s64", "u64", "s16", "u8"):
        f.op("cvt.rzi.%s.%s {d}, {0};" % (d, s), (s,), d, rows, lambda a, s=s, d=d: toInteger(a, s, d, "rzi"))
    for r in ("rni", "rmi", "rpi"):
        f.op("cvt.%s.s32.%s {d}, {0};" % (r, s), (s,), "s32", rows, lambda a, s=s, r=r: toInteger(a, s, "s32", r))
f.op("cvt.rpi.ftz.s32.f32 {d}, {0};", ("f32",), "s32", [(1,), (0x00800000,)], lambda a: toInteger(flush(a, "f32"), "f32", "s32", "rpi"))

f = file("cvt-from-integer", "cvt from integers rounds in every direction.")
for s in ("s32", "u32", "s64", "u64", "s16", "u8"):
    rows = [(x,) for x in corners(s) + [16777217, 16777219, 0x7fffff81, 33554431 * 2 + 1, 2049, 2051, 65519, 65520, 257, 259]]
    for d in ("f32", "f64", "f16") + (("bf16",) if s != "u8" else ()):
        for r in (("rn", "rz", "rm", "rp") if d in ("f32", "f64") else ("rn",)):
            f.op("cvt.%s.%s.%s {d}, {0};" % (r, d, s), (s,), d, rows, lambda a, s=s, d=d, r=r: encode(Fraction(value(a, s)), d, r))


def toFloat(a, s, d, rounding="rn", ftz=False, sat=False):
    x = decode(flush(a, s) if ftz and s == "f32" else a, s)
    r = rounded(x, d, rounding)
    if r != "nan" and ftz and d == "f32": r = flush(r, d)
    return saturate(r, d) if sat else r


def toWhole(a, t, rounding):
    x = decode(a, t)
    if x == "nan" or x[0] == "inf": return "nan" if x == "nan" else a
    v = x[0]
    whole = {"rzi": int(v), "rmi": math.floor(v), "rpi": math.ceil(v), "rni": round(v)}[rounding]
    return encode(Fraction(whole), t, "rn", x[1])


f = file("cvt-float", "cvt between floats rounds once, flushes, saturates, or rounds to whole numbers.")
for s, d in (("f64", "f32"), ("f32", "f16"), ("f64", "f16"), ("f32", "bf16")):
    base = [encode(v, s) for v in (Fraction(1, 3), Fraction(-1, 3), 1 + Fraction(1, 2**11), 1 + Fraction(3, 2**11), 1 + Fraction(1, 2**8), 1 + Fraction(1, 2**24), 1 + Fraction(3, 2**24),
                                   Fraction(65519), Fraction(65520), Fraction(1, 2**24), Fraction(1, 2**25), Fraction(3, 2**25), Fraction(-1, 2**26), Fraction(2**127) * 2 - 2**100)]
    rows = [(x,) for x in base + [lows(s)[k] for k in ("nan", "inf", "ninf", "nzero", "tiny", "big", "least")]]
    for r in (("rn", "rz", "rm", "rp") if d != "bf16" else ("rn", "rz")):
        f.op("cvt.%s.%s.%s {d}, {0};" % (r, d, s), (s,), d, rows, lambda a, s=s, d=d, r=r: toFloat(a, s, d, r))
    if d != "bf16":
        f.op("cvt.rn.sat.%s.%s {d}, {0};" % (d, s), (s,), d, rows, lambda a, s=s, d=d: toFloat(a, s, d, sat=True))
for s, d in (("f32", "f64"), ("f16", "f32"), ("bf16", "f32"), ("f16", "f64")):
    rows = [(x,) for x in lows(s).values()]
    f.op("cvt.%s.%s {d}, {0};" % (d, s), (s,), d, rows, lambda a, s=s, d=d: toFloat(a, s, d))
f.op("cvt.ftz.f64.f32 {d}, {0};", ("f32",), "f64", [(1,), (0x80000001,), (0x00800000,)], lambda a: toFloat(a, "f32", "f64", ftz=True))
f.op("cvt.rn.ftz.f32.f64 {d}, {0};", ("f64",), "f32", [(f64(1e-40),), (f64(-1e-40),), (f64(1.5),)], lambda a: toFloat(a, "f64", "f32", ftz=True))
for t in ("f32", "f64"):
    rows = [(encode(v, t),) for v in FRACTIONS] + [(lows(t)[k],) for k in ("nan", "inf", "nzero", "big", "tiny")]
    for r in ("rni", "rzi", "rmi", "rpi"):
        f.op("cvt.%s.%s.%s {d}, {0};" % (r, t, t), (t,), t, rows, lambda a, t=t, r=r: toWhole(a, t, r))
f.op("cvt.sat.f32.f32 {d}, {0};", ("f32",), "f32", [(x,) for x in lows("f32").values()], lambda a: saturate("nan" if decode(a, "f32") == "nan" else a, "f32"))
for d in ("f16", "bf16"):
    rows = [(f32(a), f32(b)) for a, b in ((1.0, 2.0), (1 / 3, -1 / 3), (70000.0, 1e-8), (-0.0, float("inf")))]
    f.op("cvt.rn.%sx2.f32 {d}, {0}, {1};" % d, ("f32", "f32"), d + "x2", rows, lambda a, b, d=d: toFloat(a, "f32", d) << 16 | toFloat(b, "f32", d))
for d in ("f16", "bf16"):
    rows = [(f32(a), f32(b)) for a, b in ((1.0, -2.0), (70000.0, -1e9), (-0.0, float("-inf")))] + [(lows("f32")["nan"], f32(0.25))]
    zeroed = lambda a, d=d: 0 if decode(a, "f32") != "nan" and decode(a, "f32")[1] else toFloat(a, "f32", d)
    f.op("cvt.rn.relu.%sx2.f32 {d}, {0}, {1};" % d, ("f32", "f32"), d + "x2", rows, lambda a, b, d=d, zeroed=zeroed: 0x7fff << 16 | zeroed(b) if zeroed(a) == "nan" else zeroed(a) << 16 | zeroed(b))
f.op("cvt.rn.satfinite.f16.f32 {d}, {0};", ("f32",), "f16", [(f32(70000.0),), (f32(float("-inf")),), (f32(1.5),)], lambda a: min(toFloat(a, "f32", "f16") & 0x7fff, 0x7bff) | a >> 16 & 0x8000)

# Floats of 8 bits: every magnitude of the format, the nearest one, of two the one whose last bit is 0.
TINY = {"e4m3": (3, 7, 0x7e), "e5m2": (2, 15, 0x7b)}


def tinyMagnitude(code, t):
    m, bias, _ = TINY[t]
    exp, man = code >> m, Fraction(code & ((1 << m) - 1), 1 << m)
    return man * Fraction(2) ** (1 - bias) if exp == 0 else (1 + man) * Fraction(2) ** (exp - bias)


def toTiny(a, s, t, relu=False):
    x, largest = decode(a, s), TINY[t][2]
    if x == "nan": return 0x7f
    if relu and x[1]: return 0
    if x[0] == "inf": return x[1] << 7 | largest
    return x[1] << 7 | min(range(largest + 1), key=lambda code: (abs(tinyMagnitude(code, t) - abs(x[0])), code & 1))


def fromTiny(code, t, relu=False):
    sign, magnitude = code >> 7, code & 0x7f
    if magnitude > TINY[t][2]: return sign << 15 | 0x7c00 if t == "e5m2" and magnitude == 0x7c and not (relu and sign) else 0 if t == "e5m2" and magnitude == 0x7c else 0x7fff
    if relu and sign: return 0
    return encode(tinyMagnitude(magnitude, t) * (-1 if sign else 1), "f16", "rn", sign)


f = file("cvt-tiny", "cvt to and from pairs of 8-bit floats rounds to nearest even; what is too large becomes the largest.")
for t in ("e4m3", "e5m2"):
    steps = [tinyMagnitude(code, t) for code in (0, 1, 2, 7, 8, 9, 0x30, 0x31, TINY[t][2])]
    between = [(a + b) / 2 for a, b in zip(steps, steps[1:])] + [steps[-1] * 2, steps[-1] * Fraction(33, 32), steps[1] / 4, Fraction(1, 3), Fraction(100)]
    singles = [encode(v, "f32") for v in steps + between] + [lows("f32")[k] for k in ("inf", "ninf", "nan", "nzero", "tiny", "minus")]
    rows = [(a, b ^ 0x80000000) for a, b in zip(singles, reversed(singles))]
    f.op("cvt.rn.satfinite.%sx2.f32 {d}, {0}, {1};" % t, ("f32", "f32"), "b16", rows, lambda a, b, t=t: toTiny(a, "f32", t) << 8 | toTiny(b, "f32", t))
    f.op("cvt.rn.satfinite.relu.%sx2.f32 {d}, {0}, {1};" % t, ("f32", "f32"), "b16", rows, lambda a, b, t=t: toTiny(a, "f32", t, True) << 8 | toTiny(b, "f32", t, True))
    halves = [encode(v, "f16") for v in steps + between] + [lows("f16")[k] for k in ("inf", "ninf", "nan", "nzero", "tiny", "minus")]
    rows = [(a << 16 | (b ^ 0x8000),) for a, b in zip(halves, reversed(halves))]
    f.op("cvt.rn.satfinite.%sx2.f16x2 {d}, {0};" % t, ("b32",), "b16", rows, lambda a, t=t: toTiny(a >> 16, "f16", t) << 8 | toTiny(a & 0xffff, "f16", t))
    rows = [(code << 8 | 0xff - code,) for code in (*range(0, 120, 7), 0x78, 0x7b, 0x7c, 0x7d, 0x7e, 0x7f, 0x80, 0xfc, 0xfe, 0xff)]
    f.op("cvt.rn.f16x2.%sx2 {d}, {0};" % t, ("b16",), "b32", rows, lambda a, t=t: fromTiny(a >> 8, t) << 16 | fromTiny(a & 0xff, t))
    f.op("cvt.rn.relu.f16x2.%sx2 {d}, {0};" % t, ("b16",), "b32", rows, lambda a, t=t: fromTiny(a >> 8, t, True) << 16 | fromTiny(a & 0xff, t, True))
