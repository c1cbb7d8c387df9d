// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/result/error.h"
#include "app/core/experiment.h"

#include <QByteArray>
#include <QDateTime>

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace coalescope::app {

/// An experiment as it is written down: in the settings, in a session file.
struct Session {
    QString kernel; ///< catalogue id; empty for a file
    QString file; ///< absolute path of a user's kernel file; empty for the catalogue
    QString entry; ///< of a program without a manifest: which of its kernels; empty: the first
    QStringList headers; ///< of a program without a manifest: folders of headers, beside the file's own
    kernels::ParameterValues values;
    QString source; ///< of a pinned launch of a file: as it was when it was pinned; empty: as the file is
    QDateTime pinnedAt; ///< of a pinned launch; not valid: not said
    QString device;
    Selection selection;
    QString tab; ///< by name; empty: not said
    std::optional<std::map<std::string, QString>> ranges; ///< as typed for a sweep; nothing: not said
    std::optional<std::pair<QString, QString>> compared; ///< the variants A and B, by PayPanel's keys; nothing: not said
    std::optional<std::vector<Session>> pinned; ///< launches to compare with, the newest first: kernel, values and device; nothing: not said
};

[[nodiscard]] Session sessionOf(const ExperimentState& state);
[[nodiscard]] Session sessionOf(const Experiment& experiment);
[[nodiscard]] QByteArray sessionToJson(const Session& session);

/// Errors: BadInput where the text is no session, or one of a later format.
[[nodiscard]] Result<Session> sessionFromJson(const QByteArray& json);

/// Writes the file whole or not at all. Errors: FileFailed.
[[nodiscard]] Result<void> saveSession(const Session& session, const QString& path);

/// Reads what the window can open: a session file, a kernel file (*.cu). A device that is given takes the place of the session's.
///
/// Errors: FileFailed, BadInput. Not for the GUI thread: a file may be slow to come.
struct Opened {
    SpecPointer spec;
    Session session; ///< its values are ones that the kernel takes
    QString sessionPath; ///< empty: no session was opened, or the last experiment
    kernels::ParameterValues unused; ///< the other values that the session has
    std::vector<SpecPointer> ofFile; ///< the file's kernels, `spec` among them; empty: of the catalogue
};
[[nodiscard]] Result<Opened> openFile(
    const QString& path, const QString& device = {}, const QString& entry = {}, const QStringList& headers = {});

/// A manifest to start from where that is all the kernel file lacks; empty otherwise. Not for the GUI thread.
[[nodiscard]] QString manifestFor(const QString& path);

/// The kernel of a session, from the catalogue or its file.
[[nodiscard]] Result<Opened> openSession(Session session);

} // namespace coalescope::app
