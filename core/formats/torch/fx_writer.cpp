#include "core/formats/torch/fx_writer.h"

#include "core/base/narrow.h"
#include "core/ops/literal_elements.h"

#include <algorithm>

namespace plimsoll::fx {
namespace {

/// How what is not one piece lies; empty where that is not known.
std::vector<std::int64_t> stridesOf(const Operand& operand)
{
    if (!operand.strided || !operand.type.strides) return {};
    std::vector<std::int64_t> strides;
    for (const Dim& stride : *operand.type.strides) {
        if (!stride.known() || stride.size < 0) return {};
        strides.push_back(stride.size);
    }
    return strides;
}

} // namespace

void GraphWriter::addValue(const std::string& name, const PrintedType& type)
{
    m_operands[name] = {.value = name, .type = type, .root = name};
}

NamedValue valueOf(const std::string& name, const PrintedType& type)
{
    NamedValue value {.name = name, .type = type.type};
    if (!type.device.empty()) value.at.edit().space = type.device;
    return value;
}

void GraphWriter::addInput(NamedValue value, const PrintedType& type)
{
    addValue(value.name, type);
    m_graph.inputs.push_back(std::move(value));
}

void GraphWriter::addParameter(NamedValue value, const PrintedType& type)
{
    addValue(value.name, type);
    m_graph.parameters.push_back(std::move(value));
}

std::string GraphWriter::addConstant(const std::string& owner, const std::string& what, const PartialTensor& tensor)
{
    NamedValue constant;
    constant.name = owner + "." + what;
    constant.type = TensorType::dense(tensor.dtype, tensor.shape);
    constant.data = writeElements(tensor);
    m_graph.constants.push_back(constant);
    return constant.name;
}

void GraphWriter::addNode(NamedNode node, const std::vector<PrintedType>& types)
{
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        if (node.outputs[i].empty()) continue;
        addValue(node.outputs[i], types[i]);
        m_graph.values.push_back(valueOf(node.outputs[i], types[i]));
    }
    m_graph.nodes.push_back(std::move(node));
}

namespace {

void declare(NamedNode& node, const std::string& output, const std::string& input, AliasKind kind, std::int64_t offset)
{
    const auto at = std::find(node.outputs.begin(), node.outputs.end(), output);
    const auto from = std::find(node.inputs.begin(), node.inputs.end(), input);
    if (at == node.outputs.end() || from == node.inputs.end()) return;
    if (!node.node.declared->traits) node.node.declared.edit().traits.emplace();
    node.node.declared.edit().traits->push_back(
        {narrow<int>(at - node.outputs.begin()), narrow<int>(from - node.inputs.begin()), kind, offset});
}

} // namespace

std::vector<std::int64_t> afterwards(const Operand& operand, std::vector<std::int64_t> permutation)
{
    if (operand.base.empty()) return permutation;
    for (std::int64_t& axis : permutation)
        axis = operand.permutation[static_cast<std::size_t>(axis)];
    return permutation;
}

/// Of what the last node makes: how its elements lie.
void GraphWriter::sayStrides(const Operand& part)
{
    NamedNode& node = m_graph.nodes.back();
    const auto output = std::ranges::find(node.outputs, part.value);
    if (output == node.outputs.end()) return;
    if (auto strides = stridesOf(part); !strides.empty())
        node.strides.edit()[narrow<int>(output - node.outputs.begin())] = std::move(strides);
}

void GraphWriter::makeView(const std::string& name, const ViewOf& view)
{
    const Operand& whole = m_operands.at(view.of);
    Operand& part = m_operands.at(name);
    declare(m_graph.nodes.back(), name, whole.value, AliasKind::View, view.offset);
    part.root = whole.root;
    part.offset = whole.offset + view.offset;
    part.writes = whole.writes;
    part.strided = view.strided || whole.strided;
    part.expanded = view.expanded || whole.expanded;
    sayStrides(part);
    if (view.permutation.empty() || whole.expanded || (whole.strided && whole.base.empty())) return;
    part.base = whole.strided ? whole.base : view.of;
    part.permutation = afterwards(whole, view.permutation);
}

void GraphWriter::makeWrite(const std::string& name, const std::string& written)
{
    Operand& old = m_operands.at(written);
    declare(m_graph.nodes.back(), name, old.value, AliasKind::Mutates, 0);
    Writes& writes = m_writes[old.root];
    ++writes.count;
    writes.last = written;
    old.value = name;
    old.writes = writes.count;
    sayStrides(old);
    if (name == written) return;
    Operand& same = m_operands.at(name);
    PrintedType type = std::move(same.type);
    same = old;
    same.type = std::move(type);
}

void GraphWriter::rename(const std::string& name, const std::string& same)
{
    m_operands[name] = m_operands.at(same);
}

/// Whether it has every byte of its root.
bool GraphWriter::covers(const Operand& whole) const
{
    const auto root = m_operands.find(whole.root);
    if (root == m_operands.end() || whole.offset != 0 || whole.expanded) return false;
    return whole.type.type.bytes() == root->second.type.type.bytes();
}

std::string GraphWriter::freshName(const std::string& name)
{
    return name + ".v" + std::to_string(++m_versions[name]);
}

std::string GraphWriter::addVersion(const std::string& name, std::string op, std::vector<std::string> inputs,
                                    AliasKind kind, std::int64_t offset)
{
    Operand& operand = m_operands.at(name);
    NamedNode node;
    node.node.name = freshName(name);
    node.node.from.edit().origin = {"plimsoll", op, {}};
    node.node.op = std::move(op);
    node.node.domain = "aten";
    node.inputs = std::move(inputs);
    node.outputs = {node.node.name};
    if (kind == AliasKind::Mutates) node.node.declared.edit().ignoredInputs = {0, 1};
    declare(node, node.node.name, node.inputs[0], kind, offset);
    operand.value = node.node.name;
    m_graph.values.push_back(valueOf(operand.value, operand.type));
    m_graph.nodes.push_back(std::move(node));
    if (kind == AliasKind::View) sayStrides(operand);
    return operand.value;
}

std::string GraphWriter::read(const std::string& name)
{
    Operand& operand = m_operands.at(name);
    const auto found = m_writes.find(operand.root);
    if (found == m_writes.end() || operand.writes == found->second.count) return operand.value;
    operand.writes = found->second.count;
    const std::string writer = found->second.last;
    const auto viewOf = [&](const std::string& whole) {
        return addVersion(name, "view", {m_operands.at(whole).value}, AliasKind::View, operand.offset);
    };
    if (covers(m_operands.at(writer))) return viewOf(writer);
    if (!covers(operand)) {
        static_cast<void>(read(operand.root));
        operand.writes = found->second.count;
        return viewOf(operand.root);
    }
    // A part of it was written through another name. All other names are parts of this version from here on.
    operand.writes = ++found->second.count;
    found->second.last = name;
    return addVersion(name, "written", {operand.value, m_operands.at(writer).value}, AliasKind::Mutates, 0);
}

} // namespace plimsoll::fx
