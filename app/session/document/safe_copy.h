#pragma once

#include "core/base/result.h"

#include <QLockFile>
#include <QString>
#include <QStringList>

#include <memory>
#include <string_view>

namespace plimsoll::app {

/// What one window has open, kept in a file of its own that outlives a kill. The file is locked while the window lives,
/// so that others can tell it from one that was left.
class SafeCopy
{
public:
    /// From now on files lie in that folder; before, nothing is kept.
    void keepIn(const QString& folder) { m_folder = folder; }
    [[nodiscard]] const QString& folder() const { return m_folder; }

    /// Whole or not at all, also where the program is killed meanwhile.
    [[nodiscard]] Status write(std::string_view text);
    void remove();
    void leave(); ///< It stays, and is offered at the next start.
    /// Goes on with a copy that was left. False where another window has it.
    [[nodiscard]] bool takeOver(const QString& file);

private:
    [[nodiscard]] bool lock(const QString& file);

    QString m_folder;
    QString m_file; ///< Empty: none yet.
    std::unique_ptr<QLockFile> m_lock;
};

/// Copies that windows left which live no more, newest first. What else those left is removed.
[[nodiscard]] QStringList copiesLeft(const QString& folder);

} // namespace plimsoll::app
