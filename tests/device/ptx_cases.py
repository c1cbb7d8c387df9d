#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the text cases of tests/ptx on this machine's GPU, so that what they expect is what the hardware does.

Usage, from the repository's root: tests/device/ptx_cases.py [NAME...]
Each case runs in a process of its own, since a fault ends the context. See tests/ptx/README.md for the cases. Exit
status 1: a case came out otherwise than it says.
"""
import ctypes, os, re, struct, subprocess, sys

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "ptx")
BYTES = {"b8": 1, "u8": 1, "s8": 1, "b16": 2, "u16": 2, "s16": 2, "f16": 2, "bf16": 2, "b32": 4, "u32": 4, "s32": 4, "f32": 4,
         "f16x2": 4, "bf16x2": 4, "b64": 8, "u64": 8, "s64": 8, "f64": 8}
NAN = {"f16": 0x7c00, "bf16": 0x7f80, "f32": 0x7f800000, "f64": 0x7ff0000000000000}


def expanded(word):
    if "*" in word:
        count, one = word.split("*")
        return [one] * int(count)
    if ".." in word:
        first, last = word.split("..")
        return [str(i) for i in range(int(first), int(last) + 1)]
    return [word]


def bits(word, kind):
    if kind in ("f32", "f64") and not word.startswith("0x"):
        return int.from_bytes(struct.pack("<f" if kind == "f32" else "<d", float(word)), "little")
    return int(word, 0) & ((1 << 8 * BYTES[kind]) - 1)


class Case:
    def __init__(self, path):
        with open(path) as file:
            self.text = file.read()
        self.launch, self.bytes, self.out, self.refused = {"grid": 1, "block": 1, "shared": 0}, {"in": b"", "param": b""}, [], False
        self.outBytes = 0
        for line in self.text.splitlines():
            if line.startswith("// launch:"):
                self.launch.update((item.split("=")[0], int(item.split("=")[1])) for item in line.split()[2:])
            self.refused |= line.startswith("// error:")
            values = re.match(r"\s*// (in|param|out) (\w+)(?: \+-(\S+))?: ?(.*)", line)
            for word in values[4].split() if values else []:
                for one in expanded(word):
                    self.add(values[1], values[2], float(values[3] or 0), one)

    def add(self, where, kind, tolerance, word):
        size = BYTES[kind]
        if where == "out":
            self.outBytes += -self.outBytes % size
            self.out.append((kind, self.outBytes, word, tolerance))
            self.outBytes += size
        else:
            have = self.bytes[where]
            self.bytes[where] = have + b"\0" * (-len(have) % size) + bits(word, kind).to_bytes(size, "little")

    def differences(self, output):
        """What the output has otherwise than expected."""
        for kind, at, word, tolerance in self.out:
            found = int.from_bytes(output[at:at + BYTES[kind]], "little")
            isNan = kind in NAN and found & ((1 << 8 * BYTES[kind] - 1) - 1) > NAN[kind]
            if word == "_" or (word == "nan" and isNan):
                continue
            expected = None if word == "nan" else bits(word, kind)
            code = {"f32": "<f", "f64": "<d"}.get(kind)
            if expected == found or (tolerance and expected is not None and abs(
                    struct.unpack(code, found.to_bytes(BYTES[kind], "little"))[0]
                    - struct.unpack(code, expected.to_bytes(BYTES[kind], "little"))[0]) <= tolerance):
                continue
            yield "%s at byte %d: expected %s, found 0x%x" % (kind, at, word if word == "nan" else hex(expected), found)


def run(case):
    """The output of the case's kernel on the first GPU."""
    cuda = ctypes.CDLL("libcuda.so.1")

    def call(name, *arguments):
        status = getattr(cuda, name)(*arguments)
        if status != 0:
            text = ctypes.c_char_p()
            cuda.cuGetErrorName(status, ctypes.byref(text))
            raise RuntimeError("%s: %s" % (name, (text.value or b"?").decode()))

    device, context, module, function = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    call("cuInit", 0)
    call("cuDeviceGet", ctypes.byref(device), 0)
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
    call("cuCtxSetCurrent", context)
    log = ctypes.create_string_buffer(8192)
    options, values = (ctypes.c_int * 2)(5, 6), (ctypes.c_void_p * 2)(ctypes.cast(log, ctypes.c_void_p), len(log))
    try:
        call("cuModuleLoadDataEx", ctypes.byref(module), case.text.encode(), 2, options, values)
    except RuntimeError as error:
        raise RuntimeError("%s\n%s" % (error, log.value.decode(errors="replace").strip())) from error
    call("cuModuleGetFunction", ctypes.byref(function), module, re.search(r"\.entry\s+([\w$]+)", case.text)[1].encode())
    out, source = ctypes.c_uint64(), ctypes.c_uint64()
    outBytes, given = max(case.outBytes, 8), case.bytes["in"] or b"\0" * 8
    for address, size in ((out, outBytes), (source, len(given))):
        call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(size))
    call("cuMemsetD8_v2", out, 0, ctypes.c_size_t(outBytes))
    call("cuMemcpyHtoD_v2", source, given, ctypes.c_size_t(len(given)))
    parameters = struct.pack("<QQ", out.value, source.value) + case.bytes["param"]
    size = ctypes.c_size_t(len(parameters))
    extra = (ctypes.c_void_p * 5)(1, ctypes.cast(ctypes.c_char_p(parameters), ctypes.c_void_p), 2,
                                  ctypes.cast(ctypes.byref(size), ctypes.c_void_p), 0)
    launch = case.launch
    call("cuLaunchKernel", function, launch["grid"], 1, 1, launch["block"], 1, 1, launch["shared"], None, None, extra)
    call("cuCtxSynchronize")
    output = ctypes.create_string_buffer(outBytes)
    call("cuMemcpyDtoH_v2", output, out, ctypes.c_size_t(outBytes))
    return output.raw


def judge(name):
    try:
        case = Case(os.path.join(FOLDER, name + ".ptx"))
        problems = list(case.differences(run(case)))
    except (RuntimeError, OSError, KeyError, ValueError) as error:
        print("%-24s not run: %s" % (name, error))
        return 1
    if not problems:
        return 0
    print("%-24s %d of %d elements differ\n    %s" % (name, len(problems), len(case.out), "\n    ".join(problems[:8])))
    return 1


def main():
    if sys.argv[1:2] == ["--one"]:
        sys.exit(judge(sys.argv[2]))
    names = sys.argv[1:] or sorted(file[:-4] for file in os.listdir(FOLDER) if file.endswith(".ptx") and not file.startswith("bad-"))
    failed = sum(subprocess.run([sys.executable, __file__, "--one", name], check=False, timeout=60).returncode != 0 for name in names)
    print("%d of %d cases came out as they say" % (len(names) - failed, len(names)))
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
