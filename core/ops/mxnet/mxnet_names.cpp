#include "core/ops/mxnet/mxnet_names.h"

#include "core/ops/mxnet/mxnet_attributes.h"

#include <algorithm>
#include <sstream>
#include <unordered_map>

namespace plimsoll::mxnet {

namespace {

using Names = std::unordered_map<std::string_view, std::string_view>;

const Names Aliases = {
    {"Convolution_v1", "Convolution"},
    {"Pooling_v1", "Pooling"},
    {"BatchNorm_v1", "BatchNorm"},
    {"CuDNNBatchNorm", "BatchNorm"},
    {"_contrib_SyncBatchNorm", "BatchNorm"},
    {"concat", "Concat"},
    {"flatten", "Flatten"},
    {"reshape", "Reshape"},
    {"split", "SliceChannel"},
    {"cast", "Cast"},
    {"pad", "Pad"},
    {"swapaxes", "SwapAxis"},
    {"SwapAxes", "SwapAxis"},
    {"identity", "_copy"},
    {"stop_gradient", "BlockGrad"},
    {"ElementWiseSum", "add_n"},
    {"_sum", "add_n"},
    {"crop", "slice"},
    {"sum_axis", "sum"},
    {"max_axis", "max"},
    {"min_axis", "min"},
    {"Softmax", "SoftmaxOutput"},
    {"random_uniform", "_random_uniform"},
    {"uniform", "_random_uniform"},
    {"random_normal", "_random_normal"},
    {"normal", "_random_normal"},
    {"_Plus", "elemwise_add"},
    {"_plus", "elemwise_add"},
    {"_add", "elemwise_add"},
    {"_Minus", "elemwise_sub"},
    {"_minus", "elemwise_sub"},
    {"_sub", "elemwise_sub"},
    {"_Mul", "elemwise_mul"},
    {"_mul", "elemwise_mul"},
    {"_Div", "elemwise_div"},
    {"_div", "elemwise_div"},
    {"_Power", "_power"},
    {"_Maximum", "_maximum"},
    {"_Minimum", "_minimum"},
    {"_PlusScalar", "_plus_scalar"},
    {"_MinusScalar", "_minus_scalar"},
    {"_RMinusScalar", "_rminus_scalar"},
    {"_MulScalar", "_mul_scalar"},
    {"_DivScalar", "_div_scalar"},
    {"_RDivScalar", "_rdiv_scalar"},
    {"_PowerScalar", "_power_scalar"},
    {"_RPowerScalar", "_rpower_scalar"},
    {"_MaximumScalar", "_maximum_scalar"},
    {"_MinimumScalar", "_minimum_scalar"},
    {"broadcast_plus", "broadcast_add"},
    {"broadcast_minus", "broadcast_sub"},
    {"broadcast_axes", "broadcast_axis"},
    {"sparse_retain", "_sparse_retain"},
    {"_sparse_cast_storage", "cast_storage"},
    {"_sparse_dot", "dot"},
    {"_sparse_elemwise_add", "elemwise_add"},
    {"_sparse_elemwise_mul", "elemwise_mul"},
    {"_sg_onednn_conv", "_sg_mkldnn_conv"},
    {"_sg_onednn_fully_connected", "_sg_mkldnn_fully_connected"},
};

/// Inputs in MXNet's order. A name decides what the input is for.
const Names Inputs = {
    {"Convolution", "data weight bias"},
    {"Deconvolution", "data weight bias"},
    {"FullyConnected", "data weight bias"},
    {"BatchNorm", "data gamma beta moving_mean moving_var"},
    {"LayerNorm", "data gamma beta"},
    {"InstanceNorm", "data gamma beta"},
    {"GroupNorm", "data gamma beta"},
    {"Embedding", "data weight"},
    {"SoftmaxOutput", "data label"},
    {"SVMOutput", "data label"},
    {"LinearRegressionOutput", "data label"},
    {"LogisticRegressionOutput", "data label"},
    {"MAERegressionOutput", "data label"},
    {"softmax_cross_entropy", "data label"},
    {"IdentityAttachKLSparseReg", "data moving_avg"},
    {"Activation", "data"},
    {"Pooling", "data"},
    {"Dropout", "data"},
    {"Flatten", "data"},
};

/// Of operators with other outputs than one called "output".
const Names Outputs = {
    {"BatchNorm", "output mean var"},
    {"InstanceNorm", "output mean var"},
    {"LayerNorm", "output mean std"},
    {"GroupNorm", "output mean std"},
    {"Dropout", "output mask"},
    {"LRN", "output tmp_norm"},
    {"L2Normalization", "output norm"},
    {"ROIPooling", "output maxidx"},
    {"BilinearSampler", "output tmp"},
    {"GridGenerator", "output grid_dst"},
    {"Correlation", "output tmp1 tmp2"},
    {"SpatialTransformer", "output temp temp2"},
    {"CTCLoss", "loss grad"},
    {"sort", "output0 output1"},
    {"_contrib_box_nms", "output0 output1"},
    {"_contrib_bipartite_matching", "output0 output1"},
    {"_contrib_Proposal", "output score"},
    {"_contrib_MultiProposal", "output score"},
    {"_contrib_MultiBoxTarget", "loc_target loc_mask cls_target"},
    {"_contrib_quantize", "output0 output1 output2"},
    {"_contrib_quantize_v2", "output0 output1 output2"},
    {"_contrib_requantize", "output min_output max_output"},
    {"_contrib_quantized_conv", "output min_output max_output"},
    {"_contrib_quantized_fully_connected", "output min_output max_output"},
    {"_contrib_quantized_pooling", "output min_output max_output"},
    {"_contrib_quantized_concat", "output min_output max_output"},
    {"_contrib_quantized_flatten", "output min_output max_output"},
    {"_contrib_quantized_act", "output min_output max_output"},
    {"_contrib_quantized_elemwise_add", "output min_output max_output"},
    {"_contrib_quantized_batch_norm", "output min_output max_output"},
};

std::vector<std::string> words(std::string_view text)
{
    std::istringstream stream {std::string(text)};
    std::vector<std::string> list;
    for (std::string word; stream >> word;)
        list.push_back(word);
    return list;
}

std::vector<std::string> numbered(std::int64_t count)
{
    constexpr std::int64_t Most = 1 << 16; // a count of a file that is out of all proportion shows where it is read
    if (count == 1) return {"output"};
    std::vector<std::string> list;
    for (std::int64_t i = 0; i < std::min(count, Most); ++i)
        list.push_back("output" + std::to_string(i));
    return list;
}

Slot slotOf(std::string_view name)
{
    if (name.starts_with("moving_")) return Slot::Auxiliary;
    constexpr std::string_view Learnt[] = {"weight", "bias", "gamma", "beta", "parameters"};
    return std::ranges::find(Learnt, name) == std::end(Learnt) ? Slot::Data : Slot::Parameter;
}

std::vector<std::string> recurrentOutputs(const Attributes& attributes)
{
    std::vector<std::string> names = {"output"};
    if (!flagOf(attributes, "state_outputs", false)) return names;
    names.emplace_back("state");
    if (textOf(attributes, "mode", "") == "lstm") names.emplace_back("state_cell");
    return names;
}

std::string_view namesOfInputs(std::string_view op, const Attributes& attributes)
{
    if (op == "LeakyReLU") return textOf(attributes, "act_type", "leaky") == "prelu" ? "data gamma" : "data";
    if (op == "RNN")
        return textOf(attributes, "mode", "") == "lstm" ? "data parameters state state_cell" : "data parameters state";
    const auto found = Inputs.find(op);
    return found == Inputs.end() ? std::string_view() : found->second;
}

} // namespace

std::string_view canonicalOp(std::string_view op)
{
    const auto found = Aliases.find(op);
    return found == Aliases.end() ? op : found->second;
}

std::vector<Input> inputsOf(std::string_view op, const Attributes& attributes)
{
    const bool hasBias = !flagOf(attributes, "no_bias", op == "Deconvolution");
    std::vector<Input> inputs;
    for (std::string& name : words(namesOfInputs(op, attributes))) {
        if (name == "bias" && !hasBias) continue;
        const Slot slot = slotOf(name);
        inputs.push_back({std::move(name), slot});
    }
    return inputs;
}

std::vector<std::string> outputsOf(std::string_view op, const Attributes& attributes)
{
    if (op == "RNN") return recurrentOutputs(attributes);
    if (op == "SliceChannel") return numbered(numberOf(attributes, "num_outputs", 1));
    if (op == "LeakyReLU" && textOf(attributes, "act_type", "leaky") == "rrelu") return {"output", "mask"};
    if (op == "topk") {
        const std::string kind = textOf(attributes, "ret_typ", "indices");
        return numbered(kind == "both" || kind == "value" ? 2 : 1);
    }
    const bool threefold = flagOf(attributes, "quantized", false) && !flagOf(attributes, "enable_float_output", false);
    const bool fused = op == "_sg_mkldnn_conv" || op == "_sg_mkldnn_fully_connected";
    if (fused && threefold) return {"output", "output_min", "output_max"};
    const auto found = Outputs.find(op);
    return found == Outputs.end() ? numbered(numberOf(attributes, "num_outputs", 1)) : words(found->second);
}

} // namespace plimsoll::mxnet
