#pragma once

#include "core/facts/compare/plan_matches.h"
#include "core/lower/types/infer_types.h"
#include "core/plan/constraints.h"
#include "core/plan/plan_file.h"
#include "core/plan/policies.h"
#include "core/plan/suppression.h"

#include <QString>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
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

/// What is said of a plan: nothing of it changes the plan.
struct Said
{
    std::vector<Suppression> suppressions {}; ///< Findings that are known: what they say begins with the reason.
    /// By the file that the plan is compared with; empty: the plan before.
    std::map<QString, std::vector<SaidMatch>> same {};

    friend bool operator==(const Said&, const Said&) = default;
};

/// What holds after an edit, how it came about, and what came of it.
struct Edit
{
    Choices choices {};
    Said said {};
    QString what {};                          ///< Of choices that do not tell by what is other than before.
    std::optional<std::int64_t> peakBytes {}; ///< Nothing: they were never planned.
};

/// Undo and redo.
class PlanHistory
{
public:
    explicit PlanHistory(Choices first = {}) : PlanHistory({{std::move(first)}}, 0) {}
    /// Of at least one edit.
    PlanHistory(std::vector<Edit> edits, std::size_t position) : m_edits(std::move(edits)), m_position(position) {}

    [[nodiscard]] const Edit& current() const { return m_edits[m_position]; }
    [[nodiscard]] const std::vector<Edit>& edits() const { return m_edits; }
    [[nodiscard]] std::size_t position() const { return m_position; }
    [[nodiscard]] bool canUndo() const { return m_position > 0; }
    [[nodiscard]] bool canRedo() const { return m_position + 1 < m_edits.size(); }

    /// Drops what could be redone. False when nothing changes.
    bool push(Choices choices, QString what = {})
    {
        if (choices == current().choices) return false;
        Said said = current().said;
        said.same.erase(QString()); // the plan before is another one then
        add({std::move(choices), std::move(said), std::move(what), {}});
        return true;
    }
    bool push(Said said, QString what)
    {
        if (said == current().said) return false;
        add({current().choices, std::move(said), std::move(what), current().peakBytes});
        return true;
    }
    bool goTo(std::size_t position)
    {
        if (position >= m_edits.size() || position == m_position) return false;
        m_position = position;
        return true;
    }
    void setPeak(std::int64_t bytes) ///< That the current choices lead to.
    {
        const Choices now = current().choices;
        for (Edit& edit : m_edits)
            if (edit.choices == now) edit.peakBytes = bytes;
    }
    /// Goes back to where the choices were these, else on. False where they are, or never were.
    bool returnTo(const Choices& choices)
    {
        if (choices == current().choices) return false;
        const auto before = std::span(m_edits).first(m_position);
        const auto last = std::ranges::find(before.rbegin(), before.rend(), choices, &Edit::choices);
        if (last != before.rend()) return goTo(static_cast<std::size_t>(before.rend() - last) - 1);
        const auto next = std::ranges::find(m_edits, choices, &Edit::choices);
        return goTo(static_cast<std::size_t>(next - m_edits.begin()));
    }

    /// The same, as the current choices cannot be planned: where nothing came after them, they were no edit.
    bool refuse(const Choices& before)
    {
        const std::size_t refused = m_position;
        if (!returnTo(before)) return false;
        if (m_position != refused && refused + 1 == m_edits.size()) m_edits.pop_back();
        return true;
    }

    /// Calls \p change with the choices of each edit, and whether it is the one that holds.
    template <typename Change>
    void rewrite(Change change)
    {
        for (std::size_t i = 0; i < m_edits.size(); ++i)
            change(m_edits[i].choices, i == m_position);
    }

private:
    void add(Edit edit)
    {
        m_edits.resize(++m_position);
        m_edits.push_back(std::move(edit));
    }

    std::vector<Edit> m_edits; ///< Never empty.
    std::size_t m_position = 0;
};

} // namespace plimsoll::app
