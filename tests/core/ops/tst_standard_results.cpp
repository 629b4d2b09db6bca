#include "op_case.h"

#include <QTest>

using namespace plimsoll::test;

/// What operators of the standard make of their inputs, one line a node: types, and elements that are known.
class StandardResults : public QObject
{
    Q_OBJECT

private slots:
    void aNodeGives_data();
    void aNodeGives();
};

namespace {

constexpr const char* AttentionCases = R"(
Attention float32[2,8,4,16] float32[2,2,6,16] float32[2,2,6,10] -> float32[2,8,4,10]
Attention float32[2,4,24] float32[2,6,24] float32[2,6,12] q_num_heads=3 kv_num_heads=3 out=2 -> float32[2,4,12] float32[2,3,6,8]
Attention float32[?,4,24] float32[2,6,24] float32[2,6,24] q_num_heads=3 kv_num_heads=3 -> float32[?,4,24]
Attention float32[2,4,24] float32[2,6,24] float32[2,6,24] -> float32[?,?,?]
Attention float32[?…] float32[2,6,24] float32[2,6,24] -> float32[?…]
Attention float32[2,8,4,16] float32[2,2,6,16] float32[2,2,6,10] _ float32[2,2,?,16] float32[2,2,?,10] out=3 -> float32[2,8,4,10] float32[2,2,?,16] float32[2,2,?,10]
Attention float32[4,24] float32[6,24] float32[6,24] -> error: The query float32[4,24] needs three or four dimensions.
LinearAttention float32[2,4,32] float32[2,4,32] float32[2,4,16] float16[2,4,8,4] q_num_heads=4 kv_num_heads=4 out=2 -> float32[2,4,16] float16[2,4,8,4]
LinearAttention float32[2,4,32] float32[2,4,32] float32[2,4,16] -> float32[?,?,?]
RotaryEmbedding float32[2,3,4,8] float32[50,4] float32[50,4] -> float32[2,3,4,8]
)";

constexpr const char* BinaryCases = R"(
Add int64[2,1]={1,2} int64[2]={10,20} -> int64[2,2]={11,21,12,22}
Add float32[2]={0.5,?} float32[1]={1} -> float32[2]={1.5,?}
Add int64[1]={9223372036854775807} int64[1]={1} -> int64[1]={?}
Add@6 float32[2,3] float32[3] -> float32[2,3]
Sub int64[3]={1,2,3} int64[]={1} -> int64[3]={0,1,2}
Sub float32[1]={1} float32[1]={0.25} -> float32[1]={0.75}
Mul float32[2]={2,3} float32[]={0.5} -> float32[2]={1,1.5}
Mul int64[2]={-3,?} int64[2]={4,5} -> int64[2]={-12,?}
Div float32[1]={1} float32[1]={4} -> float32[1]={0.25}
Div int64[1]={-9223372036854775808} int64[1]={-1} -> int64[1]={?}
Pow int64[3]={2,3,-2} int64[3]={10,0,3} -> int64[3]={1024,1,-8}
Pow int64[2]={2,2} int64[2]={-1,64} -> int64[2]={?,?}
Pow float32[1]={2} float32[1]={0.5} -> float32[1]={1.41421}
Max int64[2]={1,9} -> int64[2]={1,9}
Max float32[2]={1,9} float32[2]={5,2} -> float32[2]={5,9}
Min int64[3]={3,1,2} int64[]={2} -> int64[3]={2,1,2}
Min float32[1]={-1} float32[1]={1} -> float32[1]={-1}
Mean float32[2,1] float32[3] float32[] -> float32[2,3]
Sum float32[2] float32[2] float32[2] -> float32[2]
Sum int64[2]={1,2} int64[2]={3,4} int64[]={10} -> int64[2]={14,16}
Equal int64[3]={1,2,?} int64[]={2} -> bool[3]={0,1,?}
Greater int64[2]={1,3} int64[]={2} -> bool[2]={0,1}
GreaterOrEqual int64[3]={1,2,3} int64[]={2} -> bool[3]={0,1,1}
Less float32[2]={1,3} float32[]={2} -> bool[2]={1,0}
LessOrEqual int64[3]={1,2,3} int64[]={2} -> bool[3]={1,1,0}
Less@6 float32[2,3,4] float32[3] broadcast=1 axis=1 -> bool[2,3,4]
And bool[4]={0,0,1,1} bool[4]={0,1,0,1} -> bool[4]={0,0,0,1}
Or bool[4]={0,0,1,1} bool[4]={0,1,0,1} -> bool[4]={0,1,1,1}
Xor bool[4]={0,0,1,1} bool[4]={0,1,0,1} -> bool[4]={0,1,1,0}
BitShift uint8[2,1] uint8[3] direction='LEFT' -> uint8[2,3]
BitwiseAnd int32[4] int32[1] -> int32[4]
BitwiseOr int32[?] int32[1] -> int32[?]
BitwiseXor int32[?…] int32[4] -> int32[?…]
Mod int64[3]={7,-7,7} int64[3]={-3,-3,?} -> int64[3]={-2,-1,?}
Mod int64[1]={7} int64[1]={0} -> int64[1]={?}
Mod float32[1]={5.5} float32[1]={2} fmod=1 -> float32[1]={1.5}
Mod int64[1]={-9223372036854775808} int64[1]={-1} -> int64[1]={0}
Where bool[?] float32[3] float32[1] -> float32[3]
Where bool[2]={1,0} int64[2]={1,2} int64[2] -> int64[2]={1,?}
Where bool[2] int64[2] int64[3] -> error: The shapes bool[2] and int64[3] cannot be broadcast together.
PRelu@6 float32[2,3,4] float32[3] -> float32[2,3,4]
PRelu float32[2,3,4] float32[2] -> error
SwiGLU float32[2,3] float32[2,?] -> float32[2,3]
SwiGLU float32[2,3] float32[3] -> error: The gate float32[2,3] and float32[3] must have one shape.
Clip float32[7] -> float32[7]
)";

