// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/texts.h"

#include "analysis/device/device_model.h"
#include "analysis/result/time_terms.h"

#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace coalescope::app {
namespace {

    struct CodeText {
        ErrorCode code;
        const char* next; ///< the next step; empty: the sentence says it
    };

    constexpr std::array kCodeTexts {
        CodeText { ErrorCode::WrongUsage, "" },
        CodeText { ErrorCode::BadInput, QT_TRANSLATE_NOOP("Texts", "Correct the file and open it again.") },
        CodeText { ErrorCode::IllegalParameter, QT_TRANSLATE_NOOP("Texts", "Change the value; the pictures still show the last legal experiment.") },
        CodeText { ErrorCode::IllegalLaunch, QT_TRANSLATE_NOOP("Texts", "Choose a smaller grid, block or tile, or another device.") },
        CodeText { ErrorCode::NoCompiler, QT_TRANSLATE_NOOP("Texts", "Install clang, or the CUDA toolkit for NVRTC, and start again.") },
        CodeText { ErrorCode::CompileFailed,
            QT_TRANSLATE_NOOP("Texts", "Correct the kernel's source: it is read again when it is saved.") },
        CodeText { ErrorCode::EntryNotFound, QT_TRANSLATE_NOOP("Texts", "Correct the entry in the manifest.") },
        CodeText { ErrorCode::UnsupportedInstruction, QT_TRANSLATE_NOOP("Texts", "Run the kernel on a GPU to see its counters.") },
        CodeText { ErrorCode::UnsupportedWidth, QT_TRANSLATE_NOOP("Texts", "Run the kernel on a GPU to see its counters.") },
        CodeText { ErrorCode::ExecutionFailed, QT_TRANSLATE_NOOP("Texts", "Look at the line named in the source.") },
        CodeText { ErrorCode::NeedsValues, QT_TRANSLATE_NOOP("Texts", "Choose a smaller launch, or run the kernel on a GPU.") },
        CodeText { ErrorCode::Cancelled, "" },
        CodeText { ErrorCode::UnknownDevice, QT_TRANSLATE_NOOP("Texts", "Choose a device from the list.") },
        CodeText { ErrorCode::UnknownKernel, QT_TRANSLATE_NOOP("Texts", "Choose a kernel from the list.") },
        CodeText { ErrorCode::NoDriver, QT_TRANSLATE_NOOP("Texts", "Install NVIDIA's driver, or name a machine with a GPU under Targets.") },
        CodeText { ErrorCode::NoDevice, QT_TRANSLATE_NOOP("Texts", "Name a machine with a GPU under Targets.") },
        CodeText { ErrorCode::NoCupti, QT_TRANSLATE_NOOP("Texts", "Install the CUDA toolkit's CUPTI on that machine; times are measured without it.") },
        CodeText { ErrorCode::NoCounterPermission, QT_TRANSLATE_NOOP("Texts", "Run as root, or load the driver with NVreg_RestrictProfilingToAdminUsers=0.") },
        CodeText { ErrorCode::UnsupportedChip, QT_TRANSLATE_NOOP("Texts", "Choose a target with a GPU that CUPTI knows.") },
        CodeText { ErrorCode::OutOfMemory, QT_TRANSLATE_NOOP("Texts", "Choose fewer rows or columns, or free the GPU's memory.") },
        CodeText { ErrorCode::IllegalAddress, QT_TRANSLATE_NOOP("Texts", "See the hazards of the prediction for the line.") },
        CodeText { ErrorCode::LaunchFailed, QT_TRANSLATE_NOOP("Texts", "Run the same command in a terminal to see all it says.") },
        CodeText { ErrorCode::TimedOut, QT_TRANSLATE_NOOP("Texts", "Choose a smaller launch, or look for a loop that never ends.") },
        CodeText { ErrorCode::NotRecorded, QT_TRANSLATE_NOOP("Texts", "Choose one of the launches that are recorded.") },
        CodeText { ErrorCode::TargetFailed, QT_TRANSLATE_NOOP("Texts", "Check the command under Targets.") },
        CodeText { ErrorCode::FileFailed, QT_TRANSLATE_NOOP("Texts", "Check that the file is there and can be read or written.") },
        CodeText { ErrorCode::LaunchUnread, QT_TRANSLATE_NOOP("Texts", "Put a manifest into the file.") },
    };

