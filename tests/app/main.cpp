// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/app_test.h"

#include <algorithm>
#include <cstdio>

/// app_tests NAME [OPTIONS OF QTEST]: runs the tests of one source, "pay_test" say.
int main(int argc, char** argv)
{
    const std::string name = argc > 1 ? argv[1] : "";
    const auto test = std::ranges::find(appTests(), name, &AppTest::file);
    if (test == appTests().end()) {
        std::fprintf(stderr, "Which tests? \"%s\" is none of:\n", name.c_str());
        for (const AppTest& each : appTests())
            std::fprintf(stderr, "  %s\n", each.file.c_str());
        return 2;
    }
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    argv[1] = argv[0];
    return test->run(argc - 1, argv + 1);
}
