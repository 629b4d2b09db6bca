#include "core/facts/english/english.h"
#include "core/formats/hlo/hlo_reader.h"
#include "core/formats/read_graph.h"
#include "tests/core/formats/graph_lines.h"

#include <QFile>
#include <QtTest>

using namespace plimsoll;
using namespace plimsoll::test;

namespace {

Result<Graph> readText(std::string_view text, std::string_view wanted = {})
{
    auto content = readHloText({text, {}, std::string(wanted)}, {});
    if (!content.ok()) return content.error();
    return std::move(content).value().graph;
}

Graph graphOf(std::string_view text, std::string_view wanted = {})
{
    auto graph = readText(text, wanted);
    if (!graph.ok()) qFatal("%s", errorOf(graph).c_str());
    return std::move(graph).value();
}

QString nodes(std::string_view text)
{
    return QString::fromStdString(nodesText(graphOf(text)));
}

/// A program that only makes a value of that type.
Graph ofType(std::string_view type)
{
    return graphOf("HloModule m\nENTRY e {\n  ROOT x = " + std::string(type) + " custom-call()\n}\n");
}

QString corpusFile(const char* name)
{
    return QStringLiteral(PLIMSOLL_SHARED_DIR "/corpora/hlo/") + QString::fromUtf8(name);
}

constexpr std::string_view Loop = "HloModule loop\n"
                                  "%cond (p: (s32[], f32[4])) -> pred[] {\n"
                                  "  %p = (s32[], f32[4]{0}) parameter(0)\n"
                                  "  %i = s32[] get-tuple-element(%p), index=0\n"
                                  "  %ten = s32[] constant(10)\n"
                                  "  ROOT %less = pred[] compare(%i, %ten), direction=LT\n"
                                  "}\n"
                                  "%body (p: (s32[], f32[4])) -> (s32[], f32[4]) {\n"
                                  "  %p = (s32[], f32[4]{0}) parameter(0)\n"
                                  "  %i = s32[] get-tuple-element((s32[], f32[4]{0}) %p), index=0\n"
                                  "  %one = s32[] constant(1)\n"
                                  "  %next = s32[] add(%i, %one)\n"
                                  "  %x = f32[4]{0} get-tuple-element(%p), index=1\n"
                                  "  %twice = f32[4]{0} add(%x, /*index=1*/%x)\n"
                                  "  ROOT %t = (s32[], f32[4]{0}) tuple(%next, %twice)\n"
                                  "}\n"
                                  "ENTRY %main (a: f32[4]) -> f32[4] {\n"
                                  "  %a = f32[4]{0} parameter(0)\n"
                                  "  %zero = s32[] constant(0)\n"
                                  "  %init = (s32[], f32[4]{0}) tuple(%zero, %a)\n"
                                  "  %w = (s32[], f32[4]{0}) while(%init), condition=%cond, body=%body\n"
                                  "  ROOT %r = f32[4]{0} get-tuple-element(%w), index=1\n"
                                  "}\n";

} // namespace

