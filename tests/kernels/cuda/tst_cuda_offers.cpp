#include "core/facts/english/english.h"
#include "core/lower/types/infer_types.h"
#include "core/ops/saving.h"
#include "kernels/cuda/cuda.h"
#include "kernels/cuda/cuda_families.h"
#include "tests/support/graph_text.h"

#include <QTest>

#include <cmath>
#include <set>

using namespace plimsoll;
using namespace plimsoll::kernels;

/// What is offered for a node, before any device is there: which kernels, where their outputs may lie, what room they
/// need, and what is declined.
class TestCudaOffers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void offers_data();
    void offers();
    void kernelsOfOtherDialects_data();
    void kernelsOfOtherDialects();
    void aTableNamesEachKernelOnce();
    void aLibraryIsOfferedWhereItIsThere();
    void timesFollowBytesAndOperations();
};

namespace {

Graph inferred(const std::string& text)
{
    auto types = inferTypes(test::graphFromText(text), {}, {});
    if (!types.ok()) qFatal("%s", describe(types.error()).c_str());
    return types.value().graph;
}

std::vector<Implementation> offersFor(const Graph& graph)
{
    const Catalogue catalogue = describeForCuda(graph, {.cublas = true}, {});
    const auto found = catalogue.offers.find(graph.nodes.back().name);
    return found == catalogue.offers.end() ? std::vector<Implementation>() : found->second;
}

/// "elementwise 0<0 0<1; cublas +4096": the name, pairs of output and input in place, bytes of scratchpad.
QString textOf(const std::vector<Implementation>& offers)
{
    QStringList texts;
    for (const Implementation& offer : offers) {
        QString text = QString::fromStdString(offer.name);
        for (const auto& pair : offer.inPlace)
            text += QStringLiteral(" %1<%2").arg(pair.output).arg(pair.input);
        if (offer.scratchpadBytes > 0) text += QStringLiteral(" +%1").arg(offer.scratchpadBytes);
        texts += text;
    }
    return texts.join(QStringLiteral("; "));
}

/// A graph of one node, and the kernels that are offered for it: "kernel output<input +scratchpad".
constexpr struct
{
    const char* name;
    const char* graph;
    const char* offers;
} Offered[] = {
    {"over both operands", "input a float32[8]\ninput b float32[8]\ny = Add(a, b)\noutput y", "elementwise 0<0 0<1"},
    {"over the one that has its shape", "input a float32[1]\ninput b float32[8]\ny = Add(a, b)\noutput y",
     "elementwise 0<1"},
    {"not over another type", "input a float32[8]\ninput b float32[8]\ny = Less(a, b)\noutput y", "elementwise"},
    {"a further operand is read when the output has begun",
     "input a float32[8]\ninput b float32[8]\ninput c float32[8]\ny = Sum(a, b, c)\noutput y", "elementwise 0<0 0<1"},
    {"no double precision", "input a float64[8]\ny = Relu(a)\noutput y", ""},
    {"a product, by the library and by ourselves",
     "input a float32[4,5]\ninput b float32[5,6]\ny = MatMul(a, b)\noutput y", "cublas +4194304; tiled"},
    {"a product in half precision, by ourselves",
     "input a float16[4,5]\ninput b float16[5,6]\ny = MatMul(a, b)\noutput y", "tiled"},
    {"a product of nothing, by ourselves", "input a float32[4,0]\ninput b float32[0,6]\ny = MatMul(a, b)\noutput y",
     "tiled"},
    {"Gemm over what it adds",
     "input a float32[2,3]\ninput b float32[3,2]\ninput c float32[2,2]\ny = Gemm(a, b, c)\noutput y",
     "cublas 0<2 +4194304; tiled 0<2"},
    {"a permutation", "input a float32[2,3]\ny = Transpose(a)\noutput y", "copy"},
    {"the same bytes", "input a float32[2,3]\ny = Flatten(a)\noutput y", "copy 0<0"},
    {"blocks of depth", "input a float32[1,4,3,3]\ny = DepthToSpace(a) blocksize=2\noutput y", "copy"},
    {"a sum that fits in one pass", "input a float32[4,8]\ny = ReduceSum(a) keepdims=0\noutput y", "reduction"},
    {"a sum in two passes", "input a float32[1048576]\ny = ReduceSum(a) keepdims=0\noutput y", "reduction +1024"},
    {"a mean of integers", "input a int32[4,8]\ny = ReduceMean(a) keepdims=0\noutput y", "reduction"},
    {"no root of integers", "input a int32[4,8]\ny = ReduceL2(a) keepdims=0\noutput y", ""},
    {"the place of the largest", "input a float32[4,8]\ny = ArgMax(a) axis=1\noutput y", "reduction"},
    {"axes that are known", "input a float32[4,8]\nconst k int64[1] = 0\ny = ReduceMax(a, k)\noutput y", "reduction"},
    {"a running sum over its input", "input a int64[4]\nconst k int64[] = 0\ny = CumSum(a, k)\noutput y", "scan 0<0"},
    {"a running sum along any axis", "input a int64[4]\ninput k int64[]\ny = CumSum(a, k)\noutput y", ""},
    {"rows over themselves", "input a float32[4,8]\ny = Softmax(a)\noutput y", "softmax 0<0"},
    {"normalized rows", "input a float32[4,8]\nparam s float32[8]\ny = LayerNormalization(a, s)\noutput y",
     "normalization 0<0"},
    {"a scale of another width", "input a float32[4,8]\nparam s float32[1]\ny = LayerNormalization(a, s)\noutput y",
     ""},
    {"a cut by constants",
     "input a float32[4]\nconst b int64[1] = 1\nconst e int64[1] = 3\ny = Slice(a, b, e)\noutput y", "copy"},
    {"parts", "input a float32[4]\ny, z = Split(a) num_outputs=2\noutput y z", "copy"},
    {"parts that are put together", "input a float32[2,3]\ny = Concat(a, a) axis=1\noutput y", "copy"},
    {"a fill", "const k int64[1] = 3\ny = ConstantOfShape(k)\noutput y", "fill"},
    {"rows by index", "input a float32[4,2]\ninput k int64[3]\ny = Gather(a, k)\noutput y", "gather"},
    {"updates over the data",
     "input a float32[4]\ninput k int64[2]\ninput u float32[2]\ny = ScatterElements(a, k, u)\noutput y", "scatter 0<0"},
    {"products of integers are not scattered",
     "input a int64[4]\ninput k int64[2]\ninput u int64[2]\ny = ScatterElements(a, k, u) reduction=\"mul\"\noutput "
     "y",
     ""},
    {"a convolution", "input a float32[1,1,4,4]\nparam w float32[1,1,3,3]\ny = Conv(a, w)\noutput y", "implicit_gemm"},
    {"a convolution in four dimensions",
     "input a float32[1,1,4,4,4,4]\nparam w float32[1,1,3,3,3,3]\ny = Conv(a, w)\noutput y", ""},
    {"the largest of windows", "input a float32[1,1,4,4]\ny = MaxPool(a) kernel_shape=[2,2]\noutput y", "pooling"},
    {"one number of each plane", "input a float32[1,2,4,4]\ny = GlobalAveragePool(a)\noutput y", "reduction"},
    {"nothing is dropped", "input a float32[4]\ny = Dropout(a)\noutput y", "elementwise 0<0"},
    {"a picture twice as large",
     "input a float32[1,1,2,2]\nconst s float32[4] = 1 1 2 2\ny = Resize(a, _, s)\noutput y", "resize"},
    {"a picture with spread weights",
     "input a float32[1,1,2,2]\nconst s float32[4] = 1 1 2 2\ny = Resize(a, _, s) mode=\"linear\" "
     "antialias=1\noutput y",
     ""},
    // Losses, their sum, weights and their sum; then all logarithms.
    {"a loss", "input a float32[2,3]\ninput k int64[2]\ny = NegativeLogLikelihoodLoss(a, k)\noutput y", "loss +1024"},
    {"a loss of scores", "input a float32[2,3]\ninput k int64[2]\ny = SoftmaxCrossEntropyLoss(a, k)\noutput y",
     "loss +1280"},
    {"a loss without a mean",
     "input a float32[2,3]\ninput k int64[2]\ny = NegativeLogLikelihoodLoss(a, k) reduction=\"none\"\noutput y",
     "loss"},
    {"MXNet's number of the node", "input a float32[8]\ny = mxnet::_plus_scalar(a) scalar=2.0\noutput y",
     "elementwise 0<0"},
    {"MXNet's activation", "input a float32[8]\ny = mxnet::Activation(a) act_type=\"tanh\"\noutput y",
     "elementwise 0<0"},
    {"an operator without kernels", "input a float32[2,2]\ny = Det(a)\noutput y", ""},
};

} // namespace