constexpr const char* UnaryCases = R"(
Abs int64[3]={-3,0,?} -> int64[3]={3,0,?}
Abs int64[1]={-9223372036854775808} -> int64[1]={?}
Abs float32[1]={-0.5} -> float32[1]={0.5}
Neg float32[2]={1,-2} -> float32[2]={-1,2}
Neg int32[1]={-2147483648} -> int32[1]={?}
Sign int64[3]={-5,0,5} -> int64[3]={-1,0,1}
Sign float32[2]={-0.5,3} -> float32[2]={-1,1}
Ceil float32[2]={1.2,-1.2} -> float32[2]={2,-1}
Round float32[4]={0.5,1.5,2.5,-0.4} -> float32[4]={0,2,2,-0}
Reciprocal float32[2]={4,?} -> float32[2]={0.25,?}
Relu int64[3]={-1,0,2} -> int64[3]={0,0,2}
Relu float32[2]={-1.5,1.5} -> float32[2]={0,1.5}
Sqrt float32[1]={9} -> float32[1]={3}
Sin float32[2,?] -> float32[2,?]
Softplus float16[?…] -> float16[?…]
Gelu float64[3] -> float64[3]
IsInf float32[2,3] -> bool[2,3]
Affine float32[3] -> float32[3]
ScaledTanh float32[3] -> float32[3]
Cast float32[3]={1.7,-1.7,300} to=2 -> uint8[3]={1,?,?}
Cast int64[2]={127,128} to=3 -> int8[2]={127,?}
Cast int64[2]={3,?} to=1 -> float32[2]={3,?}
Cast float32[1]={1.0009765625} to=16 -> bfloat16[1]={1}
Cast bool[2]={1,0} to=7 -> int64[2]={1,0}
Cast float32[?…] to=1 -> float32[?…]
BitCast uint8[2,12] to=1 -> float32[2,3]
BitCast uint8[2,10] to=1 -> error: The last dimension is no whole number of elements.
BitCast uint8[] to=1 -> error: A scalar cannot be read as a type of another width.
BitCast float32[?] to=10 -> float16[?]
BitCast int32[2,3] to=1 -> float32[2,3]
)";

