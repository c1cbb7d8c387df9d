// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/texts.h"

#include <QLocale>
#include <QRegularExpression>

#include <optional>
#include <vector>

namespace coalescope::app {
namespace {

    /// What the library says of a hazard: its own words with the places of its figures, which the translation has as well. What
    /// stands at a place may be one of these again.
    constexpr const char* kDetails[] = {
        QT_TRANSLATE_NOOP("Texts", "thread (%1) of block (%2) %3 %4 at offset %5 of %6 memory, which has %7 bytes"),
        QT_TRANSLATE_NOOP("Texts", "thread (%1) of block (%2) %3 %4 at %5, reaching %6 past the end of buffer `%7` of %8 bytes"),
        QT_TRANSLATE_NOOP("Texts", "thread (%1) of block (%2) %3 %4 at %5, reaching %6 before the start of buffer `%7` of %8 bytes"),
        QT_TRANSLATE_NOOP("Texts", "thread (%1) of block (%2) %3 %4 at %5, and the launch has no buffer"),
        QT_TRANSLATE_NOOP("Texts", "thread (%1) of block (%2) reads constant memory at %3, outside every constant"),
        QT_TRANSLATE_NOOP("Texts", "thread (%1) of block (%2) %3 %4 at %5, which is no multiple of %6"),
        QT_TRANSLATE_NOOP("Texts", "thread (%1) of block (%2) %3 shared bytes %4 to %5 at line %6 and thread (%7) %8 them at line %9, "
                                   "with no barrier between"),
        QT_TRANSLATE_NOOP("Texts", "thread (%1) of block (%2) and another lane of its warp write different values to shared bytes %3 to %4 "
                                   "with one instruction"),
        QT_TRANSLATE_NOOP("Texts", "thread (%1) of block (%2) writes shared bytes %3 to %4 together with another lane of its warp; whether "
                                   "the values differ depends on data"),
        QT_TRANSLATE_NOOP("Texts", "thread (%1) of block (%2) reads shared bytes %3 to %4, which nothing has written"),
        QT_TRANSLATE_NOOP("Texts", "%1 of warp %2 in block (%3) are not at this barrier with the rest of the warp"),
        QT_TRANSLATE_NOOP("Texts", "%1 of warp %2 in block (%3) is not at this barrier with the rest of the warp"),
        QT_TRANSLATE_NOOP("Texts", "%1 of %2 elements of %3 are wrong at %4: first %5, which should be %6; line %7 wrote it last"),
        QT_TRANSLATE_NOOP("Texts", "%1 of %2 elements of %3 are wrong at %4: first %5, which should be %6; nothing wrote it"),
        QT_TRANSLATE_NOOP("Texts", "lanes of warp %1 of block (%2) leave this loop after different numbers of turns: if ptxas unrolls it, the "
                                   "GPU counts its requests in parts, and more of them than are predicted"),
        QT_TRANSLATE_NOOP("Texts", "lanes of warp %1 of block (%2) wait here for an mbarrier apart from the others: if the GPU does not join "
                                   "them again, it counts requests in parts, and more of them than are predicted"),
        QT_TRANSLATE_NOOP("Texts", "%1 is a loop of a load from shared memory and a compare and swap: counted are the turns that each warp "
                                   "makes alone, it makes more where warps meet at a word"),
        QT_TRANSLATE_NOOP("Texts", "%1 is a loop of a load from shared memory and a compare and swap: counted are the turns of a warp whose "
                                   "lanes all change the word; a lane that changes nothing makes fewer"),
        QT_TRANSLATE_NOOP("Texts", "%1 is a loop of compares and swaps of the word around it: one turn is counted"),
        QT_TRANSLATE_NOOP("Texts", "blocks wait for what others write, as in a scan that looks back: they were executed in order first, and each finds what all have left; the GPU looks oftener"),
        QT_TRANSLATE_NOOP("Texts", "a copy past L1 that may fill up with zeros: the profiler's instrumented count of global sectors leaves out many of these, as ptxas splits them; what L1 counts is as predicted"),
        QT_TRANSLATE_NOOP("Texts", "a loop waits here for what no other block writes, for the grid has one: one look is counted; where nothing else writes it, the kernel never ends"),
        QT_TRANSLATE_NOOP("Texts", "a loop waits here for other blocks: one look at what they write is counted, the GPU looks until they have "
                                   "written it"),
        QT_TRANSLATE_NOOP("Texts", "ptxas spills %1 registers of each thread to local memory: fewer threads a block (__launch_bounds__) or "
                                   "less unrolling may avoid it; no key counts its sectors, the estimates beyond L1 and of the time do"),
        QT_TRANSLATE_NOOP("Texts", "an array lies in local memory, as one is that is indexed by what the compiler does not know: shared "
                                   "memory or unrolled loops may avoid it; no key counts its sectors, the estimates beyond L1 and of the "
                                   "time do"),
        QT_TRANSLATE_NOOP("Texts", "the accesses of the machine code could not be matched with those of the PTX, from which all is counted: "
                                   "ptxas may have joined or repeated some; a measurement tells"),
        QT_TRANSLATE_NOOP("Texts", "addresses or branches depend on data, and blocks read in buffer `%1` where others write: each block was "
                                   "executed as if it ran alone"),
        QT_TRANSLATE_NOOP("Texts", "the grid's %1 is %2, %3 / %4 rounded down: no block works on the last %5 of %6"),
        QT_TRANSLATE_NOOP("Texts", "blocks that are far from each other fill the same sectors: how often DRAM must complete them meanwhile is not "
                                   "modelled, and the time may be several times as long"),
        QT_TRANSLATE_NOOP("Texts", "%1; how large `%2` is was guessed"),
        QT_TRANSLATE_NOOP("Texts", "%1; its launch was guessed, and may be why"),
        QT_TRANSLATE_NOOP("Texts", "%1; that `%2` points to the start of its buffer was guessed"),
        QT_TRANSLATE_NOOP("Texts", "what '%1' leaves in '%2' is not known (%3): its fill is taken"),
        QT_TRANSLATE_NOOP("Texts", "what '%1' leaves in '%2' is not known (%3): what it leaves with guessed data, launched once, "
                                   "is taken"),
        QT_TRANSLATE_NOOP("Texts", "what launches before leave in '%1' is not known (%2): its fill is taken"),
        QT_TRANSLATE_NOOP("Texts", "what launches before leave in '%1' is not known: its fill is taken"),
        QT_TRANSLATE_NOOP("Texts", "following the host code does not tell what it puts into '%1' with these values: its fill is taken"),
        QT_TRANSLATE_NOOP("Texts", "what '%1' leaves in '%2' follows from a guess about '%3'"),
        QT_TRANSLATE_NOOP("Texts", "%1; `%2` was guessed, and may be why"),
        QT_TRANSLATE_NOOP("Texts", "%1; with these values the program takes another branch, which may be why"),
        QT_TRANSLATE_NOOP("Texts", "%1; `%2` was worked out for other values, and may be why"),
        QT_TRANSLATE_NOOP("Texts", "what launches before leave in '%1' is not known (%2): what it starts with is taken"),
        QT_TRANSLATE_NOOP("Texts", "what launches before leave in '%1' is not known: what it starts with is taken"),
        QT_TRANSLATE_NOOP("Texts", "what the host code and launches before leave in '%1' is not known: zeros are taken"),
        QT_TRANSLATE_NOOP("Texts", "addresses or branches depend on the values in `%1`, which are not known: they are drawn at random"),
        QT_TRANSLATE_NOOP("Texts", "lanes of one atomic want several words of a sector, and other lanes words of the same banks: the L1 may put some off and count their sectors again, up to %1 % more than predicted"),
        QT_TRANSLATE_NOOP("Texts", "following the host code does not tell what it puts into '%1' with these values: what it starts with is taken"),
        QT_TRANSLATE_NOOP("Texts", "'%1' depends on data that nobody knows"),
        QT_TRANSLATE_NOOP("Texts", "'%1' takes, with those before it, more than %2 instructions"),
        QT_TRANSLATE_NOOP("Texts", "'%1' has %2 MB of memory"),
        QT_TRANSLATE_NOOP("Texts", "'%1' could not be read"),
        QT_TRANSLATE_NOOP("Texts", "'%1' is given what the host code does not tell"),
        QT_TRANSLATE_NOOP("Texts", "'%1' has variables of the module of which nobody knows what they hold"),
        QT_TRANSLATE_NOOP("Texts", "'%1' has memory of which nobody knows what it is made of"),
        QT_TRANSLATE_NOOP("Texts", "'%1' comes behind too many launches"),
        QT_TRANSLATE_NOOP("Texts", "the host code does not tell what '%1' is launched with"),
        QT_TRANSLATE_NOOP("Texts", "it has no buffer '%1'"),
        QT_TRANSLATE_NOOP("Texts", "%1 bytes"),
        QT_TRANSLATE_NOOP("Texts", "%1 byte"),
        QT_TRANSLATE_NOOP("Texts", "%1 threads"),
        QT_TRANSLATE_NOOP("Texts", "%1 thread"),
        QT_TRANSLATE_NOOP("Texts", "grid %1"),
        QT_TRANSLATE_NOOP("Texts", "what it held before"),
        QT_TRANSLATE_NOOP("Texts", "reads"),
        QT_TRANSLATE_NOOP("Texts", "writes"),
        QT_TRANSLATE_NOOP("Texts", "updates"),
        QT_TRANSLATE_NOOP("Texts", "shared"),
        QT_TRANSLATE_NOOP("Texts", "local"),
    };

