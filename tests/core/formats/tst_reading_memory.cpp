#include "core/base/heap.h"
#include "core/facts/english/english.h"
#include "core/formats/read_graph.h"

#include <QFile>
#include <QTest>

#include <functional>
#include <string>

using namespace plimsoll;

namespace {

/// Bytes, of a line of /proc/self/status: "VmHWM:   12345 kB". 0 where there is none.
qint64 statusBytes(const QByteArray& key)
{
    QFile status(QStringLiteral("/proc/self/status"));
    if (!status.open(QIODevice::ReadOnly)) return 0;
    for (const QByteArray& line : status.readAll().split('\n'))
        if (line.startsWith(key + ':'))
            return line.mid(key.size() + 1).simplified().split(' ').front().toLongLong() * 1024;
    return 0;
}

/// What is the most from now on; false where the system cannot begin anew.
bool forgetMost()
{
    QFile file(QStringLiteral("/proc/self/clear_refs"));
    return file.open(QIODevice::WriteOnly | QIODevice::Unbuffered) && file.write("5") == 1;
}

std::string repeated(int times, const std::function<std::string(int)>& line)
{
    std::string text;
    for (int i = 0; i < times; ++i)
        text += line(i);
    return text;
}

std::string n(int number)
{
    return std::to_string(number);
}

std::string table(int rows, int atOneTime)
{
    return "id,lower,upper,size\n" + repeated(rows, [&](int i) {
               const int begin = i / atOneTime;
               return n(i) + ',' + n(begin) + ',' + n(begin + 1 + i % 50) + ",1024\n";
           });
}

/// Lines as XLA writes them, with where they come from.
std::string dumpedProgram(int lines)
{
    return "HloModule step\nENTRY main {\n  p = f32[64] parameter(0)\n  add.0 = f32[64] add(p, p)\n" +
           repeated(lines,
                    [](int i) {
                        return "  add." + n(i + 1) + " = f32[64] add(add." + n(i) +
                               ", p), metadata={op_name=\"jit(step)/transformer/layer_" + n(i % 32) +
                               "/attention/add\" source_file=\"/models/train.py\" source_line=" + n(i % 977) + "}\n";
                    }) +
           "}\n";
}

std::string shortProgram(int lines)
{
    return "HloModule m\nENTRY e {\np=f32[]parameter(0)\n" +
           repeated(lines, [](int i) { return "a" + n(i) + "=f32[]add(p,p)\n"; }) + "}\n";
}

/// Each computation runs the one before it twice.
std::string multiplyingProgram(int deep)
{
    return "HloModule m\nf0 {\n  x = f32[] parameter(0)\n  ROOT y = f32[] add(x, x)\n}\n" + repeated(deep, [&](int i) {
               return (i + 1 == deep ? "ENTRY f" : "f") + n(i + 1) +
                      " {\n  x = f32[] parameter(0)\n  a = f32[] call(x), to_apply=f" + n(i) +
                      "\n  ROOT b = f32[] call(a), to_apply=f" + n(i) + "\n}\n";
           });
}

/// Its only node is a fusion of many operations.
std::string multiplyingFusion(int operations, int deep)
{
    std::string text = multiplyingProgram(deep);
    const std::string add = "ROOT y = f32[] add(x, x)";
    text.replace(text.find(add), add.size(), "ROOT y = f32[] fusion(x), kind=kLoop, calls=fused");
    const std::string heading = "HloModule m\n";
    const std::string fused =
        "fused {\n  a0 = f32[] parameter(0)\n" +
        repeated(operations, [](int i) { return "  a" + n(i + 1) + " = f32[] add(a" + n(i) + ", a0)\n"; }) + "}\n";
    return text.insert(heading.size(), fused);
}

std::string chainAsJson(int nodes)
{
    return R"({"schema":"plimsoll.graph/1","inputs":[{"name":"layer_0/out","dtype":"float32","shape":[64]}],"nodes":[)" +
           repeated(nodes,
                    [](int i) {
                        return std::string(i == 0 ? "" : ",") + R"({"name":"layer_)" + n(i + 1) +
                               R"(/Relu","op":"Relu","inputs":["layer_)" + n(i) + R"(/out"],"outputs":["layer_)" +
                               n(i + 1) + R"(/out"]})";
                    }) +
           R"(],"outputs":["layer_)" + n(nodes) + R"(/out"]})";
}

