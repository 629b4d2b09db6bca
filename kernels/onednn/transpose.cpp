#include "kernels/onednn/recipe.h"

#include <algorithm>
#include <numeric>

namespace plimsoll::kernels::onednn {
namespace {

/// The source's axes in the order of the result; reversed where nothing is said.
std::optional<Shape> permutationOf(const NodeView& node, std::size_t rank)
{
    Shape reversed(rank);
    std::iota(reversed.rbegin(), reversed.rend(), std::int64_t {0});
    Shape permutation = node.integers("perm", reversed);
    std::vector<bool> named(rank, false);
    for (std::int64_t& axis : permutation) {
        axis += axis < 0 ? static_cast<std::int64_t>(rank) : 0;
        if (axis < 0 || axis >= static_cast<std::int64_t>(rank) || named[static_cast<std::size_t>(axis)])
            return std::nullopt;
        named[static_cast<std::size_t>(axis)] = true;
    }
    return permutation.size() == rank ? std::optional(permutation) : std::nullopt;
}

/// Neighbours that change places: [outer, first, second, inner] becomes [outer, second, first, inner].
struct Swap
{
    std::int64_t outer = 1;
    std::int64_t first = 1;
    std::int64_t second = 1;
    std::int64_t inner = 1;
};

std::optional<Swap> swapOf(const Shape& shape, const Shape& permutation)
{
    const auto rank = static_cast<std::int64_t>(shape.size());
    const auto at = [](const Shape& list, std::int64_t i) { return list[static_cast<std::size_t>(i)]; };
    std::int64_t begin = 0;
    std::int64_t end = rank;
    while (begin < rank && at(permutation, begin) == begin)
        ++begin;
    while (end > begin && at(permutation, end - 1) == end - 1)
        --end;
    if (begin == end) return std::nullopt; // nothing moves
    const std::int64_t middle = at(permutation, begin);
    for (std::int64_t i = begin; i < end; ++i) {
        if (at(permutation, i) != begin + (i - begin + middle - begin) % (end - begin)) return std::nullopt;
    }
    Swap swap;
    for (std::int64_t axis = 0; axis < rank; ++axis)
        (axis < begin    ? swap.outer
         : axis < middle ? swap.first
         : axis < end    ? swap.second
                         : swap.inner) *= at(shape, axis);
    return swap;
}

Recipe shuffle(const NodeView& node, const Swap& swap, const dnnl::engine& engine)
{
    constexpr int Channels = 1;
    const dnnl::memory::desc rows = node.dense({swap.outer, swap.first * swap.second, swap.inner, 1});
    const dnnl::shuffle_forward::desc operation(dnnl::prop_kind::forward_inference, rows, Channels,
                                                static_cast<int>(swap.second));
    const dnnl::shuffle_forward::primitive_desc description(operation, engine, node.attributes());
    Recipe recipe = finishRecipe<dnnl::shuffle_forward>(description, fromTo(rows, rows));
    recipe.name = "shuffle:" + recipe.name;
    return recipe;
}

/// The result by the axes of the source.
Recipe moving(const NodeView& node, const Shape& shape, const Shape& permutation, const dnnl::engine& engine)
{
    const Shape along = denseStrides(*node.output(0));
    Shape strides(shape.size());
    for (std::size_t i = 0; i < permutation.size(); ++i)
        strides[static_cast<std::size_t>(permutation[i])] = along[i];
    const dnnl::memory::desc from = node.dense(shape);
    const dnnl::memory::desc to = node.strided(shape, strides);
    const dnnl::reorder::primitive_desc description(engine, from, engine, to, node.attributes());
    return finishRecipe<dnnl::reorder>(description, fromTo(from, to));
}

} // namespace

std::optional<Recipe> makeTranspose(const NodeView& node, const dnnl::engine& engine)
{
    const auto shape = node.input(0);
    const auto target = node.output(0);
    const auto permutation = shape ? permutationOf(node, shape->size()) : std::nullopt;
    if (!permutation || !target || target->size() != shape->size()) return std::nullopt;
    if (std::is_sorted(permutation->begin(), permutation->end())) return std::nullopt;
    const auto swap = swapOf(*shape, *permutation);
    // Channels in groups change places as whole rows. oneDNN 2.6 does so quickly along the second of four axes, where
    // rows are long and of floats; for all else its reorder is quicker.
    constexpr std::int64_t LongRow = 16;
    if (swap && swap->inner >= LongRow && !isByte(node.dtype())) return shuffle(node, *swap, engine);
    return moving(node, *shape, *permutation, engine);
}

} // namespace plimsoll::kernels::onednn
