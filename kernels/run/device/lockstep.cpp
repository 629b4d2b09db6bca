#include "kernels/run/device/lockstep.h"

#include "core/base/stopwatch.h"
#include "kernels/run/memory/sparse_values.h"
#include "kernels/run/step/digest.h"
#include "kernels/run/step/element_values.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace plimsoll::kernels {
namespace {

constexpr std::size_t MaxMismatches = 200;

Interval reservedBytes(const MemoryMap& map, const Graph& graph, ValueId value)
{
    const ValuePlacement& where = map.values[value.index()];
    return {where.offset, where.offset + graph[value].type.bytes().value_or(where.bytes)};
}

bool sharesBytes(const MemoryMap& map, const Graph& graph, ValueId a, ValueId b)
{
    const ValuePlacement& first = map.values[a.index()];
    const ValuePlacement& second = map.values[b.index()];
    const bool known = (first.placed() && second.placed()) || (first.host.valid() && second.host.valid());
    if (!known || first.arena != second.arena || first.host != second.host) return false;
    return overlaps(reservedBytes(map, graph, a), reservedBytes(map, graph, b));
}

} // namespace

std::string iterationText(std::span<const std::int64_t> iteration)
{
    std::string text;
    for (const std::int64_t number : iteration)
        text += (text.empty() ? "" : ".") + std::to_string(number);
    return text;
}

Lockstep::Lockstep(Parts parts)
    : m_program(parts.program), m_planned(parts.program, parts.externals, std::move(parts.memory)),
      m_oracle(parts.program, parts.externals), m_dead(parts.program), m_observer(parts.observer),
      m_context(parts.context), m_stepMs(static_cast<std::size_t>(parts.program.schedule.length()), 0.0),
      m_inUse(parts.program), m_held(parts.program, m_planned.memory()),
      m_lastWrites(parts.program.graph->values.size())
{
}

StepEvent Lockstep::event() const
{
    const Step& step = m_program.schedule.steps[static_cast<std::size_t>(m_step)];
    return {m_step, m_program.schedule.length(), step.node, step.kind, m_iteration};
}

Status Lockstep::beginStep(std::int64_t step)
{
    PLIMSOLL_TRY(health());
    if (m_context.stopped())
        return Error {ErrorCode::Stopped, "The run was stopped at step " + std::to_string(step) + ".", {}, {}};
    if (m_capturedOrder) m_dead.pass(m_step, step, m_planned.memory());
    m_step = step;
    m_writtenNow.clear();
    m_observer.begin(event());
    m_nowMs = 0;
    m_spoiledRead = false;
    return {};
}

void Lockstep::endStep()
{
    m_stepMs[static_cast<std::size_t>(m_step)] += m_nowMs;
    m_inUse.note(m_step, event().node);
    m_held.note(m_step, m_oracle);
    checkGuards();
    checkCanaries();
    const bool digests = m_observer.wantsDigests() && !m_writtenNow.empty();
    m_observer.end(event(), m_nowMs, digests ? digestWritten() : std::string());
}

std::string Lockstep::digestWritten()
{
    Digest digest;
    for (const ValueId value : m_writtenNow) {
        const Result<RuntimeValue> content = m_planned.onHost(value);
        if (content.ok()) digest.add(content.value());
        if (!content.ok()) noteFailure(content.error());
    }
    return digest.hex();
}

Status Lockstep::health() const
{
    return m_failure.ok() ? m_planned.memory().health() : m_failure;
}

void Lockstep::noteFailure(const Status& status)
{
    if (m_failure.ok()) m_failure = status;
}

std::optional<Difference> Lockstep::difference(ValueId value)
{
    if (!m_planned.spaces().of(value)) return compareExactly(m_planned.value(value), m_oracle.value(value));
    const Result<RuntimeValue> found = m_planned.onHost(value);
    const Result<RuntimeValue> wanted = m_oracle.onHost(value);
    if (found.ok() && wanted.ok()) return compareExactly(found.value(), wanted.value());
    noteFailure(found.ok() ? wanted.error() : found.error());
    return std::nullopt;
}

