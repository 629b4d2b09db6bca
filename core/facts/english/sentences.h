#pragma once

#include "core/facts/english/english.h"

/// The English templates, a table for each area.
namespace plimsoll::sentences {

[[nodiscard]] std::span<const Sentence> common();
[[nodiscard]] std::span<const Sentence> findings();
[[nodiscard]] std::span<const Sentence> decisions();
[[nodiscard]] std::span<const Sentence> notes();

} // namespace plimsoll::sentences
