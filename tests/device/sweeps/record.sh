#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures the sweeps of this folder's kernels on this machine's GPU: record.sh COALESCOPE OUTPUT.jsonl [NAME...]
# With names, only these. A line a launch is appended, as h200.jsonl has them; needs python3.
set -eu -o pipefail
coalescope=$1 output=$2 folder=$(dirname "$0")
shift 2
names=" $* "

sweep() {
    [ "$names" = "  " ] || [[ $names == *" $1 "* ]] || return 0
    "$coalescope" sweep "$folder/$1.cu" "${@:2}" --measure --runs "${RUNS:-30}" --json | python3 -c '
import json, sys
for launch in json.load(sys.stdin):
    measured = launch.get("measured", {})
    if measured.get("time", {}).get("warm"):
        for key in ("not_measured", "milliseconds", "hazards"):
            measured.pop(key, None)
        print(json.dumps(measured | {"lines": []}, separators=(",", ":")))' >>"$output"
}

sweep stencil_five --over block_x=8:256:x2 --over block_y=1:32:x2
sweep gemm_tiles --over tile=8:32:x2 --over n=512,1000,1024
sweep row_sums --set cols=1000 --over block=32,64,96,128,192,256,384,512,768,1024
sweep aos_sum --over fields=1,2,3,4,6,8,12,16 --over block=64,256,1024
sweep axpy_wide --over width=1:4:x2 --over block=64,256,1024 --over per=1,4,16
sweep blur_u8 --over block_x=8:128:x2 --over block_y=2:32:x2
sweep permute_3d --over block_x=4:64:x2 --over block_y=4:32:x2 --over block_z=1,4
sweep gemv_warps --over block=32:1024:x2 --over cols=1000,4096
sweep column_chunks --over block=32:1024:x2 --over chunk=16,64,256
sweep add_transposed --over tile=16:64:x2 --over pad=1:2 --over block_y=4:16:x2
sweep resize_double --over block_x=8:128:x2 --over block_y=2:32:x2
sweep histogram_bins --over block=64:1024:x2 --over grid=132,264,528,1056
sweep reduce_atomic --over block=64:1024:x2 --over per=1,4,16
sweep convolve_rows --over block_x=32:512:x2 --over block_y=1,2,4 --set radius=4
sweep particles_soa --over block=64:1024:x2 --over per=1,2,8
sweep nbody_tiles --over block=32:1024:x2 --over n=8192,16384
sweep sobel_edges --over block_x=8:128:x2 --over block_y=2:32:x2
sweep gather_stride --over stride=1,2,3,5,8,16,17,32,33 --over block=128,512
sweep interleave_fields --over fields=1:8 --over block=64,256,1024
sweep histogram_global --over bins=64:65536:x4 --over block=64,256,1024
sweep softmax_warps --over warps=1,2,4,8,16,32 --over cols=256,512,1024
sweep half_turn_tiles --over tile=16,32,64 --over pad=1:2 --over block_y=4,8,16
sweep layernorm_rows --over block=64:1024:x2 --over cols=1024,2048,4096
sweep stencil_seven --over block_x=8:128:x2 --over block_y=2:16:x2
sweep pool_two --over block_x=8:128:x2 --over block_y=2:16:x2
sweep update_fields --over fields=1,2,3,4,6,8,12 --over block=64,256,1024
sweep scan_shared --over block=64:1024:x2 --over stride=1,2,4
sweep columns_times --over block=64:512:x2 --over chunk=16,64,256,1024
sweep gray_bytes --over block=64:1024:x2 --over per=1,2,4
sweep jacobi_tiles --over block_x=8:128:x2 --over block_y=2:32:x2
sweep filter_2d --over block_x=16:128:x2 --over block_y=2:32:x2
sweep bitonic_step --over j=1,4,16,64,1024,65536,1048576 --over block=128,512
sweep ell_multiply --over block=64:1024:x2 --over width=4,16,64
sweep embedding_rows --over block=32:1024:x2 --over dim=256,512,2048
sweep rms_rows --over warps=1,2,4,8,16,32 --over cols=512,1024,4096
sweep bias_gelu --over block=64:1024:x2 --over per=1,2,4
sweep argmax_rows --over block=32:1024:x2 --over cols=1000,4000
sweep option_prices --over block=64:1024:x2 --over per=1,4
sweep small_products --over block=32:1024:x2 --over n=65536,524288
sweep running_columns --over block=32:1024:x2 --over rows=64,256
sweep channels_last --over tile=16,32 --over block_y=4,8,16 --over pixels=784,3136
sweep lattice_stream --over block_x=16:256:x2 --over block_y=1,2,4,8
sweep restrict_3d --over block_x=8:128:x2 --over block_y=1,2,4,8
sweep triad_vectors --over block=64:1024:x2 --over grid=132,528,2112,8192
sweep sliding_minimum --over block=64:1024:x2 --over radius=4,16,64
sweep quantize_rows --over block=64:1024:x2 --over cols=1024,4096
sweep wave_2d --over block_x=8:256:x2 --over block_y=1:16:x4
sweep mean_pixels --over block_x=16:128:x2 --over block_y=1,4,8
sweep dot_products --over warps=1,2,4,8,16,32 --over cols=128,256,1024
sweep compact_flags --over block=64:1024:x2 --over n=1048576,8388608
sweep tridiagonal --over block=32:1024:x2 --over steps=16,64
sweep attention_scores --over tile=8,16,32 --over dim=32,64,128 --set n=1024
sweep colour_cube --over block=64:1024:x2 --over n=1048576,8294400
sweep rotate_image --over block_x=8:64:x2 --over block_y=2:32:x2
sweep sgemm_registers --over tile=32:128:x2 --over depth=8,16 --over n=1024,2048
sweep csr_warps --over block=32:1024:x2 --over nnz=16,64,200
sweep rope_pairs --over block=32:1024:x2 --over dim=64,128 --over heads=8,32
sweep adam_step --over block=64:1024:x2 --over per=1,2,4,8
sweep cross_entropy --over block=32:1024:x2 --over classes=1000,4096,32768
sweep bilinear_zoom --over block_x=8:128:x2 --over block_y=2:16:x2
sweep conv_channels --over tile_x=8:64:x2 --over tile_y=4:16:x2 --over channels=3,16
sweep rank_one --over block_x=8:128:x2 --over block_y=1:8:x2
sweep dropout_mask --over block=64:1024:x2 --over per=1,2,4
sweep kmeans_assign --over block=64:1024:x2 --over centroids=16,64 --over dim=2,8
sweep heat_march --over block_x=16:128:x2 --over block_y=2:8:x2 --over planes=16,64
sweep life_cells --over block_x=16:128:x2 --over block_y=1:16:x2
sweep mandelbrot --over block_x=8:64:x2 --over block_y=2:16:x2
sweep int4_gemv --over block=32:1024:x2 --over cols=2048,8192
sweep scatter_values --over block=64:1024:x2 --over spread=64,4096,4194304
sweep causal_conv --over block_x=32:256:x2 --over block_y=1,2,4 --over channels=1024,4096
sweep swiglu_half --over block=64:1024:x2 --over per=1,2,4
sweep median_bytes --over block_x=16:128:x2 --over block_y=2:16:x2
sweep fdtd_step --over block_x=8:128:x2 --over block_y=2:16:x2
sweep complex_columns --over block=32:1024:x2 --over per=1,4,16
sweep pair_distances --over tile=8,16,32 --over dim=32,64,128 --over n=2048,4096
sweep spread_fields --set n=2097152 --set fields=8 --over stride=8,16,32 --over block=64,256
sweep spread_fields --set n=2097152 --set fields=4 --over stride=4:32:x2 --over block=256
sweep spread_fields --set n=6291456 --set fields=2 --over stride=2,4,8,32 --over block=256
for s in 2 4 8 16 32; do sweep spread_fields --set n=$((33554432 / s)) --set fields=1 --set stride=$s --over block=256; done
for s in 2 4 8 32; do
    sweep spread_fields --set n=$((8388608 / s)) --set fields=1 --set stride=$s --over block=256
    sweep spread_fields --set n=$((3145728 / s)) --set fields=1 --set stride=$s --over block=256
