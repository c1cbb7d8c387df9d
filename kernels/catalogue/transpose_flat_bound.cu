// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "transpose_flat_bound"
order = 90
title = { en = "Transpose with a wrong bound", zh_CN = "边界条件有误的转置" }
summary = { en = "The shared-memory transpose, but its bound tests only the flat index against rows * cols. Wrong as soon as the rows are no multiple of the tile: lanes beyond a row's end write into the next row. The bug is kept on purpose.", zh_CN = "经共享内存的转置，但边界条件只把一维下标与 rows * cols 比较。只要行数不是分块边长的整数倍，结果就会出错：越过行尾的线程会写到下一行。这个错误是有意保留的。" }
teaches = { en = "A flat bound keeps every access inside the buffer, so that no memory checker complains; only the verified output shows it.", zh_CN = "一维边界使每次访问都留在缓冲区内，内存检查工具不会报错；只有核对输出才能发现。" }
entry = "transposeFlatBound"

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

[[parameters]]
name = "pad"
label = { en = "Padding", zh_CN = "填充" }
help = { en = "Unused elements at the end of each row of the tile; they shift the rows against each other over the banks.", zh_CN = "分块每行末尾不使用的元素，使各行在存储体上相互错开。" }
default = 1
min = 0
max = 8
presets = [0, 1, 2]
define = "PAD"

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
title = { en = "1000 x 1003, the wrong result", zh_CN = "1000 x 1003，结果出错" }
values = { rows = 1000, cols = 1003, tile = 32, rows_per_block = 8, pad = 1 }

[[presets]]
title = { en = "4096 x 4096, pad 0", zh_CN = "4096 x 4096，填充 0" }
values = { rows = 4096, cols = 4096, tile = 32, rows_per_block = 8, pad = 0 }

[[presets]]
title = { en = "4096 x 4096, pad 1", zh_CN = "4096 x 4096，填充 1" }
values = { rows = 4096, cols = 4096, tile = 32, rows_per_block = 8, pad = 1 }

[[presets]]
title = { en = "4096 x 4096, pad 2", zh_CN = "4096 x 4096，填充 2" }
values = { rows = 4096, cols = 4096, tile = 32, rows_per_block = 8, pad = 2 }

[[presets]]
title = { en = "2048 x 512, pad 1", zh_CN = "2048 x 512，填充 1" }
values = { rows = 2048, cols = 512, tile = 32, rows_per_block = 8, pad = 1 }

[[presets]]
title = { en = "1024 x 1024, pad 1", zh_CN = "1024 x 1024，填充 1" }
values = { rows = 1024, cols = 1024, tile = 32, rows_per_block = 8, pad = 1 }
--- */

/// Means to transpose in (rows x cols) to out (cols x rows); right only where TILE divides the rows.
__global__ void transposeFlatBound(const Element* in, Element* out, int rows, int cols)
{
    __shared__ Element tile[TILE][TILE + PAD];
    const size_t count = size_t(rows) * cols;

    const int col = blockIdx.x * TILE + threadIdx.x;
    const int row = blockIdx.y * TILE + threadIdx.y;
#pragma unroll
    for (int j = 0; j < TILE; j += ROWS_PER_BLOCK) {
        const size_t i = size_t(row + j) * cols + col;
        if (i < count)
            tile[threadIdx.y + j][threadIdx.x] = in[i];
    }

    __syncthreads();

    const int outCol = blockIdx.y * TILE + threadIdx.x;
    const int outRow = blockIdx.x * TILE + threadIdx.y;
#pragma unroll
    for (int j = 0; j < TILE; j += ROWS_PER_BLOCK) {
        const size_t o = size_t(outRow + j) * rows + outCol;
        if (o < count) // the mistake: outCol >= rows lands in the next row and overwrites it
            out[o] = tile[threadIdx.x][threadIdx.y + j];
    }
}
