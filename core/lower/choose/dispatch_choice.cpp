#include "core/lower/choose/dispatch_choice.h"

#include "core/lower/choose/dispatch_progress.h"
#include "core/ops/op_traits.h"

#include <algorithm>
#include <limits>

namespace plimsoll::dispatching {
namespace {

constexpr int MostSweeps = 20;

/// How far off a time may be: speeds of one kernel differ by as much from one shape to the next, and so do two
/// measurements of it. What a file states is taken at its word.
double errorOf(const Candidate& candidate)
{
    constexpr double OfEstimates = 0.1;
    constexpr double OfMeasurements = 0.03;
    const std::string& from = candidate.implementation.provenance;
    return candidate.ms * (from == "estimated" ? OfEstimates : from == "measured" ? OfMeasurements : 0);
}

} // namespace

Chooser::Chooser(const Graph& graph, const Candidates& candidates)
    : m_graph(graph), m_candidates(candidates), m_best(graph.nodes.size()), m_chosen(graph.nodes.size(), 0),
      m_needs(graph.values.size()), m_readers(graph.values.size(), 0)
{
    listNodes(TopBody);
    for (const NodeId node : m_order) {
        for (const ValueId input : graph[node].inputs) {
            if (input.valid()) ++m_readers[input.index()];
        }
    }
    for (const Body& body : graph.bodies) {
        for (const ValueId output : body.outputs) {
            ++m_readers[output.index()];
            if (m_needs[output.index()].empty()) m_needs[output.index()].push_back({candidates.homeOf(output), 1});
        }
    }
}

void Chooser::listNodes(BodyId body)
{
    for (const NodeId node : m_graph[body].nodes) {
        if (!m_graph.decided[node].ahead) m_order.push_back(node);
        for (const BodyId inner : m_graph[node].bodies)
            listNodes(inner);
    }
}

double Chooser::reorderMs(ValueId value, LayoutId from, LayoutId to) const
{
    const ValueRole role = m_graph[value].role;
    const bool ahead = role == ValueRole::Parameter || role == ValueRole::Constant;
    if (from == to || to == AnyLayout || ahead) return 0;
    return m_candidates.changeMs(m_graph, value, from, to);
}

LayoutId Chooser::layoutOf(ValueId value) const
{
    const Value& info = m_graph[value];
    if (!info.producer.valid()) return m_candidates.homeOf(value);
    if (m_graph.decided[info.producer].ahead) return Plain;
    return chosen(info.producer).outputs[static_cast<std::size_t>(info.producerOutput)];
}

Status Chooser::run(const Context& context)
{
    walkForward();
    walkBack();
    for (int i = 0; i < MostSweeps; ++i) {
        PLIMSOLL_TRY(goOn(context, {0.5 + 0.3 * i / MostSweeps, 0.8}, 0, 1));
        if (!sweep(i % 2 == 0)) break;
    }
    preferFewerBytes();
    return {};
}

void Chooser::take(const Way& way)
{
    m_chosen = way.candidates;
    for (const NodeId node : m_order)
        count(node, 1);
}

/// The least that \p value costs in the layout that is wanted; what several read, each pays a part of.
double Chooser::cheapestSource(ValueId value, LayoutId wanted) const
{
    const Value& info = m_graph[value];
    if (!info.producer.valid()) return reorderMs(value, m_candidates.homeOf(value), wanted);
    if (m_best[info.producer.index()].empty()) return reorderMs(value, Plain, wanted);
    const auto& sources = m_candidates.ofNode[info.producer.index()];
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < sources.size(); ++i) {
        const LayoutId layout = sources[i].outputs[static_cast<std::size_t>(info.producerOutput)];
        least = std::min(least, m_best[info.producer.index()][i] / m_readers[value.index()] +
                                    reorderMs(value, layout, wanted));
    }
    return least;
}

void Chooser::walkForward()
{
    for (const NodeId node : m_order) {
        for (const Candidate& candidate : m_candidates.ofNode[node.index()]) {
            double ms = candidate.ms;
            for (std::size_t i = 0; i < candidate.inputs.size(); ++i) {
                const ValueId input = m_graph[node].inputs[i];
                if (input.valid()) ms += cheapestSource(input, candidate.inputs[i]);
            }
            m_best[node.index()].push_back(ms);
        }
    }
}

/// From the last node to the first: what is best up to here, and what the readers, which have chosen, want made of it.
void Chooser::walkBack()
{
    for (auto node = m_order.rbegin(); node != m_order.rend(); ++node) {
        const auto& list = m_candidates.ofNode[node->index()];
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < list.size(); ++i) {
            const double ms = m_best[node->index()][i] + outputCost(*node, list[i]);
            if (ms >= least) continue;
            least = ms;
            m_chosen[node->index()] = i;
        }
        count(*node, 1);
    }
}

void Chooser::count(NodeId node, int step)
{
    const Candidate& candidate = chosen(node);
    for (std::size_t i = 0; i < candidate.inputs.size(); ++i) {
        const ValueId input = m_graph[node].inputs[i];
        if (!input.valid() || candidate.inputs[i] == AnyLayout) continue;
        Needs& needs = m_needs[input.index()];
        const auto found =
            std::ranges::find_if(needs, [&](const auto& need) { return need.first == candidate.inputs[i]; });
        if (found == needs.end())
            needs.push_back({candidate.inputs[i], step});
        else
            found->second += step;
    }
}

