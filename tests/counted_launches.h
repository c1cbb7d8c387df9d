// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/result/run_result.h"

#include <fstream>
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

struct CountedLaunch {
    std::string launch; ///< "copy rows=1024 cols=1024 ..."
    double value = 0; ///< the first behind it
};

/// Rows of a file of this repository's tests, `launch,value[,...]` each behind comments and a heading.
inline std::vector<CountedLaunch> countedLaunches(const std::string& path)
{
    std::ifstream file(COALESCOPE_SOURCE_DIR "/tests/" + path);
    std::vector<CountedLaunch> launches;
    for (std::string line; std::getline(file, line);) {
        const std::size_t comma = line.find(',');
        if (!line.starts_with("#") && !line.starts_with("launch,") && comma != std::string::npos)
            launches.push_back({ line.substr(0, comma), std::stod(line.substr(comma + 1)) });
    }
    return launches;
}

} // namespace coalescope
