#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Records launches on this machine's GPU: record.sh COALESCOPE LIST OUTPUT.jsonl [SECONDS]
# LIST holds lines as launches.sh prints them. Launches already in OUTPUT.jsonl stay; a launch that fails is
# said on stderr and left out. Stops after SECONDS (exit status 124), so that it can be run again for the rest.
# RUNS=60: timed runs, warm and cold each (20). COUNT=totals: no values per line; COUNT=none: times alone (all).
set -eu
coalescope=$1 list=$2 output=$3 seconds=${4:-0}
exec timeout --signal=INT "$seconds" \
    "$coalescope" measure --batch "$list" --output "$output" --runs "${RUNS:-20}" --count "${COUNT:-all}"
