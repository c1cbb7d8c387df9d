// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/app_test.h"

#include <QFile>
#include <QRegularExpression>
#include <QTest>
#include <QXmlStreamReader>

class TranslationsTest : public QObject {
    Q_OBJECT
private slots:
    void everyStringIsTranslated_data();
    void everyStringIsTranslated();
    void placeholdersSurvive();
};

void TranslationsTest::everyStringIsTranslated_data()
{
    QTest::addColumn<QString>("language");
    QTest::newRow("zh_CN") << QStringLiteral("zh_CN");
    QTest::newRow("en plurals") << QStringLiteral("en");
}

namespace {

struct Message {
    QString source;
    QStringList translations;
    bool unfinished = false;
};

QList<Message> messagesOf(const QString& language)
{
    QList<Message> messages;
    QFile file(QStringLiteral(COALESCOPE_SOURCE_DIR "/resources/translations/coalescope_%1.ts").arg(language));
    if (!file.open(QIODevice::ReadOnly))
        return messages;
    QXmlStreamReader xml(&file);
    while (!xml.atEnd()) {
        xml.readNext();
        if (!xml.isStartElement())
            continue;
        if (xml.name() == QLatin1String("message"))
            messages.append(Message {});
        else if (xml.name() == QLatin1String("source"))
            messages.last().source = xml.readElementText();
        else if (xml.name() == QLatin1String("numerusform"))
            messages.last().translations << xml.readElementText();
        else if (xml.name() == QLatin1String("translation")) {
            messages.last().unfinished = !xml.attributes().value(QLatin1String("type")).isEmpty();
            while (!xml.atEnd() && !(xml.isEndElement() && xml.name() == QLatin1String("translation"))) {
                xml.readNext();
                if (xml.isStartElement())
                    messages.last().translations << xml.readElementText();
                else if (xml.isCharacters() && !xml.isWhitespace())
                    messages.last().translations << xml.text().toString();
            }
        }
    }
    return messages;
}

}

void TranslationsTest::everyStringIsTranslated()
{
    QFETCH(QString, language);
    const QList<Message> messages = messagesOf(language);
    QVERIFY(!messages.isEmpty());
    for (const Message& message : messages) {
        QVERIFY2(!message.unfinished, qPrintable(message.source));
        QVERIFY2(!message.translations.isEmpty() && !message.translations.contains(QString()), qPrintable(message.source));
    }
}

void TranslationsTest::placeholdersSurvive()
{
    static const QRegularExpression placeholder(QStringLiteral("%[1-9]"));
    for (const Message& message : messagesOf(QStringLiteral("zh_CN"))) {
        QSet<QString> wanted, found;
        for (auto it = placeholder.globalMatch(message.source); it.hasNext();)
            wanted << it.next().captured();
        for (auto it = placeholder.globalMatch(message.translations.join(u' ')); it.hasNext();)
            found << it.next().captured();
        QVERIFY2(wanted == found, qPrintable(message.source));
    }
}

APP_TEST(TranslationsTest, QCoreApplication)
#include "translations_test.moc"
