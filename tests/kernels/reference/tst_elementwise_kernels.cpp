#include "kernel_case.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace plimsoll;
using namespace plimsoll::kernels;
using namespace plimsoll::kernels::test;

namespace {

using Ints = std::vector<std::int64_t>;
constexpr double Inf = std::numeric_limits<double>::infinity();

std::vector<Row> elementwiseRows1()
{
    const auto x = floats({3}, {-1, 0, 2});
    return {
        {"Relu", OpCase("Relu").input(x), "float32[3] 0 0 2"},
        {"Relu in place", OpCase("Relu").input(x).inPlace(0), "float32[3] 0 0 2"},
        {"LeakyRelu", OpCase("LeakyRelu").input(x).set("alpha", 0.5), "float32[3] -0.5 0 2"},
        {"HardSigmoid", OpCase("HardSigmoid").input(x), "float32[3] 0.3 0.5 0.9"},
        {"Round half even", OpCase("Round").input(floats({4}, {0.5, 1.5, -2.5, 2.4})), "float32[4] 0 2 -2 2"},
        {"Sign of integers", OpCase("Sign").input(ints({3}, {-5, 0, 9})), "int64[3] -1 0 1"},
        {"IsInf of one sign",
         OpCase("IsInf").input(floats({3}, {Inf, -Inf, 1})).set("detect_negative", std::int64_t {0}), "bool[3] 1 0 0"},
        {"Abs of the least integer", OpCase("Abs").input(numbers(DType::Int8, {1}, {-128})), "int8[1] -128"},
        {"Add broadcasts", OpCase("Add").input(floats({2, 1}, {1, 2})).input(floats({3}, {10, 20, 30})),
         "float32[2,3] 11 21 31 12 22 32"},
        {"Add over its second operand", OpCase("Add").input(floats({1}, {1})).input(floats({3}, {1, 2, 3})).inPlace(1),
         "float32[3] 2 3 4"},
        {"Add with an axis before opset 7",
         OpCase("Add", 6)
             .input(floats({2, 2}, {0, 0, 0, 0}))
             .input(floats({2}, {1, 2}))
             .set("broadcast", std::int64_t {1})
             .set("axis", std::int64_t {0}),
         "float32[2,2] 1 1 2 2"},
    };
}

std::vector<Row> elementwiseRows2()
{
    const auto x = floats({3}, {-1, 0, 2});
    return {
        {"Add of nothing", OpCase("Add").input(floats({0, 2}, {})).input(floats({1}, {1})), "float32[0,2]"},
        {"Add wraps", OpCase("Add").input(numbers(DType::UInt8, {1}, {250})).input(numbers(DType::UInt8, {1}, {10})),
         "uint8[1] 4"},
        {"Add in half precision rounds once",
         OpCase("Add").input(numbers(DType::Float16, {1}, {2048})).input(numbers(DType::Float16, {1}, {1})),
         "float16[1] 2048"},
        {"Div of integers cuts", OpCase("Div").input(ints({3}, {7, -7, 5})).input(ints({3}, {2, 2, 0})),
         "int64[3] 3 -3 0"},
        {"Mod has the divisor's sign", OpCase("Mod").input(ints({3}, {-4, 7, 5})).input(ints({3}, {3, -3, 8})),
         "int64[3] 2 -2 5"},
        {"Mod with fmod has the dividend's",
         OpCase("Mod").input(floats({2}, {-4.5, 7})).input(floats({2}, {3, -3})).set("fmod", std::int64_t {1}),
         "float32[2] -1.5 1"},
        {"Pow of mixed types", OpCase("Pow").input(ints({3}, {2, 3, -2})).input(floats({3}, {3, 2, 2})),
         "int64[3] 8 9 4"},
        {"SwiGLU", OpCase("SwiGLU").input(floats({2}, {0, 1})).input(floats({2}, {5, 2})).set("alpha", 1e9),
         "float32[2] 0 2"},
        {"SwiGLU over its second operand",
         OpCase("SwiGLU").input(floats({2}, {0, 64})).input(floats({2}, {5, 2})).inPlace(1), "float32[2] 0 128"},
        {"SwiGLU stretches nothing", OpCase("SwiGLU").input(floats({2}, {0, 1})).input(floats({1}, {5})),
         "error: node 'node': SwiGLU: float32[2] and float32[1] must have one shape."},
        {"BitShift",
         OpCase("BitShift")
             .input(numbers(DType::UInt8, {2}, {16, 1}))
             .input(numbers(DType::UInt8, {2}, {2, 9}))
             .set("direction", std::string("RIGHT")),
         "uint8[2] 4 0"},
        {"PRelu", OpCase("PRelu").input(x).input(floats({1}, {0.25})), "float32[3] -0.25 0 2"},
        {"Sum over its last operand",
         OpCase("Sum").input(floats({2}, {1, 2})).input(floats({1}, {5})).input(floats({2}, {10, 20})).inPlace(2),
         "float32[2] 16 27"},
        {"Max knows NaN", OpCase("Max").input(floats({2}, {1, 5})).input(floats({2}, {std::nan(""), 2})),
         "float32[2] nan 5"},
    };
}

std::vector<Row> elementwiseRows3()
{
    return {
        {"Mean", OpCase("Mean").input(floats({2}, {1, 2})).input(floats({2}, {3, 6})), "float32[2] 2 4"},
        {"Equal on texts", OpCase("Equal").input(texts({2}, {"a", "b"})).input(texts({1}, {"b"})), "bool[2] 0 1"},
        {"Less", OpCase("Less").input(ints({2}, {1, 3})).input(ints({2}, {2, 2})), "bool[2] 1 0"},
        {"Xor", OpCase("Xor").input(numbers(DType::Bool, {2}, {1, 1})).input(numbers(DType::Bool, {2}, {0, 1})),
         "bool[2] 1 0"},
        {"Where over its third operand",
         OpCase("Where")
             .input(numbers(DType::Bool, {2}, {1, 0}))
             .input(floats({1}, {9}))
             .input(floats({2}, {1, 2}))
             .inPlace(2),
         "float32[2] 9 2"},
        {"Clip with one bound", OpCase("Clip").input(floats({3}, {-5, 0, 5})).absent().input(floats({}, {1})),
         "float32[3] -5 0 1"},
        {"Clip by attributes", OpCase("Clip", 6).input(floats({3}, {-5, 0, 5})).set("min", -1.0).set("max", 2.0),
         "float32[3] -1 0 2"},
        {"operands of two types", OpCase("Add").input(floats({1}, {1})).input(ints({1}, {1})),
         "error: node 'node': Add: input 1 is int64[1], but input 0 is float32[1]; they must have one element type."},
        {"shapes that do not broadcast", OpCase("Mul").input(floats({2}, {1, 2})).input(floats({3}, {1, 2, 3})),
         "error: node 'node': Mul: float32[2] and float32[3] do not broadcast to one shape."},
        {"a missing operand", OpCase("Sub").input(floats({1}, {1})),
         "error: node 'node': Sub: input 1 is absent or no tensor, but it is needed."},
    };
}

std::vector<Row> castRows()
{
    const auto to = [](std::int64_t onnxType) { return Attribute(onnxType); };
    return {
        {"Cast cuts", OpCase("Cast").input(floats({3}, {1.9, -1.9, 0})).set("to", to(7)), "int64[3] 1 -1 0"},
        {"Cast over its input", OpCase("Cast").input(floats({2}, {1, 2})).set("to", to(1)).inPlace(0),
         "float32[2] 1 2"},
        {"Cast to another type over its input",
         OpCase("Cast").input(floats({3}, {1.5, -2, 7})).set("to", to(6)).inPlace(0), "int32[3] 1 -2 7"},
        {"Cast to bool", OpCase("Cast").input(floats({3}, {0, 0.1, -2})).set("to", to(9)), "bool[3] 0 1 1"},
        {"Cast of large integers", OpCase("Cast").input(ints({1}, {-1})).set("to", to(13)), "uint64[1] 1.84467e+19"},
        {"Cast from text", OpCase("Cast").input(texts({3}, {"1.5", "-inf", "1e3"})).set("to", to(1)),
         "float32[3] 1.5 -inf 1000"},
        {"Cast to text", OpCase("Cast").input(floats({3}, {0.1, 2, 1e-7})).set("to", to(8)),
         "string[3] '0.1' '2.0' '1e-07'"},
        {"Cast of what is no number", OpCase("Cast").input(texts({1}, {"x"})).set("to", to(1)),
         "error: node 'node': Cast: \"x\" is no number."},
        {"Cast to float8 saturates", OpCase("Cast").input(floats({2}, {1000, -0.1})).set("to", to(17)),
         "float8e4m3fn[2] 448 -0.101562"},
        {"Cast to float8 without",
         OpCase("Cast").input(floats({1}, {1000})).set("to", to(17)).set("saturate", std::int64_t {0}),
         "float8e4m3fn[1] nan"},
        {"Cast to int4", OpCase("Cast").input(floats({3}, {-8, 7, 3})).set("to", to(22)), "int4[3] -8 7 3"},
        {"BitCast", OpCase("BitCast", 26).input(floats({1}, {1})).set("to", to(6)), "int32[1] 1.06535e+09"},
        {"QuantizeLinear",
         OpCase("QuantizeLinear")
             .input(floats({4}, {0, 2, 3, 1000}))
             .input(floats({}, {2}))
             .input(numbers(DType::UInt8, {}, {128})),
         "uint8[4] 128 129 130 255"},
        {"QuantizeLinear along an axis",
         OpCase("QuantizeLinear").input(floats({1, 2}, {4, 4})).input(floats({2}, {1, 2})), "uint8[1,2] 4 2"},
        {"DequantizeLinear in blocks",
         OpCase("DequantizeLinear")
             .input(numbers(DType::Int4, {4}, {1, 2, 3, -4}))
             .input(floats({2}, {10, 100}))
             .set("axis", std::int64_t {0})
             .set("block_size", std::int64_t {2}),
         "float32[4] 10 20 300 -400"},
        {"MatMulInteger",
         OpCase("MatMulInteger")
             .input(numbers(DType::UInt8, {1, 2}, {11, 7}))
             .input(numbers(DType::UInt8, {2, 1}, {1, 4}))
             .input(numbers(DType::UInt8, {}, {10})),
         "int32[1,1] -11"},
    };
}

std::vector<Row> reductionRows()
{
    const auto matrix = floats({2, 2}, {1, 2, 3, 4});
    const auto none = std::int64_t {0};
    return {
        {"ReduceSum of all", OpCase("ReduceSum").input(matrix), "float32[1,1] 10"},
        {"ReduceSum along an axis", OpCase("ReduceSum").input(matrix).input(ints({1}, {-1})).set("keepdims", none),
         "float32[2] 3 7"},
        {"ReduceSum of nothing asked", OpCase("ReduceSum").input(matrix).set("noop_with_empty_axes", std::int64_t {1}),
         "float32[2,2] 1 2 3 4"},
        {"ReduceSum of no elements", OpCase("ReduceSum").input(floats({0, 2}, {})).input(ints({1}, {0})),
         "float32[1,2] 0 0"},
        {"ReduceMax of no elements", OpCase("ReduceMax", 20).input(floats({0}, {})), "float32[1] -inf"},
        {"ReduceMean by attribute", OpCase("ReduceMean", 13).input(matrix).set("axes", Ints {0}).set("keepdims", none),
         "float32[2] 2 3"},
        {"ReduceProd", OpCase("ReduceProd").input(ints({3}, {2, 3, 4})), "int64[1] 24"},
        {"ReduceL2", OpCase("ReduceL2").input(floats({2}, {3, 4})), "float32[1] 5"},
        {"ReduceLogSumExp does not overflow", OpCase("ReduceLogSumExp").input(floats({2}, {1000, 1000})),
         "float32[1] 1000.69"},
        {"ArgMax takes the first", OpCase("ArgMax").input(floats({3}, {1, 5, 5})), "int64[1] 1"},
        {"ArgMin takes the last",
         OpCase("ArgMin").input(floats({3}, {1, 5, 1})).set("select_last_index", std::int64_t {1}), "int64[1] 2"},
        {"TopK", OpCase("TopK").input(floats({4}, {3, 1, 4, 1})).input(ints({1}, {2})).outputs(2), "float32[2] 4 3"},
        {"Unique as they come", OpCase("Unique").input(floats({4}, {2, 1, 2, 3})).set("sorted", none),
         "float32[3] 2 1 3"},
        {"Softmax in place", OpCase("Softmax").input(floats({1, 2}, {0, 0})).inPlace(0), "float32[1,2] 0.5 0.5"},
        {"Softmax before opset 13 joins dimensions", OpCase("Softmax", 11).input(floats({1, 2, 2}, {0, 0, 0, 0})),
         "float32[1,2,2] 0.25 0.25 0.25 0.25"},
        {"Hardmax", OpCase("Hardmax").input(floats({1, 3}, {1, 3, 3})), "float32[1,3] 0 1 0"},
    };
}

} // namespace

class TestElementwiseKernels : public QObject
{
    Q_OBJECT

private slots:
    void elementsAreComputedOneByOne_data() { addRows({elementwiseRows1(), elementwiseRows2(), elementwiseRows3()}); }
    void elementsAreComputedOneByOne() { compareRow(); }
    void numbersChangeTheirType_data() { addRows({castRows()}); }
    void numbersChangeTheirType() { compareRow(); }
    void dimensionsFold_data() { addRows({reductionRows()}); }
    void dimensionsFold() { compareRow(); }
};

QTEST_APPLESS_MAIN(TestElementwiseKernels)
#include "tst_elementwise_kernels.moc"
