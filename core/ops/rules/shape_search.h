#pragma once

#include "core/graph/graph.h"
#include "core/ops/dims.h"
#include "core/ops/rules/shape_inputs.h"

#include <string_view>

namespace plimsoll {

/// A node as the rules for the contents of its inputs see it, and where they put what they find.
class ShapeSearch
{
public:
    ShapeSearch(const Graph& graph, NodeId node) : m_graph(graph), m_node(graph[node]) {}

    [[nodiscard]] const Node& node() const { return m_node; }
    [[nodiscard]] bool has(std::size_t input) const { return id(input).valid(); }
    /// Neither absent nor a constant.
    [[nodiscard]] bool open(std::size_t input) const { return has(input) && !m_graph[id(input)].data.present(); }
    [[nodiscard]] DType dtype(std::size_t input) const;
    [[nodiscard]] std::optional<Dims> dims(std::size_t input) const;
    [[nodiscard]] std::optional<Dims> outDims(std::size_t output = 0) const;
    /// The size of an output's dimension, or \p otherwise.
    [[nodiscard]] std::int64_t outSize(std::int64_t axis, std::int64_t otherwise, std::size_t output = 0) const;
    /// How many elements an input has; 0 where that is unknown or more than are followed.
    [[nodiscard]] std::size_t count(std::size_t input) const;
    [[nodiscard]] std::int64_t attribute(std::string_view name, std::int64_t fallback) const;
    [[nodiscard]] std::optional<Dims> given(std::size_t input) const; ///< A constant's elements.

    /// What an input must hold. Ignored for one that is not open, or has another number of elements.
    void want(std::size_t input, const Dims& numbers);
    void wantReals(std::size_t input, const std::vector<double>& numbers);
    void wantAll(std::size_t input, std::int64_t number); ///< In every element.

    [[nodiscard]] std::vector<InputContent> take() { return std::move(m_found); }

private:
    [[nodiscard]] ValueId id(std::size_t input) const;
    void wantElements(std::size_t input, std::vector<std::optional<Scalar>> elements);

    const Graph& m_graph;
    const Node& m_node;
    std::vector<InputContent> m_found;
};

void melWeightInputs(ShapeSearch& search);
void fourierInputs(ShapeSearch& search);
void shortFourierInputs(ShapeSearch& search);

} // namespace plimsoll
