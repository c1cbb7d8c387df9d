// SPDX-License-Identifier: Apache-2.0
#include "analysis/program/launch_hints.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace coalescope::analysis {
namespace {

constexpr std::uint32_t kMostThreads = 1024;

SpecialRegister axisOf(SpecialRegister first, int axis) { return SpecialRegister(int(first) + axis); }

/// 18 rows of 18 hold a block of 16 with its border; blocks are of whole warps, or of eights.
std::uint32_t withoutBorder(std::int64_t extent)
{
    const auto most = std::uint32_t(std::clamp<std::int64_t>(extent, 0, kMostThreads));
    return most < 8 ? most : most < 64 ? most / 8 * 8 : most / 32 * 32;
}

class HintReader {
public:
    HintReader(const Program& program, const std::function<std::string(std::uint32_t)>& name)
        : m_program(program)
        , m_name(name)
        , m_forms(program)
    {
    }

    LaunchHints read()
    {
        m_hints.threads = m_program.maxThreads;
        for (const Instruction& ins : m_program.instructions)
            for (const Operand& operand : ins.src)
                if (operand.kind == OperandKind::Special && operand.index <= std::uint32_t(SpecialRegister::NctaidZ))
                    note(SpecialRegister(operand.index));
        for (const Instruction& ins : m_program.instructions) {
            if (ins.op == Opcode::Ld && ins.mod.space == Space::Param && ins.src[0].kind == OperandKind::Immediate)
                for (std::uint32_t i = 0; i < ins.vector; ++i)
                    m_hints.read.insert(std::uint32_t(std::int64_t(ins.src[0].bits) + ins.offset) + i * std::uint32_t(bytesOf(ins.type)));
            if (ins.op == Opcode::Setp && !isFloat(ins.type))
                readComparison(ins);
            if (ins.op == Opcode::Min && !isFloat(ins.type))
                readShorter(m_forms.of(ins.src[0]), m_forms.of(ins.src[1]));
            if (ins.op == Opcode::Ld || ins.op == Opcode::St || isAtomic(ins) || ins.op == Opcode::CpAsync)
                readAddress(ins);
        }
        for (const Form& address : m_addresses)
            readRows(address);
        for (const auto& [axis, threads] : m_room)
            if (!m_isPlaced[std::size_t(axis)]) // else what some of a block's threads do says nothing of them all
                suggestThreads(axis, threads);
        for (const auto& [form, begins] : m_compared)
            if (begins == std::set<std::int64_t> { 0 })
                readShare(form);
            else
                readParts(form, begins);
        for (const auto& [form, begins] : m_stores) {
            readUnrolled(form, begins);
            readBorder(form, begins);
        }
        for (const Form& address : m_addresses)
            readUnbounded(address);
        for (int axis = 0; axis < 3; ++axis) {
            LaunchHints::Axis& found = m_hints.axes[std::size_t(axis)];
            if (m_program.requiredBlock[0] > 0)
                found.threads = m_program.requiredBlock[std::size_t(axis)];
        }
        return std::move(m_hints);
    }

private:
    void note(SpecialRegister name)
    {
        for (int axis = 0; axis < 3; ++axis) {
            LaunchHints::Axis& found = m_hints.axes[std::size_t(axis)];
            found.hasThreads |= name == axisOf(SpecialRegister::TidX, axis) || name == axisOf(SpecialRegister::NtidX, axis);
            found.hasBlocks |= name == axisOf(SpecialRegister::CtaidX, axis) || name == axisOf(SpecialRegister::NctaidX, axis);
        }
    }

    /// Where threads lie along one axis, fewer than a warp are some that do what the others do not.
    void suggestThreads(int axis, std::int64_t threads)
    {
        std::uint32_t& known = m_hints.axes[std::size_t(axis)].threads;
        const bool isFlat = !m_hints.axes[1].hasThreads && !m_hints.axes[2].hasThreads;
        const std::uint32_t own = withoutBorder(threads), least = isFlat ? std::uint32_t(kWarpLanes) : 2;
        if (own >= least && (known == 0 || own < known))
            known = own;
    }

    [[nodiscard]] std::int64_t coefficient(const Form& form, std::initializer_list<SpecialRegister> names) const
    {
        std::vector<std::uint16_t> product;
        for (const SpecialRegister name : names) {
            const auto number = m_forms.special(name);
            if (!number)
                return 0;
            product.push_back(*number);
        }
        std::ranges::sort(product);
        const auto found = form.find(product);
        return found == form.end() ? 0 : found->second;
    }

