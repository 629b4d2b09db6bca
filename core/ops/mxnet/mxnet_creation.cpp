#include "core/ops/alike_rows.h"
#include "core/ops/mxnet/mxnet_families.h"

#include <cmath>

namespace plimsoll::mxnet {

namespace {

using ops::alike;
using ops::joined;

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
    return facts.give(dtypeOf(facts.node().attributes, "dtype", DType::Float32), dims, say("size.open-shape"));
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
    if (step == 0 || repeat < 1) return facts.error(say("ops.attributes-step-repeat"));
    const double count = std::ceil((stop - start) / step);
    if (!(count < 9e15)) return facts.error(say("ops.range-more-elements"));
    const std::int64_t size = product(count > 0 ? static_cast<std::int64_t>(count) : 0, repeat);
    return facts.give(dtypeOf(attributes, "dtype", DType::Float32), Dims {size});
}

Status inferOneHot(NodeFacts& facts)
{
    auto dims = facts.dims(0);
    if (dims) dims->push_back(facts.attribute("depth", UnknownSize));
    return facts.give(dtypeOf(facts.node().attributes, "dtype", DType::Float32), dims);
}

constexpr auto MxnetCreationSchemas = joined(
    std::to_array<OpSchema>({{.op = "_arange", .signature = "", .infer = inferRange},
                             {.op = "one_hot", .signature = "any", .infer = inferOneHot}}),
    alike<"_zeros _zeros_without_dtype _ones _full">({.op = {}, .signature = "", .infer = inferCreation}),
    alike<"zeros_like ones_like _full_like">(
        {.op = {}, .signature = "any", .infer = inferFilled, .inPlace = First, .ignored = First}),
    alike<"_random_exponential _random_gamma _random_normal _random_poisson _random_uniform _random_randint">(
        {.op = {}, .signature = "", .infer = inferCreation, .pure = false}),
    alike<"_random_exponential_like _random_gamma_like _random_normal_like _random_uniform_like">(
        {.op = {}, .signature = "any", .infer = inferFilled, .inPlace = First, .ignored = First, .pure = false}));

} // namespace

constinit const OpFamily mxnetCreationOperators {"mxnet", MxnetCreationSchemas};

} // namespace plimsoll::mxnet
