#include "op_case.h"

#include <QTest>

using namespace plimsoll::test;

/// What MXNet's operators make of their inputs, and which types their parameters must have then.
class MxnetResults : public QObject
{
    Q_OBJECT

private slots:
    void aNodeGives_data();
    void aNodeGives();
};

namespace {

constexpr const char* LayerCases = R"(
Convolution float32[1,3,8,8] unknown[?…] unknown[?…] kernel=3,3 num_filter=4 -> float32[1,4,6,6] | 1 float32[4,3,3,3] 2 float32[4]
Convolution float32[1,3,8,8] unknown[?…] unknown[?…] kernel=3,3 num_filter=4 no_bias=1 -> float32[1,4,6,6] | 1 float32[4,3,3,3]
Convolution float32[1,4,8] unknown[?…] kernel=3, num_filter=6 num_group=2 -> float32[1,6,6] | 1 float32[6,2,3]
Convolution float32[1,8,8,3] unknown[?…] kernel=3,3 num_filter=4 layout='NHWC' -> float32[1,6,6,4] | 1 float32[4,3,3,3]
Convolution float32[1,8,9,5] unknown[?…] kernel=2,3 num_filter=4 layout='NHWC' -> float32[1,7,7,4] | 1 float32[4,2,3,5]
Convolution unknown[?…] unknown[?…] kernel=3,3 num_filter=4 -> unknown[?,4,?,?] | 1 unknown[4,?,3,3]
Convolution float32[1,3,8,8] unknown[?…] kernel=3,3 num_filter=4 stride=2,2 pad=1,1 dilate=2,2 -> float32[1,4,3,3] | 1 float32[4,3,3,3]
Convolution float32[1,3,8,8] unknown[?…] num_filter=4 -> error: The attribute kernel is missing.
Convolution float32[1,3,8,8] unknown[?…] kernel=3,3 num_filter=5 num_group=2 -> error: num_filter is 5 and num_group 2; they must be positive, and the first a multiple of the second.
Convolution float32[1,3,8,8] unknown[?…] kernel=3,3 -> error: num_filter is 0 and num_group 1; they must be positive, and the first a multiple of the second.
Convolution float32[1,3,8] unknown[?…] kernel=3,3 num_filter=4 -> error: The input float32[1,3,8] and the weights float32[4,3,3,3] do not have the same number of spatial axes.
Convolution float32[1,3,2,2] unknown[?…] kernel=3,3 num_filter=4 -> error: The window does not fit into float32[1,3,2,2].
Convolution float32[1,3,8,8] unknown[?…] kernel=3,3 stride=2, num_filter=4 -> error: kernel_shape, strides, dilations or pads have another length than there are spatial axes (2).
Convolution float32[1,3,8,8] unknown[?…] kernel=3,3 stride=0,1 num_filter=4 -> error: A stride or dilation is less than 1.
Convolution float32[1,3,8,8] unknown[?…] kernel=3,3 pad=-1,0 num_filter=4 -> error: A pad is -1; pads of a window must be at least 0.
Deconvolution float32[1,4,3,3] unknown[?…] kernel=3,3 stride=2,2 num_filter=6 num_group=2 adj=1,1 -> float32[1,6,8,8] | 1 float32[4,3,3,3]
Deconvolution float32[1,4,3,3] unknown[?…] unknown[?…] kernel=3,3 num_filter=6 target_shape=7,9 -> float32[1,6,7,9] | 1 float32[4,6,3,3] 2 float32[6]
Deconvolution float32[1,4,?,3] unknown[?…] kernel=3,3 num_filter=6 -> float32[1,6,?,5] | 1 float32[4,6,3,3]
Deconvolution float32[1,5,3,3] unknown[?…] kernel=3,3 num_filter=6 num_group=2 -> error
FullyConnected float32[2,3,4] unknown[?…] unknown[?…] num_hidden=5 -> float32[2,5] | 1 float32[5,12] 2 float32[5]
FullyConnected float32[2,3,4] unknown[?…] num_hidden=5 flatten=0 -> float32[2,3,5] | 1 float32[5,4]
FullyConnected float32[?,3,4] unknown[?…] num_hidden=5 -> float32[?,5] | 1 float32[5,12]
FullyConnected unknown[?…] unknown[?…] num_hidden=5 -> unknown[?,5] | 1 unknown[5,?]
FullyConnected unknown[?…] unknown[?…] num_hidden=5 flatten=0 -> unknown[?…] | 1 unknown[5,?]
FullyConnected float32[4] unknown[?…] num_hidden=5 flatten=0 -> float32[5] | 1 float32[5,4]
FullyConnected float32[2,3] unknown[?…] -> error: The attribute num_hidden must be at least 1.
FullyConnected float32[] unknown[?…] num_hidden=5 -> error: Its data has no dimensions.
Embedding int32[7,2] unknown[?…] input_dim=10 output_dim=5 dtype='float16' -> float16[7,2,5] | 1 float16[10,5]
Embedding unknown[?…] unknown[?…] input_dim=10 output_dim=5 -> float32[?…] | 1 float32[10,5]
BatchNorm float16[2,8,4] unknown[?…] unknown[?…] unknown[?…] unknown[?…] out=3 -> float16[2,8,4] float32[8] float32[8] | 0 unknown[2,8,4] 1 float32[8] 2 float32[8] 3 float32[8] 4 float32[8]
BatchNorm float32[2,4,8] unknown[?…] unknown[?…] axis=-1 -> float32[2,4,8] | 0 unknown[2,4,8] 1 float32[8] 2 float32[8]
BatchNorm float32[2,4,8] unknown[?…] unknown[?…] axis=3 -> error: The attribute axis is 3, but its input is float32[2,4,8].
LayerNorm float32[2,3,4] unknown[?…] unknown[?…] axis=1 out=3 -> float32[2,3,4] float32[2,1,4] float32[2,1,4] | 1 float32[3] 2 float32[3]
InstanceNorm float32[2,3,4] unknown[?…] unknown[?…] out=3 -> float32[2,3,4] float32[2,3] float32[2,3] | 1 float32[3] 2 float32[3]
GroupNorm float32[2,6,4] unknown[?…] unknown[?…] num_groups=3 out=3 -> float32[2,6,4] float32[2,3] float32[2,3] | 1 float32[6] 2 float32[6]
GroupNorm float32[6] unknown[?…] unknown[?…] -> error: Its data needs at least two dimensions.
LRN float32[1,4,4,4] out=2 -> float32[1,4,4,4] float32[1,4,4,4]
L2Normalization float32[2,8,4,4] out=2 -> float32[2,8,4,4] float32[2]
L2Normalization float32[2,8,4,4] mode='spatial' out=2 -> float32[2,8,4,4] float32[2,8,1,1]
RNN float32[9,2,5] unknown[?…] unknown[?…] mode='gru' state_size=4 num_layers=1 out=2 -> float32[9,2,4] float32[1,2,4] | 1 float32[132] 2 float32[1,2,4]
RNN float32[9,2] unknown[?…] unknown[?…] mode='gru' state_size=4 num_layers=1 -> error: Its data is float32[9,2]; it must be [steps, batch, features].
RNN float32[9,2,5] unknown[?…] unknown[?…] mode='gru' -> error: state_size and num_layers must be at least 1.
LeakyReLU float32[2,3,4] unknown[?…] act_type='prelu' -> float32[2,3,4] | 0 float32[2,3,4] 1 float32[3]
Dropout float32[2,3] out=2 -> float32[2,3] float32[2,3] | 0 float32[2,3]
where float32[2] unknown[?…] float32[2] -> float32[2] | 1 float32[2] 2 float32[2]
elemwise_mul unknown[?…] float16[2,3] -> float16[2,3] | 0 float16[2,3] 1 float16[2,3]
broadcast_sub unknown[?…] float16[2,3] -> float16[?…] | 0 float16[?…] 1 float16[?…]
Concat float32[1,?,3] float32[1,2,?] dim=1 -> float32[1,?,3] | 0 float32[1,?,3] 1 float32[1,?,3]
stack float32[2,3] unknown[?…] axis=1 -> float32[2,2,3] | 0 float32[2,3] 1 float32[2,3]
SoftmaxOutput float32[2,10] unknown[?…] -> float32[2,10] | 0 unknown[2,10] 1 float32[2]
SoftmaxOutput float32[2,10,4,5] unknown[?…] multi_output=1 -> float32[2,10,4,5] | 0 unknown[2,10,4,5] 1 float32[2,20]
SVMOutput float32[2,10] unknown[?…] -> float32[2,10] | 1 float32[2]
LinearRegressionOutput float32[2,10] unknown[?…] -> float32[2,10] | 0 unknown[2,10] 1 float32[2,10]
softmax_cross_entropy float32[2,10] unknown[?…] -> float32[1] | 1 float32[2]
CTCLoss float32[20,2,10] float32[2,5] out=2 -> float32[2] float32[20,2,10]
)";

