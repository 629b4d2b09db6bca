#include "core/formats/torch/fx_translate.h"

#include "core/formats/torch/fx_names.h"
#include "core/ops/op_schema.h"

#include <algorithm>
#include <set>

namespace plimsoll::fx {
namespace {

using Kind = Expression::Kind;

Result<PrintedType> typeOf(const Declared& declared)
{
    auto printed = readPrintedType(declared.annotation);
    if (printed.ok()) return printed;
    return badInput(say("error.named", word::Name {declared.name}, printed.error().message),
                    declared.line == 0 ? std::string() : "line " + std::to_string(declared.line));
}

/// Of a node: its first output's, where it has one.
std::string nameOf(const Statement& statement, const std::vector<Declared>& outputs)
{
    for (const auto* list : {&statement.targets, &outputs}) {
        for (const Declared& target : *list) {
            if (!target.name.empty()) return target.name;
        }
    }
    return "line" + std::to_string(statement.line);
}

std::vector<std::int64_t> integersOf(const Expression& list)
{
    std::vector<std::int64_t> numbers;
    for (const Expression& item : list.items)
        numbers.push_back(item.integer);
    return numbers;
}

void addAttribute(const std::string& name, const Expression& value, const GraphWriter& writer, Attributes& attributes)
{
    if (value.is(Kind::None) || (value.is(Kind::Name) && writer.knows(value.text))) return;
    const auto whole = [](const Expression& item) { return item.is(Kind::Integer); };
    if (value.is(Kind::Integer) || value.is(Kind::Boolean))
        attributes.emplace(name, value.integer);
    else if (value.is(Kind::Real))
        attributes.emplace(name, value.real);
    else if (value.is(Kind::Text))
        attributes.emplace(name, value.text);
    else if (value.is(Kind::List) && std::all_of(value.items.begin(), value.items.end(), whole))
        attributes.emplace(name, integersOf(value));
    else
        attributes.emplace(name, render(value));
}

/// A call of the text, its arguments in order: a method's object is the first.
struct CallText
{
    const Statement& statement;
    Callee callee;
    Expression whole;
    std::vector<std::string> written; ///< Tensors, each of which becomes a new version.
    std::vector<Declared> outputs;
    std::vector<PrintedType> types; ///< By output.
};

/// Adds the call under its own name, with what it does to its arguments: \p read, in the order of the text.
void addOpaque(GraphWriter& writer, const CallText& call, const std::vector<std::string>& read)
{
    const std::string& op = call.callee.op;
    const Callee& callee = call.callee;
    NamedNode node;
    node.place = placeOf(call.statement);
    node.node.name = nameOf(call.statement, call.outputs);
    node.node.op = callee.path;
    // An operator of that name takes other arguments here.
    node.node.domain = findSchema(callee.dialect, callee.path) ? "pytorch" : callee.dialect;
    node.node.from.edit().source = call.statement.source;
    node.node.from.edit().module = call.statement.module;
    node.node.at = RunsAt {.device = call.types[0].device};
    for (std::size_t i = 0; i < call.whole.items.size(); ++i)
        addAttribute("argument" + std::to_string(i), call.whole.items[i], writer, node.node.attributes);
    for (const Keyword& keyword : call.whole.keywords)
        addAttribute(keyword.name, keyword.value, writer, node.node.attributes);
    for (const Declared& output : call.outputs)
        node.outputs.push_back(output.name);
    for (const std::string& tensor : read)
        node.inputs.push_back(writer.read(tensor));
    const bool shapeOnly = op.starts_with("sym_") || op.starts_with("new_") || op.ends_with("_like");
    if (shapeOnly && !read.empty()) node.node.declared.edit().ignoredInputs = {0};
    if (call.written.empty() && isPointwise(op)) {
        node.node.declared.edit().traits.emplace();
        for (std::size_t i = 0; i < node.inputs.size(); ++i)
            node.node.declared.edit().traits->push_back({0, static_cast<int>(i), AliasKind::MayBeInPlace, 0});
    }
    writer.addNode(std::move(node), call.types);
    if (read.empty()) return;
    for (std::size_t i = 0; i < std::min(call.outputs.size(), call.written.size()); ++i)
        writer.makeWrite(call.outputs[i].name, call.written[i]);
    if (!call.written.empty() || !isView(op)) return;
    const auto bytes = writer.operand(read[0]).type.type.bytes();
    for (const Declared& output : call.outputs) {
        if (output.name.empty()) continue;
        const auto part = writer.operand(output.name).type.type.bytes();
        if (bytes && part && *part <= *bytes) writer.makeView(output.name, {read[0], 0, true, false, {}});
    }
}

/// Permuted views that the call reads, of which its nodes, from \p before on, read what they permute.
void noteReadThrough(GraphWriter& writer, const Expression& call, std::size_t before,
                     std::set<std::string>& readThrough)
{
    const auto& nodes = writer.graph().nodes;
    for (const Expression* name : namesIn(call)) {
        if (!writer.knows(name->text) || writer.operand(name->text).base.empty()) continue;
        const std::string& value = writer.operand(name->text).value;
        for (std::size_t i = before; i < nodes.size(); ++i) {
            const auto& inputs = nodes[i].inputs;
            if (std::find(inputs.begin(), inputs.end(), value) == inputs.end()) readThrough.insert(value);
        }
    }
}

/// Drops permuted views that are only read through, from the last one on: one may be a view of another.
void dropUnreadViews(Translated& made, const GraphWriter& writer, std::set<std::string> readThrough)
{
    std::multiset<std::string> read(made.graph.outputs.begin(), made.graph.outputs.end());
    read.insert(made.saved.begin(), made.saved.end());
    for (const NamedNode& node : made.graph.nodes)
        read.insert(node.inputs.begin(), node.inputs.end());
    std::set<std::string> dropped;
    auto& nodes = made.graph.nodes;
    for (std::size_t i = nodes.size(); i-- > 0;) {
        const NamedNode& node = nodes[i];
        if (!readThrough.contains(node.node.name) || read.contains(node.node.name)) continue;
        dropped.insert(node.node.name);
        const std::string& whole = node.inputs.front();
        read.extract(whole);
        if (writer.knows(whole) && !writer.operand(whole).base.empty()) readThrough.insert(whole);
    }
    std::erase_if(nodes, [&](const NamedNode& node) { return dropped.contains(node.node.name); });
    std::erase_if(made.graph.values, [&](const NamedValue& value) { return dropped.contains(value.name); });
    const std::vector<std::string> names(dropped.begin(), dropped.end());
    if (!names.empty()) made.notes.push_back(say("note.torch-read-through", namesOf(names, names.size())));
}

/// A text on its way to a graph.
struct Translation
{
    const FxGraph& graph;
    GraphWriter writer {};
    Names names {writer, findElements(graph.statements), {}, {}};
    Translated made {};
    std::set<std::string> readThrough {}; ///< Values that are permuted views.
};

/// Where the gradients begin: the last results are those of the primals, in their order.
std::size_t firstGradient(const FxGraph& graph)
{
    return graph.results.size() - std::min(graph.gradients, graph.results.size());
}

Status addInput(Translation& in, const Declared& input)
{
    PLIMSOLL_ASSIGN(type, typeOf(input));
    NamedValue value = valueOf(input.name, type);
    const bool parameter = input.comment.starts_with("ParamAOTInput") || input.comment.starts_with("BufferAOTInput") ||
                           input.name.find("_parameters_") != std::string::npos ||
                           input.name.find("_buffers_") != std::string::npos;
    const std::size_t primal = in.made.primals.size();
    const std::size_t gradient = firstGradient(in.graph) + primal;
    if (isTangent(input.name))
        in.made.tangents.push_back(input.name);
    else
        value.requiresGrad = primal < in.graph.gradients && gradient < in.graph.results.size() &&
                             in.graph.results[gradient].is(Kind::Name);
    in.made.primals.push_back(input.name);
    if (parameter)
        in.writer.addParameter(std::move(value), type);
    else
        in.writer.addInput(std::move(value), type);
    return {};
}

/// "l_x_ = L_x_" or "weight = self.fc1.weight".
Status addName(Translation& in, const Statement& statement)
{
    const std::string& name = statement.value.text;
    for (const Declared& target : statement.targets) {
        if (in.writer.knows(name)) {
            in.writer.rename(target.name, name);
        } else if (std::ranges::find(in.graph.parts, target.name) != in.graph.parts.end() ||
                   !name.starts_with("self.")) {
            in.names.literals[target.name] = &statement.value;
        } else {
            PLIMSOLL_ASSIGN(type, typeOf(target));
            in.writer.addParameter(valueOf(target.name, type), type);
        }
    }
    return {};
}

/// What is written becomes a new version each, named by the text or not.
std::vector<Declared> outputsOf(Translation& in, const Statement& statement, const std::vector<std::string>& written)
{
    std::vector<Declared> outputs = statement.targets;
    if (outputs.size() == 1) {
        const auto elements = in.names.elements.find(outputs[0].name);
        if (elements != in.names.elements.end()) outputs = elements->second;
    }
    outputs.resize(std::max({outputs.size(), written.size(), std::size_t {1}}));
    const std::string first = outputs[0].name.empty() ? nameOf(statement, outputs) : outputs[0].name;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (outputs[i].line == 0) outputs[i].line = statement.line;
        if (outputs[i].name.empty() && i < written.size()) outputs[i].name = in.writer.freshName(first);
    }
    return outputs;
}

Result<CallText> readCall(Translation& in, const Statement& statement)
{
    const Expression& value = statement.value;
    const std::string root = rootOf(value.text);
    const bool isMethod = value.is(Kind::Call) && in.names.knows(root) && value.text != root;
    CallText call {statement, calleeOf(value, isMethod), value, {}, {}, {}};
    if (isMethod) {
        Expression self = makeExpression(Kind::Name, root);
        PLIMSOLL_TRY(in.names.check(self, placeOf(statement)));
        call.whole.items.insert(call.whole.items.begin(), std::move(self));
    }
    call.written = in.names.writtenBy(call.callee, call.whole);
    call.outputs = outputsOf(in, statement, call.written);
    for (const Declared& output : call.outputs)
        PLIMSOLL_SET(call.types.emplace_back(), typeOf(output));
    for (std::size_t i = 0; i < std::min(call.types.size(), call.written.size()); ++i) {
        PrintedType& type = call.types[i];
        if (!type.isTensor && !type.isSymbol) type = in.writer.operand(call.written[i]).type;
    }
    return call;
}

Status addCall(Translation& in, const Statement& statement)
{
    PLIMSOLL_ASSIGN(call, readCall(in, statement));
    const Callee& callee = call.callee;
    const std::size_t before = in.writer.graph().nodes.size();
    const AtenRule* rule = findAtenRule(callee);
    bool done = false;
    if (rule && !call.types[0].isSymbol && !call.outputs[0].name.empty()) {
        Call bound(in.writer, *rule, statement, call.outputs, call.types);
        done = bound.bind(call.whole) && rule->translate(bound);
    }
    if (!done)
        addOpaque(in.writer, call, in.names.tensorsIn(call.whole));
    else
        noteReadThrough(in.writer, call.whole, before, in.readThrough);
    for (std::size_t i = before; i < in.writer.graph().nodes.size(); ++i) {
        NamedNode& node = in.writer.graph().nodes[i];
        if (node.node.from->origin.op.empty())
            node.node.from.edit().origin = {callee.dialect, callee.path, callee.overload};
    }
    return {};
}

Status addStatement(Translation& in, const Statement& statement)
{
    const Expression& value = statement.value;
    PLIMSOLL_TRY(in.names.check(value, placeOf(statement)));
    if (value.is(Kind::Name)) return addName(in, statement);
    // "getitem = split[1]" names an output that is there already.
    const auto element = elementOf(statement);
    const auto found = element ? in.names.elements.find(element->first) : in.names.elements.end();
    if (found != in.names.elements.end() && statement.targets.size() == 1) {
        const std::string& first = found->second[static_cast<std::size_t>(element->second)].name;
        if (first != statement.targets[0].name) in.writer.rename(statement.targets[0].name, first);
        return {};
    }
    if (value.is(Kind::Call) || value.is(Kind::Index) || value.is(Kind::Operation)) return addCall(in, statement);
    for (const Declared& target : statement.targets)
        in.names.literals[target.name] = &value;
    return {};
}

} // namespace

