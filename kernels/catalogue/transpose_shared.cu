// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "transpose_shared"
order = 60
title = { en = "Transpose through shared memory", zh_CN = "经共享内存的转置" }
summary = { en = "A block reads a tile row by row into shared memory and writes it out column by column: block indices swapped, thread indices kept.", zh_CN = "线程块把一个分块逐行读入共享内存，再逐列写出：交换块下标，线程下标不变。" }
teaches = { en = "Both global accesses are coalesced now; the stride has moved into shared memory. Without padding a column of the f32 tile lies in one bank: 32 wavefronts a load. One element of padding: 1. Two: 2.", zh_CN = "两次全局访问现在都已合并，跨步移到了共享内存。不填充时 f32 分块的一列落在同一个存储体：一次读取需 32 个波前；填充 1 个元素只需 1 个，填充 2 个则需 2 个。" }
entry = "transposeShared"

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
max = 32
presets = [8, 16, 32]
define = "TILE"

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
condition = "cdiv(rows, tile) <= 65535"
parameters = ["rows", "tile"]
sentence = { en = "The grid needs {cdiv(rows, tile)} blocks in y; 65535 is the limit. Take a larger tile.", zh_CN = "网格在 y 方向需要 {cdiv(rows, tile)} 个线程块，上限为 65535。请增大分块边长。" }

[launch]
grid = ["cdiv(cols, tile)", "cdiv(rows, tile)"]
block = ["tile", "tile"]

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
title = { en = "4096 x 4096, pad 0", zh_CN = "4096 x 4096，填充 0" }
values = { rows = 4096, cols = 4096, tile = 32, pad = 0 }

[[presets]]
title = { en = "4096 x 4096, pad 1", zh_CN = "4096 x 4096，填充 1" }
values = { rows = 4096, cols = 4096, tile = 32, pad = 1 }

[[presets]]
title = { en = "4096 x 4096, pad 2", zh_CN = "4096 x 4096，填充 2" }
values = { rows = 4096, cols = 4096, tile = 32, pad = 2 }

[[presets]]
title = { en = "2048 x 512, pad 0", zh_CN = "2048 x 512，填充 0" }
values = { rows = 2048, cols = 512, tile = 32, pad = 0 }

[[presets]]
title = { en = "2048 x 512, pad 1", zh_CN = "2048 x 512，填充 1" }
values = { rows = 2048, cols = 512, tile = 32, pad = 1 }

[[presets]]
title = { en = "2048 x 512, pad 2", zh_CN = "2048 x 512，填充 2" }
values = { rows = 2048, cols = 512, tile = 32, pad = 2 }

[[presets]]
title = { en = "1024 x 1024, pad 0", zh_CN = "1024 x 1024，填充 0" }
values = { rows = 1024, cols = 1024, tile = 32, pad = 0 }

[[presets]]
title = { en = "1024 x 1024, pad 1", zh_CN = "1024 x 1024，填充 1" }
values = { rows = 1024, cols = 1024, tile = 32, pad = 1 }

[[presets]]
title = { en = "1024 x 1024, pad 2", zh_CN = "1024 x 1024，填充 2" }
values = { rows = 1024, cols = 1024, tile = 32, pad = 2 }

[[presets]]
title = { en = "4096 x 4096, tile 16, pad 1", zh_CN = "4096 x 4096，分块 16，填充 1" }
values = { rows = 4096, cols = 4096, tile = 16, pad = 1 }

[[presets]]
title = { en = "1000 x 1003, no multiple of anything", zh_CN = "1000 x 1003，不是任何块长的整数倍" }
values = { rows = 1000, cols = 1003, tile = 32, pad = 1 }
--- */

/// Transposes in (rows x cols) to out (cols x rows) with TILE x TILE threads a block.
__global__ void transposeShared(const Element* in, Element* out, int rows, int cols)
{
    __shared__ Element tile[TILE][TILE + PAD];

    const int col = blockIdx.x * TILE + threadIdx.x;
    const int row = blockIdx.y * TILE + threadIdx.y;
    if (row < rows && col < cols)
        tile[threadIdx.y][threadIdx.x] = in[size_t(row) * cols + col];

    __syncthreads();

    // The block's place is transposed, the thread's is not: lanes write neighbouring elements again.
    const int outCol = blockIdx.y * TILE + threadIdx.x;
    const int outRow = blockIdx.x * TILE + threadIdx.y;
    if (outRow < cols && outCol < rows)
        out[size_t(outRow) * rows + outCol] = tile[threadIdx.x][threadIdx.y]; // a column of the tile
}
