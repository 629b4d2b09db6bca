#include "node_replay.h"
#include "core/facts/english/english.h"

#include "core/formats/files/tensor_file.h"
#include "core/formats/read_graph.h"
#include "core/ops/op_traits.h"
#include "kernels/common/numbers.h"
#include "kernels/tensor_view.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace plimsoll::kernels::test {
namespace {

namespace fs = std::filesystem;
using Values = std::vector<RuntimeValue>;

/// Backend tests compare with these.
constexpr double Relative = 1e-3;
constexpr double Absolute = 1e-7;

/// Test data made before numpy knew bfloat16 holds its codes as uint16.
HostTensor withTypeOf(HostTensor tensor, DType dtype)
{
    if (tensor.dtype() != DType::UInt16 || dtype != DType::BFloat16) return tensor;
    HostTensor retyped(dtype, tensor.shape());
    std::copy_n(tensor.view().as<std::uint16_t>(), tensor.view().elements(), retyped.view().as<std::uint16_t>());
    return retyped;
}

Result<RuntimeValue> readValue(const fs::path& path, const TensorType& type)
{
    PLIMSOLL_ASSIGN(file, readTensorFile(path, type.kind));
    RuntimeValue value;
    if (!file.present) return value;
    if (file.kind == TypeKind::Tensor) {
        PLIMSOLL_ASSIGN(tensor, hostTensor(file.tensors.front()));
        return tensorValue(withTypeOf(tensor, type.dtype));
    }
    value.kind = RuntimeValue::Kind::Sequence;
    for (const TensorLiteral& literal : file.tensors) {
        PLIMSOLL_ASSIGN(tensor, hostTensor(literal));
        value.sequence.push_back(tensor);
        value.sequenceDtype = literal.dtype;
    }
    return value;
}

std::string difference(const TensorView& got, const TensorView& want)
{
    const auto type = [](const TensorView& t) { return std::string(dtypeName(t.dtype)) + describe(t.shape); };
    if (got.dtype != want.dtype || got.shape != want.shape) return "got " + type(got) + ", want " + type(want);
    if (got.dtype == DType::String) {
        const bool equal =
            std::equal(got.as<std::string>(), got.as<std::string>() + got.elements(), want.as<std::string>());
        return equal ? "" : "the texts differ";
    }
    const std::vector<double> a = doublesOf(got);
    const std::vector<double> b = doublesOf(want);
    for (std::size_t i = 0; i < a.size(); ++i) {
        const bool equal = a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]));
        if (equal || std::fabs(a[i] - b[i]) <= Absolute + Relative * std::fabs(b[i])) continue;
        return "element " + std::to_string(i) + " is " + std::to_string(a[i]) + ", want " + std::to_string(b[i]);
    }
    return {};
}

std::string difference(const RuntimeValue& got, const RuntimeValue& want)
{
    if (got.kind != want.kind) return "another kind of value";
    if (got.kind == RuntimeValue::Kind::Tensor) return difference(got.tensor, want.tensor);
    if (got.sequence.size() != want.sequence.size()) return "a sequence of another length";
    for (std::size_t i = 0; i < got.sequence.size(); ++i) {
        const std::string found = difference(got.sequence[i].view(), want.sequence[i].view());
        if (!found.empty()) return found;
    }
    return {};
}

/// The graph, run top to bottom.
class Machine
{
public:
    Machine(const Graph& graph, bool inPlace) : m_graph(graph), m_values(graph.values.size()), m_inPlace(inPlace) {}

    Status loadConstants()
    {
        for (std::size_t i = 0; i < m_graph.values.size(); ++i) {
            const Value& value = m_graph.values[i];
            const auto shape = value.type.shape();
            if (!value.data->present() || !shape) continue;
            PLIMSOLL_ASSIGN(tensor, hostTensor({value.type.dtype, *shape, *value.data}));
            m_values[i] = tensorValue(tensor);
        }
        return {};
    }

    RuntimeValue& operator[](ValueId id) { return m_values[id.index()]; }

