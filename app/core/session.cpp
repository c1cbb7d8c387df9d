// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/session.h"

#include "analysis/device/device_model.h"
#include "kernels/compile/kernel_declarations.h"
#include "kernels/source/manifest_template.h"
#include "kernels/source/program_kernels.h"
#include "kernels/source/python_source.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>

#include <algorithm>

namespace coalescope::app {
namespace {

    constexpr qint64 kLargestFileBytes = 8 << 20; // a kernel file or a session is text of a few kilobytes

    constexpr int kFormat = 1; ///< of what is written

    Result<QByteArray> readFile(const QString& path)
    {
        QFile file(path);
        if (const QFileInfo info(path); info.exists() && !info.isFile()) // a pipe would never end
            return fail(ErrorCode::BadInput, "This is no file that can be read.", path.toStdString());
        if (!file.open(QIODevice::ReadOnly))
            return fail(ErrorCode::FileFailed, file.errorString().toStdString(), path.toStdString());
        if (file.size() > kLargestFileBytes)
            return fail(ErrorCode::BadInput, "The file is too large to be a kernel or a session.", path.toStdString());
        return file.readAll();
    }

    std::string sourceIn(const QString& path, const QByteArray& text)
    {
        return kernels::isPython(path.toStdString()) ? kernels::cudaOfPython(text.toStdString()) : text.toStdString();
    }

    /// Why there can be no kernel; empty: there may be one, if only in another of the program's files.
    std::string whyNoKernel(const std::string& source, const QString& path)
    {
        if (source.find_first_not_of(" \t\r\n") == source.npos)
            return kernels::isPython(path.toStdString()) ? "No string of three quotes in the file holds CUDA source." : "The file is empty.";
        if (source.find('\0') != source.npos)
            return "The file is no text.";
        return "";
    }

    /// A file's kernels, and which of them was asked for.
    struct FileKernels {
        std::vector<SpecPointer> all;
        SpecPointer chosen;
    };

    Result<FileKernels> readProgram(const std::string& source, const std::string& name, const QString& path, const QString& entry, const QStringList& headers)
    {
        kernels::CompileSettings compile;
        for (const QString& folder : headers)
            compile.include.emplace_back(folder.toStdString());
        const auto program = kernels::programKernels(source, name, path.toStdString(), compile);
        if (!program)
            return std::unexpected(program.error());
        if (program->kernels.empty() && program->unread.empty())
            return fail(ErrorCode::BadInput, "The file holds no __global__ function.", name);
        const auto chosen = kernels::chosenKernel(*program, entry.toStdString(), name);
        if (!chosen)
            return std::unexpected(chosen.error());
        FileKernels found;
        for (const kernels::KernelSpec& spec : program->kernels) {
            found.all.push_back(std::make_shared<const kernels::KernelSpec>(spec));
            if (&spec == *chosen)
                found.chosen = found.all.back();
        }
        return found;
    }

    Result<std::string> readSource(const QString& path)
    {
        const Result<QByteArray> text = readFile(path);
        if (!text)
            return std::unexpected(text.error());
        return sourceIn(path, *text);
    }

    Result<FileKernels> readKernel(const std::string& source, const QString& path, const QString& entry, const QStringList& headers)
    {
        const std::string name = QFileInfo(path).fileName().toStdString();
        if (kernels::lacksManifest(source)) {
            const std::string why = whyNoKernel(source, path);
            return why.empty() ? readProgram(source, name, QFileInfo(path).absoluteFilePath(), entry, headers) : fail(ErrorCode::BadInput, why, name);
        }
        Result<kernels::KernelSpec> spec = kernels::kernelOfFile(source, QFileInfo(path).absoluteFilePath().toStdString());
        if (!spec)
            return std::unexpected(spec.error());
        SpecPointer kernel = std::make_shared<const kernels::KernelSpec>(std::move(*spec));
        return FileKernels { { kernel }, kernel };
    }

    Opened openedAs(SpecPointer spec, Session session)
    {
        kernels::ParameterValues given = std::move(session.values);
        session.values = fittingValues(*spec, given);
        std::erase_if(given, [&](const auto& value) { return session.values.contains(value.first); });
        return { .spec = std::move(spec), .session = std::move(session), .sessionPath = {}, .unused = std::move(given), .ofFile = {} };
    }

