#pragma once

#include "core/base/numbered_names.h"
#include "core/graph/graph.h"

#include <string>
#include <unordered_set>

namespace plimsoll {

/// All names of the values and of the nodes of a graph, for those that are added.
class FreeNames
{
public:
    explicit FreeNames(const Graph& graph);

    /// \p base, or "base#2" where that is taken; taken from then on.
    [[nodiscard]] std::string forValue(const std::string& base) { return take(m_values, base); }
    [[nodiscard]] std::string forNode(const std::string& base) { return take(m_nodes, base); }
    /// Of a value that is renamed: its old name is free again.
    void release(const std::string& value) { m_values.taken.erase(value); }

private:
    struct Names
    {
        std::unordered_set<std::string> taken;
        NumberedNames numbers;
    };
    [[nodiscard]] static std::string take(Names& names, const std::string& base);

    Names m_values;
    Names m_nodes;
};

} // namespace plimsoll
