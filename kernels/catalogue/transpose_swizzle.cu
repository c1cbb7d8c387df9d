// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "transpose_swizzle"
order = 130
title = { en = "Transpose with an XOR swizzle", zh_CN = "异或重排的转置" }
summary = { en = "The shared-memory transpose without padding: row r of the tile is stored with its columns permuted by XOR with r, so that rows and columns both spread over all banks.", zh_CN = "不用填充的共享内存转置：分块第 r 行的列号与 r 异或后存放，于是行和列都均匀分布在所有存储体上。" }
teaches = { en = "The same freedom from conflicts as padding, without a byte of shared memory wasted and with rows that stay aligned for wide accesses.", zh_CN = "与填充一样没有冲突，却不浪费一个字节的共享内存，而且各行仍保持适合宽访问的对齐。" }
entry = "transposeSwizzle"

[[parameters]]
name = "rows"
label = { en = "Rows", zh_CN = "行数" }
default = 4096
min = 1
max = 65536
presets = [1000, 1024, 2048, 4096]

[[parameters]]
name = "cols"
label = { en = "Columns", zh_CN = "列数" }
default = 4096
min = 1
max = 65536
presets = [512, 1003, 1024, 4096]

[[parameters]]
name = "type"
label = { en = "Element type", zh_CN = "元素类型" }
default = "f32"
types = ["f32", "f64", "f16", "i8", "i32"]
define = "Element"

[[parameters]]
name = "tile"
label = { en = "Tile", zh_CN = "分块边长" }
help = { en = "Edge of the square that one block transposes, in elements.", zh_CN = "一个线程块转置的正方形分块的边长（元素数）。" }
default = 32
min = 1
max = 64
presets = [8, 16, 32]
define = "TILE"

[[parameters]]
name = "rows_per_block"
label = { en = "Rows per block", zh_CN = "每块线程行数" }
help = { en = "Rows of threads of a block; each thread moves tile / rows elements.", zh_CN = "线程块中线程的行数；每个线程搬运 分块边长 / 行数 个元素。" }
default = 8
min = 1
max = 64
presets = [4, 8, 16, 32]
define = "ROWS_PER_BLOCK"

[[legality]]
condition = "(tile & (tile - 1)) == 0"
parameters = ["tile"]
sentence = { en = "The tile ({tile}) must be a power of two, or an XOR would leave it.", zh_CN = "分块边长（{tile}）必须是 2 的幂，否则异或的结果会越出分块。" }

[[legality]]
condition = "tile % rows_per_block == 0"
parameters = ["tile", "rows_per_block"]
sentence = { en = "The tile ({tile}) must be a multiple of the rows per block ({rows_per_block}), or threads would reach beyond their tile.", zh_CN = "分块边长（{tile}）必须是每块线程行数（{rows_per_block}）的整数倍，否则线程会越出自己的分块。" }

[[legality]]
condition = "tile * rows_per_block <= 1024"
parameters = ["tile", "rows_per_block"]
sentence = { en = "A block of {tile} x {rows_per_block} has {tile * rows_per_block} threads; 1024 is the limit.", zh_CN = "{tile} x {rows_per_block} 的线程块有 {tile * rows_per_block} 个线程，上限为 1024。" }

[[legality]]
condition = "cdiv(rows, tile) <= 65535"
parameters = ["rows", "tile"]
sentence = { en = "The grid needs {cdiv(rows, tile)} blocks in y; 65535 is the limit. Take a larger tile.", zh_CN = "网格在 y 方向需要 {cdiv(rows, tile)} 个线程块，上限为 65535。请增大分块边长。" }

[launch]
grid = ["cdiv(cols, tile)", "cdiv(rows, tile)"]
block = ["tile", "rows_per_block"]

[[arguments]]
buffer = "in"
type = "{type}"
count = "rows * cols"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "{type}"
count = "rows * cols"

[[arguments]]
scalar = "rows"
type = "i32"

[[arguments]]
scalar = "cols"
type = "i32"

[reference]
output = "out"
input = "in"
index = "i % rows * cols + i // rows"

[verify]
rows = "min(rows, 2 * tile + rows % tile)"
cols = "min(cols, 2 * tile + cols % tile)"

[[presets]]
title = { en = "2048 x 512", zh_CN = "2048 x 512" }
values = { rows = 2048, cols = 512, tile = 32, rows_per_block = 8 }

[[presets]]
title = { en = "1024 x 1024", zh_CN = "1024 x 1024" }
values = { rows = 1024, cols = 1024, tile = 32, rows_per_block = 8 }

[[presets]]
title = { en = "4096 x 4096", zh_CN = "4096 x 4096" }
values = { rows = 4096, cols = 4096, tile = 32, rows_per_block = 8 }

[[presets]]
title = { en = "4096 x 4096, f64", zh_CN = "4096 x 4096，f64" }
values = { rows = 4096, cols = 4096, type = "f64", tile = 32, rows_per_block = 8 }

[[presets]]
title = { en = "1000 x 1003, no multiple of anything", zh_CN = "1000 x 1003，不是任何块长的整数倍" }
values = { rows = 1000, cols = 1003, tile = 32, rows_per_block = 8 }
--- */

/// Transposes in (rows x cols) to out (cols x rows) through a tile whose row r holds column c at c ^ r.
__global__ void transposeSwizzle(const Element* in, Element* out, int rows, int cols)
{
    static_assert((TILE & (TILE - 1)) == 0, "TILE must be a power of two");
    __shared__ Element tile[TILE][TILE];

    const int col = blockIdx.x * TILE + threadIdx.x;
    const int row = blockIdx.y * TILE + threadIdx.y;
#pragma unroll
    for (int j = 0; j < TILE; j += ROWS_PER_BLOCK) {
        const int r = threadIdx.y + j;
        if (row + j < rows && col < cols)
            tile[r][threadIdx.x ^ r] = in[size_t(row + j) * cols + col];
    }

    __syncthreads();

    const int outCol = blockIdx.y * TILE + threadIdx.x;
    const int outRow = blockIdx.x * TILE + threadIdx.y;
#pragma unroll
    for (int j = 0; j < TILE; j += ROWS_PER_BLOCK) {
        const int c = threadIdx.y + j; // the lane reads row threadIdx.x, column c
        if (outRow + j < cols && outCol < rows)
            out[size_t(outRow + j) * rows + outCol] = tile[threadIdx.x][c ^ threadIdx.x];
    }
}
