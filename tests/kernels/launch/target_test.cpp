// SPDX-License-Identifier: Apache-2.0
#include "kernels/launch/target.h"

#include "kernels/compile/compiler.h"
#include "kernels/compile/run_child.h"
#include "kernels/launch/child_process.h"
#include "kernels/launch/job.h"
#include "test_plans.h"
#include "tests/environment.h"

#include <gtest/gtest.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace coalescope::kernels {
namespace {

    namespace fs = std::filesystem;

    /// A folder of its own, with programs made of one line of shell.
    class TargetFolder {
    public:
        fs::path write(const std::string& name, const std::string& text, mode_t mode = 0600) const
        {
            const fs::path file = path() / name;
            std::ofstream(file) << text;
            chmod(file.c_str(), mode);
            return file;
        }
        std::string script(const std::string& name, const std::string& body) const
        {
            return write(name, "#!/bin/sh\n" + body + "\n", 0700).string();
        }
        const fs::path& path() const { return m_folder.path(); }

    private:
        TemporaryDirectory m_folder;
    };

    std::string testProgram() { return fs::read_symlink("/proc/self/exe").string(); }

    Result<analysis::RunResult> runOn(const std::vector<std::string>& prefix)
    {
        return runJobOnTarget(prefix, jobJson(copyPlan(), { .counters = false, .lines = false }));
    }

} // namespace

TEST(TargetPrefix, wordsAreSplitLikeAShellDoes)
{
    const auto words = wordsOfPrefix(R"(ssh -i "my key" 'gpu 01'  -o\ x "a\"b")");
    ASSERT_TRUE(words);
    EXPECT_EQ(*words, (std::vector<std::string> { "ssh", "-i", "my key", "gpu 01", "-o x", "a\"b" }));
    EXPECT_TRUE(wordsOfPrefix("")->empty());
    EXPECT_EQ(wordsOfPrefix("''")->size(), 1u);
    const auto open = wordsOfPrefix("ssh 'gpu01");
    ASSERT_FALSE(open);
    EXPECT_EQ(open.error().code, ErrorCode::WrongUsage);
}

TEST(TargetPrefix, commandEndsWithTheJob)
{
    EXPECT_EQ(*targetCommand({ "ssh", "gpu01" }),
        (std::vector<std::string> { "ssh", "gpu01", "coalescope", "measure", "--job", "-" }));
    const Environment remote("COALESCOPE_REMOTE", "/opt/coalescope");
    EXPECT_EQ((*targetCommand({ "ssh" }))[1], "/opt/coalescope");
}

TEST(TargetPrefix, anEnvironmentAloneStaysOnThisMachine)
{
    const Environment remote("COALESCOPE_REMOTE", "/opt/coalescope");
    const std::string self = fmt::format("/proc/{}/exe", getpid()); // behind env, "self" would be env
    EXPECT_EQ(*targetCommand({ "env", "CUDA_VISIBLE_DEVICES=1" }),
        (std::vector<std::string> { "env", "CUDA_VISIBLE_DEVICES=1", self, "measure", "--job", "-" }));
    EXPECT_EQ((*targetCommand({ "env", "A=1", "ssh", "gpu01" }))[4], "/opt/coalescope");
    EXPECT_EQ((*targetCommand({ "env", "-i", "A=1" }))[3], "/opt/coalescope");
}

TEST(TargetPrefix, anotherJobMayWaitWhereNoQueueGivesOutTheGpu)
{
    const auto mayHold = [](const char* prefix) { return mayHoldBehind(*wordsOfPrefix(prefix)); };
    for (const char* prefix : { "", "env CUDA_VISIBLE_DEVICES=1", "ssh gpu01", "/usr/bin/ssh -p 22 gpu01",
             "ssh gpu01 env CUDA_VISIBLE_DEVICES=1", "docker exec -i box", "podman exec -i box" })
        EXPECT_TRUE(mayHold(prefix)) << prefix;
    for (const char* prefix : { "srun --gres=gpu:1", "srun --exact -n1 --gres=gpu:1", "ssh login srun --gres=gpu:1",
             "ssh login 'srun -n1'", "ssh login salloc", "./on-a-gpu", "sh run.sh", "env -i A=1" })
        EXPECT_FALSE(mayHold(prefix)) << prefix;
    const Environment remote("COALESCOPE_REMOTE", "srun coalescope");
    EXPECT_FALSE(mayHold("ssh login"));
}

TEST(TargetJob, aHeldOneWaitsBehindAPrefix)
{
    if (!compileToCubin(copyPlan(), {}))
        GTEST_SKIP() << "NVRTC is missing: no cubin can be made";
    auto job = TargetJob::start("env COALESCOPE_FAKE_GPU=good", copyPlan(), { .counters = false, .lines = false },
        TargetJob::Start::Held);
    ASSERT_TRUE(job) << job.error().detail;
    job->go();
    const auto result = job->result();
    ASSERT_TRUE(result) << result.error().detail;
    EXPECT_EQ(result->verified, true);
}

