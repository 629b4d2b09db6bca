#include "op_case.h"
#include "core/facts/english/english.h"

#include "core/ops/op_schema.h"
#include "core/ops/rules/form.h"
#include "core/ops/rules/shape_search.h"

#include <QTest>

#include <sstream>

namespace plimsoll::test {

namespace {

class Facts : public FactSource
{
public:
    [[nodiscard]] const TensorType& type(ValueId value) const override { return types[value.index()]; }
    [[nodiscard]] bool hasContent(ValueId value) const override { return contents[value.index()].tracked; }
    [[nodiscard]] const PartialTensor& content(ValueId value) override { return contents[value.index()]; }

    std::vector<TensorType> types;
    std::vector<PartialTensor> contents;
};

std::vector<std::string> split(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    std::stringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);) {
        if (!part.empty()) parts.push_back(part);
    }
    return parts;
}

/// "float32[1,?]", "float32[?…]" or "float32[4,3]@csr:5"
TensorType parseType(const std::string& text)
{
    const auto bracket = text.find('[');
    TensorType type;
    type.dtype = dtypeFromName(text.substr(0, bracket)).value_or(DType::Unknown);
    const std::string inside = text.substr(bracket + 1, text.find(']') - bracket - 1);
    if (const auto at = text.find('@'); at != std::string::npos) {
        const auto colon = text.find(':', at);
        type.storage = storageTypeFromName(text.substr(at + 1, colon - at - 1)).value();
        if (colon != std::string::npos) type.maxStored = std::stoll(text.substr(colon + 1));
    }
    if (inside == "?…") return type;
    type.dims.emplace();
    for (const std::string& size : split(inside, ','))
        type.dims->push_back({size == "?" ? -1 : std::stoll(size), {}});
    return type;
}

PartialTensor parseContent(const TensorType& type, const std::string& text)
{
    PartialTensor content {type.dtype, type.shape().value_or(Shape {}), {}, true};
    for (const std::string& element : split(text, ',')) {
        if (element == "?") {
            content.elements.emplace_back();
        } else if (isFloatingPoint(type.dtype)) {
            content.elements.emplace_back(Scalar::ofReal(std::stod(element)));
        } else {
            content.elements.emplace_back(Scalar::ofInteger(std::stoll(element)));
        }
    }
    return content;
}

Attribute parseAttribute(const std::string& text)
{
    const std::string quoted = text.front() == '\'' ? text.substr(1, text.size() - 2) : std::string();
    if (quoted.find('|') != std::string::npos) return split(quoted, '|');
    if (text.front() == '\'') return quoted;
    const bool real = text.find('.') != std::string::npos;
    if (text.find(',') == std::string::npos) {
        return real ? Attribute(std::stod(text)) : Attribute(static_cast<std::int64_t>(std::stoll(text)));
    }
    std::vector<std::int64_t> integers;
    std::vector<double> reals;
    for (const std::string& part : split(text, ',')) {
        if (real) {
            reals.push_back(std::stod(part));
        } else {
            integers.push_back(std::stoll(part));
        }
    }
    return real ? Attribute(reals) : Attribute(integers);
}

/// The graph of one node, and what is known of its inputs.
struct Case
{
    Graph graph;
    Facts facts;

    ValueId add(TensorType type, PartialTensor content)
    {
        graph.values.push_back({});
        facts.types.push_back(std::move(type));
        facts.contents.push_back(std::move(content));
        return ValueId(graph.values.size() - 1);
    }

    void addInput(const std::string& word)
    {
        Node& node = graph.nodes.front();
        if (word == "_") {
            node.inputs.emplace_back();
            return;
        }
        const auto content = word.find("={");
        const TensorType type = parseType(word.substr(0, content));
        const bool known = content != std::string::npos;
        const auto inside = known ? word.substr(content + 2, word.size() - content - 3) : std::string();
        node.inputs.push_back(add(type, known ? parseContent(type, inside) : PartialTensor {}));
    }
};

Case parseCase(const std::string& text)
{
    Case parsed;
    parsed.graph.nodes.push_back({});
    Node& node = parsed.graph.nodes.front();
    std::size_t outputs = 1;
    const auto words = split(text, ' ');
    const auto at = words[0].find('@');
    const auto colons = words[0].find("::");
    if (colons != std::string::npos) node.domain = words[0].substr(0, colons);
    node.op = words[0].substr(colons == std::string::npos ? 0 : colons + 2,
                              at == std::string::npos ? at : at - (colons == std::string::npos ? 0 : colons + 2));
    node.name = "n";
    if (at != std::string::npos) parsed.graph.opsets[node.domain] = std::stoll(words[0].substr(at + 1));
    for (std::size_t i = 1; i < words.size(); ++i) {
        const auto equals = words[i].find('=');
        const bool isInput = words[i] == "_" || words[i].find('[') < equals;
        if (isInput) {
            parsed.addInput(words[i]);
        } else if (words[i].starts_with("out=")) {
            outputs = std::stoul(words[i].substr(4));
        } else {
            node.attributes[words[i].substr(0, equals)] = parseAttribute(words[i].substr(equals + 1));
        }
    }
    for (std::size_t i = 0; i < outputs; ++i)
        node.outputs.push_back(parsed.add({}, {}));
    return parsed;
}

