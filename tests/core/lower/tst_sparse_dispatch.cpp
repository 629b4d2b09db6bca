#include "core/facts/english/english.h"
#include "core/lower/choose/sparse_dispatch.h"

#include "core/graph/validate.h"
#include "core/lower/types/infer_types.h"

#include "tests/support/catalogue_text.h"
#include "tests/support/graph_text.h"

#include <QTest>

using namespace plimsoll;

namespace {

struct Setting
{
    SparsePolicy sparse = SparsePolicy::Native;
    std::map<std::string, std::string> pins {};
    std::string offers {};
};

Result<Graph> inferred(std::string_view text, const InferenceRequest& request = {})
{
    auto result = inferTypes(test::graphFromText(text), request, {});
    if (!result.ok()) return result.error();
    return std::move(result).value().graph;
}

SparseDispatch dispatched(std::string_view text, const Setting& setting = {}, std::vector<Decision>* decisions = {})
{
    const Catalogue catalogue = test::catalogueFromText(setting.offers);
    Policies policies;
    policies.sparse = setting.sparse;
    const DecisionLog log = decisions ? DecisionLog(*decisions) : DecisionLog();
    return dispatchSparse(inferred(text).value(), {catalogue, policies, setting.pins}, log);
}

QString typeIn(const Graph& graph, std::string_view value)
{
    return QString::fromStdString(describe(graph[findValue(graph, value)].type));
}

/// One line for each node as it runs: "Relu x:dense → y". Those of nested graphs stand behind their owner's body.
QString picture(const Graph& graph)
{
    QStringList lines;
    for (const Body& body : graph.bodies) {
        for (const NodeId id : body.nodes) {
            const Node& node = graph[id];
            QString line = QString::fromStdString(node.op);
            for (const ValueId input : node.inputs)
                line += u' ' + QString::fromStdString(graph[input].name);
            line += QStringLiteral(" →");
            for (const ValueId output : node.outputs)
                line += u' ' + QString::fromStdString(graph[output].name);
            lines << (graph.decided[id].ahead ? u'[' + line + u']' : line);
        }
    }
    return lines.join(QStringLiteral("; "));
}

/// "a storage b" for the inputs of one operator of two matrices.
std::string twoInputs(const QString& a, const QString& b, const QString& node)
{
    return QStringLiteral("input a float32[6,6]%1\ninput b float32[6,6]%2\nn: y = %3\noutput y\n")
        .arg(a, b, node)
        .toStdString();
}

} // namespace

