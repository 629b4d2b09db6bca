#pragma once

#include "core/base/result.h"

#include <QDateTime>
#include <QList>
#include <QObject>
#include <QString>

namespace plimsoll::app {

class Workbench;

struct LogLine
{
    QDateTime at;
    QString text;  ///< Names nothing of the user's.
    QString named; ///< The same with files, names and sentences that may hold them.
};
/// "09:12:03.120 Error: window.nothing-pasted"
[[nodiscard]] QString logText(const LogLine& line, bool names);

/// What a window has done, its last lines: files, plans, jobs, errors, warnings of Qt. It stays in this process unless
/// the user wants a file of it.
class Log : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    /// \p named where it says more than \p text may.
    void add(const QString& text, const QString& named = {});
    void add(const Error& error);
    [[nodiscard]] const QList<LogLine>& lines() const { return m_lines; } ///< The oldest first.
    /// Lines go to the end of it from now on; empty: of no file. One that has grown too large becomes FILE.old.
    void keepIn(const QString& file);
    void printToo() { m_prints = true; } ///< To standard error.

    static constexpr qsizetype MostLines = 400;
    static constexpr qint64 MostBytes = 1 << 20; ///< Of the file.

Q_SIGNALS:
    void added(const plimsoll::app::LogLine& line);

private:
    void write(const QString& line) const;

    QList<LogLine> m_lines;
    QString m_file;
    bool m_prints = false;
};

/// Adds a line for whatever begins and ends in \p bench.
void follow(Log& log, const Workbench& bench);

/// plimsoll.log in the state directory of the user (XDG).
[[nodiscard]] QString logFile();

} // namespace plimsoll::app
