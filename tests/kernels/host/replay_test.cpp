// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/replay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

using namespace coalescope::kernels;

namespace {

/// `add(p, n, by)` adds to each of n integers, `copy(from, to, n)` copies them, `use(p)` is what is asked about.
const std::string kKernels = "#include <cuda_runtime.h>\n#include <vector>\n__global__ void add(int* p, int n, int by) {}\n"
                             "__global__ void copy(const int* from, int* to, int n) {}\n__global__ void real(float* p) {}\nstruct G { int* table; int* out; int2 size; };\n__global__ void look(G g) {}\n__global__ void use(const int* p, int n) {}\n"
                             "__device__ int tail = 1; __device__ int table[2][2]; __managed__ int shared = 5;\n__global__ void push(int by) { atomicAdd(&tail, by); table[0][1] = tail; }\n";

struct Executed {
    std::vector<std::string> kernels; ///< in order
    bool fails = false; ///< what is left by `add` is not known
};

std::int32_t at(const LaunchMemory& memory, std::size_t i)
{
    std::int32_t number = 0;
    std::memcpy(&number, memory.bytes.data() + i * sizeof number, sizeof number);
    return number;
}

void put(LaunchMemory& memory, std::size_t i, std::int32_t number) { std::memcpy(memory.bytes.data() + i * sizeof number, &number, sizeof number); }

class Adder final : public LaunchExecutor {
public:
    explicit Adder(Executed& executed)
        : m_executed(executed)
    {
    }
    void execute(LaunchToExecute& launch) override
    {
        m_executed.kernels.push_back(launch.launch.kernel);
        const auto memory = [&](std::size_t argument) -> LaunchMemory& { return launch.memories.at(launch.arguments.at(argument).at(0).memory.value()); };
        const auto number = [&](std::size_t argument) { return launch.arguments.at(argument).at(0).integer; };
        if (launch.launch.kernel == "copy") {
            for (std::size_t i = 0; i < std::size_t(number(2)); ++i)
                put(memory(1), i, at(memory(0), i));
            return;
        }
        if (launch.launch.kernel == "push") { // adds to the module's `tail`, and tells all of it in `table`
            const auto variable = [&](const std::string& name) -> LaunchMemory& { return *std::ranges::find(launch.memories, name, &LaunchMemory::variable); };
            put(variable("tail"), 0, at(variable("tail"), 0) + std::int32_t(number(0)));
            put(variable("table"), 1, at(variable("tail"), 0));
            return;
        }
        if (launch.launch.kernel != "add" || m_executed.fails) {
            launch.why = "is too large";
            return;
        }
        const std::size_t first = std::size_t(number(0)) / 4;
        for (std::size_t i = 0; i < std::size_t(number(1)); ++i)
            put(memory(0), first + i, at(memory(0), first + i) + std::int32_t(number(2)));
    }
    [[nodiscard]] bool mayWrite(const HostBuffer& argument) const override { return argument.argument != "0.table"; }

private:
    Executed& m_executed;
};

/// What `use` gets as its first argument, or how large its grid is; "unknown".
struct Told {
    std::string content, grid, size, why;
};

Told told(const std::string& main, Executed& executed)
{
    const std::string program = kKernels + "int main()\n{\n    const int n = 4;\n    int *a, *b;\n    cudaMalloc(&a, n * sizeof(int));\n    cudaMalloc(&b, n * sizeof(int));\n"
                                           "    cudaMemset(a, 0, n * sizeof(int));\n    cudaMemset(b, 0, n * sizeof(int));\n"
        + main + "\n}\n";
    const std::vector<ProgramFile> files { { .text = program, .names = {} } };
    Adder adder(executed);
    const HostContents whole = hostContents(files, {}, std::nullopt, {}, 3'000'000, &adder);
    const auto use = std::ranges::find_if(whole.launches, [](const auto& launch) { return launch.first.kernel == "use"; });
    if (use == whole.launches.end())
        return { "never reached", "", "", "" };
    executed.kernels.clear();
    HostBuffer buffer = use->first;
    buffer.argument = "0";
    const HostContents contents = hostContents(files, {}, buffer, {}, 3'000'000, &adder);
    Told made { .content = "unknown", .grid = use->second.grid ? std::to_string((*use->second.grid)[0]) : "unknown", .size = "unknown" };
    made.why = contents.why;
    if (const auto size = use->second.integers.find("1"); size != use->second.integers.end())
        made.size = std::to_string(size->second);
    if (contents.bytes) {
        made.content.clear();
        const LaunchMemory memory { .bytes = *contents.bytes };
        for (std::size_t i = 0; i < memory.bytes.size() / 4; ++i)
            made.content += (i ? " " : "") + std::to_string(at(memory, i));
    }
    return made;
}

std::string contentBefore(const std::string& main)
{
    Executed executed;
    return told(main + "\nuse<<<1, 32>>>(a, n);", executed).content;
}

} // namespace

