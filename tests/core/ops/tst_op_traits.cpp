#include "core/ops/op_traits.h"

#include "core/graph/graph_builder.h"
#include "core/ops/trait_table.h"

#include <QTest>

#include <algorithm>

using namespace plimsoll;

/// Which bytes an operator may or must share between its inputs and outputs, what it reads, and how bodies are tied in.
class OpTraits : public QObject
{
    Q_OBJECT

private slots:
    void outputsMayShareWithInputs_data();
    void outputsMayShareWithInputs();
    void aValueThatIsReadElsewhereInTheNodeIsNotWrittenOver();
    void declaredTraitsReplaceTheSchema();
    void contentThatIsNotReadIsSaid();
    void randomAndMutatingOperatorsAreNotPure_data();
    void randomAndMutatingOperatorsAreNotPure();
    void loopsTieTheirBodiesByPosition();
    void oldScansHaveLengthsInFront();
    void bodiesOfUnknownOperatorsAreOpaque();
    void aTableHoldsTheTraitsOfEveryNode();
};

namespace {

TensorType parseType(const QString& text)
{
    const auto bracket = text.indexOf(QLatin1Char('['));
    TensorType type;
    type.dtype = dtypeFromName(text.left(bracket).toStdString()).value();
    type.dims.emplace();
    const QString inside = text.mid(bracket + 1, text.size() - bracket - 2);
    for (const QString& size : inside.split(QLatin1Char(','), Qt::SkipEmptyParts))
        type.dims->push_back({size.toLongLong(), {}});
    return type;
}

/// One node with inputs and outputs of the given types. "Add float32[2] float32[2] -> float32[2]"
struct OneNode
{
    GraphBuilder builder {"one"};
    NodeId node;

    explicit OneNode(const QString& text, Attributes attributes = {}, std::int64_t opset = 0)
    {
        const QStringList sides = text.split(QStringLiteral(" -> "));
        QStringList words = sides[0].split(QLatin1Char(' '));
        const QString op = words.takeFirst();
        const auto colons = op.indexOf(QStringLiteral("::"));
        ValueIds inputs;
        for (const QString& word : words) {
            inputs.push_back(builder.addInput("x" + std::to_string(inputs.size()), parseType(word)));
        }
        Node made;
        made.op = (colons < 0 ? op : op.mid(colons + 2)).toStdString();
        made.domain = colons < 0 ? "" : op.left(colons).toStdString();
        made.attributes = std::move(attributes);
        std::vector<std::string> outputs;
        const QStringList types = sides[1].split(QLatin1Char(' '));
        for (int i = 0; i < types.size(); ++i)
            outputs.push_back("y" + std::to_string(i));
        node = builder.addNode(made, inputs, outputs);
        for (int i = 0; i < types.size(); ++i)
            graph()[builder.output(node, std::size_t(i))].type = parseType(types[i]);
        if (opset > 0) graph().opsets[""] = opset;
    }

    Graph& graph() { return builder.graph(); }
};

QString text(const std::vector<AliasTrait>& traits)
{
    const char* names[] = {"fresh", "in-place", "identity", "view", "mutates"};
    QStringList words;
    for (const AliasTrait& trait : traits) {
        words
            << QStringLiteral("%1:%2:%3").arg(trait.output).arg(QLatin1String(names[int(trait.kind)])).arg(trait.input);
    }
    return words.join(QLatin1Char(' '));
}

QString text(const BodyLink& link)
{
    const char* names[] = {"branch", "carried", "iteration", "condition", "scan-in", "scan-out", "opaque"};
    return QStringLiteral("%1 %2 %3 %4 %5")
        .arg(QLatin1String(names[int(link.kind)]))
        .arg(link.ownerInput)
        .arg(link.bodyInput)
        .arg(link.bodyOutput)
        .arg(link.ownerOutput);
}

} // namespace