/// Each name in a nested graph has that of its owner in front.
std::string longOwnerAsJson(int nodes)
{
    const std::string inside = R"({"nodes":[)" +
                               repeated(nodes,
                                        [](int i) {
                                            return std::string(i == 0 ? "" : ",") +
                                                   R"({"op":"Relu","inputs":["x"],"outputs":["v)" + n(i) + R"("]})";
                                        }) +
                               R"(],"outputs":["v0"]})";
    return R"({"schema":"plimsoll.graph/1","inputs":[{"name":"x"},{"name":"c"}],"nodes":[{"name":")" +
           std::string(100'000, 'n') + R"(","op":"If","inputs":["c"],"outputs":["y"],"subgraphs":{"then_branch":)" +
           inside + R"(,"else_branch":)" + inside + R"(}}],"outputs":["y"]})";
}

/// A BatchNorm without what it reads beside its data, as files of MXNet 0.8 have it.
std::string incompleteSymbol(int nodes)
{
    return R"({"nodes":[{"op":"null","name":"x","inputs":[]})" +
           repeated(nodes,
                    [](int i) { return R"(,{"op":"BatchNorm","name":"b)" + n(i) + R"(","inputs":[[0,0,0]]})"; }) +
           R"(],"heads":[[1,0,0]],"arg_nodes":[0]})";
}

/// Of each loop the condition is asked twice, and has the next loop in it.
std::string nestedLoops(int deep)
{
    const std::string x = R"json({"nodes":[{"op":"null","name":"x","inputs":[]},)json";
    const std::string heads = R"json(],"heads":[[1,0,0]],"arg_nodes":[0]})json";
    std::string graph = x + R"json({"op":"_copy","name":"c","inputs":[[0,0,0]]})json" + heads;
    const std::string body = x + R"json({"op":"_copy","name":"b","inputs":[[0,0,0]]})json" + heads;
    const std::string loop =
        R"json({"op":"_while_loop","name":"w","inputs":[[0,0,0]],"attrs":{"cond_input_locs":"(0,)",)json"
        R"json("func_input_locs":"(0,)","func_var_locs":"(0,)","max_iterations":"3","num_args":"3",)json"
        R"json("num_outputs":"1","num_out_data":"0"},"subgraphs":[)json";
    for (int i = 0; i < deep; ++i)
        graph = x + loop + graph + ',' + body + "]}" + heads;
    return graph;
}

