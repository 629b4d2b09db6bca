#include "op_case.h"

#include <QTest>

using plimsoll::test::inferred;

/// What follows for the outputs of one operator from its inputs: types, and elements where they are known.
class OpsShapes : public QObject
{
    Q_OBJECT

private slots:
    void outputsFollowFromInputs_data();
    void outputsFollowFromInputs();
    void whatCannotGoTogetherIsAnError_data();
    void whatCannotGoTogetherIsAnError();
};

namespace {

/// "case -> outputs"; the case is the name of the row.
void row(const char* text)
{
    const QString whole = QString::fromUtf8(text);
    const auto arrow = whole.indexOf(QStringLiteral(" -> "));
    QTest::newRow(text) << whole.left(arrow) << whole.mid(arrow + 4);
}

void elementwiseRows()
{
    row("Relu float32[2,3] -> float32[2,3]");
    row("Add float32[2,1,4] float32[3,1] -> float32[2,3,4]");
    row("Add@6 float32[2,3,4] float32[3] broadcast=1 axis=1 -> float32[2,3,4]");
    row("Add float32[?,3] float32[2,1] -> float32[2,3]");
    row("Add float32[?,3] float32[1,1] -> float32[?,3]");
    row("Add int64[2]={1,?} int64[]={5} -> int64[2]={6,?}");
    row("Sub float32[?…] float32[1] -> float32[?…]");
    row("Equal float32[2,1] float32[1,3] -> bool[2,3]");
    row("Div int64[2]={-7,7} int64[]={2} -> int64[2]={-3,3}");
    row("Div int64[1]={7} int64[1]={0} -> int64[1]={?}");
    row("Mul int64[1]={4611686018427387904} int64[1]={2} -> int64[1]={?}");
    row("Mul int32[1]={2000000000} int32[1]={2} -> int32[1]={?}");
    row("Mod int64[2]={-7,7} int64[]={3} -> int64[2]={2,1}");
    row("Mod int64[2]={-7,7} int64[]={3} fmod=1 -> int64[2]={-1,1}");
    row("Max int64[2]={1,9} int64[2]={5,?} int64[]={3} -> int64[2]={5,?}");
    row("Where bool[3]={1,0,?} int64[3]={1,2,3} int64[]={9} -> int64[3]={1,9,?}");
    row("Where bool[2,1] float32[3] float32[] -> float32[2,3]");
    row("Not bool[2]={1,0} -> bool[2]={0,1}");
    row("IsNaN float32[4] -> bool[4]");
    row("Floor float32[2]={1.5,-1.5} -> float32[2]={1,-2}");
    row("Clip float16[7] float16[] -> float16[7]");
    row("PRelu float32[2,3,4] float32[3,1] -> float32[2,3,4]");
    row("Cast float32[3]={1.7,-1.7,1e30} to=7 -> int64[3]={1,-1,?}");
    row("Cast int64[2]={0,3} to=9 -> bool[2]={0,1}");
    row("Cast float32[1]={0.1} to=10 -> float16[1]={0.0999756}");
    row("CastLike float32[2,2] int32[9] -> int32[2,2]");
    row("BitCast float32[2,3] to=2 -> uint8[2,12]");
}

void shapeRows()
{
    row("Shape float32[2,?,4] -> int64[3]={2,?,4}");
    row("Shape float32[2,3,4,5] start=1 end=-1 -> int64[2]={3,4}");
    row("Shape float32[2,3] start=5 -> int64[0]={}");
    row("Shape float32[?…] -> int64[?]");
    row("Size float32[2,?] -> int64[]");
    row("Size float32[0,?] -> int64[]={0}");
    row("ConstantOfShape int64[2]={2,1} -> float32[2,1]={0,0}");
    row("ConstantOfShape int64[3]={2,?,4} -> float32[2,?,4]");
    row("Range int64[]={0} int64[]={7} int64[]={3} -> int64[3]={0,3,6}");
    row("Range int64[]={5} int64[]={0} int64[]={-2} -> int64[3]={5,3,1}");
    row("Range int64[]={5} int64[]={0} int64[]={1} -> int64[0]={}");
    row("Range float32[]={0} float32[]={1} float32[]={0.4} -> float32[3]={0,0.4,0.8}");
    row("Range int64[] int64[]={7} int64[]={3} -> int64[?]");
    row("NonZero int64[2,2]={1,0,1,1} -> int64[2,3]={0,1,1,0,0,1}");
    row("NonZero float32[2,2] -> int64[2,?]");
    row("EyeLike float32[3,4] dtype=11 -> float64[3,4]");
    row("Constant value_ints=1,2 -> int64[2]={1,2}");
    row("Constant value_float=0.5 -> float32[]={0.5}");
}

void reshapeRows()
{
    row("Reshape float32[2,3,4] int64[2]={0,-1} -> float32[2,12]");
    row("Reshape float32[2,3,4] int64[3]={4,?,2} -> float32[4,3,2]");
    row("Reshape float32[2,?,4] int64[2]={8,-1} -> float32[8,?]");
    row("Reshape float32[0,4] int64[2]={0,2} allowzero=1 -> float32[0,2]");
    row("Reshape float32[2,3] int64[3] -> float32[?,?,?]");
    row("Reshape float32[2,3] int64[?] -> float32[?…]");
    row("Reshape@1 float32[2,3] shape=3,2 -> float32[3,2]");
    row("Reshape float32[1,1,4] int64[4]={1,1,2,0} -> float32[1,1,2,2]"); // 0 with nothing to copy: the rest.
    row("Reshape int64[4]={1,2,3,?} int64[2]={2,2} -> int64[2,2]={1,2,3,?}");
    row("Flatten float32[2,3,4] -> float32[2,12]");
    row("Flatten float32[2,3,4] axis=0 -> float32[1,24]");
    row("Flatten float32[2,3,4] axis=-1 -> float32[6,4]");
    row("Squeeze float32[1,3,1] -> float32[3]");
    row("Squeeze@11 float32[1,3,1] axes=0, -> float32[3,1]");
    row("Squeeze@13 float32[1,3,1] int64[1]={-1} -> float32[1,3]");
    row("Unsqueeze@11 float32[3] axes=0,2 -> float32[1,3,1]");
    row("Unsqueeze@13 int64[]={7} int64[1]={0} -> int64[1]={7}");
    row("Unsqueeze float32[3] int64[1] -> float32[?…]");
    row("Dropout@13 float32[5] out=2 -> float32[5] bool[5]");
    row("Dropout@7 float32[5] out=2 -> float32[5] float32[5]");
}

void movementRows()
{
    row("Transpose float32[2,3,4] -> float32[4,3,2]");
    row("Transpose int64[2,3]={1,2,3,4,5,6} perm=1,0 -> int64[3,2]={1,4,2,5,3,6}");
    row("Concat int64[1]={2} int64[2]={?,4} axis=0 -> int64[3]={2,?,4}");
    row("Concat int64[2,1]={1,2} int64[2,2]={3,4,5,6} axis=-1 -> int64[2,3]={1,3,4,2,5,6}");
    row("Concat float32[2,?] float32[?,3] axis=1 -> float32[2,?]");
    row("Split int64[5]={1,2,3,4,5} num_outputs=2 out=2 -> int64[3]={1,2,3} int64[2]={4,5}");
    row("Split@11 float32[4,6] axis=1 split=2,4 out=2 -> float32[4,2] float32[4,4]");
    row("Split@13 float32[4,6] int64[2]={1,3} out=2 -> float32[1,6] float32[3,6]");
    row("Split@13 float32[4,6] int64[2] out=2 -> float32[?,6] float32[?,6]");
    row("Expand int64[2,1]={1,2} int64[2]={1,3} -> int64[2,3]={1,1,1,2,2,2}");
    row("Expand float32[3,1] int64[3]={2,?,6} -> float32[2,3,6]");
    row("Tile int64[2]={1,2} int64[1]={2} -> int64[4]={1,2,1,2}");
    row("Tile float32[2,3] int64[2]={2,?} -> float32[4,?]");
    row("Pad@2 float32[2,3] pads=0,1,0,2 -> float32[2,6]");
    row("Pad@18 float32[2,3] int64[2]={1,1} _ int64[1]={1} -> float32[2,5]");
    row("Pad@11 float32[2,3] int64[4] -> float32[?,?]");
    row("Slice@1 float32[5,6] starts=1, ends=-1, axes=1, -> float32[5,4]");
    row("Slice int64[4]={1,2,3,4} int64[1]={-1} int64[1]={-9} int64[1]={0} int64[1]={-2} -> int64[2]={4,2}");
    row("Slice float32[5,6] int64[1]={1} int64[1]={9223372036854775807} int64[1]={-1} -> float32[5,5]");
    row("Slice float32[5,6] int64[1] int64[1]={3} int64[1]={1} -> float32[5,?]");
    row("Gather float32[5,6] int64[2,2] axis=1 -> float32[5,2,2]");
    row("Gather int64[3]={4,?,6} int64[]={-1} -> int64[]={6}");
    row("GatherElements float32[3,3] int64[2,3] -> float32[2,3]");
    row("GatherND float32[2,3,4] int64[5,2] -> float32[5,4]");
    row("GatherND float32[2,3,4] int64[2,1] batch_dims=1 -> float32[2,4]");
    row("ScatterND int64[3]={1,2,3} int64[1,1]={1} int64[1]={9} -> int64[3]={1,9,3}");
    row("ScatterElements float32[3,3] int64[1,3] float32[1,3] -> float32[3,3]");
    row("Compress float32[4,2] bool[3]={1,0,1} axis=0 -> float32[2,2]");
    row("Compress float32[4,2] bool[3] -> float32[?]");
    row("Compress float32[4] bool[6]={1,0,0,1,0,0} axis=0 -> float32[2]");
    row("Compress float32[4] bool[6]={1,0,0,0,1,0} axis=0 -> error: Flag 4 is set, and there are 4 to choose from.");
    row("Compress float32[2,2] bool[6]={1,0,0,0,0,1} -> error: Flag 5 is set, and there are 4 to choose from.");
    row("Trilu float32[3,3] -> float32[3,3]");
    row("CenterCropPad float32[10,8,3] int64[2]={4,12} axes=0,1 -> float32[4,12,3]");
}

void reductionRows()
{
    row("ReduceSum@11 float32[2,3,4] axes=1, -> float32[2,1,4]");
    row("ReduceSum@13 float32[2,3,4] int64[1]={-1} keepdims=0 -> float32[2,3]");
    row("ReduceMean@18 float32[2,3,4] -> float32[1,1,1]");
    row("ReduceMean@18 float32[2,3,4] noop_with_empty_axes=1 -> float32[2,3,4]");
    row("ReduceMax float32[2,3] int64[1] -> float32[?,?]");
    row("ReduceProd int64[3]={2,3,4} keepdims=0 -> int64[]={24}");
    row("ReduceMin int64[2,2]={4,1,?,7} int64[1]={1} -> int64[2,1]={1,?}");
    row("ArgMax float32[2,3] axis=1 keepdims=0 -> int64[2]");
    row("CumSum float32[2,3] int64[] -> float32[2,3]");
    row("TopK@1 float32[3,5] k=2 out=2 -> float32[3,2] int64[3,2]");
    row("TopK float32[3,5] int64[1]={2} axis=0 out=2 -> float32[2,5] int64[2,5]");
    row("OneHot int64[3] int64[]={4} float32[2] -> float32[3,4]");
    row("OneHot int64[3] int64[1]={4} float32[2] axis=0 -> float32[4,3]");
    row("NonMaxSuppression float32[1,6,4] float32[1,1,6] -> int64[?,3]");
    row("Unique float32[2,3] axis=1 out=4 -> float32[2,?] int64[?] int64[3] int64[?]");
}

void matrixRows()
{
    row("MatMul float32[2,3,4] float32[4,5] -> float32[2,3,5]");
    row("MatMul float32[4] float32[4] -> float32[]");
    row("MatMul float32[4] float32[7,4,5] -> float32[7,5]");
    row("MatMulInteger uint8[2,3] uint8[3,4] -> int32[2,4]");
    row("Gemm float32[3,2] float32[4,3] float32[4] transA=1 transB=1 -> float32[2,4]");
    row("Einsum float32[2,3,4] float32[2,4,5] equation='bij,bjk->bik' -> float32[2,3,5]");
    row("Einsum float32[7,3,4] equation='...ij->...ji' -> float32[7,4,3]");
    row("Einsum float32[3,4] equation='ji' -> float32[4,3]");
    row("Det float32[5,3,3] -> float32[5]");
    row("com.microsoft::FusedMatMul float32[2,3,4] float32[2,5,4] transB=1 -> float32[2,3,5]");
    row("com.microsoft::FusedMatMul float32[3,2,4] float32[2,4,5] transBatchA=1 -> float32[2,3,5]");
}

void windowRows()
{
    row("Conv float32[1,3,32,32] float32[8,3,3,3] pads=1,1,1,1 -> float32[1,8,32,32]");
    row("Conv float32[1,4,9] float32[6,2,3] group=2 strides=2, dilations=2, -> float32[1,6,3]");
    row("Conv float32[1,3,7,7] float32[8,3,3,3] auto_pad='SAME_UPPER' strides=2,2 -> float32[1,8,4,4]");
    row("Conv float32[?,3,?,32] float32[8,3,3,3] -> float32[?,8,?,30]");
    row("ConvInteger uint8[1,1,3,3] uint8[1,1,2,2] -> int32[1,1,2,2]");
    row("ConvTranspose float32[1,4,3,3] float32[4,2,3,3] strides=2,2 output_padding=1,1 group=2 -> float32[1,4,8,8]");
    row("ConvTranspose float32[1,4,3,3] float32[4,2,3,3] output_shape=10,8 -> float32[1,2,10,8]");
    row("MaxPool float32[1,3,5,5] kernel_shape=2,2 strides=2,2 out=2 -> float32[1,3,2,2] int64[1,3,2,2]");
    row("MaxPool float32[1,3,5,5] kernel_shape=2,2 strides=2,2 ceil_mode=1 -> float32[1,3,3,3]");
    row("MaxPool float32[1,1,2,2] kernel_shape=1,1 strides=2,2 ceil_mode=1 -> float32[1,1,1,1]");
    row("GlobalAveragePool float32[2,3,5,7] -> float32[2,3,1,1]");
    row("MaxUnpool float32[1,1,2,2] int64[1,1,2,2] kernel_shape=2,2 strides=2,2 -> float32[1,1,4,4]");
    row("RoiAlign float32[1,3,9,9] float32[5,4] int64[5] output_height=2 output_width=3 -> float32[5,3,2,3]");
    row("Resize float32[1,1,2,4] _ float32[4]={1.0,1.0,2.5,0.5} -> float32[1,1,5,2]");
    row("Resize float32[1,1,2,4] _ _ int64[4]={1,1,7,?} -> float32[1,1,7,?]");
    row("Resize float32[1,1,6,4] _ _ int64[2]={3,4} axes=2,3 keep_aspect_ratio_policy='not_larger' -> "
        "float32[1,1,3,2]");
    row("Resize@10 float32[1,1,2,4] float32[4]={1,1,2,2} -> float32[1,1,4,8]");
    row("Upsample@7 float32[1,1,2,4] scales=1.0,1.0,2.0,3.0 -> float32[1,1,4,12]");
    row("GridSample float32[1,3,5,6] float32[1,7,8,2] -> float32[1,3,7,8]");
    row("AffineGrid float32[2,2,3] int64[4]={2,3,5,6} -> float32[2,5,6,2]");
    row("DepthToSpace float32[1,8,2,3] blocksize=2 -> float32[1,2,4,6]");
    row("SpaceToDepth float32[1,2,4,6] blocksize=2 -> float32[1,8,2,3]");
    row("Col2Im float32[1,5,5] int64[2]={5,5} int64[2]={1,5} -> float32[1,1,5,5]");
}

void networkRows()
{
    row("BatchNormalization@9 float32[1,3,4] float32[3] float32[3] float32[3] float32[3] -> float32[1,3,4]");
    row("BatchNormalization float32[1,3,4] float32[3] float32[3] float32[3] float32[3] training_mode=1 out=3 -> "
        "float32[1,3,4] float32[3] float32[3]");
    row("LayerNormalization float16[2,3,4] float16[4] axis=-1 out=3 -> float16[2,3,4] float32[2,3,1] float32[2,3,1]");
    row("Softmax float32[2,3] -> float32[2,3]");
    row("Softmax@11 float32[2] axis=1 -> float32[2]");
    row("Relu float32[2] _ -> float32[2]");
    row("LeakyRelu float32[2] alpha=1 -> float32[2]");
    row("Reshape@1 float32[2] shape=1,2 -> float32[1,2]");
    row("com.microsoft::Relu_ float32[2] float32[2] -> not known");
    row("LSTM float32[7,2,5] float32[1,12,5] float32[1,12,3] hidden_size=3 out=3 -> float32[7,1,2,3] float32[1,2,3] "
        "float32[1,2,3]");
    row("GRU float32[2,7,5] float32[2,9,5] float32[2,9,3] direction='bidirectional' layout=1 out=2 -> float32[2,7,2,3] "
        "float32[2,2,3]");
    row("Attention float32[2,8,4,16] float32[2,2,6,16] float32[2,2,6,10] _ float32[2,2,3,16] float32[2,2,3,10] out=4 "
        "-> float32[2,8,4,10] float32[2,2,9,16] float32[2,2,9,10] float32[2,8,4,9]");
    row("Attention float32[2,4,24] float32[2,6,24] float32[2,6,24] q_num_heads=3 kv_num_heads=3 -> float32[2,4,24]");
    row("LinearAttention float32[2,4,32] float32[2,4,32] float32[2,4,16] q_num_heads=4 kv_num_heads=4 out=2 -> "
        "float32[2,4,16] float32[2,4,8,4]");
    row("SoftmaxCrossEntropyLoss float32[3,5] int64[3] out=2 -> float32[] float32[3,5]");
    row("NegativeLogLikelihoodLoss float32[3,5] int64[3] reduction='none' -> float32[3]");
    row("QuantizeLinear float32[4] float32[] int8[] -> int8[4]");
    row("QuantizeLinear float32[4] float32[] -> uint8[4]");
    row("DequantizeLinear int4[5] float16[] int4[] -> float16[5]");
    row("DynamicQuantizeLinear float32[4] out=3 -> uint8[4] float32[] uint8[]");
    row("QLinearConv uint8[1,1,7,7] float32[] uint8[] uint8[1,1,1,1] float32[] uint8[] float32[] int8[] -> "
        "int8[1,1,7,7]");
    row("DFT@17 float32[1,10,10,1] axis=1 onesided=1 -> float32[1,6,10,2]");
    row("STFT float32[1,128,1] int64[]={8} _ int64[]={16} -> float32[1,15,9,2]");
    row("HannWindow int64[]={10} -> float32[10]");
    row("RandomNormal shape=2,3 dtype=11 -> float64[2,3]");
    row("Multinomial float32[3,5] sample_size=4 dtype=7 -> int64[3,4]");
    row("TfIdfVectorizer int32[2,6] ngram_indexes=0,2,1 -> float32[2,3]");
    row("ai.onnx.preview.training::Adam float32[] int64[] float32[2] float32[2] float32[2] float32[2] out=3 -> "
        "float32[2] float32[2] float32[2]");
    row("com.microsoft::BroadcastGradientArgs int64[2]={4,1} int64[3]={2,4,3} out=2 -> int64[2]={2,0} int64[0]={}");
    row("com.microsoft::SkipLayerNormalization float32[1,2,4] float32[1,2,4] float32[4] out=2 -> float32[1,2,4] "
        "float32[1,2,1]");
    row("plimsoll::Add_ float32[4] float32[4] -> float32[4]");
    row("SequenceConstruct float32[2] float32[3] -> sequence(float32[?])");
}

} // namespace

