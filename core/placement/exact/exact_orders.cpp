#include "core/placement/exact/exact_orders.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace plimsoll {
namespace {

using Pick = FitSearch::Pick;

constexpr std::array Strategies = {
    FitStrategy {"TWA", Pick::Lowest},  FitStrategy {"CTA", Pick::Failing}, FitStrategy {"TCU", Pick::Lowest},
    FitStrategy {"WC", Pick::Lowest},   FitStrategy {"UWA", Pick::Failing}, FitStrategy {"UTA", Pick::Lowest},
    FitStrategy {"TWC", Pick::Failing}, FitStrategy {"LTA", Pick::Lowest},  FitStrategy {"W", Pick::Tightest},
    FitStrategy {"UWA", Pick::Lowest},  FitStrategy {"TUZ", Pick::Lowest},  FitStrategy {"TWA", Pick::Tightest},
    FitStrategy {"W", Pick::Lowest},    FitStrategy {"Z", Pick::Failing},   FitStrategy {"W", Pick::Failing},
    FitStrategy {"CUW", Pick::Lowest},
};

/// SplitMix64 (Steele, Lea, Flood, 2014): the same numbers everywhere.
class Noise
{
public:
    explicit Noise(std::uint64_t seed) : m_state(seed) {}

    /// In [-1, 1).
    double next()
    {
        m_state += 0x9E3779B97F4A7C15U;
        std::uint64_t value = m_state;
        value = (value ^ value >> 30U) * 0xBF58476D1CE4E5B9U;
        value = (value ^ value >> 27U) * 0x94D049BB133111EBU;
        value ^= value >> 31U;
        return static_cast<double>(value >> 11U) / 4503599627370496.0 - 1;
    }

private:
    std::uint64_t m_state;
};

/// The least value first; the first among equals.
template <typename Value>
std::vector<std::int32_t> rankOf(const std::vector<Value>& values)
{
    std::vector<std::int32_t> order(values.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&values](std::int32_t a, std::int32_t b) {
        return values[static_cast<std::size_t>(a)] < values[static_cast<std::size_t>(b)];
    });
    std::vector<std::int32_t> rank(values.size());
    for (std::size_t place = 0; place < order.size(); ++place)
        rank[static_cast<std::size_t>(order[place])] = static_cast<std::int32_t>(place);
    return rank;
}

double fullest(const FitModel& model, std::int32_t item)
{
    std::int64_t most = 0;
    for (const SectionRange range : model.ranges[item]) {
        for (std::int32_t section = range.begin; section < range.end; ++section)
            most = std::max(most, model.load[static_cast<std::size_t>(section)]);
    }
    return static_cast<double>(most);
}

double valueOf(const FitModel& model, std::int32_t item, char key)
{
    const auto index = static_cast<std::size_t>(item);
    const auto lifetime = static_cast<double>(model.lifetime[index]);
    const auto bytes = static_cast<double>(model.bytes[index]);
    switch (key) {
    case 'T':
        return fullest(model, item);
    case 'W':
        return lifetime;
    case 'A':
        return lifetime * bytes;
    case 'Z':
        return bytes;
    case 'U':
        return static_cast<double>(model.hull[index].end);
    case 'L':
        return static_cast<double>(sectionCount(model) - model.hull[index].begin);
    default:
        return static_cast<double>(model.neighbours[item].size());
    }
}

} // namespace

std::span<const FitStrategy> fitStrategies()
{
    return Strategies;
}

std::vector<std::int32_t> rankBy(const FitModel& model, std::string_view keys, std::uint64_t seed)
{
    constexpr std::size_t MostKeys = 3;
    std::vector<std::array<double, MostKeys>> values(model.bytes.size());
    for (std::int32_t item = 0; item < itemCount(model); ++item) {
        for (std::size_t key = 0; key < std::min(keys.size(), MostKeys); ++key)
            values[static_cast<std::size_t>(item)][key] = -valueOf(model, item, keys[key]);
    }
    const std::vector<std::int32_t> rank = rankOf(values);
    if (seed == 0) return rank;
    constexpr std::array Reaches = {0.03, 0.15, 0.5};
    const double reach = Reaches[seed % Reaches.size()] * static_cast<double>(rank.size());
    Noise noise(seed);
    std::vector<double> moved;
    for (const std::int32_t place : rank)
        moved.push_back(place + noise.next() * reach);
    return rankOf(moved);
}

std::vector<std::int64_t> firstFit(const FitModel& model, std::span<const std::int32_t> rank, const Context& context)
{
    std::vector<std::int32_t> order(rank.size());
    for (std::size_t item = 0; item < rank.size(); ++item)
        order[static_cast<std::size_t>(rank[item])] = static_cast<std::int32_t>(item);
    std::vector<std::int64_t> offsets(rank.size(), -1);
    std::vector<Interval> taken;
    for (const std::int32_t item : order) {
        if (context.stopped()) return {};
        taken.clear();
        for (const std::int32_t other : model.neighbours[item]) {
            const auto index = static_cast<std::size_t>(other);
            if (offsets[index] >= 0) taken.push_back({offsets[index], offsets[index] + model.bytes[index]});
        }
        std::sort(taken.begin(), taken.end(), [](Interval a, Interval b) { return a.begin < b.begin; });
        std::int64_t offset = firstFree(model, item, 0);
        for (const Interval bytes : taken) {
            if (bytes.end <= offset) continue;
            if (bytes.begin - offset >= model.bytes[static_cast<std::size_t>(item)]) break;
            offset = firstFree(model, item, bytes.end);
        }
        offsets[static_cast<std::size_t>(item)] = offset;
    }
    return offsets;
}

std::int64_t peakOf(const FitModel& model, std::span<const std::int64_t> offsets)
{
    std::int64_t peak = model.pinnedEnd;
    for (std::size_t item = 0; item < offsets.size(); ++item)
        peak = std::max(peak, offsets[item] + model.bytes[item]);
    return peak;
}

} // namespace plimsoll