    /// The form with what loops begin with instead of what they count.
    [[nodiscard]] Form atFirstTurn(Form form)
    {
        for (int depth = 0; depth < 3; ++depth) {
            Form begun;
            for (const auto& [product, factor] : form) {
                const bool isLoop = product.size() == 1 && m_forms.atom(product[0]).kind == Atom::Kind::Loop;
                if (isLoop)
                    readLoop(m_forms.atom(product[0]));
                begun = isLoop ? sum(std::move(begun), m_forms.atom(product[0]).of, factor) : sum(std::move(begun), { { product, factor } });
            }
            form = std::move(begun);
        }
        return form;
    }

    /// `for (i = tid.x; ...; i += 128)`: 128 threads.
    void readLoop(const Atom& loop)
    {
        const std::optional<std::int64_t> step = constantOf(loop.step);
        if (!step || *step <= 0)
            return;
        if (loop.of.size() == 1 && loop.of.begin()->first.size() == 1 && loop.of.begin()->second == 1) // `i = tid.x / 4`, i += 8
            if (const Atom& part = m_forms.atom(loop.of.begin()->first[0]); part.kind == Atom::Kind::Quotient && coefficient(part.of, { SpecialRegister::TidX }) == 1)
                suggestThreads(0, *step * part.divisor);
        const std::int64_t x = coefficient(loop.of, { SpecialRegister::TidX }), y = coefficient(loop.of, { SpecialRegister::TidY });
        if (std::ranges::any_of(loop.of, [&](const auto& term) { return hasBlocksPlace(term.first); })) // its step is within what the block has of a row, not from thread to thread
            return;
        if (x > 0 && y == 0 && *step % x == 0)
            suggestThreads(0, *step / x);
        else if (y > 0 && x == 0 && *step % y == 0)
            suggestThreads(1, *step / y);
    }

    /// The share of the block in `blockIdx.x * 64 + threadIdx.x`, and in `(blockIdx.y * 8 + threadIdx.y) * width`.
    void readPlaces(const Form& form)
    {
        for (int axis = 0; axis < 3; ++axis) {
            const auto threads = m_forms.special(axisOf(SpecialRegister::TidX, axis)), blocks = m_forms.special(axisOf(SpecialRegister::CtaidX, axis));
            for (const auto& [product, thread] : form) {
                const auto own = threads && blocks ? std::ranges::find(product, *threads) : product.end();
                if (own == product.end())
                    continue;
                std::vector<std::uint16_t> ofBlock = product;
                ofBlock[std::size_t(own - product.begin())] = *blocks;
                std::ranges::sort(ofBlock);
                const auto found = form.find(ofBlock);
                const std::int64_t block = found == form.end() ? 0 : found->second;
                if (thread <= 0 || block <= 0 || block % thread != 0 || block / thread > kMostThreads)
                    continue;
                suggestThreads(axis, block / thread);
                m_isPlaced[std::size_t(axis)] = true;
                m_apart[std::size_t(axis)] = block / thread;
            }
        }
    }

    void readComparison(const Instruction& ins)
    {
        const auto place = std::uint32_t(&ins - m_program.instructions.data());
        const Form left = m_forms.of(ins.src[0], place), right = m_forms.of(ins.src[1], place);
        noteBounds(left);
        noteBounds(right);
        const bool isOrder = ins.mod.compare != Compare::Eq && ins.mod.compare != Compare::Ne;
        if (!isOrder)
            return;
        note(m_compared, left);
        note(m_compared, right);
        readLimit(atFirstTurn(left), right, ins.mod.compare);
        readLimit(atFirstTurn(right), left, ins.mod.compare);
    }

    /// `min(512, n - blockIdx.x * 512)`: the last block's part is shorter.
    void readShorter(const Form& one, const Form& other)
    {
        const Form difference = sum(one, other, -1);
        for (const std::int64_t sign : { 1, -1 }) {
            Form index, limit;
            for (const auto& [product, factor] : difference) {
                const bool isOfBlock = hasBlocksPlace(product);
                if (!product.empty())
                    (isOfBlock ? index : limit).emplace(product, isOfBlock ? sign * factor : -sign * factor);
            }
            readLimit(index, limit, Compare::Lt);
        }
    }

