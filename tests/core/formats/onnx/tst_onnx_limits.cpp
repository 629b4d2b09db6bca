#include "core/facts/english/english.h"
#include "core/formats/onnx/onnx_reader.h"

#include "tests/support/onnx_bytes.h"

#include <QTest>

#include <algorithm>

using namespace plimsoll;
using test::ProtoMessage;
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

} // namespace

/// Small files of which a graph without end would be made.
class tst_OnnxLimits : public QObject
{
    Q_OBJECT

private slots:
    void functionsThatMultiplyWithoutEndAreRefused()
    {
        // f0 calls f1 twice, f1 calls f2 twice, …: 2^40 nodes from a few hundred bytes
        ProtoMessage model = make::model(make::graphOf({make::node("f0", {"x"}, {"y"}).text(7, "my")}));
        for (int i = 0; i < 40; ++i) {
            const std::string next = i == 39 ? "Relu" : "f" + std::to_string(i + 1);
            ProtoMessage function =
                ProtoMessage().text(1, "f" + std::to_string(i)).text(10, "my").text(4, "p").text(5, "r");
            function.message(7, make::node(next, {"p"}, {"q"}).text(7, "my"))
                .message(7, make::node(next, {"q"}, {"r"}).text(7, "my"));
            model.message(25, function);
        }

        QVERIFY(errorOf(read(model)).contains("more than ten times the bytes of its file"));
    }

    void textsInsideOfAFunctionAreCountedWhereverItIsCalled_data()
    {
        const std::string text(100'000, 'n');
        QTest::addColumn<ProtoMessage>("node");
        QTest::newRow("a name") << make::node("Relu", {"p"}, {"r"}).text(3, text);
        QTest::newRow("an input") << make::node("Relu", {text}, {"r"});
        QTest::newRow("an attribute")
            << make::node("Relu", {"p"}, {"r"}).message(5, ProtoMessage().text(1, "a").text(4, text).integer(20, 3));
    }

    void textsInsideOfAFunctionAreCountedWhereverItIsCalled()
    {
        QFETCH(ProtoMessage, node);
        ProtoMessage graph;
        for (int i = 0; i < 1'000; ++i)
            graph.message(1, make::node("f", {"x"}, {"y" + std::to_string(i)}).text(7, "my"));
        ProtoMessage function = ProtoMessage().text(1, "f").text(10, "my").text(4, "p").text(5, "r");
        function.message(7, node);

        const auto error = errorOf(read(make::model(graph).message(25, function)));

        QVERIFY2(error.contains("more than ten times the bytes of its file"), qPrintable(error));
        QVERIFY2(error.contains("node 'f'"), qPrintable(error));
    }

    void graphsHandedFromFunctionToFunctionDoNotMultiplyWithoutEnd()
    {
        // f<i>(body) calls f<i+1> with a graph that holds its own body twice: 2^40 nodes
        const ProtoMessage leaf = ProtoMessage()
                                      .message(1, make::node("Neg", {"x"}, {"b"}))
                                      .message(12, make::valueInfo("b", make::Float, {2}));
        ProtoMessage model = make::model(make::graphOf(
            {make::node("f0", {"x"}, {"y"}).text(7, "my").message(5, make::graphAttribute("body", leaf))}));
        for (int i = 0; i < 40; ++i) {
            const ProtoMessage reference = ProtoMessage().text(1, "body").text(21, "body").integer(20, 5);
            ProtoMessage twice;
            for (const char* out : {"p0", "p1"})
                twice.message(1, make::node("Wrap", {"p"}, {out}).message(5, reference));
            twice.message(12, make::valueInfo("p1", make::Float, {2}));
            ProtoMessage function = ProtoMessage()
                                        .text(1, "f" + std::to_string(i))
                                        .text(10, "my")
                                        .text(4, "p")
                                        .text(5, "r")
                                        .text(6, "body");
            const std::string next = i == 39 ? "Wrap" : "f" + std::to_string(i + 1);
            model.message(
                25,
                function.message(
                    7, make::node(next, {"p"}, {"r"}).text(7, "my").message(5, make::graphAttribute("body", twice))));
        }

        const auto graph = read(model);

        QVERIFY2(errorOf(graph).contains("more than ten times the bytes of its file"), qPrintable(errorOf(graph)));
    }
};

QTEST_APPLESS_MAIN(tst_OnnxLimits)
#include "tst_onnx_limits.moc"