    std::uint32_t index(const QJsonValue& value) { return std::uint32_t(std::max(0, value.toInt())); }

    QJsonObject launchToJson(const Session& session)
    {
        QJsonObject values;
        for (const auto& [name, value] : session.values)
            values[QString::fromStdString(name)] = QString::fromStdString(value);
        QJsonObject launch { { "device", session.device }, { "values", values } };
        if (session.file.isEmpty())
            launch["kernel"] = session.kernel;
        else
            launch["file"] = session.file;
        if (!session.entry.isEmpty())
            launch["entry"] = session.entry;
        if (!session.headers.isEmpty())
            launch["headers"] = QJsonArray::fromStringList(session.headers);
        if (!session.source.isEmpty())
            launch["source"] = session.source;
        if (session.pinnedAt.isValid())
            launch["pinned at"] = session.pinnedAt.toString(Qt::ISODate);
        return launch;
    }

    /// Without a kernel where none is named.
    Session launchFromJson(const QJsonObject& launch)
    {
        Session session;
        session.kernel = launch["kernel"].toString();
        session.file = launch["file"].toString();
        session.entry = launch["entry"].toString();
        for (const QJsonValue& folder : launch["headers"].toArray())
            session.headers << folder.toString();
        session.device = launch["device"].toString();
        session.source = launch["source"].toString();
        session.pinnedAt = QDateTime::fromString(launch["pinned at"].toString(), Qt::ISODate);
        const QJsonObject values = launch["values"].toObject();
        for (auto it = values.begin(); it != values.end(); ++it)
            session.values[it.key().toStdString()] = it.value().toVariant().toString().toStdString();
        return session;
    }

