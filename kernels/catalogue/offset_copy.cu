// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "offset_copy"
order = 20
title = { en = "Copy from an offset", zh_CN = "带偏移的复制" }
summary = { en = "Copies rows x cols elements, taken as one run, from OFFSET elements into the input. The writes stay aligned.", zh_CN = "把 rows x cols 个元素当作一段连续数据，从输入的第 OFFSET 个元素开始复制；写入保持对齐。" }
teaches = { en = "A warp that starts between two sectors touches one sector more: for 4-byte elements 5 instead of 4. An offset of 8 floats, a whole sector, costs nothing.", zh_CN = "起点落在两个扇区之间的线程束会多触及一个扇区：4 字节元素时是 5 个而不是 4 个。偏移 8 个 float（正好一个扇区）则没有代价。" }
entry = "offsetCopy"

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
help = { en = "Threads of a block.", zh_CN = "线程块的线程数。" }
default = 256
min = 1
max = 1024
presets = [32, 128, 256, 1024]

[[parameters]]
name = "offset"
label = { en = "Offset", zh_CN = "偏移" }
help = { en = "Elements that are skipped at the start of the input.", zh_CN = "在输入开头跳过的元素数。" }
default = 1
min = 0
max = 1024
presets = [0, 1, 2, 4, 8, 16, 32]

[[legality]]
condition = "cdiv(rows * cols, block_x) <= 2147483647"
parameters = ["rows", "cols", "block_x"]
sentence = { en = "The grid needs {cdiv(rows * cols, block_x)} blocks; 2147483647 is the limit. Take a larger block x.", zh_CN = "网格需要 {cdiv(rows * cols, block_x)} 个线程块，上限为 2147483647。请增大线程块 x。" }

[launch]
grid = ["cdiv(rows * cols, block_x)"]
block = ["block_x"]

[[arguments]]
buffer = "in"
type = "{type}"
count = "rows * cols + offset"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "{type}"
count = "rows * cols"

[[arguments]]
scalar = "count"
type = "u64"
value = "rows * cols"

[[arguments]]
scalar = "offset"
type = "i32"

[reference]
output = "out"
input = "in"
index = "i + offset"

[verify]
rows = "1"
cols = "min(rows * cols, 2 * block_x + rows * cols % block_x)"

[[presets]]
title = { en = "4096 x 4096, offset 0: 4 sectors", zh_CN = "4096 x 4096，偏移 0：4 个扇区" }
values = { rows = 4096, cols = 4096, offset = 0 }

[[presets]]
title = { en = "4096 x 4096, offset 1: 5 sectors", zh_CN = "4096 x 4096，偏移 1：5 个扇区" }
values = { rows = 4096, cols = 4096, offset = 1 }

[[presets]]
title = { en = "4096 x 4096, offset 8: a whole sector", zh_CN = "4096 x 4096，偏移 8：正好一个扇区" }
values = { rows = 4096, cols = 4096, offset = 8 }

[[presets]]
title = { en = "2048 x 512, offset 1", zh_CN = "2048 x 512，偏移 1" }
values = { rows = 2048, cols = 512, offset = 1 }

[[presets]]
title = { en = "1024 x 1024, offset 1", zh_CN = "1024 x 1024，偏移 1" }
values = { rows = 1024, cols = 1024, offset = 1 }
--- */

/// Copies `count` elements that start `offset` elements into the input.
__global__ void offsetCopy(const Element* in, Element* out, size_t count, int offset)
{
    const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;

    if (i < count)
        out[i] = in[i + offset]; // lane 0 no longer starts at a sector's first byte
}
