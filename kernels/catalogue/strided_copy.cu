// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "strided_copy"
order = 30
title = { en = "Strided copy", zh_CN = "跨步复制" }
summary = { en = "Reads every STRIDE-th element of a rows x cols matrix, taken as one run, and writes them side by side.", zh_CN = "把 rows x cols 的矩阵当作一段连续数据，每隔 STRIDE 个元素读一个，并紧挨着写出。" }
teaches = { en = "The memory moves whole sectors: with stride 2 half of every sector is wasted, with stride 8 (4-byte elements) seven eighths, while the whole matrix is still read. Beyond that, sectors are skipped.", zh_CN = "内存以整个扇区传输：步长 2 时每个扇区浪费一半；4 字节元素步长 8 时浪费八分之七，而整个矩阵仍要读一遍；步长再大，才会跳过扇区。" }
entry = "stridedCopy"

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
name = "stride"
label = { en = "Stride", zh_CN = "步长" }
help = { en = "Elements from one that is read to the next.", zh_CN = "相邻两次读取之间的元素数。" }
default = 2
min = 1
max = 1024
presets = [1, 2, 4, 8, 16, 32]

[[legality]]
condition = "cdiv(cdiv(rows * cols, stride), block_x) <= 2147483647"
parameters = ["rows", "cols", "block_x"]
sentence = { en = "The grid needs {cdiv(cdiv(rows * cols, stride), block_x)} blocks; 2147483647 is the limit. Take a larger block x.", zh_CN = "网格需要 {cdiv(cdiv(rows * cols, stride), block_x)} 个线程块，上限为 2147483647。请增大线程块 x。" }

[launch]
grid = ["cdiv(cdiv(rows * cols, stride), block_x)"]
block = ["block_x"]

[[arguments]]
buffer = "in"
type = "{type}"
count = "rows * cols"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "{type}"
count = "cdiv(rows * cols, stride)"

[[arguments]]
scalar = "count"
type = "u64"
value = "cdiv(rows * cols, stride)"

[[arguments]]
scalar = "stride"
type = "i32"

[reference]
output = "out"
input = "in"
index = "i * stride"

[verify]
rows = "1"
cols = "min(rows * cols, 2 * block_x * stride + rows * cols % (block_x * stride))"

[[presets]]
title = { en = "4096 x 4096, stride 1", zh_CN = "4096 x 4096，步长 1" }
values = { rows = 4096, cols = 4096, stride = 1 }

[[presets]]
title = { en = "4096 x 4096, stride 2", zh_CN = "4096 x 4096，步长 2" }
values = { rows = 4096, cols = 4096, stride = 2 }

[[presets]]
title = { en = "4096 x 4096, stride 4", zh_CN = "4096 x 4096，步长 4" }
values = { rows = 4096, cols = 4096, stride = 4 }

[[presets]]
title = { en = "4096 x 4096, stride 8", zh_CN = "4096 x 4096，步长 8" }
values = { rows = 4096, cols = 4096, stride = 8 }

[[presets]]
title = { en = "4096 x 4096, stride 32", zh_CN = "4096 x 4096，步长 32" }
values = { rows = 4096, cols = 4096, stride = 32 }

[[presets]]
title = { en = "2048 x 512, stride 2", zh_CN = "2048 x 512，步长 2" }
values = { rows = 2048, cols = 512, stride = 2 }

[[presets]]
title = { en = "1024 x 1024, stride 2", zh_CN = "1024 x 1024，步长 2" }
values = { rows = 1024, cols = 1024, stride = 2 }
--- */

/// Writes elements 0, stride, 2 * stride, ... of the input side by side.
__global__ void stridedCopy(const Element* in, Element* out, size_t count, int stride)
{
    const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;

    if (i < count)
        out[i] = in[i * stride]; // lanes read `stride` elements apart: fewer useful bytes a sector
}
