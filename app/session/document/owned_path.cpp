#include "app/session/document/owned_path.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>

namespace plimsoll::app {
namespace {

const QString LockEnding = QStringLiteral(".lock");

} // namespace

OwnedPath newOwnedPath(const QString& folder, const QString& ending)
{
    const QDir home(folder);
    static_cast<void>(home.mkpath(QStringLiteral("."))); // writing there says why it cannot be
    const QString name = QString::number(QCoreApplication::applicationPid()) + QStringLiteral("-%1");
    for (qint64 at = QDateTime::currentMSecsSinceEpoch();; ++at) {
        const QString path = home.filePath(name.arg(at) + ending);
        if (!QFileInfo::exists(path) && !QFileInfo::exists(path + LockEnding)) return {path, lockOf(path)};
    }
}

std::unique_ptr<QLockFile> lockOf(const QString& path)
{
    auto lock = std::make_unique<QLockFile>(path + LockEnding);
    lock->setStaleLockTime(0); // held as long as its program lives
    return lock->tryLock(0) ? std::move(lock) : nullptr;
}

QStringList abandonedPaths(const QString& folder, const QString& ending)
{
    const QDir home(folder);
    for (const QString& name : home.entryList({u'*' + ending + LockEnding}, QDir::Files))
        static_cast<void>(lockOf(home.filePath(name.chopped(LockEnding.size())))); // takes and drops one of no program
    QStringList left;
    for (const QString& name : home.entryList({u'*' + ending}, QDir::Files | QDir::Dirs, QDir::Time))
        if (const QString path = home.filePath(name); lockOf(path)) left << path;
    return left;
}

} // namespace plimsoll::app
