#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Measures a few launches on this machine's GPU and holds the exact keys against the prediction.
# Usage, from the repository's root: tests/device/smoke.sh path/to/coalescope [kernel set...]
set -u
program=${1:?usage: tests/device/smoke.sh path/to/coalescope}
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ $# -gt 0 ] || set -- "copy" "transpose_naive" "transpose_shared" "transpose_float4" \
    "copy --set rows=1000 --set cols=1003" "transpose_naive --set rows=33 --set cols=65"

status=0
for launch in "$@"; do
    start=$(date +%s%N)
    # The words of a launch are the command's arguments: they are split on purpose.
    # shellcheck disable=SC2086
    "$program" measure $launch --json >"$work/measured" 2>"$work/error"
    code=$?
    took=$((($(date +%s%N) - start) / 1000000))
    if [ $code -ne 0 ]; then
        echo "FAIL  $launch: exit $code: $(cat "$work/error")"
        status=1
        continue
    fi
    # shellcheck disable=SC2086
    "$program" predict $launch --json >"$work/predicted" 2>"$work/error" || echo '{"metrics":{}}' >"$work/predicted"
    python3 - "$launch" "$took" "$work/measured" "$work/predicted" <<'PY' || status=1
import json, sys
launch, took, measured, predicted = sys.argv[1], int(sys.argv[2]), json.load(open(sys.argv[3])), json.load(open(sys.argv[4]))
up_to_arbitration = ("l1tex__data_pipe_lsu_wavefronts", "l1tex__data_bank_conflicts")
estimates = set(predicted.get("estimates", []))
m, p = measured["metrics"], predicted["metrics"]
bad = []
for key, value in p.items():
    if key in estimates:
        continue
    if key not in m:
        bad.append(f"    {key}: not measured: {measured.get('not_measured', {}).get(key, 'no reason given')}")
    elif key.startswith(up_to_arbitration) and m[key] < value or not key.startswith(up_to_arbitration) and m[key] != value:
        bad.append(f"    {key}: predicted {value}, measured {m[key]}")
t = measured["time"]
us = lambda name: f"{t[name]['median_ns'] / 1000:.1f}" if name in t else "-"
ok = not bad and measured["verified"] is not False
print(f"{'ok   ' if ok else 'FAIL '} {launch}: {took} ms, {len(m)} keys, {len(measured['lines'])} lines, verified "
      f"{measured['verified']}, warm {us('warm')} us, cold {us('cold')} us, counted {m.get('gpu__time_duration.sum', 0) / 1000:.1f} us")
print("    " + ", ".join(f"{k} {v:.0f} ms" for k, v in measured.get("milliseconds", {}).items()))
for key, why in measured.get("not_measured", {}).items():
    if key not in p or key in estimates:
        print(f"    {key}: {why}")
if measured["verified"] is False:
    print("    " + measured.get("verify_detail", ""))
print("\n".join(bad), end="\n" if bad else "")
sys.exit(not ok)
PY
done
exit $status