constexpr const char* ConstantCases = R"(
Constant value_int=7 -> int64[]={7}
Constant value_floats=0.5,1.5 -> float32[2]={0.5,1.5}
Constant value_string='x' -> string[]
Constant value_strings='a|b' -> string[2]
Constant -> unknown[?…]
ConstantOfShape int64[0]={} -> float32[]={0}
ConstantOfShape int64[2] -> float32[?,?]
ConstantOfShape int64[?] -> float32[?…]
ConstantOfShape int64[70] -> error: The shape it is given has more than 64 dimensions.
ConstantFill int64[2]={3,4} input_as_shape=1 dtype=7 -> int64[3,4]
ConstantFill float32[2,3] -> float32[2,3]
ConstantFill shape=4,5 -> float32[4,5]
ConstantFill float32[2] extra_shape=3, -> float32[2,3]
EyeLike int64[3,?] -> int64[3,?]
NonZero float32[]={3} -> int64[0,1]={}
NonZero float32[?…] -> int64[?,?]
Range float32[]={0} float32[]={1} float32[]={0} -> float32[?]
Range int64[]={0} int64[]={10} int64[]={3} -> int64[4]={0,3,6,9}
Range int64[]={3} int64[]={3} int64[]={1} -> int64[0]={}
Range int32[] int32[] int32[] -> int32[?]
Shape float32[2,3,4] start=-2 -> int64[2]={3,4}
Shape float32[2,3,4] start=2 end=1 -> int64[0]={}
Shape float32[] -> int64[0]={}
Size float32[2,3] -> int64[]={6}
Size float32[] -> int64[]={1}
)";

constexpr const char* WindowCases = R"(
AveragePool float32[1,3,9] kernel_shape=3, strides=2, pads=1,1 -> float32[1,3,5]
AveragePool float32[?…] kernel_shape=3, -> float32[?…]
AveragePool float32[1,3,5,5] -> error: The attribute kernel_shape is missing.
AveragePool float32[1,3,5] kernel_shape=2,2 -> error: The window has another number of axes than float32[1,3,5].
AveragePool float32[1,3,2,2] kernel_shape=3,3 -> error: The window does not fit into float32[1,3,2,2].
MaxPool float32[1,1,?,7] kernel_shape=3,3 dilations=2,2 -> float32[1,1,?,3]
MaxPool float32[1,1,7,7] kernel_shape=3,3 auto_pad='VALID' pads=5,5,5,5 -> float32[1,1,5,5]
MaxPool float32[1,1,7,7] kernel_shape=2,2 strides=3,3 auto_pad='SAME_LOWER' -> float32[1,1,3,3]
LpPool float32[1,1,4,4] kernel_shape=2,2 p=2 -> float32[1,1,3,3]
GlobalMaxPool float32[2,3,?,7,8] -> float32[2,3,1,1,1]
GlobalLpPool float32[2,3] -> float32[2,3]
MaxRoiPool float32[1,3,9,9] float32[5,5] pooled_shape=2,4 -> float32[5,3,2,4]
MaxRoiPool float32[?…] float32[?…] pooled_shape=2,4 -> float32[?,?,2,4]
MaxRoiPool float32[1,3,9,9] float32[5,5] -> error
MaxUnpool float32[1,1,2,2] int64[1,1,2,2] int64[4]={1,1,5,5} kernel_shape=2,2 -> float32[1,1,5,5]
MaxUnpool float32[1,1,2,2] int64[1,1,2,2] int64[4] kernel_shape=2,2 -> float32[?…]
MaxUnpool float32[1,1,1,1] int64[1,1,1,1] kernel_shape=2,2 pads=2,2,2,2 -> error: The window does not fit float32[1,1,1,1].
RoiAlign float32[1,3,9,9] float32[5,4] int64[5] -> float32[5,3,1,1]
Conv float32[2,3,8] float32[4,3,3] float32[4] -> float32[2,4,6]
Conv float32[2,3,8] float32[4,3,3] float32[5] -> error
Conv float32[2,?,8] float32[?,3,?] kernel_shape=3, -> float32[2,?,6]
Conv float32[2,3,8] float32[?…] -> float32[?…]
Conv float32[2,3] float32[4,3] -> error: The input float32[2,3] and the weights float32[4,3] do not have the same number of spatial axes.
CausalConvWithState float32[2,3,8] float32[3,1,4] out=2 -> float32[2,3,8] float32[2,3,3]
CausalConvWithState float32[2,3,8] float32[3,1,4] _ float32[2,3,3] out=2 -> float32[2,3,8] float32[2,3,3]
CausalConvWithState float32[2,3,8] float32[?…] out=2 -> float32[2,3,8] unknown[?…]
DeformConv float32[1,1,3,3] float32[1,1,2,2] float32[1,8,2,2] float32[1] -> float32[1,1,2,2]
ConvTranspose float32[1,4,3] float32[4,2,3] -> float32[1,2,5]
ConvTranspose float32[1,4,3] float32[4,2,3] auto_pad='SAME_UPPER' strides=3, -> float32[1,2,9]
ConvTranspose float32[1,4,?] float32[4,2,3] strides=2, -> float32[1,2,?]
ConvTranspose float32[1,4,1] float32[4,2,2] pads=2,2 -> error
ConvTranspose float32[1,4,3] float32[5,2,3] -> error: The input float32[1,4,3] and the weights float32[5,2,3] do not have the same number of channels.
ConvTranspose float32[1,4,3] float32[4,2,3] output_shape=1,2,7 -> float32[1,2,7]
)";

