#include "op_case.h"

#include <QTest>

using plimsoll::test::inferred;

/// What the definition of an operator forbids is found before anything runs: choices that it does not have, types that
/// it does not take, weights of another size than its attributes say.
class OpRules : public QObject
{
    Q_OBJECT

private slots:
    void whatIsForbiddenIsNamed_data();
    void whatIsForbiddenIsNamed();
    void whatIsAllowedPasses_data();
    void whatIsAllowedPasses();
};

namespace {

void refusedChoices()
{
    const auto row = [](const char* text, const char* mentions) { QTest::newRow(text) << QString::fromUtf8(mentions); };
    row("LSTM float32[2,3,4] float32[1,20,4] float32[1,20,5] direction='sideways' out=3",
        "The attribute direction is 'sideways'; it must be forward, reverse or bidirectional.");
    row("GRU float32[2,3,4] float32[1,15,4] float32[1,15,5] layout=3 out=2", "layout is '3'; it must be 0 or 1.");
    row("Resize float32[1,1,4,4] _ float32[4]={1,1,2,2} mode='foo'",
        "mode is 'foo'; it must be nearest, linear or cubic");
    row("Resize float32[1,1,4,4] _ float32[4]={1,1,2,2} nearest_mode='up'", "The attribute nearest_mode is 'up'");
    row("Resize float32[1,1,4,4] _ float32[4]={1,1,2,2} coordinate_transformation_mode='x'",
        "half_pixel, half_pixel_s");
    row("Resize float32[1,1,4,4] _ _ int64[4]={1,1,2,2} keep_aspect_ratio_policy='x'", "stretch, not_larger or not_");
    row("Upsample@9 float32[1,1,2,2] float32[4]={1,1,2,2} mode='foo'", "The attribute mode is 'foo'");
    row("Pad float32[4] int64[2]={1,1} mode='mirror'", "constant, reflect, edge or wrap");
    row("Pad float32[4] int64[2]={1,1} mode='const'", "The attribute mode is 'const'");
    row("DepthToSpace float32[1,4,2,2] blocksize=2 mode='RCD'", "DCR or CRD");
    row("Gelu float32[4] approximate='erf'", "none or tanh");
    row("GridSample float32[1,1,4,4] float32[1,2,2,2] padding_mode='mirror'", "zeros, border or reflection");
    row("ScatterND float32[2] int64[1,1] float32[1] reduction='avg'", "none, add, mul, max or min");
    row("NegativeLogLikelihoodLoss float32[3,5] int64[3] reduction='avg'", "none, mean or sum");
    row("RoiAlign float32[1,1,4,4] float32[2,4] int64[2] mode='min'", "avg or max");
    row("BitShift uint8[5] uint8[5] direction='UP'", "LEFT or RIGHT");
    row("LpNormalization float32[4] p=3", "The attribute p is '3'; it must be 1 or 2.");
    row("MaxPool float32[1,1,4,4] kernel_shape=2,2 auto_pad='SAME'", "NOTSET, SAME_UPPER, SAME_LOWER or VALID.");
    row("ai.onnx.ml::Normalizer float32[1,3] norm='L3'", "MAX, L1 or L2");
    row("LpPool float32[1,1,4,4] kernel_shape=2,2 p=0", "The attribute p must be a whole number above 0.");
    row("LpPool float32[1,1,4,4] kernel_shape=2,2 p=2.5", "The attribute p must be a whole number above 0.");
    row("LpPool@1 float32[1,1,4,4] kernel_shape=2,2 p=-0.5", "The attribute p must be");
    row("GlobalLpPool float32[1,1,4,4] p=-1", "The attribute p must be");
    row("LRN float32[1,4,4,4] size=0", "The attribute size must be a whole number above 0.");
    row("LRN float32[1,4,4,4]", "The attribute size is missing.");
    row("Softmax float32[2] axis=9223372036854775807",
        "The attribute 'axis' is 9,223,372,036,854,775,807; it must be from -2,147,483,648 to 2,147,483,647.");
    row("Conv float32[1,1,4,4] float32[1,1,2,2] strides=1,2147483648", "The attribute 'strides' is 2,147,483,648;");
    row("SoftmaxCrossEntropyLoss float32[3,5] int64[4]",
        "The targets int64[4] are not one for each row of float32[3,5].");
    row("NegativeLogLikelihoodLoss float32[3,5,2] int64[3]", "The targets int64[3] are not one for each row");
    row("NegativeLogLikelihoodLoss float32[3,5] int64[3] float32[4]", "one for each class of float32[3,5]");
    row("EyeLike float32[2,2] dtype=99", "dtype is '99'; it must be the number or the name of an element type.");
    row("EyeLike float32[2,2] dtype=0", "The attribute dtype is '0'");
    row("RandomNormal dtype=-1 shape=2,2", "The attribute dtype is '-1'");
    row("HannWindow int64[] output_datatype='floot'", "The attribute output_datatype is 'floot'");
    row("QuantizeLinear float32[2] float32[] output_dtype=77", "The attribute output_dtype is '77'");
    row("LayerNormalization float32[2] float32[2] stash_type=0", "The attribute stash_type is '0'");
    row("Mod float32[2] float32[2]", "The attribute fmod must be 1 for float32[2].");
    row("Mod float32[2] float32[2] fmod=2", "The attribute fmod is '2'; it must be 0 or 1.");
}

void refusedTypes()
{
    const auto row = [](const char* text, const char* mentions) { QTest::newRow(text) << QString::fromUtf8(mentions); };
    row("QLinearConv int8[1,2,5,5] float32[] int8[] float32[3,2,3,3] float32[] int8[] float32[] int8[]",
        "Input 3, '', is float32[3,2,3,3]; QLinearConv takes int8 or uint8 there.");
    row("QLinearConv int8[1,2,5,5] int32[] int8[] int8[3,2,3,3] float32[] int8[] float32[] int8[]",
        "Input 1, '', is int32[]; QLinearConv takes floating-point numbers there.");
    row("QLinearConv int8[1,2,5,5] float32[] uint8[] int8[3,2,3,3] float32[] int8[] float32[] int8[]",
        "Input 2, '', is uint8[], and input 0 is int8[1,2,5,5]; QLinearConv takes both in one type.");
    row("ConvInteger float32[1,2,5,5] int8[3,2,3,3]", "Input 0");
    row("MatMulInteger int8[2,5] float32[5,3]", "Input 1");
    row("DequantizeLinear float32[2,5] float32[]", "numbers of 16 bits or less or int32 there");
    row("QuantizeLinear int64[2,5] float32[] uint8[]", "floating-point numbers or int32 there");
    row("Add float32[2] int32[2]", "takes both in one type");
    row("QuantizeLinear float32[2,5] float32[] int32[]", "Input 2, '', is int32[]");
    row("Add bool[2] bool[2]", "takes numbers there");
    row("Add float8e4m3fn[2] float8e4m3fn[2]", "takes numbers there");
    row("Conv float32[1,2,5,5] float32[3,2,3,3] int32[3]", "Input 2");
    row("Concat float32[2] float32[2] int32[2] axis=0", "Input 2, '', is int32[2], and input 0 is float32[2]");
    row("Where float32[2] float32[2] float32[2]", "takes bool there");
    row("GatherND float32[2] float32[1]", "takes integers there");
    row("ScatterElements float32[2] int64[2] int32[2]", "takes both in one type");
    row("Sigmoid int32[2]", "floating-point numbers there");
    row("Not float32[2]", "takes bool there");
    row("Reshape float32[2] float32[1]", "takes integers there");
}

/// How many inputs and outputs an operator has.
void refusedCounts()
{
    const auto row = [](const char* text, const char* mentions) { QTest::newRow(text) << QString::fromUtf8(mentions); };
    const QByteArray rotary = "RotaryEmbedding float32[1,2,3,4] float32[9,2] float32[9,2]";
    row((rotary + " int64[1,3] int64[1] int64[1] int64[1]").data(), "It has 7 inputs; RotaryEmbedding takes 3 to 4.");
    row((rotary + " out=2").data(), "It has 2 outputs; RotaryEmbedding gives at most 1.");
    row("Mish float32[2] float32[2]", "It has 2 inputs; Mish takes 1.");
    row("Attention float32[1,2,3,4] float32[1,2,3,4]", "It has 2 inputs; Attention takes 3 to 7.");
    row("Attention float32[1,2,3,4] _ float32[1,2,3,4]", "Its input 1 is absent; Attention needs it.");
    row("TensorScatter float32[1,2,3]", "It has 1 input; TensorScatter takes 2 to 3.");
    row("TensorScatter float32[1,2,3] float16[1,1,3]", "takes both in one type");
    row("LinearAttention float32[1,2,4] float32[1,2,4]", "LinearAttention takes 3 to 6.");
    row("CausalConvWithState float32[1,2,4] float32[2,1,3] out=3", "CausalConvWithState gives at most 2.");
    row("Optional float32[2] float32[2]", "Optional takes 0 to 1.");
    row("OptionalGetElement", "It has 0 inputs; OptionalGetElement takes 1.");
    row("OptionalHasElement float32[2] float32[2]", "OptionalHasElement takes 0 to 1.");
    row("StringConcat string[2]", "StringConcat takes 2.");
    row("StringConcat string[2] int32[2]", "StringConcat takes strings there.");
    row("StringNormalizer int32[2]", "StringNormalizer takes strings there.");
    row("StringSplit string[2] out=3", "StringSplit gives at most 2.");
    row("RegexFullMatch int8[2]", "RegexFullMatch takes strings there.");
    row("RegexFullMatch string[2] string[2]", "RegexFullMatch takes 1.");
    row("TfIdfVectorizer float32[2]", "TfIdfVectorizer takes strings or integers there.");
    row("ImageDecoder int8[9]", "ImageDecoder takes uint8 there.");
    row("SequenceMap", "has 0 bodies");
    row("Unsqueeze@13 float32[2]", "Unsqueeze takes 2.");
    row("Tile@6 float32[2] int64[1] int64[1]", "It has 3 inputs; Tile takes 2.");
    row("Concat axis=0", "It has 0 inputs; Concat takes at least 1.");
    row("ai.onnx.ml::Scaler float32[1,3] float32[3]", "Scaler takes 1.");
    row("ai.onnx.ml::SVMClassifier float32[1,3] kernel_type='CUBE'", "LINEAR, POLY, RBF or SIGMOID");
    row("com.microsoft::SkipLayerNormalization float32[1,2,4] float32[1,2,4]", "takes 3 to 5.");
    row("com.microsoft::BiasGelu float32[4]", "BiasGelu takes 2.");
    row("plimsoll::Add_ float32[4]", "Add_ takes 2.");
    row("aten::addmv float32[4] float32[4,4]", "addmv takes 3.");
    row("mxnet::elemwise_add float32[4]", "elemwise_add takes 2.");
}

void refusedSizes()
{
    const auto row = [](const char* text, const char* mentions) { QTest::newRow(text) << QString::fromUtf8(mentions); };
    row("LSTM float32[2,3,4] float32[1,20,4] float32[1,20,5] hidden_size=7 out=3",
        "The weights float32[1,20,4] (input 1) must be float32[1,28,4]: direction forward and 7 hidden numbers");
    row("LSTM float32[2,3,4] float32[1,20,4] float32[1,20,5] direction='bidirectional' out=3", "float32[2,20,4]");
    row("LSTM float32[2,3,9] float32[1,20,4] float32[1,20,5] out=3", "must be float32[1,20,9]");
    row("GRU float32[2,3,4] float32[1,20,4] float32[1,20,5] hidden_size=5 out=2", "must be float32[1,15,4]");
    row("LSTM float32[2,3,4] float32[1,20,4] float32[1,20,5] hidden_size=0 out=3", "hidden_size is 0");
    row("LSTM float32[2,3,4] float32[1,20,4] float32[1,20,5] float32[1,7] out=3",
        "Input 3, float32[1,7], must have 40 numbers");
    row("LSTM float32[2,3,4] float32[1,20,4] float32[1,20,5] _ int32[2] out=3", "one length for each sequence");
    row("LSTM float32[2,3,4] float32[1,20,4] float32[1,20,5] _ _ float32[1,9,5] out=3", "must have 15 numbers");
    row("LSTM float32[2,3,4] float32[1,20,4] float32[1,20,5] activations='Tanh|Foo|Tanh' out=3",
        "'Foo', which is none");
    row("LSTM float32[2,3,4] float32[1,20,4] float32[1,20,5] activations='Tanh|Tanh' out=3", "names 2; 3 are needed");
    row("LSTM float32[2,3,4] float32[1,20,4] float32[1,20,5] _ _ _ float32[1,9,5] out=3", "Input 6, float32[1,9,5]");
    row("LSTM float32[2,3,4] float32[1,20,4] float32[1,20,5] _ _ _ _ float32[1,14] out=3", "must have 15 numbers");
    row("LSTM float32[2,3,4] float32[1,20,4] float32[1,20,6] out=3", "(input 1) must be float32[1,24,4]");
    row("LSTM float32[2,3,4] float32[1,20,4] float32[1,20,6] hidden_size=5 out=3", "(input 2) must be float32[1,20,5]");
    row("GRU float32[2,3,4] float32[2,15,4] float32[2,15,5] direction='bidirectional' activations='Tanh|Tanh' out=2",
        "names 2; 4 are needed");
    row("Conv float32[1,2,5,5] float32[3,2,3,3] float32[7]", "Input 2, float32[7], must have 3 numbers");
    row("ConvTranspose float32[1,2,5,5] float32[2,3,3,3] float32[7]", "must have 3 numbers");
    row("BatchNormalization float32[1,2,4,4] float32[2] float32[2] float32[3] float32[2]", "Input 3, float32[3]");
    row("InstanceNormalization float32[1,2,4,4] float32[9] float32[2]", "Input 1, float32[9]");
    row("InstanceNormalization float32[1,2,4,4] float32[2] float32[9]", "Input 2, float32[9]");
    row("GroupNormalization float32[1,4,4,4] float32[4] float32[4] num_groups=3", "cannot be divided into 3 groups");
    row("GroupNormalization@18 float32[1,4,4,4] float32[4] float32[4] num_groups=2", "one for each group");
    row("LayerNormalization float32[1,2,4,4] float32[9]", "cannot be stretched to float32[1,2,4,4]");
    row("PRelu float32[1,4,4,4] float32[7]", "cannot be stretched");
    row("LayerNormalization float32[1,2,4,4] float32[4] float32[9]", "Input 2, float32[9], cannot be stretched");
    row("PRelu float32[4] float32[2,4]", "cannot be stretched");
    row("PRelu float32[4] float32[4,4]", "cannot be stretched");
    row("PRelu float32[1,4] float32[2,4]", "cannot be stretched");
    row("SwiGLU float32[2,4] float32[4]", "The gate float32[2,4] and float32[4] must have one shape.");
    row("SwiGLU float32[2,4] float32[2,1]", "must have one shape.");
    row("Split float32[6] num_outputs=2 out=3", "num_outputs is 2, and there are 3 outputs");
    row("Col2Im float32[1,5,5] int64[2]={5,5} int64[2]={1,4}", "must have 10 columns of a multiple of 4 numbers");
    row("Col2Im float32[1,6,5] int64[2]={5,5} int64[2]={1,5}", "must have 5 columns of a multiple of 5 numbers");
    row("Col2Im float32[1,5,5] int64[2]={5,5} int64[2]={1,5} strides=2,1", "must have 3 columns");
    row("Col2Im float32[1,5,5] int64[2]={5,5} int64[2]={1,6}", "The block [1,6] does not fit into the image [5,5].");
    row("Col2Im float32[1,5,5] int64[3]={1,5,5} int64[2]={1,5}", "The block [1,5] does not fit into the image [1,5,5]");
    row("Col2Im float32[1,5,5] int64[2]={5,-5} int64[2]={1,5} pads=0,5,0,5", "does not fit into the image");
    row("Col2Im float32[1,5,5] int64[2]={5,5} int64[2]={-1,-5}", "The block shape is not positive.");
    row("Col2Im float32[5,5] int64[2]={5,5} int64[2]={1,5}", "It takes three dimensions, not float32[5,5].");
    row("DepthToSpace float32[1,6,2,2] blocksize=2", "or the block size do not fit");
    row("SpaceToDepth float32[1,4,2,3] blocksize=2", "or the block size do not fit");
    row("SpaceToDepth float32[1,4,3,2] blocksize=2", "or the block size do not fit");
}

} // namespace

