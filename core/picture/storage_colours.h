#pragma once

#include "core/picture/palette.h"
#include "core/plan/program.h"

#include <string>
#include <vector>

namespace plimsoll {

/// Which palette colour each storage has, by StorageId; NoColour for those outside the planned arenas.
using StorageColours = std::vector<ColourIndex>;

/// Colours storages as a map is coloured: those that are alive at once, those that touch or nearly touch in time ×
/// address, and those that a node joins, differ wherever twelve colours allow it; so an equal colour near by means an
/// equal storage. Where they do not, those that are live beside each other come first. No storage has the colour of one
/// that is alive with it while some colour is free of all of these.
///
/// The colours follow from the plan alone, so that window, HTML and SVG show the same; what has the same name in
/// another plan has the same colour there unless a neighbour needs it.
///
/// Neighbours come from a sweep over the steps that remembers the last occupant of every byte; DSATUR (Brélaz 1979)
/// gives each storage the colour of its name, or the least used that none of those has. O(n log n) for n storages.
[[nodiscard]] StorageColours colourStorages(const PlannedProgram& program);

/// Whether there are so many storages (more than 50,000) that each is coloured once, in order of their first steps.
[[nodiscard]] bool isColouredInOrder(const PlannedProgram& program);

/// The name a storage is known by: of its first value, or of the node whose scratchpad it is.
[[nodiscard]] const std::string& storageName(const PlannedProgram& program, StorageId storage);

/// Pairs of storages that should differ in colour, each once, smaller id first, sorted.
[[nodiscard]] std::vector<std::pair<StorageId, StorageId>> storageNeighbours(const PlannedProgram& program);

} // namespace plimsoll
