#include "core/advice/freeing.h"

#include "core/ops/op_schema.h"

#include <algorithm>

namespace plimsoll {
namespace {

constexpr std::size_t MostVariables = 200;

class FreeingSearch
{
public:
    FreeingSearch(const Graph& captured, PlanRequest request, std::string_view value, const Context& context)
        : m_captured(captured), m_request(std::move(request)), m_value(value), m_context(context)
    {
        m_request.givenPlan.reset();
        m_request.recordDecisions = false;
    }

    Result<std::vector<Freeing>> run()
    {
        PLIMSOLL_ASSIGN(now, analyse(m_captured, m_request, m_context));
        m_errors = countFindings(now, Severity::Error);
        m_boundaryBytes = now.training.boundaryBytes;
        PLIMSOLL_TRY(changePolicies());
        m_request.constraints.recomputed.emplace_back(m_value);
        PLIMSOLL_TRY(attempt(m_captured, {Freeing::Kind::Recompute, std::string(m_value)}));
        m_request.constraints.recomputed.pop_back();
        PLIMSOLL_TRY(writeInPlace());
        std::size_t tried = 0;
        for (const Value& value : m_captured.values) {
            if (!value.requiresGrad || value.producer.valid() || tried++ >= MostVariables) continue;
            const auto chosen = m_request.constraints.gradients;
            m_request.constraints.gradients[value.name] = GradientRequest::Null;
            PLIMSOLL_TRY(attempt(m_captured, {Freeing::Kind::Freeze, value.name}));
            m_request.constraints.gradients = chosen;
        }
        std::stable_sort(m_found.begin(), m_found.end(), [](const Freeing& a, const Freeing& b) {
            return std::pair(a.peakBytes, a.boundaryBytes) < std::pair(b.peakBytes, b.boundaryBytes);
        });
        return std::move(m_found);
    }

private:
    Status changePolicies()
    {
        const Policies chosen = m_request.policies;
        for (const SavedPolicy other : {SavedPolicy::Guarded, SavedPolicy::Guarded2019, SavedPolicy::Exact}) {
            if (other == chosen.saved) continue;
            m_request.policies.saved = other;
            PLIMSOLL_TRY(
                attempt(m_captured, {Freeing::Kind::Policy, "saved", policyValue(m_request.policies, "saved")}));
        }
        m_request.policies = chosen;
        if (chosen.recompute == RecomputePolicy::Cheap) return {};
        m_request.policies.recompute = RecomputePolicy::Cheap;
        PLIMSOLL_TRY(attempt(m_captured, {Freeing::Kind::Policy, "recompute", "cheap"}));
        m_request.policies = chosen;
        return {};
    }

    /// Whether the only reader can write over it: an operator of ours has the same name with an underscore.
    Status writeInPlace()
    {
        const ValueId value = findValue(m_captured, m_value);
        if (!value.valid() || !m_captured[value].producer.valid() || m_captured[value].body != TopBody) return {};
        const Uses uses = findUses(m_captured);
        if (uses.reads[value.index()].size() != 1 || !uses.results[value.index()].empty()) return {};
        const Uses::Read& read = uses.reads[value.index()].front();
        const Node& reader = m_captured[read.node];
        if (read.input != 0 || !reader.domain.empty() || reader.declared->traits ||
            !findSchema("plimsoll", reader.op + "_"))
            return {};
        Graph graph = m_captured;
        Node& node = graph[read.node];
        node.op = node.op + "_";
        node.domain = "plimsoll";
        node.from.edit().origin = {"plimsoll", node.op, {}};
        return attempt(graph, {Freeing::Kind::InPlace, node.name});
    }

    Status attempt(const Graph& graph, Freeing way)
    {
        const auto report = analyse(graph, m_request, m_context);
        if (!report.ok() && report.error().code == ErrorCode::Stopped) return report.error();
        if (!report.ok()) return {}; // What cannot be planned frees nothing.
        const auto isIt = [&](ValueId value) { return (*report.value().program.graph)[value].name == m_value; };
        const bool kept = std::any_of(report.value().training.saved.begin(), report.value().training.saved.end(),
                                      [&](const SavedReport& saved) { return isIt(saved.tensor.value); });
        if (kept || countFindings(report.value(), Severity::Error) > m_errors) return {};
        // Its old version may be kept in a copy instead.
        if (way.kind == Freeing::Kind::InPlace && report.value().training.boundaryBytes >= m_boundaryBytes) return {};
        way.boundaryBytes = report.value().training.boundaryBytes;
        way.peakBytes = report.value().memory.peakBytes;
        for (const RecomputedReport& one : report.value().training.recomputed) {
            if (way.kind != Freeing::Kind::Recompute) break;
            way.nodes += one.tensor.nodes.size();
            way.movedBytes += one.tensor.movedBytes;
        }
        m_found.push_back(std::move(way));
        return {};
    }

    const Graph& m_captured;
    PlanRequest m_request;
    std::string_view m_value;
    const Context& m_context;
    std::size_t m_errors = 0;         ///< Findings as things are…
    std::int64_t m_boundaryBytes = 0; ///< …and what is kept.
    std::vector<Freeing> m_found;
};

} // namespace

Message describe(const Freeing& way)
{
    switch (way.kind) {
    case Freeing::Kind::Policy:
        return say("text", Remedy::policy(way.what, way.choice));
    case Freeing::Kind::Freeze:
        return say("freeing.freeze", way.what);
    case Freeing::Kind::Recompute:
        return say("freeing.recompute", way.what, word::Number {way.nodes}, way.movedBytes);
    case Freeing::Kind::InPlace:
        break;
    }
    return say("freeing.in-place", way.what);
}

FactSection freeingSection(const Report& report, const std::vector<Freeing>& ways, RemedyWords words)
{
    const auto change = [](std::int64_t now, std::int64_t before) {
        return say(now > before ? "freeing.more" : "freeing.less", now, now - before);
    };
    FactSection section {"What would free it, each planned anew", {}};
    for (const Freeing& way : ways) {
        Fact fact {english(describe(way), words),
                   cell::sentence(say("freeing.plan", change(way.boundaryBytes, report.training.boundaryBytes),
                                      change(way.peakBytes, report.memory.peakBytes)))};
        if (way.kind == Freeing::Kind::Freeze) fact.cell.link = Focus::on(findValue(*report.program.graph, way.what));
        section.facts.push_back(std::move(fact));
    }
    if (ways.empty()) section.facts.push_back({"Nothing alone", cell::sentence(say("freeing.nothing"))});
    return section;
}

Result<std::vector<Freeing>> whatWouldFree(const Graph& captured, const PlanRequest& request, std::string_view value,
                                           const Context& context)
{
    return FreeingSearch(captured, request, value, context).run();
}

} // namespace plimsoll
