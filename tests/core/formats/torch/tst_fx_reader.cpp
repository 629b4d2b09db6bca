#include "core/facts/english/english.h"
#include "core/lower/types/infer_types.h"
#include "tests/core/formats/torch/fx_text.h"

#include <QtTest>

#include <fstream>
#include <iterator>
#include <random>

using namespace plimsoll;
using namespace plimsoll::test;
namespace fs = std::filesystem;

namespace {

const fs::path Corpus = fs::path(PLIMSOLL_SHARED_DIR) / "corpora" / "pytorch";

std::string slurp(const fs::path& path)
{
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

} // namespace

class FxReaderTest : public QObject
{
    Q_OBJECT

private slots:
    void everyPrintReadsTheSame_data();
    void everyPrintReadsTheSame();
    void symbolsAreSizes();
    void forwardAndBackwardAreOneGraph();
    void aForwardGraphAloneKeepsViewsOfItsInputs();
    void namesThatBothHalvesUseAreParted();
    void halvesThatDoNotAgreeAreRefused();
    void graphsAreAskedForByName();
    void whatHasNoTypeAndIsNotReadIsNoTensor();
    void theCorpusIsRead_data();
    void theCorpusIsRead();
    void whatIsWrongIsSaidWithItsLine_data();
    void whatIsWrongIsSaidWithItsLine();
    void damagedTextsNeverBreakTheReader_data();
    void damagedTextsNeverBreakTheReader();
};

void FxReaderTest::everyPrintReadsTheSame_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("plain") << QByteArray(R"(class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "f32[4][1]cpu"):
        mul: "f32[4][1]cpu" = torch.ops.aten.mul.Tensor(arg0_1, 2.0);  arg0_1 = None
        relu: "f32[4][1]cpu" = torch.ops.aten.relu.default(mul);  mul = None
        return (relu,)
)");
    QTest::newRow("types without quotes") << QByteArray(R"(def forward(self, arg0_1: f32[4]):
    mul: f32[4] = torch.ops.aten.mul.Tensor(arg0_1, 2.0);  arg0_1 = None
    relu: f32[4] = torch.ops.aten.relu.default(mul);  mul = None
    return [relu]
)");
    QTest::newRow("a log") << QByteArray(
        "I0819 12:42:50.1 888 torch/_functorch/a.py:24] [0/0] [__aot_graphs] TRACED GRAPH\n"
        "I0819 12:42:50.1 888 torch/_functorch/a.py:24] [0/0] [__aot_graphs]  ===== Inference graph 0 =====\n"
        "I0819 12:42:50.1 888 torch/a.py:24] [0/0] [__aot_graphs]  /p/_lazy_graph_module.py class "
        "<lambda>(torch.nn.Module):\n"
        "I0819 12:42:50.1 888 torch/a.py:24] [0/0] [__aot_graphs]     def forward(self, arg0_1: \"f32[4][1]cpu\"):\n"
        "I0819 12:42:50.1 888 torch/a.py:24] [0/0] [__aot_graphs]          # File: a.py:3 in f, code: g()\n"
        "I0819 12:42:50.1 888 torch/a.py:24] [0/0] [__aot_graphs]         mul: \"f32[4][1]cpu\" = "
        "torch.ops.aten.mul.Tensor(arg0_1, 2.0);  arg0_1 = None\n"
        "I0819 12:42:50.1 888 torch/a.py:24] [0/0] [__aot_graphs]         relu: \"f32[4][1]cpu\" = "
        "torch.ops.aten.relu.default(mul);  mul = None\n"
        "I0819 12:42:50.1 888 torch/a.py:24] [0/0] [__aot_graphs]         return (relu,)\n"
        "I0819 12:42:50.1 888 torch/a.py:24] [0/0] [__aot_graphs]         \n");
    QTest::newRow("an old log") << QByteArray(
        "[2023-11-16 22:34:36,034] [0/0] torch._functorch.aot_autograd.__aot_graphs: [INFO]  ===== Forward graph 0 "
        "=====\n"
        "[2023-11-16 22:34:36,034] [0/0] torch.a: [INFO]  <eval_with_key>.2 class GraphModule(torch.nn.Module):\n"
        "[2023-11-16 22:34:36,034] [0/0] torch.a: [INFO]     def forward(self, arg0_1: f32[4]):\n"
        "[2023-11-16 22:34:36,034] [0/0] torch.a: [INFO]         # File: a.py:3, code: g()\n"
        "[2023-11-16 22:34:36,034] [0/0] torch.a: [INFO]         mul: f32[4] = torch.ops.aten.mul.Tensor(arg0_1, 2.0)\n"
        "[2023-11-16 22:34:36,034] [0/0] torch.a: [INFO]         relu: f32[4] = torch.ops.aten.relu.default(mul)\n"
        "[2023-11-16 22:34:36,034] [0/0] torch.a: [INFO]         return [relu]\n");
    QTest::newRow("arguments on lines of their own") << QByteArray(R"(
class inner_f(torch.nn.Module):
    def forward(
        self,
        primals,
    ):
        arg0_1: "f32[4][1]cpu"  # PlainAOTInput(idx=0)
        arg0_1, = fx_pytree.tree_flatten_spec([primals], self._in_spec)
        mul: "f32[4][1]cpu" = torch.ops.aten.mul.Tensor(arg0_1, 2.0);  arg0_1 = None
        relu: "f32[4][1]cpu" = torch.ops.aten.relu.default(mul);  mul = None
        return pytree.tree_unflatten([
            relu,  # PlainAOTOutput(idx=0)
            None,  # None
        ], self._out_spec)
)");
    QTest::newRow("nested results") << QByteArray(R"(def forward(self, arg0_1: "f32[4]"):
    mul: "f32[4]" = torch.ops.aten.mul.Tensor(arg0_1, 2.0)
    relu: "f32[4]" = torch.ops.aten.relu.default(mul)
    return {'out': (relu, None)}
)");
}