constexpr const char* PoolingCases = R"(
Pooling float32[1,2,7,7] kernel=3,3 stride=2,2 pad=1,1 -> float32[1,2,4,4]
Pooling float32[1,2,7,7] kernel=3,3 stride=2,2 pad=1,1 pool_type='avg' -> float32[1,2,4,4]
Pooling float32[1,2,7,7] kernel=3,3 stride=2,2 pad=1,1 pool_type='sum' -> float32[1,2,4,4]
Pooling float32[1,2,8,8] kernel=3,3 stride=2,2 pooling_convention='full' -> float32[1,2,4,4]
Pooling float32[1,2,2,2] kernel=1,1 stride=3,3 pad=1,1 pooling_convention='full' pool_type='avg' -> float32[1,2,2,2]
Pooling float32[1,2,?,8] kernel=3,3 stride=2,2 pooling_convention='full' -> float32[1,2,?,4]
Pooling float32[1,7,8,2] kernel=2,2 stride=2,2 layout='NHWC' -> float32[1,3,4,2]
Pooling float32[1,7,8,2] global_pool=1 layout='NHWC' pool_type='avg' -> float32[1,1,1,2]
Pooling float32[1,2,7,7] kernel=2,2 out=2 -> float32[1,2,6,6] int32[1,2,6,6]
Pooling float32[?…] kernel=2,2 -> float32[?,?,?,?]
Pooling float32[?…] global_pool=1 -> float32[?…]
Pooling float32[1,2] kernel=2, -> error: Its data is [1,2]; it needs spatial axes.
Pooling float32[1,2,7,7] -> error: The attribute kernel_shape is missing.
Pooling float32[1,2,7,7] kernel=2, -> error: The window has another number of axes than float32[1,2,7,7].
Pooling float32[1,2,7,7] kernel=2,2 pooling_convention='half' -> error: The attribute pooling_convention is 'half'; it must be valid, full or same.
Pooling float32[1,2,7,7] kernel=9,9 pooling_convention='full' -> error: The window does not fit into float32[1,2,7,7].
ROIPooling float32[1,3,9,9] float32[5,5] pooled_size=2,3 out=2 -> float32[5,3,2,3] float32[5,3,2,3]
_contrib_ROIAlign float32[?…] float32[5,5] pooled_size=2,3 -> float32[5,?,2,3]
_contrib_AdaptiveAvgPooling2D float32[1,3,9,9] output_size=4 -> float32[1,3,4,4]
_contrib_AdaptiveAvgPooling2D float32[1,3,9,9] output_size=4,5 -> float32[1,3,4,5]
_contrib_AdaptiveAvgPooling2D float32[1,3,9,9] -> float32[1,3,1,1]
)";

