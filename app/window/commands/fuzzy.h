#pragma once

#include <QString>

namespace plimsoll::app {

/// How well \p text answers to what was typed: its letters must occur in that order. Higher is better, −1 is not at
/// all. Runs, beginnings of words and the end of a path count more; long texts less.
[[nodiscard]] int fuzzyScore(QStringView pattern, QStringView text);

} // namespace plimsoll::app
