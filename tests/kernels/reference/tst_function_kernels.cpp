#include "kernel_case.h"

#include <QTest>

#include <limits>

using namespace plimsoll;
using namespace plimsoll::kernels;
using namespace plimsoll::kernels::test;

namespace {

constexpr double Inf = std::numeric_limits<double>::infinity();
constexpr double NaN = std::numeric_limits<double>::quiet_NaN();

OpCase of(const char* op, const std::vector<double>& x, const char* domain = "")
{
    return OpCase(op, 22, domain).input(floats({static_cast<std::int64_t>(x.size())}, x));
}

/// Expected numbers are of Python's math, rounded to float32.
std::vector<Row> functionRows()
{
    return {
        {"Acos", of("Acos", {-1, 0, 0.5, 1}), "float32[4] 3.14159 1.5708 1.0472 0"},
        {"Acosh", of("Acosh", {1, 1.5, 10}), "float32[3] 0 0.962424 2.99322"},
        {"Asin", of("Asin", {-1, 0, 0.5, 1}), "float32[4] -1.5708 0 0.523599 1.5708"},
        {"Asinh", of("Asinh", {-1.5, 0, 0.25, 3}), "float32[4] -1.19476 0 0.247466 1.81845"},
        {"Atan", of("Atan", {-1.5, 0, 0.25, 3}), "float32[4] -0.982794 0 0.244979 1.24905"},
        {"Atanh", of("Atanh", {-0.5, 0, 0.9}), "float32[3] -0.549306 0 1.47222"},
        {"Ceil", of("Ceil", {-1.5, 0, 0.25, 3}), "float32[4] -1 0 1 3"},
        {"Cos", of("Cos", {-1.5, 0, 0.25, 3}), "float32[4] 0.0707372 1 0.968912 -0.989992"},
        {"Cosh", of("Cosh", {-1.5, 0, 0.25, 3}), "float32[4] 2.35241 1 1.03141 10.0677"},
        {"Erf", of("Erf", {-1.5, 0, 0.25, 3}), "float32[4] -0.966105 0 0.276326 0.999978"},
        {"Exp", of("Exp", {-1.5, 0, 1, 100}), "float32[4] 0.22313 1 2.71828 inf"},
        {"Floor", of("Floor", {-1.5, 0, 0.25, 3}), "float32[4] -2 0 0 3"},
        {"Log", of("Log", {-1, 0, 1, 10}), "float32[4] nan -inf 0 2.30259"},
        {"Neg", of("Neg", {-1.5, 0, 0.25, 3}), "float32[4] 1.5 0 -0.25 -3"},
        {"Reciprocal", of("Reciprocal", {-2, 0, 0.5}), "float32[3] -0.5 inf 2"},
        {"Sin", of("Sin", {-1.5, 0, 0.25, 3}), "float32[4] -0.997495 0 0.247404 0.14112"},
        {"Sinh", of("Sinh", {-1.5, 0, 0.25, 3}), "float32[4] -2.12928 0 0.252612 10.0179"},
        {"Sqrt", of("Sqrt", {-1, 0, 2, 16}), "float32[4] nan 0 1.41421 4"},
        {"Tan", of("Tan", {-1.5, 0, 0.25, 3}), "float32[4] -14.1014 0 0.255342 -0.142547"},
        {"Tanh", of("Tanh", {-20, -1.5, 0, 3}), "float32[4] -1 -0.905148 0 0.995055"},
        {"Sigmoid", of("Sigmoid", {-100, -1, 0, 2}), "float32[4] 0 0.268941 0.5 0.880797"},
        {"Softplus", of("Softplus", {-2, 0, 3, 100}), "float32[4] 0.126928 0.693147 3.04859 100"},
        {"Softsign", of("Softsign", {-1.5, 0, 0.25, 3}), "float32[4] -0.6 0 0.2 0.75"},
        {"Mish", of("Mish", {-1.5, 0, 0.25, 3}), "float32[4] -0.2981 0 0.169572 2.98654"},
        {"HardSwish", of("HardSwish", {-4, -1, 0, 1, 4}), "float32[5] 0 -0.333333 0 0.666667 4"},
        {"Gelu", of("Gelu", {-1.5, 0, 0.25, 3}), "float32[4] -0.100211 0 0.149677 2.99595"},
        {"Gelu by tanh", of("Gelu", {-1.5, 0, 0.25, 3}).set("approximate", std::string("tanh")),
         "float32[4] -0.100428 0 0.149675 2.99636"},
        {"Gelu of com.microsoft", of("Gelu", {-1.5, 0, 0.25, 3}, "com.microsoft"),
         "float32[4] -0.100211 0 0.149677 2.99595"},
        {"QuickGelu", of("QuickGelu", {-1.5, 0, 0.25, 3}, "com.microsoft"), "float32[4] -0.108338 0 0.1512 2.98193"},
        {"Swish", of("Swish", {-1.5, 0, 0.25, 3}), "float32[4] -0.273638 0 0.140544 2.85772"},
        {"Swish with alpha", of("Swish", {-1.5, 0, 0.25, 3}).set("alpha", 2.0),
         "float32[4] -0.0711388 0 0.155615 2.99258"},
        {"Celu", of("Celu", {-1.5, 0, 0.25, 3}), "float32[4] -0.77687 0 0.25 3"},
        {"Celu with alpha", of("Celu", {-1.5, 0, 0.25, 3}).set("alpha", 2.0), "float32[4] -1.05527 0 0.25 3"},
        {"Celu of no number", of("Celu", {NaN, 1}), "float32[2] nan 1"},
        {"Elu", of("Elu", {-1.5, 0, 0.25, 3}), "float32[4] -0.77687 0 0.25 3"},
        {"Elu with alpha", of("Elu", {-1.5, 0, 0.25, 3}).set("alpha", 0.5), "float32[4] -0.388435 0 0.25 3"},
        {"Selu", of("Selu", {-1.5, 0, 0.25, 3}), "float32[4] -1.36581 0 0.262675 3.1521"},
        {"Shrink", of("Shrink", {-1.5, -0.5, 0.25, 3}).set("bias", 0.25), "float32[4] -1.25 0 0 2.75"},
        {"ThresholdedRelu", of("ThresholdedRelu", {-1, 1, 1.5}), "float32[3] 0 0 1.5"},
        {"HardSigmoid", of("HardSigmoid", {-1, 0, 2}).set("alpha", 0.5).set("beta", 0.25), "float32[3] 0 0.25 1"},
        {"Exp of no number", of("Exp", {NaN}), "float32[1] nan"},
        {"Sqrt of no number", of("Sqrt", {NaN}), "float32[1] nan"},
        {"Tanh of no number", of("Tanh", {NaN}), "float32[1] nan"},
        {"Relu of no number", of("Relu", {NaN}), "float32[1] nan"},
        {"Sign of no number", of("Sign", {NaN}), "float32[1] nan"},
        {"Floor of no number", of("Floor", {NaN}), "float32[1] nan"},
        {"Sigmoid of no number", of("Sigmoid", {NaN}), "float32[1] nan"},
        {"Selu of no number", of("Selu", {NaN}), "float32[1] nan"},
    };
}

std::vector<Row> typeRows()
{
    const auto bytes = [](DType dtype, const std::vector<double>& values) { return numbers(dtype, {3}, values); };
    return {
        {"Neg of integers wraps", OpCase("Neg").input(bytes(DType::Int8, {-128, 5, 0})), "int8[3] -128 -5 0"},
        {"Neg of unsigned ones is refused or wraps", OpCase("Neg").input(bytes(DType::UInt8, {1, 0, 255})),
         "uint8[3] 255 0 1"},
        {"Relu of integers", OpCase("Relu").input(bytes(DType::Int32, {-7, 0, 7})), "int32[3] 0 0 7"},
        {"Sign of unsigned ones", OpCase("Sign").input(bytes(DType::UInt8, {0, 1, 200})), "uint8[3] 0 1 1"},
        {"Erf of integers cuts", OpCase("Erf").input(bytes(DType::Int32, {-9, 0, 9})), "int32[3] -1 0 1"},
        {"Shrink of integers",
         OpCase("Shrink").input(bytes(DType::Int8, {-3, 0, 3})).set("lambd", 1.5).set("bias", 0.6), "int8[3] -2 0 2"},
        {"Exp in half precision", OpCase("Exp").input(bytes(DType::Float16, {0, 1, 12})), "float16[3] 1 2.71875 inf"},
        {"Exp in bfloat16", OpCase("Exp").input(bytes(DType::BFloat16, {0, 1, 2})), "bfloat16[3] 1 2.71875 7.375"},
        {"Sqrt in double precision", OpCase("Sqrt").input(bytes(DType::Float64, {4, 2, 0})), "float64[3] 2 1.41421 0"},
        {"Exp of integers is refused", OpCase("Exp").input(bytes(DType::Int32, {0, 1, 2})), "error"},
        {"IsNaN", of("IsNaN", {NaN, 0, Inf}).set("unused", 1.0), "bool[3] 1 0 0"},
        {"IsInf of neither sign",
         of("IsInf", {Inf, -Inf, NaN})
             .set("detect_negative", std::int64_t {0})
             .set("detect_positive", std::int64_t {0}),
         "bool[3] 0 0 0"},
        {"Tanh of nothing", OpCase("Tanh").input(floats({0, 4}, {})), "float32[0,4]"},
        {"Sigmoid of a scalar", OpCase("Sigmoid").input(floats({}, {0})), "float32[] 0.5"},
    };
}

std::vector<Row> pairRows()
{
    const auto pair = [](const char* op, const RuntimeValue& a, const RuntimeValue& b) {
        return OpCase(op).input(a).input(b);
    };
    const auto bits = [](const std::vector<double>& values) { return numbers(DType::UInt8, {2}, values); };
    const auto flags = [](const std::vector<double>& values) { return numbers(DType::Bool, {4}, values); };
    const auto falseTrue = flags({0, 0, 1, 1});
    const auto either = flags({0, 1, 0, 1});
    const auto x = floats({4}, {1, 2, 3, NaN});
    const auto two = floats({1}, {2});
    return {
        {"And", pair("And", falseTrue, either), "bool[4] 0 0 0 1"},
        {"Or", pair("Or", falseTrue, either), "bool[4] 0 1 1 1"},
        {"Xor", pair("Xor", falseTrue, either), "bool[4] 0 1 1 0"},
        {"Not", OpCase("Not").input(either), "bool[4] 1 0 1 0"},
        {"And of numbers is refused", pair("And", x, two), "error"},
        {"Greater than NaN is false", pair("Greater", x, two), "bool[4] 0 0 1 0"},
        {"GreaterOrEqual", pair("GreaterOrEqual", x, two), "bool[4] 0 1 1 0"},
        {"Less", pair("Less", x, two), "bool[4] 1 0 0 0"},
        {"LessOrEqual", pair("LessOrEqual", x, two), "bool[4] 1 1 0 0"},
        {"NaN is not equal to itself", pair("Equal", x, x), "bool[4] 1 1 1 0"},
        {"Equal of texts", pair("Equal", texts({2}, {"a", "b"}), texts({1}, {"b"})), "bool[2] 0 1"},
        {"Greater of unsigned 64 bits",
         pair("Greater", numbers(DType::UInt64, {1}, {18446744073709549568.0}), numbers(DType::UInt64, {1}, {1})),
         "bool[1] 1"},
        {"BitwiseAnd", pair("BitwiseAnd", bits({12, 255}), bits({10, 1})), "uint8[2] 8 1"},
        {"BitwiseOr", pair("BitwiseOr", bits({12, 254}), bits({10, 1})), "uint8[2] 14 255"},
        {"BitwiseXor", pair("BitwiseXor", bits({12, 255}), bits({10, 1})), "uint8[2] 6 254"},
        {"BitwiseNot", OpCase("BitwiseNot").input(bits({0, 15})), "uint8[2] 255 240"},
        {"BitwiseNot of signed ones", OpCase("BitwiseNot").input(numbers(DType::Int8, {2}, {0, -1})), "int8[2] -1 0"},
        {"Min keeps a NaN", pair("Min", x, two), "float32[4] 1 2 2 nan"},
        {"Max keeps a NaN of either side", pair("Max", floats({2}, {1, 3}), floats({2}, {NaN, 2})), "float32[2] nan 3"},
        {"Min of three broadcasts",
         OpCase("Min").input(floats({2, 1}, {5, 0})).input(floats({2}, {3, 4})).input(floats({}, {3.5})),
         "float32[2,2] 3 3.5 0 0"},
        {"Max of one", OpCase("Max").input(floats({2}, {5, 0})), "float32[2] 5 0"},
        {"Div by zero", pair("Div", floats({3}, {1, -1, 0}), floats({1}, {0})), "float32[3] inf -inf nan"},
        {"Div of the least integer by -1",
         pair("Div", numbers(DType::Int8, {1}, {-128}), numbers(DType::Int8, {1}, {-1})), "int8[1] -128"},
        {"Mod of floats by fmod",
         pair("Mod", floats({3}, {-7.5, 7.5, 5}), floats({3}, {2, -2, Inf})).set("fmod", std::int64_t {1}),
         "float32[3] -1.5 1.5 5"},
        {"Mod by -1", pair("Mod", numbers(DType::Int8, {2}, {-128, 7}), numbers(DType::Int8, {1}, {-1})),
         "int8[2] 0 0"},
        {"Sub of unsigned ones wraps", pair("Sub", bits({0, 7}), bits({1, 7})), "uint8[2] 255 0"},
        {"Mul of integers wraps", pair("Mul", numbers(DType::Int16, {1}, {300}), numbers(DType::Int16, {1}, {300})),
         "int16[1] 24464"},
        {"Sum of an empty dimension", pair("Sum", floats({2, 0}, {}), floats({2, 1}, {1, 2})), "float32[2,0]"},
        {"PRelu of integers", pair("PRelu", ints({3}, {-2, 0, 3}), ints({1}, {4})), "int64[3] -8 0 3"},
        {"Shapes that do not meet", pair("Add", floats({2}, {1, 2}), floats({3}, {1, 2, 3})), "error"},
        {"Types that differ", pair("Add", floats({1}, {1}), ints({1}, {1})), "error"},
    };
}

} // namespace

/// Functions of elements: every one of them at a few places, in several types, at the edges.
class FunctionKernels : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void functions_data() { addRows({functionRows(), typeRows(), pairRows()}); }
    void functions() { compareRow(); }
};

QTEST_APPLESS_MAIN(FunctionKernels)
#include "tst_function_kernels.moc"
