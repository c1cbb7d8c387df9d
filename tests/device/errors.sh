#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs what must fail, on a machine with a GPU: errors.sh COALESCOPE. Each line: the case, the exit status, the sentence.
set -u
coalescope=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
chmod 755 "$folder"

cat >endless.cu <<'CU'
extern "C" __global__ void endless(volatile int* flag) { while (*flag == 0) { } }
CU
cat >wild.cu <<'CU'
extern "C" __global__ void wild(float* out) { out[size_t(threadIdx.x) << 36] = 1; }
CU
cat >fine.cu <<'CU'
extern "C" __global__ void fine(float* out) { out[threadIdx.x] = 1; }
CU
cat >wrong.cu <<'CU'
extern "C" __global__ void wrong(float* out) { out[threadIdx.x] = ; }
CU

failed=0
try() { # NAME STATUS ARGUMENTS...
    local name=$1 wanted=$2 status
    shift 2
    timeout 60 "$@" >out 2>err </dev/null
    status=$?
    printf '%-16s %s (wanted %s)  %s\n' "$name" "$status" "$wanted" "$(head -1 err | cut -c1-180)"
    [ "$status" = "$wanted" ] || failed=1
}

try endless 5 "$coalescope" measure --source endless.cu --entry endless --grid 1 --block 32 --arg 'i32[1]' --time-limit 2
try after-endless 0 "$coalescope" measure --source fine.cu --entry fine --grid 1 --block 32 --arg 'f32[32]' --runs 3
try wild-address 5 "$coalescope" measure --source wild.cu --entry wild --grid 1 --block 32 --arg 'f32[32]'
try out-of-memory 5 "$coalescope" measure --source fine.cu --entry fine --grid 1 --block 32 --arg 'f32[100000000000]'
try block-too-large 2 "$coalescope" measure --source fine.cu --entry fine --grid 1 --block 2048 --arg 'f32[2048]'
try does-not-compile 3 "$coalescope" measure --source wrong.cu --entry wrong --grid 1 --block 32 --arg 'f32[32]'
try hidden-gpu 4 env CUDA_VISIBLE_DEVICES= "$coalescope" measure copy
try fine 0 "$coalescope" compare copy --set rows=1024 --set cols=1024 --fail-on difference
if [ "$(id -u)" = 0 ] && id nobody >/dev/null 2>&1; then
    cp "$coalescope" ./coalescope && chmod 755 coalescope
    try as-nobody 0 setpriv --reuid=65534 --regid=65534 --clear-groups ./coalescope measure --source fine.cu --entry fine --grid 1 --block 32 --arg 'f32[32]' --runs 3
    grep -m2 -i 'permi' out
fi
exit $failed