    struct MetricText {
        analysis::Metric metric;
        const char* label;
        const char* meaning;
    };

    using analysis::Metric;
    constexpr std::array kMetricTexts {
        MetricText { Metric::GlobalLoadRequests, QT_TRANSLATE_NOOP("Texts", "load requests"),
            QT_TRANSLATE_NOOP("Texts", "Loads from global memory that warps send, one an instruction.") },
        MetricText { Metric::GlobalStoreRequests, QT_TRANSLATE_NOOP("Texts", "store requests"),
            QT_TRANSLATE_NOOP("Texts", "Stores to global memory that warps send, one an instruction.") },
        MetricText { Metric::GlobalLoadSectors, QT_TRANSLATE_NOOP("Texts", "load sectors"),
            QT_TRANSLATE_NOOP("Texts", "Sectors of 32 bytes that loads touch, each load for itself.") },
        MetricText { Metric::GlobalStoreSectors, QT_TRANSLATE_NOOP("Texts", "store sectors"),
            QT_TRANSLATE_NOOP("Texts", "Sectors of 32 bytes that stores touch, each store for itself.") },
        MetricText { Metric::GlobalAtomicRequests, QT_TRANSLATE_NOOP("Texts", "atomic requests"),
            QT_TRANSLATE_NOOP("Texts", "Atomics on global memory that answer with what was there before, one an instruction.") },
        MetricText { Metric::GlobalReductionRequests, QT_TRANSLATE_NOOP("Texts", "reduction requests"),
            QT_TRANSLATE_NOOP("Texts", "Atomics on global memory whose answer nobody asks for, one an instruction.") },
        MetricText { Metric::GlobalAtomicSectors, QT_TRANSLATE_NOOP("Texts", "atomic sectors"),
            QT_TRANSLATE_NOOP("Texts", "Sectors of 32 bytes that atomics touch, each as often as lanes want the same word of it.") },
        MetricText { Metric::GlobalReductionSectors, QT_TRANSLATE_NOOP("Texts", "reduction sectors"),
            QT_TRANSLATE_NOOP("Texts", "Sectors of 32 bytes that reductions touch, each as often as lanes want the same word of it.") },
        MetricText { Metric::GlobalTags, QT_TRANSLATE_NOOP("Texts", "cache-line tags"),
            QT_TRANSLATE_NOOP("Texts", "Cache lines of 128 bytes that loads and stores touch: L1 looks each one up.") },
        MetricText { Metric::GlobalSassSectors, QT_TRANSLATE_NOOP("Texts", "sectors by address"),
            QT_TRANSLATE_NOOP("Texts", "Sectors of loads and stores, by their addresses.") },
        MetricText { Metric::GlobalSassSectorsIdeal, QT_TRANSLATE_NOOP("Texts", "sectors, ideal"),
            QT_TRANSLATE_NOOP("Texts", "As many sectors as it would be if the lanes of each access lay side by side.") },
        MetricText { Metric::SharedLoadInstructions, QT_TRANSLATE_NOOP("Texts", "load instructions"),
            QT_TRANSLATE_NOOP("Texts", "Load instructions on shared memory.") },
        MetricText { Metric::SharedStoreInstructions, QT_TRANSLATE_NOOP("Texts", "store instructions"),
            QT_TRANSLATE_NOOP("Texts", "Store instructions on shared memory.") },
        MetricText { Metric::SharedLoadWavefronts, QT_TRANSLATE_NOOP("Texts", "load wavefronts"),
            QT_TRANSLATE_NOOP("Texts", "Passes in which shared memory serves loads: one, where a warp's words lie in different banks.") },
        MetricText { Metric::SharedStoreWavefronts, QT_TRANSLATE_NOOP("Texts", "store wavefronts"),
            QT_TRANSLATE_NOOP("Texts", "Passes in which shared memory serves stores: one, where a warp's words lie in different banks.") },
        MetricText { Metric::SharedLoadWavefrontsSass, QT_TRANSLATE_NOOP("Texts", "loads by address"),
            QT_TRANSLATE_NOOP("Texts", "Wavefronts that the addresses of the loads need.") },
        MetricText { Metric::SharedStoreWavefrontsSass, QT_TRANSLATE_NOOP("Texts", "stores by address"),
            QT_TRANSLATE_NOOP("Texts", "Wavefronts that the addresses of the stores need.") },
        MetricText { Metric::SharedLoadConflicts, QT_TRANSLATE_NOOP("Texts", "load conflicts"),
            QT_TRANSLATE_NOOP("Texts", "Wavefronts of loads that are there because lanes ask for different words of one bank.") },
        MetricText { Metric::SharedStoreConflicts, QT_TRANSLATE_NOOP("Texts", "store conflicts"),
            QT_TRANSLATE_NOOP("Texts", "Wavefronts of stores that are there because lanes write different words of one bank.") },
        MetricText { Metric::SharedAtomicInstructions, QT_TRANSLATE_NOOP("Texts", "atomic instructions"),
            QT_TRANSLATE_NOOP("Texts", "Atomics on shared memory; of those that are loops, one a turn.") },
        MetricText { Metric::SharedAtomicWavefronts, QT_TRANSLATE_NOOP("Texts", "atomic wavefronts"),
            QT_TRANSLATE_NOOP("Texts", "Passes in which shared memory serves atomics: one, where the lanes' words lie in different banks.") },
        MetricText { Metric::SharedAtomicConflicts, QT_TRANSLATE_NOOP("Texts", "atomic conflicts"),
            QT_TRANSLATE_NOOP("Texts", "Wavefronts of atomics that are there because lanes want one bank, or one word.") },
        MetricText { Metric::L1ReadSectors, QT_TRANSLATE_NOOP("Texts", "L2 to L1"),
            QT_TRANSLATE_NOOP("Texts", "Sectors of loads that L1 does not have and asks the L2 for.") },
        MetricText { Metric::L1WriteSectors, QT_TRANSLATE_NOOP("Texts", "L1 to L2"),
            QT_TRANSLATE_NOOP("Texts", "Sectors of stores that are sent on to the L2.") },
        MetricText { Metric::L2ReadSectors, QT_TRANSLATE_NOOP("Texts", "L2 reads"),
            QT_TRANSLATE_NOOP("Texts", "Sectors read in the L2: more than go to L1 where its halves ask each other, fewer where SMs of a GPC ask for the same at once.") },
        MetricText { Metric::L2WriteSectors, QT_TRANSLATE_NOOP("Texts", "L2 writes"),
            QT_TRANSLATE_NOOP("Texts", "Sectors written in the L2, those too that one of its halves hands to the other.") },
        MetricText { Metric::DramReadSectors, QT_TRANSLATE_NOOP("Texts", "DRAM reads"),
            QT_TRANSLATE_NOOP("Texts", "Sectors that the L2 reads from DRAM.") },
        MetricText { Metric::DramWriteSectors, QT_TRANSLATE_NOOP("Texts", "DRAM writes"),
            QT_TRANSLATE_NOOP("Texts", "Sectors that the L2 writes to DRAM: what the launch has written, and what launches before have left in the L2 and its data pushes out.") },
        MetricText { Metric::Duration, QT_TRANSLATE_NOOP("Texts", "kernel duration"),
            QT_TRANSLATE_NOOP("Texts", "As the profiler times one launch: the kernel alone, the caches as the profiler leaves them.") },
    };
    static_assert(kMetricTexts.size() == std::size_t(analysis::kMetricCount));
    static_assert([] {
        for (std::size_t i = 0; i < kMetricTexts.size(); ++i) {
            if (std::size_t(kMetricTexts[i].metric) != i)
                return false;
        }
        return true;
    }());

