#pragma once

#include "core/placement/fit/merging.h"

namespace plimsoll {

/// How blocks may be joined that do not fit each other exactly.
struct Looseness
{
    std::int64_t limit = 0; ///< No rank is filled above it, so that a packing at the limit may still be there.
    double waste = 0;       ///< Of the area of the two that are joined, at most.
    std::uint64_t seed = 1; ///< Of the order in which pairs that waste about as much are joined.
};

/// Goes on where mergeBlocks() found nothing left: stacks blocks that live for nearly the same ranks, and puts blocks
/// of nearly the same size after one another, those first that waste the least area. What is left is a problem of few
/// blocks that an exact search can solve, and guesses wrong at times; so it is made anew with other seeds.
///
///     +---+                    +-----+
///     | b |_                   | b  :|     what is dotted is wasted
///     |  a  |        →         |  a  |
///     +-----+                  +-----+
void joinLoosely(Merged& merged, const Looseness& looseness, Budget& budget);

/// More blocks than these are left alone: all pairs of them are looked at.
inline constexpr std::size_t MostLooseBlocks = 600;

} // namespace plimsoll
