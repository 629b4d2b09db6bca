#include "core/ops/mxnet/mxnet_attributes.h"
#include "core/ops/mxnet/mxnet_names.h"

#include <QTest>

using namespace plimsoll;

/// What files of MXNet write as texts: attributes, and names of operators, inputs and outputs.
class MxnetWords : public QObject
{
    Q_OBJECT

private slots:
    void aTextIsTyped_data();
    void aTextIsTyped();
    void tuplesMayBeOpen_data();
    void tuplesMayBeOpen();
    void attributesHaveFallbacks();
    void elementTypesHaveNumbersAndNames_data();
    void elementTypesHaveNumbersAndNames();
    void operatorsHaveOneName_data();
    void operatorsHaveOneName();
    void inputsAndOutputsHaveNames_data();
    void inputsAndOutputsHaveNames();
};

namespace {

/// "int 3", "ints 1 2", "reals 0.5", "text x".
QString describe(const Attribute& attribute)
{
    if (const auto* number = std::get_if<std::int64_t>(&attribute)) return QStringLiteral("int %1").arg(*number);
    if (const auto* number = std::get_if<double>(&attribute)) return QStringLiteral("real %1").arg(*number);
    if (const auto* text = std::get_if<std::string>(&attribute)) return QStringLiteral("text ") + text->c_str();
    QStringList words;
    if (const auto* numbers = std::get_if<std::vector<std::int64_t>>(&attribute)) {
        words += QStringLiteral("ints");
        for (const std::int64_t number : *numbers)
            words += QString::number(number);
    }
    if (const auto* numbers = std::get_if<std::vector<double>>(&attribute)) {
        words += QStringLiteral("reals");
        for (const double number : *numbers)
            words += QString::number(number);
    }
    return words.join(u' ');
}

Attributes attributesIn(const QString& text)
{
    Attributes attributes;
    for (const QString& word : text.split(u' ', Qt::SkipEmptyParts)) {
        const auto typed = mxnet::typedAttribute(word.section(u'=', 1).toStdString());
        if (typed) attributes[word.section(u'=', 0, 0).toStdString()] = *typed;
    }
    return attributes;
}

} // namespace

void MxnetWords::aTextIsTyped_data()
{
    QTest::addColumn<QString>("typed");
    const auto row = [](const char* text, const char* typed) { QTest::newRow(text) << QString::fromLatin1(typed); };
    row("64", "int 64");
    row("64L", "int 64");
    row(" -3 ", "int -3");
    row("+3", "int 3");
    row("0.9", "real 0.9");
    row("1e-05", "real 1e-05");
    row("True", "int 1");
    row("false", "int 0");
    row("(3, 3)", "ints 3 3");
    row("[1,2]", "ints 1 2");
    row("(2L, 3L)", "ints 2 3");
    row("(1,)", "ints 1");
    row("()", "ints");
    row("(0.1, 2)", "reals 0.1 2");
    row("(0, None)", "text (0, None)");
    row("(1, 2", "text (1, 2");
    row("relu", "text relu");
    row("3x", "text 3x");
    row("", "text ");
    row("None", "nothing");
}

void MxnetWords::aTextIsTyped()
{
    const auto typed = mxnet::typedAttribute(QTest::currentDataTag());
    QTEST(typed ? describe(*typed) : QStringLiteral("nothing"), "typed");
}

void MxnetWords::tuplesMayBeOpen_data()
{
    QTest::addColumn<QString>("tuple");
    const auto row = [](const char* text, const char* tuple) { QTest::newRow(text) << QString::fromLatin1(tuple); };
    row("(None,0)", "None 0");
    row("(1,2)", "1 2");
    row("5", "5");
    row("(None,)", "None");
    row("(None,x)", "none");
    row("all", "none");
}

void MxnetWords::tuplesMayBeOpen()
{
    const Attributes attributes = attributesIn(QStringLiteral("begin=") + QTest::currentDataTag());
    const auto tuple = mxnet::openTupleOf(attributes, "begin");
    QStringList words;
    for (const auto& number : tuple.value_or(mxnet::OpenTuple {}))
        words += number ? QString::number(*number) : QStringLiteral("None");
    QTEST(tuple ? words.join(u' ') : QStringLiteral("none"), "tuple");
    QVERIFY(!mxnet::openTupleOf(attributes, "end"));
}

void MxnetWords::attributesHaveFallbacks()
{
    const Attributes attributes = attributesIn(QStringLiteral("a=3 b=0.5 c=relu d=True e=(1,2)"));
    QCOMPARE(mxnet::numberOf(attributes, "a", 7), 3);
    QCOMPARE(mxnet::numberOf(attributes, "c", 7), 7);
    QCOMPARE(mxnet::numberOf(attributes, "z", 7), 7);
    QCOMPARE(mxnet::realOf(attributes, "a", 7), 3.0);
    QCOMPARE(mxnet::realOf(attributes, "b", 7), 0.5);
    QCOMPARE(mxnet::realOf(attributes, "c", 7), 7.0);
    QCOMPARE(mxnet::textOf(attributes, "c", "x"), std::string("relu"));
    QCOMPARE(mxnet::textOf(attributes, "a", "x"), std::string("x"));
    QVERIFY(mxnet::flagOf(attributes, "d", false) && mxnet::flagOf(attributes, "z", true));
    QCOMPARE(mxnet::tupleOf(attributes, "a"), std::optional(std::vector<std::int64_t> {3}));
    QCOMPARE(mxnet::tupleOf(attributes, "e"), std::optional(std::vector<std::int64_t> {1, 2}));
    QVERIFY(!mxnet::tupleOf(attributes, "b") && !mxnet::tupleOf(attributes, "z"));
}

