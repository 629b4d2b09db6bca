#include "core/facts/english/english.h"
#include "core/formats/plimsoll/graph_json.h"

#include "core/formats/files/tensor_data.h"
#include "core/formats/read_graph.h"
#include "core/ops/op_schema.h"
#include "tests/support/graph_text.h"
#include "tests/support/temporary_folder.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QtTest>

#include <cstring>
#include <fstream>
#include <random>

using namespace plimsoll;
using test::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

Result<Graph> read(const std::string& text)
{
    return readGraphJson(text, {});
}

/// A whole file around some fields.
std::string file(const std::string& fields)
{
    return R"({"schema": "plimsoll.graph/1", )" + fields + "}";
}

std::string withNode(const std::string& node)
{
    return file(R"("inputs": [{"name": "x", "dtype": "float32", "shape": [4]}], "nodes": [)" + node +
                R"(], "outputs": [])");
}

std::string withConstant(const std::string& fields)
{
    return file(R"("constants": [{"name": "c", )" + fields + R"(}], "nodes": [], "outputs": ["c"])");
}

QString errorOf(const Result<Graph>& graph)
{
    return graph.ok() ? QStringLiteral("(no error)") : QString::fromStdString(describe(graph.error()));
}

QByteArray hexOf(const TensorData& data)
{
    return QByteArray(reinterpret_cast<const char*>(data.bytes->data()), static_cast<int>(data.bytes->size())).toHex();
}

const char* const Seed = R"({ "schema": "plimsoll.graph/1", "name": "seed",
  "inputs":     [ {"name": "x", "dtype": "float32", "shape": [4], "visible": true} ],
  "parameters": [ {"name": "w", "dtype": "float32", "shape": [4, 4], "requiresGrad": true} ],
  "constants":  [ {"name": "two", "dtype": "float32", "shape": [], "data": [2.0]} ],
  "nodes":      [ {"name": "n0", "op": "Identity", "domain": "", "inputs": ["x"], "outputs": ["xc"],
                   "attributes": {}, "subgraphs": {}, "source": "model.py:12", "module": "blocks.0"} ],
  "values":     [ {"name": "xc", "dtype": "float32", "shape": [4]} ],
  "outputs":    [ "xc", "xc" ],
  "loss": null })";

} // namespace

class GraphJsonTest : public QObject
{
    Q_OBJECT

private slots:
    void theSeedOfTheContractIsRead()
    {
        const auto graph = read(Seed);

        QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
        const Graph& g = graph.value();
        QCOMPARE(g.name, std::string("seed"));
        QCOMPARE(opsetVersion(g, ""), NewestOpset);
        QCOMPARE(g.top().outputs.size(), std::size_t(2));
        QVERIFY(g.top().outputs[0] == g.top().outputs[1]);
        QCOMPARE(g.nodes[0].from->source, std::string("model.py:12"));
        QCOMPARE(g.nodes[0].from->module, std::string("blocks.0"));
        QVERIFY(g[findValue(g, "w")].requiresGrad);
        QCOMPARE(hexOf(*g[findValue(g, "two")].data), QByteArray("00000040"));
        QVERIFY(g[findValue(g, "xc")].type == TensorType::dense(DType::Float32, {4}));
        QVERIFY(!g.loss.valid());
    }

