// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "transpose_float4"
order = 100
title = { en = "Transpose in registers, 16 bytes an access", zh_CN = "寄存器内转置，每次访问 16 字节" }
summary = { en = "Each thread loads a 4 x 4 patch with four 16-byte loads, transposes it in registers and stores it with four 16-byte stores. No shared memory; the shape must be a multiple of 4 x block.", zh_CN = "每个线程用四次 16 字节读取载入 4 x 4 的小块，在寄存器中转置，再用四次 16 字节写入存出。不用共享内存；矩阵形状必须是 4 x 线程块 的整数倍。" }
teaches = { en = "Wide accesses fill half a sector even where lanes are a row apart, and the block's shape decides the rest: (32, 8) stores into 32 sectors, (16, 16) into 16 whole ones.", zh_CN = "即使各通道相隔一整行，宽访问也能填满半个扇区；其余由线程块的形状决定：(32, 8) 的写入触及 32 个扇区，(16, 16) 则是 16 个完整的扇区。" }
entry = "transposeFloat4"

[[parameters]]
name = "rows"
label = { en = "Rows", zh_CN = "行数" }
default = 4096
min = 1
max = 65536
presets = [1024, 2048, 4096]

[[parameters]]
name = "cols"
label = { en = "Columns", zh_CN = "列数" }
default = 4096
min = 1
max = 65536
presets = [512, 1024, 4096]

[[parameters]]
name = "type"
label = { en = "Element type", zh_CN = "元素类型" }
help = { en = "Elements of 4 bytes: four of them are one 16-byte access.", zh_CN = "4 字节的元素：四个元素正好是一次 16 字节访问。" }
default = "f32"
types = ["f32", "i32"]
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
condition = "cols % (4 * block_x) == 0"
parameters = ["cols", "block_x"]
sentence = { en = "The columns ({cols}) must be a multiple of 4 x block x = {4 * block_x}: the kernel has no bounds, and its 16-byte accesses must stay aligned.", zh_CN = "列数（{cols}）必须是 4 x 线程块 x = {4 * block_x} 的整数倍：该内核不检查边界，而且 16 字节访问必须对齐。" }

[[legality]]
condition = "rows % (4 * block_y) == 0"
parameters = ["rows", "block_y"]
sentence = { en = "The rows ({rows}) must be a multiple of 4 x block y = {4 * block_y}: the kernel has no bounds, and its 16-byte accesses must stay aligned.", zh_CN = "行数（{rows}）必须是 4 x 线程块 y = {4 * block_y} 的整数倍：该内核不检查边界，而且 16 字节访问必须对齐。" }

[[legality]]
condition = "cdiv(rows, 4 * block_y) <= 65535"
parameters = ["rows", "block_y"]
sentence = { en = "The grid needs {cdiv(rows, 4 * block_y)} blocks in y; 65535 is the limit. Take a larger block y.", zh_CN = "网格在 y 方向需要 {cdiv(rows, 4 * block_y)} 个线程块，上限为 65535。请增大线程块 y。" }

[launch]
grid = ["cols // (4 * block_x)", "rows // (4 * block_y)"]
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
rows = "min(rows, 8 * block_y)"
cols = "min(cols, 8 * block_x)"

[[presets]]
title = { en = "4096 x 4096, block 32 x 8", zh_CN = "4096 x 4096，线程块 32 x 8" }
values = { rows = 4096, cols = 4096, block_x = 32, block_y = 8 }

[[presets]]
title = { en = "4096 x 4096, block 16 x 16", zh_CN = "4096 x 4096，线程块 16 x 16" }
values = { rows = 4096, cols = 4096, block_x = 16, block_y = 16 }

[[presets]]
title = { en = "4096 x 4096, block 8 x 32", zh_CN = "4096 x 4096，线程块 8 x 32" }
values = { rows = 4096, cols = 4096, block_x = 8, block_y = 32 }

[[presets]]
title = { en = "2048 x 512, block 32 x 8", zh_CN = "2048 x 512，线程块 32 x 8" }
values = { rows = 2048, cols = 512, block_x = 32, block_y = 8 }

[[presets]]
title = { en = "2048 x 512, block 16 x 16", zh_CN = "2048 x 512，线程块 16 x 16" }
values = { rows = 2048, cols = 512, block_x = 16, block_y = 16 }

[[presets]]
title = { en = "2048 x 512, block 8 x 32", zh_CN = "2048 x 512，线程块 8 x 32" }
values = { rows = 2048, cols = 512, block_x = 8, block_y = 32 }

[[presets]]
title = { en = "1024 x 1024, block 32 x 8", zh_CN = "1024 x 1024，线程块 32 x 8" }
values = { rows = 1024, cols = 1024, block_x = 32, block_y = 8 }

[[presets]]
title = { en = "1024 x 1024, block 16 x 16", zh_CN = "1024 x 1024，线程块 16 x 16" }
values = { rows = 1024, cols = 1024, block_x = 16, block_y = 16 }

[[presets]]
title = { en = "1024 x 1024, block 8 x 32", zh_CN = "1024 x 1024，线程块 8 x 32" }
values = { rows = 1024, cols = 1024, block_x = 8, block_y = 32 }

[[presets]]
title = { en = "4096 x 4096, block 32 x 32", zh_CN = "4096 x 4096，线程块 32 x 32" }
values = { rows = 4096, cols = 4096, block_x = 32, block_y = 32 }
--- */

/// Transposes in (rows x cols) to out (cols x rows); each thread takes 4 x 4 elements of 4 bytes.
/// rows must be a multiple of 4 * blockDim.y, cols of 4 * blockDim.x.
__global__ void transposeFloat4(const Element* in, Element* out, int rows, int cols)
{
    static_assert(sizeof(Element) == 4, "four elements must be 16 bytes");
    const int x = blockIdx.x * blockDim.x + threadIdx.x; // in units of 4 columns
    const int y = blockIdx.y * blockDim.y + threadIdx.y; // in units of 4 rows

    // Elements are only moved, so that ints may travel as floats.
    const float4* from = reinterpret_cast<const float4*>(in) + size_t(4 * y) * (cols / 4) + x;
    const float4 a = from[0];
    const float4 b = from[cols / 4];
    const float4 c = from[2 * (cols / 4)];
    const float4 d = from[3 * (cols / 4)];

    float4* to = reinterpret_cast<float4*>(out) + size_t(4 * x) * (rows / 4) + y;
    to[0] = make_float4(a.x, b.x, c.x, d.x);
    to[rows / 4] = make_float4(a.y, b.y, c.y, d.y);
    to[2 * (rows / 4)] = make_float4(a.z, b.z, c.z, d.z);
    to[3 * (rows / 4)] = make_float4(a.w, b.w, c.w, d.w);
}
