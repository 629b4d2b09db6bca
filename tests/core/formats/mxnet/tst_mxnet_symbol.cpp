#include "core/facts/english/english.h"
#include "core/formats/read_graph.h"
#include "core/lower/types/infer_types.h"

#include <QDir>
#include <QTest>

using namespace plimsoll;

namespace {

Result<Graph> read(const QByteArray& text)
{
    return readGraph(std::as_bytes(std::span(text.constData(), static_cast<std::size_t>(text.size()))), {});
}

QString errorOf(const Result<Graph>& graph)
{
    return graph.ok() ? QStringLiteral("(no error)") : QString::fromStdString(describe(graph.error()));
}

QStringList namesOf(const Graph& graph, std::span<const ValueId> values)
{
    QStringList names;
    for (const ValueId value : values)
        names << QString::fromStdString(graph[value].name);
    return names;
}

QString typeOf(const InferredGraph& inferred, const char* name)
{
    const ValueId value = findValue(inferred.graph, name);
    return value.valid() ? QString::fromStdString(describe(inferred.graph[value].type)) : QStringLiteral("(no value)");
}

QString corpusFile(const char* name)
{
    return QStringLiteral(PLIMSOLL_SHARED_DIR "/corpora/mxnet/") + QLatin1String(name);
}

} // namespace

class MxnetSymbol : public QObject
{
    Q_OBJECT

private slots:
    void everyDialectSaysTheSame_data();
    void everyDialectSaysTheSame();
    void headsKeepTheirOrder();
    void unknownOperatorsHaveTheOutputsThatAreRead();
    void hiddenOutputsAreValues();
    void auxiliaryStatesAreParameters();
    void inputsThatOldFilesLeaveOutAreVariables();
    void typesOfVariablesAreHonoured();
    void storageTypesAreHonoured_data();
    void storageTypesAreHonoured();
    void typesOfParametersFollowFromTheirReaders();
    void sizesFlowBackwards();
    void controlFlowIsNested();
    void partitionsArePutBack();
    void whatIsWrongIsSaidWithItsPlace_data();
    void whatIsWrongIsSaidWithItsPlace();
    void contradictingShapesAreErrors();
    void theCorpusIsRead_data();
    void theCorpusIsRead();
    void theTrunkOfADetectorHasItsBytes();
};

/// B40, as all of this file: dialects, row pointers, versions, nested graphs, heads.
void MxnetSymbol::everyDialectSaysTheSame_data()
{
    QTest::addColumn<QByteArray>("node");
    QTest::newRow("attrs") << QByteArray(
        R"json("attrs": {"num_hidden": "3", "no_bias": "True"}, "inputs": [[0,0,0],[1,0,0]])json");
    QTest::newRow("attr") << QByteArray(
        R"json("attr": {"num_hidden": "3", "no_bias": "True"}, "inputs": [[0,0],[1,0]])json");
    QTest::newRow("param") << QByteArray(
        R"json("param": {"num_hidden": "3", "no_bias": "1"}, "attr": {"ctx_group": "a"}, "backward_source_id": -1, "inputs": [[0,0],[1,0]])json");
    QTest::newRow("without its weight") << QByteArray(
        R"json("param": {"num_hidden": "3", "no_bias": "1"}, "inputs": [[0,0]])json");
}

void MxnetSymbol::everyDialectSaysTheSame()
{
    QFETCH(QByteArray, node);
    const auto graph =
        read(R"json({"nodes": [{"op":"null","name":"data","inputs":[]},{"op":"null","name":"fc_weight","inputs":[]},
        {"op":"FullyConnected","name":"fc",)json" +
             node + R"json(}], "arg_nodes":[0,1], "heads":[[2,0]]})json");
    QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
    const auto inferred = inferTypes(graph.value(), {{}, {{"data", {2, 5}}}}, {});
    QVERIFY(inferred.ok());
    QCOMPARE(typeOf(inferred.value(), "fc_output"), QStringLiteral("float32[2,3]"));
    const Node& layer = graph.value().nodes.front();
    QCOMPARE(QString::fromStdString(describe(inferred.value().graph[layer.inputs[1]].type)),
             QStringLiteral("float32[3,5]"));
    QCOMPARE(layer.from->origin.dialect, std::string("mxnet"));
}

