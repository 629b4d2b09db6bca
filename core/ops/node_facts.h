#pragma once

#include "core/graph/graph.h"
#include "core/ops/dims.h"
#include "core/ops/partial_tensor.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace plimsoll {

/// What is known of the values of a graph so far.
class FactSource
{
public:
    virtual ~FactSource() = default;
    [[nodiscard]] virtual const TensorType& type(ValueId value) const = 0;
    /// Whether content() would know something; costs nothing.
    [[nodiscard]] virtual bool hasContent(ValueId value) const = 0;
    /// Elements of a small literal are read on the first call.
    [[nodiscard]] virtual const PartialTensor& content(ValueId value) = 0;
    /// What the file or the readers of a value say that it is; by default nothing.
    [[nodiscard]] virtual const TensorType& wanted(ValueId value) const;
};

/// What follows for one output of a node.
struct OutputFacts
{
    TensorType type;
    PartialTensor content;
    Message because;    ///< Why a part of the type is not known; empty leaves the usual reason: an unknown input.
    ValueId lacking {}; ///< The value of which the file says too little, where that is the reason.
    bool storageFollows = false; ///< A storage rule of the operator says how it is kept; else the file may.
};

/// One node as the functions of its operator see it: what is known of its inputs, and where to put what follows.
/// Positions beyond the last input are absent inputs.
class NodeFacts
{
public:
    NodeFacts(const Graph& graph, NodeId node, FactSource& source);
    /// As if the node were \p standIn: its counterpart in another dialect.
    NodeFacts(const Graph& graph, NodeId node, const Node& standIn, FactSource& source);

    [[nodiscard]] const Graph& graph() const { return m_graph; }
    [[nodiscard]] const Node& node() const { return m_node; }
    [[nodiscard]] NodeId nodeId() const { return m_id; }
    [[nodiscard]] FactSource& source() const { return m_source; }
    [[nodiscard]] std::int64_t opset() const { return m_opset; }

    [[nodiscard]] std::size_t inputCount() const { return m_node.inputs.size(); }
    [[nodiscard]] bool has(std::size_t input) const;
    [[nodiscard]] const TensorType& type(std::size_t input) const;
    [[nodiscard]] DType dtype(std::size_t input) const { return type(input).dtype; }
    [[nodiscard]] std::optional<Dims> dims(std::size_t input) const { return dimsOf(type(input)); }

    [[nodiscard]] bool hasContent(std::size_t input) const;
    [[nodiscard]] const PartialTensor& content(std::size_t input);
    /// All elements as integers, when every one of them is known.
    [[nodiscard]] std::optional<std::vector<std::int64_t>> integers(std::size_t input);
    /// The only element.
    [[nodiscard]] std::optional<std::int64_t> integer(std::size_t input);
    [[nodiscard]] std::optional<double> real(std::size_t input);

    [[nodiscard]] std::int64_t attribute(std::string_view name, std::int64_t fallback) const;
    [[nodiscard]] std::string textAttribute(std::string_view name, const char* fallback) const;
    [[nodiscard]] const std::vector<std::int64_t>* integersAttribute(std::string_view name) const;
    /// What became an input in a later version: the attribute where there is one, else the input.
    /// \p known is false when there is an input and its elements are not known.
    struct Setting
    {
        bool given = false;
        bool known = false;
        std::vector<std::int64_t> numbers;
    };
    [[nodiscard]] Setting setting(std::string_view name, std::size_t input);

    /// Where the parts that are joined or cut along \p axis begin, and where the last one ends, up to the first whose
    /// size is not known. The \p sizes along an axis are asked for once.
    [[nodiscard]] const std::vector<std::int64_t>& starts(std::size_t axis, const std::function<Dims()>& sizes);

    [[nodiscard]] std::size_t outputCount() const { return m_outputs.size(); }
    [[nodiscard]] OutputFacts& output(std::size_t index) { return m_outputs[index]; }
    void set(std::size_t output, DType dtype, const std::optional<Dims>& dims, Message because = {});
    void setType(std::size_t output, TensorType type, Message because = {});
    /// Sets output 0 and returns that nothing is wrong.
    Status give(DType dtype, const std::optional<Dims>& dims, Message because = {});
    Status give(TensorType type, Message because = {});
    /// Starts the content of an output whose shape is known: every element unknown. Null where it is not tracked.
    [[nodiscard]] PartialTensor* start(std::size_t output);

    /// What the file or the readers of an output say that it is.
    [[nodiscard]] const TensorType& wanted(std::size_t output) const;
    /// Says what an input has to be. Dialects whose parameters have no types of their own (MXNet) find them this way.
    void require(std::size_t input, DType dtype, const std::optional<Dims>& dims);
    struct Requirement
    {
        std::size_t input = 0;
        TensorType type;
    };
    [[nodiscard]] const std::vector<Requirement>& requirements() const { return m_requirements; }

    /// "What is wrong", at this node.
    [[nodiscard]] Error error(Message message) const;

private:
    const Graph& m_graph;
    NodeId m_id;
    const Node& m_node;
    FactSource& m_source;
    std::int64_t m_opset;
    std::vector<OutputFacts> m_outputs;
    std::vector<Requirement> m_requirements;
    std::map<std::size_t, std::vector<std::int64_t>> m_starts; ///< By axis.
};

} // namespace plimsoll