    void noteBounds(const Form& form)
    {
        for (const auto& [product, factor] : form)
            for (const std::uint16_t number : product)
                if (m_forms.atom(number).kind == Atom::Kind::Parameter)
                    m_hints.bounding.insert(m_forms.atom(number).index);
    }

    static bool isAtBorder(Compare compare) { return compare == Compare::Gt || compare == Compare::Le || compare == Compare::Hi || compare == Compare::Ls; }

    /// `row = i / width; if (row < height)`: i is less than height * width.
    void readRatio(const Form& index, const Form& limit, Compare compare)
    {
        const Atom* const ratio = index.size() == 1 && index.begin()->first.size() == 1 && index.begin()->second == 1 ? &m_forms.atom(index.begin()->first[0]) : nullptr;
        if (!ratio || ratio->kind != Atom::Kind::Ratio)
            return;
        const Form of = ratio->of, divisor = ratio->step;
        readLimit(of, product(isAtBorder(compare) ? sum(limit, { { {}, 1 } }) : limit, divisor), Compare::Lt);
    }

    void readLimit(const Form& index, const Form& limit, Compare compare)
    {
        readRatio(index, limit, compare);
        readPlaces(index);
        for (int axis = 0; axis < 3; ++axis) {
            LaunchHints::Axis& found = m_hints.axes[std::size_t(axis)];
            if (!found.limit.empty())
                continue;
            std::int64_t perBlock = coefficient(index, { axisOf(SpecialRegister::CtaidX, axis) });
            int along = -1;
            for (int other = 0; other < 3; ++other)
                if (const std::int64_t own = coefficient(index, { axisOf(SpecialRegister::CtaidX, axis), axisOf(SpecialRegister::NtidX, other) }); own > 0) {
                    perBlock = own;
                    along = other;
                }
            // `group_index().x * block.size() + block.thread_rank()`: a block has as many threads as all its axes have together.
            if (const std::int64_t own = coefficient(index, { axisOf(SpecialRegister::CtaidX, axis), SpecialRegister::NtidX, SpecialRegister::NtidY, SpecialRegister::NtidZ }); own > 0) {
                perBlock = own;
                along = 0;
            }
            std::uint32_t each = 1;
            if (perBlock <= 0)
                std::tie(perBlock, along, each) = sharedPlace(index, axis);
            std::string stride; // `(blockIdx.x * blockDim.x + threadIdx.x) * stride`
            for (const auto& [product, factor] : index)
                if (perBlock <= 0 && factor > 0)
                    if (const auto [name, threads] = strideIn(product, axis); !name.empty()) {
                        perBlock = factor;
                        along = threads;
                        stride = name;
                    }
            if (perBlock <= 0)
                continue;
            // `i >= n - 1` leaves the border out; `i > n - 1` does not.
            const std::string text = textOf(isAtBorder(compare) ? sum(limit, { { {}, 1 } }) : limit);
            if (text.empty())
                continue;
            found.limit = stride.empty() ? text : "(" + text + " + " + stride + " - 1) / " + stride;
            found.perBlock = std::uint64_t(perBlock);
            found.threadsAlong = along;
            found.threadsEach = each;
        }
    }

    /// Of `(blockIdx.x * blockDim.x + threadIdx.x) / 32`, and `blockIdx.x * (blockDim.x / 16) + threadIdx.x / 16`: how much of it is a block's, for
    /// how many threads along which axis; 0: it is none of these.
    [[nodiscard]] std::tuple<std::int64_t, int, std::uint32_t> sharedPlace(const Form& index, int axis) const
    {
        const auto block = m_forms.special(axisOf(SpecialRegister::CtaidX, axis));
        for (const auto& [product, factor] : index) {
            if (factor <= 0 || !block)
                continue;
            for (const std::uint16_t number : product) {
                const Atom& atom = m_forms.atom(number);
                for (int other = 0; other < 3 && atom.kind == Atom::Kind::Quotient; ++other) {
                    const bool isOfBlock = product.size() == 1 && coefficient(atom.of, { axisOf(SpecialRegister::CtaidX, axis), axisOf(SpecialRegister::NtidX, other) }) == 1;
                    const bool isBeside = product.size() == 2 && std::ranges::find(product, *block) != product.end() && coefficient(atom.of, { axisOf(SpecialRegister::NtidX, other) }) == 1;
                    if (isOfBlock || isBeside)
                        return { factor, other, std::uint32_t(atom.divisor) };
                }
            }
        }
        return { 0, -1, 1 };
    }

