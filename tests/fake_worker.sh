#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Stands in for `coalescope measure --job -` behind a target's prefix: fake_worker.sh LOG SECONDS [ANSWER]
# Notes each launch in LOG: "start" and "end" of its time on the GPU, before that "hold" where it waits for its
# turn. It takes SECONDS until its times are taken, and as long again. Answers a result whose time follows from
# the parameters, or ANSWER instead. LOG.pids lists its processes.
log=$1 seconds=$2 answer=$3
echo $$ >>"$log.pids"
IFS= read -r job
values=$(printf '%s\n' "$job" | sed 's/.*"parameters":\({[^}]*}\).*/\1/')
case $job in
*'"hold":true'*)
    printf 'hold %s\n' "$values" >>"$log"
    IFS= read -r turn && [ "$turn" = go ] || exit 5
    ;;
esac
printf 'start %s\n' "$values" >>"$log"
sleep "$seconds"
finish() { # before the answer: whoever has that may end this process
    printf 'end %s\n' "$values" >>"$log"
}
case $answer in
*error*)
    finish
    printf '%s\n' "$answer"
    ;;
*)
    printf '{"progress":{"stage":"timed","fraction":0.6}}\n'
    sleep "$seconds"
    finish
    ns=$(($(printf '%s' "$values" | cksum | cut -d' ' -f1) % 100000 + 1000))
    printf '{"result":{"kind":"measurement","kernel":"copy","device":"h200","source":"hardware","gpu":"Fake GPU","driver":"1","date":"2026-01-01","launch":{"grid":[1,1,1],"block":[32,1,1],"parameters":%s},"metrics":{"gpu__time_duration.sum":%d},"time":{"warm":{"median_ns":%d,"min_ns":%d,"p10_ns":%d,"p90_ns":%d,"runs":20}},"verified":true}}\n' \
        "$values" "$ns" "$ns" "$ns" "$ns" "$ns"
    ;;
esac
