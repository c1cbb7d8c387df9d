// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/decode.h"

#include "analysis/device/device_model.h"
#include "analysis/program/join_shared.h"
#include "analysis/ptx/parse.h"
#include "kernels/stopwatch.h"

#include <list>
#include <mutex>

namespace coalescope::kernels {

namespace {

using ProgramPointer = std::shared_ptr<const analysis::Program>;

/// The last programs decoded, most recent first. A session uses a handful; the rest are dropped.
class ProgramCache {
public:
    ProgramPointer find(const std::string& key)
    {
        const std::scoped_lock lock(m_mutex);
        for (auto it = m_entries.begin(); it != m_entries.end(); ++it) {
            if (it->first == key) {
                m_entries.splice(m_entries.begin(), m_entries, it);
                return it->second;
            }
        }
        return nullptr;
    }

    void insert(std::string key, ProgramPointer program)
    {
        const std::scoped_lock lock(m_mutex);
        m_entries.emplace_front(std::move(key), std::move(program));
        if (m_entries.size() > kCapacity)
            m_entries.pop_back();
    }

private:
    static constexpr std::size_t kCapacity = 256;
    std::mutex m_mutex;
    std::list<std::pair<std::string, ProgramPointer>> m_entries;
};

ProgramCache& programCache()
{
    static ProgramCache cache;
    return cache;
}

} // namespace

Result<DecodedPlan> decode(const LaunchPlan& plan, const PredictOptions& options)
{
    CompileOptions compileOptions { .compiler = options.compiler };
    const auto device = analysis::deviceNamed(options.device);
    if (!device)
        return std::unexpected(device.error());
    compileOptions.computeMajor = (*device)->computeMajor;
    compileOptions.computeMinor = (*device)->computeMinor;
    auto compiled = compileToPtx(plan, compileOptions);
    if (!compiled)
        return std::unexpected(compiled.error());

    DecodedPlan decoded { .compiler = compiled->compiler, .compileMs = compiled->milliseconds };
    const std::string key = compiled->entry + '\n' + compiled->ptx;
    decoded.program = programCache().find(key);
    if (!decoded.program) {
        const Stopwatch watch;
        auto program = analysis::parsePtx(compiled->ptx, compiled->entry);
        if (!program)
            return std::unexpected(program.error());
        analysis::joinSharedAccesses(*program); // as ptxas will
        decoded.program = std::make_shared<const analysis::Program>(*std::move(program));
        decoded.decodeMs = watch.milliseconds();
        programCache().insert(key, decoded.program);
    }
    return decoded;
}

} // namespace coalescope::kernels
