#include "core/facts/english/english.h"
#include "kernels/checks/device_trial.h"
#include "tests/kernels/reference/fake_call.h"
#include "tests/support/graph_text.h"

#include <QTest>

using namespace plimsoll;
using namespace plimsoll::kernels;

/// What kernels of a device say of nodes that they do not compute: they say it before anything is launched, and so the
/// same when a node is described.
class TestCudaDeclines : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void productsAndLayers_data();
    void productsAndLayers() { compare(); }
    void movements_data();
    void movements() { compare(); }
    void numbersAndRows_data();
    void numbersAndRows() { compare(); }
    void whatIsDeclinedIsNotOffered();

private:
    static void compare();
};

namespace {

void row(const char* name, const char* kernel, const char* graph, const char* reason)
{
    QTest::newRow(name) << QString::fromLatin1(kernel) << QString::fromLatin1(graph) << QString::fromLatin1(reason);
}

void addColumns()
{
    QTest::addColumn<QString>("kernel");
    QTest::addColumn<QString>("graph");
    QTest::addColumn<QString>("reason"); // empty where it is computed
}

/// By the last node of \p text, on zeros. Types are as the text has them: nothing is inferred, nothing checked.
QString declined(const std::string& text, const std::string& kernel)
{
    const Graph graph = plimsoll::test::graphFromText(text);
    const NodeId node {graph.nodes.size() - 1};
    std::vector<RuntimeValue> inputs;
    for (const ValueId input : graph[node].inputs) {
        const TensorType type = input.valid() ? graph[input].type : TensorType {};
        inputs.push_back(input.valid() ? tensorValue(HostTensor(type.dtype, *type.shape())) : RuntimeValue {});
    }
    kernels::test::FakeCall call(graph, node, inputs);
    Implementation chosen;
    chosen.name = kernel;
    const auto device = std::move(emulateCudaDevice()).value();
    const Status status = device->run(call, chosen);
    return status.ok() ? QString() : QString::fromStdString(english(status.error().message));
}

} // namespace

void TestCudaDeclines::compare()
{
    QFETCH(const QString, kernel);
    QFETCH(const QString, graph);
    QFETCH(const QString, reason);

    QCOMPARE(declined(graph.toStdString(), kernel.toStdString()), reason);
}

