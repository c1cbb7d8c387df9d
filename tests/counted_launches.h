// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/result/run_result.h"
#include "kernels/catalogue/assignment.h"

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace coalescope {

/// "copy cols=1024 rows=1024 ...".
inline std::string nameOf(const analysis::RunResult& result)
{
    std::string name = result.kernel;
    for (const auto& [parameter, value] : result.launch.parameters)
        name += ' ' + parameter + '=' + value;
    return name;
}

/// A launch's name and what it sets.
struct NamedSettings {
    std::string kernel;
    std::map<std::string, std::string> settings;
};

/// The name above in its parts. Errors: std::bad_expected_access where one is no setting.
inline NamedSettings settingsOf(const std::string& launch)
{
    std::istringstream words(launch);
    NamedSettings named;
    words >> named.kernel;
    for (std::string word; words >> word;)
        named.settings.insert(kernels::assignmentOf(word, "launch").value());
    return named;
}

struct CountedLaunch {
    std::string launch; ///< "copy rows=1024 cols=1024 ..."
    std::vector<double> values; ///< those behind it, one or more
};

/// Rows of a file of this repository's tests, `launch,value[,...]` each behind comments and a heading.
inline std::vector<CountedLaunch> countedLaunches(const std::string& path)
{
    std::ifstream file(COALESCOPE_SOURCE_DIR "/tests/" + path);
    std::vector<CountedLaunch> launches;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("#") || line.starts_with("launch,") || !line.contains(','))
            continue;
        std::istringstream fields(line);
        std::string field;
        std::getline(fields, field, ',');
        CountedLaunch& launch = launches.emplace_back(field);
        while (std::getline(fields, field, ','))
            launch.values.push_back(std::stod(field));
    }
    return launches;
}

} // namespace coalescope
