#include "core/ops/mxnet/mxnet_attributes.h"
#include "core/ops/op_schema.h"
#include "kernels/common/call_tools.h"
#include "kernels/common/inner_call.h"
#include "kernels/common/moved_elements.h"
#include "kernels/common/numbers.h"
#include "kernels/reference/layers/product.h"
#include "kernels/reference/special/sparse_kernels.h"
#include "kernels/reference/special/sparse_tensor.h"

#include <algorithm>
#include <cstring>
#include <functional>

namespace plimsoll::kernels {
namespace {

const TensorType& typeOf(const KernelCall& call, ValueId value)
{
    return call.graph()[value].type;
}

bool isSparse(const KernelCall& call, std::size_t input)
{
    return typeOf(call, call.node().inputs[input]).isSparse();
}

Result<SparseContent> sparseInput(const KernelCall& call, std::size_t input)
{
    PLIMSOLL_ASSIGN(block, inputTensor(call, input));
    const TensorType& type = typeOf(call, call.node().inputs[input]);
    auto content = readSparse(block, type);
    if (content) return std::move(*content);
    return refuse(call, say("kernel.input-parts", word::Number(input), describe(type)));
}

Status giveSparse(KernelCall& call, const SparseContent& content)
{
    auto parts = partsFor(typeOf(call, call.node().outputs[0]), content.kept());
    if (!parts.ok()) return refuse(call, parts.error().message);
    PLIMSOLL_ASSIGN(block, call.output(0, content.dtype, {parts.value().elements}));
    writeSparse(content, parts.value(), block);
    return {};
}

Status copySparse(KernelCall& call)
{
    PLIMSOLL_ASSIGN(content, sparseInput(call, 0));
    return giveSparse(call, content);
}

Status castStorage(KernelCall& call)
{
    const TensorType& wanted = typeOf(call, call.node().outputs[0]);
    if (!isSparse(call, 0)) {
        PLIMSOLL_ASSIGN(dense, inputTensor(call, 0));
        return giveSparse(call, compress(dense, wanted.storage));
    }
    PLIMSOLL_ASSIGN(content, sparseInput(call, 0));
    if (wanted.isSparse()) return giveSparse(call, content);
    PLIMSOLL_ASSIGN(dense, call.output(0, content.dtype, content.shape));
    expand(content, dense);
    return {};
}

/// The slots of \p content that stand where \p keeps says yes.
template <typename Keeps>
SparseContent keptSlots(const SparseContent& content, Keeps keeps)
{
    std::vector<std::int64_t> left;
    std::vector<std::byte> values;
    const std::vector<std::int64_t> places = placesOf(content);
    const std::size_t slot = content.slotBytes();
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (!keeps(places[i])) continue;
        left.push_back(places[i]);
        const auto* at = content.values.data() + i * slot;
        values.insert(values.end(), at, at + slot);
    }
    SparseContent result = withPlaces(content, left);
    result.values = std::move(values);
    return result;
}

Status retain(KernelCall& call)
{
    PLIMSOLL_ASSIGN(content, sparseInput(call, 0));
    PLIMSOLL_ASSIGN(listed, inputTensor(call, 1));
    PLIMSOLL_ASSIGN(wanted, rowsToKeep(call, listed, content.shape.front()));
    return giveSparse(call, keptSlots(content, [&](std::int64_t row) {
                          return std::binary_search(wanted.begin(), wanted.end(), row);
                      }));
}

/// Calls visitor(T {}) for the types that storage rules let through.
template <typename Visitor>
Status withReal(KernelCall& call, DType dtype, Visitor&& visitor)
{
    if (dtype == DType::Float32) return visitor(float {});
    if (dtype == DType::Float64) return visitor(double {});
    return refuseType(call, dtype);
}

/// Elements need not be aligned.
template <typename T, typename Operation>
void combineInto(const std::byte* values, std::size_t count, std::byte* result, Operation operation)
{
    for (std::size_t i = 0; i < count; ++i) {
        T a = 0;
        T b = 0;
        std::memcpy(&a, result + i * sizeof(T), sizeof(T));
        std::memcpy(&b, values + i * sizeof(T), sizeof(T));
        a = operation(a, b);
        std::memcpy(result + i * sizeof(T), &a, sizeof(T));
    }
}

/// What either keeps, in order; where both keep something, it is the sum.
template <typename T>
SparseContent sumOf(const SparseContent& a, const SparseContent& b)
{
    const std::vector<std::int64_t> placesA = placesOf(a);
    const std::vector<std::int64_t> placesB = placesOf(b);
    std::vector<std::int64_t> places;
    std::vector<std::byte> values;
    const std::size_t slot = a.slotBytes();
    const auto take = [&](const SparseContent& from, std::int64_t place, std::size_t i) {
        places.push_back(place);
        values.insert(values.end(), from.values.data() + i * slot, from.values.data() + (i + 1) * slot);
    };
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < placesA.size() || j < placesB.size()) {
        const bool fromA = j == placesB.size() || (i < placesA.size() && placesA[i] <= placesB[j]);
        const bool fromBoth = fromA && j < placesB.size() && placesA[i] == placesB[j];
        fromA ? take(a, placesA[i], i) : take(b, placesB[j], j);
        if (fromBoth)
            combineInto<T>(b.values.data() + j * slot, slot / sizeof(T), values.data() + values.size() - slot,
                           std::plus<T>());
        if (fromA) ++i;
        if (!fromA || fromBoth) ++j;
    }
    SparseContent sum = withPlaces(a, places);
    sum.values = std::move(values);
    return sum;
}

