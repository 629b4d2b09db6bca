#include "core/formats/hlo/hlo_emitter.h"
#include "core/formats/bad_input.h"

#include "core/formats/hlo/hlo_in_place.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>

namespace plimsoll::hlo {
namespace {

constexpr std::size_t DeepestComputations = 64;
constexpr std::int64_t CommonOpset = 21; ///< Of the ONNX operators that passes put in.
constexpr std::int64_t HostSpace = 5;    ///< Layout::kHostMemorySpace of XLA.

/// One to a tensor: "while", of several "while.0", "while.1".
std::string leafName(const std::string& name, std::size_t leaf, std::size_t count)
{
    return count == 1 ? name : name + "." + std::to_string(leaf);
}

/// A value that is read at another place as well, where it must stay as it is, is not written over.
void dropReadElsewhere(const std::vector<std::string>& inputs, std::vector<AliasTrait>& traits)
{
    const auto nameOf = [&](int input) { return std::string_view(inputs[static_cast<std::size_t>(input)]); };
    std::map<std::string_view, std::size_t> reads; // how often
    for (const std::string& name : inputs)
        ++reads[name];
    std::set<std::pair<int, int>> allowed; // output and input
    for (const AliasTrait& trait : traits)
        allowed.emplace(trait.output, trait.input);
    std::map<std::pair<int, std::string_view>, std::size_t> allowedReads;
    for (const auto& [output, input] : allowed)
        ++allowedReads[{output, nameOf(input)}];
    const auto spoils = [&](const AliasTrait& trait) {
        const std::string_view name = nameOf(trait.input);
        return allowedReads.at({trait.output, name}) < reads.at(name);
    };
    std::vector<AliasTrait> kept;
    std::copy_if(traits.begin(), traits.end(), std::back_inserter(kept),
                 [&](const AliasTrait& trait) { return !spoils(trait); });
    traits = std::move(kept);
}

std::size_t textOf(const Attributes& attributes)
{
    std::size_t bytes = 0;
    for (const auto& [name, value] : attributes) {
        const auto* text = std::get_if<std::string>(&value);
        bytes += name.size() + (text ? text->size() : 0);
    }
    return bytes;
}

std::size_t bytesOf(const InnerOperations& inside)
{
    std::size_t bytes = 0;
    for (const std::vector<InnerOperand>& operands : inside.operands) {
        bytes += sizeof operands;
        for (const InnerOperand& operand : operands)
            bytes += sizeof operand + operand.map.axes.size() * sizeof(AccessAxis);
    }
    return bytes;
}

} // namespace

std::string spaceName(std::int64_t space)
{
    if (space == 0) return {};
    return space == HostSpace ? "host" : "S(" + std::to_string(space) + ")";
}

struct Emitter::Handler
{
    std::string_view opcode;
    Add add;
};

Result<Emitter::Names> Emitter::addInstruction(Site& site)
{
    static constexpr std::array Handlers = {
        Handler {"add-dependency", &Emitter::takeFirst},
        Handler {"call", &Emitter::addCall},
        Handler {"conditional", &Emitter::addConditional},
        Handler {"constant", &Emitter::takeConstant},
        Handler {"domain", &Emitter::takeFirst},
        Handler {"get-tuple-element", &Emitter::takePart},
        Handler {"opt-barrier", &Emitter::takeOperands},
        Handler {"parameter", &Emitter::takeParameter},
        Handler {"send", &Emitter::addStart},
        Handler {"tuple", &Emitter::takeOperands},
        Handler {"while", &Emitter::addWhile},
    };
    const auto* found = std::find_if(Handlers.begin(), Handlers.end(),
                                     [&](const Handler& handler) { return handler.opcode == site.one.opcode; });
    if (found != Handlers.end()) return (this->*found->add)(site);
    const std::string_view opcode = site.one.opcode;
    if (opcode.ends_with("-start")) return addStart(site);
    if (opcode.ends_with("-update")) return takeOperands(site);
    return opcode.ends_with("-done") ? addDone(site) : addNode(site);
}

Emitter::Emitter(const Module& module, const Context& context, ReadingRoom room, bool keepsPlaces)
    : m_module(module), m_build(Dialect, context,
                                {"note.hlo-donated", "note.hlo-tiled", "note.hlo-bounded", "note.hlo-stand-ins",
                                 "note.hlo-elided", "note.hlo-asynchronous", "note.hlo-on-host"},
                                room),
      m_keepsPlaces(keepsPlaces)
{
}

Result<Emitted> Emitter::run()
{
    m_build.context.report("reading", 0.5);
    const Computation& entry = m_module.computations[m_module.entry];
    m_build.graph.place = "computation '" + entry.name + "'";
    PLIMSOLL_ASSIGN(parameters, addEntryInputs());
    PLIMSOLL_SET(m_build.graph.outputs,
                 addComputation({entry, m_build.graph, std::move(parameters)}, m_build.graph.place));
    if (!m_module.scheduled) m_build.notes.insert(m_build.notes.begin(), say("note.hlo-unscheduled"));
    noteEntryLayout(entry);
    return Emitted {std::move(m_build), std::move(m_placed)};
}

Result<Graph> Emitted::finish(const std::string& name) &&
{
    return build.finish(name, {{"", CommonOpset}, {Dialect, 1}});
}

/// Results that the heading has in a memory of which their instructions know nothing.
void Emitter::noteEntryLayout(const Computation& entry)
{
    const std::vector<const Shape*> asked = leavesOf(m_module.entryResult);
    const std::vector<const Shape*> made = leavesOf(entry.instructions[entry.root].shape);
    if (asked.size() != made.size()) return;
    std::map<std::int64_t, std::vector<std::string>> results; // by memory
    for (std::size_t i = 0; i < asked.size(); ++i) {
        if (asked[i]->space != 0 && asked[i]->space != made[i]->space)
            results[asked[i]->space].push_back(m_build.graph.outputs[i]);
    }
    for (const auto& [space, names] : results)
        m_build.notes.push_back(say("note.hlo-entry-layout", "S(" + std::to_string(space) + ")", namesOf(names)));
}

/// Parameters are the caller's. Those that are given away cannot be looked at afterwards.
Result<std::vector<Emitter::Names>> Emitter::addEntryInputs()
{
    std::map<std::int64_t, const Instruction*> parameters;
    for (const Instruction& one : m_module.computations[m_module.entry].instructions) {
        if (one.opcode == "parameter") parameters.emplace(one.number, &one);
    }
    std::vector<Names> names;
    for (const auto& [number, one] : parameters) {
        if (number != static_cast<std::int64_t>(names.size()))
            return badInput(say("hlo.parameter-numbers"), placeOf(*one));
        std::vector<bool> given(countLeaves(one->shape), false);
        const auto give = [&](std::int64_t parameter, const Path& path) {
            const auto range = parameter == number ? leavesAt(one->shape, path) : std::nullopt;
            for (std::size_t i = 0; range && i < range->count; ++i)
                given[range->first + i] = true;
        };
        for (const Aliasing& alias : m_module.aliases)
            give(alias.operand, alias.path);
        for (const auto& [parameter, path] : m_module.donors)
            give(parameter, path);
        const std::vector<const Shape*> leaves = leavesOf(one->shape);
        Names& own = names.emplace_back();
        for (std::size_t i = 0; i < leaves.size(); ++i) {
            NamedValue value = valueOf(*leaves[i], leafName(one->name, i, leaves.size()));
            value.visible = !given[i];
            if (given[i]) m_build.note("note.hlo-donated", 1, {Remedy::toggle("inputs", "donate")});
            own.push_back(value.name);
            m_build.graph.inputs.push_back(std::move(value));
        }
    }
    return names;
}

Result<Emitter::Names> Emitter::addCalled(const Site& site, std::size_t called, std::vector<Names> parameters,
                                          NamedGraph& graph)
{
    const Computation& computation = m_module.computations[site.one.called[called]];
    return addComputation({computation, graph, std::move(parameters), site.scope.depth + 1}, placeOf(site.one));
}

/// Computations may be run from many places, each of which has them for itself.
Result<Emitter::Names> Emitter::addComputation(Scope scope, const std::string& place)
{
    if (scope.depth >= DeepestComputations)
        return badInput(say("hlo.too-deep", word::Number {DeepestComputations}), place);
    for (const Instruction& one : scope.computation.instructions) {
        PLIMSOLL_TRY(checkStopped(m_build.context));
        Site site {scope, one};
        std::size_t named = 1 + countLeaves(one.shape);
        for (const std::size_t operand : one.operands) // a part that is taken out of a tuple reads no others
            named += one.opcode == "get-tuple-element" ? 0 : scope.leaves[operand].size();
        m_build.room.take(named * ReadingRoom::Name);
        if (m_build.room.isFull()) return site.error(ReadingRoom::refusal());
        PLIMSOLL_ASSIGN(names, addInstruction(site));
        if (names.size() != countLeaves(one.shape))
            return site.error(say("hlo.tensors-of-type", countLeaves(one.shape), names.size()));
        for (std::size_t i = 0; i < names.size(); ++i)
            keepPlace(one, i, names[i]);
        scope.leaves.emplace_back(std::make_move_iterator(names.begin()), std::make_move_iterator(names.end()));
    }
    const Leaves& results = scope.leaves[scope.computation.root];
    return Names(results.begin(), results.end());
}

Result<Emitter::Names> Emitter::takeParameter(Site& site)
{
    const auto number = static_cast<std::size_t>(site.one.number);
    if (site.one.number < 0 || number >= site.scope.parameters.size())
        return site.error(say("hlo.no-parameter", site.scope.parameters.size(), word::Number {site.one.number}));
    return site.scope.parameters[number];
}

/// What is there before the run stands in the outermost graph, once for all places that run the computation.
Result<Emitter::Names> Emitter::takeConstant(Site& site)
{
    Names& known = m_sources[&site.one];
    if (!known.empty()) return known;
    const std::vector<const Shape*> leaves = leavesOf(site.one.shape);
    for (std::size_t i = 0; i < leaves.size(); ++i) {
        NamedValue value = valueOf(*leaves[i], leafName(site.one.name, i, leaves.size()));
        if (leaves.size() == 1) value.data = site.one.data;
        if (!value.data->present()) m_build.note("note.hlo-elided");
        known.push_back(value.name);
        m_build.graph.constants.push_back(std::move(value));
    }
    return known;
}

Result<Emitter::Names> Emitter::takeOperands(Site& site)
{
    return operandNames(site);
}

Result<Emitter::Names> Emitter::takeFirst(Site& site)
{
    if (site.one.operands.empty()) return site.error(say("hlo.no-operand"));
    return Names(operand(site, 0).begin(), operand(site, 0).end());
}

Result<Emitter::Names> Emitter::takePart(Site& site)
{
    if (site.one.operands.size() != 1) return site.error(say("hlo.one-tuple"));
    const Instruction& tuple = site.scope.computation.instructions[site.one.operands.front()];
    const auto range = leavesAt(tuple.shape, {site.one.number});
    if (!range) return site.error(say("hlo.no-part", word::Name {tuple.name}, word::Number {site.one.number}));
    const Leaves& names = operand(site, 0);
    const auto first = names.begin() + static_cast<std::ptrdiff_t>(range->first);
    return Names(first, first + static_cast<std::ptrdiff_t>(range->count));
}

/// What is begun here hands its operands on, so that they are needed until it is done: part 0 of what it makes, of a
/// copy part 1 (HloDataflowAnalysis). An all-reduce hands on nothing.
///
///     copy-start: (copy, operand, context)    others: (operands, results, contexts…)
Result<Emitter::Names> Emitter::addStart(Site& site)
{
    m_build.note("note.hlo-asynchronous");
    Names known(countLeaves(site.one.shape));
    const auto range = leavesAt(site.one.shape, {site.one.opcode == "copy-start" ? 1 : 0});
    const Names operands = operandNames(site);
    const std::size_t handed = site.one.opcode == "send" ? 1 : operands.size();
    const bool handsOn = site.one.opcode != "all-reduce-start" && range && range->count == handed &&
                         operands.size() >= handed && known.size() > handed;
    for (std::size_t i = 0; handsOn && i < handed; ++i)
        known[range->first + i] = operands[i];
    NamedNode node = nodeOf(site);
    Names names = define(site, site.scope.graph, known);
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (known[i].empty()) node.outputs.push_back(names[i]);
    }
    site.scope.graph.nodes.push_back(std::move(node));
    if (site.one.called.size() != 1) return names;
    // What is wrapped makes its results where those of the start lie: part 1.
    const Computation& wrapped = m_module.computations[site.one.called.front()];
    const Instruction& root = wrapped.instructions[wrapped.root];
    const auto made = leavesAt(site.one.shape, {1});
    for (std::size_t i = 0; made && made->count == countLeaves(root.shape) && i < made->count; ++i)
        keepPlace(root, i, names[made->first + i]);
    return names;
}

