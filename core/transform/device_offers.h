#pragma once

#include "core/transform/dispatch.h"
#include "core/transform/refusal.h"

/// What speaks against computing a node in the memory of a device. Private to the folder.
namespace plimsoll::dispatching {

class DeviceRules
{
public:
    DeviceRules(const Graph& graph, const DispatchRequest& request);

    [[nodiscard]] Refusal refuse(const Node& node, const Implementation& offer) const;

private:
    void findWritten();
    [[nodiscard]] bool isNamed(const Node& node, const Implementation& offer) const;
    [[nodiscard]] Refusal refusePlace(const Node& node) const;
    [[nodiscard]] Refusal refuseValue(ValueId value) const;

    const Graph& m_graph;
    const DispatchRequest& m_request;
    std::string m_preferred;     ///< Value of the policy backend.
    std::vector<ValueId> m_root; ///< By ValueId: of what it is a view or a version; itself where it is neither.
    std::vector<bool> m_written; ///< By ValueId of a root: somebody writes over it.
};

} // namespace plimsoll::dispatching