/// A row pointer that gives every node as many outputs as a node may have.
std::string manyOutputs(int nodes)
{
    return R"({"nodes":[{"op":"null","name":"x","inputs":[]})" +
           repeated(nodes, [](int i) { return R"(,{"op":"_zz","name":"b)" + n(i) + R"(","inputs":[[0,0,0]]})"; }) +
           R"(],"heads":[[1,0,0]],"arg_nodes":[0],"node_row_ptr":[0)" +
           repeated(nodes + 1, [](int i) { return "," + n(1 + 65'536 * i); }) + "]}";
}

std::string statements(int lines)
{
    return "def forward(self, x):\n    a0 = aten.relu(x)\n" +
           repeated(lines, [](int i) { return "    a" + n(i + 1) + " = aten.relu(a" + n(i) + ")\n"; }) +
           "    return (a" + n(lines) + ",)\n";
}

/// A field of a protobuf message, of up to 2^21 bytes.
std::string field(int number, const std::string& content)
{
    std::string made(1, static_cast<char>(number << 3 | 2));
    for (std::size_t size = content.size();; size >>= 7) {
        made += static_cast<char>(size < 128 ? size : (size & 127) | 128);
        if (size < 128) return made + content;
    }
}

/// ModelProto with one opset; GraphProto has its nodes in field 1.
std::string model(const std::string& graph)
{
    return std::string("\x08\x08", 2) + field(7, graph) + field(8, std::string("\x10\x15", 2));
}

std::string tinyModel(int nodes)
{
    return model(repeated(nodes, [](int) { return field(1, field(4, "A")); }));
}

std::string exportedModel(int nodes)
{
    return model(field(11, field(1, "/layer.0/out")) +
                 repeated(nodes,
                          [](int i) {
                              return field(1, field(1, "/layer." + n(i) + "/out") +
                                                  field(2, "/layer." + n(i + 1) + "/out") +
                                                  field(3, "/layer." + n(i) + "/Relu") + field(4, "Relu"));
                          }) +
                 field(12, field(1, "/layer." + n(nodes) + "/out")));
}

/// HloProto: a parameter, and instructions of two bytes.
std::string emptyInstructions(int count)
{
    const std::string parameter = field(1, "p") + field(2, "parameter");
    const std::string computation =
        field(1, "c") + field(2, parameter) + repeated(count, [](int) { return field(2, ""); });
    return field(1, field(1, "m") + field(2, "c") + field(3, computation));
}

} // namespace

/// What SECURITY.md promises: at most ten times the file, and 64 MiB.
class ReadingMemoryTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aFileTakesTenTimesItsSize_data()
    {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<bool>("isRead");
        QTest::newRow("a table, one buffer a step") << table(800'000, 1) << true;
        QTest::newRow("a table, four buffers a step") << table(800'000, 4) << true;
        QTest::newRow("a program as XLA writes it") << dumpedProgram(120'000) << true;
        QTest::newRow("a program of a few letters a line") << shortProgram(200'000) << false;
        QTest::newRow("a program that multiplies") << multiplyingProgram(40) << false;
        QTest::newRow("a fusion in a program that multiplies") << multiplyingFusion(500, 15) << true;
        QTest::newRow("a compiled program of two bytes an instruction") << emptyInstructions(500'000) << false;
        QTest::newRow("graph JSON") << chainAsJson(150'000) << true;
        QTest::newRow("graph JSON of an owner with a long name") << longOwnerAsJson(2'000) << false;
        QTest::newRow("a symbol as it was exported") << incompleteSymbol(2'000) << true;
        QTest::newRow("a symbol of nothing but its shortest node") << incompleteSymbol(60'000) << false;
        QTest::newRow("loops in the conditions of loops") << nestedLoops(18) << false;
        QTest::newRow("nodes of very many outputs") << manyOutputs(60) << false;
        QTest::newRow("an ONNX model as it was exported") << exportedModel(100'000) << true;
        QTest::newRow("an ONNX model of five bytes a node") << tinyModel(300'000) << false;
        QTest::newRow("statements of a few letters") << statements(100'000) << false;
    }

    void aFileTakesTenTimesItsSize()
    {
        QFETCH(std::string, text);
        QFETCH(bool, isRead);
        giveBackPages();
        if (!forgetMost() || statusBytes("VmHWM") == 0)
            QSKIP("This system does not say how much memory was used at most.");
        const qint64 before = statusBytes("VmRSS");

        const auto read = readFile(FormatInput(text), {});

        const auto size = static_cast<qint64>(text.size());
        const qint64 most = statusBytes("VmHWM") - before;
        QVERIFY2(most <= 10 * size + (qint64 {64} << 20),
                 qPrintable(QStringLiteral("%1 MiB for %2").arg(most >> 20).arg(size)));
        const std::string error = read.ok() ? std::string() : english(toMessage(read.error()));
        QVERIFY2(read.ok() == isRead, error.c_str());
        QVERIFY2(read.ok() || error.find("more than ten times the bytes of its file") != std::string::npos,
                 error.c_str());
        QVERIFY2(read.ok() || !read.error().where.empty(), error.c_str());
    }
};

QTEST_GUILESS_MAIN(ReadingMemoryTest)
#include "tst_reading_memory.moc"
