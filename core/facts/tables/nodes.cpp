#include "core/facts/offers.h"
#include "core/facts/tables.h"
#include "core/facts/words/attribute_text.h"
#include "core/facts/words/stream_text.h"
#include "core/plan/implementation.h"

#include <algorithm>
#include <map>

namespace plimsoll {
namespace {

using enum ColumnInfo::Kind;

const Node& nodeOf(const Report& report, NodeId id)
{
    return (*report.program.graph)[id];
}

const Implementation& chosenFor(const Report& report, NodeId id)
{
    return report.program.implementations[id];
}

Interval stepsOf(const Report& report, NodeId id)
{
    return id.index() < report.program.schedule.nodes.size() ? report.program.schedule.nodes[id.index()] : Interval();
}

/// What is picked, or what runs at the step. An owner of nested graphs spans their steps; a node that is computed ahead
/// has none.
NodeId nodeAt(const Report& report, const Focus& focus)
{
    const bool picked = focus.node.valid() && focus.node.index() < report.program.graph->nodes.size();
    if (picked) {
        const Interval steps = stepsOf(report, focus.node);
        if (steps.empty() || steps.contains(focus.step)) return focus.node;
    }
    if (focus.step >= 0 && focus.step < report.program.schedule.length())
        return report.program.schedule.steps[static_cast<std::size_t>(focus.step)].node;
    return picked ? focus.node : NodeId();
}

/// Empty on one stream, and for what is computed ahead.
Cell streamCell(const Report& report, const NodeId& id)
{
    if (!report.program.streams.several() || stepsOf(report, id).empty()) return cell::blank();
    const auto nameOf = [&](NodeId other) { return nodeOf(report, other).name; };
    const word::List others = allOf(waitsFor(report, id), nameOf, word::List::Joint::Comma);
    return cell::count(static_cast<std::size_t>(report.program.streams.of(id)))
        .withTip(others.items.empty() ? std::string() : english(say("streams.waits-for", others)));
}

/// All nodes that one implementation computes.
struct InUse
{
    NodeId first;
    std::size_t nodes = 0;
    std::int64_t mostScratchpad = 0;
};

std::vector<InUse> implementationsOf(const Plans& plans)
{
    std::map<std::pair<std::string, std::string>, InUse> found;
    for (const NodeId id : idsOf<NodeId>(plans.report.program.graph->nodes.size())) {
        if (stepsOf(plans.report, id).empty() || plans.report.program.graph->decided[id].fusedInto.valid()) continue;
        const Implementation& chosen = chosenFor(plans.report, id);
        InUse& use = found[{chosen.backend, chosen.name}];
        if (!use.first.valid()) use.first = id;
        ++use.nodes;
        use.mostScratchpad = std::max(use.mostScratchpad, chosen.scratchpadBytes);
    }
    std::vector<InUse> rows;
    for (const auto& [name, use] : found)
        rows.push_back(use);
    return rows;
}

} // namespace

const FactTable& nodesTable()
{
    static const FactTable table = factTable<NodeId>(
        {.id = "nodes", .title = "Nodes", .empty = "The graph has no nodes.", .sortedBy = 0, .rising = true},
        {.rows = [](const Plans& plans) { return idsOf<NodeId>(plans.report.program.graph->nodes.size()); },
         .focus = [](const Report& report, const NodeId& id) { return cell::node(report, id).link; },
         .shows = [](const Report& report, const NodeId& id,
                     const Focus& focus) { return nodeAt(report, focus) == id; },
         .leads = [](const Report& report, const NodeId& id) { return !stepsOf(report, id).empty(); }},
        {{{"Step", "Position in the schedule", Number, 6},
          [](const Report& report, const NodeId& id) {
              const Interval steps = stepsOf(report, id);
              return steps.empty() ? cell::word("ahead").sortedBy(-1).withTip(
                                         std::string(spoken("computed once, before the run")))
                                   : cell::count(static_cast<std::size_t>(steps.begin));
          }},
         {{"Stream", "Where it runs, if the plan has several streams; what it waits for is in its tip", Number, 7},
          streamCell},
         {{"Node", "Name; of a nested graph by its path", Long, 24},
          [](const Report& report, const NodeId& id) { return cell::node(report, id); }},
         {{"Operator", "With its domain where it is not ONNX's own", Words, 18},
          [](const Report& report, const NodeId& id) { return cell::text(qualifiedOp(nodeOf(report, id))); }},
         {{"Backend", "Whose implementation was chosen", Words, 10},
          [](const Report& report, const NodeId& id) { return cell::text(chosenFor(report, id).backend); }},
         {{"Implementation", "As the library names it", Words, 18},
          [](const Report& report, const NodeId& id) {
              const NodeId host = report.program.graph->decided[id].fusedInto;
              return host.valid()
                         ? cell::sentence(say("offer.in", nodeOf(report, host).name))
                               .withTip(std::string(spoken("another node computes it along with its own operator")))
                         : cell::text(chosenFor(report, id).name);
          }},
         {{"Scratchpad", "Temporary bytes at its step", Number, 9},
          [](const Report& report, const NodeId& id) {
              return cell::bytesOrBlank(chosenFor(report, id).scratchpadBytes);
          }},
         {{"Live bytes", "Planned bytes that matter at its step", Number, 10},
          [](const Report& report, const NodeId& id) {
              const auto step = static_cast<std::size_t>(stepsOf(report, id).begin);
              const bool runs = !stepsOf(report, id).empty() && step < report.memory.liveBytes.size();
              return runs ? cell::bytes(report.memory.liveBytes[step]) : cell::blank();
          }},
         {{"Time", "What the run took for it", Number, 9},
          [](const Report& report, const NodeId& id) {
              const auto ms = report.run ? measuredMs(report.program, *report.run, id) : std::nullopt;
              return ms ? cell::seconds(*ms / 1e3) : cell::blank();
          }},
         {{"Attributes", "As the file gives them, long ones cut", Long, 18},
          [](const Report& report, const NodeId& id) {
              return cell::text(attributesText(nodeOf(report, id).attributes));
          }},
         {{"Source", "Where the model was written, as far as the file tells", Long, 18},
          [](const Report& report, const NodeId& id) { return cell::source(report, id); }}});
    return table;
}

const FactTable& offersTable()
{
    static const FactTable table = factTable<OfferReport>(
        {.id = "backends", .title = "Backends", .empty = "Nothing is on offer beside the reference."},
        {.rows = [](const Plans& plans) { return listOffers(plans.report); },
         .focus = [](const Report&, const OfferReport& row) { return Focus::on(row.node); },
         .shows = [](const Report&, const OfferReport& row,
                     const Focus& focus) { return row.taken && focus.node == row.node; }},
        {{{"Node", "Which node it could compute", Words, 18},
          [](const Report& report, const OfferReport& row) {
              return cell::node(report, row.node).sortedBy(row.node.number());
          }},
         {{"Taken", "Which of the offers was taken", Words, 6},
          [](const Report&, const OfferReport& row) {
              return cell::word(row.taken ? "taken" : "").sortedBy(row.taken ? 1 : 0);
          }},
         {{"Backend", "Whose offer it is", Words, 9},
          [](const Report&, const OfferReport& row) { return cell::text(row.offer.backend); }},
         {{"Implementation", "As the library names it", Words, 20},
          [](const Report&, const OfferReport& row) { return cell::text(row.offer.name); }},
         {{"Layouts", "In which it reads its inputs and leaves its outputs", Words, 24},
          [](const Report&, const OfferReport& row) { return cell::text(layoutsText(row.offer)); }},
         {{"Fuses", "Nodes that it computes along with this one", Words, 14},
          [](const Report&, const OfferReport& row) {
              if (row.offer.fuses.empty()) return cell::blank();
              const auto named = [](const std::string& node) { return word::Name {node}; };
              return cell::sentence(say("text", allOf(row.offer.fuses, named, word::List::Joint::Comma)));
          }},
         {{"Sparse", "native: as its sparse tensors are kept; fallback: through dense temporaries", Words, 9},
          [](const Report&, const OfferReport& row) { return cell::text(sparseDispatchName(row.dispatch)); }},
         {{"Output", "Bytes that its outputs take", Number, 9},
          [](const Report&, const OfferReport& row) { return cell::bytesOrBlank(row.outputBytes); }},
         {{"Prepared", "Bytes of weights in its layout, made once ahead of the run", Number, 9},
          [](const Report&, const OfferReport& row) {
              std::int64_t bytes = 0;
              for (const Implementation::Prepared& weight : row.offer.prepared)
                  bytes += weight.bytes;
              return cell::bytesOrBlank(bytes);
          }},
         {{"Scratchpad", "Temporary bytes at its step", Number, 9},
          [](const Report&, const OfferReport& row) { return cell::bytesOrBlank(row.offer.scratchpadBytes); }},
         {{"In place", "Output over input, by position", Words, 12},
          [](const Report&, const OfferReport& row) {
              if (!row.offer.inPlaceKnown) return cell::word("as declared");
              if (row.offer.inPlace.empty()) return cell::word("never");
              const auto over = [](const Implementation::InPlacePair& pair) {
                  return say("offer.over", word::Number {pair.output}, word::Number {pair.input});
              };
              return cell::sentence(say("text", allOf(row.offer.inPlace, over, word::List::Joint::Comma)));
          }},
         {{"Time", "Of the node alone", Number, 10},
          [](const Report&, const OfferReport& row) {
              return row.offer.timeMs < 0 ? cell::blank().withTip(std::string(spoken("not known")))
                                          : cell::seconds(row.offer.timeMs / 1e3).withTip(row.offer.provenance);
          }},
         {{"Why", "Why it was taken or left", Long, 30},
          [](const Report&, const OfferReport& row) { return cell::sentence(row.why); }}});
    return table;
}

const FactTable& implementationsTable()
{
    static const FactTable table = factTable<InUse>(
        {.id = "implementations", .title = "Implementations in use", .empty = "Nothing runs.", .sortedBy = 2},
        {.rows = implementationsOf,
         .focus = [](const Report& report, const InUse& use) { return cell::node(report, use.first).link; }},
        {{{"Backend", "Whose implementation it is", Words, 10},
          [](const Report& report, const InUse& use) { return cell::text(chosenFor(report, use.first).backend); }},
         {{"Implementation", "As the library names it", Long, 24},
          [](const Report& report, const InUse& use) { return cell::text(chosenFor(report, use.first).name); }},
         {{"Nodes", "So many it computes", Number, 8},
          [](const Report&, const InUse& use) { return cell::count(use.nodes); }},
         {{"Scratchpad", "The most temporary bytes at one step", Number, 10},
          [](const Report&, const InUse& use) { return cell::bytesOrBlank(use.mostScratchpad); }},
         {{"First node", "The first that it computes", Long, 24},
          [](const Report& report, const InUse& use) { return cell::node(report, use.first); }}});
    return table;
}

} // namespace plimsoll
