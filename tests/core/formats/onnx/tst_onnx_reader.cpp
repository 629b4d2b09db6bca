#include "core/facts/english/english.h"
#include "core/formats/onnx/onnx_reader.h"

#include "core/formats/files/tensor_data.h"
#include "core/formats/read_graph.h"
#include "tests/support/onnx_bytes.h"
#include "tests/support/temporary_folder.h"

#include <QtTest>

#include <algorithm>
#include <cstring>

using namespace plimsoll;
using test::ProtoMessage;
using test::TemporaryFolder;
namespace make = test::onnx;

namespace {

Result<Graph> read(const ProtoMessage& model)
{
    return readOnnx(model.span(), {});
}

QString errorOf(const Result<Graph>& graph)
{
    return graph.ok() ? QStringLiteral("(no error)") : QString::fromStdString(describe(graph.error()));
}

/// x → Relu → y, with one initialiser beside it.
ProtoMessage modelWith(const ProtoMessage& tensor)
{
    ProtoMessage graph = make::graphOf({make::node("Relu", {"x"}, {"y"})});
    return make::model(graph.message(5, tensor));
}

ProtoMessage external(std::string_view location, std::string_view offset, std::string_view length)
{
    ProtoMessage tensor = make::tensor("w", make::Float, {2});
    for (const auto& [key, value] :
         {std::pair("location", location), std::pair("offset", offset), std::pair("length", length)}) {
        if (!value.empty()) tensor.message(13, ProtoMessage().text(1, key).text(2, value));
    }
    return tensor.integer(14, 1);
}

std::string floats(std::initializer_list<float> numbers)
{
    std::string bytes;
    for (const float number : numbers)
        bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
    return bytes;
}

QByteArray hexOf(const TensorData& data)
{
    return QByteArray(reinterpret_cast<const char*>(data.bytes->data()), static_cast<int>(data.bytes->size())).toHex();
}

ProtoMessage nested(int depth)
{
    ProtoMessage graph = make::graphOf({make::node("Relu", {"x"}, {"y"})});
    for (int i = 0; i < depth; ++i) {
        ProtoMessage owner = make::node("Wrap", {"x"}, {"y"});
        ProtoMessage outer;
        outer.message(1, owner.message(5, make::graphAttribute("body", graph)))
            .message(12, make::valueInfo("y", make::Float, {2}));
        graph = outer;
    }
    return graph;
}

} // namespace

class OnnxReaderTest : public QObject
{
    Q_OBJECT

private slots:
    void typedFieldsBecomeLittleEndianBytes_data()
    {
        QTest::addColumn<QByteArray>("tensor");
        QTest::addColumn<QByteArray>("hex");
        const auto row = [](const char* name, const ProtoMessage& tensor, const char* hex) {
            QTest::newRow(name) << QByteArray::fromStdString(tensor.bytes()) << QByteArray(hex);
        };
        row("raw", make::tensor("w", 1, {1}).text(9, floats({1.0F})), "0000803f");
        row("float_data packed", make::tensor("w", 1, {2}).text(4, floats({1.0F, -2.0F})), "0000803f000000c0");
        row("float_data one by one", make::tensor("w", 1, {2}).real(4, 1.0F).real(4, -2.0F), "0000803f000000c0");
        row("int64_data negative", make::tensor("w", 7, {1}).integer(7, -1), "ffffffffffffffff");
        row("int32_data as int8", make::tensor("w", 3, {2}).integer(5, -1).integer(5, 5), "ff05");
        row("int32_data as float16", make::tensor("w", 10, {1}).integer(5, 0x3C00), "003c");
        row("int32_data as bool", make::tensor("w", 9, {3}).text(5, std::string_view("\1\0\1", 3)), "010001");
        row("int32_data as int4, two to an entry", make::tensor("w", 22, {3}).integer(5, 0x21).integer(5, 0x03),
            "2103");
        row("uint64_data as uint32", make::tensor("w", 12, {1}).integer(11, 0xFFFFFFFF), "ffffffff");
        row("empty raw beside int64_data", make::tensor("w", 7, {1}).text(7, "\2").text(9, ""), "0200000000000000");
        row("no elements", make::tensor("w", 1, {0}), "");
    }
    void typedFieldsBecomeLittleEndianBytes()
    {
        QFETCH(QByteArray, tensor);
        QFETCH(QByteArray, hex);
        ProtoMessage graph = make::graphOf({make::node("Relu", {"x"}, {"y"})});

        const auto model = read(make::model(graph.text(5, tensor.toStdString())));

        QVERIFY2(model.ok(), qPrintable(errorOf(model)));
        const Value& w = model.value()[findValue(model.value(), "w")];
        QCOMPARE(w.role, ValueRole::Parameter);
        QVERIFY(w.data->bytes);
        QCOMPARE(hexOf(*w.data), hex);
    }

