#include "core/lower/types/inference_pass.h"

#include "core/graph/sparse_parts.h"
#include "core/ops/literal_elements.h"
#include "core/ops/rules/form.h"

#include <algorithm>

namespace plimsoll {

namespace {

/// Walks back and forth for types that follow from readers. Each carries what is known over any distance; more than a
/// few are needed only where it goes to and fro.
constexpr int MostRounds = 8;

/// A reason that is handed on to all that follows from the value.
constexpr std::string_view NoShape = "types.no-shape";
constexpr std::string_view NoType = "types.no-element-type";

} // namespace

InferencePass::InferencePass(const Graph& graph, const BoundDims& bound, const Context& context)
    : m_graph(graph), m_context(context), m_declared(bound.declared), m_unfit(bound.unfit), m_known(graph.values.size())
{
    for (std::size_t v = 0; v < graph.values.size(); ++v) {
        const ValueRole role = graph.values[v].role;
        if (role == ValueRole::Intermediate || role == ValueRole::BodyInput) continue;
        m_known[v].type = m_declared[v];
        capStored(m_known[v].type);
        if (m_known[v].type.bytes()) continue;
        m_known[v].because = inputReason(graph.values[v], m_known[v].type);
        m_known[v].lacking = inputLack(ValueId(v), m_known[v].type);
    }
}

Status InferencePass::run()
{
    PLIMSOLL_TRY(visitBody(TopBody));
    for (int round = 0; m_news && round < MostRounds; ++round) {
        m_news = false;
        PLIMSOLL_TRY(walkBack());
        PLIMSOLL_TRY(visitBody(TopBody));
    }
    return {};
}

InferredGraph InferencePass::take()
{
    InferredGraph inferred {m_graph, {}, {}, {}, {}};
    for (std::size_t v = 0; v < m_known.size(); ++v) {
        const bool sized = m_known[v].type.bytes().has_value();
        const bool news = m_known[v].type != m_graph.values[v].type;
        if (news) inferred.graph.values[v].type = std::move(m_known[v].type);
        inferred.contents.push_back(std::move(m_known[v].content));
        inferred.unknownBecause.push_back(sized ? Message() : std::move(m_known[v].because));
        inferred.lacking.push_back(sized ? ValueId() : m_known[v].lacking);
    }
    return inferred;
}

bool InferencePass::hasContent(ValueId value) const
{
    if (m_known[value.index()].content.tracked) return true;
    const TensorType& type = m_known[value.index()].type;
    const auto shape = type.shape();
    return shape && !m_known[value.index()].literalRead && isReadable(type.dtype, *shape, *m_graph[value].data);
}

const PartialTensor& InferencePass::content(ValueId value)
{
    PartialTensor& content = m_known[value.index()].content;
    if (!content.tracked && !m_known[value.index()].literalRead && hasContent(value)) {
        const TensorType& type = m_known[value.index()].type;
        content = readElements(type.dtype, *type.shape(), *m_graph[value].data);
        m_known[value.index()].literalRead = true;
    }
    return content;
}

Status InferencePass::visitBody(BodyId body)
{
    for (const NodeId node : m_graph[body].nodes)
        PLIMSOLL_TRY(visitNode(node));
    return {};
}

Status InferencePass::visitNode(NodeId id)
{
    if ((++m_visits & 255) == 0) {
        if (m_context.stopped()) return Error {ErrorCode::Stopped, say("stopped.types"), {}, {}};
        const auto total = static_cast<double>(m_graph.nodes.size());
        m_context.report("types", std::min(1.0, static_cast<double>(m_visits) / total));
    }
    // What no version of the operator allows is wrong in a branch that is never taken, too.
    PLIMSOLL_TRY(checkForm(NodeFacts(m_graph, id, *this)));
    const Node& node = m_graph[id];
    Status status;
    if (node.bodies.empty()) {
        status = visitPlain(id);
    } else if (const BodyRule rule = bodyRule(m_graph, id); rule == BodyRule::Branch) {
        status = visitBranches(id);
    } else if (rule == BodyRule::Loop) {
        status = visitLoop(id, node.bodies.front());
    } else {
        status = visitOpaque(id);
    }
    if (status.ok() || (m_branches == 0 && !m_tolerates) || status.error().code == ErrorCode::Stopped) return status;
    NodeFacts unknown(m_graph, id, *this);
    for (std::size_t i = 0; i < unknown.outputCount(); ++i) {
        unknown.output(i).because = status.error().message;
        if (m_tolerates) unknown.output(i).lacking = node.outputs[i];
    }
    return settleOutputs(unknown);
}

Status InferencePass::visitPlain(NodeId id)
{
    NodeFacts facts(m_graph, id, *this);
    const Node& node = m_graph[id];
    const OpSchema* schema = findSchema(node.domain, node.op);
    if (!schema || !schema->infer) return settleOutputs(facts);
    PLIMSOLL_TRY(schema->infer(facts));
    inferStorageTypes(facts, *schema);
    PLIMSOLL_TRY(takeRequirements(facts));
    for (std::size_t i = 0; i < facts.outputCount(); ++i) {
        if (node.outputs[i].valid()) PLIMSOLL_TRY(settleType(node.outputs[i], facts.output(i), id));
    }
    if (schema->evaluate) schema->evaluate(facts);
    return settleOutputs(facts);
}

Status InferencePass::visitOpaque(NodeId id)
{
    for (const BodyId body : m_graph[id].bodies) {
        for (const ValueId input : m_graph[body].inputs) {
            m_known[input.index()].type = m_declared[input.index()];
            if (type(input).bytes()) continue;
            m_known[input.index()].because = inputReason(m_graph[input], type(input));
            m_known[input.index()].lacking = inputLack(input, type(input));
        }
        PLIMSOLL_TRY(visitBody(body));
    }
    return visitPlain(id);
}

Status InferencePass::visitBranches(NodeId id)
{
    NodeFacts facts(m_graph, id, *this);
    const Node& node = m_graph[id];
    const auto condition = facts.integer(0);
    bool first = true;
    for (std::size_t b = 0; b < node.bodies.size(); ++b) {
        ++m_branches;
        const Status status = visitBody(node.bodies[b]);
        --m_branches;
        PLIMSOLL_TRY(status);
        const bool taken = !condition || (*condition != 0) == (b == 0);
        if (!taken) continue;
        for (const BodyLink& link : bodyLinks(m_graph, id, node.bodies[b])) {
            if (link.ownerOutput < 0) continue;
            const ValueId from = m_graph[node.bodies[b]].outputs[static_cast<std::size_t>(link.bodyOutput)];
            OutputFacts& to = facts.output(static_cast<std::size_t>(link.ownerOutput));
            const PartialTensor& known = content(from);
            if (first) {
                to = {type(from), known, m_known[from.index()].because, m_known[from.index()].lacking};
                continue;
            }
            const TensorType merged = mergedType(to.type, type(from));
            if (to.type.bytes() && type(from).bytes()) to.because = say("size.branches");
            if (to.because.empty()) to.because = m_known[from.index()].because;
            if (!to.lacking.valid()) to.lacking = m_known[from.index()].lacking;
            to.type = merged;
            if (to.content != known) to.content = {};
        }
        first = false;
    }
    return settleOutputs(facts);
}

Status InferencePass::settleOutputs(NodeFacts& facts)
{
    for (std::size_t i = 0; i < facts.outputCount(); ++i) {
        const ValueId output = facts.node().outputs[i];
        if (output.valid()) PLIMSOLL_TRY(settle(output, std::move(facts.output(i)), facts.nodeId()));
    }
    return {};
}

Status InferencePass::settle(ValueId value, OutputFacts facts, NodeId node)
{
    if (m_graph[value].role == ValueRole::Constant && m_graph[value].data->present()) return {};
    PLIMSOLL_TRY(settleType(value, facts, node));
    m_known[value.index()].type = std::move(facts.type);
    // What nested graphs take and hand out is dense.
    if (!m_graph[node].bodies.empty()) m_known[value.index()].type = m_known[value.index()].type.asDense();
    const TensorType& known = type(value);
    m_known[value.index()].content = {};
    if (facts.content.tracked && known.shape() == facts.content.shape && known.dtype == facts.content.dtype) {
        const auto& elements = facts.content.elements;
        const bool useful =
            elements.empty() || std::ranges::any_of(elements, [](const auto& e) { return e.has_value(); });
        if (useful) m_known[value.index()].content = std::move(facts.content);
    }
    Message& because = m_known[value.index()].because;
    ValueId& lacking = m_known[value.index()].lacking;
    because = {};
    lacking = {};
    if (known.bytes()) return {};
    because = inputReason(m_graph[value], known);
    lacking = inputLack(value, known);
    if (known.kind == TypeKind::Tensor && known.dtype != DType::String && !known.asDense().bytes()) {
        lacking = facts.because.empty() ? usualLack(value, node) : facts.lacking;
        because = facts.because.empty() ? usualReason(value, node) : std::move(facts.because);
    }
    return {};
}

Status InferencePass::settleType(ValueId value, OutputFacts& facts, NodeId node)
{
    const TensorType& declared = m_declared[value.index()];
    const TensorType inferred = facts.type;
    if (facts.type == TensorType {}) facts.type = declared;
    TensorType& type = facts.type;
    if (type.kind == TypeKind::Tensor && declared.kind == TypeKind::Tensor) {
        if (type.dtype == DType::Unknown) type.dtype = declared.dtype;
        const DType writtenDtype = m_graph[value].type.dtype;
        if (writtenDtype != DType::Unknown && type.dtype != writtenDtype) contradict(value, inferred, node);
        if (!type.dims) type.dims = declared.dims;
    }
    const auto& written = m_graph[value].type.dims;
    if (type.kind == TypeKind::Tensor && type.dims && declared.dims) {
        const bool sameRank = type.dims->size() == declared.dims->size();
        if (!sameRank && written) contradict(value, inferred, node);
        for (std::size_t i = 0; sameRank && i < type.dims->size(); ++i) {
            Dim& dim = (*type.dims)[i];
            if (!dim.known()) {
                dim = (*declared.dims)[i];
            } else if (written && (*written)[i].known() && (*declared.dims)[i].known() &&
                       dim.size != (*declared.dims)[i].size) {
                contradict(value, inferred, node);
            }
        }
    }
    settleStorage(value, facts, node);
    const Message unfit = whyNotSparse(type);
    if (unfit.empty() && !type.overflows()) return {};
    const std::string where =
        node.valid() ? "node '" + m_graph[node].name + "' (" + qualifiedOp(m_graph[node]) + ")" : "";
    const word::Name name {m_graph[value].name};
    return Error {ErrorCode::BadInput,
                  unfit.empty() ? say("types.size-does-fit", name, describe(type))
                                : say("types.cannot-be-sparse", name, describe(type), unfit),
                  where,
                  {}};
}

/// The rules of the operator go before the file, which says how opaque operators and those without a rule leave their
/// outputs: by way of a dense temporary. Of two bounds the lower one is kept, and checked at run time.
void InferencePass::settleStorage(ValueId value, OutputFacts& facts, NodeId node)
{
    const TensorType& declared = m_declared[value.index()];
    TensorType& type = facts.type;
    if (type.kind != TypeKind::Tensor) return;
    if (declared.isSparse() && type.storage != declared.storage) {
        if (facts.storageFollows)
            contradict(value, type, node);
        else
            type.storage = declared.storage;
    }
    const bool lower = declared.maxStored >= 0 && (type.maxStored < 0 || declared.maxStored < type.maxStored);
    if (lower) type.maxStored = declared.maxStored;
    if (!type.isSparse()) type.maxStored = -1;
    capStored(type);
}

void InferencePass::contradict(ValueId value, const TensorType& inferred, NodeId node)
{
    if (m_contradiction) return;
    const Node& at = m_graph[node];
    m_contradiction = Error {
        ErrorCode::BadInput,
        say("types.file-says-but", word::Name {m_graph[value].name}, describe(m_graph[value].type), describe(inferred)),
        "node '" + at.name + "' (" + qualifiedOp(at) + "), value '" + m_graph[value].name + "'",
        {}};
}

Message InferencePass::unfitReason(ValueId value) const
{
    const auto& dims = m_known[value.index()].type.dims;
    for (std::size_t axis = 0; dims && axis < dims->size(); ++axis) {
        const auto unfit = m_unfit.find(*(*dims)[axis].symbol);
        if (unfit != m_unfit.end()) return say("size.unfit", word::Name {unfit->first}, unfit->second);
    }
    return {};
}

Message InferencePass::usualReason(ValueId value, NodeId id) const
{
    const Node& node = m_graph[id];
    if (Message unfit = unfitReason(value); !unfit.empty()) return unfit;
    if (!isKnownOperator(m_graph, id)) {
        if (type(value).dims) return say("types.run-sizes", describe(type(value)));
        return say("types.unknown-operator", qualifiedOp(node));
    }
    for (const ValueId input : node.inputs) {
        if (!input.valid() || type(input).bytes()) continue;
        const Message& because = m_known[input.index()].because;
        return because.id == NoShape || because.id == NoType
                   ? because
                   : say("types.unknown-input", word::Name {m_graph[input].name});
    }
    return say("types.does-not-follow");
}

ValueId InferencePass::usualLack(ValueId value, NodeId id) const
{
    const Node& node = m_graph[id];
    if (!unfitReason(value).empty()) return value;
    if (!isKnownOperator(m_graph, id)) return type(value).dims ? ValueId() : value; // the file says which are open
    bool open = false;
    for (const ValueId input : node.inputs) {
        if (!input.valid() || type(input).bytes()) continue;
        if (m_known[input.index()].lacking.valid()) return m_known[input.index()].lacking;
        open = true;
    }
    const OpSchema* schema = findSchema(node.domain, node.op);
    const bool follows = open || !node.bodies.empty() || (schema && schema->infer);
    return follows ? ValueId() : value;
}

ValueId InferencePass::inputLack(ValueId value, const TensorType& type)
{
    return type.kind == TypeKind::Tensor && type.dtype != DType::String ? value : ValueId();
}

Message InferencePass::inputReason(const Value& value, const TensorType& type) const
{
    if (type.kind == TypeKind::Sequence) return say("size.a-sequence");
    if (type.kind == TypeKind::Optional) return say("size.optional");
    if (type.kind == TypeKind::Opaque) return say("size.no-tensor");
    if (type.dtype == DType::String) return say("size.strings");
    if (type.isSparse() && type.asDense().bytes()) return say("types.unbounded", word::Name {value.name});
    const bool handedIn =
        value.role == ValueRole::Input || (value.role == ValueRole::Parameter && !value.data->present());
    if (handedIn && value.body == TopBody)
        return say(type.shape() && type.dtype == DType::Unknown ? NoType : NoShape, word::Name {value.name});
    return say("size.no-type");
}

} // namespace plimsoll
