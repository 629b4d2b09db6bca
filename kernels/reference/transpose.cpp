#include "kernels/reference/call_tools.h"
#include "kernels/reference/kernel_families.h"
#include "kernels/reference/moved_elements.h"
#include "kernels/reference/permutation.h"

#include <numeric>

namespace plimsoll::kernels {

Result<Shape> permutationOf(const KernelCall& call, const TensorView& x)
{
    Shape permutation(x.shape.size());
    std::iota(permutation.rbegin(), permutation.rend(), std::int64_t {0});
    permutation = intsAttribute(call, "perm").value_or(permutation);
    PLIMSOLL_ASSIGN(named, axisMask(call, permutation, x.shape.size()));
    if (permutation.size() != x.shape.size() || std::find(named.begin(), named.end(), false) != named.end()) {
        return refuse(call,
                      plimsoll::describe(permutation) + " does not permute the dimensions of " + describe(x) + ".");
    }
    for (std::int64_t& axis : permutation)
        axis += axis < 0 ? static_cast<std::int64_t>(x.shape.size()) : 0;
    return permutation;
}

namespace {

/// out[d] runs along dimension permutation[d] of \p x seen as \p shape; the output has \p outShape.
Status permute(KernelCall& call, const TensorView& x, const Shape& shape, const Shape& permutation,
               const Shape& outShape)
{
    const Shape dense = rowMajorStrides(shape);
    Shape block;
    Shape strides;
    for (const std::int64_t from : permutation) {
        block.push_back(shape[static_cast<std::size_t>(from)]);
        strides.push_back(dense[static_cast<std::size_t>(from)]);
    }
    PLIMSOLL_ASSIGN(out, call.output(0, x.dtype, outShape.empty() ? block : outShape));
    copyRegion({x, 0, strides}, {out, 0, rowMajorStrides(block)}, block);
    return {};
}

Status transpose(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(permutation, permutationOf(call, x));
    return permute(call, x, x.shape, permutation, {});
}

Status depthToSpace(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    const std::int64_t b = intAttribute(call, "blocksize", 0);
    if (x.shape.size() != 4 || b < 1 || b > x.shape[1] || x.shape[1] % (b * b) != 0) {
        return refuse(call, describe(x) + " has no depth to move into blocks of " + std::to_string(b) + ".");
    }
    const std::int64_t depth = x.shape[1] / (b * b);
    const Shape out {x.shape[0], depth, x.shape[2] * b, x.shape[3] * b};
    if (textAttribute(call, "mode", "DCR") == "CRD") {
        return permute(call, x, {x.shape[0], depth, b, b, x.shape[2], x.shape[3]}, {0, 1, 4, 2, 5, 3}, out);
    }
    return permute(call, x, {x.shape[0], b, b, depth, x.shape[2], x.shape[3]}, {0, 3, 4, 1, 5, 2}, out);
}

Status spaceToDepth(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    const std::int64_t b = intAttribute(call, "blocksize", 0);
    if (x.shape.size() != 4 || b < 1 || x.shape[2] % b != 0 || x.shape[3] % b != 0) {
        return refuse(call, describe(x) + " does not divide into blocks of " + std::to_string(b) + ".");
    }
    const std::int64_t rows = x.shape[2] / b;
    const std::int64_t columns = x.shape[3] / b;
    std::int64_t depth = 0;
    if (__builtin_mul_overflow(x.shape[1], b, &depth) || __builtin_mul_overflow(depth, b, &depth)) {
        return refuse(call, "the outcome is too large.");
    }
    if (textAttribute(call, "mode", "DCR") == "CRD") {
        return permute(call, x, {x.shape[0], x.shape[1], rows, b, columns, b}, {0, 1, 3, 5, 2, 4},
                       {x.shape[0], depth, rows, columns});
    }
    return permute(call, x, {x.shape[0], x.shape[1], rows, b, columns, b}, {0, 3, 5, 1, 2, 4},
                   {x.shape[0], depth, rows, columns});
}

constexpr KernelEntry Table[] = {
    {"", "DepthToSpace", depthToSpace},
    {"", "SpaceToDepth", spaceToDepth},
    {"", "Transpose", transpose},
};

} // namespace

KernelTable transposeKernels()
{
    return Table;
}

} // namespace plimsoll::kernels
