#include "kernels/onednn/layouts.h"

#include "core/base/narrow.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace plimsoll::kernels::onednn {
namespace {

Shape unitsOf(const Layout& layout, std::size_t rank)
{
    Shape units(rank, 1);
    for (const Layout::Block& block : layout.blocks)
        units[block.axis] *= block.size;
    return units;
}

/// Outer axes by their strides, the widest first. Of equal strides an axis of one block only stands inside: oneDNN
/// knows weights again by all of their strides.
std::vector<std::size_t> orderOf(const dnnl_memory_desc_t& data, const Shape& units)
{
    std::vector<std::size_t> order(static_cast<std::size_t>(data.ndims));
    std::iota(order.begin(), order.end(), std::size_t {0});
    const auto stride = [&data](std::size_t axis) { return data.format_desc.blocking.strides[axis]; };
    const auto count = [&](std::size_t axis) { return data.padded_dims[axis] / units[axis]; };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return stride(a) != stride(b) ? stride(a) > stride(b) : count(a) > count(b);
    });
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

/// Sums over weights that stand behind them, so that a primitive can take back what it does to its source.
struct Extra
{
    std::string_view name;
    std::uint64_t flags;
    int dnnl_memory_extra_desc_t::*mask; ///< Of the axes that it has a number for.
};
constexpr std::array Extras = {
    Extra {"+s8s8", dnnl_memory_extra_flag_compensation_conv_s8s8, &dnnl_memory_extra_desc_t::compensation_mask},
    Extra {"+s8s8x1", dnnl_memory_extra_flag_compensation_conv_s8s8 | dnnl_memory_extra_flag_scale_adjust,
           &dnnl_memory_extra_desc_t::compensation_mask},
    Extra {"+zero", dnnl_memory_extra_flag_compensation_conv_asymmetric_src,
           &dnnl_memory_extra_desc_t::asymm_compensation_mask},
};
constexpr std::string_view AxisLetters = "abcdefghijkl";

std::optional<std::string> extrasName(const dnnl_memory_extra_desc_t& extra)
{
    if ((extra.flags & dnnl_memory_extra_flag_scale_adjust) != 0 && extra.scale_adjust != 1.0F) return std::nullopt;
    std::string name;
    std::uint64_t left = extra.flags;
    for (auto one = Extras.rbegin(); one != Extras.rend(); ++one) { // the one with more flags first
        if ((left & one->flags) != one->flags) continue;
        std::string text = std::string(one->name) + '(';
        for (std::size_t axis = 0; axis < AxisLetters.size(); ++axis) {
            if (extra.*one->mask & (1 << axis)) text += AxisLetters[axis];
        }
        name.insert(0, text + ')');
        left &= ~one->flags;
    }
    return left == 0 ? std::optional(name) : std::nullopt;
}

/// One of them at the front of \p text, taken off it.
bool takeExtra(std::string_view& text, dnnl_memory_extra_desc_t& extra)
{
    const std::size_t open = text.find('(');
    const std::size_t close = text.find(')');
    const auto one = std::find_if(Extras.begin(), Extras.end(),
                                  [&](const Extra& known) { return known.name == text.substr(0, open); });
    if (one == Extras.end() || open == std::string_view::npos || close == std::string_view::npos) return false;
    for (const char letter : text.substr(open + 1, close - open - 1)) {
        const std::size_t axis = AxisLetters.find(letter);
        if (axis == std::string_view::npos) return false;
        extra.*one->mask |= 1 << axis;
    }
    extra.flags |= one->flags;
    if ((one->flags & dnnl_memory_extra_flag_scale_adjust) != 0) extra.scale_adjust = 1.0F;
    text.remove_prefix(close + 1);
    return true;
}

} // namespace

dnnl::memory::data_type typeOf(DType dtype)
{
    using Type = dnnl::memory::data_type;
    constexpr std::array<std::pair<DType, Type>, 5> Types = {{{DType::Float32, Type::f32},
                                                              {DType::BFloat16, Type::bf16},
                                                              {DType::Int32, Type::s32},
                                                              {DType::Int8, Type::s8},
                                                              {DType::UInt8, Type::u8}}};
    const auto found = std::find_if(Types.begin(), Types.end(), [&](const auto& pair) { return pair.first == dtype; });
    return found == Types.end() ? Type::undef : found->second;
}

bool carriesMore(std::string_view layout)
{
    return layout.find('+') != std::string_view::npos;
}

std::optional<dnnl::memory::desc> descriptionOf(const std::string& layout, const Shape& shape,
                                                dnnl::memory::data_type type)
{
    const std::size_t elements = std::min(layout.find('+'), layout.size());
    const auto parsed = layoutFromName(layout.substr(0, elements), shape.size());
    const auto padded = parsed ? paddedShape(*parsed, shape) : std::nullopt;
    if (!padded || shape.empty() || shape.size() > DNNL_MAX_NDIMS || parsed->blocks.size() > DNNL_MAX_NDIMS)
        return std::nullopt;
    if (type == dnnl::memory::data_type::undef) return std::nullopt;
    dnnl_memory_desc_t data {};
    data.ndims = narrow<int>(shape.size());
    data.data_type = dnnl::memory::convert_to_c(type);
    data.format_kind = dnnl_blocked;
    const std::vector<std::int64_t> strides = blockStrides(*parsed, *padded);
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        data.dims[axis] = shape[axis];
        data.padded_dims[axis] = (*padded)[axis];
        data.format_desc.blocking.strides[axis] = strides[axis];
    }
    data.format_desc.blocking.inner_nblks = narrow<int>(parsed->blocks.size());
    for (std::size_t i = 0; i < parsed->blocks.size(); ++i) {
        data.format_desc.blocking.inner_blks[i] = parsed->blocks[i].size;
        data.format_desc.blocking.inner_idxs[i] = static_cast<dnnl_dim_t>(parsed->blocks[i].axis);
    }
    for (std::string_view rest = std::string_view(layout).substr(elements); !rest.empty();) {
        if (!takeExtra(rest, data.extra)) return std::nullopt;
    }
    return dnnl::memory::desc(data);
}

std::optional<std::string> nameOf(const dnnl::memory::desc& description, bool asImage)
{
    const dnnl_memory_desc_t& data = description.data;
    const bool isBlocked = data.format_kind == dnnl_blocked && data.offset0 == 0;
    const auto extras = extrasName(data.extra);
    if (!isBlocked || !extras || data.ndims > 12) return std::nullopt;
    Layout layout = blocksOf(data);
    layout.order.resize(static_cast<std::size_t>(data.ndims));
    std::iota(layout.order.begin(), layout.order.end(), std::size_t {0});
    const bool mayBePlain = layout.blocks.empty() && extras->empty();
    if (!mayBePlain || !describes(layout, data)) layout.order = orderOf(data, unitsOf(layout, layout.order.size()));
    if (!describes(layout, data)) return std::nullopt;
    return layoutName(layout, asImage) + *extras;
}

} // namespace plimsoll::kernels::onednn
