#pragma once

#include "core/ops/op_schema.h"

namespace plimsoll::ops {

/// The operators of each family; op_schema.cpp lists them with their domains.
std::span<const OpSchema> atenSchemas();
std::span<const OpSchema> attentionSchemas();
std::span<const OpSchema> binarySchemas();
std::span<const OpSchema> castSchemas();
std::span<const OpSchema> constantSchemas();
std::span<const OpSchema> controlFlowSchemas();
std::span<const OpSchema> convolutionSchemas();
std::span<const OpSchema> executorchSchemas();
std::span<const OpSchema> gatherSchemas();
std::span<const OpSchema> imageSchemas();
std::span<const OpSchema> lossSchemas();
std::span<const OpSchema> machineLearningSchemas();
std::span<const OpSchema> matrixSchemas();
std::span<const OpSchema> microsoftSchemas();
std::span<const OpSchema> movementSchemas();
std::span<const OpSchema> normalizationSchemas();
std::span<const OpSchema> optimizerSchemas();
std::span<const OpSchema> packingSchemas(); ///< Of graphs that were made from tables of buffers.
std::span<const OpSchema> plimsollSchemas();
std::span<const OpSchema> poolingSchemas();
std::span<const OpSchema> quantizationSchemas();
std::span<const OpSchema> randomSchemas();
std::span<const OpSchema> recurrentSchemas();
std::span<const OpSchema> reductionSchemas();
std::span<const OpSchema> reshapeSchemas();
std::span<const OpSchema> selectionSchemas();
std::span<const OpSchema> sequenceSchemas();
std::span<const OpSchema> signalSchemas();
std::span<const OpSchema> sliceSchemas();
std::span<const OpSchema> textSchemas();
std::span<const OpSchema> tfliteSchemas();
std::span<const OpSchema> unarySchemas();
std::span<const OpSchema> xlaSchemas();

/// Output 0 (and no other) has the type of input 0.
Status inferLikeFirst(NodeFacts& facts);
/// The same, of an operator that works along its attribute axis: an Error where there is no such axis.
Status inferLikeFirstAlongAxis(NodeFacts& facts);
/// Output 0 has the common shape of all inputs and the element type of input 0.
Status inferBroadcast(NodeFacts& facts);
/// The same, of bools.
Status inferComparison(NodeFacts& facts);

/// Output 0 holds the elements of input 0 in the same order.
void evaluateSameOrder(NodeFacts& facts);
/// Output 0 holds, at each place, the element of input 0 that stands at offsets[place].
void evaluateMoved(NodeFacts& facts, const std::vector<std::int64_t>& offsets);

} // namespace plimsoll::ops
