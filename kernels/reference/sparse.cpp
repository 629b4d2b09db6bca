#include "kernels/reference/call_tools.h"
#include "kernels/reference/elements.h"
#include "kernels/reference/numbers.h"
#include "kernels/reference/sparse_kernels.h"
#include "kernels/reference/sparse_tensor.h"

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
    return refuse(call, "input " + std::to_string(input) + " is no " + describe(type) + ": its parts do not fit.");
}

Status giveSparse(KernelCall& call, const SparseContent& content)
{
    auto parts = partsFor(typeOf(call, call.node().outputs[0]), content.kept());
    if (!parts.ok()) return refuse(call, parts.error().message + ".");
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

/// The slots of \p content that \p keeps says yes to, by position.
template <typename Keeps>
SparseContent keptRows(const SparseContent& content, Keeps keeps)
{
    SparseContent result {content.storage, content.dtype, content.shape, {}, {}, {}};
    const std::size_t slot = content.slotBytes();
    for (std::size_t i = 0; i < content.index.size(); ++i) {
        if (!keeps(content.index[i])) continue;
        result.index.push_back(content.index[i]);
        const auto* at = content.values.data() + i * slot;
        result.values.insert(result.values.end(), at, at + slot);
    }
    return result;
}

Status retain(KernelCall& call)
{
    PLIMSOLL_ASSIGN(content, sparseInput(call, 0));
    PLIMSOLL_ASSIGN(listed, inputTensor(call, 1));
    PLIMSOLL_ASSIGN(wanted, rowsToKeep(call, listed, content.shape.front()));
    return giveSparse(call, keptRows(content, [&](std::int64_t row) {
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

/// Rows of both, in order; where both have one, it is the sum.
template <typename T>
SparseContent sumOf(const SparseContent& a, const SparseContent& b)
{
    SparseContent sum {a.storage, a.dtype, a.shape, {}, {}, {}};
    const std::size_t slot = a.slotBytes();
    const auto take = [&](const SparseContent& from, std::size_t i) {
        sum.index.push_back(from.index[i]);
        sum.values.insert(sum.values.end(), from.values.data() + i * slot, from.values.data() + (i + 1) * slot);
    };
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.index.size() || j < b.index.size()) {
        const bool fromA = j == b.index.size() || (i < a.index.size() && a.index[i] <= b.index[j]);
        const bool fromBoth = fromA && j < b.index.size() && a.index[i] == b.index[j];
        take(fromA ? a : b, fromA ? i : j);
        if (fromBoth)
            combineInto<T>(b.values.data() + j * slot, slot / sizeof(T), sum.values.data() + sum.values.size() - slot,
                           std::plus<T>());
        if (fromA) ++i;
        if (!fromA || fromBoth) ++j;
    }
    return sum;
}

/// The dense one and, on top of it, the rows that are kept. The output may lie over the dense input.
Status addRows(KernelCall& call, std::size_t sparse)
{
    PLIMSOLL_ASSIGN(rows, sparseInput(call, sparse));
    PLIMSOLL_ASSIGN(dense, inputTensor(call, 1 - sparse));
    PLIMSOLL_ASSIGN(out, call.output(0, dense.dtype, dense.shape));
    copyAll(dense, out);
    const std::size_t slot = rows.slotBytes();
    return withReal(call, dense.dtype, [&]<typename T>(T) -> Status {
        for (std::size_t i = 0; i < rows.index.size(); ++i)
            combineInto<T>(rows.values.data() + i * slot, slot / sizeof(T),
                           out.as<std::byte>() + static_cast<std::size_t>(rows.index[i]) * slot, std::plus<T>());
        return {};
    });
}

Status add(KernelCall& call)
{
    if (!isSparse(call, 0) || !isSparse(call, 1)) return addRows(call, isSparse(call, 0) ? 0 : 1);
    PLIMSOLL_ASSIGN(a, sparseInput(call, 0));
    PLIMSOLL_ASSIGN(b, sparseInput(call, 1));
    return withReal(call, a.dtype, [&]<typename T>(T) { return giveSparse(call, sumOf<T>(a, b)); });
}

/// Of rows that are kept, each with the row of \p other that \p rowOf finds.
template <typename T, typename RowOf>
void multiplyRows(SparseContent& rows, RowOf rowOf)
{
    const std::size_t slot = rows.slotBytes();
    for (std::size_t i = 0; i < rows.index.size(); ++i)
        combineInto<T>(rowOf(rows.index[i]), slot / sizeof(T), rows.values.data() + i * slot, std::multiplies<T>());
}

Status multiplyBoth(KernelCall& call)
{
    PLIMSOLL_ASSIGN(a, sparseInput(call, 0));
    PLIMSOLL_ASSIGN(b, sparseInput(call, 1));
    const auto find = [&](std::int64_t row) { return std::lower_bound(b.index.begin(), b.index.end(), row); };
    SparseContent product = keptRows(a, [&](std::int64_t row) {
        const auto found = find(row);
        return found != b.index.end() && *found == row;
    });
    const std::size_t slot = b.slotBytes();
    return withReal(call, a.dtype, [&]<typename T>(T) {
        multiplyRows<T>(product, [&](std::int64_t row) {
            return b.values.data() + static_cast<std::size_t>(find(row) - b.index.begin()) * slot;
        });
        return giveSparse(call, product);
    });
}

Status multiply(KernelCall& call)
{
    if (isSparse(call, 0) && isSparse(call, 1)) return multiplyBoth(call);
    const std::size_t sparse = isSparse(call, 0) ? 0 : 1;
    PLIMSOLL_ASSIGN(rows, sparseInput(call, sparse));
    PLIMSOLL_ASSIGN(dense, inputTensor(call, 1 - sparse));
    const std::size_t slot = rows.slotBytes();
    return withReal(call, rows.dtype, [&]<typename T>(T) {
        multiplyRows<T>(
            rows, [&](std::int64_t row) { return dense.as<const std::byte>() + static_cast<std::size_t>(row) * slot; });
        return giveSparse(call, rows);
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

Status dot(KernelCall& call)
{
    PLIMSOLL_ASSIGN(a, sparseInput(call, 0));
    PLIMSOLL_ASSIGN(b, inputTensor(call, 1));
    if (b.shape.size() != 2 || b.shape[0] != a.shape[1])
        return refuse(call, "a matrix of " + std::to_string(a.shape[1]) + " columns cannot be multiplied with " +
                                describe(b) + ".");
    PLIMSOLL_ASSIGN(out, call.output(0, a.dtype, {a.shape[0], b.shape[1]}));
    return withReal(call, a.dtype, [&]<typename T>(T) -> Status {
        multiplyMatrix<T>(a, b, out);
        return {};
    });
}

constexpr KernelEntry Table[] = {
    {"", "Add", add},
    {"", "Identity", copySparse},
    {"", "MatMul", dot},
    {"", "Mul", multiply},
    {"mxnet", "_copy", copySparse},
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
    return found == std::end(Table) ? nullptr : found->run;
}

} // namespace plimsoll::kernels