/// Its results are those of the start, from here on to be read.
Result<Emitter::Names> Emitter::addDone(Site& site)
{
    if (site.one.operands.empty()) return site.error(say("hlo.ends-nothing"));
    const Instruction& start = site.scope.computation.instructions[site.one.operands.front()];
    const bool first = site.one.opcode == "copy-done" || site.one.opcode == "recv-done";
    const bool all = site.one.opcode == "all-reduce-done" || start.shape.kind != Shape::Kind::Tuple;
    const auto range = leavesAt(start.shape, all ? Path() : Path {first ? 0 : 1});
    NamedNode node = nodeOf(site);
    Names names = define(site, site.scope.graph);
    node.outputs = names;
    const std::vector<const Shape*> made = leavesOf(start.shape);
    const std::vector<const Shape*> here = leavesOf(site.one.shape);
    node.node.declared.edit().traits.emplace();
    for (std::size_t i = 0; range && i < std::min(here.size(), range->count); ++i) {
        if (here[i]->kind == Shape::Kind::Array && here[i]->type == made[range->first + i]->type)
            node.node.declared.edit().traits->push_back(
                {static_cast<int>(i), static_cast<int>(range->first + i), AliasKind::View, 0});
    }
    site.scope.graph.nodes.push_back(std::move(node));
    return names;
}