double Chooser::outputCost(NodeId node, const Candidate& candidate) const
{
    double ms = 0;
    for (std::size_t i = 0; i < candidate.outputs.size(); ++i) {
        const ValueId output = m_graph[node].outputs[i];
        if (!output.valid()) continue;
        for (const auto& [layout, readers] : m_needs[output.index()])
            ms += readers > 0 ? reorderMs(output, candidate.outputs[i], layout) : 0;
    }
    return ms;
}

/// Without the node's own needs in the count.
double Chooser::localCost(NodeId node, const Candidate& candidate) const
{
    double ms = candidate.ms + outputCost(node, candidate);
    std::vector<std::pair<ValueId, LayoutId>> paid;
    for (std::size_t i = 0; i < candidate.inputs.size(); ++i) {
        const ValueId input = m_graph[node].inputs[i];
        const LayoutId wanted = candidate.inputs[i];
        if (!input.valid() || wanted == AnyLayout) continue;
        const Needs& needs = m_needs[input.index()];
        const bool shared =
            std::ranges::any_of(needs, [wanted](const auto& need) { return need.first == wanted && need.second > 0; });
        const std::pair once(input, wanted);
        if (shared || std::ranges::find(paid, once) != paid.end()) continue;
        paid.push_back(once);
        ms += reorderMs(input, layoutOf(input), wanted);
    }
    return ms;
}

double Chooser::priceOf(NodeId node, std::size_t candidate)
{
    count(node, -1);
    const double ms = localCost(node, m_candidates.ofNode[node.index()][candidate]);
    count(node, 1);
    return ms;
}

bool Chooser::sweep(bool forward)
{
    bool changed = false;
    for (std::size_t i = 0; i < m_order.size(); ++i) {
        const NodeId node = m_order[forward ? i : m_order.size() - 1 - i];
        const auto& list = m_candidates.ofNode[node.index()];
        if (list.size() < 2) continue;
        count(node, -1);
        double least = localCost(node, chosen(node));
        for (std::size_t c = 0; c < list.size(); ++c) {
            const double ms = localCost(node, list[c]);
            if (ms >= least - 1e-12) continue;
            least = ms;
            m_chosen[node.index()] = c;
            changed = true;
        }
        count(node, 1);
    }
    return changed;
}

void Chooser::preferFewerBytes()
{
    for (const NodeId node : m_order) {
        const auto& list = m_candidates.ofNode[node.index()];
        if (list.size() < 2) continue;
        count(node, -1);
        const Candidate& fastest = chosen(node);
        const double least = localCost(node, fastest);
        std::pair best {bytesAround(node, fastest), least};
        for (std::size_t c = 0; c < list.size(); ++c) {
            const std::pair own {bytesAround(node, list[c]), localCost(node, list[c])};
            if (own >= best || own.second - least > std::max(errorOf(fastest), errorOf(list[c]))) continue;
            best = own;
            m_chosen[node.index()] = c;
        }
        count(node, 1);
    }
}

/// What the node takes beside its inputs as they are: scratchpad, outputs, and copies of either in other layouts.
std::int64_t Chooser::bytesAround(NodeId node, const Candidate& candidate) const
{
    std::int64_t bytes = candidate.implementation.scratchpadBytes;
    for (std::size_t i = 0; i < candidate.inputs.size(); ++i) {
        const ValueId input = m_graph[node].inputs[i];
        if (input.valid() && reorderMs(input, layoutOf(input), candidate.inputs[i]) > 0)
            bytes += m_candidates.bytesOf(m_graph, input, candidate.inputs[i]);
    }
    for (std::size_t o = 0; o < candidate.outputs.size(); ++o) {
        const ValueId output = m_graph[node].outputs[o];
        if (!output.valid()) continue;
        if (!mayLieOnInput(node, candidate, static_cast<int>(o)))
            bytes += m_candidates.bytesOf(m_graph, output, candidate.outputs[o]);
        for (const auto& [layout, readers] : m_needs[output.index()])
            bytes += readers > 0 && layout != candidate.outputs[o] ? m_candidates.bytesOf(m_graph, output, layout) : 0;
    }
    return bytes;
}

/// On one that is made in the run, read by this node alone, and left in the same layout.
bool Chooser::mayLieOnInput(NodeId node, const Candidate& candidate, int output) const
{
    const Implementation& offer = candidate.implementation;
    const auto fits = [&](int at) {
        const auto index = static_cast<std::size_t>(at);
        const ValueId input = index < candidate.inputs.size() ? m_graph[node].inputs[index] : ValueId();
        return input.valid() && m_graph[input].role == ValueRole::Intermediate && m_readers[input.index()] == 1 &&
               candidate.inputs[index] == candidate.outputs[static_cast<std::size_t>(output)];
    };
    const auto offered = [&](const auto& pair) { return pair.output == output && fits(pair.input); };
    if (offer.inPlaceKnown) return std::ranges::any_of(offer.inPlace, offered);
    const std::vector<AliasTrait> traits = aliasTraits(m_graph, node);
    return std::ranges::any_of(traits, [&](const AliasTrait& trait) {
        return trait.kind == AliasKind::MayBeInPlace && trait.output == output && fits(trait.input);
    });
}

} // namespace plimsoll::dispatching
