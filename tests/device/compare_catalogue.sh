#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compares every published launch live: compare_catalogue.sh COALESCOPE LIST [SECONDS], LIST as launches.sh prints it.
# Prints the launches whose exact keys differ, then a table of kernels.
set -u
coalescope=$1 list=$2 seconds=${3:-100000}
declare -A total equal
SECONDS=0
while read -r kernel settings; do
    [ $SECONDS -lt "$seconds" ] || { echo "time is up"; break; }
    arguments=()
    for setting in $settings; do arguments+=(--set "$setting"); done
    total[$kernel]=$((${total[$kernel]:-0} + 1))
    if "$coalescope" compare "$kernel" "${arguments[@]}" --fail-on difference >/tmp/compare.$$ 2>&1 </dev/null; then
        equal[$kernel]=$((${equal[$kernel]:-0} + 1))
    else
        echo "DIFFERS $kernel $settings"
        grep -E ' [-0-9,]+$' /tmp/compare.$$ | head -8
    fi
done <"$list"
rm -f /tmp/compare.$$
for kernel in "${!total[@]}"; do printf '%-24s %3d of %3d equal\n' "$kernel" "${equal[$kernel]:-0}" "${total[$kernel]}"; done | sort
echo "$SECONDS s"
