#pragma once

#include "core/graph/graph.h"
#include "core/plan/implementation.h"

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace plimsoll::kernels {

/// By value: the layouts in which some offer leaves it.
using SeenLayouts = std::map<ValueId, std::set<std::string>>;

/// All that the library's answers about a node depend on, but for names: what NodeView tells of it and of the nodes
/// behind it.
struct Question
{
    std::string tensors;            ///< Types, roles, contents, layouts; and which of them are one and the same.
    std::vector<const Node*> nodes; ///< The node and those behind it: their operators and attributes count.
};

/// The graph that is asked about, and what is known of it so far.
struct Asked
{
    const Graph& graph;
    const Uses& uses;
    const SeenLayouts& seen;
    bool weightsCount = false; ///< Not by their types alone: scales, and weights of which sums have to fit.
};

/// What stands behind the node and may be computed along with it is in \p chain.
[[nodiscard]] Question questionAbout(const Asked& about, NodeId node, const std::vector<FusedNode>& chain);

/// What the library has answered before: networks repeat their blocks, and to ask takes a hundred times as long as to
/// look it up.
class Answers
{
public:
    /// nullptr: that was not asked. Nodes that an offer fuses are named as they were when it was asked.
    [[nodiscard]] const std::vector<Implementation>* find(const Question& question) const;
    void keep(Question question, std::vector<Implementation> offers);

private:
    struct Answer
    {
        std::vector<const Node*> nodes;
        std::vector<Implementation> offers;
    };
    std::unordered_map<std::string, std::vector<Answer>> m_byTensors;
};

} // namespace plimsoll::kernels