void TestCudaOffers::offers_data()
{
    QTest::addColumn<QString>("graph");
    QTest::addColumn<QString>("expected");
    for (const auto& row : Offered)
        QTest::newRow(row.name) << QString::fromLatin1(row.graph) << QString::fromLatin1(row.offers);
}

void TestCudaOffers::offers()
{
    QFETCH(const QString, graph);
    QFETCH(const QString, expected);
    QCOMPARE(textOf(offersFor(inferred(graph.toStdString()))), expected);
}

void TestCudaOffers::kernelsOfOtherDialects_data()
{
    QTest::addColumn<QString>("domain");
    QTest::addColumn<QString>("op");
    QTest::addColumn<QString>("computedBy"); // the ONNX operator of the kernel; "-" for none
    const auto row = [](const char* name, const char* domain, const char* op, const char* computedBy) {
        QTest::newRow(name) << QString::fromLatin1(domain) << QString::fromLatin1(op)
                            << QString::fromLatin1(computedBy);
    };
    row("ONNX", "", "Relu", "Relu");
    row("a counterpart of MXNet", "mxnet", "relu", "Relu");
    row("only its elements", "mxnet", "Reshape", "Identity");
    row("with a scalar", "mxnet", "_rminus_scalar", "_rminus_scalar");
    row("without a counterpart", "mxnet", "ROIPooling", "-");
    row("that writes its input", "plimsoll", "Add_", "Add");
    row("that writes its input, no elements", "plimsoll", "Concat_", "-");
    row("of an unknown domain", "com.example", "Relu", "-");
}

