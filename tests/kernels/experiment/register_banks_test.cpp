// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/register_banks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

namespace {

using namespace coalescope;

/// As the machine code has it: its operation, its registers, and which of them are kept.
kernels::MachineInstruction encoded(const std::string& text)
{
    static const std::map<std::string, std::uint64_t> kOperations { { "ffma", 0x223 }, { "ffma.constant", 0xa23 }, { "fadd", 0x221 }, { "hfma2", 0x231 }, { "lop3", 0x212 }, { "imad.wide", 0x225 } };
    const std::size_t colon = text.find(':'), plus = text.find('+');
    std::istringstream registers(text.substr(colon + 1, plus - colon - 1));
    std::array<std::uint64_t, 3> numbers {};
    for (std::uint64_t& number : numbers) {
        std::string one;
        std::getline(registers, one, '.');
        number = one == "z" ? 255 : std::stoull(one);
    }
    constexpr std::uint64_t kUnconditional = 0x7000;
    const std::uint64_t kept = plus == std::string::npos ? 0 : std::stoull(text.substr(plus + 1));
    const std::array<std::uint64_t, 2> words { kOperations.at(text.substr(0, colon)) | kUnconditional | numbers[0] << 24 | numbers[1] << 32,
        numbers[2] | kept << 58 };
    std::array<char, kernels::kInstructionBytes> bytes {};
    std::memcpy(bytes.data(), words.data(), bytes.size());
    return { bytes.data(), 0, 9 };
}

TEST(RegisterBanks, readAsManyRegistersAClockAsAnH200)
{
    std::ifstream file(COALESCOPE_TEST_DATA "/kernels/experiment/h200_register_banks.csv");
    int rows = 0;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with('#') || line.starts_with("clocks"))
            continue;
        std::istringstream fields(line);
        double measured = 0;
        char comma = 0;
        fields >> measured >> comma;
        std::vector<kernels::MachineInstruction> turn;
        for (std::string text; fields >> text;)
            turn.push_back(encoded(text));
        constexpr int kTurns = 1000;
        kernels::RegisterBanks banks;
        for (int i = 0; i < kTurns; ++i)
            for (const auto& instruction : turn)
                banks.issue(instruction);
        const double predicted = banks.clocks() / double(kTurns) / double(turn.size());
        EXPECT_LT(std::abs(predicted / measured - 1), 0.04) << predicted << " for " << line; // the loop itself has four instructions for 128
        ++rows;
    }
    EXPECT_EQ(rows, 38);
}

TEST(RegisterBanks, aConstantAmongTheOperandsIsNotRead)
{
    const auto clocksOf = [](const std::string& text) {
        kernels::RegisterBanks banks;
        for (int i = 0; i < 3; ++i)
            banks.issue(encoded(text));
        return banks.clocks();
    };
    EXPECT_EQ(clocksOf("ffma:2.4.7"), 5);
    EXPECT_EQ(clocksOf("ffma.constant:2.4.7"), 3);
    EXPECT_EQ(clocksOf("ffma.constant:2.4.6"), 5) << "the other two lie in one bank";
    EXPECT_EQ(clocksOf("imad.wide:2.5.6"), 5) << "its sum is in 6 and 7";
}

TEST(RegisterBanks, bothReadWhereWarpsTakeTurns)
{
    kernels::RegisterBanks banks;
    for (const char* text : { "ffma:2.4.6", "ffma:8.10.12", "ffma:3.5.7", "ffma:9.11.13" })
        banks.issue(encoded(text));
    EXPECT_EQ(banks.mixedClocks(), 6) << "six registers of each bank";
    EXPECT_EQ(banks.clocks(), 8) << "the second begins to read at 3, the third at 4, the fourth at 7";
}

} // namespace
