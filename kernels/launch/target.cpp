// SPDX-License-Identifier: Apache-2.0
#include "kernels/launch/target.h"

#include "kernels/launch/child_process.h"
#include "kernels/launch/driver.h"
#include "kernels/launch/job.h"
#include "kernels/launch/orchestrate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <unistd.h>

namespace coalescope::kernels {

namespace {

    constexpr std::size_t kMostChatter = 1u << 20; ///< bytes of anything else before it is called garbage

    constexpr std::string_view kSelf = "/proc/self/exe";

    /// `env NAME=VALUE ...`: it stays on this machine.
    bool isEnvironmentOnly(const std::vector<std::string>& prefix)
    {
        return prefix.size() > 1 && prefix[0] == "env"
            && std::all_of(prefix.begin() + 1, prefix.end(),
                [](const std::string& word) { return word.find('=') != std::string::npos && word[0] != '-'; });
    }

    Error withPlace(Error error, const std::vector<std::string>& prefix)
    {
        if (error.where.empty())
            error.where = fmt::format("{}", fmt::join(prefix, " "));
        return error;
    }

    Error brokenOff(const ChildProcess& child, const ChildExit& exit, const std::string& chatter,
        const std::vector<std::string>& command)
    {
        std::string said = lastLine(child.errorText());
        if (said.empty())
            said = chatter.substr(0, 200);
        const std::string_view hint = exit.status == 127 || exit.status == 126
            ? "; put the program coalescope on the target's PATH, or set COALESCOPE_REMOTE to where it is there"
            : "";
        return { ErrorCode::TargetFailed,
            fmt::format("the target ended with {} before it answered{}{}{}", exit.text(),
                said.empty() ? "" : ": ", said, hint),
            fmt::format("{}", fmt::join(command, " ")) };
    }

    /// Reads until the answer of the command behind a prefix: a message that is no progress and no error.
    Result<JobMessage> answerOf(ChildProcess& child, const std::vector<std::string>& prefix,
        const std::vector<std::string>& command, const std::function<void(const MeasureProgress&)>& progress,
        const std::stop_token& stop)
    {
        std::string chatter; // a login shell's greeting, or garbage
        std::size_t chatterBytes = 0;
        for (bool open = true; open;) {
            open = child.poll(50);
            while (const auto line = child.nextLine()) {
                auto message = messageFromLine(*line);
                if (!message) {
                    chatter = *line;
                    chatterBytes += line->size();
                    continue;
                }
                // The prefix's program is let go its own way: srun ends its job, ssh its connection.
                if (!message->progress)
                    child.finish(kLeaveMilliseconds);
                if (message->error)
                    return std::unexpected(withPlace(*message->error, prefix));
                if (!message->progress)
                    return message;
                if (progress)
                    progress(*message->progress);
            }
            if (stop.stop_requested()) {
                child.kill();
                return fail(ErrorCode::Cancelled, "the measurement was cancelled");
            }
            if (chatterBytes > kMostChatter) {
                child.kill();
                return fail(ErrorCode::TargetFailed,
                    fmt::format("the target answers something else than coalescope would: {}", chatter.substr(0, 200)),
                    fmt::format("{}", fmt::join(command, " ")));
            }
        }
        return std::unexpected(brokenOff(child, child.finish(2000), chatter, command));
    }

    /// Feeds the job to the command behind a prefix and reads its answer.
    Result<JobMessage> askTarget(const std::vector<std::string>& prefix, const std::string& job,
        const std::function<void(const MeasureProgress&)>& progress, const std::stop_token& stop)
    {
        const auto command = targetCommand(prefix);
        COALESCOPE_TRY(command);
        auto child = ChildProcess::start(*command, ChildProcess::ErrorOutput::Keep);
        COALESCOPE_TRY(child);
        (*child)->send(job + '\n');
        (*child)->closeInput();
        return answerOf(**child, prefix, *command, progress, stop);
    }

    Error otherAnswer(const std::vector<std::string>& prefix)
    {
        return { ErrorCode::TargetFailed, "the target answers another question than it was asked",
            fmt::format("{}", fmt::join(prefix, " ")) };
    }

    Result<analysis::RunResult> resultOf(Result<JobMessage> answer, const std::vector<std::string>& prefix)
    {
        COALESCOPE_TRY(answer);
        if (!answer->result)
            return std::unexpected(otherAnswer(prefix));
        return std::move(*answer->result);
    }

    /// Commands of which each stands for one machine that is there already.
    constexpr std::string_view kConnections[] = { "ssh", "docker", "podman" };
    /// Words of commands that wait until a GPU is free and then keep it to themselves.
    constexpr std::string_view kQueues[] = { "srun", "salloc", "sbatch", "qrsh", "qsub", "bsub", "flux" };

