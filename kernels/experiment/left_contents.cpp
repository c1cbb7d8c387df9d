// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/left_contents.h"

#include "analysis/grid/grid_totals.h"
#include "kernels/catalogue/argument_parts.h"
#include "kernels/catalogue/element_type.h"
#include "kernels/compile/include_check.h"
#include "kernels/experiment/execute_launch.h"
#include "kernels/experiment/module_symbols.h"
#include "kernels/host/contents.h"
#include "kernels/make_cache.h"

#include <fmt/format.h>

#include <cstring>
#include <map>
#include <mutex>
#include <set>

namespace coalescope::kernels {
namespace {

constexpr std::size_t kKeptBytes = 512u << 20;
// Instructions of its warps, together: some eight seconds, and two for real numbers, which lead nothing in most kernels.
constexpr std::uint64_t kMostInstructions = 20'000'000, kMostForReals = 10'000'000;

/// What the buffers of one launch hold when it has run; or why that is not known.
struct Left {
    std::map<std::string, std::shared_ptr<const std::vector<std::uint8_t>>, std::less<>> buffers;
    std::string why;
};

std::size_t bytesOfLeft(const Left& left)
{
    std::size_t bytes = sizeof left + left.why.size();
    for (const auto& [name, content] : left.buffers)
        bytes += name.size() + content->size();
    return bytes;
}

MakeCache<Left>& leftCache()
{
    static MakeCache<Left> cache(kKeptBytes, bytesOfLeft);
    return cache;
}

/// What the host code puts into a buffer; nothing: it is not known.
struct Uploaded {
    std::optional<std::vector<std::uint8_t>> bytes;
    std::vector<std::uint64_t> places = {};
    std::vector<PointedMemory> pointed = {};
    std::string why = {}; ///< see HostContents
};

bool isWhole(const Uploaded& uploaded, const BufferPlan& buffer)
{
    return uploaded.bytes && uploaded.bytes->size() == buffer.count * bytesOf(buffer.type);
}

MakeCache<Uploaded>& uploadedCache()
{
    static MakeCache<Uploaded> cache(kKeptBytes, [](const Uploaded& uploaded) {
        std::size_t bytes = sizeof uploaded + (uploaded.bytes ? uploaded.bytes->size() : 0) + uploaded.places.size() * sizeof(std::uint64_t);
        for (const PointedMemory& pointed : uploaded.pointed)
            bytes += sizeof pointed + (pointed.content ? pointed.content->size() : 0);
        return bytes;
    });
    return cache;
}

/// Which numbers of a program its host code is known to read before it fills a buffer: the others make no other contents.
class NumbersRead {
public:
    /// Whether contents depend on the number, as far as is known.
    [[nodiscard]] bool matters(const std::string& buffer, const std::string& number)
    {
        const std::scoped_lock lock(m_mutex);
        const auto read = m_read.find(buffer);
        return read == m_read.end() || read->second.contains(number);
    }
    void add(const std::string& buffer, const std::set<std::string>& numbers)
    {
        const std::scoped_lock lock(m_mutex);
        m_read[buffer].insert(numbers.begin(), numbers.end());
    }

private:
    std::mutex m_mutex;
    std::map<std::string, std::set<std::string>> m_read;
};

NumbersRead& numbersRead()
{
    static NumbersRead read;
    return read;
}

std::string keyOf(const HostSource& source)
{
    const HostBuffer& buffer = source.buffer;
    std::string key = fmt::format("{}\n{}\n{} {} {} {} {} {} {}", source.program->includeDirectory.string(), source.program->source, buffer.launch, buffer.instance, buffer.kernel, buffer.argument, buffer.isAside, buffer.isWhole, source.isLeft);
    for (const ProgramLaunchPlan& launch : source.launches) { // what they leave depends on what they are compiled with
        key += fmt::format("\n{} {}", launch.launch.launch, launch.plan->entry);
        for (const auto& [name, value] : launch.plan->defines)
            key += fmt::format(" {}={}", name, value);
    }
    return key;
}

std::string withNumbers(const std::string& key, const HostSource& source)
{
    std::string whole = key;
    for (const HostNumber& number : source.numbers)
        if (numbersRead().matters(key, number.name))
            whole += fmt::format("\n{}={}", number.name, number.value);
    return whole;
}

Result<std::shared_ptr<const Uploaded>> uploadedTo(const HostSource& source, std::uint64_t most, const std::stop_token& stop)
{
    const std::string key = keyOf(source);
    HostContents contents;
    const auto made = [&]() -> Result<Uploaded> {
        const auto includes = programIncludesOf(*source.program);
        if (!includes)
            return std::unexpected(includes.error());
        const std::vector<ProgramFile> files = programFiles(*source.program, *includes);
        if (!source.launches.empty())
            contents = hostContents(files, source.numbers, source.buffer, stop, kHostSteps, launchExecutor(source.launches, most, stop).get());
        if (!contents.bytes && !source.isLeft)
            contents = hostContents(files, source.numbers, source.buffer, stop);
        if (stop.stop_requested())
            return fail(ErrorCode::Cancelled, "superseded");
        numbersRead().add(key, contents.numbers);
        return Uploaded { std::move(contents.bytes), std::move(contents.places), std::move(contents.pointed), std::move(contents.why) };
    };
    bool fresh = false;
    auto uploaded = uploadedCache().get(withNumbers(key, source), fresh, made);
    for (auto& [buffer, beside] : contents.beside) { // which is asked for next
        if (!uploaded)
            break;
        bool isNew = false;
        HostSource other = source;
        other.buffer = buffer;
        if (!source.launches.empty())
            other.isLeft = beside.isTaken;
        const std::string otherKey = keyOf(other);
        numbersRead().add(otherKey, contents.numbers);
        [[maybe_unused]] const auto kept = uploadedCache().get(withNumbers(otherKey, other), isNew, [&]() -> Result<Uploaded> { return Uploaded { .bytes = std::move(beside.bytes), .why = std::move(beside.why) }; });
    }
    if (fresh && uploaded) // now that it is known what it depends on
        return uploadedCache().get(withNumbers(key, source), fresh, [&]() -> Result<Uploaded> { return **uploaded; });
    return uploaded;
}

/// Appends what tells a launch from others, and those before it that leave something to it.
void describe(const LaunchPlan& plan, std::string& key, std::set<const LaunchPlan*>& told)
{
    if (!told.insert(&plan).second)
        return;
    key += plan.derived;
    for (const auto& [name, value] : plan.parameters)
        key += fmt::format("\n{}={}", name, value);
    for (const Argument& argument : plan.arguments)
        for (const ArgumentPart& part : partsOf(argument))
            if (part.buffer && part.buffer->left)
                describe(*part.buffer->left->launch, key, told);
}

std::uint64_t mostInstructions(const BufferPlan& buffer) { return infoOf(buffer.type).kind == ElementKind::Float ? kMostForReals : kMostInstructions; }

std::string keyOf(const LaunchPlan& plan, std::uint64_t most)
{
    std::string key = fmt::format("{}\n{}\n{}", most, plan.includeDirectory.string(), plan.source);
    std::set<const LaunchPlan*> told;
    describe(plan, key, told);
    return key;
}

Result<Left> executed(const LaunchPlan& plan, std::uint64_t most, std::stop_token stop)
{
    if (const std::uint64_t bytes = bufferBytes(plan); bytes > kMostBytesExecuted)
        return Left { .buffers = {}, .why = fmt::format("{} MB of buffers are too large to work it out", bytes >> 20) };
    const auto decoded = decodeToLaunch(plan, { .registers = false, .stop = stop });
    if (!decoded)
        return std::unexpected(decoded.error());
    const auto launch = modelledLaunch(plan, *decoded->program, stop);
    if (!launch)
        return std::unexpected(launch.error());
    auto output = analysis::gridOutput(*decoded->program, *launch, { .stop = stop, .mostInstructions = most, .findsRaces = false, .noteWriters = false });
    if (!output)
        return std::unexpected(output.error());
    Left left;
    std::size_t next = 0;
    for (const Argument& argument : plan.arguments)
        for (const ArgumentPart& part : partsOf(argument)) {
            if (part.buffer && part.buffer->isOwn())
                left.buffers[part.buffer->name] = std::make_shared<const std::vector<std::uint8_t>>(std::move(output->buffers.at(next++)));
            else if (part.buffer)
                left.buffers[part.buffer->name] = left.buffers[part.buffer->sameAs];
        }
    return left;
}

/// What failed is kept as well: it would fail again.
Result<std::shared_ptr<const Left>> leftBy(const LaunchPlan& plan, std::uint64_t most, const std::stop_token& stop)
{
    bool fresh = false;
    return leftCache().get(keyOf(plan, most), fresh, [&]() -> Result<Left> {
        auto left = executed(plan, most, stop);
        if (!left && left.error().code != ErrorCode::Cancelled)
            return Left { .buffers = {}, .why = std::string(left.error().sentence()) };
        return left;
    });
}

/// What was found out when somebody asked; null: nobody has, or the host code has nothing to do with it.
std::shared_ptr<const Uploaded> uploadedFor(const BufferPlan& buffer)
{
    return buffer.host ? uploadedCache().find(withNumbers(keyOf(*buffer.host), *buffer.host)) : nullptr;
}

bool isKnownOfHost(const BufferPlan& buffer)
{
    const auto uploaded = uploadedFor(buffer);
    return uploaded && isWhole(*uploaded, buffer);
}

} // namespace

struct BufferContents::LookedUp {
    Result<std::shared_ptr<const Left>> of(const std::shared_ptr<const LaunchPlan>& launch, std::uint64_t most, const std::stop_token& stop)
    {
        const std::scoped_lock lock(mutex);
        std::shared_ptr<const Left>& known = left[{ launch, most }];
        if (known)
            return known;
        auto made = leftBy(*launch, most, stop);
        if (made)
            known = *made;
        return made;
    }

