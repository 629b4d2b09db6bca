#include "tests/support/random_graph.h"

#include "core/graph/graph_builder.h"

#include <random>

namespace plimsoll::test {
namespace {

class RandomGraph
{
public:
    explicit RandomGraph(unsigned seed) : m_engine(seed), m_builder("random-" + std::to_string(seed)) {}

    Graph make()
    {
        m_condition = m_builder.addInput("condition", TensorType::dense(DType::Bool, {}));
        m_trips = m_builder.addInput("trips", TensorType::dense(DType::Int64, {}));
        std::vector<ValueId> values = {m_builder.addInput("x", type()), m_builder.addParameter("w", type()),
                                       m_builder.addInput("given", type())};
        m_builder.graph()[values.back()].visible = false;
        addNodes(values, between(3, 14), 0);
        const int outputs = between(1, 4);
        for (int i = 0; i < outputs; ++i)
            m_builder.addOutput(pick(values));
        return std::move(m_builder).build().value();
    }

private:
    static TensorType type() { return TensorType::dense(DType::Float32, {16}); }

    int between(int low, int high) { return std::uniform_int_distribution(low, high)(m_engine); }

    /// Mostly one of the last.
    ValueId pick(const std::vector<ValueId>& values)
    {
        const int back =
            std::min(between(0, static_cast<int>(values.size()) - 1), between(0, static_cast<int>(values.size()) - 1));
        return values[values.size() - 1 - static_cast<std::size_t>(back)];
    }

    void addNodes(std::vector<ValueId>& values, int count, int depth)
    {
        for (int i = 0; i < count; ++i) {
            const int kind = between(0, depth < 3 ? 13 : 11);
            if (kind < 4) {
                values.push_back(addNode("Relu", {pick(values)}));
            } else if (kind < 7) {
                values.push_back(addNode("Identity", {pick(values)}));
            } else if (kind < 10) {
                values.push_back(addNode("Add", {pick(values), pick(values)}));
            } else if (kind == 10) {
                values.push_back(addView(pick(values)));
            } else if (kind == 11) {
                values.push_back(addNode("Softmax", {pick(values)}));
            } else if (kind == 12) {
                values.push_back(addBranches(values, depth));
            } else {
                addLoop(values, depth);
            }
        }
    }

    ValueId typed(NodeId node, std::size_t output = 0)
    {
        const ValueId value = m_builder.output(node, output);
        m_builder.graph()[value].type = type();
        return value;
    }

    std::string fresh() { return "v" + std::to_string(m_next++); }

    ValueId addNode(const char* op, ValueIds inputs)
    {
        return typed(m_builder.addNode({.op = op}, std::move(inputs), {fresh()}));
    }

    ValueId addView(ValueId input)
    {
        // A view of loop state that is handed over as other state is spoiled by every plan.
        if (m_builder.graph()[input].role == ValueRole::BodyInput) return addNode("Relu", {input});
        Node node {.op = "Identity"};
        node.declared.edit().traits = {{{0, 0, AliasKind::View, 0}}};
        return typed(m_builder.addNode(std::move(node), {input}, {fresh()}));
    }

    ValueId addBranches(const std::vector<ValueId>& outside, int depth)
    {
        const NodeId node = m_builder.addNode({.op = "If"}, {m_condition}, {fresh()});
        for (const char* name : {"then_branch", "else_branch"}) {
            m_builder.openBody(node, name);
            std::vector<ValueId> values = outside;
            addNodes(values, between(0, 4), depth + 1);
            m_builder.addOutput(pick(values));
            m_builder.closeBody();
        }
        return typed(node);
    }

    void addLoop(std::vector<ValueId>& outside, int depth)
    {
        const NodeId node = m_builder.addNode({.op = "Loop"}, {m_trips, ValueId(), pick(outside), pick(outside)},
                                              {fresh(), fresh(), fresh()});
        m_builder.openBody(node, "body");
        m_builder.addInput("i", TensorType::dense(DType::Int64, {}));
        const ValueId condition = m_builder.addInput("c", TensorType::dense(DType::Bool, {}));
        std::vector<ValueId> values = outside;
        values.push_back(m_builder.addInput("a", type()));
        values.push_back(m_builder.addInput("b", type()));
        addNodes(values, between(0, 5), depth + 1);
        m_builder.addOutput(condition);
        for (int i = 0; i < 3; ++i)
            m_builder.addOutput(pick(values));
        m_builder.closeBody();
        outside.push_back(typed(node, 0));
        outside.push_back(typed(node, 1));
    }

    std::mt19937 m_engine;
    GraphBuilder m_builder;
    ValueId m_condition;
    ValueId m_trips;
    int m_next = 0;
};

} // namespace

Graph randomGraph(unsigned seed)
{
    return RandomGraph(seed).make();
}

} // namespace plimsoll::test