Result<Emitter::Names> Emitter::addNode(Site& site)
{
    NamedNode node = nodeOf(site);
    Declaration declared = declarationOf(site);
    if (declared.traits) {
        m_build.room.take(declared.traits->size() * sizeof(AliasTrait));
        dropReadElsewhere(node.inputs, *declared.traits);
    }
    node.node.declared = std::move(declared);
    Names names = define(site, site.scope.graph);
    node.outputs = names;
    site.scope.graph.nodes.push_back(std::move(node));
    return names;
}

/// Of a fusion it is worked out once for all places that run its computation.
Declaration Emitter::declarationOf(const Site& site)
{
    const Computation& in = site.scope.computation;
    if (site.one.opcode != "fusion") return {.traits = inPlaceTraits(m_module, in, site.one)};
    const auto [fusion, isNew] = m_fusions.try_emplace(&site.one);
    if (isNew) {
        fusion->second = {inPlaceTraits(m_module, in, site.one), {}, innerOperations(m_module, in, site.one)};
        if (fusion->second.inside) m_build.room.take(bytesOf(*fusion->second.inside));
    }
    return fusion->second;
}

NamedNode Emitter::nodeOf(const Site& site)
{
    NamedNode node = m_build.node(site.one.name, site.one.opcode, placeOf(site.one));
    m_build.room.take(2 * (site.one.source->size() + site.one.module->size()));
    if (site.scope.depth > 0) m_build.room.take(textOf(site.one.attributes)); // shared here, written once for each
    node.node.attributes = site.one.attributes;
    if (!site.one.source.empty()) node.node.from.edit().source = *site.one.source;
    if (!site.one.module.empty()) node.node.from.edit().module = *site.one.module;
    node.inputs = operandNames(site);
    return node;
}

