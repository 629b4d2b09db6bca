#pragma once

#include "core/base/progress.h"
#include "core/plan/program.h"
#include "kernels/run/memory/bytes_in_use.h"
#include "kernels/run/memory/dead_bytes.h"
#include "kernels/run/memory/held_bytes.h"
#include "kernels/run/probe/run_observer.h"
#include "kernels/run/step/compare.h"
#include "kernels/run/world.h"

#include <functional>
#include <optional>
#include <set>
#include <vector>

namespace plimsoll::kernels {

/// Takes the planned world and its oracle through the same steps and compares them: every value when it is written and
/// again whenever it is read, so that a value spoiled in between is caught at its first reader. What happens next
/// (which branch, how many iterations) is always decided by the oracle, so a spoiled condition cannot lead the run
/// astray.
class Lockstep
{
public:
    struct Parts
    {
        const PlannedProgram& program;
        ExternalValues& externals;
        ArenaMemory memory;
        RunObserver& observer;
        const Context& context;
    };
    explicit Lockstep(Parts parts);

    [[nodiscard]] const Graph& graph() const { return *m_program.graph; }
    [[nodiscard]] const Schedule& schedule() const { return m_program.schedule; }
    [[nodiscard]] World& planned() { return m_planned; }
    [[nodiscard]] World& oracle() { return m_oracle; }
    [[nodiscard]] const DeviceSpaces& spaces() const { return m_planned.spaces(); }

    /// Stopped when the user asked for it. Poisons what died between the last step and this one.
    [[nodiscard]] Status beginStep(std::int64_t step);

    /// Keeps in the oracle what the top makes, to the end.
    void keepOracle() { m_keepsOracle = true; }
    /// For a run in another order than the captured one. \p oracle has kept what its run made: it is there from the
    /// beginning, and whoever reads a planned value before it is written reads what lies in its bytes. Nothing is
    /// poisoned: which bytes are dead at a step holds for the captured order.
    void adoptOracle(const World& oracle);
    void endStep(); ///< Guard zones, time, record.

    /// Iteration numbers are part of the key of every event.
    void pushIteration(std::int64_t iteration) { m_iteration.push_back(iteration); }
    void popIteration() { m_iteration.pop_back(); }
    /// Back to so many, of a loop that failed inside.
    void leaveIterations(std::size_t depth) { m_iteration.resize(depth); }
    [[nodiscard]] std::span<const std::int64_t> iteration() const { return m_iteration; }

    /// The planned bytes of what the current step reads, against the oracle's.
    void checkRead(ValueId value);
    /// The same for what it has written; counted.
    void checkWritten(ValueId value);

    /// Writes \p target in both worlds. An Error in the oracle is returned; an Error in the planned world alone is a
    /// mismatch, and the oracle's content is put there so that the run can go on.
    [[nodiscard]] Status write(ValueId target, const std::function<Status(World&)>& writer);
    /// The second half of write(), for whoever has run the oracle himself.
    void settlePlanned(const std::vector<ValueId>& targets, const Status& planned);

    struct Move
    {
        ValueId from;
        ValueId to;
    };
    /// Copies values as if all at once: overlapping sources and targets go through temporaries.
    [[nodiscard]] Status move(const std::vector<Move>& moves);

    /// Runs the planned half of a step and counts its time; the oracle's time is nobody's business.
    [[nodiscard]] Status timed(const std::function<Status()>& work);
    /// A device has a clock of its own for what it has done at this step.
    void takeTime(double ms) { m_nowMs = ms; }
    [[nodiscard]] double timeOfStep() const { return m_nowMs; } ///< So far.

    /// Whether the plan has an arena for this value, and putting the caller's bytes there before the run.
    [[nodiscard]] bool plannedPlaces(ValueId value) const { return m_program.map.values[value.index()].placed(); }
    [[nodiscard]] Status copyIntoPlan(ValueId value, const RuntimeValue& content);

    /// A device that has failed: the run cannot go on.
    [[nodiscard]] Status health() const;

    void release(const std::vector<ValueId>& values);
    void addMismatch(ValueId value, const Difference& difference);
    void fill(RunResult& result) const; ///< Peaks, times, comparisons and mismatches.

private:
    struct LastWrite
    {
        std::int64_t order = 0; ///< 0: never.
        std::int64_t step = 0;
    };
    [[nodiscard]] std::string culprit(ValueId spoiled) const;
    [[nodiscard]] std::optional<Difference> difference(ValueId value);
    void noteFailure(const Status& status);
    [[nodiscard]] Status copyFromOracle(ValueId target);
    void checkGuards();
    void checkCanaries();
    void checkCanaries(ValueId value);
    void addOverrun(std::string note, const std::string& value);
    [[nodiscard]] std::string digestWritten();
    [[nodiscard]] StepEvent event() const;

    const PlannedProgram& m_program;
    PlannedWorld m_planned;
    OracleWorld m_oracle;
    DeadBytes m_dead;
    RunObserver& m_observer;
    const Context& m_context;

    std::int64_t m_step = -1;
    bool m_keepsOracle = false;
    bool m_capturedOrder = true;
    std::vector<std::int64_t> m_iteration;
    double m_nowMs = 0;         ///< Of the planned half of the current step.
    bool m_spoiledRead = false; ///< The current step has read a spoiled value.
    std::vector<double> m_stepMs;
    BytesInUse m_inUse;
    HeldBytes m_held;
    std::vector<LastWrite> m_lastWrites; ///< By ValueId.
    std::vector<ValueId> m_writtenNow;
    std::int64_t m_writes = 0;
    std::set<ValueId> m_mismatched;
    std::vector<RunResult::Mismatch> m_mismatches;
    std::int64_t m_comparedValues = 0;
    std::int64_t m_comparedBytes = 0;
    Status m_failure;
};

} // namespace plimsoll::kernels