    bool namesQueue(const std::string& word)
    {
        return std::ranges::any_of(kQueues, [&](std::string_view queue) { return word.find(queue) != word.npos; });
    }

} // namespace

bool mayHoldBehind(const std::vector<std::string>& prefix)
{
    if (prefix.empty() || isEnvironmentOnly(prefix))
        return true;
    const char* remote = std::getenv("COALESCOPE_REMOTE");
    if (std::ranges::any_of(prefix, &namesQueue) || (remote && namesQueue(remote)))
        return false;
    const std::string_view program = std::string_view(prefix[0]).substr(prefix[0].rfind('/') + 1);
    return std::ranges::find(kConnections, program) != std::end(kConnections);
}

TargetJob::TargetJob(
    std::vector<std::string> prefix, std::vector<std::string> command, std::unique_ptr<ChildProcess> child)
    : m_prefix(std::move(prefix))
    , m_command(std::move(command))
    , m_child(std::move(child))
{
}

TargetJob::TargetJob(TargetJob&&) noexcept = default;
TargetJob& TargetJob::operator=(TargetJob&&) noexcept = default;
TargetJob::~TargetJob() = default;

Result<TargetJob> TargetJob::start(
    const std::string& target, const LaunchPlan& plan, const MeasureOptions& options, Start start)
{
    auto prefix = wordsOfPrefix(target);
    COALESCOPE_TRY(prefix);
    auto command = targetCommand(*prefix);
    COALESCOPE_TRY(command);
    auto child = ChildProcess::start(*command, ChildProcess::ErrorOutput::Keep);
    COALESCOPE_TRY(child);
    const bool held = start == Start::Held;
    (*child)->send(toJson(Job { .plan = plan, .options = options, .hold = held }) + '\n');
    if (!held)
        (*child)->closeInput();
    return TargetJob(*std::move(prefix), *std::move(command), *std::move(child));
}

void TargetJob::go()
{
    m_child->send("go\n");
    m_child->closeInput();
}

Result<analysis::RunResult> TargetJob::result(
    const std::function<void(const MeasureProgress&)>& progress, std::stop_token stop)
{
    return resultOf(answerOf(*m_child, m_prefix, m_command, progress, stop), m_prefix);
}

Result<std::vector<std::string>> wordsOfPrefix(std::string_view prefix)
{
    std::vector<std::string> words;
    std::string word;
    bool inWord = false;
    char quote = 0;
    for (std::size_t i = 0; i < prefix.size(); ++i) {
        const char c = prefix[i];
        if (c == '\\' && quote != '\'' && i + 1 < prefix.size()) {
            word += prefix[++i];
            inWord = true;
        } else if (quote) {
            if (c == quote)
                quote = 0;
            else
                word += c;
        } else if (c == '"' || c == '\'') {
            quote = c;
            inWord = true;
        } else if (c == ' ' || c == '\t' || c == '\n') {
            if (inWord)
                words.push_back(std::exchange(word, {}));
            inWord = false;
        } else {
            word += c;
            inWord = true;
        }
    }
    if (quote)
        return fail(ErrorCode::WrongUsage, fmt::format("a {} in the target's prefix is not closed", quote), "--target");
    if (inWord)
        words.push_back(word);
    return words;
}

Result<std::vector<std::string>> targetCommand(const std::vector<std::string>& prefix)
{
    std::vector<std::string> command = prefix;
    if (prefix.empty() || isEnvironmentOnly(prefix)) {
        auto program = workerExecutable();
        COALESCOPE_TRY(program);
        // Behind a prefix "self" would be the prefix's own program.
        if (!prefix.empty() && *program == kSelf)
            *program = fmt::format("/proc/{}/exe", getpid());
        command.push_back(*program);
    } else {
        const char* remote = std::getenv("COALESCOPE_REMOTE");
        command.emplace_back(remote && *remote ? remote : "coalescope");
    }
    for (const char* word : { "measure", "--job", "-" })
        command.emplace_back(word);
    return command;
}

Result<analysis::RunResult> runJobOnTarget(const std::vector<std::string>& prefix, const std::string& job,
    const std::function<void(const MeasureProgress&)>& progress, std::stop_token stop)
{
    return resultOf(askTarget(prefix, job, progress, stop), prefix);
}

Result<DeviceRow> calibrateOnTarget(const std::string& target,
    const std::function<void(const MeasureProgress&)>& progress, std::stop_token stop)
{
    const auto prefix = wordsOfPrefix(target);
    COALESCOPE_TRY(prefix);
    auto answer = askTarget(*prefix, toJson(Job { .step = JobStep::Calibrate }), progress, stop);
    COALESCOPE_TRY(answer);
    if (!answer->device)
        return std::unexpected(otherAnswer(*prefix));
    return std::move(*answer->device);
}

Result<analysis::RunResult> measureOnTarget(const std::string& target, const LaunchPlan& plan,
    const MeasureOptions& options, const std::function<void(const MeasureProgress&)>& progress,
    std::stop_token stop)
{
    const auto prefix = wordsOfPrefix(target);
    COALESCOPE_TRY(prefix);
    return runJobOnTarget(*prefix, jobJson(plan, options), progress, stop);
}

} // namespace coalescope::kernels
