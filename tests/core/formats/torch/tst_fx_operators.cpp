#include "core/facts/english/english.h"
#include "core/formats/plimsoll/graph_json.h"
#include "core/lower/types/infer_types.h"
#include "tests/core/formats/torch/fx_text.h"

#include <QtTest>

using namespace plimsoll;
using namespace plimsoll::test;

namespace {

using Row = void (*)(const char* statement, const char* nodes);

void addViewRows(Row row)
{
    // Views.
    row(R"(r: "f32[6]" = torch.ops.aten.view.default(x, [6]))", "Reshape x r.shape -> r view 0");
    row(R"(r: "f32[2, 1, 3]" = torch.ops.aten.unsqueeze.default(x, 1))", "Reshape x r.shape -> r view 0");
    row(R"(r: "f32[2, 3]" = torch.ops.aten.alias.default(x))", "Identity x -> r view 0");
    row(R"(r: "f32[2, 3]" = torch.ops.aten.clone.default(x))", "Identity x -> r");
    row(R"(r: "f32[4, 3][1, 4]cpu" = torch.ops.aten.permute.default(w, [1, 0]))", "aten::permute w -> r view 0");
    row(R"(r: "f32[1, 4]" = torch.ops.aten.slice.Tensor(w, 0, 1, 2))",
        "Slice w r.starts r.ends r.axes r.steps -> r view 0+16");
    row(R"(r: "f32[3, 2]" = torch.ops.aten.slice.Tensor(w, 1, 2, 9223372036854775807))", "aten::slice w -> r view 0+8");
    row(R"(r: "f32[3, 4]" = torch.ops.aten.slice.Tensor(w, 0, 0, 9223372036854775807))", "Identity w -> r view 0");
    row(R"(r: "f32[4]" = torch.ops.aten.select.int(w, 0, -1))", "Gather w r.index -> r view 0+32");
    row(R"(r: "f32[3]" = torch.ops.aten.select.int(w, 1, 3))", "aten::select w -> r view 0+12");
    row("split = torch.ops.aten.split.Tensor(w, 2);\n        s: \"f32[2, 4]\" = split[0];\n"
        "        r: \"f32[1, 4]\" = split[1]",
        "aten::split w -> s r view 0 view 0+32");
    // What is permuted is read through.
    row("t: \"f32[3, 2][1, 3]cpu\" = torch.ops.aten.permute.default(x, [1, 0])\n"
        "        r: \"f32[3, 3]\" = torch.ops.aten.mm.default(t, y)",
        "Gemm x y -> r");
    row("t: \"f32[3, 2][1, 3]cpu\" = torch.ops.aten.permute.default(x, [1, 0])\n"
        "        r: \"f32[3, 2]\" = torch.ops.aten.clone.default(t)",
        "Transpose x -> r");
    row("t: \"f32[3, 2][1, 3]cpu\" = torch.ops.aten.permute.default(x, [1, 0])\n"
        "        e: \"f32[3, 2][1, 3]cpu\" = torch.ops.aten.exp.default(t)\n"
        "        r: \"f32[3, 3]\" = torch.ops.aten.mm.default(t, y)",
        "aten::permute x -> t view 0\naten::exp t -> e in-place 0\nGemm x y -> r");
    row("t: \"f32[3, 2][1, 3]cpu\" = torch.ops.aten.permute.default(x, [1, 0])\n"
        "        r: \"f32[3, 2][1, 3]cpu\" = torch.ops.aten.exp.default(t)",
        "aten::permute x -> t view 0\naten::exp t -> r in-place 0");
    row("t: \"f32[3, 2][1, 3]cpu\" = torch.ops.aten.permute.default(x, [1, 0])\n"
        "        r: \"f32[2, 3][3, 1]cpu\" = torch.ops.aten.t.default(t)",
        "Reshape x r.shape -> r view 0");
    row("t: \"f32[4, 2, 3][1, 12, 4]cpu\" = torch.ops.aten.permute.default(c, [2, 0, 1])\n"
        "        u: \"f32[3, 4, 2][4, 1, 12]cpu\" = torch.ops.aten.permute.default(t, [2, 0, 1])\n"
        "        r: \"f32[3, 4, 2]\" = torch.ops.aten.clone.default(u)",
        "Transpose c -> r");
    // Several outputs.
    row("n = torch.ops.aten.native_layer_norm.default(w, [4], v, v, 1e-05);\n        r: \"f32[3, 4]\" = n[0]\n"
        "        m: \"f32[3, 1]\" = n[1];  n = None",
        "LayerNormalization w v v -> r m");
    row("p = torch.ops.aten.max_pool2d_with_indices.default(x, [2, 2]);\n        r: \"f32[2, 1]\" = p[1]",
        "aten::max_pool2d_with_indices x -> - r");
}

/// "4", "0.5", "tanh", "[1, 2]"; of a tensor its type.
struct AttributeText
{
    QString operator()(std::int64_t number) const { return QString::number(number); }
    QString operator()(double number) const { return QString::number(number); }
    QString operator()(const std::string& text) const { return QString::fromStdString(text); }
    QString operator()(const TensorLiteral& literal) const
    {
        return QString::fromStdString(std::string(dtypeName(literal.dtype)) + describe(literal.shape));
    }
    template <typename Element>
    QString operator()(const std::vector<Element>& list) const
    {
        QStringList texts;
        for (const Element& element : list)
            texts << (*this)(element);
        return u'[' + texts.join(QStringLiteral(", ")) + u']';
    }
};

/// "axis=1 keepdims=0"
QString attributesOf(const Node& node)
{
    QStringList texts;
    for (const auto& [name, attribute] : node.attributes)
        texts << QString::fromStdString(name) + u'=' + std::visit(AttributeText(), attribute);
    return texts.join(u' ');
}

} // namespace