void TestCudaOffers::kernelsOfOtherDialects()
{
    QFETCH(const QString, domain);
    QFETCH(const QString, op);
    QFETCH(const QString, computedBy);
    Node node;
    node.domain = domain.toStdString();
    node.op = op.toStdString();
    std::set<std::string_view> operators;
    for (const cuda::DeviceKernel* kernel : cuda::loops::findKernels(node))
        operators.insert(kernel->op);
    if (computedBy == QStringLiteral("-")) {
        QVERIFY(operators.empty());
    } else {
        QCOMPARE(operators, std::set<std::string_view> {computedBy.toStdString()});
    }
    node.domain = std::string(GradientDomain);
    QVERIFY(cuda::loops::findKernel(node, "formulas")); // whatever the operator is
    QVERIFY(!cuda::loops::findKernel(node, "elementwise"));
}

void TestCudaOffers::aTableNamesEachKernelOnce()
{
    using namespace cuda::loops;
    for (const cuda::DeviceTable table :
         {convolutionKernels, dropoutKernels, gatherKernels, gradientKernels, lossKernels, matmulKernels,
          movementKernels, pairKernels, poolingKernels, recurrentKernels, reduceKernels, resizeKernels, rowKernels,
          selectKernels, unaryKernels}) {
        std::set<std::tuple<std::string_view, std::string_view, std::string_view>> names;
        for (const cuda::DeviceKernel& kernel : table) {
            QVERIFY2(names.emplace(kernel.domain, kernel.op, kernel.name).second, kernel.op.data());
            QVERIFY2(kernel.run, kernel.op.data());
            QCOMPARE(kernel.alignment & (kernel.alignment - 1), std::int64_t {0});
        }
        QVERIFY(!names.empty());
    }
}

void TestCudaOffers::aLibraryIsOfferedWhereItIsThere()
{
    const Graph graph =
        inferred("input a float32[4,5]\ninput b float32[5,6]\nm: y = MatMul(a, b)\nz = Relu(y)\noutput z");
    const Catalogue without = describeForCuda(graph, {}, {});
    QCOMPARE(textOf(without.offers.at("m")), QStringLiteral("tiled"));
    QCOMPARE(without.offers.size(), std::size_t {2});
    QVERIFY(english(without.environment.at("cuda model")).starts_with("H100"));
    for (const auto& [node, offers] : describeForCuda(graph, {.cublas = true}, {}).offers) {
        for (const Implementation& offer : offers) {
            QCOMPARE(offer.backend, std::string("cuda"));
            QCOMPARE(offer.device, std::string("cuda:0"));
            QVERIFY(offer.inPlaceKnown);
            QCOMPARE(offer.alignment, std::int64_t {offer.name == "cublas" ? 256 : 16});
        }
    }
}

void TestCudaOffers::timesFollowBytesAndOperations()
{
    const auto timeOf = [](const std::string& text) { return offersFor(inferred(text)).back().timeMs; };
    const double small = timeOf("input a float32[8]\ny = Relu(a)\noutput y");
    const double large = timeOf("input a float32[268435456]\ny = Relu(a)\noutput y");
    QVERIFY(small >= 0.003); // a launch
    QVERIFY(std::abs(large - 0.003 - 2.0 * 4 * 268435456 / (0.8 * 3.35e9)) < 1e-6);
    const double product = timeOf("input a float32[4096,4096]\ninput b float32[4096,4096]\ny = MatMul(a, b)\noutput y");
    QVERIFY(product >= 2.0 * 4096 * 4096 * 4096 / (0.8 * 6.7e10)); // operations, not bytes, are what it takes
    QCOMPARE(offersFor(inferred("input a float32[8]\ny = Relu(a)\noutput y")).back().provenance,
             std::string("estimated"));
}

QTEST_APPLESS_MAIN(TestCudaOffers)
#include "tst_cuda_offers.moc"
