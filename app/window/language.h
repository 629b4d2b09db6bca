#pragma once

#include "core/facts/english/english.h"

#include <QString>
#include <QTranslator>

#include <array>
#include <map>
#include <string>

namespace plimsoll::app {

/// What --language and the settings may say; "system" is the first of the desktop's languages that the window speaks.
inline constexpr std::array Languages {"system", "en", "de"};
[[nodiscard]] bool isLanguage(const QString& id);

/// While it lives, the window speaks a language: its own texts, those of Qt, and the sentences and words of core. It
/// comes before all windows and threads, and goes after them.
class SpokenLanguage
{
public:
    explicit SpokenLanguage(const QString& id); ///< One of Languages.
    SpokenLanguage(const SpokenLanguage&) = delete;
    SpokenLanguage& operator=(const SpokenLanguage&) = delete;
    ~SpokenLanguage();

private:
    std::map<std::string, std::string> m_sentences; ///< By id.
    std::map<std::string, std::string> m_words;     ///< By the English ones.
    QTranslator m_window;
    QTranslator m_qt;
};

} // namespace plimsoll::app
