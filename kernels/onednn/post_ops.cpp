#include "kernels/onednn/recipe.h"

namespace plimsoll::kernels::onednn {
namespace {

/// Translates what is fused into a node, one operation after the other.
class Translation
{
public:
    explicit Translation(const NodeView& node) : m_node(node), m_next(node.inputCount()) {}

    /// Whether there is one that means the same.
    bool add(const FusedNode& fused)
    {
        const NodeView view(m_node.graph(), fused.node);
        if (view.output(0) != m_node.output(0)) return false;
        const auto function = fused.input == 0 ? eltwiseOf(view) : std::nullopt;
        if (function) m_operations.append_eltwise(1.0F, function->kind, function->alpha, function->beta);
        const bool done = function || addBinary(view, fused.input);
        m_next += view.inputCount() - 1;
        ++m_count;
        return done;
    }

    [[nodiscard]] const dnnl::post_ops& operations() const { return m_operations; }
    [[nodiscard]] PostOps arguments() && { return std::move(m_found); }

private:
    bool addBinary(const NodeView& view, int input)
    {
        const auto operation = binaryOf(view, static_cast<std::size_t>(input));
        if (!operation) return false;
        const std::size_t other = 1 - operation->first;
        if (m_node.wish().sumInto == m_next) {
            const bool sums = operation->kind == dnnl::algorithm::binary_add && view.input(other) == view.output(0);
            if (sums) m_operations.append_sum(1.0F);
            return sums;
        }
        const Shape spread = spreadTo(*view.input(other), view.output(0)->size());
        const dnnl::memory::desc layout = m_node.inputLayout(m_next, spread);
        m_operations.append_binary(operation->kind, layout);
        m_found.arguments.push_back({DNNL_ARG_ATTR_MULTIPLE_POST_OP(m_count) | DNNL_ARG_SRC_1, m_next, false, layout});
        return true;
    }

    const NodeView& m_node;
    std::size_t m_next; ///< The next input that fused nodes read.
    int m_count = 0;
    dnnl::post_ops m_operations;
    PostOps m_found;
};

} // namespace

std::optional<PostOps> takePostOps(NodeView& node)
{
    Translation translation(node);
    for (const FusedNode& fused : node.fused()) {
        if (!translation.add(fused)) return std::nullopt;
    }
    dnnl::primitive_attr attributes;
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    attributes.set_post_ops(translation.operations());
    node.setAttributes(std::move(attributes));
    return std::move(translation).arguments();
}

} // namespace plimsoll::kernels::onednn
