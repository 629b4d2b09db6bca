#include "core/ops/mxnet/mxnet_attributes.h"
#include "kernels/common/numbers.h"
#include "kernels/reference/dialects/mxnet_call.h"
#include "kernels/reference/kernel_families.h"
#include "kernels/reference/special/sparse_kernels.h"
#include "kernels/tensor_view.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace plimsoll::kernels {
namespace {

using Ints = std::vector<std::int64_t>;

Ints tupleOr(const KernelCall& call, std::string_view name, std::size_t count, std::int64_t fallback)
{
    const auto given = mxnet::tupleOf(call.node().attributes, name);
    return given && given->size() == count ? *given : Ints(count, fallback);
}

bool isChannelsLast(const KernelCall& call)
{
    return textAttribute(call, "layout", "").ends_with('C');
}

Status convolution(KernelCall& call)
{
    const bool transposed = call.node().op == "Deconvolution";
    const auto kernel = mxnet::tupleOf(call.node().attributes, "kernel");
    if (!kernel || isChannelsLast(call)) return refuse(call, say("kernel.only-channels-first"));
    const auto target = mxnet::tupleOf(call.node().attributes, "target_shape");
    if (transposed && target && !target->empty()) return refuse(call, say("kernel.target-shape"));
    Ints pads = tupleOr(call, "pad", kernel->size(), 0);
    pads.resize(2 * kernel->size());
    std::copy_n(pads.begin(), kernel->size(), pads.begin() + std::ssize(*kernel)); // the same at both ends
    OnnxRun run {transposed ? "ConvTranspose" : "Conv",
                 {{"kernel_shape", *kernel},
                  {"strides", tupleOr(call, "stride", kernel->size(), 1)},
                  {"dilations", tupleOr(call, "dilate", kernel->size(), 1)},
                  {"pads", pads},
                  {"group", intAttribute(call, "num_group", 1)}},
                 {}};
    if (transposed) run.attributes.emplace("output_padding", tupleOr(call, "adj", kernel->size(), 0));
    for (std::size_t i = 0; i < call.inputCount(); ++i) {
        PLIMSOLL_ASSIGN(input, mxnetInput(call, i));
        run.inputs.push_back(std::move(input));
    }
    return translate(call, std::move(run));
}

/// Rows of data times the transposed weights.
Status fullyConnected(KernelCall& call)
{
    PLIMSOLL_ASSIGN(data, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(weight, mxnetInput(call, 1));
    if (weight.tensor.shape.size() != 2 || weight.tensor.shape[1] < 1)
        return refuse(call, say("kernel.weights-no-matrix"));
    const std::int64_t width = weight.tensor.shape[1];
    PLIMSOLL_ASSIGN(rows, mxnetInput(call, 0, {data.elements() / width, width}));
    OnnxRun run {"Gemm", {{"transB", std::int64_t {1}}}, {std::move(rows), std::move(weight)}};
    if (call.inputCount() > 2) {
        PLIMSOLL_ASSIGN(bias, mxnetInput(call, 2));
        run.inputs.push_back(std::move(bias));
    }
    return translate(call, std::move(run));
}

/// As it is at inference: with the moving averages, which are the hidden outputs then.
Status batchNorm(KernelCall& call)
{
    if (intAttribute(call, "axis", 1) != 1) return refuse(call, say("kernel.only-axis-1"));
    OnnxRun run {"BatchNormalization", {{"epsilon", mxnet::realOf(call.node().attributes, "eps", 1e-3)}}, {}};
    for (std::size_t i = 0; i < 5; ++i) {
        PLIMSOLL_ASSIGN(input, mxnetInput(call, i));
        run.inputs.push_back(std::move(input));
    }
    if (mxnet::flagOf(call.node().attributes, "fix_gamma", true)) {
        const Shape channels = run.inputs[1].tensor.shape;
        RuntimeValue one = tensorValue(scalarTensor(run.inputs[1].tensor.dtype, 1));
        PLIMSOLL_ASSIGN(shape, listValue(channels));
        PLIMSOLL_ASSIGN(ones, runOnnx(call, {"Expand", {}, {std::move(one), std::move(shape)}}));
        run.inputs[1] = std::move(ones.front());
    }
    const TensorView mean = run.inputs[3].tensor;
    const TensorView variance = run.inputs[4].tensor;
    PLIMSOLL_TRY(translate(call, std::move(run)));
    PLIMSOLL_TRY(give(call, 1, mean));
    return give(call, 2, variance);
}

Status pooling(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, mxnetInput(call, 0));
    const Attributes& attributes = call.node().attributes;
    const std::string kind = mxnet::textOf(attributes, "pool_type", "max");
    const std::string convention = mxnet::textOf(attributes, "pooling_convention", "valid");
    if (isChannelsLast(call) || (kind != "max" && kind != "avg") || convention == "same" || call.wantsOutput(1))
        return refuse(call, say("kernel.no-pooling"));
    if (mxnet::flagOf(attributes, "global_pool", false))
        return translate(call, {kind == "max" ? "GlobalMaxPool" : "GlobalAveragePool", {}, {std::move(x)}});
    const std::size_t axes = x.tensor.shape.size() - 2;
    const Ints kernel = tupleOr(call, "kernel", axes, 1);
    const Ints stride = tupleOr(call, "stride", axes, 1);
    const Ints pad = tupleOr(call, "pad", axes, 0);
    Ints ends = pad; // with what "full" adds behind the data so that its last window fits
    for (std::size_t i = 0; convention == "full" && i < kernel.size(); ++i) {
        const std::int64_t room = x.tensor.shape[i + 2] + 2 * pad[i] - kernel[i];
        ends[i] += (stride[i] - room % stride[i]) % stride[i];
    }
    if (kind == "avg" && ends != pad) return refuse(call, say("kernel.cut-windows"));
    Ints pads = pad;
    pads.insert(pads.end(), ends.begin(), ends.end());
    OnnxRun run {kind == "max" ? "MaxPool" : "AveragePool",
                 {{"kernel_shape", kernel}, {"strides", stride}, {"pads", pads}},
                 {std::move(x)}};
    if (kind == "avg")
        run.attributes.emplace("count_include_pad",
                               std::int64_t {mxnet::flagOf(attributes, "count_include_pad", true)});
    return translate(call, std::move(run));
}

/// Softmax of rows: over everything behind the first axis, over the channels, or over one axis.
Status softmax(KernelCall& call)
{
    const Attributes& attributes = call.node().attributes;
    const std::string& op = call.node().op;
    PLIMSOLL_ASSIGN(x, mxnetInput(call, 0));
    if (x.tensor.shape.empty() || mxnet::realOf(attributes, "temperature", 1) != 1 ||
        mxnet::flagOf(attributes, "use_length", false))
        return refuse(call, say("kernel.no-softmax"));
    std::int64_t axis = mxnet::numberOf(attributes, "axis", -1);
    const bool channels =
        mxnet::flagOf(attributes, "multi_output", false) || mxnet::textOf(attributes, "mode", "instance") == "channel";
    const bool rows =
        (op == "SoftmaxOutput" && !mxnet::flagOf(attributes, "preserve_shape", false)) || op == "SoftmaxActivation";
    if (channels) axis = 1;
    if (rows && !channels && x.tensor.shape.front() > 0)
        x.tensor.shape = {x.tensor.shape.front(), x.tensor.elements() / x.tensor.shape.front()};
    return translate(call, {op == "log_softmax" ? "LogSoftmax" : "Softmax", {{"axis", axis}}, {std::move(x)}});
}

/// Elements that are divided by the same norm: of a picture, of a place in all channels, or of a channel.
struct NormGroups
{
    std::string mode;
    std::int64_t channels = 1;
    std::int64_t places = 1;