constexpr const char* GatherCases = R"(
Gather float32[?,6] int64[3] -> float32[3,6]
Gather float32[?…] int64[3] -> float32[?…]
Gather int64[2,2]={1,2,3,4} int64[1]={1} axis=1 -> int64[2,1]={2,4}
Gather int64[3]={4,5,6} int64[2]={2,?} -> int64[2]={6,?}
GatherElements float32[?…] int64[2,3] -> float32[2,3]
GatherND float32[2,3,4] int64[5,?] -> float32[?…]
GatherND float32[2,3] int64[5,3] -> error: The indices have more columns than float32[2,3] has axes.
GatherND float32[2,2] int64[1,2]={0,-1} -> float32[1]
Scatter float32[3,3] int64[2,3] float32[2,3] -> float32[3,3]
ScatterND float32[?…] int64[1,1] float32[1] -> float32[?…]
ScatterND int64[2,2]={1,2,3,4} int64[1,1]={-1} int64[1,2]={8,9} -> int64[2,2]={1,2,8,9}
ScatterND int64[2]={1,2} int64[1,1]={0} int64[1] -> int64[2]={?,2}
ScatterND int64[2]={1,2} int64[1,1]={0} int64[1]={5} reduction='add' -> int64[2]
TensorScatter float32[2,3] float32[2,1] -> float32[2,3]
)";

constexpr const char* ImageCases = R"(
Resize float32[1,1,2,4] _ float32[4] -> float32[?,?,?,?]
Resize float32[?…] _ float32[4]={1,1,2,2} -> float32[?…]
Resize float32[1,1,?,4] _ float32[4]={1,1,2,2} -> float32[1,1,?,8]
Resize float32[1,1,6,4] _ float32[2]={0.5,2} axes=2,3 -> float32[1,1,3,8]
Resize float32[1,1,6,4] _ float32[2]={-1,2} axes=2,3 -> error: A scale is negative or too large.
Resize float32[1,1,6,4] _ _ int64[2]={3,4} axes=4,5 -> error: An axis is outside of float32[1,1,6,4].
Resize float32[1,1,6,4] _ _ int64[2]={3,4} axes=2,3 keep_aspect_ratio_policy='not_smaller' -> float32[1,1,6,4]
Upsample float32[1,1,2,4] float32[4]={1,1,2,3} -> float32[1,1,4,12]
GridSample float32[1,3,5,6] float32[?…] -> float32[?…]
GridSample float32[1,3,4,5,6] float32[1,7,8,9,3] -> float32[1,3,7,8,9]
AffineGrid float32[2,3,4] int64[5]={2,3,4,5,?} -> float32[2,4,5,?,3]
AffineGrid float32[2,2,3] int64[3] -> float32[?…]
AffineGrid float32[2,2,3] int64[4] -> float32[?,?,?,2]
DepthToSpace float32[?…] blocksize=2 -> float32[?…]
DepthToSpace float32[1,6,2,3] blocksize=2 -> error
DepthToSpace float32[1,?,2,3] blocksize=2 -> float32[1,?,4,6]
SpaceToDepth float32[1,2,4,5] blocksize=2 -> error
SpaceToDepth float32[1,2,4,6] blocksize=0 -> error
Col2Im float32[1,5,5] int64[2] int64[2]={1,5} -> float32[?…]
Col2Im float32[1,5] int64[2]={5,5} int64[2]={1,5} -> error: It takes three dimensions, not float32[1,5].
Col2Im float32[1,7,5] int64[2]={5,5} int64[2]={1,5} -> error
ImageDecoder uint8[100] -> uint8[?,?,3]
ImageDecoder uint8[100] pixel_format='Grayscale' -> uint8[?,?,1]
)";

