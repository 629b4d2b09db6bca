#include "core/formats/torch/aten_call.h"

#include "core/ops/dims.h"

#include <algorithm>

namespace plimsoll::fx {
namespace {

using Ints = std::vector<std::int64_t>;

std::size_t rankOf(const Operand* operand)
{
    return operand && operand->type.type.dims ? operand->type.type.dims->size() : 0;
}

bool sameDtype(const Call& call, std::initializer_list<std::string_view> parameters)
{
    const DType dtype = call.type(0).type.dtype;
    return dtype != DType::Unknown &&
           std::all_of(parameters.begin(), parameters.end(), [&](std::string_view parameter) {
               const Operand* operand = call.operand(parameter);
               return operand ? operand->type.type.dtype == dtype : !call.given(parameter);
           });
}

/// A matrix as a product reads it: a transposed view is read through.
struct Matrix
{
    std::string name;
    bool transposed = false;
};

std::optional<Matrix> matrixAt(const Call& call, std::string_view parameter)
{
    const Operand* operand = call.operand(parameter);
    if (!operand || rankOf(operand) != 2 || operand->expanded) return std::nullopt;
    if (!operand->strided) return Matrix {call.name(parameter), false};
    if (operand->base.empty() || operand->permutation != Ints {1, 0}) return std::nullopt;
    return Matrix {operand->base, true};
}

NamedNode gemm(Call& call, const Matrix& a, const Matrix& b, std::string_view bias)
{
    NamedNode node = call.nodeOf("Gemm", {call.readName(a.name), call.readName(b.name)});
    if (a.transposed) node.node.attributes.emplace("transA", std::int64_t {1});
    if (b.transposed) node.node.attributes.emplace("transB", std::int64_t {1});
    if (!bias.empty() && call.given(bias)) node.inputs.push_back(call.read(bias));
    for (const char* factor : {"alpha", "beta"}) {
        if (!call.isDefault(factor, 1)) node.node.attributes.emplace(factor, *call.real(factor));
    }
    return node;
}

bool mm(Call& call)
{
    const auto a = matrixAt(call, "self");
    const auto b = matrixAt(call, "mat2");
    if (!a || !b || !sameDtype(call, {"self", "mat2"})) return false;
    if (a->transposed || b->transposed) return call.add(gemm(call, *a, *b, {}));
    return call.add(call.node({call.readName(a->name), call.readName(b->name)}));
}

bool addmm(Call& call)
{
    const auto a = matrixAt(call, "mat1");
    const auto b = matrixAt(call, "mat2");
    const bool literal = (!call.given("alpha") || call.real("alpha")) && (!call.given("beta") || call.real("beta"));
    if (!a || !b || !literal || !call.dense("self") || !sameDtype(call, {"self", "mat1", "mat2"})) return false;
    return call.add(gemm(call, *a, *b, "self"));
}

/// Dimensions in front of the last become one of a matrix, and are back in the result: all of it views.
bool linearOfRows(Call& call, const Matrix& weight)
{
    const Operand* self = call.dense("self");
    const auto sizes = reshapeSizes(call.type(0).type);
    if (!self || !sizes || rankOf(self) == 0 || sizes->size() != rankOf(self)) return false;
    const Dim depth = self->type.type.dims->back();
    const std::int64_t width = sizes->back();
    if (!depth.known() || depth.size == 0 || width < 0) return false;
    TensorType type = call.type(0).type;
    const Dim rows; // follows from the shape
    type.dims = {rows, depth};
    const std::string matrix = call.addStep(call.reshape(call.read("self"), {-1, depth.size}, "rows"), "matrix", type);
    type.dims = {rows, Dim {width, {}}};
    const std::string product = call.addStep(gemm(call, {matrix, false}, weight, "bias"), "product", type);
    return call.add(call.reshape(call.readName(product), *sizes));
}

/// input · weightᵀ + bias
bool linear(Call& call)
{
    const auto input = matrixAt(call, "self");
    auto weight = matrixAt(call, "weight");
    if (!weight || (call.given("bias") && !call.dense("bias"))) return false;
    if (!sameDtype(call, {"self", "weight", "bias"})) return false;
    weight->transposed = !weight->transposed;
    return input ? call.add(gemm(call, *input, *weight, "bias")) : linearOfRows(call, *weight);
}

bool product(Call& call)
{
    if (!call.dense("self") || !call.dense("mat2") || !sameDtype(call, {"self", "mat2"})) {
        return rankOf(call.operand("self")) == 2 && rankOf(call.operand("mat2")) == 2 && mm(call);
    }
    return call.add(call.node({call.read("self"), call.read("mat2")}));
}

bool reduce(Call& call)
{
    const Operand* self = call.dense("self");
    if (!self || !sameDtype(call, {"self"}) || self->type.type.dtype == DType::Bool) return false;
    auto axes = call.integers("dim");
    if (call.given("dim") && !axes) return false;
    NamedNode node = call.node({call.read("self")}, {{"keepdims", call.integerOr("keepdim", 0)}});
    if (axes && !axes->empty()) node.inputs.push_back(call.constant("axes", *axes));
    return call.add(std::move(node));
}

bool softmax(Call& call)
{
    const auto axis = call.integer("dim");
    if (!axis || !call.dense("self") || !sameDtype(call, {"self"}) || call.integerOr("half_to_float", 0) != 0)
        return false;
    return call.add(call.node({call.read("self")}, {{"axis", *axis}}));
}

/// Null where one of them cannot be read element by element.
const Expression* denseTensors(Call& call)
{
    const Expression* list = call.argument("tensors");
    if (!list || !list->is(Expression::Kind::List) || list->items.empty()) return nullptr;
    const auto fits = [&](const Expression& item) {
        if (!item.is(Expression::Kind::Name) || !call.writer().knows(item.text)) return false;
        const Operand& operand = call.writer().operand(item.text);
        const bool dense = !operand.strided && !operand.expanded && operand.type.isTensor;
        return dense && operand.type.type.dtype == call.type(0).type.dtype;
    };
    return std::all_of(list->items.begin(), list->items.end(), fits) ? list : nullptr;
}

bool cat(Call& call)
{
    const Expression* list = denseTensors(call);
    if (!list) return false;
    NamedNode node = call.node({}, {{"axis", call.integerOr("dim", 0)}});
    for (const Expression& item : list->items)
        node.inputs.push_back(call.readName(item.text));
    return call.add(std::move(node));
}

/// Each tensor with the new axis, one behind the other along it.
bool stack(Call& call)
{
    const Expression* list = denseTensors(call);
    const auto shape = call.type(0).type.shape();
    const std::int64_t axis = call.integerOr("dim", 0);
    const auto at = shape ? normalAxis(axis, shape->size()) : std::nullopt;
    if (!list || !at) return false;
    TensorType widened = call.type(0).type;
    (*widened.dims)[*at] = Dim {1, {}};
    const std::string axes = call.constant("axes", {axis});
    NamedNode node = call.node({}, {{"axis", axis}});
    for (std::size_t i = 0; i < list->items.size(); ++i) {
        NamedNode one = call.nodeOf("Unsqueeze", {call.readName(list->items[i].text), axes});
        node.inputs.push_back(call.addStep(std::move(one), "unsqueeze" + std::to_string(i), widened));
    }
    return call.add(std::move(node));
}

/// Rows of a table.
bool embedding(Call& call)
{
    if (!call.dense("weight") || !call.dense("indices") || !sameDtype(call, {"weight"})) return false;
    return call.add(call.node({call.read("weight"), call.read("indices")}, {{"axis", std::int64_t {0}}}));
}

bool gather(Call& call)
{
    const auto axis = call.integer("dim");
    if (!axis || !call.dense("self") || !call.dense("index") || !sameDtype(call, {"self"})) return false;
    return call.add(call.node({call.read("self"), call.read("index")}, {{"axis", *axis}}));
}

/// One number for each of \p count dimensions; one for all is repeated.
std::optional<Ints> perAxis(const Call& call, std::string_view parameter, std::size_t count, std::int64_t fallback)
{
    auto numbers = call.given(parameter) ? call.integers(parameter) : Ints {fallback};
    if (numbers && numbers->size() == 1) numbers->resize(count, numbers->front());
    return numbers && numbers->size() == count ? numbers : std::nullopt;
}

Ints twice(const Ints& pads)
{
    Ints both = pads;
    both.insert(both.end(), pads.begin(), pads.end());
    return both;
}

bool convolution(Call& call)
{
    const std::size_t rank = rankOf(call.dense("self"));
    const std::size_t axes = rank > 2 ? rank - 2 : 0;
    const auto strides = perAxis(call, "stride", axes, 1);
    const auto pads = perAxis(call, "padding", axes, 0);
    const auto dilations = perAxis(call, "dilation", axes, 1);
    const auto extra = perAxis(call, "output_padding", axes, 0);
    if (axes == 0 || !strides || !pads || !dilations || !extra || !call.dense("weight")) return false;
    if (!sameDtype(call, {"self", "weight", "bias"}) || (call.given("bias") && !call.dense("bias"))) return false;
    NamedNode node = call.node({call.read("self"), call.read("weight")}, {{"strides", *strides},
                                                                          {"pads", twice(*pads)},
                                                                          {"dilations", *dilations},
                                                                          {"group", call.integerOr("groups", 1)}});
    if (call.given("bias")) node.inputs.push_back(call.read("bias"));
    if (call.integerOr("transposed", 0) != 0) {
        node.node.op = "ConvTranspose";
        node.node.attributes.emplace("output_padding", *extra);
    }
    return call.add(std::move(node));
}

bool pool(Call& call)
{
    const std::size_t axes = call.rule().op.find("1d") != std::string_view::npos ? 1 : 2;
    const bool average = call.rule().common == "AveragePool";
    if (rankOf(call.dense("self")) != axes + 2 || call.given("divisor_override") || call.wants(1)) return false;
    const auto kernel = perAxis(call, "kernel_size", axes, 1);
    const auto given = call.integers("stride");
    const auto strides = given && !given->empty() ? perAxis(call, "stride", axes, 1) : kernel;
    const auto pads = perAxis(call, "padding", axes, 0);
    const auto dilations = perAxis(call, "dilation", axes, 1);
    if (!call.given("kernel_size") || !kernel || !strides || !pads || !dilations || !sameDtype(call, {"self"}))
        return false;
    NamedNode node = call.node({call.read("self")});
    node.outputs.resize(1);
    node.node.attributes = {{"kernel_shape", *kernel},
                            {"strides", *strides},
                            {"pads", twice(*pads)},
                            {"ceil_mode", call.integerOr("ceil_mode", 0)}};
    if (average)
        node.node.attributes.emplace("count_include_pad", call.integerOr("count_include_pad", 1));
    else
        node.node.attributes.emplace("dilations", *dilations);
    return call.add(std::move(node));
}

/// To one element for each channel.
bool globalPool(Call& call)
{
    const auto size = call.integers("output_size");
    const bool one = size && std::all_of(size->begin(), size->end(), [](std::int64_t n) { return n == 1; });
    if (!one || rankOf(call.dense("self")) != 4 || !sameDtype(call, {"self"})) return false;
    return call.add(call.node({call.read("self")}));
}

bool layerNorm(Call& call)
{
    const auto shape = call.integers("normalized_shape");
    if (!shape || shape->empty() || !call.dense("self") || !call.dense("weight") ||
        !sameDtype(call, {"self", "weight", "bias"}))
        return false;
    NamedNode node =
        call.node({call.read("self"), call.read("weight")},
                  {{"axis", -static_cast<std::int64_t>(shape->size())}, {"epsilon", call.real("eps").value_or(1e-5)}});
    if (call.given("bias")) node.inputs.push_back(call.read("bias"));
    return call.add(std::move(node));
}

/// Outside of training: the moving statistics are read.
bool batchNorm(Call& call)
{
    const std::initializer_list<std::string_view> all = {"self", "weight", "bias", "running_mean", "running_var"};
    const bool there = std::all_of(all.begin(), all.end(), [&](auto parameter) { return call.dense(parameter); });
    if (!there || call.wants(1) || call.wants(2) || !sameDtype(call, all)) return false;
    NamedNode node = call.node({}, {{"epsilon", call.real("eps").value_or(1e-5)}});
    for (const std::string_view parameter : all)
        node.inputs.push_back(call.read(parameter));
    node.outputs.resize(1);
    return call.add(std::move(node));
}

/// What is known under ATen's own name: tensors in this order, numbers as attributes.
bool known(Call& call)
{
    NamedNode node = call.node({});
    node.node.domain = "aten";
    for (const std::string& parameter : call.parameters()) {
        if (!call.given(parameter)) continue;
        if (call.operand(parameter)) {
            if (!call.dense(parameter) || !sameDtype(call, {parameter})) return false;
            node.inputs.push_back(call.read(parameter));
            continue;
        }
        if (!call.real(parameter)) return false;
        node.node.attributes.emplace(parameter, *call.real(parameter));
    }
    return call.add(std::move(node));
}

constexpr AtenRule Rules[] = {
    {"_adaptive_avg_pool2d", "self output_size", "GlobalAveragePool", globalPool},
    {"_log_softmax", "self dim half_to_float", "LogSoftmax", softmax},
    {"_native_batch_norm_legit_no_training", "self weight bias running_mean running_var momentum eps",
     "BatchNormalization", batchNorm},
    {"_softmax", "self dim half_to_float", "Softmax", softmax},
    {"adaptive_avg_pool2d", "self output_size", "GlobalAveragePool", globalPool},
    {"addbmm", "self batch1 batch2 beta alpha", "addbmm", known},
    {"addcdiv", "self tensor1 tensor2 value", "addcdiv", known},
    {"addcmul", "self tensor1 tensor2 value", "addcmul", known},
    {"addmm", "self mat1 mat2 beta alpha", "Gemm", addmm},
    {"addmv", "self mat vec beta alpha", "addmv", known},
    {"addr", "self vec1 vec2 beta alpha", "addr", known},
    {"amax", "self dim keepdim", "ReduceMax", reduce},
    {"amin", "self dim keepdim", "ReduceMin", reduce},
    {"avg_pool1d", "self kernel_size stride padding ceil_mode count_include_pad", "AveragePool", pool},
    {"avg_pool2d", "self kernel_size stride padding ceil_mode count_include_pad divisor_override", "AveragePool", pool},
    {"baddbmm", "self batch1 batch2 beta alpha", "baddbmm", known},
    {"bmm", "self mat2", "MatMul", product},
    {"cat", "tensors dim", "Concat", cat},
    {"conv2d", "self weight bias stride padding dilation groups", "Conv", convolution},
    {"convolution", "self weight bias stride padding dilation transposed output_padding groups", "Conv", convolution},
    {"dot", "self mat2", "MatMul", product},
    {"embedding", "weight indices padding_idx scale_grad_by_freq sparse", "Gather", embedding},
    {"gather", "self dim index sparse_grad", "GatherElements", gather},
    {"index_select", "self dim index", "Gather", gather},
    {"linear", "self weight bias", "Gemm", linear},
    {"log_softmax", "self dim dtype", "LogSoftmax", softmax},
    {"matmul", "self mat2", "MatMul", product},
    {"max_pool2d", "self kernel_size stride padding dilation ceil_mode", "MaxPool", pool},
    {"max_pool2d_with_indices", "self kernel_size stride padding dilation ceil_mode", "MaxPool", pool},
    {"mean", "self dim keepdim dtype", "ReduceMean", reduce},
    {"mm", "self mat2", "MatMul", mm},
    {"mv", "self mat2", "MatMul", product},
    {"native_layer_norm", "self normalized_shape weight bias eps", "LayerNormalization", layerNorm},
    {"sigmoid_backward", "grad_output output", "sigmoid_backward", known},
    {"softmax", "self dim dtype", "Softmax", softmax},
    {"stack", "tensors dim", "Concat", stack},
    {"sum", "self dim keepdim dtype", "ReduceSum", reduce},
};

} // namespace

const std::span<const AtenRule> AtenLayerRules = Rules;

} // namespace plimsoll::fx
