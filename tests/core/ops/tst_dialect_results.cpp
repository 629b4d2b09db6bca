#include "op_case.h"

#include <QTest>

using namespace plimsoll::test;

/// The same of the operators of other dialects.
class DialectResults : public QObject
{
    Q_OBJECT

private slots:
    void aNodeGives_data();
    void aNodeGives();
};

namespace {

constexpr const char* OptimizerCases = R"(
ai.onnx.preview.training::Adagrad float32[] int64[] float32[2] float32[2] float32[2] out=2 -> float32[2] float32[2]
ai.onnx.preview.training::Adagrad float32[] int64[] float32[2] float32[2] -> error: The number of inputs is wrong.
ai.onnx.preview.training::Momentum float32[] int64[] float32[2] float32[3] float32[2] float32[3] float32[2] float32[3] out=4 -> float32[2] float32[3] float32[2] float32[3]
ai.onnx.preview.training::Gradient float32[2] float32[3,4] out=2 -> float32[2] float32[3,4]
)";

constexpr const char* MachineLearningCases = R"(
ai.onnx.ml::ArrayFeatureExtractor float32[3,8] int64[1,2] -> float32[3,2]
ai.onnx.ml::ArrayFeatureExtractor float32[8] int64[2] -> float32[1,2]
ai.onnx.ml::ArrayFeatureExtractor float32[8] int64[?…] -> float32[1,?]
ai.onnx.ml::Binarizer float32[2,3] -> float32[2,3]
ai.onnx.ml::CategoryMapper string[2] -> int64[2]
ai.onnx.ml::CategoryMapper int64[2] -> string[2]
ai.onnx.ml::LabelEncoder string[2] values_floats=0.5,1.5 -> float32[2]
ai.onnx.ml::LabelEncoder int64[2] values_strings='a|b' -> string[2]
ai.onnx.ml::LabelEncoder string[2] classes_strings='a|b' -> int64[2]
ai.onnx.ml::LabelEncoder int64[2] values_int64s=1,2 -> int64[2]
ai.onnx.ml::LinearClassifier float32[5,3] out=2 -> int64[5] float32[5,?]
ai.onnx.ml::SVMClassifier float32[3] classlabels_strings='a|b' out=2 -> string[1] float32[1,?]
ai.onnx.ml::TreeEnsembleClassifier float32[?…] out=2 -> int64[?] float32[?,?]
ai.onnx.ml::LinearRegressor float32[5,3] targets=2 -> float32[5,2]
ai.onnx.ml::TreeEnsembleRegressor float32[5,3] n_targets=4 -> float32[5,4]
ai.onnx.ml::SVMRegressor float32[5,3] -> float32[5,1]
ai.onnx.ml::Normalizer int64[2,3] norm='L2' -> float32[2,3]
ai.onnx.ml::Scaler int64[2,3] -> float32[2,3]
ai.onnx.ml::Imputer float64[2,3] -> float64[2,3]
)";