/// A dense one and, on top of it, what is kept of the other. The output may lie over the dense input.
Status add(KernelCall& call)
{
    const std::size_t sparse = isSparse(call, 0) ? 0 : 1;
    PLIMSOLL_ASSIGN(content, sparseInput(call, sparse));
    if (isSparse(call, 0) && isSparse(call, 1)) {
        PLIMSOLL_ASSIGN(other, sparseInput(call, 1));
        return withReal(call, content.dtype, [&]<typename T>(T) { return giveSparse(call, sumOf<T>(content, other)); });
    }
    PLIMSOLL_ASSIGN(dense, inputTensor(call, 1 - sparse));
    PLIMSOLL_ASSIGN(out, call.output(0, dense.dtype, dense.shape));
    copyAll(dense, out);
    const std::vector<std::int64_t> places = placesOf(content);
    const std::size_t slot = content.slotBytes();
    return withReal(call, dense.dtype, [&]<typename T>(T) -> Status {
        for (std::size_t i = 0; i < places.size(); ++i)
            combineInto<T>(content.values.data() + i * slot, slot / sizeof(T),
                           out.as<std::byte>() + static_cast<std::size_t>(places[i]) * slot, std::plus<T>());
        return {};
    });
}

/// Everything that is kept, each with the slot of another tensor that \p slotAt finds for its place.
template <typename T, typename SlotAt>
void multiplySlots(SparseContent& content, SlotAt slotAt)
{
    const std::vector<std::int64_t> places = placesOf(content);
    const std::size_t slot = content.slotBytes();
    for (std::size_t i = 0; i < places.size(); ++i)
        combineInto<T>(slotAt(places[i]), slot / sizeof(T), content.values.data() + i * slot, std::multiplies<T>());
}

Status multiplyBoth(KernelCall& call)
{
    PLIMSOLL_ASSIGN(a, sparseInput(call, 0));
    PLIMSOLL_ASSIGN(b, sparseInput(call, 1));
    const std::vector<std::int64_t> others = placesOf(b);
    const auto find = [&](std::int64_t place) { return std::lower_bound(others.begin(), others.end(), place); };
    SparseContent product = keptSlots(a, [&](std::int64_t place) {
        const auto found = find(place);
        return found != others.end() && *found == place;
    });
    const std::size_t slot = b.slotBytes();
    return withReal(call, a.dtype, [&]<typename T>(T) {
        multiplySlots<T>(product, [&](std::int64_t place) {
            return b.values.data() + static_cast<std::size_t>(find(place) - others.begin()) * slot;
        });
        return giveSparse(call, product);
    });
}

/// Every element that is kept, by one number.
template <typename T>
void scale(SparseContent& content, T number)
{
    for (std::size_t at = 0; at < content.values.size(); at += sizeof(T)) {
        T element = 0;
        std::memcpy(&element, content.values.data() + at, sizeof(T));
        element *= number;
        std::memcpy(content.values.data() + at, &element, sizeof(T));
    }
}

