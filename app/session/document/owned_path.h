#pragma once

#include <QLockFile>
#include <QString>
#include <QStringList>

#include <memory>

namespace plimsoll::app {

/// Of a file or folder that this program alone uses: the lock beside it tells others that it still lives.
struct OwnedPath
{
    QString path;
    std::unique_ptr<QLockFile> lock; ///< Null where the folder takes none.
};

/// A new one in that folder, which is made. Nothing has that name yet.
[[nodiscard]] OwnedPath newOwnedPath(const QString& folder, const QString& ending);

/// Null where a living program has it.
[[nodiscard]] std::unique_ptr<QLockFile> lockOf(const QString& path);

/// Files and folders that were left by programs which live no more, newest first. Their locks are removed.
[[nodiscard]] QStringList abandonedPaths(const QString& folder, const QString& ending);

} // namespace plimsoll::app
