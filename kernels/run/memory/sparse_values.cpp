#include "kernels/run/memory/sparse_values.h"

#include "kernels/reference/special/sparse_tensor.h"
#include "kernels/run/memory/host_memory.h"
#include "kernels/run/step/digest.h"
#include "kernels/run/step/element_values.h"
#include "kernels/tensor_view.h"

#include <algorithm>
#include <utility>

namespace plimsoll::kernels {
namespace {

Result<RuntimeValue> blockOf(const SparseContent& content, const TensorType& type)
{
    PLIMSOLL_ASSIGN(parts, partsFor(type, content.kept()));
    PLIMSOLL_ASSIGN(block, allocateTensor(content.dtype, {parts.elements}));
    writeSparse(content, parts, block.view());
    return tensorValue(std::move(block));
}

/// Of a matrix as a row of rows; of anything else its rows.
std::int64_t placesOf(const TensorType& type, const Shape& shape)
{
    return storableCount(type.storage, shape).value_or(0);
}

/// Up to a quarter of \p places, at most \p most, rising: one out of each of as many equal stretches.
std::vector<std::int64_t> drawPlaces(std::int64_t places, std::int64_t most, RandomStream& random)
{
    std::int64_t count = places / 4 + (places % 4 != 0 ? 1 : 0);
    if (most >= 0) count = std::min(count, most);
    count -= static_cast<std::int64_t>(random.next() % static_cast<std::uint64_t>(count / 4 + 1));
    std::vector<std::int64_t> drawn;
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t stretch = places / count;
        const auto inside = static_cast<std::int64_t>(random.next() % static_cast<std::uint64_t>(stretch));
        drawn.push_back(i * stretch + inside);
    }
    return drawn;
}

} // namespace

std::optional<Shape> heldShape(const TensorType& type)
{
    const auto shape = type.shape();
    if (!type.isSparse() || !shape) return shape;
    const auto parts =
        type.maxStored < 0 ? std::nullopt : sparseParts(type.storage, type.dtype, *shape, type.maxStored);
    return parts ? std::optional(Shape {parts->elements}) : std::nullopt;
}

Result<RuntimeValue> asHeld(RuntimeValue dense, const TensorType& type)
{
    const bool fits = dense.kind == RuntimeValue::Kind::Tensor && dense.tensor.shape == type.shape();
    if (!type.isSparse() || !fits) return dense;
    return blockOf(compress(dense.tensor, type.storage), type);
}

Result<std::map<ValueId, RuntimeValue>> asHeld(const Graph& graph, std::map<ValueId, RuntimeValue> given)
{
    for (auto& [id, value] : given) {
        auto held = asHeld(std::move(value), graph[id].type);
        if (!held.ok()) {
            Error error = held.error();
            error.where = "input '" + graph[id].name + "'";
            return error;
        }
        value = std::move(held).value();
    }
    return given;
}

Shown asShown(const RuntimeValue& held, const TensorType& type)
{
    Shown shown {held, -1};
    if (!type.isSparse() || held.kind != RuntimeValue::Kind::Tensor) return shown;
    const auto content = readSparse(held.tensor, type);
    if (!content) return shown;
    shown.kept = content->kept();
    auto dense = allocateTensor(content->dtype, content->shape);
    if (!dense.ok()) return shown;
    expand(*content, dense.value().view());
    shown.dense = tensorValue(std::move(dense).value());
    return shown;
}

Result<RuntimeValue> drawSparse(const TensorType& type, std::uint64_t seed)
{
    const Shape shape = type.shape().value_or(Shape {});
    RandomStream random(seed);
    SparseContent content {type.storage, type.dtype, shape, {}, {}, {}};
    content.index = drawPlaces(placesOf(type, shape), type.maxStored, random);
    if (type.storage == StorageType::Csr) {
        const std::vector<std::int64_t> places = std::exchange(content.index, {});
        content.ends.assign(1, 0);
        std::size_t next = 0;
        for (std::int64_t row = 0; row < shape[0]; ++row) {
            for (; next < places.size() && places[next] / shape[1] == row; ++next)
                content.index.push_back(places[next] % shape[1]);
            content.ends.push_back(content.kept());
        }
    }
    const auto bytes = static_cast<std::int64_t>(content.index.size() * content.slotBytes());
    PLIMSOLL_ASSIGN(values, allocateTensor(type.dtype, {bytes / (dtypeBits(type.dtype) / 8)}));
    fillFromSeed(values.view(), random.next());
    const auto* begin = values.view().as<const std::byte>();
    content.values.assign(begin, begin + bytes);
    return blockOf(content, type);
}

} // namespace plimsoll::kernels
