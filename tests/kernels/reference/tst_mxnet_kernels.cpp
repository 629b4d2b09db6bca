#include "kernel_case.h"

#include <QTest>

using namespace plimsoll;
using namespace plimsoll::kernels;
using namespace plimsoll::kernels::test;

namespace {

using Ints = std::vector<std::int64_t>;
using Int = std::int64_t;

OpCase mxnet(const char* op)
{
    return OpCase(op, 10500, "mxnet");
}

std::vector<Row> elementwiseRows()
{
    const auto x = floats({2, 2}, {1, -2, 3, -4});
    return {
        {"identity", mxnet("_copy").input(x), "float32[2,2] 1 -2 3 -4"},
        {"sum", mxnet("elemwise_add").input(x).input(x), "float32[2,2] 2 -4 6 -8"},
        {"broadcast", mxnet("broadcast_mul").input(x).input(floats({2, 1}, {2, 3})), "float32[2,2] 2 -4 9 -12"},
        {"scalar", mxnet("_plus_scalar").input(x).set("scalar", Int {3}), "float32[2,2] 4 1 6 -1"},
        {"scalar on the left", mxnet("_rminus_scalar").input(x).set("scalar", 0.5), "float32[2,2] -0.5 2.5 -2.5 4.5"},
        {"activation", mxnet("Activation").input(x).set("act_type", std::string("relu")), "float32[2,2] 1 0 3 0"},
        {"leaky", mxnet("LeakyReLU").input(x), "float32[2,2] 1 -0.5 3 -1"},
        {"leaky with learnt slopes",
         mxnet("LeakyReLU").input(x).input(floats({2}, {1, 2})).set("act_type", std::string("prelu")),
         "float32[2,2] 1 -4 3 -8"},
        {"clip", mxnet("clip").input(x).set("a_min", Int {-2}).set("a_max", Int {1}), "float32[2,2] 1 -2 1 -2"},
        {"sum of many", mxnet("add_n").input(x).input(x).input(x), "float32[2,2] 3 -6 9 -12"},
        {"square", mxnet("square").input(x), "float32[2,2] 1 4 9 16"},
        {"unknown activation", mxnet("Activation").input(x).set("act_type", std::string("swish")),
         "error: node 'node': mxnet::Activation: there is no activation 'swish'."},
    };
}

std::vector<Row> layerRows()
{
    const auto picture = floats({1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
    return {
        {"convolution",
         mxnet("Convolution").input(picture).input(floats({1, 1, 2, 2}, {1, 0, 0, 1})).set("kernel", Ints {2, 2}),
         "float32[1,1,2,2] 6 8 12 14"},
        {"dense layer of pictures",
         mxnet("FullyConnected")
             .input(floats({1, 2, 2}, {1, 2, 3, 4}))
             .input(floats({2, 4}, {1, 1, 1, 1, 0, 0, 0, 1}))
             .input(floats({2}, {0, 10})),
         "float32[1,2] 10 14"},
        {"normalised pictures", mxnet("L2Normalization").input(floats({1, 2, 2}, {3, 0, 0, 4})).set("eps", 0.0),
         "float32[1,2,2] 0.6 0 0 0.8"},
        {"normalised places",
         mxnet("L2Normalization")
             .input(floats({1, 2, 2}, {3, 0, 4, 2}))
             .set("mode", std::string("channel"))
             .set("eps", 0.0),
         "float32[1,2,2] 0.6 0 0.8 1"},
        {"normalised channels",
         mxnet("L2Normalization")
             .input(floats({1, 2, 2}, {3, 4, 0, 3}))
             .set("mode", std::string("spatial"))
             .set("eps", 7.0),
         "float32[1,2,2] 0.53033 0.707107 0 0.75"},
        {"no such normalisation", mxnet("L2Normalization").input(picture).set("mode", std::string("rows")),
         "error: node 'node': mxnet::L2Normalization: there is no such normalisation of float32[1,1,3,3]: mode "
         "'rows'."},
        {"normalisation with its scale fixed",
         mxnet("BatchNorm")
             .input(floats({1, 2}, {3, 5}))
             .input(floats({2}, {7, 7}))
             .input(floats({2}, {0, 1}))
             .input(floats({2}, {1, 1}))
             .input(floats({2}, {4, 4}))
             .set("eps", 0.0),
         "float32[1,2] 1 3"},
        {"pooling", mxnet("Pooling").input(picture).set("kernel", Ints {2, 2}).set("stride", Ints {2, 2}),
         "float32[1,1,1,1] 5"},
        {"pooling that rounds up",
         mxnet("Pooling")
             .input(picture)
             .set("kernel", Ints {2, 2})
             .set("stride", Ints {2, 2})
             .set("pooling_convention", std::string("full")),
         "float32[1,1,2,2] 5 6 8 9"},
        {"global pooling",
         mxnet("Pooling").input(picture).set("global_pool", Int {1}).set("pool_type", std::string("avg")),
         "float32[1,1,1,1] 5"},
        {"softmax of rows", mxnet("SoftmaxOutput").input(floats({1, 2}, {0, 0})).input(floats({1}, {0})),
         "float32[1,2] 0.5 0.5"},
        {"embedding", mxnet("Embedding").input(floats({2}, {1, 0})).input(floats({2, 2}, {1, 2, 3, 4})),
         "float32[2,2] 3 4 1 2"},
    };
}

std::vector<Row> movementRows()
{
    const auto x = floats({2, 3}, {1, 2, 3, 4, 5, 6});
    return {
        {"concatenation", mxnet("Concat").input(x).input(floats({2, 1}, {7, 8})), "float32[2,4] 1 2 3 7 4 5 6 8"},
        {"transposition", mxnet("transpose").input(x), "float32[3,2] 1 4 2 5 3 6"},
        {"swapped axes", mxnet("SwapAxis").input(x).set("dim1", Int {0}).set("dim2", Int {1}),
         "float32[3,2] 1 4 2 5 3 6"},
        {"a cut", mxnet("slice_axis").input(x).set("axis", Int {-1}).set("begin", Int {1}), "float32[2,2] 2 3 5 6"},
        {"a cut with open ends",
         mxnet("slice").input(x).set("begin", std::string("(None, 0)")).set("end", "(1, None)").set("step", "(1, 2)"),
         "float32[1,2] 1 3"},
        {"backwards",
         mxnet("slice")
             .input(x)
             .set("begin", std::string("(None, None)"))
             .set("end", "(None, None)")
             .set("step", Ints {1, -1}),
         "float32[2,3] 3 2 1 6 5 4"},
        {"parts", mxnet("SliceChannel").input(x).set("num_outputs", Int {3}).outputs(3), "float32[2,1] 1 4"},
        {"sum over an axis", mxnet("sum").input(x).set("axis", Ints {1}), "float32[2] 6 15"},
        {"sum over the others", mxnet("sum").input(x).set("axis", Int {1}).set("exclude", Int {1}), "float32[3] 5 7 9"},
    };
}

} // namespace

/// MXNet's operators, computed by the kernels of their counterparts.
class MxnetKernels : public QObject
{
    Q_OBJECT

private slots:
    void anOperatorComputes_data() { addRows({elementwiseRows(), layerRows(), movementRows()}); }
    void anOperatorComputes() { compareRow(); }
    void aNormIsHandedOut_data();
    void aNormIsHandedOut();
};

void MxnetKernels::aNormIsHandedOut_data()
{
    QTest::addColumn<std::string>("mode");
    QTest::addColumn<std::string>("norms");
    QTest::newRow("of a picture") << std::string("instance") << std::string("float32[1] 6");
    QTest::newRow("of places") << std::string("channel") << std::string("float32[1,1,2] 5.09902 3.31662");
    QTest::newRow("of channels") << std::string("spatial") << std::string("float32[1,2,1] 3.31662 5.09902");
}

/// 3, 1 in one channel, 4, 3 in the other, and eps 1.
void MxnetKernels::aNormIsHandedOut()
{
    QFETCH(std::string, mode);
    const Outcome outcome = mxnet("L2Normalization")
                                .input(floats({1, 2, 2}, {3, 1, 4, 3}))
                                .set("mode", mode)
                                .set("eps", 1.0)
                                .outputs(2)
                                .run();
    QVERIFY(outcome.status.ok());
    QTEST(outcome.text(1), "norms");
}

QTEST_APPLESS_MAIN(MxnetKernels)
#include "tst_mxnet_kernels.moc"
