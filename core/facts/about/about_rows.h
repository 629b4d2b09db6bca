#pragma once

#include "core/base/plural.h"
#include "core/facts/about.h"

#include <algorithm>

namespace plimsoll {

// The sections of each kind of thing, for sectionsAbout.
[[nodiscard]] std::vector<FactSection> valueSections(const Report& report, ValueId value, std::size_t most,
                                                     NumberForm form);
[[nodiscard]] std::vector<FactSection> nodeSections(const Report& report, NodeId node, std::size_t most,
                                                    NumberForm form);
[[nodiscard]] std::vector<FactSection> storageSections(const Report& report, StorageId storage, std::size_t most);
[[nodiscard]] std::vector<FactSection> findingSections(const Report& report, std::size_t finding, std::size_t most,
                                                       NumberForm form);
[[nodiscard]] std::vector<FactSection> holeSections(const Report& report, std::size_t hole, NumberForm form);
/// \p step is the step cursor; -1: none.
[[nodiscard]] std::vector<FactSection> areaSections(const Report& report, const PlanArea& area, std::int64_t step,
                                                    std::size_t most, NumberForm form);
/// What the bytes hold at a step, who wrote that and who reads it next.
[[nodiscard]] FactSection bytesAtStep(const Report& report, const PlanArea& area, std::int64_t step, std::size_t most,
                                      NumberForm form);
[[nodiscard]] std::vector<FactSection> stepSections(const Report& report, std::int64_t step, std::size_t most,
                                                    NumberForm form);
[[nodiscard]] std::vector<FactSection> reportSections(const Report& report, std::size_t most, NumberForm form);

// Rows that several kinds show.
[[nodiscard]] Fact valueFact(const Report& report, std::string name, ValueId value);
[[nodiscard]] Fact nodeFact(const Report& report, std::string name, NodeId node);         ///< "act (Relu, step 1)"
[[nodiscard]] Fact storageFact(const Report& report, StorageId storage, NumberForm form); ///< "s3, cpu [0x0, 0x400)"
/// The size of a storage, and what lies in it.
[[nodiscard]] Fact contentFact(const Report& report, StorageId storage, NumberForm form);
/// The same, and why it is alive at the step: "s12  conv1 ('relu1' reads it at step 4)".
[[nodiscard]] Fact aliveFact(const Report& report, StorageId storage, std::int64_t step, NumberForm form);
/// "bytes [0, 64) of the arena", shown in hexadecimal digits where there is little room.
[[nodiscard]] Cell rangeCell(Interval bytes, NumberForm form);
/// A value that lies in a storage, named by its steps: "b, in-place".
[[nodiscard]] Fact tenantFact(const Report& report, ValueId value);
/// What one stream waits for until it may write over a storage, if it does.
void addWait(const Report& report, StorageId storage, FactSection& section);
/// The waits that are missing between nodes that touch the same bytes.
void addMissingWaits(const Report& report, const std::vector<StreamEvent>& events, FactSection& section);
/// Decisions that name one of them as subject or partner; each of several is named in its row.
[[nodiscard]] FactSection decisionSection(const Report& report, const std::vector<std::string>& names,
                                          std::size_t most);

/// So many of a list, then how many more there are.
template <typename List, typename Make>
void addList(FactSection& section, const List& list, std::size_t most, Make make)
{
    for (std::size_t i = 0; i < std::min(most, list.size()); ++i)
        section.facts.push_back(make(list[i]));
    if (list.size() > most) section.facts.push_back({"…", cell::sentence(say("about.more", list.size() - most))});
}

/// The findings that concern it.
template <typename Concerns>
[[nodiscard]] FactSection findingsSection(const Report& report, std::size_t most, Concerns concerns)
{
    FactSection section {"Findings", {}};
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < report.verdict.findings.size(); ++i) {
        if (concerns(report.verdict.findings[i])) found.push_back(i);
    }
    addList(section, found, most, [&](std::size_t i) {
        const Finding& finding = report.verdict.findings[i];
        const std::string rule(ruleId(finding.rule));
        return Fact {std::string(severityName(finding.severity)) + " " + rule,
                     cell::sentence(finding.message).leadingTo(Focus::onFinding(static_cast<std::int32_t>(i)))};
    });
    return section;
}

} // namespace plimsoll
