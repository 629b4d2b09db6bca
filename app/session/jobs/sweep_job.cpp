#include "app/session/jobs/sweep_job.h"

#include "app/session/run_job.h"
#include "app/session/session.h"
#include "core/advice/plan_sweep.h"
#include "core/advice/sweep_json.h"
#include "core/facts/words/policy_effect.h"

#include <QRegularExpression>

#include <limits>

namespace plimsoll::app {

SweepJob::SweepJob(Session& session, QObject* parent) : CliProcess(parent), m_session(session)
{
    for (auto signal : {&Session::choicesChanged, &Session::closed})
        connect(&session, signal, this, &SweepJob::drop);
    for (auto signal : {&CliProcess::started, &CliProcess::cancelled})
        connect(this, signal, this, &SweepJob::changed);
    connect(this, &CliProcess::failed, this, &SweepJob::changed);
    connect(&session, &Session::reportChanged, this, &SweepJob::changed);
    connect(this, &CliProcess::finished, this, [this](int status, const QByteArray& output, const QString& said) {
        if (status != 0) return Q_EMIT failed(failureOf(status, said));
        Result<Sweep> found = readSweepJson({output.constData(), static_cast<std::size_t>(output.size())});
        if (!found.ok()) return Q_EMIT failed(found.error());
        m_sweep = std::make_shared<const Sweep>(std::move(found).value());
        Q_EMIT changed();
    });
}

bool SweepJob::canStart() const
{
    return m_session.report() && !m_session.choices().givenPlan && !m_session.busy() && !running();
}

Status SweepJob::start(const QString& over)
{
    static const QRegularExpression Blank(QStringLiteral("\\s+"));
    QStringList arguments {QStringLiteral("sweep"), m_session.file()};
    arguments += choiceArguments(m_session.choices());
    const QStringList axes = over.split(Blank, Qt::SkipEmptyParts);
    if (axes.isEmpty()) return Error {ErrorCode::BadUsage, say("sweep.nothing"), {}, {}};
    for (const QString& axis : axes) {
        const Result<SweepAxis> read = readSweepAxis(axis.toStdString());
        if (!read.ok()) return read.error();
        arguments << QStringLiteral("--over") << axis;
    }
    arguments << QStringLiteral("--json") << QStringLiteral("-") << QStringLiteral("--progress");
    m_sweep.reset();
    CliProcess::start(arguments);
    return {};
}

std::shared_ptr<const Report> SweepJob::report() const
{
    if (!m_session.report() || !m_sweep) return m_session.report();
    auto copy = std::make_shared<Report>(*m_session.report());
    copy->sweep = m_sweep;
    return copy;
}

void SweepJob::take(std::size_t point)
{
    if (!m_sweep || point >= m_sweep->points.size() || !m_sweep->points[point].refused.empty()) return;
    const auto kept = m_sweep; // other choices drop it
    Choices choices = m_session.choices();
    for (std::size_t i = 0; i < kept->axes.size(); ++i) {
        const SweepAxis& axis = kept->axes[i];
        const std::string& value = kept->points[point].values[i];
        if (!axis.ofPolicy)
            choices.shapes.dims[axis.name] = QString::fromStdString(value).toLongLong();
        else if (!choices.setPolicy(axis.name, value).ok())
            return;
    }
    m_session.setChoices(std::move(choices));
    m_sweep = kept; // its plans are of all else that was chosen: that is as before
    Q_EMIT changed();
}

QStringList SweepJob::examples() const
{
    QStringList all;
    const auto report = m_session.report();
    if (!report) return all;
    for (const Binding& binding : report->captured.bindings)
        all << QStringLiteral("%1=1..64").arg(QString::fromStdString(binding.dim));
    for (const PolicyInfo& policy : policyTable()) {
        if (!whyWithoutEffect(report->program, report->program.policies, policy).empty()) continue;
        const QString id = QString::fromUtf8(policy.id.data(), qsizetype(policy.id.size()));
        const qint64 number = QString::fromStdString(policyValue(report->program.policies, policy.id)).toLongLong();
        if (!policy.values.empty())
            all << QStringLiteral("%1=*").arg(id);
        else if (number > 0 && number <= std::numeric_limits<qint64>::max() / 8)
            all << QStringLiteral("%1=%2..%3").arg(id).arg(number).arg(8 * number);
    }
    for (const PlannedArena& arena : report->program.map.arenas)
        all << QStringLiteral("capacity=%1=%2,%1=%3")
                   .arg(QString::fromStdString(arena.space))
                   .arg(arena.bytes)
                   .arg(arena.bytes / 2);
    return all;
}

void SweepJob::drop()
{
    cancel();
    m_sweep.reset();
    Q_EMIT changed();
}

} // namespace plimsoll::app
