#include "kernels/onednn/layouts.h"

#include <algorithm>
#include <numeric>

namespace plimsoll::kernels::onednn {
namespace {

/// Outer axes by their strides, the widest first. Axes of one block only may stand anywhere: they stay where a
/// row-major tensor has them.
std::vector<std::size_t> orderOf(const dnnl_memory_desc_t& data)
{
    std::vector<std::size_t> order(static_cast<std::size_t>(data.ndims));
    std::iota(order.begin(), order.end(), std::size_t {0});
    const auto stride = [&data](std::size_t axis) { return data.format_desc.blocking.strides[axis]; };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return stride(a) > stride(b); });
    return order;
}

Layout blocksOf(const dnnl_memory_desc_t& data)
{
    Layout layout;
    const dnnl_blocking_desc_t& blocking = data.format_desc.blocking;
    for (int i = 0; i < blocking.inner_nblks; ++i)
        layout.blocks.push_back({static_cast<std::size_t>(blocking.inner_idxs[i]), blocking.inner_blks[i]});
    return layout;
}

Shape unitsOf(const Layout& layout, std::size_t rank)
{
    Shape units(rank, 1);
    for (const Layout::Block& block : layout.blocks)
        units[block.axis] *= block.size;
    return units;
}

/// Whether the strides are those of the layout, wherever there is more than one block along the axis.
bool describes(const Layout& layout, const dnnl_memory_desc_t& data)
{
    const Shape padded(data.padded_dims, data.padded_dims + data.ndims);
    const Shape units = unitsOf(layout, padded.size());
    const std::vector<std::int64_t> strides = blockStrides(layout, padded);
    for (std::size_t axis = 0; axis < padded.size(); ++axis) {
        const bool matters = padded[axis] != units[axis];
        if (padded[axis] % units[axis] != 0 || (matters && strides[axis] != data.format_desc.blocking.strides[axis]))
            return false;
    }
    return paddedShape(layout, Shape(data.dims, data.dims + data.ndims)) == padded;
}

} // namespace

dnnl::memory::data_type typeOf(DType dtype)
{
    return dtype == DType::BFloat16 ? dnnl::memory::data_type::bf16 : dnnl::memory::data_type::f32;
}

std::optional<dnnl::memory::desc> descriptionOf(const std::string& layout, const Shape& shape,
                                                dnnl::memory::data_type type)
{
    const auto parsed = layoutFromName(layout, shape.size());
    const auto padded = parsed ? paddedShape(*parsed, shape) : std::nullopt;
    if (!padded || shape.empty() || shape.size() > DNNL_MAX_NDIMS || parsed->blocks.size() > DNNL_MAX_NDIMS)
        return std::nullopt;
    dnnl_memory_desc_t data {};
    data.ndims = static_cast<int>(shape.size());
    data.data_type = dnnl::memory::convert_to_c(type);
    data.format_kind = dnnl_blocked;
    const std::vector<std::int64_t> strides = blockStrides(*parsed, *padded);
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        data.dims[axis] = shape[axis];
        data.padded_dims[axis] = (*padded)[axis];
        data.format_desc.blocking.strides[axis] = strides[axis];
    }
    data.format_desc.blocking.inner_nblks = static_cast<int>(parsed->blocks.size());
    for (std::size_t i = 0; i < parsed->blocks.size(); ++i) {
        data.format_desc.blocking.inner_blks[i] = parsed->blocks[i].size;
        data.format_desc.blocking.inner_idxs[i] = static_cast<dnnl_dim_t>(parsed->blocks[i].axis);
    }
    return dnnl::memory::desc(data);
}

std::optional<std::string> nameOf(const dnnl::memory::desc& description, bool asImage)
{
    const dnnl_memory_desc_t& data = description.data;
    const bool isBlocked = data.format_kind == dnnl_blocked && data.offset0 == 0 && data.extra.flags == 0;
    if (!isBlocked || data.ndims > 12) return std::nullopt;
    Layout layout = blocksOf(data);
    layout.order.resize(static_cast<std::size_t>(data.ndims));
    std::iota(layout.order.begin(), layout.order.end(), std::size_t {0});
    if (!describes(layout, data)) layout.order = orderOf(data);
    if (!describes(layout, data)) return std::nullopt;
    return layoutName(layout, asImage);
}

} // namespace plimsoll::kernels::onednn