done
for s in 2 8 32; do sweep spread_fields --set n=$((4000000 / s)) --set fields=1 --set stride=$s --over block=128,512; done
for s in 3 4 8; do sweep spread_fields --set n=$((25165824 / s)) --set fields=2 --set stride=$s --over block=64,1024; done
for s in 4 5 8 16; do sweep spread_fields --set n=$((25165824 / s)) --set fields=3 --set stride=$s --over block=256; done
for s in 5 6 12; do sweep spread_fields --set n=$((25165824 / s)) --set fields=4 --set stride=$s --over block=256; done
for s in 12 16 20; do sweep spread_fields --set n=$((25165824 / s)) --set fields=12 --set stride=$s --over block=256; done
sweep pack_fields --set n=8388608 --over stride=2,4,8 --over block=256
sweep pack_fields --set n=1048576 --over stride=2:32:x2 --over block=256
sweep red_black --over block_x=16:128:x2 --over block_y=1:16:x2
sweep haar_step --over block_x=16:128:x2 --over block_y=1:8:x2
sweep im2col --over block_x=16:128:x2 --over block_y=2:8:x2
sweep upsample_two --over block_x=16:128:x2 --over block_y=1:8:x2
sweep symmetrize --over block_x=8:64:x2 --over block_y=2:16:x2
sweep points_rotate --over block=64:1024:x2 --over per=1,2,4
sweep table_bytes --over block=64:1024:x2 --over wide=1,2,4
sweep planes_to_pixels --over block_x=32:128:x2 --over block_y=1:8:x2 --over channels=1,3
sweep matvec_three --over block=32:1024:x2 --over n=262144,2097152
sweep pitched_rows --over block_x=16:128:x2 --over block_y=2,8 --over width=500,1000
sweep fft_stage --over half=1,4,16,256,65536 --over block=128,256,512
sweep floyd_step --over block_x=8:128:x2 --over block_y=1:16:x4
sweep depthwise_conv --over block_x=8:64:x2 --over block_y=2:16:x2
sweep group_norm --over block=64:1024:x2 --over elements=2048,8192,32768
sweep bit_reverse --over block=64:1024:x2 --over bits=18,22
sweep horner --over degree=4,16,64,256 --over block=64,256,1024
sweep xorshift_fill --over block=64:1024:x2 --over per=1,4,16
sweep walsh_shared --over block=32:1024:x2 --over n=1048576,16777216
sweep batch_norm --over block=64:1024:x2 --over per=1,4 --set pixels=784
sweep scan_rows --over block=64:1024:x2 --over cols=1024,4096
sweep where_select --over block=64:1024:x2 --over per=1,2,4
sweep stencil_high --over block_x=16,32,64 --over block_y=2,4,8 --over block_z=1,2
sweep conv1d_halo --over block=64:1024:x2 --over radius=2,8,32
sweep conv2d_halo --over block_x=8:64:x2 --over block_y=2:16:x2
sweep matmul_naive --over block_x=8:64:x2 --over block_y=2:16:x2
sweep reduce_sum --over block=64:1024:x2 --over blocks=132,1056,8448
sweep hsv_pixels --over block=32:1024:x2 --over n=1048576,16777216
sweep daxpy_strided --over block=64,256,1024 --over incx=1,4 --over incy=1,2,8
sweep transpose_3d --over tile=8,16,32 --over rows_at_once=2:8:x2
sweep max_pool3 --over block=64:1024:x2 --over channels=3,64
sweep sgd_momentum --over block=64:1024:x2 --over per=1,2,4
sweep rows_softmax --over block=32:1024:x2 --over cols=256,1000,4096
sweep chacha_xor --over block=64:1024:x2 --over rounds=8,20
sweep field_power --over block=32:1024:x2 --over squarings=0,16
sweep riemann_flux --over layout=aos,soa --over block_x=16:128:x2 --over block_y=1,4
sweep lattice_collide --over block_x=16,32,64 --over block_y=2,4 --over block_z=1,2
sweep lattice_collide --set layout=aos --set block_z=2 --over block_x=16,32 --over block_y=2,4
sweep dp4a_gemm --over tile=32,64 --over micro=2,4 --over k=512,2048
sweep dp4a_gemm --set tile=128 --over micro=4,8 --over k=512,2048
sweep experts_combine --over block_x=32:256:x2 --over block_y=1,4 --over experts=2,8
sweep cholesky_batch --over per=1:16:x2 --over type=f32,f64
sweep cholesky_batch --set order=32 --over per=1,2,4
sweep binomial_tree --over block=32:1024:x2 --over steps=256,1024
sweep packed_triangle --over block=32:1024:x2 --over n=2048,6144
sweep polyphase_filter --over block=32:1024:x2 --over factor=2,5
sweep align_pairs --over warps=1:32:x2 --over rows=1,4
sweep volume_project --set image=192 --over block_x=8:64:x2 --over block_y=2,8
sweep charge_deposit --over block=32:1024:x2 --over cells=128,1024
sweep decode_attention --over warps=1:32:x2 --over positions=256,1024
sweep knn_list --over block=32:512:x2 --over k=4,10
sweep knn_list --set block=64 --set points=192 --over k=8,24
sweep kd_walk --over block=32:512:x2 --over radius=15,30
sweep kd_walk --set block=128 --over depth=10,17
sweep lu_pivot --over layout=interleaved,contiguous --over order=4,8,10
sweep lu_pivot --set type=f32 --over order=6,10 --over block=32,128,256
sweep byte_counts --over bins=16,64,256 --over block=32,128,256
sweep byte_counts --set bins=256 --over words=8,60
sweep fft_local --over n=8:64:x2 --over block=64,128,256
sweep gotoh_rows --over block=32:256:x2 --over query=16,48
sweep gotoh_rows --set query=96 --over target=16,64
sweep merge_small --over items=16,32,64 --over block=32,128,512
sweep merge_small --set items=32 --over type=f64,u32,i64
sweep lorenz_rk --over dims=4,6,8,12 --over block=64,256,1024
sweep lorenz_rk --set dims=10 --over steps=1,8
sweep su3_staples --over layout=soa,aos --over block=64:512:x2
sweep su3_staples --set type=f32 --over side=12,20 --over layout=soa,aos
sweep topk_warp --over per=4,8,16,32 --over warps=2,8
sweep topk_warp --set per=16 --over k=1,16 --over warps=1,16
sweep radix_partition --over bits=4,6,8 --over block=128,256,512
sweep radix_partition --set block=256 --over per=4,16
sweep bfs_expand --over lanes=1:32:x2 --over degree=8,32
sweep bloom_probe --over layout=plain,blocked --over log_words=14,20,22
sweep bloom_probe --over block=64,1024 --over hashes=1,8
sweep rms_backward --over block=64:512:x2 --over quads=1,4
sweep rms_backward --over per=2,32 --over block=128,512
sweep fp8_groups --over each=2,4,8
sweep fp8_groups --over block=64,1024
sweep fp8_groups --set tokens=512 --over each=4,8 --over block=128,256
sweep fp8_groups --set cols=7168 --over tokens=4096,16384 --over each=4,8
sweep fp8_mma --over pad=0,16 --over depth=32,64,128
sweep fp8_mma --set m=2048 --set n=2048 --set k=2048 --over pad=0,16
sweep fp8_mma --set m=4096 --set n=4096 --over k=512,4096 --over depth=64,128
sweep imma_gemm --over skew=0,16
sweep imma_gemm --set m=256 --set n=512 --set k=512 --over stages=2,3
sweep imma_gemm --set m=4096 --set n=4096 --set k=1024 --over tile=64,128 --over stages=2,4
