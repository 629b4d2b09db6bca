#pragma once

#include <QSet>
#include <QString>

namespace plimsoll::test {

/// The English words of ours that are shown by themselves, which words.json of a language translates: titles, tips and
/// roles in the tables of core and of the window, texts of the samples, and what the sources hand to spoken(),
/// translated() and cell::word(), or name a fact with.
[[nodiscard]] QSet<QString> shownWords();

} // namespace plimsoll::test
