// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "transpose_naive_multi"
order = 50
title = { en = "Transpose, naive, several elements a thread", zh_CN = "朴素转置，每线程多个元素" }
summary = { en = "A block of 32 x 8 threads transposes a 32 x 32 tile without shared memory: each thread moves one element in each of four rows.", zh_CN = "32 x 8 个线程的线程块不用共享内存转置 32 x 32 的分块：每个线程在四行中各搬运一个元素。" }
teaches = { en = "Fewer, busier threads hide latency and share the index arithmetic, but the writes are as strided as before: the sectors do not change.", zh_CN = "线程更少、每个线程更忙，可以隐藏延迟并分摊下标计算；但写入仍是跨步的，扇区数没有变化。" }
entry = "transposeNaiveMulti"

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
title = { en = "2048 x 512, 32 x 8 threads", zh_CN = "2048 x 512，32 x 8 个线程" }
values = { rows = 2048, cols = 512, tile = 32, rows_per_block = 8 }

[[presets]]
title = { en = "1024 x 1024, 32 x 8 threads", zh_CN = "1024 x 1024，32 x 8 个线程" }
values = { rows = 1024, cols = 1024, tile = 32, rows_per_block = 8 }

[[presets]]
title = { en = "4096 x 4096, 32 x 8 threads", zh_CN = "4096 x 4096，32 x 8 个线程" }
values = { rows = 4096, cols = 4096, tile = 32, rows_per_block = 8 }

[[presets]]
title = { en = "4096 x 4096, one element a thread", zh_CN = "4096 x 4096，每线程一个元素" }
values = { rows = 4096, cols = 4096, tile = 32, rows_per_block = 32 }

[[presets]]
title = { en = "1000 x 1003, no multiple of anything", zh_CN = "1000 x 1003，不是任何块长的整数倍" }
values = { rows = 1000, cols = 1003, tile = 32, rows_per_block = 8 }
--- */

/// Transposes in (rows x cols) to out (cols x rows); each thread takes TILE / ROWS_PER_BLOCK elements.
__global__ void transposeNaiveMulti(const Element* in, Element* out, int rows, int cols)
{
    const int col = blockIdx.x * TILE + threadIdx.x;
    const int row = blockIdx.y * TILE + threadIdx.y;

#pragma unroll
    for (int j = 0; j < TILE; j += ROWS_PER_BLOCK) {
        if (row + j < rows && col < cols)
            out[size_t(col) * rows + row + j] = in[size_t(row + j) * cols + col];
    }
}