constexpr const char* MovementCases = R"(
take float32[5,6] int32[2,3] -> float32[2,3,6]
take float32[5,6] int32[2,3] axis=1 -> float32[5,2,3]
take float32[5,6] int32[2]={7,-9} -> float32[2,6]
take float32[?…] int32[2] -> float32[?…]
take float32[5,6] int32[2] axis=2 -> error: The axis is outside of float32[5,6].
pick float32[5,6] int32[5] -> float32[5]
pick float32[5,6] int32[6] axis=0 keepdims=1 -> float32[1,6]
pick float32[5] int32[1] -> float32[1]
argmax_channel float32[2,3,4] -> float32[2,4]
SequenceLast float32[7,2,3] -> float32[2,3]
SequenceLast float32[2,7,3] float32[2] axis=1 -> float32[2,3]
SequenceMask float32[7,2,3] -> float32[7,2,3]
tile float32[2,3] reps=2,2 -> float32[4,6]
tile float32[2,3] reps=4 -> float32[2,12]
tile float32[2,3] reps=5,1,2 -> float32[5,2,6]
tile float32[?,3] reps=2,2 -> float32[?,6]
tile float32[?…] reps=2,2 -> float32[?…]
tile float32[2,3] -> error: The attribute reps is missing.
repeat float32[2,3] repeats=2 -> float32[12]
repeat float32[2,3] repeats=2 axis=-1 -> float32[2,6]
repeat float32[?,3] repeats=2 -> float32[?]
repeat float32[2,3] repeats=2 axis=2 -> error: The attribute axis is no axis of [2,3].
broadcast_to float32[2,1] shape=2,5 -> float32[2,5]
broadcast_to float32[2,1] shape=0,5 -> float32[2,5]
broadcast_to float32[?…] shape=0,5 -> float32[?,5]
broadcast_to float32[2,3] shape=2,5 -> error: [2,3] does not broadcast to [2,5].
broadcast_to float32[2,3] shape=2,1 -> error: [2,3] does not broadcast to [2,1].
broadcast_axis float32[2,1,1] axis=1,2 size=3,4 -> float32[2,3,4]
broadcast_axis float32[?…] axis=1, size=3, -> float32[?…]
broadcast_axis float32[2,3] axis=1, size=4, -> error: Axis 1 of [2,3] is not 1.
broadcast_axis float32[2,1] axis=1, size=4,5 -> error: The attributes axis and size have different lengths.
broadcast_like float32[2,1] float32[2,7] -> float32[2,7]
SliceChannel float32[2,6] num_outputs=3 out=3 -> float32[2,2] float32[2,2] float32[2,2]
SliceChannel float32[2,3] num_outputs=3 squeeze_axis=1 out=3 -> float32[2] float32[2] float32[2]
SliceChannel float32[2,6] num_outputs=3 squeeze_axis=1 out=3 -> error: squeeze_axis needs parts of size 1.
SliceChannel float32[?…] num_outputs=2 out=2 -> float32[?…] float32[?…]
SliceChannel float32[2,?] num_outputs=2 out=2 -> float32[2,?] float32[2,?]
SliceChannel float32[2,6] num_outputs=0 -> error: The attribute num_outputs must be at least 1.
SliceChannel float32[2,6] num_outputs=2 axis=2 out=2 -> error: The axis is outside of float32[2,6].
slice_like float32[4,9] float32[2,3] -> float32[2,3]
slice_like float32[4,9] float32[5,3] -> error: float32[4,9] cannot be cut to float32[5,3] along axis 0.
Crop float32[1,3,9,9] h_w=4,5 -> float32[1,3,4,5]
Crop float32[1,3,9,9] float32[1,1,7,6] -> float32[1,3,7,6]
Crop float32[1,3,9,9] h_w=4,10 -> error: The crop is larger than float32[1,3,9,9].
slice float32[4,9] begin=1,2 -> error: The attributes begin and end must be there, with as many numbers in one as in the other.
dot float32[2,3] float32[3,4] -> float32[2,4]
dot float32[3,2] float32[4,3] transpose_a=1 transpose_b=1 -> float32[2,4]
dot float32[3] float32[3] -> float32[1]
dot float32[2,3] float32[4,5] -> error: float32[2,3] and float32[4,5] cannot be multiplied.
reshape_like float32[2,6] float32[3,4] -> float32[3,4]
reshape_like float32[2,6] float32[3,5] -> error: float32[2,6] has another number of elements than float32[3,5].
)";

