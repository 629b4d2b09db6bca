#pragma once

#include "core/advice/freeing.h"

#include <QObject>

#include <optional>

namespace plimsoll::app {

class JobRunner;
class Selection;
class Session;

/// What would free the tensor that is selected, if it is kept from forward to backward: planned in the background for
/// each way, and given up as soon as the plan or the selection changes.
class FreeingJob : public QObject
{
    Q_OBJECT

public:
    FreeingJob(Session& session, JobRunner& jobs, Selection& selection, QObject* parent = nullptr);

    /// Empty while it is not known, or nothing that is kept is selected.
    [[nodiscard]] const std::optional<std::vector<Freeing>>& ways() const { return m_ways; }

Q_SIGNALS:
    void changed();

private:
    void restart();

    Session& m_session;
    JobRunner& m_jobs;
    Selection& m_selection;
    std::optional<std::vector<Freeing>> m_ways;
};

} // namespace plimsoll::app
