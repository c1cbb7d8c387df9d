#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Calibrates this machine's GPU twice and prints what was measured beside the table.
# Usage, from the repository's root: tests/device/calibrate.sh path/to/coalescope
# Fails where it takes a minute, where two runs differ by more than 5 %, or where the rates that the table has
# measured for this very GPU differ by more than 10 %.
set -u
program=$(realpath "${1:?usage: tests/device/calibrate.sh path/to/coalescope}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CONFIG_HOME=$work/config
"$program" devices --json >"$work/table.json" || exit 1

for run in 1 2; do
    start=$(date +%s%N)
    "$program" calibrate >"$work/text$run" 2>"$work/error"
    code=$?
    took=$((($(date +%s%N) - start) / 1000000))
    if [ $code -ne 0 ]; then
        echo "FAIL  calibrate: exit $code: $(cat "$work/error")"
        exit 1
    fi
    cp "$work"/config/coalescope/devices/*.json "$work/row$run.json"
    echo "run $run: $took ms"
    [ $took -lt 60000 ] || { echo "FAIL  a calibration shall take less than a minute"; exit 1; }
done
cat "$work/text2"
echo
cat "$work/row2.json"

python3 - "$work" <<'PY' || exit 1
import json, sys
work = sys.argv[1]
first, second = (json.load(open(f"{work}/row{run}.json")) for run in (1, 2))
table = {row["name"]: row for row in json.load(open(f"{work}/table.json"))}
failed = False
def judge(what, a, b, allowed):
    global failed
    off = abs(a - b) / max(abs(b), 1e-12)
    ok = off <= allowed
    failed |= not ok
    print(f"{'ok   ' if ok else 'FAIL '} {what}: {a:.5g}, {b:.5g}: {100 * off:.1f} %")
rates = [key for key, value in second.items() if isinstance(value, float)]
for key in rates:
    judge(f"again {key}", second[key], first[key], 0.05)
known = table.get(second["name"])
if known:
    for key, value in second.items():
        if isinstance(value, int) and key in known:
            judge(f"limit {key}", value, known[key], 0)
    for key in ("clock_ghz", "dram_bytes_per_ns", "l2_sectors_per_ns", "l2_write_sectors_per_ns", "launch_ns"):
        if known["verified"] and known[key]:
            judge(f"table {key}", second[key], known[key], 0.10)
        else:
            print(f"      {key}: {second[key]:.5g} measured, {known[key]:.5g} in the table, which was not measured")
    for key in ("l1_sectors_per_clock", "lsu_tags_per_clock", "shared_wavefronts_per_clock"):
        print(f"      {key}: {second[key]:.4g} measured, {known[key]:.4g} in the table")
print(f"      empty kernel from: {second['launch_from']}")
sys.exit(failed)
PY

name=$(python3 -c "import json; print(json.load(open('$work/row2.json'))['name'])")
"$program" devices | grep -E "^$name .*calibrated here" || { echo "FAIL  the device is not listed"; exit 1; }
"$program" predict copy --device "$name" --no-verify | tail -1
