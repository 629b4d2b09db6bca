#include "app/models/fact_lists.h"
#include "app/models/window_text.h"
#include "core/facts/words/placement_text.h"

#include <QObject>

#include <set>
#include <string_view>

namespace plimsoll::app {

Fact bytesFact(const QString& name, std::int64_t bytes)
{
    return {name, sizeText(bytes), exactBytesText(bytes)};
}

Fact valueFact(const Report& report, const QString& name, ValueId value)
{
    if (!value.valid()) return {name, QObject::tr("absent"), {}};
    const QString type = toQString(describe((*report.program.graph)[value].type));
    return {name, toQString((*report.program.graph)[value].name), type, Focus::on(value)};
}

Fact nodeFact(const Report& report, const QString& name, NodeId node)
{
    Fact fact {name, toQString((*report.program.graph)[node].name),
               toQString(qualifiedOp((*report.program.graph)[node])), Focus::on(node)};
    if (const Interval steps = report.program.schedule.nodes[node.index()]; !steps.empty()) {
        fact.link.step = steps.begin;
        fact.text = QObject::tr("%1  (step %2)").arg(fact.text, countText(steps.begin));
    }
    return fact;
}

Fact storageFact(const Report& report, StorageId storage)
{
    const Storage& block = report.program.storages[storage.index()];
    const QString text =
        block.arena.valid()
            ? QObject::tr("%1 at %2, %3").arg(storageText(storage), addressText(block.offset), sizeText(block.bytes))
        : isMadeAhead(report, block) ? QObject::tr("%1, made ahead of the run").arg(storageText(storage))
                                     : QObject::tr("%1, the caller's bytes").arg(storageText(storage));
    return {QObject::tr("Storage"), text, exactBytesText(block.bytes), Focus::on(storage)};
}

Fact contentFact(const Report& report, StorageId id)
{
    Fact fact = storageFact(report, id);
    fact.name = sizeText(report.program.storages[id.index()].bytes);
    fact.text = storageText(id) + QStringLiteral("  ") + toQString(storageTitle(report, id));
    return fact;
}

Fact findingFact(const Report& report, std::size_t finding)
{
    const Finding& found = report.verdict.findings[finding];
    return {toQString(severityName(found.severity)), toQString(ruleId(found.rule)), windowText(found.message),
            Focus::onFinding(static_cast<std::int32_t>(finding))};
}

namespace {

/// One row: the partner where there is one, and the subject too where \p several could be meant.
Fact decisionFact(const Report& report, const Decision& decision, const std::string& partner, bool several)
{
    Fact fact {toQString(decisionKindId(decision.kind)), {}, {}, Focus::on(findValue(*report.program.graph, partner))};
    if (several) fact.text = toQString(decision.subject) + u' ';
    fact.text += decision.accepted ? QObject::tr("made") : QObject::tr("refused");
    if (!partner.empty()) fact.text += QObject::tr(" with %1").arg(toQString(partner));
    fact.text += QStringLiteral(": ") + windowText(decision.reason.empty() ? Message(decision.rule) : decision.reason);
    fact.tip = fact.text +
               QObject::tr("\nRule: %1. At stake: %2.").arg(toQString(decision.rule), exactBytesText(decision.bytes));
    return fact;
}

/// False when the list is full, which its last row then says.
bool addDecision(FactSection& section, Fact fact)
{
    const bool room = section.facts.size() < LongestFactList;
    if (room)
        section.facts.push_back(std::move(fact));
    else
        section.facts.push_back({QStringLiteral("…"), QObject::tr("more are in the report"), {}});
    return room;
}

} // namespace

FactSection decisionFacts(const Report& report, const std::vector<std::string>& names)
{
    const std::set<std::string_view> wanted(names.begin(), names.end());
    FactSection section {QObject::tr("Decisions"), {}};
    for (const Decision& decision : report.decisions) {
        const bool subject = wanted.contains(decision.subject);
        if (!subject && !wanted.contains(decision.other)) continue;
        const bool several = names.size() > 1;
        const std::string& partner = subject || several ? decision.other : decision.subject;
        if (!addDecision(section, decisionFact(report, decision, partner, several))) break;
    }
    return section;
}

FactSection nodeDecisionFacts(const Report& report, NodeId id)
{
    const Node& node = (*report.program.graph)[id];
    std::set<std::string_view> subjects {node.name};
    for (const ValueId output : node.outputs)
        if (output.valid()) subjects.insert((*report.program.graph)[output].name);
    FactSection section {QObject::tr("Decisions"), {}};
    for (const Decision& decision : report.decisions) {
        if (!subjects.contains(decision.subject)) continue;
        const bool output = decision.subject != node.name;
        if (!addDecision(section, decisionFact(report, decision, decision.other, output))) break;
    }
    return section;
}

} // namespace plimsoll::app
