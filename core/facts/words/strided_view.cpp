#include "core/facts/words/strided_view.h"

#include "core/base/bytes.h"
#include "core/graph/captured_strides.h"
#include "core/ops/op_traits.h"

#include <algorithm>

namespace plimsoll {
namespace {

/// Whether the elements lie one behind the other in the order of the shape.
bool inOnePiece(const Shape& shape, const Shape& strides)
{
    std::optional<std::int64_t> expected = 1;
    for (std::size_t i = shape.size(); i-- > 0;) {
        if (shape[i] == 0) return true;
        if (shape[i] != 1 && strides[i] != expected) return false;
        expected = expected ? checkedMultiply(*expected, shape[i]) : std::nullopt;
    }
    return true;
}

std::optional<std::int64_t> spanOf(DType dtype, const Shape& shape, const Shape& strides)
{
    std::optional<std::int64_t> elements = 1;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const auto reach = checkedMultiply(shape[i] - 1, strides[i]);
        elements = elements && reach ? checkedAdd(*elements, *reach) : std::nullopt;
    }
    return elements ? denseBytes(dtype, {*elements}) : std::nullopt;
}

} // namespace

std::optional<StridedView> stridedView(const Graph& graph, ValueId value)
{
    const auto shape = graph[value].type.shape();
    const NodeId producer = graph[value].producer;
    Shape strides = capturedStrides(graph[value]);
    if (!shape || strides.empty() || inOnePiece(*shape, strides) || !producer.valid()) return std::nullopt;
    const auto isPart = [&](const AliasTrait& trait) { // a view, or what a view became by being written
        return trait.output == graph[value].producerOutput &&
               (trait.kind == AliasKind::View || trait.kind == AliasKind::Mutates);
    };
    if (std::ranges::none_of(aliasTraits(graph, producer), isPart)) return std::nullopt;
    const auto span = spanOf(graph[value].type.dtype, *shape, strides);
    if (!span) return std::nullopt;
    return StridedView {std::move(strides), *span};
}

Message stridesText(const Graph& graph, ValueId value)
{
    const auto view = stridedView(graph, value);
    return view ? say("strides", describe(view->strides), view->spanBytes) : Message();
}

} // namespace plimsoll
