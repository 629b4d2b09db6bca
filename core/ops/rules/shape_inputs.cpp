#include "core/ops/rules/shape_inputs.h"

#include "core/ops/rules/shape_search.h"
#include "core/ops/safe_int.h"
#include "core/ops/standard_domain.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <string_view>

namespace plimsoll {
namespace {

constexpr std::int64_t Whole = std::numeric_limits<std::int64_t>::max();

Dims firstNumbers(std::size_t count)
{
    Dims numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
}

/// As many sizes as the input has elements; those that are unknown are 1.
void wantSizes(ShapeSearch& search, std::size_t input, std::size_t output = 0)
{
    Dims sizes = search.outDims(output).value_or(Dims(search.count(input), 1));
    std::ranges::replace(sizes, UnknownSize, std::int64_t {1});
    search.want(input, sizes);
}

/// One unknown size, or one of 0 that would mean "as the input", is left to the operator.
void reshape(ShapeSearch& search)
{
    Dims sizes = search.outDims().value_or(Dims(search.count(1), UnknownSize));
    const auto from = search.dims(0);
    const bool copies = search.attribute("allowzero", 0) == 0;
    bool left = false;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const bool same = from && i < from->size() && (*from)[i] == 0;
        const bool open = sizes[i] == UnknownSize || (sizes[i] == 0 && copies && !same);
        if (!open) continue;
        sizes[i] = left ? 1 : -1;
        left = true;
    }
    search.want(1, sizes);
}

void sizesFirst(ShapeSearch& search)
{
    wantSizes(search, 0);
}

void sizesSecond(ShapeSearch& search)
{
    wantSizes(search, 1);
}

void sizesThird(ShapeSearch& search)
{
    wantSizes(search, 2);
}

void tile(ShapeSearch& search)
{
    const auto from = search.dims(0);
    const auto to = search.outDims();
    Dims repeats(search.count(1), 1);
    for (std::size_t i = 0; from && to && from->size() == to->size() && i < std::min(repeats.size(), to->size()); ++i) {
        if ((*from)[i] > 0 && (*to)[i] >= 0) repeats[i] = (*to)[i] / (*from)[i];
    }
    search.want(1, repeats);
}

/// The factor for which the operator's rounding down gives \p to.
double factor(std::int64_t from, std::int64_t to)
{
    if (from <= 0 || to < 0) return 1;
    const auto plain = static_cast<double>(static_cast<float>(to) / static_cast<float>(from));
    const bool exact = std::floor(static_cast<double>(from) * plain) == static_cast<double>(to);
    return exact ? plain : (static_cast<double>(to) + 0.5) / static_cast<double>(from);
}

void resizeBy(ShapeSearch& search, std::size_t scales, std::size_t sizes)
{
    const auto from = search.dims(0);
    const auto to = search.outDims();
    if (!from || !to || from->size() != to->size()) return;
    Dims axes = firstNumbers(to->size());
    if (const auto* listed = findAttribute<std::vector<std::int64_t>>(search.node(), "axes")) axes = *listed;
    std::vector<double> factors;
    Dims targets;
    for (const std::int64_t axis : axes) {
        const auto at = normalAxis(axis, to->size());
        if (!at) return;
        factors.push_back(factor((*from)[*at], (*to)[*at]));
        targets.push_back(std::max<std::int64_t>(1, (*to)[*at]));
    }
    search.wantReals(scales, factors);
    search.want(sizes, targets);
}

void resize(ShapeSearch& search)
{
    const bool first = search.node().inputs.size() == 2; // opset 10
    resizeBy(search, first ? 1 : 2, 3);
}

void upsample(ShapeSearch& search)
{
    resizeBy(search, 1, 3);
}

/// Those whose size changes first, then the others, in order.
Dims changingAxes(const std::optional<Dims>& from, const std::optional<Dims>& to, std::size_t count)
{
    Dims axes;
    const bool known = from && to && from->size() == to->size();
    for (const bool changing : {true, false}) {
        for (std::size_t i = 0; axes.size() < count && i < (known ? to->size() : count); ++i) {
            const bool changes = !known || (*from)[i] != (*to)[i];
            if (changes == changing) axes.push_back(static_cast<std::int64_t>(i));
        }
    }
    std::ranges::sort(axes);
    return axes;
}

/// Half of what is added in front, half behind: reflections reach less far.
void pad(ShapeSearch& search)
{
    const std::size_t count = search.count(1) / 2;
    const auto from = search.dims(0);
    const auto to = search.outDims();
    const Dims axes = search.given(3).value_or(search.has(3) ? changingAxes(from, to, count) : firstNumbers(count));
    Dims pads(2 * count, 0);
    for (std::size_t i = 0; from && to && from->size() == to->size() && i < std::min(count, axes.size()); ++i) {
        const auto at = normalAxis(axes[i], to->size());
        if (!at || (*from)[*at] < 0 || (*to)[*at] < 0) continue;
        const std::int64_t added = (*to)[*at] - (*from)[*at];
        pads[i] = added / 2;
        pads[count + i] = added - pads[i];
    }
    search.want(1, pads);
    search.want(3, axes);
}

struct Cut
{
    std::int64_t start = 0;
    std::int64_t end = Whole;
};

/// Where a slice of \p size of \p from elements begins and ends, if one of both is given.
Cut cutOf(std::int64_t from, std::int64_t size, std::int64_t step, std::optional<std::int64_t> start,
          std::optional<std::int64_t> end)
{
    Cut cut {start.value_or(step < 0 ? -1 : 0), end.value_or(step < 0 ? -Whole : Whole)};
    const auto length = (SafeInt(size) * step).get();
    if (from < 0 || size < 0 || !length || std::abs(*length) > Whole / 4 || from > Whole / 4) return cut;
    const auto normal = [&](std::int64_t at) { return std::clamp<std::int64_t>(at < 0 ? at + from : at, 0, from); };
    if (!start && end) cut.start = normal(*end) - *length;
    if (!start && !end && step < 0) cut.start = from - 1;
    if (!end) cut.end = (start ? normal(*start) : cut.start) + *length;
    if (!end && cut.end < 0) cut.end -= from; // in front of the first element
    return cut;
}

void slice(ShapeSearch& search)
{
    const std::size_t count = std::max(search.count(1), search.count(2));
    const auto from = search.dims(0);
    const auto to = search.outDims();
    const Dims axes = search.given(3).value_or(search.has(3) ? changingAxes(from, to, count) : firstNumbers(count));
    const Dims steps = search.given(4).value_or(Dims(count, 1));
    const auto starts = search.given(1);
    const auto ends = search.given(2);
    if (axes.size() < count || steps.size() < count) return;
    Dims newStarts;
    Dims newEnds;
    for (std::size_t i = 0; i < count; ++i) {
        const auto at = to && from && from->size() == to->size() ? normalAxis(axes[i], to->size()) : std::nullopt;
        const auto numberOf = [i](const auto& list) {
            return list && i < list->size() ? std::optional((*list)[i]) : std::nullopt;
        };
        const Cut cut = cutOf(at ? (*from)[*at] : UnknownSize, at ? (*to)[*at] : UnknownSize, steps[i],
                              numberOf(starts), numberOf(ends));
        newStarts.push_back(cut.start);
        newEnds.push_back(cut.end);
    }
    search.want(1, newStarts);
    search.want(2, newEnds);
    search.want(3, axes);
    search.want(4, steps);
}

/// Which dimensions of \p more are left out in \p fewer: the first that do.
Dims leftOut(const std::optional<Dims>& more, const std::optional<Dims>& fewer, std::size_t count, bool ones)
{
    Dims axes;
    if (!more || !fewer) return firstNumbers(count);
    std::size_t next = 0;
    for (std::size_t i = 0; i < more->size(); ++i) {
        const bool may = !ones || (*more)[i] == 1 || (*more)[i] == UnknownSize;
        const bool same = next < fewer->size() && (*more)[i] == (*fewer)[next];
        if (axes.size() < count && may && (!same || next == fewer->size()))
            axes.push_back(static_cast<std::int64_t>(i));
        else
            ++next;
    }
    return axes.size() == count ? axes : firstNumbers(count);
}

void squeeze(ShapeSearch& search)
{
    search.want(1, leftOut(search.dims(0), search.outDims(), search.count(1), true));
}

void unsqueeze(ShapeSearch& search)
{
    search.want(1, leftOut(search.outDims(), search.dims(0), search.count(1), true));
}

void reduce(ShapeSearch& search)
{
    const bool keeps = search.attribute("keepdims", 1) != 0;
    const auto from = search.dims(0);
    const auto to = search.outDims();
    const std::size_t count = search.count(1);
    search.want(1, keeps ? changingAxes(from, to, count) : leftOut(from, to, count, false));
}

void topK(ShapeSearch& search)
{
    search.want(1, {search.outSize(search.attribute("axis", -1), 1)});
}

void oneHot(ShapeSearch& search)
{
    search.want(1, {search.outSize(search.attribute("axis", -1), 2)});
}

/// start, limit, delta: what is open counts from 0 by 1.
void range(ShapeSearch& search)
{
    const std::int64_t size = search.outSize(0, 1);
    const auto number = [&](std::size_t input, std::int64_t otherwise) {
        const auto given = search.given(input);
        return given && given->size() == 1 ? given->front() : otherwise;
    };
    const std::int64_t delta = number(2, 1);
    const bool byLimit = search.open(0) && !search.open(1);
    const SafeInt start = byLimit ? SafeInt(number(1, 0)) - SafeInt(size) * delta : SafeInt(number(0, 0));
    const auto limit = (start + SafeInt(size) * delta).get();
    if (!limit) return;
    search.want(0, {*start.get()});
    search.want(1, {*limit});
    search.want(2, {delta});
}

void split(ShapeSearch& search)
{
    const std::size_t count = search.count(1);
    const std::int64_t axis = search.attribute("axis", 0);
    Dims sizes;
    for (std::size_t i = 0; i < count; ++i)
        sizes.push_back(search.outSize(axis, 1, i));
    search.want(1, sizes);
}

/// So many that are true, or not zero, come first.
void wantFirst(ShapeSearch& search, std::size_t input, std::int64_t size)
{
    Dims numbers(search.count(input), 0);
    for (std::size_t i = 0; i < numbers.size() && static_cast<std::int64_t>(i) < size; ++i)
        numbers[i] = 1;
    if (size >= 0 && size <= static_cast<std::int64_t>(numbers.size())) search.want(input, numbers);
}

void compress(ShapeSearch& search)
{
    const bool flat = findAttribute<std::int64_t>(search.node(), "axis") == nullptr;
    wantFirst(search, 1, search.outSize(flat ? 0 : search.attribute("axis", 0), UnknownSize));
}

void nonZero(ShapeSearch& search)
{
    wantFirst(search, 0, search.outSize(1, UnknownSize));
}

/// As many different elements, or slices, as there are to be.
void unique(ShapeSearch& search)
{
    const auto dims = search.dims(0);
    const bool flat = findAttribute<std::int64_t>(search.node(), "axis") == nullptr;
    const std::int64_t axis = search.attribute("axis", 0);
    const auto at = dims ? normalAxis(axis, dims->size()) : std::nullopt;
    const std::int64_t size = search.outSize(flat ? 0 : axis, UnknownSize);
    if (search.count(0) == 0 || size < 1 || (!flat && !at)) return;
    std::int64_t inner = 1;
    for (std::size_t i = flat ? dims->size() : *at + 1; i < dims->size(); ++i)
        inner *= (*dims)[i];
    Dims numbers(search.count(0), 0);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const std::int64_t slice = static_cast<std::int64_t>(i) / inner;
        numbers[i] = std::min(flat ? slice : slice % (*dims)[*at], size - 1);
    }
    search.want(0, numbers);
}