    void brokenTensorsAreRefused_data()
    {
        QTest::addColumn<QByteArray>("tensor");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char* name, const ProtoMessage& tensor, const char* reason) {
            QTest::newRow(name) << QByteArray::fromStdString(tensor.bytes()) << QString(reason);
        };
        row("too few bytes", make::tensor("w", 1, {2}).text(9, "abcd"), "takes 8 bytes, but the tensor carries 4");
        row("negative dimension", make::tensor("w", 1, {-2}).text(9, "abcd"), "negative");
        row("overflow", make::tensor("w", 1, {std::int64_t {1} << 40, std::int64_t {1} << 40}), "too large");
        row("overflow of the bytes", make::tensor("w", 1, {std::int64_t {1} << 62}), "63 bits");
        row("wrong field", make::tensor("w", 1, {1}).integer(7, 1), "field for another type");
        row("too few strings", make::tensor("w", 8, {2}).text(6, "a"), "1 strings instead of 2");
        row("external without a file", make::tensor("w", 1, {1}).integer(14, 1), "no file is named");
    }
    void brokenTensorsAreRefused()
    {
        QFETCH(QByteArray, tensor);
        QFETCH(QString, reason);
        ProtoMessage graph = make::graphOf({make::node("Relu", {"x"}, {"y"})});

        const auto model = read(make::model(graph.text(5, tensor.toStdString())));

        QVERIFY2(errorOf(model).contains(reason), qPrintable(errorOf(model)));
        QVERIFY2(errorOf(model).contains("graph.initializer[0]"), qPrintable(errorOf(model)));
        QVERIFY2(errorOf(model).contains("'w'"), qPrintable(errorOf(model)));
    }

    void externalDataIsFoundBesideTheFile()
    {
        const TemporaryFolder folder;
        folder.write("weights/w.bin", "skip" + floats({3.0F, 4.0F}));
        const auto path = folder.write("m.onnx", modelWith(external("weights/w.bin", "4", "8")).bytes());

        const auto graph = readGraph(path, {});

        QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
        const auto bytes = loadBytes(graph.value()[findValue(graph.value(), "w")]);
        QVERIFY(bytes.ok());
        QVERIFY(std::memcmp(bytes.value().data(), floats({3.0F, 4.0F}).data(), 8) == 0);
    }

    void externalDataStaysInsideTheFolder_data()
    {
        QTest::addColumn<QString>("location");
        QTest::addColumn<QString>("offset");
        QTest::addColumn<QString>("reason");
        QTest::newRow("link to nowhere") << "dangling.bin"
                                         << ""
                                         << "does not exist";
        QTest::newRow("parent") << "../secret.bin"
                                << ""
                                << "outside the folder";
        QTest::newRow("parent in the middle") << "a/../../secret.bin"
                                              << ""
                                              << "outside the folder";
        QTest::newRow("absolute") << "/etc/passwd"
                                  << ""
                                  << "absolute path";
        QTest::newRow("link that leads out") << "link.bin"
                                             << ""
                                             << "leads outside";
        QTest::newRow("linked folder that leads out") << "out/secret.bin"
                                                      << ""
                                                      << "leads outside";
        QTest::newRow("too short") << "short.bin"
                                   << ""
                                   << "only";
        QTest::newRow("offset beyond the end") << "short.bin"
                                               << "99"
                                               << "which has 4";
        QTest::newRow("offset not a number") << "short.bin"
                                             << "1e3"
                                             << "not a number";
        QTest::newRow("offset above 63 bits") << "short.bin"
                                              << "99999999999999999999"
                                              << "not a number";
        QTest::newRow("a folder") << "model"
                                  << ""
                                  << "does not exist";
    }
    void externalDataStaysInsideTheFolder()
    {
        QFETCH(QString, location);
        QFETCH(QString, offset);
        QFETCH(QString, reason);
        const TemporaryFolder folder;
        folder.write("secret.bin", "12345678");
        const auto path =
            folder.write("model/m.onnx", modelWith(external(location.toStdString(), offset.toStdString(), "")).bytes());
        folder.write("model/short.bin", "1234");
        std::filesystem::create_symlink(folder.path() / "secret.bin", folder.path() / "model/link.bin");
        std::filesystem::create_directory_symlink(folder.path(), folder.path() / "model/out");
        std::filesystem::create_symlink(folder.path() / "model/gone.bin", folder.path() / "model/dangling.bin");
        std::filesystem::create_directory(folder.path() / "model/model");

        const auto graph = readGraph(path, {});

        QVERIFY2(errorOf(graph).contains(reason), qPrintable(errorOf(graph)));
        QVERIFY2(errorOf(graph).contains("'w'"), qPrintable(errorOf(graph)));
    }

    void aMissingDataFileIsNotedAndMissedByWhoReadsIt()
    {
        const TemporaryFolder folder;
        const auto path = folder.write("m.onnx", modelWith(external("weights.bin", "", "")).bytes());

        const auto graph = readGraph(path, {});

        QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
        QCOMPARE(graph.value().notes.size(), std::size_t {1});
        const QString note = QString::fromStdString(english(graph.value().notes).front());
        QVERIFY2(note.contains("'weights.bin' is missing: 1 tensor (8 B)"), qPrintable(note));
        const auto bytes = loadBytes(graph.value()[findValue(graph.value(), "w")]);
        QVERIFY(!bytes.ok());
        QVERIFY2(
            QString::fromStdString(english(bytes.error().message)).contains("'weights.bin' is missing. Put it beside"),
            english(bytes.error().message).c_str());
    }

    void aDataFileThatIsThereIsNotNoted()
    {
        const TemporaryFolder folder;
        folder.write("weights.bin", "12345678");

        const auto graph = readGraph(folder.write("m.onnx", modelWith(external("weights.bin", "", "")).bytes()), {});

        QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
        QVERIFY(graph.value().notes.empty());
    }

    void externalDataIsRefusedThroughAPipe()
    {
        QVERIFY(errorOf(read(modelWith(external("w.bin", "", "")))).contains("give the model as a file"));
    }

    void nodesInAnyOrderAreSorted()
    {
        const auto graph =
            read(make::model(make::graphOf({make::node("B", {"a"}, {"y"}), make::node("A", {"x"}, {"a"})})));

        QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
        QCOMPARE(graph.value()[graph.value().top().nodes[0]].op, std::string("A"));
    }

    void whereANodeWasWrittenIsReadFromItsNotes()
    {
        const auto note = [](const char* key, const char* text) {
            return ProtoMessage().text(1, std::string("pkg.torch.onnx.") + key).text(2, text);
        };
        ProtoMessage node = make::node("MatMul", {"x"}, {"y"});
        node.message(9,
                     note("stack_trace", "File \"m.py\", line 27, in forward\n  File \"m.py\", line 18, in forward\n"));
        node.message(9, note("class_hierarchy", "['m.Net', 'm.Block', 'torch.nn.modules.linear.Linear', 'aten.mm']"));
        node.message(9, note("name_scopes", "['', 'b.0', 'b.0.f', 'mm']"));
        const auto graph = read(make::model(make::graphOf({node})));

        QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
        QCOMPARE(graph.value().nodes.front().from->source, std::string("m.py:18 in Block.forward"));
        QCOMPARE(graph.value().nodes.front().from->module, std::string("b.0.f"));
    }

    void brokenGraphsSayWhere_data()
    {
        QTest::addColumn<QByteArray>("model");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char* name, const ProtoMessage& model, const char* reason) {
            QTest::newRow(name) << QByteArray::fromStdString(model.bytes()) << QString(reason);
        };
        const auto graph = [](std::initializer_list<ProtoMessage> nodes) { return make::model(make::graphOf(nodes)); };
        row("cycle",
            graph({make::node("A", {"b"}, {"a"}), make::node("B", {"a"}, {"b"}), make::node("C", {"a"}, {"y"})}),
            "cycle");
        row("unknown input", graph({make::node("A", {"x", "gone"}, {"y"})}),
            "graph.node[0].inputs[1]: 'gone' is neither");
        row("unknown output", graph({make::node("A", {"x"}, {"z"})}),
            "graph.outputs[0]: The output 'y' is not computed");
        row("defined twice and read", graph({make::node("A", {"x"}, {"y"}), make::node("B", {"x"}, {"y"})}),
            "two nodes compute");
        row("input computed", graph({make::node("A", {"x"}, {"x"}), make::node("B", {"x"}, {"y"})}), "defined twice");
        row("no operator", graph({make::node("", {"x"}, {"y"})}), "graph.node[0], byte");
        row("no graph", ProtoMessage().integer(1, 8), "no graph");
        row("empty graph", make::model(ProtoMessage()), "neither nodes nor outputs");
        row("negative dimension", make::model(ProtoMessage().message(11, make::valueInfo("x", 1, {-4}))),
            "graph.input[0] 'x'.type.dim[0], byte");
        row("nested 65 deep", make::model(nested(65)), "64 deep");
        row("not UTF-8", graph({make::node("\xC0\x80", {"x"}, {"y"})}), "UTF-8");
        row("two graphs", make::model(make::graphOf({make::node("A", {"x"}, {"y"})})).message(7, ProtoMessage()),
            "two graphs");
        row("sparse without values", make::model(ProtoMessage().message(15, ProtoMessage())),
            "graph.sparse_initializer[0]");
    }
    void brokenGraphsSayWhere()
    {
        QFETCH(QByteArray, model);
        QFETCH(QString, reason);

        const auto graph =
            readOnnx(std::as_bytes(std::span(model.constData(), static_cast<std::size_t>(model.size()))), {});

        QVERIFY2(errorOf(graph).contains(reason), qPrintable(errorOf(graph)));
    }

    void graphsNestedSixtyFourDeepAreRead()
    {
        const auto graph = read(make::model(nested(64).message(11, make::valueInfo("x", make::Float, {2}))));

        QVERIFY2(!errorOf(graph).contains("deep"), qPrintable(errorOf(graph)));
    }

    void nodesOutOfOrderAreSortedAndNoted_data()
    {
        QTest::addColumn<bool>("sorted");
        QTest::newRow("in order") << true;
        QTest::newRow("the other way round") << false;
    }

    void nodesOutOfOrderAreSortedAndNoted()
    {
        QFETCH(bool, sorted);
        const ProtoMessage first = make::node("A", {"x"}, {"a"});
        const ProtoMessage second = make::node("B", {"a"}, {"y"});
        const auto graph = read(make::model(sorted ? make::graphOf({first, second}) : make::graphOf({second, first})));

        QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
        const Graph& g = graph.value();
        QCOMPARE(g[g.top().nodes.front()].op, std::string("A"));
        QCOMPARE(g.notes.size(), std::size_t(sorted ? 0 : 1));
        if (!sorted)
            QCOMPARE(english(g.notes).front(),
                     std::string("The file lists nodes before those that they read from: graph.node[0] reads 'a', "
                                 "which comes later. They were put into an order of execution."));
    }

    void aSecondDefinitionThatNobodyReadsGetsItsOwnName()
    {
        const auto graph = read(make::model(make::graphOf(
            {make::node("A", {"x"}, {"a"}), make::node("B", {"a"}, {"y"}), make::node("C", {"x"}, {"a"})})));

        QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
        const Node& b = graph.value().nodes[1];
        QCOMPARE(graph.value()[graph.value()[b.inputs[0]].producer].op, std::string("A"));
        QVERIFY(findValue(graph.value(), "a#2").valid());
    }

    void ofTwoConstantsWithOneNameTheLastIsMeant()
    {
        const auto constant = [](int number) {
            ProtoMessage node = make::node("Constant", {}, {"c"});
            node.message(5, ProtoMessage().text(1, "value_int").integer(3, number).integer(20, 2));
            return node;
        };

        const auto graph = read(make::model(make::graphOf({constant(12), make::node("A", {"c"}, {"y"}), constant(2)})));

        QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
        const Node& reader = graph.value()[findNode(graph.value(), "A_1")];
        const Node& meant = graph.value()[graph.value()[reader.inputs[0]].producer];
        QCOMPARE(attributeOr<std::int64_t>(meant, "value_int", 0), 2);
        QVERIFY(findValue(graph.value(), "c#2").valid());
        QCOMPARE(english(graph.value().notes),
                 std::vector<std::string> {
                     "Several constants of the file are called 'c': the last one is taken for what is meant."});
    }

    void constantsOfOneNameAreNotedInOneLine()
    {
        const auto constant = [](const char* name) {
            ProtoMessage node = make::node("Constant", {}, {name});
            node.message(5, ProtoMessage().text(1, "value_int").integer(3, 1).integer(20, 2));
            return node;
        };
        const auto graph = read(make::model(make::graphOf(
            {constant("a"), constant("b"), constant("c"), constant("d"), constant("e"), make::node("A", {"e"}, {"y"}),
             constant("a"), constant("b"), constant("c"), constant("d"), constant("e")})));
        QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
        QCOMPARE(english(graph.value().notes),
                 std::vector<std::string> {"Several constants of the file are called 'a', 'b', 'c' and 2 more names: "
                                           "the last one of each is taken for what is meant."});
    }

    void functionsOfTheModelAreInlined()
    {
        // f(p) = Add(Mul(p, p) with alpha of the caller, p); called twice
        ProtoMessage scaled = make::node("Scale", {"sq"}, {"r"});
        scaled.message(5, ProtoMessage().text(1, "alpha").text(21, "strength").integer(20, 1));
        ProtoMessage function =
            ProtoMessage().text(1, "f").text(10, "my").text(4, "p").text(5, "r").text(6, "strength");
        function.message(7, make::node("Mul", {"p", "p"}, {"sq"})).message(7, scaled);
        ProtoMessage call = make::node("f", {"x"}, {"m"}).text(7, "my");
        call.message(5, ProtoMessage().text(1, "strength").real(2, 0.5F).integer(20, 1));
        const ProtoMessage again = make::node("f", {"m"}, {"y"}).text(7, "my");

        const auto graph = read(make::model(make::graphOf({call, again})).message(25, function));

        QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
        const Graph& g = graph.value();
        QCOMPARE(g.nodes.size(), std::size_t(4));
        QCOMPARE(attributeOr(g.nodes[1], "alpha", 0.0), 0.5);
        QVERIFY(!findAttribute<double>(g.nodes[3], "alpha")); // this call gives none
        QCOMPARE(g[g.nodes[2].inputs[0]].name, std::string("m"));
        QVERIFY(findValue(g, "f/sq").valid() && findValue(g, "f#2/sq").valid());
    }

    void functionsThatCallThemselvesAreRefused()
    {
        ProtoMessage function = ProtoMessage().text(1, "f").text(10, "my").text(4, "p").text(5, "r");
        function.message(7, make::node("f", {"p"}, {"r"}).text(7, "my"));
        const ProtoMessage call = make::node("f", {"x"}, {"y"}).text(7, "my");

        QVERIFY(errorOf(read(make::model(make::graphOf({call})).message(25, function))).contains("calls itself"));
    }

    void stoppingIsAnError()
    {
        std::stop_source source;
        source.request_stop();

        const auto graph =
            readOnnx(make::model(make::graphOf({make::node("Relu", {"x"}, {"y"})})).span(), {source.get_token(), {}});

        QVERIFY(!graph.ok());
        QCOMPARE(graph.error().code, ErrorCode::Stopped);
    }
};

QTEST_APPLESS_MAIN(OnnxReaderTest)
#include "tst_onnx_reader.moc"
