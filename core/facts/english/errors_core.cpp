#include "core/facts/english/sentences.h"

namespace plimsoll::sentences {
namespace {

constexpr Sentence CoreErrors[] = {
    {"alignments.no-multiple", "Its alignments, {0} and {1}, have no common multiple within 63 bits."},
    {"broke-off", "The work broke off: {0}."},
    {"buffer.alignment", "Its alignment must be at least 1."},
    {"buffer.arena", "Its arena does not exist."},
    {"buffer.pin", "It is pinned to a negative offset."},
    {"buffer.size", "Its size is negative."},
    {"buffer.too-much", "Its {0} B, aligned to {1}, and all others add up to more than 63 bits hold."},
    {"calls.no-backward", "Policy calls: a forward has no backward after it; call it infer."},
    {"calls.no-forward", "Policy calls: a backward has no forward before it."},
    {"calls.too-many", "Policy calls: there are more than {0}."},
    {"calls.word", "Policy calls: {0} is none of train, infer, forward, backward; or all of it is 'once'."},
    {"capacity.no-memory", "The policy {2} is given for the memory {0}, which neither the graph nor the plan has. "
                           "There is: {1}."},
    {"cli.no-json", "The answer of plimsoll-cli is not JSON: {0}."},
    {"cli.no-run", "The report of plimsoll-cli has no run in it."},
    {"dot.cut-off", "The text ends before 'stop'."},
    {"dot.edge", "An edge is not two known boxes and a number."},
    {"dot.node", "A node is not a known box and two numbers."},
    {"dot.points", "An edge has too few points."},
    {"dot.size", "The size of the graph is not three numbers."},
    {"dot.unplaced", "Box {0} was not placed."},
    {"file.both-printed", "{0} and {1} cannot both go to standard output. Name a file for one of them."},
    {"file.folder", "This is a folder, not a file."},
    {"file.no-folder", "there is no folder {0}"},
    {"file.not-mapped", "Cannot map the file: {0}."},
    {"file.not-read", "Cannot read the file: {0}."},
    {"file.not-regular", "This is not a regular file. Give '-' to read standard input."},
    {"file.not-written", "The file cannot be written: {0}."},
    {"file.owner-lost", "its owner or group could not be kept. Write another file, or remove this one first"},
    {"file.same", "{0} and {1} are the same file: {2}. Name two."},
    {"file.written-over", "{0} would write over {1}, which it reads. Name another file."},
    {"graph.cycle", "The nodes form a cycle: {0} needs {1}, which needs it."},
    {"graph.defined-twice", "The value {0} is defined twice. Every value needs a name of its own."},
    {"graph.input-of-other-body", "Input {0} belongs to a nested graph that this node does not stand in."},
    {"graph.negative-dimension", "The shape has a negative dimension."},
    {"graph.no-input", "An input of a graph does not exist."},
    {"graph.no-node", "A graph lists a node that does not exist."},
    {"graph.no-node-output", "An output does not exist."},
    {"graph.no-numbered-input", "Input {0} does not exist."},
    {"graph.no-output-computed", "An output of the graph is never computed."},
    {"graph.other-producer", "The value {0} names another producer."},
    {"graph.output-not-computed", "An output of the graph is never computed: {0}."},
    {"graph.read-too-early", "Input {0} is read before it is computed. The nodes are out of order or form a cycle."},
    {"graph.value-twice", "The value {0} is computed twice."},
    {"placement.unknown", "There is no placement algorithm {0}; there are: {1}."},
    {"plan-streams.events-alone", "There are events, and \"streams\" does not say which node runs on which stream."},
    {"plan-streams.incomplete", "It does not say on which stream {0} runs{1}. {2}"},
    {"plan-streams.nested", "{0} stands in a nested graph, which runs on the stream of its owner."},
    {"plan-streams.no-step", "{0} has no step of its own here: it is fused into another node, or known before the run. "
                             "{1}"},
    {"plan-streams.nor", ", nor {0} others"},
    {"plan-streams.order", "{0} cannot wait for {1}, which does not run before it in the order of the graph."},
    {"plan.bad-arena", "The arena of {0} has a negative size or an alignment below 1."},
    {"plan.beyond-arenas", "Its allocations reach beyond what any arena can have."},
    {"plan.fused-input", "{0} is no result of a node, so no node can keep it to itself."},
    {"plan.fused-placed", "{0} is fused away and has a place at the same time."},
    {"plan.inserted", "{0} is inserted after step {1}, and the plan has {2} steps."},
    {"plan.large-arenas", "The arenas together have more bytes than 63 bits count."},
    {"plan.named-twice", "The plan names {0} twice, at first in steps[{1}]; each node runs once."},
    {"plan.no-arena", "{0} is placed in arena {1}, which the plan does not have."},
    {"plan.no-end", "{0} has a size or an end that no arena can have."},
    {"plan.no-host", "{0} cannot lie in {1}: that is not the caller's, or too small."},
    {"plan.no-such", "The graph has no {0} {1}. {2}"},
    {"plan.not-run", "The plan does not run node {0}, which the graph does. {1}"},
    {"plan.other-graph", "The plan belongs to another graph, or to other policies."},
    {"plan.placed-twice", "{0} is placed twice."},
    {"policy.alignment", "Policy alignment must be a power of two between 1 and 2^40, not {0}."},
    {"policy.capacity", "Policy capacity must be 'none', a size such as 512MiB, or space=size, not {0}."},
    {"policy.capacity-twice", "Policy capacity names {0} twice."},
    {"policy.number", "Policy {0} must be a number from {1} to {2}, not {3}."},
    {"policy.reserved",
     "Policy reserved must be 'none', or a list of offset+bytes such as 0+4KiB, sram=0+16KiB or 0+4KiB:boot loader, "
     "not {0}."},
    {"policy.unknown", "There is no policy {0}; there are: {1}."},
    {"policy.value", "Policy {0} cannot be {1}; it can be: {2}."},
    {"sizes.all", "The plan and what the caller brings add up to more bytes than 63 bits hold."},
    {"sizes.brought", "The inputs and weights up to here add up to more bytes than 63 bits hold."},
    {"stopped.layout", "The layout was stopped."},
    {"stopped.placement", "Placement was stopped."},
    {"stopped.planning", "Planning was stopped."},
    {"streams.none", "There is no stream {0}: they count from 0 to {1}."},
    {"training.calls-once", "Several passes, and a graph that is retained, go with calls=once."},
    {"training.captured-once", "The backward graph was captured: it runs once, and backwards=1 is all that there is."},
    {"training.let-go",
     "Backward pass {0} would read {1:tensor} ({2} bytes of the plan) that the first pass lets go once "
     "it has read them. The policy {3} keeps them."},
    {"training.no-loss", "The graph has no loss, so there is no gradient of {0} to ask for."},
    {"training.no-value", "There is no value {0} to compute anew."},
};

} // namespace

std::span<const Sentence> errorsOfCore()
{
    return CoreErrors;
}

} // namespace plimsoll::sentences
