#include "kernels/onednn/recipe.h"

#include <algorithm>

namespace plimsoll::kernels::onednn {
namespace {

Recipe product(const NodeView& node, const std::vector<Argument>& arguments, const dnnl::memory::desc& bias,
               const dnnl::engine& engine)
{
    const dnnl::matmul::desc operation(arguments[0].layout, arguments[1].layout, bias, arguments[2].layout);
    return recipeOf<dnnl::matmul>(node, operation, arguments, engine);
}

/// [M, K] read from row-major bytes, or from those of its transpose.
dnnl::memory::desc matrix(const NodeView& node, const Shape& stored, bool transposed)
{
    if (!transposed) return node.dense(stored);
    return node.strided({stored[1], stored[0]}, {1, stored[1]});
}

} // namespace

std::optional<Matrices> matricesOf(const NodeView& node, std::size_t leftInput, std::size_t rightInput)
{
    auto left = node.input(leftInput);
    auto right = node.input(rightInput);
    auto target = node.output(0);
    if (!left || !right || !target || left->empty() || right->empty()) return std::nullopt;
    const bool row = left->size() == 1;
    const bool column = right->size() == 1;
    if (row) left->insert(left->begin(), 1);
    if (column) right->push_back(1);
    if (row) target->insert(target->end() - (column ? 0 : 1), 1);
    if (column) target->push_back(1);
    const std::size_t rank = std::max(left->size(), right->size());
    if (rank > 6 || target->size() != rank) return std::nullopt;
    left->insert(left->begin(), rank - left->size(), 1);
    right->insert(right->begin(), rank - right->size(), 1);
    return Matrices {*left, *right, *target};
}

std::optional<Recipe> makeMatMul(const NodeView& node, const dnnl::engine& engine)
{
    const auto matrices = matricesOf(node, 0, 1);
    if (!matrices) return std::nullopt;
    return product(node,
                   {{DNNL_ARG_SRC, 0, false, node.dense(matrices->left)},
                    {DNNL_ARG_WEIGHTS, 1, false, node.dense(matrices->right)},
                    {DNNL_ARG_DST, 0, true, node.dense(matrices->target)}},
                   {}, engine);
}

std::optional<Recipe> makeGemm(const NodeView& node, const dnnl::engine& engine)
{
    const auto left = node.input(0);
    const auto right = node.input(1);
    const auto target = node.output(0);
    if (!left || !right || !target || left->size() != 2 || right->size() != 2) return std::nullopt;
    if (node.real("alpha", 1.0) != 1.0 || node.opset() < 7) return std::nullopt;
    std::vector<Argument> arguments = {
        {DNNL_ARG_SRC, 0, false, matrix(node, *left, node.integer("transA", 0) != 0)},
        {DNNL_ARG_WEIGHTS, 1, false, matrix(node, *right, node.integer("transB", 0) != 0)},
        {DNNL_ARG_DST, 0, true, node.dense(*target)}};
    dnnl::memory::desc bias;
    if (node.hasInput(2)) {
        auto shape = node.input(2);
        if (!shape || shape->size() > 2 || node.real("beta", 1.0) != 1.0) return std::nullopt;
        shape->insert(shape->begin(), 2 - shape->size(), 1);
        bias = node.dense(*shape);
        arguments.push_back({DNNL_ARG_BIAS, 2, false, bias});
    }
    return product(node, arguments, bias, engine);
}

} // namespace plimsoll::kernels::onednn
