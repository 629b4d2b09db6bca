#include "kernels/onednn/recipe.h"

#include <algorithm>
#include <array>

namespace plimsoll::kernels::onednn {
namespace {

using dnnl::algorithm;

struct Operation
{
    std::string_view op;
    algorithm kind;
    bool commutes;
};

constexpr std::array Operations = {
    Operation {"Add", algorithm::binary_add, true}, Operation {"Div", algorithm::binary_div, false},
    Operation {"Max", algorithm::binary_max, true}, Operation {"Min", algorithm::binary_min, true},
    Operation {"Mul", algorithm::binary_mul, true}, Operation {"Sub", algorithm::binary_sub, false},
    Operation {"Sum", algorithm::binary_add, true},
};

} // namespace

Shape spreadTo(Shape shape, std::size_t rank)
{
    if (shape.size() < rank) shape.insert(shape.begin(), rank - shape.size(), 1);
    return shape;
}

/// oneDNN spreads the second operand only: the first must have the shape of the result. Before opset 7 spreading meant
/// something else.
std::optional<Binary> binaryOf(const NodeView& node, std::optional<std::size_t> fixedFirst)
{
    const auto left = node.input(0);
    const auto right = node.input(1);
    const auto target = node.output(0);
    if (!node.node().domain.empty() || node.inputCount() != 2 || !left || !right || !target) return std::nullopt;
    const auto found =
        std::find_if(Operations.begin(), Operations.end(), [&](const Operation& o) { return o.op == node.node().op; });
    if (found == Operations.end() || (node.opset() < 7 && left != right)) return std::nullopt;
    const std::size_t first = fixedFirst.value_or(left == target ? 0 : 1);
    if ((first == 0 ? left : right) != target || (first == 1 && !found->commutes)) return std::nullopt;
    return Binary {found->kind, first};
}

std::optional<Recipe> makeBinary(const NodeView& node, const dnnl::engine& engine)
{
    const auto operation = binaryOf(node);
    if (!operation) return std::nullopt;
    const std::size_t first = operation->first;
    const Shape target = *node.output(0);
    const Shape spread = spreadTo(*node.input(1 - first), target.size());
    const std::vector<Argument> arguments = {{DNNL_ARG_SRC_0, first, false, node.inputLayout(first, target)},
                                             {DNNL_ARG_SRC_1, 1 - first, false, node.inputLayout(1 - first, spread)},
                                             {DNNL_ARG_DST, 0, true, node.outputLayout(0, target)}};
    const dnnl::binary::desc wanted(operation->kind, arguments[0].layout, arguments[1].layout, arguments[2].layout);
    Recipe recipe = recipeOf<dnnl::binary>(node, wanted, arguments, engine);
    recipe.inPlace = {{0, static_cast<int>(first)}};
    return recipe;
}

} // namespace plimsoll::kernels::onednn
