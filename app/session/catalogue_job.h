#pragma once

#include "app/session/cli_process.h"
#include "core/plan/implementation.h"

#include <memory>

namespace plimsoll::app {

/// Asks, in a child process, what the backends on this machine offer for a graph.
class CatalogueJob : public QObject
{
    Q_OBJECT

public:
    explicit CatalogueJob(QObject* parent = nullptr);

    /// Estimates are there in no time; to measure executes every offer a few times.
    enum class Times { Estimated, Measured };
    void start(const QString& file, Choices choices, Times times = Times::Estimated);
    void cancel() { m_cli.cancel(); }
    [[nodiscard]] bool running() const { return m_cli.running(); }
    [[nodiscard]] CliProcess& process() { return m_cli; }

Q_SIGNALS:
    void progressed(qint64 done, qint64 all);
    void cancelled();
    void arrived(std::shared_ptr<const plimsoll::Catalogue> catalogue);
    void failed(const plimsoll::Error& error); ///< The reference backend has to do.

private:
    CliProcess m_cli;
};

} // namespace plimsoll::app
