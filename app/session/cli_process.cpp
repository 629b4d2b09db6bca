#include "app/session/cli_process.h"

#include "app/session/child_process.h"
#include "core/graph/shape_text.h"
#include "core/report/message_json.h"

#include <QCoreApplication>
#include <QDir>

#include <nlohmann/json.hpp>

#include <csignal>

namespace plimsoll::app {
namespace {

QStringList policyArguments(const Policies& policies, bool (*wanted)(const PolicyInfo&))
{
    QStringList arguments;
    const Policies defaults;
    for (const PolicyInfo& policy : policyTable()) {
        const std::string value = policyValue(policies, policy.id);
        if (!wanted(policy) || (!policy.graphDecides && value == policyValue(defaults, policy.id))) continue;
        arguments << QStringLiteral("-p") << QString::fromStdString(std::string(policy.id) + "=" + value);
    }
    return arguments;
}

QStringList sizeArguments(const Choices& choices)
{
    QStringList arguments;
    for (const auto& [dim, size] : choices.shapes.dims)
        arguments << QStringLiteral("--dim") << QString::fromStdString(dim) + u'=' + QString::number(size);
    for (const auto& [input, shape] : choices.shapes.shapes)
        arguments << QStringLiteral("--shape") << QString::fromStdString(input + '=' + shapeText(shape));
    for (const auto& [value, most] : choices.shapes.maxStored)
        arguments << QStringLiteral("--max-stored") << QString::fromStdString(value) + u'=' + QString::number(most);
    return arguments;
}

QStringList constraintArguments(const Choices& choices, bool (*wanted)(ConstraintKind))
{
    QStringList arguments;
    for (const Constraint& one : listed(choices.constraints)) {
        if (!wanted(one.kind)) continue;
        arguments << QStringLiteral("--%1").arg(QString::fromStdString(std::string(constraintId(one.kind))))
                  << QString::fromStdString(one.other.empty() ? one.of : one.of + '=' + one.other);
    }
    return arguments;
}

} // namespace

QString cliProgram()
{
    return QDir(QCoreApplication::applicationDirPath()).filePath(QStringLiteral("plimsoll-cli"));
}

std::optional<Error> saidError(const QByteArray& line, const QStringList& arguments)
{
    constexpr QByteArrayView Word = "error ";
    if (!line.startsWith(Word)) return std::nullopt;
    const auto json = nlohmann::ordered_json::parse(line.mid(Word.size()).toStdString(), nullptr, false);
    std::optional<Error> error = readError(json);
    if (error && arguments.contains(QString::fromStdString(error->file))) error->file.clear();
    return error;
}

QStringList choiceArguments(const Choices& choices)
{
    return policyArguments(choices.policies, [](const PolicyInfo&) { return true; }) + sizeArguments(choices) +
           constraintArguments(choices, [](ConstraintKind) { return true; });
}

QStringList offerArguments(const Choices& choices)
{
    Policies policies = choices.policies;
    // What would be on offer is asked of a graph on its own terms, too: the choice is the next click.
    if (policies.backend == BackendPolicy::Captured) policies.backend = BackendPolicy::Auto;
    const auto wanted = [](const PolicyInfo& policy) { return policy.stage == Stage::Lower || policy.id == "backend"; };
    const auto ofNodes = [](ConstraintKind kind) {
        return kind == ConstraintKind::Gradient || kind == ConstraintKind::Recompute;
    };
    QStringList arguments =
        policyArguments(policies, wanted) + sizeArguments(choices) + constraintArguments(choices, ofNodes);
    if (choices.givenPlan && !choices.givenPlan->file.empty())
        arguments << QStringLiteral("--plan") << QString::fromStdString(choices.givenPlan->file);
    return arguments;
}

CliProcess::CliProcess(QObject* parent) : QObject(parent), m_program(cliProgram()) {}

CliProcess::~CliProcess()
{
    drop();
}

void CliProcess::start(const QStringList& arguments)
{
    drop();
    m_output.clear();
    m_line.clear();
    m_said.clear();
    m_error.reset();
    m_arguments = arguments;
    m_process = new QProcess(this);
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.remove(QStringLiteral("PLIMSOLL_PADDING")); // the arguments say it, or that it was switched back
    m_process->setProcessEnvironment(environment);
    connect(m_process, &QProcess::readyReadStandardOutput, this,
            [this] { m_output += m_process->readAllStandardOutput(); });
    connect(m_process, &QProcess::readyReadStandardError, this, &CliProcess::readErrors);
    connect(m_process, &QProcess::finished, this, &CliProcess::end);
    connect(m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart) return;
        drop();
        Q_EMIT failed({ErrorCode::Unsupported, say("cli.missing"), {}, m_program.toStdString()});
    });
    dieWithUs(*m_process);
    m_process->start(m_program, arguments, QIODevice::ReadOnly);
    Q_EMIT started();
}

void CliProcess::cancel()
{
    if (!m_process) return;
    drop();
    Q_EMIT cancelled();
}

void CliProcess::interrupt()
{
    if (m_process && m_process->processId() > 0) ::kill(static_cast<pid_t>(m_process->processId()), SIGINT);
}

void CliProcess::readErrors()
{
    m_line += m_process->readAllStandardError();
    for (qsizetype end = m_line.indexOf('\n'); end >= 0; end = m_line.indexOf('\n')) {
        const QByteArray bytes = m_line.left(end);
        const QString line = QString::fromUtf8(bytes);
        m_line.remove(0, end + 1);
        const QStringList words = line.split(u' ');
        if (auto error = saidError(bytes, m_arguments))
            m_error = std::move(error);
        else if (words.size() >= 3 && words[0] == QStringLiteral("progress"))
            Q_EMIT progressed(words[1].toLongLong(), words[2].toLongLong(), words.mid(3).join(u' '));
        else
            m_said += line + u'\n';
        if (!m_process) return; // cancelled by a listener
    }
}

void CliProcess::end(int status, QProcess::ExitStatus how)
{
    readErrors();
    if (!m_process) return;
    m_output += m_process->readAllStandardOutput();
    m_said += QString::fromUtf8(m_line);
    drop();
    if (how != QProcess::NormalExit) {
        const Message why =
            m_said.isEmpty() ? say("cli.crashed") : say("cli.crashed-saying", m_said.trimmed().toStdString());
        m_error = {ErrorCode::Internal, why, {}, {}};
    }
    if (m_error)
        Q_EMIT failed(*m_error);
    else
        Q_EMIT finished(status, m_output, m_said.trimmed());
}

void CliProcess::drop()
{
    QProcess* process = std::exchange(m_process, nullptr);
    if (!process) return;
    process->disconnect(this);
    if (process->state() != QProcess::NotRunning) {
        process->kill();
        process->waitForFinished(1000);
    }
    process->deleteLater();
}

} // namespace plimsoll::app
