#include "kernels/onednn/recipe.h"

namespace plimsoll::kernels::onednn {
namespace {

template <typename Primitive>
Recipe normalise(const NodeView& node, const Shape& shape, int axis, const dnnl::engine& engine)
{
    const dnnl::memory::desc layout = node.dense(shape);
    const typename Primitive::desc operation(dnnl::prop_kind::forward_inference, layout, axis);
    return recipeOf<Primitive>(node, operation, fromTo(layout, layout), engine, true);
}

std::int64_t product(Shape::const_iterator begin, Shape::const_iterator end)
{
    std::int64_t result = 1;
    for (; begin != end; ++begin)
        result *= *begin;
    return result;
}

} // namespace

std::optional<Recipe> makeSoftmax(const NodeView& node, const dnnl::engine& engine)
{
    auto shape = node.input(0);
    if (!shape || shape != node.output(0) || shape->empty()) return std::nullopt;
    const auto rank = static_cast<std::int64_t>(shape->size());
    const bool flattens = node.opset() < 13;
    std::int64_t axis = node.integer("axis", flattens ? 1 : -1);
    axis = axis < 0 ? axis + rank : axis;
    if (axis < 0 || axis >= rank) return std::nullopt;
    if (flattens) {
        const auto split = shape->begin() + axis;
        shape = Shape {product(shape->begin(), split), product(split, shape->end())};
        axis = 1;
    }
    const bool isLog = node.node().op == "LogSoftmax";
    return isLog ? normalise<dnnl::logsoftmax_forward>(node, *shape, static_cast<int>(axis), engine)
                 : normalise<dnnl::softmax_forward>(node, *shape, static_cast<int>(axis), engine);
}

} // namespace plimsoll::kernels::onednn
