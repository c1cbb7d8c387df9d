#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Records launches on this machine's GPU: record.sh COALESCOPE LIST OUTPUT.jsonl [SECONDS]
# LIST holds lines as launches.sh prints them. Launches already in OUTPUT.jsonl stay; a launch that fails is
# said on stderr and left out. Stops after SECONDS, so that it can be run again for the rest.
set -u
coalescope=$1 list=$2 output=$3 seconds=${4:-100000}
done_list=$output.done
touch "$output" "$done_list"
SECONDS=0
while read -r kernel settings; do
    [ $SECONDS -lt "$seconds" ] || { echo "time is up: run again for the rest" >&2; break; }
    grep -qxF "$kernel $settings" "$done_list" && continue
    arguments=()
    for setting in $settings; do arguments+=(--set "$setting"); done
    if answer=$("$coalescope" measure "$kernel" "${arguments[@]}" --json 2>"$output.error" </dev/null); then
        tr -d '\n' <<<"$answer" | sed 's/  */ /g' >>"$output"
        echo >>"$output"
        echo "$kernel $settings" >>"$done_list"
    else
        echo "$kernel $settings: $(cat "$output.error")" >&2
    fi
done <"$list"
echo "$(wc -l <"$output") launches in $output after $SECONDS s" >&2
