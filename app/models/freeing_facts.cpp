#include "app/models/facts.h"
#include "app/models/text.h"

#include <QObject>

namespace plimsoll::app {
namespace {

QString changeText(std::int64_t now, std::int64_t before)
{
    if (now == before) return QObject::tr("as now");
    return (now > before ? QStringLiteral("+") : QStringLiteral("−")) +
           sizeText(now > before ? now - before : before - now);
}

} // namespace

FactSection freeingFacts(const Report& report, const std::vector<Freeing>& ways)
{
    FactSection section {QObject::tr("What would free it"), {}};
    for (const Freeing& way : ways) {
        const bool freeze = way.kind == Freeing::Kind::Freeze;
        Fact fact {
            freeze ? QObject::tr("freeze %1").arg(toQString(way.what)) : toQString(way.what),
            QObject::tr("kept %1, peak %2")
                .arg(changeText(way.boundaryBytes, report.boundaryBytes), changeText(way.peakBytes, report.peakBytes)),
            QObject::tr("kept %1, peak %2").arg(exactBytesText(way.boundaryBytes), exactBytesText(way.peakBytes)),
            {}};
        if (freeze) fact.link = Focus::on(findValue(*report.graph, way.what));
        section.facts.push_back(std::move(fact));
    }
    if (ways.empty())
        section.facts.push_back(
            {QObject::tr("nothing alone"), QObject::tr("no policy and no variable that is frozen alone"), {}});
    return section;
}

} // namespace plimsoll::app
