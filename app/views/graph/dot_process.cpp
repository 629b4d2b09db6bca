#include "app/views/graph/dot_process.h"

#include "app/session/child_process.h"
#include "core/facts/english/english.h"
#include "core/picture/layout/dot_layout.h"
#include "core/sandbox/sandbox.h"

#include <QProcessEnvironment>
#include <QStandardPaths>

#include <sys/resource.h>

namespace plimsoll::app {

namespace {

/// Where Debian has programs, libraries, fonts, and Graphviz its plugins.
const Sandbox& sandboxOfGraphviz()
{
    static const Sandbox sandbox =
        sandboxForProgram({"/etc/fonts", "/etc/ld.so.cache", "/lib", "/lib64", "/usr", "/var/cache/fontconfig"});
    return sandbox;
}

/// Set between fork and exec. The timer is wall-clock; a process that the window cannot end ends by these.
void limitGraphviz()
{
    constexpr rlim_t Seconds = 30;
    constexpr rlim_t Memory = rlim_t {2} << 30;
    constexpr rlimit Limits[] = {{Seconds, Seconds}, {Memory, Memory}, {0, 0}, {1, 1}};
    setrlimit(RLIMIT_CPU, &Limits[0]);
    setrlimit(RLIMIT_AS, &Limits[1]);
    setrlimit(RLIMIT_FSIZE, &Limits[2]);
    setrlimit(RLIMIT_CORE, &Limits[3]);
}

/// Of the system's own folders only, whatever PATH says.
QString pathOfGraphviz()
{
    const QString path = QStandardPaths::findExecutable(
        QStringLiteral("dot"), {QStringLiteral("/usr/bin"), QStringLiteral("/usr/local/bin"), QStringLiteral("/bin")});
    return path.isEmpty() ? QStringLiteral("/usr/bin/dot") : path;
}

} // namespace

DotProcess::DotProcess(QObject* parent) : QObject(parent), m_program(pathOfGraphviz())
{
    dieWithUs(m_process, [&sandbox = sandboxOfGraphviz()] {
        limitGraphviz();
        shutIn(sandbox);
    });
    QProcessEnvironment environment;
    environment.insert(QStringLiteral("LC_ALL"), QStringLiteral("C.UTF-8"));
    m_process.setProcessEnvironment(environment);
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, [this] { give(tr("Graphviz took too long; this is our own layout.")); });
    connect(&m_process, &QProcess::finished, this, &DotProcess::ended);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) {
            give(tr("Graphviz is not installed (package graphviz); this is our own layout."));
        }
    });
}

DotProcess::~DotProcess()
{
    cancel();
}

void DotProcess::start(LayoutProblem problem)
{
    cancel();
    m_problem = std::move(problem);
    m_busy = true;
    m_process.start(m_program, {QStringLiteral("-Tplain")});
    m_process.write(QByteArray::fromStdString(writeDot(m_problem)));
    m_process.closeWriteChannel();
    m_timer.start(m_timeLimit);
}

void DotProcess::cancel()
{
    m_busy = false;
    m_timer.stop();
    if (m_process.state() == QProcess::NotRunning) return;
    m_process.kill();
    m_process.waitForFinished(1000);
}

void DotProcess::give(const QString& reason)
{
    if (!m_busy) return;
    cancel();
    Q_EMIT failed(reason);
}

void DotProcess::ended(int exitCode, QProcess::ExitStatus status)
{
    if (!m_busy) return;
    const QByteArray answer = m_process.readAllStandardOutput();
    if (status != QProcess::NormalExit || exitCode != 0) {
        give(tr("Graphviz failed; this is our own layout."));
        return;
    }
    const Result<GraphLayout> layout =
        readDotPlain({answer.constData(), static_cast<std::size_t>(answer.size())}, m_problem);
    if (!layout.ok()) {
        give(tr("Graphviz gave an answer that cannot be read (%1); this is our own layout.")
                 .arg(QString::fromStdString(describe(layout.error()))));
        return;
    }
    m_busy = false;
    m_timer.stop();
    Q_EMIT finished(layout.value());
}

} // namespace plimsoll::app
