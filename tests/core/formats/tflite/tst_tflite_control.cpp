#include "core/facts/english/english.h"
#include "core/lower/types/infer_types.h"
#include "tests/core/formats/tflite/tflite_text.h"

#include <QFile>
#include <QtTest>

using namespace plimsoll;
using namespace plimsoll::test;

namespace {

/// As planning sees it: "float32[8,4]" of a value.
std::string inferredType(const Graph& graph, std::string_view name, const InferenceRequest& request = {})
{
    const auto inferred = inferTypes(graph, request, {});
    if (!inferred.ok()) return describe(inferred.error());
    return describe(inferred.value().graph[findValue(graph, name)].type);
}

constexpr std::string_view OpenBatch = "tensor x float32[1,4] open=-1,4\n"
                                       "tensor h float32[1,8] open=-1,8\n"
                                       "tensor t float32[4,2] open=-1,2\n"
                                       "tensor y float32[1,3] open=-1,-1\n"
                                       "input x\ncustom A x -> h\ncustom B h -> t\ncustom C t -> y\noutput y\n";

} // namespace

/// What runs subgraphs, and dimensions that are open.
class TfliteControl : public QObject
{
    Q_OBJECT

private slots:
    void ifTakesItsInputsWhereTheyAre()
    {
        const auto graph = readText("tensor c bool[]\ntensor x float32[2]\ntensor y float32[2]\ninput c x\n"
                                    "op IF c x -> y runs=1,2\noutput y\n"
                                    "subgraph then\ntensor p float32[2]\ntensor q float32[2]\ninput p\n"
                                    "op ABS p -> q\noutput q\n"
                                    "subgraph else\ntensor p float32[2]\ninput p\noutput p\n");
        QVERIFY2(graph.ok(), errorOf(graph).c_str());
        QCOMPARE(QString::fromStdString(nodesText(graph.value())),
                 QStringLiteral("IF_0: y = If(c)\n"
                                "then_branch()\n"
                                "  ABS_0: IF_0/then_branch/q = tflite::ABS(x)\n"
                                "  -> IF_0/then_branch/q\n"
                                "else_branch()\n"
                                "  -> x\n"));
        QCOMPARE(inferredType(graph.value(), "y"), std::string("float32[2]"));
    }

    /// The condition is asked before the first trip and behind each; its constant is there once.
    void whileHasItsConditionBeforeAndWithin()
    {
        const auto graph = readText("tensor i int32[]\ntensor x float32[2]\ntensor j int32[]\ntensor y float32[2]\n"
                                    "input i x\nop WHILE i x -> j y runs=1,2\noutput y\n"
                                    "subgraph cond\ntensor i int32[]\ntensor x float32[2]\ntensor ten int32[] data=4\n"
                                    "tensor less bool[]\ninput i x\nop LESS i ten -> less\noutput less\n"
                                    "subgraph body\ntensor i int32[]\ntensor x float32[2]\ntensor one int32[] data=4\n"
                                    "tensor n int32[]\ntensor r float32[2]\ninput i x\n"
                                    "op ADD i one -> n\nop RELU x -> r\noutput n r\n");
        QVERIFY2(graph.ok(), errorOf(graph).c_str());
        QCOMPARE(QString::fromStdString(nodesText(graph.value())),
                 QStringLiteral("LESS_0: less = tflite::LESS(i ten)\n"
                                "WHILE_0: j y = tflite::WHILE(less i x)\n"
                                "body(WHILE_0/body/i#2 WHILE_0/body/x#2)\n"
                                "  ADD_0: WHILE_0/body/n = tflite::ADD(WHILE_0/body/i#2 one)\n"
                                "  RELU_1: WHILE_0/body/r = tflite::RELU(WHILE_0/body/x#2)\n"
                                "  LESS_0#2: WHILE_0/body/less#2 = tflite::LESS(WHILE_0/body/n ten)\n"
                                "  -> WHILE_0/body/less#2 WHILE_0/body/n WHILE_0/body/r\n"));
        QCOMPARE(inferredType(graph.value(), "y"), std::string("float32[2]"));
    }

    void aConditionOfOneElementIsOne()
    {
        const auto graph = readText("tensor x float32[2]\ntensor y float32[2]\ninput x\n"
                                    "op STABLEHLO_WHILE x -> y runs=1,2\noutput y\n"
                                    "subgraph cond\ntensor x float32[2]\ntensor b bool[1]\ninput x\n"
                                    "custom Any x -> b\noutput b\n"
                                    "subgraph body\ntensor x float32[2]\ninput x\noutput x\n");
        QVERIFY2(graph.ok(), errorOf(graph).c_str());
        QVERIFY2(nodesText(graph.value()).find("y = tflite::STABLEHLO_WHILE(b x)\n") != std::string::npos,
                 nodesText(graph.value()).c_str());
        QCOMPARE(inferredType(graph.value(), "y"), std::string("float32[2]"));
    }