void TestCudaDeclines::productsAndLayers_data()
{
    addColumns();
    row("a kernel of another node", "softmax", "input a float32[4]\ny = Relu(a)",
        "Relu on a CUDA device: no kernel 'softmax'");
    row("a vector in a Gemm", "tiled", "input a float32[3]\ninput b float32[3,2]\ny = Gemm(a, b)",
        "Gemm on a CUDA device: its factors are no matrices");
    row("what is added to a product is larger", "tiled",
        "input a float32[2,3]\ninput b float32[3,2]\ninput c float32[3,2,2]\ny = Gemm(a, b, c)",
        "Gemm on a CUDA device: c does not fit");
    row("what is added to a product is spread along it", "tiled",
        "input a float32[2,3]\ninput b float32[3,2]\ninput c float32[2,1]\ny = Gemm(a, b, c)", "");
    row("batches that are turned round", "tiled",
        "input a float32[2,2,3]\ninput b float32[2,3,2]\ny = com.microsoft::FusedMatMul(a, b) transBatchA=1",
        "com.microsoft::FusedMatMul on a CUDA device: its batches are transposed");
    row("batches of two kinds, by the library", "cublas",
        "input a float32[2,1,2,3]\ninput b float32[1,4,3,2]\ny = MatMul(a, b)",
        "MatMul on a CUDA device: its batches lie unevenly");
    row("nothing to multiply, by the library", "cublas", "input a float32[2,0]\ninput b float32[0,2]\ny = MatMul(a, b)",
        "MatMul on a CUDA device: there is nothing to multiply");
    row("a bias of other channels", "implicit_gemm",
        "input a float32[1,1,4,4]\nparam w float32[2,1,3,3]\nparam b float32[3]\ny = Conv(a, w, b)",
        "Conv on a CUDA device: its bias does not fit");
    row("a bias in another type", "implicit_gemm",
        "input a float32[1,1,4,4]\nparam w float32[2,1,3,3]\nparam b float16[2]\ny = Conv(a, w, b)",
        "Conv on a CUDA device: its bias does not fit");
    row("windows in four dimensions", "pooling", "input a float32[1,1,2,2,2,2]\ny = MaxPool(a) kernel_shape=[1,1,1,1]",
        "MaxPool on a CUDA device: it is empty or has more than three spatial dimensions");
    row("windows over no pictures", "pooling", "input a float32[0,1,2,2]\ny = AveragePool(a) kernel_shape=[2,2]", "");
    row("lengths in another type", "steps",
        "input x float32[2,1,3]\nparam w float32[1,2,3]\nparam r float32[1,2,2]\ninput l int64[1]\n"
        "y = RNN(x, w, r, _, l) hidden_size=2",
        "RNN on a CUDA device: its lengths do not fit");
    row("a bias for one part of the gates", "steps",
        "input x float32[2,1,3]\nparam w float32[1,2,3]\nparam r float32[1,2,2]\nparam b float32[1,2]\n"
        "y = RNN(x, w, r, b) hidden_size=2",
        "RNN on a CUDA device: input 3 does not fit");
    row("a region of a picture", "resize",
        "input a float32[1,1,2,2]\nconst s float32[4] = 1 1 2 2\ny = Resize(a, _, s) "
        "coordinate_transformation_mode=\"tf_crop_and_resize\"",
        "Resize on a CUDA device: a region of interest");
    row("weights that are spread", "resize",
        "input a float32[1,1,2,2]\nconst s float32[4] = 1 1 2 2\ny = Resize(a, _, s) antialias=1",
        "Resize on a CUDA device: weights that are spread");
    row("a picture that the run scales", "resize", "input a float32[1,1,2,2]\ninput s float32[4]\ny = Resize(a, _, s)",
        "Resize on a CUDA device: input 2 is not known before the run");
    row("four axes between their places", "resize",
        "input a float32[2,2,2,2]\nconst s float32[4] = 2 2 2 2\ny = Resize(a, _, s) mode=\"linear\"",
        "Resize on a CUDA device: more than three dimensions change");
    row("four axes at their nearest places", "resize",
        "input a float32[2,2,2,2]\nconst s float32[4] = 2 2 2 2\ny = Resize(a, _, s)", "");
}