    /// Both the session and its kernel were moved, or came from another machine.
    void lookBeside(Session& session, const QDir& folder)
    {
        const QString beside = folder.filePath(QFileInfo(session.file).fileName());
        if (!session.file.isEmpty() && !QFileInfo::exists(session.file) && QFileInfo(beside).isFile())
            session.file = beside;
    }

}

Session sessionOf(const ExperimentState& state)
{
    Session session;
    if (state.spec) {
        if (state.spec->path.empty())
            session.kernel = QString::fromStdString(state.spec->id);
        else
            session.file = QString::fromStdString(state.spec->path.string());
        if (!state.spec->derived.empty()) {
            session.entry = QString::fromStdString(state.spec->entry);
            for (const std::filesystem::path& folder : state.spec->compile.include)
                session.headers << QString::fromStdString(folder.string());
        }
    }
    session.values = state.values;
    session.device = state.device;
    return session;
}

Session sessionOf(const Experiment& experiment)
{
    Session session = sessionOf(experiment.state());
    session.selection = experiment.selection();
    return session;
}

QByteArray sessionToJson(const Session& session)
{
    QJsonObject root = launchToJson(session);
    root["coalescope"] = kFormat;
    const auto& [block, warp, step] = session.selection;
    root["block"] = QJsonArray { qint64(block.x), qint64(block.y), qint64(block.z) };
    root["warp"] = warp;
    root["step"] = step;
    if (!session.tab.isEmpty())
        root["tab"] = session.tab;
    if (session.ranges) {
        QJsonObject ranges;
        for (const auto& [name, range] : *session.ranges)
            ranges[QString::fromStdString(name)] = range;
        root["sweep"] = ranges;
    }
    if (session.compared)
        root["compared"] = QJsonArray { session.compared->first, session.compared->second };
    if (session.pinned) {
        QJsonArray pinned;
        for (const Session& launch : *session.pinned)
            pinned.append(launchToJson(launch));
        root["pinned"] = pinned;
    }
    return QJsonDocument(root).toJson();
}

Result<Session> sessionFromJson(const QByteArray& json)
{
    QJsonParseError problem;
    const QJsonDocument document = QJsonDocument::fromJson(json, &problem);
    const QJsonObject root = document.object();
    if (!document.isObject() || !root.contains("coalescope"))
        return fail(ErrorCode::BadInput, "This is no Coalescope session.");
    const int format = root["coalescope"].toInt();
    if (format > kFormat)
        return fail(ErrorCode::BadInput,
            "The session is of a newer Coalescope (format " + std::to_string(format) + ", this one reads "
                + std::to_string(kFormat) + "): open it there, or make it anew here.");
    if (format != kFormat)
        return fail(ErrorCode::BadInput, "This is no Coalescope session.");
    Session session = launchFromJson(root);
    if (session.kernel.isEmpty() && session.file.isEmpty())
        return fail(ErrorCode::BadInput, "The session names no kernel.");
    const QJsonArray block = root["block"].toArray();
    session.selection.block = { index(block.at(0)), index(block.at(1)), index(block.at(2)) };
    session.selection.warp = std::max(0, root["warp"].toInt());
    session.selection.step = std::max(-1, root["step"].toInt(-1));
    session.tab = root["tab"].toString();
    if (root["sweep"].isObject()) {
        const QJsonObject ranges = root["sweep"].toObject();
        session.ranges.emplace();
        for (auto it = ranges.begin(); it != ranges.end(); ++it)
            (*session.ranges)[it.key().toStdString()] = it.value().toString();
    }
    if (const QJsonArray compared = root["compared"].toArray(); compared.size() == 2)
        session.compared = { compared[0].toString(), compared[1].toString() };
    if (root["pinned"].isArray()) {
        session.pinned.emplace();
        for (const QJsonValue& launch : root["pinned"].toArray())
            session.pinned->push_back(launchFromJson(launch.toObject()));
    }
    return session;
}

Result<void> saveSession(const Session& session, const QString& path)
{
    QSaveFile file(path);
    const QByteArray json = sessionToJson(session);
    if (!file.open(QIODevice::WriteOnly) || file.write(json) != json.size() || !file.commit())
        return fail(ErrorCode::FileFailed, file.errorString().toStdString(), path.toStdString());
    return {};
}

Result<Opened> openSession(Session session)
{
    if (!session.file.isEmpty()) {
        const Result<std::string> source = session.source.isEmpty() ? readSource(session.file) : session.source.toStdString();
        if (!source)
            return std::unexpected(source.error());
        Result<FileKernels> read = readKernel(*source, session.file, session.entry, session.headers);
        if (!read)
            return std::unexpected(read.error());
        Opened opened = openedAs(read->chosen, std::move(session));
        opened.ofFile = std::move(read->all);
        return opened;
    }
    SpecPointer spec = catalogueSpec(session.kernel.toStdString());
    if (!spec)
        return fail(ErrorCode::UnknownKernel, "There is no kernel of this name.", session.kernel.toStdString());
    return openedAs(std::move(spec), std::move(session));
}

QString manifestFor(const QString& path)
{
    const Result<QByteArray> text = readFile(path);
    if (!text || path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive))
        return {};
    const std::string source = sourceIn(path, *text);
    if (!kernels::lacksManifest(source) || !whyNoKernel(source, path).empty() || kernels::kernelDeclarations(source).empty())
        return {};
    return QString::fromStdString(kernels::manifestTemplate(source));
}

Result<Opened> openFile(const QString& path, const QString& device, const QString& entry, const QStringList& headers)
{
    if (!path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive)) {
        Session session;
        session.file = QFileInfo(path).absoluteFilePath();
        session.entry = entry;
        session.headers = headers;
        return openSession(std::move(session));
    }
    const Result<QByteArray> text = readFile(path);
    if (!text)
        return std::unexpected(text.error());
    Result<Session> session = sessionFromJson(*text);
    if (!session) {
        session.error().where = path.toStdString();
        return std::unexpected(session.error());
    }
    const QDir folder = QFileInfo(path).dir();
    lookBeside(*session, folder);
    if (session->pinned) {
        for (Session& launch : *session->pinned)
            lookBeside(launch, folder);
    }
    if (!device.isEmpty())
        session->device = device;
    else if (const auto known = analysis::deviceNamed(session->device.toStdString()); !known && !session->device.isEmpty())
        return fail(ErrorCode::BadInput,
            "The session's device: " + known.error().detail + "; started with --device NAME, the program opens it for another one.", path.toStdString());
    Result<Opened> opened = openSession(std::move(*session));
    if (opened)
        opened->sessionPath = path;
    return opened;
}

} // namespace coalescope::app