void OpTraits::outputsMayShareWithInputs_data()
{
    QTest::addColumn<QString>("traits");
    QTest::newRow("Relu float32[2] -> float32[2]") << "0:in-place:0";
    QTest::newRow("Add float32[2,3] float32[2,3] -> float32[2,3]") << "0:in-place:0 0:in-place:1";
    QTest::newRow("Add float32[2,3] float32[3] -> float32[2,3]") << "0:in-place:0";
    QTest::newRow("Add float32[1,3] float32[3] -> float32[1,3]") << "0:in-place:0";
    QTest::newRow("Sum float32[2] float32[2] float32[1] -> float32[2]") << "0:in-place:0 0:in-place:1";
    QTest::newRow("Equal float32[2] float32[2] -> bool[2]") << "";
    QTest::newRow("And bool[2] bool[2] -> bool[2]") << "0:in-place:0 0:in-place:1";
    QTest::newRow("Where bool[2] float32[2] float32[2] -> float32[2]") << "0:in-place:1 0:in-place:2";
    QTest::newRow("Where bool[2] int8[2] int8[1] -> int8[2]") << "0:in-place:1";
    QTest::newRow("Pow float32[2] float32[2] -> float32[2]") << "0:in-place:0";
    QTest::newRow("PRelu float32[2] float32[2] -> float32[2]") << "0:in-place:0";
    QTest::newRow("Clip float32[2] -> float32[2]") << "0:in-place:0";
    QTest::newRow("Softmax float32[2,3] -> float32[2,3]") << "0:in-place:0";
    QTest::newRow("ScatterND float32[4] int64[1,1] float32[1] -> float32[4]") << "0:in-place:0";
    QTest::newRow("Reshape float32[2,3] int64[1] -> float32[6]") << "0:identity:0";
    QTest::newRow("Cast float32[2] -> float32[2]") << "0:identity:0";
    QTest::newRow("Cast float32[2] -> int32[2]") << "0:in-place:0";
    QTest::newRow("Cast int8[2] -> bool[2]") << "0:in-place:0";
    QTest::newRow("Cast float32[2] -> float64[2]") << "";
    QTest::newRow("Cast int4[2] -> uint4[2]") << "";
    QTest::newRow("CastLike float16[2] bfloat16[1] -> bfloat16[2]") << "0:in-place:0";
    QTest::newRow("CastLike float16[2] float16[1] -> float16[2]") << "0:identity:0";
    QTest::newRow("BitCast float32[2] -> uint32[2]") << "0:in-place:0";
    QTest::newRow("Dropout float32[2] -> float32[2]") << "0:identity:0";
    QTest::newRow("Dropout float32[2] float32[] bool[] -> float32[2]") << "";
    QTest::newRow("BatchNormalization float32[1,2] float32[2] float32[2] float32[2] float32[2] -> float32[1,2]")
        << "0:in-place:0";
    QTest::newRow("Neg int4[2] -> int4[2]") << "";
    QTest::newRow("Identity string[2] -> string[2]") << "";
    QTest::newRow("MatMul float32[2,2] float32[2,2] -> float32[2,2]") << "";
    QTest::newRow("LayerNormalization float32[2,2] float32[2] -> float32[2,2]") << "";
    QTest::newRow("plimsoll::Add_ float32[2] float32[2] -> float32[2]") << "0:mutates:0 0:in-place:1";
    QTest::newRow("plimsoll::Detach float32[2] -> float32[2]") << "0:view:0";
    QTest::newRow("plimsoll::Data float32[2] -> float32[2]") << "0:view:0";
    QTest::newRow("plimsoll::Mul_ float32[2] float32[1] -> float32[2]") << "0:mutates:0";
    QTest::newRow("com.example::Relu float32[2] -> float32[2]") << "";
}

void OpTraits::outputsMayShareWithInputs()
{
    QFETCH(QString, traits);
    OneNode one(QString::fromUtf8(QTest::currentDataTag()));

    QCOMPARE(text(aliasTraits(one.graph(), one.node)), traits);
}

void OpTraits::aValueThatIsReadElsewhereInTheNodeIsNotWrittenOver()
{
    OneNode one(QStringLiteral("ScatterElements int64[3] int64[3] int64[3] -> int64[3]"));
    one.graph()[one.node].inputs[2] = one.graph()[one.node].inputs[0];

    QVERIFY(aliasTraits(one.graph(), one.node).empty());
}

void OpTraits::declaredTraitsReplaceTheSchema()
{
    OneNode one(QStringLiteral("com.example::Foo float32[2] float32[3] -> float32[2]"));
    one.graph()[one.node].declared.edit().traits = {
        {0, 0, AliasKind::MayBeInPlace, 0}, {0, 1, AliasKind::Identity, 0}, {0, 1, AliasKind::View, 4}};
    one.graph()[one.node].declared.edit().ignoredInputs = {1};

    QCOMPARE(text(aliasTraits(one.graph(), one.node)),
             QStringLiteral("0:in-place:0 0:view:1")); // The sizes of an identity differ.
    QVERIFY(readsContent(one.graph(), one.node, 0));
    QVERIFY(!readsContent(one.graph(), one.node, 1));
    QVERIFY(!isKnownOperator(one.graph(), one.node));
}

void OpTraits::contentThatIsNotReadIsSaid()
{
    OneNode shape(QStringLiteral("Shape float32[2] -> int64[1]"));
    OneNode like(QStringLiteral("CastLike float32[2] int32[9] -> int32[2]"));

    QVERIFY(!readsContent(shape.graph(), shape.node, 0));
    QVERIFY(readsContent(like.graph(), like.node, 0));
    QVERIFY(!readsContent(like.graph(), like.node, 1));
    QVERIFY(!readsContent(like.graph(), like.node, 2)); // There is none.
}

