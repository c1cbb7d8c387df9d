// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "transpose_shared_flat"
order = 70
title = { en = "Transpose through shared memory, any block shape", zh_CN = "经共享内存的转置，任意块形状" }
summary = { en = "The tile has the block's own shape, BLOCK_Y x (BLOCK_X + pad). A thread's flat index is divided again by the other dimension to give the cell that it writes.", zh_CN = "分块的形状就是线程块的形状 BLOCK_Y x (BLOCK_X + pad)。线程的一维下标再除以另一个维度，得到它写出的单元。" }
teaches = { en = "Which padding is free of conflicts depends on the block's shape: 8 x 32 reads without conflicts at pad 1, 32 x 8 needs pad 4. A row of blocks too many costs launches that do nothing.", zh_CN = "哪种填充没有冲突取决于线程块的形状：8 x 32 在填充 1 时读取无冲突，32 x 8 则需要填充 4。多出的一行线程块只是白白启动。" }
entry = "transposeSharedFlat"

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
name = "block_x"
label = { en = "Block x", zh_CN = "线程块 x" }
help = { en = "Threads of a block along a row of the input: the fast direction of a warp.", zh_CN = "线程块沿输入矩阵行方向的线程数，即线程束中相邻线程的方向。" }
default = 32
min = 1
max = 1024
presets = [8, 16, 32]
define = "BLOCK_X"

[[parameters]]
name = "block_y"
label = { en = "Block y", zh_CN = "线程块 y" }
help = { en = "Threads of a block along a column of the input.", zh_CN = "线程块沿输入矩阵列方向的线程数。" }
default = 8
min = 1
max = 1024
presets = [8, 16, 32]
define = "BLOCK_Y"

[[parameters]]
name = "pad"
label = { en = "Padding", zh_CN = "填充" }
help = { en = "Unused elements at the end of each row of the tile; they shift the rows against each other over the banks.", zh_CN = "分块每行末尾不使用的元素，使各行在存储体上相互错开。" }
default = 1
min = 0
max = 32
presets = [0, 1, 2, 4]
define = "PAD"

[[parameters]]
name = "grid"
label = { en = "Grid", zh_CN = "网格" }
help = { en = "As published the grid has (rows + block_y) / block_y rows of blocks: one too many where block_y divides the rows.", zh_CN = "发表的版本在 y 方向有 (rows + block_y) / block_y 行线程块：当 block_y 整除行数时多出一行。" }
default = "published"
choices = [
    { value = "published", label = { en = "as published", zh_CN = "按发表的版本" } },
    { value = "tight", label = { en = "tight", zh_CN = "恰好覆盖" } },
]

[[legality]]
condition = "block_x * block_y <= 1024"
parameters = ["block_x", "block_y"]
sentence = { en = "A block of {block_x} x {block_y} has {block_x * block_y} threads; 1024 is the limit.", zh_CN = "{block_x} x {block_y} 的线程块有 {block_x * block_y} 个线程，上限为 1024。" }

[[legality]]
condition = "block_y * (block_x + pad) * size(type) <= 49152"
parameters = ["block_x", "block_y", "pad", "type"]
sentence = { en = "The tile takes {block_y * (block_x + pad) * size(type)} bytes of shared memory; a block may declare 49152.", zh_CN = "分块占用 {block_y * (block_x + pad) * size(type)} 字节共享内存；线程块最多可声明 49152 字节。" }

[[legality]]
condition = "grid == \"tight\" and cdiv(rows, block_y) <= 65535 or grid == \"published\" and (rows + block_y) // block_y <= 65535"
parameters = ["rows", "block_y"]
sentence = { en = "The grid needs more than 65535 blocks in y; that is the limit. Take a larger block y.", zh_CN = "网格在 y 方向需要超过 65535 个线程块，已越过上限。请增大线程块 y。" }

[launch]
grid = ["cdiv(cols, block_x)", "grid == \"tight\" and cdiv(rows, block_y) or (rows + block_y) // block_y"]
block = ["block_x", "block_y"]

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
rows = "min(rows, 2 * block_y + rows % block_y)"
cols = "min(cols, 2 * block_x + cols % block_x)"

[[presets]]
title = { en = "4096 x 4096, block 8 x 32, pad 0", zh_CN = "4096 x 4096，线程块 8 x 32，填充 0" }
values = { rows = 4096, cols = 4096, block_x = 8, block_y = 32, pad = 0, grid = "published" }

[[presets]]
title = { en = "4096 x 4096, block 8 x 32, pad 1", zh_CN = "4096 x 4096，线程块 8 x 32，填充 1" }
values = { rows = 4096, cols = 4096, block_x = 8, block_y = 32, pad = 1, grid = "published" }

[[presets]]
title = { en = "4096 x 4096, block 8 x 32, pad 2", zh_CN = "4096 x 4096，线程块 8 x 32，填充 2" }
values = { rows = 4096, cols = 4096, block_x = 8, block_y = 32, pad = 2, grid = "published" }

