#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace plimsoll {

/// Items by number: equal ones have the same.
using Codes = std::span<const std::int32_t>;

/// A stretch that is like a pattern: how long it is, and how many items must be added, left out or replaced to make the
/// one the other.
struct Turn
{
    std::size_t length = 0;
    std::size_t edits = 0;
};

/// An edit weighs as much as so many equal items.
inline constexpr std::size_t EditWeight = 3;

/// What is searched for turns.
struct TurnText
{
    Codes items;
    std::span<const int> flow; ///< Past a cut behind each item, in halves of a tensor. Empty: not known.
};

/// A turn may differ from the pattern by so many items; a short one by none, for anything is like it.
[[nodiscard]] constexpr std::size_t mostEdits(std::size_t period)
{
    return period < 6 ? 0 : std::min<std::size_t>(period / 3, 64);
}

/// How often a pattern stands in \p text one turn behind the other from its beginning on, as far as that goes:
///
///     pattern abcdef, text abcdef abcdXef acdef xyz        lengths 6, 7, 5, edits 0, 1, 1
///
/// The edits up to each end of a turn are those of P. Sellers ("The theory and computation of evolutionary distances:
/// pattern recognition", J. Algorithms 1, 1980), in the band that so many edits leave (E. Ukkonen, "Algorithms for
/// approximate string matching", Information and Control 64, 1985). Of all ends that is taken from which the text goes
/// on like the pattern for longest, less EditWeight for each edit, and less a quarter of the pattern for each half of a
/// tensor that is cut through. \p work counts the cells of these tables.
[[nodiscard]] std::vector<Turn> turnsAfter(Codes pattern, const TurnText& text, std::size_t& work);

/// The same from the end of \p text backwards; the turn that is last in the text is first.
[[nodiscard]] std::vector<Turn> turnsBefore(Codes pattern, const TurnText& text, std::size_t& work);

} // namespace plimsoll
