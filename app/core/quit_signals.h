// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace coalescope::app {

/// While it lives, the first SIGTERM, SIGINT or SIGHUP (a logout, Ctrl-C, a terminal that goes) asks in the event loop for the end,
/// so that it is one by Ctrl+Q; the second ends the program at once.
class QuitSignals : public QObject {
    Q_OBJECT
public:
    explicit QuitSignals(QObject* parent = nullptr);
    ~QuitSignals() override;

signals:
    void quitAsked();

private:
    int m_ends[2] = { -1, -1 }; ///< a pipe: a signal handler may write to it, and do next to nothing else
};

} // namespace coalescope::app