void FxReaderTest::everyPrintReadsTheSame()
{
    QFETCH(QByteArray, text);
    const auto graph = read(text.toStdString());
    QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
    QCOMPARE(drawn(graph.value()), QStringLiteral("Mul arg0_1 mul.other -> mul\nRelu mul -> relu"));
    QCOMPARE(namesOf(graph.value(), graph.value().top().inputs), QStringLiteral("arg0_1"));
    QCOMPARE(namesOf(graph.value(), graph.value().top().outputs), QStringLiteral("relu"));
    QCOMPARE(typeOf(graph.value(), "relu"), QStringLiteral("float32[4]"));
}

void FxReaderTest::symbolsAreSizes()
{
    const auto graph = read(R"py(def forward(self, primals_1: "Sym(s0)", primals_2: "f32[s0, 4][4, 1]cuda:0"):
    sym: "Sym(s0)" = torch.ops.aten.sym_size.int(primals_2, 0)
    r: "f32[s0, 4][4, 1]cuda:0" = torch.ops.aten.relu.default(primals_2)
    f: "f32[4*s0][1]cuda:0" = torch.ops.aten.view.default(r, [sym * 4])
    return (f, sym)
)py");
    QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
    const auto inferred = inferTypes(graph.value(), {{{"s0", 3}}, {}}, {});
    QVERIFY2(inferred.ok(), inferred.ok() ? "" : describe(inferred.error()).c_str());
    QCOMPARE(typeOf(inferred.value().graph, "r"), QStringLiteral("float32[3,4]"));
    QCOMPARE(typeOf(inferred.value().graph, "f"), QStringLiteral("float32[12]"));
    QCOMPARE(graph.value()[findValue(graph.value(), "r")].at->space, std::string("cuda:0"));
}

const char* const Halves = R"py(
class GraphModule(torch.nn.Module):
    def forward(self, primals_1: "f32[3, 4]", primals_2: "f32[2, 3]", primals_3: "Sym(s0)"):
        mm: "f32[2, 4]" = torch.ops.aten.mm.default(primals_2, primals_1);  primals_1 = None
        tanh: "f32[2, 4]" = torch.ops.aten.tanh.default(mm);  mm = None
        return (tanh, primals_2, tanh, primals_3)
class GraphModule(torch.nn.Module):
    def forward(self, primals_3: "Sym(s0)", primals_2: "f32[2, 3]", tanh: "f32[2, 4]", tangents_1: "f32[2, 4]"):
        mm: "f32[2, 4]" = torch.ops.aten.tanh_backward.default(tangents_1, tanh);  tangents_1 = tanh = None
        permute: "f32[3, 2][1, 3]" = torch.ops.aten.permute.default(primals_2, [1, 0]);  primals_2 = None
        mm_1: "f32[3, 4]" = torch.ops.aten.mm.default(permute, mm);  permute = mm = None
        return (mm_1, None, None)
)py";

