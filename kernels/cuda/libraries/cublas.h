#pragma once

#include "kernels/cuda/device/queue.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace plimsoll::kernels::cuda {

/// Products of row-major matrices in batches that lie evenly apart: y = alpha · a · b + beta · y.
struct LibraryProduct
{
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t depth = 0;
    std::int64_t parts = 1;
    const float* a = nullptr;
    const float* b = nullptr;
    float* y = nullptr;
    bool transposeA = false; ///< It lies transposed: [depth, rows].
    bool transposeB = false;
    std::int64_t aStep = 0; ///< Elements from part to part.
    std::int64_t bStep = 0;
    float alpha = 1;
    float beta = 0;
    std::byte* workspace = nullptr;
    std::int64_t workspaceBytes = 0;
};

/// cuBLAS, looked for at run time: neither the program nor its package depends on it.
class Library
{
public:
    virtual ~Library() = default;
    [[nodiscard]] virtual std::string version() const = 0; ///< "13.1.0"
    [[nodiscard]] virtual Status multiply(const LibraryProduct& product, Queue& queue) = 0;
};

} // namespace plimsoll::kernels::cuda