    struct NameText {
        std::string_view name;
        const char* label;
    };

    constexpr std::array kStages {
        NameText { "compile", QT_TRANSLATE_NOOP("Texts", "compiling") },
        NameText { "verify", QT_TRANSLATE_NOOP("Texts", "verifying") },
        NameText { "time", QT_TRANSLATE_NOOP("Texts", "timing") },
        NameText { "timed", QT_TRANSLATE_NOOP("Texts", "timing") },
        NameText { "count", QT_TRANSLATE_NOOP("Texts", "counting") },
        NameText { "lines", QT_TRANSLATE_NOOP("Texts", "counting line by line") },
    };

    constexpr std::array kLimiters {
        NameText { "threads", QT_TRANSLATE_NOOP("Texts", "threads") },
        NameText { "registers", QT_TRANSLATE_NOOP("Texts", "registers") },
        NameText { "shared memory", QT_TRANSLATE_NOOP("Texts", "shared memory") },
        NameText { "blocks", QT_TRANSLATE_NOOP("Texts", "blocks") },
        NameText { "grid", QT_TRANSLATE_NOOP("Texts", "the grid is too small") },
    };

    QString labelIn(const auto& table, const std::string& name)
    {
        const auto found = std::ranges::find_if(table, [&](const auto& row) { return row.name == name; });
        return found == table.end() ? QString::fromStdString(name) : Texts::tr(found->label);
    }

