#include "core/formats/torch/fx_check.h"

#include "core/formats/bad_input.h"
#include "core/ops/literal_elements.h"
#include "core/ops/op_schema.h"

namespace plimsoll::fx {
namespace {

/// What the text says, and the elements of constants.
class PrintedFacts final : public FactSource
{
public:
    explicit PrintedFacts(const Graph& graph) : m_graph(graph), m_contents(graph.values.size()) {}

    [[nodiscard]] const TensorType& type(ValueId value) const override { return m_graph[value].type; }
    [[nodiscard]] bool hasContent(ValueId value) const override
    {
        const Value& info = m_graph[value];
        const auto shape = info.type.shape();
        return info.role == ValueRole::Constant && shape && isReadable(info.type.dtype, *shape, *info.data);
    }
    [[nodiscard]] const PartialTensor& content(ValueId value) override
    {
        PartialTensor& content = m_contents[value.index()];
        if (!content.tracked && hasContent(value)) {
            const Value& info = m_graph[value];
            content = readElements(info.type.dtype, *info.type.shape(), *info.data);
        }
        return content;
    }

private:
    const Graph& m_graph;
    std::vector<PartialTensor> m_contents;
};

/// Whether both can be true. A size that one of them does not know is no contradiction.
bool agree(const TensorType& printed, const TensorType& inferred)
{
    const bool dtypes =
        printed.dtype == inferred.dtype || printed.dtype == DType::Unknown || inferred.dtype == DType::Unknown;
    if (!dtypes || printed.kind != inferred.kind) return false;
    if (!printed.dims || !inferred.dims) return true;
    if (printed.dims->size() != inferred.dims->size()) return false;
    for (std::size_t i = 0; i < printed.dims->size(); ++i) {
        const Dim& a = (*printed.dims)[i];
        const Dim& b = (*inferred.dims)[i];
        if (a.known() && b.known() && a.size != b.size) return false;
    }
    return true;
}

Status checkNode(const Graph& graph, NodeId id, FactSource& source, const std::string& place)
{
    const Node& node = graph[id];
    const OpSchema* schema = findSchema(node.domain, node.op);
    if (!schema || !schema->infer) return {};
    NodeFacts facts(graph, id, source);
    if (const Status status = schema->infer(facts); !status.ok()) {
        return badInput(say("error.named", word::Name {node.name}, status.error().message), place);
    }
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        if (!node.outputs[i].valid()) continue;
        const Value& value = graph[node.outputs[i]];
        const TensorType& inferred = facts.output(i).type;
        if (agree(value.type, inferred)) continue;
        return badInput(say("fx.contradicts-types", word::Name {value.name}, describe(value.type),
                            *node.from->origin.op, describe(inferred)),
                        place);
    }
    return {};
}

} // namespace

Status checkPrintedTypes(const Graph& graph, const std::vector<std::string>& places)
{
    PrintedFacts facts(graph);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        PLIMSOLL_TRY(checkNode(graph, NodeId(i), facts, i < places.size() ? places[i] : std::string()));
    return {};
}

} // namespace plimsoll::fx
