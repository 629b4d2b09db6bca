#include "app/session/document/safe_copy.h"

#include "app/session/job_runner.h"
#include "app/session/job_tag.h"
#include "core/base/beside.h"
#include "core/base/output_file.h"
#include "core/base/temporary_file.h"

#include <QFile>
#include <QFileInfo>

namespace plimsoll::app {
namespace {

const QString Ending = QStringLiteral(".plimsoll");

/// Where the run of a copy lies.
QString runOf(const QString& copy)
{
    return copy + QStringLiteral(".run");
}

} // namespace

SafeCopy::SafeCopy() = default;
SafeCopy::~SafeCopy() = default;

std::string SafeCopy::file()
{
    if (m_at.path.isEmpty()) m_at = newOwnedPath(m_folder, Ending);
    return m_at.path.toStdString();
}

Status SafeCopy::write(std::string_view text)
{
    if (m_folder.isEmpty()) return {};
    m_writer.reset(); // waits: an older state must not come behind this one
    m_later = {};
    return writeFile(file(), text);
}

void SafeCopy::writeLater(std::function<std::string()> text, std::function<void(const Error&)> failed)
{
    if (m_folder.isEmpty()) return;
    if (!m_writer) m_writer = std::make_unique<JobRunner>();
    m_later = std::move(text);
    m_writer->start(
        JobTag::Copy, {}, [text = m_later, file = file()](const Context&) { return writeFile(file, text()); },
        [this, failed = std::move(failed)](const Status& written) {
            m_later = {};
            if (!written.ok()) failed(written.error());
        });
}

void SafeCopy::writeRun(std::function<std::string()> text)
{
    if (m_folder.isEmpty()) return;
    m_run = {}; // waits for the one before
    m_run = beside([text = std::move(text), file = runOf(QString::fromStdString(file()))] {
        return writeFile(file.toStdString(), text());
    });
}

std::string SafeCopy::runFile() const
{
    return m_run.valid() ? QFileInfo(runOf(m_at.path)).fileName().toStdString() : std::string();
}

void SafeCopy::dropRun()
{
    m_run = {};
    if (!m_at.path.isEmpty()) QFile::remove(runOf(m_at.path));
}

void SafeCopy::remove()
{
    m_writer.reset();
    m_later = {};
    m_run = {};
    if (!m_at.path.isEmpty()) removeCopy(m_at.path);
    m_at = {};
}

void SafeCopy::leave()
{
    m_writer.reset();
    if (m_later) static_cast<void>(writeFile(file(), m_later())); // a failure was said at the edits before
    m_later = {};
    m_run = {};
    m_at = {};
}

bool SafeCopy::takeOver(const QString& file)
{
    leave();
    auto lock = lockOf(file);
    if (!lock) return false;
    m_at = {file, std::move(lock)};
    return true;
}

void removeCopy(const QString& file)
{
    QFile::remove(runOf(file));
    QFile::remove(file);
}

QStringList copiesLeft(const QString& folder)
{
    removeAbandonedFiles(folder.toStdString());
    return abandonedPaths(folder, Ending);
}

} // namespace plimsoll::app