constexpr const char* LossCases = R"(
SoftmaxCrossEntropyLoss float32[3,5,2] int64[3,2] reduction='none' out=2 -> float32[3,2] float32[3,5,2]
NegativeLogLikelihoodLoss float32[3,5] int64[3] float32[5] -> float32[]
)";

constexpr const char* MatrixCases = R"(
MatMul float32[?…] float32[4,5] -> float32[?…]
MatMul float32[2,?] float32[3,5] -> float32[2,5]
MatMul float32[7,1,2,3] float32[6,3,4] -> float32[7,6,2,4]
MatMul float32[4] float32[4,5] -> float32[5]
QLinearMatMul uint8[2,3] float32[] uint8[] uint8[3,4] float32[] uint8[] float32[] int8[] -> int8[2,4]
Gemm float32[?…] float32[4,5] -> float32[?,?]
Gemm float32[2,3] float32[4,5] -> error: float32[2,3] and float32[4,5] cannot be multiplied.
Einsum float32[2,3] float32[3,4] equation='ij,jk' -> float32[2,4]
Einsum float32[5,2,3] equation='...ij->...' -> float32[5]
Einsum float32[3,3] equation='ii->i' -> float32[3]
Einsum float32[?…] equation='ij' -> float32[?…]
Einsum float32[2,3] equation='ij->k' -> error: The equation wants 'k', which no input has.
Einsum float32[2,3] equation='ij,jk' -> error: The equation has another number of terms than there are inputs.
Det float32[?…] -> float32[?…]
Det float32[3] -> error: float32[3] is no matrix.
)";

constexpr const char* MovementCases = R"(
Transpose float32[?…] perm=1,0 -> float32[?…]
Transpose float32[2,3] perm=0,1,2 -> error: The attribute 'perm' is no permutation of the axes of float32[2,3].
Transpose int64[2]={1,?} -> int64[2]={1,?}
Concat float32[?…] float32[2,3] axis=1 -> float32[2,?]
Concat@1 float32[?,3] float32[?,4] -> float32[?,7]
Concat int64[0]={} int64[1]={5} axis=0 -> int64[1]={5}
Split float32[?…] out=2 -> float32[?…] float32[?…]
Split float32[?,4] out=2 -> float32[?,4] float32[?,4]
Split int64[2,2]={1,2,3,4} axis=1 num_outputs=2 out=2 -> int64[2,1]={1,3} int64[2,1]={2,4}
Expand float32[2,3] int64[1]={4} -> error: float32[2,3] cannot be expanded to [4].
Expand float32[2,1] int64[2]={-1,5} -> float32[2,5]
Expand float32[?…] int64[2] -> float32[?…]
Tile@1 float32[2,3] int64[]={2} int64[]={1} -> float32[2,6]
Tile float32[?…] int64[2] -> float32[?…]
Tile float32[2,3] int64[2]={-1,2} -> error: The repeats are negative, or give a size over 63 bits.
Tile int64[1,2]={1,2} int64[2]={2,1} -> int64[2,2]={1,2,1,2}
Pad float32[2,3] int64[4]={0,-1,0,-1} -> float32[2,1]
Pad float32[2,3] int64[4]={0,-2,0,-2} -> error: The pads make a dimension of float32[2,3] negative or too large.
Pad float32[?…] int64[4]={0,1,0,1} -> float32[?…]
Pad@1 float32[2,3] paddings=0,1,0,1 -> float32[2,5]
Pad float32[2,3] int64[2]={1,1} _ int64[1] -> float32[?,?]
)";