class FxOperatorsTest : public QObject
{
    Q_OBJECT

private slots:
    void operatorsBecomeTheCommonOnes_data();
    void operatorsBecomeTheCommonOnes();
    void numbersBecomeAttributes_data();
    void numbersBecomeAttributes();
    void placesAndOriginsAreKept();
    void constantsHaveTheTypeOfTheirTensor();
    void whatIsRepeatedTakesNoBytes();
    void readersOfWhatWasWrittenReadItsNewVersion_data();
    void readersOfWhatWasWrittenReadItsNewVersion();
    void whatIsDoneForItsEffectHasNoResult();
};

void FxOperatorsTest::operatorsBecomeTheCommonOnes_data()
{
    QTest::addColumn<QByteArray>("statement");
    QTest::addColumn<QString>("nodes");
    const auto row = [](const char* statement, const char* nodes) {
        QTest::newRow(statement) << QByteArray(statement) << QString::fromLatin1(nodes);
    };
    row(R"(r: "f32[2, 3]" = torch.ops.aten.relu.default(x))", "Relu x -> r");
    row(R"(r: "f32[2, 3]" = torch.ops.aten.add.Tensor(x, y))", "Add x y -> r");
    row(R"(r: "f32[2, 3]" = torch.ops.aten.add.Tensor(x, y, alpha = 2))", "aten::add x y -> r in-place 0 in-place 1");
    row(R"(r: "f32[2, 3]" = torch.ops.aten.mul.Tensor(x, 0.5))", "Mul x r.other -> r");
    row(R"(r: "f32[2, 3]" = torch.ops.aten.rsub.Scalar(x, 1))", "Sub r.other x -> r");
    row(R"(r: "f32[2, 3]" = torch.ops.aten.mul.Tensor(b, x))", "aten::mul b x -> r in-place 0 in-place 1");
    row(R"(r: "b8[2, 3]" = torch.ops.aten.le.Scalar(x, 0))", "LessOrEqual x r.other -> r");
    row(R"(r: "f32[2, 3]" = torch.ops.aten.where.self(b, x, y))", "Where b x y -> r");
    row(R"(r: "f64[2, 3]" = torch.ops.prims.convert_element_type.default(x, torch.float64))", "Cast x -> r");
    row(R"(r: "f32[2, 4]" = torch.ops.aten.mm.default(x, w))", "MatMul x w -> r");
    row(R"(r: "f32[2, 4]" = torch.ops.aten.addmm.default(v, x, w))", "Gemm x w v -> r");
    row(R"(r: "f32[2, 3, 3]" = torch.ops.aten.linear.default(c, w))",
        "Reshape c r.rows -> r.matrix\nGemm r.matrix w -> r.product\nReshape r.product r.shape -> r");
    row(R"(r: "f32[3]" = torch.ops.aten.linear.default(v, w))",
        "Reshape v r.rows -> r.matrix\nGemm r.matrix w -> r.product\nReshape r.product r.shape -> r");
    row(R"(r: "f32[3, 4]" = torch.ops.aten.sum.dim_IntList(c, [0], False))", "ReduceSum c r.axes -> r");
    row(R"(r: "f32[]" = torch.ops.aten.mean.default(c))", "ReduceMean c -> r");
    row(R"(r: "f32[4, 3]" = torch.ops.aten.cat.default([x, y]))", "Concat x y -> r");
    row(R"(r: "f32[2, 2, 3]" = torch.ops.aten.stack.default([x, y]))",
        "Unsqueeze x r.axes -> r.unsqueeze0\nUnsqueeze y r.axes -> r.unsqueeze1\n"
        "Concat r.unsqueeze0 r.unsqueeze1 -> r");
    row(R"(r: "f32[5, 4]" = torch.ops.aten.embedding.default(w, i))", "Gather w i -> r");
    row(R"(r: "f32[2, 3]" = torch.ops.aten._softmax.default(x, 1, False))", "Softmax x -> r");
    row(R"(r: "f32[2, 3]" = torch.ops.aten.full.default([2, 3], 0.5, dtype = torch.float32, device = device(type='cpu')))",
        "ConstantOfShape r.shape -> r");
    row(R"(r: "i64[7]" = torch.ops.prims.iota.default(7, start = 0, step = 1, dtype = torch.int64))",
        "prims::iota  -> r");
    row(R"(r: "i64[7]" = torch.ops.aten.arange.default(7, device = device(type='cpu')))",
        "Range r.start r.end r.step -> r");
    row(R"(r: "f32[2, 3]" = torch.ops.test.baz.default(x, [1, 2], y, mode = 'up', z = None))", "test::baz x y -> r");
    // What is known under ATen's name.
    row(R"(r: "f32[2, 3]" = torch.ops.aten.addcmul.default(x, y, y, value = 0.5))", "aten::addcmul x y y -> r");
    row(R"(r: "f32[2, 3]" = torch.ops.aten.sigmoid_backward.default(x, y))", "aten::sigmoid_backward x y -> r");
    row(R"(r: "f32[2, 3]" = torch.ops.aten.lerp.Scalar(x, y, 0.5))", "pytorch::lerp x y -> r in-place 0 in-place 1");
    row(R"(r: "f32[3, 4]" = torch.ops.aten.index_add.default(w, 0, i, c))", "pytorch::index_add w i c -> r");
    addViewRows(row);
    // Python and torch.
    row(R"(r: "f32[2, 3]" = x * 3.14)", "Mul x r.other -> r");
    row(R"(r: "f32[2, 3]" = 1 - x)", "Sub r.self x -> r");
    row(R"(r: "f32[2, 3]" = torch.nn.functional.relu(x, inplace = False))", "Relu x -> r");
    row(R"(r: "f32[2, 3]" = torch.nn.functional.relu(x, inplace = True))", "torch::nn.functional.relu x -> r writes 0");
    row(R"(r: "f32[2, 4]" = torch.addmm(v, x, w))", "Gemm x w v -> r");
    row(R"(r: "f32[6]" = x.view(-1))", "Reshape x r.shape -> r view 0");
    row(R"(r: "f32[2]" = x[(slice(None, None, None), 1)])", "python::getitem x -> r");
    row(R"(r: "f32[2, 4]" = x @ w)", "MatMul x w -> r");
}

