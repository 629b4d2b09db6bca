#pragma once

#include "app/session/catalogue_job.h"
#include "app/session/plan_history.h"
#include "core/facts/compare/plan_matches.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace plimsoll::app {

class JobRunner;
class Session;

/// What a plan is compared with, and what of it is what by hand. Null: nothing; and nothing is said.
struct Compared
{
    std::shared_ptr<const Report> other;
    std::shared_ptr<const PlanMatches> matches;
    QString file {};  ///< Empty: the plan before…
    bool own = false; ///< …or ours, beside one that was handed in.
};

/// What the plan of a session is compared with: the plan before, where there is none our own beside one that was handed
/// in, or that of a file, until another one is wanted or the session is closed. What is said to be the same holds for
/// what it was said of, and is an edit of the session; with what a plan is compared is none.
class PlanComparison : public QObject
{
    Q_OBJECT

public:
    PlanComparison(Session& session, JobRunner& jobs, QObject* parent = nullptr);

    /// A saved report as it is; a plan of the graph that is open, or another graph with the plan that it brings, or
    /// planned, by the choices of now. changed() or failed() follows. \p again: as a session had it.
    void compareWith(const QString& file, bool again = false);
    void compareWith(const QString& file, std::shared_ptr<const Report> shown); ///< As it is shown elsewhere.
    void compareWithPlanBefore();
    [[nodiscard]] const QString& file() const { return m_file; } ///< Empty: the plan before, or our own.
    [[nodiscard]] bool withOwnPlan() const;                      ///< There is none before, and it is there.
    /// Of the report that the session shows. What follows from the names is not there at once.
    [[nodiscard]] Compared shown() const;
    [[nodiscard]] std::vector<SaidMatch> said() const;
    void say(SaidMatch match);
    void takeBack(); ///< What was said last.
    /// Asks what the backends offer for a graph that is planned.
    [[nodiscard]] CatalogueJob& offers() { return m_offers; }
    [[nodiscard]] const CatalogueJob& offers() const { return m_offers; }

Q_SIGNALS:
    void changed();
    void opened(bool again);                   ///< Of a file, behind changed().
    void failed(const plimsoll::Error& error); ///< What was compared with stays.

private:
    /// What is to be planned.
    struct Wanted
    {
        QString file;
        bool again = false;
        std::shared_ptr<const Graph> graph {};
        QString graphFile {};
        Choices choices {};
    };
    struct Read;
    void stop();
    void accept(Read read);
    void plan(std::shared_ptr<const Catalogue> offers);
    void show(Result<Report> report);
    void take(const QString& file, std::shared_ptr<const Report> report, bool again);
    void followReport();
    void planOwn();
    void setSaid(std::vector<SaidMatch> said, const QString& what);
    void match();

    Session& m_session;
    JobRunner& m_jobs;
    CatalogueJob m_offers;
    Wanted m_wanted;
    QString m_file;
    std::shared_ptr<const Report> m_other; ///< Of the file.
    std::shared_ptr<const Report> m_own;   ///< Our own plan beside one that was handed in.
    std::weak_ptr<const Report> m_saidOf;  ///< What was said of a plan that is in no file.
    std::vector<SaidMatch> m_matched;      ///< What m_matches were made by.
    std::shared_ptr<const PlanMatches> m_matches;
};

} // namespace plimsoll::app