constexpr const char* MicrosoftCases = R"(
com.microsoft::Attention float32[2,4,24] float32[24,36] float32[36] num_heads=3 out=2 -> float32[2,4,12] float32[2,2,3,4,4]
com.microsoft::Attention float32[2,4,24] float32[24,36] float32[36] _ float32[2,2,3,5,4] num_heads=3 out=2 -> float32[2,4,12] float32[2,2,3,9,4]
com.microsoft::Attention float32[2,4,24] float32[24,?] qkv_hidden_sizes=8,8,6 num_heads=2 out=2 -> float32[2,4,6] float32[2,2,2,4,3]
com.microsoft::BeamSearch int32[2,8] int32[]={20} _ int32[]={4} int32[]={3} -> int32[2,3,20]
com.microsoft::BeamSearch int32[2,8] int32[] _ int32[] int32[] -> int32[2,?,?]
com.microsoft::BiasGelu float32[2,3] float32[3] -> float32[2,3]
com.microsoft::BroadcastGradientArgs int64[2]={2,3} int64[2]={2,3} out=2 -> int64[0]={} int64[0]={}
com.microsoft::BroadcastGradientArgs int64[1]={3} int64[2] out=2 -> int64[?] int64[?]
com.microsoft::ConcatTraining float32[2,3] float32[2,4] axis=0 out=2 -> error: The inputs [2,3] and float32[2,4] differ in another axis than the one they are joined along.
com.microsoft::ConcatTraining int64[2]={1,2} int64[1]={3} axis=0 out=2 -> int64[3]={1,2,3} int64[2]
com.microsoft::EmbedLayerNormalization int32[2,8] int32[2,8] float32[99,16] float32[50,16] float32[2,16] float32[16] float32[16] out=3 -> float32[2,8,16] int32[2] float32[2,8,16]
com.microsoft::FastGelu float16[2,3] -> float16[2,3]
com.microsoft::FusedConv float32[1,3,8,8] float32[4,3,3,3] activation='Relu' -> float32[1,4,6,6]
com.microsoft::FusedConv float32[1,3,8,8] float32[4,3,3,3] strides=2,2 pads=1,1,1,1 -> float32[1,4,4,4]
com.microsoft::FusedConv float32[1,3,2,2] float32[4,3,3,3] -> error: The window does not fit into float32[1,3,2,2].
com.microsoft::FusedGemm float32[2,3] float32[4,3] transB=1 -> float32[2,4]
com.microsoft::FusedMatMul float32[?…] float32[2,3] -> float32[?…]
com.microsoft::FusedMatMul float32[2,3] float32[4,5] -> error: float32[2,3] and float32[4,5] cannot be multiplied.
com.microsoft::TransposeMatMul float32[3,2] float32[3,4] transA=1 -> float32[2,4]
com.microsoft::LayerNormalizationGrad float32[2,3] float32[2,3] float32[3] float32[2,1] float32[2,1] out=3 -> float32[2,3] float32[3] float32[3]
com.microsoft::SliceGrad float32[2] int64[2]={4,5} int64[1] int64[1] -> float32[4,5]
com.microsoft::SliceGrad float32[2] int64[2] int64[1] int64[1] -> float32[?…]
com.microsoft::SkipSimplifiedLayerNormalization float32[1,2,4] float32[1,2,4] float32[4] out=4 -> float32[1,2,4] float32[1,2,1] float32[1,2,1] float32[1,2,4]
com.microsoft::SoftmaxCrossEntropyLossInternal float32[3,5] int64[3] out=2 -> float32[] float32[3,5]
com.microsoft::SoftmaxCrossEntropyLossInternalGrad float32[] float32[3,5] int64[3] -> float32[3,5]
com.microsoft::SoftmaxGrad_13 float32[3,5] float32[3,5] -> float32[3,5]
com.microsoft::YieldOp float32[2] -> not known
)";

constexpr const char* OtherDialectCases = R"(
aten::_trilinear float32[2,1,4] float32[1,3,4] float32[2,3,1] axes=2, -> float32[2,3]
aten::_trilinear float32[2] float32[2] float32[2] axes=3, -> error: The axis 3 is outside.
aten::addbmm float32[2,4] float32[5,2,3] float32[5,3,4] -> float32[2,4]
aten::addmv float32[2] float32[2,3] float32[3] -> float32[2]
aten::addr float32[2,3] float32[2] float32[3] -> float32[2,3]
aten::baddbmm float32[5,2,4] float32[5,2,3] float32[5,3,4] -> float32[5,2,4]
aten::baddbmm float32[5,2,4] float32[2,3] float32[5,3,4] -> error: float32[2,3] has too few axes.
aten::ger float32[2] float32[?…] -> float32[2,?]
aten::addcmul float32[2,1] float32[3] float32[] -> float32[2,3]
aten::matmul float32[2,3] float32[3,4] -> float32[2,4]
aten::index_add float32[5,3] int64[2] float32[2,3] -> float32[5,3]
aten::sigmoid_backward float32[4] float32[4] -> float32[4]
aten::add.out float32[4] float32[4] float32[4] -> not known
tflite::ADD float32[4] float32[4] -> not known
xla::add float32[4] float32[4] -> not known
packing::Step -> not known
plimsoll::Add_ float32[4] float32[2,4] -> error: float32[2,4] does not broadcast to float32[4], which is written in place.
plimsoll::Copy_ float32[2,4] float32[4] -> float32[2,4]
plimsoll::Fill_ float32[2,4] float32[] -> float32[2,4]
plimsoll::IndexAdd_ float32[5,3] int64[2] float32[2,3] -> float32[5,3]
plimsoll::Detach float32[?,4] -> float32[?,4]
plimsoll::FillRows float32[2,4] rows=5 -> float32[5,4]
plimsoll::FillRows float32[6,4] rows=5 -> error: There are 6 rows already, more than 5.
plimsoll::FillRows float32[] rows=5 -> error: A scalar has no rows.
)";

} // namespace

/// Each line: the node, then its outputs or what is wrong.
void DialectResults::aNodeGives_data()
{
    addNodeRows({OptimizerCases, MachineLearningCases, MicrosoftCases, OtherDialectCases});
}

void DialectResults::aNodeGives()
{
    compareNodeRow();
}

QTEST_APPLESS_MAIN(DialectResults)
#include "tst_dialect_results.moc"