Status multiply(KernelCall& call)
{
    if (isSparse(call, 0) && isSparse(call, 1)) return multiplyBoth(call);
    const std::size_t sparse = isSparse(call, 0) ? 0 : 1;
    PLIMSOLL_ASSIGN(content, sparseInput(call, sparse));
    PLIMSOLL_ASSIGN(dense, inputTensor(call, 1 - sparse));
    const std::size_t slot = content.slotBytes();
    return withReal(call, content.dtype, [&]<typename T>(T) {
        if (dense.shape == content.shape)
            multiplySlots<T>(content, [&](std::int64_t place) {
                return dense.as<const std::byte>() + static_cast<std::size_t>(place) * slot;
            });
        else
            scale(content, *dense.as<const T>());
        return giveSparse(call, content);
    });
}

/// MXNet's: the number is an attribute.
Status multiplyScalar(KernelCall& call)
{
    PLIMSOLL_ASSIGN(content, sparseInput(call, 0));
    return withReal(call, content.dtype, [&]<typename T>(T) {
        scale(content, static_cast<T>(mxnet::realOf(call.node().attributes, "scalar", 0)));
        return giveSparse(call, content);
    });
}

/// Sums run along the columns that are kept, in order: the same numbers as of the dense product, which adds zeros
/// between them.
template <typename T>
void multiplyMatrix(const SparseContent& a, const TensorView& b, const TensorView& out)
{
    const std::int64_t columns = out.shape[1];
    std::fill_n(out.as<T>(), out.elements(), T {0});
    for (std::size_t row = 0; row + 1 < a.ends.size(); ++row) {
        T* sums = out.as<T>() + static_cast<std::int64_t>(row) * columns;
        for (std::int64_t i = a.ends[row]; i < a.ends[row + 1]; ++i) {
            T factor = 0;
            std::memcpy(&factor, a.values.data() + static_cast<std::size_t>(i) * sizeof(T), sizeof(T));
            const T* other = b.as<const T>() + a.index[static_cast<std::size_t>(i)] * columns;
            for (std::int64_t j = 0; j < columns; ++j)
                sums[j] += factor * other[j];
        }
    }
}

/// By the matrix transposed: a row for each column that something is kept of, its sums in the order of the rows.
template <typename T>
SparseContent multiplyTurned(const SparseContent& a, const TensorView& b)
{
    const std::int64_t columns = b.shape[1];
    SparseContent product {StorageType::RowSparse, a.dtype, {a.shape[1], columns}, {}, a.index, {}};
    std::sort(product.index.begin(), product.index.end());
    product.index.erase(std::unique(product.index.begin(), product.index.end()), product.index.end());
    std::vector<T> sums(product.index.size() * static_cast<std::size_t>(columns), T {0});
    for (std::size_t row = 0; row + 1 < a.ends.size(); ++row) {
        const T* other = b.as<const T>() + static_cast<std::int64_t>(row) * columns;
        for (auto i = static_cast<std::size_t>(a.ends[row]); i < static_cast<std::size_t>(a.ends[row + 1]); ++i) {
            T factor = 0;
            std::memcpy(&factor, a.values.data() + i * sizeof(T), sizeof(T));
            const auto at = std::lower_bound(product.index.begin(), product.index.end(), a.index[i]);
            T* sum = sums.data() + (at - product.index.begin()) * columns;
            for (std::int64_t j = 0; j < columns; ++j)
                sum[j] += factor * other[j];
        }
    }
    const auto* bytes = reinterpret_cast<const std::byte*>(sums.data());
    product.values.assign(bytes, bytes + sums.size() * sizeof(T));
    return product;
}

Status dot(KernelCall& call)
{
    PLIMSOLL_ASSIGN(a, sparseInput(call, 0));
    PLIMSOLL_ASSIGN(b, inputTensor(call, 1));
    const bool transposed = typeOf(call, call.node().outputs[0]).isSparse(); // as the rule says
    const std::size_t inner = transposed ? 0 : 1;
    if (b.shape.size() != 2 || b.shape[0] != a.shape[inner])
        return refuse(call, say(transposed ? "kernel.matrix-rows" : "kernel.matrix-columns",
                                word::Number(a.shape[inner]), describe(b)));
    PLIMSOLL_TRY(call.announce(rowEffort(loopPasses({a.kept(), b.shape[1]}))));
    if (transposed)
        return withReal(call, a.dtype, [&]<typename T>(T) { return giveSparse(call, multiplyTurned<T>(a, b)); });
    PLIMSOLL_ASSIGN(out, call.output(0, a.dtype, {a.shape[0], b.shape[1]}));
    return withReal(call, a.dtype, [&]<typename T>(T) -> Status {
        multiplyMatrix<T>(a, b, out);
        return {};
    });
}