    QString scaled(double value, const char* unit)
    {
        const int decimals = value >= 99.95 || value == 0 ? 0 : value >= 9.995 ? 1 : 2;
        return QLocale().toString(value, 'f', decimals) + QChar(0x202f) + QString::fromUtf8(unit);
    }

}

QString localized(const kernels::LocalizedText& text)
{
    const bool chinese = QLocale().language() == QLocale::Chinese && !text.zhCN.empty();
    return QString::fromStdString(chinese ? text.zhCN : text.en);
}

namespace {

    QString guessText(const kernels::Guess& guess)
    {
        using Kind = kernels::Guess::Kind;
        const QString what = QString::fromStdString(guess.what), taken = QString::fromStdString(guess.taken);
        switch (guess.kind) {
        case Kind::BufferSize: return Texts::tr("%1 holds %2 elements").arg(what, taken);
        case Kind::BufferStart: return Texts::tr("the pointer into %1 is to its start").arg(what);
        case Kind::Indices:
            return taken.isEmpty() ? Texts::tr("%1 holds 0, 1, 2 and so on").arg(what) : Texts::tr("%1 holds random indices below %2").arg(what, taken);
        case Kind::Ranges: return Texts::tr("%1 begins ranges, each %2 behind the one before").arg(what, taken);
        case Kind::Integers: return taken == QLatin1String("1") ? Texts::tr("%1 holds zeros").arg(what) : Texts::tr("%1 holds random integers below %2").arg(what, taken);
        case Kind::Value: return Texts::tr("%1 is %2").arg(what, taken);
        case Kind::TemplateArgument: return Texts::tr("the template's %1 is %2").arg(what, taken);
        case Kind::Variable: return Texts::tr("%1 holds what it starts with").arg(what);
        case Kind::Launch: return Texts::tr("the launch, by what the kernel does with its indices");
        case Kind::RoundingUp: return Texts::tr("%1(a, b) is a / b, rounded up").arg(what);
        case Kind::SharedBytes: return Texts::tr("dynamic shared memory is 4 bytes a thread");
        }
        return {};
    }

}

QString summaryOf(const kernels::KernelSpec& spec)
{
    QStringList guesses;
    for (const kernels::Guess& guess : spec.guesses)
        guesses << guessText(guess);
    const QString summary = localized(spec.summary);
    return guesses.isEmpty() ? summary : Texts::tr("%1 Guessed: %2.").arg(summary, guesses.join(QStringLiteral("; ")));
}

QString kernelName(const kernels::KernelSpec& spec)
{
    return QString::fromStdString(spec.path.empty() ? spec.id : spec.path.filename().string());
}

QString pictureTitle(const kernels::KernelSpec& spec)
{
    const QString title = localized(spec.title);
    return spec.path.empty() ? QStringLiteral("%1: %2").arg(QString::fromStdString(spec.id), title) : QStringLiteral("%1 (%2)").arg(title, kernelName(spec));
}