    Status run(NodeId id)
    {
        const Node& node = m_graph[id];
        const KernelFunction kernel = findReferenceKernel(node.domain, node.op);
        if (!kernel || !node.bodies.empty())
            return Error {ErrorCode::Unsupported, say("run.missing-kernel", qualifiedOp(node)), "", {}};
        Values inputs;
        for (const ValueId input : node.inputs)
            inputs.push_back(input.valid() ? m_values[input.index()] : RuntimeValue());
        FakeCall call(m_graph, id, m_inPlace ? ownCopies(inputs) : inputs);
        if (m_inPlace) shareWhatMayBeShared(call, id);
        PLIMSOLL_TRY(kernel(call));
        for (std::size_t i = 0; i < node.outputs.size(); ++i) {
            if (node.outputs[i].valid()) m_values[node.outputs[i].index()] = call.result(i);
        }
        return {};
    }

private:
    static Values ownCopies(Values inputs)
    {
        for (RuntimeValue& input : inputs)
            input = copyOf(input);
        return inputs;
    }

    void shareWhatMayBeShared(FakeCall& call, NodeId id) const
    {
        for (const AliasTrait& trait : aliasTraits(m_graph, id)) {
            if (trait.kind != AliasKind::MayBeInPlace && trait.kind != AliasKind::Identity) continue;
            const ValueId out = m_graph[id].outputs[static_cast<std::size_t>(trait.output)];
            const auto input = static_cast<std::size_t>(trait.input);
            const auto bytes = out.valid() ? m_graph[out].type.bytes() : std::nullopt;
            if (call.input(input).kind != RuntimeValue::Kind::Tensor || bytes != call.input(input).tensor.bytes())
                continue;
            if (call.input(input).tensor.dtype == DType::String) continue;
            call.shareBytes(static_cast<std::size_t>(trait.output), input);
        }
    }

    const Graph& m_graph;
    Values m_values;
    bool m_inPlace;
};

/// Random numbers cannot be told beforehand.
bool isRandom(const Graph& graph)
{
    static const std::set<std::string> Ops {"Bernoulli",        "Multinomial",   "RandomNormal",
                                            "RandomNormalLike", "RandomUniform", "RandomUniformLike"};
    for (const Node& node : graph.nodes) {
        const bool trains = node.op == "Dropout" && node.inputs.size() > 2 && node.inputs[2].valid();
        if (trains || Ops.contains(node.op)) return true;
    }
    return false;
}

Status replayData(const Graph& graph, const fs::path& data, bool inPlace)
{
    Machine machine(graph, inPlace);
    PLIMSOLL_TRY(machine.loadConstants());
    for (std::size_t i = 0; i < graph.top().inputs.size(); ++i) {
        const ValueId input = graph.top().inputs[i];
        const fs::path file = data / ("input_" + std::to_string(i) + ".pb");
        if (!fs::exists(file)) continue;
        PLIMSOLL_ASSIGN(value, readValue(file, graph[input].type));
        machine[input] = value;
    }
    for (const NodeId node : graph.top().nodes)
        PLIMSOLL_TRY(machine.run(node));
    for (std::size_t i = 0; i < graph.top().outputs.size(); ++i) {
        const ValueId output = graph.top().outputs[i];
        PLIMSOLL_ASSIGN(want, readValue(data / ("output_" + std::to_string(i) + ".pb"), graph[output].type));
        const std::string found = isRandom(graph) ? "" : difference(machine[output], want);
        if (!found.empty()) return Error {ErrorCode::BadInput, Message(found), "output " + std::to_string(i), {}};
    }
    return {};
}

} // namespace

Replay replayFolder(const fs::path& folder, bool inPlace)
{
    using enum Replay::Verdict;
    const Result<Graph> graph = readGraph(folder / "model.onnx", {});
    if (!graph.ok()) return {Unsupported, describe(graph.error())};
    for (int set = 0; fs::exists(folder / ("test_data_set_" + std::to_string(set))); ++set) {
        const Status status = replayData(graph.value(), folder / ("test_data_set_" + std::to_string(set)), inPlace);
        if (status.ok()) continue;
        return {status.error().code == ErrorCode::Unsupported ? Unsupported : Failed, describe(status.error())};
    }
    return {};
}

} // namespace plimsoll::kernels::test
