#include "core/facts/english/english.h"
#include "core/ops/op_schema.h"
#include "op_case.h"

#include <QTest>

using namespace plimsoll;
using namespace plimsoll::test;

/// The shape rules of MXNet's operators, one line an operator.
class MxnetShapes : public QObject
{
    Q_OBJECT

private slots:
    void anOperatorGives_data();
    void anOperatorGives();
    void aNodeHasOneCounterpart_data();
    void aNodeHasOneCounterpart();
    void counterpartsAreRows();
};

namespace {

void row(const char* operatorCase, const char* result)
{
    QTest::newRow(operatorCase) << QString::fromUtf8(result);
}

void rowsOfOwnRules()
{
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
}

/// As the counterpart, with what differs.
void rowsOfCounterparts()
{
    row("mxnet::transpose float32[2,3,4] axes=1,0,2", "float32[3,2,4]");
    row("mxnet::SwapAxis float32[?…] dim1=0 dim2=2", "float32[?…]");
    row("mxnet::squeeze float32[1,3,1]", "float32[3]");
    row("mxnet::squeeze float32[1,1]", "float32[1]");
    row("mxnet::squeeze float32[1,3,1] axis=0", "float32[3,1]");
    row("mxnet::expand_dims float32[2,3] axis=-1", "float32[2,3,1]");
    row("mxnet::space_to_depth float32[1,2,4,6] block_size=2", "float32[1,8,2,3]");
    row("mxnet::depth_to_space float32[1,8,2,3] block_size=2", "float32[1,2,4,6]");
    row("mxnet::batch_dot float32[5,2,3] float32[5,4,3] transpose_b=1", "float32[5,2,4]");
    row("mxnet::argmax float32[2,3] axis=1", "float32[2]");
    row("mxnet::norm float32[2,3] axis=1, keepdims=1 out_dtype='float64'", "float64[2,1]");
    row("mxnet::max float32[2,3] axis=0,1 exclude=1", "float32[2,3]");
    row("mxnet::sum float32[?,3] axis=1", "float32[?]");
    row("mxnet::slice_axis float32[?,9] axis=0 begin=1 end=3", "float32[?,9]");
    row("mxnet::slice float32[6] begin=4, end=1, step=-1,", "float32[3]");
    row("mxnet::Concat float32[?…] float16[1,5,3] dim=1", "float32[1,?,3]");
    row("mxnet::Pad float32[1,2] pad_width=0,0,1", "error: The attribute pad_width has 3 numbers; it must have 4.");
    row("mxnet::Pad float32[1,2] pad_width=0,0,-1,0", "error: A pad_width is negative.");
    row("mxnet::SwapAxis float32[2,3] dim1=0 dim2=2", "error: The attributes dim1 and dim2 are no axes of its input.");
    row("mxnet::sum float32[2,3] axis=2,", "error: The axis 2 is outside of float32[2,3].");
    row("mxnet::space_to_depth float32[1,2,4] block_size=2", "error: Its data must have 4 dimensions.");
}

void rowsOfRefusals()
{
    row("mxnet::Reshape float32[2,3] shape=4,-1",
        "error: float32[2,3] has 6 elements, which do not fit into unknown[4,?].");
    row("mxnet::Reshape float32[2,3] shape=-1,-1", "error: The attribute shape holds -1 twice.");
    row("mxnet::Reshape float32[2,3] shape=-4,2", "error: The attribute shape ends behind a -4.");
    row("mxnet::Pooling float32[1,2,3,3] kernel=5,5", "error: The window does not fit into float32[1,2,3,3].");
    row("mxnet::SliceChannel float32[2,5] num_outputs=2 out=2",
        "error: Axis 1 of [2,5] cannot be split into 2 equal parts.");
    row("mxnet::elemwise_add float32[2,3] float32[3,2]",
        "error: Its inputs must have one shape; input 0 is float32[2,3] and input 1 is float32[3,2].");
    row("mxnet::Convolution float32[1,3,8,8] float32[?…] kernel=3,3 num_filter=4 num_group=2",
        "error: The input float32[1,3,8,8] and the weights float32[4,1,3,3] do not have the same number of channels "
        "(weights times group 2).");
}

} // namespace

void MxnetShapes::anOperatorGives_data()
{
    QTest::addColumn<QString>("result");
    rowsOfOwnRules();
    rowsOfCounterparts();
    rowsOfRefusals();
}

void MxnetShapes::anOperatorGives()
{
    QFETCH(QString, result);
    QCOMPARE(QString::fromStdString(inferred(QTest::currentDataTag())), result);
}