const Emitter::Leaves& Emitter::operand(const Site& site, std::size_t index) const
{
    return site.scope.leaves[site.one.operands[index]];
}

Emitter::Names Emitter::operandNames(const Site& site) const
{
    Names names;
    for (std::size_t i = 0; i < site.one.operands.size(); ++i)
        names.insert(names.end(), operand(site, i).begin(), operand(site, i).end());
    return names;
}

Emitter::Names Emitter::define(const Site& site, NamedGraph& graph, Names known)
{
    const std::vector<const Shape*> leaves = leavesOf(site.one.shape);
    known.resize(leaves.size());
    for (std::size_t i = 0; i < leaves.size(); ++i) {
        if (!known[i].empty()) continue;
        NamedValue value = valueOf(*leaves[i], leafName(site.one.name, i, leaves.size()));
        known[i] = value.name;
        graph.values.push_back(std::move(value));
    }
    return known;
}

void Emitter::keepPlace(const Instruction& one, std::size_t leaf, const std::string& value)
{
    if (m_keepsPlaces) m_placed.push_back({one.id, leaf, value});
}

/// A token carries an order and no bytes.
NamedValue Emitter::valueOf(const Shape& leaf, const std::string& name)
{
    const bool token = leaf.kind == Shape::Kind::Token;
    NamedValue value = m_build.value(name, token ? TensorType::dense(DType::UInt8, {0}) : leaf.type);
    if (leaf.kind == Shape::Kind::Opaque) value.type.kind = TypeKind::Opaque;
    if (leaf.space != 0) value.at.edit().space = spaceName(leaf.space);
    m_build.note("note.hlo-tiled", leaf.tiled ? 1 : 0);
    m_build.note("note.hlo-bounded", leaf.bounded ? 1 : 0);
    m_build.note("note.hlo-stand-ins", leaf.standIn ? 1 : 0);
    m_build.note("note.hlo-on-host", leaf.space == HostSpace ? 1 : 0);
    return value;
}

} // namespace plimsoll::hlo
