#pragma once

#include "core/base/grouped.h"
#include "core/base/ids.h"
#include "core/base/message.h"
#include "core/base/rare.h"
#include "core/base/result.h"
#include "core/base/shared_text.h"
#include "core/base/shared_vector.h"
#include "core/graph/access_map.h"
#include "core/graph/decided.h"
#include "core/graph/gradient_request.h"
#include "core/graph/tensor_type.h"

#include <absl/container/inlined_vector.h>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace plimsoll {

/// Where the bytes of a constant, parameter or tensor attribute are. Nothing is read before a run (or a fold) asks.
/// Exactly one of \c bytes, \c strings and \c file is set; all are empty for a tensor without data.
struct TensorData
{
    std::shared_ptr<const std::vector<std::byte>> bytes; ///< Row-major, little-endian, packed below a byte.
    std::shared_ptr<const std::vector<std::string>> strings;
    std::filesystem::path file;  ///< Already checked to lie inside the folder of the graph file.
    std::int64_t fileOffset = 0; ///< Bytes.
    std::int64_t fileBytes = 0;

    [[nodiscard]] bool present() const { return bytes || strings || !file.empty(); }
    friend bool operator==(const TensorData&, const TensorData&) = default;
};

/// A tensor written into the graph: a constant's value, or a node's tensor attribute.
struct TensorLiteral
{
    DType dtype = DType::Unknown;
    Shape shape;
    TensorData data;
    friend bool operator==(const TensorLiteral&, const TensorLiteral&) = default;
};

using Attribute = std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>, std::vector<double>,
                               std::vector<std::string>, TensorLiteral, std::vector<TensorLiteral>>;

/// By name. Copies share them until one is edited.
class Attributes
{
public:
    using Map = std::map<std::string, Attribute, std::less<>>;
    using value_type = Map::value_type;

    Attributes() = default;
    Attributes(std::initializer_list<value_type> items) : m_map(Map(items)) {}

    [[nodiscard]] auto begin() const { return m_map->begin(); }
    [[nodiscard]] auto end() const { return m_map->end(); }
    [[nodiscard]] auto find(std::string_view name) const { return m_map->find(name); }
    [[nodiscard]] bool contains(std::string_view name) const { return m_map->contains(name); }
    [[nodiscard]] std::size_t size() const { return m_map->size(); }
    [[nodiscard]] bool empty() const { return m_map->empty(); }

    [[nodiscard]] Attribute& operator[](std::string name) { return m_map.edit()[std::move(name)]; }
    template <typename T>
    void emplace(std::string_view name, T&& value) ///< Where there is none of that name.
    {
        m_map.edit().try_emplace(std::string(name), std::forward<T>(value));
    }
    [[nodiscard]] Map& edit() { return m_map.edit(); }

    friend bool operator==(const Attributes&, const Attributes&) = default;

private:
    Rare<Map> m_map;
};

enum class ValueRole : std::uint8_t {
    Input,        ///< The caller's bytes.
    Parameter,    ///< A weight: the caller's bytes, the same for every run.
    Constant,     ///< Known before the run, or computed once ahead of it.
    Intermediate, ///< The output of a node.
    BodyInput,    ///< Handed to a nested body by its owner: loop-carried state, a slice, a trip number.
};

/// Where the bytes of a value lie, and how.
struct LiesAt
{
    std::string space; ///< MemorySpace; empty is the default, "cpu".
    /// Of a view and its versions: by dimension, elements from one index to the next. Empty: one behind the other.
    std::vector<std::int64_t> strides;
    std::int64_t alignment = 1;               ///< Of its offset, in bytes, beside that of the policy; at least 1.
    std::optional<std::int64_t> pinnedOffset; ///< In its arena: given from outside, and kept.
    friend bool operator==(const LiesAt&, const LiesAt&) = default;
};

/// A tensor that is produced once.
struct Value
{
    std::string name; ///< Unique in the graph; of a nested body by its path, "node/body/value".
    TensorType type;
    ValueRole role = ValueRole::Intermediate;
    BodyId body = TopBody;
    NodeId producer; ///< Valid for Intermediate, and for a Constant that a node computes ahead of the run.
    int producerOutput = 0;
    Rare<TensorData> data; ///< Parameter and Constant.
    bool requiresGrad = false;
    std::optional<GradientRequest> gradientRequest {}; ///< Nothing: the policy gradients decides.
    bool visible = true; ///< Graph inputs: whether the caller can look at the bytes after the run.
    Rare<LiesAt> at;
    Rare<std::string> extra; ///< Keys of the file that are not known here, as a JSON object; kept on re-save.
};

