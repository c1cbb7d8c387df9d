// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/settings.h"

#include <QFileInfo>
#include <QSettings>
#include <QVariantMap>

#include <algorithm>

namespace coalescope::app {
namespace {

    constexpr int kMostPrefixes = 8;
    constexpr int kMostSideWidth = 4000;

    QSettings store()
    {
        return QSettings(QSettings::IniFormat, QSettings::UserScope, QStringLiteral("coalescope"),
            QStringLiteral("coalescope-gui"));
    }

    /// The value if it is one of the allowed ones.
    QString oneOf(const QString& value, const QStringList& allowed, const QString& fallback)
    {
        return allowed.contains(value) ? value : fallback;
    }

}

QStringList themes()
{
    return { QStringLiteral("light"), QStringLiteral("dark"), QStringLiteral("system") };
}

LoadedSettings loadSettings()
{
    const QSettings file = store();
    LoadedSettings loaded;
    // Qt reads any bytes as some settings: what this program wrote has a theme.
    const bool foreign = QFileInfo(file.fileName()).size() > 0 && !file.contains(QStringLiteral("window/theme"));
    loaded.damaged = file.status() != QSettings::NoError || foreign;
    Settings& settings = loaded.settings;
    settings.session = file.value(QStringLiteral("session/last")).toByteArray();
    settings.sessionPath = file.value(QStringLiteral("session/path")).toString();
    settings.geometry = file.value(QStringLiteral("window/geometry")).toByteArray();
    const auto width = [&](const char* key) { return std::clamp(file.value(QLatin1String(key)).toInt(), 0, kMostSideWidth); };
    settings.leftWidth = width("window/leftWidth");
    settings.rightWidth = width("window/rightWidth");
    settings.theme = oneOf(file.value(QStringLiteral("window/theme")).toString(),
        themes(), QStringLiteral("system"));
    settings.textSize = std::clamp(file.value(QStringLiteral("window/textSize"), kNormalTextSize).toInt(), kLeastTextSize, kMostTextSize);
    settings.language = oneOf(file.value(QStringLiteral("window/language")).toString(),
        { QStringLiteral("en"), QStringLiteral("zh_CN") }, QString());
    settings.target.prefix = file.value(QStringLiteral("target/prefix")).toString();
    settings.target.program = file.value(QStringLiteral("target/program")).toString();
    settings.prefixes = file.value(QStringLiteral("target/known")).toStringList().mid(0, kMostPrefixes);
    settings.recent = file.value(QStringLiteral("files/recent")).toStringList().mid(0, kMostRecentFiles);
    const QVariantMap headers = file.value(QStringLiteral("files/headers")).toMap();
    for (const QString& path : settings.recent)
        if (headers.contains(path))
            settings.headers[path] = headers[path].toStringList();
    return loaded;
}

void saveSettings(const Settings& settings)
{
    QSettings file = store();
    file.setValue(QStringLiteral("session/last"), settings.session);
    file.setValue(QStringLiteral("session/path"), settings.sessionPath);
    file.setValue(QStringLiteral("window/geometry"), settings.geometry);
    file.setValue(QStringLiteral("window/leftWidth"), settings.leftWidth);
    file.setValue(QStringLiteral("window/rightWidth"), settings.rightWidth);
    file.setValue(QStringLiteral("window/theme"), settings.theme);
    file.setValue(QStringLiteral("window/textSize"), settings.textSize);
    file.setValue(QStringLiteral("window/language"), settings.language);
    file.setValue(QStringLiteral("target/prefix"), settings.target.prefix);
    file.setValue(QStringLiteral("target/program"), settings.target.program);
    file.setValue(QStringLiteral("target/known"), settings.prefixes.mid(0, kMostPrefixes));
    file.setValue(QStringLiteral("files/recent"), settings.recent);
    QVariantMap headers;
    for (auto it = settings.headers.begin(); it != settings.headers.end(); ++it)
        headers[it.key()] = it.value();
    file.setValue(QStringLiteral("files/headers"), headers);
}

} // namespace coalescope::app