void TestCudaDeclines::movements_data()
{
    addColumns();
    row("other elements than there are", "copy", "input a float32[4]\ny = Flatten(a)\nvalue y float32[5]",
        "Flatten on a CUDA device: its output has other elements");
    row("a shape that the run knows", "copy", "input a float32[4]\ny = Identity(a)\nvalue y float32[?]",
        "Identity on a CUDA device: the shape of its output is not known before the run");
    row("text", "copy", "input a string[4]\ny = Identity(a)\nvalue y string[4]",
        "Identity on a CUDA device: no kernel for string tensors");
    row("parts of another width", "copy",
        "input a float32[2,3]\ninput b float32[3,3]\ny = Concat(a, b) axis=1\nvalue y float32[2,6]",
        "Concat on a CUDA device: a part does not fit");
    row("parts that leave a gap", "copy",
        "input a float32[2,3]\ninput b float32[2,2]\ny = Concat(a, b) axis=1\nvalue y float32[2,6]",
        "Concat on a CUDA device: its parts do not fill it");
    row("a part that is not made", "copy", "input a float32[4]\n_, z = Split(a) num_outputs=2\nvalue z float32[2]",
        "Split on a CUDA device: the size of a part without a name is not known");
    row("a part beyond the end", "copy",
        "input a float32[4]\ny, z = Split(a) num_outputs=2\nvalue y float32[3]\nvalue z float32[2]",
        "Split on a CUDA device: a part does not fit");
    row("a spread that does not follow", "copy",
        "input a float32[2]\nconst s int64[1] = 3\ny = Expand(a, s)\nvalue y float32[3]",
        "Expand on a CUDA device: its output repeats something else");
    row("repetitions of something else", "copy",
        "input a float32[2]\nconst s int64[1] = 2\ny = Tile(a, s)\nvalue y float32[5]",
        "Tile on a CUDA device: its output repeats something else");
    row("repetitions in other dimensions", "copy",
        "input a float32[2]\nconst s int64[1] = 2\ny = Tile(a, s)\nvalue y float32[2,2]",
        "Tile on a CUDA device: its output has other dimensions");
    row("a pad of a constant in the node", "copy",
        "input a float32[2]\nconst p int64[2] = 1 1\ny = Pad(a, p) value=0.5",
        "Pad on a CUDA device: a constant that is an attribute");
    row("a pad of another type", "copy",
        "input a float32[2]\nconst p int64[2] = 1 1\nconst c int64[] = 1\ny = Pad(a, p, c)",
        "Pad on a CUDA device: no kernel for float32 tensors");
    row("pads that the run knows", "copy", "input a float32[2]\ninput p int64[2]\ny = Pad(a, p)",
        "Pad on a CUDA device: input 1 is not known before the run");
    row("a fill with another type", "fill",
        "const k int64[1] = 3\ny = ConstantOfShape(k) value=int64[1]{7}\nvalue y float32[3]",
        "ConstantOfShape on a CUDA device: its value is no element of its output");
    row("indices of reals", "gather", "input a float32[4]\ninput k float32[2]\ny = Gather(a, k)",
        "Gather on a CUDA device: no kernel for float32 tensors");
    row("indices in more dimensions", "gather", "input a float32[4]\ninput k int64[2,2]\ny = GatherElements(a, k)",
        "GatherElements on a CUDA device: its indices do not fit");
    row("tuples longer than the tensor is deep", "gather", "input a float32[4]\ninput k int64[2,2]\ny = GatherND(a, k)",
        "GatherND on a CUDA device: its tuples of indices do not fit");
    row("fewer than no batches", "gather", "input a float32[4]\ninput k int64[2,1]\ny = GatherND(a, k) batch_dims=-1",
        "GatherND on a CUDA device: less than no batch dimensions");
    row("batches of another length", "gather",
        "input a float32[2,4]\ninput k int64[3,1]\ny = GatherND(a, k) batch_dims=1",
        "GatherND on a CUDA device: its batches do not fit");
    row("updates in another shape", "scatter",
        "input a float32[4]\ninput k int64[2]\ninput u float32[3]\ny = ScatterElements(a, k, u)",
        "ScatterElements on a CUDA device: its updates do not fit");
    row("updates for another number of tuples", "scatter",
        "input a float32[4]\ninput k int64[2,1]\ninput u float32[3]\ny = ScatterND(a, k, u)",
        "ScatterND on a CUDA device: its updates do not fit");
    row("a reduction of no such name", "scatter",
        "input a float32[4]\ninput k int64[2]\ninput u float32[2]\ny = ScatterElements(a, k, u) reduction=\"mean\"",
        "ScatterElements on a CUDA device: reduction mean");
}