    /// Of the block's place along the axis, times the block's threads along the one returned, times a parameter: its name.
    [[nodiscard]] std::pair<std::string, int> strideIn(const std::vector<std::uint16_t>& product, int axis) const
    {
        const auto block = m_forms.special(axisOf(SpecialRegister::CtaidX, axis));
        for (int other = 0; other < 3 && block && product.size() == 3; ++other) {
            const auto threads = m_forms.special(axisOf(SpecialRegister::NtidX, other));
            if (!threads || std::ranges::find(product, *block) == product.end() || std::ranges::find(product, *threads) == product.end())
                continue;
            const auto rest = std::ranges::find_if(product, [&](std::uint16_t number) { return number != *block && number != *threads; });
            if (rest != product.end() && m_forms.atom(*rest).kind == Atom::Kind::Parameter)
                return { m_name(m_forms.atom(*rest).index), other };
        }
        return {};
    }

    /// Of an axis that nothing is compared with: `a[(by * 128 + row) * n + bx * 128 + column]` has as many blocks along x as 128 go into
    /// n, and 128 rows each along y.
    void readRows(const Form& address)
    {
        for (int axis = 0; axis < 3; ++axis) {
            const auto block = m_forms.special(axisOf(SpecialRegister::CtaidX, axis));
            LaunchHints::Axis& found = m_hints.axes[std::size_t(axis)];
            if (!block || !found.limit.empty())
                continue;
            for (const auto& [product, factor] : address) {
                if (factor <= 0 || std::ranges::find(product, *block) == product.end())
                    continue;
                std::vector<std::uint16_t> rest = product;
                rest.erase(std::ranges::find(rest, *block));
                if (rest.empty())
                    readRow(address, factor, found);
                else if (rest.size() == 1 && m_forms.atom(rest[0]).kind == Atom::Kind::Parameter) {
                    found.perBlock = std::max(found.perBlock, rowsOf(address, *block, rest[0], factor));
                    readPlane(address, rest[0], factor, found);
                }
            }
        }
    }

    /// Whether one of the factors is the block's place along an axis.
    [[nodiscard]] bool hasBlocksPlace(const std::vector<std::uint16_t>& product) const
    {
        return std::ranges::any_of(product, [&](std::uint16_t number) {
            const Atom& atom = m_forms.atom(number);
            return atom.kind == Atom::Kind::Special && atom.index >= std::uint32_t(SpecialRegister::CtaidX) && atom.index <= std::uint32_t(SpecialRegister::CtaidZ);
        });
    }

    /// `a[(z * ny + y) * nx + x]` with a block for each y: as many as ny.
    void readPlane(const Form& address, std::uint16_t row, std::int64_t ofBlock, LaunchHints::Axis& found) const
    {
        for (const auto& [product, factor] : address) {
            if (product.size() != 3 || factor != ofBlock || std::ranges::count(product, row) != 1 || !found.limit.empty())
                continue;
            const auto isOther = [&](std::uint16_t number) { return number != row && m_forms.atom(number).kind == Atom::Kind::Parameter; };
            if (const auto other = std::ranges::find_if(product, isOther); other != product.end())
                found.limit = m_name(m_forms.atom(*other).index);
        }
    }

    /// The row that a block has so many bytes of: of a parameter's length, or the shortest that is longer than what the block has of it.
    void readRow(const Form& address, std::int64_t ofBlock, LaunchHints::Axis& found) const
    {
        std::int64_t shortest = 0, element = ofBlock;
        for (const auto& [product, factor] : address) {
            if (factor <= 0 || hasBlocksPlace(product))
                continue;
            const auto parameter = std::ranges::find_if(product, [&](std::uint16_t number) { return m_forms.atom(number).kind == Atom::Kind::Parameter; });
            const std::string name = product.size() == 2 && parameter != product.end() ? m_name(m_forms.atom(*parameter).index) : "";
            if (!name.empty() && ofBlock % factor == 0 && (found.limit.empty() || (name == found.limit && factor < element))) {
                found.limit = name;
                element = factor;
            }
            if (product.size() == 1 && factor > ofBlock && parameter == product.end() && factor % ofBlock == 0 && (shortest == 0 || factor < shortest))
                shortest = factor;
        }
        if (!found.limit.empty())
            found.perBlock = std::uint64_t(ofBlock / element);
        else if (shortest > 0)
            found.limit = std::to_string(shortest / ofBlock);
    }

