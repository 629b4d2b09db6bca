#include "core/picture/colour_by.h"

#include "core/base/narrow.h"
#include "core/facts/english/english.h"
#include "core/facts/offers.h"
#include "core/facts/words/names.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

namespace plimsoll {
namespace {

constexpr std::size_t DeepestModule = 8;

const Value& valueOf(const Report& report, std::size_t index)
{
    return (*report.program.graph)[ValueId(index)];
}

/// The node that writes a value, if one does.
const Node* writerOf(const Report& report, std::size_t value)
{
    const NodeId producer = valueOf(report, value).producer;
    return producer.valid() ? &(*report.program.graph)[producer] : nullptr;
}

std::string kindOf(const Report& report, std::size_t value)
{
    return std::string(spoken(roleOf(report, ValueId(narrow<std::int32_t>(value)))));
}

/// "enc/l0" of "/enc/l0/conv", "blocks.0" of the module of that name.
std::vector<std::string> moduleOf(const Node& node)
{
    const bool named = !node.from->module.empty();
    const char joint = named ? '.' : '/';
    std::string path = named ? node.from->module + joint : node.name;
    std::vector<std::string> parts;
    for (std::size_t begin = 0, end = 0; (end = path.find(joint, begin)) != std::string::npos; begin = end + 1)
        if (end > begin) parts.push_back(path.substr(begin, end - begin));
    return parts;
}

std::string joined(const std::vector<std::string>& parts, std::size_t depth)
{
    std::string text;
    for (std::size_t i = 0; i < std::min(depth, parts.size()); ++i)
        text += (i > 0 ? "/" : "") + parts[i];
    return text;
}

/// Values by class; what has no class, as what nothing writes, has no colour.
void colourClasses(const Report& report, const std::function<std::string(std::size_t)>& classOf, ColourScheme& scheme)
{
    std::vector<std::string> names(report.program.values.size());
    std::map<std::string, std::size_t> counts;
    for (std::size_t i = 0; i < names.size(); ++i) {
        names[i] = classOf(i);
        if (!names[i].empty()) ++counts[names[i]];
    }
    for (const auto& [name, count] : counts)
        scheme.key.push_back({NoColour, name, {}, count});
    std::ranges::stable_sort(scheme.key, std::greater(), &ColourKey::values);
    std::map<std::string, ColourIndex> colours;
    std::size_t others = 0;
    for (std::size_t i = 0; i < scheme.key.size(); ++i) {
        if (i < StorageColourCount) scheme.key[i].colour = narrow<ColourIndex>(i);
        if (i >= StorageColourCount) others += scheme.key[i].values;
        colours[scheme.key[i].name] = scheme.key[i].colour;
    }
    if (others > 0) {
        scheme.key.resize(StorageColourCount);
        scheme.key.push_back({NoColour, std::string(spoken("other")), {}, others});
    }
    for (std::size_t i = 0; i < names.size(); ++i)
        scheme.values[i] = names[i].empty() ? NoColour : colours[names[i]];
    for (std::size_t i = 0; i < scheme.storages.size(); ++i) {
        const std::vector<ValueId>& tenants = report.program.storages[i].values;
        if (!tenants.empty()) scheme.storages[i] = scheme.values[tenants.front().index()];
    }
}

std::int64_t stepsOf(const LiveRanges& live)
{
    std::int64_t steps = 0;
    for (const Interval& part : live.intervals())
        steps += part.length();
    return steps;
}

/// Where the steps of the ramp begin: equally far apart by ratio, 1 first.
std::vector<std::int64_t> rampBounds(std::int64_t most)
{
    std::vector<std::int64_t> bounds;
    for (std::size_t i = 0; i <= RampCount; ++i) {
        const double share = static_cast<double>(i) / RampCount;
        const auto bound = static_cast<std::int64_t>(std::ceil(std::pow(static_cast<double>(most) + 1, share)));
        bounds.push_back(std::max(bound, bounds.empty() ? std::int64_t {1} : bounds.back() + 1));
    }
    return bounds;
}

/// Numbers of values and of storages; 0 has no colour.
void colourNumbers(const std::vector<std::int64_t>& values, const std::vector<std::int64_t>& storages,
                   ColourScheme& scheme)
{
    std::int64_t most = 1;
    for (const std::vector<std::int64_t>* numbers : {&values, &storages})
        for (const std::int64_t number : *numbers)
            most = std::max(most, number);
    const std::vector<std::int64_t> bounds = rampBounds(most);
    const auto colourOf = [&](std::int64_t number) -> ColourIndex {
        if (number <= 0) return NoColour;
        const auto above = std::upper_bound(bounds.begin(), bounds.end() - 1, number);
        return narrow<ColourIndex>(FirstOfRamp + static_cast<std::size_t>(above - bounds.begin()) - 1);
    };
    std::ranges::transform(values, scheme.values.begin(), colourOf);
    std::ranges::transform(storages, scheme.storages.begin(), colourOf);
    for (std::size_t i = 0; i < RampCount; ++i) {
        const auto colour = narrow<ColourIndex>(FirstOfRamp + i);
        const auto count = static_cast<std::size_t>(std::ranges::count(scheme.values, colour));
        const Interval range {bounds[i], std::min(bounds[i + 1], most + 1)};
        if (count > 0) scheme.key.push_back({colour, {}, range, count});
    }
}

void colourByLifetime(const Report& report, ColourScheme& scheme)
{
    std::vector<std::int64_t> values;
    std::vector<std::int64_t> storages;
    for (const PlannedValue& value : report.program.values) {
        const bool planned = value.storage.valid() && report.program.storages[value.storage.index()].arena.valid();
        values.push_back(planned ? stepsOf(value.live) : 0);
    }
    for (const Storage& storage : report.program.storages)
        storages.push_back(storage.arena.valid() ? stepsOf(storage.live) : 0);
    colourNumbers(values, storages, scheme);
}

void colourByReuse(const Report& report, ColourScheme& scheme)
{
    std::vector<std::int64_t> storages;
    for (const Storage& storage : report.program.storages)
        storages.push_back(storage.arena.valid() ? std::ssize(storage.values) : 0);
    std::vector<std::int64_t> values;
    for (const PlannedValue& value : report.program.values)
        values.push_back(value.storage.valid() ? storages[value.storage.index()] : 0);
    colourNumbers(values, storages, scheme);
}

/// Microseconds, at least 1 where there is a time; 0 where none was measured.
std::int64_t microsecondsOf(const Report& report, const RunResult& run, std::size_t value)
{
    const NodeId producer = valueOf(report, value).producer;
    const auto ms = producer.valid() ? measuredMs(report.program, run, producer) : std::nullopt;
    return ms ? std::max<std::int64_t>(1, std::llround(1000 * *ms)) : 0;
}

void colourByTime(const Report& report, const RunResult& run, ColourScheme& scheme)
{
    std::vector<std::int64_t> values(report.program.values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = microsecondsOf(report, run, i);
    std::vector<std::int64_t> storages;
    for (const Storage& storage : report.program.storages)
        storages.push_back(storage.values.empty() ? 0 : values[storage.values.front().index()]);
    if (std::ranges::max(values) > 0) colourNumbers(values, storages, scheme);
}

} // namespace

std::vector<std::string> modulesOf(const Report& report)
{
    const std::size_t count = report.program.values.size();
    std::vector<std::vector<std::string>> parts(count);
    for (std::size_t i = 0; i < count; ++i)
        if (const Node* node = writerOf(report, i)) parts[i] = moduleOf(*node);
    std::vector<std::string> best(count);
    for (std::size_t depth = 1; depth <= DeepestModule; ++depth) {
        std::vector<std::string> names(count);
        for (std::size_t i = 0; i < count; ++i)
            names[i] = joined(parts[i], depth);
        const std::size_t classes = std::set<std::string>(names.begin(), names.end()).size();
        if (depth > 1 && classes > StorageColourCount) break;
        best = std::move(names);
    }
    return best;
}

ColourScheme colourBy(const Report& report, ColourBy by, const RunResult* run)
{
    ColourScheme scheme {by,
                         std::vector<ColourIndex>(report.program.values.size(), NoColour),
                         StorageColours(report.program.storages.size(), NoColour),
                         {}};
    switch (by) {
    case ColourBy::Storage:
        scheme.storages = colourStorages(report.program);
        for (std::size_t i = 0; i < scheme.values.size(); ++i)
            if (const StorageId id = report.program.values[i].storage; id.valid())
                scheme.values[i] = scheme.storages[id.index()];
        break;
    case ColourBy::Kind:
        colourClasses(
            report, [&](std::size_t i) { return kindOf(report, i); }, scheme);
        break;
    case ColourBy::Type:
        colourClasses(
            report, [&](std::size_t i) { return std::string(dtypeName(valueOf(report, i).type.dtype)); }, scheme);
        break;
    case ColourBy::Operator:
        colourClasses(
            report, [&](std::size_t i) { return writerOf(report, i) ? *writerOf(report, i)->op : std::string(); },
            scheme);
        break;
    case ColourBy::Module: {
        const std::vector<std::string> modules = modulesOf(report);
        colourClasses(
            report, [&](std::size_t i) { return modules[i]; }, scheme);
        break;
    }
    case ColourBy::Lifetime:
        colourByLifetime(report, scheme);
        break;
    case ColourBy::Reuse:
        colourByReuse(report, scheme);
        break;
    case ColourBy::Time:
        if (run && !scheme.values.empty()) colourByTime(report, *run, scheme);
        break;
    case ColourBy::None:
        break;
    }
    return scheme;
}

} // namespace plimsoll
