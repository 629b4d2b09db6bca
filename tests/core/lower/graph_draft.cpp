#include "graph_draft.h"
#include "core/facts/english/english.h"

#include <QStringList>

namespace plimsoll::test {

TensorType floats(const Shape& shape)
{
    return TensorType::dense(DType::Float32, shape);
}

TensorType symbolic(DimList dims)
{
    return {.dtype = DType::Float32, .dims = std::move(dims)};
}

void Draft::constant(const char* name, const std::vector<std::int64_t>& numbers, bool scalar)
{
    const Shape shape = scalar ? Shape {} : Shape {static_cast<std::int64_t>(numbers.size())};
    builder.addConstant(name, TensorType::dense(DType::Int64, shape), bytesOf(numbers));
}

void Draft::flag(const char* name, bool holds)
{
    builder.addConstant(name, TensorType::dense(DType::Bool, {}), bytesOf(std::vector<std::uint8_t> {holds}));
}

NodeId Draft::node(const std::string& text, Attributes attributes)
{
    const QStringList sides = QString::fromStdString(text).split(QStringLiteral(" ->"));
    QStringList words = sides[0].split(QLatin1Char(' '));
    Node made;
    made.op = words.takeFirst().toStdString();
    if (const auto colons = made.op->find("::"); colons != std::string::npos) {
        made.domain = made.op->substr(0, colons);
        made.op = made.op->substr(colons + 2);
    }
    made.attributes = std::move(attributes);
    ValueIds inputs;
    for (const QString& word : words)
        inputs.push_back(builder.find(word.toStdString()));
    std::vector<std::string> outputs;
    for (const QString& word : sides[1].split(QLatin1Char(' '), Qt::SkipEmptyParts))
        outputs.push_back(word.toStdString());
    return builder.addNode(made, inputs, outputs);
}

QString typeOf(const Result<InferredGraph>& inferred, const char* name)
{
    if (!inferred.ok()) return QString::fromStdString(describe(inferred.error()));
    return QString::fromStdString(describe(inferred.value().graph[findValue(inferred.value().graph, name)].type));
}

QString reasonFor(const Result<InferredGraph>& inferred, const char* name)
{
    return QString::fromStdString(
        english(inferred.value().unknownBecause[findValue(inferred.value().graph, name).index()]));
}

QString errorOf(const Result<InferredGraph>& inferred)
{
    return inferred.ok() ? QStringLiteral("none") : QString::fromStdString(describe(inferred.error()));
}

} // namespace plimsoll::test
