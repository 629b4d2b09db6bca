#pragma once

#include "app/session/plan_comparison.h"
#include "app/views/colour_key_bar.h"
#include "core/facts/focus.h"

#include <QWidget>

namespace plimsoll::app {

class JobRunner;
class PlanCanvas;

/// The plan, and above it, when wanted, what it is compared with: on one axis of steps, by one scale of bytes.
///
///     +--------------+
///     | Before       |   other()
///     +--------------+
///     | Now          |
///     +--------------+
class PlanPair : public QWidget
{
    Q_OBJECT

public:
    PlanPair(PlanCanvas& now, JobRunner& worker, QWidget* parent = nullptr);

    /// Hidden while nothing is compared, or one plan is wanted alone. Its ids are of its own report.
    [[nodiscard]] PlanCanvas& other() const { return m_other; }
    void showBoth(bool both);
    void setCompared(Compared compared); ///< Matches are of the report that the plan shows.
    void setSelection(const Focus& focus);
    void setColourBy(ColourBy by);
    void frameSelection(); ///< In both.

Q_SIGNALS:
    void picked(const plimsoll::Focus& focus); ///< In the other one: what is the same in the plan.
    void noticed(const QString& text);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Made;
    void refresh();
    void take(const Made& made);
    void pickFor(const Focus& focus);
    void link(bool fromOther);
    void place();
    [[nodiscard]] Focus partnerOf(const Focus& focus, bool inOther) const;

    PlanCanvas& m_now;
    PlanCanvas& m_other;
    JobRunner& m_worker;
    bool m_wanted = false;
    bool m_linking = false;
    Compared m_compared;
    Focus m_focus;
    ColourBy m_colourBy = ColourBy::Storage;
    std::shared_ptr<const PlanMatches> m_matches; ///< Of what is shown.
    std::shared_ptr<const Report> m_linked;       ///< That the other one showed last.
};

} // namespace plimsoll::app
