#include "core/formats/torch/fx_translate.h"

#include "core/formats/torch/aten_call.h"
#include "core/ops/op_schema.h"

#include <algorithm>
#include <set>

namespace plimsoll::fx {
namespace {

using Kind = Expression::Kind;

Error at(std::string message, std::string place)
{
    return {ErrorCode::BadInput, std::move(message), std::move(place), {}};
}

std::string lineText(std::size_t line)
{
    return line == 0 ? std::string() : "line " + std::to_string(line);
}

/// What may stand in a text without being computed there.
bool isGlobal(const std::string& path)
{
    const std::string root = path.substr(0, path.find('.'));
    constexpr std::string_view Roots[] = {"torch",    "self",      "math",   "operator", "_operator",
                                          "builtins", "fx_pytree", "pytree", "device",   "slice",
                                          "int",      "float",     "bool",   "range",    "inspect"};
    return std::find(std::begin(Roots), std::end(Roots), root) != std::end(Roots);
}

/// Every name that is read, in the order of the text.
void namesIn(const Expression& expression, std::vector<const Expression*>& names)
{
    if (expression.is(Kind::Name)) names.push_back(&expression);
    for (const Expression& item : expression.items)
        namesIn(item, names);
    for (const Keyword& keyword : expression.keywords)
        namesIn(keyword.value, names);
}

std::string rootOf(const std::string& path)
{
    return path.substr(0, path.find('.'));
}

class Translator
{
public:
    explicit Translator(const FxGraph& graph) : m_graph(graph) {}

    Result<Translated> run()
    {
        findElements();
        for (const Declared& input : m_graph.inputs)
            PLIMSOLL_TRY(addInput(input));
        for (std::size_t i = 0; i < m_graph.statements.size(); ++i) {
            const Statement& statement = m_graph.statements[i];
            if (i == m_graph.forwardStatements) m_forwardNodes = m_writer.graph().nodes.size();
            PLIMSOLL_TRY(checkNames(statement.value, placeOf(statement)));
            PLIMSOLL_TRY(add(statement));
            for (const std::string& name : statement.last) {
                m_writer.giveUp(name, statement.line);
                m_gone.emplace(name, statement.line);
            }
        }
        PLIMSOLL_TRY(addResults());
        m_made.graph = std::move(m_writer.graph());
        const std::set<std::string> backward = backwardNodes();
        dropUnreadViews();
        for (const NamedNode& node : m_made.graph.nodes) {
            if (m_made.firstBackward.empty() && backward.contains(node.node.name))
                m_made.firstBackward = node.node.name;
        }
        return std::move(m_made);
    }

private:
    /// Of graphs that were joined.
    [[nodiscard]] std::set<std::string> backwardNodes() const
    {
        std::set<std::string> names;
        for (std::size_t i = m_forwardNodes; m_graph.forwardStatements > 0 && i < m_made.graph.nodes.size(); ++i)
            names.insert(m_made.graph.nodes[i].node.name);
        return names;
    }

    /// Statements that take one element of what another gives: its outputs.
    void findElements()
    {
        std::map<std::string, const Statement*> tuples;
        for (const Statement& statement : m_graph.statements) {
            const bool one = statement.targets.size() == 1;
            if (one && statement.targets[0].annotation.empty()) tuples.emplace(statement.targets[0].name, &statement);
            const auto element = elementOf(statement);
            if (!element || !tuples.contains(element->first) || !one) continue;
            auto& outputs = m_elements[element->first];
            const auto at = static_cast<std::size_t>(element->second);
            if (outputs.size() <= at) outputs.resize(at + 1);
            if (outputs[at].name.empty()) outputs[at] = statement.targets[0];
        }
    }

    /// "x[1]"
    static std::optional<std::pair<std::string, std::int64_t>> elementOf(const Statement& statement)
    {
        const Expression& value = statement.value;
        if (!value.is(Kind::Index) || !value.items[0].is(Kind::Name) || !value.items[1].is(Kind::Integer))
            return std::nullopt;
        constexpr std::int64_t MostOutputs = 4096;
        const std::int64_t index = value.items[1].integer;
        if (index < 0 || index >= MostOutputs) return std::nullopt;
        return std::pair {value.items[0].text, index};
    }

