<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<!-- SPDX-License-Identifier: GPL-3.0-or-later -->
<TS version="2.1" language="zh_CN" sourcelanguage="en">
    <context>
        <name>coalescope::app::XyPlot</name>
        <message>
            <source>%1, logarithmic</source>
            <translation>%1（对数）</translation>
        </message>
    </context>
    <context>
        <name>ComparisonTable</name>
        <message>
            <source>Sectors of L2 and DRAM, as profiled</source>
            <translation>L2 与 DRAM 扇区（性能分析器留下的状态）</translation>
        </message>
        <message>
            <source>Launches back to back, the L2 as the launch before left it: less than the duration where the data stays there, more where that launch&apos;s own must be written back first. From event to event, which adds about 2 µs.</source>
            <translation>连续启动，L2 为上一次启动之后的状态：数据仍留在其中时比内核时长短，须先写回上一次启动的数据时则更长。为两个事件之间的时间，约多 2 µs。</translation>
        </message>
        <message>
            <source>unit</source>
            <translation>单位</translation>
        </message>
        <message>
            <source>difference in %</source>
            <translation>差异（%）</translation>
        </message>
        <message>
            <source>An estimate; the rates of %1 are its data sheet&apos;s, not measured.</source>
            <translation>估计值；%1 的速率来自数据手册，未经测量。</translation>
        </message>
        <message>
            <source>An estimate; its error over the recorded launches is not known.</source>
            <translation>估计值；它在已记录启动上的误差未知。</translation>
        </message>
        <message>
            <source>An estimate; over the recorded launches it is off by %1 % on average.</source>
            <translation>估计值；在已记录的启动上平均偏差 %1 %。</translation>
        </message>
        <message>
            <source>Measured minus predicted: %1</source>
            <translation>实测减预测：%1</translation>
        </message>
        <message>
            <source>An estimate: caches decide, not addresses alone.</source>
            <translation>估计值：由缓存决定，不仅取决于地址。</translation>
        </message>
        <message>
            <source>Counted from the addresses (%1) the GPU has exactly the predicted %2 wavefronts. The rest are cycles lost to other warps; padding cannot remove them.</source>
            <translation>按地址计数（%1），GPU 恰好有预测的 %2 个波前。其余是输给其他线程束的周期，填充无法消除。</translation>
        </message>
        <message>
            <source>%1 by arbitration, not your addresses: nothing to fix</source>
            <translation>%1 次来自仲裁，与你的地址无关：无需修改</translation>
        </message>
        <message>
            <source>%1 more: arbitration, not your addresses</source>
            <translation>多出 %1 次：来自仲裁，与你的地址无关</translation>
        </message>
        <message numerus="yes">
            <source>Median of %n run(s), no profiler attached; shortest %1, 10 % to 90 %: %2 to %3.</source>
            <translation>
                <numerusform>%n 次运行的中位数，未附加性能分析器；最短 %1，10 % 至 90 %：%2 至 %3。</numerusform>
            </translation>
        </message>
        <message>
            <source>warm L2</source>
            <translation>热 L2</translation>
        </message>
        <message>
            <source>cold L2</source>
            <translation>冷 L2</translation>
        </message>
        <message>
            <source>With the caches emptied before the launch, as Nsight Compute does unless it is told not to: %1</source>
            <translation>启动前清空缓存时（Nsight Compute 默认如此）：%1</translation>
        </message>
        <message>
            <source>recorded %1</source>
            <translation>记录于 %1</translation>
        </message>
        <message>
            <source>measured %1</source>
            <translation>测于 %1</translation>
        </message>
        <message>
            <source>driver %1</source>
            <translation>驱动 %1</translation>
        </message>
        <message>
            <source>predicted</source>
            <translation>预测</translation>
        </message>
        <message>
            <source>difference</source>
            <translation>差异</translation>
        </message>
        <message>
            <source>not measured: no such launch is recorded</source>
            <translation>未实测：没有这样的启动记录</translation>
        </message>
        <message>
            <source>not measured on %1: this launch is recorded on %2</source>
            <translation>未在 %1 上实测：此启动在 %2 上有记录</translation>
        </message>
        <message>
            <source>predicted for %1, another GPU</source>
            <translation>预测的是另一款 GPU：%1</translation>
        </message>
        <message>
            <source>The L2 is filled with other data before each launch; from event to event, as with a warm L2.</source>
            <translation>每次启动前用其他数据填满 L2；与热 L2 时一样，从事件到事件计时。</translation>
        </message>
        <message>
            <source>Time (its registers are being compiled)</source>
            <translation>时间（寄存器仍在编译）</translation>
        </message>
    </context>
    <context>
        <name>Reading</name>
        <message>
            <source>%1 turns</source>
            <translation>%1 轮</translation>
        </message>
        <message>
            <source>1 turn</source>
            <translation>1 轮</translation>
        </message>
        <message>
            <source>%1 load, compare and swap in a loop, in each turn one lane of a bank: %2.</source>
            <translation>%1在循环中加载并比较交换，每轮每个存储体成功一个通道：%2。</translation>
        </message>
        <message>
            <source>%1 update the same word; the compiler puts together what they do, and one lane does it: %2.</source>
            <translation>%1更新同一个字；编译器先合并它们的操作，由一个通道执行：%2。</translation>
        </message>
        <message>
            <source>Lanes that update one word come one after another: the GPU counts %1.</source>
            <translation>更新同一个字的通道逐个进行：GPU 计为 %1。</translation>
        </message>
        <message>
            <source>The compiler puts together what the lanes do, and one lane updates the word.</source>
            <translation>编译器先合并各通道的操作，由一个通道更新该字。</translation>
        </message>
        <message>
            <source>Up to %1 words of one bank are counted up, one after another: %2.</source>
            <translation>一个存储体中最多有 %1 个字依次计数：%2。</translation>
        </message>
        <message>
            <source>One thread starts it; it passes by L1 and the load/store unit.</source>
            <translation>由一个线程发起；不经过 L1 和加载/存储单元。</translation>
        </message>
        <message>
            <source>A bulk copy fetches %1 for a line of shared memory: %2; %3.</source>
            <translation>批量复制为共享内存的一行取回 %1：%2；%3。</translation>
        </message>
        <message>
            <source>A bulk copy stores %1 from a line of shared memory: %2; %3.</source>
            <translation>批量复制从共享内存的一行存出 %1：%2；%3。</translation>
        </message>
        <message>
            <source>A bulk copy fetches %1 for a line of shared memory, from %2 into a sector: %3 where %4 would do; %5.</source>
            <translation>批量复制为共享内存的一行取回 %1，从扇区内 %2 处开始：用了 %3，本来 %4 个就够；%5。</translation>
        </message>
        <message>
            <source>A bulk copy stores %1 from a line of shared memory, from %2 into a sector: %3 where %4 would do; %5.</source>
            <translation>批量复制从共享内存的一行存出 %1，从扇区内 %2 处开始：用了 %3，本来 %4 个就够；%5。</translation>
        </message>
        <message>
            <source>Global and shared address alike, but for multiples of 32 bytes, need %1.</source>
            <translation>若全局地址与共享地址只相差 32 字节的倍数，则只需 %1。</translation>
        </message>
        <message>
            <source>one %1-byte value</source>
            <translation>一个 %1 字节的值</translation>
        </message>
        <message>
            <source>%1 neighbouring %2-byte values</source>
            <translation>%1 个相邻的 %2 字节的值</translation>
        </message>
        <message>
            <source>All %1 lanes</source>
            <translation>全部 %1 个通道</translation>
        </message>
        <message>
            <source>1 lane</source>
            <translation>1 个通道</translation>
        </message>
        <message>
            <source>%1 lanes</source>
            <translation>%1 个通道</translation>
        </message>
        <message>
            <source>reads</source>
            <translation>读取</translation>
        </message>
        <message>
            <source>read</source>
            <translation>读取</translation>
        </message>
        <message>
            <source>writes</source>
            <translation>写入</translation>
        </message>
        <message>
            <source>write</source>
            <translation>写入</translation>
        </message>
        <message>
            <source>updates</source>
            <translation>更新</translation>
        </message>
        <message>
            <source>update</source>
            <translation>更新</translation>
        </message>
        <message>
            <source>copies</source>
            <translation>复制</translation>
        </message>
        <message>
            <source>copy</source>
            <translation>复制</translation>
        </message>
        <message>
            <source>1 of 32 lanes is active.</source>
            <translation>32 个通道中有 1 个活跃。</translation>
        </message>
        <message>
            <source>%1 of 32 lanes are active.</source>
            <translation>32 个通道中有 %1 个活跃。</translation>
        </message>
        <message>
            <source>1 sector</source>
            <translation>1 个扇区</translation>
        </message>
        <message>
            <source>%1 sectors</source>
            <translation>%1 个扇区</translation>
        </message>
        <message>
            <source>1 wavefront</source>
            <translation>1 个波前</translation>
        </message>
        <message>
            <source>%1 wavefronts</source>
            <translation>%1 个波前</translation>
        </message>
        <message>
            <source>1 word</source>
            <translation>1 个字</translation>
        </message>
        <message>
            <source>%1 different words</source>
            <translation>%1 个不同的字</translation>
        </message>
        <message>
            <source>1 byte</source>
            <translation>1 字节</translation>
        </message>
        <message>
            <source>%1 bytes</source>
            <translation>%1 字节</translation>
        </message>
        <message>
            <source>every byte that moves is used</source>
            <translation>搬运的每个字节都用到了</translation>
        </message>
        <message>
            <source>%1 of what moves is used</source>
            <translation>搬运的数据用到了 %1</translation>
        </message>
        <message>
            <source>%1 %2 %3</source>
            <translation>%1%2 %3</translation>
        </message>
        <message>
            <source>%1: every byte of every sector is used.</source>
            <translation>%1：每个扇区的每个字节都用到了。</translation>
        </message>
        <message>
            <source>%1 that start %2 into a sector: %3 where %4 would do; %5.</source>
            <translation>%1，起点在扇区内 %2 处：用了 %3，本来 %4 个就够；%5。</translation>
        </message>
        <message>
            <source>%1: %2; %3.</source>
            <translation>%1：%2；%3。</translation>
        </message>
        <message>
            <source>%1 groups of %2 lanes ask for the same %3: %4; %5.</source>
            <translation>%1 组、每组 %2 个通道访问相同的 %3：%4；%5。</translation>
        </message>
        <message>
            <source>%1 groups of %2 lanes that share an address</source>
            <translation>%1 组、每组 %2 个通道共用一个地址</translation>
        </message>
        <message>
            <source>%1 rows of %2 neighbouring values</source>
            <translation>%1 行、每行 %2 个相邻的值</translation>
        </message>
        <message>
            <source>%1 groups of %2 lanes, lanes %3 B apart</source>
            <translation>%1 组、每组 %2 个通道，通道间隔 %3 B</translation>
        </message>
        <message>
            <source>%1, each %2 B from the next: %3 for %4 useful bytes; %5.</source>
            <translation>%1，彼此相隔 %2 B：%3，有用 %4 字节；%5。</translation>
        </message>
        <message>
            <source>No lane is active: nothing moves.</source>
            <translation>没有活跃的通道：不搬运任何数据。</translation>
        </message>
        <message>
            <source>%1 %2 the same %3: %4; %5.</source>
            <translation>%1%2相同的 %3：%4；%5。</translation>
        </message>
        <message>
            <source>Active lanes are %1 B apart: %2 for %3 useful bytes; %4.</source>
            <translation>活跃通道间隔 %1 B：%2，有用 %3 字节；%4。</translation>
        </message>
        <message>
            <source>Lanes are %1 B apart: %2 for %3 useful bytes; %4.</source>
            <translation>通道间隔 %1 B：%2，有用 %3 字节；%4。</translation>
        </message>
        <message>
            <source>%1 ask for %2 bytes, in no even order, that fill %3: every byte is used.</source>
            <translation>%1访问 %2 字节，次序不规则，恰好填满 %3：每个字节都用到了。</translation>
        </message>
        <message>
            <source>%1 ask for %2 bytes, in no even order, in %3 of %4; %5.</source>
            <translation>%1访问 %2 字节，次序不规则，分布在 %4的 %3 中；%5。</translation>
        </message>
        <message>
            <source>1 cache line</source>
            <translation>1 条缓存行</translation>
        </message>
        <message>
            <source>%1 cache lines</source>
            <translation>%1 条缓存行</translation>
        </message>
        <message>
            <source>Starting at a multiple of 32 bytes, the same access needs %1.</source>
            <translation>若从 32 字节的倍数开始，同样的访问只需 %1。</translation>
        </message>
        <message>
            <source>Side by side, what the lanes ask for needs %1.</source>
            <translation>若各通道的数据紧挨着，只需 %1。</translation>
        </message>
        <message>
            <source>These wavefronts are not modelled: %1.</source>
            <translation>这些波前没有模型：%1。</translation>
        </message>
        <message>
            <source>These sectors are not modelled: %1.</source>
            <translation>这些扇区没有模型：%1。</translation>
        </message>
        <message>
            <source>%1 %2 %3 each, in local memory: %4.</source>
            <translation>%1各%2 %3，在局部内存中：%4。</translation>
        </message>
        <message>
            <source>At the same element, the lanes need %1: a word of each lies beside that of the next.</source>
            <translation>若各通道访问同一元素，只需 %1：各通道的字与下一通道的字相邻。</translation>
        </message>
        <message>
            <source>A word of each lane lies beside that of the next.</source>
            <translation>各通道的字与下一通道的字相邻。</translation>
        </message>
        <message>
            <source>%1 where %2 would do</source>
            <translation>%1，本来 %2 个就够</translation>
        </message>
        <message>
            <source>%1 %2 a bank each: %3.</source>
            <translation>%1各%2一个存储体：%3。</translation>
        </message>
        <message>
            <source>%1 count up the same word together: %2.</source>
            <translation>%1一起给同一个字计数：%2。</translation>
        </message>
        <message>
            <source>%1 update the same word, one after another: %2.</source>
            <translation>%1依次更新同一个字：%2。</translation>
        </message>
        <message>
            <source>Up to %1 lanes update one bank, one after another: %2.</source>
            <translation>至多 %1 个通道依次更新同一个存储体：%2。</translation>
        </message>
        <message>
            <source>ldmatrix reads 1 matrix of 8 rows</source>
            <translation>ldmatrix 读取 1 个 8 行的矩阵</translation>
        </message>
        <message>
            <source>ldmatrix reads %1 matrices of 8 rows</source>
            <translation>ldmatrix 读取 %1 个 8 行的矩阵</translation>
        </message>
        <message>
            <source>%1, no two different rows of a matrix in one bank: %2.</source>
            <translation>%1，同一矩阵的不同行不落在同一存储体：%2。</translation>
        </message>
        <message>
            <source>%1, and rows of a matrix meet in a bank: %2.</source>
            <translation>%1，同一矩阵的行落在同一存储体：%2。</translation>
        </message>
        <message>
            <source>%1 %2 %3: %4.</source>
            <translation>%1%2 %3：%4。</translation>
        </message>
        <message>
            <source>%1 %2 %3 each: %4, as few as so many words need.</source>
            <translation>%1各%2 %3：%4，已是这么多字所需的最少数目。</translation>
        </message>
        <message>
            <source>%1 %2 %3 each in %4 phases, none with a conflict: %5.</source>
            <translation>%1各%2 %3，分 %4 个阶段，均无冲突：%5。</translation>
        </message>
        <message>
            <source>%1 %2 the same word: %3.</source>
            <translation>%1%2同一个字：%3。</translation>
        </message>
        <message>
            <source>%1 %2 %3 in as many different banks: %4.</source>
            <translation>%1%2 %3，各在不同的存储体：%4。</translation>
        </message>
        <message>
            <source>%1 %2 %3, some of them shared, no two in one bank: %4.</source>
            <translation>%1%2 %3，其中有些共用，没有两个在同一存储体：%4。</translation>
        </message>
        <message>
            <source>%1 ask for %2 each in %3 phases, and different words meet in a bank: %4.</source>
            <translation>%1各访问 %2，分 %3 个阶段，不同的字落在同一存储体：%4。</translation>
        </message>
        <message>
            <source>%1 ask bank %2 for %3: %4.</source>
            <translation>%1向存储体 %2 访问 %3：%4。</translation>
        </message>
        <message>
            <source>%1 ask %2 of the 32 banks for %3 each: %4.</source>
            <translation>%1向 32 个存储体中的 %2 个各访问 %3：%4。</translation>
        </message>
        <message>
            <source>No lane is active: no wavefront.</source>
            <translation>没有活跃的通道：没有波前。</translation>
        </message>
        <message>
            <source>%1 words</source>
            <translation>%1 个字</translation>
        </message>
        <message>
            <source>%1 B</source>
            <translation>%1 B</translation>
        </message>
        <message>
            <source>Groups of %1 lanes are %2 apart; %3 more between them and there is no conflict.</source>
            <translation>每组 %1 个通道，组间相隔 %2；再多隔 %3 就没有冲突。</translation>
        </message>
        <message>
            <source>Lanes are %1 apart, so they stay in one bank; %2 of padding spreads them.</source>
            <translation>通道相隔 %1，因此都落在同一存储体；填充 %2即可分散。</translation>
        </message>
        <message>
            <source>Lanes are %1 apart; %2 more between them and there is no conflict.</source>
            <translation>通道相隔 %1；再多隔 %2 就没有冲突。</translation>
        </message>
        <message>
            <source>Which lane&apos;s value stays is not defined.</source>
            <translation>哪个通道的值留下是未定义的。</translation>
        </message>
        <message>
            <source>%1 ask %2 of the 32 banks, the busiest for %3: %4.</source>
            <translation>%1访问 32 个存储体中的 %2 个，最忙的一个要提供 %3：%4。</translation>
        </message>
    </context>
    <context>
        <name>ReportPage</name>
        <message>
            <source>predicted</source>
            <translation>预测</translation>
        </message>
        <message>
            <source>difference</source>
            <translation>差值</translation>
        </message>
        <message>
            <source>metric</source>
            <translation>指标</translation>
        </message>
        <message>
            <source>≈ marks an estimate; every other prediction is exact.</source>
            <translation>≈ 表示估计值；其余预测均为精确值。</translation>
        </message>
        <message numerus="yes">
            <source>%1: median of %n run(s) with no profiler attached, shortest %2, 10 % to 90 %: %3 to %4.</source>
            <translation>
                <numerusform>%1：未附加分析器时 %n 次运行的中位数，最短 %2，10 % 至 90 %：%3 至 %4。</numerusform>
            </translation>
        </message>
        <message>
            <source>Predicted on the CPU from the kernel&apos;s own source (PTX by %1): every warp&apos;s addresses, judged by sector and bank models.</source>
            <translation>在 CPU 上由内核自身的源码预测（PTX 由 %1 生成）：每个线程束的地址，由扇区与存储体模型判定。</translation>
        </message>
        <message>
            <source>Output check of the prediction: %1</source>
            <translation>预测的输出检查：%1</translation>
        </message>
        <message>
            <source>Not measured: no such launch is recorded, and none was run.</source>
            <translation>未实测：没有这次启动的记录，也未运行。</translation>
        </message>
        <message>
            <source>Measured earlier and recorded, not run for this page: %1.</source>
            <translation>此前实测并记录，并非为本页运行：%1。</translation>
        </message>
        <message>
            <source>Measured by running the same source: %1.</source>
            <translation>运行同一源码实测：%1。</translation>
        </message>
        <message>
            <source>Time with a warm L2</source>
            <translation>热 L2 时的时间</translation>
        </message>
        <message>
            <source>Time with the L2 flushed before each run</source>
            <translation>每次运行前清空 L2 时的时间</translation>
        </message>
        <message>
            <source>Counters: CUPTI, in runs of their own; the kernel duration is taken under the profiler.</source>
            <translation>计数器：CUPTI，在单独的运行中采集；内核时长在分析器下测得。</translation>
        </message>
        <message>
            <source>%1 is not measured: %2</source>
            <translation>%1 未实测：%2</translation>
        </message>
        <message>
            <source>Experiment</source>
            <translation>实验</translation>
        </message>
        <message>
            <source>Verified, and what is wrong</source>
            <translation>验证结果与问题</translation>
        </message>
        <message>
            <source>The warp&apos;s memory instructions</source>
            <translation>该线程束的访存指令</translation>
        </message>
        <message>
            <source>Predicted and measured</source>
            <translation>预测与实测</translation>
        </message>
        <message>
            <source>How these figures were made</source>
            <translation>这些数字如何得出</translation>
        </message>
        <message>
            <source>Not measured: this launch is recorded on %1, another GPU than the one predicted for, and none was run.</source>
            <translation>未实测：此启动记录于 %1，与所预测的 GPU 不同，也未运行。</translation>
        </message>
    </context>
    <context>
        <name>Texts</name>
        <message>
            <source>%1; that `%2` points to the start of its buffer was guessed</source>
            <translation>%1；`%2` 指向其缓冲区开头是猜测的</translation>
        </message>
        <message>
            <source>about %1 min</source>
            <translation>约 %1 分钟</translation>
        </message>
        <message>
            <source>about %1 s</source>
            <translation>约 %1 秒</translation>
        </message>
        <message>
            <source>blocks that are far from each other fill the same sectors: how often DRAM must complete them meanwhile is not modelled, and the time may be several times as long</source>
            <translation>相距很远的线程块填充同一批扇区：其间 DRAM 需要补全它们多少次未建模，时间可能长达数倍</translation>
        </message>
        <message>
            <source>the grid is rounded down, and no block works on the rest</source>
            <translation>网格向下取整，余下部分没有线程块处理</translation>
        </message>
        <message>
            <source>the grid&apos;s %1 is %2, %3 / %4 rounded down: no block works on the last %5 of %6</source>
            <translation>网格的 %1 为 %2，即 %3 / %4 向下取整：%6 个中的最后 %5 个没有线程块处理</translation>
        </message>
        <message>
            <source>Left out by the grid</source>
            <translation>网格遗漏</translation>
        </message>
        <message>
            <source>global loads through the banks that L1 and shared memory share, a wavefront a clock for each SM, and stores, a line at a time; lanes whose words lie in one bank add to them</source>
            <translation>全局加载经过 L1 与共享内存共用的存储体，每个 SM 每周期一个波前；存储则每次一行；字位于同一存储体的线程会增加波前</translation>
        </message>
        <message>
            <source>L1 data stage</source>
            <translation>L1 数据级</translation>
        </message>
        <message>
            <source>%1 is a loop of compares and swaps of the word around it: one turn is counted</source>
            <translation>%1 是对其所在字的比较交换循环：只计一轮</translation>
        </message>
        <message>
            <source>%1 is a loop of a load from shared memory and a compare and swap: counted are the turns of a warp whose lanes all change the word; a lane that changes nothing makes fewer</source>
            <translation>%1 是由共享内存加载与比较交换组成的循环：按所有通道都改变该字时的轮数计；不改变它的通道轮数更少</translation>
        </message>
        <message>
            <source>%1 is a loop of a load from shared memory and a compare and swap: counted are the turns that each warp makes alone, it makes more where warps meet at a word</source>
            <translation>%1 是由共享内存加载与比较交换组成的循环：按每个线程束单独执行时的轮数计；多个线程束在同一个字相遇时轮数更多</translation>
        </message>
        <message>
            <source>Wavefronts of atomics that are there because lanes want one bank, or one word.</source>
            <translation>因多个通道要同一存储体或同一个字而产生的原子操作波前。</translation>
        </message>
        <message>
            <source>atomic conflicts</source>
            <translation>原子操作冲突</translation>
        </message>
        <message>
            <source>Passes in which shared memory serves atomics: one, where the lanes&apos; words lie in different banks.</source>
            <translation>共享内存服务原子操作的趟数：各通道的字在不同存储体时为一趟。</translation>
        </message>
        <message>
            <source>atomic wavefronts</source>
            <translation>原子操作波前</translation>
        </message>
        <message>
            <source>Atomics on shared memory; of those that are loops, one a turn.</source>
            <translation>共享内存上的原子操作；由循环实现的，每轮计一次。</translation>
        </message>
        <message>
            <source>atomic instructions</source>
            <translation>原子指令</translation>
        </message>
        <message>
            <source>Sectors of 32 bytes that reductions touch, each as often as lanes want the same word of it.</source>
            <translation>归约触及的 32 字节扇区；多个通道要同一个字时，每个通道计一次。</translation>
        </message>
        <message>
            <source>reduction sectors</source>
            <translation>归约扇区</translation>
        </message>
        <message>
            <source>Sectors of 32 bytes that atomics touch, each as often as lanes want the same word of it.</source>
            <translation>原子操作触及的 32 字节扇区；多个通道要同一个字时，每个通道计一次。</translation>
        </message>
        <message>
            <source>atomic sectors</source>
            <translation>原子操作扇区</translation>
        </message>
        <message>
            <source>Atomics on global memory whose answer nobody asks for, one an instruction.</source>
            <translation>无人使用其返回值的全局内存原子操作，每条指令一个。</translation>
        </message>
        <message>
            <source>reduction requests</source>
            <translation>归约请求</translation>
        </message>
        <message>
            <source>Atomics on global memory that answer with what was there before, one an instruction.</source>
            <translation>返回旧值的全局内存原子操作，每条指令一个。</translation>
        </message>
        <message>
            <source>atomic requests</source>
            <translation>原子操作请求</translation>
        </message>
        <message>
            <source>a copy past L1 that may fill up with zeros: the profiler&apos;s instrumented count of global sectors leaves out many of these, as ptxas splits them; what L1 counts is as predicted</source>
            <translation>绕过 L1 且可能以零填充的复制：ptxas 会拆分它们，分析器的插桩全局扇区计数会漏掉其中许多；L1 的计数与预测一致</translation>
        </message>
        <message>
            <source>blocks wait for what others write, as in a scan that looks back: they were executed in order first, and each finds what all have left; the GPU looks oftener</source>
            <translation>线程块等待其他线程块写入的值，例如回看式扫描：先按顺序执行了所有线程块，每个线程块都看到全部写入的结果；GPU 会查看更多次</translation>
        </message>
        <message>
            <source>a loop waits here for what no other block writes, for the grid has one: one look is counted; where nothing else writes it, the kernel never ends</source>
            <translation>此处的循环等待其他线程块写入的值，但网格只有一个线程块：只计一次查看；如果没有别处写入，内核永远不会结束</translation>
        </message>
        <message>
            <source>Correct the file and open it again.</source>
            <translation>请改正文件后重新打开。</translation>
        </message>
        <message>
            <source>Change the value; the pictures still show the last legal experiment.</source>
            <translation>请修改该值；图中仍是上一个合法的实验。</translation>
        </message>
        <message>
            <source>Choose a smaller grid, block or tile, or another device.</source>
            <translation>请选择更小的网格、线程块或分块，或换一个设备。</translation>
        </message>
        <message>
            <source>Install clang, or the CUDA toolkit for NVRTC, and start again.</source>
            <translation>请安装 clang，或安装 CUDA 工具包以使用 NVRTC，然后重新启动。</translation>
        </message>
        <message>
            <source>Correct the entry in the manifest.</source>
            <translation>请改正清单中的入口名。</translation>
        </message>
        <message>
            <source>Run the kernel on a GPU to see its counters.</source>
            <translation>请在 GPU 上运行该内核以查看计数器。</translation>
        </message>
        <message>
            <source>Look at the line named in the source.</source>
            <translation>请查看源码中指出的那一行。</translation>
        </message>
        <message>
            <source>Choose a smaller launch, or run the kernel on a GPU.</source>
            <translation>请选择更小的启动，或在 GPU 上运行该内核。</translation>
        </message>
        <message>
            <source>Choose a device from the list.</source>
            <translation>请从列表中选择设备。</translation>
        </message>
        <message>
            <source>Choose a kernel from the list.</source>
            <translation>请从列表中选择内核。</translation>
        </message>
        <message>
            <source>Install NVIDIA&apos;s driver, or name a machine with a GPU under Targets.</source>
            <translation>请安装 NVIDIA 驱动，或在“目标”中指定一台有 GPU 的机器。</translation>
        </message>
        <message>
            <source>Name a machine with a GPU under Targets.</source>
            <translation>请在“目标”中指定一台有 GPU 的机器。</translation>
        </message>
        <message>
            <source>Install the CUDA toolkit&apos;s CUPTI on that machine; times are measured without it.</source>
            <translation>请在那台机器上安装 CUDA 工具包的 CUPTI；没有它仍可测时间。</translation>
        </message>
        <message>
            <source>Run as root, or load the driver with NVreg_RestrictProfilingToAdminUsers=0.</source>
            <translation>请以 root 运行，或以 NVreg_RestrictProfilingToAdminUsers=0 加载驱动。</translation>
        </message>
        <message>
            <source>Choose a target with a GPU that CUPTI knows.</source>
            <translation>请选择 CUPTI 支持其 GPU 的目标。</translation>
        </message>
        <message>
            <source>Choose fewer rows or columns, or free the GPU&apos;s memory.</source>
            <translation>请减少行数或列数，或释放 GPU 的内存。</translation>
        </message>
        <message>
            <source>See the hazards of the prediction for the line.</source>
            <translation>请在预测的隐患中查看对应的行。</translation>
        </message>
        <message>
            <source>Run the same command in a terminal to see all it says.</source>
            <translation>请在终端中运行同一命令以查看完整输出。</translation>
        </message>
        <message>
            <source>Choose a smaller launch, or look for a loop that never ends.</source>
            <translation>请选择更小的启动，或检查是否有死循环。</translation>
        </message>
        <message>
            <source>Choose one of the launches that are recorded.</source>
            <translation>请选择一个已记录的启动。</translation>
        </message>
        <message>
            <source>Check the command under Targets.</source>
            <translation>请检查“目标”中的命令。</translation>
        </message>
        <message>
            <source>Check that the file is there and can be read or written.</source>
            <translation>请检查文件是否存在且可读写。</translation>
        </message>
        <message>
            <source>Loads from global memory that warps send, one an instruction.</source>
            <translation>线程束发往全局内存的读取，每条指令一次。</translation>
        </message>
        <message>
            <source>Stores to global memory that warps send, one an instruction.</source>
            <translation>线程束发往全局内存的写入，每条指令一次。</translation>
        </message>
        <message>
            <source>Sectors of 32 bytes that loads touch, each load for itself.</source>
            <translation>读取触及的 32 字节扇区，每次读取单独计数。</translation>
        </message>
        <message>
            <source>Sectors of 32 bytes that stores touch, each store for itself.</source>
            <translation>写入触及的 32 字节扇区，每次写入单独计数。</translation>
        </message>
        <message>
            <source>Cache lines of 128 bytes that loads and stores touch: L1 looks each one up.</source>
            <translation>读取和写入触及的 128 字节缓存行：L1 逐行查找。</translation>
        </message>
        <message>
            <source>Sectors of loads and stores, by their addresses.</source>
            <translation>按地址计算的读取与写入扇区。</translation>
        </message>
        <message>
            <source>As many sectors as it would be if the lanes of each access lay side by side.</source>
            <translation>假如每次访问的各通道地址相邻，所需的扇区数。</translation>
        </message>
        <message>
            <source>Load instructions on shared memory.</source>
            <translation>共享内存的读取指令。</translation>
        </message>
        <message>
            <source>Store instructions on shared memory.</source>
            <translation>共享内存的写入指令。</translation>
        </message>
        <message>
            <source>Passes in which shared memory serves loads: one, where a warp&apos;s words lie in different banks.</source>
            <translation>共享内存完成读取所需的波前：一个线程束的字位于不同存储体时只需一个。</translation>
        </message>
        <message>
            <source>Passes in which shared memory serves stores: one, where a warp&apos;s words lie in different banks.</source>
            <translation>共享内存完成写入所需的波前：一个线程束的字位于不同存储体时只需一个。</translation>
        </message>
        <message>
            <source>Wavefronts that the addresses of the loads need.</source>
            <translation>读取地址所需的波前。</translation>
        </message>
        <message>
            <source>Wavefronts that the addresses of the stores need.</source>
            <translation>写入地址所需的波前。</translation>
        </message>
        <message>
            <source>Wavefronts of loads that are there because lanes ask for different words of one bank.</source>
            <translation>因各通道读取同一存储体的不同字而多出的波前。</translation>
        </message>
        <message>
            <source>Wavefronts of stores that are there because lanes write different words of one bank.</source>
            <translation>因各通道写入同一存储体的不同字而多出的波前。</translation>
        </message>
        <message>
            <source>Sectors of loads that L1 does not have and asks the L2 for.</source>
            <translation>L1 中没有、须向 L2 请求的读取扇区。</translation>
        </message>
        <message>
            <source>Sectors of stores that are sent on to the L2.</source>
            <translation>继续发往 L2 的写入扇区。</translation>
        </message>
        <message>
            <source>Sectors read in the L2: more than go to L1 where its halves ask each other, fewer where SMs of a GPC ask for the same at once.</source>
            <translation>在 L2 中读取的扇区：L2 两半互相请求时多于送往 L1 的扇区，同一 GPC 的 SM 同时请求同一扇区时则更少。</translation>
        </message>
        <message>
            <source>Sectors written in the L2, those too that one of its halves hands to the other.</source>
            <translation>在 L2 中写入的扇区，包括由一半转交另一半的扇区。</translation>
        </message>
        <message>
            <source>Sectors that the L2 reads from DRAM.</source>
            <translation>L2 从 DRAM 读取的扇区。</translation>
        </message>
        <message>
            <source>Sectors that the L2 writes to DRAM: what the launch has written, and what launches before have left in the L2 and its data pushes out.</source>
            <translation>L2 写入 DRAM 的扇区：包括本次启动写入的数据，以及此前启动留在 L2 中、被其数据挤出的数据。</translation>
        </message>
        <message>
            <source>As the profiler times one launch: the kernel alone, the caches as the profiler leaves them.</source>
            <translation>性能分析器对单次启动的计时：只有内核本身，缓存处于分析器留下的状态。</translation>
        </message>
        <message>
            <source>load requests</source>
            <translation>读取请求</translation>
        </message>
        <message>
            <source>store requests</source>
            <translation>写入请求</translation>
        </message>
        <message>
            <source>load sectors</source>
            <translation>读取扇区</translation>
        </message>
        <message>
            <source>store sectors</source>
            <translation>写入扇区</translation>
        </message>
        <message>
            <source>cache-line tags</source>
            <translation>缓存行标签</translation>
        </message>
        <message>
            <source>sectors by address</source>
            <translation>按地址计的扇区</translation>
        </message>
        <message>
            <source>sectors, ideal</source>
            <translation>理想扇区数</translation>
        </message>
        <message>
            <source>load instructions</source>
            <translation>读取指令</translation>
        </message>
        <message>
            <source>store instructions</source>
            <translation>写入指令</translation>
        </message>
        <message>
            <source>load wavefronts</source>
            <translation>读取波前</translation>
        </message>
        <message>
            <source>store wavefronts</source>
            <translation>写入波前</translation>
        </message>
        <message>
            <source>load conflicts</source>
            <translation>读取冲突</translation>
        </message>
        <message>
            <source>store conflicts</source>
            <translation>写入冲突</translation>
        </message>
        <message>
            <source>launch</source>
            <translation>启动</translation>
        </message>
        <message>
            <source>DRAM</source>
            <translation>DRAM</translation>
        </message>
        <message>
            <source>L2</source>
            <translation>L2</translation>
        </message>
        <message>
            <source>load/store unit</source>
            <translation>加载/存储单元</translation>
        </message>
        <message>
            <source>shared wavefronts</source>
            <translation>共享内存波前</translation>
        </message>
        <message>
            <source>issue</source>
            <translation>发射</translation>
        </message>
        <message>
            <source>latency</source>
            <translation>延迟</translation>
        </message>
        <message>
            <source>threads</source>
            <translation>线程</translation>
        </message>
        <message>
            <source>registers</source>
            <translation>寄存器</translation>
        </message>
        <message>
            <source>shared memory</source>
            <translation>共享内存</translation>
        </message>
        <message>
            <source>blocks</source>
            <translation>线程块</translation>
        </message>
        <message>
            <source>the grid is too small</source>
            <translation>网格太小</translation>
        </message>
        <message>
            <source>Global memory</source>
            <translation>全局内存</translation>
        </message>
        <message>
            <source>Shared memory</source>
            <translation>共享内存</translation>
        </message>
        <message>
            <source>Caches</source>
            <translation>缓存</translation>
        </message>
        <message>
            <source>Time</source>
            <translation>时间</translation>
        </message>
        <message>
            <source>Out of bounds</source>
            <translation>越界</translation>
        </message>
        <message>
            <source>Race in shared memory</source>
            <translation>共享内存竞争</translation>
        </message>
        <message>
            <source>Misaligned address</source>
            <translation>地址未对齐</translation>
        </message>
        <message>
            <source>Wrong output</source>
            <translation>输出错误</translation>
        </message>
        <message>
            <source>Barrier not reached by all</source>
            <translation>并非所有线程都到达屏障</translation>
        </message>
        <message>
            <source>Read before written</source>
            <translation>未写先读</translation>
        </message>
        <message>
            <source>Not modelled</source>
            <translation>没有模型</translation>
        </message>
        <message>
            <source>Loop left at different turns</source>
            <translation>循环在不同轮次退出</translation>
        </message>
        <message>
            <source>%1, lines %2 and %3</source>
            <translation>%1，第 %2 行和第 %3 行</translation>
        </message>
        <message>
            <source>%1, line %2</source>
            <translation>%1，第 %2 行</translation>
        </message>
        <message>
            <source>kernel duration</source>
            <translation>内核时长</translation>
        </message>
        <message>
            <source>loads by address</source>
            <translation>按地址计的读取</translation>
        </message>
        <message>
            <source>stores by address</source>
            <translation>按地址计的写入</translation>
        </message>
        <message>
            <source>L2 to L1</source>
            <translation>L2 到 L1</translation>
        </message>
        <message>
            <source>L1 to L2</source>
            <translation>L1 到 L2</translation>
        </message>
        <message>
            <source>L2 reads</source>
            <translation>L2 读取</translation>
        </message>
        <message>
            <source>L2 writes</source>
            <translation>L2 写入</translation>
        </message>
        <message>
            <source>DRAM reads</source>
            <translation>DRAM 读取</translation>
        </message>
        <message>
            <source>DRAM writes</source>
            <translation>DRAM 写入</translation>
        </message>
        <message>
            <source>compiling</source>
            <translation>编译中</translation>
        </message>
        <message>
            <source>verifying</source>
            <translation>验证中</translation>
        </message>
        <message>
            <source>timing</source>
            <translation>计时中</translation>
        </message>
        <message>
            <source>counting</source>
            <translation>计数中</translation>
        </message>
        <message>
            <source>counting line by line</source>
            <translation>逐行计数中</translation>
        </message>
        <message>
            <source>starting blocks</source>
            <translation>启动线程块</translation>
        </message>
        <message>
            <source>constant memory</source>
            <translation>常量内存</translation>
        </message>
        <message>
            <source>atomics</source>
            <translation>原子操作</translation>
        </message>
        <message>
            <source>executed, but no metric here counts it</source>
            <translation>已执行，但这里没有指标统计它</translation>
        </message>
        <message>
            <source>lanes of a warp leave this loop after different numbers of turns: if ptxas unrolls it, its requests are counted in parts</source>
            <translation>同一线程束的各线程在不同轮次后退出此循环：若 ptxas 将其展开，其请求会被拆分计数</translation>
        </message>
        <message>
            <source>Correct the kernel&apos;s source: it is read again when it is saved.</source>
            <translation>请改正内核源代码：保存后会自动重新读取。</translation>
        </message>
        <message>
            <source>thread (%1) of block (%2) %3 %4 at offset %5 of %6 memory, which has %7 bytes</source>
            <translation>线程块 (%2) 的线程 (%1) 在%6内存的偏移 %5 处%3 %4，而该内存只有 %7 字节</translation>
        </message>
        <message>
            <source>thread (%1) of block (%2) %3 %4 at %5, reaching %6 past the end of buffer `%7` of %8 bytes</source>
            <translation>线程块 (%2) 的线程 (%1) 在 %5 处%3 %4，超出缓冲区 `%7`（%8 字节）末尾 %6</translation>
        </message>
        <message>
            <source>thread (%1) of block (%2) %3 %4 at %5, reaching %6 before the start of buffer `%7` of %8 bytes</source>
            <translation>线程块 (%2) 的线程 (%1) 在 %5 处%3 %4，位于缓冲区 `%7`（%8 字节）开头之前 %6</translation>
        </message>
        <message>
            <source>thread (%1) of block (%2) %3 %4 at %5, and the launch has no buffer</source>
            <translation>线程块 (%2) 的线程 (%1) 在 %5 处%3 %4，而此启动没有缓冲区</translation>
        </message>
        <message>
            <source>thread (%1) of block (%2) reads constant memory at %3, outside every constant</source>
            <translation>线程块 (%2) 的线程 (%1) 在 %3 处读取常量内存，落在所有常量之外</translation>
        </message>
        <message>
            <source>thread (%1) of block (%2) %3 %4 at %5, which is no multiple of %6</source>
            <translation>线程块 (%2) 的线程 (%1) 在 %5 处%3 %4，该地址不是 %6 的整数倍</translation>
        </message>
        <message>
            <source>thread (%1) of block (%2) %3 shared bytes %4 to %5 at line %6 and thread (%7) %8 them at line %9, with no barrier between</source>
            <translation>线程块 (%2) 的线程 (%1) 在第 %6 行%3共享内存字节 %4 至 %5，线程 (%7) 在第 %9 行%8这些字节，中间没有屏障</translation>
        </message>
        <message>
            <source>thread (%1) of block (%2) and another lane of its warp write different values to shared bytes %3 to %4 with one instruction</source>
            <translation>线程块 (%2) 的线程 (%1) 与同一线程束的另一线程用同一条指令向共享内存字节 %3 至 %4 写入不同的值</translation>
        </message>
        <message>
            <source>thread (%1) of block (%2) writes shared bytes %3 to %4 together with another lane of its warp; whether the values differ depends on data</source>
            <translation>线程块 (%2) 的线程 (%1) 与同一线程束的另一线程同时写入共享内存字节 %3 至 %4；值是否不同取决于数据</translation>
        </message>
        <message>
            <source>thread (%1) of block (%2) reads shared bytes %3 to %4, which nothing has written</source>
            <translation>线程块 (%2) 的线程 (%1) 读取从未写入的共享内存字节 %3 至 %4</translation>
        </message>
        <message>
            <source>%1 of warp %2 in block (%3) are not at this barrier with the rest of the warp</source>
            <translation>线程块 (%3) 的线程束 %2 中有 %1没有与线程束的其余线程一起到达此屏障</translation>
        </message>
        <message>
            <source>%1 of warp %2 in block (%3) is not at this barrier with the rest of the warp</source>
            <translation>线程块 (%3) 的线程束 %2 中有 %1没有与线程束的其余线程一起到达此屏障</translation>
        </message>
        <message>
            <source>%1 of %2 elements of %3 are wrong at %4: first %5, which should be %6; line %7 wrote it last</source>
            <translation>在 %4 下，%3 的 %2 个元素中有 %1 个错误：第一个是 %5，应为 %6；最后写入它的是第 %7 行</translation>
        </message>
        <message>
            <source>%1 of %2 elements of %3 are wrong at %4: first %5, which should be %6; nothing wrote it</source>
            <translation>在 %4 下，%3 的 %2 个元素中有 %1 个错误：第一个是 %5，应为 %6；没有任何写入</translation>
        </message>
        <message>
            <source>lanes of warp %1 of block (%2) leave this loop after different numbers of turns: if ptxas unrolls it, the GPU counts its requests in parts, and more of them than are predicted</source>
            <translation>线程块 (%2) 的线程束 %1 的各线程在不同轮次后退出此循环：若 ptxas 将其展开，GPU 会拆分计数其请求，多于预测</translation>
        </message>
        <message>
            <source>lanes of warp %1 of block (%2) wait here for an mbarrier apart from the others: if the GPU does not join them again, it counts requests in parts, and more of them than are predicted</source>
            <translation>线程块 (%2) 的线程束 %1 中部分线程在此单独等待 mbarrier：若 GPU 之后不再让它们会合，会拆分计数其请求，多于预测</translation>
        </message>
        <message>
            <source>ptxas spills %1 registers of each thread to local memory: fewer threads a block (__launch_bounds__) or less unrolling may avoid it; no key counts its sectors, the estimates beyond L1 and of the time do</source>
            <translation>ptxas 将每个线程的 %1 个寄存器溢出到本地内存：减少每块线程数（__launch_bounds__）或减少展开或可避免；没有指标计入其扇区，L1 之外和时间的估计则计入</translation>
        </message>
        <message>
            <source>an array lies in local memory, as one is that is indexed by what the compiler does not know: shared memory or unrolled loops may avoid it; no key counts its sectors, the estimates beyond L1 and of the time do</source>
            <translation>有数组位于本地内存，因为其下标是编译器未知的：改用共享内存或展开循环或可避免；没有指标计入其扇区，L1 之外和时间的估计则计入</translation>
        </message>
        <message>
            <source>the accesses of the machine code could not be matched with those of the PTX, from which all is counted: ptxas may have joined or repeated some; a measurement tells</source>
            <translation>机器码的访问无法与 PTX 的访问对应，而一切按 PTX 计数：ptxas 可能合并或重复了一些；以实测为准</translation>
        </message>
        <message>
            <source>addresses or branches depend on data, and blocks read in buffer `%1` where others write: each block was executed as if it ran alone</source>
            <translation>地址或分支取决于数据，而线程块在缓冲区 `%1` 中读取其他线程块写入之处：每个线程块按单独运行来执行</translation>
        </message>
        <message>
            <source>%1 bytes</source>
            <translation>%1 字节</translation>
        </message>
        <message>
            <source>%1 byte</source>
            <translation>%1 字节</translation>
        </message>
        <message>
            <source>%1 threads</source>
            <translation>%1 个线程</translation>
        </message>
        <message>
            <source>%1 thread</source>
            <translation>%1 个线程</translation>
        </message>
        <message>
            <source>grid %1</source>
            <translation>网格 %1</translation>
        </message>
        <message>
            <source>what it held before</source>
            <translation>它之前的值</translation>
        </message>
        <message>
            <source>reads</source>
            <translation>读取</translation>
        </message>
        <message>
            <source>writes</source>
            <translation>写入</translation>
        </message>
        <message>
            <source>updates</source>
            <translation>更新</translation>
        </message>
        <message>
            <source>shared</source>
            <translation>共享</translation>
        </message>
        <message>
            <source>local</source>
            <translation>本地</translation>
        </message>
        <message>
            <source>outside the memory it is meant for</source>
            <translation>超出所访问的内存</translation>
        </message>
        <message>
            <source>two threads use the same shared bytes, one of them writes, and no barrier stands between</source>
            <translation>两个线程使用相同的共享内存字节，其中一个写入，而中间没有屏障</translation>
        </message>
        <message>
            <source>no multiple of the access width</source>
            <translation>不是访问宽度的整数倍</translation>
        </message>
        <message>
            <source>elements of the small launch that was verified differ from the reference</source>
            <translation>用于验证的小规模启动中有元素与参考结果不同</translation>
        </message>
        <message>
            <source>some threads of the block never reach it</source>
            <translation>线程块中有线程从未到达</translation>
        </message>
        <message>
            <source>shared memory that nothing has written</source>
            <translation>读取了从未写入的共享内存</translation>
        </message>
        <message>
            <source>%1; seen at least %2 times</source>
            <translation>%1；至少出现 %2 次</translation>
        </message>
        <message>
            <source>what the smallest kernel takes from its start to its end</source>
            <translation>最小的核函数从开始到结束所需的时间</translation>
        </message>
        <message>
            <source>bytes that the L2 does not have, and those it writes back, at the rate of DRAM</source>
            <translation>L2 中没有的字节以及写回的字节，按 DRAM 的速率</translation>
        </message>
        <message>
            <source>sectors that the SMs ask the L2 for and store into it, at the rate of the L2</source>
            <translation>各 SM 向 L2 请求和写入的扇区，按 L2 的速率</translation>
        </message>
        <message>
            <source>the warps&apos; memory instructions, and the cache lines of their loads, one after another through an SM&apos;s load/store unit</source>
            <translation>线程束的访存指令及其加载的缓存行，依次通过 SM 的加载/存储单元</translation>
        </message>
        <message>
            <source>wavefronts of shared memory, one a clock for each SM; bank conflicts add to them</source>
            <translation>共享内存的波前，每个 SM 每周期一个；存储体冲突会增加波前</translation>
        </message>
        <message>
            <source>instructions of all warps of an SM through its four schedulers, or through the arithmetic unit that is busiest</source>
            <translation>SM 所有线程束的指令通过其四个调度器，或通过最忙的运算单元</translation>
        </message>
        <message>
            <source>waits for answers that nothing hides where an SM holds one wave of blocks: more resident warps, or more independent loads, hide them</source>
            <translation>SM 只容纳一批线程块时无从掩盖的等待：更多驻留线程束或更多独立加载可以掩盖它们</translation>
        </message>
        <message>
            <source>starting the blocks of an SM one after another</source>
            <translation>依次启动 SM 的线程块</translation>
        </message>
        <message>
            <source>loads from constant memory, one address at a time</source>
            <translation>从常量内存加载，一次一个地址</translation>
        </message>
        <message>
            <source>atomics, one after another where they meet in the L2</source>
            <translation>原子操作，在 L2 中相遇时依次进行</translation>
        </message>
        <message>
            <source>%1 holds %2 elements</source>
            <translation>%1 有 %2 个元素</translation>
        </message>
        <message>
            <source>the pointer into %1 is to its start</source>
            <translation>指向 %1 的指针取其开头</translation>
        </message>
        <message>
            <source>%1 holds 0, 1, 2 and so on</source>
            <translation>%1 的内容为 0、1、2……</translation>
        </message>
        <message>
            <source>%1 holds random integers below %2</source>
            <translation>%1 的内容为小于 %2 的随机整数</translation>
        </message>
        <message>
            <source>%1 is %2</source>
            <translation>%1 为 %2</translation>
        </message>
        <message>
            <source>the template&apos;s %1 is %2</source>
            <translation>模板的 %1 为 %2</translation>
        </message>
        <message>
            <source>the launch, by what the kernel does with its indices</source>
            <translation>启动方式，按内核如何使用其下标推测</translation>
        </message>
        <message>
            <source>%1(a, b) is a / b, rounded up</source>
            <translation>%1(a, b) 为 a / b 向上取整</translation>
        </message>
        <message>
            <source>dynamic shared memory is 4 bytes a thread</source>
            <translation>动态共享内存为每线程 4 字节</translation>
        </message>
        <message>
            <source>%1 Guessed: %2.</source>
            <translation>%1 推测：%2。</translation>
        </message>
        <message>
            <source>Put a manifest into the file.</source>
            <translation>在文件中加入清单。</translation>
        </message>
        <message>
            <source>%1 holds random indices below %2</source>
            <translation>%1 存放小于 %2 的随机下标</translation>
        </message>
        <message>
            <source>%1 begins ranges, each %2 behind the one before</source>
            <translation>%1 为各区间的起点，每个比前一个靠后 %2</translation>
        </message>
        <message>
            <source>barriers of the grid</source>
            <translation>网格屏障</translation>
        </message>
        <message>
            <source>blocks that wait for each other, and their arrivals one after another</source>
            <translation>线程块互相等待，且逐个到达</translation>
        </message>
        <message>
            <source>a loop waits here for other blocks: one look at what they write is counted, the GPU looks until they have written it</source>
            <translation>此处的循环在等待其他线程块：只按查看一次计数，GPU 会一直查看到它们写入为止</translation>
        </message>
        <message>
            <source>looking for races and bad addresses…</source>
            <translation>正在查找竞争与错误地址…</translation>
        </message>
        <message>
            <source>guessed data decide about addresses or branches</source>
            <translation>猜测的数据决定了地址或分支</translation>
        </message>
        <message>
            <source>no race in shared memory, no bad address</source>
            <translation>共享内存无竞争，无错误地址</translation>
        </message>
        <message>
            <source>%1; how large `%2` is was guessed</source>
            <translation>%1；`%2` 的大小是猜测的</translation>
        </message>
        <message>
            <source>%1; its launch was guessed, and may be why</source>
            <translation>%1；其启动方式是猜测的，可能是原因所在</translation>
        </message>
        <message>
            <source>%1 holds zeros</source>
            <translation>%1 全为零</translation>
        </message>
        <message>
            <source>what &apos;%1&apos; leaves in &apos;%2&apos; is not known (%3): its fill is taken</source>
            <translation>“%1”在“%2”中留下的内容未知（%3）：采用其填充值</translation>
        </message>
        <message>
            <source>what &apos;%1&apos; leaves in &apos;%2&apos; is not known (%3): what it leaves with guessed data, launched once, is taken</source>
            <translation>“%1”在“%2”中留下的内容未知（%3）：采用它以猜测的数据启动一次所留下的内容</translation>
        </message>
        <message>
            <source>what launches before leave in &apos;%1&apos; is not known (%2): its fill is taken</source>
            <translation>之前的启动在“%1”中留下的内容未知（%2）：采用其填充值</translation>
        </message>
        <message>
            <source>what launches before leave in &apos;%1&apos; is not known: its fill is taken</source>
            <translation>之前的启动在“%1”中留下的内容未知：采用其填充值</translation>
        </message>
        <message>
            <source>following the host code does not tell what it puts into &apos;%1&apos; with these values: its fill is taken</source>
            <translation>按这些取值跟踪主机代码，得不出它写入“%1”的内容：采用其填充值</translation>
        </message>
        <message>
            <source>what &apos;%1&apos; leaves in &apos;%2&apos; follows from a guess about &apos;%3&apos;</source>
            <translation>“%1”在“%2”中留下的内容取决于对“%3”的猜测</translation>
        </message>
        <message>
            <source>%1; `%2` was guessed, and may be why</source>
            <translation>%1；`%2` 是猜测的，原因可能在此</translation>
        </message>
        <message>
            <source>%1; with these values the program takes another branch, which may be why</source>
            <translation>%1；以这些值，程序会走另一个分支，这可能是原因</translation>
        </message>
        <message>
            <source>%1; `%2` was worked out for other values, and may be why</source>
            <translation>%1；`%2` 是按其他取值推得的，可能是原因所在</translation>
        </message>
        <message>
            <source>&apos;%1&apos; depends on data that nobody knows</source>
            <translation>“%1”取决于未知的数据</translation>
        </message>
        <message>
            <source>&apos;%1&apos; takes, with those before it, more than %2 instructions</source>
            <translation>“%1”连同之前的启动超过 %2 条指令</translation>
        </message>
        <message>
            <source>&apos;%1&apos; has %2 MB of memory</source>
            <translation>“%1”使用 %2 MB 内存</translation>
        </message>
        <message>
            <source>&apos;%1&apos; could not be read</source>
            <translation>无法读取“%1”</translation>
        </message>
        <message>
            <source>&apos;%1&apos; is given what the host code does not tell</source>
            <translation>主机代码没有说明传给“%1”的内容</translation>
        </message>
        <message>
            <source>&apos;%1&apos; has memory of which nobody knows what it is made of</source>
            <translation>“%1”使用类型未知的内存</translation>
        </message>
        <message>
            <source>&apos;%1&apos; comes behind too many launches</source>
            <translation>“%1”之前的启动过多</translation>
        </message>
        <message>
            <source>the host code does not tell what &apos;%1&apos; is launched with</source>
            <translation>主机代码没有说明“%1”的启动参数</translation>
        </message>
        <message>
            <source>it has no buffer &apos;%1&apos;</source>
            <translation>它没有缓冲区“%1”</translation>
        </message>
        <message>
            <source>what launches before leave in &apos;%1&apos; is not known (%2): what it starts with is taken</source>
            <translation>之前的启动在“%1”中留下的内容未知（%2）：采用其初始值</translation>
        </message>
        <message>
            <source>what launches before leave in &apos;%1&apos; is not known: what it starts with is taken</source>
            <translation>之前的启动在“%1”中留下的内容未知：采用其初始值</translation>
        </message>
        <message>
            <source>what the host code and launches before leave in &apos;%1&apos; is not known: zeros are taken</source>
            <translation>主机代码和之前的启动在“%1”中留下什么未知：取为零</translation>
        </message>
        <message>
            <source>following the host code does not tell what it puts into &apos;%1&apos; with these values: what it starts with is taken</source>
            <translation>按这些取值跟踪主机代码，得不出它写入“%1”的内容：采用其初始值</translation>
        </message>
        <message>
            <source>&apos;%1&apos; has variables of the module of which nobody knows what they hold</source>
            <translation>“%1”使用内容未知的模块变量</translation>
        </message>
        <message>
            <source>%1 holds what it starts with</source>
            <translation>%1 保持其初始值</translation>
        </message>
        <message>
            <source>addresses or branches depend on the values in `%1`, which are not known: they are drawn at random</source>
            <translation>地址或分支取决于 `%1` 中的数值，而其内容未知：取随机数</translation>
        </message>
        <message>
            <source>lanes of one atomic want several words of a sector, and other lanes words of the same banks: the L1 may put some off and count their sectors again, up to %1 % more than predicted</source>
            <translation>同一条原子指令的一些通道要同一扇区中不同的字，另一些通道要相同存储体的字：L1 可能把其中一些推后，并再次计入其扇区，最多比预测多 %1 %。</translation>
        </message>
    </context>
    <context>
        <name>WarpModels</name>
        <message numerus="yes">
            <source>%n lane(s) reach outside of every buffer: lane %1, %2.</source>
            <translation>
                <numerusform>%n 个线程越出所有缓冲区：首先是线程 %1，%2。</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n lane(s) reach outside of every buffer, lane %1 first.</source>
            <translation>
                <numerusform>%n 个线程越出所有缓冲区，首先是线程 %1。</numerusform>
            </translation>
        </message>
        <message>
            <source>%1 bytes before the start of %2</source>
            <translation>在 %2 的起点之前 %1 字节</translation>
        </message>
        <message>
            <source>%1 bytes past the end of %2</source>
            <translation>超出 %2 的末尾 %1 字节</translation>
        </message>
        <message numerus="yes">
            <source>%n turn(s)</source>
            <translation>
                <numerusform>%n 轮</numerusform>
            </translation>
        </message>
        <message>
            <source>its line, whole grid: %1 sectors</source>
            <translation>该行，整个网格：%1 个扇区</translation>
        </message>
        <message>
            <source>its line, whole grid: %1 wavefronts</source>
            <translation>该行，整个网格：%1 个波前</translation>
        </message>
        <message>
            <source>not modelled</source>
            <translation>没有模型</translation>
        </message>
        <message numerus="yes">
            <source>%n wavefront(s)</source>
            <translation>
                <numerusform>%n 个波前</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n sector(s)</source>
            <translation>
                <numerusform>%n 个扇区</numerusform>
            </translation>
        </message>
        <message>
            <source>%1, line %2</source>
            <translation>%1，第 %2 行</translation>
        </message>
        <message>
            <source>%1: the block waits</source>
            <translation>%1：线程块等待</translation>
        </message>
        <message>
            <source>%1: banks and wavefronts</source>
            <translation>%1：存储体与波前</translation>
        </message>
        <message>
            <source>%1: cache lines and sectors</source>
            <translation>%1：缓存行与扇区</translation>
        </message>
        <message>
            <source>Block %1, warp %2</source>
            <translation>线程块 %1，线程束 %2</translation>
        </message>
        <message>
            <source>whole grid: %1 wavefronts</source>
            <translation>整个网格：%1 个波前</translation>
        </message>
        <message>
            <source>whole grid: %1 sectors</source>
            <translation>整个网格：%1 个扇区</translation>
        </message>
        <message>
            <source>whole grid: 1 wavefront</source>
            <translation>整个网格：1 个波前</translation>
        </message>
        <message>
            <source>whole grid: 1 sector</source>
            <translation>整个网格：1 个扇区</translation>
        </message>
    </context>
    <context>
        <name>coalescope::app::BankView</name>
        <message>
            <source>%1 turns</source>
            <translation>%1 轮</translation>
        </message>
        <message>
            <source>1 turn</source>
            <translation>1 轮</translation>
        </message>
        <message>
            <source>bank</source>
            <translation>存储体</translation>
        </message>
        <message>
            <source>wavefront</source>
            <translation>波前</translation>
        </message>
        <message>
            <source>lane %1</source>
            <translation>通道 %1</translation>
        </message>
        <message>
            <source>lanes %1</source>
            <translation>通道 %1</translation>
        </message>
        <message>
            <source>; and %1 more</source>
            <translation>；另有 %1 个</translation>
        </message>
        <message>
            <source>Bank %1: asked for no word</source>
            <translation>存储体 %1：没有访问</translation>
        </message>
        <message>
            <source>Bank %1: 1 word</source>
            <translation>存储体 %1：1 个字</translation>
        </message>
        <message>
            <source>Bank %1: %2 words, one wavefront each</source>
            <translation>存储体 %1：%2 个字，每个一次波前</translation>
        </message>
        <message>
            <source>1 bank</source>
            <translation>1 个存储体</translation>
        </message>
        <message>
            <source>%1 banks</source>
            <translation>%1 个存储体</translation>
        </message>
        <message>
            <source>point at a bank or a cell; the keys “,” and “.” step through the wavefronts</source>
            <translation>指向一个存储体或单元格；按“,”和“.”键逐个查看波前</translation>
        </message>
        <message>
            <source>1 wavefront</source>
            <translation>1 个波前</translation>
        </message>
        <message>
            <source>%1 wavefronts</source>
            <translation>%1 个波前</translation>
        </message>
        <message>
            <source>1 conflict</source>
            <translation>1 次冲突</translation>
        </message>
        <message>
            <source>%1 conflicts</source>
            <translation>%1 次冲突</translation>
        </message>
        <message>
            <source>1 phase</source>
            <translation>1 个阶段</translation>
        </message>
        <message>
            <source>%1 phases</source>
            <translation>%1 个阶段</translation>
        </message>
        <message>
            <source>word %1, %2, wavefront %3</source>
            <translation>字 %1，%2，波前 %3</translation>
        </message>
        <message>
            <source>Lane %1 takes no part</source>
            <translation>通道 %1 不参与</translation>
        </message>
        <message>
            <source>Lane %1: wavefront %2, bank %3</source>
            <translation>通道 %1：波前 %2，存储体 %3</translation>
        </message>
        <message>
            <source>word %1</source>
            <translation>字 %1</translation>
        </message>
        <message>
            <source>Banks and wavefronts</source>
            <translation>存储体与波前</translation>
        </message>
        <message>
            <source>bank %1, wavefront %2
