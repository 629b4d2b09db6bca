#include "kernels/run/probe/write_probe.h"

#include "kernels/run/memory/bound_handles.h"
#include "kernels/run/probe/overwrite.h"
#include "kernels/run/step/compare.h"
#include "kernels/run/step/digest.h"
#include "kernels/run/step/element_values.h"

#include <algorithm>
#include <limits>

namespace plimsoll::kernels {
namespace {

constexpr std::int64_t MostElements = 64;
constexpr std::size_t MostContents = 64;

HandleName nameOf(const PlannedProgram& program, std::size_t index)
{
    const Handle& handle = program.handles[index];
    return {handle.kind == Handle::Kind::Output, handle.index, (*program.graph)[handle.value].name};
}

class Probe
{
public:
    Probe(const PlannedProgram& program, const Memory& planned) : m_program(program), m_handles(program, planned)
    {
        for (std::size_t i = 0; i < m_handles.size(); ++i) {
            m_seen.push_back(cloneValue(m_handles.content(i)));
            m_contents.push_back(describeContent(i));
        }
    }

    Result<WriteProbe> run(const Context& context)
    {
        WriteProbe probe;
        probe.liveBytes = m_handles.liveBytes();
        for (std::size_t i = 0; i < m_handles.size(); ++i) {
            if (context.stopped()) return Error {ErrorCode::Stopped, say("run.stopped-in-probe"), {}, {}};
            probe.writes.push_back(write(i));
        }
        return probe;
    }

private:
    ProbeWrite write(std::size_t index)
    {
        ProbeWrite result;
        result.handle = nameOf(m_program, index);
        const std::int64_t elements = m_handles.content(index).tensor.elements();
        writeThrough(m_handles, index, result);
        const bool refused = result.outcome == ProbeWrite::Outcome::Refused;
        if (const auto partner = refused ? m_handles.partnerOf(index) : std::nullopt)
            result.partner = nameOf(m_program, *partner);
        const bool written = !refused && result.outcome != ProbeWrite::Outcome::Skipped && elements > 0;
        look(index, written ? m_handles.sharers(index) : std::vector<std::size_t> {}, result);
        result.liveBytes = m_handles.liveBytes();
        return result;
    }

    /// Compares every handle with what it showed before.
    void look(std::size_t written, const std::vector<std::size_t>& predicted, ProbeWrite& result)
    {
        for (std::size_t i = 0; i < m_handles.size(); ++i) {
            const bool expected = std::binary_search(predicted.begin(), predicted.end(), i);
            const std::int64_t bytes = changedBytes(m_seen[i], m_handles.content(i));
            if (bytes > 0) {
                m_seen[i] = cloneValue(m_handles.content(i));
                m_contents[i] = describeContent(i);
            }
            if (i != written && bytes > 0) result.changed.push_back({nameOf(m_program, i), bytes, expected});
            if (i != written && bytes == 0 && expected && valueBytes(m_handles.content(i)) > 0)
                result.unchanged.push_back(nameOf(m_program, i));
            if (m_handles.size() <= MostContents || i == written || bytes > 0) result.after.push_back(m_contents[i]);
        }
    }

    [[nodiscard]] ProbeWrite::Content describeContent(std::size_t index) const
    {
        const RuntimeValue value = m_handles.content(index);
        ProbeWrite::Content content;
        content.handle = nameOf(m_program, index);
        Digest digest;
        digest.add(value);
        content.digest = digest.hex();
        if (value.kind != RuntimeValue::Kind::Tensor) return content;
        content.dtype = value.tensor.dtype;
        const bool isRowOfElements = !(*m_program.graph)[m_program.handles[index].value].type.isSparse();
        if (isRowOfElements && value.tensor.elements() <= MostElements)
            content.elements = elementTexts(value.tensor, MostElements);
        return content;
    }

    const PlannedProgram& m_program;
    BoundHandles m_handles;
    std::vector<RuntimeValue> m_seen;            ///< By handle: what it showed last.
    std::vector<ProbeWrite::Content> m_contents; ///< By handle: the same in words.
};

RunResult::Mismatch contradiction(const PlannedProgram& program, const std::string& value, Message note)
{
    RunResult::Mismatch mismatch;
    mismatch.value = value;
    mismatch.step = program.schedule.length() - 1;
    mismatch.maxAbsDiff = std::numeric_limits<double>::quiet_NaN();
    mismatch.note = std::move(note);
    const ValueId id = findValue(*program.graph, value);
    if (!id.valid() || !(*program.graph)[id].producer.valid()) return mismatch;
    mismatch.node = (*program.graph)[(*program.graph)[id].producer].name;
    return mismatch;
}

} // namespace

Result<WriteProbe> probeWrites(const PlannedProgram& program, const Memory& planned, const Context& context)
{
    return Probe(program, planned).run(context);
}

void compareRuns(const PlannedProgram& program, const std::vector<RuntimeValue>& first,
                 const std::vector<RuntimeValue>& second, WriteProbe& probe)
{
    for (std::size_t i = 0; i < first.size() && i < second.size(); ++i) {
        const auto difference = compareExactly(second[i], first[i]);
        if (difference)
            probe.stale.push_back(
                {{true, i, (*program.graph)[program.graph->top().outputs[i]].name}, difference->note});
        else
            ++probe.refreshedOutputs;
    }
}

std::vector<RunResult::Mismatch> contradictions(const PlannedProgram& program, const WriteProbe& probe)
{
    std::vector<RunResult::Mismatch> all;
    for (const ProbeWrite& write : probe.writes) {
        for (const ProbeWrite::Change& change : write.changed) {
            if (change.predicted) continue;
            all.push_back(
                contradiction(program, change.handle.value,
                              say("probe.unpredicted", word::Name {write.handle.value}, word::Number {change.bytes})));
        }
    }
    for (const WriteProbe::Stale& stale : probe.stale)
        all.push_back(contradiction(program, stale.handle.value, say("probe.stale", stale.note)));
    return all;
}

} // namespace plimsoll::kernels
