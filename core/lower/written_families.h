#pragma once

#include "core/lower/byte_families.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace plimsoll::dispatching {

/// Bytes that are written in place, under all their names, and the nodes that touch them. On a device such a family
/// lies as a whole or not at all: a copy of one of its values would not show a later write. Private to the folder.
class WrittenFamilies
{
public:
    explicit WrittenFamilies(const Graph& graph);

    struct Family
    {
        ValueId root;
        std::vector<NodeId> nodes; ///< Readers and writers of its values, in the order of the run.
        std::vector<ValueId> handedOut;
        std::size_t lastWrite = 0; ///< Position of the node at the top.
        std::string device;        ///< Where all these nodes compute; empty is the CPU.
        std::string why;           ///< "'n' reads them on the CPU": why it is the CPU.
    };
    /// Nothing for a value that is not written in place.
    [[nodiscard]] const Family* of(ValueId value) const;
    [[nodiscard]] std::map<ValueId, Family>& families() { return m_families; }
    /// The device of the family; nothing where the value is not written in place.
    [[nodiscard]] std::optional<std::string> deviceOf(ValueId value) const;
    /// Whether the caller can have them on \p device: the bytes come from there, and no earlier version is returned
    /// elsewhere. Says why not.
    [[nodiscard]] std::string obstacleOn(const Family& family, const std::string& device) const;

private:
    void addNodes(BodyId body);
    void touch(NodeId node, ValueId value);
    void addBorder(BodyId body);
    Family* find(ValueId value);

    const Graph& m_graph;
    ByteFamilies m_bytes;
    std::map<ValueId, Family> m_families; ///< By root.
    std::vector<std::size_t> m_position;  ///< By NodeId, at the top.
};

} // namespace plimsoll::dispatching
