#pragma once

#include "core/base/progress.h"
#include "core/lower/types/bind_dims.h"
#include "core/ops/op_schema.h"

namespace plimsoll {

/// One walk over the graph in captured order, bodies inline, that finds types and known contents.
///
/// - A body of a loop is walked again until what it carries keeps its type: a dimension that changes becomes unknown.
/// - An operator that cannot be in a branch of an If leaves its outputs unknown: the branch may never be taken.
/// - What a node requires of an input that has no type of its own (a weight in MXNet) becomes its type. Where that is
///   news to nodes that were visited before, the graph is walked again.
/// - Contradictions with the file's types are kept, and the walk goes on with what was inferred.
class InferencePass final : public FactSource
{
public:
    InferencePass(const Graph& graph, const BoundDims& bound, const Context& context);

    [[nodiscard]] Status run();

    /// Makes run() leave open what an operator cannot do, instead of ending with its Error.
    void tolerate() { m_tolerates = true; }

    /// The first contradiction between a type that the file declares and what follows from the operators.
    [[nodiscard]] const std::optional<Error>& contradiction() const { return m_contradiction; }
    /// Moves the results out.
    [[nodiscard]] InferredGraph take();

    [[nodiscard]] const TensorType& type(ValueId value) const override { return m_known[value.index()].type; }
    [[nodiscard]] const TensorType& wanted(ValueId value) const override { return m_declared[value.index()]; }
    [[nodiscard]] bool hasContent(ValueId value) const override;
    [[nodiscard]] const PartialTensor& content(ValueId value) override;

private:
    /// What is known of one value so far.
    struct Known
    {
        TensorType type;
        PartialTensor content;
        Message because; ///< Why its size is not known.
        ValueId lacking; ///< See InferredGraph::lacking.
        bool literalRead = false;
        bool read = false; ///< A node has asked for its type.
    };

    Status visitBody(BodyId body);
    Status visitNode(NodeId id);
    Status visitPlain(NodeId id);
    Status visitBranches(NodeId id);
    Status visitLoop(NodeId id, BodyId body);
    Status visitOpaque(NodeId id);

    using Links = std::vector<BodyLink>;
    Status enterLoop(NodeFacts& facts, const BodyTraits& traits, const Links& links, bool givenUp);
    Result<bool> widenLoop(NodeId id, const Links& links, bool giveUp);
    Status leaveLoop(NodeFacts& facts, const BodyTraits& traits, const Links& links);
    [[nodiscard]] std::int64_t tripsOf(NodeFacts& facts, const BodyTraits& traits, const Links& links);
    [[nodiscard]] PartialTensor initialCondition(NodeFacts& facts, const BodyLink& link);

    /// Gives inputs the types that the node requires of them.
    Status takeRequirements(const NodeFacts& facts);
    Status walkBack();

    /// Joins what was inferred with what the file says, and checks it.
    Status settleType(ValueId value, OutputFacts& facts, NodeId node);
    void settleStorage(ValueId value, OutputFacts& facts, NodeId node);
    /// Takes over what is known of a value.
    Status settle(ValueId value, OutputFacts facts, NodeId node);
    Status settleOutputs(NodeFacts& facts);
    void contradict(ValueId value, const TensorType& inferred, NodeId node);
    [[nodiscard]] Message usualReason(ValueId value, NodeId node) const;
    /// "its dimension 's1 - 6' is no size with s1 = 1"; empty where no dimension is so.
    [[nodiscard]] Message unfitReason(ValueId value) const;
    [[nodiscard]] Message inputReason(const Value& value, const TensorType& type) const;
    /// What the file says too little of, where nothing else is known to be the reason.
    [[nodiscard]] ValueId usualLack(ValueId value, NodeId node) const;
    [[nodiscard]] static ValueId inputLack(ValueId value, const TensorType& type);

    const Graph& m_graph;
    const Context& m_context;
    std::vector<TensorType> m_declared;
    std::map<std::string, word::List> m_unfit; ///< See BoundDims::unfit.
    std::vector<Known> m_known;                ///< By ValueId.
    std::optional<Error> m_contradiction;
    bool m_tolerates = false;  ///< Errors of sizes that were assumed and cannot be: what has none lacks a given size.
    int m_branches = 0;        ///< Depth of If around the node that is visited; above 0, errors are tolerated.
    bool m_news = false;       ///< A type changed that had been read.
    std::int64_t m_visits = 0; ///< Of nodes; bounds the walks over nested loops.
};

} // namespace plimsoll
