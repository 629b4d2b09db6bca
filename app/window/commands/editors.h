#pragma once

#include <QString>
#include <QStringList>

namespace plimsoll::app {

/// The command that shows a line of a file: \p wanted, a command with %f and %l ("code --goto %f:%l"), else that of the
/// first known editor that is installed. Empty: there is none.
[[nodiscard]] QStringList editorCommand(const QString& wanted, const QString& file, int line);

/// Shows it in the editor that the environment variable PLIMSOLL_EDITOR names, in a known one, or, without the line, in
/// what the desktop opens such files with.
void openInEditor(const QString& file, int line);

} // namespace plimsoll::app