    struct Pattern {
        const char* source;
        QRegularExpression expression;
    };

    const std::vector<Pattern>& patterns()
    {
        static const std::vector<Pattern> made = [] {
            static const QRegularExpression place(QStringLiteral("%[1-9]"));
            std::vector<Pattern> all;
            for (const char* source : kDetails) {
                QStringList pieces = QString::fromUtf8(source).split(place);
                for (QString& piece : pieces)
                    piece = QRegularExpression::escape(piece);
                all.push_back({ source,
                    QRegularExpression(QRegularExpression::anchoredPattern(pieces.join(QStringLiteral("(.+?)"))),
                        QRegularExpression::DotMatchesEverythingOption) });
            }
            return all;
        }();
        return made;
    }

    std::optional<QString> translated(const QString& detail)
    {
        for (const Pattern& pattern : patterns()) {
            const QRegularExpressionMatch match = pattern.expression.match(detail);
            if (!match.hasMatch())
                continue;
            QString text = Texts::tr(pattern.source);
            for (int i = match.lastCapturedIndex(); i > 0; --i)
                text.replace(QStringLiteral("%%1").arg(i), translated(match.captured(i)).value_or(match.captured(i)));
            return text;
        }
        return std::nullopt;
    }

    /// Where the detail is one that no row above knows.
    QString kindSentence(const analysis::Hazard& hazard)
    {
        switch (hazard.kind) {
        case analysis::HazardKind::OutOfBounds: return Texts::tr("outside the memory it is meant for");
        case analysis::HazardKind::SharedRace:
            return Texts::tr("two threads use the same shared bytes, one of them writes, and no barrier stands between");
        case analysis::HazardKind::Misaligned: return Texts::tr("no multiple of the access width");
        case analysis::HazardKind::WrongOutput: return Texts::tr("elements of the small launch that was verified differ from the reference");
        case analysis::HazardKind::BarrierDivergence: return Texts::tr("some threads of the block never reach it");
        case analysis::HazardKind::Uninitialised: return Texts::tr("shared memory that nothing has written");
        case analysis::HazardKind::NotModelled: return Texts::tr("executed, but no metric here counts it");
        case analysis::HazardKind::DivergentLoop:
            return Texts::tr("lanes of a warp leave this loop after different numbers of turns: if ptxas unrolls it, its requests are counted in parts");
        case analysis::HazardKind::LeftOut: return Texts::tr("the grid is rounded down, and no block works on the rest");
        }
        return {};
    }

}

QStringList soundnessOf(const analysis::RunResult& result, bool verifying, bool ledByGuesses)
{
    QStringList lines;
    if (result.hazards.empty())
        lines << (verifying ? Texts::tr("looking for races and bad addresses…")
                            : QStringLiteral("✓ ") + Texts::tr("no race in shared memory, no bad address"));
    if (ledByGuesses)
        lines << Texts::tr("guessed data decide about addresses or branches");
    return lines;
}

bool isDoubtful(const analysis::RunResult& result, bool ledByGuesses)
{
    return result.verified == false || !result.hazards.empty() || ledByGuesses;
}

QString sentenceOf(const analysis::Hazard& hazard)
{
    const QString detail = QString::fromStdString(hazard.detail);
    const bool english = QLocale().language() == QLocale::English || QLocale().language() == QLocale::C;
    const QString sentence = english ? detail : translated(detail).value_or(kindSentence(hazard));
    if (hazard.count <= 1 || !isFault(hazard.kind) || hazard.kind == analysis::HazardKind::WrongOutput)
        return sentence;
    return Texts::tr("%1; seen at least %2 times").arg(sentence, QLocale().toString(qulonglong(hazard.count)));
}

} // namespace coalescope::app
