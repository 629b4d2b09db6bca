#include "kernels/run/step/reference_check.h"

#include "core/ops/op_traits.h"
#include "core/ops/reorder_node.h"
#include "core/ops/sparse_rules.h"
#include "kernels/reference/reorder.h"
#include "kernels/run/memory/sparse_values.h"
#include "kernels/run/step/node_call.h"
#include "kernels/run/step/reference_bounds.h"
#include "kernels/tensor_view.h"

namespace plimsoll::kernels {
namespace {

/// A value of the oracle as a reference kernel reads it: row-major, whatever layout it is held in. A weight that was
/// prepared is the weight that it was made of.
RuntimeValue plainIn(const Run& run, ValueId value)
{
    const Graph& graph = run.planned.graph();
    const ValueId id = beforePreparing(graph, value);
    const RuntimeValue* external = id == value ? nullptr : run.start.externals.find(id);
    const Result<RuntimeValue> here = external ? Result<RuntimeValue>(*external) : run.oracle.onHost(id);
    if (!here.ok()) return {};
    const RuntimeValue& held = here.value();
    const std::string_view name = layoutOf(graph, run.start.program.implementations, id);
    const auto shape = graph[id].type.shape();
    if (name == PlainLayout || held.kind != RuntimeValue::Kind::Tensor || !shape) return held;
    const auto from = layoutFromName(name, shape->size());
    auto plain = allocateTensor(held.tensor.dtype, *shape);
    if (!from || !plain.ok()) return held;
    const TensorView target = plain.value().view();
    reorderElements({held.tensor.as<std::byte>(), *from},
                    {target.as<std::byte>(), *layoutFromName(PlainLayout, shape->size())}, *shape,
                    static_cast<std::size_t>(dtypeBits(target.dtype) / 8));
    return tensorValue(std::move(plain).value());
}

struct Subject
{
    NodeId node;
    ValueId value;
};

void compare(Run& run, const Subject& subject, const RuntimeValue& found, const RuntimeValue& wanted,
             const Tolerance& bound)
{
    ++run.result.referenceValues;
    const auto difference = compareWithin(found, wanted, bound);
    if (!difference) return;
    const Graph& graph = run.planned.graph();
    const Backend* const backend = findBackend(run.start.program.implementations[subject.node].backend);
    Message note = touchesSparse(graph, subject.node)
                       ? say("run.sparse-differs", difference->note)
                       : say("run.backend-differs", backend ? backend->title : "?", difference->note);
    run.compared.ofReference.push_back({graph[subject.value].name, graph[subject.node].name,
                                        run.start.program.schedule.stepOf(subject.node), difference->maxAbsDiff,
                                        std::move(note)});
}

/// What the reference kernel makes of those inputs, which \p inputOf gives; nothing where it cannot.
template <typename InputOf>
std::optional<std::vector<RuntimeValue>> referenceOutputs(Run& run, NodeId node, const InputOf& inputOf)
{
    const Node& info = run.planned.graph()[node];
    const KernelFunction kernel = findReferenceKernel(info.domain, info.op);
    TrialCall trial(run.oracle, node, seedOf(run, node), run.start.request.time);
    for (std::size_t i = 0; i < trial.inputCount(); ++i) {
        if (info.inputs[i].valid()) trial.replaceInput(i, inputOf(i));
    }
    if (!kernel || !callKernel(trial, kernel).ok()) return std::nullopt;
    std::vector<RuntimeValue> outputs;
    for (std::size_t i = 0; i < info.outputs.size(); ++i)
        outputs.push_back(trial.result(i));
    return outputs;
}

/// One operation after the other. An error that an early one may make is as large as its result, which what comes
/// behind may have made smaller: the widest of the bounds counts.
void compareFused(Run& run, NodeId node)
{
    const Graph& graph = run.planned.graph();
    const Node& info = graph[node];
    auto made = referenceOutputs(run, node, [&](std::size_t i) { return plainIn(run, info.inputs[i]); });
    if (!made) return;
    Tolerance bound = referenceBound(info, made->front());
    for (const FusedNode& fused : graph.decided[node].fused) {
        const RuntimeValue before = made->front();
        made = referenceOutputs(run, fused.node, [&](std::size_t i) {
            return i == static_cast<std::size_t>(fused.input) ? before : plainIn(run, graph[fused.node].inputs[i]);
        });
        if (!made) return;
        bound = widest(bound, referenceBound(graph[fused.node], made->front()));
    }
    compare(run, {node, info.outputs[0]}, plainIn(run, info.outputs[0]), made->front(), bound);
}

} // namespace

void compareWithReference(Run& run, NodeId node)
{
    const Graph& graph = run.planned.graph();
    const Node& info = graph[node];
    const bool sparse = touchesSparse(graph, node);
    if (!sparse && run.start.program.implementations[node].backend == ReferenceBackend) return;
    if (!sparse && !graph.decided[node].fused.empty()) return compareFused(run, node);
    if (!sparse && isReorder(info)) {
        const RuntimeValue wanted = plainIn(run, info.inputs[0]);
        return compare(run, {node, info.outputs[0]}, plainIn(run, info.outputs[0]), wanted,
                       referenceBound(info, wanted));
    }
    const auto shown = [&](ValueId id) {
        return sparse ? asShown(run.oracle.value(id), graph[id].type).dense : plainIn(run, id);
    };
    const auto wanted = referenceOutputs(run, node, [&](std::size_t i) { return shown(info.inputs[i]); });
    for (std::size_t i = 0; wanted && i < info.outputs.size(); ++i) {
        if (info.outputs[i].valid())
            compare(run, {node, info.outputs[i]}, shown(info.outputs[i]), (*wanted)[i],
                    referenceBound(info, (*wanted)[i]));
    }
}

void checkIdentities(Run& run, NodeId node)
{
    const Graph& graph = run.planned.graph();
    const Node& info = graph[node];
    for (const AliasTrait& trait : aliasTraits(graph, node)) {
        if (trait.kind != AliasKind::Identity) continue;
        const ValueId input = info.inputs[static_cast<std::size_t>(trait.input)];
        const ValueId output = info.outputs[static_cast<std::size_t>(trait.output)];
        const Result<RuntimeValue> wantedHere = run.oracle.onHost(input);
        const Result<RuntimeValue> foundHere = run.oracle.onHost(output);
        if (!wantedHere.ok() || !foundHere.ok()) continue;
        const RuntimeValue& wanted = wantedHere.value();
        RuntimeValue found = foundHere.value();
        const bool tensors = wanted.kind == RuntimeValue::Kind::Tensor && found.kind == RuntimeValue::Kind::Tensor;
        if (tensors && found.tensor.bytes() == wanted.tensor.bytes()) found.tensor.shape = wanted.tensor.shape;
        const auto difference = compareExactly(found, wanted);
        if (!difference || !run.compared.falseIdentities.insert(output).second) continue;
        run.compared.ofIdentities.push_back(
            {graph[output].name, info.name, run.start.program.schedule.stepOf(node), difference->maxAbsDiff,
             say("run.false-identity", word::Name {graph[input].name}, difference->note), Rule::FalseIdentity});
    }
}

} // namespace plimsoll::kernels
