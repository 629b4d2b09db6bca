#pragma once

#include "core/graph/graph.h"
#include "core/ops/dims.h"
#include "core/ops/partial_tensor.h"

#include <optional>
#include <string_view>
#include <vector>

namespace plimsoll {

/// What an input of a node must hold: elements that may be anything are left open.
struct InputContent
{
    std::size_t input = 0;
    std::vector<std::optional<Scalar>> elements;
};

/// What the inputs of a node must hold so that its outputs get the sizes that their types have, as far as they are no
/// constants and that follows from the sizes: the shape of a Reshape, the ends of a Slice, the k of a TopK. Where the
/// sizes leave a choice, the simplest content; where a size is unknown, one that the operator accepts.
[[nodiscard]] std::vector<InputContent> shapeInputs(const Graph& graph, NodeId node);

/// A node as the rules for the contents of its inputs see it, and where they put what they find.
class ShapeSearch
{
public:
    ShapeSearch(const Graph& graph, NodeId node) : m_graph(graph), m_node(graph[node]) {}

    [[nodiscard]] const Node& node() const { return m_node; }
    [[nodiscard]] bool has(std::size_t input) const { return id(input).valid(); }
    /// Neither absent nor a constant.
    [[nodiscard]] bool open(std::size_t input) const { return has(input) && !m_graph[id(input)].data->present(); }
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
    /// As many sizes as the input has elements; those that are unknown are 1.
    void wantSizes(std::size_t input);
    /// So many that are true, or not zero, come first.
    void wantFirst(std::size_t input, std::int64_t size);
    /// Random indices are 0 or 1: of a dimension of input 0 with one element there is only the first.
    void boundIndices(std::size_t input, std::int64_t axis);
    void boundIndicesOfAll(std::size_t input); ///< Along any dimension.

    [[nodiscard]] std::vector<InputContent> take() { return std::move(m_found); }

private:
    [[nodiscard]] ValueId id(std::size_t input) const;
    void wantElements(std::size_t input, std::vector<std::optional<Scalar>> elements);

    const Graph& m_graph;
    const Node& m_node;
    std::vector<InputContent> m_found;
};

/// 0, 1, 2, …
[[nodiscard]] Dims firstNumbers(std::size_t count);
/// So many axes whose size changes, and then others, in order.
[[nodiscard]] Dims changingAxes(const std::optional<Dims>& from, const std::optional<Dims>& to, std::size_t count);
/// Which dimensions of \p more are left out in \p fewer: the first that do.
[[nodiscard]] Dims leftOut(const std::optional<Dims>& more, const std::optional<Dims>& fewer, std::size_t count,
                           bool ones);

} // namespace plimsoll
