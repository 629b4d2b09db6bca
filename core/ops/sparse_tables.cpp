#include "core/ops/sparse_tables.h"

#include "core/base/bytes.h"

#include <algorithm>

namespace plimsoll::ops {
namespace {

std::int64_t kept(const NodeFacts& facts, std::size_t input)
{
    return facts.type(input).maxStored;
}

/// Both are bounds, as far as they are known.
std::int64_t knownLess(std::int64_t a, std::int64_t b)
{
    return a < 0 ? b : b < 0 ? a : std::min(a, b);
}

bool computesWith(DType dtype)
{
    return dtype == DType::Float32 || dtype == DType::Float64;
}

bool isMatrix(const NodeFacts& facts, std::size_t input)
{
    const auto dims = facts.dims(input);
    return dims && dims->size() == 2 && computesWith(facts.dtype(input));
}

/// The number has no more axes than what it scales, so that the result has the shape of that.
bool isScaled(const NodeFacts& facts, std::size_t scaled, std::size_t by)
{
    const auto dims = facts.dims(scaled);
    const auto number = facts.dims(by);
    const bool single = dims && number && number->size() <= dims->size() &&
                        std::ranges::all_of(*number, [](std::int64_t size) { return size == 1; });
    return single && facts.inputCount() == 2 && computesWith(facts.dtype(0)) && facts.dtype(0) == facts.dtype(1);
}

/// MXNet writes flags as 1, as do our graphs.
bool flag(const NodeFacts& facts, std::string_view name)
{
    return facts.attribute(name, 0) != 0;
}

bool asksFor(const NodeFacts& facts, std::string_view ours, std::string_view mxnets)
{
    return facts.textAttribute("storage", "") == ours || facts.textAttribute("stype", "") == mxnets;
}

} // namespace

std::int64_t keepsFirst(const NodeFacts& facts)
{
    return kept(facts, 0);
}

std::int64_t keepsSecond(const NodeFacts& facts)
{
    return kept(facts, 1);
}

std::int64_t keepsBoth(const NodeFacts& facts)
{
    return checkedAdd(kept(facts, 0), kept(facts, 1)).value_or(UnknownSize);
}

std::int64_t keepsLess(const NodeFacts& facts)
{
    return knownLess(kept(facts, 0), kept(facts, 1));
}

std::int64_t keepsRetained(const NodeFacts& facts)
{
    const auto listed = facts.dims(1);
    const std::int64_t rows = listed && listed->size() == 1 ? listed->front() : UnknownSize;
    return knownLess(kept(facts, 0), rows);
}

std::int64_t keepsColumns(const NodeFacts& facts)
{
    return kept(facts, 0);
}

std::int64_t keepsAsked(const NodeFacts& facts)
{
    const StorageType asked = asksForCsr(facts) ? StorageType::Csr : StorageType::RowSparse;
    return facts.attribute("max_stored", facts.type(0).storage == asked ? kept(facts, 0) : UnknownSize);
}

bool isElementwise(const NodeFacts& facts)
{
    const auto a = facts.dims(0);
    return a && a == facts.dims(1) && facts.inputCount() == 2 && computesWith(facts.dtype(0)) &&
           facts.dtype(0) == facts.dtype(1);
}

bool isScaledBySecond(const NodeFacts& facts)
{
    return isScaled(facts, 0, 1);
}

bool isScaledByFirst(const NodeFacts& facts)
{
    return isScaled(facts, 1, 0);
}

bool isOneInput(const NodeFacts& facts)
{
    return facts.inputCount() == 1;
}

bool isScalable(const NodeFacts& facts)
{
    return facts.inputCount() == 1 && computesWith(facts.dtype(0));
}

bool isMatrixProduct(const NodeFacts& facts)
{
    return isMatrix(facts, 0) && isMatrix(facts, 1) && facts.dtype(0) == facts.dtype(1) &&
           !flag(facts, "transpose_a") && !flag(facts, "transpose_b");
}

bool isTransposedFirst(const NodeFacts& facts)
{
    return isMatrix(facts, 0) && isMatrix(facts, 1) && facts.dtype(0) == facts.dtype(1) && flag(facts, "transpose_a") &&
           !flag(facts, "transpose_b");
}

bool asksForDense(const NodeFacts& facts)
{
    return asksFor(facts, "dense", "default");
}

bool asksForRowSparse(const NodeFacts& facts)
{
    return asksFor(facts, "row_sparse", "row_sparse");
}

bool asksForCsr(const NodeFacts& facts)
{
    return asksFor(facts, "csr", "csr");
}

} // namespace plimsoll::ops
