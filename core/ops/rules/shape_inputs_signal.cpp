#include "core/ops/rules/shape_search.h"
#include "core/ops/safe_int.h"

#include <algorithm>

namespace plimsoll {
namespace {

std::int64_t twice(std::int64_t number)
{
    return (SafeInt(number) * 2).get().value_or(number);
}

} // namespace

void melWeightInputs(ShapeSearch& search)
{
    search.want(0, {search.outSize(1, 1)});
    search.want(1, {twice(std::max<std::int64_t>(1, search.outSize(0, 2) - 1))});
    search.want(2, {16000});
    search.wantReals(3, {0});
    search.wantReals(4, {8000});
}

void fourierInputs(ShapeSearch& search)
{
    const std::int64_t axis = search.has(2) ? -2 : search.attribute("axis", 1);
    search.want(2, {-2});
    const auto dims = search.dims(0);
    const auto at = dims ? normalAxis(axis, dims->size()) : std::nullopt;
    const std::int64_t whole = at ? (*dims)[*at] : UnknownSize;
    const std::int64_t size = search.outSize(axis, UnknownSize);
    const bool half = search.attribute("onesided", 0) != 0;
    if (size < 1) return;
    search.want(1, {!half ? size : (whole / 2 + 1 == size ? whole : twice(size - 1))});
}

void shortFourierInputs(ShapeSearch& search)
{
    const auto window = search.dims(2);
    const auto signal = search.dims(0);
    const std::int64_t bins = search.outSize(2, 2);
    const bool half = search.attribute("onesided", 1) != 0;
    const std::int64_t length =
        window && !window->empty() && window->front() > 0 ? window->front() : (half ? twice(bins - 1) : bins);
    const std::int64_t frames = search.outSize(1, 1);
    const std::int64_t all = signal && signal->size() > 1 ? (*signal)[1] : length;
    search.want(1, {frames > 1 ? std::max<std::int64_t>(1, (all - length) / (frames - 1)) : 1});
    search.want(3, {length});
}

} // namespace plimsoll