constexpr const char* CreationCases = R"(
_arange start=2 stop=11 step=3 repeat=2 -> float32[6]
_arange start=5 dtype='int32' -> int32[5]
_arange start=5 stop=1 step=1 -> float32[0]
_arange start=0 stop=1 step=0 -> error: The attributes step and repeat must not be 0.
_zeros shape=2,0 -> float32[2,?]
_full shape=3 dtype='float16' -> float16[3]
_random_uniform shape=2,2 -> float32[2,2]
_random_normal_like float16[2,2] -> float16[2,2] | 0 unknown[2,2]
ones_like float32[2,2] dtype='int8' -> int8[2,2] | 0 unknown[2,2]
one_hot int32[2,3] depth=5 -> float32[2,3,5]
topk float32[3,5] k=2 -> float32[3,2]
topk float32[3,5] k=2 ret_typ='both' out=2 -> float32[3,2] float32[3,2]
topk float16[3,5] k=9 ret_typ='value' -> float16[3,5]
topk float16[3,5] k=2 ret_typ='mask' -> float16[3,5]
topk float32[3,5] k=2 axis=2 -> error: The attribute axis is 2, but its input is float32[3,5].
sort float32[3,5] out=2 -> float32[3,5] float32[3,5]
argsort float32[3,5] dtype='int32' -> int32[3,5] | 0 unknown[3,5]
)";

constexpr const char* VisionCases = R"(
UpSampling float32[1,2,3,4] unknown[?…] scale=3 sample_type='bilinear' -> float32[1,2,9,12] | 1 float32[2,1,5,5]
UpSampling float32[1,2,3,4] float32[1,2,3,4] scale=2 sample_type='nearest' multi_input_mode='sum' -> float32[1,2,6,8]
UpSampling float32[1,2,3] scale=2 -> error: Its data is float32[1,2,3]; it must have 4 dimensions.
UpSampling float32[1,2,3,4] scale=0 -> error: The attribute scale must be at least 1.
_contrib_BilinearResize2D float32[1,2,3,4] height=7 width=8 -> float32[1,2,7,8]
_contrib_BilinearResize2D float32[1,2,3,4] scale_height=2.0 -> float32[1,2,?,?]
_contrib_box_nms float32[2,9,6] out=2 -> float32[2,9,6] float32[2,9,1]
_contrib_MultiBoxPrior float32[1,3,4,5] sizes=0.5,0.25 ratios=1.0,2.0,0.5 -> float32[1,80,4]
_contrib_MultiBoxTarget float32[1,80,4] float32[2,3,5] float32[2,21,80] out=3 -> float32[2,320] float32[2,320] float32[2,80]
_contrib_MultiBoxDetection float32[2,21,80] float32[2,320] float32[1,80,4] -> float32[2,80,6]
_contrib_Proposal float32[2,24,5,5] float32[2,48,5,5] float32[2,3] rpn_post_nms_top_n=100 out=2 -> float32[200,5] float32[200,1]
)";

