#include "core/formats/mxnet/mxnet_inliner.h"
#include "core/formats/mxnet/mxnet_node.h"
#include "core/ops/mxnet/mxnet_attributes.h"
#include "core/ops/mxnet/mxnet_names.h"

#include <algorithm>
#include <iterator>
#include <span>

/// MXNet's control flow in the words of ONNX's, which is what is planned and executed. The order of inputs and outputs
/// is another one; positions are lists in the attributes.
namespace plimsoll::mxnet {
namespace {

constexpr std::int64_t OnnxBool = 9; ///< TensorProto.DataType

TensorType scalarOf(DType dtype)
{
    return TensorType::dense(dtype, {});
}

template <typename T>
std::vector<T> chosen(const std::vector<T>& all, const std::vector<std::size_t>& places)
{
    std::vector<T> some;
    for (const std::size_t place : places)
        some.push_back(all[place]);
    return some;
}

} // namespace

Result<std::vector<std::size_t>> Inliner::positions(const Site& site, const char* attribute, std::size_t limit)
{
    const auto numbers = tupleOf(typedAttributes(site.node), attribute);
    if (!numbers) return site.error(say("mxnet.no-positions", attribute));
    std::vector<std::size_t> places;
    for (const std::int64_t number : *numbers) {
        if (number < 0 || static_cast<std::size_t>(number) >= limit)
            return site.error(say("mxnet.no-position", attribute, word::Number {number}, word::Number {limit}));
        places.push_back(static_cast<std::size_t>(number));
    }
    return places;
}

Result<std::vector<std::string>> Inliner::inputsAt(const Site& site, const char* attribute)
{
    PLIMSOLL_ASSIGN(places, positions(site, attribute, site.inputs.size()));
    return chosen(site.inputs, places);
}

NamedNode Inliner::ownerNode(const Site& site, const char* op)
{
    NamedNode owner;
    owner.place = site.node.place;
    owner.node.name = site.name;
    owner.node.op = op;
    owner.node.from.edit().origin = {std::string(Dialect), site.node.op, {}};
    return owner;
}

Result<std::string> Inliner::addPredicate(const Site& site, const std::vector<std::string>& inputs, NamedGraph& graph)
{
    PLIMSOLL_ASSIGN(heads, addSubgraph(site, 0, inputs, graph));
    NamedNode scalar = ownerNode(site, "Squeeze"); // MXNet's conditions have one element, of any rank and type
    scalar.node.name = unique(site.name + ".scalar");
    scalar.inputs = {heads.front()};
    scalar.outputs = {unique(site.name + ".condition")};
    NamedNode cast = ownerNode(site, "Cast");
    cast.node.name = unique(site.name + ".truth");
    cast.node.attributes.emplace("to", OnnxBool);
    cast.inputs = scalar.outputs;
    cast.outputs = {unique(site.name + ".holds")};
    std::string holds = cast.outputs.front();
    graph.nodes.push_back(std::move(scalar));
    graph.nodes.push_back(std::move(cast));
    return holds;
}

/// Inputs: data (cut along their first axis), states, and what all steps read. Outputs: stacked results, final states.
Status Inliner::addForeach(Site& site)
{
    if (site.node.subgraphs.size() != 1) return site.error(say("mxnet.foreach-graphs"));
    const std::size_t all = site.inputs.size();
    PLIMSOLL_ASSIGN(data, positions(site, "in_data_locs", all));
    PLIMSOLL_ASSIGN(states, positions(site, "in_state_locs", all));
    PLIMSOLL_ASSIGN(rest, positions(site, "remain_locs", all));
    if (data.size() + states.size() + rest.size() != all) return site.error(say("mxnet.foreach-inputs"));

    NamedNode owner = ownerNode(site, "Scan");
    NamedBody body = openBody(owner, "body");
    std::vector<std::string> names(all);
    for (std::size_t i = 0; i < rest.size(); ++i)
        names[rest[i]] = site.inputs[data.size() + states.size() + i];
    for (std::size_t i = 0; i < states.size() + data.size(); ++i) {
        const bool isState = i < states.size();
        const std::size_t slot = isState ? states[i] : data[i - states.size()];
        names[slot] =
            unique(site.name + (isState ? ".state" : ".slice") + std::to_string(isState ? i : i - states.size()));
        body.graph.inputs.push_back({names[slot], {}});
        owner.inputs.push_back(site.inputs[isState ? data.size() + i : i - states.size()]);
    }
    PLIMSOLL_ASSIGN(heads, addSubgraph(site, 0, names, body.graph));
    const std::size_t stacked = heads.size() - std::min(heads.size(), states.size());
    if (heads.size() < states.size() || site.outputs.size() > heads.size() || site.outputs.size() < stacked)
        return site.error(say("mxnet.foreach-results"));
    owner.node.attributes.emplace("num_scan_inputs", static_cast<std::int64_t>(data.size()));
    site.outputs.resize(heads.size());
    for (std::size_t i = 0; i < heads.size(); ++i) {
        const std::size_t from = i < states.size() ? stacked + i : i - states.size();
        body.graph.outputs.push_back(heads[from]);
        owner.outputs.push_back(site.outputs[from]);
    }
    owner.bodies.push_back(std::move(body));
    site.graph.nodes.push_back(std::move(owner));
    return {};
}

/// Nested graphs: the condition, then, else; the node's inputs are all of theirs together.
Status Inliner::addCondition(Site& site)
{
    if (site.node.subgraphs.size() != 3) return site.error(say("mxnet.condition-graphs"));
    PLIMSOLL_ASSIGN(predicate, inputsAt(site, "cond_input_locs"));
    PLIMSOLL_ASSIGN(condition, addPredicate(site, predicate, site.graph));
    NamedNode owner = ownerNode(site, "If");
    owner.inputs = {condition};
    for (const bool then : {true, false}) {
        NamedBody body = openBody(owner, then ? "then_branch" : "else_branch");
        PLIMSOLL_ASSIGN(inputs, inputsAt(site, then ? "then_input_locs" : "else_input_locs"));
        PLIMSOLL_SET(body.graph.outputs, addSubgraph(site, then ? 1 : 2, inputs, body.graph));
        owner.bodies.push_back(std::move(body));
    }
    owner.outputs = site.outputs;
    site.graph.nodes.push_back(std::move(owner));
    return {};
}

/// MXNet stacks the results of a _while_loop in max_iterations rows, however many iterations there were.
NamedNode Inliner::fillRows(const Site& site, std::size_t result, std::int64_t rows)
{
    NamedNode node = ownerNode(site, "FillRows");
    node.node.domain = "plimsoll";
    node.node.name = unique(site.name + ".rows" + std::to_string(result));
    node.node.attributes.emplace("rows", rows);
    node.inputs = {unique(site.name + ".trips" + std::to_string(result))};
    node.outputs = {site.outputs[result]};
    return node;
}

/// Nested graphs: the condition and the step. The step gives results of this iteration, then the new loop variables;
/// the condition is asked before the first iteration and after each.
Status Inliner::addWhile(Site& site)
{
    if (site.node.subgraphs.size() != 2) return site.error(say("mxnet.while-graphs"));
    PLIMSOLL_ASSIGN(ofCondition, positions(site, "cond_input_locs", site.inputs.size()));
    PLIMSOLL_ASSIGN(ofStep, positions(site, "func_input_locs", site.inputs.size()));
    PLIMSOLL_ASSIGN(variables, positions(site, "func_var_locs", ofStep.size()));
    PLIMSOLL_ASSIGN(before, addPredicate(site, chosen(site.inputs, ofCondition), site.graph));

    NamedNode owner = ownerNode(site, "Loop");
    const std::string trips = unique(site.name + ".max_iterations");
    const std::int64_t most = numberOf(typedAttributes(site.node), "max_iterations", 0);
    const auto bytes = std::as_bytes(std::span(&most, 1));
    TensorData data;
    data.bytes = std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end());
    site.graph.constants.push_back({trips, scalarOf(DType::Int64), std::move(data)});
    owner.inputs = {trips, before};
    NamedBody body = openBody(owner, "body");
    body.graph.inputs = {{unique(site.name + ".trip"), scalarOf(DType::Int64)},
                         {unique(site.name + ".go_on"), scalarOf(DType::Bool)}};
    std::vector<std::string> inside = site.inputs;
    for (std::size_t i = 0; i < variables.size(); ++i) {
        const std::size_t slot = ofStep[variables[i]];
        owner.inputs.push_back(site.inputs[slot]);
        inside[slot] = unique(site.name + ".variable" + std::to_string(i));
        body.graph.inputs.push_back({inside[slot], {}});
    }
    PLIMSOLL_ASSIGN(heads, addSubgraph(site, 1, chosen(inside, ofStep), body.graph));
    if (heads.size() < variables.size() || site.outputs.size() != heads.size())
        return site.error(say("mxnet.while-results"));
    const std::size_t results = heads.size() - variables.size();
    for (std::size_t i = 0; i < variables.size(); ++i)
        inside[ofStep[variables[i]]] = heads[results + i];
    PLIMSOLL_ASSIGN(after, addPredicate(site, chosen(inside, ofCondition), body.graph));
    body.graph.outputs = {after};
    std::vector<NamedNode> filled;
    for (std::size_t i = 0; i < results; ++i)
        filled.push_back(fillRows(site, i, most));
    for (std::size_t i = 0; i < heads.size(); ++i) {
        const std::size_t from = i < variables.size() ? results + i : i - variables.size();
        body.graph.outputs.push_back(heads[from]);
        owner.outputs.push_back(from < results ? filled[from].inputs.front() : site.outputs[from]);
    }
    owner.bodies.push_back(std::move(body));
    site.graph.nodes.push_back(std::move(owner));
    std::move(filled.begin(), filled.end(), std::back_inserter(site.graph.nodes));
    return {};
}

} // namespace plimsoll::mxnet
