#include "app/window/help/log.h"

#include "app/models/window_text.h"
#include "app/session/workbench.h"
#include "core/facts/english/english.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>

#include <cstdio>
#include <memory>

namespace plimsoll::app {
namespace {

void followPlans(Log& log, const Session& session)
{
    QObject::connect(&session, &Session::opening, &log, [&log](const QString& file) {
        log.add(QStringLiteral("Opening a file"), QStringLiteral("Opening %1").arg(file));
    });
    QObject::connect(&session, &Session::graphOpened, &log, [&log, &session] {
        log.add(QStringLiteral("Read: %1, %2 nodes, %3 values")
                    .arg(toQString(session.graph()->file.format))
                    .arg(session.graph()->nodes.size())
                    .arg(session.graph()->values.size()));
    });
    QObject::connect(&session, &Session::reportChanged, &log, [&log, &session] {
        const Report& report = *session.report();
        log.add(QStringLiteral("Plan: %1 ms, peak %2 B, findings: %3")
                    .arg(report.planning.ms, 0, 'f', 0)
                    .arg(report.memory.peakBytes)
                    .arg(report.verdict.findings.size()));
    });
    QObject::connect(&session, &Session::closed, &log, [&log] {
        if (!log.lines().isEmpty()) log.add(QStringLiteral("Closed")); // opening begins with it
    });
    for (auto signal : {&Session::openFailed, &Session::replanFailed})
        QObject::connect(&session, signal, &log, [&log](const Error& error) { log.add(error); });
}

/// A child process.
void followProcess(Log& log, const CliProcess& process, const QString& what)
{
    const auto clock = std::make_shared<QElapsedTimer>();
    QObject::connect(&process, &CliProcess::started, &log, [&log, clock, what] {
        clock->start();
        log.add(QStringLiteral("%1 begins").arg(what));
    });
    QObject::connect(&process, &CliProcess::finished, &log, [&log, clock, what](int status) {
        log.add(QStringLiteral("%1 ends after %2 ms with status %3").arg(what).arg(clock->elapsed()).arg(status));
    });
    QObject::connect(&process, &CliProcess::cancelled, &log,
                     [&log, what] { log.add(QStringLiteral("%1 is cancelled").arg(what)); });
    QObject::connect(&process, &CliProcess::failed, &log, [&log](const Error& error) { log.add(error); });
}

} // namespace

QString logText(const LogLine& line, bool names)
{
    const QString& text = names && !line.named.isEmpty() ? line.named : line.text;
    return line.at.toString(QStringLiteral("HH:mm:ss.zzz ")) + text;
}

void Log::add(const QString& text, const QString& named)
{
    m_lines << LogLine {QDateTime::currentDateTime(), text, named};
    if (m_lines.size() > MostLines) m_lines.removeFirst();
    const QString line = logText(m_lines.back(), true);
    if (m_prints) std::fprintf(stderr, "plimsoll: %s\n", qPrintable(line));
    if (!m_file.isEmpty()) write(line);
    Q_EMIT added(m_lines.back());
}

void Log::add(const Error& error)
{
    add(QStringLiteral("Error: %1").arg(toQString(error.message.id)),
        QStringLiteral("Error: %1").arg(toQString(describe(error))));
}

void Log::keepIn(const QString& file)
{
    m_file = file;
    if (!file.isEmpty()) QDir().mkpath(QFileInfo(file).absolutePath());
}

/// A log that cannot be written is no reason to stop.
void Log::write(const QString& line) const
{
    if (QFileInfo(m_file).size() > MostBytes) {
        QFile::remove(m_file + QStringLiteral(".old"));
        QFile::rename(m_file, m_file + QStringLiteral(".old"));
    }
    QFile file(m_file);
    if (!file.open(QIODevice::Append)) return;
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner); // it names files of the user
    file.write(QDateTime::currentDateTime().toString(QStringLiteral("yyyy-MM-dd ")).toUtf8() + line.toUtf8() + '\n');
}

void follow(Log& log, const Workbench& bench)
{
    followPlans(log, bench.session);
    followProcess(log, bench.offers.estimated, QStringLiteral("Asking for offers"));
    followProcess(log, bench.offers.measured, QStringLiteral("Measuring offers"));
    followProcess(log, bench.session.comparison().offers(), QStringLiteral("Asking for offers of what is compared"));
    followProcess(log, bench.run, QStringLiteral("Run"));
    followProcess(log, bench.bisect, QStringLiteral("Bisection"));
    QObject::connect(&bench.search, &SearchJob::started, &log, [&log] { log.add(QStringLiteral("Search begins")); });
    QObject::connect(&bench.search, &SearchJob::ended, &log, [&log] { log.add(QStringLiteral("Search ends")); });
    QObject::connect(&bench.jobs, &JobRunner::stopped, &log,
                     [&log](const QString& tag) { log.add(QStringLiteral("Stopped by the user: %1").arg(tag)); });
}

/// Qt 6.4 has no name for this place.
QString logFile()
{
    const QString state = qEnvironmentVariable("XDG_STATE_HOME", QDir::homePath() + QStringLiteral("/.local/state"));
    return QDir(state).filePath(QStringLiteral("plimsoll/plimsoll.log"));
}

} // namespace plimsoll::app