word %3 (bytes %4 … %5)
%6</source>
            <translation>存储体 %1，波前 %2
字 %3（字节 %4 … %5）
%6</translation>
        </message>
        <message>
            <source>bank %1</source>
            <translation>存储体 %1</translation>
        </message>
        <message>
            <source>asked for no word</source>
            <translation>没有访问</translation>
        </message>
        <message>
            <source>Wavefront 0, the only one,</source>
            <translation>波前 0（唯一一个）</translation>
        </message>
        <message>
            <source>Wavefront %1 of 0-%2</source>
            <translation>波前 %1（0-%2）</translation>
        </message>
        <message>
            <source>%1 serves %2 from %3</source>
            <translation>%1由%3服务于%2</translation>
        </message>
    </context>
    <context>
        <name>coalescope::app::BarsView</name>
        <message>
            <source>predicted</source>
            <translation>预测</translation>
        </message>
        <message>
            <source>measured</source>
            <translation>实测</translation>
        </message>
        <message>
            <source>unknown</source>
            <translation>未知</translation>
        </message>
        <message>
            <source>Predicted and measured</source>
            <translation>预测与实测</translation>
        </message>
    </context>
    <context>
        <name>coalescope::app::BlockView</name>
        <message>
            <source>wraps at %1</source>
            <translation>每 %1 个线程换行</translation>
        </message>
        <message>
            <source>%1 rows a column</source>
            <translation>每列 %1 行</translation>
        </message>
        <message>
            <source>%1 layers in z</source>
            <translation>z 方向 %1 层</translation>
        </message>
        <message>
            <source>Threads of the block</source>
            <translation>线程块的线程</translation>
        </message>
        <message>
            <source>%1 threads, warp %2 of %3 is lit</source>
            <translation>%1 个线程，高亮线程束 %2（共 %3 个）</translation>
        </message>
        <message>
            <source>no such block</source>
            <translation>没有这样的线程块</translation>
        </message>
        <message>
            <source>%1 threads</source>
            <translation>%1 个线程</translation>
        </message>
        <message>
            <source>thread (%1, %2, %3)
