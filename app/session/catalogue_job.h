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

    void start(const QString& file, const Choices& choices);
    void cancel() { m_cli.cancel(); }
    [[nodiscard]] bool running() const { return m_cli.running(); }
    [[nodiscard]] CliProcess& process() { return m_cli; }

Q_SIGNALS:
    void arrived(std::shared_ptr<const plimsoll::Catalogue> catalogue);
    void failed(const plimsoll::Error& error); ///< The reference backend has to do.

private:
    CliProcess m_cli;
};

} // namespace plimsoll::app
