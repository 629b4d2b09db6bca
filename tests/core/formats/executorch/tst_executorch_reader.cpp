#include "core/facts/english/english.h"
#include "core/formats/files/tensor_data.h"
#include "core/formats/read_graph.h"
#include "core/lower/types/infer_types.h"
#include "core/ops/op_traits.h"
#include "tests/core/formats/damage.h"
#include "tests/core/formats/graph_lines.h"
#include "tests/support/executorch_bytes.h"
#include "tests/support/temporary_folder.h"

#include <QFile>
#include <QtTest>

using namespace plimsoll;
using namespace plimsoll::test;

namespace {

Result<Graph> readBytes(const std::string& bytes, std::string_view wanted = {})
{
    auto content = readFile(FormatInput(bytes, {}, std::string(wanted)), {});
    return content.ok() ? Result<Graph>(std::move(content.value().graph)) : content.error();
}

Result<Graph> readText(std::string_view text, std::string_view wanted = {})
{
    return readBytes(executorchBytes(text), wanted);
}

QByteArray corpusBytes(const char* name)
{
    QFile file(QStringLiteral(PLIMSOLL_SHARED_DIR "/corpora/executorch/") + QString::fromUtf8(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Bytes of all values that the plan places, memory by memory: "16000: 28 values, 98894 B".
std::string planText(const PlanFile& plan)
{
    std::string text;
    for (std::size_t arena = 0; arena < plan.arenas.size(); ++arena) {
        std::int64_t bytes = 0;
        int count = 0;
        for (const PlanFile::Entry& entry : plan.entries) {
            if (entry.arena.index() != arena) continue;
            bytes += entry.bytes;
            ++count;
        }
        text += std::to_string(plan.arenas[arena].bytes) + ": " + std::to_string(count) + " values, " +
                std::to_string(bytes) + " B\n";
    }
    return text;
}

constexpr std::string_view Small = "method forward\nmemory 64\n"
                                   "tensor x float32[1,4] @1+0\ntensor w float32[4] data=16\n"
                                   "tensor h float32[1,4] @1+16\ntensor y float32[1,4] @1+32\nint one\ninput x\n"
                                   "kernel aten::add.out x w one h h\nkernel aten::relu.out h y y\noutput y\n";

} // namespace

/// Text in, text out: programs from lines of text, and their graphs as such.
class ExecutorchReader : public QObject
{
    Q_OBJECT

private slots:
    void instructionsAreNodesUnderTheirKernels()
    {
        const auto graph = readText(Small);
        QVERIFY2(graph.ok(), errorOf(graph).c_str());
        QCOMPARE(nodesText(graph.value()), std::string("add.out_0: v2 = aten::add.out(v0 v1)\n"
                                                       "relu.out_1: v3 = aten::relu.out(v2)\n"));
        QCOMPARE(names(graph.value(), graph.value().top().inputs), std::string("v0"));
        QCOMPARE(names(graph.value(), graph.value().top().outputs), std::string("v3"));
        QCOMPARE(valueOf(graph.value(), "v1").role, ValueRole::Parameter);
        QVERIFY(valueOf(graph.value(), "v1").data->present());
        QCOMPARE(describe(valueOf(graph.value(), "v2").type), std::string("float32[1,4]"));
        QVERIFY2(graph.value().notes.empty(), allNotes(graph.value()).c_str());
    }

    /// In the flatbuffer, or in a segment behind it, small or large.
    void constantsHaveTheirBytes_data()
    {
        QTest::addColumn<bool>("segment");
        QTest::addColumn<int>("bytes");
        for (const bool segment : {false, true}) {
            QTest::addRow("%s, small", segment ? "segment" : "inline") << segment << 16;
            QTest::addRow("%s, large", segment ? "segment" : "inline") << segment << 8000;
        }
    }
    void constantsHaveTheirBytes()
    {
        QFETCH(bool, segment);
        QFETCH(int, bytes);
        const TemporaryFolder folder;
        const std::string text = std::string(segment ? "segment\n" : "") + "method forward\nmemory 64\n" +
                                 "tensor a uint8[3] data=3\ntensor w uint8[" + std::to_string(bytes) +
                                 "] data=" + std::to_string(bytes) + "\ntensor y uint8[1] @1+0\n" +
                                 "kernel my::op.out a w y y\noutput y\n";
        const auto path = folder.write("model.pte", executorchBytes(text));
        const auto graph = readGraph(path, {});
        QVERIFY2(graph.ok(), errorOf(graph).c_str());
        const auto loaded = loadBytes(valueOf(graph.value(), "v1"));
        QVERIFY2(loaded.ok(), loaded.ok() ? "" : describe(loaded.error()).c_str());
        QCOMPARE(loaded.value(), std::vector<std::byte>(static_cast<std::size_t>(bytes), std::byte {7}));
    }

    void whatHasNoPlaceIsTheCallers()
    {
        const auto graph = readText("method forward\nmemory 64\ntensor x float32[4]\ntensor p float32[4] @1+0\n"
                                    "tensor y float32[4]\ninput x p\nkernel my::op.out x p y y\noutput y\n");
        QVERIFY2(graph.ok(), errorOf(graph).c_str());
        QCOMPARE(nodesText(graph.value()), std::string("op.out_0: v2 = my::op.out(v0 v1)\n"));
        QVERIFY(valueOf(graph.value(), "v0").visible);
        QVERIFY(!valueOf(graph.value(), "v1").visible);
    }

    void listsOfTensorsAreWrittenOut()
    {
        const auto graph = readText("method forward\nmemory 64\ntensor x float32[1] @1+0\ntensor z float32[1] @1+4\n"
                                    "list all x - z\nint dim\ntensor y float32[2] @1+8\n"
                                    "tensor a float32[1] @1+16\ntensor b float32[1] @1+20\nlist parts a b\ninput x z\n"
                                    "kernel aten::cat.out all dim y y\nkernel aten::split_copy.Tensor_out y dim parts\n"
                                    "output parts\n");
        QVERIFY2(graph.ok(), errorOf(graph).c_str());
        QCOMPARE(nodesText(graph.value()),
                 std::string("cat.out_0: v4 = aten::cat.out(v0 v1)\n"
                             "split_copy.Tensor_out_1: v5 v6 = aten::split_copy.Tensor_out(v4)\n"));
        QCOMPARE(names(graph.value(), graph.value().top().outputs), std::string("v5 v6"));
    }

    /// One by one, in a list, as the list that they are in, or in a list of one.
    void resultsAreNamedAgain_data()
    {
        QTest::addColumn<QByteArray>("call");
        QTest::addColumn<QByteArray>("node");
        QTest::newRow("each") << QByteArray("topk.values x k v i v i") << QByteArray("v1 v2 = aten::topk.values(v0)");
        QTest::newRow("list") << QByteArray("max.dim_max x k v i both") << QByteArray("v1 v2 = aten::max.dim_max(v0)");
        QTest::newRow("an argument that is a list, too") << QByteArray("native_layer_norm.out x none k v i both")
                                                         << QByteArray("v1 v2 = aten::native_layer_norm.out(v0)");
        QTest::newRow("list, twice") << QByteArray("split_copy.Tensor_out x k both both")
                                     << QByteArray("v1 v2 = aten::split_copy.Tensor_out(v0)");
        QTest::newRow("list, and a copy of it") << QByteArray("split_copy.Tensor_out x k both copy")
                                                << QByteArray("v1 v2 = aten::split_copy.Tensor_out(v0)");
        QTest::newRow("list of one") << QByteArray("unbind_copy.int_out x k v one")
                                     << QByteArray("v1 = aten::unbind_copy.int_out(v0)");
        QTest::newRow("what is read is not")
            << QByteArray("cat.out pair k v v") << QByteArray("v1 = aten::cat.out(v0 v0)");
    }
    void resultsAreNamedAgain()
    {
        QFETCH(QByteArray, call);
        QFETCH(QByteArray, node);
        const std::string text = "method forward\nmemory 64\ntensor x float32[2] @1+0\ntensor v float32[2] @1+8\n"
                                 "tensor i int64[2] @1+16\nint k\nlist both v i\nlist copy v i\nlist one v\n"
                                 "list pair x x\nlist none\ninput x\nkernel aten::" +
                                 call.toStdString() + "\noutput v\n";
        const auto graph = readText(text);
        QVERIFY2(graph.ok(), errorOf(graph).c_str());
        QCOMPARE(QByteArray::fromStdString(nodesText(graph.value())),
                 call.left(call.indexOf(' ')) + "_0: " + node + "\n");
        const std::string bytes = executorchBytes(text);
        const auto plan = *readFile(FormatInput(bytes), {}).value().plan;
        QVERIFY2(plan.ok(), plan.ok() ? "" : describe(plan.error()).c_str());
        QCOMPARE(static_cast<qsizetype>(plan.value().entries.size()), 2 + node.count("v2"));
    }

    /// A new version of what it writes over.
    void aNameWithABarWritesOverItsFirstArgument()
    {
        const auto graph = readText("method forward\nmemory 64\ntensor s float32[2] @1+0 weight=cache\n"
                                    "tensor x float32[2] @1+8\nint n\ninput x\n"
                                    "kernel aten::add_.Tensor s x n s\nkernel aten::copy_ s x n s\noutput s\n");
        QVERIFY2(graph.ok(), errorOf(graph).c_str());
        QCOMPARE(QString::fromStdString(nodesText(graph.value())),
                 QString("add_.Tensor_0: cache#2 = aten::add_.Tensor(cache v1)\n"
                         "copy__1: cache#3 = aten::copy_(cache#2 v1)\n"));
        QCOMPARE(aliasTraits(graph.value(), NodeId(std::size_t {1})),
                 (std::vector<AliasTrait> {{0, 0, AliasKind::Mutates}}));
    }

    /// A weight that a kernel is handed to write into is one, too; "__and__" is no such name.
    void aWeightThatIsWrittenHasANewVersion()
    {
        const auto graph = readText("method forward\nmemory 64\ntensor s bool[8] @1+0 weight=state\n"
                                    "tensor x bool[8] @1+8\ntensor y bool[8] @1+16\ninput x x\n"
                                    "kernel my::norm.out x s s\nkernel aten::__and__.Tensor_out x s y y\noutput y\n");
        QVERIFY2(graph.ok(), errorOf(graph).c_str());
        QCOMPARE(QString::fromStdString(nodesText(graph.value())),
                 QString("norm.out_0: state#2 = my::norm.out(v1 state)\n"
                         "__and__.Tensor_out_1: v2 = aten::__and__.Tensor_out(v1 state#2)\n"));
        QCOMPARE(names(graph.value(), graph.value().top().inputs), std::string("v1"));
        QCOMPARE(aliasTraits(graph.value(), NodeId(std::size_t {0})),
                 (std::vector<AliasTrait> {{0, 1, AliasKind::Mutates}}));
        QVERIFY(!readsContent(graph.value(), NodeId(std::size_t {0}), 1));
    }

    /// A tensor that is read, that no instruction makes and that lies where one that was made does.
    void aViewThatTheExporterLeftOutIsWhatItIsAViewOf()
    {
        const auto graph =
            readText("method forward\nmemory 64\ntensor x float32[2,2] @1+0\ntensor h float32[2,2] @1+16\n"
                     "tensor view float32[4] @1+16\ntensor y float32[4] @1+32\ninput x\n"
                     "kernel aten::relu.out x h h\nkernel aten::abs.out view y y\noutput y\n");
        QVERIFY2(graph.ok(), errorOf(graph).c_str());
        QCOMPARE(nodesText(graph.value()), std::string("relu.out_0: v1 = aten::relu.out(v0)\n"
                                                       "abs.out_1: v3 = aten::abs.out(v1)\n"));
        QVERIFY2(allNotes(graph.value()).find("taken for a view") != std::string::npos,
                 allNotes(graph.value()).c_str());
    }

    /// Elsewhere it is room to work in, if one call alone names it; else it keeps its content between them.
    void whatNobodyMakesIsRoomToWorkInOrState()
    {
        const std::string head = "method forward\nmemory 96\ntensor x float32[4] @1+0\ntensor s float32[4] @1+16\n"
                                 "tensor h float32[4] @1+32\ntensor y float32[4] @1+48\ninput x\n";
        const auto room = readText(head + "kernel my::conv.out x s h h\nkernel my::abs.out h y y\noutput y\n");
        QVERIFY2(room.ok(), errorOf(room).c_str());
        QCOMPARE(nodesText(room.value()), std::string("conv.out_0: v2 v1 = my::conv.out(v0)\n"
                                                      "abs.out_1: v3 = my::abs.out(v2)\n"));
        const auto state = readText(head + "kernel my::conv.out x s h h\nkernel my::conv.out h s y y\noutput y\n");
        QVERIFY2(state.ok(), errorOf(state).c_str());
        QCOMPARE(nodesText(state.value()), std::string("conv.out_0: v2 = my::conv.out(v0 v1)\n"
                                                       "conv.out_1: v3 = my::conv.out(v2 v1)\n"));
        QCOMPARE(valueOf(state.value(), "v1").role, ValueRole::Parameter);
    }

    void delegatesMakeTheLastThatNobodyMade()
    {
        const auto graph = readText("method forward\nmemory 64\ntensor x float32[2] @1+0\ntensor y float32[2] @1+8\n"
                                    "tensor z float32[2] @1+16\ninput x\n"
                                    "delegate XnnpackBackend x y z\noutput z y\n");
        QVERIFY2(graph.ok(), errorOf(graph).c_str());
        QCOMPARE(nodesText(graph.value()), std::string("XnnpackBackend_0: v1 v2 = executorch::XnnpackBackend(v0)\n"));
        QVERIFY2(allNotes(graph.value()).starts_with("1 call of a delegate"), allNotes(graph.value()).c_str());
    }

    /// A delegate that only reads a view does not make it.
    void aDelegateReadsSomething()
    {
        const auto graph = readText("method forward\nmemory 64\ntensor x float32[2] @1+0\ntensor h float32[2,1] @1+8\n"
                                    "tensor view float32[2] @1+8\ntensor y float32[2] @1+16\ninput x\n"
                                    "kernel aten::abs.out x h h\ndelegate Npu view y\noutput y\n");
        QVERIFY2(graph.ok(), errorOf(graph).c_str());
        QCOMPARE(nodesText(graph.value()), std::string("abs.out_0: v1 = aten::abs.out(v0)\n"
                                                       "Npu_1: v3 = executorch::Npu(v1)\n"));
    }

    /// Jumps count in their own list of instructions.
    void listsOfInstructionsRunOneAfterTheOther()
    {
        const auto graph = readText("method forward\nmemory 64\ntensor x float32[2] @1+0\ntensor y float32[2] @1+8\n"
                                    "int c\ninput x\nkernel aten::abs.out x y y\nchain\njump 1\n"
                                    "kernel aten::neg.out x y y\noutput y\n");
        QVERIFY2(graph.ok(), errorOf(graph).c_str());
        QCOMPARE(nodesText(graph.value()), std::string("abs.out_0: v1 = aten::abs.out(v0)\n"
                                                       "neg.out_2: v1#2 = aten::neg.out(v0)\n"));
    }

    /// Both branches stand one behind the other; what follows needs the results of both.
    void branchesMeetInBothResults()
    {
        const auto graph = readText("method forward\nmemory 64\ntensor x float32[2] @1+0\ntensor a float32[2] @1+8\n"
                                    "tensor b float32[2] @1+16\ntensor r float32[2]\ntensor y float32[2] @1+24\n"
                                    "int c\ninput x\njump 4\nkernel aten::abs.out x a a\nmove a r\njump 6\n"
                                    "kernel aten::neg.out x b b\nmove b r\nkernel aten::exp.out r y y\noutput y\n");
        QVERIFY2(graph.ok(), errorOf(graph).c_str());
        QCOMPARE(nodesText(graph.value()), std::string("abs.out_1: v1 = aten::abs.out(v0)\n"
                                                       "neg.out_4: v2 = aten::neg.out(v0)\n"
                                                       "exp.out_6: v4 = aten::exp.out(v1 v2)\n"));
        QVERIFY2(allNotes(graph.value()).find("The method jumps") != std::string::npos,
                 allNotes(graph.value()).c_str());
    }

    /// Each move doubles the names if none is left out; a list that stands everywhere is written out everywhere.
    void namesThatMultiplyAreBounded()
    {
        std::string moves = "method f\nmemory 64\ntensor x float32[1] @1+0\ntensor a float32[1] @1+4\n"
                            "tensor b float32[1] @1+8\nint c\ninput x\njump 1\nkernel my::one.out x a a\n"
                            "kernel my::one.out x b b\n";
        for (int i = 0; i < 100; ++i)
            moves += i % 2 == 0 ? "move a b\n" : "move b a\n";
        const auto moved = readText(moves + "kernel my::two.out a x x\noutput x\n");
        QVERIFY2(moved.ok(), errorOf(moved).c_str());
        QVERIFY2(nodesText(moved.value()).find("my::two.out(v1 v2)\n") != std::string::npos,
                 nodesText(moved.value()).c_str());

        std::string lists = "method f\nmemory 64\ntensor x float32[1] @1+0\nlist all";
        for (int i = 0; i < 5000; ++i)
            lists += " x";
        lists += "\ninput x\n";
        for (int i = 0; i < 5000; ++i)
            lists += "kernel my::one all\n";
        QVERIFY2(errorOf(readText(lists)).find("more than ten times the bytes of its file") != std::string::npos,
                 errorOf(readText(lists)).c_str());
    }

    void openSizesAreTheMostOrUnknown()
    {
        const auto graph = readText("method forward\nmemory 64\ntensor x float32[8] @1+0 bounded\n"
                                    "tensor y float32[8] unbounded\ninput x\nkernel my::nonzero.out x y y\noutput y\n");
        QVERIFY2(graph.ok(), errorOf(graph).c_str());
        QCOMPARE(describe(valueOf(graph.value(), "v0").type), std::string("float32[8]"));
        QCOMPARE(describe(valueOf(graph.value(), "v1").type), std::string("float32[?]"));
        QVERIFY2(allNotes(graph.value()).find("1 value of open size") != std::string::npos,
                 allNotes(graph.value()).c_str());
    }

    void elementTypesHaveTheirBytes_data()
    {
        QTest::addColumn<QByteArray>("expected");
        const std::pair<int, const char*> types[] = {
            {0, "uint8"},           {1, "int8"},          {2, "int16"},
            {3, "int32"},           {4, "int64"},         {5, "float16"},
            {6, "float32"},         {7, "float64"},       {9, "complex64"},
            {10, "complex128"},     {11, "bool"},         {12, "int8"},
            {13, "uint8"},          {14, "int32"},        {15, "bfloat16"},
            {23, "float8e5m2"},     {24, "float8e4m3fn"}, {25, "float8e5m2fnuz"},
            {26, "float8e4m3fnuz"}, {27, "uint16"},       {28, "uint32"},
            {29, "uint64"},         {90, "unknown"},
        };
        for (const auto& [code, name] : types)
            QTest::addRow("%d", code) << QByteArray(name);
    }
    void elementTypesHaveTheirBytes()
    {
        QFETCH(QByteArray, expected);
        const auto graph =
            readText("method forward\nmemory 64\ntensor x " + std::string(QTest::currentDataTag()) +
                     "[3] @1+0\ntensor y float32[3] @1+24\ninput x\nkernel my::op.out x y y\noutput y\n");
        QVERIFY2(graph.ok(), errorOf(graph).c_str());
        QCOMPARE(describe(valueOf(graph.value(), "v0").type), expected.toStdString() + "[3]");
    }

    void pointwiseKernelsMayWriteOverWhatTheyRead()
    {
        const auto graph = readText("method forward\nmemory 64\ntensor c bool[4] @1+0\ntensor x float32[4] @1+16\n"
                                    "tensor z float32[4] @1+32\ntensor y float32[4] @1+48\ninput c x z\n"
                                    "kernel aten::where.self_out c x z y y\noutput y\n");
        QVERIFY2(graph.ok(), errorOf(graph).c_str());
        QCOMPARE(aliasTraits(graph.value(), NodeId(std::size_t {0})),
                 (std::vector<AliasTrait> {{0, 1, AliasKind::MayBeInPlace}, {0, 2, AliasKind::MayBeInPlace}}));
        QVERIFY(!isPure(graph.value(), NodeId(std::size_t {0}))); // its numbers are not read
    }

    void anotherMethodIsOpenedByName()
    {
        const std::string text =
            std::string("method sizes\nint n\noutput n\n") + std::string(Small) +
            "method encode\nmemory 16\ntensor x float32[2] @1+0\ntensor y float32[2] @1+8\ninput x\n"
            "kernel aten::abs.out x y y\noutput y\n";
        const auto first = readText(text);
        QVERIFY2(first.ok(), errorOf(first).c_str());
        QCOMPARE(first.value().name, std::string("forward"));
        QVERIFY2(allNotes(first.value()).find("several methods: 'forward', 'encode'.") != std::string::npos,
                 allNotes(first.value()).c_str());
        const auto second = readText(text, "encode");
        QVERIFY2(second.ok(), errorOf(second).c_str());
        QCOMPARE(nodesText(second.value()), std::string("abs.out_0: v1 = aten::abs.out(v0)\n"));
        const std::string error = errorOf(readText(text, "none"));
        QVERIFY2(error.find("no method 'none'. It has 'forward', 'encode'.") != std::string::npos, error.c_str());
    }

    void whatIsWrongIsSaidWithItsPlace_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("error");
        QTest::newRow("no method") << QByteArray() << QByteArray("The ExecuTorch program has no method.");
        QTest::newRow("input") << QByteArray("method f\ninput @3")
                               << QByteArray("methods[0] 'f', inputs: It lists value 3; there are 0.");
        QTest::newRow("argument") << QByteArray("method f\nint n\nkernel aten::add.out n @9")
                                  << QByteArray("calls[0] 'add.out': It lists value 9; there are 1.");
        QTest::newRow("list") << QByteArray("method f\nlist all @4")
                              << QByteArray("values[0]: It lists value 4; there are 1.");
        QTest::newRow("memory") << QByteArray("method f\nmemory 16\ntensor x uint8[1] @2+0")
                                << QByteArray("A tensor lies in memory 2; those that are planned are 1 to 1.");
        QTest::newRow("memory of constants")
            << QByteArray("method f\nmemory 16\ntensor x uint8[1] @0+0") << QByteArray("A tensor lies in memory 0;");
        QTest::newRow("offset") << QByteArray("method f\nmemory 16\ntensor x uint8[1] @1+9223372036854775808")
                                << QByteArray("A tensor lies beyond what any memory can have.");
        QTest::newRow("size") << QByteArray("method f\ntensor x uint8[-1]")
                              << QByteArray("values[0]: A tensor has a negative size");
        QTest::newRow("negative memory") << QByteArray("method f\nmemory -4")
                                         << QByteArray("memories[1]: It has a negative size.");
        QTest::newRow("constant") << QByteArray("method f\ntensor x float32[3] data=8")
                                  << QByteArray("Constant 1 takes 12 bytes; its buffer has 8.");
        QTest::newRow("constant in a segment") << QByteArray("segment\nmethod f\ntensor x float32[3] data=8")
                                               << QByteArray("Constant 1 takes 12 bytes; its buffer has 8.");
        QTest::newRow("loop") << QByteArray("method f\nint n\njump 0")
                              << QByteArray("It goes back to instruction 0. Methods with loops cannot be planned yet.");
    }
    void whatIsWrongIsSaidWithItsPlace()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, error);
        const auto graph = readText(text.toStdString());
        QVERIFY2(errorOf(graph).find(error.toStdString()) != std::string::npos, errorOf(graph).c_str());
    }

