#include "core/facts/tables.h"
#include "core/facts/words/gradient_rows.h"
#include "core/facts/words/names.h"

namespace plimsoll {

using enum ColumnInfo::Kind;

const FactTable& savedTable()
{
    static const FactTable table = factTable<SavedReport>(
        {.id = "saved", .title = "Saved tensors", .empty = "Nothing is kept for a backward graph.", .sortedBy = 1},
        {.rows = [](const Plans& plans) { return plans.report.training.saved; },
         .focus = [](const Report&, const SavedReport& row) { return Focus::on(row.tensor.value); },
         .leads = [](const Report&, const SavedReport& row) { return row.bytes > 0; }},
        {{{"Tensor", "What is kept from forward to backward", Long, 24},
          [](const Report& report, const SavedReport& row) { return cell::value(report, row.tensor.value); }},
         {{"Bytes", "Of its own; 0 for what the caller holds anyway", Number, 9},
          [](const Report&, const SavedReport& row) { return cell::bytes(row.bytes); }},
         {{"Held", "Of all that it is a part of", Number, 9},
          [](const Report&, const SavedReport& row) { return cell::bytes(row.heldBytes); }},
         {{"Saved by", "The node whose derivative names it", Words, 16},
          [](const Report& report, const SavedReport& row) { return cell::node(report, row.tensor.savedBy); }},
         {{"Read by", "The backward node", Words, 18},
          [](const Report& report, const SavedReport& row) { return cell::node(report, row.tensor.readBy); }},
         {{"Needed for", "Whose gradients read it", Words, 16},
          [](const Report& report, const SavedReport& row) {
              const auto& wanted = row.tensor.neededFor;
              return cell::sentence(wanted.empty() ? say("nothing")
                                                   : joinedNames(*report.program.graph, wanted, wanted.size()));
          }},
         {{"Reason", "Why it is kept", Long, 20},
          [](const Report&, const SavedReport& row) { return cell::word(savingReasonId(row.tensor.reason)); }},
         {{"Donation", "May backward write over it", Words, 12},
          [](const Report&, const SavedReport& row) { return cell::word(donationId(row.donation)); }}});
    return table;
}

const FactTable& recomputedTable()
{
    static const FactTable table = factTable<RecomputedReport>(
        {.id = "recomputed", .title = "Computed anew in backward", .empty = "Nothing is computed anew.", .sortedBy = 1},
        {.rows = [](const Plans& plans) { return plans.report.training.recomputed; },
         .focus = [](const Report&, const RecomputedReport& row) { return Focus::on(row.tensor.value); }},
        {{{"Tensor", "What is not kept", Long, 24},
          [](const Report& report, const RecomputedReport& row) { return cell::value(report, row.tensor.value); }},
         {{"Not kept", "Its bytes", Number, 9},
          [](const Report&, const RecomputedReport& row) { return cell::bytes(row.bytes); }},
         {{"Read instead", "What backward reads", Words, 24},
          [](const Report& report, const RecomputedReport& row) { return cell::value(report, row.tensor.copy); }},
         {{"Nodes", "That run for it a second time", Number, 6},
          [](const Report&, const RecomputedReport& row) { return cell::count(row.tensor.nodes.size()); }},
         {{"Moved", "Bytes that they read and write", Number, 9},
          [](const Report&, const RecomputedReport& row) { return cell::bytes(row.tensor.movedBytes); }}});
    return table;
}

const FactTable& gradientsTable()
{
    static const FactTable table = factTable<GradientRow>(
        {.id = "gradients", .title = "Gradients", .empty = "No gradient is asked for."},
        {.rows = [](const Plans& plans) { return gradientRows(plans.report); },
         .focus = [](const Report&, const GradientRow& row) { return Focus::on(row.variable); }},
        {{{"Variable", "What requires a gradient", Long, 24},
          [](const Report& report, const GradientRow& row) { return cell::value(report, row.variable); }},
         {{"Request", "How it is to be written", Words, 10},
          [](const Report&, const GradientRow& row) { return cell::text(gradientRequestName(row.request)); }},
         {{"Gradient", "Where it is handed out", Long, 24},
          [](const Report& report, const GradientRow& row) { return cell::value(report, row.gradient); }},
         {{"Added to", "The caller's buffer", Words, 24},
          [](const Report& report, const GradientRow& row) { return cell::value(report, row.buffer); }},
         {{"Bytes", "That it takes", Number, 9}, [](const Report& report, const GradientRow& row) {
              return row.gradient.valid() ? cell::bytes(report.program.values[row.gradient.index()].requiredBytes)
                                          : cell::blank();
          }}});
    return table;
}

} // namespace plimsoll
