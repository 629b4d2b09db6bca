#include "core/ops/op_schema.h"

#include "core/ops/mxnet/mxnet_families.h"
#include "core/ops/onnx/op_families.h"

#include <unordered_map>

namespace plimsoll {

namespace {

using Table = std::unordered_map<std::string, const OpSchema*>;

std::string keyOf(std::string_view domain, std::string_view op)
{
    std::string key(domain == "ai.onnx" ? "" : domain);
    key += "::";
    return key += op;
}

void add(Table& table, std::string_view domain, std::span<const OpSchema> schemas)
{
    for (const OpSchema& schema : schemas)
        table.emplace(keyOf(domain, schema.op), &schema);
}

Table makeTable()
{
    using namespace ops;
    Table table;
    for (const auto schemas :
         {attentionSchemas(),   binarySchemas(),        castSchemas(),    constantSchemas(),     controlFlowSchemas(),
          convolutionSchemas(), gatherSchemas(),        imageSchemas(),   lossSchemas(),         matrixSchemas(),
          movementSchemas(),    normalizationSchemas(), poolingSchemas(), quantizationSchemas(), randomSchemas(),
          recurrentSchemas(),   reductionSchemas(),     reshapeSchemas(), selectionSchemas(),    sequenceSchemas(),
          signalSchemas(),      sliceSchemas(),         textSchemas(),    unarySchemas()}) {
        add(table, "", schemas);
    }
    add(table, "ai.onnx.ml", machineLearningSchemas());
    add(table, "ai.onnx.preview.training", optimizerSchemas());
    add(table, "com.microsoft", microsoftSchemas());
    add(table, "aten", atenSchemas());
    add(table, "aten", executorchSchemas());
    add(table, "plimsoll", plimsollSchemas());
    add(table, "packing", packingSchemas());
    add(table, "tflite", tfliteSchemas());
    add(table, "xla", xlaSchemas());
    for (const auto schemas :
         {mxnet::creationSchemas(), mxnet::elementwiseSchemas(), mxnet::layerSchemas(), mxnet::lossSchemas(),
          mxnet::matrixSchemas(), mxnet::movementSchemas(), mxnet::poolingSchemas(), mxnet::quantizedSchemas(),
          mxnet::reductionSchemas(), mxnet::reshapeSchemas(), mxnet::sliceSchemas(), mxnet::visionSchemas()}) {
        add(table, "mxnet", schemas);
    }
    return table;
}

} // namespace

const OpSchema* findSchema(std::string_view domain, std::string_view op)
{
    static const Table table = makeTable();
    const auto found = table.find(keyOf(domain, op));
    return found == table.end() ? nullptr : found->second;
}

std::int64_t opsetOf(const Graph& graph, const Node& node)
{
    const std::int64_t version = opsetVersion(graph, node.domain);
    return version > 0 ? version : NewestOpset;
}

} // namespace plimsoll
