// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

#include <memory>
#include <vector>

/// The translations are linked into a static library: nothing registers them unless asked to.
static void initTranslations()
{
    Q_INIT_RESOURCE(coalescope);
}

namespace coalescope::app {
namespace {

    std::vector<std::unique_ptr<QTranslator>>& installed()
    {
        static std::vector<std::unique_ptr<QTranslator>> translators;
        return translators;
    }

    void install(const QString& name, const QString& directory)
    {
        auto translator = std::make_unique<QTranslator>();
        if (translator->load(name, directory) && QCoreApplication::installTranslator(translator.get()))
            installed().push_back(std::move(translator));
    }

    QString& current()
    {
        static QString language = QStringLiteral("en");
        return language;
    }

}

QStringList languages()
{
    return { QStringLiteral("en"), QStringLiteral("zh_CN") };
}

QString systemLanguage()
{
    return QLocale::system().language() == QLocale::Chinese ? QStringLiteral("zh_CN") : QStringLiteral("en");
}

void applyLanguage(const QString& language)
{
    initTranslations();
    current() = languages().contains(language) ? language : QStringLiteral("en");
    QLocale::setDefault(current() == QLatin1String("zh_CN") ? QLocale(QLocale::Chinese, QLocale::China)
                                                           : QLocale(QLocale::English, QLocale::UnitedStates));
    installed().clear(); // a translator that is destroyed is removed
    install(QStringLiteral("qtbase_") + current(), QLibraryInfo::path(QLibraryInfo::TranslationsPath));
    // English has one too: it knows the plurals.
    install(QStringLiteral("coalescope_") + current(), QStringLiteral(":/i18n"));
}

QString currentLanguage()
{
    return current();
}

} // namespace coalescope::app
