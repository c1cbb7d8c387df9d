// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "copy_transpose_batched"
order = 120
title = { en = "Batched transpose", zh_CN = "批量转置" }
summary = { en = "Transposes a batch of matrices, eight a block one after the other, through one float tile of 32 x 33 words: a smaller element still takes a whole word's pitch.", zh_CN = "转置一批矩阵：每个线程块依次处理八个，共用一个 32 x 33 字的 float 分块；更小的元素也占用整整一个字的间距。" }
teaches = { en = "A tile that is used again needs a second barrier: without it a fast warp overwrites what a slow one has not read yet. A pitch of one word keeps 2- and 1-byte elements free of conflicts too.", zh_CN = "重复使用的分块需要第二个屏障：没有它，快的线程束会覆盖慢的线程束还没读到的数据。一个字的间距使 2 字节和 1 字节的元素同样没有冲突。" }
entry = "transposeBatched"

[[parameters]]
name = "rows"
label = { en = "Rows", zh_CN = "行数" }
default = 512
min = 1
max = 65536
presets = [33, 512, 1000, 1024]

[[parameters]]
name = "cols"
label = { en = "Columns", zh_CN = "列数" }
default = 512
min = 1
max = 65536
presets = [65, 512, 1003, 1024]

[[parameters]]
name = "type"
label = { en = "Element type", zh_CN = "元素类型" }
help = { en = "Elements of at most 4 bytes: the tile's cells are one word wide.", zh_CN = "元素至多 4 字节：分块的每个单元只有一个字宽。" }
default = "f32"
types = ["f32", "f16", "i8", "i32"]
define = "Element"

[[parameters]]
name = "batch"
label = { en = "Batch", zh_CN = "批次" }
help = { en = "Number of matrices.", zh_CN = "矩阵的个数。" }
default = 64
min = 1
max = 4096
presets = [8, 12, 64]

[[parameters]]
name = "second_barrier"
label = { en = "Second barrier", zh_CN = "第二个屏障" }
help = { en = "The barrier between one matrix's reads of the tile and the next one's writes. The published form has none: a race.", zh_CN = "位于一个矩阵读取分块与下一个矩阵写入分块之间的屏障。发表的版本没有它：存在竞争。" }
default = "with"
choices = [
    { value = "with", define = "1", label = { en = "with", zh_CN = "有" } },
    { value = "without", define = "0", label = { en = "without, as published", zh_CN = "无（按发表的版本）" } },
]
define = "SECOND_BARRIER"

[[parameters]]
name = "layout"
label = { en = "Source layout", zh_CN = "源布局" }
help = { en = "Merged: the strides of the source are permuted so that row r of every matrix lies side by side; batch and columns then merge into one dimension.", zh_CN = "合并：源的步幅顺序经过置换，各矩阵的第 r 行并排存放；批次与列于是合并成一个维度。" }
default = "contiguous"
choices = [
    { value = "contiguous", label = { en = "contiguous: batch, rows, columns", zh_CN = "连续：批次、行、列" } },
    { value = "merged", label = { en = "merged: rows, then batch and columns as one", zh_CN = "合并：行，然后批次与列合为一维" } },
]

[launch]
grid = ["cdiv(layout == \"merged\" and batch * cols or cols, 32)", "cdiv(rows, 32)", "layout == \"merged\" and 1 or cdiv(batch, 8)"]
block = [32, 8]

[[arguments]]
buffer = "in"
type = "{type}"
count = "batch * rows * cols"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "{type}"
count = "batch * rows * cols"

[[arguments]]
scalar = "rows"
type = "i32"

[[arguments]]
scalar = "cols"
type = "i32"
value = "layout == \"merged\" and batch * cols or cols"

[[arguments]]
scalar = "batch"
type = "i32"
value = "layout == \"merged\" and 1 or batch"

[reference]
output = "out"
input = "in"
index = "layout == \"merged\" and i % rows * (batch * cols) + i // rows or i // (rows * cols) * (rows * cols) + i % rows * cols + i % (rows * cols) // rows"

[verify]
rows = "min(rows, 33 + (rows - 1) % 32)"
cols = "min(cols, 33 + (cols - 1) % 32)"
batch = "layout == \"merged\" and min(batch, 32 + batch % 32) or min(batch, 8 + batch % 8)"

[[presets]]
title = { en = "64 of 512 x 512", zh_CN = "64 个 512 x 512" }
values = { rows = 512, cols = 512, batch = 64, second_barrier = "with", layout = "contiguous" }

[[presets]]
title = { en = "64 of 512 x 512, without the second barrier: a race", zh_CN = "64 个 512 x 512，无第二个屏障：竞争" }
values = { rows = 512, cols = 512, batch = 64, second_barrier = "without", layout = "contiguous" }

[[presets]]
title = { en = "64 of 512 x 512, merged", zh_CN = "64 个 512 x 512，合并布局" }
values = { rows = 512, cols = 512, batch = 64, second_barrier = "with", layout = "merged" }

[[presets]]
title = { en = "64 of 512 x 512, f16", zh_CN = "64 个 512 x 512，f16" }
values = { rows = 512, cols = 512, type = "f16", batch = 64, second_barrier = "with", layout = "contiguous" }

[[presets]]
title = { en = "16 of 1024 x 1024", zh_CN = "16 个 1024 x 1024" }
values = { rows = 1024, cols = 1024, batch = 16, second_barrier = "with", layout = "contiguous" }

[[presets]]
title = { en = "8 of 2048 x 512", zh_CN = "8 个 2048 x 512" }
values = { rows = 2048, cols = 512, batch = 8, second_barrier = "with", layout = "contiguous" }

[[presets]]
title = { en = "12 of 1000 x 1003: nothing divides", zh_CN = "12 个 1000 x 1003：都不整除" }
values = { rows = 1000, cols = 1003, batch = 12, second_barrier = "with", layout = "contiguous" }
--- */

constexpr int kTile = 32, kRowsPerBlock = 8, kMatricesPerBlock = 8;

/// A cell of the tile: one word, however small the element is.
struct Cell {
    alignas(float) Element value;
};

/// Transposes `batch` matrices of rows x cols that lie one behind the other.
__global__ void transposeBatched(const Element* in, Element* out, int rows, int cols, int batch)
{
    static_assert(sizeof(Cell) == sizeof(float), "an element must fit the tile's cell");
    __shared__ Cell tile[kTile][kTile + 1];

    const int col = blockIdx.x * kTile + threadIdx.x;
    const int row = blockIdx.y * kTile + threadIdx.y;
    const int outCol = blockIdx.y * kTile + threadIdx.x;
    const int outRow = blockIdx.x * kTile + threadIdx.y;

    for (int k = 0; k < kMatricesPerBlock; ++k) {
        const int matrix = blockIdx.z * kMatricesPerBlock + k;
        if (matrix >= batch)
            break; // the same for every thread of the block
        const size_t first = size_t(matrix) * rows * cols;

#pragma unroll
        for (int j = 0; j < kTile; j += kRowsPerBlock) {
            if (row + j < rows && col < cols)
                tile[threadIdx.y + j][threadIdx.x].value = in[first + size_t(row + j) * cols + col];
        }

        __syncthreads(); // the tile is complete before it is read

#pragma unroll
        for (int j = 0; j < kTile; j += kRowsPerBlock) {
            if (outRow + j < cols && outCol < rows)
                out[first + size_t(outRow + j) * rows + outCol] = tile[threadIdx.x][threadIdx.y + j].value;
        }

#if SECOND_BARRIER
        __syncthreads(); // the tile is read before the next matrix overwrites it
#endif
    }
}
