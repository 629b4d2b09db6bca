#include "app/session/document/unpacked_file.h"

#include "core/base/output_file.h"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

namespace plimsoll::app {

UnpackedFile::UnpackedFile(const std::string& bytes, const QString& name)
{
    const QString ending = QStringLiteral(".unpacked");
    const QDir cache(QStandardPaths::writableLocation(QStandardPaths::CacheLocation));
    for (const QString& left : abandonedPaths(cache.path(), ending))
        QDir(left).removeRecursively();
    m_folder = newOwnedPath(cache.path(), ending);
    QString plain = QFileInfo(name).fileName();
    if (plain.isEmpty() || plain == QStringLiteral(".") || plain == QStringLiteral(".."))
        plain = QStringLiteral("graph");
    const QString path = QDir(m_folder.path).filePath(plain);
    if (QDir().mkpath(m_folder.path) && writeFile(path.toStdString(), bytes).ok()) m_path = path;
}

UnpackedFile::~UnpackedFile()
{
    QDir(m_folder.path).removeRecursively(); // before its lock goes
}

} // namespace plimsoll::app