void FxOperatorsTest::operatorsBecomeTheCommonOnes()
{
    QFETCH(QByteArray, statement);
    QFETCH(QString, nodes);

    const auto graph = read(function("        " + statement + "\n", "(r,)"));

    QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
    QCOMPARE(drawn(graph.value()), nodes);
    const auto inferred = inferTypes(graph.value(), {}, {});
    QVERIFY2(inferred.ok(), inferred.ok() ? "" : describe(inferred.error()).c_str());
}

void FxOperatorsTest::numbersBecomeAttributes_data()
{
    QTest::addColumn<QByteArray>("statement");
    QTest::addColumn<QString>("node"); // The last one, and its attributes.
    const auto row = [](const char* statement, const char* node) {
        QTest::newRow(statement) << QByteArray(statement) << QString::fromLatin1(node);
    };
    row(R"(r: "f32[2, 3]" = torch.ops.aten.gelu.default(x, approximate = 'tanh'))", "Gelu x -> r: approximate=tanh");
    row(R"(r: "f32[2, 3]" = torch.ops.aten.gelu.default(x))", "Gelu x -> r: ");
    row(R"(r: "f32[2, 3]" = torch.ops.aten.leaky_relu.default(x, 0.25))", "LeakyRelu x -> r: alpha=0.25");
    row(R"(r: "f32[2, 3]" = torch.ops.aten.leaky_relu.default(x))", "LeakyRelu x -> r: alpha=0.01");
    row(R"(r: "f64[2, 3]" = torch.ops.aten._to_copy.default(x, dtype = torch.float64))", "Cast x -> r: to=float64");
    row(R"(r: "f32[2, 3]" = torch.ops.aten._to_copy.default(x))", "Identity x -> r: ");
    row(R"(r: "f32[2, 3]" = torch.ops.aten.clamp.default(x, None, 6.0))", "Clip x - r.max -> r: ");
    row(R"(r: "f32[2, 3]" = torch.ops.aten.clamp_min.default(x, 0))", "Clip x r.min -> r: ");
    // Types decide.
    row(R"(r: "f32[2, 3]" = torch.ops.aten.fmod.Tensor(x, y))", "Mod x y -> r: fmod=1");
    row(R"(r: "i64[5]" = torch.ops.aten.fmod.Tensor(i, i))", "aten::fmod i i -> r in-place 0 in-place 1: ");
    row(R"(r: "i64[5]" = torch.ops.aten.remainder.Scalar(i, 3))", "Mod i r.other -> r: ");
    row(R"(r: "f32[2, 3]" = torch.ops.aten.remainder.Tensor(x, y))",
        "aten::remainder x y -> r in-place 0 in-place 1: ");
    row(R"(r: "b8[2, 3]" = torch.ops.aten.bitwise_and.Tensor(b, b))", "And b b -> r: ");
    row(R"(r: "i64[5]" = torch.ops.aten.bitwise_and.Tensor(i, i))", "BitwiseAnd i i -> r: ");
    row(R"(r: "i64[5]" = torch.ops.aten.bitwise_xor.Scalar(i, 3))", "BitwiseXor i r.other -> r: ");
    row(R"(r: "b8[2, 3]" = torch.ops.aten.logical_or.default(b, b))", "Or b b -> r: ");
    row(R"(r: "b8[5]" = torch.ops.aten.logical_or.default(i, i))", "aten::logical_or i i -> r in-place 0 in-place 1: ");
    row(R"(r: "b8[2, 3]" = torch.ops.aten.logical_not.default(b))", "Not b -> r: ");
    row(R"(r: "b8[2, 3]" = torch.ops.aten.bitwise_not.default(b))", "Not b -> r: ");
    row(R"(r: "i64[5]" = torch.ops.aten.bitwise_not.default(i))", "BitwiseNot i -> r: ");
    row(R"(r: "i64[5]" = torch.ops.aten.neg.default(i))", "Neg i -> r: ");
    row(R"(r: "i64[5]" = torch.ops.aten.exp.default(i))", "aten::exp i -> r in-place 0: ");
    row(R"(r: "f32[2, 3]" = torch.ops.aten.pow.Tensor_Scalar(x, 2))", "Pow x r.exponent -> r: ");
    row(R"(r: "b8[2, 3]" = torch.ops.aten.mul.Tensor(b, b))", "aten::mul b b -> r in-place 0 in-place 1: ");
    row(R"(r: "i64[5]" = torch.ops.aten.div.Tensor_mode(i, i, rounding_mode = 'floor'))",
        "aten::div i i -> r in-place 0 in-place 1: rounding_mode=floor");
    // Axes, windows and epsilons.
    row(R"(r: "f32[2, 1, 4]" = torch.ops.aten.amax.default(c, [1], True))", "ReduceMax c r.axes -> r: keepdims=1");
    row(R"(r: "f32[2, 3]" = torch.ops.aten._log_softmax.default(x, -1, False))", "LogSoftmax x -> r: axis=-1");
    row(R"(r: "f32[2, 6]" = torch.ops.aten.cat.default([x, y], 1))", "Concat x y -> r: axis=1");
    row(R"(r: "f32[5, 4]" = torch.ops.aten.index_select.default(w, 0, i))", "Gather w i -> r: axis=0");
    row("k: \"f32[4, 3, 1]\" = torch.ops.aten.view.default(w, [4, 3, 1])\n"
        "        r: \"f32[2, 4, 3]\" = torch.ops.aten.convolution.default(c, k, v, [2], [1], [1], False, [0], 1)",
        "Conv c k v -> r: dilations=[1] group=1 pads=[1, 1] strides=[2]");
    row("k: \"f32[3, 4, 1]\" = torch.ops.aten.view.default(w, [3, 4, 1])\n"
        "        r: \"f32[2, 4, 4]\" = torch.ops.aten.convolution.default(c, k, None, [1], [0], [1], True, [0], 1)",
        "ConvTranspose c k -> r: dilations=[1] group=1 output_padding=[0] pads=[0, 0] strides=[1]");
    row(R"(r: "f32[2, 3, 2]" = torch.ops.aten.avg_pool1d.default(c, [2]))",
        "AveragePool c -> r: ceil_mode=0 count_include_pad=1 kernel_shape=[2] pads=[0, 0] strides=[2]");
    row("n = torch.ops.aten.native_layer_norm.default(w, [4], v, v, 0.5);\n        r: \"f32[3, 4]\" = n[0]",
        "LayerNormalization w v v -> r: axis=-1 epsilon=0.5");
    row(R"(r: "f32[2, 4]" = torch.ops.aten.addmm.default(v, x, w, beta = 0.5, alpha = 2))",
        "Gemm x w v -> r: alpha=2 beta=0.5");
    // Made anew.
    row(R"(r: "f32[2, 3]" = torch.ops.aten.ones_like.default(x))", "ConstantOfShape r.shape -> r: value=float32[1]");
    row(R"(r: "i64[4]" = torch.ops.aten.new_full.default(x, [4], 7))", "ConstantOfShape r.shape -> r: value=int64[1]");
    row(R"(r: "i64[4]" = torch.ops.aten.full.default([4], 0.5))", "aten::full  -> r: argument0=[4] argument1=0.5");
    // Views that keep what they are made with.
    row(R"(r: "f32[2, 2][4, 1]cpu" = torch.ops.aten.as_strided.default(w, [2, 2], [4, 1], 1))",
        "aten::as_strided w -> r view 0+4: size=[2, 2] storage_offset=1 stride=[4, 1]");
    row(R"(r: "f32[4, 3][1, 4]cpu" = torch.ops.aten.t.default(w))", "aten::t w -> r view 0: dims=[1, 0]");
    row("e: \"f32[2, 1, 3]\" = torch.ops.aten.unsqueeze.default(x, 1)\n"
        "        f: \"f32[2, 4, 3][3, 0, 1]cpu\" = torch.ops.aten.expand.default(e, [2, 4, 3])\n"
        "        r: \"f32[2, 4, 3]\" = torch.ops.aten.clone.default(f)",
        "Expand f r.shape -> r: ");
    row("u = torch.ops.aten.unbind.int(x);\n        p: \"f32[3]\" = u[0];\n        r: \"f32[3]\" = u[1]",
        "aten::unbind x -> p r view 0 view 0+12: dim=0");
}

