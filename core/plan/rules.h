#pragma once

/// Every rule in one row: its name here, its id in reports and in the manual, how grave a finding is unless its check
/// says otherwise, and what the rule demands. Rules are compared in this order.
// clang-format off
#define PLIMSOLL_RULES(ROW) \
    ROW(Overlap, "overlap", Error, "Two storages that are live at the same step have no byte in common.") \
    ROW(ClobberedRead, "clobbered-read", Error, "A node reads the bytes that the producer of its input wrote.") \
    ROW(OutputAliasing, "output-aliasing", Error, "Two outputs that the user takes for copies have bytes of their own.") \
    ROW(OutputAliasesInput, "output-aliases-input", Error, "An output does not lie in the bytes of an input.") \
    ROW(InputOverwritten, "input-overwritten", Error, "The caller's inputs, parameters and constants are not written.") \
    ROW(Undersized, "undersized", Error, "A value has at least the bytes it requires.") \
    ROW(Misaligned, "misaligned", Error, "Offsets are multiples of the alignment.") \
    ROW(Moved, "moved", Error, "What the graph pins to an offset lies there.") \
    ROW(BeyondCapacity, "beyond-capacity", Error, "Values lie inside their arena, and the arena inside its capacity.") \
    ROW(MissingAllocation, "missing-allocation", Error, "Every value of known size has a place.") \
    ROW(FalseIdentity, "false-identity", Error, "Values declared to be the same bytes have the same size and type, and their node leaves them alone.") \
    ROW(UninitialisedRead, "uninitialised-read", Error, "Bytes are written before they are read.") \
    ROW(SubgraphEscape, "subgraph-escape", Error, "A nested graph leaves alone what the graph around it still needs.") \
    ROW(PaddingVisible, "padding-visible", Error, "A value is read in the layout in which it was written, and the caller sees plain tensors only.") \
    ROW(WrongSpace, "wrong-space", Error, "A node reads and writes the memory of what computes it; a copy stands wherever a value crosses.") \
    ROW(SavedOverwritten, "saved-overwritten", Error, "What is kept for the backward graph is not written before it is read.") \
    ROW(SavedVersion, "saved-version", Error, "A tensor that is kept for the backward graph is not written in place; PyTorch refuses the backward pass.") \
    ROW(Donation, "donation", Error, "What is given to the backward graph to write over is no input, output or gradient, and no graph is kept.") \
    ROW(WrongValue, "wrong-value", Error, "A run under the plan gives the bytes that a run without sharing gives.") \
    ROW(DeadOutput, "dead-output", Advice, "What is computed is read.") \
    ROW(MissedSharing, "missed-sharing", Advice, "What could share under a bolder policy, and the bytes it would save.") \
    ROW(NeedlessSave, "needless-save", Advice, "What is kept for the backward graph is read by a gradient that is wanted.") \
    ROW(DenseFallback, "dense-fallback", Advice, "A sparse tensor is read and left as it is kept, not through dense temporaries.") \
    ROW(ArenaSlack, "arena-slack", Advice, "An arena ends where the highest of what lies in it ends.") \
    ROW(OutputDiesAtReplay, "output-dies-at-replay", Warning, "What the caller is handed lasts beyond the next replay of a captured plan.") \
    ROW(Incomplete, "incomplete", Error, "Every size that does not depend on the run is known, and there is something to plan.") \
    ROW(OutOfMemory, "out-of-memory", Error, "The allocator that a snapshot is of has met every request.")
// clang-format on