/// Of inputs [2,3,4]: the operator, its attributes by name, its inputs.
void MxnetShapes::aNodeHasOneCounterpart_data()
{
    QTest::addColumn<QString>("node");
    QTest::addColumn<QString>("counterpart");
    QTest::addColumn<QString>("plain");
    const auto row = [](const char* node, const char* counterpart, const char* plain) {
        QTest::newRow(node) << QString::fromUtf8(node) << QString::fromUtf8(counterpart) << QString::fromUtf8(plain);
    };
    row("elemwise_add", "Add in0 in1", "Add");
    row("Activation act_type=softrelu", "Softplus in0", "Softplus");
    row("Activation act_type=swish", "error: there is no activation 'swish'.", "");
    row("relu", "Relu in0", "Relu");
    row("_plus_scalar scalar=3", "Add in0 3", "");
    row("_rdiv_scalar scalar=3", "Div 3 in0", "");
    row("clip a_min=1 a_max=2", "Clip in0 1 2", "");
    row("square", "Mul in0 in0", "");
    row("Reshape", "Identity in0", "Identity");
    row("expand_dims", "Unsqueeze axes in0", "Identity");
    row("transpose", "Transpose in0", "Transpose");
    row("SwapAxis dim1=0 dim2=1", "Transpose perm in0", "");
    row("slice_axis axis=1 begin=2", "Slice in0 [2] [9223372036854775807] [1] [1]", "");
    row("Pad", "Pad in0 [0,0,0,0,0,0] 0", "");
    row("sum axis=1 exclude=1", "ReduceSum keepdims noop_with_empty_axes in0 [0,2]", "");
    row("Concat", "Concat axis in0 in1", "");
    row("batch_dot", "com.microsoft::FusedMatMul transA transB in0 in1", "");
    row("argmax", "ReduceSum keepdims in0", ""); // its types only
    row("Convolution", "error: The attribute kernel is missing.", "");
    row("FullyConnected num_hidden=5", "Gemm transB in0 in1", "");
    row("tile reps=2", "Tile in0 [1,1,2]", "");
    row("take axis=1", "Gather axis in0 in1", ""); // its types only
    row("softmax", "", "");
}

void MxnetShapes::aNodeHasOneCounterpart()
{
    QFETCH(const QString, node);
    QFETCH(const QString, counterpart);
    QFETCH(const QString, plain);
    QStringList words = node.split(QLatin1Char(' '));
    Node made;
    made.domain = "mxnet";
    made.op = words.takeFirst().toStdString();
    for (const QString& word : words) {
        bool isNumber = false;
        const qlonglong number = word.section(QLatin1Char('='), 1).toLongLong(&isNumber);
        const std::string text = word.section(QLatin1Char('='), 1).toStdString();
        made.attributes[word.section(QLatin1Char('='), 0, 0).toStdString()] =
            isNumber ? Attribute(static_cast<std::int64_t>(number)) : Attribute(text);
    }
    for (int i = 0; i < std::max(1, findSchema("mxnet", made.op)->signature.least(0)) && i < 2; ++i)
        made.inputs.emplace_back(ValueId(static_cast<std::size_t>(i)));
    if (made.op == "Concat") made.inputs.emplace_back(ValueId(std::size_t {1}));

    const auto found = counterpartOf(made, Dims {2, 3, 4});

    QString text;
    if (!found.ok()) {
        text = QStringLiteral("error: ") + QString::fromStdString(english(found.error().message));
    } else if (!found.value().op.empty()) {
        const std::string_view domain = found.value().domain;
        text =
            QString::fromStdString(std::string(domain) + (domain.empty() ? "" : "::") + std::string(found.value().op));
        for (const auto& [name, value] : found.value().attributes)
            text += QLatin1Char(' ') + QString::fromStdString(name);
        for (const CounterpartInput& input : found.value().inputs) {
            QStringList numbers;
            for (const std::int64_t number : input.integers.value_or(std::vector<std::int64_t> {}))
                numbers += QString::number(number);
            text += input.integers ? QStringLiteral(" [%1]").arg(numbers.join(QLatin1Char(',')))
                    : input.number ? QStringLiteral(" %1").arg(*input.number)
                                   : QStringLiteral(" in%1").arg(input.input);
        }
    }
    QCOMPARE(text, counterpart);
    QCOMPARE(QString::fromStdString(std::string(plainCounterpart(made))), plain);
}

void MxnetShapes::counterpartsAreRows()
{
    int counterparts = 0;
    for (const OpFamily& family : opFamilies()) {
        for (const OpSchema& row : family.rows) {
            if (row.counterpart.op.empty()) continue;
            const std::string_view op = row.counterpart.op;
            const std::size_t colons = op.find("::");
            const OpSchema* found = colons == std::string_view::npos
                                        ? findSchema("", op)
                                        : findSchema(op.substr(0, colons), op.substr(colons + 2));
            QVERIFY2(found && found->infer, std::string(row.op).data());
            ++counterparts;
        }
    }
    QVERIFY(counterparts > 90);
}

QTEST_APPLESS_MAIN(MxnetShapes)
#include "tst_mxnet_shapes.moc"