Status Lockstep::copyFromOracle(ValueId target)
{
    PLIMSOLL_ASSIGN(content, m_oracle.onHost(target));
    return m_planned.write(target, content);
}

void Lockstep::checkGuards()
{
    while (const auto hit = m_planned.memory().checkGuards()) {
        addOverrun("the guard zone " + std::string(hit->after ? "after" : "before") + " arena " +
                       std::to_string(hit->arena.number()) + " was written, " + std::to_string(hit->distance) +
                       " bytes from its edge",
                   {});
    }
}

void Lockstep::addOverrun(std::string note, const std::string& value)
{
    RunResult::Mismatch mismatch;
    mismatch.value = value;
    mismatch.node = graph()[event().node].name;
    mismatch.step = m_step;
    mismatch.maxAbsDiff = std::numeric_limits<double>::quiet_NaN();
    mismatch.note = std::move(note);
    m_observer.mismatch(mismatch);
    m_mismatches.push_back(std::move(mismatch));
}

/// Around what the device has just written in the oracle, where nothing else lies beside it.
void Lockstep::checkCanaries()
{
    if (!spaces().of(event().node)) return;
    for (const ValueId value : m_writtenNow)
        checkCanaries(value);
    if (m_program.implementations[event().node.index()].scratchpadBytes > 0) checkCanaries(ValueId {});
}

void Lockstep::checkCanaries(ValueId value)
{
    const DeviceCanaries* const canaries = m_oracle.canariesOf(value);
    if (!canaries) return;
    const auto hit = canaries->firstHit();
    if (!hit.ok()) return noteFailure(hit.error());
    if (!hit.value()) return;
    const std::int64_t distance = *hit.value();
    const std::string what = value.valid() ? "'" + graph()[value].name + "'" : "its scratchpad";
    addOverrun("its kernel wrote " + std::string(distance < 0 ? "in front of " : "behind ") + what + ", " +
                   std::to_string(distance < 0 ? -distance : distance) + " bytes from its edge",
               value.valid() ? graph()[value].name : std::string());
}

std::string Lockstep::culprit(ValueId spoiled) const
{
    std::optional<ValueId> latest;
    const LastWrite& own = m_lastWrites[spoiled.index()];
    for (std::size_t i = 0; i < m_lastWrites.size(); ++i) {
        const ValueId other {i};
        if (other == spoiled || m_lastWrites[i].order <= own.order) continue;
        if (!sharesBytes(m_program.map, graph(), spoiled, other)) continue;
        if (!latest || m_lastWrites[latest->index()].order < m_lastWrites[i].order) latest = other;
    }
    if (!latest) return {};
    return "; overwritten by '" + graph()[*latest].name + "' at step " +
           std::to_string(m_lastWrites[latest->index()].step);
}

void Lockstep::addMismatch(ValueId value, const Difference& difference)
{
    if (!m_mismatched.insert(value).second || m_mismatches.size() >= MaxMismatches) return;
    RunResult::Mismatch mismatch;
    mismatch.value = graph()[value].name;
    mismatch.step = m_step;
    mismatch.maxAbsDiff = difference.maxAbsDiff;
    mismatch.note = say("joined", difference.note, culprit(value));
    if (m_step >= 0) mismatch.node = graph()[m_program.schedule.steps[static_cast<std::size_t>(m_step)].node].name;
    if (!m_iteration.empty())
        mismatch.note = say("clauses", std::move(mismatch.note), say("run.iteration", iterationText(m_iteration)));
    m_observer.mismatch(mismatch);
    m_mismatches.push_back(std::move(mismatch));
}

void Lockstep::checkRead(ValueId value)
{
    if (!value.valid()) return;
    if (!m_mismatched.contains(value)) {
        if (const auto spoiled = difference(value)) addMismatch(value, *spoiled);
    }
    m_spoiledRead = m_spoiledRead || m_mismatched.contains(value);
}

Status Lockstep::timed(const std::function<Status()>& work)
{
    const Stopwatch watch;
    Status status = work();
    m_nowMs += watch.ms();
    return status;
}

