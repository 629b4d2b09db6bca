#include "app/session/jobs/trial_read.h"

#include "app/session/child_process.h"
#include "app/session/cli_process.h"
#include "app/session/session.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

namespace plimsoll::app {
namespace {

constexpr qint64 MostKept = 64 * 1024; // bytes: about a thousand files

/// Of a file as it is now and the readers of this version.
QByteArray lineOf(const QFileInfo& file)
{
    const QString known =
        QStringList {file.canonicalFilePath(), QString::number(file.size()),
                     QString::number(file.lastModified().toMSecsSinceEpoch()), QCoreApplication::applicationVersion()}
            .join(u'\n');
    return QCryptographicHash::hash(known.toUtf8(), QCryptographicHash::Sha256).toHex() + '\n';
}

bool holds(const QString& path, const QByteArray& line)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) && file.read(2 * MostKept).contains(line);
}

/// Lines that cannot be kept cost time, nothing else.
void keep(const QString& path, const QByteArray& line)
{
    static_cast<void>(QDir().mkpath(QFileInfo(path).absolutePath()));
    QFile file(path);
    const bool full = file.size() > MostKept;
    if (file.open(full ? QIODevice::WriteOnly : QIODevice::Append)) file.write(line);
}

/// Whether it was read.
Result<bool> tryReading(const QString& program, const QString& file, const Context& context)
{
    constexpr int Patience = 50; // ms
    QProcess child;
    dieWithUs(child);
    child.start(program, {QStringLiteral("try-reading"), file}, QIODevice::ReadOnly);
    if (!child.waitForStarted()) return false;
    while (!child.waitForFinished(Patience) && child.state() != QProcess::NotRunning) {
        if (!context.stopped()) continue;
        child.kill();
        child.waitForFinished();
        return Error {ErrorCode::Stopped, say("stopped.reading"), {}, {}};
    }
    if (child.exitStatus() != QProcess::NormalExit) // its exit code is a signal then
        return Error {ErrorCode::BadInput, say("apart.ended", "signal " + std::to_string(child.exitCode())), {}, {}};
    for (const QByteArray& line : child.readAllStandardError().split('\n'))
        if (auto error = saidError(line, {file})) return *std::move(error);
    return true;
}

} // namespace

TrialReader trialReader()
{
    const QDir cache(QStandardPaths::writableLocation(QStandardPaths::CacheLocation));
    return {cliProgram(), cache.filePath(QStringLiteral("files-read"))};
}

Engine tryingFirst(Engine engine, const TrialReader& reader)
{
    const auto tried = [reader](const std::filesystem::path& path, const Context& context) -> Status {
        const QString file = QString::fromStdString(path.string());
        const QFileInfo onDisk(fileOnDisk(file));
        if (!onDisk.isFile()) return {}; // reading it says so
        const QByteArray line = lineOf(onDisk);
        if (holds(reader.read, line)) return {};
        PLIMSOLL_ASSIGN(wasRead, tryReading(reader.program, file, context));
        if (wasRead) keep(reader.read, line);
        return {};
    };
    Engine trying = engine;
    trying.read = [tried, read = engine.read](const std::filesystem::path& file,
                                              const Context& context) -> Result<FormatContent> {
        PLIMSOLL_TRY(tried(file, context));
        return read(file, context);
    };
    trying.readPlan = [tried, readPlan = engine.readPlan](const std::filesystem::path& file,
                                                          const Context& context) -> Result<PlanFile> {
        PLIMSOLL_TRY(tried(file, context));
        return readPlan(file, context);
    };
    return trying;
}

} // namespace plimsoll::app
