// SPDX-License-Identifier: Apache-2.0
#include "kernels/compile/ptx_store.h"
#include "kernels/compile/run_child.h"
#include "kernels/make_cache.h"

#include "tests/environment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <thread>

using namespace coalescope;
using namespace coalescope::kernels;

namespace {

namespace fs = std::filesystem;

class Store : public testing::Test {
protected:
    std::vector<fs::path> files() const
    {
        return { fs::directory_iterator(m_folder), fs::directory_iterator() };
    }
    static std::string read(const fs::path& path)
    {
        std::ifstream file(path, std::ios::binary);
        return { std::istreambuf_iterator<char>(file), {} };
    }

    const TemporaryDirectory m_directory;
    const fs::path& m_folder = m_directory.path();
    const CompiledPtx m_compiled { .ptx = ".entry 1:x\n",
        .entry = "x",
        .compiler = "NVRTC 13.0",
        .registersPerThread = 40,
        .machineCode = std::string("\0code\n", 6),
        .milliseconds = 25,
        .warnings = { "one", "" } };
};

TEST_F(Store, givesBackWhatWasInserted)
{
    const PtxStore store(m_folder);
    EXPECT_FALSE(store.find("key"));
    store.insert("key", m_compiled);
    const auto found = PtxStore(m_folder).find("key");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->ptx, m_compiled.ptx);
    EXPECT_EQ(found->entry, "x");
    EXPECT_EQ(found->compiler, "NVRTC 13.0");
    EXPECT_EQ(found->warnings, m_compiled.warnings);
    EXPECT_EQ(found->registersPerThread, 40);
    EXPECT_EQ(found->machineCode, m_compiled.machineCode);
    EXPECT_EQ(found->milliseconds, 0) << "nothing was compiled";
    EXPECT_EQ(files().size(), 1u) << "no half-written file stays";
}

TEST_F(Store, anotherKeyUnderTheSameNameIsNotTaken)
{
    const PtxStore store(m_folder);
    store.insert("key", m_compiled);
    store.insert("other", m_compiled);
    // As if the two hashes were one.
    for (const fs::path& file : files())
        if (read(file).find("5:other") != std::string::npos)
            for (const fs::path& to : files())
                if (to != file)
                    fs::copy_file(file, to, fs::copy_options::overwrite_existing);
    EXPECT_FALSE(store.find("key"));
    EXPECT_TRUE(store.find("other"));
}

TEST_F(Store, aDamagedFileIsPassedOver)
{
    const PtxStore store(m_folder);
    store.insert("key", m_compiled);
    const fs::path file = files().at(0);
    const std::string whole = read(file);
    for (std::size_t i = 0; i < whole.size(); ++i) {
        std::string damaged = whole;
        damaged[i] ^= 1;
        std::ofstream(file, std::ios::binary) << damaged;
        EXPECT_FALSE(store.find("key")) << "byte " << i;
        std::ofstream(file, std::ios::binary) << whole.substr(0, i);
        EXPECT_FALSE(store.find("key")) << "cut at " << i;
    }
    store.insert("key", m_compiled);
    EXPECT_TRUE(store.find("key")) << "and replaced";
}

TEST_F(Store, whatWasNotUsedForLongestGoesFirst)
{
    const CompiledPtx large { .ptx = std::string(1000, 'p'), .entry = "x" };
    const PtxStore store(m_folder, 12'000);
    for (int i = 0; i < 10; ++i)
        store.insert("key" + std::to_string(i), large);
    for (const fs::path& file : files())
        fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(2));
    EXPECT_TRUE(store.find("key3")); // and so it is the last used
    for (int i = 10; i < 14; ++i)
        store.insert("key" + std::to_string(i), large);
    store.trim();
    EXPECT_LE(files().size(), 8u);
    EXPECT_TRUE(store.find("key3"));
    EXPECT_TRUE(store.find("key13"));
}

TEST_F(Store, aFolderThatCannotBeWrittenIsNoError)
{
    std::ofstream(m_folder / "file") << "no folder";
    const PtxStore store(m_folder / "file");
    store.insert("key", m_compiled);
    EXPECT_FALSE(store.find("key"));
    PtxStore({}).insert("key", m_compiled);
    EXPECT_FALSE(PtxStore({}).find("key"));
}