    Result<PrintedType> typeOf(const Declared& declared) const
    {
        auto printed = readPrintedType(declared.annotation);
        if (printed.ok()) return printed;
        return at("'" + declared.name + "': " + printed.error().message, lineText(declared.line));
    }

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
        const std::size_t primal = m_primals++;
        m_made.primals.push_back(input.name);
        if (!isTangent(input.name)) value.requiresGrad = hasGradient(primal);
        if (parameter)
            m_writer.addParameter(std::move(value), type);
        else
            m_writer.addInput(std::move(value), type);
        return {};
    }

    /// The last results are the gradients of the primals, in their order.
    [[nodiscard]] bool hasGradient(std::size_t primal) const
    {
        const std::size_t first = m_graph.results.size() - std::min(m_graph.gradients, m_graph.results.size());
        if (primal >= m_graph.gradients || first + primal >= m_graph.results.size()) return false;
        return m_graph.results[first + primal].is(Kind::Name);
    }

    Status checkNames(const Expression& value, const std::string& place) const
    {
        std::vector<const Expression*> names;
        namesIn(value, names);
        for (const Expression* name : names) {
            const std::string root = rootOf(name->text);
            if (const auto gone = m_gone.find(root); gone != m_gone.end())
                return at("'" + root + "' is read here, but was given up in line " + std::to_string(gone->second) + ".",
                          place);
            if (isGlobal(name->text) || isKnown(root)) continue;
            return at("'" + root + "' is read here, but neither an input nor computed above.", place);
        }
        return {};
    }

    [[nodiscard]] bool isKnown(const std::string& name) const
    {
        return m_writer.knows(name) || m_elements.contains(name) || m_literals.contains(name);
    }

    Status add(const Statement& statement)
    {
        const Expression& value = statement.value;
        if (value.is(Kind::Name)) return addName(statement);
        if (takesElement(statement)) return {};
        if (!value.is(Kind::Call) && !value.is(Kind::Index) && !value.is(Kind::Operation)) {
            for (const Declared& target : statement.targets)
                m_literals[target.name] = &value;
            return {};
        }
        return addCall(statement);
    }