TEST(Replay, launchesLeaveWhatTheyMakeInTheOrderOfTheHostsCode)
{
    EXPECT_EQ(contentBefore("add<<<1, 32>>>(a, n, 3); add<<<1, 32>>>(a, 2, 4);"), "7 7 3 3");
    EXPECT_EQ(contentBefore("for (int i = 0; i < 5; ++i) add<<<1, 32>>>(a, n, i);"), "10 10 10 10");
    EXPECT_EQ(contentBefore("add<<<1, 32>>>(b, n, 3); copy<<<1, 32>>>(b, a, n); add<<<1, 32>>>(b, n, 5);"), "3 3 3 3") << "the last one is behind the copy";
    EXPECT_EQ(contentBefore("add<<<1, 32>>>(a + 1, 2, 6);"), "0 6 6 0");
    EXPECT_EQ(contentBefore("add<<<1, 32>>>(b, n, 3); std::swap(a, b);"), "3 3 3 3");
}

TEST(Replay, copiesOfTheHostsStandBetweenLaunches)
{
    EXPECT_EQ(contentBefore("add<<<1, 32>>>(b, n, 3); cudaMemcpy(a, b, n * sizeof(int), cudaMemcpyDeviceToDevice); add<<<1, 32>>>(a, 1, 1);"), "4 3 3 3");
    EXPECT_EQ(contentBefore("add<<<1, 32>>>(a, n, 3); cudaMemset(a, 0, n * sizeof(int)); add<<<1, 32>>>(a, 1, 1);"), "1 0 0 0");
    EXPECT_EQ(contentBefore("copy<<<1, 32>>>(b, a, n); cudaMemset(b, 1, n * sizeof(int));"), "0 0 0 0") << "what is read is written to later";
    EXPECT_EQ(contentBefore("add<<<1, 32>>>(a, n, 3); std::vector<int> h(n); cudaMemcpy(h.data(), a, n * sizeof(int), cudaMemcpyDeviceToHost);\n"
                            "for (int i = 1; i < n; ++i) h[i] += h[i - 1]; cudaMemcpy(a, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);"),
        "3 6 9 12");
}

TEST(Replay, variablesOfTheModuleAreMemoryThatLaunchesShare)
{
    const std::string back = " cudaMemcpyFromSymbol(&got, tail, sizeof(int)); std::vector<int> h(n, got); cudaMemcpy(a, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);";
    EXPECT_EQ(contentBefore("int got = 0; push<<<1, 32>>>(2);" + back), "3 3 3 3");
    EXPECT_EQ(contentBefore("int got = 0; push<<<1, 32>>>(2); push<<<1, 32>>>(4);" + back), "7 7 7 7");
    EXPECT_EQ(contentBefore("int got = 0, ten = 10; push<<<1, 32>>>(2); cudaMemcpyToSymbol(tail, &ten, sizeof(int)); push<<<1, 32>>>(4);" + back), "14 14 14 14");
    EXPECT_EQ(contentBefore("int got = 0; void* p; cudaGetSymbolAddress(&p, tail); cudaMemset(p, 0, 4); push<<<1, 32>>>(4);" + back), "4 4 4 4");
    EXPECT_EQ(contentBefore("int got = 0; push<<<1, 32>>>(2); cudaMemcpyFromSymbol(&got, table, 4, 4); std::vector<int> h(n, got); cudaMemcpy(a, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);"), "3 3 3 3") << "from a place within";
    EXPECT_EQ(contentBefore("int got = 0, ten = 10; if (time(0) % 2) cudaMemcpyToSymbol(tail, &ten, 4);" + back), "unknown") << "who knows";
}