constexpr const char* QuantizedCases = R"(
_contrib_quantize float32[2,3] unknown[?…] unknown[?…] out=3 -> uint8[2,3] float32[1] float32[1] | 1 float32[1] 2 float32[1]
_contrib_quantize_v2 float32[2,3] out_type='uint8' out=3 -> uint8[2,3] float32[1] float32[1]
_contrib_requantize int32[2,3] float32[1] float32[1] min_calib_range=-1.0 max_calib_range=2.0 out=3 -> int8[2,3] float32[1] float32[1]
_contrib_dequantize int8[2,3] float32[1] float32[1] -> float32[2,3]
_contrib_quantized_act int8[2,3,4] float32[1] float32[1] out=3 -> int8[2,3,4] float32[1] float32[1]
_contrib_quantized_flatten int8[2,3,4] float32[1] float32[1] out=3 -> int8[2,12] float32[1] float32[1]
_contrib_quantized_pooling int8[1,2,7,7] float32[1] float32[1] kernel=2,2 stride=2,2 out=3 -> int8[1,2,3,3] float32[1] float32[1]
_contrib_quantized_concat int8[1,2,3] int8[1,4,3] float32[1] float32[1] float32[1] float32[1] num_args=2 dim=1 out=3 -> int8[1,6,3] float32[1] float32[1]
_contrib_quantized_elemwise_add int8[2,3] int8[2,3] float32[1] float32[1] float32[1] float32[1] out=3 -> int8[2,3] float32[1] float32[1]
_contrib_quantized_conv int8[1,3,8,8] unknown[?…] unknown[?…] unknown[?…] kernel=3,3 num_filter=4 no_bias=1 out=3 -> int32[1,4,6,6] float32[1] float32[1] | 1 unknown[4,3,3,3] 2 float32[1] 3 float32[1]
_contrib_quantized_fully_connected int8[2,12] unknown[?…] unknown[?…] unknown[?…] num_hidden=5 out=3 -> int32[2,5] float32[1] float32[1] | 1 unknown[5,12] 2 unknown[5] 3 float32[1]
_sg_mkldnn_conv float32[1,3,8,8] unknown[?…] unknown[?…] float32[1,4,6,6] kernel=3,3 num_filter=4 with_sum=1 -> float32[1,4,6,6] | 1 unknown[4,3,3,3] 2 unknown[4] 3 unknown[1,4,6,6]
_sg_mkldnn_conv float32[1,3,8,8] unknown[?…] unknown[?…] unknown[?…] unknown[?…] unknown[?…] kernel=3,3 num_filter=4 with_bn=1 no_bias=1 -> float32[1,4,6,6] | 1 unknown[4,3,3,3] 2 unknown[4] 3 unknown[4] 4 unknown[4] 5 unknown[4]
_sg_mkldnn_fully_connected int8[2,12] unknown[?…] unknown[?…] num_hidden=5 quantized=1 out=3 -> int32[2,5] float32[1] float32[1] | 1 unknown[5,12] 2 unknown[5]
_sg_mkldnn_fully_connected int8[2,12] unknown[?…] unknown[?…] num_hidden=5 quantized=1 enable_float_output=1 -> float32[2,5] | 1 unknown[5,12] 2 unknown[5]
_sg_mkldnn_conv float32[1,3,8,8] unknown[?…] -> unknown[?…]
)";

} // namespace

/// Each line: the node, its outputs, and by position the types that it requires of its inputs.
void MxnetResults::aNodeGives_data()
{
    addNodeRows({LayerCases, PoolingCases, MovementCases, CreationCases, VisionCases, QuantizedCases});
}

void MxnetResults::aNodeGives()
{
    compareNodeRow("mxnet::");
}

QTEST_APPLESS_MAIN(MxnetResults)
#include "tst_mxnet_results.moc"
