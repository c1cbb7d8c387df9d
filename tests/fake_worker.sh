#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Stands in for `coalescope measure --job -` behind a target's prefix: fake_worker.sh LOG SECONDS [ANSWER]
# Notes each launch in LOG. Answers a result whose time follows from the parameters, or ANSWER instead.
log=$1 seconds=$2 answer=$3
values=$(sed 's/.*"parameters":\({[^}]*}\).*/\1/')
printf 'start %s\n' "$values" >>"$log"
sleep "$seconds"
case $answer in
*error*) printf '%s\n' "$answer" ;;
*)
    ns=$(($(printf '%s' "$values" | cksum | cut -d' ' -f1) % 100000 + 1000))
    printf '{"result":{"kind":"measurement","kernel":"copy","device":"h200","source":"hardware","gpu":"Fake GPU","driver":"1","date":"2026-01-01","launch":{"grid":[1,1,1],"block":[32,1,1],"parameters":%s},"metrics":{"gpu__time_duration.sum":%d},"time":{"warm":{"median_ns":%d,"min_ns":%d,"p10_ns":%d,"p90_ns":%d,"runs":20}},"verified":true}}\n' \
        "$values" "$ns" "$ns" "$ns" "$ns" "$ns"
    ;;
esac
printf 'end %s\n' "$values" >>"$log"