void MxnetSymbol::headsKeepTheirOrder()
{
    const auto graph =
        read(R"json({"nodes":[{"op":"null","name":"x","inputs":[]},{"op":"_copy","name":"p","inputs":[[0,0,0]]}],
        "arg_nodes":[0],"node_row_ptr":[0,1,2],"heads":[[1,0,0],[0,0,0],[1,0,0]]})json");
    QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
    QCOMPARE(namesOf(graph.value(), graph.value().top().outputs), (QStringList {"p_output", "x", "p_output"}));
}

/// Of the first one its third output is a head, of the second its second is read.
void MxnetSymbol::unknownOperatorsHaveTheOutputsThatAreRead()
{
    const auto graph = read(
        R"json({"nodes":[{"op":"null","name":"x","inputs":[]},{"op":"_my_split","name":"s","inputs":[[0,0,0]]},
        {"op":"_my_split","name":"t","inputs":[[0,0,0]]},{"op":"exp","name":"e","inputs":[[2,1,0]]}],
        "arg_nodes":[0],"heads":[[1,2,0],[3,0,0]]})json");
    QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
    QCOMPARE(namesOf(graph.value(), graph.value()[findNode(graph.value(), "s")].outputs),
             (QStringList {"s_output0", "s_output1", "s_output2"}));
    QCOMPARE(namesOf(graph.value(), graph.value()[findNode(graph.value(), "t")].outputs),
             (QStringList {"t_output0", "t_output1"}));
}

const char* const Normalised = R"json({"nodes":[{"op":"null","name":"x","inputs":[]},
    {"op":"null","name":"g","inputs":[]},{"op":"null","name":"b","inputs":[]},{"op":"null","name":"m","inputs":[]},
    {"op":"null","name":"v","inputs":[]},
    {"op":"BatchNorm","name":"bn","inputs":[[0,0,0],[1,0,0],[2,0,0],[3,0,1],[4,0,1]]}],
    "arg_nodes":[0,1,2,3,4],"heads":[[5,0,0]],"attrs":{"mxnet_version":["int",10500]}})json";

void MxnetSymbol::hiddenOutputsAreValues()
{
    const auto graph = read(Normalised);
    QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
    QCOMPARE(namesOf(graph.value(), graph.value().nodes.front().outputs),
             (QStringList {"bn_output", "bn_mean", "bn_var"}));
}

void MxnetSymbol::auxiliaryStatesAreParameters()
{
    const auto graph = read(Normalised);
    QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
    QCOMPARE(namesOf(graph.value(), graph.value().top().inputs), QStringList {"x"});
    QCOMPARE(graph.value()[findValue(graph.value(), "m")].role, ValueRole::Parameter);
}

void MxnetSymbol::inputsThatOldFilesLeaveOutAreVariables()
{
    const auto graph = read(R"json({"nodes":[{"op":"null","name":"x","inputs":[]},{"op":"null","name":"g","inputs":[]},
        {"op":"null","name":"b","inputs":[]},{"op":"BatchNorm","name":"bn","inputs":[[0,0],[1,0],[2,0]]}],
        "arg_nodes":[0,1,2],"heads":[[3,0]]})json");
    QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
    QCOMPARE(namesOf(graph.value(), graph.value().nodes.front().inputs),
             (QStringList {"x", "g", "b", "bn_moving_mean", "bn_moving_var"}));
}