void OpsShapes::outputsFollowFromInputs_data()
{
    QTest::addColumn<QString>("operatorCase");
    QTest::addColumn<QString>("outputs");
    elementwiseRows();
    shapeRows();
    reshapeRows();
    movementRows();
    reductionRows();
    matrixRows();
    windowRows();
    networkRows();
}

void OpsShapes::outputsFollowFromInputs()
{
    QFETCH(QString, operatorCase);
    QFETCH(QString, outputs);

    QCOMPARE(QString::fromStdString(inferred(operatorCase.toStdString())), outputs);
}

namespace {

void refusedWindowRows()
{
    QTest::newRow("Conv float32[1,3,8,8] float32[8,3,3,3] kernel_shape=2,2") << "kernel_shape says [2,2]";
    QTest::newRow("ConvTranspose float32[1,3,8,8] float32[3,8,3,3] kernel_shape=3,5") << "the weights are [3,3]";
    QTest::newRow("ConvInteger uint8[1,1,3,3] uint8[1,1,2,2] kernel_shape=1,1") << "kernel_shape says [1,1]";
    QTest::newRow("QLinearConv uint8[1,1,7,7] float32[] uint8[] uint8[1,1,1,1] float32[] uint8[] float32[] int8[] "
                  "kernel_shape=3,3")
        << "the weights are [1,1]";
    QTest::newRow("Conv float32[1,3,8,8] float32[8,3,3,3] group=0") << "group is 0; it must be at least 1";
    QTest::newRow("ConvTranspose float32[1,3,8,8] float32[3,8,3,3] group=-1") << "group is -1";
    QTest::newRow("Conv float32[1,4,8,8] float32[9,2,3,3] group=2") << "9 channels of the weights cannot be divided";
    QTest::newRow("Conv float32[1,4,8,8] float32[8,4,3,3] group=2") << "weights times group 2";
    QTest::newRow("ConvTranspose float32[1,4,3,3] float32[4,2,3,3] group=3") << "into 3 groups";
    QTest::newRow("ConvTranspose float32[1,4,3,3] float32[4,2,3,3] output_padding=-1,0") << "output_padding";
    QTest::newRow("Conv float32[1,3,8,8] float32[8,3,3,3] dilations=0,1") << "less than 1";
    QTest::newRow("Conv float32[1,3,8,8] float32[8,3,3,3] pads=-1,0,0,0") << "A pad is -1";
    QTest::newRow("Conv float32[1,3,8,8] float32[8,3,3,3] auto_pad='SAME'") << "auto_pad is 'SAME'";
    QTest::newRow("Conv float32[1,3,8,8] float32[8,3,0,3]") << "0 wide along spatial axis 0";
    QTest::newRow("MaxPool float32[1,3,5,5] kernel_shape=0,0") << "0 wide along spatial axis 0";
    QTest::newRow("AveragePool float32[1,3,5,5] kernel_shape=2,-1") << "-1 wide along spatial axis 1";
    QTest::newRow("MaxPool float32[1,3,5,5] kernel_shape=2,2 strides=1,0") << "less than 1";
    QTest::newRow("LpPool float32[1,3,5,5] kernel_shape=2,2 pads=0,0,0,-2") << "A pad is -2";
}

void refusedFormRows()
{
    QTest::newRow("Relu float32[2] float32[2] float32[2]") << "It has 3 inputs; Relu takes 1.";
    QTest::newRow("Relu float32[2] out=2") << "It has 2 outputs; Relu gives at most 1.";
    QTest::newRow("Add float32[2]") << "It has 1 input; Add takes 2.";
    QTest::newRow("Add _ float32[2]") << "Its input 0 is absent";
    QTest::newRow("Conv float32[1,3,8,8]") << "It has 1 input; Conv takes 2 to 3.";
    QTest::newRow("Gemm float32[2,2] float32[2,2] float32[2] float32[2]") << "Gemm takes 2 to 3";
    QTest::newRow("Concat axis=0") << "It has 0 inputs; Concat takes at least 1.";
    QTest::newRow("BatchNormalization float32[1,3] float32[3]") << "BatchNormalization takes 5";
    QTest::newRow("Reshape@13 float32[2] shape=1,2") << "It has 1 input; Reshape takes 2.";
    QTest::newRow("Where bool[2] float32[2]") << "Where takes 3";
    QTest::newRow("If bool[]") << "It has 0 bodies; If needs then_branch and else_branch.";
    QTest::newRow("Loop int64[] bool[]") << "It has 0 bodies; Loop needs one.";
    QTest::newRow("Scan float32[2] num_scan_inputs=1") << "It has 0 bodies; Scan needs one.";
    QTest::newRow("Softmax float32[2,3] axis='one'") << "'axis' has the wrong kind; it must be an integer";
    QTest::newRow("Concat float32[2] axis=0,1") << "'axis' has the wrong kind";
    QTest::newRow("Transpose float32[2] perm=0") << "'perm' has the wrong kind; it must be a list of integers";
    QTest::newRow("MaxPool float32[1,3,5] kernel_shape='2'") << "it must be a list of integers";
    QTest::newRow("LeakyRelu float32[2] alpha='x'") << "it must be a number";
    QTest::newRow("Conv float32[1,3,8] float32[8,3,3] auto_pad=1") << "it must be a text";
}

void refusedAxisRows()
{
    QTest::newRow("Softmax float32[2,3] axis=2") << "axis 2 is outside of float32[2,3]";
    QTest::newRow("LogSoftmax@11 float32[2,3] axis=-3") << "axis -3 is outside";
    QTest::newRow("Concat float32[2,3] float32[2,3] axis=-3") << "The axis is outside";
    QTest::newRow("Concat@13 float32[2,3] float32[2,3]") << "axis is missing";
    QTest::newRow("GatherElements float32[2,3] int64[2,3] axis=5") << "axis 5 is outside";
    QTest::newRow("ScatterElements float32[2] int64[1] float32[1] axis=1") << "axis 1 is outside";
    QTest::newRow("Split float32[4] axis=1 out=2") << "The axis is outside";
    QTest::newRow("Flatten float32[4] axis=2") << "axis 2 is outside";
    QTest::newRow("ReduceMax float32[4] int64[1]={3}") << "axis 3 is outside";
    QTest::newRow("ArgMax float32[4] axis=-2") << "The axis is outside";
    QTest::newRow("CumSum float32[4] int64[]={1}") << "axis 1 is outside";
    QTest::newRow("Slice float32[4] int64[1]={0} int64[1]={2} int64[1]={1}") << "axis 1 is outside";
    QTest::newRow("LayerNormalization float32[2,3] float32[3] axis=2") << "The axis is outside";
    QTest::newRow("Split float32[4] int64[2]={5,-1} out=2") << "negative";
    QTest::newRow("Split float32[4] int64[3]={1,1,2} out=2") << "one for each output";
    QTest::newRow("Split@13 float32[5] out=2") << "cannot be divided into 2 equal parts";
    QTest::newRow("Pad float32[2,3] int64[2]={1,1}") << "The 2 pads are not two for each axis";
    QTest::newRow("Gather float32[2,3] int64[2]={0,2}") << "index 2 is outside of an axis of size 2";
    QTest::newRow("Gather float32[2,3] int64[2]={?,-4} axis=1") << "index -4 is outside of an axis of size 3";
    QTest::newRow("GatherElements float32[2] int64[1]={2}") << "index 2 is outside";
    QTest::newRow("GatherND float32[2,3] int64[1,2]={1,3}") << "index 3 is outside of an axis of size 3";
    QTest::newRow("GatherND float32[2,3] int64[2,1]={1,3} batch_dims=1") << "index 3 is outside";
    QTest::newRow("ScatterElements float32[2] int64[1]={-3} float32[1]") << "index -3 is outside";
    QTest::newRow("ScatterND float32[2,3] int64[1,1]={2} float32[1,3]") << "index 2 is outside of an axis of size 2";
}

} // namespace