void window(ShapeSearch& search)
{
    search.want(0, {search.outSize(0, 1)});
}

void centerCropPad(ShapeSearch& search)
{
    const auto to = search.outDims();
    const auto* axes = findAttribute<std::vector<std::int64_t>>(search.node(), "axes");
    if (!to || !axes) return wantSizes(search, 1);
    Dims sizes;
    for (const std::int64_t axis : *axes)
        sizes.push_back(search.outSize(axis, 1));
    search.want(1, sizes);
}

/// The size of the picture has a channel that the grid does not say.
void affineGrid(ShapeSearch& search)
{
    const auto to = search.outDims();
    if (!to || to->size() < 3 || !allKnown(*to)) return;
    Dims sizes(to->begin(), to->end() - 1);
    sizes.insert(sizes.begin() + 1, 1);
    search.want(1, sizes);
}

/// Nothing is suppressed: as many boxes as there are to be.
void nonMaxSuppression(ShapeSearch& search)
{
    const auto scores = search.dims(1);
    const std::int64_t rows = search.outSize(0, UnknownSize);
    const bool known = scores && scores->size() == 3 && allKnown(*scores);
    const std::int64_t groups = known ? (SafeInt((*scores)[0]) * (*scores)[1]).get().value_or(0) : 0;
    search.want(2, {rows > 0 && groups > 0 ? 1 + (rows - 1) / groups : 1});
    search.wantReals(3, {1});
    search.wantReals(4, {-2});
}

