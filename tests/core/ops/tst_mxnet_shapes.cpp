#include "op_case.h"

#include <QTest>

using namespace plimsoll::test;

/// The shape rules of MXNet's operators, one line an operator.
class MxnetShapes : public QObject
{
    Q_OBJECT

private slots:
    void anOperatorGives_data();
    void anOperatorGives();
};

void MxnetShapes::anOperatorGives_data()
{
    QTest::addColumn<QString>("result");
    const auto row = [](const char* operatorCase, const char* result) {
        QTest::newRow(operatorCase) << QString::fromUtf8(result);
    };
    row("mxnet::Convolution float32[1,3,224,224] float32[?…] kernel=7,7 stride=2,2 pad=3,3 num_filter=64",
        "float32[1,64,112,112]");
    row("mxnet::Convolution float32[1,4,9] float32[?…] kernel=3, num_filter=8 num_group=2", "float32[1,8,7]");
    row("mxnet::Convolution float32[1,9,9,4] float32[?…] kernel=3,3 num_filter=8 layout='NHWC'", "float32[1,7,7,8]");
    row("mxnet::Deconvolution float32[1,4,8,8] float32[?…] kernel=4,4 stride=2,2 pad=1,1 num_filter=6",
        "float32[1,6,16,16]");
    row("mxnet::FullyConnected float32[2,3,4] float32[?…] num_hidden=5", "float32[2,5]");
    row("mxnet::FullyConnected float32[2,3,4] float32[?…] num_hidden=5 flatten=0", "float32[2,3,5]");
    row("mxnet::BatchNorm float32[2,8,4,4] float32[?…] out=3", "float32[2,8,4,4] float32[8] float32[8]");
    row("mxnet::Pooling float32[1,2,7,7] kernel=2,2 stride=2,2", "float32[1,2,3,3]");
    row("mxnet::Pooling float32[1,2,7,7] kernel=2,2 stride=2,2 pooling_convention='full'", "float32[1,2,4,4]");
    row("mxnet::Pooling float32[1,2,7] kernel=2, stride=2, pooling_convention='same'", "float32[1,2,4]");
    row("mxnet::Pooling float32[1,2,7,7] kernel=2,2 global_pool=1", "float32[1,2,1,1]");
    row("mxnet::Pooling float32[1,2,5,6,7] kernel=3,3,3 pad=1,1,1", "float32[1,2,5,6,7]");
    row("mxnet::Reshape float32[2,3,4] shape=4,0,2", "float32[4,3,2]");
    row("mxnet::Reshape float32[2,3,4] shape=6,1,-1", "float32[6,1,4]");
    row("mxnet::Reshape float32[2,3,4] shape=-2,1,1", "float32[2,3,4,1,1]");
    row("mxnet::Reshape float32[2,3,4] shape=-3,4", "float32[6,4]");
    row("mxnet::Reshape float32[2,3,4,5] shape=-3,-3", "float32[6,20]");
    row("mxnet::Reshape float32[2,3,4] shape=-4,1,2,-2", "float32[1,2,3,4]");
    row("mxnet::Reshape float32[2,3,4] shape=2,-4,-1,3,-2", "float32[2,1,3,4]");
    row("mxnet::Reshape float32[10,5,4] shape=-1,0 reverse=1", "float32[50,4]");
    row("mxnet::Reshape float32[10,5,4] shape=-1,0", "float32[40,5]");
    row("mxnet::Flatten float32[2,3,4]", "float32[2,12]");
    row("mxnet::expand_dims float32[2,3] axis=1", "float32[2,1,3]");
    row("mxnet::transpose float32[2,3,4]", "float32[4,3,2]");
    row("mxnet::SwapAxis float32[2,3,4] dim1=0 dim2=2", "float32[4,3,2]");
    row("mxnet::Concat float32[1,2,3] float32[1,5,3] dim=1", "float32[1,7,3]");
    row("mxnet::SliceChannel float32[2,4] num_outputs=4 axis=1 squeeze_axis=1 out=4",
        "float32[2] float32[2] float32[2] float32[2]");
    row("mxnet::slice_axis float32[2,9] axis=-1 begin=1 end=-1", "float32[2,7]");
    row("mxnet::slice_axis float32[2,9] axis=-1 begin=1", "float32[2,8]");
    row("mxnet::slice float32[4,9] begin='(None,1)' end='(2,None)' step='(None,2)'", "float32[2,4]");
    row("mxnet::slice float32[4] begin='(None,)' end='(None,)' step=-1", "float32[4]");
    row("mxnet::slice_like float32[4,9,7] float32[2,3,7] axes=0,1", "float32[2,3,7]");
    row("mxnet::broadcast_add float32[2,1,4] float32[1,3,1]", "float32[2,3,4]");
    row("mxnet::mean float32[2,3,4] axis=1, keepdims=1", "float32[2,1,4]");
    row("mxnet::sum float32[2,3,4]", "float32[1]");
    row("mxnet::max float32[2,3,4] axis=1, exclude=1", "float32[3]");
    row("mxnet::Embedding float32[7,2] float32[?…] input_dim=10 output_dim=5", "float32[7,2,5]");
    row("mxnet::RNN float32[9,2,5] float32[?…] float32[?…] float32[?…] mode='lstm' state_size=4 num_layers=2 "
        "bidirectional=1 out=3",
        "float32[9,2,8] float32[4,2,4] float32[4,2,4]");
    row("mxnet::UpSampling float32[1,2,3,4] float32[1,5,3,4] scale=2 sample_type='nearest'", "float32[1,7,6,8]");
    row("mxnet::Pad float32[1,2,3,4] pad_width=0,0,0,0,1,1,2,3", "float32[1,2,5,9]");
    row("mxnet::L2Normalization float32[2,8,4,4] mode='channel' out=2", "float32[2,8,4,4] float32[2,1,4,4]");
    row("mxnet::Cast float32[2] dtype='float16'", "float16[2]");
    row("mxnet::_zeros shape=2,3 dtype='int32'", "int32[2,3]");
    row("mxnet::_arange start=0 stop=7 step=2", "float32[4]");
    row("mxnet::_contrib_quantize_v2 float32[1,3] out_type='auto' out=3", "int8[1,3] float32[1] float32[1]");
    row("mxnet::_contrib_quantize_v2 float32[1,3] out_type='auto' min_calib_range=0.0 max_calib_range=2.5 out=3",
        "uint8[1,3] float32[1] float32[1]");
    row("mxnet::_sg_mkldnn_conv uint8[1,3,8,8] float32[?…] float32[?…] kernel=3,3 num_filter=4 quantized=1 "
        "min_calib_range=0.0 max_calib_range=2.0 out=3",
        "uint8[1,4,6,6] float32[1] float32[1]");

    row("mxnet::Reshape float32[2,3] shape=4,-1",
        "error: float32[2,3] has 6 elements, which do not fit into unknown[4,?].");
    row("mxnet::Reshape float32[2,3] shape=-1,-1", "error: The attribute shape holds -1 twice.");
    row("mxnet::Reshape float32[2,3] shape=-4,2", "error: The attribute shape ends behind a -4.");
    row("mxnet::Pooling float32[1,2,3,3] kernel=5,5", "error: The kernel does not fit into float32[1,2,3,3].");
    row("mxnet::SliceChannel float32[2,5] num_outputs=2 out=2",
        "error: Axis 1 of float32[2,5] cannot be split into 2 equal parts.");
    row("mxnet::elemwise_add float32[2,3] float32[3,2]",
        "error: Its inputs must have one shape; input 0 is float32[2,3] and input 1 is float32[3,2].");
    row("mxnet::Convolution float32[1,3,8,8] float32[?…] kernel=3,3 num_filter=4 num_group=2",
        "error: Its data has 3 channels, which 2 groups cannot share.");
}

void MxnetShapes::anOperatorGives()
{
    QFETCH(QString, result);
    QCOMPARE(QString::fromStdString(inferred(QTest::currentDataTag())), result);
}

QTEST_APPLESS_MAIN(MxnetShapes)
#include "tst_mxnet_shapes.moc"