void MxnetSymbol::typesOfVariablesAreHonoured()
{
    const auto graph = read(R"json({"nodes":[
        {"op":"null","name":"x","attrs":{"__shape__":"(2, 0)","__dtype__":"2"},"inputs":[]},
        {"op":"exp","name":"e","inputs":[[0,0,0]]}],"arg_nodes":[0],"heads":[[1,0,0]]})json");
    QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
    QCOMPARE(QString::fromStdString(describe(graph.value()[findValue(graph.value(), "x")].type)),
             QStringLiteral("float16[2,?]"));
}

void MxnetSymbol::storageTypesAreHonoured_data()
{
    QTest::addColumn<QByteArray>("attributes");
    QTest::addColumn<QByteArray>("node");
    QTest::addColumn<QString>("type");
    QTest::addColumn<QString>("result");
    const auto row = [](const char* name, const char* attributes, const char* node, const char* type,
                        const char* result) {
        QTest::newRow(name) << QByteArray(attributes) << QByteArray(node) << QString(type) << QString(result);
    };
    const char* bounded = R"("__storage_type__": "1", "__max_stored__": "2")";
    row("row_sparse", bounded, R"("op": "elemwise_mul", "attrs": {})", "row_sparse(float32[4,3], at most 2)",
        "row_sparse(float32[4,3], at most 2)");
    row("without a bound", R"("__storage_type__": "2")", R"("op": "elemwise_add", "attrs": {})", "csr(float32[4,3])",
        "float32[4,3]");
    row("default", R"("__storage_type__": "0")", R"("op": "elemwise_add", "attrs": {})", "float32[4,3]",
        "float32[4,3]");
    row("undefined", R"("__storage_type__": "-1")", R"("op": "elemwise_add", "attrs": {})", "float32[4,3]",
        "float32[4,3]");
    row("another name of the operator", bounded, R"("op": "_sparse_elemwise_mul", "attrs": {})",
        "row_sparse(float32[4,3], at most 2)", "row_sparse(float32[4,3], at most 2)");
    row("a sum with dense", bounded, R"("op": "elemwise_add", "attrs": {})", "row_sparse(float32[4,3], at most 2)",
        "float32[4,3]");
}

void MxnetSymbol::storageTypesAreHonoured()
{
    QFETCH(QByteArray, attributes);
    QFETCH(QByteArray, node);
    QFETCH(QString, type);
    QFETCH(QString, result);
    const auto graph = read(
        R"json({"nodes": [{"op":"null","name":"x","attrs":{"__shape__":"(4, 3)","__dtype__":"0",)json" + attributes +
        R"json(},"inputs":[]}, {"op":"null","name":"d","attrs":{"__shape__":"(4, 3)","__dtype__":"0"},"inputs":[]}, {"name":"n",)json" +
        node + R"json(,"inputs":[[0,0,0],[1,0,0]]}], "arg_nodes":[0,1], "heads":[[2,0,0]]})json");
    QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
    const auto inferred = inferTypes(graph.value(), {}, {});
    QVERIFY(inferred.ok());
    QCOMPARE(typeOf(inferred.value(), "x"), type);
    QCOMPARE(typeOf(inferred.value(), "n_output"), result);
}

void MxnetSymbol::typesOfParametersFollowFromTheirReaders()
{
    const auto graph = read(Normalised);
    const auto inferred = inferTypes(graph.value(), {{}, {{"x", {2, 7, 3, 3}}}}, {});
    QVERIFY(inferred.ok());
    for (const char* name : {"g", "b", "m", "v", "bn_mean"})
        QCOMPARE(typeOf(inferred.value(), name), QStringLiteral("float32[7]"));
    const auto open = inferTypes(graph.value(), {}, {});
    QVERIFY(open.ok());
    const auto& because = open.value().unknownBecause[findValue(graph.value(), "x").index()];
    QCOMPARE(english(because), std::string("the file gives no shape for 'x'"));
}

