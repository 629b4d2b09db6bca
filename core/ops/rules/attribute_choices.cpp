#include "core/ops/rules/attribute_choices.h"

#include "core/ops/onnx_dtype.h"
#include "core/ops/standard_domain.h"

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
    {"Mod", "fmod", "0|1"},
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

/// What must be above 0: a norm of order 0 and a sum over no channels mean nothing.
struct Positive
{
    std::string_view op;
    std::string_view attribute;
    bool required = false;
};

constexpr Positive Positives[] = {
    {"GlobalLpPool", "p"},
    {"LRN", "size", true},
    {"LpPool", "p"},
};

/// Attributes that name an element type wherever the standard uses them.
constexpr std::string_view TypeNames[] = {"dtype", "output_datatype", "output_dtype", "softmax_precision",
                                          "stash_type"};

std::span<const Choice> choicesOf(const Node& node)
{
    std::span<const Choice> table;
    if (isStandard(node)) table = Standard;
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

Error wrongAttribute(const NodeFacts& facts, std::string_view attribute, const std::string& given,
                     const std::string& wanted)
{
    return facts.error("The attribute " + std::string(attribute) + " is '" + given + "'; it must be " + wanted + ".");
}

/// A number or a text as the file has it; nothing for what is absent or neither.
std::optional<std::string> givenText(const Node& node, std::string_view attribute)
{
    if (const auto* text = findAttribute<std::string>(node, attribute)) return *text;
    if (const auto* number = findAttribute<std::int64_t>(node, attribute)) return std::to_string(*number);
    return std::nullopt;
}

/// Norms of version 1 may be broken numbers.
Status checkPositive(const NodeFacts& facts, const Positive& row)
{
    const auto* number = findAttribute<std::int64_t>(facts.node(), row.attribute);
    const auto* real = findAttribute<double>(facts.node(), row.attribute);
    const std::string name = "The attribute " + std::string(row.attribute);
    if (!number && !real) return row.required ? Status(facts.error(name + " is missing.")) : Status();
    if (number ? *number > 0 : *real > 0 && facts.opset() < 2) return {};
    return facts.error(name + " must be a whole number above 0.");
}

/// 0 says that there is none where that may be left open.
Status checkTypeName(const NodeFacts& facts, std::string_view attribute)
{
    const auto given = givenText(facts.node(), attribute);
    const bool open = attribute == "output_dtype" && given == "0";
    if (!given || open || dtypeAttribute(facts.node(), attribute, DType::Unknown) != DType::Unknown) return {};
    return wrongAttribute(facts, attribute, *given, "the number or the name of an element type");
}

} // namespace

Status checkChoices(const NodeFacts& facts)
{
    for (const Choice& choice : choicesOf(facts.node())) {
        const auto given = givenText(facts.node(), choice.attribute);
        if (given && !has(choice.values, *given))
            return wrongAttribute(facts, choice.attribute, *given, listed(choice.values));
    }
    if (!isStandard(facts.node())) return {};
    for (const Positive& row : Positives)
        if (row.op == facts.node().op) PLIMSOLL_TRY(checkPositive(facts, row));
    for (const std::string_view name : TypeNames)
        PLIMSOLL_TRY(checkTypeName(facts, name));
    return {};
}

} // namespace plimsoll