enum class AliasKind : std::uint8_t {
    Fresh,        ///< New bytes.
    MayBeInPlace, ///< May be written over the input, where nothing needs it any more.
    Identity,     ///< Same bytes as the input in the same order; sharing is allowed, not needed.
    View,         ///< *Is* a part of the input's bytes.
    Mutates,      ///< *Is* the input after being written: its new version.
    Part,         ///< Lies inside of the other one, where nothing is copied then; see core/ops/sub_buffers.h.
};

/// What one output of a node may or must have to do with the bytes of one of its inputs.
struct AliasTrait
{
    int output = 0;
    int input = 0;
    AliasKind kind = AliasKind::Fresh;
    std::int64_t offsetBytes = 0; ///< View: where the output begins in the input.
    friend bool operator==(const AliasTrait&, const AliasTrait&) = default;
};

/// Who wrote the operator, under which name: the dialect's own, for traits and derivative tables.
struct Origin
{
    SharedText dialect; ///< "onnx", "mxnet", "aten", …
    SharedText op;
    SharedText overload;
    friend auto operator<=>(const Origin&, const Origin&) = default;
    friend bool operator==(const Origin&, const Origin&) = default;
};

/// Where a node comes from.
struct Provenance
{
    Origin origin;
    std::string source; ///< "model.py:12 in Block.forward"
    std::string module; ///< In the model, by its path: "blocks.0.attention"
    std::string extra;  ///< Keys of the file that are not known here, as a JSON object; kept on re-save.
    friend bool operator==(const Provenance&, const Provenance&) = default;
};

/// What the file says of a node instead of its operator.
struct Declaration
{
    std::optional<std::vector<AliasTrait>> traits; ///< From "alias" in the file; replaces the schema's.
    std::vector<int> ignoredInputs;                ///< From "ignores": content is not read.
    std::shared_ptr<const InnerOperations> inside; ///< From "access": what it computes.
    friend bool operator==(const Declaration&, const Declaration&) = default;
};

/// Where a node is executed.
struct RunsAt
{
    std::string device;                 ///< Empty is "cpu".
    std::optional<std::int64_t> stream; ///< Of the device.
    friend bool operator==(const RunsAt&, const RunsAt&) = default;
};

/// Of a node. Up to four of them take no memory beside it.
using ValueIds = absl::InlinedVector<ValueId, 4>;

struct Node
{
    std::string name; ///< Unique in the graph; of a nested body by its path, "node/body/node".
    SharedText op;
    SharedText domain; ///< "" is ONNX's default domain.
    ValueIds inputs;   ///< An absent optional input is an invalid id.
    ValueIds outputs;  ///< An output without a name is an invalid id.
    Attributes attributes;
    SharedVector<BodyId> bodies; ///< Nested graphs, in the order of the operator's definition (If: then, else).
    BodyId body = TopBody;       ///< Where the node itself stands.
    Rare<RunsAt> at;
    Rare<Provenance> from;
    Rare<Declaration> declared;
};

/// The graph itself (TopBody) or a nested one. Values of enclosing bodies may be read from inside.
struct Body
{
    std::string name; ///< "then_branch", "body"; empty for the top.
    NodeId owner;     ///< Invalid for the top.
    std::vector<ValueId> inputs;
    std::vector<ValueId> outputs; ///< A value may stand here twice, and may be an input.
    std::vector<NodeId> nodes;    ///< In captured order, which is an order of execution.
};

/// What is known of the two halves of a training graph. Of a captured one it was read, of our own it was made.
struct TrainingBoundary
{
    NodeId firstBackward;           ///< Of the top, in captured order; invalid where there is no backward graph.
    std::vector<ValueId> saved;     ///< Of a captured graph: kept from forward to backward, in its order.
    std::vector<ValueId> donated;   ///< Kept, and the backward graph may write over it.
    std::size_t gradients = 0;      ///< So many of the graph's last outputs are.
    std::vector<ValueId> variables; ///< Of a captured graph: by gradient, whose it is.
};

