#include "core/facts/compare/plan_matches.h"

#include "core/plan/plan_file.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace plimsoll {
namespace {

/// What a name means in one plan.
struct Named
{
    ValueId value;
    StorageId storage; ///< That of the value, where it has one.

    [[nodiscard]] bool known() const { return value.valid() || storage.valid(); }
    /// What is matched.
    [[nodiscard]] std::pair<ValueId, StorageId> thing() const { return {value, value.valid() ? StorageId() : storage}; }
};

StorageId numbered(const Report& report, std::string_view name)
{
    std::size_t number = 0;
    if (!name.starts_with('s')) return {};
    const auto [end, error] = std::from_chars(name.data() + 1, name.data() + name.size(), number);
    const bool whole = error == std::errc() && end == name.data() + name.size();
    return whole && number < report.program.storages.size() ? StorageId(number) : StorageId();
}

Named meant(const Report& report, std::string_view name)
{
    const Graph& graph = *report.program.graph;
    if (const ValueId value = findValue(graph, name); value.valid())
        return {value, report.program.values[value.index()].storage};
    if (!name.starts_with(ScratchPrefix)) return {{}, numbered(report, name)};
    for (std::size_t i = 0; i < report.program.storages.size(); ++i) {
        const NodeId node = report.program.storages[i].scratchOf;
        if (node.valid() && graph[node].name == name.substr(ScratchPrefix.size())) return {{}, StorageId(i)};
    }
    return {};
}

/// Pairs by hand, each thing in one of them at most.
class Pairs
{
public:
    Pairs(const Report& before, const Report& after) : m_before(before), m_after(after) {}

    Status add(const SaidMatch& said)
    {
        const Named one = meant(m_before, said.first);
        const Named other = meant(m_after, said.second);
        if (!one.known()) return wrong(said, say("match.not-there", word::Name {said.first}, "A"));
        if (!other.known()) return wrong(said, say("match.not-there", word::Name {said.second}, "B"));
        if (!m_firsts.insert(one.thing()).second) return wrong(said, say("match.twice", word::Name {said.first}, "A"));
        if (!m_seconds.insert(other.thing()).second)
            return wrong(said, say("match.twice", word::Name {said.second}, "B"));
        const bool twoValues = one.value.valid() && other.value.valid();
        if (twoValues) values.emplace_back(one.value, other.value);
        if (one.storage.valid() && other.storage.valid())
            storages.emplace_back(one.storage, other.storage);
        else if (!twoValues)
            return wrong(said, say("match.no-storage", word::Name {one.storage.valid() ? said.second : said.first}));
        return {};
    }

    std::vector<std::pair<ValueId, ValueId>> values;
    std::vector<std::pair<StorageId, StorageId>> storages;

private:
    static Error wrong(const SaidMatch& said, Message message)
    {
        return {ErrorCode::BadUsage, std::move(message), said.first + "=" + said.second, {}};
    }

    const Report& m_before;
    const Report& m_after;
    std::set<std::pair<ValueId, StorageId>> m_firsts;
    std::set<std::pair<ValueId, StorageId>> m_seconds;
};

} // namespace

bool isNamed(const Report& report, std::string_view name)
{
    return meant(report, name).known();
}

PlanMatches matchPlans(const Report& before, const Report& after, std::span<const SaidMatch> said)
{
    Pairs pairs(before, after);
    std::optional<Error> wrong;
    std::size_t heeded = 0;
    for (const SaidMatch& one : said) {
        const Status added = pairs.add(one);
        heeded += added.ok() ? 1 : 0;
        if (!added.ok() && !wrong) wrong = added.error();
    }
    return {matchValues(*before.program.graph, *after.program.graph, pairs.values), heeded, std::move(pairs.storages),
            std::move(wrong)};
}

std::optional<SaidMatch> sayable(const Report& before, const Report& after, const std::string& one,
                                 const std::string& other)
{
    const auto inOne = [](const Report& in, const Report& notIn, const std::string& name) {
        return isNamed(in, name) && !isNamed(notIn, name);
    };
    if (inOne(before, after, one) && inOne(after, before, other)) return SaidMatch {one, other};
    if (inOne(before, after, other) && inOne(after, before, one)) return SaidMatch {other, one};
    return std::nullopt;
}

} // namespace plimsoll
