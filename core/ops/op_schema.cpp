#include "core/ops/op_schema.h"

#include "core/ops/mxnet/mxnet_families.h"
#include "core/ops/onnx/op_families.h"

#include <unordered_map>

namespace plimsoll {

namespace {

using Rows = std::unordered_map<std::string_view, const OpSchema*>;

std::unordered_map<std::string_view, Rows> makeTable()
{
    std::unordered_map<std::string_view, Rows> table;
    for (const OpFamily& family : opFamilies())
        for (const OpSchema& row : family.rows)
            table[family.domain].emplace(row.op, &row);
    return table;
}

} // namespace

std::span<const OpFamily> opFamilies()
{
    using namespace ops;
    static const OpFamily families[] = {
        {"", attentionSchemas()},
        {"", binarySchemas()},
        {"", castSchemas()},
        {"", constantSchemas()},
        {"", controlFlowSchemas()},
        {"", convolutionSchemas()},
        {"", gatherSchemas()},
        {"", imageSchemas()},
        {"", lossSchemas()},
        {"", matrixSchemas()},
        {"", movementSchemas()},
        {"", normalizationSchemas()},
        {"", poolingSchemas()},
        {"", quantizationSchemas()},
        {"", randomSchemas()},
        {"", recurrentSchemas()},
        {"", reductionSchemas()},
        {"", reshapeSchemas()},
        {"", selectionSchemas()},
        {"", sequenceSchemas()},
        {"", signalSchemas()},
        {"", sliceSchemas()},
        {"", textSchemas()},
        {"", unarySchemas()},
        {"ai.onnx.ml", machineLearningSchemas()},
        {"ai.onnx.preview.training", optimizerSchemas()},
        {"com.microsoft", microsoftSchemas()},
        {"aten", atenSchemas()},
        {"aten", executorchSchemas()},
        {"plimsoll", plimsollSchemas()},
        {"packing", packingSchemas()},
        {"tflite", tfliteSchemas()},
        {"xla", xlaSchemas()},
        {"mxnet", mxnet::creationSchemas()},
        {"mxnet", mxnet::elementwiseSchemas()},
        {"mxnet", mxnet::layerSchemas()},
        {"mxnet", mxnet::lossSchemas()},
        {"mxnet", mxnet::matrixSchemas()},
        {"mxnet", mxnet::movementSchemas()},
        {"mxnet", mxnet::poolingSchemas()},
        {"mxnet", mxnet::quantizedSchemas()},
        {"mxnet", mxnet::reductionSchemas()},
        {"mxnet", mxnet::reshapeSchemas()},
        {"mxnet", mxnet::sliceSchemas()},
        {"mxnet", mxnet::visionSchemas()},
    };
    return families;
}

const OpSchema* findSchema(std::string_view domain, std::string_view op)
{
    static const auto table = makeTable();
    const auto rows = table.find(domain == "ai.onnx" ? "" : domain);
    if (rows == table.end()) return nullptr;
    const auto row = rows->second.find(op);
    return row == rows->second.end() ? nullptr : row->second;
}

std::int64_t opsetOf(const Graph& graph, const Node& node)
{
    const std::int64_t version = opsetVersion(graph, node.domain);
    return version > 0 ? version : NewestOpset;
}

} // namespace plimsoll
