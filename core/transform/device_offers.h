#pragma once

#include "core/transform/byte_families.h"
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
    [[nodiscard]] bool isNamed(const Node& node, const Implementation& offer) const;
    [[nodiscard]] Refusal refusePlace(const Node& node) const;
    [[nodiscard]] Refusal refuseValue(ValueId value) const;

    const Graph& m_graph;
    const DispatchRequest& m_request;
    std::string m_preferred; ///< Value of the policy backend.
    ByteFamilies m_families;
};

} // namespace plimsoll::dispatching
