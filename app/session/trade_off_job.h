#pragma once

#include "app/session/plan_history.h"
#include "core/pipeline/pipeline.h"

#include <QObject>

namespace plimsoll {
struct Report;
}

namespace plimsoll::app {

class JobRunner;
class Session;

/// Time against peak of what is open: which choices of implementations no other beats in both. Worked out in the
/// background while a view of it is seen, and kept until something changes that it depends on: which of the choices the
/// plan makes is none of that.
class TradeOffJob : public QObject
{
    Q_OBJECT

public:
    TradeOffJob(Session& session, JobRunner& jobs, QObject* parent = nullptr);

    /// Whether a view of it is seen: then it starts by itself, unless it was stopped.
    void setSeen(bool seen);
    void start();
    void stop();
    [[nodiscard]] bool canStart() const; ///< A plan of our own is there, and the curve is not.
    [[nodiscard]] bool running() const;
    [[nodiscard]] bool known() const { return m_curve != nullptr; }
    [[nodiscard]] const std::optional<Error>& error() const { return m_error; }
    /// What the session shows, with the curve in it as far as it is known.
    [[nodiscard]] std::shared_ptr<const Report> report() const;

    /// Plans by the choice that the curve has at that place; one step to undo.
    void take(std::size_t point);

Q_SIGNALS:
    void changed();

private:
    /// What the curve depends on.
    struct Subject
    {
        std::shared_ptr<const Graph> graph;
        std::shared_ptr<const Catalogue> catalogue;
        Policies policies; ///< But for those that take a choice.
        InferenceRequest shapes;
        Constraints constraints;
        friend bool operator==(const Subject&, const Subject&) = default;
    };
    [[nodiscard]] Subject subject() const;
    void giveWay();
    void follow();
    void accept(Result<std::vector<TradeOff>> curve);

    Session& m_session;
    JobRunner& m_jobs;
    Subject m_subject;
    std::shared_ptr<const std::vector<TradeOff>> m_curve; ///< Null: not known.
    std::optional<Error> m_error;
    bool m_seen = false;
    bool m_stopped = false;
};

} // namespace plimsoll::app
