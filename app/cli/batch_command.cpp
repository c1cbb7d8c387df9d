// SPDX-License-Identifier: Apache-2.0
#include "app/cli/batch_command.h"

#include "app/cli/experiment_arguments.h"
#include "app/cli/interrupt.h"
#include "app/cli/progress_line.h"
#include "app/cli/report_error.h"
#include "kernels/catalogue/assignment.h"
#include "kernels/launch/job.h"
#include "kernels/source/followed_plan.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

namespace coalescope::cli {

namespace {

struct Listed {
    std::string text; ///< the line
    kernels::LaunchPlan plan;
};

/// What a list asks for, and how many of its launches cannot be.
struct List {
    std::vector<Listed> launches;
    std::size_t illegal = 0;
};

void tellFailed(const std::string& launch, const Error& error)
{
    fmt::print(stderr, "coalescope: {}: {}\n", launch, error.sentence());
}

class ListReader {
public:
    Result<List> read(const std::string& path)
    {
        std::ifstream file(path);
        if (!file)
            return fail(ErrorCode::FileFailed,
                fmt::format("the list cannot be opened: {}", std::strerror(errno)), path);
        std::string line;
        for (int number = 1; std::getline(file, line); ++number)
            if (auto added = add(line); !added) {
                // Whatever a line says wrong, it is the list that is to be corrected.
                Error error = added.error();
                if (error.code == ErrorCode::WrongUsage || error.code == ErrorCode::UnknownKernel)
                    error.code = ErrorCode::BadInput;
                error.where = fmt::format("{}:{}", path, number);
                return std::unexpected(std::move(error));
            }
        return std::move(m_list);
    }

private:
    Result<void> add(const std::string& line)
    {
        std::istringstream words(line);
        std::string name, word;
        if (!(words >> name) || name[0] == '#')
            return {};
        auto known = m_kernels.find(name);
        if (known == m_kernels.end()) {
            auto kernel = kernelOf(name);
            if (!kernel)
                return std::unexpected(kernel.error());
            known = m_kernels.emplace(name, *std::move(kernel)).first;
        }
        kernels::ParameterValues values;
        while (words >> word) {
            auto assignment = kernels::assignmentOf(word, "the list");
            if (!assignment)
                return std::unexpected(assignment.error());
            values[assignment->first] = assignment->second;
        }
        auto plan = planFollowed(known->second, values);
        if (plan)
            m_list.launches.push_back({ line, *std::move(plan) });
        else if (plan.error().code == ErrorCode::WrongUsage)
            return std::unexpected(plan.error());
        else {
            tellFailed(line, plan.error());
            ++m_list.illegal;
        }
        return {};
    }

    std::map<std::string, kernels::KernelSpec> m_kernels;
    List m_list;
};

} // namespace

int runMeasureBatch(const std::string& listPath, kernels::RecordOptions options)
{
    auto list = ListReader().read(listPath);
    if (!list)
        return reportError(list.error());
    std::vector<kernels::LaunchPlan> plans;
    for (Listed& listed : list->launches)
        plans.push_back(std::move(listed.plan));
    Interrupt interrupt;
    options.stop = interrupt.token();
    std::size_t done = 0, failed = list->illegal;
    ProgressLine line;
    const auto result = kernels::recordLaunches(
        plans, options, [&](std::size_t index, const Result<analysis::RunResult>& measured) {
            if (!measured) {
                line.clear();
                tellFailed(list->launches[index].text, measured.error());
                ++failed;
            }
            done += measured ? 1 : 0;
            line.show(double(done) / double(plans.size()),
                fmt::format("{} of {} launches measured", done, plans.size()));
        });
    line.clear();
    const bool interrupted
        = !result && result.error().code == ErrorCode::Cancelled && Interrupt::signal() != 0;
    const int status = result ? 0
        : interrupted         ? 128 + Interrupt::signal()
                              : reportError(result.error());
    fmt::print(stderr, "{} of {} launches are in {}{}\n", done, plans.size() + list->illegal,
        options.output, result ? "" : "; run the same command to go on");
    return status == 0 && failed > 0 ? kernels::exitStatusOf(ErrorCode::LaunchFailed) : status;
}

} // namespace coalescope::cli
