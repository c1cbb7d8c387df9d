#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds what is read out of whole programs against those programs themselves.

Usage, from the repository's root: tests/device/compare_programs.py path/to/coalescope FOLDER ncu|compare [SECONDS]

Every program of the folder (a file, or a folder with main.cu) is predicted as its host code is read, kernel by
kernel. With `ncu` it is compiled with nvcc and run once under ncu, which tells the grid, the block and the counters of each
kernel's first launch; clocks are left alone. With `compare` each launch is measured as it was read, by `coalescope compare`.
One line a kernel.
"""
import concurrent.futures, csv, io, json, pathlib, re, shutil, subprocess, sys, tempfile

program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
MODE, LIMIT_S = sys.argv[3], float(sys.argv[4]) if len(sys.argv) > 4 else 60
KEYS = ["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
        "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
        "sm__sass_inst_executed_op_shared_ld.sum", "sm__sass_inst_executed_op_shared_st.sum",
        "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
        "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum",
        "sm__sass_inst_executed_op_shared_atom.sum"]
SHAPE = ["launch__grid_dim_x", "launch__grid_dim_y", "launch__grid_dim_z", "launch__block_dim_x", "launch__block_dim_y", "launch__block_dim_z"]
TIME = "gpu__time_duration.sum"


def run(command, limit=LIMIT_S):
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "", f"no answer in {limit:g} s")


def base(name):
    """`tile` of `void ns::tile<float, (int)32>(const T1 *, int)`."""
    name = re.sub(r"(\(anonymous namespace\)|<unnamed>|_GLOBAL__N__\w+)::", "", name)
    return re.split(r"::|\s", re.split(r"[<(]", name)[0])[-1]


def predictions(path):
    listed = run([program, "kernels", str(path), "--json"])
    kernels = json.loads(listed.stdout) if listed.returncode == 0 else []
    seen, found = set(), []
    for kernel in kernels:
        if kernel["id"] in seen:
            continue
        seen.add(kernel["id"])
        done = run([program, "predict", str(path), "--entry", kernel["title"]["en"], "--json"])
        found.append((kernel["id"], json.loads(done.stdout) if done.returncode == 0 else done.stderr.strip().splitlines()[-1][:160], done.stderr))
    return found


def profiled(path, binary):
    report = run(["ncu", "--csv", "--page", "raw", "--clock-control", "none", "--cache-control", "none", "--kernel-id", ":::1", "--metrics", ",".join(KEYS + SHAPE + [TIME]), str(binary)])
    lines = [line for line in report.stdout.splitlines() if line.startswith('"')]
    rows = {}
    for row in csv.DictReader(io.StringIO("\n".join(lines))):
        if row.get("Kernel Name") and row["Kernel Name"] not in ("", None):
            rows.setdefault(base(row["Kernel Name"]), {key: float(value.replace(",", "")) for key, value in row.items() if key in KEYS + SHAPE + [TIME] and value})
    return rows, (report.stderr or report.stdout).strip()[-120:]


def compiled(path, out):
    units = sorted(path.parent.glob("*.cu")) if path.name == "main.cu" else [path]
    done = run(["nvcc", "-arch=sm_90", "-std=c++20", "-lcublas", "-lcurand", "-o", str(out), *map(str, units)], 300)
    return done.returncode == 0


def compare(path):
    """Each kernel as it was read, measured: exact keys and times."""
    listed = run([program, "kernels", str(path), "--json"])
    for kernel in json.loads(listed.stdout) if listed.returncode == 0 else []:
        done = run([program, "compare", str(path), "--entry", kernel["title"]["en"], "--no-verify", "--json"])
        try:
            answer = json.loads(done.stdout)
            predicted, measured = answer["predicted"], answer["measured"]
            wrong = [f"{key.split('.')[0]} {value:g} vs {measured['metrics'][key]:g}" for key, value in predicted["metrics"].items()
                     if key not in predicted["estimates"] and not key.startswith(("l1tex__data_pipe", "l1tex__data_bank"))
                     and measured["metrics"].get(key, value) != value]
            warm = predicted["time"]["warm_ns"] / measured["time"]["warm"]["median_ns"] - 1
            duration = predicted["metrics"][TIME] / measured["metrics"][TIME] - 1
        except (json.JSONDecodeError, KeyError, TypeError, ZeroDivisionError):
            yield kernel["title"]["en"], "not measured: " + " / ".join(done.stderr.strip().splitlines()[-2:])[:200], None, None, 0
            continue
        yield kernel["title"]["en"], "; ".join(wrong) or "equal", warm, duration, measured["time"]["warm"]["median_ns"]


def compare_all(programs):
    warms, durations, equal = [], [], 0
    for path in programs:
        for kernel, verdict, warm, duration, ns in compare(path):
            equal += verdict == "equal"
            if warm is not None:
                warms.append(abs(warm))
                durations.append(abs(duration))
            print(f"{path.relative_to(folder)}: {kernel}: {verdict}" + ("" if warm is None else f" | {ns / 1000:.1f} us, warm {100 * warm:+.0f} %, duration {100 * duration:+.0f} %"), flush=True)
    print(f"{len(warms)} measured, {equal} equal in the exact keys; warm {100 * sum(warms) / len(warms):.1f} %, duration {100 * sum(durations) / len(durations):.1f} %")


programs = sorted(path for path in [*folder.rglob("*.cu"), *folder.rglob("*.py")] if path.name == "main.cu" or not (path.parent / "main.cu").exists())
if MODE == "compare":
    compare_all(programs)
    sys.exit()
counts = {}
with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(8) as pool:
    binaries = {path: pathlib.Path(scratch) / str(index) for index, path in enumerate(programs)}
    has_main = {path: bool(re.search(r"\bmain\s*\(", path.read_text())) for path in programs}
    nvcc = shutil.which("nvcc") and shutil.which("ncu")
    built = {path: pool.submit(compiled, path, binaries[path]) for path in programs if has_main[path]} if nvcc else {}
    predicted = {path: pool.submit(predictions, path) for path in programs}
    for path in programs:
        name = str(path.relative_to(folder))
        real, why = profiled(path, binaries[path]) if path in built and built[path].result() else ({}, "not built")
        if path in built and not real:
            print(f"{name}: ncu: {why}")
        for kernel, answer, notes in predicted[path].result():
            guessed = notes.count("note: guessed")
            if isinstance(answer, str):
                verdict, text = "not predicted", answer
            elif kernel not in real:
                verdict, text = "not run", ""
            else:
                shape = [float(value) for value in answer["launch"]["grid"] + answer["launch"]["block"]]
                seen = real[kernel]
                wrong = [f"{key.split('.')[0]} {answer['metrics'][key]:g} vs {seen[key]:g}" for key in KEYS if key in seen and answer["metrics"][key] != seen[key]]
                same = shape == [seen.get(key) for key in SHAPE]
                time = answer["metrics"][TIME] / seen[TIME] - 1 if seen.get(TIME) else 0
                verdict = "launch differs" if not same else "equal" if not wrong else "counts differ"
                text = ("" if same else f"{shape} vs {[seen.get(key) for key in SHAPE]} ") + "; ".join(wrong[:3]) + f" time {100 * time:+.0f} %"
            counts[verdict] = counts.get(verdict, 0) + 1
            if verdict != "equal" or guessed:
                print(f"{name}: {kernel}: {verdict} {text}" + (f" ({guessed} guessed)" if guessed else ""))
            else:
                print(f"{name}: {kernel}: equal,{text}")
print(counts)
