#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Lists launches for the cache and time model beyond those of launches.sh: one a line, KERNEL NAME=VALUE...
# launches_model.sh, with more, with sweeps: what the model is fitted to. launches_model.sh check, second, third, fourth, fifth, sixth, seventh, eighth, ninth, odd, width: other
# shapes, blocks and types, for judging it afterwards. No line is in two of them. Shuffled, always alike, so that a run that is cut
# off is a sample.
set -eu

here=$(dirname "$0")
kind=${1:-} whole=${2:-}

blocks() { # WIDTHS HEIGHTS SHAPE KERNEL...: those blocks that have 32 to 1024 threads
    for x in $1; do
        for y in $2; do
            if [ $((x * y)) -ge 32 ] && [ $((x * y)) -le 1024 ]; then
                for kernel in "${@:4}"; do echo "$kernel $3 block_x=$x block_y=$y"; done
            fi
        done
    done
}
block_sweep() { blocks "4 8 16 32 64 128" "1 2 4 8 16 32 64" "$@"; } # SHAPE KERNEL...
tile_sweep() { # SHAPE: every tile, height and padding
    for pad in 0 1 2; do
        for tile in 8 12 16 20 24 28 32; do echo "transpose_shared $1 tile=$tile pad=$pad"; done
    done
    for tile in 16 32 64; do
        for rows in 2 4 8 16 32; do
            if [ $((tile % rows)) -eq 0 ] && [ $((tile * rows)) -le 1024 ] && [ $((tile * rows)) -ge 32 ]; then
                for kernel in transpose_swizzle transpose_naive_multi; do
                    echo "$kernel $1 tile=$tile rows_per_block=$rows"
                done
                for pad in 0 1; do
                    for kernel in transpose_shared_multi transpose_flat_bound; do
                        echo "$kernel $1 tile=$tile rows_per_block=$rows pad=$pad"
                    done
                done
            fi
        done
    done
}
batched() { # SIZES BATCHES: both layouts, three types
    for batch in $2; do
        for layout in contiguous merged; do
            for type in f32 f16 i8; do
                for n in $1; do echo "copy_transpose_batched rows=$n cols=$n batch=$batch layout=$layout type=$type"; done
            done
        done
    done
}
other_kernels() { # TYPES KERNELS STRIDES OFFSETS SHAPE...: kernels as they are, copies with strides and offsets
    for type in $1; do
        for shape in "${@:5}"; do
            for kernel in $2; do echo "$kernel $shape type=$type"; done
            for stride in $3; do echo "strided_copy $shape stride=$stride type=$type"; done
            for offset in $4; do echo "offset_copy $shape offset=$offset type=$type"; done
        done
    done
}
lists=("" more sweeps check second third fourth fifth sixth seventh width eighth ninth)
earlier() { # what the lists before this one hold
    bash "$here/launches.sh"
    for list in "${lists[@]}"; do
        [ "$list" != "$kind" ] || break
        bash "$here/launches_model.sh" "$list" whole
    done
}
shuffled() { # leaves out what the lists before hold, unless the list is asked for whole
    sed 's/ *$//; s/  */ /g' | if [ "$whole" ]; then cat; else left_out_and_shuffled; fi
}
left_out_and_shuffled() {
    grep -vxF -f <(earlier) \
        | awk '!seen[$0]++ { next_value = (next_value * 1103 + 12345) % 65536
            printf "%d\t%s\n", next_value, $0 }' | sort -s -n -k 1,1 | cut -f 2-
}

if [ "$kind" = sweeps ]; then
    {
        block_sweep "rows=4096 cols=4096" copy transpose_naive transpose_shared_flat
        block_sweep "rows=1500 cols=2500" copy transpose_naive transpose_shared_flat
        block_sweep "rows=2000 cols=3000 type=f64" copy transpose_naive
        block_sweep "rows=2048 cols=4096 type=f16" transpose_naive transpose_shared_flat
        tile_sweep "rows=1500 cols=2500"
    } | shuffled
    exit
