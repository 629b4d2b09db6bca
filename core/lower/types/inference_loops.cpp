#include "core/lower/types/inference_pass.h"

#include <algorithm>

namespace plimsoll {

namespace {

using Kind = BodyLink::Kind;
constexpr int WalkLimit = 12;            ///< Walks over one loop body before what still changes is given up.
constexpr std::int64_t VisitFactor = 64; ///< Visits of a node on average before loops are walked only once.

/// What is known in both.
PartialTensor common(const PartialTensor& a, const PartialTensor& b)
{
    if (!a.tracked || !b.tracked || a.dtype != b.dtype || a.shape != b.shape) return {};
    PartialTensor both = a;
    for (std::size_t i = 0; i < both.elements.size(); ++i) {
        if (both.elements[i] != b.elements[i]) both.elements[i].reset();
    }
    return both;
}

std::size_t at(int index)
{
    return static_cast<std::size_t>(index);
}

} // namespace

Status InferencePass::visitLoop(NodeId id, BodyId body)
{
    NodeFacts facts(m_graph, id, *this);
    const BodyTraits& traits = bodyTraits(m_graph, id);
    const auto links = traits.links(m_graph, id, body);
    const bool once = m_visits > VisitFactor * static_cast<std::int64_t>(m_graph.nodes.size() + 1024);
    const auto before = m_contradiction;
    PLIMSOLL_TRY(enterLoop(facts, traits, links, once));
    PLIMSOLL_TRY(visitBody(body));
    for (int walk = 1; !once && walk < 2 * WalkLimit; ++walk) {
        PLIMSOLL_ASSIGN(changed, widenLoop(id, links, walk >= WalkLimit));
        if (!changed) break;
        m_contradiction = before;
        PLIMSOLL_TRY(visitBody(body));
    }
    return leaveLoop(facts, traits, links);
}

Status InferencePass::enterLoop(NodeFacts& facts, const BodyTraits& traits, const std::vector<BodyLink>& links,
                                bool givenUp)
{
    const Body& body = m_graph[facts.node().bodies.front()];
    for (const ValueId input : body.inputs)
        PLIMSOLL_TRY(settle(input, {}, facts.nodeId()));
    for (const BodyLink& link : links) {
        if (link.bodyInput < 0) continue;
        const ValueId to = body.inputs[at(link.bodyInput)];
        OutputFacts entering;
        entering.type = traits.inner(facts, link);
        const bool scalar = link.kind == Kind::Iteration || link.kind == Kind::Condition; // files write [1] too
        const auto& said = m_declared[to.index()].dims;
        const bool single = scalar && said && said->size() == 1 && said->front().size == 1;
        if (single && entering.type.dims && entering.type.dims->empty())
            entering.type = TensorType::dense(entering.type.dtype, {1});
        if (link.ownerInput >= 0) {
            const ValueId given = facts.node().inputs[at(link.ownerInput)];
            entering.because = m_known[given.index()].because;
            entering.lacking = m_known[given.index()].lacking;
        }
        if (link.kind == Kind::Carried)
            entering.content = link.ownerInput < 0 ? PartialTensor {} : facts.content(at(link.ownerInput));
        if (link.kind == Kind::Condition) entering.content = initialCondition(facts, link);
        if (givenUp && link.kind == Kind::Carried) {
            entering = {entering.type, {}, say("size.deep-loops")};
            entering.type.dims.reset();
        }
        PLIMSOLL_TRY(settle(to, std::move(entering), facts.nodeId()));
    }
    return {};
}

PartialTensor InferencePass::initialCondition(NodeFacts& facts, const BodyLink& link)
{
    PartialTensor condition {DType::Bool, {}, {Scalar::ofInteger(1)}, true};
    const ValueId inner = m_graph[facts.node().bodies.front()].inputs[at(link.bodyInput)];
    if (const auto& dims = m_declared[inner.index()].dims) condition.shape.assign(dims->size(), 1);
    if (link.ownerInput < 0) return condition;
    const auto given = facts.integer(at(link.ownerInput));
    if (!given) return {};
    condition.elements.front() = Scalar::ofInteger(*given);
    return condition;
}

Result<bool> InferencePass::widenLoop(NodeId id, const std::vector<BodyLink>& links, bool giveUp)
{
    const Body& body = m_graph[m_graph[id].bodies.front()];
    bool changed = false;
    for (const BodyLink& link : links) {
        const bool loops = link.kind == Kind::Carried || link.kind == Kind::Condition;
        if (!loops || link.bodyInput < 0 || link.bodyOutput < 0) continue;
        const ValueId in = body.inputs[at(link.bodyInput)];
        const ValueId out = body.outputs[at(link.bodyOutput)];
        const TensorType typeBefore = type(in);
        const PartialTensor contentBefore = content(in);
        OutputFacts widened {link.kind == Kind::Carried ? mergedType(typeBefore, type(out)) : typeBefore,
                             common(contentBefore, content(out)), say("size.by-iteration"),
                             m_known[out.index()].lacking};
        if (widened.type == typeBefore && widened.content == contentBefore) continue;
        if (giveUp && widened.type != typeBefore) widened.type.dims.reset();
        if (giveUp) widened.content = {};
        PLIMSOLL_TRY(settle(in, std::move(widened), id));
        changed = changed || type(in) != typeBefore || content(in) != contentBefore;
    }
    return changed;
}

std::int64_t InferencePass::tripsOf(NodeFacts& facts, const BodyTraits& traits, const std::vector<BodyLink>& links)
{
    const Body& body = m_graph[facts.node().bodies.front()];
    for (const BodyLink& link : links) {
        if (link.kind != Kind::Condition) continue;
        const auto given = link.ownerInput < 0 ? std::optional<std::int64_t>(1) : facts.integer(at(link.ownerInput));
        if (given && *given == 0) return 0;
        const PartialTensor& next = content(body.outputs[at(link.bodyOutput)]);
        const bool goesOn = next.complete() && next.elements.size() == 1 && next.elements.front()->integer != 0;
        if (!given || !goesOn) return UnknownSize;
    }
    return traits.trips(facts);
}

Status InferencePass::leaveLoop(NodeFacts& facts, const BodyTraits& traits, const std::vector<BodyLink>& links)
{
    const Body& body = m_graph[facts.node().bodies.front()];
    const std::int64_t trips = tripsOf(facts, traits, links);
    for (const BodyLink& link : links) {
        if (link.ownerOutput < 0) continue;
        const bool carried = link.kind == Kind::Carried;
        const ValueId from = carried ? body.inputs[at(link.bodyInput)] : body.outputs[at(link.bodyOutput)];
        OutputFacts& to = facts.output(at(link.ownerOutput));
        to.type = traits.outer(facts, link, type(from), trips);
        to.because = m_known[from.index()].because;
        to.lacking = m_known[from.index()].lacking;
        if (to.because.empty()) to.because = say("size.trips", *facts.node().op);
        if (carried && to.type == type(from)) to.content = content(from);
    }
    return settleOutputs(facts);
}

} // namespace plimsoll