    /// "getitem = split[1]" names an output that is there already.
    bool takesElement(const Statement& statement)
    {
        const auto element = elementOf(statement);
        const auto found = element ? m_elements.find(element->first) : m_elements.end();
        if (found == m_elements.end() || statement.targets.size() != 1) return false;
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
                m_literals[target.name] = &statement.value;
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

    /// Of a node: its first output's, where it has one.
    static std::string nameOf(const Statement& statement, const std::vector<Declared>& outputs)
    {
        for (const auto* list : {&statement.targets, &outputs}) {
            for (const Declared& target : *list) {
                if (!target.name.empty()) return target.name;
            }
        }
        return "line" + std::to_string(statement.line);
    }

    [[nodiscard]] static bool writes(const Callee& callee, const Expression& call)
    {
        const bool inPlace = std::any_of(call.keywords.begin(), call.keywords.end(), [](const Keyword& keyword) {
            return keyword.name == "inplace" && keyword.value.integer != 0;
        });
        return inPlace || (callee.op.ends_with('_') && !callee.op.ends_with("__"));
    }

    /// The tensors that the call writes to: its first argument, of a list all.
    [[nodiscard]] std::vector<std::string> writtenBy(const Callee& callee, const Expression& whole) const
    {
        std::vector<std::string> written;
        if (!writes(callee, whole)) return written;
        std::vector<const Expression*> names;
        namesIn(whole.items.empty() ? whole : whole.items[0], names);
        const bool list = !whole.items.empty() && whole.items[0].is(Kind::List);
        if (!list && names.size() > 1) names.resize(1);
        for (const Expression* name : names) {
            for (std::string& tensor : tensorsOf(name->text))
                written.push_back(std::move(tensor));
        }
        return written;
    }

    /// What is written becomes a new version each, named by the text or not.
    [[nodiscard]] std::vector<Declared> outputsOf(const Statement& statement, const std::vector<std::string>& written)
    {
        std::vector<Declared> outputs = statement.targets;
        if (outputs.size() == 1) {
            const auto elements = m_elements.find(outputs[0].name);
            if (elements != m_elements.end()) outputs = elements->second;
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
        const Expression& value = statement.value;
        const bool isMethod = value.is(Kind::Call) && isKnown(rootOf(value.text)) && value.text != rootOf(value.text);
        const Callee callee = calleeOf(value, isMethod);
        Expression whole = value;
        if (isMethod) {
            Expression self;
            self.kind = Kind::Name;
            self.text = rootOf(value.text);
            PLIMSOLL_TRY(checkNames(self, placeOf(statement)));
            whole.items.insert(whole.items.begin(), std::move(self));
        }
        const std::vector<std::string> written = writtenBy(callee, whole);
        std::vector<Declared> outputs = outputsOf(statement, written);
        std::vector<PrintedType> types;
        for (const Declared& output : outputs) {
            PLIMSOLL_ASSIGN(type, typeOf(output));
            types.push_back(std::move(type));
        }
        for (std::size_t i = 0; i < std::min(types.size(), written.size()); ++i) {
            if (!types[i].isTensor && !types[i].isSymbol) types[i] = m_writer.operand(written[i]).type;
        }
        const std::size_t before = m_writer.graph().nodes.size();
        const AtenRule* rule = findAtenRule(callee);
        bool done = false;
        if (rule && !types[0].isSymbol && !outputs[0].name.empty()) {
            Call call(m_writer, *rule, statement, outputs, types);
            done = call.bind(whole) && rule->translate(call);
        }
        if (!done)
            addOwn(statement, callee, whole, outputs, types, written);
        else
            noteReadThrough(whole, before);
        for (std::size_t i = before; i < m_writer.graph().nodes.size(); ++i) {
            NamedNode& node = m_writer.graph().nodes[i];
            if (node.node.origin.op.empty()) node.node.origin = {callee.dialect, callee.path, callee.overload};
        }
        return {};
    }

    /// A node under its own name.
    void addOwn(const Statement& statement, const Callee& callee, const Expression& whole,
                const std::vector<Declared>& outputs, const std::vector<PrintedType>& types,
                const std::vector<std::string>& written)
    {
        NamedNode node;
        node.place = placeOf(statement);
        node.node.name = nameOf(statement, outputs);
        node.node.op = callee.path;
        // Where we have an operator of that name, it takes other arguments than these.
        node.node.domain = findSchema(callee.dialect, callee.path) ? "pytorch" : callee.dialect;
        node.node.source = statement.source;
        node.node.device = types[0].device;
        std::vector<std::string> read;
        addArguments(whole, node, read);
        for (const Declared& output : outputs)
            node.outputs.push_back(output.name);
        if (callee.op.starts_with("sym_") || callee.op.starts_with("new_") || callee.op.ends_with("_like"))
            node.node.ignoredInputs = {0}; // Only the shape of the first argument is asked for.
        if (node.inputs.empty()) node.node.ignoredInputs.clear();
        if (written.empty() && isPointwise(callee.op)) mayBeInPlace(node);
        m_writer.addNode(std::move(node), types);
        if (read.empty()) return;
        for (std::size_t i = 0; i < std::min(outputs.size(), written.size()); ++i)
            m_writer.makeWrite(outputs[i].name, written[i]);
        if (written.empty() && isView(callee.op)) viewsOf(read[0], outputs);
    }

    void viewsOf(const std::string& whole, const std::vector<Declared>& outputs)
    {
        const auto bytes = m_writer.operand(whole).type.type.bytes();
        for (const Declared& output : outputs) {
            if (output.name.empty()) continue;
            const auto part = m_writer.operand(output.name).type.type.bytes();
            if (bytes && part && *part <= *bytes) m_writer.makeView(output.name, {whole, 0, true, false, {}});
        }
    }

    static void mayBeInPlace(NamedNode& node)
    {
        node.node.declaredTraits.emplace();
        for (std::size_t i = 0; i < node.inputs.size(); ++i)
            node.node.declaredTraits->push_back({0, static_cast<int>(i), AliasKind::MayBeInPlace, 0});
    }

    /// Tensors become inputs, in the order of the text; everything else attributes.
    void addArguments(const Expression& whole, NamedNode& node, std::vector<std::string>& read)
    {
        std::vector<const Expression*> names;
        namesIn(whole, names);
        for (const Expression* name : names) {
            for (const std::string& tensor : tensorsOf(name->text)) {
                read.push_back(tensor);
                node.inputs.push_back(m_writer.read(tensor));
            }
        }
        for (std::size_t i = 0; i < whole.items.size(); ++i)
            addAttribute("argument" + std::to_string(i), whole.items[i], node);
        for (const Keyword& keyword : whole.keywords)
            addAttribute(keyword.name, keyword.value, node);
    }

    /// A tensor, or all that a name of several means.
    [[nodiscard]] std::vector<std::string> tensorsOf(const std::string& name) const
    {
        if (m_writer.knows(name)) return {name};
        std::vector<std::string> tensors;
        const auto found = m_elements.find(name);
        if (found == m_elements.end()) return tensors;
        for (const Declared& output : found->second) {
            if (m_writer.knows(output.name)) tensors.push_back(output.name);
        }
        return tensors;
    }

    void addAttribute(const std::string& name, const Expression& value, NamedNode& node) const
    {
        if (value.is(Kind::None) || (value.is(Kind::Name) && m_writer.knows(value.text))) return;
        Attributes& attributes = node.node.attributes;
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

    static std::vector<std::int64_t> integersOf(const Expression& list)
    {
        std::vector<std::int64_t> numbers;
        for (const Expression& item : list.items)
            numbers.push_back(item.integer);
        return numbers;
    }

    /// A transposed view that everybody read through is nothing that anybody needs. From the last one on, as one may be
    /// a view of another.
    void dropUnreadViews()
    {
        std::multiset<std::string> read(m_made.graph.outputs.begin(), m_made.graph.outputs.end());
        read.insert(m_made.saved.begin(), m_made.saved.end());
        for (const NamedNode& node : m_made.graph.nodes)
            read.insert(node.inputs.begin(), node.inputs.end());
        std::set<std::string> dropped;
        auto& nodes = m_made.graph.nodes;
        for (std::size_t i = nodes.size(); i-- > 0;) {
            const NamedNode& node = nodes[i];
            if (!m_readThrough.contains(node.node.name) || read.contains(node.node.name)) continue;
            dropped.insert(node.node.name);
            const std::string& whole = node.inputs.front();
            read.extract(whole);
            if (m_writer.knows(whole) && !m_writer.operand(whole).base.empty()) m_readThrough.insert(whole);
        }
        std::erase_if(nodes, [&](const NamedNode& node) { return dropped.contains(node.node.name); });
        std::erase_if(m_made.graph.values, [&](const NamedValue& value) { return dropped.contains(value.name); });
        std::string names;
        for (const std::string& name : dropped)
            names += (names.empty() ? "'" : ", '") + name + "'";
        if (!names.empty())
            m_made.notes.push_back("Transposed views are read through where they are read, and left out: " + names +
                                   ".");
    }

    /// Names of permuted views that the statement reads, of which its node reads what they permute.
    void noteReadThrough(const Expression& whole, std::size_t before)
    {
        std::vector<const Expression*> names;
        namesIn(whole, names);
        for (const Expression* name : names) {
            if (!m_writer.knows(name->text) || m_writer.operand(name->text).base.empty()) continue;
            const std::string& value = m_writer.operand(name->text).value;
            for (std::size_t i = before; i < m_writer.graph().nodes.size(); ++i) {
                const auto& inputs = m_writer.graph().nodes[i].inputs;
                if (std::find(inputs.begin(), inputs.end(), value) == inputs.end()) m_readThrough.insert(value);
            }
        }
    }

    Status addResults()
    {
        const std::size_t first = m_graph.results.size() - std::min(m_graph.gradients, m_graph.results.size());
        for (std::size_t i = 0; i < m_graph.results.size(); ++i) {
            const Expression& result = m_graph.results[i];
            PLIMSOLL_TRY(checkNames(result, lineText(m_graph.resultLine)));
            std::string value;
            if (result.is(Kind::Name)) {
                for (const std::string& tensor : tensorsOf(result.text))
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
    Translated m_made;
    std::map<std::string, std::vector<Declared>> m_elements; ///< Of what gives several values, by its name.
    std::map<std::string, const Expression*> m_literals;     ///< Names of what is no tensor.
    std::map<std::string, std::size_t> m_gone;               ///< Names that were given up, and where.
    std::set<std::string> m_readThrough;                     ///< Values that are transposed views.
    std::size_t m_primals = 0;
    std::size_t m_forwardNodes = 0;
};

} // namespace

Result<Translated> translate(const FxGraph& graph)
{
    return Translator(graph).run();
}

} // namespace plimsoll::fx