    /// What is written over a strided view lies as the view does, whether the file says so or not.
    void stridesAreKept()
    {
        const auto with = [](const char* view, const char* written) {
            return file(std::string(R"("inputs": [{"name": "x", "dtype": "float32", "shape": [4, 4]}],
                "nodes": [{"op": "column", "domain": "my", "inputs": ["x"], "outputs": ["c"],
                           "alias": {"0": {"kind": "view", "input": 0, "offset": 4, "strides": )") +
                        view + R"(}}},
                          {"op": "set", "domain": "my", "inputs": ["c"], "outputs": ["d"],
                           "alias": {"0": {"kind": ")" +
                        written + R"(", "input": 0}}}],
                "values": [{"name": "c", "dtype": "float32", "shape": [4]},
                           {"name": "d", "dtype": "float32", "shape": [4]}], "outputs": ["d"])");
        };
        const auto graph = read(with("[4]", "mutates"));
        QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
        const auto again = read(graphJsonText(graph.value()).value());
        QVERIFY2(again.ok(), qPrintable(errorOf(again)));
        for (const Graph* one : {&graph.value(), &again.value()}) {
            QCOMPARE((*one)[findValue(*one, "c")].at->strides, Shape {4});
            QCOMPARE((*one)[findValue(*one, "d")].at->strides, Shape {4});
        }
        QCOMPARE(read(with("[4]", "in-place")).value().values.back().at->strides, Shape {});
        QVERIFY(errorOf(read(with("[-4]", "mutates"))).contains("nodes[0].alias.0.strides[0]: Strides are not"));
        QVERIFY(errorOf(read(with("[4, 1]", "mutates"))).contains("values[0]: Each dimension has a stride"));
        QVERIFY(errorOf(read(with("[4]}, \"1\": {\"kind\": \"fresh\", \"strides\": [1]", "mutates")))
                    .contains("nodes[0].alias"));
    }

    void aTextThatIsNoUtf8IsNamed()
    {
        auto graph = read(file(R"("inputs": [{"name": "x", "dtype": "float32", "shape": [1]}],
            "nodes": [{"op": "Neg", "inputs": ["x"], "outputs": ["y"]}], "outputs": ["y"])"));
        QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
        graph.value().nodes[0].name = "a\xA6";
        const auto text = graphJsonText(graph.value());
        QVERIFY(!text.ok());
        QCOMPARE(QString::fromStdString(describe(text.error())),
                 QStringLiteral("/nodes/0/name: The graph cannot be written as JSON: a text in it is not UTF-8."));
    }

    void whatIsAskedOfAGradientIsKept()
    {
        const auto graph = read(file(R"("inputs": [{"name": "x", "dtype": "float32", "shape": [1], "gradient": "add"},
            {"name": "y", "dtype": "float32", "shape": [1], "requiresGrad": true, "gradient": "null"},
            {"name": "z", "dtype": "float32", "shape": [1], "requiresGrad": true}], "nodes": [], "outputs": ["x"])"));
        QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
        const auto text = graphJsonText(graph.value());
        QVERIFY(text.ok());
        const auto again = read(text.value());
        QVERIFY2(again.ok(), qPrintable(errorOf(again)));
        for (const Graph* one : {&graph.value(), &again.value()}) {
            QVERIFY((*one)[findValue(*one, "x")].gradientRequest == GradientRequest::Add);
            QVERIFY((*one)[findValue(*one, "x")].requiresGrad);
            QVERIFY((*one)[findValue(*one, "y")].gradientRequest == GradientRequest::Null);
            QVERIFY(!(*one)[findValue(*one, "z")].gradientRequest);
        }
        const auto wrong = read(file(R"("inputs": [{"name": "x", "dtype": "float32", "shape": [1], "gradient": "sum"}],
            "nodes": [], "outputs": ["x"])"));
        QVERIFY2(errorOf(wrong).contains("inputs[0].gradient: The request 'sum' is not one of write, add, null."),
                 qPrintable(errorOf(wrong)));
    }

    void numbersBecomeBytesOfTheType_data()
    {
        QTest::addColumn<QString>("fields");
        QTest::addColumn<QByteArray>("hex");
        const auto row = [](const char* name, const char* fields, const char* hex) {
            QTest::newRow(name) << QString(fields) << QByteArray(hex);
        };
        row("nested lists", R"("dtype": "int32", "shape": [2, 1], "data": [[1], [-1]])", "01000000ffffffff");
        row("non-finite", R"("dtype": "float32", "shape": [3], "data": ["nan", "inf", "-inf"])",
            "0000c07f0000807f000080ff");
        row("float16", R"("dtype": "float16", "shape": [4], "data": [1, -2, 65504, 5.960464477539063e-8])",
            "003c00c0ff7b0100");
        row("float16 overflows to infinity", R"("dtype": "float16", "shape": [1], "data": [65520])", "007c");
        row("bfloat16 ties to even", R"("dtype": "bfloat16", "shape": [2], "data": [1.00390625, 1.01171875])",
            "803f823f");
        row("int4", R"("dtype": "int4", "shape": [3], "data": [-1, 7, -8])", "7f08");
        row("uint2", R"("dtype": "uint2", "shape": [5], "data": [0, 1, 2, 3, 1])", "e401");
        row("bool", R"("dtype": "bool", "shape": [3], "data": [true, 0, 1])", "010001");
        row("uint64", R"("dtype": "uint64", "shape": [1], "data": [18446744073709551615])", "ffffffffffffffff");
        row("hexadecimal", R"("dtype": "float8e4m3fn", "shape": [2], "dataHex": "3C7f")", "3c7f");
    }
    void numbersBecomeBytesOfTheType()
    {
        QFETCH(QString, fields);
        QFETCH(QByteArray, hex);

        const auto graph = read(withConstant(fields.toStdString()));

        QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
        QCOMPARE(hexOf(*graph.value().values[0].data), hex);
    }

    void brokenFilesSayWhere_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char* name, const std::string& text, const char* reason) {
            QTest::newRow(name) << QString::fromStdString(text) << QString(reason);
        };
        row("syntax", "{\n  \"schema\": \"plimsoll.graph/1\",\n  oops }", "line 3, column 3");
        row("cut short", "{\"schema\": \"plimsoll.gr", "line 1, column");
        row("nested without end", std::string(100'000, '['), "more than 200 deep");
        row("not an object", "[1, 2]", "This is JSON, but not an object");
        row("a key twice", "{\"schema\": \"plimsoll.graph/1\", \"name\": \"a:\\\"b\", \"name\": \"c\"}",
            "name: The file has this key twice. Leave one out.");
        row("a key twice, deeper", R"({"schema": "plimsoll.graph/1", "nodes": [1, [2, {"a": {}, "b": [], "a": 3}]]})",
            "nodes[1][1].a: The file has this key twice.");
        row("two nodes of one name", R"({"nodes": {"a": 1}, "schema": "x", "outputs": {"a": {"a": [":"]}}})",
            "schema: The file is 'x'");
        row("no schema", "{}", "\"schema\" is missing");
        row("newer schema", R"({"schema": "plimsoll.graph/2"})", "schema: The file is 'plimsoll.graph/2'");
        row("a plan", R"({"schema": "plimsoll.plan/1"})", "a plan and not a graph. Open its graph first");
        row("another schema", R"({"schema": "plimsoll.pack/1"})", "not a graph (plimsoll.graph/1)");
        row("nothing in it", R"({"schema": "plimsoll.graph/1"})", "neither");
        row("unknown dtype", withConstant(R"("dtype": "float31", "shape": [1])"),
            "constants[0].dtype: The element type 'float31'");
        row("negative dimension", withConstant(R"("dtype": "float32", "shape": [2, -1])"),
            "constants[0].shape[1]: A dimension is -1");
        row("more dimensions than any library has",
            withConstant(R"("dtype": "float32", "shape": [)" + QByteArray("1,").repeated(1'000).toStdString() + "1]"),
            "value 'c': The shape has 1,001 dimensions; at most 1,000 are read.");
        row("fractional dimension", withConstant(R"("dtype": "float32", "shape": [2.5])"),
            "constants[0].shape[0]: A whole number");
        row("dimension above 63 bits", withConstant(R"("dtype": "float32", "shape": [18446744073709551615])"),
            "63 bits");
        row("size above 63 bits", withConstant(R"("dtype": "float32", "shape": [4611686018427387904, 4])"),
            "constants[0].shape: The size");
        row("unknown storage type", withConstant(R"("dtype": "float32", "shape": [2, 2], "storageType": "coo")"),
            "constants[0].storageType: The storage type 'coo' is not one of dense, row_sparse, csr");
        row("csr of three dimensions", withConstant(R"("dtype": "float32", "shape": [2, 2, 2], "storageType": "csr")"),
            "constants[0].storageType: It cannot be csr(float32[2,2,2]): csr needs two dimensions");
        row("a bound of a dense tensor", withConstant(R"("dtype": "float32", "shape": [2], "maxStored": 1)"),
            "constants[0].maxStored: A dense tensor keeps everything");
        row("a negative bound",
            withConstant(R"("dtype": "float32", "shape": [2], "storageType": "row_sparse", "maxStored": -1)"),
            "constants[0].maxStored: A tensor keeps at least nothing");
        row("a sparse size above 63 bits",
            withConstant(
                R"("dtype": "float32", "shape": [4, 2305843009213693952], "storageType": "row_sparse", "maxStored": 4)"),
            "constants[0].shape: The size");
        row("too few numbers", withConstant(R"("dtype": "float32", "shape": [2], "data": [1])"), "1 numbers are given");
        row("a number too large for its type", withConstant(R"("dtype": "uint8", "shape": [1], "data": [256])"),
            "data[0]: 256 does not fit");
        row("a text among numbers", withConstant(R"("dtype": "float32", "shape": [1], "data": ["one"])"),
            "constants[0].data[0]: A number");
        row("data without a shape", withConstant(R"("dtype": "float32", "data": [1])"), "needs its \"dtype\"");
        row("duplicate names", file(R"("inputs": [{"name": "x"}, {"name": "x"}], "nodes": [], "outputs": [])"),
            "defined twice");
        row("unknown loss", file(R"("nodes": [], "outputs": [], "loss": "l")"), "loss: The loss 'l'");
        row("type of nothing", file(R"("nodes": [], "outputs": [], "values": [{"name": "q"}])"),
            "values[0]: There is no value 'q'");
        row("data file through a pipe", withConstant(R"("dtype": "float32", "shape": [1], "dataFile": "w.bin")"),
            "give the graph as a file");
    }
    void brokenFilesSayWhere()
    {
        QFETCH(QString, text);
        QFETCH(QString, reason);

        const auto graph = read(text.toStdString());

        QVERIFY2(errorOf(graph).contains(reason), qPrintable(errorOf(graph)));
        QCOMPARE(graph.error().code, ErrorCode::BadInput);
    }

    void brokenNodesSayWhere_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char* name, const std::string& text, const char* reason) {
            QTest::newRow(name) << QString::fromStdString(text) << QString(reason);
        };
        row("unknown input", withNode(R"({"op": "Relu", "inputs": ["z"], "outputs": ["y"]})"),
            "nodes[0].inputs[0]: 'z' is neither");
        row("unknown output", file(R"("nodes": [], "outputs": ["y"])"), "outputs[0]: The output 'y'");
        row("name that is a number", withNode(R"({"op": "Relu", "inputs": [1], "outputs": ["y"]})"),
            "nodes[0].inputs[0]: A text");
        row("no operator", withNode(R"({"inputs": ["x"], "outputs": ["y"]})"), "nodes[0]: \"op\" is missing");
        row("no outputs", withNode(R"({"op": "Relu", "inputs": ["x"]})"), "nodes[0]: \"outputs\" is missing");
        row("alias of no output",
            withNode(
                R"({"op": "Relu", "inputs": ["x"], "outputs": ["y"], "alias": {"1": {"kind": "view", "input": 0}}})"),
            "no output '1'");
        row("alias of no input",
            withNode(
                R"({"op": "Relu", "inputs": ["x"], "outputs": ["y"], "alias": {"0": {"kind": "view", "input": 1}}})"),
            "nodes[0].alias.0.input: The node has 1 inputs");
        row("alias of an unknown kind",
            withNode(
                R"({"op": "Relu", "inputs": ["x"], "outputs": ["y"], "alias": {"0": {"kind": "same", "input": 0}}})"),
            "nodes[0].alias.0.kind");
        row("access of no output", withNode(R"({"op": "My", "inputs": ["x"], "outputs": ["y"], "access": {"1": {}}})"),
            "nodes[0].access");
        row("access of no input",
            withNode(R"({"op": "My", "inputs": ["x"], "outputs": ["y"], "access": {"0": {"1": "same"}}})"),
            "nodes[0].access.0.1");
        row("access by no map",
            withNode(R"({"op": "My", "inputs": ["x"], "outputs": ["y"], "access": {"0": {"0": ["same", "axes"]}}})"),
            "nodes[0].access.0.0[1]");
        row("access along no axis",
            withNode(
                R"({"op": "My", "inputs": ["x"], "outputs": ["y"], "access": {"0": {"0": {"axes": [{"from": -1}]}}}})"),
            "nodes[0].access.0.0.axes[0].from");
        row("ignores no input", withNode(R"({"op": "Relu", "inputs": ["x"], "outputs": ["y"], "ignores": [5]})"),
            "nodes[0].ignores[0]");
        row("mixed attribute",
            withNode(R"({"op": "Relu", "inputs": ["x"], "outputs": ["y"], "attributes": {"a": [1, "b"]}})"),
            "nodes[0].attributes.a: The elements");
        row("a key with a zero",
            withNode(R"({"op": "Relu", "inputs": ["x"], "outputs": ["y"], "attributes": {"\u0000": null}})"),
            "An attribute is a number");
        row("a stream below the first", withNode(R"({"op": "Relu", "inputs": ["x"], "outputs": ["y"], "stream": -1})"),
            "nodes[0].stream: There is no stream -1");
    }
    void brokenNodesSayWhere() { brokenFilesSayWhere(); }

    void cyclesNameTheirNodes()
    {
        const auto graph = read(withNode(R"({"name": "first", "op": "Add", "inputs": ["x", "b"], "outputs": ["a"]},
                                            {"name": "second", "op": "Relu", "inputs": ["a"], "outputs": ["b"]})"));

        QVERIFY2(errorOf(graph).contains("cycle"), qPrintable(errorOf(graph)));
        QVERIFY(errorOf(graph).contains("'first'") && errorOf(graph).contains("'second'"));
    }

    void writingAndReadingKeepsEverything_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("seed") << Seed;
        QTest::newRow("symbols and unknown sizes") << QString::fromStdString(file(
            R"("inputs": [{"name": "x", "dtype": "int64", "shape": ["batch", null, 3]}, {"name": "s", "kind": "sequence", "dtype": "float32"}, {"name": "any"}],
               "nodes": [], "outputs": ["x"], "opset": 11)"));
        QTest::newRow("storage types") << QString::fromStdString(file(
            R"("inputs": [{"name": "x", "dtype": "float32", "shape": [4, 9], "storageType": "csr", "maxStored": 5},
                          {"name": "open", "dtype": "float32", "shape": ["n", 9], "storageType": "row_sparse"}],
               "constants": [{"name": "c", "dtype": "float32", "shape": [2, 1], "storageType": "row_sparse", "maxStored": 1, "data": [0, 1]}],
               "nodes": [{"op": "My", "inputs": ["x", "open", "c"], "outputs": ["y"]}],
               "values": [{"name": "y", "dtype": "float32", "shape": [4, 9], "storageType": "csr", "maxStored": 7}], "outputs": ["y"])"));
        QTest::newRow("attributes") << QString::fromStdString(withNode(
            R"({"op": "My", "domain": "d", "inputs": ["x", ""], "outputs": ["", "y"], "device": "cuda:0", "stream": 3,
                "origin": {"dialect": "aten", "op": "add", "overload": "out"}, "ignores": [0],
                "alias": {"1": {"kind": "view", "input": 0, "offset": 8}},
                "access": {"0": {"0": "nothing"}, "1": {"0": [{"axes": [{"from": 1, "start": 2, "step": -1}, "any", {}]}, "order"]}},
                "attributes": {"i": 1, "f": 1.0, "n": "nan", "s": "text", "is": [1, 2], "fs": [1.5, 2.0, "inf"], "ss": ["a", "b"],
                  "none": {"type": "floats", "value": []}, "word": {"type": "string", "value": "inf"}, "raw": {"type": "hex", "value": "ff00"},
                  "t": {"dtype": "int64", "shape": [2], "data": [1, -2]}, "ts": [{"dtype": "bool", "shape": [], "data": [1]}],
                  "str": {"dtype": "string", "shape": [2], "data": ["p", "q"]}}})"));
        QTest::newRow("unknown keys") << QString::fromStdString(file(
            R"("author": {"name": "me"}, "inputs": [{"name": "x", "color": "red", "space": "sram", "visible": false}],
               "nodes": [{"name": "n", "op": "If", "inputs": ["x"], "outputs": ["y"], "note": [1],
                 "subgraphs": {"then_branch": {"nodes": [], "outputs": ["x"], "hint": 7}, "else_branch": {"nodes": [{"op": "Neg", "inputs": ["x"], "outputs": ["x2"]}], "outputs": ["x2"]}}}],
               "values": [{"name": "y", "dtype": "float32", "shape": [], "mark": true}], "outputs": ["y"], "loss": "y")"));
    }
    void writingAndReadingKeepsEverything()
    {
        QFETCH(QString, text);
        const auto first = read(text.toStdString());
        QVERIFY2(first.ok(), qPrintable(errorOf(first)));

        const auto once = graphJsonText(first.value());
        QVERIFY(once.ok());
        const auto second = read(once.value());
        QVERIFY2(second.ok(), qPrintable(errorOf(second)));
        const auto twice = graphJsonText(second.value());

        QCOMPARE(QString::fromStdString(twice.value()), QString::fromStdString(once.value()));
        QCOMPARE(graphDigest(second.value()), graphDigest(first.value()));
        for (const char* key : {"\"csr\"", "\"row_sparse\"", "\"maxStored\"", "author", "color", "note", "hint", "mark",
                                "\"axes\"", "\"order\"", "\"step\"", "inf", "ff00", "overload", "offset", "sram"})
            QCOMPARE(once.value().find(key) != std::string::npos, text.contains(key));
    }

    void largeWeightsGoBesideTheFile()
    {
        const TemporaryFolder folder;
        Graph graph = test::graphFromText("input x float32[2048]\nparam w float32[2048]\ny = Add(x, w)\noutput y");
        std::vector<std::byte> bytes(8192);
        for (std::size_t i = 0; i < bytes.size(); ++i)
            bytes[i] = static_cast<std::byte>(i * 7);
        graph[findValue(graph, "w")].data.edit().bytes = std::make_shared<const std::vector<std::byte>>(bytes);

        QVERIFY(writeGraphJson(graph, folder.path() / "g.json").ok());
        const auto back = readGraph(folder.path() / "g.json", {});

        QVERIFY2(back.ok(), qPrintable(errorOf(back)));
        const Value& w = back.value()[findValue(back.value(), "w")];
        const QString file = QString::fromStdString(w.data->file.filename().string());
        QVERIFY2(QRegularExpression(QStringLiteral("^g\\.[0-9a-f]{16}\\.weights\\.bin$")).match(file).hasMatch(),
                 qPrintable(file));
        QCOMPARE(loadBytes(w).value(), bytes);
    }

    void dataFilesStayInsideTheFolder()
    {
        const TemporaryFolder folder;
        folder.write("w.bin", "1234");
        const auto path =
            folder.write("in/g.json", withConstant(R"("dtype": "float32", "shape": [1], "dataFile": "../w.bin")"));

        const auto graph = readGraph(path, {});

        QVERIFY2(errorOf(graph).contains("constants[0].dataFile: The data file '../w.bin' lies outside"),
                 qPrintable(errorOf(graph)));
    }

    void damagedFilesNeverCrash()
    {
        const unsigned seed = 7;
        std::mt19937 random(seed);
        const std::string whole = Seed;
        int errors = 0;
        for (int i = 0; i < 2000; ++i) {
            std::string text = whole;
            text[random() % text.size()] ^= static_cast<char>(1 << random() % 7);
            errors += read(text).ok() ? 0 : 1;
        }
        for (std::size_t k = 0; k < whole.size(); ++k)
            QVERIFY(!read(whole.substr(0, k)).ok());
        QVERIFY2(errors > 200,
                 qPrintable(QString("seed %1: only %2 of 2000 flips were noticed").arg(seed).arg(errors)));
    }
};

QTEST_APPLESS_MAIN(GraphJsonTest)
#include "tst_graph_json.moc"