warp %4, lane %5</source>
            <translation>线程 (%1, %2, %3)
线程束 %4，通道 %5</translation>
        </message>
    </context>
    <context>
        <name>coalescope::app::CompanionCard</name>
        <message>
            <source>look at this</source>
            <translation>查看</translation>
        </message>
        <message>
            <source>Choose this instruction</source>
            <translation>选择这条指令</translation>
        </message>
    </context>
    <context>
        <name>coalescope::app::ComparisonPanel</name>
        <message>
            <source>The parts are of the duration: the kernel alone, as a profiler tells it (gpu__time_duration), with the L2 as the profiler leaves it.
Caches emptied: the same where the profiler empties them before the launch, as Nsight Compute does unless it is told not to.
Warm: launched back to back, the L2 as the launch before left it: less than the duration, or a part of it, where the data stays there, more where what that launch wrote must leave first. Cold: with the L2 full of other data. Both are from event to event, which adds about 2 µs.</source>
            <translation>各部分属于内核时长：仅内核本身，即性能分析器给出的 gpu__time_duration，L2 处于分析器留下的状态。
“缓存已清空”：性能分析器在启动前清空缓存时的内核时长，Nsight Compute 默认如此。
“预热”：连续启动，L2 为上一次启动留下的状态：数据仍留在其中时比内核时长或其中某一部分短，须先写回上一次启动所写的数据时则更长。“冷”：L2 装满其他数据。两者均为两个事件之间的时间，约多 2 µs。</translation>
        </message>
        <message>
            <source>Time with a warm L2, predicted</source>
            <translation>热 L2 时的时间，预测</translation>
        </message>
        <message>
            <source>Verifying the predicted output…</source>
            <translation>正在验证预测的输出…</translation>
        </message>
        <message>
            <source>predicted output verified</source>
            <translation>预测的输出已验证</translation>
        </message>
        <message>
            <source>predicted output is wrong</source>
            <translation>预测的输出有误</translation>
        </message>
        <message>
            <source>measured output verified</source>
            <translation>实测的输出已验证</translation>
        </message>
        <message>
            <source>measured output is wrong</source>
            <translation>实测的输出有误</translation>
        </message>
        <message>
            <source>What takes the time: %1</source>
            <translation>时间花在哪里：%1</translation>
        </message>
        <message>
            <source>Predicted and measured</source>
            <translation>预测与实测</translation>
        </message>
        <message>
            <source>Time with a warm L2, predicted and measured</source>
            <translation>时间（热 L2）：预测与实测</translation>
        </message>
        <message>
            <source>predicted output is wrong in the order that the warps were executed here; the race decides</source>
            <translation>按此处执行线程束的顺序，预测的输出有误；结果取决于竞争</translation>
        </message>
        <message>
            <source>measured output was right in this run: the race went well, by luck</source>
            <translation>这次运行的实测输出碰巧正确：竞争侥幸没有出错</translation>
        </message>
        <message>
            <source>kernel duration</source>
            <translation>内核时长</translation>
        </message>
        <message>
            <source>caches emptied</source>
            <translation>缓存已清空</translation>
        </message>
        <message>
            <source>warm L2</source>
            <translation>热 L2</translation>
        </message>
        <message>
            <source>cold L2</source>
            <translation>冷 L2</translation>
        </message>
        <message>
            <source>Compare on %1</source>
            <translation>在 %1 上比较</translation>
        </message>
        <message>
            <source>Recorded nearby: %1</source>
            <translation>相近的记录：%1</translation>
        </message>
        <message>
            <source>predicted output not checked: no reference</source>
            <translation>预测的输出未核对：没有参考</translation>
        </message>
        <message>
            <source>measured output not checked: no reference</source>
            <translation>实测的输出未核对：没有参考</translation>
        </message>
        <message>
            <source>Each part as if alone: they overlap, and do not add up.</source>
            <translation>各部分按单独执行计算：它们相互重叠，不能相加。</translation>
        </message>
        <message>
            <source>What takes the time (its registers are being compiled)</source>
            <translation>时间花在哪里（正在编译寄存器）</translation>
        </message>
        <message>
            <source>A click shows the access of the warp that has the most of it.</source>
            <translation>点击显示该 warp 中占此部分最多的访问。</translation>
        </message>
    </context>
    <context>
        <name>coalescope::app::ComparisonView</name>
        <message>
            <source>Predicted and measured</source>
            <translation>预测与实测</translation>
        </message>
        <message>
            <source>predicted</source>
            <translation>预测</translation>
        </message>
        <message>
            <source>Predicted and measured values</source>
            <translation>预测值与实测值</translation>
        </message>
    </context>
    <context>
        <name>coalescope::app::ExperimentPanel</name>
        <message>
            <source>of the last warp's 32 lanes %1 have a thread</source>
            <translation>最后一个线程束的 32 个通道中有 %1 个有线程</translation>
        </message>
        <message>
            <source>the block is smaller than a warp</source>
            <translation>线程块比一个线程束还小</translation>
        </message>
        <message>
            <source>x is the fast dimension: a warp is 32 neighbours of one row</source>
            <translation>x 是最快的维度：一个线程束是同一行的 32 个相邻线程</translation>
        </message>
        <message>
            <source>x is the fast dimension: a warp is %1 rows of %2</source>
            <translation>x 是最快的维度：一个线程束是 %1 行，每行 %2 个线程</translation>
        </message>
        <message>
            <source>x is the fast dimension: a warp runs on over rows of %1</source>
            <translation>x 是最快的维度：一个线程束跨过每行 %1 个线程的若干行</translation>
        </message>
        <message>
            <source>Allowed: %1 to %2.</source>
            <translation>允许范围：%1 至 %2。</translation>
        </message>
        <message>
            <source>Defaults</source>
            <translation>默认值</translation>
        </message>
        <message numerus="yes">
            <source>block %1 = %2 threads, %n warp(s)</source>
            <translation>
                <numerusform>线程块 %1 = %2 个线程，%n 个线程束</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>block of %1 threads, %n warp(s)</source>
            <translation>
                <numerusform>线程块有 %1 个线程，%n 个线程束</numerusform>
            </translation>
        </message>
        <message>
            <source>grid %1 = %2 blocks</source>
            <translation>网格 %1 = %2 个线程块</translation>
        </message>
        <message>
            <source>%1 of %2 warps</source>
            <translation>%1 / %2 个线程束</translation>
        </message>
        <message>
            <source>Occupancy</source>
            <translation>占用率</translation>
        </message>
        <message>
            <source>limit: %1</source>
            <translation>受限于：%1</translation>
        </message>
        <message numerus="yes">
            <source>%n block(s) an SM</source>
            <translation>
                <numerusform>每个 SM %n 个线程块</numerusform>
            </translation>
        </message>
        <message>
            <source>%1 B shared</source>
            <translation>共享内存 %1 B</translation>
        </message>
        <message numerus="yes">
            <source>%n register(s)</source>
            <translation>
                <numerusform>%n 个寄存器</numerusform>
            </translation>
        </message>
        <message>
            <source>registers not known</source>
            <translation>寄存器数未知</translation>
        </message>
        <message>
            <source>Of one SM of %1</source>
            <translation>指 %1 的一个 SM</translation>
        </message>
        <message>
            <source>verifying the output…</source>
            <translation>正在验证输出…</translation>
        </message>
        <message>
            <source>output is wrong</source>
            <translation>输出有误</translation>
        </message>
        <message>
            <source>output verified</source>
            <translation>输出已验证</translation>
        </message>
        <message>
            <source>Experiment</source>
            <translation>实验</translation>
        </message>
        <message>
            <source>Presets</source>
            <translation>预设</translation>
        </message>
        <message>
            <source>The published launches, and the lessons of this kernel</source>
            <translation>已发表的启动，以及这个内核的要点</translation>
        </message>
        <message>
            <source>output is wrong in the order executed here; the race decides</source>
            <translation>按此处的执行顺序输出有误；结果取决于竞争</translation>
        </message>
        <message>
            <source>block of one thread, 1 warp</source>
            <translation>线程块只有一个线程，1 个线程束</translation>
        </message>
        <message>
            <source>grid of one block</source>
            <translation>网格只有一个线程块</translation>
        </message>
        <message>
            <source>grid of %1 blocks</source>
            <translation>网格共 %1 个线程块</translation>
        </message>
        <message>
            <source>output not checked: no reference</source>
            <translation>输出未核对：没有参考</translation>
        </message>
    </context>
    <context>
        <name>coalescope::app::GpuRunner</name>
        <message>
            <source>The worker&apos;s answer never ends.</source>
            <translation>工作进程的回答没有结尾。</translation>
        </message>
        <message>
            <source>The worker crashed (signal %1).</source>
            <translation>工作进程崩溃（信号 %1）。</translation>
        </message>
        <message>
            <source>The worker ended with status %1 and no result.</source>
            <translation>工作进程以状态 %1 结束，没有结果。</translation>
        </message>
        <message>
            <source>It wrote what is no message: %1</source>
            <translation>它输出了不是消息的内容：%1</translation>
        </message>
        <message>
            <source>Its last words: %1</source>
            <translation>它最后的输出：%1</translation>
        </message>
        <message>
            <source>The command could not be started.</source>
            <translation>无法启动该命令。</translation>
        </message>
    </context>
    <context>
        <name>coalescope::app::HelpDialog</name>
        <message>
            <source>in the strip: the instruction before, the next one</source>
            <translation>在指令条中：上一条、下一条指令</translation>
        </message>
        <message>
            <source>in the block: another warp</source>
            <translation>在线程块中：另一个线程束</translation>
        </message>
        <message>
            <source>in the banks: the wavefront before, the next one; Esc shows all</source>
            <translation>在存储体图中：上一个、下一个波前；Esc 显示全部</translation>
        </message>
        <message>
            <source>in the comparison: another row, read out in the status bar</source>
            <translation>在比较表中：另一行，状态栏会读出</translation>
        </message>
        <message>
            <source>on to the next control or picture</source>
            <translation>转到下一个控件或图</translation>
        </message>
        <message>
            <source>One ramp, from violet to yellow, stands for lanes 0 to 31 in every picture. ≈ marks an estimate; every other prediction is exact.</source>
            <translation>所有图都用从紫到黄的同一色带表示通道 0 到 31。≈ 表示估计值，其余预测都是精确的。</translation>
        </message>
        <message>
            <source>Keys and words</source>
            <translation>按键与术语</translation>
        </message>
        <message>
            <source>lane</source>
            <translation>通道</translation>
        </message>
        <message>
            <source>warp</source>
            <translation>线程束</translation>
        </message>
        <message>
            <source>request</source>
            <translation>请求</translation>
        </message>
        <message>
            <source>sector</source>
            <translation>扇区</translation>
        </message>
        <message>
            <source>line, tag</source>
            <translation>缓存行、标签</translation>
        </message>
        <message>
            <source>coalesced</source>
            <translation>合并</translation>
        </message>
        <message>
            <source>bank</source>
            <translation>存储体</translation>
        </message>
        <message>
            <source>wavefront</source>
            <translation>波前</translation>
        </message>
        <message>
            <source>conflict</source>
            <translation>冲突</translation>
        </message>
        <message>
            <source>occupancy</source>
            <translation>占用率</translation>
        </message>
        <message>
            <source>L2 warm, cold</source>
            <translation>热、冷 L2</translation>
        </message>
        <message>
            <source>one of a warp&apos;s 32 threads</source>
            <translation>线程束的 32 个线程之一</translation>
        </message>
        <message>
            <source>32 threads of a block that execute an instruction together</source>
            <translation>线程块中一起执行同一条指令的 32 个线程</translation>
        </message>
        <message>
            <source>one instruction of a warp to memory, whatever its lanes ask for</source>
            <translation>线程束的一条访存指令，无论各通道访问什么</translation>
        </message>
        <message>
            <source>32 bytes of global memory: caches and DRAM move no less</source>
            <translation>全局内存的 32 字节：缓存与 DRAM 传送的最小单位</translation>
        </message>
        <message>
            <source>128 bytes, four sectors; L1 looks up a tag for each line of a request</source>
            <translation>128 字节，四个扇区；L1 为请求的每个缓存行查一次标签</translation>
        </message>
        <message>
            <source>lanes side by side: a request needs as few sectors as its bytes fill</source>
            <translation>各通道相邻：请求所需的扇区数最少，恰好装满其字节</translation>
        </message>
        <message>
            <source>one of 32 that hold shared memory&apos;s words of 4 bytes, in turn</source>
            <translation>共享内存的 4 字节字依次分布在 32 个存储体中</translation>
        </message>
        <message>
            <source>what shared memory serves at once: a word of each bank</source>
            <translation>共享内存一次服务的内容：每个存储体一个字</translation>
        </message>
        <message>
            <source>two words or more asked of one bank: it serves them in one wavefront after another</source>
            <translation>同一存储体被请求两个或更多的字：逐个波前依次提供</translation>
        </message>
        <message>
            <source>warps that an SM holds at a time, of those it could</source>
            <translation>一个 SM 同时容纳的线程束，相对其上限</translation>
        </message>
        <message>
            <source>as the launch before left it; full of other data</source>
            <translation>保持上一次启动后的状态；或装满其他数据</translation>
        </message>
        <message>
            <source>Coalescope %1, free software under the GPL, version 3 or later; made with Qt %2, QCustomPlot and QScintilla.</source>
            <translation>Coalescope %1，自由软件，采用 GPL 第 3 版或更高版本；使用 Qt %2、QCustomPlot 和 QScintilla。</translation>
        </message>
        <message>
            <source>in the sectors: another lane; in the banks: another bank; a click chooses one, Esc none</source>
            <translation>在扇区图中：换一个通道；在存储体图中：换一个存储体；单击选定，Esc 取消</translation>
        </message>
    </context>
    <context>
        <name>coalescope::app::InstructionStrip</name>
        <message>
            <source>line %1</source>
            <translation>第 %1 行</translation>
        </message>
        <message>
            <source>no line</source>
            <translation>无行号</translation>
        </message>
        <message>
            <source>%1 of the warp&apos;s %2 steps</source>
            <translation>显示该线程束 %2 步中的 %1 步</translation>
        </message>
        <message>
            <source>Memory instructions of the warp</source>
            <translation>线程束的访存指令</translation>
        </message>
        <message>
            <source>Step %1 of %2: %3, %4, %5</source>
            <translation>第 %1 步，共 %2 步：%3，%4，%5</translation>
        </message>
        <message>
            <source>this warp touches no memory</source>
            <translation>该线程束不访问内存</translation>
        </message>
        <message>
            <source>%1, %2</source>
            <translation>%1，%2</translation>
        </message>
        <message>
            <source>%1, ideal %2</source>
            <translation>%1，理想 %2</translation>
        </message>
        <message>
            <source>step %1 of %2</source>
            <translation>第 %1 步，共 %2 步</translation>
        </message>
    </context>
    <context>
        <name>coalescope::app::KernelChooser</name>
        <message>
            <source>Kernel: %1</source>
            <translation>内核：%1</translation>
        </message>
        <message>
            <source>Choose a kernel (Ctrl+K)</source>
            <translation>选择内核 (Ctrl+K)</translation>
        </message>
    </context>
    <context>
        <name>coalescope::app::KernelPopup</name>
        <message>
            <source>Search kernels by name or by what they do</source>
            <translation>按名称或用途搜索内核</translation>
        </message>
        <message>
            <source>Search kernels</source>
            <translation>搜索内核</translation>
        </message>
        <message>
            <source>Kernels</source>
            <translation>内核</translation>
        </message>
        <message>
            <source>&amp;Open kernel file…</source>
            <translation>打开内核文件(&amp;O)…</translation>
        </message>
        <message>
            <source>No kernel is called so, or does that.</source>
            <translation>没有这样的内核。</translation>
        </message>
    </context>
    <context>
        <name>coalescope::app::LaneDetailView</name>
        <message>
            <source>Part %1</source>
            <translation>第 %1 部分</translation>
        </message>
        <message>
            <source>thread</source>
            <translation>线程</translation>
        </message>
        <message>
            <source>threadIdx (x, y, z)</source>
            <translation>threadIdx (x, y, z)</translation>
        </message>
        <message>
            <source>address</source>
            <translation>地址</translation>
        </message>
        <message>
            <source>bytes</source>
            <translation>字节</translation>
        </message>
        <message>
            <source>bytes that the lane moves</source>
            <translation>该通道搬运的字节</translation>
        </message>
        <message>
            <source>offset</source>
            <translation>偏移</translation>
        </message>
        <message>
            <source>bytes from the warp&apos;s lowest address</source>
            <translation>距线程束最低地址的字节数</translation>
        </message>
        <message>
            <source>bytes from the start of %1</source>
            <translation>距 %1 起点的字节数</translation>
        </message>
        <message>
            <source>line</source>
            <translation>缓存行</translation>
        </message>
        <message>
            <source>address of the 128-byte cache line</source>
            <translation>128 字节缓存行的地址</translation>
        </message>
        <message>
            <source>sector</source>
            <translation>扇区</translation>
        </message>
        <message>
            <source>%1 of 0-3</source>
            <translation>%1（0-3）</translation>
        </message>
        <message>
            <source>%1 and on</source>
            <translation>从 %1 起</translation>
        </message>
        <message>
            <source>32-byte sector within the line</source>
            <translation>缓存行内的 32 字节扇区</translation>
        </message>
        <message>
            <source>word</source>
            <translation>字</translation>
        </message>
        <message>
            <source>4-byte words of the block&apos;s shared memory</source>
            <translation>线程块共享内存中的 4 字节字</translation>
        </message>
        <message>
            <source>bank</source>
            <translation>存储体</translation>
        </message>
        <message>
            <source>word mod 32</source>
            <translation>字 mod 32</translation>
        </message>
        <message>
            <source>wavefront</source>
            <translation>波前</translation>
        </message>
        <message>
            <source>none</source>
            <translation>无</translation>
        </message>
        <message>
            <source>the wavefronts that serve the lane, counted from 0</source>
            <translation>服务于该通道的波前，从 0 计</translation>
        </message>
        <message>
            <source>inactive</source>
            <translation>不活跃</translation>
        </message>
        <message>
            <source>moves nothing</source>
            <translation>不搬运数据</translation>
        </message>
        <message>
            <source>the lane&apos;s guard is false, it has left, or it does not exist</source>
            <translation>该通道的谓词为假、已退出或不存在</translation>
        </message>
        <message>
            <source>Lane</source>
            <translation>通道</translation>
        </message>
        <message>
            <source>hover a lane, a bank or a cell</source>
            <translation>将指针移到通道、存储体或格子上</translation>
        </message>
        <message>
            <source>Lane %1</source>
            <translation>通道 %1</translation>
        </message>
        <message>
            <source>%1 of 0-%2</source>
            <translation>%1（0-%2）</translation>
        </message>
    </context>
    <context>
        <name>coalescope::app::MainWindow</name>
        <message>
            <source>%1 is gone: the last experiment is kept and opened as soon as it is back, unless another one is begun.</source>
            <translation>%1 已不存在：上一个实验会保留，文件恢复后立即打开，除非开始新的实验。</translation>
        </message>
        <message>
            <source>, %1 left</source>
            <translation>，剩余%1</translation>
        </message>
        <message>
            <source>The prediction was cancelled: F5 predicts again; or undo, or change a value.</source>
            <translation>预测已取消：按 F5 重新预测；也可撤销，或修改某个值。</translation>
        </message>
        <message>
            <source>Line %1 is of %2: a double click, or Enter, chooses that kernel.</source>
            <translation>第 %1 行属于 %2：双击或按 Enter 键可选择该内核。</translation>
        </message>
        <message>
            <source>The settings could not be read; defaults are used.</source>
            <translation>无法读取设置，已使用默认值。</translation>
        </message>
        <message>
            <source>Run cancelled.</source>
            <translation>已取消运行。</translation>
        </message>
        <message>
            <source>recorded launch</source>
            <translation>已记录的启动</translation>
        </message>
        <message>
            <source>The last experiment could not be read; starting with a new one.</source>
            <translation>无法读取上次的实验，已重新开始。</translation>
        </message>
        <message>
            <source>The kernel has no parameter %1.</source>
            <translation>该内核没有参数 %1。</translation>
        </message>
        <message>
            <source>There is no device %1; there are %2.</source>
            <translation>没有设备 %1；可用的有：%2。</translation>
        </message>
        <message>
            <source>These values are not allowed, see the experiment on the left; the pictures show the last launch that was allowed.</source>
            <translation>这些值不被允许，原因见左侧的实验；图中是上一个合法的启动。</translation>
        </message>
        <message>
            <source>&amp;File</source>
            <translation>文件(&amp;F)</translation>
        </message>
        <message>
            <source>Choose &amp;kernel…</source>
            <translation>选择内核(&amp;K)…</translation>
        </message>
        <message>
            <source>&amp;Open kernel file or session…</source>
            <translation>打开内核文件或会话(&amp;O)…</translation>
        </message>
        <message>
            <source>Save session</source>
            <translation>保存会话</translation>
        </message>
        <message>
            <source>Session (*.json)</source>
            <translation>会话 (*.json)</translation>
        </message>
        <message>
            <source>&amp;Quit</source>
            <translation>退出(&amp;Q)</translation>
        </message>
        <message>
            <source>&amp;Edit</source>
            <translation>编辑(&amp;E)</translation>
        </message>
        <message>
            <source>&amp;Undo</source>
            <translation>撤销(&amp;U)</translation>
        </message>
        <message>
            <source>&amp;Redo</source>
            <translation>重做(&amp;R)</translation>
        </message>
        <message>
            <source>&amp;Copy table as text</source>
            <translation>将表格复制为文本(&amp;C)</translation>
        </message>
        <message>
            <source>Copy table for a &amp;spreadsheet</source>
            <translation>为电子表格复制(&amp;S)</translation>
        </message>
        <message>
            <source>&amp;View</source>
            <translation>视图(&amp;V)</translation>
        </message>
        <message>
            <source>&amp;Warp</source>
            <translation>线程束(&amp;W)</translation>
        </message>
        <message>
            <source>&amp;Source</source>
            <translation>源码(&amp;S)</translation>
        </message>
        <message>
            <source>&amp;Next instruction</source>
            <translation>下一条指令(&amp;N)</translation>
        </message>
        <message>
            <source>&amp;Previous instruction</source>
            <translation>上一条指令(&amp;P)</translation>
        </message>
        <message>
            <source>&amp;Theme</source>
            <translation>主题(&amp;T)</translation>
        </message>
        <message>
            <source>As the &amp;system</source>
            <translation>跟随系统(&amp;S)</translation>
        </message>
        <message>
            <source>&amp;Light</source>
            <translation>浅色(&amp;L)</translation>
        </message>
        <message>
            <source>&amp;Dark</source>
            <translation>深色(&amp;D)</translation>
        </message>
        <message>
            <source>&amp;Language</source>
            <translation>语言(&amp;L)</translation>
        </message>
        <message>
            <source>&amp;GPU</source>
            <translation>GPU(&amp;G)</translation>
        </message>
        <message>
            <source>&amp;Run on GPU</source>
            <translation>在 GPU 上运行(&amp;R)</translation>
        </message>
        <message>
            <source>&amp;Cancel the run</source>
            <translation>取消运行(&amp;C)</translation>
        </message>
        <message>
            <source>&amp;Targets…</source>
            <translation>目标(&amp;T)…</translation>
        </message>
        <message>
            <source>Save comparison as &amp;PNG…</source>
            <translation>将比较保存为 PNG(&amp;P)…</translation>
        </message>
        <message>
            <source>PNG picture (*.png)</source>
            <translation>PNG 图片 (*.png)</translation>
        </message>
        <message>
            <source>Save comparison as S&amp;VG…</source>
            <translation>将比较保存为 SVG(&amp;V)…</translation>
        </message>
        <message>
            <source>SVG picture (*.svg)</source>
            <translation>SVG 图片 (*.svg)</translation>
        </message>
        <message>
            <source>Open kernel file or session</source>
            <translation>打开内核文件或会话</translation>
        </message>
        <message>
            <source>Kernels and sessions (*.cu *.cuh *.py *.json)</source>
            <translation>内核与会话 (*.cu *.cuh *.py *.json)</translation>
        </message>
        <message>
            <source>All files (*)</source>
            <translation>所有文件 (*)</translation>
        </message>
        <message>
            <source>The table is on the clipboard.</source>
            <translation>表格已复制到剪贴板。</translation>
        </message>
        <message>
            <source>Saved %1</source>
            <translation>已保存 %1</translation>
        </message>
        <message>
            <source>%1 (rates not measured)</source>
            <translation>%1（速率未经测量）</translation>
        </message>
        <message>
            <source>block %1, grid %2; predicted for %3, PTX by %4</source>
            <translation>线程块 %1，网格 %2；针对 %3 预测，PTX 由 %4 生成</translation>
        </message>
        <message>
            <source>measured on %1</source>
            <translation>实测于 %1</translation>
        </message>
        <message>
            <source>No prediction: %1</source>
            <translation>没有预测：%1</translation>
        </message>
        <message>
            <source>Predicted in %1, whole grid, exact</source>
            <translation>预测用时 %1，整个网格，精确</translation>
        </message>
        <message>
            <source>Predicted in %1, but not every instruction is modelled</source>
            <translation>预测用时 %1，但并非每条指令都有模型</translation>
        </message>
        <message>
            <source>PTX by %1</source>
            <translation>PTX 由 %1 生成</translation>
        </message>
        <message>
            <source>The program holds no kernel; open a kernel file.</source>
            <translation>程序中没有内核；请打开一个内核文件。</translation>
        </message>
        <message>
            <source>Predicting…</source>
            <translation>正在预测…</translation>
        </message>
        <message>
            <source>Looking for a GPU…</source>
            <translation>正在查找 GPU…</translation>
        </message>
        <message>
            <source>No GPU here: %1</source>
            <translation>这里没有 GPU：%1</translation>
        </message>
        <message>
            <source>These values are not allowed: see the experiment.</source>
            <translation>这些值不被允许，见左侧的实验。</translation>
        </message>
        <message>
            <source>Targets…</source>
            <translation>目标…</translation>
        </message>
        <message>
            <source>Running on %1</source>
            <translation>正在 %1 上运行</translation>
        </message>
        <message>
            <source>this machine</source>
            <translation>本机</translation>
        </message>
        <message>
            <source>Target: %1</source>
            <translation>目标：%1</translation>
        </message>
        <message>
            <source>%1, driver %2</source>
            <translation>%1，驱动 %2</translation>
        </message>
        <message>
            <source>No NVIDIA GPU here: showing the launch recorded on %1</source>
            <translation>这里没有 NVIDIA GPU：显示在 %1 上记录的启动</translation>
        </message>
        <message>
            <source>No NVIDIA GPU here, and this launch is not recorded</source>
            <translation>这里没有 NVIDIA GPU，也没有此启动的记录</translation>
        </message>
        <message>
            <source>%1 cannot be opened.</source>
            <translation>无法打开 %1。</translation>
        </message>
        <message>
            <source>The manifest is on the clipboard.</source>
            <translation>清单已复制到剪贴板。</translation>
        </message>
        <message>
            <source>Save comparison as P&amp;DF…</source>
            <translation>将对比存为 PDF(&amp;D)…</translation>
        </message>
        <message>
            <source>PDF page (*.pdf)</source>
            <translation>PDF 页面 (*.pdf)</translation>
        </message>
        <message>
            <source>Save &amp;report as HTML…</source>
            <translation>将报告存为 HTML(&amp;R)…</translation>
        </message>
        <message>
            <source>HTML page (*.html)</source>
            <translation>HTML 网页 (*.html)</translation>
        </message>
        <message>
            <source>A comparison is saved as .png, .svg, .pdf, .html, .txt, .csv or .json.</source>
            <translation>对比可存为 .png、.svg、.pdf、.html、.txt、.csv 或 .json。</translation>
        </message>
        <message>
            <source>S&amp;weep</source>
            <translation>扫描(&amp;W)</translation>
        </message>
        <message>
            <source>&amp;Does it pay?</source>
            <translation>划算吗(&amp;D)</translation>
        </message>
        <message>
            <source>&amp;Pin this experiment</source>
            <translation>固定此实验(&amp;P)</translation>
        </message>
        <message>
            <source>There is no sweep to save yet.</source>
            <translation>还没有可保存的扫描。</translation>
        </message>
        <message>
            <source>A sweep is saved as .png, .svg, .csv or .json.</source>
            <translation>扫描可保存为 .png、.svg、.csv 或 .json。</translation>
        </message>
        <message>
            <source>variant B</source>
            <translation>方案 B</translation>
        </message>
        <message>
            <source>Save the sweep</source>
            <translation>保存扫描</translation>
        </message>
        <message>
            <source>The sweep is being measured: two runs at once would disturb each other&apos;s times.</source>
            <translation>正在实测扫描：同时运行两个会互相干扰计时。</translation>
        </message>
        <message>
            <source>No NVIDIA GPU here; this launch is recorded on %1, not on the device chosen</source>
            <translation>本机没有 NVIDIA GPU；此启动记录于 %1，而非所选设备</translation>
        </message>
        <message>
            <source>&amp;Reload the kernel file</source>
            <translation>重新读取内核文件(&amp;R)</translation>
        </message>
        <message>
            <source>Read again: %1</source>
            <translation>已重新读取：%1</translation>
        </message>
        <message>
            <source>%1 (the kernel has no such parameter)</source>
            <translation>%1（内核没有此参数）</translation>
        </message>
        <message>
            <source>%1 (not allowed; %2 is taken)</source>
            <translation>%1（不允许；改用 %2）</translation>
        </message>
        <message>
            <source>block (%1, %2, %3) (the grid is %4)</source>
            <translation>线程块 (%1, %2, %3)（网格为 %4）</translation>
        </message>
        <message>
            <source>warp %1 (a block has %2)</source>
            <translation>线程束 %1（每个线程块有 %2 个）</translation>
        </message>
        <message>
            <source>Not used of the session: %1.</source>
            <translation>会话中未采用的内容：%1。</translation>
        </message>
        <message>
            <source>%1 is gone: what is shown is of the file as it was. It is read again as soon as it is back.</source>
            <translation>%1 已不在原处：此处显示的仍是它原来的内容。它一旦恢复，就会重新读取。</translation>
        </message>
        <message>
            <source>The folder %1 does not exist.</source>
            <translation>文件夹 %1 不存在。</translation>
        </message>
        <message>
            <source>Nothing can be written in the folder %1.</source>
            <translation>无法在文件夹 %1 中写入。</translation>
        </message>
        <message>
            <source>%1 cannot be saved.</source>
            <translation>无法保存 %1。</translation>
        </message>
        <message>
            <source>The prediction was cancelled: undo, or change a value.</source>
            <translation>预测已取消：请撤销，或修改某个值。</translation>
        </message>
        <message>
            <source>Predicting; Esc cancels.</source>
            <translation>正在预测；按 Esc 取消。</translation>
        </message>
        <message>
            <source>What is shown is the launch before.</source>
            <translation>所显示的是上一次启动。</translation>
        </message>
        <message>
            <source>What is shown is %1.</source>
            <translation>所显示的是 %1。</translation>
        </message>
        <message>
            <source>Executing the block chosen…</source>
            <translation>正在执行所选线程块…</translation>
        </message>
        <message>
            <source>No NVIDIA GPU here</source>
            <translation>这里没有 NVIDIA GPU</translation>
        </message>
        <message>
            <source>&amp;Cancel the prediction</source>
            <translation>取消预测(&amp;C)</translation>
        </message>
        <message>
            <source>%1 was saved, but cannot be read: %2 What is shown is of the file as it was; it is read again when it is saved.</source>
            <translation>%1 已保存，但无法读取：%2 所示内容来自先前的文件；再次保存时会重新读取。</translation>
        </message>
        <message>
            <source>Open re&amp;cent</source>
            <translation>最近打开(&amp;C)</translation>
        </message>
        <message>
            <source>&amp;Cancel the sweep</source>
            <translation>取消扫描(&amp;C)</translation>
        </message>
        <message>
            <source>&amp;How the file is launched…</source>
            <translation>文件的启动方式(&amp;H)…</translation>
        </message>
        <message>
            <source>The file holds no manifest, a comment that says how to launch its kernel. This one is what was read: %1</source>
            <translation>文件没有清单，即说明如何启动其内核的注释。这份清单来自读到的启动：%1</translation>
        </message>
        <message>
            <source>A manifest is a comment that says how to launch a kernel. This one was made from the kernel&apos;s parameters.</source>
            <translation>清单是说明如何启动内核的注释。这一份由内核的参数生成。</translation>
        </message>
        <message>
            <source>Text size: %1</source>
            <translation>文字大小：%1</translation>
        </message>
        <message>
            <source>&amp;Save session</source>
            <translation>保存会话(&amp;S)</translation>
        </message>
        <message>
            <source>Save session &amp;as…</source>
            <translation>会话另存为(&amp;A)…</translation>
        </message>
        <message>
            <source>&amp;Larger text</source>
            <translation>放大文字(&amp;L)</translation>
        </message>
        <message>
            <source>S&amp;maller text</source>
            <translation>缩小文字(&amp;M)</translation>
        </message>
        <message>
            <source>Text of the &amp;usual size</source>
            <translation>默认文字大小(&amp;U)</translation>
        </message>
        <message>
            <source>pinned launch of %1 (%2)</source>
            <translation>%1 的固定启动（%2）</translation>
        </message>
        <message>
            <source>&amp;Keys and words</source>
            <translation>按键与术语(&amp;K)</translation>
        </message>
        <message>
            <source>Larger text does not fit this screen.</source>
            <translation>更大的文字放不进这个屏幕。</translation>
        </message>
        <message>
            <source>Only the &amp;pictures</source>
            <translation>仅显示图(&amp;P)</translation>
        </message>
        <message>
            <source>&amp;Full screen</source>
            <translation>全屏(&amp;F)</translation>
        </message>
        <message>
            <source>%1 of %2 blocks executed, the addresses of the others follow from them</source>
            <translation>已执行 %2 个线程块中的 %1 个，其余的地址由它们推出</translation>
        </message>
        <message>
            <source>Copy comparison as a &amp;picture</source>
            <translation>将对比复制为图片(&amp;P)</translation>
        </message>
        <message>
            <source>The picture is on the clipboard.</source>
            <translation>图片已复制到剪贴板。</translation>
        </message>
        <message>
            <source>&amp;Copy this picture</source>
            <translation>复制此图(&amp;C)</translation>
        </message>
        <message>
            <source>&amp;Save this picture…</source>
            <translation>保存此图…(&amp;S)</translation>
        </message>
        <message>
            <source>Save the picture</source>
            <translation>保存图片</translation>
        </message>
        <message>
            <source>✗ %1 (faulty)</source>
            <translation>✗ %1（有错误）</translation>
        </message>
        <message>
            <source>the time follows when the registers are compiled</source>
            <translation>寄存器编译完成后更新时间</translation>
        </message>
        <message>
            <source>A click makes it the experiment.</source>
            <translation>单击即将其设为当前实验。</translation>
        </message>
        <message>
            <source>Predicting: %1 of the blocks done%2; Esc cancels.</source>
            <translation>正在预测：已完成 %1 的线程块%2；按 Esc 取消。</translation>
        </message>
        <message>
            <source>Predicted in %1, whole grid, exact for the data that is guessed</source>
            <translation>预测用时 %1，整个网格，对所猜测的数据精确</translation>
        </message>
        <message>
            <source>No access of this warp is of that.</source>
            <translation>此 warp 没有属于这一部分的访问。</translation>
        </message>
        <message>
            <source>H&amp;eader folders</source>
            <translation>头文件文件夹(&amp;E)</translation>
        </message>
        <message>
            <source>Forget %1</source>
            <translation>移除 %1</translation>
        </message>
        <message>
            <source>&amp;Add a folder…</source>
            <translation>添加文件夹(&amp;A)…</translation>
        </message>
        <message>
            <source>Folder of headers</source>
            <translation>头文件所在文件夹</translation>
        </message>
        <message>
            <source>There is no prediction yet.</source>
            <translation>还没有预测。</translation>
        </message>
        <message>
            <source>The comparison cannot be saved.</source>
            <translation>无法保存对比。</translation>
        </message>
        <message>
            <source>The picture cannot be made.</source>
            <translation>无法生成图片。</translation>
        </message>
        <message>
            <source>What is shown is of %1 as it was; there is no prediction of it as it is now.</source>
            <translation>所显示的是 %1 先前的内容；它现在的内容尚无预测。</translation>
        </message>
        <message>
            <source>The folder holds no kernel (*.cu, *.cuh, *.py) and no session (*.json).</source>
            <translation>该文件夹中没有核函数文件（*.cu、*.cuh、*.py），也没有会话（*.json）。</translation>
        </message>
    </context>
    <context>
        <name>coalescope::app::ParameterControl</name>
        <message>
            <source>%1 to %2</source>
            <translation>%1 至 %2</translation>
        </message>
        <message>
            <source>Usual values of %1</source>
            <translation>%1 的常用值</translation>
        </message>
        <message>
            <source>Usual values</source>
            <translation>常用值</translation>
        </message>
        <message>
            <source>%1: here %2</source>
            <translation>%1：此处为 %2</translation>
        </message>
        <message>
            <source>Worked out by the program&apos;s host code; a value that is set here stays.</source>
            <translation>由程序的主机代码推得；在此设置的值保持不变。</translation>
        </message>
        <message>
            <source>&quot;%1&quot; is no whole number that fits here: %2 stays.</source>
            <translation>“%1”不是可用的整数：保持 %2。</translation>
        </message>
        <message>
            <source>&quot;%1&quot; is no number: %2 stays.</source>
            <translation>“%1”不是数：保持 %2。</translation>
        </message>
        <message>
            <source>Any number</source>
            <translation>任意数</translation>
        </message>
    </context>
    <context>
        <name>coalescope::app::SectorView</name>
        <message>
            <source>%1, counted as %2</source>
            <translation>%1，计为 %2</translation>
        </message>
        <message>
            <source>part %1</source>
            <translation>第 %1 部分</translation>
        </message>
        <message>
            <source>no lane is active</source>
            <translation>没有活跃的通道</translation>
        </message>
        <message>
            <source>1 request</source>
            <translation>1 个请求</translation>
        </message>
        <message>
            <source>%1 requests</source>
            <translation>%1 个请求</translation>
        </message>
        <message>
            <source>1 sector</source>
            <translation>1 个扇区</translation>
        </message>
        <message>
            <source>%1 sectors</source>
            <translation>%1 个扇区</translation>
        </message>
        <message>
            <source>1 tag</source>
            <translation>1 个标签</translation>
        </message>
        <message>
            <source>%1 tags</source>
            <translation>%1 个标签</translation>
        </message>
        <message>
            <source>ideal %1</source>
            <translation>理想 %1</translation>
        </message>
        <message>
            <source>used %1 of %2 B</source>
            <translation>用到 %1 / %2 B</translation>
        </message>
        <message>
            <source>Cache lines and sectors</source>
            <translation>缓存行与扇区</translation>
        </message>
        <message>
            <source>line %1, sector %2, byte %3</source>
            <translation>缓存行 %1，扇区 %2，字节 %3</translation>
        </message>
        <message>
            <source>lane %1</source>
            <translation>通道 %1</translation>
        </message>
        <message>
            <source>lanes %1</source>
            <translation>通道 %1</translation>
        </message>
        <message>
            <source>%1 … %2, %3 B</source>
            <translation>%1 … %2，%3 B</translation>
        </message>
        <message>
            <source>moved, asked for by no lane</source>
            <translation>已搬运，但没有通道需要</translation>
        </message>
        <message>
            <source>not moved</source>
            <translation>未搬运</translation>
        </message>
        <message>
            <source>%1 used</source>
            <translation>用到 %1</translation>
        </message>
    </context>
    <context>
        <name>coalescope::app::SourcePanel</name>
        <message>
            <source>Source of the kernel</source>
            <translation>内核的源码</translation>
        </message>
        <message>
            <source>click a line to choose its instruction, double-click to see it</source>
            <translation>单击一行选择其指令，双击查看</translation>
        </message>
        <message>
            <source>sectors</source>
            <translation>扇区</translation>
        </message>
        <message>
            <source>ideal</source>
            <translation>理想</translation>
        </message>
        <message>
            <source>wavefronts</source>
            <translation>波前</translation>
        </message>
        <message>
            <source>Sectors of global memory that the line&apos;s accesses touch, predicted for the whole grid</source>
            <translation>该行的访问触及的全局内存扇区数，对整个网格的预测</translation>
        </message>
        <message>
            <source>Sectors that these accesses would touch if each lane&apos;s bytes lay beside the next lane&apos;s, as a share of those that they touch</source>
            <translation>若各线程的字节彼此相邻，这些访问会触及的扇区数占实际触及扇区数的比例</translation>
        </message>
        <message>
            <source>Wavefronts in which the line&apos;s accesses to shared memory are served, predicted for the whole grid</source>
            <translation>该行的共享内存访问所需的波前数，对整个网格的预测</translation>
        </message>
        <message>
            <source>line %1: %2</source>
            <translation>第 %1 行：%2</translation>
        </message>
        <message>
            <source>no room for %1</source>
            <translation>放不下：%1</translation>
        </message>
    </context>
    <context>
        <name>coalescope::app::TargetsDialog</name>
        <message>
            <source>Targets</source>
            <translation>目标</translation>
        </message>
        <message>
            <source>Kernels run where this command leads: on this machine if it is empty, otherwise on the machine that it reaches. The program coalescope must be there; it is one file to copy.</source>
            <translation>内核在此命令到达的地方运行：留空则在本机，否则在它连到的机器上。那里必须有 coalescope 程序；只需复制一个文件。</translation>
        </message>
        <message>
            <source>this machine</source>
            <translation>本机</translation>
        </message>
        <message>
            <source>&amp;Command to reach it</source>
            <translation>到达它的命令(&amp;C)</translation>
        </message>
        <message>
            <source>&amp;Program there</source>
            <translation>那里的程序(&amp;P)</translation>
        </message>
        <message>
            <source>Will run: %1</source>
            <translation>将运行：%1</translation>
        </message>
    </context>
    <context>
        <name>coalescope::app::TermsView</name>
        <message>
            <source>%1 µs</source>
            <translation>%1 µs</translation>
        </message>
        <message>
            <source>What takes the time</source>
            <translation>时间花在哪里</translation>
        </message>
        <message>
            <source>%1%2: %3, if it were alone. The parts overlap: the longest leads, and the whole is shorter than their sum.</source>
            <translation>%1%2：若单独进行需 %3。各部分相互重叠：最长者主导，总时间短于它们之和。</translation>
        </message>
    </context>
    <context>
        <name>coalescope::app::TopBar</name>
        <message>
            <source>&amp;Cancel</source>
            <translation>取消(&amp;C)</translation>
        </message>
        <message>
            <source>&amp;Run on GPU</source>
            <translation>在 GPU 上运行(&amp;R)</translation>
        </message>
        <message>
            <source>&amp;Run: %1</source>
            <translation>运行：%1(&amp;R)</translation>
        </message>
        <message>
            <source>End the run (Esc)</source>
            <translation>结束运行 (Esc)</translation>
        </message>
        <message>
            <source>Measure this launch: verified, timed, counted (Ctrl+R)</source>
            <translation>实测此启动：验证、计时、计数 (Ctrl+R)</translation>
        </message>
        <message>
            <source>Warp</source>
            <translation>线程束</translation>
        </message>
        <message>
            <source>Source</source>
            <translation>源码</translation>
        </message>
        <message>
            <source>Views</source>
            <translation>视图</translation>
        </message>
        <message>
            <source>%1 (data sheet)</source>
            <translation>%1（数据手册）</translation>
        </message>
        <message>
            <source>Its rates: %1</source>
            <translation>速率：%1</translation>
        </message>
        <message>
            <source>Its rates are its data sheet&apos;s; &quot;coalescope calibrate&quot; measures them</source>
            <translation>速率来自数据手册；“coalescope calibrate”可以测量</translation>
        </message>
        <message>
            <source>The GPU that the prediction is for</source>
            <translation>预测所针对的 GPU</translation>
        </message>
        <message>
            <source>Device</source>
            <translation>设备</translation>
        </message>
        <message>
            <source>Language</source>
            <translation>语言</translation>
        </message>
        <message>
            <source>Light or dark</source>
            <translation>浅色或深色</translation>
        </message>
        <message>
            <source>Theme</source>
            <translation>主题</translation>
        </message>
        <message>
            <source>Help</source>
            <translation>帮助</translation>
        </message>
        <message>
            <source>Sweep</source>
            <translation>扫描</translation>
        </message>
        <message>
            <source>Does it pay?</source>
            <translation>划算吗？</translation>
        </message>
        <message>
            <source>Keys and words (F1)</source>
            <translation>按键与术语 (F1)</translation>
        </message>
    </context>
    <context>
        <name>coalescope::app::TryView</name>
        <message>
            <source>No difference: %1.</source>
            <translation>没有差别：%1。</translation>
        </message>
        <message>
            <source>This is less than the estimate&apos;s mean error: measure it.</source>
            <translation>小于估计值的平均误差：请测量。</translation>
        </message>
        <message>
            <source>This launch has only fixed numbers. Give one a name in the code, as in &quot;const int threads = 256;&quot;, or write a manifest (Ctrl+L): then it can be changed here.</source>
            <translation>此启动只有固定的数。在代码中给某个数取个名字，例如 "const int threads = 256;"，或者编写清单（Ctrl+L）：之后就可以在这里更改。</translation>
        </message>
        <message>
            <source>Not computed: one prediction of this launch takes %1 s.</source>
            <translation>未计算：此启动的一次预测需要 %1 秒。</translation>
        </message>
        <message>
            <source>%1 → %2 sectors</source>
            <translation>%1 → %2 个扇区</translation>
        </message>
        <message>
            <source>%1 → %2 shared wavefronts</source>
            <translation>%1 → %2 个共享内存波前</translation>
        </message>
        <message>
            <source>What to try</source>
            <translation>可以尝试</translation>
        </message>
        <message>
            <source>Computed, and none pays: %1.</source>
            <translation>已计算，都不合算：%1。</translation>
        </message>
        <message>
            <source>apply</source>
            <translation>应用</translation>
        </message>
        <message>
            <source>Apply %1</source>
            <translation>应用 %1</translation>
        </message>
        <message>
            <source>This kernel has no other shape to compute.</source>
            <translation>这个内核没有其他形状可计算。</translation>
        </message>
        <message>
            <source>Kernel %1</source>
            <translation>内核 %1</translation>
        </message>
        <message>
            <source>removes the race in lines %1 and %2</source>
            <translation>消除第 %1 行与第 %2 行的竞争</translation>
        </message>
        <message>
            <source>removes: %1</source>
            <translation>消除：%1</translation>
        </message>
        <message>
            <source>the output is right</source>
            <translation>输出正确</translation>
        </message>
        <message>
            <source>Computed, and none removes the fault: %1.</source>
            <translation>已计算，都不能消除该问题：%1。</translation>
        </message>
        <message>
            <source>%1 → %2 predicted, L2 warm</source>
            <translation>预测 %1 → %2，热 L2</translation>
        </message>
        <message>
            <source>Not tried: %1.</source>
            <translation>未尝试：%1。</translation>
        </message>
        <message>
            <source>Whether the output stays the same is not checked.</source>
            <translation>未检查输出是否保持不变。</translation>
        </message>
        <message>
            <source>Whether the output is right is not checked.</source>
            <translation>输出是否正确未经检查。</translation>
        </message>
        <message>
            <source>Computed, and faulty: %1.</source>
            <translation>已计算，但有错误：%1。</translation>
        </message>
        <message>
            <source>removes the race in line %1</source>
            <translation>消除第 %1 行的竞争</translation>
        </message>
        <message>
            <source>With a cold L2 it takes longer: %1 → %2.</source>
            <translation>冷 L2 时反而更慢：%1 → %2。</translation>
        </message>
        <message>
            <source>In the code: %1</source>
            <translation>在代码中：%1</translation>
        </message>
        <message>
            <source>atomics on line %1 take the time. Adding up in registers, by shuffles in a warp or in shared memory first leaves fewer of them.</source>
            <translation>第 %1 行的原子操作占用时间。先在寄存器、warp 内（shuffle）或共享内存中累加，可减少原子操作。</translation>
        </message>
        <message>
            <source>line %1 takes %2 wavefronts where %3 are without conflicts. Rows that are one element longer (padding), or a swizzled index, put its lanes into different banks.</source>
            <translation>第 %1 行用了 %2 个 wavefront，其中无冲突的为 %3 个。每行多一个元素（填充）或打乱下标（swizzle）可使各 lane 落入不同的 bank。</translation>
        </message>
        <message>
            <source>shared memory is the limit, without many conflicts: more results for each thread, kept in registers, ask it for less.</source>
            <translation>共享内存是瓶颈，冲突不多：每个线程计算更多结果并保存在寄存器中，可减少其访问。</translation>
        </message>
        <message>
            <source>line %1 moves %2 sectors where %3 would do. Neighbouring lanes should touch neighbouring addresses: another order of indices, a structure of arrays, or a tile in shared memory.</source>
            <translation>第 %1 行移动了 %2 个扇区，而 %3 个就够。相邻 lane 应访问相邻地址：改变下标顺序、使用数组结构体（SoA）或共享内存分块。</translation>
        </message>
        <message>
            <source>DRAM is the limit, and its lanes use all that moves: smaller types, or one kernel for two that hand data on, move less.</source>
            <translation>DRAM 是瓶颈，且移动的数据都被用到：更小的类型，或把前后传递数据的两个内核合并，可减少移动量。</translation>
        </message>
        <message>
            <source>the L2 is the limit: a tile in shared memory, or more results for each thread, ask it for less.</source>
            <translation>L2 是瓶颈：共享内存分块，或每个线程计算更多结果，可减少对它的请求。</translation>
        </message>
        <message>
            <source>accesses through L1 are the limit: 16 bytes a lane (float4), or values kept in registers, need fewer.</source>
            <translation>经过 L1 的访问是瓶颈：每个 lane 访问 16 字节（float4），或把数值保存在寄存器中，可减少访问。</translation>
        </message>
        <message>
            <source>waits are the limit: more resident warps hide them, or loads that do not wait for each other.</source>
            <translation>等待是瓶颈：更多驻留 warp，或互不等待的加载，可将其隐藏。</translation>
        </message>
        <message>
            <source>the launch itself takes the time: more work in one launch, or a graph of launches, makes less of it.</source>
            <translation>启动本身占用时间：一次启动做更多工作，或使用 CUDA Graph，可减少其占比。</translation>
        </message>
        <message>
            <source>starting blocks takes the time: larger blocks, or more elements for each thread, make fewer.</source>
            <translation>启动线程块占用时间：更大的线程块，或每个线程处理更多元素，可减少块数。</translation>
        </message>
        <message>
            <source>lanes that load different constants wait for each other: a table in shared memory serves them at once.</source>
            <translation>加载不同常量的 lane 相互等待：把表放入共享内存可同时供给它们。</translation>
        </message>
        <message>
            <source>instructions are the limit, not memory: other accesses change little.</source>
            <translation>瓶颈是指令而非内存：改变访问方式影响不大。</translation>
        </message>
    </context>
    <context>
        <name>coalescope::app::WarpPanel</name>
        <message>
            <source>Done of the prediction</source>
            <translation>预测的完成度</translation>
        </message>
        <message>
            <source>Cancel</source>
            <translation>取消</translation>
        </message>
        <message>
            <source>No memory access</source>
            <translation>没有访存</translation>
        </message>
        <message>
            <source>This warp touches no memory: every thread of it is out of the matrix, or done.</source>
            <translation>该线程束不访问内存：它的所有线程都在矩阵之外或已结束。</translation>
        </message>
        <message>
            <source>Every warp of the block waits here until all have come.</source>
            <translation>线程块的每个线程束都在这里等待，直到全部到达。</translation>
        </message>
        <message>
            <source>What they wrote to shared memory before is safe to read after.</source>
            <translation>此前写入共享内存的数据，此后可以安全读取。</translation>
        </message>
        <message>
            <source>block</source>
            <translation>线程块</translation>
        </message>
        <message>
            <source>warp</source>
            <translation>线程束</translation>
        </message>
        <message>
            <source>Warp of the block</source>
            <translation>线程块中的线程束</translation>
        </message>
        <message>
            <source>Block index %1</source>
            <translation>线程块索引 %1</translation>
        </message>
        <message>
            <source>Block and warp</source>
            <translation>线程块与线程束</translation>
        </message>
        <message>
            <source>Memory access</source>
            <translation>访存</translation>
        </message>
        <message>
            <source>source</source>
            <translation>源码</translation>
        </message>
        <message>
            <source>Show line %1 in the source</source>
            <translation>在源码中显示第 %1 行</translation>
        </message>
        <message>
            <source>%1 to %2</source>
            <translation>%1 至 %2</translation>
        </message>
    </context>
    <context>
        <name>Pay</name>
        <message>
            <source>It moves as many sectors: the order in which they are asked for makes the difference.</source>
            <translation>所传输的扇区数相同：差别在于请求的先后次序。</translation>
        </message>
        <message>
            <source>sectors of DRAM</source>
            <translation>DRAM 扇区</translation>
        </message>
        <message>
            <source>sectors</source>
            <translation>扇区</translation>
        </message>
        <message>
            <source>bank conflicts</source>
            <translation>存储体冲突</translation>
        </message>
        <message>
            <source>shared wavefronts</source>
            <translation>共享内存波前</translation>
        </message>
        <message>
            <source>It pays</source>
            <translation>划算</translation>
        </message>
        <message>
            <source>It costs time</source>
            <translation>反而更慢</translation>
        </message>
        <message>
            <source>It makes no difference</source>
            <translation>没有差别</translation>
        </message>
        <message>
            <source>%1 %2, unchanged</source>
            <translation>%1 %2，不变</translation>
        </message>
        <message>
            <source>The measurement disagrees with the prediction: go by the measurement.</source>
            <translation>实测与预测不一致：以实测为准。</translation>
        </message>
        <message>
            <source>The difference is smaller than the mean error of the estimate: measure it.</source>
            <translation>差别小于估计值的平均误差：请实测。</translation>
        </message>
        <message>
            <source>warm, predicted</source>
            <translation>热 L2，预测</translation>
        </message>
        <message>
            <source>warm, measured</source>
            <translation>热 L2，实测</translation>
        </message>
        <message>
            <source>cold, predicted</source>
            <translation>冷 L2，预测</translation>
        </message>
        <message>
            <source>cold, measured</source>
            <translation>冷 L2，实测</translation>
        </message>
        <message>
            <source>The time follows the %1 (%2: %3).</source>
            <translation>时间随%1变化（%2：%3）。</translation>
        </message>
        <message>
            <source>The %1 cost nothing here: %2 is the limiter with %3 (%4: %5).</source>
            <translation>%1在这里不费时间：限制因素是%2，%3（%4：%5）。</translation>
        </message>
        <message>
            <source>Nothing that takes time is different.</source>
            <translation>费时间的部分没有不同。</translation>
        </message>
        <message>
            <source>There is no estimate of the time for both.</source>
            <translation>两者不都有时间估计。</translation>
        </message>
        <message>
            <source>predicted %1</source>
            <translation>预测 %1</translation>
        </message>
        <message>
            <source>measured %1</source>
            <translation>实测 %1</translation>
        </message>
        <message>
            <source>Then %1 leads with %2: fewer %3 than that would gain little.</source>
            <translation>此后%1最长，%2：再减少%3收益很小。</translation>
        </message>
        <message>
            <source>What changes costs nothing here (%1: %2): %3 is the limiter with %4.</source>
            <translation>变化的部分在这里不费时间（%1：%2）：限制因素是%3，%4。</translation>
        </message>
        <message>
            <source>No part of the time gets that much shorter: the parts overlap more.</source>
            <translation>没有哪一部分缩短得那么多：各部分重叠得更多了。</translation>
        </message>
        <message>
            <source>No part of the time gets that much longer: the parts overlap less.</source>
            <translation>没有哪一部分增长得那么多：各部分重叠得更少了。</translation>
        </message>
        <message>
            <source>One part gets shorter (%1: %2), the whole does not: the parts overlap less.</source>
            <translation>一部分缩短了（%1：%2），总时间没有：各部分重叠得更少了。</translation>
        </message>
        <message>
            <source>One part gets longer (%1: %2), the whole does not: the parts overlap more.</source>
            <translation>一部分增长了（%1：%2），总时间没有：各部分重叠得更多了。</translation>
        </message>
        <message>
            <source>What one part of the time gains another loses: %1 %2, %3 %4.</source>
            <translation>时间的一部分所得正是另一部分所失：%1 %2，%3 %4。</translation>
        </message>
        <message>
            <source>No part of the time explains it: the parts are of one launch as the profiler times it, the whole of launches in a row.</source>
            <translation>时间的各部分都不能解释它：各部分属于性能分析器所计的单次启动，总时间则属于连续的启动。</translation>
        </message>
        <message>
            <source>The longest before and after: %1 (%2).</source>
            <translation>前后最长的部分：%1（%2）。</translation>
        </message>
        <message>
            <source>The longest was %1 with %2, then %3 with %4.</source>
            <translation>最长的部分先是 %1（%2），后是 %3（%4）。</translation>
        </message>
        <message>
            <source>wrong output</source>
            <translation>输出错误</translation>
        </message>
        <message>
            <source>A and B are faulty (A: %1; B: %2).</source>
            <translation>A 和 B 都有错误（A：%1；B：%2）。</translation>
        </message>
        <message>
            <source>A is faulty (%1), B is not.</source>
            <translation>A 有错误（%1），B 没有。</translation>
        </message>
        <message>
            <source>B is faulty (%1), A is not.</source>
            <translation>B 有错误（%1），A 没有。</translation>
        </message>
        <message>
            <source>What moves the time is %1: %2.</source>
            <translation>时间的变化来自%1：%2。</translation>
        </message>
        <message>
            <source>The most is from %1 (%2).</source>
            <translation>其中最多的来自%1（%2）。</translation>
        </message>
        <message>
            <source>Several parts of the time get shorter, none of them by that much: %1 (%2), %3 (%4).</source>
            <translation>时间的几个部分都缩短了，但没有一个缩短得那么多：%1（%2）、%3（%4）。</translation>
        </message>
        <message>
            <source>Several parts of the time get longer, none of them by that much: %1 (%2), %3 (%4).</source>
            <translation>时间的几个部分都变长了，但没有一个变长得那么多：%1（%2）、%3（%4）。</translation>
        </message>
        <message>
            <source>A is %1 on %2, B is %3 on %4.</source>
            <translation>A 是 %2 上的 %1，B 是 %4 上的 %3。</translation>
        </message>
        <message>
            <source>A is on %1, B is on %2.</source>
            <translation>A 在 %1 上，B 在 %2 上。</translation>
        </message>
        <message>
            <source>A is %1, B is %2.</source>
            <translation>A 是 %1，B 是 %2。</translation>
        </message>
        <message>
            <source>It pays where the L2 is warm, and costs time where it is cold</source>
            <translation>热 L2 时划算，冷 L2 时反而更慢</translation>
        </message>
        <message>
            <source>It pays where the L2 is warm, not where it is cold</source>
            <translation>热 L2 时划算，冷 L2 时没有差别</translation>
        </message>
        <message>
            <source>It costs time where the L2 is warm, and pays where it is cold</source>
            <translation>热 L2 时反而更慢，冷 L2 时划算</translation>
        </message>
        <message>
            <source>It costs time where the L2 is warm, not where it is cold</source>
            <translation>热 L2 时反而更慢，冷 L2 时没有差别</translation>
        </message>
        <message>
            <source>It pays only where the L2 is cold</source>
            <translation>只有冷 L2 时才划算</translation>
        </message>
        <message>
            <source>It costs time only where the L2 is cold</source>
            <translation>只有冷 L2 时才更慢</translation>
        </message>
        <message>
            <source>L2 cold %1</source>
            <translation>冷 L2 %1</translation>
        </message>
    </context>
    <context>
        <name>Sweeps</name>
        <message>
            <source>time, L2 warm</source>
            <translation>时间，热 L2</translation>
        </message>
        <message>
            <source>time, L2 cold</source>
            <translation>时间，冷 L2</translation>
        </message>
        <message>
            <source>sectors</source>
            <translation>扇区</translation>
        </message>
        <message>
            <source>shared wavefronts</source>
            <translation>共享内存波前</translation>
        </message>
        <message>
            <source>bank conflicts</source>
            <translation>存储体冲突</translation>
        </message>
        <message>
            <source>DRAM bytes</source>
            <translation>DRAM 字节</translation>
        </message>
        <message>
            <source>Give at least one parameter several values, such as 4:64:4 or 8,16,32.</source>
            <translation>请至少给一个参数多个值，例如 4:64:4 或 8,16,32。</translation>
        </message>
        <message>
            <source>These are %1 launches, %2 at most can be shown: take larger steps, or sweep in the terminal.</source>
            <translation>共 %1 次启动，最多显示 %2 次：请加大步长，或在终端中扫描。</translation>
        </message>
        <message>
            <source>%1, predicted</source>
            <translation>%1，预测</translation>
        </message>
        <message>
            <source>%1, measured</source>
            <translation>%1，实测</translation>
        </message>
        <message>
            <source>recorded: %1 on %2</source>
            <translation>记录：%1，%2</translation>
        </message>
        <message>
            <source>measured: %1 on %2</source>
            <translation>实测：%1，%2</translation>
        </message>
        <message>
            <source>not yet predicted</source>
            <translation>尚未预测</translation>
        </message>
        <message>
            <source>not allowed: %1</source>
            <translation>不允许：%1</translation>
        </message>
        <message>
            <source>no result: %1</source>
            <translation>无结果：%1</translation>
        </message>
        <message>
            <source>predicted: %1</source>
            <translation>预测：%1</translation>
        </message>
        <message>
            <source>not measured: %1</source>
            <translation>未实测：%1</translation>
        </message>
        <message>
            <source>predicted</source>
            <translation>预测</translation>
        </message>
        <message>
            <source>measured</source>
            <translation>实测</translation>
        </message>
        <message>
            <source>launches</source>
            <translation>启动</translation>
        </message>
        <message>
            <source>%1: all the same, %2.</source>
            <translation>%1：全部相同，%2。</translation>
        </message>
        <message>
            <source>Nearest: %1, %2. Furthest off: %3, %4.</source>
            <translation>最接近：%1，%2。偏差最大：%3，%4。</translation>
        </message>
        <message>
            <source>Best: %1, %2. Worst: %3, %4.</source>
            <translation>最佳：%1，%2。最差：%3，%4。</translation>
        </message>
        <message>
            <source>None of these launches is measured yet.</source>
            <translation>这些启动都还没有实测。</translation>
        </message>
        <message>
            <source>%1 of %2 launches are not allowed.</source>
            <translation>%2 次启动中有 %1 次不允许。</translation>
        </message>
        <message numerus="yes">
            <source>Over %n measured launch(es) every prediction is the measured number.</source>
            <translation>
                <numerusform>在 %n 次实测启动上，每个预测都等于实测。</numerusform>
            </translation>
        </message>
        <message>
            <source>faulty: %1</source>
            <translation>有错误：%1</translation>
        </message>
        <message>
            <source>None of these launches is without fault.</source>
            <translation>这些启动没有一个无错误。</translation>
        </message>
        <message numerus="yes">
            <source>%n different problems (other buffers): only launches of the same one are compared.</source>
            <translation>
                <numerusform>%n 个不同的问题（缓冲区不同）：只比较同一问题的启动。</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n other(s) are as good (within 0.1 %).</source>
            <translation>
                <numerusform>另有 %n 个同样好（相差不到 0.1 %）。</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n launch(es) are faulty: point at them.</source>
            <translation>
                <numerusform>%n 次启动有错误：请指向它们查看。</numerusform>
            </translation>
        </message>
        <message>
            <source>%1: difference, measured over predicted</source>
            <translation>%1：差异，实测与预测之比</translation>
        </message>
        <message>
            <source>difference, measured over predicted: %1</source>
            <translation>差异，实测与预测之比：%1</translation>
        </message>
        <message numerus="yes">
            <source>Over %n measured launch(es) the measurement is off the prediction by %1 % on average, most for %2 (%3).</source>
            <translation>
                <numerusform>在 %n 个实测启动上，实测与预测平均相差 %1 %，最大的是 %2（%3）。</numerusform>
            </translation>
        </message>
        <message>
            <source>Nearest of this slice: %1, %2. Furthest off: %3, %4.</source>
            <translation>此切片中最接近：%1，%2。偏差最大：%3，%4。</translation>
        </message>
        <message>
            <source>Nearest of all: %1, %2. Furthest off in this slice: %3, %4.</source>
            <translation>全部中最接近：%1，%2。此切片中偏差最大：%3，%4。</translation>
        </message>
        <message>
            <source>Best of this slice: %1, %2. Worst: %3, %4.</source>
            <translation>此切片中最佳：%1，%2。最差：%3，%4。</translation>
        </message>
        <message>
            <source>Best of all: %1, %2. Worst of this slice: %3, %4.</source>
            <translation>全部中最佳：%1，%2。此切片中最差：%3，%4。</translation>
        </message>
        <message>
            <source>Nearest of all: %1, %2.</source>
            <translation>全部中最接近：%1，%2。</translation>
        </message>
        <message>
            <source>Best of all: %1, %2.</source>
            <translation>全部中最佳：%1，%2。</translation>
        </message>
        <message>
            <source>This launch has only fixed numbers: there is no parameter that could be swept.</source>
            <translation>此启动只有固定的数：没有可以扫描的参数。</translation>
        </message>
        <message>
            <source>faulty</source>
            <translation>有错误</translation>
        </message>
        <message>
            <source>%1 of %2 launches are not predicted.</source>
            <translation>%2 个启动中有 %1 个尚未预测。</translation>
        </message>
        <message>
            <source>None of these launches has a result: %1</source>
            <translation>这些启动都没有结果：%1</translation>
        </message>
        <message numerus="yes">
            <source>%n more within the mean error (%1).</source>
            <translation>
                <numerusform>另有 %n 个在平均误差（%1）之内。</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>coalescope::app::HeatMapView</name>
        <message>
            <source>best</source>
            <translation>最佳</translation>
        </message>
        <message>
            <source>experiment</source>
            <translation>当前实验</translation>
        </message>
        <message>
            <source>not allowed</source>
            <translation>不允许</translation>
        </message>
        <message>
            <source>no result</source>
            <translation>无结果</translation>
        </message>
        <message>
            <source>not measured</source>
            <translation>未实测</translation>
        </message>
        <message>
            <source>Heat map</source>
            <translation>热图</translation>
        </message>
        <message>
            <source>faulty</source>
            <translation>有错误</translation>
        </message>
        <message>
            <source>nearest</source>
            <translation>最接近</translation>
        </message>
    </context>
    <context>
        <name>coalescope::app::PayPanel</name>
        <message>
            <source>source of %1</source>
            <translation>%1 的源码</translation>
        </message>
        <message>
            <source>as this experiment</source>
            <translation>与此实验相同</translation>
        </message>
        <message>
            <source>this experiment</source>
            <translation>此实验</translation>
        </message>
        <message>
            <source>pinned: %1</source>
            <translation>已固定：%1</translation>
        </message>
        <message>
            <source>instead: %1</source>
            <translation>改为：%1</translation>
        </message>
        <message>
            <source>A and B are the same launch: pin one, change the experiment, and come back.</source>
            <translation>A 与 B 是同一次启动：先固定一个，更改实验，再回来。</translation>
        </message>
        <message>
            <source>Does it pay?</source>
            <translation>划算吗？</translation>
        </message>
        <message>
            <source>Pin this experiment</source>
            <translation>固定此实验</translation>
        </message>
        <message>
            <source>Keeps the experiment as it is now, to compare what comes next with it</source>
            <translation>保留当前的实验，用来与之后的比较</translation>
        </message>
        <message>
            <source>Load B</source>
            <translation>载入 B</translation>
        </message>
        <message>
            <source>Makes B the experiment</source>
            <translation>把 B 作为实验</translation>
        </message>
        <message>
            <source>Variant A, before</source>
            <translation>方案 A，之前</translation>
        </message>
        <message>
            <source>Variant B, after</source>
            <translation>方案 B，之后</translation>
        </message>
        <message>
            <source>What takes the time</source>
            <translation>时间花在哪里</translation>
        </message>
        <message>
            <source>A and B are different problems (other buffers): which of them takes longer does not tell what pays.</source>
            <translation>A 与 B 是不同的问题（缓冲区不同）：谁用时更长并不说明什么更划算。</translation>
        </message>
        <message>
            <source>Forgets this pinned launch</source>
            <translation>移除这个固定的启动</translation>
        </message>
        <message>
            <source>Forget the pinned variant A</source>
            <translation>移除固定的方案 A</translation>
        </message>
        <message>
            <source>Forget the pinned variant B</source>
            <translation>移除固定的方案 B</translation>
        </message>
        <message>
            <source>What is faulty is no variant to choose, however fast it is.</source>
            <translation>有错误的方案无论多快都不可选用。</translation>
        </message>
    </context>
    <context>
        <name>coalescope::app::SweepAxes</name>
        <message>
            <source>Values of %1</source>
            <translation>%1 的取值</translation>
        </message>
        <message>
            <source>Allowed: %1 to %2.</source>
            <translation>允许：%1 至 %2。</translation>
        </message>
        <message>
            <source>Allowed: %1.</source>
            <translation>允许：%1。</translation>
        </message>
        <message>
            <source>Allowed: any number.</source>
            <translation>允许：任意数。</translation>
        </message>
        <message>
            <source>Several values: 8,16,32, or a range with its step: 4:64:4, 512:16384:x2.