[[presets]]
title = { en = "4096 x 4096, block 32 x 8, pad 0", zh_CN = "4096 x 4096，线程块 32 x 8，填充 0" }
values = { rows = 4096, cols = 4096, block_x = 32, block_y = 8, pad = 0, grid = "published" }

[[presets]]
title = { en = "4096 x 4096, block 32 x 8, pad 1", zh_CN = "4096 x 4096，线程块 32 x 8，填充 1" }
values = { rows = 4096, cols = 4096, block_x = 32, block_y = 8, pad = 1, grid = "published" }

[[presets]]
title = { en = "4096 x 4096, block 32 x 8, pad 2", zh_CN = "4096 x 4096，线程块 32 x 8，填充 2" }
values = { rows = 4096, cols = 4096, block_x = 32, block_y = 8, pad = 2, grid = "published" }

[[presets]]
title = { en = "4096 x 4096, block 16 x 16, pad 0", zh_CN = "4096 x 4096，线程块 16 x 16，填充 0" }
values = { rows = 4096, cols = 4096, block_x = 16, block_y = 16, pad = 0, grid = "published" }

[[presets]]
title = { en = "4096 x 4096, block 16 x 16, pad 1", zh_CN = "4096 x 4096，线程块 16 x 16，填充 1" }
values = { rows = 4096, cols = 4096, block_x = 16, block_y = 16, pad = 1, grid = "published" }

[[presets]]
title = { en = "4096 x 4096, block 16 x 16, pad 2", zh_CN = "4096 x 4096，线程块 16 x 16，填充 2" }
values = { rows = 4096, cols = 4096, block_x = 16, block_y = 16, pad = 2, grid = "published" }

[[presets]]
title = { en = "4096 x 4096, block 32 x 32, pad 0", zh_CN = "4096 x 4096，线程块 32 x 32，填充 0" }
values = { rows = 4096, cols = 4096, block_x = 32, block_y = 32, pad = 0, grid = "published" }

[[presets]]
title = { en = "4096 x 4096, block 32 x 32, pad 1", zh_CN = "4096 x 4096，线程块 32 x 32，填充 1" }
values = { rows = 4096, cols = 4096, block_x = 32, block_y = 32, pad = 1, grid = "published" }

[[presets]]
title = { en = "4096 x 4096, block 32 x 32, pad 2", zh_CN = "4096 x 4096，线程块 32 x 32，填充 2" }
values = { rows = 4096, cols = 4096, block_x = 32, block_y = 32, pad = 2, grid = "published" }

[[presets]]
title = { en = "4096 x 4096, block 32 x 8, pad 4", zh_CN = "4096 x 4096，线程块 32 x 8，填充 4" }
values = { rows = 4096, cols = 4096, block_x = 32, block_y = 8, pad = 4, grid = "published" }

[[presets]]
title = { en = "4096 x 4096, block 32 x 8, pad 1, tight grid", zh_CN = "4096 x 4096，线程块 32 x 8，填充 1，网格恰好覆盖" }
values = { rows = 4096, cols = 4096, block_x = 32, block_y = 8, pad = 1, grid = "tight" }

[[presets]]
title = { en = "2048 x 512, block 32 x 8, pad 1", zh_CN = "2048 x 512，线程块 32 x 8，填充 1" }
values = { rows = 2048, cols = 512, block_x = 32, block_y = 8, pad = 1, grid = "published" }

[[presets]]
title = { en = "1024 x 1024, block 16 x 16, pad 1", zh_CN = "1024 x 1024，线程块 16 x 16，填充 1" }
values = { rows = 1024, cols = 1024, block_x = 16, block_y = 16, pad = 1, grid = "published" }

[[presets]]
title = { en = "1000 x 1003, no multiple of anything", zh_CN = "1000 x 1003，不是任何块长的整数倍" }
values = { rows = 1000, cols = 1003, block_x = 32, block_y = 8, pad = 1, grid = "published" }
--- */

/// Transposes in (rows x cols) to out (cols x rows) with blocks of any shape.
__global__ void transposeSharedFlat(const Element* in, Element* out, int rows, int cols)
{
    __shared__ Element tile[BLOCK_Y][BLOCK_X + PAD];

    const int col = blockIdx.x * BLOCK_X + threadIdx.x;
    const int row = blockIdx.y * BLOCK_Y + threadIdx.y;
    if (row < rows && col < cols)
        tile[threadIdx.y][threadIdx.x] = in[size_t(row) * cols + col];

    __syncthreads();

    // The transposed tile has rows of BLOCK_Y elements: the same threads, dealt out anew.
    const int flat = threadIdx.y * BLOCK_X + threadIdx.x;
    const int tileRow = flat % BLOCK_Y;
    const int tileCol = flat / BLOCK_Y;
    const int outCol = blockIdx.y * BLOCK_Y + tileRow;
    const int outRow = blockIdx.x * BLOCK_X + tileCol;
    if (outRow < cols && outCol < rows)
        out[size_t(outRow) * rows + outCol] = tile[tileRow][tileCol];
}