void FxReaderTest::forwardAndBackwardAreOneGraph()
{
    const auto whole = read(std::string(Halves));
    QVERIFY2(whole.ok(), qPrintable(errorOf(whole)));
    const Graph& graph = whole.value();
    QCOMPARE(namesOf(graph, graph.top().inputs), QStringLiteral("primals_1 primals_2 primals_3 tangents_1"));
    QCOMPARE(namesOf(graph, graph.top().outputs), QStringLiteral("tanh mm_1"));
    const auto facts = QJsonDocument::fromJson(QByteArray::fromStdString(graph.extra)).object()["pytorch"].toObject();
    QCOMPARE(facts["saved"].toArray(), (QJsonArray {"primals_2", "tanh", "primals_3"}));
    QCOMPARE(facts["tangents"].toArray(), QJsonArray {"tangents_1"});
    QCOMPARE(facts["gradients"].toArray(), (QJsonArray {"mm_1", QJsonValue(), QJsonValue()}));
    QVERIFY(graph[findValue(graph, "primals_1")].requiresGrad);
    QVERIFY(!graph[findValue(graph, "primals_2")].requiresGrad);
    QVERIFY(QString::fromStdString(english(graph.notes).front()).endsWith("left out: 'permute'."));
    QVERIFY(QString::fromStdString(english(graph.notes).back()).contains("'training'"));
}

/// They are no outputs of the caller. A graph that is not one half of two keeps nothing.
void FxReaderTest::aForwardGraphAloneKeepsViewsOfItsInputs()
{
    const std::string text = "def forward(self, primals_1: \"f32[2, 3]\", primals_2: \"f32[3]\"):\n"
                             "    t: \"f32[3, 2]\" = torch.ops.aten.t.default(primals_1)\n"
                             "    view: \"f32[3, 2]\" = torch.ops.aten.view.default(t, [3, 2]);  t = None\n"
                             "    relu: \"f32[3]\" = torch.ops.aten.relu.default(primals_2)\n"
                             "    return (relu, primals_2, view)\n";
    const auto savedIn = [](const std::string& listing) {
        const auto graph = read(listing);
        return graph.ok() ? namesOf(graph.value(), graph.value().boundary.saved) : QStringLiteral("(no graph)");
    };
    QCOMPARE(savedIn(text), QStringLiteral("primals_2 view"));

    std::string whole = text;
    for (std::size_t at = whole.find("primals"); at != std::string::npos; at = whole.find("primals", at))
        whole.replace(at, 7, "args");
    QCOMPARE(savedIn(whole), QString());
}

void FxReaderTest::namesThatBothHalvesUseAreParted()
{
    const auto graph = read(Halves);
    QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
    QCOMPARE(drawn(graph.value()),
             QStringLiteral("MatMul primals_2 primals_1 -> mm\nTanh mm -> tanh\n"
                            "aten::tanh_backward tangents_1 tanh -> mm_backward in-place 0 in-place 1\n"
                            "Gemm primals_2 mm_backward -> mm_1"));
}

void FxReaderTest::halvesThatDoNotAgreeAreRefused()
{
    QString text = QString::fromLatin1(Halves);
    text.replace("tanh: \"f32[2, 4]\", tangents", "tanh: \"f32[4, 4]\", tangents");
    const auto graph = read(text.toStdString());
    QVERIFY(!graph.ok());
    QVERIFY2(errorOf(graph).startsWith("line 8: 'tanh' is f32[4, 4] in the backward graph"),
             qPrintable(errorOf(graph)));
}

void FxReaderTest::graphsAreAskedForByName()
{
    const QTemporaryDir folder;
    const fs::path file = fs::path(folder.path().toStdString()) / "a.log";
    std::ofstream(file) << Halves;
    const auto second = readGraph(file.string() + "#GraphModule-2", {});
    QVERIFY2(second.ok(), qPrintable(errorOf(second)));
    QCOMPARE(second.value().nodes.size(), std::size_t {2});
    const auto none = readGraph(file.string() + "#joint", {});
    QVERIFY(!none.ok());
    QCOMPARE(none.error().code, ErrorCode::BadInput);
    QVERIFY2(errorOf(none).contains("It has 'training', 'GraphModule', 'GraphModule-2'."), qPrintable(errorOf(none)));
    std::ofstream(file.string() + "#odd") << Halves;
    QVERIFY(readGraph(file.string() + "#odd", {}).ok());
    const fs::path one = fs::path(PLIMSOLL_SOURCE_DIR) / "resources/examples/two-outputs.json";
    QVERIFY(errorOf(readGraph(one.string() + "#x", {})).contains("holds one graph"));
}