void FxOperatorsTest::numbersBecomeAttributes()
{
    QFETCH(QByteArray, statement);

    const auto graph = read(function("        " + statement + "\n", "(r,)"));

    QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
    const Node& last = graph.value()[graph.value().top().nodes.back()];
    QTEST(drawn(graph.value(), last) + QStringLiteral(": ") + attributesOf(last), "node");
}

void FxOperatorsTest::placesAndOriginsAreKept()
{
    const auto graph = read(function("        r: \"f32[2, 3]\" = torch.ops.aten.add.Tensor(x, y);  x = None\n", "r"));
    QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
    const Node& node = graph.value().nodes.front();
    QCOMPARE(node.from->source, std::string("model.py:7 in forward"));
    QCOMPARE(node.from->origin, (Origin {"aten", "add", "Tensor"}));
    QCOMPARE(graph.value().file.format, std::string("pytorch"));
    const auto json = graphJsonText(graph.value());
    QVERIFY(json.ok());
    const auto again = read(json.value());
    QVERIFY2(again.ok(), qPrintable(errorOf(again)));
    QCOMPARE(drawn(again.value()), drawn(graph.value()));
}

void FxOperatorsTest::constantsHaveTheTypeOfTheirTensor()
{
    const auto graph = read(function("        r: \"i64[5]\" = torch.ops.aten.mul.Tensor(i, 2)\n"
                                     "        s: \"f32[2, 3]\" = torch.ops.aten.mul.Tensor(x, 2)\n"
                                     "        t: \"f32[5]\" = torch.ops.aten.mul.Tensor(i, 0.5)\n",
                                     "(r, s, t)"));
    QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
    QCOMPARE(typeOf(graph.value(), "r.other"), QStringLiteral("int64[]"));
    QCOMPARE(typeOf(graph.value(), "s.other"), QStringLiteral("float32[]"));
    QCOMPARE(qualifiedOp(graph.value().nodes.back()), std::string("aten::mul"));
}