std::string describeContent(const PartialTensor& content)
{
    if (!content.tracked) return {};
    std::string text;
    for (const auto& element : content.elements) {
        std::ostringstream number;
        if (element) number << (element->isFloat ? element->real : static_cast<double>(element->integer));
        text += (text.empty() ? "" : ",") + (element ? number.str() : "?");
    }
    return "={" + text + "}";
}

} // namespace

std::string formOf(const std::string& operatorCase)
{
    Case parsed = parseCase(operatorCase);
    const Status status = checkForm(NodeFacts(parsed.graph, NodeId(std::size_t {0}), parsed.facts));
    return status.ok() ? std::string() : "error: " + english(status.error().message);
}

namespace {

std::string inferredOf(Case& parsed)
{
    const Node& node = parsed.graph.nodes.front();
    const OpSchema* schema = findSchema(node.domain, node.op);
    NodeFacts facts(parsed.graph, NodeId(std::size_t {0}), parsed.facts);
    if (const Status status = checkForm(facts); !status.ok()) return "error: " + english(status.error().message);
    if (!schema || !schema->infer) return "not known";
    if (const Status status = schema->infer(facts); !status.ok()) return "error: " + english(status.error().message);
    if (schema->evaluate) schema->evaluate(facts);
    std::string text;
    for (std::size_t i = 0; i < facts.outputCount(); ++i) {
        text += (i == 0 ? "" : " ") + describe(facts.output(i).type) + describeContent(facts.output(i).content);
    }
    return text;
}

} // namespace

std::string inferred(const std::string& operatorCase)
{
    Case parsed = parseCase(operatorCase);
    return inferredOf(parsed);
}

std::string required(const std::string& operatorCase)
{
    Case parsed = parseCase(operatorCase);
    const Node& node = parsed.graph.nodes.front();
    const OpSchema* schema = findSchema(node.domain, node.op);
    NodeFacts facts(parsed.graph, NodeId(std::size_t {0}), parsed.facts);
    if (!checkForm(facts).ok() || !schema || !schema->infer || !schema->infer(facts).ok()) return {};
    std::string text;
    for (const auto& [input, type] : facts.requirements())
        text += (text.empty() ? " | " : " ") + std::to_string(input) + " " + describe(type);
    return text;
}

std::string stored(const std::string& operatorCase)
{
    Case parsed = parseCase(operatorCase);
    const Node& node = parsed.graph.nodes.front();
    const OpSchema* schema = findSchema(node.domain, node.op);
    NodeFacts facts(parsed.graph, NodeId(std::size_t {0}), parsed.facts);
    if (const Status status = schema->infer(facts); !status.ok()) return "error: " + english(status.error().message);
    inferStorageTypes(facts, *schema);
    std::string text;
    for (std::size_t i = 0; i < facts.outputCount(); ++i)
        text += (i == 0 ? "" : " ") + describe(facts.output(i).type);
    return text;
}

std::vector<std::pair<std::string, std::string>> casesIn(const std::string& text)
{
    std::vector<std::pair<std::string, std::string>> cases;
    for (const std::string& line : split(text, '\n')) {
        const std::size_t arrow = line.find(" -> ");
        cases.emplace_back(line.substr(0, arrow), line.substr(arrow + 4));
    }
    return cases;
}

std::string solved(const std::string& operatorCase)
{
    const std::size_t arrow = operatorCase.find(" -> ");
    Case parsed = parseCase(operatorCase.substr(0, arrow));
    const Node& node = parsed.graph.nodes.front();
    for (std::size_t v = 0; v < parsed.graph.values.size(); ++v)
        parsed.graph.values[v].type = parsed.facts.types[v];
    const auto wanted = split(operatorCase.substr(arrow + 4), ' ');
    for (std::size_t i = 0; i < wanted.size(); ++i)
        parsed.graph[node.outputs[i]].type = parseType(wanted[i]);
    for (InputContent& content : shapeInputs(parsed.graph, NodeId(std::size_t {0}))) {
        const TensorType& type = parsed.facts.types[node.inputs[content.input].index()];
        parsed.facts.contents[node.inputs[content.input].index()] = {type.dtype, type.shape().value_or(Shape {}),
                                                                     std::move(content.elements), true};
    }
    return inferredOf(parsed);
}

void addNodeRows(std::initializer_list<std::string> texts)
{
    QTest::addColumn<QString>("result");
    for (const std::string& text : texts)
        for (const auto& [node, result] : casesIn(text))
            QTest::newRow(node.data()) << QString::fromStdString(result);
}

void compareNodeRow(const std::string& domain)
{
    QFETCH(const QString, result);
    const std::string node = domain + QTest::currentDataTag();
    const QString found = QString::fromStdString(inferred(node) + required(node));
    if (result == QStringLiteral("error"))
        QVERIFY2(found.startsWith(QStringLiteral("error: ")), qPrintable(found));
    else
        QCOMPARE(found, result);
}

} // namespace plimsoll::test