    [[nodiscard]] std::uint64_t rowsOf(const Form& address, std::uint16_t block, std::uint16_t parameter, std::int64_t ofBlock) const
    {
        std::int64_t least = ofBlock;
        for (const auto& [product, factor] : address)
            if (product.size() == 2 && factor > 0 && std::ranges::find(product, block) == product.end() && std::ranges::find(product, parameter) != product.end())
                least = std::min(least, factor);
        return std::uint64_t(ofBlock % least == 0 ? ofBlock / least : 1);
    }

    /// A sum of products of parameters as C has it; empty: something else is in it, or nothing but a number.
    [[nodiscard]] std::string textOf(const Form& form) const
    {
        std::string text;
        bool hasName = false;
        for (auto it = form.rbegin(); it != form.rend(); ++it) {
            const auto& [product, factor] = *it;
            std::string term;
            for (const std::uint16_t number : product) {
                const Atom& atom = m_forms.atom(number);
                std::string one;
                if (atom.kind == Atom::Kind::Parameter)
                    one = m_name(atom.index);
                else if (const std::string of = atom.kind == Atom::Kind::Quotient ? textOf(atom.of) : ""; !of.empty())
                    one = "(" + of + ") / " + std::to_string(atom.divisor);
                if (one.empty())
                    return {};
                hasName = true;
                term += (term.empty() ? "" : " * ") + one;
            }
            const std::int64_t times = factor < 0 ? -factor : factor;
            if (term.empty() || times != 1)
                term = term.empty() ? std::to_string(times) : std::to_string(times) + " * (" + term + ")";
            text += text.empty() ? (factor < 0 ? "-" : "") + term : (factor < 0 ? " - " : " + ") + term;
        }
        return hasName ? text : std::string();
    }

    void readAddress(const Instruction& ins)
    {
        const bool isShared = ins.mod.space == Space::Shared || ins.op == Opcode::CpAsync;
        const Form address = sum(m_forms.of(ins.src[0]), { { {}, ins.offset } });
        if (isShared) {
            readShared(address);
            if (ins.op != Opcode::Ld && !isAtomic(ins))
                note(m_stores, address);
        }
        const Form begun = atFirstTurn(ins.op == Opcode::CpAsync ? m_forms.of(ins.src[1]) : address);
        if (!isShared || ins.op == Opcode::CpAsync) {
            readPlaces(begun);
            m_addresses.push_back(begun);
        }
    }

    /// `out[blockIdx.x * blockDim.x + threadIdx.x] = ...` that nothing bounds: how much is a block's, whatever it is of.
    void readUnbounded(const Form& address)
    {
        for (int axis = 0; axis < 3; ++axis) {
            LaunchHints::Axis& found = m_hints.axes[std::size_t(axis)];
            const std::int64_t thread = coefficient(address, { axisOf(SpecialRegister::TidX, axis) }), block = coefficient(address, { axisOf(SpecialRegister::CtaidX, axis) });
            if (!found.limit.empty() || found.threadsAlong >= 0 || found.perBlock > 1 || thread <= 0)
                continue;
            if (coefficient(address, { axisOf(SpecialRegister::CtaidX, axis), axisOf(SpecialRegister::NtidX, axis) }) == thread)
                found.threadsAlong = axis;
            else if (block > 0 && block % thread == 0)
                found.perBlock = std::uint64_t(block / thread);
        }
    }

    /// The shared array that an address lies in.
    [[nodiscard]] std::vector<Symbol>::const_iterator sharedArrayAt(std::int64_t address) const
    {
        return std::ranges::find_if(m_program.symbols, [&](const Symbol& one) {
            return one.space == Space::Shared && one.size > 0 && address >= std::int64_t(one.address) && address < std::int64_t(one.address + one.size);
        });
    }

    /// How far from thread to thread an address moves along which axes, the farthest first.
    [[nodiscard]] std::vector<std::pair<std::int64_t, int>> stridesOf(const Form& address) const
    {
        std::vector<std::pair<std::int64_t, int>> strides;
        for (int axis = 0; axis < 3; ++axis)
            if (const std::int64_t stride = coefficient(address, { axisOf(SpecialRegister::TidX, axis) }); stride > 0)
                strides.emplace_back(stride, axis);
        std::ranges::sort(strides, std::greater {});
        return strides;
    }