/// What is called for its effect leaves None; a text without types does not tell it from a tensor.
void FxReaderTest::whatHasNoTypeAndIsNotReadIsNoTensor()
{
    const std::string typed = R"(def forward(self, x: "f32[4]"):
    _check = torch.ops.aten._linalg_check_errors.default(x, 'inv', is_matrix = True);  _check = None
    left = torch.ops.my.op.default(x)
    y: "f32[4]" = torch.ops.my.other.default(left);  left = None
    return (y,)
)";
    const auto kindOf = [](const std::string& text, std::string_view name) {
        const Graph graph = read(text).value();
        return std::ranges::find(graph.values, name, &Value::name)->type.kind;
    };
    QVERIFY(kindOf(typed, "_check") == TypeKind::Opaque);
    QVERIFY(kindOf(typed, "left") == TypeKind::Tensor);
    std::string untyped = typed;
    untyped.replace(untyped.find("y: \"f32[4]\""), 11, "y");
    QVERIFY(kindOf(untyped, "_check") == TypeKind::Tensor);
}

void FxReaderTest::theCorpusIsRead_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("inputs");
    QTest::addColumn<QString>("outputs");
    QTest::addColumn<QString>("own"); ///< Operators without a counterpart.
    QTest::addColumn<qsizetype>("nodes");
    const QString log = "inductor_provenance_jit_debug_handle_log.txt";
    QTest::newRow("inference") << "simple.log"
                               << "arg0_1"
                               << "baz"
                               << "aten::rand aten::mul test::baz" << qsizetype {12};
    QTest::newRow("post-grad")
        << "simple.log#inductor_post_grad_graph"
        << "arg0_1"
        << "baz"
        << "prims::inductor_seeds prims::inductor_lookup_seed prims::inductor_random aten::mul test::baz"
        << qsizetype {13};
    QTest::newRow("training") << log << "primals_1 primals_2 primals_3 primals_4 primals_5 primals_6 tangents_1"
                              << "sigmoid mul_3 mm view"
                              << "" << qsizetype {19};
    QTest::newRow("joint") << log + "#aot_joint_graph"
                           << "primals_1 primals_2 primals_3 primals_4 primals_5 primals_6 tangents_1"
                           << "sigmoid mul_3 permute_3 view"
                           << "" << qsizetype {28};
    QTest::newRow("forward") << log + "#aot_forward_graph"
                             << "primals_1 primals_2 primals_3 primals_4 primals_5 primals_6"
                             << "sigmoid mul_3 primals_3 sigmoid le"
                             << "" << qsizetype {11};
    QTest::newRow("dynamo") << log + "#dynamo_output_graph"
                            << "L_x_ L_a_ L_c_ L_b_"
                            << "x_2 z"
                            << "" << qsizetype {6};
}

void FxReaderTest::theCorpusIsRead()
{
    if (!fs::exists(Corpus)) QSKIP("The corpora are not beside the sources.");
    QFETCH(QString, file);
    QFETCH(QString, inputs);
    QFETCH(QString, outputs);
    QFETCH(QString, own);
    QFETCH(qsizetype, nodes);

    const auto whole = readGraph(Corpus / file.toStdString(), {});

    QVERIFY2(whole.ok(), qPrintable(errorOf(whole)));
    const Graph& graph = whole.value();
    QCOMPARE(namesOf(graph, graph.top().inputs), inputs);
    QCOMPARE(namesOf(graph, graph.top().outputs), outputs);
    QStringList foreign;
    for (const Node& node : graph.nodes) {
        if (!node.domain.empty()) foreign << QString::fromStdString(qualifiedOp(node));
    }
    QCOMPARE(foreign.join(u' '), own);
    QCOMPARE(static_cast<qsizetype>(graph.nodes.size()), nodes);
    for (const Value& value : graph.values)
        QVERIFY2(value.type.bytes(), value.name.c_str());
    QVERIFY(inferTypes(graph, {}, {}).ok());
}

