#pragma once

#include "app/session/cli_process.h"
#include "core/plan/implementation.h"

#include <memory>

namespace plimsoll::app {

/// Asks, in a child process, what the backends on this machine offer for a graph. Where that fails, the reference
/// backend has to do.
class CatalogueJob : public CliProcess
{
    Q_OBJECT

public:
    explicit CatalogueJob(QObject* parent = nullptr);

    /// Estimates are there in no time; to measure executes every offer a few times.
    enum class Times { Estimated, Measured };
    void start(const QString& file, const Choices& choices, Times times = Times::Estimated);

Q_SIGNALS:
    void arrived(std::shared_ptr<const plimsoll::Catalogue> catalogue);
};

} // namespace plimsoll::app