/// Programs of XLA as text.
class HloReader : public QObject
{
    Q_OBJECT

private slots:
    /// Comments, names with and without percent signs, operands with types, attributes on lines of their own.
    void readsAProgram()
    {
        const Graph graph = graphOf("// a comment: HloModule no, {\n"
                                    "/* another */ HloModule jit_f, is_scheduled=true, "
                                    "entry_computation_layout={(f32[2,3]{1,0})->f32[2,3]{1,0}}\n\n"
                                    "ENTRY %main.1 (x.1: f32[2,3]) -> f32[2,3] {\n"
                                    "  %x.1 = f32[2,3]{1,0} parameter(0), metadata={op_name=\"x\"}\n"
                                    "  %c = f32[] constant(2.5)\n"
                                    "  b = f32[2,3]{1,0} broadcast(f32[] %c), dimensions={}\n"
                                    "  ROOT %m = f32[2,3]{1,0} multiply(f32[2,3]{1,0} %x.1, b),\n"
                                    "    metadata={op_name=\"jit(f)/mul\" source_file=\"a b.py\" source_line=12},\n"
                                    "    backend_config=\"{\\\"a\\\":[}\"\n"
                                    "} // main.1\n");
        QCOMPARE(QString::fromStdString(nodesText(graph)), QStringLiteral("b: b = xla::broadcast(c)\n"
                                                                          "m: m = xla::multiply(x.1 b)\n"));
        QCOMPARE(names(graph, graph.top().outputs), std::string("m"));
        QCOMPARE(graph[findNode(graph, "m")].from->source, std::string("a b.py:12"));
        QCOMPARE(graph[findNode(graph, "m")].from->module, std::string("jit(f)"));
        QCOMPARE(std::get<std::string>(graph[findNode(graph, "m")].attributes.find("op_name")->second),
                 std::string("jit(f)/mul"));
        QCOMPARE(valueOf(graph, "c").data->bytes->size(), std::size_t {4});
        QCOMPARE(allNotes(graph), std::string());
    }

    /// As XLA takes them: a text without its heading, and one computation that is not marked.
    void whatIsLeftOutIsUnderstood()
    {
        const QString whole = nodes("HloModule m\nENTRY e {\n  ROOT x = f32[2] custom-call()\n}\n");
        QCOMPARE(nodes("ENTRY e {\n  ROOT x = f32[2] custom-call()\n}\n"), whole);
        QCOMPARE(nodes("HloModule m\ne {\n  ROOT x = f32[2] custom-call()\n}\n"), whole);
        QVERIFY(looksLikeHloText("ENTRY e {\n"));
    }

