#include "tests/core/ops/op_case.h"

#include <QRegularExpression>
#include <QTest>

using namespace plimsoll;

namespace {

/// The sizes of the first output, or nothing after an error.
std::vector<int> sizesOf(const QString& result)
{
    static const QRegularExpression Shape(QStringLiteral("^[a-z0-9]+\\[([0-9,]*)\\]"));
    const auto match = Shape.match(result);
    std::vector<int> sizes;
    for (const QString& size : match.captured(1).split(u',', Qt::SkipEmptyParts))
        sizes.push_back(size.toInt());
    return sizes;
}

} // namespace

/// Rows of operators that say of their rule of types that larger inputs make no smaller outputs.
class tst_LargestOutputs : public QObject
{
    Q_OBJECT

private slots:
    void noOutputShrinksWhereAnInputGrows_data()
    {
        QTest::addColumn<QByteArray>("node"); // S is the size that grows
        for (const char* node : {
                 "Relu float32[2,S]",
                 "Cast float32[S,3] to=7",
                 "Transpose float32[S,3] perm=1,0",
                 "Concat float32[S,3] float32[4,3] axis=0",
                 "Pad float32[S] int64[2]={2,-3}",
                 "Pad float32[S,2] int64[4]={0,1,4,1}",
                 "Tile float32[S,2] int64[2]={3,1}",
                 "Flatten float32[2,S,3] axis=1",
                 "Unsqueeze float32[S] int64[1]={0}",
                 "Gather float32[S,5] int64[3]",
                 "Gather float32[4,5] int64[S] axis=1",
                 "GatherElements float32[4,5] int64[S,5]",
                 "GatherND float32[4,5] int64[S,1]",
                 "ReduceSum@11 float32[S,4] axes=1, keepdims=0",
                 "ReduceMax@11 float32[S,4] axes=0, keepdims=1",
                 "ArgMax float32[S,4] axis=1",
                 "MatMul float32[S,4] float32[4,3]",
                 "MatMul float32[2,S,4] float32[4,3]",
                 "Gemm float32[4,S] float32[4,3] transA=1",
                 "Einsum float32[S,4] float32[4,3] equation='ij,jk->ik'",
                 "Conv float32[S,3,6,6] float32[8,3,3,3]",
                 "Conv float32[1,3,S,S] float32[8,3,3,3] strides=2,2 dilations=2,2 pads=1,0,1,2",
                 "Conv float32[1,3,S,S] float32[8,3,3,3] strides=3,3 auto_pad='SAME_UPPER'",
                 "ConvTranspose float32[1,3,S,S] float32[3,8,3,3] strides=2,2 pads=2,2,2,2",
                 "MaxPool float32[1,2,S,S] kernel_shape=3,3 strides=2,2 pads=1,1,1,1 ceil_mode=1",
                 "AveragePool float32[1,2,S,S] kernel_shape=2,2 strides=3,3 ceil_mode=1",
                 "GlobalAveragePool float32[S,2,4,4]",
                 "RoiAlign float32[1,2,8,8] float32[S,4] int64[S] output_height=3 output_width=2",
                 "Softmax float32[S,4]",
                 "LayerNormalization float32[S,4] float32[4]",
                 "QuantizeLinear float32[S,4] float32[] uint8[]",
                 "LSTM float32[S,1,4] float32[1,12,4] float32[1,12,3] hidden_size=3",
                 "OneHot int64[S] int64[]={5} float32[2]",
                 "ScatterND float32[S,4] int64[3,1] float32[3,4]",
                 "Trilu float32[S,4]",
             })
            QTest::newRow(node) << QByteArray(node);
    }
    void noOutputShrinksWhereAnInputGrows()
    {
        QFETCH(QByteArray, node);
        std::vector<int> before;
        int compared = 0;
        for (int size = 1; size < 40; ++size) {
            const QByteArray text = QByteArray(node)
                                        .replace("[S", "[" + QByteArray::number(size))
                                        .replace(",S", "," + QByteArray::number(size));
            const std::vector<int> sizes = sizesOf(QString::fromStdString(test::inferred(text.toStdString())));
            if (sizes.empty()) continue;
            for (std::size_t i = 0; i < before.size(); ++i)
                QVERIFY2(sizes.size() == before.size() && sizes[i] >= before[i], text.constData());
            compared += before.empty() ? 0 : 1;
            before = sizes;
        }
        QVERIFY(compared > 20);
    }
};

QTEST_APPLESS_MAIN(tst_LargestOutputs)
#include "tst_largest_outputs.moc"
