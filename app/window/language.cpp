#include "app/window/language.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QLibraryInfo>
#include <QLocale>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace plimsoll::app {
namespace {

const QString English = QStringLiteral("en");

/// Of "de-AT" "de".
QString firstSpoken(const QStringList& wanted)
{
    for (const QString& language : wanted) {
        const QString id = language.section(u'-', 0, 0).section(u'_', 0, 0);
        if (isLanguage(id)) return id;
    }
    return English;
}

void read(const QString& path, std::map<std::string, std::string>& texts)
{
    QFile file(path);
    if (file.open(QIODevice::ReadOnly))
        texts.merge(nlohmann::json::parse(file.readAll().toStdString()).get<std::map<std::string, std::string>>());
}

std::vector<Sentence> listed(const std::map<std::string, std::string>& texts)
{
    std::vector<Sentence> all;
    for (const auto& [id, text] : texts)
        all.push_back({id, text});
    return all;
}

/// Those that are not there are English.
std::vector<Sentence> withEnglish(std::vector<Sentence> sentences)
{
    const std::vector<Sentence> english = englishSentences();
    sentences.insert(sentences.end(), english.begin(), english.end());
    return sentences;
}

} // namespace

bool isLanguage(const QString& id)
{
    return std::ranges::any_of(Languages, [&](const char* known) { return id == QLatin1String(known); });
}

SpokenLanguage::SpokenLanguage(const QString& id)
{
    const QString language = id == QStringLiteral("system") ? firstSpoken(QLocale::system().uiLanguages()) : id;
    if (language == English) return;
    const QDir folder(QStringLiteral(":/translations/") + language);
    for (const QString& name : folder.entryList({QStringLiteral("*.json")}))
        read(folder.filePath(name), name == QStringLiteral("words.json") ? m_words : m_sentences);
    speak(withEnglish(listed(m_sentences)), listed(m_words));
    const QString qt = QLibraryInfo::path(QLibraryInfo::TranslationsPath);
    if (m_qt.load(QStringLiteral("qtbase_") + language, qt)) QCoreApplication::installTranslator(&m_qt);
    if (m_window.load(QStringLiteral(":/i18n/plimsoll_") + language)) QCoreApplication::installTranslator(&m_window);
}

SpokenLanguage::~SpokenLanguage()
{
    speak({});
}

} // namespace plimsoll::app