void TestCudaDeclines::numbersAndRows_data()
{
    addColumns();
    row("operands of two types", "elementwise", "input a float32[4]\ninput b int64[4]\ny = Add(a, b)",
        "Add: input 1 is int64[4], but input 0 is float32[4]; they must have one element type.");
    row("double precision", "elementwise", "input a float64[4]\ninput b float64[4]\ny = Add(a, b)",
        "Add on a CUDA device: no kernel for float64 tensors");
    row("more repetitions than a walk has dimensions", "elementwise",
        "input a float32[2,1,2,1,2,1,2,1,2,1]\ninput b float32[1,2,1,2,1,2,1,2,1,2]\ny = Add(a, b)",
        "Add on a CUDA device: its operands repeat in too many dimensions");
    row("slopes as they were before opset 7", "elementwise",
        "opset 6\ninput a float32[4]\nparam s float32[4]\ny = PRelu(a, s)",
        "PRelu on a CUDA device: slopes by channel, of opsets before 7");
    row("a bias larger than what it is added to", "elementwise",
        "input a float32[4]\nparam b float32[2,4]\ny = com.microsoft::FastGelu(a, b)",
        "com.microsoft::FastGelu on a CUDA device: its bias does not fit");
    row("a bound of another type", "elementwise", "input a float32[4]\nconst l int64[] = 0\ny = Clip(a, l)",
        "Clip on a CUDA device: a bound has another type");
    row("a number that would be rounded twice", "elementwise", "input a float64[4]\ny = Cast(a) to=10",
        "Cast on a CUDA device: no kernel for float16 tensors");
    row("a number that is rounded once", "elementwise", "input a float64[4]\ny = Cast(a) to=1", "");
    row("text from numbers", "elementwise", "input a float32[4]\ny = Cast(a) to=8",
        "Cast on a CUDA device: no kernel for string tensors");
    row("the largest of no integers", "reduction", "input a int64[0]\ny = ReduceMax(a)",
        "ReduceMax on a CUDA device: there is nothing to fold");
    row("the largest of no reals", "reduction", "input a float32[0]\ny = ReduceMax(a)", "");
    row("the place of none", "reduction", "input a float32[2,0]\ny = ArgMax(a) axis=1",
        "ArgMax on a CUDA device: there is nothing to choose from");
    row("statistics in half precision", "normalization",
        "input a float32[2,4]\nparam s float32[4]\ny = LayerNormalization(a, s) stash_type=10",
        "LayerNormalization on a CUDA device: statistics in another type than float32");
    row("a scale for some places of a row", "normalization",
        "input a float32[2,4]\nparam s float32[2]\ny = LayerNormalization(a, s)",
        "LayerNormalization on a CUDA device: scale or bias are not one number for each place of a row");
    row("groups that do not divide", "normalization",
        "input a float32[1,3,2]\nparam s float32[3]\nparam b float32[3]\ny = GroupNormalization(a, s, b) num_groups=2",
        "GroupNormalization on a CUDA device: its groups do not fit its channels");
    row("a mean of other channels", "normalization",
        "input a float32[1,2,3]\nparam s float32[2]\nparam b float32[2]\nparam m float32[3]\nparam v float32[2]\n"
        "y = BatchNormalization(a, s, b, m, v)",
        "BatchNormalization on a CUDA device: parameters of another type, or not one for each channel");
    row("a mean for each place", "normalization",
        "opset 7\ninput a float32[1,2,3]\nparam s float32[6]\nparam b float32[6]\nparam m float32[6]\n"
        "param v float32[6]\ny = BatchNormalization(a, s, b, m, v) spatial=0",
        "BatchNormalization on a CUDA device: a mean for each place");
    row("weights for other classes", "loss",
        "input a float32[2,3]\ninput k int64[2]\nparam w float32[2]\ny = NegativeLogLikelihoodLoss(a, k, w)",
        "NegativeLogLikelihoodLoss on a CUDA device: its weights are not one for each class");
    row("a reduction of losses of no such name", "loss",
        "input a float32[2,3]\ninput k int64[2]\ny = NegativeLogLikelihoodLoss(a, k) reduction=\"max\"",
        "NegativeLogLikelihoodLoss on a CUDA device: reduction max");
}

void TestCudaDeclines::whatIsDeclinedIsNotOffered()
{
    const auto offered = [](const std::string& text) {
        const Graph graph = plimsoll::test::graphFromText(text);
        return !describeForCuda(graph, {.cublas = true}, {}).offers.empty();
    };
    QVERIFY(offered("input a float32[4]\ny = Identity(a)\nvalue y float32[4]"));
    QVERIFY(!offered("input a float32[4]\ny = Identity(a)\nvalue y float32[5]"));
}

QTEST_APPLESS_MAIN(TestCudaDeclines)
#include "tst_cuda_declines.moc"