/// The number of iterations follows from what is stacked; else there is one, so that the body is run.
void loop(ShapeSearch& search)
{
    std::int64_t trips = 1;
    const std::size_t states = search.node().inputs.size() < 2 ? 0 : search.node().inputs.size() - 2;
    for (std::size_t i = states; i < search.node().outputs.size(); ++i)
        trips = search.outSize(0, trips, i);
    search.want(0, {trips});
    search.wantAll(1, 1);
}

/// Random indices are 0 or 1: of a dimension of one element there is only the first.
void boundIndices(ShapeSearch& search, std::size_t input, std::int64_t axis)
{
    const auto dims = search.dims(0);
    const auto at = dims ? normalAxis(axis, dims->size()) : std::nullopt;
    if (at && (*dims)[*at] >= 0 && (*dims)[*at] < 2) search.wantAll(input, 0);
}

void indicesOnAxis(ShapeSearch& search)
{
    boundIndices(search, 1, search.attribute("axis", 0));
}

void indicesOfAll(ShapeSearch& search)
{
    const auto dims = search.dims(0);
    if (dims && std::ranges::any_of(*dims, [](std::int64_t size) { return size >= 0 && size < 2; }))
        search.wantAll(1, 0);
}

void batchIndices(ShapeSearch& search)
{
    boundIndices(search, 2, 0);
}