QString deviceName(const QString& device)
{
    const auto known = analysis::deviceNamed(device.toStdString());
    if (!known)
        return device;
    QString name = QString::fromUtf8((*known)->fullName);
    for (const char* common : { "NVIDIA ", "GeForce " }) {
        if (name.startsWith(QLatin1String(common)))
            name.remove(0, qsizetype(std::strlen(common)));
    }
    return name;
}

QString labelOfParameter(const kernels::KernelSpec& spec, const std::string& name)
{
    for (const kernels::ParameterSpec& parameter : spec.parameters) {
        if (parameter.name == name && !localized(parameter.label).isEmpty())
            return localized(parameter.label);
    }
    return QString::fromStdString(name);
}

QString valueText(const kernels::KernelSpec& spec, const std::string& name, const std::string& value)
{
    for (const kernels::ParameterSpec& parameter : spec.parameters) {
        if (parameter.name != name)
            continue;
        for (const kernels::Choice& choice : parameter.choices) {
            if (choice.value == value && !localized(choice.label).isEmpty())
                return localized(choice.label);
        }
    }
    return QString::fromStdString(value);
}

QString ErrorText::whole() const
{
    return next.isEmpty() ? sentence : sentence + QLatin1Char(' ') + next;
}

ErrorText textOf(const Error& error)
{
    ErrorText text;
    QString detail = QString::fromStdString(error.detail).trimmed();
    const bool ends = detail.isEmpty() || QStringLiteral(".!?…。！？").contains(detail.back());
    if (!ends && !detail.contains(QLatin1Char('\n'))) // below a compiler's sentence stands its log
        detail += QLatin1Char('.');
    text.sentence = error.where.empty() ? detail
                                        : QStringLiteral("%1: %2").arg(QString::fromStdString(error.where), detail);
    const auto found = std::ranges::find(kCodeTexts, error.code, &CodeText::code);
    if (found != kCodeTexts.end() && *found->next)
        text.next = Texts::tr(found->next);
    return text;
}

QString labelOf(analysis::Metric metric)
{
    return Texts::tr(kMetricTexts[std::size_t(metric)].label);
}

QString meaningOf(analysis::Metric metric)
{
    return Texts::tr(kMetricTexts[std::size_t(metric)].meaning);
}

QString headingOf(analysis::MetricGroup group)
{
    switch (group) {
    case analysis::MetricGroup::Global: return Texts::tr("Global memory");
    case analysis::MetricGroup::Shared: return Texts::tr("Shared memory");
    case analysis::MetricGroup::Cache: return Texts::tr("Caches");
    case analysis::MetricGroup::Dram: return Texts::tr("DRAM");
    case analysis::MetricGroup::Time: return Texts::tr("Time");
    }
    return {};
}

QString titleOf(const analysis::Hazard& hazard)
{
    QString kind;
    switch (hazard.kind) {
    case analysis::HazardKind::OutOfBounds: kind = Texts::tr("Out of bounds"); break;
    case analysis::HazardKind::SharedRace: kind = Texts::tr("Race in shared memory"); break;
    case analysis::HazardKind::Misaligned: kind = Texts::tr("Misaligned address"); break;
    case analysis::HazardKind::WrongOutput: kind = Texts::tr("Wrong output"); break;
    case analysis::HazardKind::BarrierDivergence: kind = Texts::tr("Barrier not reached by all"); break;
    case analysis::HazardKind::Uninitialised: kind = Texts::tr("Read before written"); break;
    case analysis::HazardKind::NotModelled: kind = Texts::tr("Not modelled"); break;
    case analysis::HazardKind::DivergentLoop: kind = Texts::tr("Loop left at different turns"); break;
    case analysis::HazardKind::LeftOut: kind = Texts::tr("Left out by the grid"); break;
    }
    if (hazard.otherLine != 0 && hazard.otherLine != hazard.line)
        return Texts::tr("%1, lines %2 and %3").arg(kind).arg(hazard.line).arg(hazard.otherLine);
    return hazard.line == 0 ? kind : Texts::tr("%1, line %2").arg(kind).arg(hazard.line);
}

