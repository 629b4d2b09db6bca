#include "app/window/commands/constraint_actions.h"

#include "app/models/window_text.h"
#include "app/session/workbench.h"
#include "app/window/commands/action_set.h"
#include "app/window/commands/edit_text.h"
#include "app/window/commands/move_dialog.h"
#include "app/window/commands/searches.h"

#include <QAction>

#include <algorithm>
#include <set>
#include <span>

namespace plimsoll::app {
namespace {

const Graph& graphOf(const Workbench& bench)
{
    return *bench.session.report()->program.graph;
}

/// The value that is picked, or the first of the storage; invalid: none that lies in an arena.
ValueId placedValue(const Workbench& bench)
{
    const auto report = bench.session.report();
    const Focus& focus = bench.selection.focus();
    ValueId value = focus.value;
    if (!value.valid() && focus.storage.valid()) {
        const auto& tenants = report->program.storages[focus.storage.index()].values;
        if (!tenants.empty()) value = tenants.front();
    }
    return value.valid() && report->program.map.values[value.index()].placed() ? value : ValueId();
}

/// The node that is picked, or that makes the value.
NodeId pickedNode(const Workbench& bench)
{
    const Focus& focus = bench.selection.focus();
    return focus.value.valid() ? graphOf(bench)[focus.value].producer : focus.node;
}

std::span<const Implementation> offersFor(const Report& report, NodeId node)
{
    if (!node.valid() || !report.planning.catalogue) return {};
    const auto& all = report.planning.catalogue->offers;
    const auto found = all.find((*report.program.graph)[node].name);
    return found == all.end() ? std::span<const Implementation>() : found->second;
}

bool isVariable(const Workbench& bench, ValueId value)
{
    return bench.session.graph()->loss.valid() && value.valid() && graphOf(bench)[value].requiresGrad;
}

bool isKept(const Report& report, ValueId value)
{
    return value.valid() && std::ranges::any_of(report.training.saved,
                                                [&](const SavedReport& one) { return one.tensor.value == value; });
}

/// What is asked of the thing that is picked, as one of two too.
std::vector<Constraint> askedOf(const Workbench& bench)
{
    const ValueId placed = placedValue(bench);
    const ValueId value = placed.valid() ? placed : bench.selection.focus().value;
    const NodeId node = pickedNode(bench);
    const std::string name = value.valid() ? graphOf(bench)[value].name : std::string();
    std::vector<Constraint> all = listed(bench.session.choices().constraints);
    std::erase_if(all, [&](const Constraint& one) {
        if (one.kind == ConstraintKind::Pin) return !node.valid() || graphOf(bench)[node].name != one.of;
        const bool two = one.kind == ConstraintKind::Apart || one.kind == ConstraintKind::Together;
        return name.empty() || (one.of != name && !(two && one.other == name));
    });
    return all;
}

void change(Workbench& bench, const std::function<void(Constraints&)>& edit, const QString& what)
{
    Choices choices = bench.session.choices();
    edit(choices.constraints);
    choices.givenPlan.reset();
    bench.session.setChoices(std::move(choices), what);
}

void askFor(Workbench& bench, const Constraint& one)
{
    change(
        bench, [&](Constraints& all) { (void)ask(all, one); }, constraintText(one));
}

/// Asks for it with the value that is chosen from those of the same arena.
void askForTwo(Workbench& bench, Finder& finder, ConstraintKind kind, const QString& prompt)
{
    const auto report = bench.session.report();
    const ValueId value = placedValue(bench);
    const std::string name = graphOf(bench)[value].name;
    finder.open(prompt, searchOthers(report, value, report->program.map.values[value.index()].arena,
                                     [&bench, report, kind, name](ValueId other) {
                                         askFor(bench, {kind, name, (*report->program.graph)[other].name});
                                     }));
}

/// "6.2 µs · scratchpad 64 KiB", as far as it is known.
QString offerPrice(const Implementation& offer)
{
    QStringList parts;
    if (offer.timeMs >= 0) parts << durationText(offer.timeMs / 1e3);
    if (offer.scratchpadBytes > 0) parts << QObject::tr("scratchpad %1").arg(sizeText(offer.scratchpadBytes));
    return parts.join(QStringLiteral(" · "));
}

void askForImplementation(Workbench& bench, Finder& finder)
{
    const auto report = bench.session.report();
    const NodeId node = pickedNode(bench);
    finder.open(QObject::tr("By which implementation"), [&bench, report, node](const QString& typed) {
        const std::string name = (*report->program.graph)[node].name;
        const Implementation& taken = report->program.implementations[node];
        std::vector<FinderItem> items;
        std::set<std::string> listed; // offers of one name, in other layouts, are asked for alike
        const auto add = [&](const Implementation& offer, bool now) {
            const std::string pin = pinOf(offer);
            if (fuzzyScore(typed, toQString(pin)) < 0 || !listed.insert(pin).second) return;
            QString says = offerPrice(offer);
            if (now) says = says.isEmpty() ? QObject::tr("taken now") : QObject::tr("%1 · taken now").arg(says);
            items.push_back({toQString(pin), says, [&bench, name, pin] {
                                 askFor(bench, {ConstraintKind::Pin, name, pin});
                             }});
        };
        add(taken, true);
        for (const Implementation& one : offersFor(*report, node))
            add(one, false);
        add(Implementation(), false); // plain loops compute every node
        return items;
    });
}

} // namespace

void connectConstraints(Workbench& bench, const ActionSet& actions, Finder& finder, QWidget* window)
{
    const auto nameOf = [&bench](ValueId value) { return graphOf(bench)[value].name; };
    actions.on("ask.here", window, [&bench, nameOf] {
        const ValueId value = placedValue(bench);
        const std::int64_t offset = bench.session.report()->program.map.values[value.index()].offset;
        askFor(bench, {ConstraintKind::Place, nameOf(value), std::to_string(offset)});
    });
    actions.on("ask.place", window, [&bench, nameOf, window] {
        const auto report = bench.session.report(); // another may come while the dialog stands
        const ValueId value = placedValue(bench);
        const auto offset = askForOffset(window, *report, Focus::on(value), OffsetUse::Keep);
        if (offset && report == bench.session.report())
            askFor(bench, {ConstraintKind::Place, nameOf(value), std::to_string(*offset)});
    });
    actions.on("ask.apart", window, [&bench, &finder] {
        askForTwo(bench, finder, ConstraintKind::Apart, QObject::tr("Apart from which value"));
    });
    actions.on("ask.together", window, [&bench, &finder] {
        askForTwo(bench, finder, ConstraintKind::Together, QObject::tr("Together with which value"));
    });
    actions.on("ask.implementation", window, [&bench, &finder] { askForImplementation(bench, finder); });
    actions.on("ask.freeze", window, [&bench, nameOf] {
        askFor(bench, {ConstraintKind::Gradient, nameOf(bench.selection.focus().value), "null"});
    });
    actions.on("ask.recompute", window, [&bench, nameOf] {
        askFor(bench, {ConstraintKind::Recompute, nameOf(bench.selection.focus().value)});
    });
    actions.on("ask.nothing", window, [&bench] {
        const std::vector<Constraint> asked = askedOf(bench);
        const QString what = QObject::tr("Nothing is asked of %1").arg(toQString(asked.front().of));
        change(
            bench,
            [&](Constraints& all) {
                for (const Constraint& one : asked)
                    takeBack(all, one);
            },
            what);
    });
}

void refreshConstraints(const Workbench& bench, const ActionSet& actions, bool open)
{
    const auto report = bench.session.report();
    const Focus& focus = bench.selection.focus();
    const bool lies = open && report && placedValue(bench).valid();
    actions.setEnabled({"ask.here", "ask.place", "ask.apart", "ask.together"}, lies);
    const bool offered = open && report && !offersFor(*report, pickedNode(bench)).empty();
    actions.at("ask.implementation")->setEnabled(offered);
    actions.at("ask.freeze")->setEnabled(open && report && isVariable(bench, focus.value));
    actions.at("ask.recompute")->setEnabled(open && report && isKept(*report, focus.value));
    actions.at("ask.nothing")->setEnabled(open && report && !askedOf(bench).empty());
}

} // namespace plimsoll::app