void FxOperatorsTest::whatIsRepeatedTakesNoBytes()
{
    const auto graph =
        read(function("        e: \"f32[2, 3, 4][0, 0, 1]cpu\" = torch.ops.aten.expand.default(v, [2, 3, 4])\n"
                      "        r: \"f32[2, 3, 4]\" = torch.ops.aten.add.Tensor(c, e)\n"
                      "        s: \"f32[2, 3, 4]\" = torch.ops.aten.clone.default(e)\n",
                      "(r, s)"));
    QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
    QCOMPARE(drawn(graph.value()),
             QStringLiteral("Reshape v e.shape -> e view 0\nAdd c e -> r\nExpand e s.shape -> s"));
    QCOMPARE(typeOf(graph.value(), "e"), QStringLiteral("float32[1,1,4]"));
}

void FxOperatorsTest::readersOfWhatWasWrittenReadItsNewVersion_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("nodes");
    QTest::newRow("the tensor itself") << QByteArray(R"(
        a: "f32[2, 3]" = torch.ops.aten.add_.Tensor(x, y)
        r: "f32[2, 3]" = torch.ops.aten.exp.default(x)
)") << QStringLiteral("plimsoll::Add_ x y -> a writes 0\nExp a -> r");
    QTest::newRow("nobody names the result") << QByteArray(R"(
        x += y
        r: "f32[2, 3]" = torch.ops.aten.exp.default(x)
)") << QStringLiteral("plimsoll::Add_ x y -> line5.v1 writes 0\nExp line5.v1 -> r");
    QTest::newRow("a view of it")
        << QByteArray(R"(
        f: "f32[6]" = torch.ops.aten.view.default(x, [6])
        a: "f32[2, 3]" = torch.ops.aten.copy_.default(x, y)
        r: "f32[6]" = torch.ops.aten.exp.default(f)
)")
        << QStringLiteral(
               "Reshape x f.shape -> f view 0\nplimsoll::Copy_ x y -> a writes 0\naten::view a -> f.v1 view 0\n"
               "Exp f.v1 -> r");
    QTest::newRow("what it is a part of")
        << QByteArray(R"(
        s: "f32[3]" = torch.ops.aten.select.int(x, 0, 1)
        a: "f32[3]" = torch.ops.aten.zero_.default(s)
        r: "f32[2, 3]" = torch.ops.aten.exp.default(x)
)")
        << QStringLiteral(
               "Gather x s.index -> s view 0+12\nplimsoll::Zero_ s -> a writes 0\naten::written x a -> x.v1 writes 0\n"
               "Exp x.v1 -> r");
    QTest::newRow("a part after what it is a part of")
        << QByteArray(R"(
        s: "f32[3]" = torch.ops.aten.select.int(x, 0, 1)
        a: "f32[3]" = torch.ops.aten.zero_.default(s)
        q: "f32[2, 3]" = torch.ops.aten.exp.default(x)
        r: "f32[3]" = torch.ops.aten.exp.default(s)
)")
        << QStringLiteral(
               "Gather x s.index -> s view 0+12\nplimsoll::Zero_ s -> a writes 0\naten::written x a -> x.v1 writes 0\n"
               "Exp x.v1 -> q\naten::view x.v1 -> s.v1 view 0+12\nExp s.v1 -> r");
    QTest::newRow("all of a list")
        << QByteArray(R"(
        _foreach_mul_ = torch.ops.aten._foreach_mul_.Scalar([x, y], 0.9);  _foreach_mul_ = None
        r: "f32[2, 3]" = torch.ops.aten.exp.default(y)
)")
        << QStringLiteral("aten::_foreach_mul_ x y -> _foreach_mul_ _foreach_mul_.v1 writes 0 writes 1\n"
                          "Exp _foreach_mul_.v1 -> r");
    QTest::newRow("an operator that is not known") << QByteArray(R"(
        a: "f32[2, 3]" = torch.ops.aten.index_put_.default(x, [i], v)
        r: "f32[2, 3]" = torch.ops.aten.exp.default(x)
)") << QStringLiteral("aten::index_put_ x i v -> a writes 0\nExp a -> r");
}

void FxOperatorsTest::readersOfWhatWasWrittenReadItsNewVersion()
{
    QFETCH(QByteArray, body);
    QFETCH(QString, nodes);
    const auto graph = read(function(body, "(r,)"));
    QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
    QCOMPARE(drawn(graph.value()), nodes);
    for (const Node& node : graph.value().nodes)
        if (node.op == "written") QCOMPARE(node.declared->ignoredInputs, (std::vector<int> {0, 1}));
}

void FxOperatorsTest::whatIsDoneForItsEffectHasNoResult()
{
    const auto graph = read(function("        torch.ops.aten._assert_async.msg(b, 'no')\n", "x"));
    QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
    QCOMPARE(drawn(graph.value()), QStringLiteral("aten::_assert_async b -> -"));
    QCOMPARE(graph.value().nodes.front().name, std::string("line4"));
}

QTEST_APPLESS_MAIN(FxOperatorsTest)
#include "tst_fx_operators.moc"
