#include "app/window/commands/editors.h"

#include <QDesktopServices>
#include <QProcess>
#include <QStandardPaths>
#include <QUrl>

#include <algorithm>

namespace plimsoll::app {
namespace {

/// How each goes to a line, as its manual says. Those that need a terminal are left out.
constexpr const char* Known[] = {"code --goto %f:%l", "codium --goto %f:%l", "zed %f:%l",    "subl %f:%l",
                                 "kate --line %l %f", "gvim +%l %f",         "emacs +%l %f", "gedit +%l %f"};

} // namespace

QStringList editorCommand(const QString& wanted, const QString& file, int line)
{
    QStringList command = QProcess::splitCommand(wanted);
    if (command.isEmpty()) {
        const auto* const known = std::ranges::find_if(Known, [](const char* each) {
            return !QStandardPaths::findExecutable(QString::fromLatin1(each).section(u' ', 0, 0)).isEmpty();
        });
        if (known != std::end(Known)) command = QProcess::splitCommand(QString::fromLatin1(*known));
    }
    for (QString& word : command) // the name of the file last: it may hold a "%l"
        word.replace(QStringLiteral("%l"), QString::number(line)).replace(QStringLiteral("%f"), file);
    return command;
}

void openInEditor(const QString& file, int line)
{
    QStringList command = editorCommand(qEnvironmentVariable("PLIMSOLL_EDITOR"), file, line);
    const QString program = command.isEmpty() ? QString() : command.takeFirst();
    if (program.isEmpty() || !QProcess::startDetached(program, command))
        QDesktopServices::openUrl(QUrl::fromLocalFile(file));
}

} // namespace plimsoll::app