constexpr const char* NormalizationCases = R"(
InstanceNormalization float32[2,3,4] float32[3] float32[3] -> float32[2,3,4]
InstanceNormalization float32[2,3,4] float32[4] float32[3] -> error
InstanceNormalization float32[3] float32[3] float32[3] -> error: The input float32[3] has no channels (axis 1).
GroupNormalization float32[2,6,4] float32[6] float32[6] num_groups=3 -> float32[2,6,4]
GroupNormalization@18 float32[2,6,4] float32[3] float32[3] num_groups=3 -> float32[2,6,4]
GroupNormalization float32[2,5,4] float32[5] float32[5] num_groups=3 -> error: The channels of float32[2,5,4] cannot be divided into 3 groups.
BatchNormalization float32[?…] float32[3] float32[3] float32[3] float32[3] -> float32[?…]
BatchNormalization@7 float32[1,3,4] float32[3] float32[3] float32[3] float32[3] out=5 -> float32[1,3,4] float32[3] float32[3] float32[3] float32[3]
LayerNormalization float32[2,3,4] float32[3,4] axis=1 stash_type=11 out=2 -> float32[2,3,4] float64[2,1,1]
LayerNormalization float32[?…] float32[4] out=2 -> float32[?…] float32[?…]
RMSNormalization float16[2,3] float16[3] -> float16[2,3]
SimplifiedLayerNormalization float32[2,3] float32[3] out=2 -> float32[2,3] float32[2,1]
MeanVarianceNormalization float32[2,3,4] -> float32[2,3,4]
LRN float32[1,4,4,4] size=3 -> float32[1,4,4,4]
Hardmax float32[2,3] axis=1 -> float32[2,3]
LpNormalization float32[2,3] axis=0 -> float32[2,3]
LogSoftmax float32[2,3] axis=-1 -> float32[2,3]
)";

constexpr const char* QuantizationCases = R"(
QuantizeLinear float32[2,3] float32[] output_dtype=3 -> int8[2,3]
DequantizeLinear@13 uint8[4] float32[] -> float32[4]
DequantizeLinear uint8[4] float16[] -> float16[4]
)";

constexpr const char* RandomCases = R"(
RandomNormal -> error: The attribute shape is missing.
RandomUniform shape=3, -> float32[3]
RandomNormalLike float64[2,?] -> float64[2,?]
RandomUniformLike int32[2] dtype=1 -> float32[2]
Bernoulli float32[2,3] dtype=9 -> bool[2,3]
Multinomial float32[?…] -> int32[?,1]
)";

constexpr const char* RecurrentCases = R"(
RNN float32[7,2,5] float32[1,3,5] float32[1,3,3] out=2 -> float32[7,1,2,3] float32[1,2,3]
RNN float32[7,2,5] float32[1,3,5] float32[1,3,3] hidden_size=4 -> error
RNN float32[7,2] float32[1,3,5] float32[1,3,3] -> error: The input float32[7,2] needs three dimensions.
RNN float32[7,2,5] float32[1,3,5] float32[1,3,3] hidden_size=0 -> error: The attribute hidden_size is 0; it must be at least 1.
LSTM float32[?…] float32[1,12,5] float32[1,12,3] out=2 -> float32[?,1,?,3] float32[1,?,3]
LSTM float32[7,2,5] float32[1,12,5] float32[1,12,3] activations='Sigmoid|Tanh' -> error: The attribute activations names 2; 3 are needed.
LSTM float32[7,2,5] float32[1,12,5] float32[1,12,3] activations='Sine|Tanh|Tanh' -> error: The attribute activations names 'Sine', which is none.
LSTM float32[7,2,5] float32[1,12,5] float32[1,12,3] float32[23] -> error
GRU float32[7,2,5] float32[1,9,5] float32[1,9,3] _ int64[3] -> error
GRU float32[7,?,5] float32[1,9,5] float32[1,9,3] direction='reverse' -> float32[7,1,?,3]
)";

