#pragma once

#include "core/lower/types/infer_types.h"
#include "core/plan/constraints.h"
#include "core/plan/plan_file.h"
#include "core/plan/policies.h"

#include <QString>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace plimsoll::app {

/// What the user chooses about a plan, under the names that PlanRequest has for it.
struct Choices
{
    Policies policies;
    InferenceRequest shapes;
    Constraints constraints {};
    std::shared_ptr<const PlanFile> givenPlan {}; ///< Judge this one and make none.
    /// Policies that the user chose; others whose default depends on the graph and its plan follow those.
    std::set<std::string, std::less<>> named {};

    /// The one way in for a policy: names it, too. The error of plimsoll::setPolicy.
    Status setPolicy(const std::string& id, const std::string& value)
    {
        PLIMSOLL_TRY(plimsoll::setPolicy(policies, id, value));
        named.insert(id);
        return {};
    }

    friend bool operator==(const Choices&, const Choices&) = default;
};

/// How choices came about, and what came of them.
struct Edit
{
    QString what;                          ///< Of a plan that was edited; else they tell by what is other than before.
    std::optional<std::int64_t> peakBytes; ///< Nothing: they were not planned since the file was opened.
};

/// Undo and redo of choices.
class PlanHistory
{
public:
    explicit PlanHistory(Choices first = {}) : PlanHistory(std::vector {std::move(first)}, 0) {}
    /// Of at least one state.
    PlanHistory(std::vector<Choices> states, std::size_t position)
        : m_states(std::move(states)), m_edits(m_states.size()), m_position(position)
    {
    }

    [[nodiscard]] const Choices& current() const { return m_states[m_position]; }
    [[nodiscard]] const std::vector<Choices>& states() const { return m_states; }
    [[nodiscard]] const std::vector<Edit>& edits() const { return m_edits; } ///< Of each state.
    [[nodiscard]] std::size_t position() const { return m_position; }
    [[nodiscard]] bool canUndo() const { return m_position > 0; }
    [[nodiscard]] bool canRedo() const { return m_position + 1 < m_states.size(); }

    /// Drops what could be redone. False when nothing changes.
    bool push(Choices choices, QString what = {})
    {
        if (choices == current()) return false;
        m_states.resize(++m_position);
        m_edits.resize(m_position);
        m_states.push_back(std::move(choices));
        m_edits.push_back({std::move(what), {}});
        return true;
    }
    bool goTo(std::size_t position)
    {
        if (position >= m_states.size() || position == m_position) return false;
        m_position = position;
        return true;
    }
    void setPeak(std::int64_t bytes) { m_edits[m_position].peakBytes = bytes; } ///< That the current ones lead to.
    bool undo() { return canUndo() && (--m_position, true); }
    bool redo() { return canRedo() && (++m_position, true); }
    /// Goes to where the choices were these. False where they are, or never were.
    bool returnTo(const Choices& choices)
    {
        const auto found = std::ranges::find(m_states, choices);
        if (choices == current() || found == m_states.end()) return false;
        m_position = static_cast<std::size_t>(found - m_states.begin());
        return true;
    }

    /// Calls \p change with each state, and whether it is the one that holds.
    template <typename Change>
    void rewrite(Change change)
    {
        for (std::size_t i = 0; i < m_states.size(); ++i)
            change(m_states[i], i == m_position);
    }

private:
    std::vector<Choices> m_states; ///< Never empty.
    std::vector<Edit> m_edits;
    std::size_t m_position = 0;
};

} // namespace plimsoll::app
