#pragma once

#include "core/lower/choose/dispatch_candidates.h"

/// In which layouts a value can lie, and when. Private to the folder.
namespace plimsoll::dispatching {

/// A moment in the run, between or at nodes: a node takes several, for the reorders in front of it, itself, and those
/// of results behind it.
using Moment = std::int64_t;

/// A tensor in one layout, alive from one moment to another, both counted.
struct Stay
{
    LayoutId layout = Plain;
    std::int64_t bytes = 0; ///< Rounded up to the alignment; 0 where they are the caller's.
    Moment begin = 0;
    Moment end = 0;
};

/// How a value lies while it is needed: as it is written, and in every other layout that a reader wants, from the first
/// such reader to the last.
///
///     written nChw8c   ├───────────────┤
///     plain            ·       ├───────────────┤
///                    producer  reader  reader  reader
///                              plain   nChw8c  plain
struct Form
{
    LayoutId own = Plain;
    std::vector<LayoutId> wanted; ///< By reader.
    std::vector<Stay> stays;      ///< As it is written, then the copies.
    double ms = 0;                ///< Of the reorders.
};

/// A value with all its forms.
struct Forms
{
    std::vector<std::pair<std::size_t, int>> readers; ///< Position in the order, and which input.
    std::vector<Form> list;
    bool kept = false;   ///< Handed out at the end.
    bool theirs = false; ///< The caller's bytes: as it is written it takes none.
    bool whole = true;   ///< No form is left out.
};

/// The nodes as they run, and the moments at which they do.
struct Timeline
{
    std::vector<NodeId> order;
    Moment stride = 1; ///< From one node to the next.
    Moment before = 0; ///< Reorders of inputs in front of a node.

    [[nodiscard]] Moment ofInput(std::size_t position, int input) const { return at(position) - before + input; }
    [[nodiscard]] Moment at(std::size_t position) const { return static_cast<Moment>(position) * stride + before; }
    [[nodiscard]] Moment ofResult(std::size_t position, int output) const { return at(position) + 1 + output; }
    [[nodiscard]] Moment end() const { return static_cast<Moment>(order.size()) * stride; }
};
[[nodiscard]] Timeline timelineOf(const Graph& graph);

/// What may be chosen, and what follows from it for every value. By ValueId; no forms where nothing needs to be said:
/// what is known ahead of the run costs no bytes of it.
[[nodiscard]] std::vector<Forms> formsOf(const Graph& graph, const Candidates& candidates, const Timeline& timeline,
                                         const Policies& policies);

} // namespace plimsoll::dispatching
