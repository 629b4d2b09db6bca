#pragma once

#include "app/session/plan_history.h"
#include "app/window/look/theme.h"
#include "core/base/result.h"

#include <QSize>
#include <QString>
#include <QStringList>

#include <optional>

namespace plimsoll::app {

/// What the window was started with.
struct CommandLine
{
    QString file;       ///< Empty: the start page.
    QStringList others; ///< More files, each in a tab of its own.
    QString plan;       ///< To be judged; empty: our own is made.
    Choices choices;
    QString select; ///< Name of a value, node or storage, or bytes.
    QString view;   ///< Empty: what it opens with.
    QString screenshot;
    QString picture;      ///< What is seen of the picture that \c view names, or of the plan.
    QString wholePicture; ///< All of it.
    QString table;        ///< The table that \c view names.
    QString json;         ///< Where the report is written, as the command line writes it.
    QSize size {1400, 900};
    QString language; ///< Empty: that of the settings; of pictures and files English.
    std::optional<ThemeChoice> theme;
    bool verbose = false; ///< The log goes to standard error, too.
    bool help = false;
    bool version = false;
};

/// Whether it writes files and shows no window.
[[nodiscard]] bool writes(const CommandLine& line);

/// \p arguments without the program's name. BadUsage says which argument is wrong, and what is possible.
[[nodiscard]] Result<CommandLine> parseCommandLine(const QStringList& arguments);
[[nodiscard]] QString usageText();

} // namespace plimsoll::app
