#include "kernels/common/call_tools.h"
#include "kernels/common/moved_elements.h"
#include "kernels/common/numbers.h"
#include "kernels/reference/special/sparse_kernels.h"

#include <algorithm>
#include <cstring>

namespace plimsoll::kernels {

Result<std::vector<std::int64_t>> rowsToKeep(const KernelCall& call, const TensorView& listed, std::int64_t rows)
{
    std::vector<std::int64_t> wanted = integersOf(listed);
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    if (wanted.empty() || (wanted.front() >= 0 && wanted.back() < rows)) return wanted;
    const std::int64_t wrong = wanted.front() < 0 ? wanted.front() : wanted.back();
    return refuse(call, "there is no row " + std::to_string(wrong) + " to retain among " + std::to_string(rows) + ".");
}

Status retainDense(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(listed, inputTensor(call, 1));
    if (x.shape.empty() || x.dtype == DType::String || dtypeBits(x.dtype) < 8)
        return refuse(call, describe(x) + " has no rows to retain.");
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
