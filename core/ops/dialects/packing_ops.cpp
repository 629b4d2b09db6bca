#include "core/ops/onnx/op_families.h"

namespace plimsoll::ops {

namespace {

constexpr OpSchema PackingSchemas[] = {
    {.op = "Step", .signature = AnyForm, .pure = false, .computes = false},
};

} // namespace

constinit const OpFamily packingOperators {"packing", PackingSchemas};

} // namespace plimsoll::ops
