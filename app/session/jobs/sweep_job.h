#pragma once

#include "app/session/cli_process.h"
#include "core/facts/report.h"

#include <memory>

namespace plimsoll::app {

class Session;

/// Plans what is open for many sizes, or under many policies, in a child process: what backends offer depends on the
/// sizes. Dropped when the choices change.
class SweepJob : public CliProcess
{
    Q_OBJECT

public:
    explicit SweepJob(Session& session, QObject* parent = nullptr);

    /// \p over: "batch=1..64 inplace=*". The error of a text that is none, or where nothing can be varied.
    [[nodiscard]] Status start(const QString& over);
    [[nodiscard]] bool canStart() const;                                         ///< A plan of our own is there.
    [[nodiscard]] std::shared_ptr<const Sweep> sweep() const { return m_sweep; } ///< Null: none is known.
    /// What the session shows, with the sweep in it.
    [[nodiscard]] std::shared_ptr<const Report> report() const;
    void take(std::size_t point); ///< Plans so; one step to undo.

    /// "batch=1..64" for each dimension of the graph, "inplace=*" for each policy with a list of values that acts.
    [[nodiscard]] QStringList examples() const;

Q_SIGNALS:
    void changed();

private:
    void drop();

    Session& m_session;
    std::shared_ptr<const Sweep> m_sweep;
};

} // namespace plimsoll::app
