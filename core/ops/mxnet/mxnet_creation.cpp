#include "core/ops/mxnet/mxnet_families.h"

#include <cmath>

namespace plimsoll::mxnet {

namespace {

/// The attribute shape; what it leaves open is what the readers want.
Status inferCreation(NodeFacts& facts)
{
    auto dims = shapeAttribute(facts, "shape");
    const auto wanted = dimsOf(facts.wanted(0));
    if (!dims || dims->empty()) {
        dims = wanted && !hasNumpyShapes(facts.graph()) ? wanted : dims;
    } else if (wanted && wanted->size() == dims->size()) {
        for (std::size_t axis = 0; axis < dims->size(); ++axis)
            (*dims)[axis] = (*dims)[axis] < 0 ? (*wanted)[axis] : (*dims)[axis];
    }
    facts.set(0, dtypeOf(facts.node().attributes, "dtype", DType::Float32), dims,
              "its attribute shape leaves sizes open, and no reader says them");
    return {};
}

Status inferFilled(NodeFacts& facts)
{
    return inferSameShape(facts, dtypeOf(facts.node().attributes, "dtype", facts.dtype(0)));
}

Status inferRange(NodeFacts& facts)
{
    const Attributes& attributes = facts.node().attributes;
    double start = realOf(attributes, "start", 0);
    double stop = realOf(attributes, "stop", start);
    if (!attributes.contains("stop")) start = 0;
    const double step = realOf(attributes, "step", 1);
    const std::int64_t repeat = numberOf(attributes, "repeat", 1);
    if (step == 0 || repeat < 1) return facts.error("The attributes step and repeat must not be 0.");
    const double count = std::ceil((stop - start) / step);
    if (!(count < 9e15)) return facts.error("The range has more elements than there can be.");
    const std::int64_t size = product(count > 0 ? static_cast<std::int64_t>(count) : 0, repeat);
    facts.set(0, dtypeOf(attributes, "dtype", DType::Float32), Dims {size});
    return {};
}

Status inferOneHot(NodeFacts& facts)
{
    auto dims = facts.dims(0);
    if (dims) dims->push_back(facts.attribute("depth", UnknownSize));
    facts.set(0, dtypeOf(facts.node().attributes, "dtype", DType::Float32), dims);
    return {};
}

constexpr OpSchema random(std::string_view op)
{
    return {.op = op, .signature = "", .infer = inferCreation, .pure = false};
}

constexpr OpSchema randomLike(std::string_view op)
{
    return {.op = op, .signature = "any", .infer = inferFilled, .inPlace = First, .ignored = First, .pure = false};
}

constexpr OpSchema Schemas[] = {
    {.op = "_zeros", .signature = "", .infer = inferCreation},
    {.op = "_zeros_without_dtype", .signature = "", .infer = inferCreation},
    {.op = "_ones", .signature = "", .infer = inferCreation},
    {.op = "_full", .signature = "", .infer = inferCreation},
    {.op = "_arange", .signature = "", .infer = inferRange},
    {.op = "zeros_like", .signature = "any", .infer = inferFilled, .inPlace = First, .ignored = First},
    {.op = "ones_like", .signature = "any", .infer = inferFilled, .inPlace = First, .ignored = First},
    {.op = "_full_like", .signature = "any", .infer = inferFilled, .inPlace = First, .ignored = First},
    {.op = "one_hot", .signature = "any", .infer = inferOneHot},
    random("_random_exponential"),
    random("_random_gamma"),
    random("_random_normal"),
    random("_random_poisson"),
    random("_random_uniform"),
    random("_random_randint"),
    randomLike("_random_exponential_like"),
    randomLike("_random_gamma_like"),
    randomLike("_random_normal_like"),
    randomLike("_random_uniform_like"),
};

} // namespace

std::span<const OpSchema> creationSchemas()
{
    return Schemas;
}

} // namespace plimsoll::mxnet
