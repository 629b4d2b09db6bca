#pragma once

#include "core/analysis/value_facts.h"
#include "core/plan/decision.h"
#include "core/plan/program.h"

#include <set>

namespace plimsoll {

/// What storages are looked for in.
struct SharingInput
{
    const Program& program;
    const ValueFacts& facts;
    const Graph& graph = *program.graph;
    std::set<NodeId> apart {}; ///< Of their inputs and outputs none lies inside of another, whatever the policy.
};

/// The values that ended up in the same bytes, before it is known where these are.
struct SharedStorage
{
    std::vector<ValueId> values; ///< In order of definition.
    LiveRanges live;             ///< Of all of them.
    std::int64_t bytes = 0;      ///< Required; not rounded.
    Residence residence = Residence::Planned;
    std::string_view space; ///< A text of the graph.
    ValueId host {};        ///< External: the value whose bytes of the caller they are.
};

struct Sharing
{
    std::vector<SharedStorage> storages; ///< By StorageId, in order of their first value.
    std::vector<StorageId> storageOf;    ///< By ValueId; invalid for unplanned values.
    std::vector<std::int64_t> offset;    ///< By ValueId: bytes from the start of its storage.
    std::vector<AliasKind> sharedAs;     ///< By ValueId: how it came to share, as the later one; Fresh for the first.
    Message refused {};                  ///< Why what is asked for cannot be; empty: it can.
};

/// Decides for every pair that may share whether it does, in order of the schedule, and says why in \p log.
///
/// - in place: the node is the last to read those bytes (whatever names they have), nothing else of the node reads them
///   unless it may be overwritten too, sizes are equal, and the bytes are neither the caller's nor an output's. Under
///   placement=storage-reuse, as in MXNet, nothing else of the node reads them in any case.
/// - identity: nothing writes the bytes again while either name is read. Under outputs=independent no two outputs meet
///   in one storage, and no output meets what the backward graph reads. Under read-only, copy-on-write and shared they
///   may; the run, or the verifier, deals with it.
/// - the caller's bytes: only its own node writes what lies in a buffer that the caller brings for an output. In an
///   input's bytes lie, under inputs=share-identity, identities that the caller does not see; under inputs=donate
///   anything, behind the last read of the input, if the caller cannot look at it.
///
/// - on several streams: nothing is written over what a node of another stream uses, unless that is over by then.
/// - hand-over: what an owner copies at Enter, Leave and Exit stays where it is when the old name is dead by then, so
///   that loop state updated in place takes one block, and two otherwise, with the last step landing in the result.
///
/// - what is asked for (Constraints): values that are kept apart share in no way; those that are put together take
///   turns in one storage.
///
/// What must share (alias sets) always does. A value from outside a body is treated like one of the body: it may be
/// written over where nothing on the way ahead reads it, which in a loop is nowhere.
[[nodiscard]] Sharing share(const SharingInput& input, const DecisionLog& log);

} // namespace plimsoll
