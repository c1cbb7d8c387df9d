#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Times recordings on this machine's GPU and holds their counters against measurements one by one.
# Usage, from the repository's root: tests/device/record_speed.sh path/to/coalescope [path/to/an/older/coalescope]
# A dozen launches are measured one by one (by the older program, where one is given), then as a list, which
# prepares the next launch while one is counted, with values per line, with totals alone, and with times alone.
# Fails where an exact key or a line differs between the two ways, or a counting step needed its second try.
set -u
program=$(realpath "${1:?usage: tests/device/record_speed.sh path/to/coalescope [older]}")
older=$(realpath "${2:-$1}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/list" <<'EOF'
copy rows=512 cols=512
copy rows=8192 cols=8192 block_x=16 block_y=16
transpose_naive rows=2048 cols=2048
transpose_naive rows=1024 cols=16384 type=f16
transpose_shared rows=2048 cols=2048 tile=32 pad=0
transpose_shared rows=8192 cols=8192 tile=32 pad=1
transpose_swizzle rows=2048 cols=2048 tile=32 rows_per_block=8
transpose_float4 rows=4096 cols=4096
transpose_one_warp rows=512 cols=512
strided_copy rows=2048 cols=2048 stride=8
offset_copy rows=1024 cols=1024 offset=4
copy_transpose_batched rows=512 cols=512 batch=8
EOF
launches=$(wc -l <"$work/list")
now() { date +%s%N; }
status=0
say() { echo "$1: $2 ms, $((($2) / launches)) ms a launch"; }

"$program" measure copy --set rows=64 --set cols=64 --json >"$work/first" || exit 1 # caches of the first start
start=$(now)
while read -r kernel settings; do
    arguments=()
    for setting in $settings; do arguments+=(--set "$setting"); done
    "$older" measure "$kernel" "${arguments[@]}" --json </dev/null | tr -d '\n' >>"$work/old.jsonl"
    echo >>"$work/old.jsonl"
done <"$work/list"
say "one by one, all" $((($(now) - start) / 1000000))
for count in all totals none; do
    start=$(now)
    "$program" measure --batch "$work/list" --output "$work/$count.jsonl" --count $count || status=1
    say "as a list, $count" $((($(now) - start) / 1000000))
done
start=$(now)
"$program" measure --batch "$work/list" --output "$work/runs.jsonl" --count none --runs 60 || status=1
say "as a list, none, 60 runs" $((($(now) - start) / 1000000))

"$program" predict copy --set rows=64 --set cols=64 --no-verify --json >"$work/predicted"
python3 - "$work" <<'PY' || status=1
import json, statistics, sys
work = sys.argv[1]
estimates = set(json.load(open(f"{work}/predicted"))["estimates"])
# Counted by hardware with other traffic beside it, these may differ from one launch to the next.
arbitrated = ("l1tex__data_pipe_lsu_wavefronts", "l1tex__data_bank_conflicts")
def rows(name):
    found = {}
    for line in open(f"{work}/{name}.jsonl"):
        row = json.loads(line)
        found[row["kernel"] + " " + json.dumps(row["launch"]["parameters"], sort_keys=True)] = row
    return found
old, failed = rows("old"), False
for name in ("all", "totals", "none", "runs"):
    new = rows(name)
    if new.keys() != old.keys():
        print(f"FAIL  {name}: {len(new)} launches, {len(old)} one by one")
        failed = True
    for launch in old.keys() & new.keys():
        a, b = old[launch], new[launch]
        if b["verified"] is not True:
            print(f"FAIL  {name}: {launch}: verified {b['verified']}")
            failed = True
        for key in a["metrics"].keys() | b["metrics"].keys():
            x, y = a["metrics"].get(key), b["metrics"].get(key)
            per_instruction = key.startswith("smsp__sass_sectors_mem_global")
            if name in ("none", "runs") or (name == "totals" and per_instruction):
                if y is not None:
                    print(f"FAIL  {name}: {launch}: {key} was not asked for")
                    failed = True
            elif key not in estimates and not key.startswith(arbitrated) and x != y:
                print(f"FAIL  {name}: {launch}: {key}: {x} one by one, {y} in the list")
                failed = True
        if name == "all" and a["lines"] != b["lines"]:
            print(f"FAIL  {name}: {launch}: the lines differ")
            failed = True
        for key in b["milliseconds"]:
            if key.endswith("_first_try"):
                print(f"FAIL  {name}: {launch}: {key} {b['milliseconds'][key]:.0f} ms: what was prepared did not work")
                failed = True
    # What other traffic may change: told, not judged. A key's differences over all launches.
    for key in sorted(estimates):
        pairs = [(old[l]["metrics"].get(key), new[l]["metrics"].get(key)) for l in old.keys() & new.keys()]
        off = [abs(y - x) / max(x, 1000) for x, y in pairs if x is not None and y is not None]
        if off:
            print(f"{name}: {key} is off by {100 * statistics.median(off):.1f} % (middle), {100 * max(off):.1f} % (most)")
    ratios = [new[l]["time"][state]["median_ns"] / old[l]["time"][state]["median_ns"]
              for l in old.keys() & new.keys() for state in ("warm", "cold")]
    if ratios:
        print(f"{name}: median times against one by one: {min(ratios):.3f} to {max(ratios):.3f}, middle {statistics.median(ratios):.3f}")
for name in ("old", "all", "totals", "none"):
    parts = {}
    for row in rows(name).values():
        for key, value in row["milliseconds"].items():
            parts.setdefault(key, []).append(value)
    print(f"{name}: " + ", ".join(f"{key} {statistics.median(v):.0f}" for key, v in parts.items()) + " ms (medians)")
print("FAIL" if failed else "ok    counters and lines are equal")
sys.exit(failed)
PY
echo "what the counting step does:"
COALESCOPE_TRACE=1 "$program" measure copy --set rows=2048 --set cols=2048 --json 2>&1 >/dev/null | grep -E "count: .* (ms|passes)" | tail -4
exit $status
