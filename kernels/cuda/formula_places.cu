#include "core/ops/dims.h"
#include "kernels/cuda/cuda_formula.h"
#include "kernels/cuda/cumulative.h"
#include "kernels/cuda/indexed.h"

#include <algorithm>

/// Functions of formulas that look at where an element lies: picking at indices, sums that run along an axis, cross
/// products.
namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {
namespace {

using Arguments = std::span<const Part>;

Result<Indices> indicesOf(const DeviceScope& scope, const Part& indices)
{
    if (indices.number || !isIndex(indices.dtype)) return decline(scope.call(), "its indices are not there");
    return Indices {indices.data, indices.dtype == DType::Int64, scope.queue().fault};
}

Result<std::size_t> axisOf(const DeviceScope& scope, const Shape& shape)
{
    PLIMSOLL_ASSIGN(axis, normalAxis(scope.call(), intAttribute(scope.call(), "axis", 0), shape.size()));
    return static_cast<std::size_t>(axis);
}

/// Slices of the first argument.
Result<Part> pick(const DeviceScope& scope, Arguments x)
{
    PLIMSOLL_ASSIGN(indices, indicesOf(scope, x[1]));
    PLIMSOLL_ASSIGN(axis, axisOf(scope, x[0].shape));
    PLIMSOLL_ASSIGN(g, scope.written(x[0], x[0].shape));
    const AxisSplit split = splitAt(g.shape, static_cast<std::int64_t>(axis));
    Shape shape = g.shape;
    shape[axis] = x[1].elements();
    PLIMSOLL_ASSIGN(data, scope.room(shape));
    gatherAlong<float>(scope.queue(), indices, x[1].elements(), split, g.floats(), data);
    return Part {shape, DType::Float32, data};
}

Result<Part> pickElements(const DeviceScope& scope, Arguments x)
{
    PLIMSOLL_ASSIGN(indices, indicesOf(scope, x[1]));
    PLIMSOLL_ASSIGN(axis, axisOf(scope, x[0].shape));
    PLIMSOLL_ASSIGN(g, scope.written(x[0], x[0].shape));
    PLIMSOLL_ASSIGN(data, scope.room(x[1].shape));
    if (!gatherElementsAlong<float>(scope.queue(), indices, x[1].shape, axis, g.floats(), g.shape, data))
        return decline(scope.call(), "its indices do not fit");
    return Part {x[1].shape, DType::Float32, data};
}

/// The sum runs the other way. Its axis is a constant of the graph.
Result<Part> cumsumBack(const DeviceScope& scope, Arguments x)
{
    const std::vector<std::string> names = textsAttribute(scope.call(), "grad.names");
    const auto input = std::find(names.begin(), names.end(), "axis");
    if (input == names.end()) return decline(scope.call(), "its axis is not there");
    const auto index = static_cast<std::size_t>(input - names.begin());
    PLIMSOLL_TRY(scope.call().readOnHost(index));
    PLIMSOLL_ASSIGN(axis, normalAxis(scope.call(), intInput(scope.call(), index, 0), x[0].shape.size()));
    PLIMSOLL_ASSIGN(g, scope.written(x[0], x[0].shape));
    PLIMSOLL_ASSIGN(data, scope.room(g.shape));
    sumAlong<float>(scope.queue(), splitAt(g.shape, axis), g.floats(), data,
                    intAttribute(scope.call(), "exclusive", 0) != 0, intAttribute(scope.call(), "reverse", 0) == 0);
    return Part {g.shape, DType::Float32, data};
}

struct CrossBody
{
    const float* a;
    const float* b;
    float* y;
    std::int64_t inner; ///< Elements behind the axis of three.

    PLIMSOLL_DEVICE float read(std::int64_t i) const
    {
        const std::int64_t part = i / inner % 3;
        const std::int64_t next = i + ((part + 1) % 3 - part) * inner;
        const std::int64_t last = i + ((part + 2) % 3 - part) * inner;
        return a[next] * b[last] - a[last] * b[next];
    }
    PLIMSOLL_DEVICE void write(std::int64_t i, float value) const { y[i] = value; }
};

Result<Part> cross(const DeviceScope& scope, Arguments x)
{
    const auto full = broadcast(x[0].shape, x[1].shape);
    if (!full) return decline(scope.call(), "two shapes do not meet");
    PLIMSOLL_ASSIGN(axis, normalAxis(scope.call(), intAttribute(scope.call(), "dim", -1), full->size()));
    if ((*full)[static_cast<std::size_t>(axis)] != 3)
        return decline(scope.call(), "a cross product needs an axis of 3");
    PLIMSOLL_ASSIGN(a, scope.written(x[0], *full));
    PLIMSOLL_ASSIGN(b, scope.written(x[1], *full));
    PLIMSOLL_ASSIGN(data, scope.room(*full));
    const Part made {*full, DType::Float32, data};
    forEach(scope.queue(), made.elements(), CrossBody {a.floats(), b.floats(), data, splitAt(*full, axis).inner});
    return made;
}

constexpr DeviceFunctionEntry Table[] = {
    {"cross", cross},
    {"cumsum_back", cumsumBack},
    {"pick", pick},
    {"pick_elements", pickElements},
};

} // namespace

std::span<const DeviceFunctionEntry> placeFunctions()
{
    return Table;
}

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
