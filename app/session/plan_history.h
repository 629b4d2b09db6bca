#pragma once

#include "core/facts/compare/plan_matches.h"
#include "core/formats/plimsoll/session_json.h"
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
    std::vector<Bookmark> bookmarks {};       ///< In the order in which they were set.
    std::vector<NamedNodes> groups {};        ///< Of the graph, by hand.
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
    std::size_t from = 0;                     ///< The edit it was made from; of the first one itself.
};

/// Undo and redo. Nothing that was tried is lost: an edit after an undo is another branch.
///
///     0 --- 1 --- 2          undone, and still there
///             \-- 3 --- 4    the path: undo goes from 4 to 3, redo from 1 to 3
class PlanHistory
{
public:
    explicit PlanHistory(Choices first = {}) : PlanHistory({{std::move(first)}}, 0) {}
    /// Of at least one edit; each is made from one before it.
    PlanHistory(std::vector<Edit> edits, std::size_t position)
        : m_edits(std::move(edits)), m_position(position), m_end(position)
    {
        for (std::size_t edit = m_position; edit < m_edits.size(); ++edit)
            if (leadsTo(m_position, edit)) m_end = edit;
    }

    [[nodiscard]] const Edit& current() const { return m_edits[m_position]; }
    [[nodiscard]] const std::vector<Edit>& edits() const { return m_edits; } ///< In the order in which they were made.
    [[nodiscard]] std::size_t position() const { return m_position; }
    [[nodiscard]] std::size_t before() const { return current().from; } ///< Where undo leads; of the first one itself.
    [[nodiscard]] std::size_t next() const                              ///< Where redo leads; at an end that itself.
    {
        std::size_t edit = m_end;
        while (edit != m_position && m_edits[edit].from != m_position)
            edit = m_edits[edit].from;
        return edit;
    }
    [[nodiscard]] bool canUndo() const { return m_position > 0; }
    [[nodiscard]] bool canRedo() const { return m_position != m_end; }

    /// False when nothing changes.
    bool push(Choices choices, QString what = {})
    {
        if (choices == current().choices) return false;
        Said said = current().said;
        said.same.erase(QString()); // the plan before is another one then
        add({std::move(choices), std::move(said), std::move(what), {}, m_position});
        return true;
    }
    bool push(Said said, QString what)
    {
        if (said == current().said) return false;
        add({current().choices, std::move(said), std::move(what), current().peakBytes, m_position});
        return true;
    }
    bool goTo(std::size_t position)
    {
        if (position >= m_edits.size() || position == m_position) return false;
        if (!leadsTo(position, m_end)) m_end = position;
        m_position = position;
        return true;
    }
    void setPeak(std::int64_t bytes) ///< That the current choices lead to.
    {
        const Choices now = current().choices;
        for (Edit& edit : m_edits)
            if (edit.choices == now) edit.peakBytes = bytes;
    }
    /// Goes back to where the choices were these, else to the latest other edit with them. False where they hold, or
    /// never did.
    bool returnTo(const Choices& choices)
    {
        if (choices == current().choices) return false;
        for (std::size_t edit = m_position; edit > 0;) {
            edit = m_edits[edit].from;
            if (m_edits[edit].choices == choices) return goTo(edit);
        }
        const auto last = std::ranges::find(m_edits.rbegin(), m_edits.rend(), choices, &Edit::choices);
        return last != m_edits.rend() && goTo(static_cast<std::size_t>(m_edits.rend() - last) - 1);
    }

    /// The same, as the current choices cannot be planned: where nothing came after them, they were no edit.
    bool refuse(const Choices& before)
    {
        const std::size_t refused = m_position;
        if (!returnTo(before)) return false;
        if (m_position == refused || refused + 1 != m_edits.size()) return true;
        m_edits.pop_back();
        if (m_end == refused) m_end = m_position;
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
    /// Whether \p edit is \p later, or one that it came from.
    [[nodiscard]] bool leadsTo(std::size_t edit, std::size_t later) const
    {
        while (later > edit)
            later = m_edits[later].from;
        return later == edit;
    }
    void add(Edit edit)
    {
        m_edits.push_back(std::move(edit));
        m_end = m_position = m_edits.size() - 1;
    }

    std::vector<Edit> m_edits; ///< Never empty.
    std::size_t m_position = 0;
    std::size_t m_end = 0; ///< Of the path that redo follows.
};

} // namespace plimsoll::app
