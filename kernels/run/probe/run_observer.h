#pragma once

#include "core/graph/schedule.h"
#include "core/plan/run_result.h"
#include "kernels/tensor_view.h"

#include <cstdint>
#include <span>
#include <string>

namespace plimsoll::kernels {

/// One execution of one step.
struct StepEvent
{
    std::int64_t step = 0;  ///< Of the schedule; -1 for what is computed ahead of the run.
    std::int64_t total = 0; ///< Steps of the schedule.
    NodeId node;
    StepKind kind = StepKind::Node;
    std::span<const std::int64_t> iteration; ///< Iteration numbers of the loops around it, outermost first.
    bool forced = false;                     ///< Of a forced run.
};

/// Told of every step as it happens; the recorder and the progress line are observers.
class RunObserver
{
public:
    virtual ~RunObserver() = default;
    virtual void begin(const StepEvent&) {} ///< Before the kernel touches anything.
    virtual void end(const StepEvent&, double /*ms*/, const std::string& /*digest*/) {}
    virtual void mismatch(const RunResult::Mismatch&) {}
    /// Forced run \p run, from 1, begins: other branches and numbers of trips. Of its steps begin() alone is told.
    virtual void force(std::int64_t /*run*/) {}
    /// What was told until here is of an order in which nothing is wrong. All steps are told again, as they are taken
    /// in another one, in which something is.
    virtual void order(const std::string& /*name*/) {}
    virtual void launch() {} ///< All steps are over; the plan is about to be launched as a whole.
    /// What the step that is under way has left of a value, or finds in one that the caller gave: of dense tensors.
    virtual void content(ValueId /*value*/, bool /*given*/, const TensorView& /*elements*/) {}
    [[nodiscard]] virtual bool wantsContents() const { return false; }
    /// Whether end() is to be given a digest of what the step has written: reading all of it again takes time.
    [[nodiscard]] virtual bool wantsDigests() const { return false; }
};

} // namespace plimsoll::kernels
