#pragma once

#include <string>
#include <vector>

namespace plimsoll {

/// Nodes that stand together by hand. By their names: they outlive a new plan of the graph.
struct NamedNodes
{
    std::string name;
    std::vector<std::string> nodes;

    friend bool operator==(const NamedNodes&, const NamedNodes&) = default;
};

} // namespace plimsoll
