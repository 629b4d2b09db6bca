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
    return Error {ErrorCode::BadInput,
                  say("error.named", word::Name {declared.name}, printed.error().message),
                  declared.line == 0 ? std::string() : "line " + std::to_string(declared.line),
                  {}};
}

/// The last results are the gradients of the primals, in their order.
bool hasGradient(const FxGraph& graph, std::size_t primal)
{
    const std::size_t first = graph.results.size() - std::min(graph.gradients, graph.results.size());
    if (primal >= graph.gradients || first + primal >= graph.results.size()) return false;
    return graph.results[first + primal].is(Kind::Name);
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

/// A node under its own name. Everything but tensors becomes an attribute.
NamedNode opaqueNode(const CallText& call, const GraphWriter& writer)
{
    const Callee& callee = call.callee;
    NamedNode node;
    node.place = placeOf(call.statement);
    node.node.name = nameOf(call.statement, call.outputs);
    node.node.op = callee.path;
    // Where we have an operator of that name, it takes other arguments than these.
    node.node.domain = findSchema(callee.dialect, callee.path) ? "pytorch" : callee.dialect;
    node.node.source = call.statement.source;
    node.node.device = call.types[0].device;
    for (std::size_t i = 0; i < call.whole.items.size(); ++i)
        addAttribute("argument" + std::to_string(i), call.whole.items[i], writer, node.node.attributes);
    for (const Keyword& keyword : call.whole.keywords)
        addAttribute(keyword.name, keyword.value, writer, node.node.attributes);
    for (const Declared& output : call.outputs)
        node.outputs.push_back(output.name);
    return node;
}

void addViews(GraphWriter& writer, const std::string& whole, const std::vector<Declared>& outputs)
{
    const auto bytes = writer.operand(whole).type.type.bytes();
    for (const Declared& output : outputs) {
        if (output.name.empty()) continue;
        const auto part = writer.operand(output.name).type.type.bytes();
        if (bytes && part && *part <= *bytes) writer.makeView(output.name, {whole, 0, true, false, {}});
    }
}

/// Adds the call under its own name, with what it does to its arguments: \p read, in the order of the text.
void addOpaque(GraphWriter& writer, const CallText& call, const std::vector<std::string>& read)
{
    const std::string& op = call.callee.op;
    NamedNode node = opaqueNode(call, writer);
    for (const std::string& tensor : read)
        node.inputs.push_back(writer.read(tensor));
    const bool shapeOnly = op.starts_with("sym_") || op.starts_with("new_") || op.ends_with("_like");
    if (shapeOnly && !read.empty()) node.node.ignoredInputs = {0};
    if (call.written.empty() && isPointwise(op)) {
        node.node.declaredTraits.emplace();
        for (std::size_t i = 0; i < node.inputs.size(); ++i)
            node.node.declaredTraits->push_back({0, static_cast<int>(i), AliasKind::MayBeInPlace, 0});
    }
    writer.addNode(std::move(node), call.types);
    if (read.empty()) return;
    for (std::size_t i = 0; i < std::min(call.outputs.size(), call.written.size()); ++i)
        writer.makeWrite(call.outputs[i].name, call.written[i]);
    if (call.written.empty() && isView(op)) addViews(writer, read[0], call.outputs);
}

/// Permuted views that the call reads, of which its nodes, from \p before on, read what they permute.
void noteReadThrough(GraphWriter& writer, const Expression& call, std::size_t before,
                     std::set<std::string>& readThrough)
{
    const std::vector<NamedNode>& nodes = writer.graph().nodes;
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
    std::string names;
    for (const std::string& name : dropped)
        names += (names.empty() ? "'" : ", '") + name + "'";
    if (!names.empty())
        made.notes.push_back("Transposed views are read through where they are read, and left out: " + names + ".");
}

class Translator
{
public:
    explicit Translator(const FxGraph& graph) : m_graph(graph) {}

    Result<Translated> run()
    {
        for (const Declared& input : m_graph.inputs)
            PLIMSOLL_TRY(addInput(input));
        for (std::size_t i = 0; i < m_graph.statements.size(); ++i) {
            const Statement& statement = m_graph.statements[i];
            if (i == m_graph.forwardStatements) m_forwardNodes = m_writer.graph().nodes.size();
            PLIMSOLL_TRY(m_names.check(statement.value, placeOf(statement)));
            PLIMSOLL_TRY(add(statement));
            for (const std::string& name : statement.last) {
                m_writer.giveUp(name, statement.line);
                m_names.gone.emplace(name, statement.line);
            }
        }
        PLIMSOLL_TRY(addResults());
        m_made.graph = std::move(m_writer.graph());
        std::set<std::string> backward; // Of graphs that were joined.
        for (std::size_t i = m_forwardNodes; m_graph.forwardStatements > 0 && i < m_made.graph.nodes.size(); ++i)
            backward.insert(m_made.graph.nodes[i].node.name);
        dropUnreadViews(m_made, m_writer, m_readThrough);
        for (const NamedNode& node : m_made.graph.nodes) {
            if (m_made.firstBackward.empty() && backward.contains(node.node.name))
                m_made.firstBackward = node.node.name;
        }
        return std::move(m_made);
    }

private:
    Status addInput(const Declared& input)
    {
        PLIMSOLL_ASSIGN(type, typeOf(input));
        NamedValue value;
        value.name = input.name;
        value.type = type.type;
        value.space = type.device;
        const bool parameter =
            input.comment.starts_with("ParamAOTInput") || input.comment.starts_with("BufferAOTInput") ||
            input.name.find("_parameters_") != std::string::npos || input.name.find("_buffers_") != std::string::npos;
        if (isTangent(input.name)) m_made.tangents.push_back(input.name);
        if (!isTangent(input.name)) value.requiresGrad = hasGradient(m_graph, m_made.primals.size());
        m_made.primals.push_back(input.name);
        if (parameter)
            m_writer.addParameter(std::move(value), type);
        else
            m_writer.addInput(std::move(value), type);
        return {};
    }

    Status add(const Statement& statement)
    {
        const Expression& value = statement.value;
        if (value.is(Kind::Name)) return addName(statement);
        if (takesElement(statement)) return {};
        if (!value.is(Kind::Call) && !value.is(Kind::Index) && !value.is(Kind::Operation)) {
            for (const Declared& target : statement.targets)
                m_names.literals[target.name] = &value;
            return {};
        }
        return addCall(statement);
    }

    /// "getitem = split[1]" names an output that is there already.
    bool takesElement(const Statement& statement)
    {
        const auto element = elementOf(statement);
        const auto found = element ? m_names.elements.find(element->first) : m_names.elements.end();
        if (found == m_names.elements.end() || statement.targets.size() != 1) return false;
        const std::string& first = found->second[static_cast<std::size_t>(element->second)].name;
        if (first != statement.targets[0].name) m_writer.rename(statement.targets[0].name, first);
        return true;
    }

    /// "l_x_ = L_x_" or "weight = self.fc1.weight".
    Status addName(const Statement& statement)
    {
        const std::string& name = statement.value.text;
        for (const Declared& target : statement.targets) {
            if (m_writer.knows(name)) {
                m_writer.rename(target.name, name);
                continue;
            }
            const bool part = std::find(m_graph.parts.begin(), m_graph.parts.end(), target.name) != m_graph.parts.end();
            const bool attribute = name.starts_with("self.");
            if (part || !attribute) {
                m_names.literals[target.name] = &statement.value;
                continue;
            }
            PLIMSOLL_ASSIGN(type, typeOf(target));
            NamedValue parameter;
            parameter.name = target.name;
            parameter.type = type.type;
            parameter.space = type.device;
            m_writer.addParameter(std::move(parameter), type);
        }
        return {};
    }

    /// What is written becomes a new version each, named by the text or not.
    [[nodiscard]] std::vector<Declared> outputsOf(const Statement& statement, const std::vector<std::string>& written)
    {
        std::vector<Declared> outputs = statement.targets;
        if (outputs.size() == 1) {
            const auto elements = m_names.elements.find(outputs[0].name);
            if (elements != m_names.elements.end()) outputs = elements->second;
        }
        outputs.resize(std::max({outputs.size(), written.size(), std::size_t {1}}));
        const std::string first = outputs[0].name.empty() ? nameOf(statement, outputs) : outputs[0].name;
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            if (outputs[i].line == 0) outputs[i].line = statement.line;
            if (outputs[i].name.empty() && i < written.size()) outputs[i].name = m_writer.freshName(first);
        }
        return outputs;
    }

    Status addCall(const Statement& statement)
    {
        PLIMSOLL_ASSIGN(call, readCall(statement));
        const Callee& callee = call.callee;
        const std::size_t before = m_writer.graph().nodes.size();
        const AtenRule* rule = findAtenRule(callee);
        bool done = false;
        if (rule && !call.types[0].isSymbol && !call.outputs[0].name.empty()) {
            Call bound(m_writer, *rule, statement, call.outputs, call.types);
            done = bound.bind(call.whole) && rule->translate(bound);
        }
        if (!done)
            addOpaque(m_writer, call, m_names.tensorsIn(call.whole));
        else
            noteReadThrough(m_writer, call.whole, before, m_readThrough);
        for (std::size_t i = before; i < m_writer.graph().nodes.size(); ++i) {
            NamedNode& node = m_writer.graph().nodes[i];
            if (node.node.origin.op.empty()) node.node.origin = {callee.dialect, callee.path, callee.overload};
        }
        return {};
    }

    Result<CallText> readCall(const Statement& statement)
    {
        const Expression& value = statement.value;
        const std::string root = rootOf(value.text);
        const bool isMethod = value.is(Kind::Call) && m_names.knows(root) && value.text != root;
        CallText call {statement, calleeOf(value, isMethod), value, {}, {}, {}};
        if (isMethod) {
            Expression self;
            self.kind = Kind::Name;
            self.text = root;
            PLIMSOLL_TRY(m_names.check(self, placeOf(statement)));
            call.whole.items.insert(call.whole.items.begin(), std::move(self));
        }
        call.written = m_names.writtenBy(call.callee, call.whole);
        call.outputs = outputsOf(statement, call.written);
        for (const Declared& output : call.outputs) {
            PLIMSOLL_ASSIGN(type, typeOf(output));
            call.types.push_back(std::move(type));
        }
        for (std::size_t i = 0; i < std::min(call.types.size(), call.written.size()); ++i) {
            PrintedType& type = call.types[i];
            if (!type.isTensor && !type.isSymbol) type = m_writer.operand(call.written[i]).type;
        }
        return call;
    }

    Status addResults()
    {
        const std::size_t first = m_graph.results.size() - std::min(m_graph.gradients, m_graph.results.size());
        for (std::size_t i = 0; i < m_graph.results.size(); ++i) {
            const Expression& result = m_graph.results[i];
            PLIMSOLL_TRY(m_names.check(result, m_graph.resultLine == 0 ? std::string()
                                                                       : "line " + std::to_string(m_graph.resultLine)));
            std::string value;
            if (result.is(Kind::Name)) {
                for (const std::string& tensor : m_names.tensorsOf(result.text))
                    m_writer.graph().outputs.push_back(value = m_writer.read(tensor));
            }
            if (i >= first) m_made.gradients.push_back(std::move(value));
        }
        for (const std::string& name : m_graph.saved) {
            if (m_writer.knows(name)) m_made.saved.push_back(m_writer.operand(name).value);
        }
        return {};
    }

    const FxGraph& m_graph;
    GraphWriter m_writer;
    Names m_names {m_writer, findElements(m_graph.statements), {}, {}};
    Translated m_made;
    std::set<std::string> m_readThrough; ///< Values that are permuted views.
    std::size_t m_forwardNodes = 0;
};

} // namespace

Result<Translated> translate(const FxGraph& graph)
{
    return Translator(graph).run();
}

} // namespace plimsoll::fx
