#include "kernels/onednn/describe.h"
#include "tests/kernels/run/run_support.h"

#include "core/graph/graph.h"

#include <QTest>

using namespace plimsoll;
using namespace plimsoll::kernels;

namespace {

Effort effortOf(const std::string& graph, const std::string& implementation)
{
    const Report report = test::plannedForReference(graph);
    return onednn::effortOf(onednn::NodeView(*report.program.graph, findNode(*report.program.graph, "n")),
                            implementation);
}

/// Of one axis: every element of every window, one after the other.
int insideOf(int size, int kernel, int stride, int dilation, int padding)
{
    int inside = 0;
    for (int at = -padding; at + (kernel - 1) * dilation < size + padding; at += stride) {
        for (int k = 0; k < kernel; ++k)
            inside += at + k * dilation >= 0 && at + k * dilation < size ? 1 : 0;
    }
    return inside;
}

} // namespace

/// What a primitive does at the least, and no more.
class tst_OneDnnEffort : public QObject
{
    Q_OBJECT

private slots:
    void elementsBesideTheTensorTakeNoTime_data()
    {
        QTest::addColumn<int>("kernel");
        QTest::addColumn<int>("stride");
        QTest::addColumn<int>("dilation");
        QTest::addColumn<int>("padding");
        for (const int kernel : {1, 2, 5}) {
            for (const int stride : {1, 2, 3}) {
                for (const int dilation : {1, 4}) {
                    for (const int padding : {0, 1, 3}) {
                        if ((kernel - 1) * dilation + 1 > 9 + 2 * padding) continue;
                        QTest::addRow("%d %d %d %d", kernel, stride, dilation, padding)
                            << kernel << stride << dilation << padding;
                    }
                }
            }
        }
    }

    void elementsBesideTheTensorTakeNoTime()
    {
        QFETCH(int, kernel);
        QFETCH(int, stride);
        QFETCH(int, dilation);
        QFETCH(int, padding);
        const QString attributes =
            QStringLiteral("strides=[%1,1] dilations=[%2,1] pads=[%3,0,%3,0]").arg(stride).arg(dilation).arg(padding);
        const double inside = insideOf(9, kernel, stride, dilation, padding) * 7.0;
        const QString pool = QStringLiteral("input x float32[1,3,9,7]\nn: y = MaxPool(x) kernel_shape=[%1,1] %2\n"
                                            "output y\n")
                                 .arg(kernel)
                                 .arg(attributes);
        const QString layer = QStringLiteral("input x float32[1,3,9,7]\ninput w float32[4,3,%1,1]\n"
                                             "n: y = Conv(x, w) %2\noutput y\n")
                                  .arg(kernel)
                                  .arg(attributes);

        QCOMPARE(effortOf(pool.toStdString(), "jit").operations, 3 * inside);
        QCOMPARE(effortOf(layer.toStdString(), "jit").operations, 2 * 3 * 4 * inside);
    }

    void cellsAndProductsAreCounted()
    {
        const std::string cell = "input x float32[5,2,3]\ninput w float32[1,4,3]\ninput r float32[1,4,4]\n"
                                 "n: y = RNN(x, w, r) hidden_size=4\noutput y\n";
        const std::string product = "input a float32[8,16]\ninput b float32[16,4]\nn: y = MatMul(a, b)\noutput y\n";
        QCOMPARE(effortOf(cell, "ref:any").operations, 2.0 * 5 * 2 * 4 * (3 + 4));
        QCOMPARE(effortOf(product, "brg").operations, 2.0 * 8 * 16 * 4);
        QCOMPARE(effortOf("input a float32[5,8,16]\ninput b float32[5,16,4]\nn: y = MatMul(a, b)\noutput y\n", "brg")
                     .operations,
                 2.0 * 5 * 8 * 16 * 4);
        QCOMPARE(
            effortOf("input a float32[8,16]\ninput b float32[16]\nn: y = MatMul(a, b)\noutput y\n", "brg").operations,
            2.0 * 8 * 16);
        QCOMPARE(effortOf("input a float32[8,16]\ninput b float32[4,16]\nn: y = Gemm(a, b) transB=1\noutput y\n", "brg")
                     .operations,
                 2.0 * 8 * 16 * 4);
        QVERIFY(effortOf(product, "ref:any").perSecond < effortOf(product, "brg").perSecond);
        QCOMPARE(effortOf(cell, "ref:any").perSecond, effortOf(product, "brg").perSecond);
        QCOMPARE(effortOf("input x float32[1,8,4,4]\nn: y = LRN(x) size=99\noutput y\n", "ref:any").operations,
                 128.0 * 8 / 2);
        QCOMPARE(effortOf("input x float32[64]\nn: y = Relu(x)\noutput y\n", "jit").operations, 0.0);
    }
};

QTEST_APPLESS_MAIN(tst_OneDnnEffort)
#include "tst_onednn_effort.moc"