    [[nodiscard]] std::size_t of(std::int64_t element) const
    {
        const std::int64_t channel = element / places;
        const std::int64_t picture = channel / channels;
        if (mode == "instance") return static_cast<std::size_t>(picture);
        if (mode == "spatial") return static_cast<std::size_t>(channel);
        return static_cast<std::size_t>(picture * places + element % places);
    }
};

/// x / sqrt(sum of squares + eps); all is computed before the first element is written.
Status l2Normalization(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    const std::string mode = mxnet::textOf(call.node().attributes, "mode", "instance");
    if (x.shape.size() < 2 || (mode != "instance" && mode != "channel" && mode != "spatial"))
        return refuse(call, say("kernel.no-normalisation", describe(x), mode));
    Shape shape = x.shape;
    if (mode == "instance") shape.resize(1);
    if (mode == "channel") shape[1] = 1;
    if (mode == "spatial") std::fill(shape.begin() + 2, shape.end(), 1);
    const std::int64_t columns = std::max<std::int64_t>(1, x.shape[0] * x.shape[1]);
    const NormGroups groups {mode, std::max<std::int64_t>(1, x.shape[1]),
                             std::max<std::int64_t>(1, x.elements() / columns)};
    std::vector<double> data(static_cast<std::size_t>(x.elements()));
    loadNumbers(x, data.data());
    std::vector<double> norms(static_cast<std::size_t>(elementCount(shape).value_or(0)),
                              mxnet::realOf(call.node().attributes, "eps", 1e-10));
    for (std::size_t i = 0; i < data.size(); ++i)
        norms[groups.of(static_cast<std::int64_t>(i))] += data[i] * data[i];
    for (double& norm : norms)
        norm = std::sqrt(norm);
    for (std::size_t i = 0; i < data.size(); ++i)
        data[i] /= norms[groups.of(static_cast<std::int64_t>(i))];
    PLIMSOLL_ASSIGN(out, call.output(0, x.dtype, x.shape));
    storeNumbers(data.data(), out);
    if (!call.wantsOutput(1)) return {};
    PLIMSOLL_ASSIGN(second, call.output(1, x.dtype, shape));
    storeNumbers(norms.data(), second);
    return {};
}

Status embedding(KernelCall& call)
{
    PLIMSOLL_ASSIGN(ids, mxnetInput(call, 0));
    PLIMSOLL_ASSIGN(table, mxnetInput(call, 1));
    PLIMSOLL_ASSIGN(whole, runOnnx(call, {"Cast", {{"to", std::int64_t {7}}}, {std::move(ids)}}));
    return translate(call, {"Gather", {}, {std::move(table), std::move(whole.front())}});
}

/// An operand as a matrix with the summed axis last (left) or first.
Result<RuntimeValue> matrixOf(KernelCall& call, std::size_t input, const char* transposed)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, input));
    const Shape& shape = x.shape;
    if (shape.empty()) return refuse(call, say("kernel.scalar-factor"));
    if (mxnet::flagOf(call.node().attributes, transposed, false) && shape.size() > 1) {
        if (shape.size() != 2) return refuse(call, say("kernel.only-matrices"));
        PLIMSOLL_ASSIGN(plain, mxnetInput(call, input));
        PLIMSOLL_ASSIGN(result, runOnnx(call, {"Transpose", {}, {std::move(plain)}}));
        return std::move(result.front());
    }
    const std::int64_t summed = input == 0 ? shape.back() : shape.front();
    const std::int64_t others = summed > 0 ? x.elements() / summed : 0;
    return mxnetInput(call, input, input == 0 ? Shape {others, summed} : Shape {summed, others});
}

