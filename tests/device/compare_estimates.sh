#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Holds the estimates of kernels whose blocks share what they read against this machine's GPU: sectors
# between the levels and the time, predicted, then measured.
# Usage, from the repository's root: tests/device/compare_estimates.sh path/to/coalescope [NAME...]
#
# The launches are those of shared_reads.txt beside this file; with names, only these.
set -u
program=${1:?usage: tests/device/compare_estimates.sh path/to/coalescope [NAME...]}
folder=$(dirname "$0")
command -v python3 >/dev/null || { echo "compare_estimates.sh needs python3" >&2; exit 2; }

exec python3 - "$program" "$folder" "${@:2}" <<'PY'
import json, pathlib, shlex, subprocess, sys

program, folder, names = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
LIMIT_S = 300
KEYS = {"L2->L1": "l1tex__m_xbar2l1tex_read_sectors.sum", "L2 read": "lts__t_sectors_op_read.sum",
        "DRAM read": "dram__sectors_read.sum", "ns": "gpu__time_duration.sum"}


def compare(file, launch):
    """The two results' metrics; a sentence where there are none."""
    command = [program, "compare", "--source", str(folder / "kernels" / file), *launch, "--json"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S)
        answer = json.loads(done.stdout)
        return answer["predicted"]["metrics"], answer["measured"]["metrics"]
    except subprocess.TimeoutExpired:
        return f"no answer in {LIMIT_S} s"
    except (json.JSONDecodeError, KeyError, TypeError):
        return f"exit {done.returncode}: {' / '.join(done.stderr.strip().splitlines()[:3])}"


def cell(predicted, measured):
    if measured is None:
        return f"{predicted:,.0f} | -"
    ratio = f"{100 * (predicted / measured - 1):+.1f} %" if measured else "-"
    return f"{predicted:,.0f} | {measured:,.0f} | {ratio}"


failed = False
print("launch: predicted | measured | predicted over measured")
for line in (folder / "shared_reads.txt").read_text().splitlines():
    if line.startswith("#") or not line.strip():
        continue
    name, file, *launch = shlex.split(line)
    if names and name not in names:
        continue
    result = compare(file, launch)
    if isinstance(result, str):
        failed = True
        print(f"{name}\n    failed: {result}", flush=True)
        continue
    predicted, measured = result
    print(name)
    for label, key in KEYS.items():
        print(f"    {label:10} {cell(predicted.get(key, 0), measured.get(key))}", flush=True)
sys.exit(1 if failed else 0)
PY
