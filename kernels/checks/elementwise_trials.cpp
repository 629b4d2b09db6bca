#include "kernels/checks/trial.h"

namespace plimsoll::kernels {
namespace {

using enum DType;

void addUnary(std::vector<Trial>& trials)
{
    for (const char* op :
         {"Abs",  "Asinh",      "Atan",     "Ceil",        "Celu",      "Cos",    "Cosh",           "Elu",       "Erf",
          "Exp",  "Floor",      "Gelu",     "HardSigmoid", "HardSwish", "IsInf",  "IsNaN",          "LeakyRelu", "Mish",
          "Neg",  "Reciprocal", "Relu",     "Round",       "Selu",      "Shrink", "Sigmoid",        "Sign",      "Sin",
          "Sinh", "Softplus",   "Softsign", "Swish",       "Tan",       "Tanh",   "ThresholdedRelu"}) {
        trials.push_back(Trial(op).input({3, 17, 22}).within(-4, 4));
        trials.push_back(Trial(op).input({1}));
        trials.push_back(Trial(op).input(Float16, {1025}));
        trials.push_back(Trial(op).input(BFloat16, {33}));
    }
    for (const char* op : {"Acos", "Asin", "Atanh"})
        trials.push_back(Trial(op).input({8, 33}));
    for (const char* op : {"Acosh", "Log", "Sqrt"})
        trials.push_back(Trial(op).input({8, 33}).within(1, 9));
    for (const char* op : {"Relu", "Neg", "Abs", "Sign", "IsNaN", "IsInf", "Floor", "Sqrt", "Tanh"})
        trials.push_back(Trial(op).input({1027}).odd());
    trials.push_back(Trial("Gelu").input({33}).set("approximate", std::string("tanh")));
    trials.push_back(Trial("LeakyRelu").input({33}).set("alpha", 0.3));
    trials.push_back(Trial("IsInf").input({44}).odd().set("detect_negative", std::int64_t {0}));
    trials.push_back(Trial("Gelu", "com.microsoft").input({33}));
    trials.push_back(Trial("QuickGelu", "com.microsoft").input({33}));
    trials.push_back(Trial("Not").input(Bool, {17, 3}));
    trials.push_back(Trial("Relu").input({0, 3}));
    trials.push_back(Trial("Relu").input({}));
}

void addPairs(std::vector<Trial>& trials)
{
    for (const char* op : {"Add", "Sub", "Mul", "Div", "Max", "Min", "Sum"}) {
        for (const DType dtype : {Float32, Float16, BFloat16, Int64, Int32, Int8, UInt8}) {
            trials.push_back(Trial(op).input(dtype, {8, 3, 17}).input(dtype, {8, 3, 17}).within(1, 7));
            trials.push_back(Trial(op).input(dtype, {22, 17}).input(dtype, {17}).within(1, 7));
            trials.push_back(Trial(op).input(dtype, {}).input(dtype, {1, 33}).within(1, 7));
        }
        trials.push_back(Trial(op).input({1030}).odd().input({1030}).within(-2, 2));
        trials.push_back(Trial(op).input({3, 1, 17}).input({8, 1, 22, 1}).within(1, 2));
        trials.push_back(Trial(op).input({2, 3, 4, 5}).input({3, 1, 1}).within(1, 2)); // one operand repeats: planes,
        trials.push_back(Trial(op).input({22, 1}).input({3, 22, 17}).within(1, 2));    // the first of them,
        trials.push_back(Trial(op).input({3, 1, 7}).input({3, 5, 7}).within(1, 2));    // and rows that it does not
    }
    for (const char* op : {"Sum", "Max", "Min", "Mean"}) {
        trials.push_back(Trial(op).input({3, 17}).input({17}).input({3, 1}));
        trials.push_back(Trial(op).input({33}));
        trials.push_back(Trial(op).input({1}).input({33}).input({33}).input({}));
    }
    trials.push_back(Trial("Mean").input({8, 22}).input({8, 22}));
    for (const char* op : {"Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual"}) {
        for (const DType dtype : {Float32, Float16, BFloat16, Int64, Int32, Int8, UInt8})
            trials.push_back(Trial(op).input(dtype, {3, 22}).within(0, 3).input(dtype, {22}).within(0, 3));
        trials.push_back(Trial(op).input({44}).odd().input({44}).odd());
    }
    for (const char* op : {"And", "Or", "Xor"})
        trials.push_back(Trial(op).input(Bool, {3, 1, 17}).input(Bool, {22, 1}));
    trials.push_back(Trial("Equal").input(Bool, {33}).input(Bool, {33}));
    trials.push_back(Trial("Mod").input(Int64, {22, 3}).within(-40, 40).input(Int64, {3}).within(-7, 8));
    trials.push_back(Trial("Mod").input({33}).within(-40, 40).input({33}).within(1, 7).set("fmod", std::int64_t {1}));
    trials.push_back(Trial("Pow").input({8, 17}).within(0.1, 4).input({17}).within(-2, 3));
    for (const DType exponent : {Int64, Int32}) {
        trials.push_back(Trial("Pow").input({8, 17}).input(exponent, {17}).within(0, 4));
        trials.push_back(Trial("Pow").input(Float16, {33}).input(exponent, {}).within(2, 3));
    }
    trials.push_back(Trial("PRelu").input({2, 3, 17}).input({3, 1}));
    for (const DType dtype : {Int64, Int8})
        trials.push_back(Trial("Div").input(dtype, {9}).within(-9, 9).input(dtype, {9}).within(-1, 1));
    for (const char* op : {"Add", "Sub", "Mul"}) { // they wrap around
        trials.push_back(Trial(op).input(Int8, {300}).within(-128, 128).input(Int8, {300}).within(-128, 128));
        trials.push_back(Trial(op).input(UInt8, {300}).within(0, 256).input(UInt8, {300}).within(0, 256));
    }
}

/// By the kernels of their counterparts.
void addMxnet(std::vector<Trial>& trials)
{
    const auto mxnet = [](const char* op) { return Trial(op, "mxnet").forwardOnly(); };
    for (const char* op : {"elemwise_add", "elemwise_mul", "broadcast_sub", "broadcast_maximum", "_grad_add"})
        trials.push_back(mxnet(op).input({8, 17}).input({8, 17}));
    trials.push_back(mxnet("broadcast_div").input({3, 17, 5}).input({1, 17, 1}).within(1, 2));
    trials.push_back(mxnet("add_n").input({33}).input({33}).input({33}));
    for (const char* op : {"exp", "negative", "relu", "sigmoid", "tanh", "_copy", "Flatten"})
        trials.push_back(mxnet(op).input({3, 17, 2}));
    for (const char* kind : {"relu", "sigmoid", "tanh", "softrelu", "softsign"})
        trials.push_back(mxnet("Activation").input({8, 33}).set("act_type", std::string(kind)));
    for (const char* op : {"_div_scalar", "_maximum_scalar", "_minimum_scalar", "_minus_scalar", "_mul_scalar",
                           "_plus_scalar", "_rdiv_scalar", "_rminus_scalar"}) {
        for (const DType dtype : {Float32, Float16, BFloat16, Int64, Int32, Int8, UInt8})
            trials.push_back(mxnet(op).input(dtype, {8, 33}).within(1, 9).set("scalar", 2.7));
    }
    for (const char* op : {"_power_scalar", "_rpower_scalar"})
        trials.push_back(mxnet(op).input({8, 33}).within(0.5, 3).set("scalar", 1.7));
    for (const char* op :
         {"_equal_scalar", "_greater_scalar", "_greater_equal_scalar", "_lesser_scalar", "_lesser_equal_scalar"}) {
        for (const DType dtype : {Float32, Int32})
            trials.push_back(mxnet(op).input(dtype, {8, 33}).within(-3, 4).set("scalar", 1.0));
    }
}

void addChoices(std::vector<Trial>& trials)
{
    for (const DType dtype : {Float32, Float16, Int64, Bool}) {
        trials.push_back(Trial("Where").input(Bool, {3, 1, 17}).input(dtype, {22, 17}).input(dtype, {3, 22, 17}));
        trials.push_back(Trial("Where").input(Bool, {33}).input(dtype, {}).input(dtype, {33}));
    }
    for (const DType dtype : {Float32, BFloat16, Int32}) {
        trials.push_back(
            Trial("Clip").input(dtype, {17, 33}).within(-9, 9).input(dtype, {}).within(-3, -2).input(dtype, {}));
        trials.push_back(Trial("Clip").input(dtype, {5}).absent().input(dtype, {}));
    }
    trials.push_back(Trial("Clip").input({1030}).odd().input({}).within(-3, -2));
    trials.push_back(Trial("Clip").input({7}).set("min", -0.2).set("max", 0.3).opset(6));
    trials.push_back(Trial("Trilu").input({3, 17, 22}));
    trials.push_back(Trial("Trilu").input(Int64, {22, 17}).ints({-2}).set("upper", std::int64_t {0}));
}

void addCasts(std::vector<Trial>& trials)
{
    struct Type
    {
        DType dtype;
        std::int64_t onnx;
    };
    constexpr Type Types[] = {{Float32, 1}, {UInt8, 2},    {Int8, 3},     {Int32, 6},    {Int64, 7},
                              {Bool, 9},    {Float16, 10}, {Float64, 11}, {BFloat16, 16}};
    const auto roundsTwice = [](const Type& from, const Type& to) {
        const bool wide = from.dtype == Float64 || from.dtype == Int64 || from.dtype == Int32;
        return wide && (to.dtype == Float16 || to.dtype == BFloat16);
    };
    for (const Type& from : Types) {
        for (const Type& to : Types) {
            if (roundsTwice(from, to)) continue; // not offered
            const bool isSigned = from.dtype != UInt8 && from.dtype != Bool;
            trials.push_back(Trial("Cast")
                                 .input(from.dtype, {3, 17})
                                 .within(isSigned ? -90 : 0, from.dtype == Bool ? 2 : 90)
                                 .set("to", to.onnx));
        }
    }
    for (const std::int64_t to : {10, 16, 9, 11})
        trials.push_back(Trial("Cast").input({1031}).odd().set("to", to));
    trials.push_back(Trial("CastLike").input({33}).input(Float16, {1}));
}

} // namespace

std::vector<Trial> elementwiseTrials()
{
    std::vector<Trial> trials;
    addUnary(trials);
    addPairs(trials);
    for (const char* op : {"FastGelu", "BiasGelu"}) {
        const Trial gelu = Trial(op, "com.microsoft");
        trials.push_back(Trial(gelu).input({8, 17, 33}).within(-4, 4).input({33}));
        trials.push_back(Trial(gelu).input(Float16, {22, 5}).input(Float16, {5}));
    }
    trials.push_back(Trial("FastGelu", "com.microsoft").input({1030}).within(-4, 4));
    addMxnet(trials);
    addChoices(trials);
    addCasts(trials);
    return trials;
}

} // namespace plimsoll::kernels
