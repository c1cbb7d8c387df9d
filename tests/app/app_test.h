// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QTest>

#include <string>
#include <vector>

// One program holds the tests of views and window; each class of tests is run in a process of its own.

struct AppTest {
    std::string file; ///< As `main` is asked for it: the name of its source without ".cpp"
    int (*run)(int argc, char** argv); ///< Returns how many failed
};

/// All that `APP_TEST` has named.
inline std::vector<AppTest>& appTests()
{
    static std::vector<AppTest> tests;
    return tests;
}

template <class Test, class Application> int runAppTest(int argc, char** argv)
{
    Application application(argc, argv);
    application.setAttribute(Qt::AA_Use96Dpi, true);
    Test test;
    return QTest::qExec(&test, argc, argv);
}

template <class Test, class Application> bool nameAppTest(std::string path)
{
    path = path.substr(path.rfind('/') + 1);
    appTests().push_back({ path.substr(0, path.rfind('.')), runAppTest<Test, Application> });
    return true;
}

/// Stands once in the source of `Test`; `Application` is QCoreApplication where nothing is drawn.
#define APP_TEST(Test, Application) static const bool named##Test = nameAppTest<Test, Application>(__FILE__);