elif [ "$kind" = check ]; then
    {
        block_sweep "rows=3200 cols=3200" copy transpose_naive transpose_shared_flat
        block_sweep "rows=1111 cols=3333" copy transpose_naive transpose_shared_flat
        block_sweep "rows=2560 cols=896 type=i32" copy transpose_naive
        block_sweep "rows=1800 cols=1900 type=f64" transpose_naive transpose_shared_flat
        tile_sweep "rows=3200 cols=3200"
        tile_sweep "rows=900 cols=2700"
        other_kernels "f32 f16 i8 f64" "transpose_one_warp transpose_shared copy" "4 7 17" "2 5" \
            "rows=1111 cols=3333" "rows=10000 cols=1500" "rows=640 cols=640"
        batched "640 1111" "5 20"
        for block in "block_x=8 block_y=8" "block_x=32 block_y=4" "block_x=16 block_y=8" "block_x=64 block_y=4"; do
            for shape in "rows=3072 cols=3072" "rows=1280 cols=1536"; do echo "transpose_float4 $shape $block"; done
        done
    } | shuffled
    exit
elif [ "$kind" = second ]; then
    {
        block_sweep "rows=2816 cols=1408" copy transpose_naive transpose_shared_flat
        block_sweep "rows=5120 cols=2048 type=f16" transpose_naive transpose_shared_flat
        block_sweep "rows=1600 cols=2200 type=i8" copy transpose_naive
        tile_sweep "rows=2200 cols=1600"
        other_kernels "f32 f16 f64" "transpose_one_warp transpose_shared" "5 9" 6 "rows=2816 cols=1408" "rows=700 cols=5000"
        batched 896 10
    } | shuffled
    exit
elif [ "$kind" = third ]; then
    {
        block_sweep "rows=1400 cols=700" transpose_naive transpose_shared_flat
        block_sweep "rows=7168 cols=3584" copy transpose_naive transpose_shared_flat
        block_sweep "rows=960 cols=3840 type=f64" transpose_naive transpose_shared_flat
        block_sweep "rows=3600 cols=2400 type=f16" transpose_naive transpose_shared_flat
        block_sweep "rows=2304 cols=2304 type=i8" transpose_naive
        tile_sweep "rows=1700 cols=1300"
        tile_sweep "rows=6000 cols=2000"
        other_kernels "f32 i8 f64" "transpose_one_warp transpose_shared" "6 10" 9 "rows=1792 cols=2304" "rows=9000 cols=1100"
        batched 700 14
    } | shuffled
    exit
elif [ "$kind" = fourth ]; then
    {
        block_sweep "rows=2688 cols=1920" copy transpose_naive transpose_shared_flat
        block_sweep "rows=1900 cols=6400 type=i32" transpose_naive transpose_shared_flat
        block_sweep "rows=1300 cols=1300 type=f64" copy transpose_naive
        tile_sweep "rows=2400 cols=1800"
        tile_sweep "rows=4400 cols=3600"
    } | shuffled
    exit
elif [ "$kind" = fifth ]; then
    {
        block_sweep "rows=2000 cols=5600" copy transpose_naive transpose_shared_flat
        block_sweep "rows=1700 cols=2100 type=f64" transpose_naive transpose_shared_flat
        block_sweep "rows=3000 cols=2000 type=f16" transpose_shared_flat
        block_sweep "rows=1200 cols=2000 type=i32" transpose_shared_flat
        tile_sweep "rows=2800 cols=2200"
        tile_sweep "rows=5200 cols=3000"
    } | shuffled
    exit
elif [ "$kind" = sixth ]; then
    {
        block_sweep "rows=2600 cols=1560" copy transpose_naive transpose_shared_flat
        block_sweep "rows=1536 cols=3000 type=f64" transpose_naive transpose_shared_flat
        block_sweep "rows=4000 cols=1500 type=f16" transpose_shared_flat
        block_sweep "rows=2200 cols=3100 type=i8" transpose_naive
        tile_sweep "rows=2000 cols=2000"
        tile_sweep "rows=3333 cols=2500" # large, and rows of the transpose that do not begin with a sector
        other_kernels "f32 f16" "transpose_one_warp transpose_shared" 3 7 "rows=2100 cols=2900"
    } | shuffled
    exit