void OpTraits::randomAndMutatingOperatorsAreNotPure_data()
{
    QTest::addColumn<bool>("pure");
    QTest::newRow("Relu float32[2] -> float32[2]") << true;
    QTest::newRow("RandomNormalLike float32[2] -> float32[2]") << false;
    QTest::newRow("Dropout float32[2] -> float32[2]") << true;
    QTest::newRow("Dropout float32[2] float32[] bool[] -> float32[2]") << false; // training_mode is data.
    QTest::newRow("plimsoll::Copy_ float32[2] float32[2] -> float32[2]") << false;
    QTest::newRow("com.example::Foo float32[2] -> float32[2]") << false;
}

void OpTraits::randomAndMutatingOperatorsAreNotPure()
{
    QFETCH(bool, pure);
    OneNode one(QString::fromUtf8(QTest::currentDataTag()));

    QCOMPARE(isPure(one.graph(), one.node), pure);
}

void OpTraits::loopsTieTheirBodiesByPosition()
{
    OneNode one(QStringLiteral("Loop int64[] bool[] float32[2] -> float32[2] float32[3,2]"));
    const BodyId body = one.builder.openBody(one.node, "body");
    one.builder.addInput("i", TensorType::dense(DType::Int64, {}));
    const ValueId condition = one.builder.addInput("c", TensorType::dense(DType::Bool, {}));
    const ValueId state = one.builder.addInput("s", TensorType::dense(DType::Float32, {2}));
    for (const ValueId output : {condition, state, state})
        one.builder.addOutput(output);
    one.builder.closeBody();

    const auto links = bodyLinks(one.graph(), one.node, body);

    QCOMPARE(bodyRule(one.graph(), one.node), BodyRule::Loop);
    QCOMPARE(links.size(), std::size_t(4));
    QCOMPARE(text(links[0]), QStringLiteral("iteration 0 0 -1 -1"));
    QCOMPARE(text(links[1]), QStringLiteral("condition 1 1 0 -1"));
    QCOMPARE(text(links[2]), QStringLiteral("carried 2 2 1 0"));
    QCOMPARE(text(links[3]), QStringLiteral("scan-out -1 -1 2 1"));
}

void OpTraits::oldScansHaveLengthsInFront()
{
    for (const std::int64_t opset : {8, 9}) {
        const auto* words = opset == 8 ? "Scan int64[1] float32[1,2] float32[1,3,2] -> float32[1,2] float32[1,3,2]"
                                       : "Scan float32[2] float32[3,2] -> float32[2] float32[3,2]";
        OneNode one(QString::fromUtf8(words), {{"num_scan_inputs", std::int64_t {1}}}, opset);
        const BodyId body = one.builder.openBody(one.node, "body");
        for (const char* name : {"s", "x"})
            one.builder.addOutput(one.builder.addInput(name, TensorType::dense(DType::Float32, {2})));
        one.builder.closeBody();

        const auto links = bodyLinks(one.graph(), one.node, body);

        const int first = opset == 8 ? 1 : 0;
        QCOMPARE(links.size(), std::size_t(3));
        QCOMPARE(text(links[0]), QStringLiteral("carried %1 0 0 0").arg(first));
        QCOMPARE(text(links[1]), QStringLiteral("scan-in %1 1 -1 -1").arg(first + 1));
        QCOMPARE(text(links[2]), QStringLiteral("scan-out -1 -1 1 1"));
    }
}

void OpTraits::bodiesOfUnknownOperatorsAreOpaque()
{
    OneNode one(QStringLiteral("com.example::Search float32[2] -> float32[2]"));
    const BodyId body = one.builder.openBody(one.node, "decoder");
    one.builder.addOutput(one.builder.addInput("x", TensorType::dense(DType::Float32, {2})));
    one.builder.closeBody();

    const auto links = bodyLinks(one.graph(), one.node, body);

    QCOMPARE(bodyRule(one.graph(), one.node), BodyRule::Once);
    QCOMPARE(links.size(), std::size_t(2));
    QCOMPARE(text(links[0]), QStringLiteral("opaque -1 0 -1 -1"));
    QCOMPARE(text(links[1]), QStringLiteral("opaque -1 -1 0 -1"));
}

void OpTraits::aTableHoldsTheTraitsOfEveryNode()
{
    Graph graph = OneNode(QStringLiteral("NoSuchOp float32[2] -> float32[2]")).graph();
    for (const char* op : {"Relu", "Identity", "NoSuchOp", "Relu"}) {
        graph.nodes.push_back(graph.nodes.front());
        graph.nodes.back().op = op;
    }
    const TraitTable table(graph);
    std::size_t all = 0;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const auto own = table[NodeId(i)];
        QVERIFY(std::ranges::equal(own, aliasTraits(graph, NodeId(i))));
        all += own.size();
    }
    QCOMPARE(all, std::size_t(3));
    QVERIFY(table[NodeId(0)].empty());
}

QTEST_APPLESS_MAIN(OpTraits)
#include "tst_op_traits.moc"
