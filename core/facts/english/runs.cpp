#include "core/facts/english/sentences.h"

namespace plimsoll::sentences {
namespace {

/// What a run and its write probe tell.
constexpr Sentence RunTable[] = {
    {"bisect.elsewhere", "The run differs with all bytes apart, too ({0}): no sharing is to blame."},
    {"bisect.equal", "The run equals the oracle: there is nothing to look for."},
    {"bisect.found", "{0:culprit} found by {1:run} over {2:sharing}."},
    {"bisect.lone", "{0} is wrong wherever the others lie ({1} of arena {2}): {3}"},
    {"bisect.mismatch", "{0}, at step {1}: {2}"},
    {"bisect.mismatch-node", "{0} at node {1}, step {2}: {3}"},
    {"bisect.or-wait", "{0} does not wait for {1}"},
    {"bisect.pair", "{0} and {1} meet in {2} of arena {3}: {4}"},
    {"bisect.several", "{0} ({1} more at the same bytes)"},
    {"bisect.wait",
     "The event from {0} to {1} is missing: {2} uses {3}, which {4} writes, and does not wait for it: {5}"},
    {"ran.copies", "{0} {0:?copy|copies} from {1} to {2}: {3} in {4}"},
    {"ran.cut", "The run was cut: loops may execute {0} nodes together ({1}); {2} did not end within that."},
    {"ran.cut-loop", "{0} after {1:iteration}"},
    {"ran.held",
     "{0} held {1} at most: {2} for arenas of {3} planned (the rest is guard zones and rounding), {4} copied "
     "there ahead of the run or not planned, {5} of its own; beside it the oracle held {6}"},
    {"ran.driver", "the driver of {0} had {1} less to give at most, with what libraries took by themselves"},
    {"ran.launched", "launched {0:time}{1} without a wait between nodes: {2} at best"},
    {"ran.all-equal", "all equal"},
    {"ran.compared", "{0:value} ({1}) compared with the oracle: {2}"},
    {"ran.faults", "{0:fault}, {1:value} {1:?differs|differ} after {0:?it|them}"},
    {"ran.watched", "poison: {0} filled; guards: {1:zone}, {2}"},
    {"ran.zones-touched", "touched {0:time}"},
    {"ran.zones-whole", "none touched"},
    {"ran.differ", "{0} {0:?differs|differ}"},
    {"ran.equal-where-run", "equal, as far as the graph ran"},
    {"ran.forced",
     "{0:further run} took the branches and numbers of trips that the inputs do not lead to ({1:node execution})"},
    {"ran.forced-budget", "They would execute more than {0:node}; {1} forces them all."},
    {"ran.forced-failed", "Forced run {0} ended early: {1:-}."},
    {"ran.forced-open", "{0:branch} or {0:?number|numbers} of trips {0:?was|were} not tried."},
    {"ran.nothing-compared", "No value was compared with the oracle."},
    {"ran.not-all", "Ran {0} of {1} nodes: the others are in loops and branches that were not entered."},
    {"ran.other-loops", "{0:other loop}"},
    {"ran.replay-changed", "{0} of the first replay was changed by the second: {1}"},
    {"ran.replay-same", "the second replay changed no output of the first"},
    {"ran.replayed", "captured as {0:graph} in {1} and replayed {2:time}: {3} at best"},
    {"ran.stretches", " in {0} stretches"},
    {"write.also", "; it changed {0}"},
    {"write.before-backward", "before the backward graph, {0}"},
    {"write.change", "{0} ({1})"},
    {"write.content", "in the end {0} reads {1}"},
    {"write.detached", "writing {0} detached it: {1} more{2}{3}"},
    {"write.gradients", "writing outputs between forward and backward changed {0}"},
    {"write.gradients-surprise", "writing outputs between forward and backward changed {0}, against the plan"},
    {"write.held", "the outputs held {0}, and hold {1} after the writes"},
    {"write.input", "{0} (input {1})"},
    {"write.no-gradient", "writing outputs between forward and backward changed no gradient"},
    {"write.none", "there is nothing to write"},
    {"write.nothing-else", "nothing else"},
    {"write.output", "{0} (output {1})"},
    {"write.refreshed", "a second run refreshed every output"},
    {"write.refused", "writing {0} is refused: {1}{2}{3}"},
    {"write.skipped", "{0} is not written: {1}{2}{3}"},
    {"write.stale", "a second run did not refresh {0}: {1}"},
    {"write.surprise", "{0} ({1}, against the plan)"},
    {"write.unchanged", "; {0} did not change, although the plan says so"},
    {"write.written", "writing {0} changed {1}{2}"},
    {"witness.equal",
     "{0}: the run did not show it. Its bytes were equal for these inputs, or the judge is too strict."},
    {"witness.judge-blind", "No rule is broken, and yet the run differs ({0:value}): what the file says of an "
                            "operator, or a kernel, is wrong."},
    {"witness.not-run", "{0}: the run did not show it. Its nodes did not run."},
    {"witness.unseen", "{0}: a run does not show it: {1}."},
};

} // namespace

std::span<const Sentence> runs()
{
    return RunTable;
}

} // namespace plimsoll::sentences
