// What is told of bytes that are pointed at.
#include "core/base/interval_list.h"
#include "core/facts/about/about_rows.h"
#include "core/facts/about/byte_uses.h"
#include "core/facts/stream_waits.h"
#include "core/facts/words/area_text.h"
#include "core/facts/words/names.h"
#include "core/facts/words/number_text.h"
#include "core/facts/words/pair_reason.h"

#include <algorithm>

namespace plimsoll {
namespace {

/// Of more, why each two may lie there is not told: the pairs grow with the square.
constexpr std::size_t MostCompared = 1000;

/// "relu1, s3, in-place, bytes [0x0, 0x40)"; the bytes where it leaves out some of the area.
Cell tenantCell(const Report& report, const Tenant& tenant, Interval area, NumberForm form)
{
    Cell cell = cell::storage(tenant.storage);
    if (tenant.value.valid()) {
        cell = cell::value(report, tenant.value);
        cell.text += ", " + storageText(tenant.storage);
        const std::string_view how = sharedAsName(report.program.values[tenant.value.index()]);
        if (!how.empty()) cell.text += ", " + std::string(spoken(how));
    } else {
        const bool scratch = report.program.storages[tenant.storage.index()].scratchOf.valid();
        cell.text = scratch ? storageTitle(report, tenant.storage) + ", " + cell.text
                            : english(say("about.padding-of", cell.text));
    }
    if (intersection(tenant.bytes, area) != area)
        cell.text = english(say("about.some-bytes", cell.text, addressText(tenant.bytes, form)));
    return cell;
}

FactSection sums(const Report& report, const PlanArea& area, const std::vector<Tenant>& tenants, NumberForm form)
{
    FactSection section {"These bytes",
                         {{"Arena", cell::space(report, area.arena)}, {"Bytes", rangeCell(area.bytes, form)}}};
    if (!area.steps.empty()) section.facts.push_back({"Steps", cell::steps(LiveRanges(area.steps))});
    for (const ReservedBytes& reserved : report.program.map.arenas[area.arena.index()].reserved) {
        if (overlaps(reserved.bytes, area.bytes)) section.facts.push_back({"Reserved", cell::text(reserved.why)});
    }
    if (area.bytes.length() == 1) return section;
    const AreaSums sums = sumsOf(report, area);
    section.facts.push_back({"Together", cell::bytes(area.bytes.length())});
    section.facts.push_back({"Alive at most", cell::bytes(sums.mostBytes)});
    if (sums.mostStep >= 0) section.facts.back().cell.link = Focus::atStep(sums.mostStep);
    section.facts.push_back({"Never used", cell::bytes(area.bytes.length() - sums.usedBytes)});
    const auto values = std::ranges::count_if(tenants, [](const Tenant& tenant) { return tenant.value.valid(); });
    section.facts.push_back({"Values inside", cell::count(static_cast<std::size_t>(values))});
    return section;
}

/// Takes \p bytes out of what is open; false where they are not in it.
bool takeOut(std::vector<Interval>& open, Interval bytes)
{
    if (std::ranges::none_of(open, [&](Interval range) { return overlaps(range, bytes); })) return false;
    open = without(open, bytes);
    return true;
}

/// Once, also of a node that touches the bytes through several values.
void addUse(const Report& report, const char* name, const ByteUse& use, FactSection& section)
{
    const auto same = [&](const Fact& fact) { return fact.name == name && fact.cell.link.node == use.node; };
    if (std::ranges::none_of(section.facts, same)) section.facts.push_back(nodeFact(report, name, use.node));
}

/// The last writers of the bytes, up to the step.
void addLastWriters(const Report& report, const PlanArea& area, std::int64_t step, const std::vector<ByteUse>& uses,
                    FactSection& section)
{
    std::vector<Interval> open {area.bytes};
    const std::size_t before = section.facts.size();
    for (auto use = uses.rbegin(); use != uses.rend() && !open.empty(); ++use) {
        if (use->writes && use->step <= step && takeOut(open, use->bytes))
            addUse(report, "Last written by", *use, section);
    }
    if (section.facts.size() == before)
        section.facts.push_back({"Last written by", cell::sentence(say("about.not-written"))});
}

/// The readers of the bytes now, and the first behind the step, before they are written again.
void addNextReaders(const Report& report, const PlanArea& area, std::int64_t step, const std::vector<ByteUse>& uses,
                    bool visible, FactSection& section)
{
    std::vector<Interval> open {area.bytes};
    const std::size_t before = section.facts.size();
    NodeId over;
    for (const ByteUse& use : uses) {
        if (use.step == step && !use.writes) addUse(report, "Read now by", use, section);
        if (use.step <= step || !takeOut(open, use.bytes)) continue;
        if (!use.writes)
            addUse(report, "Next read by", use, section);
        else if (!over.valid())
            over = use.node;
    }
    if (section.facts.size() > before && section.facts.back().name == "Next read by") return;
    section.facts.push_back({"Next read by", cell::sentence(say("about.not-read"))});
    if (over.valid()) {
        Fact& fact = section.facts.back() = nodeFact(report, "Next read by", over);
        fact.cell.text = english(say("about.not-read-over", fact.cell.text));
    } else if (visible) {
        section.facts.back().cell = cell::sentence(say("about.not-read-caller"));
    }
}

/// Of the nodes that touch these bytes, and at least one of each two writes them.
std::vector<StreamEvent> missingAmong(const Report& report, const std::vector<ByteUse>& uses)
{
    std::vector<StreamEvent> needed;
    if (!report.program.streams.several() || uses.size() > MostCompared) return needed;
    for (std::size_t later = 0; later < uses.size(); ++later) {
        for (std::size_t i = 0; i < later; ++i) {
            const bool written = uses[i].writes || uses[later].writes;
            if (written && overlaps(uses[i].bytes, uses[later].bytes))
                needed.push_back({uses[i].node, uses[later].node});
        }
    }
    return missingEvents(report.program, std::move(needed));
}

FactSection whyTogether(const Report& report, const std::vector<Tenant>& tenants, Interval area, std::size_t most)
{
    FactSection section {"Why they may lie there", {}};
    if (tenants.size() > MostCompared) {
        section.facts.push_back({"…", cell::sentence(say("about.area-pairs", tenants.size()))});
        return section;
    }
    std::vector<std::pair<ValueId, ValueId>> pairs;
    std::vector<std::string> names;
    for (std::size_t later = 0; later < tenants.size(); ++later) {
        std::vector<Interval> open {area}; // whose tenant before is not known yet
        for (std::size_t i = later; i-- > 0;) {
            const Tenant& earlier = tenants[i];
            const Interval common = intersection(intersection(earlier.bytes, tenants[later].bytes), area);
            if (common.empty() || !earlier.value.valid() || !tenants[later].value.valid()) continue;
            const bool atOnce = overlaps(earlier.live, tenants[later].live);
            if (!takeOut(open, common) && !atOnce) continue;
            pairs.emplace_back(earlier.value, tenants[later].value);
            names.emplace_back(atOnce ? "At once" : "In turn");
        }
    }
    const std::size_t left = pairs.size() - std::min(most, pairs.size());
    pairs.resize(pairs.size() - left);
    const std::vector<Cell> reasons = whyOnSameBytes(report, pairs);
    for (std::size_t i = 0; i < pairs.size(); ++i)
        section.facts.push_back({names[i], reasons[i]});
    if (left > 0) section.facts.push_back({"…", cell::sentence(say("about.more", left))});
    return section;
}

} // namespace

FactSection bytesAtStep(const Report& report, const PlanArea& area, std::int64_t step, std::size_t most,
                        NumberForm form)
{
    const PlanArea now {area.arena, area.bytes, {step, step + 1}};
    const std::vector<Tenant> tenants = tenantsOf(report, now);
    const std::vector<ByteUse> uses = usesOf(report, {area.arena, area.bytes});
    FactSection section {english(say("about.at-step", areaText(report, {area.arena, area.bytes}, form), step)), {}};
    if (tenants.empty()) section.facts.push_back({"Hold", cell::sentence(say("about.free"))});
    addList(section, tenants, most, [&](const Tenant& tenant) {
        return Fact {"Hold", tenantCell(report, tenant, area.bytes, form)};
    });
    // What is in the bytes from here on, as long as nothing writes them.
    const Interval rest {step, std::max(step + 1, report.program.schedule.length())};
    const bool visible = std::ranges::any_of(tenantsOf(report, {area.arena, area.bytes, rest}), [&](const Tenant& one) {
        return one.value.valid() && report.program.values[one.value.index()].visible;
    });
    if (uses.empty()) return section; // of a table of buffers they are not known
    addLastWriters(report, area, step, uses, section);
    addNextReaders(report, area, step, uses, visible, section);
    std::vector<StreamEvent> missing = missingAmong(report, uses);
    std::erase_if(missing, [&](const StreamEvent& event) {
        return report.program.schedule.stepOf(event.signal) != step &&
               report.program.schedule.stepOf(event.waiter) != step;
    });
    addMissingWaits(report, missing, section);
    return section;
}

std::vector<FactSection> areaSections(const Report& report, const PlanArea& area, std::int64_t step, std::size_t most,
                                      NumberForm form)
{
    const std::vector<Tenant> tenants = tenantsOf(report, area);
    std::vector<FactSection> sections {sums(report, area, tenants, form)};
    if (step >= 0) sections.push_back(bytesAtStep(report, area, step, most, form));
    FactSection lie {"What lies there, in order of time", {}};
    addList(lie, tenants, most, [&](const Tenant& tenant) {
        return Fact {rangesText(tenant.live), tenantCell(report, tenant, area.bytes, form)};
    });
    sections.push_back(std::move(lie));
    sections.push_back(whyTogether(report, tenants, area.bytes, most));
    FactSection used {"What writes and reads there", {}};
    std::vector<ByteUse> uses = usesOf(report, area);
    const std::vector<StreamEvent> missing = missingAmong(report, uses);
    const auto same = [](const ByteUse& a, const ByteUse& b) { return a.node == b.node && a.writes == b.writes; };
    uses.erase(std::unique(uses.begin(), uses.end(), same), uses.end());
    addList(used, uses, most,
            [&](const ByteUse& use) { return nodeFact(report, use.writes ? "Written by" : "Read by", use.node); });
    addMissingWaits(report, missing, used);
    sections.push_back(std::move(used));
    return sections;
}

} // namespace plimsoll
