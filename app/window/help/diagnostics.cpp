#include "app/window/help/diagnostics.h"

#include "app/models/window_text.h"
#include "app/session/workbench.h"
#include "app/window/help/log.h"
#include "core/facts/english/english.h"
#include "core/facts/plan_digest.h"

#include <QDir>
#include <QGuiApplication>
#include <QScreen>
#include <QSysInfo>
#include <QThread>

namespace plimsoll::app {
namespace {

QString line(const char* name, const QString& text)
{
    return text.isEmpty() ? QString() : QStringLiteral("%1: %2\n").arg(QString::fromLatin1(name), text);
}

QString systemLines()
{
    const QScreen* screen = QGuiApplication::primaryScreen();
    return line("Plimsoll", QGuiApplication::applicationVersion()) +
           line("Qt",
                QString::fromLatin1(qVersion()) + QStringLiteral(", platform ") + QGuiApplication::platformName()) +
           line("System", QSysInfo::prettyProductName() + QStringLiteral(", kernel ") + QSysInfo::kernelVersion() +
                              QStringLiteral(", ") + QSysInfo::currentCpuArchitecture()) +
           line("Processors", QString::number(QThread::idealThreadCount())) +
           (screen ? line("Screen", QStringLiteral("%1x%2 at %3")
                                        .arg(screen->size().width())
                                        .arg(screen->size().height())
                                        .arg(screen->devicePixelRatio()))
                   : QString());
}

QString backendLines(const Catalogue* catalogue)
{
    if (!catalogue) return line("Backends", QStringLiteral("reference alone"));
    QString text;
    for (const auto& [name, value] : catalogue->environment)
        text += line(qPrintable(QStringLiteral("Backend, ") + toQString(name)), toQString(english(value)));
    for (const auto& [backend, why] : catalogue->absent)
        text += line(qPrintable(QStringLiteral("Missing, ") + toQString(backend)), toQString(english(why)));
    return text;
}

QString graphLines(const Report& report, bool names)
{
    const Graph& graph = *report.program.graph;
    QStringList opsets;
    for (const auto& [domain, version] : graph.opsets)
        opsets << QStringLiteral("%1 %2").arg(domain.empty() ? QStringLiteral("onnx") : toQString(domain)).arg(version);
    return line("Format", toQString(graph.file.format)) + line("Opsets", opsets.join(QStringLiteral(", "))) +
           line("Graph", QStringLiteral("%1 nodes, %2 values, %3 bodies, %4 storages, %5 steps")
                             .arg(graph.nodes.size())
                             .arg(graph.values.size())
                             .arg(graph.bodies.size())
                             .arg(report.program.storages.size())
                             .arg(report.program.schedule.length())) +
           line("Plan", QStringLiteral("%1, peak %2 B, bound %3 B, %4 findings, digest %5")
                            .arg(report.program.ownPlan ? QStringLiteral("ours") : QStringLiteral("given"))
                            .arg(report.memory.peakBytes)
                            .arg(report.memory.lowerBoundBytes)
                            .arg(countFindings(report))
                            .arg(toQString(planDigest(report)))) +
           (names ? line("Name", toQString(graph.name)) : QString());
}

/// Those that are not at their first value.
QString policyLines(const Policies& policies)
{
    QString text;
    for (const PolicyInfo& info : policyTable()) {
        const std::string value = policyValue(policies, info.id);
        if (value != policyValue(Policies(), info.id))
            text += line("Policy", toQString(info.id) + u'=' + toQString(value));
    }
    return text;
}

QString logLines(const Log& log, bool names)
{
    QString text;
    for (const LogLine& each : log.lines())
        text += line("Log", logText(each, names));
    return text;
}

} // namespace

QString diagnosticsText(const Workbench& bench, const Log& log, bool names)
{
    const Session& session = bench.session;
    const auto report = session.report();
    QString text = systemLines();
    if (names) text += line("File", session.file());
    if (session.provisional()) text += line("Offers", toQString(session.provisional()->message.id));
    if (report) text += backendLines(report->planning.catalogue.get()) + graphLines(*report, names);
    text += policyLines(session.choices().policies) + logLines(log, names);
    return text.replace(QDir::homePath(), QStringLiteral("~"));
}

} // namespace plimsoll::app
