#pragma once

#include "app/session/document/owned_path.h"

#include <string>

namespace plimsoll::app {

/// The graph that a session keeps, as a file that programs that are started can read, too: in the cache, until this is
/// destroyed. Those of programs that were killed are removed.
class UnpackedFile
{
public:
    /// Called as \p name is without its folder. The path stays empty where it cannot be written.
    UnpackedFile(const std::string& bytes, const QString& name);
    ~UnpackedFile();
    Q_DISABLE_COPY_MOVE(UnpackedFile)

    [[nodiscard]] const QString& path() const { return m_path; }

private:
    OwnedPath m_folder;
    QString m_path;
};

} // namespace plimsoll::app
