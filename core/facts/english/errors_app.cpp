#include "core/facts/english/sentences.h"

namespace plimsoll::sentences {
namespace {

constexpr Sentence AppErrors[] = {
    {"checks.no-seed", "{0} is no seed"},
    {"checks.no-value", "{0} needs something behind it"},
    {"checks.none-offered", "nothing is offered"},
    {"checks.unknown", "unknown argument {0}"},
    {"cli.catalogue-input", "The catalogue cannot come from standard input as well."},
    {"cli.crashed", "plimsoll-cli crashed"},
    {"cli.crashed-saying", "plimsoll-cli crashed; it said: {0}"},
    {"cli.graph-ending", "A graph can be written as plimsoll.graph/1 only: {0} must end in .json."},
    {"cli.missing", "The program plimsoll-cli cannot be started; it belongs beside the application."},
    {"cli.no-catalogue", "The answer of plimsoll-cli is no catalogue: {0}"},
    {"cli.no-output", "Standard output cannot be written."},
    {"cli.no-temporary-file", "No temporary file can be made."},
    {"cli.report-ending", "A report cannot be written as {0}; the name must end in one of {1}."},
    {"cli.status", "plimsoll-cli ended with status {0}"},
    {"cli.two-inputs", "The graph and the plan cannot both come from standard input."},
    {"cli.unreadable", "The file cannot be read."},
    {"explain.no-value", "There is no value {0}."},
    {"explain.no-value-near", "There is no value {0}. There is {1}."},
    {"explain.unknown", "There is no value, node, storage or byte {0}."},
    {"explain.unknown-near", "There is no value, node, storage or byte {0}. There is {1}."},
    {"export.no-format", "The file cannot be written: the ending says the format; there are {0}."},
    {"export.no-table", "No table is shown: show one first."},
    {"export.not-picture", "The view {0} is no picture."},
    {"export.not-table", "The view {0} is no table."},
    {"export.too-large", "The file cannot be written: the picture is too large."},
    {"export.too-many-pixels",
     "The picture has {0} × {1} pixels; an image holds {2} a side and {3} in all. Save it as SVG or "
     "PDF, or take what is seen of it."},
    {"filter.no-column", "no column {0}; there are {1}"},
    {"filter.no-number", "not a number: {0}"},
    {"offers.stopped", "Asking the backends was stopped."},
    {"pack.below-arena", "{0} begins at {1}, below the arena."},
    {"pack.beyond-capacity", "{0} ends at {1}, beyond the capacity."},
    {"pack.beyond-numbers", "{0} ends beyond what 63 bits hold."},
    {"pack.capacity", "{0} wants bytes, such as 1048576 or 1MiB."},
    {"pack.infeasible", "Infeasible: {0} B are needed, {1} B is the capacity: at {2} these are alive: {3}."},
    {"pack.infeasible-proved",
     "Infeasible: {0} B are needed, {1} B is the capacity; no plan is lower, as a search has proved."},
    {"pack.misaligned", "{0} begins at {1}, off its alignment."},
    {"pack.moved", "{0} is not where it is pinned."},
    {"pack.no-offset", "It has no offset, while others have; {0} makes new ones."},
    {"pack.not-kept", "Standard input cannot be kept here: is the disk full?"},
    {"pack.overlap", "{0} and {1} share bytes {2} while both are alive, first at {3}."},
    {"replay.ended", "the worker ended early with status {0}"},
    {"replay.ended-by", "the worker was ended by a {0}"},
    {"replay.slow", "it took longer than {0} seconds"},
    {"replay.stopped", "The replay was stopped."},
    {"run.broken-off", "The run was stopped {0}."},
    {"run.ended", "The run was ended by a {0} {1}."},
    {"run.inputs-of-file", "With --inputs the graph must be a file."},
    {"run.no-cover", "{0} is no choice of --cover: cheap, always, never."},
    {"run.no-mode", "There is no mode {0}: auto, numeric, fingerprint."},
    {"run.table", "There is nothing to run: the file is a table of buffers without operators. 'plan' and 'report' show "
                  "how they lie, 'check' judges that, 'pack' repacks them."},
    {"usage.contradiction", "{0} is given {1} and {2}; only one of them can hold."},
    {"usage.dim", "--dim wants a size of 0 or more, not '{0}'"},
    {"usage.form", "{0} takes {1}, not {2}."},
    {"usage.largest-picture", "--size goes up to 16384x16384"},
    {"usage.max-stored", "--max-stored wants a number of 0 or more, not '{0}'"},
    {"usage.no-option", "there is no option '{0}'; see --help"},
    {"usage.no-value", "{0} wants a value after it"},
    {"usage.pair", "{0} wants name=value, not '{1}'"},
    {"usage.picture-size", "--size wants WxH such as 1400x900, not '{0}'"},
    {"usage.plan-alone", "--plan '{0}' is judged with a graph, and no FILE is given"},
    {"usage.policy", "A policy is given as id=value, not {0}."},
    {"usage.shape", "--shape wants sizes such as 1x3x224x224, not '{0}'"},
    {"usage.theme", "--theme is light, dark or system, not '{0}'"},
    {"usage.two-answers", "{0} is given '{1}' and '{2}'; only one of them can hold"},
    {"usage.two-files", "one file at a time: '{0}' and '{1}'"},
    {"usage.view", "there is no view '{0}'; there are: {1}"},
    {"window.give-shape", "Give {0} a shape above the policies."},
    {"window.no-sample", "The sample cannot be copied to the cache folder."},
    {"window.nothing-pasted", "There is neither a file nor the text of a graph in it."},
    {"window.one-graph", "One graph at a time, and a plan to judge beside it: {0} is opened, the rest is not."},
    {"window.say-bound", "Say above the policies how much of {0} is kept at most."},
};

} // namespace

std::span<const Sentence> errorsOfApp()
{
    return AppErrors;
}

} // namespace plimsoll::sentences
