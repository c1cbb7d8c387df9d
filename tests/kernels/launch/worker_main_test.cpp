// SPDX-License-Identifier: Apache-2.0
// The test program is its own worker: started as `... measure --job -` it serves a job, on a fake GPU
// where $COALESCOPE_FAKE_GPU says so.
#include "fake_driver.h"
#include "kernels/launch/measure.h"

#include <gtest/gtest.h>

int main(int count, char** words)
{
    using namespace coalescope::kernels;
    if (!fake::scenario().empty())
        replaceCudaDriver(&fake::table());
    if (count > 1 && std::string_view(words[1]) == "measure")
        return serveJob();
    setenv("COALESCOPE_WORKER", "/proc/self/exe", 1);
    testing::InitGoogleTest(&count, words);
    return RUN_ALL_TESTS();
}
