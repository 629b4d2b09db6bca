#include "app/session/document/safe_copy.h"

#include "core/base/output_file.h"
#include "core/base/temporary_file.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFile>

namespace plimsoll::app {
namespace {

const QString Ending = QStringLiteral(".plimsoll");
const QString LockEnding = QStringLiteral(".lock");

std::unique_ptr<QLockFile> lockOf(const QString& file)
{
    auto lock = std::make_unique<QLockFile>(file + LockEnding);
    lock->setStaleLockTime(0); // held as long as its program lives
    return lock;
}

} // namespace

bool SafeCopy::lock(const QString& file)
{
    auto lock = lockOf(file);
    if (!lock->tryLock(0)) return false;
    m_lock = std::move(lock);
    m_file = file;
    return true;
}

Status SafeCopy::write(std::string_view text)
{
    if (m_folder.isEmpty()) return {};
    if (m_file.isEmpty()) {
        const QDir folder(m_folder);
        static_cast<void>(folder.mkpath(QStringLiteral(".")));
        const QString name = QStringLiteral("%1-%2").arg(QCoreApplication::applicationPid());
        for (qint64 at = QDateTime::currentMSecsSinceEpoch();; ++at) {
            const QString file = folder.filePath(name.arg(at) + Ending);
            if (QFile::exists(file)) continue;
            if (!lock(file)) m_file = file; // written without: a folder that takes no lock says why not below
            break;
        }
    }
    return writeFile(m_file.toStdString(), text);
}

void SafeCopy::remove()
{
    if (!m_file.isEmpty()) QFile::remove(m_file);
    leave();
}

void SafeCopy::leave()
{
    m_file.clear();
    m_lock.reset();
}

bool SafeCopy::takeOver(const QString& file)
{
    leave();
    return lock(file);
}

QStringList copiesLeft(const QString& folder)
{
    removeAbandonedFiles(folder.toStdString());
    const QDir home(folder);
    const auto isFree = [](const QString& file) { return lockOf(file)->tryLock(0); };
    for (const QString& name : home.entryList({u'*' + Ending + LockEnding}, QDir::Files))
        static_cast<void>(isFree(home.filePath(name.chopped(LockEnding.size()))));
    QStringList left;
    for (const QString& name : home.entryList({u'*' + Ending}, QDir::Files, QDir::Time))
        if (const QString file = home.filePath(name); isFree(file)) left << file;
    return left;
}

} // namespace plimsoll::app
