#pragma once

#include "core/ops/node_facts.h"

#include <map>

namespace plimsoll {

/// What a typed graph itself says of its values: their types, and what small constants hold.
class GraphFacts : public FactSource
{
public:
    explicit GraphFacts(const Graph& graph) : m_graph(graph) {}

    [[nodiscard]] const TensorType& type(ValueId value) const override { return m_graph[value].type; }
    [[nodiscard]] bool hasContent(ValueId value) const override;
    [[nodiscard]] const PartialTensor& content(ValueId value) override;

private:
    const Graph& m_graph;
    std::map<ValueId, PartialTensor> m_read;
};

} // namespace plimsoll
