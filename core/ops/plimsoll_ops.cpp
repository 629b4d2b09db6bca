#include "core/ops/families.h"
#include "core/ops/reorder.h"

namespace plimsoll::ops {

namespace {

constexpr OpSchema mutating(std::string_view op)
{
    return {.op = op, .infer = inferLikeFirst, .mutates = true, .pure = false};
}

const OpSchema Schemas[] = {
    mutating("Add_"),
    mutating("Clamp_"),
    mutating("Copy_"),
    mutating("Div_"),
    mutating("Exp_"),
    mutating("Fill_"),
    mutating("IndexAdd_"),
    mutating("Mul_"),
    mutating("Neg_"),
    mutating("Relu_"),
    mutating("Sigmoid_"),
    mutating("Sub_"),
    mutating("Tanh_"),
    mutating("Zero_"),
    {.op = "Detach", .infer = inferLikeFirst, .identity = true},
    {.op = "Reorder", .infer = inferLikeFirst},
};

} // namespace

std::span<const OpSchema> plimsollSchemas()
{
    return Schemas;
}

} // namespace plimsoll::ops

namespace plimsoll {

bool isReorder(const Node& node)
{
    return node.origin.dialect == "plimsoll" && node.origin.op == "Reorder";
}

} // namespace plimsoll
