#include "app/models/facts.h"
#include "app/models/window_text.h"

#include <QObject>

namespace plimsoll::app {
namespace {

QString changeText(std::int64_t now, std::int64_t before)
{
    if (now == before) return QObject::tr("as now");
    return (now > before ? QStringLiteral("+") : QStringLiteral("−")) +
           sizeText(now > before ? now - before : before - now);
}

QString wayText(const Freeing& way)
{
    switch (way.kind) {
    case Freeing::Kind::Policy:
        break;
    case Freeing::Kind::Freeze:
        return QObject::tr("freeze %1").arg(toQString(way.what));
    case Freeing::Kind::Recompute:
        return way.nodes == 1 ? QObject::tr("recompute: 1 node, %1 moved").arg(sizeText(way.movedBytes))
                              : QObject::tr("recompute: %1 nodes, %2 moved")
                                    .arg(countText(static_cast<std::int64_t>(way.nodes)), sizeText(way.movedBytes));
    case Freeing::Kind::InPlace:
        return QObject::tr("%1 in place").arg(toQString(way.what));
    }
    const std::size_t equals = way.what.find('=');
    return toQString(windowWords(Remedy::policy(way.what.substr(0, equals), way.what.substr(equals + 1))));
}

} // namespace

FactSection freeingFacts(const Report& report, const std::vector<Freeing>& ways)
{
    FactSection section {QObject::tr("What would free it"), {}};
    for (const Freeing& way : ways) {
        Fact fact {
            wayText(way),
            QObject::tr("kept %1, peak %2")
                .arg(changeText(way.boundaryBytes, report.training.boundaryBytes),
                     changeText(way.peakBytes, report.memory.peakBytes)),
            QObject::tr("kept %1, peak %2").arg(exactBytesText(way.boundaryBytes), exactBytesText(way.peakBytes)),
            {}};
        if (way.kind == Freeing::Kind::Freeze) fact.link = Focus::on(findValue(*report.program.graph, way.what));
        section.facts.push_back(std::move(fact));
    }
    if (ways.empty())
        section.facts.push_back(
            {QObject::tr("nothing alone"),
             QObject::tr("no policy, no variable that is frozen, nothing in place; it cannot be computed anew"),
             {}});
    return section;
}

} // namespace plimsoll::app
