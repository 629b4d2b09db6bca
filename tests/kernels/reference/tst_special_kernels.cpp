#include "kernel_case.h"

#include <QTest>

#include <cmath>

using namespace plimsoll;
using namespace plimsoll::kernels;
using namespace plimsoll::kernels::test;

namespace {

using Ints = std::vector<std::int64_t>;
using Int = std::int64_t;
using Text = std::string;
using Texts = std::vector<std::string>;

/// Numbers of Python's cmath and math.
std::vector<Row> signalRows()
{
    const auto window = [](const char* op, double size) { return OpCase(op).input(ints({}, {size})); };
    const auto signal = floats({1, 6}, {1, 2, 3, 4, 5, 6});
    const auto mel = [](double bands, double length, double rate) {
        return OpCase("MelWeightMatrix")
            .input(ints({}, {bands}))
            .input(ints({}, {length}))
            .input(ints({}, {rate}))
            .input(floats({}, {0}))
            .input(floats({}, {4000}));
    };
    return {
        {"HannWindow", window("HannWindow", 4), "float32[4] 0 0.5 1 0.5"},
        {"HannWindow, symmetric", window("HannWindow", 4).set("periodic", Int {0}), "float32[4] 0 0.75 0.75 0"},
        {"HammingWindow in half precision", window("HammingWindow", 4).set("output_datatype", Int {10}),
         "float16[4] 0.0869751 0.543457 1 0.543457"},
        {"BlackmanWindow", window("BlackmanWindow", 4), "float32[4] -1.38778e-17 0.34 1 0.34"},
        {"a window of one", window("HannWindow", 1).set("periodic", Int {0}), "float32[1] 0"},
        {"STFT of half the spectrum",
         OpCase("STFT").input(signal).input(ints({}, {2})).input(floats({4}, {1, 0, 0, 0})),
         "float32[1,2,3,2] 1 0 1 0 1 0 3 0 3 0 3 0"},
        {"STFT through a window",
         OpCase("STFT").input(signal).input(ints({}, {4})).input(floats({2}, {1, 0})).set("onesided", Int {0}),
         "float32[1,2,2,2] 1 0 1 0 5 0 5 0"},
        {"MelWeightMatrix", mel(2, 16, 8000), "float32[9,2] 1 0 0.5 0.5 0 1 0 0.5 0 0 0 0 0 0 0 0 0 0"},
        {"mel bands of nothing", mel(0, 16, 8000),
         "error: node 'node': MelWeightMatrix: bands, length and rate must be positive."},
    };
}

/// The numbers for seed 1 are 0.566562, 0.745782, 0.971003, 0.444359, 0.444265, 0.762894, … (SplitMix64 in Python).
std::vector<Row> randomRows()
{
    const auto x = floats({2, 2}, {0, 1, 0.7, 0.5});
    return {
        {"RandomUniform", OpCase("RandomUniform").set("shape", Ints {4}).set("low", -1.0),
         "float32[4] 0.133123 0.491564 0.942006 -0.111282"},
        {"RandomUniformLike", OpCase("RandomUniformLike").input(ints({2}, {7, 8})).set("dtype", Int {11}),
         "float64[2] 0.566562 0.745782"},
        {"RandomUniformLike keeps the type", OpCase("RandomUniformLike").input(ints({2}, {7, 8})),
         "error: node 'node': RandomUniformLike: the reference kernel does not compute int64 tensors."},
        {"RandomNormal", OpCase("RandomNormal").set("shape", Ints {2}).set("mean", 1.0).set("scale", 2.0),
         "float32[2] 0.931465 -4.00013"},
        {"RandomNormalLike", OpCase("RandomNormalLike").input(numbers(DType::Float64, {1}, {0})),
         "float64[1] -0.0342673"},
        {"Bernoulli", OpCase("Bernoulli").input(x), "float32[2,2] 0 1 0 1"},
        {"Bernoulli of another type", OpCase("Bernoulli").input(x).set("dtype", Int {9}), "bool[2,2] 0 1 0 1"},
        {"Multinomial", OpCase("Multinomial").input(floats({2, 2}, {0, 0, std::log(3), 0})).set("sample_size", Int {3}),
         "int32[2,3] 1 1 1 0 0 1"},
        {"another seed, other numbers", OpCase("RandomUniform").set("shape", Ints {1}).seed(0), "float32[1] 0.883311"},
    };
}

/// The first three are ONNX's own examples.
std::vector<Row> textRows()
{
    const auto grams = [](Int shortest, Int skipped) {
        return OpCase("TfIdfVectorizer")
            .input(ints({12}, {1, 1, 3, 3, 3, 7, 8, 6, 7, 5, 6, 8}))
            .set("min_gram_length", shortest)
            .set("max_gram_length", Int {2})
            .set("max_skip_count", skipped)
            .set("mode", Text("TF"))
            .set("ngram_counts", Ints {0, 4})
            .set("ngram_indexes", Ints {0, 1, 2, 3, 4, 5, 6})
            .set("pool_int64s", Ints {2, 3, 5, 4, 5, 6, 7, 8, 6, 7});
    };
    const auto words = [](const char* mode) {
        return OpCase("TfIdfVectorizer")
            .input(texts({2, 2}, {"a", "b", "b", "b"}))
            .set("mode", Text(mode))
            .set("ngram_counts", Ints {0})
            .set("ngram_indexes", Ints {2, 0})
            .set("pool_strings", Texts {"a", "b"})
            .set("weights", std::vector<double> {0.5, 3});
    };
    return {
        {"pairs of numbers", grams(2, 0), "float32[7] 0 0 0 0 1 1 1"},
        {"pairs that skip", grams(2, 5), "float32[7] 0 0 0 0 1 3 1"},
        {"single numbers and pairs", grams(1, 5), "float32[7] 0 3 1 0 1 3 1"},
        {"counts of words in rows", words("TF"), "float32[2,3] 1 0 1 2 0 0"},
        {"weights of words", words("IDF"), "float32[2,3] 3 0 0.5 3 0 0"},
        {"weighted counts", words("TFIDF"), "float32[2,3] 3 0 0.5 6 0 0"},
        {"a pool that does not fit", words("TF").set("ngram_counts", Ints {0, 1, 4}),
         "error: node 'node': TfIdfVectorizer: ngram_counts do not fit the pool."},
        {"columns that do not fit", words("TF").set("ngram_indexes", Ints {1}),
         "error: node 'node': TfIdfVectorizer: ngram_indexes or weights do not fit the pool."},
    };
}

/// Two steps of a state of one number; expected ones are of the operators' formulas in Python.
std::vector<Row> recurrentRows()
{
    const auto cell = [](const char* op, const std::vector<double>& w, const std::vector<double>& r) {
        const auto gates = static_cast<Int>(w.size());
        return OpCase(op)
            .input(floats({2, 1, 1}, {1, 2}))
            .input(floats({1, gates, 1}, w))
            .input(floats({1, gates, 1}, r));
    };
    const auto gru = cell("GRU", {0.5, 0.25, 1}, {0.1, 0.2, 0.3});
    const auto lstm = cell("LSTM", {0.5, 0.25, -0.5, 1}, {0.1, 0.2, 0.3, 0.4});
    return {
        {"GRU", gru, "float32[2,1,1,1] 0.287533 0.46664"},
        {"GRU that resets behind the product",
         OpCase(gru).input(floats({1, 6}, {0, 0, 0, 0.05, 0.1, 0.15})).set("linear_before_reset", Int {1}),
         "float32[2,1,1,1] 0.291281 0.464356"},
        {"GRU of short items", OpCase(gru).absent().input(numbers(DType::Int32, {1}, {1})),
         "float32[2,1,1,1] 0.287533 0"},
        {"LSTM", lstm, "float32[2,1,1,1] 0.248187 0.437738"},
        {"LSTM with peepholes", OpCase(lstm).absent().absent().absent().absent().input(floats({1, 3}, {0.1, 0.2, 0.3})),
         "float32[2,1,1,1] 0.258421 0.473491"},
        {"LSTM with coupled gates", OpCase(lstm).set("input_forget", Int {1}), "float32[2,1,1,1] 0.248187 0.434613"},
        {"a bias that does not fit", OpCase(gru).input(floats({1}, {0})),
         "error: node 'node': GRU: input 3 is float32[1]; 6 numbers are needed."},
    };
}

/// Formulas of the operators, in Python.
std::vector<Row> trainingRows()
{
    const auto optimizer = [](const char* op, double updates, double memory) {
        return OpCase(op, 1, "ai.onnx.preview.training")
            .input(floats({}, {0.1}))
            .input(ints({}, {updates}))
            .input(floats({2}, {1, 2}))
            .input(floats({2}, {0.5, -1}))
            .input(floats({2}, {memory, memory}));
    };
    const auto momentum = optimizer("Momentum", 1, 1).set("alpha", 0.9).set("beta", 0.1).set("norm_coefficient", 0.001);
    return {
        {"Momentum", momentum, "float32[2] 0.90499 1.91998"},
        {"Momentum by Nesterov", OpCase(momentum).set("mode", Text("nesterov")), "float32[2] 0.864391 2.02778"},
        {"Adagrad", optimizer("Adagrad", 2, 1).set("decay_factor", 0.5), "float32[2] 0.977639 2.03536"},
        {"Adam", optimizer("Adam", 1, 0).input(floats({2}, {0, 0})), "float32[2] 0.900006 2.1"},
        {"Adam with decay",
         optimizer("Adam", 0, 0)
             .input(floats({2}, {0, 0}))
             .set("norm_coefficient", 0.1)
             .set("norm_coefficient_post", 0.01),
         "float32[2] 0.676951 2.29305"},
        {"inputs that do not divide", optimizer("Adam", 1, 0),
         "error: node 'node': ai.onnx.preview.training::Adam: the number of inputs is wrong."},
    };
}

std::vector<Row> vendorRows()
{
    const auto vendor = [](const char* op) { return OpCase(op, 1, "com.microsoft"); };
    const auto x = floats({2}, {-1, 2});
    const auto bias = floats({2}, {0.5, -1});
    const auto row = floats({1, 3}, {1, 2, -1});
    const auto skip = floats({1, 3}, {1, -1, 2});
    const auto gamma = floats({3}, {1, 2, 3});
    const auto embed = vendor("EmbedLayerNormalization")
                           .input(numbers(DType::Int32, {1, 2}, {2, 1}))
                           .input(numbers(DType::Int32, {1, 2}, {0, 1}))
                           .input(floats({3, 2}, {1, 2, 3, 5, 4, -1}))
                           .input(floats({2, 2}, {0.5, 0, 0, 0.25}))
                           .input(floats({2, 2}, {0, 1, 1, 0}))
                           .input(floats({2}, {2, 1}))
                           .input(floats({2}, {0, 2}));
    return {
        {"BiasGelu", vendor("BiasGelu").input(x).input(bias), "float32[2] -0.154269 0.841345"},
        {"FastGelu", vendor("FastGelu").input(x).input(bias), "float32[2] -0.154286 0.841192"},
        {"FastGelu without a bias", vendor("FastGelu").input(floats({1}, {1})), "float32[1] 0.841192"},
        {"SkipLayerNormalization",
         vendor("SkipLayerNormalization").input(row).input(skip).input(gamma).input(floats({3}, {0.5, 0, 1})),
         "float32[1,3] 1.91421 -1.41421 -1.12132"},
        {"SkipSimplifiedLayerNormalization",
         vendor("SkipSimplifiedLayerNormalization").input(row).input(skip).input(gamma),
         "float32[1,3] 1.41421 1.41421 2.12132"},
        {"EmbedLayerNormalization", embed, "float32[1,2,2] 2 1 -2 3"},
        {"a row that no table has", OpCase(embed).absent().input(numbers(DType::Int32, {2}, {0, 2})),
         "error: node 'node': com.microsoft::EmbedLayerNormalization: row 2 is outside float32[2,2]."},
        {"gamma of another width", vendor("SkipLayerNormalization").input(row).input(skip).input(x),
         "error: node 'node': com.microsoft::SkipLayerNormalization: gamma or beta has not 3 numbers."},
    };
}

std::vector<Row> atenRows()
{
    const auto aten = [](const char* op) { return OpCase(op, 1, "aten"); };
    const auto a = floats({2}, {1, 2});
    const auto b = floats({2}, {3, 4});
    const auto matrix = floats({2, 2}, {2, 4, 6, 8});
    const auto batch = [](double first, double second) { return floats({2, 1, 1}, {first, second}); };
    return {
        {"addcmul", aten("addcmul").input(a).input(b).input(floats({2}, {5, 6})).set("value", 2.0), "float32[2] 31 50"},
        {"addcdiv", aten("addcdiv").input(a).input(b).input(floats({2}, {2, 8})).set("value", 2.0), "float32[2] 4 3"},
        {"lerp", aten("lerp").input(a).input(b).input(floats({2}, {0.5, 0.25})), "float32[2] 2 2.5"},
        {"ger", aten("ger").input(a).input(b), "float32[2,2] 3 4 6 8"},
        {"addr", aten("addr").input(matrix).input(a).input(b).set("beta", 0.5).set("alpha", 2.0),
         "float32[2,2] 7 10 15 20"},
        {"addmv", aten("addmv").input(a).input(matrix).input(b), "float32[2] 23 52"},
        {"baddbmm", aten("baddbmm").input(batch(1, 2)).input(batch(3, 4)).input(batch(5, 6)), "float32[2,1,1] 16 26"},
        {"addbmm", aten("addbmm").input(floats({1, 1}, {1})).input(batch(2, 3)).input(batch(4, 5)), "float32[1,1] 24"},
        {"linalg_cross", aten("linalg_cross").input(floats({3}, {1, 2, 3})).input(floats({3}, {4, 5, 6})),
         "float32[3] -3 6 -3"},
        {"matmul", aten("matmul").input(matrix).input(a), "float32[2] 10 22"},
        {"sigmoid_backward", aten("sigmoid_backward").input(a).input(floats({2}, {0.5, 0.25})),
         "float32[2] 0.25 0.375"},
        {"index_add", aten("index_add").input(floats({3}, {1, 2, 3})).input(ints({2}, {0, -1})).input(b),
         "float32[3] 4 2 7"},
        {"index_add of integers wraps",
         aten("index_add")
             .input(numbers(DType::Int8, {1}, {127}))
             .input(ints({2}, {0, 0}))
             .input(numbers(DType::Int8, {2}, {1, 1})),
         "int8[1] -127"},
        {"index_add outside", aten("index_add").input(a).input(ints({1}, {2})).input(floats({1}, {1})),
         "error: node 'node': aten::index_add: index 2 is outside float32[2]."},
        {"too few inputs", aten("addcmul").input(a).input(b), "error: node 'node': aten::addcmul: it takes 3 inputs."},
    };
}

/// Operators of our own that write their first input.
std::vector<Row> ownRows()
{
    const auto own = [](const char* op) { return OpCase(op, 1, "plimsoll").input(floats({2, 1}, {-3, 3})); };
    return {
        {"Fill_ by an attribute", own("Fill_").set("value", 7.0).inPlace(0), "float32[2,1] 7 7"},
        {"Fill_ by an input", own("Fill_").input(ints({}, {5})), "float32[2,1] 5 5"},
        {"Fill_ of large integers",
         OpCase("Fill_", 1, "plimsoll").input(ints({1}, {0})).input(ints({}, {4611686018427387904.0})),
         "int64[1] 4.61169e+18"},
        {"Zero_", own("Zero_").inPlace(0), "float32[2,1] 0 0"},
        {"Clamp_", own("Clamp_").input(floats({}, {-1})).input(floats({}, {2})).inPlace(0), "float32[2,1] -1 2"},
        {"Relu_", own("Relu_").inPlace(0), "float32[2,1] 0 3"},
        {"LeakyRelu_", own("LeakyRelu_").set("alpha", 0.5).inPlace(0), "float32[2,1] -1.5 3"},
        {"Copy_ of a column that repeats", own("Copy_").input(floats({1}, {4})).inPlace(0), "float32[2,1] 4 4"},
        {"Copy_ of what is larger", own("Copy_").input(floats({2}, {1, 2})),
         "error: node 'node': plimsoll::Copy_: float32[2] cannot be copied into float32[2,1]."},
        {"FillRows", own("FillRows").set("rows", Int {3}), "float32[3,1] -3 3 0"},
        {"FillRows of fewer", own("FillRows").set("rows", Int {1}),
         "error: node 'node': plimsoll::FillRows: float32[2,1] has no place in 1 rows."},
        {"Retain", own("Retain").input(ints({2}, {1, 1})), "float32[2,1] 0 3"},
        {"Retain of a row that is not there", own("Retain").input(ints({2}, {-1, 1})),
         "error: node 'node': plimsoll::Retain: there is no row -1 to retain among 2."},
        {"CastStorage of what stays dense", own("CastStorage"), "float32[2,1] -3 3"},
    };
}

} // namespace