TEST(Replay, whatIsReadBackDecidesAboutLaunchesBehindIt)
{
    Executed executed;
    const std::string read = "int count = 0; cudaMemcpy(&count, a + 1, sizeof(int), cudaMemcpyDeviceToHost);";
    const Told grid = told("add<<<1, 32>>>(a, n, 70); " + read + " use<<<(count + 31) / 32, 32>>>(a, count);", executed);
    EXPECT_EQ(grid.grid, "3");
    EXPECT_EQ(grid.size, "70");
    const Told turns = told("int count = 1, turns = 0; while (count < 40) { add<<<1, 32>>>(a, n, count); cudaMemcpy(&count, a, sizeof(int), cudaMemcpyDeviceToHost); ++turns; } use<<<1, 32>>>(a, turns);", executed);
    EXPECT_EQ(turns.size, "7") << "1, 2, 4, 8, 16, 32, 64";
    EXPECT_EQ(turns.content, "64 64 64 64");
    const Told managed = told("int* m; cudaMallocManaged(&m, n * sizeof(int)); m[0] = 5; add<<<1, 32>>>(m, n, 3); cudaDeviceSynchronize(); m[1] = m[0]; use<<<1, 32>>>(m, m[0]);", executed);
    EXPECT_EQ(managed.size, "8");
}

TEST(Replay, launchesThatNobodyAsksForAreNotExecuted)
{
    Executed executed;
    told("add<<<1, 32>>>(b, n, 3); add<<<1, 32>>>(a, n, 1); use<<<1, 32>>>(a, n);", executed);
    EXPECT_EQ(executed.kernels, std::vector<std::string> { "add" });
    told("float* f; cudaMalloc(&f, 64); real<<<1, 32>>>(f); float h; cudaMemcpy(&h, f, 4, cudaMemcpyDeviceToHost); use<<<1, 32>>>(a, n);", executed);
    EXPECT_TRUE(executed.kernels.empty()) << "real numbers that are read back lead nothing";
}

TEST(Replay, whatCannotBeExecutedLeavesNothingThatIsKnown)
{
    Executed executed { .kernels = {}, .fails = true };
    const Told failed = told("add<<<1, 32>>>(a, n, 70); int count; cudaMemcpy(&count, a, sizeof(int), cudaMemcpyDeviceToHost); use<<<1, 32>>>(a, count);", executed);
    EXPECT_EQ(failed.content, "unknown");
    EXPECT_EQ(failed.size, "unknown");
    EXPECT_EQ(failed.why, "'add' is too large");
    EXPECT_EQ(told("add<<<1, 32>>>(b, n, 70); use<<<1, 32>>>(a, n);", executed).content, "0 0 0 0");
    EXPECT_EQ(told("G g { a, b, { 3, 4 } }; look<<<1, 32>>>(g); use<<<1, 32>>>(a, n);", executed).content, "0 0 0 0") << "it only reads its table";
    EXPECT_EQ(told("G g { a, b, { 3, 4 } }; look<<<1, 32>>>(g); use<<<1, 32>>>(b, n);", executed).content, "unknown");
    EXPECT_EQ(told("add<<<1, 32>>>(a, n, 70); cudaMemset(a, 0, n * sizeof(int)); use<<<1, 32>>>(a, n);", executed).content, "0 0 0 0") << "the host has written to it since";
    Executed works;
    EXPECT_EQ(told("add<<<atoi(getenv(\"GRID\")), 32>>>(a, n, 70); use<<<1, 32>>>(a, n);", works).content, "unknown") << "nobody knows its grid";
    EXPECT_EQ(told("add<<<1, 32>>>(a, n, 70); cub::DeviceSelect::If(b, n, a, a, c, n, Odd {}); use<<<1, 32>>>(a, n);", works).content, "unknown") << "somebody else has written to it";
    EXPECT_EQ(told("add<<<1, 32>>>(a, n, 70); cub::DeviceScan::ExclusiveSum(b, n, a, a, n); use<<<1, 32>>>(a, n);", works).content, "0 70 140 210") << "what the launch leaves is scanned";
}
