#include "kernels/common/numbers.h"
#include "kernels/reference/elementwise.h"
#include "kernels/reference/kernel_families.h"
#include "kernels/reference/layers/product.h"

#include <cmath>

namespace plimsoll::kernels {
namespace {

Status matMul(KernelCall& call)
{
    PLIMSOLL_TRY(requireSameType(call, 2));
    const TensorView& a = call.input(0).tensor;
    const TensorView& b = call.input(1).tensor;
    PLIMSOLL_ASSIGN(plan, planMatMul(call, a.shape, b.shape));
    if (!visitNumeric(a.dtype, []<typename T>() {})) return refuseType(call, a.dtype);
    PLIMSOLL_TRY(call.announce(rowEffort(plan.products())));
    PLIMSOLL_ASSIGN(out, call.output(0, a.dtype, plan.outShape));
    visitNumeric(a.dtype, [&]<typename T>() {
        const Reader<T> readerA(a);
        const Reader<T> readerB(b);
        Writer<T> writer(out);
        multiplyBatches(plan, readerA.data(), readerB.data(), writer.data());
    });
    return {};
}

/// A matrix operand, its last two dimensions swapped where asked.
template <typename T>
std::vector<T> operand(const TensorView& tensor, bool swapped)
{
    const Reader<T> reader(tensor);
    const std::int64_t rows = tensor.shape[tensor.shape.size() - 2];
    const std::int64_t columns = tensor.shape.back();
    const std::int64_t matrix = rows * columns;
    std::vector<T> numbers;
    numbers.reserve(static_cast<std::size_t>(tensor.elements()));
    for (std::int64_t at = 0; at < tensor.elements(); at += matrix) {
        if (swapped) {
            const std::vector<T> turned = transposed(reader.data() + at, rows, columns);
            numbers.insert(numbers.end(), turned.begin(), turned.end());
        } else {
            numbers.insert(numbers.end(), reader.data() + at, reader.data() + at + matrix);
        }
    }
    return numbers;
}

Shape swappedShape(Shape shape, bool swapped)
{
    if (swapped) std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
    return shape;
}

Status fusedMatMul(KernelCall& call)
{
    PLIMSOLL_TRY(requireSameType(call, 2));
    const TensorView& a = call.input(0).tensor;
    const TensorView& b = call.input(1).tensor;
    PLIMSOLL_TRY(requireRank(call, a, 2));
    PLIMSOLL_TRY(requireRank(call, b, 2));
    if (intAttribute(call, "transBatchA", 0) != 0 || intAttribute(call, "transBatchB", 0) != 0) {
        return refuse(call, say("kernel.transposed-batches"));
    }
    const bool swapA = intAttribute(call, "transA", 0) != 0;
    const bool swapB = intAttribute(call, "transB", 0) != 0;
    PLIMSOLL_ASSIGN(plan, planMatMul(call, swappedShape(a.shape, swapA), swappedShape(b.shape, swapB)));
    if (!isFloatingPoint(a.dtype)) return refuseType(call, a.dtype);
    PLIMSOLL_TRY(call.announce(rowEffort(plan.products())));
    PLIMSOLL_ASSIGN(out, call.output(0, a.dtype, plan.outShape));
    visitFloating(a.dtype, [&]<typename T>() {
        const auto alpha = static_cast<T>(floatAttribute(call, "alpha", 1));
        Writer<T> writer(out);
        multiplyBatches(plan, operand<T>(a, swapA).data(), operand<T>(b, swapB).data(), writer.data());
        for (std::int64_t i = 0; i < out.elements(); ++i)
            writer[i] *= alpha;
    });
    return {};
}

template <typename T>
T scaled(double factor, T number)
{
    if constexpr (std::is_floating_point_v<T>) {
        return static_cast<T>(factor) * number;
    } else {
        return factor == 1 ? number : static_cast<T>(truncated(factor * static_cast<double>(number)));
    }
}

template <typename T>
void computeGemm(const KernelCall& call, const ProductSize& size, const TensorView& y)
{
    const bool swapA = intAttribute(call, "transA", 0) != 0;
    const bool swapB = intAttribute(call, "transB", 0) != 0;
    const double alpha = floatAttribute(call, "alpha", 1);
    const double beta = floatAttribute(call, "beta", 1);
    const TensorView& a = call.input(0).tensor;
    const TensorView& b = call.input(1).tensor;
    std::vector<T> product(static_cast<std::size_t>(size.rows * size.columns), T {0});
    addProduct(swapA ? operand<T>(a, true).data() : Reader<T>(a).data(),
               swapB ? operand<T>(b, true).data() : Reader<T>(b).data(), product.data(), size);
    Writer<T> out(y);
    const TensorView* c = optionalInput(call, 2);
    if (!c) {
        for (std::size_t i = 0; i < product.size(); ++i)
            out[static_cast<std::int64_t>(i)] = scaled(alpha, product[i]);
        return;
    }
    const Reader<T> bias(*c);
    const BroadcastPair pair {y.shape, rowMajorStrides(y.shape), broadcastStrides(c->shape, y.shape)};
    mapPairs(pair, product.data(), bias.data(), out.data(),
             [&](T p, T q) { return static_cast<T>(scaled(alpha, p) + scaled(beta, q)); });
}

Status gemm(KernelCall& call)
{
    const TensorView* c = optionalInput(call, 2);
    PLIMSOLL_TRY(requireSameType(call, c ? 3 : 2));
    const TensorView& a = call.input(0).tensor;
    const TensorView& b = call.input(1).tensor;
    if (a.shape.size() != 2 || b.shape.size() != 2)
        return refuse(call, say("kernel.not-both-matrices", describe(a), describe(b)));
    const Shape shapeA = swappedShape(a.shape, intAttribute(call, "transA", 0) != 0);
    const Shape shapeB = swappedShape(b.shape, intAttribute(call, "transB", 0) != 0);
    const Shape shape {shapeA[0], shapeB[1]};
    if (shapeA[1] != shapeB[0])
        return refuse(call, say("kernel.not-multiply", plimsoll::describe(shapeA), plimsoll::describe(shapeB)));
    if (c && broadcastShape(c->shape, shape) != shape) {
        return refuse(call, say("ops.not-broadcast", describe(*c), plimsoll::describe(shape)));
    }
    if (!visitNumeric(a.dtype, []<typename T>() {})) return refuseType(call, a.dtype);
    const ProductSize size {shapeA[0], shapeA[1], shapeB[1]};
    PLIMSOLL_TRY(call.announce(rowEffort(size.products())));
    PLIMSOLL_ASSIGN(y, call.output(0, a.dtype, shape));
    visitNumeric(a.dtype, [&]<typename T>() { computeGemm<T>(call, size, y); });
    return {};
}

/// Gaussian elimination with the largest pivot of each column.
double determinant(std::vector<double> m, std::int64_t n)
{
    double product = 1;
    const auto at = [&](std::int64_t row, std::int64_t column) -> double& {
        return m[static_cast<std::size_t>(row * n + column)];
    };
    for (std::int64_t column = 0; column < n; ++column) {
        std::int64_t pivot = column;
        for (std::int64_t row = column + 1; row < n; ++row) {
            if (std::fabs(at(row, column)) > std::fabs(at(pivot, column))) pivot = row;
        }
        if (at(pivot, column) == 0) return 0;
        if (pivot != column) {
            product = -product;
            for (std::int64_t k = 0; k < n; ++k)
                std::swap(at(pivot, k), at(column, k));
        }
        product *= at(column, column);
        for (std::int64_t row = column + 1; row < n; ++row) {
            const double factor = at(row, column) / at(column, column);
            for (std::int64_t k = column; k < n; ++k)
                at(row, k) -= factor * at(column, k);
        }
    }
    return product;
}

Status det(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_TRY(requireRank(call, x, 2));
    const std::int64_t n = x.shape.back();
    if (x.shape[x.shape.size() - 2] != n) return refuse(call, say("kernel.not-square", describe(x)));
    const std::vector<double> numbers = doublesOf(x);
    const Shape shape(x.shape.begin(), x.shape.end() - 2);
    std::vector<double> results;
    for (std::int64_t i = 0; i < productOf(shape); ++i) {
        const auto begin = numbers.begin() + i * n * n;
        results.push_back(determinant({begin, begin + n * n}, n));
    }
    return writeNumbers(call, 0, x.dtype, shape, results);
}

constexpr KernelEntry LinearAlgebraKernels[] = {
    {"", "Det", det},
    {"", "Gemm", gemm},
    {"", "MatMul", matMul},
    {"com.microsoft", "FusedMatMul", fusedMatMul},
};

} // namespace

constinit const KernelTable linearAlgebraKernels = LinearAlgebraKernels;

} // namespace plimsoll::kernels
