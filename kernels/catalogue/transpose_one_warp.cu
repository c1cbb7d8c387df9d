// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "transpose_one_warp"
order = 110
title = { en = "Transpose, one warp a block", zh_CN = "转置，每块一个线程束" }
summary = { en = "Blocks of 32 threads on a one-dimensional grid, whose index is divided into tile row and tile column; each thread moves one column of a 32 x 33 tile.", zh_CN = "一维网格，每个线程块 32 个线程；块下标经除法分解为分块的行与列，每个线程搬运 32 x 33 分块的一列。" }
teaches = { en = "A grid has at most 65535 blocks in y but 2147483647 in x: matrices with more than 2,097,120 rows need the one-dimensional grid. One warp a block also runs into the limit of blocks per SM.", zh_CN = "网格在 y 方向最多 65535 个线程块，在 x 方向则有 2147483647 个：行数超过 2,097,120 的矩阵需要一维网格。每块一个线程束也会碰到每个 SM 的线程块数上限。" }
entry = "transposeOneWarp"

[[parameters]]
name = "rows"
label = { en = "Rows", zh_CN = "行数" }
default = 4096
min = 1
max = 16777216
presets = [1000, 1024, 2048, 4096, 4194304]

[[parameters]]
name = "cols"
label = { en = "Columns", zh_CN = "列数" }
default = 4096
min = 1
max = 65536
presets = [16, 512, 1003, 1024, 4096]

[[parameters]]
name = "type"
label = { en = "Element type", zh_CN = "元素类型" }
default = "f32"
types = ["f32", "f64", "f16", "i8", "i32"]
define = "Element"

[[legality]]
condition = "cdiv(rows, 32) * cdiv(cols, 32) <= 2147483647"
parameters = ["rows", "cols"]
sentence = { en = "The grid needs {cdiv(rows, 32) * cdiv(cols, 32)} blocks; 2147483647 is the limit.", zh_CN = "网格需要 {cdiv(rows, 32) * cdiv(cols, 32)} 个线程块，上限为 2147483647。" }

[launch]
grid = ["cdiv(rows, 32) * cdiv(cols, 32)"]
block = [32]

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
rows = "min(rows, 64 + rows % 32)"
cols = "min(cols, 64 + cols % 32)"

[[presets]]
title = { en = "2048 x 512", zh_CN = "2048 x 512" }
values = { rows = 2048, cols = 512 }

[[presets]]
title = { en = "1024 x 1024", zh_CN = "1024 x 1024" }
values = { rows = 1024, cols = 1024 }

[[presets]]
title = { en = "4096 x 4096", zh_CN = "4096 x 4096" }
values = { rows = 4096, cols = 4096 }

[[presets]]
title = { en = "4194304 x 16, too many rows for a grid in y", zh_CN = "4194304 x 16，行数超出网格 y 方向的上限" }
values = { rows = 4194304, cols = 16 }

[[presets]]
title = { en = "1000 x 1003, no multiple of anything", zh_CN = "1000 x 1003，不是任何块长的整数倍" }
values = { rows = 1000, cols = 1003 }
--- */

constexpr int kTile = 32;

/// Transposes in (rows x cols) to out (cols x rows), one warp a tile.
__global__ void transposeOneWarp(const Element* in, Element* out, int rows, int cols)
{
    __shared__ Element tile[kTile][kTile + 1];

    const int tilesAcross = (cols + kTile - 1) / kTile;
    const int firstRow = int(blockIdx.x) / tilesAcross * kTile;
    const int firstCol = int(blockIdx.x) % tilesAcross * kTile;
    const int lane = threadIdx.x;

    if (firstCol + lane < cols) {
        for (int j = 0; j < kTile && firstRow + j < rows; ++j)
            tile[j][lane] = in[size_t(firstRow + j) * cols + firstCol + lane];
    }

    __syncthreads();

    if (firstRow + lane < rows) {
        for (int j = 0; j < kTile && firstCol + j < cols; ++j)
            out[size_t(firstCol + j) * rows + firstRow + lane] = tile[lane][j];
    }
}