/// What operators make of sparse tensors, and how those go on that nothing computes.
class tst_SparseDispatch : public QObject
{
    Q_OBJECT

private slots:
    void rulesSayHowOutputsAreKept_data()
    {
        QTest::addColumn<QString>("a");
        QTest::addColumn<QString>("b");
        QTest::addColumn<QString>("node");
        QTest::addColumn<QString>("type");
        QTest::addColumn<bool>("native");
        const auto row = [](const char* name, const char* a, const char* b, const char* node, const char* type,
                            bool native) {
            QTest::newRow(name) << QString(a) << QString(b) << QString(node) << QString(type) << native;
        };
        const char* R3 = "@row_sparse:3";
        const char* R2 = "@row_sparse:2";
        const char* C5 = "@csr:5";
        row("csr times dense", C5, "", "MatMul(a, b)", "float32[6,6]", true);
        row("dense times csr", "", C5, "MatMul(a, b)", "float32[6,6]", false);
        row("csr times csr", C5, C5, "MatMul(a, b)", "float32[6,6]", false);
        row("a sum of rows", R3, R2, "Add(a, b)", "row_sparse(float32[6,6], at most 5)", true);
        row("rows and dense", R3, "", "Add(a, b)", "float32[6,6]", true);
        row("dense and rows", "", R3, "Add(a, b)", "float32[6,6]", true);
        row("a sum of csr", C5, C5, "Add(a, b)", "csr(float32[6,6], at most 10)", true);
        row("csr and dense", C5, "", "Add(a, b)", "float32[6,6]", true);
        row("dense and csr", "", C5, "Add(a, b)", "float32[6,6]", true);
        row("rows and csr", R3, C5, "Add(a, b)", "float32[6,6]", false);
        row("a product of rows", R3, R2, "Mul(a, b)", "row_sparse(float32[6,6], at most 2)", true);
        row("rows times dense", R3, "", "Mul(a, b)", "row_sparse(float32[6,6], at most 3)", true);
        row("dense times rows", "", R3, "Mul(a, b)", "row_sparse(float32[6,6], at most 3)", true);
        row("a product of csr", C5, "@csr:3", "Mul(a, b)", "csr(float32[6,6], at most 3)", true);
        row("csr times elements", C5, "", "Mul(a, b)", "csr(float32[6,6], at most 5)", true);
        row("elements times csr", "", C5, "Mul(a, b)", "csr(float32[6,6], at most 5)", true);
        row("a bound that one side knows", R3, "@row_sparse", "Mul(a, b)", "row_sparse(float32[6,6], at most 3)", true);
        row("a bound that nobody knows", R3, "@row_sparse", "Add(a, b)", "row_sparse(float32[6,6])", true);
        row("a copy", C5, "", "Identity(a)", "csr(float32[6,6], at most 5)", true);
        row("zero stays zero", C5, "", "Relu(a)", "csr(float32[6,6], at most 5)", true);
        row("zero stays zero in rows", R3, "", "Tanh(a)", "row_sparse(float32[6,6], at most 3)", true);
        row("MXNet's root", C5, "", "mxnet::sqrt(a)", "csr(float32[6,6], at most 5)", true);
        row("zero becomes one", C5, "", "Exp(a)", "float32[6,6]", false);
        row("MXNet's cosine", C5, "", "mxnet::cos(a)", "float32[6,6]", false);
        row("MXNet's dot", C5, "", "mxnet::dot(a, b)", "float32[6,6]", true);
        row("MXNet's dot, turned", C5, "", "mxnet::dot(a, b) transpose_a=1", "row_sparse(float32[6,6], at most 5)",
            true);
        row("MXNet's dot with the other turned", C5, "", "mxnet::dot(a, b) transpose_b=1", "float32[6,6]", false);
        row("MXNet's sum", R3, R2, "mxnet::elemwise_add(a, b)", "row_sparse(float32[6,6], at most 5)", true);
        row("MXNet's product", R3, "", "mxnet::elemwise_mul(a, b)", "row_sparse(float32[6,6], at most 3)", true);
        row("MXNet's product of csr and dense", C5, "", "mxnet::elemwise_mul(a, b)", "float32[6,6]", false);
        row("MXNet's difference", C5, C5, "mxnet::elemwise_sub(a, b)", "csr(float32[6,6], at most 10)", false);
        row("MXNet's scaling", C5, "", "mxnet::_mul_scalar(a) scalar=2", "csr(float32[6,6], at most 5)", true);
        row("a conversion", R3, "", "mxnet::cast_storage(a) stype=\"default\"", "float32[6,6]", true);
        row("a bounded conversion", "", "", "mxnet::cast_storage(a) stype=\"csr\" max_stored=7",
            "csr(float32[6,6], at most 7)", true);
        row("a conversion of unknown bound", "", "", "plimsoll::CastStorage(a) storage=\"csr\"", "csr(float32[6,6])",
            true);
        row("a conversion between sparse kinds", R3, "", "plimsoll::CastStorage(a) storage=\"csr\" max_stored=9",
            "csr(float32[6,6], at most 9)", false);
    }
    void rulesSayHowOutputsAreKept()
    {
        QFETCH(QString, a);
        QFETCH(QString, b);
        QFETCH(QString, node);
        QFETCH(QString, type);
        QFETCH(bool, native);
        const SparseDispatch result = dispatched(twoInputs(a, b, node));
        QCOMPARE(typeIn(result.graph, "y"), type);
        QCOMPARE(result.fallbacks.empty(), native);
        QVERIFY(validate(result.graph).ok());
    }

