#include "core/facts/english/sentences.h"

namespace plimsoll::sentences {
namespace {

/// What is said of a plan as a whole, of its streams, and of two values in it.
constexpr Sentence PlansTable[] = {
    {"above", "{0} above the bound"},
    {"above.one-plan", "{0} above the bound: {1} does not search"},
    {"above.open", "{0} above the bound: whether a lower plan exists is open"},
    {"above.proved", "{0} above the bound: no plan with this sharing is lower, as the search has proved"},
    {"pair.after", "Both lie on {0}, one after the other."},
    {"pair.apart", "{0} and {1} do not share{2}."},
    {"pair.broken", "But both lie on {0}. {1}: {2}"},
    {"pair.bytes", "bytes [{0}, {1}) of {2}"},
    {"pair.no-way", ": no identity, in-place option or pass-through leads from one to the other"},
    {"pair.one", "{0} is one entry, whatever the number of its names."},
    {"pair.reasons", ": {0}"},
    {"pair.refused", ": between {0} and {1}, {2:~} ({3} B, rule {4})"},
    {"pair.share", "{0} and {1} share{2}."},
    {"pair.together", "Both lie on {0}, and both are alive in common steps."},
    {"pair.waits", "Though no step needs both, they lie apart. Of the first: {0}"},
    {"peak.at", "at step {0}"},
    {"peak.in", "{0} in {1} at step {2}"},
    {"peak.lowest", "the lower bound"},
    {"peak.lowest-at", "{0}, the lower bound"},
    {"peak.places", "({0})"},
    {"search", "{0}: {1}."},
    {"search.found-by", "{0}: {1}; found by {2}."},
    {"search.limit", "the limit came before a proof"},
    {"search.one-plan", "this algorithm makes one plan and does not search"},
    {"search.optimal", "proved lowest"},
    {"search.partial", "nothing is proved, since the plan is incomplete"},
    {"search.running", "still searching"},
    {"search.stopped", "stopped before a proof"},
    {"search.this-sharing", "{0} for this sharing"},
    {"streams", "{0} streams of {1} nodes, {2:event}"},
    {"streams.never", "Stream {0} never waits for {1} of stream {2}."},
    {"streams.until", "Stream {0} may write here from step {1} on: until then it does not wait for {2} of stream {3}."},
    {"strides", "strides {0}, within {1} B"},
    {"terms", "{0}: {1}"},
    {"terms.plan", "{0}: {1}; {2:node} as the plan says"},
    {"terms.size", "{0} = {1}"},
    {"terms.sizes", "Assumed sizes ({0} or {1} gives them): {2}"},
    {"verdict.above-bound", ", {0} above the bound"},
    {"verdict.any-sharing", "No plan of this order and terms is below {0}, whatever shares."},
    {"verdict.at-bound", ", which is the lower bound"},
    {"verdict.given-legal", "The given plan is legal."},
    {"verdict.given-not-legal", "The given plan is not legal: {0:error} ({1})."},
    {"verdict.incomplete", "Incomplete: {0}."},
    {"verdict.legal", "Legal."},
    {"verdict.not-judged", "Incomplete, so not judged as a whole."},
    {"verdict.not-legal", "Not legal: {0:error} ({1})."},
    {"verdict.outputs-share", "outputs {0} and {1} share bytes; writing one changes the other"},
    {"verdict.own-plan", "Our own plan: {0}."},
    {"verdict.peak", "Peak {0}{1}."},
    {"verdict.peak-at", "Peak {0} {1}{2}."},
    {"verdict.refused", "Out of memory: a request was refused."},
    {"verdict.refused-more", "Out of memory: {0:request} were refused."},
    {"verdict.reserved", "Reserved {0} at most{1}."},
    {"verdict.warned", "No rule is broken under this policy, but {0}."},
    {"verdict.warning", "{0:warning}: {1}"},
    {"verdict.warnings", "{0:warning}, first: {1}"},
};

} // namespace

std::span<const Sentence> plans()
{
    return PlansTable;
}

} // namespace plimsoll::sentences