void firstAxis(ShapeSearch& search)
{
    search.wantAll(1, 0);
}

/// Of a recurrent network: every sequence is as long as there is room.
void sequenceLengths(ShapeSearch& search)
{
    const auto dims = search.dims(0);
    if (dims && !dims->empty() && dims->front() >= 0) search.wantAll(4, dims->front());
}

void positive(ShapeSearch& search)
{
    search.wantAll(1, 1);
}

/// No integer is divided by zero.
void divisor(ShapeSearch& search)
{
    if (isInteger(search.dtype(1))) search.wantAll(1, 1);
}

void dropout(ShapeSearch& search)
{
    search.wantReals(1, {0.5});
}

struct Rule
{
    std::string_view op;
    void (*find)(ShapeSearch&);
};

constexpr Rule Rules[] = {
    {"AffineGrid", affineGrid},
    {"ArrayFeatureExtractor", indicesOfAll},
    {"BlackmanWindow", window},
    {"CenterCropPad", centerCropPad},
    {"Compress", compress},
    {"ConstantFill", sizesFirst},
    {"ConstantOfShape", sizesFirst},
    {"CumProd", firstAxis},
    {"CumSum", firstAxis},
    {"DFT", fourierInputs},
    {"Div", divisor},
    {"Dropout", dropout},
    {"Expand", sizesSecond},
    {"GRU", sequenceLengths},
    {"Gather", indicesOnAxis},
    {"GatherElements", indicesOnAxis},
    {"GatherND", indicesOfAll},
    {"HammingWindow", window},
    {"HannWindow", window},
    {"LSTM", sequenceLengths},
    {"Loop", loop},
    {"MaxUnpool", sizesThird},
    {"MelWeightMatrix", melWeightInputs},
    {"Mod", divisor},
    {"NonMaxSuppression", nonMaxSuppression},
    {"NonZero", nonZero},
    {"OneHot", oneHot},
    {"Pad", pad},
    {"RNN", sequenceLengths},
    {"Range", range},
    {"Reshape", reshape},
    {"Resize", resize},
    {"ReverseSequence", positive},
    {"RoiAlign", batchIndices},
    {"STFT", shortFourierInputs},
    {"Scatter", indicesOnAxis},
    {"ScatterElements", indicesOnAxis},
    {"ScatterND", indicesOfAll},
    {"SequenceAt", firstAxis},
    {"SequenceErase", firstAxis},
    {"Slice", slice},
    {"Split", split},
    {"Squeeze", squeeze},
    {"Tile", tile},
    {"TopK", topK},
    {"Unique", unique},
    {"Unsqueeze", unsqueeze},
    {"Upsample", upsample},
};

} // namespace

std::vector<InputContent> shapeInputs(const Graph& graph, NodeId id)
{
    const Node& node = graph[id];
    if (!isStandard(node)) return {};
    ShapeSearch search(graph, id);
    const auto rule = std::ranges::find(Rules, node.op, &Rule::op);
    if (rule != std::end(Rules)) rule->find(search);
    if (rule == std::end(Rules) && node.op.starts_with("Reduce")) reduce(search);
    return search.take();
}

} // namespace plimsoll