elif [ "$kind" = seventh ]; then # most of them rows that do not begin with a sector
    {
        tile_sweep "rows=4501 cols=2300"
        tile_sweep "rows=1301 cols=1100 type=f64"
        block_sweep "rows=3001 cols=3002" transpose_naive transpose_shared_flat
    } | shuffled
    exit
elif [ "$kind" = eighth ]; then
    {
        block_sweep "rows=2400 cols=3600 type=f16" copy transpose_naive transpose_shared_flat
        block_sweep "rows=3000 cols=1800 type=i32" transpose_naive transpose_shared_flat
        tile_sweep "rows=3584 cols=2816"
        tile_sweep "rows=1920 cols=1280 type=f64"
    } | shuffled
    exit
elif [ "$kind" = ninth ]; then
    {
        block_sweep "rows=2304 cols=1984" copy transpose_naive transpose_shared_flat
        block_sweep "rows=3200 cols=3000 type=f16" copy transpose_naive
        tile_sweep "rows=2048 cols=2304"
        tile_sweep "rows=1400 cols=1700 type=i32"
    } | shuffled
    exit
elif [ "$kind" = width ]; then # most blocks have a width that is no power of two; of some, times alone were recorded
    {
        blocks "12 16 20 24 28 32 36 40 48 56" "4 8 16 32" "rows=1500 cols=2500" transpose_naive
        fours=$(seq 4 4 64)
        blocks "$fours" "$fours" "rows=4096 cols=4096" transpose_naive
        blocks "$fours" "$fours" "rows=1800 cols=2600 type=f16" transpose_naive
    } | shuffled
    exit
elif [ "$kind" = odd ]; then # large, and rows that do not begin with a sector
    cat <<'END'
transpose_swizzle rows=3100 cols=3100 tile=64 rows_per_block=4
transpose_swizzle rows=4097 cols=4097 tile=64 rows_per_block=4
transpose_swizzle rows=6003 cols=6003 tile=32 rows_per_block=8
transpose_shared_multi rows=3100 cols=3100 tile=32 rows_per_block=8 pad=1
transpose_shared_multi rows=4097 cols=4097 tile=32 rows_per_block=8 pad=1
transpose_shared_multi rows=4100 cols=4100 tile=32 rows_per_block=8 pad=1
transpose_shared_multi rows=6003 cols=6003 tile=32 rows_per_block=8 pad=1
transpose_shared_multi rows=4097 cols=4097 tile=64 rows_per_block=8 pad=1
transpose_shared_multi rows=4097 cols=4097 tile=16 rows_per_block=4 pad=1
transpose_shared_multi rows=5003 cols=4001 tile=32 rows_per_block=8 pad=0
transpose_shared rows=4097 cols=4097 tile=32 pad=1
transpose_shared rows=6003 cols=6003 tile=16 pad=1
transpose_shared_flat rows=3100 cols=3100 block_x=32 block_y=8 pad=1
transpose_shared_flat rows=4097 cols=4097 block_x=32 block_y=8 pad=1
transpose_shared_flat rows=4097 cols=4097 block_x=16 block_y=16 pad=1
transpose_shared_flat rows=6003 cols=6003 block_x=64 block_y=4 pad=1
transpose_one_warp rows=4097 cols=4097
transpose_naive rows=4097 cols=4097 block_x=8 block_y=32
transpose_naive rows=4097 cols=4097 block_x=16 block_y=16
transpose_naive rows=4097 cols=4097 block_x=32 block_y=8
copy rows=4097 cols=4097 block_x=32 block_y=8
copy rows=6003 cols=6003 block_x=64 block_y=4
transpose_shared_multi rows=3001 cols=4003 tile=32 rows_per_block=8 pad=1 type=f64
transpose_shared_multi rows=6001 cols=6003 tile=32 rows_per_block=8 pad=1 type=f16
transpose_flat_bound rows=8191 cols=4099 tile=32 rows_per_block=4 pad=1
END
    exit
