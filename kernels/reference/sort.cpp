#include "kernels/common/call_tools.h"
#include "kernels/common/moved_elements.h"
#include "kernels/common/numbers.h"
#include "kernels/reference/kernel_families.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

namespace plimsoll::kernels {
namespace {

/// NaN behind every number, so that the order is total.
template <typename T>
bool before(const T& a, const T& b)
{
    if constexpr (std::is_floating_point_v<T>) {
        if (std::isnan(a) || std::isnan(b)) return !std::isnan(a);
    }
    return a < b;
}

template <typename T>
void chooseBest(const TensorView& x, const AxisSplit& split, bool largest, const TensorView& values,
                const TensorView& indices)
{
    const Reader<T> in(x);
    Writer<T> out(values);
    const std::int64_t k =
        split.size == 0 ? 0 : values.elements() / std::max<std::int64_t>(split.outer * split.inner, 1);
    std::vector<std::int64_t> order(static_cast<std::size_t>(split.size));
    for (std::int64_t o = 0; o < split.outer * split.inner; ++o) {
        const T* slice = in.data() + o / split.inner * split.size * split.inner + o % split.inner;
        std::iota(order.begin(), order.end(), std::int64_t {0});
        const auto better = [&](std::int64_t a, std::int64_t b) {
            const T& left = slice[a * split.inner];
            const T& right = slice[b * split.inner];
            if (largest ? before(right, left) : before(left, right)) return true;
            if (largest ? before(left, right) : before(right, left)) return false;
            return a < b;
        };
        std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(k), order.end(), better);
        for (std::int64_t i = 0; i < k; ++i) {
            const std::int64_t to = (o / split.inner * k + i) * split.inner + o % split.inner;
            out[to] = slice[order[static_cast<std::size_t>(i)] * split.inner];
            indices.as<std::int64_t>()[to] = order[static_cast<std::size_t>(i)];
        }
    }
}

Status topK(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(axis, normalAxis(call, intAttribute(call, "axis", -1), x.shape.size()));
    const std::int64_t k = intInput(call, 1, intAttribute(call, "k", 0));
    Shape shape = x.shape;
    const AxisSplit split = splitAt(shape, axis);
    if (k < 0 || k > split.size) return refuse(call, say("kernel.k", word::Number(k), describe(x)));
    if (!visitNumeric(x.dtype, []<typename T>() {})) return refuseType(call, x.dtype);
    shape[static_cast<std::size_t>(axis)] = k;
    const HostTensor unread(DType::Int64, call.wantsOutput(1) ? Shape {0} : shape);
    PLIMSOLL_ASSIGN(values, call.output(0, x.dtype, shape));
    TensorView indices = unread.view();
    if (call.wantsOutput(1)) {
        PLIMSOLL_ASSIGN(asked, call.output(1, DType::Int64, shape));
        indices = asked;
    }
    const bool largest = intAttribute(call, "largest", 1) != 0;
    visitNumeric(x.dtype, [&]<typename T>() { chooseBest<T>(x, split, largest, values, indices); });
    return {};
}

/// Slices along an axis (or single elements), each kind once.
struct Kinds
{
    std::vector<std::int64_t> first;   ///< By kind: its first slice.
    std::vector<std::int64_t> inverse; ///< By slice: its kind.
    std::vector<std::int64_t> counts;  ///< By kind.
};

/// In order of their content, or as they come.
template <typename T>
Kinds findKinds(const T* data, const AxisSplit& split, bool sorted)
{
    const auto element = [&](std::int64_t slice, std::int64_t i) -> const T& {
        return data[(i / split.inner * split.size + slice) * split.inner + i % split.inner];
    };
    const std::int64_t length = split.outer * split.inner;
    const auto less = [&](std::int64_t a, std::int64_t b) {
        for (std::int64_t i = 0; i < length; ++i) {
            if (before(element(a, i), element(b, i))) return true;
            if (before(element(b, i), element(a, i))) return false;
        }
        return false;
    };
    std::vector<std::int64_t> order(static_cast<std::size_t>(split.size));
    std::iota(order.begin(), order.end(), std::int64_t {0});
    std::stable_sort(order.begin(), order.end(), less);
    Kinds kinds;
    kinds.inverse.resize(order.size()); // for now, by slice: the first of its kind
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (i == 0 || less(order[i - 1], order[i])) kinds.first.push_back(order[i]);
        kinds.inverse[static_cast<std::size_t>(order[i])] = kinds.first.back();
    }
    if (!sorted) std::sort(kinds.first.begin(), kinds.first.end());
    std::vector<std::int64_t> kindOf(order.size()); // by the first slice of a kind
    for (std::size_t kind = 0; kind < kinds.first.size(); ++kind)
        kindOf[static_cast<std::size_t>(kinds.first[kind])] = static_cast<std::int64_t>(kind);
    kinds.counts.resize(kinds.first.size());
    for (std::int64_t& kind : kinds.inverse) {
        kind = kindOf[static_cast<std::size_t>(kind)];
        ++kinds.counts[static_cast<std::size_t>(kind)];
    }
    return kinds;
}

Status unique(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    AxisSplit split {1, x.elements(), 1};
    Shape shape {0};
    std::size_t at = 0;
    if (hasAttribute(call, "axis")) {
        PLIMSOLL_ASSIGN(axis, normalAxis(call, intAttribute(call, "axis", 0), x.shape.size()));
        split = splitAt(x.shape, axis);
        shape = x.shape;
        at = static_cast<std::size_t>(axis);
    }
    const bool sorted = intAttribute(call, "sorted", 1) != 0;
    Kinds kinds;
    if (x.dtype == DType::String) {
        kinds = findKinds(x.as<const std::string>(), split, sorted);
    } else if (!visitNumericOrBool(x.dtype,
                                   [&]<typename T>() { kinds = findKinds(Reader<T>(x).data(), split, sorted); })) {
        return refuseType(call, x.dtype);
    }
    const auto count = static_cast<std::int64_t>(kinds.first.size());
    shape[at] = count;
    PLIMSOLL_ASSIGN(out, call.output(0, x.dtype, shape));
    for (std::int64_t k = 0; k < count; ++k) {
        copyRegion({x, kinds.first[static_cast<std::size_t>(k)] * split.inner, {split.size * split.inner, 1}},
                   {out, k * split.inner, {count * split.inner, 1}}, {split.outer, split.inner});
    }
    if (call.wantsOutput(1)) PLIMSOLL_TRY(writeIntegers(call, 1, DType::Int64, {count}, kinds.first));
    if (call.wantsOutput(2)) PLIMSOLL_TRY(writeIntegers(call, 2, DType::Int64, {split.size}, kinds.inverse));
    if (call.wantsOutput(3)) PLIMSOLL_TRY(writeIntegers(call, 3, DType::Int64, {count}, kinds.counts));
    return {};
}

constexpr KernelEntry SortKernels[] = {
    {"", "TopK", topK},
    {"", "Unique", unique},
};

} // namespace

constinit const KernelTable sortKernels = SortKernels;

} // namespace plimsoll::kernels