    void typesAreThoseOfTheText_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("type");
        QTest::newRow("scalar") << "f32[]"
                                << "float32[]";
        QTest::newRow("layout") << "bf16[8,128]{1,0:T(8,128)(2,1)}"
                                << "bfloat16[8,128]";
        QTest::newRow("truth") << "pred[3]{0}"
                               << "bool[3]";
        QTest::newRow("a byte each") << "s4[10]{0}"
                                     << "int8[10]";
        QTest::newRow("packed") << "s4[10]{0:E(4)}"
                                << "int4[10]";
        QTest::newRow("packed unsigned") << "u4[10]{0:T(8,128)E(4)}"
                                         << "uint4[10]";
        QTest::newRow("eight bits") << "f8e4m3fn[7]"
                                    << "float8e4m3fn[7]";
        QTest::newRow("another of eight") << "f8e3m4[7]"
                                          << "uint8[7]";
        QTest::newRow("upper bound") << "f32[<=10,4]{1,0}"
                                     << "float32[10,4]";
        QTest::newRow("open") << "f32[?,4]"
                              << "float32[?,4]";
        QTest::newRow("empty") << "u8[0]{0}"
                               << "uint8[0]";
        QTest::newRow("complex") << "c128[2]"
                                 << "complex128[2]";
        QTest::newRow("token") << "token[]"
                               << "uint8[0]";
    }

    void typesAreThoseOfTheText()
    {
        QFETCH(QString, text);
        QFETCH(QString, type);
        const Graph graph = ofType(text.toStdString());
        QCOMPARE(QString::fromStdString(describe(valueOf(graph, "x").type)), type);
    }

    void memoriesHaveNames()
    {
        QCOMPARE(valueOf(ofType("f32[4]{0:S(5)}"), "x").at->space, std::string("host"));
        QCOMPARE(valueOf(ofType("f32[4]{0:T(128)S(1)}"), "x").at->space, std::string("S(1)"));
        QCOMPARE(valueOf(ofType("f32[4]{0}"), "x").at->space, std::string());
    }

    /// Only where the text has all elements.
    /// The instructions place it; what the heading wants elsewhere is not dropped in silence.
    void theLayoutOfTheEntryIsCompared()
    {
        const auto notes = [](const std::string& results, const char* made) {
            return allNotes(graphOf("HloModule m, is_scheduled=true, entry_computation_layout={(f32[4]{0})->" +
                                    results +
                                    "}\nENTRY e {\n  x = f32[4]{0} parameter(0)\n  a = f32[4]{0} negate(x)\n"
                                    "  b = " +
                                    made + " negate(a)\n  ROOT r = (f32[4]{0}, " + made + ") tuple(a, b)\n}\n"));
        };
        QCOMPARE(notes("(f32[4]{0}, f32[4]{0})", "f32[4]{0}"), std::string());
        QCOMPARE(notes("(f32[4]{0}, /*index=1*/f32[4]{0:S(1)})", "f32[4]{0:S(1)}"), std::string());
        QCOMPARE(
            notes("(f32[4]{0}, f32[4]{0:S(5)})", "f32[4]{0}"),
            std::string("The entry_computation_layout has 'b' in the memory S(5), and the instructions do not: planned "
                        "where these say.\n"));
        QCOMPARE(notes("(f32[4]{0}, nonsense)", "f32[4]{0}"), std::string());
    }

    void constantsHaveTheirElements_data()
    {
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("literal");
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("list") << "s16[2,2]"
                              << "{ { 1, -2 }, /*i0=1*/ {3, 4} }" << QByteArray("\x01\0\xFE\xFF\x03\0\x04\0", 8);
        QTest::newRow("truths") << "pred[3]"
                                << "{true, false, 1}" << QByteArray("\1\0\1", 3);
        QTest::newRow("half") << "f16[]"
                              << "-inf" << QByteArray("\0\xFC", 2);
        QTest::newRow("large") << "u64[]"
                               << "18446744073709551615" << QByteArray(8, '\xFF');
        QTest::newRow("left out") << "f32[1000]"
                                  << "{...}" << QByteArray();
        QTest::newRow("too few") << "s32[3]"
                                 << "{1, 2}" << QByteArray();
        QTest::newRow("does not fit") << "s8[1]"
                                      << "{300}" << QByteArray();
    }

    void constantsHaveTheirElements()
    {
        QFETCH(QString, type);
        QFETCH(QString, literal);
        QFETCH(QByteArray, bytes);
        const Graph graph =
            graphOf("HloModule m, is_scheduled=true\nENTRY e {\n  c = " + type.toStdString() + " constant(" +
                    literal.toStdString() + ")\n  ROOT r = " + type.toStdString() + " negate(c)\n}\n");
        const TensorData& data = *valueOf(graph, "c").data;
        QCOMPARE(data.present(), !bytes.isEmpty());
        if (data.present())
            QCOMPARE(QByteArray(reinterpret_cast<const char*>(data.bytes->data()),
                                static_cast<qsizetype>(data.bytes->size())),
                     bytes);
        QCOMPARE(allNotes(graph),
                 data.present() ? std::string()
                                : "1 constant without elements: the file leaves them out, or they are not read.\n");
    }

    /// Nested tuples are taken apart; nothing is left of them.
    void tuplesHaveNoBytes()
    {
        QCOMPARE(nodes("HloModule m\nENTRY e {\n  p = (f32[2], (s32[], f32[3])) parameter(0)\n"
                       "  inside = (s32[], f32[3]) get-tuple-element(p), index=1\n"
                       "  x = f32[3] get-tuple-element(inside), index=1\n  n = f32[3] negate(x)\n"
                       "  y = f32[2] get-tuple-element(p), index=0\n  t = (f32[3], f32[2]) tuple(n, y)\n"
                       "  b = (f32[3], f32[2]) opt-barrier(t)\n"
                       "  ROOT r = f32[2] get-tuple-element(b), index=1\n}\n"),
                 QStringLiteral("n: n = xla::negate(p.2)\n"));
    }

    /// Each call has the nodes for itself, and the constants only once.
    void callsAreInlined()
    {
        QCOMPARE(nodes("HloModule m\n"
                       "ENTRY e {\n  x = f32[] parameter(0)\n  a = f32[] call(x), to_apply=f\n"
                       "  ROOT b = f32[] call(a), to_apply=f\n}\n"
                       "f {\n  x = f32[] parameter(0)\n  c = f32[] constant(1)\n  ROOT s = f32[] add(x, c)\n}\n"),
                 QStringLiteral("s: s = xla::add(x c)\ns#2: s#2 = xla::add(s c)\n"));
    }

    /// The condition is asked before the first trip and behind each.
    void whileHasOneBody()
    {
        QCOMPARE(nodes(Loop), QStringLiteral("less: less = xla::compare(zero ten)\n"
                                             "w: w.0 w.1 = xla::while(less zero a)\n"
                                             "body(w/body/p.0 w/body/p.1)\n"
                                             "  next: w/body/next = xla::add(w/body/p.0 one)\n"
                                             "  twice: w/body/twice = xla::add(w/body/p.1 w/body/p.1)\n"
                                             "  less#2: w/body/less#2 = xla::compare(w/body/next ten)\n"
                                             "  -> w/body/less#2 w/body/next w/body/twice\n"));
    }

    /// By a truth value or by a number, and the branches read their operands where they are.
    void conditionalHasItsBranches()
    {
        const std::string branches = "f {\n  x = f32[2] parameter(0)\n  ROOT n = f32[2] negate(x)\n}\n"
                                     "g {\n  ROOT x = f32[2] parameter(0)\n}\n";
        QCOMPARE(nodes("HloModule m\n" + branches +
                       "ENTRY e {\n  p = pred[] parameter(0)\n  x = f32[2] parameter(1)\n"
                       "  ROOT c = f32[2] conditional(p, x, x), true_computation=f, false_computation=g\n}\n"),
                 QStringLiteral("c: c = xla::conditional(p)\ntrue()\n  n: c/true/n = xla::negate(x)\n"
                                "  -> c/true/n\nfalse()\n  -> x\n"));
        QCOMPARE(nodes("HloModule m\n" + branches +
                       "ENTRY e {\n  i = s32[] parameter(0)\n  x = f32[2] parameter(1)\n"
                       "  ROOT c = f32[2] conditional(i, x, x, x), branch_computations={g, f, g}\n}\n"),
                 QStringLiteral("c: c = xla::conditional(i)\nbranch0()\n  -> x\nbranch1()\n"
                                "  n: c/branch1/n = xla::negate(x)\n  -> c/branch1/n\nbranch2()\n  -> x\n"));
    }

    void parametersThatAreGivenAway()
    {
        const Graph graph = graphOf("HloModule m, input_output_alias={ {0}: (1, {}, may-alias), {1}: (0, {1}) }, "
                                    "buffer_donor={ (2, {}) }\nENTRY e {\n  p = (f32[2], f32[3]) parameter(0)\n"
                                    "  q = f32[2] parameter(1)\n  r = f32[2] parameter(2)\n  s = f32[2] parameter(3)\n"
                                    "  n = f32[2] add(q, s)\n  x = f32[3] get-tuple-element(p), index=1\n"
                                    "  m = f32[3] negate(x)\n  ROOT t = (f32[2], f32[3]) tuple(n, m)\n}\n");
        std::string given;
        for (const ValueId input : graph.top().inputs)
            given += graph[input].visible ? "" : graph[input].name + " ";
        QCOMPARE(given, std::string("p.1 q r "));
    }

    void severalProgramsHaveNames()
    {
        const std::string text = "HloModule a\nENTRY e {\n  ROOT x = f32[1] parameter(0)\n}\n// -----\n"
                                 "HloModule b, is_scheduled=true\nENTRY e {\n  ROOT y = f32[2] parameter(0)\n}\n"
                                 "HloModule a\nENTRY e {\n  ROOT z = f32[3] parameter(0)\n}\n";
        QCOMPARE(names(graphOf(text), graphOf(text).top().inputs), std::string("x"));
        QCOMPARE(names(graphOf(text, "b"), graphOf(text, "b").top().inputs), std::string("y"));
        QCOMPARE(names(graphOf(text, "a-2"), graphOf(text, "a-2").top().inputs), std::string("z"));
        QCOMPARE(allNotes(graphOf(text, "b")), std::string("The file holds several programs; this is 'b'. Others are "
                                                           "opened as FILE#NAME: 'a', 'a-2'.\n"));
        QCOMPARE(errorOf(readText(text, "c")), std::string("The file has no program 'c'. It has 'a', 'b', 'a-2'."));
    }

    void sourceTablesArePassedOver()
    {
        QCOMPARE(nodes("HloModule m\n\nFileNames\n1 \"/a b.py\"\n\nFunctionNames\n1 \"f\"\n2 \"<module>\"\n\n"
                       "FileLocations\n1 {file_name_id=1 function_name_id=1 line=3}\n\nStackFrames\n"
                       "1 {file_location_id=1 parent_frame_id=1}\n\n\nENTRY e {\n  x = f32[1] parameter(0)\n"
                       "  ROOT n = f32[1] negate(x), metadata={stack_frame_id=1}\n}\n"),
                 QStringLiteral("n: n = xla::negate(x)\n"));
    }

    void whatIsWrongSaysItsLine_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("error");
        const QString head = QStringLiteral("HloModule m\nENTRY e {\n  x = f32[2] parameter(0)\n  ");
        QTest::newRow("cut") << head + "ROOT n = f32[2] negate(x)"
                             << "line 2: The computation 'e' is not closed by '}': the text is cut off.";
        QTest::newRow("cut in a bracket") << head + "ROOT n = f32[2] negate(x"
                                          << "line 4: A bracket or a string that opens here is not closed: the text "
                                             "is cut off.";
        QTest::newRow("empty")
            << "HloModule m\n"
            << "line 2: No computation of the program is marked ENTRY: the text is cut off, or a part.";
        QTest::newRow("no instruction") << "HloModule m\nENTRY e {\n}\n"
                                        << "line 2: The computation 'e' has no instructions.";
        QTest::newRow("unknown operand") << head + "ROOT n = f32[2] negate(y)\n}\n"
                                         << "line 4 'n': It reads 'y', which no instruction before it makes.";
        QTest::newRow("type") << head + "ROOT n = f31[2] negate(x)\n}\n"
                              << "line 4: A type is expected here; 'f31' is none of XLA's.";
        QTest::newRow("size") << head + "ROOT n = f32[-2] negate(x)\n}\n"
                              << "line 4: A dimension is a number here; sizes are not negative.";
        QTest::newRow("huge size") << head + "ROOT n = f32[99999999999999999999] negate(x)\n}\n"
                                   << "line 4: A dimension is a number here; sizes are not negative.";
        QTest::newRow("twice") << head + "x = f32[2] negate(x)\n}\n"
                               << "line 4 'x': Two instructions of the computation have this name.";
        QTest::newRow("unknown computation") << head + "ROOT n = f32[2] call(x), to_apply=f\n}\n"
                                             << "line 4 'n': It runs 'f', which is no computation of the program.";
        QTest::newRow("recursion") << head + "ROOT n = f32[2] call(x), to_apply=e\n}\n"
                                   << "line 4 'n': Computations run each other more than 64 deep; one that runs "
                                      "itself cannot be planned.";
        QTest::newRow("tuple index") << head + "ROOT n = f32[2] get-tuple-element(x), index=1\n}\n"
                                     << "line 4 'n': 'x' has no part 1.";
        QTest::newRow("too few parts") << head + "ROOT n = (f32[2], f32[2]) tuple(x)\n}\n"
                                       << "line 4 'n': Its type has 2 tensors; it gets 1.";
        QTest::newRow("parameter numbers") << "HloModule m\nENTRY e {\n  ROOT x = f32[2] parameter(1)\n}\n"
                                           << "line 3 'x': The parameters of the program are not numbered from 0 on.";
        QTest::newRow("handed too little")
            << "HloModule m\nf {\n  ROOT y = f32[2] parameter(1)\n}\nENTRY e {\n  x = f32[2] parameter(0)\n"
               "  ROOT n = f32[2] call(x), to_apply=f\n}\n"
            << "line 3 'y': The computation is handed 1 operand; there is none for parameter 1.";
        QTest::newRow("while") << head + "ROOT n = f32[2] while(x), body=e\n}\n"
                               << "line 4 'n': A while has one operand, a condition and a body.";
        QTest::newRow("fields") << "HloModule m, input_output_alias={ {0} }\n"
                                << "line 1: This is no list of what lies in whose bytes; it reads '{ {0}: (1, {}) }'.";
        QTest::newRow("two entries")
            << head + "ROOT n = f32[2] negate(x)\n}\nENTRY f {\n  ROOT x = f32[2] parameter(0)\n}\n"
            << "line 6: The program has two computations marked ENTRY.";
        QTest::newRow("deep tuple") << head + "ROOT n = " + QString("(").repeated(100) + "f32[] negate(x)\n}\n"
                                    << "line 4: Tuples are nested more than 64 deep.";
    }

    void whatIsWrongSaysItsLine()
    {
        QFETCH(QString, text);
        QFETCH(QString, error);
        QCOMPARE(QString::fromStdString(errorOf(readText(text.toStdString()))), error);
    }

    /// Wherever it is cut off, and whatever byte is changed, there is an end: a graph, or an error with a line.
    void damagedTextsEnd()
    {
        const std::string whole(Loop);
        for (std::size_t size = 0; size < whole.size(); ++size) {
            const auto graph = readText(whole.substr(0, size));
            const bool said = !graph.ok() || !graph.value().notes.empty(); // one whole computation is a program
            if (size < whole.size() - 1) QVERIFY2(said, std::to_string(size).c_str());
            for (const char other : {'(', '}', '"', '/', '0'}) {
                std::string changed = whole;
                changed[size] = other;
                const auto read = readText(changed);
                if (!read.ok()) QVERIFY(!read.error().message.empty());
            }
        }
    }

    /// Each computation calls the one before it twice: 2^40 instructions from 40 lines.
    void hugeProgramsAreRefused()
    {
        std::string text = "HloModule m\nf0 {\n  ROOT x = f32[] parameter(0)\n}\n";
        for (int i = 1; i <= 40; ++i)
            text += (i == 40 ? "ENTRY f" : "f") + std::to_string(i) +
                    " {\n  x = f32[] parameter(0)\n  a = f32[] call(x), to_apply=f" + std::to_string(i - 1) +
                    "\n  ROOT b = f32[] call(a), to_apply=f" + std::to_string(i - 1) + "\n}\n";
        const std::string error = errorOf(readText(text));
        QVERIFY2(error.find("more than ten times the bytes of its file") != std::string::npos, error.c_str());
    }

    /// One operand is a tuple of 3,000 tensors, named 7,000 times.
    void hugeOperandsAreRefused()
    {
        std::string type;
        std::string operands;
        for (int i = 0; i < 3000; ++i)
            type += i == 0 ? "f32[]" : ",f32[]";
        for (int i = 0; i < 7000; ++i)
            operands += i == 0 ? "p" : ",p";
        const std::string error =
            errorOf(readText("HloModule m\nENTRY e {\n  p = (" + type +
                             ") parameter(0)\n  ROOT c = f32[] custom-call(" + operands + ")\n}\n"));
        QVERIFY2(error.find("more than ten times the bytes of its file") != std::string::npos, error.c_str());
    }

    void isRecognisedByItsText()
    {
        QVERIFY(looksLikeHloText("HloModule m\n"));
        QVERIFY(looksLikeHloText("\xEF\xBB\xBF// RUN: x\n\n/* y */\nHloModule m, a=b"));
        QVERIFY(!looksLikeHloText("HloModules m"));
        QVERIFY(!looksLikeHloText("// nothing else"));
        QVERIFY(!looksLikeHloText(""));
        const std::string text = "// RUN: x\nHloModule m\nENTRY e {\n  ROOT x = f32[1] parameter(0)\n}\n";
        const auto graph = readGraph(std::as_bytes(std::span(text)), {});
        QVERIFY2(graph.ok(), errorOf(graph).c_str());
        QCOMPARE(graph.value().file.format, std::string("hlo"));
    }

    /// What the corpus says of itself: entry parameters that are given away, values in the host's memory.
    void corpusIsRead_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("given");
        QTest::addColumn<int>("loops");
        QTest::addColumn<int>("conditionals");
        QTest::newRow("kernel_reuse") << "kernel_reuse.hlo" << 0 << 0 << 0;
        QTest::newRow("offload") << "offload_scan_output.hlo" << 0 << 1 << 0;
        QTest::newRow("in place") << "in_place_dynamic_update_slice_fusion.hlo" << 0 << 3 << 0;
        QTest::newRow("resnet50") << "resnet50_keras_jax_f32.hlo" << 320 << 0 << 0;
        QTest::newRow("llama") << "hlo_llama3_8b_bf16_activation_offloading_1x8.hlo" << 39 << 2 << 0;
        QTest::newRow("gemma") << "hlo_gemma4_2b_bf16.hlo" << 0 << 1 << 0;
        QTest::newRow("diffrax") << "diffrax.b380012920.hlo" << 0 << 3 << 4;
    }

    void corpusIsRead()
    {
        QFETCH(QString, file);
        QFETCH(int, given);
        QFETCH(int, loops);
        QFETCH(int, conditionals);
        const QString path = corpusFile(qPrintable(file));
        if (!QFile::exists(path)) QSKIP("the corpus is not here");
        const auto read = readGraph(path.toStdString(), {});
        QVERIFY2(read.ok(), errorOf(read).c_str());
        const Graph& graph = read.value();
        int donated = 0;
        for (const ValueId input : graph.top().inputs)
            donated += graph[input].visible ? 0 : 1;
        QCOMPARE(donated, given);
        const auto count = [&](std::string_view op) {
            return static_cast<int>(
                std::count_if(graph.nodes.begin(), graph.nodes.end(), [&](const Node& node) { return node.op == op; }));
        };
        QVERIFY2(count("while") >= loops && (loops > 0) == (count("while") > 0), qPrintable(file));
        QVERIFY2(count("conditional") >= conditionals && (conditionals > 0) == (count("conditional") > 0),
                 qPrintable(file));
    }

    void everyProgramOfAFileIsRead()
    {
        const QString path = corpusFile("kernel_reuse.hlo");
        if (!QFile::exists(path)) QSKIP("the corpus is not here");
        const auto first = readGraph(path.toStdString(), {});
        QVERIFY2(first.ok(), errorOf(first).c_str());
        QVERIFY(allNotes(first.value()).find("'KernelReuse'") != std::string::npos);
        const auto none = readGraph((path + "#nobody").toStdString(), {});
        QVERIFY(!none.ok());
        const QString listed = QString::fromStdString(english(none.error().message));
        QCOMPARE(listed.count(u'\''), 2 * (1 + 5)); // five modules
        const QStringList parts = listed.split(u'\'');
        for (qsizetype i = 3; i < parts.size(); i += 2) {
            const auto graph = readGraph((path + "#" + parts[i]).toStdString(), {});
            QVERIFY2(graph.ok(), errorOf(graph).c_str());
        }
    }
};

QTEST_APPLESS_MAIN(HloReader)
#include "tst_hlo_reader.moc"
