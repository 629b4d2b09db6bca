#pragma once

#include "core/base/ids.h"
#include "core/graph/graph.h"
#include "core/graph/named_nodes.h"

#include <span>
#include <string>
#include <vector>

namespace plimsoll {

using GroupId = StrongId<struct GroupTag>;

/// Why nodes stand together.
enum class GroupKind : std::uint8_t {
    Root,   ///< The whole graph.
    Path,   ///< A common beginning of their names: "encoder/layer.3".
    Bodies, ///< The nested graphs of one node, which stands for them when they are collapsed.
    Repeat, ///< One turn of a sequence of operators that repeats, maybe with a small difference.
    Block,  ///< Between two places where little data flows.
    Chunk,  ///< A run of steps, where nothing better is known.
    Hand,   ///< By hand.
};

struct Group
{
    GroupKind kind = GroupKind::Root;
    std::string name;    ///< Short: "layer.3", "block 4", "nodes 100 to 139".
    std::string differs; ///< Repeat: operators that most other turns have not, or have: "+ Conv ×2 − Mul".
    GroupId parent;
    BodyId body = TopBody;         ///< All its nodes stand in this one; of Bodies, the owner does.
    NodeId owner;                  ///< Bodies only.
    std::vector<GroupId> children; ///< In order of their first node.
    std::vector<NodeId> nodes;     ///< Directly in it, in captured order; of Bodies, one nested graph after the other.
    std::size_t nodeCount = 0;     ///< With all groups inside.
};

/// The collapsible structure of a graph. Every node stands in exactly one group; the owner of nested graphs stands in
/// the group around them. No group but Bodies has nodes of two bodies: equal names in two branches are two groups.
struct GroupTree
{
    std::vector<Group> groups;   ///< By GroupId; the root is first, parents before children.
    std::vector<GroupId> ofNode; ///< By NodeId.

    [[nodiscard]] const Group& operator[](GroupId id) const { return groups[id.index()]; }
};
inline constexpr GroupId RootGroup {std::int32_t {0}};

/// Groups by name paths; what stays flat and large, by repeated sequences of operators; what is still large, where
/// little data flows; and by steps where that is nowhere. In those stand the groups that are made by hand, each inside
/// the smallest group that has all its nodes; groups that are whole in it go along. Of one whose nodes stand in several
/// bodies those count that stand in the body of the first.
[[nodiscard]] GroupTree groupNodes(const Graph& graph, std::span<const NamedNodes> byHand = {});

/// Which groups are open, by GroupId. The root always is.
using Expansion = std::vector<char>;

/// Opens groups from the outside in, as long as no more than \p maxBoxes boxes show.
[[nodiscard]] Expansion defaultExpansion(const GroupTree& tree, std::size_t maxBoxes = 300);

/// Opens everything around \p node, so that it shows.
void reveal(const GroupTree& tree, Expansion& expansion, NodeId node);

} // namespace plimsoll