TEST(Target, missingPrefixProgramIsTold)
{
    const auto result = runOn({ "no-such-program-anywhere" });
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::TargetFailed);
    EXPECT_NE(result.error().detail.find("no-such-program-anywhere"), std::string::npos);
}

TEST(Target, missingCoalescopeIsToldWithTheLastLine)
{
    const TargetFolder folder;
    const auto result = runOn({ folder.script("t", "exec sh -c 'no_such_coalescope'") });
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::TargetFailed);
    EXPECT_NE(result.error().detail.find("exit status 127"), std::string::npos) << result.error().detail;
    EXPECT_NE(result.error().detail.find("no_such_coalescope"), std::string::npos) << result.error().detail;
    EXPECT_NE(result.error().detail.find("COALESCOPE_REMOTE"), std::string::npos);
}

TEST(Target, oneThatDiesMidwayIsTold)
{
    const TargetFolder folder;
    const auto result = runOn({ folder.script("t",
        "echo '{\"progress\":{\"stage\":\"time\",\"fraction\":0.5}}'; echo 'connection lost' >&2; kill -9 $$") });
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::TargetFailed);
    EXPECT_NE(result.error().detail.find("signal SIGKILL"), std::string::npos) << result.error().detail;
    EXPECT_NE(result.error().detail.find("connection lost"), std::string::npos) << result.error().detail;
}

TEST(Target, garbageIsTold)
{
    const TargetFolder folder;
    const auto little = runOn({ folder.script("t", "echo 'Password:'") });
    ASSERT_FALSE(little);
    EXPECT_EQ(little.error().code, ErrorCode::TargetFailed);
    EXPECT_NE(little.error().detail.find("Password:"), std::string::npos) << little.error().detail;
    const auto much = runOn({ folder.script("u", "yes garbage") });
    ASSERT_FALSE(much);
    EXPECT_EQ(much.error().code, ErrorCode::TargetFailed);
    EXPECT_NE(much.error().detail.find("something else"), std::string::npos) << much.error().detail;
}

TEST(Target, greetingBeforeTheAnswerIsPassedOver)
{
    const TargetFolder folder;
    const auto result = runOn({ folder.script("t",
        "echo 'Welcome to gpu01'; echo '{\"error\":{\"code\":\"NoDevice\",\"detail\":\"none\",\"where\":\"\"}}'; exit 4") });
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::NoDevice);
    EXPECT_EQ(result.error().detail, "none");
}

TEST(Target, stopEndsIt)
{
    const TargetFolder folder;
    std::stop_source stop;
    std::jthread later([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        stop.request_stop();
    });
    const auto result
        = runJobOnTarget({ folder.script("t", "exec sleep 600") }, "{}", {}, stop.get_token());
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Cancelled);
}

