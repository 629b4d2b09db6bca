#include "core/ops/onnx/op_families.h"

namespace plimsoll::ops {

namespace {

Status inferRealLikeFirst(NodeFacts& facts)
{
    facts.set(0, DType::Float32, facts.dims(0));
    return {};
}

/// Strings to numbers or back.
Status inferCategoryMapper(NodeFacts& facts)
{
    facts.set(0, facts.dtype(0) == DType::String ? DType::Int64 : DType::String, facts.dims(0));
    return {};
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
    facts.set(0, dtype, facts.dims(0));
    return {};
}

Status inferFeatureExtractor(NodeFacts& facts)
{
    auto dims = facts.dims(0);
    const auto wanted = facts.dims(1);
    if (dims && !dims->empty()) dims->back() = wanted ? countOf(*wanted).value_or(UnknownSize) : UnknownSize;
    if (dims && dims->size() == 1) dims->insert(dims->begin(), 1);
    facts.set(0, facts.dtype(0), dims);
    return {};
}

/// One row for each row, one column for each target.
Status inferRegressor(NodeFacts& facts)
{
    const auto dims = facts.dims(0);
    const char* attribute = facts.node().attributes.contains("targets") ? "targets" : "n_targets";
    const std::int64_t rows = dims && !dims->empty() ? (dims->size() == 1 ? 1 : dims->front()) : UnknownSize;
    facts.set(0, DType::Float32, Dims {rows, facts.attribute(attribute, 1)});
    return {};
}

const OpSchema Schemas[] = {
    {.op = "ArrayFeatureExtractor", .infer = inferFeatureExtractor},
    {.op = "Binarizer", .infer = inferLikeFirst},
    {.op = "CategoryMapper", .infer = inferCategoryMapper},
    {.op = "Imputer", .infer = inferLikeFirst},
    {.op = "LabelEncoder", .infer = inferLabelEncoder},
    {.op = "LinearRegressor", .infer = inferRegressor},
    {.op = "Normalizer", .infer = inferRealLikeFirst},
    {.op = "Scaler", .infer = inferRealLikeFirst},
    {.op = "TreeEnsembleRegressor", .infer = inferRegressor},
};

} // namespace

std::span<const OpSchema> machineLearningSchemas()
{
    return Schemas;
}

} // namespace plimsoll::ops