    using Begins = std::map<Form, std::set<std::int64_t>>;

    static void note(Begins& known, Form form)
    {
        const std::int64_t begin = form.contains({}) ? form[{}] : 0;
        form.erase(std::vector<std::uint16_t> {});
        known[std::move(form)].insert(begin);
    }

    /// `row = blockIdx.x * 4 + threadIdx.x / 32; if (row < rows)`: 4 rows of 32 threads. In an unrolled loop each turn has other rows.
    void readShare(const Form& index)
    {
        std::int64_t ofBlock = 0, ofThread = 0, each = 0;
        for (const auto& [product, factor] : index) {
            const Atom* const atom = product.size() == 1 ? &m_forms.atom(product[0]) : nullptr;
            if (atom && hasBlocksPlace(product) && factor > 0)
                ofBlock = factor;
            if (atom && atom->kind == Atom::Kind::Quotient && atom->of.size() == 1 && coefficient(atom->of, { SpecialRegister::TidX }) == 1 && factor > 0) {
                ofThread = factor;
                each = atom->divisor;
            }
        }
        const bool isFlat = !m_hints.axes[1].hasThreads && !m_hints.axes[2].hasThreads;
        if (isFlat && index.size() == 2 && ofBlock > 0 && ofThread > 0 && ofBlock % ofThread == 0 && ofBlock / ofThread * each <= kMostThreads)
            suggestThreads(0, ofBlock / ofThread * each);
    }

    /// `tile[threadIdx.y + j][threadIdx.x] = ...` in an unrolled loop of j = 0, 8, 16 and 24, where the tile has 32 rows: 8 threads along y.
    void readUnrolled(const Form& address, const std::set<std::int64_t>& begins)
    {
        const auto array = sharedArrayAt(*begins.begin());
        const std::vector<std::pair<std::int64_t, int>> strides = stridesOf(address);
        if (array == m_program.symbols.end() || strides.size() != address.size() || *begins.begin() != std::int64_t(array->address))
            return;
        std::int64_t row = std::int64_t(array->size);
        for (const auto& [stride, axis] : strides) {
            std::set<std::int64_t> places; // of one thread along the axis
            for (const std::int64_t begin : begins)
                places.insert((begin - std::int64_t(array->address)) % row / stride);
            if (const std::int64_t threads = stepThatFills(places, row / stride, axis != strides.front().second); threads > 0)
                suggestPart(axis, threads);
            row = stride;
        }
    }

    /// `blockIdx.x * 1024 + threadIdx.x + j * 256 < n` in an unrolled loop of j from 0 to 3: 256 threads.
    void readParts(const Form& index, const std::set<std::int64_t>& begins)
    {
        for (int axis = 0; axis < 3; ++axis)
            if (coefficient(index, { axisOf(SpecialRegister::TidX, axis) }) == 1)
                if (const std::int64_t threads = stepThatFills(begins, coefficient(index, { axisOf(SpecialRegister::CtaidX, axis) }), false); threads > 0)
                    suggestPart(axis, threads);
    }

    /// `tile[threadIdx.y][threadIdx.x] = ...` as all that fills a tile of 18 rows of 18, where blocks are 16 apart: 18 by 18 threads.
    void readBorder(const Form& address, const std::set<std::int64_t>& begins)
    {
        const auto array = sharedArrayAt(*begins.begin());
        const std::vector<std::pair<std::int64_t, int>> strides = stridesOf(address);
        if (array == m_program.symbols.end() || strides.size() != 2 || address.size() != 2 || begins != std::set { std::int64_t(array->address) })
            return;
        const auto isOfArray = [&](const auto& store) { return std::ranges::any_of(store.second, [&](std::int64_t begin) { return sharedArrayAt(begin) == array; }); };
        const auto& [outer, inner] = std::pair(strides[0], strides[1]);
        const std::int64_t rows = std::int64_t(array->size) / outer.first, columns = outer.first / inner.first;
        const std::int64_t apartAlongRows = m_apart[std::size_t(inner.second)], border = rows - m_apart[std::size_t(outer.second)], padding = columns - apartAlongRows - border;
        constexpr std::int64_t kWidest = 8;
        if (apartAlongRows == 0 || border < 2 || border > kWidest || border % 2 != 0 || padding < 0 || padding > 1 || rows * (columns - padding) > kMostThreads || std::ranges::count_if(m_stores, isOfArray) != 1)
            return;
        m_hints.axes[std::size_t(outer.second)].threads = std::uint32_t(rows);
        m_hints.axes[std::size_t(inner.second)].threads = std::uint32_t(columns - padding);
    }