    void aCompositeHasItsDecomposition()
    {
        const auto graph = readText("tensor x float32[2]\ntensor y float32[2]\ninput x\n"
                                    "op STABLEHLO_COMPOSITE x -> y composite=odml.norm runs=1\noutput y\n"
                                    "subgraph impl\ntensor p float32[2]\ntensor q float32[2]\ninput p\n"
                                    "op ABS p -> q\noutput q\n");
        QVERIFY2(graph.ok(), errorOf(graph).c_str());
        QCOMPARE(QString::fromStdString(nodesText(graph.value())),
                 QStringLiteral("STABLEHLO_COMPOSITE_0: y = tflite::STABLEHLO_COMPOSITE(x)\n"
                                "decomposition(STABLEHLO_COMPOSITE_0/decomposition/p)\n"
                                "  ABS_0: STABLEHLO_COMPOSITE_0/decomposition/q = "
                                "tflite::ABS(STABLEHLO_COMPOSITE_0/decomposition/p)\n"
                                "  -> STABLEHLO_COMPOSITE_0/decomposition/q\n"));
        QCOMPARE(attributeOr<std::string>(graph.value().nodes.front(), "name", {}), std::string("odml.norm"));
        QVERIFY2(allNotes(graph.value()).starts_with("1 composite operator is planned by what the file gives"),
                 allNotes(graph.value()).c_str());
    }

    /// Offsets are those of the entry: what a nested graph reads without a maker is none of its tensors.
    void roomToWorkInIsOfTheEntryAlone()
    {
        const auto graph =
            readText("tensor x float32[2]\ntensor y float32[2]\ninput x\n"
                     "op STABLEHLO_COMPOSITE x -> y composite=odml.norm runs=1\noutput y\nplan 0 0 0 64\n"
                     "subgraph impl\ntensor p float32[2]\ntensor s float32[2]\ntensor q float32[2]\ninput p\n"
                     "custom Conv p s -> q\noutput q\n");
        QVERIFY2(graph.ok(), errorOf(graph).c_str());
        const std::string inside = "STABLEHLO_COMPOSITE_0/decomposition/";
        QVERIFY2(nodesText(graph.value()).find(inside + "q = tflite::Conv(" + inside + "p s)\n") != std::string::npos,
                 nodesText(graph.value()).c_str());
    }

    void whatRunsOnceHasItsSubgraph()
    {
        const auto graph = readText("tensor x float32[2]\ntensor y float32[2]\ninput x\nop CALL_ONCE runs=1\n"
                                    "op ABS x -> y\noutput y\n"
                                    "subgraph init\ntensor v resource[]\ntensor w float32[2] data=8\n"
                                    "op VAR_HANDLE -> v\nop ASSIGN_VARIABLE v w\n");
        QVERIFY2(graph.ok(), errorOf(graph).c_str());
        QVERIFY2(nodesText(graph.value()).starts_with("CALL_ONCE_0:  = tflite::CALL_ONCE()\ninit()\n"),
                 nodesText(graph.value()).c_str());
    }

