#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Lists the launches that are recorded on a real GPU: one a line, KERNEL NAME=VALUE...
set -eu

shapes=("rows=2048 cols=512" "rows=1024 cols=1024" "rows=4096 cols=4096")
odd=("rows=1000 cols=1003" "rows=33 cols=65")
blocks=("block_x=8 block_y=32" "block_x=32 block_y=8" "block_x=16 block_y=16" "block_x=32 block_y=32")
small="rows=1024 cols=1024"
large="rows=4096 cols=4096"
middle="rows=2048 cols=2048"

for kernel in copy transpose_naive; do
    for shape in "${shapes[@]}"; do for block in "${blocks[@]}"; do echo "$kernel $shape $block"; done; done
    for shape in "${odd[@]}"; do for block in "${blocks[@]:0:2}"; do echo "$kernel $shape $block"; done; done
    for type in f64 f16 i8 i32; do echo "$kernel $middle block_x=32 block_y=8 type=$type"; done
done
for offset in 0 1 4 8 13 31; do for shape in "$small" "$large"; do echo "offset_copy $shape offset=$offset"; done; done
for stride in 1 2 4 8 16 32 33; do for shape in "$small" "$large"; do echo "strided_copy $shape stride=$stride"; done; done
for kernel in offset_copy strided_copy; do
    for shape in "${odd[@]}"; do echo "$kernel $shape"; done
    for type in f64 f16 i8 i32; do echo "$kernel $middle type=$type"; done
done
for pad in 0 1 2; do
    for shape in "${shapes[@]}" "${odd[@]}"; do
        for kernel in transpose_shared transpose_shared_multi; do echo "$kernel $shape pad=$pad"; done
    done
    for shape in "$small" "$large"; do
        for block in "${blocks[@]}"; do echo "transpose_shared_flat $shape $block pad=$pad"; done
    done
    for type in f64 f16 i8 i32; do echo "transpose_shared_multi $middle pad=$pad type=$type"; done
done
for tile in 8 16; do echo "transpose_shared $large tile=$tile pad=0"; echo "transpose_shared $large tile=$tile pad=1"; done
for type in f64 f16 i8 i32; do echo "transpose_shared $middle pad=1 type=$type"; done
for shape in "rows=2048 cols=512" "${odd[@]}"; do
    for block in "${blocks[@]}"; do echo "transpose_shared_flat $shape $block pad=1"; done
done
for block in "${blocks[@]}"; do echo "transpose_shared_flat $large $block pad=1 grid=tight"; done
for kernel in transpose_naive_multi transpose_flat_bound transpose_one_warp transpose_swizzle; do
    for shape in "${shapes[@]}" "${odd[@]}"; do echo "$kernel $shape"; done
    for type in f64 f16 i8 i32; do echo "$kernel $middle type=$type"; done
done
for shape in "${shapes[@]}"; do
    for block in "${blocks[@]}"; do echo "transpose_float4 $shape $block"; done
    echo "transpose_float4 $shape block_x=32 block_y=8 type=i32"
done
for batch in 8 20; do
    for barrier in with without; do
        for type in f32 f16 i8; do
            echo "copy_transpose_batched rows=1024 cols=1024 batch=$batch second_barrier=$barrier type=$type"
        done
    done
done
for shape in "${odd[@]}"; do echo "copy_transpose_batched $shape batch=8"; done
echo "copy_transpose_batched rows=1024 cols=1024 batch=8 layout=merged"
echo "copy_transpose_batched rows=1000 cols=1003 batch=8 layout=merged"