    void typesAndShapesDecideToo_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("type");
        QTest::addColumn<bool>("native");
        QTest::newRow("integers are computed dense")
            << QByteArray("input a int64[6,6]@row_sparse:3\ninput b int64[6,6]\ny = Mul(a, b)\noutput y\n")
            << QStringLiteral("int64[6,6]") << false;
        QTest::newRow("the sign of integers") << QByteArray("input a int64[6,6]@csr:3\ny = Sign(a)\noutput y\n")
                                              << QStringLiteral("csr(int64[6,6], at most 3)") << true;
        QTest::newRow("a row is spread over all")
            << QByteArray("input a float32[6,6]@row_sparse:3\ninput b float32[6]\ny = Add(a, b)\noutput y\n")
            << QStringLiteral("float32[6,6]") << false;
        QTest::newRow("batches of matrices")
            << QByteArray("input a float32[6,6]@csr:3\ninput b float32[2,6,6]\ny = MatMul(a, b)\noutput y\n")
            << QStringLiteral("float32[2,6,6]") << false;
        QTest::newRow("scaled by one number")
            << QByteArray("input a float32[6,6]@csr:3\ninput b float32[1]\ny = Mul(b, a)\noutput y\n")
            << QStringLiteral("csr(float32[6,6], at most 3)") << true;
        QTest::newRow("rows scaled by a scalar")
            << QByteArray("input a float32[6,6]@row_sparse:3\ninput b float32[]\ny = Mul(a, b)\noutput y\n")
            << QStringLiteral("row_sparse(float32[6,6], at most 3)") << true;
        QTest::newRow("a number of more axes than the tensor")
            << QByteArray("input a float32[6,6]@csr:3\ninput b float32[1,1,1]\ny = Mul(a, b)\noutput y\n")
            << QStringLiteral("float32[1,6,6]") << false;
        QTest::newRow("a number is added to everything")
            << QByteArray("input a float32[6,6]@csr:3\ninput b float32[1]\ny = Add(a, b)\noutput y\n")
            << QStringLiteral("float32[6,6]") << false;
        QTest::newRow("rows that are listed")
            << QByteArray("input a float32[6,6]@row_sparse:5\ninput i int64[2]\ny = plimsoll::Retain(a, i)\noutput y\n")
            << QStringLiteral("row_sparse(float32[6,6], at most 2)") << true;
    }
    void typesAndShapesDecideToo()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, type);
        QFETCH(bool, native);
        const SparseDispatch result = dispatched(text.toStdString());
        QCOMPARE(typeIn(result.graph, "y"), type);
        QCOMPARE(result.fallbacks.empty(), native);
    }

    void fallbacksAreNodesOfTheGraph_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("nodes");
        const auto row = [](const char* name, const char* text, const char* nodes) {
            QTest::newRow(name) << QByteArray(text) << QString::fromUtf8(nodes);
        };
        row("in front", "input x float32[4,4]@csr:5\ny = Exp(x)\noutput y\n",
            "CastStorage x → x:dense; Exp x:dense → y");
        row("behind as well", "input x float32[4,4]@csr:5\ny = mxnet::elemwise_sub(x, x)\noutput y\n",
            "CastStorage x → x:dense; elemwise_sub x:dense x:dense → y:dense; CastStorage y:dense → y");
        row("one for all readers", "input x float32[4,4]@csr:5\na = Exp(x)\nb = Cos(x)\noutput a b\n",
            "CastStorage x → x:dense; Exp x:dense → a; Cos x:dense → b");
        row("what is dense on the way stays so",
            "input x float32[4,4]@csr:5\na = mxnet::elemwise_sub(x, x)\nb = Exp(a)\noutput b\n",
            "CastStorage x → x:dense; elemwise_sub x:dense x:dense → a:dense; Exp a:dense → "
            "b");
        row("natives stay as they are",
            "input x float32[4,4]@csr:5\ninput w float32[4,4]\na = MatMul(x, w)\nb = Exp(a)\noutput b\n",
            "MatMul x w → a; Exp a → b");
        row("from one sparse kind to another",
            "input x float32[4,4]@row_sparse:2\ny = plimsoll::CastStorage(x) storage=\"csr\" max_stored=8\noutput y\n",
            "CastStorage x → x:dense; CastStorage x:dense → y");
        row("an opaque operator", "input x float32[4,4]\ny = my::Op(x)\nvalue y float32[4,4]@csr:5\noutput y\n",
            "Op x → y:dense; CastStorage y:dense → y");
        row("a branch reads from outside",
            "input c bool[]\ninput x float32[4,4]@csr:5\nz = If(c)\nbody then_branch\n  t = Exp(x)\n  output t\nend\n"
            "body else_branch\n  e = Cos(x)\n  output e\nend\noutput z\n",
            "CastStorage x → x:dense; If c → z; Exp x:dense → t; Cos x:dense → e");
        row("a branch hands out dense tensors",
            "input c bool[]\ninput x float32[4,4]@csr:5\nz = If(c)\nbody then_branch\n  t = Identity(x)\n  output "
            "t\nend\n"
            "body else_branch\n  e = Exp(x)\n  output e\nend\noutput z\n",
            "CastStorage x → x:dense; If c → z; Identity x → t; CastStorage t → t:dense; Exp x:dense → e");
    }
    void fallbacksAreNodesOfTheGraph()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, nodes);
        const SparseDispatch result = dispatched(text.toStdString());
        QString found = picture(result.graph);
        found.remove(QRegularExpression(QStringLiteral("If_0/\\w+_branch/")));
        QCOMPARE(found, nodes);
        QVERIFY(validate(result.graph).ok());
    }

    void policiesAndPinsChoose_data()
    {
        QTest::addColumn<QByteArray>("offers");
        QTest::addColumn<QByteArray>("pin");
        QTest::addColumn<bool>("dense");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char* name, const char* offers, const char* pin, bool dense, const char* reason) {
            QTest::newRow(name) << QByteArray(offers) << QByteArray(pin) << dense << QString(reason);
        };
        row("as it is", "", "", false, "");
        row("the policy", "", "", true,
            "the policy sparse=dense takes no implementation of MatMul for csr(float32[4,4], at most 5) + "
            "float32[4,4]");
        row("a pin to what is dense", "dot fast gemm ms=1\n", "gemm", false,
            "it is pinned to 'gemm', which takes dense tensors");
        row("a pin to the reference", "dot fast gemm ms=1\n", "reference", false, "");
        row("a pin to another sparse one", "dot fast spmm takes=csr,dense leaves=dense ms=1\n", "spmm", false, "");
    }
    void policiesAndPinsChoose()
    {
        QFETCH(QByteArray, offers);
        QFETCH(QByteArray, pin);
        QFETCH(bool, dense);
        QFETCH(QString, reason);
        Setting setting {dense ? SparsePolicy::Dense : SparsePolicy::Native, {}, offers.toStdString()};
        if (!pin.isEmpty()) setting.pins["dot"] = pin.toStdString();
        const auto result =
            dispatched("input x float32[4,4]@csr:5\ninput w float32[4,4]\ndot: y = MatMul(x, w)\noutput y\n", setting);
        QCOMPARE(result.fallbacks.empty() ? QString()
                                          : QString::fromStdString(english(result.fallbacks.front().reason)),
                 reason);
    }

    void aBackendThatTakesThemIsNative()
    {
        const char* text = "input w float32[4,4]\ninput x float32[4,4]@csr:5\ndot: y = MatMul(w, x)\noutput y\n";
        QCOMPARE(dispatched(text).fallbacks.size(), std::size_t(1));
        Setting setting;
        setting.offers = "dot fast spmm takes=dense,csr leaves=dense ms=1\n";
        std::vector<Decision> decisions;
        QVERIFY(dispatched(text, setting, &decisions).fallbacks.empty());
        QCOMPARE(decisions.size(), std::size_t(1));
        QCOMPARE(decisions.front().other, std::string("fast spmm"));
        setting.offers = "dot fast spmm takes=csr,dense leaves=dense ms=1\n";
        QCOMPARE(dispatched(text, setting).fallbacks.size(), std::size_t(1));
    }

    void everyChoiceLeavesADecision()
    {
        std::vector<Decision> decisions;
        dispatched(
            "input x float32[4,4]@csr:5\ninput w float32[4,4]\ndot: a = MatMul(x, w)\nr: y = Exp(x)\noutput a y\n", {},
            &decisions);
        QCOMPARE(decisions.size(), std::size_t(2));
        QVERIFY(decisions[0].accepted);
        QCOMPARE(english(decisions[0].reason),
                 std::string("It is computed as its tensors are kept, by reference csr + dense."));
        QVERIFY(!decisions[1].accepted);
        QCOMPARE(decisions[1].bytes, std::int64_t(64));
        QCOMPARE(english(decisions[1].reason),
                 std::string("Dense temporaries of 64 B: nothing computes Exp for csr(float32[4,4], at most 5)."));
    }

    /// The storages alone would be computed: what stands in the way is the type.
    void theReasonNamesTheType()
    {
        const SparseDispatch result =
            dispatched("input a int32[4,4]@csr:5\ninput b int32[4,4]@csr:2\nn: y = Add(a, b)\noutput y\n");
        QCOMPARE(result.fallbacks.size(), std::size_t(1));
        QCOMPARE(english(result.fallbacks.front().reason),
                 std::string("nothing computes Add for csr(int32[4,4], at most 5) + csr(int32[4,4], at most 2)"));
    }

    void boundsComeFromTheCaller()
    {
        const char* text = "input x float32[4,4]@csr\ny = Identity(x)\noutput y\n";
        QCOMPARE(typeIn(inferred(text).value(), "y"), QStringLiteral("csr(float32[4,4])"));
        InferenceRequest request;
        request.maxStored["x"] = 6;
        QCOMPARE(typeIn(inferred(text, request).value(), "y"), QStringLiteral("csr(float32[4,4], at most 6)"));
        request.maxStored["y"] = 3;
        QCOMPARE(typeIn(inferred(text, request).value(), "y"), QStringLiteral("csr(float32[4,4], at most 3)"));
    }

    void wrongTypesSayWhy_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("bounded");
        QTest::addColumn<QString>("error");
        const auto row = [](const char* name, const char* text, const char* bounded, const char* error) {
            QTest::newRow(name) << QByteArray(text) << QByteArray(bounded) << QString(error);
        };
        row("a csr image", "input x float32[4,4,4]@csr:5\ny = Relu(x)\noutput y\n", "", "csr needs two dimensions");
        row("a conversion of an image",
            "input x float32[4,4,4]\ny = plimsoll::CastStorage(x) storage=\"csr\" max_stored=3\noutput y\n", "",
            "cannot be: csr needs two dimensions");
        row("a rule against the file",
            "input x float32[4,4]@row_sparse:2\ninput b float32[4,4]\ny = Add(x, b)\nvalue y "
            "float32[4,4]@csr:5\noutput y\n",
            "", "The file says that 'y' is csr(float32[4,4], at most 5), but float32[4,4] follows");
        row("a bound of nothing", "input x float32[4]\ny = Relu(x)\noutput y\n", "z", "no value of that name");
        row("a bound of what is dense", "input x float32[4]\ny = Relu(x)\noutput y\n", "y", "which is not sparse");
    }
    void wrongTypesSayWhy()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, bounded);
        QFETCH(QString, error);
        InferenceRequest request;
        if (!bounded.isEmpty()) request.maxStored[bounded.toStdString()] = 4;
        const auto graph = inferred(text.toStdString(), request);
        QVERIFY(!graph.ok());
        QVERIFY2(english(graph.error().message).find(error.toStdString()) != std::string::npos,
                 english(graph.error().message).c_str());
    }
};

QTEST_APPLESS_MAIN(tst_SparseDispatch)
#include "tst_sparse_dispatch.moc"
