#include "app/views/graph/dot_process.h"

#include "app/session/child_process.h"
#include "core/facts/english/english.h"
#include "core/picture/layout/dot_layout.h"

namespace plimsoll::app {

DotProcess::DotProcess(QObject* parent) : QObject(parent), m_program(QStringLiteral("dot"))
{
    dieWithUs(m_process);
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
