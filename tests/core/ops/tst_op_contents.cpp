#include "op_case.h"

#include "core/ops/op_schema.h"

#include <QRegularExpression>
#include <QTest>

#include <set>

using namespace plimsoll;

/// Inputs that hold what a row says that they must make the rule of types give the sizes that were asked for.
class OpContents : public QObject
{
    Q_OBJECT

private slots:
    void sizesComeOutAsWanted_data();
    void sizesComeOutAsWanted();
    void everyRowThatDecidesSizesIsTried();
};

namespace {

constexpr const char* Cases[] = {
    "Reshape float32[2,3] int64[2] -> float32[3,2]",
    "Reshape float32[0,3] int64[2] -> float32[3,0]",
    "Expand float32[3] int64[2] -> float32[4,3]",
    "Expand float32[1,3] int64[3] -> float32[5,4,3]",
    "Tile float32[2,3] int64[2] -> float32[4,9]",
    "Slice float32[10] int64[1] int64[1] -> float32[4]",
    "Slice float32[10,6] int64[1] int64[1] int64[1] -> float32[10,2]",
    "Slice float32[10,6] int64[2] int64[2] int64[2] int64[2] -> float32[3,2]",
    "Pad float32[2,3] int64[4] -> float32[4,6]",
    "Pad float32[2,3] int64[2] _ int64[1] -> float32[2,8]",
    "Squeeze float32[1,3,1] int64[1] -> float32[3,1]",
    "Squeeze float32[1,3,1] int64[2] -> float32[3]",
    "Unsqueeze float32[3] int64[2] -> float32[1,3,1]",
    "ReduceL1 float32[2,3,4] int64[1] keepdims=0 -> float32[2,4]",
    "ReduceL2 float32[2,3] int64[1] -> float32[2,1]",
    "ReduceLogSum float32[2,3] int64[2] -> float32[1,1]",
    "ReduceLogSumExp float32[2,3,4] int64[2] keepdims=0 -> float32[3]",
    "ReduceMax float32[2,3] int64[1] -> float32[1,3]",
    "ReduceMean float32[4,4,5] int64[1] keepdims=0 -> float32[4,4]",
    "ReduceMin float32[2,3] int64[1] keepdims=0 -> float32[3]",
    "ReduceProd float32[2,3] int64[1] -> float32[2,1]",
    "ReduceSum float32[2,3,4] int64[1] keepdims=0 -> float32[2,3]",
    "ReduceSumSquare float32[2] int64[1] keepdims=0 -> float32[]",
    "TopK float32[5,9] int64[1] out=2 -> float32[5,4] int64[5,4]",
    "TopK float32[5,9] int64[1] axis=0 out=2 -> float32[2,9] int64[2,9]",
    "OneHot int64[3] int64[] float32[2] -> float32[3,7]",
    "OneHot int64[3] int64[] float32[2] axis=0 -> float32[7,3]",
    "Range int64[] int64[] int64[] -> int64[6]",
    "Split float32[9] int64[2] out=2 -> float32[4] float32[5]",
    "Resize float32[1,1,4,4] _ float32[4] -> float32[1,1,8,6]",
    "Resize float32[1,1,4,4] _ _ int64[4] -> float32[1,1,5,7]",
    "Resize float32[1,1,4,4] _ _ int64[2] axes=2,3 -> float32[1,1,5,7]",
    "Upsample@9 float32[1,1,2,2] float32[4] -> float32[1,1,4,6]",
    "ConstantFill int64[2] input_as_shape=1 -> float32[2,3]",
    "ConstantOfShape int64[3] -> float32[2,3,4]",
    "Compress float32[6] bool[6] -> float32[4]",
    "Compress float32[6,2] bool[6] axis=0 -> float32[3,2]",
    "NonZero int64[6] -> int64[1,4]",
    "BlackmanWindow int64[] -> float32[16]",
    "HammingWindow int64[] -> float32[8]",
    "HannWindow int64[] -> float32[4]",
    "MelWeightMatrix int64[] int64[] int64[] float32[] float32[] -> float32[9,4]",
    "DFT@20 float32[1,8,1] int64[] int64[] -> float32[1,8,2]",
    "DFT@20 float32[1,8,1] int64[] onesided=1 -> float32[1,5,2]",
    "STFT float32[1,32,1] int64[] float32[8] -> float32[1,4,5,2]",
    "CenterCropPad float32[4,4] int64[2] -> float32[2,6]",
    "CenterCropPad float32[4,4] int64[1] axes=1, -> float32[4,6]",
    "AffineGrid float32[1,2,3] int64[4] -> float32[1,5,6,2]",
    "MaxUnpool float32[1,1,2,2] int64[1,1,2,2] int64[4] kernel_shape=2,2 strides=2,2 -> float32[1,1,5,5]",
};

/// What they hold decides no size that the types say: whether the run is possible at all, or how long it is.
const std::set<std::string_view> WithoutSizes = {"ArrayFeatureExtractor",
                                                 "CumProd",
                                                 "CumSum",
                                                 "Div",
                                                 "Dropout",
                                                 "GRU",
                                                 "Gather",
                                                 "GatherElements",
                                                 "GatherND",
                                                 "LSTM",
                                                 "Loop",
                                                 "Mod",
                                                 "NonMaxSuppression",
                                                 "RNN",
                                                 "ReverseSequence",
                                                 "RoiAlign",
                                                 "Scatter",
                                                 "ScatterElements",
                                                 "ScatterND",
                                                 "SequenceAt",
                                                 "SequenceErase",
                                                 "Unique"};

} // namespace

void OpContents::sizesComeOutAsWanted_data()
{
    QTest::addColumn<QString>("wanted");
    for (const char* text : Cases)
        QTest::newRow(text) << QString::fromUtf8(text).section(QStringLiteral(" -> "), 1);
}

void OpContents::sizesComeOutAsWanted()
{
    static const QRegularExpression elements(QStringLiteral("=\\{[^}]*\\}"));
    QTEST(QString::fromStdString(test::solved(QTest::currentDataTag())).remove(elements), "wanted");
}

void OpContents::everyRowThatDecidesSizesIsTried()
{
    std::set<std::string> tried;
    for (const std::string_view text : Cases)
        tried.emplace(text.substr(0, text.find_first_of(" @")));
    for (const OpFamily& family : opFamilies()) {
        for (const OpSchema& row : family.rows) {
            const bool decides = row.contents && WithoutSizes.count(row.op) == 0;
            if (!decides && !family.domain.empty()) continue; // another dialect's operator of that name
            QVERIFY2(decides == tried.contains(std::string(row.op)), std::string(row.op).data());
        }
    }
}

QTEST_APPLESS_MAIN(OpContents)
#include "tst_op_contents.moc"