bool raceDecides(const analysis::RunResult& result)
{
    return result.verified == false
        && std::ranges::find(result.hazards, analysis::HazardKind::SharedRace, &analysis::Hazard::kind) != result.hazards.end();
}

std::vector<analysis::Hazard> worstFirst(std::vector<analysis::Hazard> hazards)
{
    std::ranges::stable_partition(hazards,
        [](const analysis::Hazard& hazard) { return hazard.kind == analysis::HazardKind::WrongOutput; });
    return hazards;
}

QString termLabel(const std::string& term)
{
    return labelIn(analysis::kTimeTermTexts, term);
}

QString termMeaning(const std::string& term)
{
    const auto found = std::ranges::find(analysis::kTimeTermTexts, term, &analysis::TimeTermText::name);
    return found == analysis::kTimeTermTexts.end() ? QString() : Texts::tr(found->meaning);
}

QString wrappedTip(const QString& text)
{
    return text.isEmpty() ? QString() : QStringLiteral("<p>%1</p>").arg(text.toHtmlEscaped().replace(QLatin1Char('\n'), QLatin1String("<br>")));
}

QString stageLabel(const QString& stage)
{
    return labelIn(kStages, stage.toStdString());
}

QString limiterLabel(const std::string& limiter)
{
    return labelIn(kLimiters, limiter);
}

QString formatValue(double value)
{
    static constexpr double kLongest = 1e9; // beyond, the digits no longer fit a column
    if (std::abs(value) >= kLongest)
        return QLocale().toString(value / 1e9, 'f', 3) + QStringLiteral(" G");
    static constexpr double kExactTenths = 10; // an estimate of more is no better for a decimal
    if (value != std::floor(value) && std::abs(value) < kExactTenths)
        return QLocale().toString(value, 'f', 1);
    return QLocale().toString(qlonglong(std::llround(value)));
}

QString formatShort(double value)
{
    if (std::abs(value) < 1e6)
        return formatValue(value);
    if (std::abs(value) < 1e9)
        return scaled(value / 1e6, "M");
    return scaled(value / 1e9, "G");
}

std::pair<QString, QString> formatShortPair(double a, double b)
{
    std::pair text { formatShort(a), formatShort(b) };
    if (a != b && text.first == text.second)
        return { formatValue(a), formatValue(b) };
    return text;
}

QString formatTime(double ns)
{
    if (ns < 1e3)
        return scaled(ns, "ns");
    if (ns < 1e6)
        return scaled(ns / 1e3, "µs");
    return ns < 1e9 ? scaled(ns / 1e6, "ms") : scaled(ns / 1e9, "s");
}

QString formatAbout(double seconds)
{
    constexpr double kMinutes = 90;
    return seconds < kMinutes ? Texts::tr("about %1 s").arg(int(std::ceil(seconds))) : Texts::tr("about %1 min").arg(int(std::ceil(seconds / 60)));
}

QString formatChange(double from, double to)
{
    if (from == to)
        return QStringLiteral("=");
    const QString sign = to > from ? QStringLiteral("+") : QString(QChar(0x2212));
    if (from == 0)
        return sign + formatValue(std::abs(to));
    const double percent = std::abs(to - from) / std::abs(from) * 100;
    const QLocale locale;
    if (percent >= 999.5)
        return QStringLiteral("×") + locale.toString(to / from, 'f', to / from >= 99.5 ? 0 : 1);
    const QString unit = QString(QChar(0x202f)) + QLatin1Char('%');
    if (percent < 0.05)
        return QLatin1Char('<') + locale.toString(0.1, 'f', 1) + unit;
    return sign + locale.toString(percent, 'f', percent >= 9.95 ? 0 : 1) + unit;
}

QString formatDim(const analysis::Dim3& dim)
{
    QString text = QString::number(dim.x);
    if (dim.y != 1 || dim.z != 1)
        text += QStringLiteral(" × %1").arg(dim.y);
    if (dim.z != 1)
        text += QStringLiteral(" × %1").arg(dim.z);
    return text;
}

} // namespace coalescope::app
