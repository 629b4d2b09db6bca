#include "core/formats/tflite/tflite_emitter.h"
#include "core/formats/bad_input.h"

#include "core/formats/files/tensor_data.h"
#include "core/ops/dialects/arena_rules.h"

#include <algorithm>

namespace plimsoll::tflite {
namespace {

constexpr std::int64_t CommonOpset = 21; ///< Of the ONNX operators that control flow is put into.

std::string nameOf(const Tensor& tensor, std::size_t number)
{
    return tensor.name.empty() ? "tensor" + std::to_string(number) : tensor.name;
}

} // namespace

Emitter::Emitter(const Model& model, std::filesystem::path file, const Context& context, std::vector<bool> placed,
                 ReadingRoom room)
    : m_model(model), m_file(std::move(file)),
      m_build(Dialect, context,
              {"note.tflite-batch", "note.tflite-fixed", "note.tflite-state", "note.tflite-as-stored",
               "note.tflite-unmade", "note.tflite-decomposed", "note.tflite-workspaces"},
              room),
      m_hasOffset(std::move(placed))
{
}

Emitter::Scope Emitter::scopeOf(std::size_t number, NamedGraph& graph, std::size_t depth) const
{
    const Subgraph& subgraph = m_model.subgraphs[number];
    Scope scope {number, subgraph, graph, depth};
    scope.names.resize(subgraph.tensors.size());
    scope.made.resize(subgraph.tensors.size());
    for (const Operator& op : subgraph.operators) {
        for (const int output : op.outputs) {
            if (output >= 0) scope.made[static_cast<std::size_t>(output)] = true;
        }
    }
    return scope;
}

Result<Graph> Emitter::run(std::size_t entry, std::string name)
{
    NamedGraph& graph = m_build.graph;
    Scope scope = scopeOf(entry, graph, 0);
    m_batch = hasOpenBatch(scope.subgraph);
    m_readers.assign(scope.subgraph.tensors.size(), 0);
    const auto countReads = [&](const std::vector<int>& tensors) {
        for (const int tensor : tensors) {
            if (tensor >= 0) ++m_readers[static_cast<std::size_t>(tensor)];
        }
    };
    for (const Operator& op : scope.subgraph.operators)
        countReads(op.inputs);
    countReads(scope.subgraph.outputs);
    graph.place = "subgraphs[" + std::to_string(entry) + "]";
    for (const int input : scope.subgraph.inputs) {
        const auto tensor = static_cast<std::size_t>(input);
        if (!scope.names[tensor].empty()) continue; // listed twice
        const Tensor& info = scope.subgraph.tensors[tensor];
        NamedValue value = m_build.value(nameOf(info, tensor), inputType(info, m_batch));
        scope.names[tensor] = value.name;
        value.visible = false;
        mayPlace(scope, tensor, value, true);
        graph.inputs.push_back(std::move(value));
    }
    PLIMSOLL_TRY(addOperators(scope));
    PLIMSOLL_SET(graph.outputs, readAll(scope, scope.subgraph.outputs, graph.place + ".outputs"));
    if (m_scratchBytes > 0) m_build.notes.push_back(say("note.tflite-npu", m_scratchBytes));
    return m_build.finish(std::move(name), {{"", CommonOpset}, {Dialect, std::max<std::int64_t>(m_model.version, 1)}});
}

/// A subgraph may be run by many operators, each of which has it as a nested graph of its own.
Status Emitter::addOperators(Scope& scope)
{
    for (std::size_t i = 0; i < scope.subgraph.operators.size(); ++i) {
        const Operator& op = scope.subgraph.operators[i];
        Site site {scope, op, i, placeOf(scope.number, i, op)};
        PLIMSOLL_TRY(checkStopped(m_build.context));
        m_build.room.take(ReadingRoom::Attribute + (op.inputs.size() + op.outputs.size()) * ReadingRoom::Name);
        if (m_build.room.isFull()) return site.error(ReadingRoom::refusal());
        PLIMSOLL_TRY(addOperator(site));
    }
    return {};
}

Status Emitter::addOperator(Site& site)
{
    NamedNode node = m_build.node(site.op.name + "_" + std::to_string(site.index), site.op.name, site.place);
    if (site.op.custom) node.node.from.edit().origin.overload = CustomOverload;
    node.node.attributes.emplace("version", site.op.version);
    const bool ownMemory = arrangesItsMemory(node.node);
    std::vector<std::size_t> workspaces;
    for (const int input : site.op.inputs) {
        if (ownMemory && isUnmade(site.scope, input)) {
            addScratch(site.scope, static_cast<std::size_t>(input), node.node.name);
            node.inputs.emplace_back();
            continue;
        }
        if (isWorkspace(site, input)) {
            workspaces.push_back(static_cast<std::size_t>(input));
            node.inputs.emplace_back();
            continue;
        }
        PLIMSOLL_SET(node.inputs.emplace_back(), read(site.scope, input, site.place));
    }
    if (site.op.flow != Flow::None) return addFlow(site, std::move(node));
    node.outputs = defineOutputs(site);
    for (const std::size_t tensor : workspaces)
        node.outputs.push_back(define(site.scope, tensor));
    if (!workspaces.empty()) node.node.attributes.emplace(Workspaces, static_cast<std::int64_t>(workspaces.size()));
    m_build.note("note.tflite-workspaces", workspaces.size());
    site.scope.graph.nodes.push_back(std::move(node));
    return {};
}

std::vector<std::string> Emitter::defineOutputs(const Site& site)
{
    std::vector<std::string> names;
    for (const int output : site.op.outputs)
        names.push_back(output < 0 ? std::string() : define(site.scope, static_cast<std::size_t>(output)));
    return names;
}

std::string Emitter::define(Scope& scope, std::size_t tensor)
{
    const Tensor& info = scope.subgraph.tensors[tensor];
    const NamedValue value = m_build.value(nameOf(info, tensor), computedType(info, m_batch, m_build));
    mayPlace(scope, tensor, value, true);
    scope.names[tensor] = value.name;
    scope.graph.values.push_back(value);
    return value.name;
}

/// Neither made by an operator, nor handed in, nor in the file.
bool Emitter::isUnmade(const Scope& scope, int tensor) const
{
    if (tensor < 0) return false;
    const auto number = static_cast<std::size_t>(tensor);
    const Tensor& info = scope.subgraph.tensors[number];
    return scope.names[number].empty() && !scope.made[number] && !info.isVariable &&
           m_model.bytesOf(info).content.empty();
}

/// Whether a custom operator is handed room to work in: a tensor without a maker that the file puts into the arena,
/// and that nothing else reads.
bool Emitter::isWorkspace(const Site& site, int tensor) const
{
    if (site.scope.depth > 0 || !site.op.custom || site.op.flow != Flow::None || !isUnmade(site.scope, tensor))
        return false;
    const auto number = static_cast<std::size_t>(tensor);
    return number < m_hasOffset.size() && m_hasOffset[number] && m_readers[number] == 1;
}

/// The arena itself, or a part of it, in which the node works by its own plan.
void Emitter::addScratch(const Scope& scope, std::size_t tensor, const std::string& node)
{
    NamedValue scratch;
    scratch.name = "scratch:" + node;
    scratch.type = computedType(scope.subgraph.tensors[tensor], m_batch, m_build);
    m_scratchBytes = std::max(m_scratchBytes, scratch.type.bytes().value_or(0));
    mayPlace(scope, tensor, scratch, false);
}

void Emitter::mayPlace(const Scope& scope, std::size_t tensor, const NamedValue& value, bool needsPlace)
{
    const bool outermost = scope.depth == 0;
    if (outermost || needsPlace)
        m_placed.push_back({outermost ? tensor : NoTensor, value.name,
                            value.type.bytes() ? value.type : writtenType(scope.subgraph.tensors[tensor]), needsPlace});
}

Result<std::vector<std::string>> Emitter::readAll(Scope& scope, const std::vector<int>& tensors,
                                                  const std::string& place)
{
    std::vector<std::string> names;
    for (const int tensor : tensors) {
        PLIMSOLL_SET(names.emplace_back(), read(scope, tensor, place));
    }
    return names;
}

Result<std::string> Emitter::read(Scope& scope, int tensor, const std::string& place)
{
    if (tensor < 0) return std::string();
    const auto number = static_cast<std::size_t>(tensor);
    if (!scope.names[number].empty()) return scope.names[number];
    if (scope.made[number])
        return badInput(
            say("tflite.read-too-early", word::Number {tensor}, word::Name {scope.subgraph.tensors[number].name}),
            place);
    PLIMSOLL_ASSIGN(name, addSource(scope, number, place));
    scope.names[number] = name;
    return name;
}

/// What is there before the run stands in the outermost graph, once for all places that run the subgraph.
Result<std::string> Emitter::addSource(const Scope& scope, std::size_t tensor, const std::string& place)
{
    std::string& known = m_sources[{scope.number, tensor}];
    if (!known.empty()) return known;
    const Tensor& info = scope.subgraph.tensors[tensor];
    const std::string where = place + ", tensor " + std::to_string(tensor) + " '" + info.name + "'";
    PLIMSOLL_ASSIGN(value, sourceValue(info, nameOf(info, tensor), where));
    known = value.name;
    const bool filled = value.data->present();
    mayPlace(scope, tensor, value, info.isVariable && !filled);
    const bool constant = !filled && !info.isVariable;
    (constant ? m_build.graph.constants : m_build.graph.parameters).push_back(std::move(value));
    return known;
}

/// A weight with its bytes, state without any, or a value of unknown origin.
Result<NamedValue> Emitter::sourceValue(const Tensor& tensor, const std::string& name, const std::string& place)
{
    NamedValue value = m_build.value(name, computedType(tensor, m_batch, m_build));
    const FilePart bytes = m_model.bytesOf(tensor);
    const auto size = static_cast<std::int64_t>(bytes.content.size());
    m_build.note("note.tflite-state", tensor.isVariable && size == 0 ? 1 : 0);
    m_build.note("note.tflite-unmade", !tensor.isVariable && size == 0 && value.type.bytes() != 0 ? 1 : 0);
    if (size == 0 && value.type.bytes() == 0)
        value.data.edit().bytes = std::make_shared<const std::vector<std::byte>>();
    if (size == 0) return value;
    const bool asStored = tensor.isSparse || value.type.dtype == DType::String || !value.type.bytes();
    if (asStored) {
        value.type = TensorType::dense(DType::UInt8, {size});
        m_build.note("note.tflite-as-stored");
    } else if (value.type.bytes() != size) {
        return badInput(say("tflite.constant-bytes", describe(value.type), *value.type.bytes(), size), place);
    }
    value.data = dataOf(bytes, m_file);
    return value;
}

} // namespace plimsoll::tflite
