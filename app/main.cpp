// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/language.h"
#include "app/core/quit_signals.h"
#include "app/core/settings.h"
#include "app/core/texts.h"
#include "app/widgets/main_window.h"
#include "app/widgets/top_bar.h"
#include "kernels/launch/device_files.h"
#include "kernels/launch/job.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>
#include <QTimer>

#include <clocale>
#include <cstdio>
#include <cstring>
#include <optional>

namespace {

using namespace coalescope;
using namespace coalescope::app;

constexpr int kWrongUsage = 2, kBadInput = 3, kFailed = 5; // the exit statuses of the command line

struct Arguments {
    StartOptions start;
    QString exportPath, screenshotPath;
    QSize size;
    double scale = 1;
};

/// As the program was called: `coalescope report` is this one too.
const char* programName = "coalescope-gui";

int complain(const QString& sentence, int status)
{
    std::fprintf(stderr, "%s: %s\n", programName, qPrintable(sentence));
    return status;
}

bool given(int argc, char** argv, const char* option)
{
    for (int i = 1; i < argc; ++i) {
        const std::size_t length = std::strlen(option);
        if (std::strncmp(argv[i], option, length) == 0 && (argv[i][length] == '\0' || argv[i][length] == '='))
            return true;
    }
    return false;
}

/// False where Qt would abort for want of a screen.
bool hasDisplay()
{
    return !qEnvironmentVariableIsEmpty("DISPLAY") || !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY")
        || !qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM");
}

/// Qt's remarks, but for the one that a server or a container has no folder of the session: nothing follows from it.
void installMessageFilter()
{
    static QtMessageHandler others = nullptr;
    others = qInstallMessageHandler([](QtMsgType type, const QMessageLogContext& context, const QString& text) {
        if (!text.startsWith(QLatin1String("QStandardPaths: XDG_RUNTIME_DIR not set")))
            others(type, context, text);
    });
}

std::optional<QSize> sizeOf(const QString& text)
{
    const QStringList parts = text.split(QLatin1Char('x'));
    bool goodWidth = false, goodHeight = false;
    if (parts.size() != 2)
        return std::nullopt;
    const QSize size(parts[0].toInt(&goodWidth), parts[1].toInt(&goodHeight));
    static constexpr int kLargest = 16384;
    if (!goodWidth || !goodHeight || size.isEmpty() || size.width() > kLargest || size.height() > kLargest)
        return std::nullopt;
    return size;
}

void addOptions(QCommandLineParser& parser)
{
    parser.setApplicationDescription(QStringLiteral("See every warp's memory traffic: predicted, measured, side by side."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(QStringLiteral("KERNEL|FILE.cu|SESSION.json"),
        QStringLiteral("What to open; otherwise the last experiment."), QStringLiteral("[KERNEL|FILE.cu|SESSION.json]"));
    parser.addOption({ QStringLiteral("entry"), QStringLiteral("Which of the file's launches."), QStringLiteral("NAME") });
    parser.addOption({ QStringLiteral("include"), QStringLiteral("Folder of headers, of a file without a manifest; --include again for another one."), QStringLiteral("DIR") });
    parser.addOption({ QStringLiteral("set"), QStringLiteral("Sets a parameter of the kernel."), QStringLiteral("NAME=VALUE") });
    parser.addOption({ QStringLiteral("device"), QStringLiteral("The GPU to predict for, such as h200."), QStringLiteral("NAME") });
    parser.addOption({ QStringLiteral("lang"), QStringLiteral("en or zh_CN."), QStringLiteral("LANGUAGE") });
    parser.addOption({ QStringLiteral("theme"), QStringLiteral("light, dark or system."), QStringLiteral("THEME") });
    parser.addOption({ QStringLiteral("show"), QStringLiteral("The tab to begin with: warp, source, sweep or pay."), QStringLiteral("TAB") });
    parser.addOption({ QStringLiteral("export"), QStringLiteral("Saves the comparison and ends; no window is shown."), QStringLiteral("FILE.png|.svg|.pdf|.html|.txt|.csv|.json") });
    parser.addOption({ QStringLiteral("screenshot"), QStringLiteral("Saves a picture of the whole window and ends."), QStringLiteral("FILE.png") });
    parser.addOption({ QStringLiteral("size"), QStringLiteral("Size of the picture or the window."), QStringLiteral("WxH") });
    parser.addOption({ QStringLiteral("scale"), QStringLiteral("Pixels a logical pixel of the picture (default 1)."), QStringLiteral("FACTOR") });
}

/// False where an option has a value that it does not know; it has been said which there are.
bool isKnown(const QCommandLineParser& parser, const char* option, const QStringList& known)
{
    const QString name = QString::fromLatin1(option);
    if (!parser.isSet(name) || known.contains(parser.value(name)))
        return true;
    const QString most = known.mid(0, known.size() - 1).join(QStringLiteral(", "));
    complain(QStringLiteral("--%1 takes %2 or %3, not '%4'.").arg(name, most, known.last(), parser.value(name)), kWrongUsage);
    return false;
}

/// Nothing where the usage is wrong; it has been said why.
std::optional<Arguments> parse(const QCommandLineParser& parser)
{
    Arguments arguments;
    const QStringList positional = parser.positionalArguments();
    if (positional.size() > 1) {
        complain(QStringLiteral("Only one kernel, file or session can be opened."), kWrongUsage);
        return std::nullopt;
    }
    arguments.start.open = positional.value(0);
    arguments.start.entry = parser.value(QStringLiteral("entry"));
    for (const QString& folder : parser.values(QStringLiteral("include")))
        arguments.start.headers << QFileInfo(folder).absoluteFilePath();
    for (const QString& setting : parser.values(QStringLiteral("set"))) {
        const qsizetype equals = setting.indexOf(QLatin1Char('='));
        if (equals <= 0) {
            complain(QStringLiteral("--set takes NAME=VALUE, not '%1'.").arg(setting), kWrongUsage);
            return std::nullopt;
        }
        arguments.start.values[setting.left(equals).toStdString()] = setting.mid(equals + 1).toStdString();
    }
    if (!isKnown(parser, "lang", languages()) || !isKnown(parser, "theme", themes()) || !isKnown(parser, "show", tabNames()))
        return std::nullopt;
    arguments.start.device = parser.value(QStringLiteral("device"));
    arguments.start.language = parser.value(QStringLiteral("lang"));
    arguments.start.theme = parser.value(QStringLiteral("theme"));
    arguments.start.show = parser.value(QStringLiteral("show"));
    arguments.exportPath = parser.value(QStringLiteral("export"));
    arguments.screenshotPath = parser.value(QStringLiteral("screenshot"));
    // A picture shows what the command line says, not what was open last; and leaves no trace.
    arguments.start.remember = arguments.exportPath.isEmpty() && arguments.screenshotPath.isEmpty();
    if (parser.isSet(QStringLiteral("size"))) {
        const std::optional<QSize> size = sizeOf(parser.value(QStringLiteral("size")));
        if (!size) {
            complain(QStringLiteral("--size takes WIDTHxHEIGHT, such as 1280x720."), kWrongUsage);
            return std::nullopt;
        }
        arguments.size = *size;
    }
    if (parser.isSet(QStringLiteral("scale"))) {
        arguments.scale = parser.value(QStringLiteral("scale")).toDouble();
        if (!(arguments.scale >= 0.5 && arguments.scale <= 8)) {
            complain(QStringLiteral("--scale takes a factor from 0.5 to 8."), kWrongUsage);
            return std::nullopt;
        }
    }
    return arguments;
}

/// Waits, in the event loop, until the window has everything, and then saves the picture.
void saveWhenReady(MainWindow& window, const Arguments& arguments)
{
    const auto finish = [](const Result<void>& result) {
        QCoreApplication::exit(result ? 0 : complain(textOf(result.error()).whole(), kernels::exitStatusOf(result.error().code)));
    };
    const auto save = [&window, arguments, finish] {
        if (!window.openError().isEmpty())
            return QCoreApplication::exit(complain(window.openError(), kBadInput));
        if (!window.predictor()->current())
            return QCoreApplication::exit(complain(window.whyNoPrediction(), kBadInput));
        if (const QString unused = window.unusedText(); !unused.isEmpty())
            complain(unused, 0);
        if (!arguments.exportPath.isEmpty())
            return window.exportTo(arguments.exportPath, arguments.size, arguments.scale, finish);
        if (window.grab().save(arguments.screenshotPath, "PNG", 0))
            return finish({});
        finish(fail(ErrorCode::FileFailed, "The picture could not be written.", arguments.screenshotPath.toStdString()));
    };
    // One more round of the event loop: what the last answer changed must be laid out.
    QObject::connect(&window, &MainWindow::settled, &window, [&window, save] { QTimer::singleShot(150, &window, save); },
        Qt::SingleShotConnection);
}

}

int main(int argc, char** argv)
{
    if (argc > 0 && std::strcmp(argv[0], "coalescope") == 0)
        programName = "coalescope";
    const bool picture = given(argc, argv, "--export") || given(argc, argv, "--screenshot");
    const bool words = given(argc, argv, "--help") || given(argc, argv, "-h") || given(argc, argv, "--version") || given(argc, argv, "-v");
    if (!picture && !words && !hasDisplay())
        return complain(QStringLiteral("There is no display here. Use the terminal program coalescope, or save a picture with "
                                       "--export FILE.html."),
            kFailed);
    if ((picture || words) && qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    for (int i = 1; i + 1 < argc && given(argc, argv, "--screenshot"); ++i) {
        if (std::strcmp(argv[i], "--scale") == 0)
            qputenv("QT_SCALE_FACTOR", argv[i + 1]); // Qt reads it before there is an application
    }
    installMessageFilter();
    QApplication application(argc, argv);
    std::setlocale(LC_NUMERIC, "C"); // Qt has taken the user's: manifests and sources have a point, not a comma
    QApplication::setApplicationName(QStringLiteral("coalescope-gui"));
    QApplication::setApplicationDisplayName(QStringLiteral("Coalescope"));
    QApplication::setApplicationVersion(QStringLiteral(COALESCOPE_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("coalescope"));
    QCommandLineParser parser;
    addOptions(parser);
    parser.process(application);
    const std::optional<Arguments> arguments = parse(parser);
    if (!arguments)
        return kWrongUsage;
    for (const Error& problem : kernels::loadCalibratedDevices())
        complain(textOf(problem).whole(), 0);
    MainWindow window(arguments->start);
    if (arguments->size.isValid())
        window.resize(arguments->size);
    if (picture) {
        saveWhenReady(window, *arguments);
        if (!arguments->screenshotPath.isEmpty())
            window.show();
        return QApplication::exec();
    }
    const QuitSignals signalsToEnd;
    QObject::connect(&signalsToEnd, &QuitSignals::quitAsked, &window, [&window] {
        window.close(); // whatever dialog is open
        QApplication::quit();
    });
    window.show();
    return QApplication::exec();
}
