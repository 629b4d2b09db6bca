#pragma once

#include "core/lower/callers_memory.h"
#include "core/lower/choose/dispatch.h"
#include "core/lower/node_insertion.h"

#include <tuple>

namespace plimsoll::dispatching {

/// Puts a copy wherever a value crosses from one memory into another, once for each value and memory:
///
///     x (cpu) ──CopyTo──► x:cuda:0 ──conv──► y:cuda:0 ──CopyTo──► y (cpu)         conv is computed on cuda:0
///     w (cpu) ══CopyTo, ahead of the run══► w:cuda:0 ──┘
///
/// A copy stands right before its first reader, which may be the end of a nested graph; of what is handed out, right
/// behind its producer, and the name stays with what is handed out. Owners of nested graphs are the CPU's, and so is
/// what they hand in and take back: a condition, a number of trips, a state, a slice. Where nothing runs on a device
/// nothing is changed: then spaces are what the graph calls them. Else the caller's tensors lie where the capture says
/// (callers_memory.h), and any other space that it gave to a value counts for nothing where a device has that name.
class DeviceCopier
{
public:
    explicit DeviceCopier(Dispatch& dispatch);

    void run();

private:
    void settleSpaces();
    [[nodiscard]] CallersMemory callersMemory() const;
    void visit(BodyId body);
    void copyInputs(NodeId node);
    void copyOutputsOf(BodyId body);
    void copyResult(ValueId value);
    struct Reader
    {
        NodeId node;
        BodyId end; ///< Valid: what that nested graph hands to \c node.
    };
    [[nodiscard]] ValueId copied(ValueId source, const std::string& device, const Reader& reader);
    void addCopy(ValueId source, ValueId target, const std::string& device);
    [[nodiscard]] const std::string& deviceOf(ValueId value) const;

    Graph& m_graph;
    Implementations& m_chosen;
    std::map<std::string, std::string> m_backends; ///< Device → the backend that computes there.
    CallersMemory m_callers;
    std::map<std::pair<ValueId, std::string>, ValueId> m_made; ///< What is there in another memory already.
    NodeInserter m_nodes;
};

} // namespace plimsoll::dispatching