/// A state of unknown size (0) gets it from what it is added to, over a chain of nodes.
void MxnetSymbol::sizesFlowBackwards()
{
    const auto graph = read(R"json({"nodes":[{"op":"null","name":"x","attrs":{"__shape__":"(4,6)"},"inputs":[]},
        {"op":"_zeros","name":"state","attrs":{"shape":"(0, 6)"},"inputs":[]},
        {"op":"tanh","name":"t","inputs":[[1,0,0]]},{"op":"exp","name":"e","inputs":[[2,0,0]]},
        {"op":"elemwise_add","name":"sum","inputs":[[3,0,0],[0,0,0]]}],"arg_nodes":[0],"heads":[[4,0,0]]})json");
    QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
    const auto inferred = inferTypes(graph.value(), {}, {});
    QVERIFY(inferred.ok());
    QCOMPARE(typeOf(inferred.value(), "state_output"), QStringLiteral("float32[4,6]"));
}

void MxnetSymbol::controlFlowIsNested()
{
    const auto graph = read(R"json({"nodes":[{"op":"null","name":"x","attrs":{"__shape__":"(5,3)"},"inputs":[]},
        {"op":"null","name":"s","attrs":{"__shape__":"(3,)"},"inputs":[]},
        {"op":"_foreach","name":"loop","attrs":{"in_data_locs":"(0,)","in_state_locs":"(1,)","remain_locs":"()",
         "num_args":"3","num_outputs":"2","num_out_data":"1"},"inputs":[[0,0,0],[1,0,0]],
         "subgraphs":[{"nodes":[{"op":"null","name":"row","inputs":[]},{"op":"null","name":"state","inputs":[]},
           {"op":"elemwise_add","name":"sum","inputs":[[0,0,0],[1,0,0]]},{"op":"_copy","name":"next","inputs":[[2,0,0]]}],
           "arg_nodes":[0,1],"heads":[[2,0,0],[3,0,0]]}]}],
        "arg_nodes":[0,1],"heads":[[2,0,0],[2,1,0]],"attrs":
{
    "mxnet_version" : [ "int", 10500 ]
}
})json");
    QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
    QCOMPARE(graph.value().bodies.size(), std::size_t {2});
    const auto inferred = inferTypes(graph.value(), {}, {});
    QVERIFY2(inferred.ok(), inferred.ok() ? "" : describe(inferred.error()).c_str());
    QCOMPARE(typeOf(inferred.value(), "loop_output0"), QStringLiteral("float32[5,3]"));
    QCOMPARE(typeOf(inferred.value(), "loop_output1"), QStringLiteral("float32[3]"));
}

void MxnetSymbol::partitionsArePutBack()
{
    const auto graph = read(R"json({"nodes":[{"op":"null","name":"x","attrs":{"__shape__":"(3,)"},"inputs":[]},
        {"op":"_CachedOp","name":"part","inputs":[[0,0,0]],"subgraphs":[{"nodes":[{"op":"null","name":"in","inputs":[]},
          {"op":"exp","name":"e","inputs":[[0,0,0]]}],"arg_nodes":[0],"heads":[[1,0,0]]}]},
        {"op":"relu","name":"r","inputs":[[1,0,0]]}],"arg_nodes":[0],"heads":[[2,0,0]],
        "attrs":
{
    "mxnet_version" : [ "int", 10500 ]
}
})json");
    QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
    QCOMPARE(graph.value().nodes.size(), std::size_t {2});
    QCOMPARE(graph.value().nodes[0].op, std::string("exp"));
    QCOMPARE(graph.value().nodes[1].inputs, graph.value().nodes[0].outputs);
}