Result<Translated> translate(const FxGraph& graph)
{
    Translation in {graph};
    for (const Declared& input : graph.inputs)
        PLIMSOLL_TRY(addInput(in, input));
    std::size_t forwardNodes = 0;
    for (std::size_t i = 0; i < graph.statements.size(); ++i) {
        const Statement& statement = graph.statements[i];
        if (i == graph.forwardStatements) forwardNodes = in.writer.graph().nodes.size();
        PLIMSOLL_TRY(addStatement(in, statement));
        for (const std::string& name : statement.last)
            in.names.gone.emplace(name, statement.line);
    }
    const std::string place = graph.resultLine == 0 ? std::string() : "line " + std::to_string(graph.resultLine);
    for (std::size_t i = 0; i < graph.results.size(); ++i) {
        const Expression& result = graph.results[i];
        PLIMSOLL_TRY(in.names.check(result, place));
        std::string value;
        if (result.is(Kind::Name)) {
            for (const std::string& tensor : in.names.tensorsOf(result.text))
                in.writer.graph().outputs.push_back(value = in.writer.read(tensor));
        }
        if (i >= firstGradient(graph)) in.made.gradients.push_back(std::move(value));
    }
    for (const std::string& name : graph.saved) {
        if (in.writer.knows(name)) in.made.saved.push_back(in.writer.operand(name).value);
    }
    Translated& made = in.made;
    made.graph = std::move(in.writer.graph());
    std::set<std::string> backward; // of graphs that were joined
    for (std::size_t i = forwardNodes; graph.forwardStatements > 0 && i < made.graph.nodes.size(); ++i)
        backward.insert(made.graph.nodes[i].node.name);
    dropUnreadViews(made, in.writer, in.readThrough);
    for (const NamedNode& node : made.graph.nodes) {
        if (made.firstBackward.empty() && backward.contains(node.node.name)) made.firstBackward = node.node.name;
    }
    return std::move(made);
}

} // namespace plimsoll::fx