TEST(Target, servedJobEndsWhenNobodyReadsItsAnswer)
{
    if (!compileToCubin(copyPlan(), {}))
        GTEST_SKIP() << "NVRTC is missing: no cubin can be made";
    const Environment gpu("COALESCOPE_FAKE_GPU", "endless");
    const TargetFolder folder;
    const fs::path answer = folder.path() / "status";
    // The reader takes one line and goes; the job's own limit is far away.
    const std::string script = folder.script("t",
        fmt::format("({{ \"{}\" measure --job - < \"$1\"; echo $? > \"{}\"; }} | head -1) > /dev/null", testProgram(),
            answer.string()));
    const auto job = folder.write("job", jobJson(copyPlan(), { .kernelTimeLimitSeconds = 600 }));
    auto child = ChildProcess::start({ script, job.string() }, ChildProcess::ErrorOutput::Keep);
    ASSERT_TRUE(child);
    while ((*child)->poll(1000)) { }
    EXPECT_EQ((*child)->finish(20000).signal, 0);
    for (int i = 0; i < 100 && !fs::exists(answer); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    int status = 0;
    std::ifstream(answer) >> status;
    EXPECT_EQ(status, 5) << "cancelled";
}

namespace {

    /// An sshd of the test's own on a free port of the loopback interface.
    class LoopbackSshd {
    public:
        LoopbackSshd()
        {
            m_problem = start();
        }
        const std::string& problem() const { return m_problem; }
        std::vector<std::string> prefix() const
        {
            return { "ssh", "-F", "none", "-p", std::to_string(m_port), "-i", (m_folder.path() / "user").string(), "-o",
                "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR", "-o",
                "BatchMode=yes", "127.0.0.1" };
        }

    private:
        static bool done(const std::vector<std::string>& words)
        {
            auto child = ChildProcess::start(words, ChildProcess::ErrorOutput::Keep);
            if (!child)
                return false;
            (*child)->closeInput();
            while ((*child)->poll(1000)) { }
            return (*child)->finish(10000).status == 0;
        }

        static int freePort()
        {
            const int end = socket(AF_INET, SOCK_STREAM, 0);
            sockaddr_in address {};
            address.sin_family = AF_INET;
            address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
            socklen_t size = sizeof address;
            bind(end, reinterpret_cast<sockaddr*>(&address), size);
            getsockname(end, reinterpret_cast<sockaddr*>(&address), &size);
            close(end);
            return ntohs(address.sin_port);
        }

        std::string start()
        {
            const char* program = "/usr/sbin/sshd";
            if (access(program, X_OK) != 0)
                return "sshd is not installed";
            for (const char* key : { "host", "user" })
                if (!done({ "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", (m_folder.path() / key).string() }))
                    return "ssh-keygen made no key";
            fs::copy(m_folder.path() / "user.pub", m_folder.path() / "authorized");
            m_port = freePort();
            const std::string folder = m_folder.path().string();
            const auto config = m_folder.write("config",
                fmt::format("ListenAddress 127.0.0.1\nPort {}\nHostKey {}/host\nAuthorizedKeysFile {}/authorized\n"
                            "PidFile none\nStrictModes no\nUsePAM no\nPasswordAuthentication no\n"
                            "PermitRootLogin yes\nPermitUserEnvironment no\nAcceptEnv COALESCOPE_*\n",
                    m_port, folder, folder));
            // sshd, run as root, insists on this folder; it is part of the installed package's set-up.
            std::error_code ignored;
            if (geteuid() == 0)
                fs::create_directories("/run/sshd", ignored);
            auto server = ChildProcess::start({ program, "-D", "-e", "-f", config.string() }, ChildProcess::ErrorOutput::Keep);
            if (!server)
                return server.error().detail;
            m_server = std::move(*server);
            for (int i = 0; i < 100; ++i) {
                (void)m_server->poll(20);
                if (m_server->errorText().find("listening") != std::string::npos)
                    return {};
                if (m_server->outputEnded())
                    break;
            }
            return "sshd did not start: " + lastLine(m_server->errorText());
        }

        TargetFolder m_folder;
        int m_port = 0;
        std::unique_ptr<ChildProcess> m_server;
        std::string m_problem;
    };

    /// The command that the other side runs: this program on a fake GPU.
    std::string remoteProgram(const char* gpu)
    {
        return fmt::format("env COALESCOPE_FAKE_GPU={} COALESCOPE_WORKER=/proc/self/exe {}", gpu, testProgram());
    }

} // namespace

TEST(TargetBehindSsh, measuresAndReportsErrors)
{
    const LoopbackSshd sshd;
    if (!sshd.problem().empty())
        GTEST_SKIP() << sshd.problem();
    {
        const Environment remote("COALESCOPE_REMOTE", remoteProgram("no-device").c_str());
        const auto result = runOn(sshd.prefix());
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().code, ErrorCode::NoDevice) << result.error().detail;
        EXPECT_NE(result.error().where.find("ssh"), std::string::npos) << "says where";
    }
    {
        const Environment remote("COALESCOPE_REMOTE", "/nowhere/coalescope");
        const auto result = runOn(sshd.prefix());
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().code, ErrorCode::TargetFailed);
        EXPECT_NE(result.error().detail.find("/nowhere/coalescope"), std::string::npos) << result.error().detail;
    }
    if (!compileToCubin(copyPlan(), {}))
        GTEST_SKIP() << "NVRTC is missing: no cubin can be made";
    const Environment remote("COALESCOPE_REMOTE", remoteProgram("good").c_str());
    std::vector<std::string> stages;
    const auto result = runJobOnTarget(sshd.prefix(), jobJson(copyPlan(), { .counters = false, .lines = false }),
        [&](const MeasureProgress& progress) { stages.push_back(progress.stage); });
    ASSERT_TRUE(result) << result.error().detail;
    EXPECT_EQ(result->verified, true);
    EXPECT_EQ(result->gpu, "NVIDIA H200");
    EXPECT_FALSE(stages.empty());

    auto held = TargetJob::start(fmt::format("{}", fmt::join(sshd.prefix(), " ")), copyPlan(),
        { .counters = false, .lines = false }, TargetJob::Start::Held);
    ASSERT_TRUE(held) << held.error().detail;
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    held->go();
    const auto later = held->result();
    ASSERT_TRUE(later) << later.error().detail;
    EXPECT_EQ(later->verified, true);
}

TEST(TargetBehindSsh, refusedConnectionIsTold)
{
    if (access("/usr/bin/ssh", X_OK) != 0)
        GTEST_SKIP() << "ssh is not installed";
    const auto result = runOn({ "ssh", "-F", "none", "-o", "BatchMode=yes", "-p", "1", "127.0.0.1" });
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::TargetFailed);
    EXPECT_NE(result.error().detail.find("refused"), std::string::npos) << result.error().detail;
}

} // namespace coalescope::kernels