    void whatDoesNotFitIsSaid_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("error");
        const QByteArray two("\nsubgraph a\ntensor p float32[1]\ninput p\noutput p\nsubgraph b\n");
        QTest::newRow("IF with too many inputs")
            << "tensor c bool[]\ntensor x float32[1]\ninput c x\nop IF c x x -> x runs=1,2" + two
            << QByteArray("'IF': It hands 2 tensors to subgraph 1, which takes 1.");
        QTest::newRow("branch without an output")
            << "tensor c bool[]\ntensor x float32[1]\ninput c\nop IF c -> x runs=2,2" + two
            << QByteArray("Both branches of an IF must have as many outputs as the operator.");
        QTest::newRow("WHILE that loses a tensor") << "tensor x float32[1]\ninput x\nop WHILE x runs=1,1" + two
                                                   << QByteArray("A WHILE has as many outputs as inputs.");
        QTest::newRow("condition without an output")
            << "op WHILE runs=2,2" + two << QByteArray("A condition has one output.");
    }
    void whatDoesNotFitIsSaid()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, error);
        const auto graph = readText(text.toStdString());
        QVERIFY2(errorOf(graph).find(error.toStdString()) != std::string::npos, errorOf(graph).c_str());
    }

    /// Each runs the next twice: 2 to the power of 25 operators, if they were all put down.
    void subgraphsThatMultiplyAreRefused()
    {
        std::string text;
        for (int number = 0; number < 25; ++number) {
            const std::string next = std::to_string(number + 1);
            text += (number > 0 ? "subgraph s\n" : "") + ("op CALL_ONCE runs=" + next + "\n") +
                    "op CALL_ONCE runs=" + next + "\n";
        }
        const auto graph = readText(text + "subgraph last\n");
        QVERIFY2(errorOf(graph).find("more than ten times the bytes of its file") != std::string::npos,
                 errorOf(graph).c_str());
    }

    /// A place for each tensor wherever its subgraph is run: 25 million, if they were all made.
    void tensorsThatMultiplyAreRefused()
    {
        std::string text;
        for (int run = 0; run < 1000; ++run)
            text += "op CALL_ONCE runs=1\n";
        text += "subgraph s\n";
        for (int tensor = 0; tensor < 25'000; ++tensor)
            text += "tensor t" + std::to_string(tensor) + " int8[1]\n";
        const auto graph = readText(text);
        QVERIFY2(errorOf(graph).find("more than ten times the bytes of its file") != std::string::npos,
                 errorOf(graph).c_str());
    }

    void anOpenBatchIsASymbol()
    {
        const auto graph = readText(OpenBatch);
        QVERIFY2(graph.ok(), errorOf(graph).c_str());
        QCOMPARE(describe(valueOf(graph.value(), "x").type), std::string("float32[batch,4]"));
        QCOMPARE(inferredType(graph.value(), "t"), std::string("float32[4,2]"));
        const InferenceRequest eight {.dims = {{"batch", 8}}};
        QCOMPARE(inferredType(graph.value(), "h", eight), std::string("float32[8,8]"));
        QCOMPARE(inferredType(graph.value(), "t", eight), std::string("float32[32,2]"));
        QCOMPARE(inferredType(graph.value(), "y", eight), std::string("float32[8,3]"));
        const std::string notes = allNotes(graph.value());
        QVERIFY2(notes.find("the first dimensions of 3 values") != std::string::npos, notes.c_str());
        QVERIFY2(notes.find("Dimensions of 1 value ('y' is the first) are known at run time only") != std::string::npos,
                 notes.c_str());
    }

    /// More than the first dimension is open: what follows from which cannot be told.
    void otherOpenDimensionsHaveTheSizesOfTheFile()
    {
        const auto graph = readText("tensor x float32[1,1] open=-1,-1\ntensor z float32[7,2] open=-1,2\n"
                                    "tensor y float32[1,6] open=-1,-1\ninput x z\ncustom A x z -> y\noutput y\n");
        QVERIFY2(graph.ok(), errorOf(graph).c_str());
        QCOMPARE(describe(valueOf(graph.value(), "x").type), std::string("float32[?,?]"));
        QCOMPARE(describe(valueOf(graph.value(), "z").type), std::string("float32[7,2]"));
        QCOMPARE(inferredType(graph.value(), "y", {.dims = {{"x.0", 3}}}), std::string("float32[1,6]"));
        QCOMPARE(inferredType(graph.value(), "x", {.shapes = {{"x", {3, 5}}}}), std::string("float32[3,5]"));
    }

    void theCorpusIsRead_data()
    {
        QTest::addColumn<QByteArray>("expected");
        QTest::newRow("nested_while.bin") << QByteArray("WHILE_0: tfl.while = tflite::WHILE(tfl.equal arg0)\n");
        QTest::newRow("simple_group_norm_op.tflite")
            << QByteArray("  ADD_10: STABLEHLO_COMPOSITE_0/decomposition/add;broadcast_in_dim2 = tflite::ADD(");
    }
    void theCorpusIsRead()
    {
        QFETCH(QByteArray, expected);
        const QString path = corpusFile(QTest::currentDataTag());
        if (!QFile::exists(path)) QSKIP("the corpus of TensorFlow Lite models is not here");
        const auto graph = readGraph(path.toStdString(), {});
        QVERIFY2(graph.ok(), errorOf(graph).c_str());
        QVERIFY2(nodesText(graph.value()).find(expected.toStdString()) != std::string::npos,
                 nodesText(graph.value()).c_str());
        const auto inferred = inferTypes(graph.value(), {}, {});
        QVERIFY2(inferred.ok(), inferred.ok() ? "" : describe(inferred.error()).c_str());
    }

    void aBatchOfTheCorpusIsBound()
    {
        const QString path = corpusFile("pretrainedResnet_quant.tflite");
        if (!QFile::exists(path)) QSKIP("the corpus of TensorFlow Lite models is not here");
        const auto graph = readGraph(path.toStdString(), {});
        QVERIFY2(graph.ok(), errorOf(graph).c_str());
        for (const auto& [batch, bytes] : {std::pair(1, 3072), std::pair(8, 8 * 3072)}) {
            const auto inferred = inferTypes(graph.value(), {.dims = {{"batch", batch}}}, {});
            QVERIFY2(inferred.ok(), inferred.ok() ? "" : describe(inferred.error()).c_str());
            const Graph& typed = inferred.value().graph;
            QCOMPARE(typed[typed.top().inputs.front()].type.bytes().value_or(0), std::int64_t {bytes});
        }
    }
};

QTEST_APPLESS_MAIN(TfliteControl)
#include "tst_tflite_control.moc"
