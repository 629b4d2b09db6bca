#include "app/window/language.h"
#include "tests/app/support/app_samples.h"
#include "tests/app/support/open_window.h"
#include "tests/app/window/shown_words.h"
#include "tests/house/house_files.h"

#include <QDir>
#include <QDockWidget>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLibraryInfo>
#include <QMenu>
#include <QMenuBar>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QXmlStreamReader>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

const QString Folder = QStringLiteral(PLIMSOLL_SOURCE_DIR "/resources/translations");

struct Text
{
    QString context;
    QString source;
    QString translation;
    bool finished = false;
};

QList<Text> textsOf(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return {};
    QXmlStreamReader xml(&file);
    QList<Text> texts;
    QString context;
    while (!xml.atEnd()) {
        xml.readNext();
        if (!xml.isStartElement()) continue;
        if (xml.name() == QLatin1String("name")) context = xml.readElementText();
        if (xml.name() == QLatin1String("source")) texts << Text {context, xml.readElementText(), {}, false};
        if (xml.name() != QLatin1String("translation")) continue;
        texts.last().finished = !xml.attributes().hasAttribute(QStringLiteral("type"));
        texts.last().translation = xml.readElementText();
    }
    return texts;
}

/// What a template names, in any order: "%1", "%n", "{0}".
QStringList placesIn(const QString& text)
{
    static const QRegularExpression place(QStringLiteral(R"(%\d|%n|\{\d+)"));
    QStringList places;
    for (auto all = place.globalMatch(text); all.hasNext();)
        places << all.next().captured();
    places.sort();
    return places;
}

/// Of menus and buttons; "&&" is none.
qsizetype lettersIn(QString text)
{
    return text.remove(QStringLiteral("&&")).count(u'&');
}

QMap<QString, QString> catalogueOf(const QString& path)
{
    QFile file(path);
    QMap<QString, QString> texts;
    if (!file.open(QIODevice::ReadOnly)) return texts;
    QJsonParseError error;
    const QJsonObject object = QJsonDocument::fromJson(file.readAll(), &error).object();
    if (error.error != QJsonParseError::NoError) qFatal("%s: %s", qPrintable(path), qPrintable(error.errorString()));
    for (auto text = object.begin(); text != object.end(); ++text)
        texts.insert(text.key(), text.value().toString());
    return texts;
}

/// "{0:node}" has no plural in another language, and "{0:~}" takes the capital of a noun.
bool isEnglishForm(const QString& text)
{
    static const QRegularExpression form(QStringLiteral(R"(\{\d+:(?!-\})[^}|]*\})"));
    return form.match(text).hasMatch();
}

QString qString(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

} // namespace

/// German is complete and says what the English texts say.
class TranslationsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { test::failOnWarnings(); }
    void textsOfTheWindowAreTranslated();
    void textsOfTheSourcesAreKnown();
    void wordsAreTranslated();
    void sentencesAreTranslated();
    void sentencesOfTheCatalogueAreSaid();
    void menuLettersAreNotGivenTwice();
    void theWindowSpeaksWhatItIsToldTo();
};

void TranslationsTest::textsOfTheWindowAreTranslated()
{
    const QList<Text> texts = textsOf(Folder + QStringLiteral("/plimsoll_de.ts"));
    QStringList wrong;
    for (const Text& text : texts)
        if (!text.finished || text.translation.isEmpty() || placesIn(text.source) != placesIn(text.translation) ||
            lettersIn(text.source) != lettersIn(text.translation))
            wrong << text.context + QStringLiteral(": ") + text.source;
    QVERIFY(texts.size() > 400);
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n')));
}

/// What the target update_translations would add.
void TranslationsTest::textsOfTheSourcesAreKnown()
{
    const QString program = QLibraryInfo::path(QLibraryInfo::BinariesPath) + QStringLiteral("/lupdate");
    if (!QFile::exists(program)) QSKIP("lupdate of Qt is not installed (qt6-l10n-tools)");
    const QTemporaryDir folder;
    QStringList arguments {QStringLiteral("-silent"), QStringLiteral("-I"), QStringLiteral(PLIMSOLL_SOURCE_DIR)};
    for (const QString& file : test::sourceFiles())
        if (file.startsWith(QStringLiteral("app/"))) arguments << QStringLiteral(PLIMSOLL_SOURCE_DIR "/") + file;
    const QString found = folder.filePath(QStringLiteral("found.ts"));
    QCOMPARE(QProcess::execute(program, arguments << QStringLiteral("-ts") << found), 0);
    QSet<std::pair<QString, QString>> known;
    for (const Text& text : textsOf(Folder + QStringLiteral("/plimsoll_de.ts")))
        known.insert({text.context, text.source});
    QStringList missing;
    for (const Text& text : textsOf(found))
        if (!known.remove({text.context, text.source})) missing << text.context + QStringLiteral(": ") + text.source;
    QVERIFY2(missing.isEmpty(), qPrintable(missing.join(u'\n')));
    for (const auto& [context, source] : known)
        missing << context + QStringLiteral(": ") + source;
    QVERIFY2(missing.isEmpty(), qPrintable(QStringLiteral("in no source any more: ") + missing.join(u'\n')));
}