void Lockstep::checkWritten(ValueId value)
{
    if (!value.valid()) return;
    m_lastWrites[value.index()] = {++m_writes, m_step};
    m_writtenNow.push_back(value);
    m_inUse.begins(value);
    ++m_comparedValues;
    m_comparedBytes += valueBytes(m_oracle.value(value));
    if (m_mismatched.contains(value)) return;
    auto wrong = difference(value);
    if (!wrong) return;
    if (m_spoiledRead) wrong->note = say("clauses", std::move(wrong->note), say("run.from-spoiled"));
    addMismatch(value, *wrong);
}

void Lockstep::settlePlanned(const std::vector<ValueId>& targets, const Status& planned)
{
    // The same kernel with the same data: memory was short, or a library failed.
    if (!planned.ok() && planned.error().code == ErrorCode::Unsupported && !m_spoiledRead) return noteFailure(planned);
    for (const ValueId target : targets) {
        if (!target.valid()) continue;
        if (!planned.ok()) {
            addMismatch(target, {std::numeric_limits<double>::quiet_NaN(), 0,
                                 say("run.failed-planned", planned.error().message)});
            const Status replaced = copyFromOracle(target);
            if (!replaced.ok() && m_planned.spaces().of(target)) return noteFailure(replaced);
            if (!replaced.ok()) m_planned.set(target, cloneValue(m_oracle.value(target)));
        }
        checkWritten(target);
    }
}

Status Lockstep::write(ValueId target, const std::function<Status(World&)>& writer)
{
    PLIMSOLL_TRY(writer(m_oracle));
    settlePlanned({target}, timed([&] { return writer(m_planned); }));
    return {};
}

Status Lockstep::move(const std::vector<Move>& moves)
{
    bool crossing = false;
    for (const Move& one : moves) {
        for (const Move& other : moves) {
            crossing = crossing || (&one != &other && sharesBytes(m_program.map, graph(), one.to, other.from));
        }
    }
    std::vector<RuntimeValue> planned;
    std::vector<RuntimeValue> oracle;
    for (const Move& one : moves) {
        checkRead(one.from);
        planned.push_back(crossing ? cloneValue(m_planned.value(one.from)) : m_planned.value(one.from));
        oracle.push_back(m_oracle.value(one.from));
    }
    for (std::size_t i = 0; i < moves.size(); ++i) {
        PLIMSOLL_TRY(m_oracle.write(moves[i].to, oracle[i]));
        settlePlanned({moves[i].to}, timed([&] { return m_planned.write(moves[i].to, planned[i]); }));
    }
    return {};
}

Status Lockstep::copyIntoPlan(ValueId value, const RuntimeValue& content)
{
    m_inUse.begins(value);
    return m_planned.write(value, content);
}

void Lockstep::adoptOracle(const World& oracle)
{
    m_capturedOrder = false;
    for (std::size_t i = 0; i < graph().values.size(); ++i) {
        const ValueId id {i};
        const Value& value = graph()[id];
        if (value.body != TopBody || value.role != ValueRole::Intermediate || !value.producer.valid()) continue;
        if (oracle.value(id).kind != RuntimeValue::Kind::Absent) m_oracle.set(id, oracle.value(id));
        const ValuePlacement& where = m_program.map.values[i];
        const auto shape = heldShape(value.type);
        if ((where.placed() || (where.host.valid() && where.host != id)) && shape)
            (void)m_planned.produce(id, value.type.dtype, *shape);
    }
}

void Lockstep::release(const std::vector<ValueId>& values)
{
    for (const ValueId value : values) {
        if (!value.valid()) continue;
        m_planned.release(value);
        m_inUse.ends(value);
        if (!m_keepsOracle || graph()[value].body != TopBody) m_oracle.release(value);
    }
}

void Lockstep::fill(RunResult& result) const
{
    result.measuredPeakBytes = m_planned.memory().touchedBytes();
    result.measuredBySpace = m_planned.memory().touchedBySpace();
    result.unplannedPeakBytes = m_planned.unplannedPeakBytes();
    result.stepMs = m_stepMs;
    result.bytesInUse = m_inUse.bySpace();
    result.held = m_held.bySpace();
    result.comparedValues = m_comparedValues;
    result.comparedBytes = m_comparedBytes;
    result.mismatches = m_mismatches;
}

} // namespace plimsoll::kernels
