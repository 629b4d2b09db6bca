#include "core/facts/about/about_rows.h"
#include "core/facts/words/area_text.h"
#include "core/facts/words/kept_until.h"
#include "core/facts/words/names.h"
#include "core/facts/words/number_text.h"
#include "core/facts/words/stream_text.h"

#include <fmt/format.h>

#include <set>

namespace plimsoll {

Fact valueFact(const Report& report, std::string name, ValueId value)
{
    return {std::move(name), value.valid() ? cell::value(report, value) : cell::word("absent")};
}

Fact nodeFact(const Report& report, std::string name, NodeId id)
{
    Fact fact {std::move(name), cell::node(report, id)};
    const Interval steps = report.program.schedule.nodes[id.index()];
    const std::string& op = fact.cell.tip;
    const std::string& node = fact.cell.text;
    fact.cell.text = english(steps.empty()         ? say("about.node-ahead", node, op)
                             : steps.length() == 1 ? say("about.node", node, op, steps.begin)
                                                   : say("about.node-steps", node, op, steps.begin, steps.end - 1));
    return fact;
}

Cell rangeCell(Interval bytes, NumberForm form)
{
    return cell::text(addressText(bytes, form)).withTip(english(say("about.bytes-of-arena", rangeText(bytes))));
}

Fact storageFact(const Report& report, StorageId id, NumberForm form)
{
    const Storage& storage = report.program.storages[id.index()];
    std::string text = storageText(id) + ", " + whereText(report, storage);
    if (storage.arena.valid())
        text += " " + addressText(Interval {storage.offset, storage.offset + storage.bytes}, form);
    return {"Storage", cell::text(text).withTip(exactBytesText(storage.bytes)).leadingTo(Focus::on(id))};
}

Fact contentFact(const Report& report, StorageId id, NumberForm form)
{
    return {sizeText(report.program.storages[id.index()].bytes, form),
            cell::text(storageText(id) + "  " + storageTitle(report, id))
                .withTip(exactBytesText(report.program.storages[id.index()].bytes))
                .leadingTo(Focus::on(id))};
}

Fact aliveFact(const Report& report, StorageId id, std::int64_t step, NumberForm form)
{
    Fact fact = contentFact(report, id, form);
    if (const Message why = keptUntil(report, id, step); !why.empty()) fact.cell.text += " (" + english(why) + ")";
    return fact;
}

Fact tenantFact(const Report& report, ValueId value)
{
    const PlannedValue& planned = report.program.values[value.index()];
    Fact fact = valueFact(report, rangesText(planned.live), value);
    if (const std::string_view how = sharedAsName(planned); !how.empty())
        fact.cell.text += ", " + std::string(spoken(how));
    return fact;
}

void addWait(const Report& report, StorageId storage, FactSection& section)
{
    if (!report.program.streams.several()) return;
    const Message wait = waitSentence(report, storageWaits(report.program)[storage.index()]);
    if (!wait.empty()) section.facts.push_back({"Streams", cell::sentence(wait)});
}

void addMissingWaits(const Report& report, const std::vector<StreamEvent>& events, FactSection& section)
{
    for (const StreamEvent& event : events)
        section.facts.push_back(
            {"Missing wait", cell::sentence(missingWaitSentence(report, event)).leadingTo(Focus::on(event.waiter))});
}

namespace {

Message decided(const Decision& decision, const std::string& partner)
{
    const Message reason = decision.reason.empty() ? Message(decision.rule) : decision.reason;
    if (partner.empty()) return say(decision.accepted ? "decided.made" : "decided.refused", reason);
    return say(decision.accepted ? "decided.made-with" : "decided.refused-with", partner, reason);
}

bool isIn(const Report& report, const PlanArea& area)
{
    return area.valid() && area.arena.index() < report.program.map.arenas.size();
}

} // namespace

FactSection decisionSection(const Report& report, const std::vector<std::string>& names, std::size_t most)
{
    const std::set<std::string_view> wanted(names.begin(), names.end());
    std::vector<const Decision*> found;
    for (const Decision& decision : report.decisions) {
        if (wanted.contains(decision.subject) || wanted.contains(decision.other)) found.push_back(&decision);
    }
    FactSection section {"Decisions", {}};
    addList(section, found, most, [&](const Decision* decision) {
        const bool several = names.size() > 1;
        const std::string& partner =
            several || wanted.contains(decision->subject) ? decision->other : decision->subject;
        return Fact {std::string(decisionKindId(decision->kind)),
                     cell::sentence(several ? say("decided.of", decision->subject, decided(*decision, partner))
                                            : decided(*decision, partner))
                         .withTip(english(say("decided.rule", decision->rule, exactBytesText(decision->bytes))))
                         .leadingTo(Focus::on(findValue(*report.program.graph, partner)))};
    });
    return section;
}

std::vector<FactSection> sectionsAbout(const Report& report, const Focus& focus, std::size_t most, NumberForm form)
{
    std::vector<FactSection> sections;
    if (focus.finding >= 0 && static_cast<std::size_t>(focus.finding) < report.verdict.findings.size())
        sections = findingSections(report, static_cast<std::size_t>(focus.finding), most, form);
    else if (focus.value.valid() && focus.value.index() < report.program.values.size())
        sections = valueSections(report, focus.value, most, form);
    else if (focus.storage.valid() && focus.storage.index() < report.program.storages.size())
        sections = storageSections(report, focus.storage, most);
    else if (focus.node.valid() && focus.node.index() < report.program.graph->nodes.size())
        sections = nodeSections(report, focus.node, most, form);
    else if (focus.hole >= 0)
        sections = holeSections(report, static_cast<std::size_t>(focus.hole), form);
    else if (isIn(report, focus.area))
        sections = areaSections(report, focus.area, focus.step, most, form);
    else if (focus.step >= 0 && focus.step < report.program.schedule.length())
        sections = stepSections(report, focus.step, most, form);
    else
        sections = reportSections(report, most, form);
    if (focus.onThing() && isIn(report, focus.area) && focus.step >= 0) {
        FactSection pointed = bytesAtStep(report, focus.area, focus.step, most, form);
        pointed.facts.push_back(
            {"At all steps",
             cell::text(areaText(report, focus.area, form)).leadingTo({.area = focus.area, .step = focus.step})});
        sections.insert(sections.begin(), std::move(pointed));
    }
    std::erase_if(sections, [](const FactSection& section) { return section.facts.empty(); });
    return sections;
}

std::string_view focusKind(const Focus& focus)
{
    if (focus.finding >= 0) return "finding";
    if (focus.value.valid()) return "value";
    if (focus.storage.valid()) return "storage";
    if (focus.node.valid()) return "node";
    if (focus.hole >= 0) return "hole";
    if (focus.area.valid()) return "bytes";
    return focus.step >= 0 ? "step" : "graph";
}

std::string focusTitle(const Report& report, const Focus& focus, NumberForm form)
{
    if (focus.finding >= 0 && static_cast<std::size_t>(focus.finding) < report.verdict.findings.size())
        return std::string(ruleId(report.verdict.findings[static_cast<std::size_t>(focus.finding)].rule));
    if (focus.value.valid()) return (*report.program.graph)[focus.value].name;
    if (focus.storage.valid()) return storageText(focus.storage);
    if (focus.node.valid()) return (*report.program.graph)[focus.node].name;
    if (focus.hole >= 0) return countText(static_cast<std::size_t>(focus.hole) + 1);
    if (isIn(report, focus.area)) return areaText(report, focus.area, form);
    if (focus.step >= 0) return countText(static_cast<std::size_t>(focus.step));
    return report.program.graph->name;
}

std::string sectionsText(std::string_view heading, const std::vector<FactSection>& sections,
                         std::string (*render)(const Cell&))
{
    std::string text(heading);
    text += "\n";
    for (const FactSection& section : sections) {
        text += fmt::format("\n{}\n", spoken(section.title));
        for (const Fact& fact : section.facts)
            text += fmt::format("  {}: {}\n", spoken(fact.name), render(fact.cell));
    }
    return text;
}

} // namespace plimsoll