Empty: the experiment&apos;s value.</source>
            <translation>多个值：8,16,32，或带步长的范围：4:64:4、512:16384:x2。
留空：使用实验的值。</translation>
        </message>
    </context>
    <context>
        <name>coalescope::app::SweepMeasure</name>
        <message>
            <source>A run is under way.</source>
            <translation>正在运行。</translation>
        </message>
        <message>
            <source>Predict first: only launches that are legal are measured.</source>
            <translation>请先预测：只实测允许的启动。</translation>
        </message>
        <message numerus="yes">
            <source>Runs %n launch(es) on %1, one after another, and keeps each as it comes: a sweep that was cancelled goes on where it was.</source>
            <translation>
                <numerusform>在 %1 上逐一运行 %n 次启动并随即保存：取消后的扫描会从原处继续。</numerusform>
            </translation>
        </message>
        <message>
            <source>this machine</source>
            <translation>本机</translation>
        </message>
        <message>
            <source>Measure</source>
            <translation>实测</translation>
        </message>
        <message>
            <source>Measure times</source>
            <translation>实测时间</translation>
        </message>
        <message numerus="yes">
            <source>Try %n failed again</source>
            <translation>
                <numerusform>重试 %n 个失败项</numerusform>
            </translation>
        </message>
        <message>
            <source>Measures the launches that failed once more and leaves the others alone.</source>
            <translation>把失败的启动再实测一次，其余保持不变。</translation>
        </message>
        <message>
            <source>times and counters</source>
            <translation>时间和计数器</translation>
        </message>
        <message>
            <source>times only</source>
            <translation>仅时间</translation>
        </message>
        <message>
            <source>What is measured of each launch</source>
            <translation>每次启动实测什么</translation>
        </message>
        <message>
            <source>Counting a launch takes longer than timing it. Each choice keeps its own results.</source>
            <translation>计数比计时更费时。每种选择各自保存结果。</translation>
        </message>
    </context>
    <context>
        <name>coalescope::app::SweepPanel</name>
        <message>
            <source>takes %1</source>
            <translation>需要%1</translation>
        </message>
        <message>
            <source>%1 of %2, %3 left</source>
            <translation>%1 / %2，还剩%3</translation>
        </message>
        <message>
            <source>Cancel</source>
            <translation>取消</translation>
        </message>
        <message>
            <source>measured %1 of %2</source>
            <translation>已实测 %1 / %2</translation>
        </message>
        <message>
            <source>%1 of %2</source>
            <translation>%1 / %2</translation>
        </message>
        <message>
            <source>predicted in %1</source>
            <translation>预测用时 %1</translation>
        </message>
        <message numerus="yes">
            <source>predicted in %1 · %n program(s) compiled (%2, all threads)</source>
            <translation>
                <numerusform>预测用时 %1 · 编译了 %n 个程序（%2，所有线程合计）</numerusform>
            </translation>
        </message>
        <message>
            <source>cancelled after %1 of %2</source>
            <translation>已取消，完成 %1 / %2</translation>
        </message>
        <message>
            <source>predicted for %1</source>
            <translation>针对 %1 的预测</translation>
        </message>
        <message>
            <source>Sweep</source>
            <translation>扫描</translation>
        </message>
        <message>
            <source>Save</source>
            <translation>保存</translation>
        </message>
        <message>
            <source>The picture, or every launch as a table</source>
            <translation>图片，或包含每次启动的表</translation>
        </message>
        <message>
            <source>Picture as PNG…</source>
            <translation>图片为 PNG…</translation>
        </message>
        <message>
            <source>Picture as SVG…</source>
            <translation>图片为 SVG…</translation>
        </message>
        <message>
            <source>Launches as CSV…</source>
            <translation>启动为 CSV…</translation>
        </message>
        <message>
            <source>Launches as JSON…</source>
            <translation>启动为 JSON…</translation>
        </message>
        <message>
            <source>What is shown of a launch</source>
            <translation>显示启动的哪个值</translation>
        </message>
        <message>
            <source>predicted</source>
            <translation>预测</translation>
        </message>
        <message>
            <source>measured</source>
            <translation>实测</translation>
        </message>
        <message>
            <source>map</source>
            <translation>热图</translation>
        </message>
        <message>
            <source>line</source>
            <translation>折线</translation>
        </message>
        <message>
            <source>scatter</source>
            <translation>散点</translation>
        </message>
        <message>
            <source>Every measured launch: predicted across, measured up</source>
            <translation>每次实测的启动：横轴预测，纵轴实测</translation>
        </message>
        <message>
            <source>Progress of the sweep</source>
            <translation>扫描进度</translation>
        </message>
        <message>
            <source>predicted for %1 (rates not measured)</source>
            <translation>针对 %1 的预测（速率未实测）</translation>
        </message>
        <message>
            <source>difference</source>
            <translation>差异</translation>
        </message>
        <message>
            <source>How far what was measured is above (+) or below (−) the prediction</source>
            <translation>实测值高于（+）或低于（−）预测值的幅度</translation>
        </message>
        <message>
            <source>Predict</source>
            <translation>预测</translation>
        </message>
        <message numerus="yes">
            <source>Predict %Ln launch(es)</source>
            <translation>
                <numerusform>预测 %Ln 次启动</numerusform>
            </translation>
        </message>
        <message>
            <source>There is no sweep to save yet.</source>
            <translation>还没有可保存的扫描。</translation>
        </message>
    </context>
    <context>
        <name>coalescope::app::SweepSelectors</name>
        <message>
            <source>across</source>
            <translation>横向</translation>
        </message>
        <message>
            <source>along</source>
            <translation>沿</translation>
        </message>
        <message>
            <source>down</source>
            <translation>纵向</translation>
        </message>
    </context>
    <context>
        <name>coalescope::app::ManifestDialog</name>
        <message>
            <source>How is %1 launched?</source>
            <translation>如何启动 %1？</translation>
        </message>
        <message>
            <source>Manifest</source>
            <translation>清单</translation>
        </message>
        <message>
            <source>&amp;Put it at the top of the file</source>
            <translation>放到文件开头(&amp;P)</translation>
        </message>
        <message>
            <source>&amp;Copy</source>
            <translation>复制(&amp;C)</translation>
        </message>
        <message>
            <source>%1 cannot be written: %2. Copy the manifest in its place.</source>
            <translation>无法写入 %1：%2。请改为复制清单。</translation>
        </message>
        <message>
            <source>Correct the sizes, grid and block here, or later in the file, which is read again whenever it is saved.</source>
            <translation>可以在这里更正大小、网格和线程块，也可以之后在文件中更正；文件每次保存后都会重新读取。</translation>
        </message>
    </context>
    <context>
        <name>ComparisonPicture</name>
        <message numerus="yes">
            <source>%n further access(es) of the warp have no room here.</source>
            <translation>
                <numerusform>该 warp 另有 %n 个访问在此放不下。</numerusform>
            </translation>
        </message>
    </context>
</TS>
