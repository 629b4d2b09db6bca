#include "core/plan/finding.h"

#include <algorithm>
#include <array>

namespace plimsoll {
namespace {

struct RuleRow
{
    Rule rule;
    std::string_view id;
    std::string_view summary;
};

constexpr std::array RuleRows = {
    RuleRow {Rule::Overlap, "overlap", "Two storages that are live at the same step have no byte in common."},
    RuleRow {Rule::ClobberedRead, "clobbered-read", "A node reads the bytes that the producer of its input wrote."},
    RuleRow {Rule::OutputAliasing, "output-aliasing",
             "Two outputs that the user takes for copies have bytes of their own."},
    RuleRow {Rule::OutputAliasesInput, "output-aliases-input", "An output does not lie in the bytes of an input."},
    RuleRow {Rule::InputOverwritten, "input-overwritten",
             "The caller's inputs, parameters and constants are not written."},
    RuleRow {Rule::Undersized, "undersized", "A value has at least the bytes it requires."},
    RuleRow {Rule::Misaligned, "misaligned", "Offsets are multiples of the alignment."},
    RuleRow {Rule::Moved, "moved", "What the graph pins to an offset lies there."},
    RuleRow {Rule::BeyondCapacity, "beyond-capacity",
             "Values lie inside their arena, and the arena inside its capacity."},
    RuleRow {Rule::MissingAllocation, "missing-allocation", "Every value of known size has a place."},
    RuleRow {Rule::FalseIdentity, "false-identity",
             "Values declared to be the same bytes have the same size and type, and their node leaves them alone."},
    RuleRow {Rule::UninitialisedRead, "uninitialised-read", "Bytes are written before they are read."},
    RuleRow {Rule::SubgraphEscape, "subgraph-escape",
             "A nested graph leaves alone what the graph around it still needs."},
    RuleRow {
        Rule::PaddingVisible, "padding-visible",
        "Who reads a value reads it in the layout in which it was written, and the caller sees plain tensors only."},
    RuleRow {Rule::WrongSpace, "wrong-space",
             "A node reads and writes the memory of what computes it; a copy stands wherever a value crosses."},
    RuleRow {Rule::SavedOverwritten, "saved-overwritten",
             "What is kept for the backward graph is not written before it is read."},
    RuleRow {
        Rule::SavedVersion, "saved-version",
        "A tensor that is kept for the backward graph is not written in place; PyTorch refuses the backward pass."},
    RuleRow {
        Rule::Donation, "donation",
        "What is given to the backward graph to write over is no input, output or gradient, and no graph is kept."},
    RuleRow {Rule::WrongValue, "wrong-value", "A run under the plan gives the bytes that a run without sharing gives."},
    RuleRow {Rule::DeadOutput, "dead-output", "What is computed is read."},
    RuleRow {Rule::MissedSharing, "missed-sharing",
             "What could share under a bolder policy, and the bytes it would save."},
    RuleRow {Rule::NeedlessSave, "needless-save",
             "What is kept for the backward graph is read by a gradient that is wanted."},
    RuleRow {Rule::DenseFallback, "dense-fallback",
             "A sparse tensor is read and left as it is kept, not through dense temporaries."},
    RuleRow {Rule::OutputDiesAtReplay, "output-dies-at-replay",
             "What the caller is handed lasts beyond the next replay of a captured plan."},
    RuleRow {Rule::Incomplete, "incomplete",
             "Every size that does not depend on the run is known, and there is something to plan."},
    RuleRow {Rule::OutOfMemory, "out-of-memory", "The allocator that a snapshot is of has met every request."},
};

static_assert(
    [] {
        for (std::size_t i = 0; i < RuleRows.size(); ++i) {
            if (static_cast<std::size_t>(RuleRows[i].rule) != i) return false;
        }
        return true;
    }(),
    "rows stand in the order of the enumeration");

} // namespace

std::string_view ruleId(Rule rule)
{
    return RuleRows[static_cast<std::size_t>(rule)].id;
}

std::optional<Rule> ruleFromId(std::string_view id)
{
    const auto found = std::find_if(RuleRows.begin(), RuleRows.end(), [&](const RuleRow& row) { return row.id == id; });
    if (found == RuleRows.end()) return std::nullopt;
    return found->rule;
}

std::string_view ruleSummary(Rule rule)
{
    return RuleRows[static_cast<std::size_t>(rule)].summary;
}

std::string_view severityName(Severity severity)
{
    static constexpr std::array<std::string_view, 3> names = {"error", "warning", "advice"};
    return names[static_cast<std::size_t>(severity)];
}

} // namespace plimsoll
