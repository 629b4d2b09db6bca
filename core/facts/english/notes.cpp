#include "core/facts/english/sentences.h"

namespace plimsoll::sentences {
namespace {

constexpr Sentence NotesTable[] = {
    {"anew.not", "{0} is not computed anew in backward: {1}."},
    {"anew.none", "{0} is not computed anew in backward: there is none."},
    {"note.rebound", "Input {0} is {1} in the file and was planned as {2}, as the given shape says."},
    {"note.without-effect", "{0} has no effect: {1}."},
    {"note.other-graph", "The plan was made for another graph, or for other shapes or policies: it names the graph "
                         "{0}, and this one is {1}. It is judged all the same."},
    {"note.plan-names", "the plan says which implementations it was made with"},
    {"note.unknown-implementations",
     "The plan names implementations that it does not describe and that this machine does not have: those of {0}. "
     "These nodes are judged with plain layouts and without scratchpads."},
    {"note.no-own-room",
     "The plan gives {0:node} room to work in that no implementation states, {1} at most. A plan of ours is without "
     "it, so none is compared; the bound for any sharing counts it."},
    {"note.no-own-host",
     "{0:value} that a plan of ours would put into an arena {0:?lies|lie} in bytes of the caller in the given plan, "
     "which its peak does not count: the two are not compared."},
    {"note.unbounded", "Nothing says how much of {0}, {1}, is kept at most, so its bytes are counted nowhere; {2}."},
    {"note.nothing-planned",
     "Nothing in this graph needs planned bytes: {0:value} outside the arenas (inputs, weights, constants and what "
     "lies in them), {1} without bytes, {2} of a size that is known at run time only."},
    {"note.unused-streams",
     "The graph file puts its nodes on {0} streams, and the plan runs them on one; {1} plans for those."},
    {"note.future-opset", "The graph is of opset {0} of ONNX, and {1} is the newest that is known here: operators are "
                          "taken as they were defined then."},
    {"note.unknown-keys", "{0} has keys that mean nothing here, and that are passed over: {1}."},
    {"note.catalogue", "The catalogue {0}"},
    {"note.plan", "The plan {0}"},
    {"note.strange-nodes",
     "The catalogue {0} has offers for {1:node} that this graph does not have, so they have no effect: {2}."},
    {"note.strange-backend", "The catalogue {0} has offers of {1}, which is no backend of this program: they are "
                             "planned with like any other, and cannot run here."},
    {"note.odd-layouts", "The catalogue {0} has offers in layouts that their tensors cannot have, which are passed "
                         "over: {1}; {2} says why."},
    {"note.captured-on", "The graph was captured on {0}, and is planned with the kernels of the CPU, their layouts and "
                         "scratchpads among them. {1} plans for its tensors alone, {2} for kernels of a CUDA device."},
    {"note.captured-on-several",
     "The graph was captured on {0} and other devices, and is planned with the kernels of the CPU, their layouts and "
     "scratchpads among them. {1} plans for its tensors alone, {2} for kernels of a CUDA device."},
    {"note.callers-memory",
     "The caller is taken to have {0:tensor} in the memory of {1}, as captured: nothing is copied for {0:?it|them}."},
    {"note.callers-copies", "Captured on a device, but taken to be in the memory of the CPU, with copies: {0} (no size "
                            "before the run, read ahead of it, or written in place by the CPU)."},
    {"note.unsized-weights", "The file gives no shape for {0}: externalBytes is without {1:?it|them}."},
    {"note.match-range-0", "With match-range 0 there is nothing to search. MXNet would make no plan at all; here every "
                           "block is new, and only values that share are in one."},
    {"note.range-bytes", "{0} ({1} bytes)"},
    {"note.match-ranges", "Match ranges tried: {0}. Kept: {1}."},
    {"note.four-bytes", "MXNet 1.5 to 1.9 take every element for 4 bytes: they would report {0} bytes."},
    {"note.shape-of", "{0} takes the shape of {1}"},
    {"note.ignored-reads", "MXNet's CachedOp counts reads that look at no content ({0}) and never gives such blocks "
                           "back: {1} bytes that are handed on here would be lost."},
    {"note.overwritten-read",
     "MXNet would write {0} over {1}, which {2} does not look at but another node still reads; here it is kept."},
    {"note.needs", "The kernels of this machine would need more than the plan has: {0}. The verdict is without them; "
                   "{1} judges with them."},
    {"note.bounded", "{0:value} of a size that only the run knows {0:?is|are} planned at the most bytes that "
                     "{0:?it|they} can have: {1} "
                     "in all."},
    {"note.scratchpads", "scratchpads of up to {0} B"},
    {"note.reordered", "{0:reordered tensor} of {1} B in all"},
    {"note.plan-sizes", "The sizes of the plan say {0}, and were taken."},
    {"note.plan-sizes-fit",
     "The sizes of the plan fit {0} ({1} of {2:allocation}); the plan is judged with the sizes that were assumed. "
     "{3} gives others."},
    {"note.no-gradients", "The loss {0} depends on nothing that requires a gradient: there is no backward graph."},
    {"note.no-gradient", "The loss does not depend on {0}: it has no gradient."},
    {"note.waiting", "Up to {0} forwards wait for their backward at once; each keeps values of its own."},
    {"note.renamed", "{0}, of which a later one is called {1} here"},
    {"note.repeated", "Several nodes of the file have one name: {0}."},
    {"note.repeated-more", "Several nodes of the file have one name: {0}, and {1} more."},
    {"effect.table", "the steps of a table of buffers compute nothing"},
    {"effect.no-loss", "the graph has no loss to go back from"},
    {"effect.no-backward", "the file names no loss, and no node as the first of a backward half"},
    {"effect.own-terms", "{0} takes the graph as it is"},
    {"effect.not-sparse", "no tensor of the graph is sparse"},
    {"effect.all-sized", "every tensor has a size before the run"},
    {"effect.no-streams", "the graph file puts no node on a stream"},
    {"effect.only-with", "only with {0}"},
    {"note.hlo-unscheduled",
     "The program has no schedule: it is planned in the order of its text. XLA's compiler would fuse, reorder and copy "
     "first; dump the program after optimizations to see what it does."},
    {"note.hlo-donated", "{0:tensor} of the parameters may be written over (input_output_alias, buffer_donor): results "
                         "lie there with {1}."},
    {"note.hlo-tiled", "{0:value} in tiled layouts: planned with the bytes of their elements; tiles may be filled up."},
    {"note.hlo-bounded", "{0:value} with a dimension that is known at run time only: planned with its upper bound."},
    {"note.hlo-stand-ins",
     "{0:value} of element types that are shown as others of the same size (s4 unpacked as int8, f8e4m3 as uint8)."},
    {"note.hlo-elided", "{0:constant} without elements: the file leaves them out, or they are not read."},
    {"note.hlo-asynchronous",
     "{0:operation} begun at one place and ended at another: operands and results are kept from the one to the other."},
    {"note.hlo-allocations", "Arenas are allocations of XLA's buffer assignment: {0}."},
    {"hlo.allocation", "#{0} is number {1}, {2}"},
    {"note.hlo-entry-layout",
     "The entry_computation_layout has {1} in the memory {0}, and the instructions do not: planned where these say."},
    {"note.hlo-on-host",
     "{0:value} in the memory of the host, S(5): what of them is planned has an arena of its own, what lies "
     "in bytes of the caller none."},
    {"note.onnx-sparse-attribute", "The attribute {0} of {1} is sparse in the file; every element of it is kept."},
    {"note.onnx-csr", "The sparse tensor {0} of the file is kept as csr."},
    {"note.onnx-dense", "The sparse tensor {0} of the file is kept dense: {1}."},
    {"note.onnx-branch-inputs",
     "{0} {1:?lists|list} inputs. Branches of If have none: the values of these names around "
     "them are meant."},
    {"note.torch-read-through", "Transposed views are read through where they are read, and left out: {0}."},
    {"note.repeated-constants", "Several constants of the file are called {0}: the last one{1:?| of each} is taken for "
                                "what is meant."},
    {"note.repeated-constants-more", "Several constants of the file are called {0} and {1:more name}: the last one of "
                                     "each is taken for what is meant."},
    {"note.out-of-order", "The file lists nodes before those that they read from: {0} reads {1}, which comes later. "
                          "They were put into an order of execution."},
    {"note.several-graphs", "The file holds several graphs; this is {0}. Others are opened as FILE#NAME: {1}."},
    {"note.hlo-no-entry",
     "No computation is marked ENTRY; {0}, the only one, is taken for it. The text may be cut off behind it."},
    {"note.several-programs", "The file holds several programs; this is {0}. Others are opened as FILE#NAME: {1}."},
    {"note.several-signatures", "The file has several signatures: {0}. Another one is opened as FILE#NAME."},
    {"note.several-methods", "The program has several methods: {0}. Another one is opened as FILE#NAME."},
    {"note.several-plans", "The text holds {0} memory plans; this is number {1}. Others are opened as FILE#NUMBER."},
    {"note.tflite-batch",
     "The model leaves its batch open, and does not say what follows from it: the first dimensions of {0} values that "
     "are open as well are taken to grow with 'batch'."},
    {"note.tflite-fixed",
     "Dimensions of {0:value} ({1} is the first) are known at run time only; they are planned with the sizes with "
     "which the file was written, whatever the inputs."},
    {"note.tflite-state",
     "{0:variable tensor} {0:?keeps its|keep their} content from run to run: in the arena from the "
     "first step to the last, and shared with nothing else."},
    {"note.tflite-as-stored", "{0:constant} {0:?is|are} planned as the bytes in the file: compressed, or texts."},
    {"note.tflite-unmade", "{0:tensor} {0:?is|are} read that no operator makes and whose bytes are not in the file; "
                           "counted with what the caller brings."},
    {"note.tflite-decomposed",
     "{0:composite operator} {0:?is|are} planned by what the file gives as the decomposition; "
     "a kernel of their own may need less."},
    {"note.tflite-workspaces",
     "{0:tensor} without a maker, each read by one custom operator, {0:?has a place|have places} in the plan of the "
     "file: room to work in, in use while that operator runs."},
    {"note.tflite-npu", "The NPU works by a plan of its own in {0} bytes of the arena, in which its inputs and outputs "
                        "may lie. They count where the plan of the file is judged, and in no plan of ours."},
    {"note.tflite-pins", "The file gives {0} tensors a place in the arena (OfflineMemoryAllocation) and leaves others "
                         "open: the former are pinned."},
    {"note.executorch-weights",
     "{0:weight} in planned memory: kept from the first step to the last, and shared with nothing else."},
    {"note.executorch-views",
     "{0:tensor} read that no instruction makes, at exactly the place of one that was made: taken for a view of it."},
    {"note.executorch-scratch", "{0:tensor} read that no instruction makes, elsewhere: room in which a kernel works."},
    {"note.executorch-bounded", "{0:value} of open size: the most that it may have is planned."},
    {"note.executorch-delegates", "{0:call} of a delegate: what it needs inside is not in the plan of the file."},
    {"note.executorch-jumps", "The method jumps: its instructions are planned in the order in which they stand, as if "
                              "all of them ran."},
    {"note.one-stream", "MXNet's planner knows one stream: bytes are kept until all streams have waited."},
    {"note.streams-kept",
     "So many storages of streams that do not wait for each other could meet that bytes are kept until "
     "all streams have waited: a lower plan may exist."},
    {"note.stream-parts", "So many storages of streams that do not wait for each other could meet that each stream has "
                          "a part of the arena for itself: a lower plan may exist."},
};

} // namespace

std::span<const Sentence> notes()
{
    return NotesTable;
}

} // namespace plimsoll::sentences