constexpr const char* ReductionCases = R"(
ReduceSum float32[2,3] int64[0]={} noop_with_empty_axes=1 -> float32[2,3]
ReduceSum float32[?…] int64[1]={0} -> float32[?…]
ReduceSum float32[2,3] int64[1] keepdims=0 -> float32[?…]
ReduceSum int64[2,2]={1,2,3,4} int64[1]={0} keepdims=0 -> int64[2]={4,6}
ReduceSum float32[2]={1,2} -> float32[1]={?}
ReduceMax int64[2,2]={1,2,3,4} int64[1]={1} -> int64[2,1]={2,4}
ReduceMin float32[2]={1.5,-1} keepdims=0 -> float32[]={-1}
ReduceProd int64[2]={4611686018427387904,2} keepdims=0 -> int64[]={?}
ReduceL1@13 float32[2,3,4] axes=0,2 keepdims=0 -> float32[3]
ReduceL2 bool[2,3] -> bool[1,1]
ReduceLogSum float32[] -> float32[]
ReduceLogSumExp float32[2,3] int64[1]={5} -> error: The axis 5 is outside of float32[2,3].
ReduceSumSquare float32[2,?] int64[1]={0} -> float32[1,?]
ArgMin float32[2,3] -> int64[1,3]
ArgMax float32[?…] -> int64[?…]
CumSum float32[2,3] int64[]={-1} -> float32[2,3]
CumProd float32[2,3] int64[]={2} -> error: The axis 2 is outside of float32[2,3].
)";

constexpr const char* ReshapeCases = R"(
Reshape float32[2,3] int64[1]={-1} -> float32[6]
Reshape float32[2,?] int64[2]={-1,2} -> float32[?,2]
Reshape float32[?…] int64[2]={3,4} -> float32[3,4]
Reshape float32[2,3] int64[2]={4,-1} -> error
Flatten float32[2,?,4] axis=2 -> float32[?,4]
Flatten float32[?…] -> float32[?,?]
Flatten float32[] -> error: The axis 1 is outside of float32[].
Squeeze float32[1,?,3] int64[1]={1} -> float32[1,3]
Squeeze float32[?…] -> float32[?…]
Squeeze float32[1,3] int64[1] -> float32[?…]
Squeeze int64[1,2]={4,5} int64[1]={0} -> int64[2]={4,5}
Unsqueeze float32[2,3] int64[2]={0,-1} -> float32[1,2,3,1]
Unsqueeze float32[?…] int64[1]={0} -> float32[?…]
Identity int64[2]={1,?} -> int64[2]={1,?}
Dropout float32[2,3] -> float32[2,3]
)";

constexpr const char* SelectionCases = R"(
TopK float32[?…] int64[1]={2} out=2 -> float32[?…] int64[?…]
TopK float32[3,5] int64[1] out=2 -> float32[3,?] int64[3,?]
TopK float32[3,?] int64[1]={9} -> float32[3,9]
TopK float32[3,5] int64[1]={2} axis=2 -> error: The axis is outside of float32[3,5].
Unique float32[2,3] -> float32[?]
Unique float32[2,3] out=3 -> float32[?] int64[?] int64[6]
Unique float32[2,3] axis=4 -> error: The axis is outside of float32[2,3].
OneHot int64[3] int64[] float32[2] -> float32[3,?]
OneHot int64[3] int64[]={-1} float32[2] -> error: The depth is negative or too large.
OneHot int64[3] int64[]={4} float32[2] axis=3 -> error: The axis is outside of int64[3] with one axis more.
NonMaxSuppression float32[1,6,4] float32[1,1,6] int64[1]={3} -> int64[?,3]
)";

