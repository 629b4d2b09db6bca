#include "kernels/run/probe/between_probe.h"

#include "core/ops/op_traits.h"
#include "kernels/run/probe/overwrite.h"
#include "kernels/run/step/compare.h"

#include <algorithm>
#include <limits>

namespace plimsoll::kernels {

namespace {

/// Whose bytes a value is by the graph's own wish, whatever the plan: what it is a view or a new version of.
ValueId rootOf(const Graph& graph, ValueId value)
{
    while (graph[value].producer.valid() && !graph.decided[graph[value].producer].ahead) {
        const std::vector<AliasTrait> traits = aliasTraits(graph, graph[value].producer);
        const auto tie = std::find_if(traits.begin(), traits.end(), [&](const AliasTrait& trait) {
            const bool ties = trait.kind == AliasKind::View || trait.kind == AliasKind::Mutates;
            return ties && trait.output == graph[value].producerOutput;
        });
        if (tie == traits.end()) break;
        value = graph[graph[value].producer].inputs[static_cast<std::size_t>(tie->input)];
    }
    return value;
}

} // namespace

BetweenProbe::BetweenProbe(const PlannedProgram& program, std::span<const SavedReport> saved)
    : m_program(program), m_saved(saved)
{
    m_result.expected = program.policies.outputs == OutputsPolicy::Shared;
}

void BetweenProbe::write(const Memory& planned)
{
    BoundHandles handles(m_program, planned);
    for (std::size_t i = 0; i < handles.size(); ++i) {
        const std::size_t forward = m_program.graph->top().outputs.size() - m_program.graph->boundary.gradients;
        const bool output = m_program.handles[i].kind == Handle::Kind::Output && m_program.handles[i].index < forward;
        const bool there = handles.content(i).kind == RuntimeValue::Kind::Tensor;
        if (output && there && m_done.insert(i).second) m_result.writes.push_back(writeOne(handles, i));
    }
}

ProbeWrite BetweenProbe::writeOne(BoundHandles& handles, std::size_t index) const
{
    const Handle& handle = m_program.handles[index];
    ProbeWrite result;
    result.handle = {true, handle.index, (*m_program.graph)[handle.value].name};
    if ((*m_program.graph)[rootOf(*m_program.graph, handle.value)].role != ValueRole::Intermediate) {
        result.outcome = ProbeWrite::Outcome::Skipped;
        result.reason = say("probe.handed-in");
        return result;
    }
    const NodeId reader = readerOf(handle.value);
    if (reader.valid() && !m_result.expected) {
        result.outcome = ProbeWrite::Outcome::Refused;
        result.reason = say("probe.still-read", word::Name {(*m_program.graph)[reader].name});
        return result;
    }
    writeThrough(handles, index, result);
    return result;
}

/// The backward node that has kept what the output is.
NodeId BetweenProbe::readerOf(ValueId output) const
{
    const ValueId root = rootOf(*m_program.graph, output);
    for (const SavedReport& saved : m_saved) {
        if (rootOf(*m_program.graph, saved.tensor.value) == root) return saved.tensor.readBy;
    }
    return {};
}

WriteProbe::Between BetweenProbe::judge(const std::vector<RuntimeValue>& plain,
                                        const std::vector<RuntimeValue>& written) &&
{
    const std::vector<ValueId>& outputs = m_program.graph->top().outputs;
    for (std::size_t i = outputs.size() - m_program.graph->boundary.gradients; i < outputs.size(); ++i) {
        const auto difference = compareExactly(written[i], plain[i]);
        if (difference) m_result.changed.push_back({{true, i, (*m_program.graph)[outputs[i]].name}, difference->note});
    }
    return std::move(m_result);
}

std::vector<RunResult::Mismatch> contradictions(const PlannedProgram& program, const WriteProbe::Between& between)
{
    std::vector<RunResult::Mismatch> all;
    for (const WriteProbe::Stale& gradient : between.changed) {
        if (between.expected) break;
        RunResult::Mismatch mismatch;
        mismatch.value = gradient.handle.value;
        mismatch.step = program.schedule.length() - 1;
        mismatch.maxAbsDiff = std::numeric_limits<double>::quiet_NaN();
        mismatch.note = say("probe.between", gradient.note);
        all.push_back(std::move(mismatch));
    }
    return all;
}

} // namespace plimsoll::kernels
