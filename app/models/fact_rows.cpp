#include "app/models/fact_lists.h"
#include "app/models/text.h"

#include <QObject>

namespace plimsoll::app {

Fact bytesFact(const QString& name, std::int64_t bytes)
{
    return {name, sizeText(bytes), exactBytesText(bytes)};
}

Fact valueFact(const Report& report, const QString& name, ValueId value)
{
    if (!value.valid()) return {name, QObject::tr("absent"), {}};
    const QString type = toQString(describe((*report.graph)[value].type));
    return {name, toQString((*report.graph)[value].name), type, Focus::on(value)};
}

Fact nodeFact(const Report& report, const QString& name, NodeId node)
{
    Fact fact {name, toQString((*report.graph)[node].name), toQString(qualifiedOp((*report.graph)[node])),
               Focus::on(node)};
    if (const Interval steps = report.schedule.nodes[node.index()]; !steps.empty()) {
        fact.link.step = steps.begin;
        fact.text = QObject::tr("%1  (step %2)").arg(fact.text).arg(steps.begin);
    }
    return fact;
}

Fact storageFact(const Report& report, StorageId storage)
{
    const Storage& block = report.storages[storage.index()];
    const QString text =
        block.arena.valid()
            ? QObject::tr("%1 at %2, %3").arg(storageText(storage), addressText(block.offset), sizeText(block.bytes))
            : QObject::tr("%1, the caller's bytes").arg(storageText(storage));
    return {QObject::tr("Storage"), text, exactBytesText(block.bytes), Focus::on(storage)};
}

Fact findingFact(const Report& report, std::size_t finding)
{
    const Finding& found = report.findings[finding];
    return {toQString(severityName(found.severity)), toQString(ruleId(found.rule)), toQString(found.message),
            Focus::onFinding(static_cast<std::int32_t>(finding))};
}

FactSection decisionFacts(const Report& report, const std::string& name)
{
    FactSection section {QObject::tr("Decisions"), {}};
    for (const Decision& decision : report.decisions) {
        if (decision.subject != name && decision.other != name) continue;
        if (section.facts.size() == LongestFactList) {
            section.facts.push_back({QStringLiteral("…"), QObject::tr("more are in the report"), {}});
            break;
        }
        const std::string& partner = decision.subject == name ? decision.other : decision.subject;
        Fact fact {toQString(decision.kind), {}, {}, Focus::on(findValue(*report.graph, partner))};
        fact.text = (decision.accepted ? QObject::tr("made") : QObject::tr("refused"));
        if (!partner.empty()) fact.text += QObject::tr(" with %1").arg(toQString(partner));
        fact.text += QStringLiteral(": ") + toQString(decision.reason.empty() ? decision.rule : decision.reason);
        fact.tip =
            fact.text +
            QObject::tr("\nRule: %1. At stake: %2.").arg(toQString(decision.rule), exactBytesText(decision.bytes));
        section.facts.push_back(std::move(fact));
    }
    return section;
}

} // namespace plimsoll::app