constexpr const char* SequenceCases = R"(
SequenceEmpty dtype=7 -> sequence(int64[?…])
SequenceConstruct float32[2,3] float32[2,3] -> sequence(float32[2,3])
SequenceConstruct float32[2] float32[2,3] -> sequence(float32[?…])
SplitToSequence float32[4,6] int64[]={2} axis=1 -> sequence(float32[4,2])
SplitToSequence float32[5,6] int64[]={2} -> sequence(float32[?,6])
SplitToSequence float32[4,6] -> sequence(float32[1,6])
SplitToSequence float32[4,6] keepdims=0 -> sequence(float32[6])
SplitToSequence float32[4,6] axis=2 -> error: The axis is outside of float32[4,6].
SequenceLength float32[2] -> int64[]
ConcatFromSequence float32[2] axis=0 -> float32[?…]
Optional float32[2] -> optional(float32[2])
OptionalHasElement float32[2] -> bool[]
OptionalGetElement float32[2] -> float32[2]
)";

constexpr const char* SignalCases = R"(
DFT float32[1,10,1] -> float32[1,10,2]
DFT float32[1,10,1] int64[]={16} onesided=1 -> float32[1,9,2]
DFT float32[1,9,2] inverse=1 onesided=1 -> float32[1,16,1]
DFT float32[1,10,1] _ int64[] -> float32[?,?,?]
DFT float32[1,10,1] _ int64[]={3} -> error: The axis is outside of float32[1,10,1].
DFT float32[?…] -> float32[?…]
STFT float32[1,128,1] int64[]={8} float32[16] onesided=0 -> float32[1,15,16,2]
STFT float32[?…] int64[] _ int64[]={16} -> float32[?,?,9,2]
HammingWindow int64[] -> float32[?]
BlackmanWindow int64[]={4} output_datatype=11 -> float64[4]
MelWeightMatrix int64[]={8} int64[]={16} int64[] float32[] float32[] -> float32[9,8]
MelWeightMatrix int64[] int64[] int64[] float32[] float32[] -> float32[?,?]
)";

constexpr const char* SliceCases = R"(
Slice float32[5,6] int64[2]={0,1} int64[2]={9,-1} -> float32[5,4]
Slice float32[?,6] int64[1]={1} int64[1]={3} int64[1]={0} -> float32[?,6]
Slice float32[5] int64[1]={3} int64[1]={1} -> float32[0]
Slice float32[?…] int64[1]={3} int64[1]={1} -> float32[?…]
Slice float32[5,6] int64[1] int64[1] -> float32[?,6]
Slice float32[5] int64[1]={-1} int64[1]={-6} int64[1]={0} int64[1]={-1} -> float32[5]
Slice int64[2,2]={1,2,3,4} int64[1]={1} int64[1]={2} int64[1]={1} -> int64[2,1]={2,4}
Compress float32[4,2] bool[8]={1,1,0,0,0,0,0,1} -> float32[3]
Compress float32[4,2] bool[3] axis=0 -> float32[?,2]
Compress float32[4,2] bool[3] axis=2 -> error
CenterCropPad float32[10,8] int64[2] -> float32[?,?]
CenterCropPad float32[10,8] int64[1]={4} axes=-1, -> float32[10,4]
Trilu float32[?…] -> float32[?…]
)";

constexpr const char* TextCases = R"(
StringNormalizer string[1,4] -> string[1,?]
StringSplit string[2,3] out=2 -> string[2,3,?] int64[2,3]
StringConcat string[2,1] string[3] -> string[2,3]
RegexFullMatch string[2,3] -> bool[2,3]
TfIdfVectorizer int64[6] ngram_indexes=0,1,2,3 -> float32[4]
TfIdfVectorizer int64[2,6] -> float32[2,?]
)";

} // namespace

/// Each line: the node, then its outputs or what is wrong.
void StandardResults::aNodeGives_data()
{
    addNodeRows({AttentionCases, BinaryCases,    UnaryCases,     ConstantCases, WindowCases,        GatherCases,
                 ImageCases,     LossCases,      MatrixCases,    MovementCases, NormalizationCases, QuantizationCases,
                 RandomCases,    RecurrentCases, ReductionCases, ReshapeCases,  SelectionCases,     SequenceCases,
                 SignalCases,    SliceCases,     TextCases});
}

void StandardResults::aNodeGives()
{
    compareNodeRow();
}

QTEST_APPLESS_MAIN(StandardResults)
#include "tst_standard_results.moc"
