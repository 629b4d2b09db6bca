#include "core/formats/mxnet/mxnet_inliner.h"

#include "core/formats/mxnet/mxnet_node.h"
#include "core/ops/mxnet/mxnet_names.h"
#include "core/ops/op_schema.h"

#include <algorithm>
#include <set>

namespace plimsoll::mxnet {
namespace {

/// The name of every output of every node, in one list.
struct OutputNames
{
    std::vector<std::vector<std::string>> byNode;

    [[nodiscard]] const std::string& operator[](const Entry& entry) const
    {
        return byNode[static_cast<std::size_t>(entry.node)][static_cast<std::size_t>(entry.output)];
    }
};

} // namespace

Result<std::vector<std::string>> Inliner::add(const Symbol& symbol, std::vector<std::string> names,
                                              const std::string& prefix, NamedGraph& graph)
{
    std::set<std::pair<std::int64_t, std::int64_t>> read;
    const auto note = [&](const Entry& entry) { read.emplace(entry.node, entry.output); };
    for (const SymbolNode& node : symbol.nodes)
        std::for_each(node.inputs.begin(), node.inputs.end(), note);
    std::for_each(symbol.heads.begin(), symbol.heads.end(), note);
    const std::vector<std::size_t> counts = outputCounts(symbol);
    OutputNames outputs;
    outputs.byNode.resize(symbol.nodes.size());
    std::vector<std::string> nodeNames(symbol.nodes.size());
    for (std::size_t n = 0; n < symbol.nodes.size(); ++n) {
        if (symbol.nodes[n].isVariable()) {
            outputs.byNode[n] = {names[n]};
            continue;
        }
        SymbolNode named = symbol.nodes[n];
        named.name = nodeNames[n] = unique(prefix + (named.name.empty() ? named.op + std::to_string(n) : named.name));
        const std::size_t count = counts[n];
        std::vector<std::string> everywhere = outputsOf(canonicalOp(named.op), typedAttributes(named));
        const bool isKnown = findSchema(Dialect, canonicalOp(named.op)) != nullptr;
        if (!isKnown && everywhere.size() != count) everywhere.clear(); // they are numbered from 0
        for (std::size_t i = 0; i < count; ++i) {
            // One that only some builds have (the workspace of oneDNN's pooling, seen in node_row_ptr alone) gets no
            // name where it is never read.
            const bool isNamed = i < everywhere.size() || !isKnown || read.contains({n, i});
            const std::string output = isNamed ? outputName(named, everywhere, i) : std::string();
            outputs.byNode[n].push_back(output.empty() ? output : unique(output));
        }
    }
    for (std::size_t n = 0; n < symbol.nodes.size(); ++n) {
        const SymbolNode& node = symbol.nodes[n];
        if (node.isVariable()) continue;
        Site site {node, {}, outputs.byNode[n], nodeNames[n], graph};
        for (const Entry& entry : node.inputs)
            site.inputs.push_back(outputs[entry]);
        PLIMSOLL_TRY(addNode(site));
        outputs.byNode[n] = site.outputs;
    }
    std::vector<std::string> heads;
    for (const Entry& head : symbol.heads)
        heads.push_back(outputs[head]);
    return heads;
}

Status Inliner::addNode(Site& site)
{
    const std::string& op = site.node.op;
    if (op == "_foreach") return addForeach(site);
    if (op == "_while_loop") return addWhile(site);
    if (op == "_cond") return addCondition(site);
    const bool partition = op == "_CachedOp" || op == "_subgraph_op" || op == "_default_subgraph_op";
    if (partition && site.node.subgraphs.size() == 1) return addPartition(site);
    NamedNode named = namedNode(site.node);
    named.node.name = site.name;
    named.inputs = std::move(site.inputs);
    named.outputs = site.outputs;
    site.graph.nodes.push_back(std::move(named));
    return {};
}

Result<std::vector<std::string>> Inliner::addSubgraph(const Site& site, std::size_t number,
                                                      const std::vector<std::string>& inputs, NamedGraph& graph)
{
    Symbol symbol = site.node.subgraphs[number];
    const std::size_t wanted = variablesOf(symbol).size();
    symbol.version = m_version;
    symbol.numpyShapes = m_numpyShapes;
    upgrade(symbol, m_build.room);
    if (m_build.room.isFull()) return site.error(ReadingRoom::refusal());
    const auto variables = variablesOf(symbol);
    if (variables.size() != inputs.size())
        return site.error(say("mxnet.variables", word::Number {wanted}, word::Number {inputs.size()}));
    std::vector<std::string> names(symbol.nodes.size());
    for (std::size_t i = 0; i < variables.size(); ++i)
        names[variables[i]] = inputs[i];
    return add(symbol, std::move(names), site.name + ".", graph);
}

Status Inliner::addPartition(Site& site)
{
    PLIMSOLL_ASSIGN(heads, addSubgraph(site, 0, site.inputs, site.graph));
    if (heads.size() < site.outputs.size())
        return site.error(
            say("mxnet.partition-outputs", word::Number {site.outputs.size()}, word::Number {heads.size()}));
    site.outputs = std::move(heads);
    return {};
}

} // namespace plimsoll::mxnet
