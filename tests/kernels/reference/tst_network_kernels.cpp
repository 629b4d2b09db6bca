#include "kernel_case.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace plimsoll;
using namespace plimsoll::kernels;
using namespace plimsoll::kernels::test;

namespace {

using Ints = std::vector<std::int64_t>;

RuntimeValue pairOfTensors()
{
    RuntimeValue pair;
    pair.kind = RuntimeValue::Kind::Sequence;
    pair.sequenceDtype = DType::Float32;
    for (const float number : {1.0F, 2.0F}) {
        const HostTensor tensor(DType::Float32, {1});
        tensor.view().as<float>()[0] = number;
        pair.sequence.push_back(tensor);
    }
    return pair;
}

std::vector<Row> networkRows1()
{
    const auto picture = floats({1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
    const auto ones = floats({1, 1, 2, 2}, {1, 1, 1, 1});
    return {
        {"MatMul", OpCase("MatMul").input(floats({2, 2}, {1, 2, 3, 4})).input(floats({2}, {1, 10})),
         "float32[2] 21 43"},
        {"MatMul in batches", OpCase("MatMul").input(floats({2, 1, 2}, {1, 2, 3, 4})).input(floats({2, 1}, {1, 1})),
         "float32[2,1,1] 3 7"},
        {"MatMul that does not fit", OpCase("MatMul").input(floats({1, 2}, {1, 2})).input(floats({3, 1}, {1, 2, 3})),
         "error: node 'node': MatMul: [1,2] and [3,1] do not multiply."},
        {"Gemm",
         OpCase("Gemm")
             .input(floats({2, 1}, {1, 2}))
             .input(floats({1, 2}, {3, 4}))
             .input(floats({1}, {10}))
             .set("transA", std::int64_t {1})
             .set("transB", std::int64_t {1})
             .set("alpha", 2.0)
             .set("beta", 0.5),
         "float32[1,1] 27"},
        {"Conv", OpCase("Conv").input(picture).input(ones).input(floats({1}, {100})),
         "float32[1,1,2,2] 112 116 124 128"},
        {"Conv with pads and strides",
         OpCase("Conv").input(picture).input(ones).set("pads", Ints {1, 1, 0, 0}).set("strides", Ints {2, 2}),
         "float32[1,1,2,2] 1 5 11 28"},
        {"Conv in groups",
         OpCase("Conv")
             .input(floats({1, 2, 1}, {3, 4}))
             .input(floats({2, 1, 1}, {10, 100}))
             .set("group", std::int64_t {2}),
         "float32[1,2,1] 30 400"},
        {"ConvTranspose",
         OpCase("ConvTranspose")
             .input(floats({1, 1, 2}, {1, 2}))
             .input(floats({1, 1, 2}, {1, 10}))
             .set("strides", Ints {1}),
         "float32[1,1,3] 1 12 20"},
        {"MaxPool", OpCase("MaxPool").input(picture).set("kernel_shape", Ints {2, 2}), "float32[1,1,2,2] 5 6 8 9"},
        {"MaxPool with ceil_mode",
         OpCase("MaxPool")
             .input(picture)
             .set("kernel_shape", Ints {2, 2})
             .set("strides", Ints {2, 2})
             .set("ceil_mode", std::int64_t {1}),
         "float32[1,1,2,2] 5 6 8 9"},
        {"AveragePool without the pads",
         OpCase("AveragePool")
             .input(picture)
             .set("kernel_shape", Ints {2, 2})
             .set("pads", Ints {1, 1, 0, 0})
             .set("strides", Ints {2, 2}),
         "float32[1,1,2,2] 1 2.5 5.5 7"},
        {"AveragePool with them",
         OpCase("AveragePool")
             .input(picture)
             .set("kernel_shape", Ints {2, 2})
             .set("pads", Ints {1, 1, 0, 0})
             .set("strides", Ints {2, 2})
             .set("count_include_pad", std::int64_t {1}),
         "float32[1,1,2,2] 0.25 1.25 2.75 7"},
    };
}

std::vector<Row> networkRows2()
{
    const auto picture = floats({1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
    return {
        {"a window of length 0", OpCase("MaxPool").input(picture).set("kernel_shape", Ints {0, 2}),
         "error: node 'node': MaxPool: kernel_shape [0,2], strides, dilations or pads do not fit the sizes [3,3]."},
        {"GlobalAveragePool", OpCase("GlobalAveragePool").input(picture), "float32[1,1,1,1] 5"},
        {"BatchNormalization in place",
         OpCase("BatchNormalization")
             .input(floats({1, 2, 1}, {3, 4}))
             .input(floats({2}, {1, 2}))
             .input(floats({2}, {0, 1}))
             .input(floats({2}, {1, 2}))
             .input(floats({2}, {4, 1}))
             .set("epsilon", 0.0)
             .inPlace(0),
         "float32[1,2,1] 1 5"},
        {"LayerNormalization",
         OpCase("LayerNormalization").input(floats({1, 2}, {1, 3})).input(floats({2}, {1, 10})).set("epsilon", 0.0),
         "float32[1,2] -1 10"},
        {"RMSNormalization",
         OpCase("RMSNormalization", 23).input(floats({1, 2}, {6, 8})).input(floats({2}, {5, 10})).set("epsilon", 0.0),
         "float32[1,2] 4.24264 11.3137"},
        {"GroupNormalization",
         OpCase("GroupNormalization", 21)
             .input(floats({1, 2, 1}, {1, 3}))
             .input(floats({2}, {1, 2}))
             .input(floats({2}, {0, 1}))
             .set("num_groups", std::int64_t {1})
             .set("epsilon", 0.0),
         "float32[1,2,1] -1 3"},
        {"Resize nearest",
         OpCase("Resize").input(floats({1, 1, 1, 2}, {1, 2})).absent().input(floats({4}, {1, 1, 1, 2})),
         "float32[1,1,1,4] 1 1 2 2"},
        {"Resize linear with aligned corners",
         OpCase("Resize")
             .input(floats({2}, {0, 3}))
             .absent()
             .absent()
             .input(ints({1}, {4}))
             .set("mode", std::string("linear"))
             .set("coordinate_transformation_mode", std::string("align_corners")),
         "float32[4] 0 1 2 3"},
        {"Einsum",
         OpCase("Einsum")
             .input(floats({2, 2}, {1, 2, 3, 4}))
             .input(floats({2, 2}, {1, 0, 0, 2}))
             .set("equation", std::string("ij,jk->ki")),
         "float32[2,2] 1 3 4 8"},
        {"Einsum of a diagonal",
         OpCase("Einsum").input(floats({2, 2}, {1, 2, 3, 4})).set("equation", std::string("ii")), "float32[] 5"},
        {"Det", OpCase("Det").input(floats({2, 2}, {1, 2, 3, 4})), "float32[] -2"},
        {"Col2Im adds up",
         OpCase("Col2Im").input(floats({1, 2, 2}, {1, 2, 3, 4})).input(ints({2}, {1, 3})).input(ints({2}, {1, 2})),
         "float32[1,1,1,3] 1 5 4"},
    };
}

std::vector<Row> networkRows3()
{
    const auto picture = floats({1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
    const auto ones = floats({1, 1, 2, 2}, {1, 1, 1, 1});
    return {
        {"DeformConv without offsets is Conv",
         OpCase("DeformConv").input(picture).input(ones).input(floats({1, 8, 2, 2}, std::vector<double>(32, 0))),
         "float32[1,1,2,2] 12 16 24 28"},
        {"Attention to equal keys",
         OpCase("Attention", 23)
             .input(floats({1, 1, 1, 1}, {1}))
             .input(floats({1, 1, 2, 1}, {1, 1}))
             .input(floats({1, 1, 2, 1}, {2, 6})),
         "float32[1,1,1,1] 4"},
        {"Attention that sees the past only",
         OpCase("Attention", 23)
             .input(floats({1, 1, 2, 1}, {1, 1}))
             .input(floats({1, 1, 2, 1}, {1, 1}))
             .input(floats({1, 1, 2, 1}, {2, 6}))
             .set("is_causal", std::int64_t {1}),
         "float32[1,1,2,1] 2 4"},
        {"RotaryEmbedding by a right angle",
         OpCase("RotaryEmbedding", 23)
             .input(floats({1, 1, 1, 2}, {3, 4}))
             .input(floats({1, 1, 1}, {0}))
             .input(floats({1, 1, 1}, {1})),
         "float32[1,1,1,2] -4 3"},
        {"LinearAttention sums up",
         OpCase("LinearAttention", 27)
             .input(floats({1, 2, 1}, {1, 1}))
             .input(floats({1, 2, 1}, {1, 2}))
             .input(floats({1, 2, 1}, {3, 4}))
             .set("q_num_heads", std::int64_t {1})
             .set("kv_num_heads", std::int64_t {1})
             .set("update_rule", std::string("linear")),
         "float32[1,2,1] 3 11"},
        {"CausalConvWithState",
         OpCase("CausalConvWithState", 27)
             .input(floats({1, 1, 2}, {3, 4}))
             .input(floats({1, 1, 2}, {10, 1}))
             .absent()
             .input(floats({1, 1, 1}, {2})),
         "float32[1,1,2] 23 34"},
        {"FusedMatMul",
         OpCase("FusedMatMul", 1, "com.microsoft")
             .input(floats({1, 2}, {1, 2}))
             .input(floats({1, 2}, {3, 4}))
             .set("transB", std::int64_t {1})
             .set("alpha", 2.0),
         "float32[1,1] 22"},
        {"SkipLayerNormalization",
         OpCase("SkipLayerNormalization", 1, "com.microsoft")
             .input(floats({1, 2}, {1, 1}))
             .input(floats({1, 2}, {0, 2}))
             .input(floats({2}, {1, 1}))
             .input(floats({2}, {0, 5})),
         "float32[1,2] -1 6"},
        {"Add_", OpCase("Add_", 1, "plimsoll").input(floats({2}, {1, 2})).input(floats({1}, {5})).inPlace(0),
         "float32[2] 6 7"},
        {"Copy_", OpCase("Copy_", 1, "plimsoll").input(floats({2}, {1, 2})).input(floats({1}, {5})).inPlace(0),
         "float32[2] 5 5"},
    };
}

std::vector<Row> otherRows1()
{
    const RuntimeValue pair = pairOfTensors();
    return {
        {"SequenceAt from behind", OpCase("SequenceAt").input(pair).input(ints({}, {-1})), "float32[1] 2"},
        {"SequenceAt outside", OpCase("SequenceAt").input(pair).input(ints({}, {2})),
         "error: node 'node': SequenceAt: position 2 is outside a sequence of 2."},
        {"SequenceInsert", OpCase("SequenceInsert").input(pair).input(floats({2}, {8, 9})).input(ints({}, {0})),
         "sequence(float32[2] 8 9; float32[1] 1; float32[1] 2)"},
        {"SequenceErase", OpCase("SequenceErase").input(pair), "sequence(float32[1] 1)"},
        {"SequenceLength", OpCase("SequenceLength").input(pair), "int64[] 2"},
        {"ConcatFromSequence",
         OpCase("ConcatFromSequence").input(pair).set("axis", std::int64_t {0}).set("new_axis", std::int64_t {1}),
         "float32[2,1] 1 2"},
        {"SplitToSequence", OpCase("SplitToSequence").input(floats({3}, {1, 2, 3})).input(ints({}, {2})),
         "sequence(float32[2] 1 2; float32[1] 3)"},
        {"an empty optional", OpCase("OptionalHasElement").absent(), "bool[] 0"},
        {"Optional", OpCase("Optional").input(floats({1}, {7})), "float32[1] 7"},
        {"StringConcat", OpCase("StringConcat").input(texts({2}, {"a", "b"})).input(texts({1}, {"!"})),
         "string[2] 'a!' 'b!'"},
        {"StringSplit at blanks",
         OpCase("StringSplit").input(texts({1}, {" a  b c "})).set("maxsplit", std::int64_t {1}),
         "string[1,2] 'a' 'b c'"},
    };
}

std::vector<Row> otherRows2()
{
    return {
        {"StringSplit at a delimiter",
         OpCase("StringSplit").input(texts({2}, {"a,,b", ""})).set("delimiter", std::string(",")),
         "string[2,3] 'a' '' 'b' '' '' ''"},
        {"StringNormalizer",
         OpCase("StringNormalizer")
             .input(texts({3}, {"the", "Cat", "THE"}))
             .set("stopwords", std::vector<std::string> {"The"})
             .set("case_change_action", std::string("UPPER")),
         "string[1] 'CAT'"},
        {"RegexFullMatch",
         OpCase("RegexFullMatch").input(texts({2}, {"ab1", "ab"})).set("pattern", std::string("[a-z]+\\d")),
         "bool[2] 1 0"},
        {"RegexFullMatch of a long text",
         OpCase("RegexFullMatch")
             .input(texts({2}, {std::string(100'000, 'a'), std::string(100'000, 'a') + 'b'}))
             .set("pattern", std::string("(a+)+b")),
         "bool[2] 0 1"},
        {"RegexFullMatch of nonsense",
         OpCase("RegexFullMatch").input(texts({1}, {"a"})).set("pattern", std::string("(")), "error"},
        {"NonMaxSuppression",
         OpCase("NonMaxSuppression")
             .input(floats({1, 3, 4}, {0, 0, 1, 1, 0, 0, 1, 0.9, 5, 5, 6, 6}))
             .input(floats({1, 1, 3}, {0.9, 0.8, 0.7}))
             .input(ints({}, {3}))
             .input(floats({}, {0.5})),
         "int64[2,3] 0 0 0 0 0 2"},
        {"DFT of an impulse",
         OpCase("DFT", 17).input(floats({1, 4, 1}, {1, 0, 0, 0})).set("onesided", std::int64_t {1}),
         "float32[1,3,2] 1 0 1 0 1 0"},
        {"NegativeLogLikelihoodLoss",
         OpCase("NegativeLogLikelihoodLoss")
             .input(floats({2, 2}, {-1, -2, -3, -5}))
             .input(ints({2}, {0, 1}))
             .input(floats({2}, {1, 3})),
         "float32[] 4"},
        {"RNN",
         OpCase("RNN")
             .input(floats({2, 1, 1}, {1, 2}))
             .input(floats({1, 1, 1}, {1}))
             .input(floats({1, 1, 1}, {10}))
             .set("activations", std::vector<std::string> {"Relu"}),
         "float32[2,1,1,1] 1 12"},
        {"GridSample",
         OpCase("GridSample")
             .input(floats({1, 1, 1, 2}, {2, 4}))
             .input(floats({1, 1, 1, 2}, {0, 0}))
             .set("align_corners", std::int64_t {1}),
         "float32[1,1,1,1] 3"},
        {"Momentum",
         OpCase("Momentum", 1, "ai.onnx.preview.training")
             .input(floats({}, {0.5}))
             .input(ints({}, {1}))
             .input(floats({1}, {1}))
             .input(floats({1}, {2}))
             .input(floats({1}, {4}))
             .set("alpha", 0.5)
             .set("beta", 1.0)
             .set("norm_coefficient", 0.0)
             .set("mode", std::string("standard")),
         "float32[1] -1"},
    };
}

} // namespace

class TestNetworkKernels : public QObject
{
    Q_OBJECT

private slots:
    void networksCompute_data() { addRows({networkRows1(), networkRows2(), networkRows3()}); }
    void networksCompute() { compareRow(); }
    void everythingElseComputes_data() { addRows({otherRows1(), otherRows2()}); }
    void everythingElseComputes() { compareRow(); }

    void randomNumbersDependOnTheSeedAlone()
    {
        OpCase random("RandomUniform");
        random.set("shape", Ints {64});
        const std::string first = random.seed(7).run().text();

        QCOMPARE(random.seed(7).run().text(), first);
        QVERIFY(random.seed(8).run().text() != first);
    }

    void dropoutScalesWhatItKeeps()
    {
        const Outcome outcome = OpCase("Dropout")
                                    .input(floats({64}, std::vector<double>(64, 1)))
                                    .input(floats({}, {0.5}))
                                    .input(numbers(DType::Bool, {}, {1}))
                                    .outputs(2)
                                    .run();

        QVERIFY(outcome.status.ok());
        int kept = 0;
        for (std::int64_t i = 0; i < 64; ++i) {
            const bool stays = outcome.outputs[1].tensor.as<std::uint8_t>()[i] != 0;
            kept += stays ? 1 : 0;
            QCOMPARE(outcome.outputs[0].tensor.as<float>()[i], stays ? 2.0F : 0.0F);
        }
        QVERIFY(kept > 16 && kept < 48);
    }

    void splitLeavesTheRestToTheLastPart()
    {
        const Outcome outcome =
            OpCase("Split").input(floats({5}, {1, 2, 3, 4, 5})).set("num_outputs", std::int64_t {2}).outputs(2).run();

        QCOMPARE(outcome.text(0), std::string("float32[3] 1 2 3"));
        QCOMPARE(outcome.text(1), std::string("float32[2] 4 5"));
    }

    void operatorsWithoutAKernelAreNotFound()
    {
        QVERIFY(findReferenceKernel("", "Conv") != nullptr);
        QVERIFY(findReferenceKernel("ai.onnx", "Conv") != nullptr);
        QVERIFY(findReferenceKernel("", "If") == nullptr);
        QVERIFY(findReferenceKernel("com.example", "Conv") == nullptr);
    }
};

QTEST_APPLESS_MAIN(TestNetworkKernels)
#include "tst_network_kernels.moc"
