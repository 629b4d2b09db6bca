#include "core/ops/onnx/op_families.h"
#include "core/ops/rules/shape_search.h"
#include "core/ops/safe_int.h"
#include "core/ops/window.h"

#include <algorithm>

namespace plimsoll::ops {

namespace {

Status inferPool(NodeFacts& facts)
{
    auto dims = facts.dims(0);
    if (!dims) {
        facts.set(0, facts.dtype(0), std::nullopt);
        facts.set(1, DType::Int64, std::nullopt);
        return {};
    }
    const auto* kernel = facts.integersAttribute("kernel_shape");
    if (!kernel) return facts.error(say("ops.attribute-kernel-shape-missing"));
    if (dims->size() != kernel->size() + 2)
        return facts.error(say("ops.window-another-number", describe(facts.type(0))));
    PLIMSOLL_ASSIGN(window, readWindow(facts, *kernel));
    for (std::size_t i = 0; i < kernel->size(); ++i) {
        const auto places = placesOf(window, i, (*dims)[i + 2]);
        if (!places) return facts.error(say("ops.window-does-fit", describe(facts.type(0))));
        (*dims)[i + 2] = *places;
    }
    facts.set(0, facts.dtype(0), dims);
    facts.set(1, DType::Int64, dims); // MaxPool: where each maximum was.
    return {};
}

Status inferGlobalPool(NodeFacts& facts)
{
    auto dims = facts.dims(0);
    for (std::size_t i = 2; dims && i < dims->size(); ++i)
        (*dims)[i] = 1;
    return facts.give(facts.dtype(0), dims);
}

/// The inverse of MaxPool: sizes come from the third input, or from the window.
Status inferMaxUnpool(NodeFacts& facts)
{
    auto dims = facts.dims(0);
    if (facts.has(2)) {
        const auto wanted = facts.integers(2);
        return facts.give(facts.dtype(0), wanted ? std::optional<Dims>(*wanted) : std::nullopt, say("size.shape"));
    }
    const auto* kernel = facts.integersAttribute("kernel_shape");
    if (!dims || !kernel || dims->size() != kernel->size() + 2) return facts.give(facts.dtype(0), std::nullopt);
    PLIMSOLL_ASSIGN(window, readWindow(facts, *kernel));
    for (std::size_t i = 0; i < kernel->size(); ++i) {
        auto& size = (*dims)[i + 2];
        if (size < 0) continue;
        const SafeInt spread = (SafeInt(size) - 1) * window.strides[i] + window.kernel[i] - window.pads[i] -
                               window.pads[i + kernel->size()];
        if (!spread.get() || *spread.get() < 0)
            return facts.error(say("ops.window-does-fit2", describe(facts.type(0))));
        size = *spread.get();
    }
    return facts.give(facts.dtype(0), dims);
}

/// X [N,C,H,W] and regions [R,5] (or [R,4] with batch indices): [R,C,height,width].
Status setRegions(NodeFacts& facts, std::int64_t height, std::int64_t width)
{
    return facts.give(facts.dtype(0), Dims {sizeAt(facts.dims(1), 0), sizeAt(facts.dims(0), 1), height, width});
}

constexpr OpSchema PoolingSchemas[] = {
    {.op = "AveragePool",
     .signature = "float",
     .infer = inferPool,
     .grows = AllInputs,
     .choices = {choices::Padding},
     .cheap = true,
     .derivative = "(self) = aten::avg_pool2d; self: with(average_pool_back(g), held(self))"},
    {.op = "GlobalAveragePool",
     .signature = "float",
     .infer = inferGlobalPool,
     .grows = AllInputs,
     .cheap = true,
     .derivative = R"(
        (self) -> result = aten::adaptive_avg_pool2d
          self: with(g * count(result) / count(self), held(self)))"},
    {.op = "GlobalLpPool",
     .signature = "float",
     .infer = inferGlobalPool,
     .grows = AllInputs,
     .choices = {choices::Order}},
    {.op = "GlobalMaxPool", .signature = "float", .infer = inferGlobalPool, .grows = AllInputs, .cheap = true},
    {.op = "LpPool",
     .signature = "float",
     .infer = inferPool,
     .grows = AllInputs,
     .choices = {choices::Padding, choices::Order},
     .cheap = true},
    {.op = "MaxPool",
     .signature = "number -> 2",
     .infer = inferPool,
     .grows = AllInputs,
     .choices = {choices::Padding},
     .cheap = true,
     .derivative = "(self) -> result, indices = aten::max_pool2d; self: with(max_pool_back(g, self), held(indices))"},
    {.op = "MaxRoiPool",
     .signature = "float:T float:T",
     .infer = [](NodeFacts& facts) -> Status {
         const auto* shape = facts.integersAttribute("pooled_shape");
         if (!shape || shape->size() != 2) return facts.error(say("ops.attribute-pooled-shape-needs"));
         return setRegions(facts, (*shape)[0], (*shape)[1]);
     },
     .grows = AllInputs},
    {.op = "MaxUnpool",
     .signature = "number:T int int?",
     .infer = inferMaxUnpool,
     .contents = [](ShapeSearch& search) { search.wantSizes(2); }},
    {.op = "RoiAlign",
     .signature = "float:T float:T int",
     .infer =
         [](NodeFacts& facts) {
             return setRegions(facts, facts.attribute("output_height", 1), facts.attribute("output_width", 1));
         },
     .grows = AllInputs,
     .contents = [](ShapeSearch& search) { search.boundIndices(2, 0); },
     .choices = {{"coordinate_transformation_mode", "half_pixel|output_half_pixel"}, {"mode", "avg|max"}}},
};

} // namespace

constinit const OpFamily poolingOperators {"", PoolingSchemas};

} // namespace plimsoll::ops
