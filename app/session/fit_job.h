#pragma once

#include "core/advice/fit.h"

#include <QObject>

#include <optional>

namespace plimsoll::app {

class JobRunner;
class Session;

/// The cheapest policies that fit a capacity, looked for when asked; dropped when the choices change.
class FitJob : public QObject
{
    Q_OBJECT

public:
    FitJob(Session& session, JobRunner& jobs, QObject* parent = nullptr);

    /// \p capacity as the policy takes it; instead of a search that runs. The error of a text that is none.
    [[nodiscard]] Status start(const QString& capacity);
    void stop();                         ///< What there is by then is the answer.
    [[nodiscard]] bool canStart() const; ///< A plan of our own is there.
    [[nodiscard]] bool running() const;
    [[nodiscard]] const std::optional<Fit>& fit() const { return m_fit; }
    [[nodiscard]] const std::optional<Error>& error() const { return m_error; }
    /// Plans by what was found, with its capacity; one step to undo.
    void take();

Q_SIGNALS:
    void changed();

private:
    void drop();

    Session& m_session;
    JobRunner& m_jobs;
    std::string m_capacity;
    std::stop_source m_enough; ///< Of the search that runs.
    std::optional<Fit> m_fit;
    std::optional<Error> m_error;
};

} // namespace plimsoll::app