void TranslationsTest::wordsAreTranslated()
{
    const QMap<QString, QString> words = catalogueOf(Folder + QStringLiteral("/de/words.json"));
    const QSet<QString> shown = test::shownWords();
    QStringList wrong;
    for (const QString& word : shown)
        if (!words.contains(word)) wrong << word;
    wrong.sort();
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n')));
    for (auto word = words.begin(); word != words.end(); ++word)
        if (!shown.contains(word.key()) || placesIn(word.key()) != placesIn(word.value()) ||
            lettersIn(word.key()) != lettersIn(word.value()))
            wrong << word.key();
    QVERIFY2(wrong.isEmpty(), qPrintable(QStringLiteral("not shown, or of another form: ") + wrong.join(u'\n')));
}

void TranslationsTest::sentencesAreTranslated()
{
    QMap<QString, QString> german;
    for (const QString& name : QDir(Folder + QStringLiteral("/de")).entryList({QStringLiteral("*.json")}))
        if (name != QStringLiteral("words.json")) german.insert(catalogueOf(Folder + QStringLiteral("/de/") + name));
    QStringList wrong;
    for (const Sentence& sentence : englishSentences()) {
        const QString text = german.value(qString(sentence.id));
        const QStringList places = placesIn(qString(sentence.text));
        const bool known =
            std::ranges::all_of(placesIn(text), [&](const QString& one) { return places.contains(one); });
        if (text.isEmpty() || !known || isEnglishForm(text)) wrong << qString(sentence.id);
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(QStringLiteral("%1: %2").arg(wrong.size()).arg(wrong.join(u' '))));
}

void TranslationsTest::sentencesOfTheCatalogueAreSaid()
{
    QStringList wrong;
    for (const QString& name : QDir(Folder + QStringLiteral("/de")).entryList({QStringLiteral("*.json")})) {
        if (name == QStringLiteral("words.json")) continue;
        const QMap<QString, QString> texts = catalogueOf(Folder + QStringLiteral("/de/") + name);
        for (auto text = texts.begin(); text != texts.end(); ++text)
            if (knownId(text.key().toStdString()).empty()) wrong << name + QStringLiteral(": ") + text.key();
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n')));
}

void TranslationsTest::menuLettersAreNotGivenTwice()
{
    const SpokenLanguage german(QStringLiteral("de"));
    test::OpenWindow app;
    QStringList twice;
    QStringList without;
    QList<QMenu*> menus = app.window.findChildren<QMenu*>();
    QList<QList<QAction*>> lists {app.window.menuBar()->actions()};
    for (const QMenu* menu : menus)
        lists << menu->actions();
    for (const QList<QAction*>& entries : lists) {
        QMap<QString, QString> taken;
        for (const QAction* entry : entries) {
            const QString letter = QKeySequence::mnemonic(entry->text()).toString();
            if (entry->isSeparator() || letter.isEmpty()) continue;
            if (taken.contains(letter)) twice << letter + u' ' + taken[letter] + QStringLiteral(" / ") + entry->text();
            taken[letter] = entry->text();
        }
    }
    QVERIFY2(twice.isEmpty(), qPrintable(twice.join(u'\n')));
}

void TranslationsTest::theWindowSpeaksWhatItIsToldTo()
{
    {
        const SpokenLanguage german(QStringLiteral("de"));
        test::OpenWindow app;
        QCOMPARE(app.window.menuBar()->actions().first()->text(), QStringLiteral("&Datei"));
        QCOMPARE(app.window.actions().at("file.open")->text(), QStringLiteral("Ö&ffnen …"));
    }
    const SpokenLanguage english(QStringLiteral("en"));
    test::OpenWindow app;
    QCOMPARE(app.window.menuBar()->actions().first()->text(), QStringLiteral("&File"));
    QCOMPARE(app.window.actions().at("file.open")->text(), QStringLiteral("&Open…"));
}

QTEST_MAIN(TranslationsTest)
#include "tst_translations.moc"