elif [ "$kind" = more ]; then
    squares=(768 2500 6144) others=("rows=1280 cols=3072" "rows=7000 cols=900" "rows=12288 cols=4096")
    blocks=("block_x=32 block_y=16" "block_x=16 block_y=32" "block_x=64 block_y=8" "block_x=8 block_y=16")
    tiles=("tile=32 rows_per_block=16" "tile=16 rows_per_block=8") square_tiles=(24 32) pads=(1 3)
    strides=(3 6 12 24) offsets=(3 7 16) batches=(12) types=(f64 f16) flat_sizes=(192 384)
else
    squares=(512 2048 5000 8192 16384) others=("rows=4096 cols=1024" "rows=1024 cols=16384" "rows=3000 cols=5000")
    blocks=("block_x=8 block_y=32" "block_x=32 block_y=8" "block_x=16 block_y=16" "block_x=32 block_y=32"
        "block_x=64 block_y=4" "block_x=4 block_y=64" "block_x=128 block_y=2" "block_x=8 block_y=8")
    tiles=("tile=32 rows_per_block=8" "tile=32 rows_per_block=4" "tile=16 rows_per_block=4" "tile=64 rows_per_block=8")
    square_tiles=(8 16 32) pads=(0 1 2) strides=(2 5 8 32) offsets=(1 4 8) batches=(8 32)
    types=(f64 f16 i8) flat_sizes=(64 128 512 1024)
fi
shapes=("${others[@]}")
for n in "${squares[@]}"; do shapes+=("rows=$n cols=$n"); done
middle=("rows=${squares[1]} cols=${squares[1]}" "${others[0]}")
large="rows=${squares[2]} cols=${squares[2]}"

all_shapes() { # every shape in f32, two of them in the other types: KERNEL SETTINGS
    for shape in "${shapes[@]}"; do echo "$1 $shape $2"; done
    for shape in "${middle[@]}"; do for type in "${types[@]}"; do echo "$1 $shape $2 type=$type"; done; done
}

list() {
    for kernel in copy transpose_naive; do
        for block in "${blocks[@]:0:4}"; do all_shapes $kernel "$block"; done
        for block in "${blocks[@]:4}"; do
            for shape in "${middle[@]}" "$large"; do echo "$kernel $shape $block"; done
        done
    done
    for pad in "${pads[@]}"; do
        for block in "${blocks[@]}"; do
            for shape in "${middle[@]}" "$large"; do echo "transpose_shared_flat $shape $block pad=$pad"; done
        done
        for tile in "${square_tiles[@]}"; do
            for shape in "${middle[@]}" "$large"; do echo "transpose_shared $shape tile=$tile pad=$pad"; done
        done
        for kernel in transpose_shared_multi transpose_flat_bound; do
            for tile in "${tiles[@]}"; do
                for shape in "${middle[@]}" "$large"; do echo "$kernel $shape $tile pad=$pad"; done
            done
        done
    done
    all_shapes transpose_shared "tile=32 pad=1"
    all_shapes transpose_shared_multi "${tiles[0]} pad=1"
    all_shapes transpose_one_warp ""
    for tile in "${tiles[@]}"; do
        for kernel in transpose_swizzle transpose_naive_multi; do all_shapes $kernel "$tile"; done
    done
    for block in "${blocks[@]:0:4}"; do
        for n in "${squares[@]}"; do
            [ $((n % 256)) -ne 0 ] || echo "transpose_float4 rows=$n cols=$n $block"
        done
    done
    for size in "${flat_sizes[@]}"; do
        for offset in "${offsets[@]}"; do
            for shape in "${middle[@]}"; do echo "offset_copy $shape block_x=$size offset=$offset"; done
        done
        for stride in "${strides[@]}"; do
            for shape in "${middle[@]}"; do echo "strided_copy $shape block_x=$size stride=$stride"; done
        done
    done
    for batch in "${batches[@]}"; do
        for layout in contiguous merged; do
            for type in f32 f16 i8; do
                for n in "${squares[@]:0:2}"; do
                    echo "copy_transpose_batched rows=$n cols=$n batch=$batch layout=$layout type=$type"
                done
            done
        done
    done
}

list | shuffled