void MxnetWords::elementTypesHaveNumbersAndNames_data()
{
    QTest::addColumn<QString>("type");
    const auto row = [](const char* given, const char* type) { QTest::newRow(given) << QString::fromLatin1(type); };
    row("0", "float32");
    row("1", "float64");
    row("2", "float16");
    row("3", "uint8");
    row("6", "int64");
    row("7", "bool");
    row("12", "bfloat16");
    row("13", "unknown");
    row("-1", "unknown");
    row("float16", "float16");
    row("half", "unknown");
    row("None", "int8"); // not given: the fallback
}

void MxnetWords::elementTypesHaveNumbersAndNames()
{
    const Attributes attributes = attributesIn(QStringLiteral("dtype=") + QTest::currentDataTag());
    const DType type = mxnet::dtypeOf(attributes, "dtype", DType::Int8);
    QTEST(QString::fromStdString(std::string(dtypeName(type))), "type");
}

void MxnetWords::operatorsHaveOneName_data()
{
    QTest::addColumn<QString>("name");
    const auto row = [](const char* op, const char* name) { QTest::newRow(op) << QString::fromLatin1(name); };
    row("concat", "Concat");
    row("_PlusScalar", "_plus_scalar");
    row("Convolution_v1", "Convolution");
    row("_Mul", "elemwise_mul");
    row("swapaxes", "SwapAxis");
    row("crop", "slice");
    row("Crop", "Crop");
    row("sum_axis", "sum");
    row("_sg_onednn_conv", "_sg_mkldnn_conv");
    row("identity", "_copy");
    row("no_such_operator", "no_such_operator");
}

void MxnetWords::operatorsHaveOneName()
{
    const std::string_view name = mxnet::canonicalOp(QTest::currentDataTag());
    QTEST(QString::fromStdString(std::string(name)), "name");
    QCOMPARE(mxnet::canonicalOp(name), name);
}

/// Parameters have a *, auxiliary states a + behind their names.
void MxnetWords::inputsAndOutputsHaveNames_data()
{
    QTest::addColumn<QString>("inputs");
    QTest::addColumn<QString>("outputs");
    const auto row = [](const char* node, const char* inputs, const char* outputs) {
        QTest::newRow(node) << QString::fromLatin1(inputs) << QString::fromLatin1(outputs);
    };
    row("Convolution", "data weight* bias*", "output");
    row("Convolution no_bias=True", "data weight*", "output");
    row("Deconvolution", "data weight*", "output");
    row("Deconvolution no_bias=False", "data weight* bias*", "output");
    row("FullyConnected no_bias=1", "data weight*", "output");
    row("BatchNorm", "data gamma* beta* moving_mean+ moving_var+", "output mean var");
    row("LayerNorm", "data gamma* beta*", "output mean std");
    row("Embedding", "data weight*", "output");
    row("SoftmaxOutput", "data label", "output");
    row("LeakyReLU", "data", "output");
    row("LeakyReLU act_type=prelu", "data gamma*", "output");
    row("LeakyReLU act_type=rrelu", "data", "output mask");
    row("RNN mode=lstm", "data parameters* state state_cell", "output");
    row("RNN mode=gru state_outputs=True", "data parameters* state", "output state");
    row("RNN mode=lstm state_outputs=True", "data parameters* state state_cell", "output state state_cell");
    row("Dropout", "data", "output mask");
    row("SliceChannel num_outputs=3", "", "output0 output1 output2");
    row("SliceChannel", "", "output");
    row("topk ret_typ=both", "", "output0 output1");
    row("topk", "", "output");
    row("_sg_mkldnn_conv quantized=True", "", "output output_min output_max");
    row("_sg_mkldnn_conv quantized=True enable_float_output=True", "", "output");
    row("_contrib_quantize_v2", "", "output0 output1 output2");
    row("some_operator num_outputs=2", "", "output0 output1");
    row("some_operator", "", "output");
}

void MxnetWords::inputsAndOutputsHaveNames()
{
    const QString node = QString::fromLatin1(QTest::currentDataTag());
    const std::string op = node.section(u' ', 0, 0).toStdString();
    const Attributes attributes = attributesIn(node.section(u' ', 1));
    QStringList inputs;
    for (const mxnet::Input& input : mxnet::inputsOf(op, attributes)) {
        const char* mark = input.slot == mxnet::Slot::Parameter ? "*" : input.slot == mxnet::Slot::Auxiliary ? "+" : "";
        inputs += QString::fromStdString(input.name + mark);
    }
    QStringList outputs;
    for (const std::string& name : mxnet::outputsOf(op, attributes))
        outputs += QString::fromStdString(name);
    QTEST(inputs.join(u' '), "inputs");
    QTEST(outputs.join(u' '), "outputs");
}

QTEST_APPLESS_MAIN(MxnetWords)
#include "tst_mxnet_words.moc"
