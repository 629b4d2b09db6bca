#include "core/ops/onnx/op_families.h"

namespace plimsoll::ops {

namespace {

constexpr OpSchema Schemas[] = {
    {.op = "Step", .signature = AnyForm, .pure = false, .computes = false},
};

} // namespace

std::span<const OpSchema> packingSchemas()
{
    return Schemas;
}

} // namespace plimsoll::ops
