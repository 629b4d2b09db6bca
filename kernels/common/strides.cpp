#include "kernels/common/strides.h"

#include <algorithm>

namespace plimsoll::kernels {

Shape rowMajorStrides(const Shape& shape)
{
    Shape strides(shape.size());
    std::int64_t stride = 1;
    for (std::size_t d = shape.size(); d-- > 0;) {
        strides[d] = stride;
        stride *= shape[d];
    }
    return strides;
}

std::optional<Shape> broadcastShape(const Shape& a, const Shape& b)
{
    Shape result(std::max(a.size(), b.size()));
    for (std::size_t back = 1; back <= result.size(); ++back) {
        const std::int64_t sizeA = back <= a.size() ? a[a.size() - back] : 1;
        const std::int64_t sizeB = back <= b.size() ? b[b.size() - back] : 1;
        if (sizeA != sizeB && sizeA != 1 && sizeB != 1) return std::nullopt;
        result[result.size() - back] = sizeA == 1 ? sizeB : sizeA;
    }
    return result;
}

Shape broadcastStrides(const Shape& from, const Shape& to)
{
    const Shape dense = rowMajorStrides(from);
    Shape strides(to.size(), 0);
    for (std::size_t back = 1; back <= from.size(); ++back) {
        if (from[from.size() - back] != 1) strides[to.size() - back] = dense[from.size() - back];
    }
    return strides;
}

RowWalk::RowWalk(const Shape& shape, const std::vector<Shape>& strides)
    : m_strides(strides.size()), m_steps(strides.size(), 0), m_offsets(strides.size(), 0)
{
    m_valid = std::find(shape.begin(), shape.end(), 0) == shape.end();
    // Joined dimensions, innermost last; a dimension joins the one inside it when every operand steps evenly over both.
    Shape sizes;
    std::vector<Shape> joined(strides.size());
    for (std::size_t d = shape.size(); d-- > 0;) {
        if (shape[d] == 1) continue;
        bool even = !sizes.empty();
        for (std::size_t k = 0; even && k < strides.size(); ++k) {
            even = strides[k][d] == joined[k].back() * sizes.back();
        }
        if (even) {
            sizes.back() *= shape[d];
            continue;
        }
        sizes.push_back(shape[d]);
        for (std::size_t k = 0; k < strides.size(); ++k)
            joined[k].push_back(strides[k][d]);
    }
    if (sizes.empty()) return;
    m_count = sizes.front();
    m_outer.assign(sizes.rbegin(), sizes.rend() - 1);
    m_position.assign(m_outer.size(), 0);
    for (std::size_t k = 0; k < strides.size(); ++k) {
        m_steps[k] = joined[k].front();
        m_strides[k].assign(joined[k].rbegin(), joined[k].rend() - 1);
    }
}

void RowWalk::advance()
{
    for (std::size_t d = m_outer.size(); d-- > 0;) {
        const bool carry = ++m_position[d] == m_outer[d];
        const std::int64_t steps = carry ? 1 - m_outer[d] : 1;
        for (std::size_t k = 0; k < m_offsets.size(); ++k)
            m_offsets[k] += steps * m_strides[k][d];
        if (!carry) return;
        m_position[d] = 0;
    }
    m_valid = false;
}

IndexWalk::IndexWalk(Shape shape) : m_shape(std::move(shape)), m_index(m_shape.size(), 0)
{
    m_valid = std::find(m_shape.begin(), m_shape.end(), 0) == m_shape.end();
}

void IndexWalk::advance()
{
    for (std::size_t d = m_shape.size(); d-- > 0;) {
        if (++m_index[d] < m_shape[d]) return;
        m_index[d] = 0;
    }
    m_valid = false;
}

AxisSplit splitAt(const Shape& shape, std::int64_t axis)
{
    const auto at = static_cast<std::size_t>(axis);
    return {productOf(shape, 0, at), shape[at], productOf(shape, at + 1, shape.size())};
}

std::int64_t productOf(const Shape& shape, std::size_t begin, std::size_t end)
{
    std::int64_t product = 1;
    for (std::size_t d = begin; d < end && d < shape.size(); ++d)
        product *= shape[d];
    return product;
}

double loopPasses(const Shape& lengths)
{
    double passes = 1;
    for (const std::int64_t length : lengths)
        passes *= static_cast<double>(length);
    return passes;
}

Reduction reductionOver(const Shape& shape, const std::vector<bool>& reduced, bool keepDims)
{
    Reduction reduction;
    const Shape dense = rowMajorStrides(shape);
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (!reduced[d]) {
            reduction.kept.push_back(shape[d]);
            reduction.keptStrides.push_back(dense[d]);
        } else {
            reduction.gone.push_back(shape[d]);
            reduction.goneStrides.push_back(dense[d]);
        }
        if (!reduced[d] || keepDims) reduction.outShape.push_back(reduced[d] ? 1 : shape[d]);
    }
    return reduction;
}

} // namespace plimsoll::kernels