/// Where a graph was read from.
struct GraphFile
{
    std::string format; ///< Format::id: "onnx", "plimsoll.graph/1"
    std::filesystem::path path;
    bool declaresTraits = false; ///< The traits that nodes declare stand in it: no reader worked them out.
};

/// An SSA graph in captured order, nested graphs included: all values and all nodes of all bodies stand in one
/// vector each, so that an id means the same thing everywhere.
struct Graph
{
    std::string name;
    GraphFile file;
    SharedVector<Value> values;
    SharedVector<Node> nodes;
    std::vector<Body> bodies = {Body {}};
    std::map<std::string, std::int64_t> opsets; ///< Domain → version.
    ValueId loss;
    TrainingBoundary boundary;
    std::string extra;
    Decided decided;
    std::vector<Message> notes; ///< What its reader had to assume or do without. Sentences, for the report.

    [[nodiscard]] const Value& operator[](ValueId id) const { return values[id.index()]; }
    [[nodiscard]] const Node& operator[](NodeId id) const { return nodes[id.index()]; }
    [[nodiscard]] const Body& operator[](BodyId id) const { return bodies[id.index()]; }
    [[nodiscard]] Value& operator[](ValueId id) { return values[id.index()]; }
    [[nodiscard]] Node& operator[](NodeId id) { return nodes[id.index()]; }
    [[nodiscard]] Body& operator[](BodyId id) { return bodies[id.index()]; }
    [[nodiscard]] const Body& top() const { return bodies.front(); }
};

/// The version of a domain that the file imports; 0 when it names none.
[[nodiscard]] std::int64_t opsetVersion(const Graph& graph, std::string_view domain);

/// The one at that position; invalid where there is none.
[[nodiscard]] inline ValueId valueAt(std::span<const ValueId> values, int position)
{
    const bool there = position >= 0 && static_cast<std::size_t>(position) < values.size();
    return there ? values[static_cast<std::size_t>(position)] : ValueId();
}

/// Linear search, for commands and tests.
[[nodiscard]] ValueId findValue(const Graph& graph, std::string_view name);
[[nodiscard]] NodeId findNode(const Graph& graph, std::string_view name);

/// The attribute of that name and kind, or nullptr.
template <typename T>
[[nodiscard]] const T* findAttribute(const Node& node, std::string_view name)
{
    const auto found = node.attributes.find(name);
    return found == node.attributes.end() ? nullptr : std::get_if<T>(&found->second);
}

/// The attribute's value, or the operator's default.
template <typename T>
[[nodiscard]] T attributeOr(const Node& node, std::string_view name, T fallback)
{
    const T* found = findAttribute<T>(node, name);
    return found ? *found : fallback;
}

/// "Conv", or "com.microsoft::Attention" outside the default domain.
[[nodiscard]] std::string qualifiedOp(const Node& node);

/// Whether \p inner is \p outer or nested in it at any depth.
[[nodiscard]] bool isInside(const Graph& graph, BodyId inner, BodyId outer);

/// Every place where a value is read, found in one pass. What is fused reads through the node that computes it.
struct Uses
{
    struct Read
    {
        NodeId node;
        int input = 0;
    };
    struct Result
    {
        BodyId body;
        int output = 0;
    };
    Grouped<Read> reads;     ///< By ValueId: node inputs, in captured order.
    Grouped<Result> results; ///< By ValueId: body outputs (TopBody: graph outputs).
};
[[nodiscard]] Uses findUses(const Graph& graph);

/// What fused nodes read beside what they hand each other stands behind the inputs of the node that computes them, in
/// their order:
///
///     y = conv(x, w)(add, relu)       inputs x, w, z       z is the operand of add that the convolution does not make
struct FusedOperand
{
    NodeId node;
    int input = 0;
};
[[nodiscard]] std::vector<FusedOperand> fusedOperands(const Graph& graph, const std::vector<FusedNode>& fused);

/// How many of a node's inputs are its own operator's.
[[nodiscard]] std::size_t ownInputs(const Graph& graph, NodeId node);

} // namespace plimsoll