Status dot(KernelCall& call)
{
    PLIMSOLL_ASSIGN(a, matrixOf(call, 0, "transpose_a"));
    PLIMSOLL_ASSIGN(b, matrixOf(call, 1, "transpose_b"));
    return translate(call, {"MatMul", {}, {std::move(a), std::move(b)}});
}

constexpr std::string_view Mxnet = "mxnet";

constexpr std::array MxnetLayerKernels = {
    KernelEntry {Mxnet, "BatchNorm", batchNorm},
    KernelEntry {Mxnet, "Convolution", convolution},
    KernelEntry {Mxnet, "Deconvolution", convolution},
    KernelEntry {Mxnet, "Embedding", embedding},
    KernelEntry {Mxnet, "FullyConnected", fullyConnected},
    KernelEntry {Mxnet, "L2Normalization", l2Normalization},
    KernelEntry {Mxnet, "Pooling", pooling},
    KernelEntry {Mxnet, "SoftmaxActivation", softmax},
    KernelEntry {Mxnet, "SoftmaxOutput", softmax},
    KernelEntry {Mxnet, "_sparse_retain", retainDense},
    KernelEntry {Mxnet, "cast_storage", castDense},
    KernelEntry {Mxnet, "dot", dot},
    KernelEntry {Mxnet, "log_softmax", softmax},
    KernelEntry {Mxnet, "softmax", softmax},
};

} // namespace

constinit const KernelTable mxnetLayerKernels = MxnetLayerKernels;

} // namespace plimsoll::kernels
