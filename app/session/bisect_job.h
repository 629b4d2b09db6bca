#pragma once

#include "app/session/run_job.h"
#include "core/advice/bisect.h"

#include <memory>

namespace plimsoll::app {

/// Finds the sharings that make the run of a plan differ from its oracle, in a child process.
class BisectJob : public CliProcess
{
    Q_OBJECT

public:
    explicit BisectJob(QObject* parent = nullptr);

    /// \p graph is that of the plan, which the child makes again: what it finds has names there.
    void start(const RunRequest& request, std::shared_ptr<const Graph> graph);

Q_SIGNALS:
    void succeeded(const plimsoll::Bisection& found); ///< Perhaps nothing.

private:
    void read(int status, const QByteArray& output, const QString& said);

    std::shared_ptr<const Graph> m_graph;
};

} // namespace plimsoll::app
