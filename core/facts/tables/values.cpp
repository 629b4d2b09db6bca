#include "core/facts/tables.h"
#include "core/facts/words/names.h"
#include "core/facts/words/strided_view.h"
#include "core/graph/value_strides.h"

namespace plimsoll {
namespace {

using enum ColumnInfo::Kind;

const Value& valueOf(const Report& report, ValueId id)
{
    return (*report.program.graph)[id];
}

const TensorType& typeOf(const Report& report, ValueId id)
{
    return valueOf(report, id).type;
}

const PlannedValue& plannedOf(const Report& report, ValueId id)
{
    return report.program.values[id.index()];
}

const Storage* storageOf(const Report& report, ValueId id)
{
    const StorageId storage = plannedOf(report, id).storage;
    return storage.valid() ? &report.program.storages[storage.index()] : nullptr;
}

bool isPlaced(const Report& report, const ValueId& id)
{
    const Storage* storage = storageOf(report, id);
    return storage && storage->arena.valid() && storage->arena.index() < report.program.map.arenas.size();
}

std::vector<ValueId> valuesOf(const Plans& plans)
{
    return idsOf<ValueId>(std::min(plans.report.program.values.size(), plans.report.program.graph->values.size()));
}

Cell producerCell(const Report& report, const ValueId& id)
{
    return cell::node(report, valueOf(report, id).producer);
}

std::string shapeText(const TensorType& type)
{
    const std::string text = describe(type);
    const auto bracket = text.find('[');
    return bracket == std::string::npos ? std::string() : text.substr(bracket);
}

} // namespace

const FactTable& valuesTable()
{
    static const FactTable table = factTable<ValueId>(
        {.id = "values", .title = "Values", .empty = "There are no values.", .sortedBy = 5},
        {.rows = valuesOf, .focus = [](const Report&, const ValueId& id) { return Focus::on(id); }, .leads = isPlaced},
        {{{"Value", "A tensor that is produced once", Long, 36},
          [](const Report& report, const ValueId& id) { return cell::value(report, id); }},
         {{"Type", "Element type and shape", Words, 20},
          [](const Report& report, const ValueId& id) { return cell::text(describe(valueOf(report, id).type)); }},
         {{"Role", "What it is to the graph", Words, 13},
          [](const Report& report, const ValueId& id) { return cell::word(roleOf(report, id)); }},
         {{"Storage", "The block of bytes it lies in", Number, 6},
          [](const Report& report, const ValueId& id) {
              const bool fused = report.program.graph->decided[id].fusedInto.valid();
              return (fused ? cell::word("fused").sortedBy(-1) : cell::storage(plannedOf(report, id).storage))
                  .withTip(whereText(report, id));
          }},
         {{"Logical", "Bytes of a tensor of that type", Number, 9},
          [](const Report& report, const ValueId& id) { return cell::bytes(plannedOf(report, id).logicalBytes); }},
         {{"Required", "Bytes that the implementation asks for", Number, 9},
          [](const Report& report, const ValueId& id) {
              const PlannedValue& planned = plannedOf(report, id);
              const bool bounded = isBounded(planned);
              return cell::bytes(planned.requiredBytes)
                  .withTip(std::string(spoken(bounded ? "at most: the run knows the size" : "")));
          }},
         {{"Offset", "From the start of its arena", Number, 10},
          [](const Report& report, const ValueId& id) {
              return isPlaced(report, id) ? cell::offset(plannedOf(report, id).offset)
                                          : cell::blank().withTip(whereText(report, id));
          }},
         {{"Steps", "When its bytes matter", Number, 12},
          [](const Report& report, const ValueId& id) { return cell::steps(plannedOf(report, id).live); }},
         {{"Shares", "How it came to share its storage", Words, 9},
          [](const Report& report, const ValueId& id) { return cell::word(sharedAsName(plannedOf(report, id))); }},
         {{"Written by", "The node that produces it", Long, 20}, producerCell},
         {{"Layout", "How its elements lie; plain is row-major", Words, 9},
          [](const Report& report, const ValueId& id) {
              const std::string_view layout = layoutOf(*report.program.graph, report.program.implementations, id);
              if (layout != PlainLayout) return cell::text(layout);
              const Message strides = stridesText((*report.program.graph)[id]);
              return strides.empty() ? cell::text("").withTip(std::string(spoken("plain"))) : cell::sentence(strides);
          }},
         {{"Source", "Where the model was written, as far as the file tells", Long, 18},
          [](const Report& report, const ValueId& id) { return cell::source(report, id); }}});
    return table;
}

const FactTable& valuesFile()
{
    static const FactTable table = factTable<ValueId>(
        {.id = "values-file", .title = "Values"}, {.rows = valuesOf},
        {{{"name"}, [](const Report& report, const ValueId& id) { return cell::value(report, id); }},
         {{"role"},
          [](const Report& report, const ValueId& id) { return cell::text(roleName(valueOf(report, id).role)); }},
         {{"dtype"},
          [](const Report& report, const ValueId& id) { return cell::text(dtypeName(typeOf(report, id).dtype)); }},
         {{"shape"}, [](const Report& report, const ValueId& id) { return cell::text(shapeText(typeOf(report, id))); }},
         {{"producer"}, producerCell},
         {{"storage"},
          [](const Report& report, const ValueId& id) {
              const StorageId storage = plannedOf(report, id).storage;
              return storage.valid() ? cell::count(storage.index()) : cell::blank();
          }},
         {{"arena"},
          [](const Report& report, const ValueId& id) {
              return isPlaced(report, id) ? cell::count(storageOf(report, id)->arena.index()) : cell::blank();
          }},
         {{"space"},
          [](const Report& report, const ValueId& id) {
              return isPlaced(report, id) ? cell::space(report, storageOf(report, id)->arena)
                                          : cell::text(valueOf(report, id).at->space);
          }},
         {{"offset"},
          [](const Report& report, const ValueId& id) {
              return isPlaced(report, id) ? cell::offset(plannedOf(report, id).offset) : cell::blank();
          }},
         {{"logicalBytes"},
          [](const Report& report, const ValueId& id) { return cell::bytes(plannedOf(report, id).logicalBytes); }},
         {{"requiredBytes"},
          [](const Report& report, const ValueId& id) { return cell::bytes(plannedOf(report, id).requiredBytes); }},
         {{"firstStep"},
          [](const Report& report, const ValueId& id) {
              return cell::offset(plannedOf(report, id).live.hull().begin);
          }},
         {{"endStep"},
          [](const Report& report, const ValueId& id) { return cell::offset(plannedOf(report, id).live.hull().end); }},
         {{"liveSteps"},
          [](const Report& report, const ValueId& id) { return cell::steps(plannedOf(report, id).live); }},
         {{"visible"},
          [](const Report& report, const ValueId& id) {
              return cell::text(plannedOf(report, id).visible ? "yes" : "no");
          }},
         {{"sharedAs"},
          [](const Report& report, const ValueId& id) { return cell::text(sharedAsName(plannedOf(report, id))); }},
         {{"strides"},
          [](const Report& report, const ValueId& id) {
              const auto view = stridedView((*report.program.graph)[id]);
              return cell::text(view ? describe(view->strides) : std::string());
          }},
         {{"spanBytes"},
          [](const Report& report, const ValueId& id) {
              const auto view = stridedView((*report.program.graph)[id]);
              return view ? cell::bytes(view->spanBytes) : cell::blank();
          }},
         {{"source"}, [](const Report& report, const ValueId& id) { return cell::source(report, id); }}});
    return table;
}

} // namespace plimsoll
