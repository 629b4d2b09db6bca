#pragma once

/// Every rule in one row: its name here, its id in reports and in the manual, how grave a finding is unless its check
/// says otherwise, what the rule demands, and why an error of it does not show in a run, or "" where values show it.
/// Rules are compared in this order.
// clang-format off
#define PLIMSOLL_RULES(ROW) \
    ROW(Overlap, "overlap", Error, "Two storages that are live at the same step have no byte in common.", "") \
    ROW(ClobberedRead, "clobbered-read", Error, "A node reads the bytes that the producer of its input wrote.", "") \
    ROW(OutputAliasing, "output-aliasing", Error, "Two outputs that the user takes for copies have bytes of their own.", "only a write by the caller does; --write-probe makes it") \
    ROW(OutputAliasesInput, "output-aliases-input", Error, "An output does not lie in the bytes of an input.", "only a write by the caller does; --write-probe makes it") \
    ROW(InputOverwritten, "input-overwritten", Error, "The caller's parameters, constants and inputs are not written, but for inputs that were given away.", "") \
    ROW(OutputInArena, "output-in-arena", Error, "Under outputs=external every output lies in the buffer that the caller brings.", "where an output lies changes no value") \
    ROW(WrittenInPlace, "written-in-place", Error, "Nothing is written over an input of its node where the policy inplace forbids it, and nothing lies inside of another tensor where subbuffers does.", "what may lie in place computes the same there") \
    ROW(Padded, "padded", Error, "Under padding=off no value takes more bytes than its elements need, rounded up to the alignment.", "padding changes no value") \
    ROW(Undersized, "undersized", Error, "A value has at least the bytes it requires.", "") \
    ROW(Misaligned, "misaligned", Error, "Offsets are multiples of the alignment.", "kernels of this machine read from any address") \
    ROW(Moved, "moved", Error, "What the graph pins to an offset lies there.", "what is computed does not depend on the place") \
    ROW(BeyondCapacity, "beyond-capacity", Error, "Values lie inside their arena, and the arena inside its capacity.", "a run takes as much memory as the plan has") \
    ROW(MissingAllocation, "missing-allocation", Error, "Every value of known size has a place.", "what has no place is given memory of its own") \
    ROW(FalseIdentity, "false-identity", Error, "Values declared to be the same bytes have the same size and type, and their node leaves them alone, as far as its operator is known.", "what a plan puts apart is copied") \
    ROW(LiesOnItself, "lies-on-itself", Error, "What is written has each element on bytes of its own.", "a run writes elements one after the other, so that the last one stays") \
    ROW(UninitialisedRead, "uninitialised-read", Error, "Bytes are written before they are read.", "") \
    ROW(SubgraphEscape, "subgraph-escape", Error, "A nested graph leaves alone what the graph around it still needs.", "") \
    ROW(PaddingVisible, "padding-visible", Error, "A value is read in the layout in which it was written, and the caller sees plain tensors only.", "") \
    ROW(WrongSpace, "wrong-space", Error, "A node reads and writes the memory of what computes it; a copy stands wherever a value crosses.", "memory that stands in for another one can be read by all") \
    ROW(SavedOverwritten, "saved-overwritten", Error, "What is kept for the backward graph is not written before it is read, by the next backward pass too.", "") \
    ROW(SavedVersion, "saved-version", Error, "A tensor that is kept for the backward graph is not written in place; PyTorch refuses the backward pass.", "PyTorch counts versions, whatever the bytes are") \
    ROW(Donation, "donation", Error, "What the backward graph writes over was given to it: no input, output or gradient, and no graph is kept.", "a run goes backward once, and its caller holds nothing") \
    ROW(WrongValue, "wrong-value", Error, "A run under the plan gives the bytes that a run without sharing gives.", "") \
    ROW(DeadOutput, "dead-output", Advice, "What is computed is read.", "") \
    ROW(MissedSharing, "missed-sharing", Advice, "What could share under a bolder policy, and the bytes it would save.", "") \
    ROW(NeedlessSave, "needless-save", Advice, "What is kept for the backward graph is read by a gradient that is wanted.", "") \
    ROW(DenseFallback, "dense-fallback", Advice, "A sparse tensor is read and left as it is kept, not through dense temporaries.", "") \
    ROW(ArenaSlack, "arena-slack", Advice, "An arena ends where the highest of what lies in it ends.", "") \
    ROW(OutputDiesAtReplay, "output-dies-at-replay", Warning, "What the caller is handed lasts beyond the next replay of a captured plan.", "") \
    ROW(Order, "order", Error, "A node runs behind those whose results it reads, and what writes over bytes keeps its place among those that use them.", "") \
    ROW(Reserved, "reserved", Error, "The reserved bytes of an arena are kept free.", "") \
    ROW(Constraint, "constraint", Error, "Values that the request keeps apart, puts together or puts at an offset lie so.", "what is computed does not depend on the place") \
    ROW(Incomplete, "incomplete", Error, "Every size that does not depend on the run is known, and there is something to plan.", "what has no size is given memory of its own") \
    ROW(OutOfMemory, "out-of-memory", Error, "The allocator that a snapshot is of has met every request.", "it is of the run that was recorded")
// clang-format on