/// Kernels of special operators: signals, random numbers, words, cells with a state, optimizers, other dialects.
class SpecialKernels : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void kernels_data()
    {
        addRows({signalRows(), randomRows(), textRows(), recurrentRows(), trainingRows(), vendorRows(), atenRows(),
                 ownRows()});
    }
    void kernels() { compareRow(); }
    void furtherOutputs_data();
    void furtherOutputs();
};

void SpecialKernels::furtherOutputs_data()
{
    QTest::addColumn<QString>("got");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, OpCase op, std::size_t output, const char* expected) {
        QTest::newRow(name) << QString::fromStdString(op.outputs(output + 1).run().text(output))
                            << QString::fromLatin1(expected);
    };
    const auto lstm = OpCase("LSTM")
                          .input(floats({2, 1, 1}, {1, 2}))
                          .input(floats({1, 4, 1}, {0, 0, 0, 1}))
                          .input(floats({1, 4, 1}, {0, 0, 0, 0}));
    row("the last state", lstm, 1, "float32[1,1,1] 0.293282"); // 0.5 tanh(0.672412)
    row("the last cell", lstm, 2, "float32[1,1,1] 0.672412");
    const auto x = floats({4}, {2, 1, 2, 1});
    row("what is there once", OpCase("Unique").input(x), 0, "float32[2] 1 2");
    row("where it is first", OpCase("Unique").input(x), 1, "int64[2] 1 0");
    row("which kind each is", OpCase("Unique").input(x), 2, "int64[4] 1 0 1 0");
    row("how often", OpCase("Unique").input(x).set("sorted", Int {0}), 3, "int64[2] 2 2");
    row("where it is first, as they come", OpCase("Unique").input(x).set("sorted", Int {0}), 1, "int64[2] 0 1");
    row("which kind each is, as they come", OpCase("Unique").input(x).set("sorted", Int {0}), 2, "int64[4] 0 1 0 1");
    row("where the best are", OpCase("TopK").input(x).input(ints({1}, {2})), 1, "int64[2] 0 2");
    const auto momentum = OpCase("Momentum", 1, "ai.onnx.preview.training")
                              .input(floats({}, {0.1}))
                              .input(ints({}, {0}))
                              .input(floats({1}, {1}))
                              .input(floats({1}, {2}))
                              .input(floats({1}, {3}))
                              .set("alpha", 0.5);
    row("what an optimizer remembers", momentum, 1, "float32[1] 3.5"); // 0.5 · 3 + 2
    const auto split = OpCase("StringSplit").input(texts({2}, {"a b", ""}));
    row("how many parts", split, 1, "int64[2] 2 0");
    const auto norm = OpCase("LayerNormalization").input(floats({1, 2}, {1, 3})).input(floats({2}, {1, 1}));
    row("means", norm, 1, "float32[1,1] 2");
    row("inverses", OpCase(norm).set("epsilon", 0.0), 2, "float32[1,1] 1");
    const auto parted = [](const char* op) {
        return OpCase(op, 21)
            .input(floats({1, 4, 1}, {1, 3, 5, 9}))
            .input(floats({4}, {1, 1, 1, 1}))
            .input(floats({4}, {0, 0, 0, 0}))
            .set("epsilon", 0.0);
    };
    row("means of groups", parted("GroupNormalization").set("num_groups", Int {2}), 1, "float32[1,2] 2 7");
    row("inverses of groups", parted("GroupNormalization").set("num_groups", Int {2}), 2, "float32[1,2] 1 0.5");
    row("means of instances", parted("InstanceNormalization"), 1, "float32[1,4] 1 3 5 9");
    const auto batch = OpCase("BatchNormalization", 15)
                           .input(floats({2, 1}, {1, 5}))
                           .input(floats({1}, {1}))
                           .input(floats({1}, {0}))
                           .input(floats({1}, {9}))
                           .input(floats({1}, {9}))
                           .set("epsilon", 0.0)
                           .set("training_mode", Int {1});
    row("the mean of the batch", batch, 3, "float32[1] 3");
    row("its inverse deviation", batch, 4, "float32[1] 0.5");
    const auto dynamic = OpCase("DynamicQuantizeLinear").input(floats({2}, {-1, 1.55}));
    row("a scale", dynamic, 1, "float32[] 0.01");
    row("a zero point", dynamic, 2, "uint8[] 100");
}

void SpecialKernels::furtherOutputs()
{
    QFETCH(const QString, got);
    QFETCH(const QString, expected);
    QCOMPARE(got, expected);
}

QTEST_APPLESS_MAIN(SpecialKernels)
#include "tst_special_kernels.moc"
