#include "core/facts/about/asked.h"

namespace plimsoll {
namespace {

bool asksForTwo(const Constraint& one)
{
    return one.kind == ConstraintKind::Apart || one.kind == ConstraintKind::Together;
}

std::string_view wordFor(const Constraint& one)
{
    switch (one.kind) {
    case ConstraintKind::Pin:
        return "computed by";
    case ConstraintKind::Gradient:
        return one.other == "null" ? "frozen" : "its gradient";
    case ConstraintKind::Recompute:
        return "computed anew";
    case ConstraintKind::Apart:
        return "apart from";
    case ConstraintKind::Together:
        return "together with";
    case ConstraintKind::Place:
        return "at offset";
    }
    return {};
}

} // namespace

AskedWords askedWords(const Report& report, const Constraint& one)
{
    const std::string_view what = wordFor(one);
    if (one.kind == ConstraintKind::Place) return {what, cell::offset(report.program.constraints.places.at(one.of))};
    return {what, one.other == "null" || one.other.empty() ? cell::blank() : cell::text(one.other)};
}

FactSection askedSection(const Report& report, std::string_view name, bool node)
{
    FactSection section {"Asked of it", {}};
    for (const Constraint& one : listed(report.program.constraints)) {
        if ((one.kind == ConstraintKind::Pin) != node) continue;
        AskedWords words = askedWords(report, one);
        if (one.of == name)
            section.facts.push_back({std::string(words.what), std::move(words.other)});
        else if (asksForTwo(one) && one.other == name)
            section.facts.push_back({std::string(words.what), cell::text(one.of)});
    }
    return section;
}

std::vector<ValueId> valuesAskedFor(const Report& report)
{
    std::vector<ValueId> values;
    const auto add = [&](const std::string& name) {
        if (const ValueId id = findValue(*report.program.graph, name); id.valid()) values.push_back(id);
    };
    for (const Constraint& one : listed(report.program.constraints)) {
        if (one.kind == ConstraintKind::Place || asksForTwo(one)) add(one.of);
        if (asksForTwo(one)) add(one.other);
    }
    return values;
}

} // namespace plimsoll
