#pragma once

#include "core/picture/graph_picture.h"

namespace plimsoll {

enum class ScopeKind : std::uint8_t {
    Whole,
    Around,  ///< What is at most so many arrows away, in either direction.
    Sources, ///< All that it comes from: the cone above it.
    Uses,    ///< All that comes of it: the cone below it.
    Path,    ///< All that lies on a way from the one to the other, whichever comes first.
};

/// A node, or a value that no node makes.
struct GraphPlace
{
    NodeId node;
    ValueId value;
    [[nodiscard]] constexpr bool valid() const { return node.valid() || value.valid(); }
    friend constexpr bool operator==(const GraphPlace&, const GraphPlace&) = default;
};

/// What of the graph is looked at.
struct GraphScope
{
    ScopeKind kind = ScopeKind::Whole;
    int hops = 1; ///< Around only.
    GraphPlace at;
    GraphPlace other {}; ///< Path only. Invalid: still to be told, and all of the graph is looked at.
    [[nodiscard]] constexpr bool whole() const
    {
        return kind == ScopeKind::Whole || !at.valid() || (kind == ScopeKind::Path && !other.valid());
    }
    friend constexpr bool operator==(const GraphScope&, const GraphScope&) = default;
};

/// Which boxes of \p picture are in the scope, by box. In a picture with closed groups all ways through a group count:
/// exact is only one with all groups open.
[[nodiscard]] std::vector<char> boxesInScope(const GraphPicture& picture, const GraphScope& scope);

/// Which boxes of \p shown stand for a box of \p open that is kept; both are pictures of one graph, and all groups of
/// \p open are.
[[nodiscard]] std::vector<char> boxesStandingFor(const GraphPicture& open, const std::vector<char>& kept,
                                                 const GraphPicture& shown);

/// The same picture without the boxes that are not kept, and without the arrows to and from them.
[[nodiscard]] GraphPicture onlyBoxes(const GraphPicture& picture, const std::vector<char>& kept);

} // namespace plimsoll
