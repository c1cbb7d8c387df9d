// SPDX-License-Identifier: Apache-2.0
#include "kernels/catalogue/element_type.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <unistd.h>

using namespace coalescope;
using namespace coalescope::kernels;

namespace {

std::vector<std::uint8_t> bytes(const BufferPlan& buffer, std::uint64_t first, std::uint64_t count)
{
    std::vector<std::uint8_t> out(count, 0xee);
    const auto done = fillBytes(buffer, first, out);
    EXPECT_TRUE(done) << done.error().detail;
    return out;
}

class EveryType : public testing::TestWithParam<ElementTypeInfo> { };

TEST_P(EveryType, anyRangeEqualsThatPartOfTheWhole)
{
    for (const FillKind kind : { FillKind::Zero, FillKind::Iota, FillKind::Random }) {
        const BufferPlan buffer { "b", GetParam().type, 301, { .kind = kind, .seed = 7 } };
        const std::uint64_t size = 301u * std::uint64_t(GetParam().bytes);
        const auto whole = bytes(buffer, 0, size);
        for (const auto& [first, count] : { std::pair<std::uint64_t, std::uint64_t> { 0, 1 }, { 1, 1 }, { 3, 2 }, { 5, 64 },
                 { 7, 200 }, { size - 3, 3 }, { size, 0 } }) {
            const auto part = bytes(buffer, first, count);
            EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + std::ptrdiff_t(first)))
                << first << " + " << count;
        }
    }
}

TEST_P(EveryType, randomNeighboursDiffer)
{
    const std::size_t width = std::size_t(GetParam().bytes);
    const auto data = bytes({ "b", GetParam().type, 4096, { .kind = FillKind::Random, .seed = 1 } }, 0, 4096 * width);
    int same = 0;
    for (std::size_t i = 0; i + 1 < 4096; ++i)
        same += std::memcmp(&data[i * width], &data[(i + 1) * width], width) == 0;
    EXPECT_LT(same, 40); // 16 are expected of one byte
}

INSTANTIATE_TEST_SUITE_P(, EveryType, testing::ValuesIn(kElementTypes),
    [](const auto& info) { return std::string(info.param.name); });

TEST(Fill, iotaCountsInTheElementsType)
{
    const auto floats = bytes({ "b", ElementType::F32, 5, { .kind = FillKind::Iota } }, 0, 20);
    float value = 0;
    std::memcpy(&value, &floats[12], 4);
    EXPECT_EQ(value, 3.0f);
    EXPECT_EQ(bytes({ "b", ElementType::I8, 300, { .kind = FillKind::Iota } }, 258, 1)[0], 2); // wraps
    EXPECT_EQ(bytes({ "b", ElementType::F16, 5, { .kind = FillKind::Iota } }, 2, 2), (std::vector<std::uint8_t> { 0, 0x3c }));
}

TEST(Fill, randomFloatsLieInMinusOneToOne)
{
    const auto data = bytes({ "b", ElementType::F32, 1000, { .kind = FillKind::Random, .seed = 3 } }, 0, 4000);
    float least = 0, most = 0;
    for (std::size_t i = 0; i < 1000; ++i) {
        float value = 0;
        std::memcpy(&value, &data[i * 4], 4);
        least = std::min(least, value);
        most = std::max(most, value);
    }
    EXPECT_GE(least, -1.0f);
    EXPECT_LT(least, -0.9f);
    EXPECT_LT(most, 1.0f);
    EXPECT_GT(most, 0.9f);
}

TEST(Fill, randomValuesWithBoundsReachTheLowOneAndNotTheHighOne)
{
    const auto integers = bytes({ "b", ElementType::I8, 1000, { .kind = FillKind::Random, .hasBounds = true, .low = -3, .high = 4 } }, 0, 1000);
    const auto [least, most] = std::ranges::minmax(integers, {}, [](std::uint8_t byte) { return std::int8_t(byte); });
    EXPECT_EQ(std::int8_t(least), -3);
    EXPECT_EQ(most, 3);
    const auto floats = bytes({ "b", ElementType::F64, 1000, { .kind = FillKind::Random, .hasBounds = true, .low = 5, .high = 5.5 } }, 0, 8000);
    for (std::size_t i = 0; i < 1000; ++i) {
        double value = 0;
        std::memcpy(&value, &floats[i * 8], 8);
        EXPECT_TRUE(value >= 5 && value < 5.5) << value;
    }
}

TEST(Fill, iotaHasAStartAndAStep)
{
    const Fill down { .kind = FillKind::Iota, .start = 10, .step = -4 };
    EXPECT_EQ(bytes({ "b", ElementType::I8, 4, down }, 0, 4), (std::vector<std::uint8_t> { 10, 6, 2, 0xfe }));
    EXPECT_EQ(bytes({ "b", ElementType::F16, 4, { .kind = FillKind::Iota, .start = 0.5, .step = 0.5 } }, 2, 2),
        (std::vector<std::uint8_t> { 0, 0x3c }));
}

TEST(Fill, seedsDiffer)
{
    EXPECT_NE(bytes({ "b", ElementType::U64, 1, { .kind = FillKind::Random, .seed = 1 } }, 0, 8),
        bytes({ "b", ElementType::U64, 1, { .kind = FillKind::Random, .seed = 2 } }, 0, 8));
}

TEST(Fill, aRangeOutsideTheBufferIsRefused)
{
    std::vector<std::uint8_t> out(8);
    EXPECT_FALSE(fillBytes({ "b", ElementType::F32, 4, {} }, 9, out));
    EXPECT_FALSE(fillBytes({ "b", ElementType::F32, 4, {} }, 100, out));
}

TEST(Fill, filesAreReadRawAndMustBeLongEnough)
{
    const auto path = std::filesystem::path(testing::TempDir()) / ("coalescope_fill_" + std::to_string(::getpid()));
    std::ofstream(path, std::ios::binary) << "0123456789";
    EXPECT_EQ(bytes({ "b", ElementType::I16, 5, { .kind = FillKind::File, .file = path } }, 3, 4),
        (std::vector<std::uint8_t> { '3', '4', '5', '6' }));
    std::vector<std::uint8_t> out(2);
    const auto tooShort = fillBytes({ "b", ElementType::I16, 6, { .kind = FillKind::File, .file = path } }, 0, out);
    ASSERT_FALSE(tooShort);
    EXPECT_NE(tooShort.error().detail.find("holds 10 bytes"), std::string::npos);
    std::filesystem::remove(path);
    EXPECT_FALSE(fillBytes({ "b", ElementType::I16, 1, { .kind = FillKind::File, .file = path } }, 0, out));
    EXPECT_FALSE(fillBytes({ "b", ElementType::I16, 1, { .kind = FillKind::File, .file = "/dev/zero" } }, 0, out));
}

} // namespace
