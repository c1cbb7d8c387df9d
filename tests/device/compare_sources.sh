#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Holds the prediction of every kernel of a folder against this machine's GPU.
# Usage, from the repository's root: tests/device/compare_sources.sh path/to/coalescope [FOLDER]
#
# A kernel's first line gives its launch (`// launch: --entry NAME --grid ...`); a line `// no-device` or
# `// refused:` leaves out what is broken on purpose or not modelled. One line a kernel: OK or the exact keys
# that differ, arbitration keys of which more was predicted than measured, verdict, hazards, seconds.
set -u
program=${1:?usage: tests/device/compare_sources.sh path/to/coalescope [FOLDER]}
folder=${2:-$(dirname "$0")/kernels}
command -v python3 >/dev/null || { echo "compare_sources.sh needs python3" >&2; exit 2; }

exec python3 - "$program" "$folder" <<'PY'
import json, pathlib, re, shlex, subprocess, sys, time

program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
LIMIT_S = 120
UP_TO_ARBITRATION = ("l1tex__data_pipe_lsu_wavefronts", "l1tex__data_bank_conflicts")
counts = {"OK": 0, "differs": 0, "failed": 0, "left out": 0}


def number(value):
    return f"{value:g}" if isinstance(value, (int, float)) else str(value)


def compare(path, launch):
    command = [program, "compare", "--source", str(path), *launch, "--json"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        return "failed", f"no answer in {LIMIT_S} s"
    try:
        answer = json.loads(done.stdout)
        predicted, measured = answer["predicted"], answer["measured"]
    except (json.JSONDecodeError, KeyError, TypeError):
        return "failed", f"exit {done.returncode}: {' / '.join(done.stderr.strip().splitlines()[:3])}"
    if not measured:
        return "failed", f"not measured: {' / '.join(done.stderr.strip().splitlines()[:3])}"
    estimates = set(predicted.get("estimates", []))
    wrong, above, missing = [], [], []
    for key, value in predicted["metrics"].items():
        if key in estimates:
            continue
        seen = measured["metrics"].get(key)
        if seen is None:
            missing.append(key)
        elif key.startswith(UP_TO_ARBITRATION):
            if value > seen:
                above.append(f"{key} {number(value)} > {number(seen)}")
        elif value != seen:
            wrong.append(f"{key} {number(value)} vs {number(seen)}")
    text = []
    if wrong:
        text.append("differs (predicted vs measured): " + "; ".join(wrong))
    if above:
        text.append("more than measured: " + "; ".join(above))
    if missing:
        text.append("not measured: " + "; ".join(missing))
    verified = measured.get("verified", predicted.get("verified"))
    text.append("verified " + {True: "yes", False: "NO", None: "-"}.get(verified, "-"))
    hazards = [f"{h['kind']}:{h['line']}" for h in predicted.get("hazards", [])]
    text.append("hazards " + (",".join(hazards) or "-"))
    return ("differs" if wrong or above or missing else "OK"), " | ".join(text)


files = sorted(folder.glob("*.cu"))
if not files:
    sys.exit(f"{folder} has no .cu file")
for path in files:
    source = path.read_text()
    launch = re.match(r"// launch: (.*)", source)
    if not launch or re.search(r"^// (no-device|refused:)", source, re.M):
        counts["left out"] += 1
        print(f"{path.stem:24} left out", flush=True)
        continue
    start = time.monotonic()
    verdict, text = compare(path, shlex.split(launch.group(1)))
    counts[verdict] += 1
    print(f"{path.stem:24} {verdict:8} {text} | {time.monotonic() - start:.1f} s", flush=True)
print(", ".join(f"{count} {name}" for name, count in counts.items()))
sys.exit(1 if counts["differs"] or counts["failed"] else 0)
PY