void OpsShapes::whatCannotGoTogetherIsAnError_data()
{
    QTest::addColumn<QString>("mentions");
    QTest::newRow("Add float32[2] float32[3]") << "float32[2] and float32[3]";
    QTest::newRow("MatMul float32[2,3] float32[4,5]") << "cannot be multiplied";
    QTest::newRow("MatMul float32[] float32[4]") << "cannot be multiplied";
    QTest::newRow("Conv float32[1,3,8,8] float32[8,4,3,3]") << "channels";
    QTest::newRow("Conv float32[1,3,2,2] float32[8,3,3,3]") << "does not fit";
    QTest::newRow("Conv float32[1,3,8,8] float32[8,3,3,3] strides=0,1") << "less than 1";
    QTest::newRow("Conv float32[1,3,8,8] float32[8,3,3,3] pads=1,1") << "length";
    QTest::newRow("Concat float32[2,3] float32[3,3] axis=1") << "another axis";
    QTest::newRow("Concat float32[2,3] float32[3] axis=0") << "ranks";
    QTest::newRow("Concat float32[9223372036854775807] float32[1] axis=0") << "63 bits";
    QTest::newRow("Reshape float32[2,3] int64[1]={5}") << "6 elements";
    QTest::newRow("Reshape float32[2,3] int64[2]={-2,1}") << "-2";
    QTest::newRow("Reshape float32[6] int64[3]={4611686018427387904,4611686018427387904,-1}") << "63 bits";
    QTest::newRow("Transpose float32[2,3] perm=0,0") << "permutation";
    QTest::newRow("Squeeze float32[2] int64[1]={0}") << "not of size 1";
    QTest::newRow("Unsqueeze float32[2] int64[2]={0,0}") << "cannot be added";
    QTest::newRow("Split float32[4] int64[2]={1,2} out=2") << "add up";
    QTest::newRow("Tile float32[4611686018427387904] int64[1]={2}") << "63 bits";
    QTest::newRow("ConstantOfShape int64[1]={-1}") << "negative";
    QTest::newRow("Gather float32[2] int64[1] axis=1") << "axis";
    QTest::newRow("Slice float32[2] int64[1]={0} int64[1]={2} int64[1]={0} int64[1]={0}") << "step";
    QTest::newRow("Einsum float32[2,3] equation='ijk->i'") << "ijk";
    QTest::newRow("Gemm float32[2,3,4] float32[4,5]") << "two matrices";
    QTest::newRow("TopK float32[3] int64[1]={4} out=2") << "larger";
    QTest::newRow("Cast float32[3] to=99") << "element type";
    refusedWindowRows();
    refusedFormRows();
    refusedAxisRows();
}

void OpsShapes::whatCannotGoTogetherIsAnError()
{
    QFETCH(QString, mentions);

    const QString result = QString::fromStdString(inferred(QTest::currentDataTag()));

    QVERIFY2(result.startsWith(QStringLiteral("error: ")), qPrintable(result));
    QVERIFY2(result.contains(mentions), qPrintable(result));
}

QTEST_APPLESS_MAIN(OpsShapes)
#include "tst_ops_shapes.moc"