constexpr std::int64_t CounterpartOpset = 21;

/// Each element that is kept, by the operator's kernel for dense tensors, or its counterpart's.
Status mapKept(KernelCall& call)
{
    PLIMSOLL_ASSIGN(content, sparseInput(call, 0));
    Node node = call.node();
    std::int64_t opset = call.opset();
    const OpSchema* schema = findSchema(node.domain, node.op);
    if (schema && !schema->counterpart.op.empty()) {
        node.op = schema->counterpart.op;
        node.domain = {};
        opset = CounterpartOpset;
    }
    const KernelFunction kernel = findReferenceKernel(node.domain, node.op);
    if (!kernel) return refuse(call, say("kernel.no-counterpart", *node.op));
    const HostTensor kept(
        content.dtype, {static_cast<std::int64_t>(content.values.size()) * 8 / std::max(8, dtypeBits(content.dtype))});
    std::ranges::copy(content.values, kept.view().as<std::byte>());
    InnerCall inner(call, std::move(node), {tensorValue(kept)}, opset);
    PLIMSOLL_TRY(kernel(inner));
    std::ranges::copy(inner.results().front().tensor.byteSpan(), content.values.begin());
    return giveSparse(call, content);
}

constexpr KernelEntry Table[] = {
    {"", "Add", add},
    {"", "Identity", copySparse},
    {"", "MatMul", dot},
    {"", "Mul", multiply},
    {"mxnet", "_copy", copySparse},
    {"mxnet", "_mul_scalar", multiplyScalar},
    {"mxnet", "_sparse_retain", retain},
    {"mxnet", "cast_storage", castStorage},
    {"mxnet", "dot", dot},
    {"mxnet", "elemwise_add", add},
    {"mxnet", "elemwise_mul", multiply},
    {"plimsoll", "CastStorage", castStorage},
    {"plimsoll", "Retain", retain},
};

} // namespace

KernelFunction findSparseKernel(std::string_view domain, std::string_view op)
{
    const auto found = std::find_if(std::begin(Table), std::end(Table), [&](const KernelEntry& entry) {
        return entry.domain == (domain == "ai.onnx" ? "" : domain) && entry.op == op;
    });
    if (found != std::end(Table)) return found->run;
    const OpSchema* schema = findSchema(domain, op);
    return schema && std::ranges::any_of(schema->storages, &SparseRule::each) ? mapKept : nullptr;
}

Result<std::vector<std::int64_t>> rowsToKeep(const KernelCall& call, const TensorView& listed, std::int64_t rows)
{
    std::vector<std::int64_t> wanted = integersOf(listed);
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    if (wanted.empty() || (wanted.front() >= 0 && wanted.back() < rows)) return wanted;
    const std::int64_t wrong = wanted.front() < 0 ? wanted.front() : wanted.back();
    return refuse(call, say("kernel.no-such-row", word::Number(wrong), word::Number(rows)));
}

Status retainDense(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(listed, inputTensor(call, 1));
    if (x.shape.empty() || x.dtype == DType::String || dtypeBits(x.dtype) < 8)
        return refuse(call, say("kernel.nothing-to-retain", describe(x)));
    PLIMSOLL_ASSIGN(wanted, rowsToKeep(call, listed, x.shape.front()));
    PLIMSOLL_ASSIGN(out, call.output(0, x.dtype, x.shape));
    fillZero(out);
    const auto row = static_cast<std::size_t>(x.shape.front() > 0 ? x.bytes() / x.shape.front() : 0);
    for (const std::int64_t index : wanted) {
        const std::size_t offset = static_cast<std::size_t>(index) * row;
        if (row > 0) std::memcpy(out.as<std::byte>() + offset, x.as<std::byte>() + offset, row);
    }
    return {};
}

Status castDense(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    return writeReshaped(call, 0, x, x.shape);
}

} // namespace plimsoll::kernels
