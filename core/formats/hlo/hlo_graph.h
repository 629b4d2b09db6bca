#pragma once

#include "core/formats/hlo/hlo_emitter.h"

namespace plimsoll::hlo {

/// The graph of a program, and where its tensors went.
struct ModuleGraph
{
    Graph graph;
    std::vector<PlacedName> placed;
};
[[nodiscard]] Result<ModuleGraph> makeGraph(const Module& module, const std::string& name, const Context& context);

/// Says which of several programs of a file this is, and how others are opened.
void noteOthers(Graph& graph, const std::string& name, const std::vector<std::string>& others);

/// For a name that no program of the file has; \p names are those that there are.
[[nodiscard]] Error noSuchProgram(std::string_view wanted, const std::vector<std::string>& names);

} // namespace plimsoll::hlo