    /// Between neighbours of evenly spaced places, which leave nothing of `all` but a padding less than a step; 0: they are others.
    static std::int64_t stepThatFills(const std::set<std::int64_t>& places, std::int64_t all, bool isPadded)
    {
        const auto count = std::int64_t(places.size()), step = count < 2 ? 0 : *std::next(places.begin());
        const bool isEven = step > 0 && *places.begin() == 0 && *places.rbegin() == step * (count - 1) && std::ranges::none_of(places, [&](std::int64_t place) { return place % step != 0; });
        const std::int64_t padding = all - step * count;
        return isEven && padding >= 0 && padding < (isPadded ? step : 1) ? step : 0;
    }

    /// So many threads that each does several parts.
    void suggestPart(int axis, std::int64_t threads)
    {
        std::uint32_t& known = m_hints.axes[std::size_t(axis)].threads;
        const bool isFlat = !m_hints.axes[1].hasThreads && !m_hints.axes[2].hasThreads;
        if (threads >= (isFlat ? kWarpLanes : 2) && threads <= kMostThreads && (known == 0 || threads < known))
            known = std::uint32_t(threads);
    }

    /// `tile[threadIdx.y][threadIdx.x]`: no more threads than the array has room for.
    void readShared(const Form& address)
    {
        const auto base = address.find({});
        const std::int64_t begin = base == address.end() ? 0 : base->second;
        const auto symbol = sharedArrayAt(begin);
        if (symbol == m_program.symbols.end())
            return;
        const std::vector<std::pair<std::int64_t, int>> places = stridesOf(address);
        const bool isBehindBegin = begin > std::int64_t(symbol->address);
        if (places.empty() || (places.size() == 1 && isBehindBegin)) // `part[t] += part[t + 64]` is what half of them do
            return;
        std::int64_t room = std::int64_t(symbol->address + symbol->size) - begin;
        if (places.size() + (base != address.end() ? 1 : 0) != address.size()) {
            const std::int64_t row = rowAbove(address, places);
            if (row == 0)
                return;
            room = row;
        }
        for (const auto& [stride, axis] : places) {
            if (stride <= room)
                m_room.emplace_back(axis, (room + stride - 1) / stride);
            room = stride;
        }
    }

    /// Of `stages[s][threadIdx.x]`, where s is no thread's place: a row's bytes; 0: it is something else.
    [[nodiscard]] std::int64_t rowAbove(const Form& address, const std::vector<std::pair<std::int64_t, int>>& places) const
    {
        std::int64_t row = 0;
        for (const auto& [product, factor] : address) {
            const auto isPlace = [&](const auto& place) { return product.size() == 1 && product[0] == m_forms.special(axisOf(SpecialRegister::TidX, place.second)); };
            if (product.empty() || std::ranges::any_of(places, isPlace))
                continue;
            if (product.size() > 1 || factor <= places.front().first || factor % places.front().first != 0)
                return 0;
            row = row == 0 ? factor : std::min(row, factor);
        }
        return row;
    }

    const Program& m_program;
    const std::function<std::string(std::uint32_t)>& m_name;
    RegisterForms m_forms;
    std::vector<Form> m_addresses; ///< of global memory
    Begins m_stores, m_compared; ///< what is stored to in shared memory, and compared, and differs in nothing but a constant: the constants
    std::vector<std::pair<int, std::int64_t>> m_room; ///< axes, and how many threads along them shared arrays have room for
    std::array<std::int64_t, 3> m_apart {}; ///< threads from block to block
    std::array<bool, 3> m_isPlaced {}; ///< `blockIdx.y * 8 + threadIdx.y` stands there
    LaunchHints m_hints;
};

} // namespace

LaunchHints launchHints(const Program& program, const std::function<std::string(std::uint32_t)>& name)
{
    return HintReader(program, name).read();
}

} // namespace coalescope::analysis
