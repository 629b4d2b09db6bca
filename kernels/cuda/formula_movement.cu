#include "kernels/cuda/formula.h"
#include "kernels/cuda/region.h"
#include "kernels/reference/pad.h"
#include "kernels/reference/slice.h"

#include <algorithm>
#include <numeric>

/// Gradients of what only moves elements: they are moved back, and what was left out or filled in gets 0.
namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {
namespace {

/// The forward node as far as it can be told from the backward one, for the functions that read settings: its inputs
/// are constants, and lie on the host.
class ForwardSettings final : public KernelCall
{
public:
    explicit ForwardSettings(DeviceCall& call) : m_call(call) {}

    Status read(const DeviceScope& scope)
    {
        const std::vector<std::string> names = textsAttribute(m_call, "grad.names");
        for (const std::string& name : textsAttribute(m_call, "grad.arguments")) {
            RuntimeValue& value = m_inputs.emplace_back();
            const auto found = std::find(names.begin(), names.end(), name);
            if (found == names.end() || name == scope.variable()) continue;
            const auto index = static_cast<std::size_t>(found - names.begin());
            PLIMSOLL_TRY(m_call.readOnHost(index));
            value = m_call.input(index);
        }
        return {};
    }
    [[nodiscard]] const Graph& graph() const override { return m_call.graph(); }
    [[nodiscard]] const Node& node() const override { return m_call.node(); }
    [[nodiscard]] std::int64_t opset() const override { return opsetVersion(graph(), ""); }
    [[nodiscard]] const RuntimeValue& input(std::size_t index) const override
    {
        return index < m_inputs.size() ? m_inputs[index] : m_absent;
    }
    [[nodiscard]] std::size_t inputCount() const override { return m_inputs.size(); }
    [[nodiscard]] bool wantsOutput(std::size_t /*index*/) const override { return false; }
    [[nodiscard]] Result<TensorView> output(std::size_t /*index*/, DType /*dtype*/, const Shape& /*shape*/) override
    {
        return decline(m_call, "settings have no outputs");
    }
    Status setOutput(std::size_t /*index*/, RuntimeValue /*value*/) override
    {
        return decline(m_call, "settings have no outputs");
    }
    [[nodiscard]] Result<TensorView> literal(const TensorLiteral& literal) override { return m_call.literal(literal); }
    [[nodiscard]] std::span<std::byte> scratchpad() override { return {}; }
    [[nodiscard]] std::uint64_t seed() const override { return 0; }

private:
    DeviceCall& m_call;
    std::vector<RuntimeValue> m_inputs;
    RuntimeValue m_absent;
};

struct ZeroBody
{
    float* y;
    PLIMSOLL_DEVICE float read(std::int64_t /*i*/) const { return 0; }
    PLIMSOLL_DEVICE void write(std::int64_t i, float zero) const { y[i] = zero; }
};

/// A place in one of two tensors.
struct Place
{
    std::int64_t offset = 0;
    Shape strides;
};

/// A gradient in the making: all zero, then blocks of incoming ones are put into it.
class Target
{
public:
    static Result<Target> make(const DeviceScope& scope)
    {
        Target target(scope);
        PLIMSOLL_ASSIGN(data, scope.room(scope.target()));
        target.m_part = {scope.target(), DType::Float32, data};
        forEach(scope.queue(), target.m_part.elements(), ZeroBody {data});
        return target;
    }
    /// A block of \p shape of an incoming gradient, from one place to another.
    Status put(const Part& g, const Place& from, const Place& to, const Shape& shape)
    {
        return copyRegion(m_scope.call(), {viewOf(g), from.offset, from.strides},
                          {viewOf(m_part), to.offset, to.strides}, shape);
    }
    [[nodiscard]] const Part& part() const { return m_part; }

private:
    explicit Target(const DeviceScope& scope) : m_scope(scope) {}
    static TensorView viewOf(const Part& part) { return {DType::Float32, part.shape, const_cast<void*>(part.data)}; }

    const DeviceScope& m_scope;
    Part m_part;
};

using Moved = Result<Part> (*)(const DeviceScope&, const Part& g);

Result<Part> transposeBack(const DeviceScope& scope, const Part& g)
{
    Shape permutation(g.shape.size());
    std::iota(permutation.rbegin(), permutation.rend(), std::int64_t {0});
    permutation = intsAttribute(scope.call(), "perm").value_or(permutation);
    const Shape dense = rowMajorStrides(scope.target());
    Shape strides;
    for (const std::int64_t axis : permutation) {
        PLIMSOLL_ASSIGN(from, normalAxis(scope.call(), axis, dense.size()));
        strides.push_back(dense[static_cast<std::size_t>(from)]);
    }
    if (strides.size() != g.shape.size()) return decline(scope.call(), "it permutes other dimensions than there are");
    PLIMSOLL_ASSIGN(target, Target::make(scope));
    PLIMSOLL_TRY(target.put(g, {0, rowMajorStrides(g.shape)}, {0, strides}, g.shape));
    return target.part();
}

Result<Part> sliceBack(const DeviceScope& scope, const Part& g)
{
    ForwardSettings settings(scope.call());
    PLIMSOLL_TRY(settings.read(scope));
    PLIMSOLL_ASSIGN(cuts, sliceCuts(settings, {DType::Float32, scope.target(), nullptr}));
    const Shape dense = rowMajorStrides(scope.target());
    Place to;
    for (std::size_t d = 0; d < cuts.size(); ++d) {
        to.strides.push_back(dense[d] * cuts[d].step);
        to.offset += cuts[d].count > 0 ? dense[d] * cuts[d].begin : 0;
    }
    PLIMSOLL_ASSIGN(target, Target::make(scope));
    PLIMSOLL_TRY(target.put(g, {0, rowMajorStrides(g.shape)}, to, g.shape));
    return target.part();
}

/// What was filled in is left out; what was cut off gets 0.
Result<Part> padBack(const DeviceScope& scope, const Part& g)
{
    if (textAttribute(scope.call(), "mode", "constant") != "constant")
        return decline(scope.call(), "a pad that repeats elements");
    ForwardSettings settings(scope.call());
    PLIMSOLL_TRY(settings.read(scope));
    const Shape shape = scope.target();
    PLIMSOLL_ASSIGN(pads, padsOf(settings, {DType::Float32, shape, nullptr}));
    const Shape dense = rowMajorStrides(shape);
    const Shape padded = rowMajorStrides(g.shape);
    Place from {0, padded};
    Place to {0, dense};
    Shape block;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        const std::int64_t cut = std::max<std::int64_t>(-pads[d].first, 0);
        from.offset += std::max<std::int64_t>(pads[d].first, 0) * padded[d];
        to.offset += cut * dense[d];
        block.push_back(std::max<std::int64_t>(shape[d] - cut - std::max<std::int64_t>(-pads[d].second, 0), 0));
    }
    PLIMSOLL_ASSIGN(target, Target::make(scope));
    PLIMSOLL_TRY(target.put(g, from, to, block));
    return target.part();
}

/// Where a part begins along the axis: behind those before it.
Result<Part> concatBack(const DeviceScope& scope, const Part& g)
{
    PLIMSOLL_ASSIGN(axis, normalAxis(scope.call(), intAttribute(scope.call(), "axis", 1), g.shape.size()));
    const auto at = static_cast<std::size_t>(axis);
    std::int64_t begin = 0;
    for (const std::string& name : textsAttribute(scope.call(), "grad.arguments")) {
        if (name == scope.variable()) break;
        const Shape sizes = scope.sizes(name);
        if (sizes.size() != g.shape.size()) return decline(scope.call(), "the size of a part is not known");
        begin += sizes[at];
    }
    const Shape shape = scope.target();
    const Shape strides = rowMajorStrides(g.shape);
    PLIMSOLL_ASSIGN(target, Target::make(scope));
    PLIMSOLL_TRY(target.put(g, {begin * strides[at], strides}, {0, rowMajorStrides(shape)}, shape));
    return target.part();
}

/// Every part that has a gradient goes back to its place.
Result<Part> splitBack(const DeviceScope& scope, const Part& /*first*/)
{
    const Shape shape = scope.target();
    PLIMSOLL_ASSIGN(axis, normalAxis(scope.call(), intAttribute(scope.call(), "axis", 0), shape.size()));
    const auto at = static_cast<std::size_t>(axis);
    const Shape dense = rowMajorStrides(shape);
    PLIMSOLL_ASSIGN(target, Target::make(scope));
    std::int64_t begin = 0;
    for (std::size_t k = 0;; ++k) {
        const std::string name = k == 0 ? "g" : "g" + std::to_string(k);
        if (!hasAttribute(scope.call(), "grad.sizes." + name)) break;
        const Shape sizes = scope.sizes(name);
        if (scope.input(name)) {
            PLIMSOLL_ASSIGN(part, scope.value(name));
            PLIMSOLL_ASSIGN(g, scope.written(part, sizes));
            PLIMSOLL_TRY(target.put(g, {0, rowMajorStrides(sizes)}, {begin * dense[at], dense}, sizes));
        }
        begin += sizes[at];
    }
    return target.part();
}

/// A thread adds up all that came from one column of the rows, in their order.
struct GatherBackBody
{
    const float* g;
    const void* indices;
    bool wide; ///< int64, else int32.
    float* y;
    std::int64_t count; ///< Of indices.
    std::int64_t size;
    std::int64_t inner;

    PLIMSOLL_DEVICE std::int64_t read(std::int64_t column) const { return column; }
    PLIMSOLL_DEVICE void write(std::int64_t /*i*/, std::int64_t column) const
    {
        const std::int64_t outer = column / inner;
        const std::int64_t at = column % inner;
        for (std::int64_t k = 0; k < count; ++k) {
            std::int64_t index =
                wide ? static_cast<const std::int64_t*>(indices)[k] : static_cast<const std::int32_t*>(indices)[k];
            index += index < 0 ? size : 0;
            if (index >= 0 && index < size)
                y[(outer * size + index) * inner + at] += g[(outer * count + k) * inner + at];
        }
    }
};

Result<Part> gatherBack(const DeviceScope& scope, const Part& g)
{
    const TensorView* indices = scope.input("indices");
    const Shape shape = scope.target();
    if (!indices || (indices->dtype != DType::Int64 && indices->dtype != DType::Int32))
        return decline(scope.call(), "its indices are not there");
    PLIMSOLL_ASSIGN(axis, normalAxis(scope.call(), intAttribute(scope.call(), "axis", 0), shape.size()));
    const AxisSplit split = splitAt(shape, axis);
    PLIMSOLL_ASSIGN(target, Target::make(scope));
    auto* data = static_cast<float*>(const_cast<void*>(target.part().data));
    forEach(scope.queue(), indices->elements() > 0 ? split.outer * split.inner : 0,
            GatherBackBody {g.floats(), indices->data, indices->dtype == DType::Int64, data, indices->elements(),
                            split.size, split.inner});
    return target.part();
}

struct MovedBack
{
    std::string_view op;
    Moved run;
};
constexpr MovedBack Operators[] = {
    {"Concat", concatBack}, {"Gather", gatherBack}, {"Pad", padBack},
    {"Slice", sliceBack},   {"Split", splitBack},   {"Transpose", transposeBack},
};

} // namespace

Result<Part> movedBack(const DeviceScope& scope, std::span<const Part> arguments)
{
    for (const MovedBack& moved : Operators) {
        if (moved.op != scope.call().node().op) continue;
        PLIMSOLL_ASSIGN(g, scope.written(arguments[0], scope.sizes("g")));
        return moved.run(scope, g);
    }
    return decline(scope.call(), "its gradient is not moved back");
}

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