void FxReaderTest::whatIsWrongIsSaidWithItsLine_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("error");
    const auto row = [](const char* body, const char* error) {
        QTest::newRow(body) << QByteArray("        ") + body + "\n" << QString::fromLatin1(error);
    };
    row(R"(r: "f32[2, 3]" = torch.ops.aten.relu.default(z))", "line 4: 'z' is read here, but neither an input nor");
    row("r: \"f32[2, 3]\" = torch.ops.aten.relu.default(s)\n        s: \"f32[2, 3]\" = torch.ops.aten.relu.default(x)",
        "line 4: 's' is read here");
    row("s: \"f32[2, 3]\" = torch.ops.aten.exp.default(x);  x = None\n"
        "        r: \"f32[2, 3]\" = torch.ops.aten.relu.default(x)",
        "line 5: 'x' is read here, but was given up in line 4.");
    row("r: \"f32[2, 3]\" = torch.ops.aten.exp.default(x)\n        r: \"f32[2, 3]\" = torch.ops.aten.relu.default(x)",
        "line 5: 'r' is computed a second time; the first is in line 4.");
    row(R"(x: "f32[2, 3]" = torch.ops.aten.exp.default(y))", "line 4: 'x' is computed a second time");
    row(R"(r: "f32[3, 3]" = torch.ops.aten.relu.default(x))",
        "line 4: 'r' is printed as float32[3,3], but relu of these arguments gives float32[2,3].");
    row(R"(r: "f32[2, 5]" = torch.ops.aten.mm.default(x, w))", "line 4: 'r' is printed as float32[2,5], but mm of");
    row(R"(r: "f32[3, 3]" = torch.ops.aten.mm.default(w, x))", "line 4: 'r': ");
    row(R"(r: "f32[7]" = torch.ops.aten.view.default(x, [7]))", "line 4: 'r': float32[2,3] has 6 elements and cannot");
    row(R"(r: "f99[2]" = torch.ops.aten.relu.default(x))",
        "line 4: 'r': 'f99[2]' is not a type: there is no element type");
    row(R"(r: "f32[2, -3]" = torch.ops.aten.relu.default(x))", "a size is negative");
    row(R"(r: "f32[2, 3][1]" = torch.ops.aten.relu.default(x))", "a stride too many or too few");
    row(R"(r: "f32[9223372036854775807, 8]" = torch.ops.aten.relu.default(x))", "do not fit in 63 bits");
    row(R"(r: "f32[99999999999999999999]" = torch.ops.aten.relu.default(x))", "is no size");
    row(R"(r: "f32[2, 3" = torch.ops.aten.relu.default(x))", "a ']' is missing");
    row(R"(r: "f32[2, 3]" = torch.ops.aten.relu.default(x)", "line 4: A bracket that is opened here is not closed");
    row(R"(r: "f32[2, 3]" = torch.ops.aten.relu.default(x) y)", "line 4: The end of the statement is expected");
    row(R"(r: "f32[2, 3]" = torch.ops.aten.relu.default(x, ?))", "line 4: '?' does not belong");
    row(R"(r: "f32[2, 3]" = )", "The statement ends in the middle.");
    row(R"(r: "f32[2, 3] = torch.ops.aten.relu.default(x))", "line 4: A text in quotes does not end");
}

void FxReaderTest::whatIsWrongIsSaidWithItsLine()
{
    QFETCH(QByteArray, body);
    QFETCH(QString, error);
    const auto graph = read(function(body, "(r,)"));
    QVERIFY(!graph.ok());
    QCOMPARE(graph.error().code, ErrorCode::BadInput);
    QVERIFY2(errorOf(graph).contains(error), qPrintable(errorOf(graph)));
}

void FxReaderTest::damagedTextsNeverBreakTheReader_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("halves") << QByteArray(Halves);
    if (!fs::exists(Corpus)) return;
    const QByteArray log = QByteArray::fromStdString(slurp(Corpus / "inductor_provenance_jit_debug_handle_log.txt"));
    QTest::newRow("training log") << log;
    QTest::newRow("its forward and backward graph") << log.mid(log.indexOf("{\"aot_forward_graph\"") - 200, 9000);
}

/// Cut at every sixteenth and with a bit turned over: an error with a place, or a graph that is whole.
void FxReaderTest::damagedTextsNeverBreakTheReader()
{
    QFETCH(QByteArray, text);
    const auto attempt = [](const QByteArray& damaged) {
        const auto graph = read(damaged.toStdString());
        if (graph.ok())
            static_cast<void>(inferTypes(graph.value(), {}, {}).ok());
        else
            QVERIFY2(graph.error().code == ErrorCode::BadInput && !graph.error().message.empty(), "no reason");
    };
    for (qsizetype part = 0; part < 16; ++part)
        attempt(text.left(text.size() * part / 16));
    const unsigned seed = 20261121;
    qInfo("seed %u", seed);
    std::mt19937 random(seed);
    for (int i = 0; i < (text.size() > 20000 ? 60 : 600); ++i) {
        QByteArray damaged = text;
        const auto at = static_cast<qsizetype>(random() % static_cast<unsigned>(text.size()));
        damaged[at] = static_cast<char>(damaged[at] ^ (1 << (random() % 8)));
        attempt(damaged);
    }
}

QTEST_APPLESS_MAIN(FxReaderTest)
#include "tst_fx_reader.moc"
