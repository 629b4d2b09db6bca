#pragma once

#include "core/formats/packing_table.h"
#include "core/graph/graph.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>

namespace plimsoll {

[[nodiscard]] nlohmann::ordered_json allocatorJson(const AllocatorRecord& record);

/// The record as a graph file carries it, beside what a graph is: { "allocator": {"device", "mostReservedBytes", …} }.
/// Nobody who plans knows the key, and `convert` keeps it.
[[nodiscard]] std::string allocatorKeys(const AllocatorRecord& record);

/// The record that a graph carries so; nothing where there is none, or where it has a number that no allocator can.
[[nodiscard]] std::optional<AllocatorRecord> allocatorOf(const Graph& graph);

} // namespace plimsoll
