#pragma once

#include "core/facts/focus.h"

#include <QObject>

#include <functional>
#include <optional>
#include <vector>

namespace plimsoll::app {

/// The one focus that all panes share, the step cursor, and the way back to what was looked at before. Panes talk to it
/// and never to each other.
class Selection : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    [[nodiscard]] const Focus& focus() const { return m_focus; }
    [[nodiscard]] std::int64_t step() const { return m_focus.step; }
    [[nodiscard]] bool canGoBack() const { return m_position > 0; }
    [[nodiscard]] bool canGoForward() const { return m_position + 1 < static_cast<std::ptrdiff_t>(m_history.size()); }

    /// At which step a node runs; -1 where at none. Picking a node then takes the cursor there.
    using StepOfNode = std::function<std::int64_t(NodeId)>;
    void setStepOfNode(StepOfNode stepOf) { m_stepOf = std::move(stepOf); }

    /// The step that a run took before another one (-1), or behind it (1); nothing where there is none.
    using StepBeside = std::function<std::optional<std::int64_t>(std::int64_t step, int by)>;
    void setStepBeside(StepBeside beside) { m_beside = std::move(beside); }

    /// Picks something; where it brings no step, the cursor goes to the step of a node and otherwise stays. Goes into
    /// the history unless it is what is picked.
    void pick(Focus focus);
    /// Moves the step cursor alone; not part of the history.
    void setStep(std::int64_t step);
    /// Where it would go by one, forwards or back; nothing at the end.
    [[nodiscard]] std::optional<std::int64_t> stepBeside(int by) const;
    void moveStep(int by);
    void back();
    void forward();
    /// Where playing stops: at the steps of what is picked, or of the step cursor alone
    /// (core/facts/about/stop_steps.h).
    [[nodiscard]] const std::vector<Focus>& stops() const { return m_stops; }
    bool toggleStop(const Focus& focus); ///< Whether there is one now.
    void clearStops();
    /// Nothing picked; where nothing was, no step cursor either. The history stays.
    void clear();
    /// As new: for another graph.
    void reset();
    /// Says the same in the ids of another report, history and all; what is gone is forgotten.
    void rewrite(const std::function<Focus(const Focus&)>& translate);

Q_SIGNALS:
    void focusChanged(const plimsoll::Focus& focus); ///< What is picked, or the step.
    void historyChanged();
    void stopsChanged();

private:
    void show(const Focus& focus);

    StepOfNode m_stepOf;
    StepBeside m_beside;
    Focus m_focus;
    std::vector<Focus> m_history;
    std::vector<Focus> m_stops;
    std::ptrdiff_t m_position = -1;
};

} // namespace plimsoll::app
