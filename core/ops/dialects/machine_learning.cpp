#include "core/ops/onnx/op_families.h"
#include "core/ops/rules/shape_search.h"

namespace plimsoll::ops {

namespace {

Status inferRealLikeFirst(NodeFacts& facts)
{
    return facts.give(DType::Float32, facts.dims(0));
}

/// The list of values that is there says the type.
Status inferLabelEncoder(NodeFacts& facts)
{
    const Node& node = facts.node();
    DType dtype = DType::Unknown;
    if (const auto* values = findAttribute<TensorLiteral>(node, "values_tensor")) dtype = values->dtype;
    if (node.attributes.contains("values_strings")) dtype = DType::String;
    if (node.attributes.contains("values_int64s")) dtype = DType::Int64;
    if (node.attributes.contains("values_floats")) dtype = DType::Float32;
    if (node.attributes.contains("classes_strings"))
        dtype = facts.dtype(0) == DType::String ? DType::Int64 : DType::String;
    return facts.give(dtype, facts.dims(0));
}

Status inferFeatureExtractor(NodeFacts& facts)
{
    auto dims = facts.dims(0);
    const auto wanted = facts.dims(1);
    if (dims && !dims->empty()) dims->back() = wanted ? countOf(*wanted).value_or(UnknownSize) : UnknownSize;
    if (dims && dims->size() == 1) dims->insert(dims->begin(), 1);
    return facts.give(facts.dtype(0), dims);
}

/// One row for each row, one column for each target.
Status inferRegressor(NodeFacts& facts)
{
    const auto dims = facts.dims(0);
    const char* attribute = facts.node().attributes.contains("targets") ? "targets" : "n_targets";
    const std::int64_t rows = dims && !dims->empty() ? (dims->size() == 1 ? 1 : dims->front()) : UnknownSize;
    return facts.give(DType::Float32, Dims {rows, facts.attribute(attribute, 1)});
}

/// Labels, and scores of the classes.
Status inferClassifier(NodeFacts& facts)
{
    const auto dims = facts.dims(0);
    const std::int64_t rows = dims && !dims->empty() ? (dims->size() == 1 ? 1 : dims->front()) : UnknownSize;
    const bool named = facts.node().attributes.contains("classlabels_strings");
    facts.set(0, named ? DType::String : DType::Int64, Dims {rows});
    facts.set(1, DType::Float32, Dims {rows, UnknownSize}, say("size.labels"));
    return {};
}

constexpr AttributeChoice PostTransform {"post_transform", "NONE|SOFTMAX|LOGISTIC|SOFTMAX_ZERO|PROBIT"};
constexpr AttributeChoice SvmKernel {"kernel_type", "LINEAR|POLY|RBF|SIGMOID"};

constexpr OpSchema MachineLearningSchemas[] = {
    {.op = "ArrayFeatureExtractor",
     .signature = "any int",
     .infer = inferFeatureExtractor,
     .contents = [](ShapeSearch& search) { search.boundIndicesOfAll(1); }},
    {.op = "Binarizer", .signature = "number", .infer = inferLikeFirst},
    // Strings to numbers or back.
    {.op = "CategoryMapper",
     .signature = "any",
     .infer =
         [](NodeFacts& facts) {
             return facts.give(facts.dtype(0) == DType::String ? DType::Int64 : DType::String, facts.dims(0));
         }},
    {.op = "Imputer", .signature = "number", .infer = inferLikeFirst},
    {.op = "LabelEncoder", .signature = "any", .infer = inferLabelEncoder},
    {.op = "LinearClassifier", .signature = "number -> 2", .infer = inferClassifier, .choices = {PostTransform}},
    {.op = "LinearRegressor", .signature = "number", .infer = inferRegressor, .choices = {PostTransform}},
    {.op = "Normalizer", .signature = "number", .infer = inferRealLikeFirst, .choices = {{"norm", "MAX|L1|L2"}}},
    {.op = "SVMClassifier",
     .signature = "number -> 2",
     .infer = inferClassifier,
     .choices = {SvmKernel, PostTransform}},
    {.op = "SVMRegressor", .signature = "number", .infer = inferRegressor, .choices = {SvmKernel, PostTransform}},
    {.op = "Scaler", .signature = "number", .infer = inferRealLikeFirst},
    {.op = "TreeEnsembleClassifier", .signature = "number -> 2", .infer = inferClassifier, .choices = {PostTransform}},
    {.op = "TreeEnsembleRegressor",
     .signature = "number",
     .infer = inferRegressor,
     .choices = {{"aggregate_function", "AVERAGE|SUM|MIN|MAX"}, PostTransform}},
};

} // namespace

constinit const OpFamily machineLearningOperators {"ai.onnx.ml", MachineLearningSchemas};

} // namespace plimsoll::ops
