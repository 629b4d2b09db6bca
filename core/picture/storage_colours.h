#pragma once

#include "core/facts/report.h"
#include "core/picture/palette.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace plimsoll {

/// Which palette colour each storage has, by StorageId; NoColour for those outside the planned arenas.
using StorageColours = std::vector<ColourIndex>;

/// Colours of an earlier picture, by the name of the storage's first value (or of the node of a scratchpad).
using ColourMemory = std::unordered_map<std::string, ColourIndex>;

/// Colours storages as a map is coloured: those that touch or nearly touch in time × address, and those that a node
/// joins, differ wherever twelve colours allow it; so an equal colour near by means an equal storage. Where they do
/// not, those that are live beside each other come first.
///
/// Neighbours come from a sweep over the steps that remembers the last occupant of every byte; then what \p earlier
/// knows keeps its colour unless a neighbour has it, and DSATUR (Brélaz 1979) colours the rest, least used colour
/// first. O(n log n) for n storages.
[[nodiscard]] StorageColours colourStorages(const Report& report, const ColourMemory& earlier = {});

[[nodiscard]] ColourMemory rememberColours(const Report& report, const StorageColours& colours);

/// The name a storage is known by: of its first value, or of the node whose scratchpad it is.
[[nodiscard]] const std::string& storageName(const Report& report, StorageId storage);

/// Pairs of storages that should differ in colour, each once, smaller id first, sorted.
[[nodiscard]] std::vector<std::pair<StorageId, StorageId>> storageNeighbours(const Report& report);

} // namespace plimsoll
