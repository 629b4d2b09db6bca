#pragma once

#include "core/graph/graph.h"
#include "core/plan/finding.h"

#include <span>

namespace plimsoll {

/// Rule and names: the same finding in another plan has them, too.
struct FindingName
{
    std::string rule;
    std::vector<std::string> values {};
    std::vector<std::string> nodes {};

    friend auto operator<=>(const FindingName&, const FindingName&) = default;
};

[[nodiscard]] FindingName nameOf(const Finding& finding, const Graph& graph);

/// A finding that is known and accepted, with the reason. It is shown and counted, and no reason to fail.
struct Suppression
{
    FindingName finding;
    std::string reason;

    friend bool operator==(const Suppression&, const Suppression&) = default;
};

/// Null where there is none of that finding.
[[nodiscard]] const Suppression* suppressionOf(const Finding& finding, const Graph& graph,
                                               std::span<const Suppression> suppressions);

/// What these findings say begins with the reason. How many there are.
std::size_t markSuppressed(std::span<Finding> findings, const Graph& graph, std::span<const Suppression> suppressions);

/// Of a finding so marked.
[[nodiscard]] bool isSuppressed(const Finding& finding);

} // namespace plimsoll
