#include "core/freeing.h"

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
        const SavedPolicy chosen = m_request.policies.saved;
        for (const SavedPolicy other : {SavedPolicy::Guarded, SavedPolicy::Guarded2019, SavedPolicy::Exact}) {
            if (other == chosen) continue;
            m_request.policies.saved = other;
            PLIMSOLL_TRY(attempt(Freeing::Kind::Policy, "saved=" + policyValue(m_request.policies, "saved")));
        }
        m_request.policies.saved = chosen;
        PLIMSOLL_TRY(freezeVariables());
        std::stable_sort(m_found.begin(), m_found.end(), [](const Freeing& a, const Freeing& b) {
            return std::pair(a.peakBytes, a.boundaryBytes) < std::pair(b.peakBytes, b.boundaryBytes);
        });
        return std::move(m_found);
    }

private:
    Status freezeVariables()
    {
        std::size_t tried = 0;
        for (const Value& value : m_captured.values) {
            if (!value.requiresGrad || value.producer.valid() || tried++ >= MostVariables) continue;
            const auto chosen = m_request.gradients;
            m_request.gradients[value.name] = GradientRequest::Null;
            PLIMSOLL_TRY(attempt(Freeing::Kind::Freeze, value.name));
            m_request.gradients = chosen;
        }
        return {};
    }

    Status attempt(Freeing::Kind kind, std::string what)
    {
        PLIMSOLL_ASSIGN(report, analyse(m_captured, m_request, m_context));
        const bool kept = std::any_of(report.saved.begin(), report.saved.end(), [&](const SavedReport& saved) {
            return (*report.graph)[saved.tensor.value].name == m_value;
        });
        if (!kept) m_found.push_back({kind, std::move(what), report.boundaryBytes, report.peakBytes});
        return {};
    }

    const Graph& m_captured;
    PlanRequest m_request;
    std::string_view m_value;
    const Context& m_context;
    std::vector<Freeing> m_found;
};

} // namespace

Result<std::vector<Freeing>> whatWouldFree(const Graph& captured, const PlanRequest& request, std::string_view value,
                                           const Context& context)
{
    return FreeingSearch(captured, request, value, context).run();
}

} // namespace plimsoll