TEST_F(Store, liesWhereTheUserWantsIt)
{
    {
        const Environment off("COALESCOPE_CACHE", "off");
        PtxStore::ofUser().insert("key", m_compiled);
        EXPECT_FALSE(PtxStore::ofUser().find("key"));
    }
    const Environment unset("COALESCOPE_CACHE", "");
    {
        const Environment base("XDG_CACHE_HOME", (m_folder / "cache").c_str());
        PtxStore::ofUser().insert("key", m_compiled);
        EXPECT_TRUE(fs::exists(m_folder / "cache/coalescope/ptx"));
    }
    const Environment none("XDG_CACHE_HOME", "");
    const Environment home("HOME", m_folder.c_str());
    EXPECT_FALSE(PtxStore::ofUser().find("key"));
    PtxStore::ofUser().insert("key", m_compiled);
    EXPECT_TRUE(fs::exists(m_folder / ".cache/coalescope/ptx"));
    const Environment chosen("COALESCOPE_CACHE", (m_folder / "mine").c_str());
    PtxStore::ofUser().insert("key", m_compiled);
    EXPECT_TRUE(PtxStore::ofUser().find("key"));
    EXPECT_TRUE(fs::exists(m_folder / "mine/ptx"));
}

LaunchPlan planOf(const std::string& source)
{
    LaunchPlan plan;
    plan.sourceName = "user.cu";
    plan.source = source + "// "
        + std::to_string(std::chrono::system_clock::now().time_since_epoch().count());
    plan.entry = "f";
    return plan;
}

TEST_F(Store, keepsWhatACompilerMakes)
{
    const Environment chosen("COALESCOPE_CACHE", m_folder.c_str());
    const auto compiled
        = compileToPtx(planOf("#include <cstdint>\n__global__ void f(int* p) { *p = 1; }"));
    if (!compiled && compiled.error().code == ErrorCode::NoCompiler)
        GTEST_SKIP() << "neither NVRTC nor clang is installed";
    ASSERT_TRUE(compiled) << compiled.error().detail;
    EXPECT_GT(compiled->milliseconds, 0);
    const std::vector<fs::path> stored { fs::directory_iterator(m_folder / "ptx"),
        fs::directory_iterator() };
    ASSERT_EQ(stored.size(), 1u);
    EXPECT_NE(read(stored[0]).find(compiled->ptx), std::string::npos);
}

TEST_F(Store, keepsNothingWhoseInputIsNotKnown)
{
    const Environment chosen("COALESCOPE_CACHE", m_folder.c_str());
    std::ofstream(m_folder / "value.cuh") << "#define VALUE 1\n";
    LaunchPlan plan = planOf(
        "#define NAME \"value.cuh\"\n#include NAME\n__global__ void f(int* p) { *p = VALUE; }");
    plan.includeDirectory = m_folder;
    const auto compiled = compileToPtx(plan);
    if (!compiled && compiled.error().code == ErrorCode::NoCompiler)
        GTEST_SKIP() << "neither NVRTC nor clang is installed";
    ASSERT_TRUE(compiled) << compiled.error().detail;
    EXPECT_FALSE(fs::exists(m_folder / "ptx"));
    EXPECT_FALSE(compileToPtx(planOf("__global__ void f(int* p) { *p = nothing; }")));
    EXPECT_FALSE(fs::exists(m_folder / "ptx")) << "what failed is tried again";
}

std::size_t ten(const int&) { return 10; }

TEST(MakeCache, makesEachValueOnce)
{
    MakeCache<int> cache(1 << 20, &ten);
    std::atomic<int> made = 0;
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 8; ++i)
            threads.emplace_back([&, i] {
                for (int key = 0; key < 50; ++key) {
                    bool fresh = false;
                    const auto value = cache.get(std::to_string((key + i) % 50), fresh,
                        [&]() -> Result<int> { return ++made, (key + i) % 50; });
                    EXPECT_EQ(**value, (key + i) % 50);
                }
            });
    }
    EXPECT_EQ(made, 50);
}

TEST(MakeCache, forgetsTheLeastRecentlyUsed)
{
    int made = 0;
    MakeCache<int> cache(1000, &ten);
    const auto ask = [&](const std::string& key) {
        bool fresh = false;
        EXPECT_TRUE(cache.get(key, fresh, [&]() -> Result<int> { return ++made; }));
        return fresh;
    };
    EXPECT_TRUE(ask("kept"));
    for (int i = 0; i < 100; ++i) {
        EXPECT_TRUE(ask(std::to_string(i)));
        EXPECT_FALSE(ask("kept"));
    }
    EXPECT_TRUE(ask("0"));
}

TEST(MakeCache, aFailureIsTriedAgain)
{
    MakeCache<int> cache(1000, &ten);
    bool fresh = false;
    EXPECT_FALSE(cache.get(
        "key", fresh, []() -> Result<int> { return fail(ErrorCode::NoCompiler, "none"); }));
    const auto second = cache.get("key", fresh, []() -> Result<int> { return 2; });
    ASSERT_TRUE(second);
    EXPECT_EQ(**second, 2);
    EXPECT_TRUE(fresh);
}

} // namespace
