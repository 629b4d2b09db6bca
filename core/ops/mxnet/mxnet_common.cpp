#include "core/ops/counterpart_node.h"
#include "core/ops/mxnet/mxnet_families.h"

namespace plimsoll::mxnet {

namespace {

/// Completes \p dims with \p more; false where the two contradict each other.
bool joinDims(std::optional<Dims>& dims, const std::optional<Dims>& more)
{
    if (!more) return true;
    if (!dims) {
        dims = more;
        return true;
    }
    if (dims->size() != more->size()) return false;
    for (std::size_t axis = 0; axis < dims->size(); ++axis) {
        const auto size = sameSize((*dims)[axis], (*more)[axis]);
        if (!size) return false;
        (*dims)[axis] = *size;
    }
    return true;
}

/// The shape that inputs and output 0 have in common.
Result<std::optional<Dims>> commonShape(const NodeFacts& facts, std::size_t inputs)
{
    std::optional<Dims> dims = dimsOf(facts.wanted(0));
    std::optional<Dims> given;
    for (std::size_t i = 0; i < inputs; ++i) {
        if (!joinDims(given, facts.dims(i)))
            return facts.error(
                say("ops.inputs-shape-input", describe(facts.type(0)), word::Number {i}, describe(facts.type(i))));
    }
    if (!joinDims(dims, given)) dims = given; // the readers find out
    return dims;
}

} // namespace

Status inferSame(NodeFacts& facts)
{
    PLIMSOLL_ASSIGN(dims, commonShape(facts, facts.inputCount()));
    DType dtype = facts.wanted(0).dtype;
    for (std::size_t i = facts.inputCount(); i > 0; --i)
        dtype = facts.dtype(i - 1) == DType::Unknown ? dtype : facts.dtype(i - 1);
    facts.set(0, dtype, dims);
    for (std::size_t i = 0; i < facts.inputCount(); ++i)
        facts.require(i, dtype, dims);
    return {};
}

Status inferSameShape(NodeFacts& facts, DType dtype)
{
    PLIMSOLL_ASSIGN(dims, commonShape(facts, 1));
    facts.set(0, dtype, dims);
    facts.require(0, DType::Unknown, dims);
    return {};
}

AccessMap accessLike(NodeFacts& facts, std::size_t input, std::size_t output)
{
    const auto counterpart = counterpartOf(facts.node(), facts.dims(0));
    if (!counterpart.ok()) return {};
    const OpSchema* schema = findSchema(counterpart.value().domain, counterpart.value().op);
    const auto& inputs = counterpart.value().inputs;
    const auto at = std::ranges::find_if(inputs, [&](const CounterpartInput& one) {
        return one.input == input && !one.integers && !one.number && !one.dims;
    });
    if (!schema || !schema->access || at == inputs.end()) return {};
    CounterpartNode node(facts, counterpart.value());
    return schema->access(node.facts(), static_cast<std::size_t>(at - inputs.begin()), output);
}

Status inferLike(NodeFacts& facts)
{
    PLIMSOLL_TRY(inferAsCounterpart(facts));
    for (std::size_t i = 0; i < facts.outputCount(); ++i) {
        auto& dims = facts.output(i).type.dims;
        if (dims && dims->empty() && !hasNumpyShapes(facts.graph())) dims->push_back({1, {}});
    }
    return {};
}

Status inferLikeAs(NodeFacts& facts, DType dtype)
{
    PLIMSOLL_TRY(inferLike(facts));
    facts.output(0).type.dtype = dtype;
    return {};
}

Result<std::vector<std::int64_t>> tupleOfLength(const NodeFacts& facts, std::string_view name, std::size_t count,
                                                std::int64_t fallback)
{
    const auto given = tuple(facts, name);
    if (!given || given->empty()) return std::vector<std::int64_t>(count, fallback);
    if (given->size() == count) return *given;
    return facts.error(say("ops.attribute-numbers", name, word::Number {given->size()}, word::Number {count}));
}

Result<std::size_t> axisAttribute(const NodeFacts& facts, std::string_view name, std::int64_t fallback,
                                  std::size_t rank)
{
    const std::int64_t axis = facts.attribute(name, fallback);
    const auto normal = normalAxis(axis, rank);
    if (normal) return *normal;
    return facts.error(say("ops.attribute-but-input", name, word::Number {axis}, describe(facts.type(0))));
}

std::optional<Dims> shapeAttribute(const NodeFacts& facts, std::string_view name)
{
    auto dims = tuple(facts, name);
    if (!dims) return std::nullopt;
    const bool zeroIsSize = hasNumpyShapes(facts.graph());
    for (std::int64_t& size : *dims) {
        if (size < 0 || (size == 0 && !zeroIsSize)) size = UnknownSize;
    }
    return dims;
}

bool hasNumpyShapes(const Graph& graph)
{
    return opsetVersion(graph, "mxnet.is_np_shape") > 0;
}

std::int64_t known(SafeInt number)
{
    return number.get().value_or(UnknownSize);
}

std::int64_t product(std::int64_t a, std::int64_t b)
{
    return a < 0 || b < 0 ? UnknownSize : known(SafeInt(a) * b);
}

std::int64_t product(const Dims& dims, std::size_t begin, std::size_t end)
{
    std::int64_t count = 1;
    for (std::size_t axis = begin; axis < end && count != UnknownSize; ++axis)
        count = product(count, dims[axis]);
    return count;
}

} // namespace plimsoll::mxnet