    /// Expected numbers were counted by another program. Of its 28 tensors of 98,894 bytes nine hold nothing, and one
    /// of 64 bytes is a view.
    void theCorpusIsRead_data()
    {
        QTest::addColumn<int>("instructions");
        QTest::addColumn<QByteArray>("plan");
        QTest::newRow("KeywordSpotting.pte") << 16 << QByteArray("16000: 18 values, 98830 B\n");
        QTest::newRow("xor.pte") << 66 << QByteArray("624: 72 values, 1729 B\n");
        QTest::newRow("add.pte") << 1 << QByteArray("48: 3 values, 12 B\n");
        QTest::newRow("ModuleLinear-no-constant-segment.pte") << 2 << QByteArray("32: 3 values, 48 B\n");
    }
    void theCorpusIsRead()
    {
        QFETCH(int, instructions);
        QFETCH(QByteArray, plan);
        const std::string bytes = corpusBytes(QTest::currentDataTag()).toStdString();
        if (bytes.empty()) QSKIP("the corpus of ExecuTorch programs is not here");
        const auto graph = readBytes(bytes);
        QVERIFY2(graph.ok(), errorOf(graph).c_str());
        QCOMPARE(static_cast<int>(graph.value().nodes.size()), instructions);
        const auto given = *readFile(FormatInput(bytes), {}).value().plan;
        QVERIFY2(given.ok(), given.ok() ? "" : describe(given.error()).c_str());
        QCOMPARE(QByteArray::fromStdString(planText(given.value())), plan);
    }

    /// Cut off anywhere and changed anywhere, a file is read or refused.
    void damagedFilesAreRefusedOrRead_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("small") << QByteArray::fromStdString(executorchBytes(Small));
        QTest::newRow("segment") << QByteArray::fromStdString(executorchBytes("segment\n" + std::string(Small)));
        QTest::newRow("xor.pte") << corpusBytes("xor.pte");
    }
    void damagedFilesAreRefusedOrRead()
    {
        QFETCH(QByteArray, bytes);
        if (bytes.isEmpty()) QSKIP("the corpus of ExecuTorch programs is not here");
        const std::string whole = bytes.toStdString();
        QVERIFY(readBytes(whole).ok());
        const int read = readDamaged(whole, [](const std::string& damaged) { return readBytes(damaged).ok(); });
        QVERIFY(read > 0);
        QVERIFY(read < DamagedCopies);
    }
};

QTEST_APPLESS_MAIN(ExecutorchReader)
#include "tst_executorch_reader.moc"