void MxnetSymbol::whatIsWrongIsSaidWithItsPlace_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("error");
    const auto row = [](const char* name, const char* nodes, const char* rest, const char* error) {
        QTest::newRow(name) << QByteArray(R"json({"nodes":[{"op":"null","name":"x","inputs":[]},)json") + nodes + "]," +
                                   rest + "}"
                            << QString::fromUtf8(error);
    };
    const char* good = R"json({"op":"exp","name":"e","inputs":[[0,0,0]]})json";
    row("no such node", R"json({"op":"exp","name":"e","inputs":[[7,0,0]]})json", R"json("heads":[[1,0,0]])json",
        "nodes[1].inputs[0]: There is no node 7");
    row("a storage type that is none",
        R"json({"op":"null","name":"s","inputs":[],"attrs":{"__storage_type__":"3"}})json",
        R"json("heads":[[1,0,0]])json",
        "nodes[1]: The storage type 3 is not one of 0 (default), 1 (row_sparse), 2 (csr).");
    row("no such output", R"json({"op":"exp","name":"e","inputs":[[0,1,0]]})json", R"json("heads":[[1,0,0]])json",
        "nodes[1].inputs[0]: Node 0 ('x') has 1 output(s) and no output 1.");
    row("head of nothing", good, R"json("heads":[[9,0,0]])json", "heads[0]: There is no node 9");
    row("a head that the operator does not have", good, R"json("heads":[[1,5,0]])json",
        "heads[0]: Node 1 ('e') has 1 output(s) and no output 5.");
    row("a head beyond the parts",
        R"json({"op":"SliceChannel","name":"s","inputs":[[0,0,0]],"attrs":{"num_outputs":"2"}})json",
        R"json("heads":[[1,0,0],[1,2,0]])json", "heads[1]: Node 1 ('s') has 2 output(s) and no output 2.");
    row("a mask that a leaky unit does not have",
        R"json({"op":"LeakyReLU","name":"l","inputs":[[0,0,0]],"attrs":{"act_type":"elu"}})json",
        R"json("heads":[[1,1,0]])json", "heads[0]: Node 1 ('l') has 1 output(s) and no output 1.");
    row("an input that the operator before does not have",
        R"json({"op":"exp","name":"e","inputs":[[0,0,0]]},{"op":"exp","name":"f","inputs":[[1,3,0]]})json",
        R"json("heads":[[2,0,0]])json", "nodes[2].inputs[0]: Node 1 ('e') has 1 output(s) and no output 3.");
    row("a graph of TVM", good, R"json("heads":[[1,0,0]],"attrs":{"storage_id":["list_int",[0,1]]})json",
        "TVM's graph executor, which is not read");
    row("no heads", good, R"json("heads":[])json", "heads: The graph has no outputs.");
    row("a short row pointer", good, R"json("heads":[[1,0,0]],"node_row_ptr":[0,1])json",
        "node_row_ptr: It has 2 numbers");
    row("a falling row pointer", good, R"json("heads":[[1,0,0]],"node_row_ptr":[0,1,1])json", "node_row_ptr[2]:");
    row("an operator as argument", good, R"json("heads":[[1,0,0]],"arg_nodes":[1])json", "arg_nodes[0]: Node 1 ('e')");
    row("an entry of one number", R"json({"op":"exp","name":"e","inputs":[[0]]})json", R"json("heads":[[1,0,0]])json",
        "nodes[1].inputs[0]: An entry is expected here");
    row("a number over 63 bits", R"json({"op":"exp","name":"e","inputs":[[18446744073709551615,0,0]]})json",
        R"json("heads":[[1,0,0]])json", "63 bits");
    row("a cycle", R"json({"op":"exp","name":"a","inputs":[[2,0,0]]},{"op":"exp","name":"b","inputs":[[1,0,0]]})json",
        R"json("heads":[[1,0,0]])json", "cycle");
    row("a loop of itself", R"json({"op":"exp","name":"a","inputs":[[1,0,0]]})json", R"json("heads":[[1,0,0]])json",
        "cycle");
    row("positions that are not there",
        R"json({"op":"_foreach","name":"f","inputs":[[0,0,0]],"attrs":{"in_data_locs":"(4,)"
}
, "subgraphs" : [ {"nodes" : [ {"op" : "null", "name" : "y", "inputs" : []} ], "heads" : [[ 0, 0, 0 ]]} ]
})json",
        R"json("heads":[[1,0,0]])json", "in_data_locs lists position 4");
}

