#pragma once

#include "core/facts/cell.h"

namespace plimsoll {

struct FactSection
{
    std::string title;
    std::vector<Fact> facts;
};

/// Lists of facts end here; what was left out is said.
inline constexpr std::size_t MostFacts = 60;

/// Every fact and every decision about what is picked; about the whole report where nothing is. No section is empty.
[[nodiscard]] std::vector<FactSection> sectionsAbout(const Report& report, const Focus& focus,
                                                     std::size_t most = MostFacts, NumberForm form = {});

/// Nodes that stand together, as modules and repeated blocks do.
struct NodeGroup
{
    std::string name;
    std::vector<NodeId> nodes; ///< Empty: there is no group.
};
/// How much it is, what it holds at the peak, when it runs, and of which operators.
[[nodiscard]] std::vector<FactSection> groupSections(const Report& report, const NodeGroup& group,
                                                     std::size_t most = MostFacts, NumberForm form = {});

/// What it is called, for a heading: "conv1_out", "s7", "12".
[[nodiscard]] std::string focusTitle(const Report& report, const Focus& focus, NumberForm form = {});
/// What kind of thing it is: "value", "node", …
[[nodiscard]] std::string_view focusKind(const Focus& focus);

/// As text, a line for each fact; \p render makes the words of a cell.
///
///     value conv1_out
///
///     What it is
///       Type: float32[1,16]
[[nodiscard]] std::string sectionsText(std::string_view heading, const std::vector<FactSection>& sections,
                                       std::string (*render)(const Cell&));

} // namespace plimsoll
