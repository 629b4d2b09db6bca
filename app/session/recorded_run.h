#pragma once

#include "core/record/run_record.h"

#include <QObject>
#include <QTemporaryDir>

#include <memory>
#include <optional>

namespace plimsoll {
struct Report;
struct SavedRecord;
} // namespace plimsoll

namespace plimsoll::app {

class JobRunner;
class Session;

/// What the last run left step by step, as far as it was kept: read on the worker, and dropped with the run.
class RecordedRun : public QObject
{
    Q_OBJECT

public:
    RecordedRun(Session& session, JobRunner& jobs, QObject* parent = nullptr);

    /// How many bytes a record may keep: a quarter of what the disk has left, and not more than 256 MiB.
    [[nodiscard]] qint64 mostBytes() const;
    /// The file for the record of the run that begins, if it is to have one; those of earlier runs go. Empty without
    /// one, and where there is no folder for it.
    [[nodiscard]] QString begin(bool kept);

    /// The record of the run that is under way, or of the last one; empty without one.
    [[nodiscard]] const QString& file() const { return m_file; }
    /// The next run is one that a session kept, with this record; null: it has none.
    void restore(std::shared_ptr<const SavedRecord> record);

    /// Null while there is none.
    [[nodiscard]] std::shared_ptr<const RunRecord> record() const { return m_record; }
    /// The one that ran; null without a record.
    [[nodiscard]] std::shared_ptr<const PlannedProgram> program() const;
    /// Why what was recorded cannot be read.
    [[nodiscard]] const std::optional<Error>& error() const { return m_error; }

Q_SIGNALS:
    void changed();

private:
    void follow();

    Session& m_session;
    JobRunner& m_jobs;
    QTemporaryDir m_folder;
    int m_number = 0;
    QString m_file;
    std::shared_ptr<const SavedRecord> m_restored; ///< To be written there first.
    std::shared_ptr<const Report> m_report;
    std::shared_ptr<const RunRecord> m_record;
    std::optional<Error> m_error;
};

} // namespace plimsoll::app