    Result<std::shared_ptr<const Uploaded>> of(const HostSource& source, std::uint64_t most, const std::stop_token& stop)
    {
        const std::scoped_lock lock(mutex);
        std::shared_ptr<const Uploaded>& known = uploaded[{ source.program, source.buffer }];
        if (known)
            return known;
        auto made = uploadedTo(source, most, stop);
        if (made)
            known = *made;
        return made;
    }

    std::mutex mutex;
    std::map<std::pair<std::shared_ptr<const LaunchPlan>, std::uint64_t>, std::shared_ptr<const Left>> left;
    std::map<std::pair<std::shared_ptr<const LaunchPlan>, HostBuffer>, std::shared_ptr<const Uploaded>> uploaded;
};

BufferContents::BufferContents(std::stop_token stop)
    : m_stop(std::move(stop))
    , m_lookedUp(std::make_shared<LookedUp>())
{
}

bool BufferContents::isKnown(const BufferPlan& buffer)
{
    if (buffer.known)
        return true;
    const auto left = buffer.left ? leftCache().find(keyOf(*buffer.left->launch, mostInstructions(buffer))) : nullptr;
    return isKnownOfHost(buffer) || (left && left->buffers.contains(buffer.left->buffer));
}

std::string BufferContents::whyUnknown(const BufferPlan& buffer, std::string_view taken)
{
    const auto uploaded = uploadedFor(buffer);
    if (uploaded && isWhole(*uploaded, buffer))
        return "";
    if (buffer.left) {
        const auto left = leftCache().find(keyOf(*buffer.left->launch, mostInstructions(buffer)));
        const std::string of = fmt::format("what '{}' leaves in '{}' is not known", buffer.left->launch->entry, buffer.name);
        if (left && !left->why.empty())
            return fmt::format("{} ({}): {} is taken", of, left->why, taken);
        if (left && !left->buffers.contains(buffer.left->buffer))
            return fmt::format("{} (it has no buffer '{}'): {} is taken", of, buffer.left->buffer, taken);
        return uploaded && !uploaded->why.empty() ? fmt::format("{} ({}): what it leaves with guessed data, launched once, is taken", of, uploaded->why) : "";
    }
    if (!uploaded)
        return "";
    if (buffer.host->isLeft)
        return fmt::format("what launches before leave in '{}' is not known{}: {} is taken", buffer.name, uploaded->why.empty() ? "" : " (" + uploaded->why + ")", taken);
    return fmt::format("following the host code does not tell what it puts into '{}' with these values: {} is taken", buffer.name, taken);
}

namespace {

/// Of a launch, or those that leave something to it: what was guessed of values that it works with.
const Guess* guessOf(const LaunchPlan& launch, int depth)
{
    if (const auto guess = std::ranges::find_if(launch.guesses, &Guess::leads); guess != launch.guesses.end())
        return &*guess;
    for (const Argument& argument : launch.arguments)
        for (const ArgumentPart& part : partsOf(argument))
            if (part.buffer && part.buffer->left && depth > 0 && !isKnownOfHost(*part.buffer))
                if (const Guess* const guess = guessOf(*part.buffer->left->launch, depth - 1))
                    return guess;
    return nullptr;
}

} // namespace

std::string BufferContents::guessBehind(const BufferPlan& buffer)
{
    constexpr int kDeepest = 8;
    if (!buffer.left || isKnownOfHost(buffer) || !leftCache().find(keyOf(*buffer.left->launch, mostInstructions(buffer))))
        return {};
    const Guess* const guess = guessOf(*buffer.left->launch, kDeepest);
    return guess ? guess->what : "";
}

Result<std::vector<PointedBuffer>> BufferContents::pointedBy(const LaunchPlan& plan) const
{
    std::vector<PointedBuffer> found;
    std::set<std::uint64_t> known;
    const auto add = [&](const BufferPlan& buffer) -> Result<void> {
        const auto uploaded = m_lookedUp->of(*buffer.host, mostInstructions(buffer), m_stop);
        if (!uploaded)
            return std::unexpected(uploaded.error());
        for (const PointedMemory& pointed : (*uploaded)->pointed) {
            if (!known.insert(pointed.address).second)
                continue;
            const ElementType type = elementTypeNamed(pointed.element).value_or(ElementType::U8);
            BufferPlan made { .name = (*uploaded)->pointed.size() == 1 ? "*" + buffer.name : fmt::format("*{} ({})", buffer.name, &pointed - (*uploaded)->pointed.data() + 1), .type = type, .count = pointed.bytes / std::uint64_t(bytesOf(type)) };
            const bool isReal = infoOf(type).kind == ElementKind::Float;
            made.fill = { .kind = isReal ? FillKind::Random : FillKind::Zero, .seed = 1, .file = {} };
            if (pointed.content)
                made.known = std::make_shared<const KnownContent>(*pointed.content, pointed.places);
            found.push_back({ std::move(made), pointed.address, pointed.argument, pointed.isUnknown });
        }
        return {};
    };
    std::vector<const BufferPlan*> holders;
    for (const Argument& argument : plan.arguments)
        for (const ArgumentPart& part : partsOf(argument))
            holders.push_back(part.buffer);
    for (const BufferPlan& variable : plan.variables)
        holders.push_back(&variable);
    for (const BufferPlan* const buffer : holders)
        if (buffer && buffer->holdsAddresses && buffer->host)
            if (auto added = add(*buffer); !added)
                return std::unexpected(added.error());
    return found;
}

void BufferContents::place(std::map<std::uint64_t, std::uint64_t> addresses) { m_addresses = std::move(addresses); }

/// `first`: of a buffer's bytes, where `out` begins.
void BufferContents::putAddresses(const std::vector<std::uint64_t>& places, std::uint64_t first, std::span<std::uint8_t> out) const
{
    for (auto place = std::ranges::lower_bound(places, first); place != places.end() && *place + sizeof(std::uint64_t) <= first + out.size(); ++place) {
        std::uint64_t address = 0;
        std::memcpy(&address, out.data() + (*place - first), sizeof address);
        const auto behind = m_addresses.upper_bound(address);
        if (behind == m_addresses.begin())
            continue;
        const auto& [from, to] = *std::prev(behind);
        address += to - from;
        std::memcpy(out.data() + (*place - first), &address, sizeof address);
    }
}

Result<void> BufferContents::bytes(const BufferPlan& buffer, std::uint64_t first, std::span<std::uint8_t> out) const
{
    if (buffer.known && first + out.size() <= buffer.known->bytes.size()) {
        std::memcpy(out.data(), buffer.known->bytes.data() + first, out.size());
        putAddresses(buffer.known->places, first, out);
        return {};
    }
    if (buffer.host) {
        const auto uploaded = m_lookedUp->of(*buffer.host, mostInstructions(buffer), m_stop);
        if (!uploaded)
            return std::unexpected(uploaded.error());
        if (isWhole(**uploaded, buffer) && first + out.size() <= (*uploaded)->bytes->size()) {
            std::memcpy(out.data(), (*uploaded)->bytes->data() + first, out.size());
            putAddresses((*uploaded)->places, first, out);
            return {};
        }
    }
    std::size_t known = 0;
    if (buffer.left) {
        const auto left = m_lookedUp->of(buffer.left->launch, mostInstructions(buffer), m_stop);
        if (!left)
            return std::unexpected(left.error());
        const auto found = (*left)->buffers.find(buffer.left->buffer);
        if (found != (*left)->buffers.end() && first < found->second->size()) {
            known = std::min<std::size_t>(out.size(), found->second->size() - first);
            std::memcpy(out.data(), found->second->data() + first, known);
        }
    }
    return fillBytes(buffer, first + known, out.subspan(known));
}

} // namespace coalescope::kernels
