#include "app/window/commands/fuzzy.h"

#include "core/base/narrow.h"

namespace plimsoll::app {
namespace {

bool startsWord(QStringView text, qsizetype at)
{
    if (at == 0) return true;
    const QChar before = text[at - 1];
    return !before.isLetterOrNumber() || (before.isLower() && text[at].isUpper());
}

} // namespace

int fuzzyScore(QStringView pattern, QStringView text)
{
    if (pattern.isEmpty()) return 0;
    if (const qsizetype whole = text.indexOf(pattern, 0, Qt::CaseInsensitive); whole >= 0) {
        const int length = narrow<int>(std::min<qsizetype>(text.size() - pattern.size(), 300));
        return 1000 + (startsWord(text, whole) ? 200 : 0) - length;
    }
    int score = 0;
    qsizetype at = 0;
    qsizetype last = -2;
    for (const QChar wanted : pattern) {
        if (wanted.isSpace()) continue;
        const QChar lower = wanted.toLower();
        while (at < text.size() && text[at].toLower() != lower)
            ++at;
        if (at == text.size()) return -1;
        score += 10 + (at == last + 1 ? 15 : 0) + (startsWord(text, at) ? 20 : 0);
        last = at++;
    }
    return std::max(0, score - narrow<int>(std::min<qsizetype>(text.size(), 300)) / 10);
}

} // namespace plimsoll::app
