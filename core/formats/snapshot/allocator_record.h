#pragma once

#include "core/formats/packing/packing_table.h"
#include "core/graph/graph.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>

namespace plimsoll {

[[nodiscard]] Argument exactBytes(std::int64_t bytes); ///< "512 MiB (536,870,912 B)"

[[nodiscard]] nlohmann::ordered_json allocatorJson(const AllocatorRecord& record);

/// The record as a graph file carries it, beside what a graph is: { "allocator": {"device", "mostReservedBytes", …} }.
/// Planning ignores the key, and `convert` keeps it.
[[nodiscard]] std::string allocatorKeys(const AllocatorRecord& record);

/// "Out of memory at event 764: asked for 88.2 MiB (92,480,000 B) in model.py:24 softmax; …": what was reserved, what
/// of it was free, and whether there was room enough. \p repackedBytes is what all requests of the record need when
/// they are packed anew; negative: that is not known.
[[nodiscard]] Message refusalText(const AllocatorRefusal& refusal, std::int64_t repackedBytes);

/// "3 requests were refused before these."; empty where all are listed.
[[nodiscard]] Message earlierRefusals(const AllocatorRecord& record);

/// The record that a graph carries so; nothing where there is none, or where it has a number that no allocator can.
[[nodiscard]] std::optional<AllocatorRecord> allocatorOf(const Graph& graph);

} // namespace plimsoll
