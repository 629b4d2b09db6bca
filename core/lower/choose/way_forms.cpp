#include "core/lower/choose/way_forms.h"

#include "core/base/bytes.h"
#include "core/lower/node_insertion.h"

#include <algorithm>
#include <set>

namespace plimsoll::dispatching {
namespace {

/// Of one value; those with the fewest copies are left where there are more.
constexpr std::size_t MostForms = 32;

void listNodes(const Graph& graph, BodyId body, Timeline& timeline)
{
    for (const NodeId node : graph[body].nodes) {
        if (graph.decided[node].ahead) continue;
        timeline.order.push_back(node);
        for (const BodyId inner : graph[node].bodies)
            listNodes(graph, inner, timeline);
    }
}

class FormMaker
{
public:
    FormMaker(const Graph& graph, const Candidates& candidates, const Timeline& timeline, const Policies& policies)
        : m_graph(graph), m_candidates(candidates), m_timeline(timeline), m_policies(policies),
          m_forms(graph.values.size()), m_written(graph.values.size(), 0)
    {
        for (std::size_t position = 0; position < timeline.order.size(); ++position) {
            const Node& node = graph[timeline.order[position]];
            for (std::size_t i = 0; i < node.inputs.size(); ++i) {
                if (node.inputs[i].valid())
                    m_forms[node.inputs[i].index()].readers.emplace_back(position, static_cast<int>(i));
            }
            for (const ValueId output : node.outputs) {
                if (output.valid()) m_written[output.index()] = position;
            }
        }
        for (const Body& body : graph.bodies) {
            for (const ValueId output : body.outputs)
                m_forms[output.index()].kept = true;
        }
    }

    std::vector<Forms> run()
    {
        for (std::size_t value = 0; value < m_forms.size(); ++value)
            addForms(ValueId(value), m_forms[value]);
        return std::move(m_forms);
    }

private:
    void addForms(ValueId value, Forms& forms) const
    {
        const Value& info = m_graph[value];
        const bool made = info.producer.valid() && !m_graph.decided[info.producer].ahead;
        if (isKnownAhead(m_graph, value) || m_graph.decided[value].fusedInto.valid()) return;
        if (!made && forms.readers.empty()) return;
        forms.theirs = !made || (forms.kept && m_policies.outputs == OutputsPolicy::External);
        std::vector<std::vector<LayoutId>> wanted(1);
        for (const auto& reader : forms.readers)
            branch(wanted, layoutsOf(reader), forms.whole);
        for (const LayoutId own : writtenAs(value, made)) {
            for (const auto& reads : wanted)
                forms.list.push_back(formOf(value, forms, own, reads));
        }
    }

    [[nodiscard]] std::set<LayoutId> writtenAs(ValueId value, bool made) const
    {
        if (!made) return {m_candidates.homeOf(value)};
        std::set<LayoutId> layouts;
        const Value& info = m_graph[value];
        for (const Candidate& candidate : m_candidates.ofNode[info.producer.index()])
            layouts.insert(candidate.outputs[static_cast<std::size_t>(info.producerOutput)]);
        return layouts;
    }

    [[nodiscard]] std::set<LayoutId> layoutsOf(const std::pair<std::size_t, int>& reader) const
    {
        std::set<LayoutId> layouts;
        for (const Candidate& candidate : m_candidates.ofNode[m_timeline.order[reader.first].index()])
            layouts.insert(candidate.inputs[static_cast<std::size_t>(reader.second)]);
        return layouts;
    }

    /// Every list so far goes on with each of the layouts.
    static void branch(std::vector<std::vector<LayoutId>>& lists, const std::set<LayoutId>& layouts, bool& whole)
    {
        std::vector<std::vector<LayoutId>> longer;
        for (const std::vector<LayoutId>& list : lists) {
            for (const LayoutId layout : layouts) {
                longer.push_back(list);
                longer.back().push_back(layout);
            }
        }
        const auto kinds = [](const std::vector<LayoutId>& list) {
            return std::set<LayoutId>(list.begin(), list.end()).size();
        };
        if (longer.size() > MostForms) {
            std::ranges::stable_sort(longer, {}, kinds);
            longer.resize(MostForms);
            whole = false;
        }
        lists = std::move(longer);
    }

    [[nodiscard]] std::int64_t bytesOf(ValueId value, LayoutId layout) const
    {
        const std::int64_t bytes = m_candidates.bytesOf(m_graph, value, layout);
        return checkedAlignUp(bytes, m_policies.alignment).value_or(bytes);
    }

    [[nodiscard]] Form formOf(ValueId value, const Forms& forms, LayoutId own,
                              const std::vector<LayoutId>& wanted) const
    {
        const std::size_t writer = m_written[value.index()];
        const LayoutId home = m_candidates.homeOf(value);
        Form form {own, wanted, {}, 0};
        form.stays.push_back({own, forms.theirs && own == home ? 0 : bytesOf(value, own), m_timeline.at(writer), 0});
        form.stays[0].end = form.stays[0].begin;
        if (forms.kept && own != home)
            addCopy(value, form,
                    {home, forms.theirs ? 0 : bytesOf(value, home),
                     m_timeline.ofResult(writer, m_graph[value].producerOutput), m_timeline.end()});
        if (forms.kept && own == home) form.stays[0].end = m_timeline.end();
        for (std::size_t reader = 0; reader < wanted.size(); ++reader) {
            if (wanted[reader] == AnyLayout) continue;
            const auto [position, input] = forms.readers[reader];
            const auto copy = std::ranges::find(form.stays, wanted[reader], &Stay::layout);
            if (copy == form.stays.end())
                addCopy(value, form,
                        {wanted[reader], bytesOf(value, wanted[reader]), m_timeline.ofInput(position, input),
                         m_timeline.at(position)});
            else
                copy->end = std::max(copy->end, m_timeline.at(position));
        }
        return form;
    }

    /// The reorder reads what was written.
    void addCopy(ValueId value, Form& form, const Stay& copy) const
    {
        form.stays.push_back(copy);
        form.stays[0].end = std::max(form.stays[0].end, copy.begin);
        form.ms += m_candidates.changeMs(m_graph, value, form.own, copy.layout);
    }

    const Graph& m_graph;
    const Candidates& m_candidates;
    const Timeline& m_timeline;
    const Policies& m_policies;
    std::vector<Forms> m_forms;         ///< By ValueId.
    std::vector<std::size_t> m_written; ///< By ValueId: the position of the node that makes it.
};

} // namespace

Timeline timelineOf(const Graph& graph)
{
    Timeline timeline;
    listNodes(graph, TopBody, timeline);
    std::size_t inputs = 0;
    std::size_t outputs = 0;
    for (const NodeId node : timeline.order) {
        inputs = std::max(inputs, graph[node].inputs.size());
        outputs = std::max(outputs, graph[node].outputs.size());
    }
    timeline.before = static_cast<Moment>(inputs);
    timeline.stride = static_cast<Moment>(inputs + outputs + 1);
    return timeline;
}

std::vector<Forms> formsOf(const Graph& graph, const Candidates& candidates, const Timeline& timeline,
                           const Policies& policies)
{
    return FormMaker(graph, candidates, timeline, policies).run();
}

} // namespace plimsoll::dispatching
