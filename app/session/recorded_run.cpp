#include "app/session/recorded_run.h"

#include "app/session/job_runner.h"
#include "app/session/job_tag.h"
#include "app/session/session.h"
#include "core/base/output_file.h"
#include "core/formats/plimsoll/session_json.h"

#include <QDir>
#include <QFile>
#include <QStorageInfo>

#include <algorithm>

namespace plimsoll::app {

RecordedRun::RecordedRun(Session& session, JobRunner& jobs, QObject* parent)
    : QObject(parent), m_session(session), m_jobs(jobs)
{
    connect(&session, &Session::runChanged, this, &RecordedRun::follow);
    connect(&session, &Session::closed, this, &RecordedRun::follow);
}

qint64 RecordedRun::mostBytes() const
{
    constexpr qint64 Most = qint64 {256} << 20;
    return std::min(Most, std::max<qint64>(0, QStorageInfo(m_folder.path()).bytesAvailable() / 4));
}

QString RecordedRun::begin(bool kept)
{
    const QDir folder(m_folder.path());
    for (const QString& old : m_folder.isValid() ? folder.entryList(QDir::Files) : QStringList())
        QFile::remove(folder.filePath(old)); // what is mapped stays until it is let go
    m_restored.reset();
    const bool possible = kept && m_folder.isValid();
    m_file = possible ? folder.filePath(QStringLiteral("run-%1").arg(++m_number)) : QString();
    return m_file;
}

void RecordedRun::restore(std::shared_ptr<const SavedRecord> record)
{
    static_cast<void>(begin(record != nullptr));
    m_restored = std::move(record);
}

std::shared_ptr<const PlannedProgram> RecordedRun::program() const
{
    return m_record ? std::shared_ptr<const PlannedProgram>(m_report, &m_report->program) : nullptr;
}

void RecordedRun::follow()
{
    m_jobs.cancel(JobTag::Record);
    const bool had = m_record || m_error;
    m_record.reset();
    m_report.reset();
    m_error.reset();
    if (had) Q_EMIT changed();
    const auto report = m_session.report();
    if (!m_session.run() || !report || m_file.isEmpty()) return;
    m_jobs.start(
        JobTag::Record, {},
        [file = m_file.toStdString(), report, restored = m_restored](const Context&) -> Result<RunRecord> {
            if (restored) {
                PLIMSOLL_TRY(writeFile(bytesFileOf(file), restored->bytes));
                PLIMSOLL_TRY(writeFile(file, restored->steps));
            }
            return readRunRecord(file, report->program);
        },
        [this, report](Result<RunRecord> read) {
            m_restored.reset();
            if (read.ok()) {
                m_report = report;
                m_record = std::make_shared<const RunRecord>(std::move(read).value());
            } else {
                m_error = read.error();
            }
            Q_EMIT changed();
        });
}

} // namespace plimsoll::app