void OpRules::whatIsForbiddenIsNamed_data()
{
    QTest::addColumn<QString>("mentions");
    refusedChoices();
    refusedTypes();
    refusedCounts();
    refusedSizes();
}

void OpRules::whatIsForbiddenIsNamed()
{
    QFETCH(QString, mentions);
    const QString result = QString::fromStdString(inferred(QTest::currentDataTag()));
    QVERIFY2(result.startsWith(QStringLiteral("error: ")), qPrintable(result));
    QVERIFY2(result.contains(mentions), qPrintable(result));
}

void OpRules::whatIsAllowedPasses_data()
{
    QTest::addColumn<int>("unused");
    for (const char* text :
         {"LSTM float32[2,3,4] float32[1,20,4] float32[1,20,5] hidden_size=5 out=3",
          "LSTM float32[2,3,4] float32[2,20,4] float32[2,20,5] direction='bidirectional' out=3",
          "LSTM float32[?,3,4] float32[1,?,4] float32[?…] hidden_size=5 out=3",
          "LSTM float32[2,3,4] float32[1,20,4] float32[1,20,5] float32[40] int32[3] float32[3,5] out=3",
          "LSTM float32[3,2,4] float32[1,20,4] float32[1,20,5] _ int32[3] float32[3,1,5] layout=1 out=3",
          "Conv float32[1,2,5,5] float32[3,2,3,3] float32[3] auto_pad=''",
          "QLinearConv uint8[1,2,5,5] float32[] uint8[] int8[3,2,3,3] float32[3] int8[3] float32[] uint8[] int32[3]",
          "DequantizeLinear int32[2,5] float32[]",
          "QuantizeLinear float32[2,5] float32[] float8e4m3fn[]",
          "BatchNormalization@7 float32[1,2,4,4] float32[32] float32[32] float32[32] float32[32] spatial=0",
          "GroupNormalization@18 float32[1,4,4,4] float32[2] float32[2] num_groups=2",
          "PRelu@6 float32[1,4,4,4] float32[4]",
          "PRelu float32[1,4,4,4] float32[4,1,1]",
          "PRelu float32[] float32[]",
          "Pow float32[2] int64[]",
          "LpPool@1 float32[1,1,4,4] kernel_shape=2,2 p=0.5",
          "QuantizeLinear float32[2] float32[] output_dtype=0",
          "EyeLike float32[2,2] dtype='float64'",
          "Mod float32[2] float32[2] fmod=1",
          "Mod int32[2] int32[2]",
          "DepthToSpace float32[1,?,2,2] blocksize=2",
          "Col2Im float32[1,?,?] int64[2]={5,5} int64[2]={1,5}",
          "Col2Im float32[1,5,12] int64[2]={5,5} int64[2]={1,5} strides=2,1 pads=0,0,0,3",
          "Split float32[6] num_outputs=3 out=2",
          "Tile@1 float32[2] float32[] float32[]",
          "Unsqueeze@11 float32[2] axes=0,",
          "RotaryEmbedding float32[1,2,3,4] float32[9,2] float32[9,2] int64[1,3]",
          "Attention float32[1,2,3,4] float32[1,2,3,4] float32[1,2,3,4] _ _ _ int64[1] out=3",
          "Optional",
          "SwiGLU float32[2,?] float32[2,4] alpha=0.5",
          "TfIdfVectorizer string[4] ngram_indexes=0,1",
          "ConstantFill int64[2]={2,3} input_as_shape=1",
          "ai.onnx.ml::LinearClassifier int32[4,3] out=2"})
        QTest::newRow(text) << 0;
}

void OpRules::whatIsAllowedPasses()
{
    const QString result = QString::fromStdString(inferred(QTest::currentDataTag()));
    QVERIFY2(!result.startsWith(QStringLiteral("error: ")), qPrintable(result));
}

QTEST_APPLESS_MAIN(OpRules)
#include "tst_op_rules.moc"
