// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "copy"
order = 10
title = { en = "Copy", zh_CN = "复制" }
summary = { en = "Copies a matrix row by row: as many bytes read as written, every access coalesced. The baseline that every transpose is held against.", zh_CN = "逐行复制矩阵：读写字节数相同，每次访问都合并。它是衡量所有转置内核的基准。" }
teaches = { en = "What a coalesced access looks like: 32 neighbouring lanes, 32 neighbouring elements, no sector touched in vain.", zh_CN = "合并访问的样子：32 个相邻通道访问 32 个相邻元素，没有一个扇区被白白触及。" }
entry = "copyMatrix"

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

[[parameters]]
name = "block_y"
label = { en = "Block y", zh_CN = "线程块 y" }
help = { en = "Threads of a block along a column of the input.", zh_CN = "线程块沿输入矩阵列方向的线程数。" }
default = 8
min = 1
max = 1024
presets = [8, 16, 32]

[[legality]]
condition = "block_x * block_y <= 1024"
parameters = ["block_x", "block_y"]
sentence = { en = "A block of {block_x} x {block_y} has {block_x * block_y} threads; 1024 is the limit.", zh_CN = "{block_x} x {block_y} 的线程块有 {block_x * block_y} 个线程，上限为 1024。" }

[[legality]]
condition = "cdiv(rows, block_y) <= 65535"
parameters = ["rows", "block_y"]
sentence = { en = "The grid needs {cdiv(rows, block_y)} blocks in y; 65535 is the limit. Take a larger block y.", zh_CN = "网格在 y 方向需要 {cdiv(rows, block_y)} 个线程块，上限为 65535。请增大线程块 y。" }

[launch]
grid = ["cdiv(cols, block_x)", "cdiv(rows, block_y)"]
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
index = "i"

[verify]
rows = "min(rows, 2 * block_y + rows % block_y)"
cols = "min(cols, 2 * block_x + cols % block_x)"

[[presets]]
title = { en = "2048 x 512, block 32 x 8", zh_CN = "2048 x 512，线程块 32 x 8" }
values = { rows = 2048, cols = 512, block_x = 32, block_y = 8 }

[[presets]]
title = { en = "1024 x 1024, block 32 x 8", zh_CN = "1024 x 1024，线程块 32 x 8" }
values = { rows = 1024, cols = 1024, block_x = 32, block_y = 8 }

[[presets]]
title = { en = "4096 x 4096, block 32 x 8", zh_CN = "4096 x 4096，线程块 32 x 8" }
values = { rows = 4096, cols = 4096, block_x = 32, block_y = 8 }

[[presets]]
title = { en = "4096 x 4096, block 8 x 32: a warp spans four rows", zh_CN = "4096 x 4096，线程块 8 x 32：一个线程束跨四行" }
values = { rows = 4096, cols = 4096, block_x = 8, block_y = 32 }

[[presets]]
title = { en = "1000 x 1003, rows that start between sectors", zh_CN = "1000 x 1003，每行不从扇区边界开始" }
values = { rows = 1000, cols = 1003, block_x = 32, block_y = 8 }
--- */

/// Copies in to out, both rows x cols in row-major order.
__global__ void copyMatrix(const Element* in, Element* out, int rows, int cols)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x; // neighbouring lanes: neighbouring columns
    const int row = blockIdx.y * blockDim.y + threadIdx.y;

    if (row < rows && col < cols) {
        const size_t i = size_t(row) * cols + col; // 64 bits: rows * cols may pass 2^31
        out[i] = in[i];
    }
}
