#pragma once

#include "core/ops/op_schema.h"

namespace plimsoll::ops {

/// The rows of each file. A new family is a word here.
#define PLIMSOLL_OP_FAMILIES(family)                                                                                   \
    family(aten) family(attention) family(binary) family(cast) family(constant) family(controlFlow)                    \
        family(convolution) family(executorch) family(gather) family(image) family(loss) family(machineLearning)       \
            family(matrix) family(microsoft) family(movement) family(normalization) family(optimizer) family(packing)  \
                family(plimsoll) family(pooling) family(quantization) family(random) family(recurrent)                 \
                    family(reduction) family(reshape) family(selection) family(sequence) family(signal) family(slice)  \
                        family(text) family(tflite) family(unary) family(xla)
#define PLIMSOLL_DECLARE_OPERATORS(name) extern const OpFamily name##Operators;
PLIMSOLL_OP_FAMILIES(PLIMSOLL_DECLARE_OPERATORS)

/// Output 0 (and no other) has the type of input 0.
Status inferLikeFirst(NodeFacts& facts);
/// The same, of an operator that works along its attribute axis: an Error where there is no such axis.
Status inferLikeFirstAlongAxis(NodeFacts& facts);
/// Output 0 has the common shape of all inputs and the element type of input 0.
Status inferBroadcast(NodeFacts& facts);
/// The same, of bools.
Status inferComparison(NodeFacts& facts);

/// Of two shapes of known sizes, as numpy aligns them: along each axis the larger size. Where either is a bound, no
/// common shape is larger.
[[nodiscard]] Dims largerShape(const Dims& a, const Dims& b);
Status mostBroadcast(NodeFacts& facts);

/// The element at the same index, by numpy's broadcasting.
AccessMap elementwiseAccess(NodeFacts& facts, std::size_t input, std::size_t output);
/// Output 0 holds the elements of input 0 in the same order.
void evaluateSameOrder(NodeFacts& facts);
/// Output 0 holds, at each place, the element of input 0 that stands at offsets[place].
void evaluateMoved(NodeFacts& facts, const std::vector<std::int64_t>& offsets);

} // namespace plimsoll::ops
