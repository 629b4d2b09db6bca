#include "core/pipeline_stages.h"

#include <algorithm>

namespace plimsoll::pipeline {
namespace {

/// The library's first offer, where the policy wants the library; nullptr is the reference.
const Implementation* preferred(const std::vector<Implementation>& offers, BackendPolicy policy)
{
    if (policy == BackendPolicy::Reference) return nullptr;
    const auto found = std::find_if(offers.begin(), offers.end(),
                                    [](const Implementation& offer) { return offer.backend == "onednn"; });
    return found == offers.end() ? nullptr : &*found;
}

} // namespace

std::vector<Implementation> chooseImplementations(const Graph& graph, const PlanRequest& request,
                                                  const DecisionLog& log)
{
    std::vector<Implementation> chosen(graph.nodes.size());
    if (!request.catalogue) return chosen;
    for (std::size_t node = 0; node < graph.nodes.size(); ++node) {
        const std::string& name = graph.nodes[node].name;
        const auto offers = request.catalogue->offers.find(name);
        // The libraries were asked about the graph as it came; a copy that we made in place of a node is another node.
        const bool ours = graph.nodes[node].origin.dialect == "plimsoll";
        if (ours || graph.nodes[node].ahead || offers == request.catalogue->offers.end()) continue;
        const Implementation* offer = preferred(offers->second, request.policies.backend);
        if (offer) chosen[node] = *offer;
        if (!log.recording()) continue;
        log.add({"implementation", name, chosen[node].backend, true, offer ? "library-offers" : "policy-reference",
                 offer ? chosen[node].backend + " offers '" + chosen[node].name + "' and the policy prefers it."
                       : "The policy prefers the reference, or the library offers nothing.",
                 chosen[node].scratchpadBytes});
    }
    return chosen;
}

} // namespace plimsoll::pipeline
