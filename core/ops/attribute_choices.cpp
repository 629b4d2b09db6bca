#include "core/ops/attribute_choices.h"

#include <algorithm>
#include <span>

namespace plimsoll {
namespace {

/// What an attribute of one operator may be: texts or numbers, parted by bars.
struct Choice
{
    std::string_view op;
    std::string_view attribute;
    std::string_view values;
};

constexpr std::string_view Padding = "NOTSET|SAME_UPPER|SAME_LOWER|VALID|"; // some exporters leave it empty
constexpr std::string_view Reduction = "none|mean|sum";
constexpr std::string_view Scattered = "none|add|mul|max|min";
constexpr std::string_view Directions = "forward|reverse|bidirectional";
constexpr std::string_view Coordinates = "half_pixel|half_pixel_symmetric|pytorch_half_pixel|align_corners|asymmetric|"
                                         "tf_half_pixel_for_nn|tf_crop_and_resize";

/// Source: the operator definitions of ONNX 1.0 to 1.19; what any version allows. Sorted by operator.
constexpr Choice Standard[] = {
    {"Attention", "qk_matmul_output_mode", "0|1|2|3"},
    {"AveragePool", "auto_pad", Padding},
    {"BitShift", "direction", "LEFT|RIGHT"},
    {"Cast", "round_mode", "up|down|nearest"},
    {"CastLike", "round_mode", "up|down|nearest"},
    {"Conv", "auto_pad", Padding},
    {"ConvInteger", "auto_pad", Padding},
    {"ConvTranspose", "auto_pad", Padding},
    {"DepthToSpace", "mode", "DCR|CRD"},
    {"GRU", "direction", Directions},
    {"GRU", "layout", "0|1"},
    {"Gelu", "approximate", "none|tanh"},
    {"GridSample", "mode", "linear|bilinear|nearest|cubic|bicubic"},
    {"GridSample", "padding_mode", "zeros|border|reflection"},
    {"ImageDecoder", "pixel_format", "RGB|BGR|Grayscale"},
    {"LSTM", "direction", Directions},
    {"LSTM", "layout", "0|1"},
    {"LpNormalization", "p", "1|2"},
    {"LpPool", "auto_pad", Padding},
    {"MaxPool", "auto_pad", Padding},
    {"NegativeLogLikelihoodLoss", "reduction", Reduction},
    {"Pad", "mode", "constant|reflect|edge|wrap"},
    {"QLinearConv", "auto_pad", Padding},
    {"RNN", "direction", Directions},
    {"RNN", "layout", "0|1"},
    {"Resize", "coordinate_transformation_mode", Coordinates},
    {"Resize", "keep_aspect_ratio_policy", "stretch|not_larger|not_smaller"},
    {"Resize", "mode", "nearest|linear|cubic"},
    {"Resize", "nearest_mode", "round_prefer_floor|round_prefer_ceil|floor|ceil"},
    {"RoiAlign", "coordinate_transformation_mode", "half_pixel|output_half_pixel"},
    {"RoiAlign", "mode", "avg|max"},
    {"ScatterElements", "reduction", Scattered},
    {"ScatterND", "reduction", Scattered},
    {"SoftmaxCrossEntropyLoss", "reduction", Reduction},
    {"StringNormalizer", "case_change_action", "NONE|LOWER|UPPER"},
    {"TensorScatter", "mode", "linear|circular"},
    {"TfIdfVectorizer", "mode", "TF|IDF|TFIDF"},
    {"Upsample", "mode", "nearest|linear|bilinear"},
};

constexpr std::string_view PostTransforms = "NONE|SOFTMAX|LOGISTIC|SOFTMAX_ZERO|PROBIT";
constexpr std::string_view SvmKernels = "LINEAR|POLY|RBF|SIGMOID";

constexpr Choice MachineLearning[] = {
    {"LinearClassifier", "post_transform", PostTransforms},
    {"LinearRegressor", "post_transform", PostTransforms},
    {"Normalizer", "norm", "MAX|L1|L2"},
    {"SVMClassifier", "kernel_type", SvmKernels},
    {"SVMClassifier", "post_transform", PostTransforms},
    {"SVMRegressor", "kernel_type", SvmKernels},
    {"SVMRegressor", "post_transform", PostTransforms},
    {"TreeEnsembleClassifier", "post_transform", PostTransforms},
    {"TreeEnsembleRegressor", "aggregate_function", "AVERAGE|SUM|MIN|MAX"},
    {"TreeEnsembleRegressor", "post_transform", PostTransforms},
};

std::span<const Choice> choicesOf(const Node& node)
{
    std::span<const Choice> table;
    if (node.domain.empty() || node.domain == "ai.onnx") table = Standard;
    if (node.domain == "ai.onnx.ml") table = MachineLearning;
    const auto own = std::ranges::equal_range(table, std::string_view(node.op), {}, &Choice::op);
    return {own.begin(), own.end()};
}

/// "forward|reverse" has "reverse".
bool has(std::string_view values, std::string_view value)
{
    while (true) {
        const std::size_t bar = values.find('|');
        if (values.substr(0, bar) == value) return true;
        if (bar == std::string_view::npos) return false;
        values.remove_prefix(bar + 1);
    }
}

/// "forward, reverse or bidirectional".
std::string listed(std::string_view values)
{
    while (values.ends_with('|'))
        values.remove_suffix(1);
    std::string text;
    for (std::size_t bar = values.find('|'); bar != std::string_view::npos; bar = values.find('|')) {
        text += (text.empty() ? "" : ", ") + std::string(values.substr(0, bar));
        values.remove_prefix(bar + 1);
    }
    return text + " or " + std::string(values);
}

} // namespace

Status checkChoices(const NodeFacts& facts)
{
    for (const Choice& choice : choicesOf(facts.node())) {
        const auto* text = findAttribute<std::string>(facts.node(), choice.attribute);
        const auto* number = findAttribute<std::int64_t>(facts.node(), choice.attribute);
        if (!text && !number) continue;
        const std::string given = text ? *text : std::to_string(*number);
        if (has(choice.values, given)) continue;
        return facts.error("The attribute " + std::string(choice.attribute) + " is '" + given + "'; it must be " +
                           listed(choice.values) + ".");
    }
    return {};
}

} // namespace plimsoll