void MxnetSymbol::whatIsWrongIsSaidWithItsPlace()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, error);
    const auto graph = read(text);
    QVERIFY2(errorOf(graph).contains(error), qPrintable(errorOf(graph)));
}

void MxnetSymbol::contradictingShapesAreErrors()
{
    const auto graph = read(R"json({"nodes":[{"op":"null","name":"x","attrs":{"__shape__":"(2,5)"},"inputs":[]},
        {"op":"null","name":"fc_weight","attrs":{"__shape__":"(3,4)"},"inputs":[]},
        {"op":"FullyConnected","name":"fc","attrs":{"num_hidden":"3","no_bias":"True"},"inputs":[[0,0,0],[1,0,0]]}],
        "arg_nodes":[0,1],"heads":[[2,0,0]]})json");
    QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
    const auto inferred = inferTypes(graph.value(), {}, {});
    QVERIFY(!inferred.ok());
    const QString error = QString::fromStdString(describe(inferred.error()));
    QVERIFY2(error.contains("node 'fc'") && error.contains("'fc_weight', is float32[3,4], but float32[3,5] follows"),
             qPrintable(error));
}

void MxnetSymbol::theCorpusIsRead_data()
{
    QTest::addColumn<int>("nodes");
    QTest::addColumn<int>("heads");
    QTest::addColumn<QByteArray>("data");
    QTest::newRow("mobilenet1.0_int8-symbol.json") << 32 << 1 << QByteArray("1,3,224,224");
    QTest::newRow("ssd_300_vgg16_atrous_voc_int8-symbol.json") << 245 << 3 << QByteArray("1,3,300,300");
    QTest::newRow("dnnl_model1-symbol.json") << 39 << 1 << QByteArray("32,3,300,300");
    QTest::newRow("save_000800-symbol.json") << 7 << 1 << QByteArray("4,100");
}

void MxnetSymbol::theCorpusIsRead()
{
    QFETCH(int, nodes);
    QFETCH(int, heads);
    QFETCH(QByteArray, data);
    const QString path = corpusFile(QTest::currentDataTag());
    if (!QFile::exists(path)) QSKIP("the corpus of MXNet symbols is not here");
    const auto graph = readGraph(path.toStdString(), {});
    QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
    QCOMPARE(static_cast<int>(graph.value().nodes.size()), nodes);
    QCOMPARE(static_cast<int>(graph.value().top().outputs.size()), heads);

    Shape shape;
    for (const QByteArray& size : data.split(','))
        shape.push_back(size.toLongLong());
    const auto inferred = inferTypes(graph.value(), {{}, {{"data", shape}}}, {});
    QVERIFY2(inferred.ok(), inferred.ok() ? "" : describe(inferred.error()).c_str());
    for (const Value& value : inferred.value().graph.values) {
        const auto because = inferred.value().unknownBecause[findValue(inferred.value().graph, value.name).index()];
        QVERIFY2(value.type.bytes().has_value(), (value.name + ": " + english(because)).c_str());
    }
}

/// The sum of all outputs, found out by hand for a batch of 32 pictures.
void MxnetSymbol::theTrunkOfADetectorHasItsBytes()
{
    const QString path = corpusFile("dnnl_model1-symbol.json");
    if (!QFile::exists(path)) QSKIP("the corpus of MXNet symbols is not here");
    const auto graph = readGraph(path.toStdString(), {});
    QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
    const auto inferred = inferTypes(graph.value(), {{}, {{"data", {32, 3, 300, 300}}}}, {});
    QVERIFY(inferred.ok());
    std::int64_t bytes = 0;
    for (const Value& value : inferred.value().graph.values)
        bytes += value.role == ValueRole::Intermediate ? value.type.bytes().value_or(0) : 0;
    QCOMPARE(bytes, std::int64_t {6'800'251'904});
}

QTEST_APPLESS_MAIN(MxnetSymbol)
#include "tst_mxnet_symbol.moc"

#include <span>
