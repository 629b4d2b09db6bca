#pragma once

#include "app/models/facts.h"

namespace plimsoll::app {

/// The sections of each kind of thing, for factsOf.
[[nodiscard]] std::vector<FactSection> valueFacts(const Report& report, ValueId value);
[[nodiscard]] std::vector<FactSection> nodeFacts(const Report& report, NodeId node);
[[nodiscard]] std::vector<FactSection> storageFacts(const Report& report, StorageId storage);
[[nodiscard]] std::vector<FactSection> findingFacts(const Report& report, std::size_t finding);
[[nodiscard]] std::vector<FactSection> holeFacts(const Report& report, std::size_t hole);
/// How the offsets were found, where the plan is above its bound, and what forces the peak.
[[nodiscard]] std::vector<FactSection> placementFacts(const Report& report);
[[nodiscard]] std::vector<FactSection> stepFacts(const Report& report, std::int64_t step);
[[nodiscard]] std::vector<FactSection> reportFacts(const Report& report);

/// Rows that several kinds show.
[[nodiscard]] Fact bytesFact(const QString& name, std::int64_t bytes);
[[nodiscard]] Fact valueFact(const Report& report, const QString& name, ValueId value);
[[nodiscard]] Fact nodeFact(const Report& report, const QString& name, NodeId node);
[[nodiscard]] Fact storageFact(const Report& report, StorageId storage);
/// Its size, and what lies in it.
[[nodiscard]] Fact contentFact(const Report& report, StorageId storage);
[[nodiscard]] Fact findingFact(const Report& report, std::size_t finding);
/// Decisions that name one of them as subject or partner; each of several is named in its row.
[[nodiscard]] FactSection decisionFacts(const Report& report, const std::vector<std::string>& names);
/// Decisions on the node itself, and those whose subject is one of its outputs.
[[nodiscard]] FactSection nodeDecisionFacts(const Report& report, NodeId node);

/// Lists in the inspector end here; what was left out is said.
inline constexpr std::size_t LongestFactList = 60;

} // namespace plimsoll::app
