#include "core/lower/choose/dispatch.h"

#include "core/lower/choose/device_copies.h"
#include "core/lower/choose/dispatch_admission.h"
#include "core/lower/choose/dispatch_progress.h"
#include "core/lower/choose/dispatch_reorders.h"
#include "core/lower/choose/fusion.h"
#include "core/lower/choose/widened_pairs.h"
#include "core/plan/implementation.h"

#include <algorithm>
#include <cstdio>

namespace plimsoll {
namespace {

using dispatching::Candidate;
using dispatching::Candidates;
using dispatching::Chooser;

std::string msText(double ms)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.3g ms", ms);
    return text;
}

/// Says of every candidate of one node what it would have taken, and which it was.
class Explainer
{
public:
    Explainer(const Graph& graph, const Candidates& candidates, Chooser& chooser, const DispatchRequest& request,
              const DecisionLog& log)
        : m_graph(graph), m_candidates(candidates), m_chooser(chooser), m_request(request), m_log(log)
    {
    }

    void explain(NodeId node)
    {
        const auto& list = m_candidates.ofNode[node.index()];
        const bool asked = m_request.catalogue.offers.contains(m_graph[node].name);
        if (!asked || m_graph.decided[node].ahead) return;
        const std::size_t chosen = m_chooser.chosenIndex(node);
        std::vector<double> prices;
        for (std::size_t i = 0; i < list.size(); ++i)
            prices.push_back(m_chooser.priceOf(node, i));
        m_leastMs = *std::ranges::min_element(prices);
        for (std::size_t i = 0; i < list.size(); ++i)
            add(node, list[i], i == chosen, prices[i], prices[chosen]);
    }

private:
    void add(NodeId node, const Candidate& candidate, bool taken, double ms, double chosenMs)
    {
        constexpr double Same = 1e-12; // as sums of times may differ
        const bool faster = ms < chosenMs - Same;
        const Implementation& offer = candidate.implementation;
        const std::int64_t extra = dispatching::paddingBytes(m_graph, m_graph[node], offer) + offer.scratchpadBytes;
        const bool pinned = m_request.pins.contains(m_graph[node].name);
        const bool alone = m_candidates.ofNode[node.index()].size() == 1;
        const bool others = m_request.catalogue.offers.at(m_graph[node].name).size() > 1;
        const bool least = chosenMs <= m_leastMs + Same;
        const char* rule = !taken   ? (faster ? "more-bytes" : "slower")
                           : pinned ? "pinned"
                           : !alone ? (least           ? "fastest"
                                       : m_request.way ? "policy-choose"
                                                       : "fewest-bytes")
                           : others ? "only-one-left"
                                    : "only-offer";
        Message reason = say(offer.device.empty() ? "offer.time" : "offer.time-device", layoutsText(offer), msText(ms),
                             taken    ? Message()
                             : faster ? say(m_request.way ? "offer.not-in-way" : "offer.more-bytes")
                                      : say("offer.slower", msText(ms - chosenMs)),
                             extra > 0 ? say("offer.extra", extra) : Message());
        m_log.add(
            {DecisionKind::Implementation, m_graph[node].name, describe(offer), taken, rule, std::move(reason), extra});
    }

    const Graph& m_graph;
    const Candidates& m_candidates;
    Chooser& m_chooser;
    const DispatchRequest& m_request;
    const DecisionLog& m_log;
    double m_leastMs = 0; ///< Of the candidates of the node at hand.
};

} // namespace

/// Nothing is on offer, and nothing is asked for: plain loops, in the layouts that are there.
static bool isAsCaptured(const Graph& graph, const DispatchRequest& request)
{
    const auto isSparse = [](const Value& value) { return value.type.isSparse(); };
    return request.catalogue.offers.empty() && request.pins.empty() && !request.way &&
           std::ranges::none_of(graph.values, isSparse);
}

Result<Dispatch> dispatch(Graph graph, const DispatchRequest& request, const DecisionLog& log, const Context& context)
{
    if (isAsCaptured(graph, request)) return Dispatch {std::move(graph), {}};
    graph = fuse(std::move(graph), request, log);
    PLIMSOLL_ASSIGN(candidates, dispatching::collectCandidates(graph, request, log, context));
    Dispatch result;
    {
        Chooser chooser(graph, candidates);
        if (request.way)
            chooser.take(*request.way);
        else
            PLIMSOLL_TRY(chooser.run(context));
        Explainer explainer(graph, candidates, chooser, request, log);
        for (std::size_t node = 0; node < graph.nodes.size(); ++node) {
            PLIMSOLL_TRY(dispatching::goOn(context, {0.8, 1}, node, graph.nodes.size()));
            Implementation& chosen = result.implementations.at(NodeId(node));
            chosen = chooser.chosen(NodeId(node)).implementation;
            const NodeId computer = graph.decided[NodeId(node)].fusedInto;
            if (computer.valid()) chosen.backend = chooser.chosen(computer).implementation.backend;
            if (log.recording()) explainer.explain(NodeId(node));
        }
    }
    result.graph = std::move(graph);
    dispatching::widenInPlace(result, log);
    dispatching::ReorderInserter(result, candidates).run();
    dispatching::DeviceCopier(result).run();
    return result;
}

} // namespace plimsoll
